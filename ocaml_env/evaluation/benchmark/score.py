"""The score of the benchmark: the mean of pass@1 over levels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from ocaml_env.evaluation.config import BenchmarkRun
from ocaml_env.evaluation.levels import Rung, rungs, show_crossing
from ocaml_env.evaluation.statistics import Estimate
from ocaml_env.evaluation.summary import BenchmarkScore, Group

__all__ = ["MOST_CUT_OFF", "mean_over_levels", "score", "standard_error"]

MOST_CUT_OFF = 0.02
"""A row with a larger share of cut-off answers is marked: its budget decides its score, too."""

_95 = 1.96


def score(run: BenchmarkRun, by_level: Mapping[str, Group], cut_off: float) -> BenchmarkScore | None:
    """Makes the score of a run; None for a benchmark of others, or if no sample has a level.

    Args:
        run: the run.
        by_level: results by name of a level.
        cut_off: share of answers cut off at the token limit.
    """
    ladder = rungs(by_level)
    if not ladder or run.version is None:
        return None
    mean, error = mean_over_levels(ladder), standard_error(ladder)
    return BenchmarkScore(
        **asdict(run),
        score=Estimate(estimate=mean, low=max(0.0, mean - _95 * error), high=min(1.0, mean + _95 * error)),
        standard_error=error,
        by_level={str(rung.level): rung.rate for rung in ladder},
        half_solved=show_crossing(ladder),
        cut_off=cut_off,
        too_many_cut_off=cut_off > MOST_CUT_OFF,
    )


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
