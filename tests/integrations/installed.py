"""Which integrations are there to be tested.

An integration is named like its library. Where the library is not installed its tests are skipped; where
``OCAML_ENV_INTEGRATIONS`` names it, as ``make test-integrations`` does for each of its environments, they fail.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import textwrap
from itertools import takewhile
from pathlib import Path

import pytest

__all__ = ["INTEGRATIONS", "LIBRARIES", "ROOT", "example", "need"]

ROOT = Path(__file__).parents[2]
INTEGRATIONS = ROOT / "ocaml_env" / "integrations"

LIBRARIES = tuple(sorted(path.stem for path in INTEGRATIONS.glob("*.py") if path.stem not in ("__init__", "common")))


def need(library: str, *, extra: str = "") -> None:
    """Skips a test, or a module of tests, where the library is not installed, or fails it where it must be: where
    its name, or that of the extra that brings it, is among those to be tested.
    """
    if importlib.util.find_spec(library) is not None:
        return
    if (extra or library) in os.environ.get("OCAML_ENV_INTEGRATIONS", "").split():
        pytest.fail(f"{library} must be installed here")
    pytest.skip(f"{library} is not installed: `make test-integrations` tests it", allow_module_level=True)


def example(library: str) -> str:
    """The code in the docstring of an integration: its first indented block."""
    docstring = ast.get_docstring(ast.parse((INTEGRATIONS / f"{library}.py").read_text(encoding="utf-8"))) or ""
    lines = docstring.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("    "))
    block = takewhile(lambda line: not line or line.startswith("    "), lines[first:])
    return textwrap.dedent("\n".join(block)).strip() + "\n"
