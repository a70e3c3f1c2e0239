"""Threads take candidates problem by problem."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.verifiers.by_problem import ByProblem

THREADS = st.lists(st.integers(0, 3), min_size=40, max_size=40)


def filled(problems: str) -> ByProblem[int]:
    waiting: ByProblem[int] = ByProblem()
    for place, problem in enumerate(problems):
        waiting.put(problem, place)
    return waiting


@given(st.text("abcd", max_size=40), THREADS)
def test_every_candidate_is_taken_once_and_a_thread_stays_with_its_problem(problems: str, threads: list[int]) -> None:
    waiting = filled(problems)
    at: dict[int, str] = {}
    left = dict(enumerate(problems))
    for thread in threads[: len(problems)]:
        assert len(waiting) == len(left)
        problem = left.pop(waiting.take(thread))
        if at.get(thread) in [*left.values(), problem]:
            assert problem == at[thread]
        at[thread] = problem
    assert not waiting
    assert not left


def test_another_thread_takes_another_problem_and_then_helps_with_the_largest() -> None:
    waiting = filled("abbaccccc")
    assert [waiting.take(thread) for thread in (1, 2, 3, 1, 2)] == [0, 1, 4, 3, 2]
    assert [waiting.take(thread) for thread in (1, 2, 3)] == [5, 6, 7]


def test_one_thread_takes_problems_in_the_order_of_arrival() -> None:
    waiting = filled("babca")
    assert [waiting.take(1) for _ in range(5)] == [0, 2, 1, 4, 3]
    with pytest.raises(IndexError):
        waiting.take(1)
