"""Families about strings: steps on a text, points for characters, and rewriting by rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, ordered_tests
from ocaml_env.problems.generators.letters import (
    REVERSE,
    WORDS,
    char_map,
    char_test,
    some_text,
    string_map,
    string_test,
)
from ocaml_env.problems.generators.values import integer, pair, text
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs

__all__ = ["FAMILIES"]

_OF_WORDS = "let words s = List.filter (fun w -> w <> \"\") (String.split_on_char ' ' s)"
_OF_CHARS = """\
let chars s = List.of_seq (String.to_seq s)

let of_chars l = String.of_seq (List.to_seq l)"""


# --- steps ------------------------------------------------------------------------------------------------------------


def _pipeline(chance: Chance, level: int) -> Draft:
    name = chance.pick(("rewrite", "stylise", "garble", "polish", "render"))
    kinds = [chance.pick(_RICH), *chance.sample(_STEPS, level)]
    steps = [kind(chance) for kind in chance.shuffled(kinds)]
    tried = [some_text(chance) for _ in range(6)]
    if not _all_matter(steps, tried):
        raise Unfit
    many = any("word" in step.words for step in steps)
    statement = paragraphs(
        f"`{name} s` takes the string `s` through the following steps, in this order; each step works on the result of "
        "the one before it.",
        numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
        "Words are the longest runs of characters other than the space." if many else "",
        "Strings hold printable ASCII characters, and may be empty.",
    )
    body = f"let {name} s =\n  s\n" + "\n".join(f"  |> {step.ocaml}" for step in steps)
    edges = ["", " ", chance.pick(WORDS), "aa", chance.pick("aeiou"), "  Two  spaces  ", "MiXeD 12-34 xX"]

    def cases() -> Iterator[Case]:
        for value in inputs(lambda: some_text(chance), edges):
            yield case(name, [text(value)], text(_applied(steps, value)))

    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : string -> string",
        reference=module([helper for step in steps for helper in step.helpers], body),
        cases=cases(),
    )


def _applied(steps: Sequence[Op], value: str) -> str:
    for step in steps:
        value = step.run(value)
    return value


def _all_matter(steps: Sequence[Op], tried: Sequence[str]) -> bool:
    left = set(range(len(steps)))
    for value in tried:
        whole = _applied(steps, value)
        left -= {i for i in left if _applied([*steps[:i], *steps[i + 1 :]], value) != whole}
        if not left:
            return True
    return False


def _on_chars(words: str, ocaml: str, run: Callable[[str], str], helpers: tuple[str, ...] = ()) -> Op:
    return Op(words, ocaml, run, (*helpers, _OF_CHARS))


def _replace(chance: Chance) -> Op:
    test, op = char_test(chance), char_map(chance)
    return Op(
        f"replace every character `c` for which {test.say('c')} by {op.say('c')}",
        f"String.map (fun c -> if {test.code('c')} then {op.code('c')} else c)",
        lambda s: "".join(op.run(c) if test.run(c) else c for c in s),
        test.helpers + op.helpers,
    )


def _remove(chance: Chance) -> Op:
    test = char_test(chance)
    return _on_chars(
        f"remove every character `c` for which {test.say('c')}",
        f"(fun s -> of_chars (List.filter (fun c -> not ({test.code('c')})) (chars s)))",
        lambda s: "".join(c for c in s if not test.run(c)),
        test.helpers,
    )


def _double(chance: Chance) -> Op:
    test = char_test(chance)
    return _on_chars(
        f"put a second copy behind every character `c` for which {test.say('c')}",
        f"(fun s -> of_chars (List.concat_map (fun c -> if {test.code('c')} then [ c; c ] else [ c ]) (chars s)))",
        lambda s: "".join(c + c if test.run(c) else c for c in s),
        test.helpers,
    )


def _squeeze(chance: Chance) -> Op:
    helper = """\
