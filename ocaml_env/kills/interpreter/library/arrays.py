"""The module ``Array``. An array is a Python list."""

from __future__ import annotations

from typing import Any

from ocaml_env.kills.interpreter.data import (
    NONE,
    SOME,
    Value,
    binary,
    compare,
    elements,
    invalid,
    listed,
    spend,
    unary,
)
from ocaml_env.kills.interpreter.library.lists import merge_sort

__all__ = ["VALUES"]

_LARGEST = 1 << 54


def _make(length: int, value: Value) -> list[Value]:
    if not 0 <= length < _LARGEST:
        raise invalid(b"Array.make")
    spend(length)
    return [value] * length


def _init(length: int, f: Value) -> list[Value]:
    if length < 0:
        raise invalid(b"Array.init")
    spend(length)
    f = unary(f)
    return [f(place) for place in range(length)]


def _make_matrix(rows: int, columns: int, value: Value) -> list[Value]:
    if columns < 0:
        raise invalid(b"Array.make_matrix")
    return [_make(columns, value) for _ in _make(rows, ())]


def _get(array: list[Value], place: int) -> Value:
    if not 0 <= place < len(array):
        raise invalid(b"index out of bounds")
    return array[place]


def _set(array: list[Value], place: int, value: Value) -> Value:
    if not 0 <= place < len(array):
        raise invalid(b"index out of bounds")
    array[place] = value
    return ()


def _range(array: list[Value], start: int, length: int, name: bytes) -> None:
    if start < 0 or length < 0 or start > len(array) - length:
        raise invalid(name)
    spend(length)


def _sub(array: list[Value], start: int, length: int) -> list[Value]:
    _range(array, start, length, b"Array.sub")
    return array[start : start + length]


def _fill(array: list[Value], start: int, length: int, value: Value) -> Value:
    _range(array, start, length, b"Array.fill")
    array[start : start + length] = [value] * length
    return ()


def _blit(source: list[Value], start: int, target: list[Value], to: int, length: int) -> Value:
    _range(source, start, length, b"Array.blit")
    _range(target, to, length, b"Array.blit")
    target[to : to + length] = source[start : start + length]
    return ()


def _copy(array: list[Value]) -> list[Value]:
    spend(len(array))
    return list(array)


def _joined(arrays: list[list[Value]]) -> list[Value]:
    made = [value for array in arrays for value in array]
    spend(len(made))
    return made


def _iter(f: Value, array: list[Value]) -> Value:
    f = unary(f)
    spend(len(array))
    for place in range(len(array)):
        f(array[place])
    return ()


def _iteri(f: Value, array: list[Value]) -> Value:
    f = binary(f)
    spend(len(array))
    for place in range(len(array)):
        f(place, array[place])
    return ()


def _map(f: Value, array: list[Value]) -> list[Value]:
    f = unary(f)
    spend(len(array))
    return [f(array[place]) for place in range(len(array))]


def _mapi(f: Value, array: list[Value]) -> list[Value]:
    f = binary(f)
    spend(len(array))
    return [f(place, array[place]) for place in range(len(array))]


def _map2(f: Value, one: list[Value], other: list[Value]) -> list[Value]:
    if len(one) != len(other):
        raise invalid(b"Array.map2: arrays must have the same length")
    f = binary(f)
    return [f(x, y) for x, y in zip(_copy(one), other, strict=True)]


def _iter2(f: Value, one: list[Value], other: list[Value]) -> Value:
    if len(one) != len(other):
        raise invalid(b"Array.iter2: arrays must have the same length")
    f = binary(f)
    for x, y in zip(_copy(one), other, strict=True):
        f(x, y)
    return ()


def _fold_left(f: Value, start: Value, array: list[Value]) -> Value:
    f = binary(f)
    spend(len(array))
    for place in range(len(array)):
        start = f(start, array[place])
    return start


def _fold_right(f: Value, array: list[Value], start: Value) -> Value:
    f = binary(f)
    spend(len(array))
    for place in reversed(range(len(array))):
        start = f(array[place], start)
    return start


def _sort(order: Value, array: list[Value]) -> Value:
    spend(len(array))
    array[:] = merge_sort(order, array)
    return ()


def _find_opt(f: Value, array: list[Value]) -> Value:
    f = unary(f)
    return next(((SOME, value) for value in _copy(array) if f(value)), NONE)


def _for_all2(f: Value, one: list[Value], other: list[Value]) -> bool:
    if len(one) != len(other):
        raise invalid(b"Array.for_all2")
    f = binary(f)
    return all(f(x, y) for x, y in zip(_copy(one), other, strict=True))


def _split(pairs: list[Value]) -> Value:
    return ([x for x, _ in _copy(pairs)], [y for _, y in pairs])


def _combine(one: list[Value], other: list[Value]) -> Value:
    if len(one) != len(other):
        raise invalid(b"Array.combine")
    return list(zip(_copy(one), other, strict=True))


VALUES: dict[str, Any] = {
    "Array.length": lambda array: len(array),
    "Array.get": _get,
    "Array.set": _set,
    "Array.unsafe_get": _get,
    "Array.unsafe_set": _set,
    "Array.make": _make,
    "Array.create_float": lambda length: _make(length, 0.0),
    "Array.init": _init,
    "Array.make_matrix": _make_matrix,
    "Array.sub": _sub,
    "Array.fill": _fill,
    "Array.blit": _blit,
    "Array.copy": _copy,
    "Array.append": lambda one, other: _joined([one, other]),
    "Array.concat": lambda arrays: _joined(list(elements(arrays))),
    "Array.to_list": lambda array: listed(_copy(array)),
    "Array.of_list": lambda values: _copy(list(elements(values))),
    "Array.iter": _iter,
    "Array.iteri": _iteri,
    "Array.map": _map,
    "Array.mapi": _mapi,
    "Array.map2": _map2,
    "Array.iter2": _iter2,
    "Array.fold_left": _fold_left,
    "Array.fold_right": _fold_right,
    "Array.sort": _sort,
    "Array.stable_sort": _sort,
    "Array.fast_sort": _sort,
    "Array.for_all": lambda f, array: all(map(unary(f), _copy(array))),
    "Array.exists": lambda f, array: any(map(unary(f), _copy(array))),
    "Array.for_all2": _for_all2,
    "Array.mem": lambda value, array: any(compare(value, element) == 0 for element in _copy(array)),
    "Array.find_opt": _find_opt,
    "Array.split": _split,
    "Array.combine": _combine,
}
