"""``RayVerifier``: the interface of ``Verifier`` in front of the CPUs of a Ray cluster.

    ray start --head                         # on one machine
    ray start --address=HOST:6379            # on each of the others, with ocaml-env and OCaml installed
    with RayVerifier() as verifier: ...      # on one of them

Verdicts and exceptions are those of a local verifier.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import weakref
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future
from functools import cached_property, partial
from itertools import takewhile
from typing import Any, Literal, cast

from tqdm import tqdm

from ocaml_env.engine import Arrangement, Mutant
from ocaml_env.engine.authoring import Answer, CodeMetrics, Header, SplitTests, Stub
from ocaml_env.errors import ConfigError
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Verdict
from ocaml_env.verifiers.base import AuthoringVerifier, Probe
from ocaml_env.verifiers.cache import VerdictCache
from ocaml_env.verifiers.failures import Failures
from ocaml_env.verifiers.ray.cluster import connect
from ocaml_env.verifiers.ray.fleet import Fleet

__all__ = ["RayVerifier"]

# Candidates of a batch in progress, for each worker: enough that a slow one does not hold up the others.
_AHEAD = 512


class RayVerifier(AuthoringVerifier):
    """Evaluates candidates on every CPU of a Ray cluster. Thread-safe; not for a forked child.

    Args:
        address: of the cluster; ``ray://HOST:10001`` from a machine outside of it. None: the cluster in
            ``RAY_ADDRESS``, else this machine's, else a new one on this machine.
        workers: the number of CPUs to use; None takes all, also those of nodes that join later.
        share: the number of processes that divide the CPUs among them, if ``workers`` is None.
        sandbox: as for ``Verifier``.
        cache_size: as for ``Verifier``.
        limits: as for ``Verifier``.

    Raises:
        ConfigError: if Ray is not installed, or an argument cannot be used.
        EngineError: if the cluster does not answer.

    If no node can evaluate, first use raises the errors of ``Verifier``. If only some nodes cannot, or have another
    OCaml or engine, they are left out with a warning.
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
        inside: Literal["accept", "refuse"] = "accept",
    ) -> None:
        for name, value in (("workers", 1 if workers is None else workers), ("share", share)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ConfigError(f"{name} must be a whole number from 1, not {value!r}")
        if sandbox not in ("required", "best-effort"):
            raise ConfigError(f'sandbox must be "required" or "best-effort", not {sandbox!r}')
        if inside not in ("accept", "refuse"):
            raise ConfigError(f'inside must be "accept" or "refuse", not {inside!r}')
        self._limits = limits
        self._cache = VerdictCache(cache_size)
        ray, ours = connect(address)
        self._fleet = Fleet(ray, workers=workers, share=share, sandbox=sandbox, limits=limits, inside=inside)
        self._finish = weakref.finalize(self, _end, self._fleet, ray if ours else None)

    @property
    def workers(self) -> int:
        return self._fleet.size

    @property
    def ready(self) -> int:
        """Actors that can evaluate now; fewer than ``workers`` while some start, or wait for a CPU."""
        return self._fleet.ready

    @cached_property
    def ocaml_version(self) -> str:
        return cast(str, _wait(self._fleet.ask("ocaml_version")))

    def check(self, problem: Problem) -> None:
        _wait(self._fleet.ask("check", problem))

    def verify(self, problem: Problem, code: str) -> Verdict:
        """Like ``Verifier.verify``. Calls of several threads are sent together."""
        return self._end(self._begin(problem, code))

    def verify_stream(self, pairs: Iterable[tuple[Problem, str]]) -> Generator[Verdict, None, None]:
        """Yields the verdicts of many candidates, in order, as soon as they are known.

        It reads ``pairs`` only a limited number ahead: of millions, memory holds a few thousand. The first exception
        ends it.
        """
        with contextlib.closing(self._ahead(pairs)) as ahead:
            for begun in ahead:
                yield self._end(begun)

    def verify_many(self, pairs: Iterable[tuple[Problem, str]], *, progress: bool = False) -> list[Verdict]:
        failures = Failures()
        total = len(pairs) if isinstance(pairs, Sequence) else None
        verdicts: list[Verdict | None] = []
        bar = tqdm(total=total, unit="verdict") if progress else None
        with bar or contextlib.nullcontext(), contextlib.closing(self._ahead(pairs)) as ahead:
            for place, begun in enumerate(ahead):
                verdicts.append(failures.attempt(place, partial(self._end, begun)))
                if bar is not None:
                    bar.update()
                if failures.stopped.is_set():
                    break
        return failures.settle(verdicts + [None] * ((total or 0) - len(verdicts)))

    def _ahead(self, pairs: Iterable[tuple[Problem, str]]) -> Generator[_Begun, None, None]:
        """Yields the candidates in order, each after enough further ones have been begun."""
        ahead: deque[_Begun] = deque()
        try:
            for problem, code in pairs:
                ahead.append(self._begin(problem, code))
                if len(ahead) >= _AHEAD * self.workers:
                    yield ahead.popleft()
            while ahead:
                yield ahead.popleft()
        finally:
            for _, future in ahead:
                future.cancel()

    async def averify_many(self, pairs: Iterable[tuple[Problem, str]]) -> list[Verdict]:
        stopped = threading.Event()
        try:
            return await asyncio.to_thread(self.verify_many, takewhile(lambda _: not stopped.is_set(), pairs))
        except asyncio.CancelledError:
            stopped.set()
            raise

    # --- for writing problems; each is one call of an actor -----------------------------------------------------------

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

    def outputs(self, problem: Problem, code: str) -> tuple[bytes | None, ...]:
        return cast(tuple[bytes | None, ...], _wait(self._fleet.ask("outputs", problem, code)))

    def inside(self, problem: Problem) -> dict[str, str]:
        return cast(dict[str, str], _wait(self._fleet.ask("inside", problem)))

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

    def measure(self, problem: Problem) -> CodeMetrics:
        return cast(CodeMetrics, _wait(self._fleet.ask("measure", problem)))

    # --- the rest -----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Ends the actors, and the cluster if it was started for them."""
        self._finish()

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
"""A candidate in progress: its key in the cache, and its future verdict."""


def _wait(future: Future[Any]) -> Any:
    try:
        return future.result()
    finally:
        future.cancel()  # if Ctrl-C ended the wait, nobody needs it any more


def _end(fleet: Fleet, ray: Any) -> None:
    fleet.close()
    if ray is not None:
        ray.shutdown()
