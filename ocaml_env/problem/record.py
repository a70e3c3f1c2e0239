"""Problems as plain data, such as a JSON object or a table of settings. The data are checked before they are used."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.verdict import Diagnostic, Outcome, Stage, TestOutcome, Verdict

__all__ = ["nearest", "problem_from_record", "problem_summary", "problem_to_record", "verdict_from_record"]


def problem_to_record(problem: Problem) -> dict[str, Any]:
    """Returns the fields of the problem as plain strings, numbers, lists and dicts, for ``problem_from_record``."""
    return asdict(problem)


def problem_summary(problem: Problem) -> dict[str, Any]:
    """Returns the fields of a list of problems: the id, the place in the set, and the numbers of tests."""
    return {
        "id": problem.id,
        "split": problem.split,
        "level": problem.level,
        "label": problem.label,
        "kind": problem.kind,
        "topics": problem.topics,
        "tests": len(problem.tests),
        "hidden_tests": len(problem.hidden_tests),
    }


def problem_from_record(record: Mapping[str, object], *, where: str) -> Problem:
    """Makes a problem from plain data, after checking names and types.

    Args:
        record: fields of ``Problem``; tests as strings or mappings (or ``Test``), limits as a mapping.
        where: the place of the data, for messages.

    Raises:
        ProblemError: if a field is unknown, missing or of a wrong type; the message starts with ``where``.
    """
    given = record.get("id")
    problem_id = given if isinstance(given, str) else None
    try:
        return _problem(dict(record))
    except ProblemError as error:
        raise ProblemError(f"{where}: {error}", problem_id=problem_id, test=error.test) from None


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the most similar known name, or up to 20 known names."""
    known = list(known)
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known are {', '.join(known)}" if len(known) <= 20 else ""


def _problem(record: dict[str, Any]) -> Problem:
    _check_names("field", record, Problem)
    for name in ("id", "statement", "tests"):
        if name not in record:
            raise ProblemError(f"the field {name!r} is missing")
    topics, tests, baseline = record.get("topics", ()), record["tests"], record.get("baseline", ())
    kept = record.get("attempt_kept", ())
    if not isinstance(kept, list | tuple) or not all(isinstance(name, str) for name in kept):
        raise ProblemError(f"attempt_kept must be a list of names of tests, not {kept!r:.80}")
    if not isinstance(topics, list | tuple):
        raise ProblemError(f"topics must be a list of strings, not {topics!r}")
    for name in ("float_tolerance", "solve_rate"):
        value = record.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise ProblemError(f"{name} must be a number, not {value!r}")
    if not isinstance(baseline, list | tuple):
        raise ProblemError(f"baseline must be a list of numbers, one a group of tests, not {baseline!r}")
    if not isinstance(tests, list | tuple):
        raise ProblemError(f"tests must be a list, not {type(tests).__name__}")
    read = {
        "tests": [_test(test) for test in tests],
        "limits": _limits(record.get("limits")),
        "attempt_verdict": verdict_from_record(record.get("attempt_verdict")),
    }
    return Problem(**record | read)


def _test(value: object) -> str | Test:
    if isinstance(value, str | Test):
        return value
    if not isinstance(value, Mapping):
        raise ProblemError(f"a test must be a string or an object, not {value!r}")
    _check_names("field of a test", value, Test)
    if not isinstance(value.get("name", ""), str) or not isinstance(value.get("public", False), bool):
        raise ProblemError(f"a test's name must be a string, and its public true or false: {dict(value)!r}")
    return Test(**value)


def _limits(value: object) -> Limits:
    if value is None:
        return Limits()
    if isinstance(value, Limits):
        return value
    if not isinstance(value, Mapping):
        raise ProblemError(f"limits must be a table, not {value!r}")
    _check_names("limit", value, Limits)
    try:
        return Limits(**value)
    except ConfigError as error:
        raise ProblemError(str(error)) from None


def verdict_from_record(value: object) -> Verdict | None:
    """Makes a verdict from plain data; None gives None.

    Raises:
        ProblemError: if the data are not a verdict.
    """
    if value is None or isinstance(value, Verdict):
        return value
    if not isinstance(value, Mapping):
        raise ProblemError(f"attempt_verdict must be an object, not {value!r:.80}")
    _check_names("field of attempt_verdict", value, Verdict)
    try:
        tests = [_typed(TestOutcome(**test | {"outcome": Outcome(test["outcome"])})) for test in value.get("tests", ())]
        read = {
            "outcome": Outcome(value["outcome"]),
            "stage": Stage(value["stage"]),
            "diagnostics": tuple(_typed(Diagnostic(**diagnostic)) for diagnostic in value.get("diagnostics", ())),
            "tests": tuple(tests),
        }
        lists = {name: _texts(value[name]) for name in ("partial", "given", "sandbox") if name in value}
        return _typed(Verdict(**dict(value) | read | lists))
    except (KeyError, TypeError, ValueError) as error:
        raise ProblemError(f"attempt_verdict is no verdict: {error}") from None


_T = TypeVar("_T", Diagnostic, TestOutcome, Verdict)
_PLAIN: dict[object, type] = {"str": str, "int": int, "bool": bool}  # by the declared type of a field


def _typed(value: _T) -> _T:
    """Returns the value, after checking the types of its texts, whole numbers and booleans."""
    for field in fields(value):
        found = getattr(value, field.name)
        if field.type in _PLAIN and type(found) is not _PLAIN[field.type]:
            raise TypeError(f"{field.name} must be of type {field.type}, not {found!r:.40}")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
        raise TypeError(f"{value!r:.40} is no list of texts")
    return tuple(value)


def _check_names(what: str, values: Mapping[str, object], cls: type) -> None:
    known = [field.name for field in fields(cls)]
    for name in values:
        if name not in known:
            raise ProblemError(f"unknown {what} {name!r}{nearest(name, known)}")
