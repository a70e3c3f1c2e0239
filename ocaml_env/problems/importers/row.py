"""One row of a set at each step: as read, as converted, and as reported to the caller."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ocaml_env.problem import Problem
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["Column", "Converted", "Format", "Imported", "Part", "Reason", "Record", "Refused", "Row"]

Record = Mapping[str, Any]


class Reason(enum.StrEnum):
    """The reasons for which a row gives no problem, in the words of reports."""

    UNREADABLE = "cannot be read"
    BAD_TEXT = "broken text"
    MISSING = "missing or empty field"
    PROMPT = "prompt without a usable header"
    TYPE = "no type of the function"
    TESTS = "tests that cannot be taken apart"
    TILDE = "numbers written ~1"
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


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a source, or a split of it. Its rows have one format.

    Attributes:
        name: for reports.
        rows: read once.
        one_of_many: True if a part that cannot be read must leave the others.
    """

    name: str
    rows: Iterable[Row]
    one_of_many: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """The result of an importer for a row. The fields are those of ``Imported``."""

    problem: Problem
    notes: tuple[str, ...] = ()
    repaired: int = 0
    stop_tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a format.

    Attributes:
        names: the names under which it is looked for; the first present one is read.
        meaning: its content, for the help and the documentation.
        needed: False if a row may lack it.
    """

    names: tuple[str, ...]
    meaning: str
    needed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format of problem sets.

    Attributes:
        name: the name for ``import_problems``.
        about: one sentence for the help and the documentation.
        columns: its columns, needed ones first.
        recognises: returns True for a row of this format.
        convert: makes the problem, or raises ``Refused``.
    """

    name: str
    about: str
    columns: tuple[Column, ...]
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
