"""Passes over a string; at each place the first matching rule applies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.small.strings_rewriting import TASKS
from ocaml_env.problems.generators.values import integer, pair, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_LONGEST = 60  # characters of a result
_MOST = 4  # passes
_AGAIN = 8  # of 20 strings at least must change in a second pass


class _Rule(NamedTuple):
    pattern: str
    image: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _System:
    """The drawn system of rules.

    Attributes:
        letters: in rules.
        passes: True if there may be several.
        counted: a count to return along with the string.
    """

    name: str
    letters: str
    rules: tuple[_Rule, ...]
    passes: bool
    counted: Literal["", "rules", "passes"]


def _rewriting(chance: Chance, level: int) -> Draft:
    system = _system(chance, level)
    show = pair(text, integer) if system.counted else lambda answer: text(answer[0])

    def cases() -> Iterator[Case]:
        patterns = [rule.pattern for rule in system.rules]
        edges = ["", "x", patterns[0], "".join(patterns), patterns[-1] * 2, "x" + patterns[0] + "x"]
        for value in inputs(lambda: _any_string(chance, system), edges):
            most = 3 * _MOST if chance.happens(0.1) else _MOST
            times = chance.between(0, most) if system.passes else 1
            answer = _run(system, value, times)
            if len(answer[0]) <= _LONGEST:
                arguments = [integer(times), text(value)] if system.passes else [text(value)]
                yield case(system.name, arguments, show(answer))

    kind = "string * int" if system.counted else "string"
    return Draft(
        name=system.name,
        statement=_statement(system),
        signature=f"val {system.name} : {'int -> ' if system.passes else ''}string -> {kind}",
        reference=_code(system),
        cases=cases(),
    )


def _system(chance: Chance, level: int) -> _System:
    """Draws rules. Each of them matters, and so does their order."""
    letters = "abc" if level <= 3 else "abcd"
    system = _System(
        name=chance.pick(("rewrite", "reduce", "translate", "normalise", "apply_rules")),
        letters=letters,
        rules=_rules(chance, letters, level // 2 + 3),
        passes=level > 1,
        counted=chance.pick(("rules", "passes")) if level > 3 else "",
    )
    used = [rule for _ in range(20) for rule in _pass(system, _string(chance, system))[1]]
    again = sum(_run(system, s, 1) != _run(system, s, 2) for s in (_string(chance, system) for _ in range(20)))
    if any(used.count(rule) < 2 for rule in system.rules) or (system.passes and again < _AGAIN):
        raise Unfit
    return system


def _rules(chance: Chance, letters: str, count: int) -> tuple[_Rule, ...]:
    """Rules. The left side of one begins that of an earlier one, and each can be the first to match."""
    long = _some(chance, letters, chance.between(2, 3))
    patterns = [long]
    short = long[: chance.between(1, len(long) - 1)]
    while len(patterns) < count - 1:
        pattern = _some(chance, letters, chance.pick((1, 2, 2, 3)))
        if pattern != short and not any(pattern.startswith(other) for other in patterns):
            patterns.insert(chance.between(0, len(patterns)), pattern)
    patterns.insert(chance.between(patterns.index(long) + 1, len(patterns)), short)
    if any(late.startswith(early) for place, late in enumerate(patterns) for early in patterns[:place]):
        raise Unfit
    return tuple(_Rule(pattern, _image(chance, letters, pattern)) for pattern in patterns)


def _image(chance: Chance, letters: str, pattern: str) -> str:
    while True:
        image = _some(chance, letters + "x", chance.pick((0, 1, 1, 2, 2, 3)))
        if image != pattern:
            return image


def _some(chance: Chance, letters: str, size: int) -> str:
    return "".join(chance.pick(letters) for _ in range(size))


def _string(chance: Chance, system: _System) -> str:
    """A string with left sides of rules in it."""
    parts = [
        chance.pick(system.rules).pattern if chance.happens(0.4) else chance.pick(system.letters + "x")
        for _ in range(chance.between(2, 6))
    ]
    return "".join(parts)


def _any_string(chance: Chance, system: _System) -> str:
    """Such a string, or a short one, or two joined, or one with a character outside all rules."""
    made = _string(chance, system)
    if chance.happens(0.75):
        return made
    place = chance.below(len(made))
    other = made[:place] + chance.pick(("A", " ", "z", "7")) + made[place:]
    return chance.pick((made[0], made[:2], made + _string(chance, system), other))


# --- meaning ----------------------------------------------------------------------------------------------------------


def _run(system: _System, s: str, times: int) -> tuple[str, int]:
    rules = passes = 0
    while passes < times:
        s, used = _pass(system, s)
        passes += 1
        rules += len(used)
        if not used or len(s) > _LONGEST:
            break
    return s, passes if system.counted == "passes" else rules


def _pass(system: _System, s: str) -> tuple[str, list[_Rule]]:
    """The string after a pass, and the applied rules."""
    made, used, at = [], [], 0
    while at < len(s):
        rule = next((rule for rule in system.rules if s.startswith(rule.pattern, at)), None)
        if rule:
            used.append(rule)
        made.append(rule.image if rule else s[at])
        at += len(rule.pattern) if rule else 1
    return "".join(made), used


# --- its texts --------------------------------------------------------------------------------------------------------


def _statement(system: _System) -> str:
    lines = [f"`{rule.pattern}` becomes {f'`{rule.image}`' if rule.image else 'nothing'}" for rule in system.rules]
    return paragraphs(
        "A string is rewritten by these rules:",
        numbered(f"{line};" for line in lines).removesuffix(";") + ".",
        "A pass goes through the string once, from left to right. At each place the first rule of the list whose left "
        "side stands there is applied: what it makes goes to the result, and the pass goes on behind the left side. "
        "If none fits, the character goes to the result, and the pass goes on behind it. What a pass has made is not "
        "looked at again in the same pass.",
        f"{_asked(system)} Strings may be empty and may hold other characters.",
    )


def _asked(system: _System) -> str:
    name = system.name
    if not system.passes:
        return f"`{name} s` is what one pass makes of the string `s`."
    made = f"`{name} n s` makes `n` such passes over the string `s`, each over the result of the one before it."
    if system.counted == "passes":
        made += " It stops early after a pass in which no rule fitted anywhere."
    result = {
        "": "the string that results",
        "rules": "the pair of the resulting string and of how many times a rule was applied, in all passes together",
        "passes": "the pair of the resulting string and of the number of passes that were made, one in which no rule "
        "fitted included",
    }[system.counted]
    return f"{made} The result is {result}. `n` is at least 0."


def _code(system: _System) -> str:
    table = "; ".join(f'("{rule.pattern}", "{rule.image}")' for rule in system.rules)
    stands = """\
