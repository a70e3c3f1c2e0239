"""Every family, by name."""

from __future__ import annotations

from types import ModuleType

from ocaml_env.problems.generators import (
    arithmetic,
    arrays,
    automata,
    bits,
    dynamic,
    exceptions,
    expressions,
    folds,
    gadts,
    graphs,
    higher_order,
    lists,
    machines,
    maps,
    modules,
    options,
    parsing,
    patterns,
    polymorphism,
    programs,
    records,
    recursion,
    sequences,
    simulation,
    sorting,
    strings,
    trees,
    units,
    variants,
)
from ocaml_env.problems.generators.family import Family

__all__ = ["FAMILIES"]

_MODULES: tuple[ModuleType, ...] = (
    arithmetic,
    arrays,
    automata,
    bits,
    dynamic,
    exceptions,
    expressions,
    folds,
    gadts,
    graphs,
    higher_order,
    lists,
    machines,
    maps,
    modules,
    options,
    parsing,
    patterns,
    polymorphism,
    programs,
    records,
    recursion,
    sequences,
    simulation,
    sorting,
    strings,
    trees,
    units,
    variants,
)

FAMILIES: dict[str, Family] = {family.name: family for module in _MODULES for family in module.FAMILIES}
