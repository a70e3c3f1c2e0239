"""Expressions written with as few brackets as possible, by ranks and associativity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import Show, integer, listing, text, variant
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs

__all__ = ["FAMILY"]

Tree = tuple[Any, ...]


class _Operator(NamedTuple):
    """A binary operator: a higher rank binds tighter; ``side`` is where it associates."""

    name: str
    sign: str
    rank: int
    side: str  # "left", "right" or "none"
    spaced: bool


_SIGNS = ("+", "-", "*", "/", "%", "^", "&", "|", "@", "<>")


_OPERATOR_NAMES = ("Plus", "Minus", "Times", "Join", "Meet", "Over")


def _printing(chance: Chance, level: int) -> Draft:
    name = chance.pick(("show", "print", "render", "display", "write"))
    count = (2, 3, 3, 4, 5)[level - 1]
    names = chance.sample(_OPERATOR_NAMES, count)
    signs = chance.sample(_SIGNS, count)
    ranks = [chance.between(1, 2 if count < 4 else 3) for _ in range(count)]
    sides = {rank: chance.pick(("left", "right", "none")) for rank in sorted({*ranks})}
    spaces = {rank: chance.happens(0.5) for rank in sorted({*ranks})}
    if len(sides) < 2:
        raise Unfit
    operators = [
        _Operator(one, sign, rank, sides[rank], spaces[rank])
        for one, sign, rank in zip(names, signs, ranks, strict=True)
    ]
    by_name = {operator.name: operator for operator in operators}
    prefix = chance.pick(("!", "~", "-")) if level >= 3 else ""
    brackets = chance.pick(("()", "[]", "{}")) if level >= 4 else "()"
    calls = level >= 5
    opening, closing = brackets[0], brackets[1]

    def write(tree: Tree) -> tuple[str, int]:
        """The text and its rank; atoms have rank 9, a prefix rank 8."""
        kind, *parts = tree
        if kind == "Num":
            return (str(parts[0]) if parts[0] >= 0 else f"{opening}{parts[0]}{closing}"), 9
        if kind == "Var":
            return parts[0], 9
        if kind == "Call":
            return f"{parts[0]}({', '.join(write(part)[0] for part in parts[1])})", 9
        if kind == "Not":
            return prefix + enclosed(parts[0], 8), 8
        operator = by_name[kind]
        left = enclosed(parts[0], operator.rank + (operator.side != "left"))
        right = enclosed(parts[1], operator.rank + (operator.side != "right"))
        gap = " " if operator.spaced else ""
        return f"{left}{gap}{operator.sign}{gap}{right}", operator.rank

    def enclosed(tree: Tree, least: int) -> str:
        shown, rank = write(tree)
        return shown if rank >= least else f"{opening}{shown}{closing}"

    def draw(depth: int) -> Tree:
        if depth == 0 or chance.happens(0.15):
            if chance.happens(0.5):
                return ("Var", chance.pick("xyz"))
            return ("Num", chance.pick((-1, -5)) if chance.happens(0.2) else chance.between(0, 12))
        if prefix and chance.happens(0.15):
            return ("Not", draw(depth - 1))
        if calls and chance.happens(0.15):
            return ("Call", chance.pick("fgh"), [draw(depth - 1) for _ in range(chance.between(0, 2))])
        return (chance.pick(names), draw(depth - 1), draw(depth - 1))

    shows: dict[str, list[Show]] = {"Num": [integer], "Var": [text], "Not": []}
    show_tree = variant(shows)
    shows["Not"] = [show_tree]
    shows["Call"] = [text, listing(show_tree)]
    for one in names:
        shows[one] = [show_tree, show_tree]
    declared = "type expr =\n  | Num of int\n  | Var of string\n" + "\n".join(
        f"  | {one} of expr * expr" for one in names
    )
    declared += "\n  | Not of expr" if prefix else ""
    declared += "\n  | Call of string * expr list" if calls else ""
    ordered = sorted({*ranks}, reverse=True)
    groups = []
    for rank in ordered:
        members = [operator for operator in operators if operator.rank == rank]
        signs_of = ", ".join(f"`{operator.sign}` (`{operator.name}`)" for operator in members)
        first = members[0]
        side = {"left": "to the left", "right": "to the right", "none": "to neither side"}[first.side]
        gap = "with one space on each side of the sign" if first.spaced else "without spaces around the sign"
        groups.append(f"{signs_of}: {'it associates' if len(members) == 1 else 'they associate'} {side}, written {gap}")
    rules = [
        "`Num n` is the number in decimal digits; a negative one begins with `-` and always stands in brackets.",
        "`Var x` is `x`.",
    ]
    rules += (
        [f"`Not a` is `{prefix}` directly followed by `a`; it binds tighter than all binary operators."]
        if prefix
        else []
    )
    if calls:
        rules.append(
            "`Call (f, l)` is `f`, directly followed by `(`, the expressions of `l` with `, ` between each two, and "
            "`)`; these parentheses are always there, and the expressions in them need no brackets of their own."
        )
    code = _printing_code(name, operators, prefix, brackets, calls)

    def cases() -> Iterator[Case]:
        edges: list[Tree] = [("Num", -3), ("Var", "x"), (names[0], ("Num", 1), (names[0], ("Num", 2), ("Num", 3)))]
        edges += [(names[0], (names[0], ("Num", 1), ("Num", 2)), ("Num", 3))]
        for tree in inputs(lambda: draw(chance.pick((2, 2, 3))), edges):
            if len(shown := show_tree(tree)) < 200:
                yield case(name, [shown], text(write(tree)[0]))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} e` writes an expression as a string, with no more brackets than are needed. The binary "
            "operators are, from those that bind tightest to those that bind least:",
            numbered(f"{group}{'.' if i == len(groups) - 1 else ';'}" for i, group in enumerate(groups)),
            f"An operand of an operator stands in brackets, `{opening}` and `{closing}`, if it is itself an operator "
            "that binds less, or one of the same place in this list on a side to which that place does not associate: "
            "with operators that associate to the left only the left operand needs none, with those that associate to "
            "the right only the right one, and with those that associate to neither side both need them.",
            bullets(rules),
        ),
        signature=f"{declared}\n\nval {name} : expr -> string",
        reference=module(declared, code),
        cases=cases(),
        together=2,
    )


def _printing_code(name: str, operators: Sequence[_Operator], prefix: str, brackets: str, calls: bool) -> str:
    opening, closing = brackets[0], brackets[1]
    above = max(one.rank for one in operators) + 1  # a prefix; what binds tighter than all is an atom
    atom = above + 1 if prefix else above
    arms = [
        f'    | Num n -> ((if n < 0 then "{opening}" ^ string_of_int n ^ "{closing}" else string_of_int n), {atom})',
        f"    | Var x -> (x, {atom})",
    ]
    for one in operators:
        sign = f" {one.sign} " if one.spaced else one.sign
        left, right = one.rank + (one.side != "left"), one.rank + (one.side != "right")
        arms.append(f'    | {one.name} (a, b) -> (within {left} a ^ "{sign}" ^ within {right} b, {one.rank})')
    arms += [f'    | Not a -> ("{prefix}" ^ within {above} a, {above})'] if prefix else []
    if calls:
        inner = 'String.concat ", " (List.map (fun e -> fst (go e)) l)'
        arms.append(f'    | Call (f, l) -> (f ^ "(" ^ {inner} ^ ")", {atom})')
    lines = "\n".join(arms)
    return f"""\
(* Each text with the rank of its outermost operator; a higher one binds tighter. *)
let {name} e =
  let rec go = function
{lines}
  and within least e =
    let shown, rank = go e in
    if rank >= least then shown else "{opening}" ^ shown ^ "{closing}"
  in
  fst (go e)"""


FAMILY = Family(
    name="expressions.printing",
    topics=("parsing-interpreters", "trees", "strings"),
    description="expressions written with as few brackets as possible, by ranks and associativity",
    make=_printing,
)
