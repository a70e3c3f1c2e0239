"""The figures of a service, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from ocaml_env import __version__
from ocaml_env.server.queue import Queue
from ocaml_env.verdict import Outcome, Verdict

__all__ = ["Metrics"]

_REQUEST_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_CANDIDATE_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The counters of one service.

    Args:
        ocaml_version: the evaluating OCaml version.
    """

    def __init__(self, ocaml_version: str) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        Info("ocaml_env", "The versions in use.", registry=self.registry).info(
            {"version": __version__, "ocaml_version": ocaml_version}
        )
        self._requests = Counter(
            "ocaml_env_requests", "Requests by route and status.", ("method", "route", "status"), registry=self.registry
        )
        self._request_seconds = Histogram(
            "ocaml_env_request_seconds",
            "From the first byte of a request to the last of its answer.",
            ("route",),
            buckets=_REQUEST_SECONDS,
            registry=self.registry,
        )
        self._candidates = Counter(
            "ocaml_env_candidates", "Candidates evaluated, by outcome.", ("outcome",), registry=self.registry
        )
        self._by_outcome = {outcome: self._candidates.labels(outcome.value) for outcome in Outcome}
        self._compiler_raised = Counter(
            "ocaml_env_compiler_raised",
            "Candidates, among the TYPE_ERRORs, on which OCaml's own compiler fails.",
            registry=self.registry,
        )
        self._faults = Counter(
            "ocaml_env_faults", "Infrastructure errors, by exception.", ("type",), registry=self.registry
        )
        self._candidate_seconds = Histogram(
            "ocaml_env_candidate_seconds",
            "Wall time of one candidate in the engine.",
            buckets=_CANDIDATE_SECONDS,
            registry=self.registry,
        )

    def watch(self, queue: Queue) -> None:
        """Adds gauges of a queue, read at the time of each request for the metrics."""
        for name, what, value in (
            ("waiting", "Candidates waiting for a worker.", lambda: queue.waiting),
            ("in_hand", "Candidates being evaluated.", lambda: queue.in_hand),
            ("waiting_limit", "The most candidates that may wait.", lambda: queue.max_waiting),
            ("workers", "Workers.", lambda: queue.workers),
        ):
            Gauge(f"ocaml_env_{name}", what, registry=self.registry).set_function(value)

    def request(self, *, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def evaluated(self, verdict: Verdict) -> None:
        self._by_outcome[verdict.outcome].inc()
        if verdict.compiler_raised:
            self._compiler_raised.inc()

    def took(self, seconds: float) -> None:
        self._candidate_seconds.observe(seconds)

    def fault(self, name: str) -> None:
        self._faults.labels(name).inc()

    def page(self) -> bytes:
        return generate_latest(self.registry)

    content_type = CONTENT_TYPE_LATEST
