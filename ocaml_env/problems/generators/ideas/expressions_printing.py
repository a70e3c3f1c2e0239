"""Expressions written with as few brackets as possible, by ranks and associativity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import Show, integer, listing, text, variant
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs

__all__ = ["FAMILY"]

Tree = tuple[Any, ...]


class _Operator(NamedTuple):
    """A binary operator: a higher rank binds tighter; ``side`` is its associativity."""

    name: str
    sign: str
    rank: int
    side: str  # "left", "right" or "none"
    spaced: bool

    @property
    def spacious_sign(self) -> str:
        """The sign with the spaces around it."""
        return f" {self.sign} " if self.spaced else self.sign


_SIGNS = ("+", "-", "*", "/", "%", "^", "&", "|", "@", "<>")


_OPERATOR_NAMES = ("Plus", "Minus", "Times", "Join", "Meet", "Over")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Notation:
    """The drawn notation: the function's name, the operators, and further signs.

    Attributes:
        prefix: the sign of ``Not``; empty if there is none.
        brackets: the opening and the closing one.
        calls: True if there are calls of functions.
    """

    name: str
    operators: tuple[_Operator, ...]
    prefix: str
    brackets: str
    calls: bool

    def write(self, tree: Tree) -> str:
        return self._ranked(tree)[0]

    def _ranked(self, tree: Tree) -> tuple[str, int]:
        """The text and its rank; atoms have rank 9, a prefix rank 8."""
        kind, *parts = tree
        if kind == "Num":
            return (str(parts[0]) if parts[0] >= 0 else f"{self.brackets[0]}{parts[0]}{self.brackets[1]}"), 9
        if kind == "Var":
            return parts[0], 9
        if kind == "Call":
            return f"{parts[0]}({', '.join(map(self.write, parts[1]))})", 9
        if kind == "Not":
            return self.prefix + self._within(8, parts[0]), 8
        operator = next(operator for operator in self.operators if operator.name == kind)
        left = self._within(operator.rank + (operator.side != "left"), parts[0])
        right = self._within(operator.rank + (operator.side != "right"), parts[1])
        return f"{left}{operator.spacious_sign}{right}", operator.rank

    def _within(self, least: int, tree: Tree) -> str:
        shown, rank = self._ranked(tree)
        return shown if rank >= least else f"{self.brackets[0]}{shown}{self.brackets[1]}"


def _printing(chance: Chance, level: int) -> Draft:
    count = {1: 2, 3: 3, 5: 5}[level]
    ranks = chance.shuffled([1, 2, *(chance.between(1, 2 if count < 4 else 3) for _ in range(count - 2))])
    sides = [chance.pick(("left", "right", "none")) for _ in range(4)]
    spaces = [chance.happens(0.5) for _ in range(4)]
    operators = tuple(
        _Operator(name, sign, rank, sides[rank], spaces[rank])
        for name, sign, rank in zip(
            chance.sample(_OPERATOR_NAMES, count), chance.sample(_SIGNS, count), ranks, strict=True
        )
    )
    notation = _Notation(
        name=chance.pick(("show", "print", "render", "display", "write")),
        operators=operators,
        prefix=chance.pick(("!", "~", "-")) if level >= 3 else "",
        brackets=chance.pick(("()", "[]", "{}")) if level >= 5 else "()",
        calls=level >= 5,
    )
    declared = "type expr =\n  | Num of int\n  | Var of string\n" + "\n".join(
        f"  | {operator.name} of expr * expr" for operator in operators
    )
    declared += "\n  | Not of expr" if notation.prefix else ""
    declared += "\n  | Call of string * expr list" if notation.calls else ""
    return Draft(
        name=notation.name,
        statement=_statement(notation),
        signature=f"{declared}\n\nval {notation.name} : expr -> string",
        reference=module(declared, _code(notation)),
        cases=_cases(chance, notation),
    )


def _cases(chance: Chance, notation: _Notation) -> Iterator[Case]:
    names = [operator.name for operator in notation.operators]
    shows: dict[str, list[Show]] = {"Num": [integer], "Var": [text], "Not": []}
    show = variant(shows)
    shows |= {"Not": [show], "Call": [text, listing(show)], **{name: [show, show] for name in names}}
    one, two, three = ("Num", 1), ("Var", "x"), ("Num", 3)
    nested = [
        [(outer, (inner, one, two), three), (outer, one, (inner, two, three))] for outer in names for inner in names
    ]
    edges = [("Num", -3), two, *chance.shuffled([tree for trees in nested for tree in trees])[:12]]
    edges += [(operator, ("Num", -1), ("Num", -20)) for operator in names[:1]]
    if notation.prefix:
        operator = chance.pick(names)
        edges += [("Not", ("Num", -3)), ("Not", ("Not", two)), ("Not", (operator, two, one))]
        edges += [(operator, ("Not", two), ("Not", three))]
    if notation.calls:
        operator = chance.pick(names)
        edges += [("Call", "f", []), ("Call", "g", [("Num", -4), (operator, two, one)])]
        edges += [("Not", ("Call", "h", [two])), (operator, ("Call", "f", [("Call", "g", [one])]), three)]
    for tree in inputs(lambda: _drawn(chance, notation, chance.pick((1, 2, 2, 2, 3, 3))), edges):
        if len(shown := show(tree)) < 160:
            yield case(notation.name, [shown], text(notation.write(tree)))


def _drawn(chance: Chance, notation: _Notation, depth: int) -> Tree:
    if depth == 0 or chance.happens(0.1):
        if chance.happens(0.5):
            return ("Var", chance.pick(("x", "y", "z", "total")))
        return ("Num", chance.pick((-1, -5)) if chance.happens(0.2) else chance.between(0, 12))
    if notation.prefix and chance.happens(0.15):
        return ("Not", _drawn(chance, notation, depth - 1))
    if notation.calls and chance.happens(0.15):
        parts = [_drawn(chance, notation, depth - 1) for _ in range(chance.pick((0, 1, 1, 2, 2, 3)))]
        return ("Call", chance.pick("fgh"), parts)
    operator = chance.pick(notation.operators)
    return (operator.name, *(_drawn(chance, notation, depth - 1) for _ in range(2)))


def _statement(notation: _Notation) -> str:
    groups = []
    for rank in sorted({operator.rank for operator in notation.operators}, reverse=True):
        members = [operator for operator in notation.operators if operator.rank == rank]
        signs = ", ".join(f"`{operator.sign}` (`{operator.name}`)" for operator in members)
        side = {"left": "to the left", "right": "to the right", "none": "to neither side"}[members[0].side]
        gap = "with one space on each side of the sign" if members[0].spaced else "without spaces around the sign"
        groups.append(f"{signs}: {'it associates' if len(members) == 1 else 'they associate'} {side}, written {gap}")
    rules = [
        "`Num n` is the number in decimal digits; a negative one begins with `-` and always stands in brackets.",
        "`Var x` is `x`.",
    ]
    if notation.prefix:
        rules.append(
            f"`Not a` is `{notation.prefix}` directly followed by `a`; it binds tighter than all binary operators: "
            "an `a` that is a binary operator stands in brackets."
        )
    if notation.calls:
        rules.append(
            "`Call (f, l)` is `f`, directly followed by `(`, the expressions of `l` with `, ` between each two, and "
            "`)`; these parentheses are always there, and the expressions in them need no brackets of their own."
        )
    opening, closing = notation.brackets[0], notation.brackets[1]
    return paragraphs(
        f"`{notation.name} e` writes an expression as a string, with no more brackets than are needed. The binary "
        "operators are, from those that bind tightest to those that bind least:",
        numbered(f"{group}{'.' if place == len(groups) else ';'}" for place, group in enumerate(groups, start=1)),
        f"An operand of an operator stands in brackets, `{opening}` and `{closing}`, if it is "
        "itself an operator that binds less, or one of the same place in this list on a side to which that place does "
        "not associate: with operators that associate to the left only the left operand needs none, with those that "
        "associate to the right only the right one, and with those that associate to neither side both need them.",
        bullets(rules),
    )


def _code(notation: _Notation) -> str:
    name, operators, prefix = notation.name, notation.operators, notation.prefix
    opening, closing = notation.brackets[0], notation.brackets[1]
    above = max(operator.rank for operator in operators) + 1  # rank of a prefix; only atoms bind tighter
    atom = above + 1 if prefix else above
    arms = [
        f'    | Num n -> ((if n < 0 then "{opening}" ^ string_of_int n ^ "{closing}" else string_of_int n), {atom})',
        f"    | Var x -> (x, {atom})",
    ]
    for operator in operators:
        left, right = operator.rank + (operator.side != "left"), operator.rank + (operator.side != "right")
        arms.append(
            f'    | {operator.name} (a, b) -> (within {left} a ^ "{operator.spacious_sign}" ^ within {right} b, {operator.rank})'
        )
    arms += [f'    | Not a -> ("{prefix}" ^ within {above} a, {above})'] if prefix else []
    if notation.calls:
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
    split="eval",
)
