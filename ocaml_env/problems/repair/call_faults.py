"""Faults of type in combining parts: calls, tuples, lists, branches. ``syntax_faults`` explains these functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ocaml_env.problems.repair.code import Code

__all__ = ["CALL_FAULTS"]

_BLANK = re.compile(r"\s+")


def swapped_arguments(code: Code, signature: str) -> Iterator[str]:
    """Two arguments of a call in the wrong order."""
    for call in code.calls:
        for first, second in pairwise(call.arguments):
            if code.slice(*first) != code.slice(*second):
                yield code.put_all((*first, code.slice(*second)), (*second, code.slice(*first)))


def missing_argument(code: Code, signature: str) -> Iterator[str]:
    """A call without one of its arguments."""
    for call in code.calls:
        for first, end in call.arguments if len(call.arguments) > 1 else ():
            yield code.cut(first, end)


def extra_argument(code: Code, signature: str) -> Iterator[str]:
    """A call with one argument too many."""
    for call in code.calls:
        last = code.slice(*call.arguments[-1])
        if len(last) <= 20 and "\n" not in last:
            yield code.put_all((call.end - 1, call.end, f"{code.word(call.end - 1)} {last}"))


def arguments_in_tuple(code: Code, signature: str) -> Iterator[str]:
    """``f (x, y)`` for ``f x y``."""
    for call in code.calls:
        if len(call.arguments) > 1 and not any(code.word(first) in ("~", "?") for first, _ in call.arguments):
            inner = ", ".join(code.slice(*argument) for argument in call.arguments)
            yield code.put_all((call.arguments[0][0], call.end, f"({inner})"))


def parameters_in_tuple(code: Code, signature: str) -> Iterator[str]:
    """A function of one tuple, ``let f (x, y) =``, in place of several parameters."""
    for name, end in code.definitions():
        parameters = _atoms(code, name + 1, end)
        if len(parameters) > 1 and not any(code.word(first) in ("~", "?") for first, _ in parameters):
            inner = ", ".join(code.slice(*parameter) for parameter in parameters)
            yield code.put_all((name + 1, parameters[-1][1], f"({inner})"))


def swapped_parameters(code: Code, signature: str) -> Iterator[str]:
    """A function with its parameters in the wrong order."""
    for name, end in code.definitions():
        parameters = _atoms(code, name + 1, end)
        for first, second in pairwise(parameters):
            if code.slice(*first) != code.slice(*second):
                yield code.put_all((*first, code.slice(*second)), (*second, code.slice(*first)))


def missing_unit(code: Code, signature: str) -> Iterator[str]:
    """A call without ``()``."""
    for place in code.find("("):
        if code.word(place + 1) == ")" and code.kind(place - 1) == "name":
            yield code.cut(place, place + 2)


def missing_parentheses(code: Code, signature: str) -> Iterator[str]:
    """An argument that is a call or an operation, without its parentheses."""
    for call in code.calls:
        for first, end in call.arguments:
            if code.word(first) == "(" and end - first > 3 and code.word(first + 1) not in ("fun", "function", "match"):
                yield code.put_all((first, end, code.slice(first + 1, end - 1)))


def method_call(code: Code, signature: str) -> Iterator[str]:
    """``xs.length`` for ``List.length xs``."""
    for call in code.calls:
        first, end = call.arguments[-1]
        if code.kind(call.head) == "big" and code.kind(first) == "name" and end == first + 1:
            name = code.word(call.arguments[0][0] - 1)
            others = ", ".join(code.slice(*argument) for argument in call.arguments[:-1])
            yield code.put_all((call.head, call.end, f"{code.word(first)}.{name}" + (f"({others})" if others else "")))


def square_index(code: Code, signature: str) -> Iterator[str]:
    """``a[i]`` for ``a.(i)`` or ``s.[i]``."""
    for place in code.find("("):
        end = code.partner.get(place)
        if code.word(place - 1) == "." and end is not None:
            yield code.put_all((place - 1, place + 1, "["), (end, end + 1, "]"))
    for place in code.find("["):
        if code.word(place - 1) == ".":
            yield code.put(place - 1, "")


def commas_in_list(code: Code, signature: str) -> Iterator[str]:
    """``[x, y]`` for ``[x; y]``."""
    for opening in code.find("[", "[|"):
        end = code.partner.get(opening, opening)
        inner = [at for at in range(opening, end) if code.word(at) == ";" and code.depth(opening, at) == 1]
        if inner:
            yield code.put_all(*((at, at + 1, ",") for at in inner))


def semicolon_in_tuple(code: Code, signature: str) -> Iterator[str]:
    """``(x; y)`` for ``(x, y)``."""
    for opening in code.find("("):
        end = code.partner.get(opening, opening)
        inner = [at for at in range(opening, end) if code.word(at) == "," and code.depth(opening, at) == 1]
        if inner:
            yield code.put_all(*((at, at + 1, ";") for at in inner))


def constructor_without_argument(code: Code, signature: str) -> Iterator[str]:
    """A constructor without its argument."""
    for place in code.of_kind("big"):
        end = code.atom(place + 1)
        if code.word(place + 1) != "." and end is not None and code.word(place - 1) != "raise":
            yield code.cut(place + 1, end)


def forgotten_constructor(code: Code, signature: str) -> Iterator[str]:
    """A value that should be in a constructor, as ``x`` for ``Some x``."""
    for place in code.of_kind("big"):
        end = code.atom(place + 1)
        if code.word(place + 1) != "." and end is not None:
            yield code.put_all((place, end, code.slice(place + 1, end)))


def exception_without_text(code: Code, signature: str) -> Iterator[str]:
    """``raise Failure`` or ``raise Invalid_argument`` without its text."""
    for place in code.find("failwith", "invalid_arg"):
        end = code.atom(place + 1)
        if end is not None:
            name = "Failure" if code.word(place) == "failwith" else "Invalid_argument"
            yield code.put_all((place, end, f"raise {name}"))
    for place in code.find("Failure", "Invalid_argument"):
        end = code.atom(place + 1)
        if end is not None:
            yield code.cut(place + 1, end)


def return_keyword(code: Code, signature: str) -> Iterator[str]:
    """``return e``."""
    for place in code.find("then", "else", "->", "in"):
        if code.word(place + 1) not in (
            "let",
            "if",
            "match",
            "begin",
            "fun",
            "function",
            "raise",
            "failwith",
            "while",
            "for",
        ):
            yield code.put(place, f"{code.word(place)} return")


def if_without_else(code: Code, signature: str) -> Iterator[str]:
    """``if`` without ``else``, as a value."""
    for place in code.find("else"):
        end = code.expression_end(place + 1)
        if end > place + 1:
            yield code.cut(place, end).replace(" \n", "\n")


def nested_match(code: Code, signature: str) -> Iterator[str]:
    """A ``match`` inside a case of another one, without parentheses."""
    for place in code.find("(", "begin"):
        end = code.partner.get(place)
        if code.word(place + 1) in ("match", "function", "try") and end is not None and code.word(end + 1) == "|":
            yield code.put_all((place, place + 1, ""), (end, end + 1, ""))


def missing_case_value(code: Code, signature: str) -> Iterator[str]:
    """A case that gives ``()`` while others give a value."""
    for place in code.find("->"):
        end = code.expression_end(place + 1)
        if place + 1 < end < len(code) and code.word(end) in ("|", ")") and code.word(place + 1) != "(":
            yield code.put_all((place + 1, end, "()"))


def printed_instead_of_returned(code: Code, signature: str) -> Iterator[str]:
    """A result printed in place of returned."""
    for place in code.find("else", "->", "then"):
        end = code.expression_end(place + 1)
        if end > place + 1:
            result = _BLANK.sub(" ", code.slice(place + 1, end))
            if len(result) <= 40 and code.word(place + 1) not in ("let", "if", "match", "begin", "raise", "failwith"):
                yield code.put_all((place + 1, end, f"print_string ({result})"))


def wrong_label(code: Code, signature: str) -> Iterator[str]:
    """A labelled argument or parameter under another name."""
    for place in code.find("~"):
        name = code.word(place + 1)
        if code.word(place + 2) == ":":
            yield code.put(place + 1, "f" if name != "f" else "fn")
        else:
            yield code.put_all((place, place + 2, f"~{name[:-1] if len(name) > 3 else name + 's'}:{name}"))


def unlabelled(code: Code, signature: str) -> Iterator[str]:
    """A labelled parameter without its ``~``."""
    return map(code.cut, code.find("~"))


def _atoms(code: Code, first: int, end: int) -> list[tuple[int, int]]:
    found = []
    while first < end and (stop := code.atom(first)) is not None and stop <= end:
        found.append((first, stop))
        first = stop
    return found


CALL_FAULTS = (
    swapped_arguments,
    missing_argument,
    extra_argument,
    arguments_in_tuple,
    parameters_in_tuple,
    swapped_parameters,
    missing_unit,
    missing_parentheses,
    method_call,
    square_index,
    commas_in_list,
    semicolon_in_tuple,
    constructor_without_argument,
    forgotten_constructor,
    exception_without_text,
    return_keyword,
    if_without_else,
    nested_match,
    missing_case_value,
    printed_instead_of_returned,
    wrong_label,
    unlabelled,
)
