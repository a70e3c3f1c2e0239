"""Finds the fields of a foreign row under their usual names, and checks them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Literal

from ocaml_env.errors import ProblemError
from ocaml_env.problem import Problem, Test
from ocaml_env.problems.importers.columns import IDS
from ocaml_env.problems.importers.row import Reason, Record, Refused, Row

__all__ = [
    "check_text",
    "id_of",
    "label_of",
    "make_problem",
    "one_line",
    "optional_text",
    "split_of",
    "text_of",
    "topics_of",
    "unpacked",
    "unseen",
]

_SPLITS: dict[str, Literal["train", "eval"]] = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("eval", "evaluation", "test", "testing", "validation", "valid", "val", "dev"), "eval"),
}
_PARENTHESES = 4  # to remove around an expression; each costs a pass over all of it


def check_text(value: object, where: str = "") -> None:
    """Refuses NUL bytes and remains of bytes that are not UTF-8, anywhere in a row."""
    if isinstance(value, str):
        if "\0" in value:
            raise Refused(Reason.BAD_TEXT, f"{where or 'the row'} has a NUL byte")
        if not value.isascii() and re.search("[\ud800-\udfff]", value):
            raise Refused(Reason.BAD_TEXT, f"{where or 'the row'} is not UTF-8 text")
    elif isinstance(value, bytes):
        raise Refused(Reason.BAD_TEXT, f"{where or 'the row'} holds bytes and not text")
    elif isinstance(value, Mapping):
        for name, item in value.items():
            check_text(item, where or f"the field {name!r}")
    elif isinstance(value, list | tuple):
        for item in value:
            check_text(item, where)


def text_of(record: Record, *names: str) -> str:
    """The first of these fields that is present."""
    name = next((name for name in names if record.get(name) is not None), None)
    if name is None and (empty := [name for name in names if name in record]):
        raise Refused(Reason.MISSING, f"the field {empty[0]!r} is empty")
    if name is None:
        wanted = repr(names[0]) if len(names) == 1 else f"{', '.join(map(repr, names[:-1]))} or {names[-1]!r}"
        close = next((found for name in names for found in get_close_matches(name, map(str, record), n=1)), None)
        hint = f"is {close!r} meant to be it?" if close else f"it has {', '.join(map(repr, record)) or 'none'}"
        raise Refused(Reason.MISSING, f"the field {wanted} is missing; {hint}")
    value = record[name]
    if not isinstance(value, str):
        raise Refused(Reason.MISSING, f"the field {name!r} must be text, not {type(value).__name__}")
    if not value.strip():
        raise Refused(Reason.MISSING, f"the field {name!r} is empty")
    return value


def optional_text(record: Record, *names: str) -> str:
    """The first of these fields that holds text; "" if none does."""
    values = (record.get(name) for name in names)
    return next((value for value in values if isinstance(value, str) and value.strip()), "")


def unpacked(value: object) -> Any:
    """A value from JSON text, for formats such as CSV; other text unchanged."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def id_of(row: Row, notes: list[str], *, required: bool = False, names: tuple[str, ...] = IDS) -> str:
    """The row's id, in characters allowed for problems; if there is none, one made of its number."""
    record = row.record or {}
    given = next((record[name] for name in names if record.get(name) not in (None, "")), None)
    if given is None or (isinstance(given, str) and not given.strip()):
        if required:
            empty = next((name for name in names if name in record), None)
            raise Refused(Reason.MISSING, f"the field {(empty or names[0])!r} is {'empty' if empty else 'missing'}")
        given = f"row-{row.number}"
    elif isinstance(given, bool) or not isinstance(given, str | int):
        raise Refused(Reason.MISSING, f"the id must be text or a number, not {type(given).__name__}")
    text = str(given).strip()
    allowed = re.sub(r"[^A-Za-z0-9_.:/-]", "_", text).lstrip("_.:/-")[:200] or f"row-{row.number}"
    if allowed != text:
        notes.append(f"its id {text!r} has become {allowed!r}")
    return allowed


def label_of(record: Record) -> str:
    """The row's difficulty in its own words; "" if none."""
    given = record.get("difficulty")
    return str(given).strip() if isinstance(given, str | int | float) else ""


def topics_of(record: Record) -> tuple[str, ...]:
    """Topics from a list, a list in JSON, or names with commas between them."""
    given = unpacked(next((record[name] for name in ("topics", "tags") if record.get(name)), ()))
    items = given.split(",") if isinstance(given, str) else given if isinstance(given, list | tuple) else ()
    names = (item.strip() for item in items if isinstance(item, str))
    return tuple(dict.fromkeys(name for name in names if name))


def split_of(row: Row, notes: list[str]) -> str:
    """The split given by the row, or else by the set: ``train``, ``eval`` or ""."""
    given = (row.record or {}).get("split") or row.default_split
    known = _SPLITS.get(str(given).strip().lower(), "")
    if given and not known:
        notes.append(f"the split {given!r} is neither for training nor for evaluation: left out")
    return known


def one_line(text: str) -> str:
    """The text shortened to one line, for a note."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."


def make_problem(**fields: Any) -> Problem:
    """A problem. Raises ``Refused`` with the message of ``ProblemError``."""
    try:
        return Problem(**fields)
    except ProblemError as error:
        raise Refused(Reason.INVALID, str(error).removeprefix(f"problem {fields.get('id')!r}: ")) from None


def unseen(public: Sequence[Test], hidden: Iterable[Test], notes: list[str]) -> list[Test]:
    """The hidden tests without repetitions of examples: these would reward an answer that memorises the examples."""
    shown = {_asked(test) for test in public}
    given = list(hidden)
    kept = [test for test in given if _asked(test) not in shown]
    if len(kept) < len(given):
        notes.append(f"{len(given) - len(kept)} of {len(given)} hidden tests repeat an example, and are left out")
    return kept


def _asked(test: Test) -> str:
    """The question of a test: its input, or its expression without outer parentheses and with single blanks."""
    if test.stdin is not None:
        return test.stdin
    code = " ".join(test.code.split())
    for _ in range(_PARENTHESES):
        if not code.startswith("(") or _closing(code) != len(code) - 1:
            break
        code = code[1:-1].strip()
    return code


def _closing(code: str) -> int:
    """The place at which the first parenthesis closes, by counting."""
    depth = 0
    for place, char in enumerate(code):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return place
    return -1
