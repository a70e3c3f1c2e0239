"""Sends requests to one service, over connections that stay open, and sends them again after a failure.

Every request may be repeated, because a verdict depends only on the request. So every failure on the way (a lost
connection, an overloaded or restarted service, a gateway's error) is tried again until patience ends. It uses the
standard library's ``http.client``, so that a trainer needs no further package.
"""

from __future__ import annotations

import contextlib
import http.client
import logging
import os
import random
import socket
import ssl
import threading
import time
import urllib.parse
import weakref
from dataclasses import dataclass
from typing import Any

from ocaml_env import __version__
from ocaml_env.errors import ConfigError, EngineError, ProtocolError, ServiceUnavailable
from ocaml_env.verifiers.remote import wire

__all__ = ["Answer", "Transport"]

# The service is overloaded or stopping, or a gateway cannot reach it.
_AGAIN = frozenset({429, 502, 503, 504})

_CONNECT_SECONDS = 10.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 10.0
# After 30 s of silence, a connection's other side is asked up to four times if it is still there.
_KEEP_ALIVE = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 4))

_log = logging.getLogger("ocaml_env.server")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A service's answer: the HTTP status and the JSON."""

    status: int
    value: Any


class Transport:
    """Sends requests to a service. Several threads may use it; each request has a connection to itself.

    Args:
        url: the service's URL, such as ``http://judge:8787``.
        token: sent with each request; "" for none.
        timeout: seconds to wait for an answer before the request is sent again.
        patience: seconds for which a request is tried again.
        tls: for ``https``; by default certificates are checked against the system's.

    Raises:
        ConfigError: if it is no URL of a service.
    """

    def __init__(
        self, url: str, *, token: str, timeout: float, patience: float, tls: ssl.SSLContext | None = None
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        try:
            self._address = (parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
        except ValueError as error:
            raise ConfigError(f"{url!r} is no URL: {error}") from None
        is_plain = url.isascii() and url.isprintable() and " " not in url
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.username or not is_plain:
            raise ConfigError(f"a service's URL is like http://localhost:8787, not {url!r}")
        self.url = url.rstrip("/")
        self._prefix = parts.path.rstrip("/")
        self._tls = (tls or ssl.create_default_context()) if parts.scheme == "https" else None
        self._headers = {"Content-Type": "application/json", "User-Agent": f"ocaml-env/{__version__}"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._timeout = timeout
        self._patience = patience
        self._gave_up = False
        self._closed = threading.Event()
        self.after_fork()
        _live.add(self)

    def after_fork(self) -> None:
        """Forgets the connections and locks in a forked child: they belong to the parent."""
        self._lock = threading.Lock()
        self._idle: list[http.client.HTTPConnection] = []

    def ask(self, method: str, path: str, body: bytes | None = None, *, stop: threading.Event | None = None) -> Answer:
        """Sends a request until it is answered.

        If a request got no answer at all within its patience, the following ones are tried only once each, until one is
        answered: a caller that sends a batch's candidates one by one does not wait as long for each.

        Args:
            method: the HTTP method.
            path: the path within the service.
            body: JSON.
            stop: ends the attempts when it is set.

        Raises:
            ServiceUnavailable: if patience has ended, or ``stop`` was set.
            ConfigError: if the service's certificate is not trusted.
            ProtocolError: if the answer is not that of such a service.
            EngineError: after ``close``.
        """
        deadline = time.monotonic() + (0.0 if self._gave_up else self._patience)
        answered = False
        for attempt in range(1 << 30):
            if self._closed.is_set():
                raise EngineError("this RemoteVerifier is closed")
            rest = 0.0
            try:
                status, retry_after, data = self._exchange(method, path, body)
            except ssl.SSLCertVerificationError as error:
                raise ConfigError(f"{self.url} is not trusted: {error.verify_message}") from None
            except (OSError, http.client.HTTPException) as error:
                why = f"{self.url} does not answer: {_told(error)}"
            else:
                if status not in _AGAIN:
                    self._gave_up = False
                    return Answer(status=status, value=self._decoded(status, data))
                answered = True
                why = f"{self.url} answers {status}: {_message(data)}"
                rest = _seconds(retry_after)
            pause = max(rest, min(_FIRST_PAUSE * 2**attempt, _LONGEST_PAUSE)) * random.uniform(1.0, 1.25)
            if stop is not None and stop.is_set():
                raise ServiceUnavailable(why)
            left = deadline - time.monotonic()
            if left <= 0:
                self._gave_up = not answered
                raise ServiceUnavailable(why)
            if attempt == 3:
                _log.warning("%s (trying again for %.0f s)", why, deadline - time.monotonic())
            (stop or self._closed).wait(min(pause, left))
        raise AssertionError  # not reached

    def close(self) -> None:
        """Closes the idle connections. Those in use are closed when they come back."""
        self._closed.set()
        self._forget()

    def _forget(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _exchange(self, method: str, path: str, body: bytes | None) -> tuple[int, str | None, bytes]:
        """Sends one request on an open connection if there is one, and returns its answer."""
        with self._lock:
            kept = self._idle.pop() if self._idle else None
        if kept is not None:
            # A service closes connections when it ends, and long idle ones: that is no failure of the request.
            with contextlib.suppress(ConnectionError):
                return self._send(kept, method, path, body)
            self._forget()
        return self._send(self._connect(), method, path, body)

    def _send(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None
    ) -> tuple[int, str | None, bytes]:
        try:
            connection.request(method, self._prefix + path, body, self._headers)
            response = connection.getresponse()
            data = response.read()
        except BaseException:
            connection.close()  # its late answer must not be taken for the next request's
            raise
        with self._lock:
            if connection.sock is not None and not self._closed.is_set():
                self._idle.append(connection)
        return response.status, response.getheader("Retry-After"), data

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._address
        connection = (
            http.client.HTTPConnection(host, port, timeout=_CONNECT_SECONDS)
            if self._tls is None
            else http.client.HTTPSConnection(host, port, timeout=_CONNECT_SECONDS, context=self._tls)
        )
        connection.connect()
        connection.sock.settimeout(self._timeout)
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEP_ALIVE:
            if hasattr(socket, name):
                connection.sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        return connection

    def _decoded(self, status: int, data: bytes) -> Any:
        try:
            return wire.decode(data)
        except ValueError:
            raise ProtocolError(
                f"{self.url} answers {status} without JSON: is it an ocaml-env service? It says {data[:80]!r}"
            ) from None


def _told(error: OSError | http.client.HTTPException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


def _message(data: bytes) -> str:
    with contextlib.suppress(ValueError):
        if (fault := wire.fault_from_json(wire.decode(data))) is not None:
            return str(fault)
    return repr(data[:80])


def _seconds(retry_after: str | None) -> float:
    """The seconds in a Retry-After header. It may also hold a date, but the service and gateways send seconds."""
    try:
        return min(max(0.0, float(retry_after or 0)), 600.0)
    except ValueError:
        return 0.0


_live: weakref.WeakSet[Transport] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for transport in list(_live):
        transport.after_fork()


os.register_at_fork(after_in_child=_after_fork_in_child)
