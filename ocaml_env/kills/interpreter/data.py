"""The values of an OCaml program, in Python.

    int, bool, float, unit      int (63 bits), bool, float, ()
    char, string, bytes         str of one character, bytes, bytearray
    tuple                       tuple
    constructor                 Constant, or a tuple that begins with a Tag: (SOME, 1), (CONS, 1, NIL)
    record, ref                 Record: a list that begins with its Shape
    array                       list
    function                    a Python function with as many parameters, or Labelled
    exception                   as a constructor
    module                      dict
    lazy, Hashtbl, Map ...      classes of their own

Every value tells its kind, so that no types are needed to compare, hash or print it.

Long, because comparison, equality and hashing must know every kind of value.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any, TypeAlias

from ocaml_env.kills.interpreter.errors import Diverged, Raised, Unsupported

__all__ = [
    "CONS",
    "ERROR",
    "NIL",
    "NONE",
    "OK",
    "REF",
    "SOME",
    "UNIT",
    "Abstract",
    "Budget",
    "Constant",
    "Labelled",
    "Record",
    "Shape",
    "Tag",
    "Value",
    "apply",
    "binary",
    "budget",
    "compare",
    "elements",
    "equal",
    "failure",
    "hashed",
    "invalid",
    "listed",
    "polymorphic_rank",
    "same",
    "spend",
    "unary",
    "wrap",
]

Value: TypeAlias = Any


class Constant:
    """A constructor without arguments; ``rank`` among those of its type."""

    __slots__ = ("name", "rank")

    def __init__(self, name: str, rank: int) -> None:
        self.name = name
        self.rank = rank

    def __repr__(self) -> str:
        return self.name


class Tag:
    """A constructor with arguments; ``rank`` among those with arguments. ``shape`` is that of an inline record."""

    __slots__ = ("arity", "name", "rank", "shape")

    def __init__(self, name: str, rank: int, arity: int, shape: Shape | None = None) -> None:
        self.name = name
        self.rank = rank
        self.arity = arity
        self.shape = shape

    def __repr__(self) -> str:
        return self.name


class Shape:
    """The fields of a type of records, in order; places count from 1."""

    __slots__ = ("names", "places")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.places = {name: place for place, name in enumerate(names, start=1)}


class Record(list[Any]):
    """A record: its shape, then its fields."""

    __slots__ = ()
    __hash__ = None


UNIT: tuple[()] = ()
NIL = Constant("[]", 0)
CONS = Tag("::", 0, 2)
NONE = Constant("None", 0)
SOME = Tag("Some", 0, 1)
OK = Tag("Ok", 0, 1)
ERROR = Tag("Error", 1, 1)
REF = Shape(("contents",))

FAILURE = Tag("Failure", 0, 1)
INVALID_ARGUMENT = Tag("Invalid_argument", 0, 1)


class Abstract:
    """Base of the values whose structure is hidden from programs."""

    __slots__ = ()


class Labelled:
    """A function with labels: ``""``, ``"~x"`` or ``"?x"`` for each parameter; ``run`` takes them all."""

    __slots__ = ("labels", "run")
    __code__ = SimpleNamespace(co_argcount=-1)  # a quick test at a call: not a plain function

    def __init__(self, labels: tuple[str, ...], run: Callable[..., Value]) -> None:
        self.labels = labels
        self.run = run


# Budgets.


class Budget:
    """The steps that are left to a program: calls, turns of loops, and elements made in bulk."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = 0


budget = Budget()


def spend(steps: int) -> None:
    """Takes the steps of a bulk operation before it starts. This bounds memory, too."""
    budget.left -= steps
    if budget.left < 0:
        raise Diverged


# Exceptions.


def failure(message: bytes) -> Raised:
    return Raised((FAILURE, message))


def invalid(message: bytes) -> Raised:
    return Raised((INVALID_ARGUMENT, message))


# Numbers.

_SMALLEST, _LARGEST, _SPAN = -(1 << 62), (1 << 62) - 1, 1 << 63


def wrap(number: int) -> int:
    """The number wrapped to 63 bits."""
    if _SMALLEST <= number <= _LARGEST:
        return number
    return (number - _SMALLEST) % _SPAN + _SMALLEST


# Lists.


def listed(values: Iterable[Value], tail: Value = NIL) -> Value:
    """An OCaml list of these values, in front of another list."""
    made = tail
    for value in reversed(values if isinstance(values, list | tuple) else list(values)):
        made = (CONS, value, made)
    return made


def elements(values: Value) -> Iterator[Value]:
    """The elements of an OCaml list."""
    while values is not NIL:
        _, value, values = values
        yield value


# Calls.


def apply(function: Value, arguments: tuple[Value, ...]) -> Value:
    """Calls a function with fewer, as many or more arguments than it has parameters."""
    arity = function.__code__.co_argcount
    given = len(arguments)
    if arity == given:
        return function(*arguments)
    if arity < 0:
        return apply_labelled(function, arguments, ("",) * given)
    if arity < given:
        return apply(function(*arguments[:arity]), arguments[arity:])
    return _partial(arity - given, lambda rest: function(*arguments, *rest))


