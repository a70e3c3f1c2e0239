"""Two lists walked at once, with a rule for the longer one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_map, joined_test, some_ints
from ocaml_env.problems.generators.small.lists_side_by_side import TASKS
from ocaml_env.problems.generators.steps import applied, telling_steps
from ocaml_env.problems.generators.values import integer, listing
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Ints = Sequence[int]
Pair = tuple[Ints, Ints]
Join = Callable[[int, int], int]
Policy = Callable[[Ints, Ints, Join], Ints]

_INTS = listing(integer)


class _Longer(NamedTuple):
    """The rule for the longer list; ``helper`` defines ``join f a b``."""

    words: str
    helper: str
    run: Policy
    faults: tuple[Policy, ...] = ()


@dataclass(frozen=True, slots=True)
class _Walk:
    """``before`` are steps on the second list, ``after`` those on the result."""

    before: tuple[Op, ...]
    join: Op
    longer: _Longer
    after: tuple[Op, ...]

    def joined(self, a: Ints, b: Ints) -> Ints:
        return self.longer.run(a, applied(self.before, b), self.join.run)

    def run(self, a: Ints, b: Ints) -> Ints:
        return applied(self.after, self.joined(a, b))


def _problem(chance: Chance, level: int) -> Draft:
    name = chance.pick(("combine", "weave", "pair_up", "match_up", "blend"))
    walk = _walk(chance, level)
    return Draft(
        name=name,
        statement=_statement(name, walk),
        signature=f"val {name} : int list -> int list -> int list",
        reference=_reference(name, walk),
        cases=_cases(chance, name, walk),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _walk(chance: Chance, level: int) -> _Walk:
    tried = [_lists(chance) for _ in range(12)]
    tried += [([], []), (tried[0][0], []), ([], tried[0][1])]
    before = telling_steps(chance, 1, level, [b for _, b in tried]) if level > 1 else ()
    test = joined_test(chance, level)
    join = chance.pick((_join_if, _join_order, _join_sum))(chance, int_map(chance), test)
    longer = chance.pick((_stop, _fill, _rest, _rest_of_first, _again))(chance, int_map(chance))
    walk = _Walk(tuple(before), join, longer, ())
    after = telling_steps(chance, {1: 0, 3: 1, 5: 3}[level], level, [walk.joined(a, b) for a, b in tried])
    walk = replace(walk, after=tuple(after))
    whole = [walk.run(a, b) for a, b in tried]
    if any([faulty.run(a, b) for a, b in tried] == whole for faulty in _faulty(walk)):
        raise Unfit
    return walk


def _faulty(walk: _Walk) -> Iterator[_Walk]:
    """The walk with a part left out."""
    for step in walk.before:
        yield replace(walk, before=())
        for fault in step.faults:
            yield replace(walk, before=(step._replace(run=fault),))
    for fault in walk.join.faults:
        yield replace(walk, join=walk.join._replace(run=fault))
    for policy in walk.longer.faults:
        yield replace(walk, longer=walk.longer._replace(run=policy))


def _lists(chance: Chance) -> Pair:
    if chance.happens(0.1):  # longer than others, and with larger numbers
        first, second = chance.pick(((1, 9), (9, 2), (9, 9), (3, 10), (10, 3)))
        return chance.numbers(first, -9, 20), [*chance.numbers(second - 1, -9, 20), chance.between(-200, 300)]
    if chance.happens(0.05):
        return [chance.between(100, 300), *some_ints(chance, 3)], [chance.number(-5, 9)] * 3
    if chance.happens(0.5):
        return some_ints(chance, 6), some_ints(chance, 6)
    first, second = chance.between(0, 6), chance.between(0, 6)
    if chance.happens(0.3):  # some elements at the same place are equal
        a = chance.numbers(first, -9, 20)
        return a, [x if chance.happens(0.5) else chance.number(-9, 20) for x in (a * 6)[:second]]
    return chance.numbers(first, -9, 20), chance.numbers(second, -9, 20)


def _cases(chance: Chance, name: str, walk: _Walk) -> Iterator[Case]:
    some = some_ints(chance)
    edges: list[Pair] = [([], []), (some, []), ([], some), (some, some[:1]), (some[:1], some), (some, some)]
    for a, b in inputs(lambda: _lists(chance), edges):
        yield case(name, [_INTS(a), _INTS(b)], _INTS(walk.run(a, b)))


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, walk: _Walk) -> str:
    parts = [f"In the second list: {step.words}." for step in walk.before]
    parts.append(
        "Go through both lists side by side, and make one number of each element `x` of the first and the element `y` "
        f"of the second at the same position: {walk.join.words}. {walk.longer.words}"
    )
    parts += [f"In the result: {step.words}." for step in walk.after]
    return paragraphs(
        f"`{name} a b` makes one list of two lists of integers, `a` (the first) and `b` (the second)"
        + ("." if len(parts) == 1 else ", in these steps:"),
        numbered(parts) if len(parts) > 1 else parts[0],
        "Both lists may be empty, and they need not have the same length.",
    )


def _reference(name: str, walk: _Walk) -> str:
    lines = [f"let {name} a b ="]
    lines += [f"  let b = b |> {step.ocaml} in" for step in walk.before]
    lines.append(f"  join (fun x y -> {walk.join.ocaml}) a b")
    lines += [f"  |> {step.ocaml}" for step in walk.after]
    helpers = [helper for step in (*walk.before, *walk.after) for helper in step.helpers]
    return module(helpers, walk.join.helpers, walk.longer.helper, "\n".join(lines))


# --- one number from two ----------------------------------------------------------------------------------------------


def _join_if(chance: Chance, op: Op, test: Op) -> Op:
    k = chance.between(2, 5)
    return Op(
        f"if {test.say()}, this is `z + y`, where `z` is {op.say()}; otherwise it is `x` minus {k} times `y`",
        f"if {test.code()} then (let z = {op.ocaml.replace('{x}', 'x')} in z + y) else x - ({k} * y)",
        lambda x, y: op.run(x) + y if test.run(x) else x - k * y,
        op.helpers + test.helpers,
        (
            *(lambda x, y, fault=fault: fault(x) + y if test.run(x) else x - k * y for fault in op.faults),
            *(lambda x, y, fault=fault: op.run(x) + y if fault(x) else x - k * y for fault in test.faults),
            lambda x, y: op.run(x) + y,
            lambda x, y: x - k * y,
        ),
    )


def _join_order(chance: Chance, op: Op, test: Op) -> Op:
    k = chance.between(1, 9)
    return Op(
        f"if `x` is greater than `y`, this is {op.say()}; if they are equal, {k}; otherwise `y` minus `x`",
        f"if x > y then {op.code()} else if x = y then {k} else y - x",
        lambda x, y: op.run(x) if x > y else k if x == y else y - x,
        op.helpers,
        (
            *(lambda x, y, fault=fault: fault(x) if x > y else k if x == y else y - x for fault in op.faults),
            lambda x, y: op.run(x) if x > y else y - x,
            lambda x, y: op.run(x),
            lambda x, y: k if x == y else y - x,
        ),
    )


def _join_sum(chance: Chance, op: Op, test: Op) -> Op:
    k, c = chance.between(2, 5), chance.between(1, 9)
    return Op(
        f"with `s` for the sum of `x` and `y`, this is {k} times `s` if {test.say('s')}, and {op.say('s')} otherwise, "
        f"and in both cases {c} is added",
        f"let s = x + y in {c} + if {test.code('s')} then {k} * s else {op.code('s')}",
        lambda x, y: c + (k * (x + y) if test.run(x + y) else op.run(x + y)),
        op.helpers + test.helpers,
        (
            *(lambda x, y, fault=fault: c + (k * (x + y) if test.run(x + y) else fault(x + y)) for fault in op.faults),
            *(lambda x, y, fault=fault: c + (k * (x + y) if fault(x + y) else op.run(x + y)) for fault in test.faults),
            lambda x, y: c + op.run(x + y),
            lambda x, y: c + k * (x + y),
        ),
    )


# --- rules for the longer list ----------------------------------------------------------------------------------------


def _stop(chance: Chance, op: Op) -> _Longer:
    helper = """\
