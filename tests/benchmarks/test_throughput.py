"""The measuring programs measure the stated quantities. No test here depends on speed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks.performance import baselines, overhead, processes, throughput, vector
from benchmarks.stress import soak
from benchmarks.stress.corpus import Case, corpus
from ocaml_env import OCamlEnvError, ToolchainError
from ocaml_env.verdict import Outcome, Stage, TestOutcome, Verdict

if TYPE_CHECKING:
    from ocaml_env.problem import Problem

every_way = pytest.mark.parametrize("way", baselines.WAYS, ids=lambda way: way.key)


# --- the ordinary tools -----------------------------------------------------------------------------------------------


@every_way
@pytest.mark.usefixtures("verifier")
def test_a_way_accepts_a_right_answer_and_tells_its_cost(way: baselines.Way, add: Problem, tmp_path: Path) -> None:
    cost = baselines.evaluate(way, add, add.reference, tmp_path)
    assert 0 < cost.python < cost.cpu
    assert cost.wall > 0


@every_way
@pytest.mark.usefixtures("verifier")
def test_a_way_that_fails_a_test_is_no_measurement(way: baselines.Way, add: Problem, tmp_path: Path) -> None:
    with pytest.raises(OCamlEnvError, match=r"6 tests should pass, it says '3/6"):
        baselines.evaluate(way, add, "let add a _ = a\nlet negate a = -a", tmp_path)


@every_way
@pytest.mark.usefixtures("verifier")
def test_a_failing_command_of_a_way_shows_the_tools_message(way: baselines.Way, add: Problem, tmp_path: Path) -> None:
    with pytest.raises(OCamlEnvError, match=r"(?s)ended with \d.*Unbound value"):
        baselines.evaluate(way, add, "let add a b = a + c\nlet negate a = -a", tmp_path)


def test_missing_tools_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolchainError, match="ocaml, ocamlc, ocamlfind, ocamlopt"):
        baselines.require()


# --- throughput -------------------------------------------------------------------------------------------------------


def test_enough_programs_of_20_to_90_lines_take_part_each_with_10_tests() -> None:
    chosen = throughput.programs()
    assert len(chosen) >= 12
    for problem in chosen:
        assert 20 <= sum(1 for line in problem.reference.splitlines() if line.strip()) <= 90
        assert len({test.name for test in problem.tests}) == 10


@pytest.mark.usefixtures("verifier")
def test_every_way_and_every_part_of_the_engine_is_measured() -> None:
    chosen = throughput.programs()[:2]
    measured = throughput.compare(chosen, rounds=2, repeats=5)
    assert [program.problem_id for program in measured] == [problem.id for problem in chosen]
    for program in measured:
        assert {key: len(costs) for key, costs in program.ways.items()} == {"a": 2, "b": 2, "c": 2}
        assert len(program.engine_walls) == 10
        for cost in program.engine:
            assert cost.cpu == pytest.approx(cost.checker + cost.runner + cost.python)
            assert cost.checker > 0
    # Ticks of 10 ms may miss the jailed processes of one batch.
    assert sum(cost.runner for program in measured for cost in program.engine) > 0


@pytest.mark.usefixtures("verifier")
def test_a_reference_that_does_not_pass_is_not_measured() -> None:
    broken = replace(throughput.programs()[0], reference="let nothing = ()")
    with pytest.raises(OCamlEnvError, match="does not pass the reference"):
        throughput.compare([broken], rounds=1, repeats=1)


@pytest.mark.usefixtures("verifier")
def test_the_command_prints_rates_and_targets_and_writes_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    few = throughput.programs()[:2]
    monkeypatch.setattr(throughput, "programs", lambda: few)
    assert throughput.main(["--quick", "--json", str(tmp_path / "figures.json")]) == 0
    printed = capsys.readouterr().out
    assert "2 workers against 1" in printed
    assert all(f"at least {wanted}x" in printed for wanted in ("35", "10", "15", "1.8"))
    record = json.loads((tmp_path / "figures.json").read_text())
    assert len(record["programs"]) == 2
    assert [len(turns) for turns in record["rates"].values()] == [2, 2]


# --- overhead ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("verifier")
def test_the_cost_of_a_step_is_measured_with_and_without_a_cache(add: Problem, total: Problem) -> None:
    for cache_size in (0, 100):
        times = overhead.measure([add, total], cache_size=cache_size, max_turns=2, rounds=2)
        assert len(times.added) == len(times.verify) == 2 * 2 * 2
        assert times.p95 >= min(times.added)


@pytest.mark.usefixtures("verifier")
def test_the_vector_environment_is_measured_beside_the_verifier(capsys: pytest.CaptureFixture[str]) -> None:
    rates = vector.measure(num_envs=3, workers=1, rounds=2)
    assert len(rates.verify) == len(rates.step) == 2
    assert rates.share > 0
    assert vector.main(["--num-envs", "2", "--workers", "1", "--rounds", "1"]) == 0
    assert "of the rate of verify_many" in capsys.readouterr().out


# --- processes --------------------------------------------------------------------------------------------------------


def test_descendants_are_found_with_their_depth() -> None:
    nested = subprocess.Popen(
        [sys.executable, "-c", "import subprocess; print(flush=True); subprocess.run(['sleep', '60'])"],
        stdout=subprocess.PIPE,
    )
    try:
        assert nested.stdout is not None
        nested.stdout.readline()
        deadline = time.monotonic() + 30
        while len(found := [process for process in processes.descendants() if process.branch == nested.pid]) < 2:
            assert time.monotonic() < deadline
        assert [process.depth for process in found] == [1, 2]
        assert found[0].pid == nested.pid
        assert all(process.descriptors >= 3 and processes.is_alive(process) for process in found)
        assert found[0].rss_bytes > 1 << 20
    finally:
        for process in reversed(processes.descendants()):
            if process.branch == nested.pid:
                os.kill(process.pid, signal.SIGKILL)
        nested.communicate()
    assert not processes.is_alive(found[0])


def test_a_zombie_process_is_not_alive() -> None:
    with subprocess.Popen(["sleep", "60"]) as sleeping:
        [found] = [process for process in processes.descendants() if process.pid == sleeping.pid]
        assert processes.is_alive(found)
        sleeping.kill()
        os.waitid(os.P_PID, sleeping.pid, os.WEXITED | os.WNOWAIT)
        assert not processes.is_alive(found)


def test_cpu_time_of_a_busy_process_is_counted() -> None:
    before = processes.cpu_seconds().checkers
    with soak.busy(1) as pids:
        assert len(pids) == 1
        deadline = time.monotonic() + 30
        while processes.cpu_seconds().checkers < before + 0.05:
            assert time.monotonic() < deadline


# --- soak -------------------------------------------------------------------------------------------------------------


def test_the_corpus_has_programs_of_every_kind() -> None:
    kinds = {case.name.split("/")[0] for case in corpus()}
    assert kinds == {"reference", "stub", "error", "honest", "demo", "attack"}


@pytest.mark.usefixtures("verifier")
@pytest.mark.parametrize("mode", [(), ("--under-load",)], ids=["alone", "under load"])
def test_a_short_soak_finds_nothing(mode: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["-k", "reference/s", "--evaluations", "60", "--workers", "2", *mode]
    assert soak.main(arguments) == 0, capsys.readouterr().out
    assert "nothing changed, grew or was left" in capsys.readouterr().out


@pytest.mark.usefixtures("verifier")
def test_a_verdict_that_changes_is_found_and_named(add: Problem) -> None:
    right = Case(name="sum", problem=add, code=add.reference)
    watched = soak.Soak([right], workers=1, seed=0)
    try:
        watched.run(3)
        assert not watched.drifts
        # A drifting engine would look like this: the same case gets another verdict.
        watched.repeat([replace(right, code="let add a _ = a\nlet negate a = -a")] * 2)
    finally:
        left = watched.close()
    drift = watched.drifts["sum"]
    assert drift.times == 2
    changes = soak.differences(drift.first, drift.later)
    assert changes[0] == "outcome: PASSED -> TEST_FAILURE"
    assert any(line.startswith("example 1: PASSED") for line in changes)
    assert len(watched.lives) >= 2
    assert left == []


@pytest.mark.usefixtures("verifier")
def test_an_infrastructure_error_is_a_finding_even_if_it_never_changes(add: Problem) -> None:
    unfit = Case(name="unfit", problem=replace(add, signature="val other : int"), code="let other = 1")
    watched = soak.Soak([unfit], workers=1, seed=0)
    try:
        watched.run(2)
    finally:
        watched.close()
    assert watched.drifts["unfit"].times == 2
    assert str(watched.drifts["unfit"].later).startswith("ProblemError: ")


def _life(*sizes: int) -> soak.Life:
    """Makes a checker with these sizes in MiB, observed every 1,000 evaluations."""
    looks = [
        processes.Process(
            pid=7, started=1, parent=1, depth=2, branch=7, cpu_seconds=1.0, rss_bytes=size << 20, descriptors=5
        )
        for size in sizes
    ]
    life = soak.Life(process=looks[0], born=500)
    for number, look in enumerate(looks):
        life.look(look, 500 + 1000 * number)
    return life


def test_filled_caches_and_garbage_do_not_count_as_growth() -> None:
    assert _life(20, 30, 40, 36, 90, 37, 38, 90, 41).growth() == []
    assert _life(20, 90, 40, 44, 41).growth() == []
    assert _life(20, 30, 40, 36, 41, 36, 80, 60, 41).growth() == [
        "checker 7 (from evaluation 500) grew from at least 36.0 MiB in its second window to 60.0 in window 4"
    ]


def test_a_short_lived_process_does_not_count_as_growing() -> None:
    assert _life(20, 60).growth() == []
    assert _life(20, 30, 60, 90).growth() == []
    assert _life(20, 30, 40, 50, 90).growth() == [], "its third window may end with a collection"


def test_an_additional_descriptor_is_growth() -> None:
    life = _life(20, 30, 40, 40)
    life.look(replace(life.process, descriptors=6), 4500)
    assert life.growth() == ["checker 7 (from evaluation 500) went from 5 to 6 descriptors"]


def test_differences_name_the_tests_and_their_details() -> None:
    first = Verdict(
        outcome=Outcome.TIMEOUT,
        stage=Stage.TEST,
        tests=(TestOutcome(name="t", public=False, outcome=Outcome.TIMEOUT, returned=False, detail="over"),),
    )
    later = replace(first, tests=(replace(first.tests[0], detail="under"),))
    assert soak.differences(first, first) == []
    assert soak.differences(first, later) == ["t: TIMEOUT 'over' -> TIMEOUT 'under'"]
    assert soak.differences(first, "WorkerCrashed: gone") == ["TIMEOUT 0/1 -> WorkerCrashed: gone"]
