"""Opens the model named by ``--model``.

    openai:NAME              any OpenAI-compatible server, at --base-url or OPENAI_BASE_URL
    hf:PATH_OR_ID            transformers: a folder, an adapter, a GGUF file or a hub id
    vllm:ID                  vLLM in this process, if it is installed
    agent:reference          the problems' own solutions; all must pass
    agent:stub               code of the right signature that raises, or prints nothing
    agent:constant           a constant; also agent:commonest, agent:argument, agent:examples: see ``STUBS``
    agent:tiny               the tiny policy of the checkout
    completions:FILE.jsonl   completions from elsewhere: a task_id or problem_id and a completion a line
    MODULE:ATTRIBUTE         any Agent: an object with ``act``, a class or function to make one, or a function from
                             a list of observations to a list of answers

An answer depends only on its request and the rest of its batch, not on earlier requests. Batches are cut from the list
of all samples, done or not, so a resumed run repeats an unbroken one: exactly, if the model answers equal requests
equally. For that an ``Agent`` must keep no memory, ``hf`` needs the same machine, threads and --batch, and a server
must honour ``seed`` under any load.

A new kind is a ``Model`` in a module beside this one, and a row of ``KINDS``.
"""

from __future__ import annotations

import argparse
import enum
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.models.agents import STUBS, AgentModel, Reference, StubModel, import_agent
from ocaml_env.evaluation.models.base import Model, Sampling
from ocaml_env.evaluation.models.completions import Completions
from ocaml_env.evaluation.models.openai_server import Server
from ocaml_env.evaluation.protocols.base import Protocol
from ocaml_env.problem.record import nearest
from ocaml_env.verifiers.base import AnyVerifier, AuthoringVerifier

__all__ = ["KINDS", "Kind", "Place", "Setup", "kind_of", "load_model"]


class Place(enum.Enum):
    """The place of a language model. It decides which options have an effect, and are recorded."""

    NONE = enum.auto()  # no language model: no option of sampling has an effect
    SERVER = enum.auto()
    PROCESS = enum.auto()  # this one: an answer depends on the rest of its batch, and on --dtype


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The parts of an evaluation that a model may need; ``options`` are those of the command."""

    options: argparse.Namespace
    protocol: Protocol
    verifier: AnyVerifier
    sampling: Sampling


class Kind(NamedTuple):
    """A kind of model.

    Attributes:
        load: loads the model of the name after the colon; raises ``ConfigError`` if there is none.
        place: its place.
    """

    load: Callable[[str, Setup], Model]
    place: Place = Place.NONE


def kind_of(spec: str) -> Kind:
    """Finds the kind of a model."""
    kind = spec.partition(":")[0]
    if spec == "agent:tiny":
        return KINDS["hf"]
    return KINDS.get(kind) or Kind(
        lambda name, setup: AgentModel(import_agent(kind, name, kinds=KINDS), setup.options.batch)
    )


def load_model(setup: Setup) -> Model:
    """Loads the model of ``--model``.

    Raises:
        ConfigError: if there is no such model; the message says what to do.
    """
    spec = setup.options.model
    name = spec.partition(":")[2]
    if not name:
        raise ConfigError(f"--model is KIND:NAME, such as openai:NAME, hf:PATH_OR_ID or agent:reference, not {spec!r}")
    return kind_of(spec).load(name, setup)


def _openai(name: str, setup: Setup) -> Model:
    options = setup.options
    if importlib.util.find_spec("aiohttp") is None:
        raise ConfigError(f"{options.model} needs aiohttp: pip install 'ocaml-env[evaluate]'")
    from ocaml_env.evaluation.models.openai_api import OpenAIModel

    server = Server(
        base_url=options.base_url,
        endpoint="completions" if setup.sampling.continues else "chat",
        concurrency=options.concurrency,
        retries=options.retries,
        timeout=options.timeout,
        requests_per_minute=options.requests_per_minute,
        stream=options.stream,
    )
    return OpenAIModel(name, server, setup.sampling)


def _transformers(name: str, setup: Setup) -> Model:
    _need_torch("hf", name)
    from ocaml_env.evaluation.models.local import Transformers

    options = setup.options
    return Transformers(name, setup.sampling, options.batch, options.dtype, options.threads)


def _vllm(name: str, setup: Setup) -> Model:
    _need_torch("vllm", name)
    from ocaml_env.evaluation.models.local import VLLMModel

    return VLLMModel(name, setup.sampling, setup.options.batch, setup.options.dtype)


def _need_torch(kind: str, name: str) -> None:
    if importlib.util.find_spec("torch") is None or importlib.util.find_spec("transformers") is None:
        raise ConfigError(f"{kind}:{name} needs torch and transformers: pip install 'ocaml-env[{kind}]'")


def _agent(name: str, setup: Setup) -> Model:
    if name == "reference":
        return Reference(setup.protocol.problems)
    if name in STUBS:
        if not isinstance(setup.verifier, AuthoringVerifier):
            raise ConfigError(f"agent:{name} asks the verifier for stubs, which a service does not make")
        return StubModel(name, setup.verifier)
    known = ("reference", "tiny", *STUBS)
    raise ConfigError(f"there is no agent {name!r}{nearest(name, known)}; known are {', '.join(known)}")


def _completions(name: str, setup: Setup) -> Model:
    return Completions(name, setup.protocol.problems, setup.protocol.whole)


KINDS = {
    "openai": Kind(_openai, Place.SERVER),
    "hf": Kind(_transformers, Place.PROCESS),
    "vllm": Kind(_vllm, Place.PROCESS),
    "agent": Kind(_agent),
    "completions": Kind(_completions),
}
