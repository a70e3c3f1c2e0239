"""Using imported rows in load_problems and in the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ocaml_env.errors import ProblemError
from ocaml_env.problems import load_problems
from ocaml_env.problems.importers import FORMATS
from tests.problems.importers.rows import ADD, ECHO, FIRST, SUB, jsonl, write_csv


@pytest.mark.usefixtures("verifier")
def test_load_problems_takes_foreign_files(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "set.csv", [FIRST, ADD])
    assert [problem.id for problem in load_problems(path)] == ["add", "first"]
    assert [problem.id for problem in load_problems(jsonl(tmp_path / "set.jsonl", [SUB]))] == [SUB["name"]]
    path.unlink()
    assert [problem.kind for problem in load_problems(jsonl(tmp_path / "set.jsonl", [ECHO]))] == ["program"]
    assert len(load_problems(tmp_path)) == 1


@pytest.mark.usefixtures("verifier")
def test_load_problems_refuses_a_foreign_file_with_bad_rows(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "set.jsonl", [ADD, FIRST | {"tests": ""}, "{"])
    with pytest.raises(ProblemError) as caught:
        load_problems(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: row 2, id 'first': the field 'tests' is empty")
    assert "kept 1 of 3 rows; left out: 1 missing or empty field" in message
    assert "`ocaml-env import` writes the good rows" in message
    assert caught.value.problem_id == "first"


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ocaml_env", "import", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        timeout=120,
        check=False,
    )


@pytest.mark.usefixtures("verifier")
def test_the_command_writes_the_good_rows_and_reports_the_rest(tmp_path: Path) -> None:
    source = jsonl(tmp_path / "set.jsonl", [ADD, FIRST | {"tests": ""}, SUB | {"id": "sub"}, ADD])
    out, report = tmp_path / "out.jsonl", tmp_path / "report.jsonl"
    done = command(source, "--to", out, "--report", report)
    assert (done.returncode, done.stderr) == (1, "")
    assert [problem.id for problem in load_problems(out)] == ["add", "sub"]
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    assert [(row["row"], row["imported"], row["reason"]) for row in rows] == [
        (2, False, "missing or empty field"),
        (3, True, None),
        (4, False, "duplicate id"),
    ]
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert {"rows 4", "refused 2"} <= {*lines}
    assert "missing or empty field 1 row 2, id 'first': the field 'tests' is empty" in lines
    assert "duplicate id 1 row 4, id 'add': row 1 has the same id" in lines
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "report.jsonl", "set.jsonl"]
    again = command(out, "--to", out)
    assert (again.returncode, again.stderr) == (0, "")
    assert len(load_problems(out)) == 2


def test_the_command_names_a_missing_data_set(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    done = command("nobody/nothing-at-all", "--to", tmp_path / "out.jsonl")
    assert done.returncode == 2
    assert done.stderr.startswith("ocaml-env: cannot load the data set 'nobody/nothing-at-all': ")
    assert list(tmp_path.iterdir()) == []


def test_every_format_is_known_by_name() -> None:
    assert FORMATS == ("auto", "ocaml-env", "stdin-stdout", "exercism", "multipl-e", "assertions")


@pytest.mark.parametrize(
    ("options", "message"), [(("--report", "set.jsonl"), "the same file"), (("--to", "."), "cannot be a file")]
)
@pytest.mark.usefixtures("verifier")
def test_the_command_does_not_overwrite_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], message: str
) -> None:
    source = jsonl(tmp_path / "set.jsonl", [ADD])
    before = source.read_bytes()
    monkeypatch.chdir(tmp_path)
    done = command("set.jsonl", "--to", "set.jsonl", *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert source.read_bytes() == before


@pytest.mark.usefixtures("verifier")
def test_too_deep_nesting_is_refused_without_a_crash(tmp_path: Path) -> None:
    deep = tmp_path / "deep.jsonl"
    deep.write_text("[" * 200_000 + "\n")
    with pytest.raises(ProblemError):
        load_problems(deep)
    front = tmp_path / "front.md"
    front.write_text("+++\nid = " + "[" * 5_000 + "\n+++\n")
    with pytest.raises(ProblemError):
        load_problems(front)
