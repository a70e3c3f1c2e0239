"""A type of changes to a record, with some changes forbidden."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, telling
from ocaml_env.problems.generators.letters import some_text, string_map, string_test
from ocaml_env.problems.generators.shapes import Shape, some_shape
from ocaml_env.problems.generators.values import atom, integer, listing, text
from ocaml_env.problems.generators.wording import a, bullets, module, paragraphs

__all__ = ["FAMILY"]

Record = tuple[Any, ...]
Operands = Sequence[tuple[Any, ...]]

_LOW, _HIGH = -9, 20  # of numbers
_TRIED = 80  # operands
_CALM = 700  # the largest result for operands in the hundreds: numbers stay small after many changes


class _Change(NamedTuple):
    """A constructor of the type of changes; ``run`` gives None if the change is not allowed."""

    name: str
    payload: str  # a type, or ""
    words: str
    allowed: str  # the condition in OCaml; n or s is the argument of the constructor
    fields: tuple[tuple[str, str], ...]
    run: Callable[[Record, Any], Record | None]
    helpers: tuple[str, ...] = ()


Made = Sequence[tuple[_Change, Any]]  # with their arguments


class _Ending(NamedTuple):
    """The question; ``@`` is the name of the record's type.

    Attributes:
        stops: changes after a forbidden one are ignored.
        show: the final record as OCaml, with the places of forbidden changes.
    """

    result: str
    words: str
    code: str
    show: Callable[[str, Sequence[int]], str]
    stops: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """A record type, its changes, and the question."""

    shape: Shape
    changes: tuple[_Change, ...]
    ending: _Ending


def _changes(chance: Chance, level: int) -> Draft:
    shape = some_shape(chance, 1, 2 if level == 1 else 3, 0 if level == 1 else 1)
    kinds = chance.sample(_CHANGES if shape.places("bool") else _CHANGES[:-1], {1: 3, 3: 4, 5: 6}[level])
    plan = _Plan(
        shape=shape,
        changes=tuple(kind(chance, shape) for kind in kinds),
        ending=chance.pick(_ENDINGS[:2] if level == 1 else _ENDINGS[1:]),
    )
    thing = shape.name
    return Draft(
        name="apply",
        statement=_statement(plan),
        signature=f"{shape.declaration}\n\n{_declared(plan)}\n\n"
        f"val apply : {thing} -> change list -> {plan.ending.result.replace('@', thing)}",
        reference=_code(plan),
        cases=_cases(chance, plan),
    )


# --- cases ------------------------------------------------------------------------------------------------------------


def _cases(chance: Chance, plan: _Plan) -> Iterator[Case]:
    def draw() -> tuple[Record, Made]:
        picked = [chance.pick(plan.changes) for _ in range(chance.between(1, 5))]
        return _record(chance, plan.shape), [(change, _payload(chance, change)) for change in picked]

    start = _record(chance, plan.shape)
    edges: list[tuple[Record, Made]] = [(start, [])]
    edges += [(start, [(change, _payload(chance, change))] * 2) for change in plan.changes]
    edges += chance.shuffled([edge for change in plan.changes for edge in _bounds(chance, plan.shape, change)])
    for r, made in inputs(draw, edges):
        after, refused = _run(plan, r, made)
        answer = plan.ending.show(plan.shape.show(after), refused)
        yield case("apply", [plan.shape.show(r), listing(_show_change)(made)], answer)


def _bounds(chance: Chance, shape: Shape, change: _Change) -> Iterator[tuple[Record, Made]]:
    """Neighbouring numbers of which one is allowed and the other is not."""
    if change.payload != "int":
        return
    for _ in range(2):
        r = _record(chance, shape)
        allowed = [change.run(r, n) is not None for n in range(_LOW - _HIGH, 2 * _HIGH)]
        places = [i for i in range(1, len(allowed)) if allowed[i] != allowed[i - 1]]
        for i in places if len(places) <= 2 else chance.sample(places, 2):
            yield from ((r, [(change, n + _LOW - _HIGH)]) for n in (i - 1, i))


def _record(chance: Chance, shape: Shape) -> Record:
    return shape.draw(chance, [some_text(chance, 1)], chance.pick((0, 0, _LOW)), _HIGH)


def _payload(chance: Chance, change: _Change) -> Any:
    if change.payload == "string":
        return some_text(chance, 1)
    return chance.number(_LOW, _HIGH) if change.payload else None


def _show_change(made: tuple[_Change, Any]) -> str:
    change, payload = made
    if not change.payload:
        return change.name
    return f"{change.name} {atom(text(payload) if change.payload == 'string' else integer(payload))}"


def _run(plan: _Plan, r: Record, made: Made) -> tuple[Record, list[int]]:
    """The final record, and the places of forbidden changes."""
    refused = []
    for place, (change, payload) in enumerate(made):
        after = change.run(r, payload)
        if after is not None:
            r = after
            continue
        refused.append(place)
        if plan.ending.stops:
            break
    return r, refused


# --- its texts --------------------------------------------------------------------------------------------------------


def _statement(plan: _Plan) -> str:
    thing = plan.shape.name
    return paragraphs(
        f"These are the changes that {a(thing)} can go through:",
        bullets(f"`{change.name}{_variable(change)}`: {change.words}." for change in plan.changes),
        "Fields that are not mentioned stay as they are. A change computes all new values from those before it.",
        f"`apply {thing} changes` applies the changes of the list in order. {plan.ending.words.replace('@', thing)}",
    )


def _declared(plan: _Plan) -> str:
    constructors = [f"{change.name} of {change.payload}" if change.payload else change.name for change in plan.changes]
    return f"type change = {' | '.join(constructors)}"


def _variable(change: _Change) -> str:
    return {"": "", "int": " n", "string": " s"}[change.payload]


def _code(plan: _Plan) -> str:
    thing = plan.shape.name
    arms = [_arm(change, plan.shape) for change in plan.changes]
    return module(
        plan.shape.declaration,
        _declared(plan),
        [helper for change in plan.changes for helper in change.helpers],
        "\n".join([f"let change ({thing} : {thing}) = function", *arms]),
        plan.ending.code.replace("@", thing),
    )


def _arm(change: _Change, shape: Shape) -> str:
    sets = "; ".join(f"{name} = {value}" for name, value in change.fields)
    every = len(change.fields) == len(shape.fields)
    made = f"Some {{ {sets} }}" if every else f"Some {{ {shape.name} with {sets} }}"
    made = f"if {change.allowed} then {made} else None" if change.allowed else made
    return f"  | {change.name}{_variable(change)} -> {made}"


_ENDINGS = (
    _Ending(
        "@",
        "Changes that are not allowed are skipped. The result is the @ after the last change.",
        """\
