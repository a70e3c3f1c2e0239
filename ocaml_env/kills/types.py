"""OCaml types in small signatures: reads them from text, and compares them."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Type", "is_instance", "parameters", "read_type", "result", "types_of_values"]

_VALUE = re.compile(r"^val (\w+) :\s*(.*?)(?=^\S|\Z)", re.DOTALL | re.MULTILINE)

_TOKEN = re.compile(r"->|[()*,]|'?[A-Za-z_][\w.']*")


class Type(NamedTuple):
    """A type: the name of a constructor and its parts. Names are also ``*`` (tuple), ``->`` (function), ``'a``
    (variable).
    """

    name: str
    parts: tuple[Type, ...] = ()


def read_type(text: str) -> Type:
    """Reads a type.

    Raises:
        ValueError: the text is not a type, or has labels, objects or polymorphic variants.
    """
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != re.sub(r"\s", "", text):
        raise ValueError(f"not a type that is known here: {text!r}")
    found = _arrow(tokens)
    if tokens:
        raise ValueError(f"not a type: {text!r}")
    return found


def types_of_values(signature: str) -> dict[str, Type | None]:
    """The values of a signature with their types; None for an unknown type."""
    found: dict[str, Type | None] = {}
    for name, text in _VALUE.findall(signature):
        try:
            found[name] = read_type(text)
        except ValueError:
            found[name] = None
    return found


def parameters(kind: Type) -> tuple[Type, ...]:
    """The types of a function's parameters; none for other types."""
    return (kind.parts[0], *parameters(kind.parts[1])) if kind.name == "->" else ()


def result(kind: Type) -> Type:
    """The result type of a function after all its arguments; for other types, the type itself."""
    return result(kind.parts[1]) if kind.name == "->" else kind


def is_instance(kind: Type, general: Type, known: dict[str, Type] | None = None) -> bool:
    """True if ``kind`` is ``general`` with its variables replaced by types."""
    known = {} if known is None else known
    if general.name.startswith("'"):
        return known.setdefault(general.name, kind) == kind
    return (
        kind.name == general.name
        and len(kind.parts) == len(general.parts)
        and all(is_instance(a, b, known) for a, b in zip(kind.parts, general.parts, strict=True))
    )


def _arrow(tokens: list[str]) -> Type:
    left = _product(tokens)
    if tokens[:1] == ["->"]:
        del tokens[0]
        return Type("->", (left, _arrow(tokens)))
    return left


def _product(tokens: list[str]) -> Type:
    parts = [_applied(tokens)]
    while tokens[:1] == ["*"]:
        del tokens[0]
        parts.append(_applied(tokens))
    return parts[0] if len(parts) == 1 else Type("*", tuple(parts))


def _applied(tokens: list[str]) -> Type:
    if not tokens:
        raise ValueError("a type ends too early")
    first = tokens.pop(0)
    if first == "(":
        parts = [_arrow(tokens)]
        while tokens[:1] == [","]:
            del tokens[0]
            parts.append(_arrow(tokens))
        if tokens[:1] != [")"]:
            raise ValueError("a parenthesis of a type is not closed")
        del tokens[0]
        found = parts[0] if len(parts) == 1 else Type(tokens.pop(0), tuple(parts))
    else:
        found = Type(first)
    while tokens and re.match(r"[A-Za-z_]", tokens[0]):
        found = Type(tokens.pop(0), (found,))
    return found
