"""GEM: seeds, vectors of environments, spawning, and infrastructure errors."""

from __future__ import annotations

import random

import pytest

from ocaml_env import ConfigError, EngineError, Problem, Verifier
from tests.integrations.broken import Broken
from tests.integrations.installed import need

need("gem")

import gem  # noqa: E402  after the check that it is there
from gem.wrappers.observation_wrapper import ObservationWrapper  # noqa: E402

from ocaml_env.integrations.gem import ENV_ID  # noqa: E402

WRONG = "let add a b = a"


def test_a_seed_decides_the_problems_without_touching_the_global_generator() -> None:
    first, second = gem.make(ENV_ID, seed=3), gem.make(ENV_ID)
    random.seed(1)
    expected = random.random()
    random.seed(1)
    drawn = [first.reset()[0] for _ in range(4)]
    assert [second.reset(seed=3)[0], *(second.reset()[0] for _ in range(3))] == drawn
    assert len(set(drawn)) > 1
    assert random.random() == expected


def test_a_vector_of_environments_plays_different_problems(verifier: Verifier) -> None:
    envs = gem.make_vec([ENV_ID] * 3, vec_kwargs=[{"verifier": verifier} for _ in range(3)], seed=1)
    observations, _ = envs.reset()
    assert len(set(observations)) == 3
    observations, rewards, terminations, _, _ = envs.step([""] * 3)
    assert terminations.all()
    assert rewards.tolist() == [0.0] * 3


def test_gems_wrappers_work(verifier: Verifier, add: Problem) -> None:
    env = ObservationWrapper(gem.make(ENV_ID, problems=[add], verifier=verifier), include_chat_template=False)
    prompt, _ = env.reset()
    observation, reward, *_ = env.step(add.reference)
    assert reward == 1.0
    assert observation.startswith(prompt)


def test_a_spawned_environment_continues_the_same_episode(verifier: Verifier, add: Problem) -> None:
    env = gem.make(ENV_ID, problems=[add], verifier=verifier, max_turns=3)
    env.reset()
    env.step(WRONG)
    spawned = env.spawn(same_state=True)
    wanted = env.step(add.reference)
    assert spawned.step(add.reference) == wanted
    assert wanted[4]["turn"] == 2
    fresh = env.spawn(max_turns=1)
    fresh.reset()
    assert fresh.step(WRONG)[2]
    with pytest.raises(ConfigError, match="ask for one of the two"):
        env.spawn(same_state=True, max_turns=1)


def test_an_infrastructure_error_raises_and_leaves_the_episode_as_it_was(add: Problem) -> None:
    with Broken(workers=1) as broken:
        env = gem.make(ENV_ID, problems=[add], verifier=broken, max_turns=2)
        env.reset()
        with pytest.raises(EngineError, match="went away"):
            env.step("let fault = 1")
        assert env.step(add.reference)[4]["turn"] == 1


def test_environments_share_a_verifier_unless_they_are_given_one(verifier: Verifier, add: Problem) -> None:
    assert gem.make(ENV_ID, problems=[add])._env.verifier is gem.make(ENV_ID, problems=[add])._env.verifier
    with pytest.raises(ConfigError, match="belong to the verifier"):
        gem.make(ENV_ID, problems=[add], verifier=verifier, workers=2)


def test_a_random_action_is_some_text() -> None:
    assert isinstance(gem.make(ENV_ID).sample_random_action(), str)
