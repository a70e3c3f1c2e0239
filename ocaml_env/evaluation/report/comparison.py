"""Another protocol's verdicts beside ours, for a run under that protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ocaml_env.display.markup import plain
from ocaml_env.display.shares import shares
from ocaml_env.evaluation.report.excerpt import cut
from ocaml_env.evaluation.report.figures import link, solved
from ocaml_env.evaluation.summary import Disagreement, Summary

__all__ = ["beside"]

_SHOWN = 20


def beside(summary: Summary) -> Iterator[str]:
    """Yields both figures, the samples by their status, the differing verdicts, and broken problems."""
    found = summary.protocol
    if found is None:
        return
    name = plain(found.name)
    yield f'<h2 id="protocol">By {name}, and by ours</h2>'
    yield f'<p class="dim">Prompts, stop texts and verdicts on this page are those of {name}. Ours are for the same '
    yield f"completions, where our engine can evaluate the problem: {found.ours.problems:,} of "
    yield f"{summary.problems:,}.</p>"
    sides = [("theirs", summary.rates, "o2"), ("ours", found.ours.rates, "o1")]
    if found.broken and found.theirs_without_broken:
        sides.insert(1, ("theirs, without broken tests", found.theirs_without_broken.rates, "o3"))
    rows = [
        solved(f"pass@{k}, {whose}", rate, look=look)
        for k in summary.rates
        for whose, rates, look in sides
        if (rate := rates[k]) is not None
    ]
    yield '<div class="plots">'
    yield shares("Solved by one of k samples", rows, note="Whiskers: 95% intervals over the problems.")
    yield "</div>"
    statuses = ", ".join(f"{count:,} {plain(cut(status, 40))}" for status, count in found.by_status.items())
    forged = f"; {found.forged:,} would pass any tests of theirs" if found.forged else ""
    yield f"<p>Theirs: {statuses}{forged}.</p>"
    yield from _differing(found.disagreements)
    yield from _listed("No completion compiles with their tests", found.broken)
    yield from _listed("Ours mends their tests", found.mended)
    yield from _listed("Ours cannot evaluate", found.unjudged)
    yield from _listed("Rows that are left out of every figure", found.left_out)


def _differing(found: Sequence[Disagreement]) -> Iterator[str]:
    if not found:
        return
    count = sum(kind.count for kind in found)
    yield '<div class="scroll" tabindex="0" role="group" aria-label="Verdicts that differ"><table><tr>'
    yield f'<th class="n">{count:,} differ</th><th>theirs</th><th>ours</th><th>why</th><th>one of them</th></tr>'
    for kind in found[:_SHOWN]:
        where = str(kind.example)
        cells = "".join(f"<td>{plain(cut(text, 120))}</td>" for text in (kind.theirs, kind.ours, kind.why))
        example = f'<td><a href="{link(sample=where)}">{plain(where)}</a></td>'
        yield f'<tr><td class="n">{kind.count:,}</td>{cells}{example}</tr>'
    yield "</table></div>"


def _listed(title: str, problems: Mapping[str, str]) -> Iterator[str]:
    if not problems:
        return
    yield f"<details><summary>{title}: {len(problems):,} problems</summary><ul>"
    for problem, reason in problems.items():
        yield f"<li>{plain(cut(problem, 120))}: {plain(cut(reason, 300))}</li>"
    yield "</ul></details>"
