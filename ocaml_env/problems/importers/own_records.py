"""The rows written by this package: the fields of ``Problem``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from ocaml_env.errors import ProblemError
from ocaml_env.problem import Problem, Test
from ocaml_env.problem.record import problem_from_record
from ocaml_env.problems.importers.fields import check_text
from ocaml_env.problems.importers.row import Converted, Format, Reason, Record, Refused, Row
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["OWN_RECORDS"]

_FIELDS = frozenset(field.name for field in fields(Problem))
_OF_A_TEST = frozenset(field.name for field in fields(Test))
_WHERE = "the record"


def _recognises(record: Record) -> bool:
    tests = record.get("tests")
    return {"id", "statement", "tests"} <= record.keys() <= _FIELDS and (
        isinstance(tests, list | tuple)
        and all(isinstance(test, str) or (isinstance(test, Mapping) and test.keys() <= _OF_A_TEST) for test in tests)
    )


def _convert(row: Row, verifier: AuthoringVerifier) -> Converted:
    check_text(row.record)
    try:
        return Converted(problem=problem_from_record(row.record or {}, where=_WHERE))
    except ProblemError as error:
        message = str(error).removeprefix(f"{_WHERE}: ").removeprefix(f"problem {(row.record or {}).get('id')!r}: ")
        raise Refused(Reason.INVALID, message) from None


OWN_RECORDS = Format(
    name="ocaml-env", needs="id, statement, tests (fields of Problem)", recognises=_recognises, convert=_convert
)
