"""``summary.json``: nothing is lost between the file and the dataclass, also of kept files of earlier versions."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from ocaml_env import ConfigError, Outcome, Verifier
from ocaml_env.evaluation.config import BenchmarkRun
from ocaml_env.evaluation.directory import read_config, read_summary
from ocaml_env.evaluation.record import PeerStatus
from ocaml_env.evaluation.statistics import Estimate
from ocaml_env.evaluation.summary import BenchmarkScore, Disagreement, PeerRates, PeerSummary, SampleId, Summary
from tests.evaluation.small_evaluations import WEAK, evaluate, suite_of

KEPT = sorted((Path(__file__).parents[2] / "benchmarks" / "results").glob("*/summary.json"))


@pytest.fixture(scope="module")
def run(verifier: Verifier, tmp_path_factory: pytest.TempPathFactory) -> Path:
    del verifier
    folder = tmp_path_factory.mktemp("summary")
    return evaluate(folder / "run", WEAK, suite_of(folder), "--k", "1,3")


def test_what_is_read_is_written_again_byte_for_byte(run: Path) -> None:
    for name, value in (("config", read_config(run)), ("summary", read_summary(run))):
        assert json.dumps(value.to_json(), indent=2) + "\n" == (run / f"{name}.json").read_text()


def test_the_parts_of_a_benchmark_and_of_a_peer_are_read_again(run: Path) -> None:
    rate = Estimate(estimate=0.5, low=0.25, high=0.75)
    track = BenchmarkRun(name="ocamlcode-1", version=1, weights="0" * 64)
    example = SampleId(problem_id="add", sample=2)
    theirs, ours = PeerStatus.WRONG_ANSWER, Outcome.PASSED
    summary = read_summary(run)
    whole = replace(
        summary,
        config=replace(summary.config, benchmark=track, thinking=64, stop=["\n\n"]),
        benchmark=BenchmarkScore(
            **asdict(track),
            score=rate,
            standard_error=0.125,
            by_level={"1": 0.5},
            half_solved="solves half at level 1.0",
            cut_off=0.03,
            too_many_cut_off=True,
        ),
        protocol=PeerSummary(
            name="livecodebench",
            ours=PeerRates(rates={1: rate, 3: None}, problems=1),
            theirs_without_broken=None,
            by_status={theirs: 3},
            forged=0,
            disagreements=[Disagreement(theirs=theirs, ours=ours, why="", count=1, example=example)],
            broken={"a": "no type"},
            mended={"c": "a number"},
            unjudged={"b": "no test"},
            left_out={},
        ),
    )
    assert Summary.from_json(json.loads(json.dumps(whole.to_json())), run / "summary.json") == whole


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.parent.name)
def test_a_kept_summary_is_read_without_loss(file: Path) -> None:
    before, now = json.loads(file.read_text()), json.loads(json.dumps(read_summary(file.parent).to_json()))
    for part in ("settings", "tokens"):  # some of their fields came later
        now[part] = {name: now[part][name] for name in before[part]}
    assert list(now.items()) == list(before.items())
    assert read_config(file.parent) == read_summary(file.parent).config


def test_a_damaged_summary_is_refused(tmp_path: Path) -> None:
    value = json.loads(KEPT[0].read_text())
    for name, wrong, said in (
        ("reward", {"preset": "staged", "mean": "high"}, "could not convert"),
        ("by_level", None, "not the summary"),
        ("settings", {"model": "m"}, "not the settings of an evaluation"),
        ("faults", {}, "count"),
    ):
        (tmp_path / "summary.json").write_text(json.dumps(value | {name: wrong}))
        with pytest.raises(ConfigError, match=said):
            read_summary(tmp_path)
