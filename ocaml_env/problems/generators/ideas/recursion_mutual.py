"""Two or three functions that call each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer
from ocaml_env.problems.generators.wording import bullets, paragraphs, series

__all__ = ["FAMILY"]


def _mutual(chance: Chance, level: int) -> Draft:
    names: Sequence[str] = chance.pick((("ping", "pong", "pang"), ("sun", "moon", "star"), ("left", "right", "middle")))
    names = names[: 2 if level <= 3 else 3]
    bodies = [_mutual_body(chance, names, i, level) for i in range(len(names))]

    def run(which: int, n: int, calls: list[int]) -> int:
        calls[0] += 1
        if calls[0] > 3000:
            raise Unfit
        return bodies[which].run(n, lambda other, m: run(other, m, calls))

    largest = 60 if level <= 3 else 100
    for which in range(len(names)):
        if len({run(which, n, [0]) for n in range(30)}) < 10:
            raise Unfit
        run(which, largest, [0])
    listed = [f"`{name}`" for name in names]
    statement = paragraphs(
        f"Write {series(listed)}, functions of an integer that call each other:",
        bullets(f"`{name} n`: {body.words}" for name, body in zip(names, bodies, strict=True)),
        f"The argument may be negative, and is at most {largest}. `/` rounds down.",
    )
    code = []
    for i, (name, body) in enumerate(zip(names, bodies, strict=True)):
        code.append(f"{'let rec' if i == 0 else 'and'} {name} n =\n  {body.ocaml}")

    def draw() -> tuple[int, int]:
        return chance.below(len(names)), chance.between(3, largest)

    def cases() -> Iterator[Case]:
        small = [(which, n) for n in (0, 1, -4, 2) for which in range(len(names))]
        for which, n in inputs(draw, small):
            yield case(names[which], [integer(n)], integer(run(which, n, [0])))

    return Draft(
        name=names[0],
        statement=statement,
        signature="\n".join(f"val {name} : int -> int" for name in names),
        reference="\n\n".join(code),
        cases=cases(),
        hidden=16,
        groups=tuple(names),
    )


class _Body(NamedTuple):
    words: str
    ocaml: str
    run: Callable[[int, Callable[[int, int], int]], int]


def _mutual_body(chance: Chance, names: Sequence[str], own: int, level: int) -> _Body:
    base, floor = chance.between(0, 9), chance.between(0, 1)
    others = [i for i in range(len(names)) if i != own]
    k = chance.between(2, 3)
    cases = [
        _mutual_case(chance, names, chance.pick(others if level == 1 or i == 0 else range(len(names))), level)
        for i in range(2)
    ]
    if cases[0].ocaml == cases[1].ocaml:
        raise Unfit
    words = (
        f"{base} if `n` is at most {floor}; otherwise, if `n` is divisible by {k}, `{cases[0].words}`; otherwise "
        f"`{cases[1].words}`."
    )
    ocaml = f"if n <= {floor} then {base} else if n mod {k} = 0 then {cases[0].ocaml} else {cases[1].ocaml}"
    return _Body(
        words, ocaml, lambda n, call: base if n <= floor else (cases[0] if n % k == 0 else cases[1]).run(n, call)
    )


def _mutual_case(chance: Chance, names: Sequence[str], other: int, level: int) -> _Body:
    c, k, d = chance.between(1, 9), chance.between(2, 3), chance.between(1, 4)
    f = names[other]
    made: list[tuple[str, Callable[[int, Callable[[int, int], int]], int]]] = [
        (f"{f} (n - {d}) + {c}", lambda n, call: call(other, n - d) + c),
        (f"{f} (n / {k}) + n", lambda n, call: call(other, n // k) + n),
        (f"n - {f} (n - {d})", lambda n, call: n - call(other, n - d)),
        (f"{c} - {f} (n / {k})", lambda n, call: c - call(other, n // k)),
        (f"abs ({f} (n - {d}) - {c})", lambda n, call: abs(call(other, n - d) - c)),
    ]
    if level >= 2:
        second = chance.below(len(names))
        g = names[second]
        made += [
            (f"{f} (n / {k}) + {g} (n / {k + 1})", lambda n, call: call(other, n // k) + call(second, n // (k + 1))),
            (f"{f} (n - {d}) - {g} (n / {k})", lambda n, call: call(other, n - d) - call(second, n // k)),
        ]
    formula, run = chance.pick(made)
    return _Body(formula, formula, run)


FAMILY = Family(
    name="recursion.mutual",
    topics=("recursion", "arithmetic"),
    description="two or three functions that call each other",
    make=_mutual,
)
