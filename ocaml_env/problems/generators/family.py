"""A family of problems: a name, what it is about, and the function that draws a draft of a given level."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ocaml_env.errors import EngineError
from ocaml_env.problem import Problem, Test
from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Draft, choose

__all__ = ["LEVELS", "Family", "draw"]

LEVELS = (1, 2, 3, 4, 5)

_PLACED = {1: 3, 2: 3, 3: 4, 4: 4, 5: 5}  # by size: levels 1 and 2 of the ladder have no family yet
_ATTEMPTS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Problems of one kind.

    Attributes:
        name: unique, ``topic.idea``.
        topics: most important first.
        description: one line.
        make: a draft of a level; may raise ``Unfit``.
        levels: those that it knows, from easy to hard.
    """

    name: str
    topics: tuple[str, ...]
    description: str
    make: Callable[[Chance, int], Draft]
    levels: tuple[int, ...] = LEVELS


def draw(family: Family, level: int, seed: int, index: int) -> tuple[Problem, str]:
    """The problem at this place, and its essence: what it asks, whatever it is called."""
    place = f"{family.name}/{level}/{seed}/{index}"
    for attempt in range(_ATTEMPTS):
        try:
            chance = Chance(f"{place}/{attempt}")
            draft = family.make(chance, level)
            tests = choose(draft, chance.seen)
        except Unfit:
            continue
        if tests is not None and _uses_all(draft, tests):
            break
    else:
        raise EngineError(f"the family {family.name} drew no problem at {place}")
    problem = Problem(
        id=f"generated/{place}",
        statement=draft.statement,
        signature=draft.signature,
        reference=draft.reference,
        prelude=draft.prelude,
        tests=tests,
        level=_PLACED[level],
        topics=family.topics,
        source="generated",
        split="train",
        kind=draft.kind,
    )
    return problem, draft.reference.replace(draft.name, "f") if draft.name else draft.reference


_VALUE = re.compile(r"\bval (\w+)")


def _uses_all(draft: Draft, tests: Sequence[Test]) -> bool:
    """True if every value that is asked for occurs in a test, or in what tests are made with."""
    names = _VALUE.findall(draft.signature)
    if len(names) < 2:
        return True
    words = set(re.findall(r"\w+", "\n".join([draft.prelude, *(test.code for test in tests)])))
    return words.issuperset(names)
