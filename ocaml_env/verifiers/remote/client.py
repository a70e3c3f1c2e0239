"""``RemoteVerifier``: a service on another machine with the interface and the verdicts of a local ``Verifier``."""

from __future__ import annotations

import os
import ssl
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from tqdm import tqdm

from ocaml_env.errors import BatchError, ConfigError, EngineError, ProblemError, ProtocolError, SandboxUnavailable
from ocaml_env.problem import Limits, Problem
from ocaml_env.problem.record import problem_to_record
from ocaml_env.verdict import Verdict
from ocaml_env.verifiers.base import AnyVerifier
from ocaml_env.verifiers.batch import Batch
from ocaml_env.verifiers.failures import Failures
from ocaml_env.verifiers.remote import wire
from ocaml_env.verifiers.remote.answers import Info
from ocaml_env.verifiers.remote.token import TOKEN_VARIABLE, checked_token
from ocaml_env.verifiers.remote.transport import Answer, Transport

__all__ = ["RemoteVerifier"]

Pairs = Sequence[tuple[Problem, str]]
Sent = tuple[int, list[Verdict | None]]

_FRAME = 64  # bytes of a request besides its candidates and problems


class _Piece(NamedTuple):
    """The content of one request: candidates, the place of the first in the batch, and their JSON."""

    start: int
    pairs: Pairs
    items: list[bytes]


