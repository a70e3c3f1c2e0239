"""What runs on each CPU of a cluster: a verifier with one worker, which is sent batches of calls.

A problem is sent once and kept under a number, since most calls are about a problem that is known already. What a call
raises is the answer to that call, and leaves the others of the batch alone.
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
"""Problems that an actor keeps, each some 10 KB."""

_TRIAL = Problem(id="trial", statement="One.", signature="val one : int", tests=("one = 1",))


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a member of ``Verifier``.

    Attributes:
        member: its name.
        problem: the number of the problem that is its first argument; 0 where it has none.
        arguments: the others.
        options: those with names.
    """

    member: str
    problem: int = 0
    arguments: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unknown:
    """The answer to a call about a problem that is not kept any more: send it again, with the problem."""


@dataclass(frozen=True, slots=True)
class Raised:
    """The answer to a call that raised an exception, which its caller is to raise."""

    error: Exception


class VerifierActor:
    """The actor's class, before Ray makes one of it. Ray calls it from several threads.

    Args:
        sandbox: as of ``Verifier``.
        limits: as of ``Verifier``.
        inside: as of ``Verifier``.
    """

    def __init__(
        self,
        *,
        sandbox: Literal["required", "best-effort"],
        limits: Limits | None,
        inside: Literal["accept", "refuse"],
    ) -> None:
        # The caller remembers verdicts: nothing that was evaluated comes here again.
        self._verifier = Verifier(workers=1, sandbox=sandbox, cache_size=0, limits=limits, inside=inside)
        self._problems: dict[int, Problem] = {}
        self._turn = threading.Lock()

    def place(self) -> tuple[str, str]:
        """The id of the node that it is on, and the name of the machine."""
        import ray

        return ray.get_runtime_context().get_node_id(), platform.node()

    def prepare(self) -> str:
        """Builds the engine if need be, starts it, and tries the sandbox. Tells what evaluates here.

        Raises:
            OCamlEnvError: if nothing can be evaluated on this node.
        """
        engine = build_engine()
        self._verifier.check(_TRIAL)
        return f"ocaml-env {__version__} with OCaml and engine {engine.folder.name}"

    def work(self, batch: bytes) -> bytes:
        """Answers a batch of calls, in order.

        While one is worked, the next one is received and the answers to the one before are sent.

        Args:
            batch: pickled, as the answers are (Ray's own pickler takes twice the time, since it knows of more): the
                calls, and by their numbers the problems that are new here.
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
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the caller's, as it would be without Ray
            return Raised(error)
