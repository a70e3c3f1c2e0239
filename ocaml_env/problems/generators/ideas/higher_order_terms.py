"""A value computed in steps with given functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.small.higher_order_terms import TASKS
from ocaml_env.problems.generators.values import listing
from ocaml_env.problems.generators.wording import numbered, paragraphs, series
from ocaml_env.problems.generators.worlds import INTS, STRINGS, pool, small

__all__ = ["FAMILY"]

_TYPES = {"f": "('a -> 'a)", "g": "('a -> 'a)", "p": "('a -> bool)", "q": "('a -> bool)", "h": "('a -> 'a -> 'a)"}
_NAMES = ("x", "a", "b", "c", "d", "e")

Env = dict[str, Any]


class _Term(NamedTuple):
    """A value in terms of known names."""

    words: str
    ocaml: str
    run: Callable[[Env], Any]
    uses: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Computation:
    """``mode``: computes from one value, from each of a list, or from each and keeps the results for which ``p`` is
    true.
    """

    functions: tuple[str, ...]
    terms: tuple[_Term, ...]
    mode: Literal["one", "each", "kept"]

    def one(self, env: Env, x: Any) -> Any:
        env = {**env, "x": x}
        for name, term in zip(_NAMES[1:], self.terms, strict=False):
            x = env[name] = small(term.run(env))
        return x

    def run(self, env: Env, value: Any) -> Any:
        if self.mode == "one":
            return self.one(env, value)
        made = [self.one(env, x) for x in value]
        return [x for x in made if env["p"](x)] if self.mode == "kept" else made


def _problem(chance: Chance, level: int) -> Draft:
    name = chance.pick(("combine", "compute", "assemble", "derive", "build"))
    computation = _computation(chance, level)
    kinds = " -> ".join(_TYPES[letter] for letter in computation.functions)
    subject = "'a" if computation.mode == "one" else "'a list"
    return Draft(
        name=name,
        statement=_statement(name, computation),
        signature=f"val {name} : {kinds} -> {subject} -> {subject}",
        reference=_reference(name, computation),
        cases=_cases(chance, name, computation),
    )


def _cases(chance: Chance, name: str, computation: _Computation) -> Iterator[Case]:
    while True:
        world = chance.pick((INTS, INTS, STRINGS))
        given = {letter: chance.pick(pool(world, letter)) for letter in computation.functions}
        if computation.mode == "one":
            value, show = world.draw(chance), world.show
        else:
            value, show = (
                [world.draw(chance) for _ in range(chance.pick((0, 1, 2, 3, 4, 5, 5, 9)))],
                listing(world.show),
            )
        answer = computation.run({letter: function.run for letter, function in given.items()}, value)
        yield case(name, [*(function.ocaml for function in given.values()), show(value)], show(answer))


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, computation: _Computation) -> str:
    functions = " ".join(computation.functions)
    last = _NAMES[len(computation.terms)]
    subject = {
        "one": f"`{name} {functions} x` computes a value from `x` with the functions that it is given:",
        "each": f"`{name} {functions} l` is the list of what is computed of each element `x` of `l`, in order:",
        "kept": f"`{name} {functions} l` computes something of each element `x` of `l`, and is the list of those "
        "results, in order, of which `p` is true. For one element:",
    }[computation.mode]
    return paragraphs(
        subject,
        numbered(f"`{name}` is {term.words}." for name, term in zip(_NAMES[1:], computation.terms, strict=False)),
        f"The result is `{last}`." if computation.mode == "one" else f"The result for `x` is `{last}`.",
        f"{series([f'`{letter}`' for letter in computation.functions])} are functions without side effects: they may be "
        "called as often as you like.",
    )


def _reference(name: str, computation: _Computation) -> str:
    functions = " ".join(computation.functions)
    *first, last = computation.terms
    lines = [f"  let {known} = {term.ocaml} in" for known, term in zip(_NAMES[1:], first, strict=False)]
    body = "\n".join([*lines, f"  {last.ocaml}"])
    if computation.mode == "one":
        return f"let {name} {functions} x =\n{body}"
    kept = " |> List.filter p" if computation.mode == "kept" else ""
    return f"let one {functions} x =\n{body}\n\nlet {name} {functions} l = List.map (one {functions}) l{kept}"


# --- drawing ----------------------------------------------------------------------------------------------------------


def _computation(chance: Chance, level: int) -> _Computation:
    functions = {1: ("f", "g", "p"), 3: ("f", "g", "p", "h"), 5: ("f", "g", "p", "q", "h")}[level]
    mode: Literal["one", "each", "kept"] = "one" if level == 1 else chance.pick(("one", "each", "kept"))
    terms: list[_Term] = []
    for size in range(1, {1: 3, 3: 4, 5: 5}[level] + 1):
        terms.append(_term(chance, functions, _NAMES[:size]))
    if not {*functions, *_NAMES[: len(terms)]} <= frozenset().union(*(term.uses for term in terms)):
        raise Unfit
    return _Computation(functions, tuple(terms), mode)


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
            f"what you get if you apply `{f}` {'twice' if k == 2 else 'three times'}, first to `{newest}`, then each time "
            "to the result",
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
    test = chance.pick([letter for letter in functions if letter in "pq"])
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
    """``depth`` functions applied to a value, one after another."""
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
    tasks=TASKS,
    make=_problem,
)
