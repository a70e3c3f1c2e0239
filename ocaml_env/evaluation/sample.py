"""The record of an episode in ``samples.jsonl``: one object of plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ocaml_env.episode import Evaluation
from ocaml_env.evaluation.models.base import Answer
from ocaml_env.evaluation.protocols.base import PeerEvaluation, Protocol
from ocaml_env.problem import Problem
from ocaml_env.verdict import TestOutcome

__all__ = ["NOTHING", "about", "became"]


def about(problem: Problem, protocol: Protocol) -> dict[str, Any]:
    """Returns the fields on the problem."""
    return {
        "problem_digest": protocol.digest_of(problem),
        "kind": problem.kind,
        "topics": list(problem.topics),
        "level": problem.level_name,
    }


NOTHING: dict[str, Any] = {
    "completion": None,
    "turns": [],
    "outcome": None,
    "stage": None,
    "passed": None,
    "solved_at": None,
    "total": None,
    "parts": None,
    "errors": None,
    "diagnostics": [],
    "tests": [],
    "tests_passed": None,
    "tests_passed_inside": None,
    "tests_total": None,
    "truncated": None,
    "tokens": None,
    "latency": None,
}
"""The fields of ``became`` for a fault."""


def became(answers: Sequence[Answer], evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Returns the fields on the answers and their evaluations, turn by turn."""
    turns = [_turn(answer, evaluation) for answer, evaluation in zip(answers, evaluations, strict=True)]
    last = turns[-1]
    verdict = evaluations[-1].verdict
    return {
        "completion": last["completion"],
        "turns": turns,
        "outcome": last["outcome"],
        "stage": last["stage"],
        "passed": verdict.passed,
        "solved_at": len(turns) if verdict.passed else None,
        "total": last["total"],
        "parts": last["parts"],
        "errors": last["errors"],
        "diagnostics": last["diagnostics"],
        "tests": [_test(test) for test in verdict.tests],
        "tests_passed": last["tests_passed"],
        "tests_passed_inside": last["tests_passed_inside"],
        "tests_total": last["tests_total"],
        "truncated": last["truncated"],
        "tokens": _sum([answer.tokens for answer in answers]),
        "latency": _sum([answer.latency for answer in answers]),
        **({"protocol": evaluations[-1].record} if isinstance(evaluations[-1], PeerEvaluation) else {}),
    }


def _test(test: TestOutcome) -> dict[str, Any]:
    ended = {"name": test.name, "public": test.public, "outcome": test.outcome.value}
    return {**ended, "detail": test.detail} if test.detail else ended


def _turn(answer: Answer, evaluation: Evaluation) -> dict[str, Any]:
    verdict, reward = evaluation.verdict, evaluation.reward
    return {
        "completion": str(evaluation.completion),
        "truncated": evaluation.completion.truncated,
        "outcome": verdict.outcome.value,
        "stage": verdict.stage.name,
        "errors": verdict.errors,
        "diagnostics": [diagnostic.as_dict() for diagnostic in verdict.diagnostics],
        "parts": {name: float(part) for name, part in reward.parts.items()},
        "total": float(reward.total),
        "tests_passed": verdict.tests_passed,
        "tests_passed_inside": verdict.tests_passed_inside,
        "tests_total": verdict.tests_total,
        "tokens": answer.tokens,
        "latency": answer.latency,
    }


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
