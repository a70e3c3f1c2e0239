"""The checks of an audit, and a finding."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

__all__ = ["CHECKS", "Finding", "Severity"]

Severity = Literal["error", "note"]

CHECKS = MappingProxyType(
    {
        "unusable": "no problem can be made of the row",
        "not-audited": "the engine failed on it, which says nothing of the problem",
        "statement": "the statement is cut off, or says next to nothing",
        "does-not-compile": "a test, the prelude or the signature does not compile, or can never pass",
        "reference-fails": "the reference does not pass the tests",
        "reference-slow": "the reference takes more than a twentieth of a limit",
        "no-reference": "there is no reference, so less can be checked",
        "contradiction": "two tests, or an example and a test, expect different answers of one call",
        "repeated-test": "a test stands there twice",
        "stub-passes": "code that raises in every function passes a test",
        "stub-answers": "a test catches what it does not expect, so that code that raises is paid for an answer",
        "vacuous-test": "a test passes whatever the answer is",
        "guessable": "answers that ignore the question pass more than a quarter of the hidden tests",
        "order": "a test passes only after, or only beside, another one",
        "weak-tests": "the tests let too many mutants of the reference live",
        "equivalents": "the list of equivalent mutants is not up to date",
        "duplicate": "two problems say the same",
        "near-duplicate": "two problems differ in a few words",
        "across-splits": "a problem of one split has its like in the other",
    }
)
"""The name of each check, and a description of its findings."""

NOTES = frozenset({"no-reference", "repeated-test", "stub-answers"})
"""Checks whose findings leave a set clean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A fault or a remark.

    Attributes:
        check: one of ``CHECKS``.
        problem_id: the problem's id; for an unusable row, its number.
        message: the details, in one line.
        test: name of the test, if it is about one.
    """

    check: str
    problem_id: str
    message: str
    test: str = ""

    @property
    def severity(self) -> Severity:
        return "note" if self.check in NOTES else "error"
