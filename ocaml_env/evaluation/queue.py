"""A queue of answers, between the asking thread and the evaluating threads."""

from __future__ import annotations

import threading

from ocaml_env.evaluation.episodes import Answered
from ocaml_env.verifiers.by_problem import ByProblem

__all__ = ["AnswerQueue"]


class AnswerQueue:
    """Answers for numbered evaluators. An evaluator prefers answers to its last problem, see ``ByProblem``."""

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
        """Returns the next answer for an evaluator; None at the end, and without ``wait`` if the queue is empty."""
        with self._changed:
            while wait and not self._answers and not self._ended:
                self._changed.wait()
            return None if self._ended or not self._answers else self._answers.take(evaluator)

    def is_empty(self) -> bool:
        return not self._answers

    def end(self) -> None:
        """Ends the queue: waiting and later evaluators get None."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
