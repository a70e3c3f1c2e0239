"""The level by size agrees with the levels given by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ocaml_env.problem import Problem
from ocaml_env.problems import load_problems
from ocaml_env.problems.level import level_of

if TYPE_CHECKING:
    from ocaml_env.verifiers.local import Verifier

BUNDLED = load_problems("bundled")


def test_bundled_problems_have_nearly_always_the_level_of_their_size(verifier: Verifier) -> None:
    some = BUNDLED[::6]
    apart = [abs(level_of(problem, verifier.measure(problem)) - (problem.level or 0)) for problem in some]
    assert apart.count(0) >= 0.8 * len(some)
    assert apart.count(0) + apart.count(1) >= 0.99 * len(some)


@pytest.mark.parametrize(
    ("reference", "words", "level"),
    [
        ("let f n = n + 1", 10, 1),
        ("let rec f n = if n = 0 then 0 else f (n - 1)", 10, 2),
        ("let f n = n + 1", 40, 2),
        ("let f n = n + 1", 160, 5),
        ("let f n =\n" + "  let n = n + 1 in\n" * 8 + "  n", 10, 3),
        ("let f n = n" + " + 1" * 320, 10, 6),
    ],
    ids=("expression", "recursion", "words", "many words", "lines", "nodes"),
)
def test_each_bound_raises_the_level(reference: str, words: int, level: int, verifier: Verifier) -> None:
    problem = Problem(id="f", statement="word " * words, signature="val f : int -> int", tests=["f 0 = 1"])
    problem = replace(problem, reference=reference)
    assert level_of(problem, verifier.measure(problem)) == level
