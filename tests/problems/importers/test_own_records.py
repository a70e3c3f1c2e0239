"""Importing rows written by this project."""

from __future__ import annotations

from pathlib import Path

from ocaml_env.problem import Problem
from ocaml_env.problems import to_jsonl
from ocaml_env.problems.importers import import_problems
from ocaml_env.verifiers.local import Verifier
from tests.problems.importers.rows import Import, only


def test_own_records_are_imported_unchanged(tmp_path: Path, problems: tuple[Problem, ...], verifier: Verifier) -> None:
    path = tmp_path / "own.jsonl"
    to_jsonl(problems, path)
    assert [row.problem for row in import_problems(path, verifier=verifier)] == list(problems)


def test_a_handwritten_own_record_keeps_its_limits_names_and_tolerance(imported: Import) -> None:
    record = {
        "id": "half",
        "kind": "program",
        "statement": "Print half of n.",
        "float_tolerance": 0.001,
        "limits": {"test_cpu_seconds": 2, "total_cpu_seconds": 8},
        "tests": [
            {"stdin": "3\n", "stdout": "1.5\n", "name": "odd", "public": True},
            {"stdin": "4\n", "stdout": "2\n"},
        ],
    }
    _, problem = only(imported(record))
    assert (problem.float_tolerance, problem.limits.total_cpu_seconds) == (0.001, 8.0)
    assert [test.name for test in problem.tests] == ["odd", "test 2"]


def test_a_bad_own_record_is_refused_and_the_others_stay(imported: Import) -> None:
    own = {"id": "a", "statement": "s", "signature": "val f : int -> int", "tests": ["f 1 = 1"]}
    good, bad = imported(own, own | {"id": "b", "tests": []})
    assert good.problem is not None
    assert bad.error == "row 2, id 'b': it has no tests: give at least one"
