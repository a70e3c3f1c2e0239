"""Agents as models: the reference, agents that give up, and anybody's object with ``act``."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ocaml_env.errors import ConfigError, import_attribute
from ocaml_env.evaluation.models.agent import Agent
from ocaml_env.evaluation.models.base import Answer, Model, Request, ThreadModel
from ocaml_env.extract import Completion
from ocaml_env.kills.stubs import stubs_of
from ocaml_env.problem import Problem
from ocaml_env.problems import ProblemSet
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["STUBS", "AgentModel", "Reference", "StubModel", "import_agent"]


class Reference(Model):
    """Answers with each problem's own solution.

    Raises:
        ConfigError: if a problem has none.
    """

    def __init__(self, problems: ProblemSet) -> None:
        without = [problem.id for problem in problems if not problem.reference.strip()]
        if without:
            raise ConfigError(
                f"agent:reference: {len(without)} of {len(problems)} problems have no reference, such as {without[0]!r}"
            )

    async def generate(self, requests: Sequence[Request]) -> list[Answer]:
        return [Answer(completion=Completion(request.problem.reference)) for request in requests]


STUBS = {
    "stub": ("printing nothing", "raising"),
    "constant": ("printing nothing", "constant 1"),
    "commonest": ("common answer 1",),
    "argument": ("echo", "identity first"),
    "examples": ("table of the examples",),
}
"""Agents that give up -> the stubs that they answer with, the first one that a problem has; else code that raises.

``commonest`` answers what most tests expect, as a policy learns to that meets each problem many times. ``examples`` is
a table of the public examples.
"""


class StubModel(ThreadModel):
    """Answers each problem in the same way, whatever it asks.

    Args:
        kind: one of ``STUBS``.
        verifier: makes the stubs.
    """

    def __init__(self, kind: str, verifier: AuthoringVerifier) -> None:
        super().__init__()
        self._names, self._verifier = STUBS[kind], verifier

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        return [Answer(completion=Completion(self._stub(request.problem))) for request in requests]

    def _stub(self, problem: Problem) -> str:
        raising, *others = stubs_of(problem, self._verifier)
        by_name = {stub.name: stub for stub in others}
        return next((by_name[name] for name in self._names if name in by_name), raising).code


class AgentModel(ThreadModel):
    """Any ``Agent`` as a model, always called by the same thread."""

    def __init__(self, agent: Agent, batch: int) -> None:
        super().__init__()
        self.batch = batch
        self._agent = agent

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        start = time.perf_counter()
        completions: Any = self._agent.act([request.prompt for request in requests])
        latency = (time.perf_counter() - start) / len(requests)
        if not isinstance(completions, Sequence) or isinstance(completions, str):
            raise ConfigError(f"the agent gave {_kind(completions)}, not a list of answers")
        if len(completions) != len(requests):
            raise ConfigError(f"the agent gave {len(completions)} answers to {len(requests)} observations")
        return [Answer(completion=_completion(given), latency=latency) for given in completions]


class _Function:
    """A function of observations as an ``Agent``."""

    def __init__(self, act: Callable[[Sequence[str]], list[Completion]]) -> None:
        self.act = act


def import_agent(module: str, attribute: str, *, kinds: Iterable[str]) -> Agent:
    """Loads an ``Agent``: an object, the result of a class or function without arguments, or a function.

    Raises:
        ConfigError: if there is none of that name.
    """
    name = f"{module}:{attribute}"
    try:
        found = import_attribute(name)
    except ConfigError as error:
        raise ConfigError(f"{error}; nor is {module!r} a kind of model: those are {', '.join(kinds)}") from None
    if not isinstance(found, type) and isinstance(found, Agent):
        return found
    if not callable(found):
        raise ConfigError(f"{name} is no Agent: it has no method `act`")
    if _takes(found, 0):
        made = found()
        if not isinstance(made, Agent):
            raise ConfigError(f"{name} gave {_kind(made)}, which is no Agent: it has no method `act`")
        return made
    if not isinstance(found, type) and _takes(found, 1):
        return _Function(found)
    raise ConfigError(
        f"{name} needs arguments: it must be an Agent, make one without arguments, or answer a list of observations"
    )


def _takes(function: Callable[..., Any], count: int) -> bool:
    """True if a function accepts this number of arguments."""
    try:
        inspect.signature(function).bind(*range(count))
    except (TypeError, ValueError):
        return False
    return True


def _completion(given: object) -> Completion:
    if isinstance(given, Completion):
        return given
    if not isinstance(given, str):
        raise ConfigError(f"the agent gave {_kind(given)} for an answer, not a text or a Completion")
    return Completion(given)


def _kind(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
