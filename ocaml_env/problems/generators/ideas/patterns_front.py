"""Ordered rules on the first elements of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, some_ints
from ocaml_env.problems.generators.small.patterns_front import TASKS
from ocaml_env.problems.generators.values import atom, integer, listing
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Run = Callable[..., Any]

_COUNTS = {1: 2, 3: 3, 5: 5}  # rules by level
_TRIED = 30  # lists that must show each part of a rule


class _Rule(NamedTuple):
    """A rule on the front of a list. Its functions take the removed elements.

    Attributes:
        size: the number of elements that it removes.
        given: its results, in OCaml; ``gives`` is their meaning.
        back: the elements that it puts back, in OCaml; ``puts`` is their meaning.
        faults: names of functions with mistaken versions.
    """

    words: str
    pattern: str
    guard: str
    given: tuple[str, ...]
    size: int
    fits: Run
    gives: Run
    back: str = ""
    puts: Run = lambda *_: []
    helpers: tuple[str, ...] = ()
    faults: tuple[tuple[str, Run], ...] = ()


def _front(chance: Chance, level: int) -> Draft:
    name = chance.pick(("rewrite", "consume", "pass_through", "settle", "process"))
    rules = _rules(chance, level)
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` goes through a list of integers from the front. As long as something is left, the first of "
            "these rules that fits is applied. In them `a`, `b` and `c` are the first, second and third element of "
            "what is left; a rule that speaks of an element that is not there does not fit. To take elements removes "
            "them from what is left; to give a number appends it to the result, which is empty at the beginning.",
            numbered(f"{rule.words[0].upper()}{rule.words[1:]}{'.' if rule is rules[-1] else ';'}" for rule in rules),
        ),
        signature=f"val {name} : int list -> int list",
        reference=module([helper for rule in rules for helper in rule.helpers], _code(name, rules)),
        cases=_cases(chance, name, rules),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _rules(chance: Chance, level: int) -> list[_Rule]:
    """Rules. Each part of them matters; the last one always fits."""
    last = _otherwise(chance)
    rules: list[_Rule] = []
    for _ in range(6 * _COUNTS[level]):
        rule = chance.pick(_RULES if level >= 3 else _RULES[:-2])(chance)
        made = [*rules, rule, last]
        if all(rule.pattern != other.pattern or rule.guard != other.guard for other in rules):
            tried = [_numbers(chance) for _ in range(_TRIED)]
            if _tell(made, tried, len(rules)):
                rules.append(rule)
        if len(rules) == _COUNTS[level]:
            tried = [_numbers(chance) for _ in range(_TRIED)]
            if all(_tell(made, tried, place) for place in range(len(made))):
                return made
            break
    raise Unfit


def _tell(rules: Sequence[_Rule], tried: Sequence[Sequence[int]], place: int) -> bool:
    """True if the rule at this place, and each of its parts, matters for some of the lists."""
    rule = rules[place]
    faults = (*rule.faults, ("fits", lambda *_: True)) if rule.guard else rule.faults
    faulty = [_with(rule, name, fault) for name, fault in faults]
    wrong = [[*rules[:place], changed, *rules[place + 1 :]] for changed in faulty]
    if place < len(rules) - 1:
        wrong.append([*rules[:place], *rules[place + 1 :]])
    whole = [_run(rules, v) for v in tried]
    return all(any(_run(others, v) != made for v, made in zip(tried, whole, strict=True)) for others in wrong)


def _with(rule: _Rule, name: str, function: Run) -> _Rule:
    changed: dict[str, Any] = {name: function}
    return rule._replace(**changed)


def _numbers(chance: Chance) -> list[int]:
    return chance.numbers(chance.between(2, 9), chance.pick((-9, 0, -20)), chance.pick((5, 9, 25)))


# --- meaning ----------------------------------------------------------------------------------------------------------


def _run(rules: Sequence[_Rule], front: Sequence[int]) -> list[int]:
    made: list[int] = []
    while front:
        rule = next(rule for rule in rules if len(front) >= rule.size and rule.fits(*front[: rule.size]))
        taken = front[: rule.size]
        made += rule.gives(*taken)
        front = [*rule.puts(*taken), *front[rule.size :]]
    return made


def _cases(chance: Chance, name: str, rules: Sequence[_Rule]) -> Iterator[Case]:
    ints = listing(integer)
    edges = [[], [chance.between(0, 9)], [3, 3, 3, 3], [5, 4, 3, 2, 1, 0], some_ints(chance, 12)]
    edges += [
        [0],
        [-4],
        [6, 6],
        [2, 3],
        [3, 2],
        [-2, -2, -2],
        [0, 0, 0, 0, 0],
        [1, 2, 3, 4, 5, 6],
        _numbers(chance) + _numbers(chance),
    ]
    for v in inputs(lambda: _numbers(chance), edges):
        yield case(name, [ints(v)], ints(_run(rules, v)))


def _code(name: str, rules: Sequence[_Rule]) -> str:
    body = [f"let rec {name} = function", "  | [] -> []"]
    for rule in rules:
        again = f"{name} ({rule.back} :: rest)" if rule.back else f"{name} rest"
        given = "".join(f"{atom(element)} :: " for element in rule.given)
        body.append(f"  | {rule.pattern} :: rest{f' when {rule.guard}' if rule.guard else ''} -> {given}{again}")
    return "\n".join(body)


# --- rules ------------------------------------------------------------------------------------------------------------


def _otherwise(chance: Chance) -> _Rule:
    op = int_map(chance)
    return _Rule(
        f"otherwise take the first element `a`, and give {op.say('a')}",
        "a",
        "",
        (op.code("a"),),
        1,
        lambda a: True,
        lambda a: [op.run(a)],
        helpers=op.helpers,
        faults=_faults("gives", op, lambda run: lambda a: [run(a)]),
    )


def _faults(name: str, op: Op, within: Callable[[Run], Run]) -> tuple[tuple[str, Run], ...]:
    """The faults of an operation, as faults of a rule's function."""
    return tuple((name, within(fault)) for fault in op.faults)


