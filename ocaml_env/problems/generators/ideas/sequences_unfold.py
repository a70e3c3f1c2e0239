"""A lazy sequence unfolded from a state that changes by rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, int_test, joined_test
from ocaml_env.problems.generators.streams import PATIENCE, PRELUDE
from ocaml_env.problems.generators.values import atom, integer, listing
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

_INTS = listing(integer)


def _unfold(chance: Chance, level: int) -> Draft:
    name = chance.pick(("generate", "produce", "emit", "unroll", "spin"))
    rules = [(joined_test(chance, level), _next(chance)) for _ in range((1, 1, 2, 2, 3)[level - 1])]
    last = _next(chance)
    given = int_join(chance)
    stop = int_test(chance) if level >= 2 and chance.happens(0.5) else None
    limit = chance.between(20, 90)
    skip = int_test(chance) if level >= 4 else None
    far, over = chance.question(), chance.question()

    beyond: set[bool] = set()

    def wrapped(value: int) -> int:
        beyond.add(far(abs(value) > 99))
        return value % 100 if abs(value) > 99 else value

    def run(a: int, b: int) -> Iterator[int]:
        for _ in range(PATIENCE):
            if stop and over(abs(a) > limit) and stop.run(b):
                return
            made = given.run(a, b)
            if not skip or skip.run(made):
                yield made
            rule = next((rule for test, rule in rules if test.run(a)), last)
            a, b = map(wrapped, rule.run(a, b))
        raise Unfit

    def draw() -> tuple[int, int]:
        return chance.number(-6, 20), chance.number(-6, 20)

    def taken(a: int, b: int) -> list[int]:
        return [*islice(run(a, b), 8)]

    if sum(len({*taken(*draw())}) > 4 for _ in range(8)) < 6 or True not in beyond:
        raise Unfit
    lines = [f"if {test.say('a')}: {rule.words};" for test, rule in rules] + [f"otherwise: {last.words}."]
    ending = (
        f"The sequence ends at the first state with an `a` whose absolute value is greater than {limit} and a `b` such "
        f"that {stop.say('b')}; that state gives no element."
        if stop
        else "The sequence has no end."
    )
    skipped = (
        f"The element is left out, and the sequence goes on, if it is not true of it as `x` that {skip.say()}."
        if skip
        else ""
    )
    arms = [
        f"{'if' if i == 0 else 'else if'} {test.code('a')} then {rule.ocaml}" for i, (test, rule) in enumerate(rules)
    ]
    chosen = "\n      ".join([*arms, f"else {last.ocaml}"])
    made = f"if {skip.code()} then Seq.Cons (x, go a b) else go a b ()" if skip else "Seq.Cons (x, go a b)"
    ended = [f"    if abs a > {limit} && ({stop.code('b')}) then Seq.Nil else"] if stop else []
    body = [
        f"let {name} a b =",
        "  let rec go a b () =",
        *ended,
        f"    let x = {given.code('a', 'b')} in",
        "    let a, b =",
        f"      {chosen}",
        "    in",
        "    let a = wrap a and b = wrap b in",
        f"    {made}",
        "  in",
        "  go a b",
    ]
    wrap = "let wrap n = if abs n > 99 then ((n mod 100) + 100) mod 100 else n"
    code = f"{wrap}\n\n" + "\n".join(body)

    def cases() -> Iterator[Case]:
        edges = [(0, 0), (1, 1), (-3, 2), (12, 0), (limit + 1, 5)]
        for a, b in inputs(draw, edges):
            answer = taken(a, b)
            yield Case(f"take 8 ({name} {atom(str(a))} {atom(str(b))})", _INTS(answer), _INTS(answer))

    ops = [op for op in (*(test for test, _ in rules), given, stop, skip) if op]
    helpers = [h for op in ops for h in op.helpers] + [h for _, rule in rules for h in rule.helpers] + [*last.helpers]
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} a b` is a lazy sequence of integers. It has a state of two numbers, at first `a` and `b`. Every "
            "state "
            f"gives one element: {given.say('a', 'b')}. {skipped}".strip(),
            "Then the state changes, by the first of these rules that fits, where `a` and `b` on the right are the "
            "old values:",
            bullets(lines),
            "Where a new value is greater than 99 or less than -99, the remainder of it divided by 100, from 0 to 99, "
            f"is taken instead. {ending}",
            "In the tests `take n s` is the list of the first `n` elements of a sequence (of all if there are fewer).",
        ),
        signature=f"val {name} : int -> int -> int Seq.t",
        reference=module(helpers, code),
        prelude=PRELUDE.split("\n\n")[0],
        cases=cases(),
        hidden=16,
        together=2,
    )


class _Next(NamedTuple):
    words: str
    ocaml: str
    run: Callable[[int, int], tuple[int, int]]
    helpers: tuple[str, ...]


def _next(chance: Chance) -> _Next:
    first, second = int_join(chance), int_map(chance)
    names = chance.pick((("a", "b"), ("b", "a")))
    turned = names == ("b", "a")

    def run(a: int, b: int) -> tuple[int, int]:
        made = first.run(b, a) if turned else first.run(a, b)
        return made, second.run(a)

    return _Next(
        f"`a` becomes {first.say(*names)}, and `b` becomes {second.say('a')}",
        f"({first.code(*names)}, {second.code('a')})",
        run,
        first.helpers + second.helpers,
    )


FAMILY = Family(
    name="sequences.unfold",
    topics=("laziness-seq", "recursion"),
    description="a lazy sequence unfolded from a state that changes by rules",
    make=_unfold,
)
