"""What the tests of importers share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ocaml_env.problems.importers import Imported, import_problems
from ocaml_env.verifiers.local import Verifier
from tests.problems.importers.rows import Import, jsonl


@pytest.fixture
def imported(tmp_path: Path, verifier: Verifier) -> Import:
    """Imports rows that are written to a JSONL file."""

    def do(*rows: object, **options: Any) -> list[Imported]:
        path = jsonl(tmp_path / "rows.jsonl", rows)
        return list(import_problems(path, verifier=verifier, **options))

    return do
