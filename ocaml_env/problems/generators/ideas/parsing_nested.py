"""Nested groups of numbers and names, and a value computed of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map
from ocaml_env.problems.generators.letters import some_word
from ocaml_env.problems.generators.values import Show, integer, letter, listing, option, text, truth, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

_LARGEST = 1 << 40


class _Bad(Exception):
    """The text is not of the format."""


Item = tuple[Any, ...]


def _nested(chance: Chance, level: int) -> Draft:
    opening, closing = chance.pick((("(", ")"), ("[", "]"), ("{", "}"), ("<", ">")))
    sep = chance.pick((",", ";", "|", "/", " "))
    empty = chance.happens(0.5)
    marker = chance.pick("!*~^") if level >= 2 else ""
    words = level >= 3  # items may be names
    number = int_join(chance)
    step, start = int_join(chance), chance.between(0, 9)
    plain = int_map(chance)
    marked = int_map(chance) if marker else plain
    name_value = chance.between(2, 5)
    shows: dict[str, list[Show]] = {"Number": [integer], "Name": [text]}
    show_item = variant(shows)
    shows["Group"] = [truth, listing(show_item)] if marker else [listing(show_item)]

    def item(s: str, at: int) -> tuple[Item, int]:
        end = at
        while end < len(s) and s[end].isdigit():
            end += 1
        if end > at:
            if end - at > 4:
                raise _Bad
            return ("Number", int(s[at:end])), end
        while words and end < len(s) and "a" <= s[end] <= "z":
            end += 1
        if end > at:
            return ("Name", s[at:end]), end
        flagged = bool(marker) and s[at : at + 1] == marker
        at += flagged
        if s[at : at + 1] != opening:
            raise _Bad
        items: list[Item] = []
        at += 1
        if s[at : at + 1] == closing:
            if not empty:
                raise _Bad
        else:
            while True:
                made, at = item(s, at)
                items.append(made)
                if s[at : at + 1] != sep:
                    break
                at += 1
        if s[at : at + 1] != closing:
            raise _Bad
        return (("Group", flagged, items) if marker else ("Group", items)), at + 1

    def parse(s: str) -> Item | None:
        try:
            made, at = item(s, 0)
        except _Bad:
            return None
        return made if at == len(s) else None

    def value(made: Item, depth: int) -> int:
        if made[0] == "Number":
            result = number.run(made[1], depth)
        elif made[0] == "Name":
            result = name_value * len(made[1]) + depth
        else:
            x = start
            for inner in made[-1]:
                x = step.run(x, value(inner, depth + 1))
            result = (marked if marker and made[1] else plain).run(x)
        if abs(result) > _LARGEST:
            raise Unfit
        return int(result)

    def draw(depth: int = 2, *, group: bool = True) -> str:
        if not group and (depth == 0 or chance.happens(0.5)):
            if words and chance.happens(0.3):
                return some_word(chance)
            return str(chance.between(0, 20))
        parts = [
            draw(max(0, depth - 1), group=depth > 1 and chance.happens(0.4))
            for _ in range(chance.between(not empty, 3))
        ]
        flag = marker if chance.happens(0.4) else ""
        return f"{flag}{opening}{sep.join(parts)}{closing}"

    def broken() -> str:
        made = draw()
        at = chance.below(len(made) + 1)
        return chance.pick((made[:at] + made[at + 1 :], made[:at] + chance.pick((sep, opening, "+")) + made[at:]))

    asked = ("value", "parse") if level >= 3 else ("value",)
    shown_sep = "a single space" if sep == " " else f"`{sep}`"
    grammar = ["a number: one to four decimal digits;"]
    grammar += ["a name: one or more lower-case letters from `a` to `z`;"] if words else []
    group_words = (
        f"a group: `{opening}`, {'any number of items, perhaps none,' if empty else 'one or more items'} with "
        f"{shown_sep} between each two, and `{closing}`"
    )
    if marker:
        group_words += f"; a group may be marked by a `{marker}` directly in front of it"
    grammar.append(f"{group_words}.")
    values = [f"of a number `n` at depth `d`: {number.say('n', 'd')};"]
    values += [f"of a name at depth `d`: {name_value} times its length, plus `d`;"] if words else []
    result = f"with `x` at the end, it is {plain.say()}"
    if marker:
        result = (
            f"with `x` at the end, the value is {plain.say()} for a group without the mark, and {marked.say()} for a "
            "marked one"
        )
    values.append(
        f"of a group: begin with `x` = {start}, and for the value `y` of each item in it, from left to right, let the "
        f"new `x` be {step.say()}; {result}."
    )
    declared = ""
    if level >= 3:
        declared = (
            "type item =\n  | Number of int\n"
            + ("  | Name of string\n" if words else "")
            + ("  | Group of bool * item list" if marker else "  | Group of item list")
        )
    parsing = (
        "`parse s` is `Some` of that item as a value of the type `item`"
        + (", where a group has a `true` if it is marked and a `false` if it is not" if marker else "")
        + ", or `None` if `s` is not exactly one item."
        if level >= 3
        else ""
    )

    def cases() -> Iterator[Case]:
        edges = [
            "",
            "7",
            f"{opening}{closing}",
            f"{opening}3{sep}{sep}4{closing}",
            f"{opening}5{closing}{closing}",
            "12345",
        ]
        edges += [f"{opening}{opening}1{closing}{sep}2{closing}"]
        for s in inputs(draw, edges):
            given = broken() if chance.happens(0.2) else s
            if len(given) > 70:
                continue
            made = parse(given)
            yield case("value", [text(given)], option(integer)(None if made is None else value(made, 0)))
            if level >= 3 and chance.happens(0.6):
                yield case("parse", [text(given)], option(show_item)(made))

    signature = "val value : string -> int option"
    if level >= 3:
        signature = f"{declared}\n\n{signature}\nval parse : string -> item option"
    code = _nested_code(
        (opening, closing),
        sep,
        marker,
        empty=empty,
        words=words,
        weights=(start, name_value),
        ops=(number, step, plain, marked),
    )
    kind = "type item =\n  | Number of int\n" + ("  | Name of string\n" if words else "")
    kind += "  | Group of bool * item list" if marker else "  | Group of item list"
    ops = (number, step, plain, marked)
    return Draft(
        name="value",
        statement=paragraphs(
            "An item is written as one of these, without any other characters:",
            bullets(grammar),
            "An item has a value; the outermost item has depth 0, the items in it depth 1, and so on:",
            bullets(values),
            f"{parsing} `value s` is `Some` of the value of the item that `s` is, or `None` if `s` is not exactly one "
            "item.".strip(),
        ),
        signature=signature,
        reference=module(kind, [h for op in ops for h in op.helpers], code),
        cases=cases(),
        together=2,
        hidden=16 if level >= 3 else 12,
        groups=asked if level >= 3 else (),
    )


def _nested_code(
    brackets: tuple[str, str],
    sep: str,
    marker: str,
    *,
    empty: bool,
    words: bool,
    weights: tuple[int, int],
    ops: tuple[Op, Op, Op, Op],
) -> str:
    opening, closing = map(letter, brackets)
    start, name_value = weights
    number, step, plain, marked = ops
    names = ""
    if words:
        names = """
    | 'a' .. 'z' ->
      let start = !at in
      while here () >= 'a' && here () <= 'z' do incr at done;
      Name (String.sub s start (!at - start))"""
    flags = f"\n    | {letter(marker)} ->\n      incr at;\n      Group (true, group ())" if marker else ""
    made = "Group (false, group ())" if marker else "Group (group ())"
    nothing = "(incr at; [])" if empty else "raise Bad"
    pattern = "Group (flagged, items)" if marker else "Group items"
    result = f"if flagged then {marked.code()} else {plain.code()}" if marker else plain.code()
    named = f"\n  | Name s -> ({name_value} * String.length s) + d" if words else ""
    return f"""\
