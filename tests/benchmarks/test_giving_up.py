"""The reward of giving up compared with that of partly right honest answers, all of them really evaluated."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from benchmarks.reward_quality.__main__ import choose
from benchmarks.reward_quality.effort import measures, sentence
from benchmarks.reward_quality.evidence import SHARES, weigh
from benchmarks.reward_quality.faults import Faulty, faulty
from benchmarks.reward_quality.gather import Gathered, gather
from benchmarks.reward_quality.ladder import Answer
from benchmarks.reward_quality.partial import WAYS, Partial, partials
from benchmarks.reward_quality.strategies import STRATEGIES, play
from benchmarks.reward_quality.study import assess
from ocaml_env import Outcome, Problem, RewardSpec, Test, Verifier, load_problems

STAGED, FIRST = (RewardSpec.preset(name) for name in ("staged", "staged-1"))

EVEN = Problem(
    id="even",
    statement="Is a number even?",
    signature="val even : int -> bool",
    reference="let even n = n mod 2 = 0",
    tests=(
        Test("even 1 = false", public=True),
        Test("even 2 = true", public=True),
        *(f"even {n} = {str(n % 2 == 0).lower()}" for n in (4, 6, 8, 9)),
    ),
)
ECHO = Problem(
    id="twice",
    kind="program",
    statement="Print a line if it is a, otherwise b.",
    reference='let () = print_string (if read_line () = "a" then "a" else "b")',
    tests=(Test(stdin="a", stdout="a", public=True), Test(stdin="c", stdout="b"), Test(stdin="d", stdout="b")),
)
LAST = Problem(
    id="last",
    statement="The last one, and all but the first.",
    signature="val last : 'a list -> 'a option\nval rest : 'a list -> 'a list",
    reference=(
        "let rec last l = match l with [] -> None | [ x ] -> Some x | _ :: l -> last l\n"
        "let rest l = match l with [] -> [] | _ :: l -> l"
    ),
    tests=(
        Test("last [1; 2] = Some 2", public=True),
        Test("rest [1; 2] = [2]", public=True),
        *(f"last [7; {n}] = Some {n}" for n in range(4)),
        *(f"rest [7; {n}] = [{n}]" for n in range(4)),
    ),
)


def passed(played: Mapping[str, Answer]) -> dict[str, int]:
    return {name: answer.verdict.tests_passed for name, answer in played.items()}


# --- strategies -------------------------------------------------------------------------------------------------------


def test_strategies_pass_the_expected_number_of_tests(verifier: Verifier) -> None:
    played = passed(play(EVEN, verifier))
    assert tuple(played) == STRATEGIES
    assert played == {
        "raises": 0,
        "constant 1": 4,
        "constant 2": 2,
        "constant 3": 4,
        "constant 4": 2,
        "constant 5": 4,
        "commonest answer": 4,
        "second commonest answer": 2,
        "first argument": 0,
        "last argument": 0,
        "examples, else raises": 2,
        "examples, else constant 1": 5,
        "examples, else commonest answer": 5,
        "examples, else first argument": 2,
    }


def test_strategies_of_a_program_print_read_nothing_or_echo(verifier: Verifier) -> None:
    played = passed(play(ECHO, verifier))
    assert played["raises"] == played["constant 1"] == 0
    assert played["commonest answer"] == 2
    assert played["first argument"] == played["second commonest answer"] == played["examples, else raises"] == 1
    assert played["examples, else commonest answer"] == 3


def test_a_strategy_that_does_not_typecheck_raises_instead(verifier: Verifier) -> None:
    played = play(LAST, verifier)
    assert all(answer.verdict.tests for answer in played.values())
    # The answer `Some 2` does not fit lists of every type.
    assert passed(played)["commonest answer"] == passed(played)["examples, else raises"] == 0
    assert passed(played)["first argument"] == passed(played)["examples, else first argument"]


# --- honest answers ---------------------------------------------------------------------------------------------------


def test_some_functions_are_right_and_the_others_raise_are_missing_or_ill_typed(verifier: Verifier) -> None:
    found = partials(LAST, verifier, random.Random(0))
    assert [(partial.right, partial.of, partial.way) for partial in found] == [
        (right, 2, way) for right in (0, 1) for way in WAYS
    ]
    for partial in found:
        verdict = partial.answer.verdict
        # Code without any item of the signature has five errors.
        errors = {"raise": (0, 0), "are missing": (5, 1), "are ill typed": (2, 1)}
        assert verdict.errors == errors[partial.way][partial.right]
        assert verdict.tests_passed == 5 * partial.right
        assert partial.apart


def test_a_problem_of_one_function_has_no_partly_right_answer(verifier: Verifier) -> None:
    assert partials(EVEN, verifier, random.Random(0)) == partials(ECHO, verifier, random.Random(0)) == []


def test_functions_that_one_test_needs_together_are_not_apart(verifier: Verifier) -> None:
    together = replace(LAST, tests=(*LAST.tests, Test("last (rest [1; 2]) = Some 2", name="both")))
    assert [partial.apart for partial in partials(together, verifier, random.Random(0))] == [False] * 6


def test_a_fault_is_a_type_error_and_each_is_counted(verifier: Verifier) -> None:
    problem = next(problem for problem in load_problems("bundled:train") if problem.id == "two_stamps")
    found = faulty(problem, verifier, random.Random(0))
    assert {(fault.errors, fault.inside) for fault in found} == {
        (n, inside) for n in (1, 2, 3) for inside in (True, False)
    }
    for fault in found:
        assert fault.functions == 2
        assert fault.answer.verdict.outcome is Outcome.TYPE_ERROR
        assert fault.answer.verdict.errors == fault.errors
        assert (problem.reference in str(fault.answer.extraction.code)) is not fault.inside
    assert found == faulty(problem, verifier, random.Random(0))


# --- rewards of a preset ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gathered(verifier: Verifier) -> Gathered:
    del verifier  # only skips without OCaml
    return gather(choose("bundled:train?level=4-5", 3), family="shadowing", workers=1)


def test_giving_up_is_a_mean_over_the_set_by_strategy(gathered: Gathered) -> None:
    found = weigh(gathered, FIRST).giving_up
    by_problem = [[answer.total(FIRST) for answer in played.values()] for played in gathered.strategies.values()]
    assert len(by_problem) == 3
    assert list(found.means.values()) == pytest.approx([sum(paid) / 3 for paid in zip(*by_problem, strict=True)])
    assert found.mean == max(found.means.values())
    assert found.chosen == pytest.approx(sum(map(max, by_problem)) / 3)
    assert found.most == max(map(max, by_problem))
    assert found.above_quarter == pytest.approx(sum(reward > 0.2500001 for paid in by_problem for reward in paid) / 42)


def test_honest_answers_are_compared_with_giving_up_on_the_same_problem(verifier: Verifier, gathered: Gathered) -> None:
    played = play(LAST, verifier)
    half = partials(LAST, verifier, random.Random(0))
    few = replace(gathered, strategies={LAST.id: played}, partial=half, faulty=faulty(LAST, verifier, random.Random(0)))
    found = weigh(few, STAGED)
    best = max(answer.total(STAGED) for answer in played.values())
    assert list(found.partial) == ["none", "up to two thirds"]
    raising, missing, _ = (partial.answer.total(STAGED) for partial in half if partial.right)
    assert found.ways["raise"].mean == raising
    assert found.ways["raise"].gain == pytest.approx(raising - best)
    assert found.ways["are missing"].gain == pytest.approx(missing - best)
    assert found.partial["up to two thirds"].above == found.apart["any"].above == 1.0
    assert found.partial["none"].above == 0.0


@pytest.mark.parametrize(("right", "of", "share"), [(0, 4, 0), (1, 3, 1), (1, 2, 2), (2, 3, 2), (3, 4, 3)])
def test_shares_are_those_of_whole_functions(
    verifier: Verifier, gathered: Gathered, right: int, of: int, share: int
) -> None:
    first = partials(LAST, verifier, random.Random(0))[0]
    partial = Partial(answer=first.answer, way="raise", right=right, of=of, apart=True)
    few = replace(gathered, strategies={LAST.id: play(LAST, verifier)}, partial=[partial], faulty=list[Faulty]())
    assert list(weigh(few, STAGED).partial) == [SHARES[share]]


def test_staged_pays_a_quarter_for_giving_up_and_its_first_edition_pays_more(gathered: Gathered) -> None:
    now, before = (weigh(gathered, spec) for spec in (STAGED, FIRST))
    assert now.giving_up.most <= 0.25 + 1e-9 < before.giving_up.mean
    assert now.giving_up.above_quarter == 0.0 < before.giving_up.above_quarter
    assert now.ways["any"].above > before.ways["any"].above
    assert now.inside[1].gain > before.inside[1].gain


def test_rows_and_sentence_follow_the_figures(gathered: Gathered) -> None:
    qualities = [assess(gathered, preset) for preset in ("staged", "staged-1")]
    titles = [measure.title for measure in measures(qualities[0])]
    assert {"the best strategy of giving up earns", "right but for 1 type error"} <= set(titles)
    text = sentence(qualities)
    assert text.startswith("The best strategy of giving up earns 0.25 under staged (0.")
    assert f"{qualities[1].evidence.inside[1].above:.0%} under staged-1) are paid more" in text
    none = [assess(replace(gathered, partial=[], faulty=[]), "staged")]
    assert sentence(none) == "The best strategy of giving up earns 0.25 under staged."
    assert [measure.title for measure in measures(none[0])] == titles[:4]
