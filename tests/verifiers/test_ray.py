"""`RayVerifier` on two nodes in separate processes: it gives a local verifier's verdicts, even if processes die."""

from __future__ import annotations

import asyncio
import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from benchmarks.performance.distributed import TwoNodes, actors, wait_for
from ocaml_env.commands.cli import main as command
from ocaml_env.commands.evaluate import main as evaluate
from ocaml_env.errors import BatchError, EngineError, ProblemError
from ocaml_env.problem import Limits, Problem
from ocaml_env.problems import to_jsonl
from ocaml_env.verdict import Outcome, Verdict
from ocaml_env.verifiers.base import AnyVerifier, AuthoringVerifier
from ocaml_env.verifiers.choose import open_verifier
from ocaml_env.verifiers.local import Verifier
from ocaml_env.verifiers.ray import RayVerifier, fleet
from ocaml_env.verifiers.ray.actor import Call, Unknown, VerifierActor
from tests.engine.cases import function
from tests.verifiers.test_local import candidates

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: pip install 'ocaml-env[ray]'")


@pytest.fixture(scope="module")
def nodes(verifier: Verifier) -> Iterator[TwoNodes]:
    with TwoNodes() as nodes:
        yield nodes


@pytest.fixture(scope="module")
def spread(nodes: TwoNodes) -> Iterator[RayVerifier]:
    """Makes a verifier on both nodes, without a cache, so that the nodes evaluate everything."""
    with RayVerifier(cache_size=0) as spread:
        wait_for(spread, 2)
        yield spread


def many(add: Problem, count: int) -> list[tuple[Problem, str]]:
    """Returns different candidates; two in three of them are right."""
    return [(add, f"let add a b = a + b\nlet negate a = {'-' if n % 3 else ''}a\nlet nr = {n}") for n in range(count)]


def samples_of(out: Path) -> list[dict[str, Any]]:
    """Returns the samples of a results directory, by problem and number."""
    lines = (out / "samples.jsonl").read_text().splitlines()
    return sorted(map(json.loads, lines), key=lambda sample: (sample["problem_id"], sample["sample"]))


# --- the option `--verifier`: these tests open their own verifiers before `spread` takes the CPUs --------------------


@pytest.mark.usefixtures("nodes")
def test_an_evaluation_by_ray_gives_the_same_samples(tmp_path: Path, add: Problem, last: Problem) -> None:
    to_jsonl([add, last], tmp_path / "suite.jsonl")
    samples = {}
    for verifier in ("local", "ray"):
        options = ["--model", "agent:stub", "--problems", str(tmp_path / "suite.jsonl"), "--n", "3", "--workers", "1"]
        out = tmp_path / verifier
        assert evaluate([*options, "--verifier", verifier, "--out", str(out)]) == 0
        samples[verifier] = samples_of(out)
    assert samples["ray"] == samples["local"]
    assert evaluate([*options, "--verifier", "local", "--out", str(tmp_path / "ray")]) == 0  # either can resume it


class Pausing:
    """Answers in batches. Before the third and the fifth one it waits at a barrier, twice."""

    def __init__(self) -> None:
        self.barrier, self._batches = threading.Barrier(2, timeout=120), 0

    def act(self, observations: Sequence[str]) -> list[str]:
        self._batches += 1
        if self._batches in (3, 5):
            self.barrier.wait()
            self.barrier.wait()
        slow = "let () = for _ = 1 to 5_000_000 do () done" if self._batches == 2 else ""  # in hand at the first pause
        numbers = range(100 * self._batches, 100 * self._batches + len(observations))
        return [f"let add a b = a + b\nlet negate a = {n % 3 - 1} * a\nlet nr = {n}\n{slow}" for n in numbers]


