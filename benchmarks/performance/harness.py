"""Measures the overhead of an evaluation beyond the model and the verification of its answers.

    python -m benchmarks.performance.harness [--n N] [--concurrency N] [--workers N] [--rounds N]

A server in a process of its own answers each request of ``ocaml-env evaluate`` after 50 ms, with a different completion
each (``recorded``). Three times are compared:

- the model alone: requests / concurrency x 50 ms, the least time of the server;
- verification alone: a command that reads the same completions from a file and evaluates them by ``evaluate_many``;
- the run: the evaluation, from its start to its end.

The bar is on CPU time: Python's in the run beyond that of verification alone, a sample. Wall time is stated: generation
and verification overlap, so a run takes at least the longer of the two, and the overhead is the time beyond that, as a
share of the run's wall time. By default there are as many workers as cores, as in an evaluation, and the
harness's own computing makes verification wait. With one worker fewer the harness has a core of its own. The server
stands for the model, but its computing makes verification wait too. So its CPU time, divided by the cores, is added to
the time of verification alone.

A machine's speed may change within a minute by more than the overhead. So verification alone is measured before and
after each run, time stolen by a virtual machine's host is subtracted, and the median of the rounds counts. Its parts
are printed beside it: CPU time of Python and of the engine beyond that of verification alone, and idle cores. The
engine does the same work in both; any difference comes from the machine, or from the caches that it shares with Python.

Slowness is no failure. Exit codes: 0 measured; 2 wrong usage; 3 something is missing or broken.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple, Self

from benchmarks.performance.processes import Used, descendants, run_watched
from benchmarks.performance.recorded import recorded
from ocaml_env import RewardSpec, Verifier, load_problems
from ocaml_env.commands import natural, parser_of, reports_errors
from ocaml_env.episode import evaluate_many
from ocaml_env.evaluation.models.base import seed_of

__all__ = ["main"]

TARGET = 1.5  # milliseconds of CPU a sample
DELAY = 0.05
PROBLEMS = "bundled:eval"

_CORES = len(os.sched_getaffinity(0))


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints, and returns the exit code."""
    parser = parser_of("python -m benchmarks.performance.harness", __doc__)
    add = parser.add_argument
    add("--n", type=natural, default=20, help=f"samples of each problem of {PROBLEMS} (20)")
    add("--concurrency", type=natural, default=64, help="requests at a time (64)")
    add("--workers", type=natural, default=_CORES, help="workers of the verifier (one a core)")
    add("--rounds", type=natural, default=3, help="runs, with verification alone before and after each (3)")
    add(
        "--evaluate",
        metavar="FILE",
        type=Path,
        help="only evaluate the completions of a file, as before and after each run",
    )
    options = parser.parse_args(arguments)
    if options.evaluate is not None:
        _evaluate(options.evaluate, options.workers)
    else:
        with tempfile.TemporaryDirectory() as scratch:
            _measure(Path(scratch), options)
    return 0


