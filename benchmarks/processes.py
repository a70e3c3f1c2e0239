"""What the processes under this one use, read from Linux's /proc: CPU time, memory, descriptors.

The engine's workers are such processes. They are watched from outside, so that a measurement does not rest on what the
engine says of itself.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from ocaml_env.errors import ConfigError

__all__ = ["CpuSeconds", "Process", "cpu_seconds", "descendants", "is_alive"]

_PROC = Path("/proc")


@dataclass(frozen=True, kw_only=True)
class Process:
    """One process at one moment.

    Attributes:
        pid: of the process.
        started: clock ticks from boot to its start: with the pid, who it is.
        depth: 1 for a child of this process, 2 for a grandchild, ...
        branch: the pid of the child of this process that it is or descends from.
        cpu_seconds: its own CPU time and that of the children that it has waited for. A child's part comes in ticks
            (10 ms), rounded down, but without an error that adds up.
        rss_bytes: memory that is resident.
        descriptors: how many are open; 0 where we may not look.
    """

    pid: int
    started: int
    depth: int
    branch: int
    cpu_seconds: float
    rss_bytes: int
    descriptors: int


@dataclass(frozen=True, kw_only=True)
class CpuSeconds:
    """CPU time of this process's children (the engine's checkers) and of those below them (its runners)."""

    children: float
    deeper: float


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
        children=sum(process.cpu_seconds for process in found if process.depth == 1),
        deeper=sum(process.cpu_seconds for process in found if process.depth > 1),
    )


def is_alive(process: Process) -> bool:
    """Whether the process, and not another one of the same number, still exists."""
    stat = _stat(_PROC / str(process.pid))
    return stat is not None and int(stat[19]) == process.started


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
        depth=depth,
        branch=branch,
        cpu_seconds=own + (int(stat[13]) + int(stat[14])) / ticks,
        rss_bytes=int(stat[21]) * os.sysconf("SC_PAGE_SIZE"),
        descriptors=descriptors,
    )
