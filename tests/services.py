"""Fixtures for tests of the service and of its client: problems in a file, and services as separate processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.stress.service import Server, serving
from ocaml_env.problem import Limits, Problem
from ocaml_env.problems import to_jsonl
from ocaml_env.verifiers.local import Verifier
from ocaml_env.verifiers.remote.client import RemoteVerifier

Serve = Callable[..., AbstractContextManager[Server]]


SPINNING = "let rec add a b = add b a\nlet negate a = -a"


@pytest.fixture(scope="session", autouse=True)
def _needs_the_extra(verifier: Verifier) -> None:
    """Builds the engine once before the services need it, or skips."""
    for name in ("fastapi", "prometheus_client", "uvicorn"):
        pytest.importorskip(name, reason="needs the extra `server`")


@pytest.fixture(scope="session")
def slow(add: Problem) -> Problem:
    """Returns a problem for which ``SPINNING`` takes a fifth of a second: long enough to observe the service."""
    return replace(add, id="slow", limits=Limits(test_cpu_seconds=0.2, total_cpu_seconds=0.2))


@pytest.fixture(scope="session")
def broken() -> Problem:
    """Returns a problem whose second test does not typecheck."""
    return Problem(id="broken", statement="Nothing.", signature="val f : int -> int", tests=("f 1 = 1", "f 1 = 'x'"))


@pytest.fixture(scope="session")
def file(
    tmp_path_factory: pytest.TempPathFactory,
    problems: tuple[Problem, ...],
    slow: Problem,
    broken: Problem,
) -> Path:
    path = tmp_path_factory.mktemp("served") / "problems.jsonl"
    to_jsonl([replace(problems[1], id="a/first.one"), *problems, slow, broken], path)
    return path


@pytest.fixture(scope="session")
def serve(file: Path) -> Serve:
    """Returns a function that starts a service of these problems with one worker, no cache, and the given options."""

    def start(*options: str, token: str = "") -> AbstractContextManager[Server]:
        usual = ("--problems", str(file), "--workers", "1", "--cache", "0")
        return serving(*usual, *options, environment={"OCAML_ENV_TOKEN": token})

    return start


@pytest.fixture(scope="session")
def server(serve: Serve) -> Iterator[Server]:
    with serve("--max-body", "1000000", "--allow-inline-problems") as server:
        yield server


@pytest.fixture
def remote(server: Server) -> Iterator[RemoteVerifier]:
    with RemoteVerifier(server.url, batch=4, in_flight=3, patience=60) as remote:
        yield remote
