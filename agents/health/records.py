"""Logging steps as data: a run, its records, and its interventions.

A record holds numbers by name, in the names of ``metrics.jsonl`` (TRL's own and ours). An unmeasured number is absent,
never filled in; so is ``null``. Numbers that are not finite are kept, because a loss of ``nan`` is a finding. ``files``
reads records from a run's files.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

__all__ = ["COUNTS", "GroupKind", "Intervention", "Record", "Run", "bounded", "mended", "number_of", "record_of"]

COUNTS = ("outcomes", "groups")
"""Fields of a record with counts by name."""

_HUGE = 1e100


class GroupKind(StrEnum):
    """The kind of a group: the completions of one prompt. Only a varied group has variance in its rewards."""

    VARIED = "varied"
    TIED = "tied"
    IDENTICAL = "identical"
    ALL_FAILED = "all_failed"
    ALL_PASSED = "all_passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One logging step.

    Attributes:
        step: optimiser steps done; None for a ``learning.log``, which has no steps.
        epoch: passes over the problems; None if it was not logged.
        progress: finished share of the whole run, 0 to 1; None if unknown.
        numbers: measured numbers by name; may hold ``nan`` and infinities.
        outcomes: samples by outcome; empty if they were not counted.
        groups: groups by ``GroupKind``; empty if they were not counted.
        where: file and line, for messages.
    """

    step: int | None = None
    epoch: float | None = None
    progress: float | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)
    outcomes: Mapping[str, int] = field(default_factory=dict)
    groups: Mapping[str, int] = field(default_factory=dict)
    where: str = ""

    def merged(self, later: Record) -> Record:
        """Returns this record merged with a later one of the same step; the later one wins if both have a value."""
        return Record(
            step=later.step if later.step is not None else self.step,
            epoch=later.epoch if later.epoch is not None else self.epoch,
            progress=later.progress if later.progress is not None else self.progress,
            numbers={**self.numbers, **later.numbers},
            outcomes=later.outcomes or self.outcomes,
            groups=later.groups or self.groups,
            where=later.where or self.where,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervention:
    """A change of a setting during the run: one line of ``interventions.jsonl``.

    Attributes:
        step: the last step before the change.
        epoch: epoch of the change; None if unknown.
        setting: its name in ``config.yaml``.
        before: its value until then.
        after: its value from then on.
        rule: name of the rule behind the change.
    """

    step: int
    epoch: float | None
    setting: str
    before: float
    after: float
    rule: str

    def to_json(self) -> str:
        """Returns one line, without its newline."""
        return json.dumps(
            {
                "step": self.step,
                "epoch": self.epoch,
                "setting": self.setting,
                "from": self.before,
                "to": self.after,
                "rule": self.rule,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run, as read from its files.

    Attributes:
        source: the file or folder given to the reader.
        records: its logging steps, in order.
        settings: the scalar settings of its ``config.yaml``, as written there; empty if there is no file.
        interventions: changes of settings during the run.
        completions: its file of rollouts; None if there is none.
        notes: a message for each unreadable part, with file and line.
    """

    source: Path
    records: tuple[Record, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    interventions: tuple[Intervention, ...] = ()
    completions: Path | None = None
    notes: tuple[str, ...] = ()

    def number(self, setting: str) -> float | None:
        """Returns a setting as a number; None if it is not set, or not a number."""
        try:
            return float(self.settings[setting])
        except (KeyError, ValueError):
            return None


def mended(records: Iterable[Record]) -> list[Record]:
    """Drops records replaced by a resumed run, and merges records of the same step."""
    kept: list[Record] = []
    for record in records:
        if record.step is not None:
            while kept and kept[-1].step is not None and kept[-1].step > record.step:
                kept.pop()
            if kept and kept[-1].step == record.step:
                kept[-1] = kept[-1].merged(record)
                continue
        kept.append(record)
    return kept


def record_of(entry: Mapping[str, Any], *, where: str = "", notes: list[str] | None = None) -> Record:
    """Makes a record of one object of ``metrics.jsonl``, or of one dictionary logged by TRL.

    Leaves out fields other than numbers, and adds a message for each to ``notes``; not for ``null``, bools and lists.
    """
    numbers: dict[str, float] = {}
    counts: dict[str, Mapping[str, int]] = {}
    for name, value in entry.items():
        if name in COUNTS and isinstance(value, Mapping):
            counts[name] = {str(kind): n for kind, n in value.items() if isinstance(n, int) and not isinstance(n, bool)}
        elif isinstance(value, Mapping):
            numbers |= {f"{name}/{part}": n for part, raw in value.items() if (n := number_of(raw)) is not None}
        elif (number := number_of(value)) is not None:
            numbers[name] = number
        elif value is not None and not isinstance(value, bool | list) and notes is not None:
            notes.append(f"{where}: {name} is no number: {value!r:.60}")
    step = numbers.pop("step", None)
    return Record(
        step=int(step) if step is not None and step == step // 1 else None,
        epoch=numbers.pop("epoch", None),
        progress=numbers.pop("progress", None),
        numbers=numbers,
        where=where,
        **counts,
    )


def number_of(value: object) -> float | None:
    """Reads a number, or a text that spells one; None for any other value, such as ``null``, bools and empty texts."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return bounded(float(value))
    except (ValueError, OverflowError):
        return None


def bounded(number: float) -> float:
    """Returns the number, or infinity beyond 1e100: a sum of squares may overflow, and no real figure is so large."""
    return math.copysign(math.inf, number) if abs(number) > _HUGE else number
