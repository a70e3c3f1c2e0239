"""HTTP requests and responses, byte for byte."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ocaml_env import ConfigError
from ocaml_env.evaluation.models.http_client import Connections, shown
from ocaml_env.evaluation.models.http_response import HttpError, Response
from tests.engine.processes import wait_until
from tests.evaluation.fake_server import FakeServer, Reply


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


class Asking:
    """Connections and their event loop."""

    def __init__(self, url: str, timeout: float) -> None:
        self.connections = Connections(url, {"Authorization": "Bearer key"}, timeout)
        self.runner = asyncio.Runner()

    def post(self, body: bytes = b"{}", *, read: bool = True) -> bytes:
        async def take(response: Response) -> bytes:
            return await response.read(1 << 24) if read else b""

        return self.runner.run(self.connections.post("/ask", body, take))

    def has_an_open_one(self) -> bool:
        async def a_moment_later() -> bool:
            await asyncio.sleep(0.01)
            return self.connections._idle[-1].is_open()

        return self.runner.run(a_moment_later())


@contextlib.contextmanager
def asking(url: str, timeout: float = 5.0) -> Iterator[Asking]:
    asked = Asking(url, timeout)
    with asked.runner:
        yield asked
        asked.runner.run(asked.connections.close())


@contextlib.contextmanager
def scripted(*answers: bytes) -> Iterator[str]:
    """Serves one scripted answer, byte for byte, to each connection and then closes it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            for answer in answers:
                connection, _ = listening.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join()


def test_a_connection_is_reused_only_after_its_answer_was_read(server: FakeServer) -> None:
    server.reply = lambda body, number: Reply(body=b"x" * 100_000)
    with asking(server.url) as here:
        for _ in range(3):
            assert len(here.post()) == 100_000
        here.post(read=False)
        here.post()
    assert len(set(server.ports[:4])) == 1
    assert server.ports[4] != server.ports[3]


def test_the_timeout_starts_anew_on_a_reused_connection(server: FakeServer) -> None:
    server.reply = lambda body, number: Reply(body=b"ok", wait=0.7)
    with asking(server.url, timeout=2.5) as here:
        assert [here.post() for _ in range(4)] == [b"ok"] * 4
    assert len(set(server.ports)) == 1


def test_a_refusal_leaves_the_connection_for_the_next_request(server: FakeServer) -> None:
    async def refuse(response: Response) -> None:
        await response.read(1 << 24)
        raise ValueError("no")

    server.reply = lambda body, number: Reply(status=429, body=b"later")
    with asking(server.url) as here:
        for _ in range(2):
            with pytest.raises(ValueError, match="no"):
                here.runner.run(here.connections.post("/ask", b"{}", refuse))
    assert len(set(server.ports)) == 1


def test_a_connection_closed_by_the_server_is_replaced() -> None:
    whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    with scripted(whole, whole) as url, asking(url) as here:
        assert here.post() == b"ok"
        assert wait_until(lambda: not here.has_an_open_one())
        assert here.post() == b"ok"


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", b"abcde"),
        (b"HTTP/1.1 200 OK\r\n\r\nuntil the end", b"until the end"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\nuntil the end", b"until the end"),
        (b"HTTP/1.1 200 OK\r\ncontent-LENGTH:\t5 \r\nX: y:z\r\n\r\nabcde", b"abcde"),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", b"x"),
    ],
    ids=["in chunks", "until the end", "a length of 5000 digits", "blanks and letters of any size", "after a 100"],
)
def test_bodies_of_every_kind_are_read(answer: bytes, body: bytes) -> None:
    with scripted(answer) as url, asking(url) as here:
        assert here.post() == body


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x00",
    ],
)
def test_an_incomplete_response_is_an_error(answer: bytes) -> None:
    with scripted(answer) as url, asking(url) as here, pytest.raises(HttpError):
        here.post()


