"""Processes and open descriptors, to test that none is left behind. Linux only."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import psutil

__all__ = ["alive", "children", "descendants", "gone", "open_descriptors", "wait_until"]


def children(pid: int) -> list[int]:
    """Returns the children of a process, lowest id first."""
    return sorted(_below(pid, recursive=False))


def descendants(pid: int) -> list[int]:
    """Returns the processes below a process."""
    return _below(pid, recursive=True)


def alive(pids: Iterable[int]) -> list[int]:
    """Returns the running processes among these; zombies do not count."""
    return [pid for pid in pids if _runs(pid)]


def gone(pids: Iterable[int]) -> bool:
    return not alive(pids)


def open_descriptors() -> int:
    return psutil.Process().num_fds()


def wait_until(condition: Callable[[], bool], *, seconds: float = 30) -> bool:
    """Says if a condition becomes true in time. The time is generous: it only guards against hanging."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _below(pid: int, *, recursive: bool) -> list[int]:
    try:
        return [process.pid for process in psutil.Process(pid).children(recursive=recursive)]
    except psutil.NoSuchProcess:
        return []


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
