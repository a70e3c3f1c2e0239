"""Plays through ``reasoning_gym.create_dataset`` and ``score_answer``."""

from __future__ import annotations

from collections.abc import Sequence

import reasoning_gym

import ocaml_env.integrations.reasoning_gym  # noqa: F401  registers the data set
from ocaml_env import load_problems
from tests.integrations.recorded import PROBLEMS, Pair


def play(pairs: Sequence[Pair]) -> list[tuple[float, str]]:
    data = reasoning_gym.create_dataset("ocaml", problems=PROBLEMS, size=len(load_problems(PROBLEMS)))
    entries = {entry["metadata"]["problem_id"]: entry for entry in data}
    return [
        (
            data.score_answer(pair.completion, entries[pair.problem_id]),
            data.evaluate(pair.completion, entries[pair.problem_id]).verdict.outcome.value,
        )
        for pair in pairs
    ]
