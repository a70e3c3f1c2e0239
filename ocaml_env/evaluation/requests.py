"""Asks a server for many samples at once, while others are judged.

One thread holds all requests, in an event loop; a few others judge, one for each worker of the verifier. Answers wait
for a judge, and a judge that is done takes the next ones, so that the two sides seldom wake each other up: the loop
begins new samples many at a time, when as many have been judged or no answer waits. What is in hand is bounded: memory
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
from ocaml_env.evaluation.episodes import Answered, Asked, Playing, Run
from ocaml_env.evaluation.models.base import ServedModel
from ocaml_env.evaluation.queue import Waiting
from ocaml_env.evaluation.record_sink import Intake

__all__ = ["ask_for_all"]

_LOT = 8  # answers that a judge pays for and hands on together, at most


def ask_for_all(samples: Iterator[Asked], run: Run, *, model: ServedModel, judges: int, intake: Intake) -> None:
    """Plays all samples.

    Args:
        samples: taken from as others are done.
        run: how they are played.
        model: answers.
        judges: how many threads judge.
        intake: takes the records.

    Raises:
        BaseException: the first one of asking, judging or ``intake``; what is in hand then is given up.
    """
    asyncio.run(_Asking(samples, run, model, judges, intake).through())


class _Asking:
    def __init__(self, samples: Iterator[Asked], run: Run, model: ServedModel, judges: int, intake: Intake) -> None:
        self._samples, self._run, self._model, self._intake = samples, run, model, intake
        self._judges = [threading.Thread(target=self._judge_all, args=[each], daemon=True) for each in range(judges)]
        self._answered = Waiting()
        self._judged: deque[Playing] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._most = 2 * model.at_once  # samples in hand: as many may wait for a judge as are asked for
        self._burst = max(1, model.at_once // 2)  # begun at a time
        self._lot = max(1, min(_LOT, self._burst // judges))  # a judge never has so many that others have none
        self._in_hand = 0

    async def through(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.Future[None] = self._loop.create_future()
        for judge in self._judges:
            judge.start()
        self._go_on()
        try:
            await self._end
        except Exception:
            self._intake.close()
            self._stop()
            until = time.monotonic() + GRACE
            for judge in self._judges:
                judge.join(max(0.0, until - time.monotonic()))
            raise
        finally:
            self._intake.close()  # on Ctrl-C nobody is waited for
            self._stop()
            await self._model.leave()

    def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._answered.end()

    # --- in the thread of the loop ---

    def _go_on(self) -> None:
        """Asks for the next turns of what was judged, and for new samples up to the bound."""
        if self._end.done():
            return
        while self._judged:
            one = self._judged.popleft()
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

    def _begin(self, one: Playing) -> None:
        task = self._loop.create_task(self._ask(one))
        self._tasks.add(task)
        task.add_done_callback(self._asked)

    async def _ask(self, one: Playing) -> None:
        self._answered.put(self._run.answered(one, await self._model.ask(self._run.request(one))))

    def _asked(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        if not self._end.done():
            self._end.set_exception(error)

    # --- in those that judge ---

    def _judge_all(self, judge: int) -> None:
        try:
            self._run.judge.warm(judge)
            while (answered := self._answered.take(judge)) is not None:
                verified = []
                while answered is not None:
                    answered.verify()
                    verified.append(answered)
                    answered = None if len(verified) == self._lot else self._answered.take(judge, wait=False)
                self._settle(verified)
        except BaseException as error:  # noqa: BLE001 - the loop's caller raises it
            self._tell(self._fail, error)

    def _settle(self, verified: Sequence[Answered]) -> None:
        for answered in verified:
            answered.take()
        these = [answered.playing for answered in verified]
        self._intake.take([self._run.record(one) for one in these if one.is_over])
        self._judged.extend(these)
        if len(self._judged) >= self._burst or self._answered.is_empty():
            self._tell(self._go_on)

    def _tell(self, what: Callable[..., None], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, on Ctrl-C
            self._loop.call_soon_threadsafe(what, *arguments)
