"""The functors ``Map.Make`` and ``Set.Make``: sorted tuples, copied when they change.

Long, because it has a function for each of OCaml's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ocaml_env.kills.interpreter.data import NONE, SOME, UNIT, Abstract, Value, apply, binary, listed, spend, unary
from ocaml_env.kills.interpreter.errors import Raised
from ocaml_env.kills.interpreter.library.lists import plain
from ocaml_env.kills.interpreter.library.names import NOT_FOUND
from ocaml_env.kills.interpreter.library.sequences import sequence, walk

__all__ = ["FUNCTORS"]

Order = Callable[[Value, Value], int]


class Sorted(Abstract):
    """A map or a set: sorted keys, and the values of a map."""

    __slots__ = ("keys", "values")

    def __init__(self, keys: tuple[Value, ...], values: tuple[Value, ...] = ()) -> None:
        spend(1 + (len(keys) >> 5))
        self.keys = keys
        self.values = values

    @property
    def pairs(self) -> list[tuple[Value, Value]]:
        return list(zip(self.keys, self.values, strict=True))


_EMPTY = Sorted.__new__(Sorted)
_EMPTY.keys, _EMPTY.values = (), ()


def _place(order: Order, keys: Sequence[Value], key: Value) -> tuple[int, bool]:
    """The place of a key in the order, and True if the key is present."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        found = order(key, keys[middle])
        if found == 0:
            return middle, True
        if found < 0:
            high = middle
        else:
            low = middle + 1
    return low, False


def _option(found: Sequence[Value], place: int) -> Value:
    return (SOME, found[place]) if found else NONE


def _must(found: Sequence[Value], place: int) -> Value:
    if not found:
        raise Raised(NOT_FOUND)
    return found[place]


def _seq(found: Sequence[Value]) -> Value:
    return sequence(lambda place: (found[place],) if place < len(found) else None)


def _made(pairs: Sequence[tuple[Value, Value]]) -> Sorted:
    return Sorted(tuple(key for key, _ in pairs), tuple(value for _, value in pairs))


def _first(test: Value, found: Sequence[Value]) -> int | None:
    test = unary(test)
    return next((place for place, key in enumerate(found) if test(key)), None)


def _last(test: Value, found: Sequence[Value]) -> int | None:
    test = unary(test)
    return next((place for place in reversed(range(len(found))) if test(found[place])), None)


def _chosen(place: int | None, found: Sequence[Value]) -> Value:
    if place is None:
        raise Raised(NOT_FOUND)
    return found[place]


def _chosen_opt(place: int | None, found: Sequence[Value]) -> Value:
    return NONE if place is None else (SOME, found[place])


