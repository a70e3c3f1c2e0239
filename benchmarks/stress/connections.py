"""Talks to a service over raw connections, so that a load test can also break the protocol."""

from __future__ import annotations

import asyncio
import contextlib
import json
import urllib.parse
from typing import Any

from benchmarks.stress.service import Server

__all__ = ["TIMEOUT", "Connection", "break_off", "open_streams"]

TIMEOUT = 120.0
"""Seconds after which a request counts as unanswered."""


class Connection:
    """A connection, opened on first use and kept."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, body: bytes, *, kind: str = "application/json"
    ) -> tuple[int, float, Any]:
        """Sends a request; returns the status, ``Retry-After`` in seconds, and the JSON.

        The server may have closed a kept connection. It is then replaced once.
        """
        head = f"{method} {path} HTTP/1.1\r\nHost: [::1]\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        kept = self._streams is not None
        try:
            async with asyncio.timeout(TIMEOUT):
                try:
                    return await self._exchange(head.encode() + body)
                except (OSError, EOFError):
                    self.close()
                    if not kept:
                        raise
                    return await self._exchange(head.encode() + body)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None

    async def _exchange(self, request: bytes) -> tuple[int, float, Any]:
        self._streams = reader, writer = self._streams or await open_streams(self._server)
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
        data = await reader.readexactly(int(fields["content-length"]))
        await writer.drain()
        if fields.get("connection") == "close":
            self.close()
        return int(head.split()[1]), float(fields.get("retry-after", 0)), json.loads(data)


async def open_streams(server: Server) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    parts = urllib.parse.urlsplit(server.url)
    return await asyncio.open_connection(parts.hostname, parts.port)


async def break_off(server: Server, body: bytes) -> None:
    """Sends a batch, and closes the connection before the verdicts come."""
    _, writer = await open_streams(server)
    head = "POST /v1/verify/batch HTTP/1.1\r\nHost: [::1]\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    with contextlib.suppress(OSError):
        await writer.drain()
    await asyncio.sleep(0.2)
    writer.close()
