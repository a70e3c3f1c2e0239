"""Measures the cost of a verdict, and of the same evaluation with OCaml's ordinary tools.

    python -m benchmarks.performance.throughput [--rounds N] [--quick] [--workers-scaling] [--json FILE]

It uses 40 bundled function problems with references of 20 to 90 lines, and 10 tests of each. A round evaluates each
program in every way before the next program, so that other load on the machine falls on all ways alike. The ways are
those of ``baselines`` and the engine, ``Verifier(workers=1, cache_size=0)``. As in use, the engine compiles the tests
of a problem for its first candidate; that cost is reported apart and not counted.

CPU time includes every process involved, this one too. The targets are printed beside the figures. Slowness is no
failure. Exit codes: 0 measured; 2 wrong usage; 3 something is missing or broken.
"""

# Long, because the costs and the rates are measured on the same programs and printed beside each other.

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean, median
from typing import Any

from tqdm import tqdm

from benchmarks.performance.baselines import WAYS, Cost, evaluate, require
from benchmarks.performance.processes import cpu_seconds, descendants
from ocaml_env import OCamlEnvError, Problem, Verifier, load_problems
from ocaml_env.commands import natural, parser_of, reports_errors

__all__ = ["EngineCost", "Measured", "Rates", "compare", "compare_workers", "main", "programs"]

LINES = range(20, 91)
PROGRAMS = 40
TESTS = 10

# CPU per accepted candidate: the engine must (REQUIRED) and should (AIM) take so many times less than each way.
REQUIRED = {"a": 35.0, "b": 10.0, "c": 15.0}
AIM = {"a": 55.0}
REQUIRED_SCALING = 1.8


@dataclass(frozen=True, kw_only=True)
class EngineCost(Cost):
    """The mean cost of a batch, in seconds a candidate. ``cpu`` is the sum of ``python``, ``checker`` and ``runner``.

    Attributes:
        checker: CPU time of the compiler's processes.
        runner: CPU time of the jailed processes.
    """

    checker: float
    runner: float


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One program's costs, in seconds a candidate.

    Attributes:
        problem_id: the problem; its reference is the program.
        lines: of the reference, without blank ones.
        first: wall time of the engine's first candidate, including the compilation of the tests.
        engine_walls: wall time of every evaluation by the engine.
        engine: the engine's cost in each round, as a mean of a batch: CPU time cannot be told for single evaluations.
        ways: the costs of each round, by the key of the way.
    """

    problem_id: str
    lines: int
    first: float
    engine_walls: list[float] = field(default_factory=list)
    engine: list[EngineCost] = field(default_factory=list)
    ways: dict[str, list[Cost]] = field(default_factory=lambda: {way.key: [] for way in WAYS})

    def engine_cpu(self) -> float:
        return fmean(cost.cpu for cost in self.engine)

    def way_cpu(self, key: str) -> float:
        return fmean(cost.cpu for cost in self.ways[key])


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Verdicts a second with one worker and with two, one figure a turn."""

    one: list[float]
    two: list[float]

    @property
    def ratio(self) -> float:
        return median(self.two) / median(self.one)


