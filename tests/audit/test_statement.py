"""Statements that are cut off are found by what is cut, and whole ones are not accused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ocaml_env import load_problems
from ocaml_env.audit.statement import cut_off, statement_findings
from ocaml_env.problem import Problem

CUT = {
    "`f n` is the sum of all numbers from 1 to": "a sentence is cut",
    "`f n` is the sum of all numbers. It raises Invalid_argument when n is neg": "a word is cut",
    "Return the numb": "a word is cut",
    "The sum is `y + z`, where `z` is\n>>> f 1\n2": "a sentence is cut before the code",
    "`winner players` is the best. Without players it is\n>>> winner []\nNone": "a sentence is cut before the code",
    "Return the list of all ele\n>>> f 1\n[1]": "a word is cut",
    "The result is sorted,": "a sentence is cut",
    "The result is sorted. If `low` is above": "a sentence is cut",
    "Look at this:\n\n```ocaml\nlet f x =": "a fence is not closed",
    "`f n` is one of (a) the first or (b the second.": "a bracket `(` is not closed",
    "Count the pairs (i, j where i is less": "a bracket `(` is not closed",
    "Give the `length": "a backquote is not closed",
    'Print the word "hel': "a quotation is not closed",
    "The result is the number of the\n\n```ocaml\ntype t = A\n```": "a sentence is cut before the code",
    "Replace every element for which the sum of the digits is": "a sentence is cut",
    "Reverse the words of the...": "it ends in",
    "Reverse the words of a text [truncated]": "it ends in",
    "Each item describes the type, co...": "it ends in",
    "The largest perimeter of a triangle, for...": "it ends in",
    "Sort by these keys, in this order:": "nothing follows",
    "Prices:\n\n| a | b |\n| 1 | 2": "a row of a table is cut",
    "- all of the\n- one of the": "a sentence is cut",
    "Doubles it.\n\n:param n: the number to\n:return: the double of the": "a sentence is cut",
    "Doubles it.\n>>> f [1; 2": "a bracket of its last example is not closed",
}


@pytest.mark.parametrize("statement", CUT)
def test_a_cut_statement_is_found_by_what_is_cut(statement: str) -> None:
    assert cut_off(statement).startswith(CUT[statement])


WHOLE = [
    "`f n` is n + 1, for example:\n\n    f 1 = 2",
    "Rules that hold here:\n\n- one is odd\n- two is even",
    "Check if a number is prime or not",
    "Reverse a list and return it",
    "Leave the list as it was",
    "Tell where it is",
    "Count how many vowels there are",
    "Find out what the largest number is",
    "The word that occurs the most",
    "Bitwise and",
    "The area of a triangle. See https://en.wikipedia.org/wiki/Heron%27s_formula",
    "Heron. [1]\n\n[1]: https://example.com/heron_and",
    "Heron.\n\n.. _Heron: https://example.com/of",
    "The first n numbers.\n\n:param n: how many\n:type n: int\n:rtype: list",
    "The first n numbers.\n:param n: the number to get the factorial of",
    "The first n numbers.\n:return:",
    "The first n numbers.\n\nParameters\n----------\nn : int\n\nReturns\n-------\nout : list",
    "The first n numbers.\n\nArgs:\n    n (int): the number to start from\n\nReturns:\n    list: the numbers",
    "The squares: 1, 4, 9, 16, ...",
    "The half-open interval [0, n)",
    "Count '(' and ')' in a text. \"((\" has two",
    "Two sides. The third is the length of side a",
    "The rest of n modulo k. It is O(n log n)",
    "Hours, minutes and so on...",
    "One of red, green, blue...",
    "Names and prices:\n\n| name | price |\n| --- | --- |\n| tea | 2 |",
    "Add two numbers\n\n>>> add 1 2\n3",
    "Add two numbers such as\n>>> add 1 2\n3",
    "Add two numbers\n\nExamples:\n>>> add 1 2\n3\n>>> add 2 2\n4",
    "The `gcd` of a and b. It is never negative. Smile :-)",
    "Parse numbers. Return None if impossible",
    "Convert character references (e.g. &gt;, &#62;,\n&x3e;) in a text to characters.",
    "Plot it.\n\n.. plot::\n    :context: close-figs\n\n    >>> plot 1",
    "From a list\n    ```\n    a\n    ```\nto a map\n    ```\n\n:return: the map",
]


@pytest.mark.parametrize("statement", WHOLE)
def test_a_whole_statement_is_not_accused(statement: str) -> None:
    assert cut_off(statement) == ""


def test_no_bundled_statement_is_accused() -> None:
    assert [problem.id for problem in load_problems("bundled") if cut_off(problem.statement)] == []


def _problem(number: int, statement: str) -> Problem:
    return Problem(id=f"p{number}", statement=statement, signature="val f : int -> int", tests=("f 1 = 1",))


def test_a_name_of_the_code_may_end_a_statement() -> None:
    problem = _problem(1, "Count down. The number is called elem")
    named = replace(problem, signature="val elems : int -> int", statement="Count down. The function is called elems")
    assert list(statement_findings([problem, named], fewest_words=4)) == []


def test_if_most_open_statements_are_plainly_cut_the_others_are_cut_too() -> None:
    cut = [
        "Read a number. Return the numb",
        "Read a list. Return the elemen",
        "Read a text. Then reve",
        "Read it. Return the list",
    ]
    whole = ["Read a number. Return it doubled.", "Read a list."]
    findings = list(statement_findings([_problem(n, text) for n, text in enumerate([*cut, *whole])], fewest_words=2))
    assert [finding.problem_id for finding in findings] == ["p0", "p1", "p2", "p3"]
    assert "3 of the 4 statements without a full stop at the end are plainly cut" in findings[-1].message
    alone = statement_findings(
        [_problem(1, cut[3]), *(_problem(n + 2, text) for n, text in enumerate(whole))], fewest_words=2
    )
    assert list(alone) == []


def test_if_most_statements_with_three_dots_are_plainly_cut_the_others_are_cut_too() -> None:
    cut = ["Read a number. Return the numb...", "Read a list. Return the...", "Read a text. Then reve..."]
    sum_of_parts, whole = "Split a text into parts where s1 + s2 + ...", "Read a list and reverse it"
    findings = statement_findings(
        [_problem(n, text) for n, text in enumerate([*cut, sum_of_parts, whole])], fewest_words=2
    )
    messages = {finding.problem_id: finding.message for finding in findings}
    assert messages.keys() == {"p0", "p1", "p2", "p3"}
    assert "3 of the 4 statements with three dots at the end are plainly cut" in messages["p3"]
