"""Finds the parts of a source: a file, a folder of files, a data set saved, of a hub, or given as an object.

A source is read row by row, so its size does not matter. A bad row gives an error in its place.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ocaml_env.errors import ConfigError
from ocaml_env.problems.importers.data_sets import HUB_NAME, hub_parts, is_saved, object_parts, saved_parts
from ocaml_env.problems.importers.exercism import PREFIX, exercism_part
from ocaml_env.problems.importers.files import READERS
from ocaml_env.problems.importers.row import Part, Reason, Refused, Row

__all__ = ["Source", "find_parts", "is_hub_name"]

Source = str | os.PathLike[str] | Iterable[Mapping[str, Any]] | Mapping[str, Iterable[Mapping[str, Any]]]
"""A path, a name, or an object of the library ``datasets`` (or a list of dictionaries)."""


def is_hub_name(source: str) -> bool:
    """True if this can be a data set of a hub, and is no file."""
    if source.startswith("hub:"):
        return True
    return HUB_NAME.fullmatch(source) is not None and "/" in source and Path(source).suffix not in {*READERS, ".md"}


def find_parts(source: Source, *, split: str | None) -> Iterator[Part]:
    """The files or splits of a source, not yet read.

    Raises:
        ConfigError: there is none, or it cannot be read here.
    """
    if not isinstance(source, str | os.PathLike):
        yield from object_parts(source, split=split)
        return
    name = os.fspath(source)
    path = Path(name)
    if name.startswith(PREFIX):
        yield exercism_part(Path(name.removeprefix(PREFIX)))
    elif name.startswith("hub:"):
        yield from hub_parts(name.removeprefix("hub:"), split)
    elif os.path.isdir(name):  # unlike Path.is_dir, it takes any text for a name
        yield from saved_parts(path, split) if is_saved(path) else _folder(path)
    elif os.path.isfile(name):
        if path.suffix not in READERS:
            raise ConfigError(f"cannot tell how to read {name!r}: give a {_kinds()} file")
        yield Part(name, _file(path))
    elif is_hub_name(name):
        yield from hub_parts(name, split)
    else:
        raise ConfigError(
            f"there is no file or folder {name!r}: give a {_kinds()} file, a folder of them, or OWNER/NAME of a hub"
        )


def _folder(folder: Path) -> Iterator[Part]:
    files = sorted(file for file in folder.rglob("*") if file.suffix in READERS and file.is_file())
    if not files:
        raise ConfigError(f"{str(folder)!r} holds no problems: give a folder with a {_kinds()} file")
    for file in files:
        name = file.relative_to(folder).as_posix()
        yield Part(name, _file(file, prefix=f"{name}:"), one_of_many=len(files) > 1)


def _kinds() -> str:
    return f"{', '.join([*READERS][:-1])} or {[*READERS][-1]}"


def _file(path: Path, *, prefix: str = "") -> Iterator[Row]:
    with path.open("rb") as file:
        if file.read(2) in (b"\xff\xfe", b"\xfe\xff"):
            raise ConfigError(f"{str(path)!r} is UTF-16: save it as UTF-8")
    for number, record, failure in READERS[path.suffix](path):
        if failure is None and not isinstance(record, dict):
            failure = Refused(Reason.UNREADABLE, f"it must be an object with named fields, not {str(record)[:60]!r}")
        yield Row(
            number=f"{prefix}{number}" if prefix else number,
            origin=path.name,
            record=record if isinstance(record, dict) else None,
            failure=failure,
        )
