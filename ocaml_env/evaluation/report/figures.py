"""The figures of the page: headline, settings, plots and tables, in a reader's order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from ocaml_env.display.charts import bars
from ocaml_env.display.markup import plain
from ocaml_env.display.page import tiles
from ocaml_env.display.shares import Share, shares
from ocaml_env.display.style import OUTCOME_LOOKS
from ocaml_env.evaluation.report.aggregates import Aggregates
from ocaml_env.evaluation.report.excerpt import cut
from ocaml_env.evaluation.statistics import Estimate
from ocaml_env.evaluation.summary import ErrorCount, Group, Summary

__all__ = ["figures", "headline", "link", "settings", "solved"]


_STAGES = {
    "extracted": ("o10", "an answer with code in it was found"),
    "parsed": ("o9", "the code parses"),
    "typechecked": ("o8", "it has no type error and fits the signature"),
    "compiled": ("o2", "it links, and the tests were run"),
    "passed": ("o1", "every test passed, public and hidden"),
}
_TOPICS = 40
_ERRORS = 10
_HASH = 12  # characters of a digest


def headline(summary: Summary) -> Iterator[str]:
    """Yields the model, the set and pass@k."""
    asked = f"{summary.problems:,} problems, {summary.samples:,} samples, {summary.config.n} of each problem"
    yield f"<h1>{plain(cut(summary.config.model, 200))}</h1>"
    yield f'<p class="dim">on {plain(cut(summary.config.problems, 200))}: {asked}</p>'
    rows = []
    for k, rate in summary.rates.items():
        if rate is None:
            rows.append(Share(label=f"pass@{k}", share=None, title=f"needs {k} samples of each problem"))
            continue
        rows.append(solved(f"pass@{k}", rate, look="o1"))
    yield '<div class="head">'
    yield shares("Solved by one of k samples", rows, note="Whiskers: 95% intervals, by bootstrap over the problems.")
    yield f"{tiles(_tiles(summary))}</div>"


def solved(label: str, rate: Estimate, *, look: str) -> Share:
    """A bar for pass@k with its interval."""
    ends = f"{rate.low:.1%} to {rate.high:.1%}"
    return Share(
        label=label,
        share=rate.estimate,
        low=rate.low,
        high=rate.high,
        title=f"{label}: {rate.estimate:.1%}, 95% interval {ends}",
        look=look,
    )


def _tiles(summary: Summary) -> Iterator[tuple[str, str]]:
    if rate := summary.rates.get(1):
        yield f"{rate.estimate:.1%}", f"pass@1 ({rate.low:.1%} to {rate.high:.1%})"
    solved = sum(1 for counts in summary.by_problem.values() if counts.passed)
    yield f"{solved:,} of {summary.problems:,}", "problems solved at least once"
    if summary.samples:
        yield f"{summary.reward:.3f}", f"mean reward ({summary.config.reward})"
        yield f"{summary.truncated:.1%}", "cut off at the token limit"
    if summary.faults.count:
        yield f"{summary.faults.count:,}", "could not be had, and count nowhere"


def settings(summary: Summary) -> Iterator[str]:
    """Yields the settings needed to repeat the run."""
    config, told = summary.config, summary.config.settings()
    skipped = {"model", "problems", "digest", "left_out", *(name for name in ("limit", "shots") if not told[name])}
    facts = {
        name.replace("_", " "): value for name, value in told.items() if name not in skipped and value not in (None, "")
    }
    facts |= {"digest of the set": config.digest[:_HASH]}
    if config.left_out:
        facts["left out"] = f"{len(config.left_out):,} problems without a completion"
    facts |= {f"{name} version": value for name, value in config.versions.items()}
    yield '<h2 id="settings">Settings and versions</h2><dl class="facts">'
    for name, value in facts.items():
        yield f"<div><dt>{plain(name)}</dt><dd>{plain(cut(str(value), 400))}</dd></div>"
    yield "</dl>"


def figures(summary: Summary, aggregates: Aggregates) -> Iterator[str]:
    """Yields failures by stage, hard problems, and costs."""
    if not summary.samples:
        yield '<p class="note">There is no sample yet.</p>'
        yield from _faults(summary, aggregates)
        return
    yield '<h2 id="figures">How far samples come</h2><div class="plots">'
    yield _funnel(summary)
    yield _outcomes(summary)
    yield _turns(summary)
    yield '</div><h2>What is hard</h2><div class="plots">'
    yield _groups("pass@1 by level", "level", sorted(summary.by_level.items()))
    by_topic = sorted(summary.by_topic.items(), key=lambda item: (item[1].rate.estimate, item[0]))
    left = len(by_topic) - _TOPICS
    note = f"The hardest {_TOPICS}; {left} more are easier." if left > 0 else ""
    yield _groups("pass@1 by topic, hardest first", "topic", by_topic[:_TOPICS], note=note)
    yield _lengths(aggregates)
    yield "</div>"
    yield from _diagnostics(summary)
    yield from _cost(summary, aggregates)
    yield from _faults(summary, aggregates)


def _funnel(summary: Summary) -> str:
    rows, before = [], 1.0
    for name, share in summary.funnel.items():
        look, meaning = _STAGES[name]
        lost = f"−{before - share:.1%}" if share < before else ""
        rows.append(Share(label=name, share=share, note=lost, title=f"{name}: {meaning}", look=look))
        before = share
    return shares("Funnel", rows, note="Of all samples; at the right, how many are lost at the step.")


def _outcomes(summary: Summary) -> str:
    rows = [
        Share(
            label=name,
            share=count / summary.samples,
            note=f"{count:,}",
            look=OUTCOME_LOOKS[name],
            href=link(outcome=name),
        )
        for name, count in summary.by_outcome.items()
    ]
    return shares("Outcomes", rows, note="Each row leads to its samples.")


def _turns(summary: Summary) -> str:
    solved = summary.turns.solved_by
    if len(solved) < 2:
        return ""
    rows = [Share(label=f"turn {turn}", share=share, look="o1") for turn, share in enumerate(solved, start=1)]
    mean = summary.turns.mean_turns_to_solve
    note = "" if mean is None else f"Those that are solved take {mean:.2f} turns on average."
    return shares("Solved by turn", rows, note=note)


def _groups(title: str, kind: str, groups: Sequence[tuple[str, Group]], *, note: str = "") -> str:
    rows = [
        Share(
            label=name,
            share=group.rate.estimate,
            low=group.rate.low,
            high=group.rate.high,
            note=f"{group.problems:,}",
            title=f"{name}: {group.problems:,} problems, {group.passed:,} of {group.samples:,} samples passed",
            href=link(**{kind: cut(name, 60)}),
        )
        for name, group in groups
    ]
    return shares(title, rows, note=f"At the right, the number of problems. {note}".strip())


def _lengths(aggregates: Aggregates) -> str:
    """Outcomes by the length of the answer."""
    counted, unit = (
        (aggregates.by_tokens, "tokens") if aggregates.by_tokens else (aggregates.by_characters, "characters")
    )
    rows = []
    for end, counts in sorted(counted.items()):
        start = 0 if end == 32 else end // 2 + 1
        rows.append((f"{start:,} to {end:,}", dict(counts)))
    return bars(f"Outcomes by {unit} of the answer", rows, OUTCOME_LOOKS)


def _diagnostics(summary: Summary) -> Iterator[str]:
    if not summary.diagnostics:
        return
    yield '<h2 id="diagnostics">Commonest diagnostics</h2>'
    yield '<p class="dim">How many samples have the error, whatever else they have, and one of them.</p>'
    found = summary.diagnostics
    yield from _errors(found[:_ERRORS])
    if len(found) > _ERRORS:
        yield f"<details><summary>{len(found) - _ERRORS} more</summary>"
        yield from _errors(found[_ERRORS:])
        yield "</details>"


def _errors(diagnostics: Sequence[ErrorCount]) -> Iterator[str]:
    yield '<ol class="errors">'
    for found in diagnostics:
        kind, name, where = cut(found.kind, 80), cut(found.name, 80), str(found.example)
        samples = f"{found.count:,} samples with {kind} {name}".strip()
        yield (
            f'<li><a class="count" href="{link(error=f"{kind}:{name}")}" '
            f'aria-label="{plain(samples)}">{found.count:,}</a>'
            f"<div><b>{plain(kind)}</b> {plain(name)}<br>"
            f'<span class="dim">{plain(cut(found.example.message, 300))}</span> '
            f'<a href="{link(sample=where)}">{plain(where)}</a></div></li>'
        )
    yield "</ol>"


def _cost(summary: Summary, aggregates: Aggregates) -> Iterator[str]:
    rows = [
        (title, values, form)
        for title, values, form in (
            ("tokens", aggregates.tokens, "{:,.0f}"),
            ("seconds", aggregates.seconds, "{:,.2f}"),
        )
        if values
    ]
    if not rows:
        return
    yield '<h2 id="cost">Tokens and latency</h2><div class="scroll" tabindex="0" role="group" aria-label="Cost">'
    names = ("mean", "least", "median", "90%", "99%", "most")
    yield "<table><tr><th>of a sample</th>" + "".join(f'<th class="n">{name}</th>' for name in names) + "</tr>"
    for title, values, form in rows:
        marks = [sum(values) / len(values), *(_quantile(values, share) for share in (0, 0.5, 0.9, 0.99, 1))]
        cells = "".join(f'<td class="n">{form.format(mark)}</td>' for mark in marks)
        yield f"<tr><td>{title}</td>{cells}</tr>"
    yield "</table></div>"
    told = []
    if summary.tokens.total is not None:
        told.append(f"{summary.tokens.total:,} tokens in all")
    if summary.tokens_per_second is not None:
        told.append(f"{summary.tokens_per_second:,.1f} tokens a second while a request or a batch is answered")
    if told:
        yield f'<p class="dim">{"; ".join(told)}.</p>'


def _quantile(values: Sequence[float], share: float) -> float:
    """A quantile of sorted values."""
    return values[min(len(values) - 1, int(share * len(values)))]


def _faults(summary: Summary, aggregates: Aggregates) -> Iterator[str]:
    if not summary.faults.count:
        return
    yield '<h2 id="faults">Faults</h2><p>These samples could not be had, by no fault of the model. They count nowhere, '
    yield 'and the same command asks them again.</p><ul class="faults">'
    yield from (
        f"<li>{count:,} sample{'s' if count > 1 else ''}: {plain(fault)}</li>"
        for fault, count in aggregates.faults.items()
    )
    yield "</ul>"


def link(**wanted: str) -> str:
    """Returns the address of matching samples inside the page; the script reads it."""
    [(name, value)] = wanted.items()
    return f"#{name}={quote(value.encode('utf-8', 'surrogatepass'), safe='')}"
