"""Rules as data, and how one is applied: a measure against two bands.

A profile is made of these and nothing else: what the diagnostics say can be read, compared and changed as a table.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from agents.health.measure import Band, Measure, Measured, Side, Summary, position_of
from agents.health.metrics import METRICS, Metric
from agents.health.records import Record

__all__ = ["Action", "Condition", "FollowUp", "Level", "Reading", "Rule"]


class Level(enum.StrEnum):
    """How a metric stands. Missing is UNKNOWN, never HEALTHY."""

    HEALTHY = "healthy"
    INFORMATION = "information"
    UNKNOWN = "unknown"
    WARNING = "warning"
    CRITICAL = "critical"

    @property
    def alarming(self) -> bool:
        return self in (Level.WARNING, Level.CRITICAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Something that has to hold besides.

    Attributes:
        measure: what is measured.
        band: where it has to lie.
    """

    measure: Measure
    band: Band


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """How it is told whether an intervention worked.

    Attributes:
        metric: what is looked at: its mean over the last steps since then.
        band: where it has to come to lie.
        within: optimiser steps that it may take.
        source: where the claim comes from.
    """

    metric: str
    band: Band
    within: int = 100
    source: str = ""

    def __str__(self) -> str:
        metric = METRICS[self.metric]
        return f"{metric.title} {self.band.show(metric.form)} within {self.within} steps"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What to do about a finding.

    Attributes:
        text: the advice.
        why: its reason.
        setting: the setting to change, by its name in ``config.yaml``; "" where it takes more than that.
        add: what is added to the present value.
        factor: what it is multiplied with.
        to: what it is set to; None where it is computed.
        low: the least that it may become.
        high: the most.
        whole: whether the setting is a whole number.
        side: only where the value lies on this side; None for both.
        priority: 1 for what comes first.
        expect: what should then be seen.
    """

    text: str
    why: str = ""
    setting: str = ""
    add: float = 0.0
    factor: float = 1.0
    to: str | None = None
    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    side: Side | None = None
    priority: int = 2
    expect: tuple[str, ...] = ()

    def changed(self, value: float) -> float:
        """The value to change to; the same where it is at its bound already."""
        wanted = value * self.factor + self.add
        bounded = max(wanted, min(self.low, value)) if wanted < value else min(wanted, max(self.high, value))
        return round(bounded) if self.whole else float(f"{bounded:.3g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One thing that may be wrong with a run.

    Attributes:
        name: stable, for programs and tests.
        title: what it finds, for people.
        measure: what is looked at.
        healthy: values that are fine.
        tolerable: values outside ``healthy`` that are a warning; outside of both is critical. None: never critical.
        low: the diagnosis of a value below the healthy band.
        high: likewise above.
        meaning: why it matters.
        actions: what to do about it.
        source: where the thresholds come from.
        informational: shown, never an alarm.
        notice: a value outside ``healthy`` is told with its advice, and is no alarm.
        after: how far the run must be before the rule is applied, as ``position_of`` counts.
        when: conditions that must hold too. If one does not, the rule finds nothing; if one is unknown, so is the rule.
        unless: conditions any of which excuses the value. An unknown one excuses nothing.
        explained_by: rules which, where they find something as bad, make this finding their consequence.
        follow_up: how it is told whether an intervention worked.
    """

    name: str
    title: str
    measure: Measure
    healthy: Band
    tolerable: Band | None = None
    low: str = ""
    high: str = ""
    meaning: str = ""
    actions: tuple[Action, ...] = ()
    source: str
    informational: bool = False
    notice: bool = False
    after: float = 0.0
    when: tuple[Condition, ...] = ()
    unless: tuple[Condition, ...] = ()
    explained_by: tuple[str, ...] = ()
    follow_up: FollowUp | None = None

    @property
    def metric(self) -> Metric:
        return METRICS[self.measure.metric]

    @property
    def form(self) -> str:
        """How the measured value is written."""
        return self.measure.form

    def read(self, records: Sequence[Record]) -> Reading:
        """Applies the rule to the records of a run, oldest first.

        With fewer steps than it takes, but three, the one that is nearest to healthy is judged, and is a warning at
        most: what is wrong at each step need not wait.
        """
        measured = self.measure.of(records)
        few = measured.value is None
        if few and self.measure.summary.level and len(measured.values) >= 3:
            best = min(measured.values, key=self._distance)
            if best not in self.healthy:
                measured = replace(measured, value=best)
        if measured.value is None:
            return Reading(rule=self, level=Level.UNKNOWN, measured=measured)
        position = position_of(records[-1])
        if self.after and (position is None or position < self.after):
            return self._unknown(measured, f"judged from {self.after:g} on")
        level, value = self._level(measured)
        if self.informational:
            level = Level.INFORMATION
        reading = Reading(
            rule=self, level=level, measured=replace(measured, value=value), side=self.healthy.side(value)
        )
        if level.alarming and reading.side is not Side.NOT_FINITE:
            reading = self._with_conditions(reading, records)
        if reading.level.alarming and self.notice:
            return replace(reading, level=Level.INFORMATION)
        return replace(reading, level=Level.WARNING) if few and reading.level.alarming else reading

    def levels(self, records: Sequence[Record]) -> list[Reading]:
        """The rule applied to each record alone, whatever its summary."""
        alone = replace(self, measure=replace(self.measure, window=1, least=1, summary=Summary.LAST), after=0.0)
        return [alone.read([record]) for record in records]

    def _level(self, measured: Measured) -> tuple[Level, float]:
        """The level and the value that decided it: with WORST the one that lies furthest out."""
        assert measured.value is not None
        if self.measure.summary is not Summary.WORST:
            return self.judge(measured.value), measured.value
        order = list(Level)
        level = max((self.judge(value) for value in measured.values), key=order.index)
        at_it = [value for value in measured.values if self.judge(value) is level]
        return level, max(at_it, key=self._distance)

    def _distance(self, value: float) -> float:
        return math.inf if not math.isfinite(value) else max(self.healthy.low - value, value - self.healthy.high)

    def judge(self, value: float) -> Level:
        """The level of one value; one that is not finite is critical."""
        if value in self.healthy:
            return Level.HEALTHY
        if math.isfinite(value) and (self.tolerable is None or value in self.tolerable):
            return Level.WARNING
        return Level.CRITICAL

    def _with_conditions(self, reading: Reading, records: Sequence[Record]) -> Reading:
        """A value outside the healthy band, excused or unknown as its conditions ask."""
        required = [(one, one.measure.of(records)) for one in self.when]
        excuses = [(one, one.measure.of(records)) for one in self.unless]
        for holds, conditions in ((False, required), (True, excuses)):
            for one, found in conditions:
                if found.value is not None and (found.value in one.band) is holds:
                    shown = f"{METRICS[one.measure.metric].title.lower()} is {one.measure.form.format(found.value)}"
                    return replace(reading, level=Level.HEALTHY, excused=shown)
        for one, found in required:
            if found.value is None:
                return self._unknown(reading.measured, f"{METRICS[one.measure.metric].title.lower()}: {found.why}")
        return reading

    def _unknown(self, measured: Measured, why: str) -> Reading:
        return Reading(rule=self, level=Level.UNKNOWN, measured=replace(measured, value=None, why=why))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A rule, applied.

    Attributes:
        rule: which.
        level: how its metric stands.
        measured: what was measured.
        side: where the value lies, seen from the healthy band; None where it is unknown.
        causes: names of rules whose findings explain this one; empty for a finding of its own.
        excused: the condition by which a value outside the healthy band is no finding; "" if there is none.
    """

    rule: Rule
    level: Level
    measured: Measured = field(default_factory=lambda: Measured(value=None))
    side: Side | None = None
    causes: tuple[str, ...] = ()
    excused: str = ""

    @property
    def value(self) -> float | None:
        return self.measured.value

    @property
    def shown(self) -> str:
        """The value as people read it."""
        return "-" if self.value is None else self.rule.form.format(self.value)

    @property
    def mean(self) -> float | None:
        """The mean of the finite values of the window."""
        values = [value for value in self.measured.values if math.isfinite(value)]
        return fmean(values) if values else None

    @property
    def range(self) -> str:
        """From the least to the greatest value of the window."""
        values = [value for value in self.measured.values if math.isfinite(value)]
        if not values:
            return "-"
        low, high = (self.rule.metric.show(value) for value in (min(values), max(values)))
        return low if low == high else f"{low} to {high}"

    @property
    def diagnosis(self) -> str:
        """What the finding says, with its numbers."""
        if self.side is Side.NOT_FINITE:
            return f"{self.rule.metric.title} is not a finite number"
        return self.rule.low if self.side is Side.LOW else self.rule.high
