"""Reads rows from data sets of the library ``datasets``: of a hub, saved to a folder, or given as objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ocaml_env.errors import ConfigError
from ocaml_env.problems.importers.row import Part, Reason, Refused, Row

__all__ = ["HUB_NAME", "hub_parts", "is_saved", "object_parts", "saved_parts"]

HUB_NAME = re.compile(r"(?P<name>[\w.-]+(?:/[\w.-]+)?)(?::(?P<config>[\w.-]+))?")
"""The name of a data set on a hub, with its configuration."""


def is_saved(folder: Path) -> bool:
    """True for a folder of ``save_to_disk``."""
    return (folder / "dataset_dict.json").is_file() or (
        (folder / "state.json").is_file() and (folder / "dataset_info.json").is_file()
    )


def object_parts(given: Any, *, split: str | None, name: str = "the data set") -> Iterator[Part]:
    """The splits of a ``Dataset``, an ``IterableDataset``, a ``DatasetDict``, or a list of dictionaries.

    Raises:
        ConfigError: it has no such split.
    """
    splits = dict(given) if isinstance(given, Mapping) else {str(getattr(given, "split", None) or ""): given}
    if split is not None and isinstance(given, Mapping):
        if split not in splits:
            raise ConfigError(f"{name} has no split {split!r}: it has {', '.join(map(str, splits))}")
        splits = {split: splits[split]}
    for part, rows in splits.items():
        prefix = f"{part}:" if len(splits) > 1 else ""
        yield Part(prefix.removesuffix(":") or name, _rows(rows, name, str(part), prefix=prefix))


def saved_parts(folder: Path, split: str | None) -> Iterator[Part]:
    """The splits of a folder of ``save_to_disk``.

    Raises:
        ConfigError: it cannot be read, or has no such split.
    """
    try:
        import datasets
    except ImportError:
        raise ConfigError(f"to read {str(folder)!r}: pip install ocaml-env[datasets]") from None
    try:
        loaded = datasets.load_from_disk(str(folder))
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise ConfigError(f"cannot read the data set in {str(folder)!r}: {error}") from None
    yield from object_parts(loaded, split=split, name=folder.name)


def hub_parts(source: str, split: str | None) -> Iterator[Part]:
    """The splits of a data set of a hub.

    Raises:
        ConfigError: it cannot be loaded.
    """
    found = HUB_NAME.fullmatch(source)
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
        yield Part(f"{source}:{name}", _rows(rows, source, str(name), prefix=f"{name}:" if len(splits) > 1 else ""))


def _rows(rows: Iterable[Any], source: str, split: str, *, prefix: str) -> Iterator[Row]:
    number = 0
    try:
        for number, record in enumerate(rows, start=1):
            is_row = isinstance(record, Mapping)
            yield Row(
                number=f"{prefix}{number}" if prefix else number,
                origin=source,
                record=record if is_row else None,
                failure=None if is_row else Refused(Reason.UNREADABLE, f"it has no named fields: {str(record)[:60]!r}"),
                default_split=split,
            )
    except (OSError, ValueError, RuntimeError) as error:
        raise ConfigError(f"the data set {source!r} cannot be read after row {number}: {error}") from None
