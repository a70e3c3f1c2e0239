"""Imports rows: finds the format, converts with all workers at once, and keeps the order.

Only a few rows are held at a time. Of a finished row, only the id is remembered.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial

from ocaml_env.display.progress import Bar
from ocaml_env.errors import ConfigError
from ocaml_env.problem.record import nearest
from ocaml_env.problems.importers.assertions import ASSERTIONS
from ocaml_env.problems.importers.columns import check_columns, renamed, unrecognised
from ocaml_env.problems.importers.exercism import EXERCISM
from ocaml_env.problems.importers.multipl_e import MULTIPL_E
from ocaml_env.problems.importers.own_records import OWN_RECORDS
from ocaml_env.problems.importers.row import Format, Imported, Part, Reason, Record, Refused, Row
from ocaml_env.problems.importers.sources import Source, find_parts
from ocaml_env.problems.importers.stdin_stdout import STDIN_STDOUT
from ocaml_env.verifiers.base import AuthoringVerifier
from ocaml_env.verifiers.local import Verifier

__all__ = ["FORMATS", "KNOWN_FORMATS", "import_problems"]

KNOWN_FORMATS = (OWN_RECORDS, STDIN_STDOUT, EXERCISM, MULTIPL_E, ASSERTIONS)  # the first match is used
_FORMATS = {form.name: form for form in KNOWN_FORMATS}

FORMATS = ("auto", *_FORMATS)
"""The formats accepted by ``import_problems``."""

_PEEKED = 50  # rows to look at for the format: the first ones may be bad
_IN_HAND = 4  # rows a worker


def import_problems(
    source: Source,
    *,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    mend: bool = True,
    verifier: AuthoringVerifier | None = None,
    split: str | None = None,
    limit: int | None = None,
    progress: bool = False,
) -> Generator[Imported, None, None]:
    """Reads a set of problems in any known format, and reports on each row in order.

    Args:
        source: a ``.csv``, ``.jsonl``, ``.json`` or ``.parquet`` file, a folder of them or one of ``save_to_disk``; a
            data set of the hub: ``OWNER/NAME`` or ``hub:OWNER/NAME``, with ``:CONFIGURATION`` after it if it has
            several; a ``datasets.Dataset``, a ``DatasetDict``, or a list of dictionaries.
        format: one of ``FORMATS``; ``auto`` looks at the first rows.
        columns: names of columns in formats, each with its name in this set, as ``{"prompt": "problem"}``.
        mend: True reads numbers written ``~1`` as ``-1``, and marks such problems in ``source``; False refuses them.
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
    check_columns(columns or {}, KNOWN_FORMATS)
    return _import(source, _Reading(_FORMATS.get(format), columns or {}, mend), verifier, split, limit, progress)


@dataclass(frozen=True, slots=True)
class _Reading:
    """The choices of a caller: a format (None looks for it), names of columns, and the reading of ``~1``."""

    form: Format | None
    columns: Mapping[str, str]
    mend: bool


def _import(
    source: Source,
    reading: _Reading,
    verifier: AuthoringVerifier | None,
    split: str | None,
    limit: int | None,
    progress: bool,
) -> Generator[Imported, None, None]:
    parts = find_parts(source, split=split)
    rows: Iterable[tuple[Row, Format | None]] = itertools.chain.from_iterable(_of_part(part, reading) for part in parts)
    if split is not None:
        rows = (pair for pair in rows if _is_of_split(pair[0], split))
    seen: dict[str, int | str] = {}
    with ExitStack() as stack:
        if verifier is None:
            # No candidate is run, so no sandbox is needed.
            verifier = stack.enter_context(Verifier(sandbox="best-effort", cache_size=0))
        done: Iterable[Imported] = _in_order(itertools.islice(rows, limit), verifier, reading.mend)
        if progress:
            done = stack.enter_context(Bar("importing", None, "rows", passing=True)).track(done)
        for imported in done:
            yield _unique(imported, seen)


# --- formats ----------------------------------------------------------------------------------------------------------


def _of_part(part: Part, reading: _Reading) -> Iterator[tuple[Row, Format | None]]:
    """Each row of a part with its format. A part that cannot be read is one bad row if there are others."""
    try:
        yield from _with_format(part, reading)
    except ConfigError as error:
        if not part.one_of_many:
            raise
        yield Row(number=part.name, origin=part.name, failure=Refused(Reason.UNREADABLE, str(error))), None


def _with_format(part: Part, reading: _Reading) -> Iterator[tuple[Row, Format | None]]:
    """Each row of a part with its format; None only for unreadable rows."""
    rows = iter(part.rows)
    held = list(itertools.islice(rows, _PEEKED))
    records = [row.record for row in held if row.record is not None]
    for theirs in reading.columns.values():
        if records and not any(theirs in record for record in records):
            names = [str(name) for name in records[0]]
            raise ConfigError(f"--columns: {part.name!r} has no column {theirs!r}{nearest(theirs, names)}")
    records = [renamed(record, reading.columns) for record in records]
    form = reading.form or next(filter(None, map(_recognise, records)), None)
    if form is None and records:
        raise ConfigError(unrecognised(part.name, records[0], KNOWN_FORMATS))
    for row in itertools.chain(held, rows):
        yield row if row.record is None else replace(row, record=renamed(row.record, reading.columns)), form


def _recognise(record: Record) -> Format | None:
    """The format of a row; None if unknown."""
    return next((form for form in KNOWN_FORMATS if form.recognises(record)), None)


def _is_of_split(row: Row, split: str) -> bool:
    return row.record is None or (row.record.get("split") or row.default_split) == split


# --- rows -------------------------------------------------------------------------------------------------------------


def _in_order(rows: Iterable[tuple[Row, Format | None]], verifier: AuthoringVerifier, mend: bool) -> Iterator[Imported]:
    """Converts rows with as many threads as the verifier has workers, holding a bounded number of rows."""
    threads = ThreadPoolExecutor(max_workers=verifier.workers)
    under_way: deque[Future[Imported]] = deque()
    try:
        for row, form in rows:
            under_way.append(threads.submit(_convert, row, form, verifier, mend))
            if len(under_way) >= _IN_HAND * verifier.workers:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        threads.shutdown(wait=True, cancel_futures=True)


def _convert(row: Row, form: Format | None, verifier: AuthoringVerifier, mend: bool) -> Imported:
    told = partial(Imported, row=row.number, id=_id(row), raw=row.record)
    try:
        if row.failure is not None:
            raise row.failure
        if form is None or row.record is None:
            raise Refused(Reason.UNREADABLE, "it cannot be read")
        made = form.convert(row, verifier)
        if made.repaired and not mend:
            raise Refused(
                Reason.TILDE, f"it has {made.repaired} numbers written ~1, as in Standard ML: mend reads them as -1"
            )
    except Refused as refused:
        return told(error=f"{_place(row.number, _id(row))}: {refused}", reason=refused.reason)
    problem, notes = made.problem, made.notes
    if made.repaired:
        problem = replace(problem, source=f"{problem.source} (with ~1 read as -1)")
        notes = (*notes, f"numbers written ~1 and read as -1: {made.repaired}")
    return told(id=problem.id, problem=problem, notes=notes, repaired=made.repaired, stop_tokens=made.stop_tokens)


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
