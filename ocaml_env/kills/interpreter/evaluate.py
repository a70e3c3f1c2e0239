"""Runs OCaml programs: compiles their trees into Python functions, and calls these.

Types are not checked: the program must be well typed, and the behaviour of others is undefined. Evaluation goes from
right to left as in OCaml; numbers have 63 bits; exceptions, comparison and printing are those of OCaml.

- A step is a call, a turn of a loop, or an element made in bulk by the library. A program ends as ``Diverged`` if it
  exceeds its steps. Time plays no part.
- A function that calls itself in tail position is a loop. Other calls nest Python's calls, to about 60,000 levels. A
  deeper program ends as ``Diverged``, too.
- Compiled code is remembered by node and scope. A variant shares most nodes with the reference, so only its new nodes
  are compiled.
- One program runs at a time in a process, under a lock, since input, output and budget are global.

Long, because it has a method for each construct of the language, and all share the scopes of one compiler.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from operator import itemgetter
from typing import Any

from ocaml_env.kills.interpreter import tree
from ocaml_env.kills.interpreter.data import (
    CONS,
    NIL,
    REF,
    Constant,
    Labelled,
    Record,
    Shape,
    Tag,
    Value,
    budget,
)
from ocaml_env.kills.interpreter.errors import Diverged, Ended, Raised, Unsupported
from ocaml_env.kills.interpreter.library import CONSTRUCTORS, VALUES, module_value, modules
from ocaml_env.kills.interpreter.library.channels import world
from ocaml_env.kills.interpreter.library.lazily import Suspension
from ocaml_env.kills.interpreter.names import constructor, field_place, record_shape, static_at
from ocaml_env.kills.interpreter.operators import COMPARISONS, KNOWN, OPERATORS, PREFIXES, SIDES
from ocaml_env.kills.interpreter.patterns import Test, compile_pattern, sure
from ocaml_env.kills.interpreter.scope import Place, Scope, Static, binders, mentions, pattern_names
from ocaml_env.kills.interpreter.templates import Code, factory, function_factory
from ocaml_env.kills.interpreter.tree import Node

__all__ = ["STEPS", "Code", "Compiler", "Program"]

STEPS = 1_000_000

_DEPTH = 400_000  # frames of Python; a call in OCaml takes about six
_LOCK = threading.RLock()

_MATCH_FAILURE = CONSTRUCTORS["Match_failure"]
_ASSERT_FAILURE = CONSTRUCTORS["Assert_failure"]
_PLACE = (b"program.ml", 1, 0)


class Program:
    """A compiled program: its items, the prelude after them, and the final scope.

    Attributes:
        scope: the scope after the prelude.
    """

    __slots__ = ("_code", "_compiler", "_following", "_inner", "_slots", "scope")

    def __init__(
        self, compiler: Compiler, code: list[Code], inner: Scope, following: list[Code], scope: Scope, slots: int
    ) -> None:
        self._compiler = compiler
        self._code = code
        self._inner = inner
        self._following = following
        self._slots = slots
        self.scope = scope

    def expression(self, expression: tree.Expr) -> Code:
        """Compiles an expression in the final scope."""
        return self._compiler.expression(expression, self.scope)

    def value(
        self,
        expression: tree.Expr | Code,
        *,
        steps: int = STEPS,
        stand_ins: Callable[[str, Value], Value] | None = None,
        names: Sequence[str] = (),
    ) -> Value:
        """Runs all items anew, and evaluates an expression.

        Args:
            expression: a tree, or code from ``expression``.
            steps: the limit.
            stand_ins: called with each name of ``names`` and its value; returns a replacement for the items that follow
                and for the expression. A replaced function keeps its number of parameters.
            names: values and modules of the program.

        Raises:
            Raised: the items or the expression raised.
            Diverged: they took too many steps.
        """
        code = self.expression(expression) if isinstance(expression, Node) else expression
        with _running(steps):
            frame = [None] * (self._slots + 64)
            for run in self._code:
                run(frame)
            if stand_ins is not None:
                for name in names:
                    known = self._inner.values
                    slot = (known[name] if name in known else self._inner.modules[name][0]).slot
                    frame[slot] = stand_ins(name, frame[slot])
            for run in self._following:
                run(frame)
            return code(frame)

    def output(self, stdin: bytes, *, steps: int = STEPS) -> bytes:
        """Runs the program on an input, and returns its output.

        Raises:
            Raised, Diverged: as for ``value``; the output so far is lost.
        """
        with _running(steps, stdin):
            frame = [None] * self._slots
            with suppress(Ended):
                for run in (*self._code, *self._following):
                    run(frame)
            return bytes(world.out)

    @staticmethod
    def steps_left() -> int:
        """The steps left by the latest run."""
        return budget.left


@contextmanager
def _running(steps: int, stdin: bytes = b"") -> Iterator[None]:
    with _LOCK:
        budget.left = steps
        world.start(stdin)
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(_DEPTH)
        try:
            yield
        except RecursionError:
            raise Diverged from None
        finally:
            sys.setrecursionlimit(before)


class Compiler:
    """Compiles programs, and remembers the compiled code."""

    def __init__(self) -> None:
        self._memo: dict[tuple[Node, Scope, bool], Code] = {}
        self._constants: dict[Code, Value] = {}
        self._mentions: dict[Node, frozenset[str]] = {}
        self._binders: dict[Node, int] = {}
        self._statics: dict[tuple[Node, Scope], tuple[list[Code], Scope, Static]] = {}
        self._made: dict[Any, Node] = {}
        self._empty = Scope({}, {}, {}, {"contents": (REF,)}, {}, 0, None)

    def program(self, items: Sequence[tree.Item], following: Sequence[tree.Item] = ()) -> Program:
        """Compiles the items of a program, and items after them such as a prelude.

        Raises:
            Unsupported: the program uses something unknown here.
        """
        code, inner = self._items(items, self._empty)
        after, scope = self._items(following, inner)
        slots = sum(binders(item, self._binders) for item in (*items, *following)) + 1
        return Program(self, code, inner, after, scope, slots)

    def _items(self, items: Sequence[tree.Item], scope: Scope) -> tuple[list[Code], Scope]:
        code: list[Code] = []
        for item in items:
            run, scope, _ = self._item(item, scope)
            code += run
        return code, scope

    def expression(self, node: tree.Expr, scope: Scope, tail: bool = False) -> Code:
        """Compiles an expression; in tail position its code may return ``TAIL``."""
        key = (node, scope, tail)
        found = self._memo.get(key)
        if found is None:
            compiler = _COMPILERS.get(type(node))
            if compiler is None:
                raise Unsupported(f"{type(node).__name__} as an expression")
            found = self._memo[key] = compiler(self, node, scope, tail)
        return found

    # Operands.

    def _constant(self, value: Value) -> Code:
        code: Code = lambda e: value  # noqa: E731
        self._constants[code] = value
        return code

    def _operand(self, node: tree.Expr, scope: Scope) -> tuple[str, Any]:
        """The kind of an operand, and its part for a template."""
        if isinstance(node, tree.Typed):
            return self._operand(node.body, scope)
        if isinstance(node, tree.Var):
            place = self._place(node.name, scope)
            if place.slot >= 0 and not place.members:
                return "s", place.slot
        code = self.expression(node, scope)
        if code in self._constants:
            return "c", self._constants[code]
        return "x", code

    def _templated(self, template: str, operands: Sequence[tree.Expr], scope: Scope) -> Code:
        kinds, parts = zip(*(self._operand(operand, scope) for operand in operands), strict=True)
        return _factory(template, "".join(kinds))(*parts)

    def _place(self, name: str, scope: Scope) -> Place:
        found = scope.values.get(name)
        if found is not None:
            return found
        first, *rest = name.split(".") if name[0].isalpha() and name[0].isupper() else (name,)
        if rest and first in scope.modules:
            # An operator may have a dot in it: M.(+.)
            place = scope.modules[first][0]
            if place.slot >= 0:
                return Place(place.slot, None, (*place.members, *name.split(".", len(rest))[1:]))
            name = ".".join((place.library, *rest))
        name = name.removeprefix("Stdlib.")
        if name not in VALUES:
            raise Unsupported(f"the value {name} is not known")
        return Place(-1, library=name)

    # Expressions.

    def _const(self, node: tree.Const, scope: Scope, tail: bool) -> Code:
        return self._constant(node.value)

    def _var(self, node: tree.Var, scope: Scope, tail: bool) -> Code:
        return self._read(self._place(node.name, scope))

    def _read(self, place: Place) -> Code:
        if place.slot < 0:
            return self._constant(VALUES[place.library])
        slot = place.slot
        if not place.members:
            return lambda e: e[slot]
        if len(place.members) == 1:
            (member,) = place.members
            return lambda e: e[slot][member]

        def deep(e: list[Any]) -> Value:
            value = e[slot]
            for member in place.members:
                value = value[member]
            return value

        return deep

    def _apply(self, node: tree.Apply, scope: Scope, tail: bool) -> Code:
        function, arguments = node.function, node.arguments
        if any(node.labels):
            return self._apply_labels(node, scope)
        if isinstance(function, tree.Apply) and not function.labels:
            return self._call(function.function, (*function.arguments, *arguments), scope, tail)
        return self._call(function, arguments, scope, tail)

    def _call(self, function: tree.Expr, arguments: tuple[tree.Expr, ...], scope: Scope, tail: bool) -> Code:
        count = len(arguments)
        kinds, parts = zip(*(self._operand(argument, scope) for argument in arguments), strict=True)
        given = ", ".join(f"{{{place}}}" for place in range(1, count + 1))
        if isinstance(function, tree.Var):
            place = self._place(function.name, scope)
            if tail and scope.loop == (place.slot, count) and not place.members:
                given = ", ".join(f"{{{place}}}" for place in range(count))
                into = ", ".join(f"e[{place}]" for place in range(count))
                return factory(f"{into} = {given};;return TAIL", "".join(kinds))(*parts)
            if place.slot >= 0 and place.arity == count:
                return factory(f"return {{0}}({given})", "s" + "".join(kinds))(place.slot, *parts)
            if place.slot < 0:
                known = VALUES[place.library]
                if known.__code__.co_argcount == count:
                    return factory(f"return {{0}}({given})", "c" + "".join(kinds))(known, *parts)
        kind, part = self._operand(function, scope)
        if kind == "c" and isinstance(part, Labelled):
            return self._library_call(part, [""] * count, kinds, parts)
        comma = "," if count == 1 else ""
        return factory(
            f"f = {{0}};;if f.__code__.co_argcount == {count}: return f({given});;return apply(f, ({given}{comma}))",
            kind + "".join(kinds),
        )(part, *parts)

    def _apply_labels(self, node: tree.Apply, scope: Scope) -> Code:
        operands = [self._operand(argument, scope) for argument in node.arguments]
        kinds, parts = zip(*operands, strict=True)
        kind, part = self._operand(node.function, scope)
        if kind == "c" and isinstance(part, Labelled):
            return self._library_call(part, list(node.labels), kinds, parts)
        given = ", ".join(f"{{{place}}}" for place in range(1, len(parts) + 1))
        template = f"return apply_labelled({{0}}, ({given},), {node.labels!r})"
        return _factory(template, kind + "".join(kinds))(part, *parts)

    def _library_call(
        self, function: Labelled, labels: list[str], kinds: tuple[str, ...], parts: tuple[Any, ...]
    ) -> Code:
        """A labelled call of a library function; a direct call in parameter order if no argument is missing."""
        count = len(parts)
        order: list[int | None] = []
        plain = [place for place in range(count) if not labels[place]]
        named = {label: place for place, label in enumerate(labels) if label}
        total = not named and count == len([label for label in function.labels if label[:1] != "?"])
        for label in function.labels:
            if label in named:
                order.append(named.pop(label))
            elif label[:1] == "?" and "~" + label[1:] not in named:
                order.append(None)
            elif (not label or total) and plain:
                order.append(plain.pop(0))
        if named or plain or len(order) != len(function.labels):
            given = ", ".join(f"{{{place}}}" for place in range(1, count + 1))
            template = f"return apply_labelled({{0}}, ({given},), {tuple(labels)!r})"
            return _factory(template, "c" + "".join(kinds))(function, *parts)
        given = ", ".join("NONE" if place is None else f"{{{place + 1}}}" for place in order)
        return factory(f"return {{0}}({given})", "c" + "".join(kinds))(function.run, *parts)

    def _infix(self, node: tree.Infix, scope: Scope, tail: bool) -> Code:
        operator, left, right = node.operator, node.left, node.right
        if operator in scope.values or operator not in KNOWN:
            return self._call(self._variable(operator), (left, right), scope, tail)
        if operator == "|>" or operator == "@@":
            function, argument = (right, left) if operator == "|>" else (left, right)
            if isinstance(function, tree.Apply):
                labels = (*(function.labels or ("",) * len(function.arguments)), "")
                more = (*function.arguments, argument)
                whole = self._remembered(node, lambda: tree.Apply(function.function, more, labels))
                assert isinstance(whole, tree.Apply)
                return self._apply(whole, scope, tail)
            return self._call(function, (argument,), scope, tail)
        if operator in SIDES:
            kind, part = self._operand(left, scope)
            code = self.expression(right, scope, tail)
            if isinstance(right, tree.Var):
                other, code = self._operand(right, scope)
            else:
                other = "x"
            return _side(operator, kind, other)(part, code)
        if operator in COMPARISONS:
            return self._comparison(operator, left, right, scope)
        code = self._templated(OPERATORS[operator], (left, right), scope)
        if operator == "::":
            return self._folded(code, (left, right), scope)
        return code

    def _comparison(self, operator: str, left: tree.Expr, right: tree.Expr, scope: Scope) -> Code:
        (kind, part), (other, more) = self._operand(left, scope), self._operand(right, scope)
        plain, general = COMPARISONS[operator]
        for letter, value in ((kind, part), (other, more)):
            if letter == "c" and type(value) in (int, str, bytes, bool):
                return factory(f"return {plain}", kind + other)(part, more)
        template = f"y = {{1}};;x = {{0}};;return {plain.format('x', 'y')} if type(x) is int else {general}"
        return _factory(template, kind + other)(part, more)

    def _prefix(self, node: tree.Prefix, scope: Scope, tail: bool) -> Code:
        if node.operator in scope.values or node.operator not in PREFIXES:
            return self._call(self._variable(node.operator), (node.operand,), scope, tail)
        return self._templated(PREFIXES[node.operator], (node.operand,), scope)

    def _variable(self, name: str) -> tree.Var:
        made = self._remembered(("variable", name), lambda: tree.Var(name))
        assert isinstance(made, tree.Var)
        return made

    def _remembered(self, key: Any, make: Callable[[], Node]) -> Node:
        """A node made for another one; the same object each time."""
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = make()
        return found

    def _folded(self, code: Code, parts: Sequence[tree.Expr], scope: Scope) -> Code:
        """The code, or a constant if all parts are constants."""
        if all(self.expression(part, scope) in self._constants for part in parts):
            return self._constant(code([]))
        return code

    def _tuple(self, node: tree.Tuple, scope: Scope, tail: bool) -> Code:
        given = ", ".join(f"{{{place}}}" for place in range(len(node.items)))
        return self._folded(self._templated(f"return ({given})", node.items, scope), node.items, scope)

    def _list(self, node: tree.ListExpr, scope: Scope, tail: bool) -> Code:
        items = [self.expression(item, scope) for item in reversed(node.items)]
        if all(item in self._constants for item in items):
            made: Value = NIL
            for item in items:
                made = (CONS, self._constants[item], made)
            return self._constant(made)

        def run(e: list[Any]) -> Value:
            made: Value = NIL
            for item in items:
                made = (CONS, item(e), made)
            return made

        return run

    def _array(self, node: tree.ArrayExpr, scope: Scope, tail: bool) -> Code:
        items = [self.expression(item, scope) for item in reversed(node.items)]

        def run(e: list[Any]) -> Value:
            made = [item(e) for item in items]
            made.reverse()
            return made

        return run

    def _construct(self, node: tree.Construct, scope: Scope, tail: bool) -> Code:
        argument = node.argument
        found = constructor(node.name, scope, argument is not None)
        if argument is None:
            if isinstance(found, Tag):
                raise Unsupported(f"{node.name} without its argument")
            return self._constant(found)
        if not isinstance(found, Tag):
            raise Unsupported(f"{node.name} with an argument")
        if found.shape is not None and isinstance(argument, tree.Record) and argument.base is None:
            inside = self._new_record(argument, found.shape, scope)
            return lambda e: (found, inside(e))
        parts = argument.items if found.arity > 1 and isinstance(argument, tree.Tuple) else (argument,)
        given = ", ".join(f"{{{place}}}" for place in range(1, len(parts) + 1))
        operands = [("c", found), *(self._operand(part, scope) for part in parts)]
        code = factory(f"return ({{0}}, {given})", "".join(kind for kind, _ in operands))(
            *(part for _, part in operands)
        )
        return self._folded(code, parts, scope)

    def _record(self, node: tree.Record, scope: Scope, tail: bool) -> Code:
        if node.base is None:
            return self._new_record(node, record_shape(node.names, scope), scope)
        base = self.expression(node.base, scope)
        changes = [
            (field_place(name, scope), name.rpartition(".")[2], self.expression(value, scope))
            for name, value in zip(node.names, node.values, strict=True)
        ]
        changes.sort(reverse=True, key=itemgetter(0))

        def run(e: list[Any]) -> Value:
            made = Record(base(e))
            for place, name, value in changes:
                made[place or made[0].places[name]] = value(e)
            return made

        return run

    def _new_record(self, node: tree.Record, shape: Shape, scope: Scope) -> Code:
        given = {name.rpartition(".")[2]: value for name, value in zip(node.names, node.values, strict=True)}
        values = [self.expression(given[name], scope) for name in reversed(shape.names)]

        def run(e: list[Any]) -> Value:
            made = [value(e) for value in values]
            made.append(shape)
            made.reverse()
            return Record(made)

        return run

    def _field(self, node: tree.Field, scope: Scope, tail: bool) -> Code:
        place, name = field_place(node.name, scope), node.name.rpartition(".")[2]
        template = f"return {{0}}[{place}]" if place else f"r = {{0}};;return r[r[0].places[{name!r}]]"
        return self._templated(template, (node.record,), scope)

    def _set_field(self, node: tree.SetField, scope: Scope, tail: bool) -> Code:
        place, name = field_place(node.name, scope), node.name.rpartition(".")[2]
        where = place or f"r[0].places[{name!r}]"
        return self._templated(f"y = {{1}};;r = {{0}};;r[{where}] = y;;return ()", (node.record, node.value), scope)

    def _index(self, node: tree.Index, scope: Scope, tail: bool) -> Code:
        got = "chr(s[i])" if node.text else "s[i]"
        template = f"i = {{1}};;s = {{0}};;if 0 <= i < len(s): return {got};;raise invalid(b'index out of bounds')"
        return self._templated(template, (node.sequence, node.index), scope)

    def _set_index(self, node: tree.SetIndex, scope: Scope, tail: bool) -> Code:
        template = (
            "v = {2};;i = {1};;s = {0};;if not 0 <= i < len(s): raise invalid(b'index out of bounds');;"
            "s[i] = v;;return ()"
        )
        return self._templated(template, (node.sequence, node.index, node.value), scope)

    def _if(self, node: tree.If, scope: Scope, tail: bool) -> Code:
        kind, condition = self._operand(node.condition, scope)
        codes, kinds = [], kind
        for branch in (node.then, node.otherwise):
            code = self.expression(branch, scope, tail) if branch is not None else self._constant(())
            if code in self._constants:
                kinds += "c"
                code = self._constants[code]
            else:
                kinds += "x"
            codes.append(code)
        return _branch(kinds)(condition, *codes)

    def _sequence(self, node: tree.Sequence, scope: Scope, tail: bool) -> Code:
        first, second = self.expression(node.first, scope), self.expression(node.second, scope, tail)

        def run(e: list[Any]) -> Value:
            first(e)
            return second(e)

        return run

    def _let(self, node: tree.Let, scope: Scope, tail: bool) -> Code:
        before, inside = self._bound(node.recursive, node.bindings, scope)
        body = self.expression(node.body, inside, tail)
        if len(node.bindings) == 1 and not node.recursive:
            pattern = node.bindings[0].pattern
            while isinstance(pattern, tree.TypedPattern):
                pattern = pattern.pattern
            if isinstance(pattern, tree.VarPattern):
                slot, value = scope.size, self.expression(node.bindings[0].value, scope)

                def single(e: list[Any]) -> Value:
                    e[slot] = value(e)
                    return body(e)

                return single

        def run(e: list[Any]) -> Value:
            before(e)
            return body(e)

        return run

    def _bound(self, recursive: bool, bindings: Sequence[tree.Binding], scope: Scope) -> tuple[Code, Scope]:
        """The code that puts the values of bindings into the frame, and the scope after them."""
        names = tuple(
            (name, self._arity(binding, name) if not _is_pattern(binding.pattern) else None)
            for binding in bindings
            for name in pattern_names(binding.pattern)
        )
        inside = _modules_of(bindings, scope.bind(names))
        if recursive:
            return self._recursive(bindings, inside), inside
        codes = [
            (self.expression(binding.value, scope), self._pattern(binding.pattern, inside)) for binding in bindings
        ]
        if len(codes) == 1:
            ((value, test),) = codes
            if sure(bindings[0].pattern):
                return lambda e: test(value(e), e), inside

        def run(e: list[Any]) -> None:
            values = [value(e) for value, _ in codes]
            for (_, test), value in zip(codes, values, strict=True):
                if not test(value, e):
                    raise Raised((_MATCH_FAILURE, _PLACE))

        return run, inside

    def _arity(self, binding: tree.Binding, name: str) -> int | None:
        value = _untyped(binding.value)
        if isinstance(value, tree.Fun | tree.Function):
            params, _ = _flattened(value)
            if not any(param.label for param in params if param is not None):
                return len(params)
        return None

    def _recursive(self, bindings: Sequence[tree.Binding], scope: Scope) -> Code:
        builds: list[tuple[int, Any]] = []
        for binding in bindings:
            pattern = binding.pattern
            while isinstance(pattern, tree.TypedPattern):
                pattern = pattern.pattern
            if not isinstance(pattern, tree.VarPattern):
                raise Unsupported("let rec of a pattern")
            slot, value = scope.values[pattern.name].slot, _untyped(binding.value)
            if not isinstance(value, tree.Fun | tree.Function):
                raise Unsupported("let rec of a value")
            params, _ = _flattened(value)
            if any(param.label for param in params if param is not None):
                builds.append((slot, _alone(self.expression(binding.value, scope))))
            else:
                builds.append((slot, self._builder(value, scope, pattern.name)))
        own = [slot for slot, _ in builds]
        plain = all(isinstance(_untyped(b.value), tree.Fun | tree.Function) for b in bindings) and all(
            place is not None for b in bindings for place in [self._arity(b, "")]
        )

        def run(e: list[Any]) -> None:
            # Until a function is made, a placeholder stands for it and passes calls on later.
            waiting = [_Forward() for _ in own]
            for slot, forward in zip(own, waiting, strict=True):
                e[slot] = forward
            made = [build(e) for _, build in builds]
            for slot, forward, (value, copies) in zip(own, waiting, made, strict=True):
                e[slot] = forward.run = value
                del copies
            for _, copies in made:
                if copies is not None:
                    for place, value in enumerate(copies):
                        if isinstance(value, _Forward) and value in waiting:
                            copies[place] = value.run

        def quick(e: list[Any]) -> None:
            ((function, copies),) = [build(e)]
            e[slot] = function
            for place in places:
                copies[place] = function

        if plain and len(builds) == 1:
            ((slot, build),) = builds
            places = build.places
            build = build.build
            return quick
        builds = [(slot, build.build if isinstance(build, _Builder) else build) for slot, build in builds]
        return run

    def _fun(self, node: tree.Fun | tree.Function, scope: Scope, tail: bool) -> Code:
        params, _ = _flattened(node)
        build = self._builder(node, scope, "").build
        if any(param.label for param in params if param is not None):
            labels = tuple(param.label if param is not None else "" for param in params)
            return lambda e: Labelled(labels, build(e)[0])
        return lambda e: build(e)[0]

    def _builder(self, node: tree.Fun | tree.Function, scope: Scope, recursive: str) -> _Builder:
        params, rest = _flattened(node)
        patterns = [_untyped_pattern(param.pattern) if param is not None else None for param in params]
        names = tuple(
            pattern.name if isinstance(pattern, tree.VarPattern) and param is not None and param.default is None else ""
            for pattern, param in zip(patterns, params, strict=True)
        )
        if len({name for name in names if name}) < len([name for name in names if name]):
            raise Unsupported("two parameters of the same name")
        inside, slots = scope.inside(names, mentions(node, self._mentions), recursive)
        space = binders(node, self._binders) + sum(binders(part, self._binders) for part in _inner(node)) + 1
        body_scope = inside
        before: list[Code] = []
        for place, (param, pattern) in enumerate(zip(params, patterns, strict=True)):
            if param is not None and pattern is not None and not names[place]:
                code, body_scope = self._parameter(param, pattern, place, body_scope)
                if code is not None:
                    before.append(code)
        if isinstance(rest, Node):
            body = self.expression(rest, body_scope, True)
        else:
            body = self._cases_at(len(params) - 1, rest, body_scope)
        if before:
            body = _after(before, body)
        factory_made = function_factory(len(params))
        places = [k for k, slot in enumerate(slots) if recursive and slot == scope.values[recursive].slot]
        return _Builder(factory_made(body, _gather(slots), [None] * space), places)

    def _parameter(self, param: tree.Param, pattern: Node, place: int, scope: Scope) -> tuple[Code | None, Scope]:
        default = self.expression(param.default, scope) if param.default is not None else None
        inside = scope.bind(tuple((name, None) for name in pattern_names(pattern)))
        inside = _modules_in(pattern, inside)
        if sure(pattern) and not list(pattern_names(pattern)) and default is None and inside is scope:
            return None, scope
        test = self._pattern(pattern, inside)

        def run(e: list[Any]) -> None:
            value = e[place]
            if default is not None:
                value = value[1] if type(value) is tuple else default(e)
            if not test(value, e):
                raise Raised((_MATCH_FAILURE, _PLACE))

        return run, inside

    def _pattern(self, pattern: tree.Pattern, scope: Scope) -> Test:
        if isinstance(pattern, tree.PatternOpen):
            opened, _ = self._opened(pattern.path, scope)
            # Its own variables keep their places.
            values = {name: scope.values[name] for name in pattern_names(pattern.pattern)}
            return self._pattern(pattern.pattern, opened.changed(values={**opened.values, **values}))
        return compile_pattern(pattern, scope)

    def _case(self, case: tree.Case, pattern: tree.Pattern, scope: Scope, tail: bool) -> tuple[Test, Code | None, Code]:
        inside = _modules_in(pattern, scope.bind(tuple((name, None) for name in pattern_names(pattern))))
        guard = self.expression(case.guard, inside) if case.guard is not None else None
        return self._pattern(pattern, inside), guard, self.expression(case.body, inside, tail)

    def _cases_at(self, slot: int, cases: Sequence[tree.Case], scope: Scope) -> Code:
        choose = _chooser([self._case(case, case.pattern, scope, True) for case in cases], cases)
        return lambda e: choose(e[slot], e)

    def _match(self, node: tree.Match, scope: Scope, tail: bool) -> Code:
        values = [case for case in node.cases if not isinstance(case.pattern, tree.Catch | tree.Or)]
        catches: list[tuple[tree.Case, tree.Pattern]] = []
        plain: list[tree.Case] = []
        for case in node.cases:
            caught = _caught(case.pattern)
            if caught is None:
                plain.append(case)
            else:
                catches.append((case, caught))
        del values
        choose = _chooser([self._case(case, case.pattern, scope, tail) for case in plain], plain)
        if not catches:
            kind, subject = self._operand(node.subject, scope)
            if kind == "s":
                return lambda e: choose(e[subject], e)
            code = self.expression(node.subject, scope)
            return lambda e: choose(code(e), e)
        code = self.expression(node.subject, scope)
        handle = _chooser([self._case(case, pattern, scope, tail) for case, pattern in catches], None)

        def run(e: list[Any]) -> Value:
            try:
                value = code(e)
            except Raised as found:
                raised = found
            else:
                return choose(value, e)
            made = handle(raised.value, e)
            if made is _NO_CASE:
                raise raised
            return made

        return run

    def _try(self, node: tree.Try, scope: Scope, tail: bool) -> Code:
        body = self.expression(node.body, scope)
        handle = _chooser([self._case(case, case.pattern, scope, tail) for case in node.cases], None)

        def run(e: list[Any]) -> Value:
            try:
                return body(e)
            except Raised as found:
                raised = found
            made = handle(raised.value, e)
            if made is _NO_CASE:
                raise raised
            return made

        return run

    def _while(self, node: tree.While, scope: Scope, tail: bool) -> Code:
        condition, body = self.expression(node.condition, scope), self.expression(node.body, scope)

        def run(e: list[Any]) -> Value:
            while condition(e):
                budget.left -= 1
                if budget.left < 0:
                    raise Diverged
                body(e)
            return ()

        return run

    def _for(self, node: tree.For, scope: Scope, tail: bool) -> Code:
        start, end = self.expression(node.start, scope), self.expression(node.end, scope)
        body, slot = self.expression(node.body, scope.bind(((node.name, None),))), scope.size
        step = 1 if node.up else -1

        def run(e: list[Any]) -> Value:
            first = start(e)
            for i in range(first, end(e) + step, step):
                budget.left -= 1
                if budget.left < 0:
                    raise Diverged
                e[slot] = i
                body(e)
            return ()

        return run

    def _assert(self, node: tree.Assert, scope: Scope, tail: bool) -> Code:
        condition = self.expression(node.condition, scope)

        def run(e: list[Any]) -> Value:
            if condition(e):
                return ()
            raise Raised((_ASSERT_FAILURE, _PLACE))

        return run

    def _lazy(self, node: tree.Lazy, scope: Scope, tail: bool) -> Code:
        body = self._remembered(node, lambda: tree.Fun((tree.Param(tree.Wild()),), node.body))
        assert isinstance(body, tree.Fun)
        build = self._builder(body, scope, "").build
        return lambda e: Suspension(build(e)[0])

    def _typed(self, node: tree.Typed, scope: Scope, tail: bool) -> Code:
        return self.expression(node.body, scope, tail)

    def _let_operator(self, node: tree.LetOperator, scope: Scope, tail: bool) -> Code:
        def make() -> Node:
            first, *others = node.bindings
            value, pattern = first.value, first.pattern
            for other in others:
                value = tree.Apply(tree.Var(other.operator), (value, other.value))
                pattern = tree.TuplePattern((pattern, other.pattern))
            body = tree.Fun((tree.Param(pattern),), node.body)
            return tree.Apply(tree.Var(first.operator), (value, body))

        return self.expression(self._remembered(node, make), scope, tail)

    def _local_item(self, node: tree.LocalItem, scope: Scope, tail: bool) -> Code:
        if isinstance(node.item, tree.Exception_):
            raise Unsupported("a local exception")  # each evaluation declares a new one
        runs, inside, _ = self._item(node.item, scope)
        body = self.expression(node.body, inside, tail)
        return _after(runs, body) if runs else body

    def _pack(self, node: tree.Pack, scope: Scope, tail: bool) -> Code:
        return self._module_expr(node.module, scope)[0]

    # Items and modules.

    def _item(self, item: tree.Item, scope: Scope) -> tuple[list[Code], Scope, Static]:
        """The code of an item, the scope after it, and its additions to the enclosing module."""
        found = self._statics.get((item, scope))
        if found is None:
            found = self._statics[item, scope] = self._new_item(item, scope)
        return found

    def _new_item(self, item: tree.Item, scope: Scope) -> tuple[list[Code], Scope, Static]:
        match item:
            case tree.LetItem(recursive, bindings):
                code, after = self._bound(recursive, bindings, scope)
                names = {name for binding in bindings for name in pattern_names(binding.pattern)}
                return [code], after, Static(names)
            case tree.TypeItem(types):
                added = Static(set())
                for declared in types:
                    _declare(declared, added, scope)
                return [], _extended(scope, added), added
            case tree.Exception_(declared, _, same_as):
                known = constructor(same_as, scope, False) if same_as else _descriptor(declared, 0)
                added = Static(set(), constructors={declared.name: known})
                return [], _extended(scope, added), added
            case tree.ModuleType(name, items):
                inner, added = scope, Static(set())
                for inside in items:
                    _, inner, more = self._item(inside, inner)
                    _merge(added, more)
                named = Static(set(), module_types={name: added})
                return [], _extended(scope, named), named
            case tree.Module(name, body):
                code, static = self._module_expr(body, scope)
                after = scope.bind_module(name, static)
                slot = scope.size

                def run(e: list[Any]) -> None:
                    e[slot] = code(e)

                return [run], after, Static(set(), modules={name: static})
            case tree.Open(module) | tree.Include(module):
                return self._spread(module, scope, isinstance(item, tree.Include))
        raise Unsupported(f"{type(item).__name__} as an item")

    def _spread(self, module: tree.ModuleExpr, scope: Scope, kept: bool) -> tuple[list[Code], Scope, Static]:
        """Compiles ``open`` and ``include``."""
        runs: list[Code] = []
        if not isinstance(module, tree.ModulePath):
            code, static = self._module_expr(module, scope)
            slot = scope.size
            name = f"module {slot}"
            scope = scope.bind_module(name, static)

            def run(e: list[Any]) -> None:
                e[slot] = code(e)

            runs = [run]
        else:
            name = module.path
        opened, static = self._opened(name, scope)
        return runs, opened, static if kept else Static(set())

    def _opened(self, path: str, scope: Scope) -> tuple[Scope, Static]:
        static = static_at(path, scope)
        if static is None or (scope.modules[path.partition(".")[0]][0].slot < 0):
            first, _, rest = path.partition(".")
            if first in scope.modules:
                path = ".".join(filter(None, (scope.modules[first][0].library, rest)))
            prefix = path.removeprefix("Stdlib.") + "."
            if path == "Stdlib":
                return scope, Static(set())
            if path not in modules():
                raise Unsupported(f"the module {path} is not known")
            names = {name.removeprefix(prefix) for name in VALUES if name.startswith(prefix)}
            inner = {name: c for full, c in CONSTRUCTORS.items() if (name := full.removeprefix(prefix)) != full}
            static = Static(names, constructors=inner)
            values = {name: Place(-1, library=prefix + name) for name in names}
            return self._opened_scope(path, scope, static, values, {}), static
        if static.values is None:
            raise Unsupported(f"open or include of {path}, whose values are not known")
        outer, *inner_path = path.split(".")
        place = scope.modules[outer][0]
        members = (*place.members, *inner_path)
        values = {name: Place(place.slot, None, (*members, name)) for name in static.values}
        inside = {name: (Place(place.slot, None, (*members, name)), nested) for name, nested in static.modules.items()}
        return self._opened_scope(path, scope, static, values, inside), static

    def _opened_scope(
        self,
        path: str,
        scope: Scope,
        static: Static,
        values: dict[str, Place],
        inside: dict[str, tuple[Place, Static]],
    ) -> Scope:
        key = ("open", path)
        found: Scope | None = scope.derived.get(key)
        if found is None:
            extended = _extended(scope, static)
            found = scope.derived[key] = extended.changed(
                values={**extended.values, **values}, modules={**extended.modules, **inside}
            )
        return found

    def _module_expr(self, node: tree.ModuleExpr, scope: Scope) -> tuple[Code, Static]:
        match node:
            case tree.ModulePath(path):
                static = static_at(path, scope)
                first, *rest = path.split(".")
                if static is not None and scope.modules[first][0].slot >= 0:
                    place = scope.modules[first][0]
                    return self._read(Place(place.slot, None, (*place.members, *rest))), static
                if path not in modules():
                    raise Unsupported(f"the module {path} is not known")
                value = module_value(path)
                inner = {n: c for full, c in CONSTRUCTORS.items() if (n := full.removeprefix(path + ".")) != full}
                names = set(value) if isinstance(value, dict) else None
                return self._constant(value), Static(names, constructors=inner)
            case tree.Struct(items):
                return self._struct(items, scope)
            case tree.Functor(param, signature, _, body):
                return self._functor(node, param, signature, body, scope)
            case tree.FunctorApply(functor, argument):
                code, static = self._module_expr(functor, scope)
                given, _ = self._module_expr(argument, scope)
                return lambda e: code(e)(given(e)), static.result or Static()
            case tree.Unpack(body, annotation):
                known = scope.module_types.get(annotation.split()[0]) if annotation else None
                return self.expression(body, scope), known or Static()
        raise Unsupported(f"{type(node).__name__} as a module")

    def _struct(self, items: tuple[tree.Item, ...], scope: Scope) -> tuple[Code, Static]:
        added, runs, inside = Static(set()), [], scope
        for item in items:
            code, inside, more = self._item(item, inside)
            runs += code
            _merge(added, more)
        reads = [(name, self._read(inside.values[name])) for name in sorted(added.values or ())]
        reads += [(name, self._read(inside.modules[name][0])) for name in sorted(added.modules)]

        def run(e: list[Any]) -> Value:
            for code in runs:
                code(e)
            return {name: read(e) for name, read in reads}

        return run, added

    def _functor(
        self, node: tree.Functor, param: str, signature: str, body: tree.ModuleExpr, scope: Scope
    ) -> tuple[Code, Static]:
        known = scope.module_types.get(signature.split()[0]) if signature else None
        given = Static(None, constructors=known.constructors, shapes=known.shapes) if known else Static()
        inside, slots = scope.inside(("",), mentions(node, self._mentions) - {param}, "")
        inside = inside.changed(modules={**inside.modules, param: (Place(0), given)})
        code, result = self._module_expr(body, inside)
        build = function_factory(1)(code, _gather(slots), [None] * (binders(body, self._binders) + 1))
        return lambda e: build(e)[0], Static(result=result)


class _Builder:
    """Makes a function in a frame; ``places`` are the copies for the function itself."""

    __slots__ = ("build", "places")

    def __init__(self, build: Callable[[list[Any]], tuple[Value, list[Value]]], places: list[int]) -> None:
        self.build = build
        self.places = places


class _Forward(Labelled):
    """A placeholder for a function of a ``let rec`` until it is made."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__((), _too_early)

    def __call__(self, *arguments: Value) -> Value:
        _too_early()


