"""Which kind of problem is asked next: the ladder, and the protocol for curricula of your own.

Problems fall into cells: a family or a topic, at a level. A curriculum chooses the cell of each group of completions
and is told which attempts passed. Which problem of the cell it is, ``agents.stream`` decides. The seed's phases of the
reward are another matter: ``ocaml_env.curriculum``.
"""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from ocaml_env.errors import ConfigError, import_attribute
from ocaml_env.problem import Problem

__all__ = ["Attempt", "Cell", "Ladder", "MakeCurriculum", "ProblemCurriculum", "Uniform", "cell_of", "curriculum_maker"]


class Cell(NamedTuple):
    """Problems of one kind and level.

    Attributes:
        name: the family of generated problems, the first topic of others; ``repair:`` before it for repair problems.
        level: ``1`` to ``6``, or the label of the problems' own source.
    """

    name: str
    level: str


class Attempt(NamedTuple):
    """One completion, as curricula see it."""

    problem_id: str
    cell: Cell
    passed: bool


class ProblemCurriculum(Protocol):
    """What ``curriculum: "module:attribute"`` must make when it is called with the run's seed.

    In a run of several processes the main one chooses for all, and every one is told the attempts of all.
    """

    def choose(self, cells: Sequence[Cell]) -> Cell:
        """The cell of the next group, one of ``cells``: those that still have problems, sorted, at least one."""

    def observe(self, attempts: Sequence[Attempt]) -> None:
        """Takes the attempts of a generation, of all processes, also those whose groups are drawn again."""

    def state(self) -> Mapping[str, Any]:
        """Plain values of JSON, for a checkpoint."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes what ``state`` gave, and goes on as if the run had not been interrupted."""


MakeCurriculum: TypeAlias = Callable[[int], ProblemCurriculum]

WINDOW = 64
"""Attempts of a cell that its estimate looks back at: eight groups of eight."""

EASIER, WITHIN, HARDER = (0.8, 1.0), (0.2, 0.8), (0.0, 0.2)
"""Pass rates. At 20% and at 80% a group of eight still has a difference in 83 of 100 cases (1 - 0.8^8)."""

SHARES = {EASIER: 0.1, WITHIN: 0.8, HARDER: 0.1}
"""Of the draws: a tenth looks below, where nothing may be forgotten, a tenth above, where something may have become
possible."""


class Ladder:
    """Asks most often what the policy solves at 20 to 80%, and climbs as it learns.

    The pass rate p of a cell has a Beta(1, 1) prior, so that its posterior after s passes in the last n attempts, at
    most 64, is Beta(1 + s, 1 + n - s), with the mean (1 + s) / (2 + n): the estimate. A cell that nobody tried is
    estimated at 50%, and is soon tried. (Beta-Bernoulli; Russo et al. 2018, "A Tutorial on Thompson Sampling",
    section 3.)

    Four fifths of the draws go to cells whose estimates are from 20 to 80%, a tenth below them on the ladder (easier,
    from 80%) and a tenth above (harder, to 20%). If there is none, the cells nearest to those rates take their place.

    Of these cells two are picked at random, a pass rate is drawn from the posterior of each, as in Thompson sampling
    (Thompson 1933), and the one nearer to 50% is chosen: there the variance of a pass, p (1 - p), is greatest, which is
    what a group of GRPO learns from. Two, and not all: a cell of which half the problems always pass and half never do
    stays at 50% and teaches nothing, and must not take every draw.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._draws = 0
        self._latest: dict[Cell, deque[bool]] = {}

    def estimate(self, cell: Cell) -> float:
        """The mean of the posterior of a cell's pass rate."""
        passes, failures = self._posterior(cell)
        return passes / (passes + failures)

    def choose(self, cells: Sequence[Cell]) -> Cell:
        chance = random.Random(f"{self._seed} {self._draws}")
        self._draws += 1
        low, high = chance.choices(list(SHARES), list(SHARES.values()))[0]
        away = [max(low - estimate, estimate - high, 0.0) for estimate in map(self.estimate, cells)]
        least = min(away)
        nearest = [cell for cell, distance in zip(cells, away, strict=True) if distance == least]
        pair = chance.sample(nearest, min(2, len(nearest)))
        return min(pair, key=lambda cell: abs(chance.betavariate(*self._posterior(cell)) - 0.5))

    def observe(self, attempts: Sequence[Attempt]) -> None:
        for attempt in attempts:
            self._latest.setdefault(attempt.cell, deque(maxlen=WINDOW)).append(attempt.passed)

    def state(self) -> Mapping[str, Any]:
        return {"draws": self._draws, "latest": [[*cell, list(seen)] for cell, seen in self._latest.items()]}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._draws = state["draws"]
        self._latest = {Cell(name, level): deque(seen, maxlen=WINDOW) for name, level, seen in state["latest"]}

    def _posterior(self, cell: Cell) -> tuple[int, int]:
        """The two parameters of the Beta distribution."""
        seen = self._latest.get(cell, ())
        return 1 + sum(seen), 1 + len(seen) - sum(seen)


class Uniform:
    """Asks every cell as often as any other, whatever becomes of it: to compare with."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._draws = 0

    def choose(self, cells: Sequence[Cell]) -> Cell:
        chosen = random.Random(f"{self._seed} {self._draws}").choice(cells)
        self._draws += 1
        return chosen

    def observe(self, attempts: Sequence[Attempt]) -> None:
        pass

    def state(self) -> Mapping[str, Any]:
        return {"draws": self._draws}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._draws = state["draws"]


_OURS: Mapping[str, MakeCurriculum] = {"ladder": Ladder, "uniform": Uniform}
_OF_THE_REWARD = ("none", "epochs", "thirds")

_GENERATED = re.compile(r"(repair/\d+/\w+/\d+/)?generated/\d+/([^/]+)/")


def cell_of(problem: Problem) -> Cell:
    """The cell that a problem belongs to: a generated problem says its family in its id."""
    generated = _GENERATED.match(problem.id)
    name = generated[2] if generated else problem.topics[0] if problem.topics else "none"
    return Cell(f"repair:{name}" if problem.attempt else name, problem.level_name)


def curriculum_maker(name: str) -> MakeCurriculum | None:
    """What makes the curriculum of that name, from a seed; None for those of the reward, which choose no problems.

    Raises:
        ConfigError: if there is none of that name.
    """
    if name in _OF_THE_REWARD:
        return None
    if name in _OURS:
        return _OURS[name]
    if ":" not in name:
        known = ", ".join([*_OF_THE_REWARD, *_OURS])
        raise ConfigError(f"curriculum must be one of {known}, or module:attribute of your own, not {name!r}")
    found: MakeCurriculum = import_attribute(name)
    if not callable(found):
        raise ConfigError(f"the curriculum {name!r} cannot be called with a seed: it is of type {type(found).__name__}")
    missing = [method for method in ("choose", "observe", "state", "restore") if not hasattr(found(0), method)]
    if missing:
        raise ConfigError(f"the curriculum {name!r} makes something without {', '.join(missing)}")
    return found
