"""The part of OCaml's standard library used by problems, in Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ocaml_env.kills.interpreter.errors import Unsupported
from ocaml_env.kills.interpreter.library import (
    arrays,
    channels,
    lazily,
    lists,
    maps,
    numbers,
    options,
    sequences,
    strings,
    tables,
)
from ocaml_env.kills.interpreter.library.names import CONSTRUCTORS

__all__ = ["CONSTRUCTORS", "VALUES", "module_value", "modules"]

VALUES: dict[str, Any] = {}
"""The value of each name of the library, with its module's path; names of ``Stdlib`` have no path."""
for _module in (numbers, lists, strings, arrays, sequences, options, lazily, tables, channels):
    VALUES |= _module.VALUES

_FUNCTORS: dict[str, Callable[[Any], dict[str, Any]]] = {**maps.FUNCTORS, **tables.FUNCTORS}


@cache
def modules() -> frozenset[str]:
    """The paths of the known modules and functors."""
    paths = {name.rpartition(".")[0] for name in VALUES if name[0].isalpha()} - {""}
    return frozenset({"Stdlib", *paths, *_FUNCTORS})


@cache
def module_value(path: str) -> Any:
    """A module as a value for functors: its members by name. A functor is a function of one argument.

    Raises:
        Unsupported: the module is unknown.
    """
    path = path.removeprefix("Stdlib.")
    if path in _FUNCTORS:
        return _FUNCTORS[path]
    if path not in modules():
        raise Unsupported(f"the module {path} is not known")
    prefix = path + "."
    return {name.removeprefix(prefix): value for name, value in VALUES.items() if name.startswith(prefix)}
