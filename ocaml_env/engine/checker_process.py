"""One checker process: its start, messages and end, and the problems installed in it."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Literal, Self, cast

from ocaml_env.engine import protocol
from ocaml_env.engine.messages import inside, install_message, run_order, text
from ocaml_env.engine.toolchain import Engine
from ocaml_env.errors import (
    EngineError,
    ProblemError,
    ProtocolError,
    SandboxUnavailable,
    ToolchainError,
    WorkerCrashed,
)
from ocaml_env.problem import Kind, Problem

__all__ = ["CheckerProcess", "CompilerRaised", "Died", "Fault", "Sandbox"]

Sandbox = Literal["required", "best-effort"]

# Wall-clock seconds without an answer after which a process is given up. CPU limits inside the engine act long before;
# this only ends the wait for a process that neither computes nor dies.
BACKSTOP_SECONDS = 180.0

# Problems kept compiled in one process (about 100 KB each).
INSTALLED_MAX = 512

# Problems after which a process is replaced: the compiler's tables keep a part of every interface.
INSTALLS_PER_PROCESS = 4096

# The first returns freed memory to the system. The second stops glibc from keeping ever larger free blocks.
_ENVIRONMENT = {"OCAMLRUNPARAM": "s=2M,o=200,l=64M", "MALLOC_MMAP_THRESHOLD_": "262144"}

# Almost every answer is shorter.
_READ_BYTES = 1 << 16

# Layers required under sandbox="required". Landlock is also required if the kernel has it.
REQUIRED_LAYERS = ("rlimits", "descriptors", "uid", "seccomp")


class Died(Exception):
    """The process ended before it answered. ``signal`` is the signal that killed it, or 0 if it exited."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.signal = signal_number


class CompilerRaised(Exception):
    """OCaml's own compiler raised an exception on its input. A fresh process has replaced this one."""


class Fault(Exception):
    """The process reported a failure of its own, not caused by the candidate."""


