"""One worker: a checker process for function problems and one for programs, each started when it is first needed.

A worker is used by one thread at a time. A process that died, was cut off in the middle of an answer, or asked to be
retired is replaced before the next candidate, so no candidate meets what another one left behind.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
import weakref
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from ocaml_env.engine import protocol
from ocaml_env.engine.toolchain import Engine
from ocaml_env.errors import (
    EngineError,
    ProblemError,
    ProtocolError,
    SandboxUnavailable,
    ToolchainError,
    WorkerCrashed,
)
from ocaml_env.problem import Kind, Limits, Problem
from ocaml_env.verdict import Diagnostic

__all__ = ["Arrangement", "Judged", "ProbeSpec", "RunTest", "Worker"]

Sandbox = Literal["required", "best-effort"]
Arrangement = Literal["in order", "reversed", "alone"]

# Wall-clock seconds after which a silent process is given up. CPU limits inside the engine act long before; this only
# ends a wait for a process that neither computes nor dies.
BACKSTOP_SECONDS = 180.0

# Problems that one process keeps compiled (about 100 KB each).
INSTALLED_MAX = 512

# What the collector frees goes back to the system: by itself glibc would keep ever larger blocks.
_CHECKER_ENVIRONMENT = {"OCAMLRUNPARAM": "s=1M,o=200,l=64M", "MALLOC_MMAP_THRESHOLD_": "262144"}

# Problems after which a process is replaced: the compiler's tables keep a little of every interface it has seen.
INSTALLS_PER_PROCESS = 4096

# More than almost every answer has.
_READ_BYTES = 1 << 16

# Layers without which nothing is run under sandbox="required". Landlock counts where the kernel has it.
REQUIRED_LAYERS = ("rlimits", "descriptors", "uid", "seccomp")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTest:
    """How one test ended in the engine: ``status`` is a word of the checker's (see ``checker.ml``)."""

    status: str
    detail: str
    stdout: bytes


