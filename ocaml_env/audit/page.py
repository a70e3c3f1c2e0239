"""An audit as one self-contained HTML page: figures, plots, and every problem with its findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise

from ocaml_env.audit.audit import Audit, Audited
from ocaml_env.audit.finding import CHECKS
from ocaml_env.audit.mutation import PASS_SCORE
from ocaml_env.display.html import policy

__all__ = ["page"]

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --soft: #f2f4f8; --line: #d6dbe4; --dim: #5d6879;
  --bar: #3d6fd8; --bad: #c23b3b; --good: #2e8b57; --warn: #b7791f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8f0; --paper: #14181f; --soft: #1d232d; --line: #343d4b;
  --dim: #98a3b5; --bar: #6f9bff; --bad: #ff7b7b; --good: #5fd097; --warn: #e8b45a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem; max-width: 72rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
.dim { color: var(--dim); } .good { color: var(--good); } .bad { color: var(--bad); } .note { color: var(--warn); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .7rem; margin: 1rem 0; }
.tile { background: var(--soft); border-radius: .5rem; padding: .7rem .9rem; }
.tile b { display: block; font-size: 1.5rem; line-height: 1.2; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1.2rem; }
figure { margin: 0; } figcaption { font-weight: 600; margin-bottom: .3rem; }
svg { width: 100%; height: auto; } svg text { fill: var(--dim); font: 11px system-ui, sans-serif; }
svg rect { fill: var(--bar); } svg line { stroke: var(--line); }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .25rem .6rem .25rem 0;
  border-bottom: 1px solid var(--line); vertical-align: top; } td.n, th.n { text-align: right; }
input { font: inherit; width: 100%; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--soft); color: inherit; } input[type=checkbox] { width: auto; }
details { border-bottom: 1px solid var(--line); padding: .35rem 0; } summary { cursor: pointer; }
summary .what { float: right; color: var(--dim); font-size: .85rem; }
pre { background: var(--soft); border-radius: .4rem; padding: .7rem; overflow-x: auto; font-size: .85rem; }
ul { margin: .4rem 0; padding-left: 1.2rem; }
"""

_SCRIPT = """
const field = document.getElementById("search"), rows = [...document.querySelectorAll("#problems details")];
const only = document.getElementById("only"), count = document.getElementById("count");
function show() {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const fits = words.every(word => row.dataset.text.includes(word)) && (!only.checked || row.dataset.bad === "1");
    row.hidden = !fits;
    shown += fits;
  }
  count.textContent = shown + " of " + rows.length;
}
field.addEventListener("input", show); only.addEventListener("change", show); show();
"""


def page(audit: Audit) -> str:
    """Makes the whole page."""
    return "\n".join(_page(audit)) + "\n"


def _page(audit: Audit) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy(_STYLE, _SCRIPT)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Audit of {_text(audit.source)}</title><style>{_STYLE}</style></head><body>"
    verdict = '<b class="good">clean</b>' if audit.clean else '<b class="bad">not clean</b>'
    yield f"<h1>{_text(audit.source)} is {verdict}</h1>"
    yield f'<div class="dim">OCaml {_text(audit.ocaml_version)}, {audit.seconds:.0f} s</div>'
    yield from _tiles(audit)
    yield from _table(audit)
    yield from _plots(audit)
    yield "<h2>Problems</h2>"
    yield '<p><input id="search" type="search" placeholder="id, topic, check, words" aria-label="Search"></p>'
    yield '<p><label><input id="only" type="checkbox"> only those with findings</label>'
    yield ' <span id="count" class="dim"></span></p><div id="problems">'
    for row in sorted(audit.rows, key=lambda row: (row.clean, row.row.name)):
        yield from _row(row)
    yield f"</div><script>{_SCRIPT}</script></body></html>"


def _tiles(audit: Audit) -> Iterator[str]:
    score = audit.mutation_score
    tests = sum(len(row.examined.problem.tests) for row in audit.rows if row.examined is not None)
    tiles = [
        (f"{len(audit.rows):,}", "problems"),
        (f"{sum(row.clean for row in audit.rows):,}", "clean"),
        (f"{tests:,}", "tests"),
        (f"{sum(1 for row in audit.rows if row.examined and row.examined.reference_passes):,}", "references pass"),
        ("-" if score is None else f"{score:.1%}", "of mutants killed"),
    ]
    yield '<div class="tiles">'
    yield from (f'<div class="tile"><b>{figure}</b>{label}</div>' for figure, label in tiles)
    yield "</div>"


def _table(audit: Audit) -> Iterator[str]:
    counts = audit.counts()
    if not counts:
        return
    yield "<h2>Findings</h2><table><tr><th>check</th><th>what it finds</th><th class=n>problems</th></tr>"
    for check, meaning in CHECKS.items():
        if check in counts:
            kind = "note" if audit.rules.severity(check) == "note" else "bad"
            yield f'<tr><td class="{kind}">{check}</td><td>{_text(meaning)}</td><td class=n>{counts[check]}</td></tr>'
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
    topics: dict[str, int] = {}
    for result in examined:
        for topic in result.problem.topics[:1]:
            topics[topic] = topics.get(topic, 0) + 1
    if topics:
        yield _bars("Problems by first topic", sorted(topics.items(), key=lambda pair: -pair[1])[:24])
    used: dict[str, int] = {}
    for code_metrics in metrics:
        for construct in code_metrics.constructs:
            used[construct] = used.get(construct, 0) + 1
    if used:
        yield _bars("References that use", sorted(used.items(), key=lambda pair: -pair[1]))
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
    most = max((count for _, count in pairs), default=0) or 1
    height = 18 * len(pairs) + 4
    parts = []
    for index, (label, count) in enumerate(pairs):
        y = 18 * index + 2
        width = 200 * count / most
        parts.append(
            f'<text x="126" y="{y + 12}" text-anchor="end">{_text(label)}</text>'
            f'<rect x="132" y="{y + 2}" width="{width:.1f}" height="13" rx="2"></rect>'
            f'<text x="{136 + width:.1f}" y="{y + 12}">{count}</text>'
        )
    return (
        f"<figure><figcaption>{_text(title)}</figcaption>"
        f'<svg viewBox="0 0 370 {height}" role="img" aria-label="{_text(title)}">{"".join(parts)}</svg></figure>'
    )


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
        f'<details data-text="{_text(text)}" data-bad="{int(bool(row.findings))}"><summary>{mark} '
        f'{_text(row.row.name)} <span class="what">{_text(", ".join(filter(None, about[:2])))}{score}</span></summary>'
    )
    if row.findings:
        yield "<ul>"
        for finding in row.findings:
            where = f"<b>{_text(finding.test)}</b>: " if finding.test else ""
            kind = "note" if finding.severity == "note" else "bad"
            yield f'<li><span class="{kind}">{finding.check}</span> {where}{_text(finding.message)}</li>'
        yield "</ul>"
    yield from (f'<div class="note">{_text(note)}</div>' for note in row.row.notes)
    if problem is not None and row.examined is not None:
        yield f"<pre>{_text(problem.statement.strip())}</pre>"
        if problem.signature.strip():
            yield f"<pre>{_text(problem.signature.strip())}</pre>"
        yield f'<div class="dim">{_text(_facts(row))}</div>'
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
    return "".join(f"<li>{_text(text)}</li>" for text in texts)


def _text(text: str) -> str:
    return escape(text.encode("utf-8", "backslashreplace").decode("utf-8"))
