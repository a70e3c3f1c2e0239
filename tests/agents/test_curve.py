"""The curve of a run: its windows, its bars, and the README's picture of the kept run."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from agents.curve import Window, main, shown, windows
from agents.demo import REAL_RUN
from agents.health.files import read_run
from agents.health.records import Record

ROOT = Path(__file__).parents[2]


def _step(number: int, passed: int, mistyped: int) -> Record:
    return Record(
        step=number, outcomes={"PASSED": passed, "TYPE_ERROR": mistyped, "TEST_FAILURE": 8 - passed - mistyped}
    )


def test_each_answer_counts_in_one_window() -> None:
    records = [_step(number, passed=number % 5, mistyped=2) for number in range(1, 26)]
    found = windows([Record(step=0), *records], steps=10)
    assert [(window.first, window.last) for window in found] == [(1, 10), (11, 25)]
    assert [window.answers for window in found] == [80, 120]
    assert sum(window.passed * window.answers for window in found) == sum(number % 5 for number in range(1, 26))
    assert {window.typechecked for window in found} == {0.75}


def test_bars_show_both_shares() -> None:
    found = [Window(1, 10, 80, 0.5, 0.1), Window(11, 20, 80, 1.0, 0.6)]
    assert shown(found).splitlines() == [
        "  steps 1 to 10   ███···························  10% passed,  50% typechecked",
        "  steps 11 to 20  ██████████████████············  60% passed, 100% typechecked",
    ]


def test_the_kept_run_rises() -> None:
    first, *_, last = windows(read_run(REAL_RUN).records)
    assert last.passed > first.passed + 0.15
    assert last.typechecked > first.typechecked + 0.15


def test_the_picture_of_the_kept_run_is_current(tmp_path: Path) -> None:
    kept = ROOT / "docs" / "images" / "climb.svg"
    title = ElementTree.parse(kept).getroot().get("aria-label")
    assert main([str(REAL_RUN), "--svg", str(tmp_path / "drawn.svg"), "--title", str(title)]) == 0
    assert kept.read_text(encoding="utf-8") == (tmp_path / "drawn.svg").read_text(encoding="utf-8")
    assert "url(" not in kept.read_text(encoding="utf-8")  # it requests nothing


def test_a_run_without_outcomes_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "metrics.jsonl").write_text('{"step": 1, "reward": 0.5}\n')
    with pytest.raises(SystemExit) as refused:
        main([str(tmp_path)])
    assert refused.value.code == 2
    assert "no logging step counts the outcomes" in capsys.readouterr().err
