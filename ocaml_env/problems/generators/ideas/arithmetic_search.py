"""The numbers of a range that have some properties."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_map
from ocaml_env.problems.generators.naturals import natural_map, natural_test
from ocaml_env.problems.generators.small.arithmetic_search import TASKS
from ocaml_env.problems.generators.steps import applied, every_part_matters, telling_steps
from ocaml_env.problems.generators.values import Show, integer, listing, option, pair
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs

__all__ = ["FAMILY"]

_SEARCHED = range(1, 61)
_SEEN = 3  # numbers at least that must show a part of a property
_FOUND = range(8, 46)  # the number of searched numbers with the properties
_DIFFERENT = 8  # different results at least, for twelve ranges
_DRAWS = 40

Ints = Sequence[int]


class _Collected(NamedTuple):
    """The result for the found numbers; its code uses the list ``kept``."""

    op: Op
    result: str  # its type
    show: Show


@dataclass(frozen=True, slots=True)
class _Properties:
    """Questions about a number, of which at least ``least`` must have the answer yes."""

    tests: tuple[Op, ...]
    least: int

    def hold(self, n: int) -> bool:
        return sum(bool(test.run(n)) for test in self.tests) >= self.least

    def faulty(self) -> Iterator[_Properties]:
        """Variants without a question, or without a part of one."""
        every = self.least == len(self.tests)
        for place, test in enumerate(self.tests):
            before, after = self.tests[:place], self.tests[place + 1 :]
            yield _Properties((*before, *after), self.least - 1 if every else self.least)
            for fault in test.faults:
                yield _Properties((*before, test._replace(run=fault), *after), self.least)


@dataclass(frozen=True, slots=True)
class _Search:
    properties: _Properties
    steps: tuple[Op, ...]
    collected: _Collected

    def run(self, low: int, high: int) -> object:
        kept = [*filter(self.properties.hold, range(low, high + 1))]
        return self.collected.op.run(applied(self.steps, kept))


def _problem(chance: Chance, level: int) -> Draft:
    name = chance.pick(("find", "collect", "search", "select", "hunt"))
    search = _search(chance, level)
    return Draft(
        name=name,
        statement=_statement(name, search),
        signature=f"val {name} : int -> int -> {search.collected.result}",
        reference=_reference(name, search),
        cases=_cases(chance, name, search),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _search(chance: Chance, level: int) -> _Search:
    properties = _properties(chance, level)
    ranges = [_range(chance) for _ in range(12)]
    found = [[n for n in range(low, high + 1) if properties.hold(n)] for low, high in ranges]
    for _ in range(_DRAWS):
        steps = telling_steps(chance, {1: 0, 3: 1, 5: 2}[level], level, found)
        image = int_map(chance) if steps else natural_map(chance, _SEARCHED)
        search = _Search(properties, tuple(steps), chance.pick(_COLLECTED)(chance, image))
        if every_part_matters(steps, found, search.collected.op) and _tells(search, ranges):
            return search
    raise Unfit


def _tells(search: _Search, ranges: Sequence[tuple[int, int]]) -> bool:
    """True if results vary, and each part of a property changes some."""
    whole = [search.run(*each) for each in ranges]
    if sum(whole.index(result) == place for place, result in enumerate(whole)) < _DIFFERENT:
        return False
    faulty = [_Search(properties, search.steps, search.collected) for properties in search.properties.faulty()]
    return all(any(wrong.run(*each) != right for each, right in zip(ranges, whole, strict=True)) for wrong in faulty)


def _properties(chance: Chance, level: int) -> _Properties:
    count = 3 if level == 5 else 2
    least = chance.pick((2, 3) if count == 3 else (1, 2))
    for _ in range(_DRAWS):
        drawn = _Properties(tuple(_property(chance) for _ in range(count)), least)
        found = [*map(drawn.hold, _SEARCHED)]
        if found.count(True) in _FOUND and all(_differ(found, faulty) for faulty in drawn.faulty()):
            return drawn
    raise Unfit


def _differ(found: Sequence[bool], faulty: _Properties) -> bool:
    return sum(a != b for a, b in zip(found, map(faulty.hold, _SEARCHED), strict=True)) >= _SEEN


def _property(chance: Chance) -> Op:
    kind = chance.below(5)
    return _coprime(chance) if kind == 0 else _ones(chance) if kind == 1 else natural_test(chance, _SEARCHED)


def _range(chance: Chance) -> tuple[int, int]:
    low = chance.between(1, 30)
    return low, low + chance.between(6, 30)


def _cases(chance: Chance, name: str, search: _Search) -> Iterator[Case]:
    fitting = chance.sample([n for n in _SEARCHED if search.properties.hold(n)], 4)
    edges = [(1, 40), (9, 8), (30, 20), (7, 7), (1, 60), (12, 12), (60, 60)]
    edges += [(n, n - 1) for n in fitting[:2]] + [(n, n) for n in fitting[2:]]

    def draw() -> tuple[int, int]:
        low, high = _range(chance)
        kind = chance.below(20)
        if kind < 4:
            high = low + chance.between(0, 6)
        elif kind < 6:
            low, high = low + 90, high + 90
        elif kind < 8:
            low = 1
        return (high, low) if kind == 8 else (low, high)

    for low, high in inputs(draw, edges):
        yield case(name, [integer(low), integer(high)], search.collected.show(search.run(low, high)))


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, search: _Search) -> str:
    tests, least, steps = search.properties.tests, search.properties.least, search.steps
    holding = (
        "all of these hold"
        if least == len(tests)
        else f"at least {'one of these holds' if least == 1 else 'two of these hold'}"
    )
    return paragraphs(
        f"`{name} low high` makes a list of those integers `n` from `low` to `high`, both included, in ascending order, "
        f"for which {holding}:",
        bullets([f"{test.say('n')};" for test in tests[:-1]] + [f"{tests[-1].say('n')}."]),
        f"Then change the list: {steps[0].words}." if len(steps) == 1 else "",
        "Then change the list in these steps, one after another:" if len(steps) > 1 else "",
        numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps) if len(steps) > 1 else "",
        f"The result is {search.collected.op.words}. `low` is at least 1; if it is greater than `high`, the list is empty from "
        "the start.",
    )


def _reference(name: str, search: _Search) -> str:
    tests, least = search.properties.tests, search.properties.least
    codes = [test.code("n") for test in tests]
    if 1 < least < len(tests):
        fits = f"List.length (List.filter Fun.id [ {'; '.join(codes)} ]) >= {least}"
    else:
        fits = (" && " if least > 1 else " || ").join(f"({code})" for code in codes)
    return module(
        [helper for op in (*tests, *search.steps) for helper in op.helpers],
        search.collected.op.helpers,
        f"let fits n = {fits}",
        f"let {name} low high =\n"
        "  let kept = List.filter fits (List.init (max 0 (high - low + 1)) (fun i -> low + i)) in\n"
        + "".join(f"  let kept = kept |> {step.ocaml} in\n" for step in search.steps)
        + f"  {search.collected.op.ocaml}",
    )


# --- properties -------------------------------------------------------------------------------------------------------


def _coprime(chance: Chance) -> Op:
    k = chance.pick((6, 10, 12, 14, 15, 18, 20, 21, 24, 28, 30))  # else the question would be about a remainder
    helper = "let rec gcd a b = if b = 0 then a else gcd b (a mod b)"
    return Op(f"{{x}} and {k} have no common divisor but 1", f"gcd {{x}} {k} = 1", lambda n: gcd(n, k) == 1, (helper,))


def _ones(chance: Chance) -> Op:
    helper = "let rec ones n = if n = 0 then 0 else (n mod 2) + ones (n / 2)"
    words, ocaml, run = chance.pick(
        (
            ("an even number of ones", "ones {x} mod 2 = 0", lambda n: n.bit_count() % 2 == 0),
            ("an odd number of ones", "ones {x} mod 2 = 1", lambda n: n.bit_count() % 2 == 1),
            ("exactly three ones", "ones {x} = 3", lambda n: n.bit_count() == 3),
            ("at most two ones", "ones {x} <= 2", lambda n: n.bit_count() <= 2),
        )
    )
    return Op(f"{{x}} is written with {words} in binary", ocaml, run, (helper,), (lambda n: n % 2 == 1,))


# --- results for the found numbers ------------------------------------------------------------------------------------


def _list(chance: Chance, image: Op) -> _Collected:
    if chance.happens(0.5):
        op = Op("this list", "kept", lambda v: v)
    else:
        op = Op("the reverse of this list", "List.rev kept", lambda v: v[::-1], (), (lambda v: v,))
    return _Collected(op, "int list", listing(integer))


def _images(chance: Chance, image: Op) -> _Collected:
    op = Op(
        f"this list with each number `n` replaced by {image.say('n')}",
        f"List.map (fun n -> {image.code('n')}) kept",
        lambda v: [image.run(n) for n in v],
        image.helpers,
        (lambda v: v, *(lambda v, fault=fault: [fault(n) for n in v] for fault in image.faults)),
    )
    return _Collected(op, "int list", listing(integer))


def _total(chance: Chance, image: Op) -> _Collected:
    k = chance.between(2, 9)

    def total(of: Callable[[int], int]) -> Callable[[Ints], tuple[int, int]]:
        return lambda v: (len(v), k + sum(map(of, v)))

    op = Op(
        f"the pair of the length of this list, and of {k} plus the sum, over each number `n` in it, of: {image.say('n')}",
        f"(List.length kept, List.fold_left (fun sum n -> sum + ({image.code('n')})) {k} kept)",
        total(image.run),
        image.helpers,
        tuple(total(of) for of in (lambda n: n, *image.faults)),
    )
    return _Collected(op, "int * int", pair(integer, integer))


def _gaps(chance: Chance, image: Op) -> _Collected:
    helper = """\
