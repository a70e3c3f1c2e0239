"""Faults of type in one word: an operator, a literal, a name. ``syntax_faults`` explains these functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ocaml_env.problems.repair.code import Code

__all__ = ["WORD_FAULTS"]

_INVENTED = {
    "List.length": "List.size",
    "List.filter": "List.select",
    "List.filter_map": "List.map_filter",
    "List.map": "List.apply",
    "List.mapi": "List.map_index",
    "List.iter": "List.foreach",
    "List.fold_left": "List.fold",
    "List.fold_right": "List.foldr",
    "List.mem": "List.contains",
    "List.exists": "List.any",
    "List.for_all": "List.all",
    "List.rev": "List.reverse",
    "List.nth": "List.get",
    "List.hd": "List.head",
    "List.tl": "List.tail",
    "List.sort": "List.sorted",
    "List.sort_uniq": "List.unique",
    "List.concat": "List.join",
    "List.concat_map": "List.flat_map",
    "List.find_opt": "List.find_option",
    "List.assoc_opt": "List.lookup",
    "List.init": "List.make",
    "String.length": "String.size",
    "String.sub": "String.substring",
    "String.concat": "String.join",
    "String.make": "String.repeat",
    "String.split_on_char": "String.split",
    "String.uppercase_ascii": "String.upper",
    "String.lowercase_ascii": "String.lower",
    "String.trim": "String.strip",
    "Array.length": "Array.size",
    "Array.make": "Array.create",
    "Array.map": "Array.apply",
    "Hashtbl.find_opt": "Hashtbl.get",
    "Hashtbl.replace": "Hashtbl.set",
    "Hashtbl.mem": "Hashtbl.contains",
    "Buffer.add_char": "Buffer.push",
    "Buffer.contents": "Buffer.to_string",
    "Char.code": "Char.to_int",
    "Option.value": "Option.get_or",
    "string_of_int": "int_to_string",
    "int_of_string": "string_to_int",
    "string_of_float": "float_to_string",
    "float_of_int": "int_to_float",
    "int_of_float": "float_to_int",
    "print_endline": "println",
    "print_string": "print",
    "read_line": "input",
    "read_int": "input_int",
    "failwith": "fail",
    "invalid_arg": "invalid_argument",
    "max": "maximum",
    "min": "minimum",
    "abs": "absolute",
    "abs_float": "absolute",
}
_OTHER_CASE = {"true": "True", "false": "False", "Some": "some", "None": "none", "Ok": "ok", "Error": "error"}
_CONVERSIONS = (
    "string_of_int",
    "string_of_float",
    "float_of_int",
    "int_of_float",
    "int_of_string",
    "Char.code",
    "Char.chr",
)
_ARITHMETIC = ("+", "-", "*", "/")


def int_operator_on_floats(code: Code, signature: str) -> Iterator[str]:
    """``+`` for ``+.``, and the like."""
    for place in code.find("+.", "-.", "*.", "/."):
        yield code.put(place, code.word(place)[:-1])


def float_operator_on_ints(code: Code, signature: str) -> Iterator[str]:
    """``+.`` for ``+``, and the like."""
    for place in code.find(*_ARITHMETIC):
        yield code.put(place, code.word(place) + ".")


def int_for_float(code: Code, signature: str) -> Iterator[str]:
    """A whole number in place of a float, as ``2`` for ``2.0``."""
    for place in code.of_kind("float"):
        if re.fullmatch(r"\d+\.0*", code.word(place)):
            yield code.put(place, code.word(place).partition(".")[0])


def float_for_int(code: Code, signature: str) -> Iterator[str]:
    """A float in place of a whole number, as ``2.0`` for ``2``."""
    for place in code.of_kind("int"):
        if code.word(place).isdigit():
            yield code.put(place, code.word(place) + ".0")


def text_for_character(code: Code, signature: str) -> Iterator[str]:
    """``"a"`` for ``'a'``."""
    for place in code.of_kind("char"):
        inner = code.word(place)[1:-1]
        yield code.put(place, '"\\""' if inner == '"' else f'"{inner}"')


def character_for_text(code: Code, signature: str) -> Iterator[str]:
    """``'a'`` for ``"a"``."""
    for place in code.of_kind("text"):
        if re.fullmatch(r'"[^"\\\']"|"\\n"', code.word(place)):
            yield code.put(place, f"'{code.word(place)[1:-1]}'")


def plus_for_concatenation(code: Code, signature: str) -> Iterator[str]:
    """``+`` between texts, for ``^``."""
    for place in code.find("^"):
        yield code.put(place, "+")


def append_for_cons(code: Code, signature: str) -> Iterator[str]:
    """``@`` for ``::``."""
    for place in code.find("::"):
        yield code.put(place, "@")


def cons_for_append(code: Code, signature: str) -> Iterator[str]:
    """``::`` for ``@``."""
    for place in code.find("@"):
        yield code.put(place, "::")


def percent_for_mod(code: Code, signature: str) -> Iterator[str]:
    """``%`` for ``mod``."""
    for place in code.find("mod"):
        yield code.put(place, "%")


def bang_for_not(code: Code, signature: str) -> Iterator[str]:
    """``!`` for ``not``."""
    for place in code.find("not"):
        end = code.atom(place + 1)
        if end is not None:
            yield code.put_all((place, place + 2, f"!{code.word(place + 1)}"))


def equals_for_assignment(code: Code, signature: str) -> Iterator[str]:
    """``=`` for ``:=`` or ``<-``."""
    for place in code.find(":=", "<-"):
        yield code.put(place, "=")


def confused_assignment(code: Code, signature: str) -> Iterator[str]:
    """``<-`` for ``:=``, or the other way about."""
    for place in code.find(":=", "<-"):
        yield code.put(place, "<-" if code.word(place) == ":=" else ":=")


def plus_equals(code: Code, signature: str) -> Iterator[str]:
    """``x += e`` for ``x := !x + e``."""
    for place in code.find(":="):
        name, sign = code.word(place - 1), code.word(place + 3)
        if code.word(place + 1) == "!" and code.word(place + 2) == name and sign in ("+", "-", "*"):
            yield code.put_all((place, place + 4, f"{sign}="))


def missing_bang(code: Code, signature: str) -> Iterator[str]:
    """A reference used as its value, without ``!``."""
    for place in code.find("!"):
        yield code.put(place, "")


def missing_rec(code: Code, signature: str) -> Iterator[str]:
    """A recursive function without ``rec``."""
    return map(code.cut, code.find("rec"))


def misspelt_name(code: Code, signature: str) -> Iterator[str]:
    """A misspelt name."""
    seen: set[str] = set()
    for place in code.of_kind("name"):
        name = code.word(place)
        if name in seen and code.word(place - 1) not in (".", "~", "?", "let", "rec"):
            yield code.put(place, name[:-1] if len(name) > 3 else name + "s")
        seen.add(name)


def invented_function(code: Code, signature: str) -> Iterator[str]:
    """A function unknown to the library, or known under another name."""
    for place, token in enumerate(code.tokens):
        path = f"{token.text}.{code.word(place + 2)}" if code.word(place + 1) == "." else token.text
        if path in _INVENTED and not code.in_type[place] and code.word(place - 1) not in (".", "let", "rec", "~"):
            yield code.put_all((place, place + path.count(".") * 2 + 1, _INVENTED[path]))


def small_module(code: Code, signature: str) -> Iterator[str]:
    """A module's name without its capital, as ``list.length``."""
    for place in code.of_kind("big"):
        if code.word(place + 1) == "." and code.kind(place + 2) == "name":
            yield code.put(place, code.word(place).lower())


