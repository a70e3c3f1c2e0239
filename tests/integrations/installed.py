"""The integrations and their libraries.

An integration has the name of its library. If the library is not installed, its tests are skipped; but they fail if
``OCAML_ENV_INTEGRATIONS`` names it, as ``make test-integrations`` does in each of its environments.
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
    """Skips a test, or a module of tests, if the library is not installed.

    If ``OCAML_ENV_INTEGRATIONS`` names the library, or the extra that installs it, the test fails instead.
    """
    if importlib.util.find_spec(library) is not None:
        return
    if (extra or library) in os.environ.get("OCAML_ENV_INTEGRATIONS", "").split():
        pytest.fail(f"{library} must be installed here")
    pytest.skip(f"{library} is not installed: `make test-integrations` tests it", allow_module_level=True)


def example(library: str) -> str:
    """Returns the example in an integration's docstring: its first indented block."""
    docstring = ast.get_docstring(ast.parse((INTEGRATIONS / f"{library}.py").read_text(encoding="utf-8"))) or ""
    lines = docstring.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("    "))
    block = takewhile(lambda line: not line or line.startswith("    "), lines[first:])
    return textwrap.dedent("\n".join(block)).strip() + "\n"