let rec gaps = function
  | a :: (b :: _ as rest) -> (b - a) :: gaps rest
  | _ -> []"""
    op = Op(
        "the list of the differences of each two neighbours in this list, the second minus the first (empty if there "
        "are fewer than two numbers)",
        "gaps kept",
        lambda v: [b - a for a, b in itertools.pairwise(v)],
        (helper,),
    )
    return _Collected(op, "int list", listing(integer))


def _last(chance: Chance, image: Op) -> _Collected:
    helper = """\
let rec last = function
  | [] -> None
  | [ n ] -> Some n
  | _ :: rest -> last rest"""
    op = Op(
        f"`Some` of {image.say('n')}, where `n` is the last number of this list, or `None` if it is empty",
        f"Option.map (fun n -> {image.code('n')}) (last kept)",
        lambda v: image.run(v[-1]) if v else None,
        (helper, *image.helpers),
        (
            lambda v: v[-1] if v else None,
            lambda v: image.run(v[0]) if v else None,
            *(lambda v, fault=fault: fault(v[-1]) if v else None for fault in image.faults),
        ),
    )
    return _Collected(op, "int option", option(integer))


_COLLECTED = (_list, _images, _total, _gaps, _last)


FAMILY = Family(
    name="arithmetic.search",
    topics=("arithmetic", "recursion"),
    description="the numbers of a range that have some properties",
    tasks=TASKS,
    make=_problem,
)
