"""Players ranked by computed points, with a rule for ties."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, telling
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.values import integer, listing, pair, text
from ocaml_env.problems.generators.wording import module, numbered, ordinal, paragraphs

__all__ = ["FAMILY"]


Rows = Sequence[tuple[str, list[int]]]

_RESULTS = [(x,) for x in range(-4, 9)]
_SAMPLES = 12
_RANKS = {
    "skip": "1 more than the number of those before them that have other points, so that after two who share rank "
    "1 the next has rank 3",
    "dense": "1 more than the number of different points before theirs, so that after two who share rank 1 the "
    "next has rank 2",
    "last": "the greatest position of any of them, so that two who share the lead have rank 2",
}
_TIES = {
    "given": "in the order in which they are given",
    "ascending": "in ascending order of their names",
    "descending": "in descending order of their names",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranking:
    """The drawn ranking.

    Attributes:
        points: computes the points from a player's results.
        style: of ranking players with the same points, a key of ``_RANKS``.
        highest: True if many points are good.
        ties: the order of players with the same points, a key of ``_TIES``.
        barred: a question for the points of players to leave out.
        podium: the last rank to keep; 0 for all.
        ordered: True if players are put in order at all.
    """

    name: str
    points: Op
    style: str
    highest: bool
    ties: str
    barred: Op
    shown_points: bool
    podium: int
    ordered: bool = True

    def run(self, rows: Rows) -> list[tuple[Any, ...]]:
        scored = [(player, self.points.run(results)) for player, results in rows]
        scored = [row for row in scored if not self.barred.run(row[1])]
        if self.ties != "given":
            scored = sorted(scored, key=lambda row: row[0], reverse=self.ties == "descending")
        if self.ordered:
            scored = sorted(scored, key=lambda row: row[1], reverse=self.highest)
        totals = sorted((total for _, total in scored), reverse=self.highest)
        made: list[tuple[Any, ...]] = []
        for who, total in scored:
            rank = self._rank(totals, total)
            if not self.podium or rank <= self.podium:
                made.append((rank, who, total) if self.shown_points else (rank, who))
        return made

    def _rank(self, totals: list[int], total: int) -> int:
        if self.style == "skip":
            return totals.index(total) + 1
        if self.style == "last":
            return len(totals) - totals[::-1].index(total)
        return len({*totals[: totals.index(total)]}) + 1

    def wrong(self) -> Iterator[_Ranking]:
        """Variants with a part forgotten."""
        yield replace(self, barred=self.barred._replace(run=lambda p: False))
        yield replace(self, ordered=False)
        yield from (replace(self, style=style) for style in _RANKS if style != self.style)
        if self.ties != "given":
            yield replace(self, ties="given")
        if self.podium:
            yield replace(self, podium=0)
        for fault in self.barred.faults:
            yield replace(self, barred=self.barred._replace(run=fault))
        for fault in self.points.faults:
            yield replace(self, points=self.points._replace(run=fault))


def _ranking(chance: Chance, level: int) -> Draft:
    def draw() -> list[tuple[str, list[int]]]:
        high = chance.pick((3, 8))
        players = chance.sample(WORDS[:30], chance.between(3, 7))
        return [(player, chance.numbers(chance.between(0, 3), -4, high)) for player in players]

    points = _points(chance, level)
    samples = [draw() for _ in range(_SAMPLES)]
    totals = [points.run(results) for rows in samples for _, results in rows]
    ranking = _Ranking(
        name=chance.pick(("ranking", "standings", "league", "placings", "result_list")),
        points=points,
        style=chance.pick([*_RANKS]),
        highest=chance.happens(0.6),
        ties=chance.pick([*_TIES]),
        barred=_barred(chance, totals),
        shown_points=level >= 2 and chance.happens(0.6),
        podium=chance.between(2, 4) if level >= 4 else 0,
    )
    whole = [ranking.run(rows) for rows in samples]
    for wrong in ranking.wrong():
        if sum(wrong.run(rows) != made for rows, made in zip(samples, whole, strict=True)) < 2:
            raise Unfit
    return _draft(chance, ranking, draw)


def _barred(chance: Chance, totals: Sequence[int]) -> Op:
    """A question with the answer yes for some of the players, less than half of them."""
    points = [(total,) for total in sorted({*totals})]
    for _ in range(20):
        test = telling(chance, int_test, points)
        if 0.1 <= sum(map(test.run, totals)) / len(totals) <= 0.45:
            return test
    raise Unfit


def _draft(chance: Chance, ranking: _Ranking, draw: Callable[[], list[tuple[str, list[int]]]]) -> Draft:
    name = ranking.name
    show_rows = listing(pair(text, listing(integer)))
    show = listing(pair(integer, text, integer)) if ranking.shown_points else listing(pair(integer, text))
    made = "triple of the rank, the name and the points" if ranking.shown_points else "pair of the rank and the name"
    kind = "(int * string * int) list" if ranking.shown_points else "(int * string) list"

    def any_rows() -> list[tuple[str, list[int]]]:
        """A player or two, many, or some with the same results, longer or larger than those of others."""
        rows = draw()
        if chance.happens(0.75):
            return rows
        many = [chance.numbers(chance.between(2, 6), -9, 40) for _ in range(2)]
        same = [(name, chance.pick(many)) for name, _ in rows]
        wide = [(name, chance.numbers(chance.between(0, 4), -4, 8)) for name in chance.sample(WORDS[:40], 12)]
        return chance.pick((rows[:1], rows[:2], same, wide))

    def cases() -> Iterator[Case]:
        edges: list[list[tuple[str, list[int]]]] = [
            [],
            [("oak", [])],
            [("oak", [2, 3]), ("elm", [2, 3]), ("ash", [2, 3])],
        ]
        for rows in inputs(any_rows, edges):
            yield case(name, [show_rows(rows)], show(ranking.run(rows)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` makes a ranking of players. Each is given with a name and a list of results, which may be "
            "empty; no two have the same name.",
            numbered(_said(ranking)),
            f"The result is the list of the players in that order, each as a {made}.",
        ),
        signature=f"val {name} : (string * int list) list -> {kind}",
        reference=_reference(ranking),
        cases=cases(),
    )


def _said(ranking: _Ranking) -> list[str]:
    """The steps, in English."""
    parts = [
        f"The points of a player are made of the list of results: {ranking.points.words}.",
        f"Leave out every player with points `p` such that {ranking.barred.say('p')}.",
        f"Put the players in {'descending' if ranking.highest else 'ascending'} order of their points; those with the "
        f"same points {_TIES[ranking.ties]}.",
        f"Give each player a rank; those with the same points have the same one: {_RANKS[ranking.style]}.",
    ]
    parts += [f"Keep only the players whose rank is at most {ranking.podium}."] if ranking.podium else []
    return parts


def _reference(ranking: _Ranking) -> str:
    points, barred, shown = ranking.points, ranking.barred, ranking.shown_points
    lines = [
        f"let {ranking.name} l =",
        "  let scored = List.map (fun (name, results) -> (name, points results)) l in",
        f"  let scored = List.filter (fun (_, p) -> not ({barred.code('p')})) scored in",
    ]
    if ranking.ties != "given":
        first, second = ("b", "a") if ranking.ties == "descending" else ("a", "b")
        lines.append(f"  let scored = List.sort (fun (a, _) (b, _) -> compare {first} {second}) scored in")
    first, second = ("b", "a") if ranking.highest else ("a", "b")
    lines.append(f"  let scored = List.stable_sort (fun (_, a) (_, b) -> compare {first} {second}) scored in")
    better = "q > p" if ranking.highest else "q < p"
    rank = {
        "skip": f"1 + List.length (List.filter (fun (_, q) -> {better}) scored)",
        "dense": f"1 + List.length (List.sort_uniq compare (List.filter (fun q -> {better}) (List.map snd scored)))",
        "last": f"List.length (List.filter (fun (_, q) -> {'q >= p' if ranking.highest else 'q <= p'}) scored)",
    }[ranking.style]
    lines.append(f"  let rank p = {rank} in")
    lines.append(f"  List.map (fun (name, p) -> (rank p, name{', p' if shown else ''})) scored")
    if ranking.podium:
        lines.append(f"  |> List.filter (fun (rank, {'_, _' if shown else '_'}) -> rank <= {ranking.podium})")
    return module(points.helpers, barred.helpers, f"let points results = {points.ocaml}", "\n".join(lines))


# --- the points of a player -------------------------------------------------------------------------------------------


def _points(chance: Chance, level: int) -> Op:
    kinds = (_sum_of_images, _by_test, _greatest, _without_one)
    return chance.pick(kinds if level < 3 else (*kinds, _one_by_one))(chance)


def _sum_of_images(chance: Chance) -> Op:
    base, op = chance.between(0, 5), telling(chance, int_map, _RESULTS)
    return Op(
        f"{base} plus the sum, over all results `x`, of: {op.say()}",
        f"List.fold_left (fun sum x -> sum + ({op.code()})) {base} results",
        lambda v: base + sum(op.run(x) for x in v),
        op.helpers,
        (*(lambda v, fault=fault: base + sum(map(fault, v)) for fault in op.faults), lambda v: base + sum(v)),
    )


def _by_test(chance: Chance) -> Op:
    k, test = chance.between(2, 4), telling(chance, int_test, _RESULTS)

    def run(v: Sequence[int], test: Callable[[int], bool]) -> int:
        return sum(k if test(x) else 1 for x in v)

    return Op(
        f"{k} for every result `x` such that {test.say()}, and 1 for every other one",
        f"List.fold_left (fun sum x -> if {test.code()} then sum + {k} else sum + 1) 0 results",
        lambda v: run(v, test.run),
        test.helpers,
        (
            lambda v: k * len(v),
            len,
            lambda v: sum(k for x in v if test.run(x)),
            *(lambda v, fault=fault: run(v, fault) for fault in test.faults),
        ),
    )


def _greatest(chance: Chance) -> Op:
    base = chance.between(0, 3)
    return Op(
        f"the greatest result ({base} if there is none or that is greater), plus the number of results",
        f"List.fold_left max {base} results + List.length results",
        lambda v: max([base, *v]) + len(v),
        (),
        (len, lambda v: max([base, *v])),
    )


def _without_one(chance: Chance) -> Op:
    place = chance.between(1, 2)
    return Op(
        f"the sum of the results but for the {ordinal(place)} one (if there is such a one)",
        f"List.fold_left ( + ) 0 (List.filteri (fun i _ -> i <> {place - 1}) results)",
        lambda v: sum(x for i, x in enumerate(v) if i != place - 1),
        (),
        (sum,),
    )


def _one_by_one(chance: Chance) -> Op:
    base = chance.between(0, 5)
    join = telling(chance, int_join, [(x, y) for x in range(-4, 12, 3) for (y,) in _RESULTS])
    return Op(
        f"begin with `x` = {base}, and for each result `y`, in order, let the new `x` be {join.say()}; the "
        "points are the last `x`",
        f"List.fold_left (fun x y -> {join.code()}) {base} results",
        lambda v: reduce(join.run, v, base),
        join.helpers,
        tuple(lambda v, fault=fault: reduce(fault, v, base) for fault in join.faults),
    )


FAMILY = Family(
    name="sorting.ranking",
    topics=("sorting-searching", "lists", "higher-order"),
    description="players ranked by computed points, with a rule for ties",
    make=_ranking,
)