def test_a_node_leaves_and_another_one_joins_in_the_middle_of_an_evaluation(
    nodes: TwoNodes, tmp_path: Path, add: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    to_jsonl([add], tmp_path / "suite.jsonl")
    agent, out = Pausing(), tmp_path / "out"
    monkeypatch.setattr(sys.modules[__name__], "pausing", agent, raising=False)
    usual = ["--problems", str(tmp_path / "suite.jsonl"), "--n", "200", "--batch", "25", "--out", str(out)]
    with ThreadPoolExecutor() as threads:
        code = threads.submit(evaluate, [*usual, "--model", f"{__name__}:pausing", "--verifier", "ray"])
        agent.barrier.wait()
        before = wait_for_actors(2)
        nodes.kill()
        agent.barrier.wait()
        agent.barrier.wait()
        nodes.join()
        assert len(before & wait_for_actors(2)) == 1
        agent.barrier.wait()
        assert code.result() == 0
    samples = samples_of(out)
    assert len(samples) == 200
    assert 0 < sum(sample["passed"] for sample in samples) < 200
    assert evaluate(["--rescore", str(out), "--verifier", "local", "--workers", "1"]) == 0
    assert samples_of(out) == samples


def wait_for_actors(count: int) -> set[int]:
    """Waits for this number of actors, and returns their pids."""
    deadline = time.monotonic() + 120
    while len(found := set(actors())) != count:
        assert time.monotonic() < deadline, f"{len(found)} actors, not {count}"
        time.sleep(0.05)
    return found


@pytest.mark.usefixtures("nodes")
def test_an_audit_by_ray_finds_the_same(tmp_path: Path, add: Problem, last: Problem) -> None:
    wrong = replace(last, id="wrong", reference="let last l = List.nth_opt l 0")
    to_jsonl([add, last, wrong], tmp_path / "set.jsonl")
    found = []
    for verifier in ("local", "ray"):
        path = tmp_path / f"{verifier}.json"
        assert command(["audit", str(tmp_path / "set.jsonl"), "--verifier", verifier, "--json", str(path)]) == 1
        report = json.loads(path.read_text())
        of_each = [(entry["problem_id"], entry["findings"], entry["mutants"]) for entry in report["problems"]]
        found.append((report["counts"], report["mutation_score"], of_each))
    assert found[0] == found[1]


# --- agreement with a local verifier ----------------------------------------------------------------------------------


def test_verdicts_equal_a_local_verifiers_in_order(
    spread: RayVerifier, verifier: Verifier, add: Problem, last: Problem, total: Problem
) -> None:
    loop = replace(add, limits=Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.05))
    hungry = replace(add, limits=Limits(memory_mb=8))
    todo = [
        *candidates(add, last, total),
        (loop, "let rec add a b = add a b\nlet negate a = -a"),
        (hungry, "let add a b = Bytes.length (Bytes.create 50_000_000) + a + b\nlet negate a = -a"),
        (replace(total, limits=Limits(output_kb=1)), "let () = print_string (String.make 9999 'x')"),
    ]
    expected = verifier.verify_many(todo)
    assert len({verdict.outcome for verdict in expected}) >= 9
    assert spread.verify_many(todo * 4) == expected * 4
    assert [spread.verify(*pair) for pair in todo] == expected
    assert spread.verify_many([]) == []


def test_it_has_the_interface_of_a_verifier(spread: RayVerifier, verifier: Verifier) -> None:
    assert isinstance(spread, AuthoringVerifier)
    assert (spread.workers, spread.ocaml_version) == (2, verifier.ocaml_version)
    assert copy.deepcopy(spread) is spread


def test_authors_get_the_same_answers(
    spread: RayVerifier, verifier: Verifier, add: Problem, last: Problem, total: Problem
) -> None:
    asked: list[Callable[[AuthoringVerifier], Any]] = [
        lambda authoring: authoring.mutants(add),
        lambda authoring: authoring.stubs(last),
        lambda authoring: authoring.split_tests("let () = assert (f 1 = 2); assert (f 2 = 3)"),
        lambda authoring: authoring.header("let f (x : int) : int =\n  x"),
        lambda authoring: authoring.answers(["f 1 = 2", "true"]),
        lambda authoring: authoring.measure(last),
        lambda authoring: authoring.outputs(total, total.reference),
        lambda authoring: [
            probe.outcome for probe in authoring.probe(add, [add.reference, "let add a b = a\nlet negate a = a"])
        ],
    ]
    for ask in asked:
        assert ask(spread) == ask(verifier)


