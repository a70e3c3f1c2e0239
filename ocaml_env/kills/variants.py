"""Wrong variants of a program: a rule is left out, a number is one off, or an operator is mistaken.

Each differs from the program in one place and shares all other nodes, so the interpreter compiles only that place. A
variant has the types of the program. If the tree does not show that they are kept, no variant is made.

Long, because it has a function for each kind of node.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import Any, NamedTuple

from ocaml_env.kills.interpreter import tree
from ocaml_env.kills.interpreter.tree import Item, Node
from ocaml_env.kills.types import Type, parameters, types_of_values

__all__ = ["Variant", "variants"]


class Variant(NamedTuple):
    """A program with a fault.

    Attributes:
        kind: of the fault. ``rule``: a condition, a case, a part of a sum or a step is left out.
        items: the program.
    """

    kind: str
    items: tuple[Item, ...]


_Change = tuple[str, Node]

_NEIGHBOURS = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "=": ("<>",),
    "<>": ("=",),
    "==": ("!=",),
    "!=": ("==",),
    "+": ("-",),
    "-": ("+",),
    "*": ("+",),
    "/": ("*",),
    "mod": ("/",),
    "+.": ("-.",),
    "-.": ("+.",),
    "*.": ("+.",),
    "/.": ("*.",),
    "**": ("*.",),
    "land": ("lor",),
    "lor": ("land",),
    "lxor": ("lor",),
    "lsl": ("lsr",),
    "lsr": ("lsl",),
    "asr": ("lsl",),
    "&&": ("||",),
    "||": ("&&",),
}
_ORDERED = {"-", "-.", "/", "/.", "mod", "^", "@", "lsl", "lsr", "asr", "**"}  # swapped operands change the result
_JOINING = {
    "+",
    "-",
    "*",
    "+.",
    "-.",
    "*.",
    "&&",
    "||",
    "^",
    "@",
    "land",
    "lor",
    "lxor",
}  # operands have the type of the result


def _both(*pairs: tuple[str, str]) -> dict[str, str]:
    return {a: b for first, second in pairs for a, b in ((first, second), (second, first))}


_CONFUSED = {
    **_both(
        ("min", "max"),
        ("succ", "pred"),
        ("incr", "decr"),
        ("floor", "ceil"),
        ("List.for_all", "List.exists"),
        ("Array.for_all", "Array.exists"),
        ("String.for_all", "String.exists"),
        ("Seq.for_all", "Seq.exists"),
        ("Option.is_some", "Option.is_none"),
        ("Result.is_ok", "Result.is_error"),
        ("String.uppercase_ascii", "String.lowercase_ascii"),
        ("Char.uppercase_ascii", "Char.lowercase_ascii"),
        ("String.capitalize_ascii", "String.uncapitalize_ascii"),
        ("String.index", "String.rindex"),
        ("String.index_opt", "String.rindex_opt"),
        ("Float.min", "Float.max"),
        ("Int.min", "Int.max"),
    ),
    "List.rev_append": "List.append",
    "List.append": "List.rev_append",
    "List.sort_uniq": "List.sort",
    "Hashtbl.replace": "Hashtbl.add",
    "Float.round": "Float.trunc",
}
_MEMBERS = _both(  # of modules made by functors; the same for maps and sets
    ("min_binding", "max_binding"),
    ("min_elt", "max_elt"),
    ("min_binding_opt", "max_binding_opt"),
    ("min_elt_opt", "max_elt_opt"),
)
_STEPS = {  # calls with the type of their last argument, and their number of arguments
    **dict.fromkeys(("List.rev", "abs", "Float.abs", "abs_float", "String.trim", "lnot", "not", "List.tl"), 1),
    **dict.fromkeys(("String.uppercase_ascii", "String.lowercase_ascii", "String.capitalize_ascii"), 1),
    **dict.fromkeys(("Char.uppercase_ascii", "Char.lowercase_ascii", "Array.copy", "succ", "pred", "sqrt"), 1),
    **dict.fromkeys(("Bytes.copy", "Hashtbl.copy"), 1),
    **dict.fromkeys(("List.sort", "List.stable_sort", "List.sort_uniq", "List.filter", "Seq.filter", "List.cons"), 2),
}
_SWAPPED = {"compare", "Int.compare", "String.compare", "Float.compare", "Stdlib.compare"}
_SAYS_WHY = {"failwith", "invalid_arg", "Failure", "Invalid_argument"}  # the text of a message is not a rule
_GUESSES_SIZE = {"Buffer.create", "Hashtbl.create"}


def variants(items: Sequence[Item], signature: str = "") -> Iterator[Variant]:
    """The wrong variants of a program in the order of its text, without duplicates.

    Args:
        items: the program.
        signature: of the program. Its types tell which parameters may be confused, and which calls left out.
    """
    program = tuple(items)
    own = {node.name for item in program for node in tree.nodes(item) if isinstance(node, tree.VarPattern)}
    seen: set[tuple[tuple[object, ...], ...]] = set()
    known: dict[Node, tuple[object, ...]] = {}
    for place, item in enumerate(program):
        for kind, changed in (*_changed(item, own), *_mistaken(item, signature)):
            made = (*program[:place], changed, *program[place + 1 :])
            mark = tuple(tree.key(item, known) for item in made)
            if mark not in seen:
                seen.add(mark)
                yield Variant(kind, made)


def _changed(node: Node, own: Set[str]) -> Iterator[_Change]:
    """The node with one fault, in itself or below; ``own`` are the names defined by the program."""
    if _has_no_faults(node) or _is_own(node, own):
        return
    make = _FAULTS.get(type(node))
    if make is not None and not (isinstance(node, tree.Apply) and _is_own(node.function, own)):
        yield from make(node)
    for name, place, child in tree.children(node):
        for kind, changed in _changed(child, own):
            yield kind, tree.replaced(node, name, place, changed)


def _is_own(node: Node, own: Set[str]) -> bool:
    return isinstance(node, tree.Var) and node.name in own


def _has_no_faults(node: Node) -> bool:
    """True for messages, guesses of a table's size, assertions and declarations."""
    if isinstance(node, tree.Apply):
        return isinstance(node.function, tree.Var) and node.function.name in _SAYS_WHY | _GUESSES_SIZE
    if isinstance(node, tree.Construct):
        return node.name in _SAYS_WHY
    if isinstance(node, tree.Assert):
        return True
    return isinstance(node, tree.Exception_ | tree.TypeItem | tree.ModuleType)


