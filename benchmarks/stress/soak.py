"""Checks verdicts, memory and processes over many evaluations, and verdicts on a loaded machine.

    python -m benchmarks.stress.soak [--evaluations 20000] [--workers 1] [--seed 0]
    python -m benchmarks.stress.soak --under-load [--evaluations 2000]

Every case of the ``corpus`` is evaluated once, in order. Then shuffled rounds follow, without a cache. Slow cases are
drawn less often, in proportion to their time, so that a process meets nearly every problem within a round.

It fails (exit code 1) if

- a verdict differs from the first one of the same problem and code, or an infrastructure error comes instead;
- a process of a worker grows. Its first 2,000 evaluations fill caches. The least memory in its next 2,000 is the base:
  memory right after a garbage collection. The least in its last 2,000 may be at most ``GROWTH`` times that, and its
  descriptors may not increase. Each process is compared with itself, because workers replace their processes now and
  then, and a young process is small;
- a process is left below a runner between two evaluations, or a process or a descriptor of ours is left at the end.

``--under-load`` runs the same evaluations twice, the second time beside one busy process for each core, and compares
every verdict. Exit code 2 means wrong usage, 3 that something is missing.
"""

# Long, because the same cases are watched in both ways.

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields, replace
from itertools import zip_longest
from statistics import median
from typing import Any

import psutil
from tqdm import tqdm

from benchmarks.performance.processes import Process, descendants, is_alive
from benchmarks.stress.corpus import Case, corpus
from ocaml_env import EngineError, ProblemError, Verdict, Verifier
from ocaml_env.commands import natural, parser_of, reports_errors

__all__ = ["Drift", "Life", "Seen", "Soak", "Window", "busy", "differences", "main"]

WINDOW = 2_000
GROWTH = 1.10
SLACK_BYTES = 1 << 20  # an allocator may keep or return this much without any growth

_SAMPLE = 20  # evaluations between two looks at the processes
_QUICK_SECONDS = 0.02  # a case that takes longer is drawn less often
_ROLES = {1: "reserve", 2: "checker", 3: "runner"}  # by their depth below this process

Seen = Verdict | str
"""A verdict, or the text of an infrastructure error."""


@dataclass(frozen=True, kw_only=True)
class Drift:
    """A case with different verdicts, or with an infrastructure error.

    Attributes:
        case: the case.
        first: its first verdict.
        later: the first verdict that differed.
        times: number of evaluations that differed.
    """

    case: Case
    first: Seen
    later: Seen
    times: int


@dataclass(frozen=True, kw_only=True)
class Window:
    """Memory of the engine's processes during some evaluations.

    Attributes:
        rss: resident bytes by role, one entry for each process and look.
        strangers: pids of processes below a runner.
    """

    rss: dict[str, list[int]] = field(default_factory=lambda: {role: [] for role in _ROLES.values()})
    strangers: set[int] = field(default_factory=set)


