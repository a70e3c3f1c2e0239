"""The leaderboard as one self-contained HTML page, without a script; it links to the reports of the runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ocaml_env.display.markup import plain
from ocaml_env.display.page import document
from ocaml_env.evaluation.leaderboard.cells import columns_of
from ocaml_env.evaluation.leaderboard.plot import STYLE, plot
from ocaml_env.evaluation.leaderboard.runs import Table
from ocaml_env.evaluation.leaderboard.text import NOTE, link_to

__all__ = ["page"]

_STYLE = f"{STYLE}.wide td {{ white-space: nowrap; }} .wide table a {{ color: var(--bar); }}"


def page(tables: Sequence[Table], folder: Path) -> str:
    """Renders the whole page, for a file in ``folder``."""
    return "\n".join(document("Leaderboard", _body(tables, folder), style=_STYLE)) + "\n"


def _body(tables: Sequence[Table], folder: Path) -> Iterator[str]:
    yield f'<h1>Leaderboard</h1><p class="dim">{plain(NOTE)}</p>'
    if not tables:
        yield "<p>No evaluations are kept yet.</p>"
    for table in tables:
        yield f"<h2>{plain(str(table.suite))}</h2>"
        yield f'<div class="ranks">{plot(table.runs, [link_to(run, folder) for run in table.runs])}</div>'
        yield from _table(table, folder)


def _table(table: Table, folder: Path) -> Iterator[str]:
    kept = columns_of(table)
    head = "".join(f"<th{'' if column.words else ' class=n'}>{plain(column.title)}</th>" for column in kept)
    yield f'<div class="wide"><table><tr>{head}</tr>'
    for run in table.runs:
        address = link_to(run, folder)
        cells = []
        for column in kept:
            text = plain(column.cell(run))
            if column.title == "model" and address:
                text = f'<a href="{plain(address)}">{text}</a>'
            cells.append(f"<td{'' if column.words else ' class=n'}>{text}</td>")
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</table></div>"
