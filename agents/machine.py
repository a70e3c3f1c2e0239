"""Checks that a model and its training fit this machine: vLLM, GPUs, the context of the model, the disk."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from accelerate import init_empty_weights
from transformers import AutoConfig, AutoModelForCausalLM

from agents.config import Config
from ocaml_env import ConfigError
from ocaml_env.evaluation.models.hf import base_of, is_adapter

__all__ = [
    "advice_on_memory",
    "check_context",
    "check_devices",
    "check_space",
    "check_vllm",
    "context_of",
    "settings_of",
]

_SPARE = 200_000_000  # bytes beside the checkpoints, for logs, the report and other programs


def settings_of(place: Path | str) -> Any:
    """Reads the configuration of a model of ``locate``, with transformers; that of the base for an adapter."""
    if isinstance(place, Path) and place.is_file():
        return AutoConfig.from_pretrained(place.parent, gguf_file=place.name)
    return AutoConfig.from_pretrained(base_of(place))


def context_of(place: Path | str) -> float:
    """The most tokens that a model of ``locate`` reads; infinite if unknown."""
    return getattr(settings_of(place), "max_position_embeddings", None) or float("inf")


def check_vllm(config: Config, place: Path | str, processes: int, turns: int) -> None:
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
    settings = settings_of(place).get_text_config()
    experts = any(getattr(settings, name, None) for name in _EXPERTS)
    if experts or set(getattr(settings, "layer_types", None) or ()) - _ATTENTION:
        raise ConfigError(
            f"on a CPU vLLM packs the {'experts' if experts else 'layers'} of {config.model!r} for its kernels, and "
            "takes no new weights for them: set use_vllm to false"
        )


@contextlib.contextmanager
def advice_on_memory(config: Config, *, generates: bool) -> Iterator[None]:
    """Turns "out of memory" of a GPU inside the context into advice.

    Args:
        config: the settings of the run.
        generates: True if it generates its own answers, all those of a generation together.

    Raises:
        ConfigError: the message has the settings to change.
    """
    try:
        yield
    except torch.OutOfMemoryError as error:
        size, passes = config.per_device_train_batch_size, config.gradient_accumulation_steps
        told = ". ".join(str(error).split(". ")[:2])  # what follows is advice on the allocator
        advice = []
        if size > 1:
            advice.append(
                f"halve per_device_train_batch_size ({size}) and double gradient_accumulation_steps ({passes}), which "
                "keeps the batch"
            )
        if generates and not config.use_vllm and (together := config.steps_per_generation or passes) > 1:
            advice.append(f"if it happened while answers were generated, lower steps_per_generation ({together})")
        if not config.gradient_checkpointing:
            advice.append("set gradient_checkpointing to true")
        if config.tuning == "full":
            advice.append("set tuning to lora")
        advice.append("shorten max_prompt_length and max_completion_length")
        raise ConfigError(f"the GPU has too little memory ({told}): {'; or '.join(advice)}") from error


def check_devices(processes: int) -> None:
    visible = torch.cuda.device_count()
    if processes == 1 and visible > 1:
        raise ConfigError(
            f"{visible} GPUs are visible to one process, which can train on one: `accelerate launch --multi_gpu "
            "-m agents.grpo` trains on all of them, CUDA_VISIBLE_DEVICES=0 in front of the command on the first"
        )


def check_context(config: Config, place: Path | str, longest: int, turns: int) -> None:
    """The prompt and all answers must fit into the context of the model. Feedback comes on top; it is not counted."""
    context, needed = context_of(place), longest + turns * config.max_completion_length
    if needed > context:
        answers = "an answer" if turns == 1 else f"{turns} answers"
        raise ConfigError(
            f"the longest prompt has {longest} tokens, which with {answers} of {config.max_completion_length} make "
            f"{needed}, and {config.model!r} reads {context} at most: lower max_prompt_length, max_completion_length "
            "or max_turns"
        )


def check_space(config: Config, place: Path | str) -> None:
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
    """The number of trained weights."""
    if isinstance(place, Path) and is_adapter(place):
        return sum(file.stat().st_size for file in place.glob("adapter_model.*")) // 4
    with init_empty_weights():
        model = AutoModelForCausalLM.from_config(settings_of(place))
    if config.tuning == "full":
        return sum(parameter.numel() for parameter in model.parameters())
    trained = _adapter_size(model, config)
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
