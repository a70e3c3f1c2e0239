"""Collects the records of a run from its threads, and ends a run of nothing but faults."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from ocaml_env.errors import OCamlEnvError

__all__ = ["FAULTS_IN_A_ROW", "GaveUp", "RecordSink"]

FAULTS_IN_A_ROW = 30
"""Consecutive faults that end a run: the model or the verifier is out of reach."""


class GaveUp(OCamlEnvError, RuntimeError):
    """One sample after another failed by a fault."""


class RecordSink:
    """Takes records, from one thread at a time, until it is closed.

    Args:
        on_records: receives the records, in the thread that made them.
        failed: tells if a record counts as a fault.
    """

    def __init__(
        self,
        on_records: Callable[[Sequence[dict[str, Any]]], None],
        failed: Callable[[dict[str, Any]], bool] = lambda record: bool(record["fault"]),
    ) -> None:
        self._took, self._failed = on_records, failed
        self._lock = threading.Lock()
        self._closed = False
        self._faults = 0

    def take(self, records: Sequence[dict[str, Any]]) -> None:
        """Hands records on to ``on_records``.

        Raises:
            GaveUp: after ``FAULTS_IN_A_ROW`` consecutive faults.
        """
        with self._lock:
            if self._closed:
                return
            self._took(records)
            for record in records:
                self._faults = self._faults + 1 if self._failed(record) else 0
                if self._faults >= FAULTS_IN_A_ROW:
                    raise GaveUp(f"{self._faults} samples in a row could not be had; the last one: {record['fault']}")

    def close(self) -> None:
        """Ignores further records, from late threads. Does not wait."""
        self._closed = True
