"""The modules ``String``, ``Bytes`` and ``Buffer``, and ``^``. A string is ``bytes``, a ``Bytes.t`` a ``bytearray``.

Long, because it has a function for each of OCaml's.
"""

from __future__ import annotations

from typing import Any

from ocaml_env.kills.interpreter.data import (
    NONE,
    SOME,
    Abstract,
    Labelled,
    Value,
    binary,
    elements,
    invalid,
    listed,
    spend,
    unary,
)
from ocaml_env.kills.interpreter.errors import Raised
from ocaml_env.kills.interpreter.library.names import NOT_FOUND
from ocaml_env.kills.interpreter.library.numbers import show_char

__all__ = ["VALUES", "Buffer", "join", "quoted"]

_BLANKS = b" \x0c\n\r\t"


def join(one: bytes, other: bytes) -> bytes:
    """``one ^ other``."""
    spend((len(one) + len(other)) >> 4)
    return one + other


def quoted(text: bytes) -> bytes:
    """``String.escaped``."""
    return b"".join(b'\\"' if byte == 34 else b"'" if byte == 39 else show_char(chr(byte)) for byte in text)


def _cased(text: Any, lower: bool) -> Any:
    return text.lower() if lower else text.upper()  # bytes know ASCII only


def _first_cased(text: bytes, lower: bool) -> bytes:
    return bytes(_cased(text[:1], lower)) + text[1:]


def _at(text: Any, place: int) -> str:
    if not 0 <= place < len(text):
        raise invalid(b"index out of bounds")
    return chr(text[place])


def _sub(kind: bytes) -> Any:
    def sub(text: Any, start: int, length: int) -> Any:
        if start < 0 or length < 0 or start > len(text) - length:
            raise invalid(kind)
        return text[start : start + length]

    return sub


def _make(length: int, letter: str) -> bytes:
    if length < 0:
        raise invalid(b"Bytes.create")
    spend(length >> 4)
    return bytes((ord(letter),)) * length


def _init(length: int, f: Value) -> bytes:
    if length < 0:
        raise invalid(b"Bytes.create")
    spend(length)
    f = unary(f)
    return bytes([ord(f(place)) for place in range(length)])


def _concat(between: bytes, texts: Value) -> bytes:
    made = between.join(elements(texts))
    spend(len(made) >> 4)
    return made


def _letters(text: Any) -> list[str]:
    spend(len(text))
    return list(text.decode("latin-1"))


def _map(f: Value, text: bytes) -> bytes:
    f = unary(f)
    return bytes([ord(f(letter)) for letter in _letters(text)])


def _mapi(f: Value, text: bytes) -> bytes:
    f = binary(f)
    return bytes([ord(f(place, letter)) for place, letter in enumerate(_letters(text))])


def _iter(f: Value, text: bytes) -> Value:
    f = unary(f)
    for letter in _letters(text):
        f(letter)
    return ()


def _iteri(f: Value, text: bytes) -> Value:
    f = binary(f)
    for place, letter in enumerate(_letters(text)):
        f(place, letter)
    return ()


def _fold_left(f: Value, start: Value, text: bytes) -> Value:
    f = binary(f)
    for letter in _letters(text):
        start = f(start, letter)
    return start


def _fold_right(f: Value, text: bytes, start: Value) -> Value:
    f = binary(f)
    for letter in reversed(_letters(text)):
        start = f(letter, start)
    return start


def _split(separator: str, text: bytes) -> Value:
    return listed(text.split(separator.encode("latin-1")))


def _place(found: int) -> int:
    if found < 0:
        raise Raised(NOT_FOUND)
    return found


def _option(found: int) -> Value:
    return NONE if found < 0 else (SOME, found)


def _code(letter: str) -> bytes:
    return letter.encode("latin-1")


def _from(text: bytes, start: int, name: bytes) -> None:
    if not 0 <= start <= len(text):
        raise invalid(name)


def _index_from(text: bytes, start: int, letter: str) -> int:
    _from(text, start, b"String.index_from / Bytes.index_from")
    return _place(text.find(_code(letter), start))


def _index_from_opt(text: bytes, start: int, letter: str) -> Value:
    _from(text, start, b"String.index_from_opt / Bytes.index_from_opt")
    return _option(text.find(_code(letter), start))


def _contains_from(text: bytes, start: int, letter: str) -> bool:
    _from(text, start, b"String.contains_from / Bytes.contains_from")
    return text.find(_code(letter), start) >= 0


def _order(one: Any, other: Any) -> int:
    return int(one > other) - int(one < other)


_STRING: dict[str, Any] = {
    "length": lambda text: len(text),
    "get": _at,
    "unsafe_get": _at,
    "make": _make,
    "init": _init,
    "sub": _sub(b"String.sub / Bytes.sub"),
    "concat": _concat,
    "cat": join,
    "empty": b"",
    "map": _map,
    "mapi": _mapi,
    "iter": _iter,
    "iteri": _iteri,
    "fold_left": _fold_left,
    "fold_right": _fold_right,
    "for_all": lambda f, text: all(map(unary(f), _letters(text))),
    "exists": lambda f, text: any(map(unary(f), _letters(text))),
    "trim": lambda text: text.strip(_BLANKS),
    "escaped": quoted,
    "uppercase_ascii": lambda text: _cased(text, False),
    "lowercase_ascii": lambda text: _cased(text, True),
    "capitalize_ascii": lambda text: _first_cased(text, False),
    "uncapitalize_ascii": lambda text: _first_cased(text, True),
    "split_on_char": _split,
    "contains": lambda text, letter: _code(letter) in text,
    "contains_from": _contains_from,
    "index": lambda text, letter: _place(text.find(_code(letter))),
    "index_opt": lambda text, letter: _option(text.find(_code(letter))),
    "rindex": lambda text, letter: _place(text.rfind(_code(letter))),
    "rindex_opt": lambda text, letter: _option(text.rfind(_code(letter))),
    "index_from": _index_from,
    "index_from_opt": _index_from_opt,
    "compare": _order,
    "equal": lambda one, other: one == other,
    "to_bytes": lambda text: bytearray(text),
    "of_bytes": lambda text: bytes(text),
    "get_uint8": lambda text, place: ord(_at(text, place)),
}


