"""The verdicts that were given last, so that the same code is not judged twice."""

from __future__ import annotations

import os
import threading
import weakref
from collections import OrderedDict

from ocaml_env.problem import Limits
from ocaml_env.verdict import Verdict

__all__ = ["VerdictCache"]


class VerdictCache:
    """The most recently used verdicts. Safe for threads, and in a forked child."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[tuple[str, Limits, str], Verdict] = OrderedDict()
        self._lock = threading.Lock()
        _live.add(self)

    def after_fork(self) -> None:
        """In a forked child: another thread may have held the lock, in the middle of a change."""
        self._lock = threading.Lock()
        self._entries = OrderedDict()

    def get(self, key: tuple[str, Limits, str]) -> Verdict | None:
        with self._lock:
            verdict = self._entries.get(key)
            if verdict is not None:
                self._entries.move_to_end(key)
            return verdict

    def put(self, key: tuple[str, Limits, str], verdict: Verdict) -> None:
        if self._size == 0:
            return
        with self._lock:
            self._entries[key] = verdict
            if len(self._entries) > self._size:
                self._entries.popitem(last=False)


_live: weakref.WeakSet[VerdictCache] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for cache in list(_live):
        cache.after_fork()


os.register_at_fork(after_in_child=_after_fork_in_child)
