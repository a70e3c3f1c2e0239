"""A record checked by rules, with the first error or with all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_test
from ocaml_env.problems.generators.letters import string_test
from ocaml_env.problems.generators.shapes import Shape, some_shape
from ocaml_env.problems.generators.values import atom, integer, listing, text
from ocaml_env.problems.generators.wording import a, module, numbered, paragraphs

__all__ = ["FAMILY"]

Record = tuple[Any, ...]


class _Rule(NamedTuple):
    """What a record must fulfil, and the error otherwise; the error carries one field."""

    words: str
    ocaml: str
    run: Callable[[Record], bool]
    error: str
    place: int
    helpers: tuple[str, ...]


def _checks(chance: Chance, level: int) -> Draft:
    shape = some_shape(chance, chance.between(1, 2), 2 if level <= 2 else 3)
    thing = shape.name
    every = level >= 3
    places = chance.sample(range(len(shape.fields)), min(len(shape.fields), (2, 3, 3, 4, 4)[level - 1]))
    rules = [_rule(chance, shape, place) for place in places]
    if level >= 4:
        rules.append(_cross_rule(chance, shape))
    rules = chance.shuffled(rules)
    fields = [f"{thing}.{field.name}" for field in shape.fields]
    first, second = shape.places("int")[:2]
    good = int_join(chance)

    def broken(value: Record) -> list[_Rule]:
        return [rule for rule in rules if not rule.run(value)]

    def draw() -> Record:
        for _ in range(5 if chance.happens(0.7) else 0):
            value = shape.draw(chance, low=-9, high=25)
            if len(broken(value)) <= 1:
                return value
        return shape.draw(chance, low=-9, high=25)

    tried = [shape.draw(chance, low=-9, high=25) for _ in range(12)]
    if not all(3 <= sum(rule.run(value) for value in tried) < 12 for rule in rules):
        raise Unfit
    if not 4 <= sum(not broken(draw()) for _ in range(12)) <= 9:
        raise Unfit

    def error(rule: _Rule, value: Record) -> str:
        part = value[rule.place]
        return f"{rule.error} {atom(text(part) if isinstance(part, str) else integer(part))}"

    def run(value: Record) -> str:
        wrong = [error(rule, value) for rule in broken(value)]
        if not wrong:
            return f"Ok {atom(integer(good.run(value[first], value[second])))}"
        return f"Error [{'; '.join(wrong)}]" if every else f"Error ({wrong[0]})"

    kinds = {"string": "string", "int": "int"}
    errors = " | ".join(f"{rule.error} of {kinds[shape.fields[rule.place].kind]}" for rule in rules)
    lines = [
        f"{rule.words}; otherwise the error is `{rule.error}` of its `{shape.fields[rule.place].name}`"
        for rule in rules
    ]
    failed = (
        "`Error` of the errors of all rules that are broken, in the order of the rules"
        if every
        else "`Error` of the error of the first rule, in this order, that is broken"
    )
    result = "(int, error list) result" if every else "(int, error) result"
    value = good.say("x", "y")
    statement = paragraphs(
        f"{a(thing).capitalize()} has to follow these rules:",
        numbered(f"{line}{'.' if i == len(lines) - 1 else ';'}" for i, line in enumerate(lines)),
        f"`check {thing}` is {failed}. If no rule is broken it is `Ok` of {value}, where `x` is the "
        f"`{shape.fields[first].name}` and `y` the `{shape.fields[second].name}`.",
        _check_many_words(thing, shape.plural) if level == 5 else "",
    )
    body = [f"let check ({thing} : {thing}) =", "  let wrong = List.filter_map Fun.id"]
    conditions = [f"(if {rule.ocaml} then None else Some ({rule.error} {fields[rule.place]}))" for rule in rules]
    body.append("    [ " + ";\n      ".join(conditions) + " ] in")
    body.append("  match wrong with")
    body.append(f"  | [] -> Ok ({good.code(fields[first], fields[second])})")
    body.append("  | errors -> Error errors" if every else "  | error :: _ -> Error error")
    many = f"""\
let check_many {shape.plural} =
  let add (sum, bad) {thing} =
    match check {thing} with Ok n -> (sum + n, bad) | Error errors -> (sum, bad @ [ List.hd errors ])
  in
  List.fold_left add (0, []) {shape.plural}"""

    def run_many(values: Sequence[Record]) -> str:
        total = sum(good.run(value[first], value[second]) for value in values if not broken(value))
        firsts = [error(broken(value)[0], value) for value in values if broken(value)]
        return f"({integer(total)}, [{'; '.join(firsts)}])"

    def cases() -> Iterator[Case]:
        edges: list[Record] = [tuple("" if f.kind == "string" else n for f in shape.fields) for n in (0, 99)]
        for value in inputs(draw, edges):
            yield case("check", [shape.show(value)], run(value))
            if level == 5 and chance.happens(0.4):
                values = [draw() for _ in range(chance.between(0, 3))]
                yield case("check_many", [listing(shape.show)(values)], run_many(values))

    signature = f"{shape.declaration}\n\ntype error = {errors}\n\nval check : {thing} -> {result}"
    if level == 5:
        signature += f"\nval check_many : {thing} list -> int * error list"
    return Draft(
        name="check",
        statement=statement,
        signature=signature,
        reference=module(
            shape.declaration,
            f"type error = {errors}",
            [helper for rule in rules for helper in rule.helpers],
            good.helpers,
            "\n".join(body),
            many if level == 5 else "",
        ),
        cases=cases(),
        hidden=16 if level == 5 else 12,
        groups=("check", "check_many") if level == 5 else (),
    )


def _check_many_words(thing: str, plural: str) -> str:
    return (
        f"`check_many {plural}` checks each {thing} of a list, which may be empty. It is a pair: the sum of what `Ok` "
        "holds where `check` gives `Ok`, and a list with the first error of each of the others, in the order of the "
        "list."
    )


def _rule(chance: Chance, shape: Shape, place: int) -> _Rule:
    field = shape.fields[place]
    op = string_test(chance) if field.kind == "string" else int_test(chance)
    word = "Strange" if field.kind == "string" else chance.pick(("Bad", "Odd", "Wrong"))
    return _Rule(
        op.say(field.name),
        op.code(f"{shape.name}.{field.name}"),
        lambda value: bool(op.run(value[place])),
        f"{word}_{field.name}",
        place,
        op.helpers,
    )


def _cross_rule(chance: Chance, shape: Shape) -> _Rule:
    a, b = chance.sample(shape.places("int"), 2)
    first, second = shape.fields[a].name, shape.fields[b].name
    k = chance.between(2, 3)
    return _Rule(
        f"`{first}` is at most {k} times `{second}`",
        f"{shape.name}.{first} <= {k} * {shape.name}.{second}",
        lambda value: bool(value[a] <= k * value[b]),
        f"Unfit_{first}",
        a,
        (),
    )


FAMILY = Family(
    name="options.checks",
    topics=("options-results", "variants-records"),
    description="a record checked by rules, with the first error or with all of them",
    make=_checks,
)
