"""Two evaluations compared: the laws of differences, flips and moves, and the text for people."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env import Outcome, Problem, Verifier
from ocaml_env.commands.compare import main
from ocaml_env.commands.evaluate import main as evaluate_main
from ocaml_env.display.terminal import Paint
from ocaml_env.evaluation.compare.difference import difference
from ocaml_env.evaluation.compare.formatting import by_step, of_movement, verdict
from ocaml_env.evaluation.compare.movement import Kind, flips, movement
from ocaml_env.evaluation.compare.page import page
from ocaml_env.evaluation.compare.pairs import Pair
from ocaml_env.evaluation.compare.side import OUTCOMES, Answers, Sample, Side, read_side
from ocaml_env.evaluation.compare.study import compare, record
from ocaml_env.evaluation.compare.table import show
from ocaml_env.evaluation.config import BenchmarkRun
from ocaml_env.problems import to_jsonl
from tests.browser import Browser
from tests.evaluation.fake_server import FakeServer, Reply
from tests.evaluation.small_evaluations import SHORT, STRONG, WEAK, evaluate, suite_of
from tests.pages import HOSTILE, assert_alone, assert_fits


@pytest.fixture(scope="module")
def runs(verifier: Verifier, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Makes the directories of five evaluations of the same problems; "short" has fewer samples."""
    del verifier
    folder = tmp_path_factory.mktemp("evaluations")
    suite = suite_of(folder)
    for name, model in (("weak", WEAK), ("strong", STRONG), ("short", SHORT)):
        evaluate(folder / name, model, suite, "--k", "1,2,3")
    evaluate(folder / "reference", "agent:reference", suite, "--n", "1")
    evaluate(folder / "stub", "agent:stub", suite, "--n", "1")
    return folder


@pytest.fixture(scope="module")
def weak(runs: Path) -> Side:
    return read_side(runs / "weak")


@pytest.fixture(scope="module")
def strong(runs: Path) -> Side:
    return read_side(runs / "strong")


def samples_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]


def passed_of(folder: Path) -> dict[str, list[bool]]:
    passed: dict[str, list[bool]] = {}
    for sample in samples_of(folder):
        passed.setdefault(sample["problem_id"], []).append(sample["passed"])
    return passed


# --- laws -------------------------------------------------------------------------------------------------------------


def test_an_evaluation_does_not_differ_from_itself(runs: Path, weak: Side) -> None:
    found = compare(weak, read_side(runs / "weak"))
    every = [*found.figures.values(), *found.by_level.values(), *found.by_topic.values()]
    assert {(figure.estimate, figure.low, figure.high, figure.p, figure.distinct) for figure in every} == {
        (0, 0, 0, 1, False)
    }
    assert (found.flips, found.warnings) == ([], [])
    assert {before == after for before, after in found.moves} == {True}
    assert of_movement(found) == []
    assert "equally" in verdict(found)


def test_swapping_the_sides_negates_every_difference_and_reverses_every_move(weak: Side, strong: Side) -> None:
    there, back = compare(weak, strong), compare(strong, weak)
    for forward, backward in (
        (there.figures, back.figures),
        (there.by_level, back.by_level),
        (there.by_topic, back.by_topic),
    ):
        assert forward.keys() == backward.keys()
        for name, rise in forward.items():
            fall = backward[name]
            assert (rise.a, rise.b, rise.p, rise.distinct) == (fall.b, fall.a, fall.p, fall.distinct)
            assert (rise.estimate, rise.low, rise.high) == pytest.approx((-fall.estimate, -fall.high, -fall.low))
    assert {(after, before): count for (before, after), count in there.moves.items()} == back.moves
    turned = {Kind.GAINED: Kind.LOST, Kind.LOST: Kind.GAINED, Kind.ROSE: Kind.FELL, Kind.FELL: Kind.ROSE}
    for kind, other_way in turned.items():
        assert {flip.problem for flip in there.of(kind)} == {flip.problem for flip in back.of(other_way)}


