"""Formulas as strings, with operators of several ranks, in front and behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map
from ocaml_env.problems.generators.values import integer, letter, option, text
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs

__all__ = ["FAMILY"]

_LARGEST = 1 << 40


class _Bad(Exception):
    """The text is not of the format."""


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
            "several times."
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
            "digits), parentheses `(` and `)` around any formula, and the binary operators below; those that bind "
            "tightest come first. Spaces may stand anywhere but inside of a number.",
            numbered(lines),
            bullets(more),
            "The result is `Some` of the value, or `None` if the string is not such a formula, be it empty, "
            "incomplete, or followed by anything else. The numbers in the tests are small.",
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


FAMILY = Family(
    name="parsing.formulas",
    topics=("parsing-interpreters", "strings"),
    description="formulas as strings, with operators of several ranks, in front and behind",
    make=_formula,
)
