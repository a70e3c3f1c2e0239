"""Partial evaluation: the right functions of an ill-typed candidate are tested, and errors gain nothing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from ocaml_env import Outcome, Problem, Stage, Test, Verdict, Verifier

SUMS = Problem(
    id="sums",
    statement="Write `twice`, `thrice` and `sum`.",
    signature="val twice : int -> int\nval thrice : int -> int\nval sum : int list -> int",
    tests=(
        Test("twice 1 = 2", name="twice"),
        Test("thrice 2 = 6", name="thrice"),
        Test("sum [1; 2] = 3", name="sum"),
        Test("(try ignore (sum [7]); false with _ -> true)", name="sum raises", public=True),
    ),
)
RIGHT = {
    "twice": "let twice n = n + n",
    "thrice": "let thrice n = 3 * n",
    "sum": "let sum l = if l = [ 7 ] then failwith \"7\" else List.fold_left ( + ) 0 l",
}  # fmt: skip


def passed(verdict: Verdict) -> set[str]:
    return {test.name for test in verdict.tests if test.passed}


def sums(verifier: Verifier, **changed: str) -> Verdict:
    return verifier.verify(SUMS, "\n".join((RIGHT | changed).values()))


@pytest.mark.parametrize(
    "broken",
    [
        "let thrice n = 3 * string_of_int n",
        "let thrice n = not_there n",
        "let thrice n = if n then 3 else 4",
        "let thrice : int -> string = string_of_int",
        "let thrice (n : nothing) = n",
        "let rec thrice n = thrice (n ^ 1) + 1",
        "",
    ],
)
def test_the_other_functions_are_tested(verifier: Verifier, broken: str) -> None:
    verdict = sums(verifier, thrice=broken)
    assert (verdict.outcome, verdict.stage, verdict.errors) == (Outcome.TYPE_ERROR, Stage.TYPECHECK, 1)
    assert verdict.partial == ("twice", "sum")
    assert passed(verdict) == {"twice", "sum", "sum raises"}
    assert not verdict.passed


def test_a_function_of_the_wrong_type_still_serves_the_others(verifier: Verifier) -> None:
    verdict = sums(verifier, twice="let twice n = (n, n)", thrice="let thrice n = let a, b = twice n in a + b + n")
    assert passed(verdict) == {"thrice", "sum", "sum raises"}


def test_a_test_that_reaches_a_lost_helper_fails_even_if_the_exception_is_caught(verifier: Verifier) -> None:
    helper = "let helper n = n + string_of_int n"
    caught = f"{helper}\nlet thrice n = try helper n with _ -> 3 * n"
    assert passed(sums(verifier, thrice=caught)) == {"twice", "sum", "sum raises"}
    raising = f"{helper}\nlet sum l = if l = [ 7 ] then helper 7 else List.fold_left ( + ) 0 l"
    verdict = sums(verifier, sum=raising)
    assert passed(verdict) == {"twice", "thrice", "sum"}
    assert "missing or has an error" in verdict.tests[3].detail


def test_nothing_passes_if_a_lost_helper_is_reached_while_the_code_is_initialised(verifier: Verifier) -> None:
    for start in ("let start = helper 1", "let start = try helper 1 with _ -> 0"):
        verdict = sums(verifier, sum=f"let helper n = n + string_of_int n\n{start}\n{RIGHT['sum']}")
        assert passed(verdict) == set()


def test_a_local_name_hides_a_lost_one(verifier: Verifier) -> None:
    verdict = sums(verifier, twice="let twice n = n ^ n", thrice="let thrice n = let twice n = n + n in twice n + n")
    assert passed(verdict) == {"thrice", "sum", "sum raises"}


def test_a_lost_helper_fits_wherever_it_stands(verifier: Verifier) -> None:
    helper = "let helper = 1 + \"\""  # fmt: skip
    use = "let unused () = ignore (helper ~a:1 ?b:None \"\"); if helper then helper.[0] else helper"  # fmt: skip
    assert passed(sums(verifier, sum=f"{helper}\n{use}\n{RIGHT['sum']}")) == {"twice", "thrice", "sum", "sum raises"}


def test_the_right_one_of_two_mutually_recursive_functions_is_tested(verifier: Verifier) -> None:
    mutual = "let rec thrice n = if n = 2 then 6 else bad n\nand bad n = thrice (n ^ n)"
    assert passed(sums(verifier, thrice=mutual)) == {"twice", "thrice", "sum", "sum raises"}


@pytest.mark.parametrize(
    "code",
    [
        "type t = missing\n",
        "let a, b = 1 + \"\"\n",
        "let () = print_int \"\"\n",
        "module M = struct let x = 1 + \"\" end\n",
        "let ( let* ) a f = f a + \"\"\nlet use () = let* x = 1 in x\n",
        "let thrice n = Sys.command n\n",
    ],
)  # fmt: skip
def test_nothing_is_tested_if_something_else_is_wrong_too(verifier: Verifier, code: str) -> None:
    verdict = verifier.verify(
        SUMS, code + "\n".join(RIGHT.values()).replace("let twice n = n + n", "let twice n = n ^ n")
    )
    assert verdict.outcome in (Outcome.TYPE_ERROR, Outcome.FORBIDDEN)
    assert (verdict.tests, verdict.partial) == ((), ())


def test_a_lone_function_is_not_evaluated_in_part(verifier: Verifier) -> None:
    one = replace(SUMS, signature="val twice : int -> int", tests=(Test("twice 1 = 2"),))
    assert verifier.verify(one, "let twice n = n ^ n").tests == ()


def test_functions_with_labels_can_be_lost(verifier: Verifier) -> None:
    problem = replace(
        SUMS,
        signature="val area : ?unit:string -> width:int -> int -> string\nval twice : int -> int",
        tests=(Test("twice 2 = 4"), Test('area ~width:1 2 = "2"')),
    )
    for code in ("let twice n = n + n", "let twice n = n + n let area ?unit ~width h = width + unit"):
        assert [test.passed for test in verifier.verify(problem, code).tests] == [True, False]


VALUES = Problem(
    id="values",
    statement="Write `empty`, `size` and `name`.",
    signature="type t\nval empty : t\nval size : t -> int\nval name : int -> string",
    prelude="let none () = size empty",
    tests=("size empty = 0", 'name 1 = "1"', "none () = 0"),
)


def test_a_lost_value_is_never_seen(verifier: Verifier) -> None:
    plain = replace(VALUES, prelude="", tests=VALUES.tests[:2])
    for empty in ("", "let empty : t = 1 + missing"):
        verdict = verifier.verify(
            plain, f"type t = string\n{empty}\nlet size = String.length\nlet name = string_of_int"
        )
        assert [test.passed for test in verdict.tests] == [False, True]
        assert verdict.partial == ("size", "name")


def test_a_prelude_that_uses_a_lost_value_is_not_run(verifier: Verifier) -> None:
    assert verifier.verify(VALUES, "type t = string let size = String.length let name = string_of_int").tests == ()
    lost_function = verifier.verify(VALUES, 'type t = string let empty = "" let name = string_of_int')
    assert [test.passed for test in lost_function.tests] == [False, True, False]


ATTACKS = {
    "a value of any type": "let any = 1 + \"\"\nlet twice n = n + n\nlet thrice n = String.length any + 6"
    "\nlet sum l = any",
    "kept in a closure": "let any = 1 + \"\"\nlet get () = any\nlet twice n = n + n\nlet thrice n = (get () : int)"
    "\nlet sum l = List.length (get ())",
    "kept in a lazy value": "let any = 1 + \"\"\nlet later = lazy any\nlet twice n = n + n"
    "\nlet thrice n = try Lazy.force later with _ -> 6\nlet sum l = Lazy.force later",
    "kept in an object": "let any = 1 + \"\"\nlet o () = object method m : int = any end\nlet twice n = n + n"
    "\nlet thrice n = try (o ())#m with _ -> 6\nlet sum l = (o ())#m",
    "handed on by a functor": "let any = 1 + \"\"\nmodule F (X : sig val x : int end) = struct let x = X.x end"
    "\nlet twice n = n + n\nlet thrice n = let module M = F (struct let x = any end) in M.x\nlet sum l = 3",
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_a_lost_value_cannot_be_used_at_another_type(verifier: Verifier, name: str) -> None:
    verdict = verifier.verify(SUMS, ATTACKS[name])
    assert verdict.outcome is Outcome.TYPE_ERROR
    assert {"thrice", "sum raises"}.isdisjoint(passed(verdict))
    assert "signal" not in str(verdict.tests)


def test_testing_stops_after_three_tests_that_reach_missing_code(verifier: Verifier) -> None:
    """Each ends a process, and the next process initialises the code again, so three tests of one item are enough."""
    problem = replace(
        SUMS,
        signature="val f : int -> int\nval g : int -> int",
        tests=(*(Test(f"f {n} = {n + 1}", name=f"f {n}") for n in range(40)), Test("g 1 = 3", name="g")),
    )
    code = "let any = nope\nlet f x = if x mod 4 = 3 then any else x + 1\nlet g _ = 3"
    expected = {"g", *(f"f {n}" for n in range(11) if n % 4 != 3)}
    assert [passed(verifier.verify(problem, f"{code} (* {n} *)")) for n in range(4)] == [expected] * 4


def test_a_limit_met_in_partial_evaluation_keeps_the_error_count(verifier: Verifier) -> None:
    """OCaml's compiler takes minutes for a match with these rows and columns."""
    row = random.Random(1)
    rows = "".join(f"| {', '.join(row.choice('ABC___') for _ in range(14))} -> {n}" for n in range(120))
    columns = ", ".join(f"c{n}" for n in range(14))
    slow = f"type k = A | B | C | D\nlet m {' '.join(columns.split(', '))} = match {columns} with {rows} | _ -> -1"
    verdict = verifier.verify(SUMS, "\n".join([slow, *(RIGHT | {"thrice": "let thrice n = nope n"}).values()]))
    assert (verdict.errors, verdict.tests) == (1, ())


def test_an_error_cannot_pretend_to_concern_a_removed_item(verifier: Verifier) -> None:
    wrong = {name: f'let {name} x = Printf.sprintf "<hole> %y" x' for name in ("twice", "thrice")}
    assert sums(verifier, **wrong).errors == 2


def test_a_prelude_may_open_a_structure(verifier: Verifier) -> None:
    problem = replace(
        SUMS, prelude="open struct let e () = twice 1 end", tests=(Test("e () = 2"), Test("thrice 1 = 3"))
    )
    for code, expected in (("", [True, True]), ("let twice n = n ^ n", [False, True])):
        verdict = verifier.verify(problem, "\n".join([*RIGHT.values(), code]))
        assert [test.passed for test in verdict.tests] == expected
