"""``Stdlib``'s numbers, comparisons and conversions, and the modules ``Int``, ``Float``, ``Bool``, ``Char``.

Long, because it has a function for each of OCaml's.
"""

from __future__ import annotations

import math
from typing import Any

from ocaml_env.kills.interpreter.data import NONE, SOME, Value, compare, equal, failure, hashed, invalid, same, wrap
from ocaml_env.kills.interpreter.errors import Raised
from ocaml_env.kills.interpreter.library.names import DIVISION_BY_ZERO

__all__ = ["VALUES", "divide", "float_divide", "less", "less_or_equal", "power", "remainder", "show_float"]

MAX, MIN = (1 << 62) - 1, -(1 << 62)


def divide(x: int, y: int) -> int:
    """``x / y``, towards zero."""
    if y == 0:
        raise Raised(DIVISION_BY_ZERO)
    quotient = abs(x) // abs(y)
    return wrap(quotient if (x < 0) == (y < 0) else -quotient)


def remainder(x: int, y: int) -> int:
    """``x mod y``, with the sign of ``x``."""
    if y == 0:
        raise Raised(DIVISION_BY_ZERO)
    rest = abs(x) % abs(y)
    return -rest if x < 0 else rest


def float_divide(x: float, y: float) -> float:
    """``x /. y``."""
    if y:
        return x / y
    if x != x or x == 0.0 or y != y:
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


def power(x: float, y: float) -> float:
    """``x ** y``."""
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if x < 0 and y % 2 == 1 else math.inf
    except ValueError:
        return (-math.inf if math.copysign(1.0, x) < 0 and y % 2 == 1 else math.inf) if x == 0.0 else math.nan


def less(x: Value, y: Value) -> bool:
    """``x < y``."""
    if type(x) is float:
        return bool(x < y)
    return compare(x, y) < 0


def less_or_equal(x: Value, y: Value) -> bool:
    """``x <= y``."""
    if type(x) is float:
        return bool(x <= y)
    return compare(x, y) <= 0


def show_float(x: float) -> bytes:
    """``string_of_float``."""
    text = show_general(x, 12)
    return text if any(letter in b".ein" for letter in text.lstrip(b"-")) else text + b"."


def show_general(x: float, digits: int) -> bytes:
    """As C's ``%.{digits}g``."""
    if math.isinf(x) or math.isnan(x):
        return b"nan" if x != x else b"inf" if x > 0 else b"-inf"
    return (f"%.{digits}g" % x).encode()


def int_of_string(text: bytes) -> int | None:
    """The number written by an OCaml literal, or None."""
    body = text[1:] if text[:1] in (b"-", b"+") else text
    base = {b"0x": 16, b"0X": 16, b"0o": 8, b"0O": 8, b"0b": 2, b"0B": 2, b"0u": 10}.get(body[:2], 0)
    digits = body[2:] if base else body
    if (
        not digits
        or digits[:1] == b"_"
        or not all(byte < 128 and (chr(byte).isalnum() or byte == 95) for byte in digits)
    ):
        return None
    try:
        number = int(digits.replace(b"_", b""), base or 10)
    except ValueError:
        return None
    if body[:2] == b"0u" or base in (2, 8, 16):
        if number >= 1 << 63:
            return None
    elif number > (1 << 62 if text[:1] == b"-" else MAX):
        return None
    return wrap(-number if text[:1] == b"-" else number)


def float_of_string(text: bytes) -> float | None:
    """The number written by a text, or None."""
    digits = text.replace(b"_", b"").decode("latin-1")
    try:
        if "x" in digits.lower():
            return float.fromhex(digits)
        return None if digits != digits.strip() else float(digits)
    except ValueError:
        return None


def truncate(x: float) -> int:
    """``int_of_float``; a number out of range gives 0, as the processor's conversion does after tagging."""
    return wrap(int(x)) if -9.3e18 < x < 9.3e18 else 0


def _option(value: Any) -> Value:
    return NONE if value is None else (SOME, value)


def _int(text: bytes) -> int:
    number = int_of_string(text)
    if number is None:
        raise failure(b"int_of_string")
    return number


