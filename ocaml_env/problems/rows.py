"""Reads the rows of a user's set one after another. A bad row leaves the others, and says what is wrong with it.

``Tally`` counts them: how many were kept, and why the others fell.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ocaml_env.errors import ProblemError
from ocaml_env.problem import Problem
from ocaml_env.problems.format import read_problem

if TYPE_CHECKING:
    from ocaml_env.problems.importers import Imported
    from ocaml_env.problems.importers.sources import Source
    from ocaml_env.verifiers.base import AnyVerifier  # it imports the engine, which Markdown does not need

__all__ = ["Row", "Tally", "markdown_files", "read_rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a set, or one Markdown file.

    Attributes:
        id: the problem's id, or what could be read of it.
        place: the number of the row, or the file.
        problem: None if the row makes no problem.
        error: the reason for that, with the place.
        reason: the kind of error.
        notes: repairs and omissions.
        file: the Markdown file.
    """

    id: str
    place: str
    problem: Problem | None = None
    error: str = ""
    reason: str | None = None
    notes: tuple[str, ...] = ()
    file: Path | None = None


def read_rows(
    source: Source,
    *,
    columns: Mapping[str, str] | None = None,
    mend: bool = True,
    verifier: AnyVerifier | None = None,
) -> Iterator[Row]:
    """Reads a Markdown file, a folder of them, or any source of ``importers.import_problems``, with its arguments.

    A verifier that cannot parse OCaml, such as a service, is not used.

    Raises:
        ConfigError: if the source does not exist or its form is unknown.
        OSError: if it cannot be read.
    """
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        if path.suffix == ".md" and not path.is_dir():
            yield _file(path)
            return
        if os.path.isdir(source) and (files := markdown_files(path)):
            yield from _unique(map(_file, files))
            return
    from ocaml_env.problems.importers import import_problems  # late imports: they import the engine
    from ocaml_env.verifiers.base import AuthoringVerifier

    author = verifier if isinstance(verifier, AuthoringVerifier) else None
    for row in import_problems(source, columns=columns, mend=mend, verifier=author):
        yield Row(
            id=row.id,
            place=str(row.row),
            problem=row.problem,
            error=row.error,
            reason=row.reason,
            notes=row.notes,
        )


def markdown_files(folder: Path) -> list[Path]:
    """The files of the problems in a folder, at any depth, sorted."""
    return sorted(file for file in folder.rglob("*.md") if file.name != "README.md")


@dataclass(slots=True)
class Tally:
    """Counts rows.

    Attributes:
        kept: rows that made a problem.
        fallen: the others, by cause: their number, and the message of the first one.
    """

    kept: int = 0
    fallen: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add(self, row: Row | Imported) -> None:
        """Counts a row."""
        if row.problem is not None:
            self.kept += 1
        else:
            self.leave_out(str(row.reason), row.error)

    def leave_out(self, cause: str, message: str) -> None:
        """Counts a row that fell."""
        count, example = self.fallen.get(cause, (0, message))
        self.fallen[cause] = count + 1, example

    @property
    def causes(self) -> list[tuple[str, int, str]]:
        """Each cause with its number of rows and the message of the first one, the most common cause first."""
        return sorted(((cause, *told) for cause, told in self.fallen.items()), key=lambda cause: -cause[1])

    @property
    def rows(self) -> int:
        return self.kept + sum(count for count, _ in self.fallen.values())

    def __str__(self) -> str:
        """The counts as a sentence, the most common cause first."""
        why = "; ".join(f"{count} {cause}, as in {example}" for cause, count, example in self.causes)
        return f"kept {self.kept} of {self.rows} rows" + (f"; left out: {why}" if why else "")


def _file(path: Path) -> Row:
    try:
        problem = read_problem(path)
        return Row(id=problem.id, place=path.name, problem=problem, file=path)
    except ProblemError as error:
        return Row(id=error.problem_id or path.name, place=path.name, error=str(error), reason=_NO_PROBLEM, file=path)


_NO_PROBLEM, _DUPLICATE = "not a valid problem", "duplicate id"  # in the words of ``importers.Reason``


def _unique(rows: Iterator[Row]) -> Iterator[Row]:
    """Refuses a second file with the same id."""
    first: dict[str, Row] = {}
    for row in rows:
        if row.problem is None or first.setdefault(row.id, row) is row:
            yield row
        else:
            error = f"{row.file}: two problems have the id {row.id!r}: {first[row.id].file} has it, too"
            yield Row(id=row.id, place=row.place, error=error, reason=_DUPLICATE, file=row.file)
