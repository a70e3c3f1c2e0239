"""A diagnosis as text, in the order of the seed's document: summary, metrics, issues, actions, outlook, decision."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

from agents.health.diagnosis import Decision, Diagnosis, State
from agents.health.measure import Summary
from agents.health.metrics import METRICS
from agents.health.records import Run
from agents.health.rule import Level, Reading
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
from ocaml_env.display.terminal import Colour, Paint, columns, printable

__all__ = ["Style", "lines_table", "told"]

_MARKS = {
    Level.HEALTHY: "✅",
    Level.INFORMATION: "ℹ️",
    Level.UNKNOWN: "❔",
    Level.WARNING: "⚠️",
    Level.CRITICAL: "🔴",
}
_STATES = {State.MET: "✅", State.MISSED: "🔴", State.PENDING: "⏳", State.UNKNOWN: "❔"}
_COLOURS = {
    Level.HEALTHY: (Colour.GREEN,),
    Level.INFORMATION: (Colour.DIM,),
    Level.UNKNOWN: (Colour.DIM,),
    Level.WARNING: (Colour.YELLOW,),
    Level.CRITICAL: (Colour.RED, Colour.BOLD),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The style of the printed text.

    Attributes:
        paint: applies colours, or none.
        symbols: True if the terminal can show ✅ and 🔴; words repeat them in any case.
        width: characters of a line.
    """

    paint: Paint = field(default_factory=lambda: Paint(False))
    symbols: bool = True
    width: int = 100

    def level(self, level: Level, note: str = "") -> str:
        word = f"{level.value}{note}"
        mark = f"{_MARKS[level]} " if self.symbols else ""
        return mark + self.paint(word, *_COLOURS[level])

    def state(self, state: State) -> str:
        colour = {State.MET: Colour.GREEN, State.MISSED: Colour.RED}.get(state, Colour.DIM)
        return (f"{_STATES[state]} " if self.symbols else "") + self.paint(f"{state.value:<7}", colour)

    def title(self, text: str) -> str:
        return self.paint(text, Colour.BOLD, Colour.CYAN)

    def wrap(self, text: str, indent: str = "  ") -> list[str]:
        hanging = indent + "  " if text.startswith("- ") else indent
        return textwrap.wrap(
            printable(text), self.width, initial_indent=indent, subsequent_indent=hanging, break_on_hyphens=False
        )


def told(diagnosis: Diagnosis, style: Style) -> Iterator[str]:
    """Yields the whole diagnosis, line by line."""
    yield from _head(diagnosis, style)
    yield from _table(diagnosis, style)
    yield from _issues(diagnosis, style)
    yield from _actions(diagnosis, style)
    yield from _followed(diagnosis, style)
    yield from _checkpoints(diagnosis, style)
    yield from _flags(diagnosis, style)
    yield from _decision(diagnosis, style)


def _head(diagnosis: Diagnosis, style: Style) -> Iterator[str]:
    run, profile = diagnosis.run, diagnosis.profile
    yield style.title(f"Training health of {printable(str(run.source))}")
    yield style.paint(f"profile {profile.name}: {profile.title}; {_extent(run)}", Colour.DIM)
    yield ""
    colour = {Decision.CONTINUE: Colour.GREEN, Decision.STOP: Colour.RED}.get(diagnosis.decision, Colour.YELLOW)
    yield "Status: " + style.paint(headline(diagnosis, symbols=style.symbols), Colour.BOLD, colour)
    yield from style.wrap(summary(diagnosis), "")
    if line := course(diagnosis):
        yield from style.wrap(line, "")
    for note in run.notes[:5]:
        yield from style.wrap(f"could not be read: {note}", "")
    if len(run.notes) > 5:
        yield f"... and {len(run.notes) - 5} more"


def _extent(run: Run) -> str:
    records = run.records
    words = f"{len(records)} logging step{'s' if len(records) != 1 else ''}"
    epochs = [record.epoch for record in records if record.epoch is not None]
    return f"{words}, epoch {epochs[0]:.2f} to {epochs[-1]:.2f}" if epochs else words


# --- metrics ----------------------------------------------------------------------------------------------------------


def _table(diagnosis: Diagnosis, style: Style) -> Iterator[str]:
    yield ""
    yield style.title("Metrics")
    order = list(METRICS)
    readings = sorted(diagnosis.readings, key=lambda reading: order.index(reading.rule.metric.name))
    rows = [["metric", "range", "mean", "judged", "healthy", "assessment", "rule"]]
    rows += [_row(diagnosis, reading, style) for reading in readings if reading.measured.values]
    yield from columns(rows, right=(1, 2, 3), indent="  ", width=None)
    for why, names in unknown_by_reason(diagnosis).items():
        yield from style.wrap(f"Unknown, which is not healthy ({why}): {', '.join(names)}.")


def _row(diagnosis: Diagnosis, reading: Reading, style: Style) -> list[str]:
    rule = reading.rule
    judged = "each line" if rule.measure.summary is Summary.WORST else reading.shown
    healthy = "-" if rule.informational else rule.healthy.show(rule.form)
    mean = rule.metric.show(reading.mean)
    level = style.level(reading.level, remark(diagnosis, reading))
    return [rule.metric.title, reading.range, mean, judged, healthy, level, style.paint(rule.name, Colour.DIM)]


