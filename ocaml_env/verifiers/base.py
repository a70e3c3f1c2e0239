"""The interface of all verifiers, local and remote."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

from ocaml_env.engine import Arrangement, Mutant
from ocaml_env.engine.authoring import Answer, CodeMetrics, Header, SplitTests, Stub
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Outcome, Stage, Verdict

__all__ = ["Answer", "AnyVerifier", "AuthoringVerifier", "CodeMetrics", "Mutant", "Probe", "Stub"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """The quickest test of whether code passes.

    Attributes:
        outcome: as in a verdict.
        stage: as in a verdict.
        failed: name of the first failed test; "" if there is none.
        image: digest of the bytecode: equal digests mean equal behaviour. "" if the code did not compile.
        cpu_seconds: CPU time of the tests that ran.
        slowest_seconds: CPU time of the slowest test.
    """

    outcome: Outcome
    stage: Stage
    failed: str = ""
    image: str = ""
    cpu_seconds: float = 0.0
    slowest_seconds: float = 0.0

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED


class AnyVerifier(Protocol):
    """Evaluates candidates: ``Verifier`` on this machine, others elsewhere.

    For the same input, all verifiers give the same verdict or exception. Several threads may use one. ``Verifier``
    documents the members and their errors. A class need not derive from this one, but inherits a few members if it
    does.
    """

    @property
    def workers(self) -> int:
        """The number of candidates evaluated at the same time."""
        ...

    @property
    def ocaml_version(self) -> str: ...

    def check(self, problem: Problem) -> None: ...

    def verify(self, problem: Problem, code: str) -> Verdict: ...

    def verify_many(self, pairs: Iterable[tuple[Problem, str]], *, progress: bool = False) -> list[Verdict]: ...

    async def averify(self, problem: Problem, code: str) -> Verdict:
        """``verify`` for asyncio: it waits in a thread."""
        return await asyncio.to_thread(self.verify, problem, code)

    async def averify_many(self, pairs: Iterable[tuple[Problem, str]]) -> list[Verdict]: ...

    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Returns itself: Gymnasium copies an environment's arguments, and the copies must share the workers."""
        return self


@runtime_checkable
class AuthoringVerifier(AnyVerifier, Protocol):
    """A verifier that can also help to write, import and audit problems."""

    def probe(
        self,
        problem: Problem,
        codes: Iterable[str],
        *,
        limits: Limits | None = None,
        first: int | None = None,
        arrangement: Arrangement = "in order",
    ) -> list[Probe]: ...

    def inside(self, problem: Problem) -> dict[str, str]: ...

    def outputs(self, problem: Problem, code: str) -> tuple[bytes | None, ...]: ...

    def mutants(self, problem: Problem) -> tuple[Mutant, ...]: ...

    def stubs(self, problem: Problem) -> tuple[Stub, ...]: ...

    def split_tests(self, text: str) -> SplitTests: ...

    def header(self, text: str) -> Header: ...

    def answers(self, tests: Sequence[str]) -> tuple[Answer | None, ...]: ...

    def measure(self, problem: Problem) -> CodeMetrics: ...