def _measure(scratch: Path, options: argparse.Namespace) -> None:
    problems = list(load_problems(PROBLEMS))
    answers = scratch / "answers.jsonl"
    with Verifier(workers=options.workers) as verifier, answers.open("w", encoding="ascii") as file:
        for index, made in enumerate(recorded(problems, verifier, options.n * len(problems))):
            seed = seed_of(0, made.problem_id, index % options.n, 1)
            file.write(json.dumps({"seed": seed, "task_id": made.problem_id, "completion": made.completion}) + "\n")
    samples = options.n * len(problems)
    print(f"{samples:,} samples, {options.concurrency} requests at a time, {options.workers} workers on "
          f"{_CORES} cores; load average {os.getloadavg()[0]:.1f}")  # fmt: skip
    model = samples / options.concurrency * DELAY
    print(f"the model alone     {model:8.2f} s")
    workers = ["--workers", str(options.workers)]
    evaluating = [sys.executable, "-m", "benchmarks.performance.harness", "--evaluate", str(answers), *workers]
    command = [sys.executable, "-m", "benchmarks.evaluate", "--model", "openai:fake", "--problems", PROBLEMS, *workers]
    command += ["--n", str(options.n), "--concurrency", str(options.concurrency)]
    rounds: list[_Overhead] = []
    beside: list[float] = []
    alone = _shown("verification alone", run_watched(evaluating))
    for number in range(options.rounds):
        with _serving(answers) as (url, server_seconds):
            started = server_seconds()
            run = run_watched([*command, "--base-url", url, "--out", str(scratch / f"run{number}")])
            serving = server_seconds() - started
        _shown("the run", run, f", server {serving:.2f} s")
        before, alone = alone, _shown("verification alone", run_watched(evaluating))
        rounds.append(_Overhead.of(run, (before, alone), serving=serving, model=model))
        beside.append((run.own_seconds - fmean((before.own_seconds, alone.own_seconds))) / samples * 1e3)
        print(f"overhead            {rounds[-1]}", flush=True)
    middle = _Overhead(*(median(shares) for shares in zip(*rounds, strict=True)))
    print(f"median              {middle}")
    print(f"CPU of the runner   {median(beside):8.2f} ms a sample beside verification; at most {TARGET} ms wanted")


def _evaluate(file: Path, workers: int) -> None:
    problems = load_problems(PROBLEMS).by_id
    lines = map(json.loads, file.read_text(encoding="ascii").splitlines())
    pairs = [(problems[line["task_id"]], line["completion"]) for line in lines]
    with Verifier(workers=workers) as verifier:
        evaluate_many(pairs, verifier=verifier, reward=RewardSpec.preset("staged"))


@contextlib.contextmanager
def _serving(answers: Path) -> Iterator[tuple[str, Callable[[], float]]]:
    """Starts a server with a completion for each sample; gives its address, and a function for its CPU seconds."""
    command = [sys.executable, "-m", "benchmarks.stress.fake_service", str(answers), "--delay", str(DELAY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            yield address, lambda: next(child.cpu_seconds for child in descendants() if child.pid == server.pid)
        finally:
            server.terminate()


class _Overhead(NamedTuple):
    """The overhead of a run beyond the model and verification, and its parts, as shares of the run's wall time."""

    whole: float
    python: float
    engine: float
    idle: float

    @classmethod
    def of(cls, run: Used, alone: Sequence[Used], *, serving: float, model: float) -> Self:
        """Computes the overhead.

        Args:
            run: the evaluation.
            alone: verification alone, before and after the run.
            serving: CPU seconds of the server.
            model: wall seconds of the model alone.
        """
        verification = fmean(_wall(used) for used in alone) + serving / _CORES
        whole = _wall(run) - max(model, verification)
        python = (run.own_seconds - fmean(used.own_seconds for used in alone)) / _CORES
        engine = (run.below_seconds - fmean(used.below_seconds for used in alone)) / _CORES
        return cls(*(seconds / _wall(run) for seconds in (whole, python, engine, whole - python - engine)))

    def __str__(self) -> str:
        parts = f"Python {self.python:.1%}, engine {self.engine:.1%}, idle cores {self.idle:.1%}"
        return f"{self.whole:8.1%}   of the wall time: {parts}"


def _wall(used: Used) -> float:
    """Returns the wall time of a command without the time stolen by the machine's host."""
    return used.wall_seconds - used.stolen_seconds / _CORES


def _shown(what: str, used: Used, more: str = "") -> Used:
    cpu = f"CPU: engine {used.below_seconds:.2f} s, Python {used.own_seconds:.2f} s{more}"
    stolen = f" ({used.wall_seconds:.2f} s with what the host took)" if used.stolen_seconds else ""
    print(f"{what:20}{_wall(used):8.2f} s   {cpu}{stolen}", flush=True)
    return used


if __name__ == "__main__":
    sys.exit(main())
