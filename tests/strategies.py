"""Hypothesis strategies for verdicts, extractions and OCaml text, shared by the tests of laws."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from ocaml_env.extract import Extraction
from ocaml_env.problem import Problem, Test
from ocaml_env.verdict import Outcome, Stage, TestOutcome, Verdict

__all__ = [
    "UNTYPED",
    "codes",
    "extractions",
    "problem_of",
    "suites",
    "texts",
    "untyped",
    "verdict_of",
    "verdicts",
]

UNTYPED = {
    Outcome.NO_CODE: Stage.PARSE,
    Outcome.SYNTAX_ERROR: Stage.PARSE,
    Outcome.TYPE_ERROR: Stage.TYPECHECK,
    Outcome.FORBIDDEN: Stage.TYPECHECK,
    Outcome.COMPILE_ERROR: Stage.COMPILE,
}
"""The outcomes of code that is never tested, with the stage at which each ends."""

_FAILED = (
    Outcome.TEST_FAILURE,
    Outcome.RUNTIME_ERROR,
    Outcome.TIMEOUT,
    Outcome.MEMORY_LIMIT,
    Outcome.OUTPUT_LIMIT,
)


@st.composite
def _test_outcomes(draw: st.DrawFn, name: str) -> TestOutcome:
    outcome = draw(st.sampled_from((Outcome.PASSED, *_FAILED)))
    # After a limit an answer may or may not have come: it may have come too late.
    returned = outcome in (Outcome.PASSED, Outcome.TEST_FAILURE)
    return TestOutcome(name=name, public=draw(st.booleans()), outcome=outcome, returned=returned)


@st.composite
def suites(draw: st.DrawFn, *, min_size: int = 1) -> tuple[TestOutcome, ...]:
    """Draws the outcomes of a problem's tests, in order."""
    size = draw(st.integers(min_size, 12))
    return tuple(draw(_test_outcomes(f"test {number}")) for number in range(1, size + 1))


def verdict_of(tests: tuple[TestOutcome, ...]) -> Verdict:
    """Makes the verdict of code from the outcomes of its tests: the first failure is the verdict's outcome."""
    failures = [test.outcome for test in tests if not test.passed]
    return Verdict(outcome=failures[0] if failures else Outcome.PASSED, stage=Stage.TEST, tests=tests)


def problem_of(verdict: Verdict, seed: int = 0) -> Problem:
    """Makes a problem with the tests of a verdict.

    The seed chooses which of three functions each test calls, and the baselines. Seed 0 makes a problem whose
    baselines were never measured.
    """
    tests = [
        Test(f"{'fgh'[(seed >> 2 * place) % 3]} {place} = 0", name=test.name, public=test.public)
        for place, test in enumerate(verdict.tests)
    ]
    signature = "val f : int -> int\nval g : int -> int\nval h : int -> int"
    problem = Problem(id="made", statement="It asks.", signature=signature, tests=tests or ["f 0 = 0"])
    if not seed:
        return problem
    return replace(
        problem, baseline=tuple((seed >> 3 * n) % (len(group.tests) + 1) for n, group in enumerate(problem.groups))
    )


def untyped(outcome: Outcome, errors: int = 0) -> Verdict:
    """Makes the verdict of code that was never tested."""
    return Verdict(outcome=outcome, stage=UNTYPED[outcome], errors=errors)


@st.composite
def _untested(draw: st.DrawFn) -> Verdict:
    outcome = draw(st.sampled_from(sorted(UNTYPED)))
    return untyped(outcome, draw(st.integers(1, 12)) if outcome is Outcome.TYPE_ERROR else 0)


def verdicts() -> st.SearchStrategy[Verdict]:
    """Draws verdicts of every outcome."""
    return st.one_of(_untested(), suites().map(verdict_of))


@st.composite
def extractions(draw: st.DrawFn, *, truncated: bool | None = None) -> Extraction:
    """Draws extractions with code, of one to thirteen lines."""
    lines = draw(st.lists(st.sampled_from(["let f x = x", "", "(* a comment *)", "   and more of it"]), max_size=12))
    return Extraction(
        code="\n".join(["let a = 1", *lines]),
        truncated=draw(st.booleans()) if truncated is None else truncated,
        marker=draw(st.booleans()),
    )


_ITEMS = (
    "let add a b = a + b",
    "let rec length = function [] -> 0 | _ :: rest -> 1 + length rest",
    "type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree",
    "exception Empty of string",
    "module M = struct\n  let x' = 'x'\nend",
    "let quote = '\"'\nlet back = '\\''",
    "(* it's a comment (* nested *) with \"*)\" in it *)\nlet x = ()",
    "(** Example:\n    ```ocaml\n    add 1 2\n    ```\n*)\nlet documented = 1",
    'let markdown = "\n```\nlet no = 1\n```\n"',
    "let raw = {|\n```ocaml\nlet no = 2\n```\nThe end of it.\n|}",
    "let tagged = {md|\n~~~\n{|\n~~~\n|md}",
    'let tag = "</think>" and other = "<think>"',
    "let poly = `A\nlet f ?(x = 1) ~y () = x + y",
    "let g ~(y : int) = !(ref y)",
    "let some =\n\n  Some 3",
    "let () = print_string \"Here is the code\"",
    "open Printf\nlet () = printf \"%d\\n\" 3;;",
)  # fmt: skip


def codes() -> st.SearchStrategy[str]:
    """Draws valid OCaml with much text that resembles Markdown, prose or thinking."""
    return st.lists(st.sampled_from(_ITEMS), min_size=1, max_size=6).map("\n\n".join)


_PIECES = (
    "```", "````", "~~~", "```ocaml", "``` ml", "```python", "`", "\n", "\r\n", "\r", " ", "    ", "(*", "*)", '"', "'",
    "{|", "|}", "{a|", "|a}", "let f x = x", "let () = ()", "(* END *)", "<think>", "</think>", "<|im_end|>", "</s>",
    "Here is the code:", "The end.", "\0", "\ud800", "\ufeff", "\\", "=", ";;",
)  # fmt: skip


def texts() -> st.SearchStrategy[str]:
    """Draws any text; many texts are made of the pieces that extraction looks for."""
    return st.one_of(st.text(), st.lists(st.sampled_from(_PIECES), max_size=40).map("".join))
