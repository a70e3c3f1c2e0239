"""Finds out if an answer that ignores the question passes more hidden tests than chance explains.

With few tests, or few possible answers, some guess always passes a good share of them. So what is usual grows with the
share of one answer among all possible ones, and with the chance of so few tests.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ocaml_env.engine.authoring import Answer
from ocaml_env.kills.types import Type, result, types_of_values
from ocaml_env.problem import Problem

__all__ = ["Guess", "few_answers", "usual_passes"]

_MANY = 5  # a type with so many values is none of few answers
_ENUMERATION = re.compile(r"^type\s+(\w+)\s*=\s*\|?\s*([A-Z]\w*(?:\s*\|\s*[A-Z]\w*)*)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """The best of the guesses.

    Attributes:
        what: what it answers.
        passes: the hidden tests that it passes.
        tests: all hidden tests.
        few: of these, the ones that expect one of few answers.
        usual: as many passes are no finding.
    """

    what: str = ""
    passes: int = 0
    tests: int = 0
    few: int = 0
    usual: int = 0

    @property
    def share(self) -> float:
        return self.passes / self.tests if self.tests else 0.0

    @property
    def is_lopsided(self) -> bool:
        """True if most tests expect one of few answers: it is judged as such."""
        return 2 * self.few > self.tests


def few_answers(signature: str) -> dict[str, int]:
    """The functions whose result has few values, with their number: 2 for ``bool``, 3 for ``bool option``."""
    sizes = {"bool": 2, "unit": 1}
    for name, constructors in _ENUMERATION.findall(signature):
        sizes[name] = constructors.count("|") + 1
    counts = {name: _size(result(kind), sizes) for name, kind in types_of_values(signature).items() if kind is not None}
    return {name: count for name, count in counts.items() if count is not None and count < _MANY}


def _size(kind: Type, sizes: Mapping[str, int]) -> int | None:
    """The number of values of a type; None if it is not known to be small."""
    if kind.name in sizes:
        return sizes[kind.name]
    parts = [_size(part, sizes) for part in kind.parts]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or not parts:
        return None
    if kind.name == "option":
        return known[0] + 1
    return math.prod(known) if kind.name == "*" else None


def usual_passes(problem: Problem, answers: Sequence[Answer | None], share: float) -> tuple[int, int]:
    """The number of hidden tests that a guess may pass, and how many of them expect one of few answers.

    Each test counts with ``share``, or with one part in k if it expects one of k answers. To the sum comes the standard
    deviation of that many independent tests, which is at most half of the square root of their number.

    Args:
        answers: of all tests, as far as they are known.
    """
    few = few_answers(problem.signature)
    hidden = [answer for test, answer in zip(problem.tests, answers, strict=True) if not test.public]
    counts = [few.get(answer.function) if answer is not None else None for answer in hidden]
    expected = sum(share if count is None else max(share, 1 / max(1, count)) for count in counts)
    return int(expected + math.sqrt(len(hidden)) / 2), sum(count is not None for count in counts)
