"""Errors of a run are reported before its model is loaded."""

from __future__ import annotations

import importlib.util
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from agents import preflight
from agents.config import Config
from agents.preflight import check
from agents.training_set import episode_spec, training_set
from ocaml_env import ConfigError, Problem, load_problems
from ocaml_env.problems import to_jsonl
from ocaml_env.problems.sources import read_sets
from tests.random_model import write_gguf

Make = Callable[..., Config]


def run(config: Config, problems: Sequence[Problem], **keywords: Any) -> preflight.Plan:
    return check(config, problems, load_problems(config.eval_problems), **keywords)


def test_a_run_that_can_be_made_is_planned(config: Make, problems: list[Problem]) -> None:
    plan = run(config(), problems)
    assert plan.problems == tuple(problems)
    assert plan.left_out == ()


def test_problems_of_an_evaluation_split_are_not_trained_on(config: Make, problems: list[Problem]) -> None:
    held_out = list(load_problems("bundled:eval"))[:2]
    with pytest.raises(ConfigError, match=f"2 problems of the training set.*{held_out[0].id}"):
        run(config(), [*problems, *held_out])
    with pytest.raises(ConfigError, match="belong to an evaluation.*or divide your own set: holdout 0.2"):
        check(config(), problems, problems[:1])


def test_one_setting_divides_a_set_for_training_and_evaluation(config: Make, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    to_jsonl((replace(problem, split="") for problem in load_problems("bundled:train?level=3")), path)
    both = f"{path}+bundled:train?level=4"
    made = config(problems=both, holdout=0.2, eval_problems="bundled:eval")
    training, evaluation = training_set(made), read_sets(made.evaluation_source)
    assert {problem.id for problem in read_sets(both)} == {*training.by_id, *evaluation.by_id}
    assert training.by_id.keys().isdisjoint(evaluation.by_id)
    assert 20 <= len(evaluation) <= 50 <= len(training)  # levels are chosen after the division of the whole set
    assert check(made, training, evaluation).problems == tuple(training)
    assert made.evaluation_source == f"{path}?split=eval&holdout=0.2+bundled:train?level=4&split=eval&holdout=0.2"
    with pytest.raises(ConfigError, match="holdout divides a set of yours"):
        config(problems="generated:lists?n=3", holdout=0.2)


def test_a_batch_that_does_not_divide_into_groups_is_refused_with_what_would(
    config: Make, problems: list[Problem]
) -> None:
    with pytest.raises(ConfigError, match=r"4 completions.*groups of 6.*multiple of 3"):
        run(config(per_device_train_batch_size=4, num_generations=6), problems)
    run(config(per_device_train_batch_size=4, num_generations=6, gradient_accumulation_steps=3), problems)
    run(config(per_device_train_batch_size=3, num_generations=6), problems, processes=2)


def test_checkpoints_lie_between_generations(config: Make, problems: list[Problem]) -> None:
    with pytest.raises(ConfigError, match="save_steps is 2.*multiple of 3"):
        run(config(steps_per_generation=3), problems)
    run(config(steps_per_generation=3, save_steps=6), problems)


def test_checkpoints_lie_at_log_lines(config: Make, problems: list[Problem]) -> None:
    with pytest.raises(ConfigError, match="save_steps is 2 and logging_steps 3"):
        run(config(logging_steps=3), problems)


def test_prompts_that_are_too_long_are_left_out_and_counted_and_all_of_them_are_refused(
    config: Make, problems: list[Problem]
) -> None:
    long = Problem(id="long", statement="word " * 2000, signature="val f : int", tests=("f = 1",))
    plan = run(config(), [*problems, long])
    assert plan.left_out == ("long",)
    assert "1 of 25 problems are left out" in plan.notes[0]
    with pytest.raises(ConfigError, match="every prompt has more than 5 tokens; the shortest has"):
        run(config(max_prompt_length=5), problems)


def test_answers_that_the_model_could_not_read_to_their_end_are_refused(config: Make, problems: list[Problem]) -> None:
    with pytest.raises(ConfigError, match=r"an answer of 2040 .* reads 2048 at most: lower max_prompt_length"):
        run(config(max_completion_length=2040), problems)
    with pytest.raises(ConfigError, match=r"19 answers of 112 .* or max_turns"):
        run(config(max_completion_length=112, max_turns=19), problems)


def test_more_groups_than_problems_are_refused(config: Make, problems: list[Problem]) -> None:
    with pytest.raises(ConfigError, match="asks 2 different problems, and there are 1"):
        run(config(), problems[:1])


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("/no/such/folder", "no such folder"),
        ("nonsense", "a hub id is OWNER/NAME"),
        ("owner/no-such-model", "no folder 'owner/no-such-model', and the hub does not give"),
    ],
)
def test_a_model_that_is_not_there_is_refused(config: Make, problems: list[Problem], model: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        run(config(model=model), problems)


def test_a_folder_without_a_model_is_refused(config: Make, problems: list[Problem], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no model"):
        run(config(model=str(tmp_path)), problems)


def test_a_full_disk_is_met_before_the_run(
    config: Make, problems: list[Problem], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000))
    with pytest.raises(ConfigError, match="GB free, and the checkpoints of this run need about"):
        run(config(), problems)


def test_checkpoints_that_are_there_already_are_not_counted_twice(
    config: Make, problems: list[Problem], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "run" / "checkpoint-2").mkdir(parents=True)
    with (tmp_path / "run" / "checkpoint-2" / "model").open("wb") as file:
        file.truncate(300_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000))
    run(config(), problems)