_PASSED = RunTest(status="passed", detail="", stdout=b"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The checker's answer for one candidate, decoded.

    Attributes:
        status: ``syntax``, ``no-binding``, ``forbidden``, ``type``, ``compile``, ``tested``, or ``checker-limit`` where
            the candidate ended the checker itself.
        errors: type errors to count, for ``type``.
        tests: for ``tested``, one entry for each test of the problem.
        cpu_seconds: of the jailed processes.
        slowest_seconds: CPU time of the slowest test; only known where the first failure ended the run.
        image: digest of the bytecode; likewise.
    """

    status: str
    diagnostics: tuple[Diagnostic, ...] = ()
    errors: int = 0
    tests: tuple[RunTest, ...] = ()
    cpu_seconds: float = 0.0
    slowest_seconds: float = 0.0
    image: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeSpec:
    """How to find out only whether a candidate passes.

    Attributes:
        first: tests of a function that the first process runs; each one after it runs twice as many.
        exact: of a program, stop at an output that is not to the letter what is expected; it may still be right.
        arrangement: the order of a function's tests; ``alone`` gives each a process of its own.
    """

    first: int
    exact: bool
    arrangement: Arrangement = "in order"


class _Died(Exception):
    """The process ended before it answered. ``signal`` is the signal that killed it, 0 where it exited."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.signal = signal_number


class _Fault(Exception):
    """The process answered that it failed, and that the candidate is not the cause."""


@dataclass(slots=True)
class _Checker:
    """A running checker process and what is installed in it."""

    process: subprocess.Popen[bytes]
    layers: dict[str, str] = field(default_factory=dict)
    version: str = ""
    installed: OrderedDict[str, None] = field(default_factory=OrderedDict)
    installs: int = 0

    def exchange(self, message: protocol.Message) -> protocol.Message:
        """Sends a message and waits for its answer."""
        assert self.process.stdin is not None
        try:
            _write_all(self.process.stdin.fileno(), protocol.frame(protocol.encode(message)))
        except BrokenPipeError:
            raise self._death() from None
        return self.receive()

    def receive(self) -> protocol.Message:
        """Waits for the next message, which is all that there is to read: the checker speaks when it is spoken to."""
        assert self.process.stdout is not None
        fd = self.process.stdout.fileno()
        poll = select.poll()  # not select.select, which ends at descriptor 1024
        poll.register(fd, select.POLLIN)
        deadline = time.monotonic() + BACKSTOP_SECONDS
        received, wanted = b"", protocol.HEADER_BYTES
        while len(received) < wanted:
            if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise WorkerCrashed(f"a worker process did not answer for {BACKSTOP_SECONDS:.0f} s")
            part = os.read(fd, _READ_BYTES)
            if not part:
                raise self._death()
            received += part
            if len(received) >= protocol.HEADER_BYTES:
                wanted = protocol.HEADER_BYTES + protocol.frame_length(received[: protocol.HEADER_BYTES])
        return protocol.decode(received[protocol.HEADER_BYTES :])

    def _death(self) -> _Died:
        try:
            code = self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        return _Died(-code if code < 0 else 0)


class Worker:
    """Judges candidates, one at a time.

    Args:
        engine: the programs to run.
        sandbox: ``"required"`` refuses to start where a layer is missing; ``"best-effort"`` goes on without it.
        filtered: False compiles candidates without the capability filter. Only for tests of the layers behind it.
    """

    def __init__(self, engine: Engine, *, sandbox: Sandbox = "required", filtered: bool = True) -> None:
        self._engine = engine
        self._sandbox = sandbox
        self._filtered = filtered
        self._checkers: dict[Kind, _Checker] = {}
        self._pid = os.getpid()
        _live.add(self)

    def start(self) -> dict[str, str]:
        """Starts the process for function problems if need be. Returns the layers of its sandbox and their status."""
        return dict(self._checker("function").layers)

    def layers_on(self, kind: Kind) -> tuple[str, ...]:
        """Names of the layers that hold, sorted."""
        return tuple(sorted(name for name, status in self._checker(kind).layers.items() if status == "on"))

    def install(self, problem: Problem) -> None:
        """Compiles a problem's tests, unless they are compiled already.

        Raises:
            ProblemError: where they do not compile, or can never pass; names the test.
        """
        for attempt in (1, 2):
            checker = self._checker(problem.kind)
            try:
                with self._discarding_on_interruption(problem.kind):
                    _install(checker, problem)
                    return
            except _Died as death:
                self._discard(problem.kind)
                if death.signal == signal.SIGPROF:
                    raise ProblemError(
                        f"problem {problem.id!r}: compiling its tests takes too long", problem_id=problem.id
                    ) from None
                if attempt == 2:
                    raise WorkerCrashed(f"two worker processes died while {problem.id!r} was installed") from None
            except _Fault as fault:
                self._discard(problem.kind)
                if attempt == 2:
                    raise EngineError(f"the engine could not install problem {problem.id!r}: {fault}") from None

    def judge(self, problem: Problem, code: str, limits: Limits, *, probe: ProbeSpec | None = None) -> Judged:
        """Takes one candidate through all stages.

        Args:
            problem: what it is judged against.
            code: the candidate.
            limits: what it may use.
            probe: ask only whether it passes. The tests after the first that does not are ``not-run``, limits hold to
                the letter, and nothing is confirmed by a second run: only for code that does not cheat.

        Raises:
            ProblemError: where the problem cannot be judged.
            EngineError: where the engine failed and the candidate is not to blame.
        """
        deaths = 0
        faults = 0
        pristine = problem.kind not in self._checkers
        while True:
            try:
                self.install(problem)
                checker = self._checker(problem.kind)
                with self._discarding_on_interruption(problem.kind):
                    answer = checker.exchange(_judge_message(problem, code, limits, probe))
            except _Died as death:
                self._discard(problem.kind)
                # SIGPROF is the checker's own CPU limit. For any other death an accident is ruled out first: only a
                # candidate that kills two pristine processes has done it itself.
                if death.signal == signal.SIGPROF:
                    return _checker_limit("the checker ran out of CPU time on this code")
                deaths += pristine
                pristine = True
                if deaths == 2:
                    if death.signal == signal.SIGKILL:
                        raise WorkerCrashed("worker processes are being killed from outside") from None
                    return _checker_limit("the checker crashed on this code")
                continue
            if answer.get("retire"):
                self._discard(problem.kind)
            if "fault" in answer:
                self._discard(problem.kind)
                faults += 1
                pristine = True
                if faults == 2:
                    raise EngineError(f"the engine failed twice on one candidate: {_text(answer['fault'])}")
                continue
            return _judged(answer, _order(problem))

    def ask(self, kind: Kind, message: protocol.Message) -> protocol.Message:
        """The checker's answer to a message that concerns no candidate (see ``authoring.mli``).

        Raises:
            ProblemError: where it says that the text is not OCaml.
            EngineError: where the engine failed, twice.
        """
        for attempt in (1, 2):
            try:
                with self._discarding_on_interruption(kind):
                    answer = self._checker(kind).exchange(message)
            except _Died as death:
                self._discard(kind)
                if death.signal == signal.SIGPROF:
                    raise ProblemError("it takes the compiler too long") from None
                why = "its process died"
            else:
                if answer.get("retire"):
                    self._discard(kind)
                if "invalid" in answer:
                    raise ProblemError(_text(answer["invalid"]))
                if "fault" not in answer:
                    return answer
                why = _text(answer["fault"])
            if attempt == 2:
                raise EngineError(f"the engine failed at {message['op']!r}: {why}")
        raise AssertionError  # not reached

    def close(self) -> None:
        """Ends the processes. The worker starts new ones if it is used again."""
        for kind in list(self._checkers):
            self._discard(kind)

    def abandon(self) -> None:
        """Forgets the processes without touching them: after a fork they belong to the parent process."""
        for checker in self._checkers.values():
            for stream in (checker.process.stdin, checker.process.stdout):
                assert stream is not None
                stream.close()
            checker.process.returncode = 0  # so that nobody here waits for it
        self._checkers.clear()
        self._pid = os.getpid()

    def _checker(self, kind: Kind) -> _Checker:
        checker = self._checkers.get(kind)
        if checker is not None and checker.installs < INSTALLS_PER_PROCESS:
            return checker
        self._discard(kind)
        checker = self._checkers[kind] = self._launch(kind)
        return checker

    def _launch(self, kind: Kind) -> _Checker:
        command = [str(self._engine.checker), str(self._engine.runner), kind]
        if not self._filtered:
            command.append("unfiltered")
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                env=_CHECKER_ENVIRONMENT,
                cwd="/",
                # Ctrl-C is for the parent, which ends its workers itself.
                start_new_session=True,
            )
        except OSError as error:
            raise ToolchainError(f"the engine's program {command[0]} cannot be run: {error}") from error
        checker = _Checker(process)
        try:
            self._greet(checker)
        except _Died:
            _end(checker)
            raise EngineError(f"the engine's program {command[0]} ended at its start") from None
        except BaseException:
            _end(checker)
            raise
        return checker

    def _greet(self, checker: _Checker) -> None:
        hello = checker.receive()
        if "fault" in hello:
            raise ToolchainError(f"the engine does not start: {_text(hello['fault'])}")
        try:
            checker.version = _text(hello["ocaml"])
            checker.layers = {_text(name): _text(status) for name, status in cast(list[list[bytes]], hello["layers"])}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ProtocolError(f"a worker's first message is not of the protocol: {error!r}") from error
        self._require_layers(checker)

    def _require_layers(self, checker: _Checker) -> None:
        if self._sandbox != "required":
            return
        missing = [name for name in REQUIRED_LAYERS if checker.layers.get(name) != "on"]
        if checker.layers.get("landlock") == "broken":
            missing.append("landlock")
        if missing:
            raise SandboxUnavailable(
                f"layers of the sandbox that do not hold on this machine: {', '.join(missing)}. "
                'sandbox="best-effort" runs without them, and records so in each verdict'
            )

    def _discard(self, kind: Kind) -> None:
        if (checker := self._checkers.pop(kind, None)) is not None:
            _end(checker)

    @contextlib.contextmanager
    def _discarding_on_interruption(self, kind: Kind) -> Iterator[None]:
        """An answer that nobody waits for any more must not be taken for the next one's."""
        try:
            yield
        except (_Died, _Fault, ProblemError):
            raise
        except BaseException:
            self._discard(kind)
            raise


