"""Importing rows of inputs and outputs."""

from __future__ import annotations

import json

import pytest

from tests.problems.importers.rows import ECHO, Import, only

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


def test_an_input_of_an_example_is_not_also_hidden(imported: Import) -> None:
    row = {
        "question": "Print it.",
        "public_tests": {"input": ["1\n"], "output": ["1\n"]},
        "private_tests": {"input": ["1\n", "2\n"], "output": ["1\n", "2\n"]},
    }
    _, problem = only(imported(row))
    assert [(test.stdin, test.public) for test in problem.tests] == [("1\n", True), ("2\n", False)]


def test_a_test_is_public_only_if_marked(imported: Import) -> None:
    silent: dict[str, object] = {"input": "1\n", "output": "1\n", "public": None}
    assert not only(imported({"question": "Print it.", "tests": [silent]}))[1].tests[0].public
    tests = [{"input": "1\n", "output": "1\n", "public": "false"}]
    [row] = imported({"question": "Print it.", "tests": tests})
    assert row.problem is None
    assert "is true or false" in row.error
