"""Nodes that are reached under restrictions, with their distances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test
from ocaml_env.problems.generators.values import Show, integer, listing, pair
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

Weighted = Sequence[tuple[int, int, int]]


class _Result(NamedTuple):
    words: str
    ocaml: str  # of distances, by node in ascending order, as a list of pairs
    kind: str
    show: Show
    run: Callable[[dict[int, int]], Any]
    helpers: tuple[str, ...] = ()


def _reach(chance: Chance, level: int) -> Draft:
    name = chance.pick(("explore", "reach", "spread", "visit", "tour"))
    weighted = level >= 3
    both = chance.happens(0.4)  # edges lead both ways
    closed = int_test(chance)
    edge_test = _edge_test(chance)
    result = _result(chance, level)
    limit = chance.between(2, 3) if not weighted else chance.between(8, 20) * (1 if level < 5 else 3)
    limited = level in (2, 4, 5)
    toll = int_map(chance) if level >= 5 else None  # what a node costs
    if not 2 <= sum(map(closed.run, range(8))) <= 4:
        raise Unfit

    def distances(edges: Weighted, start: int) -> dict[int, int]:
        lines = [*edges, *((b, a, w) for a, b, w in edges)] if both else [*edges]
        found = {start: 0}
        pending = [start]
        done: set[int] = set()
        while pending:
            at = min(pending, key=lambda node: (found[node], node))
            pending.remove(at)
            done.add(at)
            for a, b, w in lines:
                if a != at or b in done or not edge_test.run(a, b) or closed.run(b):
                    continue
                cost = found[at] + w + (abs(toll.run(b)) if toll else 0)
                if not (limited and cost > limit) and cost < found.get(b, 1 << 60):
                    found[b] = cost
                    if b not in pending:
                        pending.append(b)
        return found

    def draw() -> tuple[list[tuple[int, int, int]], int]:
        size = chance.between(4, 8)
        count = chance.between(size, 2 * size)
        edges = [
            (chance.below(size), chance.below(size), chance.between(1, 9) if weighted else 1) for _ in range(count)
        ]
        return edges, chance.below(size)

    if sum(len(distances(*draw())) > 2 for _ in range(8)) < 4:
        raise Unfit
    conditions = [f"An edge from `a` to `b` may be used only if {edge_test.words}."]
    conditions.append(f"No node `n` but the first of a path may be such that {closed.say('n')}.")
    if limited:
        conditions.append(f"No path is {'longer' if not toll else 'dearer'} than {limit}.")
    length = "number of its edges" if not weighted else "sum of the weights of its edges"
    if toll:
        length += (
            f", plus, for every node `n` on it but the first, the absolute value of the following: {toll.say('n')}"
        )
    given = (
        "Edges are given as triples `(a, b, w)` of two nodes and a weight, which is at least 1"
        if weighted
        else "Edges are given as pairs `(a, b)` of nodes"
    )
    direction = (
        "An edge may be used in both directions; `a` is then the node where it begins."
        if both
        else "An edge leads from `a` to `b`, and not back."
    )
    show_edges = listing(pair(integer, integer, integer) if weighted else pair(integer, integer))

    def cases() -> Iterator[Case]:
        edges: list[tuple[list[tuple[int, int, int]], int]]
        edges = [([], 0), ([(0, 0, 1)], 0), ([(1, 2, 1), (2, 3, 1)], 3), ([(0, 1, 1), (1, 2, 1), (2, 0, 1)], 0)]
        for graph, start in inputs(draw, edges):
            shown = show_edges(graph if weighted else [(a, b) for a, b, _ in graph])
            yield case(name, [shown, integer(start)], result.show(result.run(distances(graph, start))))

    ops = [op for op in (edge_test, closed, toll) if op]
    return Draft(
        name=name,
        statement=paragraphs(
            f"The nodes of a graph are integers from 0 on. {given}; there may be edges from a node to itself, and "
            f"several between the same nodes. {direction} A path goes from node to node along edges, any number of "
            f"them, perhaps none. Its length is the {length}.",
            bullets(conditions),
            "A node is reached if there is a path to it from `start`; `start` itself is always reached. Its distance "
            "is the least length of such a path.",
            f"`{name} edges start` is {result.words}.",
        ),
        signature=f"val {name} : (int * int{' * int' if weighted else ''}) list -> int -> {result.kind}",
        reference=module(
            [h for op in ops for h in op.helpers],
            result.helpers,
            _reach_code(
                name, edge_test, closed, toll, result, weighted=weighted, both=both, limit=limit if limited else 0
            ),
        ),
        cases=cases(),
        together=2,
    )


def _reach_code(
    name: str,
    edge: Op,
    closed: Op,
    toll: Op | None,
    result: _Result,
    *,
    weighted: bool,
    both: bool,
    limit: int,
) -> str:
    lines = "edges" if weighted else "List.map (fun (a, b) -> (a, b, 1)) edges"
    if both:
        lines = f"(let edges = {lines} in edges @ List.map (fun (a, b, w) -> (b, a, w)) edges)"
    conditions = [f"({edge.code('a', 'b')})"]
    conditions.append(f"not ({closed.code('b')})")
    cost = f"w + abs ({toll.code('b')})" if toll else "w"
    within = f" && d + cost <= {limit}" if limit else ""
    return f"""\
