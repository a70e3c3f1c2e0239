"""The folder of a run: its last checkpoint, its saved model, its configuration and versions."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import json
import platform
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from agents.config import Config
from agents.logs import METRICS, cut_back
from ocaml_env import ConfigError
from ocaml_env.evaluation.files import write_whole

__all__ = [
    "MODEL",
    "STATE",
    "check_resume",
    "differences",
    "last_checkpoint",
    "note_saved",
    "open_run",
    "read_versions",
    "saved_step",
    "step_of",
    "versions",
    "write_config",
]

MODEL = "model"
"""The folder of the trained weights in a run: an adapter, or all."""

STATE = "ocaml_env.json"
"""Our state in a checkpoint. It is written last: without it the checkpoint is incomplete, because the run died."""

CONFIG = "config.yaml"
VERSIONS = "versions.json"

README = "README.md"
_README = """\
# {name}

A training of `{model}` by GRPO on {problems} OCaml problems, with the reward of ocaml-env (`{reward}`).

- `model/` is what was trained, once the run has ended; `checkpoint-N/` is what it goes on from.
- `config.yaml` has every setting, `versions.json` the versions of all that figures depend on.
- `python -m agents.health {name}` says how the run went, in `report.html` with plots.
"""

FINISHED = "finished.json"
"""The step of the saved model. It is written last: without it the model is incomplete, because the run died."""


def last_checkpoint(folder: Path) -> Path | None:
    """The latest complete checkpoint of a run; None if there is none."""
    found = [
        (int(match[1]), path)
        for path in folder.glob("checkpoint-*")
        if (match := re.fullmatch(r"checkpoint-(\d+)", path.name)) and (path / STATE).exists()
    ]
    return max(found)[1] if found else None


def step_of(checkpoint: Path | None) -> int:
    """The optimiser steps before a checkpoint; 0 without one."""
    return 0 if checkpoint is None else int(checkpoint.name.removeprefix("checkpoint-"))


def saved_step(folder: Path) -> int:
    """The step of the completely saved model of a run; 0 if there is none."""
    file = folder / FINISHED
    return int(json.loads(file.read_text(encoding="utf-8"))["step"]) if file.exists() else 0


def note_saved(folder: Path, step: int) -> None:
    """Records that the model of this step is saved."""
    write_whole(folder / FINISHED, json.dumps({"step": step}) + "\n")


def open_run(config: Config) -> Path | None:
    """Makes or re-opens the folder of a run. Returns its last checkpoint, if there is one.

    Removes all records after the checkpoint. Without a checkpoint the run begins anew.

    Raises:
        ConfigError: if the folder holds a run, and ``resume`` is ``never``.
        OSError: if the folder cannot be written.
    """
    folder = Path(config.output_dir)
    checkpoint = last_checkpoint(folder)
    if config.resume == "never" and ((folder / METRICS).exists() or checkpoint):
        raise ConfigError(
            f"{folder} holds a run already: choose another output_dir, or `resume: auto` to go on with it"
        )
    folder.mkdir(parents=True, exist_ok=True)
    cut_back(folder, step_of(checkpoint))
    return checkpoint


def check_resume(folder: Path, config: Config) -> None:
    """Refuses the checkpoint of another model, because its weights would not fit.

    Raises:
        ConfigError: the message names the changed settings.
    """
    fixed = ["model", "tuning"]
    if config.tuning == "lora":
        fixed += ["lora_r", "lora_bias", "lora_target_modules"]
    changed = differences(folder, config)
    wrong = [f"{name} was {changed[name][0]}, not {changed[name][1]}" for name in fixed if name in changed]
    if wrong and last_checkpoint(folder) is not None:
        raise ConfigError(
            f"{folder} holds a run of another model, which this one cannot go on from: {'; '.join(wrong)}. Choose "
            "another output_dir"
        )


def differences(folder: Path, config: Config) -> dict[str, tuple[Any, Any]]:
    """The settings changed since the run began: name -> (then, now)."""
    path = folder / CONFIG
    if not path.exists():
        return {}
    before = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    now = yaml.safe_load(config.to_yaml())
    names = [item.name for item in dataclasses.fields(Config)]
    return {name: (before.get(name), now[name]) for name in names if before.get(name) != now[name]}


def write_config(folder: Path, config: Config, suite: Mapping[str, Any]) -> None:
    """Writes a README of the folder, the resolved configuration, and all versions that figures depend on."""
    write_whole(
        folder / README,
        _README.format(
            name=folder.resolve().name, model=config.model, reward=config.reward, problems=suite["problems"]
        ),
    )
    write_whole(folder / CONFIG, config.to_yaml())
    write_whole(folder / VERSIONS, json.dumps(versions() | dict(suite), indent=1) + "\n")


def read_versions(folder: Path) -> dict[str, Any]:
    """The versions at the beginning of a run; empty if it has not begun."""
    file = folder / VERSIONS
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}


def versions() -> dict[str, str]:
    """The versions of Python and of the packages."""
    packages = ("ocaml-env", "torch", "transformers", "trl", "peft", "accelerate", "datasets")
    return {"python": platform.python_version()} | {name: importlib.metadata.version(name) for name in packages}
