"""Generates problems: one at a given place, or any number."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem
from ocaml_env.problems.generators.family import EDITION, Drawn, Family, draw
from ocaml_env.problems.generators.source import Request, easiest, find_families, find_family

__all__ = ["Draw", "generate", "generate_all", "generate_many", "problem_of_id"]

Draw: TypeAlias = Callable[[Family, int, int, int], Drawn]

_PATIENCE = 12  # repeated problems in a row before one is accepted
_ID = re.compile(r"generated/([0-9]{1,4})/([a-z_.]+)/([1-5])/([0-9]{1,18})/([0-9]{1,18})", re.ASCII)


def generate(family: str, *, level: int | None = None, seed: int = 0, index: int = 0) -> Problem:
    """The problem at this place: the same on every machine, for this edition of the generators.

    Args:
        family: the name of a family.
        level: from 1 (easy) to 5 (hard); by default the family's easiest.
        seed: any whole number from 0; each gives other problems.
        index: the number of the problem for this seed, from 0.

    Raises:
        ConfigError: there is no such place.
    """
    found = find_family(family)
    level = easiest([found]) if level is None else level
    request = Request(families=(found,), levels=(level,), seed=seed)
    if isinstance(index, bool) or not isinstance(index, int) or index < 0:
        raise ConfigError(f"the index of a generated problem must be a whole number from 0, not {index!r}")
    return draw(found, level, request.seed, index).problem


def generate_many(
    families: str | Iterable[str] = "all", *, levels: int | Iterable[int] = 1, seed: int = 0, n: int = 100
) -> Iterator[Problem]:
    """Generates ``n`` problems one at a time; no two have the same statement, tests or reference.

    Families and levels take turns. With a larger ``n``, the first problems stay the same. If a family runs out of new
    problems, it repeats statements with other tests.

    Args:
        families: names of families or topics, or ``all``.
        levels: one level, or several.
        seed: any whole number from 0.
        n: number of problems.

    Raises:
        ConfigError: an argument is invalid, or no family has one of the levels.
    """
    names = [families] if isinstance(families, str) else families
    wanted = (levels,) if isinstance(levels, int) else tuple(levels)
    return generate_all(Request(families=find_families(names), levels=wanted, seed=seed, n=n))


def generate_all(request: Request, *, draw: Draw = draw) -> Iterator[Problem]:
    """The problems of a request.

    Args:
        request: families, levels, seed and number.
        draw: returns the problem at a place, from a cache perhaps.
    """
    seen: set[bytes] = set()
    places = [_new(draw, family, level, request.seed, seen) for family, level in request.places]
    for number in range(request.n):
        yield next(places[number % len(places)])


def problem_of_id(problem_id: str) -> Problem:
    """The generated problem with this id.

    Raises:
        ConfigError: it is not such an id, or belongs to another edition of the generators.
    """
    match = _ID.fullmatch(problem_id)
    if not match:
        raise ConfigError(
            f"{problem_id!r} is no id of a generated problem: it is generated/EDITION/FAMILY/LEVEL/SEED/INDEX"
        )
    edition, family, level, seed, index = match.groups()
    if int(edition) != EDITION:
        raise ConfigError(
            f"{problem_id!r} is of edition {edition} of the generators, and this is edition {EDITION}: the version of "
            "ocaml-env that made it has the problem"
        )
    return generate(family, level=int(level), seed=int(seed), index=int(index))


def _new(draw: Draw, family: Family, level: int, seed: int, seen: set[bytes]) -> Iterator[Problem]:
    """The problems of a family and level, without repetitions of seen ones until the family has run out of new ones."""
    misses = 0
    for index in itertools.count():
        problem, essence = draw(family, level, seed, index)
        keys = {_digest(problem.statement), _digest(essence), _digest([(t.code, t.stdin) for t in problem.tests])}
        if misses < _PATIENCE:  # a search for each further problem of a family without new ones would take hours
            misses = 0 if seen.isdisjoint(keys) else misses + 1
        if misses in (0, _PATIENCE):
            seen |= keys
            yield problem


def _digest(value: object) -> bytes:
    return hashlib.blake2b(json.dumps(value).encode(), digest_size=16).digest()
