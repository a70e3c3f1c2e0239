"""Endless sources of problems: generators, and faults planted in any problems.

The problem at a number of a cell depends only on the source, the run's seed and that number. So a resumed run draws the
same problems.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property
from typing import Protocol

from agents.curriculum import Cell, cell_of
from ocaml_env.problem import Problem
from ocaml_env.problems.drawer import Drawer
from ocaml_env.problems.generators import Request, parse_source
from ocaml_env.problems.repair import Request as RepairRequest
from ocaml_env.problems.repair import authoring, draw_repair
from ocaml_env.problems.repair import parse_source as parse_repair
from ocaml_env.problems.sources import read_sets
from ocaml_env.verifiers.base import AnyVerifier, AuthoringVerifier

__all__ = ["Endless", "endless_sources"]

_SEEDS = 1_000_000
"""Seeds of runs begin here; the ``seed=`` of a source is below."""


class Endless(Protocol):
    """Gives problems by cell and number. Only one thread at a time may call it."""

    @property
    def cells(self) -> Sequence[Cell]: ...

    def at(self, cell: Cell, number: int) -> Problem | None:
        """Draws the problem at a number, from 0. None if the draw failed.

        Raises:
            EngineError: an infrastructure error.
        """

    def close(self) -> None: ...


def endless_sources(text: str, *, seed: int, verifier: AnyVerifier) -> list[Endless]:
    """Opens the endless sources in ``problems`` of a configuration: ``generated:...`` and ``repair:...``.

    Args:
        text: sources with ``+`` between them.
        seed: the seed of the run. Other seeds draw other problems.
        verifier: checks that planted faults fail.

    Raises:
        ConfigError: if a source cannot be read.
    """
    found: list[Endless] = []
    drawer = Drawer()
    for source in map(str.strip, text.split("+")):
        if source.startswith("generated:"):
            found.append(_Generated(parse_source(source), seed, drawer))
        elif source.startswith("repair:"):
            found.append(_Repaired(parse_repair(source), seed, drawer, verifier))
    return found


class _Generated:
    """Draws problems of generators."""

    def __init__(self, request: Request, seed: int, drawer: Drawer) -> None:
        self.cells = tuple(Cell(family.name, str(level)) for family, level in request.places if family.split == "train")
        self._seed = _new_seed(request.seed, seed)
        self._drawer = drawer

    def at(self, cell: Cell, number: int) -> Problem | None:
        return self._drawer.draw(cell.name, int(cell.level), self._seed, number)

    def close(self) -> None:
        self._drawer.close()


class _Repaired:
    """Plants faults in the problems of another source. Each pass over them plants new faults."""

    def __init__(self, request: RepairRequest, seed: int, drawer: Drawer, verifier: AnyVerifier) -> None:
        self._request = request
        self._seed = _new_seed(request.seed, seed)
        self._verifier = verifier
        self._open = ExitStack()
        self._generated: _Generated | None = None
        self._finite: dict[Cell, list[Problem]] = {}
        if request.source.startswith("generated:"):
            self._generated = _Generated(parse_source(request.source), seed, drawer)
        else:
            for problem in read_sets(request.source):
                if problem.reference.strip():
                    self._finite.setdefault(cell_of(problem), []).append(problem)

    @property
    def cells(self) -> Sequence[Cell]:
        inner = self._generated.cells if self._generated else tuple(self._finite)
        return tuple(Cell(f"repair:{name}", level) for name, level in inner)

    @cached_property
    def _author(self) -> AuthoringVerifier:
        return self._open.enter_context(authoring(self._verifier))

    def at(self, cell: Cell, number: int) -> Problem | None:
        inner = Cell(cell.name.removeprefix("repair:"), cell.level)
        if self._generated:
            problem = self._generated.at(inner, number)
        else:
            problem = self._finite[inner][number % len(self._finite[inner])]
        if problem is None:
            return None
        return draw_repair(
            problem,
            self._request.kinds,
            seed=self._seed + number,
            max_attempt=self._request.max_attempt,
            verifier=self._author,
        )

    def close(self) -> None:
        self._open.close()
        if self._generated:
            self._generated.close()


def _new_seed(source: int, run: int) -> int:
    return source + _SEEDS * (1 + run)