(* Does [p] stand at place [i] of [s]? *)
let stands s i p = i + String.length p <= String.length s && String.sub s i (String.length p) = p"""
    one, several = _CODE[system.counted]
    return module(
        f"let rules = [ {table} ]",
        stands,
        one,
        several.replace("@", system.name) if system.passes else f"let {system.name} s = pass s 0",
    )


_PASS = """\
(* What a pass makes of [s] from place [i] on. *)
let rec pass s i =
  if i >= String.length s then ""
  else
    match List.find_opt (fun (p, _) -> stands s i p) rules with
    | Some (p, image) -> image ^ pass s (i + String.length p)
    | None -> String.make 1 s.[i] ^ pass s (i + 1)"""

_COUNTING_PASS = """\
(* What a pass makes of [s] from place [i] on, and how many times it applies a rule. *)
let rec pass s i =
  if i >= String.length s then ("", 0)
  else
    match List.find_opt (fun (p, _) -> stands s i p) rules with
    | Some (p, image) ->
      let rest, used = pass s (i + String.length p) in
      (image ^ rest, used + 1)
    | None ->
      let rest, used = pass s (i + 1) in
      (String.make 1 s.[i] ^ rest, used)"""

_CODE = {
    "": (_PASS, "let rec @ n s = if n = 0 then s else @ (n - 1) (pass s 0)"),
    "rules": (
        _COUNTING_PASS,
        """\
let rec @ n s =
  if n = 0 then (s, 0)
  else
    let s, used = pass s 0 in
    let s, later = @ (n - 1) s in
    (s, used + later)""",
    ),
    "passes": (
        _PASS,
        """\
let fits s = List.exists (fun (p, _) -> List.exists (fun i -> stands s i p) (List.init (String.length s) Fun.id)) rules

let rec @ n s =
  if n = 0 then (s, 0)
  else if not (fits s) then (s, 1)
  else
    let s, made = @ (n - 1) (pass s 0) in
    (s, made + 1)""",
    ),
}


FAMILY = Family(
    name="strings.rewriting",
    topics=("strings", "parsing-interpreters"),
    description="passes over a string that apply the first rule that fits",
    tasks=TASKS,
    make=_rewriting,
    split="eval",
)
