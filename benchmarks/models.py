"""What is evaluated, behind one interface: the text of ``--model`` becomes something that answers prompts.

    openai:NAME              any OpenAI-compatible server, at --base-url or OPENAI_BASE_URL
    hf:PATH_OR_ID            transformers: a folder, an adapter, a GGUF file or a hub id
    vllm:ID                  vLLM in this process, where it is installed
    agent:reference          the problems' own solutions, which must all pass
    agent:stub               code that fits the signature and solves nothing
    agent:tiny               the tiny policy that comes with the checkout
    completions:FILE.jsonl   what was generated elsewhere: a task_id or problem_id and a completion a line
    MODULE:ATTRIBUTE         any Agent: an object with ``act``, or a class or function that makes one

The answer to a request depends on the request and on those that it is batched with, and on nothing before them. Batches
are cut from the list of all samples, whether they are done already or not, so a run that was broken off gives what an
unbroken one gives: exactly, where the model itself answers alike. What that takes: of an ``Agent`` that it keeps no
memory; of ``hf`` the same machine, threads and --batch; of a server that it honours ``seed`` whatever else it does.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import math
import threading
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.base import Agent
from ocaml_env import AnyVerifier, Completion, ConfigError, Problem
from ocaml_env.any_verifier import AuthoringVerifier
from ocaml_env.problems import ProblemSet
from ocaml_env.problems.record import nearest

__all__ = [
    "Answer",
    "AnyModel",
    "Completions",
    "Model",
    "Request",
    "Sampling",
    "ServedModel",
    "load_model",
    "seed_of",
    "short_name",
]


AT_A_TIME = 8
"""Completions that are at hand already and are judged together, see ``ocaml_env.episode.Judging``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One prompt.

    Attributes:
        problem: what is asked.
        sample: which of the problem's samples, from 0.
        turn: of the episode, from 1.
        prompt: the whole text.
        seed: to draw the answer with.
    """

    problem: Problem
    sample: int
    turn: int
    prompt: str
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a request.

    Attributes:
        completion: the answer; empty where there is a fault.
        tokens: that were generated; None where nobody counted.
        latency: seconds that it took, back-off not counted; those of a batch are shared out. None: not measured.
        fault: why there is no answer; "" where there is one.
    """

    completion: Completion = Completion("")  # noqa: RUF009 - a str: it cannot change
    tokens: int | None = None
    latency: float | None = None
    fault: str = ""


class AnyModel:
    """What answers prompts: a ``Model`` or a ``ServedModel``.

    Attributes:
        address: of its server, without name, password and query; "" where there is none.
        digest: SHA-256, in hexadecimal, of the file that its answers come from; None where they come from none.
    """

    address: str = ""
    digest: str | None = None

    def close(self) -> None:
        """Lets go of files and processes."""


class Model(AnyModel, ABC):
    """Answers in this process; ``answer`` is called by several threads.

    Attributes:
        batch: requests that are given together.
        at_once: calls of ``answer`` that are worth making at a time while others judge; 0 where it answers at once.
    """

    batch: int = 1
    at_once: int = 1

    @abstractmethod
    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """The answers, in order."""


