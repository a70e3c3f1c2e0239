"""Plays through ``skyrl_gym.make``, ``init`` and ``step``."""

from __future__ import annotations

from collections.abc import Sequence

import skyrl_gym

from ocaml_env.integrations.skyrl_gym import ENV_CLASS, rows
from tests.integrations.recorded import PROBLEMS, Pair


def play(pairs: Sequence[Pair]) -> list[tuple[float, str]]:
    by_id = {row["problem_id"]: row for row in rows(PROBLEMS)}
    return [_play(by_id[pair.problem_id], pair) for pair in pairs]


def _play(row: dict[str, object], pair: Pair) -> tuple[float, str]:
    env = skyrl_gym.make(ENV_CLASS, env_config={"problems": PROBLEMS}, extras=row)
    prompt, _ = env.init(row["prompt"])
    assert prompt == row["prompt"]
    step = env.step(pair.completion)
    assert step["done"]
    return step["reward"], step["metadata"]["outcome"]
