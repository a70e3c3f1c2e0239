"""Given functions applied again and again until something stops it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.steps import any_step, applied, every_step_matters
from ocaml_env.problems.generators.values import Show, integer, listing, pair
from ocaml_env.problems.generators.wording import module, numbered, paragraphs, series
from ocaml_env.problems.generators.worlds import INTS, STRINGS, pool, small

__all__ = ["FAMILY"]

_TYPES = {"f": "('a -> 'a)", "g": "('a -> 'a)", "p": "('a -> bool)", "q": "('a -> bool)", "h": "('a -> 'a -> 'a)"}


Env = dict[str, Any]


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
    if not every_step_matters(steps, [chance.ints(8, 0, 4) for _ in range(8)]):
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
        f"`{name} {listed} limit x` takes the list of these values, the first one first, through these steps, in this "
        "order:",
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
        "if there are fewer than two values)",
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
        f"when divided by {k}, and by what `f` makes of it otherwise",
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


FAMILY = Family(
    name="higher_order.iterate",
    topics=("higher-order", "recursion", "polymorphism"),
    description="given functions applied again and again until something stops it",
    make=_iterate,
)
