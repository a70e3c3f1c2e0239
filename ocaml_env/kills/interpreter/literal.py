"""Writes values as OCaml literals."""

from __future__ import annotations

import math

from ocaml_env.kills.interpreter.data import CONS, Constant, Record, Shape, Tag, Value, elements
from ocaml_env.kills.interpreter.errors import Unsupported
from ocaml_env.kills.interpreter.library.strings import quoted

__all__ = ["atom", "literal"]

_MOST = 20_000  # parts; a value with shared parts may be larger than memory


def literal(value: Value, most: int = _MOST) -> str:
    """The value as an OCaml expression; it needs no parentheses on the right of ``=``.

    Raises:
        Unsupported: the value has no literal: a function, an abstract value, or a value of more than ``most`` parts,
            such as a list that is its own tail.
    """
    return _written(value, [most])


def _written(value: Value, left: list[int]) -> str:
    left[0] -= 1
    if left[0] < 0:
        raise Unsupported("a literal of too many parts")
    kind = type(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return "min_int" if value == -(1 << 62) else "max_int" if value == (1 << 62) - 1 else str(value)
    if kind is float:
        return _float(value)
    if kind is bytes:
        return f'"{quoted(value).decode("latin-1")}"'
    if kind is bytearray:
        return f'Bytes.of_string "{quoted(bytes(value)).decode("latin-1")}"'
    if kind is str:
        return _char(value)
    if kind is Constant:
        return str(value.name)
    if kind is tuple:
        return _tuple(value, left)
    if kind is Record:
        return _record(value[0], value[1:], left)
    if kind is list:
        return "[|" + "; ".join(_written(part, left) for part in value) + "|]"
    raise Unsupported(f"a literal of {kind.__name__}")


def atom(text: str) -> str:
    """The literal as an argument: in parentheses if it needs them."""
    first = text[:1]
    if first in "([{\"'" or text.replace("_", "").replace(".", "").isalnum():
        return text
    return f"({text})"


def _tuple(value: tuple[Value, ...], left: list[int]) -> str:
    if not value:
        return "()"
    first = value[0]
    if first is CONS:
        return "[" + "; ".join(_written(part, left) for part in elements(value)) + "]"
    if type(first) is not Tag:
        return "(" + ", ".join(_written(part, left) for part in value) + ")"
    if first.shape is not None:
        return f"{first.name} {_written(value[1], left)}"
    if len(value) == 2:
        return f"{first.name} {atom(_written(value[1], left))}"
    return f"{first.name} ({', '.join(_written(part, left) for part in value[1:])})"


def _record(shape: Shape, values: list[Value], left: list[int]) -> str:
    fields = (f"{name} = {_written(value, left)}" for name, value in zip(shape.names, values, strict=True))
    return "{ " + "; ".join(fields) + " }"


def _float(number: float) -> str:
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "infinity" if number > 0 else "neg_infinity"
    text = repr(number)
    return text.removesuffix("0") if text.endswith(".0") else text if "." in text or "e" in text else text + "."


def _char(letter: str) -> str:
    if letter == "'":
        return "'\\''"
    if letter == '"':
        return "'\"'"
    return f"'{quoted(letter.encode('latin-1')).decode('latin-1')}'"
