"""Logging steps as data: a run, its records, and what was changed while it went on.

A record holds numbers by name, in the names of ``metrics.jsonl`` (which are TRL's own, and ours beside them). What was
not measured is absent; nothing is ever filled in. Numbers that are not finite are kept, because a loss of ``nan`` is
a finding; ``null`` is absent. ``files`` reads them from what a run wrote.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["COUNTS", "Intervention", "Record", "Run", "bounded", "mended", "number_of", "record_of"]

COUNTS = ("outcomes", "groups")
"""Fields of a record that are counts by name."""

_HUGE = 1e100


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One logging step.

    Attributes:
        step: optimiser steps done; None in a ``learning.log``, which does not say.
        epoch: passes over the problems; None where nobody said.
        progress: share of the whole run that is done, 0 to 1; None where nobody knows.
        numbers: what was measured, by name; may hold ``nan`` and infinities.
        outcomes: samples by outcome; empty where they were not counted.
        groups: groups by kind (varied, all_failed, all_passed, tied, identical); empty where they were not counted.
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
        """This record with what ``later`` says of the same step; where both speak, the later one holds."""
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
    """A setting that was changed while the run went on: one line of ``interventions.jsonl``.

    Attributes:
        step: after which step.
        epoch: where the run stood; None where nobody knows.
        setting: its name in ``config.yaml``.
        before: its value until then.
        after: its value from then on.
        rule: the rule that asked for it.
    """

    step: int
    epoch: float | None
    setting: str
    before: float
    after: float
    rule: str

    def to_json(self) -> str:
        """One line, without its newline."""
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
    """All that the diagnostics know of a run.

    Attributes:
        source: the file or folder that was named.
        records: its logging steps, in order.
        settings: the scalar settings of its ``config.yaml``, as they are written there; empty where there is none.
        interventions: what was changed while it went on.
        completions: its file of rollouts; None where there is none.
        notes: what could not be read, each with file and line.
    """

    source: Path
    records: tuple[Record, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    interventions: tuple[Intervention, ...] = ()
    completions: Path | None = None
    notes: tuple[str, ...] = ()

    def number(self, setting: str) -> float | None:
        """A setting as a number; None where it is not set, or not to a number."""
        try:
            return float(self.settings[setting])
        except (KeyError, ValueError):
            return None


def mended(records: Iterable[Record]) -> list[Record]:
    """The records without those that a resumed run replaced, and with those of one step merged."""
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
    """One object of ``metrics.jsonl``, or one dictionary that TRL logs, as a record.

    Fields that are no numbers are left out; each is noted, but ``null``, which says that there was none.
    """
    numbers: dict[str, float] = {}
    counts: dict[str, Mapping[str, int]] = {}
    for name, value in entry.items():
        if name in COUNTS and isinstance(value, Mapping):
            counts[name] = {str(kind): n for kind, n in value.items() if isinstance(n, int) and not isinstance(n, bool)}
        elif isinstance(value, Mapping):
            numbers |= {f"{name}/{part}": n for part, one in value.items() if (n := number_of(one)) is not None}
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
    """The number that a value is, or spells; None where it is none, and for ``null``, bools and empty texts."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return bounded(float(value))
    except (ValueError, OverflowError):
        return None


def bounded(number: float) -> float:
    """The number, or infinity if it is so large that a sum of squares may overflow: no figure of a training is."""
    return math.copysign(math.inf, number) if abs(number) > _HUGE else number
