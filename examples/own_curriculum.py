"""A curriculum of your own: one level after another, each until the model solves 70% of it.

A run takes it by name:

    python -m agents.grpo --config tiny --curriculum examples.own_curriculum:Staircase
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from agents.curriculum import Attempt, Cell


class Staircase:
    """Asks all families of the lowest level that is not solved yet."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._draws = 0
        self._latest: dict[str, deque[bool]] = {}

    def choose(self, cells: Sequence[Cell]) -> Cell:
        """The cell of the next group of completions."""
        levels = sorted({cell.level for cell in cells})
        level = next((level for level in levels if not self._is_solved(level)), levels[-1])
        self._draws += 1
        return random.Random(f"{self._seed} {self._draws}").choice([cell for cell in cells if cell.level == level])

    def observe(self, attempts: Sequence[Attempt]) -> None:
        """Takes the attempts of a generation."""
        for attempt in attempts:
            self._latest.setdefault(attempt.cell.level, deque(maxlen=32)).append(attempt.passed)

    def state(self) -> Mapping[str, Any]:
        """What a checkpoint keeps: plain values of JSON."""
        return {"draws": self._draws, "latest": {level: list(seen) for level, seen in self._latest.items()}}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a checkpoint."""
        self._draws = state["draws"]
        self._latest = {level: deque(seen, maxlen=32) for level, seen in state["latest"].items()}

    def _is_solved(self, level: str) -> bool:
        seen = self._latest.get(level, ())
        return len(seen) == 32 and sum(seen) >= 0.7 * 32


def main() -> None:
    cells = [Cell(family, level) for family in ("lists.numbers", "trees.paths") for level in "123"]
    curriculum = Staircase(seed=0)
    for step in range(12):
        cell = curriculum.choose(cells)
        passed = 8 - 2 * int(cell.level)  # of eight, by a model that finds each level harder
        print(f"step {step}: {cell.name} at level {cell.level}, {passed} of 8 pass")
        curriculum.observe([Attempt("a problem", cell, number < passed) for number in range(8)])


if __name__ == "__main__":
    main()