def programs() -> list[Problem]:
    """``PROGRAMS`` bundled problems with ``TESTS`` of their tests each, both chosen evenly.

    Raises:
        OCamlEnvError: if no problem qualifies.
    """
    chosen = [
        replace(problem, baseline=(), tests=tuple(problem.tests[i * len(problem.tests) // TESTS] for i in range(TESTS)))
        for problem in load_problems("bundled", kind="function")
        if _lines(problem) in LINES and len(problem.tests) >= TESTS
    ]
    if not chosen:
        raise OCamlEnvError(f"no bundled reference has {LINES.start} to {LINES.stop - 1} lines and {TESTS} tests")
    return [chosen[i * len(chosen) // PROGRAMS] for i in range(PROGRAMS)] if len(chosen) > PROGRAMS else chosen


def compare(problems: Sequence[Problem], *, rounds: int, repeats: int) -> list[Measured]:
    """Evaluates every reference in every way, ``rounds`` times; with the engine ``repeats`` times a round.

    Raises:
        OCamlEnvError: if a way cannot be used or rejects a reference.
    """
    require()
    with Verifier(workers=1, cache_size=0) as verifier, tempfile.TemporaryDirectory() as scratch:
        measured = [
            Measured(problem_id=problem.id, lines=_lines(problem), first=_first(verifier, problem))
            for problem in tqdm(problems, desc="compiling tests", leave=False, disable=None)
        ]
        folders = _folders(Path(scratch))
        todo = list(zip(problems, measured, strict=True)) * rounds
        workers = {process.pid for process in descendants()}
        for problem, results in tqdm(todo, desc="measuring", unit=" programs", leave=False, disable=None):
            for way in WAYS:
                results.ways[way.key].append(evaluate(way, problem, problem.reference, next(folders)))
            results.engine.append(_engine_batch(verifier, problem, repeats, results.engine_walls))
        if {process.pid for process in descendants()} != workers:
            raise OCamlEnvError("a worker was replaced during the measurement: its CPU time is lost, run it again")
    return measured


def compare_workers(problems: Sequence[Problem], *, seconds: float, turns: int) -> Rates:
    """Measures the rates of ``verify_many`` with one and with two workers, in turns of ``seconds`` each."""
    with Verifier(workers=1, cache_size=0) as one, Verifier(workers=2, cache_size=0) as two:
        pairs = [(problem, problem.reference) for problem in problems]
        for verifier in (one, two):
            _rate(verifier, pairs * 3, 0)  # every worker meets every problem
        order = [verifier for _ in range(turns) for verifier in (one, two)]
        rates = [
            _rate(verifier, pairs * 10, seconds)
            for verifier in tqdm(order, desc="1 and 2 workers", leave=False, disable=None)
        ]
    return Rates(one=rates[0::2], two=rates[1::2])


def _lines(problem: Problem) -> int:
    return sum(1 for line in problem.reference.splitlines() if line.strip())


def _first(verifier: Verifier, problem: Problem) -> float:
    began = time.perf_counter()
    _pass(verifier, problem, problem.reference)
    return time.perf_counter() - began


def _engine_batch(verifier: Verifier, problem: Problem, repeats: int, walls: list[float]) -> EngineCost:
    """Returns the mean cost of ``repeats`` evaluations, of different texts; appends their wall times to ``walls``."""
    codes = [f"{problem.reference}\n(* {len(walls) + number} *)\n" for number in range(repeats)]
    before, python, total = cpu_seconds(), time.process_time(), 0.0
    for code in codes:
        began = time.perf_counter()
        _pass(verifier, problem, code)
        walls.append(time.perf_counter() - began)
        total += walls[-1]
    python = (time.process_time() - python) / repeats
    after = cpu_seconds()
    checker = (after.checkers - before.checkers) / repeats
    runner = (after.deeper - before.deeper) / repeats
    return EngineCost(
        wall=total / repeats, cpu=checker + runner + python, python=python, checker=checker, runner=runner
    )


def _pass(verifier: Verifier, problem: Problem, code: str) -> None:
    verdict = verifier.verify(problem, code)
    if not verdict.passed:
        raise OCamlEnvError(f"the engine does not pass the reference of {problem.id}: {verdict.outcome}")


def _folders(scratch: Path) -> Iterator[Path]:
    """Yields a new empty folder for each candidate, so that no way finds files built by another."""
    number = 0
    while True:
        folder = scratch / str(number)
        folder.mkdir()
        yield folder
        number += 1


def _rate(verifier: Verifier, pairs: list[tuple[Problem, str]], seconds: float) -> float:
    done, began = 0, time.perf_counter()
    while done == 0 or time.perf_counter() - began < seconds:
        for (problem, _), verdict in zip(pairs, verifier.verify_many(pairs), strict=True):
            if not verdict.passed:
                raise OCamlEnvError(f"the engine does not pass the reference of {problem.id}: {verdict.outcome}")
        done += len(pairs)
    return done / (time.perf_counter() - began)


# --- output -----------------------------------------------------------------------------------------------------------


def _print_costs(measured: Sequence[Measured]) -> None:
    rows = [
        (f"({way.key}) {way.title}", [cost for program in measured for cost in program.ways[way.key]], way.key)
        for way in WAYS
    ]
    print(f"{'milliseconds a candidate':<30} {'wall: median':>12} {'mean':>8} {'CPU: median':>12} {'mean':>8}")
    for title, costs, key in rows:
        medians = median(program.way_cpu(key) for program in measured)
        _print_row(title, [cost.wall for cost in costs], medians, fmean(cost.cpu for cost in costs))
    engine = [cost for program in measured for cost in program.engine]
    walls = [wall for program in measured for wall in program.engine_walls]
    medians = median(program.engine_cpu() for program in measured)
    _print_row("the engine", walls, medians, fmean(cost.cpu for cost in engine))
    parts = {
        "checker": fmean(cost.checker for cost in engine),
        "runner": fmean(cost.runner for cost in engine),
        "this process": fmean(cost.python for cost in engine),
    }
    print("\nCPU time of the engine, mean: " + ", ".join(f"{name} {_ms(part)}" for name, part in parts.items()))
    first = median(program.first for program in measured)
    print(f"The first candidate of a problem, which compiles its tests, takes {_ms(first)} ms (wall, median).\n")


def _print_row(title: str, walls: list[float], cpu_median: float, cpu_mean: float) -> None:
    print(f"{title:<30} {_ms(median(walls)):>12} {_ms(fmean(walls)):>8} {_ms(cpu_median):>12} {_ms(cpu_mean):>8}")


def _print_ratios(measured: Sequence[Measured]) -> None:
    """Prints ratios of the sums over all candidates, and the spread of the CPU ratios of single programs."""
    print(f"{'':<44}{'CPU of single programs':>33}")
    print(f"{'times less than':<30} {'wall':>12} {'CPU':>8} {'median':>8} {'least':>8} {'most':>8}   target")
    for way in WAYS:
        each = [program.way_cpu(way.key) / program.engine_cpu() for program in measured]
        walls = _total(measured, lambda cost: cost.wall, way.key)
        cpu = _total(measured, lambda cost: cost.cpu, way.key)
        spread = " ".join(f"{ratio:>7.1f}x" for ratio in (median(each), min(each), max(each)))
        wanted = _against(cpu, REQUIRED[way.key], AIM.get(way.key))
        print(f"({way.key}) {way.title:<26} {walls:>11.1f}x {cpu:>7.1f}x {spread}   {wanted}")


def _total(measured: Sequence[Measured], of: Callable[[Cost], float], key: str) -> float:
    """Returns the mean over all candidates of one way, divided by that of the engine."""
    way = fmean(of(cost) for program in measured for cost in program.ways[key])
    return way / fmean(of(cost) for program in measured for cost in program.engine)


def _print_rates(rates: Rates) -> None:
    for name, turns in (("1 worker", rates.one), ("2 workers", rates.two)):
        each = ", ".join(f"{rate:.0f}" for rate in turns)
        print(f"{name:<30} {median(turns):>8.0f} verdicts a second ({each})")
    print(f"{'2 workers against 1':<30} {rates.ratio:>7.2f}x   {_against(rates.ratio, REQUIRED_SCALING, None)}")


def _against(figure: float, required: float, aim: float | None) -> str:
    text = f"at least {required:g}x: {'met' if figure >= required else 'MISSED'}"
    return text if aim is None else f"{text}; aim {aim:g}x: {'met' if figure >= aim else 'not met'}"


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f}"


def _machine() -> dict[str, Any]:
    return {"cpus": os.cpu_count(), "load": os.getloadavg()[0], "python": sys.version.split()[0]}


def _parser() -> argparse.ArgumentParser:
    parser = parser_of("python -m benchmarks.performance.throughput", __doc__)
    parser.add_argument("--rounds", type=natural, default=5, help="rounds through all programs (default: 5)")
    parser.add_argument("--quick", action="store_true", help="12 programs, 2 rounds, about 20 seconds")
    parser.add_argument("--workers-scaling", action="store_true", help="only the rates with 1 and 2 workers")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure to FILE")
    return parser


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints, and returns the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    machine = _machine()
    chosen = programs()[:12] if options.quick else programs()
    lines = [_lines(problem) for problem in chosen]
    print(f"{len(chosen)} programs of {min(lines)} to {max(lines)} lines, {TESTS} tests each; {machine['cpus']} CPUs")
    if machine["load"] > 0.5:
        print(f"the machine is not idle (load {machine['load']:.1f}): wall times and rates suffer, CPU times less")
    print()
    rounds = 2 if options.quick else options.rounds
    measured = [] if options.workers_scaling else compare(chosen, rounds=rounds, repeats=10 if options.quick else 20)
    if measured:
        _print_costs(measured)
        _print_ratios(measured)
        print()
    rates = compare_workers(chosen, seconds=1.0 if options.quick else 4.0, turns=2 if options.quick else 3)
    _print_rates(rates)
    if options.json:
        record = {"machine": machine, "programs": [asdict(program) for program in measured], "rates": asdict(rates)}
        options.json.write_text(json.dumps(record, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
