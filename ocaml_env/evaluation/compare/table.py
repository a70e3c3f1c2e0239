"""The comparison as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from ocaml_env.display.terminal import Colour, Paint, columns, printable
from ocaml_env.evaluation.compare.difference import FEWEST, LEVEL, Difference
from ocaml_env.evaluation.compare.formatting import (
    PAIRED,
    STEPS,
    about,
    by_step,
    flipped,
    interval,
    number,
    of_movement,
    rise,
    shown_p,
    value,
    verdict,
)
from ocaml_env.evaluation.compare.movement import Flip, Kind
from ocaml_env.evaluation.compare.study import Comparison
from ocaml_env.evaluation.models.base import short_name

__all__ = ["show"]

_TOPICS, _FLIPS = 8, 8
"""Most lines of topics and of each kind of flip; the page and the JSON have all."""

_KINDS = {
    Kind.GAINED: "solved now",
    Kind.LOST: "lost",
    Kind.ROSE: "more often",
    Kind.FELL: "less often",
}


def show(found: Comparison, paint: Paint, *, width: int | None = None) -> str:
    """Formats the whole comparison.

    Args:
        found: the comparison.
        paint: applies colours.
        width: width of the terminal; None for lines of any length.
    """
    return "\n".join(_lines(found, paint, width))


def _lines(found: Comparison, paint: Paint, width: int | None) -> Iterator[str]:
    for name, side in (("A", found.a), ("B", found.b)):
        names = [paint(name, Colour.BOLD), paint(printable(short_name(side.config.model)), Colour.BOLD)]
        yield from columns([names, [" ", paint(printable(about(side)), Colour.DIM)]], width=width)
    yield from _wrapped(f"{len(found.pairs.compared)} problems are compared, each with itself.", width)
    yield ""
    if found.warnings:
        yield paint("Not like with like:", Colour.YELLOW)
        for warning in found.warnings:
            yield from _wrapped(f"- {printable(warning)}", width, further="  ")
        yield ""
    yield from _wrapped(verdict(found), width)
    yield ""
    yield from _table("", found.figures, paint, width)
    yield from _wrapped(f"* distinguishable from zero: by the interval, and p < {LEVEL:g}", width, paint=paint)
    yield ""
    yield paint("pass@1 by level, and by topic, the surest change first", Colour.BOLD)
    yield from _table("level", found.by_level, paint, width, groups=True)
    yield from _table("topic", dict(list(found.by_topic.items())[:_TOPICS]), paint, width, groups=True)
    more = f"and {hidden} more topics. " if (hidden := len(found.by_topic) - _TOPICS) > 0 else ""
    yield from _wrapped(f"{more}Where nothing changed, one such line in 20 still gets a *.", width, paint=paint)
    yield ""
    yield from _wrapped(flipped(found), width)
    yield from _flips(found, paint, width)
    yield ""
    yield paint("Samples by the stage at which they failed: A downwards, B across", Colour.BOLD)
    yield from _matrix(found, paint, width)
    for sentence in of_movement(found):
        yield from _wrapped(sentence, width)
    yield from _wrapped(PAIRED, width, paint=paint)


def _table(
    title: str, figures: Mapping[str, Difference], paint: Paint, width: int | None, *, groups: bool = False
) -> list[str]:
    head = [title, *(["problems"] if groups else []), "A", "B", "B - A", "95% interval", "p"]
    rows = [[paint(cell, Colour.DIM) for cell in head]]
    for name, one in figures.items():
        figure = "pass@1" if groups else name
        colour = [Colour.GREEN if one.estimate > 0 else Colour.RED] if one.distinct and name != "tokens" else []
        rows.append(
            [
                printable(name),
                *([str(one.problems)] if groups else []),
                value(figure, one.a),
                value(figure, one.b),
                paint(rise(figure, one.estimate), *colour),
                interval(figure, one) if one.problems >= FEWEST else paint("too few", Colour.DIM),
                shown_p(one),
                paint("*", *colour) if one.distinct else "",
            ]
        )
    return columns(rows, right=range(1, len(head)), indent="  ", width=width)


def _flips(found: Comparison, paint: Paint, width: int | None) -> list[str]:
    rows: list[list[str]] = []
    for kind, title in _KINDS.items():
        colour = Colour.GREEN if kind in (Kind.GAINED, Kind.ROSE) else Colour.RED
        flips = found.of(kind)
        rows += [[paint(title, colour), printable(flip.problem), _rates(flip), flip.level] for flip in flips[:_FLIPS]]
        if (hidden := len(flips) - _FLIPS) > 0:
            rows.append([paint(title, colour), paint(f"and {hidden} more", Colour.DIM)])
    return columns(rows, indent="  ", width=width)


def _rates(flip: Flip) -> str:
    return f"{flip.a[0]}/{flip.a[1]} -> {flip.b[0]}/{flip.b[1]}"


def _matrix(found: Comparison, paint: Paint, width: int | None) -> list[str]:
    steps = by_step(found.moves)
    rows = [["", *(paint(step, Colour.BOLD) for step in STEPS)]]
    for before, name in enumerate(STEPS):
        cells = []
        for after in range(len(STEPS)):
            count = steps.get((before, after), 0)
            colour = Colour.DIM if before == after or not count else Colour.GREEN if after > before else Colour.RED
            cells.append(paint(number(count) if count else "·", colour))
        rows.append([paint(name, Colour.BOLD), *cells])
    return columns(rows, right=range(1, len(STEPS) + 1), indent="  ", width=width)


def _wrapped(text: str, width: int | None, *, further: str = "", paint: Paint | None = None) -> Sequence[str]:
    lines = textwrap.wrap(text, width or 120, subsequent_indent=further) or [""]
    return [paint(line, Colour.DIM) for line in lines] if paint else lines
