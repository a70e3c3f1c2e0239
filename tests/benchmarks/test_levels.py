"""``python -m benchmarks.levels`` evaluates, prints and plots by level."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.levels import main
from ocaml_env.problems import load_problems, to_jsonl


def test_a_model_is_evaluated_and_plotted_by_level(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problems = load_problems("bundled:eval")
    easiest, hardest = (
        min(problems, key=lambda problem: problem.level or 0),
        max(problems, key=lambda problem: problem.level or 0),
    )
    to_jsonl([easiest, hardest], tmp_path / "two.jsonl")
    out = str(tmp_path / "out")
    asked = ["--model", "agent:reference", "--problems", str(tmp_path / "two.jsonl"), "--n", "2", "--out", out]
    assert main(asked) == 0
    printed = capsys.readouterr().out
    assert "solves half above level 6" in printed
    assert main([out, out, "--html", str(tmp_path / "both.html")]) == 0
    assert "pass@1 by level" in (tmp_path / "both.html").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "levels.html").exists()


def test_a_folder_without_an_evaluation_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "there is no evaluation here" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--model", "agent:stub"])