let apply @ changes =
  List.fold_left (fun @ one -> Option.value (change @ one) ~default:@) @ changes""",
        lambda after, refused: after,
    ),
    _Ending(
        "(@, @) result",
        "It stops at the first change that is not allowed: then the result is `Error` of the @ as it is before that "
        "change. If all are allowed, it is `Ok` of the @ after the last one.",
        """\
let rec apply @ = function
  | [] -> Ok @
  | first :: rest -> (
    match change @ first with
    | Some after -> apply after rest
    | None -> Error @)""",
        lambda after, refused: f"{'Error' if refused else 'Ok'} {after}",
        stops=True,
    ),
    _Ending(
        "@ * int",
        "Changes that are not allowed are skipped. The result is the pair of the @ after the last change and of the "
        "number of changes that were skipped.",
        """\
let apply @ changes =
  let step (@, skipped) one =
    match change @ one with
    | Some after -> (after, skipped)
    | None -> (@, skipped + 1)
  in
  List.fold_left step (@, 0) changes""",
        lambda after, refused: f"({after}, {len(refused)})",
    ),
    _Ending(
        "@ * int list",
        "Changes that are not allowed are skipped. The result is the pair of the @ after the last change and of the "
        "list of the positions of the changes that were skipped, in ascending order; the first change of the list has "
        "position 0.",
        """\
let apply @ changes =
  let step (@, skipped, place) one =
    match change @ one with
    | Some after -> (after, skipped, place + 1)
    | None -> (@, place :: skipped, place + 1)
  in
  let after, skipped, _ = List.fold_left step (@, [], 0) changes in
  (after, List.rev skipped)""",
        lambda after, refused: f"({after}, {listing(integer)(refused)})",
    ),
)


# --- kinds of changes -------------------------------------------------------------------------------------------------


def _with(r: Record, *sets: tuple[int, Any]) -> Record:
    made = list(r)
    for place, value in sets:
        made[place] = value
    return tuple(made)


def _numbers() -> Operands:
    return [(n,) for n in range(_LOW, _HIGH + 1)]


def _texts(chance: Chance) -> Operands:
    return [(some_text(chance, 1),) for _ in range(_TRIED)]


def _calm(draw: Callable[[Chance], Op], *hundreds: int) -> Callable[[Chance], Op]:
    """Draws only operations with small results for such operands."""

    def drawn(chance: Chance) -> Op:
        op = draw(chance)
        while abs(op.run(*hundreds)) > _CALM:
            op = draw(chance)
        return op

    return drawn


def _fitting(
    chance: Chance, draw: Callable[[Chance], Op], ask: Callable[[Chance], Op], operands: Operands
) -> tuple[Op, Op]:
    """An operation, and a question about its last operand that allows it. Each part of both makes a difference."""
    for _ in range(100):
        op, test = draw(chance), ask(chance)
        if _matters(op, test, operands):
            return op, test
    raise Unfit


def _matters(op: Op, test: Op, operands: Operands) -> bool:
    def made(run: Callable[..., Any], allows: Callable[[Any], bool]) -> list[Any]:
        return [run(*each) if allows(each[-1]) else None for each in operands]

    right = made(op.run, test.run)
    if not len(right) < 4 * right.count(None) < 3 * len(right) or len({*right}) < 4:
        return False
    wrong = [made(fault, test.run) for fault in (*op.faults, *(_nth(i) for i in range(len(operands[0]))))]
    wrong += [made(op.run, fault) for fault in test.faults]
    least = len(operands) // 20
    return all(sum(a != b for a, b in zip(right, each, strict=True)) > least for each in wrong)


def _nth(place: int) -> Callable[..., Any]:
    return lambda *operands: operands[place]


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
    place = chance.pick(shape.places("int"))
    op, test = _fitting(chance, int_map, int_test, _numbers())
    f = shape.fields[place].name
    return _Change(
        f"Set_{f}",
        "int",
        f"sets `{f}` to {op.say('n')}; allowed only if {test.say('n')}",
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
    thing, op = shape.name, telling(chance, _calm(int_map, 100), _numbers())
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
    operands = [(chance.between(_LOW, _HIGH), chance.between(_LOW, _HIGH)) for _ in range(_TRIED)]
    op, test = _fitting(chance, _calm(int_join, 100, 100), int_test, operands)
    f, g = shape.fields[first].name, shape.fields[second].name
    thing = shape.name
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
    op, test = _fitting(chance, string_map, string_test, _texts(chance))
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
    op = telling(chance, string_map, _texts(chance))
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
