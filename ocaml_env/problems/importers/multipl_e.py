r"""The rows of MultiPL-E's OCaml sets (``humaneval-ml``, ``mbpp-ml``): translated from Python by program.

    prompt       (**Adds.\n>>> add 1 2\n3\n * More than that.\n*)\nlet add (x : int) (y : int) : int =
    tests        let assertions =\n let candidate = add in\n  (assert ((candidate (1) (~1)) = 0));\n  ()
    stop_tokens  texts at which the benchmark ends a completion

Its negative numbers are those of Standard ML: ``~1`` is read as ``-1``, and counted. Even so, part of its tests does
not compile; the audit reports them.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ocaml_env.problems.importers.assertions import function_problem
from ocaml_env.problems.importers.columns import ANSWER, COMMON
from ocaml_env.problems.importers.fields import check_text, id_of, unpacked
from ocaml_env.problems.importers.row import Column, Converted, Format, Reason, Record, Refused, Row
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["MULTIPL_E"]

_OCAML = ("ml", "ocaml")
_TELLING = ("stop_tokens", "doctests", "prompt_terminology", "original")


def _recognises(record: Record) -> bool:
    return {"name", "prompt", "tests"} <= record.keys() and any(name in record for name in _TELLING)


def _convert(row: Row, verifier: AuthoringVerifier) -> Converted:
    record = row.record or {}
    check_text(record)
    if (language := record.get("language", "ml")) not in _OCAML:
        raise Refused(Reason.INVALID, f"its language is {language!r}, not 'ml'")
    if isinstance(prompt := record.get("prompt"), str):
        # Exactly the lines that were indented in Python begin with a star.
        record = {**record, "prompt": re.sub(r"^ \* ", "", prompt, flags=re.MULTILINE)}
    notes: list[str] = []
    converted = function_problem(row, record, id_of(row, notes, required=True, names=("name",)), verifier, notes)
    tokens = unpacked(record.get("stop_tokens")) or ()
    if not isinstance(tokens, list | tuple) or not all(isinstance(token, str) for token in tokens):
        raise Refused(Reason.MISSING, "the field 'stop_tokens' must be a list of strings")
    return replace(converted, stop_tokens=tuple(tokens))


MULTIPL_E = Format(
    name="multipl-e",
    about="rows of MultiPL-E: a header in a comment of Python's examples, and a block of assertions",
    columns=(
        Column(("name",), "the id", needed=True),
        Column(("prompt",), "a comment, and the beginning of a function", needed=True),
        Column(("tests",), "let assertions = ...", needed=True),
        Column(_TELLING, "one of these tells the format; stop_tokens are for --protocol multipl-e", needed=True),
        Column(("language",), "ml or ocaml"),
        Column(ANSWER, "an answer, whole or after the prompt"),
        *COMMON,
    ),
    recognises=_recognises,
    convert=_convert,
)
