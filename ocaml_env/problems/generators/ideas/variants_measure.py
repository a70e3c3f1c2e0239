"""A number for every constructor of a variant, from level 4 on a recursive one, and a question about a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, telling
from ocaml_env.problems.generators.letters import some_word, string_size
from ocaml_env.problems.generators.values import Show, integer, listing, option, text, truth, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

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
_FUNCTIONS = ("worth", "weight", "cost", "power")
_LEAVES = {1: 3, 3: 3, 5: 4}
_NODES = {1: 0, 3: 2, 5: 3}
_PAYLOADS = (("int",), ("int",), ("string",), ("int", "int"), ("int", "string"), ("bool", "int"), ())
_SHOWS: dict[str, Show] = {"int": integer, "string": text, "bool": truth}
_NAMES = {"int": "nm", "string": "st", "bool": "bc"}
_LOW, _HIGH = -15, 30
_SINGLES = [(n,) for n in range(_LOW, _HIGH + 1)]
_SAMPLE = 24  # values that must show each part of a question
_DEPTH = 2
_FAR = 0.06  # the share of large numbers
_TIED = 0.6  # of the lists have a tie, if it matters


class _Constructor(NamedTuple):
    """A constructor, the names of its arguments, and its number.

    ``run`` takes the arguments; those of the type itself are replaced by their numbers.
    """

    name: str
    payload: tuple[str, ...]
    arguments: tuple[str, ...]
    words: str
    ocaml: str
    run: Callable[..., int]
    helpers: tuple[str, ...] = ()

    @property
    def pattern(self) -> str:
        names = self.arguments
        if not names:
            return self.name
        return f"{self.name} {names[0]}" if len(names) == 1 else f"{self.name} ({', '.join(names)})"

    @property
    def declared(self) -> str:
        return f"  | {self.name}" + (f" of {' * '.join(self.payload)}" if self.payload else "")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A type, and the function that gives a number for each of its values."""

    name: str
    function: str
    constructors: tuple[_Constructor, ...]

    def is_recursive(self, constructor: _Constructor) -> bool:
        return any(self.name in payload for payload in constructor.payload)

    @property
    def declared(self) -> str:
        return f"type {self.name} =\n" + "\n".join(each.declared for each in self.constructors)

    @property
    def code(self) -> str:
        rec = "rec " if any(map(self.is_recursive, self.constructors)) else ""
        arms = [f"  | {each.pattern} -> {each.ocaml}" for each in self.constructors]
        return "\n".join([f"let {rec}{self.function} = function", *arms])

    @property
    def show(self) -> Show:
        shows: dict[str, list[Show]] = {each.name: [] for each in self.constructors}
        show = variant(shows)
        own = {self.name: show, f"{self.name} list": listing(show)}
        for each in self.constructors:
            shows[each.name] += [own.get(payload) or _SHOWS[payload] for payload in each.payload]
        return show

    def run(self, value: Value) -> int:
        each = next(constructor for constructor in self.constructors if constructor.name == value[0])
        parts: list[Any] = []
        for part, payload in zip(value[1:], each.payload, strict=True):
            if payload == self.name:
                parts.append(self.run(part))
            else:
                parts.append([self.run(element) for element in part] if payload not in _SHOWS else part)
        return each.run(*parts)

    def drawn(self, chance: Chance, depth: int) -> Value:
        known = [each for each in self.constructors if depth or not self.is_recursive(each)]
        each = chance.pick(known)
        return (each.name, *(self._argument(chance, payload, depth) for payload in each.payload))

    def _argument(self, chance: Chance, payload: str, depth: int) -> object:
        if payload == "int":
            return chance.between(-400, 400) if chance.happens(_FAR) else chance.number(_LOW, _HIGH)
        if payload == "string":
            return _string(chance)
        if payload == "bool":
            return chance.happens(0.5)
        if payload == self.name:
            return self.drawn(chance, depth - 1)
        return [self.drawn(chance, depth - 1) for _ in range(chance.pick((0, 1, 1, 2, 2, 3, 3, 5)))]


def _string(chance: Chance) -> str:
    word = some_word(chance)
    return word if chance.happens(0.4) else f"{chance.character()}{word}{chance.character()}"


class _Question(NamedTuple):
    """A function of a list.

    Attributes:
        run: takes the values of the list and their numbers.
        ties: pairs of different values with the same number, if it matters which of them comes first.
    """

    name: str
    result: str
    words: str
    ocaml: str
    run: Callable[[Sequence[Value], Sequence[int]], Any]
    helpers: tuple[str, ...] = ()
    ties: tuple[tuple[Value, Value], ...] = ()


