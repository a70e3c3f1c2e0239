"""The score of the benchmark, from the summary of a run: the mean of pass@1 over levels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ocaml_env.display.terminal import Colour, Paint
from ocaml_env.evaluation.levels import Rung, rungs, show_crossing

__all__ = ["MOST_CUT_OFF", "mean_over_levels", "score", "show_score", "standard_error"]

MOST_CUT_OFF = 0.02
"""A row with a larger share of cut-off answers is marked: its budget decides its score, too."""

_95 = 1.96


def score(summary: Mapping[str, Any]) -> dict[str, Any] | None:
    """Makes the part ``benchmark`` of a summary; None for a benchmark of others, or if no sample has a level."""
    ladder = rungs(summary)
    if not ladder or summary["settings"]["benchmark"]["version"] is None:
        return None
    mean, error = mean_over_levels(ladder), standard_error(ladder)
    cut_off = summary["truncated"]
    return {
        **summary["settings"]["benchmark"],
        "score": {"estimate": mean, "low": max(0.0, mean - _95 * error), "high": min(1.0, mean + _95 * error)},
        "standard_error": error,
        "by_level": {str(rung.level): rung.rate for rung in ladder},
        "half_solved": show_crossing(ladder),
        "cut_off": cut_off,
        "too_many_cut_off": cut_off > MOST_CUT_OFF,
    }


def mean_over_levels(ladder: Sequence[Rung]) -> float:
    """The mean of pass@1 over levels: each level counts the same, however many problems it has."""
    return math.fsum(rung.rate for rung in ladder) / len(ladder)


def standard_error(ladder: Sequence[Rung]) -> float:
    """The standard error of ``mean_over_levels``, over problems: levels are strata.

    A level's variance is the binomial one of a rate with two successes and two failures added (Agresti and Coull 1998),
    so that a level of which all or nothing is solved is not taken for certain.
    """
    variances = []
    for rung in ladder:
        count = rung.problems + 4
        rate = (rung.rate * rung.problems + 2) / count
        variances.append(rate * (1 - rate) / count)
    return math.sqrt(math.fsum(variances)) / len(ladder)


def show_score(found: Mapping[str, Any], paint: Paint) -> Iterator[str]:
    """Yields the lines for a terminal."""
    rate = found["score"]
    levels = ", ".join(f"{level}: {share:.1%}" for level, share in found["by_level"].items())
    yield (
        f"{paint(found['name'], Colour.BOLD)} {rate['estimate']:.1%}, the mean over levels; 95% interval "
        f"{rate['low']:.1%} to {rate['high']:.1%}, standard error {found['standard_error']:.1%}"
    )
    yield f"  {levels}; {found['half_solved']}"
    if found["too_many_cut_off"]:
        yield paint(f"  {found['cut_off']:.1%} of the answers are cut off: the row is marked", Colour.YELLOW)
