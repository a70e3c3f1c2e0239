"""Plays through the scorer, on states as ``generate`` leaves them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from inspect_ai.model import ModelName, ModelOutput
from inspect_ai.scorer import Score, Scorer, Target
from inspect_ai.solver import TaskState

from ocaml_env.integrations.inspect_ai import ocaml_verdict
from tests.integrations.recorded import PROBLEMS, Pair


def play(pairs: Sequence[Pair]) -> list[tuple[float, str]]:
    return asyncio.run(_play_all(ocaml_verdict(PROBLEMS), pairs))


async def _play_all(scorer: Scorer, pairs: Sequence[Pair]) -> list[tuple[float, str]]:
    scores = await asyncio.gather(*(scorer(_state(pair), Target("")) for pair in pairs))
    return [_read(score) for score in scores]


def _state(pair: Pair) -> TaskState:
    reason = "max_tokens" if pair.truncated else "stop"
    output = ModelOutput.from_content("a/model", pair.text, stop_reason=reason)
    return TaskState(
        model=ModelName("a/model"), sample_id=pair.problem_id, epoch=1, input="", messages=[], output=output
    )


def _read(score: Score | None) -> tuple[float, str]:
    assert score is not None
    assert score.metadata is not None
    return score.as_dict()["reward"], score.metadata["outcome"]
