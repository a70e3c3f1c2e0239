"""Whether verdicts, memory and processes hold over many evaluations, and whether verdicts hold on a loaded machine.

    python -m benchmarks.stress.soak [--evaluations 20000] [--workers 1] [--seed 0]
    python -m benchmarks.stress.soak --under-load [--evaluations 2000]

Every case of the ``corpus`` is evaluated once, in order; then they come in rounds, shuffled, a slow one only now and
then, in proportion to its time, so that within a round a process has met nearly every problem. Nothing is cached.

It fails (exit code 1) where

- an evaluation gives another verdict than the first one of the same problem and code, or an infrastructure error;
- a worker's process grows: the first 2,000 evaluations of its own fill caches; in the next 2,000 there is a least
  memory that it holds, after a collection of garbage, and the least of the last 2,000 may not be more than ``GROWTH``
  above it; its descriptors may not become more. Each process is compared with itself, because a worker replaces its
  processes now and then, and a young one is small;
- a process is left below a runner between two evaluations, or a process or a descriptor of ours is left in the end.

``--under-load`` evaluates the same evaluations twice, the second time beside busy processes, one a core, and compares
every verdict. Exit code 3 says that something is missing, 2 wrong usage.
"""

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
from pathlib import Path
from statistics import median
from typing import Any

from tqdm import tqdm

from benchmarks.performance.processes import Process, descendants, is_alive
from benchmarks.stress.corpus import Case, corpus
from ocaml_env import EngineError, OCamlEnvError, ProblemError, Verdict, Verifier

__all__ = ["Drift", "Life", "Seen", "Soak", "Window", "busy", "differences", "main"]

WINDOW = 2_000
GROWTH = 1.10
SLACK_BYTES = 1 << 20  # what an allocator may keep or give back without anything having grown

_SAMPLE = 20  # evaluations between two looks at the processes
_QUICK_SECONDS = 0.02  # a case that takes longer is drawn less often
_ROLES = {1: "reserve", 2: "checker", 3: "runner"}  # by their depth below this process

Seen = Verdict | str
"""A verdict, or the an infrastructure error that came in its place."""


@dataclass(frozen=True, kw_only=True)
class Drift:
    """A case that was not evaluated as it was the first time, or not at all.

    Attributes:
        case: what was evaluated.
        first: what came of it then.
        later: what came of it when it first differed.
        times: evaluations that differed.
    """

    case: Case
    first: Seen
    later: Seen
    times: int


@dataclass(frozen=True, kw_only=True)
class Window:
    """What the engine's processes held during some evaluations: one entry a process and look, by role."""

    rss: dict[str, list[int]] = field(default_factory=lambda: {role: [] for role in _ROLES.values()})
    strangers: set[int] = field(default_factory=set)


