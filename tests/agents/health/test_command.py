"""``python -m agents.health``: its output, files and exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agents.health.__main__ import main
from tests.agents.health.simulator import Illness, Simulation

ROOT = Path(__file__).parents[3]
SEED = Path(__file__).parent / "seed.log"


def command(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "agents.health", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_seeds_lines_are_told_in_the_order_of_its_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(SEED), "--profile", "seed"]) == 1
    shown = capsys.readouterr().out
    titles = [
        "Status: ",
        "Metrics\n",
        "Issues\n",
        "Recommended actions\n",
        "What to check\n",
        "Red flags\n",
        "Decision\n",
    ]
    assert [shown.index(title) for title in titles] == sorted(shown.index(title) for title in titles)
    assert "Struggling: requires intervention" in shown
    assert "export GRPO_TEMPERATURE=1.1  # from 0.9 (assumed: no config.yaml)" in shown
    assert "INTERVENE and CONTINUE" in shown
    assert "Recheck at epoch 0.5 and at epoch 1.0." in " ".join(shown.split())
    assert "decay: it falls" in shown


def test_were_it_epoch_one_the_command_says_stop_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(SEED), "--profile", "seed", "--as-of-epoch", "1.0"]) == 4
    shown = capsys.readouterr().out
    assert "Because: mean reward still < 0.15." in " ".join(shown.split())
    assert "clear   frac_zero_std still > 0.30, from epoch 1.0 on (0.21)" in shown


def test_each_line_is_shown_with_its_levels(capsys: pytest.CaptureFixture[str]) -> None:
    main([str(SEED), "--profile", "seed", "--lines"])
    lines = capsys.readouterr().out.split("Line by line\n")[1].splitlines()
    assert len(lines) == 7
    assert "0.090 warn low" in lines[2]
    assert "0.50 CRIT high" in lines[5]


@pytest.mark.parametrize(("illness", "code"), [(Illness.NONE, 0), (Illness.COLLAPSE, 1), (Illness.EXPLODING, 4)])
def test_the_exit_code_is_the_decision(tmp_path: Path, illness: Illness, code: int) -> None:
    folder = Simulation(illness, 6).write(tmp_path / "run", completions=False)
    assert main([str(folder), "--no-report"]) == code


def test_a_run_directory_gets_its_report_and_a_log_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Simulation(Illness.NONE, 6).write(tmp_path / "run", completions=False)
    assert main([str(folder)]) == 0
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert str(folder / "report.html") in capsys.readouterr().out
    (folder / "report.html").unlink()
    assert main([str(folder / "learning.log"), "--no-report"]) in (0, 3)
    assert main([str(folder / "learning.log"), "--report", str(tmp_path / "page.html")]) in (0, 3)
    assert (tmp_path / "page.html").exists()
    assert not (folder / "report.html").exists()


def test_json_is_the_whole_verdict_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(SEED), "--profile", "seed", "--json"]) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["decision"] == "intervene"
    assert verdict["status"] == "struggling"
    assert verdict["issues"][0] == "mode-collapse"
    assert (verdict["notices"], verdict["finished"], verdict["risen"]) == ([], False, False)
    assert verdict["red_flags"][0] == {
        "name": "reward",
        "text": "mean reward still < 0.15",
        "at": 1.0,
        "raised": True,
        "stops": False,
        "value": pytest.approx(0.0922, abs=0.0001),
    }


def test_json_of_a_diverged_run_is_still_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "learning.log"
    path.write_text("[Epoch 0.10]  loss=nan  grad=inf  reward=0.1±0.0\n" * 30, encoding="utf-8")
    assert main([str(path), "--json"]) == 4
    assert json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["decision"] == "stop"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--profile", "other"],
        ["--as-of-epoch", "soon"],
        ["--as-of-epoch", "-1"],
        ["--groups", "-1"],
        ["--unknown"],
        ["a", "b"],
    ],
)
def test_a_wrong_argument_is_a_usage_error(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_a_report_into_a_folder_that_is_not_there_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(SEED), "--report", "/nowhere/at/all.html"]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_what_cannot_be_read_is_told_on_one_line_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "metrics.jsonl").write_text("{broken\n")
    done = command(tmp_path)
    assert done.returncode == 3
    assert f"{tmp_path / 'metrics.jsonl'}:1: not JSON" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_help_tells_profiles_and_exit_codes() -> None:
    done = command("--help")
    assert done.returncode == 0
    for word in ("exit codes:", "0  go on", "4  stop", "--as-of-epoch", "default", "seed"):
        assert word in done.stdout


def test_a_terminal_without_unicode_gets_words_instead_of_symbols() -> None:
    done = command(SEED, "--profile", "seed", PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert "critical, high" in done.stdout
    assert "\\u" not in done.stdout
    assert "🔴" not in done.stdout


def test_a_reader_that_goes_away_is_no_error() -> None:
    line = f"{sys.executable} -m agents.health {SEED} --profile seed | head -1"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.stdout.startswith("Training health of")


def test_control_characters_of_a_log_do_not_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "learning.log"
    path.write_bytes(SEED.read_bytes() + b"[Epoch \x1b[2J]  loss=1\n")
    main([str(path), "--profile", "seed"])
    assert "\x1b[2J" not in capsys.readouterr().out


def test_the_doctor_needs_neither_torch_nor_a_trainer() -> None:
    code = (
        "import sys, agents.health.__main__\n"
        "print(sorted({'torch', 'transformers', 'trl', 'yaml', 'datasets'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
