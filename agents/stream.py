"""The problems of a run by cells: first the named problems, then new ones if their source has no end.

Named problems of a cell come in an order shuffled by the run's seed. After them a cell of generated or repair problems
goes on with new ones. Any other cell rests until all such cells of its level have given their problems, and then begins
again in another order. Otherwise a curriculum that likes a small cell would ask its few problems again and again. The
result of a draw depends only on the cell, the number of the draw and the seed. Checkpoints keep these numbers.
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
"""After so many inadmissible problems in a row, a cell counts as used up."""

_AHEAD = 8
"""The most problems of a cell found ahead of their request."""


class _Found(NamedTuple):
    """The result of a search for a further problem of a cell.

    Attributes:
        problem: an admissible problem; None if ``_PATIENCE`` places had none.
        number: the number of the next place.
        left_out: the number of inadmissible problems before it.
    """

    problem: Problem | None
    number: int
    left_out: int


class ProblemStream:
    """Gives the next problem of a cell.

    Attributes:
        left_out: the number of drawn but inadmissible problems: too long a prompt or reference, or a problem of the
            evaluation.
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
        """Makes a stream. The caller closes it.

        Args:
            named: admissible problems.
            endless: sources of further problems.
            seed: the seed of the run.
            levels: the levels of further problems; None for all.
            admits: True if the run may train on a further problem. Called from another thread, too.
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
        self._resting: set[Cell] = set()  # finite cells that gave all their problems before others of their level
        # A thread searches ahead while the model generates. ``next`` searches itself if nothing is found yet.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="draw")
        self._searching = threading.Lock()
        self._over = False
        self._found: dict[Cell, deque[_Found]] = {cell: deque() for cell in self._endless}

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells with problems left, sorted; without those that rest."""
        return tuple(
            cell
            for cell in self._numbers
            if cell not in self._resting and (cell in self._named or cell not in self._used_up)
        )

    def next(self, cell: Cell) -> Problem | None:
        """Returns the next problem of a cell. None if no admissible one is left, or the cell must rest first: ``cells``
        then lacks the cell.

        Raises:
            EngineError: an infrastructure error.
        """
        named, number = self._named.get(cell, []), self._numbers[cell]
        if number < len(named) or self._is_finite(cell):
            self._numbers[cell] += 1
            if self._is_finite(cell) and self._numbers[cell] % len(named) == 0:
                self._rest(cell)
            return self._again(cell, named, number)
        with self._searching:
            found = self._found[cell]
            if not found:
                found.append(self._search(cell, number))
            problem, self._numbers[cell], left_out = found.popleft()
        self.left_out += left_out
        if problem is None:
            self._used_up.add(cell)
            if named:
                self._numbers[cell] = len(named)
                self._rest(cell)
                return None if cell in self._resting else self.next(cell)
        return problem

    def search_ahead(self, cells: Iterable[Cell]) -> None:
        """Begins a background search for a further problem of each of these cells, in this order."""
        for cell in cells:
            self._thread.submit(self._search_ahead, cell)

    def state(self) -> Mapping[str, Any]:
        """Plain values, for a checkpoint."""
        return {
            "numbers": [[*cell, number] for cell, number in self._numbers.items() if number],
            "used_up": sorted(self._used_up),
            "resting": sorted(self._resting),
            "left_out": self.left_out,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores the values of ``state``. Ignores numbers of cells that this run lacks."""
        for name, level, number in state["numbers"]:
            if Cell(name, level) in self._numbers:
                self._numbers[Cell(name, level)] = number
        for found in self._found.values():
            found.clear()
        self._used_up = {Cell(*cell) for cell in state["used_up"]}
        self._resting.clear()
        for name, level in state.get("resting", []):  # older states have none
            if Cell(name, level) in self._named:
                self._rest(Cell(name, level))
        self.left_out = state["left_out"]

    def close(self) -> None:
        """Ends the thread, and closes the sources."""
        self._over = True
        self._thread.shutdown(cancel_futures=True)
        for source in self._sources:
            source.close()

    def _is_finite(self, cell: Cell) -> bool:
        return cell not in self._endless or cell in self._used_up

    def _rest(self, cell: Cell) -> None:
        """Lets a finite cell rest, until all others of its level rest, too."""
        self._resting.add(cell)
        alike = {other for other in self._named if other.level == cell.level and self._is_finite(other)}
        if alike <= self._resting:
            self._resting -= alike

    def _again(self, cell: Cell, named: Sequence[Problem], number: int) -> Problem:
        """Returns the named problem at a number. Each pass over the named problems has its own order."""
        passed, place = divmod(number, len(named))
        return random.Random(f"{self._seed} {cell} {passed}").sample(named, len(named))[place]

    def _search_ahead(self, cell: Cell) -> None:
        with self._searching:
            found = self._found.get(cell)
            if found is not None and len(found) < _AHEAD and not (found and found[-1].problem is None):
                found.append(self._search(cell, found[-1].number if found else self._numbers[cell]))

    def _search(self, cell: Cell, number: int) -> _Found:
        """Searches for the first admissible further problem from a number on. Sources of one cell take turns."""
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