def make_map(module: Any) -> dict[str, Any]:
    """``Map.Make``."""
    order: Order = binary(module["compare"])

    def add(key: Value, value: Value, m: Sorted) -> Sorted:
        place, there = _place(order, m.keys, key)
        rest = place + there
        return Sorted(
            (*m.keys[:place], key, *m.keys[rest:]),
            (*m.values[:place], value, *m.values[rest:]),
        )

    def remove(key: Value, m: Sorted) -> Sorted:
        place, there = _place(order, m.keys, key)
        if not there:
            return m
        return Sorted(m.keys[:place] + m.keys[place + 1 :], m.values[:place] + m.values[place + 1 :])

    def find_opt(key: Value, m: Sorted) -> Value:
        spend(1)
        place, there = _place(order, m.keys, key)
        return (SOME, m.values[place]) if there else NONE

    def find(key: Value, m: Sorted) -> Value:
        found = find_opt(key, m)
        if found is NONE:
            raise Raised(NOT_FOUND)
        return found[1]

    def update(key: Value, f: Value, m: Sorted) -> Sorted:
        made = apply(f, (find_opt(key, m),))
        return remove(key, m) if made is NONE else add(key, made[1], m)

    def merge(f: Value, one: Sorted, other: Sorted) -> Sorted:
        made = []
        for key in _union_of(order, one.keys, other.keys):
            found = apply(f, (key, find_opt(key, one), find_opt(key, other)))
            if found is not NONE:
                made.append((key, found[1]))
        return _made(made)

    def union(f: Value, one: Sorted, other: Sorted) -> Sorted:
        def both(key: Value, x: Value, y: Value) -> Value:
            if x is NONE or y is NONE:
                return y if x is NONE else x
            return apply(f, (key, x[1], y[1]))

        return merge(both, one, other)

    def kept(f: Value, m: Sorted) -> tuple[Sorted, Sorted]:
        f = binary(f)
        yes: list[Value] = []
        no: list[Value] = []
        for key, value in m.pairs:
            spend(1)
            (yes if f(key, value) else no).append((key, value))
        return _made(yes), _made(no)

    def mapped(f: Callable[[Value, Value], Value], m: Sorted) -> Sorted:
        return Sorted(m.keys, tuple(f(key, value) for key, value in m.pairs))

    def filter_map(f: Value, m: Sorted) -> Sorted:
        f = binary(f)
        found = [(key, f(key, value)) for key, value in m.pairs]
        return _made([(key, value[1]) for key, value in found if value is not NONE])

    def iterate(f: Value, m: Sorted) -> Value:
        f = binary(f)
        for key, value in m.pairs:
            spend(1)
            f(key, value)
        return UNIT

    def fold(f: Value, m: Sorted, start: Value) -> Value:
        for key, value in m.pairs:
            start = apply(f, (key, value, start))
        return start

    def split(key: Value, m: Sorted) -> Value:
        place, there = _place(order, m.keys, key)
        return (
            Sorted(m.keys[:place], m.values[:place]),
            (SOME, m.values[place]) if there else NONE,
            Sorted(m.keys[place + there :], m.values[place + there :]),
        )

    def add_pairs(pairs: Any, m: Sorted) -> Sorted:
        for key, value in pairs:
            m = add(key, value, m)
        return m

    def order_of(values: Value, one: Sorted, other: Sorted) -> int:
        values = binary(values)
        for (x, a), (y, b) in zip(one.pairs, other.pairs, strict=False):
            found = order(x, y) or values(a, b)
            if found:
                return int(found)
        return (len(one.keys) > len(other.keys)) - (len(one.keys) < len(other.keys))

    def equal(values: Value, one: Sorted, other: Sorted) -> bool:
        values = binary(values)
        return len(one.keys) == len(other.keys) and all(
            order(x, y) == 0 and values(a, b) for (x, a), (y, b) in zip(one.pairs, other.pairs, strict=True)
        )

    def to_seq_from(key: Value, m: Sorted) -> Value:
        return _seq(m.pairs[_place(order, m.keys, key)[0] :])

    return {
        "empty": _EMPTY,
        "is_empty": lambda m: not m.keys,
        "mem": lambda key, m: _place(order, m.keys, key)[1],
        "add": add,
        "update": update,
        "singleton": lambda key, value: Sorted((key,), (value,)),
        "remove": remove,
        "merge": merge,
        "union": union,
        "compare": order_of,
        "equal": equal,
        "iter": iterate,
        "fold": fold,
        "for_all": lambda f, m: all(binary(f)(key, value) for key, value in m.pairs),
        "exists": lambda f, m: any(binary(f)(key, value) for key, value in m.pairs),
        "filter": lambda f, m: kept(f, m)[0],
        "filter_map": filter_map,
        "partition": lambda f, m: kept(f, m),
        "cardinal": lambda m: len(m.keys),
        "bindings": lambda m: listed(m.pairs),
        "to_list": lambda m: listed(m.pairs),
        "min_binding": lambda m: _must(m.pairs, 0),
        "min_binding_opt": lambda m: _option(m.pairs, 0),
        "max_binding": lambda m: _must(m.pairs, -1),
        "max_binding_opt": lambda m: _option(m.pairs, -1),
        "choose": lambda m: _must(m.pairs, 0),
        "choose_opt": lambda m: _option(m.pairs, 0),
        "split": split,
        "find": find,
        "find_opt": find_opt,
        "find_first": lambda f, m: _chosen(_first(f, m.keys), m.pairs),
        "find_first_opt": lambda f, m: _chosen_opt(_first(f, m.keys), m.pairs),
        "find_last": lambda f, m: _chosen(_last(f, m.keys), m.pairs),
        "find_last_opt": lambda f, m: _chosen_opt(_last(f, m.keys), m.pairs),
        "map": lambda f, m: mapped(lambda key, value: unary(f)(value), m),
        "mapi": lambda f, m: mapped(binary(f), m),
        "to_seq": lambda m: _seq(m.pairs),
        "to_rev_seq": lambda m: _seq(m.pairs[::-1]),
        "to_seq_from": to_seq_from,
        "add_seq": lambda seq, m: add_pairs(walk(seq), m),
        "of_seq": lambda seq: add_pairs(walk(seq), _EMPTY),
        "of_list": lambda pairs: add_pairs(plain(pairs), _EMPTY),
    }


