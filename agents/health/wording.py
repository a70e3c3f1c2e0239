"""A diagnosis in words, shared by the terminal, the page and the callback."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from agents.curriculum import OF_THE_REWARD
from agents.health.diagnosis import Check, Decision, Diagnosis, Flag, Followed, LookBack, State, Status
from agents.health.measure import SHOWN, Measure, Side, Summary
from agents.health.metrics import METRICS
from agents.health.profile import Profile
from agents.health.records import Record
from agents.health.rule import Level, Reading
from agents.health.settings import present

__all__ = [
    "HEADLINES",
    "course",
    "decided",
    "flag_words",
    "headline",
    "remark",
    "schedule",
    "state_of",
    "summary",
    "told_check",
    "told_follow_up",
    "unknown_by_reason",
]

_NEXT: Mapping[Decision, str] = {
    Decision.CONTINUE: "CONTINUE: no intervention is needed.",
    Decision.INTERVENE: "INTERVENE and CONTINUE: apply the recommended actions, then look again.",
    Decision.STOP: "STOP: red flags hold at this point of the run.",
    Decision.UNKNOWN: "UNKNOWN: the log does not hold enough to judge by.",
}
_FINISHED: Mapping[Decision, str] = {
    Decision.CONTINUE: "FINISHED: it rose, and no intervention is needed.",
    Decision.INTERVENE: "FINISHED: apply the recommended actions before another run.",
    Decision.STOP: "FINISHED, with red flags: do not go on from it.",
    Decision.UNKNOWN: "FINISHED: the log does not hold enough to judge by.",
}
_IN_VAIN: Mapping[Decision, str] = {
    Decision.INTERVENE: "FINISHED, and no rise can be shown: apply the recommended actions before another run.",
    Decision.UNKNOWN: "FINISHED, and no rise can be shown: there is none, or the noise of these steps hides it. "
    "Evaluate the model as it was before and as it is now.",
}
"""Words for a finished run without a demonstrable rise."""

HEADLINES: Mapping[Status, tuple[str, str]] = {
    Status.HEALTHY: ("🟢", "Healthy"),
    Status.WATCH: ("🟢", "On course, with warnings"),
    Status.STRUGGLING: ("🟡", "Struggling: requires intervention"),
    Status.FAILING: ("🔴", "Failing: stop"),
    Status.UNKNOWN: ("⚪", "Unknown"),
}


def headline(diagnosis: Diagnosis, *, symbols: bool = True) -> str:
    """Returns the status in a few words."""
    mark, words = HEADLINES[diagnosis.status]
    return f"{mark} {words}" if symbols else words


def summary(diagnosis: Diagnosis) -> str:
    """Sums up red flags, findings, notices and missing metrics in a few sentences."""
    critical = [issue for issue in diagnosis.issues if issue.level is Level.CRITICAL]
    warnings = [issue for issue in diagnosis.issues if issue.level is Level.WARNING]
    sentences = []
    if diagnosis.stops:
        sentences.append(f"Red flags: {'; '.join(flag.rule.text for flag in diagnosis.stops)}.")
    if critical:
        sentences.append(f"Critical: {', '.join(_named(issue) for issue in critical)}.")
    if warnings:
        sentences.append(f"Warned of: {', '.join(_named(issue) for issue in warnings)}.")
    if diagnosis.consequences:
        names = ", ".join(issue.rule.title.lower() for issue in diagnosis.consequences)
        sentences.append(f"What follows from that: {names}.")
    if not sentences:
        sentences.append("Nothing alarming in what was recorded.")
    if diagnosis.finished and not diagnosis.risen:
        sentences.append("It is finished, and no rise can be shown.")
    if diagnosis.notices:
        sentences.append(f"No alarm, but worth knowing: {', '.join(_named(notice) for notice in diagnosis.notices)}.")
    if diagnosis.missing:
        names = ", ".join(METRICS[name].title.lower() for name in diagnosis.missing)
        sentences.append(f"Not known, and needed to call a run healthy: {names}.")
    return " ".join(sentences)


def _named(issue: Reading) -> str:
    value = issue.range if issue.rule.measure.summary is Summary.WORST else issue.shown
    return f"{issue.rule.title.lower()} ({issue.rule.metric.title.lower()} {value})"


def course(diagnosis: Diagnosis) -> str:
    """Describes reward and pass rate at the start and now; or the reward on the profile's trajectory, if it has one."""
    if diagnosis.profile.trajectory:
        return _by_trajectory(diagnosis)
    told = [text for name in ("reward", "pass_rate") if (text := _then_and_now(name, diagnosis.run.records))]
    if any(
        reading.rule.measure.summary is Summary.LATE_SHARE and reading.side is Side.LOW
        for reading in diagnosis.readings
    ):
        told.append("The reward stands still in the second half of the log.")
    if diagnosis.risen:
        told.append(_proves(diagnosis))
    return " ".join(told)


def _proves(diagnosis: Diagnosis) -> str:
    """Says how far a rise can be trusted."""
    curriculum, _ = present("curriculum", diagnosis.run, diagnosis.profile.assumed)
    chosen = "" if curriculum in ("", *OF_THE_REWARD) else ", which its curriculum chose anew at each step"
    return (
        f"This is on problems of the training{chosen}. Only an evaluation shows if it rises on others (eval_steps, or "
        "`ocaml-env evaluate`)."
    )


