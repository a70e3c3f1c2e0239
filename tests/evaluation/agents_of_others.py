"""Agents of other people, named by import path."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from ocaml_env import Completion
from ocaml_env.problems import load_problems

__all__ = [
    "Coin",
    "Demanding",
    "Learner",
    "SecondTry",
    "Slow",
    "Wrong",
    "answers_each",
    "gives_no_agent",
    "lazily",
    "makes_a_coin",
    "not_an_agent",
    "numbers",
    "one_text",
    "plain",
]

not_an_agent = 3


class Coin:
    """Always gives the right answer, and keeps no memory."""

    def act(self, observations: Sequence[str]) -> list[Completion]:
        return [Completion("let add a b = a + b\nlet negate a = -a") for _ in observations]


class Slow(Coin):
    """Takes its time, so that a test can kill a run in the middle."""

    def act(self, observations: Sequence[str]) -> list[Completion]:
        time.sleep(float(os.environ.get("SLOW_SECONDS", "0.02")))
        return [Completion("let rec f x = x" if len(prompt) % 3 else "let oops = ") for prompt in observations]


class Learner:
    """Gives a wrong answer until it gets feedback."""

    def act(self, observations: Sequence[str]) -> list[Completion]:
        return [
            Completion("let add a b = a + b\nlet negate a = -a" if "Your last answer" in prompt else "let add a b = a")
            for prompt in observations
        ]


class SecondTry:
    """Answers bundled problems by their references, but not before it sees an answer of its own and feedback on it."""

    def __init__(self) -> None:
        self._problems = load_problems("bundled:eval")

    def act(self, observations: Sequence[str]) -> list[Completion]:
        return [Completion(self._answer(prompt)) for prompt in observations]

    def _answer(self, prompt: str) -> str:
        asked = next(problem for problem in self._problems if problem.statement.strip() in prompt)
        return asked.reference if "Your last answer" in prompt else "let x = 1"


class Wrong:
    """Returns one answer too few."""

    def act(self, observations: Sequence[str]) -> list[Completion]:
        return [Completion("") for _ in observations[1:]]


class Demanding(Coin):
    """Cannot be made without an argument."""

    def __init__(self, style: str) -> None:
        self.style = style


def plain(observations: Sequence[str]) -> list[str]:
    return ["let add a b = a + b\nlet negate a = -a" for _ in observations]


def makes_a_coin(side: str = "heads") -> Coin:
    return Coin()


def gives_no_agent() -> int:
    return 3


def answers_each(prompt: str, temperature: float) -> str:
    return "let add a b = a + b"


def one_text(observations: Sequence[str]) -> str:
    return "x" * len(observations)


def lazily(observations: Sequence[str]) -> object:
    return (observation for observation in observations)


def numbers(observations: Sequence[str]) -> list[int]:
    return [1 for _ in observations]
