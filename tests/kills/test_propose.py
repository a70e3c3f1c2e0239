"""Proposed tests: which inputs are drawn, what is left out, and what the tests kill."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ocaml_env.errors import ProblemError
from ocaml_env.kills.inputs import Inputs
from ocaml_env.kills.mutants import measure
from ocaml_env.kills.propose import Proposals, as_tests, call_key, propose
from ocaml_env.problem import Problem, Test
from ocaml_env.problems import load_problems

if TYPE_CHECKING:
    from ocaml_env.verifiers.local import Verifier

BUNDLED = [problem for problem in load_problems("bundled") if problem.kind == "function"]


def problem(signature: str, reference: str, example: str, statement: str = "It says what to do.") -> Problem:
    tests = [Test(example, public=True)]
    return Problem(id="p", statement=statement, signature=signature, reference=reference, tests=tests)


def calls(found: Proposals) -> list[str]:
    return [proposal.call for proposal in found.tests]


# --- inputs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", BUNDLED[::12], ids=lambda given: given.id)
def test_drawn_inputs_are_different_and_the_same_every_time(given: Problem, verifier: Verifier) -> None:
    texts = [given.reference, *(test.code for test in given.public_tests)]
    examples = verifier.answers([test.code for test in given.public_tests])
    drawn = Inputs(given.signature, texts, examples).draw(60)
    assert drawn == Inputs(given.signature, texts, examples).draw(60)
    assert len({each.code for each in drawn}) == len(drawn) <= 60


def test_nearly_all_inputs_typecheck(verifier: Verifier) -> None:
    right = []
    for given in BUNDLED[::12]:
        if drawn := Inputs(given.signature, [given.reference]).draw(60):
            tests = tuple(Test(f"ignore ({each.code}); true") for each in drawn)
            try:
                verifier.check(replace(given, prelude="", tests=tests, baseline=()))
            except ProblemError:
                right.append(False)
            else:
                right.append(True)
    assert sum(right) >= 0.95 * len(right)


def test_most_bundled_problems_get_inputs() -> None:
    some = BUNDLED[::8]
    drawn = [bool(Inputs(given.signature, [given.reference]).draw(20)) for given in some]
    assert sum(drawn) >= 0.9 * len(some)


def test_values_of_an_abstract_type_are_made_and_changed_by_its_functions() -> None:
    signature = "type t\nval create : int -> t\nval push : t -> int -> unit\nval pop : t -> int option"
    inputs = Inputs(signature, [])
    codes = [each.code for each in inputs.draw(200)]
    assert inputs.unknown == {}
    assert any("create" in code and "push it" in code and code.endswith("pop it") for code in codes)
    assert all(each.function == "pop" for each in inputs.draw(200))


def test_constants_of_the_reference_and_their_neighbours_are_drawn() -> None:
    codes = [each.code for each in Inputs("val f : int -> bool", ["let f n = n > 737"]).draw(100)]
    assert {"f 736", "f 737", "f 738"} <= set(codes)
    codes = [each.code for each in Inputs("val f : char -> bool", ["let f c = c > 'q'"]).draw(100)]
    assert {"f 'p'", "f 'q'", "f 'r'"} <= set(codes)


def test_types_that_cannot_be_drawn_are_named() -> None:
    signature = "val f : Lexing.lexbuf -> int\nval g : < n : int > -> int\nmodule M : sig\n  val h : int -> int\nend"
    inputs = Inputs(signature, [])
    assert inputs.draw(10) == []
    assert set(inputs.unknown) == {"f", "g", "module M"}


# --- proposals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("signature", "reference", "example"),
    [
        ("val f : int -> int", "let f n = if n > 737 then n - 1 else n + 2", "f 1 = 3"),
        ("val f : int array -> unit", "let f a = Array.sort compare a", "let a = [|2; 1|] in f a; a = [|1; 2|]"),
        ("val f : ?by:int -> int -> int", "let f ?(by = 3) n = n * by", "f 2 = 6"),
        ("val f : ('a -> bool) -> 'a list -> 'a option", "let f p l = List.find_opt p l",
         "f (fun _ -> true) [] = None"),
        ("type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree\nval f : 'a tree -> 'a list",
         "type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree\n"
         "let rec f = function Leaf -> [] | Node (l, x, r) -> f l @ (x :: f r)", "f (Node (Leaf, 1, Leaf)) = [1]"),
        ("type t = { name : string; mutable age : int }\nval f : t -> t -> string",
         "type t = { name : string; mutable age : int }\nlet f a b = if a.age < b.age then b.name else a.name",
         'f { name = "a"; age = 1 } { name = "b"; age = 2 } = "b"'),
        ("val f : float -> float", "let f x = if x < 0. then 0. else x /. 3.", "f 3. = 1."),
    ],
    ids=("number", "in place", "optional", "polymorphic", "tree", "record", "float"),
)  # fmt: skip
def test_the_tests_kill_every_mutant_that_an_input_kills(
    signature: str, reference: str, example: str, verifier: Verifier
) -> None:
    given = problem(signature, reference, example)
    found = propose(given, verifier)
    assert found.tests
    full = replace(given, tests=(*given.tests, *map(Test, as_tests(found.tests))))
    assert verifier.verify(full, reference).passed
    score = measure(full, verifier=verifier, cap=1_000)
    assert [mutant.key for mutant in score.survivors] == [mutant.key for mutant in found.survivors]
    assert score.total == found.mutants


def test_a_problem_with_tests_gets_only_those_that_kill(verifier: Verifier) -> None:
    given = problem("val f : int -> int", "let f n = if n > 737 then n - 1 else n + 2", "f 1 = 3")
    full = replace(given, tests=(*given.tests, Test("f 738 = 737")))
    assert all(proposal.reason.startswith("kills ") for proposal in propose(full, verifier).tests)
    first = propose(given, verifier)
    full = replace(given, tests=(*given.tests, *map(Test, as_tests(first.tests))))
    assert propose(full, verifier).tests == ()


def test_a_dropped_call_is_not_proposed_again(verifier: Verifier) -> None:
    given = problem("val f : int -> int", "let f n = if n > 737 then n - 1 else n + 2", "f 1 = 3")
    dropped = {call_key("f (738)")}
    assert "f 738" in calls(propose(given, verifier))
    assert "f 738" not in calls(propose(given, verifier, dropped=dropped))


def test_exceptions_are_expected_only_if_the_problem_mentions_them(verifier: Verifier) -> None:
    reference = 'let f n = if n < 0 then invalid_arg "f" else n + 1'
    silent = problem("val f : int -> int", reference, "f 1 = 2")
    found = propose(silent, verifier)
    assert not any(proposal.raises for proposal in found.tests)
    assert any("inputs raise Invalid_argument, which the problem does not mention" in note for note in found.notes)
    found = propose(replace(silent, statement="It raises `Invalid_argument` for a negative number."), verifier)
    raising = next(proposal for proposal in found.tests if proposal.raises)
    assert raising.code == f"match {raising.call} with _ -> false | exception Invalid_argument _ -> true"


def test_inputs_without_an_answer_are_left_out_and_counted(verifier: Verifier) -> None:
    reference = "let rec f n = if n = 0 then 0. else if n < 0 then f n else if n = 5 then nan else float_of_int n /. 3."
    found = propose(problem("val f : int -> float", reference, "f 0 = 0."), verifier)
    assert not {"f (-1)", "f 5"} & set(calls(found))
    assert any("have no answer within limits" in note for note in found.notes)


def test_calls_are_joined_if_a_degenerate_answer_is_often_right(verifier: Verifier) -> None:
    given = problem("val f : int -> int -> int", "let f a b = if a > b then a else b", "f 1 2 = 2")
    codes = as_tests(propose(given, verifier).tests)
    full = replace(given, tests=(*given.tests, *map(Test, codes)))
    for guess in ("let f a _ = a", "let f _ b = b", "let f _ _ = 0"):
        verdict = verifier.verify(full, guess)
        assert sum(test.passed for test in verdict.tests) <= len(codes) / 4


def test_a_reference_that_fails_an_example_is_an_error(verifier: Verifier) -> None:
    given = problem("val f : int -> int", "let f n = n + 1", "f 1 = 3")
    with pytest.raises(ProblemError, match="its reference does not pass"):
        propose(given, verifier)