let rec squeeze = function
  | a :: (b :: _ as rest) when a = b -> squeeze rest
  | a :: rest -> a :: squeeze rest
  | [] -> []"""
    return _on_chars(
        "of equal characters that stand next to each other, keep only one",
        "(fun s -> of_chars (squeeze (chars s)))",
        lambda s: "".join(c for c, _ in groupby(s)),
        (helper,),
    )


def _lengths(chance: Chance) -> Op:
    helper = """\
let rec runs = function
  | a :: rest -> (
    match runs rest with
    | (b, n) :: others when a = b -> (b, n + 1) :: others
    | others -> (a, 1) :: others)
  | [] -> []"""
    return _on_chars(
        "write the length of every longest run of equal characters, as a decimal number, behind one of them, if the "
        "run has at least 2 characters (`aab` becomes `a2b`)",
        '(fun s -> String.concat "" (List.map (fun (c, n) -> String.make 1 c ^ if n > 1 then string_of_int n else "")'
        " (runs (chars s))))",
        lambda s: "".join(c + (str(n) if (n := len([*run])) > 1 else "") for c, run in groupby(s)),
        (helper,),
    )


def _reverse(chance: Chance) -> Op:
    return Op("reverse the string", "reverse", lambda s: s[::-1], (REVERSE,))


def _rotate(chance: Chance) -> Op:
    k = chance.between(1, 4)
    helper = """\
let rotate k s =
  let n = String.length s in
  String.init n (fun i -> s.[(i + k) mod n])"""
    times = "once" if k == 1 else f"{k} times"
    return Op(
        f"move the first character to the end, {times} (an empty string stays empty)",
        f"rotate {k}",
        lambda s: s[k % len(s) :] + s[: k % len(s)] if s else s,
        (helper,),
    )


def _cut(chance: Chance) -> Op:
    k = chance.between(6, 14)
    helper = "let first k s = String.sub s 0 (min k (String.length s))"
    return Op(
        f"keep only the first {k} characters (all of them if there are fewer)", f"first {k}", lambda s: s[:k], (helper,)
    )


def _fill(chance: Chance) -> Op:
    k, sign = chance.between(12, 24), chance.pick("*.-_")
    helper = "let missing k s = max 0 (k - String.length s)"
    if chance.happens(0.5):
        return Op(
            f"fill the string up on the left with `{sign}` until it has {k} characters (leave it if it has as many)",
            f"(fun s -> String.make (missing {k} s) '{sign}' ^ s)",
            lambda s: s.rjust(k, sign),
            (helper,),
        )
    return Op(
        f"fill the string up on the right with `{sign}` until it has {k} characters (leave it if it has as many)",
        f"(fun s -> s ^ String.make (missing {k} s) '{sign}')",
        lambda s: s.ljust(k, sign),
        (helper,),
    )


def _every(chance: Chance) -> Op:
    k, sign = chance.between(2, 5), chance.pick("-/:+")
    helper = """\