def _float(text: bytes) -> float:
    number = float_of_string(text)
    if number is None:
        raise failure(b"float_of_string")
    return number


def _bool(text: bytes) -> bool:
    if text not in (b"true", b"false"):
        raise invalid(b"bool_of_string")
    return text == b"true"


def _char(code: int) -> str:
    if not 0 <= code < 256:
        raise invalid(b"Char.chr")
    return chr(code)


def _shift_right(x: int, by: int) -> int:
    return wrap((x & 0x7FFFFFFFFFFFFFFF) >> (by & 63))


def _round(x: float) -> float:
    if x != x or math.isinf(x):
        return x
    return math.copysign(math.floor(abs(x) + 0.5), x)


def _whole(f: Any) -> Any:
    return lambda x: float(f(x)) if math.isfinite(x) else x


def _real(f: Any) -> Any:
    def call(x: float) -> float:
        try:
            return float(f(x))
        except (ValueError, OverflowError):
            return math.nan

    return call


def _logarithm(f: Any) -> Any:
    return lambda x: float(f(x)) if x > 0 else (-math.inf if x == 0 else math.nan)


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def show_char(c: str) -> bytes:
    """``Char.escaped``."""
    named = {"\n": b"\\n", "\t": b"\\t", "\r": b"\\r", "\b": b"\\b", "\\": b"\\\\", "'": b"\\'"}
    if c in named:
        return named[c]
    return c.encode("latin-1") if " " <= c <= "~" else b"\\%03d" % ord(c)


def _lower(c: str) -> str:
    return c.lower() if "A" <= c <= "Z" else c


def _upper(c: str) -> str:
    return c.upper() if "a" <= c <= "z" else c


_MIN = lambda x, y: x if less_or_equal(x, y) else y  # noqa: E731
_MAX = lambda x, y: x if less_or_equal(y, x) else y  # noqa: E731

VALUES: dict[str, Any] = {
    "+": lambda x, y: wrap(x + y),
    "-": lambda x, y: wrap(x - y),
    "*": lambda x, y: wrap(x * y),
    "/": divide,
    "mod": remainder,
    "land": lambda x, y: x & y,
    "lor": lambda x, y: x | y,
    "lxor": lambda x, y: x ^ y,
    "lnot": lambda x: ~x,
    "lsl": lambda x, y: wrap(x << (y & 63)),
    "lsr": _shift_right,
    "asr": lambda x, y: x >> (y & 63),
    "~-": lambda x: wrap(-x),
    "~+": lambda x: x,
    "succ": lambda x: wrap(x + 1),
    "pred": lambda x: wrap(x - 1),
    "abs": lambda x: wrap(abs(x)),
    "max_int": MAX,
    "min_int": MIN,
    "+.": lambda x, y: x + y,
    "-.": lambda x, y: x - y,
    "*.": lambda x, y: x * y,
    "/.": float_divide,
    "**": power,
    "~-.": lambda x: -x,
    "~+.": lambda x: x,
    "sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan,
    "exp": _exp,
    "log": _logarithm(math.log),
    "log10": _logarithm(math.log10),
    "sin": _real(math.sin),
    "cos": _real(math.cos),
    "tan": _real(math.tan),
    "atan": _real(math.atan),
    "atan2": lambda x, y: math.atan2(x, y),
    "hypot": lambda x, y: math.hypot(x, y),
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "abs_float": lambda x: abs(x),
    "mod_float": lambda x, y: math.fmod(x, y) if y else math.nan,
    "float_of_int": lambda x: float(x),
    "float": lambda x: float(x),
    "int_of_float": truncate,
    "truncate": truncate,
    "infinity": math.inf,
    "neg_infinity": -math.inf,
    "nan": math.nan,
    "epsilon_float": 2.0**-52,
    "max_float": 1.7976931348623157e308,
    "min_float": 2.2250738585072014e-308,
    "classify_float": None,
    "=": lambda x, y: equal(x, y),
    "<>": lambda x, y: not equal(x, y),
    "<": less,
    "<=": less_or_equal,
    ">": lambda x, y: less(y, x),
    ">=": lambda x, y: less_or_equal(y, x),
    "==": lambda x, y: same(x, y),
    "!=": lambda x, y: not same(x, y),
    "compare": lambda x, y: compare(x, y),
    "min": _MIN,
    "max": _MAX,
    "not": lambda x: not x,
    "&&": lambda x, y: x and y,
    "||": lambda x, y: x or y,
    "string_of_int": lambda x: b"%d" % x,
    "string_of_float": show_float,
    "string_of_bool": lambda x: b"true" if x else b"false",
    "int_of_string": _int,
    "int_of_string_opt": lambda text: _option(int_of_string(text)),
    "float_of_string": _float,
    "float_of_string_opt": lambda text: _option(float_of_string(text)),
    "bool_of_string": _bool,
    "bool_of_string_opt": lambda text: _option(text == b"true" if text in (b"true", b"false") else None),
    "int_of_char": lambda c: ord(c),
    "char_of_int": lambda code: _char_of_int(code),
    "Char.code": lambda c: ord(c),
    "Char.chr": _char,
    "Char.escaped": show_char,
    "Char.lowercase_ascii": _lower,
    "Char.uppercase_ascii": _upper,
    "Char.compare": lambda x, y: compare(x, y),
    "Char.equal": lambda x, y: x == y,
    "Bool.to_int": lambda b: int(b),
    "Bool.to_string": lambda b: b"true" if b else b"false",
    "Bool.not": lambda b: not b,
    "Bool.equal": lambda x, y: x == y,
    "Bool.compare": lambda x, y: compare(x, y),
    "Hashtbl.hash": lambda x: hashed(x),
}
del VALUES["classify_float"]


