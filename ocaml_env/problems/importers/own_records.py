"""The rows written by this package: the fields of ``Problem``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches

from ocaml_env.errors import ProblemError
from ocaml_env.problem import Problem, Test
from ocaml_env.problem.record import problem_from_record
from ocaml_env.problems.importers.row import Column, Converted, Format, Reason, Record, Refused, Row
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["OWN_RECORDS"]

_FIELDS = [field.name for field in fields(Problem)]
_OF_A_TEST = frozenset(field.name for field in fields(Test))
_WHERE = "the record"
_TYPO = 0.75  # the least similarity of a misspelt name to a field


def _recognises(record: Record) -> bool:
    """True also for misspelt fields: the message about such a row then names them."""
    meant = {_field(str(name)): value for name, value in record.items()}
    tests = meant.get("tests")
    return {"id", "statement", "tests"} <= meant.keys() <= {*_FIELDS} and (
        isinstance(tests, list | tuple)
        and all(isinstance(test, str) or (isinstance(test, Mapping) and test.keys() <= _OF_A_TEST) for test in tests)
    )


def _field(name: str) -> str:
    return next(iter(get_close_matches(name, _FIELDS, n=1, cutoff=_TYPO)), name)


def _convert(row: Row, verifier: AuthoringVerifier) -> Converted:
    try:
        return Converted(problem=problem_from_record(row.record or {}, where=_WHERE))
    except ProblemError as error:
        message = str(error).removeprefix(f"{_WHERE}: ").removeprefix(f"problem {(row.record or {}).get('id')!r}: ")
        raise Refused(Reason.INVALID, message) from None


OWN_RECORDS = Format(
    name="ocaml-env",
    about="the JSONL of this package: the fields of Problem, with tests as a list of OCaml expressions",
    columns=(
        Column(("id",), "letters, digits and _ . : / -", needed=True),
        Column(("statement",), "the question, as Markdown", needed=True),
        Column(("tests",), "a list: expressions, or objects of code (or stdin, stdout), name, public", needed=True),
        Column(("signature",), "val lines; needed unless kind is program"),
        Column(("reference",), "a right answer"),
        Column(("prelude",), "OCaml in front of the tests; hidden"),
        Column(("level", "label"), "the difficulty, 1 to 6, or in your words"),
        Column(("topics",), "a list of texts"),
        Column(("split",), "train or eval"),
        Column(("kind",), "function, or program (from stdin to stdout)"),
        Column(("limits",), "an object: test_cpu_seconds, total_cpu_seconds, memory_mb, output_kb"),
        Column(("baseline",), "a list of whole numbers, written by audit --write: what giving up passes of each group"),
        Column(("complete_examples",), "true if the examples show every possible input"),
        Column(("float_tolerance",), "of numbers in the output of a program, absolute or relative"),
        Column(("source", "solve_rate"), "where it comes from; the share of attempts that passed"),
    ),
    recognises=_recognises,
    convert=_convert,
)
