"""Selects samples for the page: the most useful to a reader first, as many as fit.

The selection depends on the samples alone, not on their order in the file. Failures come before passes. The outcomes of
a problem take turns, and so do the problems, in the order of their hashes, to favour none.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable

from ocaml_env.evaluation.report.aggregates import Key

__all__ = ["Shelf", "in_order"]


def in_order(keys: Iterable[Key], first: Collection[tuple[str, int]] = ()) -> list[tuple[str, int]]:
    """Ranks all samples, as (problem id, number): those in ``first``, then by rounds over the problems.

    A round takes one failure of each problem; each of its outcomes comes before any repeats. One pass of each problem
    comes after the first round; the other passes come last.
    """
    by_problem: dict[str, list[Key]] = defaultdict(list)
    for key in keys:
        by_problem[key.problem].append(key)
    ranked = []
    for name, samples in by_problem.items():
        place = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
        passes, failures = 0, []
        seen: Counter[str] = Counter()
        for key in sorted(samples, key=lambda key: key.sample):
            if key.passed:
                ranked.append(((passes > 0, 1 if passes == 0 else passes, place), key))
                passes += 1
            else:
                failures.append((seen[key.outcome], key.sample, key))
                seen[key.outcome] += 1
        ranked += [((False, 2 * turn, place), key) for turn, (_, _, key) in enumerate(sorted(failures, key=_turn))]
    ranked.sort(key=lambda pair: pair[0])
    there = [(one.problem, one.sample) for _, one in ranked]
    wanted = set(first) & set(there)
    return sorted(wanted) + [key for key in there if key not in wanted]


def _turn(failure: tuple[int, int, Key]) -> tuple[int, int]:
    return failure[:2]


class Shelf:
    """Keeps the texts of the lowest ranks, as many as fit, in any order of arrival.

    Keeps no text behind one that did not fit, so that the result depends on the texts alone.

    Args:
        room: bytes for all texts together.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._heap: list[tuple[int, bytes]] = []
        self._end: int | None = None

    def put(self, rank: int, text: bytes) -> None:
        """Adds a text, and drops those of the highest ranks if there is no room left."""
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
        """Free bytes."""
        return self._room

    def by_rank(self) -> list[tuple[int, bytes]]:
        """Returns (rank, text) pairs, by rank."""
        return sorted((-negative, text) for negative, text in self._heap)