def _too_early(*_: Value) -> Value:
    raise Unsupported("a value of a let rec that is used before it is there")


def _alone(code: Code) -> Callable[[list[Any]], tuple[Value, None]]:
    """A builder for a labelled function of a ``let rec``."""
    return lambda e: (code(e), None)


_NO_CASE = object()


def _chooser(cases: list[tuple[Test, Code | None, Code]], written: Sequence[tree.Case] | None) -> Callable[..., Value]:
    """A function that runs the first matching case. If none matches, a handler answers ``_NO_CASE``."""
    handler = written is None

    def fail() -> Value:
        if handler:
            return _NO_CASE
        raise Raised((_MATCH_FAILURE, _PLACE))

    if all(guard is None for _, guard, _ in cases):
        if len(cases) == 2:
            (first, _, one), (second, _, other) = cases
            if written is not None and isinstance(written[1].pattern, tree.Wild):
                return lambda v, e: one(e) if first(v, e) else other(e)
            return lambda v, e: one(e) if first(v, e) else other(e) if second(v, e) else fail()
        if len(cases) == 1:
            ((first, _, one),) = cases
            return lambda v, e: one(e) if first(v, e) else fail()
        pairs = [(test, body) for test, _, body in cases]

        def plain(v: Value, e: list[Any]) -> Value:
            for test, body in pairs:
                if test(v, e):
                    return body(e)
            return fail()

        return plain

    def choose(v: Value, e: list[Any]) -> Value:
        for test, guard, body in cases:
            if test(v, e) and (guard is None or guard(e)):
                return body(e)
        return fail()

    return choose


