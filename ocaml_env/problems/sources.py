"""Problems by name, for all programs: one source, or several with ``+`` between them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence

from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problem import Problem
from ocaml_env.problem.record import nearest
from ocaml_env.problems.load import ProblemSet, load_problems
from ocaml_env.problems.rows import read_rows

__all__ = ["digest_of", "problem_of_id", "read_sets", "register_source", "solved_examples", "spread"]

_REGISTERED: dict[str, Callable[[str], Iterable[Problem]]] = {}
"""Sources added by other packages: the agents have ``tiny:``."""


def read_sets(text: str) -> ProblemSet:
    """The problems of one source, or of several with ``+`` between them. Bad rows are left out, and ``note`` tells why.

    Raises:
        ConfigError: a source cannot be read or is empty.
    """
    sources = [source.strip() for source in text.split("+")]
    sets = [_read_set(source) for source in sources]
    problems = [problem for found in sets for problem in found]
    if not problems:
        raise ConfigError(f"there are no problems in {text!r}")
    notes = [f"{found.name}: {found.note}" for found in sets if isinstance(found, ProblemSet) and found.note]
    return ProblemSet(problems, name=text, note="; ".join(notes))


def solved_examples(count: int, source: str) -> tuple[Problem, ...]:
    """``count`` short solved problems of different kinds, to show in prompts.

    Raises:
        ConfigError: there are too few, or one of them belongs to an evaluation.
    """
    if not count:
        return ()
    solved = [problem for problem in read_sets(source) if problem.reference.strip()]
    solved.sort(key=lambda problem: (len(problem.reference), problem.id))
    easy = solved[: max(count * 4, 8)]  # short ones, of different kinds
    shots = tuple(easy[index * len(easy) // count] for index in range(min(count, len(easy))))
    if len(shots) < count:
        raise ConfigError(f"shots is {count}, and {source!r} has {len(shots)} with a reference")
    if any(problem.split == "eval" for problem in shots):
        raise ConfigError("shot_problems holds problems of an evaluation split, which no prompt may give away")
    return shots


def problem_of_id(problem_id: str) -> Problem:
    """The problem of an id that says where it comes from: a bundled or generated one, a repair of such a one, or a row
    of a user's set, as ``FILE:ID``.

    Raises:
        ConfigError: if there is none; the message names the nearest id.
        ProblemError: if the row makes no problem.
    """
    if problem_id.startswith("generated/"):
        from ocaml_env.problems import generators  # a slow import, needed only here

        return generators.problem_of_id(problem_id)
    if problem_id.startswith("repair/"):
        from ocaml_env.problems.repair import repair_of_id  # likewise

        return repair_of_id(problem_id, problem_of_id)
    colons = [place for place, char in enumerate(problem_id) if char == ":"]
    for colon in colons:
        if os.path.exists(problem_id[:colon]):
            return _problem_of_row(problem_id[:colon], problem_id[colon + 1 :])
    if colons and os.sep in problem_id[: colons[0]]:
        raise ConfigError(f"there is no file {problem_id[: colons[0]]!r}, of whose rows one is {problem_id!r}")
    return load_problems("bundled").get(problem_id)


def _problem_of_row(source: str, wanted: str) -> Problem:
    """The problem of a row, by its id or its number. The other rows may be bad."""
    known: list[str] = []
    for row in read_rows(source):
        if wanted in (row.id, row.place):
            if row.problem is None:
                raise ProblemError(f"{source}: {row.error}", problem_id=wanted)
            return row.problem
        known.append(row.id)
    raise ConfigError(f"{source} has no problem {wanted!r}{nearest(wanted, known)}")


def digest_of(problems: Sequence[Problem]) -> str:
    """SHA-256 over the digests of problems, in their order."""
    return hashlib.sha256("".join(problem.digest for problem in problems).encode()).hexdigest()


def spread(problems: Sequence[Problem], count: int) -> list[Problem]:
    """``count`` evenly chosen problems; all of them if there are no more, or if ``count`` is 0."""
    if count == 0 or count >= len(problems):
        return list(problems)
    return [problems[index * len(problems) // count] for index in range(count)]


def register_source(prefix: str, read: Callable[[str], Iterable[Problem]]) -> None:
    """Makes ``prefix:...`` a source of problems. ``read`` takes the whole text. Registering again replaces."""
    _REGISTERED[prefix] = read


def _read_set(source: str) -> Iterable[Problem]:
    registered = _REGISTERED.get(source.partition(":")[0])
    return load_problems(source, skip_bad=True) if registered is None else registered(source)
