"""Checks a run before its model is loaded.

Reports in a second faults that would otherwise stop a run after an hour: evaluation problems in the training set,
batches that do not divide into groups, prompts above the limit, checkpoints within a generation, a missing model, a
full disk.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from transformers import SchedulerType
from trl import GRPOConfig

from agents.config import Config
from agents.cpu import can_compile
from agents.curriculum import curriculum_maker
from agents.machine import check_context, check_devices, check_space, check_vllm
from agents.training_set import check_split, cut_references, episode_spec, fitting
from ocaml_env import ConfigError, Problem, ProblemSet
from ocaml_env.episode import EpisodeSpec
from ocaml_env.evaluation.models.hf import is_adapter, load_tokenizer, locate
from ocaml_env.problem.record import nearest

__all__ = ["Plan", "check", "check_trl"]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The plan of a checked run.

    Attributes:
        problems: the training set, without problems of too long prompts.
        left_out: the ids of these.
        steps: optimiser steps of the whole run; 0 if it does not generate.
        episodes: prompts and turns of an episode.
        tokenizer: the tokenizer of the model.
        notes: sentences for the user.
    """

    problems: tuple[Problem, ...]
    left_out: tuple[str, ...]
    steps: int
    episodes: EpisodeSpec
    tokenizer: Any
    notes: tuple[str, ...]


