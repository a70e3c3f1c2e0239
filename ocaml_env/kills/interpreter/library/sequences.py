"""The module ``Seq``, and sequences of other values. A sequence is a function of ``()``, as in OCaml."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from ocaml_env.kills.interpreter.data import NIL, NONE, SOME, Value, binary, invalid, listed, spend, unary
from ocaml_env.kills.interpreter.library.names import SEQ_CONS, SEQ_NIL

__all__ = ["VALUES", "Sequence", "sequence", "walk"]

Sequence: TypeAlias = Callable[[Value], Value]


def walk(seq: Value) -> Iterator[Value]:
    """The elements, computed on demand; costs a step each."""
    while True:
        spend(1)
        node = seq(())
        if node is SEQ_NIL:
            return
        _, value, seq = node
        yield value


def sequence(make: Callable[[int], tuple[Value, ...] | None]) -> Sequence:
    """A sequence of ``make(0)``, ``make(1)`` and so on, until ``make`` returns None."""

    def at(place: int) -> Sequence:
        def node(unit: Value) -> Value:
            spend(1)
            found = make(place)
            return SEQ_NIL if found is None else (SEQ_CONS, found[0], at(place + 1))

        return node

    return at(0)


def _indexed(values: Any) -> Sequence:
    return sequence(lambda place: (values[place],) if place < len(values) else None)


def _of_list(values: Value) -> Sequence:
    def node(unit: Value) -> Value:
        return SEQ_NIL if values is NIL else (SEQ_CONS, values[1], _of_list(values[2]))

    return node


def _empty(unit: Value) -> Value:
    return SEQ_NIL


def _lazily(step: Callable[[Value, Value], Value]) -> Callable[[Value], Sequence]:
    """A function from sequence to sequence: ``step`` takes the first element and the rest, and returns a node."""

    def of(seq: Value) -> Sequence:
        def node(unit: Value) -> Value:
            spend(1)
            found = seq(())
            return SEQ_NIL if found is SEQ_NIL else step(found[1], found[2])

        return node

    return of


def _map(f: Value, seq: Value) -> Sequence:
    f = unary(f)
    of = _lazily(lambda value, rest: (SEQ_CONS, f(value), of(rest)))
    return of(seq)


def _filter(f: Value, seq: Value) -> Sequence:
    return _filter_map(lambda value: (SOME, value) if unary(f)(value) else NONE, seq)


def _filter_map(f: Value, seq: Value) -> Sequence:
    f = unary(f)

    def of(seq: Value) -> Sequence:
        def node(unit: Value) -> Value:
            rest = seq
            while True:
                spend(1)
                found = rest(())
                if found is SEQ_NIL:
                    return SEQ_NIL
                made = f(found[1])
                if made is not NONE:
                    return (SEQ_CONS, made[1], of(found[2]))
                rest = found[2]

        return node

    return of(seq)


def _append(one: Value, other: Value) -> Sequence:
    def node(unit: Value) -> Value:
        spend(1)
        found = one(())
        return other(()) if found is SEQ_NIL else (SEQ_CONS, found[1], _append(found[2], other))

    return node


def _flat_map(f: Value, seq: Value) -> Sequence:
    f = unary(f)

    def of(seq: Value) -> Sequence:
        def node(unit: Value) -> Value:
            spend(1)
            found = seq(())
            return SEQ_NIL if found is SEQ_NIL else _append(f(found[1]), of(found[2]))(())

        return node

    return of(seq)


def _unfold(f: Value, state: Value) -> Sequence:
    f = unary(f)

    def of(state: Value) -> Sequence:
        def node(unit: Value) -> Value:
            spend(1)
            found = f(state)
            return SEQ_NIL if found is NONE else (SEQ_CONS, found[1][0], of(found[1][1]))

        return node

    return of(state)


def _take(count: int, seq: Value) -> Sequence:
    if count < 0:
        raise invalid(b"Seq.take")

    def of(count: int, seq: Value) -> Sequence:
        def node(unit: Value) -> Value:
            if count == 0:
                return SEQ_NIL
            spend(1)
            found = seq(())
            return SEQ_NIL if found is SEQ_NIL else (SEQ_CONS, found[1], of(count - 1, found[2]))

        return node

    return of(count, seq)


def _take_while(f: Value, seq: Value) -> Sequence:
    f = unary(f)
    of = _lazily(lambda value, rest: (SEQ_CONS, value, of(rest)) if f(value) else SEQ_NIL)
    return of(seq)


def _drop(count: int, seq: Value) -> Sequence:
    if count < 0:
        raise invalid(b"Seq.drop")

    def node(unit: Value) -> Value:
        rest = seq
        for _ in range(count):
            spend(1)
            found = rest(())
            if found is SEQ_NIL:
                return SEQ_NIL
            rest = found[2]
        return rest(())

    return node


def _iterate(f: Value, value: Value) -> Sequence:
    f = unary(f)

    def of(make: Callable[[], Value]) -> Sequence:
        def node(unit: Value) -> Value:
            spend(1)
            value = make()
            return (SEQ_CONS, value, of(lambda: f(value)))

        return node

    return of(lambda: value)


def _zip(one: Value, other: Value) -> Sequence:
    def node(unit: Value) -> Value:
        spend(1)
        found = one(())
        more = SEQ_NIL if found is SEQ_NIL else other(())
        return SEQ_NIL if more is SEQ_NIL else (SEQ_CONS, (found[1], more[1]), _zip(found[2], more[2]))

    return node


def _fold_left(f: Value, start: Value, seq: Value) -> Value:
    f = binary(f)
    for value in walk(seq):
        start = f(start, value)
    return start


def _iter(f: Value, seq: Value) -> Value:
    f = unary(f)
    for value in walk(seq):
        f(value)
    return ()


def _uncons(seq: Value) -> Value:
    found = seq(())
    return NONE if found is SEQ_NIL else (SOME, (found[1], found[2]))


def _ints(first: int) -> Sequence:
    return sequence(lambda place: (first + place,))


VALUES: dict[str, Any] = {
    "Seq.empty": _empty,
    "Seq.return": lambda value: sequence(lambda place: None if place else (value,)),
    "Seq.cons": lambda value, seq: lambda unit: (SEQ_CONS, value, seq),
    "Seq.append": _append,
    "Seq.map": _map,
    "Seq.filter": _filter,
    "Seq.filter_map": _filter_map,
    "Seq.flat_map": _flat_map,
    "Seq.concat_map": _flat_map,
    "Seq.concat": lambda seqs: _flat_map(lambda seq: seq, seqs),
    "Seq.unfold": _unfold,
    "Seq.take": _take,
    "Seq.take_while": _take_while,
    "Seq.drop": _drop,
    "Seq.iterate": _iterate,
    "Seq.zip": _zip,
    "Seq.ints": _ints,
    "Seq.fold_left": _fold_left,
    "Seq.iter": _iter,
    "Seq.uncons": _uncons,
    "Seq.length": lambda seq: sum(1 for _ in walk(seq)),
    "List.to_seq": _of_list,
    "List.of_seq": lambda seq: listed(list(walk(seq))),
    "Array.to_seq": _indexed,
    "Array.of_seq": lambda seq: list(walk(seq)),
    "String.to_seq": lambda text: sequence(lambda place: (chr(text[place]),) if place < len(text) else None),
    "String.to_seqi": lambda text: sequence(lambda place: ((place, chr(text[place])),) if place < len(text) else None),
    "String.of_seq": lambda seq: bytes([ord(letter) for letter in walk(seq)]),
    "Buffer.add_seq": lambda buffer, seq: ([buffer.text.append(ord(letter)) for letter in walk(seq)] and ()) or (),
    "Option.to_seq": lambda option: sequence(lambda place: None if place or option is NONE else (option[1],)),
}
