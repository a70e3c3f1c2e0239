"""Plots as SVG text: lines with a band, stacked shares over time, a histogram over time, and stacked bars.

Colours come from classes of the page's style sheet, so that one drawing serves light and dark mode.

Long, because the plots share their scales and axes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

from ocaml_env.display.markup import plain

__all__ = ["Area", "Line", "bars", "figure", "heat", "lines", "stacked"]

Key = TypeVar("Key")

WIDTH, HEIGHT = 370, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 42, 8, 8, 24
_TINY, _HUGE = 1e-12, 1e15
_COLUMNS = 90
"""The most points of a drawn line, and the most columns of a stack; more are averaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line.

    Attributes:
        name: for the legend.
        look: class of the style sheet.
        points: (x, y), by x.
    """

    name: str
    look: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """The area between two heights: (x, low, high), by x."""

    name: str
    points: Sequence[tuple[float, float, float]]


def lines(
    title: str,
    drawn: Sequence[Line],
    *,
    form: str = "{:g}",
    area: Area | None = None,
    marks: Sequence[tuple[float, str]] = (),
    bottom: float | None = 0.0,
    top: float | None = None,
    log: bool = False,
    x_name: str = "step",
) -> str:
    """Draws lines over time; "" if there is nothing to draw.

    Args:
        title: the caption.
        drawn: the lines; those without points are left out.
        form: format of the heights.
        area: a band behind the lines.
        marks: upright lines with a name, for interventions.
        bottom: the least height; None for that of the data.
        top: the greatest height; None for that of the data.
        log: True draws heights on a logarithmic scale, and leaves out those not above 0.
        x_name: the unit of x.
    """
    usable = [(line, _drawable(line.points, log=log)) for line in drawn]
    usable = [(line, points) for line, points in usable if points]
    if not usable:
        return ""
    heights = [y for _, points in usable for _, y in points] + [y for p in (area.points if area else ()) for y in p[1:]]
    low = min(heights) if bottom is None or log else min(bottom, *heights)
    high = max(heights) if top is None else max(top, max(heights))
    high = high if high > low else low + (abs(low) or 1.0)
    high = high if log or top is not None else low + _round_up(high - low)
    xs = [x for _, points in usable for x, _ in points]
    scale = _Scale(min(xs), max(xs), low, high, log=log)
    parts = [_axes(scale, form, x_name)]
    if area:
        upper = [f"{scale.x(x):.1f},{scale.y(top_):.1f}" for x, _, top_ in area.points]
        lower = [f"{scale.x(x):.1f},{scale.y(low_):.1f}" for x, low_, _ in reversed(area.points)]
        parts.append(f'<polygon class="band" points="{" ".join(upper + lower)}"></polygon>')
    for at, name in marks:
        x = scale.x(at)
        parts.append(
            f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{HEIGHT - _BOTTOM}">'
            f"<title>{plain(name)}</title></line>"
        )
    for line, points in usable:
        thin = _thinned(points)
        if len(thin) >= 40 and line.look != "d":  # a noisy line stays visible behind its running mean
            path = " ".join(f"{scale.x(x):.1f},{scale.y(y):.1f}" for x, y in thin)
            parts.append(f'<polyline class="line faint {line.look}" points="{path}"></polyline>')
            thin = _smoothed(thin)
        path = " ".join(f"{scale.x(x):.1f},{scale.y(y):.1f}" for x, y in thin)
        shape = (
            f'<polyline class="line {line.look}" points="{path}">'
            if len(thin) > 1
            else f'<circle class="dot {line.look}" cx="{scale.x(thin[0][0]):.1f}" cy="{scale.y(thin[0][1]):.1f}" r="3">'
        )
        last = f"{line.name}: {form.format(points[-1][1])} at the end"
        parts.append(f"{shape}<title>{plain(last)}</title></{'polyline' if len(thin) > 1 else 'circle'}>")
    names = [(line.look, f"{line.name} {form.format(points[-1][1])}") for line, points in usable]
    return figure(title, "".join(parts), [*names, *([("band", area.name)] if area else [])])


def stacked(
    title: str, points: Sequence[tuple[float, Mapping[str, float]]], looks: Mapping[str, str], *, x_name: str = "step"
) -> str:
    """Draws the shares of kinds over time, one on top of another; "" if there is nothing to draw.

    Args:
        title: the caption.
        points: (x, count by kind), by x.
        looks: kind -> class of the style sheet, in the order of stacking.
        x_name: the unit of x.
    """
    columns = [(x, counts) for x, counts in _columns(points) if sum(counts.values())]
    if not columns:
        return ""
    scale = _Scale(columns[0][0], columns[-1][0], 0.0, 1.0)
    width = (WIDTH - _LEFT - _RIGHT) / len(columns)
    parts = [_axes(scale, "{:.0%}", x_name)]
    for place, (_, counts) in enumerate(columns):
        base, whole = 0.0, sum(counts.values())
        for kind, look in looks.items():
            share = counts.get(kind, 0) / whole
            if share:
                parts.append(
                    f'<rect class="{look}" x="{_LEFT + place * width:.1f}" y="{scale.y(base + share):.1f}" '
                    f'width="{width + 0.15:.1f}" height="{scale.y(base) - scale.y(base + share):.1f}"></rect>'
                )
            base += share
    last = columns[-1][1]
    whole = sum(last.values())
    present = [kind for kind in looks if any(counts.get(kind) for _, counts in columns)]
    legend = [(looks[kind], f"{kind.replace('_', ' ').lower()} {last.get(kind, 0) / whole:.0%}") for kind in present]
    return figure(title, "".join(parts), legend)


def heat(title: str, points: Sequence[tuple[float, Sequence[int]]], *, x_name: str = "step") -> str:
    """Draws a histogram over time: a column for each moment, a row for each bin from 0 to 1; "" if there is no data."""
    columns = [
        (x, counts) for x, counts in _columns([(x, dict(enumerate(row))) for x, row in points]) if sum(counts.values())
    ]
    if not columns:
        return ""
    rows = max(len(row) for _, row in points)
    scale = _Scale(columns[0][0], columns[-1][0], 0.0, 1.0)
    width, height = (WIDTH - _LEFT - _RIGHT) / len(columns), (HEIGHT - _TOP - _BOTTOM) / rows
    parts = [_axes(scale, "{:.1f}", x_name)]
    for place, (_, counts) in enumerate(columns):
        whole = sum(counts.values())
        for row, count in counts.items():
            if count:
                opacity = max(0.04, (count / whole) ** 0.5)  # square root: rare rewards stay visible
                parts.append(
                    f'<rect class="heat" x="{_LEFT + place * width:.1f}" y="{scale.y((int(row) + 1) / rows):.1f}" '
                    f'width="{width + 0.1:.1f}" height="{height:.1f}" opacity="{opacity:.2f}"></rect>'
                )
    return figure(title, "".join(parts), [("heat", "the darker, the more samples")])


def bars(title: str, rows: Sequence[tuple[str, Mapping[str, int]]], looks: Mapping[str, str], *, note: str = "") -> str:
    """Draws a bar for each row, divided into the shares of kinds, with the total; "" if there is nothing to draw.

    With a single kind, the length of a bar is its count.
    """
    rows = [(label, counts) for label, counts in rows if sum(counts.values())]
    if not rows:
        return ""
    most = max(sum(counts.values()) for _, counts in rows)
    single = len(looks) == 1
    height = 18 * len(rows) + 4
    parts = []
    for index, (label, counts) in enumerate(rows):
        y, x, whole = 18 * index + 2, 150.0, sum(counts.values())
        short = label if len(label) <= 26 else label[:25] + "…"
        parts.append(f'<text x="145" y="{y + 12}" text-anchor="end">{plain(short)}<title>{plain(label)}</title></text>')
        for kind, look in looks.items():
            width = 172 * counts.get(kind, 0) / (most if single else whole)
            if width:
                name = f"{kind.replace('_', ' ').lower()}: {counts[kind]:,}"
                parts.append(
                    f'<rect class="{look}" x="{x:.1f}" y="{y + 2}" width="{width:.1f}" height="13">'
                    f"<title>{plain(name)}</title></rect>"
                )
            x += width
        parts.append(f'<text x="{x + 4:.1f}" y="{y + 12}">{whole:,}</text>')
    present = [kind for kind in looks if any(counts.get(kind) for _, counts in rows)]
    legend = [] if single else [(looks[kind], kind.replace("_", " ").lower()) for kind in present]
    return figure(title, "".join(parts), legend, height=height, note=note)


# --- parts ------------------------------------------------------------------------------------------------------------


class _Scale:
    """Converts values to places in the drawing."""

    def __init__(self, left: float, right: float, low: float, high: float, *, log: bool = False) -> None:
        self.left, self.right, self.low, self.high, self.log = left, right, low, high, log

    def x(self, value: float) -> float:
        share = (value - self.left) / (self.right - self.left) if self.right > self.left else 0.5
        return _LEFT + max(0.0, min(1.0, share)) * (WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        low, high, at = (
            (math.log10(self.low), math.log10(self.high), math.log10(value))
            if self.log
            else (self.low, self.high, value)
        )
        return HEIGHT - _BOTTOM - (at - low) / (high - low) * (HEIGHT - _TOP - _BOTTOM)

    def heights(self) -> list[float]:
        if self.log:
            low, high = math.log10(self.low), math.log10(self.high)
            return [10 ** (low + (high - low) * part / 3) for part in range(4)]
        return [self.low + (self.high - self.low) * part / 4 for part in range(5)]


def _axes(scale: _Scale, form: str, x_name: str) -> str:
    parts = []
    for value in scale.heights():
        y = scale.y(value)
        shown = f"{value:.1g}" if scale.log else _tick(value, form)
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"></line>'
            f'<text x="{_LEFT - 4}" y="{y + 4:.1f}" text-anchor="end">{shown}</text>'
        )
    y = HEIGHT - 8
    if scale.right > scale.left:
        parts.append(f'<text x="{_LEFT}" y="{y}">{scale.left:g}</text>')
    middle = (_LEFT + WIDTH - _RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{y}" text-anchor="middle">{plain(x_name)}</text>')
    parts.append(f'<text x="{WIDTH - _RIGHT}" y="{y}" text-anchor="end">{scale.right:g}</text>')
    return "".join(parts)


def _tick(value: float, form: str) -> str:
    if "e" in form:
        return f"{value:.0e}".replace("e-0", "e-").replace("0e+00", "0")
    return form.format(value) if "%" in form else f"{value:.3g}"


def _round_up(value: float) -> float:
    """The next number that divides into four readable parts."""
    unit = 10.0 ** math.floor(math.log10(value))
    return next(
        (unit * part for part in (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8) if unit * part >= value * 0.999), unit * 10
    )


def _drawable(points: Sequence[tuple[float, float]], *, log: bool) -> list[tuple[float, float]]:
    """The drawable points: no nan, nothing absurdly large, and for a logarithm only positive ones."""
    return [(x, 0.0 if abs(y) < _TINY else y) for x, y in points if abs(y) < _HUGE and (y > _TINY or not log)]


def _smoothed(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    half = len(points) // 24
    windows = [points[max(0, at - half) : at + half + 1] for at in range(len(points))]
    return [(x, fmean(y for _, y in window)) for (x, _), window in zip(points, windows, strict=True)]


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    if len(points) <= _COLUMNS * 2:
        return list(points)
    size = len(points) / (_COLUMNS * 2)
    parts = [points[int(i * size) : int((i + 1) * size)] for i in range(_COLUMNS * 2)]
    return [(fmean(x for x, _ in part), fmean(y for _, y in part)) for part in parts]


def _columns(
    points: Sequence[tuple[float, Mapping[Key, float]]],
) -> list[tuple[float, dict[Key, float]]]:
    """The points; neighbours are added up if there are too many."""
    count = min(_COLUMNS, len(points))
    columns = []
    for index in range(count):
        part = points[index * len(points) // count : (index + 1) * len(points) // count]
        total: dict[Key, float] = {}
        for _, counts in part:
            for kind, number in counts.items():
                total[kind] = total.get(kind, 0) + number
        columns.append((part[-1][0] if index else part[0][0], total))
    return columns


def figure(
    title: str,
    drawing: str,
    legend: Sequence[tuple[str, str]],
    *,
    height: int = HEIGHT,
    note: str = "",
    role: str = "img",
) -> str:
    """A drawing with its caption.

    Args:
        title: the caption.
        drawing: SVG, ``WIDTH`` wide.
        legend: (class of the style sheet, name).
        height: of the drawing.
        note: a remark below it.
        role: ``img`` for a drawing seen as a whole, ``group`` if its parts are read or linked.
    """
    keys = "".join(f'<span><i class="key {look}"></i>{plain(name)}</span>' for look, name in legend)
    below = f'<div class="legend">{keys}</div>' if keys else ""
    remark = f'<div class="dim">{plain(note)}</div>' if note else ""
    return (
        f'<figure><figcaption>{plain(title)}</figcaption><svg viewBox="0 0 {WIDTH} {height}" role="{role}" '
        f'aria-label="{plain(title)}">{drawing}</svg>{below}{remark}</figure>'
    )
