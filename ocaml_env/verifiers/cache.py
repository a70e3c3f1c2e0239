"""Remembers recent verdicts, so that the same code is not evaluated twice."""

from __future__ import annotations

import hashlib
import os
import threading
import weakref
from collections import OrderedDict

from ocaml_env.problem import Limits
from ocaml_env.verdict import Verdict

__all__ = ["VerdictCache"]


Key = tuple[str, Limits, str]
"""The digest of a problem, the limits, the code."""


class VerdictCache:
    """The most recently used verdicts. Safe for threads and in a forked child.

    Keys hold a digest of the code, because a candidate may have a quarter of a million characters.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[tuple[str, Limits, bytes], Verdict] = OrderedDict()
        self._lock = threading.Lock()
        _live.add(self)

    def after_fork(self) -> None:
        """Resets the cache in a forked child: another thread may have held the lock during a change."""
        self._lock = threading.Lock()
        self._entries = OrderedDict()

    def get(self, key: Key) -> Verdict | None:
        if self._size == 0:
            return None
        short = _short(key)
        with self._lock:
            verdict = self._entries.get(short)
            if verdict is not None:
                self._entries.move_to_end(short)
            return verdict

    def put(self, key: Key, verdict: Verdict) -> None:
        if self._size == 0:
            return
        short = _short(key)
        with self._lock:
            self._entries[short] = verdict
            if len(self._entries) > self._size:
                self._entries.popitem(last=False)


def _short(key: Key) -> tuple[str, Limits, bytes]:
    problem, limits, code = key
    return problem, limits, hashlib.sha256(str.encode(code, "utf-8", "surrogatepass")).digest()


_live: weakref.WeakSet[VerdictCache] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for cache in list(_live):
        cache.after_fork()


os.register_at_fork(after_in_child=_after_fork_in_child)
