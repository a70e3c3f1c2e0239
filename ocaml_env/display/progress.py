"""Shows progress: a bar on a terminal; elsewhere, as in a log file, plain lines now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, Self, TypeVar

from tqdm import tqdm

__all__ = ["Bar"]

Step = TypeVar("Step")

_EVERY_S = 30.0  # seconds between lines, at least
_EVERY_SHARE = 0.01  # share of the steps between lines, at least


class Bar:
    """Shows the progress of steps. A context manager.

    Args:
        title: the name of the work.
        total: the number of steps; None if it is not known.
        unit: the name of a step, in the plural.
        initial: the number of steps done before.
        passing: True to remove the bar at the end, and to leave out the first and the last line.
        hidden: True to show nothing.
    """

    def __init__(
        self, title: str, total: int | None, unit: str, *, initial: int = 0, passing: bool = False, hidden: bool = False
    ) -> None:
        self._title, self._total, self._unit = title, total, unit
        self._initial = self._told = self._done = initial
        self._passing, self._hidden = passing, hidden
        self._began = self._last = time.monotonic()
        self._bar: tqdm[Any] = tqdm(
            total=total,
            initial=initial,
            desc=title,
            unit=f" {unit}",
            leave=not passing,
            delay=1 if passing else 0,  # seconds
            dynamic_ncols=True,
            disable=True if hidden else None,  # None: if there is no terminal
        )

    def at(self, done: int, figures: str = "") -> None:
        """Shows ``done`` steps as done, with the latest figures."""
        self._done = done
        if self._bar.disable:
            if not self._hidden and self._is_due(done):
                self._tell(done, figures)
            return
        self._bar.set_postfix_str(figures, refresh=False)
        self._bar.update(done - self._bar.n)

    def update(self, more: int = 1) -> None:
        """Shows ``more`` further steps as done."""
        self.at(self._done + more)

    def track(self, steps: Iterable[Step]) -> Iterator[Step]:
        """Yields the steps, and shows each as done when the next one is asked for."""
        for step in steps:
            yield step
            self.update()

    def close(self) -> None:
        self._bar.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _is_due(self, done: int) -> bool:
        if done <= self._told:
            return False
        if not self._passing and (self._told == self._initial or done == self._total):
            return True
        return time.monotonic() - self._last >= _EVERY_S and done - self._told >= _EVERY_SHARE * (self._total or 0)

    def _tell(self, done: int, figures: str) -> None:
        self._told, self._last = done, time.monotonic()
        gone = self._last - self._began
        times = f"{tqdm.format_interval(gone)} gone"
        count = f"{self._title}: {done} {self._unit}"
        if self._total is not None:
            left = gone / (done - self._initial) * (self._total - done)
            times += f", about {tqdm.format_interval(left)} left"
            count = f"{self._title}: {done} of {self._total} {self._unit} ({done / self._total:.0%})"
        parts = [count, figures, times]
        self._bar.write(", ".join(filter(None, parts)), file=sys.stderr)
