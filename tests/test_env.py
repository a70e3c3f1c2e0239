"""The environment keeps Gymnasium's protocol, and no action can break it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence

import ocaml_env  # registers OCamlCode-v0
from ocaml_env.curriculum import Curriculum
from ocaml_env.env import FreeText, OCamlCodeEnv
from ocaml_env.episode import MAX_COMPLETION_LENGTH
from ocaml_env.errors import ConfigError, OCamlEnvError, WorkerCrashed
from ocaml_env.extract import Completion
from ocaml_env.problem import Limits, Problem
from ocaml_env.prompt import PromptSpec
from ocaml_env.reward import RewardSpec
from ocaml_env.verdict import Verdict
from ocaml_env.verifiers.local import Verifier

ROOT = Path(__file__).parents[1]
Make = Callable[..., OCamlCodeEnv]
WRONG = "let add a b = a\nlet negate a = -a"


@pytest.fixture
def make(problems: tuple[Problem, ...], verifier: Verifier) -> Make:
    """Returns a function that makes environments of the small problems, all with one verifier."""
    return lambda *args, **settings: OCamlCodeEnv(*(args or (problems,)), verifier=verifier, **settings)


# --- the protocol -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("max_turns", [1, 3])
def test_gymnasiums_checker_finds_nothing(problems: tuple[Problem, ...], verifier: Verifier, max_turns: int) -> None:
    env = gymnasium.make("OCamlCode-v0", problems=problems, verifier=verifier, max_turns=max_turns)
    check_env(env.unwrapped)  # it warns, and warnings are errors in this project's tests
    env.close()


def test_an_episode_through_make_with_the_passive_checker(
    problems: tuple[Problem, ...], verifier: Verifier, add: Problem
) -> None:
    env = gymnasium.make("OCamlCode-v0", problems=problems, verifier=verifier, max_turns=2)
    for _ in range(2):
        observation, info = env.reset(options={"problem_id": "add"})
        assert add.statement in observation
        assert info == {"problem_id": "add", "index": 1, "turn": 0}
        _, first, terminated, truncated, _ = env.step(WRONG)
        assert (terminated, truncated) == (False, False)
        _, second, terminated, truncated, info = env.step(add.reference)
        assert (terminated, truncated) == (True, False)
        assert float(first) + float(second) == pytest.approx(1.0)
        assert info["passed"]


@pytest.mark.parametrize("first", ["import ocaml_env; make('OCamlCode-v0')", "make('ocaml_env:OCamlCode-v0')"])
def test_it_is_registered_by_importing_the_package_or_by_naming_it(first: str) -> None:
    code = f"from gymnasium import make; {first}; print(make('OCamlCode-v0').unwrapped)"
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert done.stderr == ""
    assert done.stdout.startswith("<OCamlCodeEnv")


def test_the_bundled_problems_are_played_by_default(verifier: Verifier) -> None:
    env = OCamlCodeEnv(verifier=verifier)
    assert {problem.split for problem in env.problems} == {"train"}
    observation, info = env.reset(seed=0)
    problem = env.problems[info["index"]]
    assert problem.statement in observation
    _, reward, terminated, _, _ = env.step(problem.reference)
    assert reward == pytest.approx(1.0)
    assert terminated


def test_a_spec_with_a_shared_verifier_can_be_copied_and_made_again(
    problems: tuple[Problem, ...], verifier: Verifier, add: Problem
) -> None:
    spec = gymnasium.make("OCamlCode-v0", problems=problems, verifier=verifier).spec
    assert spec is not None
    env = spec.make()
    env.reset(options={"problem_id": "add"})
    assert env.step(add.reference)[1] == pytest.approx(1.0)


def test_making_resetting_and_answers_without_code_need_no_ocaml(
    problems: tuple[Problem, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    env = OCamlCodeEnv(problems)
    env.reset(seed=0)
    assert env.step("")[4]["outcome"] == "NO_CODE"
    env.close()


# --- choosing a problem -----------------------------------------------------------------------------------------------


def test_equal_seeds_draw_equal_problems_and_all_are_drawn(make: Make) -> None:
    def drawn(seed: int) -> list[str]:
        env = make()
        return [env.reset(seed=seed)[1]["problem_id"]] + [env.reset()[1]["problem_id"] for _ in range(30)]

    assert drawn(1) == drawn(1) != drawn(2)
    assert set(drawn(1)) == {"add", "last", "total"}


def test_options_name_a_problem_by_id_or_by_index_in_the_given_order(make: Make, problems: tuple[Problem, ...]) -> None:
    env = make()
    for index, problem in enumerate(problems):
        for options in ({"index": index}, {"index": np.int64(index)}, {"problem_id": problem.id}):
            observation, info = env.reset(options=options)
            assert info == {"problem_id": problem.id, "index": index, "turn": 0}
            assert problem.statement in observation
    assert env.reset(options={"index": 1, "problem_id": "add"})[1]["index"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"index": 3}, "no problem of index 3 here: indices are 0 to 2"),
        ({"index": -1}, "indices are 0 to 2"),
        ({"index": True}, "indices are 0 to 2"),
        ({"index": 1.0}, "indices are 0 to 2"),
        ({"index": "1"}, "indices are 0 to 2"),
        ({"problem_id": "ad"}, "no problem 'ad' here: indices are 0 to 2; did you mean 'add'"),
        ({"problem_id": 1}, "no problem 1 here"),
        ({"problem_id": ["add"]}, "no problem"),
        ({"index": 0, "problem_id": "add"}, "'add' has index 1, not 0"),
        ({"indx": 0}, "unknown option 'indx'; known are 'index' and 'problem_id'"),
    ],
)
def test_options_without_a_matching_problem_are_refused(make: Make, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make().reset(options=options)


# --- actions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [
        *[
            None,
            0,
            1.5,
            b"let x = 1",
            ["let x = 1"],
            {"a": 1},
            np.zeros(3),
            np.array("let x = 1"),
            object(),
            float("nan"),
        ],
        *["", " \n", "\0", "\ud800", "let \ud800 = 1", "🐫" * 1_000, "x" * (MAX_COMPLETION_LENGTH + 1), "(" * 100_000],
        *[
            np.str_("let x = 1"),
            Completion("let x", truncated=True),
            "```ocaml",
            "```ocaml\n```",
            "<think>",
            "(* END *)",
        ],
    ],
    ids=lambda action: f"{type(action).__name__}-{str(action)[:12]!a}",
)
def test_no_action_raises_or_pays_for_nothing(make: Make, add: Problem, action: Any) -> None:
    env = make()
    env.reset(options={"problem_id": "add"})
    _, reward, terminated, truncated, info = env.step(action)
    assert 0 <= reward <= 0.25
    assert (terminated, truncated) == (True, False)
    assert not info["passed"]
    env.reset(options={"problem_id": "add"})
    assert env.step(add.reference)[1] == pytest.approx(1.0)


def test_info_says_why_an_action_was_not_read(make: Make) -> None:
    env = make()
    for action, reason in (
        (b"let", "of type bytes"),
        ("x" * (MAX_COMPLETION_LENGTH + 1), "at most 262144"),
        ("", "empty"),
    ):
        env.reset()
        _, reward, _, _, info = env.step(action)
        assert (info["outcome"], info["stage"], reward) == ("NO_CODE", "EXTRACT", 0)
        assert reason in info["reason"]
        assert info["code"] is None


def test_info_says_if_a_completion_was_truncated(make: Make, add: Problem) -> None:
    env = make()
    for truncated in (True, False):
        env.reset(options={"problem_id": "add"})
        assert env.step(Completion(add.reference, truncated=truncated))[4]["truncated"] is truncated


def test_the_action_space_holds_any_text_up_to_its_length() -> None:
    space = FreeText(10, seed=0)
    assert all(text in space for text in ("", "λ", "\ud800\0", Completion("a"), np.str_("a"), "x" * 10))
    assert not any(thing in space for thing in ("x" * 11, b"a", None, 1, ["a"]))
    assert space.sample() in space
    assert FreeText(10) == space != FreeText(11)


# --- turns ------------------------------------------------------------------------------------------------------------


def test_the_return_of_an_episode_is_its_last_total(make: Make) -> None:
    env = make(max_turns=3)
    prompt, _ = env.reset(options={"problem_id": "add"})
    rewards, terminations = [], []
    for answer in (WRONG, "Let me think.", "let add a b = a + b\nlet negate a = a"):
        observation, reward, terminated, truncated, info = env.step(answer)
        rewards.append(reward)
        terminations.append(terminated)
        assert not truncated
        assert observation.startswith(prompt)
        assert info["feedback"] in observation
    assert sum(rewards) == pytest.approx(info["total"])
    assert info["total"] > 0
    assert min(rewards) < 0
    assert terminations == [False, False, True]


def test_stepping_or_rendering_without_an_episode_asks_for_a_reset(make: Make, add: Problem) -> None:
    env = make(render_mode="ansi")
    for call in (lambda: env.step(""), env.render, lambda: env.problem):
        with pytest.raises(ResetNeeded, match=r"reset\(\)"):
            call()
    env.reset(options={"problem_id": "add"})
    env.step(add.reference)
    with pytest.raises(ResetNeeded, match="has terminated"):
        env.step(add.reference)


class CrashesOnce(Verifier):
    """A verifier whose first evaluation is an infrastructure error."""

    crashed = False

    def verify(self, problem: Problem, code: str) -> Verdict:
        if not self.crashed:
            self.crashed = True
            raise WorkerCrashed("killed")
        return super().verify(problem, code)


@pytest.mark.usefixtures("verifier")
def test_an_infrastructure_error_raises_and_the_turn_can_be_retried(add: Problem) -> None:
    with CrashesOnce(workers=1, sandbox="best-effort") as faulty:
        env = OCamlCodeEnv([add], verifier=faulty)
        env.reset()
        with pytest.raises(WorkerCrashed):
            env.step(add.reference)
        _, reward, terminated, _, info = env.step(add.reference)
        assert reward == pytest.approx(1.0)
        assert (terminated, info["turn"]) == (True, 1)


# --- info -------------------------------------------------------------------------------------------------------------


def test_info_is_plain_deterministic_and_fresh(make: Make) -> None:
    env = make(max_turns=2)
    infos = []
    for _ in range(2):
        env.reset(options={"problem_id": "add"})
        infos.append(env.step("let add a b = a + b\nlet negate a = 1 + undefined")[4])
    first, second = infos
    assert data_equivalence(first, second, exact=True)
    assert first is not second
    assert first["parts"] is not second["parts"]
    assert first["diagnostics"] is not second["diagnostics"]
    assert (first["outcome"], first["stage"], first["passed"]) == ("TYPE_ERROR", "TYPECHECK", False)
    assert first["errors"] == 1
    assert first["diagnostics"][0]["line"] == 2
    assert sum(first["parts"].values()) == pytest.approx(first["total"])
    assert_plain(first)


def assert_plain(value: object) -> None:
    assert type(value) in (dict, list, str, int, float, bool, type(None))
    if isinstance(value, dict):
        assert all(type(key) is str for key in value)
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            assert_plain(item)


# --- settings ---------------------------------------------------------------------------------------------------------


def test_the_reward_is_a_preset_or_a_spec(make: Make) -> None:
    for reward in ("binary", RewardSpec.preset("binary")):
        env = make(reward=reward)
        env.reset(options={"problem_id": "add"})
        assert env.step(WRONG)[1] == 0


def test_limits_replace_those_of_the_problems(make: Make, last: Problem) -> None:
    patient = replace(last, limits=Limits(test_cpu_seconds=20.0, total_cpu_seconds=60.0))
    spin = "let rec spin n = if n = 0 then () else spin (n - 1)\n"
    slow = spin + last.reference.replace("None", "(spin 60_000_000; None)")
    outcomes = []
    for limits in (None, Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.1)):
        env = make([patient], limits=limits)
        env.reset()
        outcomes.append(env.step(slow)[4]["outcome"])
    assert outcomes == ["PASSED", "TIMEOUT"]


def test_the_prompt_style_is_a_name_or_a_spec(make: Make, add: Problem, last: Problem) -> None:
    brief, _ = make([add], prompt_style="brief").reset()
    assert brief == PromptSpec(style="brief").text(add)
    shown, _ = make([add], prompt_style=PromptSpec(shots=(last,))).reset()
    assert last.reference in shown


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"reward": "best"}, "best"),
        ({"max_turns": 0}, "max_turns"),
        ({"prompt_style": "prose"}, "prompt style 'prose'"),
        ({"render_mode": "rgb_array"}, "render_mode must be None, 'ansi' or 'human'"),
        ({"workers": 2}, "belong to the verifier"),
        ({"sandbox": "best-effort"}, "belong to the verifier"),
    ],
)
def test_bad_settings_are_refused_when_the_environment_is_made(
    make: Make, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        make(**settings)


def test_progress_is_for_environments_with_a_curriculum(make: Make) -> None:
    with pytest.raises(ConfigError, match="made with a curriculum"):
        make().set_progress(0.5)
    with pytest.raises(ConfigError, match="a reward or a curriculum, not both"):
        make(reward="binary", curriculum=Curriculum())


def test_a_curriculum_pays_by_progress_and_info_tells_the_final_total(make: Make, add: Problem) -> None:
    env = make(curriculum=Curriculum())
    totals = []
    for progress in (0.0, 0.5, 1.0):
        env.set_progress(progress)
        env.reset(options={"problem_id": "add"})
        _, reward, _, _, info = env.step(WRONG)
        assert reward == info["total"]
        totals.append((reward, info["final_total"]))
    assert totals[0][0] > totals[2][0]
    assert {final for _, final in totals} == {totals[2][0]}


def test_bad_problems_are_refused_when_the_environment_is_made(make: Make, add: Problem) -> None:
    with pytest.raises(ConfigError, match="at least one problem"):
        make([])
    with pytest.raises(ConfigError, match="two of the problems have one id"):
        make([add, add])
    with pytest.raises(ConfigError, match="or Problems, not 3"):
        make([3])
    with pytest.raises(OCamlEnvError):
        make("no/such/folder")


def test_a_shared_verifier_stays_open_and_the_environments_own_is_closed(verifier: Verifier, add: Problem) -> None:
    shared = OCamlCodeEnv([add], verifier=verifier)
    shared.close()
    shared.close()
    assert verifier.verify(add, add.reference).passed
    own = OCamlCodeEnv([add], sandbox="best-effort")
    own.reset()
    assert own.step(add.reference)[1] == pytest.approx(1.0)
    own.close()
    own.close()
    own.reset()
    with pytest.raises(OCamlEnvError):
        own.step("let add a b = b + a\nlet negate a = 0 - a")


# --- rendering --------------------------------------------------------------------------------------------------------


def test_ansi_rendering_returns_the_prompt_and_then_the_answer_and_its_feedback(make: Make) -> None:
    env = make(render_mode="ansi", max_turns=2)
    prompt, _ = env.reset(options={"problem_id": "add"})
    assert env.render() == f"== add, turn 0 of 2\n{prompt}"
    info = env.step(WRONG)[4]
    frame = env.render()
    assert frame is not None
    assert frame.startswith("== add, turn 1 of 2: TEST_FAILURE at TEST, reward +")
    assert WRONG in frame
    assert info["feedback"] in frame


def test_human_rendering_prints_each_reset_and_step(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    env = make(render_mode="human")
    env.reset(options={"problem_id": "add"})
    assert "== add, turn 0 of 1" in capsys.readouterr().out
    env.step("let add = \x1b[2J")
    shown = capsys.readouterr().out
    assert "== add, turn 1 of 1: SYNTAX_ERROR" in shown
    assert "\x1b" not in shown


def test_rendering_without_a_mode_warns_and_does_nothing(make: Make) -> None:
    env = make()
    env.reset()
    with pytest.warns(UserWarning, match="render_mode='ansi' or 'human'"):
        assert env.render() is None


def test_version_and_registration_agree_with_the_package() -> None:
    assert ocaml_env.OCamlCodeEnv is OCamlCodeEnv
    assert gymnasium.spec("OCamlCode-v0").vector_entry_point == "ocaml_env.vector:OCamlCodeVectorEnv"


def test_a_step_never_reads_a_whole_oversized_action(make: Make) -> None:
    env = make()
    env.reset()
    start = time.process_time()
    env.step("x" * 50_000_000)
    assert time.process_time() - start < 1.0
