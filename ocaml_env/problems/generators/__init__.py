"""Generated problems: families of them at levels 1 to 5, with any number of problems each.

The same family, level, seed and index give the same problem on every machine, for one edition of the generators. Levels
1 and 2 are tables of small tasks (``small``); their reference defines their meaning. From level 3 on, a family
(``ideas``) composes operations. Each operation has its English, its OCaml and its meaning in one place. ``choose``
selects tests that kill every wrong variant of the reference.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ocaml_env.problems.generators.family import LEVELS, Family
from ocaml_env.problems.generators.generate import generate, generate_all, generate_many, problem_of_id
from ocaml_env.problems.generators.registry import FAMILIES
from ocaml_env.problems.generators.source import Request, parse_source

__all__ = [
    "LEVELS",
    "Family",
    "Request",
    "families",
    "generate",
    "generate_all",
    "generate_many",
    "parse_source",
    "problem_of_id",
]


def families() -> Mapping[str, Family]:
    """All families, by name."""
    return MappingProxyType(FAMILIES)
