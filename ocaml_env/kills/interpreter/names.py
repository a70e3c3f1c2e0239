"""Resolves constructors and fields in a scope."""

from __future__ import annotations

from ocaml_env.kills.interpreter.data import Constant, Shape, Tag, polymorphic_rank
from ocaml_env.kills.interpreter.errors import Unsupported
from ocaml_env.kills.interpreter.library import CONSTRUCTORS
from ocaml_env.kills.interpreter.scope import Scope, Static

__all__ = ["constructor", "field_place", "record_shape", "static_at"]

_POLYMORPHIC: dict[tuple[str, bool], Constant | Tag] = {}


def constructor(name: str, scope: Scope, applied: bool) -> Constant | Tag:
    """The constructor of this name, which may have a path.

    Types are unknown here: of several types with this name, the latest counts. A name out of scope is looked up in the
    known modules.
    """
    if name[0] == "`":
        rank = polymorphic_rank(name[1:])
        return _POLYMORPHIC.setdefault((name, applied), Tag(name, rank, 1) if applied else Constant(name, rank))
    path, _, last = name.rpartition(".")
    found: Constant | Tag | None
    if path:
        static = static_at(path, scope)
        found = static.constructors.get(last) if static else CONSTRUCTORS.get(name.removeprefix("Stdlib."))
        found = found or (CONSTRUCTORS.get(last) if path == "Stdlib" else None)
    else:
        found = scope.constructors.get(name) or CONSTRUCTORS.get(name)
        if found is None:
            found = next((c for _, s in scope.modules.values() if (c := s.constructors.get(name))), None)
    if found is None:
        raise Unsupported(f"the constructor {name} is not known")
    return found


def static_at(path: str, scope: Scope) -> Static | None:
    """The known facts about a module of the program, by its path; None if the program has no such module."""
    first, *rest = path.split(".")
    if first not in scope.modules:
        return None
    static = scope.modules[first][1]
    for name in rest:
        static = static.modules.get(name, Static())
    return static


def record_shape(names: tuple[str, ...], scope: Scope) -> Shape:
    """The latest record type with exactly these fields."""
    wanted = {name.rpartition(".")[2] for name in names}
    for shape in _shapes(names[0], scope):
        if wanted == shape.places.keys():
            return shape
    raise Unsupported(f"no type of records has the fields {', '.join(names)}")


def field_place(name: str, scope: Scope) -> int:
    """The place of a field in all record types with this field, or 0 if the types differ."""
    last = name.rpartition(".")[2]
    places = {shape.places[last] for shape in _shapes(name, scope)}
    return places.pop() if len(places) == 1 else 0


def _shapes(name: str, scope: Scope) -> tuple[Shape, ...]:
    path, _, last = name.rpartition(".")
    static = static_at(path, scope) if path else None
    found = static.shapes.get(last, ()) if static else scope.shapes.get(last, ())
    if not found:
        found = tuple(shape for _, s in scope.modules.values() for shape in s.shapes.get(last, ()))
    return found
