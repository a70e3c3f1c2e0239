"""An audit as one self-contained HTML page: figures, plots, and every problem with its findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ocaml_env.audit.audit import Audit, Audited
from ocaml_env.audit.finding import CHECKS
from ocaml_env.audit.mutation import PASS_SCORE
from ocaml_env.display.charts import bars
from ocaml_env.display.markup import plain
from ocaml_env.display.page import document, tiles
from ocaml_env.display.search import SCRIPT, choice

__all__ = ["page"]

_STYLE = """
summary .what { float: right; color: var(--dim); font-size: .85rem; }
"""


def page(audit: Audit) -> str:
    """Makes the whole page."""
    return "\n".join(document(f"Audit of {audit.source}", _body(audit), style=_STYLE, script=SCRIPT)) + "\n"


def _body(audit: Audit) -> Iterator[str]:
    verdict = '<b class="good">clean</b>' if audit.clean else '<b class="bad">not clean</b>'
    yield f"<h1>{plain(audit.source)} is {verdict}</h1>"
    yield f'<div class="dim">OCaml {plain(audit.ocaml_version)}, {audit.seconds:.0f} s</div>'
    yield tiles(_figures(audit))
    yield from _table(audit)
    yield from _plots(audit)
    yield '<h2>Problems</h2><div class="filters">'
    yield '<input id="search" type="search" placeholder="id, topic, check, words" aria-label="Search">'
    yield choice("findings", "all problems", {"yes": "with findings"})
    yield '<span id="count" class="dim" role="status"></span></div><div data-rows="problems">'
    for row in sorted(audit.rows, key=lambda row: (row.clean, row.row.name)):
        yield from _row(row)
    yield "</div>"


def _figures(audit: Audit) -> list[tuple[str, str]]:
    score = audit.mutation_score
    tests = sum(len(row.examined.problem.tests) for row in audit.rows if row.examined is not None)
    return [
        (f"{len(audit.rows):,}", "problems"),
        (f"{sum(row.clean for row in audit.rows):,}", "clean"),
        (f"{tests:,}", "tests"),
        (f"{sum(1 for row in audit.rows if row.examined and row.examined.reference_passes):,}", "references pass"),
        ("-" if score is None else f"{score:.1%}", "of mutants killed"),
    ]


def _table(audit: Audit) -> Iterator[str]:
    counts = audit.counts()
    if not counts:
        return
    yield "<h2>Findings</h2><table><tr><th>check</th><th>what it finds</th><th class=n>problems</th></tr>"
    for check, meaning in CHECKS.items():
        if check in counts:
            kind = "note" if audit.rules.severity(check) == "note" else "bad"
            yield f'<tr><td class="{kind}">{check}</td><td>{plain(meaning)}</td><td class=n>{counts[check]}</td></tr>'
    yield "</table>"


# --- plots ------------------------------------------------------------------------------------------------------------


def _plots(audit: Audit) -> Iterator[str]:
    examined = [row.examined for row in audit.rows if row.examined is not None]
    scores = [row.mutants.score for row in audit.rows if row.mutants is not None]
    yield '<h2>Figures</h2><div class="plots">'
    if scores:
        edges = [0.0, 0.5, 0.7, PASS_SCORE, 0.9, 0.95, 0.98, 1.0]
        yield _histogram("Share of mutants killed", scores, edges, "{:.0%}")
    metrics = [result.code_metrics for result in examined if result.code_metrics is not None]
    if metrics:
        lines = [code_metrics.lines for code_metrics in metrics]
        yield _histogram("Lines of the reference", lines, [1, 3, 6, 10, 15, 20, 30, 45, 60], "{:.0f}")
    times = [1000 * result.slowest_seconds for result in examined if result.slowest_seconds]
    if times:
        yield _histogram("Slowest test of the reference, ms CPU", times, [0, 0.1, 0.3, 1, 3, 10, 30, 100], "{:g}")
    guessed = [result.guess.share for result in examined]
    yield _histogram("Hidden tests that the best guess passes", guessed, [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.5], "{:.0%}")
    topics = Counter(topic for result in examined for topic in result.problem.topics[:1])
    yield _bars("Problems by first topic", topics.most_common(24))
    yield _bars("References that use", Counter(used for found in metrics for used in found.constructs).most_common())
    yield "</div>"


def _histogram(title: str, values: Sequence[float], edges: Sequence[float], form: str) -> str:
    """Draws counts between edges; the last bar counts all values from the last edge on."""
    counts = [0] * len(edges)
    for value in values:
        counts[max([index for index, edge in enumerate(edges) if value >= edge], default=0)] += 1
    shown = [form.format(edge) for edge in edges]
    labels = [f"{low} to {high}" for low, high in pairwise(shown)]
    labels.append(shown[-1] if edges[-1] == 1.0 else f"{shown[-1]} +")
    return _bars(title, list(zip(labels, counts, strict=True)))


def _bars(title: str, pairs: Sequence[tuple[str, int]]) -> str:
    return bars(title, [(label, {"problems": count}) for label, count in pairs], {"problems": "plain"})


# --- problems ---------------------------------------------------------------------------------------------------------


def _row(row: Audited) -> Iterator[str]:
    problem = row.examined.problem if row.examined is not None else None
    about = (
        []
        if problem is None
        else [problem.split or "", f"level {problem.level}" if problem.level else problem.label, *problem.topics]
    )
    checks = sorted({finding.check for finding in row.findings})
    text = " ".join([row.row.name, *about, *checks]).lower()
    mark = '<span class="good">✓</span>' if row.clean else '<span class="bad">✗</span>'
    score = "" if row.mutants is None else f", {row.mutants.score:.0%} killed"
    yield (
        f'<details data-text="{plain(text)}" data-findings="{"yes" if row.findings else ""}"><summary>{mark} '
        f'{plain(row.row.name)} <span class="what">{plain(", ".join(filter(None, about[:2])))}{score}</span></summary>'
    )
    if row.findings:
        yield "<ul>"
        for finding in row.findings:
            where = f"<b>{plain(finding.test)}</b>: " if finding.test else ""
            kind = "note" if finding.severity == "note" else "bad"
            yield f'<li><span class="{kind}">{finding.check}</span> {where}{plain(finding.message)}</li>'
        yield "</ul>"
    yield from (f'<div class="note">{plain(note)}</div>' for note in row.row.notes)
    if problem is not None and row.examined is not None:
        yield f"<pre>{plain(problem.statement.strip())}</pre>"
        if problem.signature.strip():
            yield f"<pre>{plain(problem.signature.strip())}</pre>"
        yield f'<div class="dim">{plain(_facts(row))}</div>'
    if row.mutants is not None and row.mutants.survivors:
        yield f"<div>Mutants that live:</div><ul>{_items(mutant.key for mutant in row.mutants.survivors)}</ul>"
    if row.mutants is not None and row.mutants.equivalent:
        listed = (f"{entry.mutant.key}: {entry.reason}" for entry in row.mutants.equivalent)
        yield f"<div>Mutants that nobody can tell apart:</div><ul>{_items(listed)}</ul>"
    yield "</details>"


def _facts(row: Audited) -> str:
    assert row.examined is not None
    examined, code_metrics = row.examined, row.examined.code_metrics
    facts = [f"{len(examined.problem.tests)} tests"]
    if code_metrics is not None:
        named = ", ".join((*code_metrics.constructs, *code_metrics.modules))
        facts.append(f"reference of {code_metrics.lines} lines: {named}")
    if examined.slowest_seconds:
        facts.append(
            f"slowest test {1000 * examined.slowest_seconds:.2f} ms, a fitting limit {examined.fitting_limit:g} s"
        )
    for baseline in examined.baselines:
        if baseline.group.baseline:
            about = " and ".join(baseline.group.items) or "the program"
            facts.append(
                f"of {len(baseline.group.tests)} hidden tests of {about}, "
                f"{baseline.group.baseline} pass by {baseline.what}"
            )
    if examined.guess.passes:
        facts.append(f"best guess: {examined.guess.what}, with {examined.guess.share:.0%} of the hidden tests")
    return "; ".join(facts)


def _items(texts: Iterable[str]) -> str:
    return "".join(f"<li>{plain(text)}</li>" for text in texts)
