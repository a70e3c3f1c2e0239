"""Rows of a statement with inputs and expected outputs of a program, in the usual forms.

The statement is ``question``, ``prompt``, ``statement``, ``description`` or ``problem``. The pairs are one of

- ``input_output``: ``{"inputs": [...], "outputs": [...]}``, mostly as JSON text;
- ``inputs`` and ``outputs``: lists;
- ``tests``: a list of ``{"input": ..., "output": ...}``;
- ``public_tests``, ``private_tests`` and ``generated_tests``: each ``{"input": [...], "output": [...]}``; public tests
  are examples.

``solution`` or ``solutions`` may hold answers; those in other languages are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ocaml_env.errors import ProblemError
from ocaml_env.problem import Test
from ocaml_env.problems.importers.columns import COMMON, IDS
from ocaml_env.problems.importers.fields import (
    check_text,
    id_of,
    label_of,
    make_problem,
    split_of,
    text_of,
    topics_of,
    unpacked,
    unseen,
)
from ocaml_env.problems.importers.row import Column, Converted, Format, Reason, Record, Refused, Row
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["STDIN_STDOUT"]

_STATEMENT = ("question", "prompt", "statement", "description", "problem")
_INPUT = ("input", "stdin", "inputs")
_OUTPUT = ("output", "stdout", "expected_output", "outputs")
_BY_AUDIENCE = ("public_tests", "private_tests", "generated_tests")
_TRIED_SOLUTIONS = 3


def _recognises(record: Record) -> bool:
    tests = unpacked(record.get("tests"))
    return any(record.get(name) is not None for name in _STATEMENT) and (
        "input_output" in record
        or {"inputs", "outputs"} <= record.keys()
        or any(name in record for name in _BY_AUDIENCE)
        or (isinstance(tests, list | tuple) and bool(tests) and _is_pair(tests[0]))
    )


def _is_pair(value: object) -> bool:
    return isinstance(value, Mapping) and any(name in value for name in ("input", "stdin")) and "code" not in value


def _convert(row: Row, verifier: AuthoringVerifier) -> Converted:
    record = row.record or {}
    check_text(record)
    notes: list[str] = []
    problem_id = id_of(row, notes)
    given = list(_tests(record))
    public = [test for test in given if test.public]
    kept = {id(test) for test in unseen(public, [test for test in given if not test.public], notes)}
    tests = [test for test in given if test.public or id(test) in kept]
    problem = make_problem(
        id=problem_id,
        kind="program",
        statement=text_of(record, *_STATEMENT).strip(),
        tests=tests,
        reference=_reference(record, verifier, notes),
        label=label_of(record),
        topics=topics_of(record),
        split=split_of(row, notes),
        source=row.origin,
    )
    return Converted(problem=problem, notes=tuple(notes))


# --- the pairs --------------------------------------------------------------------------------------------------------


def _tests(record: Record) -> Iterator[Test]:
    given = [(name, unpacked(record[name])) for name in _BY_AUDIENCE if record.get(name)]
    if record.get("input_output") is not None:
        given = [("input_output", unpacked(record["input_output"]))]
    elif record.get("inputs") is not None:
        given = [("inputs", {name: unpacked(record.get(name)) for name in ("inputs", "outputs")})]
    elif record.get("tests") is not None:
        given = [("tests", unpacked(record["tests"]))]
    found = False
    for field, value in given:
        for test in _pairs(field, value):
            found = True
            yield test
    if not found:
        raise Refused(Reason.MISSING, "it has no pair of input and output")


def _pairs(field: str, value: Any) -> Iterator[Test]:
    if isinstance(value, list | tuple):
        for item in value:
            if not isinstance(item, Mapping):
                raise Refused(Reason.TESTS, f"the field {field!r} must hold objects with input and output")
            yield _test(field, _first(field, item, _INPUT), _first(field, item, _OUTPUT), _is_public(field, item))
        return
    if not isinstance(value, Mapping):
        raise Refused(Reason.TESTS, f"the field {field!r} holds no inputs and outputs: {str(value)[:60]!r}")
    if value.get("fn_name"):
        raise Refused(Reason.TESTS, f"its tests call the function {value['fn_name']!r} and not a program")
    inputs, outputs = _first(field, value, _INPUT), _first(field, value, _OUTPUT)
    if not isinstance(inputs, list | tuple) or not isinstance(outputs, list | tuple):
        raise Refused(Reason.TESTS, f"inputs and outputs in {field!r} must be lists")
    if len(inputs) != len(outputs):
        raise Refused(Reason.TESTS, f"the field {field!r} has {len(inputs)} inputs and {len(outputs)} outputs")
    for stdin, stdout in zip(inputs, outputs, strict=True):
        yield _test(field, stdin, stdout, field == "public_tests")


def _is_public(field: str, item: Mapping[str, Any]) -> bool:
    """True only if the test says so explicitly: a hidden test must not get into a prompt."""
    public = item.get("public")
    if public is None:
        return False
    if not isinstance(public, bool):
        raise Refused(Reason.TESTS, f"`public` of a test in {field!r} is true or false, not {str(public)[:40]!r}")
    return public


def _first(field: str, value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    name = next((name for name in names if value.get(name) is not None), None)
    if name is None:
        raise Refused(Reason.TESTS, f"a test in {field!r} has no {names[0]}")
    return value[name]


def _test(field: str, stdin: Any, stdout: Any, public: bool) -> Test:
    return Test(stdin=_stream(field, stdin), stdout=_stream(field, stdout), public=public)


def _stream(field: str, value: Any) -> str:
    """Text, or a list of its lines, or a number."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(line, str | int | float) for line in value):
        return "".join(f"{line}\n" for line in value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value}\n"
    raise Refused(Reason.TESTS, f"an input or output in {field!r} must be text, not {type(value).__name__}")


# --- the solution -----------------------------------------------------------------------------------------------------


def _reference(record: Record, verifier: AuthoringVerifier, notes: list[str]) -> str:
    given = next((record[name] for name in ("solution", "solutions", "reference") if record.get(name)), None)
    value = unpacked(given)
    if isinstance(value, Mapping):  # {"language": [...], "solution": [...]}
        value = value.get("solution")
    items = value if isinstance(value, list | tuple) else [value]
    solutions = [item for item in items if isinstance(item, str) and item.strip()]
    for solution in solutions[:_TRIED_SOLUTIONS]:
        # Many a line of other languages parses as OCaml: `print(input())` is an application.
        if not re.search(r"\blet\b|;;", solution):
            continue
        try:
            verifier.split_tests(solution)  # parses any OCaml
        except ProblemError:
            continue
        return solution
    if solutions:
        notes.append("its solution is not OCaml: left out")
    return ""


STDIN_STDOUT = Format(
    name="stdin-stdout",
    about="programs: inputs and expected outputs",
    columns=(
        Column(_STATEMENT, "the question", needed=True),
        Column(
            ("input_output", "inputs", "tests", *_BY_AUDIENCE),
            "input_output: {inputs: [...], outputs: [...]}, also as JSON text; inputs beside outputs: lists; tests: a "
            "list of {input, output}; ..._tests: {input: [...], output: [...]}, public ones are examples",
            needed=True,
        ),
        Column(IDS, "by default the number of the row"),
        Column(("solution", "solutions", "reference"), "an answer in OCaml, or several"),
        *COMMON,
    ),
    recognises=_recognises,
    convert=_convert,
)