def _measure(chance: Chance, level: int) -> Draft:
    kind = _kind(chance, level)
    question = _question(chance, kind) if level >= 3 else None
    signature = f"{kind.declared}\n\nval {kind.function} : {kind.name} -> int"
    if question:
        signature += f"\nval {question.name} : {kind.name} list -> {question.result}"
    return Draft(
        name=kind.function,
        statement=paragraphs(
            f"`{kind.function}` gives an integer for each value of the type `{kind.name}`:",
            bullets(f"`{each.pattern}`: {each.words}." for each in kind.constructors),
            question.words if question else "",
        ),
        signature=signature,
        reference=module(
            kind.declared,
            [h for each in kind.constructors for h in each.helpers],
            kind.code,
            question.helpers if question else (),
            question.ocaml if question else "",
        ),
        cases=_cases(chance, kind, question),
        hidden=16 if question else 12,
        groups=(kind.function, question.name) if question else (),
    )


def _kind(chance: Chance, level: int) -> _Kind:
    name, names = chance.pick(_TYPES)
    count = _LEAVES[level]
    leaves = [
        _leaf(chance, *parts)
        for parts in zip(chance.sample(names, count), chance.sample(_PAYLOADS, count), strict=True)
    ]
    kind = _Kind(name, chance.pick(_FUNCTIONS), tuple(leaves))
    numbers = [kind.run(kind.drawn(chance, 0)) for _ in range(_SAMPLE)]
    nodes = [make(chance, kind, numbers) for make in chance.sample((_two, _scaled, _many, _chosen), _NODES[level])]
    return replace(kind, constructors=tuple(chance.shuffled([*leaves, *nodes])))


def _cases(chance: Chance, kind: _Kind, question: _Question | None) -> Iterator[Case]:
    show = kind.show
    results: dict[str, Show] = {"int": integer, f"{kind.name} list": listing(show), f"{kind.name} option": option(show)}
    plain = [kind.drawn(chance, 0) for _ in range(4)]
    for value in inputs(lambda: kind.drawn(chance, _DEPTH), plain):
        yield case(kind.function, [show(value)], integer(kind.run(value)))
        if question:
            values = _values(chance, kind, question.ties)
            answer = question.run(values, [kind.run(value) for value in values])
            yield case(question.name, [listing(show)(values)], results[question.result](answer))


def _values(chance: Chance, kind: _Kind, ties: Sequence[tuple[Value, Value]]) -> list[Value]:
    values = [kind.drawn(chance, 1) for _ in range(chance.pick((0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 8)))]
    return chance.shuffled([*values, *chance.pick(ties)]) if ties and chance.happens(_TIED) else values


def _ties(chance: Chance, kind: _Kind) -> tuple[tuple[Value, Value], ...]:
    values: dict[int, Value] = {}
    found = []
    for _ in range(4 * _SAMPLE):
        value = kind.drawn(chance, 1)
        other = values.setdefault(kind.run(value), value)
        if other != value:
            found.append((other, value))
    if not found:
        raise Unfit
    return tuple(found)


# --- constructors without values of the type --------------------------------------------------------------------------


def _leaf(chance: Chance, name: str, payload: tuple[str, ...]) -> _Constructor:
    names = [_NAMES[kind][payload[:i].count(kind)] for i, kind in enumerate(payload)]
    op = {
        (): _of_nothing,
        ("int",): _of_int,
        ("string",): string_size,
        ("int", "int"): _of_ints,
        ("int", "string"): _of_int_and_string,
        ("bool", "int"): _of_bool_and_int,
    }[payload](chance)
    return _Constructor(name, payload, tuple(names), op.say(*names), op.code(*names), op.run, op.helpers)


def _of_nothing(chance: Chance) -> Op:
    k = chance.between(-9, 20)
    return Op(f"{k}", f"{k}", lambda: k)


def _of_int(chance: Chance) -> Op:
    if chance.happens(0.5):
        return telling(chance, int_map, _SINGLES)
    test = telling(chance, int_test, _SINGLES)
    yes, no = _two_maps(chance, lambda n: bool(test.run(n)))
    return Op(
        f"if {test.words}: {yes.words}; otherwise: {no.words}",
        f"if {test.ocaml} then {yes.code('{x}')} else {no.code('{x}')}",
        lambda x: yes.run(x) if test.run(x) else no.run(x),
        test.helpers + yes.helpers + no.helpers,
    )