def lines_table(diagnosis: Diagnosis, style: Style) -> Iterator[str]:
    """Yields a table of logging steps, with the level of each metric by the profile's bands."""
    records = diagnosis.run.records
    rules = [r.rule for r in diagnosis.readings if r.rule.measure.summary.single and not r.rule.informational]
    judged = {rule.name: rule.levels(records) for rule in rules}
    rules = [rule for rule in rules if any(reading.level is not Level.UNKNOWN for reading in judged[rule.name])]
    rows = [["", *(rule.metric.title for rule in rules)]]
    for index, record in enumerate(records):
        cells = [judged[rule.name][index] for rule in rules]
        name = f"epoch {record.epoch:.2f}" if record.epoch is not None else f"step {record.step}"
        rows.append([name, *(f"{cell.shown} {style.paint(_short(cell), *_COLOURS[cell.level])}" for cell in cells)])
    yield ""
    yield style.title("Line by line")
    yield from columns(rows, indent="  ", width=None)


def _short(reading: Reading) -> str:
    words = {Level.HEALTHY: "ok", Level.WARNING: "warn", Level.CRITICAL: "CRIT", Level.UNKNOWN: "?"}
    side = f" {reading.side.value}" if reading.level.alarming and reading.side else ""
    return words.get(reading.level, "") + side


# --- issues and actions -----------------------------------------------------------------------------------------------


def _issues(diagnosis: Diagnosis, style: Style) -> Iterator[str]:
    if not diagnosis.issues and not diagnosis.notices:
        return
    yield ""
    yield style.title("Issues")
    for number, issue in enumerate(diagnosis.issues, start=1):
        rule = issue.rule
        yield f"  {number}. {style.paint(rule.title, Colour.BOLD)} [{style.level(issue.level)}] {rule.name}"
        seen = issue.range if rule.measure.summary is Summary.WORST else issue.shown
        band = rule.healthy.show(rule.form)
        yield from style.wrap(f"Symptom: {rule.metric.title} is {seen}; healthy is {band}.", "     ")
        yield from style.wrap(f"Diagnosis: {issue.diagnosis}", "     ")
        if rule.metric.name == "learning_rate":
            yield from style.wrap(f"What it does: {schedule(diagnosis.run.records)}.", "     ")
        if rule.meaning:
            yield from style.wrap(f"Meaning: {rule.meaning}", "     ")
        yield from style.wrap(f"Threshold: {rule.source}.", "     ")
    for issue in diagnosis.notices:
        yield from style.wrap(
            f"Worth knowing: {issue.diagnosis} {issue.rule.meaning} ({issue.shown}; {issue.rule.name})"
        )
    for issue in diagnosis.consequences:
        causes = ", ".join(issue.causes)
        yield from style.wrap(f"Also {issue.rule.title.lower()} ({issue.shown}), which follows from {causes}.")


def _actions(diagnosis: Diagnosis, style: Style) -> Iterator[str]:
    if not diagnosis.recommendations:
        return
    yield ""
    yield style.title("Recommended actions")
    priority = 0
    for advice in diagnosis.recommendations:
        if advice.action.priority != priority:
            priority = advice.action.priority
            yield f"  Priority {priority}"
        why = f" {advice.action.why}" if advice.action.why else ""
        yield from style.wrap(f"- {advice.action.text} ({', '.join(advice.rules)}).{why}", "    ")
        for export in advice.exports:
            yield "      " + style.paint(printable(export.line), Colour.GREEN)
        if advice.action.expect:
            yield from style.wrap(f"Expected: {'; '.join(advice.action.expect)}.", "      ")


def _followed(diagnosis: Diagnosis, style: Style) -> Iterator[str]:
    if not diagnosis.followed:
        return
    yield ""
    yield style.title("What was changed while it ran, and what came of it")
    for followed in diagnosis.followed:
        yield f"  {style.state(followed.state)} {told_follow_up(followed)}"


# --- outlook ----------------------------------------------------------------------------------------------------------


def _checkpoints(diagnosis: Diagnosis, style: Style) -> Iterator[str]:
    yield ""
    yield style.title("What to check")
    for look in diagnosis.look_backs:
        tense = "which is passed" if look.passed else "to come; now:"
        yield f"  At {diagnosis.profile.clock.tell(look.checkpoint.at)}, {tense}"
        yield from (f"    {style.state(state_of(check, look))} {told_check(check)}" for check in look.checks)
    yield "  Green lights"
    yield from (f"    {style.state(check.state)} {told_check(check)}" for check in diagnosis.green_lights)


def _flags(diagnosis: Diagnosis, style: Style) -> Iterator[str]:
    yield ""
    yield style.title("Red flags")
    colours = {"clear": (Colour.GREEN,), "raised": (Colour.YELLOW,), "STOP": (Colour.RED, Colour.BOLD)}
    for flag in diagnosis.flags:
        word, rest = flag_words(flag, diagnosis.profile)
        yield f"  {style.paint(f'{word:<7}', *colours.get(word, (Colour.DIM,)))} {rest}"


def _decision(diagnosis: Diagnosis, style: Style) -> Iterator[str]:
    yield ""
    colour = {Decision.CONTINUE: Colour.GREEN, Decision.STOP: Colour.RED}.get(diagnosis.decision, Colour.YELLOW)
    yield style.title("Decision")
    yield from (style.paint(line, Colour.BOLD, colour) for line in style.wrap(decided(diagnosis)))
    if diagnosis.decision in (Decision.INTERVENE, Decision.STOP):
        yield "  If nothing improves:"
        for advice in diagnosis.profile.contingency:
            yield from style.wrap(f"- {advice}", "    ")