class RemoteVerifier(AnyVerifier):
    """Evaluates candidates through a service (``ocaml-env serve``). Thread-safe; a forked child may go on using it.

    A problem is sent by name and digest. A service with another version of it refuses with a ``ConfigError``, and does
    not evaluate by other tests. If the service lacks the problem, and allows it, the whole problem is sent. Verdicts
    equal those of a ``Verifier`` on this machine.

    While the service is overloaded, restarting or out of reach, requests are sent again until ``patience`` ends; then
    ``ServiceUnavailable`` is raised. Infrastructure errors of the service are raised here as the same exceptions.

    Args:
        url: the service's URL, such as ``http://judge:8787``.
        token: the service's token; None takes it from the environment, ``OCAML_ENV_TOKEN``; "" sends none.
        limits: replace each problem's own limits.
        batch: the most candidates in one request. A long batch is split, so that all of the service's workers are busy.
        in_flight: the most requests at a time.
        timeout: seconds to wait for one request's answer before it is sent again.
        patience: seconds for which a request is tried again.
        tls: for ``https``; by default certificates are checked against the system's.

    Raises:
        ConfigError: on an argument that cannot be used.

    The constructor sends no request.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        limits: Limits | None = None,
        batch: int = 64,
        in_flight: int = 4,
        timeout: float = 600.0,
        patience: float = 300.0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        for name, value in (("batch", batch), ("in_flight", in_flight)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ConfigError(f"{name} must be a whole number from 1, not {value!r}")
        for name, seconds in (("timeout", timeout), ("patience", patience)):
            if not isinstance(seconds, int | float) or not seconds > 0:
                raise ConfigError(f"{name} must be a positive number of seconds, not {seconds!r}")
        token = checked_token(os.environ.get(TOKEN_VARIABLE, "") if token is None else token)
        self._transport = Transport(url, token=token, timeout=timeout, patience=patience, tls=tls)
        self._limits = limits
        self._batch_size = batch
        self._in_flight = in_flight
        self._service: Info | None = None
        self._brought: set[str] = set()  # digests of problems that the service lacks
        self._sizes: dict[str, int] = {}  # digest -> bytes

    @property
    def url(self) -> str:
        return self._transport.url

    @property
    def workers(self) -> int:
        """The service's workers, which others may also be using."""
        return self._about().workers

    @property
    def ocaml_version(self) -> str:
        """The version of the evaluating OCaml."""
        return self._about().ocaml_version

    def check(self, problem: Problem) -> None:
        """Compiles a problem's tests.

        Raises:
            ProblemError: if tests do not compile or can never pass; names the test.
            ConfigError: if the service lacks the problem.
        """
        if self._limits is not None:
            problem = replace(problem, limits=self._limits)
        self._ask("/v1/check", [problem], [wire.encode(wire.problem_to_json(problem))])

    def verify(self, problem: Problem, code: str) -> Verdict:
        """Evaluates ``code`` as an answer to ``problem``."""
        try:
            return self.verify_many([(problem, code)])[0]
        except BatchError as error:
            raise error.at(0) from None

    def verify_many(self, pairs: Iterable[tuple[Problem, str]], *, progress: bool = False) -> list[Verdict]:
        """Evaluates many candidates, and returns their verdicts in order.

        Raises:
            BatchError: as ``Verifier.verify_many``.
        """
        todo, failures = list(pairs), Failures()
        bar = tqdm(total=len(todo), unit="verdict") if progress else None
        sent = self._batch(todo, failures).run(bar=bar, size=lambda piece: len(piece.pairs))
        return failures.settle(_in_order(sent, len(todo)))

    async def averify(self, problem: Problem, code: str) -> Verdict:
        """``verify`` for asyncio: it waits in a thread."""
        try:
            return (await self.averify_many([(problem, code)]))[0]
        except BatchError as error:
            raise error.at(0) from None

    async def averify_many(self, pairs: Iterable[tuple[Problem, str]]) -> list[Verdict]:
        """``verify_many`` for asyncio: it waits in a thread. When cancelled, it sends no further request."""
        todo, failures = list(pairs), Failures()
        return failures.settle(_in_order(await self._batch(todo, failures).arun(), len(todo)))

    def _batch(self, todo: Pairs, failures: Failures) -> Batch[_Piece, Sent]:
        threads = min(self._in_flight, -(-len(todo) // self._batch_size))
        # Not patient: Ctrl-C does not wait for requests in progress.
        return Batch(
            self._requests(todo),
            lambda piece: self._send(piece, failures),
            threads=threads,
            stopped=failures.stopped,
            patient=False,
        )

    def close(self) -> None:
        """Closes the connections. A closed verifier cannot be used again; the service goes on."""
        self._transport.close()

    def __repr__(self) -> str:
        return f"<RemoteVerifier {self.url}>"

    # --- requests -----------------------------------------------------------------------------------------------------

    def _requests(self, pairs: Pairs) -> Iterator[_Piece]:
        """Divides the candidates into requests within the service's limits, and encodes each candidate."""
        about = self._about()
        most, room = min(self._batch_size, about.max_batch), about.max_body - _FRAME
        piece: list[tuple[Problem, str]] = []
        items: list[bytes] = []
        size = 0
        brought: set[str] = set()
        for place, (problem, code) in enumerate(pairs):
            if self._limits is not None and problem.limits != self._limits:
                problem = replace(problem, limits=self._limits)
            item = wire.encode(wire.candidate_to_json(problem, code))
            # Any problem may have to be sent, which is known only after the service has refused: reserve its size.
            record = self._record_size(problem) if about.inline_problems else 0
            more = len(item) + 1 + (0 if problem.digest in brought else record)
            if items and (len(items) == most or size + more > room):
                yield _Piece(place - len(items), piece, items)
                piece, items, size, brought = [], [], 0, set()
                more = len(item) + 1 + record
            piece.append((problem, code))
            items.append(item)
            size += more
            brought.add(problem.digest)
        if items:
            yield _Piece(len(pairs) - len(items), piece, items)

    def _record_size(self, problem: Problem) -> int:
        """The bytes of a problem in a request."""
        size = self._sizes.get(problem.digest)
        if size is None:
            size = self._sizes[problem.digest] = len(wire.encode(problem_to_record(problem))) + 1
        return size

    def _send(self, piece: _Piece, failures: Failures) -> Sent:
        """Sends one piece; returns its verdicts and the place of the first."""
        places = range(piece.start, piece.start + len(piece.pairs))
        try:
            values = self._values(piece, failures.stopped)
        except SandboxUnavailable:
            raise
        except (EngineError, ProblemError) as error:
            for place in places:
                failures.add(place, error)
            return piece.start, [None] * len(places)
        pairs = zip(places, values, strict=True)
        return piece.start, [failures.attempt(place, partial(_verdict, value)) for place, value in pairs]

    def _values(self, piece: _Piece, stop: threading.Event) -> list[Any]:
        value = self._ask("/v1/verify/batch", [problem for problem, _ in piece.pairs], piece.items, stop=stop)
        verdicts = value.get("verdicts") if isinstance(value, dict) else None
        if not isinstance(verdicts, list) or len(verdicts) != len(piece.pairs):
            raise ProtocolError(f"{self.url} did not send {len(piece.pairs)} verdicts")
        return verdicts

    def _ask(
        self, path: str, problems: Sequence[Problem], items: list[bytes], *, stop: threading.Event | None = None
    ) -> Any:
        """Sends a request and returns the value of its answer. Adds the problems that the service is known to lack."""
        digests = {problem.digest: problem for problem in problems}
        while True:
            bringing = self._brought & digests.keys()
            records = [wire.encode(problem_to_record(digests[digest])) for digest in bringing]
            body = b'{"items":[%b],"problems":[%b]}' % (b",".join(items), b",".join(records))
            answer = self._transport.ask("POST", path, body, stop=stop)
            missing = _named(answer)
            lacking = {problem.digest for problem in problems if problem.id in missing} - bringing
            if lacking and self._about().inline_problems:
                self._brought |= lacking
            elif answer.status == 200:
                return answer.value
            else:
                raise self._fault(answer)

    def _about(self) -> Info:
        if self._service is None:
            answer = self._transport.ask("GET", "/v1/info")
            if answer.status != 200:
                raise self._fault(answer)
            try:
                self._service = Info(**{name: answer.value[name] for name in Info.__dataclass_fields__})
            except (KeyError, TypeError):
                raise ProtocolError(f"{self.url} is not an ocaml-env service, or one of another version") from None
        return self._service

    def _fault(self, answer: Answer) -> Exception:
        fault = wire.fault_from_json(answer.value)
        return fault or ProtocolError(f"{self.url} answers {answer.status}, and not as an ocaml-env service does")


def _verdict(value: Any) -> Verdict:
    """Decodes the verdict of one candidate, or raises the error in its place."""
    if (fault := wire.fault_from_json(value)) is not None:
        raise fault
    return wire.verdict_from_json(value)


def _in_order(sent: Iterable[Sent], count: int) -> list[Verdict | None]:
    by_place = {start + n: verdict for start, verdicts in sent for n, verdict in enumerate(verdicts)}
    return [by_place.get(place) for place in range(count)]


def _named(answer: Answer) -> set[str]:
    """The problems that the service lacks or has in another version, by the errors in its answer."""
    value = answer.value if isinstance(answer.value, dict) else {}
    verdicts = value.get("verdicts")
    names: set[str] = set()
    for part in (value, *(verdicts if isinstance(verdicts, list) else ())):
        error = part.get("error") if isinstance(part, dict) else None
        meant = error.get("problems") if isinstance(error, dict) else None
        names.update(name for name in (meant if isinstance(meant, list) else ()) if isinstance(name, str))
    return names
