"""Candidates of a batch go to threads problem by problem."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.by_problem import ByProblem


@given(st.lists(st.sampled_from("abcd"), max_size=40), st.lists(st.integers(0, 3), min_size=60, max_size=60))
def test_every_place_is_taken_once_and_a_thread_stays_with_its_problem(problems: list[str], threads: list[int]) -> None:
    order = ByProblem(problems)
    at: dict[int, str] = {}
    left = dict(enumerate(problems))
    for thread in threads:
        if not left:
            break
        place = order.take(thread)
        problem = left.pop(place)
        last = at.get(thread)
        if last in left.values():
            assert problem == last
        at[thread] = problem
    assert sorted(order) == sorted(left)


def test_another_thread_takes_another_problem_and_then_helps_where_most_is_left() -> None:
    order = ByProblem(["a", "b", "a", "b", "a", "a"])
    assert [order.take(1), order.take(2), order.take(1), order.take(2)] == [0, 1, 2, 3]
    assert [order.take(2), order.take(1)] == [4, 5]


def test_one_thread_goes_through_problems_in_the_order_in_which_they_come() -> None:
    assert list(ByProblem(["b", "a", "b", "c", "a"])) == [0, 2, 1, 4, 3]
    assert list(ByProblem([])) == []
