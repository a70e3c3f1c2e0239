"""The seed's own judgement of its run is reproduced, for six lines of its log and for the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.health import Decision, Status, diagnose, find_profile, read_run
from agents.health.diagnosis import State
from agents.health.measure import Side
from agents.health.rule import Level
from agents.health.wording import schedule

RUN = read_run(Path(__file__).parent / "seed.log")
SEED = find_profile("seed")

OK, WARN, RED = Level.HEALTHY, Level.WARNING, Level.CRITICAL


@pytest.mark.parametrize(
    ("rule", "levels"),
    [
        ("loss", [OK] * 6),
        ("gradient", [OK] * 6),
        ("learning-rate", [WARN] * 6),
        ("low-reward", [RED] * 6),
        ("high-variance", [RED] * 6),
        ("mode-collapse", [OK, OK, RED, RED, RED, RED]),
        ("unstable-entropy", [OK, WARN, OK, WARN, OK, OK]),
    ],
)
def test_each_line_is_judged_as_the_seed_judged_it(rule: str, levels: list[Level]) -> None:
    assert [reading.level for reading in SEED.rule(rule).levels(RUN.records)] == levels


def test_entropy_is_low_on_the_second_and_the_fourth_line_and_nowhere_high() -> None:
    readings = SEED.rule("unstable-entropy").levels(RUN.records)
    assert [reading.side for reading in readings] == [
        Side.INSIDE,
        Side.LOW,
        Side.INSIDE,
        Side.LOW,
        Side.INSIDE,
        Side.INSIDE,
    ]


def test_the_whole_is_struggling_and_to_be_continued_with_interventions() -> None:
    diagnosis = diagnose(RUN, SEED)
    assert diagnosis.status is Status.STRUGGLING
    assert diagnosis.decision is Decision.INTERVENE
    assert {reading.rule.name: reading.level for reading in diagnosis.readings} == {
        "loss": OK,
        "gradient": OK,
        "learning-rate": WARN,
        "low-reward": RED,
        "high-variance": RED,
        "mode-collapse": RED,
        "unstable-entropy": WARN,
    }
    assert [(look.checkpoint.at, look.passed) for look in diagnosis.look_backs] == [(0.5, False), (1.0, False)]
    assert not diagnosis.stops


def test_the_actions_are_the_seeds_with_its_values() -> None:
    diagnosis = diagnose(RUN, SEED)
    lines = [export.line.split("  #")[0] for advice in diagnosis.recommendations for export in advice.exports]
    assert lines == [
        "export GRPO_TEMPERATURE=1.1",
        "export GRPO_NUM_GENERATIONS=8",
        "export GRPO_LEARNING_RATE=8e-06",
        "export GRPO_MAX_COMPLETION=600",
    ]
    assert [advice.action.priority for advice in diagnosis.recommendations] == [1, 1, 2, 2]


def test_at_epoch_one_it_would_be_stopped_for_its_reward_and_not_for_its_ties() -> None:
    diagnosis = diagnose(RUN, SEED, as_of=1.0)
    assert diagnosis.status is Status.FAILING
    assert diagnosis.decision is Decision.STOP
    assert [flag.rule.name for flag in diagnosis.stops] == ["reward"]
    flags = {flag.rule.name: flag for flag in diagnosis.flags}
    assert flags["reward"].measured.value == pytest.approx(0.092, abs=0.0005)
    assert flags["zero-variance"].measured.value == pytest.approx(0.21, abs=0.005)
    assert flags["zero-variance"].raised is False
    assert [flags[name].raised for name in ("gibberish", "no-passes", "flat")] == [None, None, None]


def test_what_lies_after_the_moment_is_left_out() -> None:
    diagnosis = diagnose(RUN, SEED, as_of=0.28)
    assert len(diagnosis.run.records) == 2
    assert diagnosis.reading("mode-collapse").level is OK


def test_the_falling_learning_rate_is_called_a_decay_and_never_warm_up() -> None:
    assert schedule(RUN.records) == "decay: it falls"


def test_checkpoints_and_green_lights_that_the_log_cannot_answer_are_unknown() -> None:
    diagnosis = diagnose(RUN, SEED)
    first = {check.criterion.text: check.state for check in diagnosis.look_backs[0].checks}
    assert first == {
        "few tied groups": State.MISSED,
        "mean reward": State.MISSED,
        "entropy stable": State.MISSED,
        "some test passes appear": State.UNKNOWN,
    }
    states = [check.state for check in diagnosis.green_lights]
    assert states == [State.UNKNOWN, State.UNKNOWN, State.UNKNOWN, State.MISSED, State.UNKNOWN]


@pytest.mark.parametrize(
    ("moment", "reward", "low", "high"),
    [(0.0, 0.05, 0.05, 0.15), (0.15, 0.10, 0.05, 0.15), (0.45, 0.25, 0.15, 0.35), (0.8, 0.45, 0.35, 0.55)],
)
def test_the_trajectory_is_the_seeds(moment: float, reward: float, low: float, high: float) -> None:
    expected = SEED.expected(moment)
    assert expected is not None
    assert expected[1] == pytest.approx(reward)
    assert (expected[0].low, expected[0].high) == (low, high)


def test_under_the_default_profile_six_lines_without_passes_are_unknown_and_not_healthy() -> None:
    diagnosis = diagnose(RUN, find_profile("default"))
    assert diagnosis.status is Status.UNKNOWN
    assert diagnosis.missing == ("pass_rate",)
    assert diagnosis.reading("variation").level is Level.INFORMATION
