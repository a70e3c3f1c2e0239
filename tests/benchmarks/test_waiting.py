"""Answers wait for judges, in lots of one problem."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.models import Answer
from benchmarks.playing import Asked, Playing
from benchmarks.waiting import Waiting
from ocaml_env import Problem
from ocaml_env.episode import Episode, EpisodeSpec
from tests.engine.cases import function

PROBLEMS = {name: replace(function("val f : int -> int", "f 1 = 1"), id=name) for name in "abcd"}


def playing(problem: Problem, number: int) -> Playing:
    return Playing(asked=Asked(problem, number), episode=Episode(problem, EpisodeSpec()), prompt="", seed=0)


def filled(names: str, judges: int) -> Waiting:
    waiting = Waiting(judges)
    for number, name in enumerate(names):
        waiting.put(playing(PROBLEMS[name], number), Answer())
    return waiting


def places(lot: list[tuple[Playing, Answer]]) -> list[int]:
    return [one.asked.sample for one, _ in lot]


@given(st.text("abcd", max_size=60), st.lists(st.integers(0, 2), min_size=60, max_size=60))
def test_every_answer_is_taken_once_in_lots_of_one_problem(names: str, judges: list[int]) -> None:
    waiting = filled(names, 3)
    taken: list[int] = []
    for judge in judges:
        if waiting.is_empty():
            break
        lot = waiting.take(judge)
        assert len({one.asked.problem.id for one, _ in lot}) == 1
        assert 1 <= len(lot) <= 8
        taken += places(lot)
    assert sorted(taken) == list(range(len(names)))


def test_a_judge_stays_with_its_problem_and_another_takes_another() -> None:
    waiting = filled("aabb" * 20, 2)
    of = [waiting.take(judge)[0][0].asked.problem.id for judge in (0, 1, 0, 1)]
    assert of == ["a", "b", "a", "b"]


def test_lots_are_small_where_few_answers_wait() -> None:
    waiting = filled("a" * 100, 2)
    sizes = []
    while not waiting.is_empty():
        sizes.append(len(waiting.take(0)))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 8
    assert sizes[-5:] == [1] * 5


def test_near_the_end_answers_are_given_one_at_a_time() -> None:
    waiting = filled("a" * 100, 2)
    assert len(waiting.take(0)) == 8
    waiting.nearly_end()
    assert [len(waiting.take(judge)) for judge in (0, 1, 0)] == [1, 1, 1]


@pytest.mark.parametrize("judges", [1, 3])
def test_those_that_wait_are_told_of_an_answer_and_of_the_end(judges: int) -> None:
    waiting = Waiting(judges)
    lots: list[list[int]] = []

    def judge(number: int) -> None:
        while lot := waiting.take(number):
            lots.append(places(lot))

    threads = [threading.Thread(target=judge, args=[number]) for number in range(judges)]
    for thread in threads:
        thread.start()
    for number in range(20):
        waiting.put(playing(PROBLEMS["a"], number), Answer())
    while not waiting.is_empty():
        pass
    waiting.end()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
    assert sorted(place for lot in lots for place in lot) == list(range(20))
