"""Dividing a set for training and evaluation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem
from ocaml_env.problems import load_problems, to_jsonl
from ocaml_env.problems.similar import similar_pairs
from ocaml_env.problems.sources import read_sets
from ocaml_env.problems.splits import hold_out


def problem(number: int, *, like: int | None = None, split: str = "") -> Problem:
    """A problem; a near-duplicate of number ``like`` has its tests under another function's name."""
    asked = number if like is None else like
    return Problem(
        id=f"p{number}",
        statement=f"Multiply the number by {asked}, in the way of number {number}.",
        signature=f"val f{number} : int -> int",
        tests=[f"f{number} {x} = {x * asked}" for x in range(2, 7)],
        split=split,  # type: ignore[arg-type]
    )


MANY = [problem(number) for number in range(2, 42)]


def sides(problems: list[Problem]) -> dict[str, str]:
    return {problem.id: problem.split for problem in problems}


@given(share=st.floats(0.05, 0.9), seed=st.integers(0, 50), order=st.permutations(MANY))
def test_the_division_depends_on_the_set_the_share_and_the_seed_only(
    share: float, seed: int, order: list[Problem]
) -> None:
    divided = sides(hold_out(MANY, share, seed=seed))
    assert divided == sides(hold_out(order, share, seed=seed))
    assert [*divided.values()].count("eval") == max(1, round(share * len(MANY)))


def test_another_seed_divides_otherwise() -> None:
    assert len({tuple(sides(hold_out(MANY, 0.5, seed=seed)).values()) for seed in range(5)}) == 5


@given(seed=st.integers(0, 50), share=st.floats(0.1, 0.6))
def test_near_duplicates_stay_on_one_side(seed: int, share: float) -> None:
    problems = MANY + [problem(100 + number, like=number) for number in range(2, 20)]
    assert len(similar_pairs(problems)) == 18
    divided = sides(hold_out(problems, share, seed=seed))
    assert all(divided[f"p{number}"] == divided[f"p{100 + number}"] for number in range(2, 20))
    assert set(divided.values()) == {"train", "eval"}


@pytest.mark.parametrize("tail", ["", " :rtype: int", " Return the product."])
def test_alike_statements_stay_on_one_side(tail: str) -> None:
    asked = "Given a list of temperatures measured on {0} island, find the longest run in which none is below {0}."
    problems = [replace(each, statement=asked.format(each.id)) for each in MANY]
    copies = [
        replace(problem(500 + number), statement=each.statement + tail) for number, each in enumerate(problems[:20])
    ]
    for seed in range(5):
        divided = sides(hold_out([*problems, *copies], 0.3, seed=seed))
        assert all(divided[f"p{number + 2}"] == divided[f"p{500 + number}"] for number in range(20))


def test_an_instruction_in_every_statement_makes_no_cluster() -> None:
    problems = [replace(each, statement=f"Write a function in OCaml that does what {each.id} says.") for each in MANY]
    assert [*sides(hold_out(problems, 0.25)).values()].count("eval") == 10


def test_a_set_of_one_cluster_cannot_be_divided() -> None:
    with pytest.raises(ConfigError, match="the 3 problems form 1 clusters of near-duplicates"):
        hold_out([problem(2), problem(10, like=2), problem(11, like=2)], 0.3)


@pytest.mark.parametrize("share", [0, 1, -0.5, True, "0.2"])
def test_a_share_is_above_0_and_below_1(share: object) -> None:
    with pytest.raises(ConfigError, match="holdout must be above 0 and below 1, such as 0.2"):
        hold_out(MANY, share)  # type: ignore[arg-type]


def test_problems_of_an_evaluation_are_never_divided() -> None:
    with pytest.raises(ConfigError, match="has problems for evaluation already, such as 'p9'"):
        hold_out([problem(8), problem(9, split="eval")], 0.5)


def test_both_sides_of_a_file_make_up_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    to_jsonl(MANY, path)
    train, evaluation = (load_problems(path, split=split, holdout=0.2) for split in ("train", "eval"))
    assert (len(train), len(evaluation)) == (32, 8)
    assert {replace(problem, split="") for problem in (*train, *evaluation)} == {*MANY}
    assert {problem.split for problem in evaluation} == {"eval"}
    assert load_problems(f"{path}?split=eval&holdout=0.2") == evaluation == read_sets(f"{path}?holdout=0.2&split=eval")
    assert load_problems(f"{path}?split=eval&holdout=0.2&seed=1") != evaluation


def test_a_split_of_a_set_without_splits_says_how_to_divide_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    to_jsonl(MANY, path)
    with pytest.raises(ConfigError, match="has a split: divide it, as with holdout=0.2"):
        load_problems(path, split="train")
    to_jsonl([problem(2, split="train"), problem(3, split="eval")], path)
    assert [found.id for found in load_problems(path, split="eval")] == ["p3"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("hold=0.2", "there is no condition 'hold'"),
        ("holdout=much", "holdout must be a number, not 'much'"),
        ("holdout=2", "holdout must be above 0 and below 1"),
        ("holdout=0.2&split=test", "there is no split 'test'"),
    ],
)
def test_an_unknown_condition_is_refused(query: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    to_jsonl(MANY, path)
    with pytest.raises(ConfigError, match=message):
        load_problems(f"{path}?{query}")
