"""Runs a batch of work in several threads, and returns the results in the order of the pieces."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any, Generic, Protocol, TypeVar

__all__ = ["Batch"]

Piece = TypeVar("Piece")
Result = TypeVar("Result")


class Bar(AbstractContextManager[Any], Protocol):
    """Shows the progress of a batch: one of tqdm, or of ``display.progress``."""

    def update(self, n: int, /) -> object: ...


class Batch(Generic[Piece, Result]):
    """Threads that take pieces of work, until none is left or a piece fails.

    Attributes:
        stopped: set when no further piece will be taken; long work may check it.
    """

    def __init__(
        self,
        pieces: Iterable[Piece],
        work: Callable[[Piece], Result],
        *,
        threads: int,
        stopped: threading.Event | None = None,
        patient: bool = True,
    ) -> None:
        """Prepares the batch; ``run`` starts it.

        Args:
            pieces: taken one at a time, by one thread at a time.
            work: a function to call on each piece.
            threads: the number of threads; with up to one, the caller's own thread does the work.
            stopped: an event to use, for work that checks it.
            patient: True if Ctrl-C must wait for the pieces in progress.
        """
        self.stopped = stopped or threading.Event()
        self._pieces = enumerate(pieces)
        self._do = work
        self._threads = threads
        self._patient = patient
        self._results: dict[int, Result] = {}
        self._lock = threading.Lock()
        self._error: BaseException | None = None

    def run(self, *, bar: Bar | None = None, size: Callable[[Piece], int] = lambda _: 1) -> list[Result]:
        """Returns all results, in order. ``bar`` advances by the ``size`` of each piece.

        Raises:
            BaseException: the first error of a piece; no piece is begun after it.
        """
        with bar if bar is not None else contextlib.nullcontext():
            if self._threads <= 1:
                self._work(bar, size)
            else:
                self._work_together(bar, size)
        if self._error is not None:
            raise self._error
        return [self._results[number] for number in sorted(self._results)]

    async def arun(self) -> list[Result]:
        """``run`` in a thread. When cancelled, it takes no further piece."""
        try:
            return await asyncio.to_thread(self.run)
        except asyncio.CancelledError as cancelled:
            self._stop(cancelled)
            raise

    def _stop(self, error: BaseException) -> None:
        self._error = self._error or error
        self.stopped.set()

    def _work_together(self, bar: Bar | None, size: Callable[[Piece], int]) -> None:
        # Not Thread.join: if Ctrl-C interrupts it, it treats a running thread as ended.
        ended = threading.Semaphore(0)

        def work() -> None:
            try:
                self._work(bar, size)
            finally:
                ended.release()

        for _ in range(self._threads):
            threading.Thread(target=work, daemon=True).start()
        left = self._threads
        try:
            while left:
                ended.acquire()
                left -= 1
        except BaseException as interruption:
            self._stop(interruption)
            for _ in range(left if self._patient else 0):
                ended.acquire()
            raise

    def _work(self, bar: Bar | None, size: Callable[[Piece], int]) -> None:
        while not self.stopped.is_set():
            try:
                with self._lock:
                    taken = next(self._pieces, None)
                if taken is None:
                    return
                number, piece = taken
                self._results[number] = self._do(piece)
                if bar is not None:
                    with self._lock:
                        bar.update(size(piece))
            except BaseException as error:  # noqa: BLE001
                # Exceptions that end a thread are caught, too: the batch must not go on as if nothing had happened.
                self._stop(error)
                return
