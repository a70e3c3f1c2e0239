"""Compiles patterns into functions: each tests a value and puts the variables into the frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ocaml_env.kills.interpreter import tree
from ocaml_env.kills.interpreter.data import CONS, NIL, Constant, Record, Value, equal
from ocaml_env.kills.interpreter.errors import Unsupported
from ocaml_env.kills.interpreter.library.lazily import force
from ocaml_env.kills.interpreter.names import constructor, field_place
from ocaml_env.kills.interpreter.scope import Scope
from ocaml_env.kills.interpreter.tree import Node

__all__ = ["Test", "compile_pattern", "sure"]

Test = Callable[[Value, list[Any]], bool]


def sure(pattern: Node) -> bool:
    """True if the pattern matches every value of its type."""
    if isinstance(pattern, tree.Wild | tree.VarPattern | tree.UnpackPattern):
        return True
    if isinstance(pattern, tree.TuplePattern):
        return all(map(sure, pattern.items))
    if isinstance(pattern, tree.RecordPattern):
        return all(map(sure, pattern.patterns))
    if isinstance(pattern, tree.Alias | tree.TypedPattern):
        return sure(pattern.pattern)
    return isinstance(pattern, tree.Const) and pattern.value == () and type(pattern.value) is tuple


def compile_pattern(pattern: Node, scope: Scope) -> Test:
    """The test of a pattern; the scope already has its variables."""
    match pattern:
        case tree.Wild():
            return lambda v, e: True
        case tree.VarPattern(name):
            return _store(scope.values[name].slot)
        case tree.UnpackPattern(name):
            return _store(scope.modules[name][0].slot) if name != "_" else lambda v, e: True
        case tree.Const(value):
            if type(value) is float:
                return lambda v, e: equal(v, value)
            return lambda v, e: v == value
        case tree.Range(low, high):
            return lambda v, e: low <= v <= high
        case tree.TuplePattern(items):
            return _parts(items, 0, scope, None)
        case tree.ListPattern(items):
            made: Test = lambda v, e: v is NIL  # noqa: E731
            for item in reversed(items):
                made = _cons(compile_pattern(item, scope), made)
            return made
        case tree.ArrayPattern(items):
            inside, count = _parts(items, 0, scope, None), len(items)
            return lambda v, e: len(v) == count and inside(v, e)
        case tree.ConstructPattern(name, argument):
            return _construct(name, argument, scope)
        case tree.RecordPattern(names, patterns):
            return _record(names, patterns, scope)
        case tree.Or(patterns):
            tests = [compile_pattern(part, scope) for part in patterns]
            return lambda v, e: any(test(v, e) for test in tests)
        case tree.Alias(inner, name):
            test, slot = compile_pattern(inner, scope), scope.values[name].slot

            def aliased(v: Value, e: list[Any]) -> bool:
                e[slot] = v
                return test(v, e)

            return aliased
        case tree.LazyPattern(inner):
            test = compile_pattern(inner, scope)
            return lambda v, e: test(force(v), e)
        case tree.TypedPattern(inner, _):
            return compile_pattern(inner, scope)
    raise Unsupported(f"the pattern {type(pattern).__name__} at this place")


def _store(slot: int) -> Test:
    def stored(v: Value, e: list[Any]) -> bool:
        e[slot] = v
        return True

    return stored


def _cons(head: Test, tail: Test) -> Test:
    return lambda v, e: v is not NIL and head(v[1], e) and tail(v[2], e)


def _construct(name: str, argument: Node | None, scope: Scope) -> Test:
    found = constructor(name, scope, argument is not None)
    if isinstance(found, Constant):
        return lambda v, e: v is found
    if argument is None or isinstance(argument, tree.Wild):
        return lambda v, e: type(v) is tuple and v[0] is found
    if isinstance(argument, tree.TypedPattern):
        argument = argument.pattern
    if found.arity > 1 and isinstance(argument, tree.TuplePattern):
        return _parts(argument.items, 1, scope, found)
    return _parts((argument,), 1, scope, found)


def _parts(items: tuple[Node, ...], first: int, scope: Scope, tag: Any) -> Test:
    """Tests the parts of a block from place ``first`` on; if a tag is given, the block must have it."""
    stores: list[tuple[int, int]] = []
    tests: list[tuple[int, Test]] = []
    for place, item in enumerate(items, start=first):
        if isinstance(item, tree.VarPattern):
            stores.append((place, scope.values[item.name].slot))
        elif not isinstance(item, tree.Wild):
            tests.append((place, compile_pattern(item, scope)))
    if tag is None:
        return _blocks(stores, tests)
    if not tests:
        if len(stores) == 1:
            ((one, to),) = stores

            def single(v: Value, e: list[Any]) -> bool:
                if type(v) is not tuple or v[0] is not tag:
                    return False
                e[to] = v[one]
                return True

            return single
        if len(stores) == 2:
            (left, to_left), (right, to_right) = stores

            def double(v: Value, e: list[Any]) -> bool:
                if type(v) is not tuple or v[0] is not tag:
                    return False
                e[to_left] = v[left]
                e[to_right] = v[right]
                return True

            return double
    inside = _blocks(stores, tests)
    if tag is CONS:
        return lambda v, e: v is not NIL and inside(v, e)
    return lambda v, e: type(v) is tuple and v[0] is tag and inside(v, e)


def _blocks(stores: list[tuple[int, int]], tests: list[tuple[int, Test]]) -> Test:
    if not tests and len(stores) == 2:
        (left, to_left), (right, to_right) = stores

        def pair(v: Value, e: list[Any]) -> bool:
            e[to_left] = v[left]
            e[to_right] = v[right]
            return True

        return pair

    def block(v: Value, e: list[Any]) -> bool:
        for place, test in tests:
            if not test(v[place], e):
                return False
        for place, slot in stores:
            e[slot] = v[place]
        return True

    return block


def _record(names: tuple[str, ...], patterns: tuple[Node, ...], scope: Scope) -> Test:
    tests = [
        (field_place(name, scope), name.rpartition(".")[2], compile_pattern(inner, scope))
        for name, inner in zip(names, patterns, strict=True)
    ]

    def record(v: Record, e: list[Any]) -> bool:
        return all(test(v[place or v[0].places[name]], e) for place, name, test in tests)

    return record
