"""Checks a run before its model is loaded.

Reports in a second faults that would otherwise stop a run after an hour: evaluation problems in the training set,
batches that do not divide into groups, prompts above the limit, checkpoints within a generation, a missing model, a
full disk.
"""

from __future__ import annotations

import copy
import dataclasses
import importlib.util
import math
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from accelerate import init_empty_weights
from transformers import AutoConfig, AutoModelForCausalLM, SchedulerType
from trl import GRPOConfig

from agents.config import Config
from agents.curriculum import curriculum_maker
from agents.lengths import prompt_length, reference_lengths
from ocaml_env import ConfigError, Problem, ProblemSet, PromptSpec
from ocaml_env.episode import EpisodeSpec
from ocaml_env.evaluation.models.hf import base_of, is_adapter, load_tokenizer, locate
from ocaml_env.problem.record import nearest
from ocaml_env.problems.sources import digest_of, read_sets, solved_examples

__all__ = ["Admission", "Plan", "check", "digest_of", "episode_spec", "read_sets", "training_set"]

_SPARE = 200_000_000  # bytes beside the checkpoints, for logs, the report and other programs


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
    _check_devices(processes)
    _check_split(problems, evaluation)
    if generates:
        _check_batches(config, processes)
        _check_saving(config)
    place = locate(config.model)
    tokenizer = load_tokenizer(config.model)
    spec = episodes or episode_spec(config)
    if config.use_vllm:
        _check_vllm(config, place, processes, spec.max_turns)
    fitting, left_out, longest = _fitting(problems, spec.prompts, tokenizer, config.max_prompt_length)
    if curriculum_maker(config.curriculum) is not None:
        longest = max(longest, config.max_prompt_length)  # later problems may be as long as that
    _check_context(config, place, longest, spec.max_turns)
    groups = _generation_batch(config, processes) // config.num_generations
    if generates and len(fitting) < groups:
        raise ConfigError(
            f"a generation asks {groups} different problems, and there are {len(fitting)}: give more, or lower "
            "per_device_train_batch_size or gradient_accumulation_steps, or raise num_generations"
        )
    _check_space(config, place)
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
    if generates:
        notes += _cut_references(fitting, config, tokenizer)
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
        problems=tuple(fitting),
        left_out=tuple(left_out),
        steps=_steps(config, len(fitting) // groups) if generates else 0,
        episodes=spec,
        tokenizer=tokenizer,
        notes=tuple(notes),
    )


class Admission:
    """Decides if a run may train on a problem that its curriculum has drawn. Call it with the problem."""

    def __init__(self, config: Config, spec: EpisodeSpec, tokenizer: Any, evaluation: Sequence[Problem]) -> None:
        self._config = config
        self._spec = spec
        self._tokenizer = copy.deepcopy(tokenizer)  # a tokenizer must not be used by two threads
        self._held_out = _HeldOut(evaluation)

    def __call__(self, problem: Problem) -> bool:
        config = self._config
        if problem in self._held_out or (config.max_lines and problem.reference_lines > config.max_lines):
            return False
        return prompt_length(problem, self._spec.prompts, self._tokenizer) <= config.max_prompt_length


class _HeldOut:
    """The problems of an evaluation: any of the split ``eval``, and any with the id, statement or digest of one of its
    problems.
    """

    def __init__(self, evaluation: Sequence[Problem]) -> None:
        self._known = {text for problem in evaluation for text in (problem.id, problem.statement, problem.digest)}

    def __contains__(self, problem: Problem) -> bool:
        texts = {problem.id, problem.statement, problem.digest}
        return problem.split == "eval" or not self._known.isdisjoint(texts)


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


def training_set(config: Config, problems: ProblemSet | None = None) -> ProblemSet:
    """The training set of a configuration: these problems, or those of its own source, filtered by level and length.

    Raises:
        ConfigError: if no problem is left.
    """
    problems = read_sets(config.training_source) if problems is None else problems
    chosen = problems
    if config.level:
        chosen = chosen.filter(level=config.level)
    if config.max_lines:
        chosen = chosen.filter(lines=(0, config.max_lines))
    if not chosen:
        raise ConfigError(f"none of the {len(problems)} problems of {problems.name!r} is left by level and max_lines")
    return chosen


