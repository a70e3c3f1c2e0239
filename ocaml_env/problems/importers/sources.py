"""Reads rows from CSV, JSON Lines, JSON and Parquet files, folders of them, and data sets of a hub.

A source is read row by row, so its size does not matter. A bad row gives an error in its place.
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ocaml_env.errors import ConfigError
from ocaml_env.problems.importers.row import Reason, Refused, Row

__all__ = ["SUFFIXES", "Part", "find_parts", "holds_data_files", "is_hub_name"]

_HUB_NAME = re.compile(r"(?P<name>[\w.-]+(?:/[\w.-]+)?)(?::(?P<config>[\w.-]+))?")
_LONGEST_CELL = 1 << 26
_CHUNK = 1 << 16
_BATCH = 256


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a source, or a split of it. Its rows have one format.

    Attributes:
        name: for reports.
        rows: reads the rows anew on each call.
    """

    name: str
    rows: Iterable[Row]


def is_hub_name(source: str) -> bool:
    """True if this can be a data set of a hub, and is no file."""
    if source.startswith("hub:"):
        return True
    return _HUB_NAME.fullmatch(source) is not None and "/" in source and Path(source).suffix not in {*SUFFIXES, ".md"}


def holds_data_files(folder: Path) -> bool:
    """True if the folder has a file for an importer."""
    return any(file.suffix in SUFFIXES for file in folder.rglob("*"))


def find_parts(source: str, *, split: str | None) -> Iterator[Part]:
    """The files or splits of a source, not yet read.

    Raises:
        ConfigError: there is none, or it cannot be read here.
    """
    path = Path(source)
    if source.startswith("hub:"):
        yield from _hub(source.removeprefix("hub:"), split)
    elif os.path.isdir(source):  # unlike Path.is_dir, it takes any text for a name
        files = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
        if not files:
            raise ConfigError(f"{source!r} holds no {_kinds()} file")
        for file in files:
            name = file.relative_to(path).as_posix()
            yield Part(name, _file(file, prefix=f"{name}:"))
    elif os.path.isfile(source):
        if path.suffix not in SUFFIXES:
            raise ConfigError(f"cannot tell how to read {source!r}: give a {_kinds()} file")
        yield Part(source, _file(path, prefix=""))
    elif is_hub_name(source):
        yield from _hub(source, split)
    else:
        raise ConfigError(
            f"there is no file or folder {source!r}: give a {_kinds()} file, a folder of them, or OWNER/NAME of a hub"
        )


def _kinds() -> str:
    return f"{', '.join([*SUFFIXES][:-1])} or {[*SUFFIXES][-1]}"


# --- files ------------------------------------------------------------------------------------------------------------


def _file(path: Path, *, prefix: str) -> Iterator[Row]:
    with path.open("rb") as file:
        if file.read(2) in (b"\xff\xfe", b"\xfe\xff"):
            raise ConfigError(f"{str(path)!r} is UTF-16: save it as UTF-8")
    for number, record, failure in SUFFIXES[path.suffix](path):
        if failure is None and not isinstance(record, dict):
            failure = Refused(Reason.UNREADABLE, f"it must be an object with named fields, not {str(record)[:60]!r}")
        yield Row(
            number=f"{prefix}{number}" if prefix else number,
            origin=path.name,
            record=record if isinstance(record, dict) else None,
            failure=failure,
        )


_Read = Iterator[tuple[int, Any, Refused | None]]
"""A row's number, its value, and the reason against it if already known."""


def _jsonl(path: Path) -> _Read:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            # Bytes that are not UTF-8 become lone surrogates. ``check_text`` finds them.
            text = line.removeprefix(b"\xef\xbb\xbf" if number == 1 else b"").decode("utf-8", "surrogateescape")
            if text.strip():
                yield number, *_parsed(text)


def _parsed(text: str) -> tuple[Any, Refused | None]:
    try:
        return json.loads(text), None
    except (ValueError, RecursionError) as error:
        return None, Refused(Reason.UNREADABLE, f"it is not JSON: {error}")


def _json(path: Path) -> _Read:
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
                yield number, record, None
                number += 1
                text = text[end:]
            elif more := file.read(max(_CHUNK, len(text))):
                text += more
            elif text or inside:
                yield number, None, Refused(Reason.UNREADABLE, f"the file is not JSON from here on: {failure}")
                return
            else:
                return


def _csv(path: Path) -> _Read:
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))  # the default, for the whole process, is 128 KiB
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        number = 0
        while True:
            number += 1
            try:
                record = next(reader, None)
            except csv.Error as error:
                yield number, None, Refused(Reason.UNREADABLE, f"it is not CSV: {error}")
                continue
            if record is None:
                return
            failure = None
            if record.pop(None, None) is not None:  # DictReader puts surplus cells there
                failure = Refused(Reason.UNREADABLE, "it has more cells than the header")
            yield number, record, failure


def _parquet(path: Path) -> _Read:
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


SUFFIXES = {".csv": _csv, ".jsonl": _jsonl, ".json": _json, ".parquet": _parquet}


# --- a hub ------------------------------------------------------------------------------------------------------------


def _hub(source: str, split: str | None) -> Iterator[Part]:
    found = _HUB_NAME.fullmatch(source)
    if not found:
        raise ConfigError(f"{source!r} is no name of a data set: give OWNER/NAME or OWNER/NAME:CONFIGURATION")
    try:
        import datasets
    except ImportError:
        raise ConfigError(f"to load {source!r} from the hub: pip install ocaml-env[datasets]") from None
    try:
        loaded = datasets.load_dataset(found["name"], found["config"], split=split, streaming=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise ConfigError(f"cannot load the data set {source!r}: {error}") from None
    splits = {split: loaded} if split is not None else dict(loaded)
    for name, rows in splits.items():
        yield Part(f"{source}:{name}", _hub_rows(rows, source, str(name), prefix=f"{name}:" if len(splits) > 1 else ""))


def _hub_rows(rows: Iterable[Any], source: str, split: str, *, prefix: str) -> Iterator[Row]:
    number = 0
    try:
        for number, record in enumerate(rows, start=1):
            yield Row(
                number=f"{prefix}{number}" if prefix else number, origin=source, record=record, default_split=split
            )
    except (OSError, ValueError, RuntimeError) as error:
        raise ConfigError(f"the data set {source!r} cannot be read after row {number}: {error}") from None
