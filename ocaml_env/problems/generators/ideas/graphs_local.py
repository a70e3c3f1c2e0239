"""Scores of nodes, computed from the edges around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_test, telling
from ocaml_env.problems.generators.values import integer, listing, pair
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_NAMES = ("survey", "central", "profile", "notable", "inspect")
_FIGURE_COUNTS = {1: 2, 3: 3, 5: 4}

Edges = Sequence[tuple[int, int]]
EdgeSet = frozenset[tuple[int, int]]


class _Figure(NamedTuple):
    """A number of a node ``n``.

    Attributes:
        repeats: True if the number would change if repeated edges counted repeatedly.
    """

    letter: str
    words: str
    ocaml: str
    run: Callable[[int, EdgeSet, int], int]
    repeats: bool = False


_OUT = _Figure(
    "o",
    "the number of nodes to which an edge leads from it",
    "count (fun (a, _) -> a = n)",
    lambda n, e, size: sum(a == n for a, _ in e),
    repeats=True,
)
_IN = _Figure(
    "i",
    "the number of nodes from which an edge leads to it",
    "count (fun (_, b) -> b = n)",
    lambda n, e, size: sum(b == n for _, b in e),
    repeats=True,
)
_MUTUAL = _Figure(
    "m",
    "the number of nodes, itself not counted, to which an edge leads from it and from which one leads back",
    "count (fun (a, b) -> a = n && b <> n && List.mem (b, a) edges)",
    lambda n, e, size: sum(a == n != b and (b, a) in e for a, b in e),
    repeats=True,
)
_MUTUAL_OTHERS = _MUTUAL._replace(  # without edges from a node to itself
    words="the number of nodes to which an edge leads from it and from which one leads back",
    ocaml="count (fun (a, b) -> a = n && List.mem (b, a) edges)",
)
_GREATEST = _Figure(
    "g",
    "the greatest node to which an edge leads from it, or -1 if there is none",
    "List.fold_left (fun best (a, b) -> if a = n then max best b else best) (-1) edges",
    lambda n, e, size: max((b for a, b in e if a == n), default=-1),
)
_SUM = _Figure(
    "s",
    "the sum of the nodes from which an edge leads to it",
    "List.fold_left (fun sum (a, b) -> if b = n then sum + a else sum) 0 edges",
    lambda n, e, size: sum(a for a, b in e if b == n),
    repeats=True,
)
_TWICE = _Figure(
    "t",
    "the number of different nodes that are reached from it by exactly two edges, one after the other",
    """\
(let next k = List.filter_map (fun (a, b) -> if a = k then Some b else None) edges in
       List.length (List.sort_uniq compare (List.concat_map next (next n))))""",
    lambda n, e, size: len({d for a, b in e if a == n for c, d in e if c == b}),
)
_STRANGERS = _Figure(
    "u",
    "the number of nodes that have no edge with it, in neither direction, itself not counted",
    """\
