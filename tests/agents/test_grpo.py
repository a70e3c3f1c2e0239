"""The GRPO agent on a real TRL trainer: rewards, files, faults, and resumed runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import pytest
import torch
from gymnasium.wrappers import ClipReward, NormalizeReward, RecordEpisodeStatistics, TimeLimit, TransformReward
from transformers import AutoConfig, TrainerCallback

from agents import trainer
from agents.config import Config
from agents.curriculum import Cell, Uniform
from agents.export import export
from agents.grpo import GRPOAgent, main
from agents.machine import advice_on_memory
from agents.run_dir import last_checkpoint
from agents.tiny.model import tiny_path
from agents.wrappers import paid, unwrap
from ocaml_env import (
    Completion,
    ConfigError,
    Curriculum,
    EngineError,
    OCamlCodeEnv,
    Problem,
    RewardSpec,
    Test,
    Verifier,
    load_problems,
)
from ocaml_env.curriculum import THIRDS
from ocaml_env.episode import evaluate_many
from ocaml_env.evaluation.files import FolderLock
from ocaml_env.evaluation.models.agent import Agent
from ocaml_env.evaluation.models.hf import load_policy
from ocaml_env.integrations.common import TooManyFaults
from ocaml_env.integrations.trl import evaluate_answers
from ocaml_env.rollout import read_rollouts

Make = Callable[..., Config]

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning", "ignore::DeprecationWarning")

ROOT = Path(__file__).parents[2]
LINE = re.compile(
    r"\[Epoch \d+\.\d\d\]  loss=-?\d+\.\d{4} *  grad=\d+\.\d{4}  lr=\d\.\d\de[-+]\d\d  reward=\d+\.\d{3}±\d+\.\d{3}  "
    r"syntax_rew=\d+\.\d{3}±\d+\.\d{3}  entropy=\d+\.\d{3}  frac_zero_std=\d\.\d\d"
)


def metrics(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def without_clocks(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in ("seconds", "step_time")}


@pytest.fixture
def train(config: Make, verifier: Verifier) -> Callable[..., Path]:
    """Returns a function that trains with a configuration and returns the folder of the run."""

    def run(**changes: Any) -> Path:
        made = config(**changes)
        GRPOAgent(config=made, verifier=verifier).train()
        return Path(made.output_dir)

    return run


def test_a_run_writes_its_files_in_their_formats(train: Callable[..., Path]) -> None:
    folder = train()
    lines = (folder / "learning.log").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert all(LINE.fullmatch(line) for line in lines), lines
    records = metrics(folder)
    assert [record["step"] for record in records] == [1, 2, 3]
    rollouts = list(read_rollouts(folder / "reward_logs" / "completions.jsonl"))
    assert [rollout.step for rollout in rollouts] == [0] * 8 + [1] * 8 + [2] * 8
    assert [rollout.group for rollout in rollouts[:16]] == [0] * 4 + [1] * 4 + [2] * 4 + [3] * 4
    assert all(len({rollout.problem_id for rollout in rollouts if rollout.group == group}) == 1 for group in range(6))
    for record in records:
        mine = [rollout for rollout in rollouts if rollout.step == record["step"] - 1]
        assert record["reward"] == pytest.approx(sum(rollout.total for rollout in mine) / 8)
        assert sum(record["outcomes"].values()) == 8
        assert sum(record["groups"].values()) == 2
        assert record["groups"]["varied"] / 2 == pytest.approx(1 - record["frac_reward_zero_std"])
        assert record["pass_rate"] == sum(rollout.passed for rollout in mine) / 8
        assert set(record["seconds"]) == {"verify", "glue", "step"}
    breakdown = (folder / "reward_logs" / "syntax_aware_breakdown.jsonl").read_text().splitlines()
    assert len(breakdown) == len(rollouts)
    assert "learning_rate: 0.001" in (folder / "config.yaml").read_text()
    assert {"trl", "ocaml", "problems_digest"} <= set(json.loads((folder / "versions.json").read_text()))
    assert (folder / "model" / "config.json").exists()
    readme = (folder / "README.md").read_text()
    assert "model0` by GRPO on 24 OCaml problems" in readme
    assert "fine-tuned version of" not in readme


def test_tensorboard_gets_the_figures_of_trl_and_ours_in_one_folder_over_resumes(
    config: Make, verifier: Verifier
) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    made = config(report_to="tensorboard", max_steps=4)
    GRPOAgent(config=made, verifier=verifier).train()
    resumed(made, verifier, 2)  # steps 3 and 4 come again
    folder = Path(made.output_dir)
    assert {events.parent for events in folder.rglob("events.out.tfevents.*")} == {folder / "runs"}
    reader = EventAccumulator(str(folder / "runs"))
    reader.Reload()
    ours = ("pass_rate", "pass_rate/level_1", "level", "degenerate", "final_reward", "compression_ratio")
    for name in ("reward", "frac_reward_zero_std", *ours):
        shown = reader.Scalars(f"train/{name}")
        assert [point.step for point in shown] == [1, 2, 3, 4]
        assert [point.value for point in shown] == pytest.approx([record[name] for record in metrics(folder)])


LADDER = {
    "model": "tiny",
    "reward": "pass-dominant",
    "min_non_empty_lines": None,
    "problems": "generated:arithmetic.cases,recursion.sequence?level=1&n=4"
    "+repair:generated:arithmetic.cases?level=1&n=2",
    "max_prompt_length": 640,
    "max_completion_length": 64,
    "curriculum": "ladder",
    "resample_tied": 1,
    "learning_rate": 1e-4,
}


LOGS = ("learning.log", "reward_logs/completions.jsonl", "reward_logs/syntax_aware_breakdown.jsonl")


def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(
    train: Callable[..., Path], config: Make, verifier: Verifier, tmp_path: Path
) -> None:
    changes = {"max_steps": 7, "save_steps": 2, "threads": 1} | LADDER
    whole = train(**changes, output_dir=str(tmp_path / "whole"))
    made = config(**changes, output_dir=str(tmp_path / "killed"))
    (tmp_path / "run.yaml").write_text(made.to_yaml())
    folder = Path(made.output_dir)
    process = subprocess.Popen(
        [sys.executable, "-m", "agents.grpo", "--config", str(tmp_path / "run.yaml")],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not (folder / "checkpoint-4" / "ocaml_env.json").exists():
        assert process.poll() is None, "the run ended before it was killed"
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    GRPOAgent(config=made, verifier=verifier).train()
    assert list(map(without_clocks, metrics(folder))) == list(map(without_clocks, metrics(whole)))
    for name in LOGS:
        assert (folder / name).read_text() == (whole / name).read_text()


def resumed(config: Config, verifier: Verifier, step: int) -> None:
    """Resets an ended run to one of its checkpoints, and resumes it from there."""
    for checkpoint in Path(config.output_dir).glob("checkpoint-*"):
        if checkpoint.name != f"checkpoint-{step}":
            shutil.rmtree(checkpoint)
    GRPOAgent(config=config, verifier=verifier).train()


@pytest.mark.parametrize("solve_rate_filter", [False, True])
def test_a_run_that_is_resumed_in_its_second_epoch_goes_on_as_the_whole_one_did(
    solve_rate_filter: bool, config: Make, verifier: Verifier
) -> None:
    made = config(
        problems="generated:arithmetic.cases,recursion.sequence?level=1&n=6",
        num_train_epochs=2,
        max_steps=-1,
        save_steps=4,
        save_total_limit=2,
        solve_rate_filter=solve_rate_filter,
        solve_rate_attempts=4,
    )
    folder = Path(made.output_dir)
    GRPOAgent(config=made, verifier=verifier).train()
    whole, figures = [(folder / name).read_text() for name in LOGS], list(map(without_clocks, metrics(folder)))
    resumed(made, verifier, 4)
    assert [(folder / name).read_text() for name in LOGS] == whole
    assert list(map(without_clocks, metrics(folder))) == figures


def test_a_ladder_asks_new_problems_and_logs_what_it_does(train: Callable[..., Path]) -> None:
    folder = train(**LADDER, max_steps=6, save_steps=6)
    records = metrics(folder)
    rollouts = list(read_rollouts(folder / "reward_logs" / "completions.jsonl"))
    asked = [rollout.problem_id for rollout in rollouts[::4]]
    assert len(set(asked)) == len(asked) == 12  # and six are named
    for record in records:
        mine = [rollout for rollout in rollouts if rollout.step == record["step"] - 1]
        assert record["level"] == 1
        assert record["pass_rate/level_1"] == record["pass_rate"] == sum(rollout.passed for rollout in mine) / 8
        assert 0 <= record["resampled"] <= 2
        assert record["left_out"] == 0
    assert any(record["resampled"] for record in records)
    state = json.loads((folder / "checkpoint-6" / "ocaml_env.json").read_text())["sampler"]
    seen = sum(len(attempts) for _, _, attempts in state["state"]["curriculum"]["latest"])
    assert seen == 4 * (12 + sum(record["resampled"] for record in records))


def test_a_curriculum_of_your_own_decides_what_is_asked_and_is_in_the_checkpoint(
    config: Make, verifier: Verifier
) -> None:
    own = LADDER | {"problems": "generated:lists.numbers?level=1-2&n=4", "resample_tied": 0}
    made = config(**own | {"curriculum": "examples.own_curriculum:Staircase"}, max_steps=2, save_steps=2)
    GRPOAgent(config=made, verifier=verifier).train()
    GRPOAgent(config=replace(made, max_steps=4), verifier=verifier).train()
    assert [record["level"] for record in metrics(Path(made.output_dir))] == [1.0] * 4  # nothing is solved so soon
    state = json.loads((Path(made.output_dir) / "checkpoint-4" / "ocaml_env.json").read_text())["sampler"]
    assert state["kind"] == "examples.own_curriculum:Staircase"
    assert state["state"]["curriculum"]["draws"] == 8
    assert len(state["state"]["curriculum"]["latest"]["1"]) == 32


def test_another_curriculum_begins_anew_from_a_checkpoint(config: Make, verifier: Verifier) -> None:
    made = config(**LADDER | {"resample_tied": 0}, max_steps=1, save_steps=1)
    GRPOAgent(config=made, verifier=verifier).train()
    for step, name in ((2, "uniform"), (3, "none")):
        GRPOAgent(config=replace(made, max_steps=step, curriculum=name), verifier=verifier).train()
        state = json.loads((Path(made.output_dir) / f"checkpoint-{step}" / "ocaml_env.json").read_text())["sampler"]
        assert state["kind"] == (name if name == "uniform" else "passes")
    assert len(metrics(Path(made.output_dir))) == 3


def test_groups_that_are_tied_are_drawn_again_up_to_a_bound(train: Callable[..., Path], tmp_path: Path) -> None:
    """Nothing that a random model says passes, and only a pass pays: every group is tied, again and again."""
    changes = {"reward": "binary", "min_non_empty_lines": None, "max_steps": 2}
    plain = metrics(train(**changes, output_dir=str(tmp_path / "plain")))
    assert all("resampled" not in record for record in plain)
    folder = train(**changes, resample_tied=3, output_dir=str(tmp_path / "again"))
    assert [record["resampled"] for record in metrics(folder)] == [6, 6]
    rollouts = list(read_rollouts(folder / "reward_logs" / "completions.jsonl"))
    assert [rollout.group for rollout in rollouts] == [group for group in range(4) for _ in range(4)]


@pytest.mark.parametrize(("tuning", "kept"), [("full", torch.float32), ("lora", torch.bfloat16)])
def test_trained_weights_have_32_bits_and_those_under_an_adapter_the_asked_ones(
    tuning: str, kept: torch.dtype, config: Make, verifier: Verifier
) -> None:
    model = GRPOAgent(config=config(tuning=tuning, dtype="bfloat16"), verifier=verifier).model_to_train()
    assert {weight.dtype for weight in model.parameters() if weight.requires_grad} == {torch.float32}
    assert model.get_input_embeddings().weight.dtype == kept


@pytest.mark.parametrize("max_turns", [1, 2])
def test_only_tied_groups_are_drawn_again(
    max_turns: int, train: Callable[..., Path], config: Make, verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = config(max_steps=2, resample_tied=4, max_turns=max_turns)
    agent = GRPOAgent(config=made, verifier=verifier)
    trainer = agent.make_trainer(agent.check())
    asked = trainer.sampler.next
    drawn: list[list[str]] = []

    def remember(count: int) -> list[Problem]:
        problems = asked(count)
        drawn.append([problem.id for problem in problems])
        return problems

    monkeypatch.setattr(trainer.sampler, "next", remember)
    trainer.train()
    trainer.close()
    folder = Path(made.output_dir)
    rollouts = [
        rollout for rollout in read_rollouts(folder / "reward_logs" / "completions.jsonl") if rollout.turn == max_turns
    ]
    kept = [rollout.problem_id for rollout in rollouts]
    again = sum(record["resampled"] for record in metrics(folder))
    assert sum(map(len, drawn)) == 4 + again
    assert all(len(set(kept[start : start + 4])) == 1 for start in range(0, 16, 4))
    assert set(kept) <= {name for some in drawn for name in some}
    for record in metrics(folder):
        mine = [rollout.total for rollout in rollouts if rollout.step == record["step"] - 1]
        assert record["reward"] == pytest.approx(sum(mine) / 8)


def test_what_is_configured_anew_holds_from_the_checkpoint_on(config: Make, verifier: Verifier) -> None:
    made = config(max_steps=2, lr_scheduler_type="constant")
    GRPOAgent(config=made, verifier=verifier).train()
    GRPOAgent(config=replace(made, max_steps=3, learning_rate=5e-3, temperature=1.2), verifier=verifier).train()
    figures = [(record["learning_rate"], record["temperature"]) for record in metrics(Path(made.output_dir))]
    assert figures == [(1e-3, 1.0), (1e-3, 1.0), (5e-3, 1.2)]


def test_a_run_goes_on_with_fewer_problems_and_larger_groups_but_not_with_another_model(
    config: Make, verifier: Verifier
) -> None:
    made = config(max_steps=1, save_steps=1, solve_rate_filter=True)
    GRPOAgent(config=made, verifier=verifier).train()
    with pytest.raises(ConfigError, match=r"a run of another model.*tuning was full, not lora"):
        GRPOAgent(config=replace(made, max_steps=2, tuning="lora"), verifier=verifier).train()
    fewer = replace(made, problems="generated:arithmetic.cases?level=1&n=3", max_steps=2, num_generations=8)
    GRPOAgent(config=fewer, verifier=verifier).train()
    rollouts = list(read_rollouts(Path(made.output_dir) / "reward_logs" / "completions.jsonl"))
    assert len({rollout.problem_id for rollout in rollouts[8:]}) == 1


def test_an_older_checkpoint_goes_only_when_the_new_one_is_whole(
    train: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def rotate(output_dir: str, **_: Any) -> None:
        seen.append(last_checkpoint(Path(output_dir)))

    monkeypatch.setattr("agents.trainer.rotate_checkpoints", rotate)
    folder = train(save_steps=1, save_total_limit=1, max_steps=2)
    assert seen == [folder / "checkpoint-1", folder / "checkpoint-2"]


def test_a_temperature_holds_from_the_next_generation_on(config: Make, verifier: Verifier) -> None:
    made = config(max_steps=4, steps_per_generation=2)
    agent = GRPOAgent(config=made, verifier=verifier)
    trainer = agent.make_trainer(agent.check())

    class Warmer(TrainerCallback):  # type: ignore[misc]  # transformers is untyped here
        def on_log(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.global_step == 1:
                trainer.set_temperature(1.2)

    trainer.add_callback(Warmer())
    trainer.train()
    trainer.close()
    assert [record["temperature"] for record in metrics(Path(made.output_dir))] == [1.0, 1.0, 1.2, 1.2]


def test_a_run_is_not_begun_anew_over_another_one(train: Callable[..., Path], config: Make, verifier: Verifier) -> None:
    folder = train(max_steps=1)
    with pytest.raises(ConfigError, match="holds a run already"):
        GRPOAgent(config=config(resume="never"), verifier=verifier).train()
    assert len(metrics(folder)) == 1


def contents(folder: Path) -> dict[Path, tuple[int, bytes]]:
    """Maps each file of a run to its time of writing and its content."""
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("tuning", ["full", "lora"])
def test_the_command_of_a_finished_run_says_so_and_touches_nothing(
    tuning: str, config: Make, verifier: Verifier, capsys: pytest.CaptureFixture[str]
) -> None:
    made = config(tuning=tuning)
    GRPOAgent(config=made, verifier=verifier).train()
    before = contents(Path(made.output_dir))
    capsys.readouterr()
    agent = GRPOAgent(config=made, verifier=verifier)
    assert agent.train() == Path(made.output_dir) / "model"
    assert "finished: 3 of 3 steps" in capsys.readouterr().out
    assert contents(Path(made.output_dir)) == before
    trained = load_policy(str(Path(made.output_dir) / "model")).model.state_dict()
    held = agent.policy.model.state_dict()
    assert all(torch.equal(held[name], weight) for name, weight in trained.items())


def test_a_run_that_died_before_its_model_was_saved_saves_it_and_trains_no_further(
    config: Make, verifier: Verifier
) -> None:
    made = config()
    folder = Path(made.output_dir)
    GRPOAgent(config=made, verifier=verifier).train()
    trained = (folder / "model" / "model.safetensors").read_bytes()
    log = (folder / "metrics.jsonl").read_bytes()
    (folder / "finished.json").unlink()
    (folder / "model" / "model.safetensors").write_bytes(b"half")
    GRPOAgent(config=made, verifier=verifier).train()
    assert (folder / "model" / "model.safetensors").read_bytes() == trained
    assert (folder / "metrics.jsonl").read_bytes() == log
    assert last_checkpoint(folder) == folder / "checkpoint-3"


@pytest.mark.parametrize(
    "changes",
    [
        {"num_train_epochs": 1},
        {"num_train_epochs": 0.4},
        {"num_train_epochs": 1, "gradient_accumulation_steps": 2, "steps_per_generation": 3, "num_iterations": 2},
        {"num_train_epochs": 1, "solve_rate_filter": True, "num_iterations": 2, "save_steps": 4},
    ],
)
def test_the_steps_of_a_run_are_known_before_its_model_is_loaded(
    changes: dict[str, Any], config: Make, verifier: Verifier
) -> None:
    made = config(max_steps=-1, **{"save_steps": 3} | changes)
    agent = GRPOAgent(config=made, verifier=verifier)
    plan = agent.check()
    trainer = agent.make_trainer(plan)
    assert trainer.set_initial_training_values(trainer.args, trainer.get_train_dataloader())[-1] == plan.steps
    trainer.close()


def test_two_runs_do_not_share_a_folder(config: Make, verifier: Verifier) -> None:
    made = config()
    with FolderLock(made.output_dir, option="--out"), pytest.raises(ConfigError, match="another run is writing there"):
        GRPOAgent(config=made, verifier=verifier).train()
    assert not list(Path(made.output_dir).iterdir())


def test_a_configuration_is_written_whole_or_not_at_all(
    config: Make, verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = config(max_steps=1)
    GRPOAgent(config=made, verifier=verifier).train()
    file = Path(made.output_dir) / "config.yaml"
    before = file.read_text()

    write = Path.write_text

    def full(self: Path, text: str, **how: Any) -> int:
        if not self.name.startswith("config.yaml"):
            return write(self, text, **how)
        write(self, text[:20], **how)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        GRPOAgent(config=replace(made, max_steps=2), verifier=verifier).train()
    assert file.read_text() == before


def test_problems_whose_tests_do_not_compile_are_named_before_anything_is_loaded(
    config: Make, verifier: Verifier, problems: list[Problem], monkeypatch: pytest.MonkeyPatch
) -> None:
    no_such = (Test("no_such_value = 1", name="test 1"),)
    broken = [replace(problems[place], tests=no_such, baseline=()) for place in (3, 7)]
    these = [*problems[:3], broken[0], *problems[4:7], broken[1], *problems[8:]]
    monkeypatch.setattr("agents.grpo.load_policy", lambda *_, **__: pytest.fail("the model was loaded"))
    agent = GRPOAgent(these, config=config(), verifier=verifier)
    for begin in (agent.check, agent.train):
        with pytest.raises(ConfigError) as refused:
            begin()
        assert str(refused.value).startswith("2 of 28 problems cannot be evaluated: ")
        assert all(problem.id in str(refused.value) for problem in broken)
        assert "no_such_value" in str(refused.value)


def test_problems_that_were_checked_are_not_checked_again(config: Make, problems: list[Problem]) -> None:
    class Checking(Verifier):
        checked = 0

        def check(self, problem: Problem) -> None:
            self.checked += 1
            super().check(problem)

    with Checking(workers=1) as verifier:
        made = config(max_steps=1, save_steps=1)
        GRPOAgent(config=made, verifier=verifier).train()
        assert verifier.checked == len(problems) + 4
        GRPOAgent(config=replace(made, max_steps=2), verifier=verifier).train()
        assert verifier.checked == len(problems) + 4
        fewer = "generated:arithmetic.cases?level=1&n=6"
        GRPOAgent(config=replace(made, max_steps=3, problems=fewer), verifier=verifier).train()
        assert verifier.checked == len(problems) + 4 + 6 + 4


def test_two_processes_train_together(config: Make, tmp_path: Path) -> None:
    """Both runs are trained by one launch, because starting its processes takes most of the time."""
    choices: dict[str, dict[str, Any]] = {"in-turn": {}, "ladder": LADDER | {"num_generations": 16}}
    made = {name: config(max_steps=2, output_dir=str(tmp_path / name), **choice) for name, choice in choices.items()}
    files = [tmp_path / f"{name}.yaml" for name in made]
    for file, run in zip(files, made.values(), strict=True):
        file.write_text(run.to_yaml())
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2"]
    launch += ["--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no", "--main_process_port", "0"]
    done = subprocess.run(
        [*launch, "-m", "tests.agents.train_each", *map(str, files)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    for run in made.values():
        folder = Path(run.output_dir)
        rollouts = list(read_rollouts(folder / "reward_logs" / "completions.jsonl"))
        assert len(rollouts) == 2 * 2 * 8
        groups = [
            [rollout.problem_id for rollout in rollouts if rollout.group == number]
            for number in range(rollouts[-1].group + 1)
        ]
        assert all(len(group) == run.num_generations and len(set(group)) == 1 for group in groups)
        assert [record["reward"] for record in metrics(folder)] == pytest.approx(
            [sum(rollout.total for rollout in rollouts if rollout.step == step) / 16 for step in (0, 1)]
        )


# --- rewards ----------------------------------------------------------------------------------------------------------


def recorded(problems: list[Problem]) -> list[tuple[Problem, Completion]]:
    """300 answers of all kinds: right, wrong, ill-typed, cut off, cheating, without code."""
    kinds: list[Callable[[str], str | Completion]] = [
        lambda code: code,
        lambda code: f"Here it is:\n```ocaml\n{code}\n```\nDone.",
        lambda code: Completion(code[: len(code) // 2], truncated=True),
        lambda code: Completion(f"```ocaml\n{code}", truncated=True),
        lambda code: code.replace("+", "-").replace("<", ">"),
        lambda code: code + '\nlet unused : int = "text"\n',
        lambda code: code.replace("let", "lte", 1),
        lambda code: "let cheat = Obj.magic 0\n" + code,
        lambda code: "I am not sure how to solve this.",
        lambda code: f"{code}\n(* END *)",
    ]
    answers = [(problem, kind(problem.reference)) for problem in problems for kind in kinds]
    return [(problem, text if isinstance(text, Completion) else Completion(text)) for problem, text in answers]


@pytest.mark.parametrize("preset", ["staged", "seed-2025-12-10"])
def test_a_completion_earns_the_same_in_the_environment_in_training_and_in_evaluation(
    preset: str, config: Make, verifier: Verifier
) -> None:
    problems = list(load_problems("bundled:train", kind="function"))[::12][:30]
    pairs = recorded(problems)
    assert len(pairs) == 300
    lines = None if preset == "staged" else 8
    made = config(reward=preset, min_non_empty_lines=lines, max_prompt_length=100_000)
    spec = made.reward_spec()

    env = OCamlCodeEnv(problems, reward=spec, verifier=verifier)
    by_step = []
    for problem, answer in pairs:
        env.reset(options={"problem_id": problem.id})
        by_step.append(env.step(answer)[1])

    agent = GRPOAgent(problems, config=made, verifier=verifier)
    trainer = agent.make_trainer(agent.check())
    tokenizer, eos = trainer.processing_class, trainer.processing_class.eos_token_id
    by_trainer: list[float] = []
    for start in range(0, len(pairs), 100):
        some = pairs[start : start + 100]
        texts = [str(text) for _, text in some]
        ids = [tokenizer(text or " ")["input_ids"] + ([] if text.truncated else [eos]) for _, text in some]
        answers = evaluate_answers([problem for problem, _ in some], texts, ids, [eos], trainer.rewards.evaluate)
        rows = [{"prompt": "?", "evaluated": turns} for turns in answers]
        paid = trainer._calculate_rewards(rows, ["?"] * len(some), texts, ids)
        by_trainer += paid[:, 0].double().tolist()
    trainer.close()

    by_evaluation = [evaluation.reward.total for evaluation in evaluate_many(pairs, verifier=verifier, reward=spec)]
    assert by_step == by_evaluation
    assert by_trainer == pytest.approx(by_step, abs=1e-7)  # TRL keeps rewards in single precision
    assert len(set(by_step)) > 5


def test_an_environment_brings_its_problems_its_reward_and_its_curriculum(
    config: Make, verifier: Verifier, problems: list[Problem]
) -> None:
    curriculum = Curriculum(phases=THIRDS, spec=RewardSpec.preset("seed-2025-12-10", min_non_empty_lines=0))
    env = gymnasium.make(
        "OCamlCode-v0", problems=problems, curriculum=curriculum, verifier=verifier, prompt_style="brief"
    )
    made = config(max_steps=3)
    agent = GRPOAgent(env, config=made)
    agent.train()
    assert agent.verifier is verifier
    assert env.unwrapped.reward_spec == curriculum.at(2 / 3)  # type: ignore[attr-defined]
    lines = (Path(made.output_dir) / "reward_logs" / "syntax_aware_breakdown.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    # Unparsable text earns .40 x .75 + .30 x .1 at first, and .20 x .75 + .10 x .1 at the end.
    first = next(
        record
        for record in records
        if record["step"] == 0 and record["outcome"] == "SYNTAX_ERROR" and not record["truncated"]
    )
    assert (first["total"], first["final_total"]) == pytest.approx((0.33, 0.16))
    assert all(record["total"] == record["final_total"] for record in records if record["step"] == 2)


def test_a_wrapper_that_changes_rewards_is_kept(config: Make, verifier: Verifier, problems: list[Problem]) -> None:
    spec = RewardSpec.preset("seed-2025-12-10", min_non_empty_lines=0)
    env = gymnasium.make("OCamlCode-v0", problems=problems, reward=spec, verifier=verifier, prompt_style="brief")
    wrapped = TransformReward(ClipReward(env, 0.0, 0.1), lambda reward: 5 * float(reward) + 1)
    made = config(max_steps=1)
    GRPOAgent(wrapped, config=made).train()
    rollouts = list(read_rollouts(Path(made.output_dir) / "reward_logs" / "completions.jsonl"))
    by_step = []
    for rollout in rollouts:
        wrapped.reset(options={"problem_id": rollout.problem_id})
        by_step.append(wrapped.step(Completion(rollout.completion, truncated=rollout.truncated))[1])
    assert len(set(by_step)) > 1
    assert metrics(Path(made.output_dir))[0]["reward"] == pytest.approx(sum(map(float, by_step)) / len(by_step))


@pytest.mark.parametrize("totals", [[0.25], [0.0, 1.0], [0.3, 0.2, 0.2]])
def test_an_episode_earns_what_its_steps_pay_through_their_wrappers(
    totals: list[float], problems: list[Problem]
) -> None:
    assert paid(totals, ()) == totals[-1]
    plain: Any = OCamlCodeEnv(problems)
    wrapped = TransformReward(
        TransformReward(plain, lambda reward: float(reward) - 1), lambda reward: 2 * float(reward)
    )
    _, wrappers = unwrap(wrapped)
    changes = [total - before for before, total in zip([0.0, *totals], totals, strict=False)]
    assert paid(totals, wrappers) == pytest.approx(sum(2 * (change - 1) for change in changes))


class Shouting(gymnasium.ActionWrapper[Any, Any, Any]):
    def action(self, action: str) -> str:
        return action.upper()


def test_a_wrapper_that_no_completion_would_go_through_is_refused(problems: list[Problem], config: Make) -> None:
    env = gymnasium.make("OCamlCode-v0", problems=problems)
    GRPOAgent(RecordEpisodeStatistics(env), config=config())
    for wrapped, name in (
        (Shouting(env), "Shouting"),
        (TransformReward(TimeLimit(env, 1), lambda reward: reward), "TimeLimit"),
        (NormalizeReward(env), "NormalizeReward"),
    ):
        with pytest.raises(ConfigError, match=f"cannot keep the wrapper {name}"):
            GRPOAgent(wrapped, config=config())
    several = gymnasium.make_vec("OCamlCode-v0", num_envs=2, problems=problems)
    with pytest.raises(ConfigError, match="not OCamlCodeVectorEnv"):
        GRPOAgent(several, config=config())


class Gone(Verifier):
    """A verifier that raises an infrastructure error at every call."""

    def verify_many(self, pairs: Any, **keywords: Any) -> Any:
        raise EngineError("no worker could be started")

    def verify(self, problem: Problem, code: str) -> Any:
        raise EngineError("no worker could be started")


def test_faults_of_ours_are_left_out_of_training_and_stop_a_run_only_when_they_pile_up(config: Make) -> None:
    with Gone(workers=1) as verifier:
        made = config(max_steps=4, max_fault_share=1.0)
        GRPOAgent(config=made, verifier=verifier).train()
        records = metrics(Path(made.output_dir))
        assert len(records) == 4
        # An answer without code is evaluated without a worker.
        assert all(record["faults"] + sum(record.get("outcomes", {}).values()) == 8 for record in records)
        assert sum(record["faults"] for record in records) > 16
        made = config(max_steps=4, output_dir=made.output_dir + "-2")
        with pytest.raises(TooManyFaults, match="no worker could be started"):
            GRPOAgent(config=made, verifier=verifier).train()


class Hungry(Uniform):
    """A curriculum at whose first choice the GPU's memory is used up."""

    def choose(self, cells: Sequence[Cell]) -> Cell:
        raise torch.OutOfMemoryError(
            "CUDA out of memory. Tried to allocate 98.00 MiB. GPU 0 has a total capacity of 139.80 GiB of which "
            "86.31 MiB is free. If reserved but unallocated memory is large try setting "
            "PYTORCH_ALLOC_CONF=expandable_segments:True to avoid fragmentation."
        )


