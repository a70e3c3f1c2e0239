"""Faults of syntax. Each function plants one kind of fault, and yields the whole text for each possible place.

Its name is that of the kind. Its docstring is the description of the kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ocaml_env.problems.repair.code import Code

__all__ = ["SYNTAX_FAULTS"]


def let_without_in(code: Code, signature: str) -> Iterator[str]:
    """``let x = e`` inside an expression, without its ``in``."""
    return map(code.cut, code.find("in"))


def in_after_definition(code: Code, signature: str) -> Iterator[str]:
    """``in`` after a definition of the top level."""
    items = [place for place in range(1, len(code)) if code.is_item(place)]
    ends = [item for item in items if code.word(item) == "let"] + [len(code)]
    for end in ends if code.tokens else ():
        yield code.text[: code.tokens[end - 1].end] + " in" + code.text[code.tokens[end - 1].end :]


def missing_then(code: Code, signature: str) -> Iterator[str]:
    """``if`` without ``then``."""
    return map(code.cut, code.find("then"))


def missing_with(code: Code, signature: str) -> Iterator[str]:
    """``match`` or ``try`` without ``with``."""
    for place in code.find("with"):
        opening = code.slice(0, place).rpartition("{")[2]
        if "}" in opening or re.search(r"\b(match|try)\b", opening):
            yield code.cut(place)


def missing_bar(code: Code, signature: str) -> Iterator[str]:
    """Two cases of a ``match`` without ``|`` between them."""
    for place in code.find("|"):
        if code.word(place - 1) not in ("with", "function"):
            yield code.cut(place)


def missing_equals(code: Code, signature: str) -> Iterator[str]:
    """A definition without ``=``."""
    for _, end in code.definitions():
        if code.word(end) == "=":
            yield code.cut(end)


def missing_done(code: Code, signature: str) -> Iterator[str]:
    """A loop without ``done``."""
    return map(code.cut, code.find("done"))


def missing_do(code: Code, signature: str) -> Iterator[str]:
    """A loop without ``do``."""
    return map(code.cut, code.find("do"))


def missing_end(code: Code, signature: str) -> Iterator[str]:
    """``begin`` or ``struct`` without ``end``."""
    return map(code.cut, code.find("end"))


def unclosed_parenthesis(code: Code, signature: str) -> Iterator[str]:
    """A parenthesis that is never closed."""
    return map(code.cut, code.find(")"))


def extra_parenthesis(code: Code, signature: str) -> Iterator[str]:
    """A parenthesis closed twice."""
    for place in code.find(")"):
        yield code.put(place, "))")


def unclosed_bracket(code: Code, signature: str) -> Iterator[str]:
    """A list, an array or a record that is never closed."""
    return map(code.cut, code.find("]", "|]", "}"))


def wrong_bracket(code: Code, signature: str) -> Iterator[str]:
    """A list closed by a parenthesis, or the other way about."""
    for place in code.find("]", ")"):
        if place - code.partner.get(place, place) > 1:
            yield code.put(place, ")" if code.word(place) == "]" else "]")


def unclosed_text(code: Code, signature: str) -> Iterator[str]:
    """A string without its closing quote."""
    for place in code.of_kind("text"):
        if code.word(place).startswith('"'):
            yield code.put(place, code.word(place)[:-1])


def single_quotes(code: Code, signature: str) -> Iterator[str]:
    """A string in single quotes."""
    for place in code.of_kind("text"):
        word = code.word(place)
        if word.startswith('"') and len(word) > 3:
            yield code.put(place, f"'{word[1:-1]}'")


def fat_arrow(code: Code, signature: str) -> Iterator[str]:
    """``=>`` for ``->``."""
    for place in code.find("->"):
        yield code.put(place, "=>")


def colon_for_arrow(code: Code, signature: str) -> Iterator[str]:
    """``:`` for ``->`` after a pattern."""
    for place in code.find("->"):
        yield code.put(place, ":")


def equals_in_fun(code: Code, signature: str) -> Iterator[str]:
    """``fun x = e`` for ``fun x -> e``."""
    for place in code.find("fun"):
        arrow = next((at for at in range(place, len(code)) if code.word(at) == "->"), None)
        if arrow is not None:
            yield code.put(arrow, "=")


def function_of_two(code: Code, signature: str) -> Iterator[str]:
    """``function x y -> e`` for ``fun x y -> e``."""
    for place in code.find("fun"):
        first = code.atom(place + 1)
        if first is not None and code.atom(first) is not None:
            yield code.put(place, "function")


def fun_for_let(code: Code, signature: str) -> Iterator[str]:
    """``fun f x = e`` or ``def f x = e`` for ``let f x = e``."""
    for place in code.find("let"):
        after = place + 2 if code.word(place + 1) == "rec" else place + 1
        if code.kind(after) == "name":
            for word in ("fun", "def"):
                yield code.put_all((place, after, word))


def walrus(code: Code, signature: str) -> Iterator[str]:
    """``let x := e``."""
    for place in code.find("let"):
        equals = next((at for at in range(place, len(code)) if code.word(at) in ("=", "in", "->")), None)
        if equals is not None and code.word(equals) == "=":
            yield code.put(equals, ":=")


def and_for_both(code: Code, signature: str) -> Iterator[str]:
    """``and`` for ``&&``."""
    for place in code.find("&&"):
        yield code.put(place, "and")


def if_for_when(code: Code, signature: str) -> Iterator[str]:
    """``if`` for ``when`` after a pattern."""
    for place in code.find("when"):
        yield code.put(place, "if")


def elif_for_else_if(code: Code, signature: str) -> Iterator[str]:
    """``elif`` or ``elsif`` for ``else if``."""
    for place in code.find("else"):
        if code.word(place + 1) == "if":
            for word in ("elif", "elsif"):
                yield code.put_all((place, place + 2, word))


def semicolon_before_else(code: Code, signature: str) -> Iterator[str]:
    """``;`` before ``else``."""
    for place in code.find("else"):
        yield code.put_all((place - 1, place, code.word(place - 1) + ";"))


def double_semicolon_inside(code: Code, signature: str) -> Iterator[str]:
    """``;;`` inside an expression."""
    for place in code.find("in", ";"):
        if code.word(place) == "in":
            yield code.put_all((place - 1, place, code.word(place - 1) + ";;"))
        elif code.starts_line(min(place + 1, len(code) - 1)):
            yield code.put(place, ";;")


def case_keyword(code: Code, signature: str) -> Iterator[str]:
    """``case`` before each pattern of a ``match``."""
    bars = [place for place in code.find("|") if code.starts_line(place)]
    if bars:
        yield code.put_all(*((place, place + 1, "case") for place in bars))
        yield code.put_all(*((place, place + 1, "| case") for place in bars))


def double_bar_in_pattern(code: Code, signature: str) -> Iterator[str]:
    """``||`` between patterns."""
    for place in code.find("|"):
        if not code.starts_line(place):
            yield code.put(place, "||")


def braces_for_a_block(code: Code, signature: str) -> Iterator[str]:
    """Braces around a block or the body of a loop."""
    for place in code.find("do", "begin"):
        if place in code.partner:
            end = code.partner[place]
            yield code.put_all((place, place + 1, "{"), (end, end + 1, "}"))


def commas_in_record(code: Code, signature: str) -> Iterator[str]:
    """A record whose fields have commas between them."""
    for place in code.find("{"):
        end = code.partner.get(place, place)
        inner = [at for at in range(place, end) if code.word(at) == ";" and code.depth(place, at) == 1]
        if inner:
            yield code.put_all(*((at, at + 1, ",") for at in inner))


def reserved_name(code: Code, signature: str) -> Iterator[str]:
    """A variable whose name is a keyword."""
    names = sorted({code.word(place) for place in code.of_kind("name")})
    for name in names:
        places = [at for at in code.of_kind("name") if code.word(at) == name and code.word(at - 1) != "."]
        if any(code.word(at - 1) in ("let", "fun") for at in places) and not re.search(rf"\b{name}\b", signature):
            for word in ("val", "new", "end", "to", "method"):
                yield code.put_all(*((at, at + 1, word) for at in places))


def slashes_comment(code: Code, signature: str) -> Iterator[str]:
    """A comment of another language."""
    for place in range(1, len(code)):
        if code.starts_line(place) and not code.is_item(place):
            end = code.tokens[place - 1].end
            note = f"line {code.text.count(chr(10), 0, end) + 1}"
            yield f"{code.text[:end]}  // {note}{code.text[end:]}"
    for name, _ in code.definitions():
        line = code.text.rfind("\n", 0, code.tokens[name].start) + 1
        yield f"{code.text[:line]}// {code.word(name)}\n{code.text[line:]}"


def type_without_of(code: Code, signature: str) -> Iterator[str]:
    """A constructor of a type without ``of`` before its argument."""
    for place, token in enumerate(code.tokens):
        if token.text == "of":
            yield code.cut(place)


def unclosed_comment(code: Code, signature: str) -> Iterator[str]:
    """A comment that is never closed."""
    for place in re.finditer(re.escape("*)"), code.text):
        yield code.text[: place.start()].rstrip() + code.text[place.end() :]


SYNTAX_FAULTS = (
    let_without_in,
    in_after_definition,
    missing_then,
    missing_with,
    missing_bar,
    missing_equals,
    missing_done,
    missing_do,
    missing_end,
    unclosed_parenthesis,
    extra_parenthesis,
    unclosed_bracket,
    wrong_bracket,
    unclosed_text,
    single_quotes,
    fat_arrow,
    colon_for_arrow,
    equals_in_fun,
    function_of_two,
    fun_for_let,
    walrus,
    and_for_both,
    if_for_when,
    elif_for_else_if,
    semicolon_before_else,
    double_semicolon_inside,
    case_keyword,
    double_bar_in_pattern,
    braces_for_a_block,
    commas_in_record,
    reserved_name,
    slashes_comment,
    type_without_of,
    unclosed_comment,
)
