"""``RayVerifier``: the interface of ``Verifier`` in front of the CPUs of a Ray cluster.

    ray start --head                                   # on one machine
    ray start --address=HOST:6379                      # on each of the others, with ocaml-env and OCaml installed
    with RayVerifier() as verifier: ...                # on one of them

It finds the cluster that runs here or that ``RAY_ADDRESS`` names, and where there is none it starts one on this machine
alone. Verdicts are those of a local verifier, and so are the exceptions.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
import weakref
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future
from itertools import takewhile
from types import TracebackType
from typing import Any, Literal, Self, cast

from tqdm import tqdm

from ocaml_env.distributed.fleet import Fleet
from ocaml_env.engine import Arrangement, Mutant
from ocaml_env.engine.authoring import Anatomy, Answer, Header, SplitTests, Stub
from ocaml_env.errors import ConfigError, EngineError
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Verdict
from ocaml_env.verifier import Probe, VerdictCache

__all__ = ["RayVerifier", "connect"]

# Candidates that a batch has in hand, for each worker: enough that a slow one does not hold up the others.
_AHEAD = 512

# Of the object store of a cluster that is started here: batches are sent and their answers taken, nothing is kept.
_STORE_BYTES = 100_000_000

_ANSWER_SECONDS = 10.0  # to wait for a cluster


class RayVerifier:
    """Judges candidates on every CPU of a Ray cluster. Thread-safe; not for a forked child.

    Args:
        address: of the cluster, as ``ray.init`` takes it: ``ray://HOST:10001`` from a machine outside of it. None: the
            one that runs here or that ``RAY_ADDRESS`` names, else a new one on this machine.
        workers: CPUs to judge with; None takes all, also those of nodes that join later.
        share: processes that divide the CPUs among them, where ``workers`` is None.
        sandbox: as of ``Verifier``.
        cache_size: as of ``Verifier``.
        limits: as of ``Verifier``.

    Raises:
        ConfigError: where Ray is not installed, or an argument cannot be used.
        EngineError: where the cluster does not answer.

    What ``Verifier`` raises on first use this raises too, where no node can judge; a node that cannot while others can
    is left out, with a warning. So is one whose OCaml or engine is another.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        workers: int | None = None,
        share: int = 1,
        sandbox: Literal["required", "best-effort"] = "required",
        cache_size: int = 4096,
        limits: Limits | None = None,
    ) -> None:
        for name, value in (("workers", 1 if workers is None else workers), ("share", share)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ConfigError(f"{name} must be a whole number from 1, not {value!r}")
        if sandbox not in ("required", "best-effort"):
            raise ConfigError(f'sandbox must be "required" or "best-effort", not {sandbox!r}')
        self._limits = limits
        self._cache = VerdictCache(cache_size)
        ray, ours = connect(address)
        self._fleet = Fleet(ray, workers=workers, share=share, sandbox=sandbox, limits=limits)
        self._finish = weakref.finalize(self, _end, self._fleet, ray if ours else None)

    @property
    def workers(self) -> int:
        return self._fleet.size

    @property
    def ready(self) -> int:
        """Actors that can judge now: fewer than ``workers`` while some start, or wait for a CPU."""
        return self._fleet.ready

    @property
    def ocaml_version(self) -> str:
        return cast(str, _wait(self._fleet.ask("ocaml_version")))

    def check(self, problem: Problem) -> None:
        _wait(self._fleet.ask("check", problem))

    def verify(self, problem: Problem, code: str) -> Verdict:
        """As ``Verifier.verify``. Calls of several threads travel together."""
        return self._end(self._begin(problem, code))

    def verify_stream(self, pairs: Iterable[tuple[Problem, str]]) -> Generator[Verdict, None, None]:
        """The verdicts of many candidates, in their order, as they come.

        Takes from ``pairs`` only so many ahead of the verdict that it gives: of millions, memory holds a few thousand.
        The first exception ends it.
        """
        ahead: deque[_Begun] = deque()
        try:
            for problem, code in pairs:
                ahead.append(self._begin(problem, code))
                if len(ahead) >= _AHEAD * self.workers:
                    yield self._end(ahead.popleft())
            while ahead:
                yield self._end(ahead.popleft())
        finally:
            for _, future in ahead:
                future.cancel()

    def verify_many(self, pairs: Iterable[tuple[Problem, str]], *, progress: bool = False) -> list[Verdict]:
        if not progress:
            return list(self.verify_stream(pairs))
        total = len(pairs) if isinstance(pairs, Sequence) else None
        return list(tqdm(self.verify_stream(pairs), total=total, unit="verdict"))

    async def averify(self, problem: Problem, code: str) -> Verdict:
        return await asyncio.to_thread(self.verify, problem, code)

    async def averify_many(self, pairs: Iterable[tuple[Problem, str]]) -> list[Verdict]:
        stopped = threading.Event()
        try:
            return await asyncio.to_thread(self.verify_many, takewhile(lambda _: not stopped.is_set(), pairs))
        except asyncio.CancelledError:
            stopped.set()
            raise

    # --- for those who write problems; each is one call of an actor ---------------------------------------------------

    def probe(
        self,
        problem: Problem,
        codes: Iterable[str],
        *,
        limits: Limits | None = None,
        first: int | None = None,
        arrangement: Arrangement = "in order",
    ) -> list[Probe]:
        asked = self._fleet.ask("probe", problem, list(codes), limits=limits, first=first, arrangement=arrangement)
        return cast(list[Probe], _wait(asked))

    def mutants(self, problem: Problem) -> tuple[Mutant, ...]:
        return cast(tuple[Mutant, ...], _wait(self._fleet.ask("mutants", problem)))

    def stubs(self, problem: Problem) -> tuple[Stub, ...]:
        return cast(tuple[Stub, ...], _wait(self._fleet.ask("stubs", problem)))

    def split_tests(self, text: str) -> SplitTests:
        return cast(SplitTests, _wait(self._fleet.ask("split_tests", None, text)))

    def header(self, text: str) -> Header:
        return cast(Header, _wait(self._fleet.ask("header", None, text)))

    def answers(self, tests: Sequence[str]) -> tuple[Answer | None, ...]:
        return cast(tuple[Answer | None, ...], _wait(self._fleet.ask("answers", None, list(tests))))

    def measure(self, problem: Problem) -> Anatomy:
        return cast(Anatomy, _wait(self._fleet.ask("measure", problem)))

    # --- the rest -----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Ends the actors, and a cluster that was started for them."""
        self._finish()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def _begin(self, problem: Problem, code: str) -> _Begun:
        key = (problem.digest, self._limits or problem.limits, code)
        if (known := self._cache.get(key)) is None:
            return key, self._fleet.ask("verify", problem, code)
        remembered: Future[Verdict] = Future()
        remembered.set_result(known)
        return key, remembered

    def _end(self, begun: _Begun) -> Verdict:
        key, future = begun
        verdict: Verdict = _wait(future)
        self._cache.put(key, verdict)
        return verdict


_Begun = tuple[tuple[str, Limits, str], Future[Verdict]]
"""A candidate that was asked about: where its verdict is remembered, and the verdict to come."""


def _wait(future: Future[Any]) -> Any:
    try:
        return future.result()
    finally:
        future.cancel()  # where Ctrl-C ended the wait: nobody needs it any more


def connect(address: str | None) -> tuple[Any, bool]:
    """Ray, connected to a cluster, and whether the connection is ours to end: one that is there already is used.

    Raises:
        ConfigError: where Ray is not installed.
        EngineError: where the cluster does not answer.
    """
    try:
        import ray
    except ModuleNotFoundError:
        raise ConfigError("verifying on a Ray cluster needs Ray: pip install 'ocaml-env[ray]'") from None
    if ray.is_initialized():
        return ray, False
    quiet: dict[str, Any] = dict(log_to_driver=False, logging_level=logging.ERROR)
    named = address or os.environ.get("RAY_ADDRESS")
    try:
        if named:
            _answers(named)
        ray.init(address=named or "auto", **quiet)
    except (OSError, RuntimeError, ValueError, ImportError) as error:
        if named or not isinstance(error, ConnectionError):
            where = f"the Ray cluster {named}" if named else "the Ray cluster of this machine"
            raise EngineError(f"{where} cannot be used: {_first_line(error)}") from error
        # None runs here: one of this machine alone, without what only people look at.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(include_dashboard=False, object_store_memory=_STORE_BYTES, **quiet)
    # Of a node that dies Ray prints pages, and on standard output; the fleet tells it in a line.
    ray._private.worker._worker_logs_enabled = False
    return ray, True


def _answers(address: str) -> None:
    """Asks whether anyone listens there, since Ray itself would wait for minutes.

    Raises:
        OSError: where nobody does.
    """
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=_ANSWER_SECONDS).close()


def _first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def _end(fleet: Fleet, ray: Any) -> None:
    fleet.close()
    if ray is not None:
        ray.shutdown()
