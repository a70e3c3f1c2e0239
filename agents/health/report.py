"""A diagnosis as one HTML page that needs nothing else: the verdict, plots, and groups of completions side by side.

Completions are hostile text. Everything that is shown goes through ``plain``, which escapes markup and spells out
control characters, and the page's policy lets no script run but its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from agents.health.diagnosis import Decision, Diagnosis, State, schedule
from agents.health.measure import Summary
from agents.health.metrics import METRICS
from agents.health.records import Record
from agents.health.rule import Level, Reading
from agents.health.samples import KINDS, Group, Samples, find_problem, read_samples
from agents.health.text import (
    decided,
    expected_line,
    flag_words,
    headline,
    remark,
    state_of,
    summary,
    told_check,
    told_follow_up,
    unknown_by_reason,
)
from ocaml_env.display.charts import Area, Line, bars, heat, lines, stacked
from ocaml_env.display.markup import plain
from ocaml_env.display.page import document
from ocaml_env.display.style import GROUP_LOOKS, LEVEL_LOOKS, OUTCOME_LOOKS, SCRIPT
from ocaml_env.display.terminal import code_frame
from ocaml_env.extract import extract
from ocaml_env.problem import Problem
from ocaml_env.rollout import Rollout

__all__ = ["report"]

MOST_OF_VIEWER = 3_000_000
"""Characters of the group viewer; groups that do not fit are left out, and counted. The page stays below 5 MB."""

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
    """The whole page.

    Args:
        diagnosis: what it tells.
        groups: groups of completions that are shown at most, where the run has a file of them.
    """
    path = diagnosis.run.completions
    samples = read_samples(path, groups=groups) if path is not None else Samples()
    title = f"Training health of {diagnosis.run.source}"
    return "\n".join(document(title, _body(diagnosis, samples), script=SCRIPT)) + "\n"


def _body(diagnosis: Diagnosis, samples: Samples) -> Iterator[str]:
    yield from _head(diagnosis)
    yield from _tiles(diagnosis, samples)
    yield from _issues(diagnosis)
    yield from _plots(diagnosis, samples)
    yield from _metrics(diagnosis)
    yield from _outlook(diagnosis)
    yield from _viewer(samples)
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
    if line := expected_line(diagnosis):
        yield f'<p class="dim">{plain(line)}</p>'
    yield f"<p><strong>{plain(decided(diagnosis))}</strong></p></div>"


def _tiles(diagnosis: Diagnosis, samples: Samples) -> Iterator[str]:
    records = diagnosis.run.records[-20:]
    tiles = []
    for name in ("reward", "pass_rate", "zero_variance", "entropy", "truncated", "no_code_or_syntax"):
        values = [value for record in records if (value := METRICS[name].of(record)) is not None]
        if values:
            finite = [value for value in values if math.isfinite(value)]
            tiles.append((METRICS[name].show(fmean(finite) if finite else values[-1]), METRICS[name].title.lower()))
    if samples.count:
        tiles.append((f"{samples.count:,}", "completions"))
    yield '<div class="tiles">'
    yield from (f'<div class="tile"><b>{plain(value)}</b>{plain(label)}</div>' for value, label in tiles)
    yield "</div>"
    if records:
        yield f'<div class="dim small">Means of the last {len(records)} logging steps.</div>'


def _metrics(diagnosis: Diagnosis) -> Iterator[str]:
    order = list(METRICS)
    yield "<h2>Metrics</h2><div class=wide><table><tr><th>metric</th><th class=n>range</th><th class=n>mean</th>"
    yield "<th class=n>judged</th><th>healthy</th><th>assessment</th><th>rule</th></tr>"
    for reading in sorted(diagnosis.readings, key=lambda reading: order.index(reading.rule.metric.name)):
        if reading.level is Level.UNKNOWN:
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
    if diagnosis.consequences:
        yield "<ul>"
        for issue in diagnosis.consequences:
            text = f"{issue.rule.title} ({issue.shown}), which follows from {', '.join(issue.causes)}"
            yield f'<li class="dim">{plain(text)}</li>'
        yield "</ul>"
    if diagnosis.recommendations:
        yield "<h2>Recommended actions</h2>"
    for one in diagnosis.recommendations:
        why = f" {one.action.why}" if one.action.why else ""
        yield (
            f"<p><b>{plain(one.action.text)}</b> "
            f'<span class="dim">priority {one.action.priority}, {plain(", ".join(one.rules))}.</span>{plain(why)}</p>'
        )
        if one.exports:
            yield f"<pre>{plain(chr(10).join(export.line for export in one.exports))}</pre>"
        if one.action.expect:
            yield f'<p class="dim">Expected: {plain("; ".join(one.action.expect))}.</p>'


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
        for one in diagnosis.followed:
            yield f'<li><span class="{_STATES[one.state]}">{one.state.value}</span> {plain(told_follow_up(one))}</li>'
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


# --- plots ------------------------------------------------------------------------------------------------------------


def _plots(diagnosis: Diagnosis, samples: Samples) -> Iterator[str]:
    records = diagnosis.run.records
    if not records:
        return
    by_step = all(record.step is not None for record in records)
    xs = [float(record.step or 0) for record in records] if by_step else [float(i + 1) for i in range(len(records))]
    x_name = "step" if by_step else "line of the log"
    marks = [
        (float(change.step), f"step {change.step}: {change.setting} {change.before:g} to {change.after:g}")
        for change in diagnosis.run.interventions
        if by_step
    ]

    def line(name: str, look: str, metric: str, title: str | None = None) -> Line:
        of = METRICS[metric].of
        points = [(x, value) for x, record in zip(xs, records, strict=True) if (value := of(record)) is not None]
        return Line(name=title or name, look=look, points=points)

    yield "<h2>Plots</h2>"
    if marks:
        yield '<p class="dim small">Dashed upright lines: a setting was changed while the run went on.</p>'
    yield '<div class="plots">'
    area, wanted = _trajectory(diagnosis, xs)
    paid = Line(
        name="paid",
        look="b",
        points=[(x, r.numbers["reward"]) for x, r in zip(xs, records, strict=True) if "final_reward" in r.numbers]
        if all("reward" in r.numbers for r in records if "final_reward" in r.numbers)
        else [],
    )
    differs = [abs(r.numbers.get("final_reward", 0) - r.numbers.get("reward", 0)) > 1e-9 for r in records]
    drawn = [line("reward", "a", "reward"), *([paid] if paid.points and any(differs) else []), wanted]
    yield lines("Reward, and the expected trajectory", drawn, form="{:.3f}", area=area, marks=marks, x_name=x_name)
    yield lines("Pass rate", [line("pass rate", "c", "pass_rate")], form="{:.1%}", marks=marks, x_name=x_name)
    yield stacked("Outcomes", _outcomes(records, xs, samples), OUTCOME_LOOKS, x_name=x_name)
    yield heat("Rewards", sorted((float(step), row) for step, row in samples.rewards.items()))
    kinds = [(x, record.groups) for x, record in zip(xs, records, strict=True) if record.groups]
    if kinds:
        yield stacked("Groups by kind (only varied ones teach)", kinds, GROUP_LOOKS, x_name=x_name)
    else:
        tied = [line("frac_zero_std", "a", "zero_variance")]
        yield lines("Groups without variance", tied, form="{:.2f}", marks=marks, x_name=x_name)
    yield lines("Entropy", [line("entropy", "a", "entropy")], form="{:.3f}", marks=marks, x_name=x_name)
    yield from _curriculum(records, xs, marks, x_name)
    shares = [line("truncated", "b", "truncated"), line("no code or syntax error", "a", "no_code_or_syntax")]
    yield lines("Truncated; gibberish", shares, form="{:.0%}", marks=marks, x_name=x_name)
    ratio = [line("compression ratio", "a", "compression_ratio")]
    yield lines("Compression ratio", ratio, form="{:.1f}", marks=marks, x_name=x_name)
    gradient = [line("gradient norm", "a", "grad_norm")]
    yield lines("Gradient norm", gradient, form="{:.3g}", marks=marks, x_name=x_name, log=True)
    rate = [line("learning rate", "a", "learning_rate")]
    yield lines("Learning rate", rate, form="{:.1e}", marks=marks, x_name=x_name)
    yield _errors(samples)
    for title, counts in (("Outcomes by topic", samples.topics), ("Outcomes by level", samples.levels)):
        rows = sorted(counts.items(), key=lambda pair: (-sum(pair[1].values()), pair[0]))[:24]
        yield bars(title, [(name, dict(row)) for name, row in rows], OUTCOME_LOOKS)
    yield "</div>"


def _curriculum(
    records: Sequence[Record], xs: Sequence[float], marks: Sequence[tuple[float, str]], x_name: str
) -> Iterator[str]:
    """What was asked, and what was made of it at each level."""

    def line(name: str, look: str, number: str) -> Line:
        points = [
            (x, record.numbers[number]) for x, record in zip(xs, records, strict=True) if number in record.numbers
        ]
        return Line(name=name, look=look, points=points)

    prefix = "pass_rate/level_"
    levels = sorted(
        {name.removeprefix(prefix) for record in records for name in record.numbers if name.startswith(prefix)}
    )
    for title, drawn, form in (
        (
            "Pass rate by level",
            [line(level, LEVEL_LOOKS.get(level, "a"), prefix + level) for level in levels],
            "{:.0%}",
        ),
        ("Mean level of what is asked", [line("level", "a", "level")], "{:.2f}"),
        ("Degenerate answers", [line("degenerate", "b", "degenerate")], "{:.0%}"),
    ):
        yield lines(title, drawn, form=form, marks=marks, x_name=x_name)


def _trajectory(diagnosis: Diagnosis, xs: list[float]) -> tuple[Area | None, Line]:
    """The band that the profile expects, at the run's own steps."""
    band, wanted = [], []
    for x, record in zip(xs, diagnosis.run.records, strict=True):
        at = diagnosis.profile.clock.of(record)
        expected = diagnosis.profile.expected(at) if at is not None else None
        if expected is not None:
            phase, reward = expected
            band.append((x, phase.low, phase.high))
            wanted.append((x, reward))
    return (Area(name="band", points=band) if band else None), Line(name="expected", look="d", points=wanted)


