"""``python -m benchmarks.evaluate`` and the other old command lines print what they always printed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ocaml_env import Verifier
from ocaml_env.commands import cli, compare, evaluate, leaderboard, report
from ocaml_env.problems import load_problems, to_jsonl

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
PROBLEMS = ("align_marks", "fair_pairs", "old_money", "simultaneous_moves")
COMMANDS = ("evaluate", "compare", "leaderboard", "report")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_matches_its_golden_file(command: str) -> None:
    program = [sys.executable, "-m", f"benchmarks.{command}", "--help"]
    done = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, env={"COLUMNS": "100"}, check=True)
    assert done.stdout == (GOLDEN / f"{command}.help.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_helps_with_the_same_options(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit):
        cli.main([command, "--help"])
    shown = capsys.readouterr().out
    before = (GOLDEN / f"{command}.help.txt").read_text(encoding="utf-8")
    start = "\n\n" + before.split("\n\n", 1)[1].split("\n", 1)[0]
    assert shown[shown.index(start) :] == before[before.index(start) :].replace("python -m benchmarks.", "ocaml-env ")


def test_output_matches_its_golden_files(
    tmp_path: Path, verifier: Verifier, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    to_jsonl(map(load_problems("bundled").get, PROBLEMS), "four.jsonl")
    said = {}
    for name, out in (("stub", "stub"), ("reference", "ref")):
        assert evaluate.main(["--model", f"agent:{name}", "--problems", "four.jsonl", "--n", "1", "--out", out]) == 0
        said["evaluate"] = capsys.readouterr().out
    assert compare.main(["ref", "stub"]) == 0
    said["compare"] = capsys.readouterr().out
    Path("both").mkdir()
    for name in ("ref", "stub"):
        Path(name).rename(Path("both") / name)
    assert leaderboard.main(["both"], prog="python -m benchmarks.leaderboard") == 0
    said["leaderboard"] = capsys.readouterr().out.replace(verifier.ocaml_version, "4.13.1")
    assert report.main(["both/stub"]) == 0
    said["report"] = capsys.readouterr().out
    for command in COMMANDS:
        assert said[command] == (GOLDEN / f"{command}.out.txt").read_text(encoding="utf-8")