# Every worker of this process, so that a forked child can let go of them.
_live: weakref.WeakSet[Worker] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for worker in list(_live):
        worker.abandon()


os.register_at_fork(after_in_child=_after_fork_in_child)


def _end(checker: _Checker) -> None:
    process = checker.process
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        with contextlib.suppress(OSError):
            stream.close()
    # It ends by itself at end of file, unless it is in the middle of something; then nobody wants the answer.
    process.kill()
    process.wait()


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _install(checker: _Checker, problem: Problem) -> None:
    key = problem.tests_digest
    if key in checker.installed:
        checker.installed.move_to_end(key)
        return
    if len(checker.installed) >= INSTALLED_MAX:
        oldest, _ = checker.installed.popitem(last=False)
        checker.exchange({"op": "forget", "key": oldest})
    order = _order(problem)
    message: protocol.Message = {"op": "install", "key": key, "kind": problem.kind}
    if problem.kind == "program":
        message["inputs"] = [cast(str, problem.tests[index].stdin) for index in order]
    else:
        message["signature"] = problem.signature
        message["prelude"] = problem.prelude
        message["tests"] = [problem.tests[index].code for index in order]
    checker.installs += 1
    answer = checker.exchange(message)
    if "fault" in answer:
        raise _Fault(_text(answer["fault"]))
    if "invalid" in answer:
        index = cast(int, answer["test"])
        name = problem.tests[order[index]].name if index >= 0 else None
        where = f", test {name!r}" if name is not None else ""
        raise ProblemError(
            f"problem {problem.id!r}{where}: {_text(answer['invalid'])}", problem_id=problem.id, test=name
        )
    checker.installed[key] = None


