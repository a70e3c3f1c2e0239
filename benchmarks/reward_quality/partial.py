"""Makes honest answers with some right functions; the others raise, are missing or are ill typed."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.reward_quality.ladder import Answer, evaluated_many, stuffed
from benchmarks.reward_quality.strategies import FUNCTION
from ocaml_env import Outcome, Stage
from ocaml_env.problem import Problem
from ocaml_env.problem.signature import items_of
from ocaml_env.verifiers.local import Verifier

__all__ = ["WAYS", "Partial", "functions", "partials"]

WAYS = ("raise", "are missing", "are ill typed")
"""The states of the other functions."""


@dataclass(frozen=True, kw_only=True)
class Partial:
    """An answer with some right functions.

    Attributes:
        answer: the answer.
        way: the state of the other functions, one of ``WAYS``.
        right: number of right functions, fewer than all.
        of: number of functions of the problem, at least two.
        apart: True if each function has tests of its own that no degenerate answer passes, and no test needs two.
    """

    answer: Answer
    way: str
    right: int
    of: int
    apart: bool

    @property
    def share(self) -> float:
        """The share of right functions."""
        return self.right / self.of


def functions(problem: Problem, verifier: Verifier) -> dict[str, str]:
    """Returns a problem's functions by name, each as its definition up to the body; none for a program."""
    if problem.kind == "program":
        return {}
    raising, *_ = verifier.stubs(problem)
    named = {found[1]: f"let {found[1]} = fun {found['parameters']}-> " for found in FUNCTION.finditer(raising.code)}
    return {name: named[name] for name in items_of(problem.signature) if name in named and name[0].isalpha()}


def partials(problem: Problem, verifier: Verifier, rng: random.Random) -> list[Partial]:
    """Makes answers with 0, 1, 2 .. right functions, chosen at random, in each way.

    The reference's functions still call each other: only the definitions seen by the tests are broken. Answers with
    another outcome than intended, or with a timeout, are left out.
    """
    heads = functions(problem, verifier)
    if len(heads) < 2:
        return []
    apart = _is_apart(problem, list(heads))
    broken = {right: rng.sample(list(heads), len(heads) - right) for right in range(len(heads))}
    plan = [(right, way) for right in broken for way in WAYS]
    texts = [
        (way, stuffed(_code(problem, way, [(name, heads[name]) for name in broken[right]])), None)
        for right, way in plan
    ]
    return [
        Partial(answer=answer, way=way, right=right, of=len(heads), apart=apart)
        for (right, way), answer in zip(plan, evaluated_many(problem, texts, verifier), strict=True)
        if _as_meant(answer, way, len(broken[right]))
    ]


def _code(problem: Problem, way: str, broken: Sequence[tuple[str, str]]) -> str:
    if way == "are missing":
        names = "|".join(name for name, _ in broken)
        return re.sub(rf"\b({names})\b(?!')", r"\1_to_do", problem.reference)
    body = 'failwith "to do"' if way == "raise" else '1 + "to do"'
    return "\n".join([problem.reference, *(head + body for _, head in broken)])


def _as_meant(answer: Answer, way: str, broken: int) -> bool:
    verdict = answer.verdict
    if any(test.outcome is Outcome.TIMEOUT for test in verdict.tests):
        return False
    if way == "raise":
        return verdict.stage is Stage.TEST
    if way == "are missing":
        # Code without any of the functions counts as five errors, however many are missing.
        return [diagnostic.kind for diagnostic in verdict.diagnostics] == ["missing-item"] * broken
    return verdict.outcome is Outcome.TYPE_ERROR and verdict.errors == broken


def _is_apart(problem: Problem, names: Sequence[str]) -> bool:
    alone = {group.items[0] for group in problem.groups if len(group.items) == 1 and len(group.tests) > group.baseline}
    mixed = {name for group in problem.groups if len(group.items) > 1 for name in group.items}
    return set(names) <= alone - mixed
