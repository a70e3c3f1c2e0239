"""Finds problems of a set that stand in another set, too: by statement, by tests, and by reference.

References are compared without their layout, comments, type annotations and the names that they define.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import tree_sitter

from ocaml_env.audit.finding import Finding
from ocaml_env.kills.interpreter.grammar import parsed
from ocaml_env.problem import Problem
from ocaml_env.problems.similar import FEW_TESTS, anonymous_tests, shingles, words_of

__all__ = ["contamination_findings", "normalised"]

# A reference with fewer tokens, or a statement with fewer shingles, is common to unrelated problems.
_LEAST_TOKENS, _LEAST_SHINGLES = 25, 6

# A shingle or a test of more problems than this says nothing.
_COMMON = 50

_SAME_TESTS = 0.8
_SKIPPED = frozenset({"comment", "attribute", "item_attribute", "floating_attribute"})


def contamination_findings(
    problems: Sequence[Problem], others: Iterable[tuple[str, Problem]], *, words: float
) -> Iterator[Finding]:
    """One finding for each problem that has its like among others, with the likest one.

    Args:
        others: each with the name of its set.
        words: the likeness of statements that counts, from 0 to 1: shared shingles of the shorter one.
    """
    index = _Index(others)
    for problem in problems:
        if found := index.like(problem, words):
            yield Finding(check="contaminated", problem_id=problem.id, message=found)


_Key = TypeVar("_Key")


class _Index:
    """Other problems by their shingles, tests and references."""

    def __init__(self, others: Iterable[tuple[str, Problem]]) -> None:
        self._names: list[str] = []
        self._sizes: list[int] = []
        self._tests: list[int] = []
        self._by_shingle: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        self._by_test: defaultdict[str, list[int]] = defaultdict(list)
        self._by_reference: dict[str, int] = {}
        for source, problem in others:
            place = len(self._names)
            self._names.append(f"{problem.id!r} of {source}")
            found, tests = _shingles(problem), anonymous_tests(problem)
            self._sizes.append(len(found))
            self._tests.append(len(tests))
            for shingle in found:
                self._by_shingle[shingle].append(place)
            for test in tests:
                self._by_test[test].append(place)
            if code := normalised(problem.reference):
                self._by_reference.setdefault(code, place)

    def like(self, problem: Problem, least: float) -> str:
        """Says what is the same, and where; "" if nothing is."""
        shown: defaultdict[int, list[str]] = defaultdict(list)
        mine = _shingles(problem)
        for place, count in self._shared(mine, self._by_shingle):
            share = count / max(1, min(len(mine), self._sizes[place]))
            if share >= least and min(len(mine), self._sizes[place]) >= _LEAST_SHINGLES:
                shown[place].append(f"{share:.0%} of the statement")
        tests = anonymous_tests(problem)
        for place, count in self._shared(tests, self._by_test):
            share = count / min(len(tests), self._tests[place])
            if share >= _SAME_TESTS and count >= FEW_TESTS:
                shown[place].append(f"{share:.0%} of the tests")
        place_of = self._by_reference.get(normalised(problem.reference) or "\0")
        if place_of is not None:
            shown[place_of].append("the reference")
        if not shown:
            return ""
        place = max(shown, key=lambda place: (len(shown[place]), -place))
        return f"{' and '.join(shown[place])} as in {self._names[place]}"

    @staticmethod
    def _shared(keys: Iterable[_Key], index: dict[_Key, list[int]]) -> Iterable[tuple[int, int]]:
        counts: Counter[int] = Counter()
        for key in keys:
            places = index.get(key, [])
            if len(places) <= _COMMON:
                counts.update(places)
        return counts.items()


def _shingles(problem: Problem) -> frozenset[tuple[str, ...]]:
    names = dict.fromkeys(problem.wanted, "f")
    return frozenset(shingles([names.get(word, word) for word in words_of(problem.statement)]))


def normalised(code: str) -> str:
    """The tokens of a program, with numbers for the names that it defines; "" if it is short or does not parse."""
    root = parsed(code.encode())
    if root.has_error:
        return ""
    leaves = list(_leaves(root))
    defined = {text: f"v{number}" for number, text in enumerate(dict.fromkeys(t for t, binds in leaves if binds))}
    tokens = [defined.get(text, text) for text, _ in leaves]
    return " ".join(tokens) if len(tokens) >= _LEAST_TOKENS else ""


def _leaves(node: tree_sitter.Node) -> Iterator[tuple[str, bool]]:
    """The tokens in order, each with True if it is a name that is defined there."""
    if node.type in _SKIPPED:
        return
    if node.type in ("typed_pattern", "typed_expression"):
        yield from _leaves(node.named_children[0])
        return
    if not node.children:
        text = (node.text or b"").decode("utf-8", "replace")
        if text not in ("(", ")", ";;"):
            yield text, node.type == "value_pattern" or _is_bound(node)
        return
    is_binding = node.type == "let_binding"
    kind = node.child_by_field_name("type") if is_binding else None
    for child in node.children:
        if kind is not None and (child == kind or child.type == ":"):
            continue
        yield from _leaves(child)


def _is_bound(node: tree_sitter.Node) -> bool:
    return node.type == "value_name" and node.parent is not None and node.parent.type == "let_binding"
