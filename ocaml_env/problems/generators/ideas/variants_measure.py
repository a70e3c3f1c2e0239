"""A number for every constructor of a variant, from level 3 on a recursive one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test
from ocaml_env.problems.generators.letters import some_word, string_size
from ocaml_env.problems.generators.values import Show, integer, listing, text, truth, variant
from ocaml_env.problems.generators.wording import a, bullets, module, paragraphs

__all__ = ["FAMILY"]

Value = tuple[Any, ...]


_TYPES = (
    ("token", ("Coin", "Note", "Card", "Voucher", "Stamp", "Ticket")),
    ("move", ("Step", "Jump", "Wait", "Turn", "Climb", "Slide")),
    ("device", ("Lamp", "Fan", "Heater", "Radio", "Clock", "Pump")),
    ("meal", ("Soup", "Bread", "Salad", "Pie", "Tea", "Cake")),
    ("signal", ("Beep", "Flash", "Pulse", "Tone", "Buzz", "Gap")),
    ("tool", ("Hammer", "Saw", "Drill", "Rope", "Knife", "Brush")),
)


_PAYLOADS = (("int",), ("int",), ("string",), ("int", "int"), ("int", "string"), ("bool", "int"), ())


_SHOWS: dict[str, Show] = {"int": integer, "string": text, "bool": truth}


_NAMES = {"int": "nm", "string": "st", "bool": "bc"}


class _Constructor(NamedTuple):
    """One constructor, the names of its arguments, and what is computed of it.

    ``run`` takes the arguments, with the values of those that are of the type itself.
    """

    name: str
    payload: tuple[str, ...]
    arguments: tuple[str, ...]
    words: str
    ocaml: str
    run: Callable[..., int]
    helpers: tuple[str, ...]

    @property
    def pattern(self) -> str:
        if not self.arguments:
            return self.name
        return (
            f"{self.name} {self.arguments[0]}"
            if len(self.arguments) == 1
            else f"{self.name} ({', '.join(self.arguments)})"
        )


def _measure(chance: Chance, level: int) -> Draft:
    kind, all_names = chance.pick(_TYPES)
    names = chance.sample(all_names, (2, 3, 3, 4, 4)[level - 1])
    payloads = chance.sample(_PAYLOADS, len(names))
    leaves = [_leaf(chance, name, payload) for name, payload in zip(names, payloads, strict=True)]
    nodes = [make(chance, kind) for make in chance.sample(_NODES, (0, 0, 1, 2, 3)[level - 1])]
    constructors = chance.shuffled([*leaves, *nodes])
    by_name = {each.name: each for each in constructors}
    function = chance.pick(("worth", "weight", "cost", "power"))
    total = _total(chance, function) if level >= 2 else None

    def run(value: Value) -> int:
        each = by_name[value[0]]
        parts: list[Any] = []
        for part, payload in zip(value[1:], each.payload, strict=True):
            if payload == kind:
                parts.append(run(part))
            elif payload == f"{kind} list":
                parts.append([run(one) for one in part])
            else:
                parts.append(part)
        return each.run(*parts)

    def draw(depth: int = 2) -> Value:
        each = chance.pick(constructors if depth else leaves)
        return (each.name, *(_argument(chance, payload, kind, lambda: draw(depth - 1)) for payload in each.payload))

    shows: dict[str, list[Show]] = {each.name: [] for each in constructors}
    show = variant(shows)
    for each in constructors:
        shows[each.name] += [_show_of(payload, kind, show) for payload in each.payload]

    def cases() -> Iterator[Case]:
        for value in inputs(draw, [draw(0) for _ in range(4)]):
            yield case(function, [show(value)], integer(run(value)))
            if total and chance.happens(0.5):
                values = [draw() for _ in range(chance.between(0, 4))]
                yield case("total", [listing(show)(values)], integer(total.run([run(one) for one in values])))

    lines = [f"  | {each.name}" + (f" of {' * '.join(each.payload)}" if each.payload else "") for each in constructors]
    declared = f"type {kind} =\n" + "\n".join(lines)
    words = bullets(f"`{each.pattern}`: {each.words};" for each in constructors)
    code = [f"let {'rec ' if nodes else ''}{function} = function"]
    code += [f"  | {each.pattern} -> {each.ocaml.replace('value ', function + ' ')}" for each in constructors]
    signature = f"{declared}\n\nval {function} : {kind} -> int"
    return Draft(
        name=function,
        statement=paragraphs(
            f"The {function} of {a(kind)} is an integer:",
            words.removesuffix(";") + ".",
            f"`{function}` computes it."
            + (
                f" For a part that is a value of the same type, `value` stands for the {function} of that part."
                if nodes
                else ""
            ),
            total.words if total else "",
        ),
        signature=signature + (f"\nval total : {kind} list -> int" if total else ""),
        reference=module(
            declared,
            [h for each in constructors for h in each.helpers],
            "\n".join(code),
            total.helpers if total else (),
            total.ocaml if total else "",
        ),
        cases=cases(),
        together=2,
        hidden=16 if total else 12,
        groups=(function, "total") if total else (),
    )


def _show_of(payload: str, kind: str, own: Show) -> Show:
    return own if payload == kind else listing(own) if payload == f"{kind} list" else _SHOWS[payload]


def _argument(chance: Chance, payload: str, kind: str, draw: Callable[[], Value]) -> object:
    if payload == "int":
        return chance.number(-9, 25)
    if payload == "string":
        return some_word(chance)
    if payload == "bool":
        return chance.happens(0.5)
    return draw() if payload == kind else [draw() for _ in range(chance.between(0, 3))]


def _leaf(chance: Chance, name: str, payload: tuple[str, ...]) -> _Constructor:
    names = [_NAMES[kind][payload[:i].count(kind)] for i, kind in enumerate(payload)]
    op = {
        (): _of_nothing,
        ("int",): _of_int,
        ("string",): string_size,
        ("int", "int"): int_join,
        ("int", "string"): _of_int_and_string,
        ("bool", "int"): _of_bool_and_int,
    }[payload](chance)
    return _Constructor(name, payload, tuple(names), op.say(*names), op.code(*names), op.run, op.helpers)


def _of_nothing(chance: Chance) -> Op:
    k = chance.between(-9, 20)
    return Op(f"{k}", f"{k}", lambda: k)


def _of_int(chance: Chance) -> Op:
    if chance.happens(0.5):
        return int_map(chance)
    test, yes, no = int_test(chance), int_map(chance), int_map(chance)
    return Op(
        f"if {test.words}: {yes.words}; otherwise: {no.words}",
        f"if {test.ocaml} then {yes.code('{x}')} else {no.code('{x}')}",
        lambda x: yes.run(x) if test.run(x) else no.run(x),
        test.helpers + yes.helpers + no.helpers,
    )


def _of_int_and_string(chance: Chance) -> Op:
    k, size = chance.between(2, 5), string_size(chance)
    return Op(
        f"{k} times {{x}}, plus the following: {size.words.replace('{x}', '{y}')}",
        f"({k} * {{x}}) + ({size.code('{y}', '{y}')})",
        lambda x, y: k * x + size.run(y),
        size.helpers,
    )


def _of_bool_and_int(chance: Chance) -> Op:
    yes, no = int_map(chance), int_map(chance)
    return Op(
        f"if {{x}} is true: {yes.words.replace('{x}', '{y}')}; if it is false: {no.words.replace('{x}', '{y}')}",
        f"if {{x}} then {yes.code('{y}', '{y}')} else {no.code('{y}', '{y}')}",
        lambda x, y: yes.run(y) if x else no.run(y),
        yes.helpers + no.helpers,
    )


def _two(chance: Chance, kind: str) -> _Constructor:
    op = int_join(chance)
    code = f"let a = value a and b = value b in {op.code('a', 'b')}"
    return _Constructor("Both", (kind, kind), ("a", "b"), op.say("value a", "value b"), f"({code})", op.run, op.helpers)


def _scaled(chance: Chance, kind: str) -> _Constructor:
    op = int_join(chance)
    code = f"let a = value a in {op.code('n', 'a')}"
    return _Constructor("With", ("int", kind), ("n", "a"), op.say("n", "value a"), f"({code})", op.run, op.helpers)


def _many(chance: Chance, kind: str) -> _Constructor:
    k, low = chance.between(1, 9), -chance.between(1, 9)
    words, code, run = chance.pick(
        (
            (
                f"the sum of `value a` over all `a` in `l`, plus {k} times the number of elements of `l`",
                f"List.fold_left (fun sum a -> sum + value a + {k}) 0 l",
                lambda values: sum(values) + k * len(values),
            ),
            (
                f"the greatest `value a` of all `a` in `l`, or {low} if that is greater or `l` is empty",
                f"List.fold_left (fun best a -> max best (value a)) ({low}) l",
                lambda values: max([low, *values]),
            ),
            (
                f"`value a` for the last `a` in `l`, minus {k}, or {k} if `l` is empty",
                f"(match List.rev l with a :: _ -> value a - {k} | [] -> {k})",
                lambda values: values[-1] - k if values else k,
            ),
        )
    )
    return _Constructor("Many", (f"{kind} list",), ("l",), words, code, run, ())


def _chosen(chance: Chance, kind: str) -> _Constructor:
    k = chance.between(2, 5)
    return _Constructor(
        "Either",
        ("bool", kind, kind),
        ("c", "a", "b"),
        f"`value a` if `c` is true, and {k} times `value b` otherwise",
        f"(if c then value a else {k} * value b)",
        lambda c, a, b: a if c else k * b,
        (),
    )


_NODES = (_two, _scaled, _many, _chosen)


def _total(chance: Chance, function: str) -> Op:
    test, k = int_test(chance), chance.between(2, 4)
    return chance.pick(
        (
            Op(
                f"`total l` is the sum of the {function} of all elements of `l`, where only an {function} `x` such "
                "that "
                f"{test.say()} counts (0 if none does).".replace(f"an {function}", f"a {function}"),
                "let total l =\n"
                f"  List.map {function} l |> List.filter (fun x -> {test.code()}) |> List.fold_left ( + ) 0",
                lambda values: sum(x for x in values if test.run(x)),
                test.helpers,
            ),
            Op(
                "`total l` begins with 0 and goes through `l` from left to right; at each element the total so far is "
                f"multiplied by {k}, and then the {function} of the element is added.",
                f"let total l = List.fold_left (fun sum one -> ({k} * sum) + {function} one) 0 l",
                lambda values: _weighted(k, values),
            ),
            Op(
                f"`total l` is the greatest {function} of all elements of `l`, plus {k} times the number of elements; "
                "it is 0 for the empty list.",
                "let total l =\n"
                f"  match List.map {function} l with\n"
                "  | [] -> 0\n"
                f"  | x :: rest -> List.fold_left max x rest + ({k} * List.length l)",
                lambda values: max(values) + k * len(values) if values else 0,
            ),
        )
    )


def _weighted(k: int, values: Sequence[int]) -> int:
    total = 0
    for value in values:
        total = k * total + value
    return total


FAMILY = Family(
    name="variants.measure",
    topics=("variants-records", "pattern-matching"),
    description="a number for every constructor of a variant, from level 3 on a recursive one",
    make=_measure,
)