def test_a_run_that_does_not_fit_the_gpu_is_told_which_settings_to_change(config: Make, verifier: Verifier) -> None:
    with pytest.raises(
        ConfigError, match=r"\(CUDA out of memory. Tried to allocate 98.00 MiB\): halve .*_size \(\d+\)"
    ):
        GRPOAgent(config=config(curriculum=f"{__name__}:Hungry"), verifier=verifier).train()


def test_advice_on_memory_names_what_can_still_be_lowered(config: Make) -> None:
    def advice(*, generates: bool, **settings: Any) -> str:
        with pytest.raises(ConfigError) as told, advice_on_memory(config(**settings), generates=generates):
            raise torch.OutOfMemoryError("CUDA out of memory")
        return str(told.value)

    least = {"gradient_checkpointing": True, "tuning": "lora", "per_device_train_batch_size": 1}
    assert advice(generates=False, **least) == (
        "the GPU has too little memory (CUDA out of memory): shorten max_prompt_length and max_completion_length"
    )
    assert "lower steps_per_generation (8)" in advice(generates=True, **least, gradient_accumulation_steps=8)
    assert "tuning to lora" in advice(generates=True, tuning="full")


@pytest.mark.parametrize("loss", ["dr_grpo", "dapo", "grpo"])
def test_micro_batches_of_like_length_have_the_gradient_of_those_at_random(
    loss: str, train: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = {"gradient_accumulation_steps": 4, "max_steps": 2, "loss_type": loss, "dtype": "float32"}
    by_length = metrics(train(**changes, output_dir=str(tmp_path / "by length")))
    monkeypatch.setattr(trainer, "by_length", list)
    at_random = metrics(train(**changes, output_dir=str(tmp_path / "at random")))
    for one, other in zip(by_length, at_random, strict=True):
        assert one["grad_norm"] > 0
        assert one["grad_norm"] == pytest.approx(other["grad_norm"], rel=1e-4)
        assert one["reward"] == other["reward"]


def test_groups_of_several_generations_in_one_step_are_told_apart(train: Callable[..., Path]) -> None:
    folder = train(max_steps=2, steps_per_generation=1, gradient_accumulation_steps=2)
    rollouts = list(read_rollouts(folder / "reward_logs" / "completions.jsonl"))
    assert [rollout.group for rollout in rollouts] == [group for group in range(8) for _ in range(4)]
    assert [sum(record["groups"].values()) for record in metrics(folder)] == [4, 4]


def test_a_fault_of_ours_in_an_evaluation_does_not_end_the_training(
    train: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise EngineError("a worker died")

    monkeypatch.setattr(GRPOAgent, "evaluate", fail)
    assert len(metrics(train(max_steps=2, eval_steps=1))) == 2
    assert (
        "step 1: the evaluation failed by an infrastructure error and is left out: a worker died"
        in capsys.readouterr().out
    )


# --- trained models ---------------------------------------------------------------------------------------------------


def test_an_adapter_is_trained_saved_loaded_and_merged(
    train: Callable[..., Path], verifier: Verifier, tmp_path: Path, problems: list[Problem]
) -> None:
    folder = train(tuning="lora", lora_dropout=0.0, learning_rate=1e-2)
    assert (folder / "model" / "adapter_config.json").exists()
    agent = GRPOAgent.load(folder, problems, verifier=verifier)
    assert isinstance(agent, Agent)
    observations = [problem.statement for problem in problems[:3]]
    greedy = agent.policy.with_sampling(temperature=0.0)
    export(folder, tmp_path / "merged", dtype="float32")
    merged = load_policy(str(tmp_path / "merged")).with_sampling(temperature=0.0, max_tokens=24)
    assert merged.act(observations) == greedy.act(observations)
    with pytest.raises(ConfigError, match="is not empty"):
        export(folder, tmp_path / "merged")
    with pytest.raises(ConfigError, match="holds no agent"):
        GRPOAgent.load(tmp_path / "merged")


def test_an_export_has_the_precision_that_the_model_is_stored_in(tmp_path: Path) -> None:
    export(tiny_path(), tmp_path / "stored")
    export(tiny_path(), tmp_path / "single", dtype="float32")
    found = [
        AutoConfig.from_pretrained(place).dtype for place in (tiny_path(), tmp_path / "stored", tmp_path / "single")
    ]
    assert found == [torch.float16, torch.float16, torch.float32]


@pytest.mark.parametrize("tuning", ["lora", "full"])
def test_an_adapter_is_trained_further(
    tuning: str, train: Callable[..., Path], verifier: Verifier, tmp_path: Path, config: Make
) -> None:
    begun = train(tuning="lora", lora_dropout=0.0, max_steps=1, learning_rate=1e-2, output_dir=str(tmp_path / "first"))
    first = begun / "model"
    made = config(tuning=tuning, model=str(first), learning_rate=1e-2, beta=0.01, max_steps=2)
    observations = ["Write f.", "Write g."]
    agent = GRPOAgent(config=made, verifier=verifier)
    before = load_policy(str(first)).model.state_dict()
    agent.train()
    after = load_policy(str(tmp_path / "run" / "model"))
    assert (tmp_path / "run" / "model" / "adapter_config.json").exists() == (tuning == "lora")
    assert metrics(tmp_path / "run")[0]["kl"] == pytest.approx(0, abs=1e-6)  # to what the run began with
    if tuning == "lora":
        changed = [name for name, weights in after.model.state_dict().items() if not weights.equal(before[name])]
        assert changed
        assert all("lora_" in name for name in changed)
    greedy = agent.policy.with_sampling(temperature=0.0)
    assert after.with_sampling(temperature=0.0, max_tokens=24).act(observations) == greedy.act(observations)


def test_an_agent_evaluates_the_same_twice_and_acts(config: Make, verifier: Verifier) -> None:
    agent = GRPOAgent(config=config(eval_samples=3), verifier=verifier)
    first, second = agent.evaluate(), agent.evaluate()
    assert first == second
    assert first.samples == 12
    answers = agent.act(["Write f.", "Write g."])
    assert all(isinstance(answer, Completion) for answer in answers)
    assert agent.act(["Write f.", "Write g."]) != answers


def test_answers_are_drawn_by_our_settings_and_not_by_those_that_a_model_brings(model_folder: Path) -> None:
    policy = load_policy(str(model_folder)).with_sampling(temperature=0.0)
    policy.model.generation_config.repetition_penalty = 1.0
    plain = policy.act(["let f"])
    policy.model.generation_config.repetition_penalty = 100.0
    assert policy.act(["let f"]) == plain


def test_evaluations_while_training_do_not_change_the_training(train: Callable[..., Path], tmp_path: Path) -> None:
    plain = train(output_dir=str(tmp_path / "plain"))
    watched = train(output_dir=str(tmp_path / "watched"), eval_steps=1)
    assert list(map(without_clocks, metrics(plain))) == list(map(without_clocks, metrics(watched)))
    state = json.loads((watched / "checkpoint-2" / "trainer_state.json").read_text())
    assert any("eval_pass@1" in record for record in state["log_history"])


# --- several turns ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chat", [False, True])
def test_a_run_of_several_turns_pays_for_the_last_one(
    train: Callable[..., Path], chat: bool, chat_folder: Path, model_folder: Path
) -> None:
    folder = train(max_turns=2, model=str(chat_folder if chat else model_folder), max_steps=1)
    rollouts = list(read_rollouts(folder / "reward_logs" / "completions.jsonl"))
    assert sorted({rollout.turn for rollout in rollouts}) == [1, 2]
    last = [rollout for rollout in rollouts if rollout.turn == 2]
    assert len(last) == 8
    assert metrics(folder)[0]["reward"] == pytest.approx(sum(rollout.total for rollout in last) / 8)


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_says_what_is_wrong_and_checks_without_training(
    config: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.yaml"
    path.write_text(config().to_yaml())
    assert main(["--config", str(path), "--problems", "bundled:eval"]) == 2
    assert "belong to an evaluation" in capsys.readouterr().err
    assert main(["--config", str(path), "--check"]) == 0
    assert "24 problems, model" in capsys.readouterr().out
    assert not (tmp_path / "run").exists()
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "--learning_rate" in capsys.readouterr().out
