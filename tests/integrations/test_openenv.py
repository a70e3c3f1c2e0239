"""A real server of OpenEnv: its typed client, plain HTTP, and OpenEnv's own validator."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.performance.processes import Process, descendants, is_alive
from ocaml_env import OCamlCodeEnv, Problem, Verifier
from tests.integrations.asked import BROKEN, write
from tests.integrations.installed import need

pytestmark = pytest.mark.usefixtures("verifier")

WRONG = "let add a b = a\nlet negate a = -a"


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    need("openenv")


@pytest.fixture(scope="module")
def file(add: Problem, last: Problem, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write({add: None, last: None, BROKEN: None}, tmp_path_factory.mktemp("problems")))


@pytest.fixture(scope="module")
def server(file: str) -> Iterator[Any]:
    from tests.integrations.openenv_server import serving

    with serving(file, max_turns=2, sessions=2, idle_seconds=1.0) as server:
        yield server


def connect(server: Any) -> Any:
    from ocaml_env.integrations.openenv import OCamlClient

    return OCamlClient(base_url=server.url).sync()


def answer(completion: str, **more: Any) -> Any:
    from ocaml_env.integrations.openenv import OCamlAction

    return OCamlAction(completion=completion, **more)


def over_http(server: Any, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(server.url + path, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def workers_of(server: Any) -> list[Process]:
    """Returns the child processes of a server."""
    return [process for process in descendants() if process.branch == server.pid and process.depth == 2]


def test_an_episode_equals_the_environments(server: Any, add: Problem, last: Problem, verifier: Verifier) -> None:
    env = OCamlCodeEnv((add, BROKEN, last), max_turns=2, verifier=verifier)
    prompt, info = env.reset(options={"problem_id": "add"})
    with connect(server) as session:
        begun = session.reset(problem_id="add")
        assert begun.observation.prompt == prompt
        assert {**begun.observation.metadata, "index": None} == {**info, "index": None}
        assert (begun.reward, begun.done, begun.observation.outcome) == (None, False, None)
        for completion in (WRONG, add.reference):
            prompt, reward, done, _, info = env.step(completion)
            result = session.step(answer(completion))
            assert (result.observation.prompt, result.reward, result.done) == (prompt, reward, done)
            assert result.observation.outcome == info["outcome"]
            assert result.observation.total == info["total"]
            assert result.observation.metadata["parts"] == info["parts"]
        state = session.state()
        assert (state.problem_id, state.step_count, state.total, state.done) == ("add", 2, 1.0, True)


def test_equal_seeds_draw_equal_problems(server: Any) -> None:
    with connect(server) as session:
        first = [session.reset(seed=seed).observation.prompt for seed in range(6)]
        assert [session.reset(seed=seed).observation.prompt for seed in range(6)] == first
    assert len(set(first)) > 1


def test_truncated_answers_are_paid_less(server: Any, add: Problem) -> None:
    def paid(**more: Any) -> float:
        status, body = over_http(server, "/step", {"action": {"completion": f"```\n{add.reference}", **more}})
        assert status == 200
        return float(body["reward"])

    assert paid(problem_id="add", truncated=True) < paid(problem_id="add", truncated=False) == 1


def test_an_infrastructure_error_does_not_end_the_episode(server: Any, add: Problem) -> None:
    with connect(server) as session:
        session.reset(problem_id="broken")
        with pytest.raises(RuntimeError, match="won"):
            session.step(answer("let one = 1"))
        assert session.state().step_count == 0
        session.reset(problem_id="add")
        assert session.step(answer(add.reference)).reward == 1
    status, body = over_http(server, "/step", {"action": {"completion": "let one = 1", "problem_id": "broken"}})
    assert status == 503
    assert "won" in body["detail"]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ({"completion": "let x = 1"}, "call reset()"),
        ({"completion": "let x = 1", "problem_id": "ad"}, "no problem 'ad' here"),
    ],
)
def test_a_bad_request_is_refused_with_the_reason(server: Any, action: dict[str, Any], message: str) -> None:
    status, body = over_http(server, "/step", {"action": action})
    assert status == 400
    assert message in body["detail"]


def test_a_session_names_a_wrong_call(server: Any, add: Problem) -> None:
    with connect(server) as session:
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            session.step(answer("let x = 1"))
        with pytest.raises(RuntimeError, match="unknown option 'problem'"):
            session.reset(problem="add")
        session.reset(problem_id="add")
        session.step(answer(add.reference))
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            session.step(answer(add.reference))


def test_one_session_too_many_is_refused(server: Any) -> None:
    with connect(server) as first, connect(server) as second:
        first.reset()
        second.reset()
        with connect(server) as third, pytest.raises(RuntimeError, match="CAPACITY_REACHED"):
            third.reset()
        first.reset()


@pytest.mark.slow  # OpenEnv looks for idle sessions only every five seconds
def test_an_idle_session_makes_room(server: Any) -> None:
    with connect(server) as idle, connect(server) as another:
        idle.reset()
        another.reset()
        time.sleep(8)
        with connect(server) as first, connect(server) as second:
            first.reset()
            second.reset()
        with pytest.raises(RuntimeError, match="this session has ended"):
            idle.step(answer("let x = 1"))


def test_sessions_share_one_verifier_that_ends_with_the_server(file: str, add: Problem) -> None:
    from tests.integrations.openenv_server import serving

    with serving(file, sessions=8) as server:
        seen = []
        for _ in range(6):
            with connect(server) as session:
                session.reset(problem_id="add")
                assert session.step(answer(add.reference)).reward == 1
            seen.append({process.pid for process in workers_of(server)})
        workers = workers_of(server)
    assert seen[0]
    assert all(pids == seen[0] for pids in seen)
    assert not any(is_alive(process) for process in workers)


def test_openenv_validates_it(server: Any) -> None:
    openenv = Path(sys.executable).parent / "openenv"
    done = subprocess.run([openenv, "validate", "--url", server.url], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Verdict: PASS" in done.stdout


def test_bad_settings_are_refused_before_serving() -> None:
    from ocaml_env.errors import ConfigError
    from ocaml_env.integrations.openenv import create_app

    with pytest.raises(ConfigError, match="max_turns"):
        create_app("bundled:eval", max_turns=0)
    with pytest.raises(ConfigError, match="sessions"):
        create_app("bundled:eval", sessions=0)
