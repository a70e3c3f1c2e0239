"""Passes over a string that apply the first rule that fits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, pair, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]


class _Rule(NamedTuple):
    pattern: str
    image: str


def _rewriting(chance: Chance, level: int) -> Draft:
    name = chance.pick(("rewrite", "reduce", "translate", "normalise", "apply_rules"))
    alphabet = "abc" if level <= 3 else "abcd"
    rules = [_rule(chance, alphabet) for _ in range((3, 3, 4, 4, 5)[level - 1])]
    patterns = [rule.pattern for rule in rules]
    if len({*patterns}) < len(rules) or any(a.startswith(b) for i, a in enumerate(patterns) for b in patterns[:i]):
        raise Unfit  # a rule that can never be the first that fits
    passes = level >= 3
    counting = level in (2, 4, 5)

    def one(s: str) -> tuple[str, int]:
        made, i, used = [], 0, 0
        while i < len(s):
            rule = next((rule for rule in rules if s.startswith(rule.pattern, i)), None)
            made.append(rule.image if rule else s[i])
            i += len(rule.pattern) if rule else 1
            used += rule is not None
        return "".join(made), used

    def run(s: str, times: int) -> tuple[str, int]:
        total = 0
        for _ in range(times):
            s, used = one(s)
            total += used
            if not used:
                break
            if len(s) > 80:
                raise Unfit
        return s, total

    def draw() -> str:
        parts = [chance.pick(patterns) if chance.happens(0.3) else chance.pick(alphabet + "x") for _ in range(7)]
        return "".join(parts[: chance.between(3, 7)])

    seen = {rule for _ in range(10) for s in [draw()] for rule in rules if rule.pattern in s}
    if len(seen) < len(rules):
        raise Unfit
    lines = [f"`{rule.pattern}` becomes {f'`{rule.image}`' if rule.image else 'nothing'}" for rule in rules]
    asked = f"`{name} n s`" if passes else f"`{name} s`"
    result = (
        "the pair of the resulting string and of how many times a rule was applied"
        if counting
        else "the string that results"
    )
    if passes and counting:
        result += ", in all passes together"
    how = (
        f"{asked} makes at most `n` such passes over the string `s`, each over the result of the one before it. It "
        f"stops early after a pass in which no rule fitted anywhere. The result is {result}. `n` is at least 0."
        if passes
        else f"{asked} makes one such pass over the string `s`. The result is {result}."
    )
    statement = paragraphs(
        "A string is rewritten by these rules:",
        numbered(f"{line}{'.' if i == len(lines) - 1 else ';'}" for i, line in enumerate(lines)),
        "A pass goes through the string once, from left to right. At each place the first rule of the list whose left "
        "side stands there is applied: what it makes goes to the result, and the pass goes on behind the left side. "
        "If none fits, the character goes to the result, and the pass goes on behind it. What a pass has made is not "
        "looked at again in the same pass.",
        how + " Strings may be empty and may hold other characters.",
    )
    table = "; ".join(f'("{rule.pattern}", "{rule.image}")' for rule in rules)
    helper = f"""\
let rules = [ {table} ]

let pass s =
  let made = Buffer.create 16 in
  let stands i p = i + String.length p <= String.length s && String.sub s i (String.length p) = p in
  let rec go i used =
    if i >= String.length s then used
    else
      match List.find_opt (fun (p, _) -> stands i p) rules with
      | Some (p, image) ->
        Buffer.add_string made image;
        go (i + String.length p) (used + 1)
      | None ->
        Buffer.add_char made s.[i];
        go (i + 1) used
  in
  let used = go 0 0 in
  (Buffer.contents made, used)"""
    if passes:
        body = f"""\
let {name} n s =
  let rec go n s total =
    if n = 0 then (s, total)
    else
      let s, used = pass s in
      if used = 0 then (s, total) else go (n - 1) s (total + used)
  in
  {"go n s 0" if counting else "fst (go n s 0)"}"""
    else:
        body = f"let {name} s = {'pass s' if counting else 'fst (pass s)'}"
    show = pair(text, integer) if counting else lambda answer: text(answer[0])

    def cases() -> Iterator[Case]:
        edges = ["", "x", patterns[0], "".join(patterns), patterns[-1] * 2, "x" + patterns[0] + "x"]
        for value in inputs(draw, edges):
            times = chance.between(0, 4) if passes else 1
            arguments = [integer(times), text(value)] if passes else [text(value)]
            yield case(name, arguments, show(run(value, times)))

    kind = "string * int" if counting else "string"
    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : {'int -> ' if passes else ''}string -> {kind}",
        reference=module(helper, body),
        cases=cases(),
        together=2,
    )


def _rule(chance: Chance, alphabet: str) -> _Rule:
    pattern = "".join(chance.pick(alphabet) for _ in range(chance.pick((1, 2, 2, 3))))
    image = "".join(chance.pick(alphabet + "x") for _ in range(chance.pick((0, 1, 1, 2, 2, 3))))
    if image == pattern:
        raise Unfit
    return _Rule(pattern, image)


FAMILY = Family(
    name="strings.rewriting",
    topics=("strings", "parsing-interpreters"),
    description="passes over a string that apply the first rule that fits",
    make=_rewriting,
)
