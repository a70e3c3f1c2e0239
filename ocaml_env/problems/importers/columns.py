"""The columns of a row by other names, and columns that several formats share."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from ocaml_env.errors import ConfigError
from ocaml_env.problem.record import nearest
from ocaml_env.problems.importers.row import Column, Format, Record

__all__ = ["ANSWER", "COMMON", "IDS", "STATEMENT", "check_columns", "renamed", "unrecognised"]

STATEMENT = ("prompt", "problem", "statement", "question", "description")
IDS = ("id", "task_id", "problem_id", "question_id", "name")
ANSWER = ("solution", "reference")
COMMON = (
    Column(("difficulty",), "the difficulty in the set's own words"),
    Column(("topics", "tags"), "a list, or names with commas"),
    Column(("split",), "train or eval; also test, validation, ..."),
)


def check_columns(columns: Mapping[str, str], formats: Iterable[Format]) -> None:
    """Checks the names on the left of ``--columns``.

    Raises:
        ConfigError: no format has such a column.
    """
    known = sorted({name for form in formats for column in form.columns for name in column.names})
    for name in columns:
        if name not in known:
            raise ConfigError(f"--columns: no format has a column {name!r}{nearest(name, known)}")


def renamed(record: Record, columns: Mapping[str, str]) -> Record:
    """The row with its columns under the names of a format: ``columns`` maps these to those of the set."""
    given = {ours: record[theirs] for ours, theirs in columns.items() if theirs in record}
    rest = {name: value for name, value in record.items() if name not in columns.values()}
    return rest | given


def unrecognised(source: str, names: Iterable[object], formats: Iterable[Format]) -> str:
    """The message about a set of unknown format: the format that lacks least, and the columns that may be meant."""
    given = sorted(map(str, names))
    form = min(reversed([*formats]), key=lambda form: len(_missing(form, given)))  # of equals, the one that needs least
    parts = [f"cannot tell the format of {source!r}: its columns are {', '.join(given) or 'none'}"]
    parts += [f"{form.name} needs {_or(column.names)}{_meant(column, given)}" for column in _missing(form, given)]
    if len(parts) == 1:
        parts.append(f"{form.name} has such columns, but with other content: {form.about}")
    return f"{'; '.join(parts)}. `ocaml-env import --help` lists all formats"


def _missing(form: Format, given: Iterable[str]) -> list[Column]:
    return [column for column in form.columns if column.needed and not set(column.names) & set(given)]


def _meant(column: Column, given: list[str]) -> str:
    close = next(iter(difflib.get_close_matches(column.names[0], given, n=1)), None)
    return f" (if {close!r} is meant: --columns {column.names[0]}={close})" if close else ""


def _or(names: tuple[str, ...]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
