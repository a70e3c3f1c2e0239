"""Draws generated problems in another process, one after another, so that this one can go on with its work.

    python -m ocaml_env.problems.drawer

Reads one place a line, as ``FAMILY/LEVEL/SEED/INDEX``. Writes its problem as a line of JSON, or ``null`` if the
family has none there. The process ends at the end of its input, and so with its caller.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from typing import IO

from ocaml_env.errors import EngineError
from ocaml_env.problem import Problem
from ocaml_env.problem.record import problem_from_record, problem_to_record
from ocaml_env.problems.drawn import DrawnBefore
from ocaml_env.problems.generators import families

__all__ = ["Drawer"]


class Drawer:
    """A process that draws problems. It starts with the first draw, and keeps problems in the cache folder.

    May be used by several threads: it draws one problem at a time.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._one_at_a_time = threading.Lock()

    def draw(self, family: str, level: int, seed: int, index: int) -> Problem | None:
        """The problem at a place; None if the family has none there.

        Raises:
            EngineError: the process died.
        """
        place = f"{family}/{level}/{seed}/{index}"
        with self._one_at_a_time:
            process = self._process = self._process or _start()
            assert process.stdin is not None
            assert process.stdout is not None
            with contextlib.suppress(BrokenPipeError):  # then it has no answer either
                process.stdin.write(f"{place}\n")
                process.stdin.flush()
            line = process.stdout.readline()
        if not line.endswith("\n"):
            raise EngineError(f"the process that draws problems died at {place}")
        record = json.loads(line)
        return None if record is None else problem_from_record(record, where=place)

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


def _start() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "ocaml_env.problems.drawer"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def main(places: IO[str], problems: IO[str]) -> None:
    """Draws the places of one stream into another."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupted training closes the input when it has saved
    known = DrawnBefore.of_cache()
    for place in places:
        name, level, seed, index = place.strip().split("/")
        try:
            problem = known.draw(families()[name], int(level), int(seed), int(index)).problem
        except EngineError:  # no draft of this place makes a good problem, and none ever will
            problem = None
        known.save()
        problems.write(json.dumps(problem_to_record(problem) if problem else None) + "\n")
        problems.flush()


if __name__ == "__main__":
    main(sys.stdin, sys.stdout)
