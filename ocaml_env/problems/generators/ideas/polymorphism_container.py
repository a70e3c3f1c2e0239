"""Functions on a container type of several constructors, whose elements have an order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import Show, integer, listing, option, pair, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs
from ocaml_env.problems.generators.worlds import elements as kinds_of_elements

__all__ = ["FAMILY"]

Value = tuple[Any, ...]


# What a part of a constructor may be: an element, a container, or a list of either.
_PARTS = {"a": "'a", "t": "'a t", "al": "'a list", "tl": "'a t list"}


_NAMES = (
    ("Bare", "Twin", "Heap", "Chain"),
    ("Drop", "Pool", "Lake", "Sea"),
    ("Grain", "Ear", "Sheaf", "Stack"),
    ("Spark", "Flame", "Blaze", "Ember"),
)


class _Constructor(NamedTuple):
    """A constructor: its parts, and the order in which their elements are listed."""

    name: str
    parts: tuple[str, ...]
    order: tuple[int, ...]

    @property
    def variables(self) -> list[str]:
        return [f"{'xtlm'[('a', 't', 'al', 'tl').index(part)]}{i}" for i, part in enumerate(self.parts, start=1)]

    @property
    def pattern(self) -> str:
        names = self.variables
        if not names:
            return self.name
        return f"{self.name} {names[0]}" if len(names) == 1 else f"{self.name} ({', '.join(names)})"


def _container(chance: Chance, level: int) -> Draft:
    constructors = _constructors(chance, (2, 2, 3, 3, 4)[level - 1])
    by_name = {each.name: each for each in constructors}
    asked = ["elements", *chance.sample(("map", "depth_of", "keep", "last", "total"), (1, 2, 2, 3, 3)[level - 1])]
    first = chance.between(0, 1)

    def elements(value: Value) -> list[Any]:
        each = by_name[value[0]]
        made: list[Any] = []
        for place in each.order:
            part, kind = value[place + 1], each.parts[place]
            if kind == "a":
                made.append(part)
            elif kind == "al":
                made += part
            else:
                for inner in [part] if kind == "t" else part:
                    made += elements(inner)
        return made

    def mapped(f: Callable[[int, Any], Any], depth: int, value: Value) -> Value:
        parts: list[Any] = []
        for kind, part in zip(by_name[value[0]].parts, value[1:], strict=True):
            if kind == "a":
                parts.append(f(depth, part))
            elif kind == "al":
                parts.append([f(depth, x) for x in part])
            elif kind == "t":
                parts.append(mapped(f, depth + 1, part))
            else:
                parts.append([mapped(f, depth + 1, inner) for inner in part])
        return (value[0], *parts)

    def leveled(value: Value) -> list[tuple[int, Any]]:
        return elements(mapped(lambda depth, x: (depth, x), first, value))

    def draw(element: Callable[[], Any], depth: int) -> Value:
        fitting = [each for each in constructors if depth or not any("t" in part for part in each.parts)]
        each = chance.pick(fitting)
        parts: list[Any] = []
        for kind in each.parts:
            if kind == "a":
                parts.append(element())
            elif kind == "al":
                parts.append([element() for _ in range(chance.between(0, 3))])
            elif kind == "t":
                parts.append(draw(element, depth - 1))
            else:
                parts.append([draw(element, depth - 1) for _ in range(chance.between(0, 2))])
        return (each.name, *parts)

    lines = [_order_words(each) for each in constructors]
    described = {
        "elements": "`elements t` lists the elements of `t` in the order above.",
        "map": "`map f t` is a container of the same form in which every element `x` is replaced by `f d x`, where "
        f"`d` is the depth of `x`: {first} in the outermost constructor, and 1 more in each container inside.",
        "depth_of": "`depth_of x t` is the depth of the first element, in the order above, that is equal to `x`, or "
        f"`None` if there is none. The depth is {first} in the outermost constructor, and 1 more in each container "
        "inside.",
        "keep": "`keep p t` lists the elements of which `p` is true, in the reverse of the order above.",
        "last": "`last t` is the last element in the order above, or `None` if there is none.",
        "total": "`total f t` is the sum of `f x` over all elements `x`.",
    }
    declared = "type 'a t =\n" + "\n".join(
        f"  | {each.name}" + (f" of {' * '.join(_PARTS[part] for part in each.parts)}" if each.parts else "")
        for each in constructors
    )
    signatures = {
        "elements": "val elements : 'a t -> 'a list",
        "map": "val map : (int -> 'a -> 'b) -> 'a t -> 'b t",
        "depth_of": "val depth_of : 'a -> 'a t -> int option",
        "keep": "val keep : ('a -> bool) -> 'a t -> 'a list",
        "last": "val last : 'a t -> 'a option",
        "total": "val total : ('a -> int) -> 'a t -> int",
    }

    def cases() -> Iterator[Case]:
        while True:
            for function in asked:
                kind = chance.below(3)  # no booleans, of which there are too few
                show, element = kinds_of_elements(chance)[kind]
                value = draw(element, chance.pick((1, 2, 2, 3)))
                found = elements(value)
                shown = _show(constructors, show)(value)
                if len(shown) > 300 or (function == "map" and len(value) == 1):
                    continue  # of a constructor without parts there is but one image
                if function == "elements":
                    yield case(function, [shown], listing(show)(found))
                elif function == "map":
                    ocaml, image, run = chance.pick(
                        (
                            ("(fun d x -> (d, x))", pair(integer, show), lambda d, x: (d, x)),
                            ("(fun d _ -> 2 * d)", integer, lambda d, x: 2 * d),
                            (
                                "(fun d x -> if d > 1 then Some x else None)",
                                option(show),
                                lambda d, x: x if d > 1 else None,
                            ),
                        )
                    )
                    answer = _show(constructors, image)(mapped(run, first, value))
                    yield case(function, [ocaml, shown], answer)
                elif function == "depth_of":
                    wanted = chance.pick(found) if found and chance.happens(0.8) else element()
                    depth = next((d for d, x in leveled(value) if x == wanted), None)
                    yield case(function, [show(wanted), shown], option(integer)(depth))
                elif function == "keep":
                    least = chance.pick(found) if found else element()
                    kept = [x for x in found if x >= least][::-1]
                    yield case(function, [f"(fun x -> x >= {show(least)})", shown], listing(show)(kept))
                elif function == "last":
                    yield case(function, [shown], option(show)(found[-1] if found else None))
                elif kind == 0:
                    yield case(function, ["(fun x -> x + 1)", shown], integer(sum(x + 1 for x in found)))
                elif kind == 1:
                    yield case(function, ["String.length", shown], integer(sum(map(len, found))))

    mapping = "map" in asked or "depth_of" in asked
    needed = dict.fromkeys(["elements", *(["map"] if mapping else []), *asked])
    return Draft(
        name="elements",
        statement=paragraphs(
            "A container `'a t` is one of the constructors below. Its elements have an order:",
            bullets(lines),
            "Write these functions:",
            bullets(described[one] for one in asked),
        ),
        signature=declared + "\n\n" + "\n".join(signatures[one] for one in asked),
        reference=module(declared, [_code(one, constructors, first) for one in needed]),
        cases=cases(),
        hidden=16,
        groups=tuple(asked),
    )


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


def _show(constructors: Sequence[_Constructor], element: Show) -> Show:
    shows: dict[str, list[Show]] = {each.name: [] for each in constructors}
    show = variant(shows)
    kinds = {"a": element, "t": show, "al": listing(element), "tl": listing(show)}
    for each in constructors:
        shows[each.name] += [kinds[part] for part in each.parts]
    return show


def _order_words(each: _Constructor) -> str:
    if not each.parts:
        return f"`{each.pattern}` has no elements."
    names = each.variables
    said = {"a": "`{}` itself", "t": "the elements of `{}`", "al": "the elements of the list `{}`"}
    said["tl"] = "those of the containers in the list `{}`, one container after the other"
    parts = [said[each.parts[place]].format(names[place]) for place in each.order]
    return f"`{each.pattern}`: {', then '.join(parts)}."


def _code(function: str, constructors: Sequence[_Constructor], first: int) -> str:
    if function == "elements":
        arms = []
        for each in constructors:
            names = each.variables
            pieces = {"a": "[ {} ]", "t": "elements {}", "al": "{}", "tl": "List.concat_map elements {}"}
            made = " @ ".join(pieces[each.parts[place]].format(names[place]) for place in each.order) or "[]"
            arms.append(f"  | {each.pattern} -> {made}")
        return "let rec elements : 'a. 'a t -> 'a list = function\n" + "\n".join(arms)
    if function == "map":
        arms = []
        for each in constructors:
            names = each.variables
            pieces = {"a": "f d {}", "t": "go (d + 1) {}", "al": "List.map (f d) {}", "tl": "List.map (go (d + 1)) {}"}
            made = ", ".join(pieces[part].format(name) for part, name in zip(each.parts, names, strict=True))
            arms.append(f"    | {each.pattern} -> {each.name}{f' ({made})' if made else ''}")
        return "let map f t =\n  let rec go d = function\n" + "\n".join(arms) + f"\n  in\n  go {first} t"
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
    make=_container,
)
