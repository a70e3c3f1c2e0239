"""Which problems a run asks: all in turn, or those that are neither always nor never solved.

GRPO learns from the differences within a group. A problem that every attempt solves, or none, has none: after enough
attempts it rests for some generations, and is then tried again, because a policy that learns changes what is hard.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from torch.utils.data import Sampler

__all__ = ["ByEpoch", "SolveRateSampler", "SolveRates"]


@dataclass
class SolveRates:
    """How often each problem was solved lately, and until when it rests.

    Attributes:
        attempts: attempts that are looked back at, after which a problem may have to rest.
        rest: generations that it rests for.
        generation: generations seen so far.
        resting: problem -> the generation at which it may be asked again.
        latest: problem -> its latest attempts, True for solved.
    """

    attempts: int
    rest: int
    generation: int = 0
    resting: dict[str, int] = field(default_factory=dict)
    latest: dict[str, deque[bool]] = field(default_factory=dict)

    def observe(self, results: list[tuple[str, bool]]) -> None:
        """Takes the results of one generation."""
        self.generation += 1
        for problem_id, passed in results:
            self.latest.setdefault(problem_id, deque(maxlen=self.attempts)).append(passed)
        for problem_id in {problem_id for problem_id, _ in results}:
            seen = self.latest[problem_id]
            if len(seen) == self.attempts and len(set(seen)) == 1:
                self.resting[problem_id] = self.generation + self.rest
                seen.clear()

    def may_be_asked(self, problem_id: str) -> bool:
        return self.resting.get(problem_id, 0) <= self.generation

    def state(self) -> dict[str, Any]:
        """Plain values, for a checkpoint."""
        latest = {name: list(seen) for name, seen in self.latest.items()}
        return {"generation": self.generation, "resting": self.resting, "latest": latest}

    def restore(self, state: dict[str, Any]) -> None:
        """Takes what ``state`` gave."""
        self.generation = state["generation"]
        self.resting = dict(state["resting"])
        self.latest = {name: deque(seen, maxlen=self.attempts) for name, seen in state["latest"].items()}


class SolveRateSampler(Sampler[int]):  # type: ignore[misc]  # torch is untyped here
    """Indices of problems, each repeated for its group and for each time that a generation is trained on.

    Problems are gone through in a shuffled order, without those that rest; a new order begins when it is used up. When
    all rest, those that have rested longest are asked. What was chosen is kept, so that a run that is resumed is given
    the same problems again up to its checkpoint and goes on from there.

    Attributes:
        chosen: the problems of each generation so far, over all epochs.
        order: what is left of the shuffled order.
    """

    def __init__(
        self,
        problem_ids: list[str],
        rates: SolveRates,
        *,
        group: int,
        groups: int,
        repeats: int,
        seed: int,
    ) -> None:
        """Groups of ``group`` completions, ``groups`` of them a generation, each generation ``repeats`` times."""
        self.problem_ids = problem_ids
        self.rates = rates
        self.group = group
        self.groups = groups
        self.repeats = repeats
        self.seed = seed
        self.chosen: list[list[int]] = []
        self.order: list[int] = []
        self._epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """The data loader tells which epoch begins."""
        self._epoch = epoch

    def state(self) -> dict[str, Any]:
        """Plain values, for a checkpoint."""
        return {
            "problem_ids": self.problem_ids,
            "groups": self.groups,
            "chosen": self.chosen,
            "order": self.order,
            "rates": self.rates.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Takes what ``state`` gave; of a run on other problems, or with another number of groups, the rates alone."""
        self.rates.restore(state["rates"])
        if (state["problem_ids"], state["groups"]) != (self.problem_ids, self.groups):
            return
        self.chosen = [list(indices) for indices in state["chosen"]]
        self.order = list(state["order"])

    def __len__(self) -> int:
        """As many as one pass over all problems gives: the length of an epoch does not depend on who rests."""
        return len(self.problem_ids) // self.groups * self.groups * self.group * self.repeats

    def __iter__(self) -> Iterator[int]:
        generations = len(self.problem_ids) // self.groups
        for generation in range(self._epoch * generations, (self._epoch + 1) * generations):
            while generation >= len(self.chosen):
                self.chosen.append(self._choose())
            for _ in range(self.repeats):
                for index in self.chosen[generation]:
                    yield from [index] * self.group

    def _choose(self) -> list[int]:
        """The problems of the next generation: from the front of the order, which is filled up when it is used up."""
        picked: list[int] = []
        everything = range(len(self.problem_ids))
        for _ in range(2):
            while self.order and len(picked) < self.groups:
                index = self.order.pop(0)
                if index not in picked and self.rates.may_be_asked(self.problem_ids[index]):
                    picked.append(index)
            if len(picked) == self.groups:
                return picked
            self.order = random.Random(f"{self.seed} {len(self.chosen)}").sample(everything, len(everything))
        rested = sorted(
            (index for index in everything if index not in picked),
            key=lambda index: (self.rates.resting.get(self.problem_ids[index], 0), index),
        )
        return picked + rested[: self.groups - len(picked)]


class ByEpoch(Sampler[int]):  # type: ignore[misc]  # torch is untyped here
    """TRL's order of problems, but drawn by the number of the epoch. TRL draws one order after the other, so that a run
    that is resumed in its second epoch would be given the first one's order again.
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def set_epoch(self, epoch: int) -> None:
        """The data loader tells which epoch begins."""
        if self._inner.shuffle:
            self._inner.generator.manual_seed(self._inner.seed + epoch)

    def __len__(self) -> int:
        return len(self._inner)

    def __iter__(self) -> Iterator[int]:
        return iter(self._inner)
