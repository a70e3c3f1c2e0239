"""A module with an abstract container of limited capacity, and rules for a full one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.letters import some_word
from ocaml_env.problems.generators.steps import telling_steps
from ocaml_env.problems.generators.values import Show, atom, integer, listing, option, pair, text
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]


class _Feature(NamedTuple):
    """A function from container to container.

    Attributes:
        kind: its type in OCaml.
        ocaml: the new elements, from ``x`` or ``n``, the elements ``l`` and the capacity ``k``.
        argument: its argument besides the container: nothing, ``x`` or ``n``.
        run: the new elements, from the elements, the capacity and the argument.
        other: its meaning if its main word is mistaken for the opposite.
    """

    name: str
    kind: str
    words: str
    ocaml: str
    argument: str
    run: _Run
    other: _Run
    helpers: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        argument = f"{self.argument} " if self.argument else ""
        capacity = "  let k = t.capacity in\n" if self.name == "double" else ""
        return f"let {self.name} {argument}t =\n{capacity}  let l = t.items in\n  {{ t with items = {self.ocaml} }}"


_Run = Callable[[list[Any], int, Any], list[Any]]


class _Observer(NamedTuple):
    """A function that returns a fact about a container.

    Attributes:
        call: the call in a test, without the container.
        run: the result as OCaml, from the elements and the capacity.
        show: shows elements in tests of it. Tests in one list must have elements of one type.
    """

    name: str
    kind: str
    words: str
    ocaml: str
    call: str
    run: Callable[[list[Any], int], str]
    show: Show = integer


@dataclass(frozen=True, slots=True, kw_only=True)
class _Container:
    """The drawn container.

    Attributes:
        policy: the effect of putting an element into a full one, a key of ``_REPLACED``.
        front: True if elements are put at the front.
        take_front: True if elements are taken there.
    """

    name: str
    policy: str
    front: bool
    take_front: bool
    features: Sequence[_Feature]
    observers: Sequence[_Observer]

    def put(self, elements: list[Any], k: int, x: Any) -> list[Any]:
        if len(elements) < k:
            return [x, *elements] if self.front else [*elements, x]
        if self.policy == "ignore" or k == 0:
            return elements
        if self.policy == "oldest":  # an element at the other end leaves
            return [x, *elements[:-1]] if self.front else [*elements[1:], x]
        return [x, *elements[1:]] if self.front else [*elements[:-1], x]

    def taken(self, elements: list[Any], n: int) -> tuple[list[Any], list[Any]]:
        """Up to ``n`` elements, and the remaining ones."""
        if self.take_front:
            return elements[:n], elements[n:]
        left = max(0, len(elements) - n)
        return elements[left:][::-1], elements[:left]


def _container(chance: Chance, level: int) -> Draft:
    observers = chance.sample((_gauge, _peek, _total), (0, 1, 1, 2, 2)[level - 1])
    container = _Container(
        name=chance.pick(("Shelf", "Tray", "Belt", "Rack", "Buffer")),
        policy=chance.pick(("oldest", "newest", "ignore")),
        front=chance.happens(0.5),
        take_front=chance.happens(0.5),
        features=[
            _f_arrange(chance, 2 if level == 1 else 3),
            *(make(chance) for make in chance.sample(_FEATURES, min(level, 4))),
        ],
        observers=[make(chance) for make in observers],
    )
    values = _values(container)
    return Draft(
        name=container.name,
        statement=paragraphs(
            f"Write a module `{container.name}` with an abstract type `'a t` of containers that have a front and an "
            "end and hold at most as many elements as their capacity, which never changes. Nothing is changed in "
            "place: each function returns a new container.",
            bullets(_said(container)),
            "In the tests the module is open, `filled k l` puts the elements of the list `l`, in order, into an empty "
            "container with the capacity `k`, and `emptied n t` takes up to `n` elements and gives the list of them, "
            "the first one taken first, and the list of the items left.",
        ),
        signature=f"module {container.name} : sig\n" + "\n".join(f"  {line}" for line in values) + "\nend",
        reference=_reference(container),
        prelude=_PRELUDE.replace("@", container.name),
        cases=_cases(chance, container),
        hidden=16 if level < 4 else 20,
        groups=("items", "take", *(observer.name for observer in container.observers)),
    )


# --- its texts --------------------------------------------------------------------------------------------------------

_PRELUDE = """\
open @

