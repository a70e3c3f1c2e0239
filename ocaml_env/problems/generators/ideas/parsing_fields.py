"""Entries of several fields on a line, and texts of such lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.small.parsing_fields import TASKS
from ocaml_env.problems.generators.values import Show, integer, listing, option, record, text, truth
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

_NAMES = ("item", "count", "owner", "level", "code", "flag", "sizes", "rank", "town", "limit")
_WORDS = ("a", "z", "bee", "fig", "oak", "zinc", "moss")
_NO_NUMBERS = ("", "12345", "00000", "x", "4x", "-", "+4", "1.5", "0x8", "1_0", "1:", "1/", "1 2")


class _Kind(NamedTuple):
    """A kind of field: its description, reading in OCaml and in Python, showing, drawing, and critical values."""

    ocaml_type: str
    words: str
    reader: str
    helper: str
    read: Callable[[str], Any]
    show: Show
    draw: Callable[[Chance], str]
    edges: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """The format of an entry.

    Attributes:
        sep: between two fields.
        equals: between the name of a field and its value; empty if there are only values.
        trimmed: True if spaces around a field are ignored.
        many: True if there are texts of several lines.
        comment: begins a line to skip; empty if there are no comments.
    """

    names: tuple[str, ...]
    kinds: tuple[_Kind, ...]
    sep: str
    equals: str
    trimmed: bool
    many: bool
    comment: str

    @property
    def fields(self) -> list[tuple[str, _Kind]]:
        return [*zip(self.names, self.kinds, strict=True)]


def _fields(chance: Chance, level: int) -> Draft:
    count = 2 if level == 1 else level // 2 + 2
    line = _Line(
        kinds=tuple(make(chance) for make in chance.sample(_KINDS, count)),
        names=tuple(chance.sample(_NAMES, count)),
        sep=chance.pick((";", ",", ":", "|", "!")),
        equals=chance.pick("=~") if level > 1 and chance.happens(0.5) else "",
        trimmed=chance.happens(0.4),
        many=level > 1,
        comment=chance.pick("#%") if level > 3 else "",
    )
    signature = f"{_declared(line)}\n\nval parse : string -> entry option"
    return Draft(
        name="parse",
        statement=_statement(line),
        signature=f"{signature}\nval parse_all : string -> entry list * int list" if line.many else signature,
        reference=_code(line),
        cases=_cases(chance, line),
        hidden=16 if line.many else 12,
        groups=("parse", "parse_all") if line.many else (),
    )


# --- kinds of fields --------------------------------------------------------------------------------------------------

_DIGITS = """\
let digits s = s <> "" && String.length s <= 4 && String.for_all (fun c -> c >= '0' && c <= '9') s

let number s = if digits s then Some (int_of_string s) else None"""


def _read_number(s: str) -> int | None:
    return int(s) if s.isascii() and s.isdigit() and len(s) <= 4 else None


def _number_kind(chance: Chance) -> _Kind:
    low, high = chance.between(1, 9), chance.between(20, 300)

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
        (*map(str, (low - 1, low, high, high + 1)), f"{high:05}", f"{high:04}", *_NO_NUMBERS),
    )


def _signed_kind(chance: Chance) -> _Kind:
    helper = """\
