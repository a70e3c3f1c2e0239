"""The ladder of levels: size and difficulty of each level's bundled problems, and no problem twice in other words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

import pytest

from ocaml_env.problems import load_problems

if TYPE_CHECKING:
    from ocaml_env.problem import Problem
    from ocaml_env.verifiers.local import Verifier

PROBLEMS = load_problems("bundled")
EASY = (1, 2, 3, 4)
WORDS = {1: 35, 2: 60, 3: 100, 4: 150}
LINES = {1: 2, 2: 6, 3: 14, 4: 25}


@pytest.fixture(scope="module")
def nodes(verifier: Verifier) -> dict[str, int]:
    """Maps each easy problem to the number of expressions and patterns in its reference."""
    return {problem.id: verifier.measure(problem).nodes for problem in PROBLEMS if problem.level in EASY}


def of_level(level: int) -> list[Problem]:
    return [problem for problem in PROBLEMS if problem.level == level]


@pytest.mark.parametrize("level", EASY)
def test_median_statements_and_references_are_as_short_as_promised(level: int) -> None:
    assert median(len(problem.statement.split()) for problem in of_level(level)) <= WORDS[level]
    assert median(problem.reference_lines for problem in of_level(level)) <= LINES[level]


def test_each_level_has_half_as_many_nodes_again_as_the_one_below(nodes: dict[str, int]) -> None:
    medians = [median(nodes[problem.id] for problem in of_level(level)) for level in EASY]
    for below, above in pairwise(medians):
        assert above >= 1.5 * below, medians


# --- degenerate answers ---


def test_no_degenerate_answer_passes_more_than_a_quarter_of_a_group() -> None:
    for problem in PROBLEMS:
        assert problem.baseline, f"{problem.id}: `ocaml-env audit --write` measures its baseline"
        for group in problem.groups:
            assert group.baseline <= 0.25 * len(group.tests), (problem.id, group)


# --- duplicates -------------------------------------------------------------------------------------------------------

_WORD = re.compile(
    r"""\(\*.*?\*\)|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|[A-Za-z_][\w.']*|[0-9][\w.]*|[^\s\w]""", re.DOTALL
)
_KEYWORDS_TEXT = """
    and as assert begin do done downto else end exception false for fun function functor if in include lazy let match
    mod module mutable not of open rec sig struct then to true try type val when while with
"""
_KEYWORDS = frozenset(_KEYWORDS_TEXT.split())


def shape(reference: str) -> tuple[str, ...]:
    """Returns a reference's tokens without its own names and constants; the library's names stay."""
    found = []
    for word in _WORD.findall(reference):
        if word.startswith("(*"):
            continue
        if word[0].isdigit() or word[0] in "\"'":
            found.append("0")
        elif word[0].isalpha() and word not in _KEYWORDS and not word[0].isupper():
            found.append("x")
        else:
            found.append(word)
    return tuple(found)


def test_at_most_three_references_differ_only_in_names_and_constants() -> None:
    twins = defaultdict(list)
    for problem in PROBLEMS:
        twins[shape(problem.reference)].append(problem.id)
    assert [names for names in twins.values() if len(names) > 3] == []


_VALUE = re.compile(r"^val (\w+) :\s*(.*?)(?=^\S|\Z)", re.DOTALL | re.MULTILINE)


def values(problem: Problem) -> list[tuple[str, str]]:
    """Returns the functions of a signature with their types; type variables become ``_``."""
    found = _VALUE.findall(problem.signature)
    return [(name, re.sub(r"'\w+", "_", " ".join(kind.split()))) for name, kind in found]


def fits(given: str, wanted: str) -> bool:
    """Says if a function of the given type could serve as the wanted one. A type variable may be any type."""
    arity = given.count("->") == wanted.count("->")
    return arity and (given == wanted or "_" in given or "_" in wanted)


def types_of(problem: Problem) -> Counter[str]:
    return Counter(re.findall(r"\btype\b[^\n]*", problem.signature))


def test_no_training_reference_solves_an_evaluation_problem(verifier: Verifier) -> None:
    """Training functions are renamed to those of the evaluation problem, in order."""
    tried, known_to_solve = 0, {}
    training = [(known, values(known), types_of(known)) for known in PROBLEMS.split("train")]
    for asked in PROBLEMS.split("eval"):
        wanted, types = values(asked), types_of(asked)
        if asked.kind == "program" or not wanted or len(wanted) > 2:
            continue
        hidden = replace(asked, tests=asked.hidden_tests, baseline=())
        candidates = []
        for known, given, known_types in training:
            if len(given) != len(wanted) or known_types != types:
                continue
            if all(fits(old_type, new_type) for (_, old_type), (_, new_type) in zip(given, wanted, strict=True)):
                names = [f"let {new} = {old}" for (new, _), (old, _) in zip(wanted, given, strict=True) if new != old]
                candidates.append((known.id, "\n".join([known.reference, *names])))
        probes = verifier.probe(hidden, [code for _, code in candidates])
        solved = [name for (name, _), probe in zip(candidates, probes, strict=True) if probe.passed]
        if solved:
            known_to_solve[asked.id] = solved
        tried += len(candidates)
    assert known_to_solve == {}
    assert tried > 1_000