def _outcomes(
    records: tuple[Record, ...], xs: list[float], samples: Samples
) -> list[tuple[float, Mapping[str, float]]]:
    """From the log where it has them, else from the completions."""
    logged: list[tuple[float, Mapping[str, float]]] = [
        (x, dict(record.outcomes)) for x, record in zip(xs, records, strict=True) if record.outcomes
    ]
    return logged or sorted(((float(s), dict(row)) for s, row in samples.outcomes.items()), key=lambda one: one[0])


def _errors(samples: Samples) -> str:
    rows = []
    for kind, count in samples.errors.most_common(14):
        names = [name for (of, name), _ in samples.names.most_common(200) if of == kind][:1]
        rows.append((f"{kind}: {names[0]}" if names else kind, {"samples": count}))
    return bars(
        "Most frequent OCaml errors",
        rows,
        {"samples": "plain"},
        note="Samples that have an error of the kind, and its commonest name.",
    )


# --- groups -----------------------------------------------------------------------------------------------------------


def _viewer(samples: Samples) -> Iterator[str]:
    if not samples.groups:
        return
    shown, used = [], 0
    for group in samples.groups:
        text = "\n".join(_group(group))
        if used + len(text) <= MOST_OF_VIEWER:
            shown.append(text)
            used += len(text)
    left_out = len(samples.groups) - len(shown)
    yield "<h2>Groups</h2>"
    yield (
        f'<p class="dim">{len(shown)} groups, spread over the run and over the kinds'
        f"{f'; {left_out} more were too long for this page' if left_out else ''}.</p>"
    )
    yield '<div class="filters"><input id="search" type="search" placeholder="problem, topic, outcome" '
    yield 'aria-label="Search groups">'
    levels = sorted({_level(find_problem(group.problem_id)) for group in samples.groups})
    outcomes = {rollout.outcome.value for group in samples.groups for rollout in group.rollouts}
    yield _choice("kind", "all kinds", {kind: kind.replace("_", " ") for kind in KINDS})
    yield _choice("level", "all levels", {level: f"level {level}" for level in levels})
    yield _choice("outcome", "all outcomes", {name: name for name in OUTCOME_LOOKS if name in outcomes})
    yield _choice("cut", "cut off or not", {"yes": "cut off", "no": "not cut off"})
    yield '<span id="count" class="dim"></span></div><div id="groups">'
    yield from shown
    yield "</div>"


