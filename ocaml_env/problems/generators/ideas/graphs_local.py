"""Scores of nodes, computed from the edges around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_test
from ocaml_env.problems.generators.values import integer, listing, pair
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Edges = Sequence[tuple[int, int]]


class _Figure(NamedTuple):
    """A number that a node has."""

    letter: str
    words: str
    ocaml: str
    run: Callable[[int, frozenset[tuple[int, int]], int], int]


_FIGURES = (
    _Figure("o", "the number of nodes to which an edge leads from it", "count (fun (a, _) -> a = n)",
            lambda n, e, size: sum(a == n for a, _ in e)),
    _Figure("i", "the number of nodes from which an edge leads to it", "count (fun (_, b) -> b = n)",
            lambda n, e, size: sum(b == n for _, b in e)),
    _Figure("m", "the number of nodes, itself not counted, to which an edge leads from it and from which one leads "
    "back",
            "count (fun (a, b) -> a = n && b <> n && List.mem (b, a) edges)",
            lambda n, e, size: sum(a == n != b and (b, a) in e for a, b in e)),
    _Figure("g", "the greatest node to which an edge leads from it, or -1 if there is none",
            "List.fold_left (fun best (a, b) -> if a = n then max best b else best) (-1) edges",
            lambda n, e, size: max((b for a, b in e if a == n), default=-1)),
    _Figure("s", "the sum of the nodes from which an edge leads to it",
            "List.fold_left (fun sum (a, b) -> if b = n then sum + a else sum) 0 edges",
            lambda n, e, size: sum(a for a, b in e if b == n)),
    _Figure("t", "the number of different nodes that are reached from it by exactly two edges, one after the other",
            "List.length (List.sort_uniq compare (List.concat_map (fun (a, b) -> if a = n then List.filter_map (fun "
            "(c, d) -> if c = b then Some d else None) edges else []) edges))",
            lambda n, e, size: len({d for a, b in e if a == n for c, d in e if c == b})),
    _Figure("u", "the number of nodes that have no edge with it, in neither direction, itself not counted",
            "List.length (List.filter (fun k -> k <> n && not (List.mem (n, k) edges || List.mem (k, n) edges)) "
            "(List.init size Fun.id))",
            lambda n, e, size: sum(k != n and (n, k) not in e and (k, n) not in e for k in range(size))),
)  # fmt: skip


def _local(chance: Chance, level: int) -> Draft:
    name = chance.pick(("survey", "central", "profile", "notable", "inspect"))
    figures = chance.sample(_FIGURES, (2, 2, 3, 3, 4)[level - 1])
    loops = chance.happens(0.5)  # edges from a node to itself count
    inner = int_join(chance)
    outer = int_join(chance) if len(figures) >= 3 else None
    keep = int_test(chance)
    order = chance.pick(("node", "up", "down"))
    whole = level >= 4 and chance.happens(0.6)

    def score(values: Sequence[int]) -> int:
        made = inner.run(values[0], values[1])
        if outer:
            for value in values[2:]:
                made = outer.run(made, value)
        return int(made)

    def run(size: int, given: Edges) -> list[tuple[int, int]]:
        edges = frozenset((a, b) for a, b in given if loops or a != b)
        scores = [(n, score([figure.run(n, edges, size) for figure in figures])) for n in range(size)]
        scores = [row for row in scores if keep.run(row[1])]
        if order != "node":
            scores = sorted(scores, key=lambda row: row[1], reverse=order == "down")
        return scores

    def draw() -> tuple[int, list[tuple[int, int]]]:
        size = chance.between(3, 6)
        return size, [(chance.below(size), chance.below(size)) for _ in range(chance.between(size, 2 * size))]

    if sum(len(run(*draw())) > 1 for _ in range(10)) < 6:
        raise Unfit
    letters = [figure.letter for figure in figures]
    value = f"`{letters[0]}` and `{letters[1]}` make `r`: {inner.say(letters[0], letters[1])}"
    lines = [f"      let r = {inner.code(letters[0], letters[1])} in"]
    if outer:
        for one in letters[2:]:
            value += f"; then `r` and `{one}` make the new `r`: {outer.say('r', one)}"
            lines.append(f"      let r = {outer.code('r', one)} in")
    sorting = {
        "node": "in ascending order of the nodes",
        "up": "in ascending order of the scores, and where these are equal of the nodes",
        "down": "in descending order of the scores, and where these are equal in ascending order of the nodes",
    }[order]
    parts = [
        "Edges that are given several times count once. Edges from a node to itself "
        f"{'count like all others' if loops else 'do not count'}.",
        "A node `n` has these numbers: " + "; ".join(f"`{one.letter}`, {one.words}" for one in figures) + ".",
        f"Its score is made of them in this way: {value}. The score is the last `r`.",
        f"Keep only the nodes with a score `r` such that {keep.say('r')}, {sorting}.",
    ]
    scores = "\n".join(lines)
    binds = "\n".join(f"      let {figure.letter} = {figure.ocaml} in" for figure in figures)
    sort = {
        "node": "",
        "up": "  |> List.stable_sort (fun (_, r) (_, s) -> compare r s)\n",
        "down": "  |> List.stable_sort (fun (_, r) (_, s) -> compare s r)\n",
    }[order]
    final = "  |> fun l -> (List.map fst l, List.fold_left (fun sum (_, r) -> sum + r) 0 l)" if whole else "  |> Fun.id"
    result = (
        "the pair of the list of these nodes, and of the sum of their scores"
        if whole
        else "the list of these nodes, each as the pair `(n, r)` of the node and its score"
    )
    kind = "int list * int" if whole else "(int * int) list"
    counts = any("count" in figure.ocaml for figure in figures)
    count = "  let count p = List.length (List.filter p edges) in" if counts else ""
    code = f"""\
let {name} size edges =
  let edges = List.sort_uniq compare edges{"" if loops else " |> List.filter (fun (a, b) -> a <> b)"} in
{count}
  List.init size (fun n ->
{binds}
{scores}
      (n, r))
  |> List.filter (fun (_, r) -> {keep.code("r")})
{sort}{final}"""
    show = pair(listing(integer), integer) if whole else listing(pair(integer, integer))

    def cases() -> Iterator[Case]:
        edges: list[tuple[int, list[tuple[int, int]]]]
        edges = [(0, []), (3, []), (1, [(0, 0)]), (2, [(0, 1), (0, 1), (1, 0)]), (4, [(0, 1), (1, 2), (2, 3), (3, 0)])]
        for size, graph in inputs(draw, edges):
            made = run(size, graph)
            answer = ([n for n, _ in made], sum(r for _, r in made)) if whole else made
            yield case(name, [integer(size), listing(pair(integer, integer))(graph)], show(answer))

    ops = [op for op in (inner, outer, keep) if op]
    return Draft(
        name=name,
        statement=paragraphs(
            f"The nodes of a graph are the integers from 0 to `size - 1`. `{name} size edges` tells about some of "
            "them; each edge `(a, b)` leads from `a` to `b`.",
            numbered(parts),
            f"The result is {result}.",
        ),
        signature=f"val {name} : int -> (int * int) list -> {kind}",
        reference=module(
            [h for op in ops for h in op.helpers], code.replace("\n  |> Fun.id", "").replace("\n\n", "\n")
        ),
        cases=cases(),
        together=2,
    )


FAMILY = Family(
    name="graphs.local",
    topics=("graphs", "lists"),
    description="scores of nodes, computed from the edges around them",
    make=_local,
)
