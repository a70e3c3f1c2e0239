"""A model's place on the ladder of levels: pass@1 by level, its half-solved level, and levels to train on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ocaml_env.display.terminal import bar, columns
from ocaml_env.evaluation.summary import Group
from ocaml_env.problem import LEVELS

__all__ = ["TEACHES", "Rung", "advice", "crossing", "rungs", "show_crossing", "show_span", "table", "teaching"]

TEACHES = (0.2, 0.8)
"""Pass rates of a level that teaches: solved neither always nor never, so that samples of a group differ."""

_WIDTH = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """The results on the problems of one level.

    Attributes:
        level: from 1 to 6.
        problems: number of problems.
        rate: pass@1, the mean over problems.
        low, high: its 95% interval, over problems.
    """

    level: int
    problems: int
    rate: float
    low: float
    high: float


def rungs(by_level: Mapping[str, Group]) -> list[Rung]:
    """Returns the levels of an evaluation, from the easiest. Leaves out problems without a level.

    Args:
        by_level: results by name of a level.
    """
    known = {str(level): level for level in LEVELS}
    return [
        Rung(
            level=known[name],
            problems=group.problems,
            rate=group.rate.estimate,
            low=group.rate.low,
            high=group.rate.high,
        )
        for name, group in sorted(by_level.items())
        if name in known
    ]


def crossing(ladder: Sequence[Rung]) -> float:
    """Computes the half-solved level, with a pass rate of 0.5.

    Makes the rates monotone, falling with the level (pool adjacent violators, weighted by problems: Ayer et al. 1955),
    and interpolates linearly between levels.

    Returns:
        The level; -inf if less than half of the easiest is solved, inf if at least half of the hardest is.

    Raises:
        ValueError: if there is no level.
    """
    if not ladder:
        raise ValueError("none of the problems has a level")
    rates = _falling([(rung.rate, rung.problems) for rung in ladder])
    if rates[0] < 0.5:
        return -math.inf
    if rates[-1] >= 0.5:
        return math.inf
    [(low, high, above, below)] = [
        (rung.level, harder.level, a, b)
        for (rung, harder), (a, b) in zip(pairwise(ladder), pairwise(rates), strict=True)
        if a >= 0.5 > b
    ]
    return low + (high - low) * (above - 0.5) / (above - below)


def show_crossing(ladder: Sequence[Rung]) -> str:
    """Describes ``crossing`` in words."""
    level = crossing(ladder)
    if level == -math.inf:
        return f"solves half below level {ladder[0].level}"
    if level == math.inf:
        return f"solves half above level {ladder[-1].level}"
    return f"solves half at level {level:.1f}"


def teaching(rates: Sequence[float]) -> list[int]:
    """Returns the indices of the levels that teach most: pass rates of 20 to 80%, or else the nearest one.

    Raises:
        ValueError: if there is no level.
    """
    low, high = TEACHES
    fit = [place for place, rate in enumerate(rates) if low <= rate <= high]
    if fit:
        return fit

    def distance(place: int) -> tuple[float, int]:
        """Of equally near levels the easiest comes first if they are too hard, the hardest if they are too easy."""
        rate = rates[place]
        return max(low - rate, rate - high), -place if rate > high else place

    return [min(range(len(rates)), key=distance)]


def show_span(levels: Sequence[int]) -> str:
    """Formats levels for a source of problems: ``2``, or ``2-4``."""
    return str(levels[0]) if len(levels) == 1 else f"{levels[0]}-{levels[-1]}"


def advice(ladder: Sequence[Rung]) -> str:
    """Names the levels that teach most, as a source of problems.

    Raises:
        ValueError: if there is no level.
    """
    if not ladder:
        raise ValueError("none of the problems has a level")
    fit = [ladder[place] for place in teaching([rung.rate for rung in ladder])]
    span = show_span([rung.level for rung in fit])
    if fit[0].rate == 0.0:
        return f"nothing is solved: begin with a warm start on references of level {span} (agents.sft)"
    return f"train on level {span}: bundled:train?level={span}"


def table(ladder: Sequence[Rung]) -> Iterator[str]:
    """Yields a line with a bar for each level, for the terminal."""
    rows = [["level", "problems", "pass@1", "95% interval"]]
    for rung in ladder:
        interval = f"{rung.low:.1%} to {rung.high:.1%}"
        rows.append([str(rung.level), str(rung.problems), f"{rung.rate:.1%}", interval, bar(rung.rate, _WIDTH)])
    return iter(columns(rows, right=(1, 2)))


def _falling(points: Sequence[tuple[float, int]]) -> list[float]:
    """The nearest non-increasing rates, in the weighted least-squares sense."""
    blocks: list[tuple[float, int, int]] = []  # rate, weight, number of points
    for rate, weight in points:
        block = (rate, weight, 1)
        while blocks and blocks[-1][0] < block[0]:
            before = blocks.pop()
            total = before[1] + block[1]
            block = ((before[0] * before[1] + block[0] * block[1]) / total, total, before[2] + block[2])
        blocks.append(block)
    return [rate for rate, _, count in blocks for _ in range(count)]
