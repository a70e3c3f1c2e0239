"""The order in which several threads evaluate candidates of several problems."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

__all__ = ["ByProblem"]

T = TypeVar("T")


class ByProblem(Generic[T]):
    """Candidates that wait. A thread gets those of one problem one after another, so that its worker compiles the
    problem's tests once; where every problem has a thread, it helps with the one of which most is left.

    One thread at a time may use it.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[T]] = {}
        self._at: dict[int, str] = {}
        self._count = 0

    def put(self, problem: str, candidate: T) -> None:
        """Adds one at the end of its problem's."""
        self._waiting.setdefault(problem, deque()).append(candidate)
        self._count += 1

    def take(self, thread: int) -> T:
        """The next one for a thread.

        Raises:
            IndexError: if none waits.
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
