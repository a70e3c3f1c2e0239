"""Computes the rewards of giving up, and of partly right honest answers, under a preset."""

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
"""Ranges of the share of right functions in an answer."""

Key = TypeVar("Key")

_EPSILON = 1e-9


@dataclass(frozen=True, kw_only=True)
class GivingUp:
    """Rewards of strategies that ignore the problem, over a whole set.

    Attributes:
        means: mean reward of each strategy, played on every problem.
        best: the strategy with the highest mean.
        chosen: mean over problems of the highest reward of a strategy.
        most: the highest reward of any strategy on any problem.
        above_quarter: share of rewards above .25, over all strategies and problems.
    """

    means: Mapping[str, float]
    best: str
    chosen: float
    most: float
    above_quarter: float

    @property
    def mean(self) -> float:
        """The mean reward of the best strategy."""
        return self.means[self.best]


@dataclass(frozen=True, kw_only=True)
class Honest:
    """Rewards of honest answers of one kind.

    Attributes:
        count: number of answers.
        mean: mean reward.
        gain: mean difference from the best strategy of giving up on the same problem.
        above: share of answers paid more than that strategy.
    """

    count: int
    mean: float
    gain: float
    above: float


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The rewards of one preset. A kind of honest answers has an entry only if there are such answers.

    Attributes:
        giving_up: strategies that ignore the problem.
        partial: answers to problems of several functions, by the share of right functions, see ``SHARES``.
        ways: answers with some right functions, by the state of the others (``WAYS``), and all of them as ``any``.
        apart: likewise, on problems with separate tests for each function.
        inside: right programs with type errors in their own definitions, by the number of errors.
        several: the answers of ``inside`` to problems of several functions.
        beside: right programs with type errors in added definitions, by the number of errors.
    """

    giving_up: GivingUp
    partial: Mapping[str, Honest]
    ways: Mapping[str, Honest]
    apart: Mapping[str, Honest]
    inside: Mapping[int, Honest]
    several: Mapping[int, Honest]
    beside: Mapping[int, Honest]


def weigh(gathered: Gathered, spec: RewardSpec) -> Evidence:
    """Computes the rewards of a preset for all gathered answers."""
    table = {
        name: {strategy: answer.total(spec) for strategy, answer in played.items()}
        for name, played in gathered.strategies.items()
    }
    best = {name: max(paid.values()) for name, paid in table.items()}

    def pay(honest: Partial | Faulty) -> tuple[float, float]:
        return honest.answer.total(spec), best[honest.answer.problem.id]

    partly = [partial for partial in gathered.partial if partial.right]
    ways = (*WAYS, "any")
    errors = sorted({faulty.errors for faulty in gathered.faulty})
    inside = [faulty for faulty in gathered.faulty if faulty.inside]
    return Evidence(
        giving_up=_giving_up(table),
        partial=_each(
            SHARES, lambda share: [pay(partial) for partial in gathered.partial if _bucket(partial) == share]
        ),
        ways=_each(ways, lambda way: [pay(partial) for partial in partly if way in (partial.way, "any")]),
        apart=_each(
            ways, lambda way: [pay(partial) for partial in partly if way in (partial.way, "any") and partial.apart]
        ),
        inside=_each(errors, lambda count: [pay(faulty) for faulty in inside if faulty.errors == count]),
        several=_each(
            errors, lambda count: [pay(faulty) for faulty in inside if faulty.errors == count and faulty.functions > 1]
        ),
        beside=_each(
            errors,
            lambda count: [pay(faulty) for faulty in gathered.faulty if faulty.errors == count and not faulty.inside],
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


def _bucket(partial: Partial) -> str:
    return SHARES[
        0
        if not partial.right
        else 1
        if 3 * partial.right <= partial.of
        else 2
        if 3 * partial.right <= 2 * partial.of
        else 3
    ]


def _each(keys: Iterable[Key], paid: Callable[[Key], Sequence[tuple[float, float]]]) -> dict[Key, Honest]:
    return {key: honest for key in keys if (honest := _honest(paid(key))) is not None}


def _honest(paid: Sequence[tuple[float, float]]) -> Honest | None:
    """Summarises pairs (reward, highest reward of giving up on the same problem); None without pairs."""
    if not paid:
        return None
    gains = [reward - given_up for reward, given_up in paid]
    return Honest(
        count=len(paid),
        mean=fmean(reward for reward, _ in paid),
        gain=fmean(gains),
        above=sum(gain > _EPSILON for gain in gains) / len(gains),
    )
