"""Simulated runs: each planted pathology is named, at every length that can show it; healthy runs give no alarm.

Thresholds were chosen with the healthy runs of the seeds ``TUNED``. Those of ``HELD_OUT`` were first judged with all
thresholds fixed; half of them have courses of their own.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from agents.health import Decision, Status, diagnose, find_profile
from agents.health.records import Run
from agents.health.rule import Level
from tests.agents.health.simulator import NAMES, Course, Healthy, Illness, Simulation

DEFAULT = find_profile("default")
SEEDS = range(20)
LENGTHS = (8, 20, 60, 200)
TUNED = [*range(20)]
HELD_OUT = [*range(1000, 1010)]
OWN_COURSES = [*range(1005, 1010)]

SLOW = {Illness.PLATEAU: 60, Illness.STANDSTILL: 20, Illness.REWARD_ONLY: 20}
"""Illness -> least steps to tell it from chance; fewer do not tell a plateau from a pause."""

MILD = {Illness.SPIKE, Illness.STANDSTILL, Illness.PLATEAU}
"""Illnesses that ask for no intervention by themselves, or only at the end."""

GROWN = [illness for illness in Illness if illness is not Illness.NONE]
VIOLENT = [illness for illness in GROWN if illness not in MILD | {Illness.GIVING_UP, Illness.REWARD_ONLY}]


@cache
def simulated(illness: Illness, seed: int, length: int) -> Run:
    return Simulation(illness, seed, length).run


@pytest.mark.parametrize("illness", VIOLENT)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_planted_pathology_is_named_first_and_asks_for_an_intervention(illness: Illness, seed: int) -> None:
    diagnosis = diagnose(Simulation(illness, seed).run, DEFAULT)
    assert diagnosis.issues[0].rule.name in NAMES[illness]
    assert diagnosis.issues[0].level is Level.CRITICAL
    assert diagnosis.decision in (Decision.INTERVENE, Decision.STOP)
    others = set().union(*(NAMES[other] for other in VIOLENT)) - NAMES[illness]
    assert {issue.rule.name for issue in diagnosis.issues} & others == set()


@pytest.mark.parametrize("illness", GROWN)
@pytest.mark.parametrize("length", LENGTHS)
def test_a_planted_pathology_is_named_at_every_length_that_can_show_it(illness: Illness, length: int) -> None:
    if length < SLOW.get(illness, 0):
        pytest.skip("chance hides it")
    for seed in range(3):
        diagnosis = diagnose(simulated(illness, seed, length), DEFAULT)
        assert NAMES[illness] & {issue.rule.name for issue in diagnosis.issues}, seed
        assert diagnosis.status is not Status.HEALTHY
        others = set().union(*(NAMES[other] for other in GROWN)) - NAMES[illness]
        assert {issue.rule.name for issue in diagnosis.issues} & others == set(), seed


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("seed", range(4))
def test_a_finished_run_that_learned_nothing_is_never_told_to_go_on(length: int, seed: int) -> None:
    diagnosis = diagnose(simulated(Illness.STANDSTILL, seed, length), DEFAULT)
    assert diagnosis.decision in (Decision.INTERVENE, Decision.UNKNOWN)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_healthy_run_gives_no_alarm_at_any_point(seed: int) -> None:
    run = Simulation(Illness.NONE, seed).run
    for length in range(3, len(run.records) + 1, 6):
        diagnosis = diagnose(replace(run, records=run.records[:length]), DEFAULT)
        assert [(length, issue.rule.name, issue.shown) for issue in diagnosis.issues] == []
        assert diagnosis.stops == ()
    whole = diagnose(run, DEFAULT)
    assert whole.status is (Status.HEALTHY if whole.risen else Status.UNKNOWN)


@pytest.mark.parametrize("seed", [*TUNED, *HELD_OUT])
def test_a_healthy_run_of_any_length_and_course_gives_no_alarm_at_any_point(seed: int) -> None:
    simulation = Healthy(seed, (Course.STAIRS, Course.WAVES)) if seed in OWN_COURSES else Healthy(seed)
    run = simulation.run
    for length in (*range(1, len(run.records), max(1, len(run.records) // 12)), len(run.records)):
        diagnosis = diagnose(replace(run, records=run.records[:length]), DEFAULT)
        assert [(length, issue.rule.name, issue.shown) for issue in diagnosis.issues] == []
        assert diagnosis.stops == ()
    known = not simulation.only and diagnosis.risen
    assert diagnosis.status is (Status.HEALTHY if known else Status.UNKNOWN)


@pytest.mark.parametrize("illness", [Illness.COLLAPSE, Illness.MARKER_SPAM, Illness.HACKING])
def test_before_its_onset_a_run_that_falls_ill_is_healthy(illness: Illness) -> None:
    simulation = Simulation(illness, 4)
    run = simulation.run
    assert diagnose(replace(run, records=run.records[: simulation.onset]), DEFAULT).issues == ()