let group k sign s =
  let piece i c = if i > 0 && i mod k = 0 then Printf.sprintf "%c%c" sign c else String.make 1 c in
  String.concat "" (List.mapi piece (List.of_seq (String.to_seq s)))"""
    return Op(
        f"put a `{sign}` behind every {k} characters, counted from the front, if more characters follow",
        f"group {k} '{sign}'",
        lambda s: sign.join(s[i : i + k] for i in range(0, len(s), k)),
        (helper,),
    )


def _by_place(chance: Chance) -> Op:
    op = char_map(chance)
    k = chance.between(2, 3)
    r = chance.below(k)
    return Op(
        f"replace every character `c` at the positions {r}, {r + k}, {r + 2 * k} and so on, counted from 0, by "
        f"{op.say('c')}",
        f"String.mapi (fun i c -> if i mod {k} = {r} then {op.code('c')} else c)",
        lambda s: "".join(op.run(c) if i % k == r else c for i, c in enumerate(s)),
        op.helpers,
    )


def _on_words(words: str, ocaml: str, run: Callable[[list[str]], list[str]], helpers: tuple[str, ...] = ()) -> Op:
    return Op(
        f"take the string apart into its words, {words}, and put the words together again with one space between each "
        "two",
        f'(fun s -> String.concat " " ({ocaml} (words s)))',
        lambda s: " ".join(run(s.split())),
        (*helpers, _OF_WORDS),
    )


def _word_map(chance: Chance) -> Op:
    test, op = string_test(chance), string_map(chance)
    return _on_words(
        f"replace every word `w` for which {test.say('w')} by {op.say('w')}",
        f"List.map (fun w -> if {test.code('w')} then {op.code('w')} else w)",
        lambda ws: [op.run(w) if test.run(w) else w for w in ws],
        test.helpers + op.helpers,
    )


def _word_filter(chance: Chance) -> Op:
    test = string_test(chance)
    return _on_words(
        f"keep only the words `w` for which {test.say('w')}",
        f"List.filter (fun w -> {test.code('w')})",
        lambda ws: [w for w in ws if test.run(w)],
        test.helpers,
    )


def _word_order(chance: Chance) -> Op:
    return chance.pick(
        (
            _on_words("reverse their order", "List.rev", lambda ws: ws[::-1]),
            _on_words(
                "sort them by their number of characters, the shortest first (words of the same length keep their "
                "order)",
                "List.stable_sort (fun a b -> compare (String.length a) (String.length b))",
                lambda ws: sorted(ws, key=len),
            ),
            _on_words("sort them in ascending order (that of `compare`)", "List.sort compare", sorted),
            _on_words(
                "move the last one to the front (if there are any)",
                "(fun ws -> match List.rev ws with last :: rest -> last :: List.rev rest | [] -> [])",
                lambda ws: [*ws[-1:], *ws[:-1]],
            ),
        )
    )


_RICH = (_replace, _remove, _double, _by_place, _word_map, _word_filter)
_STEPS = (
    _replace,
    _remove,
    _double,
    _squeeze,
    _lengths,
    _reverse,
    _rotate,
    _cut,
    _fill,
    _every,
    _by_place,
    _word_map,
    _word_filter,
    _word_order,
)


# --- points -----------------------------------------------------------------------------------------------------------


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
        f"  let base = List.fold_left ( + ) 0 (List.mapi (fun {'i' if place else '_'} c -> {each}) "
        "(List.of_seq (String.to_seq s))) in",
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


# --- rewriting --------------------------------------------------------------------------------------------------------


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
        return "".join(chance.pick(alphabet + "x") for _ in range(chance.between(3, 10)))

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
        "stops "
        f"early after a pass in which no rule fitted anywhere. The result is {result}. `n` is at least 0."
        if passes
        else f"{asked} makes one such pass over the string `s`. The result is {result}."
    )
    statement = paragraphs(
        "A string is rewritten by these rules:",
        numbered(f"{line}{'.' if i == len(lines) - 1 else ';'}" for i, line in enumerate(lines)),
        "A pass goes through the string once, from left to right. At each place the first rule of the list whose left "
        "side stands there is applied: what it makes goes to the result, and the pass goes on behind the left side. If "
        "none fits, the character goes to the result, and the pass goes on behind it. What a pass has made is not "
        "looked "
        "at again in the same pass.",
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


FAMILIES = (
    Family(
        name="strings.pipeline",
        topics=("strings",),
        description="steps on the characters and words of a text, one after another",
        make=_pipeline,
    ),
    Family(
        name="strings.points",
        topics=("strings", "folds"),
        description="points for characters by rules, and adjustments of their sum",
        make=_points,
    ),
    Family(
        name="strings.rewriting",
        topics=("strings", "parsing-interpreters"),
        description="passes over a string that apply the first rule that fits",
        make=_rewriting,
    ),
)
