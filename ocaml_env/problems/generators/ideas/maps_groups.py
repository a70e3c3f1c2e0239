"""Pairs grouped by a key, each group summarised, sorted and cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test
from ocaml_env.problems.generators.letters import string_map
from ocaml_env.problems.generators.values import Show, integer, listing, pair, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_WORDS = ("ash", "bee", "Cod", "dune", "elm", "fig", "Gnu", "hen", "ivy", "oak")


_SHOWS: dict[str, Show] = {"string": text, "int": integer}


Rows = Sequence[tuple[Any, int]]


def _groups(chance: Chance, level: int) -> Draft:
    name = chance.pick(("summary", "totals", "histogram", "ledger", "overview"))
    kind = chance.pick(("string", "int"))
    key = (string_map(chance) if kind == "string" else int_map(chance)) if level >= 2 else None
    dropped = int_test(chance)
    values = [_aggregate(chance) for _ in range((1, 1, 2, 2, 3)[level - 1])]
    having = _having(chance)
    order = chance.pick(_ORDERS)
    limit = chance.between(2, 4) if level >= 4 else 0
    if len({value.ocaml for value in values}) < len(values):
        raise Unfit

    def run(rows: Rows) -> list[tuple[Any, ...]]:
        groups: dict[Any, list[int]] = {}
        for k, n in rows:
            if not dropped.run(n):
                groups.setdefault(key.run(k) if key else k, []).append(n)
        made = [(k, *(value.run(ns) for value in values)) for k, ns in groups.items() if having.run(ns)]
        made = [*order.run(made)]
        return made[:limit] if limit else made

    def draw() -> list[tuple[Any, int]]:
        keys: Sequence[Any] = chance.sample(_WORDS, 4) if kind == "string" else chance.numbers(4, -5, 20)
        return [(chance.pick(keys), chance.number(-6, 20)) for _ in range(chance.between(3, 8))]

    tried = [len(run(draw())) for _ in range(6)]
    if len({*tried}) < 2 or sum(tried) < 6:
        raise Unfit
    parts = [f"Leave out every pair with a number `n` such that {dropped.say('n')}."]
    parts.append(
        f"Every pair belongs to the group that is called by {key.say('k') if key else '`k`'}, where `k` is the key of "
        "the pair. In a group the numbers keep the order of the list."
    )
    parts.append(f"Keep only the groups {having.words}.")
    described = "; ".join(value.words for value in values)
    size = ("pair", "triple", "quadruple")[len(values) - 1]
    parts.append(f"Make a {size} of each group: what it is called by; {described}.")
    parts.append(f"{order.words}.")
    parts += [f"Keep only the first {limit} of them (all if there are fewer)."] if limit else []
    made = ", ".join(value.code("ns") for value in values)
    lines = [f"let {name} l =", "  l"]
    lines += [f"  |> List.filter (fun (_, n) -> not ({dropped.code('n')}))"]
    lines += [f"  |> List.map (fun (k, n) -> ({key.code('k')}, n))"] if key else []
    lines += ["  |> groups", f"  |> List.filter (fun (_, ns) -> {having.code('ns')})"]
    lines += [f"  |> List.map (fun (k, ns) -> (k, {made}))"]
    rest = ", ".join(["_"] * (len(values) - 1))
    lines += [f"  |> {order.ocaml.replace('@', f', {rest}' if rest else '')}"] if order.ocaml else []
    lines += [f"  |> List.filteri (fun i _ -> i < {limit})"] if limit else []
    helper = """\
