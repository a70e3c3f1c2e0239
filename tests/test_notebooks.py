"""The notebooks run from top to bottom, and print what is kept in them.

``python -m tests.test_notebooks [FILE]`` runs them and writes what they print into them. Each is JSON with cells of
plain Python, so no Jupyter is needed: one process runs the cells in order. Figures of a training depend on the
machine's arithmetic: cells with the tag ``nbval-ignore-output`` (as in nbval) run, and may print something else.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples" / "notebooks").glob("*.ipynb"))
CELL = "\x1e"  # separates the outputs of cells
_VARIES = "nbval-ignore-output"
_VERSION = re.compile(r"OCaml \d\.\d+")
RUN = f"""
import json, sys
names = {{"__name__": "__main__"}}
for source in json.load(sys.stdin):
    exec(compile(source, "<cell>", "exec"), names)
    print({CELL!r}, end="", flush=True)
"""


def read(path: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def outputs(path: Path, folder: Path) -> list[str]:
    """Runs a notebook in a folder, and returns what each cell prints."""
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps(["".join(cell["source"]) for cell in code_cells(read(path))]),
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(path.parents[2]), "COLUMNS": "100"},
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(CELL)[:-1]


def kept(cell: dict[str, Any]) -> str:
    return "".join(line for output in cell["outputs"] for line in output["text"])


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 5


@pytest.mark.usefixtures("verifier")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_is_kept_in_it(path: Path, tmp_path: Path) -> None:
    printed, cells = outputs(path, tmp_path), code_cells(read(path))
    for text, cell in zip(printed, cells, strict=True):
        if _VARIES not in cell["metadata"].get("tags", ()):
            # A prompt names the OCaml version of the machine.
            assert _VERSION.sub("OCaml", text) == _VERSION.sub("OCaml", kept(cell))


def main() -> None:
    for path in NOTEBOOKS if len(sys.argv) < 2 else map(Path, sys.argv[1:]):
        notebook = read(path)
        with tempfile.TemporaryDirectory() as folder:
            printed = outputs(path, Path(folder))
        for cell, text in zip(code_cells(notebook), printed, strict=True):
            stream = {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
            cell["outputs"] = [stream] if text else []
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
