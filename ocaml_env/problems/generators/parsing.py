"""Families about parsing: formulas with operators of many kinds, lines of fields, and nested groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map
from ocaml_env.problems.generators.letters import some_word
from ocaml_env.problems.generators.values import Show, integer, letter, listing, option, record, text, truth, variant
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs

__all__ = ["FAMILIES"]

_LARGEST = 1 << 40


class _Bad(Exception):
    """The text is not of the format."""


# --- formulas ---------------------------------------------------------------------------------------------------------


class _Operator(NamedTuple):
    """A binary operator of one character; a higher rank binds tighter."""

    sign: str
    rank: int
    left: bool  # associates to the left
    op: Op


def _formula(chance: Chance, level: int) -> Draft:
    name = chance.pick(("calc", "compute", "formula", "evaluate", "solve"))
    count = (2, 2, 3, 4, 5)[level - 1]
    signs = chance.sample("+-*/%^&|@#", count + 2)
    ranks = [chance.between(1, 3) for _ in range(count)]
    sides = {rank: chance.happens(0.6) for rank in (1, 2, 3)}
    if len({*ranks}) < 2:
        raise Unfit
    operators = [_Operator(sign, rank, sides[rank], int_join(chance)) for sign, rank in zip(signs, ranks, strict=False)]
    prefix = (signs[-1], int_map(chance)) if level >= 3 else None
    postfix = (signs[-2], int_map(chance)) if level >= 4 else None
    by_sign = {operator.sign: operator for operator in operators}

    def run(s: str) -> int | None:
        try:
            value, at = expression(s, 0, 1)
        except _Bad:
            return None
        return value if blank(s, at) == len(s) else None

    def blank(s: str, at: int) -> int:
        while at < len(s) and s[at] == " ":
            at += 1
        return at

    def checked(value: int) -> int:
        if abs(value) > _LARGEST:
            raise Unfit
        return value

    def primary(s: str, at: int) -> tuple[int, int]:
        at = blank(s, at)
        if at < len(s) and s[at].isdigit():
            end = at
            while end < len(s) and s[end].isdigit():
                end += 1
            value, at = int(s[at:end]), end
        elif at < len(s) and s[at] == "(":
            value, at = expression(s, at + 1, 1)
            at = blank(s, at)
            if at >= len(s) or s[at] != ")":
                raise _Bad
            at += 1
        elif prefix and at < len(s) and s[at] == prefix[0]:
            value, at = primary(s, at + 1)
            return checked(prefix[1].run(value)), at
        else:
            raise _Bad
        while postfix and (after := blank(s, at)) < len(s) and s[after] == postfix[0]:
            value, at = checked(postfix[1].run(value)), after + 1
        return value, at

    def expression(s: str, at: int, least: int) -> tuple[int, int]:
        value, at = primary(s, at)
        while True:
            after = blank(s, at)
            operator = by_sign.get(s[after]) if after < len(s) else None
            if operator is None or operator.rank < least:
                return value, at
            right, at = expression(s, after + 1, operator.rank + operator.left)
            value = checked(operator.op.run(value, right))

    def draw(depth: int = 2) -> str:
        if depth == 0 or chance.happens(0.1):
            made = str(chance.between(0, 15))
        elif chance.happens(0.2):
            made = f"({draw(depth - 1)})"
        else:
            gap = " " if chance.happens(0.3) else ""
            made = f"{draw(depth - 1)}{gap}{chance.pick(operators).sign}{gap}{draw(depth - 1)}"
        if prefix and chance.happens(0.15):
            made = f"{prefix[0]}{made}" if made[0].isdigit() or made[0] == "(" else f"{prefix[0]}({made})"
        if postfix and chance.happens(0.15):
            made += postfix[0]
        return made

    def broken() -> str:
        made = draw()
        at = chance.below(len(made) + 1)
        return chance.pick(
            (made[:at] + made[at + 1 :], made[:at] + chance.pick(signs[:count]) + made[at:], made + " 3")
        )

    lines = []
    for rank in sorted({*ranks}, reverse=True):
        members = [operator for operator in operators if operator.rank == rank]
        meaning = "; ".join(f"`x {one.sign} y` is {one.op.say()}" for one in members)
        side = "left: `x ? y ? z` means `(x ? y) ? z`" if sides[rank] else "right: `x ? y ? z` means `x ? (y ? z)`"
        if len(members) == 1:
            side = side.replace("?", members[0].sign)
        else:
            side += ", with any of these operators at each `?`"
        lines.append(f"{meaning}. {'It associates' if len(members) == 1 else 'They associate'} to the {side}.")
    more = []
    if prefix:
        more.append(
            f"`{prefix[0]}x`, with the operator in front, is {prefix[1].say()}; it binds tighter than all of these."
        )
    if postfix:
        more.append(
            f"`x{postfix[0]}`, with the operator behind, is {postfix[1].say()}; it binds tighter still, and may stand "
            "several "
            "times."
        )
    if prefix:
        more.append("An operator in front may be followed by another one in front.")

    def cases() -> Iterator[Case]:
        edges = [
            "7",
            "",
            "(5)",
            f"1{signs[0]}",
            "2 3",
            f"{signs[0]}4",
            "((2)",
            " 12 ",
            f"1{signs[0]}2{signs[1]}3",
            "2)",
        ]
        for s in inputs(draw, edges):
            given = broken() if chance.happens(0.12) else s
            if len(given) <= 60:
                yield case(name, [text(given)], option(integer)(run(given)))

    ops = [operator.op for operator in operators]
    ops += [prefix[1]] if prefix else []
    ops += [postfix[1]] if postfix else []
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} s` computes a formula that is written as a string. It is made of numbers (one or more decimal "
            "digits), "
            "parentheses `(` and `)` around any formula, and the binary operators below; those that bind tightest "
            "come first. "
            "Spaces may stand anywhere but inside of a number.",
            numbered(lines),
            bullets(more),
            "The result is `Some` of the value, or `None` if the string is not such a formula, be it empty, "
            "incomplete, or "
            "followed by anything else. The numbers in the tests are small.",
        ),
        signature=f"val {name} : string -> int option",
        reference=module([h for op in ops for h in op.helpers], _formula_code(name, operators, prefix, postfix)),
        cases=cases(),
        together=2,
    )


def _formula_code(
    name: str, operators: Sequence[_Operator], prefix: tuple[str, Op] | None, postfix: tuple[str, Op] | None
) -> str:
    table = "\n".join(
        f"    | {letter(one.sign)} -> Some ({one.rank}, {one.rank + one.left}, fun x y -> {one.op.code()})"
        for one in operators
    )
    front = (
        f"\n    | {letter(prefix[0])} ->\n      incr at;\n      let x = primary () in\n      {prefix[1].code()}"
        if prefix
        else ""
    )
    behind = (
        f"    let rec more x = if peek () = {letter(postfix[0])} then (incr at; more ({postfix[1].code()})) else x in\n"
        if postfix
        else "    let more x = x in\n"
    )
    return f"""\