(let stranger k = k <> n && not (List.mem (n, k) edges || List.mem (k, n) edges) in
       List.length (List.filter stranger (List.init size Fun.id)))""",
    lambda n, e, size: sum(k != n and (n, k) not in e and (k, n) not in e for k in range(size)),
)


class _Survey(NamedTuple):
    """The drawn rules.

    Attributes:
        loops: edges from a node to itself count.
        joins: the first makes the score from two figures, each further one from it and the next figure.
        order: ``node``, or ``up`` or ``down`` by score.
        whole: the result has the sum of the scores instead of each.
    """

    name: str
    figures: tuple[_Figure, ...]
    loops: bool
    joins: tuple[Op, ...]
    keep: Op
    order: str
    whole: bool

    def run(self, size: int, given: Edges) -> list[tuple[int, int]]:
        rows = []
        for n, figures in enumerate(_figures(self.figures, size, given, loops=self.loops)):
            score = figures[0]
            for join, figure in zip(self.joins, figures[1:], strict=True):
                score = int(join.run(score, figure))
            if self.keep.run(score):
                rows.append((n, score))
        return rows if self.order == "node" else sorted(rows, key=lambda row: row[1], reverse=self.order == "down")

    def answer(self, size: int, given: Edges) -> Any:
        rows = self.run(size, given)
        return ([n for n, _ in rows], sum(score for _, score in rows)) if self.whole else rows


def _local(chance: Chance, level: int) -> Draft:
    survey = _draw(chance, level)
    name = survey.name
    show = pair(listing(integer), integer) if survey.whole else listing(pair(integer, integer))

    def cases() -> Iterator[Case]:
        edges: list[tuple[int, Edges]] = [
            (0, []),
            (3, []),
            (1, [(0, 0)]),
            (2, [(0, 1), (0, 1), (1, 0)]),
            (4, [(0, 1), (1, 2), (2, 3), (3, 0)]),
        ]
        for size, graph in inputs(lambda: _graph(chance), edges):
            yield case(name, [integer(size), listing(pair(integer, integer))(graph)], show(survey.answer(size, graph)))

    return Draft(
        name=name,
        statement=_statement(survey),
        signature=f"val {name} : int -> (int * int) list -> {'int list * int' if survey.whole else '(int * int) list'}",
        reference=module([h for op in (*survey.joins, survey.keep) for h in op.helpers], _code(survey)),
        cases=cases(),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _draw(chance: Chance, level: int) -> _Survey:
    loops = chance.happens(0.5)
    count = _FIGURE_COUNTS[level]
    kinds = (_OUT, _IN, _MUTUAL if loops else _MUTUAL_OTHERS, _GREATEST, _SUM, _TWICE, _STRANGERS)
    figures = chance.sample(kinds, count)
    while not any(figure.repeats for figure in figures):
        figures = chance.sample(kinds, count)
    tried = [_graph(chance) for _ in range(25)]
    rows = [row for size, graph in tried for row in _figures(figures, size, graph, loops=loops)]
    scores = [row[0] for row in rows]
    joins = []
    for place in range(1, count):
        operands = [(score, row[place]) for score, row in zip(scores, rows, strict=True)]
        joins.append(telling(chance, int_join, operands))
        scores = [int(joins[-1].run(*each)) for each in operands]
    keep = telling(chance, int_test, [(score,) for score in scores])
    if not 3 <= 10 * sum(map(keep.run, scores)) // len(scores) <= 8:
        raise Unfit
    survey = _Survey(
        name=chance.pick(_NAMES),
        figures=tuple(figures),
        loops=loops,
        joins=tuple(joins),
        keep=keep,
        order=chance.pick(("node", "up", "down")),
        whole=level == 5 and chance.happens(0.6),
    )
    if not _all_matter(survey, tried):
        raise Unfit
    return survey


def _all_matter(survey: _Survey, tried: Sequence[tuple[int, Edges]]) -> bool:
    """True if each figure changes some results, and the order."""
    wrongs = [] if survey.order == "node" else [survey._replace(order="node")]
    for place, figure in enumerate(survey.figures):
        none = figure._replace(run=lambda n, e, size: 0)
        wrongs.append(survey._replace(figures=(*survey.figures[:place], none, *survey.figures[place + 1 :])))
    answers = [survey.answer(*graph) for graph in tried]
    return all(
        sum(wrong.answer(*graph) != right for graph, right in zip(tried, answers, strict=True)) >= 4 for wrong in wrongs
    )


def _graph(chance: Chance) -> tuple[int, Edges]:
    """A graph with some edges back, some repeated edges, and some from a node to itself."""
    if chance.happens(0.1):  # a larger one with some isolated nodes
        size = chance.between(6, 8)
        few = [(chance.below(size), chance.below(size)) for _ in range(chance.between(1, 4))]
        return size, [*few, *few[:1], *((b, a) for a, b in few[1:2])]
    size = chance.between(3, 4) if chance.happens(0.7) else 5
    edges = [(chance.below(size), chance.below(size)) for _ in range(chance.between(3, size + 1))]
    a, b = chance.pick(edges)
    extra = [(b, a), (a, b), (a, a), (chance.below(size), a)]
    return size, chance.shuffled([*edges, *chance.sample(extra, chance.between(1, 3))])


def _figures(figures: Sequence[_Figure], size: int, given: Edges, *, loops: bool) -> list[list[int]]:
    """The figures of each node."""
    edges = frozenset((a, b) for a, b in given if loops or a != b)
    return [[figure.run(n, edges, size) for figure in figures] for n in range(size)]


# --- words and OCaml --------------------------------------------------------------------------------------------------


def _statement(survey: _Survey) -> str:
    letters = [figure.letter for figure in survey.figures]
    value = f"`{letters[0]}` and `{letters[1]}` make `r`: {survey.joins[0].say(*letters[:2])}"
    for join, letter in zip(survey.joins[1:], letters[2:], strict=True):
        value += f"; then `r` and `{letter}` make the new `r`: {join.say('r', letter)}"
    order = {
        "node": "in ascending order of the nodes",
        "up": "in ascending order of the scores, and where these are equal of the nodes",
        "down": "in descending order of the scores, and where these are equal in ascending order of the nodes",
    }[survey.order]
    result = (
        "the pair of the list of these nodes, and of the sum of their scores"
        if survey.whole
        else "the list of these nodes, each as the pair `(n, r)` of the node and its score"
    )
    parts = [
        "Edges that are given several times count once. Edges from a node to itself "
        f"{'count like all others' if survey.loops else 'do not count'}.",
        f"A node `n` has these numbers: {'; '.join(f'`{figure.letter}`, {figure.words}' for figure in survey.figures)}.",
        f"Its score is made of them in this way: {value}. The score is the last `r`.",
        f"Keep only the nodes with a score `r` such that {survey.keep.say('r')}, {order}.",
    ]
    return paragraphs(
        f"The nodes of a graph are the integers from 0 to `size - 1`. `{survey.name} size edges` tells about some of "
        "them; each edge `(a, b)` leads from `a` to `b`.",
        numbered(parts),
        f"The result is {result}.",
    )


def _code(survey: _Survey) -> str:
    figures = survey.figures
    operands = [(figures[0].letter, figures[1].letter), *(("r", figure.letter) for figure in figures[2:])]
    scores = "\n".join(
        [f"      let {figure.letter} = {figure.ocaml} in" for figure in figures]
        + [f"      let r = {join.code(*each)} in" for join, each in zip(survey.joins, operands, strict=True)]
    )
    counts = any("count" in figure.ocaml for figure in figures)
    sort = {"node": "", "up": "compare r s", "down": "compare s r"}[survey.order]
    others = "" if survey.loops else " |> List.filter (fun (a, b) -> a <> b)"
    lines = [
        f"let {survey.name} size edges =",
        f"  let edges = List.sort_uniq compare edges{others} in",
        "  let count p = List.length (List.filter p edges) in" if counts else "",
        "  List.init size (fun n ->",
        scores,
        "      (n, r))",
        f"  |> List.filter (fun (_, r) -> {survey.keep.code('r')})",
        f"  |> List.stable_sort (fun (_, r) (_, s) -> {sort})" if sort else "",
        "  |> fun l -> (List.map fst l, List.fold_left (fun sum (_, r) -> sum + r) 0 l)" if survey.whole else "",
    ]
    return "\n".join(line for line in lines if line)


FAMILY = Family(
    name="graphs.local",
    topics=("graphs", "lists"),
    description="scores of nodes, computed from the edges around them",
    make=_local,
)
