"""Threads that work for an event loop, and for which nobody waits: not Ctrl-C, not the end of Python."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

__all__ = ["Threads"]

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """Runs functions in order of arrival. ``ThreadPoolExecutor`` would wait for its threads when Python ends.

    Args:
        count: number of threads.
    """

    def __init__(self, count: int) -> None:
        self._work: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._threads = [threading.Thread(target=self._take, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    async def run(self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Calls a function in a thread. When cancelled, it is not begun, or its result is dropped."""
        future: Future[T] = Future()
        self._work.put((future, lambda: function(*arguments, **options)))
        return await asyncio.wrap_future(future)

    def close(self, *, patience: float = 0.0) -> None:
        """Ends each thread after its present work; waits for that up to ``patience`` seconds."""
        for _ in self._threads:
            self._work.put(None)
        until = time.monotonic() + patience
        for thread in self._threads if patience else ():
            thread.join(max(0.0, until - time.monotonic()))

    def _take(self) -> None:
        while (work := self._work.get()) is not None:
            future, call = work
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = call()
            except BaseException as error:  # noqa: BLE001 - the caller in the loop raises it
                future.set_exception(error)
            else:
                future.set_result(result)
