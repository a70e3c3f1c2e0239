"""Cutting a fault out repairs nothing: answers that delete the faulty place, or raise there, earn 0."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ocaml_env import Problem, RewardSpec, Verifier, load_problems
from ocaml_env.episode import evaluate
from ocaml_env.errors import ProblemError
from ocaml_env.problem.record import problem_from_record, problem_to_record
from ocaml_env.problems.repair.cuts import cuts, kept_tests
from ocaml_env.problems.sources import problem_of_id

STAGED = RewardSpec.preset("staged")

LINES = """\
let sign n =
  if n > 0 then "plus"
  else if n < 0 then "minus"
  else "zero"

let double n = 2 * n"""
SIGN = Problem(
    id="sign",
    statement="`sign` names the sign of a number, `double` doubles it.",
    signature="val sign : int -> string\nval double : int -> int",
    tests=[
        *('sign 1 = "plus"', 'sign 7 = "plus"', 'sign (-1) = "minus"', 'sign (-7) = "minus"', 'sign 0 = "zero"'),
        *("double 1 = 2", "double 4 = 8", "double (-3) = -6"),
    ],
    baseline=[3],
    reference=LINES,
)
# Each attempt has one fault; the answers cut it out in their own ways.
CUTS = {
    "a branch that does not parse": (
        LINES.replace("else if n < 0 then", "elif n < 0 then"),
        [
            LINES.replace('  else if n < 0 then "minus"\n', ""),
            LINES.replace('else if n < 0 then "minus"', "else if n < 0 then raise Exit"),
            LINES.replace('  if n > 0 then "plus"\n  else if n < 0 then "minus"\n  else "zero"', "  raise Exit"),
        ],
    ),
    "a branch that does not typecheck": (
        LINES.replace('"minus"', "'-'"),
        [LINES.replace('"minus"', "raise Exit"), LINES.replace('  else if n < 0 then "minus"\n', "")],
    ),
    "a function that does not typecheck": (
        LINES.replace("2 * n", "2 *. n"),
        [LINES.replace("2 * n", "raise Exit"), LINES.replace("2 * n", "n"), LINES.replace("let double n = 2 * n", "")],
    ),
    "a branch that loops": (
        LINES.replace('"minus"', "(while true do () done; assert false)"),
        [LINES.replace('"minus"', "raise Exit")],
    ),
}


def repair(problem: Problem, attempt: str, verifier: Verifier) -> Problem:
    kept = kept_tests(problem, attempt, verifier)
    verdict = verifier.verify(problem, attempt)
    return replace(problem, id=f"{problem.id}/broken", attempt=attempt, attempt_verdict=verdict, attempt_kept=kept)


def paid(problem: Problem, code: str, verifier: Verifier) -> float:
    return evaluate(problem, f"```ocaml\n{code}\n```", verifier=verifier, reward=STAGED).reward.total


@pytest.mark.parametrize("fault", CUTS)
def test_a_fault_that_is_cut_out_is_not_repaired(fault: str, verifier: Verifier) -> None:
    attempt, answers = CUTS[fault]
    broken = repair(SIGN, attempt, verifier)
    assert {code: paid(broken, code, verifier) for code in answers} == dict.fromkeys(answers, 0)
    assert paid(broken, attempt, verifier) == 0
    assert paid(broken, LINES, verifier) == 1


def test_more_than_the_cut_is_paid(verifier: Verifier) -> None:
    broken = repair(SIGN, LINES.replace("2 * n", "2 * * n"), verifier)
    better = LINES.replace("2 * n", "if n > 0 then 2 * n else n")
    assert 0 < paid(broken, better, verifier) < paid(broken, LINES, verifier) == 1


def test_a_table_of_the_examples_repairs_nothing(verifier: Verifier) -> None:
    tests = tuple(replace(test, public=place == 2) for place, test in enumerate(SIGN.tests))
    problem = replace(SIGN, tests=tests)
    wrong = LINES.replace('"minus"', '"zero"')
    broken = replace(problem, id="table", attempt=wrong, attempt_verdict=verifier.verify(problem, wrong))
    table = f'{wrong}\n\nlet sign n = if n = -1 then "minus" else sign n'
    assert paid(problem, table, verifier) > paid(problem, wrong, verifier)
    assert paid(broken, table, verifier) == 0


def test_without_hidden_tests_a_partial_repair_is_paid(verifier: Verifier) -> None:
    problem = replace(SIGN, tests=tuple(replace(test, public=True) for test in SIGN.tests), baseline=())
    broken = repair(problem, LINES.replace("2 * n", "2 + n").replace('"plus"', '"p"'), verifier)
    broken = replace(broken, attempt_kept=())
    assert 0 < paid(broken, LINES.replace("2 * n", "2 + n"), verifier) < 1


def test_planted_faults_know_what_a_cut_keeps(verifier: Verifier) -> None:
    problems = load_problems("repair:bundled:train?level=2-4&fault=type,syntax&seed=3&n=12", verifier=verifier)
    known = [problem for problem in problems if problem.attempt_kept]
    assert len(known) >= len(problems) / 2
    for problem in known:
        assert 0.25 <= STAGED.attempt_total(replace(problem, attempt_kept=())) <= STAGED.attempt_total(problem) < 1
        assert problem_from_record(problem_to_record(problem), where="here") == problem
        assert problem_of_id(problem.id) == problem


def test_each_cut_leaves_the_rest_of_the_code() -> None:
    attempt = LINES.replace('"minus"', "'-'")
    found = cuts(LINES, attempt)
    assert LINES.replace('"minus"', "(raise Exit)") in found
    assert {LINES, attempt}.isdisjoint(found)
    assert sum(text.endswith("let double n = 2 * n") for text in found) >= len(found) / 2


def test_blanks_around_the_code_do_not_matter() -> None:
    attempt = LINES.replace('"minus"', "'-'")
    assert cuts(f"\n{LINES}\n\n", attempt) == cuts(LINES, f" {attempt}\n") == cuts(LINES, attempt)


def test_code_that_cannot_be_parsed_has_no_cuts() -> None:
    assert cuts("let f = (", "let f = )") == ()
    assert cuts("", "let f = 1") == ()


def test_kept_tests_are_tests_of_the_problem(verifier: Verifier) -> None:
    with pytest.raises(ProblemError, match="attempt_kept must name tests: there is none named 'test 99'"):
        replace(repair(SIGN, CUTS["a branch that loops"][0], verifier), attempt_kept=("test 99",))
    with pytest.raises(ProblemError, match="attempt_kept is of an attempt"):
        replace(SIGN, attempt_kept=("test 1",))
    for wrong in (None, 5, "test 1", [["test 1"]]):
        with pytest.raises(ProblemError, match="here: attempt_kept must be a list of names of tests"):
            problem_from_record(problem_to_record(SIGN) | {"attempt_kept": wrong}, where="here")
