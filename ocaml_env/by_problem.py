"""The order in which several threads judge candidates of several problems."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator

__all__ = ["ByProblem"]


class ByProblem(Iterator[int]):
    """Places of candidates, each once. A thread gets those of one problem one after another, so that its worker
    compiles the problem's tests once; where every problem has a thread, it helps with the one of which most is left.

    One thread at a time may ask for the next.

    Args:
        problems: the problem of each place.
    """

    def __init__(self, problems: Iterable[str]) -> None:
        self._left: dict[str, deque[int]] = {}
        self._at: dict[int, str] = {}
        for place, problem in enumerate(problems):
            self._left.setdefault(problem, deque()).append(place)

    def __next__(self) -> int:
        return self.take(threading.get_ident())

    def take(self, thread: int) -> int:
        """The next place for a thread.

        Raises:
            StopIteration: where there is none.
        """
        if not self._left:
            raise StopIteration
        problem = self._at.get(thread)
        if problem is None or problem not in self._left:
            problem = self._at[thread] = self._another()
        places = self._left[problem]
        place = places.popleft()
        if not places:
            del self._left[problem]
        return place

    def _another(self) -> str:
        taken = self._at.values()
        free = (problem for problem in self._left if problem not in taken)
        return next(free, None) or max(self._left, key=lambda problem: len(self._left[problem]))
