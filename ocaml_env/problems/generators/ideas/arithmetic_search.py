"""The numbers of a range that have some properties."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from math import gcd

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_map, int_test
from ocaml_env.problems.generators.steps import applied, every_step_matters, list_steps
from ocaml_env.problems.generators.values import integer, listing, pair
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs

__all__ = ["FAMILY"]

_INTS = listing(integer)


_GCD = "let rec gcd a b = if b = 0 then a else gcd b (a mod b)"


_DIVISORS = """\
let divisors n =
  let rec count d = if d > n then 0 else (if n mod d = 0 then 1 else 0) + count (d + 1) in
  count 1"""


_SEARCHED = 100  # no range ends higher


def _search(chance: Chance, level: int) -> Draft:
    name = chance.pick(("find", "collect", "search", "select", "hunt"))
    tests = [_property(chance) for _ in range(2 if level <= 3 else 3)]
    if len({test.ocaml for test in tests}) < len(tests):
        raise Unfit
    join = chance.pick(("all", "any") if len(tests) == 2 else ("all", "two") if len(tests) == 3 else ("all",))
    image = int_map(chance)
    collect, result, shown = chance.pick(_COLLECTED)(chance, image)
    steps = list_steps(chance, (0, 0, 1, 1, 2)[level - 1], level)

    def fits(n: int) -> bool:
        met = sum(bool(test.run(n)) for test in tests)
        return met >= {"all": len(tests), "any": 1, "two": 2}[join]

    def run(low: int, high: int) -> object:
        return collect.run(applied(steps, [n for n in range(low, high + 1) if known[n]]))

    known = [fits(n) for n in range(_SEARCHED + 1)]
    if not 4 <= sum(known[1:61]) <= 45 or not every_step_matters(steps, [[n for n in range(1, 40) if known[n]]]):
        raise Unfit
    signs = {
        "all": "all of these hold" if len(tests) > 1 else "this holds",
        "any": "at least one of these holds",
        "two": "at least two of these hold",
    }
    statement = paragraphs(
        f"`{name} low high` looks at all integers `n` from `low` to `high`, both included (none if `low` is greater "
        f"than `high`; `low` is at least 1), and keeps those, in ascending order, for which {signs[join]}:",
        bullets([f"{test.say('n')};" for test in tests[:-1]] + [f"{tests[-1].say('n')}."]),
        "They go through these steps:" if steps else "",
        numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
        f"The result is {collect.words}.",
    )
    codes = [f"({test.code('n')})" for test in tests]
    if join == "two":
        body = "List.length (List.filter Fun.id [ " + "; ".join(code[1:-1] for code in codes) + " ]) >= 2"
    else:
        body = (" && " if join == "all" else " || ").join(codes) if len(codes) > 1 else codes[0][1:-1]
    reference = module(
        [helper for op in (*tests, *steps) for helper in op.helpers],
        collect.helpers,
        f"let fits n = {body}",
        f"let {name} low high =\n"
        "  let kept = List.filter fits (List.init (max 0 (high - low + 1)) (fun i -> low + i)) in\n"
        + "".join(f"  let kept = kept |> {step.ocaml} in\n" for step in steps)
        + f"  {collect.ocaml}",
    )

    def draw() -> tuple[int, int]:
        low = chance.between(1, 60)
        return low, low + chance.between(6, 30)

    def cases() -> Iterator[Case]:
        edges = [(1, 40), (9, 8), (30, 20), (7, 7), (1, 100), (12, 12)]
        for low, high in inputs(draw, edges):
            yield case(name, [integer(low), integer(high)], shown(run(low, high)))

    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : int -> int -> {result}",
        reference=reference,
        cases=cases(),
    )


def _property(chance: Chance) -> Op:
    k, d = chance.between(6, 30), chance.pick((2, 4, 6))
    return chance.pick(
        (
            int_test(chance),
            int_test(chance),
            int_test(chance),
            Op(f"{{x}} and {k} have no common divisor but 1", f"gcd {{x}} {k} = 1", lambda n: gcd(n, k) == 1, (_GCD,)),
            Op(
                f"{{x}} has exactly {d} divisors, 1 and itself included",
                f"divisors {{x}} = {d}",
                lambda n: sum(n % i == 0 for i in range(1, n + 1)) == d,
                (_DIVISORS,),
            ),
        )
    )


Collected = tuple[Op, str, Callable[[object], str]]


def _c_list(chance: Chance, image: Op) -> Collected:
    if chance.happens(0.5):
        op = Op("the list of these numbers", "kept", lambda v: v)
    else:
        op = Op("the reverse of the list of these numbers", "List.rev kept", lambda v: v[::-1])
    return op, "int list", _INTS


def _c_images(chance: Chance, image: Op) -> Collected:
    op = Op(
        f"the list of these numbers, each number `n` replaced by {image.say('n')}",
        f"List.map (fun n -> {image.code('n')}) kept",
        lambda v: [image.run(n) for n in v],
        image.helpers,
    )
    return op, "int list", _INTS


def _c_total(chance: Chance, image: Op) -> Collected:
    k = chance.between(2, 9)
    op = Op(
        f"the pair of how many numbers these are, and of {k} plus the sum, over each `n` of them, of: {image.say('n')}",
        f"(List.length kept, List.fold_left (fun sum n -> sum + ({image.code('n')})) {k} kept)",
        lambda v: (len(v), k + sum(image.run(n) for n in v)),
        image.helpers,
    )
    return op, "int * int", pair(integer, integer)


def _c_gaps(chance: Chance, image: Op) -> Collected:
    helper = """\
let rec gaps = function
  | a :: (b :: _ as rest) -> (b - a) :: gaps rest
  | _ -> []"""
    op = Op(
        "the list of the differences of each two neighbours in the list of these numbers, the second minus the first "
        "(empty if there are fewer than two)",
        "gaps kept",
        lambda v: [b - a for a, b in itertools.pairwise(v)],
        (helper,),
    )
    return op, "int list", _INTS


_COLLECTED = (_c_list, _c_images, _c_total, _c_gaps)


FAMILY = Family(
    name="arithmetic.search",
    topics=("arithmetic", "recursion"),
    description="the numbers of a range that have some properties",
    make=_search,
)
