"""Reads CPU time, memory and descriptors of the processes under this one.

The engine's workers are such processes, and so are measured commands. Watching them from outside needs no report of
their own.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from ocaml_env.errors import OCamlEnvError

__all__ = ["CpuSeconds", "Process", "Used", "cpu_seconds", "descendants", "is_alive", "run_watched"]

_EVERY = 0.1  # seconds between two looks at a command


@dataclass(frozen=True, kw_only=True)
class Process:
    """One process at one moment.

    Attributes:
        pid: of the process.
        started: time of its start, in seconds since the epoch; identifies the process together with the pid.
        parent: the pid of its parent.
        depth: 1 for a child of this process, 2 for a grandchild, ...
        branch: the pid of its ancestor (or itself) among the children of this process.
        cpu_seconds: its own CPU time plus that of the children it has waited for. The children's is in ticks of 10 ms,
            rounded down; the errors do not add up.
        rss_bytes: resident memory.
        descriptors: number of open descriptors; 0 if we may not read it.
    """

    pid: int
    started: float
    parent: int
    depth: int
    branch: int
    cpu_seconds: float
    rss_bytes: int
    descriptors: int


@dataclass(frozen=True, kw_only=True)
class CpuSeconds:
    """CPU time of the processes below this one.

    Attributes:
        checkers: of children and grandchildren: the engine's checkers.
        deeper: of all processes below those: the engine's runners.
    """

    checkers: float
    deeper: float


@dataclass(frozen=True, kw_only=True)
class Used:
    """The resources used by a command.

    Attributes:
        wall_seconds: from its start to its end.
        own_seconds: CPU time of its own process.
        below_seconds: CPU time of the processes below it, the engine's. The last tenth of a second of each is missing.
        stolen_seconds: CPU time taken by a virtual machine's host for others while a process was ready to run.
        rss_bytes: the most resident memory of its own process in each quarter of the time.
        below_rss_bytes: likewise, of the processes below it together.
    """

    wall_seconds: float
    own_seconds: float
    below_seconds: float
    stolen_seconds: float
    rss_bytes: tuple[int, ...]
    below_rss_bytes: tuple[int, ...]


def run_watched(command: Sequence[str]) -> Used:
    """Runs a command to its end and measures it. Nothing else may run below this process meanwhile.

    Raises:
        OCamlEnvError: if it fails; the message has its standard error.
    """
    began, stolen = time.monotonic(), _stolen()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        looks: list[tuple[float, int, int]] = []
        below: dict[tuple[int, float], Process] = {}
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            found = [child for child in descendants() if child.branch == process.pid]
            now = {(child.pid, child.started): child for child in found if child.depth > 1}
            alive = {child.pid for child in now.values() if is_alive(child)}
            # The time of an ended process is already in its parent's, if the parent is below the command and lives on.
            below = {key: child for key, child in below.items() if key not in now and child.parent not in alive} | now
            own, deeper = (
                sum(child.rss_bytes for child in found if (child.depth == 1) is first) for first in (True, False)
            )
            looks.append((time.monotonic() - began, own, deeper))
            time.sleep(_EVERY)
        wall = time.monotonic() - began
        stolen = _stolen() - stolen
        own_times = psutil.Process(process.pid).cpu_times()  # of a zombie: ended, but not waited for, so complete
        assert process.stderr is not None
        said = process.stderr.read()
    if process.returncode:
        raise OCamlEnvError(f"{' '.join(command)} ended with {process.returncode}: {said.strip()[-2000:]}")
    quarters = [[look for look in looks if int(4 * look[0] / wall) == quarter] or looks[-1:] for quarter in range(4)]
    return Used(
        wall_seconds=wall,
        own_seconds=own_times.user + own_times.system,
        below_seconds=sum(child.cpu_seconds for child in below.values()),
        stolen_seconds=stolen,
        rss_bytes=tuple(max(look[1] for look in quarter) for quarter in quarters),
        below_rss_bytes=tuple(max(look[2] for look in quarter) for quarter in quarters),
    )


def descendants() -> list[Process]:
    """Lists the processes below this one, parents before their children."""
    children: dict[int, list[psutil.Process]] = {}
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            children.setdefault(process.ppid(), []).append(process)
    return list(_below(os.getpid(), children, depth=1, branch=0))


def _below(parent: int, children: dict[int, list[psutil.Process]], *, depth: int, branch: int) -> Iterator[Process]:
    """Yields the processes below one; an ended one that is read too late is left out with those below it."""
    for process in children.get(parent, ()):
        with contextlib.suppress(psutil.NoSuchProcess):
            yield _look(process, parent, depth, branch or process.pid)
            yield from _below(process.pid, children, depth=depth + 1, branch=branch or process.pid)


def _look(process: psutil.Process, parent: int, depth: int, branch: int) -> Process:
    with process.oneshot():
        times, descriptors = process.cpu_times(), 0
        with contextlib.suppress(psutil.AccessDenied, psutil.ZombieProcess):
            descriptors = process.num_fds()
        return Process(
            pid=process.pid,
            started=process.create_time(),
            parent=parent,
            depth=depth,
            branch=branch,
            cpu_seconds=_own_seconds(process.pid, times) + times.children_user + times.children_system,
            rss_bytes=process.memory_info().rss,
            descriptors=descriptors,
        )


def _own_seconds(pid: int, times: Any) -> float:
    """Returns the CPU time of a process alone: Linux has nanoseconds, psutil ticks of 10 ms."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except (FileNotFoundError, ProcessLookupError):  # a kernel without it, or the process has ended
        return float(times.user + times.system)


def cpu_seconds() -> CpuSeconds:
    """Returns the CPU time of the living processes below this one, with the children they have waited for."""
    found = descendants()
    return CpuSeconds(
        checkers=sum(process.cpu_seconds for process in found if process.depth <= 2),
        deeper=sum(process.cpu_seconds for process in found if process.depth > 2),
    )


def is_alive(process: Process) -> bool:
    """Returns True if this very process still runs, and not a later one with the same pid.

    A zombie counts as ended: its parent may be slow to wait for it. For orphans that is the system's first process.
    """
    try:
        now = psutil.Process(process.pid)
        return now.create_time() == process.started and now.status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return False


def _stolen() -> float:
    """Returns the stolen seconds since the machine's start, of all cores together."""
    return psutil.cpu_times().steal
