"""The examples of ``make demo``: each ends as its name says, and only right answers pass."""

from __future__ import annotations

from pathlib import Path

import pytest

import ocaml_env.problems
from benchmarks.tour import PLAYS, Played, measure_rate, play
from ocaml_env.verdict import Outcome

BUNDLED = Path(ocaml_env.problems.__file__).parent / "bundled"


@pytest.fixture(scope="module")
def played(verifier: object) -> dict[str, Played]:
    return {example.kind: example for example in play()}


def test_the_demo_shows_nearly_every_outcome(played: dict[str, Played]) -> None:
    # COMPILE_ERROR and OUTPUT_LIMIT are missing, because few completions end so.
    shown = {example.outcome for example in played.values()}
    assert shown == {str(outcome) for outcome in Outcome} - {"COMPILE_ERROR", "OUTPUT_LIMIT"}


def test_right_answers_earn_1_and_nothing_else_passes(played: dict[str, Played]) -> None:
    for kind, example in played.items():
        assert (example.outcome == "PASSED") == kind.startswith("right")
        assert (example.reward == 1) == kind.startswith("right")


def test_no_cheat_earns_more_than_code_that_passes_no_hidden_test(played: dict[str, Played]) -> None:
    cheats = [example for example in played.values() if example.kind.startswith("cheat")]
    assert len(cheats) >= 4
    assert all(example.reward <= 0.35 for example in cheats)


def test_every_example_has_its_own_kind() -> None:
    assert len({example.kind for example in PLAYS}) == len(PLAYS)


@pytest.mark.usefixtures("verifier")
def test_a_rate_is_measured_on_references_that_pass() -> None:
    assert measure_rate(seconds=0, workers=1, source=str(BUNDLED / "gadts")) > 0
