"""Sends requests to one service, over connections that stay open, and sends them again after a failure.

Every request may be repeated, because a verdict depends only on the request. So every failure on the way (a lost
connection, an overloaded or restarted service, a gateway's error) is tried again until patience ends. urllib3 keeps the
connections; its own retries are off, because they count tries and cannot be stopped.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import socket
import ssl
import threading
import time
import urllib.parse
import weakref
from dataclasses import dataclass
from typing import Any

import urllib3

from ocaml_env import __version__
from ocaml_env.errors import ConfigError, EngineError, ProtocolError, ServiceUnavailable
from ocaml_env.verifiers.giving_up import Pauses, seconds_of
from ocaml_env.verifiers.remote import wire

__all__ = ["Answer", "Transport"]

# The service is overloaded or stopping, or a gateway cannot reach it.
_AGAIN = frozenset({429, 502, 503, 504})

_CONNECT_SECONDS = 10.0
_PAUSES = Pauses(first=0.1, longest=10.0)
_LONGEST_WISH = 600.0  # most seconds of a Retry-After
_CONNECTIONS = 64  # most idle ones that stay open
# After 30 s of silence, a connection's other side is asked up to four times if it is still there.
_KEEP_ALIVE = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 4))
_SOCKET_OPTIONS = [
    (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    *((socket.IPPROTO_TCP, getattr(socket, name), value) for name, value in _KEEP_ALIVE if hasattr(socket, name)),
]

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
            _ = parts.port
        except ValueError as error:
            raise ConfigError(f"{url!r} is no URL: {error}") from None
        is_plain = url.isascii() and url.isprintable() and " " not in url
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.username or not is_plain:
            raise ConfigError(f"a service's URL is like http://localhost:8787, not {url!r}")
        self.url = url.rstrip("/")
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
        """Opens connections of its own in a forked child: the others belong to the parent."""
        self._connections = urllib3.PoolManager(
            maxsize=_CONNECTIONS,
            retries=False,
            timeout=urllib3.Timeout(connect=_CONNECT_SECONDS, read=self._timeout),
            headers=self._headers,
            socket_options=_SOCKET_OPTIONS,
            ssl_context=self._tls,
        )

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
        for tries in itertools.count(1):
            if self._closed.is_set():
                raise EngineError("this RemoteVerifier is closed")
            wish = 0.0
            try:
                response = self._connections.request(method, self.url + path, body=body, redirect=False)
            except urllib3.exceptions.HTTPError as error:
                cause = _cause(error)
                if isinstance(cause, ssl.SSLCertVerificationError):
                    raise ConfigError(f"{self.url} is not trusted: {cause.verify_message}") from None
                why = f"{self.url} does not answer: {_told(cause)}"
            else:
                if response.status not in _AGAIN:
                    self._gave_up = False
                    return Answer(status=response.status, value=self._decoded(response.status, response.data))
                answered = True
                why = f"{self.url} answers {response.status}: {_message(response.data)}"
                wish = min(seconds_of(response.headers.get("Retry-After")) or 0.0, _LONGEST_WISH)
            if stop is not None and stop.is_set():
                raise ServiceUnavailable(why)
            left = deadline - time.monotonic()
            if left <= 0:
                self._gave_up = not answered
                raise ServiceUnavailable(why)
            if tries == 4:
                _log.warning("%s (trying again for %.0f s)", why, left)
            (stop or self._closed).wait(min(_PAUSES.after(tries, wish), left))
        raise AssertionError  # not reached

    def close(self) -> None:
        """Closes the idle connections. Those in use are closed when they come back."""
        self._closed.set()
        self._connections.clear()

    def _decoded(self, status: int, data: bytes) -> Any:
        try:
            return wire.decode(data)
        except ValueError:
            raise ProtocolError(
                f"{self.url} answers {status} without JSON: is it an ocaml-env service? It says {data[:80]!r}"
            ) from None


def _cause(error: urllib3.exceptions.HTTPError) -> BaseException:
    """The exception that urllib3 wraps, or its own."""
    wrapped = error.args[-1] if error.args else None
    return wrapped if isinstance(wrapped, BaseException) else error.__cause__ or error


def _told(cause: BaseException) -> str:
    return getattr(cause, "strerror", None) or str(cause) or type(cause).__name__


def _message(data: bytes) -> str:
    with contextlib.suppress(ValueError):
        if (fault := wire.fault_from_json(wire.decode(data))) is not None:
            return str(fault)
    return repr(data[:80])


_live: weakref.WeakSet[Transport] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for transport in list(_live):
        transport.after_fork()


os.register_at_fork(after_in_child=_after_fork_in_child)
