"""What a diagnosis says: readings, findings with their causes, red flags, checkpoints, and one decision."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from agents.health.measure import Measured
from agents.health.profile import Checkpoint, Criterion, Profile, StopRule
from agents.health.records import Intervention, Run
from agents.health.rule import Action, FollowUp, Reading
from agents.health.settings import Export

__all__ = [
    "Check",
    "Decision",
    "Diagnosis",
    "Flag",
    "Followed",
    "LookBack",
    "Recommendation",
    "State",
    "Status",
]


class Status(enum.StrEnum):
    """How a run stands as a whole."""

    HEALTHY = "healthy"
    WATCH = "on course, with warnings"
    STRUGGLING = "struggling"
    FAILING = "failing"
    UNKNOWN = "unknown"


class Decision(enum.StrEnum):
    """What to do."""

    CONTINUE = "continue"
    INTERVENE = "intervene"
    STOP = "stop"
    UNKNOWN = "unknown"


class State(enum.StrEnum):
    """Whether an expectation is met."""

    MET = "met"
    MISSED = "missed"
    PENDING = "not yet"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A criterion, and how it stands."""

    criterion: Criterion
    measured: Measured
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class LookBack:
    """A checkpoint: how its criteria stood when it was passed, or stand now where it lies ahead."""

    checkpoint: Checkpoint
    passed: bool
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """A stop rule.

    Attributes:
        rule: which.
        measured: what was measured.
        raised: whether the value is intolerable; None where that is unknown.
        stops: whether it stops the run now.
        outweighed: the green light that keeps it from stopping; "" where none does.
    """

    rule: StopRule
    measured: Measured
    raised: bool | None
    stops: bool = False
    outweighed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """An intervention, and whether it worked."""

    intervention: Intervention
    follow_up: FollowUp
    measured: Measured
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """An action with the lines that carry it out; there are none where it takes more than a setting."""

    action: Action
    exports: tuple[Export, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The verdict of the training diagnostics on a run.

    Attributes:
        run: what was judged; without the records that came later, where it was judged as of an earlier moment.
        profile: by what.
        moment: where the run stands by the profile's clock; None where its log does not say.
        readings: every rule, applied.
        issues: findings that nothing else explains, most telling first.
        consequences: findings that an issue explains.
        notices: what is no alarm, and worth telling with its advice.
        recommendations: what to do, most urgent first.
        flags: the stop rules.
        green_lights: what speaks for going on.
        look_backs: the checkpoints.
        followed: interventions, and whether they worked.
        missing: vital metrics that are unknown.
        finished: the whole run is done, as far as its log says how much that is.
        risen: a rise since the start can be shown.
        status: how the run stands.
        decision: what to do.
    """

    run: Run
    profile: Profile
    moment: float | None
    readings: tuple[Reading, ...]
    issues: tuple[Reading, ...]
    consequences: tuple[Reading, ...]
    notices: tuple[Reading, ...]
    recommendations: tuple[Recommendation, ...]
    flags: tuple[Flag, ...]
    green_lights: tuple[Check, ...]
    look_backs: tuple[LookBack, ...]
    followed: tuple[Followed, ...]
    missing: tuple[str, ...]
    finished: bool
    risen: bool
    status: Status
    decision: Decision

    def reading(self, rule: str) -> Reading:
        """The reading of a rule by its name.

        Raises:
            KeyError: where the profile has no such rule.
        """
        return {reading.rule.name: reading for reading in self.readings}[rule]

    @property
    def stops(self) -> tuple[Flag, ...]:
        """The flags for which the run is to be stopped."""
        return tuple(flag for flag in self.flags if flag.stops)
