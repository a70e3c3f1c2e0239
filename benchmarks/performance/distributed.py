"""Measures the cost of a Ray cluster, and checks its verdicts when one of two nodes dies.

    python -m benchmarks.performance.distributed [--rounds N] [--seconds S] [--json FILE]
    python -m benchmarks.performance.distributed --kill 10 [--seed 0]

The first command evaluates a mixture of candidates, without repetition. ``Verifier`` in this process and
``RayVerifier`` on a cluster of this machine take turns, with two workers each. A turn starts its own processes and ends
them, so that idle processes of one way do not slow down the other. The rates give the resources for a million
completions an hour.

The second command has two nodes. It kills one at a random moment of a batch, as in a power cut: the raylet and its
actors at once. The verdicts must be those of a local verifier: all of them, once, in order. Then another node joins,
and the next kill follows.

Exit codes: 0 done; 1 a verdict is wrong or missing; 2 wrong usage; 3 something is missing or failed. A ratio below the
target is no failure, because rates need idle cores.
"""

# Long, because both commands need the same cluster and the same candidates.

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import pickle
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count, islice
from pathlib import Path
from statistics import fmean, median
from typing import Any, Self

import psutil
from tqdm import tqdm

from benchmarks.performance.processes import descendants
from ocaml_env import AnyVerifier, Problem, Verdict, Verifier, load_problems
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.errors import EngineError
from ocaml_env.verifiers.ray import RayVerifier
from ocaml_env.verifiers.ray.actor import Call
from ocaml_env.verifiers.ray.cluster import connect

__all__ = ["Kill", "Rates", "Turn", "TwoNodes", "main", "mixture"]

WORKERS = 2
REQUIRED = 0.85
AN_HOUR = 1_000_000
CORES_OF_A_NODE = 16

_BATCH = 2000  # candidates in one call of verify_many
_JOIN_SECONDS = 120.0

Pair = tuple[Problem, str]


def mixture(problems: Sequence[Problem]) -> Iterator[Pair]:
    """Yields endless unique candidates. Of five two are right, one raises, one is ill typed and one does not parse."""
    with Verifier(workers=1, cache_size=0) as verifier:
        stubs = [verifier.stubs(problem)[0].code for problem in problems]
    for number in count():
        for problem, stub in zip(problems, stubs, strict=True):
            right = problem.reference
            wrong = (stub, f'{right}\nlet surplus = 1 + "one"', f"{right}\nlet half = (")
            for code in (right, f"{right}\n", *wrong):
                yield problem, f"{code}\n(* {number} *)\n"


# --- rates ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Turn:
    """The figures of one way in one turn.

    Attributes:
        rate: verdicts a second.
        cpu: CPU seconds a verdict, of all processes: this one, the engine's, Ray's.
        caller: this process's part of it.
    """

    rate: float
    cpu: float
    caller: float


@dataclass(frozen=True, kw_only=True)
class Rates:
    """The turns of each way, and the traffic in bytes.

    Attributes:
        local: turns in this process.
        ray: turns on the cluster.
        sent: bytes of calls for each verdict.
        answered: bytes of answers for each verdict.
        problem: bytes of a problem, sent once to each actor.
    """

    local: list[Turn] = field(default_factory=list)
    ray: list[Turn] = field(default_factory=list)
    sent: float
    answered: float
    problem: float

    @property
    def ratios(self) -> list[float]:
        """Ray's rate divided by the local one, for each round."""
        return [there.rate / here.rate for here, there in zip(self.local, self.ray, strict=True)]


def compare(problems: Sequence[Problem], *, rounds: int, seconds: float) -> Rates:
    """Measures both ways in turns."""
    pairs = mixture(problems)
    rates = _traffic(list(islice(pairs, 10 * len(problems))))
    ways: list[tuple[Callable[[], AnyVerifier], list[Turn]]] = [
        (lambda: Verifier(workers=WORKERS, cache_size=0), rates.local),
        (lambda: RayVerifier(workers=WORKERS, cache_size=0), rates.ray),
    ]
    for make, turns in tqdm(ways * rounds, desc="turns", leave=False, disable=None):
        turns.append(_turn(make, pairs, seconds))
    return rates


