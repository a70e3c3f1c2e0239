"""A real server for OpenAI's protocol; a test chooses its replies, good or bad."""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["FakeServer", "Reply", "serving"]


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One response of the server.

    Attributes:
        body: the bytes of the response.
        status: the HTTP status.
        headers: in addition to the usual ones.
        wait: seconds before the first byte.
        cut: the server closes the connection after so many bytes of the body; None sends it all.
    """

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    cut: int | None = None

    @staticmethod
    def text(content: Any, *, finish: str = "stop", tokens: int = 7) -> Reply:
        """Makes an answer in one piece."""
        choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content}}
        return Reply(body=json.dumps(_completion("chat.completion", [choice], tokens)).encode())

    @staticmethod
    def stream(*pieces: str, finish: str | None = "stop", tokens: int = 7, cut: int | None = None) -> Reply:
        """Makes an answer as a stream of events."""
        deltas: list[dict[str, Any]] = [{"delta": {"content": piece}, "finish_reason": None} for piece in pieces]
        events = [_completion("chat.completion.chunk", [{"index": 0, **delta}]) for delta in deltas]
        if finish is not None:
            end = {"index": 0, "delta": {}, "finish_reason": finish}
            events.append(_completion("chat.completion.chunk", [end]))
            events.append(_completion("chat.completion.chunk", [], tokens))
        lines = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + (
            "data: [DONE]\n\n" if finish is not None else ""
        )
        return Reply(body=lines.encode(), headers={"Content-Type": "text/event-stream; charset=utf-8"}, cut=cut)

    @staticmethod
    def error(status: int, message: str = "no", **headers: str) -> Reply:
        body = json.dumps({"error": {"message": message}}).encode()
        return Reply(status=status, body=body, headers={name.replace("_", "-"): text for name, text in headers.items()})


def _completion(kind: str, choices: list[dict[str, Any]], tokens: int | None = None) -> dict[str, Any]:
    """Makes a body with all the fields that strict clients expect."""
    body = {"id": "completion", "object": kind, "created": 0, "model": "fake", "choices": choices}
    usage = {"prompt_tokens": 1, "completion_tokens": tokens or 0, "total_tokens": 1 + (tokens or 0)}
    return body if tokens is None else body | {"usage": usage}


@dataclass(kw_only=True)
class FakeServer:
    """The server and its records.

    Attributes:
        url: its base URL.
        reply: makes the reply to a request from the request's body and the number of earlier requests.
        asked: the bodies so far, in order.
        paths: the paths of these requests.
        authorizations: their ``Authorization`` headers.
        ports: the clients' ports, which tell connections apart.
        at_once: the most requests in progress at one time.
        now: the requests in progress.
    """

    url: str = ""
    reply: Callable[[dict[str, Any], int], Reply] = lambda body, number: Reply.text("")
    asked: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    authorizations: list[str | None] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)
    at_once: int = 0
    now: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def serving() -> Iterator[FakeServer]:
    """Serves on a free port of this machine."""
    fake = FakeServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with fake.lock:
                number = len(fake.asked)
                fake.asked.append(body)
                fake.paths.append(self.path)
                fake.authorizations.append(self.headers["Authorization"])
                fake.ports.append(self.client_address[1])
                fake.now += 1
                fake.at_once = max(fake.at_once, fake.now)
            try:
                self._send(fake.reply(body, number))
            except OSError:
                self.close_connection = True  # the client closed the connection early
            finally:
                with fake.lock:
                    fake.now -= 1

        def _send(self, reply: Reply) -> None:
            time.sleep(reply.wait)
            self.send_response(reply.status)
            for name, text in ({"Content-Type": "application/json"} | reply.headers).items():
                self.send_header(name, text)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body[: reply.cut])
            if reply.cut is not None:
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    class Listening(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, request: Any, client_address: Any) -> None:
            if not isinstance(sys.exception(), ConnectionError):  # the client closed the connection early
                super().handle_error(request, client_address)

    with Listening(("127.0.0.1", 0), Handler) as listening:
        fake.url = f"http://127.0.0.1:{listening.server_address[1]}/v1"
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield fake
        listening.shutdown()
        thread.join()
