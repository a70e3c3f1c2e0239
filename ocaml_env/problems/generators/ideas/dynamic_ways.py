"""Sequences of sizes with a given sum, counted under restrictions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, option
from ocaml_env.problems.generators.wording import bullets, paragraphs

__all__ = ["FAMILY"]


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
        "Sequences are different if they differ in a size or a kind at some place. For `n = 0` there is one sequence, "
        "the empty one."
    )
    cost_words = ", ".join(f"a part of size {size} costs {cost}" for size, cost in zip(sizes, costs, strict=True))
    paid = (
        f"`{name}_cost n` is `Some` of the least cost of such a sequence, where {cost_words}, or `None` if there is no "
        "sequence. The empty one costs 0."
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


FAMILY = Family(
    name="dynamic.ways",
    topics=("dynamic-programming", "recursion"),
    description="sequences of sizes with a given sum, counted under restrictions",
    make=_ways,
)
