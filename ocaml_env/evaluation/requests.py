"""Asks a server for many samples at once, while others are evaluated.

One thread holds all requests, in an event loop; a few others evaluate, one for each worker of the verifier. Answers
wait in a queue, and a free evaluator takes the next ones. The two sides seldom wake each other up: the loop begins new
samples in bulk, once as many are evaluated or no answer waits. The number of running samples is bounded, so memory
stays flat.
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

_BATCH = 8  # most answers that an evaluator rewards and hands on together


def request_all(
    samples: Iterator[SampleRequest], run: Run, *, model: ServedModel, evaluators: int, sink: RecordSink
) -> None:
    """Plays all samples.

    Args:
        samples: the samples; taken as others end.
        run: plays the episodes.
        model: the served model.
        evaluators: number of evaluating threads.
        sink: takes the records.

    Raises:
        BaseException: the first one of asking, evaluating or ``sink``; running samples are then abandoned.
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
        self._most = 2 * model.at_once  # running samples: half of them asked, half waiting for an evaluator
        self._begun_together = max(1, model.at_once // 2)  # samples begun at a time
        # A batch leaves answers for the other evaluators.
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
            self._sink.close()  # on Ctrl-C, without waiting for threads
            self._stop()
            await self._model.leave()

    def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._answered.end()

    # --- in the event loop's thread ---

    def _go_on(self) -> None:
        """Asks for the next turns of evaluated episodes, and for new samples up to the bound."""
        if self._end.done():
            return
        while self._evaluated:
            playing = self._evaluated.popleft()
            if playing.is_over:
                self._in_hand -= 1
            else:
                self._begin(playing)
        try:
            while self._in_hand < self._most and (asked := next(self._samples, None)) is not None:
                self._begin(self._run.begin(asked))
                self._in_hand += 1
        except Exception as error:  # noqa: BLE001 - raised again in the caller
            self._fail(error)
            return
        if self._in_hand == 0:
            self._end.set_result(None)

    def _begin(self, playing: SampleEpisode) -> None:
        task = self._loop.create_task(self._ask(playing))
        self._tasks.add(task)
        task.add_done_callback(self._asked)

    async def _ask(self, playing: SampleEpisode) -> None:
        self._answered.put(self._run.answered(playing, await self._model.ask(self._run.request(playing))))

    def _asked(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        if not self._end.done():
            self._end.set_exception(error)

    # --- in the evaluators' threads ---

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
        self._sink.take([self._run.record(episode) for episode in these if episode.is_over])
        self._evaluated.extend(these)
        if len(self._evaluated) >= self._begun_together or self._answered.is_empty():
            self._tell(self._go_on)

    def _tell(self, what: Callable[..., None], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, on Ctrl-C
            self._loop.call_soon_threadsafe(what, *arguments)