def _char_of_int(code: int) -> str:
    if not 0 <= code < 256:
        raise invalid(b"char_of_int")
    return chr(code)


for _name, _of in {
    "zero": 0, "one": 1, "minus_one": -1, "max_int": MAX, "min_int": MIN,
    "neg": "~-", "add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "mod", "succ": "succ", "pred": "pred",
    "abs": "abs", "logand": "land", "logor": "lor", "logxor": "lxor", "lognot": "lnot", "shift_left": "lsl",
    "shift_right": "asr", "shift_right_logical": "lsr", "equal": "=", "compare": "compare", "min": "min",
    "max": "max", "to_float": "float_of_int", "of_float": "truncate", "to_string": "string_of_int",
}.items():  # fmt: skip
    VALUES[f"Int.{_name}"] = VALUES[_of] if isinstance(_of, str) else _of
for _name, _given in {
    "zero": 0.0, "one": 1.0, "minus_one": -1.0, "infinity": math.inf, "neg_infinity": -math.inf, "nan": math.nan,
    "pi": math.pi, "epsilon": 2.0**-52, "max_float": VALUES["max_float"], "min_float": VALUES["min_float"],
    "neg": "~-.", "add": "+.", "sub": "-.", "mul": "*.", "div": "/.", "pow": "**", "rem": "mod_float",
    "abs": "abs_float", "of_int": "float_of_int", "to_int": "truncate", "of_string": "float_of_string",
    "of_string_opt": "float_of_string_opt", "to_string": "string_of_float", "sqrt": "sqrt", "exp": "exp", "log": "log",
    "log10": "log10", "sin": "sin", "cos": "cos", "tan": "tan", "floor": "floor", "ceil": "ceil",
    "compare": "compare", "hypot": "hypot", "atan2": "atan2",
}.items():  # fmt: skip
    VALUES[f"Float.{_name}"] = VALUES[_given] if isinstance(_given, str) else _given
VALUES |= {
    "Float.round": _round,
    "Float.trunc": _whole(math.trunc),
    "Float.equal": lambda x, y: compare(x, y) == 0,
    "Float.is_integer": lambda x: math.isfinite(x) and x == math.floor(x),
    "Float.is_nan": lambda x: x != x,
    "Float.is_finite": lambda x: math.isfinite(x),
    "Float.min": lambda x, y: math.nan if x != x or y != y else min(x, y),
    "Float.max": lambda x, y: math.nan if x != x or y != y else max(x, y),
}
