"""Small problems for tests of the engine, and short ways to read a verdict."""

from __future__ import annotations

from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.verdict import Outcome, Verdict

__all__ = ["function", "outcomes", "printed", "prints", "program"]


def function(
    signature: str, *tests: str | Test, prelude: str = "", limits: Limits | None = None, public: bool = False
) -> Problem:
    """Makes a function problem. With ``public`` its tests are examples, so verdicts show the values of failing ones."""
    if public:
        tests = tuple(Test(test, public=True) if isinstance(test, str) else test for test in tests)
    return Problem(
        id="case", statement="A case.", signature=signature, tests=tests, prelude=prelude, limits=limits or Limits()
    )


def program(
    *runs: tuple[str, str], limits: Limits | None = None, float_tolerance: float | None = None, public: bool = False
) -> Problem:
    """Makes a program problem from pairs of input and expected output."""
    return Problem(
        id="case",
        statement="A case.",
        kind="program",
        tests=[Test(stdin=stdin, stdout=stdout, public=public) for stdin, stdout in runs],
        limits=limits or Limits(),
        float_tolerance=float_tolerance,
    )


def prints(stdout: str, *, stdin: str = "", limits: Limits | None = None) -> Problem:
    """Makes a program problem with one run, an example."""
    return program((stdin, stdout), limits=limits, public=True)


def outcomes(verdict: Verdict) -> list[Outcome]:
    """Returns the outcome of each test, in order."""
    return [test.outcome for test in verdict.tests]


def printed(verdict: Verdict) -> str:
    """Returns the wrong output of a program with one test, as the test's detail shows it."""
    (test,) = verdict.tests
    assert test.outcome is Outcome.TEST_FAILURE, test
    _, got = test.detail.split(", got `")
    return got.removesuffix("`")
