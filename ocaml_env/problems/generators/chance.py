"""Choices that a text decides, the same ones for ever.

Of ``random.Random`` only ``random()`` is used: Python promises that its sequence stays the same for the same seed, and
promises that of no other method.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

__all__ = ["Chance", "Unfit"]

T = TypeVar("T")

_MARKED = 0.35


class Unfit(Exception):
    """What was drawn makes no good problem: another one is drawn."""


class Chance:
    """A stream of choices.

    Args:
        seed: what decides them.
    """

    __slots__ = ("_asked", "_marks", "_random", "seen")

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random
        self._marks: list[int] = []
        self._asked = 0
        self.seen: set[int] = set()

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit - 1``."""
        return int(self._random() * limit)

    def between(self, low: int, high: int) -> int:
        """A number from ``low`` to ``high``, both included."""
        return low + int(self._random() * (high - low + 1))

    def happens(self, share: float) -> bool:
        """True in that share of all cases."""
        return self._random() < share

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[int(self._random() * len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """That many of the items, no position twice, in random order."""
        left = list(items)
        return [left.pop(int(self._random() * len(left))) for _ in range(count)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return self.sample(items, len(items))

    def mark(self, *values: int) -> None:
        """Remembers values on which something that was drawn turns, for ``number`` to come back to."""
        self._marks += values

    def question(self) -> Callable[[bool], bool]:
        """Of a question that a problem turns on: it is told each answer, and gives it back.

        ``seen`` holds ``n`` where the answer to the ``n``th question was yes, and ``~n`` where it was no. Tests are
        chosen so that, if that can be, both occur.
        """
        self._asked += 1
        yes, no, seen = self._asked, ~self._asked, self.seen.add

        def told(answer: bool) -> bool:
            seen(yes if answer else no)
            return answer

        return told

    def number(self, low: int, high: int) -> int:
        """A number from ``low`` to ``high``, more often one that was marked: an input that tells answers apart."""
        if self._marks and self._random() < _MARKED:
            value = self._marks[int(self._random() * len(self._marks))]
            if low <= value <= high:
                return value
        return low + int(self._random() * (high - low + 1))

    def numbers(self, count: int, low: int, high: int) -> list[int]:
        """That many such numbers."""
        return [self.number(low, high) for _ in range(count)]

    def ints(self, count: int, low: int, high: int) -> list[int]:
        """That many numbers from ``low`` to ``high``."""
        draw, size = self._random, high - low + 1
        return [low + int(draw() * size) for _ in range(count)]
