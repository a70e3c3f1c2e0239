"""Random choices determined by a text, the same for ever.

Only ``random()`` of ``random.Random`` is used: Python promises the same sequence for the same seed for no other method.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

__all__ = ["Chance", "Unfit"]

T = TypeVar("T")

_MARKED = 0.35
_NEAR = 0.08  # the share of numbers that equal the one before, or are next to it
_CHARACTERS = "abcdefghijklmnopqrstuvwxyz" * 2 + "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789  .,-!?"


class Unfit(Exception):
    """The drawn parts make no good problem; draw again."""


class Chance:
    """A stream of choices.

    Args:
        seed: a text that determines them.
    """

    __slots__ = ("_characters", "_last", "_marks", "_random")

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random
        self._marks: list[int] = []
        self._characters: list[str] = []
        self._last = 0

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
        """``count`` of the items in random order; no position is taken twice."""
        left = list(items)
        return [left.pop(int(self._random() * len(left))) for _ in range(count)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return self.sample(items, len(items))

    def mark(self, *values: int) -> None:
        """Remembers critical values, such as thresholds of a drawn question. ``number`` prefers them."""
        self._marks += values

    def number(self, low: int, high: int) -> int:
        """A number from ``low`` to ``high``. Once values are marked, it is often one that distinguishes answers.

        These are the marked values, and those that differ from the number before by 1 at most.
        """
        self._last = self._telling(low, high)
        return self._last

    def _telling(self, low: int, high: int) -> int:
        if self._marks:
            kind = self._random()
            value = self.pick(self._marks) if kind < _MARKED else self._last + self.below(3) - 1
            if kind < _MARKED + _NEAR and low <= value <= high:
                return value
        return self.between(low, high)

    def numbers(self, count: int, low: int, high: int) -> list[int]:
        """``count`` results of ``number``."""
        return [self.number(low, high) for _ in range(count)]

    def mark_characters(self, *characters: str) -> None:
        """Remembers critical characters. ``character`` prefers them.

        Letters come back in the other case too, half as often.
        """
        marked = [c for c in characters if " " <= c <= "~" and c not in "\\\"'"]
        self._characters += [*marked, *marked, *(c.swapcase() for c in marked if c.isalpha())]

    def character(self) -> str:
        """A letter, digit, space or sign, with a preference for marked ones."""
        if self._characters and self._random() < _MARKED:
            return self.pick(self._characters)
        return self.pick(_CHARACTERS)

    def ints(self, count: int, low: int, high: int) -> list[int]:
        """``count`` numbers from ``low`` to ``high``."""
        draw, size = self._random, high - low + 1
        return [low + int(draw() * size) for _ in range(count)]
