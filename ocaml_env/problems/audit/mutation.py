"""Do the tests of a problem kill programs that are almost right? Measured on mutants of its reference.

A mutant is the reference with one small fault. One that passes every test is a survivor: a test is missing, or nobody
could tell the mutant from the reference. The latter are listed, each with its reason, beside ``<id>.md`` in
``<id>.mutants.toml``:

    [equivalent]
    "7:12 comparison: a < b -> a <= b" = "a and b are never equal: they are keys of one map"

Not counted are mutants that do not compile (stillborn), that have the bytecode of the reference (proven equivalent),
and those listed. As a program: ``python -m ocaml_env.problems.audit.mutation FILE.md...``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from tqdm import tqdm

from ocaml_env.any_verifier import AuthoringVerifier, Probe
from ocaml_env.engine import Mutant
from ocaml_env.errors import ConfigError, OCamlEnvError, ProblemError
from ocaml_env.problem import Limits, Problem
from ocaml_env.problems.format import read_problem
from ocaml_env.verdict import Stage
from ocaml_env.verifier import Verifier

__all__ = ["Equivalent", "Mutant", "MutationScore", "equivalents_path", "measure", "measure_many", "read_equivalents"]

# Mutants of one reference that are run, of those that compile. The others are as like to die as these.
CAP = 60

# What a problem and what all of them together should reach.
PASS_SCORE = 0.85

# CPU time that a mutant may take for one test, against the reference's slowest: endless loops must cost little, and are
# most of what all mutants take. A test that is slow itself is timed well with a smaller multiple.
_LEAST_CPU_SECONDS = 0.02
_TIMES_REFERENCE = 20
_AMPLE_CPU_SECONDS = 0.1
_TIMES_SLOW_REFERENCE = 5

# What a process costs by itself is about half of it.
_SLOW_CPU_SECONDS = 0.002


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalent:
    """A survivor that no test can tell from the reference, and why."""

    mutant: Mutant
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MutationScore:
    """What the tests of one problem did to the mutants of its reference.

    Attributes:
        problem_id: of the problem.
        found: mutants that the reference has.
        killed: mutants that failed a test.
        survivors: mutants that passed every test, in order of the text.
        equivalent: survivors listed as equivalent.
        proven: mutants whose bytecode is that of the reference.
        stillborn: mutants that do not compile.
        refuted: keys of mutants listed as equivalent that a test kills.
        stale: keys listed that no mutant has.
    """

    problem_id: str
    found: int
    killed: int
    survivors: tuple[Mutant, ...] = ()
    equivalent: tuple[Equivalent, ...] = ()
    proven: int = 0
    stillborn: int = 0
    refuted: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """Mutants that count."""
        return self.killed + len(self.survivors)

    @property
    def score(self) -> float:
        """Share of the mutants that were killed; 1 where none counts."""
        return self.killed / self.total if self.total else 1.0


def equivalents_path(problem_path: str | PathLike[str]) -> Path:
    """Where the equivalent mutants of the problem in a file are listed."""
    return Path(problem_path).with_suffix(".mutants.toml")


def read_equivalents(problem_path: str | PathLike[str]) -> dict[str, str]:
    """The mutants listed as equivalent beside a problem's file: reasons by key. Empty where there is no such file.

    Raises:
        ProblemError: where the file is there and is not of its form.
    """
    path = equivalents_path(problem_path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise ProblemError(f"{path}: the file is not UTF-8 text ({error})") from None
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProblemError(f"{path}: not TOML: {error}") from None
    equivalent = table.pop("equivalent", {})
    if table or not isinstance(equivalent, dict):
        raise ProblemError(f"{path}: it must hold the table [equivalent] and nothing else")
    for key, reason in equivalent.items():
        if not isinstance(reason, str) or not reason.strip():
            raise ProblemError(f"{path}: {key!r} needs its reason, a string, why no test can tell it apart")
    return equivalent


def measure(
    problem: Problem, *, verifier: AuthoringVerifier, equivalent: Mapping[str, str] | None = None, cap: int = CAP
) -> MutationScore:
    """Runs mutants of a problem's reference against its tests.

    Args:
        problem: has a reference that passes.
        verifier: judges; its cache is left alone.
        equivalent: reasons by key, as of ``read_equivalents``.
        cap: mutants that compile to run at most: a sample over all kinds of faults, always the same.

    Raises:
        ConfigError: where the cap is below 1.
        ProblemError: where there is no reference, or it does not pass.
    """
    if cap < 1:
        raise ConfigError(f"the cap must be at least 1, not {cap}")
    equivalent = equivalent or {}
    original = _probe_reference(problem, verifier)
    limits = _limits(problem, original)
    # Most mutants die early: where all tests together take long, they are not run together.
    first = -(-len(problem.tests) // 4) if original.cpu_seconds > _SLOW_CPU_SECONDS else None
    mutants = verifier.mutants(problem)
    died: list[Mutant] = []
    passed: list[Mutant] = []
    proven = stillborn = 0
    queue = _ranked(mutants)
    while queue and (missing := cap - len(died) - len(passed) - proven) > 0:
        batch = [queue.pop() for _ in range(min(len(queue), missing))]
        # The reference goes along: only what one process compiled can be compared.
        codes = [problem.reference, *(mutant.code for mutant in batch)]
        again, *probes = verifier.probe(problem, codes, limits=limits, first=first)
        for mutant, probe in zip(batch, probes, strict=True):
            if probe.stage is not Stage.TEST:
                stillborn += 1
            elif probe.image == again.image:
                proven += 1
            else:
                (passed if probe.passed else died).append(mutant)
    passed.sort(key=lambda mutant: (mutant.line, mutant.column, mutant.key))
    known = {mutant.key for mutant in mutants}
    return MutationScore(
        problem_id=problem.id,
        found=len(mutants),
        killed=len(died),
        survivors=tuple(mutant for mutant in passed if mutant.key not in equivalent),
        equivalent=tuple(Equivalent(mutant=m, reason=equivalent[m.key]) for m in passed if m.key in equivalent),
        proven=proven,
        stillborn=stillborn,
        refuted=tuple(mutant.key for mutant in died if mutant.key in equivalent),
        stale=tuple(key for key in equivalent if key not in known),
    )


def measure_many(
    problems: Iterable[tuple[Problem, Mapping[str, str]]],
    *,
    verifier: AuthoringVerifier,
    cap: int = CAP,
    progress: bool = False,
) -> list[MutationScore | ProblemError]:
    """``measure`` for problems with their equivalents, as many at a time as the verifier has workers.

    What is wrong with one problem stands in its place and leaves the others alone.
    """
    todo = list(problems)

    def one(pair: tuple[Problem, Mapping[str, str]]) -> MutationScore | ProblemError:
        try:
            return measure(pair[0], verifier=verifier, equivalent=pair[1], cap=cap)
        except ProblemError as error:
            return error

    with ThreadPoolExecutor(max_workers=verifier.workers) as threads:
        try:
            done = threads.map(one, todo)
            return list(tqdm(done, total=len(todo), unit="problem") if progress else done)
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise


def _probe_reference(problem: Problem, verifier: AuthoringVerifier) -> Probe:
    if not problem.reference.strip():
        raise ProblemError(f"problem {problem.id!r} has no reference to make mutants of", problem_id=problem.id)
    [probe] = verifier.probe(problem, [problem.reference])
    if not probe.passed:
        where = f" (test {probe.failed!r})" if probe.failed else ""
        raise ProblemError(
            f"problem {problem.id!r}: its reference does not pass: {probe.outcome}{where}", problem_id=problem.id
        )
    return probe


def _limits(problem: Problem, original: Probe) -> Limits:
    given = problem.limits
    slowest = original.slowest_seconds
    ample = max(_AMPLE_CPU_SECONDS, _TIMES_SLOW_REFERENCE * slowest)
    test = max(_LEAST_CPU_SECONDS, min(_TIMES_REFERENCE * slowest, ample))
    total = test + max(_LEAST_CPU_SECONDS, _TIMES_REFERENCE * original.cpu_seconds)
    return replace(
        given,
        test_cpu_seconds=min(test, given.test_cpu_seconds),
        total_cpu_seconds=min(total, given.total_cpu_seconds),
    )


def _ranked(mutants: Sequence[Mutant]) -> list[Mutant]:
    """The mutants in the order in which they are run, last first: of each kind in turn one, whichever."""
    kinds: dict[str, list[tuple[str, Mutant]]] = {}
    for mutant in mutants:
        mark = hashlib.sha256(mutant.key.encode("utf-8", "surrogatepass")).hexdigest()
        kinds.setdefault(mutant.operator, []).append((mark, mutant))
    places = []
    for kind, marked in kinds.items():
        for turn, (_, mutant) in enumerate(sorted(marked, key=lambda pair: pair[0])):
            places.append((turn, kind, mutant))
    return [mutant for _, _, mutant in sorted(places, key=lambda place: place[:2], reverse=True)]


# --- as a program -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures the problems in files. Returns 0: all is well, 1: not so, 2: bad files, 3: our fault."""
    parser = argparse.ArgumentParser(
        prog="python -m ocaml_env.problems.audit.mutation", description="Do the tests kill mutants of the reference?"
    )
    parser.add_argument("files", metavar="FILE.md", nargs="+", type=Path)
    parser.add_argument("--workers", type=int, default=None, help="processes to judge with (default: one a CPU)")
    parser.add_argument("--cap", type=int, default=CAP, help=f"mutants to run of one reference (default: {CAP})")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    options = parser.parse_args(arguments)
    results: list[MutationScore | ProblemError] = []
    loaded: list[tuple[Problem, dict[str, str]]] = []
    for path in options.files:
        try:
            loaded.append((read_problem(path), read_equivalents(path)))
        except (ProblemError, OSError) as error:
            results.append(error if isinstance(error, ProblemError) else ProblemError(str(error)))
    try:
        with Verifier(workers=options.workers, cache_size=0) as verifier:
            progress = len(loaded) > 8 and sys.stderr.isatty()
            results += measure_many(loaded, verifier=verifier, cap=options.cap, progress=progress)
    except ConfigError as error:
        parser.error(str(error))
    except OCamlEnvError as error:
        sys.stderr.write(f"{error}\n")
        return 3
    scores = [result for result in results if isinstance(result, MutationScore)]
    errors = [result for result in results if isinstance(result, ProblemError)]
    if options.json:
        sys.stdout.write(json.dumps([_as_json(score) for score in scores], indent=2, ensure_ascii=False) + "\n")
    else:
        references = {problem.id: problem.reference for problem, _ in loaded}
        for score in scores:
            sys.stdout.writelines(line + "\n" for line in _as_text(references[score.problem_id], score))
        if len(scores) > 1:
            sys.stdout.write(_summary(scores) + "\n")
    sys.stderr.writelines(f"{error}\n" for error in errors)
    if errors:
        return 2
    return 0 if all(_is_clean(score) for score in scores) else 1