module Nodes = Map.Make (Int)

let {name} edges start =
  let edges = {lines} in
  let edges = List.filter (fun (a, b, _) -> a <> b && {" && ".join(conditions)}) edges in
  (* Go over all edges until no distance becomes less. *)
  let improve found (a, b, w) =
    match Nodes.find_opt a found with
    | None -> found
    | Some d ->
      let cost = {cost} in
      let better = match Nodes.find_opt b found with Some known -> d + cost < known | None -> true in
      if better{within} then Nodes.add b (d + cost) found else found
  in
  let rec settle found =
    let next = List.fold_left improve found edges in
    if Nodes.equal ( = ) next found then found else settle next
  in
  let found = Nodes.bindings (settle (Nodes.singleton start 0)) in
  {result.ocaml}"""


def _edge_test(chance: Chance) -> Op:
    k = chance.between(2, 4)
    r = chance.below(k)
    gap = chance.between(2, 5)
    low = chance.between(1, 2)
    return chance.pick(
        (
            Op(
                f"the sum of both nodes is not {f'{r} more than ' if r else ''}a multiple of {k}",
                f"({{x}} + {{y}}) mod {k} <> {r}",
                lambda a, b: (a + b) % k != r,
            ),
            Op(
                f"`a` and `b` differ by at most {gap}",
                f"abs ({{x}} - {{y}}) <= {gap}",
                lambda a, b: abs(a - b) <= gap,
            ),
            Op(
                f"`a` is at most {low} greater than `b`",
                f"{{x}} - {{y}} <= {low}",
                lambda a, b: a - b <= low,
            ),
            Op(
                f"`a` and `b` leave different remainders when they are divided by {k + 1}",
                f"{{x}} mod {k + 1} <> {{y}} mod {k + 1}",
                lambda a, b: a % (k + 1) != b % (k + 1),
            ),
            Op(
                f"`b` is not equal to {k} times `a`",
                f"{{y}} <> {k} * {{x}}",
                lambda a, b: b != k * a,
            ),
        )
    )


def _result(chance: Chance, level: int) -> _Result:
    test, op, join, k = int_test(chance), int_map(chance), int_join(chance), chance.between(2, 9)
    nodes = listing(integer)
    made = [
        _Result(
            f"the list of all nodes `n` that are reached, in ascending order, each replaced by {op.say('n')}",
            f"List.map (fun (n, _) -> {op.code('n')}) found",
            "int list",
            nodes,
            lambda found: [op.run(n) for n in sorted(found)],
            op.helpers,
        ),
        _Result(
            "the list of the nodes that are reached in ascending order of their distances, those with the same "
            f"distance in descending order, without the nodes `n` such that {test.say('n')}",
            f"List.filter (fun n -> not ({test.code('n')})) (List.map fst (List.sort (fun (m, d) (n, e) -> compare "
            "(d, n) (e, m)) found))",
            "int list",
            nodes,
            lambda found: [n for n in sorted(found, key=lambda n: (found[n], -n)) if not test.run(n)],
            test.helpers,
        ),
        _Result(
            "the list of the pairs `(n, v)` for all nodes `n` that are reached, in ascending order, where `v` is made "
            f"of `n` and of its distance `d`: {join.say('n', 'd')}",
            f"List.map (fun (n, d) -> (n, {join.code('n', 'd')})) found",
            "(int * int) list",
            listing(pair(integer, integer)),
            lambda found: [(n, join.run(n, found[n])) for n in sorted(found)],
            join.helpers,
        ),
        _Result(
            f"the pair of the node that is farthest from `start`, and of its distance plus {k}; of several the one "
            "with the greatest number",
            f"List.fold_left (fun (m, far) (n, d) -> if d + {k} >= far then (n, d + {k}) else (m, far)) (start, {k}) "
            "found",
            "int * int",
            pair(integer, integer),
            lambda found: max(((n, d + k) for n, d in found.items()), key=lambda row: (row[1], row[0])),
        ),
        _Result(
            f"the pair of the number of nodes that are reached, and of the sum, over them, of: {join.say('n', 'd')}, "
            "where `n` is the node and `d` its distance",
            f"(List.length found, List.fold_left (fun sum (n, d) -> sum + ({join.code('n', 'd')})) 0 found)",
            "int * int",
            pair(integer, integer),
            lambda found: (len(found), sum(join.run(n, d) for n, d in found.items())),
            join.helpers,
        ),
    ]
    return chance.pick(made)


FAMILY = Family(
    name="graphs.reach",
    topics=("graphs", "maps-sets-hashtables"),
    description="nodes that are reached under restrictions, with their distances",
    make=_reach,
)