@dataclass(kw_only=True)
class Life:
    """One process of the engine.

    A window is ``WINDOW`` evaluations of its own; the first fills caches, the second tells what it needs. Of memory the
    least is compared, because between two collections of garbage it is anything up to several times that.

    Attributes:
        process: as it was at the latest look.
        born: evaluations of its kind (function or program, filtered or not) done when it was first seen.
        age: evaluations of its kind from then to the latest look.
        least_rss: the least bytes that it held in each window.
        most_descriptors: the most that it had open in each.
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
        # The latest window may end before the collection that would have been in it.
        return self.least_rss[: self.age // WINDOW]

    @property
    def can_tell(self) -> bool:
        """Whether it did enough for its growth to be seen."""
        return len(self._whole_windows) > 2

    def growth(self) -> list[str]:
        """What is wrong with it, one line each."""
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
    """Evaluates cases and compares; keeps the first verdicts, what differed, and what its processes held.

    Attributes:
        evaluated: every evaluation, in order.
        drifts: what differed, by the case's name.
        lives: every process of the engine that was seen, by pid and start.
        ignored: children of this process that are not the engine's.
    """

    def __init__(self, cases: Sequence[Case], *, workers: int, seed: int) -> None:
        self.evaluated: list[Case] = []
        self.drifts: dict[str, Drift] = {}
        self.lives: dict[tuple[int, int], Life] = {}
        self.ignored = {process.pid for process in descendants()}
        self._cases = cases
        self._round: list[Case] = []
        self._random = random.Random(seed)
        self._first: dict[str, Seen] = {}
        self._seconds: dict[str, float] = {}
        self._done: Counter[tuple[str, bool]] = Counter()
        self._threads = ThreadPoolExecutor(workers)
        # Attacks that assume a broken filter are evaluated without it.
        self._verifiers = {on: Verifier(workers=workers, cache_size=0, _filter=on) for on in (True, False)}

    def run(self, count: int, bar: tqdm[Any] | None = None) -> Window:
        """``count`` further evaluations: of the cases that were not evaluated yet, then of rounds of them."""
        return self._watch((self._draw(min(_SAMPLE, count - done)) for done in range(0, count, _SAMPLE)), bar)

    def repeat(self, cases: Sequence[Case], bar: tqdm[Any] | None = None) -> Window:
        """These evaluations again."""
        return self._watch((cases[start : start + _SAMPLE] for start in range(0, len(cases), _SAMPLE)), bar)

    def close(self) -> list[Process]:
        """Ends the engine. Returns those of its processes that are alive nevertheless."""
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
        """Of the rounds that it is in."""
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
    """What a checker evaluates, by its command line: the kind of problem, and if filtered; None if it is gone."""
    try:
        words = Path(f"/proc/{checker}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return None
    kind = next((kind for kind in ("function", "program") if kind.encode() in words), None)
    return None if kind is None else (kind, b"unfiltered" not in words)


def differences(first: Seen, later: Seen) -> list[str]:
    """What two verdicts differ in, one line each."""
    if isinstance(first, str) or isinstance(later, str):
        return [] if first == later else [f"{_brief(first)} -> {_brief(later)}"]
    names = [one.name for one in fields(Verdict) if one.compare and one.name not in ("diagnostics", "tests")]
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
    """``count`` processes that do nothing but compute, for the time of a ``with`` block. Gives their pids."""
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
    """Runs, prints a line a window, and returns what is wrong, one line each."""
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
        f"memory is evaluated of {told} of {len(soak.lives)} processes: those with three windows or more of their own"
    )
    if strangers:
        wrong.append(f"{len(strangers)} processes were found below a runner between evaluations")
    return [*_drifted(soak), *wrong, *_left(soak)]


def _under_load(options: argparse.Namespace, cases: Sequence[Case]) -> list[str]:
    """Runs twice, and returns what is wrong, one line each."""
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
    return len(os.listdir("/proc/self/fd"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs, prints what is wrong, and returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.stress.soak", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--evaluations", type=int, help="how many (default: 20000; with --under-load twice 2000)")
    parser.add_argument("--workers", type=int, default=1, help="of the verifier (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="of the drawing of cases (default: 0)")
    parser.add_argument("--under-load", action="store_true", help="compare verdicts alone and beside busy processes")
    parser.add_argument("-k", default="", metavar="PATTERN", help="only the cases whose name contains PATTERN")
    options = parser.parse_args(arguments)
    if options.evaluations is None:
        options.evaluations = 2_000 if options.under_load else 20_000
    if options.evaluations < 1 or options.workers < 1:
        parser.error("--evaluations and --workers must be 1 or more")
    try:
        cases = [case for case in corpus() if options.k in case.name]
        if not cases:
            parser.error(f"no case has {options.k!r} in its name")
        descendants()  # says so where it cannot, before anything starts
        print(f"{len(cases)} cases, {options.evaluations} evaluations, {options.workers} workers, seed {options.seed}")
        before = _descriptors()
        wrong = _under_load(options, cases) if options.under_load else _soak(options, cases)
        surplus = _descriptors() - before
    except (OCamlEnvError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    if surplus > 0:
        wrong.append(f"{surplus} descriptors of this process were left open")
    for line in wrong:
        print(f"WRONG {line}")
    print("nothing changed, grew or was left" if not wrong else f"{len(wrong)} things are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
