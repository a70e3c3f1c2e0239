"""Cuts: code in which the faulty place is taken out, and nothing repaired.

Most of an attempt is right. A policy that deletes the faulty branch, or raises there, keeps all tests that never reach
the place. Such an answer repairs nothing, so the attempt is worth at least what it earns
(``RewardSpec.attempt_total``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import tree_sitter

from ocaml_env.kills.interpreter.grammar import parsed
from ocaml_env.problem import Problem
from ocaml_env.problems.repair.code import shared
from ocaml_env.reward import progress
from ocaml_env.verdict import Verdict
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["cuts", "kept_by", "kept_tests"]

_MOST = 90  # cuts of an attempt to verify
_NODES = 16  # pieces of syntax to take out
_INNERMOST = 3  # of these, the ones to replace by constants
_PARTS = 8  # of a piece, to put in its place
_RAISES = (b"(raise Exit)", b"(fun _ -> raise Exit)")
_CONSTANTS = (b"false", b"true", b"0", b'""', b"[]", b"None", b"()")


def kept_tests(problem: Problem, attempt: str, verifier: AuthoringVerifier) -> tuple[str, ...]:
    """The tests that pass if the fault of an attempt is cut out, by name, for ``Problem.attempt_kept``.

    Args:
        problem: with a reference, from which the attempt differs only at the faulty place.
        attempt: the faulty code.
        verifier: evaluates the cuts.
    """
    texts = cuts(problem.reference, attempt)
    return kept_by(problem, verifier.verify_many([(problem, text) for text in texts]))


def cuts(reference: str, attempt: str) -> tuple[str, ...]:
    """The reference without the place at which the attempt differs, in several ways; none if it cannot be parsed.

    The pieces of syntax around the place, from the smallest, are replaced by a raise, by constants, by nothing, and by
    their parts, up to ``_MOST`` texts that parse.
    """
    source, other = reference.strip().encode(), attempt.strip().encode()
    root = parsed(source)
    if root.has_error:
        return ()
    first = shared(source, other)
    end = len(source) - shared(source[first:][::-1], other[first:][::-1])
    found = (source[:start] + text + source[stop:] for start, stop, text in _replacements(_around(root, first, end)))
    distinct = dict.fromkeys(text for text in found if text not in (source, other))
    return tuple(text.decode() for text in islice(filter(_is_parsed, distinct), _MOST))


def _around(root: tree_sitter.Node, first: int, end: int) -> list[tree_sitter.Node]:
    """The nodes around a place of the source, and those around the tokens beside it, from the smallest."""
    source = root.text or b""
    before = len(source[:first].rstrip()) - 1
    after = end + len(source[end:]) - len(source[end:].lstrip())
    found: dict[tuple[int, int], tree_sitter.Node] = {}
    for start, stop in ((first, end), (before, before + 1), (after, after + 1)):
        node = root.descendant_for_byte_range(max(start, 0), min(stop, len(source)))
        while node is not None and node.parent is not None:
            found.setdefault(node.byte_range, node)
            node = node.parent
    return sorted(found.values(), key=lambda node: node.end_byte - node.start_byte)[:_NODES]


def _replacements(around: Sequence[tree_sitter.Node]) -> Iterator[tuple[int, int, bytes]]:
    """Yields replacements: where they begin and end, and the new text. Those of all nodes take turns."""
    yield from ((*node.byte_range, text) for text in _RAISES for node in around)
    yield from ((*node.byte_range, text) for node in around[:_INNERMOST] for text in _CONSTANTS)
    for node in around:
        yield *node.byte_range, b""
        # A case, an element or a statement goes with the bar, comma or semicolon beside it.
        if (left := node.prev_sibling) is not None and not left.is_named:
            yield left.start_byte, node.end_byte, b""
        if (right := node.next_sibling) is not None and not right.is_named:
            yield node.start_byte, right.end_byte, b""
        parts = [part for child in node.named_children for part in (child, *child.named_children)]
        yield from ((*node.byte_range, part.text or b"") for part in parts[:_PARTS])


def kept_by(problem: Problem, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """The tests passed by the best cut that runs, by name.

    The best is the one with most progress, then with most passed tests. A cut that passes all tests is a right answer.
    """
    ran = [verdict for verdict in verdicts if verdict.tests and not verdict.partial and not verdict.passed]
    best = max(ran, key=lambda verdict: (progress(problem, verdict), verdict.tests_passed), default=None)
    return tuple(test.name for test in best.tests if test.passed) if best else ()


def _is_parsed(code: bytes) -> bool:
    return not parsed(code).has_error
