"""The answer that gives back the emptiest values."""

from __future__ import annotations

import pytest

from ocaml_env import Problem, Verifier
from ocaml_env.kills.empty import empty_answer, passed_by_empty_values

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


def test_it_passes_what_the_engine_says_it_passes(verifier: Verifier) -> None:
    problem = Problem(
        id="empties",
        statement="Write them.",
        signature=SIGNATURE,
        prelude="let of_log n = Log.lines (Log.make n)",
        tests=("size empty = 0", "of_log 3 = []", 'of_log 1 = ["a"]', "both 1 = (0., None)", "both 2 = (1., None)"),
    )
    answer = empty_answer(SIGNATURE)
    assert answer is not None
    passed = {test.name for test in verifier.verify(problem, answer).tests if test.passed}
    assert passed_by_empty_values(problem) == passed == {"test 1", "test 2", "test 4"}


@pytest.mark.parametrize("signature", ["val f : ?a:int -> int", "val f : 'a -> 'a", "val f : int -> Buffer.t"])
def test_it_is_not_there_for_types_that_are_not_known(signature: str) -> None:
    assert empty_answer(signature) is None
