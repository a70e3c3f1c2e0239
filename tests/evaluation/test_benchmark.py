"""The benchmark: frozen problems, fixed settings, the score, the check of a row, and its place on the leaderboard."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from ocaml_env import ConfigError, Diagnostic, Outcome, Problem, Stage, Test, TestOutcome, Verdict, Verifier
from ocaml_env.commands import evaluate, leaderboard, submit
from ocaml_env.evaluation.benchmark import check, quick, tracks
from ocaml_env.evaluation.benchmark.fresh import draw_fresh, seed_of_weights, weights_digest
from ocaml_env.evaluation.benchmark.manifest import NAME, check_frozen, digest_of_ids, frozen_digest, manifest
from ocaml_env.evaluation.benchmark.quick import draw_quick
from ocaml_env.evaluation.benchmark.score import mean_over_levels, standard_error
from ocaml_env.evaluation.benchmark.tracks import TRACKS, read_track
from ocaml_env.evaluation.directory import read_config, read_samples, read_summary, write_json
from ocaml_env.evaluation.levels import Rung
from ocaml_env.evaluation.tally import summarise
from ocaml_env.feedback import feedback
from ocaml_env.problems import ProblemSet, load_problems
from ocaml_env.problems.generators import families
from ocaml_env.problems.repair import repair_of_id
from tests.browser import Browser
from tests.pages import assert_alone, assert_fits

WEIGHTS = "ab" * 32
QUICK = f"{NAME}-quick"


@pytest.fixture(scope="module")
def problems() -> ProblemSet:
    return load_problems("bundled:eval")


def test_no_problem_has_changed(problems: ProblemSet) -> None:
    """If this fails, freeze the problems under a new name: ``python -m benchmarks.freeze``."""
    check_frozen(problems, manifest().problems)
    assert {problem.level for problem in problems} == {1, 2, 3, 4, 5, 6}
    assert manifest().name == NAME
    assert manifest().changes


def test_no_repair_has_changed(problems: ProblemSet, verifier: Verifier) -> None:
    some = list(manifest().repair)[::48]
    now = {name: frozen_digest(repair_of_id(name, problems.get, verifier)) for name in some}
    assert now == {name: manifest().repair[name] for name in some}


@pytest.mark.parametrize(
    "change",
    [
        {"statement": "Write something else."},
        {"level": 6},
        {"topics": ("lists",)},
        {"float_tolerance": 0.5},
        {"prelude": "let x = 1"},
    ],
)
def test_a_changed_problem_is_not_the_frozen_one(problems: ProblemSet, change: dict[str, Any]) -> None:
    changed = replace(problems[0], **change)
    with pytest.raises(ConfigError, match=f"1 differ, such as '{changed.id}'"):
        check_frozen([changed, *problems[1:]], manifest().problems)
    with pytest.raises(ConfigError, match="1 differ"):
        check_frozen(problems[1:], manifest().problems)


def test_feedback_in_prompts_has_not_changed() -> None:
    """If this fails, ``-two-turns`` and ``-repair`` ask in other words: freeze the benchmark under a new name."""
    problem = Problem(
        id="f",
        statement="Write f.",
        signature="val f : int -> int",
        tests=[Test("f 1 = 1", public=True), Test("f 2 = 2", public=True), "f 3 = 3", "f 4 = 4"],
    )
    program = Problem(id="p", kind="program", statement="Echo.", tests=[Test(stdin="a", stdout="b", public=True)])
    told = [Diagnostic(kind="type-clash", message=f"error {number}", line=number, column=2) for number in range(1, 12)]
    texts = []
    for outcome, asked in product(Outcome, (problem, program)):
        early = Verdict(outcome=outcome, stage=Stage.TYPECHECK, diagnostics=tuple(told), errors=len(told))
        tests = tuple(
            TestOutcome(name=test.name, public=test.public, outcome=outcome, returned=True, detail="1 : int")
            for test in asked.tests
        )
        late = Verdict(outcome=outcome, stage=Stage.TEST, tests=tests)
        texts += [feedback(asked, verdict, code="let f x = x\n" * 3, reason="why") for verdict in (early, late)]
    digest = hashlib.sha256("\n\n".join(texts).encode()).hexdigest()
    assert digest == "823787cd24ed3813b4a4b957d88241a4d44eb60d5bdbb8fdc3f45f3d3de5ff99"


def test_the_quick_track_has_each_level_alike_and_each_topic_by_its_share(problems: ProblemSet) -> None:
    chosen = draw_quick(problems)
    assert digest_of_ids(chosen) == manifest().quick
    assert Counter(problem.level for problem in chosen) == dict.fromkeys(range(1, 7), 20)
    for level in range(1, 7):
        whole = Counter(problem.topics[0] for problem in problems if problem.level == level)
        part = Counter(problem.topics[0] for problem in chosen if problem.level == level)
        for topic, count in whole.items():
            assert abs(part[topic] - 20 * count / whole.total()) < 1


def ladder(problems: list[Problem], solved: set[str]) -> list[Rung]:
    found = []
    for level in range(1, 7):
        ids = [problem.id for problem in problems if problem.level == level]
        rate = len(solved.intersection(ids)) / len(ids)
        found.append(Rung(level=level, problems=len(ids), rate=rate, low=0.0, high=1.0))
    return found


@pytest.mark.parametrize("skill", [0.5, 2.0, 3.5, 6.0])
def test_quick_is_within_its_interval_of_the_whole_for_nearly_every_model(problems: ProblemSet, skill: float) -> None:
    chance, inside = random.Random(7), 0
    part = draw_quick(problems)
    for _ in range(200):
        solved = {p.id for p in problems if chance.random() < 1 / (1 + 4 ** ((p.level or 0) - skill))}
        whole, less = ladder(list(problems), solved), ladder(part, solved)
        difference = abs(mean_over_levels(less) - mean_over_levels(whole))
        inside += difference <= 1.96 * standard_error(less)
    assert inside >= 190


def test_the_score_counts_levels_alike_and_is_never_certain() -> None:
    rungs = [
        Rung(level=1, problems=90, rate=1.0, low=0.9, high=1.0),
        Rung(level=2, problems=10, rate=0.0, low=0.0, high=0.3),
    ]
    assert mean_over_levels(rungs) == 0.5
    assert 0.03 < standard_error(rungs) < 0.06


def test_fresh_problems_depend_on_weights_and_secret_and_come_from_evaluation_families(problems: ProblemSet) -> None:
    seed = seed_of_weights("secret", WEIGHTS)
    assert seed == hashlib.sha256(b"secret" + bytes.fromhex(WEIGHTS)).hexdigest()
    like = [problem for problem in problems if problem.level in (1, 2)][:5]
    drawn = list(draw_fresh(seed, like))
    assert [problem.id for problem in drawn] == [problem.id for problem in draw_fresh(seed, like)]
    assert Counter(problem.level for problem in drawn) == Counter(problem.level for problem in like)
    assert {families()[problem.id.split("/")[2]].split for problem in drawn} == {"eval"}
    others = draw_fresh(seed_of_weights("another", WEIGHTS), like)
    assert not {problem.id for problem in drawn} & {problem.id for problem in others}
    for secret, weights in (("", WEIGHTS), ("secret", "ab")):
        with pytest.raises(ConfigError, match=r"--secret|--weights"):
            seed_of_weights(secret, weights)


def test_the_digest_of_weights_reads_their_files_alone(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"1")
    before = weights_digest(tmp_path)
    (tmp_path / "README.md").write_text("hello")
    assert weights_digest(tmp_path) == before
    (tmp_path / "model.safetensors").write_bytes(b"2")
    assert weights_digest(tmp_path) != before
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ConfigError, match="no file of weights"):
        weights_digest(tmp_path)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--temperature", "0.8"], "--temperature cannot be given: --benchmark ocamlcode-1 fixes it at 0.2"),
        (["--n", "10"], "--n cannot be given"),
        (["--limit", "5"], "--limit cannot be given: --benchmark ocamlcode-1 allows none"),
        (["--max-tokens", "512"], "fixes it at 4096"),
        (["--problems", "bundled:train"], "fixes it at ocamlcode-1"),
        (["--prefill"], "--prefill cannot be given"),
        (["--reward", "binary"], "fixes it at staged"),
        (["--turns", "2"], "--turns cannot be given"),
        (["--secret", "file"], "--secret is for --benchmark ocamlcode-1-fresh"),
    ],
)
def test_options_that_contradict_the_benchmark_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], says: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        evaluate.main(["--model", "agent:reference", "--benchmark", NAME, "--out", str(tmp_path / "out"), *more])
    assert caught.value.code == 2
    assert says in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_fresh_track_needs_weights_and_a_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    usual = ["--model", "agent:reference", "--benchmark", f"{NAME}-fresh", "--out", str(tmp_path / "out")]
    assert evaluate.main(usual) == 2
    assert "--weights" in capsys.readouterr().err
    assert evaluate.main([*usual, "--weights", WEIGHTS]) == 2
    assert "--secret" in capsys.readouterr().err


def test_the_tracks_ask_the_frozen_problems(problems: ProblemSet) -> None:
    for name in TRACKS.keys() - {f"{NAME}-fresh", f"{NAME}-repair", QUICK}:
        assert read_track(name) == problems


@pytest.mark.parametrize(
    ("track", "turns", "passed"),
    [(NAME, [1, 1], 0.0), (f"{NAME}-two-turns", [2, 2], 1.0), (f"{NAME}-repair", [1, 1, 1, 1], 1.0)],
)
def test_a_model_that_needs_feedback_passes_where_it_gets_some(
    verifier: Verifier,
    problems: ProblemSet,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    track: str,
    turns: list[int],
    passed: float,
) -> None:
    """A few problems of three tracks, from ``ocaml-env evaluate`` through ``submit`` to the leaderboard."""
    del verifier
    few = ProblemSet([problem for problem in problems if problem.id in ("strict_root", "total_cost")])
    repairs = {name: digest for name, digest in manifest().repair.items() if name.rpartition("/")[2] in few.by_id}
    monkeypatch.setattr(tracks, "_frozen", lambda: few)
    monkeypatch.setattr(tracks, "manifest", lambda: replace(manifest(), repair=repairs))
    agent = ["--model", "tests.evaluation.agents_of_others:SecondTry", "--workers", "1"]
    assert evaluate.main([*agent, "--benchmark", track, "--out", str(tmp_path / "run")]) == 0
    assert [len(sample.turns) for sample in read_samples(tmp_path / "run")] == turns
    summary = read_summary(tmp_path / "run").to_json()
    assert summary["benchmark"]["name"] == track
    assert summary["benchmark"]["score"]["estimate"] == passed
    capsys.readouterr()
    assert submitted(tmp_path / "run") == 0
    assert "| self-reported |" in capsys.readouterr().out
    assert leaderboard.main([str(tmp_path), "--markdown"]) == 0
    assert f"**benchmark {track}:" in capsys.readouterr().out


@pytest.fixture(scope="module")
def runs(verifier: Verifier, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two real runs of the quick track, with two problems of each level."""
    del verifier
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quick, "MOST", 12)
        for name in ("reference", "stub"):
            run = ["--model", f"agent:{name}", "--benchmark", QUICK, "--out", str(folder / name), "--workers", "1"]
            assert evaluate.main(run) == 0
        yield folder


