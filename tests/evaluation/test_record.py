"""Samples of earlier versions are read."""

from __future__ import annotations

from typing import Any

from ocaml_env import Outcome, Stage
from ocaml_env.evaluation.record import Record

TURN: dict[str, Any] = {
    "completion": "let add a b = a",
    "truncated": False,
    "outcome": "TEST_FAILURE",
    "stage": "TEST",
    "errors": 0,
    "diagnostics": [],
    "parts": {"tests": 0.25},
    "total": 0.45,
    "tests_passed": 1,
    "tests_total": 4,
    "tokens": 7,
    "latency": 0.5,
}
PASSED = TURN | {"outcome": "PASSED", "parts": {"tests": 1.0}, "total": 1.0, "tests_passed": 4, "thinking": 3}
SAMPLE = {
    "schema_version": 1,
    "problem_id": "add",
    "sample": 2,
    "problem_digest": "d" * 64,
    "kind": "function",
    "topics": ["arithmetic"],
    "level": "1",
    "prompt_digest": "p" * 64,
    "completion": "let add a b = a",
    "turns": [TURN, PASSED | {"tests_passed_inside": 1}],
    "tests": [],
    "seed": 5,
    "fault": "",
}


def test_a_sample_from_before_turns_were_rollouts_is_read() -> None:
    record = Record.from_json(SAMPLE)
    first, second = record.turns
    assert (first.outcome, first.stage, first.passed) == (Outcome.TEST_FAILURE, Stage.TEST, False)
    assert (second.passed, record.solved_at, record.latency) == (True, 2, 1.0)
    assert [(turn.problem_id, turn.turn, turn.prompt_digest) for turn in record.turns] == [
        ("add", 1, "p" * 64),
        ("add", 2, ""),  # it held feedback
    ]
    assert (first.tests_passed_inside, second.tests_passed_inside, second.thinking) == (0, 1, 3)


def test_a_record_survives_writing_and_reading() -> None:
    record = Record.from_json(SAMPLE)
    assert Record.from_json(record.to_json()) == record
