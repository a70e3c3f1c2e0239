"""Pieces of statements, and of OCaml files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["a", "bullets", "count", "module", "numbered", "ordinal", "paragraphs", "series"]

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def a(name: str) -> str:
    """A name from OCaml with its article."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} `{name}`"


def paragraphs(*parts: str) -> str:
    return "\n\n".join([part for part in parts if part])


def numbered(items: Iterable[str]) -> str:
    """A numbered list, each item a sentence."""
    return "\n".join([f"{number}. {item}" for number, item in enumerate(items, start=1)])


def bullets(items: Iterable[str]) -> str:
    return "\n".join([f"- {item}" for item in items])


def series(items: Sequence[str], word: str = "and") -> str:
    """``a, b and c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {word} {items[-1]}"


def ordinal(number: int) -> str:
    """``third`` for 3."""
    return _ORDINALS[number - 1]


def count(number: int, noun: str) -> str:
    """``three steps`` for 3; an English plural in s."""
    return f"{_NUMBERS[number] if number <= 10 else number} {noun}{'' if number == 1 else 's'}"


def module(*parts: Iterable[str] | str) -> str:
    """An OCaml file of these definitions, in order, none of them twice."""
    lines: dict[str, None] = {}
    for part in parts:
        for item in (part,) if isinstance(part, str) else part:
            if item:
                lines[item.strip("\n")] = None
    return "\n\n".join(lines)