def test_an_invalid_problem_is_the_same_error_and_costs_no_other_verdict(
    spread: RayVerifier, verifier: Verifier, add: Problem
) -> None:
    broken = replace(function("val f : int -> int", "f 1 + 1"), id="broken")
    raised = []
    for any_verifier in (verifier, spread):
        with pytest.raises(ProblemError, match="bool") as error:
            any_verifier.check(broken)
        raised.append((str(error.value), type(error.value), error.value.problem_id, error.value.test))
    assert raised[0] == raised[1]
    with ThreadPoolExecutor() as threads:
        good = threads.submit(spread.verify_many, many(add, 100))
        with pytest.raises(BatchError, match="1 of 81 .* bool") as batch:
            spread.verify_many([*many(add, 40), (broken, "let f x = x"), *many(add, 40)])
        assert [place for place, verdict in enumerate(batch.value.verdicts) if verdict is None] == [40]
        assert isinstance(batch.value.errors[40], ProblemError)
        assert [verdict.passed for verdict in good.result()] == [n % 3 > 0 for n in range(100)]


def test_a_bad_call_fails_only_its_own_caller(spread: RayVerifier, add: Problem) -> None:
    with ThreadPoolExecutor() as threads:
        good = threads.submit(spread.verify_many, many(add, 100))
        for _ in range(5):
            with pytest.raises(TypeError):
                spread.verify_many([*many(add, 3), (add, 3.5)])  # type: ignore[list-item]
        assert len(good.result()) == 100


def test_a_cached_verdict_is_not_evaluated_again(nodes: TwoNodes, spread: RayVerifier, add: Problem) -> None:
    remembering = copy.copy(spread)
    remembering._cache = type(spread._cache)(10)
    first = remembering.verify(add, add.reference)
    assert remembering.verify(add, add.reference) is first
    assert remembering.verify_many([(add, add.reference)])[0] is first
    assert spread.verify(add, add.reference) is not first


def test_threads_and_asyncio_ask_at_the_same_time(spread: RayVerifier, verifier: Verifier, add: Problem) -> None:
    todo = many(add, 200)
    expected = verifier.verify_many(todo)
    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(lambda pair: spread.verify(*pair), todo)) == expected

    async def ask() -> tuple[Verdict, list[Verdict]]:
        return await spread.averify(*todo[0]), await spread.averify_many(todo[:50])

    assert asyncio.run(ask()) == (expected[0], expected[:50])


