"""pass@k, the chance that at least one of k samples of a problem passes, estimated from n samples; and exact means.

The estimator is the unbiased one of Chen et al., "Evaluating Large Language Models Trained on Code" (2021): the share
of all k-subsets of the n samples with at least one pass. Intervals are over problems, because a suite samples those.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

__all__ = ["Estimate", "Mean", "bootstrap", "estimate", "pass_at_k"]

_RESAMPLES = 2_000
_SCALE = 1074


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """pass@k over problems, with its 95% interval: by bootstrap over problems; exact if none or all are solved."""

    estimate: float
    low: float
    high: float


def pass_at_k(n: int, passed: int, k: int) -> float | None:
    """Estimates pass@k without bias from ``passed`` of ``n`` samples; None if n < k, because no estimate exists.

    Raises:
        ValueError: unless 0 <= passed <= n and k >= 1.
    """
    if k < 1 or not 0 <= passed <= n:
        raise ValueError(f"pass@k needs 0 <= passed <= n and k >= 1, not n={n}, passed={passed}, k={k}")
    if n < k:
        return None
    return 1.0 - math.comb(n - passed, k) / math.comb(n, k)


def estimate(counts: Sequence[tuple[int, int]], k: int, *, seed: int = 0) -> Estimate | None:
    """Estimates pass@k of several problems: the mean over them.

    Args:
        counts: (n, passed) of each problem.
        k: as in pass@k.
        seed: seed of the resampling.

    Returns:
        The estimate. None without problems, or if one has n < k: to leave it out would favour problems that are easy to
        sample.
    """
    rates = [rate for n, passed in counts if (rate := pass_at_k(n, passed, k)) is not None]
    if not rates or len(rates) < len(counts):
        return None
    low, high = _exact(rates[0], len(rates)) if set(rates) in ({0.0}, {1.0}) else bootstrap(rates, seed=seed)
    return Estimate(estimate=math.fsum(rates) / len(rates), low=low, high=high)


def _exact(rate: float, problems: int) -> tuple[float, float]:
    """The 95% interval of Clopper and Pearson (1934) if none or all of the problems are solved.

    A bootstrap would call the rate certain, because it draws only from the observed rates.
    """
    width = 1.0 - 0.025 ** (1.0 / problems)
    return (0.0, width) if rate == 0.0 else (1.0 - width, 1.0)


def bootstrap(rates: Any, *, seed: int = 0) -> tuple[float, float]:
    """Returns the 95% percentile interval of the mean rate, with problems resampled with replacement (Efron 1979)."""
    rates = np.asarray(rates, dtype=float)
    drawn = np.random.default_rng(seed).integers(len(rates), size=(_RESAMPLES, len(rates)))
    low, high = np.percentile(rates[drawn].mean(axis=1), (2.5, 97.5))
    return float(low), float(high)


@dataclass(slots=True)
class Mean:
    """A mean from a sum without rounding, independent of the order of the numbers.

    The sum is a whole number of 2**-1074, the smallest positive float.
    """

    count: int = 0
    scaled: int = 0

    def add(self, value: float) -> None:
        self.count += 1
        top, bottom = value.as_integer_ratio()
        self.scaled += top << (_SCALE + 1 - bottom.bit_length())  # the bottom is a power of two

    @property
    def sum(self) -> Fraction:
        return Fraction(self.scaled, 1 << _SCALE)

    @property
    def value(self) -> float | None:
        return float(self.sum) / self.count if self.count else None
