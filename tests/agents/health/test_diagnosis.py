"""Rules, their application, and the conclusions drawn from them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.health import PROFILES, Decision, Record, Run, Status, diagnose, find_profile
from agents.health.diagnosis import State
from agents.health.measure import Band, Measure, Side, Summary
from agents.health.metrics import METRICS
from agents.health.profile import Profile
from agents.health.records import Intervention, record_of
from agents.health.rule import Action, Level, Rule
from agents.health.settings import exports_of
from agents.health.text import Style, told
from agents.health.wording import course, decided, schedule, summary

DEFAULT = find_profile("default")


def run_of(entries: Sequence[dict[str, Any]]) -> Run:
    return Run(source=Path("made"), records=tuple(record_of(entry) for entry in entries))


def steady(_length: int = 60, /, **changed: Callable[[int], Any]) -> list[dict[str, Any]]:
    """Returns a run with a slow rise of the reward only. ``changed`` replaces metrics by functions of the step."""
    entries, length = [], _length
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


# --- the corrected rules ----------------------------------------------------------------------------------------------


def test_the_run_that_the_others_are_made_of_is_healthy() -> None:
    assert named(steady()) == {}


def test_a_single_bad_line_is_no_alarm() -> None:
    assert named(steady(groups=lambda step: {"identical": 4} if step == 55 else {"varied": 4})) == {}
    assert named(steady(loss=lambda step: math.nan if step == 40 else 0.0)) == {}


def test_tied_groups_are_told_apart_by_kind() -> None:
    assert "all-failed" in named(steady(groups=lambda step: {"varied": 1, "all_failed": 4}))
    easy = diagnose(run_of(steady(groups=lambda step: {"varied": 1, "all_passed": 4})), DEFAULT)
    assert [notice.rule.name for notice in easy.notices] == ["all-passed"]
    assert easy.issues == ()
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


@pytest.mark.parametrize("steps", [1, 2, 3, 5])
def test_a_short_run_begins_at_its_start_and_has_too_few_steps(steps: int) -> None:
    short = [entry | {"progress": (place + 1) / steps} for place, entry in enumerate(steady()[:steps])]
    reading = diagnose(run_of(short), DEFAULT).reading("entropy")
    assert reading.level is Level.UNKNOWN
    assert reading.measured.why == f"{steps} of the 6 steps it takes"


@pytest.mark.parametrize(
    ("rates", "told"),
    [
        ([5e-6, 4e-6, 3e-6], "decay: it falls"),
        ([1e-6, 2e-6, 3e-6], "warm-up: it rises"),
        ([1e-6, 2e-6, 2e-6], "warm-up, then constant"),
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


# --- gradients: single steps count ------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [2, 30, 59])
@pytest.mark.parametrize(("norm", "level"), [(5.5e7, Level.CRITICAL), (300.0, Level.WARNING)])
def test_a_single_spike_of_the_gradient_is_named_wherever_it_is(at: int, norm: float, level: Level) -> None:
    entries = steady(grad_norm=lambda step: norm if step == at else 0.1 + 0.01 * math.sin(step))
    assert named(entries) == {"gradient-spike": level}
    assert diagnose(run_of(entries), DEFAULT).reading("gradient-spike").shown.endswith("x median")


def test_steps_without_gradient_between_small_ones_are_no_spikes() -> None:
    assert named(steady(grad_norm=lambda step: 0.2 if step % 3 == 0 else 0.0)) == {}
    assert named(steady(grad_norm=lambda step: 5.0 if step == 30 else 0.01)) == {}  # clipped, it does no harm


# --- standing still ---------------------------------------------------------------------------------------------------


def climb(step: int, until: int, low: float, high: float) -> float:
    return low + (high - low) * min(1.0, step / until) + 0.015 * math.sin(step * 2.1)


def test_a_reward_that_stands_still_after_a_rise_is_called_a_plateau() -> None:
    rose = {"reward": lambda step: climb(step, 20, 0.1, 0.4), "pass_rate": lambda step: climb(step, 20, 0.05, 0.2)}
    assert named(steady(**rose)) == {"plateau": Level.WARNING}


def test_a_plateau_at_a_high_level_is_called_what_it_is_and_no_alarm() -> None:
    rose = {"reward": lambda step: climb(step, 20, 0.3, 0.92), "pass_rate": lambda step: climb(step, 20, 0.2, 0.88)}
    diagnosis = diagnose(run_of(steady(**rose)), DEFAULT)
    assert diagnosis.issues == ()
    assert diagnosis.reading("plateau").excused == "pass rate is 87.9%"
    assert "stands still" in course(diagnosis)


def test_a_reward_that_still_rises_is_no_plateau() -> None:
    assert named(steady(reward=lambda step: climb(step, 60, 0.1, 0.4))) == {}


def test_a_run_that_learned_nothing_is_never_called_on_course() -> None:
    flat = steady(reward=lambda step: 0.4 + 0.02 * math.sin(step), pass_rate=lambda step: 0.1 + 0.01 * math.sin(step))
    diagnosis = diagnose(run_of(flat), DEFAULT)
    assert named(flat) == {"flat-reward": Level.WARNING}
    assert (diagnosis.status, diagnosis.decision) == (Status.STRUGGLING, Decision.INTERVENE)
    shown = "\n".join(told(diagnosis, Style()))
    assert "within the band" not in shown
    assert "expected" not in course(diagnosis)
    assert "not moved" in course(diagnosis)
    assert "problems of the training" not in course(diagnosis)
    assert "CONTINUE" not in shown
    assert "FINISHED" in shown


def test_a_finished_run_that_missed_every_rise_in_its_noise_is_not_told_to_continue() -> None:
    noise = random.Random(3)
    flat = steady(20, reward=lambda step: noise.gauss(0.4, 0.15), pass_rate=lambda step: noise.gauss(0.3, 0.15))
    diagnosis = diagnose(run_of(flat), DEFAULT)
    assert diagnosis.issues == ()
    assert (diagnosis.status, diagnosis.decision) == (Status.UNKNOWN, Decision.UNKNOWN)
    assert "no rise can be shown" in decided(diagnosis)
    ahead = diagnose(run_of([entry | {"progress": entry["progress"] / 2} for entry in flat]), DEFAULT)
    assert ahead.decision is Decision.CONTINUE


def test_a_finished_run_that_rose_is_told_that_it_is_finished() -> None:
    diagnosis = diagnose(run_of(steady()), DEFAULT)
    assert diagnosis.decision is Decision.CONTINUE
    assert decided(diagnosis).startswith("FINISHED")
    assert "Recheck" not in decided(diagnosis)


# --- giving up --------------------------------------------------------------------------------------------------------


def test_many_answers_that_have_given_up_are_named_and_few_are_not() -> None:
    assert named(steady(degenerate=lambda step: 0.35)) == {}
    assert named(steady(degenerate=lambda step: 0.6)) == {"giving-up": Level.WARNING}
    assert named(steady(degenerate=lambda step: 0.8)) == {"giving-up": Level.CRITICAL}


def test_a_rising_share_of_answers_that_have_given_up_is_named_unless_passes_rise_too() -> None:
    rising = {"degenerate": lambda step: 0.1 + 0.35 * step / 60 + 0.02 * math.sin(step)}
    assert named(steady(**rising)) == {}
    assert named(steady(**rising, pass_rate=lambda step: 0.2 + 0.01 * math.sin(step))) == {
        "giving-up-rises": Level.WARNING
    }


# --- short runs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [3, 4])
def test_what_is_wrong_at_every_step_of_a_short_run_is_warned_of(steps: int) -> None:
    short = steady(truncated=lambda step: 0.9, no_code_or_syntax=lambda step: 0.2)[:steps]
    assert named(short) == {"truncation": Level.WARNING}
    assert named(short[:2]) == {}
    once = steady(truncated=lambda step: 0.9 if step == 2 else 0.1)[:steps]
    assert named(once) == {}


@pytest.mark.parametrize("steps", [1, 2, 3, 6])
def test_a_short_run_is_told_what_can_be_said(steps: int) -> None:
    diagnosis = diagnose(run_of(steady()[:steps]), DEFAULT)
    shown = "\n".join(told(diagnosis, Style()))
    reading = diagnosis.reading("low-reward")
    assert reading.mean is not None
    assert any("low-reward" in line and f"{reading.mean:.3f}" in line for line in shown.splitlines())
    assert "Reward" in course(diagnosis)


@pytest.mark.parametrize("steps", [6, 8])
def test_a_rise_is_seen_in_six_steps_if_it_is_clear(steps: int) -> None:
    clear = steady(steps, reward=lambda step: 0.1 if step <= steps // 2 else 0.8)
    light = next(green for green in diagnose(run_of(clear), DEFAULT).green_lights if "reward" in green.criterion.text)
    assert light.state is State.MET


def test_a_reward_that_stands_still_for_half_of_the_run_is_warned_of_and_only_then() -> None:
    flat = steady(reward=lambda step: 0.3 + 0.005 * math.sin(step), pass_rate=lambda step: 0.1)
    assert named(flat) == {"flat-reward": Level.WARNING}
    assert named(flat[:25]) == {}


@pytest.mark.parametrize(
    ("rule", "courses"),
    [
        ("flat-reward", {"reward": lambda step: 0.7}),
        ("plateau", {"reward": lambda step: min(0.75, 0.2 + 0.025 * step)}),
        (
            "giving-up-rises",
            {"degenerate": lambda step: 0.1 + 0.3 * step / 60, "reward": lambda step: 0.2 + 0.005 * step},
        ),
    ],
)
def test_a_finding_that_passes_would_excuse_is_unknown_if_they_are(
    rule: str, courses: dict[str, Callable[[int], Any]]
) -> None:
    run = steady(60, **courses, pass_rate=lambda step: 0.1)
    assert rule in named(run)
    unknown = without(run, "pass_rate")
    assert named(unknown) == {}
    assert diagnose(run_of(unknown), DEFAULT).reading(rule).level is Level.UNKNOWN


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


def without(entries: Sequence[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in entry.items() if name not in names} for entry in entries]


def test_a_rule_whose_condition_is_unknown_is_unknown_and_warns_of_nothing() -> None:
    entries = without(steady(compression_ratio=lambda step: 30.0), "truncated", "no_code_or_syntax")
    reading = diagnose(run_of(entries), DEFAULT).reading("repetition")
    assert reading.level is Level.UNKNOWN
    assert reading.measured.why == "truncated or without code: not recorded"


def test_a_rising_reward_without_a_pass_rate_is_accused_of_nothing() -> None:
    diagnosis = diagnose(run_of(without(steady(), "pass_rate", "outcomes")), DEFAULT)
    assert diagnosis.issues == ()
    assert diagnosis.reading("reward-hacking").level is Level.UNKNOWN
    assert "Nothing alarming in what was recorded" in summary(diagnosis)


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


def rates(*values: float, **settings: str) -> Run:
    return replace(run_of([{"learning_rate": value} for value in values]), settings=settings)


LOWER = Action(text="", setting="learning_rate", factor=0.5)


@pytest.mark.parametrize(
    ("run", "line"),
    [
        (rates(1e-5, 2e-5, 1e-5), "1e-05  # from 2e-05 (the log's highest)"),
        (rates(7e-4, 4e-4, learning_rate="0.0007"), "0.00035  # from 0.0007"),
        (rates(6.9e-4, 4e-4, learning_rate="0.0007"), "0.00035  # from 0.0007"),
        (rates(1e-6, 2e-6, 3e-6, learning_rate="1e-4"), "5e-05  # from 0.0001"),  # a warm-up on its way
        (rates(1e-5, 1e-5, learning_rate="1e-3"), "5e-06  # from 1e-05 (the log's highest; config.yaml has 1e-3)"),
        (rates(2e-3, 1e-3, learning_rate="1e-3"), "0.001  # from 0.002 (the log's highest; config.yaml has 1e-3)"),
    ],
)
def test_advice_on_the_learning_rate_starts_from_the_logs_own(run: Run, line: str) -> None:
    assert [export.line for export in exports_of(LOWER, run, {})] == [f"export GRPO_LEARNING_RATE={line}"]


def test_a_learning_rate_that_a_profile_assumes_is_assumed_of_the_log_too() -> None:
    (export,) = exports_of(LOWER, rates(3e-6), {"learning_rate": "5e-6"})
    assert export.line == "export GRPO_LEARNING_RATE=2.5e-06  # from 5e-06 (assumed: no config.yaml)"


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