def _caught(pattern: Node) -> Node | None:
    """The pattern inside ``exception P``; None for other patterns."""
    if isinstance(pattern, tree.Catch):
        return pattern.pattern
    if isinstance(pattern, tree.Or):
        inside = [_caught(part) for part in pattern.patterns]
        if all(part is not None for part in inside):
            return tree.Or(tuple(part for part in inside if part is not None))
    return None


def _after(runs: list[Code], body: Code) -> Code:
    def run(e: list[Any]) -> Value:
        for code in runs:
            code(e)
        return body(e)

    return run


def _gather(slots: tuple[int, ...]) -> Callable[[list[Any]], list[Any]]:
    """A function that copies these slots of a frame."""
    if not slots:
        return lambda e: []
    if len(slots) == 1:
        (slot,) = slots
        return lambda e: [e[slot]]
    if len(slots) == 2:
        one, two = slots
        return lambda e: [e[one], e[two]]
    get = itemgetter(*slots)
    return lambda e: [*get(e)]


def _flattened(node: tree.Fun | tree.Function) -> tuple[list[tree.Param | None], Node | tuple[tree.Case, ...]]:
    """All parameters of ``fun x -> fun y -> function ...`` and the body or its cases; None is the parameter of
    ``function``.
    """
    params: list[tree.Param | None] = []
    inside: Node = node
    while isinstance(inside, tree.Fun):
        params += inside.params
        inside = _untyped(inside.body)
    if isinstance(inside, tree.Function):
        return [*params, None], inside.cases
    return params, inside


