"""Answers wait in a queue for evaluators."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from ocaml_env.episode import Episode, EpisodeSpec
from ocaml_env.evaluation.episodes import Answered, SampleEpisode, SampleRequest
from ocaml_env.evaluation.models.base import Answer
from ocaml_env.evaluation.queue import AnswerQueue
from ocaml_env.prompt import Prompt
from tests.engine.cases import function

PROBLEMS = {name: replace(function(f"val {name} : int", f"{name} = 1"), id=name) for name in "ab"}


def answered(name: str, sample: int) -> Answered:
    problem = PROBLEMS[name]
    running = SampleEpisode(
        asked=SampleRequest(problem, sample), episode=Episode(problem, EpisodeSpec()), prompt=Prompt(), seed=0
    )
    return Answered(running, Answer(), None)


def taken(waiting: AnswerQueue, evaluator: int) -> int | None:
    answer = waiting.take(evaluator, wait=False)
    return None if answer is None else answer.running.asked.sample


def test_an_evaluator_stays_with_its_problem() -> None:
    waiting = AnswerQueue()
    for sample, name in enumerate("abab"):
        waiting.put(answered(name, sample))
    assert [taken(waiting, evaluator) for evaluator in (0, 1, 1, 0)] == [0, 1, 3, 2]
    assert waiting.is_empty()
    assert taken(waiting, 0) is None


@pytest.mark.parametrize("evaluators", [1, 3])
def test_waiting_evaluators_learn_of_answers_and_of_the_end(evaluators: int) -> None:
    waiting = AnswerQueue()
    samples: list[int] = []
    all_there = threading.Event()

    def evaluate(number: int) -> None:
        while (answer := waiting.take(number)) is not None:
            samples.append(answer.running.asked.sample)
            if len(samples) == 20:
                all_there.set()

    threads = [threading.Thread(target=evaluate, args=[number]) for number in range(evaluators)]
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
