"""A type of changes applied to a record, where some are not allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, int_test
from ocaml_env.problems.generators.letters import string_map, string_test
from ocaml_env.problems.generators.shapes import Shape, some_shape
from ocaml_env.problems.generators.values import integer, listing, text
from ocaml_env.problems.generators.wording import a, bullets, module, paragraphs

__all__ = ["FAMILY"]

Record = tuple[Any, ...]


_FEW = ("amber", "bee", "Cedar", "delta", "ebb", "fig", "Grove", "iris", "lake", "noon", "oak", "radar")


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
        f"`apply {thing} changes` applies the changes of the list in order and stops at the first that is not "
        f"allowed: then it is `Error` of the {thing} as it is before that change. If all are allowed it is `Ok` of "
        f"the {thing} after the last one.",
        f"`apply {thing} changes` applies the changes of the list in order; those that are not allowed are skipped. "
        f"It is the pair of the {thing} after the last one and of how many were skipped.",
        f"`apply {thing} changes` is the {thing} after all changes of the list, in order; those that are not allowed "
        "are skipped.",
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
        f"`{f}` is less than {k}",
        f"{thing}.{f} >= {k}",
        ((b, f"not {thing}.{b}"), (f, f"{thing}.{f} - {k}")),
        lambda r, _: _with(r, (flag, not r[flag]), (place, r[place] - k)) if r[place] >= k else None,
    )


_CHANGES = (_add, _set, _move, _swap, _join, _rename, _mark, _toggle)


FAMILY = Family(
    name="records.changes",
    topics=("variants-records", "simulation"),
    description="a type of changes applied to a record, where some are not allowed",
    make=_changes,
)
