"""Families about dynamic programming: paths through a grid, and numbers made of steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_map, int_test
from ocaml_env.problems.generators.values import integer, listing, option
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILIES"]

# --- grids ------------------------------------------------------------------------------------------------------------

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
        " It costs what its cells cost, the first and the last included, and what its moves cost more or less."
        if level >= 2
        else (" It costs what its cells cost, the first and the last included.")
    )
    result = (
        f"`{name} grid` is `Some` of the {word} cost of such a path, or `None` if there is none"
        if not counted
        else f"`{name} grid` is `Some` of the pair of the {word} cost of such a path and of the number of different "
        "paths that "
        "have it, or `None` if there is no path"
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
            "of the "
            f"first row and ends in {goals}; a path of one cell is possible where that is the same cell. From one "
            "cell to the "
            "next it may go:",
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


# --- steps ------------------------------------------------------------------------------------------------------------


class _Rules(NamedTuple):
    """Which sequences of steps count: the sizes, how many kinds there are of each, and what may not happen."""

    sizes: tuple[int, ...]
    kinds: tuple[int, ...]
    forbidden: tuple[tuple[int, int], ...]  # one size directly behind another
    limited: int  # a size, or 0
    most: int  # how often the limited one may occur


def _ways(chance: Chance, level: int) -> Draft:
    name = chance.pick(("ways", "count_ways", "arrangements", "tilings", "climbs"))
    sizes = tuple(sorted(chance.sample(range(1, 10), (3, 3, 3, 4, 5)[level - 1])))
    kinds = tuple(chance.pick((1, 1, 2, 3)) for _ in sizes)
    pairs = [(a, b) for a in sizes for b in sizes]
    forbidden = tuple(sorted(chance.sample(pairs, (0, 1, 2, 3, 4)[level - 1])))
    limited = chance.pick(sizes) if level >= 3 else 0
    rules = _Rules(sizes, kinds, forbidden, limited, chance.between(1, 3) if limited else 0)
    modulus = chance.pick((997, 1000, 1009, 9973, 10_007, 65_536))
    cheapest = level >= 2 and chance.happens(0.4)
    costs = tuple(chance.between(1, 12) for _ in sizes)
    largest = 80

    counting, paying = _Counting(rules, modulus), _Cost(rules, costs)
    if len({counting(n) for n in range(12, 30)}) < 12:
        raise Unfit
    said = []
    for size, kind in zip(sizes, kinds, strict=True):
        said.append(f"{size}, of which there is one kind" if kind == 1 else f"{size}, of which there are {kind} kinds")
    rulings = [f"A part of size {b} must not follow directly behind one of size {a}." for a, b in forbidden]
    if limited:
        rulings.append(
            f"Parts of size {limited}, of whatever kind, may occur "
            f"{'only once' if rules.most == 1 else f'at most {rules.most} times'} in a sequence."
        )
    asked = (
        f"`{name} n` is the number of such sequences whose sum is `n`, and of it the remainder divided by {modulus}. "
        "Sequences "
        "are different if they differ in a size or a kind at some place. For `n = 0` there is one sequence, the empty "
        "one."
    )
    cost_words = ", ".join(f"a part of size {size} costs {cost}" for size, cost in zip(sizes, costs, strict=True))
    paid = (
        f"`{name}_cost n` is `Some` of the least cost of such a sequence, where {cost_words}, or `None` if there is "
        "no sequence. "
        "The empty one costs 0."
        if cheapest
        else ""
    )

    def cases() -> Iterator[Case]:
        edges = [0, 1, sizes[0], sizes[0] * 2, sizes[-1], largest, largest - 1, 2, 3]
        for n in inputs(lambda: chance.between(5, 40 if chance.happens(0.7) else largest), edges):
            yield case(name, [integer(n)], integer(counting(n)))
            if cheapest:
                yield case(f"{name}_cost", [integer(n)], option(integer)(paying(n)))

    signature = f"val {name} : int -> int"
    return Draft(
        name=name,
        statement=paragraphs(
            "A sequence is put together of parts of these sizes:",
            bullets(f"{line};" for line in said).removesuffix(";") + ".",
            " ".join(rulings),
            asked,
            paid,
            f"`n` is at least 0 and at most {largest}; there are far too many sequences to try them all.",
        ),
        signature=signature + (f"\nval {name}_cost : int -> int option" if cheapest else ""),
        reference=_ways_code(name, rules, modulus, costs if cheapest else ()),
        cases=cases(),
        hidden=16 if cheapest else 12,
        groups=(name, f"{name}_cost") if cheapest else (),
    )


class _Counting:
    """The number of sequences, modulo something, by their sum, last size, and use of the limited size."""

    def __init__(self, rules: _Rules, modulus: int) -> None:
        self._rules, self._modulus = rules, modulus
        self._tables: list[dict[tuple[int, int], int]] = [{(0, 0): 1}]

    def __call__(self, n: int) -> int:
        rules = self._rules
        while len(self._tables) <= n:
            table: dict[tuple[int, int], int] = {}
            for size, kinds in zip(rules.sizes, rules.kinds, strict=True):
                if size > len(self._tables):
                    continue
                for (last, used), count in self._tables[-size].items():
                    after = used + (size == rules.limited)
                    if (last, size) not in rules.forbidden and after <= rules.most:
                        table[size, after] = (table.get((size, after), 0) + count * kinds) % self._modulus
            self._tables.append(table)
        return sum(self._tables[n].values()) % self._modulus


class _Cost:
    """The least cost of a sequence, likewise."""

    def __init__(self, rules: _Rules, costs: Sequence[int]) -> None:
        self._rules, self._costs = rules, costs
        self._tables: list[dict[tuple[int, int], int]] = [{(0, 0): 0}]

    def __call__(self, n: int) -> int | None:
        rules = self._rules
        while len(self._tables) <= n:
            table: dict[tuple[int, int], int] = {}
            for size, cost in zip(rules.sizes, self._costs, strict=True):
                if size > len(self._tables):
                    continue
                for (last, used), paid in self._tables[-size].items():
                    after = used + (size == rules.limited)
                    if (last, size) not in rules.forbidden and after <= rules.most:
                        table[size, after] = min(table.get((size, after), paid + cost), paid + cost)
            self._tables.append(table)
        return min(self._tables[n].values(), default=None)


def _ways_code(name: str, rules: _Rules, modulus: int, costs: Sequence[int]) -> str:
    parts = "; ".join(f"({size}, {kind})" for size, kind in zip(rules.sizes, rules.kinds, strict=True))
    forbidden = "; ".join(f"({a}, {b})" for a, b in rules.forbidden)
    conditions = ["size <= left"]
    conditions += [f"not (List.mem (last, size) [ {forbidden} ])"] if forbidden else []
    conditions += [f"(size <> {rules.limited} || used < {rules.most})"] if rules.limited else []
    fits = " && ".join(conditions)
    after = f"(if size = {rules.limited} then used + 1 else used)" if rules.limited else "used"
    count = f"""\
