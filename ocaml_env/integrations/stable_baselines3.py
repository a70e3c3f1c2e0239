"""Stable-Baselines3: the vector environment as a ``VecEnv`` with numbers as actions.

    import gymnasium, stable_baselines3
    from ocaml_env import load_problems
    from ocaml_env.integrations.stable_baselines3 import ChoiceVecEnv

    problems = load_problems("bundled:eval", topics="lists")
    choices = {problem.id: ["let x =", "let x = 1", problem.reference] for problem in problems}
    envs = gymnasium.make_vec("OCamlCode-v0", num_envs=64, problems=problems)
    agent = stable_baselines3.PPO("MlpPolicy", ChoiceVecEnv(envs, choices), n_steps=4, learning_rate=0.01)
    agent.learn(2_000)

Its learners cannot write text. So an action chooses one of several given answers to a problem, such as answers written
by different models, and an observation is the number of the problem. That is a contextual bandit; with several turns,
an answer can be followed by another. Each step evaluates the answers of all environments in one batch.

Not scored: ``step`` raises, and every episode is left unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ocaml_env.errors import ConfigError
from ocaml_env.integrations.common import missing
from ocaml_env.vector import OCamlCodeVectorEnv

try:
    from gymnasium import spaces
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise missing("stable-baselines3", error) from error

__all__ = ["ChoiceVecEnv"]

Numbers = npt.NDArray[np.int64]


class ChoiceVecEnv(VecEnv):
    """Answers to choose from.

    Attributes:
        problem_ids: the problem of each observation.
        choices: the answers of the actions, by problem.
    """

    def __init__(self, envs: Any, choices: Mapping[str, Sequence[str]]) -> None:
        """Takes over the environments: ``close`` closes them.

        Args:
            envs: the result of ``gymnasium.make_vec("OCamlCode-v0", ...)``, in SAME_STEP mode.
            choices: answers to each of its problems, by id; the same number for each.

        Raises:
            ConfigError: if one of them cannot be used.
        """
        self._envs: OCamlCodeVectorEnv = envs.unwrapped
        if not isinstance(self._envs, OCamlCodeVectorEnv) or self._envs.metadata["autoreset_mode"].value != "SameStep":
            raise ConfigError(
                'envs must be what gymnasium.make_vec("OCamlCode-v0", ...) gives, with autoreset SameStep'
            )
        self.problem_ids = [problem.id for problem in self._envs.envs[0].problems]
        self._numbers = {problem_id: number for number, problem_id in enumerate(self.problem_ids)}
        if lacking := [problem_id for problem_id in self.problem_ids if problem_id not in choices]:
            raise ConfigError(f"choices has no answers for {len(lacking)} problems, of which one is {lacking[0]!r}")
        self.choices = {problem_id: tuple(choices[problem_id]) for problem_id in self.problem_ids}
        counts = {len(answers) for answers in self.choices.values()}
        if len(counts) > 1 or counts == {0}:
            raise ConfigError(f"each problem must have as many answers to choose from, not {sorted(counts)}")
        super().__init__(self._envs.num_envs, spaces.Discrete(len(self.problem_ids)), spaces.Discrete(counts.pop()))
        self._at = np.zeros(self.num_envs, dtype=np.int64)
        self._actions: Sequence[int] = ()

    def reset(self) -> Numbers:
        """Begins an episode in each environment, with the seeds given to ``seed``."""
        seeds = None if self._seeds[0] is None else self._seeds
        _, infos = self._envs.reset(seed=seeds)
        self._reset_seeds()
        self._reset_options()
        return self._see(infos)

    def step_async(self, actions: Iterable[int]) -> None:
        """Stores the number of an answer for each environment."""
        self._actions = [int(action) for action in actions]

    def step_wait(self) -> tuple[Numbers, npt.NDArray[np.float64], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Evaluates the answers, all in one batch.

        Raises:
            OCamlEnvError: for an infrastructure error; every episode is left unchanged.
        """
        asked = [self.choices[self.problem_ids[at]] for at in self._at]
        _, rewards, dones, _, infos = self._envs.step(
            answers[action] for answers, action in zip(asked, self._actions, strict=True)
        )
        ended = [_info_of(infos["final_info"] if dones[i] else infos, i) for i in range(self.num_envs)]
        for info, at, done in zip(ended, self._at.tolist(), dones, strict=True):
            info["TimeLimit.truncated"] = False
            if done:
                info["terminal_observation"] = at
        return self._see(infos), rewards, dones, ended

    def close(self) -> None:
        """Closes the environments."""
        self._envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The values of an attribute of the environments."""
        return [getattr(self._envs.envs[i], attr_name) for i in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute of each environment."""
        for i in self._get_indices(indices):
            setattr(self._envs.envs[i], attr_name, value)

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **keywords: Any) -> list[Any]:
        """Calls a method of each environment."""
        return [getattr(self._envs.envs[i], method_name)(*arguments, **keywords) for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """False for each environment: none is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def _see(self, infos: Mapping[str, Any]) -> Numbers:
        """The numbers of the current problems."""
        self._at = np.array([self._numbers[problem_id] for problem_id in infos["problem_id"]], dtype=np.int64)
        return self._at.copy()


def _info_of(infos: Mapping[str, Any], index: int) -> dict[str, Any]:
    """The part of Gymnasium's ``infos`` about one environment."""
    return {
        name: _info_of(values, index) if isinstance(values, Mapping) else values[index]
        for name, values in infos.items()
        if not name.startswith("_")
    }
