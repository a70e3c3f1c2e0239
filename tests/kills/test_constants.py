"""Constant answers pass in the engine exactly the predicted tests."""

from __future__ import annotations

import pytest

from ocaml_env import Problem, Verifier
from ocaml_env.kills.constants import constant_answer, passed_by_constants

SIGNATURE = """\
type 'a bag
exception Full of int
module Log : sig
  type t
  val make : int -> t
  val lines : t -> string list
end
val empty : 'a bag
val size : 'a bag -> int
val both : int -> float * string option
val numbers : int -> int Seq.t"""


def test_constants_pass_the_predicted_tests(verifier: Verifier) -> None:
    problem = Problem(
        id="empties",
        statement="Write them.",
        signature=SIGNATURE,
        prelude="let of_log n = Log.lines (Log.make n)",
        tests=("size empty = 0", "of_log 3 = []", 'of_log 1 = ["a"]', "both 1 = (0., None)", "both 2 = (1., None)"),
    )
    answer = constant_answer(SIGNATURE, 0)
    assert answer is not None
    passed = {test.name for test in verifier.verify(problem, answer).tests if test.passed}
    assert passed_by_constants(problem)["constant 1 of each type"] == passed == {"test 1", "test 2", "test 4"}


def test_a_returned_argument_passes_the_predicted_tests(verifier: Verifier) -> None:
    problem = Problem(
        id="given",
        statement="Write it.",
        signature="type t\nval none : t\nval add : int -> t -> t\nval size : t -> int\n"
        "val evens : int Seq.t -> int Seq.t",
        tests=(
            "List.of_seq (evens (List.to_seq [2; 4])) = [2; 4]",
            "List.of_seq (evens (List.to_seq [1])) = []",
            "add 1 none = none",
            "size (add 1 none) = 1",
        ),
    )
    answer = constant_answer(problem.signature, 0, gives_back=True)
    assert answer is not None
    passed = {test.name for test in verifier.verify(problem, answer).tests if test.passed}
    assert passed_by_constants(problem)["an argument given back"] == passed == {"test 1", "test 3"}


@pytest.mark.parametrize("signature", ["val f : ?a:int -> int", "val f : 'a -> 'a", "val f : int -> Buffer.t"])
def test_unknown_types_have_no_constant_answer(signature: str) -> None:
    assert constant_answer(signature, 0) is None