exception Bad

let {name} s =
  let at = ref 0 in
  let here () = if !at < String.length s then s.[!at] else '\\000' in
  let rec peek () = if here () = ' ' then (incr at; peek ()) else here () in
  let operator = function
{table}
    | _ -> None
  in
  let rec number n =
    match here () with
    | '0' .. '9' as c ->
      incr at;
      number ((10 * n) + Char.code c - Char.code '0')
    | _ -> n
  in
  let rec primary () =
{behind}    match peek () with
    | '0' .. '9' -> more (number 0)
    | '(' ->
      incr at;
      let x = expression 1 in
      if peek () <> ')' then raise Bad;
      incr at;
      more x{front}
    | _ -> raise Bad
  and expression least =
    let rec go x =
      match operator (peek ()) with
      | Some (rank, next, f) when rank >= least ->
        incr at;
        let y = expression next in
        go (f x y)
      | _ -> x
    in
    go (primary ())
  in
  match expression 1 with
  | x -> if peek () = '\\000' && !at = String.length s then Some x else None
  | exception Bad -> None"""


# --- lines of fields --------------------------------------------------------------------------------------------------


class _Kind(NamedTuple):
    """What a field may hold: how it is described, read in OCaml and in Python, shown, drawn and spoilt."""

    ocaml_type: str
    words: str
    reader: str
    helper: str
    read: Callable[[str], Any]
    show: Show
    draw: Callable[[Chance], str]
    spoilt: tuple[str, ...]


_NAMES = ("item", "count", "owner", "level", "code", "flag", "sizes", "rank", "town", "limit")
_DIGITS = """\
let digits s = s <> "" && String.length s <= 4 && String.for_all (fun c -> c >= '0' && c <= '9') s

