"""Choosing a verifier with `--verifier`. Verifiers of a Ray cluster are tested in `test_ray.py`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.config_sources import read_config
from benchmarks.stress.service import Server, serving
from ocaml_env.commands.cli import main as command
from ocaml_env.commands.evaluate import main as evaluate
from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem
from ocaml_env.problems import to_jsonl
from ocaml_env.verifiers.choose import open_verifier
from ocaml_env.verifiers.local import Verifier


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory, add: Problem, last: Problem) -> Path:
    path = tmp_path_factory.mktemp("suite") / "suite.jsonl"
    to_jsonl([add, last], path)
    return path


@pytest.fixture(scope="module")
def server(verifier: Verifier, suite: Path) -> Iterator[Server]:
    for name in ("fastapi", "prometheus_client", "uvicorn"):
        pytest.importorskip(name, reason="needs the extra `server`")
    with serving("--problems", str(suite), "--workers", "1") as server:
        yield server


def test_workers_of_this_machine_are_the_default(verifier: Verifier, add: Problem) -> None:
    with open_verifier(workers=1) as local:
        assert isinstance(local, Verifier)
        assert local.verify(add, add.reference) == verifier.verify(add, add.reference)


def test_processes_share_the_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    for share, workers in ((2, 4), (3, 2), (16, 1)):
        with open_verifier(share=share) as verifier:
            assert verifier.workers == workers
    with open_verifier(workers=5, share=2) as verifier:
        assert verifier.workers == 5


@pytest.mark.parametrize("spec", ["", "lokal", "ray:", "ray://", "http://", "http:/x", "ftp://x"])
def test_a_verifier_that_does_not_exist_is_refused(spec: str) -> None:
    with pytest.raises(ConfigError, match="known are local, ray, ray://HOST:PORT, http://HOST:PORT"):
        open_verifier(spec)
    with pytest.raises(ConfigError, match="there is no verifier"):
        read_config(overrides={"verifier": spec})


def test_an_evaluation_by_a_service_gives_the_same_samples(server: Server, suite: Path, tmp_path: Path) -> None:
    samples = {}
    for verifier in ("local", server.url):
        out = tmp_path / verifier[:5]
        options = ["--model", "agent:reference", "--problems", str(suite), "--n", "2", "--workers", "1"]
        assert evaluate([*options, "--verifier", verifier, "--out", str(out)]) == 0
        lines = (out / "samples.jsonl").read_text().splitlines()
        samples[verifier] = sorted(map(json.loads, lines), key=lambda sample: (sample["problem_id"], sample["sample"]))
    assert samples[server.url] == samples["local"]


def test_commands_that_a_service_cannot_serve_are_refused(
    server: Server, suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["audit", str(suite), "--verifier", server.url]) == 2
    assert "evaluates, and makes no mutants or stubs" in capsys.readouterr().err
    options = ["--model", "agent:stub", "--problems", str(suite), "--out", str(tmp_path / "out")]
    assert evaluate([*options, "--verifier", server.url]) == 2
    assert "asks the verifier for stubs, which a service does not make" in capsys.readouterr().err
