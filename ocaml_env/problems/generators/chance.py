"""Choices that a text decides, the same ones for ever.

Of ``random.Random`` only ``random()`` is used: Python promises that its sequence stays the same for the same seed, and
promises that of no other method.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

__all__ = ["Chance", "Unfit"]

T = TypeVar("T")

_MARKED = 0.35
_CHARACTERS = "abcdefghijklmnopqrstuvwxyz" * 2 + "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789  .,-!?"


class Unfit(Exception):
    """What was drawn makes no good problem: another one is drawn."""


class Chance:
    """A stream of choices.

    Args:
        seed: what decides them.
    """

    __slots__ = ("_characters", "_marks", "_random")

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random
        self._marks: list[int] = []
        self._characters: list[str] = []

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

    def mark_characters(self, *characters: str) -> None:
        """Remembers characters on which something turns, for ``character`` to come back to."""
        self._characters += [c for c in characters if " " <= c <= "~" and c not in "\\\"'"]

    def character(self) -> str:
        """A letter, digit, space or sign, more often one that was marked."""
        if self._characters and self._random() < _MARKED:
            return self.pick(self._characters)
        return self.pick(_CHARACTERS)

    def ints(self, count: int, low: int, high: int) -> list[int]:
        """That many numbers from ``low`` to ``high``."""
        draw, size = self._random, high - low + 1
        return [low + int(draw() * size) for _ in range(count)]