# --- faults allowed by the types --------------------------------------------------------------------------------------


def _mistaken(item: Node, signature: str) -> Iterator[_Change]:
    """Swaps a parameter for another one of its type, and a call for an argument of its result type."""
    if not isinstance(item, tree.LetItem):
        return
    known = {name: kind for name, kind in types_of_values(signature).items() if kind is not None}
    for place, binding in enumerate(item.bindings):
        bound = Counter(node.name for node in tree.nodes(binding.value) if isinstance(node, tree.VarPattern))
        calls = {name: kind for name, kind in known.items() if not bound[name]}
        make = partial(_swapped, alike=_alike(binding, known, bound), calls=calls)
        for what, value in _everywhere(binding.value, make):
            yield what, tree.replaced(item, "bindings", place, tree.changed(binding, "value", value))


def _alike(binding: tree.Binding, known: Mapping[str, Type], bound: Mapping[str, int]) -> dict[str, list[str]]:
    """For each parameter, the others of the same type. A parameter that is bound again further down is left out."""
    function = binding.value
    if not (isinstance(binding.pattern, tree.VarPattern) and isinstance(function, tree.Fun)):
        return {}
    kind = known.get(binding.pattern.name)
    if kind is None:
        return {}
    pairs = zip((param.pattern for param in function.params), parameters(kind), strict=False)
    typed = [found for pattern, type_ in pairs for found in _typed(pattern, type_) if bound[found[0]] == 1]
    return {name: [other for other, same in typed if same == own and other != name] for name, own in typed}


def _typed(pattern: Node, kind: Type) -> list[tuple[str, Type]]:
    """The names and types bound by a pattern to a value or to the parts of a tuple."""
    if isinstance(pattern, tree.VarPattern):
        return [(pattern.name, kind)]
    if isinstance(pattern, tree.TuplePattern) and kind.name == "*":
        return [found for part in zip(pattern.items, kind.parts, strict=True) for found in _typed(*part)]
    return []


def _swapped(node: Node, alike: Mapping[str, Sequence[str]], calls: Mapping[str, Type]) -> Iterator[_Change]:
    if isinstance(node, tree.Var):
        for other in alike.get(node.name, ()):
            yield "operand", tree.Var(other)
    if isinstance(node, tree.Apply) and isinstance(node.function, tree.Var) and not node.labels:
        kind = calls.get(node.function.name)
        types = parameters(kind) if kind else ()
        if kind is None or len(types) != len(node.arguments):
            return
        for _ in types:
            kind = kind.parts[1]
        for argument, type_ in zip(node.arguments, types, strict=True):
            if type_ == kind:
                yield "call", argument


