"""The problems of a run by cells: those that it names first, then new ones if their source has no end.

A cell is asked for its next problem. Named problems come in an order that the run's seed shuffles. After them a cell of
generated or repair problems goes on with new ones; another cell passes over its problems again, in another order. What
a draw gives depends on the cell, its number and the seed alone, and the numbers are kept in checkpoints.
"""

from __future__ import annotations

import random
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from agents.curriculum import Cell, cell_of
from agents.endless import Endless
from ocaml_env.problem import Problem

__all__ = ["ProblemStream"]

_PATIENCE = 16
"""Problems in a row that a run may not train on, after which a cell is taken to have no more."""

_AHEAD = 8
"""Problems of a cell that are found before they are asked for, at most."""


class _Found(NamedTuple):
    """What a search for a further problem of a cell came to.

    Attributes:
        problem: that a run may train on; None if there was none in ``_PATIENCE`` places.
        number: of the place after it.
        left_out: problems that were passed over.
    """

    problem: Problem | None
    number: int
    left_out: int


class ProblemStream:
    """Gives the next problem of a cell.

    Attributes:
        left_out: problems that were drawn and that the run may not train on: their prompts are too long, or they belong
            to the evaluation.
    """

    def __init__(
        self,
        named: Sequence[Problem],
        endless: Sequence[Endless] = (),
        *,
        seed: int,
        levels: set[str] | None = None,
        admits: Callable[[Problem], bool] = lambda _: True,
    ) -> None:
        """A stream; who makes one closes it.

        Args:
            named: problems that the run may train on.
            endless: sources of further ones.
            seed: of the run.
            levels: those of further problems; None for all.
            admits: whether the run may train on a further problem; another thread calls it.
        """
        self.left_out = 0
        self._named: dict[Cell, list[Problem]] = {}
        self._endless: dict[Cell, list[Endless]] = {}
        for problem in named:
            self._named.setdefault(cell_of(problem), []).append(problem)
        for source in endless:
            for cell in source.cells:
                if levels is None or cell.level in levels:
                    self._endless.setdefault(cell, []).append(source)
        self._sources = tuple(endless)
        self._seed = seed
        self._admits = admits
        self._numbers = dict.fromkeys(sorted({*self._named, *self._endless}), 0)
        self._used_up: set[Cell] = set()  # cells without further problems
        # A thread searches ahead, while the model generates; whoever needs more than it has found searches, too.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="draw")
        self._searching = threading.Lock()
        self._over = False
        self._found: dict[Cell, deque[_Found]] = {cell: deque() for cell in self._endless}

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that have problems, sorted."""
        return tuple(cell for cell in self._numbers if cell in self._named or cell not in self._used_up)

    def next(self, cell: Cell) -> Problem | None:
        """The next problem of a cell; None if there is none that the run may train on: then the cell is gone.

        Raises:
            EngineError: an infrastructure error.
        """
        named, number = self._named.get(cell, []), self._numbers[cell]
        if number < len(named) or cell not in self._endless or cell in self._used_up:
            self._numbers[cell] += 1
            return self._again(cell, named, number)
        with self._searching:
            found = self._found[cell]
            if not found:
                found.append(self._search(cell, number))
            problem, self._numbers[cell], left_out = found.popleft()
        self.left_out += left_out
        if problem is None:
            self._used_up.add(cell)
            return self.next(cell) if named else None
        return problem

    def search_ahead(self, cells: Iterable[Cell]) -> None:
        """Begins to search in the background for a further problem of each of these cells, in this order."""
        for cell in cells:
            self._thread.submit(self._search_ahead, cell)

    def state(self) -> Mapping[str, Any]:
        """Plain values, for a checkpoint."""
        return {
            "numbers": [[*cell, number] for cell, number in self._numbers.items() if number],
            "used_up": sorted(self._used_up),
            "left_out": self.left_out,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes what ``state`` gave. Cells that the run no longer has are passed over."""
        for name, level, number in state["numbers"]:
            if Cell(name, level) in self._numbers:
                self._numbers[Cell(name, level)] = number
        for found in self._found.values():
            found.clear()
        self._used_up = {Cell(*cell) for cell in state["used_up"]}
        self.left_out = state["left_out"]

    def close(self) -> None:
        """Ends the thread, and what the sources have opened."""
        self._over = True
        self._thread.shutdown(cancel_futures=True)
        for source in self._sources:
            source.close()

    def _again(self, cell: Cell, named: Sequence[Problem], number: int) -> Problem:
        """The named problem at a number; each pass over them has an order of its own."""
        passed, place = divmod(number, len(named))
        return random.Random(f"{self._seed} {cell} {passed}").sample(named, len(named))[place]

    def _search_ahead(self, cell: Cell) -> None:
        with self._searching:
            found = self._found.get(cell)
            if found is not None and len(found) < _AHEAD and not (found and found[-1].problem is None):
                found.append(self._search(cell, found[-1].number if found else self._numbers[cell]))

    def _search(self, cell: Cell, number: int) -> _Found:
        """The first further problem from a number on that the run may train on. Sources of one cell take turns."""
        left_out, sources, named = 0, self._endless[cell], len(self._named.get(cell, []))
        number = max(number, named)
        for place in range(number, number + _PATIENCE):
            if self._over:
                break  # nobody waits for it
            turn, source = divmod(place - named, len(sources))
            problem = sources[source].at(cell, turn)
            if problem is not None and self._admits(problem):
                return _Found(problem, place + 1, left_out)
            left_out += problem is not None
        return _Found(None, number + _PATIENCE, left_out)
