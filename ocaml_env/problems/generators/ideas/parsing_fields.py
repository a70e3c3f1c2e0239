"""Entries of several fields on a line, and texts of such lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.letters import some_word
from ocaml_env.problems.generators.values import Show, integer, listing, option, record, text, truth
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]


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
            "pair of the entries, in order, and of the numbers of the lines that are not of the format, in ascending "
            f"order; the first line has number 1. {skipped}"
        )
    declared = (
        f"type entry = {{ {'; '.join(f'{name} : {kind.ocaml_type}' for name, kind in zip(names, kinds, strict=True))} "
        "}"
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
            "let rec trim s =\n"
            "  let n = String.length s in\n"
            "  if n > 0 && s.[0] = ' ' then trim (String.sub s 1 (n - 1))\n"
            "  else if n > 0 && s.[n - 1] = ' ' then trim (String.sub s 0 (n - 1))\n"
            "  else s"
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


FAMILY = Family(
    name="parsing.fields",
    topics=("parsing-interpreters", "options-results", "strings"),
    description="entries of several fields on a line, and texts of such lines",
    make=_fields,
)
