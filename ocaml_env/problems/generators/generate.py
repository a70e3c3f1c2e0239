"""Problems without end: one at a given place, or many of which no two ask the same."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence

from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem
from ocaml_env.problems.generators.family import Family, draw
from ocaml_env.problems.generators.source import Request, find_families, find_family

__all__ = ["generate", "generate_all", "generate_many", "problem_of_id"]

_PATIENCE = 1000  # places without a new problem, one after another
_ID = re.compile(r"generated/([a-z_.]+)/([1-5])/([0-9]{1,18})/([0-9]{1,18})", re.ASCII)


def generate(family: str, *, level: int = 1, seed: int = 0, index: int = 0) -> Problem:
    """The problem at this place: the same one for ever.

    Args:
        family: the name of a family.
        level: from 1 (easy) to 5 (hard).
        seed: any whole number from 0; each gives other problems.
        index: which of the problems of this seed.

    Raises:
        ConfigError: where there is no such place.
    """
    request = Request(families=(find_family(family),), levels=(level,), seed=seed)
    if isinstance(index, bool) or not isinstance(index, int) or index < 0:
        raise ConfigError(f"the index of a generated problem must be a whole number from 0, not {index!r}")
    return draw(request.families[0], level, request.seed, index)[0]


def generate_many(
    families: str | Iterable[str] = "all", *, levels: int | Iterable[int] = 1, seed: int = 0, n: int = 100
) -> Iterator[Problem]:
    """That many problems, one at a time; no two of them have the same statement, the same tests or the same reference.

    Families and levels take turns. More problems begin with the same ones as fewer.

    Args:
        families: names of families or topics, or ``all``.
        levels: one level, or several.
        seed: any whole number from 0.
        n: how many.

    Raises:
        ConfigError: where one of these cannot be used, or a family has not as many problems.
    """
    names = [families] if isinstance(families, str) else families
    wanted = (levels,) if isinstance(levels, int) else tuple(levels)
    return generate_all(Request(families=find_families(names), levels=wanted, seed=seed, n=n))


def generate_all(request: Request) -> Iterator[Problem]:
    """The problems of a request."""
    seen: set[bytes] = set()
    places = [_new(family, level, request.seed, seen) for family, level in _turns(request.families, request.levels)]
    for number in range(request.n):
        yield next(places[number % len(places)])


def _turns(families: Sequence[Family], levels: Sequence[int]) -> Iterator[tuple[Family, int]]:
    """Each family at each level once, both changing from one to the next, so that any beginning has some of all."""
    period = math.lcm(len(families), len(levels))
    for number in range(len(families) * len(levels)):
        yield families[number % len(families)], levels[(number + number // period) % len(levels)]


def problem_of_id(problem_id: str) -> Problem:
    """The generated problem with this id.

    Raises:
        ConfigError: where it is not the id of one.
    """
    match = _ID.fullmatch(problem_id)
    if not match:
        raise ConfigError(f"{problem_id!r} is no id of a generated problem: it is generated/FAMILY/LEVEL/SEED/INDEX")
    family, level, seed, index = match.groups()
    return generate(family, level=int(level), seed=int(seed), index=int(index))


def _new(family: Family, level: int, seed: int, seen: set[bytes]) -> Iterator[Problem]:
    """The problems of a family and level that nothing seen before is like."""
    index = made = misses = 0
    while misses < _PATIENCE:
        problem, essence = draw(family, level, seed, index)
        index += 1
        keys = {_digest(problem.statement), _digest(essence), _digest([(t.code, t.stdin) for t in problem.tests])}
        if seen.isdisjoint(keys):
            seen |= keys
            misses = 0
            made += 1
            yield problem
        else:
            misses += 1
    raise ConfigError(f"the family {family.name} has no more than {made} different problems of level {level} here")


def _digest(value: object) -> bytes:
    return hashlib.blake2b(json.dumps(value).encode(), digest_size=16).digest()
