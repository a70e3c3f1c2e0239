"""Faults around the engine: verdicts stay right and in order, or one clear exception is raised.

Nothing hangs, and no process or descriptor is left behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_env.engine import build_engine, checker_process
from ocaml_env.engine.toolchain import Engine
from ocaml_env.engine.worker import Worker
from ocaml_env.errors import EngineError, ToolchainError, WorkerCrashed
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Verdict
from ocaml_env.verifiers.local import Verifier
from tests.engine.processes import children, descendants, gone, open_descriptors, wait_until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
    pytest.mark.usefixtures("verifier"),  # builds the engine once, or skips
]

ENDLESS = "let rec add a b = add b a\nlet negate a = -a"
BRIEF = Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.1)


@pytest.fixture
def own() -> Iterator[Verifier]:
    with Verifier(workers=2, cache_size=0) as verifier:
        yield verifier


@pytest.fixture
def processes_of(own: Verifier) -> Callable[[], list[int]]:
    """Returns a function to list the checkers of ``own``."""
    others = set(children(os.getpid()))

    def now() -> list[int]:
        return [pid for pid in children(os.getpid()) if pid not in others]

    return now


def batch(add: Problem, count: int) -> list[tuple[Problem, str]]:
    """Right, wrong, ill-typed and endless candidates in turn, all different."""
    kinds = [add.reference, "let add a b = a\nlet negate a = -a", "let add a b = a + c\nlet negate a = -a", "let x = ("]
    todo = [(add, f"{kinds[n % len(kinds)]}\n(* {n} *)") for n in range(count)]
    todo[count // 2] = (add, ENDLESS)
    return todo


def right(add: Problem, verifier: Verifier, count: int) -> list[Verdict]:
    return verifier.verify_many(batch(add, count))


# --- killed processes ---


def kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("victim", ["checker", "below the checker"])
def test_killed_processes_cost_no_verdict_of_a_batch(
    verifier: Verifier, own: Verifier, processes_of: Callable[[], list[int]], add: Problem, victim: str
) -> None:
    """Kills once a batch: two kills for one candidate rightly end in an error."""
    add = replace(add, limits=BRIEF)
    expected = right(add, verifier, 60)
    own.verify_many([(add, "let x = ("), (add, "let y = (")])
    for round in range(6):

        def kill_checker(pause: float = 0.02 * round) -> None:
            time.sleep(pause)
            for checker in processes_of()[:1]:
                kill([checker] if victim == "checker" else descendants(checker))

        killer = threading.Thread(target=kill_checker, daemon=True)
        killer.start()
        assert own.verify_many(batch(add, 60)) == expected
        killer.join()


@pytest.mark.parametrize("level", ["checker", "runner"])
def test_a_process_that_was_killed_while_idle_is_replaced(
    own: Verifier, processes_of: Callable[[], list[int]], add: Problem, level: str
) -> None:
    before = own.verify(add, add.reference)
    (checker,) = processes_of()
    targets = [checker] if level == "checker" else descendants(checker)
    kill(targets)
    assert wait_until(lambda: gone(targets))
    assert own.verify(add, add.reference) == before


def test_a_problem_is_installed_although_the_process_for_expected_values_was_killed(
    own: Verifier, processes_of: Callable[[], list[int]], add: Problem, last: Problem
) -> None:
    own.check(add)
    (checker,) = processes_of()
    kill(descendants(checker))
    assert own.verify(last, last.reference).passed


def test_a_process_killed_again_and_again_is_one_clear_error(
    own: Verifier, processes_of: Callable[[], list[int]], add: Problem
) -> None:
    stop = threading.Event()

    def kill_always() -> None:
        while not stop.wait(0.001):
            kill(processes_of())

    killer = threading.Thread(target=kill_always, daemon=True)
    killer.start()
    try:
        with pytest.raises(EngineError):
            own.verify_many([(add, f"{ENDLESS} (* {n} *)") for n in range(200)])
    finally:
        stop.set()
        killer.join()
    assert own.verify(add, add.reference).passed


@pytest.mark.parametrize("more", ["", f"(* {'a' * 150_000} *)"], ids=["short", "more than a pipe holds"])
def test_an_unresponsive_process_is_replaced(
    own: Verifier, processes_of: Callable[[], list[int]], add: Problem, monkeypatch: pytest.MonkeyPatch, more: str
) -> None:
    own.check(add)
    (checker,) = processes_of()
    monkeypatch.setattr(checker_process, "BACKSTOP_SECONDS", 1.0)
    stopped = descendants(checker)
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(WorkerCrashed, match="did not answer"):
            own.verify(add, add.reference + more)
    finally:
        # A runner ends by itself once its checker is gone, but not while it is stopped.
        for pid in stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
    monkeypatch.undo()
    assert wait_until(lambda: gone(stopped))
    assert gone([checker])
    assert own.verify(add, add.reference).passed


def test_a_wrong_checker_program_is_one_clear_error(tmp_path: Path) -> None:
    built = build_engine()
    for checker, error in ((Path(shutil.which("true") or ""), EngineError), (tmp_path / "none", ToolchainError)):
        worker = Worker(Engine(checker=checker, runner=built.runner, version=built.version, folder=tmp_path))
        with pytest.raises(error, match=checker.name):
            worker.start()
        worker.close()


# --- nothing is left ---


def test_closing_leaves_neither_processes_nor_descriptors(add: Problem, total: Problem) -> None:
    add = replace(add, limits=BRIEF)
    others = set(children(os.getpid()))
    descriptors = open_descriptors()
    started: list[int] = []
    for _ in range(3):
        with Verifier(workers=2, cache_size=0) as verifier:
            verifier.verify_many(
                [(add, add.reference), (total, total.reference), (add, ENDLESS), (add, "let x = (")] * 2
            )
            mine = [pid for pid in children(os.getpid()) if pid not in others]
            started += mine + [pid for checker in mine for pid in descendants(checker)]
    assert len(started) >= 9
    assert wait_until(lambda: gone(started))
    assert open_descriptors() == descriptors


def test_an_open_environment_leaves_no_output_and_no_process_when_python_ends() -> None:
    code = """