def _everywhere(node: Node, make: Callable[[Node], Iterator[_Change]]) -> Iterator[_Change]:
    """The node with one change, in itself or below."""
    yield from make(node)
    for name, place, child in tree.children(node):
        for what, changed in _everywhere(child, make):
            yield what, tree.replaced(node, name, place, changed)


# --- faults of each kind of node --------------------------------------------------------------------------------------


def _const(node: tree.Const) -> Iterator[_Change]:
    value = node.value
    if value is True or value is False:
        yield "constant", tree.Const(not value)
    elif type(value) is int:
        yield "constant", tree.Const(value + 1)
        yield "constant", tree.Const(value - 1)
    elif type(value) is float:
        yield "constant", tree.Const(value + 1.0)
    elif type(value) is str:
        yield "constant", tree.Const(chr((ord(value) + 1) & 255))
    elif type(value) is bytes and b"%" not in value:  # a format would get another type
        yield "constant", tree.Const(b"" if value else b"?")
        if len(value) > 1:
            yield "constant", tree.Const(value[:-1])
            yield "constant", tree.Const(value[1:])


def _range(node: tree.Range) -> Iterator[_Change]:
    for name, value in (("low", node.low), ("high", node.high)):
        for step in (1, -1):
            yield "constant", tree.changed(node, name, chr((ord(value) + step) & 255))


def _infix(node: tree.Infix) -> Iterator[_Change]:
    operator, left, right = node.operator, node.left, node.right
    for other in _NEIGHBOURS.get(operator, ()):
        yield "operator", tree.Infix(other, left, right)
    if operator in _ORDERED:
        yield "order", tree.Infix(operator, right, left)
    if operator in _JOINING:
        yield "rule", left
        yield "rule", right
    if operator == "|>" and _is_step(right, -1):
        yield "rule", left
    if (
        isinstance(left, tree.Infix)
        and left.operator == operator == "|>"
        and _is_step(right, -1)
        and _is_step(left.right, -1)
    ):
        yield "order", tree.Infix("|>", tree.Infix("|>", left.left, right), left.right)
    if operator == "::" and isinstance(right, tree.Apply):
        yield "rule", right


def _is_step(node: Node, more: int) -> bool:
    """True if the node, given ``-more`` further arguments, has the type of its last argument."""
    if isinstance(node, tree.Apply) and isinstance(node.function, tree.Var):
        return _STEPS.get(node.function.name) == len(node.arguments) - more
    return isinstance(node, tree.Var) and _STEPS.get(node.name) == -more


def _apply(node: tree.Apply) -> Iterator[_Change]:
    if _is_step(node, 0):
        yield "rule", node.arguments[-1]
    if isinstance(node.function, tree.Var) and node.function.name in _SWAPPED and len(node.arguments) == 2:
        yield "order", tree.Apply(node.function, node.arguments[::-1], node.labels)


def _var(node: tree.Var) -> Iterator[_Change]:
    path, dot, last = node.name.rpartition(".")
    other = _CONFUSED.get(node.name)
    if other is None and last in _MEMBERS and dot:
        other = f"{path}.{_MEMBERS[last]}"
    if other is not None:
        yield "operator", tree.Var(other)
    elif node.name in _SWAPPED:
        a, b = tree.Var("a"), tree.Var("b")
        parameters = (tree.Param(tree.VarPattern("a")), tree.Param(tree.VarPattern("b")))
        yield "order", tree.Fun(parameters, tree.Apply(node, (b, a)))
    else:
        for neighbour in _NEIGHBOURS.get(node.name, ()):
            yield "operator", tree.Var(neighbour)


def _prefix(node: tree.Prefix) -> Iterator[_Change]:
    if node.operator in ("-", "-.", "~-", "~-."):
        yield "rule", node.operand


def _if(node: tree.If) -> Iterator[_Change]:
    condition = node.condition
    if node.otherwise is None:
        yield "rule", node.then
        yield "rule", tree.Const(())
    else:
        yield "rule", node.then
        yield "rule", node.otherwise
        yield "order", tree.If(condition, node.otherwise, node.then)
    if not (isinstance(condition, tree.Infix) and condition.operator in _NEIGHBOURS):
        yield "operator", tree.If(tree.Apply(tree.Var("not"), (condition,)), node.then, node.otherwise)


