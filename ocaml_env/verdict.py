"""The result of checking and testing a candidate, as plain data. ``reward`` computes its worth from these values."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Diagnostic", "Outcome", "Stage", "TestOutcome", "Verdict", "subject"]


class Stage(enum.IntEnum):
    """The stages of a verdict, in order. A verdict's stage is the last stage entered."""

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


_PASSED = Outcome.PASSED  # before Python 3.12 each lookup of a member by name is a call


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One message about the candidate's code.

    Attributes:
        kind: a short stable word: ``syntax``, ``unbound-value``, ``type-clash``, ``missing-item``, ``forbidden``, ...
        message: the compiler's message, on one line.
        line: 1-based line in the extracted code; 0 if there is none.
        column: 0-based column, in bytes, as OCaml counts; 0 if there is none.
        name: the identifier at fault; for ``forbidden``, the withheld name. Without an identifier it is "" or the
            place, such as ``4:2``, so that such errors count as distinct.
        cascade: True if the error only follows from an earlier one. Such an error is shown but not counted.
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
    """Returns the identifier in a diagnostic's ``name``; "" if the name is a place, such as ``4:2``, or empty."""
    return "" if _PLACE.fullmatch(name) else name


@dataclass(frozen=True, slots=True, kw_only=True)
class TestOutcome:
    """How one test ended.

    Attributes:
        name: the test's name, unique in its problem.
        public: True for an example shown in the prompt.
        outcome: PASSED, TEST_FAILURE, RUNTIME_ERROR, TIMEOUT, MEMORY_LIMIT or OUTPUT_LIMIT.
        returned: True if the test gave an answer, right or wrong, within its limits.
        detail: for feedback on a failed public test: the resulting values, the exception, the limit, or (``program``)
            the first differing line, cut to a bounded length. It comes from a process without any hidden test. "" for
            every hidden test.
        inside: True if the test's result is computed in the candidate's process, so that it is only as safe as OCaml's
            type checker. The other results are computed from data in another process. See ``docs/trust.md``.
    """

    __test__ = False  # tells pytest that this is not a test class

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
        # Verdicts travel between processes with many of these; a dataclass's default takes twice the time.
        return _test_outcome, (self.name, self.public, self.outcome, self.returned, self.detail, self.inside)


def _test_outcome(name: str, public: bool, outcome: Outcome, returned: bool, detail: str, inside: bool) -> TestOutcome:
    return TestOutcome(name=name, public=public, outcome=outcome, returned=returned, detail=detail, inside=inside)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of one candidate on one problem. Equal for equal inputs and one OCaml version.

    Attributes:
        outcome: how it ended; if several tests fail, the outcome of the first.
        stage: the last stage entered.
        diagnostics: the checker's messages in source order, cascades included.
        errors: the number of type errors for the reward: distinct (kind, name) pairs, plus one for each missing or
            ill-typed item of the signature; 5 or more if no item is defined or a checker limit was hit.
        tests: one entry for each test of the problem in order; empty if no test was reached.
        partial: for a TYPE_ERROR with tests, the values of the signature that were evaluated in spite of the errors.
            Tests of other values fail.
        given: types and exceptions that the signature defines in full and the code does not. The checker put their
            definitions before the code.
        ocaml_version: the evaluating OCaml version, such as ``4.13.1``.
        sandbox: the active layers, sorted: ``rlimits``, ``descriptors``, ``seccomp``, ``landlock``, ``uid``. Empty if
            nothing was run.
        cpu_seconds: CPU time of the evaluation; not part of equality.
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
        """True if every test, public and hidden, passed."""
        return self.outcome is _PASSED

    @property
    def compiler_raised(self) -> bool:
        """True if OCaml's own compiler failed on the code: a TYPE_ERROR, though the code may be right."""
        return any(diagnostic.kind == "compiler" for diagnostic in self.diagnostics)

    @property
    def tests_passed(self) -> int:
        return sum([test.outcome is _PASSED for test in self.tests])

    @property
    def tests_passed_inside(self) -> int:
        """Passed tests whose result was computed in the candidate's process (``TestOutcome.inside``)."""
        return sum([test.inside and test.outcome is _PASSED for test in self.tests])

    @property
    def tests_total(self) -> int:
        return len(self.tests)
