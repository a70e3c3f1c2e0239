"""The evaluations beneath a directory, in tables of comparable runs.

Reads only ``summary.json``, and ``config.json`` to tell an unfinished run from a folder of something else. Kept results
need no samples.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.benchmark.manifest import NAME
from ocaml_env.evaluation.benchmark.submission import read_status
from ocaml_env.evaluation.benchmark.tracks import FRESH
from ocaml_env.evaluation.directory import read_config, read_summary
from ocaml_env.evaluation.levels import rungs
from ocaml_env.evaluation.models.base import short_name
from ocaml_env.evaluation.statistics import Estimate

__all__ = ["Run", "Suite", "Table", "find_runs", "tables_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """The suite of a table: runs must share the problems, the number of turns and the protocol.

    Attributes:
        name: its source of problems, as given to the run.
        digest: digest of the problems.
        problems: number of problems.
        turns: most answers of an episode.
        protocol: name of the protocol; "" for this project's own.
        benchmark: True for a track of the benchmark, with its settings. Its fresh problems differ between models.
    """

    name: str
    digest: str
    problems: int
    turns: int
    protocol: str
    benchmark: bool = False

    def __str__(self) -> str:
        name = f"benchmark {self.name}" if self.benchmark else self.name
        digest = f", digest {self.digest[:8]}" if self.digest else ""
        turns = f", {self.turns} turns" if self.turns > 1 else ""
        protocol = f", protocol {self.protocol}" if self.protocol else ""
        return f"{name}: {self.problems} problems{digest}{turns}{protocol}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One evaluation.

    Attributes:
        path: its directory.
        name: that directory, relative to the searched one.
        model: name of the model, for people.
        suite: its suite.
        n: samples of each problem.
        temperature: sampling temperature; None if the model has none.
        rates: k -> pass@k; None if it is undefined.
        funnel: stage -> its share of all samples.
        reward: mean reward; None without samples.
        tokens_per_second: speed of generation; None if the model reported no tokens.
        ocaml: version of OCaml.
        faults: number of faults.
        settings: all settings of the run.
        levels: level -> pass@1.
        benchmark: the part ``benchmark`` of the summary; None if the run is none of the benchmark.
        status: of its submission; "" if there is none.
        ours: pass@1 by our own verdict, for a run by another protocol; None otherwise.
        broken: problems whose tests compile with no completion, likewise.
        fresh_gap: by how much the score is above that on fresh problems, over the levels of both; None if unknown.
    """

    path: Path
    name: str
    model: str
    suite: Suite
    n: int
    temperature: float | None
    rates: Mapping[int, Estimate | None]
    funnel: Mapping[str, float]
    reward: float | None
    tokens_per_second: float | None
    ocaml: str
    faults: int
    settings: Mapping[str, Any]
    levels: Mapping[int, float] = field(default_factory=dict)
    benchmark: Mapping[str, Any] | None = None
    status: str = ""
    ours: Estimate | None = None
    broken: int | None = None
    fresh_gap: float | None = None

    @property
    def score(self) -> Estimate | None:
        """The figure that ranks the run: the mean over levels of the benchmark, else pass@1."""
        return _estimate(self.benchmark["score"]) if self.benchmark else self.rates.get(1)

    @property
    def weights(self) -> str:
        """The digest of its weights, or the name of its model."""
        return str((self.benchmark or {}).get("weights") or self.settings["model"])


@dataclass(frozen=True, slots=True)
class Table:
    """Runs on one suite, the highest score first; runs without a score come last."""

    suite: Suite
    runs: Sequence[Run]


def find_runs(root: Path) -> tuple[list[Run], list[str]]:
    """Finds the runs beneath a directory, and the reasons why others are left out, a sentence each.

    Raises:
        ConfigError: if there is no such directory.
    """
    if not root.is_dir():
        raise ConfigError(f"{root}: no such directory")
    runs, left_out = [], []
    for folder, folders, files in os.walk(root):
        folders.sort()
        try:
            if "summary.json" in files:
                runs.append(_read(Path(folder), root))
            elif "samples.jsonl" in files and "config.json" in files:
                left_out.append(f"{folder}: {read_config(folder).model} is not finished")
        except ConfigError as error:
            left_out.append(str(error))
    return runs, left_out


def tables_of(runs: Sequence[Run]) -> list[Table]:
    """Groups runs into tables, those of the benchmark first, then the table with the most problems."""
    by_suite: dict[Suite, list[Run]] = defaultdict(list)
    for run in _with_gaps(runs):
        by_suite[run.suite].append(run)
    suites = sorted(by_suite, key=lambda suite: (not suite.benchmark, -suite.problems, str(suite), suite.digest))
    return [Table(suite, sorted(by_suite[suite], key=_rank)) for suite in suites]


def _rank(run: Run) -> tuple[float, str, str]:
    score = run.score
    return (1.0 if score is None else -score.estimate, run.model, run.name)


def _with_gaps(runs: Sequence[Run]) -> Iterator[Run]:
    """The runs; those of the whole benchmark with the gap to the fresh run of the same weights, if there is one."""
    fresh = {run.weights: run.levels for run in runs if run.suite.benchmark and run.suite.name == FRESH}
    for run in runs:
        other = fresh.get(run.weights, {}) if run.suite.benchmark and run.suite.name == NAME else {}
        both = run.levels.keys() & other.keys()
        gap = math.fsum(run.levels[level] - other[level] for level in both) / len(both) if both else None
        yield replace(run, fresh_gap=gap)


def _read(path: Path, root: Path) -> Run:
    summary = read_summary(path)
    try:
        return _run(path, root, summary)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{path / 'summary.json'}: not the summary of an evaluation: {error!r}") from None


def _run(path: Path, root: Path, summary: Mapping[str, Any]) -> Run:
    suite, settings, benchmark = summary["suite"], summary["settings"], summary.get("benchmark")
    protocol = summary.get("protocol")
    fresh = benchmark is not None and benchmark["name"] == FRESH
    return Run(
        path=path,
        name=path.relative_to(root).as_posix(),
        model=short_name(summary["model"]),
        suite=Suite(
            name=short_name((benchmark or settings.get("benchmark") or suite)["name"]),
            digest="" if fresh else str(suite["digest"]),
            problems=int(suite["problems"]),
            turns=int(settings["turns"]),
            protocol=str(settings.get("protocol") or ""),
            benchmark=bool(benchmark),
        ),
        n=int(summary["n"]),
        temperature=_number(settings["temperature"]),
        rates={int(k): _estimate(summary[f"pass@{k}"]) for k in summary["k"]},
        funnel={name: float(share) for name, share in summary["funnel"].items()},
        reward=_number(summary["reward"]["mean"]),
        tokens_per_second=_number(summary["tokens_per_second"]),
        ocaml=str(summary["versions"]["ocaml"]),
        faults=int(summary["faults"]["count"]),
        settings=settings,
        levels={rung.level: rung.rate for rung in rungs(summary)},
        benchmark=benchmark,
        status=str(read_status(path) or ""),
        ours=_estimate(protocol["ours"].get("pass@1")) if protocol else None,
        broken=len(protocol["broken"]) if protocol else None,
    )


def _estimate(rate: Mapping[str, float] | None) -> Estimate | None:
    return None if rate is None else Estimate(**{name: float(rate[name]) for name in ("estimate", "low", "high")})


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