def test_the_order_of_samples_in_the_file_changes_nothing(runs: Path, weak: Side, strong: Side, tmp_path: Path) -> None:
    for seed, name in enumerate(("weak", "strong")):
        shutil.copytree(runs / name, tmp_path / name)
        lines = (tmp_path / name / "samples.jsonl").read_text().splitlines(keepends=True)
        random.Random(seed).shuffle(lines)
        (tmp_path / name / "samples.jsonl").write_text("".join(lines))
    shuffled = compare(read_side(tmp_path / "weak"), read_side(tmp_path / "strong"))
    straight = compare(weak, strong)
    ours, theirs = record(shuffled), record(straight)
    for side in ("a", "b"):
        del ours[side]["path"], theirs[side]["path"]
    assert ours == theirs


def test_the_means_are_those_of_the_summaries(runs: Path, weak: Side, strong: Side) -> None:
    found = compare(weak, strong)
    for name, which in (("weak", "a"), ("strong", "b")):
        summary = json.loads((runs / name / "summary.json").read_text())
        means = {share: getattr(figure, which) for share, figure in found.figures.items()}
        expected = {f"pass@{k}": summary[f"pass@{k}"]["estimate"] for k in (1, 2, 3)}
        expected |= {share: part for share, part in summary["funnel"].items() if share != "passed"}
        assert means == pytest.approx(expected | {"reward": summary["reward"]["mean"]})


RATES = st.lists(st.tuples(*[st.integers(0, 4).map(lambda passed: passed / 4)] * 2), min_size=1, max_size=9)


