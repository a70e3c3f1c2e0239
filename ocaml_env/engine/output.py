"""Compares a program's output with the expected one, outside the sandbox."""

from __future__ import annotations

import itertools
import math
import re

__all__ = ["first_difference", "same_output"]

# Numbers as programs print them; Python's float() reads more forms. The quantifiers are possessive, so a long word that
# is no number is refused in one pass.
_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?(?:[eE][+-]?\d++)?|\.\d++(?:[eE][+-]?\d++)?|inf|nan)", re.ASCII)

# Characters of the longest word compared as a number.
_LONGEST = 400

# Characters shown of a differing line, and how many of them before the difference.
_SHOWN = 120
_SHOWN_BEFORE = 40


def same_output(actual: bytes, expected: str, *, tolerance: float | None = None) -> bool:
    """Returns True if two outputs agree, apart from trailing blanks of lines and final newlines.

    With a ``tolerance``, two words that are both numbers may differ by that much, absolutely or relative to the larger
    one, and blanks between words do not count. Output that is not UTF-8 matches nothing.
    """
    try:
        text = actual.decode("utf-8")
    except UnicodeDecodeError:
        return False
    left, right = _lines(text), _lines(expected)
    return len(left) == len(right) and all(_same_line(a, b, tolerance) for a, b in zip(left, right, strict=True))


def first_difference(actual: bytes, expected: str, *, tolerance: float | None = None) -> str:
    """The first differing line of two unequal outputs, from both sides, each cut to a bounded length."""
    left, right = _lines(actual.decode("utf-8", "replace")), _lines(expected)
    for number, (a, b) in enumerate(itertools.zip_longest(left, right), start=1):
        if a is None or b is None or not _same_line(a, b, tolerance):
            start = max(0, _shared(a or "", b or "") - _SHOWN_BEFORE)
            return f"line {number}: expected {_shown(b, start)}, got {_shown(a, start)}"
    return "what was printed is not UTF-8"


def _shared(a: str, b: str) -> int:
    """The length of the common beginning."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _shown(line: str | None, start: int) -> str:
    if line is None:
        return "no more lines"
    if not line:
        return "an empty line"
    part = line[start : start + _SHOWN]
    return f"`{'...' if start else ''}{part}{'...' if start + _SHOWN < len(line) else ''}`"


def _lines(text: str) -> list[str]:
    return [line.rstrip(" \t\r") for line in text.rstrip(" \t\r\n").split("\n")]


def _same_line(left: str, right: str, tolerance: float | None) -> bool:
    return left == right or (tolerance is not None and _same_words(left.split(), right.split(), tolerance))


def _same_words(left: list[str], right: list[str], tolerance: float) -> bool:
    return len(left) == len(right) and all(_same_word(a, b, tolerance) for a, b in zip(left, right, strict=True))


def _same_word(left: str, right: str, tolerance: float) -> bool:
    if left == right:
        return True
    if max(len(left), len(right)) > _LONGEST or not (_NUMBER.fullmatch(right) and _NUMBER.fullmatch(left)):
        return False
    a, b = float(left), float(right)
    if math.isinf(a) or math.isinf(b):
        # Equal only if written alike: 1e999 is not infinity.
        return False
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
