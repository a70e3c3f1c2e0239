"""Answers that wait for an evaluator, between the thread that asks and those that evaluate."""

from __future__ import annotations

import threading

from ocaml_env.evaluation.episodes import Answered
from ocaml_env.verifiers.by_problem import ByProblem

__all__ = ["AnswerQueue"]


class AnswerQueue:
    """Answers, for evaluators with a number each: one goes on with the problem that it was at, see ``ByProblem``."""

    def __init__(self) -> None:
        self._answers: ByProblem[Answered] = ByProblem()
        self._ended = False
        self._changed = threading.Condition()

    def put(self, answered: Answered) -> None:
        """Adds an answer."""
        with self._changed:
            self._answers.put(answered.running.asked.problem.tests_digest, answered)
            self._changed.notify()

    def take(self, evaluator: int, *, wait: bool = True) -> Answered | None:
        """The next answer for an evaluator; None at the end, and where there is none and nobody wants to wait."""
        with self._changed:
            while wait and not self._answers and not self._ended:
                self._changed.wait()
            return None if self._ended or not self._answers else self._answers.take(evaluator)

    def is_empty(self) -> bool:
        return not self._answers

    def end(self) -> None:
        """Gives nothing more, to those that wait either."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