def _choice(name: str, every: str, values: Mapping[str, str]) -> str:
    """A menu of a filter: its values with what they are called, and one that lets everything through."""
    options = "".join(f'<option value="{plain(value)}">{plain(called)}</option>' for value, called in values.items())
    return f'<select id="{name}" aria-label="{every}"><option value="">{every}</option>{options}</select>'


def _level(problem: Problem | None) -> str:
    return problem.level_name if problem else "unknown"


def _group(group: Group) -> Iterator[str]:
    problem = find_problem(group.problem_id)
    topics = " ".join(problem.topics) if problem else ""
    outcomes = sorted({rollout.outcome.value for rollout in group.rollouts})
    words = " ".join([group.problem_id, topics, group.kind, f"step {group.step}", *outcomes]).lower()
    totals = ", ".join(f"{rollout.total:.2f}" for rollout in group.rollouts)
    yield (
        f'<details data-kind="{group.kind}" data-level="{plain(_level(problem))}" data-text="{plain(words)}"><summary>'
        f'<span class="badge {GROUP_LOOKS[group.kind]}">{group.kind.replace("_", " ")}</span> '
        f'step {group.step}, {plain(group.problem_id)} <span class="dim small">{totals}</span></summary>'
    )
    if problem is not None:
        statement = f"{problem.statement.strip()}\n\n{problem.signature.strip()}"
        yield f'<pre class="prose">{plain(statement.strip())}</pre>'
    if group.size > len(group.rollouts):
        yield f'<p class="dim small">The first {len(group.rollouts)} of {group.size}.</p>'
    yield '<div class="side">'
    for rollout, length in zip(group.rollouts, group.lengths, strict=True):
        yield from _sample(rollout, length, wanted=problem.wanted if problem else ())
    yield "</div></details>"


