"""The operators of OCaml as templates of ``templates``: ``{0}`` and ``{1}`` are the operands."""

from __future__ import annotations

__all__ = ["COMPARISONS", "KNOWN", "OPERATORS", "PREFIXES", "SIDES"]

_WRAPPED = "return r if -0x4000000000000000 <= r <= 0x3FFFFFFFFFFFFFFF else wrap(r)"

OPERATORS = {
    "+": f"r = {{0}} + {{1}};;{_WRAPPED}",
    "-": f"r = {{0}} - {{1}};;{_WRAPPED}",
    "*": f"r = {{0}} * {{1}};;{_WRAPPED}",
    "/": "return divide({0}, {1})",
    "mod": "return remainder({0}, {1})",
    "land": "return {0} & {1}",
    "lor": "return {0} | {1}",
    "lxor": "return {0} ^ {1}",
    "lsl": "return wrap({0} << ({1} & 63))",
    "lsr": "return wrap(({0} & 0x7FFFFFFFFFFFFFFF) >> ({1} & 63))",
    "asr": "return {0} >> ({1} & 63)",
    "+.": "return {0} + {1}",
    "-.": "return {0} - {1}",
    "*.": "return {0} * {1}",
    "/.": "return float_divide({0}, {1})",
    "**": "return power({0}, {1})",
    "^": "return join({0}, {1})",
    "@": "return append({0}, {1})",
    "::": "return (CONS, {0}, {1})",
    ":=": "y = {1};;{0}[1] = y;;return ()",
    "==": "return same({0}, {1})",
    "!=": "return not same({0}, {1})",
}
"""Operators that always evaluate their operands, without comparisons."""

COMPARISONS = {
    "=": ("{0} == {1}", "equal(x, y)"),
    "<>": ("{0} != {1}", "not equal(x, y)"),
    "<": ("{0} < {1}", "less(x, y)"),
    "<=": ("{0} <= {1}", "less_or_equal(x, y)"),
    ">": ("{0} > {1}", "less(y, x)"),
    ">=": ("{0} >= {1}", "less_or_equal(y, x)"),
}
"""For each comparison, an expression for plain values and one for all values."""

SIDES = {
    "&&": "return {1} if {0} else False",
    "||": "return True if {0} else {1}",
}
"""Operators that may skip their right operand."""

PREFIXES = {
    "!": "return {0}[1]",
    "-": f"r = -{{0}};;{_WRAPPED}",
    "~-": f"r = -{{0}};;{_WRAPPED}",
    "+": "return {0}",
    "~+": "return {0}",
    "-.": "return -{0}",
    "~-.": "return -{0}",
}

KNOWN = frozenset((*OPERATORS, *COMPARISONS, *SIDES, "|>", "@@"))
