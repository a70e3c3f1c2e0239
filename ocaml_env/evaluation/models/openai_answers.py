"""Reads answers and refusals of OpenAI's protocol. A broken-off or nonsensical answer is a ``Passing`` failure."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, NamedTuple

from ocaml_env.episode import MAX_COMPLETION_LENGTH
from ocaml_env.evaluation.fast_json import decode
from ocaml_env.extract import Completion

__all__ = ["Passing", "Refusal", "Refused", "Text", "Usage", "read_refusal", "read_stream", "read_whole"]

_READ = 1 << 16  # most characters of a server's message


class Passing(Exception):
    """A failed try worth repeating, after ``pause`` seconds if the server asks for a pause."""

    def __init__(self, reason: str, pause: float | None = None) -> None:
        super().__init__(reason)
        self.pause = pause


class Refused(Exception):
    """The server will never answer this request."""


class Usage(NamedTuple):
    """Generated tokens, and those among them that are thinking; None if the server does not tell."""

    tokens: int | None = None
    thinking: int | None = None


class Text(NamedTuple):
    """An answer: its text, and its numbers of tokens."""

    completion: Completion
    usage: Usage


class Refusal(NamedTuple):
    """The message of a response without an answer, on one line, and the name of the refused field, or "".

    The message may quote the key.
    """

    message: str
    field: str


def read_whole(body: bytes, *, chat: bool) -> Text:
    """Reads the answer from a response of one JSON object.

    Raises:
        Passing: if it holds no answer.
        Refused: if the server withholds it.
    """
    try:
        value = decode(body)
        choice = value["choices"][0]
        text = choice["message"]["content"] if chat else choice["text"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise Passing(f"not an answer: {read_refusal(body).message}") from None
    return Text(_completion(text, choice.get("finish_reason")), _usage(value))


async def read_stream(pieces: AsyncIterator[bytes], *, chat: bool) -> Text:
    """Reads the answer from a stream of events. A stream without a finish reason was broken off.

    Raises:
        Passing: if it holds no answer.
        Refused: if the server withholds it.
    """
    texts: list[str] = []
    finish, usage = None, Usage()
    async for data in _events(pieces):
        if data == b"[DONE]":
            break
        try:
            value = decode(data)
            if value.get("error"):
                raise Passing(f"an error in the stream: {read_refusal(data).message}")
            usage = _usage(value) if value.get("usage") else usage
            for choice in (value.get("choices") or [])[:1]:
                texts.append((choice["delta"].get("content") if chat else choice["text"]) or "")
                finish = choice.get("finish_reason") or finish
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise Passing(f"not a piece of an answer: {read_refusal(data).message}") from None
    if finish is None:
        raise Passing("the stream broke off")
    try:
        return Text(_completion("".join(texts), finish), usage)
    except TypeError:
        raise Passing("a piece of the answer is no text") from None


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


def _completion(text: object, finish: object) -> Completion:
    """Reads a text; of one that is too long, enough to show that."""
    if text is not None and not isinstance(text, str):
        raise Passing(f"the content of the answer is no text but a {type(text).__name__}")
    if finish in ("error", "abort"):
        raise Passing(f"the server broke off the answer: finish_reason {finish!r}")
    if finish == "content_filter":
        raise Refused("the server's content filter withholds the answer")
    return Completion((text or "")[: MAX_COMPLETION_LENGTH + 1], truncated=finish == "length")


def _usage(value: Mapping[str, Any]) -> Usage:
    usage = value.get("usage")
    details = usage.get("completion_tokens_details") if isinstance(usage, dict) else None
    return Usage(_number(usage, "completion_tokens"), _number(details, "reasoning_tokens"))


def _number(value: object, name: str) -> int | None:
    number = value.get(name) if isinstance(value, dict) else None
    return number if isinstance(number, int) else None


def read_refusal(body: bytes) -> Refusal:
    """Reads the error message from a response of any form."""
    text, field = body[:_READ].decode("utf-8", "replace"), ""
    try:
        error = decode(body)["error"]
        text = str(error["message"] if isinstance(error, dict) else error)
        field = str(error.get("param") or "") if isinstance(error, dict) else ""
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return Refusal(" ".join(text[:_READ].split()) or "nothing", field)
