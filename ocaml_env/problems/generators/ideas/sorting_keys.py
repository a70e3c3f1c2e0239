"""Tuples in the order of several computed keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_key, int_test, join_key, telling
from ocaml_env.problems.generators.letters import REVERSE, char_test, string_map, string_test
from ocaml_env.problems.generators.values import Show, integer, listing, pair, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs, series

__all__ = ["FAMILY"]

Row = tuple[Any, ...]


_SHOWS: dict[str, Show] = {"int": integer, "string": text}


_FEW = ("ash", "Bee", "cod", "d2", "Elm", "fig", "o-O", "hen", "I Z", "oak", "re d", "zuz")
_SAMPLES = 12
_TIED = (0.2, 0.07)  # the least share of pairs of rows left equal by the first key, and by the first two


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """The drawn order.

    Attributes:
        kinds: of the parts of a row, which are called x, y and z.
        keys: to sort by, the first one first.
        down: for each key, True if its order is descending.
        unique: True to keep only the first of rows with equal keys.
        keep: a question for rows to sort at all.
        limit: the number of rows to keep; 0 for all.
    """

    name: str
    kinds: Sequence[str]
    keys: Sequence[Op]
    down: Sequence[bool]
    unique: bool
    keep: Op | None
    limit: int

    def run(self, rows: Sequence[Row]) -> list[Row]:
        made = [row for row in rows if self.keep is None or self.keep.run(row)]
        for key, descending in zip(self.keys[::-1], self.down[::-1], strict=True):
            made = sorted(made, key=key.run, reverse=descending)
        if self.unique:
            first: dict[tuple[Any, ...], Row] = {}
            for row in made:
                first.setdefault(self.keys_of(row), row)
            made = [*first.values()]
        return made[: self.limit] if self.limit else made

    def keys_of(self, row: Row) -> tuple[Any, ...]:
        return tuple(key.run(row) for key in self.keys)

    def wrong(self) -> Iterator[_Order]:
        """Variants with a part forgotten."""
        for i in range(len(self.keys)):
            yield replace(self, keys=[*self.keys[:i], *self.keys[i + 1 :]], down=[*self.down[:i], *self.down[i + 1 :]])
        if self.unique:
            yield replace(self, unique=False)
        if self.limit:
            yield replace(self, limit=0)
        if self.keep:
            yield replace(self, keep=None)
            yield from (replace(self, keep=self.keep._replace(run=fault)) for fault in self.keep.faults)

    @property
    def size(self) -> str:
        return "pairs" if len(self.kinds) == 2 else "triples"

    @property
    def pattern(self) -> str:
        return f"({', '.join('xyz'[: len(self.kinds)])})"


def _keys(chance: Chance, level: int) -> Draft:
    kinds = chance.shuffled(("string", "int", "int") if level >= 2 else ("string", "int"))

    def draw() -> list[Row]:
        numbers = chance.numbers(5, chance.pick((0, -9)), chance.pick((5, 9, 30)))
        parts: dict[str, Sequence[Any]] = {"string": chance.sample(_FEW, 4), "int": numbers}
        rows = [tuple(chance.pick(parts[kind]) for kind in kinds) for _ in range(chance.between(4, 7))]
        return [*rows, rows[0]] if chance.happens(0.2) else rows

    samples = [draw() for _ in range(_SAMPLES)]
    keys = _telling_keys(chance, kinds, 2 if level <= 2 else 3, samples)
    order = _Order(
        name=chance.pick(("arrange", "order", "sort_rows", "line_up", "sequence")),
        kinds=kinds,
        keys=keys,
        down=[chance.happens(0.5) for _ in keys],
        unique=level >= 3 and chance.happens(0.5),
        keep=_condition(chance, kinds, samples) if level >= 4 else None,
        limit=chance.between(2, 4) if level >= 5 else 0,
    )
    whole = [order.run(rows) for rows in samples]
    for wrong in order.wrong():
        if sum(wrong.run(rows) != made for rows, made in zip(samples, whole, strict=True)) < 2:
            raise Unfit
    return _draft(chance, order, draw)


def _draft(chance: Chance, order: _Order, draw: Callable[[], list[Row]]) -> Draft:
    name, size = order.name, order.size
    kind = " * ".join(order.kinds)
    show = listing(pair(*(_SHOWS[kind] for kind in order.kinds)))

    def any_rows() -> list[Row]:
        rows = draw() if chance.happens(0.8) else chance.pick((draw()[:1], draw()[:2], draw() + draw()))
        return [*rows, *tied_with(rows)] if order.unique and chance.happens(0.5) else rows

    def tied_with(rows: list[Row]) -> list[Row]:
        """Other rows with the same keys as one of these, to be dropped; none if none is drawn."""
        known = {*map(order.keys_of, rows)}
        return [row for row in draw() + draw() if row not in rows and order.keys_of(row) in known]

    def cases() -> Iterator[Case]:
        one = draw()[:1]
        for rows in inputs(any_rows, [[], one, one * 2 + draw()]):
            yield case(name, [show(rows)], show(order.run(rows)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` puts a list of {size} in order; it may be empty. "
            f"{series([f'`{part}`' for part in 'xyz'[: len(order.kinds)]])} stand for the parts of a "
            f"{size.removesuffix('s')}, the first one first.",
            numbered(_said(order)),
            f"The result is the list of the {size} that are left, as they were.",
        ),
        signature=f"val {name} : ({kind}) list -> ({kind}) list",
        reference=_reference(order),
        cases=cases(),
    )


def _said(order: _Order) -> list[str]:
    """The steps, in English."""
    size, keep = order.size, order.keep
    said = [
        f"{key.words}, in {'descending' if down else 'ascending'} order"
        for key, down in zip(order.keys, order.down, strict=True)
    ]
    rest = "".join(f"; where that is equal, by {key}" for key in said[1:])
    parts = [f"Keep only the {size} for which {keep.words}."] if keep else []
    parts.append(f"Sort them by {said[0]}{rest}. Where all of that is equal, they keep their order.")
    parts += [f"Of {size} for which all of that is equal, keep only the first."] if order.unique else []
    parts += [f"Keep only the first {order.limit} (all if there are fewer)."] if order.limit else []
    return parts


_ASCEND = "let ascend key a b = compare (key a) (key b)"
_DESCEND = "let descend key a b = compare (key b) (key a)"
_UNIQUE = """\
let rec unique = function
  | a :: (b :: _ as rest) -> if compare_rows a b = 0 then unique (a :: List.tl rest) else a :: unique rest
  | l -> l"""


def _reference(order: _Order) -> str:
    keep = order.keep
    calls = [
        f"{'descend' if down else 'ascend'} (fun {order.pattern} -> {key.ocaml}) a b"
        for key, down in zip(order.keys, order.down, strict=True)
    ]
    chain = f"  {calls[-1]}"
    for call in reversed(calls[:-1]):
        chain = f"  let order = {call} in\n  if order <> 0 then order else\n{chain}"
    lines = [f"let {order.name} l =", "  l"]
    lines += [f"  |> List.filter (fun {order.pattern} -> {keep.ocaml})"] if keep else []
    lines += ["  |> List.stable_sort compare_rows"]
    lines += ["  |> unique"] if order.unique else []
    lines += [f"  |> List.filteri (fun i _ -> i < {order.limit})"] if order.limit else []
    return module(
        [h for op in (*order.keys, *([keep] if keep else [])) for h in op.helpers],
        "" if all(order.down) else _ASCEND,
        _DESCEND if any(order.down) else "",
        f"let compare_rows a b =\n{chain}",
        _UNIQUE if order.unique else "",
        "\n".join(lines),
    )


# --- keys -------------------------------------------------------------------------------------------------------------

Rows = Sequence[Row]


def _telling_keys(chance: Chance, kinds: Sequence[str], count: int, samples: Sequence[Rows]) -> list[Op]:
    """Keys. Each of them, and each part of it, decides about rows left equal by those before it."""
    rows = [row for sample in samples for row in sample]
    starts = [sum(map(len, samples[:i])) for i in range(len(samples) + 1)]
    pairs = [two for low, high in pairwise(starts) for two in combinations(range(low, high), 2)]
    pairs = [(a, b) for a, b in pairs if rows[a] != rows[b]]
    least = [int(share * len(pairs)) for share in _TIED[: count - 1]] + [0]
    keys: list[Op] = []
    for _ in range(60):
        key = _key(chance, kinds)
        tied = _left_equal(key, rows, pairs)
        if tied is not None and len(tied) >= least[len(keys)]:
            keys.append(key)
            pairs = tied
            if len(keys) == count:
                return keys
    raise Unfit


def _left_equal(key: Op, rows: Rows, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """The pairs left equal by a key; None if a part of it makes no difference in the order of the others."""
    values = [key.run(row) for row in rows]
    signs = [(values[a] > values[b]) - (values[a] < values[b]) for a, b in pairs]
    for other in ([0] * len(rows), *([fault(row) for row in rows] for fault in key.faults)):
        shown = sum(
            (other[a] > other[b]) - (other[a] < other[b]) != sign for (a, b), sign in zip(pairs, signs, strict=True)
        )
        if shown < 4:
            return None
    return [two for two, sign in zip(pairs, signs, strict=True) if sign == 0]


def _key(chance: Chance, kinds: Sequence[str]) -> Op:
    """A value computed from a row with the parts x, y and z."""
    place = chance.below(len(kinds))
    name = "xyz"[place]
    numbers = [i for i, kind in enumerate(kinds) if kind == "int"]
    if kinds[place] == "string":
        if chance.happens(0.3):
            return Op(f"`{name}`", name, lambda row: row[place])
        op = chance.pick((_string_key, string_map))(chance)
        if REVERSE in op.helpers:  # few words are in another order then
            op = _string_key(chance)
        return _of_part(op, place)
    if len(numbers) == 2 and chance.happens(0.4):
        first, second = chance.shuffled(numbers)
        join = join_key(chance)
        return Op(
            join.say("xyz"[first], "xyz"[second]),
            join.code("xyz"[first], "xyz"[second]),
            lambda row: join.run(row[first], row[second]),
            join.helpers,
            (
                lambda row: row[first],
                lambda row: row[second],
                lambda row: row[first] + row[second],
                *(lambda row, fault=fault: fault(row[first], row[second]) for fault in join.faults),
            ),
        )
    if chance.happens(0.3):
        test = int_test(chance)
        truth = _of_part(test, place)
        return truth._replace(words=f"whether {truth.words} (false comes before true)")
    return _of_part(int_key(chance), place)


def _of_part(op: Op, place: int) -> Op:
    """The operation on that part of a row; one of its faults is to give back the part."""
    return Op(
        op.say("xyz"[place]),
        op.code("xyz"[place]),
        lambda row: op.run(row[place]),
        op.helpers,
        (
            lambda row: row[place],
            *(lambda row, fault=fault: fault(row[place]) for fault in op.faults),
        ),
    )


_COUNT = "let count p s = String.fold_left (fun n c -> if p c then n + 1 else n) 0 s"


def _string_key(chance: Chance) -> Op:
    """A number made from a string."""
    if chance.happens(0.3):
        return Op("the number of characters of {x}", "String.length {x}", len)
    k, test = chance.between(2, 5), char_test(chance)

    def run(s: str, k: int, test: Callable[[str], bool]) -> int:
        return len(s) + k * sum(1 for c in s if test(c))

    return Op(
        f"the number of characters of {{x}} plus {k} times the number of characters `c` in it for which "
        f"{test.say('c')}",
        f"String.length {{x}} + ({k} * count (fun c -> {test.code('c')}) {{x}})",
        lambda s: run(s, k, test.run),
        (*test.helpers, _COUNT),
        (
            len,
            lambda s: run(s, 1, test.run),
            lambda s: sum(1 for c in s if test.run(c)),
            lambda s: len(s) + k * any(map(test.run, s)),
            *(lambda s, fault=fault: run(s, k, fault) for fault in test.faults),
        ),
    )


def _condition(chance: Chance, kinds: Sequence[str], samples: Sequence[Rows]) -> Op:
    """A question about a row with the answer yes for most of them."""
    place = chance.below(len(kinds))
    values = [row[place] for sample in samples for row in sample]
    draw = string_test if kinds[place] == "string" else int_test
    for _ in range(20):
        test = telling(chance, draw, [(value,) for value in sorted({*values})])
        if 0.5 <= sum(map(test.run, values)) / len(values) <= 0.9:
            return _of_part(test, place)._replace(faults=_of_part(test, place).faults[1:])
    raise Unfit


FAMILY = Family(
    name="sorting.keys",
    topics=("sorting-searching", "lists"),
    description="tuples in the order of several computed keys",
    make=_keys,
)