import gymnasium, ocaml_env
env = gymnasium.make("OCamlCode-v0", problems="bundled:eval")
env.reset(options={"problem_id": "snake_case"})
env.step("let snake_case = String.lowercase_ascii")
[worker] = env.unwrapped.verifier._pool._idle
print(*[checker.process.pid for checker in worker._checkers.values()])
import torch  # it keeps objects until Python's own modules are gone
"""
    pytest.importorskip("torch")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    started = [int(pid) for pid in done.stdout.split()]
    assert started
    assert wait_until(lambda: gone(started))


def test_an_unclosed_verifier_leaves_nothing(add: Problem) -> None:
    others = set(children(os.getpid()))
    descriptors = open_descriptors()
    verifier = Verifier(workers=1)
    verifier.check(add)
    started = [pid for pid in children(os.getpid()) if pid not in others]
    assert started
    del verifier
    assert wait_until(lambda: gone(started))
    assert open_descriptors() == descriptors


def test_crashes_and_limits_leave_neither_processes_nor_descriptors(own: Verifier, add: Problem) -> None:
    add = replace(add, limits=BRIEF)
    own.check(add)
    hostile = [
        ENDLESS,
        "let add a b = Array.length (Array.make 100_000_000 a) + b\nlet negate a = -a",
        "let rec add a b = 1 + add a b\nlet negate a = -a",
        f"let x = {'(' * 5000}",
    ]
    own.verify_many([(add, code) for code in hostile])
    before = (len(descendants(os.getpid())), open_descriptors())
    own.verify_many([(add, f"{code}\n(* again *)") for code in hostile * 5])
    # A worker starts its runner for examples at the first failing example.
    assert wait_until(lambda: len(descendants(os.getpid())) <= before[0] + own.workers)
    assert open_descriptors() <= before[1]


# --- many at once ---


def test_sixteen_threads_share_a_verifier(verifier: Verifier, own: Verifier, add: Problem) -> None:
    expected = right(add, verifier, 64)
    todo = batch(add, 64)
    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(lambda pair: own.verify(*pair), todo)) == expected
        batches = threads.map(lambda n: own.verify_many(todo[n * 4 : n * 4 + 4]), range(16))
        assert [verdict for verdicts in batches for verdict in verdicts] == expected


def test_a_cancelled_batch_stops_and_the_verifier_goes_on(own: Verifier, add: Problem) -> None:
    todo = [(add, f"{ENDLESS} (* {n} *)") for n in range(500)]

    async def cancel() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(own.averify_many(todo), timeout=0.5)

    ended = threading.Event()

    def play() -> None:
        asyncio.run(cancel())
        ended.set()

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    assert ended.wait(60), "the cancelled batch is still being evaluated"
    thread.join()
    assert own.verify(add, add.reference).passed


def test_many_tasks_share_a_verifier(verifier: Verifier, own: Verifier, add: Problem) -> None:
    expected = right(add, verifier, 24)

    async def ask() -> list[Verdict]:
        return await asyncio.gather(*(own.averify(*pair) for pair in batch(add, 24)))

    assert asyncio.run(ask()) == expected
