"""The configuration of a run: its sources, their precedence, and errors."""

from __future__ import annotations

import argparse
import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from agents.config import Config
from agents.config_sources import ENVIRONMENT, parse, read_config, read_yaml
from agents.endless import endless_sources
from ocaml_env import ConfigError, Verifier
from ocaml_env.problems.generators.registry import FAMILIES
from ocaml_env.reward import RewardSpec

CONFIGS = sorted((Path(__file__).parents[2] / "agents" / "configs").glob("*.yaml"))


def written(folder: Path, **values: Any) -> Path:
    path = folder / "run.yaml"
    path.write_text(yaml.safe_dump(values))
    return path


def test_a_later_source_overrides_an_earlier_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_config().temperature == 1.0
    path = written(tmp_path, temperature=0.5, num_generations=4)
    assert read_config(path=path).temperature == 0.5
    environment = {"GRPO_TEMPERATURE": "0.6"}
    assert read_config(path=path, environment=environment).temperature == 0.6
    assert read_config(path=path, environment=environment, overrides={"temperature": "0.7"}).temperature == 0.7
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    config, _ = parse(["--config", str(path)], argparse.ArgumentParser())
    assert (config.temperature, config.num_generations) == (0.6, 4)
    config, _ = parse(["--config", str(path), "--temperature", "0.7"], argparse.ArgumentParser())
    assert config.temperature == 0.7


def test_every_variable_of_the_seed_sets_what_it_set_there() -> None:
    seed = {
        "TRAINING_DATASET": "kiranpg/ocaml-training-problems",
        "GRPO_BATCH_SIZE": "4",
        "GRPO_GRAD_ACCUM_STEPS": "3",
        "GRPO_NUM_GENERATIONS": "6",
        "GRPO_MAX_PROMPT": "700",
        "GRPO_MAX_COMPLETION": "500",
        "GRPO_NUM_EPOCHS": "2.5",
        "GRPO_LEARNING_RATE": "5e-6",
        "GRPO_TEMPERATURE": "0.9",
        "GRPO_MAX_GRAD_NORM": "0.7",
        "GRPO_LOGGING_STEPS": "2",
        "LORA_R": "16",
        "LORA_ALPHA": "8",
        "LORA_DROPOUT": "0.1",
        "LORA_BIAS": "all",
        "LORA_TARGET_MODULES": "q_proj,v_proj",
    }
    config = read_config(environment=seed)
    assert config.problems == "kiranpg/ocaml-training-problems"
    assert (config.per_device_train_batch_size, config.gradient_accumulation_steps, config.num_generations) == (4, 3, 6)
    assert (config.max_prompt_length, config.max_completion_length, config.num_train_epochs) == (700, 500, 2.5)
    assert (config.learning_rate, config.temperature, config.max_grad_norm, config.logging_steps) == (5e-6, 0.9, 0.7, 2)
    assert (config.lora_r, config.lora_alpha, config.lora_dropout, config.lora_bias) == (16, 8, 0.1, "all")
    assert config.lora_target_modules == ("q_proj", "v_proj")
    penalties = {"RUNAWAY_PENALTY_MULTIPLIER": "0.5", "MIN_NON_EMPTY_LINES": "3"}
    paid = read_config(environment=penalties, overrides={"reward": "seed-2025-12-10"}).reward_spec()
    assert (paid.runaway_penalty_multiplier, paid.min_non_empty_lines) == (0.5, 3)


def test_the_penalties_of_the_seed_are_refused_with_another_reward() -> None:
    with pytest.raises(ConfigError, match="min_non_empty_lines"):
        read_config(environment={"MIN_NON_EMPTY_LINES": "8"})


def test_an_unknown_variable_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match="GRPO_TEMPRATURE.*did you mean 'GRPO_TEMPERATURE'"):
        read_config(environment={"GRPO_TEMPRATURE": "1"})


