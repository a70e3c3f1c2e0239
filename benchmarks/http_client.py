"""HTTP for models behind a server: connections that are kept open, time limits, the environment's proxies.

Evaluations ask thousands of small questions, and beside a fast server most of the time of a general client would go
into the client. So this is only what they need of HTTP/1.1: POST, and a body of a known length, in chunks, or up to the
end. Connections, TLS and tunnels through proxies are those of ``http.client``.
"""

from __future__ import annotations

import base64
import http.client
import select
import socket
import ssl
import time
import urllib.request
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from ocaml_env import ConfigError

__all__ = ["Connections", "HttpError", "Response", "shown"]

_PIECE = 1 << 16
_MOST_HEADERS = 200


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
        self._idle: list[_Link] = []

    @contextmanager
    def post(self, path: str, body: bytes) -> Iterator[Response]:
        """The response to one request. What is read of it is read within the ``with``.

        Raises:
            HttpError: where there is none.
        """
        until = time.monotonic() + self._timeout
        link, keep = None, False
        try:
            link = self._take()
            head = f"POST {self._target(path)} HTTP/1.1\r\n{self._fixed}Content-Length: {len(body)}\r\n\r\n"
            link.send(head.encode("ascii") + body, until)
            response = Response(link, until)
            yield response
            keep = response.whole and response.lasts  # what is left of it would be taken for the next one's
        except (OSError, http.client.HTTPException) as error:
            raise HttpError(f"{type(error).__name__}: {error}") from None
        finally:
            if link is not None and keep:
                self._idle.append(link)
            elif link is not None:
                link.close()

    def close(self) -> None:
        """Closes what is idle."""
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> _Link:
        while self._idle:
            try:
                link = self._idle.pop()
            except IndexError:  # another thread was first
                break
            if link.is_open():
                return link
            link.close()
        return self._new()

    def _new(self) -> _Link:
        end = self._proxy or self._url
        assert end.hostname is not None
        connection: http.client.HTTPConnection
        if self._tls is None:
            connection = http.client.HTTPConnection(end.hostname, end.port, timeout=self._timeout)
        else:
            port = end.port or 443
            connection = http.client.HTTPSConnection(end.hostname, port, timeout=self._timeout, context=self._tls)
            if self._proxy is not None:
                assert self._url.hostname is not None
                access = {"Proxy-Authorization": _basic(self._proxy)} if self._proxy.username is not None else {}
                connection.set_tunnel(self._url.hostname, self._url.port or 443, access)
        connection.connect()
        return _Link(connection.sock)

    def _target(self, path: str) -> str:
        local = urlunsplit(("", "", self._url.path.rstrip("/") + path, self._url.query, ""))
        if self._proxy is not None and self._tls is None:
            return f"http://{_host(self._url)}{local}"
        return local


class _Link:
    """An open connection. Its socket does not block: beside as many threads as requests each call that may wait hands
    the interpreter to another one, so there are few: one to send, one to wait, one to receive.
    """

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        self._sock = sock
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(sock, select.POLLIN)
        self._writable.register(sock, select.POLLOUT)
        self._buffer = b""

    def is_open(self) -> bool:
        """Whether an idle one still is: of one that the server closed there is an end of file to read."""
        return not self._buffer and not self._readable.poll(0)

    def send(self, data: bytes, until: float) -> None:
        """Sends everything.

        Raises:
            HttpError: where it takes too long.
            OSError: where nobody takes it.
        """
        left = memoryview(data)
        while left:
            try:
                left = left[self._sock.send(left) :]
            except (BlockingIOError, ssl.SSLWantWriteError):
                _await(self._writable, until)
            except ssl.SSLWantReadError:
                _await(self._readable, until)

    def line(self, until: float) -> bytes:
        """The bytes up to the end of a line, or of the file, or as many as no honest line has."""
        while b"\n" not in self._buffer and len(self._buffer) < _PIECE and (piece := self._receive(until)):
            self._buffer += piece
        end = self._buffer.find(b"\n") + 1 or len(self._buffer)
        line, self._buffer = self._buffer[:end], self._buffer[end:]
        return line

    def piece(self, length: int, until: float) -> bytes:
        """What there is to read, up to a length; nothing at the end of the file."""
        data = self._buffer or self._receive(until)
        piece, self._buffer = data[:length], data[length:]
        return piece

    def _receive(self, until: float) -> bytes:
        if not (isinstance(self._sock, ssl.SSLSocket) and self._sock.pending()):
            _await(self._readable, until)
        while True:
            try:
                return self._sock.recv(_PIECE)
            except (BlockingIOError, ssl.SSLWantReadError):
                _await(self._readable, until)
            except ssl.SSLWantWriteError:
                _await(self._writable, until)

    def close(self) -> None:
        self._sock.close()


