"""Nested tuples rearranged, with options dropped and inner lists spread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.small.polymorphism_rearrange import TASKS
from ocaml_env.problems.generators.values import Show, listing, option
from ocaml_env.problems.generators.wording import bullets, paragraphs
from ocaml_env.problems.generators.worlds import elements as kinds_of_elements

__all__ = ["FAMILY"]

Shape = Any  # a letter, or a tuple of shapes
Row = dict[str, Any]  # values by letter; None for a missing option


@dataclass(frozen=True, slots=True)
class _Plan:
    """A rearrangement of tuples.

    Attributes:
        source: the shape of the given values; ``target`` is that of the result.
        options: parts that may be missing.
        spread: a part that is a list, if there is one.
        backward: the result is reversed.
        split: the result is a tuple of lists.
    """

    letters: str
    source: Shape
    target: Shape
    options: tuple[str, ...]
    spread: str
    backward: bool
    split: bool

    def kind(self, shape: Shape, *, given: bool) -> str:
        """The type of a shape, of the given values or of the result."""
        if not isinstance(shape, str):
            return f"({' * '.join(self.kind(part, given=given) for part in shape)})"
        if given and shape in self.options:
            return f"'{shape} option"
        return f"'{shape} list" if given and shape == self.spread else f"'{shape}"

    @property
    def result(self) -> str:
        parts = self.target if self.split else (self.target,)
        return " * ".join(f"{self.kind(part, given=False)} list" for part in parts)

    def run(self, rows: Sequence[Row]) -> list[Row]:
        made: list[Row] = []
        for row in rows:
            if all(row[x] is not None for x in self.options):
                made += [{**row, self.spread: value} for value in row[self.spread]] if self.spread else [row]
        return made[::-1] if self.backward else made


def _make(chance: Chance, level: int) -> Draft:
    name = chance.pick(("rearrange", "regroup", "repack", "reorder", "realign"))
    plan = _plan(chance, level)
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` makes other tuples of a list of tuples, which may be empty. The order of the list is kept, "
            "unless something else is said.",
            bullets(_rules(plan)),
        ),
        signature=f"val {name} : {plan.kind(plan.source, given=True)} list -> {plan.result}",
        reference=_code(name, plan),
        cases=_cases(chance, name, plan),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _plan(chance: Chance, level: int) -> _Plan:
    letters = "abcde"[: 4 if level <= 3 else 5]
    source = _shape(chance, chance.shuffled(letters))
    used = chance.sample(letters, len(letters) - chance.below(2))
    if level >= 3 and chance.happens(0.5):
        used.append(chance.pick(letters))
    target = _shape(chance, chance.shuffled(used))
    if source == target:
        raise Unfit
    options = chance.sample(letters, {1: 0, 3: 1, 5: 2}[level])
    others = [x for x in letters if x not in options]
    return _Plan(
        letters,
        source,
        target,
        tuple(options),
        spread=chance.pick(others) if level >= 3 and chance.happens(0.6) else "",
        backward=level >= 3 and chance.happens(0.4),
        split=level >= 5 and chance.happens(0.6),
    )


def _shape(chance: Chance, letters: Sequence[str]) -> Shape:
    """A nesting of these letters, in this order."""
    if len(letters) == 1:
        return letters[0]
    if len(letters) == 2 or (len(letters) == 3 and chance.happens(0.3)):
        return tuple(letters)
    cut = chance.between(1, len(letters) - 1)
    return (_shape(chance, letters[:cut]), _shape(chance, letters[cut:]))


def _cases(chance: Chance, name: str, plan: _Plan) -> Iterator[Case]:
    """Cases. A part has the same type in all tests: they may be put together in a list."""
    types = {x: chance.pick(kinds_of_elements(chance)) for x in plan.letters}
    after = {x: show for x, (show, _) in types.items()}
    before = {**after, **{x: option(after[x]) for x in plan.options}}
    if plan.spread:
        before[plan.spread] = listing(after[plan.spread])

    def draw() -> Row:
        row: Row = {x: draw() for x, (_, draw) in types.items()}
        row.update({x: None for x in plan.options if chance.happens(0.3)})
        if plan.spread:
            row[plan.spread] = [types[plan.spread][1]() for _ in range(chance.between(0, 3))]
        return row

    while True:
        rows = [draw() for _ in range(chance.pick((0, 1, 2, 2, 3, 3, 4, 6)))]
        made = plan.run(rows)
        parts = plan.target if plan.split else (plan.target,)
        lists = [_listed(part, made, after) for part in parts]
        yield case(name, [_listed(plan.source, rows, before)], f"({', '.join(lists)})" if plan.split else lists[0])


def _listed(shape: Shape, rows: Sequence[Row], shows: Mapping[str, Show]) -> str:
    return listing(lambda row: _shown(shape, row, shows))(rows)


def _shown(shape: Shape, row: Row, shows: Mapping[str, Show]) -> str:
    if isinstance(shape, str):
        return shows[shape](row[shape])
    return f"({', '.join(_shown(part, row, shows) for part in shape)})"


# --- texts ------------------------------------------------------------------------------------------------------------


def _rules(plan: _Plan) -> Iterator[str]:
    yield f"An element `{_text(plan.source)}` becomes `{_text(plan.target)}`."
    for x in plan.options:
        yield (
            f"`{x}` is an option: if it is `None`, the element is left out; if it is `Some` of something, `{x}` stands "
            "for that in the result."
        )
    if plan.spread:
        yield (
            f"`{plan.spread}` is a list: the element becomes as many elements as that list has, one for each of its "
            f"elements, in their order, for which `{plan.spread}` stands in the result."
        )
    if plan.backward:
        yield "The result is in the reverse of the order that follows from this."
    if plan.split:
        yield (
            f"At last the list of {'pairs' if len(plan.target) == 2 else 'tuples'} is split into as many lists: the "
            "result is a tuple of lists, the first of all first parts, and so on, each in the same order."
        )


def _text(shape: Shape, options: Sequence[str] = ()) -> str:
    """A shape as a pattern or an expression; options get ``Some``."""
    if isinstance(shape, str):
        return f"Some {shape}" if shape in options else shape
    return f"({', '.join(_text(part, options) for part in shape)})"


def _code(name: str, plan: _Plan) -> str:
    image = _text(plan.target)
    make = f"List.map (fun {plan.spread} -> {image}) {plan.spread}" if plan.spread else f"[ {image} ]"
    arm = f"       | {_text(plan.source, plan.options)} -> {make}"
    lines = [f"let {name} l =", "  l", "  |> List.concat_map (function"]
    lines += [arm, "       | _ -> [])"] if plan.options else [f"{arm})"]
    lines += ["  |> List.rev"] if plan.backward else []
    if plan.split:
        parts = [f"x{i}" for i in range(len(plan.target))]
        tuples = ", ".join(f"List.map (fun ({', '.join(parts)}) -> {part}) l" for part in parts)
        lines.append(f"  |> fun l -> ({tuples})")
    return "\n".join(lines)


FAMILY = Family(
    name="polymorphism.rearrange",
    topics=("polymorphism", "lists", "options-results"),
    description="nested tuples put together in another way, with options dropped and inner lists spread",
    tasks=TASKS,
    make=_make,
)
