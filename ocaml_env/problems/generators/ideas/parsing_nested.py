"""Nested groups of numbers and names, and a value computed from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map
from ocaml_env.problems.generators.small.parsing_nested import TASKS
from ocaml_env.problems.generators.values import Show, integer, letter, listing, option, text, truth, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

_LARGEST = 1 << 40
_TRIED = 40  # items
_TELLING = 3  # items at least that must show each part
_LONGEST = 40  # characters of a text
_NAMES = ("a", "b", "z", "az", "bee", "fig", "oak", "zinc")


class _Bad(Exception):
    """The text does not have the format."""


Item = tuple[Any, ...]
"""The constructor's name, and its arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Format:
    """The format of items, and their values.

    Attributes:
        sep: between two items of a group.
        empty: True if a group may be empty.
        marker: in front of a marked group; empty if there are none.
        names: True if items may be names.
        signed: True if a number may have a minus in front.
        number: the value of a number at a depth.
        step: the new value of a group after an item.
        start: the value of a group before its first item.
        plain: the final value of a group, from its value after the last item.
        marked: the same for a marked group.
        weight: of a letter of a name.
    """

    opening: str
    closing: str
    sep: str
    empty: bool
    marker: str
    names: bool
    signed: bool
    number: Op
    step: Op
    start: int
    plain: Op
    marked: Op
    weight: int


def _nested(chance: Chance, level: int) -> Draft:
    form = _format(chance, level)
    parsing = level > 1  # True if the item itself is asked for, too
    show = _show(form)

    def cases() -> Iterator[Case]:
        for s in inputs(lambda: _text(chance, form), chance.shuffled(_edges(form))):
            made = _parsed(form, s)
            if len(s) > _LONGEST or not _is_small(form, made):
                continue
            value = None if made is None else _value(form, made, 0)
            yield case("value", [text(s)], option(integer)(value))
            if parsing and chance.happens(0.5):
                yield case("parse", [text(s)], option(show)(made))

    signature = "val value : string -> int option"
    return Draft(
        name="value",
        statement=_statement(form, parsing=parsing),
        signature=f"{_declared(form)}\n\n{signature}\nval parse : string -> item option" if parsing else signature,
        reference=_code(form),
        cases=cases(),
        hidden=16 if parsing else 12,
        groups=("value", "parse") if parsing else (),
    )


def _format(chance: Chance, level: int) -> _Format:
    """Draws a format. Each of its parts makes a difference to some value."""
    opening, closing = chance.pick((("(", ")"), ("[", "]"), ("{", "}"), ("<", ">")))
    marker = chance.pick("!*^") if level > 1 else ""
    plain = int_map(chance)
    form = _Format(
        opening=opening,
        closing=closing,
        sep=chance.pick((",", ";", "|", "/", " ")),
        empty=chance.happens(0.5),
        marker=marker,
        names=level > 1,
        signed=level > 3,
        number=int_join(chance),
        step=int_join(chance),
        start=chance.between(0, 9),
        plain=plain,
        marked=int_map(chance) if marker else plain,
        weight=chance.between(2, 5),
    )
    tried = [made for _ in range(_TRIED) if _is_small(form, made := _group(chance, form, 2))]
    whole = [_value(form, made, 0) for made in tried]
    for faulty in _faulty(form):
        found = [_value(faulty, made, 0) for made in tried]
        if sum(a != b for a, b in zip(found, whole, strict=True)) < _TELLING:
            raise Unfit
    return form


def _faulty(form: _Format) -> Iterator[_Format]:
    """The format with a part of one operation left out."""
    for fault in _join_faults(form.number):
        yield replace(form, number=form.number._replace(run=fault))
    for fault in _join_faults(form.step):
        yield replace(form, step=form.step._replace(run=fault))
    for fault in form.plain.faults:
        yield replace(form, plain=form.plain._replace(run=fault))
    for fault in form.marked.faults if form.marker else ():
        yield replace(form, marked=form.marked._replace(run=fault))
    if form.marker:
        yield replace(form, marked=form.plain)


