"""Nested tuples put together in another way, with options dropped and inner lists spread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import Show, listing, option
from ocaml_env.problems.generators.wording import bullets, paragraphs
from ocaml_env.problems.generators.worlds import elements as kinds_of_elements

__all__ = ["FAMILY"]

Shape = Any  # a letter, or a tuple of shapes


def _rearrange(chance: Chance, level: int) -> Draft:
    name = chance.pick(("rearrange", "regroup", "repack", "reorder", "realign"))
    letters = "abcde"[: 4 if level <= 3 else 5]
    source = _shape(chance, chance.shuffled(letters))
    target_letters = chance.sample(letters, len(letters) - chance.below(2))
    if level >= 2 and chance.happens(0.5):
        target_letters.append(chance.pick(letters))
    target = _shape(chance, chance.shuffled(target_letters))
    if source == target:
        raise Unfit
    options = chance.sample(letters, (0, 0, 1, 1, 2)[level - 1])  # may be missing
    spread = chance.pick([x for x in letters if x not in options]) if level >= 3 and chance.happens(0.6) else ""
    split = level >= 4 and chance.happens(0.6)  # two lists in the end
    if split and not isinstance(target, tuple):
        raise Unfit
    backward = level >= 2 and chance.happens(0.4)

    def run(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        made = []
        for row in rows:
            if any(row[x] is None for x in options):
                continue
            made += [{**row, spread: value} for value in row[spread]] if spread else [row]
        return made[::-1] if backward else made

    def pattern(shape: Shape, within: bool) -> str:
        if isinstance(shape, str):
            return f"Some {shape}" if within and shape in options else shape
        return f"({', '.join(pattern(part, within) for part in shape)})"

    def kind(shape: Shape, within: bool) -> str:
        if isinstance(shape, str):
            if within and shape in options:
                return f"'{shape} option"
            return f"'{shape} list" if within and shape == spread else f"'{shape}"
        return f"({' * '.join(kind(part, within) for part in shape)})"

    image = pattern(target, within=False)
    said = [f"An element `{pattern(source, within=False)}` becomes `{image}`."]
    for x in options:
        said.append(
            f"`{x}` is an option: where it is `None`, the element is left out; where it is `Some` of something, `{x}` "
            "stands for that in the result."
        )
    if spread:
        said.append(
            f"`{spread}` is a list: the element becomes as many elements as that list has, one for each of its "
            f"elements, in their order, for which `{spread}` stands in the result."
        )
    if backward:
        said.append("The result is in the reverse of the order that follows from this.")
    if split:
        said.append(
            f"At last the list of {'pairs' if len(target) == 2 else 'tuples'} is split into as many lists: the result "
            "is a tuple of lists, the first of all first parts, and so on, each in the same order."
        )
    make = f"[ {image} ]"
    if spread:
        make = f"List.map (fun {spread} -> {image}) {spread}"
    lines = [f"let {name} l =", "  l", "  |> List.concat_map (function"]
    lines.append(f"       | {pattern(source, within=True)} -> {make}" + ("" if options else ")"))
    lines += ["       | _ -> [])"] if options else []
    lines += ["  |> List.rev"] if backward else []
    if split:
        parts = [f"x{i}" for i in range(len(target))]
        tuples = ", ".join(f"List.map (fun ({', '.join(parts)}) -> {one}) l" for one in parts)
        lines.append(f"  |> fun l -> ({tuples})")
    kinds = kind(target, within=False)
    result = f"{kinds} list" if not split else " * ".join(f"{kind(part, within=False)} list" for part in target)

    def cases() -> Iterator[Case]:
        while True:
            shows: dict[str, Show] = {}
            draws: dict[str, Callable[[], Any]] = {}
            for x in letters:
                shows[x], draws[x] = chance.pick(kinds_of_elements(chance))
            rows = []
            for _ in range(chance.pick((0, 1, 2, 2, 3, 3, 4))):
                row: dict[str, Any] = {x: draws[x]() for x in letters}
                row.update({x: None for x in options if chance.happens(0.3)})
                if spread:
                    row[spread] = [draws[spread]() for _ in range(chance.between(0, 3))]
                rows.append(row)
            before = {**shows, **{x: option(shows[x]) for x in options}}
            if spread:
                before[spread] = listing(shows[spread])
            answer = run(rows)
            given = "[" + "; ".join(_shown(source, row, before) for row in rows) + "]"
            if split:
                listed = ["[" + "; ".join(_shown(part, row, shows) for row in answer) + "]" for part in target]
                yield case(name, [given], f"({', '.join(listed)})")
            else:
                yield case(name, [given], "[" + "; ".join(_shown(target, row, shows) for row in answer) + "]")

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` makes other tuples of a list of tuples, which may be empty. The order of the list is kept, "
            "unless something else is said.",
            bullets(said),
        ),
        signature=f"val {name} : {kind(source, within=True)} list -> {result}",
        reference="\n".join(lines),
        cases=cases(),
    )


def _shape(chance: Chance, letters: Sequence[str]) -> Shape:
    """A nesting of these letters, in this order."""
    if len(letters) == 1:
        return letters[0]
    if len(letters) == 2 or (len(letters) == 3 and chance.happens(0.3)):
        return tuple(letters)
    cut = chance.between(1, len(letters) - 1)
    return (_shape(chance, letters[:cut]), _shape(chance, letters[cut:]))


def _shown(shape: Shape, row: dict[str, Any], shows: dict[str, Show]) -> str:
    if isinstance(shape, str):
        return shows[shape](row[shape])
    return f"({', '.join(_shown(part, row, shows) for part in shape)})"


FAMILY = Family(
    name="polymorphism.rearrange",
    topics=("polymorphism", "lists", "options-results"),
    description="nested tuples put together in another way, with options dropped and inner lists spread",
    make=_rearrange,
)
