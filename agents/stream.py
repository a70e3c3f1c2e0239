"""The problems of a run by cells: those that it names first, then new ones if their source has no end.

A cell is asked for its next problem. Named problems come in an order that the run's seed shuffles. After them a cell of
generated or repair problems goes on with new ones; another cell passes over its problems again, in another order. What
a draw gives depends on the cell, its number and the seed alone, and the numbers are kept in checkpoints.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from agents.curriculum import Cell, cell_of
from agents.endless import Endless
from ocaml_env.problem import Problem

__all__ = ["ProblemStream"]

_PATIENCE = 16
"""Problems in a row that a run may not train on, after which a cell is closed."""


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
            admits: whether the run may train on a further problem.
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
        self._closed: set[Cell] = set()
        # All drawing is done by one thread. It draws ahead, while the model generates.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="draw")
        self._ahead: dict[Cell, tuple[int, Future[Problem | None]]] = {}

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that have problems, sorted."""
        return tuple(cell for cell in self._numbers if cell not in self._closed)

    def next(self, cell: Cell) -> Problem | None:
        """The next problem of a cell; None if there is none that the run may train on: then the cell is closed.

        Raises:
            EngineError: an infrastructure error.
        """
        named, endless = self._named.get(cell, []), self._endless.get(cell)
        for _ in range(_PATIENCE):
            number = self._numbers[cell]
            if endless is None or number < len(named):
                self._numbers[cell] += 1
                return self._again(cell, named, number)
            problem = self._further(cell, number - len(named))
            self._numbers[cell] += 1
            if problem is not None and self._admits(problem):
                self._draw_ahead(cell, number + 1 - len(named))
                return problem
            self.left_out += problem is not None
        self._closed.add(cell)
        return None

    def state(self) -> Mapping[str, Any]:
        """Plain values, for a checkpoint."""
        return {
            "numbers": [[*cell, number] for cell, number in self._numbers.items() if number],
            "closed": sorted(self._closed),
            "left_out": self.left_out,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes what ``state`` gave. Cells that the run no longer has are passed over."""
        for name, level, number in state["numbers"]:
            if Cell(name, level) in self._numbers:
                self._numbers[Cell(name, level)] = number
        self._closed = {Cell(*cell) for cell in state["closed"]}
        self.left_out = state["left_out"]

    def close(self) -> None:
        """Ends the thread, and what the sources have opened."""
        self._thread.shutdown(cancel_futures=True)
        for source in self._sources:
            source.close()

    def _again(self, cell: Cell, named: Sequence[Problem], number: int) -> Problem:
        """The named problem at a number; each pass over them has an order of its own."""
        passed, place = divmod(number, len(named))
        return random.Random(f"{self._seed} {cell} {passed}").sample(named, len(named))[place]

    def _further(self, cell: Cell, number: int) -> Problem | None:
        ahead, future = self._ahead.pop(cell, (None, None))
        if future is None or ahead != number:
            future = self._submit(cell, number)
        return future.result()

    def _draw_ahead(self, cell: Cell, number: int) -> None:
        self._ahead[cell] = (number, self._submit(cell, number))

    def _submit(self, cell: Cell, number: int) -> Future[Problem | None]:
        """Draws in the background. Sources of one cell take turns."""
        turn, source = divmod(number, len(self._endless[cell]))
        return self._thread.submit(self._endless[cell][source].at, cell, turn)
