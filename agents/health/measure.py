"""Measures: a metric summarised over a window of logging steps, for rules to compare with bands.

Numbers of single steps prove little. A measure names the metric, its summary, the window and the least number of
values. With fewer values it answers "unknown".
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median, variance

from agents.health.metrics import METRICS
from agents.health.records import Record

__all__ = ["SHOWN", "Band", "Measure", "Measured", "Side", "Summary", "position_of", "start_of"]

START_RECORDS = 20
"""Most logging steps of the start of a run."""

START_BY = 0.15
"""Latest position of a log's first step; a log that begins later does not show the start of the run."""

NOT_FINITE_SHARE = 0.25
"""Single steps with nan or infinity happen (mixed precision skips them); from this share on the measure is nan."""

MOST_ERRORS = 99.0
"""Cap on standard errors: without variance every change is infinitely many."""

SHOWN = 2.5
"""Least change that counts as shown, in standard errors: chance alone makes such a rise in 1 of 160 runs."""

HUGEST = 1e12
"""Cap on multiples of the median, so that a median next to 0 gives no infinity."""


class Side(enum.StrEnum):
    """The position of a value relative to the healthy band."""

    LOW = "low"
    INSIDE = "inside"
    HIGH = "high"
    NOT_FINITE = "not finite"


class Summary(enum.StrEnum):
    """How a window becomes one number. "The start" is the first 20 logging steps, at most half of the log."""

    LAST = "last value"
    MEAN = "mean"
    MEDIAN = "median"
    WORST = "each line alone"
    NOT_FINITE = "share that is nan or infinite"
    RATIO = "median, relative to the start"
    CHANGE = "mean, minus that of the start"
    AT_MOST = "the most that the mean can have risen since the start: its change and two standard errors"
    SHIFT = "change of the mean since the start, in standard errors"
    LATE_SHARE = "the most of the rise since the start that can have come in the second half of the log"
    TREND = "slope, in standard errors"
    GREATEST = "greatest of the whole log"
    PEAK = "greatest of the whole log, relative to the median of those that are not 0"

    @property
    def relative(self) -> bool:
        """True if the summary compares with the start of the run."""
        return self in (Summary.RATIO, Summary.CHANGE, Summary.AT_MOST, Summary.SHIFT, Summary.LATE_SHARE)

    @property
    def level(self) -> bool:
        """True if the summary is in the metric's own unit, so that the same band judges a single step."""
        return self in (Summary.LAST, Summary.MEAN, Summary.MEDIAN, Summary.WORST)

    @property
    def single(self) -> bool:
        """True if a single step has this summary."""
        return self.level or self is Summary.NOT_FINITE