def test_an_endless_iterable_is_taken_in_bounded_steps(
    spread: RayVerifier, add: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ocaml_env.verifiers.ray.verifier._AHEAD", 20)
    taken = 0

    def endless() -> Iterator[tuple[Problem, str]]:
        nonlocal taken
        while True:
            taken += 1
            yield add, f"{add.reference} (* {taken} *)"

    stream = spread.verify_stream(endless())
    for given in range(1, 101):
        assert next(stream).passed
        assert taken <= given + 20 * spread.workers
    stream.close()
    assert not spread._fleet._waiting or all(asked.answer.cancelled() for asked in spread._fleet._waiting)


def test_an_actor_that_lacks_a_problem_is_sent_it_again(spread: RayVerifier, add: Problem, last: Problem) -> None:
    fresh = replace(last, id="never-seen")
    number = spread._fleet._number(fresh)
    for member in spread._fleet._members:
        member.known.add(number)
    assert spread.verify(fresh, fresh.reference).passed
    alone = VerifierActor(sandbox="best-effort", limits=None, inside="accept")
    calls = [Call("verify", 7, (add.reference,)), Call("verify", 8, (last.reference,))]
    first, second = pickle.loads(alone.work(pickle.dumps((calls, {8: last}))))
    assert (first, second.outcome) == (Unknown(), Outcome.PASSED)


# --- killed processes -------------------------------------------------------------------------------------------------


def test_a_killed_actor_loses_and_repeats_nothing(spread: RayVerifier, verifier: Verifier, add: Problem) -> None:
    todo = many(add, 600)
    given: list[Verdict] = []
    victims = actors()
    for verdict in spread.verify_stream(todo):
        given.append(verdict)
        if len(given) == 50:
            os.kill(victims[0], signal.SIGKILL)
    assert given == verifier.verify_many(todo)
    wait_for(spread, 2)
    assert victims[0] not in actors()


@pytest.mark.slow
def test_a_killed_node_loses_and_repeats_nothing_and_a_new_node_is_used(
    nodes: TwoNodes, spread: RayVerifier, verifier: Verifier, add: Problem
) -> None:
    todo = many(add, 600)
    given: list[Verdict] = []
    for verdict in spread.verify_stream(todo):
        given.append(verdict)
        if len(given) == 50:
            nodes.kill()
    assert given == verifier.verify_many(todo)
    wait_for(spread, 1)
    nodes.join()
    wait_for(spread, 2)
    assert spread.verify_many(todo[:80]) == given[:80]


def test_a_candidate_that_kills_every_actor_is_an_error(
    spread: RayVerifier, add: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet, "_DEATHS", 1)
    stop = threading.Event()

    def kill() -> None:
        while not stop.wait(0.2):
            for pid in actors():
                os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with pytest.raises(EngineError, match="died one after the other"):
            spread.verify_many(many(add, 2000))
    finally:
        stop.set()
        killer.join()
    wait_for(spread, 2)
    assert spread.verify(add, add.reference).passed


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_node_without_ocaml_is_left_out(
    nodes: TwoNodes, spread: RayVerifier, add: Problem, caplog: pytest.LogCaptureFixture
) -> None:
    nodes.kill()
    wait_for(spread, 1)
    nodes.join(env_vars={"PATH": "/nowhere"})
    while "is left out" not in caplog.text:
        assert spread.verify(add, add.reference).passed
    assert "ocamlfind" in caplog.text
    assert (spread.ready, spread.workers) == (1, 2)
    nodes.kill()
    nodes.join()
    wait_for(spread, 2)


@pytest.mark.usefixtures("spread")
def test_a_cluster_without_a_free_cpu_is_an_error_that_says_so(add: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet, "_PATIENCE_SECONDS", 2.0)
    with (
        RayVerifier(workers=1) as other,
        pytest.raises(
            EngineError, match="no actor has run on the Ray cluster, where 1 should: no CPU of it became free"
        ),
    ):
        other.verify(add, add.reference)


@pytest.mark.usefixtures("spread")
def test_every_call_fails_once_the_actors_are_unsupervised(add: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(fleet.Fleet, "_fit", fail)
    with RayVerifier(workers=1) as other:
        for _ in range(2):
            with pytest.raises(EngineError, match="cannot be used any more: RuntimeError"):
                other.verify(add, add.reference)


@pytest.mark.usefixtures("nodes")
def test_a_closed_verifier_says_so(add: Problem) -> None:
    verifier: AnyVerifier = open_verifier("ray", workers=1)
    verifier.close()
    verifier.close()
    with pytest.raises(EngineError, match="closed"):
        verifier.verify(add, add.reference)


ERRORS = {
    "not installed": ("import sys; sys.modules['ray'] = None", "ray", "ConfigError", "pip install 'ocaml-env[ray]'"),
    "unreachable": ("import os; os.environ['RAY_ADDRESS'] = '127.0.0.1:1'", "ray", "EngineError", "127.0.0.1:1"),
}


@pytest.mark.parametrize(("first", "spec", "error", "message"), ERRORS.values(), ids=ERRORS)
def test_a_missing_package_or_cluster_is_named(first: str, spec: str, error: str, message: str) -> None:
    code = f"{first}\nfrom ocaml_env.verifiers.choose import open_verifier\nopen_verifier({spec!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert f"{error}: " in done.stderr.splitlines()[-1]
    assert message in done.stderr.splitlines()[-1]


@pytest.mark.slow
def test_a_new_cluster_is_started_if_the_recorded_one_has_ended(verifier: Verifier) -> None:
    code = """if True:
        from ocaml_env import Problem
        from ocaml_env.verifiers.choose import open_verifier
        problem = Problem(id="one", statement="s", signature="val one : int", tests=("one = 1",))
        with open_verifier("ray", workers=1) as verifier:
            print(verifier.verify(problem, "let one = 1").outcome)
    """
    with TemporaryDirectory(prefix="r") as folder:  # short, because it becomes part of the names of sockets
        (Path(folder) / "ray").mkdir()
        (Path(folder) / "ray" / "ray_current_cluster").write_text("127.0.0.1:1")
        environment = os.environ | {"RAY_TMPDIR": folder}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=environment
        )
    # Ray reports on stderr about other clusters on this machine, such as those of concurrent tests.
    assert (done.stdout, done.returncode) == ("PASSED\n", 0), done.stderr
