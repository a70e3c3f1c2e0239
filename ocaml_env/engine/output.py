"""Does a program's output match what is expected? Compared here, outside the sandbox."""

from __future__ import annotations

import math
import re

__all__ = ["same_output"]

# Numbers as programs print them, and not all that Python's float() reads. The quantifiers are possessive: a long word
# that is no number is refused in one pass.
_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?(?:[eE][+-]?\d++)?|\.\d++(?:[eE][+-]?\d++)?|inf|nan)", re.ASCII)

# Digits of the longest number that is compared as one.
_LONGEST = 400


def same_output(actual: bytes, expected: str, *, tolerance: float | None = None) -> bool:
    """Whether two outputs agree once trailing blanks of lines and final newlines are dropped.

    With a ``tolerance``, words that are numbers on both sides may differ by that much, absolutely or relative to the
    larger one, and blanks between words do not count. Output that is not UTF-8 matches nothing.
    """
    try:
        text = actual.decode("utf-8")
    except UnicodeDecodeError:
        return False
    left, right = _lines(text), _lines(expected)
    if tolerance is None:
        return left == right
    return len(left) == len(right) and all(
        _same_words(a.split(), b.split(), tolerance) for a, b in zip(left, right, strict=True)
    )


def _lines(text: str) -> list[str]:
    return [line.rstrip(" \t\r") for line in text.rstrip(" \t\r\n").split("\n")]


def _same_words(left: list[str], right: list[str], tolerance: float) -> bool:
    return len(left) == len(right) and all(_same_word(a, b, tolerance) for a, b in zip(left, right, strict=True))


def _same_word(left: str, right: str, tolerance: float) -> bool:
    if left == right:
        return True
    if max(len(left), len(right)) > _LONGEST or not (_NUMBER.fullmatch(right) and _NUMBER.fullmatch(left)):
        return False
    a, b = float(left), float(right)
    if math.isinf(a) or math.isinf(b):
        # Equal only as written: 1e999 is no infinity.
        return False
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
