"""Shares as SVG text: a bar for each row, with its interval, its figure and its link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ocaml_env.display.charts import WIDTH, figure
from ocaml_env.display.markup import plain

__all__ = ["Share", "shares"]

_LEFT, _TRACK = 132, 136
_LABEL = 21  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One row of ``shares``.

    Attributes:
        label: the name of the row.
        share: from 0 to 1; None if unknown.
        low: the lower end of its interval; None if there is none.
        high: the upper end.
        note: a few characters at the row's end.
        title: the text for a pointer over the row; by default, the label.
        look: class of the style sheet.
        href: the row's link, such as ``#samples``; "" for none.
    """

    label: str
    share: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""
    title: str = ""
    look: str = "plain"
    href: str = ""


def shares(title: str, rows: Sequence[Share], *, note: str = "") -> str:
    """Draws a bar for each row, from 0 to 100%, with its interval and its figure; "" if there is nothing to draw."""
    if not rows:
        return ""
    parts = []
    for index, row in enumerate(rows):
        y = 18 * index + 2
        short = row.label if len(row.label) <= _LABEL else row.label[: _LABEL - 1] + "…"
        drawn = [
            f"<title>{plain(row.title or row.label)}</title>",
            f'<rect class="row" x="0" y="{y - 1}" width="{WIDTH}" height="18"></rect>',
            f'<text x="{_LEFT - 5}" y="{y + 12}" text-anchor="end">{plain(short)}</text>',
            f'<rect class="track" x="{_LEFT}" y="{y + 2}" width="{_TRACK}" height="13"></rect>',
        ]
        if row.share is not None:
            width = _TRACK * row.share
            drawn.append(f'<rect class="{row.look}" x="{_LEFT}" y="{y + 2}" width="{width:.1f}" height="13"></rect>')
        if row.low is not None and row.high is not None:
            low, high = (_LEFT + _TRACK * end for end in (row.low, row.high))
            drawn.append(f'<path class="whisker" d="M{low:.1f} {y + 4}v9m0-4.5H{high:.1f}m0-4.5v9"></path>')
        shown = "-" if row.share is None else f"{row.share:.1%}"
        x = _LEFT + _TRACK + 44
        drawn += [
            f'<text class="figure" x="{x}" y="{y + 12}" text-anchor="end">{shown}</text>',
            f'<text x="{WIDTH}" y="{y + 12}" text-anchor="end">{plain(row.note)}</text>',
        ]
        inside = "".join(drawn)
        parts.append(f'<a href="{plain(row.href)}">{inside}</a>' if row.href else f"<g>{inside}</g>")
    return figure(title, "".join(parts), (), height=18 * len(rows) + 4, note=note, role="group")
