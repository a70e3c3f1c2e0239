"""Runs side by side as SVG text: one bar a run, with its interval, under the name of its model."""

from __future__ import annotations

from collections.abc import Sequence

from ocaml_env.display.charts import WIDTH, figure
from ocaml_env.display.markup import plain
from ocaml_env.evaluation.leaderboard.runs import Run

__all__ = ["STYLE", "plot"]

_TRACK = WIDTH - 50
_ROW = 34
_LABEL = 56  # characters

STYLE = """
.ranks { max-width: 40rem; } svg text.name { fill: var(--ink); } svg text.name.link { fill: var(--bar); }
.rank { fill: var(--bar); } .track { fill: var(--soft); } .ends { fill: none; stroke: var(--ink); stroke-width: 1.5; }
"""


def plot(runs: Sequence[Run], addresses: Sequence[str]) -> str:
    """Draws the runs in their order, without those that lack a score; "" if there are no others.

    Args:
        runs: the runs of one table.
        addresses: link of each row; "" for none.
    """
    rated = [(run, rate, to) for run, to in zip(runs, addresses, strict=True) if (rate := run.score)]
    if not rated:
        return ""
    reach = max(0.1, *(rate.high for _, rate, _ in rated))
    parts = []
    for index, (run, rate, to) in enumerate(rated):
        y = _ROW * index
        name = f"{run.model} ({run.name})"
        short = name if len(name) <= _LABEL else name[: _LABEL - 1] + "…"
        low, at, high = (_TRACK * share / reach for share in (rate.low, rate.estimate, rate.high))
        row = (
            f"<title>{plain(name)}: {rate.estimate:.1%}, {rate.low:.1%} to {rate.high:.1%}</title>"
            f'<text class="name{" link" if to else ""}" x="0" y="{y + 12}">{plain(short)}</text>'
            f'<rect class="track" x="0" y="{y + 17}" width="{_TRACK}" height="12"></rect>'
            f'<rect class="rank" x="0" y="{y + 17}" width="{at:.1f}" height="12"></rect>'
            f'<path class="ends" d="M{low:.1f} {y + 19}v8m0-4H{high:.1f}m0-4v8"></path>'
            f'<text x="{WIDTH}" y="{y + 27}" text-anchor="end">{rate.estimate:.1%}</text>'
        )
        parts.append(f'<a href="{plain(to)}">{row}</a>' if to else f"<g>{row}</g>")
    y = _ROW * len(rated) + 12
    parts += [
        f'<text x="0" y="{y}">0%</text>',
        f'<text x="{_TRACK}" y="{y}" text-anchor="end">{reach:.0%}</text>',
    ]
    return figure("score" if rated[0][0].suite.benchmark else "pass@1", "".join(parts), (), height=y + 4, role="group")
