"""Which processes and descriptors are there: for tests that nothing is left behind. Linux only."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

__all__ = ["alive", "children", "descendants", "gone", "open_descriptors", "wait_until"]


def children(pid: int) -> list[int]:
    """The processes that a process has started, oldest first."""
    return sorted(child for child, parent in _parents().items() if parent == pid)


def descendants(pid: int) -> list[int]:
    """The processes below a process, each before its own children."""
    found: list[int] = []
    for child in children(pid):
        found += [child, *descendants(child)]
    return found


def alive(pids: Iterable[int]) -> list[int]:
    """Those that still run; one that only waits to be collected does not."""
    return [pid for pid in pids if _stat(pid)[:1] not in ([], ["Z"])]


def gone(pids: Iterable[int]) -> bool:
    return not alive(pids)


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def wait_until(condition: Callable[[], bool], *, seconds: float = 30) -> bool:
    """Whether a condition came true in time. The time is a guard against hanging, generous on purpose."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _parents() -> dict[int, int]:
    stats = {int(entry): _stat(int(entry)) for entry in os.listdir("/proc") if entry.isdigit()}
    return {pid: int(stat[1]) for pid, stat in stats.items() if stat}


def _stat(pid: int) -> list[str]:
    """The fields of ``/proc/PID/stat`` after the name, empty where there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
