"""An answer need not repeat definitions that the interface gives in full."""

from __future__ import annotations

import pytest

from ocaml_env import Outcome, Problem, RewardSpec, Verifier, extract

SHAPES = Problem(
    id="shapes",
    statement="Write `area`, which raises `Negative` if a side is below 0.",
    signature="type shape = Square of int | Pair of shape * shape\nexception Negative of int\nval area : shape -> int",
    tests=(
        "area (Square 2) = 4",
        "area (Pair (Square 1, Square 2)) = 5",
        "(try ignore (area (Square (-1))); false with Negative -1 -> true)",
    ),
)
AREA = (
    "let rec area = function Square n -> if n < 0 then raise (Negative n) else n * n | Pair (a, b) -> area a + area b"
)
TYPE = "type shape = Square of int | Pair of shape * shape"
EXCEPTION = "exception Negative of int"


@pytest.mark.parametrize(
    ("own", "given"),
    [
        ([], ("shape", "Negative")),
        ([TYPE], ("Negative",)),
        ([EXCEPTION], ("shape",)),
        ([TYPE, EXCEPTION], ()),
        (["type colour = Red"], ("shape", "Negative")),
    ],
)
def test_missing_definitions_are_put_in_front(verifier: Verifier, own: list[str], given: tuple[str, ...]) -> None:
    verdict = verifier.verify(SHAPES, "\n".join([*own, AREA]))
    assert (verdict.outcome, verdict.given) == (Outcome.PASSED, given)


def test_an_answers_own_definition_is_kept_even_if_it_differs(verifier: Verifier) -> None:
    verdict = verifier.verify(SHAPES, f"type shape = Square of float\n{AREA}")
    assert (verdict.outcome, verdict.given) == (Outcome.TYPE_ERROR, ("Negative",))


def test_errors_keep_their_lines(verifier: Verifier) -> None:
    verdict = verifier.verify(SHAPES, f"let wrong = 1\n{AREA} + missing")
    assert [(found.name, found.line) for found in verdict.diagnostics] == [("missing", 2)]


@pytest.mark.parametrize(
    "signature",
    [
        "type t\ntype node = Leaf of t\nval make : int -> node",
        "module M : sig type t end\ntype node = Leaf of M.t\nval make : int -> node",
        "type t\nand node = Leaf of t\nval make : int -> node",
    ],
)
def test_definitions_that_need_the_answers_types_are_not_given(verifier: Verifier, signature: str) -> None:
    problem = Problem(id="nodes", statement="Write `make`.", signature=signature, tests=("ignore (make 1); true",))
    own = "type t = int module M = struct type t = int end\n"
    verdict = verifier.verify(problem, f"{own}let make n = Leaf n")
    assert (verdict.outcome, verdict.given) == (Outcome.TYPE_ERROR, ())
    assert verifier.verify(problem, f"{own}type node = Leaf of int\nlet make n = Leaf n").stage.name in (
        "TEST",
        "TYPECHECK",
    )


def test_an_answer_with_an_include_is_left_as_it_is(verifier: Verifier) -> None:
    code = f"include struct {TYPE} {EXCEPTION} end\n{AREA}"
    assert (verifier.verify(SHAPES, code).outcome, verifier.verify(SHAPES, code).given) == (Outcome.PASSED, ())


def test_an_empty_answer_is_given_nothing(verifier: Verifier) -> None:
    assert verifier.verify(SHAPES, "(* nothing *)").outcome is Outcome.NO_CODE


def test_the_seeds_reward_gave_no_definitions(verifier: Verifier) -> None:
    code = AREA + "\n" * 3
    verdict = verifier.verify(SHAPES, code)
    seed = RewardSpec.preset("seed-2025-12-10", min_non_empty_lines=0)
    assert seed(SHAPES, extract(code), verdict).total == pytest.approx(0.11)
    assert RewardSpec.preset("staged")(SHAPES, extract(code), verdict).total == 1.0
