"""The sources of a configuration, by precedence: defaults, a YAML file, the environment, the command line.

The last overrides. The environment has the names of the seed's run (``TRAINING_DATASET``, ``GRPO_...``, ``LORA_...``,
``RUNAWAY_PENALTY_MULTIPLIER``, ``MIN_NON_EMPTY_LINES``). The run keeps the resolved values as ``config.yaml``.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import yaml

from agents.config import Config
from agents.health.settings import variable_of
from ocaml_env import ConfigError
from ocaml_env.problem.record import nearest

__all__ = ["ENVIRONMENT", "add_arguments", "environment_of", "parse", "read_config", "read_yaml"]

_NAMES = [item.name for item in dataclasses.fields(Config)]

ENVIRONMENT: Mapping[str, str] = {variable_of(name): name for name in _NAMES}
"""Environment variable -> field: the seed's names, and ``GRPO_`` with the upper-case name of any other field."""


def read_config(
    *,
    path: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Config:
    """Reads a configuration. Precedence: default < YAML < environment < ``overrides`` (the command line).

    Args:
        path: a YAML file, or the name of one in ``agents/configs`` without its ``.yaml``.
        environment: variables; None reads none (the command reads ``os.environ``).
        overrides: values by field name; a string is converted to the type of its field.

    Raises:
        ConfigError: for an unknown name or an unusable value; the message names the nearest known name.
    """
    values: dict[str, Any] = {}
    if path is not None:
        values |= read_yaml(path)
    values |= _from_environment(environment or {})
    for name in overrides or {}:
        if name not in _NAMES:
            raise ConfigError(f"there is no setting {name!r}{nearest(name, _NAMES)}")
    return Config(**values | dict(overrides or {}))


def read_yaml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Reads the settings of a YAML file, or of a file in ``agents/configs`` by its name.

    Raises:
        ConfigError: if the file cannot be read, or holds an unknown setting.
    """
    folder = Path(__file__).parent / "configs"
    file = Path(path)
    if not file.exists() and (folder / f"{path}.yaml").exists():
        file = folder / f"{path}.yaml"
    try:
        values = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        ours = ", ".join(sorted(known.stem for known in folder.glob("*.yaml")))
        raise ConfigError(
            f"there is no configuration {os.fspath(path)!r}; those that come with agents/ are {ours}"
        ) from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{file}: {error}") from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ConfigError(f"{file}: a configuration is `name: value` lines, not a {type(values).__name__}")
    for name in values:
        if name not in _NAMES:
            raise ConfigError(f"{file}: there is no setting {name!r}{nearest(str(name), _NAMES)}")
    return values


def _from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    for name in environment:
        if name.startswith("GRPO_") and name not in ENVIRONMENT:
            raise ConfigError(f"there is no setting of the environment {name!r}{nearest(name, ENVIRONMENT)}")
    return {setting: environment[name] for name, setting in ENVIRONMENT.items() if name in environment}


def add_arguments(parser: argparse._ActionsContainer) -> None:
    """Adds an option for each field; ``--learning-rate`` is the same as ``--learning_rate``. Values stay strings."""
    kinds = get_type_hints(Config)
    for item in dataclasses.fields(Config):
        choices = get_args(kinds[item.name]) if get_origin(kinds[item.name]) is Literal else ()
        spellings = dict.fromkeys((f"--{item.name}", f"--{item.name.replace('_', '-')}"))
        default = ",".join(item.default) if isinstance(item.default, tuple) else item.default
        shown = "" if default in ("", None, dataclasses.MISSING) else f" (default: {default})"
        parser.add_argument(
            *spellings,
            dest=item.name,
            default=argparse.SUPPRESS,
            metavar="|".join(choices) or "VALUE",
            help=(item.metadata["help"] + shown).replace("%", "%%"),
        )


def environment_of(process: Mapping[str, str]) -> dict[str, str]:
    """Selects the variables of a run from those of a process: any of ``ENVIRONMENT`` or with the prefix ``GRPO_``."""
    return {name: value for name, value in process.items() if name in ENVIRONMENT or name.startswith("GRPO_")}


def parse(arguments: Sequence[str] | None, parser: argparse.ArgumentParser) -> tuple[Config, argparse.Namespace]:
    """Reads the configuration of a command from its ``--config``, its environment and its options."""
    parser.add_argument(
        "--config", metavar="FILE", help="a YAML file, or the name of one in agents/configs, such as tiny"
    )
    add_arguments(parser.add_argument_group("settings", "override the file and the environment"))
    parser.usage = f"{parser.prog} [options] [--SETTING VALUE ...]"  # without a line for each setting
    options = parser.parse_args(arguments)
    overrides = {name: value for name, value in vars(options).items() if name in _NAMES}
    config = read_config(path=options.config, environment=environment_of(os.environ), overrides=overrides)
    return config, options
