"""Rules as data, and how one is evaluated: a metric, summarised over a window, against two bands.

A profile is made of these and nothing else, so that what the doctor says can be read, compared and changed as a table.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, median, variance

from agents.health.metrics import METRICS, Metric
from agents.health.records import Record

__all__ = [
    "Action",
    "Band",
    "Condition",
    "FollowUp",
    "Level",
    "Measure",
    "Measured",
    "Reading",
    "Rule",
    "Side",
    "Summary",
    "position_of",
]

START_RECORDS = 20
"""Logging steps, at most, that count as the start of a run."""

START_BY = 0.15
"""A log whose first step lies further into its run than this does not tell how the run started."""

NOT_FINITE_SHARE = 0.25
"""Single steps with nan or infinity happen (mixed precision skips them); from this share on they are the finding."""

MOST_ERRORS = 99.0
"""Standard errors are capped here: with no variance at all every change is infinitely many."""


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


class Side(enum.StrEnum):
    """Where a value lies, seen from the healthy band."""

    LOW = "low"
    INSIDE = "inside"
    HIGH = "high"
    NOT_FINITE = "not finite"


class Summary(enum.StrEnum):
    """What is made of the values of a window. "The start" are the first 20 logging steps, at most half of them all."""

    LAST = "last value"
    MEAN = "mean"
    MEDIAN = "median"
    WORST = "each line alone"
    NOT_FINITE = "share that is nan or infinite"
    RATIO = "median, relative to the start"
    CHANGE = "mean, minus that of the start"
    AT_MOST = "the most that the mean can have risen since the start: its change and two standard errors"
    SHIFT = "change of the mean since the start, in standard errors"
    TREND = "slope, in standard errors"

    @property
    def relative(self) -> bool:
        return self in (Summary.RATIO, Summary.CHANGE, Summary.AT_MOST, Summary.SHIFT)


_FORMS = {
    Summary.RATIO: "{:.2f} x start",
    Summary.CHANGE: "{:+.3f}",
    Summary.AT_MOST: "{:+.3f} at most",
    Summary.SHIFT: "{:+.1f} s.e.",
    Summary.TREND: "{:+.1f} s.e.",
    Summary.NOT_FINITE: "{:.0%} not finite",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The values between two bounds; the bounds belong to it unless it is strict."""

    low: float = -math.inf
    high: float = math.inf
    strict: bool = False

    def side(self, value: float) -> Side:
        if not math.isfinite(value):
            return Side.NOT_FINITE
        if value < self.low or (self.strict and value == self.low):
            return Side.LOW
        if value > self.high or (self.strict and value == self.high):
            return Side.HIGH
        return Side.INSIDE

    def __contains__(self, value: float) -> bool:
        return self.side(value) is Side.INSIDE

    def show(self, form: str = "{:g}") -> str:
        """The band as people write it: ``< 0.10``, ``0.10 to 0.20``."""
        if self.low == -math.inf and self.high == math.inf:
            return "finite"
        if self.low == -math.inf:
            return f"{'<' if self.strict else '<='} {form.format(self.high)}"
        if self.high == math.inf:
            return f"{'>' if self.strict else '>='} {form.format(self.low)}"
        return f"{form.format(self.low)} to {form.format(self.high)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The outcome of a measure.

    Attributes:
        value: the summary; None where it is unknown.
        values: what it was made of, oldest first.
        why: why it is unknown; "" where it is not.
    """

    value: float | None
    values: tuple[float, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A metric, summarised over the last records.

    Attributes:
        metric: its name in ``METRICS``.
        summary: what is made of its values.
        window: logging steps that are looked at, from the last one back.
        least: values that it takes; with fewer, in the window or at the start where that counts, it is unknown.
    """

    metric: str
    summary: Summary = Summary.MEAN
    window: int = 20
    least: int = 5

    @property
    def form(self) -> str:
        """How its values are written: ratios, shares and standard errors are not in the metric's unit."""
        return _FORMS.get(self.summary, METRICS[self.metric].form)

    def of(self, records: Sequence[Record]) -> Measured:
        """Measures the records of a run, oldest first."""
        read = METRICS[self.metric].of
        everything = [(record, value) for record in records if (value := read(record)) is not None]
        if not everything:
            return Measured(value=None, why="not recorded")
        if self.summary.relative:
            return self._relative(everything)
        values = tuple(value for record in records[-self.window :] if (value := read(record)) is not None)
        if len(values) < self.least:
            return Measured(value=None, values=values, why=f"{len(values)} of the {self.least} steps it takes")
        return Measured(value=_summarise(self.summary, values), values=values)

    def _relative(self, everything: Sequence[tuple[Record, float]]) -> Measured:
        position = position_of(everything[0][0])
        if position is not None and position > START_BY:
            return Measured(value=None, why="the log does not begin at the start of the run")
        start_size = min(START_RECORDS, len(everything) // 2)
        values = [value for _, value in everything]
        start, now = values[:start_size], values[max(start_size, len(values) - self.window) :]
        if min(len(start), len(now)) < self.least:
            return Measured(value=None, values=tuple(now), why=f"{len(values)} of the {2 * self.least} steps it takes")
        return Measured(value=_compare(self.summary, start, now), values=tuple(now))


def position_of(record: Record) -> float | None:
    """How far the run was: the share that is done, or else epochs; None where nobody knows."""
    return record.progress if record.progress is not None else record.epoch


def _finite(values: Sequence[float]) -> list[float] | None:
    """The values that are numbers; None where too few are."""
    finite = [value for value in values if math.isfinite(value)]
    return finite if len(finite) > (1 - NOT_FINITE_SHARE) * len(values) else None


def _summarise(summary: Summary, values: Sequence[float]) -> float:
    if summary is Summary.NOT_FINITE:
        return sum(not math.isfinite(value) for value in values) / len(values)
    if summary in (Summary.LAST, Summary.WORST):
        return values[-1]
    finite = _finite(values)
    if finite is None:
        return math.nan
    if summary is Summary.TREND:
        return _trend(finite)
    return median(finite) if summary is Summary.MEDIAN else fmean(finite)


def _compare(summary: Summary, start: Sequence[float], now: Sequence[float]) -> float:
    before, after = _finite(start), _finite(now)
    if before is None or after is None:
        return math.nan
    if summary is Summary.RATIO:
        low, high = median(before), median(after)
        return high / low if low > 0 else 1.0 if high == low else MOST_ERRORS
    change = fmean(after) - fmean(before)
    error = sum(variance(side) / len(side) for side in (before, after) if len(side) > 1) ** 0.5
    if summary is Summary.CHANGE:
        return change
    return change + 2 * error if summary is Summary.AT_MOST else _in_errors(change, error)


def _trend(values: Sequence[float]) -> float:
    """The slope of a least-squares line over the steps, in its standard errors."""
    count = len(values)
    if count < 3:
        return 0.0
    middle, mean = (count - 1) / 2, fmean(values)
    spread = sum((index - middle) ** 2 for index in range(count))
    slope = sum((index - middle) * (value - mean) for index, value in enumerate(values)) / spread
    rest = sum((value - mean - slope * (index - middle)) ** 2 for index, value in enumerate(values))
    return _in_errors(slope, (rest / (count - 2) / spread) ** 0.5)


def _in_errors(change: float, error: float) -> float:
    if abs(change) <= 1e-12:
        return 0.0
    errors = change / error if error > 0 else math.copysign(math.inf, change)
    return max(-MOST_ERRORS, min(MOST_ERRORS, errors))


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
        after: how far the run must be before the rule is applied, as ``position_of`` counts.
        when: conditions that must hold too. Where one does not, the rule finds nothing; where one is unknown, it warns
            at most.
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
    after: float = 0.0
    when: tuple[Condition, ...] = ()
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
        """Applies the rule to the records of a run, oldest first."""
        measured = self.measure.of(records)
        if measured.value is None:
            return Reading(rule=self, level=Level.UNKNOWN, measured=measured)
        position = position_of(records[-1])
        if self.after and (position is None or position < self.after):
            measured = replace(measured, value=None, why=f"judged from {self.after:g} on")
            return Reading(rule=self, level=Level.UNKNOWN, measured=measured)
        level, value = self._level(measured)
        side = self.healthy.side(value)
        if self.informational:
            level = Level.INFORMATION
        excused = ""
        if level.alarming and side is not Side.NOT_FINITE:
            level, excused = self._with_conditions(level, records)
        return Reading(rule=self, level=level, measured=replace(measured, value=value), side=side, excused=excused)

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

    def _with_conditions(self, level: Level, records: Sequence[Record]) -> tuple[Level, str]:
        """The level, and what excuses the value where a condition does not hold."""
        values = [(condition, condition.measure.of(records).value) for condition in self.when]
        for condition, value in values:
            if value is not None and value not in condition.band:
                measure = condition.measure
                return Level.HEALTHY, f"{METRICS[measure.metric].title.lower()} is {measure.form.format(value)}"
        return (Level.WARNING if any(value is None for _, value in values) else level), ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A rule, applied.

    Attributes:
        rule: which.
        level: how its metric stands.
        measured: what was measured.
        side: where the value lies, seen from the healthy band; None where it is unknown.
        causes: names of rules whose findings explain this one; empty for a finding of its own.
        excused: which condition does not hold, where a value outside the healthy band is no finding for that.
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
