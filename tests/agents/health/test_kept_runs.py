"""The kept logs: a person's reading of their plots, and the verdict of the diagnostics.

| log | a person sees | the diagnostics say |
| --- | --- | --- |
| `tiny-grpo/seed-0` | rises for two thirds, passes from 16% to 38%, then flattens; entropy falls to 0.12 | healthy |
| `tiny-grpo/seed-1` | hardly moves for half of the run, then rises from 23% to 39% | healthy; no rise at half |
| `tiny-grpo/seed-2` | rises unsteadily, from 17% to 38%, with a dip after half | healthy |
| `smollm2-grpo` | 20 steps of 32 samples: 11% to 50%, unsteady, the last two lower | healthy; the rise just shown |
| `smollm2-climb/grpo-0` | 70 of 110 steps, stopped: 28% to 55%, most of it in 30; entropy to 0.06 | entropy falls |
| `smollm2-climb/grpo-1` | 60 steps, 27% to 45%, best at 40; the entropy falls from 0.35 to 0.11 | healthy |
| `smollm2-climb/grpo-2` | 60 steps, 28% to 50%, unsteady; the entropy falls from 0.34 to 0.12 | healthy |
| `smollm2-gpu/grpo-0` | 30 of 60 steps, stopped: 22% to 50% in ten; entropy from 0.21 to 0.09 in eight | healthy |
| `smollm2-arms/grpo-0` | 60 steps, 54% to 61%, unsteady; the entropy from 0.16 to 0.07 | no rise shown |
| `smollm2-arms/no-repair-0` | 60 steps, up and down about 55%; the entropy from 0.14 to 0.07 | no rise shown |
| `smollm2-arms/once-0` | 60 steps, 61% to 76% in the end, unsteady; the entropy from 0.12 to 0.05 | healthy |
| `smollm2-arms/once-1` | 60 steps, 64% to 74%, unsteady; the entropy from 0.12 to 0.06 | healthy |
| `smollm2-arms/once-2` | 60 steps, 64%, and in the last 20 to 77%; the entropy from 0.12 to 0.05 | no rise shown |
| `smollm2-twice/once-0` | 60 steps: passes 15% to 37%, steadily; the entropy from 0.36 to 0.12 | healthy |
| `smollm2-unseen/once-1` | 60 steps: reward 0.18 to 0.24, passes 7% to 9%, answers that give up 12% to 21% | healthy |
| the seed's six lines | a low reward; no start, no passes, too few steps for more | unknown |
| `reward-learning` | no logs, but ends: all 15 learned; up to 38% of answers had given up | none is giving up |
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agents.health import Decision, Run, Status, diagnose, find_profile, read_run
from agents.health.diagnosis import State
from agents.health.rule import Level
from agents.health.wording import course, decided

DEFAULT = find_profile("default")
KEPT = Path(__file__).parents[3] / "benchmarks" / "results"
RUNS = (
    "tiny-grpo/seed-0",
    "tiny-grpo/seed-1",
    "tiny-grpo/seed-2",
    "smollm2-grpo",
    "smollm2-climb/grpo-1",
    "smollm2-climb/grpo-2",
    "smollm2-arms/once-0",
    "smollm2-arms/once-1",
    "smollm2-twice/once-0",
    "smollm2-unseen/once-1",
)
NOT_SHOWN = ("smollm2-arms/grpo-0", "smollm2-arms/no-repair-0", "smollm2-arms/once-2")
"""Runs whose rise is within their noise."""


def planted(run: Run, **numbers: float) -> Run:
    """Returns the run with these numbers in its last third."""
    first = len(run.records) * 2 // 3
    late = [replace(record, numbers={**record.numbers, **numbers}) for record in run.records[first:]]
    return replace(run, records=(*run.records[:first], *late))


@pytest.mark.parametrize("name", RUNS)
def test_a_kept_run_that_learned_is_healthy_and_finished(name: str) -> None:
    diagnosis = diagnose(read_run(KEPT / name), DEFAULT)
    assert diagnosis.status is Status.HEALTHY
    assert diagnosis.notices == ()
    assert decided(diagnosis).startswith("FINISHED: it rose")
    assert diagnosis.reading("plateau").level is (Level.UNKNOWN if name == "smollm2-grpo" else Level.HEALTHY)


@pytest.mark.parametrize("name", [*RUNS, "smollm2-gpu/grpo-0", *NOT_SHOWN])
def test_a_kept_run_gave_no_alarm_at_any_step(name: str) -> None:
    run = read_run(KEPT / name)
    for length in [*range(1, len(run.records), 3), len(run.records)]:
        diagnosis = diagnose(replace(run, records=run.records[:length]), DEFAULT)
        assert [(length, issue.rule.name, issue.shown) for issue in diagnosis.issues] == []
        assert diagnosis.stops == ()
    assert diagnosis.status is (Status.UNKNOWN if name in NOT_SHOWN else Status.HEALTHY)


def test_the_run_whose_entropy_fell_is_warned_of_that_alone() -> None:
    diagnosis = diagnose(read_run(KEPT / "smollm2-climb" / "grpo-0"), DEFAULT)
    assert [issue.rule.name for issue in diagnosis.issues] == ["entropy"]
    assert diagnosis.stops == ()


def test_a_rise_is_said_to_be_on_training_problems() -> None:
    by_ladder = course(diagnose(read_run(KEPT / "smollm2-gpu" / "grpo-0"), DEFAULT))
    assert "on problems of the training, which its curriculum chose anew at each step. Only an eval" in by_ladder
    assert "on problems of the training. Only an eval" in course(diagnose(read_run(KEPT / RUNS[0]), DEFAULT))


def test_the_run_that_stood_still_for_half_is_seen_to_have() -> None:
    states = {}
    for seed in (0, 1, 2):
        half, end = diagnose(read_run(KEPT / f"tiny-grpo/seed-{seed}"), DEFAULT).look_backs
        states[seed] = [next(c.state for c in look.checks if "reward" in c.criterion.text) for look in (half, end)]
    assert states == {0: [State.MET] * 2, 1: [State.MISSED, State.MET], 2: [State.MET] * 2}


@pytest.mark.parametrize("name", RUNS)
def test_the_log_of_a_kept_run_without_its_pass_rate_is_accused_of_nothing(name: str) -> None:
    diagnosis = diagnose(read_run(KEPT / name / "learning.log"), DEFAULT)
    assert diagnosis.issues == ()
    assert diagnosis.missing == ("pass_rate",)
    assert diagnosis.decision is Decision.UNKNOWN


@pytest.mark.parametrize(
    ("numbers", "named"),
    [
        ({"degenerate": 0.65}, {"giving-up"}),
        ({"degenerate": 0.45, "pass_rate": 0.15}, {"giving-up-rises"}),
        ({"truncated": 0.5}, {"truncation"}),
        ({"compression_ratio": 9.0, "no_code_or_syntax": 0.7}, {"repetition"}),
        ({"entropy": 0.02}, {"entropy"}),
    ],
)
def test_what_is_planted_in_a_kept_run_is_named(numbers: dict[str, float], named: set[str]) -> None:
    diagnosis = diagnose(planted(read_run(KEPT / "tiny-grpo/seed-0"), **numbers), DEFAULT)
    assert named <= {issue.rule.name for issue in diagnosis.issues}


def test_a_spike_of_one_step_in_a_kept_run_is_named() -> None:
    run = read_run(KEPT / "tiny-grpo/seed-2")
    records = list(run.records)
    records[40] = replace(records[40], numbers={**records[40].numbers, "grad_norm": 5.5e7})
    diagnosis = diagnose(replace(run, records=tuple(records)), DEFAULT)
    assert [issue.rule.name for issue in diagnosis.issues] == ["gradient-spike"]


def test_no_run_of_the_study_of_rewards_is_said_to_give_up() -> None:
    results = [json.loads(path.read_text()) for path in (KEPT / "reward-learning").glob("*/result.json")]
    assert len(results) >= 15
    for result in results:
        assert result["after"]["pass@1"]["estimate"] > result["before"]["pass@1"]["estimate"]
        assert DEFAULT.rule("giving-up").judge(result["degenerate"]) is Level.HEALTHY
        assert DEFAULT.rule("gibberish").judge(result["no_code_or_syntax"]) is Level.HEALTHY
