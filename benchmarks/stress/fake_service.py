"""Serves recorded completions as a model would, after a fixed delay and at almost no cost.

    python -m benchmarks.stress.fake_service ANSWERS.jsonl [--delay SECONDS]

ANSWERS has a line with ``seed`` and ``completion`` for each expected request; the seed of a request selects its line.
The address is printed first. The server speaks just enough of HTTP and of OpenAI's protocol for
``benchmarks.performance.harness``. It runs in one thread and parses little, to leave the cores to the measured
processes.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ocaml_env.commands import parser_of

__all__ = ["main"]

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_SEED = re.compile(rb'"seed": *(\d+)')
_END = b"\r\n\r\n"


class _Connection(asyncio.Protocol):
    def __init__(self, answers: Mapping[int, bytes], delay: float) -> None:
        self._answers, self._delay = answers, delay
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, end, body = self._received.partition(_END)
        length = _LENGTH.search(head)
        if end and length and len(body) >= int(length[1]):
            self._received = b""
            seed = _SEED.search(body)
            answer = self._answers[int(seed[1])] if seed else b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
            asyncio.get_running_loop().call_later(self._delay, self._transport.write, answer)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves until the process is ended."""
    parser = parser_of("python -m benchmarks.stress.fake_service", __doc__)
    parser.add_argument("answers", metavar="ANSWERS.jsonl", type=Path)
    parser.add_argument("--delay", type=float, default=0.05, help="seconds before an answer (0.05)")
    options = parser.parse_args(arguments)
    lines = (json.loads(line) for line in options.answers.read_text(encoding="ascii").splitlines())
    answers = {line["seed"]: _response(line["completion"]) for line in lines}
    asyncio.run(_serve(answers, options.delay))
    return 0


async def _serve(answers: Mapping[int, bytes], delay: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(answers, delay), "127.0.0.1", 0, backlog=256)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await server.serve_forever()


def _response(completion: str) -> bytes:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": completion}}
    body = json.dumps({"choices": [choice], "usage": {"completion_tokens": len(completion) // 3}}).encode("ascii")
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body


if __name__ == "__main__":
    sys.exit(main())
