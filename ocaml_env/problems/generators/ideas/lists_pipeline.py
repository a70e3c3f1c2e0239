"""Steps from list to list, one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, edge_ints, int_test, some_ints
from ocaml_env.problems.generators.small.lists_pipeline import TASKS
from ocaml_env.problems.generators.steps import applied, every_part_matters, pipe, telling_steps
from ocaml_env.problems.generators.values import integer, listing
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_INTS = listing(integer)

_STEPS = {1: 2, 3: 4, 5: 6}  # by level


def _pipeline(chance: Chance, level: int) -> Draft:
    name = chance.pick(("process", "refine", "arrange", "prepare", "reshape", "transform"))
    tried = [[], *(_elements(chance) for _ in range(12))]
    steps = telling_steps(chance, _STEPS[level], level, tried)
    ending = _ending(chance) if chance.happens(0.4) else None
    if ending and not every_part_matters(steps, tried, ending):
        raise Unfit
    result = "int" if ending else "int list"
    closing = f"`{name} l` is {ending.words}." if ending else f"`{name} l` is the resulting list."
    body = f"let {name} l =\n{pipe('l', [*steps, ending] if ending else steps)}"
    helpers = [helper for step in steps for helper in step.helpers]
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` takes a list of integers through the following steps, in this order; each step works on the "
            "result of the one before it.",
            numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
            closing + " The list may be empty.",
        ),
        signature=f"val {name} : int list -> {result}",
        reference=module(helpers, ending.helpers if ending else (), body),
        cases=_cases(chance, name, steps, ending),
    )


def _elements(chance: Chance) -> list[int]:
    if chance.happens(0.1):  # one of the numbers is far from the others
        v = some_ints(chance, 7)
        return [*v, chance.between(100, 300), *v[:2]] if chance.happens(0.6) else [v[0], -chance.between(100, 300), *v]
    if chance.happens(0.08):
        return chance.numbers(1, -9, 20) * chance.pick((1, 2, 3, 5))
    if chance.happens(0.5):
        return chance.numbers(chance.between(2, 9), -9, 20)
    return some_ints(chance)


def _cases(chance: Chance, name: str, steps: Sequence[Op], ending: Op | None) -> Iterator[Case]:
    for value in inputs(lambda: _elements(chance), edge_ints(chance)):
        answer = applied(steps, value)
        shown = integer(ending.run(answer)) if ending else _INTS(answer)
        yield case(name, [_INTS(value)], shown)


def _ending(chance: Chance) -> Op:
    """An operation from a list to one number."""
    k = chance.between(2, 9)
    test = int_test(chance)
    return chance.pick(
        (
            Op("the sum of the resulting list", "List.fold_left ( + ) 0", sum),
            Op(
                f"the sum of the squares of the resulting list, plus {k}",
                f"List.fold_left (fun sum x -> sum + (x * x)) {k}",
                lambda v: k + sum(x * x for x in v),
            ),
            Op(
                "the first element of the resulting list minus the second, plus the third, minus the fourth and so on "
                "(0 for an empty list)",
                "(fun l -> List.fold_right (fun x rest -> x - rest) l 0)",
                lambda v: sum(v[::2]) - sum(v[1::2]),
            ),
            Op(
                f"the greatest element of the resulting list, or {-k} if that list is empty",
                f"(function [] -> {-k} | x :: rest -> List.fold_left max x rest)",
                lambda v: max(v, default=-k),
            ),
            Op(
                f"the last element of the resulting list, or {k} if that list is empty",
                f"List.fold_left (fun _ x -> x) {k}",
                lambda v: v[-1] if v else k,
            ),
            Op(
                f"the sum of those elements `x` of the resulting list for which {test.say()}",
                f"List.fold_left (fun sum x -> if {test.code()} then sum + x else sum) 0",
                lambda v: sum(x for x in v if test.run(x)),
                test.helpers,
                (sum, *(lambda v, fault=fault: sum(x for x in v if fault(x)) for fault in test.faults)),
            ),
        )
    )


FAMILY = Family(
    name="lists.pipeline",
    topics=("lists", "higher-order"),
    description="steps from list to list, one after another",
    tasks=TASKS,
    make=_pipeline,
)
