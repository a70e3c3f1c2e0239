"""Runs mutants of a problem's reference against its tests, and counts the killed ones.

A mutant is the reference with one small fault. A mutant that passes every test is a survivor: a test is missing, or the
mutant behaves like the reference. Some mutants do not count: those that do not compile (stillborn), those with the
bytecode of the reference (proven equivalent), and those listed by the caller as equivalent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from tqdm import tqdm

from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Stage
from ocaml_env.verifiers.base import AuthoringVerifier, Mutant, Probe

__all__ = ["CAP", "Equivalent", "Mutant", "MutationScore", "measure", "measure_many"]

# Mutants of one reference to run, among those that compile. The others would die about as often.
CAP = 60

# CPU time of a mutant for one test, as a multiple of the reference's slowest test and a minimum. Endless loops must
# cost
# little: they are most of the cost of all mutants. For a slow test a smaller multiple is precise enough.
_LEAST_CPU_SECONDS = 0.02
_TIMES_REFERENCE = 20
_AMPLE_CPU_SECONDS = 0.1
_TIMES_SLOW_REFERENCE = 5

# About half of it is the cost of starting a process.
_SLOW_CPU_SECONDS = 0.002


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalent:
    """A survivor that no test can tell from the reference, and the reason."""

    mutant: Mutant
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MutationScore:
    """The results of one problem's mutants.

    Attributes:
        problem_id: the problem.
        found: number of mutants of the reference.
        killed: mutants that failed a test.
        survivors: mutants that passed every test, in order of the text.
        equivalent: survivors listed as equivalent.
        proven: mutants with the bytecode of the reference.
        stillborn: mutants that do not compile.
        refuted: keys of mutants that are listed as equivalent but fail a test.
        stale: listed keys without a mutant.
        killers: for each killed mutant's key, the first test that it failed.
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
    killers: Mapping[str, str] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of mutants that count."""
        return self.killed + len(self.survivors)

    @property
    def score(self) -> float:
        """The killed part of the mutants that count; 1 if none counts."""
        return self.killed / self.total if self.total else 1.0


def measure(
    problem: Problem, *, verifier: AuthoringVerifier, equivalent: Mapping[str, str] | None = None, cap: int = CAP
) -> MutationScore:
    """Runs mutants of a problem's reference against its tests.

    Args:
        problem: its reference must pass.
        verifier: runs the mutants; its cache is not used.
        equivalent: reasons by key, as from ``read_equivalents``.
        cap: mutants to run at most, among those that compile: a deterministic sample over all kinds of faults.

    Raises:
        ConfigError: the cap is below 1.
        ProblemError: there is no reference, or it does not pass.
    """
    if cap < 1:
        raise ConfigError(f"the cap must be at least 1, not {cap}")
    equivalent = equivalent or {}
    original = _probe_reference(problem, verifier)
    limits = _limits(problem, original)
    # Most mutants die early: if all tests together take long, run a part of them first.
    first = -(-len(problem.tests) // 4) if original.cpu_seconds > _SLOW_CPU_SECONDS else None
    mutants = verifier.mutants(problem)
    died: dict[str, str] = {}
    passed: list[Mutant] = []
    proven = stillborn = 0
    queue = _ranked(mutants)
    while queue and (missing := cap - len(died) - len(passed) - proven) > 0:
        batch = [queue.pop() for _ in range(min(len(queue), missing))]
        # The reference goes along: bytecode can be compared only within one process.
        codes = [problem.reference, *(mutant.code for mutant in batch)]
        again, *probes = verifier.probe(problem, codes, limits=limits, first=first)
        for mutant, probe in zip(batch, probes, strict=True):
            if probe.stage is not Stage.TEST:
                stillborn += 1
            elif probe.image == again.image or (probe.passed and _is_reference(problem, mutant, verifier, limits)):
                proven += 1
            elif not probe.passed:
                died[mutant.key] = probe.failed
            else:
                passed.append(mutant)
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
        refuted=tuple(key for key in died if key in equivalent),
        stale=tuple(key for key in equivalent if key not in known),
        killers=died,
    )


def measure_many(
    problems: Iterable[tuple[Problem, Mapping[str, str]]],
    *,
    verifier: AuthoringVerifier,
    cap: int = CAP,
    progress: bool = False,
) -> list[MutationScore | ProblemError]:
    """``measure`` for problems with their equivalents, as many at a time as the verifier has workers.

    An error of one problem takes its place in the list and does not affect the others.
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


def _is_reference(problem: Problem, mutant: Mutant, verifier: AuthoringVerifier, limits: Limits) -> bool:
    """True if both have the same bytecode. Compiles the two alone: many other codes may change the process."""
    reference, probe = verifier.probe(problem, [problem.reference, mutant.code], limits=limits)
    return probe.image == reference.image


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
    """The mutants in the order of running, the next one last. Kinds take turns; within a kind the order is by hash."""
    kinds: dict[str, list[tuple[str, Mutant]]] = {}
    for mutant in mutants:
        mark = hashlib.sha256(mutant.key.encode("utf-8", "surrogatepass")).hexdigest()
        kinds.setdefault(mutant.operator, []).append((mark, mutant))
    places = []
    for kind, marked in kinds.items():
        for turn, (_, mutant) in enumerate(sorted(marked, key=lambda pair: pair[0])):
            places.append((turn, kind, mutant))
    return [mutant for _, _, mutant in sorted(places, key=lambda place: place[:2], reverse=True)]
