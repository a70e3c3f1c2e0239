"""Output for terminals: colours if wanted, aligned columns, code with a caret.

This module formats texts; the programs decide on their content.
"""

from __future__ import annotations

import enum
import os
import re
import shutil
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

__all__ = ["Colour", "Paint", "bar", "code_frame", "columns", "printable", "screen_width"]

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
_ESCAPE_OR_CHARACTER = re.compile(r"\x1b\[[0-9;]*m|.", re.DOTALL)
# Control characters, marks that turn the direction of writing or end a line, zero-width characters, lone surrogates.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    r"\u00ad\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\ufeff\U000e0000-\U000e007f\ud800-\udfff]"
)


class Colour(enum.StrEnum):
    """The codes of the styles in use."""

    BOLD = "1"
    DIM = "2"
    RED = "31"
    GREEN = "32"
    YELLOW = "33"
    CYAN = "36"


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours text, or leaves it unchanged.

    Attributes:
        enabled: True writes escape codes.
    """

    enabled: bool

    @classmethod
    def choose(cls, stream: TextIO, environ: Mapping[str, str] = os.environ) -> Paint:
        """Enables colours for terminals only, and never if NO_COLOR is set (https://no-color.org)."""
        return cls(stream.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb")

    def __call__(self, text: str, *colours: Colour) -> str:
        return f"\x1b[{';'.join(colours)}m{text}\x1b[0m" if self.enabled and colours and text else text


def printable(text: str) -> str:
    """Returns the text with control characters and invisible characters spelled out.

    A candidate's text must neither control the terminal that shows it, nor hide a part of itself.
    """
    if text.isascii() and text.isprintable():
        return text
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def screen_width(stream: TextIO) -> int | None:
    """The width of a terminal in characters; None for a pipe or a file, which have no width."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def bar(share: float, width: int = 30) -> str:
    """Draws a share of 1 as a bar, ``width`` characters wide."""
    full = round(share * width)
    return "█" * full + "·" * (width - full)


def columns(
    rows: Sequence[Sequence[str]], *, right: Collection[int] = (), indent: str = "", width: int | None = None
) -> list[str]:
    """Aligns cells in columns, one line for each row; colours take no width.

    Args:
        rows: rows of cells; a row may be shorter than others.
        right: the columns to align to the right, counted from 0.
        indent: the beginning of each line.
        width: longer lines are cut, and end with three dots.
    """
    widths = [max(_width(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows), default=0))]
    lines = []
    for row in rows:
        cells = [
            " " * (widths[i] - _width(cell)) + cell if i in right else cell + " " * (widths[i] - _width(cell))
            for i, cell in enumerate(row)
        ]
        lines.append(_cut((indent + "  ".join(cells)).rstrip(), width))
    return lines


def code_frame(code: str, line: int, column: int, *, width: int = 100) -> list[str]:
    """The source line with a caret under the place, like a compiler's message; empty if there is no such line.

    Args:
        code: the whole source.
        line: counted from 1.
        column: counted from 0, in UTF-8 bytes, as OCaml counts.
        width: the most characters shown of a long line, around the place.
    """
    lines = code.split("\n")
    if not 1 <= line <= len(lines):
        return []
    source = lines[line - 1].rstrip("\r")
    before = source.encode("utf-8", "surrogatepass")[: max(column, 0)].decode("utf-8", "replace")
    start = 0 if len(source) <= width else max(0, len(before) - width * 2 // 3)
    shown = printable(source[start : start + width].replace("\t", " "))
    caret = _width(printable(source[start : len(before)].replace("\t", " ")))
    gutter = f"{line:>4} | "
    return [gutter + shown, " " * (len(gutter) - 2) + "| " + " " * caret + "^"]


def _width(cell: str) -> int:
    return sum(map(_cells, _ESCAPE.sub("", cell)))


def _cells(character: str) -> int:
    """The width of a character in terminal cells: two for Chinese and most emoji, none for combining marks."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _cut(line: str, width: int | None) -> str:
    """Cuts a line to the width. Colour codes after the cut are kept, because one of them ends the colour."""
    if width is None or _width(line) <= width:
        return line
    room = width - len("...")
    kept = []
    for part in _ESCAPE_OR_CHARACTER.findall(line):
        if part[0] != "\x1b":
            room -= _cells(part)
            if room < 0:
                continue
        kept.append(part)
    return "".join(kept) + "..."
