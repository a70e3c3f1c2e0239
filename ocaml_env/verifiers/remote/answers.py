"""The answers of the service, defined once: the server makes and encodes them, OpenAPI shows them, clients read them.

They are plain dataclasses, so that a client needs no pydantic; it reads the descriptions in ``metadata`` for OpenAPI.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from ocaml_env import verdict
from ocaml_env.verdict import Diagnostic, Outcome, TestOutcome

__all__ = [
    "Checked",
    "CheckedProblem",
    "Error",
    "Example",
    "Fault",
    "Health",
    "Info",
    "ProblemPage",
    "ProblemSummary",
    "Problems",
    "Reward",
    "Rewards",
    "Verdict",
    "Verdicts",
]


def _described(text: str, **more: Any) -> Any:
    return field(metadata={"description": text}, **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of a candidate. Its failures are values: they come with status 200."""

    outcome: Outcome
    stage: Literal["EXTRACT", "PARSE", "TYPECHECK", "COMPILE", "TEST"]
    passed: bool
    tests_passed: int
    tests_passed_inside: int = _described("Passed tests whose result was computed in the candidate's process.")
    tests_total: int
    errors: int
    diagnostics: Sequence[Diagnostic]
    tests: Sequence[TestOutcome]
    partial: Sequence[str] = _described("The values evaluated in spite of type errors.")
    given: Sequence[str] = _described("Definitions of the interface that the service put in front of the code.")
    ocaml_version: str
    sandbox: Sequence[str]
    cpu_seconds: float

    @classmethod
    def of(cls, found: verdict.Verdict) -> Self:
        return cls(
            outcome=found.outcome,
            stage=found.stage.name,  # type: ignore[arg-type]  # a name of `Stage`
            passed=found.passed,
            tests_passed=found.tests_passed,
            tests_passed_inside=found.tests_passed_inside,
            tests_total=found.tests_total,
            errors=found.errors,
            diagnostics=found.diagnostics,
            tests=found.tests,
            partial=found.partial,
            given=found.given,
            ocaml_version=found.ocaml_version,
            sandbox=found.sandbox,
            cpu_seconds=found.cpu_seconds,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Error:
    """An error."""

    type: str = _described("The name of the exception in `ocaml_env.errors`.")
    message: str
    problems: Sequence[str] | None = _described("404 and 409: the problems in question.", default=None)
    problem_id: str | None = None
    test: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An error in place of an answer. Never a verdict: no reward follows from it."""

    error: Error


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """The verdicts in the order of the items."""

    verdicts: Sequence[Verdict | Fault]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward:
    """The reward of a completion."""

    total: float = _described("The reward: the sum of the parts.")
    parts: Mapping[str, float]
    code: str | None = _described("The code found in the completion.")
    reason: str = _described("The reason for a missing code; empty if there is code.")
    truncated: bool
    feedback: str = _described("The text for the model's next turn.")
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewards:
    """The rewards in the order of the items."""

    rewards: Sequence[Reward | Fault]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedProblem:
    """A problem that can be evaluated."""

    problem: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Problems whose tests compile."""

    problems: Sequence[CheckedProblem]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSummary:
    """A problem of a list."""

    id: str
    digest: str
    split: str
    level: int | None
    label: str
    kind: str
    topics: Sequence[str]
    tests: int
    hidden_tests: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Problems:
    """A page of the problems that meet the conditions."""

    total: int = _described("Problems that meet the conditions.")
    problems: Sequence[ProblemSummary]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A public test."""

    name: str
    code: str
    stdin: str | None
    stdout: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemPage(ProblemSummary):
    """A problem as a model sees it, and its prompt, without hidden tests and reference."""

    statement: str
    signature: str
    attempt: str = _described("The faulty answer to repair; empty if there is none.")
    limits: Mapping[str, float]
    examples: Sequence[Example]
    prompt: str
    messages: Sequence[Mapping[str, str]] = _described("The prompt as a chat: `role` and `content` of each message.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """A description of the service."""

    version: str
    ocaml_version: str
    workers: int
    problems: int
    inline_problems: bool
    max_batch: int
    max_body: int
    max_code_length: int
    rewards: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The state of the service."""

    status: Literal["live", "ready", "full", "stopping"]
