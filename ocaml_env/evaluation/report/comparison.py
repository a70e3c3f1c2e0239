"""Another protocol's verdicts beside ours, for a run under that protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ocaml_env.display.markup import plain
from ocaml_env.display.shares import shares
from ocaml_env.evaluation.report.excerpt import cut
from ocaml_env.evaluation.report.figures import link, solved

__all__ = ["beside"]

_SHOWN = 20


def beside(summary: Mapping[str, Any]) -> Iterator[str]:
    """Yields both figures, the samples by their status, the differing verdicts, and broken problems."""
    section = summary.get("protocol")
    if section is None:
        return
    name = plain(section["name"])
    yield f'<h2 id="protocol">By {name}, and by ours</h2>'
    yield f'<p class="dim">Prompts, stop texts and verdicts on this page are those of {name}. Ours are for the same '
    yield f"completions, where our engine can evaluate the problem: {section['ours']['problems']:,} of "
    yield f"{summary['problems']:,}.</p>"
    sides = [("theirs", summary, "o2"), ("ours", section["ours"], "o1")]
    if section["broken"]:
        sides.insert(1, ("theirs, without broken tests", section["theirs_without_broken"], "o3"))
    rows = [
        solved(f"pass@{k}, {whose}", rate, look=look)
        for k in summary["k"]
        for whose, rates, look in sides
        if (rate := rates[f"pass@{k}"]) is not None
    ]
    yield '<div class="plots">'
    yield shares("Solved by one of k samples", rows, note="Whiskers: 95% intervals over the problems.")
    yield "</div>"
    statuses = ", ".join(f"{count:,} {plain(cut(status, 40))}" for status, count in section["by_status"].items())
    forged = f"; {section['forged']:,} would pass any tests of theirs" if section["forged"] else ""
    yield f"<p>Theirs: {statuses}{forged}.</p>"
    yield from _differing(section["disagreements"])
    yield from _listed("No completion compiles with their tests", section["broken"])
    yield from _listed("Ours mends their tests", section.get("mended", ()))
    yield from _listed("Ours cannot evaluate", section["unjudged"])
    yield from _listed("Rows that are left out of every figure", section.get("left_out", ()))


def _differing(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not found:
        return
    count = sum(kind["count"] for kind in found)
    yield '<div class="scroll" tabindex="0" role="group" aria-label="Verdicts that differ"><table><tr>'
    yield f'<th class="n">{count:,} differ</th><th>theirs</th><th>ours</th><th>why</th><th>one of them</th></tr>'
    for kind in found[:_SHOWN]:
        where = f"{kind['example']['problem_id']}/{kind['example']['sample']}"
        cells = "".join(f"<td>{plain(cut(kind[column], 120))}</td>" for column in ("theirs", "ours", "why"))
        example = f'<td><a href="{link(sample=where)}">{plain(where)}</a></td>'
        yield f'<tr><td class="n">{kind["count"]:,}</td>{cells}{example}</tr>'
    yield "</table></div>"


def _listed(title: str, problems: Sequence[Mapping[str, str]]) -> Iterator[str]:
    if not problems:
        return
    yield f"<details><summary>{title}: {len(problems):,} problems</summary><ul>"
    for problem in problems:
        yield f"<li>{plain(cut(problem['problem_id'], 120))}: {plain(cut(problem['reason'], 300))}</li>"
    yield "</ul></details>"
