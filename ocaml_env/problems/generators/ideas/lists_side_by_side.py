"""Two lists walked at once, with a rule for the longer one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_map, joined_test, some_ints
from ocaml_env.problems.generators.steps import applied, every_step_matters, list_steps, pipe
from ocaml_env.problems.generators.values import integer, listing
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Ints = Sequence[int]


_INTS = listing(integer)


def _side_by_side(chance: Chance, level: int) -> Draft:
    name = chance.pick(("combine", "weave", "pair_up", "match_up", "blend"))
    before = list_steps(chance, 1, level) if level >= 2 else []
    after = list_steps(chance, max(0, level - 2), level)
    first, second = int_map(chance), int_map(chance)
    test = joined_test(chance, level)
    join = chance.pick(_JOINS)(chance, first, test)
    policy, run_policy, helper = chance.pick(_POLICIES)(chance, second)
    if before and not every_step_matters(before, [some_ints(chance) for _ in range(6)]):
        raise Unfit

    def run(a: Ints, b: Ints) -> Ints:
        return applied(after, run_policy(a, applied(before, b), join.run))

    tried = [(some_ints(chance), some_ints(chance)) for _ in range(6)]
    if not every_step_matters(after, [run_policy(a, applied(before, b), join.run) for a, b in tried]):
        raise Unfit
    parts = [f"{step.words[0].upper()}{step.words[1:]}, in the second list only." for step in before]
    parts += [
        "Go through both lists side by side, and make one number of each element `x` of the first and the element `y` "
        f"of the second at the same position: {join.words}. {policy}"
    ]
    parts += [f"In the result: {step.words}." for step in after]
    lines = [f"let {name} a b ="]
    lines += ["  let b =", pipe("b", before).replace("\n", "\n  ").replace("  b", "    b", 1), "  in"] if before else []
    lines += [f"  join (fun x y -> {join.ocaml}) a b"]
    lines += [f"  |> {step.ocaml}" for step in after]
    helpers = [helper for step in (*before, *after) for helper in step.helpers]

    def draw() -> tuple[list[int], list[int]]:
        return some_ints(chance, 7), some_ints(chance, 7)

    def cases() -> Iterator[Case]:
        some = some_ints(chance)
        edges: list[tuple[list[int], list[int]]] = [([], []), (some, []), ([], some), (some, some[:1]), ([1], some)]
        for a, b in inputs(draw, edges):
            yield case(name, [_INTS(a), _INTS(b)], _INTS(run(a, b)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} a b` makes one list of two lists of integers, `a` (the first) and `b` (the second), in these "
            "steps:",
            numbered(parts),
            "Both lists may be empty, and they need not have the same length.",
        ),
        signature=f"val {name} : int list -> int list -> int list",
        reference=module(helpers, join.helpers, helper, "\n".join(lines)),
        cases=cases(),
    )


def _join_if(chance: Chance, op: Op, test: Op) -> Op:
    k = chance.between(2, 5)
    return Op(
        f"if {test.say()}, this is {op.say()}, plus `y`; otherwise it is `x` minus {k} times `y`",
        f"if {test.code()} then ({op.code()}) + y else x - ({k} * y)",
        lambda x, y: op.run(x) + y if test.run(x) else x - k * y,
        op.helpers + test.helpers,
    )


def _join_order(chance: Chance, op: Op, test: Op) -> Op:
    k = chance.between(1, 9)
    return Op(
        f"if `x` is greater than `y`, this is {op.say()}; if they are equal, {k}; otherwise `y` minus `x`",
        f"if x > y then {op.code()} else if x = y then {k} else y - x",
        lambda x, y: op.run(x) if x > y else k if x == y else y - x,
        op.helpers,
    )


def _join_sum(chance: Chance, op: Op, test: Op) -> Op:
    k, c = chance.between(2, 5), chance.between(1, 9)
    return Op(
        f"with `s` for the sum of `x` and `y`, this is {k} times `s` if {test.say('s')}, and {op.say('s')} otherwise, "
        f"and in both cases {c} is added",
        f"let s = x + y in {c} + if {test.code('s')} then {k} * s else {op.code('s')}",
        lambda x, y: c + (k * (x + y) if test.run(x + y) else op.run(x + y)),
        op.helpers + test.helpers,
    )


_JOINS = (_join_if, _join_order, _join_sum)


Policy = tuple[str, Callable[[Ints, Ints, Callable[[int, int], int]], Ints], str]


def _stop(chance: Chance, op: Op) -> Policy:
    helper = """\
let rec join f a b =
  match (a, b) with
  | x :: a, y :: b -> f x y :: join f a b
  | _ -> []"""
    words = "Stop at the end of the shorter list; what is left of the longer one is ignored."
    return words, lambda a, b, f: [f(x, y) for x, y in zip(a, b, strict=False)], helper


def _fill(chance: Chance, op: Op) -> Policy:
    k, m = chance.between(0, 9), chance.between(0, 9)
    helper = f"""\
let rec join f a b =
  match (a, b) with
  | x :: a, y :: b -> f x y :: join f a b
  | x :: a, [] -> f x {m} :: join f a []
  | [], y :: b -> f {k} y :: join f [] b
  | [], [] -> []"""

    def run(a: Ints, b: Ints, f: Callable[[int, int], int]) -> Ints:
        size = max(len(a), len(b))
        return [f(a[i] if i < len(a) else k, b[i] if i < len(b) else m) for i in range(size)]

    words = f"Go on to the end of the longer list: where the first one has ended `x` is {k}, and `y` is {m} where the "
    return words + "second one has.", run, helper


def _rest(chance: Chance, op: Op) -> Policy:
    helper = f"""\
let rec join f a b =
  match (a, b) with
  | x :: a, y :: b -> f x y :: join f a b
  | rest, [] | [], rest -> List.map (fun x -> {op.code()}) rest"""

    def run(a: Ints, b: Ints, f: Callable[[int, int], int]) -> Ints:
        size = min(len(a), len(b))
        return [*map(f, a[:size], b[:size]), *map(op.run, (*a[size:], *b[size:]))]

    words = f"Every element `x` that is left of the longer list, whichever that is, becomes {op.say()}."
    return words, run, module(op.helpers, helper)


_POLICIES = (_stop, _fill, _rest)


FAMILY = Family(
    name="lists.side_by_side",
    topics=("lists", "recursion"),
    description="two lists walked at once, with a rule for the longer one",
    make=_side_by_side,
)