def _cases(name: str) -> Callable[[Node], Iterator[_Change]]:
    def faults(node: Node) -> Iterator[_Change]:
        cases: tuple[tree.Case, ...] = getattr(node, name)
        for place, case in enumerate(cases):
            if len(cases) > 1:
                yield "rule", tree.changed(node, name, (*cases[:place], *cases[place + 1 :]))
            if case.guard is not None:
                bare = tree.Case(case.pattern, None, case.body)
                yield "rule", tree.changed(node, name, (*cases[:place], bare, *cases[place + 1 :]))
            if place and not _exclude(cases[place - 1].pattern, case.pattern):
                swapped = (*cases[: place - 1], case, cases[place - 1], *cases[place + 1 :])
                yield "order", tree.changed(node, name, swapped)

    return faults


def _exclude(one: Node, other: Node) -> bool:
    """True if no value matches both patterns; False if in doubt."""
    kinds = (tree.ListPattern, tree.TuplePattern, tree.ArrayPattern)
    for kind in kinds:
        if isinstance(one, kind) and isinstance(other, kind):
            if len(one.items) != len(other.items):
                return kind is not tree.TuplePattern
            return any(_exclude(a, b) for a, b in zip(one.items, other.items, strict=True))
    if isinstance(one, tree.ConstructPattern) and isinstance(other, tree.ConstructPattern):
        if one.name != other.name:
            return True
        if one.argument is None or other.argument is None:
            return False
        return _exclude(one.argument, other.argument)
    if isinstance(one, tree.Const | tree.Range) and isinstance(other, tree.Const | tree.Range):
        (low, high), (least, most) = _span(one), _span(other)
        return bool(high < least or most < low)
    if isinstance(one, tree.Catch) and isinstance(other, tree.Catch):
        return _exclude(one.pattern, other.pattern)
    if isinstance(one, tree.Catch) or isinstance(other, tree.Catch):
        return True
    if isinstance(one, tree.Or):
        return all(_exclude(part, other) for part in one.patterns)
    if isinstance(other, tree.Or):
        return all(_exclude(one, part) for part in other.patterns)
    lists = tree.ConstructPattern | tree.ListPattern
    return isinstance(one, lists) and isinstance(other, lists) and _is_empty(one) != _is_empty(other)


def _span(pattern: tree.Const | tree.Range) -> tuple[Any, Any]:
    return (pattern.value, pattern.value) if isinstance(pattern, tree.Const) else (pattern.low, pattern.high)


def _is_empty(pattern: Node) -> bool:
    if isinstance(pattern, tree.ListPattern):
        return not pattern.items
    return isinstance(pattern, tree.ConstructPattern) and pattern.name == "[]"


def _or(node: tree.Or) -> Iterator[_Change]:
    for place in range(len(node.patterns)):
        left = (*node.patterns[:place], *node.patterns[place + 1 :])
        yield "rule", left[0] if len(left) == 1 else tree.Or(left)


def _sequence(node: tree.Sequence) -> Iterator[_Change]:
    yield "rule", node.second


def _for(node: tree.For) -> Iterator[_Change]:
    yield "constant", tree.changed(node, "start", tree.Infix("+", node.start, tree.Const(1)))
    yield "constant", tree.changed(node, "end", tree.Infix("-", node.end, tree.Const(1)))


def _record(node: tree.Record) -> Iterator[_Change]:
    if node.base is None:
        return
    for place in range(len(node.names)):
        names, values = ((*parts[:place], *parts[place + 1 :]) for parts in (node.names, node.values))
        yield "rule", tree.Record(node.base, names, values) if names else node.base


def _construct(node: tree.Construct) -> Iterator[_Change]:
    if node.name == "Some":
        yield "rule", tree.Construct("None")


def _list(node: tree.ListExpr) -> Iterator[_Change]:
    for place in range(len(node.items)) if len(node.items) > 1 else ():
        yield "rule", tree.ListExpr((*node.items[:place], *node.items[place + 1 :]))


_FAULTS: dict[type[Node], Callable[..., Iterator[_Change]]] = {
    tree.Apply: _apply,
    tree.Const: _const,
    tree.Construct: _construct,
    tree.For: _for,
    tree.Function: _cases("cases"),
    tree.If: _if,
    tree.Infix: _infix,
    tree.ListExpr: _list,
    tree.Match: _cases("cases"),
    tree.Or: _or,
    tree.Prefix: _prefix,
    tree.Range: _range,
    tree.Record: _record,
    tree.Sequence: _sequence,
    tree.Try: _cases("cases"),
    tree.Var: _var,
}
