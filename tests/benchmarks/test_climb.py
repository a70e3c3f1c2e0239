"""The arms of a climb: what they run, and the table of what they reached."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from agents.config_sources import read_config
from benchmarks import climb
from ocaml_env import ConfigError
from ocaml_env.commands.evaluate import main as evaluate
from ocaml_env.problems import load_problems, to_jsonl


def examined(folder: Path, model: str, seconds: float) -> None:
    """Makes the folder of a finished arm; each exam has a problem of level 1 and one of level 2."""
    problems = load_problems("bundled:eval?level=1-2")
    two = folder / "two.jsonl"
    folder.mkdir()
    to_jsonl([next(problem for problem in problems if problem.level == level) for level in (1, 2)], two)
    for name in climb.EXAMS:
        out = str(folder / "exams" / name)
        assert evaluate(["--model", model, "--problems", str(two), "--n", "4", "--out", out]) == 0
        climb.keep_exam(folder / "exams" / name)
    times = dict.fromkeys(climb.EXAMS, 1.0) | {"train": seconds}
    (folder / "time.json").write_text(json.dumps(times))


def test_the_table_has_each_arm_minus_the_warm_start(tmp_path: Path) -> None:
    examined(tmp_path / "warm", "agent:stub", 0.0)
    for seed in (0, 1):
        examined(tmp_path / f"grpo-{seed}", "agent:reference", 60.0 + 120.0 * seed)
    (tmp_path / "own-0").mkdir()
    (tmp_path / "own-0" / "time.json").write_text('{"train": 3.0}')  # not examined yet
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in climb.table(tmp_path)]
    assert [row[:2] for row in rows[2:]] == [["warm start", ""], ["grpo", "2"]]
    levels = rows[0].index("level 1"), rows[0].index("pass@4, 1"), rows[0].index("repair, 1")
    assert [rows[2][place] for place in levels] == ["0.0%"] * 3
    assert [rows[3][place] for place in levels] == ["+100.0 (+100.0 to +100.0)"] * 3
    assert rows[3][-1] == "2"  # minutes of training, the mean over the seeds
    swapped = [[cell.strip() for cell in line.strip("|").split("|")] for line in climb.table(tmp_path, minus="grpo")]
    assert [swapped[2][place] for place in levels] == ["100.0%"] * 3
    assert [row[levels[0]] for row in swapped[3:]] == ["-100.0 (-100.0 to -100.0)"]
    exam, _, _ = climb.COLUMNS["repair, 1"]
    (tmp_path / "grpo-1" / "exams" / f"{exam}.json").unlink()
    assert "| +100.0 (+100.0 to +100.0), 1 of 2 seeds |" in list(climb.table(tmp_path))[3]
    with pytest.raises(ConfigError, match="own has not been evaluated"):
        list(climb.table(tmp_path, minus="own"))


def test_an_exam_asks_the_problems_that_the_configuration_keeps_for_it() -> None:
    assert {exam.problems for exam in climb.exams_of(read_config(path="tiny")).values()} == {"tiny:held_out?n=150"}
    assert climb.exams_of(read_config(path="smollm2")) == climb.EXAMS


def test_an_arm_that_changes_nothing_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examined(tmp_path / "warm", "agent:stub", 0.0)
    for config, arms in (("tiny", "once,no-repair"), ("smollm2", "ladder")):
        assert climb.main(["--out", str(tmp_path), "--config", config, "--arms", arms]) == 0
    assert capsys.readouterr().out.count("is grpo in this configuration, and is left out") == 3


def test_a_finished_command_is_not_run_again_and_one_that_fails_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["benchmarks.evaluate", "--model", "agent:nobody", "--out", str(tmp_path / "x")]
    with pytest.raises(ConfigError, match=r"exit code 2; see .*greedy\.log"):
        climb._run(tmp_path, "greedy", command)
    (tmp_path / "time.json").write_text('{"greedy": 1.0}')
    climb._run(tmp_path, "greedy", command)
    assert capsys.readouterr().out.count("agent:nobody") == 1


@pytest.mark.parametrize("arm", climb.ARMS)
def test_an_arm_ends_with_its_model_and_asks_no_evaluation_problem(arm: str, tmp_path: Path) -> None:
    options = argparse.Namespace(config="smollm2", sft_steps=10, grpo_steps=30, draws=2, batch=8)
    config = read_config(path="smollm2")
    commands: Sequence[tuple[str, list[str]]] = list(climb._commands(arm, options, config, tmp_path / arm, 1))
    assert commands[-1][1][commands[-1][1].index("--output_dir") + 1] == str(tmp_path / arm)
    asked = [command[command.index("--problems") + 1] for _, command in commands if "--problems" in command]
    assert all("eval" not in source and "repair:" not in source for source in asked)
    if commands[0][1][0] == "agents.grpo":
        assert commands[0][1][-2:] == ["--max_steps", "30"]


def test_all_arms_of_a_folder_begin_at_the_same_weights(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "model.safetensors").write_bytes(b"the warm start")
    for _ in range(2):
        climb._check_start(tmp_path / "out" / "warm", str(model))
    (model / "model.safetensors").write_bytes(b"another one")
    with pytest.raises(ConfigError, match="has other weights than the warm start of .*out: choose another --out"):
        climb._check_start(tmp_path / "out" / "warm", str(model))
