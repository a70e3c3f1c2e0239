"""The environment card: its tables are current, and an order of levels counts as verified by learners alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.card import RESULTS, Ladder, fill, main, quick_checks, read_ladders, separated
from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.levels import Rung


def ladder(model: str, *intervals: tuple[float, float]) -> Ladder:
    rungs = [
        Rung(level=level, problems=80, rate=(low + high) / 2, low=low, high=high)
        for level, (low, high) in enumerate(intervals, start=1)
    ]
    return Ladder(name="run", model=model, problems=80, rungs=tuple(rungs))


def test_the_tables_of_the_card_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0, capsys.readouterr().out


def test_a_learner_verifies_an_order_if_the_intervals_do_not_touch() -> None:
    found = separated([ladder("hf:model", (0.5, 0.7), (0.2, 0.4), (0.1, 0.3))])
    assert [pair for pair, names in found.items() if names] == [(1, 2)]
    assert len(found) == 5
    touching = separated([ladder("hf:model", (0.4, 0.7), (0.2, 0.4))])
    assert not any(touching.values())


@pytest.mark.parametrize("model", ["agent:reference", "agent:stub", "completions:independent.jsonl"])
def test_who_learns_nothing_verifies_no_order(model: str) -> None:
    assert not any(separated([ladder(model, (0.5, 0.7), (0.2, 0.4))]).values())


def test_a_table_goes_between_its_lines_and_nowhere_else() -> None:
    page = "before\n<!-- one -->\nold\n<!-- /one -->\nafter\n"
    new = "before\n<!-- one -->\nnew\n<!-- /one -->\nafter\n"
    assert fill(page, {"one": lambda: iter(["new"])}) == new
    for places in ("", page + page):
        with pytest.raises(ConfigError, match="<!-- one -->"):
            fill(places, {"one": lambda: iter(["new"])})


def test_quick_agrees_with_the_whole_for_every_kept_run() -> None:
    checks = quick_checks(RESULTS)
    assert {"reference", "tiny", "independent"} <= {check.name for check in checks}
    assert [check for check in checks if not check.inside] == []


def test_a_folder_without_evaluations_has_no_ladder(tmp_path: Path) -> None:
    assert read_ladders(tmp_path) == []
