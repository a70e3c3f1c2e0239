"""``python -m benchmarks.held_out`` finds draws that solve a problem of the evaluation split."""

from __future__ import annotations

import pytest

from benchmarks import held_out
from ocaml_env import load_problems
from ocaml_env.problems.generators.draft import Draft
from ocaml_env.problems.generators.family import Family


def test_no_draw_of_a_family_solves_a_held_out_problem(capsys: pytest.CaptureFixture[str]) -> None:
    assert held_out.main(["--families", "lists.ends", "--draws", "20"]) == 0
    assert "0 pass" in capsys.readouterr().out


def test_a_draw_that_solves_a_problem_under_another_name_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [asked] = (problem for problem in load_problems("bundled:eval") if problem.id == "film_minutes")
    draft = Draft(
        name="length",
        statement="",
        reference=asked.reference.replace("film_minutes", "length"),
        signature=asked.signature.replace("film_minutes", "length"),
        cases=(),
    )
    family = Family(name="films.length", topics=("lists",), description="", make=lambda chance, level: draft)
    monkeypatch.setattr(held_out, "find_families", lambda names: [family])
    monkeypatch.setattr(held_out, "solves_held_out", lambda draft: False)  # as if the families' own filter missed it
    assert held_out.main(["--draws", "3"]) == 1
    assert "films.length solves film_minutes" in capsys.readouterr().out
