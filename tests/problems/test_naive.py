"""Tests enforce the speed and memory demanded by a statement, at the stated size: naive answers do not pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocaml_env.problems import load_problems
from ocaml_env.verdict import Outcome
from ocaml_env.verifiers.local import Verifier

ANSWERS = sorted((Path(__file__).parent / "naive").glob("*.ml"))


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
def test_a_right_but_naive_answer_fails_by_its_cost(path: Path, verifier: Verifier) -> None:
    problem = load_problems("bundled").get(path.stem.partition(".")[0])
    # It ends at the first failed test, because each further one would take its whole limit.
    [probe] = verifier.probe(problem, [path.read_text(encoding="utf-8")])
    assert not probe.passed
    # This answer also overflows, because a number is too large to be multiplied.
    assert probe.outcome in (Outcome.TIMEOUT, Outcome.MEMORY_LIMIT) or path.stem == "wheel_clicks", probe