class ServedModel(AnyModel, ABC):
    """Answers from a server; ``ask`` is called often, and always by one event loop.

    Attributes:
        at_once: requests that are worth making at a time.
    """

    at_once: int = 1

    @abstractmethod
    async def ask(self, request: Request) -> Answer:
        """The answer, or why there is none.

        Raises:
            ConfigError: where there would be none to any request.
        """

    async def leave(self) -> None:
        """Closes connections that belong to the loop, which ends."""


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How answers are drawn: as ``agents.policy.Sampling``, which needs torch to be installed.

    Attributes:
        temperature: 0 is greedy.
        top_p: the share of probability that is drawn from.
        max_tokens: of one answer.
        continues: whether prompts are gone on with as they are, by models that have a chat too.
        stop: texts at which an answer may end.
    """

    temperature: float = 0.8
    top_p: float = 0.95
    max_tokens: int = 1024
    continues: bool = False
    stop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < math.inf:
            raise ConfigError(f"--temperature is a number from 0, not {self.temperature!r}")
        if not 0 < self.top_p <= 1:
            raise ConfigError(f"--top-p is a number above 0 and up to 1, not {self.top_p!r}")


def short_name(text: str) -> str:
    """The text of ``--model`` or ``--problems`` for people: of each path on this machine only the last part."""
    return "+".join(map(_short, text.split("+")))


def _short(text: str) -> str:
    start = text.find(":") + 1
    name = text[start:].rstrip("/")
    local = name.startswith(("/", ".", "~")) or name.count("/") > 1
    return text[:start] + name.rsplit("/", 1)[-1] if local else text


def seed_of(seed: int, problem_id: str, sample: int, turn: int) -> int:
    """The seed of one answer, of 31 bits: it depends on what is asked and on nothing before it."""
    digest = hashlib.blake2b(f"{seed}:{sample}:{turn}:{problem_id}".encode(), digest_size=4).digest()
    return int.from_bytes(digest) & 0x7FFF_FFFF


def load_model(
    spec: str,
    *,
    problems: ProblemSet,
    whole: Collection[str],
    verifier: AnyVerifier,
    sampling: Sampling,
    batch: int,
    dtype: str = "auto",
) -> Model:
    """The model of a SPEC, but for ``openai:``, which ``benchmarks.openai_api`` makes.

    Raises:
        ConfigError: where there is no such model; the message says what to do.
    """
    kind, _, name = spec.partition(":")
    if not name:
        raise ConfigError(f"--model is KIND:NAME, such as openai:NAME, hf:PATH_OR_ID or agent:reference, not {spec!r}")
    if kind == "completions":
        return Completions(name, problems, whole)
    if kind in ("hf", "vllm") or spec == "agent:tiny":
        return _local(kind, name, sampling, batch, dtype)
    if kind == "agent":
        if name == "reference":
            return _Reference(problems)
        if name == "stub":
            if not isinstance(verifier, AuthoringVerifier):
                raise ConfigError("agent:stub asks the verifier for stubs, which a service does not make")
            return _Stub(verifier)
        known = ("reference", "stub", "tiny")
        raise ConfigError(f"there is no agent {name!r}{nearest(name, known)}; known are {', '.join(known)}")
    return _AnyAgent(_imported(kind, name), batch)


def _local(kind: str, name: str, sampling: Sampling, batch: int, dtype: str) -> Model:
    if importlib.util.find_spec("torch") is None or importlib.util.find_spec("transformers") is None:
        raise ConfigError(f"{kind}:{name} needs torch and transformers: pip install 'ocaml-env[train]'")
    from benchmarks.local_models import Transformers, VLLMModel

    return (VLLMModel if kind == "vllm" else Transformers)(name, sampling, batch, dtype)


class _Reference(Model):
    """Answers with each problem's own solution.

    Raises:
        ConfigError: where a problem has none.
    """

    at_once = 0

    def __init__(self, problems: ProblemSet) -> None:
        without = [problem.id for problem in problems if not problem.reference.strip()]
        if without:
            raise ConfigError(
                f"agent:reference: {len(without)} of {len(problems)} problems have no reference, such as {without[0]!r}"
            )

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        return [Answer(completion=Completion(request.problem.reference)) for request in requests]


class _Stub(Model):
    """Answers with code that fits the signature and raises; a program that does nothing."""

    at_once = 0

    def __init__(self, verifier: AuthoringVerifier) -> None:
        self._verifier = verifier

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        return [Answer(completion=Completion(self._stub(request.problem))) for request in requests]

    def _stub(self, problem: Problem) -> str:
        return "let () = ()" if problem.kind == "program" else self._verifier.stubs(problem)[0].code


class Completions(Model):
    """Answers that were generated elsewhere: of each problem in the order of the file. Only offsets are in memory.

    Args:
        path: of the file.
        problems: that are asked; answers to others of the whole set are passed over.
        whole: ids of the set that they are of.

    Attributes:
        counts: problem id -> how many there are.

    Raises:
        ConfigError: where a line is none, names a problem that is not in the set, or there are none at all.
    """

    batch = AT_A_TIME
    at_once = 0

    def __init__(self, path: str, problems: ProblemSet, whole: Collection[str]) -> None:
        self._offsets: dict[str, array[int]] = {}
        self._lock = threading.Lock()
        try:
            self._file = Path(path).expanduser().open("rb")
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from None
        try:
            self._index(path, problems, whole)
        except BaseException:
            self._file.close()
            raise
        self.counts = {name: len(offsets) for name, offsets in self._offsets.items()}

    def _index(self, path: str, problems: ProblemSet, whole: Collection[str]) -> None:
        offset = 0
        digest = hashlib.sha256()
        for number, line in enumerate(self._file, start=1):
            digest.update(line)
            if line.strip():
                name = self._name(line, f"{path}:{number}")
                if name not in whole:
                    raise ConfigError(f"{path}:{number}: {problems.name} has no problem {name!r}{nearest(name, whole)}")
                if name in problems.by_id:
                    self._offsets.setdefault(name, array("Q")).append(offset)
            offset += len(line)
        if not self._offsets:
            raise ConfigError(f"{path}: there are no completions in it of problems that are asked")
        self.digest = digest.hexdigest()

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        if request.turn > 1:
            raise ConfigError("a file of completions has one turn: --turns must be 1")
        with self._lock:
            self._file.seek(self._offsets[request.problem.id][request.sample])
            line = self._file.readline()
        record = json.loads(line)
        return Answer(completion=Completion(record["completion"], truncated=bool(record.get("truncated", False))))

    def close(self) -> None:
        self._file.close()

    @staticmethod
    def _name(line: bytes, where: str) -> str:
        try:
            record = json.loads(line)
        except ValueError as error:
            raise ConfigError(f"{where}: not JSON: {error}") from None
        if not isinstance(record, dict) or not isinstance(record.get("completion"), str):
            raise ConfigError(f"{where}: needs a `completion`, a text")
        name = record.get("task_id", record.get("problem_id"))
        if not isinstance(name, str):
            raise ConfigError(f"{where}: needs a `task_id` or a `problem_id`, a text")
        return name


class _AnyAgent(Model):
    """An ``Agent`` of somebody else, asked by one thread at a time."""

    def __init__(self, agent: Agent, batch: int) -> None:
        self.batch = batch
        self._agent = agent
        self._lock = threading.Lock()

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        with self._lock:
            start = time.perf_counter()
            completions = self._agent.act([request.prompt for request in requests])
            latency = (time.perf_counter() - start) / len(requests)
        if len(completions) != len(requests):
            raise ConfigError(f"the agent gave {len(completions)} answers to {len(requests)} observations")
        return [Answer(completion=completion, latency=latency) for completion in completions]


def _imported(module: str, attribute: str) -> Agent:
    try:
        found: Any = importlib.import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
    except ModuleNotFoundError as error:
        if error.name != module.split(".")[0] and error.name != module:
            raise  # the module is there, and lacks something itself
        kinds = "openai, hf, vllm, agent, completions"
        raise ConfigError(f"there is no module {module!r}, nor is it a kind of model: those are {kinds}") from None
    except AttributeError:
        raise ConfigError(f"the module {module!r} has no {attribute!r}") from None
    agent = found() if isinstance(found, type) or not hasattr(found, "act") else found
    if not isinstance(agent, Agent):
        raise ConfigError(f"{module}:{attribute} is no Agent: it has no method `act`")
    return agent