def _join_faults(op: Op) -> tuple[Callable[[int, int], int], ...]:
    return (lambda x, y: op.run(x, 0), lambda x, y: op.run(0, y), *op.faults)


# --- cases ------------------------------------------------------------------------------------------------------------


def _text(chance: Chance, form: _Format) -> str:
    """An item, sometimes with a character added, removed or changed."""
    made = _written(form, _group(chance, form, 2))
    if chance.happens(0.75):
        return made
    at = chance.below(len(made))
    other = chance.pick((form.sep, form.opening, form.closing, "+", "7", "b"))
    return made[:at] + chance.pick(("", other, other + made[at])) + made[at + 1 :]


def _group(chance: Chance, form: _Format, depth: int) -> Item:
    """A group with other groups nested at most this deep."""
    items = []
    for _ in range(chance.between(not form.empty, 3)):
        if depth > 1 and chance.happens(0.4):
            items.append(_group(chance, form, depth - 1))
        elif form.names and chance.happens(0.3):
            items.append(("Name", chance.pick(_NAMES)))
        else:
            items.append(("Number", chance.number(-20 if form.signed and chance.happens(0.4) else 0, 20)))
    return ("Group", chance.happens(0.4), items) if form.marker else ("Group", items)


def _written(form: _Format, made: Item) -> str:
    kind, *arguments = made
    if kind != "Group":
        return str(arguments[0])
    flag = form.marker if form.marker and arguments[0] else ""
    return f"{flag}{form.opening}{form.sep.join(_written(form, item) for item in arguments[-1])}{form.closing}"


def _edges(form: _Format) -> list[str]:
    """Texts, most of them with a single wrong character."""
    opening, closing, sep = form.opening, form.closing, form.sep
    wrong = ("{", "}") if opening != "{" else ("(", ")")
    inner = (
        *("", "7", "0", "12345", "0042", "1a", f"3{sep}{sep}4", f"{sep}3", f"3{sep}", "3+4", "3 4", " 3", "-3", "0x8"),
        *("-", "--3", "-12345", "+3", "1_0", "oak", "oak{", "a`", "b1", "1:", "1/", "/", ":", "Ab", "a b", "oak2"),
        *(f"{opening}1{closing}{sep}2", f"{opening}{closing}", f"1{opening}2{closing}"),
    )
    whole = [f"{opening}{part}{closing}" for part in inner]
    whole += [f"{opening * depth}7{closing * depth}" for depth in (3, 5)]
    whole += [
        f"{opening}{sep.join('123456')}{closing}",
        f"{opening}{sep.join('55')}{closing}",
        f"{opening}9999{closing}",
    ]
    whole += [
        f"{opening}{opening}1{sep}2{closing}{sep}{opening}3{closing}{sep}4{closing}",
        f"{opening}abcdefghijkl{closing}",
    ]
    whole += ["", "7", "12345", "oak", "-4", "-", f"+3{closing}", f"{wrong[0]}3{closing}", f"{opening}3{wrong[1]}"]
    whole += [f"{opening}3", f"3{closing}", f"{opening}5{closing}{closing}", f"{opening}5{closing}7", f"{opening}3+"]
    if form.marker:
        marker = form.marker
        whole += [f"{marker}{opening}3{sep}4{closing}", f"{marker}7", marker, f"{marker}{marker}{opening}3{closing}"]
        whole += [
            f"{opening}{marker}{opening}2{closing}{sep}{marker}{opening}{marker}{opening}3{closing}{closing}{closing}"
        ]
        whole += [f"{marker}+3{closing}", f"{marker} {opening}3{closing}", f"{opening}3{closing}{marker}"]
    return whole


# --- meaning ----------------------------------------------------------------------------------------------------------


