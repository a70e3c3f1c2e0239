"""Ordered rules on the first elements of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, int_test, some_ints
from ocaml_env.problems.generators.values import atom, integer, listing
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]


class _Rule(NamedTuple):
    """A rule on the front of a list: how much it takes, what it gives to the result, and what it puts back."""

    words: str
    pattern: str
    guard: str
    given: tuple[str, ...]
    back: str
    run: Callable[[Sequence[int]], tuple[list[int], list[int], int] | None]  # given, put back, taken
    helpers: tuple[str, ...] = ()


def _front(chance: Chance, level: int) -> Draft:
    name = chance.pick(("rewrite", "consume", "pass_through", "settle", "process"))
    rules = [chance.pick(_RULES if level >= 3 else _RULES[:-2])(chance) for _ in range((2, 3, 3, 4, 5)[level - 1])]
    last = int_map(chance)
    if len({(rule.pattern, rule.guard) for rule in rules}) < len(rules):
        raise Unfit
    uses = [0] * len(rules)

    def run(front: Sequence[int], skipped: int = -1) -> list[int]:
        made: list[int] = []
        while front:
            for i, rule in enumerate(rules):
                found = rule.run(front) if i != skipped else None
                if found:
                    given, back, taken = found
                    made += given
                    front = [*back, *front[taken:]]
                    uses[i] += 1
                    break
            else:
                made.append(last.run(front[0]))
                front = front[1:]
        return made

    def draw() -> list[int]:
        return chance.numbers(chance.between(2, 9), 0, chance.pick((5, 9, 25)))

    tried = [draw() for _ in range(10)]
    whole = [run(v) for v in tried]
    if min(uses) < 2 or any(all(run(v, i) == w for v, w in zip(tried, whole, strict=True)) for i in range(len(rules))):
        raise Unfit
    lines = [f"{rule.words};" for rule in rules]
    lines.append(f"otherwise take the first element `a`, and give {last.say('a')}.")
    body = [f"let rec {name} = function", "  | [] -> []"]
    for rule in rules:
        again = f"{name} ({rule.back} :: rest)" if rule.back else f"{name} rest"
        given = "".join(f"{atom(one)} :: " for one in rule.given)
        body.append(f"  | {rule.pattern} :: rest{f' when {rule.guard}' if rule.guard else ''} -> {given}{again}")
    body.append(f"  | a :: rest -> {atom(last.code('a'))} :: {name} rest")

    def cases() -> Iterator[Case]:
        ints = listing(integer)
        edges = [[], [chance.between(0, 9)], [3, 3, 3, 3], [5, 4, 3, 2, 1, 0], some_ints(chance, 12)]
        for v in inputs(draw, edges):
            yield case(name, [ints(v)], ints(run(v)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` goes through a list of integers from the front. As long as something is left, the first of "
            "these rules that fits is applied. In them `a`, `b` and `c` are the first, second and third element of "
            "what is left; a rule that speaks of an element that is not there does not fit. To take elements removes "
            "them from what is left; to give a number appends it to the result, which is empty at the beginning.",
            numbered(f"{line[0].upper()}{line[1:]}" for line in lines),
        ),
        signature=f"val {name} : int list -> int list",
        reference=module([h for rule in rules for h in rule.helpers], last.helpers, "\n".join(body)),
        cases=cases(),
        together=2,
    )


def _when_equal(chance: Chance) -> _Rule:
    op = int_map(chance)
    return _Rule(
        f"if `a` and `b` are equal, take both, and give {op.say('a')}",
        "a :: b",
        "a = b",
        (op.code("a"),),
        "",
        lambda v: ([op.run(v[0])], [], 2) if len(v) > 1 and v[0] == v[1] else None,
        op.helpers,
    )


def _when_ordered(chance: Chance) -> _Rule:
    op, sign = int_join(chance), chance.pick("<>")
    k = chance.between(0, 2)
    word = "less" if sign == "<" else "greater"
    bound = f"`b` {'minus' if sign == '<' else 'plus'} {k}" if k else "`b`"
    code = f"a {sign} b {'-' if sign == '<' else '+'} {k}" if k else f"a {sign} b"
    holds: Callable[[int, int], bool] = (lambda a, b: a < b - k) if sign == "<" else (lambda a, b: a > b + k)
    return _Rule(
        f"if `a` is {word} than {bound}, take both, and give {op.say('a', 'b')}",
        "a :: b",
        code,
        (op.code("a", "b"),),
        "",
        lambda v: ([op.run(v[0], v[1])], [], 2) if len(v) > 1 and holds(v[0], v[1]) else None,
        op.helpers,
    )


def _when_test(chance: Chance) -> _Rule:
    test, op = int_test(chance), int_map(chance)
    if chance.happens(0.4):
        return _Rule(
            f"if {test.say('a')}, take `a`, and give nothing",
            "a",
            test.code("a"),
            (),
            "",
            lambda v: ([], [], 1) if test.run(v[0]) else None,
            test.helpers,
        )
    return _Rule(
        f"if {test.say('a')}, take `a`, and give `a` and then {op.say('a')}",
        "a",
        test.code("a"),
        ("a", op.code("a")),
        "",
        lambda v: ([v[0], op.run(v[0])], [], 1) if test.run(v[0]) else None,
        test.helpers + op.helpers,
    )


def _when_three(chance: Chance) -> _Rule:
    op = int_join(chance)
    conditions: tuple[tuple[str, str, Callable[[int, int, int], bool]], ...]
    conditions = (
        ("`b` is greater than both `a` and `c`", "b > a && b > c", lambda a, b, c: b > a and b > c),
        ("`b` is less than both `a` and `c`", "b < a && b < c", lambda a, b, c: b < a and b < c),
        ("`a` is equal to `c`", "a = c", lambda a, b, c: a == c),
        ("the sum of `a`, `b` and `c` is even", "(a + b + c) mod 2 = 0", lambda a, b, c: (a + b + c) % 2 == 0),
    )
    words, code, holds = chance.pick(conditions)
    return _Rule(
        f"if there are at least three elements and {words}, take all three, and give `b` and then {op.say('a', 'c')}",
        "a :: b :: c",
        code,
        ("b", op.code("a", "c")),
        "",
        lambda v: ([v[1], op.run(v[0], v[2])], [], 3) if len(v) > 2 and holds(v[0], v[1], v[2]) else None,
        op.helpers,
    )


def _when_zero(chance: Chance) -> _Rule:
    k = chance.between(0, 9)
    return _Rule(
        f"if `a` is {k} and there is a second element, take both, and give `b` twice",
        f"{k} :: b",
        "",
        ("b", "b"),
        "",
        lambda v: ([v[1], v[1]], [], 2) if len(v) > 1 and v[0] == k else None,
    )


def _merge_back(chance: Chance) -> _Rule:
    test = int_test(chance)
    return _Rule(
        f"if there are at least two elements and {test.say('b')}, take both, give nothing, and put the sum of `a` and "
        "`b` in front of what is left",
        "a :: b",
        test.code("b"),
        (),
        "(a + b)",
        lambda v: ([], [v[0] + v[1]], 2) if len(v) > 1 and test.run(v[1]) else None,
        test.helpers,
    )


def _keep_back(chance: Chance) -> _Rule:
    k = chance.between(1, 5)
    return _Rule(
        f"if there are at least two elements and they differ by exactly {k}, take both, give `a`, and put the greater "
        "of both in front of what is left",
        "a :: b",
        f"abs (a - b) = {k}",
        ("a",),
        "max a b",
        lambda v: ([v[0]], [max(v[0], v[1])], 2) if len(v) > 1 and abs(v[0] - v[1]) == k else None,
    )


_RULES = (_when_equal, _when_ordered, _when_test, _when_test, _when_three, _when_zero, _merge_back, _keep_back)


FAMILY = Family(
    name="patterns.front",
    topics=("pattern-matching", "lists", "recursion"),
    description="ordered rules on the first elements of a list",
    make=_front,
)
