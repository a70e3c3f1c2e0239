"""Differences side by side as SVG text: one row a figure, a dot with its interval, left and right of zero."""

from __future__ import annotations

from collections.abc import Mapping

from ocaml_env.display.charts import WIDTH, figure
from ocaml_env.display.markup import plain
from ocaml_env.evaluation.compare.difference import FEWEST, Difference
from ocaml_env.evaluation.compare.formatting import rise

__all__ = ["STYLE", "rises"]

_LEFT, _TRACK = 145, 175
_LABEL = 22  # characters
_LEAST = 0.05  # least reach of the scale, so that differences of a few in a thousand look small

STYLE = """
.zero { stroke: var(--dim); } .rise { stroke: var(--dim); fill: var(--dim); stroke-width: 1.5; }
.rise.good { stroke: var(--good); fill: var(--good); } .rise.bad { stroke: var(--bad); fill: var(--bad); }
"""


def rises(title: str, figures: Mapping[str, Difference], *, note: str = "") -> str:
    """Draws differences of shares, in points; "" without figures. A difference of too few problems has no interval.

    Args:
        title: caption of the plot.
        figures: name -> difference.
        note: a remark below it.
    """
    if not figures:
        return ""
    reach = max(_LEAST, *(max(abs(figure.low), abs(figure.high)) for figure in figures.values()))
    bottom = 18 * len(figures) + 4
    zero = _place(0.0, reach)
    parts = [f'<line class="zero" x1="{zero:.1f}" x2="{zero:.1f}" y1="0" y2="{bottom}"></line>']
    for index, (name, one) in enumerate(figures.items()):
        y = 18 * index + 2
        short = name if len(name) <= _LABEL else name[: _LABEL - 1] + "…"
        look = "" if not one.distinct else "good" if one.estimate > 0 else "bad"
        ends = (one.low, one.high) if one.problems >= FEWEST else (one.estimate, one.estimate)
        at, low, high = (_place(end, reach) for end in (one.estimate, *ends))
        about = f"{name}: {one.a:.1%} in A, {one.b:.1%} in B, {one.problems} problems"
        parts.append(
            f"<g><title>{plain(about)}</title>"
            f'<text x="{_LEFT - 5}" y="{y + 12}" text-anchor="end">{plain(short)}</text>'
            f'<line class="grid" x1="{_LEFT}" x2="{_LEFT + _TRACK}" y1="{y + 8}" y2="{y + 8}"></line>'
            f'<line class="rise {look}" x1="{low:.1f}" x2="{high:.1f}" y1="{y + 8}" y2="{y + 8}"></line>'
            f'<circle class="rise {look}" cx="{at:.1f}" cy="{y + 8}" r="3"></circle>'
            f'<text class="figure" x="{WIDTH}" y="{y + 12}" text-anchor="end">{rise("pass@1", one.estimate)}</text></g>'
        )
    y = bottom + 10
    parts.append(f'<text x="{_LEFT}" y="{y}">{-100 * reach:.0f}</text>')
    parts.append(f'<text x="{zero:.1f}" y="{y}" text-anchor="middle">0 points</text>')
    parts.append(f'<text x="{_LEFT + _TRACK}" y="{y}" text-anchor="end">{100 * reach:+.0f}</text>')
    return figure(title, "".join(parts), (), height=y + 4, note=note)


def _place(value: float, reach: float) -> float:
    return _LEFT + _TRACK * (value / reach + 1) / 2
