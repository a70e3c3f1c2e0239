"""A number's digits in some base, changed in steps and read again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_test
from ocaml_env.problems.generators.steps import every_step_matters
from ocaml_env.problems.generators.values import integer
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Ints = Sequence[int]


def _digits(chance: Chance, level: int) -> Draft:
    name = chance.pick(("scramble", "recode", "convert", "shuffle_digits", "remake"))
    base = chance.pick((2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 11, 12, 16))
    target = base if chance.happens(0.5) else base + chance.between(1, 4)
    low_first = chance.happens(0.5)
    kinds = chance.sample(_DIGIT_STEPS, min(1 + level, 5))
    steps = [kind(chance, base) for kind in kinds]
    if level == 1:
        steps = steps[:2]

    def digits(n: int) -> list[int]:
        made = []
        while n:
            n, digit = divmod(n, base)
            made.append(digit)
        return made if low_first else made[::-1]

    ending = _digit_ending(chance, target)
    largest = 9999 if level <= 2 else 99_999
    tried = [digits(chance.between(1, largest)) for _ in range(8)]
    if not every_step_matters(steps, tried, ending):
        raise Unfit

    def run(n: int) -> str:
        made: Ints = digits(n)
        for step in steps:
            made = step.run(made)
        return integer(ending.run(made))

    first = "least" if low_first else "most"
    statement = paragraphs(
        f"`{name} n` takes the digits of the integer `n` (at least 0) to the base {base}, as a list of numbers from 0 "
        f"to {base - 1}, the {first} significant digit first. The number 0 has no digits. The list goes through these "
        "steps, in this order:",
        numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
        f"The result is {ending.words}.",
    )
    helper = f"let rec digits n = if n = 0 then [] else (n mod {base}) :: digits (n / {base})"
    lines = [f"let {name} n =", "  digits n"]
    lines += [] if low_first else ["  |> List.rev"]
    lines += [f"  |> {step.ocaml}" for step in (*steps, ending)]

    def cases() -> Iterator[Case]:
        edges = [0, 1, base - 1, base, base**3 - 1, base**4 + 1, chance.between(largest, 9 * largest)]
        for n in inputs(lambda: chance.between(base, largest), edges):
            yield case(name, [integer(n)], run(n))

    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : int -> int",
        reference=module(helper, [h for step in steps for h in step.helpers], "\n".join(lines)),
        cases=cases(),
        together=2,
    )


_UNIQUE = """\
let unique l =
  List.rev (List.fold_left (fun kept d -> if List.mem d kept then kept else d :: kept) [] l)"""


def _d_complement(chance: Chance, base: int) -> Op:
    top = base - 1
    return Op(
        f"replace every digit `d` by {top} minus `d`", f"List.map (fun d -> {top} - d)", lambda v: [top - d for d in v]
    )


def _d_shift(chance: Chance, base: int) -> Op:
    k = chance.between(1, base - 1)
    return Op(
        f"add {k} to every digit, and take the remainder divided by {base}",
        f"List.map (fun d -> (d + {k}) mod {base})",
        lambda v: [(d + k) % base for d in v],
    )


def _d_scale(chance: Chance, base: int) -> Op:
    k = chance.between(2, 9)
    return Op(
        f"multiply every digit by {k}, and take the remainder divided by {base}",
        f"List.map (fun d -> d * {k} mod {base})",
        lambda v: [d * k % base for d in v],
    )


def _d_place(chance: Chance, base: int) -> Op:
    k = chance.between(0, 3)
    return Op(
        f"add to every digit its position in the list, where the first one has position {k}, and take the remainder "
        f"divided by {base}",
        f"List.mapi (fun i d -> (d + i + {k}) mod {base})" if k else f"List.mapi (fun i d -> (d + i) mod {base})",
        lambda v: [(d + i) % base for i, d in enumerate(v, start=k)],
    )


def _d_reverse(chance: Chance, base: int) -> Op:
    return Op("reverse the list", "List.rev", lambda v: v[::-1])


def _d_sort(chance: Chance, base: int) -> Op:
    if chance.happens(0.5):
        return Op("sort the digits in ascending order", "List.sort compare", sorted)
    return Op(
        "sort the digits in descending order",
        "List.sort (fun a b -> compare b a)",
        lambda v: sorted(v, reverse=True),
    )


def _d_drop(chance: Chance, base: int) -> Op:
    k = chance.below(base)
    return Op(f"remove every digit {k}", f"List.filter (fun d -> d <> {k})", lambda v: [d for d in v if d != k])


def _d_keep(chance: Chance, base: int) -> Op:
    test = int_test(chance)
    return Op(
        f"keep only the digits `d` for which {test.say('d')}",
        f"List.filter (fun d -> {test.code('d')})",
        lambda v: [d for d in v if test.run(d)],
        test.helpers,
    )


def _d_unique(chance: Chance, base: int) -> Op:
    return Op("of equal digits keep only the first", "unique", lambda v: [*dict.fromkeys(v)], (_UNIQUE,))


def _d_neighbours(chance: Chance, base: int) -> Op:
    helper = f"""\
let rec neighbours = function
  | a :: (b :: _ as rest) -> ((a + b) mod {base}) :: neighbours rest
  | l -> l"""
    return Op(
        f"replace every digit but the last by the sum of itself and the next one, divided by {base}, of which the "
        "remainder is taken (the next one counts as it was before this step)",
        "neighbours",
        lambda v: [*((a + b) % base for a, b in itertools.pairwise(v)), *v[-1:]],
        (helper,),
    )


def _d_rotate(chance: Chance, base: int) -> Op:
    helper = "let rotate = function\n  | first :: rest -> rest @ [ first ]\n  | [] -> []"
    return Op("move the first digit to the end", "rotate", lambda v: [*v[1:], *v[:1]], (helper,))


_DIGIT_STEPS = (
    _d_complement,
    _d_shift,
    _d_scale,
    _d_place,
    _d_reverse,
    _d_sort,
    _d_drop,
    _d_keep,
    _d_unique,
    _d_neighbours,
    _d_rotate,
)


def _digit_ending(chance: Chance, target: int) -> Op:
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
    make=_digits,
)
