"""Finds equal or nearly equal problems, by the words of their statements and by their tests."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ocaml_env.problem import Problem

__all__ = ["FEW_TESTS", "Pair", "alike_statements", "anonymous_tests", "shingles", "similar_pairs", "words_of"]

_WORDS = 4  # in a shingle

# Share of common tests from which the words of two problems are compared.
_SHARED_TESTS = 0.5

FEW_TESTS = 4
"""With fewer common tests, two problems need not be alike."""

# A test shared by more problems than this is no sign of likeness, such as a function's value at 0.
_COMMON = 50

# In a small set, a run of words may have so many owners and still be a sign of likeness.
_FEW_OWNERS = 5

_VALUE = re.compile(r"\bval\s+([a-z_][\w']*)")
_NAME = re.compile(r"(?<![\w'.])[a-z_][\w']*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two problems that share a statement or tests.

    Attributes:
        first: place of the earlier one in the set.
        second: place of the later one.
        statements: similarity of the statements, from 0 to 1.
        tests: share of the smaller one's tests that the other also has.
        common: number of these tests.
    """

    first: int
    second: int
    statements: float
    tests: float
    common: int

    @property
    def is_copy(self) -> bool:
        return self.statements == 1.0 and self.tests == 1.0

    def is_near(self, tests: float, words: float) -> bool:
        """True for near copies: so large a share of common tests, or half of them and statements that are so alike.

        Statements alone do not count: within a generated family they are nearly equal. Nor do a few tests alone: many
        functions are 0 at 0 and 1 at 1.
        """
        enough = self.tests >= tests and self.common >= FEW_TESTS
        return enough or (self.tests >= _SHARED_TESTS and self.statements >= words)


@dataclass(frozen=True, slots=True)
class _Marks:
    words: tuple[str, ...]
    tests: frozenset[str]


def similar_pairs(problems: Sequence[Problem], *, tests: float = 0.8, words: float = 0.6) -> list[Pair]:
    """All pairs of copies or near copies. Time grows with the text, not with the number of pairs.

    Args:
        tests, words: see ``Pair.is_near``. No two problems of the bundled suite come near the defaults.
    """
    marks = [_marks(problem) for problem in problems]
    owners: defaultdict[str, list[int]] = defaultdict(list)
    for place, mark in enumerate(marks):
        for test in mark.tests:
            owners[test].append(place)
    met = {pair for places in owners.values() if len(places) <= _COMMON for pair in combinations(places, 2)}
    compared = (_compare(marks, first, second) for first, second in sorted(met))
    return [pair for pair in compared if pair is not None and (pair.is_copy or pair.is_near(tests, words))]


def alike_statements(problems: Sequence[Problem], *, words: float = 0.6) -> set[tuple[int, int]]:
    """The places of problems with equal or alike statements, whatever their tests.

    Runs of words that many problems share, such as an instruction repeated in each, do not count.

    Args:
        words: the least similarity of two statements without these, from 0 to 1.
    """
    texts = [tuple(words_of(problem.statement)) for problem in problems]
    runs = [shingles(text) for text in texts]
    owners: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, found in enumerate(runs):
        for run in found:
            owners[run].append(place)
    many = min(_COMMON, max(_FEW_OWNERS, len(problems) // 5))
    own = [{run for run in found if len(owners[run]) <= many} for found in runs]
    met = {pair for places in owners.values() if len(places) <= many for pair in combinations(places, 2)}
    alike = {pair for pair in met if _jaccard(own[pair[0]], own[pair[1]]) >= words}
    first: dict[tuple[str, ...], int] = {}
    return alike | {(first[text], place) for place, text in enumerate(texts) if first.setdefault(text, place) != place}


def _marks(problem: Problem) -> _Marks:
    return _Marks(tuple(words_of(problem.statement)), anonymous_tests(problem))


def anonymous_tests(problem: Problem) -> frozenset[str]:
    """The tests as texts, without the names of the problem's own functions."""
    names = {name: f"f{number}" for number, name in enumerate(_VALUE.findall(problem.signature), start=1)}
    if problem.kind == "function":
        return frozenset(_anonymous(" ".join(test.code.split()), names) for test in problem.tests)
    return frozenset(f"{test.stdin}\0{test.stdout}" for test in problem.tests)


def _anonymous(code: str, names: Mapping[str, str]) -> str:
    """A test with neutral names for its problem's own functions."""
    return _NAME.sub(lambda found: names.get(found[0], found[0]), code)


def _compare(marks: Sequence[_Marks], first: int, second: int) -> Pair | None:
    """Compares two problems; None if they share too few tests for the statements to matter."""
    a, b = marks[first], marks[second]
    common = len(a.tests & b.tests)
    tests = common / min(len(a.tests), len(b.tests))
    if tests < _SHARED_TESTS:
        return None
    statements = 1.0 if a.words == b.words else _jaccard(shingles(a.words), shingles(b.words))
    return Pair(first=first, second=second, statements=statements, tests=tests, common=common)


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return re.findall(r"\w+", text.lower())


def shingles(words: Sequence[str]) -> set[tuple[str, ...]]:
    """All runs of four words."""
    return {tuple(words[at : at + _WORDS]) for at in range(max(1, len(words) - _WORDS + 1))}


def _jaccard(a: set[tuple[str, ...]], b: set[tuple[str, ...]]) -> float:
    return len(a & b) / len(a | b)
