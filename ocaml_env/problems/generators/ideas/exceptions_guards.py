"""A function that raises declared exceptions by ordered rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, joined_test, ordered_tests, some_ints
from ocaml_env.problems.generators.values import atom, integer, listing, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_NAMES = ("Too_small", "Too_large", "Forbidden", "Odd_one", "Broken", "Unlucky", "Out_of_range")


class _Guard(NamedTuple):
    """When an exception is raised, and with what."""

    name: str
    test: Op
    payload: Op | None


def _guards(chance: Chance, level: int) -> Draft:
    name = chance.pick(("checked", "guarded", "careful", "strict_sum", "process"))
    count = (2, 3, 3, 4, 4)[level - 1]
    tests = ordered_tests(lambda: joined_test(chance, level), count, range(-9, 31), (0.06, 0.5 / count))
    guards = [
        _Guard(one, test, int_map(chance) if chance.happens(0.7) else None)
        for one, test in zip(chance.sample(_NAMES, count), tests, strict=True)
    ]
    op, step = int_map(chance), int_join(chance)
    start, empty = chance.between(0, 9), chance.pick(("", "Not_found", "Invalid_argument"))
    limit = chance.between(20, 60) if level >= 3 else 0
    caught = chance.pick(guards) if level >= 4 else None
    substitute = int_map(chance)

    def item(x: int) -> int | str:
        for guard in guards:
            if guard.test.run(x):
                if guard is caught:
                    return int(substitute.run(x))
                return f"{guard.name} {integer(guard.payload.run(x))}" if guard.payload else guard.name
        return int(op.run(x))

    def run(values: Sequence[int]) -> int | str:
        if empty and not values:
            return empty
        total = start
        for x in values:
            made = item(x)
            if isinstance(made, str):
                return made
            total = step.run(total, made)
            if limit and abs(total) > limit:
                return f"Overflow {integer(total)}"
        return total

    def draw() -> list[int]:
        return some_ints(chance, 6)

    if limit and not any(str(run(draw())).startswith("Overflow") for _ in range(20)):
        raise Unfit
    declared = [
        f"exception {guard.name}{' of int' if guard.payload else ''}" for guard in guards if guard is not caught
    ]
    declared += ["exception Overflow of int"] if limit else []
    lines = []
    for guard in guards:
        if guard is caught:
            lines.append(f"if {guard.test.say()}, the element counts as {substitute.say()};")
        else:
            carried = f", which carries {guard.payload.say()}" if guard.payload else ""
            lines.append(f"if {guard.test.say()}, the exception `{guard.name}` is raised{carried};")
    lines.append(f"otherwise the element counts as {op.say()}.")
    overflow = (
        f"If the absolute value of a new `t` is greater than {limit}, the exception `Overflow` is raised, which "
        "carries it. "
        if limit
        else ""
    )
    nothing = {
        "": f"For the empty list the result is {start}.",
        "Not_found": "For the empty list `Not_found` is raised.",
        "Invalid_argument": f'For the empty list `Invalid_argument "{name}"` is raised.',
    }[empty]
    arms = []
    for i, guard in enumerate(guards):
        word = "if" if i == 0 else "else if"
        if guard is caught:
            arms.append(f"    {word} {guard.test.code()} then {substitute.code()}")
        else:
            made = f"({guard.name} ({guard.payload.code()}))" if guard.payload else guard.name
            arms.append(f"    {word} {guard.test.code()} then raise {made}")
    lines_of_code = "\n".join(arms)
    check = f"\n    if abs t > {limit} then raise (Overflow t);" if limit else ""
    code = f"""\
let item x =
{lines_of_code}
    else {op.code()}

let {name} l =
{_empty_code(empty, name)}  let step t x =
    let u = item x in
    let t = {step.code("t", "u")} in{check}
    t
  in
  List.fold_left step {start} l"""
    names = [line.removeprefix("exception ").split(" of ") for line in declared]
    prelude = _outcome(names)

    def cases() -> Iterator[Case]:
        edges = [[], [chance.between(0, 9)], [chance.between(-9, 0)], [1, 2, 3], chance.numbers(3, -9, 30)]
        for values in inputs(draw, edges):
            answer = run(values)
            shown = f"Raised {text(answer)}" if isinstance(answer, str) else f"Value {atom(integer(answer))}"
            yield Case(f"outcome {name} {listing(integer)(values)}", shown, shown)

    helpers = [h for guard in guards for op_ in (guard.test, guard.payload) if op_ for h in op_.helpers]
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` goes through a list of integers from left to right. For each element `x`, the first of these "
            "rules that fits says what happens:",
            numbered(lines),
            f"A number `t`, at first {start}, is changed after each element: with `u` for what the element counts as, "
            f"the new `t` is {step.say('t', 'u')}. {overflow}The result is the last `t`. {nothing}",
            "In the tests `outcome f x` is `Value` of the result, or `Raised` of a string with the name of the "
            "exception that was raised and, if it carries a number, a space and that number.",
        ),
        signature="\n".join([*declared, "", f"val {name} : int list -> int"]),
        reference=module("\n".join(declared), helpers, op.helpers, step.helpers, substitute.helpers, code),
        prelude=prelude,
        cases=cases(),
        hidden=16,
        together=3,
    )


def _empty_code(empty: str, name: str) -> str:
    if not empty:
        return ""
    return "  if l = [] then " + ("raise Not_found;\n" if empty == "Not_found" else f'invalid_arg "{name}";\n')


def _outcome(names: Sequence[Sequence[str]]) -> str:
    """A helper for tests that gives the result or the exception as a value."""
    arms = [
        f'  | exception {parts[0]} n -> Raised (Printf.sprintf "{parts[0]} %d" n)'
        if len(parts) > 1
        else f'  | exception {parts[0]} -> Raised "{parts[0]}"'
        for parts in names
    ]
    return "\n".join(
        [
            "type outcome = Value of int | Raised of string",
            "",
            "let outcome f x =",
            "  match f x with",
            "  | value -> Value value",
            *arms,
            '  | exception Not_found -> Raised "Not_found"',
            '  | exception Invalid_argument _ -> Raised "Invalid_argument"',
        ]
    )


FAMILY = Family(
    name="exceptions.guards",
    topics=("exceptions", "folds"),
    description="a function that raises declared exceptions by ordered rules",
    make=_guards,
)
