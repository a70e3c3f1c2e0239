"""Diagnoses a run: applies every rule of a profile, and draws one decision from the findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.health.diagnosis import (
    Check,
    Decision,
    Diagnosis,
    Flag,
    Followed,
    LookBack,
    Recommendation,
    State,
    Status,
)
from agents.health.measure import Measure
from agents.health.profile import Checkpoint, Clock, Criterion, Profile, StopRule
from agents.health.records import Intervention, Record, Run
from agents.health.rule import FollowUp, Level, Reading
from agents.health.settings import exports_of, present

__all__ = ["diagnose"]


def diagnose(run: Run, profile: Profile, *, as_of: float | None = None) -> Diagnosis:
    """Judges a run by a profile.

    Args:
        run: its records, oldest first.
        profile: the rules.
        as_of: judges the run at this moment of the profile's clock, without later records. If the log ends earlier, the
            run is taken to stand at that moment now. None judges it at the end of its log.
    """
    records: Sequence[Record] = run.records
    if as_of is not None:
        records = [record for record in records if (at := profile.clock.of(record)) is None or at <= as_of]
        run = replace(run, records=tuple(records))
    moment = as_of if as_of is not None else profile.moment(records)
    readings = _with_causes([rule.read(records) for rule in profile.rules]) if records else ()
    issues = _by_level(reading for reading in readings if reading.level.alarming and not reading.causes)
    consequences = _by_level(reading for reading in readings if reading.level.alarming and reading.causes)
    notices = tuple(reading for reading in readings if reading.rule.notice and reading.level is Level.INFORMATION)
    green_lights = tuple(_check(light, records) for light in profile.green_lights)
    flags = tuple(_flag(rule, records, moment, green_lights, profile) for rule in profile.stop_rules)
    missing = tuple(dict.fromkeys(m.metric for m in profile.vital if m.of(records).value is None))
    finished = profile.clock is Clock.PROGRESS and _progress(records, as_of) >= 1
    risen = any(light.state is State.MET and light.criterion.excuses for light in green_lights)
    status = _status(issues, flags, missing, in_vain=finished and not risen)
    return Diagnosis(
        run=run,
        profile=profile,
        moment=moment,
        readings=tuple(readings),
        issues=issues,
        consequences=consequences,
        notices=notices,
        recommendations=_recommendations((*issues, *notices), run, profile),
        flags=flags,
        green_lights=green_lights,
        look_backs=tuple(_look_back(checkpoint, records, moment, profile) for checkpoint in profile.checkpoints),
        followed=tuple(_followed(run, profile)),
        missing=missing,
        finished=finished,
        risen=risen,
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


def _progress(records: Sequence[Record], as_of: float | None) -> float:
    """The finished share of the run; 0 if unknown. Epochs do not give it, because the log does not tell their total."""
    return as_of if as_of is not None else next((r.progress for r in reversed(records) if r.progress is not None), 0.0)


def _status(issues: Sequence[Reading], flags: Sequence[Flag], missing: Sequence[str], *, in_vain: bool) -> Status:
    """The status of a run; ``in_vain``: the run is over, without a demonstrable rise."""
    if any(flag.stops for flag in flags):
        return Status.FAILING
    if any(issue.level is Level.CRITICAL for issue in issues) or (in_vain and issues):
        return Status.STRUGGLING
    if missing or in_vain:
        return Status.UNKNOWN
    return Status.WATCH if issues else Status.HEALTHY


_ORDER = (Level.CRITICAL, Level.WARNING)


def _by_level(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    return tuple(sorted(readings, key=lambda reading: _ORDER.index(reading.level)))


def _with_causes(readings: Sequence[Reading]) -> list[Reading]:
    """The readings, each finding with its causes: explanations by findings at least as bad."""
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
    """The actions of the issues; for each setting only the first."""
    found: dict[str, Recommendation] = {}
    for issue in issues:
        for action in issue.rule.actions:
            if action.side not in (None, issue.side):
                continue
            exports = exports_of(action, run, profile.assumed)
            key = action.setting or action.text
            if key in found:
                found[key] = replace(found[key], rules=(*found[key].rules, issue.rule.name))
            elif exports or not action.setting or not present(action.setting, run, profile.assumed)[0]:
                found[key] = Recommendation(action=action, exports=exports, rules=(issue.rule.name,))
    return tuple(sorted(found.values(), key=lambda recommendation: recommendation.action.priority))


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
        outweighed = next(
            (light.criterion.text for light in green if light.criterion.excuses and light.state is State.MET), ""
        )
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
    """Met if the mean of the last steps since the change lies in the band; missed once its time is over."""
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