def _then_and_now(name: str, records: Sequence[Record]) -> str:
    """Describes a metric at the start and now; "" if it was not recorded."""
    metric = METRICS[name]
    change = Measure(metric=name, summary=Summary.CHANGE, window=30, least=1).of(records)
    values = [value for record in records[-20:] if (value := metric.of(record)) is not None and math.isfinite(value)]
    if not values:
        return ""
    if change.value is None or not math.isfinite(change.value):
        return f"{metric.title}: {metric.show(fmean(values))} ({change.why or 'not finite'})."
    now = fmean(value for value in change.values if math.isfinite(value))
    shift = Measure(metric=name, summary=Summary.SHIFT, window=30, least=3).of(records).value
    if shift is None:
        word = "too few steps to tell a change from chance"
    elif abs(shift) >= SHOWN:
        word = f"{'risen' if shift > 0 else 'fallen'}, {shift:+.1f} s.e."
    else:
        word = f"not moved, as far as can be told, {shift:+.1f} s.e."
    return f"{metric.title}: {metric.show(now - change.value)} at the start, {metric.show(now)} now ({word})."


def _by_trajectory(diagnosis: Diagnosis) -> str:
    """Compares the reward with the trajectory; "" if the reward or the moment is unknown."""
    profile = diagnosis.profile
    reward = profile.vital[0].of(diagnosis.run.records).value
    expected = profile.expected(diagnosis.moment) if diagnosis.moment is not None else None
    if expected is None or reward is None or diagnosis.moment is None:
        return ""
    phase, wanted = expected
    place = "within" if phase.low <= reward <= phase.high else "below" if reward < phase.low else "above"
    return (
        f"Trajectory at {profile.clock.tell(diagnosis.moment)}: {wanted:.2f} expected (band {phase.low:.2f} to "
        f"{phase.high:.2f}: {phase.learns}); the reward is {reward:.3f}, {place} the band."
    )


def remark(diagnosis: Diagnosis, reading: Reading) -> str:
    """Returns a remark on a level: the side of the value, why it is unknown or excused, a learning rate's course."""
    if reading.level is Level.UNKNOWN:
        return f" ({reading.measured.why})"
    if reading.rule.metric.name == "learning_rate":
        side = f", {reading.side.value}" if reading.level.alarming and reading.side else ""
        return f"{side} ({schedule(diagnosis.run.records)})"
    if reading.excused:
        return f" ({reading.excused})"
    return f", {reading.side.value}" if reading.level.alarming and reading.side else ""


def schedule(records: Sequence[Record]) -> str:
    """Describes the course of the learning rate by its values: a falling rate is a decay, never a warm-up."""
    rates = [record.numbers["learning_rate"] for record in records if "learning_rate" in record.numbers]
    if len(rates) < 2:
        return "one value" if rates else "not recorded"
    steps = [later - earlier for earlier, later in pairwise(rates)]
    if all(step == 0 for step in steps):
        return "constant"
    if all(step <= 0 for step in steps):
        return "decay: it falls"
    if all(step >= 0 for step in steps):
        return "warm-up, then constant" if steps[-1] == 0 else "warm-up: it rises"
    peak = rates.index(max(rates))
    if all(step >= 0 for step in steps[:peak]) and all(step <= 0 for step in steps[peak:]):
        return "warm-up, then decay: it falls"
    return "it goes up and down"


def unknown_by_reason(diagnosis: Diagnosis) -> dict[str, list[str]]:
    """Returns the names of rules without any measured value, by the reason."""
    reasons: dict[str, list[str]] = {}
    for reading in diagnosis.readings:
        if not reading.measured.values:
            reasons.setdefault(reading.measured.why, []).append(reading.rule.name)
    return reasons


def state_of(check: Check, one: LookBack) -> State:
    """Returns the state of a checkpoint's criterion: before the checkpoint, a missed one is still pending."""
    return State.PENDING if check.state is State.MISSED and not one.passed else check.state


def told_check(check: Check) -> str:
    """Formats a criterion with its band and its value, on one line."""
    criterion = check.criterion
    metric = METRICS[criterion.measure.metric]
    form = criterion.measure.form
    value = check.measured.why if check.measured.value is None else form.format(check.measured.value)
    return f"{criterion.text}: {metric.title} {criterion.band.show(form)} ({value})"


def flag_words(flag: Flag, profile: Profile) -> tuple[str, str]:
    """Returns the state of a red flag in one word, and its description."""
    if flag.measured.value is None:
        word, shown = "unknown", flag.measured.why
    else:
        shown = flag.rule.measure.form.format(flag.measured.value)
        word = "STOP" if flag.stops else "raised" if flag.raised else "clear"
        if word == "raised":
            shown += f", outweighed: {flag.outweighed}" if flag.outweighed else ", does not stop yet"
    at = "at any time" if flag.rule.at == 0 else f"from {profile.clock.tell(flag.rule.at)} on"
    return word, f"{flag.rule.text}, {at} ({shown})"


def decided(diagnosis: Diagnosis) -> str:
    """Words the decision, with the next checkpoints and the reasons to stop."""
    words = _NEXT if not diagnosis.finished else _FINISHED if diagnosis.risen else {**_FINISHED, **_IN_VAIN}
    text = words[diagnosis.decision]
    ahead = [look for look in diagnosis.look_backs if not look.passed]
    if ahead and diagnosis.decision in (Decision.CONTINUE, Decision.INTERVENE):
        moments = " and at ".join(diagnosis.profile.clock.tell(look.checkpoint.at) for look in ahead)
        text += f" Recheck at {moments}."
    if diagnosis.stops:
        text += f" Because: {'; '.join(flag.rule.text for flag in diagnosis.stops)}."
    return text


def told_follow_up(one: Followed) -> str:
    """Formats an intervention and its effect, on one line."""
    change, metric = one.intervention, METRICS[one.follow_up.metric]
    return (
        f"step {change.step}: {change.setting} {change.before:g} -> {change.after:g} ({change.rule}); "
        f"expected {one.follow_up}; is {metric.show(one.measured.value)}"
    )
