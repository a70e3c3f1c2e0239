"""Observed solve rates: counts in a file, rates of problems, and filters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_env import load_problems
from ocaml_env.commands.cli import main
from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problems import format_problem, parse_problem
from ocaml_env.problems.attempts import Attempts, read_attempts, record_attempts, with_solve_rates

PROBLEMS = load_problems("bundled", level=4)
FIRST, SECOND, THIRD = PROBLEMS[0], PROBLEMS[1], PROBLEMS[2]


def test_attempts_add_up_over_runs(tmp_path: Path) -> None:
    path = tmp_path / "rates.json"
    record_attempts(path, [(FIRST, True), (FIRST, False), (SECOND, False)])
    counts = record_attempts(path, [(FIRST, True), (FIRST, True)])
    assert counts[FIRST.id] == Attempts(digest=FIRST.digest, attempts=4, solved=3)
    assert counts == read_attempts(path)
    assert [entry.rate for entry in counts.values()] == [counts[name].rate for name in counts]


def test_filters_use_the_observed_rate_and_leave_out_untried_problems(tmp_path: Path) -> None:
    tries = [(FIRST, True), (FIRST, False), (SECOND, True), (THIRD, False)]
    known = with_solve_rates(PROBLEMS, record_attempts(tmp_path / "rates.json", tries))
    assert [problem.id for problem in known.filter(solve_rate=(0.1, 0.9))] == [FIRST.id]
    assert {problem.id for problem in known.filter(solve_rate=(0, 1))} == {FIRST.id, SECOND.id, THIRD.id}
    assert len(known) == len(PROBLEMS)


def test_counts_of_a_changed_problem_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / "rates.json"
    counts = record_attempts(path, [(FIRST, True)])
    changed = replace(FIRST, tests=FIRST.tests[:-1])
    assert with_solve_rates(PROBLEMS[:1], {FIRST.id: counts[FIRST.id]})[0].solve_rate == 1.0
    assert record_attempts(path, [(changed, False)])[FIRST.id] == Attempts(digest=changed.digest, attempts=1, solved=0)


def test_problems_can_be_chosen_by_the_length_of_their_solution() -> None:
    short = PROBLEMS.filter(lines=(1, 8))
    assert 0 < len(short) < len(PROBLEMS)
    assert all(problem.reference_lines <= 8 for problem in short)


def test_the_rate_is_kept_in_a_problems_file_and_is_no_part_of_its_digest() -> None:
    known = replace(FIRST, solve_rate=0.25)
    assert parse_problem(format_problem(known)) == known
    assert known.digest == FIRST.digest
    with pytest.raises(ProblemError, match="solve_rate"):
        replace(FIRST, solve_rate=1.5)


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}', '{"a": {"digest": "", "attempts": 1, "solved": 2}}'])
def test_a_malformed_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rates.json"
    path.write_text(text)
    with pytest.raises(ConfigError, match="rates.json"):
        read_attempts(path)


def test_the_command_filters_by_length_and_rate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rates.json"
    record_attempts(path, [(FIRST, True), (FIRST, False)])
    assert main(["problems", "bundled", "--rates", str(path), "--solve-rate", "0.1-0.9"]) == 0
    assert f"1 of {len(load_problems('bundled'))} problems" in capsys.readouterr().out
    assert main(["problems", "--max-lines", "5"]) == 0
    assert main(["problems", "bundled", "--solve-rate", "9"]) == 2
