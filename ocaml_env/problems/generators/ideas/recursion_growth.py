"""Strings that grow by replacing all characters at once."""

from __future__ import annotations

from collections.abc import Iterator

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, letter, text
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]


def _growth(chance: Chance, level: int) -> Draft:
    name = chance.pick(("grow", "expand", "unfold", "sprout", "develop"))
    size = 3 if level <= 3 else 4
    letters = "".join(chance.sample("abcdefgxyz", size))
    rules = {c: _grown(chance, letters) for c in letters}
    if any(c == image for c, image in rules.items()) or sum(map(len, rules.values())) <= size:
        raise Unfit
    context = _context(chance, letters) if level >= 3 else None
    mirrored = level >= 2 and chance.happens(0.5)
    counted = level >= 5

    def step(word: str) -> str:
        made = []
        for i, c in enumerate(word):
            if context and c == context[0] and i > 0 and word[i - 1] == context[1]:
                made.append(context[2])
            else:
                made.append(rules.get(c, c))
        grown = "".join(made)
        return grown[::-1] if mirrored else grown

    def run(n: int, word: str) -> str:
        for _ in range(n):
            word = step(word)
            if len(word) > 150:
                raise Unfit
        return word

    def draw() -> tuple[int, str]:
        word = "".join(chance.pick(letters + chance.pick("-+")) for _ in range(chance.between(1, 4)))
        return chance.between(1, 4), word

    spoken = [f"`{c}` becomes `{rules[c]}`" if rules[c] else f"`{c}` is dropped" for c in letters]
    if context:
        own, before, new = context
        becomes = f"becomes `{new}`" if new else "is dropped"
        spoken.append(f"but a `{own}` directly behind a `{before}` (of the string before this step) {becomes} instead")
    closing = "After that the whole string is reversed; this too belongs to every step." if mirrored else ""
    asked = f"`{name} n s` is the string `s` after `n` steps. With `n = 0` it is `s` itself; `s` may be empty."
    if counted:
        asked += f" `{name}_count c n s` is how often the character `c` occurs in `{name} n s`."
    statement = paragraphs(
        "A string grows in steps. In one step all characters are replaced at the same time:",
        bullets(f"{line};" for line in spoken) + "\n- all other characters stay as they are.",
        closing,
        asked,
    )
    arms = [f"    | {letter(c)} -> {text(rules[c])}" for c in letters]
    if context:
        own, before, new = context
        arms.insert(0, f"    | {letter(own)} when i > 0 && s.[i - 1] = {letter(before)} -> {text(new)}")
    made = 'String.concat "" (List.init (String.length s) (fun i -> image i s.[i]))'
    flip = "let reverse s = String.init (String.length s) (fun i -> s.[String.length s - 1 - i])"
    parts = [
        flip if mirrored else "",
        "\n".join(
            [
                "let step s =",
                "  let image i = function" if context else "  let image _ = function",
                *arms,
                "    | c -> String.make 1 c",
                "  in",
                f"  reverse ({made})" if mirrored else f"  {made}",
            ]
        ),
        f"let rec {name} n s = if n = 0 then s else {name} (n - 1) (step s)",
    ]
    signature = f"val {name} : int -> string -> string"
    if counted:
        parts.append(
            f"let {name}_count c n s =\n"
            f"  String.fold_left (fun count d -> if d = c then count + 1 else count) 0 ({name} n s)"
        )
        signature += f"\nval {name}_count : char -> int -> string -> int"

    def cases() -> Iterator[Case]:
        edges = [(0, letters), (2, ""), (1, letters), (1, letters[::-1] + letters), (1, "-+-"), (1, letters[0] * 3)]
        for n, word in inputs(draw, edges):
            answer = run(n, word)
            if counted and chance.happens(0.35):
                c = chance.pick(letters)
                yield case(f"{name}_count", [letter(c), integer(n), text(word)], integer(answer.count(c)))
            else:
                yield case(name, [integer(n), text(word)], text(answer))

    return Draft(
        name=name,
        statement=statement,
        signature=signature,
        reference=module(*parts),
        cases=cases(),
        hidden=16 if counted else 12,
        groups=(name, f"{name}_count") if counted else (),
    )


def _grown(chance: Chance, letters: str) -> str:
    size = chance.pick((0, 1, 2, 2, 2, 3))
    return "".join(chance.pick(letters) for _ in range(size))


def _context(chance: Chance, letters: str) -> tuple[str, str, str]:
    return chance.pick(letters), chance.pick(letters), _grown(chance, letters)


FAMILY = Family(
    name="recursion.growth",
    topics=("recursion", "strings"),
    description="strings that grow by replacing all characters at once",
    make=_growth,
)