def _inner(node: Node) -> list[Node]:
    """The nested functions that were merged into a function of several parameters."""
    found: list[Node] = []
    while isinstance(node, tree.Fun):
        node = _untyped(node.body)
        if isinstance(node, tree.Fun | tree.Function):
            found.append(node)
    return found


def _untyped(node: Node) -> Node:
    while isinstance(node, tree.Typed):
        node = node.body
    return node


def _untyped_pattern(pattern: Node) -> Node:
    while isinstance(pattern, tree.TypedPattern):
        pattern = pattern.pattern
    return pattern


def _is_pattern(pattern: Node) -> bool:
    return not isinstance(_untyped_pattern(pattern), tree.VarPattern)


def _modules_in(pattern: Node, scope: Scope) -> Scope:
    """The scope with the modules unpacked by a pattern."""
    for node in tree.nodes(pattern):
        if isinstance(node, tree.UnpackPattern) and node.name != "_":
            known = scope.module_types.get(node.annotation.split()[0]) if node.annotation else None
            scope = scope.bind_module(node.name, known or Static())
    return scope


def _modules_of(bindings: Sequence[tree.Binding], scope: Scope) -> Scope:
    for binding in bindings:
        scope = _modules_in(binding.pattern, scope)
    return scope


def _descriptor(declared: tree.ConstructorDecl, rank: int) -> Constant | Tag:
    if declared.arity == 0:
        return Constant(declared.name, rank)
    return Tag(declared.name, rank, declared.arity, Shape(declared.fields) if declared.fields else None)


