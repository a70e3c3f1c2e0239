"""Prompt styles side by side: a real model in each style, and the counts in the table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.prompt_styles import STYLES, main, table
from ocaml_env import Problem
from ocaml_env.problems import to_jsonl


def test_each_style_is_evaluated_and_has_a_line(
    tmp_path: Path, last: Problem, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    problems = tmp_path / "problems.jsonl"
    to_jsonl([last], problems)
    more = ["--problems", str(problems), "--n", "2", "--k", "1", "--max-tokens", "8", "--workers", "1"]
    assert main(["--model", "hf:tiny", "--out", str(tmp_path), *more]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("|")[1].strip() for line in lines if line.startswith("| ")][-4:] == [*STYLES]
    assert main(["--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-4:] == lines[-4:]
    begun = json.loads((tmp_path / "brief-begun" / "samples.jsonl").read_text().splitlines()[0])
    assert begun["completion"].startswith("```ocaml\nlet rec last ")


def test_a_sample_counts_for_every_stage_that_it_reached(tmp_path: Path) -> None:
    outcomes = ["PASSED", "TEST_FAILURE", "TYPE_ERROR", "SYNTAX_ERROR", "NO_CODE"]
    samples = [{"outcome": outcome, "level": 1, "fault": ""} for outcome in outcomes]
    samples.append({"outcome": None, "level": 1, "fault": "gone"})
    (tmp_path / "samples.jsonl").write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    (*_, line) = table({"text": tmp_path})
    assert [cell.strip() for cell in line.split("|")[1:-1]] == ["text", "1", "5", "60.0%", "40.0%", "20.0%"]


def test_a_folder_without_evaluations_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--out", str(tmp_path)])
    assert "give --model" in capsys.readouterr().err
