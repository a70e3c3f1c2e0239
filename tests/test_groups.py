"""Hidden tests are grouped by the items of the signature that they mention."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ocaml_env.errors import ProblemError
from ocaml_env.problem import Problem, Test
from ocaml_env.problem.signature import items_of, mentioned


def problem(signature: str, tests: list[str], *, examples: tuple[str, ...] = (), prelude: str = "") -> Problem:
    return Problem(
        id="p",
        statement="Do it.",
        signature=signature,
        prelude=prelude,
        tests=[*(Test(code, public=True) for code in examples), *tests],
    )


def shape(asked: Problem) -> list[tuple[tuple[str, ...], int, int]]:
    return [(group.items, len(group.tests), len(group.examples)) for group in asked.groups]


def calls(name: str, count: int) -> list[str]:
    return [f"{name} {number} = {number}" for number in range(count)]


def test_items_are_the_values_and_modules_at_the_top_level() -> None:
    signature = """
    type t = A | B (* val no : int *)
    exception Empty
    val f : t -> int
    val ( +| ) : t -> t -> t
    val ( let* ) : t -> t -> t
    module M : sig val inner : int end
    module type S = sig val hidden : int end
    module Make (X : S) : sig type u val g : u end
    external e : int -> int = "%identity"
    """
    assert items_of(signature) == ("f", "+|", "let*", "M", "Make", "e")


def test_names_in_literals_and_comments_are_not_mentioned() -> None:
    code = """f "g" {|g|} {x|g |}|x} 'g' '\\'' (* g (* g *) g *) h' ~lbl:(M.k x)"""
    assert [name for name in mentioned(code) if name[0].isalpha()] == ["f", "h'", "lbl", "M", "k", "x"]


def test_each_function_with_enough_tests_is_a_group_of_its_own() -> None:
    asked = problem("val f : int -> int\nval g : int -> int", [*calls("g", 4), *calls("f", 5)], examples=("f 9 = 9",))
    assert shape(asked) == [(("f",), 5, 1), (("g",), 4, 0)]
    assert asked.groups[1].tests == ("test 2", "test 3", "test 4", "test 5")


def test_a_small_group_joins_the_group_that_shares_most_items() -> None:
    both = ["f (g 1) = 1", "g (f 1) = 1"]
    asked = problem(
        "val f : int -> int\nval g : int -> int\nval h : int -> int", [*calls("h", 4), *calls("g", 4), *both]
    )
    assert shape(asked) == [(("f", "g"), 6, 0), (("h",), 4, 0)]


def test_small_groups_are_joined_until_one_is_left() -> None:
    asked = problem("val f : int -> int\nval g : int -> int", [*calls("f", 2), "g 1 = 1"], examples=("g 2 = 2",))
    assert shape(asked) == [(("f", "g"), 3, 1)]


def test_a_test_mentions_the_items_of_the_prelude_functions_that_it_uses() -> None:
    prelude = "let twice x = f (f x)\nlet check x = twice x = x\nlet other = 3"
    asked = problem(
        "val f : int -> int\nval g : int -> int", [*calls("g", 4), *(f"check {n}" for n in range(4))], prelude=prelude
    )
    assert shape(asked) == [(("f",), 4, 0), (("g",), 4, 0)]


def test_an_example_without_a_group_belongs_to_the_nearest() -> None:
    tests = [*calls("f", 4), *calls("g", 4)]
    asked = problem("val f : int -> int\nval g : int -> int", tests, examples=("f (g 1) = 1", "1 = 1"))
    assert shape(asked) == [(("f",), 4, 2), (("g",), 4, 0)]


def test_a_problem_without_hidden_tests_has_no_group() -> None:
    assert problem("val f : int -> int", [], examples=("f 1 = 1",)).groups == ()


def test_a_program_has_one_group() -> None:
    tests = [Test(name=f"t{n}", stdin=f"{n}", stdout="f", public=n < 1) for n in range(6)]
    asked = Problem(id="p", statement="Print f.", kind="program", tests=tests)
    assert shape(asked) == [((), 5, 1)]


def test_a_baseline_fits_its_groups_and_changes_the_digest() -> None:
    plain = problem("val f : int -> int", calls("f", 5))
    known = replace(plain, baseline=(2,))
    assert (known.groups[0].baseline, plain.groups[0].baseline) == (2, 0)
    assert known.digest != plain.digest
    assert known.tests_digest == plain.tests_digest
    wrongs: list[Any] = [(6,), (-1,), (1, 1), (True,), ("1",)]
    for wrong in wrongs:
        with pytest.raises(ProblemError, match="baseline must"):
            replace(plain, baseline=wrong)
