"""Points for characters by rules, and adjustments of their sum."""

from __future__ import annotations

from collections.abc import Iterator

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, ordered_tests
from ocaml_env.problems.generators.letters import (
    WORDS,
    char_test,
    some_text,
)
from ocaml_env.problems.generators.values import integer, pair, text
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs

__all__ = ["FAMILY"]


def _points(chance: Chance, level: int) -> Draft:
    name = chance.pick(("score", "points", "price", "strength", "merit"))
    tried = [some_text(chance, 3) for _ in range(12)]
    count = (2, 2, 3, 4, 4)[level - 1]
    tests = ordered_tests(lambda: char_test(chance), count, "".join(tried), (0.02, 0.7))
    values = chance.sample(range(-4, 10), count + 1)
    rules, other = [*zip(tests, values, strict=False)], values[-1]
    place = _place_bonus(chance) if level >= 2 else None
    adjustments = [_adjustment(chance) for _ in range((1, 1, 2, 2, 3)[level - 1])]
    if len({adjustment.ocaml for adjustment in adjustments}) < len(adjustments):
        raise Unfit
    parts = level >= 4

    def of_char(c: str) -> int:
        return next((points for test, points in rules if test.run(c)), other)

    def run(s: str) -> tuple[int, int]:
        base = sum(place.run(i, of_char(c), s) if place else of_char(c) for i, c in enumerate(s))
        total = base
        for adjustment in adjustments:
            total = adjustment.run(total, s)
        return base, total

    totals = [run(s)[1] for s in tried]
    for adjustment in adjustments:
        if all(adjustment.run(total, s) == total for s, total in zip(tried, totals, strict=True)):
            raise Unfit
    lines = [f"if {test.say('c')}: {_points_word(points)};" for test, points in rules] + [
        f"otherwise: {_points_word(other)}."
    ]
    result = (
        f"`{name} s` is the pair of the sum before any of these adjustments, and the total after all of them."
        if parts
        else f"`{name} s` is the total after that."
    )
    statement = paragraphs(
        "Every character `c` of a string is worth points, by the first of these rules that fits:",
        bullets(lines),
        place.words if place else "",
        "The points of all characters are added up (0 for the empty string), and the sum is adjusted in "
        f"{'this step' if len(adjustments) == 1 else 'these steps, in this order'}:",
        numbered(f"{adjustment.words}." for adjustment in adjustments),
        result,
    )
    code = ["let points c ="]
    for i, (test, points) in enumerate(rules):
        code.append(f"  {'if' if i == 0 else 'else if'} {test.code('c')} then {points}")
    code.append(f"  else {other}")
    each = place.ocaml if place else "points c"
    body = [
        f"let {name} s =",
        f"  let base = List.fold_left ( + ) 0 (List.mapi (fun {'i' if place else '_'} c -> {each}) (List.of_seq "
        "(String.to_seq s))) in",
        "  let total = base in",
        *(f"  let total = {adjustment.ocaml} in" for adjustment in adjustments),
        "  (base, total)" if parts else "  total",
    ]
    helpers = [helper for test, _ in rules for helper in test.helpers]

    def cases() -> Iterator[Case]:
        edges = ["", " ", "a", "Zz", "99 9", chance.pick(WORDS)]
        for value in inputs(lambda: some_text(chance, 3), edges):
            answer = run(value)
            yield case(name, [text(value)], pair(integer, integer)(answer) if parts else integer(answer[1]))

    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : string -> {'int * int' if parts else 'int'}",
        reference=module(helpers, "\n".join(code), "\n".join(body)),
        cases=cases(),
        together=2,
    )


def _points_word(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


def _place_bonus(chance: Chance) -> Op:
    k = chance.between(2, 4)
    return chance.pick(
        (
            Op(
                f"The points of the characters at the positions 0, {k}, {2 * k} and so on count twice.",
                f"if i mod {k} = 0 then 2 * points c else points c",
                lambda i, points, s: 2 * points if i % k == 0 else points,
            ),
            Op(
                "The points of a character count twice if the character before it is the same one.",
                "if i > 0 && s.[i - 1] = c then 2 * points c else points c",
                lambda i, points, s: 2 * points if i and s[i - 1] == s[i] else points,
            ),
            Op(
                f"The points of the first character count {k} times.",
                f"if i = 0 then {k} * points c else points c",
                lambda i, points, s: k * points if i == 0 else points,
            ),
            Op(
                "The points of a character count only if the character behind it is not a space (they count if there "
                "is none).",
                "if i + 1 < String.length s && s.[i + 1] = ' ' then 0 else points c",
                lambda i, points, s: 0 if s[i + 1 : i + 2] == " " else points,
            ),
        )
    )


def _adjustment(chance: Chance) -> Op:
    k, m = chance.between(2, 9), chance.between(6, 14)
    return chance.pick(
        (
            Op(
                f"If the string has more than {m} characters, subtract {k}",
                f"if String.length s > {m} then total - {k} else total",
                lambda total, s: total - k if len(s) > m else total,
            ),
            Op(
                f"If the total is odd, add {k}",
                f"if total mod 2 <> 0 then total + {k} else total",
                lambda total, s: total + k if total % 2 else total,
            ),
            Op(
                f"If the total is at least {m}, double it",
                f"if total >= {m} then 2 * total else total",
                lambda total, s: 2 * total if total >= m else total,
            ),
            Op(
                f"Add {k} for every space in the string",
                f"String.fold_left (fun sum c -> if c = ' ' then sum + {k} else sum) total s",
                lambda total, s: total + k * s.count(" "),
            ),
            Op(
                "If the string begins with an upper-case letter, make the total negative if it is positive, and "
                "positive if it is negative",
                "if s <> \"\" && s.[0] >= 'A' && s.[0] <= 'Z' then -total else total",
                lambda total, s: -total if s and "A" <= s[0] <= "Z" else total,
            ),
        )
    )


FAMILY = Family(
    name="strings.points",
    topics=("strings", "folds"),
    description="points for characters by rules, and adjustments of their sum",
    make=_points,
)
