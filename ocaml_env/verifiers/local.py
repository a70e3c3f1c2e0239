"""Turns (problem, code) into a verdict. Only this file knows the order of the stages:

    parse -> typecheck against the signature -> compile -> run the tests

The engine takes a candidate through all stages in one call and reports the last one; this module makes a ``Verdict`` of
the report. With one OCaml version, the same input gives the same verdict, so verdicts are cached.

Long, because it is the whole public ``Verifier``, with its arguments and errors explained.
"""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from tqdm import tqdm

from ocaml_env.engine import (
    Arrangement,
    Evaluated,
    Mutant,
    Pool,
    ProbeSpec,
    RunStatus,
    RunTest,
    Status,
    Worker,
    authoring,
    build_engine,
    find_toolchain,
)
from ocaml_env.engine.authoring import Answer, CodeMetrics, Header, SplitTests, Stub
from ocaml_env.engine.output import first_difference, same_output
from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.verdict import Outcome, Stage, TestOutcome, Verdict
from ocaml_env.verifiers.base import AuthoringVerifier, Probe
from ocaml_env.verifiers.batch import Batch
from ocaml_env.verifiers.by_problem import ByProblem
from ocaml_env.verifiers.cache import VerdictCache
from ocaml_env.verifiers.failures import Failures

__all__ = ["Verifier"]

# The outcome and last stage of a candidate that was not tested, by the engine's status.
_EARLY = {
    Status.SYNTAX: (Outcome.SYNTAX_ERROR, Stage.PARSE),
    Status.NO_BINDING: (Outcome.NO_CODE, Stage.PARSE),
    Status.FORBIDDEN: (Outcome.FORBIDDEN, Stage.TYPECHECK),
    Status.TYPE: (Outcome.TYPE_ERROR, Stage.TYPECHECK),
    Status.COMPILE: (Outcome.COMPILE_ERROR, Stage.COMPILE),
}

# The outcome of a test by the engine's status, and True if the test gave an answer within its limits.
_TESTED = {
    RunStatus.PASSED: (Outcome.PASSED, True),
    RunStatus.WRONG: (Outcome.TEST_FAILURE, True),
    RunStatus.RAISED: (Outcome.RUNTIME_ERROR, False),
    RunStatus.CRASHED: (Outcome.RUNTIME_ERROR, False),
    RunStatus.TIMEOUT: (Outcome.TIMEOUT, False),
    RunStatus.MEMORY: (Outcome.MEMORY_LIMIT, False),
    RunStatus.OUTPUT: (Outcome.OUTPUT_LIMIT, False),
}


