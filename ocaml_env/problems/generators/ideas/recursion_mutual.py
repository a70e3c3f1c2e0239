"""Two or three functions that call each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.small.recursion_mutual import TASKS
from ocaml_env.problems.generators.values import integer
from ocaml_env.problems.generators.wording import bullets, paragraphs, series

__all__ = ["FAMILY"]

_NAMES = (("ping", "pong", "pang"), ("sun", "moon", "star"), ("left", "right", "middle"), ("red", "green", "blue"))
_LARGEST = 60  # arguments
_USUAL = 250  # calls in total for one call in most tests
_MOST = 4_000  # calls for any argument
_DRAWS = 40

Call = Callable[[int, int], int]  # calls the function at a place with an argument


class _Formula(NamedTuple):
    """A result. Its ``ocaml`` is also its words; ``faults`` are its meanings without a part."""

    ocaml: str
    run: Callable[[int, Call], int]
    faults: tuple[Callable[[int, Call], int], ...] = ()


class _Test(NamedTuple):
    words: str
    ocaml: str
    run: Callable[[int], bool]


class _Body(NamedTuple):
    """``base`` for arguments up to ``floor``; for others, one of two formulas."""

    base: int
    floor: int
    test: _Test
    then: _Formula
    otherwise: _Formula

    def run(self, n: int, call: Call) -> int:
        if n <= self.floor:
            return self.base
        return (self.then if self.test.run(n) else self.otherwise).run(n, call)

    def faulty(self) -> Iterator[_Body]:
        for fault in self.then.faults:
            yield self._replace(then=self.then._replace(run=fault))
        for fault in self.otherwise.faults:
            yield self._replace(otherwise=self.otherwise._replace(run=fault))


@dataclass(frozen=True, slots=True)
class _Functions:
    names: tuple[str, ...]
    bodies: tuple[_Body, ...]

    def values(self) -> list[list[int]]:
        """The values of each function, for the arguments from 0 on."""
        made: list[list[int]] = [[] for _ in self.bodies]
        for n in range(_LARGEST + 1):
            for place, body in enumerate(self.bodies):
                made[place].append(body.run(n, lambda i, m: made[i][m] if m >= 0 else self.bodies[i].base))
        return made

    def costs(self) -> list[list[int]]:
        """The number of calls in total for each of these values."""
        made: list[list[int]] = [[] for _ in self.bodies]
        for n in range(_LARGEST + 1):
            for place, body in enumerate(self.bodies):
                calls: list[tuple[int, int]] = []
                body.run(n, lambda i, m, calls=calls: calls.append((i, m)) or 0)  # type: ignore[misc]
                made[place].append(1 + sum(made[i][m] if m >= 0 else 1 for i, m in calls))
        return made


def _mutual(chance: Chance, level: int) -> Draft:
    functions = _functions(chance, level)
    names = functions.names
    return Draft(
        name=names[0],
        statement=_statement(functions),
        signature="\n".join(f"val {name} : int -> int" for name in names),
        reference=_reference(functions),
        cases=_cases(chance, functions),
        hidden=16,
        groups=names,
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _functions(chance: Chance, level: int) -> _Functions:
    names = chance.pick(_NAMES)[: 3 if level == 5 else 2]
    for _ in range(_DRAWS):
        functions = _Functions(names, tuple(_body(chance, names, own, level) for own in range(len(names))))
        if all(body.then.ocaml != body.otherwise.ocaml for body in functions.bodies) and _is_good(functions):
            return functions
    raise Unfit


def _is_good(functions: _Functions) -> bool:
    """True if the functions have many values, every part contributes to them, and they cost little."""
    values = functions.values()
    if any(len({*some[:30]}) < 10 for some in values) or max(cost[-1] for cost in functions.costs()) > _MOST:
        return False
    for place, body in enumerate(functions.bodies):
        before, after = functions.bodies[:place], functions.bodies[place + 1 :]
        for faulty in body.faulty():
            other = _Functions(functions.names, (*before, faulty, *after)).values()
            if sum(a != b for a, b in zip(other[place][:30], values[place], strict=False)) < 2:
                return False
    return True


def _body(chance: Chance, names: Sequence[str], own: int, level: int) -> _Body:
    others = [place for place in range(len(names)) if place != own]
    called = chance.pick(others), chance.pick(others if level == 1 else range(len(names)))
    then, otherwise = (_formula(chance, names, place, level) for place in called)
    return _Body(chance.between(0, 9), chance.between(0, 1), _test(chance), then, otherwise)


def _test(chance: Chance) -> _Test:
    k = chance.between(2, 3)
    if chance.happens(0.6):
        return _Test(f"`n` is divisible by {k}", f"n mod {k} = 0", lambda n: n % k == 0)
    limit = chance.between(8, 20)
    return _Test(f"`n` is less than {limit}", f"n < {limit}", lambda n: n < limit)


def _formula(chance: Chance, names: Sequence[str], other: int, level: int) -> _Formula:
    c, k, d = chance.between(1, 9), chance.between(2, 3), chance.between(1, 4)
    f = names[other]
    made = [
        _Formula(f"{f} (n - {d}) + {c}", lambda n, call: call(other, n - d) + c),
        _Formula(f"{f} (n / {k}) + n", lambda n, call: call(other, n // k) + n),
        _Formula(f"n - {f} (n - {d})", lambda n, call: n - call(other, n - d)),
        _Formula(f"{c} - {f} (n / {k})", lambda n, call: c - call(other, n // k)),
        _Formula(
            f"abs ({f} (n - {d}) - {c})",
            lambda n, call: abs(call(other, n - d) - c),
            (lambda n, call: call(other, n - d) - c,),
        ),
        _Formula(
            f"max {c} ({f} (n - {d}) - n)",
            lambda n, call: max(c, call(other, n - d) - n),
            (lambda n, call: c, lambda n, call: call(other, n - d) - n),
        ),
    ]
    if level >= 3:
        second = chance.below(len(names))
        g = names[second]
        made += [
            _Formula(
                f"{f} (n / {k}) + {g} (n / {k + 1})",
                lambda n, call: call(other, n // k) + call(second, n // (k + 1)),
            ),
            _Formula(f"{f} (n - {d}) - {g} (n / {k})", lambda n, call: call(other, n - d) - call(second, n // k)),
        ]
    return chance.pick(made)


def _cases(chance: Chance, functions: _Functions) -> Iterator[Case]:
    names, values, costs = functions.names, functions.values(), functions.costs()

    def draw() -> tuple[int, int]:
        place = chance.below(len(names))
        usual = [n for n, cost in enumerate(costs[place]) if cost <= _USUAL]
        return place, chance.pick(usual) if chance.happens(0.9) else chance.between(30, _LARGEST)

    edges = [(place, n) for n in (0, 1, -4, 2) for place in range(len(names))]
    for place, n in inputs(draw, edges):
        value = values[place][n] if n >= 0 else functions.bodies[place].base
        yield case(names[place], [integer(n)], integer(value))


# --- their words and their OCaml --------------------------------------------------------------------------------------


def _statement(functions: _Functions) -> str:
    lines = [
        f"`{name} n` is {body.base} if `n` is at most {body.floor}; otherwise, if {body.test.words}, it is "
        f"`{body.then.ocaml}`; otherwise it is `{body.otherwise.ocaml}`."
        for name, body in zip(functions.names, functions.bodies, strict=True)
    ]
    divides = any(" / " in line for line in lines)
    return paragraphs(
        f"Write {series([f'`{name}`' for name in functions.names])}, functions of an integer that call each other:",
        bullets(lines),
        f"The argument may be negative, and is at most {_LARGEST}."
        + (" `/` is the division of integers, as in OCaml." if divides else ""),
    )


def _reference(functions: _Functions) -> str:
    return "\n\n".join(
        f"{'and' if place else 'let rec'} {name} n =\n"
        f"  if n <= {body.floor} then {body.base}\n"
        f"  else if {body.test.ocaml} then {body.then.ocaml}\n"
        f"  else {body.otherwise.ocaml}"
        for place, (name, body) in enumerate(zip(functions.names, functions.bodies, strict=True))
    )


FAMILY = Family(
    name="recursion.mutual",
    topics=("recursion", "arithmetic"),
    description="two or three functions that call each other",
    tasks=TASKS,
    make=_mutual,
)
