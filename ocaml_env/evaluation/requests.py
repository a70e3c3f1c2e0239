"""Asks a server for many samples at once, while others are evaluated.

One thread holds all requests, in an event loop; a few others evaluate, one for each worker of the verifier. Answers
wait for an evaluator, and an evaluator that is done takes the next ones, so that the two sides seldom wake each other
up: the loop begins new samples many at a time, when as many have been evaluated or no answer waits. What is in hand is
bounded: memory stays flat.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from ocaml_env.evaluation.batches import GRACE
from ocaml_env.evaluation.episodes import Answered, Run, SampleEpisode, SampleRequest
from ocaml_env.evaluation.models.base import ServedModel
from ocaml_env.evaluation.queue import AnswerQueue
from ocaml_env.evaluation.record_sink import RecordSink

__all__ = ["request_all"]

_BATCH = 8  # answers that an evaluator pays for and hands on together, at most


def request_all(
    samples: Iterator[SampleRequest], run: Run, *, model: ServedModel, evaluators: int, sink: RecordSink
) -> None:
    """Plays all samples.

    Args:
        samples: taken from as others are done.
        run: how they are played.
        model: answers.
        evaluators: how many threads evaluate.
        sink: takes the records.

    Raises:
        BaseException: the first one of asking, evaluating or ``sink``; what is in hand then is given up.
    """
    asyncio.run(_Requests(samples, run, model, evaluators, sink).through())


class _Requests:
    def __init__(
        self, samples: Iterator[SampleRequest], run: Run, model: ServedModel, evaluators: int, sink: RecordSink
    ) -> None:
        self._samples, self._run, self._model, self._sink = samples, run, model, sink
        self._evaluators = [
            threading.Thread(target=self._evaluate_all, args=[each], daemon=True) for each in range(evaluators)
        ]
        self._answered = AnswerQueue()
        self._evaluated: deque[SampleEpisode] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._most = 2 * model.at_once  # samples in hand: as many may wait for an evaluator as are asked for
        self._begun_together = max(1, model.at_once // 2)  # begun at a time
        # An evaluator never has so many that others have none.
        self._batch_size = max(1, min(_BATCH, self._begun_together // evaluators))
        self._in_hand = 0

    async def through(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.Future[None] = self._loop.create_future()
        for evaluator in self._evaluators:
            evaluator.start()
        self._go_on()
        try:
            await self._end
        except Exception:
            self._sink.close()
            self._stop()
            until = time.monotonic() + GRACE
            for evaluator in self._evaluators:
                evaluator.join(max(0.0, until - time.monotonic()))
            raise
        finally:
            self._sink.close()  # on Ctrl-C nobody is waited for
            self._stop()
            await self._model.leave()

    def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._answered.end()

    # --- in the thread of the loop ---

    def _go_on(self) -> None:
        """Asks for the next turns of what was evaluated, and for new samples up to the bound."""
        if self._end.done():
            return
        while self._evaluated:
            one = self._evaluated.popleft()
            if one.is_over:
                self._in_hand -= 1
            else:
                self._begin(one)
        try:
            while self._in_hand < self._most and (asked := next(self._samples, None)) is not None:
                self._begin(self._run.begin(asked))
                self._in_hand += 1
        except Exception as error:  # noqa: BLE001 - it is the caller's
            self._fail(error)
            return
        if self._in_hand == 0:
            self._end.set_result(None)

    def _begin(self, one: SampleEpisode) -> None:
        task = self._loop.create_task(self._ask(one))
        self._tasks.add(task)
        task.add_done_callback(self._asked)

    async def _ask(self, one: SampleEpisode) -> None:
        self._answered.put(self._run.answered(one, await self._model.ask(self._run.request(one))))

    def _asked(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        if not self._end.done():
            self._end.set_exception(error)

    # --- in those that evaluate ---

    def _evaluate_all(self, evaluator: int) -> None:
        try:
            self._run.evaluator.warm(evaluator)
            while (answered := self._answered.take(evaluator)) is not None:
                verified = []
                while answered is not None:
                    answered.verify()
                    verified.append(answered)
                    answered = None if len(verified) == self._batch_size else self._answered.take(evaluator, wait=False)
                self._settle(verified)
        except BaseException as error:  # noqa: BLE001 - the loop's caller raises it
            self._tell(self._fail, error)

    def _settle(self, verified: Sequence[Answered]) -> None:
        for answered in verified:
            answered.take()
        these = [answered.running for answered in verified]
        self._sink.take([self._run.record(one) for one in these if one.is_over])
        self._evaluated.extend(these)
        if len(self._evaluated) >= self._begun_together or self._answered.is_empty():
            self._tell(self._go_on)

    def _tell(self, what: Callable[..., None], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, on Ctrl-C
            self._loop.call_soon_threadsafe(what, *arguments)
