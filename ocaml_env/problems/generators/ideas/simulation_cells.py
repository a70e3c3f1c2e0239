"""A row of cells that changes by rules about neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import Show, integer, letter, listing, pair, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs, series

__all__ = ["FAMILY"]

_NAMES = ("evolve", "generations", "advance", "grow_row", "develop")
_PERIOD = 6  # rules use positions modulo 2 or 3
_RULES = {1: 3, 3: 4, 5: 6}
_SHARE = 40  # one in so many situations at least must show each part of a rule

_Situation = tuple[str, str, str, int]
"""The states of the left neighbour, the cell and the right neighbour, and the position."""


class _Condition(NamedTuple):
    """The condition of a rule on a situation.

    Attributes:
        fits: a bit for each situation.
        faults: the same for the condition without a part.
    """

    words: str
    ocaml: str
    fits: int
    faults: tuple[int, ...] = ()


class _Rule(NamedTuple):
    condition: _Condition
    image: str


class _Situations:
    """All situations of cells with these states; a set of them is a number with a bit for each."""

    def __init__(self, states: str) -> None:
        self.states = states
        self.all: list[_Situation] = list(product(states, states, states, range(_PERIOD)))
        self.left = {s: self._where(lambda situation, s=s: situation[0] == s) for s in states}
        self.own = {s: self._where(lambda situation, s=s: situation[1] == s) for s in states}
        self.right = {s: self._where(lambda situation, s=s: situation[2] == s) for s in states}
        self.alike = self._where(lambda situation: situation[0] == situation[2])

    def at(self, k: int, rest: int) -> int:
        """The situations with this remainder of the position."""
        return self._where(lambda situation: situation[3] % k == rest)

    def without(self, fits: int) -> int:
        return fits ^ ((1 << len(self.all)) - 1)

    def _where(self, holds: Any) -> int:
        return sum(1 << place for place, situation in enumerate(self.all) if holds(situation))

    def images(self, rules: Sequence[tuple[int, str]], other: str) -> dict[str, int]:
        """For each state, the situations in which it is the new one."""
        made = dict.fromkeys(self.states, 0)
        left = self.without(0)
        for fits, image in rules:
            made[image] |= fits & left
            left &= self.without(fits)
        for state in self.states:
            made[state] |= left & self.own[state] if other == "keep" else left * (state == other)
        return made


@dataclass(frozen=True)
class _World:
    """The drawn world.

    Attributes:
        other: the new state if no rule fits; ``keep`` for the old one.
        edge: the cells beyond the ends: ``ring``, ``mirror`` or a state.
        outcome: ``row``, ``history`` or ``counts``.
    """

    name: str
    states: str
    rules: tuple[_Rule, ...]
    other: str
    edge: str
    outcome: str
    images: dict[_Situation, str]

    def step(self, row: str) -> str:
        return "".join(self.images[self._situation(row, place)] for place in range(len(row)))

    def _situation(self, row: str, place: int) -> _Situation:
        own, last = row[place], len(row) - 1
        beyond = {"ring": (row[-1], row[0]), "mirror": (own, own)}.get(self.edge, (self.edge, self.edge))
        left = row[place - 1] if place else beyond[0]
        right = row[place + 1] if place < last else beyond[1]
        return left, own, right, place % _PERIOD

    def run(self, n: int, row: str) -> Any:
        rows = [row]
        for _ in range(n):
            rows.append(self.step(rows[-1]))
        if self.outcome == "history":
            return rows
        return rows[-1] if self.outcome == "row" else [(state, rows[-1].count(state)) for state in self.states]

    @property
    def result(self) -> tuple[Show, str]:
        """A function to show the result, and its type."""
        results: dict[str, tuple[Show, str]] = {
            "row": (text, "string"),
            "history": (listing(text), "string list"),
            "counts": (listing(pair(letter, integer)), "(char * int) list"),
        }
        return results[self.outcome]


def _cells(chance: Chance, level: int) -> Draft:
    world = _draw(chance, level)
    return Draft(
        name=world.name,
        statement=_statement(world),
        signature=f"val {world.name} : int -> string -> {world.result[1]}",
        reference=module(_step_code(world), _run_code(world)),
        cases=_cases(chance, world),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _draw(chance: Chance, level: int) -> _World:
    situations = _Situations(".#" if level == 1 else ".o#" if level == 3 else ".o#@")
    states = situations.states
    for _ in range(200):
        rules = _some_rules(chance, situations, _RULES[level])
        other = chance.pick((*states, "keep"))
        if _all_matter(situations, rules, other):
            break
    else:
        raise Unfit
    images = situations.images([(rule.condition.fits, rule.image) for rule in rules], other)
    world = _World(
        name=chance.pick(_NAMES),
        states=states,
        rules=rules,
        other=other,
        edge=chance.pick(("ring", "mirror", *states)),
        outcome=chance.pick(("row", "history") if level == 1 else ("row", "history", "counts")),
        images={
            situation: state
            for place, situation in enumerate(situations.all)
            for state in states
            if images[state] >> place & 1
        },
    )
    rows = [_row(chance, states) for _ in range(12)]
    if sum(world.step(row) != row and len({*world.step(row)}) > 1 for row in rows) < 9:
        raise Unfit
    return world


def _some_rules(chance: Chance, situations: _Situations, count: int) -> tuple[_Rule, ...]:
    """Rules. Each fits often enough while none before it does."""
    rules: list[_Rule] = []
    left = situations.without(0)
    least = len(situations.all) // 16
    for _ in range(40):
        if len(rules) == count:
            break
        condition = _condition(chance, situations)
        if (condition.fits & left).bit_count() >= least:
            rules.append(_Rule(condition, chance.pick(situations.states)))
            left &= situations.without(condition.fits)
    return tuple(rules)


def _all_matter(situations: _Situations, rules: Sequence[_Rule], other: str) -> bool:
    """True if each part of each rule changes the new state in some situations, and both neighbours matter."""
    given = [(rule.condition.fits, rule.image) for rule in rules]
    right = situations.images(given, other)
    least = max(1, len(situations.all) // _SHARE)
    for place, rule in enumerate(rules):
        for fault in (0, situations.without(0), *rule.condition.faults):
            wrong = situations.images([*given[:place], (fault, rule.image), *given[place + 1 :]], other)
            different = sum((right[state] ^ wrong[state]).bit_count() for state in situations.states) // 2
            if different < least:
                return False
    return len(given) > 1 and all(_depends(situations, right, side) for side in (0, 2))


def _depends(situations: _Situations, images: dict[str, int], side: int) -> bool:
    """True if the new state of a cell often depends on this neighbour."""
    found: dict[tuple[Any, ...], set[str]] = {}
    for state, fits in images.items():
        for place, situation in enumerate(situations.all):
            if fits >> place & 1:
                found.setdefault((situation[:side], situation[side + 1 :]), set()).add(state)
    return sum(len(states) > 1 for states in found.values()) * 4 >= len(found)


def _condition(chance: Chance, situations: _Situations) -> _Condition:
    inner = _about_neighbours(chance, situations)
    if not chance.happens(0.55):
        return inner
    state = chance.pick(situations.states)
    own = situations.own[state]
    return _Condition(
        f"the cell is `{state}` and {inner.words}",
        f"c = {letter(state)} && ({inner.ocaml})" if "||" in inner.ocaml else f"c = {letter(state)} && {inner.ocaml}",
        own & inner.fits,
        (own, inner.fits, *(own & fault for fault in inner.faults)),
    )


def _about_neighbours(chance: Chance, situations: _Situations) -> _Condition:
    a, b = chance.pick(situations.states), chance.pick(situations.states)
    left, right = situations.left, situations.right
    kind = chance.below(6)
    if kind == 0:
        words, code = f"its left neighbour is `{a}` and its right one `{b}`", f"l = {letter(a)} && r = {letter(b)}"
        return _Condition(words, code, left[a] & right[b], (left[a], right[b]))
    if kind == 1:
        words, code = f"at least one of its two neighbours is `{a}`", f"l = {letter(a)} || r = {letter(a)}"
        return _Condition(words, code, left[a] | right[a], (left[a], right[a]))
    if kind == 2:
        return _Condition("its two neighbours are in the same state", "l = r", situations.alike)
    if kind == 3:
        return _Condition("its two neighbours are in different states", "l <> r", situations.without(situations.alike))
    if kind == 4:
        side, letters, sides = chance.pick((("left", "l", left), ("right", "r", right)))
        return _Condition(f"its {side} neighbour is `{a}`", f"{letters} = {letter(a)}", sides[a])
    k = chance.between(2, 3)
    rest = chance.below(k)
    at = situations.at(k, rest)
    where = f"is {rest} more than" if rest else "is"
    return _Condition(
        f"its right neighbour is `{a}` and its position {where} a multiple of {k}",
        f"r = {letter(a)} && i mod {k} = {rest}",
        right[a] & at,
        (right[a], at),
    )


def _row(chance: Chance, states: str) -> str:
    return "".join(chance.pick(states) for _ in range(chance.between(3, 12)))


def _any_row(chance: Chance, states: str) -> str:
    """A row that may be short, or with the same state several times in a row."""
    if chance.happens(0.7):
        return _row(chance, states)
    if chance.happens(0.5):
        return "".join(chance.pick(states) for _ in range(chance.between(1, 2)))
    return "".join(chance.pick(states) * chance.between(1, 4) for _ in range(chance.between(1, 5)))


def _cases(chance: Chance, world: _World) -> Iterator[Case]:
    states = world.states
    given = [(0, states), (2, ""), (3, states[1]), (1, states * 2), (5, states[0] * 4 + states[1] + states[0] * 4)]
    for n, row in inputs(lambda: (chance.pick((0, 1, 1, 1, 2, 2, 2, 3, 4, 5)), _any_row(chance, states)), given):
        yield case(world.name, [integer(n), text(row)], world.result[0](world.run(n, row)))


# --- words ------------------------------------------------------------------------------------------------------------


def _statement(world: _World) -> str:
    states = series([f"`{state}`" for state in world.states])
    lines = [f"if {condition.words}, the new one is `{image}`;" for condition, image in world.rules]
    keep = world.other == "keep"
    lines.append("otherwise the cell stays as it is." if keep else f"otherwise the new one is `{world.other}`.")
    edges = {
        "ring": "The row is a ring: the last cell is to the left of the first one, and the first to the right of the "
        "last.",
        "mirror": "The first cell counts as its own left neighbour, and the last one as its own right neighbour.",
    }.get(
        world.edge,
        f"The cell to the left of the first one, and the one to the right of the last, count as `{world.edge}`.",
    )
    call = f"`{world.name} n row` is"
    results = {
        "row": f"{call} the row after `n` steps.",
        "history": f"{call} the list of all rows from the first one, `row`, to the one after `n` steps, in order.",
        "counts": f"{call} the list of the pairs of a state and of the number of cells with it after `n` steps, in "
        f"this order: {states}.",
    }
    return paragraphs(
        f"A row of cells is a string; every cell is in one of the states {states}. In a step all cells get a new state "
        "at the same time, which follows from their states before the step. The first of these rules that fits a cell "
        "counts:",
        numbered(lines),
        f"Positions are counted from 0. {edges}",
        f"{results[world.outcome]} `n` is at least 0, and the row may be empty.",
    )


# --- OCaml ------------------------------------------------------------------------------------------------------------


def _step_code(world: _World) -> str:
    conditions = "\n    else ".join(f"if {condition.ocaml} then {letter(image)}" for condition, image in world.rules)
    spoken = " ".join(condition.ocaml for condition, _ in world.rules)
    beyond = {"ring": ("row.[size - 1]", "row.[0]"), "mirror": ("c", "c")}.get(world.edge, (letter(world.edge),) * 2)
    sides = "\n".join(
        line
        for side, line in (
            ("l", f"    let l = if i > 0 then row.[i - 1] else {beyond[0]} in"),
            ("r", f"    let r = if i < size - 1 then row.[i + 1] else {beyond[1]} in"),
        )
        if re.search(rf"\b{side}\b", spoken)
    )
    return f"""\
let step row =
  let size = String.length row in
  let cell i c =
{sides}
    {conditions}
    else {"c" if world.other == "keep" else letter(world.other)}
  in
  String.mapi cell row"""


def _run_code(world: _World) -> str:
    name = world.name
    if world.outcome == "row":
        return f"let rec {name} n row = if n = 0 then row else {name} (n - 1) (step row)"
    if world.outcome == "history":
        return f"let rec {name} n row = row :: (if n = 0 then [] else {name} (n - 1) (step row))"
    pairs = "; ".join(f"({letter(state)}, count {letter(state)})" for state in world.states)
    return f"""\
let {name} n row =
  let rec last n row = if n = 0 then row else last (n - 1) (step row) in
  let row = last n row in
  let count state = String.fold_left (fun sum c -> if c = state then sum + 1 else sum) 0 row in
  [ {pairs} ]"""


FAMILY = Family(
    name="simulation.cells",
    topics=("simulation", "strings"),
    description="a row of cells that changes by rules about neighbours",
    make=_cells,
    split="eval",
)