def _judge_message(problem: Problem, code: str, limits: Limits, probe: ProbeSpec | None) -> protocol.Message:
    message: protocol.Message = {
        "op": "judge",
        "key": problem.tests_digest,
        "code": code,
        "test_cpu_us": round(limits.test_cpu_seconds * 1e6),
        "total_cpu_us": round(limits.total_cpu_seconds * 1e6),
        "memory_bytes": limits.memory_mb << 20,
        "output_bytes": limits.output_kb << 10,
    }
    if probe is not None:
        message["first_failure"] = probe.first
        message["arrangement"] = probe.arrangement
        exact = problem.kind == "program" and probe.exact
        message["outputs"] = [cast(str, problem.tests[index].stdout) for index in _order(problem)] if exact else []
    return message


def _order(problem: Problem) -> list[int]:
    """Indices of the tests in the order in which they run: the public ones first.

    They share a process, and what is shown of a failing public test (an exception's text) must not carry what the
    candidate was asked by a hidden one.
    """
    return sorted(range(len(problem.tests)), key=lambda index: not problem.tests[index].public)


def _judged(answer: protocol.Message, order: Sequence[int]) -> Judged:
    try:
        rows = cast(Sequence[protocol.Value], answer.get("tests", ()))
        ran = dict(zip(order, rows, strict=True)) if rows else {}
        return Judged(
            status=_text(answer["status"]),
            diagnostics=tuple(
                _diagnostic(entry) for entry in cast(Sequence[Sequence[protocol.Value]], answer.get("diagnostics", ()))
            ),
            errors=cast(int, answer.get("errors", 0)),
            tests=tuple(_run_test(ran[index]) for index in range(len(ran))),
            cpu_seconds=cast(int, answer.get("cpu_us", 0)) / 1e6,
            slowest_seconds=cast(int, answer.get("slowest_us", 0)) / 1e6,
            image=_text(answer.get("image", b"")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ProtocolError(f"a worker's answer is not of the protocol: {error!r}") from error


def _run_test(row: protocol.Value) -> RunTest:
    if row == b"passed":
        return _PASSED
    status, detail, stdout = cast(Sequence[protocol.Value], row)
    return RunTest(status=_text(status), detail=_text(detail), stdout=cast(bytes, stdout))


def _diagnostic(entry: Sequence[protocol.Value]) -> Diagnostic:
    kind, name, message, line, column, cascade = entry
    return Diagnostic(
        kind=_text(kind),
        name=_text(name),
        message=_text(message),
        line=cast(int, line),
        column=cast(int, column),
        cascade=bool(cascade),
    )


def _checker_limit(message: str) -> Judged:
    diagnostic = Diagnostic(kind="checker-limit", message=message)
    return Judged(status="type", diagnostics=(diagnostic,), errors=5)


def _text(value: protocol.Value) -> str:
    return cast(bytes, value).decode("utf-8", "replace")
