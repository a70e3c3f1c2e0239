"""A batch of episodes equals the same episodes one by one, and keeps Gymnasium's form for vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from ocaml_env.curriculum import Curriculum
from ocaml_env.env import OCamlCodeEnv
from ocaml_env.errors import BatchError, ConfigError, EngineError, WorkerCrashed
from ocaml_env.extract import Completion
from ocaml_env.problem import Problem
from ocaml_env.vector import OCamlCodeVectorEnv
from ocaml_env.verdict import Outcome, Verdict
from ocaml_env.verifiers.local import Verifier

Make = Callable[..., OCamlCodeVectorEnv]
WRONG = "let add a b = a\nlet negate a = -a"
STUB = 'let add _ = failwith "no"\nlet negate _ = failwith "no"'


@pytest.fixture
def make(problems: tuple[Problem, ...], verifier: Verifier) -> Make:
    """Returns a function that makes vector environments of the small problems, all with one verifier."""
    return lambda num_envs, **settings: OCamlCodeVectorEnv(num_envs, problems, verifier=verifier, **settings)


def batches(problems: tuple[Problem, ...], num_envs: int, steps: int) -> list[list[object]]:
    """Returns batches of answers of many kinds, right and wrong, always in the same order."""
    answers: list[object] = [problem.reference for problem in problems]
    answers += [WRONG, "", None, "let", STUB, Completion(WRONG, truncated=True), "Prose only, sorry."]
    return [[answers[(step * num_envs + i * 7) % len(answers)] for i in range(num_envs)] for step in range(steps)]


# --- parity -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
@pytest.mark.parametrize("max_turns", [1, 3])
def test_it_equals_gymnasiums_own_vector_of_single_environments(
    problems: tuple[Problem, ...], verifier: Verifier, make: Make, mode: AutoresetMode, max_turns: int
) -> None:
    ours = make(4, max_turns=max_turns, autoreset_mode=mode)
    theirs = SyncVectorEnv(
        [lambda: OCamlCodeEnv(problems, verifier=verifier, max_turns=max_turns)] * 4, autoreset_mode=mode
    )
    assert_same(ours.reset(seed=11), theirs.reset(seed=11))
    for actions in batches(problems, 4, 8):
        # SyncVectorEnv can split a batch of texts only if it is a tuple.
        assert_same(ours.step(actions), theirs.step(tuple(actions)))
    assert_same(ours.reset(options={"index": 1}), theirs.reset(options={"index": 1}))
    for actions in batches(problems, 4, 3):
        assert_same(ours.step(actions), theirs.step(tuple(actions)))


def assert_same(ours: Any, theirs: Any) -> None:
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        assert data_equivalence(one, other, exact=True), f"{one}\n{other}"


def test_two_workers_give_the_same_as_one(problems: tuple[Problem, ...], verifier: Verifier, make: Make) -> None:
    one = make(6)
    two = OCamlCodeVectorEnv(6, problems, workers=2, sandbox="best-effort")
    assert_same(one.reset(seed=5), two.reset(seed=5))
    for actions in batches(problems, 6, 3):
        ours, theirs = one.step(actions), two.step(actions)
        assert_same(ours[:4], theirs[:4])
        assert_same([ours[4]["final_info"]["total"]], [theirs[4]["final_info"]["total"]])
    two.close()


# --- resetting --------------------------------------------------------------------------------------------------------


def test_an_ended_episode_is_reset_in_the_same_step(make: Make, add: Problem) -> None:
    env = make(2, max_turns=2)
    first, _ = env.reset(options={"problem_id": "add"})
    observations, rewards, terminations, truncations, infos = env.step([add.reference, WRONG])
    assert terminations.tolist() == [True, False]
    assert not truncations.any()
    assert infos["_final_info"].tolist() == [True, False]
    assert infos["final_info"]["passed"].tolist() == [True, False]
    assert infos["final_info"]["total"][0] == rewards[0] == pytest.approx(1.0)
    assert infos["final_obs"][0].endswith("All 6 tests pass.")
    assert infos["turn"].tolist() == [0, 1]
    assert infos["outcome"][1] == "TEST_FAILURE"
    assert infos["_outcome"].tolist() == [False, True]
    assert observations[0] == env.envs[0].reset(options={"index": int(infos["index"][0])})[0]
    assert observations[1].startswith(first[1])


def test_in_next_step_mode_the_action_after_an_end_is_ignored(make: Make, add: Problem) -> None:
    env = make(2, autoreset_mode="NextStep")
    env.reset(options={"problem_id": "add"})
    assert env.step([add.reference, WRONG])[2].tolist() == [True, True]
    _, rewards, terminations, _, infos = env.step([add.reference, object()])
    assert rewards.tolist() == [0, 0]
    assert not terminations.any()
    assert infos["turn"].tolist() == [0, 0]


def test_without_autoreset_ended_episodes_wait_for_a_mask(make: Make, add: Problem) -> None:
    env = make(2, max_turns=2, autoreset_mode=AutoresetMode.DISABLED)
    first, _ = env.reset(options={"problem_id": "add"})
    observations, _, terminations, _, _ = env.step([add.reference, WRONG])
    assert terminations.tolist() == [True, False]
    with pytest.raises(ResetNeeded):
        env.step([WRONG, WRONG])
    options = {"problem_id": "add", "reset_mask": terminations}
    again, infos = env.reset(options=options)
    assert again == (first[0], observations[1])
    assert infos["_problem_id"].tolist() == [True, False]
    assert "reset_mask" in options
    terminations = env.step([WRONG, add.reference])[2]
    assert terminations.tolist() == [False, True]


@pytest.mark.parametrize(
    "mask", [[True, False], np.array([1, 0]), np.array([True]), np.array([False, False])], ids=repr
)
def test_an_invalid_mask_is_refused(make: Make, mask: object) -> None:
    with pytest.raises(ConfigError, match="reset_mask"):
        make(2).reset(options={"reset_mask": mask})


# --- seeds and options ------------------------------------------------------------------------------------------------


def test_one_seed_gives_consecutive_seeds_to_the_environments(make: Make) -> None:
    env = make(3)
    assert_same(env.reset(seed=7), env.reset(seed=[7, 8, 9]))
    assert env.np_random_seed == (7, 8, 9)
    assert len(env.np_random) == 3
    seeded, _ = env.reset(seed=[1, None, 1])
    assert seeded[0] == seeded[2]


def test_a_wrong_number_of_seeds_is_refused(make: Make) -> None:
    with pytest.raises(ConfigError, match="2 seeds for 3 environments"):
        make(3).reset(seed=[1, 2])


def test_options_make_a_group_of_one_problem(make: Make) -> None:
    _, infos = make(4).reset(options={"index": 2})
    assert infos["problem_id"].tolist() == ["last"] * 4


# --- actions ----------------------------------------------------------------------------------------------------------


def test_odd_actions_cost_only_their_own_episode(make: Make, add: Problem) -> None:
    env = make(5)
    env.reset(options={"problem_id": "add"})
    _, rewards, _, _, infos = env.step([None, add.reference, "x" * 300_000, b"let", "\ud800"])
    assert rewards[1] == pytest.approx(1.0)
    assert infos["final_info"]["passed"].tolist() == [False, True, False, False, False]
    assert "of type bytes" in infos["final_info"]["reason"][3]


def test_a_numpy_array_of_texts_is_a_batch(make: Make, add: Problem) -> None:
    env = make(2)
    env.reset(options={"problem_id": "add"})
    assert env.step(np.array([add.reference, ""]))[1].tolist() == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("actions", ["ab", b"ab", 3, None, ["one"], ["a", "b", "c"]], ids=repr)
def test_a_batch_of_the_wrong_size_is_refused(make: Make, actions: Any) -> None:
    env = make(2)
    env.reset()
    with pytest.raises(ConfigError, match="2 (texts|environments)"):
        env.step(actions)


class CrashesOnce(Verifier):
    """A verifier whose second evaluation is an infrastructure error."""

    calls = 0

    def verify(self, problem: Problem, code: str) -> Verdict:
        self.calls += 1
        if self.calls == 2:
            raise WorkerCrashed("killed")
        return super().verify(problem, code)


@pytest.mark.usefixtures("verifier")
def test_an_infrastructure_error_changes_no_episode_of_the_batch(problems: tuple[Problem, ...], add: Problem) -> None:
    with CrashesOnce(workers=1, sandbox="best-effort") as faulty:
        env = OCamlCodeVectorEnv(3, problems, verifier=faulty)
        env.reset(options={"problem_id": "add"})
        with pytest.raises(BatchError) as raised:
            env.step([add.reference, f"{add.reference} (* 2 *)", "let add ="])
        assert [verdict and verdict.outcome for verdict in raised.value.verdicts] == [
            Outcome.PASSED,
            None,
            Outcome.SYNTAX_ERROR,
        ]
        assert isinstance(raised.value.errors[1], WorkerCrashed)
        _, rewards, terminations, _, infos = env.step([add.reference] * 3)
        assert rewards.tolist() == pytest.approx([1.0] * 3)
        assert terminations.all()
        assert infos["final_info"]["turn"].tolist() == [1, 1, 1]


# --- making -----------------------------------------------------------------------------------------------------------


def test_make_vec_takes_it_without_a_warning(problems: tuple[Problem, ...], verifier: Verifier, add: Problem) -> None:
    env = gymnasium.make_vec("OCamlCode-v0", num_envs=3, problems=problems, verifier=verifier, max_turns=2)
    assert isinstance(env, OCamlCodeVectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, _ = env.reset(seed=1)
    assert observations in env.observation_space
    observations, rewards, *_ = env.step(env.action_space.sample())
    assert observations in env.observation_space
    assert rewards.tolist() == [0, 0, 0]
    env.close()
    assert verifier.verify(add, add.reference).passed


def test_an_own_verifier_is_closed(add: Problem) -> None:
    env = OCamlCodeVectorEnv(1, [add], sandbox="best-effort")
    env.reset()
    env.close()
    env.close()
    with pytest.raises(EngineError, match="closed"):
        env.step([add.reference])


def test_each_environment_has_its_frame(make: Make) -> None:
    env = make(2, render_mode="ansi")
    env.reset(options={"index": 1})
    assert [frame and frame.split(",")[0] for frame in env.render()] == ["== add", "== add"]


def test_progress_reaches_every_environment(make: Make, add: Problem) -> None:
    curriculum = Curriculum()
    env = make(2, curriculum=curriculum)
    totals = []
    for progress in (0.0, 1.0):
        env.set_progress(progress)
        env.reset(options={"problem_id": "add"})
        _, rewards, _, _, infos = env.step([STUB, STUB])
        assert rewards[0] == rewards[1]
        totals.append((rewards[0], infos["final_info"]["final_total"][0]))
    assert totals[0][0] > totals[1][0] == totals[0][1] == totals[1][1]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_envs": 0}, "num_envs must be a whole number from 1"),
        ({"num_envs": True}, "num_envs must be a whole number from 1"),
        ({"num_envs": 1, "autoreset_mode": "never"}, "autoreset_mode 'never'; known are"),
        ({"num_envs": 1, "workers": 2}, "belong to the verifier"),
        ({"num_envs": 1, "max_turns": 0}, "max_turns"),
    ],
)
def test_bad_settings_are_refused(make: Make, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make(**settings)
