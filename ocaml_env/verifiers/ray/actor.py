"""The process on each CPU of a cluster: a verifier with one worker, which receives batches of calls.

A problem is sent once and kept under a number, since most calls are about a known problem. A call's exception is the
answer to that call; the other calls of the batch go on.
"""

from __future__ import annotations

import pickle
import platform
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ocaml_env import __version__
from ocaml_env.engine import build_engine
from ocaml_env.problem import Limits, Problem
from ocaml_env.verifiers.local import Verifier

__all__ = ["KEPT", "Call", "Raised", "Unknown", "VerifierActor"]

KEPT = 1024
"""Problems kept by an actor, about 10 KB each."""

_TRIAL = Problem(id="trial", statement="One.", signature="val one : int", tests=("one = 1",))


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a member of ``Verifier``.

    Attributes:
        member: the member's name.
        problem: the number of the problem, the first argument; 0 if there is none.
        arguments: the other positional arguments.
        options: the keyword arguments.
    """

    member: str
    problem: int = 0
    arguments: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unknown:
    """The answer to a call about a problem that is no longer kept: send it again, with the problem."""


@dataclass(frozen=True, slots=True)
class Raised:
    """The answer to a call that raised an exception, for its caller to raise."""

    error: Exception


class VerifierActor:
    """The actor's class, for Ray to wrap. Ray calls it from several threads.

    Args:
        sandbox: as for ``Verifier``.
        limits: as for ``Verifier``.
        inside: as for ``Verifier``.
    """

    def __init__(
        self,
        *,
        sandbox: Literal["required", "best-effort"],
        limits: Limits | None,
        inside: Literal["accept", "refuse"],
    ) -> None:
        # No cache: the caller has one, so evaluated code does not come here again.
        self._verifier = Verifier(workers=1, sandbox=sandbox, cache_size=0, limits=limits, inside=inside)
        self._problems: dict[int, Problem] = {}
        self._turn = threading.Lock()

    def place(self) -> tuple[str, str]:
        """The id of this actor's node, and the name of the machine."""
        import ray

        return ray.get_runtime_context().get_node_id(), platform.node()

    def prepare(self) -> str:
        """Builds the engine if needed, starts it, and tries the sandbox. Returns the versions in use here.

        Raises:
            OCamlEnvError: if this node cannot evaluate.
        """
        engine = build_engine()
        self._verifier.check(_TRIAL)
        return f"ocaml-env {__version__} with OCaml and engine {engine.folder.name}"

    def work(self, batch: bytes) -> bytes:
        """Answers a batch of calls, in order.

        While one batch is evaluated, Ray receives the next one and sends the answers to the one before.

        Args:
            batch: the calls, and the problems that are new here, by number. Batches and answers are pickled: Ray's own
                pickler takes twice the time, since it supports more types.
        """
        calls: Sequence[Call]
        problems: Mapping[int, Problem]
        calls, problems = pickle.loads(batch)
        if len(self._problems) + len(problems) > KEPT:
            self._problems = {}
        self._problems |= problems
        known = {call.problem: self._problems.get(call.problem) for call in calls}
        with self._turn:
            answers = [self._answer(call, known[call.problem]) for call in calls]
        return pickle.dumps(answers)

    def _answer(self, call: Call, problem: Problem | None) -> Any:
        if call.problem and problem is None:
            return Unknown()
        first = () if problem is None else (problem,)
        member = getattr(self._verifier, call.member)
        try:
            return member(*first, *call.arguments, **call.options) if callable(member) else member
        except Exception as error:  # noqa: BLE001 - any exception is for the caller to raise, as without Ray
            return Raised(error)
