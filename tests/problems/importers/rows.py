"""Rows in the formats of others, and helpers to import them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ocaml_env.problem import Problem
from ocaml_env.problems.importers import Imported

__all__ = ["ADD", "ECHO", "FIRST", "SUB", "Import", "jsonl", "only", "write_csv"]

ADD = {
    "id": "add",
    "prompt": (
        "(** [add x y] is the sum.\n\n    >>> add 1 2\n    3\n    >>> add (-1) 1\n    0\n*)\n"
        "let add (x : int) (y : int) : int ="
    ),
    "tests": "let () =\n  assert (add 20 1 = 21);\n  assert (add 0 0 = 0)\n",
}
FIRST = {
    "id": "first",
    "prompt": "(** The first element, or [None].\n >>> first [1; 2]\n Some 1 *)\nlet first (l : 'a list) : 'a option =",
    "tests": 'let () = assert (first [] = None); assert (first ["a"] = Some "a")',
}
SUB = {
    "name": "HumanEval_900_sub",
    "language": "ml",
    "prompt": (
        "(**Subtract y from x.\n * >>> sub (1) (2)\n * (~1)\n * >>> sub (~3) (0)\n * (~3)\n*)\n"
        "let sub (x : int) (y : int) : int ="
    ),
    "doctests": "transform",
    "original": "HumanEval_900_sub.py",
    "prompt_terminology": "reworded",
    "tests": (
        "let assertions =\n let candidate = sub in\n"
        "  (assert ((candidate (1) (1)) = (0)));\n  (assert ((candidate (~5) (2)) = (~7)));\n  ()\n\n"
    ),
    "stop_tokens": ["\n\n", "\n(*", "\ntype", "\nlet"],
}
ECHO = {
    "question": "Print the line that you read.",
    "input_output": json.dumps({"inputs": ["a\n", "b\n"], "outputs": ["a\n", "b\n"]}),
    "difficulty": "introductory",
}


def jsonl(path: Path, rows: Iterable[object]) -> Path:
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    return path


def write_csv(path: Path, rows: list[dict[str, Any]], *, encoding: str = "utf-8") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def only(rows: list[Imported]) -> tuple[Imported, Problem]:
    [row] = rows
    assert row.problem is not None, row.error
    return row, row.problem


Import = Callable[..., list[Imported]]
