"""Makes right programs with one to three type errors: in their own definitions, or in added unused ones."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.reward_quality.ladder import PLANTED, Answer, evaluated_many, stuffed
from benchmarks.reward_quality.partial import functions
from ocaml_env import Outcome
from ocaml_env.problem import Problem
from ocaml_env.verifiers.local import Verifier

__all__ = ["Faulty", "faulty"]

_ERRORS, _DRAWS = 3, 4

_SLIPS = (
    (re.compile(r"(?<![\w.'\"])\d+(?![\w.'])"), '"one"'),
    (re.compile(r'"[a-z ]*"'), "0"),
    (re.compile(r"\[\]"), "0"),
    (re.compile(r"\b(?:true|false)\b"), "0"),
    (re.compile(r"(?<= )[-+](?= )"), "^"),
    (re.compile(r"(?<= )\^(?= )"), "+"),
    (re.compile(r"\b(?:List|Array|String|Hashtbl|Option)\.\w+"), "not_defined"),
)
"""Slips: a pattern, and its replacement of another type."""


@dataclass(frozen=True, kw_only=True)
class Faulty:
    """The reference with type errors.

    Attributes:
        answer: the answer.
        errors: number of type errors, 1 to 3.
        inside: True if they are in the reference's own definitions, False if they are in added ones.
        functions: number of functions of the problem; 0 for a program.
    """

    answer: Answer
    errors: int
    inside: bool
    functions: int


def faulty(problem: Problem, verifier: Verifier, rng: random.Random) -> list[Faulty]:
    """Makes up to four answers for each number of errors, inside and beside.

    Answers with another number of errors than intended are left out.
    """
    asked = len(functions(problem, verifier))
    plan = list(dict.fromkeys([*_inside(problem.reference, rng), *_beside(problem.reference, rng)]))
    texts = [("type errors", stuffed(code), None) for _, _, code in plan]
    return [
        Faulty(answer=answer, errors=errors, inside=inside, functions=asked)
        for (errors, inside, _), answer in zip(plan, evaluated_many(problem, texts, verifier), strict=True)
        if answer.verdict.outcome is Outcome.TYPE_ERROR
        and answer.verdict.errors == errors
        and not any(test.outcome is Outcome.TIMEOUT for test in answer.verdict.tests)
    ]


def _inside(code: str, rng: random.Random) -> Iterator[tuple[int, bool, str]]:
    """Makes slips one by one, so that the answer with two errors contains the slip of the answer with one."""
    places = [(found.span(), slip) for pattern, slip in _SLIPS for found in pattern.finditer(code)]
    for _ in range(_DRAWS):
        chosen = rng.sample(places, min(_ERRORS, len(places)))
        for errors in range(1, len(chosen) + 1):
            text = code
            for (start, end), slip in sorted(chosen[:errors], reverse=True):
                text = text[:start] + slip + text[end:]
            yield errors, True, text


def _beside(code: str, rng: random.Random) -> Iterator[tuple[int, bool, str]]:
    for _ in range(_DRAWS):
        chosen = rng.sample(PLANTED, _ERRORS)
        for errors in range(1, _ERRORS + 1):
            yield errors, False, "\n".join([code, *chosen[:errors]])