def _declare(declared: tree.TypeDecl, added: Static, scope: Scope) -> None:
    """Adds the constructors and fields of a type."""
    repeated = None
    if declared.same_as and declared.constructors:
        path, _, _ = declared.same_as.rpartition(".")
        repeated = static_at(path.split()[-1], scope) if path else None
    constants = blocks = 0
    for declaration in declared.constructors:
        known = repeated.constructors.get(declaration.name) if repeated else None
        added.constructors[declaration.name] = known or _descriptor(
            declaration, blocks if declaration.arity else constants
        )
        if declaration.arity:
            blocks += 1
        else:
            constants += 1
    if declared.fields:
        shape = Shape(declared.fields)
        for name in declared.fields:
            added.shapes[name] = (shape, *added.shapes.get(name, ()))


def _extended(scope: Scope, added: Static) -> Scope:
    """The scope with the added types."""
    shapes = dict(scope.shapes)
    for name, known in added.shapes.items():
        shapes[name] = (*known, *shapes.get(name, ()))
    return scope.changed(
        constructors={**scope.constructors, **added.constructors},
        shapes=shapes,
        module_types={**scope.module_types, **added.module_types},
    )


def _merge(into: Static, added: Static) -> None:
    if added.values is not None and into.values is not None:
        into.values |= added.values
    into.modules |= added.modules
    into.constructors |= added.constructors
    for name, known in added.shapes.items():
        into.shapes[name] = (*known, *into.shapes.get(name, ()))
    into.module_types |= added.module_types