@pytest.fixture
def copy(runs: Path, tmp_path: Path) -> Path:
    shutil.copytree(runs, tmp_path / "runs")
    return tmp_path / "runs"


def submitted(*arguments: object) -> int:
    return submit.main([*map(str, arguments), "--workers", "1"])


def test_a_summary_tells_the_benchmark_its_score_and_its_settings(runs: Path) -> None:
    found = {name: json.loads((runs / name / "summary.json").read_text()) for name in ("reference", "stub")}
    assert found["reference"]["benchmark"]["name"] == QUICK
    assert found["reference"]["benchmark"]["version"] == 1
    assert found["reference"]["benchmark"]["by_level"] == dict.fromkeys("123456", 1.0)
    assert found["reference"]["benchmark"]["half_solved"] == "solves half above level 6"
    assert found["stub"]["benchmark"]["score"]["estimate"] == 0.0 < found["stub"]["benchmark"]["score"]["high"]
    assert found["stub"]["settings"]["n"] == 1
    assert found["stub"]["settings"]["prompt_style"] == "text"


def test_a_checked_run_becomes_a_row_and_a_second_run_reproduces_it(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert submitted(copy / "reference") == 0
    assert "| self-reported |" in capsys.readouterr().out
    assert submitted(copy / "reference", "--again", copy / "reference") == 2
    assert "this is the run itself" in capsys.readouterr().err
    shutil.copytree(copy / "reference", copy / "again")
    assert submitted(copy / "reference", "--again", copy / "again") == 0
    assert "| reproduced |" in capsys.readouterr().out
    assert submitted(copy / "reference", "--again", copy / "stub") == 2
    assert "another track or other weights" in capsys.readouterr().err
    change(copy / "reference" / "summary.json", lambda summary: summary.update(model="hf:mine"))
    assert leaderboard.main([str(copy), "--markdown"]) == 0
    assert "changed since its check" in capsys.readouterr().out
    (copy / "again" / "samples.jsonl").unlink()
    assert submitted(copy / "again") == 2
    assert "only the figures of this run were kept" in capsys.readouterr().err


def test_a_secret_of_a_release_makes_a_fresh_row_reproduced_and_is_revealed_with_it(
    verifier: Verifier,
    problems: ProblemSet,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    del verifier
    few = ProblemSet([problem for problem in problems if problem.level == 1][:2])
    monkeypatch.setattr(tracks, "_frozen", lambda: few)
    for name in ("released", "own"):
        (tmp_path / name).write_text(f"{name}\n")
        fresh = ["--benchmark", f"{NAME}-fresh", "--weights", WEIGHTS, "--secret", str(tmp_path / name)]
        run = ["--model", "agent:reference", "--out", str(tmp_path / f"run-{name}"), "--workers", "1"]
        assert evaluate.main([*run, *fresh]) == 0
    commitment = hashlib.sha256(b"released").hexdigest()
    committed = replace(manifest(), fresh_secrets={"1.0": commitment})
    monkeypatch.setattr(check, "manifest", lambda: committed)
    capsys.readouterr()
    for name, status in (("released", "reproduced"), ("own", "self-reported")):
        assert submitted(tmp_path / f"run-{name}", "--secret", tmp_path / name) == 0
        assert f"| {status} |" in capsys.readouterr().out
        assert json.loads((tmp_path / f"run-{name}" / "submission.json").read_text())["secret"] == name
    assert submitted(tmp_path / "run-released", "--secret", tmp_path / "own") == 2
    assert "its problems were not drawn with this secret" in capsys.readouterr().err


def change(file: Path, how: Callable[[dict[str, Any]], object]) -> None:
    value = json.loads(file.read_text())
    how(value)
    file.write_text(json.dumps(value))


def change_sample(folder: Path, how: Callable[[dict[str, Any]], object]) -> None:
    first, *rest = (folder / "samples.jsonl").read_text().splitlines()
    value = json.loads(first)
    how(value)
    (folder / "samples.jsonl").write_text("\n".join([json.dumps(value), *rest]) + "\n")


def claim_a_pass(folder: Path) -> None:
    """Writes a pass into a sample of stubs, and the figures that follow from it."""

    def passes(sample: dict[str, Any]) -> None:
        for place in (sample, sample["turns"][0]):
            place.update(outcome="PASSED", stage="TEST", total=1.0, parts={"tests": 1.0})

    change_sample(folder, passes)
    ids = list(read_summary(folder).by_problem)
    summary = summarise(read_samples(folder), config=read_config(folder), k=[1], problems=ids)
    write_json(folder / "summary.json", summary.to_json())


@pytest.mark.parametrize(
    ("cheat", "says"),
    [
        (claim_a_pass, "by this engine is not"),
        (lambda run: change(run / "summary.json", lambda value: value.update(samples=13)), "by summary.json is not"),
        (lambda run: change(run / "config.json", lambda value: value.update(turns=2)), "fixes turns at 1"),
        (lambda run: change(run / "config.json", lambda value: value.pop("benchmark")), "not a run of the benchmark"),
        (lambda run: change(run / "config.json", lambda value: value.update(problems="bundled")), "no problems of"),
        (lambda run: change_sample(run, lambda value: value.update(problem_digest="0")), "digest of the problem"),
        (lambda run: change_sample(run, lambda value: value.update(prompt_digest="0")), "digest of the prompt"),
        (lambda run: change_sample(run, lambda value: value.update(problem_id="other")), "no such problem"),
        (lambda run: change_sample(run, lambda value: value.update(fault="gone")), "it is missing"),
    ],
)
def test_a_run_that_breaks_a_rule_gets_no_row(
    copy: Path, capsys: pytest.CaptureFixture[str], cheat: Callable[[Path], object], says: str
) -> None:
    cheat(copy / "stub")
    assert submitted(copy / "stub") == 2
    assert says in capsys.readouterr().err
    assert not (copy / "stub" / "submission.json").exists()


def test_rows_are_ranked_filtered_by_track_and_level_and_lead_to_their_samples(
    copy: Path, capsys: pytest.CaptureFixture[str], browser: Browser
) -> None:
    shutil.copytree(copy / "stub", copy / "other")
    change(copy / "other" / "summary.json", lambda value: value["benchmark"].update(name=f"{NAME}-repair"))
    page = copy / "page.html"
    assert leaderboard.main([str(copy), "--html", str(page)]) == 0
    assert f"benchmark {QUICK}: 12 problems" in capsys.readouterr().out
    assert_alone(page.read_text(), script=True)
    assert_fits(browser, page)
    assert "reference/report.html" in page.read_text()
    shown = "[...document.querySelectorAll('section')].filter(part => !part.hidden).map(part => part.dataset.track)"
    browser.run("track.value = 'ocamlcode-1-repair', track.dispatchEvent(new Event('change'))")
    assert browser.run(shown) == [f"{NAME}-repair"]
    browser.run("level.value = '3', level.dispatchEvent(new Event('change'))")
    heads = "[...document.querySelectorAll('section:not([hidden]) th[data-level]:not([hidden])')]"
    assert browser.run(f"{heads}.map(head => head.dataset.level)") == ["3"]
    assert browser.run(f"{heads}[0].getAttribute('aria-sort')") == "descending"


def test_the_gap_to_fresh_problems_is_over_the_levels_of_both(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights = {"weights": WEIGHTS}
    change(copy / "reference" / "summary.json", lambda value: value["benchmark"].update(name=NAME, **weights))
    change(copy / "stub" / "summary.json", lambda value: value["benchmark"].update(name=f"{NAME}-fresh", **weights))
    change(copy / "stub" / "summary.json", lambda value: value["by_level"].pop("6"))
    assert leaderboard.main([str(copy), "--markdown"]) == 0
    [line] = [line for line in capsys.readouterr().out.splitlines() if "agent:reference" in line]
    assert "| +100.0 |" in line


def test_more_than_two_percent_cut_off_marks_the_row(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("reference", "stub"):
        marks = {"cut_off": 0.03, "too_many_cut_off": name == "stub"}
        file = copy / name / "summary.json"
        summary = json.loads(file.read_text())
        file.write_text(json.dumps(summary | {"benchmark": summary["benchmark"] | marks}))
    assert leaderboard.main([str(copy), "--markdown"]) == 0
    assert capsys.readouterr().out.count("3.0% †") == 1
