"""The modules ``Hashtbl``, ``Queue`` and ``Stack``. Tables are walked in OCaml's order.

Long, because it has a function for each of OCaml's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from ocaml_env.kills.interpreter.data import (
    NONE,
    SOME,
    UNIT,
    Abstract,
    Labelled,
    Value,
    apply,
    binary,
    compare,
    hashed,
    listed,
    spend,
    unary,
)
from ocaml_env.kills.interpreter.errors import Raised
from ocaml_env.kills.interpreter.library.names import CONSTRUCTORS, NOT_FOUND
from ocaml_env.kills.interpreter.library.sequences import Sequence, sequence, walk

__all__ = ["FUNCTORS", "VALUES"]

Hash = Callable[[Value], int]
Same = Callable[[Value, Value], bool]


class Table(Abstract):
    """A ``Hashtbl.t``: buckets of bindings, the latest first."""

    __slots__ = ("buckets", "hash", "same", "size", "start")

    def __init__(self, size: int, hash_: Hash, same: Same) -> None:
        buckets = 16
        while buckets < size:
            buckets *= 2
        spend(buckets >> 4)
        self.start = buckets
        self.buckets: list[list[list[Value]]] = [[] for _ in range(buckets)]
        self.size = 0
        self.hash = hash_
        self.same = same

    def bucket(self, key: Value) -> list[list[Value]]:
        spend(1)
        return self.buckets[self.hash(key) & (len(self.buckets) - 1)]

    def place(self, key: Value) -> tuple[list[list[Value]], int]:
        """The bucket of a key, and the place of its latest binding or -1."""
        bucket = self.bucket(key)
        return bucket, next((place for place, entry in enumerate(bucket) if self.same(entry[0], key)), -1)

    def add(self, key: Value, value: Value) -> None:
        self.bucket(key).insert(0, [key, value])
        self.size += 1
        if self.size > 2 * len(self.buckets):
            entries = list(self.entries())
            self.buckets = [[] for _ in range(2 * len(self.buckets))]
            for entry in entries:
                self.bucket(entry[0]).append(entry)

    def entries(self) -> Iterator[list[Value]]:
        for bucket in list(self.buckets):
            yield from list(bucket)


_PLAIN = frozenset((int, bytes))
_HASHES: dict[Value, int] = {}


def _hash(key: Value) -> int:
    """``Hashtbl.hash``, remembered for plain keys."""
    if type(key) not in _PLAIN and not (type(key) is tuple and all(type(part) in _PLAIN for part in key)):
        return hashed(key)
    found = _HASHES.get(key)
    if found is None:
        if len(_HASHES) > 100_000:
            _HASHES.clear()
        found = _HASHES[key] = hashed(key)
    return found


def _find(table: Table, key: Value) -> Value:
    bucket, place = table.place(key)
    if place < 0:
        raise Raised(NOT_FOUND)
    return bucket[place][1]


def _find_opt(table: Table, key: Value) -> Value:
    bucket, place = table.place(key)
    return NONE if place < 0 else (SOME, bucket[place][1])


def _add(table: Table, key: Value, value: Value) -> Value:
    table.add(key, value)
    return UNIT


def _replace(table: Table, key: Value, value: Value) -> Value:
    bucket, place = table.place(key)
    if place < 0:
        table.add(key, value)
    else:
        bucket[place][:] = [key, value]
    return UNIT


def _remove(table: Table, key: Value) -> Value:
    bucket, place = table.place(key)
    if place >= 0:
        del bucket[place]
        table.size -= 1
    return UNIT


def _clear(table: Table) -> Value:
    for bucket in table.buckets:
        bucket.clear()
    table.size = 0
    return UNIT


def _reset(table: Table) -> Value:
    table.buckets = [[] for _ in range(table.start)]
    table.size = 0
    return UNIT


def _copy(table: Table) -> Table:
    made = Table(table.start, table.hash, table.same)
    made.buckets = [[list(entry) for entry in bucket] for bucket in table.buckets]
    made.size = table.size
    return made


def _iter(f: Value, table: Table) -> Value:
    f = binary(f)
    for key, value in table.entries():
        spend(1)
        f(key, value)
    return UNIT


def _fold(f: Value, table: Table, start: Value) -> Value:
    for key, value in table.entries():
        start = apply(f, (key, value, start))
    return start


def _filter_map_inplace(f: Value, table: Table) -> Value:
    f = binary(f)
    for bucket in table.buckets:
        kept = [(entry, f(*entry)) for entry in list(bucket)]
        table.size -= sum(1 for _, made in kept if made is NONE)
        bucket[:] = [[entry[0], made[1]] for entry, made in kept if made is not NONE]
    return UNIT


def _find_all(table: Table, key: Value) -> Value:
    return listed([entry[1] for entry in table.bucket(key) if table.same(entry[0], key)])


def _seq(table: Table, of: Callable[[list[Value]], Value]) -> Sequence:
    found = [of(entry) for entry in table.entries()]
    return sequence(lambda place: (found[place],) if place < len(found) else None)


def _add_seq(table: Table, seq: Value) -> Value:
    for key, value in walk(seq):
        table.add(key, value)
    return UNIT


def _replace_seq(table: Table, seq: Value) -> Value:
    for key, value in walk(seq):
        _replace(table, key, value)
    return UNIT


def _functions(hash_: Hash, same: Same) -> dict[str, Any]:
    def of_seq(seq: Value) -> Table:
        table = Table(16, hash_, same)
        _replace_seq(table, seq)
        return table

    def create(size: int) -> Table:
        return Table(size, hash_, same)

    return {
        "create": create,
        "add": _add,
        "replace": _replace,
        "remove": _remove,
        "find": _find,
        "find_opt": _find_opt,
        "find_all": _find_all,
        "mem": lambda table, key: table.place(key)[1] >= 0,
        "length": lambda table: table.size,
        "clear": _clear,
        "reset": _reset,
        "copy": _copy,
        "iter": _iter,
        "fold": _fold,
        "filter_map_inplace": _filter_map_inplace,
        "to_seq": lambda table: _seq(table, tuple),
        "to_seq_keys": lambda table: _seq(table, lambda entry: entry[0]),
        "to_seq_values": lambda table: _seq(table, lambda entry: entry[1]),
        "add_seq": _add_seq,
        "replace_seq": _replace_seq,
        "of_seq": of_seq,
    }


def _make(module: Any) -> dict[str, Any]:
    """``Hashtbl.Make``."""
    hash_, same = unary(module["hash"]), binary(module["equal"])
    return _functions(lambda key: hash_(key) & 0x3FFFFFFFFFFFFFFF, same)


class Line(Abstract):
    """A ``Queue.t``, or a ``Stack.t`` with its top at the left end."""

    __slots__ = ("items",)

    def __init__(self, items: Any = ()) -> None:
        self.items: deque[Value] = deque(items)


def _push(value: Value, queue: Line) -> Value:
    spend(1)
    queue.items.append(value)
    return UNIT


def _push_top(value: Value, stack: Line) -> Value:
    spend(1)
    stack.items.appendleft(value)
    return UNIT


def _taker(name: str) -> Callable[[Line], Value]:
    def take(line: Line) -> Value:
        if not line.items:
            raise Raised(CONSTRUCTORS[f"{name}.Empty"])
        return line.items.popleft()

    return take


def _peeker(name: str) -> Callable[[Line], Value]:
    def peek(line: Line) -> Value:
        if not line.items:
            raise Raised(CONSTRUCTORS[f"{name}.Empty"])
        return line.items[0]

    return peek


def _empty(line: Line) -> Value:
    line.items.clear()
    return UNIT


def _transfer(one: Line, other: Line) -> Value:
    other.items.extend(one.items)
    one.items.clear()
    return UNIT


def _each(f: Value, line: Line) -> Value:
    f = unary(f)
    for value in list(line.items):
        spend(1)
        f(value)
    return UNIT


def _folded(f: Value, start: Value, line: Line) -> Value:
    f = binary(f)
    for value in list(line.items):
        spend(1)
        start = f(start, value)
    return start


def _line_seq(line: Line) -> Sequence:
    found = list(line.items)
    return sequence(lambda place: (found[place],) if place < len(found) else None)


def _line_functions(name: str) -> dict[str, Any]:
    take, peek = _taker(name), _peeker(name)
    return {
        "create": lambda unit: Line(),
        "pop": take,
        "pop_opt": lambda line: (SOME, line.items.popleft()) if line.items else NONE,
        "top": peek,
        "top_opt": lambda line: (SOME, line.items[0]) if line.items else NONE,
        "is_empty": lambda line: not line.items,
        "length": lambda line: len(line.items),
        "clear": _empty,
        "copy": lambda line: Line(line.items),
        "iter": _each,
        "fold": _folded,
        "to_seq": _line_seq,
    }


VALUES: dict[str, Any] = {
    f"Hashtbl.{name}": value for name, value in _functions(_hash, lambda one, other: compare(one, other) == 0).items()
}
_create = VALUES["Hashtbl.create"]
VALUES["Hashtbl.create"] = Labelled(("?random", ""), lambda random, size: _create(size))
VALUES |= {f"Queue.{name}": value for name, value in _line_functions("Queue").items()}
VALUES |= {f"Stack.{name}": value for name, value in _line_functions("Stack").items()}
VALUES |= {"Queue.push": _push, "Queue.add": _push, "Queue.transfer": _transfer, "Stack.push": _push_top}
VALUES |= {f"Queue.{new}": VALUES[f"Queue.{old}"] for new, old in (("take", "pop"), ("take_opt", "pop_opt"))}
VALUES |= {f"Queue.{new}": VALUES[f"Queue.{old}"] for new, old in (("peek", "top"), ("peek_opt", "top_opt"))}

FUNCTORS = {"Hashtbl.Make": _make}
