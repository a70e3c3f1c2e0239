"""A number's digits in some base, changed in steps and read again."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op
from ocaml_env.problems.generators.naturals import natural_test
from ocaml_env.problems.generators.small.arithmetic_digits import TASKS
from ocaml_env.problems.generators.steps import applied, every_part_matters, pipe
from ocaml_env.problems.generators.values import integer
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Ints = Sequence[int]

_BASES = (3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 11, 12, 16)
_DRAWS = 40  # attempts to find steps that all matter


@dataclass(frozen=True, slots=True)
class _Way:
    """A function from number to number: its digits to a base, steps on their list, and an ending."""

    base: int
    low_first: bool
    steps: tuple[Op, ...]
    ending: Op

    def run(self, n: int) -> int:
        made: int = self.ending.run(applied(self.all_steps, _digits_of(n, self.base)))
        return made

    @property
    def all_steps(self) -> tuple[Op, ...]:
        """The steps after taking the digits, which come with the least significant one first."""
        return self.steps if self.low_first else (_REVERSE, *self.steps)


def _digits_of(n: int, base: int) -> list[int]:
    """The digits, the least significant one first."""
    made = []
    while n:
        n, digit = divmod(n, base)
        made.append(digit)
    return made


def _digits(chance: Chance, level: int) -> Draft:
    name = chance.pick(("scramble", "recode", "convert", "shuffle_digits", "remake"))
    largest = 9999 if level == 1 else 99_999
    way = _way(chance, level, largest)
    return Draft(
        name=name,
        statement=_statement(name, way),
        signature=f"val {name} : int -> int",
        reference=_reference(name, way),
        cases=_cases(chance, name, way, largest),
        together=2,
    )


def _way(chance: Chance, level: int, largest: int) -> _Way:
    base = chance.pick(_BASES)
    tried = [_digits_of(chance.between(1, largest), base) for _ in range(16)]
    for _ in range(_DRAWS):
        steps = [kind(chance, base) for kind in chance.sample(_STEPS, {1: 2, 3: 4, 5: 5}[level])]
        ending = _ending(chance, base if chance.happens(0.5) else base + chance.between(1, 4))
        way = _Way(base, chance.happens(0.5), tuple(steps), ending)
        reversed_twice = way.all_steps[:2] == (_REVERSE, _REVERSE)
        if not reversed_twice and every_part_matters(way.all_steps, tried, ending):
            return way
    raise Unfit


def _cases(chance: Chance, name: str, way: _Way, largest: int) -> Iterator[Case]:
    base = way.base
    edges = [0, 1, base - 1, base, base**3 - 1, base**4 + 1, chance.between(largest, 9 * largest)]
    for n in inputs(lambda: _number(chance, base, largest), edges):
        yield case(name, [integer(n)], integer(way.run(n)))


def _number(chance: Chance, base: int, largest: int) -> int:
    """Any number, or one with few digits, many digits, zeros, or equal digits."""
    kind = chance.below(10)
    if kind < 5:
        return chance.between(base, largest)
    if kind == 5:
        return chance.below(base * base)
    few = [0, chance.below(base)] if kind == 6 else chance.sample(range(base), 2) if kind == 7 else range(base)
    n = chance.between(1, base - 1)
    for _ in range(chance.between(1, 7)):
        n = n * base + chance.pick(few)
    return n


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, way: _Way) -> str:
    first = "least" if way.low_first else "most"
    return paragraphs(
        f"`{name} n` takes the digits of the integer `n` (at least 0) to the base {way.base}, as a list of numbers "
        f"from 0 to {way.base - 1}, the {first} significant digit first. The number 0 has no digits. The list goes "
        "through these steps, in this order:",
        numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in way.steps),
        f"The result is {way.ending.words}.",
    )


def _reference(name: str, way: _Way) -> str:
    digits = f"let rec digits n = if n = 0 then [] else (n mod {way.base}) :: digits (n / {way.base})"
    helpers = [helper for step in way.steps for helper in step.helpers]
    return module(digits, helpers, f"let {name} n =\n{pipe('digits n', (*way.all_steps, way.ending))}")


# --- the steps --------------------------------------------------------------------------------------------------------


def _of_each(*runs: Callable[[int], int]) -> tuple[Callable[[Ints], Ints], ...]:
    return tuple(lambda v, run=run: [run(d) for d in v] for run in runs)


_REVERSE = Op("reverse the list", "List.rev", lambda v: v[::-1])

_UNIQUE = """\
let unique l =
  List.rev (List.fold_left (fun kept d -> if List.mem d kept then kept else d :: kept) [] l)"""


def _complement(chance: Chance, base: int) -> Op:
    top = base - 1
    return Op(
        f"replace every digit `d` by {top} minus `d`", f"List.map (fun d -> {top} - d)", lambda v: [top - d for d in v]
    )


def _shift(chance: Chance, base: int) -> Op:
    k = chance.between(1, base - 1)
    return Op(
        f"add {k} to every digit, and take the remainder divided by {base}",
        f"List.map (fun d -> (d + {k}) mod {base})",
        lambda v: [(d + k) % base for d in v],
        (),
        _of_each(lambda d: d + k),
    )


def _scale(chance: Chance, base: int) -> Op:
    k = chance.pick([k for k in range(2, 10) if k % base > 1])
    return Op(
        f"multiply every digit by {k}, and take the remainder divided by {base}",
        f"List.map (fun d -> d * {k} mod {base})",
        lambda v: [d * k % base for d in v],
        (),
        _of_each(lambda d: d * k),
    )


def _place(chance: Chance, base: int) -> Op:
    k = chance.between(0, 3)
    return Op(
        f"add to every digit its position in the list, where the first one has position {k}, and take the remainder "
        f"divided by {base}",
        f"List.mapi (fun i d -> (d + i + {k}) mod {base})" if k else f"List.mapi (fun i d -> (d + i) mod {base})",
        lambda v: [(d + i) % base for i, d in enumerate(v, start=k)],
        (),
        (
            lambda v: [d + i for i, d in enumerate(v, start=k)],
            lambda v: [i % base for i, _ in enumerate(v, start=k)],
            *(
                (lambda v: [(d + i) % base for i, d in enumerate(v)], lambda v: [(d + k) % base for d in v])
                if k
                else ()
            ),
        ),
    )


def _reverse(chance: Chance, base: int) -> Op:
    return _REVERSE


def _sort(chance: Chance, base: int) -> Op:
    if chance.happens(0.5):
        return Op("sort the digits in ascending order", "List.sort compare", sorted)
    return Op(
        "sort the digits in descending order",
        "List.sort (fun a b -> compare b a)",
        lambda v: sorted(v, reverse=True),
    )


def _drop(chance: Chance, base: int) -> Op:
    k = chance.below(base)
    return Op(f"remove every digit {k}", f"List.filter (fun d -> d <> {k})", lambda v: [d for d in v if d != k])


def _keep(chance: Chance, base: int) -> Op:
    test = natural_test(chance, range(max(base, 8)))
    return Op(
        f"keep only the digits `d` for which {test.say('d')}",
        f"List.filter (fun d -> {test.code('d')})",
        lambda v: [d for d in v if test.run(d)],
        test.helpers,
        tuple(lambda v, fault=fault: [d for d in v if fault(d)] for fault in test.faults),
    )


def _unique(chance: Chance, base: int) -> Op:
    return Op(
        "of equal digits keep only the first",
        "unique",
        lambda v: [*dict.fromkeys(v)],
        (_UNIQUE,),
        (lambda v: [*dict.fromkeys(v)][::-1],),
    )


def _neighbours(chance: Chance, base: int) -> Op:
    helper = f"""\