def constructor_in_other_case(code: Code, signature: str) -> Iterator[str]:
    """``True`` for ``true``, ``some`` for ``Some``, and the like."""
    for place in code.find(*_OTHER_CASE):
        yield code.put(place, _OTHER_CASE[code.word(place)])


def null_for_nothing(code: Code, signature: str) -> Iterator[str]:
    """``null`` or ``nil`` for ``None`` or ``[]``."""
    for place in code.find("None"):
        yield code.put(place, "null")
    for place in code.find("["):
        if code.word(place + 1) == "]":
            yield code.put_all((place, place + 2, "nil"))


def missing_conversion(code: Code, signature: str) -> Iterator[str]:
    """A number or a text used as the other, without ``string_of_int`` or the like."""
    for call in code.calls:
        first, end = call.arguments[0]
        name = code.slice(call.head, first)
        if name in _CONVERSIONS:
            yield code.put_all((call.head, end, code.slice(first, end)))


def wrong_annotation(code: Code, signature: str) -> Iterator[str]:
    """A parameter annotated with a wrong type."""
    for name, end in code.definitions():
        for place in range(name + 1, end):
            if (
                code.kind(place) == "name"
                and code.word(place - 1) not in ("~", "?", ":", ".")
                and not code.in_type[place]
            ):
                for kind in ("string", "int", "float", "int list"):
                    yield code.put(place, f"({code.word(place)} : {kind})")


WORD_FAULTS = (
    int_operator_on_floats,
    float_operator_on_ints,
    int_for_float,
    float_for_int,
    text_for_character,
    character_for_text,
    plus_for_concatenation,
    append_for_cons,
    cons_for_append,
    percent_for_mod,
    bang_for_not,
    equals_for_assignment,
    confused_assignment,
    plus_equals,
    missing_bang,
    missing_rec,
    misspelt_name,
    invented_function,
    small_module,
    constructor_in_other_case,
    null_for_nothing,
    missing_conversion,
    wrong_annotation,
)
