"""The figures of a study, each a function of rewards alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Order", "auc", "break_even", "distinct", "order", "spearman", "tied_share"]

_EPSILON = 1e-9
"""Rewards that differ by less are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Shares of pairs, from 0 to 1; together 1.

    Attributes:
        right: the better answer is paid more.
        tied: both are paid the same.
        reversed: the worse answer is paid more.
    """

    right: float
    tied: float
    reversed: float


def order(pairs: Iterable[tuple[float, float]]) -> Order | None:
    """How pairs of (reward of the better answer, reward of the worse one) are ordered; None where there is no pair."""
    gaps = [better - worse for better, worse in pairs]
    if not gaps:
        return None
    right = sum(gap > _EPSILON for gap in gaps) / len(gaps)
    wrong = sum(gap < -_EPSILON for gap in gaps) / len(gaps)
    return Order(right=right, tied=max(0.0, 1.0 - right - wrong), reversed=wrong)


def auc(pairs: Iterable[tuple[float, float]]) -> float | None:
    """The chance that the better answer of a pair is paid more, a tie counting half; None where there is no pair.

    Over all pairs of two samples this is the area under the ROC curve (Hanley and McNeil, 1982).
    """
    found = order(pairs)
    return None if found is None else found.right + found.tied / 2


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Spearman's rank correlation: Pearson's of the ranks, equal values sharing their mean rank.

    None where one side is constant, for then there is no order to agree with.
    """
    first, second = _ranks(xs), _ranks(ys)
    middle = (len(first) + 1) / 2
    across = math.fsum((a - middle) * (b - middle) for a, b in zip(first, second, strict=True))
    spread = math.fsum((a - middle) ** 2 for a in first) * math.fsum((b - middle) ** 2 for b in second)
    return across / math.sqrt(spread) if spread else None


def tied_share(groups: Iterable[Sequence[float]]) -> float:
    """The share of groups whose rewards are all equal: a group-relative advantage is 0 for each of its samples."""
    tied = [max(group) - min(group) <= _EPSILON for group in groups]
    return sum(tied) / len(tied)


def distinct(rewards: Iterable[float]) -> int:
    """How many different rewards there are."""
    return len({round(reward, 9) for reward in rewards})


def break_even(*, compiled: float, failed: float, effortless: float) -> float:
    """The compile rate from which trying pays at least as well as not trying, from 0 to 1; infinity where none does.

    A try that compiles at rate c is worth ``c * compiled + (1 - c) * failed``.

    Args:
        compiled: mean reward of a try that compiles.
        failed: mean reward of one that does not.
        effortless: what is paid without trying.
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
