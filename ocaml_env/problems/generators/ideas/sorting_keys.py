"""Tuples in the order of several computed keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_key, int_test, join_key
from ocaml_env.problems.generators.letters import string_key, string_map, string_test
from ocaml_env.problems.generators.values import Show, integer, listing, pair, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs, series

__all__ = ["FAMILY"]

Row = tuple[Any, ...]


_SHOWS: dict[str, Show] = {"int": integer, "string": text}


_FEW = ("amber", "bee", "Cedar", "delta", "ebb", "fig", "Grove", "iris", "lake", "noon", "oak", "radar")


def _keys(chance: Chance, level: int) -> Draft:
    name = chance.pick(("arrange", "order", "sort_rows", "line_up", "sequence"))
    kinds = chance.shuffled(("string", "int", "int") if level >= 2 else ("string", "int"))
    keys = [_key(chance, kinds) for _ in range(2 if level <= 2 else 3)]
    down = [chance.happens(0.5) for _ in keys]
    if len({key.ocaml for key in keys}) < len(keys):
        raise Unfit
    unique = level >= 3 and chance.happens(0.5)  # only the first with equal keys
    keep = _condition(chance, kinds) if level >= 4 else None
    limit = chance.between(2, 4) if level >= 5 else 0

    def run(rows: Sequence[Row]) -> list[Row]:
        made = [row for row in rows if keep is None or keep.run(row)]
        for key, descending in zip(keys[::-1], down[::-1], strict=True):
            made = sorted(made, key=key.run, reverse=descending)
        if unique:
            seen: set[tuple[Any, ...]] = set()
            made, every = [], made
            for row in every:
                values = tuple(key.run(row) for key in keys)
                if values not in seen:
                    seen.add(values)
                    made.append(row)
        return made[:limit] if limit else made

    def draw() -> list[Row]:
        words, low, high = chance.sample(_FEW, 4), chance.pick((0, -9)), chance.pick((5, 9, 30))
        return [
            tuple(chance.pick(words) if kind == "string" else chance.number(low, high) for kind in kinds)
            for _ in range(chance.between(4, 8))
        ]

    drawn = [draw() for _ in range(8)]
    tried = [[row for row in rows if keep is None or keep.run(row)] for rows in drawn]
    if keep and not 0.4 <= sum(map(len, tried)) / sum(map(len, drawn)) <= 0.9:
        raise Unfit
    for i in range(len(keys)):  # every key decides something
        if (
            sum(
                sorted(rows, key=lambda row: [key.run(row) for key in keys])
                != sorted(rows, key=lambda row: [key.run(row) for j, key in enumerate(keys) if j != i])
                for rows in tried
            )
            < 2
        ):
            raise Unfit
    size = "pairs" if len(kinds) == 2 else "triples"
    names = ("`x`", "`y`", "`z`")[: len(kinds)]
    parts = [f"Keep only the {size} for which {keep.words}."] if keep else []
    said = [f"{key.words}, in {'descending' if d else 'ascending'} order" for key, d in zip(keys, down, strict=True)]
    rest = "".join(f"; where that is equal, by {one}" for one in said[1:])
    parts.append(f"Sort them by {said[0]}{rest}. Where all of that is equal, they keep their order.")
    parts += [f"Of {size} for which all of that is equal, keep only the first."] if unique else []
    parts += [f"Keep only the first {limit} (all if there are fewer)."] if limit else []
    pattern = "(" + ", ".join(one.strip("`") for one in names) + ")"
    chain = _chain(keys, down, pattern)
    lines = [f"let compare_rows a b =\n{chain}", "", f"let {name} l =", "  l"]
    lines += [f"  |> List.filter (fun {pattern} -> {keep.ocaml})"] if keep else []
    lines += ["  |> List.stable_sort compare_rows"]
    lines += ["  |> unique"] if unique else []
    lines += [f"  |> List.filteri (fun i _ -> i < {limit})"] if limit else []
    helper = """\
let ascend key a b = compare (key a) (key b)

let descend key a b = compare (key b) (key a)"""
    once = """\
let rec unique = function
  | a :: (b :: _ as rest) -> if compare_rows a b = 0 then unique (a :: List.tl rest) else a :: unique rest
  | l -> l"""
    code = "\n".join(lines)
    if unique:
        code = code.replace(f"\n\nlet {name} l", f"\n\n{once}\n\nlet {name} l")
    kind = " * ".join(kinds)
    show = listing(pair(*(_SHOWS[one] for one in kinds)))
    ops = [*keys, *([keep] if keep else [])]

    def cases() -> Iterator[Case]:
        one = draw()[:1]
        for rows in inputs(draw, [[], one, one * 2 + draw()]):
            yield case(name, [show(rows)], show(run(rows)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` puts a list of {size} in order; it may be empty. {series(names)} stand for the parts of a "
            f"{size.removesuffix('s')}, the first one first.",
            numbered(parts),
            f"The result is the list of the {size} that are left, as they were.",
        ),
        signature=f"val {name} : ({kind}) list -> ({kind}) list",
        reference=module([h for op in ops for h in op.helpers], helper, code),
        cases=cases(),
        together=2,
    )


def _chain(keys: Sequence[Op], down: Sequence[bool], pattern: str) -> str:
    """A comparison by one key after another."""
    calls = [
        f"{'descend' if d else 'ascend'} (fun {pattern} -> {key.ocaml}) a b" for key, d in zip(keys, down, strict=True)
    ]
    code = f"  {calls[-1]}"
    for call in reversed(calls[:-1]):
        code = f"  let order = {call} in\n  if order <> 0 then order else\n{code}"
    return code


def _key(chance: Chance, kinds: Sequence[str]) -> Op:
    """Something computed of a row, whose parts are called x, y and z."""
    place = chance.below(len(kinds))
    name = "xyz"[place]
    numbers = [i for i, kind in enumerate(kinds) if kind == "int"]
    if kinds[place] == "string":
        op = chance.pick((string_key, string_key, string_map))(chance)
        if chance.happens(0.3):
            return Op(f"`{name}`", name, lambda row: row[place])
        return Op(op.say(name), op.code(name), lambda row: op.run(row[place]), op.helpers)
    if len(numbers) == 2 and chance.happens(0.4):
        first, second = chance.shuffled(numbers)
        join = join_key(chance)
        return Op(
            join.say("xyz"[first], "xyz"[second]),
            join.code("xyz"[first], "xyz"[second]),
            lambda row: join.run(row[first], row[second]),
            join.helpers,
        )
    if chance.happens(0.3):
        test = int_test(chance)
        return Op(
            f"whether {test.say(name)} (false comes before true)",
            test.code(name),
            lambda row: bool(test.run(row[place])),
            test.helpers,
        )
    image = int_key(chance)
    return Op(image.say(name), image.code(name), lambda row: image.run(row[place]), image.helpers)


def _condition(chance: Chance, kinds: Sequence[str]) -> Op:
    place = chance.below(len(kinds))
    name = "xyz"[place]
    test = string_test(chance) if kinds[place] == "string" else int_test(chance)
    return Op(test.say(name), test.code(name), lambda row: test.run(row[place]), test.helpers)


FAMILY = Family(
    name="sorting.keys",
    topics=("sorting-searching", "lists"),
    description="tuples in the order of several computed keys",
    make=_keys,
)
