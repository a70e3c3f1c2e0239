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
        "cut-off": "the statement is cut: a word, a sentence, a bracket or a fence is not finished",
        "short-statement": "the statement has next to no words",
        "does-not-compile": "a test, the prelude or the signature does not compile, or can never pass",
        "reference-fails": "the reference does not pass the tests",
        "reference-slow": "the reference clearly takes more than a twentieth of a limit (--write mends it)",
        "no-reference": "there is no reference, so less can be checked",
        "contradiction": "two tests, or an example and a test, expect different answers of one call",
        "repeated-test": "a test stands there twice",
        "stub-passes": "code that raises in every function passes a test",
        "stub-answers": "a test catches what it does not expect, so that code that raises is paid for an answer",
        "vacuous-test": "a test is true of every answer",
        "guessable": "an answer that ignores the question passes more hidden tests than chance explains",
        "lopsided": "hidden tests of a yes-or-no function, or one of few answers, mostly expect the same one",
        "not-complete": "examples are declared complete, and a table of them does not pass the hidden tests",
        "order": "a test passes only after, or only beside, another one",
        "weak-tests": "the tests let too many mutants of the reference live",
        "equivalents": "the list of equivalent mutants is not up to date",
        "duplicate": "two problems say the same",
        "near-duplicate": "two problems have nearly the same tests, or half of them and nearly the same words",
        "across-splits": "a problem of one split has its like in the other",
        "contaminated": "a set given by --against has the same statement, tests or reference",
    }
)
"""The name of each check, and a description of its findings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A fault or a remark.

    Attributes:
        check: one of ``CHECKS``.
        problem_id: the problem's id; for an unusable row, its number.
        message: the details, in one line.
        test: name of the test, if it is about one.
        severity: by the rules of the audit; an error makes a set unclean.
    """

    check: str
    problem_id: str
    message: str
    test: str = ""
    severity: Severity = "error"