def make_set(module: Any) -> dict[str, Any]:
    """``Set.Make``."""
    order: Order = binary(module["compare"])

    def add(key: Value, s: Sorted) -> Sorted:
        place, there = _place(order, s.keys, key)
        return s if there else Sorted((*s.keys[:place], key, *s.keys[place:]))

    def mem(key: Value, s: Sorted) -> bool:
        return _place(order, s.keys, key)[1]

    def remove(key: Value, s: Sorted) -> Sorted:
        place, there = _place(order, s.keys, key)
        return Sorted(s.keys[:place] + s.keys[place + 1 :]) if there else s

    def add_all(keys: Any, s: Sorted) -> Sorted:
        for key in keys:
            s = add(key, s)
        return s

    def kept(f: Value, s: Sorted) -> tuple[Sorted, Sorted]:
        f = unary(f)
        yes: list[Value] = []
        no: list[Value] = []
        for key in s.keys:
            spend(1)
            (yes if f(key) else no).append(key)
        return Sorted(tuple(yes)), Sorted(tuple(no))

    def iterate(f: Value, s: Sorted) -> Value:
        f = unary(f)
        for key in s.keys:
            spend(1)
            f(key)
        return UNIT

    def fold(f: Value, s: Sorted, start: Value) -> Value:
        f = binary(f)
        for key in s.keys:
            spend(1)
            start = f(key, start)
        return start

    def order_of(one: Sorted, other: Sorted) -> int:
        for x, y in zip(one.keys, other.keys, strict=False):
            found = order(x, y)
            if found:
                return found
        return (len(one.keys) > len(other.keys)) - (len(one.keys) < len(other.keys))

    def find_opt(key: Value, s: Sorted) -> Value:
        place, there = _place(order, s.keys, key)
        return (SOME, s.keys[place]) if there else NONE

    def find(key: Value, s: Sorted) -> Value:
        found = find_opt(key, s)
        if found is NONE:
            raise Raised(NOT_FOUND)
        return found[1]

    def split(key: Value, s: Sorted) -> Value:
        place, there = _place(order, s.keys, key)
        return (Sorted(s.keys[:place]), there, Sorted(s.keys[place + there :]))

    def filter_map(f: Value, s: Sorted) -> Sorted:
        found = [unary(f)(key) for key in s.keys]
        return add_all([option[1] for option in found if option is not NONE], _EMPTY)

    return {
        "empty": _EMPTY,
        "is_empty": lambda s: not s.keys,
        "mem": mem,
        "add": add,
        "singleton": lambda key: Sorted((key,)),
        "remove": remove,
        "union": lambda one, other: Sorted(tuple(_union_of(order, one.keys, other.keys))),
        "inter": lambda one, other: Sorted(tuple(key for key in one.keys if mem(key, other))),
        "disjoint": lambda one, other: not any(mem(key, other) for key in one.keys),
        "diff": lambda one, other: Sorted(tuple(key for key in one.keys if not mem(key, other))),
        "compare": order_of,
        "equal": lambda one, other: order_of(one, other) == 0,
        "subset": lambda one, other: all(mem(key, other) for key in one.keys),
        "iter": iterate,
        "map": lambda f, s: add_all([unary(f)(key) for key in s.keys], _EMPTY),
        "fold": fold,
        "for_all": lambda f, s: all(map(unary(f), s.keys)),
        "exists": lambda f, s: any(map(unary(f), s.keys)),
        "filter": lambda f, s: kept(f, s)[0],
        "filter_map": filter_map,
        "partition": lambda f, s: kept(f, s),
        "cardinal": lambda s: len(s.keys),
        "elements": lambda s: listed(s.keys),
        "to_list": lambda s: listed(s.keys),
        "min_elt": lambda s: _must(s.keys, 0),
        "min_elt_opt": lambda s: _option(s.keys, 0),
        "max_elt": lambda s: _must(s.keys, -1),
        "max_elt_opt": lambda s: _option(s.keys, -1),
        "choose": lambda s: _must(s.keys, 0),
        "choose_opt": lambda s: _option(s.keys, 0),
        "split": split,
        "find": find,
        "find_opt": find_opt,
        "find_first": lambda f, s: _chosen(_first(f, s.keys), s.keys),
        "find_first_opt": lambda f, s: _chosen_opt(_first(f, s.keys), s.keys),
        "find_last": lambda f, s: _chosen(_last(f, s.keys), s.keys),
        "find_last_opt": lambda f, s: _chosen_opt(_last(f, s.keys), s.keys),
        "to_seq": lambda s: _seq(s.keys),
        "to_rev_seq": lambda s: _seq(s.keys[::-1]),
        "to_seq_from": lambda key, s: _seq(s.keys[_place(order, s.keys, key)[0] :]),
        "add_seq": lambda seq, s: add_all(walk(seq), s),
        "of_seq": lambda seq: add_all(walk(seq), _EMPTY),
        "of_list": lambda keys: add_all(plain(keys), _EMPTY),
    }


def _union_of(order: Order, one: Sequence[Value], other: Sequence[Value]) -> list[Value]:
    found: list[Value] = []
    i = j = 0
    while i < len(one) and j < len(other):
        side = order(one[i], other[j])
        found.append(one[i] if side <= 0 else other[j])
        i += side <= 0
        j += side >= 0
    return [*found, *one[i:], *other[j:]]


FUNCTORS = {"Map.Make": make_map, "Set.Make": make_set}
