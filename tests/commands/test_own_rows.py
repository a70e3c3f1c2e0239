"""A row of a user's file in the places of a bundled id, and the last line of commands that read such files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ocaml_env.commands import ExitCode
from ocaml_env.commands.cli import main
from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problems.sources import problem_of_id

pytestmark = pytest.mark.usefixtures("verifier")

GOOD = {"id": "twice", "statement": "Double.", "signature": "val twice : int -> int", "tests": ["twice 2 = 4"]}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    bad = GOOD | {"id": "bad", "refrence": "x"}
    path.write_text("".join(json.dumps(row) + "\n" for row in (GOOD, bad, GOOD | {"id": "a:b"})))
    return path


def test_verify_takes_a_row_by_its_id(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = tmp_path / "answer.ml"
    answer.write_text("let twice x = x + x")
    assert main(["verify", f"{rows}:twice", str(answer)]) == ExitCode.PASSED
    assert main(["verify", f"{rows}:a:b", str(answer)]) == ExitCode.PASSED
    assert main(["verify", f"{rows}:1", str(answer)]) == ExitCode.PASSED
    assert main(["verify", f"{rows}:bad", str(answer)]) == ExitCode.USAGE
    assert "row 2, id 'bad': unknown field 'refrence'; did you mean 'reference'?" in capsys.readouterr().err


def test_a_row_is_shown_and_its_file_listed(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", f"{rows}:twice"]) == ExitCode.PASSED
    assert "Double." in capsys.readouterr().out
    assert main(["problems", str(rows)]) == ExitCode.PASSED
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(f"2 of 2 problems in {rows}: kept 2 of 3 rows; left out: 1 not a valid problem, as in row 2")


@pytest.mark.parametrize(
    ("name", "message"),
    [("twise", "has no problem 'twise'; did you mean 'twice'"), ("", "has no problem ''")],
)
def test_an_unknown_row_is_refused_with_the_nearest_id(name: str, message: str, rows: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        problem_of_id(f"{rows}:{name}")


def test_a_missing_file_and_a_bad_row_are_named(rows: Path) -> None:
    with pytest.raises(ConfigError, match="there is no file '.*nowhere.jsonl'"):
        problem_of_id(f"{rows.parent}/nowhere.jsonl:twice")
    with pytest.raises(ProblemError, match="unknown field 'refrence'"):
        problem_of_id(f"{rows}:bad")


def test_an_evaluation_says_which_rows_it_left_out(
    rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    completions = tmp_path / "completions.jsonl"
    completions.write_text(json.dumps({"problem_id": "twice", "completion": "let twice x = x + x"}) + "\n")
    options = ["--model", f"completions:{completions}", "--problems", str(rows), "--out", str(tmp_path / "out")]
    assert main(["evaluate", *options]) == ExitCode.PASSED
    assert "evaluate: " + f"{rows}: kept 2 of 3 rows; left out: 1 not a valid problem" in capsys.readouterr().err
