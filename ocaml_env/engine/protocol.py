"""Messages between Python and a checker process: length-prefixed frames of bencode over its standard streams.

Bencode, because both sides need only a few lines for it: integers ``i42e``, byte strings ``4:spam``, lists ``l...e``,
dictionaries ``d...e``. Text is UTF-8. A lone surrogate, which only a Python ``str`` can hold, is encoded with
"surrogatepass"; OCaml refuses those bytes wherever they matter.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ocaml_env.errors import ProtocolError

__all__ = ["Message", "Value", "decode", "encode", "frame", "frame_length"]

Value: TypeAlias = "int | bytes | str | Sequence[Value] | Mapping[str, Value]"
Message: TypeAlias = dict[str, Value]

_LENGTH = struct.Struct("<I")

HEADER_BYTES = _LENGTH.size


def encode(value: Value) -> bytes:
    """The bencode of a value."""
    parts: list[bytes] = []
    _encode(value, parts)
    return b"".join(parts)


def _encode(value: Value, parts: list[bytes]) -> None:
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass")
    if isinstance(value, bytes):
        parts.append(b"%d:" % len(value))
        parts.append(value)
    elif isinstance(value, int):
        parts.append(b"i%de" % value)
    elif isinstance(value, Mapping):
        parts.append(b"d")
        for key, item in value.items():
            _encode(key, parts)
            _encode(item, parts)
        parts.append(b"e")
    else:
        parts.append(b"l")
        for item in value:
            _encode(item, parts)
        parts.append(b"e")


def decode(data: bytes) -> Message:
    """Decodes a dictionary: keys become ``str``, strings stay ``bytes``.

    Raises:
        ProtocolError: if ``data`` is not exactly one dictionary.
    """
    try:
        value, end = _decode(data, 0)
    except (ValueError, IndexError, RecursionError) as error:
        raise ProtocolError(f"a worker sent a malformed message: {error}") from error
    if end != len(data) or not isinstance(value, dict):
        raise ProtocolError("a worker sent bytes that are not one message")
    return value


def _decode(data: bytes, at: int) -> tuple[Value, int]:
    kind = data[at : at + 1]
    if kind == b"i":
        end = data.index(b"e", at)
        return int(data[at + 1 : end]), end + 1
    if kind in (b"l", b"d"):
        items: list[Value] = []
        at += 1
        while data[at : at + 1] != b"e":
            item, at = _decode(data, at)
            items.append(item)
        if kind == b"l":
            return items, at + 1
        keys = [key.decode("ascii") for key in items[::2] if isinstance(key, bytes)]
        return dict(zip(keys, items[1::2], strict=True)), at + 1
    colon = data.index(b":", at)
    end = colon + 1 + int(data[at:colon])
    if end > len(data):
        raise ValueError("a string is cut off")
    return data[colon + 1 : end], end


def frame(payload: bytes) -> bytes:
    """Frames a payload: four bytes of length, little-endian, then the payload."""
    return _LENGTH.pack(len(payload)) + payload


def frame_length(header: bytes) -> int:
    """The payload's length, from a frame's first four bytes."""
    return int(_LENGTH.unpack(header)[0])
