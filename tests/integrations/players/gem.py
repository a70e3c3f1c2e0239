"""Plays through ``gem.make``, ``reset`` and ``step``."""

from __future__ import annotations

from collections.abc import Sequence

import gem

from ocaml_env.integrations.gem import ENV_ID
from tests.integrations.recorded import PROBLEMS, Pair


def play(pairs: Sequence[Pair]) -> list[tuple[float, str]]:
    env = gem.make(ENV_ID, problems=PROBLEMS)
    return [_play(env, pair) for pair in pairs]


def _play(env: gem.Env, pair: Pair) -> tuple[float, str]:
    env.reset_to(pair.problem_id)
    _, reward, terminated, truncated, info = env.step(pair.completion)
    assert (terminated, truncated) == (True, False)
    return reward, info["outcome"]