let rec join f a b =
  match (a, b) with
  | x :: a, y :: b -> f x y :: join f a b
  | _ -> []"""
    words = "Stop at the end of the shorter list; what is left of the longer one is ignored."
    return _Longer(words, helper, lambda a, b, f: [*map(f, a, b)])


def _fill(chance: Chance, op: Op) -> _Longer:
    k, m = chance.between(0, 9), chance.between(0, 9)
    helper = f"""\
let rec join f a b =
  match (a, b) with
  | x :: a, y :: b -> f x y :: join f a b
  | x :: a, [] -> f x {m} :: join f a []
  | [], y :: b -> f {k} y :: join f [] b
  | [], [] -> []"""

    def run(a: Ints, b: Ints, f: Join) -> Ints:
        size = max(len(a), len(b))
        return [f(a[i] if i < len(a) else k, b[i] if i < len(b) else m) for i in range(size)]

    words = f"Go on to the end of the longer list: where the first one has ended `x` is {k}, and `y` is {m} where the "
    return _Longer(words + "second one has.", helper, run)


def _rest(chance: Chance, op: Op) -> _Longer:
    helper = f"""\
let rec join f a b =
  match (a, b) with
  | x :: a, y :: b -> f x y :: join f a b
  | rest, [] | [], rest -> List.map (fun x -> {op.code()}) rest"""

    def policy(run: Callable[[int], int]) -> Policy:
        return lambda a, b, f: [*map(f, a, b), *map(run, (*a[len(b) :], *b[len(a) :]))]

    words = f"Every element `x` that is left of the longer list, whichever that is, becomes {op.say()}."
    return _Longer(words, module(op.helpers, helper), policy(op.run), (*map(policy, op.faults),))


def _rest_of_first(chance: Chance, op: Op) -> _Longer:
    helper = f"""\
let rec join f a b =
  match (a, b) with
  | x :: a, y :: b -> f x y :: join f a b
  | rest, [] -> List.map (fun x -> {op.code()}) rest
  | [], _ -> []"""

    def policy(run: Callable[[int], int]) -> Policy:
        return lambda a, b, f: [*map(f, a, b), *map(run, a[len(b) :])]

    words = (
        f"If the first list is longer, every element `x` that is left of it becomes {op.say()}. If the second list is "
        "longer, what is left of it is ignored."
    )
    return _Longer(words, module(op.helpers, helper), policy(op.run), (*map(policy, op.faults),))


def _again(chance: Chance, op: Op) -> _Longer:
    helper = """\
let join f a b =
  let at l i = List.nth l (i mod List.length l) in
  if a = [] || b = [] then [] else List.init (max (List.length a) (List.length b)) (fun i -> f (at a i) (at b i))"""

    def run(a: Ints, b: Ints, f: Join) -> Ints:
        if not a or not b:
            return []
        return [f(a[i % len(a)], b[i % len(b)]) for i in range(max(len(a), len(b)))]

    words = (
        "Go on to the end of the longer list: where the shorter one has ended, it begins again with its first element. "
        "If one of the lists is empty, the result of this step is empty."
    )
    return _Longer(words, helper, run)


FAMILY = Family(
    name="lists.side_by_side",
    topics=("lists", "recursion"),
    description="two lists walked at once, with a rule for the longer one",
    tasks=TASKS,
    make=_problem,
)
