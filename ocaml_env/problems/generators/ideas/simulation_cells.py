"""A row of cells that changes by rules about neighbours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import Show, integer, letter, listing, pair, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs, series

__all__ = ["FAMILY"]


class _CellRule(NamedTuple):
    words: str
    ocaml: str  # a condition on l, c, r and i
    run: Callable[[str, str, str, int], bool]


def _cells(chance: Chance, level: int) -> Draft:
    name = chance.pick(("evolve", "generations", "advance", "grow_row", "develop"))
    states = ".#" if level == 1 else ".o#" if level <= 3 else ".o#@"
    rules = [(_cell_rule(chance, states), chance.pick(states)) for _ in range((3, 3, 4, 5, 6)[level - 1])]
    other = chance.pick((*states, "keep"))
    edge = chance.pick(("ring", "mirror", *states))
    outcome = chance.pick(("row", "history") if level <= 2 else ("row", "history", "counts"))

    def step(row: str) -> str:
        made = []
        for i, c in enumerate(row):
            left = row[i - 1] if i or edge == "ring" else c if edge == "mirror" else edge
            right = row[(i + 1) % len(row)] if i + 1 < len(row) or edge == "ring" else c if edge == "mirror" else edge
            image = next(
                (image for rule, image in rules if rule.run(left, c, right, i)), c if other == "keep" else other
            )
            made.append(image)
        return "".join(made)

    def run(n: int, row: str) -> Any:
        rows = [row]
        for _ in range(n):
            rows.append(step(rows[-1]))
        if outcome == "row":
            return rows[-1]
        if outcome == "history":
            return rows
        return [(state, rows[-1].count(state)) for state in states]

    def draw() -> tuple[int, str]:
        return chance.between(1, 4), "".join(chance.pick(states) for _ in range(chance.between(3, 12)))

    fired: set[int] = set()
    changed = 0
    for _ in range(12):
        row = draw()[1]
        after = step(row)
        changed += after != row and len({*after}) > 1
        for i in range(1, len(row) - 1):
            fired.add(
                next(
                    (k for k, (rule, _) in enumerate(rules) if rule.run(row[i - 1], row[i], row[i + 1], i)), len(rules)
                )
            )
    if len(fired) <= len(rules) or changed < 9:
        raise Unfit
    lines = [f"if {rule.words}, the new one is `{image}`;" for rule, image in rules]
    lines.append("otherwise the cell stays as it is." if other == "keep" else f"otherwise the new one is `{other}`.")
    edges = {
        "ring": "The row is a ring: the last cell is to the left of the first one, and the first to the right of the "
        "last.",
        "mirror": "The first cell counts as its own left neighbour, and the last one as its own right neighbour.",
    }.get(edge, f"To the left of the first cell and to the right of the last one there counts as `{edge}`.")
    results = {
        "row": f"`{name} n row` is the row after `n` steps.",
        "history": f"`{name} n row` is the list of all rows from the first one, `row`, to the one after `n` steps, in "
        "order.",
        "counts": f"`{name} n row` is the list of the pairs of a state and of the number of cells with it after `n` "
        f"steps, in this order: {series([f'`{state}`' for state in states])}.",
    }[outcome]
    conditions = "\n".join(
        f"    {'if' if i == 0 else 'else if'} {rule.ocaml} then {letter(image)}"
        for i, (rule, image) in enumerate(rules)
    )
    outside = {
        "ring": ("row.[size - 1]", "row.[0]"),
        "mirror": ("c", "c"),
    }.get(edge, (letter(edge), letter(edge)))
    last = "c" if other == "keep" else letter(other)
    spoken = " ".join(rule.ocaml for rule, _ in rules)
    sides = "\n".join(
        line
        for name_of, line in (
            ("l", f"    let l = if i > 0 then row.[i - 1] else {outside[0]} in"),
            ("r", f"    let r = if i < size - 1 then row.[i + 1] else {outside[1]} in"),
        )
        if re.search(rf"\b{name_of}\b", spoken)
    )
    step_code = f"""\
let step row =
  let size = String.length row in
  let cell i c =
{sides}
{conditions}
    else {last}
  in
  String.mapi cell row"""
    pairs = "; ".join(f"({letter(state)}, count {letter(state)})" for state in states)
    body = {
        "row": f"let rec {name} n row = if n = 0 then row else {name} (n - 1) (step row)",
        "history": f"let rec {name} n row = row :: (if n = 0 then [] else {name} (n - 1) (step row))",
        "counts": f"""\
let {name} n row =
  let rec last n row = if n = 0 then row else last (n - 1) (step row) in
  let row = last n row in
  let count state = String.fold_left (fun sum c -> if c = state then sum + 1 else sum) 0 row in
  [ {pairs} ]""",
    }[outcome]
    shows: dict[str, tuple[Show, str]] = {
        "row": (text, "string"),
        "history": (listing(text), "string list"),
        "counts": (listing(pair(letter, integer)), "(char * int) list"),
    }
    show, kind = shows[outcome]

    def cases() -> Iterator[Case]:
        given = [(0, states), (2, ""), (3, states[1]), (1, states * 2), (5, states[0] * 4 + states[1] + states[0] * 4)]
        for n, row in inputs(draw, given):
            yield case(name, [integer(n), text(row)], show(run(n, row)))

    return Draft(
        name=name,
        statement=paragraphs(
            "A row of cells is a string; every cell is in one of the states "
            f"{series([f'`{state}`' for state in states])}. In a step all cells get a new state at the same time, "
            "which follows from their states before the step. The first of these rules that fits a cell counts:",
            numbered(lines),
            f"Positions are counted from 0. {edges}",
            f"{results} `n` is at least 0, and the row may be empty.",
        ),
        signature=f"val {name} : int -> string -> {kind}",
        reference=module(step_code, body),
        cases=cases(),
    )


def _cell_rule(chance: Chance, states: str) -> _CellRule:
    a, b = chance.pick(states), chance.pick(states)
    k = chance.between(2, 3)
    r = chance.below(k)
    c = chance.pick(states)
    shown = {state: letter(state) for state in states}
    own = f"the cell is `{c}` and "
    own_code = f"c = {shown[c]} && "
    rule = chance.pick(
        (
            _CellRule(
                f"its left neighbour is `{a}` and its right one `{b}`",
                f"l = {shown[a]} && r = {shown[b]}",
                lambda left, c, right, i: left == a and right == b,
            ),
            _CellRule(
                f"at least one of its two neighbours is `{a}`",
                f"(l = {shown[a]} || r = {shown[a]})",
                lambda left, c, right, i: a in (left, right),
            ),
            _CellRule("its two neighbours are in the same state", "l = r", lambda left, c, right, i: left == right),
            _CellRule("its two neighbours are in different states", "l <> r", lambda left, c, right, i: left != right),
            _CellRule(f"its left neighbour is `{a}`", f"l = {shown[a]}", lambda left, c, right, i: left == a),
            _CellRule(
                f"its right neighbour is `{a}` and its position {'is' if r == 0 else f'is {r} more than'} a multiple "
                f"of {k}",
                f"r = {shown[a]} && i mod {k} = {r}",
                lambda left, c, right, i: right == a and i % k == r,
            ),
        )
    )
    if chance.happens(0.55):
        return _CellRule(
            own + rule.words,
            own_code + (f"({rule.ocaml})"),
            lambda left, x, right, i: x == c and rule.run(left, x, right, i),
        )
    return rule


FAMILY = Family(
    name="simulation.cells",
    topics=("simulation", "strings"),
    description="a row of cells that changes by rules about neighbours",
    make=_cells,
)
