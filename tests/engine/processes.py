"""Processes and open descriptors, to test that none is left behind. Linux only."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

__all__ = ["alive", "children", "descendants", "gone", "open_descriptors", "wait_until"]


def children(pid: int) -> list[int]:
    """Returns the children of a process, lowest id first."""
    return sorted(child for child, parent in _parents().items() if parent == pid)


def descendants(pid: int) -> list[int]:
    """Returns the processes below a process, each before its own children."""
    found: list[int] = []
    for child in children(pid):
        found += [child, *descendants(child)]
    return found


def alive(pids: Iterable[int]) -> list[int]:
    """Returns the running processes among these; zombies do not count."""
    return [pid for pid in pids if _stat(pid)[:1] not in ([], ["Z"])]


def gone(pids: Iterable[int]) -> bool:
    return not alive(pids)


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def wait_until(condition: Callable[[], bool], *, seconds: float = 30) -> bool:
    """Says if a condition becomes true in time. The time is generous: it only guards against hanging."""
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
    """Returns the fields of ``/proc/PID/stat`` after the name, or none if there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
