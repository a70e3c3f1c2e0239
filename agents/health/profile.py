"""A profile: everything by which a run is judged, as one table of data."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agents.health.measure import Band, Measure, position_of
from agents.health.records import Record
from agents.health.rule import Condition, Rule

__all__ = ["Checkpoint", "Clock", "Criterion", "Phase", "Profile", "StopRule"]


class Clock(enum.StrEnum):
    """What a profile's moments count."""

    EPOCH = "epoch"
    """Passes over the problems."""

    PROGRESS = "share of the run"
    """The share of the run that is done; epochs where a log does not say."""

    def of(self, record: Record) -> float | None:
        return record.epoch if self is Clock.EPOCH else position_of(record)

    def tell(self, moment: float) -> str:
        """A moment, for people."""
        number = f"{moment:.2f}"
        return f"epoch {number.removesuffix('0')}" if self is Clock.EPOCH else f"{moment:.0%} of the run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """Something that is expected, or hoped for.

    Attributes:
        text: what, in words.
        measure: what is looked at.
        band: where it should lie.
        excuses: for a green light: it is a rise. It outweighs red flags, and a run that ends without any is told so.
    """

    text: str
    measure: Measure
    band: Band
    excuses: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A moment at which to look again, and what should be seen then."""

    at: float
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRule:
    """A red flag.

    Attributes:
        name: stable, for programs and tests.
        text: what is wrong when it shows.
        measure: what is looked at.
        tolerable: the run is to be stopped where the value lies outside.
        at: from this moment on; before, the flag is shown and stops nothing.
        when: conditions that must hold too.
        absolute: it stops a run whatever green lights there are.
        source: where the threshold comes from.
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
        begins: the moment.
        ends: the moment.
        low: the reward at its beginning.
        high: the reward at its end.
        learns: what is learned in it.
    """

    begins: float
    ends: float
    low: float
    high: float
    learns: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The rules by which a run is judged.

    Attributes:
        name: as the command takes it.
        title: what it is.
        clock: what its moments count.
        rules: most telling first; in this order findings are told.
        vital: metrics without which no run is called healthy.
        checkpoints: when to look again.
        stop_rules: the red flags.
        green_lights: what speaks for going on.
        stops_despite_green: whether any red flag stops, or only one that no green light outweighs.
        trajectory: the rewards that are expected, in order.
        assumed: settings that are taken for granted where a run has no ``config.yaml``.
        contingency: what else to try when nothing improves.
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
        """Where a run stands; None where its log does not say."""
        return next((at for record in reversed(records) if (at := self.clock.of(record)) is not None), None)

    def rule(self, name: str) -> Rule:
        """The rule of that name.

        Raises:
            KeyError: where there is none.
        """
        return {rule.name: rule for rule in self.rules}[name]

    def expected(self, moment: float) -> tuple[Phase, float] | None:
        """The phase of the trajectory at a moment, and the reward that it expects there, on a straight line."""
        for phase in self.trajectory:
            if phase.begins <= moment < phase.ends:
                share = (moment - phase.begins) / (phase.ends - phase.begins)
                return phase, phase.low + share * (phase.high - phase.low)
        return (self.trajectory[-1], self.trajectory[-1].high) if self.trajectory else None
