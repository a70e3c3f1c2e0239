"""Excerpts of problems and samples for the page: plain values of bounded length, safe to show.

Completions are hostile text. This module spells out control and invisible characters in every string, and the script
puts strings on the page as text only. A cut text states the length of the missing part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ocaml_env.display.terminal import code_frame, printable
from ocaml_env.episode import MAX_COMPLETION_LENGTH
from ocaml_env.evaluation.record import Lead, Record
from ocaml_env.evaluation.tally import error_of
from ocaml_env.extract import Reason, extract
from ocaml_env.problem import Kind, Problem
from ocaml_env.rollout import Rollout
from ocaml_env.verdict import Diagnostic, Outcome

__all__ = ["OUTCOMES", "cut", "of_problem", "of_sample"]

OUTCOMES = tuple(outcome.value for outcome in Outcome)
"""Outcomes; records on the page name them by index."""

_CODE, _PROSE, _MESSAGE = 16_000, 5_000, 600  # characters
_LINES, _LINE = 500, 1_000
_TURNS, _DIAGNOSTICS = 10, 20
_STATEMENT, _TEST, _TESTS, _DETAIL = 10_000, 1_200, 200, 700

_END_OF_LINE = re.compile(r"\r\n?")


def of_problem(problem: Problem) -> dict[str, Any]:
    """Returns the problem's statement and tests."""
    return {
        "statement": _text(problem.statement.strip(), _STATEMENT),
        "signature": _text(problem.signature.strip(), _CODE),
        "prelude": _text(problem.prelude.strip(), _CODE),
        "tests": [
            {"name": cut(test.name, 80), "public": test.public}
            | (
                {"code": _text(test.code, _TEST)}
                if problem.kind == "function"
                else {"stdin": _text(test.stdin or "", _TEST), "stdout": _text(test.stdout or "", _TEST)}
            )
            for test in problem.tests[:_TESTS]
        ],
    }


