"""Small problems for tests of the engine, and short ways to look at a verdict."""

from __future__ import annotations

from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.verdict import Outcome, Verdict

__all__ = ["function", "outcomes", "printed", "prints", "program"]


def function(signature: str, *tests: str, prelude: str = "", limits: Limits | None = None) -> Problem:
    return Problem(
        id="case", statement="A case.", signature=signature, tests=tests, prelude=prelude, limits=limits or Limits()
    )


def program(*runs: tuple[str, str], limits: Limits | None = None, float_tolerance: float | None = None) -> Problem:
    """A program problem from pairs of what is read and what must be printed."""
    return Problem(
        id="case",
        statement="A case.",
        kind="program",
        tests=[Test(stdin=stdin, stdout=stdout) for stdin, stdout in runs],
        limits=limits or Limits(),
        float_tolerance=float_tolerance,
    )


def prints(stdout: str, *, stdin: str = "", limits: Limits | None = None) -> Problem:
    """A program problem with one run."""
    return program((stdin, stdout), limits=limits)


def outcomes(verdict: Verdict) -> list[Outcome]:
    """How each test ended, in order."""
    return [test.outcome for test in verdict.tests]


def printed(verdict: Verdict) -> str:
    """What a program printed that must have printed something else: as the detail of its only test shows it."""
    (test,) = verdict.tests
    assert test.outcome is Outcome.TEST_FAILURE, test
    return test.detail.removeprefix("it printed ")
