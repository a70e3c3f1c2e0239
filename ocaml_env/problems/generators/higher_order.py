"""Families about functions as arguments: values computed by functions that are given, and repeated application."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.steps import any_step, applied
from ocaml_env.problems.generators.values import Show, integer, listing, pair
from ocaml_env.problems.generators.wording import module, numbered, paragraphs, series
from ocaml_env.problems.generators.worlds import INTS, STRINGS, pool, small

__all__ = ["FAMILIES"]


# --- values by given functions ----------------------------------------------------------------------------------------

_TYPES = {"f": "('a -> 'a)", "g": "('a -> 'a)", "p": "('a -> bool)", "q": "('a -> bool)", "h": "('a -> 'a -> 'a)"}

Env = dict[str, Any]


class _Term(NamedTuple):
    """A value in terms of what is known."""

    words: str
    ocaml: str
    run: Callable[[Env], Any]
    uses: frozenset[str]


def _terms(chance: Chance, level: int) -> Draft:
    name = chance.pick(("combine", "compute", "assemble", "derive", "build"))
    functions = ("f", "g", "p") if level <= 2 else ("f", "g", "p", "h") if level == 3 else ("f", "g", "p", "q", "h")
    mode = chance.pick(("one",) if level <= 2 else ("one", "each", "kept"))
    names = ("x", "a", "b", "c", "d", "e")
    terms: list[_Term] = []
    for i in range((3, 4, 4, 5, 5)[level - 1]):
        terms.append(_term(chance, functions, names[: i + 1]))
    last = names[len(terms)]
    used = frozenset().union(*(term.uses for term in terms))
    if not {*functions, *names[: len(terms)]} <= used:
        raise Unfit
    keep = "p" if mode == "kept" else ""

    def run(env: Env, x: Any) -> Any:
        env = {**env, "x": x}
        for i, term in enumerate(terms, start=1):
            env[names[i]] = small(term.run(env))
        return env[last]

    def whole(env: Env, value: Any) -> Any:
        if mode == "one":
            return run(env, value)
        made = [run(env, x) for x in value]
        return [x for x in made if env["p"](x)] if keep else made

    lines = [f"`{names[i]}` is {term.words}." for i, term in enumerate(terms, start=1)]
    listed = " ".join(functions)
    subject = {
        "one": f"`{name} {listed} x` computes a value from `x` with the functions that it is given:",
        "each": f"`{name} {listed} l` is the list of what is computed of each element `x` of `l`, in order:",
        "kept": f"`{name} {listed} l` computes something of each element `x` of `l`, and is the list of those "
        "results, in "
        f"order, of which `p` is true. For one element:",
    }[mode]
    body = "\n".join(f"  let {names[i]} = {term.ocaml} in" for i, term in enumerate(terms, start=1))
    if mode == "one":
        code = f"let {name} {listed} x =\n{body}\n  {last}"
    else:
        inner = f"let one {listed} x =\n{body}\n  {last}"
        tail = f" |> List.filter {keep}" if keep else ""
        code = f"{inner}\n\nlet {name} {listed} l = List.map (one {listed}) l{tail}"
    subject_type, result = ("'a", "'a") if mode == "one" else ("'a list", "'a list")
    kinds = " -> ".join(_TYPES[one] for one in functions)

    def cases() -> Iterator[Case]:
        while True:
            world = chance.pick((INTS, INTS, STRINGS))
            given = {one: chance.pick(pool(world, one)) for one in functions}
            env = {one: function.run for one, function in given.items()}
            value = world.draw(chance)
            if mode != "one":
                value = [world.draw(chance) for _ in range(chance.between(0, 5))]
            show = world.show if mode == "one" else listing(world.show)
            answer = whole(env, value)
            yield case(name, [*(function.ocaml for function in given.values()), show(value)], show(answer))

    return Draft(
        name=name,
        statement=paragraphs(
            subject,
            numbered(lines),
            f"The result is `{last}`." if mode == "one" else f"The result for `x` is `{last}`.",
            f"{series([f'`{one}`' for one in functions])} are functions without side effects: they may be called as "
            "often "
            "as you like.",
        ),
        signature=f"val {name} : {kinds} -> {subject_type} -> {result}",
        reference=code,
        cases=cases(),
    )


def _term(chance: Chance, functions: Sequence[str], known: Sequence[str]) -> _Term:
    newest = known[-1]
    kind = chance.pick(("apply", "choose", "choose", "twice", "join", "join"))
    if kind == "join" and "h" not in functions:
        kind = "choose"
    if kind == "apply":
        return _application(chance, newest, 2)
    if kind == "twice":
        f, k = chance.pick("fg"), chance.between(2, 3)
        nested = f"{f} (" * (k - 1) + f"{f} {newest}" + ")" * (k - 1)
        return _Term(
            f"what `{f}` makes of `{newest}` when it is applied {k} times, each time to the result of the time before",
            nested,
            lambda env: _times(env[f], k, env[newest]),
            frozenset((f, newest)),
        )
    if kind == "join":
        other = _application(chance, chance.pick(known), chance.below(2))
        if chance.happens(0.5):
            return _Term(
                f"`h {newest} {_parenthesised(other.ocaml)}`",
                f"h {newest} {_parenthesised(other.ocaml)}",
                lambda env: env["h"](env[newest], other.run(env)),
                other.uses | {"h", newest},
            )
        return _Term(
            f"`h {_parenthesised(other.ocaml)} {newest}`",
            f"h {_parenthesised(other.ocaml)} {newest}",
            lambda env: env["h"](other.run(env), env[newest]),
            other.uses | {"h", newest},
        )
    test = chance.pick([one for one in functions if one in "pq"])
    subject = _application(chance, newest, chance.below(2))
    yes, no = (_application(chance, chance.pick(known), chance.between(0, 2)) for _ in range(2))
    if yes.ocaml == no.ocaml:
        raise Unfit
    return _Term(
        f"`{yes.ocaml}` if `{test} {_parenthesised(subject.ocaml)}` is true, and `{no.ocaml}` otherwise",
        f"if {test} {_parenthesised(subject.ocaml)} then {yes.ocaml} else {no.ocaml}",
        lambda env: yes.run(env) if env[test](subject.run(env)) else no.run(env),
        yes.uses | no.uses | subject.uses | {test},
    )


def _application(chance: Chance, name: str, depth: int) -> _Term:
    """That many functions applied to a value, one after another."""
    used = [chance.pick("fg") for _ in range(depth)]
    code = name
    for f in reversed(used):
        code = f"{f} {_parenthesised(code)}"

    def run(env: Env) -> Any:
        value = env[name]
        for f in reversed(used):
            value = env[f](value)
        return value

    return _Term(f"`{code}`", code, run, frozenset((name, *used)))


def _parenthesised(code: str) -> str:
    return f"({code})" if " " in code else code


def _times(f: Callable[[Any], Any], k: int, value: Any) -> Any:
    for _ in range(k):
        value = f(value)
    return value


# --- repeated application ---------------------------------------------------------------------------------------------


class _Source(NamedTuple):
    words: str
    ocaml: str  # the next value after x, the i-th
    run: Callable[[Env, int, Any], Any]
    functions: tuple[str, ...]


class _Stop(NamedTuple):
    words: str
    ocaml: str  # a condition on x, and on those before it, the newest first
    run: Callable[[Env, Any, list[Any]], bool]
    functions: tuple[str, ...]


def _iterate(chance: Chance, level: int) -> Draft:
    name = chance.pick(("iterate", "trace", "orbit", "chain", "march"))
    source = chance.pick(_SOURCES)(chance)
    stop = chance.pick(_STOPS)
    ending = chance.pick(_RESULTS)
    steps = [any_step(chance) for _ in range((2, 2, 3, 3, 4)[level - 1])]
    if len({step.ocaml for step in steps}) < len(steps):
        raise Unfit
    functions = tuple(dict.fromkeys((*source.functions, *stop.functions)))

    def sequence(env: Env, limit: int, x: Any) -> list[Any]:
        made: list[Any] = []
        while True:
            halt = stop.run(env, x, made)
            made.append(x)
            if halt or len(made) > limit:
                return made
            x = small(source.run(env, len(made) - 1, x))

    def run(env: Env, limit: int, x: Any) -> Any:
        return ending.run(applied(steps, sequence(env, limit, x)))

    listed = " ".join(functions)
    given = series([f"`{one}`" for one in functions])
    statement = paragraphs(
        f"Let a sequence begin with `x`, and let {source.words}. The sequence ends with the first value {stop.words}; "
        "that value still belongs to it. It also ends when it has `limit + 1` values (`limit` is at least 0).",
        f"`{name} {listed} limit x` takes the list of these values, the first one first, through "
        "these steps, in this order:",
        numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
        f"The result is {ending.words}. {given} {'have' if len(functions) > 1 else 'has'} no side effects. Values are "
        "compared with `=`.",
    )
    pick = f"\n  |> {ending.ocaml}" if ending.ocaml else ""
    code = (
        f"""\