def test_a_name_and_password_in_the_address_are_sent_and_not_shown(server: FakeServer) -> None:
    url = server.url.replace("http://", "http://me:a%20b@") + "?token=x"
    with asking(url) as here:
        here.post()
    assert server.authorizations == ["Basic " + base64.b64encode(b"me:a b").decode()]
    assert server.paths == ["/v1/ask?token=x"]
    assert shown(url) == server.url


def test_the_environments_proxy_is_used_except_for_excluded_hosts(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = server.url.removesuffix("/v1")
    monkeypatch.setenv("http_proxy", proxy)
    with asking("http://far.invalid/v1") as here:
        here.post()
    assert server.paths == ["http://far.invalid/v1/ask"]
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with asking(server.url) as here:
        here.post()
    assert server.paths[1:] == ["/v1/ask"]
    monkeypatch.setenv("https_proxy", proxy)
    with asking("https://far.invalid/v1") as here, pytest.raises(HttpError, match="no tunnel"):
        here.post()


def test_an_unusable_proxy_is_refused_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://me:hush@host:1080")
    with pytest.raises(ConfigError, match="http://") as caught:
        Connections("http://far.invalid", {}, 1.0)
    assert "hush" not in str(caught.value)


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Makes a certificate for 127.0.0.1 that this process trusts, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    file, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    made = [
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=here",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
    ]
    command = ["openssl", "req", "-x509", *made, "-keyout", str(key), "-out", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return file, key


def test_long_questions_and_answers_go_through_tls_on_one_connection(certificate: tuple[Path, Path]) -> None:
    asked, answer = b"q" * 3_000_000, bytes(range(256)) * 4000
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*certificate)
    heads = []

    def serve(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with context.wrap_socket(connection, server_side=True) as secure, secure.makefile("rwb") as file:
            for _ in range(3):
                heads.append(file.readline())
                while file.readline().strip():
                    pass
                assert file.read(len(asked)) == asked
                file.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(answer))
                for start in range(0, len(answer), 50_000):
                    file.write(answer[start : start + 50_000])
                    file.flush()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        with asking(f"https://127.0.0.1:{listening.getsockname()[1]}/v1") as here:
            for _ in range(3):
                assert here.post(asked) == answer
        thread.join()
    assert heads == [b"POST /v1/ask HTTP/1.1\r\n"] * 3


def test_tls_goes_through_a_tunnel_of_the_proxy(
    certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*certificate)
    heads: list[bytes] = []

    def serve(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            heads.append(b"")
            while not heads[0].endswith(b"\r\n\r\n"):
                heads[0] += connection.recv(1)
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            with context.wrap_socket(connection, server_side=True) as secure:  # the far end of the tunnel
                for _ in range(2):
                    heads.append(secure.recv(65536))
                    secure.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setenv("https_proxy", f"http://me:hush@127.0.0.1:{listening.getsockname()[1]}")
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        with asking("https://127.0.0.1:9443/v1") as here:
            assert [here.post(), here.post()] == [b"ok", b"ok"]
        thread.join()
    access = base64.b64encode(b"me:hush")
    assert heads[0].startswith(b"CONNECT 127.0.0.1:9443 HTTP/1.1\r\n")
    assert b"Proxy-Authorization: Basic " + access in heads[0]
    assert all(head.startswith(b"POST /v1/ask HTTP/1.1\r\n") and access not in head for head in heads[1:])


@pytest.mark.parametrize(
    "begun", [b"", b"HTTP/1.1 200 OK\r\nContent-", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"]
)
def test_a_missing_answer_ends_at_the_timeout(begun: bytes) -> None:
    held: list[socket.socket] = []

    def serve(listening: socket.socket) -> None:
        held.append(listening.accept()[0])
        held[0].sendall(begun)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        with (
            asking(f"http://127.0.0.1:{listening.getsockname()[1]}", timeout=0.3) as here,
            pytest.raises(HttpError, match="within the time limit"),
        ):
            here.post()
        thread.join()
    held[0].close()
