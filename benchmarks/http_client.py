"""HTTP for models behind a server: connections that are kept open, time limits, the environment's proxies.

Evaluations ask thousands of small questions, and beside a fast server most of the time of a general client would go
into the client. So this is only what they need of HTTP/1.1: POST, and a body of a known length, in chunks, or up to the
end. Connections and TLS are those of asyncio: one thread holds them all.
"""

from __future__ import annotations

import asyncio
import base64
import re
import ssl
import urllib.request
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TypeVar, cast
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from ocaml_env import ConfigError

__all__ = ["Connections", "HttpError", "Response", "TooLong", "shown"]

_PIECE = 1 << 16
_ROOM = 1 << 18  # bytes that are received before they are read; asyncio's TLS gives no more at a time
_FIRST_LINE = re.compile(r"HTTP/1\.(\d) (\d{3})")
_FIELD = re.compile(r"\n([^:\r\n]+):[ \t]*([^\r\n]*?)[ \t]*(?=\r)")
T = TypeVar("T")


class HttpError(Exception):
    """No connection, or none that lasted until the end of the response."""


class TooLong(Exception):
    """A response has more bytes than its reader takes."""


class Connections:
    """Connections to one server, each kept for the next request. All requests come from one event loop, and each has a
    connection of its own.

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
        self._heads: dict[str, bytes] = {}
        self._idle: list[_Link] = []
        self._scratch = memoryview(bytearray(_ROOM))

    async def post(self, path: str, body: bytes, take: Callable[[Response], Awaitable[T]]) -> T:
        """What a reader makes of the response to one request.

        Args:
            path: added to the address.
            body: of the request.
            take: reads the response.

        Raises:
            HttpError: where there is none.
        """
        link, response = self._idle_link(), None
        until = asyncio.get_running_loop().time() + self._timeout
        try:
            if link is None:
                async with asyncio.timeout_at(until):
                    link = await self._new()
            link.end_at(until)
            link.send(b"%sContent-Length: %d\r\n\r\n%s" % (self._head(path), len(body), body))
            response = await _response(link)
            return await take(response)
        except TimeoutError:
            raise HttpError("no whole answer within the time limit") from None
        except OSError as error:
            raise HttpError(f"{type(error).__name__}: {error}") from None
        finally:
            if link is not None:
                link.end_at(None)
                if response is not None and response.whole and response.lasts:
                    self._idle.append(link)
                else:  # what is left of it would be taken for the next one's
                    link.close()

    async def close(self) -> None:
        """Closes what is idle."""
        while self._idle:
            self._idle.pop().close()
        await asyncio.sleep(0)  # they end in the next round of the loop

    def _idle_link(self) -> _Link | None:
        while self._idle:
            link = self._idle.pop()
            if link.is_open():
                return link
            link.close()
        return None

    async def _new(self) -> _Link:
        end = self._proxy or self._url
        assert end.hostname is not None
        port = end.port or (443 if end.scheme == "https" else 80)
        loop = asyncio.get_running_loop()
        direct = self._tls if self._proxy is None else None
        _, link = await loop.create_connection(lambda: _Link(self._scratch), end.hostname, port, ssl=direct)
        if self._tls is not None and self._proxy is not None:
            try:
                await self._tunnel(link, self._tls, self._proxy)
            except BaseException:
                link.close()
                raise
        return link

    async def _tunnel(self, link: _Link, tls: ssl.SSLContext, proxy: SplitResult) -> None:
        assert self._url.hostname is not None
        host = f"[{self._url.hostname}]" if ":" in self._url.hostname else self._url.hostname
        there = f"{host}:{self._url.port or 443}"
        access = f"Proxy-Authorization: {_basic(proxy)}\r\n" if proxy.username is not None else ""
        link.send(f"CONNECT {there} HTTP/1.1\r\nHost: {there}\r\n{access}\r\n".encode("ascii"))
        response = await _response(link)
        if response.status != 200:
            raise HttpError(f"the proxy makes no tunnel: it answers {response.status}")
        await link.secure(tls, self._url.hostname)

    def _head(self, path: str) -> bytes:
        if path not in self._heads:
            target = urlunsplit(("", "", self._url.path.rstrip("/") + path, self._url.query, ""))
            if self._proxy is not None and self._tls is None:
                target = f"http://{_host(self._url)}{target}"
            self._heads[path] = f"POST {target} HTTP/1.1\r\n{self._fixed}".encode("ascii")
        return self._heads[path]


class _Link(asyncio.BufferedProtocol):
    """An open connection, and what has come on it and was not read yet.

    Args:
        scratch: what all connections receive into, one at a time.
    """

    _transport: asyncio.Transport

    def __init__(self, scratch: memoryview) -> None:
        self._scratch = scratch
        self._received = bytearray()
        self._ended, self._error = False, cast(Exception | None, None)
        self._room, self._paused = _ROOM, False
        self._waiting: asyncio.Future[None] | None = None
        self._until: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._scratch

    def buffer_updated(self, nbytes: int) -> None:
        self._received += self._scratch[:nbytes]
        if len(self._received) > self._room and not self._paused:
            self._paused = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended, self._error = True, exc
        self._wake()

    def end_at(self, until: float | None) -> None:
        """Breaks at that time of the loop's clock; None takes it back. Later requests end later."""
        self._until = until
        if self._timer is None and until is not None:  # one that was for an earlier request looks again
            self._timer = asyncio.get_running_loop().call_at(until, self._look)

    def _look(self) -> None:
        self._timer = None
        if self._until is None or self._until > asyncio.get_running_loop().time():
            self.end_at(self._until)
            return
        self._ended, self._error = True, TimeoutError()
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def is_open(self) -> bool:
        """Whether an idle one still is, and nobody has sent anything unasked."""
        return not (self._ended or self._received or self._transport.is_closing())

    def send(self, data: bytes) -> None:
        """Sends everything, in time."""
        self._transport.write(data)

    async def head(self) -> bytes:
        """The bytes up to the first empty line, or of the file, or as many as no honest head has.

        Raises:
            OSError: where the connection breaks.
        """
        while True:
            end = self._received.find(b"\r\n\r\n") + 4
            if end > 3 or len(self._received) >= _PIECE or not await self._more():
                return self._take(end if end > 3 else len(self._received))

    async def line(self) -> bytes:
        """The bytes up to the end of a line, or of the file, or as many as no honest line has.

        Raises:
            OSError: where the connection breaks.
        """
        while (end := self._received.find(b"\n") + 1) == 0 and len(self._received) < _PIECE and await self._more():
            pass
        return self._take(end or len(self._received))

    async def piece(self, length: int) -> bytes:
        """What there is to read, up to a length; nothing at the end of the file.

        Raises:
            OSError: where the connection breaks.
        """
        while not self._received and await self._more():
            pass
        return self._take(length)

    async def exactly(self, length: int) -> bytes:
        """So many bytes, or those up to the end of the file.

        Raises:
            OSError: where the connection breaks.
        """
        self._room = max(length, _ROOM)  # asyncio's TLS may lose what comes before the end while it is paused
        while len(self._received) < length and await self._more():
            pass
        self._room = _ROOM
        return self._take(length)

    def _take(self, length: int) -> bytes:
        if length >= len(self._received):
            taken = bytes(self._received)
            self._received.clear()
            return taken
        taken = bytes(self._received[:length])
        del self._received[:length]
        return taken

    async def _more(self) -> bool:
        """Waits until there is more to read; whether there is."""
        if self._error is not None:
            raise self._error
        if self._ended:
            return False
        if self._paused:
            self._paused = False
            self._transport.resume_reading()
        self._waiting = asyncio.get_running_loop().create_future()
        try:
            await self._waiting
        finally:
            self._waiting = None
        return True

    async def secure(self, tls: ssl.SSLContext, host: str) -> None:
        """Goes on with TLS."""
        loop = asyncio.get_running_loop()
        transport = await loop.start_tls(self._transport, self, tls, server_hostname=host)
        assert transport is not None
        self._transport = transport

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._transport.abort()


