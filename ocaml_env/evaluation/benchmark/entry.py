"""A run of a benchmark: the settings that it fixes, and what its record says of the benchmark and the weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.benchmark.fresh import seed_of_weights, weights_digest
from ocaml_env.evaluation.benchmark.manifest import manifest
from ocaml_env.evaluation.benchmark.outside import outside_of
from ocaml_env.evaluation.benchmark.tracks import FRESH, fixed_settings
from ocaml_env.evaluation.config import BenchmarkRun
from ocaml_env.evaluation.models.base import NAMED

__all__ = ["Entry", "open_entry", "read_secret"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A run to be.

    Attributes:
        settings: options of ``ocaml-env evaluate`` that are fixed.
        usual: options that may be given, and their values otherwise.
        record: the field ``benchmark`` of ``config.json``.
    """

    settings: Mapping[str, Any]
    usual: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    record: BenchmarkRun


def open_entry(name: str, *, model: str, secret: Path | None = None, weights: str | None = None) -> Entry:
    """Prepares a run of a track, or of a benchmark of others.

    Args:
        name: its name.
        model: as for ``--model``.
        secret: file with the secret of the fresh track.
        weights: SHA-256 of the model's weights, in hexadecimal; None computes it if the model is a local folder.

    Raises:
        ConfigError: if the name is unknown, or the fresh track lacks its secret or the digest.
    """
    weights = weights or _weights_of(model)
    if outside := outside_of(name):
        usual = {**outside.usual, **({"n": None} if model.startswith("completions:") else {})}  # as many as it has
        record = BenchmarkRun(name=name, version=None, weights=weights)
        return Entry(settings=outside.settings, usual=usual, record=record)
    settings = fixed_settings(name)
    source = name
    if name == FRESH:
        if weights is None:
            raise ConfigError(f"{name} draws problems for the weights of a model: give their digest by --weights")
        source = f"{name}:{seed_of_weights(read_secret(secret) if secret else '', weights)}"
    record = BenchmarkRun(name=name, version=len(manifest().changes), weights=weights)
    return Entry(settings={**settings, "problems": source}, record=record)


def read_secret(file: Path) -> str:
    """Reads the secret of a fresh track; blank space around it does not count.

    Raises:
        ConfigError: if the file cannot be read.
    """
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: the secret cannot be read: {error}") from None


def _weights_of(model: str) -> str | None:
    kind, _, name = model.partition(":")
    place = NAMED.get(name) or Path(name).expanduser()
    in_process = kind in ("hf", "vllm") or model == "agent:tiny"
    return weights_digest(place) if in_process and place.exists() else None