let number s = if digits s then Some (int_of_string s) else None"""


def _read_number(s: str) -> int | None:
    return int(s) if s.isascii() and s.isdigit() and len(s) <= 4 else None


def _read_signed(s: str) -> int | None:
    if s.startswith("-"):
        value = _read_number(s[1:])
        return None if value is None else -value
    return _read_number(s)


def _read_word(s: str) -> str | None:
    return s if s and all("a" <= c <= "z" for c in s) else None


def _number_kind(chance: Chance) -> _Kind:
    low, high = chance.between(0, 5), chance.between(20, 300)

    def read(s: str) -> int | None:
        value = _read_number(s)
        return value if value is not None and low <= value <= high else None

    return _Kind(
        "int",
        f"one to four decimal digits, for a number from {low} to {high}",
        f"(fun s -> match number s with Some n when {low} <= n && n <= {high} -> Some n | _ -> None)",
        _DIGITS,
        read,
        integer,
        lambda c: str(c.between(low, high)),
        (str(high + 1), "12345", "x", "", "-1", *([str(low - 1)] if low else [])),
    )


def _signed_kind(chance: Chance) -> _Kind:
    helper = """\
let signed s =
  if s <> "" && s.[0] = '-' then Option.map (fun n -> -n) (number (String.sub s 1 (String.length s - 1)))
  else number s"""
    return _Kind(
        "int",
        "one to four decimal digits, with or without a `-` in front",
        "signed",
        f"{_DIGITS}\n\n{helper}",
        _read_signed,
        integer,
        lambda c: str(c.between(-99, 200)),
        ("--4", "-", "", "4-", "00000"),
    )


def _word_kind(chance: Chance) -> _Kind:
    helper = "let word s = if s <> \"\" && String.for_all (fun c -> c >= 'a' && c <= 'z') s then Some s else None"
    return _Kind(
        "string",
        "one or more lower-case letters from `a` to `z`",
        "word",
        helper,
        _read_word,
        text,
        some_word,
        ("", "Oak", "a1", "b c"),
    )


def _flag_kind(chance: Chance) -> _Kind:
    yes, no = chance.pick((("yes", "no"), ("on", "off"), ("T", "F"), ("1", "0"), ("open", "shut")))
    return _Kind(
        "bool",
        f"`{yes}` for true or `{no}` for false",
        f'(function "{yes}" -> Some true | "{no}" -> Some false | _ -> None)',
        "",
        lambda s: s == yes if s in (yes, no) else None,
        truth,
        lambda c: yes if c.happens(0.5) else no,
        ("", yes + no, yes.swapcase() if yes.isalpha() else "2"),
    )


def _optional_kind(chance: Chance) -> _Kind:
    sign = chance.pick(("-", "?", "none", "*"))

    def read(s: str) -> Any:
        if s == sign:
            return (None,)
        value = _read_number(s)
        return None if value is None else (value,)

    return _Kind(
        "int option",
        f"`{sign}` for `None`, or one to four decimal digits for `Some` of that number",
        f'(fun s -> if s = "{sign}" then Some None else Option.map (fun n -> Some n) (number s))',
        _DIGITS,
        read,
        lambda value: option(integer)(value[0]),
        lambda c: sign if c.happens(0.4) else str(c.between(0, 99)),
        ("", sign * 2, "-5"),
    )


def _list_kind(chance: Chance) -> _Kind:
    sep = chance.pick(("+", "/", "."))
    helper = """\
