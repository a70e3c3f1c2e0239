"""The leaderboard as one self-contained HTML page; it links to the samples of the runs.

A script of its own sorts the tables, and filters them by track and level.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ocaml_env.display.markup import plain
from ocaml_env.display.page import document
from ocaml_env.evaluation.leaderboard.cells import Column, columns_of
from ocaml_env.evaluation.leaderboard.plot import STYLE, plot
from ocaml_env.evaluation.leaderboard.runs import Table
from ocaml_env.evaluation.leaderboard.text import NOTE, link_to

__all__ = ["page"]

_SCRIPT = Path(__file__).with_name("page.js").read_text(encoding="utf-8")
_STYLE = f"""{STYLE}
.filters label {{ min-width: 0; max-width: 100%; }}
.wide td {{ white-space: nowrap; }} .wide table a {{ color: var(--bar); }}
th button {{ all: unset; cursor: pointer; font-weight: 600; }}
th button:focus-visible {{ outline: 2px solid var(--bar); }}
th[aria-sort=ascending] button::after {{ content: " ▲"; }} th[aria-sort=descending] button::after {{ content: " ▼"; }}
"""


def page(tables: Sequence[Table], folder: Path) -> str:
    """Renders the whole page, for a file in ``folder``."""
    script = _SCRIPT if tables else ""
    return "\n".join(document("Leaderboard", _body(tables, folder), style=_STYLE, script=script)) + "\n"


def _body(tables: Sequence[Table], folder: Path) -> Iterator[str]:
    yield f'<h1>Leaderboard</h1><p class="dim">{plain(NOTE)}</p>'
    if not tables:
        yield "<p>No evaluations are kept yet.</p>"
        return
    levels = sorted({level for table in tables for run in table.runs for level in run.levels})
    yield '<div class="filters">'
    yield _choice("track", "all tracks", dict.fromkeys(table.suite.name for table in tables))
    yield _choice("level", "all levels", [str(level) for level in levels])
    yield "</div>"
    for table in tables:
        yield f'<section data-track="{plain(table.suite.name)}"><h2>{plain(str(table.suite))}</h2>'
        yield f'<div class="ranks">{plot(table.runs, [link_to(run, folder) for run in table.runs])}</div>'
        yield from _table(table, folder)
        yield "</section>"


def _choice(name: str, every: str, values: Iterable[str]) -> str:
    options = "".join(f'<option value="{plain(value)}">{plain(value)}</option>' for value in values)
    return f'<label>{name} <select id="{name}"><option value="">{every}</option>{options}</select></label>'


def _table(table: Table, folder: Path) -> Iterator[str]:
    kept = columns_of(table)
    head = "".join(f"<th{_attributes(column)}><button>{plain(column.title)}</button></th>" for column in kept)
    yield f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>'
    for run in table.runs:
        address = link_to(run, folder)
        cells = []
        for column in kept:
            text = plain(column.cell(run))
            if column.title == "model" and address:
                text = f'<a href="{plain(address)}">{text}</a>'
            cells.append(f"<td{_attributes(column)}>{text}</td>")
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"


def _attributes(column: Column) -> str:
    level = "" if column.level is None else f' data-level="{column.level}"'
    return f"{'' if column.words else ' class=n'}{level}"
