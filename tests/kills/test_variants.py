"""Wrong variants of a program: each has one fault and the program's types; error messages are left as they are."""

from __future__ import annotations

from typing import Any

import pytest

from ocaml_env.kills.interpreter.errors import Diverged, Raised, Unsupported
from ocaml_env.kills.interpreter.evaluate import Compiler
from ocaml_env.kills.interpreter.syntax import read_expressions, read_items
from ocaml_env.kills.variants import variants
from ocaml_env.problems import load_problems


def answers(source: str, *calls: str, signature: str = "") -> dict[tuple[Any, ...], set[str]]:
    """Maps the variants' answers to the calls to the kinds of fault behind them."""
    compiler = Compiler()
    expressions = read_expressions([*calls])
    found: dict[tuple[Any, ...], set[str]] = {}
    for variant in variants(read_items(source), signature):
        program = compiler.program(variant.items)
        row: list[Any] = []
        for expression in expressions:
            try:
                row.append(program.value(expression, steps=2_000))
            except (Raised, Diverged) as ended:
                row.append(type(ended).__name__)
        found.setdefault(tuple(row), set()).add(variant.kind)
    return found


def test_a_condition_is_left_out_turned_round_and_one_off() -> None:
    found = answers("let f n = if n < 10 then 1 else 2", "f 9", "f 10", "f 11")
    assert found.keys() >= {(1, 1, 1), (2, 2, 2), (2, 1, 1), (1, 1, 2)}
    assert "rule" in found[1, 1, 1]
    assert "order" in found[2, 1, 1]
    assert found[1, 1, 2] == {"operator", "constant"}  # <= and 11


def test_cases_are_left_out_and_exchanged_only_if_that_can_matter() -> None:
    source = "let f = function 0 -> 5 | n when n > 3 -> 6 | _ -> 7"
    found = answers(source, "f 0", "f 4", "f 1")
    assert "rule" in found[7, 6, 7]  # without the first case
    assert "rule" in found[5, 7, 7]  # without the second
    assert "rule" in found[5, 6, 6]  # without its guard
    assert "order" not in set().union(*answers("let f = function [] -> 1 | _ :: _ -> 2", "f []", "f [1]").values())


def test_an_alternative_of_a_pattern_is_left_out() -> None:
    assert "rule" in answers("let f = function 'a' .. 'c' | 'x' -> 1 | _ -> 2", "f 'b'", "f 'x'")[1, 2]


def test_steps_are_left_out_and_exchanged() -> None:
    source = "let f l = l |> List.filter (fun x -> x > 1) |> List.rev |> List.map succ"
    found = answers(source, "f [1; 2; 3] = [4; 3]", "f [1; 2; 3] = [3; 4]", "f [1; 2; 3] = [4; 3; 2]")
    assert "rule" in found[False, True, False]
    assert "rule" in found[False, False, True]


def test_operands_are_exchanged_and_dropped() -> None:
    found = answers('let f a b = a ^ "-" ^ b', 'f "x" "y" = "x-y"', 'f "x" "y" = "-yx"', 'f "x" "y" = "xy"')
    assert "order" in found[False, True, False]
    assert found[False, False, True] >= {"rule", "constant"}


def test_messages_of_exceptions_are_not_varied() -> None:
    assert answers('let f n = if n < 0 then invalid_arg "negative" else failwith "no"', "f 1").keys() == {("Raised",)}


def test_parameters_of_one_type_are_mistaken_for_each_other() -> None:
    signature = "val f : int -> int -> string -> string"
    source = "let f a b s = string_of_int (10 * a) ^ s ^ string_of_int b"
    found = answers(source, 'f 1 2 "-"', signature=signature)
    assert "operand" in found[(b"20-2",)]
    assert "operand" in found[(b"10-1",)]
    assert answers(source, 'f 1 2 "-"').keys().isdisjoint({(b"20-2",), (b"10-1",)})
    turned = answers("let f (x, y) = (-y, x)", "f (1, 2)", signature="val f : int * int -> int * int")
    assert "operand" in turned[((-1, 1),)]
    shadowed = "let f a b s = let a = a + 1 in string_of_int a ^ s ^ string_of_int b"
    assert "operand" not in set().union(*answers(shadowed, 'f 1 2 "-"', signature=signature).values())


def test_a_call_is_left_out_if_an_argument_has_the_type_of_its_result() -> None:
    source = "let rec f l = match l with a :: b :: rest -> b :: a :: f rest | l -> l"
    found = answers(source, "f [1; 2; 3; 4] = [2; 1; 3; 4]", signature="val f : 'a list -> 'a list")
    assert "call" in found[(True,)]
    counting = "let rec f l = match l with [] -> 0 | _ :: rest -> 1 + f rest"
    assert "call" not in set().union(*answers(counting, "f [1]", signature="val f : 'a list -> int").values())


def test_initial_sizes_of_hash_tables_are_not_varied() -> None:
    assert answers("let f n = let t = Hashtbl.create 16 in Hashtbl.length t", "f 1") == {}


def test_names_that_shadow_the_library_are_not_varied() -> None:
    found = answers("let f min max = min * 10 + max", "f 1 7")
    assert (77,) not in found
    assert (11,) not in found


LEVELS = tuple(load_problems("bundled", level="1-3"))[::7]


@pytest.mark.parametrize("problem", LEVELS, ids=lambda problem: problem.id)
def test_variants_of_bundled_references_can_be_run(problem: Any) -> None:
    """Each gives a value or an OCaml exception, or runs out of steps."""
    if problem.kind == "program":
        pytest.skip("its tests are inputs")
    compiler = Compiler()
    try:
        items, prelude = read_items(problem.reference), read_items(problem.prelude)
        tests = read_expressions([test.code for test in problem.tests[:6]])
        compiler.program(items, prelude)
    except Unsupported:
        pytest.skip("the interpreter does not know it")
    for variant in variants(items, problem.signature):
        program = compiler.program(variant.items, prelude)
        for test in tests:
            try:
                assert program.value(test, steps=3_000) in (True, False)
            except (Raised, Diverged, Unsupported):
                continue
