"""Problems that are the same problem, or nearly: by the words of their statements, their tests and their references."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ocaml_env.problem import Problem
from ocaml_env.problems.audit.finding import Finding

__all__ = ["Pair", "duplicate_findings", "similar_pairs"]

# Words of a statement, and tokens of code, in a shingle.
_WORDS = 4
_TOKENS = 6

# Jaccard similarity of the shingles from which two texts are alike. No two problems of the bundled suite come near.
ALIKE_STATEMENTS = 0.6
ALIKE_CODE = 0.7

# A shingle that this many problems share is a turn of phrase, and tells nothing.
_COMMON = 50

_TOKEN = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'|[A-Za-z_][\w']*|\d[\w.]*|[^\s\w]+")
_VALUE = re.compile(r"\bval\s+([a-z_][\w']*)")
_KEYWORDS_TEXT = """
and as begin do done downto else end exception false for fun function functor if in include lazy let match method module
mutable new object of open or rec sig struct then to true try type val when while with
"""
_KEYWORDS = frozenset(_KEYWORDS_TEXT.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two problems that are alike.

    Attributes:
        first: place of the earlier one in the set.
        second: of the later one.
        statements: how alike their statements are, from 0 to 1.
        tests: share of the smaller one's tests that the other has, too.
        code: how alike their references are, names and numbers apart.
    """

    first: int
    second: int
    statements: float
    tests: float
    code: float

    @property
    def is_copy(self) -> bool:
        return self.statements == 1.0 and self.tests == 1.0

    @property
    def is_near(self) -> bool:
        """Alike in what they say and in what they ask; problems of one generated family share only the former."""
        return (self.statements >= ALIKE_STATEMENTS and self.tests >= 0.5) or self.tests >= 0.8


@dataclass(frozen=True, slots=True)
class _Marks:
    statement: frozenset[int]
    tests: frozenset[int]
    code: frozenset[int]


def similar_pairs(problems: Sequence[Problem]) -> list[Pair]:
    """All pairs that are alike in some way. Time and memory grow with the text, not with the number of pairs."""
    marks = [_marks(problem) for problem in problems]
    pairs = _meetings(marks)
    found = []
    for first, second in sorted(pairs):
        a, b = marks[first], marks[second]
        pair = Pair(
            first=first,
            second=second,
            statements=_jaccard(a.statement, b.statement),
            tests=len(a.tests & b.tests) / max(1, min(len(a.tests), len(b.tests))),
            code=_jaccard(a.code, b.code),
        )
        if pair.is_near or pair.statements >= ALIKE_STATEMENTS or pair.code >= ALIKE_CODE:
            found.append(pair)
    return found


def duplicate_findings(problems: Sequence[Problem]) -> Iterator[Finding]:
    """What is wrong with a set as a whole: each pair is told once, at its later problem."""
    for pair in similar_pairs(problems):
        first, second = problems[pair.first], problems[pair.second]
        crosses = bool(first.split and second.split) and first.split != second.split
        if pair.is_copy:
            check, message = "duplicate", f"it is {first.id!r} again"
        elif pair.is_near:
            check = "near-duplicate"
            message = f"it is like {first.id!r}: statement {pair.statements:.0%}, tests {pair.tests:.0%} the same"
        elif crosses and (pair.code >= ALIKE_CODE and not _is_generated(first, second)):
            check, message = "near-duplicate", f"its reference is like that of {first.id!r}: {pair.code:.0%} the same"
        else:
            continue
        yield Finding(check=check, problem_id=second.id, message=message)
        if crosses:
            message = f"{first.id!r} is in {first.split}, and this one in {second.split}"
            yield Finding(check="across-splits", problem_id=second.id, message=message)


def _is_generated(first: Problem, second: Problem) -> bool:
    return "generated" in (first.source, second.source)


def _marks(problem: Problem) -> _Marks:
    words = re.findall(r"\w+", problem.statement.lower())
    code = [_shape(token) for token in _TOKEN.findall(re.sub(r"\(\*.*?\*\)", "", problem.reference, flags=re.DOTALL))]
    names = _VALUE.findall(problem.signature)
    tests = (
        _anonymous(" ".join(test.code.split()), names) if problem.kind == "function" else f"{test.stdin}\0{test.stdout}"
        for test in problem.tests
    )
    return _Marks(
        statement=_shingles(words, _WORDS),
        tests=frozenset(map(hash, tests)),
        code=_shingles(code, _TOKENS),
    )


def _anonymous(code: str, names: Sequence[str]) -> str:
    """A test without the names that its problem chose for its functions."""
    for number, name in enumerate(names, start=1):
        code = re.sub(rf"(?<![\w'.]){re.escape(name)}(?![\w'])", f"f{number}", code)
    return code


def _shape(token: str) -> str:
    """A token without the choice of names and numbers, but for names of the library."""
    if token[0].isdigit():
        return "0"
    if token[0] in "\"'" and len(token) > 1:
        return '""'
    if (token[0].islower() or token[0] == "_") and token not in _KEYWORDS:
        return "x"
    return token


def _shingles(parts: Sequence[str], size: int) -> frozenset[int]:
    if len(parts) < size:
        return frozenset([hash(tuple(parts))]) if parts else frozenset()
    return frozenset(hash(tuple(parts[at : at + size])) for at in range(len(parts) - size + 1))


def _meetings(marks: Sequence[_Marks]) -> set[tuple[int, int]]:
    """Pairs that share enough rare marks to be worth a look."""
    met: Counter[tuple[int, int]] = Counter()
    for kind in ("statement", "tests", "code"):
        owners: defaultdict[int, list[int]] = defaultdict(list)
        for place, one in enumerate(marks):
            for mark in getattr(one, kind):
                owners[mark].append(place)
        for places in owners.values():
            if 1 < len(places) <= _COMMON:
                met.update(_pairs(places))
    return {pair for pair, count in met.items() if count >= 3 or _is_small(marks, pair)}


def _is_small(marks: Sequence[_Marks], pair: tuple[int, int]) -> bool:
    return min(len(marks[place].statement) for place in pair) < 6


def _pairs(places: Iterable[int]) -> Iterator[tuple[int, int]]:
    ordered = list(places)
    for index, first in enumerate(ordered):
        for second in ordered[index + 1 :]:
            yield first, second


def _jaccard(a: frozenset[int], b: frozenset[int]) -> float:
    return len(a & b) / len(a | b) if a and b else 0.0