def of_sample(record: Record, problem: Problem | None) -> dict[str, Any]:
    """Returns the excerpt of a finished sample."""
    kept = record.turns[-_TURNS:]
    names = [] if problem is None else [test.name for test in problem.tests]
    tests = record.tests if names == [test.name for test in record.tests] else None
    lead = record.protocol.lead if record.protocol else None
    wanted = problem.wanted if problem else ()
    seconds = record.latency
    return {
        "sample": record.sample,
        "outcome": OUTCOMES.index(record.last.outcome),
        "solved": record.solved_at,
        "tokens": record.tokens,
        "seconds": None if seconds is None else round(seconds, 2),
        "tests": None if tests is None else [OUTCOMES.index(test.outcome) for test in tests[:_TESTS]],
        "details": {str(i): cut(test.detail, _DETAIL) for i, test in enumerate(tests or ()) if test.detail},
        "earlier": len(record.turns) - len(kept),
        "turns": [_turn(turn, record.kind, wanted=wanted, lead=lead, limit=_CODE // len(kept)) for turn in kept],
    }


def cut(text: str, limit: int) -> str:
    """Returns one text, safe to show, with the length of the missing part."""
    shown, more = _excerpt(text, limit)
    return f"{shown} … ({more:,} more characters)" if more else shown


def _turn(turn: Rollout, kind: Kind, *, wanted: Sequence[str], lead: Lead | None, limit: int) -> dict[str, Any]:
    """One turn; ``lead`` measures the text before the completion, if both were evaluated as one text."""
    text = _END_OF_LINE.sub("\n", turn.completion)
    read = len(turn.completion) <= MAX_COMPLETION_LENGTH
    extraction = extract(turn.completion if read else "", wanted=wanted, truncated=turn.truncated, kind=kind)
    if lead is not None and read:
        extraction = replace(extraction, code=text, reason=Reason.NONE)
    place = None if extraction.code is None else _around(text, extraction.code)
    before, after = place or (text, "")
    code = extraction.code or ""
    shown: dict[str, Any] = {
        "outcome": OUTCOMES.index(turn.outcome),
        "total": round(turn.total, 4),
        "parts": {name: round(part, 4) for name, part in turn.parts.items()},
        "passed": turn.tests_passed,
        "of": turn.tests_total,
        "truncated": turn.truncated,
        "before": _text(before, min(_PROSE, limit)),
        "code": _text(code, limit),
        "after": _text(after, min(_PROSE, limit)),
        "apart": extraction.code is not None and place is None,
        "reason": extraction.reason.value if read else f"more than {MAX_COMPLETION_LENGTH:,} characters are not read",
    }
    lines = code.split("\n")
    visible = shown["code"]["text"].count("\n") + 1 if shown["code"] else 0
    found = [_placed(found, lead, len(lines)) for found in turn.diagnostics[:_DIAGNOSTICS]]
    shown["diagnostics"] = [_diagnostic(error, lines, visible, code) for error in found]
    shown["more"] = max(0, len(turn.diagnostics) - _DIAGNOSTICS)
    return shown


def _placed(found: Diagnostic, lead: Lead | None, lines: int) -> Diagnostic:
    """A message with its place in the completion; without a place if it is about the text before or after."""
    if lead is None:
        return found
    line = found.line - lead.lines
    column = found.column - (lead.bytes if line == 1 else 0)
    there = 1 <= line <= lines and column >= 0
    return replace(found, line=line if there else 0, column=column if there else 0)


def _diagnostic(found: Diagnostic, lines: Sequence[str], visible: int, code: str) -> dict[str, Any]:
    """One message, with its place in the shown code; with a frame of code if that line is not shown."""
    kind, name = error_of(found)
    shown = {
        "kind": cut(kind, 80),
        "name": cut(name, 80),
        "message": cut(found.message, _MESSAGE),
        "line": found.line,
        "column": found.column,
        "cascade": found.cascade,
    }
    if not 1 <= found.line <= len(lines):
        return shown
    line = lines[found.line - 1]
    before = line.encode("utf-8", "surrogatepass")[: max(found.column, 0)].decode("utf-8", "replace")
    at = len(printable(before))
    if found.line <= visible and at < min(_LINE, len(printable(line[:_LINE])) + 1):
        return shown | {"at": at}
    return shown | {"frame": "\n".join(code_frame(code, found.line, found.column, width=80))}


def _around(text: str, code: str) -> tuple[str, str] | None:
    """The text before and after the code in a completion; None if the completion does not contain the code's lines."""
    place = _last(text, code)
    if place is not None:
        return text[:place], text[place + len(code) :]
    lines = text.split("\n")
    # An indented block loses its indentation.
    bare = "\n".join(line.strip() for line in lines)
    place = _last(bare, "\n".join(line.strip() for line in code.split("\n")))
    if place is None:
        return None
    first = bare.count("\n", 0, place)
    return "\n".join([*lines[:first], ""]), "\n".join(["", *lines[first + code.count("\n") + 1 :]])


def _last(text: str, part: str) -> int | None:
    """The last place of a part. Searches the reversed text: ``find`` takes linear time, ``rfind`` does not."""
    place = text[::-1].find(part[::-1])
    return None if place < 0 else len(text) - place - len(part)


def _text(text: str, limit: int) -> dict[str, Any] | None:
    if not text:
        return None
    shown, more = _excerpt(text, limit)
    return {"text": shown, "more": more} if more else {"text": shown}


def _excerpt(text: str, limit: int) -> tuple[str, int]:
    """The beginning of a text, and the number of missing characters. A long line ends in dots."""
    lines = text.split("\n", _LINES)
    short = len(text) < limit and len(lines) <= _LINES and max(map(len, lines)) <= _LINE
    if short and printable(flat := text.replace("\n", " ")) == flat:
        return text, 0  # the usual case
    rows, left, kept = [], limit, 0
    for row in lines[:_LINES]:
        if left <= 0:
            break
        shown = printable(row[: min(_LINE, left)])
        rows.append(shown if len(row) <= min(_LINE, left) else shown + " …")
        kept += min(len(row), _LINE, left) + 1
        left -= len(shown) + 1
    return "\n".join(rows), max(0, len(text) - kept)
