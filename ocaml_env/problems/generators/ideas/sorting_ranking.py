"""Players ranked by computed points, with a rule for ties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.values import integer, listing, pair, text
from ocaml_env.problems.generators.wording import module, numbered, ordinal, paragraphs

__all__ = ["FAMILY"]


def _ranking(chance: Chance, level: int) -> Draft:
    name = chance.pick(("ranking", "standings", "league", "placings", "result_list"))
    points = _points(chance, level)
    style = chance.pick(("skip", "dense", "last"))
    highest = chance.happens(0.6)
    ties = chance.pick(("given", "ascending", "descending"))
    barred = int_test(chance)
    shown_points = level >= 2 and chance.happens(0.6)
    podium = chance.between(2, 4) if level >= 4 else 0

    def run(rows: Sequence[tuple[str, list[int]]]) -> list[tuple[Any, ...]]:
        scored = [(one, points.run(results)) for one, results in rows]
        scored = [row for row in scored if not barred.run(row[1])]
        if ties != "given":
            scored = sorted(scored, key=lambda row: row[0], reverse=ties == "descending")
        scored = sorted(scored, key=lambda row: row[1], reverse=highest)
        totals = [total for _, total in scored]
        made: list[tuple[Any, ...]] = []
        for who, total in scored:
            if style == "skip":
                rank = totals.index(total) + 1
            elif style == "last":
                rank = len(totals) - totals[::-1].index(total)
            else:
                rank = len({*totals[: totals.index(total)]}) + 1
            if not podium or rank <= podium:
                made.append((rank, who, total) if shown_points else (rank, who))
        return made

    def draw() -> list[tuple[str, list[int]]]:
        size = chance.between(2, 6)
        high = chance.pick((3, 6))
        return [(one, chance.numbers(chance.between(0, 4), 0, high)) for one in chance.sample(WORDS[:30], size)]

    tied = [
        len({total for _, total in [(o, points.run(r)) for o, r in rows]}) < len(rows)
        for rows in (draw() for _ in range(12))
    ]
    if sum(tied) < 4:
        raise Unfit
    styles = {
        "skip": "1 more than the number of those before them that have other points, so that after two who share rank "
        "1 the next has rank 3",
        "dense": "1 more than the number of different points before theirs, so that after two who share rank 1 the "
        "next has rank 2",
        "last": "the greatest position of any of them, so that two who share the lead have rank 2",
    }
    order = {
        "given": "in the order in which they are given",
        "ascending": "in ascending order of their names",
        "descending": "in descending order of their names",
    }[ties]
    parts = [f"The points of a player are made of the list of results: {points.words}."]
    parts += [f"Leave out every player with points `p` such that {barred.say('p')}."]
    parts.append(
        f"Put the players in {'descending' if highest else 'ascending'} order of their points; those with the same "
        f"points {order}."
    )
    parts.append(f"Give each player a rank; those with the same points have the same one: {styles[style]}.")
    parts += [f"Keep only the players whose rank is at most {podium}."] if podium else []
    made = "triple of the rank, the name and the points" if shown_points else "pair of the rank and the name"
    lines = [
        f"let {name} l =",
        "  let scored = List.map (fun (name, results) -> (name, points results)) l in",
    ]
    lines += [f"  let scored = List.filter (fun (_, p) -> not ({barred.code('p')})) scored in"]
    if ties != "given":
        first, second = ("b", "a") if ties == "descending" else ("a", "b")
        lines.append(f"  let scored = List.sort (fun (a, _) (b, _) -> compare {first} {second}) scored in")
    first, second = ("b", "a") if highest else ("a", "b")
    lines.append(f"  let scored = List.stable_sort (fun (_, a) (_, b) -> compare {first} {second}) scored in")
    better = "q > p" if highest else "q < p"
    ranks = {
        "skip": f"1 + List.length (List.filter (fun (_, q) -> {better}) scored)",
        "dense": f"1 + List.length (List.sort_uniq compare (List.filter_map (fun (_, q) -> if {better} then Some q "
        "else None) scored))",
        "last": f"List.length (List.filter (fun (_, q) -> {better} || q = p) scored)",
    }
    lines.append(f"  let rank p = {ranks[style]} in")
    lines.append(f"  List.map (fun (name, p) -> (rank p, name{', p' if shown_points else ''})) scored")
    if podium:
        lines.append(f"  |> List.filter (fun (rank, {'_, _' if shown_points else '_'}) -> rank <= {podium})")
    kind = "(int * string * int) list" if shown_points else "(int * string) list"
    show_rows = listing(pair(text, listing(integer)))
    show = listing(pair(integer, text, integer)) if shown_points else listing(pair(integer, text))

    def cases() -> Iterator[Case]:
        edges: list[list[tuple[str, list[int]]]] = [
            [],
            [("oak", [])],
            [("oak", [2, 3]), ("elm", [2, 3]), ("ash", [2, 3])],
        ]
        for rows in inputs(draw, edges):
            yield case(name, [show_rows(rows)], show(run(rows)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` makes a ranking of players. Each is given with a name and a list of results, which may be "
            "empty; no two have the same name.",
            numbered(parts),
            f"The result is the list of the players in that order, each as a {made}.",
        ),
        signature=f"val {name} : (string * int list) list -> {kind}",
        reference=module(points.helpers, barred.helpers, f"let points results = {points.ocaml}", "\n".join(lines)),
        cases=cases(),
    )


def _points(chance: Chance, level: int) -> Op:
    k, base = chance.between(2, 4), chance.between(0, 5)
    op, test = int_map(chance), int_test(chance)
    join = int_join(chance)
    place = chance.between(1, 2)
    made = [
        Op(
            f"{base} plus the sum, over all results `x`, of: {op.say()}",
            f"List.fold_left (fun sum x -> sum + ({op.code()})) {base} results",
            lambda v: base + sum(op.run(x) for x in v),
            op.helpers,
        ),
        Op(
            f"{k} for every result `x` such that {test.say()}, and 1 for every other one",
            f"List.fold_left (fun sum x -> if {test.code()} then sum + {k} else sum + 1) 0 results",
            lambda v: sum(k if test.run(x) else 1 for x in v),
            test.helpers,
        ),
        Op(
            f"the greatest result ({base} if there is none or that is greater), plus the number of results",
            f"List.fold_left max {base} results + List.length results",
            lambda v: max([base, *v]) + len(v),
        ),
        Op(
            f"the sum of the results but for the {ordinal(place)} one (if there is such a one)",
            f"List.fold_left ( + ) 0 (List.filteri (fun i _ -> i <> {place - 1}) results)",
            lambda v: sum(x for i, x in enumerate(v) if i != place - 1),
        ),
    ]
    if level >= 3:
        made.append(
            Op(
                f"begin with `x` = {base}, and for each result `y`, in order, let the new `x` be {join.say()}; the "
                "points are the last `x`",
                f"List.fold_left (fun x y -> {join.code()}) {base} results",
                lambda v: _along(join, base, v),
                join.helpers,
            )
        )
    return chance.pick(made)


def _along(op: Op, x: int, values: Sequence[int]) -> int:
    for y in values:
        x = op.run(x, y)
    return x


FAMILY = Family(
    name="sorting.ranking",
    topics=("sorting-searching", "lists", "higher-order"),
    description="players ranked by computed points, with a rule for ties",
    make=_ranking,
)