def test_a_gguf_file_needs_the_same_room_as_its_folder(
    config: Make, problems: list[Problem], monkeypatch: pytest.MonkeyPatch, model_folder: Path, tmp_path: Path
) -> None:
    pytest.importorskip("gguf")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000))
    needed = []
    for model in (model_folder, write_gguf(model_folder, tmp_path / "model.gguf")):
        with pytest.raises(ConfigError, match=r"need about [1-9][0-9.]+ GB") as error:
            run(config(model=str(model), save_total_limit=9_999), problems)
        needed.append(str(error.value).partition("need about")[2])
    assert needed[0] == needed[1]


def test_an_output_that_cannot_be_written_is_refused(config: Make, problems: list[Problem], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="cannot be written"):
        run(config(output_dir=str(tmp_path / "file" / "run")), problems)


def test_unknown_settings_of_trl_are_refused_with_the_nearest_name(config: Make, problems: list[Problem]) -> None:
    with pytest.raises(ConfigError, match="no setting 'topk'; did you mean 'top_k'"):
        run(config(trl={"topk": 3}), problems)
    with pytest.raises(ConfigError, match="temperature is a setting of its own"):
        run(config(trl={"temperature": 3}), problems)
    with pytest.raises(ConfigError, match="follows from the batch size"):
        run(config(trl={"generation_batch_size": 8}), problems)


def test_what_is_not_installed_is_named(config: Make, problems: list[Problem], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="did you mean 'wandb'"):
        run(config(report_to="wand"), problems)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="pip install trackio"):
        run(config(report_to="trackio"), problems)
    with pytest.raises(ConfigError, match="vLLM is not installed"):
        run(config(use_vllm=True), problems)


def test_what_vllm_cannot_do_is_refused(config: Make, problems: list[Problem], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match="set vllm_mode to colocate"):
        run(config(use_vllm=True, vllm_mode="server"), problems)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    made = config(max_turns=2, use_vllm=True, vllm_mode="server")
    run(made, problems)
    with pytest.raises(ConfigError, match="set vllm_mode to colocate"):
        run(made, problems, processes=2)
    with pytest.raises(ConfigError, match="set vllm_tensor_parallel_size to 1"):
        run(config(max_turns=2, use_vllm=True, trl={"vllm_tensor_parallel_size": 2}), problems)


@pytest.mark.parametrize(
    "changed",
    [
        {"model_type": "qwen3_moe", "num_experts": 8},
        {"model_type": "mixtral", "num_local_experts": 8},
        {"model_type": "qwen3_next", "num_experts": 0, "layer_types": ["linear_attention", "full_attention"]},
    ],
)
def test_a_model_whose_weights_vllm_would_not_take_is_refused_on_a_cpu(
    changed: dict[str, Any],
    config: Make,
    problems: list[Problem],
    model_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(model_folder, folder)
    settings = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**settings, "num_hidden_layers": 2, **changed}))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    run(config(use_vllm=True), problems)
    with pytest.raises(ConfigError, match="takes no new weights for them: set use_vllm to false"):
        run(config(use_vllm=True, model=str(folder)), problems)


def test_one_process_has_one_gpu(config: Make, problems: list[Problem], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    with pytest.raises(ConfigError, match="accelerate launch"):
        run(config(), problems)
    run(config(), problems, processes=2)


def test_sets_are_joined_and_filtered(config: Make) -> None:
    both = read_sets("generated:lists.pipeline?n=3 + generated:recursion.sequence?n=2")
    assert len(both) == 5
    easy = training_set(config(problems="bundled:train", level="4", max_lines=10))
    assert easy
    assert all(problem.level == 4 and problem.reference_lines <= 10 for problem in easy)
    with pytest.raises(ConfigError, match="is left by level and max_lines"):
        training_set(config(problems="generated:lists.pipeline?n=3", level="6", max_lines=1))


def test_few_shot_examples_are_short_solved_problems_of_the_training_split(config: Make) -> None:
    spec = episode_spec(config(shots=3))
    shots = spec.prompts.shots
    assert len(set(shots)) == 3
    assert all(shot.split == "train" and shot.reference for shot in shots)
    asked = load_problems("bundled:eval")[0]
    assert all(shot.reference in spec.prompts.text(asked) for shot in shots)
    with pytest.raises(ConfigError, match="evaluation split"):
        episode_spec(config(shots=1, shot_problems="bundled:eval"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"loss_type": "drgrpo"}, "loss_type is 'drgrpo'; did you mean 'dr_grpo'"),
        ({"lr_scheduler_type": "liner"}, "did you mean 'linear'"),
        ({"tuning": "lora", "lora_target_modules": "c_attn"}, "none of the modules of lora_target_modules: c_attn"),
    ],
)
def test_names_that_a_library_would_refuse_later_are_refused(
    config: Make, problems: list[Problem], changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        run(config(**changes), problems)
