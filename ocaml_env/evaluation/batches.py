"""Works through batches in threads: the model answers some batches while others are evaluated.

Threads take batches of samples in order, ask the model, have the answers evaluated, and hand the records on. Each waits
for its own answers, so memory stays flat.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from ocaml_env.evaluation.directory import Done
from ocaml_env.evaluation.episodes import SampleRequest
from ocaml_env.evaluation.record_sink import RecordSink

__all__ = ["GRACE", "batches_of", "work_through"]

T = TypeVar("T")

GRACE = 5.0
"""Seconds left to running work after an error, before its verifier and model are closed."""


def batches_of(samples: Iterable[SampleRequest], size: int, done: Done) -> Iterator[Sequence[SampleRequest]]:
    """Yields batches with missing samples. Cuts the whole list, so that a resumed run has the same batches."""
    samples = iter(samples)
    while batch := list(islice(samples, size)):
        if any(sample.key not in done for sample in batch):
            yield batch


def work_through(
    todo: Iterator[T], work: Callable[[T], Sequence[dict[str, Any]]], *, threads: int, sink: RecordSink
) -> None:
    """Works through all tasks in threads.

    Args:
        todo: the tasks; one thread at a time takes from it.
        work: makes the records of one task.
        threads: number of threads.
        sink: takes the records.

    Raises:
        BaseException: the first one of ``work`` or ``sink``; running tasks are then abandoned.
    """
    taking, stop, ended = threading.Lock(), threading.Event(), threading.Semaphore(0)
    errors: list[BaseException] = []

    def labour() -> None:
        try:
            while not stop.is_set():
                with taking:
                    task = next(todo, None)
                if task is None:
                    break
                sink.take(work(task))
        except BaseException as error:  # noqa: BLE001 - the thread's caller raises it
            errors.append(error)
            stop.set()
            sink.close()
        finally:
            ended.release()

    for _ in range(threads):
        threading.Thread(target=labour, daemon=True).start()
    left = threads
    try:
        while left and not errors:
            ended.acquire()
            left -= 1
        until = time.monotonic() + GRACE
        while left and ended.acquire(timeout=max(0.0, until - time.monotonic())):
            left -= 1
    finally:
        stop.set()  # on Ctrl-C, without waiting for threads
        sink.close()
    if errors:
        raise errors[0]
