"""Findings about equal or nearly equal problems of a set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ocaml_env.audit.finding import Finding
from ocaml_env.problem import Problem
from ocaml_env.problems.similar import similar_pairs

__all__ = ["duplicate_findings"]


def duplicate_findings(problems: Sequence[Problem], *, tests: float, words: float) -> Iterator[Finding]:
    """The findings about a set as a whole: one for each pair, at its later problem."""
    for pair in similar_pairs(problems, tests=tests, words=words):
        first, second = problems[pair.first], problems[pair.second]
        if pair.is_copy:
            check, message = "duplicate", f"it is {first.id!r} again"
        else:
            check = "near-duplicate"
            message = f"it is like {first.id!r}: statement {pair.statements:.0%}, tests {pair.tests:.0%} the same"
        yield Finding(check=check, problem_id=second.id, message=message)
        if first.split and second.split and first.split != second.split:
            message = f"{first.id!r} is in {first.split}, and this one in {second.split}"
            yield Finding(check="across-splits", problem_id=second.id, message=message)
