"""Reads rows from CSV, JSON Lines, JSON and Parquet files, one after another: their size does not matter.

A bad row gives an error in its place, and the others are read.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ocaml_env.errors import ConfigError
from ocaml_env.problems.importers.row import Reason, Refused

__all__ = ["READERS", "Records"]

_LONGEST_CELL = 1 << 26
_CHUNK = 1 << 16
_BATCH = 256
_ESCAPED = re.compile("[\udc80-\udcff]")

Records = Iterator[tuple[int, Any, Refused | None]]
"""A row's number, its value, and the reason against it if already known."""


def _jsonl(path: Path) -> Records:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            text = line.removeprefix(b"\xef\xbb\xbf" if number == 1 else b"").decode("utf-8", "surrogateescape")
            if text.strip():
                record, failure = _parsed(text)
                yield number, record, failure or _undecoded(text)


def _parsed(text: str) -> tuple[Any, Refused | None]:
    try:
        return json.loads(text), None
    except (ValueError, RecursionError) as error:
        return None, Refused(Reason.UNREADABLE, f"it is not JSON: {error}")


def _undecoded(text: str) -> Refused | None:
    """The reason against a text with bytes that are not UTF-8. They were read as lone surrogates."""
    return None if text.isascii() or not _ESCAPED.search(text) else Refused(Reason.BAD_TEXT, "it is not UTF-8 text")


def _json(path: Path) -> Records:
    """The items of one array, or objects one after another; holds one of them at a time."""
    decoder = json.JSONDecoder()
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        text = file.read(_CHUNK).lstrip()
        inside = text.startswith("[")
        text = text[1:] if inside else text
        number = 1
        while True:
            text = text.lstrip(" \t\r\n,")
            try:
                if not text:
                    raise ValueError("it is cut off")
                record, end = decoder.raw_decode(text)
                # A number may go on in the next chunk.
                complete = end < len(text) or text[-1] in '}]"'
            except (ValueError, RecursionError) as error:
                if inside and text.startswith("]"):
                    if rest := (text[1:] + file.read()).strip():
                        why = f"something follows the end of the array: {rest[:40]!r}"
                        yield number, None, Refused(Reason.UNREADABLE, why)
                    return
                complete, failure = False, error
            if complete:
                yield number, record, _undecoded(text[:end])
                number += 1
                text = text[end:]
            elif more := file.read(max(_CHUNK, len(text))):
                text += more
            elif text or inside:
                yield number, None, Refused(Reason.UNREADABLE, f"the file is not JSON from here on: {failure}")
                return
            else:
                return


def _csv(path: Path) -> Records:
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))  # the default, for the whole process, is 128 KiB
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        lines = _Lines(file)
        first = next(file, "")
        delimiter = next((mark for mark in ",;\t|" if mark in first), ",")
        header = next(csv.reader([first], delimiter=delimiter), [])
        if repeated := [name for name, count in Counter(header).items() if count > 1]:
            raise ConfigError(f"{str(path)!r} has two columns {repeated[0]!r}")
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        number = 0
        while True:
            number += 1
            lines.mark()
            try:
                cells = next(reader, None)
                while cells == []:  # an empty line
                    lines.mark()
                    cells = next(reader, None)
            except csv.Error as error:
                why = "a quote is never closed" if "end of data" in str(error) else error
                yield number, None, Refused(Reason.UNREADABLE, f"it is not CSV: {why}")
                lines.rewind()
                reader = csv.reader(lines, delimiter=delimiter, strict=True)
                continue
            if cells is None:
                return
            failure = None
            if len(cells) > len(header):
                failure = Refused(Reason.UNREADABLE, f"it has {len(cells)} cells, more cells than the header")
            yield number, dict(zip(header, cells, strict=False)), failure


class _Lines:
    """The lines of a file. After a row that is no CSV, reading goes on at the line after the first one of the row."""

    def __init__(self, file: Iterable[str]) -> None:
        self._file = iter(file)
        self._again: deque[str] = deque()
        self._row: list[str] = []

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._file)
        self._row.append(line)
        return line

    def mark(self) -> None:
        self._row.clear()

    def rewind(self) -> None:
        self._again.extendleft(reversed(self._row[1:]))


def _parquet(path: Path) -> Records:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ConfigError(f"to read {path.name!r}: pip install ocaml-env[datasets]") from None
    try:
        file = pyarrow.parquet.ParquetFile(path)
    except (pyarrow.ArrowException, OSError) as error:
        raise ConfigError(f"{str(path)!r} is not a Parquet file: {error}") from None
    number = 0
    with file:
        for batch in file.iter_batches(batch_size=_BATCH):
            for index in range(len(batch)):
                number += 1
                try:
                    yield number, batch.slice(index, 1).to_pylist()[0], None
                except UnicodeDecodeError:
                    yield number, None, Refused(Reason.BAD_TEXT, "it is not UTF-8 text")


READERS = {".csv": _csv, ".jsonl": _jsonl, ".json": _json, ".parquet": _parquet}
