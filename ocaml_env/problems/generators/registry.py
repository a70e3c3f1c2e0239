"""Every family, by name."""

from __future__ import annotations

from types import ModuleType

from ocaml_env.problems.generators import arithmetic, bits, folds, lists, options, records, recursion, strings
from ocaml_env.problems.generators.family import Family

__all__ = ["FAMILIES"]

_MODULES: tuple[ModuleType, ...] = (lists, folds, arithmetic, bits, options, records, recursion, strings)

FAMILIES: dict[str, Family] = {family.name: family for module in _MODULES for family in module.FAMILIES}