let {name} {listed} limit x =
  let rec go before i x =
    if ({stop.ocaml}) || i >= limit then List.rev (x :: before)
    else go (x :: before) (i + 1) ({source.ocaml})
  in
  go [] 0 x
"""
        + "\n".join(f"  |> {step.ocaml}" for step in steps)
        + pick
    )

    def cases() -> Iterator[Case]:
        for _ in range(400):
            world = chance.pick((INTS, INTS, STRINGS))
            functions_given = {one: chance.pick(pool(world, one)) for one in functions}
            env = {one: function.run for one, function in functions_given.items()}
            limit, x = chance.between(0, 9), world.draw(chance)
            if len(sequence(env, limit, x)) < 3 and chance.happens(0.8):
                continue
            show = ending.show(world.show)
            arguments = [*(function.ocaml for function in functions_given.values()), integer(limit), world.show(x)]
            yield case(name, arguments, show(run(env, limit, x)))

    kinds = " -> ".join(_TYPES[one] for one in functions)
    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : {kinds} -> int -> 'a -> {ending.kind}",
        reference=module([h for step in steps for h in step.helpers], code),
        cases=cases(),
    )


class _Result(NamedTuple):
    words: str
    ocaml: str
    kind: str
    show: Callable[[Show], Show]
    run: Callable[[Any], Any]


_RESULTS = (
    _Result("the list after the last step", "", "'a list", listing, lambda v: v),
    _Result(
        "the pair of the list after the last step and of the number of its elements",
        "(fun l -> (l, List.length l))",
        "'a list * int",
        lambda show: pair(listing(show), integer),
        lambda v: (v, len(v)),
    ),
    _Result(
        "the list after the last step, each value paired with its position, counted from 0, as `(position, value)`",
        "List.mapi (fun i x -> (i, x))",
        "(int * 'a) list",
        lambda show: listing(pair(integer, show)),
        lambda v: [*enumerate(v)],
    ),
    _Result(
        "the list of the pairs of neighbours in the list after the last step, as `(earlier, later)`, in order (empty "
        "if "
        "there are fewer than two values)",
        "(fun l -> match l with [] -> [] | _ :: rest -> List.map2 (fun a b -> (a, b)) (List.filteri (fun i _ -> i < "
        "List.length rest) l) rest)",
        "('a * 'a) list",
        lambda show: listing(pair(show, show)),
        lambda v: [*pairwise(v)],
    ),
)


def _plain(chance: Chance) -> _Source:
    k = chance.between(1, 2)
    if k == 1:
        return _Source("every value be followed by what `f` makes of it", "f x", lambda env, i, x: env["f"](x), ("f",))
    return _Source(
        "every value `y` be followed by `f (f y)`", "f (f x)", lambda env, i, x: env["f"](env["f"](x)), ("f",)
    )


def _alternating(chance: Chance) -> _Source:
    k = chance.between(2, 3)
    r = chance.below(k)
    return _Source(
        f"every value be followed by what `g` makes of it if its position, counted from 0, leaves the remainder {r} "
        "when "
        f"divided by {k}, and by what `f` makes of it otherwise",
        f"if i mod {k} = {r} then g x else f x",
        lambda env, i, x: env["g"](x) if i % k == r else env["f"](x),
        ("f", "g"),
    )


def _choosing(chance: Chance) -> _Source:
    yes, no = chance.pick((("f x", "g x"), ("g x", "f x"), ("f (g x)", "g x"), ("f x", "g (f x)"), ("g (g x)", "f x")))

    def apply(code: str, env: Env, x: Any) -> Any:
        for letter in reversed([c for c in code if c in "fg"]):
            x = env[letter](x)
        return x

    return _Source(
        f"every value `y` be followed by `{yes.replace('x', 'y')}` if `q y` is true, and by `{no.replace('x', 'y')}` "
        "otherwise",
        f"if q x then {yes} else {no}",
        lambda env, i, x: apply(yes if env["q"](x) else no, env, x),
        ("f", "g", "q"),
    )


_SOURCES = (_plain, _alternating, _choosing, _choosing)
_STOPS = (
    _Stop("of which `p` is true", "p x", lambda env, x, before: bool(env["p"](x)), ("p",)),
    _Stop("of which `p` is false", "not (p x)", lambda env, x, before: not env["p"](x), ("p",)),
    _Stop(
        "that was in the sequence before",
        "List.mem x before",
        lambda env, x, before: x in before,
        (),
    ),
    _Stop(
        "that is not the first one and of which `p` is true",
        "before <> [] && p x",
        lambda env, x, before: bool(before) and bool(env["p"](x)),
        ("p",),
    ),
    _Stop(
        "such that `p` is true of it and of the value before it",
        "p x && (match before with y :: _ -> p y | [] -> false)",
        lambda env, x, before: bool(before) and bool(env["p"](x)) and bool(env["p"](before[-1])),
        ("p",),
    ),
)


FAMILIES = (
    Family(
        name="higher_order.terms",
        topics=("higher-order", "polymorphism"),
        description="a value computed in steps with the functions that are given",
        make=_terms,
    ),
    Family(
        name="higher_order.iterate",
        topics=("higher-order", "recursion", "polymorphism"),
        description="given functions applied again and again until something stops it",
        make=_iterate,
    ),
)
