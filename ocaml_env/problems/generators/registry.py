"""All families, by name.

A module of ``ideas`` has a family's levels 3 to 5; the module of the same name in ``small`` has its tasks of levels 1
and 2. Modules that exist only in ``small`` are families of these two levels.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from types import ModuleType

from ocaml_env.problems.generators import ideas, small
from ocaml_env.problems.generators.family import Family

__all__ = ["FAMILIES"]


def _modules(package: ModuleType) -> dict[str, ModuleType]:
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return {name: import_module(f"{package.__name__}.{name}") for name in names}


def _families() -> Iterator[Family]:
    tables = _modules(small)
    for name, module in _modules(ideas).items():
        tasks = tables.pop(name).TASKS if name in tables else ()
        yield replace(module.FAMILY, tasks=tasks)
    for module in tables.values():
        if hasattr(module, "FAMILY"):
            yield module.FAMILY


FAMILIES: dict[str, Family] = {family.name: family for family in sorted(_families(), key=lambda family: family.name)}
