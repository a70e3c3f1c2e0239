"""A list of records filtered, sorted, cut and projected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_key, int_map, int_test, join_key
from ocaml_env.problems.generators.letters import string_map, string_test
from ocaml_env.problems.generators.shapes import Shape, some_shape
from ocaml_env.problems.generators.values import Show, integer, listing, pair, text, truth
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Record = tuple[Any, ...]


_SHOWS: dict[str, Show] = {"int": integer, "string": text, "bool": truth}


class _Column(NamedTuple):
    """Something that is read from a record ``r``."""

    words: str
    ocaml: str
    kind: str
    run: Callable[[Record], Any]
    helpers: tuple[str, ...] = ()


def condition(chance: Chance, shape: Shape) -> Op:
    """A question about one field of a record ``r``."""
    place = chance.below(len(shape.fields))
    field = shape.fields[place]
    if field.kind == "bool":
        if chance.happens(0.5):
            return Op(f"its `{field.name}` is true", f"r.{field.name}", lambda r: r[place])
        return Op(f"its `{field.name}` is false", f"not r.{field.name}", lambda r: not r[place])
    op = string_test(chance) if field.kind == "string" else int_test(chance)
    return Op(op.say(field.name), op.code(f"r.{field.name}"), lambda r: op.run(r[place]), op.helpers)


def derived(chance: Chance, shape: Shape, *, as_key: bool = False) -> _Column:
    """A field of a record ``r``, or something computed from one or two; to be shown, or to sort by."""
    place = chance.below(len(shape.fields))
    field = shape.fields[place]
    if field.kind == "bool" or chance.happens(0.3):
        return _Column(f"its `{field.name}`", f"r.{field.name}", field.kind, lambda r: r[place])
    if field.kind == "string":
        op = string_map(chance)
        return _Column(op.say(field.name), op.code(f"r.{field.name}"), "string", lambda r: op.run(r[place]), op.helpers)
    numbers = shape.places("int")
    if len(numbers) > 1 and chance.happens(0.5):
        first, second = chance.sample(numbers, 2)
        a, b = shape.fields[first].name, shape.fields[second].name
        join = (join_key if as_key else int_join)(chance)
        return _Column(
            join.say(a, b), join.code(f"r.{a}", f"r.{b}"), "int", lambda r: join.run(r[first], r[second]), join.helpers
        )
    image = (int_key if as_key else int_map)(chance)
    return _Column(
        image.say(field.name), image.code(f"r.{field.name}"), "int", lambda r: image.run(r[place]), image.helpers
    )


class _Key(NamedTuple):
    column: _Column
    descending: bool

    @property
    def words(self) -> str:
        return f"{self.column.words}, in {'descending' if self.descending else 'ascending'} order"

    @property
    def ocaml(self) -> str:
        """A comparison of two records."""
        one = f"(fun r -> {self.column.ocaml})"
        return f"descending {one}" if self.descending else f"ascending {one}"


def order_helpers(keys: Sequence[_Key], thing: str) -> list[str]:
    """The comparisons that the keys need."""
    down = {key.descending for key in keys}
    return [
        *([f"let ascending (key : {thing} -> 'k) a b = compare (key a) (key b)"] if False in down else []),
        *([f"let descending (key : {thing} -> 'k) a b = compare (key b) (key a)"] if True in down else []),
    ]


def order_of(chance: Chance, shape: Shape, count: int) -> list[_Key]:
    """Keys to sort by, the most important first."""
    keys = [_Key(derived(chance, shape, as_key=True), chance.happens(0.5)) for _ in range(count)]
    if len({key.column.ocaml for key in keys}) < count:
        raise Unfit
    return keys


def _sorted(keys: Sequence[_Key], rows: Sequence[Record]) -> list[Record]:
    made = list(rows)
    for key in reversed(keys):
        made = sorted(made, key=key.column.run, reverse=key.descending)
    return made


def order_words(keys: Sequence[_Key], plural: str) -> str:
    first, *rest = keys
    then = "".join(f"; where that is equal, by {key.words}" for key in rest)
    return f"Sort the {plural} by {first.words}{then}. Where all of that is equal, they keep their order."


def order_code(keys: Sequence[_Key]) -> str:
    if len(keys) == 1:
        return f"List.stable_sort ({keys[0].ocaml})"
    first, second = (f"{key.ocaml} a b" for key in keys[:2])
    return f"List.stable_sort (fun a b -> match {first} with 0 -> {second} | order -> order)"


def _query(chance: Chance, level: int) -> Draft:
    shape = some_shape(chance, chance.between(1, 2), 2, chance.below(2))
    name = chance.pick(("query", "report", "select", "answer", "listing"))
    tests = [condition(chance, shape) for _ in range(1 if level <= 2 else 2)]
    either = len(tests) == 2 and chance.happens(0.4)
    keys = order_of(chance, shape, (0, 1, 1, 2, 2)[level - 1])
    limit = chance.between(2, 4) if level >= 3 else 0
    columns = [derived(chance, shape) for _ in range((1, 1, 2, 2, 3)[level - 1])]
    if len({column.ocaml for column in columns}) < len(columns) or len({test.ocaml for test in tests}) < len(tests):
        raise Unfit
    closing = _closing(chance) if level >= 4 else None

    def fits(r: Record) -> bool:
        return (any if either else all)(test.run(r) for test in tests)

    def run(rows: Sequence[Record]) -> list[tuple[Any, ...]]:
        kept = _sorted(keys, [r for r in rows if fits(r)])
        kept = kept[:limit] if limit else kept
        made = [tuple(column.run(r) for column in columns) for r in kept]
        return closing.run(made) if closing else made

    def draw() -> list[Record]:
        words = chance.sample(_FEW, 4)
        low, high = chance.pick((0, 0, -9)), chance.pick((5, 9, 30))
        return [shape.draw(chance, words, low, high) for _ in range(chance.between(3, 7))]

    tried = [draw() for _ in range(8)]
    kept = [[r for r in rows if fits(r)] for rows in tried]
    if not 0.3 <= sum(map(len, kept)) / sum(map(len, tried)) <= 0.85:
        raise Unfit
    for i in range(len(keys)):  # every key decides something
        rest = [*keys[:i], *keys[i + 1 :]]
        if sum(_sorted(keys, rows) != _sorted(rest, rows) for rows in kept) < 2:
            raise Unfit
    thing, plural = shape.name, shape.plural
    word = " or " if either else " and "
    asked = word.join(test.words for test in tests)
    parts = [f"Keep only the {plural} for which {asked}{' (or both)' if either else ''}."]
    parts += [order_words(keys, plural)] if keys else []
    parts += [f"Keep only the first {limit} of them (all if there are fewer)."] if limit else []
    described = [column.words for column in columns]
    if len(columns) == 1:
        parts.append(f"Replace each {thing} by {described[0]}.")
    else:
        size = "pair" if len(columns) == 2 else "triple"
        parts.append(f"Replace each {thing} by a {size}, whose parts are: {'; '.join(described)}.")
    parts += [f"{closing.words}."] if closing else []
    shows = [_SHOWS[column.kind] for column in columns]
    show = listing(pair(*shows)) if len(columns) > 1 else listing(lambda row: shows[0](row[0]))
    kind = " * ".join(column.kind for column in columns)
    made = ", ".join(column.ocaml for column in columns)
    lines = [f"let {name} {plural} =", f"  {plural}"]
    junction = " || " if either else " && "
    lines.append(f"  |> List.filter (fun (r : {thing}) -> {junction.join(f'({test.ocaml})' for test in tests)})")
    lines += [f"  |> {order_code(keys)}"] if keys else []
    lines += [f"  |> List.filteri (fun i _ -> i < {limit})"] if limit else []
    lines += [f"  |> List.map (fun (r : {thing}) -> {f'({made})' if len(columns) > 1 else made})"]
    lines += [f"  |> {closing.ocaml}"] if closing else []
    helpers = [helper for column in (*(key.column for key in keys), *columns) for helper in column.helpers]
    code = "\n".join(lines)

    def cases() -> Iterator[Case]:
        lone = draw()[:1]
        for rows in inputs(draw, [[], lone, lone * 3]):
            yield case(name, [listing(shape.show)(rows)], show(run(rows)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} {plural}` makes something of a list of {plural}, which may be empty, in these steps:",
            numbered(parts),
            "The result is what is there after the last step.",
        ),
        signature=f"{shape.declaration}\n\n"
        f"val {name} : {thing} list -> {f'({kind})' if len(columns) > 1 else kind} list",
        reference=module(
            shape.declaration,
            [helper for test in tests for helper in test.helpers],
            helpers,
            order_helpers(keys, thing),
            code,
        ),
        cases=cases(),
    )


_FEW = ("amber", "bee", "Cedar", "delta", "ebb", "fig", "Grove", "iris", "lake", "noon", "oak", "radar")


def _closing(chance: Chance) -> Op:
    return chance.pick(
        (
            Op("Reverse the list", "List.rev", lambda rows: rows[::-1]),
            Op(
                "Of equal results keep only the first",
                "(fun l -> List.rev (List.fold_left (fun kept x -> if List.mem x kept then kept else x :: kept) [] l))",
                lambda rows: [*dict.fromkeys(rows)],
            ),
            Op(
                "Move the first result to the end (if there are any)",
                "(function first :: rest -> rest @ [ first ] | [] -> [])",
                lambda rows: [*rows[1:], *rows[:1]],
            ),
        )
    )


FAMILY = Family(
    name="records.query",
    topics=("variants-records", "lists", "sorting-searching"),
    description="a list of records filtered, sorted, cut and projected",
    make=_query,
)
