"""A few numbers kept along a list, each element changing them by ordered rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, joined_test, ordered_tests, some_ints
from ocaml_env.problems.generators.values import integer, listing, pair
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

Ints = Sequence[int]


_INTS = listing(integer)


_LARGEST = 1 << 50


class _Update(NamedTuple):
    """What becomes of one register; ``run`` takes all registers and the element."""

    target: int
    formula: str
    run: Callable[[Ints, int], int]


class _Clause(NamedTuple):
    test: Op | None
    updates: tuple[_Update, ...]


def _registers(chance: Chance, level: int) -> Draft:
    name = chance.pick(("tally", "accumulate", "follow", "track", "measure"))
    size = (1, 2, 2, 3, 3)[level - 1]
    names = ("a", "b", "c")[:size]
    starts = tuple(chance.ints(size, 0, 9))
    count = (2, 2, 3, 3, 4)[level - 1]
    tests = ordered_tests(lambda: joined_test(chance, level), count, range(-9, 31), (0.1, 0.5))
    clauses = [_Clause(test, _updates(chance, names, level)) for test in tests]
    clauses.append(_Clause(None, _updates(chance, names, level)))
    result, kind, shown, finish = _result(chance, names)
    tried = [some_ints(chance, 12) for _ in range(6)]
    _check_clauses(clauses, starts, finish, tried)

    def run(v: Ints) -> str:
        return shown(finish(_folded(clauses, starts, v)))

    lines = [f"{name} = {start}" for name, start in zip(names, starts, strict=True)]
    rules = [
        f"{'if' if i == 0 else 'otherwise, if'} {clause.test.say()}: {_spoken(clause.updates, names)};"
        for i, clause in enumerate(clauses)
        if clause.test
    ]
    rules.append(f"otherwise: {_spoken(clauses[-1].updates, names)}.")
    many = size > 1
    statement = paragraphs(
        f"`{name} l` goes through a list of integers from left to right and keeps {series([f'`{n}`' for n in names])} "
        f"meanwhile. At the beginning {series([f'`{line}`' for line in lines])}. For each element `x`:",
        bullets(rules),
        "All new values are computed from the values before this element." if many else "",
        f"The result, after the last element, is `{result}`. For the empty list it is what follows from the values at "
        "the beginning.",
    )
    state = f"({', '.join(names)})" if many else names[0]
    code = [f"let {name} l =", f"  let step {state} x ="]
    for i, clause in enumerate(clauses):
        head = f"    {'if' if i == 0 else 'else if'} {clause.test.code()} then " if clause.test else "    else "
        code.append(head + _assigned(clause.updates, names))
    code += ["  in"]
    begin = f"({', '.join(map(str, starts))})" if many else str(starts[0])
    code += [f"  let {', '.join(names)} = List.fold_left step {begin} l in", f"  {result}"]

    def cases() -> Iterator[Case]:
        edges = [[], [chance.between(1, 9)], [chance.between(-9, 0)], [0, 0, 0], chance.numbers(14, -20, 40)]
        for value in inputs(lambda: some_ints(chance, 12), edges):
            yield case(name, [_INTS(value)], run(value))

    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : int list -> {kind}",
        reference=module([h for clause in clauses if clause.test for h in clause.test.helpers], "\n".join(code)),
        cases=cases(),
        together=2,
    )


def _folded(clauses: Sequence[_Clause], state: Ints, v: Ints, skipped: int = -1) -> Ints:
    for x in v:
        for i, clause in enumerate(clauses):
            if clause.test is None or clause.test.run(x):
                if i != skipped:
                    new = list(state)
                    for update in clause.updates:
                        new[update.target] = update.run(state, x)
                    state = new
                break
        if any(not -_LARGEST < value < _LARGEST for value in state):
            raise Unfit
    return state


def _check_clauses(
    clauses: Sequence[_Clause], starts: Ints, finish: Callable[[Ints], object], tried: Sequence[Ints]
) -> None:
    """Raises ``Unfit`` where a clause could be left out without a difference."""
    whole = [finish(_folded(clauses, starts, v)) for v in tried]
    for i in range(len(clauses)):
        if all(finish(_folded(clauses, starts, v, i)) == answer for v, answer in zip(tried, whole, strict=True)):
            raise Unfit


def _updates(chance: Chance, names: Sequence[str], level: int) -> tuple[_Update, ...]:
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
    formula, run = chance.pick(made)
    return _Update(target, formula, run)


def _spoken(updates: Sequence[_Update], names: Sequence[str]) -> str:
    return series([f"`{names[update.target]}` becomes `{update.formula}`" for update in updates])


def _assigned(updates: Sequence[_Update], names: Sequence[str]) -> str:
    new = list(names)
    for update in updates:
        new[update.target] = update.formula
    return f"({', '.join(new)})" if len(names) > 1 else new[0]


Result = tuple[str, str, Callable[[Any], str], Callable[[Ints], object]]


def _result(chance: Chance, names: Sequence[str]) -> Result:
    """A formula of the registers, its type, how it is shown, and its value."""
    if len(names) == 1:
        k = chance.between(2, 9)
        return chance.pick(
            (
                ("a", "int", integer, lambda v: v[0]),
                (f"{k} * a", "int", integer, lambda v: k * v[0]),
                (f"abs a + {k}", "int", integer, lambda v: abs(v[0]) + k),
            )
        )
    if chance.happens(0.4):
        return f"({', '.join(names)})", " * ".join(["int"] * len(names)), pair(*[integer] * len(names)), tuple
    weights = chance.ints(len(names), 1, 4)
    formula = " + ".join(f"({w} * {n})" if w > 1 else n for w, n in zip(weights, names, strict=True))
    return formula, "int", integer, lambda v: sum(w * n for w, n in zip(weights, v, strict=True))


FAMILY = Family(
    name="folds.registers",
    topics=("folds", "lists"),
    description="a few numbers kept along a list, each element changing them by ordered rules",
    make=_registers,
)
