"""What evaluates candidates, wherever it does so."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from ocaml_env.engine import Arrangement, Mutant
from ocaml_env.engine.authoring import Answer, CodeMetrics, Header, SplitTests, Stub
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Outcome, Stage, Verdict

__all__ = ["AnyVerifier", "AuthoringVerifier", "Mutant", "Probe", "Stub"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Whether code passes, found out in the quickest way.

    Attributes:
        outcome: as of a verdict.
        stage: as of a verdict.
        failed: name of the first test that did not pass; "" where there is none.
        image: digest of the bytecode: code that shares it behaves alike. "" where it did not compile.
        cpu_seconds: of the tests that ran.
        slowest_seconds: of the one that took longest.
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
    """What evaluates candidates, wherever it does so: ``Verifier`` here, others on other machines.

    Each says of the same input the same, verdict or exception, and can be used by several threads. What a member does
    and raises is said at ``Verifier``. What has the members is one; those that derive from this class inherit a few.
    """

    @property
    def workers(self) -> int:
        """Candidates that can be evaluated at the same time."""
        ...

    @property
    def ocaml_version(self) -> str: ...

    def check(self, problem: Problem) -> None: ...

    def verify(self, problem: Problem, code: str) -> Verdict: ...

    def verify_many(self, pairs: Iterable[tuple[Problem, str]], *, progress: bool = False) -> list[Verdict]: ...

    async def averify(self, problem: Problem, code: str) -> Verdict:
        """``verify`` for asyncio: waits in a thread."""
        return await asyncio.to_thread(self.verify, problem, code)

    async def averify_many(self, pairs: Iterable[tuple[Problem, str]]) -> list[Verdict]: ...

    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Itself: Gymnasium copies the arguments of an environment, and the copies share the workers."""
        return self


@runtime_checkable
class AuthoringVerifier(AnyVerifier, Protocol):
    """One that also answers those who write, import and audit problems."""

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