def _partial(missing: int, run: Callable[[tuple[Value, ...]], Value]) -> Value:
    match missing:
        case 1:
            return lambda a: run((a,))
        case 2:
            return lambda a, b: run((a, b))
        case 3:
            return lambda a, b, c: run((a, b, c))
        case 4:
            return lambda a, b, c, d: run((a, b, c, d))
        case 5:
            return lambda a, b, c, d, e: run((a, b, c, d, e))
        case 6:
            return lambda a, b, c, d, e, f: run((a, b, c, d, e, f))
        case 7:
            return lambda a, b, c, d, e, f, g: run((a, b, c, d, e, f, g))
        case 8:
            return lambda a, b, c, d, e, f, g, h: run((a, b, c, d, e, f, g, h))
    raise Unsupported("a function that waits for more than 8 arguments")


curried = _partial


def apply_labelled(function: Value, arguments: tuple[Value, ...], labels: tuple[str, ...]) -> Value:
    """Calls a function with labels on arguments or parameters."""
    if not isinstance(function, Labelled):
        return apply(function, arguments)  # an unknown function takes its arguments in order
    wanted = function.labels
    named = {label[1:]: (label[0], value) for label, value in zip(labels, arguments, strict=True) if label}
    plain = [value for label, value in zip(labels, arguments, strict=True) if not label]
    required = [label for label in wanted if not label.startswith("?")]
    if not named and len(plain) >= len(required) and any(required):
        # A full application may leave all labels out.
        given: dict[int, Value] = {}
        for place, label in enumerate(wanted):
            given[place] = NONE if label.startswith("?") else plain.pop(0)
        return _finish(function, given, plain)
    given = {}
    waiting: list[int] = []  # optional parameters; None if an unlabelled argument follows
    for place, label in enumerate(wanted):
        if label and label[1:] in named:
            mark, value = named.pop(label[1:])
            given[place] = (SOME, value) if label[0] == "?" and mark == "~" else value
        elif label.startswith("?"):
            waiting.append(place)
        elif not label and plain:
            given[place] = plain.pop(0)
            given.update(dict.fromkeys(waiting, NONE))
            waiting.clear()
    if named:
        raise Unsupported("a label that the function does not have")
    return _finish(function, given, plain)


def _finish(function: Labelled, given: dict[int, Value], more: list[Value]) -> Value:
    """Calls the function, or returns a function of the missing arguments."""
    wanted = function.labels
    left = [place for place in range(len(wanted)) if place not in given]
    if not left:
        made = function.run(*(given[place] for place in range(len(wanted))))
        return apply(made, tuple(more)) if more else made

    def run(rest: tuple[Value, ...]) -> Value:
        everything = given | dict(zip(left, rest, strict=True))
        return function.run(*(everything[place] for place in range(len(wanted))))

    labels = tuple(wanted[place] for place in left)
    return Labelled(labels, lambda *rest: run(rest)) if any(labels) else _partial(len(left), run)


def unary(function: Value) -> Callable[[Value], Value]:
    """The function as a Python function of one argument."""
    if function.__code__.co_argcount == 1:
        return function  # type: ignore[no-any-return]
    return lambda x: apply(function, (x,))


def binary(function: Value) -> Callable[[Value, Value], Value]:
    """The function as a Python function of two arguments."""
    if function.__code__.co_argcount == 2:
        return function  # type: ignore[no-any-return]
    return lambda x, y: apply(function, (x, y))


# Comparison.

_PLAIN = frozenset((int, bytes, str, bool))


def compare(x: Value, y: Value) -> int:
    """``Stdlib.compare``."""
    while True:
        kind = type(x)
        if kind in _PLAIN:
            return int(x > y) - int(x < y)
        if kind is Constant:
            return int(x.rank > y.rank) - int(x.rank < y.rank) if type(y) is Constant else -1
        if kind is tuple:
            if type(y) is Constant:
                return 1
            if not x or x is y:
                return 0
            start = 0
            if type(x[0]) is Tag:
                if x[0] is not y[0]:
                    return int(x[0].rank > y[0].rank) - int(x[0].rank < y[0].rank)
                start = 1
        elif kind is float:
            if x == y or (x != x and y != y):
                return 0
            return -1 if x < y or x != x else 1
        elif kind is Record:
            start = 1
        elif kind is list:
            if len(x) != len(y):
                return -1 if len(x) < len(y) else 1
            if not x:
                return 0
            start = 0
        elif kind is bytearray:
            return int(x > y) - int(x < y)
        else:
            return _compared(x, y)
        for place in range(start, len(x) - 1):
            order = compare(x[place], y[place])
            if order:
                return order
        x, y = x[-1], y[-1]