def check(
    config: Config,
    problems: Sequence[Problem],
    evaluation: Sequence[Problem],
    *,
    processes: int = 1,
    episodes: EpisodeSpec | None = None,
    generates: bool = True,
) -> Plan:
    """Checks a run.

    Args:
        config: the configuration.
        problems: the training set.
        evaluation: the problems of evaluations.
        processes: the number of training processes.
        episodes: prompts and turns of an episode; by default those of the configuration.
        generates: True if the run learns from groups of its own completions. False if it learns from given answers:
            it then has neither groups nor checkpoints, and reports too long answers itself.

    Raises:
        ConfigError: for the first fault that would make the run fail or worthless; the message names the remedy.
    """
    check_trl(config)
    _check_names(config)
    _check_installed(config)
    check_devices(processes)
    check_split(problems, evaluation)
    if generates:
        _check_batches(config, processes)
        _check_saving(config)
    place = locate(config.model)
    tokenizer = load_tokenizer(config.model)
    spec = episodes or episode_spec(config)
    if config.use_vllm:
        check_vllm(config, place, processes, spec.max_turns)
    kept, left_out, longest = fitting(problems, spec.prompts, tokenizer, config.max_prompt_length)
    if curriculum_maker(config.curriculum) is not None:
        longest = max(longest, config.max_prompt_length)  # later problems may be as long as that
    check_context(config, place, longest, spec.max_turns)
    groups = _generation_batch(config, processes) // config.num_generations
    if generates and len(kept) < groups:
        raise ConfigError(
            f"a generation asks {groups} different problems, and there are {len(kept)}: give more, or lower "
            "per_device_train_batch_size or gradient_accumulation_steps, or raise num_generations"
        )
    check_space(config, place)
    notes = [given.note for given in (problems, evaluation) if isinstance(given, ProblemSet) and given.note]
    if config.tuning == "lora" and is_adapter(place):
        notes.append(
            f"{config.model} is an adapter and is trained further: lora_r and the other lora_ settings are its own"
        )
    if left_out:
        notes.append(
            f"{len(left_out)} of {len(problems)} problems are left out: their prompts have more than "
            f"{config.max_prompt_length} tokens (max_prompt_length)"
        )
    if config.compile_layers and not can_compile():
        notes.append("layers are not compiled: there is no C++ compiler (apt-get install g++); training is slower")
    if generates:
        notes += cut_references(kept, config, tokenizer)
    if tokenizer.chat_template is None and config.prompt_style == "text":
        notes.append(
            "the tokenizer has no chat template: prompts are plain text; prompt_style `completion` may suit it better"
        )
    if tokenizer.chat_template is not None and config.prompt_style == "completion":
        notes.append(
            "prompt_style `completion` begins a file, and the tokenizer's chat template puts it in a message: `text` "
            "or `brief` suits it better"
        )
    return Plan(
        problems=tuple(kept),
        left_out=tuple(left_out),
        steps=_steps(config, len(kept) // groups) if generates else 0,
        episodes=spec,
        tokenizer=tokenizer,
        notes=tuple(notes),
    )


def check_trl(config: Config) -> None:
    """Refuses names under ``trl`` that ``GRPOConfig`` lacks, and names of our own fields.

    Raises:
        ConfigError: the message names the setting and the nearest known one.
    """
    known = {item.name for item in dataclasses.fields(GRPOConfig)}
    ours = {item.name for item in dataclasses.fields(Config)}
    for name in config.trl:
        if name == "shuffle_dataset":
            raise ConfigError("trl: shuffle_dataset has no effect: problems are chosen by a sampler of ours")
        if name == "generation_batch_size":
            raise ConfigError(
                "trl: generation_batch_size follows from the batch size and steps_per_generation: set those"
            )
        if name in ours:
            raise ConfigError(f"trl: {name} is a setting of its own: write it beside `trl`, not in it")
        if name not in known:
            raise ConfigError(f"trl: GRPOConfig has no setting {name!r}{nearest(name, known)}")


_LOSSES = ("grpo", "dr_grpo", "dapo", "bnpo", "cispo", "sapo", "luspo", "vespo")

# Reporter -> packages; one of them must be installed.
_REPORTERS = {"tensorboard": ("tensorboard", "tensorboardX"), "wandb": ("wandb",), "trackio": ("trackio",)}


def _check_installed(config: Config) -> None:
    for name in config.report_to:
        if name not in _REPORTERS:
            raise ConfigError(f"report_to names {name!r}{nearest(name, _REPORTERS)}; known are {', '.join(_REPORTERS)}")
        if not any(importlib.util.find_spec(package) for package in _REPORTERS[name]):
            raise ConfigError(f"report_to names {name!r}, which is not installed: pip install {name}")


def _generation_batch(config: Config, processes: int) -> int:
    passes = config.steps_per_generation or config.gradient_accumulation_steps
    return config.per_device_train_batch_size * passes * processes


def _steps(config: Config, generations: int) -> int:
    """The optimiser steps of a run of ``generations`` an epoch, as transformers counts them."""
    if config.max_steps > 0:
        return config.max_steps
    passes = (config.steps_per_generation or config.gradient_accumulation_steps) * config.num_iterations
    an_epoch = math.ceil(generations * passes / config.gradient_accumulation_steps)
    return math.ceil(config.num_train_epochs * an_epoch)


def _check_batches(config: Config, processes: int) -> None:
    batch = _generation_batch(config, processes)
    if batch % config.num_generations == 0:
        return
    size, group = config.per_device_train_batch_size, config.num_generations
    steps = next(n for n in range(1, group + 1) if size * n * processes % group == 0)
    raise ConfigError(
        f"a generation makes {batch} completions (per_device_train_batch_size {size} x "
        f"{batch // size // processes} backward passes x {processes} processes), which do not divide into groups of "
        f"{group} (num_generations): set gradient_accumulation_steps to a multiple of {steps}"
    )


def _check_saving(config: Config) -> None:
    passes = (config.steps_per_generation or config.gradient_accumulation_steps) * config.num_iterations
    if passes % config.gradient_accumulation_steps and config.gradient_accumulation_steps % passes:
        raise ConfigError(
            f"a generation lasts {passes} backward passes and an optimiser step {config.gradient_accumulation_steps}: "
            "one must be a multiple of the other (steps_per_generation x num_iterations, gradient_accumulation_steps)"
        )
    every = config.steps_of_a_generation
    if config.save_steps % config.logging_steps:
        raise ConfigError(
            f"save_steps is {config.save_steps} and logging_steps {config.logging_steps}: a run that is resumed "
            "between two log lines has lost what was not logged yet; set save_steps to a multiple of logging_steps"
        )
    if config.save_steps % every:
        raise ConfigError(
            f"save_steps is {config.save_steps}, but a generation serves {every} optimiser steps, and a run can be "
            f"resumed exactly only between two: set save_steps to a multiple of {every}"
        )


def _check_names(config: Config) -> None:
    """Refuses names that TRL and transformers would refuse only after loading the model or the first generation."""
    for name, known in (
        ("loss_type", _LOSSES),
        ("lr_scheduler_type", [scheduler.value for scheduler in SchedulerType]),
    ):
        value = getattr(config, name)
        if value not in known:
            raise ConfigError(f"{name} is {value!r}{nearest(value, known)}")
