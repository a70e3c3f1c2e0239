"""Every family, by name."""

from __future__ import annotations

from types import ModuleType

from ocaml_env.problems.generators import (
    arithmetic,
    bits,
    folds,
    higher_order,
    lists,
    maps,
    options,
    patterns,
    polymorphism,
    records,
    recursion,
    sequences,
    strings,
    trees,
    variants,
)
from ocaml_env.problems.generators.family import Family

__all__ = ["FAMILIES"]

_MODULES: tuple[ModuleType, ...] = (
    arithmetic,
    bits,
    folds,
    higher_order,
    lists,
    maps,
    options,
    patterns,
    polymorphism,
    records,
    recursion,
    sequences,
    strings,
    trees,
    variants,
)

FAMILIES: dict[str, Family] = {family.name: family for module in _MODULES for family in module.FAMILIES}