let signed s =
  if s <> "" && s.[0] = '-' then Option.map (fun n -> -n) (number (String.sub s 1 (String.length s - 1)))
  else number s"""

    def read(s: str) -> int | None:
        value = _read_number(s.removeprefix("-"))
        return -value if value is not None and s.startswith("-") else value

    return _Kind(
        "int",
        "one to four decimal digits, with or without a `-` in front",
        "signed",
        f"{_DIGITS}\n\n{helper}",
        read,
        integer,
        lambda c: str(c.between(-99, 99)),
        ("--4", "4-", "-123", "-1234", "-12345", "1234", *_NO_NUMBERS),
    )


def _word_kind(chance: Chance) -> _Kind:
    return _Kind(
        "string",
        "one or more lower-case letters from `a` to `z`",
        "word",
        "let word s = if s <> \"\" && String.for_all (fun c -> c >= 'a' && c <= 'z') s then Some s else None",
        lambda s: s if s and all("a" <= c <= "z" for c in s) else None,
        text,
        lambda c: c.pick(_WORDS),
        ("", "Oak", "oaK", "a1", "b c", "oak{", "oak~", "a`"),
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
        ("", yes + no, yes.swapcase() if yes.isalpha() else "2", f"{yes}x", yes, no),
    )


def _optional_kind(chance: Chance) -> _Kind:
    sign = chance.pick(("-", "?", "none", "*"))

    def read(s: str) -> tuple[int | None] | None:
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
        (sign, sign * 2, "-5", "1234", *_NO_NUMBERS),
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
        (sep, f"1{sep}", f"{sep}2", f"1{sep}1234", f"1{sep}12345", f"3{sep}x{sep}4", f"1{sep} 2", *_NO_NUMBERS),
    )


_KINDS = (_number_kind, _signed_kind, _word_kind, _flag_kind, _optional_kind, _list_kind)


# --- cases ------------------------------------------------------------------------------------------------------------


def _cases(chance: Chance, line: _Line) -> Iterator[Case]:
    """Lines, and from time to time texts of several lines."""
    show = _show(line)
    for s in inputs(lambda: _text(chance, line), _some_edges(chance, line)):
        entry = _read(line, s)
        yield case("parse", [text(s)], "None" if entry is None else f"Some {show(entry)}")
        if line.many and chance.happens(0.4):
            rows = "\n".join(_row(chance, line) for _ in range(chance.pick((0, *(1, 2, 3, 4) * 4))))
            good, bad = _read_all(line, rows)
            yield case("parse_all", [text(rows)], f"({listing(show)(good)}, {listing(integer)(bad)})")


def _text(chance: Chance, line: _Line) -> str:
    """A line, sometimes with a critical value, or a field too few or too many."""
    parts = [kind.draw(chance) for kind in line.kinds]
    if chance.happens(0.15):
        at = chance.below(len(parts))
        parts[at] = chance.pick(line.kinds[at].edges)
    made = _labelled(line, parts)
    if chance.happens(0.1):
        at, blank = chance.below(len(made)), chance.pick("  \t")
        made[at] = made[at] + blank if chance.happens(0.5) else blank + made[at]
    if chance.happens(0.05):
        made = made[:-1] if chance.happens(0.5) else [*made, "7"]
    return line.sep.join(made)


def _labelled(line: _Line, values: list[str]) -> list[str]:
    if not line.equals:
        return values
    return [f"{name}{line.equals}{value}" for name, value in zip(line.names, values, strict=True)]


def _row(chance: Chance, line: _Line) -> str:
    """A line for a text of several."""
    if chance.happens(0.75):
        return _text(chance, line)
    return chance.pick(
        ("", "  ", "x", f"{line.comment} x", line.comment, f" {line.comment}", f" {_text(chance, line)}")
    )


def _some_edges(chance: Chance, line: _Line) -> list[str]:
    """Lines with one wrong field, in random order."""

    def good() -> list[str]:
        return [kind.draw(chance) for kind in line.kinds]

    edges = ["", line.sep * (len(line.names) - 1)]
    for at, (name, kind) in enumerate(line.fields):
        for edge in kind.edges:
            parts = good()
            parts[at] = edge
            edges.append(line.sep.join(_labelled(line, parts)))
        parts = _labelled(line, good())
        for field in (f" {parts[at]}", f"{parts[at]} ", f"  {parts[at]}  ", *_mislabelled(line, name, parts[at])):
            edges.append(line.sep.join([*parts[:at], field, *parts[at + 1 :]]))
    parts = _labelled(line, good())
    for other in (parts[1:], parts[:-1], [*parts, ""], ["", *parts], [*parts, parts[-1]], parts[::-1]):
        edges.append(line.sep.join(other))
    return chance.shuffled(edges)


def _mislabelled(line: _Line, name: str, part: str) -> list[str]:
    if not line.equals:
        return []
    value = part.removeprefix(name + line.equals)
    return [
        value,
        name,
        f"{name[0]}{line.equals}{value}",
        f"{name.upper()}{line.equals}{value}",
        f"{name} {value}",
        f"{name} {line.equals}{value}",
        f"{name}{line.equals} {value}",
    ]


# --- meaning ----------------------------------------------------------------------------------------------------------


def _read(line: _Line, s: str) -> tuple[Any, ...] | None:
    parts = s.split(line.sep)
    if len(parts) != len(line.names):
        return None
    values = []
    for part, (name, kind) in zip(parts, line.fields, strict=True):
        given = part.strip(" ") if line.trimmed else part
        if line.equals:
            if not given.startswith(name + line.equals):
                return None
            given = given[len(name) + 1 :]
        value = kind.read(given)
        if value is None:
            return None
        values.append(value)
    return tuple(values)


def _read_all(line: _Line, s: str) -> tuple[list[tuple[Any, ...]], list[int]]:
    """The entries of a text of several lines, and the numbers of malformed lines."""
    good, bad = [], []
    for number, row in enumerate(s.split("\n"), start=1):
        if row.strip(" ") == "" or (line.comment and row.startswith(line.comment)):
            continue
        entry = _read(line, row)
        if entry is None:
            bad.append(number)
        else:
            good.append(entry)
    return good, bad


def _show(line: _Line) -> Show:
    return record([(name, kind.show) for name, kind in line.fields])


# --- its texts --------------------------------------------------------------------------------------------------------


def _declared(line: _Line) -> str:
    return f"type entry = {{ {'; '.join(f'{name} : {kind.ocaml_type}' for name, kind in line.fields)} }}"


def _statement(line: _Line) -> str:
    example = line.sep.join(f"{name}{line.equals}..." if line.equals else f"<{name}>" for name in line.names)
    labels = (
        f"Each field begins with its name and `{line.equals}`, as shown; behind that follows its value. "
        if line.equals
        else ""
    )
    return paragraphs(
        f"An entry is written on one line, its fields in this order and with `{line.sep}` between each two: `{example}`. "
        f"{labels}The values are:",
        bullets(f"`{name}`: {kind.words};" for name, kind in line.fields).removesuffix(";") + ".",
        "Spaces at the beginning and at the end of a field are ignored."
        if line.trimmed
        else "Spaces are not ignored: if there is one that does not belong to the field, the line is not of the format.",
        "`parse line` is `Some` of the entry, or `None` if the line is not of the format."
        + (_about_texts(line) if line.many else ""),
    )


def _about_texts(line: _Line) -> str:
    skipped = "; they count as lines, too."
    if line.comment:
        skipped = f", and so are lines that begin with `{line.comment}`. Skipped lines count as lines, too."
    return (
        " `parse_all text` reads a text of several lines with a line break (`\\n`) between each two. It is the pair of "
        "the entries, in order, and of the numbers of the lines that are not of the format, in ascending order; the "
        f"first line has number 1. Lines that are empty or hold only spaces are skipped{skipped}"
    )


def _code(line: _Line) -> str:
    helpers = [helper for kind in line.kinds for helper in kind.helper.split("\n\n")]
    helpers += [_TRIM] if line.trimmed else []
    helpers += [_VALUE.replace("@", line.equals)] if line.equals else []
    skip = "String.for_all (fun c -> c = ' ') line"
    skip += f" || line.[0] = '{line.comment}'" if line.comment else ""
    return module(_declared(line), helpers, _parser(line), _PARSE_ALL.replace("@", skip) if line.many else "")


def _parser(line: _Line) -> str:
    parts = [f"p{i}" for i in range(len(line.names))]
    lines = [
        "let ( let* ) = Option.bind",
        "",
        "let parse line =",
        f"  match String.split_on_char '{line.sep}' line with",
        f"  | [ {'; '.join(parts)} ] ->",
    ]
    for part, (name, kind) in zip(parts, line.fields, strict=True):
        given = f"(trim {part})" if line.trimmed else part
        if line.equals:
            lines.append(f'    let* {part} = value "{name}" {given} in')
            given = part
        lines.append(f"    let* {name} = {kind.reader} {given} in")
    return "\n".join([*lines, f"    Some {{ {'; '.join(line.names)} }}", "  | _ -> None"])


_TRIM = """\
let rec trim s =
  let n = String.length s in
  if n > 0 && s.[0] = ' ' then trim (String.sub s 1 (n - 1))
  else if n > 0 && s.[n - 1] = ' ' then trim (String.sub s 0 (n - 1))
  else s"""

_VALUE = """\
let value name s =
  let start = name ^ "@" in
  let n = String.length start in
  if String.length s >= n && String.sub s 0 n = start then Some (String.sub s n (String.length s - n)) else None"""

_PARSE_ALL = """\
let parse_all text =
  let step (good, bad, number) line =
    if @ then (good, bad, number + 1)
    else
      match parse line with
      | Some entry -> (entry :: good, bad, number + 1)
      | None -> (good, number :: bad, number + 1)
  in
  let good, bad, _ = List.fold_left step ([], [], 1) (String.split_on_char '\\n' text) in
  (List.rev good, List.rev bad)"""


FAMILY = Family(
    name="parsing.fields",
    topics=("parsing-interpreters", "options-results", "strings"),
    description="entries of several fields on a line, and texts of such lines",
    tasks=TASKS,
    make=_fields,
)