def _turn(make: Callable[[], AnyVerifier], pairs: Iterator[Pair], seconds: float) -> Turn:
    with make() as verifier:
        verifier.verify_many(islice(pairs, _BATCH))  # every worker meets every problem
        there, here, began, done = _cpu(), time.process_time(), time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            done += len(verifier.verify_many(islice(pairs, _BATCH)))
        wall, here, there = time.perf_counter() - began, time.process_time() - here, _cpu() - there
    return Turn(rate=done / wall, cpu=(here + there) / done, caller=here / done)


def _cpu() -> float:
    return sum(process.cpu_seconds for process in descendants())


def _traffic(pairs: Sequence[Pair]) -> Rates:
    """Computes the traffic for these candidates in batches of 32."""
    with Verifier(workers=WORKERS, cache_size=0) as verifier:
        verdicts = verifier.verify_many(pairs)
    starts = range(0, len(pairs), 32)
    calls = [[Call("verify", 1, (code,)) for _, code in pairs[at : at + 32]] for at in starts]
    return Rates(
        sent=sum(len(pickle.dumps((batch, {}))) for batch in calls) / len(pairs),
        answered=sum(len(pickle.dumps(verdicts[at : at + 32])) for at in starts) / len(pairs),
        problem=fmean(len(pickle.dumps(problem)) for problem, _ in pairs),
    )


def _print_rates(rates: Rates) -> None:
    print(f"{'':<20} {'verdicts a second':>18} {'CPU ms a verdict':>17} {'of that, the caller':>20}")
    for name, turns in (("in this process", rates.local), ("Ray", rates.ray)):
        cpu, caller = (median(getattr(turn, of) for turn in turns) * 1e3 for of in ("cpu", "caller"))
        print(f"{name:<20} {median(turn.rate for turn in turns):>18.0f} {cpu:>17.2f} {caller:>20.2f}")
    ratio, each = median(rates.ratios), ", ".join(f"{ratio:.2f}" for ratio in rates.ratios)
    print(f"{'ratio':<20} {ratio:>18.2f}   ({each}); at least {REQUIRED}: {'met' if ratio >= REQUIRED else 'MISSED'}\n")
    core = median(turn.rate for turn in rates.ray) / WORKERS
    wanted = AN_HOUR / 3600
    nodes = math.ceil(wanted / core / CORES_OF_A_NODE)
    traffic = wanted * (rates.sent + rates.answered) / 1e6
    caller = median(turn.caller for turn in rates.ray)
    print(f"{AN_HOUR:,} completions an hour are {wanted:.0f} a second.")
    print(f"  cores    {wanted / core:.1f}, at {core:.0f} a second each: {nodes} node{'s' * (nodes > 1)} of "
          f"{CORES_OF_A_NODE}")  # fmt: skip
    print(f"  network  {rates.sent:.0f} bytes out and {rates.answered:.0f} back a completion, {traffic:.1f} MB/s in "
          f"all; {rates.problem:.0f} bytes a problem, once an actor")  # fmt: skip
    print(f"  caller   {caller * 1e3:.2f} ms of its CPU a completion: one process can ask for {1 / caller:,.0f} a "
          "second")  # fmt: skip


# --- kills ------------------------------------------------------------------------------------------------------------


class TwoNodes:
    """A Ray cluster of two nodes of one CPU each, all on this machine; the second can be killed and replaced."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        health = {
            "health_check_initial_delay_ms": 0,
            "health_check_period_ms": 500,
            "health_check_failure_threshold": 4,
        }
        self._size = {"num_cpus": 1, "object_store_memory": 80_000_000}
        head = self._size | {"include_dashboard": False, "_system_config": health}
        self._nodes = Cluster(initialize_head=True, head_node_args=head)
        self.join()
        self._ray, _ = connect(self._nodes.address)

    def join(self, **settings: Any) -> None:
        """Starts a second node."""
        self._second = self._nodes.add_node(**self._size, **settings)

    def kill(self) -> None:
        """Kills the second node as in a power cut: the raylet and the actors under it, at once."""
        raylet = self._second.all_processes["raylet"][0].process.pid
        for pid in [raylet, *actors(raylet)]:
            os.kill(pid, signal.SIGKILL)

    def close(self) -> None:
        self._ray.shutdown()
        self._nodes.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def actors(raylet: int | None = None) -> list[int]:
    """Returns the pids of the actors under a raylet, or of all actors under this process."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            is_actor = process.cmdline()[:1] and process.cmdline()[0].startswith("ray::VerifierActor")
            if is_actor and raylet in (None, process.ppid()):
                found.append(process.pid)
    return found


