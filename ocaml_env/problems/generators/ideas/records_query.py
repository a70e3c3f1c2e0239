"""A list of records filtered, sorted, cut and projected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_key, int_map, int_test, join_key
from ocaml_env.problems.generators.letters import some_text, string_map, string_test
from ocaml_env.problems.generators.shapes import Field, Shape, some_shape
from ocaml_env.problems.generators.values import Show, integer, listing, pair, text, truth
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Record = tuple[Any, ...]
Rows = Sequence[Record]

_NAMES = ("query", "report", "select", "answer", "listing")
_TRIED = 24  # lists
_TELLING = 2  # lists at least that must show each part
_DRAWS = 50  # attempts to draw a part that makes a difference

_SHOWS: dict[str, Show] = {"int": integer, "string": text, "bool": truth}
_ORDERS = {
    ("int", False): "in ascending order",
    ("int", True): "in descending order",
    ("string", False): "in ascending order (that of `compare`)",
    ("string", True): "in descending order (the opposite of that of `compare`)",
    ("bool", False): "`false` before `true`",
    ("bool", True): "`true` before `false`",
}


class _Column(NamedTuple):
    """A value read from a record ``r``; ``faults`` are its meanings with a part forgotten."""

    words: str
    ocaml: str
    kind: str
    run: Callable[[Record], Any]
    helpers: tuple[str, ...] = ()
    faults: tuple[Callable[[Record], Any], ...] = ()


class _Key(NamedTuple):
    """A sort key."""

    column: _Column
    descending: bool

    @property
    def words(self) -> str:
        return f"{self.column.words}, {_ORDERS[self.column.kind, self.descending]}"

    @property
    def helper(self) -> str:
        return "descending" if self.descending else "ascending"

    @property
    def ocaml(self) -> str:
        """A comparison of two records."""
        return f"{self.helper} (fun r -> {self.column.ocaml})"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Query:
    """The steps, in this order.

    Attributes:
        tests: questions about a record.
        either: True if one of them is enough.
        keys: to sort by, the most important first; there may be none.
        limit: the most records to keep; 0 for all.
        columns: the shown parts of a record; if there are none yet, all of it.
        closing: an operation on the final list.
    """

    shape: Shape
    name: str
    tests: tuple[Op, ...]
    either: bool
    keys: tuple[_Key, ...]
    limit: int
    columns: tuple[_Column, ...]
    closing: Op | None

    def fits(self, r: Record) -> bool:
        return (any if self.either else all)(test.run(r) for test in self.tests)


def _query(chance: Chance, level: int) -> Draft:
    query = _draw(chance, level)
    shape, columns = query.shape, query.columns
    show = _SHOWS[columns[0].kind] if len(columns) == 1 else pair(*(_SHOWS[column.kind] for column in columns))
    kind = " * ".join(column.kind for column in columns)

    def cases() -> Iterator[Case]:
        lone = _rows(chance, shape)[:1]
        for rows in inputs(lambda: _rows(chance, shape), [[], lone, lone * 3]):
            made = _run(query, rows)
            shown = [row[0] for row in made] if len(columns) == 1 else made
            yield case(query.name, [listing(shape.show)(rows)], listing(show)(shown))

    return Draft(
        name=query.name,
        statement=_statement(query),
        signature=f"{shape.declaration}\n\n"
        f"val {query.name} : {shape.name} list -> {f'({kind})' if len(columns) > 1 else kind} list",
        reference=module(
            shape.declaration,
            [helper for test in query.tests for helper in test.helpers],
            [helper for column in (*(key.column for key in query.keys), *columns) for helper in column.helpers],
            _order_helpers(query),
            _code(query),
        ),
        cases=cases(),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _draw(chance: Chance, level: int) -> _Query:
    """Draws one part after the other, each until it makes a difference."""
    shape = some_shape(chance, chance.between(1, 2), 2, chance.below(2))
    query = _Query(
        shape=shape,
        name=chance.pick(_NAMES),
        tests=(),
        either=False,
        keys=(),
        limit=chance.between(2, 3) if level > 1 else 0,
        columns=(),
        closing=chance.pick(_CLOSINGS) if level > 3 else None,
    )
    lists = [_rows(chance, shape) for _ in range(_TRIED)]
    query = _drawn(partial(_with_tests, chance, query, 1 if level == 1 else 2), lists)
    for _ in range({1: chance.below(2), 3: 1, 5: 2}[level]):
        query = _drawn(partial(_with_key, chance, query), lists)
    for _ in range({1: 1, 3: 2, 5: 3}[level]):
        query = _drawn(partial(_with_column, chance, query), lists)
    return query


def _with_tests(chance: Chance, query: _Query, count: int) -> _Query:
    tests = tuple(_condition(chance, query.shape) for _ in range(count))
    return replace(query, tests=tests, either=count > 1 and chance.happens(0.4))


def _with_key(chance: Chance, query: _Query) -> _Query:
    key = _Key(_derived(chance, query.shape, as_key=True), chance.happens(0.5))
    return replace(query, keys=(*query.keys, key))


def _with_column(chance: Chance, query: _Query) -> _Query:
    return replace(query, columns=(*query.columns, _derived(chance, query.shape)))


def _drawn(draw: Callable[[], _Query], lists: Sequence[Rows]) -> _Query:
    for _ in range(_DRAWS):
        query = draw()
        if _tells(query, lists):
            return query
    raise Unfit


def _tells(query: _Query, lists: Sequence[Rows]) -> bool:
    """True if every part of the query makes a difference for some of the lists."""
    rows = [r for each in lists for r in each]
    if not 0.3 <= sum(map(query.fits, rows)) / len(rows) <= 0.85:
        return False
    for parts in (query.keys, query.columns):
        if len({*parts}) < len(parts):
            return False
    made = [_run(query, each) for each in lists]
    return all(_differs(wrong, lists, made) for wrong in _wrong(query))


def _differs(wrong: _Query, lists: Sequence[Rows], made: Sequence[Rows]) -> bool:
    found = 0
    for rows, right in zip(lists, made, strict=True):
        found += _run(wrong, rows) != right
        if found == _TELLING:
            return True
    return False


def _wrong(query: _Query) -> Iterator[_Query]:
    """The query with a part of it left out."""
    for i, test in enumerate(query.tests):
        before, after = query.tests[:i], query.tests[i + 1 :]
        yield replace(query, tests=(*before, *after), either=query.either and bool(before or after))
        for fault in test.faults:
            yield replace(query, tests=(*before, test._replace(run=fault), *after))
    for i, key in enumerate(query.keys):
        yield replace(query, keys=(*query.keys[:i], *query.keys[i + 1 :]))
        for fault in key.column.faults:
            changed = key._replace(column=key.column._replace(run=fault))
            yield replace(query, keys=(*query.keys[:i], changed, *query.keys[i + 1 :]))
    for i, column in enumerate(query.columns):
        for fault in column.faults:
            yield replace(query, columns=(*query.columns[:i], column._replace(run=fault), *query.columns[i + 1 :]))
    if query.limit:
        yield replace(query, limit=0)
    if query.closing:
        yield replace(query, closing=None)


def _rows(chance: Chance, shape: Shape) -> list[Record]:
    """A list of records. Some repeat an earlier one, or differ from it in one field."""
    words = [some_text(chance, 1) for _ in range(3)]
    low, high = chance.pick((0, 0, -9)), chance.pick((5, 9, 20))
    rows: list[Record] = []
    for _ in range(chance.between(2, 6)):
        row = shape.draw(chance, words, low, high)
        if rows and chance.happens(0.4):
            place, other = chance.below(len(row)), chance.pick(rows)
            row = other if chance.happens(0.3) else (*other[:place], row[place], *other[place + 1 :])
        rows.append(row)
    return rows


def _condition(chance: Chance, shape: Shape) -> Op:
    """A question about one field of a record ``r``."""
    place = chance.below(len(shape.fields))
    field = shape.fields[place]
    if field.kind == "bool":
        if chance.happens(0.5):
            return Op(f"`{field.name}` is true", f"r.{field.name}", lambda r: r[place])
        return Op(f"`{field.name}` is false", f"not r.{field.name}", lambda r: not r[place])
    op = string_test(chance) if field.kind == "string" else int_test(chance)
    faults = tuple(_at(fault, place) for fault in op.faults)
    return Op(op.say(field.name), op.code(f"r.{field.name}"), _at(op.run, place), op.helpers, faults)


def _at(run: Callable[..., Any], *places: int) -> Callable[[Record], Any]:
    """The operation on these fields of a record."""
    return lambda r: run(*(r[place] for place in places))


def _derived(chance: Chance, shape: Shape, *, as_key: bool = False) -> _Column:
    """A field of a record ``r``, or a value computed from one or two fields; to show, or to sort by."""
    place = chance.below(len(shape.fields))
    field = shape.fields[place]
    if field.kind == "bool" or chance.happens(0.3):
        return _Column(f"the `{field.name}`", f"r.{field.name}", field.kind, _at(_itself, place))
    numbers = shape.places("int")
    if field.kind == "int" and chance.happens(0.5):
        first, second = chance.sample(numbers, 2)
        join = (join_key if as_key else int_join)(chance)
        return _computed(join, [first, second], shape, (_itself, lambda x, y: y, int.__add__, int.__sub__))
    if field.kind == "int":
        return _computed((int_key if as_key else int_map)(chance), [place], shape, (_itself,))
    return _computed(string_map(chance), [place], shape, (_itself,))


def _itself(x: Any, *others: Any) -> Any:
    return x


def _computed(op: Op, places: Sequence[int], shape: Shape, simpler: Sequence[Callable[..., Any]]) -> _Column:
    """The result of an operation on fields. It must differ from those of the simpler ones."""
    fields: list[Field] = [shape.fields[place] for place in places]
    return _Column(
        op.say(*(field.name for field in fields)),
        op.code(*(f"r.{field.name}" for field in fields)),
        fields[0].kind,
        _at(op.run, *places),
        op.helpers,
        tuple(_at(fault, *places) for fault in (*op.faults, *simpler)),
    )


_CLOSINGS = (
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


# --- meaning ----------------------------------------------------------------------------------------------------------


def _run(query: _Query, rows: Rows) -> list[tuple[Any, ...]]:
    kept = [r for r in rows if query.fits(r)]
    for key in reversed(query.keys):
        kept.sort(key=key.column.run, reverse=key.descending)
    if query.limit:
        kept = kept[: query.limit]
    made = [tuple([column.run(r) for column in query.columns]) for r in kept] if query.columns else kept
    return query.closing.run(made) if query.closing else made


# --- words ------------------------------------------------------------------------------------------------------------


def _statement(query: _Query) -> str:
    thing, plural = query.shape.name, query.shape.plural
    asked = (" or " if query.either else " and ").join(test.words for test in query.tests)
    steps = [f"Keep only the {plural} for which {asked}{' (or both)' if query.either else ''}."]
    steps += [_order_words(query)] if query.keys else []
    steps += [f"Keep only the first {query.limit} of them (all if there are fewer)."] if query.limit else []
    described = [column.words for column in query.columns]
    if len(described) == 1:
        steps.append(f"Replace each {thing} by {described[0]}.")
    else:
        size = "pair" if len(described) == 2 else "triple"
        steps.append(f"Replace each {thing} by a {size}, whose parts are: {'; '.join(described)}.")
    steps += [f"{query.closing.words}."] if query.closing else []
    return paragraphs(
        f"`{query.name} {plural}` takes a list of {plural}, which may be empty, through these steps:",
        numbered(steps),
        "The result is what is there after the last step.",
    )


def _order_words(query: _Query) -> str:
    first, *rest = query.keys
    then = "".join(f"; where that is equal, by {key.words}" for key in rest)
    return f"Sort the {query.shape.plural} by {first.words}{then}. Where all of that is equal, they keep their order."


# --- OCaml ------------------------------------------------------------------------------------------------------------


def _code(query: _Query) -> str:
    thing, plural = query.shape.name, query.shape.plural
    asked = (" || " if query.either else " && ").join(f"({test.ocaml})" for test in query.tests)
    made = ", ".join(column.ocaml for column in query.columns)
    lines = [f"let {query.name} {plural} =", f"  {plural}", f"  |> List.filter (fun (r : {thing}) -> {asked})"]
    lines += [f"  |> {_order_code(query.keys)}"] if query.keys else []
    lines += [f"  |> List.filteri (fun i _ -> i < {query.limit})"] if query.limit else []
    lines += [f"  |> List.map (fun (r : {thing}) -> {f'({made})' if len(query.columns) > 1 else made})"]
    lines += [f"  |> {query.closing.ocaml}"] if query.closing else []
    return "\n".join(lines)


def _order_code(keys: Sequence[_Key]) -> str:
    if len(keys) == 1:
        return f"List.stable_sort ({keys[0].ocaml})"
    first, second = (f"{key.ocaml} a b" for key in keys)
    return f"List.stable_sort (fun a b -> match {first} with 0 -> {second} | order -> order)"


def _order_helpers(query: _Query) -> list[str]:
    """The comparison functions needed by the keys."""
    operands = {"ascending": "(key a) (key b)", "descending": "(key b) (key a)"}
    names = sorted({key.helper for key in query.keys})
    return [f"let {name} (key : {query.shape.name} -> 'k) a b = compare {operands[name]}" for name in names]


FAMILY = Family(
    name="records.query",
    topics=("variants-records", "lists", "sorting-searching"),
    description="a list of records filtered, sorted, cut and projected",
    make=_query,
)
