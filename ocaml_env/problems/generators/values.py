"""Python values as OCaml literals: a function for each type.

An option is ``None`` or the value itself; a value of a variant is a tuple that begins with the constructor's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ocaml_env.problems.generators.chance import Unfit

__all__ = [
    "Show",
    "array",
    "atom",
    "integer",
    "letter",
    "listing",
    "option",
    "pair",
    "record",
    "text",
    "truth",
    "variant",
]

Show = Callable[[Any], str]

_LARGEST = 1 << 61


def atom(literal: str) -> str:
    """The literal as an argument of a function: in parentheses if it needs them."""
    if literal[0] in "([{\"'~":
        return literal
    return f"({literal})" if literal[0] == "-" or " " in literal else literal


def integer(value: int) -> str:
    """An integer literal. Raises ``Unfit`` for a number near the limits of ``int``."""
    if not -_LARGEST < value < _LARGEST:
        raise Unfit
    return str(value)


def truth(value: bool) -> str:
    return "true" if value else "false"


def text(value: str) -> str:
    for raw, written in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        value = value.replace(raw, written)
    return f'"{value}"'


def letter(value: str) -> str:
    return "'\\''" if value == "'" else f"'{value}'"


def listing(show: Show) -> Show:
    return lambda values: "[" + "; ".join([show(value) for value in values]) + "]"


def array(show: Show) -> Show:
    return lambda values: "[|" + "; ".join([show(value) for value in values]) + "|]"


def pair(*shows: Show) -> Show:
    """A tuple of any size."""
    return lambda values: "(" + ", ".join([show(value) for show, value in zip(shows, values, strict=True)]) + ")"


def option(show: Show) -> Show:
    return lambda value: "None" if value is None else f"Some {atom(show(value))}"


def record(fields: Sequence[tuple[str, Show]]) -> Show:
    """A record from a tuple of its fields in this order."""

    def shown(value: Sequence[Any]) -> str:
        parts = [f"{name} = {show(part)}" for (name, show), part in zip(fields, value, strict=True)]
        return "{ " + "; ".join(parts) + " }"

    return shown


def variant(constructors: Mapping[str, Sequence[Show]]) -> Show:
    """A variant, from a function for each argument of each constructor. Fill the mapping later for a recursive type."""

    def shown(value: Sequence[Any]) -> str:
        name, *arguments = value
        if not arguments:
            return str(name)
        parts = [show(part) for show, part in zip(constructors[name], arguments, strict=True)]
        return f"{name} {atom(parts[0])}" if len(parts) == 1 else f"{name} ({', '.join(parts)})"

    return shown