_FORMS = {
    Summary.RATIO: "{:.2f} x start",
    Summary.CHANGE: "{:+.3f}",
    Summary.AT_MOST: "{:+.3f} at most",
    Summary.SHIFT: "{:+.1f} s.e.",
    Summary.LATE_SHARE: "{:.0%} of the rise at most",
    Summary.TREND: "{:+.1f} s.e.",
    Summary.PEAK: "{:.4g} x median",
    Summary.NOT_FINITE: "{:.0%} not finite",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The values between two bounds; the bounds belong to the band unless it is strict."""

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
        """Formats the band for people: ``< 0.10``, ``0.10 to 0.20``."""
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
        value: the summary; None if it is unknown.
        values: the summarised values, oldest first; also if they are too few for a summary.
        why: the reason why the value is unknown; "" if it is known.
    """

    value: float | None
    values: tuple[float, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A metric, summarised over the last records.

    Attributes:
        metric: its name in ``METRICS``.
        summary: how its values become one number.
        window: logging steps, counted back from the last one.
        least: least number of values in the window, and at the start for a summary relative to it. With fewer the
            value is unknown.
        late: True if the window of a short log leaves out its start, as far as ``least`` allows.
    """

    metric: str
    summary: Summary = Summary.MEAN
    window: int = 20
    least: int = 5
    late: bool = False

    @property
    def form(self) -> str:
        """Format of the value: ratios, shares and standard errors are not in the metric's unit."""
        return _FORMS.get(self.summary, METRICS[self.metric].form)

    def of(self, records: Sequence[Record]) -> Measured:
        """Measures the records of a run; ``records`` are oldest first."""
        read = METRICS[self.metric].of
        everything = [(record, value) for record in records if (value := read(record)) is not None]
        if not everything:
            return Measured(value=None, why="not recorded")
        if self.summary.relative:
            return self._relative(everything)
        window = records[-self._size(len(records)) :]
        values = tuple(value for record in window if (value := read(record)) is not None)
        if len(values) < self.least:
            return Measured(value=None, values=values, why=f"{len(values)} of the {self.least} steps it takes")
        return Measured(value=_summarise(self.summary, values), values=values)

    def _size(self, count: int) -> int:
        """The size of the window on ``count`` records."""
        if self.summary in (Summary.PEAK, Summary.GREATEST):
            return count
        return min(self.window, max(self.least, count - start_of(count))) if self.late else self.window

    def _relative(self, everything: Sequence[tuple[Record, float]]) -> Measured:
        if not _begins_at_the_start([record for record, _ in everything]):
            return Measured(value=None, why="the log does not begin at the start of the run")
        values = [value for _, value in everything]
        start_size = start_of(len(values))
        start, now = values[:start_size], values[max(start_size, len(values) - self.window) :]
        side = len(values) // 2 if self.summary is Summary.LATE_SHARE else min(len(start), len(now))
        if side < self.least:
            return Measured(value=None, values=tuple(now), why=f"{len(values)} of the {2 * self.least} steps it takes")
        if self.summary is Summary.LATE_SHARE:
            return Measured(value=_late_share(values), values=tuple(now))
        return Measured(value=_compare(self.summary, start, now), values=tuple(now))


def start_of(count: int) -> int:
    """Returns how many of ``count`` logging steps are the start of a run."""
    return min(START_RECORDS, count // 2)


def _begins_at_the_start(records: Sequence[Record]) -> bool:
    """Checks that a log begins with its run. A record covers the steps since the last: the first of five, a fifth."""
    first, *later = [position_of(record) for record in records[:2]]
    if first is None or not later or later[0] is None:
        return True
    return first - (later[0] - first) <= START_BY


def position_of(record: Record) -> float | None:
    """Returns the position of a record in its run: the finished share, or else epochs; None if both are unknown."""
    return record.progress if record.progress is not None else record.epoch


def _finite(values: Sequence[float]) -> list[float] | None:
    """The finite values; None if too few are."""
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
        return _in_errors(*_slope(finite))
    if summary is Summary.GREATEST:
        return max(finite)
    if summary is Summary.PEAK:
        usual = median([value for value in finite if value > 0] or [0.0])
        return min(max(finite) / usual, HUGEST) if usual > 0 else 0.0
    return median(finite) if summary is Summary.MEDIAN else fmean(finite)


def _compare(summary: Summary, start: Sequence[float], now: Sequence[float]) -> float:
    before, after = _finite(start), _finite(now)
    if before is None or after is None:
        return math.nan
    if summary is Summary.RATIO:
        low, high = median(before), median(after)
        return high / low if low > 0 else 1.0 if high == low else MOST_ERRORS
    change = fmean(after) - fmean(before)
    error = math.sqrt(sum(variance(side) / len(side) for side in (before, after) if len(side) > 1))
    if summary is Summary.CHANGE:
        return change
    if summary is Summary.AT_MOST:
        return change + 2 * error
    return _normal(_in_errors(change, error), len(before) + len(after) - 2)


def _normal(t: float, freedom: int) -> float:
    """Converts ``t`` of Student's distribution to the equally unlikely normal deviate: few steps prove less than many.

    The approximation of Wallace (Annals of Mathematical Statistics 30, 1959), good to 0.2 from 3 degrees of freedom on.
    """
    if freedom < 1:
        return 0.0
    size = (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(t * t / freedom))
    return math.copysign(size, t)


def _late_share(values: Sequence[float]) -> float:
    """The greatest plausible share of a rise in the second half: the slope of that half plus two standard errors.

    The rise is measured from the first eighth to the second half; an early plateau hardly shortens it.
    """
    early, late = _finite(values[: max(5, len(values) // 8)]), _finite(values[len(values) // 2 :])
    if early is None or late is None:
        return math.nan
    rise = fmean(late) - fmean(early)
    slope, error = _slope(late)
    return max(0.0, slope + 2 * error) * len(late) / rise if rise > 0 else 1.0


def _slope(values: Sequence[float]) -> tuple[float, float]:
    """The slope of a least-squares line over the steps, and its standard error."""
    count = len(values)
    if count < 3:
        return 0.0, 0.0
    middle, mean = (count - 1) / 2, fmean(values)
    spread = sum((index - middle) ** 2 for index in range(count))
    slope = sum((index - middle) * (value - mean) for index, value in enumerate(values)) / spread
    rest = sum((value - mean - slope * (index - middle)) ** 2 for index, value in enumerate(values))
    return slope, math.sqrt(rest / (count - 2) / spread)


def _in_errors(change: float, error: float) -> float:
    if abs(change) <= 1e-12:
        return 0.0
    errors = change / error if error > 0 else math.copysign(math.inf, change)
    return max(-MOST_ERRORS, min(MOST_ERRORS, errors))
