"""The figures of the study, as pure functions of rewards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Order", "auc", "break_even", "distinct", "order", "spearman", "tied_share"]

_EPSILON = 1e-9
"""Rewards that differ by less are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Shares of pairs, from 0 to 1, with the sum 1.

    Attributes:
        right: share of pairs whose better answer is paid more.
        tied: share of pairs with equal rewards.
        reversed: share of pairs whose worse answer is paid more.
    """

    right: float
    tied: float
    reversed: float


def order(pairs: Iterable[tuple[float, float]]) -> Order | None:
    """Computes the order of pairs (reward of the better answer, reward of the worse one); None without pairs."""
    gaps = [better - worse for better, worse in pairs]
    if not gaps:
        return None
    right = sum(gap > _EPSILON for gap in gaps) / len(gaps)
    wrong = sum(gap < -_EPSILON for gap in gaps) / len(gaps)
    return Order(right=right, tied=max(0.0, 1.0 - right - wrong), reversed=wrong)


def auc(pairs: Iterable[tuple[float, float]]) -> float | None:
    """Returns the chance that the better answer of a pair is paid more; a tie counts half. None without pairs.

    Over all pairs of two samples this is the area under the ROC curve (Hanley and McNeil, 1982).
    """
    found = order(pairs)
    return None if found is None else found.right + found.tied / 2


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Returns Spearman's rank correlation: Pearson's correlation of the ranks; equal values share their mean rank.

    None if one side is constant, because it has no order.
    """
    first, second = _ranks(xs), _ranks(ys)
    middle = (len(first) + 1) / 2
    across = math.fsum((a - middle) * (b - middle) for a, b in zip(first, second, strict=True))
    spread = math.fsum((a - middle) ** 2 for a in first) * math.fsum((b - middle) ** 2 for b in second)
    return across / math.sqrt(spread) if spread else None


def tied_share(groups: Iterable[Sequence[float]]) -> float:
    """Returns the share of groups with equal rewards: all their group-relative advantages are 0."""
    tied = [max(group) - min(group) <= _EPSILON for group in groups]
    return sum(tied) / len(tied)


def distinct(rewards: Iterable[float]) -> int:
    """Counts the different rewards."""
    return len({round(reward, 9) for reward in rewards})


def break_even(*, compiled: float, failed: float, effortless: float) -> float:
    """Returns the lowest compile rate, from 0 to 1, at which trying pays as much as giving up; infinity if none does.

    With compile rate c a try earns ``c * compiled + (1 - c) * failed`` on average.

    Args:
        compiled: mean reward of a compiling try.
        failed: mean reward of a failing try.
        effortless: reward of giving up.
    """
    if failed >= effortless - _EPSILON:
        return 0.0
    if compiled < effortless - _EPSILON:
        return math.inf
    return min(1.0, (effortless - failed) / (compiled - failed))


def _ranks(values: Sequence[float]) -> list[float]:
    rounded = [round(value, 9) for value in values]
    places = sorted(range(len(rounded)), key=rounded.__getitem__)
    ranks = [0.0] * len(rounded)
    start = 0
    while start < len(places):
        end = start
        while end < len(places) and rounded[places[end]] == rounded[places[start]]:
            end += 1
        for place in places[start:end]:
            ranks[place] = (start + 1 + end) / 2
        start = end
    return ranks
