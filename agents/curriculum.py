"""Curricula choose the kind of the next problem: the ladder, a uniform one, and the protocol for your own.

A cell holds the problems of one family or topic at one level. A curriculum chooses the cell of each group of
completions, and observes the attempts. ``agents.stream`` chooses the problem within the cell. The seed's phases of the
reward are not meant here; they are in ``ocaml_env.curriculum``.
"""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from ocaml_env.errors import ConfigError, import_attribute
from ocaml_env.problem import Problem

__all__ = [
    "OF_THE_REWARD",
    "Attempt",
    "Cell",
    "Ladder",
    "MakeCurriculum",
    "ProblemCurriculum",
    "Uniform",
    "cell_of",
    "curriculum_maker",
]


class Cell(NamedTuple):
    """The problems of one kind and level.

    Attributes:
        name: the family of generated problems, the first topic of others. Repair problems add the prefix ``repair:``.
        level: ``1`` to ``6``, or another label of the problems.
    """

    name: str
    level: str


class Attempt(NamedTuple):
    """The result of one completion, for curricula."""

    problem_id: str
    cell: Cell
    passed: bool


class ProblemCurriculum(Protocol):
    """The result of ``curriculum: "module:attribute"``, called with the run's seed.

    In a run of several processes the main one chooses for all. Every process observes the attempts of all.
    """

    def choose(self, cells: Sequence[Cell]) -> Cell:
        """Chooses the cell of the next group from ``cells``: at least one, sorted, all with problems left."""

    def observe(self, attempts: Sequence[Attempt]) -> None:
        """Takes the attempts of one generation of all processes, also those of groups that are drawn again."""

    def state(self) -> Mapping[str, Any]:
        """Plain values of JSON, for a checkpoint."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores the values of ``state``, and goes on as if without an interruption."""


MakeCurriculum: TypeAlias = Callable[[int], ProblemCurriculum]

WINDOW = 64
"""The number of latest attempts of a cell in its estimate: eight groups of eight."""

EASIER, WITHIN, HARDER = (0.8, 1.0), (0.2, 0.8), (0.0, 0.2)
"""Ranges of pass rates. At 20% and at 80%, 83 of 100 groups of eight have a difference of rewards (1 - 0.8^8)."""

SHARES = {EASIER: 0.1, WITHIN: 0.8, HARDER: 0.1}
"""Shares of the draws. A tenth is easier, against forgetting. A tenth is harder, to notice cells that became
solvable."""


class Ladder:
    """Prefers cells with a pass rate of 20 to 80%, and so climbs as the policy learns.

    The pass rate p of a cell has a Beta(1, 1) prior. After s passes in the last n attempts, at most 64, its posterior
    is Beta(1 + s, 1 + n - s). The estimate is its mean, (1 + s) / (2 + n). An untried cell has the estimate 50%, and
    will be tried. (Beta-Bernoulli; Russo et al. 2018, "A Tutorial on Thompson Sampling", section 3.)

    Four fifths of the draws go to cells with estimates from 20 to 80%, a tenth to easier ones (from 80%) and a tenth to
    harder ones (up to 20%). If no cell is in the range, the cells nearest to it take its place. Cells that
    rest (``agents.stream``) do not count.

    Of these cells two are picked at random. A pass rate is drawn from the posterior of each, as in Thompson sampling
    (Thompson 1933), and the cell with the rate nearer to 50% is chosen. There the variance of a pass, p (1 - p), is
    greatest, and a group of GRPO learns from that variance. Only two cells compete. Otherwise a cell could take every
    draw and teach nothing: it stays at 50% if half its problems always pass and half never do. One untried cell stands
    for all. Otherwise a run on hundreds of cells would try each before it came back to those that teach.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._draws = 0
        self._latest: dict[Cell, deque[bool]] = {}

    def estimate(self, cell: Cell) -> float:
        """Estimates a cell's pass rate by the mean of its posterior."""
        passes, failures = self._posterior(cell)
        return passes / (passes + failures)

    def choose(self, cells: Sequence[Cell]) -> Cell:
        chance = random.Random(f"{self._seed} {self._draws}")
        self._draws += 1
        low, high = chance.choices(list(SHARES), list(SHARES.values()))[0]
        away = [max(low - estimate, estimate - high, 0.0) for estimate in map(self.estimate, cells)]
        least = min(away)
        nearest = [cell for cell, distance in zip(cells, away, strict=True) if distance == least]
        untried = [cell for cell in nearest if cell not in self._latest]
        arms = [cell for cell in nearest if cell in self._latest] + chance.sample(untried, min(1, len(untried)))
        pair = chance.sample(arms, min(2, len(arms)))
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
        """The two parameters of the posterior, a Beta distribution."""
        seen = self._latest.get(cell, ())
        return 1 + sum(seen), 1 + len(seen) - sum(seen)


class Uniform:
    """Chooses all cells equally often, whatever their pass rates. A baseline for comparisons."""

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
OF_THE_REWARD = ("none", "epochs", "thirds")

_GENERATED = re.compile(r"(repair/\d+/\w+/\d+/)?generated/\d+/([^/]+)/")


def cell_of(problem: Problem) -> Cell:
    """The cell of a problem. The id of a generated problem names its family."""
    generated = _GENERATED.match(problem.id)
    name = generated[2] if generated else problem.topics[0] if problem.topics else "none"
    return Cell(f"repair:{name}" if problem.attempt else name, problem.level_name)


def curriculum_maker(name: str) -> MakeCurriculum | None:
    """The maker of the named curriculum, called with a seed. None for ``none`` and for curricula of the reward.

    Raises:
        ConfigError: if the name is unknown, or the maker unusable.
    """
    if name in OF_THE_REWARD:
        return None
    if name in _OURS:
        return _OURS[name]
    if ":" not in name:
        known = ", ".join([*OF_THE_REWARD, *_OURS])
        raise ConfigError(f"curriculum must be one of {known}, or module:attribute of your own, not {name!r}")
    found: MakeCurriculum = import_attribute(name)
    if not callable(found):
        raise ConfigError(f"the curriculum {name!r} cannot be called with a seed: it is of type {type(found).__name__}")
    missing = [method for method in ("choose", "observe", "state", "restore") if not hasattr(found(0), method)]
    if missing:
        raise ConfigError(f"the curriculum {name!r} makes something without {', '.join(missing)}")
    return found
