"""Importing rows with a commented header and assertions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.errors import ProblemError
from ocaml_env.problems.importers import Reason
from ocaml_env.problems.importers.doc_prompt import comment_text
from ocaml_env.verifiers.local import Verifier
from tests.problems.importers.rows import ADD, FIRST, SUB, Import, only


def test_a_prompt_and_a_block_of_assertions_become_a_problem(imported: Import, verifier: Verifier) -> None:
    row, problem = only(imported(ADD | {"solution": "  x + y", "difficulty": "Easy", "topics": "numbers, sums"}))
    assert (row.row, row.id, row.error, row.notes, row.repaired) == (1, "add", "", (), 0)
    assert problem.statement == "[add x y] is the sum.\n\n>>> add 1 2\n3\n>>> add (-1) 1\n0"
    assert problem.signature == "val add : int -> int -> int"
    assert [test.code for test in problem.public_tests] == ["add 1 2 = 3", "add (-1) 1 = 0"]
    assert [test.code for test in problem.hidden_tests] == ["(add 20 1 = 21)", "(add 0 0 = 0)"]
    assert (problem.label, problem.topics, problem.source) == ("Easy", ("numbers", "sums"), "rows.jsonl")
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


def test_a_prompt_may_begin_with_an_exception(imported: Import) -> None:
    _, problem = only(imported(ADD | {"prompt": f"exception Full\n{ADD['prompt']}"}))
    assert problem.signature.split("\n")[0] == "exception Full"


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


def test_definitions_before_the_function_are_part_of_the_statement(imported: Import) -> None:
    prompt = "let base = 10\n(** Adds [base]. *)\nlet add (x : int) : int ="
    _, problem = only(imported(ADD | {"prompt": prompt, "tests": "assert (add 1 = 11)"}))
    assert problem.statement == "Adds [base].\n\nThe file begins with:\n\n```ocaml\nlet base = 10\n```"


@pytest.mark.parametrize(
    "text", ['a lone " quote', "it's (* never closed", "a (*nested*) one", 'a "*)" string', "'\"'"]
)
def test_a_comment_with_odd_quotes_ends_as_intended(text: str, imported: Import) -> None:
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
        ({"tests": None}, Reason.MISSING, "the field 'tests' is empty"),
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
def test_a_comments_text_does_not_depend_on_its_stars(lines: list[str]) -> None:
    starred = "(** First.\n" + "".join(f" * {line}\n" for line in lines) + "*)"
    assert comment_text(starred) == "\n".join(["First.", *(line.rstrip() for line in lines)]).strip()


def test_a_hidden_test_that_repeats_an_example_is_left_out(imported: Import) -> None:
    tests = "let () =\n  assert ( (add 1  2 = 3) );\n  assert (add 0 0 = 0);\n  assert ((add 2 2) = (4))\n"
    row, problem = only(imported({**ADD, "tests": tests}))
    assert [test.code for test in problem.tests if not test.public] == ["(add 0 0 = 0)", "((add 2 2) = (4))"]
    assert "1 of 3 hidden tests repeat an example, and are left out" in row.notes