def episode_spec(config: Config) -> EpisodeSpec:
    """The prompts and turns of a configuration."""
    shots = solved_examples(config.shots, config.shot_problems)
    spec = PromptSpec(style=config.prompt_style, shots=shots, instruction=config.instruction)
    prompts = PromptSpec.of(spec, prompt=config.prompt, feedback=config.feedback)
    return EpisodeSpec(prompts=prompts, max_turns=config.max_turns)


_LOSSES = ("grpo", "dr_grpo", "dapo", "bnpo", "cispo", "sapo", "luspo", "vespo")

# Reporter -> packages; one of them must be installed.
_REPORTERS = {"tensorboard": ("tensorboard", "tensorboardX"), "wandb": ("wandb",), "trackio": ("trackio",)}


def _check_installed(config: Config) -> None:
    for name in config.report_to:
        if name not in _REPORTERS:
            raise ConfigError(f"report_to names {name!r}{nearest(name, _REPORTERS)}; known are {', '.join(_REPORTERS)}")
        if not any(importlib.util.find_spec(package) for package in _REPORTERS[name]):
            raise ConfigError(f"report_to names {name!r}, which is not installed: pip install {name}")


def _check_vllm(config: Config, place: Path | str, processes: int, turns: int) -> None:
    if importlib.util.find_spec("vllm") is None:
        raise ConfigError(
            "use_vllm is true, and vLLM is not installed: pip install 'trl[vllm]', or set use_vllm to false"
        )
    server = config.vllm_mode == "server"
    if server and not torch.cuda.is_available():
        raise ConfigError(
            "a vLLM server gets new weights from GPU to GPU, and there is none here: set vllm_mode to colocate"
        )
    if isinstance(place, Path) and place.is_file():
        raise ConfigError(f"vLLM takes no new weights into a GGUF file: python -m agents.export {place} --out FOLDER")
    _check_packing(config, place)
    if turns == 1:
        return
    if server and processes > 1:
        raise ConfigError(
            "with a vLLM server all processes generate together, and episodes of several turns end at different "
            "times: set vllm_mode to colocate, or max_turns to 1, or train in one process"
        )
    if config.trl.get("vllm_tensor_parallel_size", 1) > 1:
        raise ConfigError(
            "processes that share a vLLM generate together, and episodes of several turns end at different "
            "times: set vllm_tensor_parallel_size to 1, or max_turns to 1"
        )


_EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts")
_ATTENTION = {"full_attention", "sliding_attention", "chunked_attention"}


def _check_packing(config: Config, place: Path | str) -> None:
    """Refuses experts and convolutions on a CPU: vLLM packs their weights once, on loading, and would draw with these
    at every step. Linear layers are no problem: ``vllm_weights`` keeps vLLM from packing them.
    """
    if torch.cuda.is_available():
        return
    settings = AutoConfig.from_pretrained(base_of(place)).get_text_config()
    experts = any(getattr(settings, name, None) for name in _EXPERTS)
    if experts or set(getattr(settings, "layer_types", None) or ()) - _ATTENTION:
        raise ConfigError(
            f"on a CPU vLLM packs the {'experts' if experts else 'layers'} of {config.model!r} for its kernels, and "
            "takes no new weights for them: set use_vllm to false"
        )


def _check_devices(processes: int) -> None:
    visible = torch.cuda.device_count()
    if processes == 1 and visible > 1:
        raise ConfigError(
            f"{visible} GPUs are visible to one process, which can train on one: `accelerate launch -m agents.grpo` "
            "trains on all of them, CUDA_VISIBLE_DEVICES=0 in front of the command on the first"
        )


def _check_split(problems: Sequence[Problem], evaluation: Sequence[Problem]) -> None:
    held_out = _HeldOut(evaluation)
    wrong = [problem.id for problem in problems if problem in held_out]
    if wrong:
        raise ConfigError(
            f"{len(wrong)} problems of the training set belong to an evaluation, such as {wrong[0]!r}: an agent that "
            "was trained on them cannot be evaluated on them. Train on `bundled:train` or on `generated:...`, or "
            "divide your own set: holdout 0.2 trains on 80% of it and evaluates on the rest"
        )


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