exception Bad

let parse s =
  let at = ref 0 in
  let here () = if !at < String.length s then s.[!at] else '\\000' in
  let rec item () =
    match here () with
    | '0' .. '9' ->
      let start = !at in
      while here () >= '0' && here () <= '9' do incr at done;
      if !at - start > 4 then raise Bad;
      Number (int_of_string (String.sub s start (!at - start))){names}{flags}
    | c when c = {opening} -> {made}
    | _ -> raise Bad
  and group () =
    if here () <> {opening} then raise Bad;
    incr at;
    if here () = {closing} then {nothing} else items ()
  and items () =
    let first = item () in
    if here () = {letter(sep)} then (incr at; first :: items ())
    else if here () = {closing} then (incr at; [ first ])
    else raise Bad
  in
  match item () with
  | made -> if !at = String.length s then Some made else None
  | exception Bad -> None

let rec value_of d = function
  | Number n -> {number.code("n", "d")}{named}
  | {pattern} ->
    let x = List.fold_left (fun x item -> let y = value_of (d + 1) item in {step.code()}) {start} items in
    {result}

let value s = Option.map (value_of 0) (parse s)"""


FAMILY = Family(
    name="parsing.nested",
    topics=("parsing-interpreters", "recursion", "trees"),
    description="nested groups of numbers and names, and a value computed of them",
    make=_nested,
)
