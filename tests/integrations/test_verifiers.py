"""The commands of verifiers on our problems, with a model behind a local server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ocaml_env import ConfigError, Problem
from tests.integrations.asked import BROKEN, answering, fenced, write
from tests.integrations.installed import need

pytestmark = pytest.mark.usefixtures("verifier")

WRONG = "let add a b = a\nlet negate a = -a"


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    need("verifiers")


def command(name: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    bin = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{bin}:{os.environ['PATH']}"}  # uv is in that folder, too
    done = subprocess.run(
        [str(bin / name), "ocaml-env", *arguments, "--no-rich"],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done


def records(folder: Path, name: str) -> list[dict[str, Any]]:
    (file,) = folder.rglob(name)
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def episodes(
    add: Problem, last: Problem, total: Problem, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, Any]]:
    """Plays four problems: solved at once, solved in the second turn, never solved, impossible to evaluate."""
    answers = {
        total: [fenced(total.reference)],
        add: [fenced(WRONG), fenced(add.reference)],
        last: [fenced("let last xs = None", truncated=True)],
        BROKEN: [fenced("let one = 1")],
    }
    folder = tmp_path_factory.mktemp("eval")
    with answering(answers) as server:
        file = write(answers, folder)
        model = ("-m", "fake", "--client.base-url", server.url, "--no-push")
        ours = ("--env.taskset.problems", str(file), "--env.max-turns", "2")
        command("vf-eval", *ours, *model, cwd=folder)
    return {episode["task"]["data"]["id"]: episode for episode in records(folder, "traces.jsonl")}


def the_trace(episode: dict[str, Any]) -> dict[str, Any]:
    (trace,) = episode["traces"]
    return dict(trace)


def messages_of(trace: dict[str, Any]) -> list[tuple[str, str]]:
    return [(node["message"]["role"], node["message"]["content"]) for node in trace["nodes"]]


def test_an_answer_that_passes_ends_the_episode(episodes: dict[str, dict[str, Any]]) -> None:
    trace = the_trace(episodes["total"])
    assert episodes["total"]["ok"]
    assert trace["rewards"] == {"total": {"score": 1.0, "weight": 1.0}}
    assert [role for role, _ in messages_of(trace)] == ["user", "assistant"]
    assert trace["metrics"]["passed"] == 1


def test_feedback_follows_an_answer_that_does_not_pass(episodes: dict[str, dict[str, Any]]) -> None:
    trace = the_trace(episodes["add"])
    (_, asked), (_, wrong), (role, feedback), (_, right) = messages_of(trace)
    assert "`add`, which adds" in asked
    assert WRONG in wrong
    assert role == "user"
    assert "add 1 2 = 3" in feedback
    assert "let add a b = a + b" in right
    assert trace["info"]["ocaml"]["outcome"] == "PASSED"
    assert trace["rewards"]["total"]["score"] == 1


def test_an_episode_ends_with_its_turns_and_pays_the_last_answer(episodes: dict[str, dict[str, Any]]) -> None:
    trace = the_trace(episodes["last"])
    assert [call["finish_reason"] for call in trace["calls"]] == ["length", "length"]
    metrics, reward = trace["metrics"], trace["rewards"]["total"]["score"]
    assert metrics["structure"] == 0  # it was truncated
    parts = ("structure", "typecheck", "compile", "tests", "penalty")
    assert reward == pytest.approx(sum(metrics[part] for part in parts))
    assert metrics["passed"] == 0
    assert 0 < metrics["tests_passed"] < 1
    assert trace["info"]["ocaml"]["outcome"] == "TEST_FAILURE"


def test_an_infrastructure_error_is_an_error_and_not_a_reward(episodes: dict[str, dict[str, Any]]) -> None:
    episode = episodes["broken"]
    assert not episode["ok"]
    assert not the_trace(episode)["ok"]
    assert all(reward is None for reward in the_trace(episode)["rewards"].values())
    assert "won" in episode["errors"][0]["message"]


def test_nothing_hidden_is_in_a_trace(episodes: dict[str, dict[str, Any]], last: Problem) -> None:
    record = json.dumps(episodes["last"])
    assert all(test.code not in record for test in last.tests if not test.public)
    assert "let rec last = function" not in record


def test_validate_finds_references_that_do_not_pass(
    add: Problem, last: Problem, total: Problem, tmp_path: Path
) -> None:
    wrong = replace(last, reference="let last xs = None")
    silent = replace(total, reference="")
    file = write(dict.fromkeys((add, wrong, silent, BROKEN)), tmp_path)
    command("vf-validate", "--taskset.problems", str(file), "--runtime.type", "subprocess", cwd=tmp_path)
    found = {row["index"]: (row["gold"]["reason"], row["noop"]["reason"]) for row in records(tmp_path, "results.jsonl")}
    in_order = sorted(["add", "last", "total", "broken"])
    assert {in_order[index]: reasons for index, reasons in found.items()} == {
        "add": ("valid", "valid"),
        "broken": ("error", "valid"),
        "last": ("invalid", "valid"),
        "total": ("unchecked", "valid"),
    }


def test_bad_settings_are_refused_before_any_request() -> None:
    import verifiers.v1 as vf

    from ocaml_env.integrations.verifiers import OCamlTasksetConfig, OCamlTurnsConfig

    with pytest.raises(ConfigError, match="max_turns"):
        vf.load_environment(OCamlTurnsConfig(taskset=OCamlTasksetConfig(id="ocaml-env"), max_turns=0))
    unknown = OCamlTasksetConfig(id="ocaml-env", task={"reward": "stagd"})
    with pytest.raises(ConfigError, match="stagd"):
        list(vf.load_taskset(unknown))
