"""Importing rows of MultiPL-E."""

from __future__ import annotations

from ocaml_env.problems.importers import Reason
from ocaml_env.verifiers.local import Verifier
from tests.problems.importers.rows import SUB, Import, only


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


def test_repaired_numbers_are_marked_or_refused_as_wanted(imported: Import) -> None:
    row, problem = only(imported(SUB))
    assert (problem.source, row.notes) == (
        "rows.jsonl (with ~1 read as -1)",
        ("numbers written ~1 and read as -1: 5",),
    )
    (refused,) = imported(SUB, mend=False)
    assert refused.reason is Reason.TILDE
    assert "it has 5 numbers written ~1, as in Standard ML" in refused.error


def test_stars_on_some_lines_of_a_prompt_are_not_text(imported: Import) -> None:
    prompt = (
        '(**Sort the numbers that aren\'t negative, then name each, "One" to "Nine".\n'
        'For example:\n>>> names [2; (~1)]\n["Two"]\n * If the list is empty, so is the answer:\n>>> names []\n[]\n*)\n'
        "let names (arr : int list) : string list ="
    )
    tests = "\nlet assertions =\n let candidate = names in\n  (assert ((candidate []) = []));\n  ()\n"
    row, problem = only(imported(SUB | {"prompt": prompt, "tests": tests}))
    assert (row.notes, row.repaired) == (("numbers written ~1 and read as -1: 1",), 1)
    assert [test.code for test in problem.public_tests] == ['names [2; (-1)] = ["Two"]', "names [] = []"]
    assert problem.statement.split("\n")[2:5] == [
        ">>> names [2; (-1)]",
        '["Two"]',
        "If the list is empty, so is the answer:",
    ]


def test_a_header_in_invalid_ocaml_is_refused(imported: Import) -> None:
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
