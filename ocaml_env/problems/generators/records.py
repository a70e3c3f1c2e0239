"""Families about records: questions to a list of them, and changes applied to one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test
from ocaml_env.problems.generators.letters import string_map, string_test
from ocaml_env.problems.generators.shapes import Shape, some_shape
from ocaml_env.problems.generators.values import Show, integer, listing, pair, text, truth
from ocaml_env.problems.generators.wording import a, bullets, module, numbered, paragraphs

__all__ = ["FAMILIES", "Record", "condition", "derived", "order_of"]

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


def derived(chance: Chance, shape: Shape) -> _Column:
    """A field of a record ``r``, or something computed from one or two."""
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
        join = int_join(chance)
        return _Column(
            join.say(a, b), join.code(f"r.{a}", f"r.{b}"), "int", lambda r: join.run(r[first], r[second]), join.helpers
        )
    image = int_map(chance)
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


_ORDERS = """\
let ascending key a b = compare (key a) (key b)

let descending key a b = compare (key b) (key a)"""


def order_of(chance: Chance, shape: Shape, count: int) -> list[_Key]:
    """Keys to sort by, the most important first."""
    keys = [_Key(derived(chance, shape), chance.happens(0.5)) for _ in range(count)]
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


# --- questions --------------------------------------------------------------------------------------------------------


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
        return [shape.draw(chance, words, high=chance.pick((9, 30))) for _ in range(chance.between(2, 5))]

    if not 4 <= sum(fits(r) for _ in range(4) for r in draw()) <= 15:
        raise Unfit
    thing, plural = shape.name, shape.plural
    word = " or " if either else " and "
    asked = word.join(test.words for test in tests)
    parts = [f"Keep only each {thing} for which {asked}{' (or both)' if either else ''}."]
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
            _ORDERS.replace("key a b", f"(key : {thing} -> 'k) a b") if keys else "",
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


# --- changes ----------------------------------------------------------------------------------------------------------


class _Change(NamedTuple):
    """A constructor of the type of changes; ``run`` gives None where the change is not allowed."""

    name: str
    payload: str  # a type, or ""
    words: str
    allowed: str  # OCaml for when it is allowed; n or s is what the constructor carries
    fields: tuple[tuple[str, str], ...]
    run: Callable[[Record, Any], Record | None]
    helpers: tuple[str, ...] = ()


def _changes(chance: Chance, level: int) -> Draft:
    shape = some_shape(chance, 1, 2 if level <= 2 else 3, 1 if level >= 2 else 0)
    thing = shape.name
    kinds = chance.sample(_CHANGES if level >= 2 else _CHANGES[:-1], (3, 4, 4, 5, 6)[level - 1])
    changes = [kind(chance, shape) for kind in kinds]
    if len({change.name for change in changes}) < len(changes):
        raise Unfit
    strict = level >= 3 and chance.happens(0.5)  # the first change that is not allowed ends it
    counted = not strict and level >= 2

    def run(r: Record, made: Sequence[tuple[_Change, Any]]) -> tuple[Record, int]:
        refused = 0
        for change, payload in made:
            after = change.run(r, payload)
            if after is not None:
                r = after
            elif strict:
                return r, 1
            else:
                refused += 1
        return r, refused

    def show_change(made: tuple[_Change, Any]) -> str:
        change, payload = made
        if not change.payload:
            return change.name
        return f"{change.name} {_atom(text(payload) if change.payload == 'string' else integer(payload))}"

    def draw() -> tuple[Record, list[tuple[_Change, Any]]]:
        picked = [chance.pick(changes) for _ in range(chance.between(1, 5))]
        return shape.draw(chance, _FEW, high=18), [(change, _payload(chance, change)) for change in picked]

    used = [draw() for _ in range(12)]
    for change in changes:
        if all(change.run(r, payload) in (None, r) for r, made in used for each, payload in made if each is change):
            raise Unfit
    result = f"{thing} * int" if counted else f"({thing}, {thing}) result" if strict else thing
    endings = (
        f"`apply {thing} changes` applies the changes of the list in order and stops at the first that is not allowed: "
        f"then it is `Error` of the {thing} as it is before that change. If all are allowed it is `Ok` of the {thing} "
        "after the last one.",
        f"`apply {thing} changes` applies the changes of the list in order; those that are not allowed are skipped. "
        "It is "
        f"the pair of the {thing} after the last one and of how many were skipped.",
        f"`apply {thing} changes` is the {thing} after all changes of the list, in order; those that are not allowed "
        "are "
        "skipped.",
    )
    ending = endings[0] if strict else endings[1] if counted else endings[2]
    declared = " | ".join(f"{change.name} of {change.payload}" if change.payload else change.name for change in changes)
    statement = paragraphs(
        f"These are the changes that {a(thing)} can go through:",
        bullets(f"`{change.name}{_variable(change)}`: {change.words}." for change in changes),
        "All that is not mentioned stays as it is. Values on the right of a change are those before it.",
        ending,
    )
    arms = [_arm(change, shape) for change in changes]
    step = f"let change ({thing} : {thing}) = function\n" + "\n".join(arms)
    loops = {
        "strict": f"""\