class CheckerProcess:
    """A running checker. Whoever starts it must end it.

    Attributes:
        process: the operating system's process.
        version: the OCaml version.
        layers: the layers of its sandbox, and their status.
    """

    version: str
    layers: dict[str, str]

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._installed: OrderedDict[str, dict[str, str]] = OrderedDict()
        self._installs = 0

    @classmethod
    def start(cls, engine: Engine, kind: Kind, *, sandbox: Sandbox, filtered: bool) -> Self:
        """Starts a process and reads its greeting.

        Raises:
            ToolchainError: if the program cannot be run, or reports that it cannot work.
            SandboxUnavailable: if a required layer is missing.
            EngineError: if it ends or says anything else.
        """
        command = [str(engine.checker), str(engine.runner), kind]
        if not filtered:
            command.append("unfiltered")
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                env=_ENVIRONMENT,
                cwd="/",
                # Ctrl-C reaches only the parent, which ends its workers itself.
                start_new_session=True,
            )
        except OSError as error:
            raise ToolchainError(f"the engine's program {command[0]} cannot be run: {error}") from error
        assert process.stdin is not None
        os.set_blocking(process.stdin.fileno(), False)
        checker = cls(process)
        try:
            checker._greet(sandbox)
        except Died:
            checker.end()
            raise EngineError(f"the engine's program {command[0]} ended at its start") from None
        except BaseException:
            checker.end()
            raise
        return checker

    @property
    def is_worn(self) -> bool:
        """True if it has installed as many problems as a process should."""
        return self._installs >= INSTALLS_PER_PROCESS

    def exchange(self, message: protocol.Message) -> protocol.Message:
        """Sends a message and waits for its answer.

        Raises:
            Died: if the process ends instead.
            CompilerRaised: if the compiler raises on the message's code.
            WorkerCrashed: if it does not answer for ``BACKSTOP_SECONDS``.
        """
        assert self.process.stdin is not None
        deadline = time.monotonic() + BACKSTOP_SECONDS
        try:
            _write_all(self.process.stdin.fileno(), protocol.frame(protocol.encode(message)), deadline)
        except BrokenPipeError:
            raise self._death() from None
        answer = self.receive()
        if answer.get("retire"):
            # The process has ended, and a fresh one has taken its place.
            self._installed.clear()
            self._installs = 0
        if "raised" in answer:
            raise CompilerRaised(text(answer["raised"]))
        return answer

    def receive(self) -> protocol.Message:
        """Waits for the next message. It is all there is to read: the checker only writes answers."""
        assert self.process.stdout is not None
        fd = self.process.stdout.fileno()
        poll = select.poll()  # not select.select, which cannot take descriptors from 1024 on
        poll.register(fd, select.POLLIN)
        deadline = time.monotonic() + BACKSTOP_SECONDS
        received, wanted = b"", protocol.HEADER_BYTES
        while len(received) < wanted:
            _await(poll, deadline)
            part = os.read(fd, _READ_BYTES)
            if not part:
                raise self._death()
            received += part
            if len(received) >= protocol.HEADER_BYTES:
                wanted = protocol.HEADER_BYTES + protocol.frame_length(received[: protocol.HEADER_BYTES])
        return protocol.decode(received[protocol.HEADER_BYTES :])

    def has_compiled(self, problem: Problem) -> bool:
        """True if the problem's tests are already compiled."""
        return problem.tests_digest in self._installed

    def install(self, problem: Problem) -> Mapping[str, str]:
        """Has the problem's tests compiled, unless they are already.

        Returns:
            The tests that run inside (see ``messages.inside``).

        Raises:
            ProblemError: if tests do not compile, or can never pass; names the test.
            Died, CompilerRaised: as ``exchange``.
            Fault: if the process failed.
        """
        key = problem.tests_digest
        if key in self._installed:
            self._installed.move_to_end(key)
            return self._installed[key]
        if len(self._installed) >= INSTALLED_MAX:
            oldest, _ = self._installed.popitem(last=False)
            self.exchange({"op": "forget", "key": oldest})
        self._installs += 1
        answer = self.exchange(install_message(problem))
        if "fault" in answer:
            raise Fault(text(answer["fault"]))
        if "invalid" in answer:
            index = cast(int, answer["test"])
            name = problem.tests[run_order(problem)[index]].name if index >= 0 else None
            where = f", test {name!r}" if name is not None else ""
            raise ProblemError(
                f"problem {problem.id!r}{where}: {text(answer['invalid'])}", problem_id=problem.id, test=name
            )
        self._installed[key] = inside(answer, problem)
        return self._installed[key]

    def end(self) -> None:
        """Ends the process."""
        self._close_streams()
        # It would end by itself at end of file, but not while it is busy with an answer that is no longer needed.
        self.process.kill()
        self.process.wait()

    def let_go(self) -> None:
        """Forgets the process without ending it: after a fork it belongs to the parent process."""
        self._close_streams()
        self.process.returncode = 0  # stops this process from waiting for it

    def _close_streams(self) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()

    def _death(self) -> Died:
        try:
            code = self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        return Died(-code if code < 0 else 0)

    def _greet(self, sandbox: Sandbox) -> None:
        hello = self.receive()
        if "fault" in hello:
            raise ToolchainError(f"the engine does not start: {text(hello['fault'])}")
        try:
            self.version = text(hello["ocaml"])
            self.layers = {text(name): text(status) for name, status in cast(list[list[bytes]], hello["layers"])}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ProtocolError(f"a worker's first message is not of the protocol: {error!r}") from error
        if sandbox == "required":
            self._require_layers()

    def _require_layers(self) -> None:
        missing = [name for name in REQUIRED_LAYERS if self.layers.get(name) != "on"]
        if self.layers.get("landlock") == "broken":
            missing.append("landlock")
        if missing:
            raise SandboxUnavailable(
                f"this machine lacks these layers of the sandbox: {', '.join(missing)}. "
                'sandbox="best-effort" runs without them, and records that in each verdict'
            )


def _write_all(fd: int, data: bytes, deadline: float) -> None:
    """Writes to a non-blocking pipe until the deadline: the checker may have stopped reading."""
    poll = select.poll()
    poll.register(fd, select.POLLOUT)
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(fd, view) :]
        except BlockingIOError:
            _await(poll, deadline)


def _await(poll: select.poll, deadline: float) -> None:
    if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
        raise WorkerCrashed(f"a worker process did not answer for {BACKSTOP_SECONDS:.0f} s")
