"""A function of one to three integers, defined by ordered cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, joined_test, ordered_tests
from ocaml_env.problems.generators.values import integer
from ocaml_env.problems.generators.wording import module, numbered, paragraphs, series

__all__ = ["FAMILY"]

Ints = Sequence[int]


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


FAMILY = Family(
    name="arithmetic.cases",
    topics=("arithmetic",),
    description="a function of one to three integers, defined by ordered cases",
    make=_by_cases,
)
