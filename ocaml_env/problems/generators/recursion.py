"""Families about recursion: sequences by recurrence, functions that call each other, and strings that grow by rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, letter, text
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILIES"]


# --- one sequence -----------------------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """One summand of a recurrence; ``run`` takes the sequence so far and n."""

    words: str
    ocaml: str
    run: Callable[[Sequence[int], int], int]


def _recurrence(chance: Chance, level: int) -> Draft:
    name = chance.pick(("term", "seq", "value", "element", "nth"))
    depth = (2, 2, 3, 3, 4)[level - 1]
    bases = chance.ints(depth, 0, 9)
    divisor = (1, 2, 2, 3, 3)[level - 1]
    rules = [_sum(chance, depth, level) for _ in range(divisor)]
    modulus = chance.pick((97, 101, 256, 499, 500, 997, 1000, 1009, 9973))
    largest = 18 if level <= 3 else 600

    values = list(bases)
    for n in range(depth, largest + 1):
        values.append(sum(part.run(values, n) for part in rules[n % divisor]) % modulus)
    if len(set(values[:20])) < 8:
        raise Unfit
    spoken = [" + ".join(part.words for part in rule) for rule in rules]
    if divisor == 1:
        tail = f"`{name} n` is the remainder of `{_call(name, spoken[0])}` divided by {modulus}."
    else:
        tail = (
            f"the result depends on the remainder of `n` divided by {divisor}, and is in each case taken as the "
            f"remainder of what is said here divided by {modulus}:\n\n"
            + bullets(f"remainder {r}: `{_call(name, rule)}`;" for r, rule in enumerate(spoken)).removesuffix(";")
            + "."
        )
    divided = any("/" in rule for rule in spoken)
    begin = series([f"`{name} {i} = {base}`" for i, base in enumerate(bases)])
    far = f"`n` is at most {largest}, so the values that were computed already have to be kept." if level >= 4 else ""
    statement = paragraphs(
        f"A sequence of integers begins with {begin}. For every `n` from {depth} on, {tail}",
        f"Write `{name}`. `n` is at least 0. {'In the formulas `/` rounds down. ' if divided else ''}{far}".strip(),
    )
    parts = [" + ".join(part.ocaml for part in rule) for rule in rules]
    compute = parts[-1]
    for r in range(divisor - 2, -1, -1):
        compute = f"if n mod {divisor} = {r} then {parts[r]} else {compute}"
    known = " ".join(f"| {i} -> {base}" for i, base in enumerate(bases))
    if level >= 4:
        kept = (
            f"let known = Hashtbl.create 100\n\nlet rec t n =\n  match Hashtbl.find_opt known n with\n"
            "  | Some value -> value\n  | None ->\n    let value = compute n in\n    Hashtbl.add known n value;\n"
            f"    value\n\nand compute n =\n  match n with\n  {known}\n  | n -> ({compute}) mod {modulus}"
        )
        reference = module(kept, f"let {name} n = t n")
    else:
        reference = f"let rec {name} n =\n  match n with\n  {known}\n  | n -> ({_call(name, compute)}) mod {modulus}"

    def cases() -> Iterator[Case]:
        edges = [0, 1, depth - 1, depth, depth + 1, largest, largest - 1]
        for n in inputs(lambda: chance.between(depth, largest), edges):
            yield case(name, [integer(n)], integer(values[n]))

    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : int -> int",
        reference=reference,
        cases=cases(),
    )


def _call(name: str, formula: str) -> str:
    """The formula with the sequence called by its name."""
    return formula.replace("t (", f"{name} (")


def _sum(chance: Chance, depth: int, level: int) -> list[_Part]:
    parts = [_earlier(chance, k) for k in sorted(chance.sample(range(1, depth + 1), 2))]
    if level >= 2 and chance.happens(0.5):
        parts.append(_half(chance))
    return [*parts, _plain(chance)]


def _earlier(chance: Chance, k: int) -> _Part:
    c = chance.between(1, 5)
    formula = f"t (n - {k})" if c == 1 else f"{c} * t (n - {k})"
    return _Part(formula, formula, lambda values, n: c * values[n - k])


def _half(chance: Chance) -> _Part:
    k = chance.between(2, 3)
    return _Part(f"t (n / {k})", f"t (n / {k})", lambda values, n: values[n // k])


def _plain(chance: Chance) -> _Part:
    c = chance.between(1, 9)
    return chance.pick(
        (
            _Part(f"{c}", f"{c}", lambda values, n: c),
            _Part(f"{c} * n", f"{c} * n", lambda values, n: c * n),
            _Part("n * n", "n * n", lambda values, n: n * n),
            _Part(f"n / {c + 1}", f"n / {c + 1}", lambda values, n: n // (c + 1)),
        )
    )


# --- functions that call each other -----------------------------------------------------------------------------------


def _mutual(chance: Chance, level: int) -> Draft:
    names: Sequence[str] = chance.pick((("ping", "pong", "pang"), ("sun", "moon", "star"), ("left", "right", "middle")))
    names = names[: 2 if level <= 3 else 3]
    bodies = [_mutual_body(chance, names, i, level) for i in range(len(names))]

    def run(which: int, n: int, calls: list[int]) -> int:
        calls[0] += 1
        if calls[0] > 3000:
            raise Unfit
        return bodies[which].run(n, lambda other, m: run(other, m, calls))

    largest = 60 if level <= 3 else 100
    for which in range(len(names)):
        if len({run(which, n, [0]) for n in range(30)}) < 10:
            raise Unfit
        run(which, largest, [0])
    listed = [f"`{name}`" for name in names]
    statement = paragraphs(
        f"Write {series(listed)}, functions of an integer that call each other:",
        bullets(f"`{name} n`: {body.words}" for name, body in zip(names, bodies, strict=True)),
        f"The argument may be negative, and is at most {largest}. `/` rounds down.",
    )
    code = []
    for i, (name, body) in enumerate(zip(names, bodies, strict=True)):
        code.append(f"{'let rec' if i == 0 else 'and'} {name} n =\n  {body.ocaml}")

    def draw() -> tuple[int, int]:
        return chance.below(len(names)), chance.between(3, largest)

    def cases() -> Iterator[Case]:
        small = [(which, n) for n in (0, 1, -4, 2) for which in range(len(names))]
        for which, n in inputs(draw, small):
            yield case(names[which], [integer(n)], integer(run(which, n, [0])))

    return Draft(
        name=names[0],
        statement=statement,
        signature="\n".join(f"val {name} : int -> int" for name in names),
        reference="\n\n".join(code),
        cases=cases(),
        hidden=16,
        groups=tuple(names),
    )


class _Body(NamedTuple):
    words: str
    ocaml: str
    run: Callable[[int, Callable[[int, int], int]], int]


def _mutual_body(chance: Chance, names: Sequence[str], own: int, level: int) -> _Body:
    base, floor = chance.between(0, 9), chance.between(0, 1)
    others = [i for i in range(len(names)) if i != own]
    k = chance.between(2, 3)
    cases = [
        _mutual_case(chance, names, chance.pick(others if level == 1 or i == 0 else range(len(names))), level)
        for i in range(2)
    ]
    if cases[0].ocaml == cases[1].ocaml:
        raise Unfit
    words = (
        f"{base} if `n` is at most {floor}; otherwise, if `n` is divisible by {k}, `{cases[0].words}`; otherwise "
        f"`{cases[1].words}`."
    )
    ocaml = f"if n <= {floor} then {base} else if n mod {k} = 0 then {cases[0].ocaml} else {cases[1].ocaml}"
    return _Body(
        words, ocaml, lambda n, call: base if n <= floor else (cases[0] if n % k == 0 else cases[1]).run(n, call)
    )


def _mutual_case(chance: Chance, names: Sequence[str], other: int, level: int) -> _Body:
    c, k, d = chance.between(1, 9), chance.between(2, 3), chance.between(1, 4)
    f = names[other]
    made: list[tuple[str, Callable[[int, Callable[[int, int], int]], int]]] = [
        (f"{f} (n - {d}) + {c}", lambda n, call: call(other, n - d) + c),
        (f"{f} (n / {k}) + n", lambda n, call: call(other, n // k) + n),
        (f"n - {f} (n - {d})", lambda n, call: n - call(other, n - d)),
        (f"{c} - {f} (n / {k})", lambda n, call: c - call(other, n // k)),
        (f"abs ({f} (n - {d}) - {c})", lambda n, call: abs(call(other, n - d) - c)),
    ]
    if level >= 2:
        second = chance.below(len(names))
        g = names[second]
        made += [
            (f"{f} (n / {k}) + {g} (n / {k + 1})", lambda n, call: call(other, n // k) + call(second, n // (k + 1))),
            (f"{f} (n - {d}) - {g} (n / {k})", lambda n, call: call(other, n - d) - call(second, n // k)),
        ]
    formula, run = chance.pick(made)
    return _Body(formula, formula, run)


# --- strings that grow ------------------------------------------------------------------------------------------------


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


FAMILIES = (
    Family(
        name="recursion.sequence",
        topics=("recursion", "arithmetic"),
        description="a sequence by a recurrence with cases, from level 4 on too long for plain recursion",
        make=_recurrence,
    ),
    Family(
        name="recursion.mutual",
        topics=("recursion", "arithmetic"),
        description="two or three functions that call each other",
        make=_mutual,
    ),
    Family(
        name="recursion.growth",
        topics=("recursion", "strings"),
        description="strings that grow by replacing all characters at once",
        make=_growth,
    ),
)
