"""Orders the candidates of several problems for several threads."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

__all__ = ["ByProblem"]

T = TypeVar("T")


class ByProblem(Generic[T]):
    """A queue of candidates, grouped by problem.

    Each thread gets the candidates of one problem in a row, so that its worker compiles the problem's tests once. When
    every problem has a thread, a free thread helps with the problem that has most candidates left.

    Only one thread at a time may use it.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[T]] = {}
        self._at: dict[int, str] = {}
        self._count = 0

    def put(self, problem: str, candidate: T) -> None:
        """Adds a candidate to the end of its problem's queue."""
        self._waiting.setdefault(problem, deque()).append(candidate)
        self._count += 1

    def take(self, thread: int) -> T:
        """Takes the next candidate for a thread.

        Raises:
            IndexError: if no candidate waits.
        """
        if not self._waiting:
            raise IndexError("no candidate waits")
        problem = self._at.get(thread)
        if problem is None or problem not in self._waiting:
            problem = self._at[thread] = self._another()
        these = self._waiting[problem]
        candidate = these.popleft()
        self._count -= 1
        if not these:
            del self._waiting[problem]
        return candidate

    def __len__(self) -> int:
        return self._count

    def _another(self) -> str:
        taken = self._at.values()
        free = (problem for problem in self._waiting if problem not in taken)
        return next(free, None) or max(self._waiting, key=lambda problem: len(self._waiting[problem]))
