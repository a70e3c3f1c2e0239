"""SkyRL: the environment ``ocaml``, for ``skyrl_gym.make`` and for SkyRL's trainer, and the rows of its data set.

    import skyrl_gym
    from ocaml_env.integrations.skyrl_gym import ENV_CLASS, rows

    row = rows("bundled:train")[0]  # prompt, env_class, problem_id
    env = skyrl_gym.make(ENV_CLASS, env_config={"reward": "staged"}, extras={**row, "max_turns": 2})
    prompt, _ = env.init(row["prompt"])
    step = env.step("let rec f x = f x")
    print(step["reward"], step["done"], step["observations"][-1]["content"])

For SkyRL's trainer, write the rows to a parquet file, import this module in the entry point before the trainer starts,
and put the settings of ``shared_examiner`` under ``environment.skyrl_gym.ocaml``. A turn pays the change in total, so
the rewards of a trajectory add up to its last total.

Not scored: ``step`` raises, and leaves the episode unchanged. SkyRL does not tell an environment that generation was
cut off; if your caller knows, give ``step`` a ``Completion``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ocaml_env.env import Problems, read_problems
from ocaml_env.episode import Episode, EpisodeSpec
from ocaml_env.errors import ConfigError
from ocaml_env.integrations.common import missing, shared_examiner
from ocaml_env.prompt import Message, PromptSpec, PromptStyle

try:
    from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
    from skyrl_gym.envs.registration import register, registry
except ImportError as error:
    raise missing("skyrl-gym", error) from error

__all__ = ["ENV_CLASS", "OCamlTextEnv", "rows"]

ENV_CLASS = "ocaml"


class OCamlTextEnv(BaseTextEnv):
    """One problem as a conversation: the user's message after an answer is the feedback on it."""

    def __init__(self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None) -> None:
        """Made by ``skyrl_gym.make``.

        Args:
            env_config: settings of ``shared_examiner``: ``problems``, ``reward``, ``prompt_style``, ``workers``,
                ``sandbox``.
            extras: the other columns of the row: ``problem_id``, and ``max_turns`` (by default 1).

        Raises:
            ConfigError: if a setting or the problem is unknown.
        """
        super().__init__()
        extras = extras or {}
        if "problem_id" not in extras:
            raise ConfigError("extras has no problem_id: make the rows of the data set with rows()")
        self._examiner = shared_examiner(**dict(env_config or {}))
        self.max_turns = int(extras.get("max_turns", 1))
        spec = EpisodeSpec(prompts=self._examiner.prompts, max_turns=self.max_turns)
        self._episode = Episode(self._examiner.problem(extras["problem_id"]), spec)
        self._info: dict[str, Any] = {}

    def step(self, action: str) -> Any:
        """Evaluates an answer.

        Raises:
            OCamlEnvError: for an infrastructure error.
        """
        problem = self._episode.problem
        evaluation = self._examiner.evaluate(problem.id, action)
        turn = self._episode.advance(evaluation)
        self.turns, self._info = self._episode.turn, turn.info
        told: list[Message] = []
        if not turn.terminated:
            told = [
                {
                    "role": "user",
                    "content": self._examiner.prompts.follow_up(problem, evaluation.told(self._examiner.prompts)),
                }
            ]
        return BaseTextEnvStepOutput(observations=told, reward=turn.reward, done=turn.terminated, metadata=turn.info)

    def get_metrics(self) -> dict[str, Any]:
        """The figures that SkyRL averages over episodes."""
        if not self._info:
            return {}
        return {
            "pass_rate": float(self._info["passed"]),
            "tests_passed": self._info["tests_passed"] / max(self._info["tests_total"], 1),
            "turns": self._info["turn"],
        }


def rows(
    problems: Problems = "bundled:train", *, prompt_style: str | PromptSpec = PromptStyle.TEXT
) -> list[dict[str, Any]]:
    """Makes the rows of SkyRL's data set: ``prompt`` as chat messages, ``env_class`` and ``problem_id``."""
    prompts = PromptSpec.of(prompt_style)
    return [
        {"prompt": prompts.messages(problem), "env_class": ENV_CLASS, "problem_id": problem.id}
        for problem in read_problems(problems)
    ]


if ENV_CLASS not in registry:
    register(id=ENV_CLASS, entry_point=f"{__name__}:{OCamlTextEnv.__name__}")
