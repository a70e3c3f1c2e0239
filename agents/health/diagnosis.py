"""A run, judged by a profile: readings, findings with their causes, red flags, checkpoints, and one decision."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from agents.health.measure import Measure, Measured
from agents.health.profile import Checkpoint, Criterion, Profile, StopRule
from agents.health.records import Intervention, Record, Run
from agents.health.rule import Action, FollowUp, Level, Reading
from agents.health.settings import Export, exports_of

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
    "diagnose",
    "schedule",
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
        recommendations: what to do, most urgent first.
        flags: the stop rules.
        green_lights: what speaks for going on.
        look_backs: the checkpoints.
        followed: interventions, and whether they worked.
        missing: vital metrics that are unknown.
        status: how the run stands.
        decision: what to do.
    """

    run: Run
    profile: Profile
    moment: float | None
    readings: tuple[Reading, ...]
    issues: tuple[Reading, ...]
    consequences: tuple[Reading, ...]
    recommendations: tuple[Recommendation, ...]
    flags: tuple[Flag, ...]
    green_lights: tuple[Check, ...]
    look_backs: tuple[LookBack, ...]
    followed: tuple[Followed, ...]
    missing: tuple[str, ...]
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


def diagnose(run: Run, profile: Profile, *, as_of: float | None = None) -> Diagnosis:
    """Judges a run.

    Args:
        run: its records, oldest first.
        profile: the rules.
        as_of: judge it as it stood at this moment of the profile's clock: later records are left out; where the log
            ends before, as if it stood there now.
    """
    records: Sequence[Record] = run.records
    if as_of is not None:
        records = [record for record in records if (at := profile.clock.of(record)) is None or at <= as_of]
        run = replace(run, records=tuple(records))
    moment = as_of if as_of is not None else profile.moment(records)
    readings = _with_causes([rule.read(records) for rule in profile.rules]) if records else ()
    issues = _by_level(reading for reading in readings if reading.level.alarming and not reading.causes)
    consequences = _by_level(reading for reading in readings if reading.level.alarming and reading.causes)
    green_lights = tuple(_check(light, records) for light in profile.green_lights)
    flags = tuple(_flag(rule, records, moment, green_lights, profile) for rule in profile.stop_rules)
    missing = tuple(dict.fromkeys(m.metric for m in profile.vital if m.of(records).value is None))
    status = _status(issues, flags, missing)
    return Diagnosis(
        run=run,
        profile=profile,
        moment=moment,
        readings=tuple(readings),
        issues=issues,
        consequences=consequences,
        recommendations=_recommendations(issues, run, profile),
        flags=flags,
        green_lights=green_lights,
        look_backs=tuple(_look_back(one, records, moment, profile) for one in profile.checkpoints),
        followed=tuple(_followed(run, profile)),
        missing=missing,
        status=status,
        decision=_DECISIONS[status],
    )


_DECISIONS = {
    Status.HEALTHY: Decision.CONTINUE,
    Status.WATCH: Decision.CONTINUE,
    Status.STRUGGLING: Decision.INTERVENE,
    Status.FAILING: Decision.STOP,
    Status.UNKNOWN: Decision.UNKNOWN,
}


def _status(issues: Sequence[Reading], flags: Sequence[Flag], missing: Sequence[str]) -> Status:
    if any(flag.stops for flag in flags):
        return Status.FAILING
    if any(issue.level is Level.CRITICAL for issue in issues):
        return Status.STRUGGLING
    if missing:
        return Status.UNKNOWN
    return Status.WATCH if issues else Status.HEALTHY


_ORDER = (Level.CRITICAL, Level.WARNING)


