"""pass@k: the chance that at least one of k samples of a problem passes, estimated from n samples.

The estimator is the unbiased one of Chen et al., "Evaluating Large Language Models Trained on Code" (2021): the share
of all subsets of k of the n samples in which one passes. Intervals are over problems, which are what a suite samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Estimate", "bootstrap", "estimate", "pass_at_k"]

_RESAMPLES = 2_000


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """pass@k over problems, with its 95% interval: by bootstrap over problems; exact where none or all are solved."""

    estimate: float
    low: float
    high: float


def pass_at_k(n: int, passed: int, k: int) -> float | None:
    """The unbiased estimate from ``passed`` of ``n`` samples; None where n < k, where there is none.

    Raises:
        ValueError: where the numbers are of no sample.
    """
    if k < 1 or not 0 <= passed <= n:
        raise ValueError(f"pass@k needs 0 <= passed <= n and k >= 1, not n={n}, passed={passed}, k={k}")
    if n < k:
        return None
    return 1.0 - math.comb(n - passed, k) / math.comb(n, k)


def estimate(counts: Sequence[tuple[int, int]], k: int, *, seed: int = 0) -> Estimate | None:
    """pass@k of several problems: the mean over them.

    Args:
        counts: (n, passed) of each problem.
        k: as in pass@k.
        seed: of the resampling.

    Returns:
        None where there is no problem, or one with n < k: leaving it out would favour problems that are easy to sample.
    """
    rates = [rate for n, passed in counts if (rate := pass_at_k(n, passed, k)) is not None]
    if not rates or len(rates) < len(counts):
        return None
    low, high = _exact(rates[0], len(rates)) if set(rates) in ({0.0}, {1.0}) else bootstrap(rates, seed=seed)
    return Estimate(estimate=math.fsum(rates) / len(rates), low=low, high=high)


def _exact(rate: float, problems: int) -> tuple[float, float]:
    """The 95% interval of Clopper and Pearson (1934) for none, or all, of so many problems.

    A bootstrap would say that the rate is certain, for it draws only what it has seen.
    """
    width = 1.0 - 0.025 ** (1.0 / problems)
    return (0.0, width) if rate == 0.0 else (1.0 - width, 1.0)


def bootstrap(rates: Any, *, seed: int = 0) -> tuple[float, float]:
    """The 95% percentile interval of the mean of problems' rates, problems resampled with replacement (Efron 1979)."""
    rates = np.asarray(rates, dtype=float)
    drawn = np.random.default_rng(seed).integers(len(rates), size=(_RESAMPLES, len(rates)))
    low, high = np.percentile(rates[drawn].mean(axis=1), (2.5, 97.5))
    return float(low), float(high)
