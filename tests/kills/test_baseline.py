"""Degenerate answers, and the baseline of each group of tests."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ocaml_env.kills.baseline import measure_baselines
from ocaml_env.kills.stubs import passed_by, verify_stubs
from ocaml_env.problem import Problem, Test
from ocaml_env.problems import load_problems

if TYPE_CHECKING:
    from ocaml_env.verifiers.local import Verifier


def function(reference: str, signature: str, examples: list[str], hidden: list[str]) -> Problem:
    tests = [Test(code, public=True) for code in examples] + [Test(code) for code in hidden]
    return Problem(id="p", statement="?", signature=signature, reference=reference, tests=tuple(tests))


def measured(problem: Problem) -> list[tuple[tuple[str, ...], int, str]]:
    return [(found.group.items, found.group.baseline, found.what) for found in measure_baselines(problem, {})]


def test_a_constant_that_many_tests_expect() -> None:
    hidden = [f"f {n} = {n * n if n < 3 else 9}" for n in range(1, 8)]
    problem = function("let f n = if n < 3 then n * n else 9", "val f : int -> int", [], hidden)
    assert measured(problem) == [(("f",), 5, "f: always 9")]


def test_an_argument_given_back_and_an_exception() -> None:
    hidden = [f"f 0 {n} = {n}" for n in range(5)] + ["f 1 2 = 3"]
    problem = function("let f a b = a + b", "val f : int -> int -> int", [], hidden)
    assert measured(problem) == [(("f",), 5, "f: argument 2 given back")]
    hidden = ["(match f 1 with exception Exit -> true | _ -> false)"] * 4 + [f"f {n} = {n + 1}" for n in range(2, 5)]
    problem = function("let f n = if n = 1 then raise Exit else n + 1", "val f : int -> int", [], hidden)
    assert measured(problem) == [(("f",), 4, "f: raises Exit")]


def test_a_table_of_the_examples_with_a_fallback() -> None:
    examples = ["f 1 = 10", "f 2 = 20"]
    hidden = ["[f 1; f 3] = [10; 0]", "[f 2; f 4] = [20; 0]", "[f 5; f 6] = [50; 60]", "f 7 = 70"]
    problem = function("let f n = if n = 3 || n = 4 then 0 else 10 * n", "val f : int -> int", examples, hidden)
    assert measured(problem) == [(("f",), 2, "f: a table of the examples, or always 0")]


def test_each_function_of_a_group_has_its_own_answer() -> None:
    hidden = ["(f 1, g 1) = (0, 5)", "(f 2, g 2) = (0, 5)", "(f 3, g 3) = (0, 7)", "(f 4, g 4) = (1, 5)"]
    reference = "let f n = if n = 4 then 1 else 0\nlet g n = if n = 3 then 7 else 5"
    problem = function(reference, "val f : int -> int\nval g : int -> int", [], hidden)
    assert measured(problem) == [(("f", "g"), 2, "f: always 0; g: always 5")]


def test_calls_of_functor_results_count() -> None:
    signature = "module Twice (A : sig val step : int end) : sig val f : int -> int end"
    reference = "module Twice (A : sig val step : int end) = struct let f n = if n > 3 then n else n + A.step end"
    hidden = ["T.f 1 = 3", "T.f 4 = 4", "T.f 5 = 5"]
    problem = function(reference, signature, [], hidden)
    problem = replace(problem, prelude="module T = Twice (struct let step = 2 end)")
    assert measured(problem) == [(("Twice",), 2, "Twice.f: argument 1 given back")]


def test_no_constant_replaces_a_function_that_changes_its_argument() -> None:
    hidden = [f"(let a = [| {n} |] in f a; a = [| {n + 1} |])" for n in range(4)]
    problem = function("let f a = a.(0) <- a.(0) + 1", "val f : int array -> unit", [], hidden)
    assert measured(problem) == [(("f",), 0, "")]


def test_a_constant_replaces_a_function_if_the_test_drops_the_changed_argument() -> None:
    hidden = [f"f [| {n} |] = [| {n + 1} |]" for n in (1, 2, 2, 3)]
    problem = function("let f a = a.(0) <- a.(0) + 1; a", "val f : int array -> int array", [], hidden)
    assert measured(problem) == [(("f",), 2, "f: always [|3|]")]


def test_a_program_that_prints_a_common_output_or_its_input() -> None:
    runs = [("1", "odd\n"), ("2", "even\n"), ("3", "odd\n"), ("odd", "odd\n")]
    problem = Problem(
        id="p",
        statement="?",
        kind="program",
        reference='let () = print_string (if int_of_string (read_line ()) mod 2 = 0 then "even" else "odd")',
        tests=tuple(Test(stdin=stdin, stdout=stdout) for stdin, stdout in runs),
    )
    assert measured(problem) == [((), 3, "always odd")]


def test_results_of_run_stubs_raise_baselines(verifier: Verifier) -> None:
    problem = load_problems("bundled").get("snake_case")
    passed = {name: passed_by(verdict) or set() for name, verdict in verify_stubs(problem, verifier).items()}
    without, with_stubs = measure_baselines(problem, {}), measure_baselines(problem, passed)
    assert [a.group.baseline <= b.group.baseline for a, b in zip(without, with_stubs, strict=True)] == [True] * len(
        without
    )
    everything = {"all": {test.name for test in problem.tests}}
    assert {group.share for group in measure_baselines(problem, everything)} == {1.0}
