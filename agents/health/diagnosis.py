"""The contents of a diagnosis: readings, findings with their causes, red flags, checkpoints, and one decision."""

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
    """The state of a run as a whole."""

    HEALTHY = "healthy"
    WATCH = "on course, with warnings"
    STRUGGLING = "struggling"
    FAILING = "failing"
    UNKNOWN = "unknown"


class Decision(enum.StrEnum):
    """The decision on a run."""

    CONTINUE = "continue"
    INTERVENE = "intervene"
    STOP = "stop"
    UNKNOWN = "unknown"


class State(enum.StrEnum):
    """The state of an expectation."""

    MET = "met"
    MISSED = "missed"
    PENDING = "not yet"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A criterion with its measured value and its state."""

    criterion: Criterion
    measured: Measured
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class LookBack:
    """A checkpoint with the state of its criteria: at its moment if the run has passed it, else now."""

    checkpoint: Checkpoint
    passed: bool
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """A stop rule, applied to a run.

    Attributes:
        rule: the stop rule.
        measured: its measured value.
        raised: True if the value is intolerable; None if it is unknown.
        stops: True if the flag stops the run now.
        outweighed: text of the green light against stopping; "" if there is none.
    """

    rule: StopRule
    measured: Measured
    raised: bool | None
    stops: bool = False
    outweighed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """An intervention and its effect."""

    intervention: Intervention
    follow_up: FollowUp
    measured: Measured
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """An action with its export lines; none if it takes more than a setting. ``rules`` names the findings behind it."""

    action: Action
    exports: tuple[Export, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The verdict of the training diagnostics on a run.

    Attributes:
        run: the judged run; as of an earlier moment, without later records.
        profile: its rules.
        moment: the run's position by the profile's clock; None if its log does not give one.
        readings: the outcome of every rule.
        issues: findings without a cause among the others; critical ones first, then in the order of the rules.
        consequences: findings explained by other findings.
        notices: no alarms, but worth telling with their advice.
        recommendations: actions, most urgent first.
        flags: the outcome of every stop rule.
        green_lights: reasons to go on.
        look_backs: the checkpoints.
        followed: interventions and their effects.
        missing: names of unknown vital metrics.
        finished: True if the log shows the end of the run.
        risen: True if a rise since the start is demonstrable.
        status: the state of the run.
        decision: the consequence of the status.
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
        """Returns the reading of a rule by its name.

        Raises:
            KeyError: if the profile has no such rule.
        """
        return {reading.rule.name: reading for reading in self.readings}[rule]

    @property
    def stops(self) -> tuple[Flag, ...]:
        """The flags that stop the run now."""
        return tuple(flag for flag in self.flags if flag.stops)