let rec neighbours = function
  | a :: (b :: _ as rest) -> ((a + b) mod {base}) :: neighbours rest
  | l -> l"""
    return Op(
        "replace every digit but the last by the sum of itself and the next one (as it was before this step), and take "
        f"the remainder of the sum divided by {base}",
        "neighbours",
        lambda v: [*((a + b) % base for a, b in itertools.pairwise(v)), *v[-1:]],
        (helper,),
        (
            lambda v: [*((a + b) for a, b in itertools.pairwise(v)), *v[-1:]],
            lambda v: [*(b for _, b in itertools.pairwise(v)), *v[-1:]],
        ),
    )


def _rotate(chance: Chance, base: int) -> Op:
    helper = "let rotate = function\n  | first :: rest -> rest @ [ first ]\n  | [] -> []"
    return Op(
        "move the first digit to the end",
        "rotate",
        lambda v: [*v[1:], *v[:1]],
        (helper,),
        (lambda v: v[1:], lambda v: v[:1]),
    )


_STEPS = (_complement, _shift, _scale, _place, _reverse, _sort, _drop, _keep, _unique, _neighbours, _rotate)


# --- the endings ------------------------------------------------------------------------------------------------------


def _ending(chance: Chance, target: int) -> Op:
    k, start = chance.between(2, 9), chance.between(1, 9)

    def number(v: Ints) -> int:
        n = 0
        for d in v:
            n = n * target + d
        return n

    return chance.pick(
        (
            Op(
                f"the number with these digits to the base {target}, the first of the list being the most significant "
                "one (0 for the empty list)",
                f"List.fold_left (fun n d -> ({target} * n) + d) 0",
                number,
            ),
            Op(
                f"the number with these digits to the base {target}, the last of the list being the most significant "
                "one (0 for the empty list)",
                f"(fun l -> List.fold_right (fun d n -> ({target} * n) + d) l 0)",
                lambda v: number(v[::-1]),
            ),
            Op(
                "the sum of the digits, each multiplied by its position in the list, where the first one has position "
                f"{k}, plus {start}",
                f"(fun l -> List.fold_left ( + ) {start} (List.mapi (fun i d -> d * (i + {k})) l))",
                lambda v: start + sum(d * i for i, d in enumerate(v, start=k)),
            ),
        )
    )


FAMILY = Family(
    name="arithmetic.digits",
    topics=("arithmetic", "lists"),
    description="a number's digits in some base, changed in steps and read again",
    tasks=TASKS,
    make=_digits,
)
