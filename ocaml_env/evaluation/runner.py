"""Runs the samples of an evaluation: one event loop asks the model for many at a time, and threads verify the answers.

A sample goes from its prompt to the model, from there to the verifier, and, if it is not over, back to the model. It is
handed on as soon as it is over. The number of samples in progress is bounded, so memory stays flat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from ocaml_env.errors import OCamlEnvError
from ocaml_env.evaluation.models.base import Answer
from ocaml_env.evaluation.sample import Sample
from ocaml_env.evaluation.threads import Threads
from ocaml_env.verifiers.giving_up import SAMPLES_IN_A_ROW, ErrorLimit

__all__ = ["GaveUp", "in_batches", "run"]

S = TypeVar("S", bound=Sample)
T = TypeVar("T")

_GRACE = 5.0
"""Seconds left to running work after an error, before its verifier and model are closed."""


class GaveUp(OCamlEnvError, RuntimeError):
    """One sample after another failed by an infrastructure error."""


def in_batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yields items in batches of ``size``; the last may be smaller."""
    items = iter(items)
    return iter(lambda: list(islice(items, size)), [])


def run(
    batches: Iterable[Sequence[S]],
    *,
    generate: Callable[[Sequence[S]], Awaitable[Sequence[Answer]]],
    on_end: Callable[[S], None],
    close: Callable[[], Awaitable[None]] | None = None,
    at_once: int,
    threads: int,
) -> None:
    """Runs all samples to their end.

    Args:
        batches: the samples, in groups that the model answers together; taken as others end.
        generate: gives the next answers of samples, in order.
        on_end: takes each sample when it is over.
        close: called at the end in the same event loop, to close connections.
        at_once: useful number of simultaneous calls of ``generate``.
        threads: number of threads that verify.

    Raises:
        GaveUp: after too many failed samples in a row.
        BaseException: the first one of any part; running samples are then abandoned.
    """
    asyncio.run(_run(batches, generate=generate, on_end=on_end, close=close, at_once=at_once, threads=threads))


async def _run(
    batches: Iterable[Sequence[S]],
    *,
    generate: Callable[[Sequence[S]], Awaitable[Sequence[Answer]]],
    on_end: Callable[[S], None],
    close: Callable[[], Awaitable[None]] | None,
    at_once: int,
    threads: int,
) -> None:
    verifying, limit = Threads(threads), ErrorLimit(SAMPLES_IN_A_ROW)
    room = asyncio.Semaphore(2 * max(at_once, threads))  # half with the model, half with the verifier

    async def play(batch: Sequence[S]) -> None:
        for sample in batch:
            if sample.is_over:  # a recorded one without an answer
                on_end(sample)
        while running := [sample for sample in batch if not sample.is_over]:
            answers = await generate(running)
            turns = [take(sample, answer) for sample, answer in zip(running, answers, strict=True)]
            await (turns[0] if len(turns) == 1 else asyncio.gather(*turns))

    async def take(sample: S, answer: Answer) -> None:
        await verifying.run(sample.take, answer)  # the one place that has an answer verified
        if not sample.is_over:
            return
        on_end(sample)
        limit.count(failed=bool(sample.fault))
        if limit.reached.is_set():
            raise GaveUp(f"{limit.in_a_row} samples in a row could not be had; the last one: {sample.fault}")

    try:
        async with asyncio.TaskGroup() as tasks:
            for batch in batches:
                await room.acquire()
                tasks.create_task(play(batch)).add_done_callback(lambda _: room.release())
    except ExceptionGroup as errors:
        verifying.close(patience=_GRACE)
        raise errors.exceptions[0] from None
    finally:
        verifying.close()  # on Ctrl-C, without waiting for threads
        if close is not None:
            await close()