def wait_for(verifier: RayVerifier, number: int) -> None:
    """Waits until ``number`` actors are ready and none is still starting.

    Raises:
        EngineError: if that takes longer than ``_JOIN_SECONDS``.
    """
    deadline = time.monotonic() + _JOIN_SECONDS
    while (verifier.ready, verifier.workers) != (number, number):
        if time.monotonic() > deadline:
            raise EngineError(f"{verifier.ready} actors of {verifier.workers} are ready, and {number} should be")
        time.sleep(0.05)


@dataclass(frozen=True, kw_only=True)
class Kill:
    """One killed node.

    Attributes:
        after: number of verdicts received before the kill.
        pause: the longest wait for the next verdict, in seconds.
        seconds: duration of the batch.
        wrong: number of verdicts that differ from a local verifier's, missing and surplus ones included.
    """

    after: int
    pause: float
    seconds: float
    wrong: int


def kill_nodes(problems: Sequence[Problem], *, kills: int, size: int, seed: int) -> Iterator[Kill]:
    """Kills the second node once in each of ``kills`` batches of ``size`` candidates."""
    rng = random.Random(seed)
    pairs = mixture(problems)
    with Verifier(workers=WORKERS, cache_size=0) as local, TwoNodes() as nodes, RayVerifier(cache_size=0) as verifier:
        wait_for(verifier, 2)
        for _ in range(kills):
            batch = list(islice(pairs, size))
            yield _kill(nodes, verifier, batch, local.verify_many(batch), rng.randrange(size), rng.uniform(0, 0.2))
            wait_for(verifier, 1)
            nodes.join()
            wait_for(verifier, 2)


def _kill(
    nodes: TwoNodes, verifier: RayVerifier, batch: list[Pair], expected: list[Verdict], number: int, delay: float
) -> Kill:
    """Evaluates a batch, and kills the node ``delay`` seconds after verdict ``number``."""
    given: list[Verdict] = []
    after = -1

    def kill() -> None:
        nonlocal after
        after = len(given)
        nodes.kill()

    began = latest = time.perf_counter()
    pause = 0.0
    timer = threading.Timer(delay, kill)
    for verdict in verifier.verify_stream(batch):
        given.append(verdict)
        if len(given) == number + 1:
            timer.start()
        now = time.perf_counter()
        pause, latest = max(pause, now - latest), now
    timer.join()
    wrong = sum(one != other for one, other in zip(given, expected, strict=False)) + abs(len(given) - len(expected))
    return Kill(after=after, pause=pause, seconds=latest - began, wrong=wrong)


# --- the command ------------------------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = parser_of("python -m benchmarks.performance.distributed", __doc__)
    parser.add_argument("--rounds", type=int, default=5, help="turns of each way (default: 5)")
    parser.add_argument("--seconds", type=float, default=8.0, help="seconds of a turn (default: 8)")
    parser.add_argument("--kill", type=int, metavar="N", help="kill a node N times instead")
    parser.add_argument("--size", type=int, default=2000, help="candidates in a batch with --kill (default: 2000)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the moments of --kill (default: 0)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure to FILE")
    return parser


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints, and returns the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if min(options.rounds, options.size, options.kill or 1) < 1 or options.seconds <= 0:
        parser.error("--rounds, --size, --kill and --seconds must be above 0")
    problems = [problem for problem in load_problems("bundled:eval") if problem.kind == "function"]
    print(f"{len(problems)} problems; {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}\n")
    figures: Any
    if options.kill:
        print(f"{'killed after verdict':>20} {'longest pause':>14} {'batch took':>11}   verdicts")
        figures = []
        for kill in kill_nodes(problems, kills=options.kill, size=options.size, seed=options.seed):
            said = f"{options.size} of {options.size} right" if not kill.wrong else f"{kill.wrong} WRONG"
            print(f"{kill.after:>20} {kill.pause:>12.1f} s {kill.seconds:>9.1f} s   {said}", flush=True)
            figures.append(asdict(kill))
    else:
        rates = compare(problems, rounds=options.rounds, seconds=options.seconds)
        _print_rates(rates)
        figures = asdict(rates)
    if options.json:
        options.json.write_text(json.dumps({"cpus": os.cpu_count(), "figures": figures}, indent=1) + "\n")
    return 1 if options.kill and any(kill["wrong"] for kill in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
