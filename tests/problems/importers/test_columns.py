"""Questions in plain text, columns by other names, and data sets given as objects."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ocaml_env.errors import ConfigError
from ocaml_env.problems import load_problems
from ocaml_env.problems.importers import import_problems
from ocaml_env.verifiers.local import Verifier
from tests.problems.importers.rows import ADD, FIRST, Import, only, write_csv

TWICE = {
    "id": 1,
    "problem": "Write `twice`.\n\n>>> twice 2\n4",
    "solution": "let double x = x + x\nlet twice x = double x",
    "tests": "assert (twice 5 = 10)\nassert (twice 0 = 0)",
    "difficulty": "easy",
}


def test_a_question_a_solution_and_assertions_become_a_problem(imported: Import, verifier: Verifier) -> None:
    row, problem = only(imported(TWICE))
    assert (problem.id, problem.label, row.notes) == ("1", "easy", ())
    assert problem.statement == TWICE["problem"]
    assert problem.signature == "val twice : int -> int"
    assert [test.code for test in problem.tests] == ["twice 2 = 4", "(twice 5 = 10)", "(twice 0 = 0)"]
    assert verifier.verify(problem, problem.reference).passed
    assert not verifier.verify(problem, "let twice x = x").passed


def test_the_signature_has_each_function_under_test_and_its_types(imported: Import, verifier: Verifier) -> None:
    solution = "type t = A | B\nlet flip = function A -> B | B -> A\nlet all = [A; B]\nlet first l = List.hd l"
    row = TWICE | {"solution": solution, "tests": ["first [flip A] = B", "flip (first [B]) = A"]}
    _, problem = only(imported(row | {"problem": "Flip."}))
    assert " ".join(problem.signature.split()) == "type t = A | B val flip : t -> t val first : 'a list -> 'a"
    assert verifier.verify(problem, solution).passed


def test_a_column_of_signatures_goes_before_the_solution(imported: Import) -> None:
    row = TWICE | {"signature": "val twice : int -> int\n", "solution": "let twice = ( + ) 0"}
    assert only(imported(row | {"problem": "Double."}))[1].signature == "val twice : int -> int"


def test_a_comment_alone_is_a_question_in_plain_text(imported: Import) -> None:
    assert only(imported(TWICE | {"problem": "(** Doubles. *)"}))[1].statement == "Doubles."


@pytest.mark.parametrize(
    "tests",
    [
        "assert (twice 5 = 10); assert (twice 0 = 0)",
        "assert (twice 5 = 10);;\n\nassert (twice 0 = 0);;",
        "let () = assert (twice 5 = 10)\nlet () = assert (twice 0 = 0)",
        "let () =\n  assert (twice 5 = 10)\n  assert (twice 0 = 0)",
        "let () =\n  assert (twice 5 = 10);\n  assert (twice 0 = 0);\n  ()",
        "twice 5 = 10\ntwice 0 = 0\n",
        "twice 5 = 10;;\r\ntwice 0 = 0;;\r\n",
        '["twice 5 = 10", "assert (twice 0 = 0)"]',
        ["twice 5 = 10", "let () = assert (twice 0 = 0)"],
    ],
)
def test_assertions_are_read_in_every_usual_layout(tests: object, imported: Import, verifier: Verifier) -> None:
    row, problem = only(imported(TWICE | {"problem": "Double.", "tests": tests}))
    assert len(problem.tests) == 2
    assert row.notes == ()
    assert verifier.verify(problem, problem.reference).passed
    assert verifier.verify(problem, "let twice _ = 10").tests_passed == 1


def test_columns_have_other_names(tmp_path: Path, verifier: Verifier) -> None:
    theirs: dict[str, Any] = {"key": "add", "doc": ADD["prompt"], "checks": ADD["tests"], "prompt": "unused"}
    path = write_csv(tmp_path / "set.csv", [theirs])
    columns = {"id": "key", "prompt": "doc", "tests": "checks"}
    _, problem = only(list(import_problems(path, columns=columns, verifier=verifier)))
    same = only(list(import_problems([ADD], verifier=verifier)))[1]
    assert problem == replace(same, source="set.csv")
    assert load_problems(path, columns=columns, verifier=verifier).by_id["add"] == problem


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"promt": "doc"}, "no format has a column 'promt'; did you mean 'prompt'"),
        ({"prompt": "dok"}, "no column 'dok'"),
    ],
)
def test_an_unknown_column_is_refused(columns: dict[str, str], message: str, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "set.csv", [{"id": "a", "doc": "b", "tests": "c"}])
    with pytest.raises(ConfigError, match=message):
        list(import_problems(path, columns=columns))


def test_data_sets_and_saved_folders_are_sources(tmp_path: Path, verifier: Verifier) -> None:
    datasets = pytest.importorskip("datasets")
    one = datasets.Dataset.from_list([ADD, FIRST])
    both = datasets.DatasetDict(train=datasets.Dataset.from_list([ADD]), test=datasets.Dataset.from_list([FIRST]))
    assert [problem.id for problem in load_problems(one, verifier=verifier)] == ["add", "first"]
    assert [(problem.id, problem.split) for problem in load_problems(both, verifier=verifier)] == [
        ("add", "train"),
        ("first", "eval"),
    ]
    assert [row.row for row in import_problems(both, split="test", verifier=verifier)] == [1]
    with pytest.raises(ConfigError, match="has no split 'dev': it has train, test"):
        list(import_problems(both, split="dev"))
    for name, data in (("one", one), ("both", both)):
        data.save_to_disk(tmp_path / name)
        found = load_problems(tmp_path / name, verifier=verifier)
        assert [problem.id for problem in found] == ["add", "first"]
        assert {problem.source for problem in found} == {name}
    (tmp_path / "one" / "state.json").write_text("{}")
    with pytest.raises(ConfigError, match="cannot read the data set in"):
        load_problems(tmp_path / "one")
