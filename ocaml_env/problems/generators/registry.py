"""Every family, by name: each module of ``ideas`` has one."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from ocaml_env.problems.generators import ideas
from ocaml_env.problems.generators.family import Family

__all__ = ["FAMILIES"]

_MODULES = [
    import_module(f"{ideas.__name__}.{name}") for name in sorted(m.name for m in pkgutil.iter_modules(ideas.__path__))
]

FAMILIES: dict[str, Family] = {module.FAMILY.name: module.FAMILY for module in _MODULES}
