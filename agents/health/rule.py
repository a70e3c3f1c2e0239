"""Rules as data, and their application: a rule compares a measure with two bands.

Profiles consist of such data only, so that people can read, compare and change the rules as a table.
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
    """The assessment of a metric. A missing metric is UNKNOWN, never HEALTHY."""

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
    """A further condition of a rule.

    Attributes:
        measure: the measured quantity.
        band: the values that satisfy the condition.
    """

    measure: Measure
    band: Band


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """The test of an intervention's effect.

    Attributes:
        metric: name of the metric to average over the last steps since the change.
        band: the mean's values if the intervention worked.
        within: optimiser steps allowed for the effect.
        source: source of the expectation.
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
    """A remedy for a finding.

    Attributes:
        text: the advice.
        why: its reason.
        setting: the setting to change, by its name in ``config.yaml``; "" if a setting alone does not do.
        add: amount added to the present value, after the multiplication.
        factor: factor on the present value.
        to: a fixed new value; None to compute it from the present one.
        low: least new value.
        high: greatest new value.
        whole: True for a setting that is a whole number.
        side: limits the advice to values on this side of the healthy band; None for both sides.
        priority: order of the advice; 1 comes first.
        expect: signs of its effect.
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
        """Returns the new value of the setting; the same value if it is already at its bound."""
        wanted = value * self.factor + self.add
        bounded = max(wanted, min(self.low, value)) if wanted < value else min(wanted, max(self.high, value))
        return round(bounded) if self.whole else float(f"{bounded:.3g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A check of a run for one possible fault.

    Attributes:
        name: stable, for programs and tests.
        title: the fault, for people.
        measure: the measured quantity.
        healthy: healthy values.
        tolerable: values for a warning if they lie outside ``healthy``; values outside both bands are critical. None:
            never critical.
        low: the diagnosis of a value below the healthy band.
        high: likewise above.
        meaning: the reason why the finding matters.
        actions: its remedies.
        source: source of the thresholds.
        informational: True if it is only shown, never an alarm.
        notice: True if a value outside ``healthy`` is told with its advice, but is no alarm.
        after: first position in the run to apply the rule at, in the units of ``position_of``.
        when: further conditions that must hold. If one does not, the value is healthy; if one is unknown, so is the
            reading.
        unless: excuses: if one of these conditions holds, the value is healthy. If none holds and one is unknown, so is
            the reading.
        explained_by: names of other rules. A finding of theirs that is at least as bad makes this one its consequence.
        follow_up: the test of an intervention's effect; None if there is none.
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
        """Format of the measured value."""
        return self.measure.form

    def read(self, records: Sequence[Record]) -> Reading:
        """Applies the rule to the records of a run, oldest first.

        With too few steps, but at least three, it judges the step nearest to healthy, and warns at most: a fault of
        every step need not wait for a full window.
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
        """Applies the rule to each record alone, in place of its summary."""
        alone = replace(self, measure=replace(self.measure, window=1, least=1, summary=Summary.LAST), after=0.0)
        return [alone.read([record]) for record in records]

    def _level(self, measured: Measured) -> tuple[Level, float]:
        """The level and its deciding value; for WORST the value furthest from the healthy band."""
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
        """Returns the level of one value; nan and infinity are critical."""
        if value in self.healthy:
            return Level.HEALTHY
        if math.isfinite(value) and (self.tolerable is None or value in self.tolerable):
            return Level.WARNING
        return Level.CRITICAL

    def _with_conditions(self, reading: Reading, records: Sequence[Record]) -> Reading:
        """Applies the conditions to a value outside the healthy band: they may excuse it or make it unknown."""
        required = [(condition, condition.measure.of(records)) for condition in self.when]
        excuses = [(condition, condition.measure.of(records)) for condition in self.unless]
        for holds, conditions in ((False, required), (True, excuses)):
            for condition, found in conditions:
                if found.value is not None and (found.value in condition.band) is holds:
                    shown = (
                        f"{METRICS[condition.measure.metric].title.lower()} is "
                        f"{condition.measure.form.format(found.value)}"
                    )
                    return replace(reading, level=Level.HEALTHY, excused=shown)
        for condition, found in (*required, *excuses):
            if found.value is None:
                return self._unknown(
                    reading.measured, f"{METRICS[condition.measure.metric].title.lower()}: {found.why}"
                )
        return reading

    def _unknown(self, measured: Measured, why: str) -> Reading:
        return Reading(rule=self, level=Level.UNKNOWN, measured=replace(measured, value=None, why=why))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The outcome of a rule on a run.

    Attributes:
        rule: the applied rule.
        level: its assessment.
        measured: its measured value.
        side: the value's side of the healthy band; None if the value is unknown.
        causes: names of other rules with findings that explain this one; empty for an independent finding.
        excused: the condition that excuses a value outside the healthy band; "" if there is none.
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
        """The formatted value; "-" if it is unknown."""
        return "-" if self.value is None else self.rule.form.format(self.value)

    @property
    def mean(self) -> float | None:
        """The mean of the window's finite values; None if there are none."""
        values = [value for value in self.measured.values if math.isfinite(value)]
        return fmean(values) if values else None

    @property
    def range(self) -> str:
        """The least and the greatest finite value of the window, formatted; "-" if there are none."""
        values = [value for value in self.measured.values if math.isfinite(value)]
        if not values:
            return "-"
        low, high = (self.rule.metric.show(value) for value in (min(values), max(values)))
        return low if low == high else f"{low} to {high}"

    @property
    def diagnosis(self) -> str:
        """The diagnosis in words, by the side of the value."""
        if self.side is Side.NOT_FINITE:
            return f"{self.rule.metric.title} is not a finite number"
        return self.rule.low if self.side is Side.LOW else self.rule.high
