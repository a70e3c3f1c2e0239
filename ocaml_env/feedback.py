"""Turns a verdict into a short text for the model to read before its next turn.

The text is deterministic and bounded. It shows the checker's messages with their places, and the failed public tests
with the resulting values and exceptions. Those come from a process without any hidden test.

Of hidden tests it says how many passed and in which ways others ended, without counts: a candidate that stores the
arguments of hidden tests could report them through the number of tests that raise. Feedback must not teach the tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ocaml_env.problem import Problem, Test
from ocaml_env.verdict import Diagnostic, Outcome, TestOutcome, Verdict

__all__ = ["MAX_LENGTH", "feedback", "shorten"]

MAX_LENGTH = 6_000
"""The most characters of a feedback."""

_MAX_DIAGNOSTICS = 8
_MAX_EXAMPLES = 4
_MAX_MESSAGE = 400
_MAX_DETAIL = 700
_MAX_SNIPPET = 160
_MAX_BLOCK = 600

_ENDINGS = {
    Outcome.PASSED: "passed",
    Outcome.TEST_FAILURE: "gave a wrong answer",
    Outcome.RUNTIME_ERROR: "ended with an error",
    Outcome.TIMEOUT: "ran out of time",
    Outcome.MEMORY_LIMIT: "ran out of memory",
    Outcome.OUTPUT_LIMIT: "printed too much",
}
_HEADS = {outcome: f"The code {ending}." for outcome, ending in _ENDINGS.items()} | {
    Outcome.NO_CODE: "No OCaml code was found in the answer.",
    Outcome.SYNTAX_ERROR: "The code does not parse.",
    Outcome.TYPE_ERROR: "The code does not typecheck against the interface.",
    Outcome.FORBIDDEN: "The code names something that is withheld here.",
    Outcome.COMPILE_ERROR: "The code does not compile.",
}
_WHAT_IS_THERE = "    OCaml's standard library and Str are there, and no other library or directive."
_PROGRAM_TYPE_ERROR = "The program does not typecheck."


def feedback(problem: Problem, verdict: Verdict, *, code: str | None = None, reason: str = "") -> str:
    """Writes the feedback on an answer, for the model that gave it.

    Args:
        problem: the problem.
        verdict: the result of its answer.
        code: the evaluated code; if given, each message quotes its line.
        reason: for NO_CODE, the reason for the missing code.

    Returns:
        At most ``MAX_LENGTH`` characters, without a final newline.
    """
    return shorten("\n".join(_lines(problem, verdict, code, reason)), MAX_LENGTH)


def shorten(text: str, limit: int) -> str:
    """Returns the text; if longer than ``limit`` characters, its beginning and a note of the total length."""
    if len(text) <= limit:
        return text
    note = f" ... ({len(text)} characters in all)"
    return text[: max(0, limit - len(note))] + note[:limit]


def _lines(problem: Problem, verdict: Verdict, code: str | None, reason: str) -> Iterator[str]:
    if verdict.passed:
        yield f"All {verdict.tests_total} tests pass."
        return
    if not verdict.tests or verdict.partial:
        untyped = verdict.outcome is Outcome.TYPE_ERROR and problem.kind == "program"
        yield _PROGRAM_TYPE_ERROR if untyped else _HEADS[verdict.outcome]
        if verdict.outcome is Outcome.NO_CODE and code is not None and not verdict.diagnostics:
            reason = "it defines nothing"
        if reason:
            yield f"- {_one_line(reason, _MAX_MESSAGE)}"
        yield from _diagnostics(verdict.diagnostics, code)
        if not verdict.partial:
            return
        kept = _one_line(", ".join(verdict.partial), _MAX_MESSAGE)
        yield f"Tested without what is missing or has an error: {kept}."
    yield f"{verdict.tests_passed} of {verdict.tests_total} tests pass."
    yield from _examples(problem, [test for test in verdict.tests if test.public])
    yield from _hidden([test for test in verdict.tests if not test.public])


def _diagnostics(diagnostics: Sequence[Diagnostic], code: str | None) -> Iterator[str]:
    # A message about a consequence of an earlier error misleads more than it helps.
    shown = [diagnostic for diagnostic in diagnostics if not diagnostic.cascade] or list(diagnostics)
    source = code.split("\n") if code is not None else []  # as OCaml counts lines
    for diagnostic in shown[:_MAX_DIAGNOSTICS]:
        place = f"line {diagnostic.line}, column {diagnostic.column}: " if diagnostic.line > 0 else ""
        yield f"- {place}{_one_line(diagnostic.message, _MAX_MESSAGE)}"
        line = source[diagnostic.line - 1].strip() if 0 < diagnostic.line <= len(source) else ""
        if line:
            yield f"    {_one_line(line, _MAX_SNIPPET)}"
        if diagnostic.kind == "unbound-module" or (diagnostic.kind == "syntax" and line.startswith("#")):
            yield _WHAT_IS_THERE
    if len(shown) > _MAX_DIAGNOSTICS:
        yield f"- and {len(shown) - _MAX_DIAGNOSTICS} more"


def _examples(problem: Problem, outcomes: Sequence[TestOutcome]) -> Iterator[str]:
    if not outcomes:
        return
    failed = [outcome for outcome in outcomes if not outcome.passed]
    yield f"Examples: {len(outcomes) - len(failed)} of {len(outcomes)} pass."
    tests = {test.name: test for test in problem.tests}
    for outcome in failed[:_MAX_EXAMPLES]:
        yield from _failed_example(problem, tests.get(outcome.name), outcome)
    if len(failed) > _MAX_EXAMPLES:
        yield f"- and {len(failed) - _MAX_EXAMPLES} more that fail"


def _failed_example(problem: Problem, test: Test | None, outcome: TestOutcome) -> Iterator[str]:
    ending = _ENDINGS.get(outcome.outcome, "failed")
    if test is None:
        yield f"- an example {ending}"
    elif problem.kind == "function":
        yield f"- this should be true, and {'is not' if outcome.outcome is Outcome.TEST_FAILURE else ending}:"
        yield from _block(test.code)
    else:
        yield f"- on this input the program {ending}:"
        yield from _block(test.stdin or "")
        yield "  it should print:"
        yield from _block(test.stdout or "")
    if outcome.detail:
        yield f"  {_printable(shorten(outcome.detail, _MAX_DETAIL))}"  # blanks in a value are its own


def _hidden(outcomes: Sequence[TestOutcome]) -> Iterator[str]:
    if not outcomes:
        return
    endings = {outcome.outcome for outcome in outcomes}
    passed = sum(outcome.passed for outcome in outcomes)
    others = [ending for outcome, ending in _ENDINGS.items() if outcome in endings and outcome is not Outcome.PASSED]
    yield f"Hidden tests: {passed} of {len(outcomes)} pass" + (f"; others {', or '.join(others)}." if others else ".")


def _block(text: str) -> Iterator[str]:
    """Indented lines. A program's output could close a fence, but not an indented block."""
    lines = shorten(text, _MAX_BLOCK).removesuffix("\n").split("\n")
    yield from (f"    {_printable(line)}" for line in lines)


def _one_line(text: str, limit: int) -> str:
    return _printable(shorten(" ".join(text.split()), limit))


def _printable(text: str) -> str:
    """The text with control characters and lone surrogates escaped: candidates choose their output and exceptions."""
    return text if text.isprintable() else "".join(_escaped(text))


def _escaped(text: Iterable[str]) -> Iterator[str]:
    return (char if char.isprintable() or char == "\t" else ascii(char)[1:-1] for char in text)