def _parsed(form: _Format, s: str) -> Item | None:
    try:
        made, at = _item(form, s, 0)
    except _Bad:
        return None
    return made if at == len(s) else None


def _item(form: _Format, s: str, at: int) -> tuple[Item, int]:
    """The item that begins there, and its end."""
    minus = form.signed and s.startswith("-", at)
    end = _run(s, at + minus, "0", "9")
    if minus or end > at:
        if not 1 <= end - at - minus <= 4:
            raise _Bad
        return ("Number", int(s[at:end])), end
    end = _run(s, at, "a", "z") if form.names else at
    if end > at:
        return ("Name", s[at:end]), end
    marked = bool(form.marker) and s.startswith(form.marker, at)
    items, at = _items(form, s, at + marked)
    return ("Group", marked, items) if form.marker else ("Group", items), at


def _run(s: str, at: int, low: str, high: str) -> int:
    """The end of a run of characters from ``low`` to ``high``."""
    while at < len(s) and low <= s[at] <= high:
        at += 1
    return at


def _items(form: _Format, s: str, at: int) -> tuple[list[Item], int]:
    """The items of the group with its bracket there, and its end."""
    if not s.startswith(form.opening, at):
        raise _Bad
    items: list[Item] = []
    if form.empty and s.startswith(form.closing, at + 1):
        return items, at + 2
    while not items or s.startswith(form.sep, at):
        made, at = _item(form, s, at + 1)
        items.append(made)
    if not s.startswith(form.closing, at):
        raise _Bad
    return items, at + 1


def _is_small(form: _Format, made: Item | None) -> bool:
    try:
        return made is None or abs(_value(form, made, 0)) < _LARGEST
    except Unfit:  # of a part
        return False


def _value(form: _Format, made: Item, depth: int) -> int:
    kind, *arguments = made
    if kind == "Number":
        return int(form.number.run(arguments[0], depth))
    if kind == "Name":
        return form.weight * len(arguments[0]) + depth
    x = form.start
    for item in arguments[-1]:
        x = form.step.run(x, _value(form, item, depth + 1))
    return int((form.marked if form.marker and arguments[0] else form.plain).run(x))


# --- its texts --------------------------------------------------------------------------------------------------------


def _show(form: _Format) -> Show:
    shows: dict[str, list[Show]] = {"Number": [integer], "Name": [text]}
    show = variant(shows)
    shows["Group"] = [truth, listing(show)] if form.marker else [listing(show)]
    return show


def _declared(form: _Format) -> str:
    lines = ["type item =", "  | Number of int"]
    lines += ["  | Name of string"] if form.names else []
    return "\n".join([*lines, f"  | Group of {'bool * ' if form.marker else ''}item list"])


def _statement(form: _Format, *, parsing: bool) -> str:
    parsed = (
        "`parse s` is `Some` of the item that `s` is, as a value of the type `item`, where a group has `true` if it is "
        "marked and `false` if it is not, or `None` if `s` is not exactly one item. "
        if parsing
        else ""
    )
    return paragraphs(
        "An item is written as one of these, without any other characters:",
        bullets(_grammar(form)),
        "An item has a value; the outermost item has depth 0, the items in it depth 1, and so on:",
        bullets(_values(form)),
        f"{parsed}`value s` is `Some` of the value of that item, or likewise `None`."
        if parsing
        else "`value s` is `Some` of the value of the item that `s` is, or `None` if `s` is not exactly one item.",
    )


def _grammar(form: _Format) -> list[str]:
    sign = ", with or without a `-` directly in front of them" if form.signed else ""
    lines = [f"a number: one to four decimal digits{sign};"]
    lines += ["a name: one or more lower-case letters from `a` to `z`;"] if form.names else []
    group = (
        f"a group: `{form.opening}`, {'any number of items, perhaps none,' if form.empty else 'one or more items'} with "
        f"{'a single space' if form.sep == ' ' else f'`{form.sep}`'} between each two, and `{form.closing}`"
    )
    if form.marker:
        group += f"; a group may be marked by one `{form.marker}` directly in front of it"
    return [*lines, f"{group}."]


