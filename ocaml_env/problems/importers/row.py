"""One row of a set on its way: what a reader found, what an importer makes of it, and what the caller is told."""

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
    """Why no problem came of a row, in the words that reports use."""

    UNREADABLE = "cannot be read"
    BAD_TEXT = "broken text"
    MISSING = "missing or empty field"
    PROMPT = "prompt without a usable header"
    TESTS = "tests that cannot be taken apart"
    DUPLICATE = "duplicate id"
    INVALID = "not a valid problem"


class Refused(Exception):
    """No problem can be made of a row: never leaves this package."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row as it was read.

    Attributes:
        number: its line or place, counted from 1; with the file or split before it where the set has several.
        origin: the set that it comes from, as ``Problem.source`` says it.
        record: its fields; None where it cannot be read.
        failure: why it cannot be read, where that is so.
        default_split: ``train``, ``eval`` or "", where the set and not the row says it.
    """

    number: int | str
    origin: str
    record: Record | None = None
    failure: Refused | None = None
    default_split: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """What an importer made of a row. The fields are those of ``Imported``."""

    problem: Problem
    notes: tuple[str, ...] = ()
    repaired: int = 0
    stop_tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way in which sets write their problems.

    Attributes:
        name: what ``import_problems`` calls it.
        needs: the columns that tell it from others, for messages.
        recognises: is this a row of it?
        convert: makes the problem, or raises ``Refused``.
    """

    name: str
    needs: str
    recognises: Callable[[Record], bool]
    convert: Callable[[Row, AuthoringVerifier], Converted]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What became of one row.

    Attributes:
        row: its line or place in the set, counted from 1; ``"FILE:3"`` or ``"SPLIT:3"`` where the set has several.
        id: of the row, as far as it could be read.
        problem: None where none can be made of it.
        error: why not, with row and id; "" where there is a problem.
        reason: the kind of error.
        notes: what was left out or changed, one sentence each.
        repaired: numbers written ``~1`` that were read as ``-1``.
        stop_tokens: where a benchmark ends a completion; for evaluators.
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
