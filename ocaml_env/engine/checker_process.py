"""One checker process: how it is started, spoken to and ended, and what is installed in it."""

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

# Wall-clock seconds after which a silent process is given up. CPU limits inside the engine act long before; this only
# ends a wait for a process that neither computes nor dies.
BACKSTOP_SECONDS = 180.0

# Problems that one process keeps compiled (about 100 KB each).
INSTALLED_MAX = 512

# Problems after which a process is replaced: the compiler's tables keep a little of every interface it has seen.
INSTALLS_PER_PROCESS = 4096

# What the collector frees goes back to the system: by itself glibc would keep ever larger blocks.
_ENVIRONMENT = {"OCAMLRUNPARAM": "s=2M,o=200,l=64M", "MALLOC_MMAP_THRESHOLD_": "262144"}

# More than almost every answer has.
_READ_BYTES = 1 << 16

# Layers without which nothing is run under sandbox="required". Landlock counts where the kernel has it.
REQUIRED_LAYERS = ("rlimits", "descriptors", "uid", "seccomp")


class Died(Exception):
    """The process ended before it answered. ``signal`` is the signal that killed it, 0 where it exited."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.signal = signal_number


class CompilerRaised(Exception):
    """OCaml's own compiler raised on what it was given. A pristine process has taken this one's place."""


class Fault(Exception):
    """The process answered that it failed, and that the candidate is not the cause."""


class CheckerProcess:
    """A running checker. It is ended by whoever started it.

    Attributes:
        process: the operating system's.
        version: of OCaml.
        layers: of its sandbox, and their status.
    """

    version: str
    layers: dict[str, str]

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._installed: OrderedDict[str, dict[str, str]] = OrderedDict()
        self._installs = 0

    @classmethod
    def start(cls, engine: Engine, kind: Kind, *, sandbox: Sandbox, filtered: bool) -> Self:
        """Starts a process and hears its greeting.

        Raises:
            ToolchainError: if the program cannot be run, or says that it cannot work.
            SandboxUnavailable: if a layer is missing that is required.
            EngineError: if it ends or says something else.
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
                # Ctrl-C is for the parent, which ends its workers itself.
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
        """Whether it has served as long as a process should."""
        return self._installs >= INSTALLS_PER_PROCESS

    def exchange(self, message: protocol.Message) -> protocol.Message:
        """Sends a message and waits for its answer.

        Raises:
            Died: where the process ends instead.
            CompilerRaised: where the compiler raises on what the message holds.
            WorkerCrashed: if it says nothing for long.
        """
        assert self.process.stdin is not None
        deadline = time.monotonic() + BACKSTOP_SECONDS
        try:
            _write_all(self.process.stdin.fileno(), protocol.frame(protocol.encode(message)), deadline)
        except BrokenPipeError:
            raise self._death() from None
        answer = self.receive()
        if answer.get("retire"):
            # It has ended, and a pristine one has taken its place.
            self._installed.clear()
            self._installs = 0
        if "raised" in answer:
            raise CompilerRaised(text(answer["raised"]))
        return answer

    def receive(self) -> protocol.Message:
        """Waits for the next message, which is all that there is to read: the checker speaks when it is spoken to."""
        assert self.process.stdout is not None
        fd = self.process.stdout.fileno()
        poll = select.poll()  # not select.select, which ends at descriptor 1024
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
        """Whether a problem's tests are compiled already."""
        return problem.tests_digest in self._installed

    def install(self, problem: Problem) -> Mapping[str, str]:
        """Has a problem's tests compiled, unless they are compiled already.

        Returns:
            The tests that run inside (see ``messages.inside``).

        Raises:
            ProblemError: if they do not compile, or can never pass; names the test.
            Died, CompilerRaised: as ``exchange``.
            Fault: where the process failed.
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
        # It ends by itself at end of file, unless it is in the middle of something; then nobody wants the answer.
        self.process.kill()
        self.process.wait()

    def let_go(self) -> None:
        """Forgets the process without touching it: after a fork it belongs to the parent process."""
        self._close_streams()
        self.process.returncode = 0  # so that nobody here waits for it

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
                f"layers of the sandbox that do not hold on this machine: {', '.join(missing)}. "
                'sandbox="best-effort" runs without them, and records so in each verdict'
            )


def _write_all(fd: int, data: bytes, deadline: float) -> None:
    """Writes to a pipe that does not block: a checker that reads no more must not be waited for without end."""
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
