"""The evaluations beneath a directory, in tables of comparable runs.

Reads only ``summary.json``, and ``config.json`` to tell an unfinished run from a folder of something else. Kept results
need no samples.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.benchmark.manifest import NAME
from ocaml_env.evaluation.benchmark.submission import read_status
from ocaml_env.evaluation.benchmark.tracks import FRESH
from ocaml_env.evaluation.directory import read_config, read_summary
from ocaml_env.evaluation.levels import rungs
from ocaml_env.evaluation.models.base import short_name
from ocaml_env.evaluation.statistics import Estimate
from ocaml_env.evaluation.summary import Summary

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
        suite: its suite.
        summary: its summary.
        status: of its submission; "" if there is none.
        fresh_gap: by how much the score is above that on fresh problems, over the levels of both; None if unknown.
    """

    path: Path
    name: str
    suite: Suite
    summary: Summary
    status: str = ""
    fresh_gap: float | None = None

    @property
    def model(self) -> str:
        """Name of the model, for people."""
        return short_name(self.summary.config.model)

    @property
    def score(self) -> Estimate | None:
        """The figure that ranks the run: the mean over levels of the benchmark, else pass@1."""
        return self.summary.benchmark.score if self.summary.benchmark else self.summary.rates.get(1)

    @property
    def levels(self) -> dict[int, float]:
        """Level -> pass@1."""
        return {rung.level: rung.rate for rung in rungs(self.summary.by_level)}

    @property
    def weights(self) -> str:
        """The digest of its weights, or the name of its model."""
        benchmark = self.summary.benchmark
        return (benchmark and benchmark.weights) or self.summary.config.model


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
    config, benchmark = summary.config, summary.benchmark
    suite = Suite(
        name=short_name(named.name if (named := benchmark or config.benchmark) else config.problems),
        digest="" if benchmark and benchmark.name == FRESH else config.digest,
        problems=summary.problems,
        turns=config.turns,
        protocol=config.protocol or "",
        benchmark=benchmark is not None,
    )
    name = path.relative_to(root).as_posix()
    return Run(path=path, name=name, suite=suite, summary=summary, status=str(read_status(path) or ""))
