"""Families about arithmetic: functions defined by cases, digits in a base, and numbers with properties."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from math import gcd

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, joined_test, ordered_tests
from ocaml_env.problems.generators.steps import applied, every_step_matters, list_steps
from ocaml_env.problems.generators.values import integer, listing, pair
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs, series

__all__ = ["FAMILIES"]

Ints = Sequence[int]

_INTS = listing(integer)


# --- cases ------------------------------------------------------------------------------------------------------------


def _by_cases(chance: Chance, level: int) -> Draft:
    name = chance.pick(("rate", "grade", "weigh", "evaluate", "assess"))
    size = (1, 2, 2, 3, 3)[level - 1]
    names = ("x", "y", "z")[:size]
    between = _between(chance, names) if level >= 3 else None
    known = (*names, "s") if between else names

    def complete(arguments: Ints) -> Ints:
        return (*arguments, between.run(arguments)) if between else arguments

    def draw() -> list[int]:
        low, high = (-30, 70) if size == 1 else (-12, 30)
        return chance.numbers(size, low if chance.happens(0.5) else 0, high)

    count = (2, 3, 3, 4, 5)[level - 1]
    tried = [complete(draw()) for _ in range(40)]
    tests = ordered_tests(lambda: _question(chance, known, level), count, tried, (0.05, 0.6))
    branches = [(test, _value(chance, known)) for test in tests]
    last = _value(chance, known)

    def run(arguments: Ints) -> int:
        values = complete(arguments)
        made: int = next((value for test, value in branches if test.run(values)), last).run(values)
        return made

    signs = " ".join(names)
    rules = [f"if {test.words}, the result is {value.words};" for test, value in branches]
    statement = paragraphs(
        f"`{name} {signs}` is a number, by the first of these rules that fits the "
        f"{'integer' if size == 1 else 'integers'} {series([f'`{n}`' for n in names])}"
        + (f", where `s` stands for {between.words}" if between else "")
        + ":",
        numbered([*rules, f"otherwise the result is {last.words}."]),
    )
    lines = [f"let {name} {signs} ="]
    lines += [f"  let s = {between.ocaml} in"] if between else []
    for i, (test, value) in enumerate(branches):
        lines.append(f"  {'if' if i == 0 else 'else if'} {test.ocaml} then {value.ocaml}")
    lines.append(f"  else {last.ocaml}")
    ops = [op for test, value in branches for op in (test, value)] + [last] + ([between] if between else [])

    def cases() -> Iterator[Case]:
        edges = [
            [0] * size,
            [1] * size,
            [-1] * size,
            [10] * size,
            chance.ints(size, 40, 99),
            chance.ints(size, -99, -40),
        ]
        for arguments in inputs(draw, edges):
            yield case(name, [integer(value) for value in arguments], integer(run(arguments)))

    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : {' -> '.join(['int'] * (size + 1))}",
        reference=module([helper for op in ops for helper in op.helpers], "\n".join(lines)),
        cases=cases(),
        together=2 if size == 1 else 4,
    )


def _on(op: Op, names: Sequence[str], *places: int) -> Op:
    """The operation on the variables at these places, to be run with all of them."""
    chosen = [names[place] for place in places]
    return Op(
        op.say(*chosen), op.code(*chosen), lambda values: op.run(*[values[place] for place in places]), op.helpers
    )


def _question(chance: Chance, names: Sequence[str], level: int) -> Op:
    if len(names) > 1 and chance.happens(0.3):
        i, j = chance.sample(range(len(names)), 2)
        k = chance.between(2, 3)
        return chance.pick(
            (
                Op(f"`{names[i]}` is less than `{names[j]}`", f"{names[i]} < {names[j]}", lambda v: v[i] < v[j]),
                Op(
                    f"`{names[i]}` is greater than {k} times `{names[j]}`",
                    f"{names[i]} > {k} * {names[j]}",
                    lambda v: v[i] > k * v[j],
                ),
                Op(
                    f"the sum of `{names[i]}` and `{names[j]}` is divisible by {k}",
                    f"({names[i]} + {names[j]}) mod {k} = 0",
                    lambda v: (v[i] + v[j]) % k == 0,
                ),
            )
        )
    return _on(joined_test(chance, level), names, chance.below(len(names)))


def _value(chance: Chance, names: Sequence[str]) -> Op:
    if len(names) > 1 and chance.happens(0.7):
        return _on(int_join(chance), names, *chance.sample(range(len(names)), 2))
    return _on(int_map(chance), names, chance.below(len(names)))


def _between(chance: Chance, names: Sequence[str]) -> Op:
    return _on(int_join(chance), names, *chance.sample(range(len(names)), 2))


# --- digits -----------------------------------------------------------------------------------------------------------


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
        "add to every digit its position in the list, where the first one has "
        f"position {k}, and take the remainder divided by {base}",
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
                f"the sum of the digits, each multiplied by its position in the list, where the first one has "
                f"position {k}, plus {start}",
                f"(fun l -> List.fold_left ( + ) {start} (List.mapi (fun i d -> d * (i + {k})) l))",
                lambda v: start + sum(d * i for i, d in enumerate(v, start=k)),
            ),
        )
    )


# --- search -----------------------------------------------------------------------------------------------------------

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
        "(empty "
        "if there are fewer than two)",
        "gaps kept",
        lambda v: [b - a for a, b in itertools.pairwise(v)],
        (helper,),
    )
    return op, "int list", _INTS


_COLLECTED = (_c_list, _c_images, _c_total, _c_gaps)


FAMILIES = (
    Family(
        name="arithmetic.cases",
        topics=("arithmetic",),
        description="a function of one to three integers, defined by ordered cases",
        make=_by_cases,
    ),
    Family(
        name="arithmetic.digits",
        topics=("arithmetic", "lists"),
        description="a number's digits in some base, changed in steps and read again",
        make=_digits,
    ),
    Family(
        name="arithmetic.search",
        topics=("arithmetic", "recursion"),
        description="the numbers of a range that have some properties",
        make=_search,
    ),
)
