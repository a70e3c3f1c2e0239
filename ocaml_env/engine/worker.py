"""One worker: a checker process for function problems and one for programs, each started on first need.

One thread uses a worker at a time. A process that died, failed, or was interrupted in an answer is replaced before the
next candidate, so no candidate meets the remains of another.
"""

from __future__ import annotations

import contextlib
import os
import signal
import weakref
from collections.abc import Iterator, Mapping

from ocaml_env.engine import protocol
from ocaml_env.engine.checker_process import CheckerProcess, CompilerRaised, Died, Fault, Sandbox
from ocaml_env.engine.messages import (
    Evaluated,
    ProbeSpec,
    checker_limit,
    evaluate_message,
    evaluated,
    is_checker_limit,
    text,
)
from ocaml_env.engine.toolchain import Engine
from ocaml_env.errors import EngineError, ProblemError, WorkerCrashed
from ocaml_env.problem import Kind, Limits, Problem

__all__ = ["Worker"]


class Worker:
    """Evaluates candidates, one at a time.

    Args:
        engine: the programs to run.
        sandbox: ``"required"`` refuses to start if a layer is missing; ``"best-effort"`` goes on without it.
        filtered: False compiles candidates without the capability filter. Only for tests of the layers behind it.
    """

    def __init__(self, engine: Engine, *, sandbox: Sandbox = "required", filtered: bool = True) -> None:
        self._engine = engine
        self._sandbox = sandbox
        self._filtered = filtered
        self._checkers: dict[Kind, CheckerProcess] = {}
        self._pid = os.getpid()
        _live.add(self)

    def start(self) -> dict[str, str]:
        """Starts the process for function problems if needed. Returns the layers of its sandbox and their status."""
        return dict(self._checker("function").layers)

    def layers_on(self, kind: Kind) -> tuple[str, ...]:
        """Names of the active layers, sorted."""
        return tuple(sorted(name for name, status in self._checker(kind).layers.items() if status == "on"))

    def has_compiled(self, problem: Problem) -> bool:
        """True if the problem's tests are already compiled."""
        checker = self._checkers.get(problem.kind)
        return checker is not None and checker.has_compiled(problem)

    def install(self, problem: Problem) -> Mapping[str, str]:
        """Compiles the problem's tests, unless they are already compiled.

        Returns:
            The tests that run inside (see ``messages.inside``).

        Raises:
            ProblemError: if tests do not compile, or can never pass; names the test.
        """
        for attempt in (1, 2):
            checker = self._checker(problem.kind)
            try:
                with self._discarding_on_interruption(problem.kind):
                    return checker.install(problem)
            except Died as death:
                self._discard(problem.kind)
                if death.signal == signal.SIGPROF:
                    raise ProblemError(
                        f"problem {problem.id!r}: compiling its tests takes too long", problem_id=problem.id
                    ) from None
                if attempt == 2:
                    raise WorkerCrashed(f"two worker processes died while {problem.id!r} was installed") from None
            except CompilerRaised as raised:
                if attempt == 2:
                    raise ProblemError(
                        f"problem {problem.id!r}: OCaml's own compiler fails on its tests: {raised}",
                        problem_id=problem.id,
                    ) from None
            except Fault as fault:
                self._discard(problem.kind)
                if attempt == 2:
                    raise EngineError(f"the engine could not install problem {problem.id!r}: {fault}") from None
        raise AssertionError  # not reached

    def evaluate(self, problem: Problem, code: str, limits: Limits, *, probe: ProbeSpec | None = None) -> Evaluated:
        """Takes one candidate through all stages.

        Args:
            problem: the problem.
            code: the candidate.
            limits: the resources it may use.
            probe: only find out if it passes. Tests after the first failure are ``not-run``, limits hold for measured
                times, and no second run confirms the result: only for code that does not cheat.

        Raises:
            ProblemError: if the problem cannot be evaluated.
            EngineError: if the engine failed, and not because of the candidate.
        """
        found = self._evaluate(problem, code, limits, probe, whole=False)
        if is_checker_limit(found) and probe is None and len(problem.wanted) > 1:
            # The code may have type errors, and the limit was met on its right part: report the type errors then.
            found = self._evaluate(problem, code, limits, probe, whole=True)
        return found

    def _evaluate(
        self, problem: Problem, code: str, limits: Limits, probe: ProbeSpec | None, *, whole: bool
    ) -> Evaluated:
        deaths = 0
        faults = 0
        has_raised = False
        pristine = problem.kind not in self._checkers
        while True:
            try:
                inside = self.install(problem)
                checker = self._checker(problem.kind)
                with self._discarding_on_interruption(problem.kind):
                    answer = checker.exchange(
                        evaluate_message(problem, code, limits, probe, second=has_raised, whole=whole)
                    )
            except CompilerRaised:
                has_raised = pristine = True
                continue
            except Died as death:
                self._discard(problem.kind)
                # SIGPROF is the checker's own CPU limit. Any other death may be an accident: a candidate is held
                # responsible only if two fresh processes die on it.
                if death.signal == signal.SIGPROF:
                    return checker_limit("the checker ran out of CPU time on this code")
                deaths += pristine
                pristine = True
                if deaths == 2:
                    if death.signal == signal.SIGKILL:
                        raise WorkerCrashed("worker processes are being killed from outside") from None
                    return checker_limit("the checker crashed on this code")
                continue
            if "fault" in answer:
                self._discard(problem.kind)
                faults += 1
                pristine = True
                if faults == 2:
                    raise EngineError(f"the engine failed twice on one candidate: {text(answer['fault'])}")
                continue
            return evaluated(answer, problem, inside)

    def ask(self, kind: Kind, message: protocol.Message) -> protocol.Message:
        """Sends a message that concerns no candidate (see ``authoring.mli``) and returns the checker's answer.

        Raises:
            ProblemError: if it answers that the text is not OCaml.
            EngineError: if the engine failed twice.
        """
        for attempt in (1, 2):
            try:
                with self._discarding_on_interruption(kind):
                    answer = self._checker(kind).exchange(message)
            except Died as death:
                self._discard(kind)
                if death.signal == signal.SIGPROF:
                    raise ProblemError("it takes the compiler too long") from None
                why = "its process died"
            except CompilerRaised as raised:
                if attempt == 2:
                    raise ProblemError(f"OCaml's own compiler fails on it: {raised}") from None
                continue
            else:
                if "invalid" in answer:
                    raise ProblemError(text(answer["invalid"]))
                if "fault" not in answer:
                    return answer
                self._discard(kind)
                why = text(answer["fault"])
            if attempt == 2:
                raise EngineError(f"the engine failed at {message['op']!r}: {why}")
        raise AssertionError  # not reached

    def close(self) -> None:
        """Ends the processes. The worker starts new ones if it is used again."""
        for kind in list(self._checkers):
            self._discard(kind)

    def abandon(self) -> None:
        """Forgets the processes without ending them: after a fork they belong to the parent process."""
        for checker in self._checkers.values():
            checker.let_go()
        self._checkers.clear()
        self._pid = os.getpid()

    def _checker(self, kind: Kind) -> CheckerProcess:
        checker = self._checkers.get(kind)
        if checker is not None and not checker.is_worn:
            return checker
        self._discard(kind)
        checker = CheckerProcess.start(self._engine, kind, sandbox=self._sandbox, filtered=self._filtered)
        self._checkers[kind] = checker
        return checker

    def _discard(self, kind: Kind) -> None:
        if (checker := self._checkers.pop(kind, None)) is not None:
            checker.end()

    @contextlib.contextmanager
    def _discarding_on_interruption(self, kind: Kind) -> Iterator[None]:
        """Ends the process after an interruption: its late answer must not be taken for the next message's."""
        try:
            yield
        except (CompilerRaised, Died, Fault, ProblemError):
            raise
        except BaseException:
            self._discard(kind)
            raise


# Every worker of this process, for a forked child to abandon.
_live: weakref.WeakSet[Worker] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for worker in list(_live):
        worker.abandon()


os.register_at_fork(after_in_child=_after_fork_in_child)
