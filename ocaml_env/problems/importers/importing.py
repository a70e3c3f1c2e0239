"""Imports rows: finds the format, converts with all workers at once, and keeps the order.

Only a few rows are held at a time. Of a finished row, only the id is remembered.
"""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial

from tqdm import tqdm

from ocaml_env.errors import ConfigError
from ocaml_env.problem.record import nearest
from ocaml_env.problems.importers.assertions import ASSERTIONS
from ocaml_env.problems.importers.multipl_e import MULTIPL_E
from ocaml_env.problems.importers.own_records import OWN_RECORDS
from ocaml_env.problems.importers.row import Format, Imported, Reason, Record, Refused, Row
from ocaml_env.problems.importers.sources import Part, find_parts
from ocaml_env.problems.importers.stdin_stdout import STDIN_STDOUT
from ocaml_env.verifiers.base import AuthoringVerifier
from ocaml_env.verifiers.local import Verifier

__all__ = ["FORMATS", "import_problems", "recognise"]

_FORMATS = {form.name: form for form in (OWN_RECORDS, STDIN_STDOUT, MULTIPL_E, ASSERTIONS)}  # the first match is used

FORMATS = ("auto", *_FORMATS)
"""The formats accepted by ``import_problems``."""

_PEEKED = 50  # rows to look at for the format: the first ones may be bad
_IN_HAND = 4  # rows a worker


def import_problems(
    source: str | os.PathLike[str],
    *,
    format: str = "auto",
    verifier: AuthoringVerifier | None = None,
    split: str | None = None,
    limit: int | None = None,
    progress: bool = False,
) -> Generator[Imported, None, None]:
    """Reads a set of problems in any known format, and reports on each row in order.

    Args:
        source: a ``.csv``, ``.jsonl``, ``.json`` or ``.parquet`` file, a folder of them, or a data set of the hub:
            ``OWNER/NAME`` or ``hub:OWNER/NAME``, with ``:CONFIGURATION`` after it if it has several.
        format: one of ``FORMATS``; ``auto`` looks at the first rows.
        verifier: parses the OCaml in the rows; by default one for this set alone.
        split: rows of this split only: of the hub, or by the column ``split``.
        limit: rows to read at most.
        progress: show a bar on standard error.

    Raises:
        ConfigError: at once for an unusable argument; at the first row if the source does not exist, its format is not
            recognised, or an extra is missing.
    """
    if format not in FORMATS:
        raise ConfigError(f"there is no format {format!r}{nearest(format, FORMATS)}")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise ConfigError(f"limit must be None or a whole number from 1, not {limit!r}")
    return _import(os.fspath(source), _FORMATS.get(format), verifier, split, limit, progress)


def recognise(record: Record) -> Format | None:
    """The format of a row; None if unknown."""
    return next((form for form in _FORMATS.values() if form.recognises(record)), None)


def _import(
    source: str,
    form: Format | None,
    verifier: AuthoringVerifier | None,
    split: str | None,
    limit: int | None,
    progress: bool,
) -> Generator[Imported, None, None]:
    parts = find_parts(source, split=split)
    rows: Iterable[tuple[Row, Format | None]] = itertools.chain.from_iterable(
        _with_format(part, form) for part in parts
    )
    if split is not None:
        rows = (pair for pair in rows if _is_of_split(pair[0], split))
    seen: dict[str, int | str] = {}
    with ExitStack() as stack:
        if verifier is None:
            # No candidate is run, so no sandbox is needed.
            verifier = stack.enter_context(Verifier(sandbox="best-effort", cache_size=0))
        done: Iterable[Imported] = _in_order(itertools.islice(rows, limit), verifier)
        if progress:
            done = stack.enter_context(tqdm(done, unit="row"))
        for imported in done:
            yield _unique(imported, seen)


# --- formats ----------------------------------------------------------------------------------------------------------


def _with_format(part: Part, form: Format | None) -> Iterator[tuple[Row, Format | None]]:
    """Each row of a part with its format; None only for unreadable rows."""
    rows = iter(part.rows)
    held: list[Row] = []
    while form is None and len(held) < _PEEKED and (row := next(rows, None)):
        held.append(row)
        form = recognise(row.record) if row.record is not None else None
    readable = [row.record for row in held if row.record is not None]
    if form is None and readable:
        raise ConfigError(_unrecognised(part.name, readable[0]))
    for row in itertools.chain(held, rows):
        yield row, form


def _unrecognised(name: str, record: Record) -> str:
    needed = "; ".join(f"{form.name}: {form.needs}" for form in _FORMATS.values())
    return f"cannot tell the format of {name!r}: its columns are {', '.join(map(str, record))}; needed are ({needed})"


def _is_of_split(row: Row, split: str) -> bool:
    return row.record is None or (row.record.get("split") or row.default_split) == split


# --- rows -------------------------------------------------------------------------------------------------------------


def _in_order(rows: Iterable[tuple[Row, Format | None]], verifier: AuthoringVerifier) -> Iterator[Imported]:
    """Converts rows with as many threads as the verifier has workers, holding a bounded number of rows."""
    threads = ThreadPoolExecutor(max_workers=verifier.workers)
    under_way: deque[Future[Imported]] = deque()
    try:
        for row, form in rows:
            under_way.append(threads.submit(_convert, row, form, verifier))
            if len(under_way) >= _IN_HAND * verifier.workers:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        threads.shutdown(wait=True, cancel_futures=True)


def _convert(row: Row, form: Format | None, verifier: AuthoringVerifier) -> Imported:
    told = partial(Imported, row=row.number, id=_id(row), raw=row.record)
    try:
        if row.failure is not None:
            raise row.failure
        if form is None or row.record is None:
            raise Refused(Reason.UNREADABLE, "it cannot be read")
        made = form.convert(row, verifier)
    except Refused as refused:
        return told(error=f"{_place(row.number, _id(row))}: {refused}", reason=refused.reason)
    return told(
        id=made.problem.id,
        problem=made.problem,
        notes=made.notes,
        repaired=made.repaired,
        stop_tokens=made.stop_tokens,
    )


def _id(row: Row) -> str:
    record = row.record or {}
    given = next((record[name] for name in ("id", "name", "task_id", "problem_id") if record.get(name)), "")
    return str(given)[:200]


def _place(number: int | str, problem_id: str) -> str:
    return f"row {number}" + (f", id {problem_id!r}" if problem_id else "")


def _unique(imported: Imported, seen: dict[str, int | str]) -> Imported:
    """Refuses a second problem with the same id."""
    if imported.problem is None:
        return imported
    first = seen.setdefault(imported.id, imported.row)
    if first == imported.row:
        return imported
    return Imported(
        row=imported.row,
        id=imported.id,
        error=f"{_place(imported.row, imported.id)}: row {first} has the same id",
        reason=Reason.DUPLICATE,
        raw=imported.raw,
    )
