"""Formulas as strings, with operators of several ranks, in front and behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map
from ocaml_env.problems.generators.small.parsing_formulas import TASKS
from ocaml_env.problems.generators.values import integer, letter, option, text
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs

__all__ = ["FAMILY"]

_LARGEST = 1 << 40
_TRIED = 40  # formulas
_NUMBERS = [(x,) for x in range(-3, 16)]
_PAIRS = [(x, y) for x in range(-3, 16, 2) for y in range(-2, 16, 3)]
_SHARE = 8  # one in so many operands must show each part of an operation
_TELLING = 2  # operands at least that must show a part
_LONGEST = 30  # characters of a formula


class _Bad(Exception):
    """The text is not a formula."""


class _Operator(NamedTuple):
    """A binary operator of one character; a higher rank binds tighter."""

    sign: str
    rank: int
    left: bool  # associates to the left
    op: Op


class _Single(NamedTuple):
    """An operator of one character, in front or behind; an empty sign means none."""

    sign: str
    op: Op


@dataclass(frozen=True, slots=True, kw_only=True)
class _Language:
    name: str
    operators: tuple[_Operator, ...]
    front: _Single
    behind: _Single


def _formula(chance: Chance, level: int) -> Draft:
    language = _language(chance, level)

    def cases() -> Iterator[Case]:
        for s in inputs(lambda: _text(chance, language), chance.shuffled(_edges(language))):
            if len(s) <= _LONGEST and _is_small(language, s):
                yield case(language.name, [text(s)], option(integer)(_run(language, s)))

    return Draft(
        name=language.name,
        statement=_statement(language),
        signature=f"val {language.name} : string -> int option",
        reference=_code(language),
        cases=cases(),
    )


def _language(chance: Chance, level: int) -> _Language:
    """Draws a language with at least two ranks. Each of its parts makes a difference to some value."""
    count = level // 2 + 2
    signs = chance.sample("+-*/%^&|@#", count + 2)
    ranks = [1, *(chance.between(1, 3) for _ in range(count - 2)), chance.between(2, 3)]
    sides = {rank: chance.happens(0.6) for rank in (1, 2, 3)}
    language = _Language(
        name=chance.pick(("calc", "compute", "formula", "evaluate", "solve")),
        operators=tuple(
            _Operator(sign, rank, sides[rank], _telling(lambda: int_join(chance), _PAIRS))
            for sign, rank in zip(signs, ranks, strict=False)
        ),
        front=_Single(signs[-1] if level > 1 else "", _telling(lambda: int_map(chance), _NUMBERS)),
        behind=_Single(signs[-2] if level > 3 else "", _telling(lambda: int_map(chance), _NUMBERS)),
    )
    tried = [*_pairs(language), *(_some(chance, language, 2) for _ in range(_TRIED))]
    tried = [s for s in tried if _is_small(language, s)]
    whole = [_run(language, s) for s in tried]
    if any(_is_same(faulty, tried, whole) for faulty in _faulty(language)):
        raise Unfit
    return language


def _telling(draw: Callable[[], Op], operands: Sequence[tuple[int, ...]]) -> Op:
    """An operation. Each of its parts makes a difference for a good share of these operands."""
    while True:
        op = draw()
        whole = [op.run(*each) for each in operands]
        counts = [
            sum(fault(*each) != value for each, value in zip(operands, whole, strict=True)) for fault in op.faults
        ]
        if all(_SHARE * count >= len(operands) for count in counts):
            return op


def _faulty(language: _Language) -> Iterator[_Language]:
    """The language with a part of one operator left out, or with another associativity."""
    first, last = (lambda x, y: x), (lambda x, y: y)
    for place, operator in enumerate(language.operators):
        changed = [
            operator._replace(op=operator.op._replace(run=fault)) for fault in (first, last, *operator.op.faults)
        ]
        for other in (*changed, operator._replace(left=not operator.left)):
            others = (*language.operators[:place], other, *language.operators[place + 1 :])
            yield replace(language, operators=others)
    for fault in (lambda x: x, *language.front.op.faults) if language.front.sign else ():
        yield replace(language, front=language.front._replace(op=language.front.op._replace(run=fault)))
    for fault in (lambda x: x, *language.behind.op.faults) if language.behind.sign else ():
        yield replace(language, behind=language.behind._replace(op=language.behind.op._replace(run=fault)))


def _is_same(language: _Language, tried: list[str], whole: list[int | None]) -> bool:
    """True if all but a few values are the same."""
    try:
        return sum(_run(language, s) != value for s, value in zip(tried, whole, strict=True)) < _TELLING
    except Unfit:
        return False


# --- cases ------------------------------------------------------------------------------------------------------------


def _text(chance: Chance, language: _Language) -> str:
    """A formula, sometimes with a character added, removed or changed."""
    made = _some(chance, language, 2)
    if chance.happens(0.85):
        return made
    at = chance.below(len(made))
    other = chance.pick((*(operator.sign for operator in language.operators), "(", ")", " ", "7", "x"))
    return made[:at] + chance.pick(("", other, other + made[at])) + made[at + 1 :]


def _some(chance: Chance, language: _Language, depth: int) -> str:
    """A formula with operators nested at most this deep."""
    if depth == 0 or (depth == 1 and chance.happens(0.25)):
        made = str(chance.number(0, 15))
    elif chance.happens(0.2):
        made = f"({_some(chance, language, depth - 1)})"
    else:
        gap = " " if chance.happens(0.2) else ""
        sign = chance.pick(language.operators).sign
        made = f"{_some(chance, language, depth - 1)}{gap}{sign}{gap}{_some(chance, language, depth - 1)}"
    if language.front.sign and chance.happens(0.2):
        made = f"{language.front.sign}{made}"
    if language.behind.sign and chance.happens(0.2):
        made += language.behind.sign
    return made


def _pairs(language: _Language) -> list[str]:
    """Formulas with each pair of binary operators."""
    signs = [operator.sign for operator in language.operators]
    return [f"9{sign}4{other}3" for sign in signs for other in signs]


def _edges(language: _Language) -> list[str]:
    """Two operators next to each other, and texts that are no formulas."""
    signs = [operator.sign for operator in language.operators]
    edges = _pairs(language)
    edges += ["", "7", "(5)", "2 3", "((2)", "2)", "()", "(3]", "(3 4", "4(5)", "x", "4x", "0x8", "1_0", " ", "((12))"]
    edges += [
        " 12 ",
        " ( 3 ) ",
        "007",
        "(",
        ")",
        "(2",
        "1.5",
        "(3(",
        "((((7))))",
        "123",
        "0",
        "( ( 3) )",
        "3 x",
        "(4)5",
        "1:",
        "1/",
    ]
    for sign in signs:
        edges += [f"1{sign}", f"{sign}2", f"3 {sign} ( 4 {sign} 15)"]
        edges += [f"9{sign}4{sign}3{sign}2{sign}1", f"2{sign}(3{sign}(4{sign}(5{sign}6)))", f"12{sign}12", f"0{sign}5"]
    one, other = signs[:2]
    edges += [f"1{one}{one}2", f"({other})", f"(3{one}4", f"{other}{other}(1)"]
    if language.front.sign:
        front = language.front.sign
        edges += [front, f"{front}{front}4", f"5{front}", f"{front} 6", f"{front}(3", f"({front})", f"5{front}6"]
        edges += [text for sign in signs for text in (f"{front}2{sign}3", f"2{sign}{front}3", f"{front}{sign}3")]
        edges += [f"{front}({n}{sign}{m})" for sign in signs for n, m in ((0, 1), (2, 5))]  # often negative
    if language.behind.sign:
        front, behind = language.front.sign, language.behind.sign
        edges += [
            behind,
            f"{behind}4",
            f"3{behind}{behind}",
            f"{front}5{behind}",
            f"({behind})",
            f"(5{behind} ){behind}",
        ]
        edges += [f"({front}5){behind}", f"3{behind}4", f"3 {behind} {behind}"]
        edges += [text for sign in signs for text in (f"2{sign}3{behind}", f"2{behind}{sign}3", f"2{sign}{behind}3")]
    return edges


# --- meaning ----------------------------------------------------------------------------------------------------------


def _is_small(language: _Language, s: str) -> bool:
    """True if the value and all intermediate numbers are small."""
    try:
        _run(language, s)
    except Unfit:
        return False
    return True


def _run(language: _Language, s: str) -> int | None:
    try:
        value, at = _expression(language, s, 0, 1)
    except _Bad:
        return None
    return value if at == len(s) else None


def _blank(s: str, at: int) -> int:
    """The end of the spaces that begin there."""
    while s.startswith(" ", at):
        at += 1
    return at


def _applied(run: Callable[..., int], *values: int) -> int:
    value = run(*values)
    if abs(value) > _LARGEST:
        raise Unfit
    return value


def _expression(language: _Language, s: str, at: int, least: int) -> tuple[int, int]:
    """The value of the expression there, with operators of at least this rank, and the end of it and of spaces after
    it.
    """
    value, at = _primary(language, s, at)
    while True:
        operator = next((operator for operator in language.operators if s.startswith(operator.sign, at)), None)
        if operator is None or operator.rank < least:
            return value, at
        right, at = _expression(language, s, at + 1, operator.rank + operator.left)
        value = _applied(operator.op.run, value, right)


def _primary(language: _Language, s: str, at: int) -> tuple[int, int]:
    """The same for an expression without binary operators."""
    at = end = _blank(s, at)
    while end < len(s) and s[end].isdigit():
        end += 1
    if end > at:
        value, at = int(s[at:end]), end
    elif s.startswith("(", at):
        value, at = _expression(language, s, at + 1, 1)
        if not s.startswith(")", at):
            raise _Bad
        at += 1
    elif language.front.sign and s.startswith(language.front.sign, at):
        value, at = _primary(language, s, at + 1)
        return _applied(language.front.op.run, value), at
    else:
        raise _Bad
    at = _blank(s, at)
    while language.behind.sign and s.startswith(language.behind.sign, at):
        value, at = _applied(language.behind.op.run, value), _blank(s, at + 1)
    return value, at


# --- its texts --------------------------------------------------------------------------------------------------------


def _statement(language: _Language) -> str:
    front, behind = language.front, language.behind
    more = []
    if front.sign:
        more += [
            f"`{front.sign}x`, with the operator in front, is {front.op.say()}; it binds tighter than all of these."
        ]
    if behind.sign:
        more += [
            f"`x{behind.sign}`, with the operator behind, is {behind.op.say()}; it binds tighter still, and may stand "
            "several times."
        ]
    if front.sign:
        more += ["An operator in front may be followed by another one in front."]
    return paragraphs(
        f"`{language.name} s` computes a formula that is written as a string. It is made of numbers (one or more "
        "decimal digits), parentheses `(` and `)` around any formula, and the "
        f"{'' if more else 'binary '}operators below; the binary ones that bind tightest come first. Spaces may stand "
        "anywhere but inside of a number.",
        numbered(_ranks(language)),
        bullets(more),
        "The result is `Some` of the value, or `None` if the string is not such a formula: if it is empty, incomplete, "
        "or followed by anything else. The numbers in the tests are small.",
    )


def _ranks(language: _Language) -> list[str]:
    """The sentences about the operators of each rank."""
    lines = []
    for rank in sorted({operator.rank for operator in language.operators}, reverse=True):
        members = [operator for operator in language.operators if operator.rank == rank]
        meaning = "; ".join(f"`x {operator.sign} y` is {operator.op.say()}" for operator in members)
        side = "right: `x ? y ? z` means `x ? (y ? z)`"
        if members[0].left:
            side = "left: `x ? y ? z` means `(x ? y) ? z`"
        if len(members) == 1:
            lines.append(f"{meaning}. It associates to the {side.replace('?', members[0].sign)}.")
        else:
            lines.append(f"{meaning}. They associate to the {side}, with any of these operators at each `?`.")
    return lines


def _code(language: _Language) -> str:
    ops = [operator.op for operator in language.operators]
    ops += [single.op for single in (language.front, language.behind) if single.sign]
    return module([helper for op in ops for helper in op.helpers], "exception Bad", _evaluator(language))


def _evaluator(language: _Language) -> str:
    table = "\n".join(
        f"    | {letter(operator.sign)} -> Some ({operator.rank}, {operator.rank + operator.left}, fun x y -> {operator.op.code()})"
        for operator in language.operators
    )
    front, behind = language.front, language.behind
    first = more = ""
    if front.sign:
        first = f"\n    | {letter(front.sign)} ->\n      incr at;\n      let x = primary () in\n      {front.op.code()}"
    if behind.sign:
        more = f"  let rec more x = if peek () = {letter(behind.sign)} then (incr at; more ({behind.op.code()})) else x in\n"
    return f"""\
let {language.name} s =
  let at = ref 0 in
  let here () = if !at < String.length s then s.[!at] else '\\000' in
  let rec peek () = if here () = ' ' then (incr at; peek ()) else here () in
  let operator = function
{table}
    | _ -> None
  in
  let rec digits () =
    match here () with
    | '0' .. '9' as c ->
      incr at;
      String.make 1 c ^ digits ()
    | _ -> ""
  in
{more}  let rec primary () =
    match peek () with
    | '(' ->
      incr at;
      let x = expression 1 in
      if peek () <> ')' then raise Bad;
      incr at;
      {"more x" if more else "x"}{first}
    | _ ->
      let n = digits () in
      if n = "" then raise Bad else {"more (int_of_string n)" if more else "int_of_string n"}
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
  try
    let x = expression 1 in
    if peek () = '\\000' then Some x else None
  with Bad -> None"""


FAMILY = Family(
    name="parsing.formulas",
    topics=("parsing-interpreters", "strings"),
    description="formulas as strings, with operators of several ranks, in front and behind",
    tasks=TASKS,
    make=_formula,
)
