"""Importers: what becomes of the rows of other people's sets, good and bad."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problem import Problem
from ocaml_env.problems import load_problems, to_jsonl
from ocaml_env.problems.importers import FORMATS, Imported, Reason, import_problems
from ocaml_env.problems.importers.doc_prompt import comment_text
from ocaml_env.verifier import Verifier

ADD = {
    "id": "add",
    "prompt": (
        "(** [add x y] is the sum.\n\n    >>> add 1 2\n    3\n    >>> add (-1) 1\n    0\n*)\n"
        "let add (x : int) (y : int) : int ="
    ),
    "tests": "let () =\n  assert (add 20 1 = 21);\n  assert (add 0 0 = 0)\n",
}
FIRST = {
    "id": "first",
    "prompt": "(** The first element, or [None].\n >>> first [1; 2]\n Some 1 *)\nlet first (l : 'a list) : 'a option =",
    "tests": 'let () = assert (first [] = None); assert (first ["a"] = Some "a")',
}
SUB = {
    "name": "HumanEval_900_sub",
    "language": "ml",
    "prompt": (
        "(**Subtract y from x.\n * >>> sub (1) (2)\n * (~1)\n * >>> sub (~3) (0)\n * (~3)\n*)\n"
        "let sub (x : int) (y : int) : int ="
    ),
    "doctests": "transform",
    "original": "HumanEval_900_sub.py",
    "prompt_terminology": "reworded",
    "tests": (
        "let assertions =\n let candidate = sub in\n"
        "  (assert ((candidate (1) (1)) = (0)));\n  (assert ((candidate (~5) (2)) = (~7)));\n  ()\n\n"
    ),
    "stop_tokens": ["\n\n", "\n(*", "\ntype", "\nlet"],
}
ECHO = {
    "question": "Print the line that you read.",
    "input_output": json.dumps({"inputs": ["a\n", "b\n"], "outputs": ["a\n", "b\n"]}),
    "difficulty": "introductory",
}


def jsonl(path: Path, rows: Iterable[object]) -> Path:
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    return path


@pytest.fixture
def imported(tmp_path: Path, verifier: Verifier) -> Callable[..., list[Imported]]:
    """Imports rows that are written to a JSONL file."""

    def do(*rows: object, **options: Any) -> list[Imported]:
        path = jsonl(tmp_path / "rows.jsonl", rows)
        return list(import_problems(path, verifier=verifier, **options))

    return do


def only(rows: list[Imported]) -> tuple[Imported, Problem]:
    [row] = rows
    assert row.problem is not None, row.error
    return row, row.problem


Import = Callable[..., list[Imported]]


# --- commented headers and assertions ---------------------------------------------------------------------------------


def test_a_prompt_and_a_block_of_assertions_become_a_problem(imported: Import, verifier: Verifier) -> None:
    row, problem = only(imported(ADD | {"solution": "  x + y", "difficulty": "Easy", "topics": "numbers, sums"}))
    assert (row.row, row.id, row.error, row.notes, row.repaired) == (1, "add", "", (), 0)
    assert problem.statement == "[add x y] is the sum.\n\n>>> add 1 2\n3\n>>> add (-1) 1\n0"
    assert problem.signature == "val add : int -> int -> int"
    assert [test.code for test in problem.public_tests] == ["add 1 2 = 3", "add (-1) 1 = 0"]
    assert [test.code for test in problem.hidden_tests] == ["(add 20 1 = 21)", "(add 0 0 = 0)"]
    assert (problem.difficulty, problem.topics, problem.source) == ("easy", ("numbers", "sums"), "rows.jsonl")
    assert verifier.verify(problem, problem.reference).passed


@pytest.mark.parametrize(
    "solution",
    ["let add x y = x + y", "let helper = ( + )\nlet add x y = helper x y", "  let sum = x + y in\n  sum"],
)
def test_a_solution_may_be_the_whole_function_or_the_rest_of_it(
    solution: str, imported: Import, verifier: Verifier
) -> None:
    row, problem = only(imported(ADD | {"reference": solution}))
    assert (row.notes, verifier.verify(problem, problem.reference).passed) == ((), True)


def test_a_solution_that_defines_something_else_is_kept_and_noted(imported: Import) -> None:
    row, problem = only(imported(ADD | {"solution": "let ad x y = x + y"}))
    assert (problem.reference, row.notes) == (
        "let ad x y = x + y",
        ("its solution is no definition of add that compiles",),
    )


def test_a_polymorphic_header_keeps_its_variables(imported: Import, verifier: Verifier) -> None:
    _, problem = only(imported(FIRST))
    assert problem.signature == "val first : 'a list -> 'a option"
    assert problem.public_tests[0].code == "first [1; 2] = Some 1"
    assert verifier.verify(problem, "let first = function [] -> None | x :: _ -> Some x").passed


def test_types_of_the_prompt_belong_to_the_signature(imported: Import, verifier: Verifier) -> None:
    prompt = (
        "type tree = Leaf | Node of tree * tree\n(** Counts.\n >>> count (Node (Leaf, Leaf))\n 2 *)\n"
        "let rec count (t : tree) : int ="
    )
    row, problem = only(imported(ADD | {"prompt": prompt, "tests": "assert (count Leaf = 1)"}))
    assert (row.notes, len(problem.public_tests)) == ((), 1)
    code = (
        "type tree = Leaf | Node of tree * tree\nlet rec count = function Leaf -> 1 | Node (a, b) -> count a + count b"
    )
    assert verifier.verify(problem, code).passed


def test_definitions_before_the_function_are_told(imported: Import) -> None:
    prompt = "let base = 10\n(** Adds [base]. *)\nlet add (x : int) : int ="
    _, problem = only(imported(ADD | {"prompt": prompt, "tests": "assert (add 1 = 11)"}))
    assert problem.statement == "Adds [base].\n\nThe file begins with:\n\n```ocaml\nlet base = 10\n```"


@pytest.mark.parametrize(
    "text", ['a lone " quote', "it's (* never closed", "a (*nested*) one", 'a "*)" string', "'\"'"]
)
def test_a_comment_ends_where_its_author_meant_it_to(text: str, imported: Import) -> None:
    prompt = f"(** Say {text}.\n    >>> f 1\n    2 *)\nlet f (x : int) : int ="
    _, problem = only(imported(ADD | {"prompt": prompt, "tests": "assert (f 1 = 2)"}))
    assert problem.statement == f"Say {text}.\n>>> f 1\n2"
    assert problem.signature == "val f : int -> int"


@pytest.mark.parametrize(
    ("example", "code"),
    [
        (">>> f 1\n    (1, [2; 3])", "f 1 = (1, [2; 3])"),
        (">>> f 1;;\n    - : int * int list = (1, [2])", "f 1 = (1, [2])"),
        (">>> f\n    ...   1\n    (1,\n     [2])", "(f\n1) = (1,\n[2])"),
        (">>> f 1\n    1, []", "f 1 = (1, [])"),
        (">>> let x = 2 in f x\n    (2, [])", "(let x = 2 in f x) = (2, [])"),
        (">>> f 1\n    (1, [])\n    The list is empty here.", "f 1 = (1, [])"),
    ],
)
def test_examples_become_public_tests(example: str, code: str, imported: Import) -> None:
    prompt = f"(** Do it.\n    {example}\n*)\nlet f (x : int) : int * int list ="
    row, problem = only(imported(ADD | {"prompt": prompt, "tests": "assert (f 0 = (0, []))"}))
    assert (row.notes, [test.code for test in problem.public_tests]) == ((), [code])


@pytest.mark.parametrize(
    ("example", "note"),
    [
        (">>> add 0 0\n    Exception: Not_found.", "its result is an exception"),
        (">>> add 0 0\n    raises Failure", "its result is an exception"),
        (">>> add 0 0", "it has no result"),
        (">>> add 0 0\n    [0", "Syntax error"),
        (">>> add 0 0\n    true", "has type bool but an expression was expected of type"),
        (">>> add 0\n    0", "has type int but"),
        (">>> sub 0 0\n    0", "Unbound value sub"),
        ('>>> add 0 0\n    0)); print_string ((""', "it is not one expression and its value"),
    ],
)
def test_a_wrong_example_is_left_out_and_the_others_stay(example: str, note: str, imported: Import) -> None:
    prompt = ADD["prompt"].replace("    >>> add 1 2", f"    {example}\n\n    >>> add 1 2")
    row, problem = only(imported(ADD | {"prompt": prompt}))
    assert [test.code for test in problem.public_tests] == ["add 1 2 = 3", "add (-1) 1 = 0"]
    assert len(row.notes) == 1
    assert note in row.notes[0]


def test_statements_that_assert_nothing_are_noted(imported: Import) -> None:
    row, problem = only(imported(ADD | {"tests": 'let () = assert (add 1 1 = 2); print_string "ok"'}))
    assert len(problem.hidden_tests) == 1
    assert row.notes == ('a statement of its tests that asserts nothing by itself is left out: `print_string "ok"`',)


def test_tests_that_do_not_typecheck_are_for_the_audit(imported: Import, verifier: Verifier) -> None:
    _, problem = only(imported(ADD | {"tests": "assert (ad 1 2 = 3)"}))
    with pytest.raises(ProblemError):
        verifier.check(problem)


def test_a_result_without_a_type_is_taken_from_the_reference(imported: Import) -> None:
    row, problem = only(imported(ADD | {"prompt": "(** Adds. *)\nlet add x y =", "solution": "let add x y = x + y"}))
    assert problem.signature == "val add : int -> int -> int"
    assert row.notes == ("its header does not say the type of the result: the signature is that of its reference",)


@pytest.mark.parametrize(
    ("changed", "reason", "message"),
    [
        ({"tests": None}, Reason.MISSING, "the field 'tests' or 'test' is missing; it has 'id', 'prompt', 'tests'"),
        ({"tests": " "}, Reason.MISSING, "the field 'tests' is empty"),
        ({"prompt": 3}, Reason.MISSING, "the field 'prompt' must be text, not int"),
        ({"tests": "let () = assert (add 1 2 ="}, Reason.TESTS, "its tests do not parse: Syntax error"),
        ({"tests": "let () = ()"}, Reason.TESTS, "its tests assert nothing"),
        ({"prompt": "let add (x : int) : int ="}, Reason.PROMPT, "no comment that says what is asked"),
        ({"prompt": "(** Adds. *)"}, Reason.PROMPT, "it defines no function"),
        ({"prompt": "(** Adds the numb"}, Reason.PROMPT, "a comment of it never ends: it is cut off"),
        ({"prompt": "(** Adds. *)\nlet add (x : nat) : int ="}, Reason.PROMPT, "Unbound type constructor nat"),
        ({"prompt": "(** Adds. *)\nlet add x y ="}, Reason.PROMPT, "does not say the type of add's result"),
        ({"prompt": ADD["prompt"] + "\0"}, Reason.BAD_TEXT, "the field 'prompt' has a NUL byte"),
        ({"tests": ADD["tests"] + "\ud800"}, Reason.BAD_TEXT, "the field 'tests' is not UTF-8 text"),
    ],
)
def test_a_bad_row_is_refused_with_its_row_and_id(
    changed: dict[str, object], reason: Reason, message: str, imported: Import
) -> None:
    good, bad, last = imported(FIRST, ADD | changed, SUB | {"id": "sub"})
    assert good.problem is not None
    assert last.problem is not None
    assert (bad.row, bad.id, bad.problem, bad.reason) == (2, "add", None, reason)
    assert bad.error.startswith("row 2, id 'add': ")
    assert message in bad.error


def test_a_row_without_an_id_is_refused(imported: Import) -> None:
    _, bad = imported(ADD, FIRST | {"id": ""})
    assert (bad.error, bad.reason) == ("row 2: the field 'id' is empty", Reason.MISSING)


def test_an_id_in_other_characters_is_adapted(imported: Import) -> None:
    row, problem = only(imported(ADD | {"id": "add two numbers"}))
    assert (problem.id, row.notes) == (
        "add_two_numbers",
        ("its id 'add two numbers' has become 'add_two_numbers'",),
    )
    assert only(imported(ADD | {"id": 7}))[1].id == "7"


def test_a_second_row_of_one_id_is_refused_with_both_rows(imported: Import) -> None:
    rows = imported(ADD | {"tests": "assert"}, ADD, FIRST, ADD)
    assert [row.reason for row in rows] == [Reason.TESTS, None, None, Reason.DUPLICATE]
    assert rows[3].error == "row 4, id 'add': row 2 has the same id"


@given(st.lists(st.sampled_from(["text", "* item", "", "  indented", ">>> f 1", "(* inner *)"]), max_size=6))
def test_what_a_comment_says_does_not_depend_on_its_stars(lines: list[str]) -> None:
    starred = "(** First.\n" + "".join(f" * {line}\n" for line in lines) + "*)"
    assert comment_text(starred) == "\n".join(["First.", *(line.rstrip() for line in lines)]).strip()


# --- MultiPL-E --------------------------------------------------------------------------------------------------------


def test_a_row_of_multipl_e_is_repaired_and_its_repairs_are_counted(imported: Import, verifier: Verifier) -> None:
    row, problem = only(imported(SUB))
    assert row.repaired == 5
    assert row.stop_tokens == ("\n\n", "\n(*", "\ntype", "\nlet")
    assert row.raw == SUB
    assert problem.id == "HumanEval_900_sub"
    assert problem.statement == "Subtract y from x.\n>>> sub (1) (2)\n(-1)\n>>> sub (-3) (0)\n(-3)"
    assert [test.code for test in problem.public_tests] == ["sub (1) (2) = (-1)", "sub (-3) (0) = (-3)"]
    assert verifier.verify(problem, "let sub x y = x - y").passed
    assert not verifier.verify(problem, "let sub x y = y - x").passed


def test_stars_on_some_lines_of_a_prompt_are_no_text(imported: Import) -> None:
    prompt = (
        '(**Sort the numbers that aren\'t negative, then name each, "One" to "Nine".\n'
        'For example:\n>>> names [2; (~1)]\n["Two"]\n * If the list is empty, so is the answer:\n>>> names []\n[]\n*)\n'
        "let names (arr : int list) : string list ="
    )
    tests = "\nlet assertions =\n let candidate = names in\n  (assert ((candidate []) = []));\n  ()\n"
    row, problem = only(imported(SUB | {"prompt": prompt, "tests": tests}))
    assert (row.notes, row.repaired) == ((), 1)
    assert [test.code for test in problem.public_tests] == ['names [2; (-1)] = ["Two"]', "names [] = []"]
    assert problem.statement.split("\n")[2:5] == [
        ">>> names [2; (-1)]",
        '["Two"]',
        "If the list is empty, so is the answer:",
    ]


def test_a_header_that_is_no_ocaml_is_refused(imported: Import) -> None:
    prompt = "(**Count.\n*)\nlet histogram (test : string) : (string, int) list ="
    _, bad = imported(SUB, SUB | {"name": "histogram", "prompt": prompt})
    assert bad.reason is Reason.PROMPT
    assert bad.error.startswith("row 2, id 'histogram': its prompt: The type constructor list expects 1 argument")


def test_a_row_in_another_language_is_refused(imported: Import) -> None:
    _, bad = imported(SUB, SUB | {"language": "py"})
    assert (bad.reason, bad.error) == (
        Reason.INVALID,
        "row 2, id 'HumanEval_900_sub': its language is 'py', not 'ml'",
    )


# --- stdin and stdout -------------------------------------------------------------------------------------------------

PAIRS = [("a\n", "a\n"), ("b\n", "b\n")]


@pytest.mark.parametrize(
    ("row", "examples"),
    [
        (ECHO, 0),
        ({"prompt": "Echo.", "input_output": {"inputs": [["a"], ["b"]], "outputs": ["a\n", "b\n"]}}, 0),
        ({"statement": "Echo.", "inputs": ["a\n", "b\n"], "outputs": ["a\n", "b\n"]}, 0),
        ({"description": "Echo.", "inputs": '["a\\n", "b\\n"]', "outputs": '["a\\n", "b\\n"]'}, 0),
        ({"id": "echo", "statement": "Echo.", "tests": [dict(input=i, output=o) for i, o in PAIRS]}, 0),
        (
            {
                "description": "Echo.",
                "public_tests": {"input": ["a\n"], "output": ["a\n"]},
                "private_tests": {"input": ["b\n"], "output": ["b\n"]},
            },
            1,
        ),
    ],
)
def test_pairs_of_input_and_output_become_a_program(row: dict[str, object], examples: int, imported: Import) -> None:
    _, problem = only(imported(row))
    assert problem.kind == "program"
    assert [(test.stdin, test.stdout) for test in problem.tests] == PAIRS
    assert len(problem.public_tests) == examples
    assert problem.id == row.get("id", "row-1")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"input_output": '{"inputs": ["a"], "outputs": []}'}, "has 1 inputs and 0 outputs"),
        ({"input_output": '{"fn_name": "f", "inputs": [[1]], "outputs": [1]}'}, "call the function 'f'"),
        ({"input_output": '{"inputs": [], "outputs": []}'}, "it has no pair of input and output"),
        ({"input_output": "{oops"}, "holds no inputs and outputs"),
        ({"input_output": '{"inputs": [null], "outputs": ["a"]}'}, "must be text, not NoneType"),
        ({"question": ""}, "the field 'question' is empty"),
        ({"input_output": None}, "it has no pair of input and output"),
    ],
)
def test_a_row_without_usable_pairs_is_refused(changed: dict[str, object], message: str, imported: Import) -> None:
    good, bad = imported(ECHO, ECHO | changed)
    assert (good.error, bad.problem) == ("", None)
    assert message in bad.error


def test_the_first_solution_in_ocaml_is_the_reference(imported: Import) -> None:
    answers = json.dumps(["print(input())", "let () = print_endline (read_line ())"])
    assert only(imported(ECHO | {"solutions": answers}))[1].reference == "let () = print_endline (read_line ())"
    row, problem = only(imported(ECHO | {"solution": "print(input())\nx = 1"}))
    assert (problem.reference, row.notes) == ("", ("its solution is not OCaml: left out",))


# --- this project's own records ---------------------------------------------------------------------------------------


def test_own_records_come_back_as_they_were(tmp_path: Path, problems: tuple[Problem, ...], verifier: Verifier) -> None:
    path = tmp_path / "own.jsonl"
    to_jsonl(problems, path)
    assert [row.problem for row in import_problems(path, verifier=verifier)] == list(problems)


def test_a_bad_own_record_is_refused_and_the_others_stay(imported: Import) -> None:
    own = {"id": "a", "statement": "s", "signature": "val f : int -> int", "tests": ["f 1 = 1"]}
    good, bad = imported(own, own | {"id": "b", "tests": []})
    assert good.problem is not None
    assert bad.error == "row 2, id 'b': it has no tests: give at least one"


# --- sources ----------------------------------------------------------------------------------------------------------


def write_csv(path: Path, rows: list[dict[str, Any]], *, encoding: str = "utf-8") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def ids(rows: Iterable[Imported]) -> list[str]:
    return [row.problem.id if row.problem else row.error for row in rows]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_csv_is_read_with_and_without_a_byte_order_mark(encoding: str, tmp_path: Path, verifier: Verifier) -> None:
    path = write_csv(tmp_path / "set.csv", [ADD, FIRST], encoding=encoding)
    assert ids(import_problems(path, verifier=verifier)) == ["add", "first"]


def test_what_is_wrong_with_a_line_of_csv_loses_no_other(tmp_path: Path, verifier: Verifier) -> None:
    path = write_csv(tmp_path / "set.csv", [ADD, FIRST])
    content = path.read_bytes()
    row = content[content.index(b"first,") :]
    path.write_bytes(
        content
        + row.replace(b"first,", b"latin,").replace(b"The", b"Th\xe9")
        + b"surplus,a,b,c\r\nshort\r\n"
        + row.replace(b"first,", b"last,")
    )
    found = list(import_problems(path, verifier=verifier))
    assert [row.reason for row in found] == [
        None,
        None,
        Reason.BAD_TEXT,
        Reason.UNREADABLE,
        Reason.MISSING,
        None,
    ]
    assert found[2].error == "row 3, id 'latin': the field 'prompt' is not UTF-8 text"
    assert "more cells than the header" in found[3].error


def test_what_is_wrong_with_a_line_of_jsonl_loses_no_other(tmp_path: Path, verifier: Verifier) -> None:
    path = tmp_path / "set.jsonl"
    lines = [json.dumps(ADD), "{oops", "[1]", "", json.dumps(FIRST | {"id": "bad"}), json.dumps(FIRST)]
    path.write_bytes(b"\xef\xbb\xbf" + "\n".join(lines).encode().replace(b'"bad"', b'"b\xffd"'))
    found = list(import_problems(path, verifier=verifier))
    assert [(row.row, row.reason) for row in found] == [
        (1, None),
        (2, Reason.UNREADABLE),
        (3, Reason.UNREADABLE),
        (5, Reason.BAD_TEXT),
        (6, None),
    ]


@given(
    rows=st.lists(st.sampled_from([ADD, FIRST, {"id": "ü" * 40_000}]), min_size=1, max_size=5),
    indent=st.sampled_from([None, 1]),
)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_json_is_read_item_by_item(
    rows: list[dict[str, str]], indent: int | None, tmp_path: Path, verifier: Verifier
) -> None:
    path = tmp_path / "set.json"
    path.write_text(json.dumps([ADD, *rows], indent=indent, ensure_ascii=False))
    assert [row.raw for row in import_problems(path, verifier=verifier)] == [ADD, *rows]


def test_json_that_is_cut_off_gives_what_stands_before(tmp_path: Path, verifier: Verifier) -> None:
    path = tmp_path / "set.json"
    path.write_text(json.dumps([ADD, FIRST])[:-20])
    good, bad = import_problems(path, verifier=verifier)
    assert good.problem is not None
    assert (bad.row, bad.reason) == (2, Reason.UNREADABLE)


def test_parquet_and_a_data_set_by_name_are_read(
    tmp_path: Path, verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder named as on the hub is what ``datasets`` takes for a data set: the same road without a network."""
    datasets = pytest.importorskip("datasets")
    folder = tmp_path / "somebody" / "ocaml-problems"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for split, row in (("train", ADD), ("test", SUB | {"id": "sub"})):
        datasets.Dataset.from_list([row]).to_parquet(folder / f"{split}.parquet")
    found = list(import_problems(folder / "test.parquet", verifier=verifier))
    assert (found[0].repaired, found[0].stop_tokens[0]) == (5, "\n\n")
    found = list(import_problems("hub:somebody/ocaml-problems", verifier=verifier, split="train"))
    assert [(row.row, row.id, row.problem and row.problem.split) for row in found] == [(1, "add", "train")]
    found = list(import_problems(folder, verifier=verifier))
    assert [row.row for row in found] == ["test.parquet:1", "train.parquet:1"]


