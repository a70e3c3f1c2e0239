"""The figures of reward quality agree with counts by hand, and show the known differences of the presets."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.reward_quality.__main__ import PRESETS, choose, main
from benchmarks.reward_quality.gather import Gathered, gather
from benchmarks.reward_quality.ladder import LIMITS, Answer, Severity, answers, ladder
from benchmarks.reward_quality.laws import LAWS
from benchmarks.reward_quality.measures import Order, auc, break_even, distinct, order, spearman, tied_share
from benchmarks.reward_quality.policies import POLICIES, TRY
from benchmarks.reward_quality.study import Quality, assess
from benchmarks.reward_quality.table import meaning, record, rows
from ocaml_env import ConfigError, Outcome, RewardSpec, Verifier
from tests.browser import Browser
from tests.pages import assert_alone, assert_fits

SEED = "seed-2025-12-10"

# --- measures ---------------------------------------------------------------------------------------------------------


def test_pairs_are_right_tied_or_reversed_and_rounding_differences_are_ties() -> None:
    found = order([(1.0, 0.5), (0.1 + 0.2, 0.3), (0.2, 0.4), (0.9, 0.0)])
    assert found == Order(right=0.5, tied=0.25, reversed=0.25)
    assert order([]) is None


def test_a_tie_counts_half_towards_the_auc() -> None:
    # (.6, .35) against (.35, .2): three pairs are right, one is tied.
    assert auc((near, far) for near in (0.6, 0.35) for far in (0.35, 0.2)) == 0.875
    assert auc([(0.35, 0.35)]) == 0.5
    assert auc([]) is None


@pytest.mark.parametrize(
    ("rewards", "severities", "expected"),
    [
        ([1.0, 0.5, 0.2, 0.0], [0, 1, 2, 3], -1.0),
        ([0.0, 0.2, 0.3], [0, 1, 2], 1.0),
        # Ranks 4, 2.5, 2.5, 1 against 1, 2, 3, 4 give -4.5 / sqrt(4.5 x 5).
        ([1.0, 0.3, 0.3, 0.0], [0, 1, 2, 3], -4.5 / math.sqrt(22.5)),
        # 1 - 6 x (1 + 1 + 0) / (3 x 8)
        ([2.0, 1.0, 3.0], [1, 2, 3], 0.5),
    ],
)
def test_rank_correlation_by_hand(rewards: Sequence[float], severities: Sequence[float], expected: float) -> None:
    assert spearman(rewards, severities) == pytest.approx(expected)


def test_a_constant_reward_has_no_rank_correlation() -> None:
    assert spearman([0.3, 0.3], [0, 1]) is None


def test_a_group_is_tied_when_all_of_its_rewards_are_equal() -> None:
    assert tied_share([[0.1 + 0.2, 0.3], [0.0, 1.0], [0.0, 0.0], [0.5, 0.5]]) == 0.75
    assert distinct([0.1 + 0.2, 0.3, 0.0]) == 2


def test_trying_pays_from_the_compile_rate_at_which_its_mean_equals_giving_up() -> None:
    rate = break_even(compiled=0.6, failed=0.1, effortless=0.25)
    assert rate == pytest.approx(0.3)
    assert rate * 0.6 + (1 - rate) * 0.1 == pytest.approx(0.25)
    assert break_even(compiled=0.6, failed=0.1, effortless=0.1) == 0.0
    assert break_even(compiled=0.3, failed=0.1, effortless=0.35) == math.inf
    assert break_even(compiled=0.35, failed=0.1, effortless=0.35) == 1.0


def test_the_assumed_shares_of_policies_and_tries_add_up_to_1() -> None:
    for shares in (*(policy.shares for policy in POLICIES), *TRY.values()):
        assert math.fsum(shares.values()) == pytest.approx(1.0)


# --- the ladder -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gathered(verifier: Verifier) -> Gathered:
    del verifier  # only skips without OCaml
    return gather(choose("bundled:train?level=5-6", 3), family="shadowing", workers=1)


@pytest.fixture(scope="module")
def qualities(gathered: Gathered) -> list[Quality]:
    return [assess(gathered, preset) for preset in PRESETS]


def test_answers_have_the_errors_of_their_severity(gathered: Gathered) -> None:
    levels = ladder(gathered.material.answers)
    assert len(levels) == 3
    seen = {severity for table in levels.values() for severity in table}
    assert seen == set(Severity)
    for table in levels.values():
        assert [answer.verdict.outcome for answer in table[Severity.REFERENCE]] == [Outcome.PASSED]
        for errors, severity in enumerate(
            (Severity.ONE_TYPE_ERROR, Severity.TWO_TYPE_ERRORS, Severity.THREE_TYPE_ERRORS), 1
        ):
            assert {answer.verdict.errors for answer in table[severity]} == {errors}
        for answer in table[Severity.SYNTAX_ERROR]:
            assert answer.verdict.outcome is Outcome.SYNTAX_ERROR
        for answer in table.get(Severity.FAILS_FEW, ()):
            assert _failed(answer) <= 1 / 3 + 1e-9
        for answer in table.get(Severity.FAILS_MOST, ()):
            assert _failed(answer) >= 2 / 3 - 1e-9


def _failed(answer: Answer) -> float:
    passed, of = answer.hidden
    assert not answer.verdict.passed
    return 1 - passed / of


def test_answers_are_deterministic_and_depend_on_the_seed(gathered: Gathered) -> None:
    again = gather(choose("bundled:train?level=5-6", 3), family="shadowing", workers=2)
    assert [record(assess(again, preset)) for preset in PRESETS] == [
        record(assess(gathered, preset)) for preset in PRESETS
    ]
    other = gather(choose("bundled:train?level=5-6", 1), family="shadowing", seed=1, workers=1)
    mine = [answer.text for answer in gathered.material.answers]
    assert any(answer.text not in mine for answer in other.material.answers)


def test_a_program_has_a_ladder_too(verifier: Verifier) -> None:
    (problem, *_) = [problem for problem in choose("bundled:train", 0) if problem.kind == "program"]
    with Verifier(workers=verifier.workers, limits=LIMITS) as short:
        found = answers(problem, short, random.Random(0))
    assert found[0].verdict.passed
    assert {Severity.ONE_TYPE_ERROR, Severity.SYNTAX_ERROR, Severity.NO_ANSWER} <= {answer.severity for answer in found}


# --- known differences of the presets ---------------------------------------------------------------------------------


def broken(quality: Quality) -> set[str]:
    return {trial.law for trial in quality.laws if trial.broken}


def of(qualities: Sequence[Quality], preset: str) -> Quality:
    return next(quality for quality in qualities if quality.preset == preset)


def test_staged_breaks_no_law_and_each_law_was_tried(qualities: Sequence[Quality]) -> None:
    staged = of(qualities, "staged")
    assert broken(staged) == set()
    assert [trial.law for trial in staged.laws] == [law.title for law in LAWS]
    assert all(trial.cases for trial in staged.laws)


def test_the_seeds_preset_breaks_the_known_laws(qualities: Sequence[Quality]) -> None:
    assert broken(of(qualities, SEED)) == {
        "nothing for prose, gibberish, markers, comments, runaways",
        "code that parses gets more than those",
        "comments change nothing",
        "repeating code never pays",
        "a stub earns at most .25 if baselines are known",
        "no attack earns more than its baseline",
        "code that passes no hidden test earns at most .25",
    }


def test_the_first_edition_of_staged_pays_stubs_and_code_that_passes_nothing(qualities: Sequence[Quality]) -> None:
    assert broken(of(qualities, "staged-1")) == {
        "a stub earns at most .25 if baselines are known",
        "code that passes no hidden test earns at most .25",
    }


def test_the_seeds_spam_earns_its_historical_rewards(gathered: Gathered) -> None:
    spec = RewardSpec.preset(SEED)
    paid = {answer.kind: round(answer.total(spec), 6) for answer in gathered.material.answers}
    assert (paid["runaway spam"], paid["markdown spam"]) == (0.048, 0.21)


def test_staged_ranks_a_near_miss_above_a_far_one_and_the_seeds_preset_does_not(qualities: Sequence[Quality]) -> None:
    near_far = {quality.preset: quality.near_far for quality in qualities}
    assert near_far == {"staged": 1.0, "staged-1": 1.0, "pass-dominant": 1.0, "binary": 0.5, SEED: 0.5}


def test_binary_ties_more_groups_than_any_other_preset(qualities: Sequence[Quality]) -> None:
    for policy in POLICIES:
        assert of(qualities, "binary").tied[policy.name] == max(quality.tied[policy.name] for quality in qualities)
    assert of(qualities, "binary").distinct == 2


def test_giving_up_pays_longest_under_the_seeds_preset(qualities: Sequence[Quality]) -> None:
    rates = {quality.preset: quality.payoffs.stub_break_even for quality in qualities}
    assert max(rates, key=lambda preset: rates[preset]) == SEED
    assert {quality.preset for quality in qualities if quality.payoffs.spam_break_even > 0} == {SEED}


def test_an_attack_beats_its_baseline_only_under_the_seeds_preset(qualities: Sequence[Quality]) -> None:
    assert {quality.preset for quality in qualities if quality.exploits.above_baseline} == {SEED}


def test_a_comment_and_the_marker_raise_an_attacks_reward_only_under_the_seeds_preset(
    qualities: Sequence[Quality],
) -> None:
    gains = {quality.preset: quality.exploits.best_stuffed - quality.exploits.best for quality in qualities}
    assert gains == pytest.approx({"staged": 0.0, "staged-1": 0.0, "pass-dominant": 0.0, "binary": 0.0, SEED: 0.05})


# --- text and tables --------------------------------------------------------------------------------------------------


def test_the_sentences_follow_the_figures(qualities: Sequence[Quality]) -> None:
    laws, signal, trying, giving_up = meaning(qualities)
    assert "staged keeps every law" in laws
    assert f"{SEED} breaks 7 of 14" in laws
    assert f"binary and {SEED} cannot tell a near miss from a far one" in signal
    assert f"{of(qualities, SEED).payoffs.stub_break_even:.0%} under {SEED}" in trying
    assert f"{of(qualities, 'staged-1').evidence.giving_up.mean:.2f} under staged-1" in giving_up
    worse = [replace(quality, laws=of(qualities, SEED).laws, near_far=1.0) for quality in qualities]
    laws, signal, *_ = meaning(worse)
    assert laws.startswith("Every preset breaks a law")
    assert "near miss" not in signal


def test_the_table_marks_the_best_presets_of_a_row(qualities: Sequence[Quality]) -> None:
    table = {row.title: row for row in rows(qualities)}
    assert {PRESETS[place] for place in table["near miss above far miss (AUC)"].best} == {
        "staged",
        "staged-1",
        "pass-dominant",
    }
    assert {PRESETS[place] for place in table["laws of staged broken, of 14"].best} == {"staged"}


def test_the_command_prints_a_table_and_writes_json_and_a_page_that_loads_nothing(
    verifier: Verifier, tmp_path: Path, capsys: pytest.CaptureFixture[str], browser: Browser
) -> None:
    del verifier
    told, drawn = tmp_path / "quality.json", tmp_path / "quality.html"
    chosen = ["--limit", "1", "--family", "shadowing", "--workers", "1"]
    assert main([*chosen, "--json", str(told), "--html", str(drawn)]) == 0
    printed = capsys.readouterr().out
    assert all(preset in printed for preset in PRESETS)
    values = json.loads(told.read_text())
    assert list(values["presets"]) == list(PRESETS)
    assert all(sentence in printed for sentence in values["meaning"])
    html = drawn.read_text()
    assert html.count("<svg") >= 8
    assert_alone(html)
    assert_fits(browser, drawn)


def test_bad_arguments_are_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--problems", "bundled:nowhere"]) == 2
    assert main(["--html", str(tmp_path / "no" / "such.html")]) == 2
    assert main(["--limit", "1", "--family", "nosuch"]) == 2
    assert main(["--limit", "-1"]) == 2
    assert "--limit" in capsys.readouterr().err
    with pytest.raises(ConfigError):
        choose(str(tmp_path), 1)
