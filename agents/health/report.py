"""A diagnosis as one self-contained HTML page: the verdict, plots, and groups of completions side by side.

Completions are hostile text. All shown text goes through ``plain``, to escape markup and spell out control characters.
The page's content security policy allows only its own script.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import fmean

from agents.health.diagnosis import Decision, Diagnosis, State
from agents.health.measure import Summary
from agents.health.metrics import METRICS
from agents.health.plots import plots
from agents.health.rule import Level, Reading
from agents.health.samples import Samples, read_samples
from agents.health.viewer import viewer
from agents.health.wording import (
    course,
    decided,
    flag_words,
    headline,
    remark,
    schedule,
    state_of,
    summary,
    told_check,
    told_follow_up,
    unknown_by_reason,
)
from ocaml_env.display.markup import plain
from ocaml_env.display.page import document, tiles
from ocaml_env.display.search import SCRIPT

__all__ = ["report"]

_CLASSES = {
    Level.HEALTHY: "good",
    Level.INFORMATION: "dim",
    Level.UNKNOWN: "dim",
    Level.WARNING: "note",
    Level.CRITICAL: "bad",
}
_STATES = {State.MET: "good", State.MISSED: "bad", State.PENDING: "dim", State.UNKNOWN: "dim"}
_VERDICTS = {Decision.CONTINUE: "good", Decision.INTERVENE: "note", Decision.STOP: "bad", Decision.UNKNOWN: "dim"}


def report(diagnosis: Diagnosis, *, groups: int = 40) -> str:
    """Renders the whole page.

    Args:
        diagnosis: the verdict to show.
        groups: most groups of completions to show, if the run has a file of rollouts.
    """
    path = diagnosis.run.completions
    source = diagnosis.run.settings.get("problems", "")
    samples = read_samples(path, groups=groups, source=source) if path is not None else Samples()
    title = f"Training health of {diagnosis.run.source}"
    return "\n".join(document(title, _body(diagnosis, samples), script=SCRIPT)) + "\n"


def _body(diagnosis: Diagnosis, samples: Samples) -> Iterator[str]:
    yield from _head(diagnosis)
    yield from _tiles(diagnosis, samples)
    yield from _issues(diagnosis)
    yield from plots(diagnosis, samples)
    yield from _metrics(diagnosis)
    yield from _outlook(diagnosis)
    yield from viewer(samples)
    yield from _notes(diagnosis, samples)


def _head(diagnosis: Diagnosis) -> Iterator[str]:
    records, profile = diagnosis.run.records, diagnosis.profile
    epochs = [record.epoch for record in records if record.epoch is not None]
    extent = f", epoch {epochs[0]:.2f} to {epochs[-1]:.2f}" if epochs else ""
    yield f"<h1>Training health of {plain(str(diagnosis.run.source))}</h1>"
    yield (
        f'<div class="dim">profile {plain(profile.name)}: {plain(profile.title)}; '
        f"{len(records):,} logging steps{extent}</div>"
    )
    yield f'<div class="verdict {_VERDICTS[diagnosis.decision]}"><b>{plain(headline(diagnosis, symbols=False))}</b>'
    yield f"<p>{plain(summary(diagnosis))}</p>"
    if line := course(diagnosis):
        yield f'<p class="dim">{plain(line)}</p>'
    yield f"<p><strong>{plain(decided(diagnosis))}</strong></p></div>"


def _tiles(diagnosis: Diagnosis, samples: Samples) -> Iterator[str]:
    records = diagnosis.run.records[-20:]
    shown = []
    for name in ("reward", "pass_rate", "zero_variance", "entropy", "truncated", "no_code_or_syntax"):
        values = [value for record in records if (value := METRICS[name].of(record)) is not None]
        if values:
            finite = [value for value in values if math.isfinite(value)]
            shown.append((METRICS[name].show(fmean(finite) if finite else values[-1]), METRICS[name].title.lower()))
    if samples.count:
        shown.append((f"{samples.count:,}", "completions"))
    yield tiles(shown)
    if records:
        yield f'<div class="dim small">Means of the last {len(records)} logging steps.</div>'


def _metrics(diagnosis: Diagnosis) -> Iterator[str]:
    order = list(METRICS)
    yield "<h2>Metrics</h2><div class=wide><table><tr><th>metric</th><th class=n>range</th><th class=n>mean</th>"
    yield "<th class=n>judged</th><th>healthy</th><th>assessment</th><th>rule</th></tr>"
    for reading in sorted(diagnosis.readings, key=lambda reading: order.index(reading.rule.metric.name)):
        if not reading.measured.values:
            continue
        rule = reading.rule
        judged = "each line" if rule.measure.summary is Summary.WORST else reading.shown
        healthy = "" if rule.informational else rule.healthy.show(rule.form)
        yield (
            f'<tr title="{plain(rule.metric.definition)}"><td>{plain(rule.metric.title)}</td>'
            f"<td class=n>{plain(reading.range)}</td><td class=n>{plain(rule.metric.show(reading.mean))}</td>"
            f"<td class=n>{plain(judged)}</td><td>{plain(healthy)}</td>"
            f'<td class="{_CLASSES[reading.level]}">{plain(reading.level.value + remark(diagnosis, reading))}</td>'
            f'<td class="dim">{plain(rule.name)}</td></tr>'
        )
    yield "</table></div>"
    for why, names in unknown_by_reason(diagnosis).items():
        yield f'<p class="dim small">Unknown, which is not healthy ({plain(why)}): {plain(", ".join(names))}.</p>'


def _issues(diagnosis: Diagnosis) -> Iterator[str]:
    if diagnosis.issues:
        yield "<h2>Issues</h2>"
    for number, issue in enumerate(diagnosis.issues, start=1):
        yield from _issue(number, issue, diagnosis)
    for notice in diagnosis.notices:
        text = f"{notice.diagnosis} {notice.rule.meaning} ({notice.shown}; {notice.rule.name})"
        yield f"<p>Worth knowing: {plain(text)}</p>"
    if diagnosis.consequences:
        yield "<ul>"
        for issue in diagnosis.consequences:
            text = f"{issue.rule.title} ({issue.shown}), which follows from {', '.join(issue.causes)}"
            yield f'<li class="dim">{plain(text)}</li>'
        yield "</ul>"
    if diagnosis.recommendations:
        yield "<h2>Recommended actions</h2>"
    for advice in diagnosis.recommendations:
        why = f" {advice.action.why}" if advice.action.why else ""
        yield (
            f"<p><b>{plain(advice.action.text)}</b> "
            f'<span class="dim">priority {advice.action.priority}, {plain(", ".join(advice.rules))}.</span>'
            f"{plain(why)}</p>"
        )
        if advice.exports:
            yield f"<pre>{plain(chr(10).join(export.line for export in advice.exports))}</pre>"
        if advice.action.expect:
            yield f'<p class="dim">Expected: {plain("; ".join(advice.action.expect))}.</p>'


def _issue(number: int, issue: Reading, diagnosis: Diagnosis) -> Iterator[str]:
    rule = issue.rule
    seen = issue.range if rule.measure.summary is Summary.WORST else issue.shown
    yield f'<h3>{number}. {plain(rule.title)} <span class="{_CLASSES[issue.level]}">{issue.level.value}</span></h3>'
    yield f"<p>{plain(rule.metric.title)} is {plain(seen)}; healthy is {plain(rule.healthy.show(rule.form))}. "
    does = f" What it does: {schedule(diagnosis.run.records)}." if rule.metric.name == "learning_rate" else ""
    yield f"{plain(issue.diagnosis)} {plain(rule.meaning)}{plain(does)}</p>"
    yield f'<p class="dim small">Threshold: {plain(rule.source)}.</p>'


def _outlook(diagnosis: Diagnosis) -> Iterator[str]:
    clock = diagnosis.profile.clock
    if diagnosis.followed:
        yield "<h2>What was changed while it ran</h2><ul>"
        for followed in diagnosis.followed:
            yield (
                f'<li><span class="{_STATES[followed.state]}">{followed.state.value}</span> '
                f"{plain(told_follow_up(followed))}</li>"
            )
        yield "</ul>"
    yield "<h2>What to check</h2>"
    for look in diagnosis.look_backs:
        tense = "passed" if look.passed else "to come"
        yield f"<h3>{plain(clock.tell(look.checkpoint.at))} <span class=dim>({tense})</span></h3><ul>"
        for check in look.checks:
            state = state_of(check, look)
            yield f'<li><span class="{_STATES[state]}">{state.value}</span> {plain(told_check(check))}</li>'
        yield "</ul>"
    yield "<h3>Green lights</h3><ul>"
    for check in diagnosis.green_lights:
        yield f'<li><span class="{_STATES[check.state]}">{check.state.value}</span> {plain(told_check(check))}</li>'
    yield "</ul><h3>Red flags</h3><ul>"
    for flag in diagnosis.flags:
        word, rest = flag_words(flag, diagnosis.profile)
        look_of = {"clear": "good", "STOP": "bad", "raised": "note"}.get(word, "dim")
        yield f'<li><span class="{look_of}">{word}</span> {plain(rest)}</li>'
    yield "</ul>"


def _notes(diagnosis: Diagnosis, samples: Samples) -> Iterator[str]:
    notes = [*diagnosis.run.notes, *samples.notes]
    if notes:
        yield "<h2>What could not be read</h2><ul>"
        yield from (f'<li class="note">{plain(note)}</li>' for note in notes)
        yield "</ul>"
