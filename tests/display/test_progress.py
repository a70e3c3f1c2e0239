"""Lines of progress without a terminal."""

from __future__ import annotations

import time

import pytest

from ocaml_env.display import progress
from ocaml_env.display.progress import Bar


def lines(capfd: pytest.CaptureFixture[str]) -> list[str]:
    """Returns the printed lines without the times."""
    return [line.partition(" gone")[0].rpartition(", ")[0] for line in capfd.readouterr().err.splitlines() if line]


def test_the_first_and_the_last_step_have_a_line_with_share_and_figures(capfd: pytest.CaptureFixture[str]) -> None:
    with Bar("training", 40, "steps") as bar:
        for step in range(1, 41):
            bar.at(step, f"loss {1 / step:.3f}")
    assert lines(capfd) == ["training: 1 of 40 steps (2%), loss 1.000", "training: 40 of 40 steps (100%), loss 0.025"]


def test_lines_between_need_enough_time_and_enough_progress(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_EVERY_S", 0.0)
    monkeypatch.setattr(progress, "_EVERY_SHARE", 0.25)
    with Bar("training", 40, "steps", initial=10) as bar:
        for step in range(11, 41):
            bar.at(step)
    assert [line.split()[1] for line in lines(capfd)] == ["11", "21", "31", "40"]


def test_the_remaining_time_assumes_the_pace_of_this_process(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter([100.0, 130.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds))
    with Bar("training", 40, "steps", initial=20) as bar:
        bar.at(22)
    assert "training: 22 of 40 steps (55%), 00:30 gone, about 04:30 left" in capfd.readouterr().err


def test_a_quick_passing_or_hidden_bar_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    for options in ({"passing": True}, {"hidden": True}):
        with Bar("evaluating", 2, "samples", **options) as bar:
            bar.at(1)
            bar.at(2)
    assert lines(capfd) == []


def test_without_a_total_a_line_has_the_number_and_the_time(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_EVERY_S", 0.0)
    with Bar("auditing", None, "problems", passing=True) as bar:
        assert list(bar.track("ab")) == ["a", "b"]
    assert capfd.readouterr().err == "auditing: 1 problems, 00:00 gone\nauditing: 2 problems, 00:00 gone\n"
