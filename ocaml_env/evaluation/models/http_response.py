"""HTTP responses: status, headers, and a body of a known length, in chunks, or up to the end."""

from __future__ import annotations

import re
import zlib
from collections.abc import AsyncIterator, Mapping

from ocaml_env.evaluation.models.http_link import PIECE, Link

__all__ = ["HttpError", "Response", "TooLong", "read_response"]

_FIRST_LINE = re.compile(r"HTTP/1\.(\d) (\d{3})")
_FIELD = re.compile(r"\n([^:\r\n]+):[ \t]*([^\r\n]*?)[ \t]*(?=\r)")


class HttpError(Exception):
    """The connection failed, or broke before the end of the response."""


class TooLong(Exception):
    """A response is longer than its reader allows."""


class Response:
    """A server's response.

    Attributes:
        status: its status code.
        lasts: True if the connection is usable after it.
        whole: True once all of it is read.
    """

    def __init__(self, link: Link, version: str, status: int, headers: Mapping[str, str]) -> None:
        self._link, self.status, self._headers = link, status, headers
        lasting = "close" not in headers.get("connection", "").lower()
        self._chunked = "chunked" in headers.get("transfer-encoding", "").lower()
        self._packed = headers.get("content-encoding") in ("gzip", "deflate")
        length = headers.get("content-length") or ("0" if status in (204, 304) else "")
        self._length = int(length) if length.isdecimal() and len(length) < 19 else None
        self.lasts = version == "1" and lasting and (self._chunked or self._length is not None)
        self.whole = False

    def header(self, name: str) -> str | None:
        """Returns the value of a header, by its name in lower case."""
        return self._headers.get(name)

    async def read(self, most: int) -> bytes:
        """Reads the whole body, see ``pieces``."""
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
        """Yields the body as it arrives, decompressed.

        Args:
            most: most bytes of the body.

        Raises:
            HttpError: if it breaks off, or contradicts its declared compression.
            TooLong: if it is longer.
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
            pass  # trailers of a chunked body

    async def _upto(self, length: int | None) -> AsyncIterator[bytes]:
        """Yields so many bytes, or those up to the end."""
        while length is None or length > 0:
            piece = await self._link.piece(PIECE if length is None else min(length, PIECE))
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
            yield unpack.decompress(piece, PIECE)
            while unpack.unconsumed_tail:  # so that a small body cannot become a huge one at once
                yield unpack.decompress(unpack.unconsumed_tail, PIECE)
    except zlib.error as error:
        raise HttpError(f"the body is not compressed as it says: {error}") from None
    if not unpack.eof:
        raise HttpError("the compressed body broke off")


async def read_response(link: Link) -> Response:
    """Reads the next response of a connection, up to its body.

    Raises:
        HttpError: if it is no HTTP response.
        OSError: if the connection breaks.
    """
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
