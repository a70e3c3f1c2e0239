"""Models behind any server with OpenAI's protocol: vLLM, llama.cpp, Ollama, and the hosted ones.

Servers stall, refuse, break off and answer nonsense. Temporary failures are retried after growing pauses, or at the
server's time (``Retry-After``; all requests wait then, because the limit is on all of them). A permanent failure is a
fault of its sample. If it would hit every sample (a wrong key, an unknown model), it ends the run.

The key is read from the environment. It is in no file and no message: texts from outside are cleared of it.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import aiohttp

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.fast_json import encode
from ocaml_env.evaluation.models.base import Answer, Model, Request, Sampling
from ocaml_env.evaluation.models.openai_answers import (
    Passing,
    Refused,
    Text,
    read_refusal,
    read_stream,
    read_whole,
)
from ocaml_env.evaluation.models.openai_server import Server
from ocaml_env.extract import Completion
from ocaml_env.prompt import shorten
from ocaml_env.verifiers.giving_up import seconds_of

__all__ = ["OpenAIModel"]

_MOST_BYTES = 64 << 20  # most bytes of one response
_PASSING = frozenset({408, 409, 425, 429})  # and every 5xx
_SHOWN = 400  # most characters of a fault's message, cut after the key is removed
# Without one of these, a message with a field's name, such as "seed" or "stop", may be about something else.
_NOT_TAKEN = re.compile(
    r"unsupported|unknown|unrecogni[sz]ed|unexpected|unpermitted|invalid (?:field|param)|extra"
    r"|not (?:supported|allowed|permitted|known|a valid)|does(?: not|n't) support",
    re.IGNORECASE,
)


class _TooLong(Exception):
    """The response is longer than ``_MOST_BYTES``."""


class OpenAIModel(Model):
    """A model at a server. Its only state between requests is the set of fields that the server refuses.

    Args:
        name: the server's name of the model.
        server: settings of the server.
        sampling: settings of sampling.

    Raises:
        ConfigError: if OPENAI_API_KEY cannot be a key.
    """

    def __init__(self, name: str, server: Server, sampling: Sampling) -> None:
        self.at_once, self.address = server.concurrency, server.shown
        self.chats = server.endpoint == "chat"
        self._name, self._server, self._sampling = name, server, sampling
        self._key = os.environ.get("OPENAI_API_KEY", "").strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise ConfigError("OPENAI_API_KEY holds characters that no key has")
        self._session: aiohttp.ClientSession | None = None
        self._slots = asyncio.Semaphore(server.concurrency)
        self._gate = _Gate(server.requests_per_minute)
        self._limit_name = "max_tokens"
        self._left_out: set[str] = set()

    async def generate(self, requests: Sequence[Request]) -> list[Answer]:
        if len(requests) == 1:
            return [await self._ask(requests[0])]
        return await asyncio.gather(*map(self._ask, requests))

    async def disconnect(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _open(self) -> aiohttp.ClientSession:
        """Opens connections in the running loop: as many as needed, kept open, through the environment's proxy."""
        headers = {"Content-Type": "application/json", "User-Agent": "ocaml-env", "Accept-Encoding": "identity"}
        if access := self._server.access or (f"Bearer {self._key}" if self._key else ""):
            headers["Authorization"] = access
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=self._server.timeout),
            proxy=self._server.proxy,
        )

    async def _ask(self, request: Request) -> Answer:
        server, reason = self._server, ""
        for tries in range(1, server.retries + 2):
            await self._gate.wait()
            try:
                async with self._slots:
                    return await self._try(request)
            except Refused as refused:
                return Answer(fault=self._clean(f"{server.shown}: {refused}"))
            except _TooLong:
                return Answer(fault=f"{server.shown}: the answer has more than {_MOST_BYTES >> 20} MB")
            except Passing as failed:
                reason, pause = str(failed), failed.pause
            except TimeoutError:
                reason, pause = "no whole answer within the time limit", None
            except aiohttp.ClientError as error:
                cause = getattr(error, "os_error", error)
                reason, pause = f"{type(cause).__name__}: {cause}", None
            if pause is not None:  # the server's limit is on all requests
                self._gate.close_for(min(pause, server.pauses.longest))
            elif tries <= server.retries:
                await asyncio.sleep(server.pauses.after(tries))
        return Answer(fault=self._clean(f"{server.shown}: {server.retries + 1} tries failed: {reason}"))

    async def _try(self, request: Request) -> Answer:
        self._session = self._session or self._open()
        chat, body = self._server.endpoint == "chat", self._body(request)
        start = time.monotonic()
        async with self._session.post(self._server.url, data=encode(body), allow_redirects=False) as response:
            if response.status != 200:
                await self._refuse(response, body)
            if response.content_type == "text/event-stream":
                text = await read_stream(_pieces(response), chat=chat)
            else:
                text = read_whole(await _read(response), chat=chat)
        return self._answer(request, text, time.monotonic() - start)

    def _answer(self, request: Request, text: Text, seconds: float) -> Answer:
        (tokens, thinking), cut_off = text.usage, text.completion.truncated
        cut_off = cut_off or self._sampling.is_over(tokens, thinking)
        completion = Completion(request.prompt.prefill + text.completion, truncated=cut_off)
        return Answer(completion=completion, tokens=tokens, thinking=thinking, latency=seconds)

    def _body(self, request: Request) -> dict[str, Any]:
        prompt = request.prompt
        asked = {"messages": list(prompt.messages)} if self._server.endpoint == "chat" else {"prompt": prompt.begun}
        body = {
            "model": self._name,
            **asked,
            "temperature": self._sampling.temperature,
            "top_p": self._sampling.top_p,
            "seed": request.seed,
            self._limit_name: self._sampling.most_tokens,
            **({"stop": list(stops)} if (stops := self._sampling.stops(chats="messages" in asked)) else {}),
            "stream": self._server.stream,
            **({"stream_options": {"include_usage": True}} if self._server.stream else {}),
        }
        return {name: value for name, value in body.items() if name not in self._left_out}

    async def _refuse(self, response: aiohttp.ClientResponse, body: Mapping[str, Any]) -> None:
        """Raises the exception for a response without an answer.

        Raises:
            ConfigError: if the server would refuse every other request too.
            Passing: if the same request may succeed later, or without a refused field at once.
            Refused: if it never will.
        """
        status = response.status
        if status in (401, 403):  # its message may quote the key, so it is not read
            known = "OPENAI_API_KEY is not set" if not self._key else "check OPENAI_API_KEY"
            raise ConfigError(f"{self._server.shown} refuses access ({status}): {known}")
        message, field = read_refusal(await _read(response))
        if status == 404:
            raise ConfigError(
                self._clean(f"{self._server.shown} has no model {self._name!r}, or is no OpenAI server: {message}")
            )
        if status in _PASSING or status >= 500:
            raise Passing(f"{status}: {message}", seconds_of(response.headers.get("Retry-After")))
        if status in (400, 422) and self._learn(message, field, body):
            raise Passing(f"{status}: {message}", 0.0)
        raise Refused(f"{status}: {message}")

    def _learn(self, message: str, field: str, body: Mapping[str, Any]) -> bool:
        """True if the server names a refused field that requests can do without."""
        if "max_tokens" in body and "max_completion_tokens" in message:
            self._limit_name = "max_completion_tokens"
            return True
        for name in ("stream_options", "seed", "stop", "top_p"):
            told = field == name or (_NOT_TAKEN.search(message) and re.search(rf"\b{name}\b", message))
            if name in body and told:
                if name not in self._left_out:
                    self._left_out.add(name)
                    sys.stderr.write(f"evaluate: {self._server.shown} does not take {name!r}: it is left out\n")
                return True
        return False

    def _clean(self, text: str) -> str:
        """Removes the key from a text, and then cuts it to a readable length."""
        return shorten(text.replace(self._key, "***") if self._key else text, _SHOWN)


class _Gate:
    """The schedule of requests: none during the server's pause, and a limited number a minute."""

    def __init__(self, per_minute: float) -> None:
        self._every = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._closed_until = 0.0

    def close_for(self, seconds: float) -> None:
        self._closed_until = max(self._closed_until, time.monotonic() + seconds)

    async def wait(self) -> None:
        while (pause := max(self._closed_until, self._next) - (now := time.monotonic())) > 0:
            await asyncio.sleep(pause)
        self._next = now + self._every


async def _pieces(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    room = _MOST_BYTES
    async for piece in response.content.iter_any():
        room -= len(piece)
        if room < 0:
            raise _TooLong
        yield piece


async def _read(response: aiohttp.ClientResponse) -> bytes:
    return b"".join([piece async for piece in _pieces(response)])