let rec all = function
  | [] -> Some []
  | None :: _ -> None
  | Some x :: rest -> Option.map (fun l -> x :: l) (all rest)"""

    def read(s: str) -> list[int] | None:
        if s == "":
            return []
        values = [_read_number(part) for part in s.split(sep)]
        return None if None in values else [value for value in values if value is not None]

    return _Kind(
        "int list",
        f"numbers of one to four decimal digits with `{sep}` between each two; nothing at all is the empty list",
        f"(fun s -> if s = \"\" then Some [] else all (List.map number (String.split_on_char '{sep}' s)))",
        f"{_DIGITS}\n\n{helper}",
        read,
        listing(integer),
        lambda c: sep.join(map(str, c.ints(c.between(0, 3), 0, 40))),
        (sep, f"1{sep}", f"{sep}2", "a"),
    )


_KINDS = (_number_kind, _signed_kind, _word_kind, _flag_kind, _optional_kind, _list_kind)


def _fields(chance: Chance, level: int) -> Draft:
    count = (2, 3, 3, 4, 4)[level - 1]
    kinds = [make(chance) for make in chance.sample(_KINDS, count)]
    names = chance.sample(_NAMES, count)
    sep = chance.pick((";", ",", ":", "|", "!"))
    labelled = level >= 2 and chance.happens(0.5)
    equals = chance.pick("=~") if labelled else ""
    trimmed = chance.happens(0.4)
    many = level >= 3
    comment = chance.pick("#%") if level >= 4 else ""
    show = record([(name, kind.show) for name, kind in zip(names, kinds, strict=True)])

    def read(line: str) -> tuple[Any, ...] | None:
        parts = line.split(sep)
        if len(parts) != count:
            return None
        values = []
        for part, name, kind in zip(parts, names, kinds, strict=True):
            part = part.strip(" ") if trimmed else part
            if labelled:
                if not part.startswith(name + equals):
                    return None
                part = part[len(name) + 1 :]
            value = kind.read(part)
            if value is None:
                return None
            values.append(value)
        return tuple(values)

    def draw(spoil: float = 0.3) -> str:
        parts = [kind.draw(chance) for kind in kinds]
        if chance.happens(spoil):
            at = chance.below(count)
            parts[at] = chance.pick(kinds[at].spoilt)
        if labelled:
            parts = [f"{name}{equals}{part}" for name, part in zip(names, parts, strict=True)]
        parts = [f" {part}" if chance.happens(0.12) else part for part in parts]
        if chance.happens(spoil / 4):
            parts = parts[:-1] if chance.happens(0.5) else [*parts, "7"]
        return sep.join(parts)

    def whole(s: str) -> str:
        good, bad = [], []
        for number, line in enumerate(s.split("\n"), start=1):
            if line.strip(" ") == "" or (comment and line.startswith(comment)):
                continue
            entry = read(line)
            if entry is None:
                bad.append(number)
            else:
                good.append(entry)
        return f"({listing(show)(good)}, {listing(integer)(bad)})"

    example = sep.join(f"{name}{equals}..." if labelled else f"<{name}>" for name in names)
    lines = [f"`{name}`: {kind.words};" for name, kind in zip(names, kinds, strict=True)]
    spaces = (
        "Spaces at the beginning and at the end of a field are ignored."
        if trimmed
        else "Spaces are not ignored: where one does not belong to the field, the line is not of the format."
    )
    ending = "`parse line` is `Some` of the entry, or `None` if the line is not of the format."
    if many:
        skipped = "Lines that are empty or hold only spaces are skipped" + (
            f", and so are lines that begin with `{comment}`. Skipped lines count as lines, too."
            if comment
            else "; they count as lines, too."
        )
        ending += (
            " `parse_all text` reads a text of several lines with a line break (`\\n`) between each two. It is the "
            "pair of the "
            "entries, in order, and of the numbers of the lines that are not of the format, in ascending order; the "
            "first line "
            f"has number 1. {skipped}"
        )
    declared = (
        f"type entry = {{ "
        f"{'; '.join(f'{name} : {kind.ocaml_type}' for name, kind in zip(names, kinds, strict=True))} }}"
    )

    def cases() -> Iterator[Case]:
        edges = ["", sep * (count - 1), draw(0), sep + draw(0), draw(0) + " ", draw(0).upper()]
        for line in inputs(draw, edges):
            entry = read(line)
            yield case("parse", [text(line)], "None" if entry is None else f"Some {show(entry)}")
            if many and chance.happens(0.6):
                rows = [
                    draw() if chance.happens(0.8) else chance.pick(("", "  ", f"{comment} x"))
                    for _ in range(chance.between(1, 4))
                ]
                yield case("parse_all", [text("\n".join(rows))], whole("\n".join(rows)))

    return Draft(
        name="parse",
        statement=paragraphs(
            f"An entry is written on one line, its fields in this order and with `{sep}` between each two: "
            f"`{example}`. "
            + (
                f"Each field begins with its name and `{equals}`, as shown; behind that follows its value. "
                if labelled
                else ""
            )
            + "The values are:",
            bullets(lines).removesuffix(";") + ".",
            spaces,
            ending,
        ),
        signature=f"{declared}\n\nval parse : string -> entry option"
        + ("\nval parse_all : string -> entry list * int list" if many else ""),
        reference=_fields_code(declared, names, kinds, sep, equals, trimmed=trimmed, many=many, comment=comment),
        cases=cases(),
        together=2,
        hidden=16 if many else 12,
        groups=("parse", "parse_all") if many else (),
    )


def _fields_code(
    declared: str,
    names: Sequence[str],
    kinds: Sequence[_Kind],
    sep: str,
    equals: str,
    *,
    trimmed: bool,
    many: bool,
    comment: str,
) -> str:
    helpers = [helper for kind in kinds for helper in kind.helper.split("\n\n")]
    label = """\