class Response:
    """What a server answers.

    Attributes:
        status: its number.
        lasts: whether the connection can be used after it.
        whole: whether all of it was read.
    """

    def __init__(self, link: _Link, version: str, status: int, headers: Mapping[str, str]) -> None:
        self._link, self.status, self._headers = link, status, headers
        lasting = "close" not in headers.get("connection", "").lower()
        self._chunked = "chunked" in headers.get("transfer-encoding", "").lower()
        self._packed = headers.get("content-encoding") in ("gzip", "deflate")
        length = headers.get("content-length") or ("0" if status in (204, 304) else "")
        self._length = int(length) if length.isdecimal() and len(length) < 19 else None
        self.lasts = version == "1" and lasting and (self._chunked or self._length is not None)
        self.whole = False

    def header(self, name: str) -> str | None:
        """The value of a header, by its name in small letters."""
        return self._headers.get(name)

    async def read(self, most: int) -> bytes:
        """The whole body, as ``pieces`` gives it."""
        if self._length is None or self._packed or self._chunked:
            return b"".join([piece async for piece in self.pieces(most)])
        if self._length > most:
            raise TooLong
        body = await self._link.exactly(self._length)
        if len(body) < self._length:
            raise HttpError(f"the response broke off {self._length - len(body)} bytes before its end")
        self.whole = True
        return body

    async def pieces(self, most: int) -> AsyncIterator[bytes]:
        """The body as it comes, unpacked where it is compressed.

        Args:
            most: bytes that the reader takes.

        Raises:
            HttpError: where it breaks off, or is not compressed as it says.
            TooLong: where there is more.
        """
        plain = self._chunks() if self._chunked else self._upto(self._length)
        async for piece in _unpacked(plain) if self._packed else plain:
            most -= len(piece)
            if most < 0:
                raise TooLong
            yield piece
        self.whole = True

    async def _chunks(self) -> AsyncIterator[bytes]:
        while True:
            line = await self._link.line()
            try:
                size = int(line.partition(b";")[0], 16)
            except ValueError:
                raise HttpError(f"no size of a chunk: {line[:80]!r}") from None
            if size == 0:
                break
            async for piece in self._upto(size):
                yield piece
            await self._link.line()
        while (await self._link.line()).strip():
            pass  # what may follow a body in chunks

    async def _upto(self, length: int | None) -> AsyncIterator[bytes]:
        """So many bytes, or those up to the end."""
        while length is None or length > 0:
            piece = await self._link.piece(_PIECE if length is None else min(length, _PIECE))
            if not piece:
                if length is None:
                    return
                raise HttpError(f"the response broke off {length} bytes before its end")
            if length is not None:
                length -= len(piece)
            yield piece


async def _unpacked(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        async for piece in pieces:
            yield unpack.decompress(piece, _PIECE)
            while unpack.unconsumed_tail:  # so that a small body cannot become a huge one at once
                yield unpack.decompress(unpack.unconsumed_tail, _PIECE)
    except zlib.error as error:
        raise HttpError(f"the body is not compressed as it says: {error}") from None
    if not unpack.eof:
        raise HttpError("the compressed body broke off")


async def _response(link: _Link) -> Response:
    """The one that comes next on a connection, up to its body."""
    while True:
        head = await link.head()
        if not head:
            raise HttpError("the server closed the connection without an answer")
        text = head.decode("latin-1")
        first = _FIRST_LINE.match(text)
        if first is None or not text.endswith("\r\n\r\n"):
            raise HttpError(f"no HTTP: {head[:80]!r}")
        version, status = first[1], int(first[2])
        if not 100 <= status < 200:
            return Response(link, version, status, {name.lower(): value for name, value in _FIELD.findall(text)})


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