let filled k l = List.fold_left (fun t x -> put x t) (create k) l

let rec emptied n t =
  if n = 0 then ([], items t)
  else
    match take t with
    | Some (x, t) ->
      let taken, left = emptied (n - 1) t in
      (x :: taken, left)
    | None -> ([], items t)"""
_WITHOUT_LAST = "let without_last l = List.filteri (fun i _ -> i < List.length l - 1) l"
_REPLACED = {  # by the policy and by the end at which elements are put
    ("ignore", True): "t",
    ("ignore", False): "t",
    ("oldest", True): "{ t with items = x :: without_last t.items }",
    ("oldest", False): "{ t with items = List.tl t.items @ [ x ] }",
    ("newest", True): "{ t with items = x :: List.tl t.items }",
    ("newest", False): "{ t with items = without_last t.items @ [ x ] }",
}


def _said(container: _Container) -> list[str]:
    """The effects of its functions, in English."""
    put_end, other = ("front", "end") if container.front else ("end", "front")
    full = {
        "ignore": "If it is full, nothing changes.",
        "oldest": f"If it is full, the element at the {other} leaves it for that (with the capacity 0 nothing "
        "changes).",
        "newest": f"If it is full, `x` replaces the element at the {put_end} (with the capacity 0 nothing changes).",
    }[container.policy]
    end = "front" if container.take_front else "end"
    return [
        "`create k` is an empty one with the capacity `k`, which is at least 0.",
        f"`put x t` adds `x` at the {put_end}. {full}",
        f"`take t` is `Some` of the pair of the element at the {end} and of what is left "
        "without it, or `None` if it is empty.",
        *(feature.words for feature in container.features),
        *(observer.words for observer in container.observers),
        "`items t` is the list of its elements from front to end.",
    ]


def _values(container: _Container) -> list[str]:
    """Its signature."""
    return [
        "type 'a t",
        "val create : int -> 'a t",
        "val put : 'a -> 'a t -> 'a t",
        "val take : 'a t -> ('a * 'a t) option",
        *(f"val {feature.name} : {feature.kind}" for feature in container.features),
        *(f"val {observer.name} : {observer.kind}" for observer in container.observers),
        "val items : 'a t -> 'a list",
    ]


def _reference(container: _Container) -> str:
    added = "{ t with items = x :: t.items }" if container.front else "{ t with items = t.items @ [ x ] }"
    replaced = _REPLACED[container.policy, container.front]
    full = replaced if container.policy == "ignore" else f"if t.capacity = 0 then t\n  else {replaced}"
    taken = (
        "match t.items with x :: rest -> Some (x, { t with items = rest }) | [] -> None"
        if container.take_front
        else "match List.rev t.items with x :: rest -> Some (x, { t with items = List.rev rest }) | [] -> None"
    )
    body = [
        "type 'a t = { capacity : int; items : 'a list }",
        *([_WITHOUT_LAST] if "without_last" in replaced else []),
        "let create capacity = { capacity; items = [] }",
        f"let put x t =\n  if List.length t.items < t.capacity then {added}\n  else {full}",
        f"let take t = {taken}",
        *(feature.code for feature in container.features),
        *(observer.ocaml for observer in container.observers),
        "let items t = t.items",
    ]
    lines = "\n\n".join("\n".join(f"  {line}" for line in part.split("\n")) for part in body)
    helpers = [h for feature in container.features for h in feature.helpers]
    return module(helpers, f"module {container.name} = struct\n{lines}\nend")


# --- its cases --------------------------------------------------------------------------------------------------------


_TYPICAL = 6  # cases for choosing the examples


class _Made(NamedTuple):
    """A container in a test: as OCaml, with its elements and its capacity."""

    code: str
    elements: list[Any]
    k: int

    def put(self, container: _Container, show: Show, x: Any) -> _Made:
        return _Made(f"put {atom(show(x))} ({self.code})", container.put(self.elements, self.k, x), self.k)

    def after(self, feature: _Feature, show: Show, argument: Any) -> _Made:
        given = "" if argument is None else f"{atom(show(argument) if feature.argument == 'x' else str(argument))} "
        return _Made(f"{feature.name} {given}({self.code})", feature.run(self.elements, self.k, argument), self.k)


def _cases(chance: Chance, container: _Container) -> Iterator[Case]:
    for _ in range(_TYPICAL):
        yield _case(chance, container, chance.pick(container.features))
    for feature in container.features:  # show the effect on an empty one
        before = _filled(chance, container, integer, 0)
        yield _items(before.after(feature, integer, _argument(chance, integer, feature, [])), before)
    while True:
        yield from (_case(chance, container, feature) for feature in container.features)
        filled = _filled(chance, container, integer)
        yield _items(filled, filled)
        yield _unchanged(chance, container, chance.pick(container.features))


def _case(chance: Chance, container: _Container, feature: _Feature) -> Case:
    kind = chance.pick(["items", "take", *container.observers])
    show = kind.show if isinstance(kind, _Observer) else text if kind == "take" else integer
    before, made, other = _changed(chance, container, show, feature)
    if isinstance(kind, _Observer) and kind.run(made.elements, made.k) == kind.run(other, made.k):
        kind = chance.pick((kind, kind, "items" if show is integer else "take"))  # they show more
    if chance.happens(0.2):
        second = chance.pick(container.features)
        made = made.after(second, show, _argument(chance, show, second, made.elements))
    elif chance.happens(0.25):  # show if there is still room for others
        for _ in range(chance.between(1, 3)):
            made = made.put(container, show, chance.between(0, 9) if show is integer else some_word(chance))
    if isinstance(kind, _Observer):
        answer = kind.run(made.elements, made.k)
        return Case(f"{kind.call} ({made.code})", answer, answer, made.elements == before.elements, kind.name)
    return _taken(chance, container, made, before) if kind == "take" else _items(made, before)


def _unchanged(chance: Chance, container: _Container, feature: _Feature) -> Case:
    """A container and a result made from it, side by side: nothing may change in place."""
    before = _filled(chance, container, integer)
    given = before._replace(code="t")
    if chance.happens(0.7):
        made = given.after(feature, integer, _argument(chance, integer, feature, before.elements))
    else:
        made = given.put(container, integer, chance.between(0, 9))
    answer = pair(listing(integer), listing(integer))((made.elements, before.elements))
    code = f"(let t = {before.code} in let made = {made.code} in (items made, items t))"
    return Case(code, answer, answer, group="items")


def _items(made: _Made, before: _Made) -> Case:
    answer = listing(integer)(made.elements)
    return Case(f"items ({made.code})", answer, answer, made.elements == before.elements, "items")


def _taken(chance: Chance, container: _Container, made: _Made, before: _Made) -> Case:
    n = chance.between(1, 3)
    shown = pair(listing(text), listing(text))
    out, left = container.taken(made.elements, n)
    # A constant `take` gives the same element again and again, and the same rest: these two identify it.
    constant = shown((out[:1], left))
    return Case(f"emptied {n} ({made.code})", shown((out, left)), constant, made.elements == before.elements, "take")


def _filled(chance: Chance, container: _Container, show: Show, k: int | None = None) -> _Made:
    if show is integer:
        values: list[Any] = chance.ints(chance.between(1, 8), 0, chance.pick((3, 9)))
    else:
        words = [some_word(chance) for _ in range(4)]
        values = [chance.pick(words) for _ in range(chance.between(1, 6))]
    if k is None:
        k = chance.between(0, 1) if chance.happens(0.1) else chance.between(2, 7)
    elements: list[Any] = []
    for x in values:
        elements = container.put(elements, k, x)
    return _Made(f"filled {k} {listing(show)(values)}", elements, k)


def _changed(chance: Chance, container: _Container, show: Show, feature: _Feature) -> tuple[_Made, _Made, list[Any]]:
    """A container before and after the feature, and the elements after its opposite; mostly the three differ."""
    for _ in range(6):
        before = _filled(chance, container, show)
        argument = _argument(chance, show, feature, before.elements)
        made = before.after(feature, show, argument)
        other = feature.other(before.elements, before.k, argument)
        if made.elements not in (before.elements, other):
            break
    return before, made, other


def _argument(chance: Chance, show: Show, feature: _Feature, elements: list[Any]) -> Any:
    if feature.argument == "n":
        return chance.between(0, 4)
    if feature.argument == "":
        return None
    if elements and chance.happens(0.8):
        return chance.pick(elements)
    return chance.between(0, 9) if show is integer else some_word(chance)


# --- functions that return facts --------------------------------------------------------------------------------------


def _gauge(chance: Chance) -> _Observer:
    each = chance.between(2, 5)
    return _Observer(
        "gauge",
        "'a t -> int",
        f"`gauge t` is {each} times the number of its elements, plus its capacity.",
        f"let gauge t = ({each} * List.length t.items) + t.capacity",
        "gauge",
        lambda elements, k: integer(each * len(elements) + k),
    )


def _peek(chance: Chance) -> _Observer:
    position = chance.between(0, 2)
    return _Observer(
        "peek",
        "'a t -> 'a option",
        f"`peek t` is `Some` of the element at position {position}, counted from 0 at the front, or `None` if "
        "there is none.",
        f"let peek t = List.nth_opt t.items {position}",
        "peek",
        lambda elements, k: option(text)(elements[position] if position < len(elements) else None),
        text,
    )


def _total(chance: Chance) -> _Observer:
    each = chance.between(2, 4)
    return _Observer(
        "total",
        "('a -> int) -> 'a t -> int",
        f"`total f t` is the sum of `f x` over all elements `x`, plus {each} for every free place.",
        f"let total f t =\n  let free = t.capacity - List.length t.items in\n"
        f"  List.fold_left (fun sum x -> sum + f x) ({each} * free) t.items",
        "total (fun x -> (2 * x) + 1)",
        lambda elements, k: integer(sum(2 * x + 1 for x in elements) + each * (k - len(elements))),
    )


# --- functions from container to container ----------------------------------------------------------------------------


def _f_arrange(chance: Chance, count: int) -> _Feature:
    tried = [chance.ints(6, 0, 4) for _ in range(6)]
    steps = telling_steps(chance, count, 1, tried, of_anything=True)

    def run(elements: list[Any], k: int, _: Any) -> list[Any]:
        for step in steps:
            elements = [*step.run(elements)]
        return elements

    def other(elements: list[Any], k: int, _: Any) -> list[Any]:
        """Keeps the last of equal elements."""
        for step in steps:
            last = [*dict.fromkeys(elements[::-1])][::-1]
            elements = last if step.ocaml == "unique" else [*step.run(elements)]
        return elements

    said = "; ".join(step.words for step in steps)
    code = " |> ".join(["l", *(step.ocaml for step in steps)])
    return _Feature(
        "arrange",
        "'a t -> 'a t",
        f"`arrange t` takes the list of its elements, from front to end, through these steps, in this order: {said}. "
        "What is left are the new elements.",
        f"({code})",
        "",
        run,
        other if any(step.ocaml == "unique" for step in steps) else lambda v, k, _: v,
        tuple(h for step in steps for h in step.helpers),
    )


def _f_rotate(chance: Chance) -> _Feature:
    away = chance.happens(0.5)
    words = "from the front to the end" if away else "from the end to the front"
    code = (
        "(match l with x :: rest -> rest @ [ x ] | [] -> [])"
        if away
        else "(match List.rev l with x :: rest -> x :: List.rev rest | [] -> [])"
    )
    return _Feature(
        "turn",
        "'a t -> 'a t",
        f"`turn t` moves one element {words}, if there is one.",
        code,
        "",
        lambda v, k, _: v[1:] + v[:1] if away else v[-1:] + v[:-1],
        lambda v, k, _: v[-1:] + v[:-1] if away else v[1:] + v[:1],
    )


def _f_remove(chance: Chance) -> _Feature:
    every = chance.happens(0.5)
    words = (
        "all elements that are equal to `x`"
        if every
        else "the first element from the front that is equal to `x`, if there is one"
    )
    code = (
        "List.filter (fun y -> y <> x) l"
        if every
        else "(let rec go = function y :: rest -> if y = x then rest else y :: go rest | [] -> [] in go l)"
    )

    def run_every(v: list[Any], k: int, x: Any) -> list[Any]:
        return [y for y in v if y != x]

    def run_first(v: list[Any], k: int, x: Any) -> list[Any]:
        place = v.index(x) if x in v else len(v)
        return [*v[:place], *v[place + 1 :]]

    run, other = (run_every, run_first) if every else (run_first, run_every)
    return _Feature("remove", "'a -> 'a t -> 'a t", f"`remove x t` takes out {words}.", code, "x", run, other)


def _f_keep(chance: Chance) -> _Feature:
    front = chance.happens(0.5)
    words = "first" if front else "last"
    code = "List.filteri (fun i _ -> i < n) l" if front else "List.filteri (fun i _ -> i >= List.length l - n) l"
    return _Feature(
        "keep",
        "int -> 'a t -> 'a t",
        f"`keep n t` has only its {words} `n` elements (all if there are fewer); `n` is at least 0.",
        code,
        "n",
        lambda v, k, n: v[:n] if front else v[max(0, len(v) - n) :],
        lambda v, k, n: v[max(0, len(v) - n) :] if front else v[:n],
    )


def _f_raise(chance: Chance) -> _Feature:
    to_front = chance.happens(0.5)
    where = "front" if to_front else "end"
    code = "(let a, b = List.partition (fun y -> y = x) l in " + ("a @ b)" if to_front else "b @ a)")
    return _Feature(
        "favour",
        "'a -> 'a t -> 'a t",
        f"`favour x t` moves all elements that are equal to `x` to the {where}; the others keep their order.",
        code,
        "x",
        lambda v, k, x: [y for y in v if (y == x) == to_front] + [y for y in v if (y == x) != to_front],
        lambda v, k, x: [y for y in v if (y == x) != to_front] + [y for y in v if (y == x) == to_front],
    )


def _f_double(chance: Chance) -> _Feature:
    front = chance.happens(0.5)
    cut = "front" if front else "end"
    code = "List.filteri (fun i _ -> i < k) (List.concat_map (fun x -> [ x; x ]) l)"
    if not front:
        code = "(let d = List.concat_map (fun x -> [ x; x ]) l in List.filteri (fun i _ -> i >= List.length d - k) d)"

    def run(v: list[Any], k: int, _: Any, front: bool = front) -> list[Any]:
        twice = [y for x in v for y in (x, x)]
        return twice[:k] if front else twice[max(0, len(twice) - k) :]

    return _Feature(
        "double",
        "'a t -> 'a t",
        "`double t` has every element twice, the two next to each other; of these only as many as fit, counted from "
        f"the {cut}.",
        code,
        "",
        run,
        lambda v, k, _: run(v, k, _, not front),
    )


def _f_unique(chance: Chance) -> _Feature:
    first = chance.happens(0.5)
    words = "first" if first else "last"
    code = "List.rev (List.fold_left (fun kept x -> if List.mem x kept then kept else x :: kept) [] l)"
    if not first:
        code = "List.fold_right (fun x kept -> if List.mem x kept then kept else x :: kept) l []"

    def run(v: list[Any], k: int, _: Any, first: bool = first) -> list[Any]:
        return [*dict.fromkeys(v)] if first else [*dict.fromkeys(v[::-1])][::-1]

    return _Feature(
        "distinct",
        "'a t -> 'a t",
        f"`distinct t` has of equal elements only the {words} one, counted from the front.",
        code,
        "",
        run,
        lambda v, k, _: run(v, k, _, not first),
    )


_FEATURES = (_f_rotate, _f_remove, _f_keep, _f_raise, _f_double, _f_unique)


FAMILY = Family(
    name="modules.container",
    topics=("modules-functors", "polymorphism"),
    description="a module with an abstract container of a capacity, and rules for when it is full",
    make=_container,
)
