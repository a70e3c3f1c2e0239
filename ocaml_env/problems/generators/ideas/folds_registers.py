"""A few numbers updated along a list: each element changes them by ordered rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, joined_test, ordered_tests, some_ints
from ocaml_env.problems.generators.small.folds_registers import TASKS
from ocaml_env.problems.generators.values import Show, integer, listing, pair
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

Ints = Sequence[int]

_INTS = listing(integer)

_LARGEST = 1 << 50
_LOW, _HIGH = -9, 30  # of the elements


class _Update(NamedTuple):
    """The new value of one register; ``run`` takes all registers and the element."""

    target: int
    formula: str
    run: Callable[[Ints, int], int]


class _Clause(NamedTuple):
    """A rule. The last one has no question."""

    test: Op | None
    updates: tuple[_Update, ...]


class _Result(NamedTuple):
    """A formula of the registers, its type, a function to show its value, and one to compute it."""

    formula: str
    kind: str
    show: Show
    run: Callable[[Ints], Any]


@dataclass(frozen=True, slots=True)
class _Registers:
    names: tuple[str, ...]
    starts: Ints
    clauses: tuple[_Clause, ...]
    result: _Result


def _problem(chance: Chance, level: int) -> Draft:
    name = chance.pick(("tally", "accumulate", "follow", "track", "measure"))
    registers = _registers(chance, level)
    return Draft(
        name=name,
        statement=_statement(name, registers),
        signature=f"val {name} : int list -> {registers.result.kind}",
        reference=_reference(name, registers),
        cases=_cases(chance, name, registers),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _registers(chance: Chance, level: int) -> _Registers:
    names = ("a", "b", "c")[: {1: 1, 3: 2, 5: 3}[level]]
    count = {1: 2, 3: 3, 5: 4}[level]
    tests = ordered_tests(lambda: joined_test(chance, level), count, range(_LOW, _HIGH + 1), (0.1, 0.5))
    made = _Registers(
        names,
        chance.ints(len(names), 0, 9),
        tuple(_Clause(test, _updates(chance, names)) for test in (*tests, None)),
        _result(chance, names),
    )
    tried = [_elements(chance) for _ in range(8)]
    whole = [_answer(made, v) for v in tried]
    for place in range(len(made.clauses)):
        if [_answer(made, v, place) for v in tried] == whole:
            raise Unfit
    return made


def _updates(chance: Chance, names: Sequence[str]) -> tuple[_Update, ...]:
    count = 1 if len(names) == 1 else chance.between(1, 2)
    return tuple(_update(chance, names, target) for target in sorted(chance.sample(range(len(names)), count)))


def _update(chance: Chance, names: Sequence[str], target: int) -> _Update:
    r, k = names[target], chance.between(1, 9)
    other = chance.below(len(names))
    s = names[other]
    made: list[tuple[str, Callable[[Ints, int], int]]] = [
        (f"{r} + x", lambda v, x: v[target] + x),
        (f"{r} - x", lambda v, x: v[target] - x),
        (f"{r} + {k}", lambda v, x: v[target] + k),
        (f"{r} - {k}", lambda v, x: v[target] - k),
        (f"max {r} x", lambda v, x: max(v[target], x)),
        (f"min {r} (x + {k})", lambda v, x: min(v[target], x + k)),
        (f"x + {k}", lambda v, x: x + k),
        (f"{k} - {r}", lambda v, x: k - v[target]),
        (f"{r} + ({k + 1} * x)", lambda v, x: v[target] + (k + 1) * x),
        (f"(2 * {r}) - x", lambda v, x: 2 * v[target] - x),
        (f"x - {r}", lambda v, x: x - v[target]),
    ]
    if other != target:
        made += [
            (f"{s} + {k}", lambda v, x: v[other] + k),
            (f"{r} + {s}", lambda v, x: v[target] + v[other]),
            (f"{s} - {r}", lambda v, x: v[other] - v[target]),
            (f"max {r} {s}", lambda v, x: max(v[target], v[other])),
            (f"{s} + x", lambda v, x: v[other] + x),
            (f"{r} + abs ({s} - x)", lambda v, x: v[target] + abs(v[other] - x)),
        ]
    return _Update(target, *chance.pick(made))


def _result(chance: Chance, names: Sequence[str]) -> _Result:
    if len(names) == 1:
        k = chance.between(2, 9)
        return chance.pick(
            (
                _Result("a", "int", integer, lambda v: v[0]),
                _Result(f"{k} * a", "int", integer, lambda v: k * v[0]),
                _Result(f"abs a + {k}", "int", integer, lambda v: abs(v[0]) + k),
            )
        )
    if chance.happens(0.4):
        size = len(names)
        return _Result(f"({', '.join(names)})", " * ".join(["int"] * size), pair(*[integer] * size), tuple)
    weights = chance.ints(len(names), 1, 4)
    formula = " + ".join(f"({w} * {n})" if w > 1 else n for w, n in zip(weights, names, strict=True))
    return _Result(formula, "int", integer, lambda v: sum(w * n for w, n in zip(weights, v, strict=True)))


def _elements(chance: Chance) -> list[int]:
    if chance.happens(0.5):
        return chance.numbers(chance.between(3, 8), _LOW, _HIGH)
    return some_ints(chance)


def _asked(chance: Chance) -> list[int]:
    """Also long lists, and some with large, equal, or only negative elements."""
    kind = chance.below(20)
    if kind < 2:
        return chance.numbers(chance.between(10, 14), _LOW, _HIGH)
    if kind < 4:
        return [chance.number(_LOW, _HIGH)] * chance.between(2, 5)
    if kind == 4:
        return chance.ints(chance.between(2, 6), -40, -1)
    elements = _elements(chance)
    if kind < 7:
        elements[chance.below(len(elements))] = chance.pick((-1, 1)) * chance.between(31, 500)
    return elements


# --- meaning ----------------------------------------------------------------------------------------------------------


def _answer(registers: _Registers, v: Ints, skipped: int = -1) -> Any:
    """The result for a list, by all rules except the one at the place ``skipped``."""
    state = registers.starts
    for x in v:
        place, clause = next(
            (place, clause)
            for place, clause in enumerate(registers.clauses)
            if clause.test is None or clause.test.run(x)
        )
        if place != skipped:
            new = {update.target: update.run(state, x) for update in clause.updates}
            state = [new.get(target, value) for target, value in enumerate(state)]
        if any(not -_LARGEST < value < _LARGEST for value in state):
            raise Unfit
    return registers.result.run(state)


def _cases(chance: Chance, name: str, registers: _Registers) -> Iterator[Case]:
    singles = [[x] for x in chance.sample(range(_LOW, _HIGH + 1), 12)]
    for v in inputs(lambda: _asked(chance), [[], [0, 0, 0], *singles]):
        yield case(name, [_INTS(v)], registers.result.show(_answer(registers, v)))


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, registers: _Registers) -> str:
    names = registers.names
    kept = f"a number `{names[0]}`" if len(names) == 1 else f"numbers {series([f'`{name}`' for name in names])}"
    starts = [f"`{name} = {start}`" for name, start in zip(names, registers.starts, strict=True)]
    rules = []
    for place, (test, updates) in enumerate(registers.clauses):
        done = series([f"`{names[update.target]}` becomes `{update.formula}`" for update in updates])
        asked = f"if {test.say()}" if test else ""
        rules.append(f"{asked if place == 0 else f'otherwise, {asked}' if test else 'otherwise'}: {done}")
    return paragraphs(
        f"`{name} l` goes through a list of integers from left to right and keeps {kept}. "
        f"At the beginning {series(starts)}. For each element `x`:",
        bullets([*(f"{rule};" for rule in rules[:-1]), f"{rules[-1]}."]),
        "All new values are computed from the values before this element." if len(names) > 1 else "",
        f"The result, after the last element, is `{registers.result.formula}`. For the empty list it is what follows "
        "from the values at the beginning.",
    )


def _reference(name: str, registers: _Registers) -> str:
    names = registers.names
    lines = [f"let {name} l =", f"  let step {_state(names)} x ="]
    for place, (test, updates) in enumerate(registers.clauses):
        new = list(names)
        for update in updates:
            new[update.target] = update.formula
        asked = f"if {test.code()} then " if test else ""
        lines.append(f"    {'else ' if place else ''}{asked}{_state(new)}")
    folded = f"List.fold_left step {_state([str(start) for start in registers.starts])} l"
    formula = registers.result.formula
    lines += [
        "  in",
        f"  {folded}" if formula == _state(names) else f"  let {', '.join(names)} = {folded} in\n  {formula}",
    ]
    return module([h for test, _ in registers.clauses if test for h in test.helpers], "\n".join(lines))


def _state(parts: Sequence[str]) -> str:
    return f"({', '.join(parts)})" if len(parts) > 1 else parts[0]


FAMILY = Family(
    name="folds.registers",
    topics=("folds", "lists"),
    description="a few numbers kept along a list, each element changing them by ordered rules",
    tasks=TASKS,
    make=_problem,
)