def test_unknown_names_are_refused_wherever_they_stand(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean 'num_generations'"):
        read_yaml(written(tmp_path, num_generation=3))
    with pytest.raises(ConfigError, match="did you mean 'temperature'"):
        read_config(overrides={"temperatur": 1})
    with pytest.raises(ConfigError, match="those that come with agents/ are .*seed"):
        read_config(path="no-such-config")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("temperature", "hot", "temperature must be a number"),
        ("temperature", 0, "temperature must be above 0"),
        ("temperature", float("nan"), "finite"),
        ("max_steps", 0, "max_steps must be from 1, or -1"),
        ("num_generations", 1, "num_generations must be from 2"),
        ("num_generations", 2.5, "whole number"),
        ("lora_dropout", 1.5, "from 0 to 1"),
        ("tuning", "lorra", "did you mean 'lora'"),
        ("use_vllm", "maybe", "true or false"),
        ("reward", "stagged", "did you mean 'staged'"),
        ("curriculum", "weeks", "must be one of none, epochs, thirds, ladder, uniform"),
        ("trl", "top_k", "mapping"),
        ("model", 3, "must be a text"),
    ],
)
def test_a_value_that_no_run_can_use_is_refused_by_name(name: str, value: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_config(overrides={name: value})


def test_the_configuration_in_the_docs_can_be_used(tmp_path: Path, verifier: Verifier) -> None:
    page = (Path(__file__).parents[2] / "docs" / "curricula.md").read_text()
    (text,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "ladder.yaml").write_text(text)
    config = read_config(path=tmp_path / "ladder.yaml")
    assert (config.curriculum, config.resample_tied) == ("ladder", 1)
    generated, repair = endless_sources(config.problems, seed=0, verifier=verifier)
    assert {cell.level for cell in generated.cells} == {"1", "2", "3"}
    assert all(cell.name.startswith("repair:") for cell in repair.cells)
    families = {cell.name.removeprefix("repair:") for cell in (*generated.cells, *repair.cells)}
    assert {FAMILIES[family].split for family in families} == {"train"}  # a run would refuse the others


def test_a_curriculum_and_a_filter_do_not_both_choose_problems() -> None:
    with pytest.raises(ConfigError, match="both choose problems: set solve_rate_filter to false"):
        read_config(overrides={"curriculum": "ladder", "solve_rate_filter": True})


def test_a_curriculum_needs_a_reward_with_four_parts() -> None:
    assert read_config(overrides={"curriculum": "thirds"}).curriculum_spec() is not None
    with pytest.raises(ConfigError, match="four parts"):
        read_config(overrides={"curriculum": "epochs", "reward": "binary"})


def test_what_is_written_into_a_run_is_read_back_the_same(tmp_path: Path) -> None:
    config = read_config(
        overrides={
            "learning_rate": "8e-6",
            "report_to": "wandb,tensorboard",
            "trl": "{top_k: 50}",
            "steps_per_generation": 4,
        }
    )
    path = tmp_path / "config.yaml"
    path.write_text(config.to_yaml())
    assert read_config(path=path) == config


def test_every_field_has_a_variable_and_is_explained() -> None:
    names = {item.name for item in dataclasses.fields(Config)}
    assert set(ENVIRONMENT.values()) == names
    assert all(item.metadata["help"] for item in dataclasses.fields(Config))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_the_configurations_that_come_along_can_be_read(path: Path) -> None:
    config = read_config(path=path)
    batch = config.per_device_train_batch_size * (config.steps_per_generation or config.gradient_accumulation_steps)
    assert batch % config.num_generations == 0
    assert config == read_config(path=path.stem)


def test_the_run_of_the_seed_is_there_to_the_letter() -> None:
    seed, fixed = read_config(path="seed"), read_config(path="seed-fixed")
    assert seed.reward_spec() == RewardSpec.preset("seed-2025-12-10")
    assert (seed.per_device_train_batch_size, seed.gradient_accumulation_steps, seed.num_generations) == (4, 6, 6)
    changed = {
        item.name: (getattr(seed, item.name), getattr(fixed, item.name))
        for item in dataclasses.fields(Config)
        if getattr(seed, item.name) != getattr(fixed, item.name)
    }
    assert changed == {
        "output_dir": ("grpo_runs", "grpo_runs/seed-fixed"),
        "temperature": (0.9, 1.1),
        "num_generations": (6, 8),
        "learning_rate": (5e-6, 8e-6),
        "max_completion_length": (512, 600),
    }


def test_what_yaml_and_trl_mean_by_off_and_none_is_understood(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("health: off\nreport_to: none\n")
    config = read_config(path=path)
    assert (config.health, config.report_to) == ("off", ())
    with pytest.raises(ConfigError, match="trl must be a mapping"):
        read_config(overrides={"trl": "{top_k: 50"})
