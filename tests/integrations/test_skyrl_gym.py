"""SkyRL: turns, feedback between them, metrics, and infrastructure errors."""

from __future__ import annotations

from typing import Any

import pytest

from ocaml_env import ConfigError, EngineError, Verifier
from ocaml_env.integrations.common import shared_examiner
from tests.integrations.broken import Broken
from tests.integrations.installed import need

need("skyrl_gym")

import skyrl_gym  # noqa: E402  after the check that it is there

from ocaml_env.integrations.skyrl_gym import ENV_CLASS, OCamlTextEnv, rows  # noqa: E402

ROWS = {row["problem_id"]: row for row in rows("bundled:eval")}


def make(**extras: Any) -> Any:
    return skyrl_gym.make(ENV_CLASS, env_config={"problems": "bundled:eval"}, extras=ROWS["snake_case"] | extras)


def test_the_rewards_of_the_turns_add_up_to_the_last_total(verifier: Verifier) -> None:
    env = make(max_turns=3)
    reference = shared_examiner("bundled:eval").problem("snake_case").reference
    steps = [env.step("let snake_case = String.lowercase_ascii"), env.step(reference)]
    assert [step["done"] for step in steps] == [False, True]
    assert 0 < steps[0]["reward"] < 1
    assert sum(step["reward"] for step in steps) == pytest.approx(1.0)
    (feedback,) = steps[0]["observations"]
    assert feedback["role"] == "user"
    assert "Answer again" in feedback["content"]
    assert steps[1]["observations"] == []
    assert env.get_metrics() == {"pass_rate": 1.0, "tests_passed": 1.0, "turns": 2}
    assert OCamlTextEnv.aggregate_metrics([env.get_metrics(), {"pass_rate": 0.0}])["pass_rate"] == 0.5


def test_an_episode_ends_after_its_turns(verifier: Verifier) -> None:
    env = make()
    assert env.step("let x =")["done"]
    assert env.turns == 1


def test_an_infrastructure_error_raises_and_leaves_the_episode_as_it_was() -> None:
    env = make(max_turns=2)
    with Broken(workers=1) as broken:
        env._examiner = type(env._examiner)("bundled:eval", verifier=broken)
        with pytest.raises(EngineError, match="went away"):
            env.step("let fault = 1")
        assert env.turns == 0
        assert env.get_metrics() == {}
        assert env.step("let x = 1")["metadata"]["outcome"] == "TYPE_ERROR"


def test_foreign_rows_and_unknown_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match="no problem_id"):
        skyrl_gym.make(ENV_CLASS, env_config={}, extras={"reward_spec": {}})
    with pytest.raises(ConfigError, match="no problem 'snake'"):
        make(problem_id="snake")
    with pytest.raises(ConfigError, match="preset"):
        skyrl_gym.make(ENV_CLASS, env_config={"reward": "stagged"}, extras=ROWS["snake_case"])
