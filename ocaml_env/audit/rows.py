"""Reads the rows of a set, one after another: a bad row does not affect the others."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from ocaml_env.audit.mutation import read_equivalents
from ocaml_env.problem import Problem
from ocaml_env.problems import rows
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


def read_rows(
    source: str,
    *,
    verifier: AuthoringVerifier,
    limit: int | None = None,
    columns: Mapping[str, str] | None = None,
) -> Iterator[Row]:
    """Reads the rows of any source for loading or importing; ``columns`` are as for ``load_problems``.

    Raises:
        ConfigError: if ``source`` does not exist or has no readable form.
        OSError: if it cannot be read.
    """
    return islice(_rows(source, verifier, columns), limit)


def _rows(source: str, verifier: AuthoringVerifier, columns: Mapping[str, str] | None) -> Iterator[Row]:
    if source == "bundled" or source.startswith("bundled:"):
        wanted = load_problems(source).by_id if ":" in source else None
        found = (row for path in bundled_files() for row in rows.read_rows(path))
        yield from (_row(row) for row in found if wanted is None or row.id in wanted)
    elif source.startswith("generated:") or ("?" in source and not os.path.exists(source)):
        yield from (Row(name=problem.id, problem=problem) for problem in load_problems(source, skip_bad=True))
    else:
        yield from map(_row, rows.read_rows(source, columns=columns, verifier=verifier))


def _row(row: rows.Row) -> Row:
    name = row.id if row.problem is not None else row.place if row.file is not None else f"row {row.place}"
    equivalent = read_equivalents(row.file) if row.file is not None and row.problem is not None else {}
    return Row(name=name, problem=row.problem, error=row.error, equivalent=equivalent, notes=row.notes)