@dataclass(kw_only=True)
class Life:
    """One process of the engine.

    A window is ``WINDOW`` evaluations of its own. The first window fills caches, and the second gives the base. The
    least memory of each window is compared, because memory grows to several times that between two garbage collections.

    Attributes:
        process: its state at the latest look.
        born: number of evaluations of its kind (function or program, filtered or not) before it was first seen.
        age: number of evaluations of its kind from then to the latest look.
        least_rss: the least resident bytes in each window.
        most_descriptors: the most open descriptors in each window.
    """

    process: Process
    born: int
    age: int = 0
    least_rss: list[int] = field(default_factory=list)
    most_descriptors: list[int] = field(default_factory=list)

    def look(self, process: Process, done: int) -> None:
        self.process, self.age = process, done - self.born
        if self.age // WINDOW == len(self.least_rss):
            self.least_rss.append(process.rss_bytes)
            self.most_descriptors.append(process.descriptors)
        else:
            self.least_rss[-1] = min(self.least_rss[-1], process.rss_bytes)
            self.most_descriptors[-1] = max(self.most_descriptors[-1], process.descriptors)

    @property
    def _whole_windows(self) -> list[int]:
        # The latest window may be too short to contain a garbage collection.
        return self.least_rss[: self.age // WINDOW]

    @property
    def can_tell(self) -> bool:
        """True if it has enough windows to show growth."""
        return len(self._whole_windows) > 2

    def growth(self) -> list[str]:
        """Describes its growth, one line for each problem."""
        who = f"{_ROLES.get(self.process.depth, 'stranger')} {self.process.pid} (from evaluation {self.born})"
        said = []
        whole = self._whole_windows
        if self.can_tell and whole[-1] > whole[1] * GROWTH + SLACK_BYTES:
            sizes = f"{_mib(whole[1])} MiB in its second window to {_mib(whole[-1])} in window {len(whole)}"
            said.append(f"{who} grew from at least {sizes}")
        _, before, *after = [*self.most_descriptors, 0, 0]
        if max(after, default=0) > before:
            said.append(f"{who} went from {before} to {max(after)} descriptors")
        return said


class Soak:
    """Evaluates cases, compares their verdicts, and watches the engine's processes.

    Attributes:
        evaluated: the case of every evaluation, in order.
        drifts: cases with different verdicts, by name.
        lives: every process of the engine seen so far, by pid and start.
        ignored: pids of children of this process outside the engine.
    """

    def __init__(self, cases: Sequence[Case], *, workers: int, seed: int) -> None:
        self.evaluated: list[Case] = []
        self.drifts: dict[str, Drift] = {}
        self.lives: dict[tuple[int, float], Life] = {}
        self.ignored = {process.pid for process in descendants()}
        self._cases = cases
        self._round: list[Case] = []
        self._random = random.Random(seed)
        self._first: dict[str, Seen] = {}
        self._seconds: dict[str, float] = {}
        self._done: Counter[tuple[str, bool]] = Counter()
        self._threads = ThreadPoolExecutor(workers)
        # Attacks on a broken filter need a verifier without the filter.
        self._verifiers = {on: Verifier(workers=workers, cache_size=0, _filter=on) for on in (True, False)}

    def run(self, count: int, bar: tqdm[Any] | None = None) -> Window:
        """Makes ``count`` further evaluations: first of cases without one, then of rounds of all cases."""
        return self._watch((self._draw(min(_SAMPLE, count - done)) for done in range(0, count, _SAMPLE)), bar)

    def repeat(self, cases: Sequence[Case], bar: tqdm[Any] | None = None) -> Window:
        """Evaluates these cases again."""
        return self._watch((cases[start : start + _SAMPLE] for start in range(0, len(cases), _SAMPLE)), bar)

    def close(self) -> list[Process]:
        """Ends the engine, and returns its processes that are still alive."""
        self._look()
        self._threads.shutdown()
        for verifier in self._verifiers.values():
            verifier.close()
        deadline = time.monotonic() + 5
        while (left := [life.process for life in self.lives.values() if is_alive(life.process)]) and (
            time.monotonic() < deadline
        ):
            time.sleep(0.05)
        return left

    def _watch(self, parts: Iterator[Sequence[Case]], bar: tqdm[Any] | None) -> Window:
        window = Window()
        for part in parts:
            for case, seen in zip(part, self._threads.map(self._evaluate, part), strict=True):
                self._compare(case, seen)
                self._done[case.problem.kind, case.filtered] += 1
            self.evaluated += part
            for process in self._look():
                if role := _ROLES.get(process.depth):
                    window.rss[role].append(process.rss_bytes)
                else:
                    window.strangers.add(process.pid)
            if bar is not None:
                bar.update(len(part))
        return window

    def _draw(self, count: int) -> list[Case]:
        drawn = list(self._cases[len(self.evaluated) : len(self.evaluated) + count])
        while len(drawn) < count:
            while not self._round:
                self._round = [case for case in self._cases if self._random.random() < self._share(case)]
                self._random.shuffle(self._round)
            drawn.append(self._round.pop())
        return drawn

    def _share(self, case: Case) -> float:
        """Returns the share of rounds that include the case."""
        return min(1.0, _QUICK_SECONDS / self._seconds.get(case.name, 1.0))

    def _evaluate(self, case: Case) -> Seen:
        began = time.perf_counter()
        try:
            return self._verifiers[case.filtered].verify(case.problem, case.code)
        except (EngineError, ProblemError) as fault:
            return f"{type(fault).__name__}: {fault}"
        finally:
            self._seconds.setdefault(case.name, time.perf_counter() - began)

    def _compare(self, case: Case, seen: Seen) -> None:
        first = self._first.setdefault(case.name, seen)
        if isinstance(seen, Verdict) and seen == first:
            return
        known = self.drifts.get(case.name, Drift(case=case, first=first, later=seen, times=0))
        self.drifts[case.name] = replace(known, times=known.times + 1)

    def _look(self) -> list[Process]:
        found = [process for process in descendants() if process.branch not in self.ignored]
        for process in found:
            kind = _kind(process.branch)
            if kind is None:
                continue
            done = self._done[kind]
            life = self.lives.setdefault((process.pid, process.started), Life(process=process, born=done))
            life.look(process, done)
        return found


def _kind(checker: int) -> tuple[str, bool] | None:
    """Reads a checker's kind of problem, and if it filters, from its command line; None if it is gone."""
    try:
        words = psutil.Process(checker).cmdline()
    except psutil.Error:
        return None
    kind = next((kind for kind in ("function", "program") if kind in words), None)
    return None if kind is None else (kind, "unfiltered" not in words)


def differences(first: Seen, later: Seen) -> list[str]:
    """Describes the differences of two verdicts, one line each."""
    if isinstance(first, str) or isinstance(later, str):
        return [] if first == later else [f"{_brief(first)} -> {_brief(later)}"]
    names = [part.name for part in fields(Verdict) if part.compare and part.name not in ("diagnostics", "tests")]
    changed = [name for name in names if getattr(first, name) != getattr(later, name)]
    said = [f"{name}: {getattr(first, name)} -> {getattr(later, name)}" for name in changed]
    pairs = zip_longest(first.diagnostics, later.diagnostics)
    said += [f"diagnostic {number}: {a} -> {b}" for number, (a, b) in enumerate(pairs, start=1) if a != b]
    if len(first.tests) != len(later.tests):
        return [*said, f"tests: {len(first.tests)} -> {len(later.tests)}"]
    return said + [
        f"{a.name}: {a.outcome} {a.detail!r} -> {b.outcome} {b.detail!r}"
        for a, b in zip(first.tests, later.tests, strict=True)
        if a != b
    ]


@contextlib.contextmanager
def busy(count: int) -> Iterator[set[int]]:
    """Runs ``count`` processes in an endless loop during a ``with`` block, and gives their pids."""
    loads = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield {load.pid for load in loads}
    finally:
        for load in loads:
            load.kill()
        for load in loads:
            load.wait()


def _brief(seen: Seen) -> str:
    return seen if isinstance(seen, str) else f"{seen.outcome} {seen.tests_passed}/{seen.tests_total}"


def _mib(size: float) -> str:
    return f"{size / (1 << 20):.1f}"


# --- the command ------------------------------------------------------------------------------------------------------


def _soak(options: argparse.Namespace, cases: Sequence[Case]) -> list[str]:
    """Runs, prints a line for each window, and returns the problems found, one line each."""
    soak = Soak(cases, workers=options.workers, seed=options.seed)
    strangers: set[int] = set()
    head = " ".join(f"{role + ' MiB: median':>20} {'most':>6}" for role in _ROLES.values())
    print(f"{'evaluations':>11} {head} {'processes so far':>17} {'drifting':>9}")
    with _progress(options.evaluations) as bar:
        while len(soak.evaluated) < options.evaluations:
            window = soak.run(min(WINDOW, options.evaluations - len(soak.evaluated)), bar)
            strangers |= window.strangers
            row = " ".join(f"{_mib(median(sizes)):>20} {_mib(max(sizes)):>6}" for sizes in window.rss.values())
            tqdm.write(f"{len(soak.evaluated):>11} {row} {len(soak.lives):>17} {len(soak.drifts):>9}", file=sys.stdout)
    wrong = [line for life in soak.lives.values() for line in life.growth()]
    told = sum(life.can_tell for life in soak.lives.values())
    print(
        f"memory was compared for {told} of {len(soak.lives)} processes: those with at least three windows of their own"
    )
    if strangers:
        wrong.append(f"{len(strangers)} processes were found below a runner between evaluations")
    return [*_drifted(soak), *wrong, *_left(soak)]


def _under_load(options: argparse.Namespace, cases: Sequence[Case]) -> list[str]:
    """Runs twice, alone and under load, and returns the problems found, one line each."""
    soak = Soak(cases, workers=options.workers, seed=options.seed)
    cpus = os.cpu_count() or 1
    with _progress(2 * options.evaluations) as bar:
        began = time.perf_counter()
        soak.run(options.evaluations, bar)
        idle, evaluated = time.perf_counter() - began, list(soak.evaluated)
        alone = len(soak.drifts)
        with busy(cpus) as load:
            soak.ignored |= load
            began = time.perf_counter()
            soak.repeat(evaluated, bar)
            loaded = time.perf_counter() - began
    print(f"{len(evaluated)} evaluations: {idle:.0f} s alone, {loaded:.0f} s beside {cpus} busy processes")
    print(f"cases that gave two verdicts: {alone} alone, {len(soak.drifts)} in the end")
    return [*_drifted(soak), *_left(soak)]


def _drifted(soak: Soak) -> list[str]:
    counts = {name: sum(case.name == name for case in soak.evaluated) for name in soak.drifts}
    return [
        f"{drift.case.name}, problem {drift.case.problem.id}: {_brief(drift.first)} at first, {drift.times} of "
        f"{counts[name]} evaluations differ:"
        + "".join(f"\n    {line}" for line in differences(drift.first, drift.later))
        for name, drift in soak.drifts.items()
    ]


def _left(soak: Soak) -> list[str]:
    return [f"process {process.pid} is alive after the engine was closed" for process in soak.close()]


def _progress(total: int) -> tqdm[Any]:
    return tqdm(total=total, unit=" evaluations", leave=False, disable=None)


def _descriptors() -> int:
    gc.collect()
    return psutil.Process().num_fds()


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Runs, prints the problems found, and returns the exit code."""
    parser = parser_of("python -m benchmarks.stress.soak", __doc__)
    parser.add_argument("--evaluations", type=natural, help="number (default: 20000; with --under-load twice 2000)")
    parser.add_argument("--workers", type=natural, default=1, help="workers of the verifier (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="seed for drawing cases (default: 0)")
    parser.add_argument("--under-load", action="store_true", help="compare verdicts alone and beside busy processes")
    parser.add_argument("-k", default="", metavar="PATTERN", help="only the cases whose name contains PATTERN")
    options = parser.parse_args(arguments)
    if options.evaluations is None:
        options.evaluations = 2_000 if options.under_load else 20_000
    cases = [case for case in corpus() if options.k in case.name]
    if not cases:
        parser.error(f"no case has {options.k!r} in its name")
    print(f"{len(cases)} cases, {options.evaluations} evaluations, {options.workers} workers, seed {options.seed}")
    before = _descriptors()
    wrong = _under_load(options, cases) if options.under_load else _soak(options, cases)
    surplus = _descriptors() - before
    if surplus > 0:
        wrong.append(f"{surplus} descriptors of this process were left open")
    for line in wrong:
        print(f"WRONG {line}")
    print("nothing changed, grew or was left" if not wrong else f"{len(wrong)} things are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
