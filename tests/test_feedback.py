"""Feedback on a verdict: helpful, bounded, and without hidden tests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.feedback import MAX_LENGTH, feedback
from ocaml_env.problem import Problem, Test
from ocaml_env.verdict import Diagnostic, Outcome, Stage, TestOutcome, Verdict
from ocaml_env.verifiers.local import Verifier

PROBLEM = Problem(
    id="f",
    statement="Write f.",
    signature="val f : int -> int",
    tests=[
        Test("f 1 = 1", name="one", public=True),
        Test("f 2 = 2", name="two", public=True),
        Test("SECRET 3", name="SECRET a"),
        Test("SECRET 4", name="SECRET b"),
    ],
)
PROGRAM = Problem(
    id="p",
    kind="program",
    statement="Echo.",
    tests=[Test(stdin="in\n", stdout="out\n", name="one", public=True), Test(stdin="SECRET", stdout="SECRET")],
)
ENDINGS = [
    Outcome.PASSED,
    Outcome.TEST_FAILURE,
    Outcome.RUNTIME_ERROR,
    Outcome.TIMEOUT,
    Outcome.MEMORY_LIMIT,
    Outcome.OUTPUT_LIMIT,
]


def ran(problem: Problem, *outcomes: Outcome, detail: str = "") -> Verdict:
    tests = tuple(
        TestOutcome(
            name=test.name,
            public=test.public,
            outcome=outcome,
            returned=outcome in (Outcome.PASSED, Outcome.TEST_FAILURE),
            detail=detail if test.public else "SECRET",
        )
        for test, outcome in zip(problem.tests, outcomes, strict=True)
    )
    failed = [outcome for outcome in outcomes if outcome is not Outcome.PASSED]
    return Verdict(outcome=failed[0] if failed else Outcome.PASSED, stage=Stage.TEST, tests=tests)


def refused(outcome: Outcome, *diagnostics: Diagnostic) -> Verdict:
    return Verdict(outcome=outcome, stage=Stage.TYPECHECK, diagnostics=diagnostics, errors=len(diagnostics))


def test_a_pass_has_one_line() -> None:
    assert feedback(PROBLEM, ran(PROBLEM, *[Outcome.PASSED] * 4)) == "All 4 tests pass."


def test_a_diagnostic_is_shown_with_its_place_and_its_line() -> None:
    verdict = refused(Outcome.TYPE_ERROR, Diagnostic(kind="type-clash", message="not an int", line=2, column=10))
    text = feedback(PROBLEM, verdict, code="let a = 1\n  let f x = true\n")
    assert text.splitlines() == [
        "The code does not typecheck against the interface.",
        "- line 2, column 10: not an int",
        "    let f x = true",
    ]


def test_lines_are_counted_as_ocaml_counts_them() -> None:
    verdict = refused(Outcome.TYPE_ERROR, Diagnostic(kind="type-clash", message="not an int", line=3, column=12))
    text = feedback(PROBLEM, verdict, code='(* a\x0cb\u2028c *)\nlet g = 1\nlet f = 1 + "x"\n')
    assert text.splitlines()[-1] == '    let f = 1 + "x"'


def test_the_kinds_of_hidden_failures_are_named_but_not_counted() -> None:
    few = ran(PROBLEM, *[Outcome.PASSED] * 2, Outcome.RUNTIME_ERROR, Outcome.TEST_FAILURE)
    assert feedback(PROBLEM, few).endswith("0 of 2 pass; others gave a wrong answer, or ended with an error.")


def test_cascading_errors_are_left_out() -> None:
    cause = Diagnostic(kind="unbound-value", message="Unbound value g", line=1, name="g")
    cascade = Diagnostic(kind="type-clash", message="follows", line=2, cascade=True)
    text = feedback(PROBLEM, refused(Outcome.TYPE_ERROR, cause, cascade))
    assert "Unbound value g" in text
    assert "follows" not in text


def test_many_diagnostics_are_cut_and_counted() -> None:
    errors = [Diagnostic(kind="unbound-value", message=f"error {n}", line=n) for n in range(1, 31)]
    text = feedback(PROBLEM, refused(Outcome.TYPE_ERROR, *errors))
    assert "error 8" in text
    assert "error 9" not in text
    assert text.endswith("- and 22 more")


@pytest.mark.parametrize("outcome", Outcome)
@pytest.mark.parametrize("problem", [PROBLEM, PROGRAM], ids=["function", "program"])
def test_every_outcome_has_feedback_even_if_no_test_was_reached(outcome: Outcome, problem: Problem) -> None:
    assert feedback(problem, Verdict(outcome=outcome, stage=Stage.TYPECHECK))


def test_a_program_has_no_interface_to_fit() -> None:
    assert "interface" not in feedback(PROGRAM, refused(Outcome.TYPE_ERROR))


def test_why_there_was_no_code_is_told() -> None:
    verdict = Verdict(outcome=Outcome.NO_CODE, stage=Stage.EXTRACT)
    assert "- the fence was empty" in feedback(PROBLEM, verdict, reason="the fence was empty")


def test_an_example_that_failed_is_shown_with_what_happened() -> None:
    verdict = ran(PROBLEM, Outcome.PASSED, Outcome.RUNTIME_ERROR, Outcome.PASSED, Outcome.TIMEOUT, detail="Not_found")
    assert feedback(PROBLEM, verdict).splitlines() == [
        "2 of 4 tests pass.",
        "Examples: 1 of 2 pass.",
        "- this should be true, and ended with an error:",
        "    f 2 = 2",
        "  Not_found",
        "Hidden tests: 1 of 2 pass; others ran out of time.",
    ]


def test_feedback_on_a_program_shows_input_expected_output_and_detail() -> None:
    text = feedback(PROGRAM, ran(PROGRAM, Outcome.TEST_FAILURE, Outcome.PASSED, detail="it printed 'oops\\n'"))
    assert "    in\n" in text
    assert "    out\n" in text
    assert "  it printed 'oops\\n'\n" in text


def test_control_characters_of_a_candidate_are_spelled_out() -> None:
    verdict = ran(PROGRAM, Outcome.RUNTIME_ERROR, Outcome.PASSED, detail="\x1b[2J\x00\ud800")
    assert "  \\x1b[2J\\x00\\ud800\n" in feedback(PROGRAM, verdict)


def test_code_without_definitions_is_named() -> None:
    assert "- it defines nothing" in feedback(
        PROBLEM, Verdict(outcome=Outcome.NO_CODE, stage=Stage.PARSE), code="hello"
    )


def test_an_unknown_test_is_mentioned_without_its_name() -> None:
    stray = TestOutcome(name="stray", public=True, outcome=Outcome.TEST_FAILURE, returned=True)
    text = feedback(PROBLEM, Verdict(outcome=Outcome.TEST_FAILURE, stage=Stage.TEST, tests=(stray,)))
    assert "- an example gave a wrong answer" in text


verdicts = st.one_of(
    st.builds(
        lambda outcomes, detail: ran(PROBLEM, *outcomes, detail=detail),
        st.lists(st.sampled_from(ENDINGS), min_size=4, max_size=4),
        st.text(max_size=3_000),
    ),
    st.builds(
        lambda outcomes, detail: ran(PROGRAM, *outcomes, detail=detail),
        st.lists(st.sampled_from(ENDINGS), min_size=2, max_size=2),
        st.text(max_size=3_000),
    ),
    st.builds(
        lambda outcome, diagnostics: refused(outcome, *diagnostics),
        st.sampled_from([Outcome.SYNTAX_ERROR, Outcome.TYPE_ERROR, Outcome.FORBIDDEN, Outcome.COMPILE_ERROR]),
        st.lists(
            st.builds(
                Diagnostic,
                kind=st.just("k"),
                message=st.text(max_size=2_000),
                line=st.integers(0, 5),
                column=st.integers(0, 500),
                cascade=st.booleans(),
            ),
            max_size=30,
        ),
    ),
)


@given(verdict=verdicts, code=st.none() | st.text(max_size=500))
def test_feedback_is_bounded_and_deterministic_and_keeps_hidden_tests_hidden(
    verdict: Verdict, code: str | None
) -> None:
    problem = PROGRAM if len(verdict.tests) == 2 else PROBLEM
    text = feedback(problem, verdict, code=code)
    assert 0 < len(text) <= MAX_LENGTH
    assert text == feedback(problem, verdict, code=code)
    assert "SECRET" not in text or "SECRET" in (code or "")
    assert not text.endswith("\n")


@pytest.mark.parametrize("code", ["open Core\nlet add a b = a + b", '#require "core";;\nlet add a b = a + b'])
def test_a_missing_library_is_answered_with_the_available_ones(verifier: Verifier, add: Problem, code: str) -> None:
    assert "OCaml's standard library and Str are there" in feedback(add, verifier.verify(add, code), code=code)
    assert "standard library" not in feedback(add, verifier.verify(add, "let add = x"), code="let add = x")


def test_a_failed_example_shows_its_value(verifier: Verifier, last: Problem) -> None:
    verdict = verifier.verify(last, "let last = function [] -> None | x :: _ -> Some x")
    assert feedback(last, verdict).splitlines()[:5] == [
        f"{verdict.tests_passed} of {verdict.tests_total} tests pass.",
        "Examples: 0 of 1 pass.",
        "- this should be true, and is not:",
        "    last [1; 2; 3] = Some 3",
        "  `last [1; 2; 3]` gave `Some 1`, expected `Some 3`",
    ]
    raised = verifier.verify(last, "let last _ = raise Not_found")
    assert "\n  `last [1; 2; 3]` raised `Not_found`\n" in feedback(last, raised)


def test_blanks_in_a_value_are_kept(verifier: Verifier) -> None:
    tests = [Test('f "a" = "a"', public=True)]
    problem = Problem(id="f", statement="Write f.", signature="val f : string -> string", tests=tests)
    text = feedback(problem, verifier.verify(problem, 'let f s = s ^ "  b\\n" ^ s'))
    assert text.endswith('`f "a"` gave `"a  b\\na"`, expected `"a"`')


@pytest.mark.parametrize(
    ("test", "code", "detail"),
    [
        ("f 1 = 1 && f 2 = 2", "let f _ = 1", "`f 2` gave `1`, expected `2`"),
        ("1 = f 2", "let f n = n", "`f 2` gave `2`, expected `1`"),
        ("(let n = f 2 in 1 = n)", "let f n = n", "`n` gave `2`, expected `1`"),
        ("f 1 = f 2", "let f n = n", "`f 1` gave `1`, `f 2` gave `2`"),
        ("abs (f 10 - 5) < 2", "let f n = n", "`f 10` gave `10`"),
        ("f 3 <> 3", "let f n = n", "`f 3` gave `3`"),
        ("(let n = 3 in f n = 4)", "let f n = n", "`f n` gave `3`, expected `4`"),
        ("try ignore (f 1); false with Not_found -> true", "let f n = n", "`(f 1)` gave `1`"),
        (
            "match f 1 with exception Not_found -> true | _ -> false",
            "let f n = n / 0",
            "`f 1` raised `Division_by_zero`",
        ),
        ("f 1 = List.length [1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12; 13; 14; 15; 16]", "let f n = n", "expected `16`"),
        ("(let n = f 1 in n = 2)", "let f _ = assert false", "it raised `Assert_failure"),
        ("f 1 = 2 || f 2 = 3", "let f n = n", ""),
    ],
)
def test_each_form_of_a_test_has_its_detail(verifier: Verifier, test: str, code: str, detail: str) -> None:
    tests = [Test(test, public=True)]
    problem = Problem(id="f", statement="Write f.", signature="val f : int -> int", tests=tests)
    verdict = verifier.verify(problem, code)
    assert not verdict.passed
    assert detail in verdict.tests[0].detail
    assert bool(detail) == bool(verdict.tests[0].detail)
