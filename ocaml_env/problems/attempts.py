"""Counts attempts at problems in a file, and sets the ``solve_rate`` of problems from the counts.

The file is JSON. For each problem id it holds the number of attempts, the number of solved ones, and the problem's
digest at that time. If a problem's tests have changed since, its counts are ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem
from ocaml_env.problems.load import ProblemSet

__all__ = ["Attempts", "read_attempts", "record_attempts", "with_solve_rates"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """The attempts at one problem.

    Attributes:
        digest: of the problem, ``Problem.digest``.
        attempts: number of evaluated answers.
        solved: number of answers that passed.
    """

    digest: str
    attempts: int
    solved: int

    @property
    def rate(self) -> float:
        return self.solved / self.attempts if self.attempts else 0.0


def read_attempts(path: str | os.PathLike[str]) -> dict[str, Attempts]:
    """The counts in a file, by problem id.

    Raises:
        ConfigError: the file does not have this form; the message names the problem.
        OSError: the file cannot be read.
    """
    try:
        data = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: it must be an object with an entry a problem")
    counts = {}
    for name, entry in data.items():
        try:
            counts[name] = Attempts(**entry)
            valid = 0 <= counts[name].solved <= counts[name].attempts
        except TypeError:
            valid = False
        if not valid:
            raise ConfigError(f"{path}: the entry of {name!r} must hold digest, attempts and solved, not {entry!r}")
    return counts


def record_attempts(path: str | os.PathLike[str], results: Iterable[tuple[Problem, bool]]) -> dict[str, Attempts]:
    """Adds evaluated answers to the counts in a file, and returns all counts. A missing file is created.

    Args:
        path: the file; it is replaced as a whole, so an interruption loses nothing.
        results: one entry for each answer: its problem, and True if it solved the problem.
    """
    counts = read_attempts(path) if os.path.exists(path) else {}
    for problem, solved in results:
        known = counts.get(problem.id)
        if known is None or known.digest != problem.digest:
            known = Attempts(digest=problem.digest, attempts=0, solved=0)
        counts[problem.id] = replace(known, attempts=known.attempts + 1, solved=known.solved + bool(solved))
    text = json.dumps({name: asdict(entry) for name, entry in sorted(counts.items())}, indent=1)
    scratch = Path(f"{os.fspath(path)}.new")
    scratch.write_text(text + "\n", encoding="utf-8")
    scratch.replace(path)
    return counts


def with_solve_rates(problems: ProblemSet, attempts: Mapping[str, Attempts]) -> ProblemSet:
    """The same problems, with their solve rates if there are counts."""

    def known(problem: Problem) -> Problem:
        entry = attempts.get(problem.id)
        if entry is None or entry.digest != problem.digest or not entry.attempts:
            return problem
        return replace(problem, solve_rate=entry.rate)

    return ProblemSet(map(known, problems), name=problems.name)
