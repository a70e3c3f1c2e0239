"""Strings that grow by replacing all characters at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.small.recursion_growth import TASKS
from ocaml_env.problems.generators.values import integer, letter, text
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]


_LONGEST = 200  # strings
_GROWN = 40  # the least length, for some letter, after four steps from five of it
_DRAWS = 60


class _Context(NamedTuple):
    """``own`` becomes ``new`` directly behind ``before``."""

    own: str
    before: str
    new: str


@dataclass(frozen=True, slots=True)
class _Growth:
    """The replacement of each letter in a step; ``mirrored`` if the string is then reversed."""

    rules: Mapping[str, str]
    context: _Context | None
    mirrored: bool

    @property
    def letters(self) -> str:
        return "".join(self.rules)

    def step(self, word: str) -> str:
        grown = "".join(
            self.context.new if self.context and (c, before) == self.context[:2] else self.rules.get(c, c)
            for before, c in zip(f" {word}", word, strict=False)
        )
        return grown[::-1] if self.mirrored else grown

    def run(self, n: int, word: str) -> str:
        for _ in range(n):
            word = self.step(word)
            if len(word) > _LONGEST:
                raise Unfit
        return word


def _growth(chance: Chance, level: int) -> Draft:
    name = chance.pick(("grow", "expand", "unfold", "sprout", "develop"))
    growth = _drawn(chance, level)
    counted = level >= 5
    signature = f"val {name} : int -> string -> string"
    return Draft(
        name=name,
        statement=_statement(name, growth, counted=counted),
        signature=signature + (f"\nval {name}_count : char -> int -> string -> int" if counted else ""),
        reference=_reference(name, growth, counted=counted),
        cases=_cases(chance, name, growth, counted=counted),
        hidden=16 if counted else 12,
        groups=(name, f"{name}_count") if counted else (),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _drawn(chance: Chance, level: int) -> _Growth:
    letters = chance.sample("abcdefgxyz", 4 if level == 5 else 3)
    for _ in range(_DRAWS):
        rules = {c: _grown(chance, letters) for c in letters}
        context = _Context(chance.pick(letters), chance.pick(letters), _grown(chance, letters))
        growth = _Growth(rules, context if level >= 3 else None, level >= 3 and chance.happens(0.5))
        if _is_good(growth):
            return growth
    raise Unfit


def _is_good(growth: _Growth) -> bool:
    """True if every rule changes something, and strings grow, though not too fast."""
    rules, context = growth.rules, growth.context
    if any(c == image for c, image in rules.items()) or sum(map(len, rules.values())) <= len(rules):
        return False
    if context and context.new == rules[context.own]:
        return False
    try:
        return max(len(growth.run(4, 5 * c)) for c in rules) >= _GROWN
    except Unfit:
        return False


def _grown(chance: Chance, letters: Sequence[str]) -> str:
    size = chance.pick((0, 1, 2, 2, 2, 3))
    return "".join(chance.pick(letters) for _ in range(size))


def _cases(chance: Chance, name: str, growth: _Growth, *, counted: bool) -> Iterator[Case]:
    letters = growth.letters

    def draw() -> tuple[int, str]:
        word = "".join(chance.pick(letters + chance.pick("-+" + letters.upper())) for _ in range(chance.between(1, 4)))
        return chance.between(1, 4), word

    edges = [(0, letters), (2, ""), (1, letters), (1, letters[::-1] + letters), (1, "-+-"), (1, letters[0] * 3)]
    for n, word in inputs(draw, edges):
        yield case(name, [integer(n), text(word)], text(growth.run(n, word)))
        if counted:
            c, n = chance.pick(letters), chance.between(1, 4)
            word = "".join(chance.pick(letters) for _ in range(chance.between(1, 5)))
            yield case(f"{name}_count", [letter(c), integer(n), text(word)], integer(growth.run(n, word).count(c)))


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, growth: _Growth, *, counted: bool) -> str:
    spoken = [f"`{c}` {_becomes(image)}" for c, image in growth.rules.items()]
    if growth.context:
        own, before, new = growth.context
        behind = f"`{before}`" if before != own else f"another `{own}`"
        spoken.append(f"but `{own}` directly behind {behind} (in the string before this step) {_becomes(new)} instead")
    asked = f"`{name} n s` is the string `s` after `n` steps. With `n = 0` it is `s` itself; `s` may be empty."
    if counted:
        asked += f" `{name}_count c n s` is how often the character `c` occurs in `{name} n s`."
    return paragraphs(
        "A string grows in steps. In one step all characters are replaced at the same time:",
        bullets(f"{line};" for line in spoken) + "\n- all other characters stay as they are.",
        "After that the whole string is reversed; this too belongs to every step." if growth.mirrored else "",
        asked,
    )


def _becomes(image: str) -> str:
    return f"becomes `{image}`" if image else "is dropped"


def _reference(name: str, growth: _Growth, *, counted: bool) -> str:
    arms = [f"    | {letter(c)} -> {text(image)}" for c, image in growth.rules.items()]
    if growth.context:
        own, before, new = growth.context
        arms.insert(0, f"    | {letter(own)} when i > 0 && s.[i - 1] = {letter(before)} -> {text(new)}")
    made = 'String.concat "" (List.init (String.length s) (fun i -> image i s.[i]))'
    reverse = "let reverse s = String.init (String.length s) (fun i -> s.[String.length s - 1 - i])"
    step = [
        "let step s =",
        "  let image i = function" if growth.context else "  let image _ = function",
        *arms,
        "    | c -> String.make 1 c",
        "  in",
        f"  reverse ({made})" if growth.mirrored else f"  {made}",
    ]
    count = f"""\
let {name}_count c n s =
  String.fold_left (fun count d -> if d = c then count + 1 else count) 0 ({name} n s)"""
    return module(
        reverse if growth.mirrored else "",
        "\n".join(step),
        f"let rec {name} n s = if n = 0 then s else {name} (n - 1) (step s)",
        count if counted else "",
    )


FAMILY = Family(
    name="recursion.growth",
    topics=("recursion", "strings"),
    description="strings that grow by replacing all characters at once",
    tasks=TASKS,
    make=_growth,
    split="eval",
)
