"""Best paths, or the number of all paths, through a grid with moves, tolls and walls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op
from ocaml_env.problems.generators.naturals import natural_map, natural_test
from ocaml_env.problems.generators.small.dynamic_grid import TASKS
from ocaml_env.problems.generators.values import atom, integer, listing, option
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

Grid = Sequence[Sequence[int]]
Aim = Literal["paths", "cost", "both"]  # the number of paths, the best cost, or the best cost with its number of paths

_NUMBERS = range(13)
_WALLS = range(2, 6)  # numbers in cells that are closed to paths
_MOST_CELLS = 10
_LARGE = 12  # the side of a grid with too many paths to try them all
_TRIED = 32
_DRAWS = 30
_STEPS = ((0, 1), (1, 0), (1, 1), (0, 2), (2, 0), (1, 2), (2, 1), (2, 2))
_LONG_STEPS = ((0, 3), (3, 0), (1, 3), (3, 1))


class _Move(NamedTuple):
    down: int
    right: int
    toll: int

    @property
    def words(self) -> str:
        parts = [f"{self.down} down"] if self.down else []
        parts += [f"{self.right} to the right"] if self.right else []
        toll = f", which costs {abs(self.toll)} {'more' if self.toll > 0 else 'less'}" if self.toll else ""
        return " and ".join(parts) + toll


@dataclass(frozen=True, slots=True)
class _Rules:
    """``goal`` is the corner, or all cells of the last row or column; ``best`` is ``min`` or ``max``."""

    aim: Aim
    moves: tuple[_Move, ...]
    wall: Op
    price: Op
    goal: str
    best: Literal["min", "max"]

    @property
    def tolls(self) -> bool:
        return any(move.toll for move in self.moves)

    def run(self, grid: Grid) -> tuple[int, int] | None:
        """The best cost, and the number of paths with it. If costs do not count, all paths are best."""
        height, width = len(grid), len(grid[0]) if grid else 0
        known: dict[tuple[int, int], tuple[int, int]] = {}
        for r in range(height):
            for c in range(width):
                ways = [(0, 1)] if r == c == 0 else []
                for down, right, toll in self.moves:
                    if before := known.get((r - down, c - right)):
                        ways.append((before[0] + toll, before[1]))
                if ways and not self.wall.run(grid[r][c]):
                    cost, count = self._joined(ways)
                    known[r, c] = (0 if self.aim == "paths" else cost + self.price.run(grid[r][c]), count)
        ends = [way for (r, c), way in known.items() if self._is_end(r == height - 1, c == width - 1)]
        return self._joined(ends) if ends else None

    def _is_end(self, last_row: bool, last_column: bool) -> bool:
        return {"corner": last_row and last_column, "row": last_row, "column": last_column}[self.goal]

    def _joined(self, ways: Sequence[tuple[int, int]]) -> tuple[int, int]:
        cost = (min if self.best == "min" else max)(way[0] for way in ways)
        return cost, sum(count for value, count in ways if value == cost)

    def answer(self, grid: Grid) -> object:
        found = self.run(grid)
        if self.aim == "paths":
            return found[1] if found else 0
        return found[0] if found and self.aim == "cost" else found

    def faulty(self) -> Iterator[_Rules]:
        for place in range(len(self.moves)):
            yield replace(self, moves=self.moves[:place] + self.moves[place + 1 :])
        for fault in (lambda x: False, *self.wall.faults):
            yield replace(self, wall=self.wall._replace(run=fault))
        for fault in self.price.faults if self.aim != "paths" else ():
            yield replace(self, price=self.price._replace(run=fault))


def _problem(chance: Chance, level: int) -> Draft:
    name = chance.pick(("crossing", "passage", "best_path", "travel", "through"))
    rules = _rules(chance, level)
    result = {"paths": "int", "cost": "int option", "both": "(int * int) option"}[rules.aim]
    return Draft(
        name=name,
        statement=_statement(name, rules),
        signature=f"val {name} : int list list -> {result}",
        reference=_reference(name, rules),
        cases=_cases(chance, name, rules),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _rules(chance: Chance, level: int) -> _Rules:
    easy: Sequence[Aim] = ("paths", "cost")
    hard: Sequence[Aim] = ("cost", "both")
    aim = chance.pick(easy if level == 1 else hard)
    tolls = level == 5 or (level == 3 and aim == "cost")
    grids = [_grid(chance) for _ in range(_TRIED)]
    for _ in range(_DRAWS):
        rules = _Rules(
            aim,
            _moves(chance, level, tolls=tolls),
            _wall(chance),
            natural_map(chance, _NUMBERS),
            chance.pick(("corner", "row", "column")),
            chance.pick(("min", "max")),
        )
        if _is_good(rules, grids):
            return rules
    raise Unfit


def _moves(chance: Chance, level: int, *, tolls: bool) -> tuple[_Move, ...]:
    basic = chance.pick(_STEPS[:2])
    others = chance.sample([step for step in _STEPS if step != basic], 2 if level == 1 else 3)
    longer = [chance.pick(_LONG_STEPS)] if level == 5 else []
    steps = sorted([basic, *others, *longer])
    return tuple(_Move(down, right, chance.between(-2, 3) if tolls else 0) for down, right in steps)


def _wall(chance: Chance) -> Op:
    while True:
        test = natural_test(chance, _NUMBERS)
        if sum(map(test.run, _NUMBERS)) in _WALLS:
            return test


def _is_good(rules: _Rules, grids: Sequence[Grid]) -> bool:
    """True if most grids have paths, and every part of the rules makes a difference for some."""
    answers = [*map(rules.answer, grids)]
    if max(map(answers.count, answers)) > _TRIED // 2:
        return False
    if rules.aim == "both" and sum(found is not None and found[1] > 1 for found in map(rules.run, grids)) < _TRIED // 8:
        return False
    return all(
        any(faulty.answer(grid) != right for grid, right in zip(grids, answers, strict=True))
        for faulty in rules.faulty()
    )


def _grid(chance: Chance) -> list[list[int]]:
    """A grid. Some hold few different numbers, and so have several best paths."""
    height = chance.between(1, 4)
    width = chance.between(1, min(4, _MOST_CELLS // height))
    some = chance.sample(_NUMBERS, chance.pick((2, 3, len(_NUMBERS))))
    return [[chance.pick(some) for _ in range(width)] for _ in range(height)]


def _asked(chance: Chance) -> list[list[int]]:
    """Also single rows and columns, larger grids, and grids with the same number in all cells."""
    kind = chance.below(20)
    if kind < 2:
        row = chance.ints(chance.between(1, 7), 0, 12)
        return [row] if kind == 0 else [[x] for x in row]
    grid = _grid(chance)
    if kind == 2:
        return [[grid[0][0]] * len(row) for row in grid]
    if kind < 5:
        width, some = chance.between(3, 5), chance.sample(_NUMBERS, chance.pick((2, 4, len(_NUMBERS))))
        return [[chance.pick(some) for _ in range(width)] for _ in range(chance.between(4, 6))]
    return grid


def _cases(chance: Chance, name: str, rules: _Rules) -> Iterator[Case]:
    show: Callable[[object], str] = {
        "paths": integer,
        "cost": option(integer),
        "both": option(lambda found: f"({found[0]}, {found[1]})"),
    }[rules.aim]
    free = [x for x in _NUMBERS if not rules.wall.run(x)]
    large = [[chance.pick(free) for _ in range(_LARGE)] for _ in range(_LARGE)]
    edges: list[Grid] = [
        large,
        [],
        [[0]],
        [[chance.below(9)]],
        [chance.ints(4, 0, 12)],
        [[x] for x in chance.ints(4, 0, 12)],
    ]
    for grid in inputs(lambda: _asked(chance), edges):
        yield case(name, [listing(listing(integer))(grid)], show(rules.answer(grid)))


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, rules: _Rules) -> str:
    word = {"min": "least", "max": "greatest"}[rules.best]
    goals = {
        "corner": "the last cell of the last row",
        "row": "any cell of the last row",
        "column": "the last cell of any row",
    }
    costs = (
        f"A cell with the number `x` costs {rules.price.say()}. A path costs what its cells cost, the first and the "
    )
    costs += "last included" + (", and what its moves cost more or less. " if rules.tolls else ". ")
    result = {
        "paths": "the number of different such paths. It is 0 for a grid without rows.",
        "cost": f"`Some` of the {word} cost of such a path, or `None` if there is none. A grid without rows has no path.",
        "both": f"`Some` of the pair of the {word} cost of such a path and of the number of different paths that have "
        "it, or `None` if there is no path. A grid without rows has no path.",
    }[rules.aim]
    return paragraphs(
        "A grid is a list of rows of numbers that are not negative. All rows have the same length, at least 1. A path "
        f"begins in the first cell of the first row and ends in {goals[rules.goal]}. A path of one cell is possible "
        "where that is the same cell. From one cell to the next it may go:",
        bullets(f"{move.words};" for move in rules.moves).removesuffix(";") + ".",
        ("" if rules.aim == "paths" else costs)
        + f"No cell of a path may hold a number `x` such that {rules.wall.say()}.",
        f"`{name} grid` is {result}",
    )


_FRAME = """\
let {name} grid =
  match grid with
  | [] -> {nothing}
  | first :: _ ->
    let cells = Array.of_list (List.map Array.of_list grid) in
    let height = Array.length cells and width = List.length first in
    let known = Array.make_matrix height width {nothing} in
    let ends = ref [] in
    for r = 0 to height - 1 do
      for c = 0 to width - 1 do
        let x = cells.(r).(c) in
        let from {move} =
          if r < down || c < right then {nothing} else {before}
        in
        let start = if r = 0 && c = 0 then {start} else {nothing} in
        if not ({wall}) then
          known.(r).(c) <- {joined};
        if {is_end} then ends := known.(r).(c) :: !ends
      done
    done;
    {result}"""
_BEST = """\
let best ways =
  match List.filter_map Fun.id ways with
  | [] -> None
  | first :: rest -> Some (List.fold_left {best} first rest)"""
_BEST_COUNTED = """\
let best ways =
  let ways = List.filter_map Fun.id ways in
  match ways with
  | [] -> None
  | (first, _) :: _ ->
    let cost = List.fold_left (fun cost (other, _) -> {best} cost other) first ways in
    Some (cost, List.fold_left (fun sum (other, count) -> if other = cost then sum + count else sum) 0 ways)"""


def _reference(name: str, rules: _Rules) -> str:
    aim, price = rules.aim, rules.price.code()
    price = price if price.startswith("(") and price.endswith(")") and price.count("(") == 1 else f"({price})"
    before = "known.(r - down).(c - right)"
    cost, way = ("(cost, count)", "(cost + {}, count)") if aim == "both" else ("cost", "cost + {}")
    table = "; ".join(
        f"({down}, {right}, {atom(integer(toll))})" if rules.tolls else f"({down}, {right})"
        for down, right, toll in rules.moves
    )
    ends = {"corner": "r = height - 1 && c = width - 1", "row": "r = height - 1", "column": "c = width - 1"}
    code = _FRAME.format(
        name=name,
        move="(down, right, toll)" if rules.tolls else "(down, right)",
        before=f"Option.map (fun {cost} -> {way.format('toll')}) {before}" if rules.tolls else before,
        wall=rules.wall.code(),
        is_end=ends[rules.goal],
        **(
            {"nothing": "0", "start": "1", "joined": "List.fold_left ( + ) start (List.map from moves)"}
            | {"result": "List.fold_left ( + ) 0 !ends"}
            if aim == "paths"
            else {
                "nothing": "None",
                "start": f"Some {'(0, 1)' if aim == 'both' else '0'}",
                "joined": f"Option.map (fun {cost} -> {way.format(price)}) (best (start :: List.map from moves))",
                "result": "best !ends",
            }
        ),
    )
    best = (_BEST_COUNTED if aim == "both" else _BEST).format(best=rules.best)
    helpers = rules.wall.helpers if aim == "paths" else (*rules.wall.helpers, *rules.price.helpers, best)
    return module(helpers, f"let moves = [ {table} ]\n\n{code}")


FAMILY = Family(
    name="dynamic.grid",
    topics=("dynamic-programming", "mutable-arrays"),
    description="best paths through a grid, or all of them, by moves with tolls, around walls",
    tasks=TASKS,
    make=_problem,
)
