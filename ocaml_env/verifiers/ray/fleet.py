"""The actors of a Ray cluster, and the distribution of calls among them.

There is one actor for each free CPU of the cluster; every second their number is adapted to the nodes. Calls wait in
one queue. An actor has up to two batches: the next one is there when one is done, so it never waits for the network. A
batch is a share of the queue, so that all actors finish at about the same time.

When an actor dies, the calls of its batches go back to the head of the queue: their answers never arrived, and a call
can safely be made twice. Each call has one future, so none is lost and none is answered twice. Ray's own restarts are
not
used: Ray would wait for room on a lost node, and keep the calls waiting.

Everything here runs in one thread, in an asyncio loop, except ``ask`` and ``close``, which any thread may call.

Long, because one lock guards the actors, the queue and the calls.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import pickle
import re
import threading
import time
from collections import deque
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from ocaml_env.errors import ConfigError, EngineError, OCamlEnvError, WorkerCrashed
from ocaml_env.problem import Limits, Problem
from ocaml_env.verifiers.ray.actor import KEPT, Call, Raised, Unknown, VerifierActor

__all__ = ["Fleet"]

_BATCH = 32  # the most calls in a batch
_IN_HAND = 2  # the most batches of an actor
_DEATHS = 5  # actors that may die with a call in hand
_LOOK_SECONDS = 1.0  # between two looks at the nodes
_PATIENCE_SECONDS = 60.0  # the longest that calls wait while no actor runs

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Asked:
    """A call without an answer yet."""

    call: Call
    problem: Problem | None
    answer: Future[Any] = field(default_factory=Future)
    deaths: int = 0


@dataclass(slots=True, eq=False)
class _Member:
    """An actor: first requested, then placed on a node, then ready, unless its node cannot evaluate."""

    handle: Any
    node: str = ""
    machine: str = ""
    ready: bool = False
    refusal: OCamlEnvError | None = None
    in_hand: int = 0
    known: set[int] = field(default_factory=set)


class Fleet:
    """Actors that take calls.

    Args:
        ray: the module, connected.
        workers: the number of actors; one without a free CPU waits. None takes every CPU, also of nodes that join
            later.
        share: with ``workers`` None, the number of processes that divide the CPUs: this one takes 1 / ``share`` of
            them.
        sandbox: as for ``Verifier``.
        limits: as for ``Verifier``.
        inside: as for ``Verifier``.
    """

    def __init__(
        self,
        ray: Any,
        *,
        workers: int | None,
        share: int,
        sandbox: Literal["required", "best-effort"],
        limits: Limits | None,
        inside: Literal["accept", "refuse"],
    ) -> None:
        self._ray = ray
        self._workers, self._share = workers, share
        self._actor = ray.remote(VerifierActor).options(
            num_cpus=1, max_concurrency=_IN_HAND, max_restarts=0, scheduling_strategy="SPREAD"
        )
        self._arguments = {"sandbox": sandbox, "limits": limits, "inside": inside}
        self._members: list[_Member] = []
        self._waiting: deque[_Asked] = deque()
        # By identity: it is found faster than by equality, and is unique because the problem is kept here.
        self._numbers: dict[int, tuple[int, Problem]] = {}
        self._last_number = 0
        self._prepared = ""
        self._trouble = "no CPU of it became free"
        self._alone_since = time.monotonic()
        self._lock = threading.Lock()
        self._woken, self._room = False, True
        self._end: EngineError | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.size = self._wanted(ray.nodes())
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="fleet", daemon=True)
        self._thread.start()

    # --- from any thread ----------------------------------------------------------------------------------------------

    @property
    def ready(self) -> int:
        return sum(member.ready for member in self._members)

    def ask(self, member: str, problem: Problem | None = None, *arguments: Any, **options: Any) -> Future[Any]:
        """Has an actor call a member of ``Verifier``. Cancel the future if the answer is no longer needed.

        Raises:
            EngineError: if the fleet is closed, or failed as a whole.
        """
        with self._lock:
            if self._end is not None:
                raise self._end
            asked = _Asked(Call(member, self._number(problem), arguments, options), problem)
            self._waiting.append(asked)
            if self._room and not self._woken:
                self._woken = True
                self._loop.call_soon_threadsafe(self._wake)
        return asked.answer

    def close(self) -> None:
        """Ends the actors. Unanswered calls get an ``EngineError``."""
        with self._lock:
            self._end = EngineError("this verifier is closed")
        self._loop.call_soon_threadsafe(self._loop.stop)
        if threading.current_thread() is not self._thread:  # the garbage collector may run `close` in that thread
            self._thread.join()

    def _number(self, problem: Problem | None) -> int:
        if problem is None:
            return 0
        found = self._numbers.get(id(problem))
        if found is None:
            if len(self._numbers) >= 4 * KEPT:
                self._numbers.clear()
            self._last_number += 1
            found = self._numbers[id(problem)] = self._last_number, problem
        return found[0]

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._begin(self._look_after())
        try:
            self._loop.run_forever()
        finally:
            for task in self._tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*self._tasks, return_exceptions=True))
            self._loop.close()
            for member in list(self._members):
                self._dismiss(member)
            self._fail(self._end or EngineError("this verifier is closed"))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:  # a bug, or Ray itself is gone
            with self._lock:
                self._end = EngineError(f"the Ray cluster cannot be used any more: {error!r}")
            self._fail(self._end)

    def _wake(self) -> None:
        self._woken = False
        self._hand_out()

    # --- calls --------------------------------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        """Gives calls to the least busy actors. If all are busy, the next one to finish calls this again."""
        self._room = True
        ready = [member for member in self._members if member.ready]
        while self._waiting and ready:
            member = min(ready, key=lambda actor: actor.in_hand)
            if member.in_hand >= _IN_HAND:
                self._room = False
                return
            batch = self._take(min(_BATCH, math.ceil(len(self._waiting) / len(ready))))
            if batch:
                member.in_hand += 1
                self._begin(self._send(member, batch))

    def _take(self, size: int) -> list[_Asked]:
        first = [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]
        return [asked for asked in first if not asked.answer.cancelled()]

    async def _send(self, member: _Member, batch: Sequence[_Asked]) -> None:
        new = {asked.call.problem: asked.problem for asked in batch if asked.call.problem not in member.known}
        new.pop(0, None)
        try:
            sent = pickle.dumps(([asked.call for asked in batch], new))
            answers = pickle.loads(await member.handle.work.remote(sent))
        except asyncio.CancelledError:
            self._return(batch)
            raise
        except self._ray.exceptions.RayTaskError as error:
            answers = [Raised(EngineError(f"an actor on {member.machine} failed: {error}"))] * len(batch)
        except self._ray.exceptions.RayError as error:
            self._lost(member, _reason(error))
            for asked in batch:
                asked.deaths += 1
            self._return(batch)
            return
        except BaseException:  # the batch cannot be sent
            for asked in batch:
                _settle(asked.answer, Raised(EngineError(f"no actor could be asked for {asked.call.member}")))
            raise
        member.in_hand -= 1
        if len(member.known) + len(new) > KEPT:
            member.known.clear()
        member.known |= new.keys()
        for asked, answer in zip(batch, answers, strict=True):
            if isinstance(answer, Unknown):
                member.known.discard(asked.call.problem)
                self._return([asked])
            else:
                _settle(asked.answer, answer)
        self._hand_out()

    def _return(self, batch: Sequence[_Asked]) -> None:
        for asked in reversed(batch):
            if self._end is not None:  # the queue is not served any more
                _settle(asked.answer, Raised(self._end))
            elif asked.deaths < _DEATHS:
                self._waiting.appendleft(asked)
            else:
                said = f"{asked.deaths} actors died one after the other while they had this candidate in hand"
                _settle(asked.answer, Raised(WorkerCrashed(f"{said}; the last reason: {self._trouble}")))

    def _fail(self, error: OCamlEnvError) -> None:
        while self._waiting:
            _settle(self._waiting.popleft().answer, Raised(error))

    # --- actors -------------------------------------------------------------------------------------------------------

    async def _look_after(self) -> None:
        while True:
            try:
                self._fit(await asyncio.to_thread(self._ray.nodes))
            except self._ray.exceptions.RayError as error:  # an overloaded head node; the next look tries again
                self._trouble = _reason(error)
            self._hand_out()
            self._despair()
            await asyncio.sleep(_LOOK_SECONDS)

    def _fit(self, nodes: Sequence[dict[str, Any]]) -> None:
        """Adapts the number of actors to the nodes."""
        alive = {node["NodeID"] for node in nodes if node["Alive"]}
        for member in [actor for actor in self._members if actor.node and actor.node not in alive]:
            self._lost(member, "its node is gone")
        self.size = self._wanted(nodes)
        pending = [member for member in self._members if not member.node]
        for member in pending[: max(0, len(self._members) - self.size)]:
            self._dismiss(member)
        while len(self._members) < self.size:
            member = _Member(self._actor.remote(**self._arguments))
            self._members.append(member)
            self._begin(self._welcome(member))

    def _wanted(self, nodes: Sequence[dict[str, Any]]) -> int:
        cpus = sum(int(node["Resources"].get("CPU", 0)) for node in nodes if node["Alive"])
        return self._workers or max(1, cpus // self._share)

    async def _welcome(self, member: _Member) -> None:
        try:
            member.node, member.machine = await member.handle.place.remote()
            prepared = await member.handle.prepare.remote()
            self._prepared = self._prepared or prepared
            if prepared != self._prepared:
                raise ConfigError(
                    f"it has {prepared}, others have {self._prepared}, and verdicts must not depend on that"
                )
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, OCamlEnvError) else EngineError(str(error))
            self._refused(member, cause)
        except ConfigError as error:
            self._refused(member, error)
        except self._ray.exceptions.RayError as error:
            self._lost(member, _reason(error))
        else:
            member.ready = True
            self._hand_out()

    def _refused(self, member: _Member, error: OCamlEnvError) -> None:
        """Keeps an actor whose node cannot evaluate, but idle, so that Ray places no other one there."""
        member.refusal = error
        if any(actor.ready for actor in self._members):
            _log.warning("the node %s is left out: %s", member.machine, error)

    def _lost(self, member: _Member, reason: str) -> None:
        if member in self._members:  # its other batch may have reported it already
            self._trouble = reason
            if member.ready:
                _log.warning("lost an actor on %s: %s; others evaluate what it had in hand", member.machine, reason)
            self._dismiss(member)

    def _dismiss(self, member: _Member) -> None:
        self._members.remove(member)
        with contextlib.suppress(self._ray.exceptions.RayError):  # it may be dead
            if self._ray.is_initialized():
                self._ray.kill(member.handle)

    def _despair(self) -> None:
        """Fails the waiting calls if no actor will answer them."""
        if any(member.node and member.refusal is None for member in self._members):
            self._alone_since = time.monotonic()
            return
        refusals = [member.refusal for member in self._members if member.refusal is not None]
        waited = time.monotonic() - self._alone_since
        if refusals and (len(refusals) == len(self._members) or waited > _PATIENCE_SECONDS):
            self._fail(refusals[0])
        elif waited > _PATIENCE_SECONDS:
            said = f"for {_PATIENCE_SECONDS:.0f} s no actor has run on the Ray cluster, where {self.size} should"
            self._fail(EngineError(f"{said}: {self._trouble}"))


def _reason(error: Exception) -> str:
    """The reason of an actor's death, taken from Ray's long message."""
    said = str(error).strip()
    if "creation task" in said:  # its class cannot be imported on that node
        return said.splitlines()[-1].strip()
    if because := re.search(r"because ([^.:\n]+)", said):
        return because[1]
    return "it does not answer" if "unavailable" in said else re.split(r"[.:\n]", said)[0]


def _settle(answer: Future[Any], value: Any) -> None:
    if not answer.set_running_or_notify_cancel():
        return
    if isinstance(value, Raised):
        answer.set_exception(value.error)
    else:
        answer.set_result(value)
