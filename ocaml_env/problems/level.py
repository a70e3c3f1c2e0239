"""The level of a problem by the size of its statement and reference: the table of levels, read as bounds."""

from __future__ import annotations

from ocaml_env.problem import Problem
from ocaml_env.verifiers.base import CodeMetrics

__all__ = ["level_of"]

# Most lines of the reference and words of the statement, by level. See docs/levels.md and CONTRIBUTING.md.
_MOST = {1: (2, 35), 2: (6, 60), 3: (14, 100), 4: (25, 150)}
_MOST_NODES = 200  # expressions and patterns of a reference of level 4
_EXPERT_NODES = 300
_EXPERT = {"GADTs", "functors", "first-class modules"}  # with them, more than 200 nodes are expert work


def level_of(problem: Problem, metrics: CodeMetrics) -> int:
    """The level from 1 to 6. A recursion, a match or a loop is more than one expression, so at least level 2.

    Args:
        problem: its statement is measured.
        metrics: of its reference.
    """
    if metrics.nodes > (_MOST_NODES if _EXPERT.intersection(metrics.constructs) else _EXPERT_NODES):
        return 6
    words = len(problem.statement.split())
    ideas = {"recursion", "matching", "loops"}.intersection(metrics.constructs)
    for level, (most_lines, most_words) in _MOST.items():
        if metrics.lines <= most_lines and words <= most_words and metrics.nodes <= _MOST_NODES:
            return max(level, 2) if ideas else level
    return 5
