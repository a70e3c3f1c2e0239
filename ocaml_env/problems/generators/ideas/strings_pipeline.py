"""Steps on the characters and words of a text, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op
from ocaml_env.problems.generators.letters import (
    REVERSE,
    WORDS,
    changes_if,
    char_map,
    char_test,
    some_text,
    string_map,
    string_test,
)
from ocaml_env.problems.generators.small.strings_pipeline import TASKS
from ocaml_env.problems.generators.values import text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_ATTEMPTS = 8  # to draw a step of one kind
_TRIED = 30  # texts
_LONGEST = 3  # words of a text
_EDGES = ("", " ", "aa", "  Two  spaces  ", "MiXeD 12-34 xX")

_OF_WORDS = "let words s = List.filter (fun w -> w <> \"\") (String.split_on_char ' ' s)"


_OF_CHARS = """\
let chars s = List.init (String.length s) (String.get s)

let of_chars l = String.concat "" (List.map (String.make 1) l)"""


def _pipeline(chance: Chance, level: int) -> Draft:
    name = chance.pick(("rewrite", "stylise", "garble", "polish", "render"))
    steps = _steps(chance, level)
    many = any("word" in step.words for step in steps)
    statement = paragraphs(
        f"`{name} s` takes the string `s` through the following steps, in this order; each step works on the result "
        "of the one before it.",
        numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
        "Words are the longest runs of characters other than the space." if many else "",
        "Strings hold printable ASCII characters, and may be empty.",
    )
    body = f"let {name} s =\n  s\n" + "\n".join(f"  |> {step.ocaml}" for step in steps)
    edges = [*_EDGES, chance.pick(WORDS), chance.pick("aeiou"), 11 * chance.pick("aeiou") + "  " + chance.pick(WORDS)]

    def cases() -> Iterator[Case]:
        for value in inputs(lambda: _any_text(chance), edges):
            yield case(name, [text(value)], text(_applied(steps, value)))

    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : string -> string",
        reference=module([helper for step in steps for helper in step.helpers], body),
        cases=cases(),
    )


def _any_text(chance: Chance) -> str:
    """Mostly such a text; also a longer one, one of a single character or two, and long runs of a character."""
    if chance.happens(0.75):
        return some_text(chance, _LONGEST)
    some = [chance.character() for _ in range(2)]
    many = [chance.character() for _ in range(chance.between(3, 9))]
    run = some[0] * chance.pick((2, 3, 5, 10, 11, 12)) + some[1] * 2
    short = some_text(chance, 2)
    return chance.pick((some_text(chance, 7), some[0], "".join(some), run, "".join(many), short.upper(), short + " "))


def _steps(chance: Chance, level: int) -> list[Op]:
    """Steps. Each of their parts makes a difference to the result."""
    kinds = chance.shuffled([chance.pick(_RICH), *chance.sample(_STEPS, min(level, 4))])
    steps: list[Op] = []
    for kind in kinds:
        for _ in range(_ATTEMPTS):
            more = [*steps, kind(chance)]
            if _all_matter(more, [*_EDGES, *(some_text(chance, _LONGEST) for _ in range(_TRIED))]):
                steps = more
                break
        else:
            raise Unfit
    return steps


def _applied(steps: Sequence[Op], value: str) -> str:
    for step in steps:
        value = step.run(value)
    return value


def _all_matter(steps: Sequence[Op], tried: Sequence[str]) -> bool:
    """True if leaving out any step, or any part of one, changes the result for some of these strings."""
    whole = [_applied(steps, value) for value in tried]
    before = tried
    for i, step in enumerate(steps):
        rest = steps[i + 1 :]
        for fault in (_nothing, *step.faults):
            pairs = zip(before, whole, strict=True)
            if all(_applied(rest, fault(value)) == result for value, result in pairs):
                return False
        before = [step.run(value) for value in before]
    return True


def _nothing(s: str) -> str:
    return s


Change = Callable[[str], str]


def _on_chars(
    words: str, ocaml: str, run: Change, helpers: tuple[str, ...] = (), faults: tuple[Change, ...] = ()
) -> Op:
    return Op(words, ocaml, run, (*helpers, _OF_CHARS), faults)


def _replace(chance: Chance) -> Op:
    test = char_test(chance)
    op = char_map(chance, test)
    return Op(
        f"replace every character `c` for which {test.say('c')} by {op.say('c')}",
        f"String.map (fun c -> if {test.code('c')} then {op.code('c')} else c)",
        lambda s: "".join(op.run(c) if test.run(c) else c for c in s),
        test.helpers + op.helpers,
        changes_if(test, op),
    )


def _remove(chance: Chance) -> Op:
    test = char_test(chance)

    def without(test: Callable[[str], bool]) -> Change:
        return lambda s: "".join(c for c in s if not test(c))

    return _on_chars(
        f"remove every character `c` for which {test.say('c')}",
        f"(fun s -> of_chars (List.filter (fun c -> not ({test.code('c')})) (chars s)))",
        without(test.run),
        test.helpers,
        (*map(without, test.faults), without(lambda c: not test.run(c))),
    )


def _double(chance: Chance) -> Op:
    test = char_test(chance)

    def doubled(test: Callable[[str], bool]) -> Change:
        return lambda s: "".join(c + c if test(c) else c for c in s)

    return _on_chars(
        f"put a second copy behind every character `c` for which {test.say('c')}",
        f"(fun s -> of_chars (List.concat_map (fun c -> if {test.code('c')} then [ c; c ] else [ c ]) (chars s)))",
        doubled(test.run),
        test.helpers,
        (*map(doubled, test.faults), doubled(lambda c: True)),
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
        (lambda s: "".join(c + str(len([*run])) for c, run in groupby(s)),),
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
  String.concat "" (List.init (String.length s) (fun i -> piece i s.[i]))"""
    return Op(
        f"put a `{sign}` behind every {k} characters, counted from the front, if more characters follow",
        f"group {k} '{sign}'",
        lambda s: sign.join(s[i : i + k] for i in range(0, len(s), k)),
        (helper,),
        (lambda s: sign.join(["", *(s[i : i + k] for i in range(0, len(s), k))]), sign.join),
    )


