"""Fixtures of the tests of importers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ocaml_env.problems.importers import Imported, import_problems
from ocaml_env.verifiers.local import Verifier
from tests.problems.importers.rows import Import, jsonl


@pytest.fixture
def imported(tmp_path: Path, verifier: Verifier) -> Import:
    """Returns a function that writes rows to a JSONL file and imports them."""

    def do(*rows: object, **options: Any) -> list[Imported]:
        path = jsonl(tmp_path / "rows.jsonl", rows)
        return list(import_problems(path, verifier=verifier, **options))

    return do
