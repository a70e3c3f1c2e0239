"""Models behind any server with OpenAI's protocol: vLLM, llama.cpp, Ollama, and the hosted ones.

Servers stall, refuse, break off and answer nonsense. Temporary failures are retried after growing pauses, or at the
server's time (``Retry-After``; all requests wait then, because the limit is on all of them). A permanent failure is a
fault of its sample. If it would hit every sample (a wrong key, an unknown model), it ends the run.

The key is read from the environment. It is in no file and no message: texts from outside are cleared of it.
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

_MOST_BYTES = 64 << 20  # most bytes of one response
_LONGEST_PAUSE = 120.0  # most seconds between two tries, even if Retry-After asks for more
_PASSING = frozenset({408, 409, 425, 429})  # and every 5xx
_SHOWN = 400  # most characters of a fault's message, cut after the key is removed
_READ = 1 << 16  # characters of a server's message before that
# Without one of these, a message with a field's name, such as "seed" or "stop", may be about something else.
_NOT_TAKEN = re.compile(
    r"unsupported|unknown|unrecogni[sz]ed|unexpected|unpermitted|invalid (?:field|param)|extra"
    r"|not (?:supported|allowed|permitted|known|a valid)|does(?: not|n't) support",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Server:
    """Settings of a server.

    Attributes:
        base_url: address up to ``/v1``; "" takes OPENAI_BASE_URL, else OpenAI's own.
        endpoint: ``chat``, or ``completions`` for models that only continue a text.
        concurrency: requests at a time.
        retries: tries after the first one.
        timeout: seconds of one try, from its beginning to its last byte.
        requests_per_minute: most requests a minute; 0 for no limit.
        stream: True to get answers in pieces; some proxies need that for long ones.
        first_pause: seconds before the first retry; each later pause is twice as long.

    Raises:
        ConfigError: if the address is invalid, or a number is out of range.
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
    except ValueError:  # an invalid port, half an IPv6 address
        return False
    return parts.scheme in ("http", "https") and bool(host) and url.isascii() and url.isprintable()


class _Passing(Exception):
    """A failed try worth repeating, after ``pause`` seconds if the server asks for a pause."""

    def __init__(self, reason: str, pause: float | None = None) -> None:
        super().__init__(reason)
        self.pause = pause


class _Refused(Exception):
    """The server will never answer this request."""


class OpenAIModel(ServedModel):
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
        """Raises the exception for a response without an answer.

        Raises:
            ConfigError: if the server would refuse every other request too.
            _Passing: if the same request may succeed later, or without a refused field at once.
            _Refused: if it never will.
        """
        status = response.status
        if status in (401, 403):  # its message may quote the key, so it is not read
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


def _whole(body: bytes, *, chat: bool) -> tuple[Completion, int | None]:
    """Reads the answer from a response of one JSON object."""
    try:
        value = decode(body)
        choice = value["choices"][0]
        text = choice["message"]["content"] if chat else choice["text"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise _Passing(f"not an answer: {_message(body)}") from None
    return _completion(text, choice), _tokens(value)


async def _streamed(pieces: AsyncIterator[bytes], *, chat: bool) -> tuple[Completion, int | None]:
    """Reads the answer from a stream of events. A stream without a finish reason was broken off."""
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
    """Yields the data of server-sent events; each is one line in this protocol."""
    rest = b""
    async for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                yield line[5:].strip()
    if rest.startswith(b"data:"):
        yield rest[5:].strip()


def _completion(text: object, choice: Mapping[str, Any]) -> Completion:
    """Reads a text; of one that is too long, enough to show that."""
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
    """The server's error message on one line. It may quote the key: pass it through ``_clean`` before use."""
    return _said(body)[0]


def _said(body: bytes) -> tuple[str, str]:
    """The message and its field; "" if the server names none."""
    text, field = body[:_READ].decode("utf-8", "replace"), ""
    try:
        error = decode(body)["error"]
        text = str(error["message"] if isinstance(error, dict) else error)
        field = str(error.get("param") or "") if isinstance(error, dict) else ""
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return " ".join(text[:_READ].split()) or "nothing", field


def _retry_after(value: str | None) -> float | None:
    """Seconds from now; the header holds seconds or a date."""
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
