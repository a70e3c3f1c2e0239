"""Does any text break the engine? Programs that nobody would write, until one does or the bounds are reached.

Half of them are mutated from bundled references and recorded completions, under the signature that they answer. The
others come from OCaml's own testsuite: its files phrase by phrase, each alone and after those that compile, and
mutated.
No test can be passed, so every verdict but a pass is right, and what fails is

- an infrastructure error, a signal that no limit explains, or a pass;
- a verdict of kind ``compiler`` for a text that ``ocamlc -c`` accepts without the signature;
- a verdict that differs from that of a checker which has never been replaced.

Each failing program is written into a folder, beside what is needed to evaluate it again with ``--replay``.
"""

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
from ocaml_env.engine import find_toolchain
from ocaml_env.problem.record import problem_from_record, problem_to_record

__all__ = ["Failure", "Fuzz", "Sources", "main", "replay"]

_TESTSUITE = Path(".cache/ocaml-testsuite")
_COMPLETIONS = Path("benchmarks/results")

_LIMITS = Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.1, memory_mb=256)
_IMPOSSIBLE = (Test("1 = 2", public=True),)  # so that its verdict says how it ended

# A program of the testsuite answers one of these; ``witness`` is appended to most, so that they are compiled and run.
_WITNESS = "let witness = 0"
_SIGNATURES = (
    "val witness : int",
    "val witness : int Map.Make(String).t -> int",
    "type t = A of u and u = B of t\nval witness : t -> u",
    "module M : sig type 'a t val f : 'a t -> 'a end\nmodule type S = sig type t end\nval witness : int",
    "type 'a t = private 'a list\nclass c : object method m : int end\nexception E of int\nval witness : 'a t -> c",
    "module F : functor (X : sig type t end) -> sig type u = X.t end\nmodule N = String\nval witness : int",
)

# One in so many is evaluated a second time, by a checker that nothing ever replaces.
_STEADY_SHARE = 4


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A program that the engine must be fixed for."""

    reason: str
    problem: Problem
    code: str

    def write(self, folder: Path) -> Path:
        """Keeps it: the program, and beside it what it answers and why it is here."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{hashlib.sha256(self.code.encode()).hexdigest()[:12]}.ml"
        path.write_text(self.code)
        record = {"reason": self.reason, "problem": problem_to_record(self.problem)}
        path.with_suffix(".json").write_text(json.dumps(record, indent=1))
        return path


@dataclass(frozen=True, kw_only=True)
class Sources:
    """What programs are made of.

    Attributes:
        answers: problems with answers to them, that no test lets pass.
        files: programs of the testsuite.
    """

    answers: Sequence[tuple[Problem, str]]
    files: Sequence[Path]

    @classmethod
    def load(cls, testsuite: Path, *, completions: Path | None = _COMPLETIONS) -> Sources:
        problems = {one.id: _impossible(one) for one in load_problems("bundled") if one.kind == "function"}
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
    """Evaluates programs and keeps those that fail. Its jobs may run in several threads.

    Attributes:
        failures: so far.
        outcomes: how often each came.
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
        """Evaluates programs until one of the bounds is reached; what is begun counts as a whole for ``programs``."""
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
            except BaseException as error:  # noqa: BLE001  it is raised where the threads are waited for
                errors.append(error)

        threads = [threading.Thread(target=work, daemon=True) for _ in range(self._workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]

    def evaluate(self, problem: Problem, code: str, *, again: bool = False) -> Verdict | None:
        """The verdict of one program, None where there is none. What is wrong is kept."""
        try:
            verdict = self._verifier.verify(problem, code)
        except OCamlEnvError as error:
            self._keep(f"{type(error).__name__}: {error}", problem, code)
            self._count("no verdict")
            return None
        self._count("compiler" if verdict.compiler_raised else verdict.outcome)
        if reason := _wrong(verdict, code):
            self._keep(reason, problem, code)
        elif again and not any(one.kind in ("compiler", "checker-limit") for one in verdict.diagnostics):
            later = self._steady.verify(problem, code)
            if _settled(later) != _settled(verdict):
                self._keep(f"another verdict from an old checker: {later} and not {verdict}", problem, code)
        return verdict

    def _jobs(self) -> Iterator[Callable[[random.Random], Iterator[tuple[Problem, str]]]]:
        """What makes programs, in turns: two mutated answers for a mutated phrase and a phrase as it is, as far as such
        are left.
        """
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
        """Each phrase of a file alone, and after those before it that compile."""
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
    """Evaluates kept programs again, with what is wrong with each now, "" where nothing is."""
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
    for one in verdict.diagnostics:
        if one.kind == "checker-limit" and "crashed" in one.message:
            return one.message
    for test in verdict.tests:
        if "signal" in test.detail:
            return test.detail
    if verdict.compiler_raised and _compiles(code):
        return f"ocamlc accepts it, and the checker says: {verdict.diagnostics}"
    return ""


def _compiles(code: str) -> bool:
    """Does ``ocamlc -c`` accept a text, without any signature?"""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.ml").write_text(code)
        command = [find_toolchain().ocamlfind, "ocamlc", "-w", "-a", "-c", "program.ml"]
        return not subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode


def _settled(verdict: Verdict) -> object:
    """What must be the same each time: of a program that is run under such short limits, only that it was."""
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs, prints what is wrong, and returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.stress.fuzz", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--programs", type=int, default=10_000, help="how many, about (default: 10000)")
    parser.add_argument("--seconds", type=float, default=900.0, help="wall time after which it ends (default: 900)")
    parser.add_argument("--seed", type=int, default=0, help="of all that is drawn (default: 0)")
    parser.add_argument("--workers", type=int, default=2, help="of the verifier (default: 2)")
    parser.add_argument("--testsuite", type=Path, help="a folder of programs (default: OCaml's own, downloaded by apt)")
    parser.add_argument("--out", type=Path, default=Path("fuzz-failures"), help="where failing programs are written")
    parser.add_argument(
        "--replay", type=Path, metavar="FOLDER", help="only evaluate the programs of such a folder again"
    )
    options = parser.parse_args(arguments)
    _bounded(parser, options)
    try:
        return _replay(options.replay) if options.replay else _fuzz(options)
    except (OCamlEnvError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3


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
