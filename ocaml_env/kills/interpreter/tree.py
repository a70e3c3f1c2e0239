"""The syntax tree for the OCaml of references, preludes and tests.

Nodes are immutable and compare by identity. A changed tree shares all unchanged nodes with the original, so facts that
are remembered by node are found again. ``key`` compares by content.

Long, because it has a class for each kind of node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

__all__ = [
    "Alias",
    "Apply",
    "ArrayExpr",
    "ArrayPattern",
    "Assert",
    "Binding",
    "Case",
    "Catch",
    "Const",
    "Construct",
    "ConstructPattern",
    "ConstructorDecl",
    "Exception_",
    "Field",
    "For",
    "Fun",
    "Function",
    "Functor",
    "FunctorApply",
    "If",
    "Include",
    "Index",
    "Infix",
    "Item",
    "Lazy",
    "LazyPattern",
    "Let",
    "LetItem",
    "LetOperator",
    "ListExpr",
    "ListPattern",
    "LocalItem",
    "Match",
    "Module",
    "ModuleExpr",
    "ModulePath",
    "ModuleType",
    "Node",
    "Open",
    "OperatorBinding",
    "Or",
    "Pack",
    "Param",
    "Pattern",
    "PatternOpen",
    "Prefix",
    "Range",
    "Record",
    "RecordPattern",
    "Sequence",
    "SetField",
    "SetIndex",
    "Struct",
    "Try",
    "Tuple",
    "TuplePattern",
    "TypeDecl",
    "TypeItem",
    "Typed",
    "TypedPattern",
    "Unpack",
    "UnpackPattern",
    "Value",
    "Var",
    "VarPattern",
    "While",
    "Wild",
    "children",
    "key",
    "nodes",
    "replaced",
]

Value: TypeAlias = Any


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Base of all nodes."""


Expr: TypeAlias = Node
Pattern: TypeAlias = Node
Item: TypeAlias = Node
ModuleExpr: TypeAlias = Node


# Expressions. A name may have a path: "List.map", "M.Leaf".