def _two_maps(chance: Chance, test: Callable[[int], bool]) -> tuple[Op, Op]:
    """Operations for numbers with the answer yes, and for the others: neither would do for all."""
    yes, no = (telling(chance, int_map, [(n,) for (n,) in _SINGLES if test(n) == answer]) for answer in (True, False))
    different = [test(n) for (n,) in _SINGLES if yes.run(n) != no.run(n)]
    if min(different.count(True), different.count(False)) < 2:
        raise Unfit
    return yes, no


def _of_ints(chance: Chance) -> Op:
    return telling(chance, int_join, [(n, 7 * n % 23 - 8) for (n,) in _SINGLES])


def _of_int_and_string(chance: Chance) -> Op:
    k, size = chance.between(2, 5), string_size(chance)
    return Op(
        f"{k} times {{x}}, plus the following: {size.words.replace('{x}', '{y}')}",
        f"({k} * {{x}}) + ({size.code('{y}', '{y}')})",
        lambda x, y: k * x + size.run(y),
        size.helpers,
    )


def _of_bool_and_int(chance: Chance) -> Op:
    yes, no = (telling(chance, int_map, _SINGLES) for _ in range(2))
    if all(yes.run(n) == no.run(n) for (n,) in _SINGLES[::2]):
        raise Unfit
    return Op(
        f"if {{x}} is true: {yes.words.replace('{x}', '{y}')}; if it is false: {no.words.replace('{x}', '{y}')}",
        f"if {{x}} then {yes.code('{y}', '{y}')} else {no.code('{y}', '{y}')}",
        lambda x, y: yes.run(y) if x else no.run(y),
        yes.helpers + no.helpers,
    )


# --- constructors with values of the type -----------------------------------------------------------------------------


def _two(chance: Chance, kind: _Kind, numbers: Sequence[int]) -> _Constructor:
    f = kind.function
    op = telling(chance, int_join, [*pairwise(numbers)])
    code = f"let a = {f} a and b = {f} b in {op.code('a', 'b')}"
    return _Constructor(
        "Both", (kind.name, kind.name), ("a", "b"), op.say(f"{f} a", f"{f} b"), code, op.run, op.helpers
    )


def _scaled(chance: Chance, kind: _Kind, numbers: Sequence[int]) -> _Constructor:
    f = kind.function
    op = telling(chance, int_join, [(chance.between(_LOW, _HIGH), number) for number in numbers])
    code = f"let a = {f} a in {op.code('n', 'a')}"
    return _Constructor("With", ("int", kind.name), ("n", "a"), op.say("n", f"{f} a"), code, op.run, op.helpers)