def _by_level(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    return tuple(sorted(readings, key=lambda reading: _ORDER.index(reading.level)))


def _with_causes(readings: Sequence[Reading]) -> list[Reading]:
    """The readings, each finding with those at least as bad that explain it."""
    worth = {reading.rule.name: reading.level for reading in readings if reading.level.alarming}
    return [
        replace(
            reading,
            causes=tuple(
                name
                for name in reading.rule.explained_by
                if name in worth and (worth[name] is Level.CRITICAL or reading.level is Level.WARNING)
            ),
        )
        if reading.level.alarming
        else reading
        for reading in readings
    ]


def _recommendations(issues: Sequence[Reading], run: Run, profile: Profile) -> tuple[Recommendation, ...]:
    """The actions of the issues; one for each setting, the first that asks for it."""
    found: dict[str, Recommendation] = {}
    for issue in issues:
        for action in issue.rule.actions:
            if action.side not in (None, issue.side):
                continue
            exports = exports_of(action, run, profile.assumed)
            key = action.setting or action.text
            if key in found:
                found[key] = replace(found[key], rules=(*found[key].rules, issue.rule.name))
            elif exports or not action.setting or action.setting not in {**profile.assumed, **run.settings}:
                found[key] = Recommendation(action=action, exports=exports, rules=(issue.rule.name,))
    return tuple(sorted(found.values(), key=lambda one: one.action.priority))


def _check(criterion: Criterion, records: Sequence[Record]) -> Check:
    measured = criterion.measure.of(records)
    if measured.value is None:
        return Check(criterion=criterion, measured=measured, state=State.UNKNOWN)
    met = measured.value in criterion.band
    return Check(criterion=criterion, measured=measured, state=State.MET if met else State.MISSED)


def _flag(
    rule: StopRule, records: Sequence[Record], moment: float | None, green: Sequence[Check], profile: Profile
) -> Flag:
    measured = rule.measure.of(records)
    if measured.value is None:
        return Flag(rule=rule, measured=measured, raised=None)
    held = [condition.measure.of(records).value for condition in rule.when]
    conditions = all(v is not None and v in c.band for v, c in zip(held, rule.when, strict=True))
    raised = measured.value not in rule.tolerable and conditions
    reached = rule.at == 0 or (moment is not None and moment >= rule.at)
    outweighed = ""
    if not rule.absolute and not profile.stops_despite_green:
        outweighed = next((one.criterion.text for one in green if one.criterion.excuses and one.state is State.MET), "")
    return Flag(
        rule=rule,
        measured=measured,
        raised=raised,
        stops=raised and reached and not outweighed,
        outweighed=outweighed if raised else "",
    )


def _look_back(checkpoint: Checkpoint, records: Sequence[Record], moment: float | None, profile: Profile) -> LookBack:
    passed = moment is not None and moment >= checkpoint.at
    if passed:
        until = [r for r in records if (at := profile.clock.of(r)) is not None and at <= checkpoint.at]
        checks = tuple(_check(criterion, until) for criterion in checkpoint.criteria)
    else:
        checks = tuple(_check(criterion, records) for criterion in checkpoint.criteria)
    return LookBack(checkpoint=checkpoint, passed=passed, checks=checks)


def _followed(run: Run, profile: Profile) -> list[Followed]:
    rules = {rule.name: rule for rule in profile.rules}
    found = []
    for change in run.interventions:
        rule = rules.get(change.rule)
        if rule is None or rule.follow_up is None:
            continue
        found.append(_follow(change, rule.follow_up, run.records))
    return found


def _follow(change: Intervention, follow_up: FollowUp, records: Sequence[Record]) -> Followed:
    """Met as soon as the mean of the last steps lies in the band; missed when the time is over."""
    since = [r for r in records if r.step is not None and change.step < r.step <= change.step + follow_up.within]
    measured = Measure(metric=follow_up.metric, window=20, least=5).of(since)
    over = any(r.step is not None and r.step >= change.step + follow_up.within for r in records)
    if measured.value is not None and measured.value in follow_up.band:
        state = State.MET
    elif over:
        state = State.UNKNOWN if measured.value is None else State.MISSED
    else:
        state = State.PENDING
    return Followed(intervention=change, follow_up=follow_up, measured=measured, state=state)


def schedule(records: Sequence[Record]) -> str:
    """What the learning rate does, by its values: a rate that falls is a decay, and never a warm-up."""
    rates = [record.numbers["learning_rate"] for record in records if "learning_rate" in record.numbers]
    if len(rates) < 2:
        return "one value" if rates else "not recorded"
    steps = [later - earlier for earlier, later in pairwise(rates)]
    if all(step == 0 for step in steps):
        return "constant"
    if all(step <= 0 for step in steps):
        return "decay: it falls"
    if all(step >= 0 for step in steps):
        return "warm-up: it rises"
    peak = rates.index(max(rates))
    if all(step >= 0 for step in steps[:peak]) and all(step <= 0 for step in steps[peak:]):
        return "warm-up, then decay: it falls"
    return "it goes up and down"
