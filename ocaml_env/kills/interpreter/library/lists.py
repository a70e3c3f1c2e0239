"""The module ``List``, and ``@``.

Long, because it has a function for each of OCaml's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cmp_to_key
from typing import Any

from ocaml_env.kills.interpreter.data import (
    CONS,
    NIL,
    NONE,
    SOME,
    Labelled,
    Value,
    apply,
    binary,
    compare,
    elements,
    failure,
    invalid,
    listed,
    same,
    spend,
    unary,
)
from ocaml_env.kills.interpreter.errors import Raised
from ocaml_env.kills.interpreter.library.names import LEFT, NOT_FOUND

__all__ = ["VALUES", "append", "merge_sort", "unique"]


def plain(values: Value) -> list[Value]:
    """The elements as a Python list; costs a step each."""
    found = list(elements(values))
    spend(len(found))
    return found


def append(one: Value, other: Value) -> Value:
    """``one @ other``."""
    return listed(plain(one), other)


def merge_sort(order: Value, values: Iterable[Value]) -> list[Value]:
    """The values sorted by a comparison; the sort is stable."""
    return sorted(values, key=cmp_to_key(binary(order)))


def unique(order: Value, values: Iterable[Value]) -> list[Value]:
    """The values without repetitions of the previous one."""
    of = binary(order)
    found: list[Value] = []
    for value in values:
        if not found or of(found[-1], value) != 0:
            found.append(value)
    return found


def _both(name: bytes, one: Value, other: Value) -> tuple[list[Value], list[Value]]:
    xs, ys = plain(one), plain(other)
    if len(xs) != len(ys):
        raise invalid(name)
    return xs, ys


def _pairs(name: bytes, one: Value, other: Value) -> Any:
    """Pairs until one list ends. Unequal lengths raise only there, after the effects of the pairs before."""
    xs, ys = plain(one), plain(other)
    yield from zip(xs, ys, strict=False)
    if len(xs) != len(ys):
        raise invalid(name)


def _head(values: Value) -> Value:
    if values is NIL:
        raise failure(b"hd")
    return values[1]


def _tail(values: Value) -> Value:
    if values is NIL:
        raise failure(b"tl")
    return values[2]


def _nth(values: Value, place: int) -> Value:
    if place < 0:
        raise invalid(b"List.nth")
    found = plain(values)
    if place >= len(found):
        raise failure(b"nth")
    return found[place]


def _nth_opt(values: Value, place: int) -> Value:
    if place < 0:
        raise invalid(b"List.nth")
    found = plain(values)
    return (SOME, found[place]) if place < len(found) else NONE


def _map(f: Value, values: Value) -> Value:
    f = unary(f)
    # The standard library maps from left to right since OCaml 5.1. Before, List.map's own loop did so, too.
    return listed([f(value) for value in plain(values)])


def _iter(f: Value, values: Value) -> Value:
    f = unary(f)
    for value in plain(values):
        f(value)
    return ()


def _iteri(f: Value, values: Value) -> Value:
    f = binary(f)
    for place, value in enumerate(plain(values)):
        f(place, value)
    return ()


def _mapi(f: Value, values: Value) -> Value:
    f = binary(f)
    return listed([f(place, value) for place, value in enumerate(plain(values))])


def _init(length: int, f: Value) -> Value:
    if length < 0:
        raise invalid(b"List.init")
    spend(length)
    f = unary(f)
    return listed([f(place) for place in range(length)])


def _filter(f: Value, values: Value) -> Value:
    f = unary(f)
    return listed([value for value in plain(values) if f(value)])


def _filteri(f: Value, values: Value) -> Value:
    f = binary(f)
    return listed([value for place, value in enumerate(plain(values)) if f(place, value)])


def _filter_map(f: Value, values: Value) -> Value:
    f = unary(f)
    found = [f(value) for value in plain(values)]
    return listed([option[1] for option in found if option is not NONE])


def _concat_map(f: Value, values: Value) -> Value:
    f = unary(f)
    found: list[Value] = []
    for value in plain(values):
        found += plain(f(value))
    return listed(found)


def _concat(lists: Value) -> Value:
    found: list[Value] = []
    for values in plain(lists):
        found += plain(values)
    return listed(found)


def fold_left(f: Value, start: Value, values: Value) -> Value:
    f = binary(f)
    for value in plain(values):
        start = f(start, value)
    return start


def _fold_right(f: Value, values: Value, start: Value) -> Value:
    f = binary(f)
    for value in reversed(plain(values)):
        start = f(value, start)
    return start


def _fold_left_map(f: Value, start: Value, values: Value) -> Value:
    f = binary(f)
    found = []
    for value in plain(values):
        start, made = f(start, value)
        found.append(made)
    return (start, listed(found))


def _fold_left2(f: Value, start: Value, one: Value, other: Value) -> Value:
    for x, y in _pairs(b"List.fold_left2", one, other):
        start = apply(f, (start, x, y))
    return start


def _fold_right2(f: Value, one: Value, other: Value, start: Value) -> Value:
    xs, ys = _both(b"List.fold_right2", one, other)
    for x, y in reversed(list(zip(xs, ys, strict=True))):
        start = apply(f, (x, y, start))
    return start


def _map2(f: Value, one: Value, other: Value) -> Value:
    f = binary(f)
    return listed([f(x, y) for x, y in _pairs(b"List.map2", one, other)])


def _iter2(f: Value, one: Value, other: Value) -> Value:
    f = binary(f)
    for x, y in _pairs(b"List.iter2", one, other):
        f(x, y)
    return ()


def _for_all2(f: Value, one: Value, other: Value) -> bool:
    f = binary(f)
    return all(f(x, y) for x, y in _pairs(b"List.for_all2", one, other))


def _exists2(f: Value, one: Value, other: Value) -> bool:
    f = binary(f)
    return any(f(x, y) for x, y in _pairs(b"List.exists2", one, other))


def _combine(one: Value, other: Value) -> Value:
    xs, ys = _both(b"List.combine", one, other)
    return listed(list(zip(xs, ys, strict=True)))


def _split(pairs: Value) -> Value:
    found = plain(pairs)
    return (listed([x for x, _ in found]), listed([y for _, y in found]))


def _partition(f: Value, values: Value) -> Value:
    f = unary(f)
    yes: list[Value] = []
    no: list[Value] = []
    for value in plain(values):
        (yes if f(value) else no).append(value)
    return (listed(yes), listed(no))


def _partition_map(f: Value, values: Value) -> Value:
    f = unary(f)
    found = [f(value) for value in plain(values)]
    return (
        listed([side[1] for side in found if side[0] is LEFT]),
        listed([side[1] for side in found if side[0] is not LEFT]),
    )


def _first(test: Callable[[Value], bool], values: Value) -> Value | None:
    return next(((SOME, value) for value in plain(values) if test(value)), None)


def _find(f: Value, values: Value) -> Value:
    found = _first(unary(f), values)
    if found is None:
        raise Raised(NOT_FOUND)
    return found[1]


def _find_map(f: Value, values: Value) -> Value:
    f = unary(f)
    for value in plain(values):
        found = f(value)
        if found is not NONE:
            return found
    return NONE


def _assoc(key: Value, pairs: Value) -> Value:
    found = _first(lambda pair: compare(pair[0], key) == 0, pairs)
    if found is None:
        raise Raised(NOT_FOUND)
    return found[1][1]


def _assoc_opt(key: Value, pairs: Value) -> Value:
    found = _first(lambda pair: compare(pair[0], key) == 0, pairs)
    return NONE if found is None else (SOME, found[1][1])


def _assq(key: Value, pairs: Value) -> Value:
    found = _first(lambda pair: same(pair[0], key), pairs)
    if found is None:
        raise Raised(NOT_FOUND)
    return found[1][1]


def _remove_assoc(key: Value, pairs: Value) -> Value:
    found = plain(pairs)
    for place, pair in enumerate(found):
        if compare(pair[0], key) == 0:
            return listed(found[:place] + found[place + 1 :])
    return pairs


def _merge(order: Value, one: Value, other: Value) -> Value:
    of = binary(order)
    xs, ys = plain(one), plain(other)
    found = []
    i = j = 0
    while i < len(xs) and j < len(ys):
        if of(xs[i], ys[j]) <= 0:
            found.append(xs[i])
            i += 1
        else:
            found.append(ys[j])
            j += 1
    return listed(found + xs[i:] + ys[j:])


def _compare(order: Value, one: Value, other: Value) -> int:
    of = binary(order)
    while True:
        if one is NIL or other is NIL:
            return (one is not NIL) - (other is not NIL)
        found = of(one[1], other[1])
        if found != 0:
            return int(found)
        one, other = one[2], other[2]


def _equal(same: Value, one: Value, other: Value) -> bool:
    of = binary(same)
    while one is not NIL and other is not NIL:
        if not of(one[1], other[1]):
            return False
        one, other = one[2], other[2]
    return one is other


def _length_order(x: int, y: int) -> int:
    return (x > y) - (x < y)


def _sort(order: Value, values: Value) -> Value:
    return listed(merge_sort(order, plain(values)))


_NAMES: dict[str, Any] = {
    "length": lambda values: len(plain(values)),
    "compare_lengths": lambda one, other: _length_order(len(plain(one)), len(plain(other))),
    "compare_length_with": lambda values, length: _length_order(len(plain(values)), length),
    "is_empty": lambda values: values is NIL,
    "cons": lambda value, values: (CONS, value, values),
    "hd": _head,
    "tl": _tail,
    "nth": _nth,
    "nth_opt": _nth_opt,
    "rev": lambda values: listed(plain(values)[::-1]),
    "init": _init,
    "append": append,
    "rev_append": lambda one, other: listed(plain(one)[::-1], other),
    "concat": _concat,
    "flatten": _concat,
    "equal": _equal,
    "compare": _compare,
    "iter": _iter,
    "iteri": _iteri,
    "map": _map,
    "mapi": _mapi,
    "rev_map": lambda f, values: listed([unary(f)(value) for value in plain(values)][::-1]),
    "filter_map": _filter_map,
    "concat_map": _concat_map,
    "fold_left_map": _fold_left_map,
    "fold_left": fold_left,
    "fold_right": _fold_right,
    "iter2": _iter2,
    "map2": _map2,
    "fold_left2": _fold_left2,
    "fold_right2": _fold_right2,
    "for_all": lambda f, values: all(map(unary(f), plain(values))),
    "exists": lambda f, values: any(map(unary(f), plain(values))),
    "for_all2": _for_all2,
    "exists2": _exists2,
    "mem": lambda value, values: any(compare(value, element) == 0 for element in plain(values)),
    "memq": lambda value, values: any(same(value, element) for element in plain(values)),
    "find": _find,
    "find_opt": lambda f, values: _first(unary(f), values) or NONE,
    "find_map": _find_map,
    "filter": _filter,
    "find_all": _filter,
    "filteri": _filteri,
    "partition": _partition,
    "partition_map": _partition_map,
    "assoc": _assoc,
    "assoc_opt": _assoc_opt,
    "assq": _assq,
    "mem_assoc": lambda key, pairs: _first(lambda pair: compare(pair[0], key) == 0, pairs) is not None,
    "remove_assoc": _remove_assoc,
    "split": _split,
    "combine": _combine,
    "sort": _sort,
    "stable_sort": _sort,
    "fast_sort": _sort,
    "sort_uniq": lambda order, values: listed(unique(order, merge_sort(order, plain(values)))),
    "merge": _merge,
}

_LABELS = {
    "init": "_ ~f", "iter": "~f _", "iteri": "~f _", "map": "~f _", "mapi": "~f _", "rev_map": "~f _",
    "filter_map": "~f _", "concat_map": "~f _", "fold_left": "~f ~init _", "fold_right": "~f _ ~init",
    "for_all": "~f _", "exists": "~f _", "mem": "_ ~set", "find": "~f _", "find_opt": "~f _", "find_map": "~f _",
    "filter": "~f _", "partition": "~f _", "sort": "~cmp _", "stable_sort": "~cmp _", "sort_uniq": "~cmp _",
    "map2": "~f _ _", "iter2": "~f _ _", "nth": "_ _", "rev": "_", "length": "_", "hd": "_", "tl": "_",
    "append": "_ _", "concat": "_", "combine": "_ _", "split": "_",
}  # fmt: skip

VALUES: dict[str, Any] = {"@": append} | {f"List.{name}": value for name, value in _NAMES.items()}
for _name, _labels in _LABELS.items():
    _words = tuple("" if word == "_" else word for word in _labels.split())
    VALUES[f"ListLabels.{_name}"] = Labelled(_words, _NAMES[_name]) if any(_words) else _NAMES[_name]
