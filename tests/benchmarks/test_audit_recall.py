"""The audit finds every planted defect of a hundred rows, and invents none."""

from __future__ import annotations

import json
import random
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.audit_recall import KINDS, compare, plant, rows_of
from ocaml_env import load_problems
from ocaml_env.audit.audit import audit
from ocaml_env.audit.rows import read_rows
from ocaml_env.audit.rules import Rules
from ocaml_env.verifiers.local import Verifier


def test_every_planted_defect_is_found_and_none_invented(
    tmp_path: Path, verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ocaml_env.audit.limits._PATIENT_TEST", 1.0)  # one of the damaged solutions never ends
    rows = list(islice(rows_of(load_problems("bundled:train?level=1-4")), 100))
    others = list(islice(rows_of(load_problems("bundled:eval?level=3-4")), 20))
    rows, planted = plant(rows, 0.5, random.Random(7), others)
    assert set(planted.values()) == KINDS.keys()
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "others.jsonl").write_text("".join(json.dumps(row) + "\n" for row in others))
    against = [("others", row.problem) for row in read_rows(str(tmp_path / "others.jsonl"), verifier=verifier)]
    found = audit(
        str(path),
        read_rows(str(path), verifier=verifier),
        verifier=verifier,
        mutants=False,
        rules=Rules(size="large"),
        against=[(name, problem) for name, problem in against if problem is not None],
    )
    hits, missed, invented = compare(found, planted)
    assert (missed, invented) == ([], [])
    assert hits.keys() == KINDS.keys()
