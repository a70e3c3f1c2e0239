"""A family of problems: a name, topics, and functions that draw a draft for a level."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from ocaml_env.errors import EngineError
from ocaml_env.kills.baseline import measure_baselines
from ocaml_env.kills.constants import passed_by_constants
from ocaml_env.problem import Problem, Test
from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.choose import Chosen, choose
from ocaml_env.problems.generators.draft import Draft
from ocaml_env.problems.generators.held_out import solves_held_out
from ocaml_env.problems.generators.task import Task, draft_of

__all__ = ["EDITION", "LEVELS", "Drawn", "Family", "draw", "draw_with_draft"]

EDITION = 2
"""Of all families. Increase it if any of them draws other problems than before."""

LEVELS = (1, 2, 3, 4, 5)

_STAGES = {3: 1, 4: 3, 5: 5}  # the level passed to ``make``, by level
_ATTEMPTS = 5_000
_FIT = 4  # drafts to compare; the one with the fewest idle rules is taken
_IDLE = 40  # the most idle rules of a draft
_GUESSED = 0.2  # the most that a degenerate answer may pass of a group's hidden tests


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Problems of one kind.

    Attributes:
        name: unique, ``topic.idea``.
        topics: most important first.
        description: one line.
        tasks: small problems, for levels 1 and 2.
        make: makes a draft for levels 3 to 5, numbered 1, 3 and 5; may raise ``Unfit``. None if there are no such
            levels.
        split: ``eval`` for families kept out of training.
    """

    name: str
    topics: tuple[str, ...]
    description: str
    tasks: tuple[Task, ...] = ()
    make: Callable[[Chance, int], Draft] | None = None
    split: Literal["train", "eval"] = "train"

    @property
    def levels(self) -> tuple[int, ...]:
        """Its levels, from easy to hard."""
        easy = tuple(sorted({task.level for task in self.tasks}))
        return (*easy, *_STAGES) if self.make else easy

    def draft(self, chance: Chance, level: int) -> Draft:
        """Draws a problem without its tests.

        Raises:
            Unfit: the drawn parts make no good problem.
        """
        if level in _STAGES and self.make:
            return self.make(chance, _STAGES[level])
        return draft_of(self.tasks, chance, level)


class Drawn(NamedTuple):
    """A problem and its essence: the reference, independent of the function's name."""

    problem: Problem
    essence: str


def draw(family: Family, level: int, seed: int, index: int) -> Drawn:
    """The problem at this place: the same on every machine."""
    problem, draft = draw_with_draft(family, level, seed, index)
    return Drawn(problem, draft.reference.replace(draft.name, "f") if draft.name else draft.reference)


def draw_with_draft(family: Family, level: int, seed: int, index: int) -> tuple[Problem, Draft]:
    """The problem at this place, and its draft for further cases."""
    place = f"{family.name}/{level}/{seed}/{index}"
    best: tuple[Problem, Draft] | None = None
    idle, fit = _IDLE, 0
    for attempt in range(_ATTEMPTS):
        try:
            draft = family.draft(Chance(f"{place}/{attempt}"), level)
            if family.split == "train" and solves_held_out(draft):
                continue
            chosen = choose(draft, most_idle=idle)
        except Unfit:
            continue
        fit += 1
        if chosen is not None and (problem := _problem(family, level, place, draft, chosen)):
            best, idle = (problem, draft), chosen.idle - 1
        if best and (idle < 0 or fit >= _FIT):
            return best
    if best is None:
        raise EngineError(f"the family {family.name} drew no problem at {place}")
    return best


def _problem(family: Family, level: int, place: str, draft: Draft, chosen: Chosen) -> Problem | None:
    """The problem of a draft; None if a degenerate answer passes too much, or a function is not tested."""
    problem = Problem(
        id=f"generated/{EDITION}/{place}",
        statement=draft.statement,
        signature=draft.signature,
        reference=draft.reference,
        prelude=draft.prelude,
        tests=chosen.tests,
        level=level,
        topics=family.topics,
        source="generated",
        split=family.split,
        kind=draft.kind,
    )
    has_opaque = _HAS_OPAQUE.search(draft.signature)
    passed = passed_by_constants(problem) if has_opaque else {}
    baselines = measure_baselines(problem, passed)
    if not _uses_all(draft, chosen.tests) or any(found.share > _GUESSED for found in baselines):
        return None
    return replace(problem, baseline=tuple(found.group.baseline for found in baselines))


_HAS_OPAQUE = re.compile(r"\bSeq\.t\b|^type\b|\bsig\b", re.MULTILINE)  # values without constants in tests
_VALUE = re.compile(r"\bval (\w+)")


def _uses_all(draft: Draft, tests: Sequence[Test]) -> bool:
    """True if every value of the signature occurs in a test or in the prelude."""
    names = _VALUE.findall(draft.signature)
    if len(names) < 2:
        return True
    words = set(re.findall(r"\w+", "\n".join([draft.prelude, *(test.code for test in tests)])))
    return words.issuperset(names)