def _factory(template: str, kinds: str) -> Callable[..., Code]:
    return factory(template, kinds)


def _side(operator: str, kind: str, other: str) -> Callable[..., Code]:
    return factory(SIDES[operator], kind + other, lazily=True)


def _branch(kinds: str) -> Callable[..., Code]:
    return factory("return {1} if {0} else {2}", kinds, lazily=True)


_COMPILERS: dict[type[Node], Callable[..., Code]] = {
    tree.Const: Compiler._const,
    tree.Var: Compiler._var,
    tree.Apply: Compiler._apply,
    tree.Infix: Compiler._infix,
    tree.Prefix: Compiler._prefix,
    tree.Tuple: Compiler._tuple,
    tree.ListExpr: Compiler._list,
    tree.ArrayExpr: Compiler._array,
    tree.Construct: Compiler._construct,
    tree.Record: Compiler._record,
    tree.Field: Compiler._field,
    tree.SetField: Compiler._set_field,
    tree.Index: Compiler._index,
    tree.SetIndex: Compiler._set_index,
    tree.If: Compiler._if,
    tree.Sequence: Compiler._sequence,
    tree.Let: Compiler._let,
    tree.LetOperator: Compiler._let_operator,
    tree.LocalItem: Compiler._local_item,
    tree.Fun: Compiler._fun,
    tree.Function: Compiler._fun,
    tree.Match: Compiler._match,
    tree.Try: Compiler._try,
    tree.While: Compiler._while,
    tree.For: Compiler._for,
    tree.Assert: Compiler._assert,
    tree.Lazy: Compiler._lazy,
    tree.Pack: Compiler._pack,
    tree.Typed: Compiler._typed,
}
