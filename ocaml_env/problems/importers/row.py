"""One row of a set at each step: as read, as converted, and as reported to the caller."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ocaml_env.problem import Problem
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["Converted", "Format", "Imported", "Reason", "Record", "Refused", "Row"]

Record = Mapping[str, Any]


class Reason(enum.StrEnum):
    """The reasons for which a row gives no problem, in the words of reports."""

    UNREADABLE = "cannot be read"
    BAD_TEXT = "broken text"
    MISSING = "missing or empty field"
    PROMPT = "prompt without a usable header"
    TESTS = "tests that cannot be taken apart"
    DUPLICATE = "duplicate id"
    INVALID = "not a valid problem"


class Refused(Exception):
    """The row gives no problem. This exception never leaves the package."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row as read.

    Attributes:
        number: its line or place, counted from 1; with the file or split before it if the set has several.
        origin: its set, in the words of ``Problem.source``.
        record: its fields; None if it cannot be read.
        failure: the reason if it cannot be read.
        default_split: ``train``, ``eval`` or "", as given by the set.
    """

    number: int | str
    origin: str
    record: Record | None = None
    failure: Refused | None = None
    default_split: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """The result of an importer for a row. The fields are those of ``Imported``."""

    problem: Problem
    notes: tuple[str, ...] = ()
    repaired: int = 0
    stop_tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format of problem sets.

    Attributes:
        name: the name for ``import_problems``.
        needs: the columns that distinguish it, for messages.
        recognises: returns True for a row of this format.
        convert: makes the problem, or raises ``Refused``.
    """

    name: str
    needs: str
    recognises: Callable[[Record], bool]
    convert: Callable[[Row, AuthoringVerifier], Converted]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The result for one row.

    Attributes:
        row: its line or place in the set, counted from 1; ``"FILE:3"`` or ``"SPLIT:3"`` if the set has several.
        id: of the row, as far as it could be read.
        problem: None if the row gives none.
        error: the reason, with row and id; "" if there is a problem.
        reason: the kind of error.
        notes: omissions and changes, one sentence each.
        repaired: count of numbers written ``~1`` and read as ``-1``.
        stop_tokens: texts at which a benchmark ends a completion; for evaluators.
        raw: the row itself.
    """

    row: int | str
    id: str = ""
    problem: Problem | None = None
    error: str = ""
    reason: Reason | None = None
    notes: tuple[str, ...] = ()
    repaired: int = 0
    stop_tokens: tuple[str, ...] = ()
    raw: Record | None = field(default=None, repr=False, hash=False)