def _compared(x: Value, y: Value) -> int:
    if isinstance(x, Abstract):
        raise Unsupported(f"structural comparison of {type(x).__name__}")
    if x is y:
        return 0
    raise invalid(b"compare: functional value")


def equal(x: Value, y: Value) -> bool:
    """``x = y``: as ``compare``, but nan differs from itself."""
    while True:
        kind = type(x)
        if kind in _PLAIN:
            return bool(x == y)
        if kind is Constant:
            return type(y) is Constant and (x is y or (x.name == y.name and x.rank == y.rank))
        if kind is tuple:
            if type(y) is Constant:
                return False
            if not x:
                return True
            start = 0
            if type(x[0]) is Tag:
                if x[0] is not y[0]:
                    return False
                start = 1
        elif kind is float or kind is bytearray:
            return bool(x == y)
        elif kind is Record:
            start = 1
        elif kind is list:
            if len(x) != len(y):
                return False
            if not x:
                return True
            start = 0
        else:
            if isinstance(x, Abstract):
                raise Unsupported(f"structural comparison of {type(x).__name__}")
            raise invalid(b"compare: functional value")
        for place in range(start, len(x) - 1):
            if not equal(x[place], y[place]):
                return False
        x, y = x[-1], y[-1]


def same(x: Value, y: Value) -> bool:
    """``x == y``: immediate values compare by value, others by identity."""
    if type(x) in (int, bool, str):
        return bool(x == y)
    if x == () and type(x) is tuple:
        return True
    if type(x) is Constant:
        return equal(x, y)
    return x is y


# Hashing, as in the runtime's hash.c: it decides the order in which a table is walked.

_MASK = 0xFFFFFFFF


def _mix(h: int, d: int) -> int:
    d = d * 0xCC9E2D51 & _MASK
    d = (d << 15 | d >> 17) & _MASK
    h ^= d * 0x1B873593 & _MASK
    h = (h << 13 | h >> 19) & _MASK
    return (h * 5 + 0xE6546B64) & _MASK


def _mix_word(h: int, word: int) -> int:
    return _mix(h, ((word >> 32) ^ (word >> 63) ^ word) & _MASK)


def _mix_float(h: int, number: float) -> int:
    if number != number:
        low, high = 1, 0x7FF00000
    else:
        low, high = struct.unpack("<II", struct.pack("<d", number or 0.0))
    return _mix(_mix(h, low), high)


def _mix_text(h: int, text: bytes) -> int:
    whole = len(text) & ~3
    for (block,) in struct.iter_unpack("<I", text[:whole]):
        h = _mix(h, block)
    if whole < len(text):
        h = _mix(h, int.from_bytes(text[whole:], "little"))
    return h ^ len(text)


def _blocks(value: Value) -> tuple[int, Sequence[Value]]:
    """The tag of a block, and its fields."""
    if type(value) is tuple:
        return (value[0].rank, value[1:]) if type(value[0]) is Tag else (0, value)
    return 0, value[1:] if type(value) is Record else value


def hashed(value: Value, meaningful: int = 10, total: int = 100) -> int:
    """``Hashtbl.hash_param meaningful total value``."""
    h, total = 0, min(total, 256)
    queue = [value]
    read = 0
    while read < len(queue) and meaningful > 0:
        value = queue[read]
        read += 1
        kind = type(value)
        if kind is float:
            h = _mix_float(h, value)
        elif kind is bytes or kind is bytearray:
            h = _mix_text(h, bytes(value))
        elif kind is int or kind is bool:
            h = _mix_word(h, 2 * value + 1)
        elif kind is str:
            h = _mix_word(h, 2 * ord(value) + 1)
        elif kind is Constant:
            h = _mix_word(h, 2 * value.rank + 1)
        elif value == ():
            h = _mix_word(h, 1)
        elif kind in (tuple, list, Record):
            tag, parts = _blocks(value)
            if parts and kind is not tuple and all(type(part) is float for part in parts):
                for part in parts:
                    h = _mix_float(h, part)
                    meaningful -= 1
                    if meaningful <= 0:
                        break
                continue
            h = _mix(h, (len(parts) << 10 | tag) & _MASK)
            queue += parts[: max(0, total - len(queue))]
            continue
        else:
            raise Unsupported(f"the hash of {kind.__name__}")
        meaningful -= 1
    h ^= h >> 16
    h = h * 0x85EBCA6B & _MASK
    h ^= h >> 13
    h = h * 0xC2B2AE35 & _MASK
    h ^= h >> 16
    return h & 0x3FFFFFFF


def polymorphic_rank(name: str) -> int:
    """The number that OCaml uses for a polymorphic variant's name, without its backquote."""
    rank = 0
    for letter in name.encode("latin-1"):
        rank = (223 * rank + letter) & 0x7FFFFFFF
    return rank - 0x80000000 if rank > 0x3FFFFFFF else rank
