"""Answers wait for judges."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from ocaml_env.episode import Episode, EpisodeSpec
from ocaml_env.evaluation.episodes import Answered, Asked, Playing
from ocaml_env.evaluation.models.base import Answer
from ocaml_env.evaluation.queue import Waiting
from tests.engine.cases import function

PROBLEMS = {name: replace(function(f"val {name} : int", f"{name} = 1"), id=name) for name in "ab"}


def answered(name: str, sample: int) -> Answered:
    problem = PROBLEMS[name]
    playing = Playing(asked=Asked(problem, sample), episode=Episode(problem, EpisodeSpec()), prompt="", seed=0)
    return Answered(playing, Answer(), None)


def taken(waiting: Waiting, judge: int) -> int | None:
    one = waiting.take(judge, wait=False)
    return None if one is None else one.playing.asked.sample


def test_a_judge_stays_with_its_problem_and_another_takes_another() -> None:
    waiting = Waiting()
    for sample, name in enumerate("abab"):
        waiting.put(answered(name, sample))
    assert [taken(waiting, judge) for judge in (0, 1, 1, 0)] == [0, 1, 3, 2]
    assert waiting.is_empty()
    assert taken(waiting, 0) is None


@pytest.mark.parametrize("judges", [1, 3])
def test_those_that_wait_are_told_of_an_answer_and_of_the_end(judges: int) -> None:
    waiting = Waiting()
    samples: list[int] = []
    all_there = threading.Event()

    def judge(number: int) -> None:
        while (one := waiting.take(number)) is not None:
            samples.append(one.playing.asked.sample)
            if len(samples) == 20:
                all_there.set()

    threads = [threading.Thread(target=judge, args=[number]) for number in range(judges)]
    for thread in threads:
        thread.start()
    for sample in range(20):
        waiting.put(answered("a", sample))
    assert all_there.wait(10)
    waiting.end()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
    assert sorted(samples) == list(range(20))
    assert taken(waiting, 0) is None
