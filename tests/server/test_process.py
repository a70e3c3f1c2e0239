"""A service as a process: overload, slow clients, shutdown, kills, and refused settings."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks.stress.service import Server
from ocaml_env.commands.cli import main
from ocaml_env.errors import ConfigError, ServiceUnavailable
from ocaml_env.problem import Problem
from ocaml_env.problems import to_jsonl
from ocaml_env.server.run import listen
from ocaml_env.server.settings import Settings
from ocaml_env.verifiers.local import Verifier
from ocaml_env.verifiers.remote.client import RemoteVerifier
from tests.engine.processes import descendants, gone, wait_until
from tests.server.test_http import GOOD, ask
from tests.services import SPINNING, Serve

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")

PATIENCE = 1


@pytest.fixture(scope="module")
def small(serve: Serve) -> Iterator[Server]:
    """Serves with room for four waiting candidates and one second for a request to arrive."""
    with serve("--max-waiting", "4", "--patience", str(PATIENCE)) as server:
        yield server


def connect(server: Server) -> socket.socket:
    parts = urllib.parse.urlsplit(server.url)
    return socket.create_connection((parts.hostname or "", parts.port or 0), timeout=60)


def gauge(server: Server, name: str) -> float:
    lines = ask(server, "GET", "/metrics")[1].splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(f"{name} ")))


def waiting(server: Server) -> float:
    return gauge(server, "ocaml_env_waiting")


# --- overload and slow clients ---


def test_an_overloaded_service_says_when_to_retry_and_loses_nothing(
    small: Server, verifier: Verifier, slow: Problem, add: Problem
) -> None:
    def rest() -> str:
        """Returns the ``Retry-After`` of a refusal, or "" if there was no refusal."""
        with contextlib.closing(http.client.HTTPConnection(urllib.parse.urlsplit(small.url).netloc)) as connection:
            body = json.dumps({"items": [GOOD] * 4})
            connection.request("POST", "/v1/verify/batch", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            value = json.load(response)
        if response.status == 200:
            return ""
        assert (response.status, value["error"]["type"]) == (429, "ServiceUnavailable")
        return response.headers["Retry-After"] or "none"

    spinning, right = verifier.verify(slow, SPINNING), verifier.verify(add, add.reference)
    with (
        ThreadPoolExecutor(9) as threads,
        RemoteVerifier(small.url, batch=1, in_flight=8) as singly,  # one is evaluated, four wait, three are refused
        RemoteVerifier(small.url, batch=2, in_flight=4) as remote,
    ):
        first = threads.submit(singly.verify_many, [(slow, SPINNING)] * 8)
        assert wait_until(lambda: ask(small, "GET", "/health/ready") == (503, {"status": "full"}))
        others = [threads.submit(remote.verify_many, [(add, add.reference)] * 5) for _ in range(4)]
        seconds: list[str] = []
        assert wait_until(lambda: bool(seconds.append(rest()) or seconds[-1]))  # type: ignore[func-returns-value]
        assert 1 <= int(seconds[-1]) <= 60
        assert first.result() == [spinning] * 8
        assert [other.result() for other in others] == [[right] * 5] * 4
    status, value = ask(small, "POST", "/v1/verify/batch", {"items": [GOOD] * 5})
    assert status == 422
    assert "at most 4 items" in value["error"]["message"]


def test_candidates_of_a_disconnected_client_are_dropped(small: Server, slow: Problem) -> None:
    with connect(small) as connection:
        body = b'{"items":[' + b",".join([b'{"problem":"slow","code":"%b"}' % SPINNING.encode()] * 4) + b"]}"
        body = body.replace(b"\n", b"\\n")
        head = b"POST /v1/verify/batch HTTP/1.1\r\nHost: [::1]\r\nContent-Type: application/json\r\n"
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert wait_until(lambda: waiting(small) == 3)
    assert wait_until(lambda: waiting(small) == 0 and gauge(small, "ocaml_env_in_hand") == 0)
    evaluated = gauge(small, 'ocaml_env_candidates_total{outcome="TIMEOUT"}')
    assert evaluated >= 1
    assert ask(small, "POST", "/v1/verify", GOOD)[0] == 200


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b""),
        (b"POST /v1/verify HTTP/1.1\r\nHost: [::1]\r\nX-", b""),
        (
            b"POST /v1/verify HTTP/1.1\r\nContent-Type: application/json\r\nHost: [::1]\r\nContent-Length: 99\r\n\r\n{",
            b" 408 ",
        ),
        (b"GET /health/live HTTP/1.1\r\nHost: [::1]\r\n\r\nGET /health/live HT", b" 200 "),
    ],
    ids=["nothing", "half a header", "half a body", "half a second request"],
)
def test_a_client_that_sends_byte_by_byte_is_cut_off(small: Server, sent: bytes, answer: bytes) -> None:
    received = bytearray()
    with connect(small) as connection:
        connection.sendall(sent)
        connection.settimeout(PATIENCE / 10)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            # Even if the service has already closed the connection, its answer is still to be read.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(b"a" if sent else b"")
            try:
                part = connection.recv(65_536)
            except TimeoutError:
                continue
            except ConnectionResetError:
                break
            if not part:
                break
            received += part
        else:
            pytest.fail("the connection was never closed")
    assert answer in received
    assert ask(small, "GET", "/health/live")[0] == 200


# --- shutdown ---


def test_a_terminated_service_finishes_its_requests(
    serve: Serve, verifier: Verifier, slow: Problem, add: Problem
) -> None:
    todo = [(slow, SPINNING), (add, add.reference), (slow, SPINNING), (add, "let add")]
    with serve() as server, ThreadPoolExecutor(1) as threads, RemoteVerifier(server.url, patience=1) as remote:
        remote.check(add)
        under_way = threads.submit(remote.verify_many, todo)
        assert wait_until(lambda: waiting(server) == 3)
        workers = descendants(server.process.pid)
        assert workers
        server.process.send_signal(signal.SIGTERM)
        assert under_way.result() == verifier.verify_many(todo)
        assert server.process.wait() == 0
        assert wait_until(lambda: gone(workers))
        assert server.log.read_text().count("\n") == 1  # the address only, and nothing about the end
        with pytest.raises(ServiceUnavailable, match="does not answer"):
            remote.verify(add, add.reference)


def test_requests_that_exceed_the_grace_period_are_refused(serve: Serve, slow: Problem) -> None:
    with serve("--grace", "0.2") as server, ThreadPoolExecutor(1) as threads:
        asked = threads.submit(
            ask, server, "POST", "/v1/verify/batch", {"items": [{"problem": "slow", "code": SPINNING}] * 60}
        )
        assert wait_until(lambda: waiting(server) > 20)
        server.process.send_signal(signal.SIGINT)
        status, value = asked.result()
        assert (status, value["error"]["type"]) == (503, "ServiceUnavailable")
        assert server.process.wait() == 0


def test_a_batch_survives_a_service_that_is_killed_and_restarted(
    serve: Serve, verifier: Verifier, add: Problem, slow: Problem
) -> None:
    codes = [f"{SPINNING if n % 10 == 5 else add.reference}\nlet n = {n}{' +' * (n % 3)}" for n in range(40)]
    todo = [(slow, code) for code in codes]
    here = verifier.verify_many(todo)
    port = ("--port", str(_free_port()))
    with ThreadPoolExecutor(1) as threads:
        with serve(*port) as server:
            workers = descendants(server.process.pid)
            remote = RemoteVerifier(server.url, batch=4, in_flight=3, patience=60)
            under_way = threads.submit(remote.verify_many, todo)
            assert wait_until(lambda: gauge(server, "ocaml_env_candidate_seconds_count") >= 8)
            server.process.kill()
            server.process.wait()
            assert not under_way.done()
            assert wait_until(lambda: gone(workers))
        with serve(*port):
            assert under_way.result() == here
        remote.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# --- settings ---


def test_by_default_the_service_is_local(server: Server) -> None:
    assert server.url.startswith("http://127.0.0.1:")
    assert Settings().host == "127.0.0.1"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_a_public_address_needs_a_token(
    host: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OCAML_ENV_TOKEN", raising=False)
    assert main(["serve", "--host", host]) == 2
    assert "give it a token" in capsys.readouterr().err
    assert Settings(host=host, token="t" * 16).host == host


@pytest.mark.parametrize(("option", "value"), [("max-waiting", "0"), ("grace", "-1"), ("port", "70000")])
def test_a_bad_setting_is_named(
    option: str, value: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OCAML_ENV_TOKEN", raising=False)
    assert main(["serve", f"--{option}", value]) == 2
    assert f"{option} must be" in capsys.readouterr().err


@pytest.mark.parametrize("token", ["short", "with a blank in the middle", "new\nline" * 4, "é" * 20])
def test_a_token_that_does_not_fit_a_header_is_refused_and_not_shown(token: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Settings(token=token)
    assert token not in str(caught.value)


def test_a_token_file_is_read_and_an_empty_one_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "token").write_text("\n")
    assert main(["serve", "--token-file", str(tmp_path / "token")]) == 2
    assert "is empty" in capsys.readouterr().err
    assert main(["serve", "--token-file", str(tmp_path / "none")]) == 2


def test_an_address_in_use_is_reported_in_one_line(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    port = server.url.rpartition(":")[2]
    assert main(["serve", "--workers", "1", "--port", port]) == 2
    assert capsys.readouterr().err == f"ocaml-env: 127.0.0.1:{port}: Address already in use\n"


def test_answers_are_sent_at_once() -> None:
    async def accepted() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connection = writer.get_extra_info("socket")
            found.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with listen(Settings(port=0)) as listening:
            async with await asyncio.start_server(connected, sock=listening):
                _, writer = await asyncio.open_connection(*listening.getsockname())
                no_delay = await asyncio.wait_for(found, 60)
                writer.close()
        return no_delay

    assert asyncio.run(accepted())


def test_a_missing_extra_is_reported_with_how_to_install_it() -> None:
    program = (
        "import sys; sys.modules['fastapi'] = None\n"
        "from ocaml_env.commands.cli import main; from ocaml_env import RemoteVerifier\n"
        "sys.exit(main(['serve']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, env=os.environ)
    assert done.returncode == 2
    assert "pip install 'ocaml-env[server]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_signal_at_the_moment_of_readiness_ends_the_service(add: Problem, tmp_path: Path) -> None:
    to_jsonl([add], tmp_path / "one.jsonl")
    script = f"""
import os, signal
from ocaml_env import Verifier, load_problems
from ocaml_env.server.run import serve
from ocaml_env.server.settings import Settings
with Verifier(workers=1) as verifier:
    told = lambda url: os.kill(os.getpid(), signal.SIGTERM)
    serve(load_problems({str(tmp_path / "one.jsonl")!r}), verifier, Settings(port=0), ready=told)
print("ended")
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (ended.stdout, ended.returncode) == ("ended\n", 0), ended.stderr
