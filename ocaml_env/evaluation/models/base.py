"""What answers prompts: the interface of every model that is evaluated."""

from __future__ import annotations

import hashlib
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ocaml_env.errors import ConfigError
from ocaml_env.extract import Completion
from ocaml_env.problem import Problem
from ocaml_env.prompt import Prompt

__all__ = [
    "AT_A_TIME",
    "NAMED",
    "Answer",
    "AnyModel",
    "Model",
    "Request",
    "Sampling",
    "ServedModel",
    "seed_of",
    "short_name",
]


AT_A_TIME = 8
"""Completions that are at hand already and are evaluated together, see ``ocaml_env.episode.PendingEvaluation``."""

NAMED: dict[str, Path] = {}
"""Folders of models that other packages add by a name, such as ``tiny`` of the agents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One prompt.

    Attributes:
        problem: what is asked.
        sample: which of the problem's samples, from 0.
        turn: of the episode, from 1.
        prompt: the whole text, which knows itself as a chat.
        seed: to draw the answer with.
    """

    problem: Problem
    sample: int
    turn: int
    prompt: Prompt
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
        chats: whether a prompt becomes messages of a chat.
        digest: SHA-256, in hexadecimal, of the file that its answers come from; None where they come from none.
    """

    address: str = ""
    chats: bool = False
    digest: str | None = None

    def close(self) -> None:
        """Lets go of files and processes."""


class Model(AnyModel, ABC):
    """Answers in this process; ``answer`` is called by several threads.

    Attributes:
        batch: requests that are given together.
        at_once: calls of ``answer`` that are worth making at a time while others evaluate; 0 where it answers at once.
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
    """How answers are drawn: as ``ocaml_env.evaluation.models.hf.Sampling``, which needs torch to be installed.

    Attributes:
        temperature: 0 is greedy.
        top_p: the share of probability that is drawn from.
        max_tokens: of one answer.
        continues: whether prompts are gone on with as they are, by models that have a chat too.
        stop: texts at which an answer may end, if the model goes on with a text or ``prefills``.
        prefills: whether the beginnings of answers are written for the model.
    """

    temperature: float = 0.8
    top_p: float = 0.95
    max_tokens: int = 1024
    continues: bool = False
    stop: tuple[str, ...] = ()
    prefills: bool = False

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
