"""How far something is: a bar on a terminal; elsewhere, as in a log file, plain lines now and then."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

from tqdm import tqdm

__all__ = ["Bar"]

_EVERY_S = 30.0  # Lines are told at most so often,
_EVERY_SHARE = 0.01  # and at most so many of a long run.


class Bar:
    """Steps of a known number. A context manager.

    Args:
        title: what is done.
        total: how many steps there are.
        unit: what a step is called, in the plural.
        initial: steps that were done before.
        passing: whether it only matters while it lasts: the bar goes away, and of lines neither first nor last is told.
        hidden: whether nothing is shown.
    """

    def __init__(
        self, title: str, total: int, unit: str, *, initial: int = 0, passing: bool = False, hidden: bool = False
    ) -> None:
        self._title, self._total, self._unit = title, total, unit
        self._initial = self._told = initial
        self._passing, self._hidden = passing, hidden
        self._began = self._last = time.monotonic()
        self._bar: tqdm[Any] = tqdm(
            total=total,
            initial=initial,
            desc=title,
            unit=f" {unit}",
            leave=not passing,
            dynamic_ncols=True,
            disable=True if hidden else None,  # None: if there is no terminal
        )

    def at(self, done: int, figures: str = "") -> None:
        """Shows that so many steps are done, with the latest figures."""
        if self._bar.disable:
            if not self._hidden and self._is_due(done):
                self._tell(done, figures)
            return
        self._bar.set_postfix_str(figures, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _is_due(self, done: int) -> bool:
        if done <= self._told:
            return False
        if not self._passing and (self._told == self._initial or done == self._total):
            return True
        return time.monotonic() - self._last >= _EVERY_S and done - self._told >= _EVERY_SHARE * self._total

    def _tell(self, done: int, figures: str) -> None:
        self._told, self._last = done, time.monotonic()
        gone = self._last - self._began
        left = gone / (done - self._initial) * (self._total - done)
        times = f"{tqdm.format_interval(gone)} gone, about {tqdm.format_interval(left)} left"
        parts = [f"{self._title}: {done} of {self._total} {self._unit} ({done / self._total:.0%})", figures, times]
        print(", ".join(filter(None, parts)), file=sys.stderr, flush=True)  # where the bar would be