def _values(form: _Format) -> list[str]:
    lines = [f"of a number `n` at depth `d`: {form.number.say('n', 'd')};"]
    lines += [f"of a name at depth `d`: {form.weight} times its length, plus `d`;"] if form.names else []
    result = f"with `x` at the end, it is {form.plain.say()}"
    if form.marker:
        result = (
            f"with `x` at the end, the value is {form.plain.say()} for a group without the mark, and "
            f"{form.marked.say()} for a marked one"
        )
    group = (
        f"of a group: begin with `x` = {form.start}, and for the value `y` of each item in it, from left to right, let "
        f"the new `x` be {form.step.say()}; {result}."
    )
    return [*lines, group]


def _code(form: _Format) -> str:
    ops = (form.number, form.step, form.plain, form.marked)
    return module(
        _declared(form), [helper for op in ops for helper in op.helpers], "exception Bad", _parser(form), _worth(form)
    )


def _parser(form: _Format) -> str:
    lines = ["if here () = '-' then (incr at; Number (-number (take '0' '9')))"] if form.signed else []
    lines += ["let digits = take '0' '9' in", 'if digits <> "" then Number (number digits)']
    lines += ["let name = take 'a' 'z' in", 'if name <> "" then Name name'] if form.names else []
    if form.marker:
        lines += [f"if here () = {letter(form.marker)} then (incr at; Group (true, group ()))"]
    lines += [f"Group {'(false, group ())' if form.marker else '(group ())'}"]
    item = _chain(lines)
    nothing = f"if here () = {letter(form.closing)} then (incr at; []) else " if form.empty else ""
    wrong = 'digits = "" || ' if form.signed else ""
    return f"""\
let parse s =
  let at = ref 0 in
  let here () = if !at < String.length s then s.[!at] else '\\000' in
  let rec take low high =
    let c = here () in
    if low <= c && c <= high then (incr at; String.make 1 c ^ take low high) else ""
  in
  let number digits = if {wrong}String.length digits > 4 then raise Bad else int_of_string digits in
  let rec item () =
{item}
  and group () =
    if here () <> {letter(form.opening)} then raise Bad;
    incr at;
    {nothing}items ()
  and items () =
    let first = item () in
    match here () with
    | {letter(form.sep)} ->
      incr at;
      first :: items ()
    | {letter(form.closing)} ->
      incr at;
      [ first ]
    | _ -> raise Bad
  in
  try
    let made = item () in
    if !at = String.length s then Some made else None
  with Bad -> None"""


def _chain(lines: list[str]) -> str:
    """An expression of conditions with their results, definitions, and a result for everything else."""
    chained = []
    for line, before in zip(lines, ["", *lines], strict=False):
        chained.append(f"    {'else ' if before.startswith('if ') else ''}{line}")
    return "\n".join(chained)


def _worth(form: _Format) -> str:
    pattern = "Group (marked, items)" if form.marker else "Group items"
    result = form.plain.code()
    if form.marker:
        result = f"if marked then {form.marked.code()} else {result}"
    named = f"\n  | Name s -> ({form.weight} * String.length s) + d" if form.names else ""
    return f"""\
let rec value_of d = function
  | Number n -> {form.number.code("n", "d")}{named}
  | {pattern} ->
    let x = List.fold_left (fun x item -> let y = value_of (d + 1) item in {form.step.code()}) {form.start} items in
    {result}

let value s = Option.map (value_of 0) (parse s)"""


FAMILY = Family(
    name="parsing.nested",
    topics=("parsing-interpreters", "recursion", "trees"),
    description="nested groups of numbers and names, and a value computed of them",
    tasks=TASKS,
    make=_nested,
)