@dataclass(frozen=True, slots=True, eq=False)
class Const(Node):
    """A literal: an int, float, bool, ``bytes`` (a string), ``str`` (a character), or ``()``."""

    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Var(Node):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Apply(Node):
    """A call; ``labels`` is empty, or has ``""``, ``"~x"`` or ``"?x"`` for each argument."""

    function: Expr
    arguments: tuple[Expr, ...]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Infix(Node):
    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Prefix(Node):
    operator: str
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Tuple(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ListExpr(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayExpr(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Construct(Node):
    """A constructor; of a polymorphic variant if its name begins with a backquote."""

    name: str
    argument: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Record(Node):
    base: Expr | None
    names: tuple[str, ...]
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Field(Node):
    record: Expr
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class SetField(Node):
    record: Expr
    name: str
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Index(Node):
    """``s.[i]`` if ``text``, else ``a.(i)``."""

    sequence: Expr
    index: Expr
    text: bool


@dataclass(frozen=True, slots=True, eq=False)
class SetIndex(Node):
    sequence: Expr
    index: Expr
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class If(Node):
    condition: Expr
    then: Expr
    otherwise: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(Node):
    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Binding(Node):
    """``pattern = value``; ``annotation`` is the type written at the pattern."""

    pattern: Pattern
    value: Expr
    annotation: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Let(Node):
    recursive: bool
    bindings: tuple[Binding, ...]
    body: Expr


@dataclass(frozen=True, slots=True, eq=False)
class OperatorBinding(Node):
    """One binding of ``let*``; ``and*`` adds further ones."""

    operator: str
    pattern: Pattern
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class LetOperator(Node):
    bindings: tuple[OperatorBinding, ...]
    body: Expr


@dataclass(frozen=True, slots=True, eq=False)
class LocalItem(Node):
    """``let module``, ``let exception``, ``let open`` and ``M.( ... )``."""

    item: Item
    body: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Param(Node):
    """A parameter; ``label`` is ``""``, ``"~x"`` or ``"?x"``; ``default`` is that of ``?(x = default)``."""

    pattern: Pattern
    label: str = ""
    default: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Fun(Node):
    """``types`` are the names of ``(type a b)``; they have no effect at run time."""

    params: tuple[Param, ...]
    body: Expr
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Case(Node):
    pattern: Pattern
    guard: Expr | None
    body: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Function(Node):
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Match(Node):
    subject: Expr
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Try(Node):
    body: Expr
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, eq=False)
class While(Node):
    condition: Expr
    body: Expr


@dataclass(frozen=True, slots=True, eq=False)
class For(Node):
    name: str
    start: Expr
    end: Expr
    up: bool
    body: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Assert(Node):
    condition: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Lazy(Node):
    body: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Pack(Node):
    """``(module M : S)``; ``annotation`` is ``S``."""

    module: ModuleExpr
    annotation: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Typed(Node):
    body: Expr
    annotation: str


# Patterns. ``Const`` is a pattern, too.


@dataclass(frozen=True, slots=True, eq=False)
class Wild(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class VarPattern(Node):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Range(Node):
    low: Value
    high: Value


@dataclass(frozen=True, slots=True, eq=False)
class TuplePattern(Node):
    items: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ListPattern(Node):
    items: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayPattern(Node):
    items: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ConstructPattern(Node):
    name: str
    argument: Pattern | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RecordPattern(Node):
    names: tuple[str, ...]
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Or(Node):
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Alias(Node):
    pattern: Pattern
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class LazyPattern(Node):
    pattern: Pattern


@dataclass(frozen=True, slots=True, eq=False)
class Catch(Node):
    """``exception P`` as a case of a match."""

    pattern: Pattern


@dataclass(frozen=True, slots=True, eq=False)
class UnpackPattern(Node):
    """``(module M : S)``."""

    name: str
    annotation: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PatternOpen(Node):
    """``M.(pattern)``."""

    path: str
    pattern: Pattern


@dataclass(frozen=True, slots=True, eq=False)
class TypedPattern(Node):
    pattern: Pattern
    annotation: str


# Items of a structure.


@dataclass(frozen=True, slots=True, eq=False)
class LetItem(Node):
    """``let ...``; a bare expression is ``let _ = ...``."""

    recursive: bool
    bindings: tuple[Binding, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ConstructorDecl(Node):
    """A constructor with so many arguments, or with the fields of an inline record."""

    name: str
    arity: int
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TypeDecl(Node):
    """The part of a type needed for evaluation; ``same_as`` is the path of a repeated type."""

    name: str
    constructors: tuple[ConstructorDecl, ...]
    fields: tuple[str, ...]
    same_as: str = ""
    extends: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TypeItem(Node):
    types: tuple[TypeDecl, ...]
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Exception_(Node):
    """``exception E of ...``; ``same_as`` is the old name in ``exception E = Old``."""

    constructor: ConstructorDecl
    text: str
    same_as: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Module(Node):
    name: str
    body: ModuleExpr
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ModuleType(Node):
    """A module type. Only its types are kept, for their constructors."""

    name: str
    items: tuple[Item, ...]
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Open(Node):
    module: ModuleExpr


@dataclass(frozen=True, slots=True, eq=False)
class Include(Node):
    module: ModuleExpr


# Module expressions. A restricting signature is kept as text.


@dataclass(frozen=True, slots=True, eq=False)
class ModulePath(Node):
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class Struct(Node):
    items: tuple[Item, ...]
    annotation: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Functor(Node):
    """A functor of one parameter; several parameters nest. ``signature`` names its module type, if it has a name."""

    param: str
    signature: str
    annotation: str
    body: ModuleExpr


@dataclass(frozen=True, slots=True, eq=False)
class FunctorApply(Node):
    functor: ModuleExpr
    argument: ModuleExpr


@dataclass(frozen=True, slots=True, eq=False)
class Unpack(Node):
    """``(val e : S)``."""

    body: Expr
    annotation: str = ""


_FIELDS: dict[type[Node], tuple[str, ...]] = {}


def names_of(kind: type[Node]) -> tuple[str, ...]:
    """The field names of a kind of nodes."""
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(field.name for field in fields(kind))
    return found


def children(node: Node) -> Iterator[tuple[str, int, Node]]:
    """The child nodes in order, each with its field and its place in that field's tuple, or -1."""
    for name in names_of(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield name, -1, value
        elif type(value) is tuple:
            for place, item in enumerate(value):
                if isinstance(item, Node):
                    yield name, place, item


def replaced(node: Node, name: str, place: int, new: Node) -> Node:
    """The node with another child."""
    if place >= 0:
        old = getattr(node, name)
        return changed(node, name, (*old[:place], new, *old[place + 1 :]))
    return changed(node, name, new)


def changed(node: Node, name: str, value: Any) -> Node:
    """The node with another value of a field."""
    kind: Any = type(node)
    made: Node = kind(*(value if field == name else getattr(node, field) for field in names_of(kind)))
    return made


def nodes(node: Node) -> Iterator[Node]:
    """The node and its descendants, outermost first."""
    yield node
    for _, _, child in children(node):
        yield from nodes(child)


def key(node: Node, known: dict[Node, tuple[Any, ...]]) -> tuple[Any, ...]:
    """The content of a node for comparisons; ``known`` remembers it for shared parts."""
    found = known.get(node)
    if found is None:
        parts: list[Any] = [type(node).__name__]
        for name in names_of(type(node)):
            value = getattr(node, name)
            if isinstance(value, Node):
                value = key(value, known)
            elif type(value) is tuple:
                value = tuple(key(item, known) if isinstance(item, Node) else item for item in value)
            elif type(node) is Const or type(node) is Range:
                value = (type(value).__name__, repr(value))
            parts.append(value)
        found = known[node] = tuple(parts)
    return found
