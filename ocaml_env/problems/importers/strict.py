"""Foreign sets for ``load_problems``: every row must be a problem."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

from ocaml_env.errors import ProblemError
from ocaml_env.problem import Problem
from ocaml_env.problems.importers.importing import import_problems, recognise
from ocaml_env.problems.importers.own_records import OWN_RECORDS

__all__ = ["import_strictly", "is_foreign_jsonl"]

_PEEKED = 50


def import_strictly(source: str) -> list[Problem]:
    """All problems of a set.

    Raises:
        ConfigError: as for ``import_problems``.
        ProblemError: a row gives no problem; tells the first such row, and their number.
    """
    problems: list[Problem] = []
    first, bad = None, 0
    for imported in import_problems(source):
        if imported.problem is not None:
            problems.append(imported.problem)
        else:
            first, bad = first or imported, bad + 1
    if first is not None:
        raise ProblemError(
            f"{source}: {first.error} ({bad} of {bad + len(problems)} rows are bad: `ocaml-env audit {source}` shows "
            "them all, `ocaml-env import` writes the good ones)",
            problem_id=first.id or None,
        )
    return problems


def is_foreign_jsonl(path: Path) -> bool:
    """True if the first recognised row follows a foreign format."""
    with path.open("rb") as file:
        for line in islice(file, _PEEKED):
            try:
                record = json.loads(line.decode("utf-8-sig"))
            except (ValueError, RecursionError):
                continue
            form = recognise(record) if isinstance(record, dict) else None
            if form is not None:
                return form is not OWN_RECORDS
    return False
