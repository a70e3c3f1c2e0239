"""Works through batches in threads: while some are answered, others are evaluated.

Threads take batches of samples in order, ask the model, have the answers evaluated, and hand the records on. Each waits
for what it asked: memory stays flat.
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
"""Seconds that what is in hand has to end after an error, before what it uses is closed."""


def batches_of(samples: Iterable[SampleRequest], size: int, done: Done) -> Iterator[Sequence[SampleRequest]]:
    """Batches with something to do, cut from the whole list: a resumed run has the batches of an unbroken one."""
    samples = iter(samples)
    while batch := list(islice(samples, size)):
        if any(asked.key not in done for asked in batch):
            yield batch


def work_through(
    todo: Iterator[T], work: Callable[[T], Sequence[dict[str, Any]]], *, threads: int, sink: RecordSink
) -> None:
    """Does everything, some at a time.

    Args:
        todo: taken from by one thread at a time.
        work: makes records of one of them.
        threads: how many work.
        intake: takes the records.

    Raises:
        BaseException: the first one of the work, or of ``sink``; what is in hand then is given up.
    """
    taking, stop, ended = threading.Lock(), threading.Event(), threading.Semaphore(0)
    errors: list[BaseException] = []

    def labour() -> None:
        try:
            while not stop.is_set():
                with taking:
                    one = next(todo, None)
                if one is None:
                    break
                sink.take(work(one))
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
        stop.set()  # on Ctrl-C nobody is waited for
        sink.close()
    if errors:
        raise errors[0]
