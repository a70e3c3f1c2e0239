"""Inspect's own ``eval`` on our problems, with a model behind a local server."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ocaml_env import ConfigError, Problem
from tests.evaluation.fake_server import Reply
from tests.integrations.asked import BROKEN, answering, fenced, write
from tests.integrations.installed import need

pytestmark = pytest.mark.usefixtures("verifier")

WRONG = "let add a b = a\nlet negate a = -a"


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    need("inspect_ai")


def run(*arguments: str, url: str, folder: Path) -> tuple[subprocess.CompletedProcess[str], Any]:
    """Runs ``inspect eval ocaml_env/ocaml_code`` and returns the process and its log."""
    from inspect_ai.log import list_eval_logs, read_eval_log

    command = [str(Path(sys.executable).parent / "inspect"), "eval", "ocaml_env/ocaml_code", "--log-dir", "logs"]
    model = ["--model", "openai-api/local/fake", "--display", "none"]
    done = subprocess.run(
        [*command, *model, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "LOCAL_BASE_URL": url, "LOCAL_API_KEY": "none"},
        timeout=300,
    )
    logs = list_eval_logs(str(folder / "logs"))
    assert len(logs) == 1, done.stdout + done.stderr
    return done, read_eval_log(logs[0])


@pytest.fixture(scope="module")
def log(add: Problem, last: Problem, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One problem is solved in the second turn of two epochs in three; the other never, and its answers are cut off."""
    folder = tmp_path_factory.mktemp("eval")
    never = fenced("let last xs = None", truncated=True)
    turns = {add: [fenced(WRONG), fenced(add.reference)], last: [never]}
    second_turns = itertools.count()
    with answering(turns) as server:
        in_turn = server.reply

        def reply(body: dict[str, Any], number: int) -> Reply:
            messages = body["messages"]
            if len(messages) == 3 and add.statement in str(messages[0]["content"]) and next(second_turns) == 2:
                messages = messages[:1]  # the third time it repeats its first answer
            return in_turn({**body, "messages": messages}, number)

        server.reply = reply
        settings = ("-T", f"problems={write(turns, folder)}", "-T", "max_turns=2", "-T", "samples=3")
        done, log = run(*settings, url=server.url, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return log


def values(log: Any, name: str, reducer: str) -> dict[str, float]:
    (score,) = [score for score in log.results.scores if (score.name, score.reducer) == (name, reducer)]
    return {name: metric.value for name, metric in score.metrics.items()}


def test_pass_at_k_is_estimated_over_epochs(log: Any) -> None:
    assert log.status == "success"
    assert len(log.samples) == 2 * 3
    assert values(log, "passed", "mean")["accuracy"] == pytest.approx((2 / 3 + 0) / 2)
    assert values(log, "passed", "pass_at_3")["accuracy"] == pytest.approx((1 + 0) / 2)
    rewards = [sample.scores["ocaml_verdict"].value["reward"] for sample in log.samples]
    assert values(log, "reward", "mean")["mean"] == pytest.approx(sum(rewards) / 6)


def test_feedback_follows_an_answer_that_does_not_pass(log: Any) -> None:
    sample = next(s for s in log.samples if s.id == "add" and s.scores["ocaml_verdict"].value["passed"])
    assert [message.role for message in sample.messages] == ["user", "assistant", "user", "assistant"]
    assert "add 1 2 = 3" in sample.messages[2].text
    assert sample.scores["ocaml_verdict"].metadata["outcome"] == "PASSED"
    assert sample.scores["ocaml_verdict"].value["reward"] == 1


def test_an_answer_that_was_cut_off_is_truncated(log: Any) -> None:
    sample = next(s for s in log.samples if s.id == "last")
    assert sample.output.stop_reason == "max_tokens"
    assert len(sample.messages) == 4  # two turns, without feedback after the last
    score = sample.scores["ocaml_verdict"]
    assert score.metadata["outcome"] == "TEST_FAILURE"
    assert score.metadata["parts"]["structure"] == 0


def test_nothing_hidden_is_in_a_log(log: Any, last: Problem) -> None:
    record = next(s for s in log.samples if s.id == "last").model_dump_json()
    assert all(test.code not in record for test in last.tests if not test.public)
    assert "let rec last = function" not in record


def test_an_infrastructure_error_is_an_error_and_not_a_score(add: Problem, tmp_path: Path) -> None:
    turns = {add: [fenced(add.reference)], BROKEN: [fenced("let one = 1")]}
    with answering(turns) as server:
        settings = ("-T", f"problems={write(turns, tmp_path)}", "--no-fail-on-error")
        _, log = run(*settings, url=server.url, folder=tmp_path)
    by_id = {sample.id: sample for sample in log.samples}
    assert "won" in by_id["broken"].error.message
    assert not by_id["broken"].scores
    assert by_id["add"].scores["ocaml_verdict"].value["passed"] == 1
    assert values(log, "passed", "mean")["accuracy"] == 1  # only evaluated samples count


def test_a_bad_argument_is_refused_with_the_reason(tmp_path: Path) -> None:
    from ocaml_env.integrations.inspect_ai import ocaml_code

    with pytest.raises(ConfigError, match="samples must be a whole number from 1, not 0"):
        ocaml_code(samples=0)
    with pytest.raises(ConfigError, match="max_turns"):
        ocaml_code(max_turns=0)
