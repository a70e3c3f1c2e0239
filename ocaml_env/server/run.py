"""A service as a process: its socket, its signals, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

import prometheus_client
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from ocaml_env.problems import ProblemSet
from ocaml_env.server.app import make_app
from ocaml_env.server.metrics import Metrics
from ocaml_env.server.queue import Queue
from ocaml_env.server.service import Service
from ocaml_env.server.settings import Settings
from ocaml_env.verifiers.base import AnyVerifier

__all__ = ["listen", "serve"]

_BACKLOG = 2048
_LEEWAY_SECONDS = 5  # after the grace period, to send answers


def serve(
    problems: ProblemSet, verifier: AnyVerifier, settings: Settings, *, ready: Callable[[str], None] = lambda url: None
) -> None:
    """Serves until SIGTERM or Ctrl-C; then finishes the work in progress, within the settings' grace period.

    Args:
        problems: the problems to serve.
        verifier: evaluates; it stays open.
        settings: the settings of the service.
        ready: called with the URL once connections are accepted.

    Raises:
        OCamlEnvError: if the engine cannot evaluate; then nothing is served.
        OSError: if the address cannot be used.
    """
    verifier.check(problems[0])
    prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]  # a second series without use
    listening = listen(settings)
    metrics = Metrics(verifier.ocaml_version)
    queue = Queue(workers=verifier.workers, max_waiting=settings.max_waiting, took=metrics.took)
    metrics.watch(queue)
    service = Service(
        problems,
        verifier,
        allow_inline=settings.allow_inline_problems,
        evaluated=metrics.evaluated,
        failed=metrics.fault,
    )
    app = make_app(service, queue, metrics, settings)
    _start_logs(settings)
    server = _Server(_config(app, settings), queue, grace=settings.grace)
    try:
        with _ending(server):
            ready(_url(listening))
            server.run(sockets=[listening])
    finally:
        queue.close()
        listening.close()


class _Server(uvicorn.Server):
    """Ends in order: the queue accepts no more, and after the grace period, unfinished jobs are refused."""

    def __init__(self, config: uvicorn.Config, queue: Queue, *, grace: float) -> None:
        super().__init__(config)
        self._queue = queue
        self._grace = grace

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._queue.stop()
        asyncio.get_running_loop().call_later(self._grace, self._queue.abandon)
        await super().shutdown(sockets)


class _Connection(H11Protocol):
    """A connection that is closed if no whole request arrives in time.

    Uvicorn's timer only runs after an answer, and restarts with each byte. A client that sends a header byte by byte,
    or never reads an answer, could keep a connection for ever.
    """

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait_for_request()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait_for_request()

    def _wait_for_request(self) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(self.timeout_keep_alive, self._close_unless_asked, self.cycle)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()  # it refers to the last request, and would keep it in memory

    def _close_unless_asked(self, last: object) -> None:
        if self.cycle is last:
            self.transport.abort()


def _config(app: FastAPI, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=_Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        limit_concurrency=settings.max_connections,
        timeout_keep_alive=int(max(settings.patience, 1)),
        timeout_graceful_shutdown=int(settings.grace) + _LEEWAY_SECONDS,
    )


def listen(settings: Settings) -> socket.socket:
    """Opens the address of the settings: from now on, a client can connect and only has to wait a little.

    Raises:
        OSError: if the address cannot be used.
    """
    family, *_, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
    # Nagle's algorithm delays each answer by 40 ms. asyncio turns it off only for sockets of a named protocol.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise OSError(error.errno, error.strerror, f"{settings.host}:{settings.port}") from None
    return listening


def _url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _start_logs(settings: Settings) -> None:
    """Sends errors and, if wanted, the access log to standard error, and nothing else."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("ocaml-env serve: %(message)s"))
    for name in ("uvicorn", "ocaml_env.server"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.ERROR)
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(logging.Formatter("%(message)s"))
    access = logging.getLogger("ocaml_env.access")
    access.handlers, access.propagate = [lines], False
    access.setLevel(logging.INFO if settings.access_log else logging.CRITICAL)


@contextlib.contextmanager
def _ending(server: uvicorn.Server) -> Iterator[None]:
    """Lets signals end the server, also before uvicorn handles them.

    Uvicorn raises the signals again after its end; here they have no further effect.
    """

    def end(*_: object) -> None:
        server.should_exit = True

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