def _when_equal(chance: Chance) -> _Rule:
    op = int_map(chance)
    return _Rule(
        f"if `a` and `b` are equal, take both, and give {op.say('a')}",
        "a :: b",
        "a = b",
        (op.code("a"),),
        2,
        lambda a, b: a == b,
        lambda a, b: [op.run(a)],
        helpers=op.helpers,
        faults=_faults("gives", op, lambda run: lambda a, b: [run(a)]),
    )


def _when_ordered(chance: Chance) -> _Rule:
    op, sign = int_join(chance), chance.pick("<>")
    k = chance.between(0, 2)
    word = "less" if sign == "<" else "greater"
    bound = f"`b` {'minus' if sign == '<' else 'plus'} {k}" if k else "`b`"
    code = f"a {sign} b {'-' if sign == '<' else '+'} {k}" if k else f"a {sign} b"
    return _Rule(
        f"if `a` is {word} than {bound}, take both, and give {op.say('a', 'b')}",
        "a :: b",
        code,
        (op.code("a", "b"),),
        2,
        (lambda a, b: a < b - k) if sign == "<" else (lambda a, b: a > b + k),
        lambda a, b: [op.run(a, b)],
        helpers=op.helpers,
        faults=_faults("gives", op, lambda run: lambda a, b: [run(a, b)]),
    )


def _when_test(chance: Chance) -> _Rule:
    test, op = int_test(chance), int_map(chance)
    drops = chance.happens(0.4)
    gives = "nothing" if drops else f"`a` and then {op.say('a')}"
    return _Rule(
        f"if {test.say('a')}, take `a`, and give {gives}",
        "a",
        test.code("a"),
        () if drops else ("a", op.code("a")),
        1,
        test.run,
        (lambda a: []) if drops else (lambda a: [a, op.run(a)]),
        helpers=test.helpers + (() if drops else op.helpers),
        faults=_faults("fits", test, lambda run: run)
        + (() if drops else _faults("gives", op, lambda run: lambda a: [a, run(a)])),
    )


def _when_three(chance: Chance) -> _Rule:
    op = int_join(chance)
    conditions: tuple[tuple[str, str, Run, tuple[Run, ...]], ...] = (
        (
            "`b` is greater than both `a` and `c`",
            "b > a && b > c",
            lambda a, b, c: b > a and b > c,
            (lambda a, b, c: b > a, lambda a, b, c: b > c),
        ),
        (
            "`b` is less than both `a` and `c`",
            "b < a && b < c",
            lambda a, b, c: b < a and b < c,
            (lambda a, b, c: b < a, lambda a, b, c: b < c),
        ),
        ("`a` is equal to `c`", "a = c", lambda a, b, c: a == c, ()),
        ("the sum of `a`, `b` and `c` is even", "(a + b + c) mod 2 = 0", lambda a, b, c: (a + b + c) % 2 == 0, ()),
    )
    words, code, fits, faults = chance.pick(conditions)
    return _Rule(
        f"if there are at least three elements and {words}, take all three, and give `b` and then {op.say('a', 'c')}",
        "a :: b :: c",
        code,
        ("b", op.code("a", "c")),
        3,
        fits,
        lambda a, b, c: [b, op.run(a, c)],
        helpers=op.helpers,
        faults=_faults("gives", op, lambda run: lambda a, b, c: [b, run(a, c)])
        + tuple(("fits", fault) for fault in faults),
    )


def _when_number(chance: Chance) -> _Rule:
    k = chance.between(0, 9)
    chance.mark(k, k)
    return _Rule(
        f"if `a` is {k} and there is a second element, take both, and give `b` twice",
        f"{k} :: b",
        "",
        ("b", "b"),
        2,
        lambda a, b: a == k,
        lambda a, b: [b, b],
    )


def _merge_back(chance: Chance) -> _Rule:
    test = int_test(chance)
    return _Rule(
        f"if there are at least two elements and {test.say('b')}, take both, give nothing, and put the sum of `a` and "
        "`b` in front of what is left",
        "a :: b",
        test.code("b"),
        (),
        2,
        lambda a, b: test.run(b),
        lambda a, b: [],
        "(a + b)",
        lambda a, b: [a + b],
        test.helpers,
        _faults("fits", test, lambda run: lambda a, b: run(b)),
    )


def _keep_back(chance: Chance) -> _Rule:
    k = chance.between(1, 5)
    return _Rule(
        f"if there are at least two elements and they differ by exactly {k}, take both, give `a`, and put the greater "
        "of both in front of what is left",
        "a :: b",
        f"abs (a - b) = {k}",
        ("a",),
        2,
        lambda a, b: abs(a - b) == k,
        lambda a, b: [a],
        "max a b",
        lambda a, b: [max(a, b)],
        faults=(("fits", lambda a, b: a - b == k),),
    )


_RULES = (_when_equal, _when_ordered, _when_test, _when_test, _when_three, _when_number, _merge_back, _keep_back)


FAMILY = Family(
    name="patterns.front",
    topics=("pattern-matching", "lists", "recursion"),
    description="ordered rules on the first elements of a list",
    tasks=TASKS,
    make=_front,
)