class Verifier(AuthoringVerifier):
    """Evaluates candidates with a pool of warm workers. Thread-safe; a forked child may go on using it.

    Args:
        workers: worker processes at the same time; None means one for each CPU.
        sandbox: ``"required"`` raises ``SandboxUnavailable`` if a layer of the sandbox is missing; ``"best-effort"``
            goes on without it, and each verdict records the active layers.
        cache_size: verdicts to remember; 0 remembers none.
        limits: replace each problem's own limits.
        inside: ``"refuse"`` rejects problems with tests whose result is computed in the candidate's process (see
            ``docs/trust.md``); ``"accept"`` takes them, and verdicts mark those tests.

    Raises:
        ConfigError: on an argument that cannot be used.

    First use builds and starts the engine, and may raise ``ToolchainError``, ``SandboxUnavailable`` or ``EngineError``.
    A problem that cannot be evaluated raises ``ProblemError``.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        sandbox: Literal["required", "best-effort"] = "required",
        cache_size: int = 4096,
        limits: Limits | None = None,
        inside: Literal["accept", "refuse"] = "accept",
        _filter: bool = True,
    ) -> None:
        if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
            raise ConfigError(f"workers must be None or a whole number from 1, not {workers!r}")
        if sandbox not in ("required", "best-effort"):
            raise ConfigError(f'sandbox must be "required" or "best-effort", not {sandbox!r}')
        if isinstance(cache_size, bool) or not isinstance(cache_size, int) or cache_size < 0:
            raise ConfigError(f"cache_size must be a whole number from 0, not {cache_size!r}")
        if inside not in ("accept", "refuse"):
            raise ConfigError(f'inside must be "accept" or "refuse", not {inside!r}')
        self._limits = limits
        self._refuses_inside = inside == "refuse"
        self._cache = VerdictCache(cache_size)
        # The lambda must not refer to `self`: then a verifier that is dropped without `close` still ends its workers.
        self._pool = Pool(
            workers or _available_cpus(), lambda: Worker(build_engine(), sandbox=sandbox, filtered=_filter)
        )
        # Not `__del__`: at Python's exit it could run after the objects that it needs are gone.
        self._end = weakref.finalize(self, self._pool.close)

    @property
    def workers(self) -> int:
        return self._pool.size

    @property
    def ocaml_version(self) -> str:
        """The version of the evaluating OCaml."""
        return find_toolchain().version

    def check(self, problem: Problem) -> None:
        """Compiles a problem's tests.

        Raises:
            ProblemError: if tests do not compile or can never pass; names the test.
            ConfigError: if tests run inside and ``inside="refuse"``; names them.
        """
        self.inside(problem)

    def inside(self, problem: Problem) -> dict[str, str]:
        """The tests of a problem that give their result in the candidate's process, by name, each with the reason.

        Raises:
            ProblemError, ConfigError: as ``check``.
        """
        with self._pool.lend(problem) as worker:
            return dict(self._accepted(problem, worker.install(problem)))

    def _accepted(self, problem: Problem, inside: Mapping[str, str]) -> Mapping[str, str]:
        if inside and self._refuses_inside:
            names = ", ".join(f"{name} ({clause})" for name, clause in inside.items())
            raise ConfigError(
                f'problem {problem.id!r} has tests that run beside the candidate, and inside="refuse": {names}'
            )
        return inside

    def verify(self, problem: Problem, code: str) -> Verdict:
        """Evaluates ``code`` as an answer to ``problem``."""
        limits = self._limits or problem.limits
        key = (problem.digest, limits, code)
        if (known := self._cache.get(key)) is not None:
            return known
        with self._pool.lend(problem) as worker:
            if self._refuses_inside:
                self._accepted(problem, worker.install(problem))
            evaluated = worker.evaluate(problem, code, limits)
            layers = worker.layers_on(problem.kind) if evaluated.tests else ()
        verdict = _verdict(problem, evaluated, ocaml_version=self.ocaml_version, sandbox=layers)
        self._cache.put(key, verdict)
        return verdict

    def verify_many(self, pairs: Iterable[tuple[Problem, str]], *, progress: bool = False) -> list[Verdict]:
        """Evaluates many candidates with all workers at once, and returns their verdicts in order.

        Raises:
            BatchError: if the engine or a problem fails on some of them. The others are still evaluated, unless the
                engine fails five times in a row; their verdicts are in ``BatchError.verdicts``.
        """
        todo = list(pairs)
        failures = Failures()
        # Without `progress` there is no bar, not even a disabled one: tqdm would start a thread for it.
        bar = tqdm(total=len(todo), unit="verdict") if progress else None
        return failures.settle(_in_order(self._batch(todo, failures).run(bar=bar), len(todo)))

    def _batch(self, todo: Sequence[tuple[Problem, str]], failures: Failures) -> Batch[int, tuple[int, Verdict | None]]:
        waiting: ByProblem[int] = ByProblem()
        for place, (problem, _) in enumerate(todo):
            waiting.put(problem.tests_digest, place)
        places = (waiting.take(threading.get_ident()) for _ in todo)

        def work(place: int) -> tuple[int, Verdict | None]:
            return place, failures.attempt(place, lambda: self.verify(*todo[place]))

        return Batch(places, work, threads=min(self.workers, len(todo)), stopped=failures.stopped)

    def outputs(self, problem: Problem, code: str) -> tuple[bytes | None, ...]:
        """Runs a program on each input of a problem, for a caller that compares the outputs by its own rule.

        Returns:
            One output for each test, None for a run that fails; () if the code cannot run. Nothing is cached.
        """
        with self._pool.lend(problem) as worker:
            evaluated = worker.evaluate(problem, code, self._limits or problem.limits)
        return tuple(ran.stdout if ran.status is RunStatus.RAN else None for ran in evaluated.tests)

    def probe(
        self,
        problem: Problem,
        codes: Iterable[str],
        *,
        limits: Limits | None = None,
        first: int | None = None,
        arrangement: Arrangement = "in order",
    ) -> list[Probe]:
        """Finds out if codes pass, one after another on one worker. Nothing is cached.

        A run ends at the first failed test, and no second run confirms it: only for code that does not cheat.

        Args:
            problem: the problem.
            codes: the answers.
            limits: replace the problem's.
            first: tests to run in the first process, if fewer save time; each further process runs twice as many.
            arrangement: the order of a function's tests; ``alone`` gives each a process of its own.
        """
        limits = limits or self._limits or problem.limits
        spec = ProbeSpec(first=first or len(problem.tests), exact=True, arrangement=arrangement)
        with self._pool.lend(problem) as worker:
            return [_probe(worker, problem, code, limits, spec) for code in codes]

    def mutants(self, problem: Problem) -> tuple[Mutant, ...]:
        """Copies of a problem's reference with one small fault each, in a fixed order. Not all of them compile.

        Raises:
            ProblemError: if the reference does not parse.
        """
        with self._blaming(problem, "reference"), self._pool.lend(problem) as worker:
            return authoring.mutants(worker, problem.kind, problem.reference)

    def stubs(self, problem: Problem) -> tuple[Stub, ...]:
        """Code that fits a function problem's signature and solves nothing; the stub that raises comes first.

        Raises:
            ProblemError: if the signature does not parse.
        """
        examples = [test.code for test in problem.public_tests]
        tests = [test.code for test in problem.tests]
        with self._blaming(problem, "signature"), self._pool.lend(problem) as worker:
            return authoring.stubs(worker, problem.signature, examples=examples, tests=tests)

    def split_tests(self, text: str) -> SplitTests:
        """Splits a text of assertions into single tests.

        Raises:
            ProblemError: if it does not parse.
        """
        with self._pool.lend() as worker:
            return authoring.split_tests(worker, text)

    def header(self, text: str) -> Header:
        """Reads the signature of a function from the beginning of its definition.

        Raises:
            ProblemError: if the text does not parse or typecheck, or defines no function.
        """
        with self._pool.lend() as worker:
            return authoring.header(worker, text)

    def answers(self, tests: Sequence[str]) -> tuple[Answer | None, ...]:
        """The call, arguments and result of each test; None if it is not of the form ``f x y = z``."""
        with self._pool.lend() as worker:
            return authoring.answers(worker, tests)

    def measure(self, problem: Problem) -> CodeMetrics:
        """Measures a problem's reference, and finds out if its tests can depend on their order.

        Raises:
            ProblemError: if the reference or a test does not parse.
        """
        with self._blaming(problem, "reference"), self._pool.lend(problem) as worker:
            return authoring.measure(worker, problem)

    @staticmethod
    @contextlib.contextmanager
    def _blaming(problem: Problem, part: str) -> Iterator[None]:
        try:
            yield
        except ProblemError as error:
            raise ProblemError(f"problem {problem.id!r}: its {part}: {error}", problem_id=problem.id) from None

    async def averify_many(self, pairs: Iterable[tuple[Problem, str]]) -> list[Verdict]:
        """``verify_many`` for asyncio: it waits in a thread. When cancelled, it takes no further candidate."""
        todo, failures = list(pairs), Failures()
        return failures.settle(_in_order(await self._batch(todo, failures).arun(), len(todo)))

    def close(self) -> None:
        """Ends the workers. A closed verifier cannot be used again."""
        self._end()


def _in_order(evaluated: Iterable[tuple[int, Verdict | None]], count: int) -> list[Verdict | None]:
    by_place = dict(evaluated)
    return [by_place.get(place) for place in range(count)]


def _available_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _verdict(problem: Problem, evaluated: Evaluated, *, ocaml_version: str, sandbox: tuple[str, ...]) -> Verdict:
    tests = tuple(
        _test_outcome(problem, test, ran, inside=test.name in evaluated.inside)
        for test, ran in zip(problem.tests, evaluated.tests, strict=bool(evaluated.tests))
    )
    if evaluated.status in _EARLY:
        outcome, stage = _EARLY[evaluated.status]
    else:
        outcome, stage = next((test.outcome for test in tests if not test.passed), Outcome.PASSED), Stage.TEST
    return Verdict(
        outcome=outcome,
        stage=stage,
        diagnostics=evaluated.diagnostics,
        errors=evaluated.errors,
        tests=tests,
        partial=evaluated.kept,
        given=evaluated.given,
        ocaml_version=ocaml_version,
        sandbox=sandbox,
        cpu_seconds=evaluated.cpu_seconds,
    )


def _probe(worker: Worker, problem: Problem, code: str, limits: Limits, spec: ProbeSpec) -> Probe:
    evaluated = worker.evaluate(problem, code, limits, probe=spec)
    probe = _probed(problem, evaluated)
    if probe.passed and any(test.status is RunStatus.NOT_RUN for test in evaluated.tests):
        # Its output is right, though not byte for byte.
        probe = _probed(problem, worker.evaluate(problem, code, limits, probe=replace(spec, exact=False)))
    return probe


def _probed(problem: Problem, evaluated: Evaluated) -> Probe:
    if evaluated.status in _EARLY:
        outcome, stage = _EARLY[evaluated.status]
        return Probe(outcome=outcome, stage=stage)
    by_order = sorted(zip(problem.tests, evaluated.tests, strict=True), key=lambda pair: not pair[0].public)
    ran = (_test_outcome(problem, t, r) for t, r in by_order if r.status is not RunStatus.NOT_RUN)
    failed = next((test for test in ran if not test.passed), None)
    return Probe(
        outcome=failed.outcome if failed else Outcome.PASSED,
        stage=Stage.TEST,
        failed=failed.name if failed else "",
        image=evaluated.image,
        cpu_seconds=evaluated.cpu_seconds,
        slowest_seconds=evaluated.slowest_seconds,
    )


def _test_outcome(problem: Problem, test: Test, ran: RunTest, *, inside: bool = False) -> TestOutcome:
    status, detail = ran.status, ran.detail
    if ran.status is RunStatus.RAN:
        assert test.stdout is not None
        right = same_output(ran.stdout, test.stdout, tolerance=problem.float_tolerance)
        status = RunStatus.PASSED if right else RunStatus.WRONG
        if not right and test.public:
            detail = first_difference(ran.stdout, test.stdout, tolerance=problem.float_tolerance)
    outcome, returned = _TESTED[status]
    # The exception or output of a hidden test can reveal its arguments.
    shown = detail if test.public else ""
    return TestOutcome(
        name=test.name, public=test.public, outcome=outcome, returned=returned, detail=shown, inside=inside
    )
