"""The tables for a terminal and as Markdown."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from ocaml_env.display.terminal import Colour, Paint, columns, printable
from ocaml_env.evaluation.leaderboard.cells import Column, columns_of
from ocaml_env.evaluation.leaderboard.runs import Run, Table

__all__ = ["NOTE", "link_to", "markdown", "show"]

NOTE = (
    "Ranked by pass@1, or by the benchmark's mean of it over levels, with 95% intervals over problems; runs whose "
    "intervals overlap may not differ: `ocaml-env compare` tells. †: more than 2% of the answers were cut off."
)
_LONGEST_MODEL = 32
_SAMPLES = ("report.html", "samples.jsonl", "completions.jsonl")  # the best first
_MARKUP = re.compile(r"([\\`*_\[\]|~#!])")


def show(tables: Sequence[Table], paint: Paint, *, width: int | None = None) -> str:
    """Formats the tables for a terminal. If a table is too wide, its lightest columns are left out, and named."""
    lines = []
    for table in tables:
        title = paint(printable(str(table.suite)), Colour.BOLD)
        lines += [*columns([[title]], width=width), *_shown(table, paint, width), ""]
    return "\n".join(lines)


def markdown(tables: Sequence[Table], folder: Path) -> str:
    """Formats the tables as Markdown for a file in ``folder``, with links to the samples of each run."""
    if not tables:
        return "No evaluations are kept yet.\n"
    return "\n".join(line for table in tables for line in _markdown(table, folder))


def link_to(run: Run, folder: Path) -> str:
    """Returns the address of a run's samples, relative to ``folder``: its report, or a file; "" if it has none."""
    for name in _SAMPLES:
        file = run.path / name
        if file.is_file():
            return quote(Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix())
    return ""


def _shown(table: Table, paint: Paint, width: int | None) -> Iterator[str]:
    kept, left_out = columns_of(table), []
    while True:
        rows = list(_rows(table, kept, paint))
        lines = columns(rows, right=_right(kept), indent="  ", width=width)
        if len(kept) <= 2 or lines == columns(rows, right=_right(kept), indent="  "):
            break
        lightest = min(kept, key=lambda column: column.weight)
        kept.remove(lightest)
        left_out.append(lightest.title)
    yield from lines
    if left_out:
        yield from columns([[paint(f"no room for: {', '.join(left_out)}", Colour.DIM)]], indent="  ", width=width)


def _rows(table: Table, kept: Sequence[Column], paint: Paint) -> Iterator[list[str]]:
    yield [paint(column.title, Colour.DIM) for column in kept]
    for run in table.runs:
        cells = [(column.title, printable(column.cell(run))) for column in kept]
        yield [_cut(cell) if title == "model" else cell for title, cell in cells]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_MODEL else text[: _LONGEST_MODEL - 1] + "…"


def _right(kept: Sequence[Column]) -> set[int]:
    return {place for place, column in enumerate(kept) if not column.words}


def _markdown(table: Table, folder: Path) -> Iterator[str]:
    kept = columns_of(table)
    yield from (f"**{_plain(str(table.suite))}**", "")
    yield _line([column.title for column in kept])
    yield _line(["---" if column.words else "---:" for column in kept])
    for run in table.runs:
        linked = _linked(link_to(run, folder))
        yield _line([(linked if column.title == "model" else str)(_plain(column.cell(run))) for column in kept])
    yield ""


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _linked(address: str) -> Callable[[str], str]:
    return lambda text: f"[{text}]({address})" if address else text


def _plain(text: str) -> str:
    """Escapes text for a cell of Markdown."""
    text = " ".join(printable(text).split())
    return _MARKUP.sub(r"\\\1", escape(text, quote=False))
