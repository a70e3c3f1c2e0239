"""Reads the rows of a set, one after another: a bad row does not affect the others."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ocaml_env.audit.mutation import read_equivalents
from ocaml_env.errors import ProblemError
from ocaml_env.problem import Problem
from ocaml_env.problems.format import read_problem
from ocaml_env.problems.load import bundled_files, load_problems
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["Row", "read_rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a set.

    Attributes:
        name: the problem's id, or the place of the row.
        problem: None if the row makes no problem.
        error: the reason for that.
        equivalent: its equivalent mutants: reasons by key.
        notes: repairs and omissions when it was read.
    """

    name: str
    problem: Problem | None = None
    error: str = ""
    equivalent: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def read_rows(source: str, *, verifier: AuthoringVerifier, limit: int | None = None) -> Iterator[Row]:
    """Reads the rows of any source for loading or importing.

    Raises:
        ConfigError: if ``source`` does not exist or has no readable form.
        OSError: if it cannot be read.
    """
    for number, row in enumerate(_rows(source, verifier)):
        if limit is not None and number >= limit:
            return
        yield row


def _rows(source: str, verifier: AuthoringVerifier) -> Iterator[Row]:
    if source == "bundled" or source.startswith("bundled:"):
        split = source.partition(":")[2] or None
        wanted = {problem.id for problem in load_problems(source)} if split else None
        for path in bundled_files():
            row = _file(path)
            if wanted is None or row.name in wanted:
                yield row
    elif os.path.isdir(source) and (files := sorted(Path(source).rglob("*.md"))):
        yield from (_file(path) for path in files if path.name != "README.md")
    elif source.endswith(".md"):
        yield _file(Path(source))
    elif source.startswith("generated:"):
        yield from (Row(name=problem.id, problem=problem) for problem in load_problems(source))
    else:
        yield from _imported(source, verifier)


def _file(path: Path) -> Row:
    try:
        problem = read_problem(path)
        return Row(name=problem.id, problem=problem, equivalent=read_equivalents(path))
    except ProblemError as error:
        return Row(name=path.name, error=str(error))


def _imported(source: str, verifier: AuthoringVerifier) -> Iterator[Row]:
    from ocaml_env.problems.importers import import_problems

    for row in import_problems(source, verifier=verifier):
        name = row.problem.id if row.problem is not None else f"row {row.row}"
        yield Row(name=name, problem=row.problem, error=row.error, notes=row.notes)
