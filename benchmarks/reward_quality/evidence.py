"""Does it pay to give up? What a preset pays those who do, beside honest answers that are partly right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

from benchmarks.reward_quality.faults import Faulty
from benchmarks.reward_quality.gather import Gathered
from benchmarks.reward_quality.partial import WAYS, Partial
from benchmarks.reward_quality.strategies import STRATEGIES
from ocaml_env.reward import RewardSpec

__all__ = ["SHARES", "Evidence", "GivingUp", "Honest", "weigh"]

SHARES = ("none", "up to a third", "up to two thirds", "more, not all")
"""Of the functions of a problem that are right."""

Key = TypeVar("Key")

_EPSILON = 1e-9


@dataclass(frozen=True, kw_only=True)
class GivingUp:
    """What strategies earn that ignore the problem, over a whole set.

    Attributes:
        means: mean reward of each strategy, played on every problem.
        best: the strategy that earns most.
        chosen: mean over problems of what the best strategy for each of them earns.
        most: what one earns at most, on any problem.
        above_quarter: share of answers, one for each strategy and problem, that earn more than .25.
    """

    means: Mapping[str, float]
    best: str
    chosen: float
    most: float
    above_quarter: float

    @property
    def mean(self) -> float:
        """Of the strategy that earns most."""
        return self.means[self.best]


@dataclass(frozen=True, kw_only=True)
class Honest:
    """What some honest answers earn.

    Attributes:
        count: of them.
        mean: reward.
        gain: mean difference from what the best strategy of giving up earns on the same problem.
        above: share of those that earn more than that.
    """

    count: int
    mean: float
    gain: float
    above: float


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What one preset pays. Of honest answers there is an entry only if there are some.

    Attributes:
        giving_up: those who ignore the problem.
        partial: answers to problems of several functions, by the share of them that is right, see ``SHARES``.
        ways: those with some functions right, by what the others do, and ``any``.
        apart: likewise, on problems whose functions all have tests of their own.
        inside: right programs with type errors in their own definitions, by the number of errors.
        several: of those, answers to problems of several functions.
        beside: right programs with type errors in added definitions.
    """

    giving_up: GivingUp
    partial: Mapping[str, Honest]
    ways: Mapping[str, Honest]
    apart: Mapping[str, Honest]
    inside: Mapping[int, Honest]
    several: Mapping[int, Honest]
    beside: Mapping[int, Honest]


def weigh(gathered: Gathered, spec: RewardSpec) -> Evidence:
    """What a preset pays for all of them."""
    table = {
        name: {strategy: answer.total(spec) for strategy, answer in played.items()}
        for name, played in gathered.strategies.items()
    }
    best = {name: max(paid.values()) for name, paid in table.items()}

    def pay(one: Partial | Faulty) -> tuple[float, float]:
        return one.answer.total(spec), best[one.answer.problem.id]

    partly = [one for one in gathered.partial if one.right]
    ways = (*WAYS, "any")
    errors = sorted({one.errors for one in gathered.faulty})
    inside = [one for one in gathered.faulty if one.inside]
    return Evidence(
        giving_up=_giving_up(table),
        partial=_each(SHARES, lambda share: [pay(one) for one in gathered.partial if _bucket(one) == share]),
        ways=_each(ways, lambda way: [pay(one) for one in partly if way in (one.way, "any")]),
        apart=_each(ways, lambda way: [pay(one) for one in partly if way in (one.way, "any") and one.apart]),
        inside=_each(errors, lambda count: [pay(one) for one in inside if one.errors == count]),
        several=_each(errors, lambda count: [pay(one) for one in inside if one.errors == count and one.functions > 1]),
        beside=_each(
            errors, lambda count: [pay(one) for one in gathered.faulty if one.errors == count and not one.inside]
        ),
    )


def _giving_up(table: Mapping[str, Mapping[str, float]]) -> GivingUp:
    means = {strategy: fmean(paid[strategy] for paid in table.values()) for strategy in STRATEGIES}
    every = [reward for paid in table.values() for reward in paid.values()]
    return GivingUp(
        means=means,
        best=max(means, key=lambda strategy: round(means[strategy], 9)),
        chosen=fmean(max(paid.values()) for paid in table.values()),
        most=max(every),
        above_quarter=sum(reward > 0.25 + _EPSILON for reward in every) / len(every),
    )


def _bucket(one: Partial) -> str:
    return SHARES[0 if not one.right else 1 if 3 * one.right <= one.of else 2 if 3 * one.right <= 2 * one.of else 3]


def _each(keys: Iterable[Key], paid: Callable[[Key], Sequence[tuple[float, float]]]) -> dict[Key, Honest]:
    return {key: honest for key in keys if (honest := _honest(paid(key))) is not None}


def _honest(paid: Sequence[tuple[float, float]]) -> Honest | None:
    """Of pairs of a reward, and the most that giving up earns on the same problem."""
    if not paid:
        return None
    gains = [reward - given_up for reward, given_up in paid]
    return Honest(
        count=len(paid),
        mean=fmean(reward for reward, _ in paid),
        gain=fmean(gains),
        above=sum(gain > _EPSILON for gain in gains) / len(gains),
    )