def test_a_file_that_is_no_parquet_is_told(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "set.parquet").write_text("no")
    with pytest.raises(ConfigError, match="is not a Parquet file"):
        list(import_problems(tmp_path / "set.parquet"))


@pytest.mark.parametrize("source", ["set.parquet", "hub:somebody/ocaml-problems"])
def test_without_the_extra_the_error_says_how_to_install_it(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "set.parquet").write_text("")
    monkeypatch.chdir(tmp_path)
    for name in ("datasets", "pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigError, match=r"pip install ocaml-env\[datasets\]"):
        list(import_problems(source))


def test_an_unknown_schema_is_told_with_what_was_found_and_what_is_needed(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "set.csv", [{"id": "a", "text": "b"}])
    with pytest.raises(ConfigError) as caught:
        list(import_problems(path))
    assert "its columns are id, text" in str(caught.value)
    assert "assertions: id, prompt, tests" in str(caught.value)
    assert "multipl-e: name, prompt, tests" in str(caught.value)


def test_the_format_is_found_though_the_first_rows_are_bad(imported: Import) -> None:
    assert [row.reason for row in imported("{", {"id": "x"}, ADD)] == [Reason.UNREADABLE, Reason.MISSING, None]
    assert [row.reason for row in imported("{", "{")] == [Reason.UNREADABLE, Reason.UNREADABLE]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "assertion"}, "did you mean 'assertions'?"),
        ({"limit": 0}, "limit must be None or a whole number from 1"),
    ],
)
def test_an_argument_that_cannot_be_used_is_refused_at_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("?", r"\?")):
        import_problems("set.csv", **options)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nowhere.csv", "there is no file or folder 'nowhere.csv'"),
        ("x" * 5000, "there is no file or folder"),
        (__file__, "cannot tell how to read"),
        (str(Path(__file__).parent / "engine" / "jail"), "holds no .csv, .jsonl, .json or .parquet file"),
        ("hub:a b", "is no name of a data set"),
    ],
)
def test_a_source_that_is_not_there_is_refused(source: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        next(import_problems(source))


def test_rows_are_read_as_they_are_asked_for(tmp_path: Path, verifier: Verifier) -> None:
    """The end of the file is no JSON, and nobody ever comes that far."""
    path = jsonl(tmp_path / "set.jsonl", [*(ADD | {"id": f"p{n}"} for n in range(50)), "{"])
    rows = import_problems(path, verifier=verifier)
    assert [next(rows).id for _ in range(3)] == ["p0", "p1", "p2"]
    rows.close()
    assert len(list(import_problems(path, verifier=verifier, limit=7))) == 7


def test_order_is_kept_with_several_workers(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "set.jsonl", (ADD | {"id": f"p{n}"} for n in range(40)))
    with Verifier(workers=2, sandbox="best-effort") as two:
        assert ids(import_problems(path, verifier=two)) == [f"p{n}" for n in range(40)]


def test_a_split_is_chosen_by_its_column(imported: Import) -> None:
    rows = [ADD | {"split": "train"}, FIRST | {"split": "test"}]
    row, problem = only(imported(*rows, split="test"))
    assert (row.row, problem.id, problem.split) == (2, "first", "eval")


# --- load_problems ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("verifier")
def test_load_problems_takes_foreign_files(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "set.csv", [FIRST, ADD])
    assert [problem.id for problem in load_problems(path)] == ["add", "first"]
    assert [problem.id for problem in load_problems(jsonl(tmp_path / "set.jsonl", [SUB]))] == [SUB["name"]]
    path.unlink()
    assert [problem.kind for problem in load_problems(jsonl(tmp_path / "set.jsonl", [ECHO]))] == ["program"]
    assert len(load_problems(tmp_path)) == 1


@pytest.mark.usefixtures("verifier")
def test_load_problems_refuses_a_foreign_file_with_bad_rows(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "set.jsonl", [ADD, FIRST | {"tests": ""}, "{"])
    with pytest.raises(ProblemError) as caught:
        load_problems(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: row 2, id 'first': the field 'tests' is empty")
    assert "2 of 3 rows are bad" in message
    assert "ocaml-env audit" in message
    assert caught.value.problem_id == "first"


# --- the command ------------------------------------------------------------------------------------------------------


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ocaml_env", "import", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        timeout=120,
        check=False,
    )


@pytest.mark.usefixtures("verifier")
def test_the_command_writes_the_good_rows_and_reports_the_rest(tmp_path: Path) -> None:
    source = jsonl(tmp_path / "set.jsonl", [ADD, FIRST | {"tests": ""}, SUB | {"id": "sub"}, ADD])
    out, report = tmp_path / "out.jsonl", tmp_path / "report.jsonl"
    done = command(source, "--to", out, "--report", report)
    assert (done.returncode, done.stderr) == (1, "")
    assert [problem.id for problem in load_problems(out)] == ["add", "sub"]
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    assert [(row["row"], row["imported"], row["reason"]) for row in rows] == [
        (2, False, "missing or empty field"),
        (3, True, None),
        (4, False, "duplicate id"),
    ]
    counts = {" ".join(line.split()[:-1]): line.split()[-1] for line in done.stdout.splitlines() if line}
    assert (counts["rows"], counts["refused"], counts["duplicate id"]) == ("4", "2", "1")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "report.jsonl", "set.jsonl"]
    again = command(out, "--to", out)
    assert (again.returncode, again.stderr) == (0, "")
    assert len(load_problems(out)) == 2


def test_the_command_tells_a_data_set_that_does_not_exist(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    done = command("nobody/nothing-at-all", "--to", tmp_path / "out.jsonl")
    assert done.returncode == 2
    assert done.stderr.startswith("ocaml-env: cannot load the data set 'nobody/nothing-at-all': ")
    assert list(tmp_path.iterdir()) == []


def test_every_format_is_known_by_name() -> None:
    assert FORMATS == ("auto", "stdin-stdout", "ocaml-env", "multipl-e", "assertions")
