"""The settings of an evaluation, as ``config.json`` holds them. They decide its samples, and a resumed run must have
the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from ocaml_env.errors import ConfigError

__all__ = ["BenchmarkRun", "RunConfig"]

_WRITTEN_IF_SET = ("threads", "stop", "thinking", "benchmark")  # older records lack them


@dataclass(frozen=True, kw_only=True)
class BenchmarkRun:
    """What a run says of its benchmark.

    Attributes:
        name: for ``--benchmark``: a track of ours, or a benchmark of others.
        version: number of changes in the manifest of ours; None for one of others.
        weights: SHA-256 of the model's weights, in hexadecimal; None if unknown.
    """

    name: str
    version: int | None
    weights: str | None


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """The settings of an evaluation, in the order of the file. None: the setting has no effect on this model.

    Attributes:
        digest: of the problems.
        left_out: ids of problems without a completion in the file of answers.
        n: samples of each problem.
        prompt_style: the style in use, not the option.
        reward: the preset's name, or ``module:attribute``.
        thinking: most tokens of thinking, in addition to ``max_tokens``.
        benchmark: None unless the run is one of ``--benchmark``.
        versions: of OCaml, Python, the reward and the libraries; "ocaml" decides verdicts.
        base_url: address of the model's server, or "".
        completions: SHA-256, in hexadecimal, of the file that the answers are read from.
    """

    model: str
    problems: str
    protocol: str | None
    digest: str
    limit: int
    left_out: Sequence[str]
    n: int
    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    turns: int
    prompt_style: str
    shots: int
    shot_problems: str
    instruction: str
    prefill: bool | None = None
    prompt: str = ""
    feedback: str = ""
    reward: str
    seed: int
    sandbox: str
    endpoint: str | None
    batch: int | None
    dtype: str | None
    threads: int = 0
    stop: Sequence[str] = ()
    thinking: int = 0
    benchmark: BenchmarkRun | None = None
    versions: Mapping[str, str]
    base_url: str = ""
    completions: str | None = None

    @classmethod
    def from_json(cls, value: Mapping[str, Any], file: Path) -> Self:
        """Reads the object of a file.

        Raises:
            ConfigError: if a field is missing or unknown.
        """
        known = {field.name: field.default is MISSING for field in fields(cls)}
        if missing := sorted(name for name, needed in known.items() if needed and name not in value):
            raise ConfigError(f"{file}: not the settings of an evaluation: {missing[0]!r} is missing")
        if unknown := sorted(value.keys() - known):
            raise ConfigError(f"{file}: {unknown[0]!r} is no setting of this version of ocaml-env")
        benchmark = value.get("benchmark")
        try:
            return cls(**{**value, "benchmark": BenchmarkRun(**benchmark) if benchmark else None})
        except TypeError as error:
            raise ConfigError(f"{file}: not a run of the benchmark: {error}") from None

    def to_json(self) -> dict[str, Any]:
        """Returns the object for the file."""
        return {name: value for name, value in asdict(self).items() if value or name not in _WRITTEN_IF_SET}

    def settings(self) -> dict[str, Any]:
        """Returns the object without the versions."""
        return {name: value for name, value in self.to_json().items() if name != "versions"}
