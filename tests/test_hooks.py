"""A user's own functions for reward, prompt and feedback, in every interface of the library but never from a client."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from agents.config_sources import read_config
from agents.training_set import episode_spec
from ocaml_env import ConfigError, Problem, PromptSpec, RewardSpec, Verdict, Verifier
from ocaml_env.commands import cli
from ocaml_env.extract import Extraction
from ocaml_env.integrations.common import Examiner
from ocaml_env.reward import Reward

HERE = "tests.test_hooks"


def half(problem: Problem, extraction: Extraction, verdict: Verdict) -> Reward:
    return Reward(tests=0.5) if verdict.passed else Reward(structure=0.125)


def number(problem: Problem, extraction: Extraction, verdict: Verdict) -> float:
    return float(verdict.tests_passed)


def wrong(*_: object) -> Any:
    return "much"


def endless(*_: object) -> float:
    return math.inf


def ask(problem: Problem) -> str:
    return f"Please: {problem.statement}"


def tell(problem: Problem, verdict: Verdict, code: str | None, reason: str) -> str:
    return f"{verdict.outcome.value} for {problem.id}"


def episode(verifier: Verifier, add: Problem, **settings: Any) -> tuple[str, str, float, dict[str, Any]]:
    env = gymnasium.make(
        "OCamlCode-v0", problems=[add], verifier=verifier, max_turns=2, disable_env_checker=True, **settings
    )
    prompt, _ = env.reset(seed=1)
    observation, reward, *_, info = env.step("let add a b = a - b let negate a = a")
    return prompt, observation, float(reward), info


@pytest.mark.parametrize("functions", [(half, ask, tell), (f"{HERE}:half", f"{HERE}:ask", f"{HERE}:tell")])
def test_an_environment_takes_functions_and_their_names(verifier: Verifier, add: Problem, functions: Any) -> None:
    pay, question, say = functions
    prompt, observation, reward, info = episode(verifier, add, reward=pay, prompt=question, feedback=say)
    assert prompt == f"Please: {add.statement}"
    assert observation.startswith(prompt)
    assert "TEST_FAILURE for add" in observation
    assert (reward, info["feedback"]) == (0.125, "TEST_FAILURE for add")


def test_an_examiner_takes_functions(verifier: Verifier, add: Problem) -> None:
    examiner = Examiner([add], reward=number, prompt=ask, feedback=tell, verifier=verifier)
    evaluation = examiner.evaluate("add", add.reference)
    assert evaluation.reward.total == len(add.tests)
    assert evaluation.version == "number"
    assert evaluation.told(examiner.prompts) == "PASSED for add"


def test_the_trainer_takes_their_names() -> None:
    names = {"reward": f"{HERE}:half", "prompt": f"{HERE}:ask", "feedback": f"{HERE}:tell"}
    config = read_config(overrides=names)
    assert config.reward_spec().version == f"{HERE}:half"
    assert episode_spec(config).prompts.feedback is tell


def test_the_commands_take_their_names(verifier: Verifier, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    del verifier
    (tmp_path / "answer.ml").write_text("let snake_case s = s")
    cli.main(["verify", "snake_case", str(tmp_path / "answer.ml"), "--reward", f"{HERE}:half", "--json"])
    assert '"total": 0.125' in capsys.readouterr().out
    out = tmp_path / "results"
    settings = ["--reward", f"{HERE}:number", "--prompt", f"{HERE}:ask", "--feedback", f"{HERE}:tell"]
    common = ["evaluate", "--model", "agent:reference", "--problems", "bundled:eval", "--limit", "2", "--n", "1"]
    cli.main([*common, *settings, "--out", str(out)])
    assert f'"reward": "{HERE}:number"' in (out / "config.json").read_text()
    capsys.readouterr()
    assert cli.main(["evaluate", "--rescore", str(out)]) == 2  # the folder's author must not choose code to load
    assert "there is no reward preset" in capsys.readouterr().err
    assert cli.main(["evaluate", "--rescore", str(out), "--reward", f"{HERE}:half"]) == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_such_module:f", "there is no module 'no_such_module'"),
        (f"{HERE}:nothing", "has no 'nothing'"),
        (f"{HERE}:HERE", "no function"),
        (f"{HERE}:", "module:attribute"),
    ],
)
def test_an_unloadable_name_is_refused(name: str, message: str) -> None:
    for make in (RewardSpec.of, lambda text: PromptSpec.of(prompt=text), lambda text: PromptSpec.of(feedback=text)):
        with pytest.raises(ConfigError, match=message):
            make(name)


def test_returned_values_are_checked(verifier: Verifier, add: Problem) -> None:
    for settings in ({"reward": wrong}, {"reward": endless}, {"prompt": lambda _: None}, {"feedback": lambda *_: 3}):
        with pytest.raises(ConfigError, match="returned"):
            episode(verifier, add, **settings)


def test_a_spec_may_be_named(add: Problem) -> None:
    assert RewardSpec.of(f"{HERE}:MINE") is MINE


MINE = RewardSpec.preset("staged").reweighted(structure=0.0, typecheck=0.1, compile=0.1, tests=0.8)
