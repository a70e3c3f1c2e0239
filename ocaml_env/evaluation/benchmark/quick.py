"""The quick track: at most 120 problems, the same number of each level, and of each topic its share."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ocaml_env.problem import LEVELS, Problem

__all__ = ["MOST", "draw_quick"]

MOST = 120
_SEED = 1


def draw_quick(problems: Iterable[Problem]) -> list[Problem]:
    """Draws the problems, stratified by level, and within a level by first topic.

    The mean over levels is then the same estimate as that of the whole, from fewer problems.
    """
    by_level: dict[int | None, list[Problem]] = defaultdict(list)
    for problem in problems:
        by_level[problem.level].append(problem)
    chosen = [problem for level in LEVELS for problem in _of_level(by_level[level], MOST // len(LEVELS))]
    return sorted(chosen, key=lambda problem: problem.id)


def _of_level(problems: Sequence[Problem], count: int) -> list[Problem]:
    """Systematic sampling: with topics side by side, every stretch of the list gives one problem."""
    order = sorted(problems, key=lambda problem: (problem.topics[:1], _hash(problem.id)))
    count = min(count, len(order))
    return [order[(2 * place + 1) * len(order) // (2 * count)] for place in range(count)]


def _hash(problem_id: str) -> str:
    return hashlib.sha256(f"{_SEED}/{problem_id}".encode()).hexdigest()
