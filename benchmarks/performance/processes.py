"""What the processes under this one use, read from Linux's /proc: CPU time, memory, descriptors.

The engine's workers are such processes, and so are commands that are measured as their users run them. They are watched
from outside, so that a measurement does not rest on what is said of itself.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ocaml_env.errors import ConfigError, OCamlEnvError

__all__ = ["CpuSeconds", "Process", "Used", "cpu_seconds", "descendants", "is_alive", "run_watched"]

_PROC = Path("/proc")

_EVERY = 0.1  # seconds between two looks at a command


@dataclass(frozen=True, kw_only=True)
class Process:
    """One process at one moment.

    Attributes:
        pid: of the process.
        started: clock ticks from boot to its start: with the pid, who it is.
        parent: the pid of its parent.
        depth: 1 for a child of this process, 2 for a grandchild, ...
        branch: the pid of the child of this process that it is or descends from.
        cpu_seconds: its own CPU time and that of the children that it has waited for. A child's part comes in ticks
            (10 ms), rounded down, but without an error that adds up.
        rss_bytes: memory that is resident.
        descriptors: how many are open; 0 where we may not look.
    """

    pid: int
    started: int
    parent: int
    depth: int
    branch: int
    cpu_seconds: float
    rss_bytes: int
    descriptors: int


@dataclass(frozen=True, kw_only=True)
class CpuSeconds:
    """CPU time of this process's children and theirs (the engine's checkers), and of those below them (its runners)."""

    checkers: float
    deeper: float


@dataclass(frozen=True, kw_only=True)
class Used:
    """What a command used.

    Attributes:
        wall_seconds: from its start to its end.
        own_seconds: CPU time of its own process.
        below_seconds: CPU time of the processes below it: the engine's. What they used in the last tenth of a second
            before they ended is missing.
        stolen_seconds: CPU time that a virtual machine's host gave to others meanwhile, while something wanted to run.
        rss_bytes: the most that its own process had resident in each quarter of the time.
        below_rss_bytes: likewise, the processes below it together.
    """

    wall_seconds: float
    own_seconds: float
    below_seconds: float
    stolen_seconds: float
    rss_bytes: tuple[int, ...]
    below_rss_bytes: tuple[int, ...]


def run_watched(command: Sequence[str]) -> Used:
    """Runs a command to its end, and tells what it used. Nothing else may run below this process meanwhile.

    Raises:
        OCamlEnvError: where it fails; with what it said.
    """
    began, stolen = time.monotonic(), _stolen()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        looks: list[tuple[float, int, int]] = []
        below: dict[tuple[int, int], Process] = {}
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            found = [one for one in descendants() if one.branch == process.pid]
            now = {(one.pid, one.started): one for one in found if one.depth > 1}
            alive = {one.pid for one in now.values() if is_alive(one)}
            # What one that has ended used is in its parent's time, where that is among them and lives on.
            below = {key: one for key, one in below.items() if key not in now and one.parent not in alive} | now
            own, deeper = (sum(one.rss_bytes for one in found if (one.depth == 1) is first) for first in (True, False))
            looks.append((time.monotonic() - began, own, deeper))
            time.sleep(_EVERY)
        wall = time.monotonic() - began
        stolen = _stolen() - stolen
        stat = _stat(_PROC / str(process.pid))  # it has ended, and nobody has waited for it: all is counted
        assert stat is not None
        assert process.stderr is not None
        said = process.stderr.read()
    if process.returncode:
        raise OCamlEnvError(f"{' '.join(command)} ended with {process.returncode}: {said.strip()[-2000:]}")
    quarters = [[look for look in looks if int(4 * look[0] / wall) == quarter] or looks[-1:] for quarter in range(4)]
    return Used(
        wall_seconds=wall,
        own_seconds=(int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK"),
        below_seconds=sum(one.cpu_seconds for one in below.values()),
        stolen_seconds=stolen,
        rss_bytes=tuple(max(look[1] for look in quarter) for quarter in quarters),
        below_rss_bytes=tuple(max(look[2] for look in quarter) for quarter in quarters),
    )


def descendants() -> list[Process]:
    """The processes below this one, parents before their children.

    Raises:
        ConfigError: where there is no /proc to read.
    """
    if not (_PROC / "self" / "stat").exists():
        raise ConfigError("this needs Linux: the engine's processes are watched through /proc")
    stats = {int(entry.name): stat for entry in _PROC.iterdir() if entry.name.isdigit() and (stat := _stat(entry))}
    found: list[Process] = []
    branches, depth = {os.getpid(): 0}, 1
    while branches:
        children = {
            pid: branches[int(stat[1])] or pid for pid, stat in sorted(stats.items()) if int(stat[1]) in branches
        }
        found += [one for pid, branch in children.items() if (one := _process(pid, stats[pid], depth, branch))]
        branches, depth = children, depth + 1
    return found


def cpu_seconds() -> CpuSeconds:
    """What the processes below this one that are alive have used, with what they have waited for."""
    found = descendants()
    return CpuSeconds(
        checkers=sum(process.cpu_seconds for process in found if process.depth <= 2),
        deeper=sum(process.cpu_seconds for process in found if process.depth > 2),
    )


def is_alive(process: Process) -> bool:
    """Whether the process, and not another one of the same number, still runs: one that has ended does not, though its
    parent has not asked how. Of orphans that is the system's first process, which may take its time.
    """
    stat = _stat(_PROC / str(process.pid))
    return stat is not None and stat[0] not in "ZX" and int(stat[19]) == process.started


def _stolen() -> float:
    """Seconds since the machine's start, of all its cores together."""
    return int((_PROC / "stat").read_text().split(maxsplit=9)[8]) / os.sysconf("SC_CLK_TCK")


def _stat(folder: Path) -> list[str] | None:
    """The fields of ``stat`` from the third on: the second, a name in parentheses, may hold anything."""
    try:
        return (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def _process(pid: int, stat: list[str], depth: int, branch: int) -> Process | None:
    folder = _PROC / str(pid)
    ticks = os.sysconf("SC_CLK_TCK")
    try:
        own = int((folder / "schedstat").read_text().split()[0]) / 1e9
    except (FileNotFoundError, ProcessLookupError):  # a kernel without it, or the process has ended
        own = (int(stat[11]) + int(stat[12])) / ticks
    descriptors = 0
    with contextlib.suppress(OSError):
        descriptors = len(os.listdir(folder / "fd"))
    return Process(
        pid=pid,
        started=int(stat[19]),
        parent=int(stat[1]),
        depth=depth,
        branch=branch,
        cpu_seconds=own + (int(stat[13]) + int(stat[14])) / ticks,
        rss_bytes=int(stat[21]) * os.sysconf("SC_PAGE_SIZE"),
        descriptors=descriptors,
    )
