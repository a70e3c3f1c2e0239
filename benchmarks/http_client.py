"""HTTP for models behind a server: connections that are kept open, time limits, the environment's proxies.

``http.client`` with what it lacks. Evaluations ask thousands of small questions, and beside a fast server most of the
time of a general client would go into the client.
"""

from __future__ import annotations

import base64
import http.client
import select
import ssl
import time
import urllib.request
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from ocaml_env import ConfigError

__all__ = ["Connections", "HttpError", "Response", "shown"]

_PIECE = 1 << 16


class HttpError(Exception):
    """No connection, or none that lasted until the end of the response."""


class Connections:
    """Connections to one server, each kept for the next request. For threads: a request has a connection of its own.

    Args:
        url: that the paths of requests are added to; a name and password in it go into a header, a query to the end.
        headers: of every request.
        timeout: seconds of one request, from its begin to its last byte.

    Raises:
        ConfigError: where the environment names a proxy that cannot be used.
    """

    def __init__(self, url: str, headers: Mapping[str, str], timeout: float) -> None:
        self._url = urlsplit(url)
        self._headers = {"Host": _host(self._url), "Accept-Encoding": "identity", **headers}
        if self._url.username is not None:
            self._headers["Authorization"] = _basic(self._url)
        self._timeout = timeout
        self._proxy = _proxy(self._url)
        if self._proxy is not None and self._url.scheme == "http" and self._proxy.username is not None:
            self._headers["Proxy-Authorization"] = _basic(self._proxy)
        self._tls = ssl.create_default_context() if self._url.scheme == "https" else None
        self._fixed = "".join(f"{name}: {value}\r\n" for name, value in self._headers.items())
        self._idle: list[http.client.HTTPConnection] = []

    @contextmanager
    def post(self, path: str, body: bytes) -> Iterator[Response]:
        """The response to one request. What is read of it is read within the ``with``.

        Raises:
            HttpError: where there is none.
        """
        until = time.monotonic() + self._timeout
        connection, raw, keep = self._take(), None, False
        try:
            if connection.sock is None:
                connection.connect()
            # One piece, made here: to http.client each header is a call, and the body a packet of its own.
            head = f"POST {self._target(path)} HTTP/1.1\r\n{self._fixed}Content-Length: {len(body)}\r\n\r\n"
            connection.sock.sendall(head.encode("ascii") + body)
            raw = http.client.HTTPResponse(connection.sock, method="POST")
            raw.begin()
            response = Response(raw, connection, until)
            yield response
            keep = response.whole and not raw.will_close  # what is left of it would be taken for the next one's
        except (OSError, http.client.HTTPException) as error:
            raise HttpError(f"{type(error).__name__}: {error}") from None
        finally:
            if raw is not None:
                raw.close()
            if keep:
                self._idle.append(connection)
            else:
                connection.close()

    def close(self) -> None:
        """Closes what is idle."""
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> http.client.HTTPConnection:
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread was first
                break
            if _is_open(connection):
                connection.sock.settimeout(self._timeout)
                return connection
            connection.close()
        return self._new()

    def _new(self) -> http.client.HTTPConnection:
        end = self._proxy or self._url
        assert end.hostname is not None
        if self._tls is None:
            return http.client.HTTPConnection(end.hostname, end.port, timeout=self._timeout)
        connection = http.client.HTTPSConnection(
            end.hostname, end.port or 443, timeout=self._timeout, context=self._tls
        )
        if self._proxy is not None:
            assert self._url.hostname is not None
            access = {"Proxy-Authorization": _basic(self._proxy)} if self._proxy.username is not None else {}
            connection.set_tunnel(self._url.hostname, self._url.port or 443, access)
        return connection

    def _target(self, path: str) -> str:
        local = urlunsplit(("", "", self._url.path.rstrip("/") + path, self._url.query, ""))
        if self._proxy is not None and self._tls is None:
            return f"http://{_host(self._url)}{local}"
        return local


@dataclass(slots=True)
class Response:
    """What a server answers.

    Attributes:
        whole: whether all of it was read.
    """

    _raw: http.client.HTTPResponse
    _connection: http.client.HTTPConnection
    _until: float
    whole: bool = False

    @property
    def status(self) -> int:
        return self._raw.status

    def header(self, name: str) -> str | None:
        """The value of a header."""
        return self._raw.headers.get(name)

    def pieces(self) -> Iterator[bytes]:
        """The body as it comes, unpacked where it is compressed.

        Raises:
            HttpError: where it takes too long, breaks off, or is not compressed as it says.
        """
        packed = self.header("content-encoding") in ("gzip", "deflate")
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 32) if packed else None
        while piece := self._piece():
            if unpack is None:
                yield piece
                continue
            try:
                yield unpack.decompress(piece, _PIECE)
                while unpack.unconsumed_tail:  # so that a small body cannot become a huge one at once
                    yield unpack.decompress(unpack.unconsumed_tail, _PIECE)
            except zlib.error as error:
                raise HttpError(f"the body is not compressed as it says: {error}") from None
        if self._raw.length:
            raise HttpError(f"the response broke off {self._raw.length} bytes before its end")
        if unpack is not None and not unpack.eof:
            raise HttpError("the compressed body broke off")
        self.whole = True

    def _piece(self) -> bytes:
        left = self._until - time.monotonic()
        if left <= 0:
            raise HttpError("no whole answer within the time limit")
        if self._connection.sock is not None:
            self._connection.sock.settimeout(left)
        return self._raw.read1(_PIECE)


def shown(url: str) -> str:
    """An address without what may be secret in it: name, password and query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, _host(parts), parts.path, "", ""))


def _host(url: SplitResult) -> str:
    return url.netloc.rpartition("@")[2]


def _basic(url: SplitResult) -> str:
    pair = f"{unquote(url.username or '')}:{unquote(url.password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")


def _proxy(url: SplitResult) -> SplitResult | None:
    """The proxy that the environment asks for: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, but for the hosts of NO_PROXY."""
    known = urllib.request.getproxies()
    named = known.get(url.scheme) or known.get("all")
    if not named or urllib.request.proxy_bypass(_host(url)):
        return None
    proxy = urlsplit(named if "://" in named else f"http://{named}")
    if proxy.scheme != "http" or not proxy.hostname:
        raise ConfigError(f"the proxy of the environment must be an http:// address, not {shown(named)!r}")
    return proxy


def _is_open(connection: http.client.HTTPConnection) -> bool:
    """Whether an idle connection still is one: of one that the server closed there is an end of file to read."""
    if connection.sock is None:
        return False
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN)
    return not poll.poll(0)
