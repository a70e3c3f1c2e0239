"""Rules, their application, and the conclusions drawn from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.health import PROFILES, Decision, Record, Run, Status, diagnose, find_profile
from agents.health.diagnosis import State, schedule
from agents.health.measure import Band, Measure, Side, Summary
from agents.health.metrics import METRICS
from agents.health.profile import Profile
from agents.health.records import Intervention, record_of
from agents.health.rule import Action, Level, Rule
from agents.health.settings import exports_of
from tests.agents.health.simulator import NAMES, Illness, Simulation

DEFAULT = find_profile("default")
SEEDS = range(20)


def run_of(entries: Sequence[dict[str, Any]]) -> Run:
    return Run(source=Path("made"), records=tuple(record_of(entry) for entry in entries))


def steady(**changed: Callable[[int], Any]) -> list[dict[str, Any]]:
    """A run of 60 steps in which nothing happens, but what is given as a function of the step."""
    entries, length = [], 60
    for step in range(1, length + 1):
        wave = 0.01 * math.sin(step * 1.7)
        entry: dict[str, Any] = {
            "step": step,
            "epoch": step / length,
            "progress": step / length,
            "loss": wave,
            "grad_norm": 0.1 + wave,
            "learning_rate": 1e-5,
            "entropy": 0.5 + wave,
            "reward": 0.2 + 0.3 * step / length + wave,
            "reward_std": 0.2,
            "pass_rate": 0.1 + 0.2 * step / length + wave,
            "groups": {"varied": 3, "all_failed": 1},
            "no_code_or_syntax": 0.1,
            "compression_ratio": 2.0,
            "truncated": 0.05,
            "top_reward": 0.2,
            "top_reward_share": 0.2,
        }
        entries.append(entry | {name: of(step) for name, of in changed.items()})
    return entries


def named(entries: Sequence[dict[str, Any]]) -> dict[str, Level]:
    diagnosis = diagnose(run_of(entries), DEFAULT)
    return {issue.rule.name: issue.level for issue in diagnosis.issues}


# --- planted pathologies ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("illness", [illness for illness in Illness if illness is not Illness.NONE])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_planted_pathology_is_named_first_and_asks_for_an_intervention(illness: Illness, seed: int) -> None:
    diagnosis = diagnose(Simulation(illness, seed).run, DEFAULT)
    assert diagnosis.issues[0].rule.name in NAMES[illness]
    assert diagnosis.issues[0].level is Level.CRITICAL
    assert diagnosis.decision in (Decision.INTERVENE, Decision.STOP)
    others = set().union(*NAMES.values()) - NAMES[illness]
    assert {issue.rule.name for issue in diagnosis.issues} & others == set()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_healthy_run_gives_no_alarm_at_any_point(seed: int) -> None:
    run = Simulation(Illness.NONE, seed).run
    for length in range(3, len(run.records) + 1, 6):
        diagnosis = diagnose(replace(run, records=run.records[:length]), DEFAULT)
        assert [(length, issue.rule.name, issue.shown) for issue in diagnosis.issues] == []
        assert diagnosis.stops == ()
    whole = diagnose(run, DEFAULT)
    assert (whole.status, whole.decision) == (Status.HEALTHY, Decision.CONTINUE)


@pytest.mark.parametrize("illness", [Illness.COLLAPSE, Illness.MARKER_SPAM, Illness.HACKING])
def test_before_its_onset_a_run_that_falls_ill_is_healthy(illness: Illness) -> None:
    simulation = Simulation(illness, 4)
    run = simulation.run
    assert diagnose(replace(run, records=run.records[: simulation.onset]), DEFAULT).issues == ()


# --- the corrected rules ----------------------------------------------------------------------------------------------


def test_the_run_that_the_others_are_made_of_is_healthy() -> None:
    assert named(steady()) == {}


def test_a_single_bad_line_is_no_alarm() -> None:
    assert named(steady(groups=lambda step: {"identical": 4} if step == 55 else {"varied": 4})) == {}
    assert named(steady(loss=lambda step: math.nan if step == 40 else 0.0)) == {}


def test_tied_groups_are_told_apart_by_kind() -> None:
    assert "all-failed" in named(steady(groups=lambda step: {"varied": 1, "all_failed": 4}))
    assert named(steady(groups=lambda step: {"varied": 1, "all_passed": 4})) == {"all-passed": Level.WARNING}
    assert named(steady(groups=lambda step: {"varied": 1, "tied": 4})) == {"tied": Level.CRITICAL}
    assert named(steady(groups=lambda step: {"varied": 1, "identical": 4})) == {"mode-collapse": Level.CRITICAL}


def test_only_collapse_and_low_entropy_ask_for_a_higher_temperature() -> None:
    asking = {rule.name for rule in DEFAULT.rules if any(action.setting == "temperature" for action in rule.actions)}
    assert asking == {"mode-collapse", "entropy"}


def test_tied_groups_of_a_log_that_does_not_split_them_are_called_of_unknown_kind() -> None:
    entries = steady(groups=lambda step: None, frac_reward_zero_std=lambda step: 0.8)
    assert named(entries) == {"tied-groups": Level.CRITICAL}


def test_entropy_is_judged_by_the_runs_own_start_and_not_by_a_fixed_range() -> None:
    assert named(steady(entropy=lambda step: 2.5)) == {}
    assert named(steady(entropy=lambda step: 0.05)) == {}
    assert named(steady(entropy=lambda step: 0.5 if step < 30 else 0.03)) == {"entropy": Level.CRITICAL}
    assert named(steady(entropy=lambda step: 0.5 if step < 30 else 3.0)) == {"entropy": Level.CRITICAL}


def test_what_is_relative_to_the_start_is_unknown_where_the_log_begins_later() -> None:
    late = [entry | {"progress": 0.5 + entry["progress"] / 2} for entry in steady()]
    reading = diagnose(run_of(late), DEFAULT).reading("entropy")
    assert reading.level is Level.UNKNOWN
    assert reading.measured.why == "the log does not begin at the start of the run"


@pytest.mark.parametrize("steps", [1, 2, 3, 6, 9])
def test_a_short_run_begins_at_its_start_and_has_too_few_steps(steps: int) -> None:
    short = [entry | {"progress": (place + 1) / steps} for place, entry in enumerate(steady()[:steps])]
    reading = diagnose(run_of(short), DEFAULT).reading("entropy")
    assert reading.level is Level.UNKNOWN
    assert reading.measured.why == f"{steps} of the 10 steps it takes"


@pytest.mark.parametrize(
    ("rates", "told"),
    [
        ([5e-6, 4e-6, 3e-6], "decay: it falls"),
        ([1e-6, 2e-6, 3e-6], "warm-up: it rises"),
        ([1e-6, 3e-6, 2e-6], "warm-up, then decay: it falls"),
        ([1e-6, 1e-6], "constant"),
        ([3e-6, 1e-6, 2e-6], "it goes up and down"),
        ([3e-6], "one value"),
        ([], "not recorded"),
    ],
)
def test_the_learning_rate_is_described_by_what_it_does(rates: list[float], told: str) -> None:
    assert schedule([Record(numbers={"learning_rate": rate}) for rate in rates]) == told


def test_a_reward_that_rises_while_fewer_samples_pass_is_called_hacking() -> None:
    def wave(step: int) -> float:
        return 0.01 * math.sin(step * 2.3)

    entries = steady(
        reward=lambda step: 0.2 + 0.2 * step / 60 + wave(step),
        pass_rate=lambda step: 0.2 - 0.15 * step / 60 + wave(step),
    )
    assert named(entries)["reward-hacking"] is Level.CRITICAL


def test_the_reward_under_the_final_spec_is_what_is_judged() -> None:
    entries = steady(final_reward=lambda step: 0.5, reward=lambda step: 0.0)
    assert diagnose(run_of(entries), DEFAULT).reading("low-reward").value == 0.5


def test_many_full_rewards_that_are_passes_are_no_spike_and_others_are() -> None:
    passing = {"top_reward": lambda step: 1.0, "top_reward_share": lambda step: 0.9}
    assert "one-value" not in named(steady(**passing, pass_rate=lambda step: 0.9))
    assert "one-value" in named(steady(**passing, pass_rate=lambda step: 0.1))


def test_a_high_compression_ratio_of_completions_that_end_and_parse_is_no_alarm() -> None:
    assert named(steady(compression_ratio=lambda step: 15.0)) == {}


def test_a_reward_that_stands_still_for_half_of_the_run_is_warned_of_and_only_then() -> None:
    flat = steady(reward=lambda step: 0.3 + 0.005 * math.sin(step), pass_rate=lambda step: 0.1)
    assert named(flat) == {"flat-reward": Level.WARNING}
    assert named(flat[:25]) == {}


# --- missing is unknown -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
def test_a_log_without_anything_is_unknown_in_everything(profile: Profile) -> None:
    diagnosis = diagnose(run_of([{"step": step, "epoch": step / 60} for step in range(60)]), profile)
    assert {reading.level for reading in diagnosis.readings} == {Level.UNKNOWN}
    assert (diagnosis.status, diagnosis.decision) == (Status.UNKNOWN, Decision.UNKNOWN)
    assert {check.state for look in diagnosis.look_backs for check in look.checks} == {State.UNKNOWN}
    assert {flag.raised for flag in diagnosis.flags} == {None}


@pytest.mark.parametrize("name", [rule.name for rule in DEFAULT.rules])
def test_a_rule_whose_metric_is_missing_is_unknown_and_never_healthy(name: str) -> None:
    rule = DEFAULT.rule(name)
    assert rule.read([Record(step=step, progress=step / 50) for step in range(50)]).level is Level.UNKNOWN


@pytest.mark.parametrize("missing", ["reward", "pass_rate", "groups"])
def test_without_a_vital_metric_no_run_is_called_healthy(missing: str) -> None:
    diagnosis = diagnose(run_of(steady(**{missing: lambda step: None})), DEFAULT)
    assert diagnosis.status is Status.UNKNOWN


def test_no_records_and_few_records_are_unknown() -> None:
    assert diagnose(Run(source=Path("none"), records=()), DEFAULT).status is Status.UNKNOWN
    assert diagnose(run_of(steady()[:3]), DEFAULT).status is Status.UNKNOWN


def test_a_condition_that_is_unknown_leaves_a_warning_at_most() -> None:
    entries = steady(compression_ratio=lambda step: 30.0)
    for entry in entries:
        del entry["truncated"], entry["no_code_or_syntax"]
    assert named(entries) == {"repetition": Level.WARNING}


# --- stopping, checkpoints, follow-ups --------------------------------------------------------------------------------


def test_divergence_stops_a_run_at_any_time_whatever_else_is_green() -> None:
    diagnosis = diagnose(run_of(steady(loss=lambda step: math.nan if step > 50 else 0.0)), DEFAULT)
    assert [flag.rule.name for flag in diagnosis.stops] == ["diverged"]
    assert diagnosis.decision is Decision.STOP


def test_a_red_flag_is_outweighed_by_a_green_light_that_counts() -> None:
    nothing_passes = steady(pass_rate=lambda step: 0.0)
    (flag,) = [
        finding for finding in diagnose(run_of(nothing_passes), DEFAULT).flags if finding.rule.name == "no-passes"
    ]
    assert flag.raised
    assert not flag.stops
    assert flag.outweighed == "the reward has risen since the start"
    flat = steady(pass_rate=lambda step: 0.0, reward=lambda step: 0.2)
    assert [finding.rule.name for finding in diagnose(run_of(flat), DEFAULT).stops] == ["no-passes"]
    early = diagnose(run_of([entry | {"progress": entry["progress"] * 0.4} for entry in flat]), DEFAULT)
    assert early.stops == ()


def test_a_passed_checkpoint_is_judged_by_what_was_known_then() -> None:
    entries = steady(groups=lambda step: {"varied": 4} if step <= 30 else {"all_failed": 4})
    first, last = diagnose(run_of(entries), DEFAULT).look_backs
    assert first.passed
    teaching = {check.criterion.text: check.state for check in first.checks}["most groups teach something"]
    assert teaching is State.MET
    assert {check.criterion.text: check.state for check in last.checks}["most groups teach something"] is State.MISSED


@pytest.mark.parametrize(
    ("after", "steps", "state"),
    [(0.0, 60, State.MET), (0.5, 60, State.PENDING), (0.5, 160, State.MISSED), (None, 160, State.UNKNOWN)],
)
def test_an_intervention_is_followed_up(after: float | None, steps: int, state: State) -> None:
    entries = [
        {"step": step, "epoch": step / 200, "frac_reward_zero_std": 0.6 if step <= 40 else after}
        for step in range(1, steps + 1)
    ]
    change = Intervention(step=40, epoch=0.2, setting="temperature", before=0.9, after=1.1, rule="mode-collapse")
    diagnosis = diagnose(replace(run_of(entries), interventions=(change,)), find_profile("seed"))
    assert [followed.state for followed in diagnosis.followed] == [state]


def test_a_finding_that_another_explains_is_its_consequence() -> None:
    entries = steady(
        compression_ratio=lambda step: 20.0, truncated=lambda step: 0.95, groups=lambda step: {"all_failed": 4}
    )
    diagnosis = diagnose(run_of(entries), DEFAULT)
    assert [issue.rule.name for issue in diagnosis.issues] == ["repetition"]
    assert {issue.rule.name: issue.causes for issue in diagnosis.consequences} == {
        "truncation": ("repetition",),
        "all-failed": ("repetition", "truncation"),
    }


# --- settings ---------------------------------------------------------------------------------------------------------


def test_an_export_changes_the_present_value_and_says_what_it_was() -> None:
    run = replace(run_of([]), settings={"temperature": "0.9"})
    action = Action(text="", setting="temperature", add=0.2, high=1.3)
    assert [export.line for export in exports_of(action, run, {})] == ["export GRPO_TEMPERATURE=1.1  # from 0.9"]


def test_no_export_is_made_where_the_bound_is_reached_or_nothing_is_known() -> None:
    action = Action(text="", setting="temperature", add=0.2, high=1.3)
    assert exports_of(action, replace(run_of([]), settings={"temperature": "1.3"}), {}) == ()
    assert exports_of(action, replace(run_of([]), settings={"temperature": "1.7"}), {}) == ()
    assert exports_of(action, run_of([]), {}) == ()


def test_the_temperature_that_was_set_while_the_run_went_on_is_the_present_one() -> None:
    change = Intervention(step=1, epoch=None, setting="temperature", before=0.9, after=1.1, rule="mode-collapse")
    run = replace(run_of([]), settings={"temperature": "0.9"}, interventions=(change,))
    (export,) = exports_of(Action(text="", setting="temperature", add=0.1, high=1.3), run, {})
    assert (export.before, export.value) == ("1.1", "1.2")


def test_more_generations_come_with_an_accumulation_that_they_divide() -> None:
    settings = {"num_generations": "6", "per_device_train_batch_size": "4", "gradient_accumulation_steps": "3"}
    action = Action(text="", setting="num_generations", add=2, high=16, whole=True)
    lines = [export.line for export in exports_of(action, replace(run_of([]), settings=settings), {})]
    assert lines == ["export GRPO_NUM_GENERATIONS=8  # from 6", "export GRPO_GRAD_ACCUM_STEPS=4  # from 3"]


def test_a_value_of_the_configuration_cannot_break_out_of_its_line() -> None:
    run = replace(run_of([]), settings={"reward": "x\nrm -rf /"})
    (export,) = exports_of(Action(text="", setting="reward", to="staged; true"), run, {})
    assert export.line == "export GRPO_REWARD='staged; true'  # from x rm -rf /"


# --- the table itself -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
def test_a_profile_is_whole(profile: Profile) -> None:
    names = [rule.name for rule in profile.rules]
    assert len(names) == len(set(names))
    for rule in profile.rules:
        assert rule.measure.metric in METRICS
        assert rule.source
        assert set(rule.explained_by) <= set(names) - {rule.name}
        if not rule.informational:
            assert rule.healthy.low == -math.inf or rule.low, rule.name
            assert rule.healthy.high == math.inf or rule.high, rule.name
        if rule.tolerable is not None:
            assert rule.tolerable.low <= rule.healthy.low
            assert rule.tolerable.high >= rule.healthy.high


@given(
    st.floats(allow_nan=True, allow_infinity=True),
    st.floats(-10, 0),
    st.floats(0, 10),
    st.floats(0, 5),
)
def test_levels_get_worse_outwards_and_what_is_not_finite_is_critical(
    value: float, low: float, high: float, margin: float
) -> None:
    rule = Rule(
        name="r",
        title="r",
        measure=Measure(metric="loss"),
        healthy=Band(low=low, high=high),
        tolerable=Band(low=low - margin, high=high + margin),
        source="here",
    )
    order = [Level.HEALTHY, Level.WARNING, Level.CRITICAL]
    level = rule.judge(value)
    if not math.isfinite(value):
        assert level is Level.CRITICAL
    else:
        assert order.index(rule.judge(value * 2)) >= order.index(level)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=80), st.sampled_from(Summary))
def test_every_summary_of_any_values_is_a_number_or_says_why_not(values: list[float], summary: Summary) -> None:
    records = [Record(step=i, progress=i / 100, numbers={"entropy": value}) for i, value in enumerate(values)]
    measured = Measure(metric="entropy", summary=summary).of(records)
    assert (measured.value is None) == bool(measured.why)
    assert measured.value is None or math.isfinite(measured.value)


def test_a_side_is_told_from_the_healthy_band() -> None:
    band = Band(low=1, high=2)
    assert [band.side(value) for value in (0, 1, 2, 3, math.nan)] == [
        Side.LOW,
        Side.INSIDE,
        Side.INSIDE,
        Side.HIGH,
        Side.NOT_FINITE,
    ]
    assert Band(high=0.1, strict=True).side(0.1) is Side.HIGH
