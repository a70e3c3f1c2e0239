"""Looks for texts that break the engine, among unlikely programs.

Half of the programs are mutated from bundled references and recorded completions, and evaluated on the same problems.
The others come from OCaml's own testsuite: its phrases, each alone and after the compiling phrases before it, as they
are and mutated. No test can pass, so any verdict but a pass is right. A program fails by

- an infrastructure error, a signal not explained by a limit, or a pass;
- a verdict of kind ``compiler`` for a text that ``ocamlc -c`` accepts without the signature;
- a different verdict from a checker that has never been replaced.

Each failing program is written into a folder, together with its problem, for ``--replay``.
"""

# Long, because a program, its verdict and the reasons against it go together.

from __future__ import annotations

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks.stress.mutations import mutated
from benchmarks.stress.testsuite import fetch, files, phrases
from ocaml_env import (
    Limits,
    OCamlEnvError,
    Problem,
    Stage,
    Test,
    Verdict,
    Verifier,
    extract,
    load_problems,
)
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.engine import find_toolchain
from ocaml_env.problem.record import problem_from_record, problem_to_record

__all__ = ["Failure", "Fuzz", "Sources", "main", "replay"]

_TESTSUITE = Path(".cache/ocaml-testsuite")
_COMPLETIONS = Path("benchmarks/results")

_LIMITS = Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.1, memory_mb=256)
_IMPOSSIBLE = (Test("1 = 2", public=True),)  # public, so that the verdict has its details

# Signatures for programs of the testsuite. Most programs get a ``witness`` at their end, so that they compile and run.
_WITNESS = "let witness = 0"
_SIGNATURES = (
    "val witness : int",
    "val witness : int Map.Make(String).t -> int",
    "type t = A of u and u = B of t\nval witness : t -> u",
    "module M : sig type 'a t val f : 'a t -> 'a end\nmodule type S = sig type t end\nval witness : int",
    "type 'a t = private 'a list\nclass c : object method m : int end\nexception E of int\nval witness : 'a t -> c",
    "module F : functor (X : sig type t end) -> sig type u = X.t end\nmodule N = String\nval witness : int",
)

# One job in this many is evaluated a second time, by a checker that is never replaced.
_STEADY_SHARE = 4


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A program that shows a bug of the engine."""

    reason: str
    problem: Problem
    code: str

    def write(self, folder: Path) -> Path:
        """Writes the program, and beside it a JSON file with its problem and the reason. Returns the program's path."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{hashlib.sha256(self.code.encode()).hexdigest()[:12]}.ml"
        path.write_text(self.code)
        record = {"reason": self.reason, "problem": problem_to_record(self.problem)}
        path.with_suffix(".json").write_text(json.dumps(record, indent=1))
        return path


@dataclass(frozen=True, kw_only=True)
class Sources:
    """The material of the programs.

    Attributes:
        answers: problems with impossible tests, each with an answer.
        files: programs of the testsuite.
    """

    answers: Sequence[tuple[Problem, str]]
    files: Sequence[Path]

    @classmethod
    def load(cls, testsuite: Path, *, completions: Path | None = _COMPLETIONS) -> Sources:
        problems = {given.id: _impossible(given) for given in load_problems("bundled") if given.kind == "function"}
        answers = [(problem, problem.reference) for problem in problems.values()]
        for path in sorted(completions.rglob("completions.jsonl")) if completions is not None else ():
            for line in path.read_text().splitlines():
                record = json.loads(line)
                problem = problems.get(record["task_id"])
                found = extract(record["completion"], wanted=problem.wanted if problem else ())
                if problem is not None and found.code is not None:
                    answers.append((problem, found.code))
        return cls(answers=answers, files=files(testsuite))