def _sample(rollout: Rollout, length: int, *, wanted: Sequence[str]) -> Iterator[str]:
    parts = ", ".join(f"{name} {value:.2f}" for name, value in rollout.parts.items() if value)
    tests = f", {rollout.tests_passed}/{rollout.tests_total} tests" if rollout.tests_total else ""
    cut = ", cut off" if rollout.truncated else ""
    yield (
        f'<div class="sample" data-outcome="{rollout.outcome.value}" data-cut="{"yes" if rollout.truncated else "no"}">'
        f'<span class="badge {OUTCOME_LOOKS[rollout.outcome.value]}">'
        f"{rollout.outcome.value}</span> <b>{rollout.total:.3f}</b><span class=dim>{tests}{cut}</span>"
        f'<div class="parts">{plain(parts) or "no part earned anything"}</div>'
    )
    if rollout.diagnostics:
        code = extract(rollout.completion, wanted=wanted, truncated=rollout.truncated).code or ""
        yield '<ul class="small">'
        for number, one in enumerate(rollout.diagnostics[:6]):
            place = f"line {one.line}: " if one.line else ""
            follows = ' <span class="dim">(follows from another)</span>' if one.cascade else ""
            yield f"<li>{place}{plain(one.message[:400])}{follows}"
            frame = code_frame(code, one.line, one.column, width=60) if number == 0 else []
            yield f"<pre>{plain(chr(10).join(frame))}</pre></li>" if frame else "</li>"
        if len(rollout.diagnostics) > 6:
            yield f"<li>and {len(rollout.diagnostics) - 6} more</li>"
        yield "</ul>"
    yield f"<pre>{plain(rollout.completion)}</pre>"
    if length > len(rollout.completion):
        yield f'<div class="dim small">{length - len(rollout.completion):,} more characters</div>'
    yield "</div>"


def _notes(diagnosis: Diagnosis, samples: Samples) -> Iterator[str]:
    notes = [*diagnosis.run.notes, *samples.notes]
    if notes:
        yield "<h2>What could not be read</h2><ul>"
        yield from (f'<li class="note">{plain(note)}</li>' for note in notes)
        yield "</ul>"
