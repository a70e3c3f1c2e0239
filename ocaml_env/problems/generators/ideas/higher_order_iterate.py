"""Given functions applied repeatedly until a condition holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op
from ocaml_env.problems.generators.small.higher_order_iterate import TASKS
from ocaml_env.problems.generators.steps import applied, telling_steps
from ocaml_env.problems.generators.values import Show, integer, listing, pair
from ocaml_env.problems.generators.wording import module, numbered, paragraphs, series
from ocaml_env.problems.generators.worlds import INTS, STRINGS, Given, World, pool, small

__all__ = ["FAMILY"]

_TYPES = {"f": "('a -> 'a)", "g": "('a -> 'a)", "p": "('a -> bool)", "q": "('a -> bool)"}

_NEIGHBOURS = """\
let rec neighbours = function
  | a :: (b :: _ as rest) -> (a, b) :: neighbours rest
  | _ -> []"""

Env = Mapping[str, Callable[..., Any]]
Next = Callable[[Env, int, Any], Any]
Halt = Callable[[Env, Any, list[Any]], bool]


class _Source(NamedTuple):
    """The rule for the next value after ``x``, the ``i``-th one."""

    words: str
    ocaml: str
    functions: tuple[str, ...]
    run: Next
    faults: tuple[Next, ...] = ()


class _Stop(NamedTuple):
    """The condition for ``x`` to be the last value; ``before`` are the values before it, in OCaml the newest first."""

    words: str
    ocaml: str
    functions: tuple[str, ...]
    run: Halt
    faults: tuple[Halt, ...] = ()


class _Result(NamedTuple):
    words: str
    ocaml: str
    kind: str
    show: Callable[[Show], Show]
    run: Callable[[Any], Any]
    helpers: tuple[str, ...] = ()


class _Call(NamedTuple):
    """The arguments of a test."""

    world: World
    given: dict[str, Given]
    limit: int
    x: Any


@dataclass(frozen=True, slots=True)
class _Iteration:
    source: _Source
    stop: _Stop

    @property
    def functions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.source.functions, *self.stop.functions)))

    def values(self, call: _Call) -> list[Any]:
        env = {name: given.run for name, given in call.given.items()}
        x: Any = call.x
        made: list[Any] = []
        while len(made) < call.limit and not self.stop.run(env, x, made):
            made.append(x)
            x = small(self.source.run(env, len(made) - 1, x))
        return [*made, x]


def _problem(chance: Chance, level: int) -> Draft:
    name = chance.pick(("iterate", "trace", "orbit", "chain", "march"))
    iteration = _Iteration(chance.pick(_SOURCES)(chance), chance.pick(_STOPS))
    tried = [_call(chance, iteration.functions) for _ in range(16)]
    values = [iteration.values(call) for call in tried]
    if any([faulty.values(call) for call in tried] == values for faulty in _faulty(iteration)):
        raise Unfit
    steps = telling_steps(chance, {1: 2, 3: 3, 5: 4}[level], level, values, of_anything=True)
    ending = chance.pick(_RESULTS)
    kinds = " -> ".join(_TYPES[letter] for letter in iteration.functions)
    return Draft(
        name=name,
        statement=_statement(name, iteration, steps, ending),
        signature=f"val {name} : {kinds} -> int -> 'a -> {ending.kind}",
        reference=_reference(name, iteration, steps, ending),
        cases=_cases(chance, name, iteration, steps, ending),
    )


def _faulty(iteration: _Iteration) -> Iterator[_Iteration]:
    """The iteration with a part left out."""
    source, stop = iteration.source, iteration.stop
    for follow in source.faults:
        yield replace(iteration, source=source._replace(run=follow))
    for halt in (lambda env, x, before: False, *stop.faults):
        yield replace(iteration, stop=stop._replace(run=halt))


def _call(chance: Chance, functions: tuple[str, ...]) -> _Call:
    world = chance.pick((INTS, INTS, STRINGS))
    given = {letter: chance.pick(pool(world, letter)) for letter in functions}
    return _Call(world, given, chance.pick((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 13)), world.draw(chance))


def _cases(chance: Chance, name: str, iteration: _Iteration, steps: list[Op], ending: _Result) -> Iterator[Case]:
    while True:
        call = _call(chance, iteration.functions)
        values = iteration.values(call)
        if len(values) < 3 and chance.happens(0.8):
            continue
        show = call.world.show
        given = [function.ocaml for function in call.given.values()]
        answer = ending.show(show)(ending.run(applied(steps, values)))
        yield case(name, [*given, integer(call.limit), show(call.x)], answer)


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, iteration: _Iteration, steps: list[Op], ending: _Result) -> str:
    functions = iteration.functions
    given = series([f"`{letter}`" for letter in functions])
    return paragraphs(
        f"Let a sequence begin with `x`, and let {iteration.source.words}. The sequence ends with the first value "
        f"{iteration.stop.words}; that value still belongs to it. It also ends when it has `limit + 1` values (`limit` "
        "is at least 0).",
        f"`{name} {' '.join(functions)} limit x` takes the list of these values, the first one first, through these "
        "steps, in this order:",
        numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
        f"The result is {ending.words}. {given} {'have' if len(functions) > 1 else 'has'} no side effects. Values are "
        "compared with `=`.",
    )


def _reference(name: str, iteration: _Iteration, steps: list[Op], ending: _Result) -> str:
    lines = [
        f"let {name} {' '.join(iteration.functions)} limit x =",
        "  let rec go before i x =",
        f"    if {iteration.stop.ocaml} || i >= limit then List.rev (x :: before)",
        f"    else go (x :: before) (i + 1) ({iteration.source.ocaml})",
        "  in",
        "  go [] 0 x",
        *(f"  |> {step.ocaml}" for step in steps),
    ]
    lines += [f"  |> {ending.ocaml}"] if ending.ocaml else []
    return module([h for step in steps for h in step.helpers], ending.helpers, "\n".join(lines))


# --- next values ------------------------------------------------------------------------------------------------------


def _plain(chance: Chance) -> _Source:
    if chance.happens(0.5):
        return _Source("every value `y` be followed by `f y`", "f x", ("f",), lambda env, i, x: env["f"](x))
    return _Source(
        "every value `y` be followed by `f (f y)`", "f (f x)", ("f",), lambda env, i, x: env["f"](env["f"](x))
    )


def _alternating(chance: Chance) -> _Source:
    k = chance.between(2, 3)
    r = chance.below(k)
    return _Source(
        f"every value `y` be followed by `g y` if its position, counted from 0, leaves the remainder {r} when divided "
        f"by {k}, and by `f y` otherwise",
        f"if i mod {k} = {r} then g x else f x",
        ("f", "g"),
        lambda env, i, x: env["g"](x) if i % k == r else env["f"](x),
        (lambda env, i, x: env["f"](x), lambda env, i, x: env["g"](x)),
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
        ("f", "g", "q"),
        lambda env, i, x: apply(yes if env["q"](x) else no, env, x),
        (lambda env, i, x: apply(yes, env, x), lambda env, i, x: apply(no, env, x)),
    )


_SOURCES = (_plain, _alternating, _choosing, _choosing)


# --- ends of the sequence, and results --------------------------------------------------------------------------------


_STOPS = (
    _Stop("of which `p` is true", "p x", ("p",), lambda env, x, before: env["p"](x)),
    _Stop("of which `p` is false", "not (p x)", ("p",), lambda env, x, before: not env["p"](x)),
    _Stop("that was in the sequence before", "List.mem x before", (), lambda env, x, before: x in before),
    _Stop(
        "that is not the first one and of which `p` is true",
        "(before <> [] && p x)",
        ("p",),
        lambda env, x, before: bool(before) and env["p"](x),
        (lambda env, x, before: env["p"](x), lambda env, x, before: bool(before)),
    ),
    _Stop(
        "such that `p` is true of it and of the value before it",
        "(p x && match before with y :: _ -> p y | [] -> false)",
        ("p",),
        lambda env, x, before: bool(before) and env["p"](x) and env["p"](before[-1]),
        (lambda env, x, before: env["p"](x), lambda env, x, before: bool(before) and env["p"](before[-1])),
    ),
)

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
        "neighbours",
        "('a * 'a) list",
        lambda show: listing(pair(show, show)),
        lambda v: [*pairwise(v)],
        (_NEIGHBOURS,),
    ),
)


FAMILY = Family(
    name="higher_order.iterate",
    topics=("higher-order", "recursion", "polymorphism"),
    description="given functions applied again and again until something stops it",
    tasks=TASKS,
    make=_problem,
)