def _many(chance: Chance, kind: _Kind, numbers: Sequence[int]) -> _Constructor:
    f = kind.function
    k, low = chance.between(1, 9), sorted(numbers)[len(numbers) // chance.between(2, 4)]
    shown = f"({low})" if low < 0 else low
    words, code, run = chance.pick(
        (
            (
                f"the sum of `{f} a` over all `a` in `l`, plus {k} times the number of elements of `l`",
                f"List.fold_left (fun sum a -> sum + {f} a + {k}) 0 l",
                lambda values: sum(values) + k * len(values),
            ),
            (
                f"the greatest `{f} a` of all `a` in `l`, or {low} if that is greater or `l` is empty",
                f"List.fold_left (fun best a -> max best ({f} a)) {shown} l",
                lambda values: max([low, *values]),
            ),
            (
                f"`{f} a` for the last `a` in `l`, minus {k}, or {k} if `l` is empty",
                f"(match List.rev l with a :: _ -> {f} a - {k} | [] -> {k})",
                lambda values: values[-1] - k if values else k,
            ),
        )
    )
    return _Constructor("Many", (f"{kind.name} list",), ("l",), words, code, run)


def _chosen(chance: Chance, kind: _Kind, numbers: Sequence[int]) -> _Constructor:
    f, k = kind.function, chance.between(2, 5)
    return _Constructor(
        "Either",
        ("bool", kind.name, kind.name),
        ("c", "a", "b"),
        f"`{f} a` if `c` is true, and {k} times `{f} b` otherwise",
        f"if c then {f} a else {k} * {f} b",
        lambda c, a, b: a if c else k * b,
    )


# --- questions about a list -------------------------------------------------------------------------------------------


def _question(chance: Chance, kind: _Kind) -> _Question:
    return chance.pick((_sum_of, _kept, _weighted, _greatest, _ordered, _first_of))(chance, kind)


def _test(chance: Chance, kind: _Kind) -> Op:
    """A question about the number of a value. Each of its parts matters."""
    return telling(chance, int_test, [(kind.run(kind.drawn(chance, 1)),) for _ in range(2 * _SAMPLE)])


def _sum_of(chance: Chance, kind: _Kind) -> _Question:
    f, test = kind.function, _test(chance, kind)
    return _Question(
        "total",
        "int",
        f"`total l` is the sum of `{f} a` over all `a` in `l` for which {test.say(f'{f} a')} (0 if there are none).",
        f"let total l =\n  List.map {f} l |> List.filter (fun x -> {test.code()}) |> List.fold_left ( + ) 0",
        lambda values, numbers: sum(x for x in numbers if test.run(x)),
        test.helpers,
    )


def _kept(chance: Chance, kind: _Kind) -> _Question:
    f, test = kind.function, _test(chance, kind)
    return _Question(
        "choose",
        f"{kind.name} list",
        f"`choose l` is the list of the elements `a` of `l` for which {test.say(f'{f} a')}, in the order of `l`.",
        f"let choose l = List.filter (fun a -> let x = {f} a in {test.code()}) l",
        lambda values, numbers: [a for a, x in zip(values, numbers, strict=True) if test.run(x)],
        test.helpers,
    )


def _weighted(chance: Chance, kind: _Kind) -> _Question:
    f, k = kind.function, chance.between(2, 4)

    def run(values: Sequence[Value], numbers: Sequence[int]) -> int:
        total = 0
        for number in numbers:
            total = k * total + number
        return total

    return _Question(
        "total",
        "int",
        f"`total l` begins with 0 and goes through `l` from left to right: at each element `a` it multiplies the total "
        f"so far by {k} and adds `{f} a`.",
        f"let total l = List.fold_left (fun sum a -> ({k} * sum) + {f} a) 0 l",
        run,
    )


def _greatest(chance: Chance, kind: _Kind) -> _Question:
    f, k = kind.function, chance.between(2, 4)
    return _Question(
        "total",
        "int",
        f"`total l` is the greatest `{f} a` of all `a` in `l`, plus {k} times the number of elements of `l`. It is 0 "
        "for the empty list.",
        "let total l =\n"
        f"  match List.map {f} l with\n"
        "  | [] -> 0\n"
        f"  | x :: rest -> List.fold_left max x rest + ({k} * List.length l)",
        lambda values, numbers: max(numbers) + k * len(numbers) if numbers else 0,
    )


def _ordered(chance: Chance, kind: _Kind) -> _Question:
    f, down = kind.function, chance.happens(0.5)

    def run(values: Sequence[Value], numbers: Sequence[int]) -> list[Value]:
        order = sorted(range(len(values)), key=lambda i: -numbers[i] if down else numbers[i])
        return [values[i] for i in order]

    first, second = ("b", "a") if down else ("a", "b")
    return _Question(
        "arrange",
        f"{kind.name} list",
        f"`arrange l` has the elements `a` of `l` in {'descending' if down else 'ascending'} order of `{f} a`. Elements "
        "for which it is equal keep their order.",
        f"let arrange l = List.stable_sort (fun a b -> compare ({f} {first}) ({f} {second})) l",
        run,
        ties=_ties(chance, kind),
    )


def _first_of(chance: Chance, kind: _Kind) -> _Question:
    f, last = kind.function, chance.happens(0.5)

    def run(values: Sequence[Value], numbers: Sequence[int]) -> Value | None:
        found = [a for a, x in zip(values, numbers, strict=True) if x == max(numbers)]
        return (found[-1] if last else found[0]) if found else None

    return _Question(
        "best",
        f"{kind.name} option",
        f"`best l` is `Some a` for the element `a` of `l` with the greatest `{f} a`, the {'last' if last else 'first'} "
        "one if there are several, and `None` if `l` is empty.",
        "let best = function\n"
        "  | [] -> None\n"
        "  | a :: rest ->\n"
        f"    Some (List.fold_left (fun a b -> if {f} b {'>=' if last else '>'} {f} a then b else a) a rest)",
        run,
        ties=_ties(chance, kind),
    )


FAMILY = Family(
    name="variants.measure",
    topics=("variants-records", "pattern-matching"),
    description="a number for every constructor of a variant, from level 4 on a recursive one",
    make=_measure,
)
