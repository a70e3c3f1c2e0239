"""A function of one to three integers, defined by ordered cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, joined_test, ordered_tests, telling
from ocaml_env.problems.generators.small.arithmetic_cases import TASKS
from ocaml_env.problems.generators.values import integer
from ocaml_env.problems.generators.wording import module, numbered, paragraphs, series

__all__ = ["FAMILY"]

_TRIED = 120  # arguments to try; some of them must show each part of a rule
_SHARES = (0.05, 0.5)  # of the arguments that reach a rule, the share decided by it
_SEEN = 2  # arguments at least that must show a part

Ints = Sequence[int]


class _Rule(NamedTuple):
    test: Op
    value: Op


@dataclass(frozen=True, slots=True)
class _Function:
    """``between`` is the meaning of the name ``s``, if it is used; ``s`` follows the other arguments."""

    names: tuple[str, ...]
    between: Op | None
    rules: tuple[_Rule, ...]
    otherwise: Op

    def run(self, arguments: Ints) -> int:
        values = _complete(self.between, arguments)
        found: int = next((rule.value for rule in self.rules if rule.test.run(values)), self.otherwise).run(values)
        return found


def _complete(between: Op | None, arguments: Ints) -> Ints:
    return (*arguments, between.run(arguments)) if between else arguments


def _by_cases(chance: Chance, level: int) -> Draft:
    name = chance.pick(("rate", "grade", "weigh", "evaluate", "assess"))
    function = _function(chance, level)
    size = len(function.names)
    return Draft(
        name=name,
        statement=_statement(name, function),
        signature=f"val {name} : {' -> '.join(['int'] * (size + 1))}",
        reference=_reference(name, function),
        cases=_cases(chance, name, function),
        together=2 if size == 1 else 4,
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _function(chance: Chance, level: int) -> _Function:
    size, count = {1: (1, 2), 3: (2, 3), 5: (3, 5)}[level]
    names = ("x", "y", "z")[:size]
    given = [_arguments(chance, size) for _ in range(_TRIED)]
    between = _applied(chance, int_join, names, given, chance.sample(range(size), 2)) if size > 1 else None
    known = (*names, "s") if between else names
    left = [_complete(between, arguments) for arguments in given]
    tests = ordered_tests(lambda: _question(chance, known, level), count, left, _SHARES)
    rules = []
    of_s = chance.below(count) if between else count
    for place, test in enumerate(tests):
        reached = [values for values in left if test.run(values)]
        left = [values for values in left if not test.run(values)]
        rules.append(_Rule(test, _value(chance, known, reached, of_s=place == of_s)))
    function = _Function(names, between, tuple(rules), _value(chance, known, left))
    if between and not _show_each_fault(given, function, between):
        raise Unfit
    return function


def _show_each_fault(given: Sequence[Ints], function: _Function, between: Op) -> bool:
    """True if each fault of ``s`` changes some results."""
    whole = [*map(function.run, given)]
    for fault in between.faults:
        faulty = replace(function, between=between._replace(run=fault))
        if sum(faulty.run(arguments) != right for arguments, right in zip(given, whole, strict=True)) < _SEEN:
            return False
    return True


def _arguments(chance: Chance, size: int) -> list[int]:
    low, high = (-30, 70) if size == 1 else (-12, 30)
    return chance.numbers(size, low if chance.happens(0.5) else 0, high)


def _asked(chance: Chance, size: int) -> list[int]:
    """Arguments, sometimes with equal ones, with 0 among them, or with large ones."""
    arguments = _arguments(chance, size)
    kind = chance.below(10)
    if kind == 0:
        arguments = chance.ints(size, -999, 999)
    elif kind < 3 and size > 1:
        i, j = chance.sample(range(size), 2)
        arguments[i] = arguments[j] if chance.happens(0.7) else 0
    return arguments


def _question(chance: Chance, names: Sequence[str], level: int) -> Op:
    if len(names) > 1 and chance.happens(0.3):
        i, j = chance.sample(range(len(names)), 2)
        return chance.pick((_less, _greater, _sum_divisible))(chance, names, i, j)
    return _on(joined_test(chance, level), names, (chance.below(len(names)),))


def _less(chance: Chance, names: Sequence[str], i: int, j: int) -> Op:
    return Op(f"`{names[i]}` is less than `{names[j]}`", f"{names[i]} < {names[j]}", lambda v: v[i] < v[j])


def _greater(chance: Chance, names: Sequence[str], i: int, j: int) -> Op:
    k = chance.between(2, 3)
    return Op(
        f"`{names[i]}` is greater than {k} times `{names[j]}`",
        f"{names[i]} > {k} * {names[j]}",
        lambda v: v[i] > k * v[j],
        (),
        (lambda v: v[i] > v[j],),
    )


def _sum_divisible(chance: Chance, names: Sequence[str], i: int, j: int) -> Op:
    k = chance.between(2, 3)
    return Op(
        f"the sum of `{names[i]}` and `{names[j]}` is divisible by {k}",
        f"({names[i]} + {names[j]}) mod {k} = 0",
        lambda v: (v[i] + v[j]) % k == 0,
        (),
        (lambda v: v[i] % k == 0, lambda v: v[j] % k == 0),
    )


def _value(chance: Chance, names: Sequence[str], reached: Sequence[Ints], *, of_s: bool = False) -> Op:
    """A number made from one or two of the names. Each of its parts makes a difference for some reached values."""
    if of_s or (len(names) > 1 and chance.happens(0.7)):
        last = len(names) - 1
        places = [last, chance.below(last)] if of_s else chance.sample(range(len(names)), 2)
        return _applied(chance, int_join, names, reached, places)
    return _applied(chance, int_map, names, reached, [chance.below(len(names))])


def _applied(
    chance: Chance, kind: Callable[[Chance], Op], names: Sequence[str], reached: Sequence[Ints], places: Sequence[int]
) -> Op:
    op = telling(chance, kind, [tuple([values[place] for place in places]) for values in reached])
    return _on(op, names, places)


def _on(op: Op, names: Sequence[str], places: Sequence[int]) -> Op:
    """The operation on the variables at these places. It takes all variables."""
    chosen = [names[place] for place in places]
    run, *faults = (
        lambda v, meaning=meaning: meaning(*[v[place] for place in places]) for meaning in (op.run, *op.faults)
    )
    return Op(op.say(*chosen), op.code(*chosen), run, op.helpers, tuple(faults))


def _cases(chance: Chance, name: str, function: _Function) -> Iterator[Case]:
    size = len(function.names)
    edges = [[n] * size for n in (0, 1, -1, 10)] + [chance.ints(size, 40, 99), chance.ints(size, -99, -40)]
    for arguments in inputs(lambda: _asked(chance, size), edges):
        yield case(name, [*map(integer, arguments)], integer(function.run(arguments)))


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, function: _Function) -> str:
    shown = series([f"`{each}`" for each in function.names])
    noun = "the integer" if len(function.names) == 1 else "the integers"
    between = f" In the rules, `s` stands for {function.between.words}." if function.between else ""
    rules = [f"If {rule.test.words}, the result is {rule.value.words}." for rule in function.rules]
    return paragraphs(
        f"`{name} {' '.join(function.names)}` computes an integer from {noun} {shown}.{between} Use the first of these "
        "rules that applies:",
        numbered([*rules, f"Otherwise, the result is {function.otherwise.words}."]),
    )


def _reference(name: str, function: _Function) -> str:
    between, otherwise = function.between, function.otherwise
    lines = [f"let {name} {' '.join(function.names)} ="]
    lines += [f"  let s = {between.ocaml} in"] if between else []
    for place, (test, value) in enumerate(function.rules):
        lines.append(f"  {'else if' if place else 'if'} {test.ocaml} then {value.ocaml}")
    lines.append(f"  else {otherwise.ocaml}")
    ops = [op for rule in function.rules for op in rule] + [otherwise, *([between] if between else [])]
    return module([helper for op in ops for helper in op.helpers], "\n".join(lines))


FAMILY = Family(
    name="arithmetic.cases",
    topics=("arithmetic",),
    description="a function of one to three integers, defined by ordered cases",
    tasks=TASKS,
    make=_by_cases,
)
