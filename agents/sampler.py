"""Which problems a generation asks: all in turn, those that are neither always nor never solved, or by a curriculum.

GRPO learns from the differences within a group. A problem that every attempt solves, or none, has none: after enough
attempts it rests for some generations, and is then tried again, because a policy that learns changes what is hard. A
curriculum decides by cells of problems, of which it has seen more attempts than of any one.
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
    """Chooses the problems of a run, and is told of the attempts at them.

    Attributes:
        kind: says whether the state of another one can be taken.
    """

    kind: str

    def next(self, count: int) -> list[Problem]:
        """So many problems, a group of completions for each.

        Raises:
            ConfigError: if there are none.
            EngineError: an infrastructure error.
        """

    def observe(self, attempts: Sequence[Attempt]) -> None:
        """Takes the attempts of a generation, of all processes."""

    def figures(self) -> Mapping[str, float]:
        """What the log says of each generation."""

    def state(self) -> Mapping[str, Any]:
        """Plain values, for a checkpoint."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes what ``state`` gave."""

    def close(self) -> None: ...


@dataclass
class SolveRates:
    """How often each problem was solved lately, and until when it rests.

    Attributes:
        attempts: attempts that are looked back at, after which a problem may have to rest.
        rest: generations that it rests for.
        generation: generations seen so far.
        resting: problem -> the generation at which it may be asked again.
        latest: problem -> its latest attempts, True for solved.
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
        """Takes what ``state`` gave."""
        self.generation = state["generation"]
        self.resting = dict(state["resting"])
        self.latest = {name: deque(seen, maxlen=self.attempts) for name, seen in state["latest"].items()}


class PassSampler:
    """All problems in a shuffled order, which begins anew when it is used up.

    Those that rest are left out. If too many rest, those that have rested longest are asked.

    Attributes:
        order: the indices that are left of the order.
    """

    kind = "passes"

    def __init__(self, problems: Sequence[Problem], *, seed: int, rates: SolveRates | None = None) -> None:
        """A sampler; without ``rates`` no problem ever rests."""
        self.problems = tuple(problems)
        self.rates = rates
        self.order: list[int] = []
        self._seed = seed
        self._passes = 0

    def next(self, count: int) -> list[Problem]:
        """From the front of the order, each once, unless there are not so many."""
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
        """Takes what ``state`` gave; of a run on other problems the rates alone."""
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
    """Problems of the cells that a curriculum chooses."""

    def __init__(self, stream: ProblemStream, curriculum: ProblemCurriculum, *, kind: str) -> None:
        """A sampler that closes the stream in the end; ``kind`` is what the configuration calls the curriculum."""
        self.kind = kind
        self._stream = stream
        self._curriculum = curriculum
        self._began = False

    def next(self, count: int) -> list[Problem]:
        problems = [self._next() for _ in range(count)]
        cells = list(map(cell_of, problems))
        # A cell that is drawn is likely to be drawn again; any may be that nobody has tried.
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
