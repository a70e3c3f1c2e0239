"""Takes the records of a run from the threads that have them, and ends a run that gets nothing but faults."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from ocaml_env.errors import OCamlEnvError

__all__ = ["FAULTS_IN_A_ROW", "GaveUp", "RecordSink"]

FAULTS_IN_A_ROW = 30
"""So many samples that cannot be had, with none between that could, end a run: whoever is asked is not there."""


class GaveUp(OCamlEnvError, RuntimeError):
    """One sample after another could not be had."""


class RecordSink:
    """Takes records, from one thread at a time, until it is closed.

    Args:
        took: takes records, in whichever thread has them.
        failed: whether a record is one that could not be had.
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
        """Hands records on.

        Raises:
            GaveUp: where one fault follows another.
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
        """Takes nothing more, from threads that come late. Waits for nobody."""
        self._closed = True
