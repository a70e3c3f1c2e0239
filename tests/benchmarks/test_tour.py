"""What ``make demo`` plays: every kind of completion ends as its name says, and nothing but a right answer passes."""

from __future__ import annotations

import pytest

from benchmarks.tour import PLAYS, Played, measure_rate, play
from ocaml_env.verdict import Outcome


@pytest.fixture(scope="module")
def played(verifier: object) -> dict[str, Played]:
    return {one.kind: one for one in play()}


def test_the_demo_shows_nearly_every_outcome(played: dict[str, Played]) -> None:
    # COMPILE_ERROR and OUTPUT_LIMIT are left out: few completions end so.
    shown = {one.outcome for one in played.values()}
    assert shown == {str(outcome) for outcome in Outcome} - {"COMPILE_ERROR", "OUTPUT_LIMIT"}


def test_right_answers_earn_1_and_nothing_else_passes(played: dict[str, Played]) -> None:
    for kind, one in played.items():
        assert (one.outcome == "PASSED") == kind.startswith("right")
        assert (one.reward == 1) == kind.startswith("right")


def test_no_cheat_earns_more_than_code_that_passes_no_hidden_test(played: dict[str, Played]) -> None:
    cheats = [one for one in played.values() if one.kind.startswith("cheat")]
    assert len(cheats) >= 4
    assert all(one.reward <= 0.35 for one in cheats)


def test_every_play_has_a_kind_of_its_own() -> None:
    assert len({one.kind for one in PLAYS}) == len(PLAYS)


@pytest.mark.usefixtures("verifier")
def test_a_rate_is_measured_on_references_that_pass() -> None:
    assert measure_rate(seconds=0, workers=1) > 0