def _is_clean(score: MutationScore) -> bool:
    return score.score >= PASS_SCORE and not score.refuted and not score.stale


def _as_json(score: MutationScore) -> dict[str, object]:
    return {
        "problem_id": score.problem_id,
        "score": round(score.score, 4),
        "found": score.found,
        "total": score.total,
        "killed": score.killed,
        "survivors": [mutant.key for mutant in score.survivors],
        "equivalent": {entry.mutant.key: entry.reason for entry in score.equivalent},
        "proven": score.proven,
        "stillborn": score.stillborn,
        "refuted": score.refuted,
        "stale": score.stale,
    }


def _as_text(reference: str, score: MutationScore) -> list[str]:
    mark = "" if score.score >= PASS_SCORE else f"  BELOW {PASS_SCORE:.0%}"
    lines = [
        f"{score.problem_id}: {score.score:.0%}, {score.killed} of {score.total} killed"
        f" (of {score.found} mutants: {score.stillborn} do not compile, {score.proven} proven equivalent,"
        f" {len(score.equivalent)} listed as equivalent){mark}"
    ]
    source = reference.split("\n")
    for mutant in score.survivors:
        # A key as TOML writes it, ready for the list of equivalents.
        lines.append(f"  survivor {json.dumps(mutant.key, ensure_ascii=False)}")
        lines.append(f"    {mutant.line:4} | {source[mutant.line - 1]}")
    lines += [f"  refuted (listed as equivalent, but a test kills it): {key}" for key in score.refuted]
    lines += [f"  stale (listed, but no mutant has this key): {key}" for key in score.stale]
    return lines


def _summary(scores: Sequence[MutationScore]) -> str:
    killed, total = sum(score.killed for score in scores), sum(score.total for score in scores)
    lowest = min(scores, key=lambda score: score.score)
    share = killed / total if total else 1.0
    return (
        f"{len(scores)} problems: {share:.1%}, {killed} of {total} killed;"
        f" lowest {lowest.problem_id} with {lowest.score:.0%}"
    )


if __name__ == "__main__":
    sys.exit(main())
