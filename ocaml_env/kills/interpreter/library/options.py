"""The modules ``Option``, ``Result``, ``Either`` and ``Fun``, and the polymorphic functions of ``Stdlib``."""

from __future__ import annotations

from typing import Any

from ocaml_env.kills.interpreter.data import (
    CONS,
    ERROR,
    NIL,
    NONE,
    OK,
    REF,
    SOME,
    Constant,
    Labelled,
    Record,
    Value,
    apply,
    binary,
    failure,
    invalid,
    unary,
    wrap,
)
from ocaml_env.kills.interpreter.errors import Raised, Unsupported
from ocaml_env.kills.interpreter.library.names import CONSTRUCTORS, LEFT, RIGHT
from ocaml_env.kills.interpreter.library.strings import quoted

__all__ = ["VALUES"]


def _raise(value: Value) -> Value:
    raise Raised(value)


def _fail(message: bytes) -> Value:
    raise failure(message)


def _invalid(message: bytes) -> Value:
    raise invalid(message)


def _assign(cell: Record, value: Value) -> Value:
    cell[1] = value
    return ()


def _add(cell: Record, number: int) -> Value:
    cell[1] = wrap(cell[1] + number)
    return ()


def _get(option: Value) -> Value:
    if option is NONE:
        raise invalid(b"option is None")
    return option[1]


def _get_ok(result: Value) -> Value:
    if result[0] is ERROR:
        raise invalid(b"result is Error _")
    return result[1]


def _get_error(result: Value) -> Value:
    if result[0] is OK:
        raise invalid(b"result is Ok _")
    return result[1]


def _iter(f: Value, option: Value) -> Value:
    if option is not NONE:
        unary(f)(option[1])
    return ()


def _option_equal(same: Value, one: Value, other: Value) -> bool:
    if one is NONE or other is NONE:
        return one is other
    return bool(binary(same)(one[1], other[1]))


def _option_compare(order: Value, one: Value, other: Value) -> int:
    if one is NONE or other is NONE:
        return (one is not NONE) - (other is not NONE)
    return int(binary(order)(one[1], other[1]))


def _protect(finally_: Value, work: Value) -> Value:
    def finish() -> None:
        try:
            unary(finally_)(())
        except Raised as raised:
            raise Raised((CONSTRUCTORS["Fun.Finally_raised"], raised.value)) from None

    try:
        made = unary(work)(())
    except Raised:
        finish()
        raise
    finish()
    return made


def _show_exception(value: Value) -> bytes:
    if isinstance(value, Constant) and CONSTRUCTORS.get(value.name) is value:
        return value.name.encode()
    if isinstance(value, tuple) and value[0] in (CONSTRUCTORS["Failure"], CONSTRUCTORS["Invalid_argument"]):
        return b'%s("%s")' % (value[0].name.encode(), quoted(value[1]))
    raise Unsupported("Printexc.to_string of this exception")


VALUES: dict[str, Any] = {
    "ignore": lambda value: (),
    "fst": lambda pair: pair[0],
    "snd": lambda pair: pair[1],
    "ref": lambda value: Record((REF, value)),
    "!": lambda cell: cell[1],
    ":=": _assign,
    "incr": lambda cell: _add(cell, 1),
    "decr": lambda cell: _add(cell, -1),
    "failwith": _fail,
    "invalid_arg": _invalid,
    "raise": _raise,
    "raise_notrace": _raise,
    "|>": lambda value, f: apply(f, (value,)),
    "@@": lambda f, value: apply(f, (value,)),
    "Fun.id": lambda value: value,
    "Fun.const": lambda value, other: value,
    "Fun.flip": lambda f, x, y: apply(f, (y, x)),
    "Fun.negate": lambda f, x: not apply(f, (x,)),
    "Fun.protect": Labelled(("~finally", ""), _protect),
    "Option.none": NONE,
    "Option.some": lambda value: (SOME, value),
    "Option.value": Labelled(("", "~default"), lambda option, default: default if option is NONE else option[1]),
    "Option.get": _get,
    "Option.bind": lambda option, f: NONE if option is NONE else apply(f, (option[1],)),
    "Option.join": lambda option: NONE if option is NONE else option[1],
    "Option.map": lambda f, option: NONE if option is NONE else (SOME, unary(f)(option[1])),
    "Option.fold": Labelled(
        ("~none", "~some", ""), lambda none, some, option: none if option is NONE else unary(some)(option[1])
    ),
    "Option.iter": _iter,
    "Option.is_none": lambda option: option is NONE,
    "Option.is_some": lambda option: option is not NONE,
    "Option.equal": _option_equal,
    "Option.compare": _option_compare,
    "Option.to_result": Labelled(
        ("~none", ""), lambda none, option: (ERROR, none) if option is NONE else (OK, option[1])
    ),
    "Option.to_list": lambda option: NIL if option is NONE else (CONS, option[1], NIL),
    "Result.ok": lambda value: (OK, value),
    "Result.error": lambda value: (ERROR, value),
    "Result.value": Labelled(("", "~default"), lambda result, default: result[1] if result[0] is OK else default),
    "Result.get_ok": _get_ok,
    "Result.get_error": _get_error,
    "Result.bind": lambda result, f: apply(f, (result[1],)) if result[0] is OK else result,
    "Result.join": lambda result: result[1] if result[0] is OK else result,
    "Result.map": lambda f, result: (OK, unary(f)(result[1])) if result[0] is OK else result,
    "Result.map_error": lambda f, result: (ERROR, unary(f)(result[1])) if result[0] is ERROR else result,
    "Result.fold": Labelled(
        ("~ok", "~error", ""), lambda ok, error, result: unary(ok if result[0] is OK else error)(result[1])
    ),
    "Result.iter": lambda f, result: (unary(f)(result[1]) and ()) or () if result[0] is OK else (),
    "Result.is_ok": lambda result: result[0] is OK,
    "Result.is_error": lambda result: result[0] is ERROR,
    "Result.to_option": lambda result: (SOME, result[1]) if result[0] is OK else NONE,
    "Result.to_list": lambda result: (CONS, result[1], NIL) if result[0] is OK else NIL,
    "Either.left": lambda value: (LEFT, value),
    "Either.right": lambda value: (RIGHT, value),
    "Either.is_left": lambda either: either[0] is LEFT,
    "Either.is_right": lambda either: either[0] is RIGHT,
    "Either.fold": Labelled(
        ("~left", "~right", ""), lambda left, right, either: unary(left if either[0] is LEFT else right)(either[1])
    ),
    "Printexc.to_string": _show_exception,
    "Sys.opaque_identity": lambda value: value,
}
