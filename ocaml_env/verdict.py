"""What happened to a candidate: data only. What it is worth is decided in ``reward``, from these values alone."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Diagnostic", "Outcome", "Stage", "TestOutcome", "Verdict", "subject"]


class Stage(enum.IntEnum):
    """The stages of a verdict, in order. A verdict's stage is the last one that was entered."""

    EXTRACT = 0
    PARSE = 1
    TYPECHECK = 2
    COMPILE = 3
    TEST = 4


class Outcome(enum.StrEnum):
    """How a candidate, or one of its tests, ended. The set is closed; only PASSED passes."""

    PASSED = "PASSED"
    NO_CODE = "NO_CODE"
    SYNTAX_ERROR = "SYNTAX_ERROR"
    TYPE_ERROR = "TYPE_ERROR"
    FORBIDDEN = "FORBIDDEN"
    COMPILE_ERROR = "COMPILE_ERROR"
    TEST_FAILURE = "TEST_FAILURE"
    RUNTIME_ERROR = "RUNTIME_ERROR"
    TIMEOUT = "TIMEOUT"
    MEMORY_LIMIT = "MEMORY_LIMIT"
    OUTPUT_LIMIT = "OUTPUT_LIMIT"


_PASSED = Outcome.PASSED  # before Python 3.12 each lookup of a member by its name is a call


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One message about the candidate's code.

    Attributes:
        kind: a short stable word: ``syntax``, ``unbound-value``, ``type-clash``, ``missing-item``, ``forbidden``, ...
        message: what the compiler says, on one line.
        line: 1-based line in the extracted code; 0 where there is none.
        column: 0-based column, in bytes, as OCaml counts; 0 where there is none.
        name: the identifier that the message is about; for ``forbidden``, the withheld name. Where there is none, ""
            or the place, ``4:2``, by which such errors are told apart when they are counted.
        cascade: True where the error only follows from an earlier one; such an error is shown but not counted.
    """

    kind: str
    message: str
    line: int = 0
    column: int = 0
    name: str = ""
    cascade: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Plain data, by the names above; ``dataclasses.asdict`` takes five times as long."""
        return {
            "kind": self.kind,
            "message": self.message,
            "line": self.line,
            "column": self.column,
            "name": self.name,
            "cascade": self.cascade,
        }


_PLACE = re.compile(r"[0-9]+:[0-9]+")


def subject(name: str) -> str:
    """What a diagnostic is about, by its ``name``, whatever the code it is in.

    An error without a name has its place there, ``4:2``, which tells errors of one candidate apart: that is "" here.
    """
    return "" if _PLACE.fullmatch(name) else name


@dataclass(frozen=True, slots=True, kw_only=True)
class TestOutcome:
    """How one test ended.

    Attributes:
        name: the test's name, unique in its problem.
        public: True for an example shown in the prompt.
        outcome: PASSED, TEST_FAILURE, RUNTIME_ERROR, TIMEOUT, MEMORY_LIMIT or OUTPUT_LIMIT.
        returned: True where the test came to an answer, right or wrong, within its limits.
        detail: of a public test that failed, for feedback: the values that came out, the exception, the limit, or
            (``program``) the first line that differs, cut to a bounded length. It comes from a process that had nothing
            of a hidden test. "" of every hidden test.
        inside: True where the test says true or false beside the candidate, and holds only as far as OCaml's type
            checker does; the others are decided by data, away from it. See ``docs/trust.md``.
    """

    __test__ = False  # not a test class, whatever pytest thinks of the name

    name: str
    public: bool
    outcome: Outcome
    returned: bool
    detail: str = ""
    inside: bool = False

    @property
    def passed(self) -> bool:
        return self.outcome is _PASSED

    def __reduce__(self) -> tuple[object, ...]:
        # A verdict travels between processes with many of these; a dataclass by itself takes twice the time.
        return _test_outcome, (self.name, self.public, self.outcome, self.returned, self.detail, self.inside)


def _test_outcome(name: str, public: bool, outcome: Outcome, returned: bool, detail: str, inside: bool) -> TestOutcome:
    return TestOutcome(name=name, public=public, outcome=outcome, returned=returned, detail=detail, inside=inside)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What happened to one candidate on one problem. Equal for equal inputs and one OCaml version.

    Attributes:
        outcome: how it ended; with several failing tests, that of the first in order.
        stage: the last stage that was entered.
        diagnostics: what the checker said, in source order; cascades included and marked.
        errors: type errors counted as the reward counts them: distinct (kind, name) pairs plus one for each item of
            the signature that is missing or ill-typed; 5 or more where no item is defined or a checker limit was hit.
        tests: one entry for each test of the problem in order; empty if no test was reached.
        partial: for a TYPE_ERROR with tests, the values of the signature that were evaluated in spite of the errors.
            Tests that use others fail.
        given: types and exceptions that the signature defines in full and the code does not; they were put before it.
        ocaml_version: the version that evaluated, such as ``4.13.1``.
        sandbox: the layers that were on, sorted: ``rlimits``, ``descriptors``, ``seccomp``, ``landlock``, ``uid``.
            Empty where nothing was run.
        cpu_seconds: CPU time that the evaluation took; not part of equality.
    """

    outcome: Outcome
    stage: Stage
    diagnostics: tuple[Diagnostic, ...] = ()
    errors: int = 0
    tests: tuple[TestOutcome, ...] = ()
    partial: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    ocaml_version: str = ""
    sandbox: tuple[str, ...] = ()
    cpu_seconds: float = field(default=0.0, compare=False)

    @property
    def passed(self) -> bool:
        """True only when every test, public and hidden, passed."""
        return self.outcome is _PASSED

    @property
    def compiler_raised(self) -> bool:
        """Whether OCaml's own compiler failed on the code: a TYPE_ERROR, though the code may be right."""
        return any(diagnostic.kind == "compiler" for diagnostic in self.diagnostics)

    @property
    def tests_passed(self) -> int:
        return sum([test.outcome is _PASSED for test in self.tests])

    @property
    def tests_passed_inside(self) -> int:
        """Of ``tests_passed``, those that hold only as far as OCaml's type checker does."""
        return sum([test.inside and test.outcome is _PASSED for test in self.tests])

    @property
    def tests_total(self) -> int:
        return len(self.tests)
