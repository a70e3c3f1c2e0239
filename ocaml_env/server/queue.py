"""The waiting candidates, first come, first served, and one thread for each worker that takes them.

The queue counts candidates, not requests, and its length is limited. A request that does not fit is refused at once
(``QueueFull``): that costs its sender less than a late answer. The threads go from one request to the next, so workers
never wait for the end of a batch while other candidates are there.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

from ocaml_env.errors import ServiceUnavailable
from ocaml_env.verifiers.by_problem import ByProblem

__all__ = ["Job", "Queue", "QueueFull", "Stopping"]

Job = Callable[[], bytes]
"""Evaluates one candidate and returns the answer as JSON. Called in a thread of the queue."""

_SMOOTHING = 0.05  # the weight of the latest candidate in the mean time of one
_LONGEST_REST = 60  # the longest that a refused client is told to wait, in seconds


class QueueFull(ServiceUnavailable):
    """The queue has no room for so many candidates.

    Attributes:
        retry_after: whole seconds after which there may be room.
    """

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Stopping(ServiceUnavailable):
    """The service is about to end and accepts nothing more."""


class Queue:
    """Runs jobs of an event loop's requests in threads.

    Args:
        workers: the number of threads.
        max_waiting: the most candidates that may wait; those in progress do not count.
        took: called with the seconds of each job.
    """

    def __init__(self, *, workers: int, max_waiting: int, took: Callable[[float], None] = lambda seconds: None) -> None:
        self.workers = workers
        self.max_waiting = max_waiting
        self.waiting = 0
        self.in_hand = 0
        self._took = took
        self._mean_seconds = 0.01
        self._batches: deque[_Batch] = deque()  # those with waiting jobs
        self._open: set[_Batch] = set()  # those without an answer
        self._changed = threading.Condition()
        self._stopping = False
        self._threads = [threading.Thread(target=self._work, daemon=True, name=f"evaluate-{n}") for n in range(workers)]
        for thread in self._threads:
            thread.start()

    @property
    def stopping(self) -> bool:
        return self._stopping

    def admit(self, count: int) -> None:
        """Checks that so many candidates have room now.

        Raises:
            QueueFull: if they do not.
            Stopping: after ``stop``.
        """
        with self._changed:
            self._admit(count)

    def submit(self, jobs: Sequence[Job], *, problems: Sequence[str] = ()) -> asyncio.Future[list[bytes]]:
        """Puts jobs at the queue's end. The returned future, of the running loop, gets their answers in order.

        Jobs of one problem go to one thread if possible; without ``problems`` they are begun in order. The first
        exception ends them all, and becomes the future's. Cancelling the future drops the jobs not begun.

        Raises:
            QueueFull: if they do not fit; then none of them is accepted.
            Stopping: after ``stop``.
        """
        batch = _Batch(jobs, problems)
        if not jobs:
            batch.future.set_result([])
            return batch.future
        with self._changed:
            self._admit(len(jobs))
            self._batches.append(batch)
            self._open.add(batch)
            self.waiting += len(jobs)
            self._changed.notify(len(jobs))
        batch.future.add_done_callback(lambda future: self._answered(batch, future))
        return batch.future

    def stop(self) -> None:
        """Accepts no more jobs. Those accepted before are still evaluated."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def abandon(self) -> None:
        """Answers every unfinished job with ``Stopping``: the senders may use another service."""
        with self._changed:
            batches = list(self._open)
        for batch in batches:
            batch.fail(Stopping("the service stopped before this was evaluated"))

    def close(self) -> None:
        """Ends each thread after its current job, without waiting for it."""
        with self._changed:
            self._stopping = True
            self._batches.clear()
            self._changed.notify_all()

    def _admit(self, count: int) -> None:
        if self._stopping:
            raise Stopping("the service is stopping")
        surplus = self.waiting + count - self.max_waiting
        if surplus > 0:
            # When half of the queue is done: a client that came back at the first free place would be refused again.
            ahead = max(surplus, self.waiting / 2)
            seconds = math.ceil(ahead * self._mean_seconds / self.workers)
            raise QueueFull(
                f"{self.waiting} candidates are waiting, and at most {self.max_waiting} may",
                retry_after=min(max(seconds, 1), _LONGEST_REST),
            )

    def _answered(self, batch: _Batch, future: asyncio.Future[list[bytes]]) -> None:
        self._drop(batch)
        if not future.cancelled():
            future.exception()  # marks it as seen, in case nobody waits for it any more

    def _drop(self, batch: _Batch) -> None:
        with self._changed:
            self._open.discard(batch)
            if batch in self._batches:
                self._batches.remove(batch)
                self.waiting -= len(batch.waiting)

    def _work(self) -> None:
        while (taken := self._take()) is not None:
            batch, index = taken
            began = time.monotonic()
            try:
                batch.answers[index] = batch.jobs[index]()
            except BaseException as error:  # noqa: BLE001  the future gets any exception, and the thread goes on
                self._drop(batch)
                batch.fail(error)
            seconds = time.monotonic() - began
            with self._changed:
                self.in_hand -= 1
                self._mean_seconds += _SMOOTHING * (seconds - self._mean_seconds)
                batch.left -= 1
                whole = not batch.left
            self._took(seconds)
            if whole:
                batch.finish()

    def _take(self) -> tuple[_Batch, int] | None:
        with self._changed:
            while not self._batches:
                if self._stopping:
                    return None
                self._changed.wait()
            batch = self._batches[0]
            index = batch.waiting.take(threading.get_ident())
            if not batch.waiting:
                self._batches.popleft()
            self.waiting -= 1
            self.in_hand += 1
            return batch, index


class _Batch:
    """The jobs of one request, and their progress.

    Attributes:
        waiting: the jobs not begun.
        left: the number of jobs not done.
    """

    def __init__(self, jobs: Sequence[Job], problems: Sequence[str]) -> None:
        self.jobs = jobs
        self.waiting: ByProblem[int] = ByProblem()
        for place in range(len(jobs)):
            self.waiting.put(problems[place] if problems else "", place)
        self.answers: list[bytes] = [b""] * len(jobs)
        self.left = len(jobs)
        self.future: asyncio.Future[list[bytes]] = asyncio.get_running_loop().create_future()

    def finish(self) -> None:
        self._tell(lambda: self.future.set_result(self.answers))

    def fail(self, error: BaseException) -> None:
        self._tell(lambda: self.future.set_exception(error))

    def _tell(self, settle: Callable[[], None]) -> None:
        """Sets the future in the loop's thread, unless it was cancelled or the loop has ended."""
        with contextlib.suppress(RuntimeError):
            self.future.get_loop().call_soon_threadsafe(lambda: None if self.future.done() else settle())
