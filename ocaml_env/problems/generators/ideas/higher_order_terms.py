"""A value computed in steps with the functions that are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import listing
from ocaml_env.problems.generators.wording import numbered, paragraphs, series
from ocaml_env.problems.generators.worlds import INTS, STRINGS, pool, small

__all__ = ["FAMILY"]

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
        "results, in order, of which `p` is true. For one element:",
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
            "often as you like.",
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


FAMILY = Family(
    name="higher_order.terms",
    topics=("higher-order", "polymorphism"),
    description="a value computed in steps with the functions that are given",
    make=_terms,
)
