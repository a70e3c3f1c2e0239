"""The meaning of names at a place of a program, known before it runs.

Each frame of a function holds copies of the outer variables that it uses, so a variable is a slot of one list. Deriving
the same scope twice gives the same object: code compiled in a scope is found again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ocaml_env.kills.interpreter import tree
from ocaml_env.kills.interpreter.data import Constant, Shape, Tag
from ocaml_env.kills.interpreter.tree import Node, children

__all__ = ["Place", "Scope", "Static", "binders", "mentions", "pattern_names"]


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a value: a frame slot, then members of modules. An unlabelled function has an ``arity``."""

    slot: int
    arity: int | None = None
    members: tuple[str, ...] = ()
    library: str = ""


@dataclass(slots=True)
class Static:
    """The known facts about a module; ``values`` is None if its values are unknown, ``result`` is set for a functor."""

    values: set[str] | None = None
    modules: dict[str, Static] = field(default_factory=dict)
    constructors: dict[str, Constant | Tag] = field(default_factory=dict)
    shapes: dict[str, tuple[Shape, ...]] = field(default_factory=dict)
    module_types: dict[str, Static] = field(default_factory=dict)
    result: Static | None = None


class Scope:
    """The names known at a place.

    Attributes:
        values: their places.
        modules: their places and known facts.
        constructors: by name, with those of exceptions.
        shapes: record types by the name of a field, the latest first.
        module_types: by name.
        size: the next free slot.
        loop: slot and number of parameters of the enclosing function, for calls of itself.
    """

    __slots__ = ("constructors", "derived", "loop", "module_types", "modules", "shapes", "size", "values")

    def __init__(
        self,
        values: Mapping[str, Place],
        modules: Mapping[str, tuple[Place, Static]],
        constructors: Mapping[str, Constant | Tag],
        shapes: Mapping[str, tuple[Shape, ...]],
        module_types: Mapping[str, Static],
        size: int,
        loop: tuple[int, int] | None,
    ) -> None:
        self.values = values
        self.modules = modules
        self.constructors = constructors
        self.shapes = shapes
        self.module_types = module_types
        self.size = size
        self.loop = loop
        self.derived: dict[Any, Any] = {}

    def changed(self, **changes: Any) -> Scope:
        """A scope with other parts; not remembered."""
        parts = {name: getattr(self, name) for name in self.__slots__ if name != "derived"}
        return Scope(**parts | changes)

    def bind(self, names: tuple[tuple[str, int | None], ...]) -> Scope:
        """The scope with variables in the next slots, each with its number of parameters if it is a known function."""
        if not names:
            return self
        found: Scope | None = self.derived.get(names)
        if found is None:
            values = dict(self.values)
            for slot, (name, arity) in enumerate(names, start=self.size):
                values[name] = Place(slot, arity)
            found = self.derived[names] = self.changed(values=values, size=self.size + len(names))
        return found

    def bind_module(self, name: str, static: Static) -> Scope:
        """The scope with a module in the next slot."""
        key = (name, id(static))
        found: tuple[Scope, Static] | None = self.derived.get(key)
        if found is None:
            modules = {**self.modules, name: (Place(self.size), static)}
            found = self.derived[key] = (self.changed(modules=modules, size=self.size + 1), static)
        return found[0]

    def inside(self, params: tuple[str, ...], used: frozenset[str], recursive: str) -> tuple[Scope, tuple[int, ...]]:
        """The scope of a function's body, and the slots to copy into its frame.

        Args:
            params: the names of the parameters, "" for a pattern.
            used: names that the body may use.
            recursive: the function's name for calls of itself, or "".
        """
        key = (params, used & (self.values.keys() | self.modules.keys()), recursive)
        found: tuple[Scope, tuple[int, ...]] | None = self.derived.get(key)
        if found is not None:
            return found
        slots: dict[int, int] = {}

        def copied(place: Place) -> Place:
            if place.slot < 0:
                return place
            slot = slots.setdefault(place.slot, len(params) + len(slots))
            return Place(slot, place.arity, place.members)

        values = {name: copied(place) for name, place in self.values.items() if name in used or place.slot < 0}
        modules = {
            name: (copied(place), static)
            for name, (place, static) in self.modules.items()
            if name in used or place.slot < 0
        }
        loop = None
        if recursive and recursive in values and recursive not in params:
            loop = (values[recursive].slot, len(params))
        for slot, name in enumerate(params):
            if name:
                values[name] = Place(slot)
        size = len(params) + len(slots)
        found = self.derived[key] = (self.changed(values=values, modules=modules, size=size, loop=loop), tuple(slots))
        return found


_MENTIONS: dict[type[Node], tuple[str, ...]] = {
    tree.Var: ("name",),
    tree.Infix: ("operator",),
    tree.Prefix: ("operator",),
    tree.OperatorBinding: ("operator",),
    tree.ModulePath: ("path",),
}


def mentions(node: Node, known: dict[Node, frozenset[str]]) -> frozenset[str]:
    """The names of values and modules in a node: the first part of each path."""
    found = known.get(node)
    if found is None:
        names: set[str] = set()
        for attribute in _MENTIONS.get(type(node), ()):
            name = getattr(node, attribute)
            names.add(name.partition(".")[0] if name[0].isalpha() else name)
        for _, _, child in children(node):
            names |= mentions(child, known)
        found = known[node] = frozenset(names)
    return found


_FUNCTIONS = (tree.Fun, tree.Function, tree.Functor, tree.Lazy)


def binders(node: Node, known: dict[Node, int]) -> int:
    """An upper bound on the slots used at once by the evaluation of a node, without the functions in it."""
    found = known.get(node)
    if found is None:
        found = 1 if isinstance(node, tree.VarPattern | tree.Alias | tree.UnpackPattern | tree.Module | tree.For) else 0
        if isinstance(node, tree.Open | tree.Include):
            found += 1
        for _, _, child in children(node):
            if not isinstance(child, _FUNCTIONS):
                found += binders(child, known)
        known[node] = found
    return found


def pattern_names(pattern: Node) -> Iterable[str]:
    """The variables of a pattern, without repetition."""
    found: dict[str, None] = {}
    _collect(pattern, found)
    return found


def _collect(pattern: Node, found: dict[str, None]) -> None:
    if isinstance(pattern, tree.VarPattern):
        found[pattern.name] = None
    for _, _, child in children(pattern):
        _collect(child, found)
    if isinstance(pattern, tree.Alias):
        found[pattern.name] = None
