"""Nodes reachable under restrictions, with their distances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, telling
from ocaml_env.problems.generators.values import Show, integer, listing, pair
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

_NAMES = ("explore", "reach", "spread", "visit", "tour")
_NODES = range(13)
_OPERANDS = [(node,) for node in _NODES]

Weighted = Sequence[tuple[int, int, int]]
Graph = tuple[Weighted, int]
"""Edges, and the first node."""


class _Result(NamedTuple):
    """The result from the distances by node; ``ocaml`` takes a list of pairs in ascending order."""

    words: str
    ocaml: str
    kind: str
    show: Show
    run: Callable[[Mapping[int, int]], Any]
    helpers: tuple[str, ...] = ()


class _Rules(NamedTuple):
    """The allowed paths and their lengths.

    Attributes:
        both: edges lead both ways.
        edge: a question about an edge; it must have the answer yes.
        closed: a question for nodes that paths must avoid.
        toll: the cost of a node, if there is one.
        limit: of the length of a path, if there is one.
    """

    weighted: bool
    both: bool
    edge: Op
    closed: Op
    toll: Op | None
    limit: int | None = None

    def distances(self, edges: Weighted, start: int) -> dict[int, int]:
        lines = [*edges, *((b, a, w) for a, b, w in edges if self.both)]
        lines = [(a, b, w) for a, b, w in lines if self.edge.run(a, b) and not self.closed.run(b)]
        found = {start: 0}
        changed = True
        while changed:
            changed = False
            for a, b, w in lines:
                if a not in found:
                    continue
                length = found[a] + w + (int(self.toll.run(b)) if self.toll else 0)
                if length < found.get(b, length + 1) and (self.limit is None or length <= self.limit):
                    found[b] = length
                    changed = True
        return found


def _reach(chance: Chance, level: int) -> Draft:
    name = chance.pick(_NAMES)
    rules, tried = _rules(chance, level)
    result = _result(chance, rules, tried)
    show_edges = listing(pair(integer, integer, integer) if rules.weighted else pair(integer, integer))

    def cases() -> Iterator[Case]:
        edges: list[Graph] = [([], 0), ([(0, 0, 1)], 0), ([(1, 2, 1), (2, 3, 1)], 3)]
        for graph, start in inputs(lambda: _graph(chance, rules), edges):
            shown = show_edges(graph if rules.weighted else [(a, b) for a, b, _ in graph])
            yield case(name, [shown, integer(start)], result.show(result.run(rules.distances(graph, start))))

    helpers = [h for op in (rules.edge, rules.closed, rules.toll, result) if op for h in op.helpers]
    code = (_weighted_code if rules.weighted else _plain_code)(name, rules, result)
    return Draft(
        name=name,
        statement=_statement(name, rules, result),
        signature=f"val {name} : (int * int{' * int' if rules.weighted else ''}) list -> int -> {result.kind}",
        reference=module(helpers, code),
        cases=cases(),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _rules(chance: Chance, level: int) -> tuple[_Rules, list[Graph]]:
    """Rules, and graphs that were used to try them."""
    rules = _Rules(
        weighted=level >= 3,
        both=chance.happens(0.4),
        edge=_edge_test(chance),
        closed=telling(chance, _closing, _OPERANDS),
        toll=telling(chance, _cost, _OPERANDS) if level == 5 else None,
    )
    open_nodes = [node for node in _NODES if not rules.closed.run(node)]
    if sum(not rules.edge.run(a, b) for a in _NODES for b in open_nodes if a != b) < 4:
        raise Unfit
    tried = [_graph(chance, rules) for _ in range(20)]
    found = [rules.distances(*graph) for graph in tried]
    if sum(len(distances) > 2 for distances in found) < 10:
        raise Unfit
    if level >= 3:
        lengths = sorted(length for distances in found for length in distances.values() if length)
        rules = rules._replace(limit=lengths[len(lengths) * chance.between(60, 85) // 100])
    return rules, tried


def _graph(chance: Chance, rules: _Rules) -> Graph:
    """A graph with mostly open nodes; some edges are repeated, or lead from a node to itself."""
    nodes = chance.sample(_NODES, chance.between(4, 6))
    start = nodes[0]
    usable = [(a, b) for a in nodes for b in nodes if a != b and rules.edge.run(a, b) and not rules.closed.run(b)]
    edges: list[tuple[int, int, int]] = []
    if usable and chance.happens(0.3):  # a way through many nodes, and a short cut that may be heavier
        edges = _way(chance, start, usable, rules)
    most = 10 if chance.happens(0.07) else 7
    for _ in range(chance.between(len(nodes), most) if not edges else chance.between(0, 3)):
        may = usable and chance.happens(0.5)
        a, b = chance.pick(usable) if may else (chance.pick(nodes), chance.pick(nodes))
        edges.append((a, b, chance.between(1, 5) if rules.weighted else 1))
    return edges, start


def _way(chance: Chance, start: int, usable: Sequence[tuple[int, int]], rules: _Rules) -> list[tuple[int, int, int]]:
    """Edges from node to node while they lead on, in random order, with one that skips some nodes."""
    way, ends = [start], list(usable)
    while ends := [(a, b) for a, b in ends if b not in way]:
        next_ones = [b for a, b in ends if a == way[-1]]
        if not next_ones:
            break
        way.append(chance.pick(next_ones))
    edges = [(a, b, chance.between(1, 3) if rules.weighted else 1) for a, b in pairwise(way)]
    cuts = [(a, b) for a, b in usable if a == start and b in way[2:]]
    if cuts:
        edges.append((*chance.pick(cuts), chance.between(1, 12) if rules.weighted else 1))
    return chance.shuffled(edges)


def _closing(chance: Chance) -> Op:
    """A question with the answer yes for a few nodes."""
    for _ in range(60):
        test = int_test(chance)
        if 3 <= sum(map(test.run, _NODES)) <= 5:
            return test
    raise Unfit


def _cost(chance: Chance) -> Op:
    """The cost of nodes, never negative."""
    for _ in range(60):
        op = int_map(chance)
        costs = [int(op.run(node)) for node in _NODES]
        if min(costs) >= 0 and max(costs) <= 60:
            return op
    raise Unfit


def _edge_test(chance: Chance) -> Op:
    k, gap, low = chance.between(2, 4), chance.between(2, 5), chance.between(1, 2)
    rest, factor = chance.below(k), chance.between(2, 3)
    return chance.pick(
        (
            Op(
                f"the sum of both nodes is not {f'{rest} more than ' if rest else ''}a multiple of {k}",
                f"({{x}} + {{y}}) mod {k} <> {rest}",
                lambda a, b: (a + b) % k != rest,
            ),
            Op(
                f"`a` and `b` differ by at most {gap}",
                f"abs ({{x}} - {{y}}) <= {gap}",
                lambda a, b: abs(a - b) <= gap,
            ),
            Op(f"`a` is at most {low} greater than `b`", f"{{x}} - {{y}} <= {low}", lambda a, b: a - b <= low),
            Op(
                f"`a` and `b` leave different remainders when they are divided by {k + 1}",
                f"{{x}} mod {k + 1} <> {{y}} mod {k + 1}",
                lambda a, b: a % (k + 1) != b % (k + 1),
            ),
            Op(
                f"`b` is not equal to {factor} times `a`",
                f"{{y}} <> {factor} * {{x}}",
                lambda a, b: b != factor * a,
            ),
        )
    )


# --- results ----------------------------------------------------------------------------------------------------------


def _result(chance: Chance, rules: _Rules, tried: Sequence[Graph]) -> _Result:
    tables = [rules.distances(*graph) for graph in tried]
    reached = [each for table in tables for each in table.items() if each[1]]
    makers = [_with_distance, _summed]
    makers += [_by_distance, _farthest] * 2 if _has_ties(tables) else []
    makers += [_replaced] if rules.limit is not None else []  # otherwise distances would not matter
    return chance.pick(makers)(chance, reached)


def _has_ties(tables: Sequence[Mapping[int, int]]) -> bool:
    """True if there are often two farthest nodes."""
    farthest = [max(table.values()) for table in tables]
    return sum(list(table.values()).count(far) > 1 for far, table in zip(farthest, tables, strict=True) if far) > 1


def _replaced(chance: Chance, reached: Sequence[tuple[int, int]]) -> _Result:
    op = telling(chance, int_map, [(node,) for node, _ in reached])
    return _Result(
        f"the list of all nodes `n` that are reached, in ascending order, each replaced by {op.say('n')}",
        f"List.map (fun (n, _) -> {op.code('n')}) found",
        "int list",
        listing(integer),
        lambda found: [op.run(node) for node in sorted(found)],
        op.helpers,
    )


def _by_distance(chance: Chance, reached: Sequence[tuple[int, int]]) -> _Result:
    test = telling(chance, int_test, [(node,) for node, _ in reached])
    return _Result(
        "the list of the nodes that are reached in ascending order of their distances, those with the same distance in "
        f"descending order, without the nodes `n` such that {test.say('n')}",
        f"found\n  |> List.sort (fun (m, d) (n, e) -> compare (d, n) (e, m))\n  |> List.map fst\n"
        f"  |> List.filter (fun n -> not ({test.code('n')}))",
        "int list",
        listing(integer),
        lambda found: [n for n in sorted(found, key=lambda n: (found[n], -n)) if not test.run(n)],
        test.helpers,
    )


def _with_distance(chance: Chance, reached: Sequence[tuple[int, int]]) -> _Result:
    join = telling(chance, int_join, reached)
    return _Result(
        "the list of the pairs `(n, v)` for all nodes `n` that are reached, in ascending order, where `v` is made of "
        f"`n` and of its distance `d`: {join.say('n', 'd')}",
        f"List.map (fun (n, d) -> (n, {join.code('n', 'd')})) found",
        "(int * int) list",
        listing(pair(integer, integer)),
        lambda found: [(node, join.run(node, found[node])) for node in sorted(found)],
        join.helpers,
    )


def _farthest(chance: Chance, reached: Sequence[tuple[int, int]]) -> _Result:
    sign, which = chance.pick(((1, "greatest"), (-1, "least")))
    return _Result(
        f"the triple of the number of nodes that are reached, of the one that is farthest from `start` (of several the "
        f"one with the {which} number), and of its distance",
        f"let farther (m, far) (n, d) = if d {'>=' if sign > 0 else '>'} far then (n, d) else (m, far) in\n"
        "  let m, far = List.fold_left farther (start, 0) found in\n  (List.length found, m, far)",
        "int * int * int",
        pair(integer, integer, integer),
        lambda found: (len(found), *max(found.items(), key=lambda item: (item[1], sign * item[0]))),
    )


def _summed(chance: Chance, reached: Sequence[tuple[int, int]]) -> _Result:
    join = telling(chance, int_join, reached)
    return _Result(
        f"the pair of the number of nodes that are reached, and of the sum, over them, of: {join.say('n', 'd')}, where "
        "`n` is the node and `d` its distance",
        f"(List.length found, List.fold_left (fun sum (n, d) -> sum + ({join.code('n', 'd')})) 0 found)",
        "int * int",
        pair(integer, integer),
        lambda found: (len(found), sum(join.run(*each) for each in found.items())),
        join.helpers,
    )


# --- words ------------------------------------------------------------------------------------------------------------


def _statement(name: str, rules: _Rules, result: _Result) -> str:
    given = "pairs `(a, b)` of nodes"
    length = "number of its edges"
    if rules.weighted:
        given, length = (
            "triples `(a, b, w)` of two nodes and a weight, which is at least 1",
            "sum of the weights of its edges",
        )
    if rules.toll:
        length += f", plus the following for every node `n` on it but the first: {rules.toll.say('n')}"
    direction = (
        "An edge may be used in both directions; `a` is then the node where it begins."
        if rules.both
        else "An edge leads from `a` to `b`, and not back."
    )
    conditions = [
        f"An edge from `a` to `b` may be used only if {rules.edge.words}.",
        f"No node `n` but the first of a path may be such that {rules.closed.say('n')}.",
    ]
    if rules.limit is not None:
        conditions.append(f"No path is longer than {rules.limit}.")
    return paragraphs(
        f"The nodes of a graph are integers from 0 to {_NODES[-1]}. Edges are given as {given}; there may be edges "
        f"from a node to itself, and several between the same nodes. {direction} A path goes from node to node along "
        f"edges, any number of them, perhaps none. Its length is the {length}.",
        bullets(conditions),
        "A node is reached if there is a path to it from `start`; `start` itself is always reached, with distance 0. "
        "The distance of a node is the least length of such a path.",
        f"`{name} edges start` is {result.words}.",
    )


# --- OCaml ------------------------------------------------------------------------------------------------------------


def _plain_code(name: str, rules: _Rules, result: _Result) -> str:
    """Works layer by layer."""
    both = "  let edges = edges @ List.map (fun (a, b) -> (b, a)) edges in\n" if rules.both else ""
    return f"""\