class Fuzz:
    """Evaluates programs and keeps failing ones. Its jobs may run in several threads.

    Attributes:
        failures: the failing programs so far.
        outcomes: the number of programs with each outcome.
    """

    def __init__(self, sources: Sources, *, seed: int, workers: int) -> None:
        self.failures: list[Failure] = []
        self.outcomes: Counter[str] = Counter()
        self._sources = sources
        self._seed = seed
        self._workers = workers
        self._verifier = Verifier(workers=workers, cache_size=0)
        self._steady = Verifier(workers=1, cache_size=0)
        self._donors = [code for _, code in sources.answers]
        self._lock = threading.Lock()
        order = list(sources.files)
        random.Random(seed).shuffle(order)
        self._walks = iter(order)
        self.walked = 0

    def close(self) -> None:
        self._verifier.close()
        self._steady.close()

    def run(self, *, programs: int, seconds: float, bar: tqdm[Any] | None = None) -> None:
        """Evaluates programs until one of the bounds is reached. A job begun within ``programs`` is finished."""
        jobs = enumerate(self._jobs())
        deadline = time.monotonic() + seconds
        errors: list[BaseException] = []

        def work() -> None:
            try:
                while self.outcomes.total() < programs and time.monotonic() < deadline and not errors:
                    with self._lock:
                        number, job = next(jobs)
                    for problem, code in job(random.Random(f"{self._seed}/{number}")):
                        self.evaluate(problem, code, again=number % _STEADY_SHARE == 0)
                        if bar is not None:
                            with self._lock:
                                bar.update()
                                bar.set_postfix_str(f"{len(self.failures)} failures", refresh=False)
                        if time.monotonic() >= deadline:
                            break
            except BaseException as error:  # noqa: BLE001  raised again below, after the threads have ended
                errors.append(error)

        threads = [threading.Thread(target=work, daemon=True) for _ in range(self._workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]

    def evaluate(self, problem: Problem, code: str, *, again: bool = False) -> Verdict | None:
        """Returns the verdict of a program, or None after an infrastructure error. Keeps the program if it fails."""
        try:
            verdict = self._verifier.verify(problem, code)
        except OCamlEnvError as error:
            self._keep(f"{type(error).__name__}: {error}", problem, code)
            self._count("no verdict")
            return None
        self._count("compiler" if verdict.compiler_raised else verdict.outcome)
        if reason := _wrong(verdict, code):
            self._keep(reason, problem, code)
        elif again and not any(found.kind in ("compiler", "checker-limit") for found in verdict.diagnostics):
            later = self._steady.verify(problem, code)
            if _settled(later) != _settled(verdict):
                self._keep(f"another verdict from an old checker: {later} and not {verdict}", problem, code)
        return verdict

    def _jobs(self) -> Iterator[Callable[[random.Random], Iterator[tuple[Problem, str]]]]:
        """Yields jobs in turns: mutated answers, mutated phrases, and a walk through a file while files are left."""
        while True:
            yield self._mutated_answers
            yield self._mutated_phrases
            if (path := next(self._walks, None)) is not None:
                yield partial(self._walk, path)

    def _mutated_answers(self, rng: random.Random) -> Iterator[tuple[Problem, str]]:
        for _ in range(20):
            problem, code = rng.choice(self._sources.answers)
            yield problem, mutated(code, self._donors, rng)

    def _mutated_phrases(self, rng: random.Random) -> Iterator[tuple[Problem, str]]:
        found = phrases(_text(rng.choice(self._sources.files)))
        others = [phrase for path in rng.sample(self._sources.files, 3) for phrase in phrases(_text(path))]
        for _ in range(10 if found else 0):
            start = rng.randrange(len(found))
            code = "\n".join(found[start : start + rng.choice((1, 1, 2, 3, 5))])
            yield _witnessed(rng), f"{mutated(code, [*found, *others], rng)}\n{_WITNESS if rng.random() < 0.7 else ''}"

    def _walk(self, path: Path, rng: random.Random) -> Iterator[tuple[Problem, str]]:
        """Yields each phrase of a file, alone and after the compiling phrases before it."""
        good = ""
        for phrase in phrases(_text(path)):
            yield _witnessed(rng), f"{phrase}\n{_WITNESS}"
            more = f"{good}\n{phrase}" if good else phrase
            plain = _witness_problem(0)
            yield plain, f"{more}\n{_WITNESS}"
            if self._verifier.verify(plain, f"{more}\n{_WITNESS}").stage is Stage.TEST:
                good = more
        self.walked += 1

    def _count(self, what: str) -> None:
        with self._lock:
            self.outcomes[what] += 1

    def _keep(self, reason: str, problem: Problem, code: str) -> None:
        with self._lock:
            self.failures.append(Failure(reason=reason, problem=problem, code=code))


def replay(folder: Path) -> Iterator[tuple[Path, str]]:
    """Evaluates kept programs again; yields each path with the reason why it fails, or "" if it does not."""
    with Verifier(workers=1, cache_size=0) as verifier:
        for path in sorted(folder.glob("*.ml")):
            record = json.loads(path.with_suffix(".json").read_text())
            problem, code = problem_from_record(record["problem"], where=str(path)), path.read_text()
            try:
                yield path, _wrong(verifier.verify(problem, code), code)
            except OCamlEnvError as error:
                yield path, f"{type(error).__name__}: {error}"


def _wrong(verdict: Verdict, code: str) -> str:
    if verdict.passed:
        return "it passed a test that nothing can pass"
    for diagnostic in verdict.diagnostics:
        if diagnostic.kind == "checker-limit" and "crashed" in diagnostic.message:
            return diagnostic.message
    for test in verdict.tests:
        if "signal" in test.detail:
            return test.detail
    if verdict.compiler_raised and _compiles(code):
        return f"ocamlc accepts it, and the checker says: {verdict.diagnostics}"
    return ""


def _compiles(code: str) -> bool:
    """Returns True if ``ocamlc -c`` accepts a text without any signature."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.ml").write_text(code)
        command = [find_toolchain().ocamlfind, "ocamlc", "-w", "-a", "-c", "program.ml"]
        return not subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode


def _settled(verdict: Verdict) -> object:
    """Returns the reproducible part of a verdict: only the stage if tests ran, because the limits are so short."""
    return verdict.stage if verdict.stage is Stage.TEST else verdict


def _impossible(problem: Problem) -> Problem:
    return replace(problem, tests=_IMPOSSIBLE, baseline=(), prelude="", limits=_LIMITS)


def _witness_problem(number: int) -> Problem:
    return Problem(
        id=f"witness-{number}",
        statement="Any program.",
        signature=_SIGNATURES[number],
        tests=_IMPOSSIBLE,
        limits=_LIMITS,
    )


def _witnessed(rng: random.Random) -> Problem:
    return _witness_problem(rng.choice((0, 0, *range(len(_SIGNATURES)))))


def _text(path: Path) -> str:
    return path.read_text(errors="replace")


def _bounded(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.programs < 1 or options.seconds <= 0 or options.workers < 1:
        parser.error("--programs and --workers must be 1 or more, --seconds above 0")


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Runs, prints the failing programs, and returns the exit code."""
    parser = parser_of("python -m benchmarks.stress.fuzz", __doc__)
    parser.add_argument("--programs", type=int, default=10_000, help="number of programs, about (default: 10000)")
    parser.add_argument("--seconds", type=float, default=900.0, help="wall time after which it ends (default: 900)")
    parser.add_argument("--seed", type=int, default=0, help="seed of all random choices (default: 0)")
    parser.add_argument("--workers", type=int, default=2, help="workers of the verifier (default: 2)")
    parser.add_argument("--testsuite", type=Path, help="a folder of programs (default: OCaml's own, downloaded by apt)")
    parser.add_argument("--out", type=Path, default=Path("fuzz-failures"), help="folder for failing programs")
    parser.add_argument(
        "--replay", type=Path, metavar="FOLDER", help="only evaluate the programs of such a folder again"
    )
    options = parser.parse_args(arguments)
    _bounded(parser, options)
    return _replay(options.replay) if options.replay else _fuzz(options)


def _replay(folder: Path) -> int:
    wrong = 0
    for path, reason in replay(folder):
        wrong += bool(reason)
        print(f"{'WRONG' if reason else 'right'}  {path}  {reason}")
    return 1 if wrong else 0


def _fuzz(options: argparse.Namespace) -> int:
    sources = Sources.load(options.testsuite or fetch(_TESTSUITE))
    fuzz = Fuzz(sources, seed=options.seed, workers=options.workers)
    try:
        with tqdm(total=options.programs, unit=" programs", disable=None) as bar:
            fuzz.run(programs=options.programs, seconds=options.seconds, bar=bar)
    finally:
        fuzz.close()
        for failure in fuzz.failures:
            print(f"WRONG {failure.write(options.out)}: {failure.reason}")
    print(f"seed {options.seed}: {fuzz.outcomes.total()} programs, {fuzz.walked} of {len(sources.files)} files walked")
    print(", ".join(f"{count} {what}" for what, count in fuzz.outcomes.most_common()))
    print(f"{len(fuzz.failures)} programs failed" if fuzz.failures else "no program failed")
    return 1 if fuzz.failures else 0


if __name__ == "__main__":
    sys.exit(main())
