"""Points for characters by rules, and adjustments of their sum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, ordered_tests
from ocaml_env.problems.generators.letters import (
    WORDS,
    char_test,
    some_text,
)
from ocaml_env.problems.generators.small.strings_points import TASKS
from ocaml_env.problems.generators.values import integer, pair, text
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs

__all__ = ["FAMILY"]


_TRIED = 40  # texts
_PRINTABLE = "".join(map(chr, range(32, 127)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scoring:
    """The drawn scoring of strings.

    Attributes:
        rules: questions about a character, and the points for the first with the answer yes.
        other: the points for a character that no rule fits.
        place: changes the points of a character by its place.
        adjustments: change the sum, in this order.
        parts: True if the sum is asked for as well.
    """

    name: str
    rules: tuple[tuple[Op, int], ...]
    other: int
    place: Op
    adjustments: tuple[Op, ...]
    parts: bool


def _points(chance: Chance, level: int) -> Draft:
    scoring = _scoring(chance, level)

    def cases() -> Iterator[Case]:
        edges = ["", " ", "a", "Zz", "99 9", "aaB", chance.pick(WORDS), chance.pick(WORDS) + " "]
        for value in inputs(lambda: _any_text(chance), edges):
            answer = _run(scoring, value)
            shown = pair(integer, integer)(answer) if scoring.parts else integer(answer[1])
            yield case(scoring.name, [text(value)], shown)

    return Draft(
        name=scoring.name,
        statement=_statement(scoring),
        signature=f"val {scoring.name} : string -> {'int * int' if scoring.parts else 'int'}",
        reference=_code(scoring),
        cases=cases(),
    )


def _any_text(chance: Chance) -> str:
    """Mostly such a text; also a longer one, one of a single character or two, and long runs of a character."""
    if chance.happens(0.75):
        return some_text(chance, 3)
    some = [chance.character() for _ in range(2)]
    many = [chance.character() for _ in range(chance.between(3, 9))]
    run = some[0] * chance.pick((2, 3, 5, 10, 11, 12)) + some[1] * 2
    short = some_text(chance, 2)
    return chance.pick((some_text(chance, 7), some[0], "".join(some), run, "".join(many), short.upper(), short + " "))


def _scoring(chance: Chance, level: int) -> _Scoring:
    """Draws a scoring. Each of its parts makes a difference."""
    texts = "".join(some_text(chance, 3) for _ in range(12))
    count = 2 if level == 1 else level // 2 + 2
    tests = ordered_tests(lambda: char_test(chance), count, texts + _PRINTABLE, (0.02, 0.7))
    values = chance.sample([value for value in range(-4, 10) if value], count + 1)
    scoring = _Scoring(
        name=chance.pick(("score", "points", "price", "strength", "merit")),
        rules=tuple(zip(tests, values, strict=False)),
        other=values[-1],
        place=_place_bonus(chance) if level > 1 else _ANY_PLACE,
        adjustments=tuple(kind(chance) for kind in chance.sample(_ADJUSTMENTS, (level + 1) // 2)),
        parts=level > 3,
    )
    tried = [some_text(chance, 3) for _ in range(_TRIED)]
    whole = [_run(scoring, value) for value in tried]
    if any([_run(faulty, value) for value in tried] == whole for faulty in _faulty(scoring)):
        raise Unfit
    return scoring


def _faulty(scoring: _Scoring) -> Iterator[_Scoring]:
    """The scoring with a part of it left out."""
    for i, adjustment in enumerate(scoring.adjustments):
        for fault in (lambda total, s: total, *adjustment.faults):
            changed = adjustment._replace(run=fault)
            before, after = scoring.adjustments[:i], scoring.adjustments[i + 1 :]
            yield replace(scoring, adjustments=(*before, changed, *after))


# --- meaning ----------------------------------------------------------------------------------------------------------


def _run(scoring: _Scoring, s: str) -> tuple[int, int]:
    base = sum(scoring.place.run(i, _of_char(scoring, c), s) for i, c in enumerate(s))
    total = base
    for adjustment in scoring.adjustments:
        total = adjustment.run(total, s)
    return base, total


def _of_char(scoring: _Scoring, c: str) -> int:
    return next((points for test, points in scoring.rules if test.run(c)), scoring.other)


# --- its texts --------------------------------------------------------------------------------------------------------


def _statement(scoring: _Scoring) -> str:
    lines = [f"if {test.say('c')}: {_points_word(points)};" for test, points in scoring.rules]
    lines.append(f"otherwise: {_points_word(scoring.other)}.")
    one = len(scoring.adjustments) == 1
    return paragraphs(
        "Every character `c` of a string is worth points, by the first of these rules that fits:",
        bullets(lines),
        scoring.place.words,
        "The points of all characters are added up (0 for the empty string), and the sum is adjusted in "
        f"{'this step' if one else 'these steps, in this order'}:",
        numbered(f"{adjustment.words}." for adjustment in scoring.adjustments),
        f"`{scoring.name} s` is the pair of the sum before any of these adjustments, and the total after all of them."
        if scoring.parts
        else f"`{scoring.name} s` is the total after that.",
    )


def _code(scoring: _Scoring) -> str:
    points = ["let points c ="]
    for i, (test, value) in enumerate(scoring.rules):
        points.append(f"  {'if' if i == 0 else 'else if'} {test.code('c')} then {value}")
    points.append(f"  else {scoring.other}")
    place = "_" if scoring.place == _ANY_PLACE else "i"
    body = [
        f"let {scoring.name} s =",
        f"  let each {place} c = {scoring.place.ocaml} in",
        "  let base = List.fold_left ( + ) 0 (List.init (String.length s) (fun i -> each i s.[i])) in",
        "  let total = base in",
        *(f"  let total = {adjustment.ocaml} in" for adjustment in scoring.adjustments),
        "  (base, total)" if scoring.parts else "  total",
    ]
    helpers = [helper for test, _ in scoring.rules for helper in test.helpers]
    return module(helpers, "\n".join(points), "\n".join(body))


def _points_word(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


_ANY_PLACE = Op("", "points c", lambda i, points, s: points)


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


def _if_long(chance: Chance) -> Op:
    k, m = chance.between(2, 9), chance.between(6, 14)
    return Op(
        f"If the string has more than {m} characters, subtract {k}",
        f"if String.length s > {m} then total - {k} else total",
        lambda total, s: total - k if len(s) > m else total,
        (),
        (lambda total, s: total - k,),
    )


def _if_odd(chance: Chance) -> Op:
    k = chance.between(2, 9)
    return Op(
        f"If the total is odd, add {k}",
        f"if total mod 2 <> 0 then total + {k} else total",
        lambda total, s: total + k if total % 2 else total,
        (),
        (lambda total, s: total + k,),
    )


def _if_much(chance: Chance) -> Op:
    m = chance.between(6, 14)
    return Op(
        f"If the total is at least {m}, double it",
        f"if total >= {m} then 2 * total else total",
        lambda total, s: 2 * total if total >= m else total,
        (),
        (lambda total, s: 2 * total,),
    )


def _for_spaces(chance: Chance) -> Op:
    k = chance.between(2, 9)
    return Op(
        f"Add {k} for every space in the string",
        f"String.fold_left (fun sum c -> if c = ' ' then sum + {k} else sum) total s",
        lambda total, s: total + k * s.count(" "),
    )


def _if_capital(chance: Chance) -> Op:
    chance.mark_characters(*"@AZ[")
    return Op(
        "If the string begins with an upper-case letter, make the total negative if it is positive, and positive if it "
        "is negative",
        "if s <> \"\" && s.[0] >= 'A' && s.[0] <= 'Z' then -total else total",
        lambda total, s: -total if "A" <= s[:1] <= "Z" else total,
        (),
        (lambda total, s: -total if s[:1] >= "A" else total, lambda total, s: -total if s[:1] <= "Z" else total),
    )


_ADJUSTMENTS = (_if_long, _if_odd, _if_much, _for_spaces, _if_capital)


FAMILY = Family(
    name="strings.points",
    topics=("strings", "folds"),
    description="points for characters by rules, and adjustments of their sum",
    tasks=TASKS,
    make=_points,
)
