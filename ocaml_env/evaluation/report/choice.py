"""Which samples the page shows: those a reader wants first, as many as there is room for.

The choice depends on the samples alone, not on the order in which they came. Failures come before passes, the outcomes
of a problem take turns, and so do the problems, in an order that favours none.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable

from ocaml_env.evaluation.report.aggregates import Key

__all__ = ["Shelf", "in_order"]


def in_order(keys: Iterable[Key], first: Collection[tuple[str, int]] = ()) -> list[tuple[str, int]]:
    """All samples, as (problem id, number): those named ``first``, then by rounds over the problems.

    A round takes one failure of each problem, and of its outcomes each before any comes again. One pass of each problem
    comes after the first round; the others come last.
    """
    by_problem: dict[str, list[Key]] = defaultdict(list)
    for key in keys:
        by_problem[key.problem].append(key)
    ranked = []
    for name, ones in by_problem.items():
        place = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
        passes, failures = 0, []
        seen: Counter[str] = Counter()
        for one in sorted(ones, key=lambda one: one.sample):
            if one.passed:
                ranked.append(((passes > 0, 1 if passes == 0 else passes, place), one))
                passes += 1
            else:
                failures.append((seen[one.outcome], one.sample, one))
                seen[one.outcome] += 1
        ranked += [((False, 2 * turn, place), one) for turn, (_, _, one) in enumerate(sorted(failures, key=_turn))]
    ranked.sort(key=lambda pair: pair[0])
    there = [(one.problem, one.sample) for _, one in ranked]
    wanted = set(first) & set(there)
    return sorted(wanted) + [key for key in there if key not in wanted]


def _turn(failure: tuple[int, int, Key]) -> tuple[int, int]:
    return failure[:2]


class Shelf:
    """Keeps the texts of the lowest ranks, as many as fit, in whatever order they are put there.

    Nothing is kept that ranks behind one that did not fit, so that what is kept depends on the texts alone.

    Args:
        room: bytes of all texts together.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._heap: list[tuple[int, bytes]] = []
        self._end: int | None = None

    def put(self, rank: int, text: bytes) -> None:
        """Takes a text, and lets go of those of the highest ranks where there is no room left."""
        if self._end is not None and rank > self._end:
            return
        heapq.heappush(self._heap, (-rank, text))
        self._room -= len(text)
        while self._room < 0 and self._heap:
            worst, dropped = heapq.heappop(self._heap)
            self._room += len(dropped)
            self._end = -worst

    @property
    def room(self) -> int:
        """Bytes that are left."""
        return self._room

    def by_rank(self) -> list[tuple[int, bytes]]:
        """(rank, text), by rank."""
        return sorted((-negative, text) for negative, text in self._heap)
