"""The difference of a figure between A and B over their common problems, with an interval and a test against chance.

Each problem is its own control: only its own change counts. The interval is a bootstrap over problems, as for pass@k.
The p-value is of the sign-flip test. If A and B were alike, each problem could as well have moved the other way; so the
p-value is the share of all choices of signs with a sum at least as far from zero. Below six problems no choice is rare
enough; a bootstrap of so few problems does not notice that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ocaml_env.evaluation.statistics import bootstrap

__all__ = ["FEWEST", "LEVEL", "Difference", "difference"]

LEVEL = 0.05
FEWEST = 6
"""Least number of moving problems for a test at LEVEL: two choices of 2 ** count signs must be rarer than LEVEL."""

_EXACT = 12  # up to so many moving problems all choices of signs are tried; beyond, so many at random:
_FLIPS = 10_000
_TOLERANCE = 1e-9  # sums of the same numbers in another order


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A figure in A and in B, as means over problems.

    Attributes:
        problems: number of common problems.
        a: the mean in A.
        b: the mean in B.
        estimate: the mean of B - A.
        low: the lower end of its 95% interval, by bootstrap over problems.
        high: the upper end.
        p: two-sided p-value of the sign-flip test.
    """

    problems: int
    a: float
    b: float
    estimate: float
    low: float
    high: float
    p: float

    @property
    def distinct(self) -> bool:
        """True if both the interval and the test distinguish the difference from zero."""
        return (self.low > 0 or self.high < 0) and self.p < LEVEL


def difference(values: Sequence[tuple[float, float]], *, seed: int = 0) -> Difference:
    """Computes the difference of a figure.

    Args:
        values: (A, B) of each problem; at least one.
        seed: seed of the resampling.
    """
    # Equal figures may differ in the last bit, as means of different numbers of samples.
    rises = [0.0 if math.isclose(a, b, abs_tol=_TOLERANCE) else b - a for a, b in values]
    estimate = math.fsum(rises) / len(rises)
    low, high = bootstrap(rises, seed=seed)
    return Difference(
        problems=len(values),
        a=math.fsum(a for a, _ in values) / len(values),
        b=math.fsum(b for _, b in values) / len(values),
        estimate=estimate,
        low=min(low, estimate),  # equal rises: their means may differ in the last bit
        high=max(high, estimate),
        p=_sign_flips(rises, seed=seed),
    )


def _sign_flips(rises: Sequence[float], *, seed: int) -> float:
    moved = np.array([rise for rise in rises if rise])
    if not len(moved):
        return 1.0
    least = abs(math.fsum(moved)) * (1 - _TOLERANCE)
    if len(moved) <= _EXACT:
        choices = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved)) & 1
        return float(np.mean(np.abs((2 * choices - 1) @ moved) >= least))
    random = np.random.default_rng(seed)
    hits = 0
    for _ in range(_FLIPS // 100):  # by hundreds: problems may be many
        signs = random.integers(2, size=(100, len(moved)), dtype=np.int8) * 2 - 1
        hits += int(np.count_nonzero(np.abs(signs @ moved) >= least))
    return (hits + 1) / (_FLIPS + 1)
