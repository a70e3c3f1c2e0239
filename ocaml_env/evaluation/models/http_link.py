"""One connection of the HTTP client: reads piece by piece, within a time limit."""

from __future__ import annotations

import asyncio
import ssl
from typing import cast

__all__ = ["PIECE", "ROOM", "Link"]

PIECE = 1 << 16
"""Bytes of one read if the length is unknown."""

ROOM = 1 << 18
"""Most received bytes ahead of the reader; asyncio's TLS gives no more at a time."""


class Link(asyncio.BufferedProtocol):
    """An open connection with its received but unread bytes.

    Args:
        scratch: receiving buffer, shared by all connections of the loop.
    """

    _transport: asyncio.Transport

    def __init__(self, scratch: memoryview) -> None:
        self._scratch = scratch
        self._received = bytearray()
        self._ended, self._error = False, cast(Exception | None, None)
        self._room, self._paused = ROOM, False
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
        """Sets the time, by the loop's clock, to break the connection at; None removes it. Later requests end later."""
        self._until = until
        if self._timer is None and until is not None:  # the timer of an earlier request checks the time again
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
        """True if an idle connection is still open, and the server has sent nothing unasked."""
        return not (self._ended or self._received or self._transport.is_closing())

    def send(self, data: bytes) -> None:
        """Sends all data, within the time limit."""
        self._transport.write(data)

    async def head(self) -> bytes:
        """Reads up to the first empty line, the end of the stream, or a size beyond any honest head.

        Raises:
            OSError: if the connection breaks.
        """
        while True:
            end = self._received.find(b"\r\n\r\n") + 4
            if end > 3 or len(self._received) >= PIECE or not await self._more():
                return self._take(end if end > 3 else len(self._received))

    async def line(self) -> bytes:
        """Reads up to the end of a line or of the stream, or a size beyond any honest line.

        Raises:
            OSError: if the connection breaks.
        """
        while (end := self._received.find(b"\n") + 1) == 0 and len(self._received) < PIECE and await self._more():
            pass
        return self._take(end or len(self._received))

    async def piece(self, length: int) -> bytes:
        """Reads the received bytes, at most ``length``; none at the end of the stream.

        Raises:
            OSError: if the connection breaks.
        """
        while not self._received and await self._more():
            pass
        return self._take(length)

    async def exactly(self, length: int) -> bytes:
        """Reads ``length`` bytes, or fewer at the end of the stream.

        Raises:
            OSError: if the connection breaks.
        """
        self._room = max(length, ROOM)  # asyncio's TLS, if paused, may lose bytes before the end
        while len(self._received) < length and await self._more():
            pass
        self._room = ROOM
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
        """Waits for more bytes; False at the end of the stream."""
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
        """Starts TLS on the connection."""
        loop = asyncio.get_running_loop()
        transport = await loop.start_tls(self._transport, self, tls, server_hostname=host)
        assert transport is not None
        self._transport = transport

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._transport.abort()
