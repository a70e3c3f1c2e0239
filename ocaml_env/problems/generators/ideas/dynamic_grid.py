"""Best paths through a grid, by moves with tolls, around walls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_map, int_test
from ocaml_env.problems.generators.values import integer, listing, option
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

_MOVES = ((0, 1), (1, 0), (1, 1), (0, 2), (2, 0), (1, 2), (2, 1), (2, 2))


_LONGER = (*_MOVES, (0, 3), (3, 0), (1, 3), (3, 1), (2, 3), (3, 2))


class _Move(NamedTuple):
    down: int
    right: int
    toll: int

    @property
    def words(self) -> str:
        parts = []
        if self.down:
            parts.append(f"{self.down} down")
        if self.right:
            parts.append(f"{self.right} to the right")
        toll = (
            f", which costs {self.toll} more"
            if self.toll > 0
            else f", which costs {-self.toll} less"
            if self.toll
            else ""
        )
        return " and ".join(parts) + toll


def _grid(chance: Chance, level: int) -> Draft:
    name = chance.pick(("cheapest", "best_path", "crossing", "passage", "route_cost"))
    basic = chance.pick(((0, 1), (1, 0)))
    others = [move for move in (_MOVES if level <= 2 else _LONGER) if move != basic]
    steps = [basic, *chance.sample(others, (2, 2, 3, 3, 4)[level - 1])]
    moves = [_Move(down, right, chance.between(-2, 5) if level >= 2 else 0) for down, right in sorted(steps)]
    lowest = chance.happens(0.6)
    wall = int_test(chance)
    price = int_map(chance)
    goal = chance.pick(("corner", "row", "column") if level >= 2 else ("corner",))
    counted = level >= 4 and chance.happens(0.5)  # the number of best paths, too

    def run(grid: Sequence[Sequence[int]]) -> tuple[int, int] | None:
        if not grid:
            return None
        height, width = len(grid), len(grid[0])
        known: dict[tuple[int, int], tuple[int, int]] = {}
        for r in range(height):
            for c in range(width):
                if wall.run(grid[r][c]):
                    continue
                ways = [(0, 1)] if r == c == 0 else []
                for move in moves:
                    before = known.get((r - move.down, c - move.right))
                    if before:
                        ways.append((before[0] + move.toll, before[1]))
                if ways:
                    cell = price.run(grid[r][c])
                    found = _best(ways, lowest=lowest)
                    known[r, c] = (found[0] + cell, found[1])
        ends = [
            value
            for (r, c), value in known.items()
            if (goal != "corner" and (r if goal == "row" else c) == (height if goal == "row" else width) - 1)
            or (r, c) == (height - 1, width - 1)
        ]
        return _best(ends, lowest=lowest) if ends else None

    def draw() -> list[list[int]]:
        width = chance.between(2, 5)
        return [chance.numbers(width, 0, 12) for _ in range(chance.between(2, 5))]

    answers = [run(draw()) for _ in range(8)]
    if not 1 <= sum(map(wall.run, range(13))) <= 5 or sum(answer is not None for answer in answers) < 4:
        raise Unfit
    word = "least" if lowest else "greatest"
    goals = {
        "corner": "the last cell of the last row",
        "row": "any cell of the last row",
        "column": "the last cell of any row",
    }[goal]
    cell = f"A cell with the number `x` costs {price.say()}."
    tolls = (
        " A path costs what its cells cost, the first and the last included, and what its moves cost more or less."
        if level >= 2
        else (" A path costs what its cells cost, the first and the last included.")
    )
    result = (
        f"`{name} grid` is `Some` of the {word} cost of such a path, or `None` if there is none"
        if not counted
        else f"`{name} grid` is `Some` of the pair of the {word} cost of such a path and of the number of different "
        "paths that have it, or `None` if there is no path"
    )
    show = option(lambda answer: f"({answer[0]}, {answer[1]})" if counted else integer(answer[0]))

    def cases() -> Iterator[Case]:
        edges: list[list[list[int]]] = [
            [],
            [[chance.between(0, 9)]],
            [chance.ints(4, 0, 9)],
            [[x] for x in chance.ints(4, 0, 9)],
        ]
        edges.append([chance.ints(7, 0, 12) for _ in range(7)])
        for grid in inputs(draw, edges):
            yield case(name, [listing(listing(integer))(grid)], show(run(grid)))

    return Draft(
        name=name,
        statement=paragraphs(
            "A grid is a list of rows of numbers, all of the same length, at least 1. A path begins in the first cell "
            f"of the first row and ends in {goals}; a path of one cell is possible where that is the same cell. From "
            "one cell to the next it may go:",
            bullets(f"{move.words};" for move in moves).removesuffix(";") + ".",
            f"{cell}{tolls} No cell of a path may hold a number `x` such that {wall.say()}.",
            f"{result}. A grid without rows has no path.",
        ),
        signature=f"val {name} : int list list -> {'(int * int)' if counted else 'int'} option",
        reference=module(
            wall.helpers,
            price.helpers,
            _grid_code(name, moves, wall.code(), price.code(), goal, lowest=lowest, counted=counted),
        ),
        cases=cases(),
    )


def _best(ways: Sequence[tuple[int, int]], *, lowest: bool) -> tuple[int, int]:
    cost = (min if lowest else max)(way[0] for way in ways)
    return cost, sum(count for value, count in ways if value == cost)


def _grid_code(
    name: str, moves: Sequence[_Move], wall: str, price: str, goal: str, *, lowest: bool, counted: bool
) -> str:
    table = "; ".join(
        f"({move.down}, {move.right}, {f'({move.toll})' if move.toll < 0 else move.toll})" for move in moves
    )
    ends = {"corner": "r = height - 1 && c = width - 1", "row": "r = height - 1", "column": "c = width - 1"}[goal]
    result = "best !ends" if counted else "Option.map fst (best !ends)"
    return f"""\
let moves = [ {table} ]

(* The best cost, and how many ways have it. *)
let best = function
  | [] -> None
  | (first, _) :: _ as ways ->
    let cost = List.fold_left (fun cost (value, _) -> {"min" if lowest else "max"} cost value) first ways in
    Some (cost, List.fold_left (fun sum (value, count) -> if value = cost then sum + count else sum) 0 ways)

let {name} grid =
  let cells = Array.of_list (List.map Array.of_list grid) in
  let height = Array.length cells in
  let width = if height = 0 then 0 else Array.length cells.(0) in
  let known = Array.make_matrix height width None in
  let ends = ref [] in
  for r = 0 to height - 1 do
    for c = 0 to width - 1 do
      let x = cells.(r).(c) in
      let from (down, right, toll) =
        if r < down || c < right then None
        else Option.map (fun (cost, count) -> (cost + toll, count)) known.(r - down).(c - right)
      in
      let start = if r = 0 && c = 0 then [ (0, 1) ] else [] in
      if not ({wall}) then
        known.(r).(c) <-
          Option.map (fun (cost, count) -> (cost + ({price}), count)) (best (start @ List.filter_map from moves));
      match known.(r).(c) with Some way when {ends} -> ends := way :: !ends | _ -> ()
    done
  done;
  {result}"""


FAMILY = Family(
    name="dynamic.grid",
    topics=("dynamic-programming", "mutable-arrays"),
    description="best paths through a grid, by moves with tolls, around walls",
    make=_grid,
)
