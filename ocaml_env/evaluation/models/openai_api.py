"""Models behind any server that speaks OpenAI's protocol: vLLM, llama.cpp, Ollama, and the hosted ones.

Servers stall, refuse, break off and answer nonsense. What may pass is tried again, later and later, or when the server
says (``Retry-After``; all requests wait then, for the limit is on all of them); what cannot pass is a fault of that one
sample, or, where it would be the same for each (a wrong key, an unknown model), the end of the run.

The key is read from the environment. It is in no file and no message: what comes from outside is cleared of it.
"""

from __future__ import annotations

import asyncio
import email.utils
import os
import random
import re
import sys
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from ocaml_env.episode import MAX_COMPLETION_LENGTH
from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.fast_json import decode, encode
from ocaml_env.evaluation.models.base import Answer, Request, Sampling, ServedModel
from ocaml_env.evaluation.models.http_client import Connections, shown
from ocaml_env.evaluation.models.http_response import HttpError, Response, TooLong
from ocaml_env.extract import Completion
from ocaml_env.prompt import shorten

__all__ = ["OpenAIModel", "Server"]

_MOST_BYTES = 64 << 20  # of one response, before it is given up
_LONGEST_PAUSE = 120.0  # seconds between two tries, whatever Retry-After says
_PASSING = frozenset({408, 409, 425, 429})  # and every 5xx
_SHOWN = 400  # characters of what is said of a fault, cut after it was cleared of the key
_READ = 1 << 16  # characters of a server's message before that
# Without one of these a message that holds a field's name, such as "seed" or "stop", may be about something else.
_NOT_TAKEN = re.compile(
    r"unsupported|unknown|unrecogni[sz]ed|unexpected|unpermitted|invalid (?:field|param)|extra"
    r"|not (?:supported|allowed|permitted|known|a valid)|does(?: not|n't) support",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Server:
    """Where and how to ask.

    Attributes:
        base_url: up to ``/v1``; "" takes OPENAI_BASE_URL, and then OpenAI's own.
        endpoint: ``chat``, or ``completions`` for models that only continue a text.
        concurrency: requests at a time.
        retries: tries after the first one.
        timeout: seconds of one try, from its begin to its last byte.
        requests_per_minute: at most; 0 for no limit.
        stream: whether the answer comes in pieces, which some proxies need for long ones.
        first_pause: seconds before the first retry; each later pause is twice as long.

    Raises:
        ConfigError: where the address is none, or a number makes no sense.
    """

    base_url: str = ""
    endpoint: Literal["chat", "completions"] = "chat"
    concurrency: int = 16
    retries: int = 7
    timeout: float = 600.0
    requests_per_minute: float = 0.0
    stream: bool = False
    first_pause: float = 0.5

    def __post_init__(self) -> None:
        url = self.base_url or os.environ.get("OPENAI_BASE_URL", "") or "https://api.openai.com/v1"
        if not _is_address(url):
            raise ConfigError("--base-url is an address such as http://localhost:8000/v1")
        if self.timeout <= 0 or self.requests_per_minute < 0:
            raise ConfigError("--timeout is a number above 0, and --requests-per-minute one from 0")
        object.__setattr__(self, "base_url", url.rstrip("/"))

    @property
    def shown(self) -> str:
        """The address without a password or a token in it."""
        return shown(self.base_url)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:  # a port that is none, half an address of IPv6
        return False
    return parts.scheme in ("http", "https") and bool(host) and url.isascii() and url.isprintable()


class _Passing(Exception):
    """A try that failed and may be made again, after ``pause`` seconds where the server says so."""

    def __init__(self, reason: str, pause: float | None = None) -> None:
        super().__init__(reason)
        self.pause = pause


class _Refused(Exception):
    """A request that this server will never answer."""


class OpenAIModel(ServedModel):
    """A model at a server. Nothing of it is kept between requests but what the server has taught us to leave out.

    Args:
        name: of the model, as the server knows it.
        server: where.
        sampling: how answers are drawn.

    Raises:
        ConfigError: where OPENAI_API_KEY cannot be a key.
    """

    def __init__(self, name: str, server: Server, sampling: Sampling) -> None:
        self.at_once, self.address = server.concurrency, server.shown
        self.chats = server.endpoint == "chat"
        self._name, self._server, self._sampling = name, server, sampling
        self._key = os.environ.get("OPENAI_API_KEY", "").strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise ConfigError("OPENAI_API_KEY holds characters that no key has")
        headers = {"Content-Type": "application/json", "User-Agent": "ocaml-env"}
        headers |= {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._connections = Connections(server.base_url, headers, server.timeout)
        self._slots = asyncio.Semaphore(server.concurrency)
        self._gate = _Gate(server.requests_per_minute)
        self._limit_name = "max_tokens"
        self._left_out: set[str] = set()

    async def leave(self) -> None:
        await self._connections.close()

    async def ask(self, request: Request) -> Answer:
        reason = ""
        for tried in range(self._server.retries + 1):
            await self._gate.wait()
            try:
                async with self._slots:
                    return await self._try(request)
            except _Refused as refused:
                return Answer(fault=self._clean(f"{self._server.shown}: {refused}"))
            except TooLong:
                return Answer(fault=f"{self._server.shown}: the answer has more than {_MOST_BYTES >> 20} MB")
            except _Passing as failed:
                reason = str(failed)
                pause = failed.pause
            except HttpError as error:
                reason, pause = str(error), None
            if pause is not None:
                self._gate.close_for(min(pause, _LONGEST_PAUSE))
            if tried < self._server.retries:
                backoff = min(self._server.first_pause * 2**tried, _LONGEST_PAUSE)
                await asyncio.sleep(backoff * random.uniform(0.5, 1.0) if pause is None else 0)
        return Answer(fault=self._clean(f"{self._server.shown}: {self._server.retries + 1} tries failed: {reason}"))

    async def _try(self, request: Request) -> Answer:
        chat = self._server.endpoint == "chat"
        path = "/chat/completions" if chat else "/completions"
        body = self._body(request)
        content = encode(body)

        async def take(response: Response) -> tuple[Completion, int | None]:
            if response.status != 200:
                await self._refuse(response, body)
            if (response.header("content-type") or "").startswith("text/event-stream"):
                return await _streamed(response.pieces(_MOST_BYTES), chat=chat)
            return _whole(await response.read(_MOST_BYTES), chat=chat)

        start = time.monotonic()
        completion, tokens = await self._connections.post(path, content, take)
        if request.prompt.prefill:
            completion = Completion(request.prompt.prefill + completion, truncated=completion.truncated)
        return Answer(completion=completion, tokens=tokens, latency=time.monotonic() - start)

    def _body(self, request: Request) -> dict[str, Any]:
        prompt = request.prompt
        asked = {"messages": list(prompt.messages)} if self._server.endpoint == "chat" else {"prompt": prompt.begun}
        body = {
            "model": self._name,
            **asked,
            "temperature": self._sampling.temperature,
            "top_p": self._sampling.top_p,
            "seed": request.seed,
            self._limit_name: self._sampling.max_tokens,
            **({"stop": list(self._sampling.stop)} if self._sampling.stop and "prompt" in asked else {}),
            "stream": self._server.stream,
            **({"stream_options": {"include_usage": True}} if self._server.stream else {}),
        }
        return {name: value for name, value in body.items() if name not in self._left_out}

    async def _refuse(self, response: Response, body: Mapping[str, Any]) -> None:
        """Says by an exception what an answer without an answer means.

        Raises:
            ConfigError: where every other request would be refused as well.
            _Passing: where the same request may be answered later, or another one for it at once.
            _Refused: where it never will.
        """
        status = response.status
        if status in (401, 403):  # its message may quote the key: it is not read
            known = "OPENAI_API_KEY is not set" if not self._key else "check OPENAI_API_KEY"
            raise ConfigError(f"{self._server.shown} refuses access ({status}): {known}")
        message, field = _said(await response.read(_MOST_BYTES))
        if status == 404:
            raise ConfigError(
                self._clean(f"{self._server.shown} has no model {self._name!r}, or is no OpenAI server: {message}")
            )
        if status in _PASSING or status >= 500:
            raise _Passing(f"{status}: {message}", _retry_after(response.header("retry-after")))
        if status in (400, 422) and self._learn(message, field, body):
            raise _Passing(f"{status}: {message}", 0.0)
        raise _Refused(f"{status}: {message}")

    def _learn(self, message: str, field: str, body: Mapping[str, Any]) -> bool:
        """Whether the server names a field that it does not take, and that a request can do without."""
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
        """The text without the key, and then not longer than anybody reads."""
        return shorten(text.replace(self._key, "***") if self._key else text, _SHOWN)


class _Gate:
    """When the next request may go: none while the server wants rest, and so many a minute."""

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


def _whole(body: bytes, *, chat: bool) -> tuple[Completion, int | None]:
    """The answer of a response that is one JSON object."""
    try:
        value = decode(body)
        choice = value["choices"][0]
        text = choice["message"]["content"] if chat else choice["text"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise _Passing(f"not an answer: {_message(body)}") from None
    return _completion(text, choice), _tokens(value)


async def _streamed(pieces: AsyncIterator[bytes], *, chat: bool) -> tuple[Completion, int | None]:
    """The answer of a stream of events. One that ends without a finish reason was broken off."""
    texts: list[str] = []
    finish, tokens = None, None
    async for data in _events(pieces):
        if data == b"[DONE]":
            break
        try:
            value = decode(data)
            if value.get("error"):
                raise _Passing(f"an error in the stream: {_message(data)}")
            tokens = _tokens(value) or tokens
            for choice in (value.get("choices") or [])[:1]:
                texts.append((choice["delta"].get("content") if chat else choice["text"]) or "")
                finish = choice.get("finish_reason") or finish
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise _Passing(f"not a piece of an answer: {_message(data)}") from None
    if finish is None:
        raise _Passing("the stream broke off")
    try:
        return _completion("".join(texts), {"finish_reason": finish}), tokens
    except TypeError:
        raise _Passing("a piece of the answer is no text") from None


async def _events(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The data of server-sent events, which are one line each in this protocol."""
    rest = b""
    async for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                yield line[5:].strip()
    if rest.startswith(b"data:"):
        yield rest[5:].strip()


def _completion(text: object, choice: Mapping[str, Any]) -> Completion:
    """The text; of one that is too long to be read, enough to see that."""
    if text is not None and not isinstance(text, str):
        raise _Passing(f"the content of the answer is no text but a {type(text).__name__}")
    reason = choice.get("finish_reason")
    if reason in ("error", "abort"):
        raise _Passing(f"the server broke off the answer: finish_reason {reason!r}")
    if reason == "content_filter":
        raise _Refused("the server's content filter withholds the answer")
    return Completion((text or "")[: MAX_COMPLETION_LENGTH + 1], truncated=reason == "length")


def _tokens(value: Mapping[str, Any]) -> int | None:
    usage = value.get("usage")
    tokens = usage.get("completion_tokens") if isinstance(usage, dict) else None
    return tokens if isinstance(tokens, int) else None


def _message(body: bytes) -> str:
    """What a server says went wrong, on one line. It may quote the key: it is shown to nobody before ``_clean``."""
    return _said(body)[0]


def _said(body: bytes) -> tuple[str, str]:
    """The message, and the field that it is about; "" where that is not told."""
    text, field = body[:_READ].decode("utf-8", "replace"), ""
    try:
        error = decode(body)["error"]
        text = str(error["message"] if isinstance(error, dict) else error)
        field = str(error.get("param") or "") if isinstance(error, dict) else ""
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return " ".join(text[:_READ].split()) or "nothing", field


def _retry_after(value: str | None) -> float | None:
    """Seconds from now; the header holds a number of them or a date."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None
