"""The laws of ``staged`` that follow from verdicts alone, each beside a case in which the seed's reward breaks it.

Laws that need OCaml, such as "renaming changes nothing", are in ``test_reward_engine_laws``.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ocaml_env.curriculum import EPOCHS, Curriculum
from ocaml_env.extract import Completion, Extraction, extract
from ocaml_env.reward import Reward, RewardSpec
from ocaml_env.verdict import Outcome, Stage, TestOutcome, Verdict
from tests.strategies import UNTYPED, extractions, problem_of, suites, untyped, verdict_of, verdicts

STAGED = RewardSpec.preset("staged")
SEED = RewardSpec.preset("seed-2025-12-10")
SHIPPED = [
    *(RewardSpec.preset(name) for name in RewardSpec.presets()),
    *(Curriculum(spec=spec).at(phase.begins) for spec in (STAGED, SEED) for phase in EPOCHS),
]

EIGHT_LINES = "\n".join(f"let x{n} = {n}" for n in range(8))
FAILED = untyped(Outcome.SYNTAX_ERROR)
PASSED = verdict_of((TestOutcome(name="test 1", public=False, outcome=Outcome.PASSED, returned=True),))


SEEDS = st.one_of(st.just(0), st.integers(1, 2**48))
"""Seeds of problems: they choose the function of each test and the baselines; 0 means no measured baselines."""


def reward(spec: RewardSpec, extraction: Extraction, verdict: Verdict, seed: int = 0) -> Reward:
    return spec(problem_of(verdict, seed), extraction, verdict)


def paid(spec: RewardSpec, text: str, verdict: Verdict) -> float:
    return reward(spec, extract(text), verdict).total


# --- every spec -------------------------------------------------------------------------------------------------------


@given(st.sampled_from(SHIPPED), extractions(), verdicts(), SEEDS)
def test_the_total_lies_between_nothing_and_one(
    spec: RewardSpec, extraction: Extraction, verdict: Verdict, seed: int
) -> None:
    assert 0.0 <= reward(spec, extraction, verdict, seed).total <= 1.0


@given(st.sampled_from(SHIPPED), extractions(), verdicts(), SEEDS)
def test_the_total_is_the_sum_of_the_parts(
    spec: RewardSpec, extraction: Extraction, verdict: Verdict, seed: int
) -> None:
    earned = reward(spec, extraction, verdict, seed)
    added = 0.0
    for part in earned.parts.values():
        added += part
    assert earned.total == added
    assert math.isclose(earned.total, math.fsum(earned.parts.values()), abs_tol=1e-15)


@given(st.sampled_from(SHIPPED), extractions(), verdicts(), SEEDS)
def test_parts_pay_and_the_penalty_takes(spec: RewardSpec, extraction: Extraction, verdict: Verdict, seed: int) -> None:
    *earned, penalty = reward(spec, extraction, verdict, seed).parts.values()
    assert all(part >= 0 for part in earned)
    assert penalty <= 0
    assert penalty == 0 or spec.preset_name is SEED.preset_name


@given(st.sampled_from(SHIPPED), extractions(), verdicts(), SEEDS)
def test_equal_inputs_are_paid_equally(spec: RewardSpec, extraction: Extraction, verdict: Verdict, seed: int) -> None:
    again = replace(verdict, cpu_seconds=9.0, ocaml_version="5.3.0", sandbox=("seccomp",))
    problem = problem_of(verdict, seed)
    assert RewardSpec.from_dict(spec.to_dict())(problem, replace(extraction), again) == spec(
        problem, extraction, verdict
    )


@given(st.sampled_from(SHIPPED), extractions(truncated=False), verdicts(), SEEDS)
def test_only_a_pass_is_worth_one(spec: RewardSpec, extraction: Extraction, verdict: Verdict, seed: int) -> None:
    assert (reward(spec, extraction, verdict, seed).total == 1.0) <= verdict.passed


# --- text without an answer -------------------------------------------------------------------------------------------


@given(extractions(), st.sampled_from([Outcome.NO_CODE, Outcome.SYNTAX_ERROR]), st.integers(0, 9))
def test_code_that_does_not_parse_or_define_anything_earns_nothing(
    extraction: Extraction, outcome: Outcome, errors: int
) -> None:
    assert reward(STAGED, extraction, untyped(outcome, errors)).total == 0.0


@given(st.sampled_from(["", "<think>\n", "```python\n", "```text\nlet x = 1\n"]), st.text(st.characters(codec="ascii")))
def test_text_without_extracted_code_earns_nothing(opening: str, text: str) -> None:
    extraction = extract(opening + text.translate(dict.fromkeys(map(ord, "<`"))) if opening else "")
    assert extraction.code is None
    assert reward(STAGED, extraction, Verdict(outcome=Outcome.NO_CODE, stage=Stage.EXTRACT)).total == 0.0


@given(extractions(truncated=False), verdicts())
def test_code_that_parses_gets_more_than_nothing(extraction: Extraction, verdict: Verdict) -> None:
    assume(verdict.outcome not in (Outcome.NO_CODE, Outcome.SYNTAX_ERROR))
    assert reward(STAGED, extraction, verdict).total > reward(STAGED, extraction, FAILED).total


def test_the_seed_pays_a_syntax_error_as_one_type_error() -> None:
    one_error = untyped(Outcome.TYPE_ERROR, 1)
    assert paid(SEED, EIGHT_LINES, FAILED) == paid(SEED, EIGHT_LINES, one_error) == pytest.approx(0.16)
    assert paid(STAGED, EIGHT_LINES, FAILED) == 0.0 < paid(STAGED, EIGHT_LINES, one_error)


def test_the_seed_pays_markdown_spam() -> None:
    spam = "# Solution\n" + "- step, and then the next step\n" * 8 + "(* END *)"
    assert paid(SEED, spam, FAILED) == pytest.approx(0.21)
    assert paid(STAGED, spam, FAILED) == 0.0


# --- form does not pay ------------------------------------------------------------------------------------------------


@given(extractions(), verdicts())
def test_the_end_marker_changes_nothing(extraction: Extraction, verdict: Verdict) -> None:
    assert reward(STAGED, replace(extraction, marker=True), verdict) == reward(
        STAGED, replace(extraction, marker=False), verdict
    )


def test_the_seed_pays_for_the_end_marker() -> None:
    spam = f"{EIGHT_LINES}\nlet (" + "\n(* END *)" * 20
    assert paid(SEED, spam, FAILED) == pytest.approx(paid(SEED, f"{EIGHT_LINES}\nlet (", FAILED) + 0.05)
    assert paid(STAGED, spam, FAILED) == 0.0


@given(extractions(), st.text(), verdicts())
def test_the_length_of_the_code_changes_nothing(extraction: Extraction, more: str, verdict: Verdict) -> None:
    longer = replace(extraction, code=f"{extraction.code}\n(*{more}*)\n{extraction.code}")
    assert reward(STAGED, longer, verdict) == reward(STAGED, extraction, verdict)


def test_the_seed_pays_a_right_line_only_below_eight_lines_of_comment() -> None:
    line = "let add a b = a + b"
    stuffed = "(* adding\n" + "needs no words\n" * 7 + "*)\n" + line + "\n(* END *)"
    assert (paid(SEED, line, PASSED), paid(SEED, stuffed, PASSED)) == (0.0, 1.0)
    assert paid(STAGED, line, PASSED) == paid(STAGED, stuffed, PASSED) == 1.0


@given(extractions(), verdicts())
def test_truncation_never_pays(extraction: Extraction, verdict: Verdict) -> None:
    cut, whole = replace(extraction, truncated=True), replace(extraction, truncated=False)
    assert reward(STAGED, cut, verdict).total <= reward(STAGED, whole, verdict).total


def test_the_seed_pays_runaway_spam_more_than_an_honest_short_try() -> None:
    runaway = Completion("let (" + "\nlet (" * 100, truncated=True)
    wrong = "let add a b =\n  a - b"
    tried = verdict_of((TestOutcome(name="test 1", public=False, outcome=Outcome.TEST_FAILURE, returned=True),))
    assert paid(SEED, runaway, FAILED) == pytest.approx(0.048)
    assert paid(SEED, wrong, tried) == 0.0
    assert paid(STAGED, runaway, FAILED) == 0.0 < paid(STAGED, wrong, tried)


# --- better code is never paid less -----------------------------------------------------------------------------------


@given(extractions(), st.integers(1, 12), st.integers(0, 12))
def test_fewer_type_errors_are_never_paid_less(extraction: Extraction, fewer: int, more: int) -> None:
    few, many = untyped(Outcome.TYPE_ERROR, fewer), untyped(Outcome.TYPE_ERROR, fewer + more)
    assert reward(STAGED, extraction, few).total >= reward(STAGED, extraction, many).total


@given(extractions(), suites(), st.data())
def test_one_more_test_passed_is_never_paid_less(
    extraction: Extraction, tests: tuple[TestOutcome, ...], data: st.DataObject
) -> None:
    repaired = data.draw(st.sampled_from(range(len(tests))))
    better = tuple(
        replace(test, outcome=Outcome.PASSED, returned=True) if number == repaired else test
        for number, test in enumerate(tests)
    )
    before, after = (
        reward(STAGED, extraction, verdict_of(tests)).total,
        reward(STAGED, extraction, verdict_of(better)).total,
    )
    assert after >= before
    if not tests[repaired].passed and not tests[repaired].public:
        assert after > before


@given(extractions(), suites(), st.sampled_from([*UNTYPED]))
def test_each_stage_pays_at_least_as_much_as_the_one_before(
    extraction: Extraction, tests: tuple[TestOutcome, ...], outcome: Outcome
) -> None:
    order = [
        untyped(Outcome.SYNTAX_ERROR),
        untyped(Outcome.FORBIDDEN),
        untyped(Outcome.TYPE_ERROR, 5),
        untyped(Outcome.TYPE_ERROR, 1),
        untyped(Outcome.COMPILE_ERROR),
        verdict_of(tests),
    ]
    totals = [reward(STAGED, extraction, verdict).total for verdict in order]
    assert totals == sorted(totals)


def test_the_seed_pays_nothing_more_for_one_more_test() -> None:
    hidden = [
        TestOutcome(name=f"test {n}", public=False, outcome=Outcome.TEST_FAILURE, returned=True) for n in range(10)
    ]
    nine = verdict_of((*(replace(test, outcome=Outcome.PASSED) for test in hidden[:9]), hidden[9]))
    none = verdict_of(tuple(hidden))
    assert paid(SEED, EIGHT_LINES, nine) == paid(SEED, EIGHT_LINES, none)
    assert paid(STAGED, EIGHT_LINES, nine) > paid(STAGED, EIGHT_LINES, none)


# --- little is paid for solving nothing -------------------------------------------------------------------------------


@given(extractions(), suites())
def test_a_stub_that_raises_earns_at_most_a_quarter(extraction: Extraction, tests: tuple[TestOutcome, ...]) -> None:
    raised = tuple(replace(test, outcome=Outcome.RUNTIME_ERROR, returned=False) for test in tests)
    assert reward(STAGED, extraction, verdict_of(raised)).total <= 0.25


def test_the_seed_pays_a_stub_that_raises_more() -> None:
    raised = verdict_of((TestOutcome(name="test 1", public=False, outcome=Outcome.RUNTIME_ERROR, returned=False),))
    assert paid(SEED, f"{EIGHT_LINES}\n(* END *)", raised) == pytest.approx(0.35)


@given(extractions(), suites(), st.data())
def test_code_that_passes_no_hidden_test_earns_at_most_35_hundredths(
    extraction: Extraction, tests: tuple[TestOutcome, ...], data: st.DataObject
) -> None:
    lost = tuple(
        test if test.public else replace(test, outcome=Outcome.TEST_FAILURE, returned=data.draw(st.booleans()))
        for test in tests
    )
    assume(any(not test.public for test in lost))
    assert reward(STAGED, extraction, verdict_of(lost)).total <= 0.35


@given(extractions(), suites())
def test_passing_only_the_examples_is_paid_as_passing_nothing(
    extraction: Extraction, tests: tuple[TestOutcome, ...]
) -> None:
    assume(any(not test.public for test in tests))
    failed = tuple(replace(test, outcome=Outcome.TEST_FAILURE, returned=True) for test in tests)
    hard_coded = tuple(replace(test, outcome=Outcome.PASSED) if test.public else test for test in failed)
    assert reward(STAGED, extraction, verdict_of(hard_coded)) == reward(STAGED, extraction, verdict_of(failed))
