"""Reads requests for generated problems, such as ``generated:lists?level=2&seed=7&n=1000``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ocaml_env.errors import ConfigError
from ocaml_env.problem.record import nearest
from ocaml_env.problems.generators.family import LEVELS, Family
from ocaml_env.problems.generators.registry import FAMILIES
from ocaml_env.problems.generators.wording import series

__all__ = ["Request", "easiest", "find_families", "find_family", "parse_source", "read_levels", "topics"]

_PARAMETERS = ("level", "split", "seed", "n")
_PREFIX = "generated:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The number of problems, their families and levels, and the seed.

    Raises:
        ConfigError: it cannot be met.
    """

    families: tuple[Family, ...]
    levels: tuple[int, ...] = (1,)
    seed: int = 0
    n: int = 100

    def __post_init__(self) -> None:
        if not self.families or not self.levels:
            raise ConfigError("name at least one family and one level of generated problems")
        for level in self.levels:
            if isinstance(level, bool) or level not in LEVELS:
                raise ConfigError(f"the level of generated problems must be from 1 to 5, not {level!r}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise ConfigError(f"the seed of generated problems must be a whole number from 0, not {self.seed!r}")
        if isinstance(self.n, bool) or not isinstance(self.n, int) or self.n < 1:
            raise ConfigError(f"n, the number of generated problems, must be a whole number from 1, not {self.n!r}")
        if not self.places:
            known = "; ".join(f"{family.name} has {series([*map(str, family.levels)])}" for family in self.families[:5])
            raise ConfigError(f"no family that is named has level {series([*map(str, self.levels)], 'or')}: {known}")

    @property
    def places(self) -> tuple[tuple[Family, int], ...]:
        """Each family at each of its levels. Both change from one place to the next, so that any beginning is a
        mixture.
        """
        families, levels = self.families, self.levels
        period = math.lcm(len(families), len(levels))
        turns = [
            (families[number % len(families)], levels[(number + number // period) % len(levels)])
            for number in range(len(families) * len(levels))
        ]
        return tuple((family, level) for family, level in turns if level in family.levels)


def topics() -> tuple[str, ...]:
    """All topics of the families, sorted."""
    return tuple(sorted({topic for family in FAMILIES.values() for topic in family.topics}))


def find_family(name: str) -> Family:
    """The family with this name.

    Raises:
        ConfigError: there is none; the message names the nearest.
    """
    try:
        return FAMILIES[name]
    except KeyError:
        raise ConfigError(f"there is no family {name!r} of generated problems{nearest(name, FAMILIES)}") from None


def find_families(names: Iterable[str]) -> tuple[Family, ...]:
    """The families given by names of families, by topics, or by ``all``; each once.

    Raises:
        ConfigError: a name is none of these; the message names the nearest.
    """
    found: dict[str, Family] = {}
    for name in names:
        chosen = {key: family for key, family in FAMILIES.items() if name in ("all", key, *family.topics)}
        if not chosen:
            known = ("all", *topics(), *FAMILIES)
            hint = nearest(name, known) or f"; topics are {', '.join(topics())}"
            raise ConfigError(f"there is no family or topic {name!r} of generated problems{hint}")
        found.update(chosen)
    return tuple(found.values())


def parse_source(source: str) -> Request:
    """Reads ``generated:NAMES?level=L&split=train&seed=S&n=N``; the parameters may be left out.

    Args:
        source: names of families or topics, with commas between them, or ``all``; a level or a range such as ``1-3``;
            ``train`` or ``eval`` for families of that split alone; a seed; and the number of problems.

    Raises:
        ConfigError: it says something else; the message tells what.
    """
    names, _, query = source.removeprefix(_PREFIX).partition("?")
    given = _parameters(source, query)
    families = find_families(name.strip() for name in names.split(","))
    return Request(
        families=_of_split(families, given["split"]) if "split" in given else families,
        levels=read_levels(given["level"]) if "level" in given else (easiest(families),),
        seed=_whole("seed", given.get("seed", "0")),
        n=_whole("n", given.get("n", "100")),
    )


def easiest(families: Iterable[Family]) -> int:
    """The lowest level of the families."""
    return min(level for family in families for level in family.levels)


def _of_split(families: Iterable[Family], split: str) -> tuple[Family, ...]:
    if split not in ("train", "eval"):
        raise ConfigError(f"the split of generated problems must be train or eval, not {split!r}")
    chosen = tuple(family for family in families if family.split == split)
    if not chosen:
        raise ConfigError(f"no family that is named belongs to the split {split}")
    return chosen


def _parameters(source: str, query: str) -> dict[str, str]:
    given: dict[str, str] = {}
    for part in query.split("&") if query else ():
        name, equals, value = part.partition("=")
        if name not in _PARAMETERS:
            raise ConfigError(f"{source!r}: generated problems have no parameter {name!r}{nearest(name, _PARAMETERS)}")
        if not equals or name in given:
            raise ConfigError(f"{source!r}: give {name} once, and as {name}=...")
        given[name] = value
    return given


def read_levels(text: str) -> tuple[int, ...]:
    """The levels of a level or a range such as ``1-3``.

    Raises:
        ConfigError: the text is neither.
    """
    match = re.fullmatch(r"([1-5])(?:-([1-5]))?", text, re.ASCII)
    if not match or int(match[2] or match[1]) < int(match[1]):
        raise ConfigError(f"the level of generated problems must be from 1 to 5, or a range such as 1-3, not {text!r}")
    return tuple(range(int(match[1]), int(match[2] or match[1]) + 1))


def _whole(name: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", text, re.ASCII):
        raise ConfigError(f"{name} of generated problems must be a whole number, not {text!r}")
    return int(text)