let known = Hashtbl.create 1000

(* The number of ways to go on, with this sum left, behind this last size. *)
let rec go left last used =
  if left = 0 then 1
  else
    match Hashtbl.find_opt known (left, last, used) with
    | Some count -> count
    | None ->
      let add sum (size, kinds) =
        if {fits} then (sum + (kinds * go (left - size) size {after})) mod {modulus} else sum
      in
      let count = List.fold_left add 0 [ {parts} ] in
      Hashtbl.add known (left, last, used) count;
      count

let {name} n = go n 0 0"""
    if not costs:
        return count
    priced = "; ".join(f"({size}, {cost})" for size, cost in zip(rules.sizes, costs, strict=True))
    pay = f"""\
let paid = Hashtbl.create 1000

let rec least left last used =
  if left = 0 then Some 0
  else
    match Hashtbl.find_opt paid (left, last, used) with
    | Some cost -> cost
    | None ->
      let add best (size, cost) =
        if not ({fits}) then best
        else
          match (best, least (left - size) size {after}) with
          | best, None -> best
          | None, Some rest -> Some (cost + rest)
          | Some best, Some rest -> Some (min best (cost + rest))
      in
      let cost = List.fold_left add None [ {priced} ] in
      Hashtbl.add paid (left, last, used) cost;
      cost

let {name}_cost n = least n 0 0"""
    return f"{count}\n\n{pay}"


FAMILIES = (
    Family(
        name="dynamic.grid",
        topics=("dynamic-programming", "mutable-arrays"),
        description="best paths through a grid, by moves with tolls, around walls",
        make=_grid,
    ),
    Family(
        name="dynamic.ways",
        topics=("dynamic-programming", "recursion"),
        description="sequences of sizes with a given sum, counted under restrictions",
        make=_ways,
    ),
)
