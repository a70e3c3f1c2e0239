"""Plays through a ``VecEnv`` of 64 environments that chooses every recorded answer once."""

from __future__ import annotations

from collections.abc import Sequence

import gymnasium

from ocaml_env import load_problems
from ocaml_env.integrations.stable_baselines3 import ChoiceVecEnv
from tests.integrations.recorded import PROBLEMS, Pair


def play(pairs: Sequence[Pair]) -> list[tuple[float, str]]:
    waiting: dict[str, list[int]] = {}
    for index, pair in enumerate(pairs):
        waiting.setdefault(pair.problem_id, []).append(index)
    problems = [load_problems(PROBLEMS).get(problem_id) for problem_id in waiting]
    most = max(map(len, waiting.values()))
    choices = {key: [pairs[i].completion for i in ours] + [""] * (most - len(ours)) for key, ours in waiting.items()}
    venv = ChoiceVecEnv(gymnasium.make_vec("OCamlCode-v0", num_envs=64, problems=tuple(problems)), choices)
    played: dict[int, tuple[float, str]] = {}
    places = {key: list(ours) for key, ours in waiting.items()}
    venv.seed(0)
    observations = venv.reset()
    while any(waiting.values()):
        ids = [venv.problem_ids[number] for number in observations]
        chosen = [waiting[key].pop() if waiting[key] else places[key][0] for key in ids]
        actions = [places[key].index(index) for key, index in zip(ids, chosen, strict=True)]
        observations, rewards, dones, infos = venv.step(actions)
        assert dones.all()
        for index, reward, info in zip(chosen, rewards.tolist(), infos, strict=True):
            played[index] = (reward, info["outcome"])
    venv.close()
    return [played[index] for index in range(len(pairs))]