let value name s =
  let start = name ^ "@" in
  let n = String.length start in
  if String.length s >= n && String.sub s 0 n = start then Some (String.sub s n (String.length s - n)) else None"""
    if trimmed:
        helpers.append(
            "let rec trim s =\n  let n = String.length s in\n  if n > 0 && s.[0] = ' ' then trim (String.sub s 1 (n - "
            "1))\n"
            "  else if n > 0 && s.[n - 1] = ' ' then trim (String.sub s 0 (n - 1))\n  else s"
        )
    if equals:
        helpers.append(label.replace("@", equals))
    parts = [f"p{i}" for i in range(len(names))]
    lines = [
        "let ( let* ) = Option.bind",
        "",
        "let parse line =",
        f"  match String.split_on_char '{sep}' line with",
        f"  | [ {'; '.join(parts)} ] ->",
    ]
    for part, name, kind in zip(parts, names, kinds, strict=True):
        given = f"(trim {part})" if trimmed else part
        if equals:
            lines.append(f'    let* {part} = value "{name}" {given} in')
            given = part
        lines.append(f"    let* {name} = {kind.reader} {given} in")
    lines += [f"    Some {{ {'; '.join(names)} }}", "  | _ -> None"]
    skip = "String.for_all (fun c -> c = ' ') line" + (f" || line.[0] = '{comment}'" if comment else "")
    loop = f"""\
let parse_all text =
  let step (good, bad, number) line =
    if {skip} then (good, bad, number + 1)
    else
      match parse line with
      | Some entry -> (entry :: good, bad, number + 1)
      | None -> (good, number :: bad, number + 1)
  in
  let good, bad, _ = List.fold_left step ([], [], 1) (String.split_on_char '\\n' text) in
  (List.rev good, List.rev bad)"""
    return module(declared, helpers, "\n".join(lines), loop if many else "")


# --- nested groups ----------------------------------------------------------------------------------------------------

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
        f"{shown_sep} between "
        f"each two, and `{closing}`"
    )
    if marker:
        group_words += f"; a group may be marked by a `{marker}` directly in front of it"
    grammar.append(f"{group_words}.")
    values = [f"of a number `n` at depth `d`: {number.say('n', 'd')};"]
    values += [f"of a name at depth `d`: {name_value} times its length, plus `d`;"] if words else []
    result = f"with `x` at the end, it is {plain.say()}"
    if marker:
        result = (
            f"with `x` at the end, the value is {plain.say()} for a group without the mark, and {marked.say()} "
            "for a marked one"
        )
    values.append(
        f"of a group: begin with `x` = {start}, and for the value `y` of each item in it, from left to right, let the "
        "new `x` be "
        f"{step.say()}; {result}."
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


FAMILIES = (
    Family(
        name="parsing.formulas",
        topics=("parsing-interpreters", "strings"),
        description="formulas as strings, with operators of several ranks, in front and behind",
        make=_formula,
    ),
    Family(
        name="parsing.fields",
        topics=("parsing-interpreters", "options-results", "strings"),
        description="entries of several fields on a line, and texts of such lines",
        make=_fields,
    ),
    Family(
        name="parsing.nested",
        topics=("parsing-interpreters", "recursion", "trees"),
        description="nested groups of numbers and names, and a value computed of them",
        make=_nested,
    ),
)
