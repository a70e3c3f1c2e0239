"""When to try again, and when to give up: one policy on infrastructure errors for model servers, services and runs.

A request that fails in passing is sent again after growing pauses. An error that stays hits one candidate or sample,
and the others go on. Many such errors in a row mean that the next one would fail too: they end the batch or the run.
"""

from __future__ import annotations

import email.utils
import random
import threading
import time
from dataclasses import dataclass

__all__ = ["CANDIDATES_IN_A_ROW", "SAMPLES_IN_A_ROW", "ErrorLimit", "Pauses", "seconds_of"]

CANDIDATES_IN_A_ROW = 5
"""Failures of the engine that end a batch. The engine has tried each candidate again in a new process."""

SAMPLES_IN_A_ROW = 30
"""Failed samples that end an evaluation: more, because a prompt can be too long for all samples of a problem."""


@dataclass(frozen=True, kw_only=True)
class Pauses:
    """Pauses between the tries of a request: each twice as long as the one before, up to a limit.

    Attributes:
        first: seconds before the second try.
        longest: most seconds of a pause.
    """

    first: float = 0.5
    longest: float = 120.0

    def after(self, tries: int, wish: float = 0.0) -> float:
        """Seconds to wait after so many failed tries, and at least as long as the server wishes.

        They vary by chance, so that many clients do not come back at the same moment.
        """
        return max(wish, min(self.first * 2.0 ** min(tries - 1, 60), self.longest)) * random.uniform(1.0, 1.25)


def seconds_of(retry_after: str | None) -> float | None:
    """Reads the header ``Retry-After``, seconds or a date, as seconds from now; None if it tells nothing."""
    if retry_after is None:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return None


class ErrorLimit:
    """Counts infrastructure errors in a row. Safe for threads.

    Args:
        most: the number in a row that is too many.

    Attributes:
        reached: set once there were too many.
        in_a_row: errors since the last success.
    """

    def __init__(self, most: int) -> None:
        self.reached = threading.Event()
        self.in_a_row = 0
        self._most = most
        self._lock = threading.Lock()

    def count(self, *, failed: bool) -> None:
        """Counts an error, or a success that ends a row of them."""
        with self._lock:
            self.in_a_row = self.in_a_row + 1 if failed else 0
            if self.in_a_row >= self._most:
                self.reached.set()
