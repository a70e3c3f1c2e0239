"""Answers that wait for a judge, between the thread that asks and those that judge."""

from __future__ import annotations

import threading
from collections import deque

from benchmarks.models import Answer
from benchmarks.playing import Playing

__all__ = ["Waiting"]

_LOT = 8  # answers that a judge takes together at most
_SHARES = 4  # for each judge, of the answers that wait: where few do, no judge has them all


class Waiting:
    """Answers, in lots of one problem. A judge goes on with the problem that it was at, whose tests its worker has
    compiled, and then with one that no other judge is at.

    Args:
        judges: how many there are, numbered from 0.
    """

    def __init__(self, judges: int) -> None:
        self._at: list[str | None] = [None] * judges
        self._by_problem: dict[str, deque[tuple[Playing, Answer]]] = {}
        self._count = 0
        self._lot = _LOT
        self._ended = False
        self._changed = threading.Condition()

    def put(self, one: Playing, answer: Answer) -> None:
        """Adds an answer to an episode."""
        with self._changed:
            self._by_problem.setdefault(one.asked.problem.id, deque()).append((one, answer))
            self._count += 1
            self._changed.notify()

    def take(self, judge: int) -> list[tuple[Playing, Answer]]:
        """The next lot of a judge; waits for the first answer. Empty at the end."""
        with self._changed:
            while not self._count and not self._ended:
                self._changed.wait()
            if self._ended:
                return []
            problem = self._next(self._at[judge])
            self._at[judge] = problem
            these = self._by_problem[problem]
            most = min(self._lot, 1 + (self._count - 1) // (_SHARES * len(self._at)))
            lot = [these.popleft() for _ in range(min(most, len(these)))]
            self._count -= len(lot)
            if not these:
                del self._by_problem[problem]
            return lot

    def _next(self, last: str | None) -> str:
        if last in self._by_problem:
            return last
        return next((problem for problem in self._by_problem if problem not in self._at), next(iter(self._by_problem)))

    def is_empty(self) -> bool:
        return self._count == 0

    def nearly_end(self) -> None:
        """Gives one answer at a time, so that all judges end together: some take seconds."""
        self._lot = 1

    def end(self) -> None:
        """Gives nothing more, to those that wait either."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
