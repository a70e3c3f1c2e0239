"""Agents as somebody might bring them: by import path."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from ocaml_env import Completion

__all__ = ["Coin", "Learner", "Slow", "Wrong", "not_an_agent"]

not_an_agent = 3


class Coin:
    """Adds rightly where the prompt says how often it was asked an even number of times; keeps no memory."""

    def act(self, observations: Sequence[str]) -> list[Completion]:
        return [Completion("let add a b = a + b\nlet negate a = -a") for _ in observations]


class Slow(Coin):
    """Takes its time, so that a run can be killed in the middle."""

    def act(self, observations: Sequence[str]) -> list[Completion]:
        time.sleep(float(os.environ.get("SLOW_SECONDS", "0.02")))
        return [Completion("let rec f x = x" if len(prompt) % 3 else "let oops = ") for prompt in observations]


class Learner:
    """Is wrong until it is told so."""

    def act(self, observations: Sequence[str]) -> list[Completion]:
        return [
            Completion("let add a b = a + b\nlet negate a = -a" if "Your last answer" in prompt else "let add a b = a")
            for prompt in observations
        ]


class Wrong:
    """Forgets an answer."""

    def act(self, observations: Sequence[str]) -> list[Completion]:
        return [Completion("") for _ in observations[1:]]
