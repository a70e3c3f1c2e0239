"""Solve rates: of a problem's file, and from an evaluation; filters by them and by length."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_env import load_problems
from ocaml_env.commands.cli import main
from ocaml_env.errors import ProblemError
from ocaml_env.problems import format_problem, parse_problem

PROBLEMS = load_problems("bundled", level=4)
FIRST = PROBLEMS[0]


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


def test_the_command_filters_by_what_an_evaluation_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    [asked] = load_problems("bundled:eval").filter(topics="strings", level=4)[:1]
    rows = [{"task_id": asked.id, "completion": code} for code in ("let wrong = 0", asked.reference)]
    Path("answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = ["--problems", "bundled:eval", "--n", "2", "--out", "run"]
    assert main(["evaluate", "--model", "completions:answers.jsonl", *options]) in (0, 1)
    capsys.readouterr()
    chosen = ["problems", "bundled:eval", "--rates", "run", "--solve-rate"]
    assert main([*chosen, "0.1-0.9"]) == 0
    assert asked.id in (shown := capsys.readouterr().out)
    assert "1 of 472 problems" in shown
    assert main([*chosen, "0.9-1"]) == 0
    assert "0 of 472 problems" in capsys.readouterr().out
    assert main(["problems", "bundled:train", "--rates", "run"]) == 2
    assert "run has no sample of 'bundled:train'" in capsys.readouterr().err


def test_the_command_filters_by_length(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", "--max-lines", "5"]) == 0
    assert main(["problems", "bundled", "--solve-rate", "9"]) == 2
