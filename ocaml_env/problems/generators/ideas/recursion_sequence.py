"""A sequence by a recurrence with cases, from level 4 on too long for plain recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]


class _Part(NamedTuple):
    """One summand of a recurrence; ``run`` takes the sequence so far and n."""

    words: str
    ocaml: str
    run: Callable[[Sequence[int], int], int]


def _recurrence(chance: Chance, level: int) -> Draft:
    name = chance.pick(("term", "seq", "value", "element", "nth"))
    depth = (2, 2, 3, 3, 4)[level - 1]
    bases = chance.ints(depth, 0, 9)
    divisor = (1, 2, 2, 3, 3)[level - 1]
    rules = [_sum(chance, depth, level) for _ in range(divisor)]
    modulus = chance.pick((97, 101, 256, 499, 500, 997, 1000, 1009, 9973))
    largest = 18 if level <= 3 else 600

    values = list(bases)
    for n in range(depth, largest + 1):
        values.append(sum(part.run(values, n) for part in rules[n % divisor]) % modulus)
    if len(set(values[:20])) < 8:
        raise Unfit
    spoken = [" + ".join(part.words for part in rule) for rule in rules]
    if divisor == 1:
        tail = f"`{name} n` is the remainder of `{_call(name, spoken[0])}` divided by {modulus}."
    else:
        tail = (
            f"the result depends on the remainder of `n` divided by {divisor}, and is in each case taken as the "
            f"remainder of what is said here divided by {modulus}:\n"
            "\n"
            + bullets(f"remainder {r}: `{_call(name, rule)}`;" for r, rule in enumerate(spoken)).removesuffix(";")
            + "."
        )
    divided = any("/" in rule for rule in spoken)
    begin = series([f"`{name} {i} = {base}`" for i, base in enumerate(bases)])
    far = f"`n` is at most {largest}, so the values that were computed already have to be kept." if level >= 4 else ""
    statement = paragraphs(
        f"A sequence of integers begins with {begin}. For every `n` from {depth} on, {tail}",
        f"Write `{name}`. `n` is at least 0. {'In the formulas `/` rounds down. ' if divided else ''}{far}".strip(),
    )
    parts = [" + ".join(part.ocaml for part in rule) for rule in rules]
    compute = parts[-1]
    for r in range(divisor - 2, -1, -1):
        compute = f"if n mod {divisor} = {r} then {parts[r]} else {compute}"
    known = " ".join(f"| {i} -> {base}" for i, base in enumerate(bases))
    if level >= 4:
        kept = (
            "let known = Hashtbl.create 100\n"
            "\n"
            "let rec t n =\n"
            "  match Hashtbl.find_opt known n with\n"
            "  | Some value -> value\n"
            "  | None ->\n"
            "    let value = compute n in\n"
            "    Hashtbl.add known n value;\n"
            "    value\n"
            "\n"
            "and compute n =\n"
            "  match n with\n"
            f"  {known}\n"
            f"  | n -> ({compute}) mod {modulus}"
        )
        reference = module(kept, f"let {name} n = t n")
    else:
        reference = f"let rec {name} n =\n  match n with\n  {known}\n  | n -> ({_call(name, compute)}) mod {modulus}"

    def cases() -> Iterator[Case]:
        edges = [0, 1, depth - 1, depth, depth + 1, largest, largest - 1]
        for n in inputs(lambda: chance.between(depth, largest), edges):
            yield case(name, [integer(n)], integer(values[n]))

    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : int -> int",
        reference=reference,
        cases=cases(),
    )


def _call(name: str, formula: str) -> str:
    """The formula with the sequence called by its name."""
    return formula.replace("t (", f"{name} (")


def _sum(chance: Chance, depth: int, level: int) -> list[_Part]:
    parts = [_earlier(chance, k) for k in sorted(chance.sample(range(1, depth + 1), 2))]
    if level >= 2 and chance.happens(0.5):
        parts.append(_half(chance))
    return [*parts, _plain(chance)]


def _earlier(chance: Chance, k: int) -> _Part:
    c = chance.between(1, 5)
    formula = f"t (n - {k})" if c == 1 else f"{c} * t (n - {k})"
    return _Part(formula, formula, lambda values, n: c * values[n - k])


def _half(chance: Chance) -> _Part:
    k = chance.between(2, 3)
    return _Part(f"t (n / {k})", f"t (n / {k})", lambda values, n: values[n // k])


def _plain(chance: Chance) -> _Part:
    c = chance.between(1, 9)
    return chance.pick(
        (
            _Part(f"{c}", f"{c}", lambda values, n: c),
            _Part(f"{c} * n", f"{c} * n", lambda values, n: c * n),
            _Part("n * n", "n * n", lambda values, n: n * n),
            _Part(f"n / {c + 1}", f"n / {c + 1}", lambda values, n: n // (c + 1)),
        )
    )


FAMILY = Family(
    name="recursion.sequence",
    topics=("recursion", "arithmetic"),
    description="a sequence by a recurrence with cases, from level 4 on too long for plain recursion",
    make=_recurrence,
)
