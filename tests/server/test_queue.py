"""The queue: in order, bounded by candidates, and without work for disconnected clients."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ocaml_env.server.queue import Job, Queue, QueueFull, Stopping


@contextmanager
def queue_of(*, workers: int = 1, max_waiting: int = 100) -> Iterator[Queue]:
    queue = Queue(workers=workers, max_waiting=max_waiting)
    try:
        yield queue
    finally:
        queue.close()


class Gate:
    """A job that waits until the test opens it."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.opened = threading.Event()

    def __call__(self) -> bytes:
        self.begun.set()
        assert self.opened.wait(30)
        return b"gate"


def says(text: str) -> Job:
    return lambda: text.encode()


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 60))


async def until(event: threading.Event) -> None:
    assert await asyncio.to_thread(event.wait, 30)


def test_answers_come_in_the_order_of_their_jobs() -> None:
    async def test() -> None:
        with queue_of(workers=3, max_waiting=1000) as queue:
            batches = [[f"{batch}.{job}" for job in range(batch)] for batch in range(20)]
            futures = [queue.submit([says(text) for text in batch]) for batch in batches]
            assert await asyncio.gather(*futures) == [[text.encode() for text in batch] for batch in batches]
            assert queue.waiting == 0

    run(test)


def test_workers_take_the_next_request_before_the_last_one_is_done() -> None:
    async def test() -> None:
        with queue_of(workers=2) as queue:
            first, second = Gate(), Gate()
            one, two = queue.submit([first]), queue.submit([second, says("after")])
            await until(first.begun)
            await until(second.begun)
            second.opened.set()
            assert await two == [b"gate", b"after"]
            assert not one.done()
            first.opened.set()
            assert await one == [b"gate"]

    run(test)


def test_the_bound_counts_candidates_and_not_requests() -> None:
    async def test() -> None:
        with queue_of(max_waiting=3) as queue:
            gate = Gate()
            first = queue.submit([gate])
            await until(gate.begun)  # a running job no longer waits
            second = queue.submit([says("a"), says("b")])
            with pytest.raises(QueueFull, match="2 candidates are waiting, and at most 3 may") as caught:
                queue.submit([says("c"), says("d")])
            assert 1 <= caught.value.retry_after <= 60
            third = queue.submit([says("c")])
            with pytest.raises(QueueFull):
                queue.admit(1)
            gate.opened.set()
            assert [*await asyncio.gather(first, second, third)] == [[b"gate"], [b"a", b"b"], [b"c"]]
            queue.admit(3)

    run(test)


def test_jobs_of_a_cancelled_request_are_not_begun() -> None:
    async def test() -> None:
        with queue_of() as queue:
            gate, begun = Gate(), []
            first = queue.submit([gate])
            await until(gate.begun)
            left = queue.submit([lambda: begun.append(1) or b"", lambda: begun.append(2) or b""])  # type: ignore[func-returns-value]
            left.cancel()
            await asyncio.sleep(0)
            assert queue.waiting == 0
            gate.opened.set()
            assert await first == [b"gate"]
            assert await queue.submit([says("next")]) == [b"next"]
            assert begun == []

    run(test)


def test_the_first_exception_ends_only_its_own_request() -> None:
    async def test() -> None:
        with queue_of() as queue:
            begun: list[int] = []

            def fails() -> bytes:
                raise ZeroDivisionError

            bad = queue.submit([says("a"), fails, *[lambda: begun.append(1) or b""] * 50])  # type: ignore[func-returns-value]
            good = queue.submit([says("b")])
            with pytest.raises(ZeroDivisionError):
                await bad
            assert await good == [b"b"]
            assert queue.waiting == 0
            assert len(begun) < 50

    run(test)


def test_a_stopping_queue_takes_nothing_and_finishes_its_jobs() -> None:
    async def test() -> None:
        with queue_of() as queue:
            gate = Gate()
            future = queue.submit([gate, says("b")])
            queue.stop()
            with pytest.raises(Stopping):
                queue.submit([says("c")])
            with pytest.raises(Stopping):
                queue.admit(1)
            gate.opened.set()
            assert await future == [b"gate", b"b"]

    run(test)


def test_abandoned_requests_raise_stopping() -> None:
    async def test() -> None:
        with queue_of() as queue:
            gate = Gate()
            future, empty = queue.submit([gate, says("b")]), queue.submit([])
            queue.abandon()
            with pytest.raises(Stopping, match="before this was evaluated"):
                await future
            assert await empty == []
            gate.opened.set()

    run(test)