@given(RATES)
def test_an_interval_contains_its_estimate_and_p_is_the_share_of_sign_flips(pairs: list[tuple[float, float]]) -> None:
    found = difference(pairs)
    assert found.low <= found.estimate <= found.high
    assert found.estimate == pytest.approx(found.b - found.a)
    rises = [b - a for a, b in pairs]
    sums = [
        abs(sum(sign * rise for sign, rise in zip(signs, rises, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(rises))
    ]
    assert found.p == pytest.approx(sum(total >= abs(sum(rises)) - 1e-9 for total in sums) / len(sums))


def test_a_difference_in_many_problems_is_distinct_but_noise_is_not() -> None:
    noise = random.Random(1)
    pairs = [(noise.random(), noise.random()) for _ in range(300)]
    assert not difference(pairs).distinct
    better = difference([(a, b + 0.2) for a, b in pairs])
    assert better.distinct
    assert better.p < 0.001


def test_fewer_than_six_problems_prove_nothing() -> None:
    assert not difference([(0.0, 1.0)] * 5).distinct
    # 0.1 and the mean of three 0.1 differ by rounding only.
    assert difference([(0.1, (0.1 + 0.1 + 0.1) / 3)] * 8).p == 1
    assert difference([(0.0, 1.0)] * 6).distinct


ENDS = st.lists(st.sampled_from(OUTCOMES), min_size=1, max_size=6)


@given(st.lists(st.tuples(ENDS, ENDS), min_size=1, max_size=4))
def test_moves_add_up_to_both_sides_and_are_as_few_as_possible(
    problems: list[tuple[list[Outcome], list[Outcome]]],
) -> None:
    pairs = [Pair(problem=str(place), a=answers(a), b=answers(b)) for place, (a, b) in enumerate(problems)]
    moves = movement(pairs)
    stayed = 0.0
    before: Counter[Outcome] = Counter()
    after: Counter[Outcome] = Counter()
    for a, b in problems:
        size = min(len(a), len(b))
        stayed += sum(size * min(a.count(end) / len(a), b.count(end) / len(b)) for end in OUTCOMES)
        for end in OUTCOMES:
            before[end] += size * a.count(end) / len(a)  # type: ignore[assignment]
            after[end] += size * b.count(end) / len(b)  # type: ignore[assignment]
    for end in OUTCOMES:
        assert sum(count for (start, _), count in moves.items() if start is end) == pytest.approx(before[end])
        assert sum(count for (_, stop), count in moves.items() if stop is end) == pytest.approx(after[end])
    assert sum(count for (start, stop), count in moves.items() if start is stop) == pytest.approx(stayed)


def answers(outcomes: Sequence[Outcome]) -> Answers:
    return Answers([Sample(outcome=outcome, total=0.0, tokens=None) for outcome in outcomes])


# --- flips and moves --------------------------------------------------------------------------------------------------


def test_flips_agree_with_a_count_by_hand(runs: Path, weak: Side, strong: Side) -> None:
    a, b = passed_of(runs / "weak"), passed_of(runs / "strong")
    found = compare(weak, strong)
    assert {flip.problem for flip in found.of(Kind.GAINED)} == {name for name in a if not any(a[name]) and any(b[name])}
    assert {flip.problem for flip in found.of(Kind.LOST)} == {name for name in a if any(a[name]) and not any(b[name])}
    assert {flip.problem: (flip.a, flip.b) for flip in found.flips} == {
        name: ((sum(a[name]), 3), (sum(b[name]), 3)) for name in a if sum(a[name]) != sum(b[name])
    }
    assert {kind: len(found.of(kind)) for kind in Kind} == {
        Kind.GAINED: 4,
        Kind.LOST: 1,
        Kind.ROSE: 1,
        Kind.FELL: 0,
    }
    rises = [abs(flip.rise) for flip in found.flips]
    assert rises == sorted(rises, reverse=True)


def test_movement_is_described_stage_by_stage(weak: Side, strong: Side) -> None:
    found = compare(weak, strong)
    assert by_step(found.moves)[1, 5] == 3  # no code, syntax, types, compile, tests, passed
    assert of_movement(found) == [
        "4 of 4 answers without code now hold code, 3 compile, 3 pass.",
        "5 of 6 syntax errors now parse, 3 compile, 3 pass.",
        "4 of 8 typecheck failures now compile, 4 pass; 1 fail earlier.",
        "2 of 6 that passed now fail: 1 at syntax, 1 at types.",
    ]


def test_stubs_fail_at_the_tests_that_references_pass(runs: Path) -> None:
    found = compare(read_side(runs / "reference"), read_side(runs / "stub"))
    assert of_movement(found) == ["8 of 8 that passed now fail: 8 at tests."]
    assert found.figures["pass@1"].estimate == -1
    assert found.figures["pass@1"].distinct
    assert "A solves more" in verdict(found)
    assert len(found.of(Kind.LOST)) == 8


def test_different_numbers_of_samples_are_compared_problem_by_problem(runs: Path, weak: Side) -> None:
    short = read_side(runs / "short")
    found = compare(short, weak)
    assert set(found.figures) & {"pass@1", "pass@2", "pass@3"} == {"pass@1", "pass@2"}
    rates = passed_of(runs / "short")
    assert found.figures["pass@1"].a == pytest.approx(sum(sum(rate) / 2 for rate in rates.values()) / 8)
    assert sum(found.moves.values()) == pytest.approx(16)
    assert any("n is 2 in A and 3 in B" in warning for warning in found.warnings)
    assert {flip.problem for flip in flips(found.pairs.compared)} == {
        name for name, rate in passed_of(runs / "weak").items() if sum(rate) / 3 != sum(rates[name]) / 2
    }


# --- unequal settings and problems ------------------------------------------------------------------------------------


def test_different_settings_are_named_and_rewards_of_different_presets_are_not_compared(
    weak: Side, strong: Side
) -> None:
    versions = weak.config.versions
    changed = {**versions, "ocaml": "5.3.0"}
    other = replace(strong.config, temperature=0.2, reward="binary", prompt_style="chat", versions=changed)
    first = replace(weak, config=replace(weak.config, temperature=0.8, max_tokens=512))
    found = compare(first, replace(strong, config=other))
    warnings = "\n".join(found.warnings)
    for words in (
        "temperature is 0.8 in A and 0.2 in B",
        "reward is 'staged' in A and 'binary' in B: rewards are not compared",
        "prompt_style is 'text' in A and 'chat' in B",
        f"OCaml is '{versions['ocaml']}' in A and '5.3.0' in B",
        "known of A alone: max_tokens",
    ):
        assert words in warnings
    assert "reward" not in found.figures
    assert all(warning in show(found, Paint(False)) for warning in found.warnings)


def test_other_weights_are_no_other_settings(weak: Side, strong: Side) -> None:
    def on_the_benchmark(side: Side, weights: str) -> Side:
        run = BenchmarkRun(name="ocamlcode-1", version=1, weights=weights)
        return replace(side, config=replace(side.config, benchmark=run))

    warnings = compare(weak, strong).warnings
    assert compare(on_the_benchmark(weak, "1" * 64), on_the_benchmark(strong, "2" * 64)).warnings == warnings
    mixed = compare(weak, on_the_benchmark(strong, "2" * 64)).warnings
    assert any("benchmark" in warning for warning in mixed)


def test_problems_of_one_side_and_problems_with_changed_tests_are_counted_and_left_out(
    verifier: Verifier, add: Problem, last: Problem, total: Problem, tmp_path: Path
) -> None:
    del verifier
    changed = replace(last, tests=last.tests[:-1])
    suites: dict[str, list[Problem]] = {"a": [add, last], "b": [add, changed, total]}
    for name, problems in suites.items():
        to_jsonl(problems, tmp_path / f"{name}.jsonl")
        evaluate(tmp_path / name, "agent:reference", (str(tmp_path / f"{name}.jsonl"), problems), "--n", "1")
    found = compare(read_side(tmp_path / "a"), read_side(tmp_path / "b"))
    assert [pair.problem for pair in found.pairs.compared] == ["add"]
    assert (found.pairs.only_a, found.pairs.only_b, found.pairs.changed) == ((), ("total",), ("last",))
    assert "1 problem (last): the same id, and other tests" in "\n".join(found.warnings)
    assert "0 problems were asked only in A and 1 only in B" in "\n".join(found.warnings)


def test_changed_statements_are_noticed_by_their_prompts(
    verifier: Verifier, add: Problem, last: Problem, tmp_path: Path
) -> None:
    del verifier
    for name, problem in (("a", add), ("b", replace(add, statement="Write `add` and `negate`."))):
        to_jsonl([problem, last], tmp_path / f"{name}.jsonl")
        evaluate(tmp_path / name, "agent:reference", (str(tmp_path / f"{name}.jsonl"), [problem, last]), "--n", "1")
    found = compare(read_side(tmp_path / "a"), read_side(tmp_path / "b"))
    assert found.warnings == [
        "1 problem (add): the prompts differ, with the same settings: other statements, or another ocaml-env"
    ]


def test_faults_do_not_count_as_failures(
    verifier: Verifier,
    add: Problem,
    last: Problem,
    server: FakeServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    del verifier
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    to_jsonl([add, last], tmp_path / "suite.jsonl")
    suite = (str(tmp_path / "suite.jsonl"), [add, last])

    def reply(body: dict[str, Any], number: int) -> Reply:
        return Reply.text(add.reference) if "negate" in body["messages"][0]["content"] else Reply.error(400, "no")

    server.reply = reply
    more = ["--problems", suite[0], "--n", "1", "--workers", "1", "--base-url", server.url]
    assert evaluate_main(["--model", "openai:m", "--out", str(tmp_path / "a"), *more]) == 3
    evaluate(tmp_path / "b", "agent:reference", suite, "--n", "1")
    found = compare(read_side(tmp_path / "a"), read_side(tmp_path / "b"))
    assert found.pairs.unanswered == ("last",)
    assert found.figures["pass@1"].a == found.figures["pass@1"].b == 1
    assert any("1 in A and 0 in B; so 1 problem (last) left out" in warning for warning in found.warnings)


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_prints_a_table_and_writes_a_page_and_json(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], browser: Browser
) -> None:
    told, drawn = tmp_path / "told.json", tmp_path / "drawn.html"
    paths = [str(runs / "weak"), str(runs / "strong")]
    assert main([*paths, "--json", str(told), "--html", str(drawn)]) == 0
    printed = capsys.readouterr().out
    values = json.loads(told.read_text())
    summary = json.loads((runs / "strong" / "summary.json").read_text())
    assert values["differences"]["pass@1"]["b"] == pytest.approx(summary["pass@1"]["estimate"])
    assert len(values["flips"]["gained"]) == 4
    assert sum(move["samples"] for move in values["movement"]) == 24
    for flip in itertools.chain(*values["flips"].values()):
        assert flip["problem_id"] in printed
        assert flip["problem_id"] in drawn.read_text()
    for sentence in values["movement_told"]:
        assert sentence in printed
        assert sentence in drawn.read_text()
    assert drawn.read_text().count("<svg") == 2
    assert_alone(drawn.read_text())
    assert_fits(browser, drawn)


@pytest.mark.parametrize("width", [80, 140])
def test_no_line_is_wider_than_the_terminal(weak: Side, strong: Side, width: int) -> None:
    lines = show(compare(weak, strong), Paint(False), width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert not any(line.endswith("...") and "%" in line for line in lines)


def test_hostile_names_stay_text(weak: Side, strong: Side, tmp_path: Path, browser: Browser) -> None:
    hostile = replace(weak.config, model=HOSTILE, problems=HOSTILE, instruction=HOSTILE)
    renamed = {HOSTILE + name: sample_answers for name, sample_answers in weak.answers.items()}
    found = compare(
        replace(weak, config=hostile, answers=renamed),
        replace(strong, answers={HOSTILE + name: sample_answers for name, sample_answers in strong.answers.items()}),
    )
    assert "\x1b" not in show(found, Paint(False))
    assert "\u202e" not in show(found, Paint(False))
    drawn = tmp_path / "page.html"
    drawn.write_text(page(found), encoding="utf-8")
    assert_alone(drawn.read_text())
    assert_fits(browser, drawn)


def test_an_unfinished_evaluation_is_wrong_usage_with_the_reason(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(folder: Path) -> str:
        assert main([str(folder), str(runs / "strong")]) == 2
        return capsys.readouterr().err

    assert "this is no results directory" in refused(tmp_path / "nowhere")
    assert "this is no results directory" in refused(tmp_path)
    half = tmp_path / "half"
    shutil.copytree(runs / "weak", half)
    lines = (half / "samples.jsonl").read_text().splitlines(keepends=True)
    (half / "samples.jsonl").write_text("".join(lines[:-1]))
    assert "there are 23 samples" in refused(half)
    (half / "samples.jsonl").write_text("".join([*lines, lines[0]]))
    assert "is there twice" in refused(half)
    (half / "samples.jsonl").write_text("".join([lines[0].replace('"PASSED"', '"FINE"', 1), *lines[1:]]))
    (half / "summary.json").unlink()
    assert "is not finished" in refused(half)
    (half / "summary.json").write_text("{}")
    assert "not the summary of an evaluation" in refused(half)
    shutil.copy(runs / "weak" / "summary.json", half)
    (half / "samples.jsonl").unlink()
    assert "samples.jsonl" in refused(half)


def test_evaluations_without_a_common_problem_have_nothing_to_compare(
    runs: Path, verifier: Verifier, add: Problem, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del verifier
    to_jsonl([add], tmp_path / "one.jsonl")
    evaluate(tmp_path / "one", "agent:reference", (str(tmp_path / "one.jsonl"), [add]), "--n", "1")
    capsys.readouterr()
    assert main([str(runs / "weak"), str(tmp_path / "one")]) == 2
    assert "no problem was asked in both" in capsys.readouterr().err
