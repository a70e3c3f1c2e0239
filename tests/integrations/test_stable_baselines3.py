"""Stable-Baselines3: its checks, a learner that finds the right answers, and bad arguments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from ocaml_env import ConfigError, EngineError, Problem, Verifier
from tests.integrations.broken import Broken
from tests.integrations.installed import need

need("stable_baselines3")

from stable_baselines3 import PPO  # noqa: E402  after the check that it is there
from stable_baselines3.common.vec_env import VecMonitor  # noqa: E402

from ocaml_env.integrations.stable_baselines3 import ChoiceVecEnv  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")  # the libraries warn


def choices_of(problem: Problem, place: int) -> list[str]:
    """Returns four answers; the right one is at the given place."""
    wrong = ["let x =", "let x = 1", "no code"]
    return [*wrong[:place], problem.reference, *wrong[place:]]


def make(problems: tuple[Problem, ...], verifier: Verifier, **settings: Any) -> ChoiceVecEnv:
    envs = gymnasium.make_vec("OCamlCode-v0", **{"num_envs": 8, "problems": problems, "verifier": verifier, **settings})
    return ChoiceVecEnv(envs, {problem.id: choices_of(problem, place) for place, problem in enumerate(problems)})


def test_a_learner_learns_which_answers_are_right(problems: tuple[Problem, ...], verifier: Verifier) -> None:
    env = VecMonitor(make(problems, verifier))
    agent = PPO("MlpPolicy", env, n_steps=16, batch_size=64, learning_rate=0.01, gamma=0.0, seed=0, device="cpu")
    agent.learn(2_000)
    right, _ = agent.predict(np.arange(len(problems)), deterministic=True)
    assert right.tolist() == [0, 1, 2]
    assert agent.ep_info_buffer[-1]["r"] == pytest.approx(1.0)


def test_an_answer_may_follow_another(problems: tuple[Problem, ...], verifier: Verifier) -> None:
    env = make(problems[:1], verifier, max_turns=2)
    assert env.reset().tolist() == [0] * 8
    _, first, dones, infos = env.step([3] * 8)
    assert not dones.any()
    assert infos[0]["outcome"] == "NO_CODE"
    _, second, dones, infos = env.step([0] * 8)
    assert dones.all()
    assert infos[7]["terminal_observation"] == 0
    assert (first + second).tolist() == [1.0] * 8


def test_a_seed_decides_the_problems(problems: tuple[Problem, ...], verifier: Verifier) -> None:
    def drawn() -> list[list[int]]:
        env = make(problems, verifier)
        env.seed(3)
        return [env.reset().tolist(), *(env.step([0] * 8)[0].tolist() for _ in range(3))]

    assert drawn() == drawn()


def test_an_infrastructure_error_raises(problems: tuple[Problem, ...], add: Problem) -> None:
    with Broken(workers=1) as broken:
        envs = gymnasium.make_vec("OCamlCode-v0", num_envs=2, problems=(add,), verifier=broken)
        env = ChoiceVecEnv(envs, {"add": ["let fault = 1", add.reference]})
        env.reset()
        with pytest.raises(EngineError, match="went away"):
            env.step([0, 1])
        assert env.step([1, 1])[1].tolist() == [1.0, 1.0]


def test_choices_that_do_not_fit_are_refused(problems: tuple[Problem, ...], verifier: Verifier) -> None:
    envs = gymnasium.make_vec("OCamlCode-v0", num_envs=2, problems=problems, verifier=verifier)
    with pytest.raises(ConfigError, match=r"no answers for 2 problems, of which one is 'total'"):
        ChoiceVecEnv(envs, {"add": ["a"]})
    with pytest.raises(ConfigError, match="as many answers"):
        ChoiceVecEnv(envs, {"add": ["a"], "total": ["a"], "last": ["a", "b"]})
    other = gymnasium.make_vec("OCamlCode-v0", problems=problems, verifier=verifier, autoreset_mode="NextStep")
    with pytest.raises(ConfigError, match="autoreset SameStep"):
        ChoiceVecEnv(other, {})