def _fitting(
    problems: Sequence[Problem], prompts: PromptSpec, tokenizer: Any, most: int
) -> tuple[list[Problem], list[str], int]:
    """The problems with prompts of at most ``most`` tokens, the ids of the others, and the longest such prompt."""
    lengths = [prompt_length(problem, prompts, tokenizer) for problem in problems]
    fitting = [problem for problem, tokens in zip(problems, lengths, strict=True) if tokens <= most]
    left_out = [problem.id for problem, tokens in zip(problems, lengths, strict=True) if tokens > most]
    if not fitting:
        raise ConfigError(
            f"every prompt has more than {most} tokens; the shortest has {min(lengths)}: raise max_prompt_length, or "
            "use fewer shots"
        )
    return fitting, left_out, max(tokens for tokens in lengths if tokens <= most)


def _cut_references(problems: Sequence[Problem], config: Config, tokenizer: Any) -> Iterator[str]:
    """Yields a note if answers as long as the references would be cut off."""
    lengths = reference_lengths(problems, config.prompt_style, tokenizer)
    long = sum(tokens > config.max_completion_length for tokens in lengths)
    if long:
        yield (
            f"{long} of {len(problems)} references have more than {config.max_completion_length} tokens "
            f"(max_completion_length), the longest {max(lengths)}: answers that long are cut off"
        )


def _check_context(config: Config, place: Path | str, longest: int, turns: int) -> None:
    """The prompt and all answers must fit into the context of the model. Feedback comes on top; it is not counted."""
    if isinstance(place, Path) and (place.is_file() or is_adapter(place)):
        return  # its configuration does not give the length of the context
    context = getattr(AutoConfig.from_pretrained(place), "max_position_embeddings", None)
    needed = longest + turns * config.max_completion_length
    if context is not None and needed > context:
        answers = "an answer" if turns == 1 else f"{turns} answers"
        raise ConfigError(
            f"the longest prompt has {longest} tokens, which with {answers} of {config.max_completion_length} make "
            f"{needed}, and {config.model!r} reads {context} at most: lower max_prompt_length, max_completion_length "
            "or max_turns"
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


def _check_space(config: Config, place: Path | str) -> None:
    """The disk must have room for the checkpoints: trained weights in float32, and two moments of AdamW for each."""
    folder = Path(config.output_dir).absolute()
    # The checkpoints of a resumed run count towards the room it needs.
    held = sum(file.stat().st_size for file in folder.glob("checkpoint-*/**/*") if file.is_file())
    while not folder.exists():
        folder = folder.parent
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise ConfigError(f"{config.output_dir!r} cannot be written: {folder} is no folder that may be written")
    trained = _trained(config, place)
    free = shutil.disk_usage(folder).free + held
    needed = 12 * trained * (config.save_total_limit + 1) + _SPARE
    if free < needed:
        raise ConfigError(
            f"{folder} has {free / 1e9:.1f} GB free, and the checkpoints of this run need about {needed / 1e9:.1f} GB: "
            "choose another output_dir, or lower save_total_limit"
        )


def _trained(config: Config, place: Path | str) -> int:
    """The number of trained weights. A GGUF file does not give it: its size in bytes stands for it."""
    if isinstance(place, Path) and place.is_file():
        return place.stat().st_size if config.tuning == "full" else 0
    if isinstance(place, Path) and is_adapter(place):
        return sum(file.stat().st_size for file in place.glob("adapter_model.*")) // 4
    settings = AutoConfig.from_pretrained(place)
    with init_empty_weights():
        model = AutoModelForCausalLM.from_config(settings)
    weights = sum(parameter.numel() for parameter in model.parameters())
    trained = weights if config.tuning == "full" else _adapter_size(model, config)
    if not trained:
        modules = ", ".join(config.lora_target_modules)
        raise ConfigError(f"the model {config.model!r} has none of the modules of lora_target_modules: {modules}")
    return trained


def _adapter_size(model: Any, config: Config) -> int:
    return sum(
        config.lora_r * (module.in_features + module.out_features)
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.Linear) and name.rsplit(".", 1)[-1] in config.lora_target_modules
    )