module Nodes = Map.Make (Int)

let {name} edges start =
{both}  let edges = List.filter (fun (a, b) -> {_usable(rules)}) edges in
  let next found n = List.filter_map (fun (a, b) -> if a = n && not (Nodes.mem b found) then Some b else None) edges in
  let rec layers found d layer =
    let fresh = List.concat_map (next found) layer in
    if fresh = [] then found
    else layers (List.fold_left (fun found n -> Nodes.add n (d + 1) found) found fresh) (d + 1) fresh
  in
  let found = Nodes.bindings (layers (Nodes.singleton start 0) 0 [ start ]) in
  {result.ocaml}"""


def _weighted_code(name: str, rules: _Rules, result: _Result) -> str:
    """Goes over all edges until no distance decreases."""
    both = "  let edges = edges @ List.map (fun (a, b, w) -> (b, a, w)) edges in\n" if rules.both else ""
    toll = f" + ({rules.toll.code('b')})" if rules.toll else ""
    return f"""\
module Nodes = Map.Make (Int)

let {name} edges start =
{both}  let edges = List.filter (fun (a, b, _) -> {_usable(rules)}) edges in
  let improve found (a, b, w) =
    match Nodes.find_opt a found with
    | None -> found
    | Some d -> (
      let length = d + w{toll} in
      match Nodes.find_opt b found with
      | Some known when known <= length -> found
      | _ -> if length <= {rules.limit} then Nodes.add b length found else found)
  in
  let rec settle found =
    let next = List.fold_left improve found edges in
    if Nodes.equal ( = ) next found then found else settle next
  in
  let found = Nodes.bindings (settle (Nodes.singleton start 0)) in
  {result.ocaml}"""


def _usable(rules: _Rules) -> str:
    return f"{rules.edge.code('a', 'b')} && not ({rules.closed.code('b')})"


FAMILY = Family(
    name="graphs.reach",
    topics=("graphs", "maps-sets-hashtables"),
    description="nodes that are reached under restrictions, with their distances",
    make=_reach,
)
