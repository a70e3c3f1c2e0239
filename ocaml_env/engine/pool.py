"""Shares several workers between threads. A forked child starts workers of its own."""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from collections.abc import Callable, Iterator

from ocaml_env.engine.worker import Worker
from ocaml_env.errors import EngineError
from ocaml_env.problem import Problem

__all__ = ["Pool"]


class Pool:
    """Lends at most ``size`` workers at a time.

    A worker with the problem's tests already compiled is lent first, or else the one used last, since it is warm.

    Args:
        size: number of workers.
        make: makes a worker; called on first need.
    """

    def __init__(self, size: int, make: Callable[[], Worker]) -> None:
        self.size = size
        self._make = make
        self._reset()
        _live.add(self)

    def _reset(self) -> None:
        self._idle: list[Worker] = []
        self._made = 0
        self._closed = False
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def lend(self, problem: Problem | None = None) -> Iterator[Worker]:
        """Lends a worker for a ``with`` block; waits until one is free.

        Args:
            problem: the problem to work on, if it is a single one.

        Raises:
            EngineError: if the pool is closed.
        """
        worker = self._take(problem)
        try:
            yield worker
        finally:
            self._give_back(worker)

    def _take(self, problem: Problem | None) -> Worker:
        with self._changed:
            while not self._idle and self._made >= self.size and not self._closed:
                self._changed.wait()
            if self._closed:
                raise EngineError("this Verifier is closed")
            if self._idle:
                at = (place for place, worker in enumerate(self._idle) if problem and worker.has_compiled(problem))
                return self._idle.pop(next(at, -1))
            self._made += 1
        try:
            return self._make()
        except BaseException:
            with self._changed:
                self._made -= 1
                self._changed.notify()
            raise

    def _give_back(self, worker: Worker) -> None:
        with self._changed:
            if not self._closed:
                self._idle.append(worker)
                self._changed.notify()
                return
        worker.close()

    def close(self) -> None:
        """Ends all idle workers; a lent worker ends when it comes back."""
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            self._changed.notify_all()
        for worker in idle:
            worker.close()

    def after_fork(self) -> None:
        """Forgets the parent's workers and locks, in a forked child: other threads may have held the locks."""
        closed = self._closed
        self._reset()
        self._closed = closed


_live: weakref.WeakSet[Pool] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for pool in list(_live):
        pool.after_fork()


os.register_at_fork(after_in_child=_after_fork_in_child)
