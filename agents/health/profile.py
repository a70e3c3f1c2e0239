"""Profiles: all rules for judging a run, as one table of data."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agents.health.measure import Band, Measure, position_of
from agents.health.records import Record
from agents.health.rule import Condition, Rule

__all__ = ["Checkpoint", "Clock", "Criterion", "Phase", "Profile", "StopRule"]


class Clock(enum.StrEnum):
    """The unit of a profile's moments."""

    EPOCH = "epoch"
    """Passes over the problems."""

    PROGRESS = "share of the run"
    """The finished share of the run; epochs if a log does not give it."""

    def of(self, record: Record) -> float | None:
        return record.epoch if self is Clock.EPOCH else position_of(record)

    def tell(self, moment: float) -> str:
        """Formats a moment for people."""
        number = f"{moment:.2f}"
        return f"epoch {number.removesuffix('0')}" if self is Clock.EPOCH else f"{moment:.0%} of the run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """An expectation of a checkpoint, or a green light.

    Attributes:
        text: the expectation in words.
        measure: the measured quantity.
        band: its expected values.
        excuses: True for a green light that shows a rise. It outweighs red flags; a run that ends without one is told
            that no rise can be shown.
    """

    text: str
    measure: Measure
    band: Band
    excuses: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A moment to look again, with the criteria to check then."""

    at: float
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRule:
    """A red flag.

    Attributes:
        name: stable, for programs and tests.
        text: the fault in words.
        measure: the measured quantity.
        tolerable: tolerable values; any other raises the flag.
        at: the moment from which a raised flag stops the run; before, it is only shown.
        when: further conditions that must hold.
        absolute: True if it stops a run despite green lights.
        source: source of the threshold.
    """

    name: str
    text: str
    measure: Measure
    tolerable: Band
    at: float
    source: str
    when: tuple[Condition, ...] = ()
    absolute: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A stretch of the expected trajectory.

    Attributes:
        begins: its first moment, by the profile's clock.
        ends: the first moment after it.
        low: the reward at its beginning.
        high: the reward at its end.
        learns: the skill learned in it.
    """

    begins: float
    ends: float
    low: float
    high: float
    learns: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The rules for judging a run.

    Attributes:
        name: its name on the command line.
        title: its description in a few words.
        clock: the unit of its moments.
        rules: most telling first, which is also the order of the findings.
        vital: measures required to call a run healthy.
        checkpoints: moments to look again.
        stop_rules: the red flags.
        green_lights: reasons to go on.
        stops_despite_green: True if green lights never outweigh a red flag.
        trajectory: expected rewards, in the order of time.
        assumed: values of settings for a run without ``config.yaml``.
        contingency: advice for the case that nothing improves.
    """

    name: str
    title: str
    clock: Clock
    rules: tuple[Rule, ...]
    vital: tuple[Measure, ...]
    checkpoints: tuple[Checkpoint, ...]
    stop_rules: tuple[StopRule, ...]
    green_lights: tuple[Criterion, ...]
    stops_despite_green: bool
    trajectory: tuple[Phase, ...] = ()
    assumed: Mapping[str, str] = field(default_factory=dict)
    contingency: tuple[str, ...] = ()

    def moment(self, records: Sequence[Record]) -> float | None:
        """Returns the run's position by the clock; None if its log does not give one."""
        return next((at for record in reversed(records) if (at := self.clock.of(record)) is not None), None)

    def rule(self, name: str) -> Rule:
        """Returns the rule of that name.

        Raises:
            KeyError: if there is none.
        """
        return {rule.name: rule for rule in self.rules}[name]

    def expected(self, moment: float) -> tuple[Phase, float] | None:
        """Returns the phase at a moment and its expected reward, interpolated linearly; None without a trajectory."""
        for phase in self.trajectory:
            if phase.begins <= moment < phase.ends:
                share = (moment - phase.begins) / (phase.ends - phase.begins)
                return phase, phase.low + share * (phase.high - phase.low)
        return (self.trajectory[-1], self.trajectory[-1].high) if self.trajectory else None