def _starts(prefix: bytes, text: bytes) -> bool:
    return text.startswith(prefix)


def _ends(suffix: bytes, text: bytes) -> bool:
    return text.endswith(suffix)


def _set(text: bytearray, place: int, letter: str) -> Value:
    if not 0 <= place < len(text):
        raise invalid(b"index out of bounds")
    text[place] = ord(letter)
    return ()


def _set_uint8(text: bytearray, place: int, number: int) -> Value:
    return _set(text, place, chr(number & 255))


def _create(length: int) -> bytearray:
    return bytearray(_make(length, "\0"))


def _fill(text: bytearray, start: int, length: int, letter: str) -> Value:
    if start < 0 or length < 0 or start > len(text) - length:
        raise invalid(b"String.fill / Bytes.fill")
    text[start : start + length] = _make(length, letter)
    return ()


def _blit(source: Any, start: int, target: bytearray, to: int, length: int) -> Value:
    if length < 0 or start < 0 or start > len(source) - length or to < 0 or to > len(target) - length:
        raise invalid(b"Bytes.blit" if isinstance(source, bytearray) else b"String.blit / Bytes.blit_string")
    target[to : to + length] = bytes(source[start : start + length])
    return ()


_BYTES: dict[str, Any] = {
    "create": _create,
    "make": lambda length, letter: bytearray(_make(length, letter)),
    "init": lambda length, f: bytearray(_init(length, f)),
    "empty": bytearray(),
    "of_string": lambda text: bytearray(text),
    "to_string": lambda text: bytes(text),
    "unsafe_to_string": lambda text: bytes(text),
    "unsafe_of_string": lambda text: bytearray(text),
    "copy": lambda text: bytearray(text),
    "set": _set,
    "unsafe_set": _set,
    "set_uint8": _set_uint8,
    "fill": _fill,
    "blit": _blit,
    "blit_string": _blit,
    "sub_string": lambda text, start, length: bytes(_STRING["sub"](text, start, length)),
    "cat": lambda one, other: bytearray(one + other),
    "concat": lambda between, texts: bytearray(_concat(bytes(between), texts)),
    "map": lambda f, text: bytearray(_map(f, text)),
    "mapi": lambda f, text: bytearray(_mapi(f, text)),
}
_SHARED = """
length get unsafe_get sub iter iteri fold_left fold_right for_all exists trim uppercase_ascii lowercase_ascii compare
equal index index_opt rindex rindex_opt contains get_uint8
"""
for _same in _SHARED.split():
    _BYTES[_same] = _STRING[_same]
_STRING["blit"] = _blit


class Buffer(Abstract):
    """A ``Buffer.t``."""

    __slots__ = ("text",)

    def __init__(self) -> None:
        self.text = bytearray()


def _add(buffer: Buffer, text: bytes) -> Value:
    spend(1 + (len(text) >> 4))
    buffer.text += text
    return ()


def _add_char(buffer: Buffer, letter: str) -> Value:
    spend(1)
    buffer.text.append(ord(letter))
    return ()


def _clear(buffer: Buffer) -> Value:
    buffer.text.clear()
    return ()


def _truncate(buffer: Buffer, length: int) -> Value:
    if not 0 <= length <= len(buffer.text):
        raise invalid(b"Buffer.truncate")
    del buffer.text[length:]
    return ()


def _nth(buffer: Buffer, place: int) -> str:
    if not 0 <= place < len(buffer.text):
        raise invalid(b"Buffer.nth")
    return chr(buffer.text[place])


def _buffer_sub(buffer: Buffer, start: int, length: int) -> bytes:
    if start < 0 or length < 0 or start > len(buffer.text) - length:
        raise invalid(b"Buffer.sub")
    return bytes(buffer.text[start : start + length])


_BUFFER: dict[str, Any] = {
    "create": lambda size: Buffer(),
    "add_string": _add,
    "add_bytes": _add,
    "add_char": _add_char,
    "add_buffer": lambda buffer, other: _add(buffer, bytes(other.text)),
    "contents": lambda buffer: bytes(buffer.text),
    "to_bytes": lambda buffer: bytearray(buffer.text),
    "length": lambda buffer: len(buffer.text),
    "clear": _clear,
    "reset": _clear,
    "truncate": _truncate,
    "nth": _nth,
    "sub": _buffer_sub,
}

VALUES: dict[str, Any] = {"^": join}
_STRING |= {"starts_with": Labelled(("~prefix", ""), _starts), "ends_with": Labelled(("~suffix", ""), _ends)}
VALUES |= {f"String.{name}": value for name, value in _STRING.items()}
VALUES |= {f"Bytes.{name}": value for name, value in _BYTES.items()}
VALUES |= {f"Buffer.{name}": value for name, value in _BUFFER.items()}