def _by_place(chance: Chance) -> Op:
    op = char_map(chance)
    k = chance.between(2, 3)
    r = chance.below(k)

    def by_place(run: Change) -> Change:
        return lambda s: "".join(run(c) if i % k == r else c for i, c in enumerate(s))

    return Op(
        f"replace every character `c` at the positions {r}, {r + k}, {r + 2 * k} and so on, counted from 0, by "
        f"{op.say('c')}",
        f"String.mapi (fun i c -> if i mod {k} = {r} then {op.code('c')} else c)",
        by_place(op.run),
        op.helpers,
        (*map(by_place, op.faults), lambda s: "".join(map(op.run, s))),
    )


Words = Callable[[list[str]], list[str]]


def _on_words(
    words: str,
    ocaml: str,
    run: Words,
    helpers: tuple[str, ...] = (),
    faults: tuple[Words, ...] = (),
    *,
    bare: bool = False,
) -> Op:
    """A change of the list of words; ``bare`` if it drops empty strings itself."""
    parts = "String.split_on_char ' ' s" if bare else "words s"

    def joined(run: Words) -> Change:
        return lambda s: " ".join(run(s.split()))

    return Op(
        f"take the string apart into its words, {words}, and put the words together again with one space between each "
        "two",
        f'(fun s -> String.concat " " ({ocaml} ({parts})))',
        joined(run),
        helpers if bare else (*helpers, _OF_WORDS),
        (*map(joined, (lambda ws: ws, *faults)), *(() if bare else (lambda s: " ".join(run(s.split(" "))),))),
    )


def _word_map(chance: Chance) -> Op:
    test, op = string_test(chance), string_map(chance)

    def mapped(test: Callable[[str], bool], op: Change) -> Words:
        return lambda ws: [op(w) if test(w) else w for w in ws]

    return _on_words(
        f"replace every word `w` for which {test.say('w')} by {op.say('w')}",
        f"List.map (fun w -> if {test.code('w')} then {op.code('w')} else w)",
        mapped(test.run, op.run),
        test.helpers + op.helpers,
        (
            *(mapped(fault, op.run) for fault in (lambda w: True, *test.faults)),
            *(mapped(test.run, fault) for fault in op.faults),
        ),
    )


def _word_filter(chance: Chance) -> Op:
    test = string_test(chance)
    return _on_words(
        f"keep only the words `w` for which {test.say('w')}",
        f"List.filter (fun w -> {test.code('w')})",
        lambda ws: [w for w in ws if test.run(w)],
        test.helpers,
        bare=not test.run(""),
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
                (),
                (lambda ws: [*ws[-1:], *ws[:-1]] or ["?"],),
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


FAMILY = Family(
    name="strings.pipeline",
    topics=("strings",),
    description="steps on the characters and words of a text, one after another",
    tasks=TASKS,
    make=_pipeline,
)