let rec apply {thing} = function
  | [] -> Ok {thing}
  | first :: rest -> (
    match change {thing} first with
    | Some after -> apply after rest
    | None -> Error {thing})""",
        "counted": f"""\
let apply {thing} changes =
  let step ({thing}, skipped) one =
    match change {thing} one with
    | Some after -> (after, skipped)
    | None -> ({thing}, skipped + 1)
  in
  List.fold_left step ({thing}, 0) changes""",
        "plain": f"""\
let apply {thing} changes =
  List.fold_left (fun {thing} one -> Option.value (change {thing} one) ~default:{thing}) {thing} changes""",
    }
    loop = loops["strict" if strict else "counted" if counted else "plain"]

    def show(answer: tuple[Record, int]) -> str:
        r, refused = answer
        if strict:
            return f"{'Error' if refused else 'Ok'} {shape.show(r)}"
        return f"({shape.show(r)}, {refused})" if counted else shape.show(r)

    def cases() -> Iterator[Case]:
        start = shape.draw(chance, _FEW, high=9)
        edges: list[tuple[Record, list[tuple[_Change, Any]]]] = [(start, [])]
        edges += [(start, [(change, _payload(chance, change))] * 2) for change in changes]
        for r, made in inputs(draw, edges):
            yield case("apply", [shape.show(r), listing(show_change)(made)], show(run(r, made)))

    return Draft(
        name="apply",
        statement=statement,
        signature=f"{shape.declaration}\n\ntype change = {declared}\n\nval apply : {thing} -> change list -> {result}",
        reference=module(
            shape.declaration,
            f"type change = {declared}",
            [helper for change in changes for helper in change.helpers],
            step,
            loop,
        ),
        cases=cases(),
        together=2,
    )


def _atom(literal: str) -> str:
    return f"({literal})" if literal.startswith("-") else literal


def _variable(change: _Change) -> str:
    return {"": "", "int": " n", "string": " s"}[change.payload]


def _payload(chance: Chance, change: _Change) -> object:
    if change.payload == "string":
        return chance.pick(_FEW)
    return chance.number(-5, 20) if change.payload else None


def _arm(change: _Change, shape: Shape) -> str:
    thing = shape.name
    sets = "; ".join(f"{name} = {value}" for name, value in change.fields)
    every = len(change.fields) == len(shape.fields)
    made = f"Some {{ {sets} }}" if every else f"Some {{ {thing} with {sets} }}"
    made = f"if {change.allowed} then {made} else None" if change.allowed else made
    return f"  | {change.name}{_variable(change)} -> {made}"


def _with(r: Record, *sets: tuple[int, Any]) -> Record:
    made = list(r)
    for place, value in sets:
        made[place] = value
    return tuple(made)


def _add(chance: Chance, shape: Shape) -> _Change:
    place, top = chance.pick(shape.places("int")), chance.between(14, 25)
    f = shape.fields[place].name
    read = f"{shape.name}.{f}"
    return _Change(
        f"Add_{f}",
        "int",
        f"adds `n` to `{f}`; not allowed if the new value would be below 0 or above {top}",
        f"{read} + n >= 0 && {read} + n <= {top}",
        ((f, f"{read} + n"),),
        lambda r, n: _with(r, (place, r[place] + n)) if 0 <= r[place] + n <= top else None,
    )


def _set(chance: Chance, shape: Shape) -> _Change:
    place, test, op = chance.pick(shape.places("int")), int_test(chance), int_map(chance)
    f = shape.fields[place].name
    return _Change(
        f"Set_{f}",
        "int",
        f"sets `{f}` to {op.say('n')}; allowed only if `n` is such that {test.say('n')}",
        test.code("n"),
        ((f, op.code("n")),),
        lambda r, n: _with(r, (place, op.run(n))) if test.run(n) else None,
        test.helpers + op.helpers,
    )


def _move(chance: Chance, shape: Shape) -> _Change:
    source, target = chance.sample(shape.places("int"), 2)
    f, g = shape.fields[source].name, shape.fields[target].name
    thing = shape.name
    return _Change(
        "Move",
        "int",
        f"takes `n` from `{f}` and adds it to `{g}`; not allowed if `n` is negative or greater than `{f}`",
        f"n >= 0 && n <= {thing}.{f}",
        ((f, f"{thing}.{f} - n"), (g, f"{thing}.{g} + n")),
        lambda r, n: _with(r, (source, r[source] - n), (target, r[target] + n)) if 0 <= n <= r[source] else None,
    )


def _swap(chance: Chance, shape: Shape) -> _Change:
    first, second = chance.sample(shape.places("int"), 2)
    f, g = shape.fields[first].name, shape.fields[second].name
    thing, op = shape.name, int_map(chance)
    return _Change(
        "Swap",
        "",
        f"sets `{f}` to `{g}`, and `{g}` to {op.say(f)}",
        "",
        ((f, f"{thing}.{g}"), (g, op.code(f"{thing}.{f}"))),
        lambda r, _: _with(r, (first, r[second]), (second, op.run(r[first]))),
        op.helpers,
    )


def _join(chance: Chance, shape: Shape) -> _Change:
    first, second = chance.sample(shape.places("int"), 2)
    f, g = shape.fields[first].name, shape.fields[second].name
    thing, op, test = shape.name, int_join(chance), int_test(chance)
    return _Change(
        f"Update_{f}",
        "",
        f"sets `{f}` to {op.say(f, g)}; allowed only if {test.say(g)}",
        test.code(f"{thing}.{g}"),
        ((f, op.code(f"{thing}.{f}", f"{thing}.{g}")),),
        lambda r, _: _with(r, (first, op.run(r[first], r[second]))) if test.run(r[second]) else None,
        op.helpers + test.helpers,
    )


def _rename(chance: Chance, shape: Shape) -> _Change:
    place = shape.places("string")[0]
    f = shape.fields[place].name
    op, test = string_map(chance), string_test(chance)
    return _Change(
        "Rename",
        "string",
        f"sets `{f}` to {op.say('s')}; allowed only if {test.say('s')}",
        test.code("s"),
        ((f, op.code("s")),),
        lambda r, s: _with(r, (place, op.run(s))) if test.run(s) else None,
        op.helpers + test.helpers,
    )


def _mark(chance: Chance, shape: Shape) -> _Change:
    place = shape.places("string")[0]
    f = shape.fields[place].name
    op = string_map(chance)
    return _Change(
        "Mark",
        "",
        f"sets `{f}` to {op.say(f)}",
        "",
        ((f, op.code(f"{shape.name}.{f}")),),
        lambda r, _: _with(r, (place, op.run(r[place]))),
        op.helpers,
    )


def _toggle(chance: Chance, shape: Shape) -> _Change:
    flag, place = shape.places("bool")[0], chance.pick(shape.places("int"))
    b, f = shape.fields[flag].name, shape.fields[place].name
    k = chance.between(1, 5)
    thing = shape.name
    return _Change(
        "Toggle",
        "",
        f"sets `{b}` to true if it is false, and to false if it is true, and takes {k} from `{f}`; not allowed if "
        f"`{f}` is "
        f"less than {k}",
        f"{thing}.{f} >= {k}",
        ((b, f"not {thing}.{b}"), (f, f"{thing}.{f} - {k}")),
        lambda r, _: _with(r, (flag, not r[flag]), (place, r[place] - k)) if r[place] >= k else None,
    )


_CHANGES = (_add, _set, _move, _swap, _join, _rename, _mark, _toggle)


FAMILIES = (
    Family(
        name="records.query",
        topics=("variants-records", "lists", "sorting-searching"),
        description="a list of records filtered, sorted, cut and projected",
        make=_query,
    ),
    Family(
        name="records.changes",
        topics=("variants-records", "simulation"),
        description="a type of changes applied to a record, where some are not allowed",
        make=_changes,
    ),
)
