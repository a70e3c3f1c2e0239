"""Pairs grouped by a key, each group summarised, sorted and cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, telling
from ocaml_env.problems.generators.letters import string_map
from ocaml_env.problems.generators.values import Show, integer, listing, pair, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_WORDS = ("ash", "Bee", "cod", "dune", "Elm 2", "fig", "gnu-7", "hen!", "ivy", "OAK")
_NUMBERS = [(n,) for n in range(-6, 21)]
_SAMPLES = 12


_SHOWS: dict[str, Show] = {"string": text, "int": integer}


Rows = Sequence[tuple[Any, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Groups:
    """The drawn steps.

    Attributes:
        kind: of the keys, in OCaml.
        key: the name of a group, if it is not the key itself.
        dropped: a question for numbers to leave out.
        values: the results for a group.
        having: a question for groups to keep.
        limit: the number of groups to keep; 0 for all.
        turned: True for a fault: the numbers of a group are in the wrong order.
    """

    name: str
    kind: str
    key: Op | None
    dropped: Op
    values: tuple[Op, ...]
    having: Op
    order: Op
    limit: int
    turned: bool = False

    @property
    def in_order(self) -> bool:
        """True if the order of the numbers in a group makes a difference."""
        return any("List.hd (List.rev" in op.ocaml for op in (self.having, *self.values))

    def run(self, rows: Rows) -> list[tuple[Any, ...]]:
        groups: dict[Any, list[int]] = {}
        for k, n in rows:
            if not self.dropped.run(n):
                groups.setdefault(self.key.run(k) if self.key else k, []).append(n)
        if self.turned:
            groups = {k: ns[::-1] for k, ns in groups.items()}
        made = [(k, *(value.run(ns) for value in self.values)) for k, ns in groups.items() if self.having.run(ns)]
        made = [*self.order.run(made)]
        return made[: self.limit] if self.limit else made

    def wrong(self) -> Iterator[_Groups]:
        """Variants with a part forgotten."""
        yield replace(self, dropped=self.dropped._replace(run=lambda n: False))
        yield replace(self, having=self.having._replace(run=lambda ns: True))
        if self.key:
            yield replace(self, key=None)
        if self.in_order:
            yield replace(self, turned=True)
        if self.order.ocaml:
            yield replace(self, order=_ORDERS[0])
        if self.limit:
            yield replace(self, limit=0)
        for fault in self.having.faults:
            yield replace(self, having=self.having._replace(run=fault))
        for i, value in enumerate(self.values):
            for fault in value.faults:
                values = (*self.values[:i], value._replace(run=fault), *self.values[i + 1 :])
                yield replace(self, values=values)


def _groups(chance: Chance, level: int) -> Draft:
    kind = chance.pick(("string", "int"))
    key = None
    if level >= 2:
        keys = [(word,) for word in _WORDS] if kind == "string" else _NUMBERS
        key = telling(chance, string_map if kind == "string" else int_map, keys)
    groups = _Groups(
        name=chance.pick(("summary", "totals", "histogram", "ledger", "overview")),
        kind=kind,
        key=key,
        dropped=_dropped(chance),
        values=tuple(make(chance) for make in chance.sample(_AGGREGATES, (level + 1) // 2)),
        having=_having(chance),
        order=chance.pick(_ORDERS),
        limit=chance.between(2, 3) if level >= 4 else 0,
    )

    def draw() -> list[tuple[Any, int]]:
        count = chance.between(3, 4 + (level >= 4))
        keys: Sequence[Any] = chance.sample(_WORDS, count) if kind == "string" else chance.numbers(count, -5, 20)
        size = chance.pick((1, 2, 12)) if chance.happens(0.15) else chance.between(4, 8 + (level >= 4))
        high = 200 if chance.happens(0.06) else 20
        return [(chance.pick(keys), chance.number(-6, high)) for _ in range(size)]

    samples = [draw() for _ in range(_SAMPLES)]
    whole = [groups.run(rows) for rows in samples]
    if whole.count([]) > 3:
        raise Unfit
    for wrong in groups.wrong():
        if sum(wrong.run(rows) != made for rows, made in zip(samples, whole, strict=True)) < 2:
            raise Unfit
    return _draft(groups, draw)


def _dropped(chance: Chance) -> Op:
    """A question with the answer yes for some of the numbers, at most half of them."""
    while True:
        test = telling(chance, int_test, _NUMBERS)
        if 4 <= sum(test.run(n) for (n,) in _NUMBERS) <= len(_NUMBERS) // 2:
            return test


def _draft(groups: _Groups, draw: Callable[[], list[tuple[Any, int]]]) -> Draft:
    name, kind, values = groups.name, groups.kind, groups.values
    show = listing(pair(_SHOWS[kind], *[integer] * len(values)))
    shown = listing(pair(_SHOWS[kind], integer))

    def cases() -> Iterator[Case]:
        one = draw()[:1]
        for rows in inputs(draw, [[], one, one * 4]):
            yield case(name, [shown(rows)], show(groups.run(rows)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` summarises a list of pairs of a key and a number, which may be empty, in these steps:",
            numbered(_said(groups)),
            "The result is what is there after the last step.",
        ),
        signature=f"val {name} : ({kind} * int) list -> ({' * '.join([kind] + ['int'] * len(values))}) list",
        reference=_reference(groups),
        cases=cases(),
    )


def _said(groups: _Groups) -> list[str]:
    """The steps, in English."""
    key, values = groups.key, groups.values
    called = (
        f"Every pair belongs to the group that is called by {key.say('k') if key else '`k`'}, where `k` is the key of "
        "the pair."
    )
    if groups.in_order:
        called += " In a group the numbers keep the order of the list."
    size = ("pair", "triple", "quadruple")[len(values) - 1]
    parts = [
        f"Leave out every pair with a number `n` such that {groups.dropped.say('n')}.",
        called,
        f"Keep only the groups {groups.having.words}.",
        f"Make a {size} of each group: what it is called by; {'; '.join(value.words for value in values)}.",
        f"{groups.order.words}.",
    ]
    parts += [f"Keep only the first {groups.limit} of them (all if there are fewer)."] if groups.limit else []
    return parts


def _reference(groups: _Groups) -> str:
    key, values, having, order = groups.key, groups.values, groups.having, groups.order
    lines = [f"let {groups.name} l =", "  l"]
    lines += [f"  |> List.filter (fun (_, n) -> not ({groups.dropped.code('n')}))"]
    lines += [f"  |> List.map (fun (k, n) -> ({key.code('k')}, n))"] if key else []
    lines += ["  |> groups", f"  |> List.filter (fun (_, ns) -> {having.code('ns')})"]
    lines += [f"  |> List.map (fun (k, ns) -> (k, {', '.join(value.code('ns') for value in values)}))"]
    rest = ", ".join(["_"] * (len(values) - 1))
    lines += [f"  |> {order.ocaml.replace('@', f', {rest}' if rest else '')}"] if order.ocaml else []
    lines += [f"  |> List.filteri (fun i _ -> i < {groups.limit})"] if groups.limit else []
    helper = _IN_ORDER if groups.in_order else _IN_ORDER.replace(f"List.rev ({_ANY_ORDER})", _ANY_ORDER)
    ops = [op for op in (key, groups.dropped, having, *values) if op]
    return module([h for op in ops for h in op.helpers], helper, "\n".join(lines))


_ANY_ORDER = "Hashtbl.find_all table k"
_IN_ORDER = """\
let groups pairs =
  let table = Hashtbl.create (List.length pairs) in
  List.iter (fun (k, n) -> Hashtbl.add table k n) pairs;
  let keys = List.fold_left (fun seen (k, _) -> if List.mem k seen then seen else k :: seen) [] pairs in
  List.rev_map (fun k -> (k, List.rev (Hashtbl.find_all table k))) keys"""


# --- results for a group ----------------------------------------------------------------------------------------------


def _sum_of(chance: Chance) -> Op:
    k = chance.between(2, 9)
    return Op(f"the sum of its numbers plus {k}", f"List.fold_left ( + ) {k} {{x}}", lambda v: sum(v) + k)


def _times(chance: Chance) -> Op:
    k = chance.between(2, 9)
    return Op(f"{k} times how many numbers it has", f"{k} * List.length {{x}}", lambda v: k * len(v))


def _spread(chance: Chance) -> Op:
    return Op(
        "its greatest number minus its smallest",
        "List.fold_left max (List.hd {x}) {x} - List.fold_left min (List.hd {x}) {x}",
        lambda v: max(v) - min(v),
    )


def _ends(chance: Chance) -> Op:
    op = telling(chance, int_join, [(x, y) for x in range(-6, 21, 3) for y in range(-5, 21, 4)])
    return Op(
        f"what its first number as `x` and its last as `y` make: {op.say()}",
        f"let x = List.hd {{x}} and y = List.hd (List.rev {{x}}) in {op.code()}",
        lambda v: op.run(v[0], v[-1]),
        op.helpers,
        (
            lambda v: op.run(v[0], v[0]),
            lambda v: op.run(v[-1], v[-1]),
            *(lambda v, fault=fault: fault(v[0], v[-1]) for fault in op.faults),
        ),
    )


def _how_many(chance: Chance) -> Op:
    test = telling(chance, int_test, _NUMBERS)
    return Op(
        f"how many of its numbers `x` are such that {test.say()}",
        f"List.length (List.filter (fun x -> {test.code()}) {{x}})",
        lambda v: sum(1 for x in v if test.run(x)),
        test.helpers,
        (len, *(lambda v, fault=fault: sum(1 for x in v if fault(x)) for fault in test.faults)),
    )


_AGGREGATES = (_sum_of, _times, _spread, _ends, _how_many)


def _having(chance: Chance) -> Op:
    """A question for groups to keep."""
    total, test = chance.between(3, 12), telling(chance, int_test, _NUMBERS)
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
                (
                    lambda v: all(test.run(x) for x in v),
                    *(lambda v, fault=fault: any(map(fault, v)) for fault in test.faults),
                ),
            ),
            Op(
                f"whose last number `x` is such that {test.say()}",
                f"let x = List.hd (List.rev {{x}}) in {test.code()}",
                lambda v: test.run(v[-1]),
                test.helpers,
                (lambda v: test.run(v[0]), *(lambda v, fault=fault: fault(v[-1]) for fault in test.faults)),
            ),
        )
    )


_ORDERS = (
    Op("Leave them in the order of the first pairs of the groups", "", lambda rows: rows),
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