let groups pairs =
  let table = Hashtbl.create 16 in
  let add (k, n) = Hashtbl.replace table k (n :: Option.value (Hashtbl.find_opt table k) ~default:[]) in
  List.iter add pairs;
  let keys = List.fold_left (fun seen (k, _) -> if List.mem k seen then seen else k :: seen) [] pairs in
  List.rev_map (fun k -> (k, List.rev (Hashtbl.find table k))) keys"""
    ops = [op for op in (key, dropped, having, *values) if op]
    show = listing(pair(_SHOWS[kind], *[integer] * len(values)))
    shown = listing(pair(_SHOWS[kind], integer))

    def cases() -> Iterator[Case]:
        one = draw()[:1]
        for rows in inputs(draw, [[], one, one * 4]):
            yield case(name, [shown(rows)], show(run(rows)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` summarises a list of pairs of a key and a number, which may be empty, in these steps:",
            numbered(parts),
            "The result is what is there after the last step.",
        ),
        signature=f"val {name} : ({kind} * int) list -> ({' * '.join([kind] + ['int'] * len(values))}) list",
        reference=module([h for op in ops for h in op.helpers], helper, "\n".join(lines)),
        cases=cases(),
        together=2,
    )


def _aggregate(chance: Chance) -> Op:
    k = chance.between(2, 9)
    op = int_join(chance)
    test = int_test(chance)
    return chance.pick(
        (
            Op(f"the sum of its numbers plus {k}", f"List.fold_left ( + ) {k} {{x}}", lambda v: sum(v) + k),
            Op(f"{k} times how many numbers it has", f"{k} * List.length {{x}}", lambda v: k * len(v)),
            Op(
                "its greatest number minus its smallest",
                "List.fold_left max (List.hd {x}) {x} - List.fold_left min (List.hd {x}) {x}",
                lambda v: max(v) - min(v),
            ),
            Op(
                f"what its first number as `x` and its last as `y` make: {op.say()}",
                f"let x = List.hd {{x}} and y = List.hd (List.rev {{x}}) in {op.code()}",
                lambda v: op.run(v[0], v[-1]),
                op.helpers,
            ),
            Op(
                f"how many of its numbers `x` are such that {test.say()}",
                f"List.length (List.filter (fun x -> {test.code()}) {{x}})",
                lambda v: sum(1 for x in v if test.run(x)),
                test.helpers,
            ),
        )
    )


def _having(chance: Chance) -> Op:
    total, test = chance.between(3, 12), int_test(chance)
    return chance.pick(
        (
            Op("of at least two numbers", "List.length {x} >= 2", lambda v: len(v) >= 2),
            Op(
                f"whose numbers have a sum of at least {total}",
                f"List.fold_left ( + ) 0 {{x}} >= {total}",
                lambda v: sum(v) >= total,
            ),
            Op(
                f"whose numbers have a sum of less than {total}",
                f"List.fold_left ( + ) 0 {{x}} < {total}",
                lambda v: sum(v) < total,
            ),
            Op(
                f"with at least one number `x` such that {test.say()}",
                f"List.exists (fun x -> {test.code()}) {{x}}",
                lambda v: any(test.run(x) for x in v),
                test.helpers,
            ),
            Op(
                f"whose last number `x` is such that {test.say()}",
                f"List.exists (fun x -> {test.code()}) [ List.hd (List.rev {{x}}) ]",
                lambda v: test.run(v[-1]),
                test.helpers,
            ),
        )
    )


_ORDERS = (
    Op("Leave them in the order in which the groups first occur in the list", "", lambda rows: rows),
    Op("Sort them by what they are called by, in ascending order", "List.sort compare", sorted),
    Op(
        "Sort them by what they are called by, in descending order",
        "List.sort (fun a b -> compare b a)",
        lambda rows: sorted(rows, reverse=True),
    ),
    Op(
        "Sort them by their second part, in descending order; where that is equal, by what they are called by, in "
        "ascending order",
        "List.sort (fun (k, a@) (j, b@) -> compare (b, k) (a, j))",
        lambda rows: sorted(sorted(rows), key=lambda row: -row[1]),
    ),
    Op(
        "Sort them by their second part, in ascending order; where that is equal, by what they are called by, in "
        "descending order",
        "List.sort (fun (k, a@) (j, b@) -> compare (a, j) (b, k))",
        lambda rows: sorted(sorted(rows, reverse=True), key=lambda row: row[1]),
    ),
)


FAMILY = Family(
    name="maps.groups",
    topics=("maps-sets-hashtables", "lists"),
    description="pairs grouped by a key, each group summarised, sorted and cut",
    make=_groups,
)
