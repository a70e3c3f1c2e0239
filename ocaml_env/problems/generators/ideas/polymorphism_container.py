"""Functions on a container type of several constructors with ordered elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.small.polymorphism_container import TASKS
from ocaml_env.problems.generators.values import Show, integer, listing, option, pair, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs
from ocaml_env.problems.generators.worlds import elements as kinds_of_elements

__all__ = ["FAMILY"]

Value = tuple[Any, ...]


# The kinds of parts of a constructor: an element, a container, or a list of either.
_PARTS = {"a": "'a", "t": "'a t", "al": "'a list", "tl": "'a t list"}


_NAMES = (
    ("Bare", "Twin", "Heap", "Chain"),
    ("Drop", "Pool", "Lake", "Sea"),
    ("Grain", "Ear", "Sheaf", "Stack"),
    ("Spark", "Flame", "Blaze", "Ember"),
)


class _Constructor(NamedTuple):
    """A constructor: its parts, and the order for listing their elements."""

    name: str
    parts: tuple[str, ...]
    order: tuple[int, ...]

    @property
    def variables(self) -> list[str]:
        return [f"{'xtlm'[('a', 't', 'al', 'tl').index(part)]}{i}" for i, part in enumerate(self.parts, start=1)]

    @property
    def is_nested(self) -> bool:
        return not {"t", "tl"}.isdisjoint(self.parts)

    @property
    def pattern(self) -> str:
        names = self.variables
        if not names:
            return self.name
        return f"{self.name} {names[0]}" if len(names) == 1 else f"{self.name} ({', '.join(names)})"


@dataclass(frozen=True, slots=True)
class _Container:
    """A type of containers.

    Attributes:
        first: the depth of elements in the outermost constructor.
    """

    constructors: tuple[_Constructor, ...]
    first: int

    @property
    def declaration(self) -> str:
        lines = [
            f"  | {each.name}" + (f" of {' * '.join(_PARTS[part] for part in each.parts)}" if each.parts else "")
            for each in self.constructors
        ]
        return "\n".join(["type 'a t =", *lines])

    def parts(self, value: Value) -> tuple[_Constructor, list[tuple[str, Any]]]:
        """The constructor of a value, and its parts, each with its kind."""
        each = next(constructor for constructor in self.constructors if constructor.name == value[0])
        return each, [*zip(each.parts, value[1:], strict=True)]

    def elements(self, value: Value) -> list[Any]:
        each, parts = self.parts(value)
        made: list[Any] = []
        for place in each.order:
            kind, part = parts[place]
            if kind == "a":
                made.append(part)
            elif kind == "al":
                made += part
            else:
                for inner in [part] if kind == "t" else part:
                    made += self.elements(inner)
        return made

    def mapped(self, f: Callable[[int, Any], Any], value: Value, depth: int) -> Value:
        def image(kind: str, part: Any) -> Any:
            if kind == "a":
                return f(depth, part)
            if kind == "al":
                return [f(depth, x) for x in part]
            if kind == "t":
                return self.mapped(f, part, depth + 1)
            return [self.mapped(f, inner, depth + 1) for inner in part]

        return (value[0], *(image(kind, part) for kind, part in self.parts(value)[1]))

    def leveled(self, value: Value) -> list[tuple[Any, int]]:
        """The elements, each with its depth."""
        return self.elements(self.mapped(lambda depth, x: (x, depth), value, self.first))

    def show(self, element: Show) -> Show:
        shows: dict[str, list[Show]] = {each.name: [] for each in self.constructors}
        show = variant(shows)
        kinds = {"a": element, "t": show, "al": listing(element), "tl": listing(show)}
        for each in self.constructors:
            shows[each.name] += [kinds[part] for part in each.parts]
        return show

    def draw(self, chance: Chance, element: Callable[[], Any], depth: int) -> Value:
        def part(kind: str) -> Any:
            if kind == "a":
                return element()
            if kind == "al":
                return [element() for _ in range(chance.pick((0, 1, 1, 2, 2, 4)))]
            if kind == "t":
                return self.draw(chance, element, depth - 1)
            return [self.draw(chance, element, depth - 1) for _ in range(chance.pick((0, 1, 1, 2, 3)))]

        nested = depth > 0 and chance.happens(0.8)
        each = chance.pick([constructor for constructor in self.constructors if constructor.is_nested == nested])
        return (each.name, *map(part, each.parts))


def _make(chance: Chance, level: int) -> Draft:
    count, functions = {1: (2, 1), 3: (3, 2), 5: (4, 3)}[level]
    container = _Container(tuple(_constructors(chance, count)), chance.between(0, 1))
    known = [function for function in _SIGNATURES if function != "elements"]
    if not any({"a", "t"}.isdisjoint(each.parts) for each in container.constructors):
        known.remove("last")  # no container is empty
    asked = ["elements", *chance.sample(known, functions)]
    described = _described(container.first)
    needed = dict.fromkeys(["elements", *(["map"] if {"map", "depth_of"} & {*asked} else []), *asked])
    return Draft(
        name="elements",
        statement=paragraphs(
            "A container `'a t` is one of the constructors below. Its elements have an order:",
            bullets(map(_order_words, container.constructors)),
            "Write these functions:",
            bullets(described[function] for function in asked),
        ),
        signature=container.declaration
        + "\n\n"
        + "\n".join(f"val {function} : {_SIGNATURES[function]}" for function in asked),
        reference=module(container.declaration, [_code(function, container) for function in needed]),
        cases=_cases(chance, container, asked),
        hidden=16,
        groups=tuple(asked),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _constructors(chance: Chance, count: int) -> list[_Constructor]:
    names = chance.sample(chance.pick(_NAMES), count)
    parts: list[tuple[str, ...]] = [chance.pick(((), ("a",), ("a",), ("al",), ("a", "a"), ("a", "al")))]
    while len(parts) < count:
        size = chance.between(2, 3)
        made = tuple(chance.pick(("a", "a", "t", "t", "al", "tl")) for _ in range(size))
        if any("t" in part for part in made) and any("a" in part for part in made) and made.count("tl") < 2:
            parts.append(made)
    if len({*parts}) < count:
        raise Unfit
    return [
        _Constructor(name, each, tuple(chance.shuffled(range(len(each)))))
        for name, each in zip(names, parts, strict=True)
    ]


def _cases(chance: Chance, container: _Container, asked: Sequence[str]) -> Iterator[Case]:
    """Cases. All elements for one function have one type: its tests may be put together in a list."""
    kinds = kinds_of_elements(chance)
    types = {function: chance.pick(kinds[:2] if function == "total" else kinds[:3]) for function in asked}
    while True:
        for function in asked:
            show, element = types[function]
            value = container.draw(chance, element, chance.pick((0, 1, 1, 2, 2, 3, 3, 3)))
            shown = container.show(show)(value)
            if len(shown) > 300 or (function == "map" and len(value) == 1):
                continue  # a constructor without parts has only one image
            arguments, answer = _asked(chance, container, function, value, types[function])
            yield case(function, [*arguments, shown], answer)


def _asked(
    chance: Chance, container: _Container, function: str, value: Value, kind: tuple[Show, Callable[[], Any]]
) -> tuple[list[str], str]:
    """The arguments before the container, and the answer."""
    show, element = kind
    found = container.elements(value)
    if function == "elements":
        return [], listing(show)(found)
    if function == "last":
        return [], option(show)(found[-1] if found else None)
    if function == "map":
        k = chance.between(1, 3)
        image = container.mapped(lambda d, x: (k * d, x), value, container.first)
        return [f"(fun d x -> ({f'{k} * d' if k > 1 else 'd'}, x))"], container.show(pair(integer, show))(image)
    if function == "depth_of":
        wanted = chance.pick(found) if found and chance.happens(0.8) else element()
        depths = [depth for x, depth in container.leveled(value) if x == wanted]
        return [show(wanted)], option(integer)(depths[0] if depths else None)
    if function == "keep":
        least = chance.pick(found) if found else element()
        return [f"(fun x -> x >= {show(least)})"], listing(show)([x for x in found if x >= least][::-1])
    if show is integer:
        return ["(fun x -> x + 1)"], integer(sum(x + 1 for x in found))
    return ["String.length"], integer(sum(map(len, found)))


# --- texts ------------------------------------------------------------------------------------------------------------

_SIGNATURES = {
    "elements": "'a t -> 'a list",
    "map": "(int -> 'a -> 'b) -> 'a t -> 'b t",
    "depth_of": "'a -> 'a t -> int option",
    "keep": "('a -> bool) -> 'a t -> 'a list",
    "last": "'a t -> 'a option",
    "total": "('a -> int) -> 'a t -> int",
}


def _described(first: int) -> dict[str, str]:
    depth = f"{first} in the outermost constructor, and 1 more in each container inside"
    return {
        "elements": "`elements t` lists the elements of `t` in the order above.",
        "map": "`map f t` is a container of the same form in which every element `x` is replaced by `f d x`, where "
        f"`d` is the depth of `x`: {depth}.",
        "depth_of": "`depth_of x t` is the depth of the first element, in the order above, that is equal to `x`, or "
        f"`None` if there is none. The depth is {depth}.",
        "keep": "`keep p t` lists the elements of which `p` is true, in the reverse of the order above.",
        "last": "`last t` is the last element in the order above, or `None` if there is none.",
        "total": "`total f t` is the sum of `f x` over all elements `x`.",
    }


def _order_words(each: _Constructor) -> str:
    if not each.parts:
        return f"`{each.pattern}` has no elements."
    names = each.variables
    said = {"a": "`{}` itself", "t": "the elements of `{}`", "al": "the elements of the list `{}`"}
    said["tl"] = "those of the containers in the list `{}`, one container after the other"
    parts = [said[each.parts[place]].format(names[place]) for place in each.order]
    return f"`{each.pattern}`: {', then '.join(parts)}."


def _code(function: str, container: _Container) -> str:
    if function == "elements":
        arms = []
        for each in container.constructors:
            names = each.variables
            pieces = {"a": "[ {} ]", "t": "elements {}", "al": "{}", "tl": "List.concat_map elements {}"}
            made = " @ ".join(pieces[each.parts[place]].format(names[place]) for place in each.order) or "[]"
            arms.append(f"  | {each.pattern} -> {made}")
        return "let rec elements : 'a. 'a t -> 'a list = function\n" + "\n".join(arms)
    if function == "map":
        arms = []
        for each in container.constructors:
            names = each.variables
            pieces = {"a": "f d {}", "t": "go (d + 1) {}", "al": "List.map (f d) {}", "tl": "List.map (go (d + 1)) {}"}
            made = ", ".join(pieces[part].format(name) for part, name in zip(each.parts, names, strict=True))
            arms.append(f"    | {each.pattern} -> {each.name}{f' ({made})' if made else ''}")
        return "let map f t =\n  let rec go d = function\n" + "\n".join(arms) + f"\n  in\n  go {container.first} t"
    return {
        "depth_of": "let depth_of x t =\n  elements (map (fun d y -> (y, d)) t) |> List.assoc_opt x",
        "keep": "let keep p t = List.rev (List.filter p (elements t))",
        "last": "let last t = match List.rev (elements t) with x :: _ -> Some x | [] -> None",
        "total": "let total f t = List.fold_left (fun sum x -> sum + f x) 0 (elements t)",
    }[function]


FAMILY = Family(
    name="polymorphism.container",
    topics=("polymorphism", "trees", "higher-order"),
    description="functions on a container type of several constructors, whose elements have an order",
    tasks=TASKS,
    make=_make,
)
