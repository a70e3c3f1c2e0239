"""Samplers choose the problems of a generation: in a shuffled order, by their solve rates, or by a curriculum.

GRPO learns from differences of rewards within a group. If all attempts at a problem pass, or all fail, there is no
difference: after enough attempts the problem rests for some generations. It is then tried again, because the policy has
changed meanwhile. A curriculum decides by cells of problems: it sees more attempts of a cell than of a problem.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from agents.curriculum import Attempt, ProblemCurriculum, cell_of
from agents.stream import ProblemStream
from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem

__all__ = ["CurriculumSampler", "PassSampler", "ProblemSampler", "SolveRates"]


class ProblemSampler(Protocol):
    """Chooses the problems of a run, and observes the attempts at them.

    Attributes:
        kind: a sampler can restore the state of another of the same kind.
    """

    kind: str

    def next(self, count: int) -> list[Problem]:
        """Chooses ``count`` problems, each for a group of completions.

        Raises:
            ConfigError: if no problem is left.
            EngineError: an infrastructure error.
        """

    def observe(self, attempts: Sequence[Attempt]) -> None:
        """Takes the attempts of one generation of all processes."""

    def figures(self) -> Mapping[str, float]:
        """Figures for the log of each generation, by name."""

    def state(self) -> Mapping[str, Any]:
        """Plain values, for a checkpoint."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores the values of ``state``."""

    def close(self) -> None: ...


@dataclass
class SolveRates:
    """Keeps the latest attempts at each problem. A problem rests if all of them passed, or all failed.

    Attributes:
        attempts: the number of latest attempts at a problem; one with fewer does not rest.
        rest: generations of a rest.
        generation: generations so far.
        resting: id of a problem -> the generation from which it may be asked again.
        latest: id of a problem -> its latest attempts, True for solved.
    """

    attempts: int
    rest: int
    generation: int = 0
    resting: dict[str, int] = field(default_factory=dict)
    latest: dict[str, deque[bool]] = field(default_factory=dict)

    def observe(self, attempts: Sequence[Attempt]) -> None:
        """Takes the attempts of one generation."""
        self.generation += 1
        for attempt in attempts:
            self.latest.setdefault(attempt.problem_id, deque(maxlen=self.attempts)).append(attempt.passed)
        for problem_id in {attempt.problem_id for attempt in attempts}:
            seen = self.latest[problem_id]
            if len(seen) == self.attempts and len(set(seen)) == 1:
                self.resting[problem_id] = self.generation + self.rest
                seen.clear()

    def may_be_asked(self, problem_id: str) -> bool:
        return self.resting.get(problem_id, 0) <= self.generation

    def state(self) -> dict[str, Any]:
        """Plain values, for a checkpoint."""
        latest = {name: list(seen) for name, seen in self.latest.items()}
        return {"generation": self.generation, "resting": self.resting, "latest": latest}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores the values of ``state``."""
        self.generation = state["generation"]
        self.resting = dict(state["resting"])
        self.latest = {name: deque(seen, maxlen=self.attempts) for name, seen in state["latest"].items()}


class PassSampler:
    """Chooses problems in a shuffled order, and shuffles anew after the last.

    Leaves out resting problems. If too few others are left, it takes the ones with the earliest end of their rest.

    Attributes:
        order: the remaining indices of the order.
    """

    kind = "passes"

    def __init__(self, problems: Sequence[Problem], *, seed: int, rates: SolveRates | None = None) -> None:
        """Makes a sampler. Without ``rates`` no problem rests."""
        self.problems = tuple(problems)
        self.rates = rates
        self.order: list[int] = []
        self._seed = seed
        self._passes = 0

    def next(self, count: int) -> list[Problem]:
        """Takes problems from the front of the order, each at most once. Returns fewer if there are fewer."""
        picked: list[int] = []
        everything = range(len(self.problems))
        for _ in range(2):
            while self.order and len(picked) < count:
                index = self.order.pop(0)
                if index not in picked and self._may_be_asked(index):
                    picked.append(index)
            if len(picked) == count:
                break
            self.order = random.Random(f"{self._seed} {self._passes}").sample(everything, len(everything))
            self._passes += 1
        rested = sorted((index for index in everything if index not in picked), key=self._rests_until)
        picked += rested[: count - len(picked)]
        return [self.problems[index] for index in picked]

    def observe(self, attempts: Sequence[Attempt]) -> None:
        if self.rates is not None:
            self.rates.observe(attempts)

    def figures(self) -> Mapping[str, float]:
        return {}

    def state(self) -> Mapping[str, Any]:
        return {
            "problems": [problem.id for problem in self.problems],
            "order": self.order,
            "passes": self._passes,
            "rates": self.rates.state() if self.rates is not None else None,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores the values of ``state``; from a run on other problems only the solve rates."""
        if self.rates is not None and state["rates"] is not None:
            self.rates.restore(state["rates"])
        if state["problems"] == [problem.id for problem in self.problems]:
            self.order, self._passes = list(state["order"]), state["passes"]

    def close(self) -> None:
        pass

    def _may_be_asked(self, index: int) -> bool:
        return self.rates is None or self.rates.may_be_asked(self.problems[index].id)

    def _rests_until(self, index: int) -> tuple[int, int]:
        until = 0 if self.rates is None else self.rates.resting.get(self.problems[index].id, 0)
        return until, index


class CurriculumSampler:
    """Draws problems from cells of a curriculum's choice."""

    def __init__(self, stream: ProblemStream, curriculum: ProblemCurriculum, *, kind: str) -> None:
        """Makes a sampler. It owns the stream; ``kind`` is the name of the curriculum in the configuration."""
        self.kind = kind
        self._stream = stream
        self._curriculum = curriculum
        self._began = False

    def next(self, count: int) -> list[Problem]:
        problems = [self._next() for _ in range(count)]
        cells = list(map(cell_of, problems))
        # A drawn cell is likely to be drawn again. Before the first attempts any cell may be drawn.
        self._stream.search_ahead([*cells, *cells, *([] if self._began else self._stream.cells)])
        self._began = True
        return problems

    def observe(self, attempts: Sequence[Attempt]) -> None:
        self._curriculum.observe(attempts)

    def figures(self) -> Mapping[str, float]:
        return {"left_out": self._stream.left_out}

    def state(self) -> Mapping[str, Any]:
        return {"stream": self._stream.state(), "curriculum": self._curriculum.state()}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._stream.restore(state["stream"])
        self._curriculum.restore(state["curriculum"])

    def close(self) -> None:
        self._stream.close()

    def _next(self) -> Problem:
        while cells := self._stream.cells:
            cell = self._curriculum.choose(cells)
            if cell not in cells:
                raise ConfigError(f"the curriculum chose {cell!r}, which is none of the cells that it was given")
            problem = self._stream.next(cell)
            if problem is not None:
                return problem
        raise ConfigError(
            f"no problems are left to train on: {self._stream.left_out} were drawn and left out, because their "
            "prompts are longer than max_prompt_length, their references are longer than max_lines, or they belong to "
            "the evaluation"
        )
