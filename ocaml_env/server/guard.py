"""Checks a request before it is read, and records it.

The guard first checks the token, then if there is room at all. Then it reads the request and watches its size and the
time: no client can make the service hold more than its limits, however slowly or much it sends. Every request is
recorded in the metrics and, if wanted, in the access log. These never hold a token, a body or a query.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Container, MutableMapping
from typing import Any

from ocaml_env.errors import ConfigError, OCamlEnvError, ServiceUnavailable
from ocaml_env.server.metrics import Metrics
from ocaml_env.server.queue import Queue, QueueFull
from ocaml_env.server.settings import Settings, is_loopback
from ocaml_env.verifiers.remote import wire
from ocaml_env.verifiers.remote.token import TOKEN_VARIABLE

__all__ = ["Guard"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_OPEN = ("/health/live", "/health/ready")  # for programs that start and stop services, without a token
_LOCAL_HOST = re.compile(r"(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])?(?::\d+)?", re.IGNORECASE)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})

access_log = logging.getLogger("ocaml_env.access")


class _Refused(Exception):
    """The request goes no further."""

    def __init__(self, status: int, fault: OCamlEnvError, **headers: str) -> None:
        super().__init__(status)
        self.status = status
        self.fault = fault
        self.headers = headers


class Guard:
    """Wraps an application.

    Args:
        app: the application behind the guard.
        evaluating: paths whose requests have a body and wait for a worker. Bodies of other requests are not read.
        settings: the limits and the token.
        queue: knows if there is room.
        metrics: counts each request.
    """

    def __init__(
        self, app: App, *, evaluating: Container[str], settings: Settings, queue: Queue, metrics: Metrics
    ) -> None:
        self._app = app
        self._evaluating = evaluating
        self._settings = settings
        self._queue = queue
        self._metrics = metrics
        self._token = settings.token.encode()
        self._local = is_loopback(settings.host)
        self._held = 0  # bytes of all requests read but not answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, sent, size = time.monotonic(), 0, 0, 0

        async def recorded(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                sent += len(message.get("body", b""))
            await send(message)

        try:
            try:
                self._check_token(scope)
                self._check_host(scope)
                body = b""
                if scope["method"] == "POST" and scope["path"] in self._evaluating:
                    self._admit(scope)
                    body = await self._read(receive)
            except _Refused as refused:
                await _answer(refused, recorded)
                return
            size = len(body)
            self._held += size
            try:
                await self._app(scope, _again(body, receive), recorded)
            except Exception:
                status = status or 500  # the application's outer handler answers
                raise
            finally:
                self._held -= size
        finally:
            self._record(scope, status, time.monotonic() - began, size, sent)

    def _check_token(self, scope: Scope) -> None:
        headers = dict(scope["headers"])
        if self._token and scope["path"] not in _OPEN:
            kind, _, token = headers.get(b"authorization", b"").partition(b" ")
            if kind.lower() != b"bearer" or not hmac.compare_digest(token.strip(), self._token):
                fault = ConfigError(f"the service wants a token, as `Authorization: Bearer ...` (${TOKEN_VARIABLE})")
                raise _Refused(401, fault, **{"WWW-Authenticate": "Bearer"})

    def _check_host(self, scope: Scope) -> None:
        """Without a token, any program on this machine may send requests, but not a web page in its browser.

        A page can make its own host name point to this machine (DNS rebinding), and then counts as the service's own.
        The browser still sends that name, so the guard refuses other names than localhost.
        """
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        if self._local and not self._token and scope["path"] not in _OPEN and not _LOCAL_HOST.fullmatch(host):
            fault = ConfigError(f"the service is asked as {host[:80]!r}: without a token it answers as localhost alone")
            raise _Refused(403, fault)

    def _admit(self, scope: Scope) -> None:
        headers = dict(scope["headers"])
        # This also forces a web page in a local browser to ask (by CORS) before it sends anything.
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if kind != b"application/json":
            raise _Refused(415, ConfigError("the content type must be application/json"))
        length = headers.get(b"content-length", b"")
        if length.isdigit() and int(length) > self._settings.max_body:
            raise self._too_large()
        try:
            self._queue.admit(1)
        except QueueFull as full:
            raise _Refused(429, full, **{"Retry-After": str(full.retry_after)}) from None
        except ServiceUnavailable as stopping:
            raise _Refused(503, stopping, **{"Retry-After": "1"}) from None

    async def _read(self, receive: Receive) -> bytes:
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self._settings.patience):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _Refused(400, ConfigError("the request was broken off"))
                    part = message.get("body", b"")
                    parts.append(part)
                    size += len(part)
                    self._held += len(part)
                    if size > self._settings.max_body:
                        raise self._too_large()
                    if self._held > self._settings.max_held:
                        fault = ServiceUnavailable(f"requests of {self._settings.max_held} bytes are waiting already")
                        raise _Refused(429, fault, **{"Retry-After": "1"})
                    if not message.get("more_body", False):
                        return b"".join(parts)
        except TimeoutError:
            fault = ServiceUnavailable(f"the request did not arrive within {self._settings.patience:g} s")
            raise _Refused(408, fault, Connection="close") from None
        finally:
            self._held -= size

    def _too_large(self) -> _Refused:
        return _Refused(
            413, ConfigError(f"a request may have at most {self._settings.max_body} bytes: send less at once")
        )

    def _record(self, scope: Scope, status: int, seconds: float, size: int, sent: int) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"
        route = getattr(scope.get("route"), "path", "other")
        self._metrics.request(method=method, route=route, status=status, seconds=seconds)
        if self._settings.access_log:
            client = scope.get("client") or ("",)
            line = {
                "time": round(time.time(), 3),
                "client": client[0],
                "method": method,
                "path": scope["path"][:200],
                "status": status,
                "seconds": round(seconds, 4),
                "candidates": scope.get("state", {}).get("candidates", 0),
                "bytes_in": size,
                "bytes_out": sent,
            }
            access_log.info(json.dumps(line))


def _again(body: bytes, receive: Receive) -> Receive:
    """Gives the application the body already read, and then the further messages: the end of the connection."""
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


async def _answer(refused: _Refused, send: Send) -> None:
    body = wire.encode(wire.fault_to_json(refused.fault))
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **refused.headers}
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refused.status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})