def _await(poll: select.poll, until: float) -> None:
    left = until - time.monotonic()
    if left <= 0 or not poll.poll(left * 1000):
        raise HttpError("no whole answer within the time limit")


class Response:
    """What a server answers.

    Attributes:
        status: its number.
        lasts: whether the connection can be used after it.
        whole: whether all of it was read.

    Raises:
        HttpError: where it is no HTTP.
        OSError: where it does not come.
    """

    def __init__(self, link: _Link, until: float) -> None:
        self._link, self._until = link, until
        self.status = 100
        while 100 <= self.status < 200:
            self._headers = self._head()
        lasting = "close" not in (self.header("connection") or "").lower()
        self._chunked = "chunked" in (self.header("transfer-encoding") or "").lower()
        length = self.header("content-length") or ("0" if self.status in (204, 304) else "")
        self._length = int(length) if length.isdecimal() else None
        self.lasts = self._version == b"HTTP/1.1" and lasting and (self._chunked or self._length is not None)
        self.whole = False

    def header(self, name: str) -> str | None:
        """The value of a header, by its name in small letters."""
        return self._headers.get(name)

    def pieces(self) -> Iterator[bytes]:
        """The body as it comes, unpacked where it is compressed.

        Raises:
            HttpError: where it takes too long, breaks off, or is not compressed as it says.
        """
        packed = self.header("content-encoding") in ("gzip", "deflate")
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 32) if packed else None
        for piece in self._chunks() if self._chunked else self._upto(self._length):
            if unpack is None:
                yield piece
                continue
            try:
                yield unpack.decompress(piece, _PIECE)
                while unpack.unconsumed_tail:  # so that a small body cannot become a huge one at once
                    yield unpack.decompress(unpack.unconsumed_tail, _PIECE)
            except zlib.error as error:
                raise HttpError(f"the body is not compressed as it says: {error}") from None
        if unpack is not None and not unpack.eof:
            raise HttpError("the compressed body broke off")
        self.whole = True

    def _head(self) -> dict[str, str]:
        line = self._line()
        self._version, _, rest = line.partition(b" ")
        status = rest[:3]
        if not self._version.startswith(b"HTTP/1.") or not status.isdigit():
            raise HttpError(f"no HTTP: {line[:80]!r}" if line else "the server closed the connection without an answer")
        self.status = int(status)
        headers: dict[str, str] = {}
        while line := self._line().strip():
            name, _, value = line.partition(b":")
            headers[name.decode("latin-1").lower()] = value.strip().decode("latin-1")
            if len(headers) > _MOST_HEADERS:
                raise HttpError(f"more than {_MOST_HEADERS} headers")
        return headers

    def _chunks(self) -> Iterator[bytes]:
        while True:
            line = self._line()
            try:
                size = int(line.partition(b";")[0], 16)
            except ValueError:
                raise HttpError(f"no size of a chunk: {line[:80]!r}") from None
            if size == 0:
                break
            yield from self._upto(size)
            self._line()
        while self._line().strip():
            pass  # what may follow a body in chunks

    def _upto(self, length: int | None) -> Iterator[bytes]:
        """So many bytes, or those up to the end."""
        while length is None or length > 0:
            piece = self._link.piece(_PIECE if length is None else min(length, _PIECE), self._until)
            if not piece:
                if length is None:
                    return
                raise HttpError(f"the response broke off {length} bytes before its end")
            if length is not None:
                length -= len(piece)
            yield piece

    def _line(self) -> bytes:
        return self._link.line(self._until)


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
