"""A module with an abstract container of a capacity, and rules for when it is full."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.letters import some_word
from ocaml_env.problems.generators.steps import any_step, every_step_matters
from ocaml_env.problems.generators.values import Show, atom, integer, listing, option, pair, text
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]


class _Feature(NamedTuple):
    """A function from container to container; the elements are a list, and ``k`` the capacity."""

    name: str
    kind: str  # its type in OCaml
    words: str
    ocaml: str  # the new elements, from x or n, the elements l and the capacity k
    argument: str  # "", "x" or "n"
    run: Callable[[list[Any], int, Any], list[Any]]
    helpers: tuple[str, ...] = ()


def _container(chance: Chance, level: int) -> Draft:
    name = chance.pick(("Shelf", "Tray", "Belt", "Rack", "Buffer"))
    policy = chance.pick(("oldest", "newest", "ignore"))
    front = chance.happens(0.5)  # where elements are put
    features = [_f_arrange(chance, 2 if level == 1 else 3)]
    features += [make(chance) for make in chance.sample(_FEATURES, level)]
    take_front = chance.happens(0.5)
    observers = chance.sample(("size", "peek", "total"), (0, 1, 1, 2, 2)[level - 1])
    observer_k = chance.between(1, 3)

    def put(elements: list[Any], k: int, x: Any) -> list[Any]:
        if len(elements) < k:
            return [x, *elements] if front else [*elements, x]
        if policy == "ignore" or k == 0:
            return elements
        if policy == "oldest":  # what is at the other end leaves
            return [x, *elements[:-1]] if front else [*elements[1:], x]
        return [x, *elements[1:]] if front else [*elements[:-1], x]

    def take(elements: list[Any]) -> tuple[Any, list[Any]] | None:
        if not elements:
            return None
        return (elements[0], elements[1:]) if take_front else (elements[-1], elements[:-1])

    put_end, other = ("front", "end") if front else ("end", "front")
    full = {
        "ignore": "If it is full, nothing changes.",
        "oldest": f"If it is full, the element at the {other} leaves it for that (with the capacity 0 nothing "
        "changes).",
        "newest": f"If it is full, `x` replaces the element at the {put_end} (with the capacity 0 nothing changes).",
    }[policy]
    position = observer_k - 1
    described = {
        "size": (
            "val size : 'a t -> int",
            "`size t` is the number of its elements.",
            "let size t = List.length t.items",
        ),
        "peek": (
            "val peek : 'a t -> 'a option",
            f"`peek t` is `Some` of the element at position {position}, counted from 0 at the front, or `None` if "
            "there is none.",
            f"let peek t = List.nth_opt t.items {position}",
        ),
        "total": (
            "val total : ('a -> int) -> 'a t -> int",
            f"`total f t` is the sum of `f x` over all elements `x`, plus {observer_k} for every free place.",
            f"let total f t = List.fold_left (fun sum x -> sum + f x) ({observer_k} * (t.capacity - List.length "
            "t.items)) t.items",
        ),
    }
    lines = [
        "`create k` is an empty one with the capacity `k`, which is at least 0.",
        f"`put x t` adds `x` at the {put_end}. {full}",
        f"`take t` is `Some` of the pair of the element at the {'front' if take_front else 'end'} and of what is left "
        "without it, or `None` if it is empty.",
        *(feature.words for feature in features),
        *(described[one][1] for one in observers),
        "`items t` is the list of its elements from front to end.",
    ]
    values = [
        "type 'a t",
        "val create : int -> 'a t",
        "val put : 'a -> 'a t -> 'a t",
        "val take : 'a t -> ('a * 'a t) option",
        *(f"val {feature.name} : {feature.kind}" for feature in features),
        *(described[one][0] for one in observers),
        "val items : 'a t -> 'a list",
    ]
    signature = f"module {name} : sig\n" + "\n".join(f"  {line}" for line in values) + "\nend"
    added = "{ t with items = x :: t.items }" if front else "{ t with items = t.items @ [ x ] }"
    replaced = {
        "ignore": "t",
        "oldest": "{ t with items = x :: without_last t.items }"
        if front
        else "{ t with items = List.tl t.items @ [ x ] }",
        "newest": "{ t with items = x :: List.tl t.items }"
        if front
        else "{ t with items = without_last t.items @ [ x ] }",
    }[policy]
    if policy != "ignore":
        replaced = f"if t.capacity = 0 then t\n  else {replaced}"
    taken = (
        "match t.items with x :: rest -> Some (x, { t with items = rest }) | [] -> None"
        if take_front
        else "match List.rev t.items with x :: rest -> Some (x, { t with items = List.rev rest }) | [] -> None"
    )
    body = [
        "type 'a t = { capacity : int; items : 'a list }",
        *(
            ["let without_last l = List.filteri (fun i _ -> i < List.length l - 1) l"]
            if "without_last" in replaced
            else []
        ),
        "let create capacity = { capacity; items = [] }",
        f"let put x t =\n  if List.length t.items < t.capacity then {added}\n  else {replaced}",
        f"let take t = {taken}",
        *(
            f"let {feature.name} {feature.argument + ' ' if feature.argument else ''}t =\n"
            + ("  let k = t.capacity in\n" if feature.name == "double" else "")
            + f"  let l = t.items in\n  {{ t with items = {feature.ocaml} }}"
            for feature in features
        ),
        *(described[one][2] for one in observers),
        "let items t = t.items",
    ]
    code = f"module {name} = struct\n" + "\n\n".join(
        "\n".join(f"  {line}" for line in part.split("\n")) for part in body
    )
    code += "\nend"
    prelude = f"""\
open {name}

let filled k l = List.fold_left (fun t x -> put x t) (create k) l

let rec emptied n t =
  if n = 0 then ([], items t)
  else
    match take t with
    | Some (x, t) ->
      let taken, left = emptied (n - 1) t in
      (x :: taken, left)
    | None -> ([], items t)"""

    def cases() -> Iterator[Case]:
        turn = 0
        while True:
            show, values = _contents(chance)
            k = chance.pick((0, 1, 2, 3, 4, 5, 6, 7))
            elements: list[Any] = []
            for x in values:
                elements = put(elements, k, x)
            shown = listing(show)(values)
            made = f"filled {k} {shown}"
            if chance.happens(0.1):
                yield _observed("items", made, listing(show)(elements))
            before = elements
            for _ in range(chance.pick((1, 1, 2))):
                turn += 1
                feature = features[turn % len(features)]
                argument: Any = None
                if feature.argument == "x":
                    argument = chance.pick(values) if values and chance.happens(0.6) else _contents(chance)[1][0]
                    if values and type(argument) is not type(values[0]):
                        argument = values[0]
                    if not values:
                        continue
                    made = f"{feature.name} {atom(show(argument))} ({made})"
                elif feature.argument == "n":
                    argument = chance.between(0, 4)
                    made = f"{feature.name} {argument} ({made})"
                else:
                    made = f"{feature.name} ({made})"
                elements = feature.run(elements, k, argument)
            same = elements == before
            kind = chance.pick(("items", "items", "take", *observers))
            if kind == "take":
                n = chance.between(1, 3)
                out: list[Any] = []
                left = elements
                while len(out) < n and (found := take(left)):
                    out.append(found[0])
                    left = found[1]
                answer = pair(listing(show), listing(show))((out, left))
                # A `take` that always gives the same lets as many elements be taken as one likes.
                constant = pair(listing(show), listing(show))((out[:1], left))
                yield Case(f"emptied {n} ({made})", answer, constant, same, "take")
            elif kind == "size":
                yield _observed("size", made, integer(len(elements)), same)
            elif kind == "peek":
                answer = option(show)(elements[position] if position < len(elements) else None)
                yield _observed("peek", made, answer, same)
            elif kind == "total":
                size = show is integer
                f = "(fun x -> x + 1)" if size else "String.length"
                count = sum(x + 1 if size else len(x) for x in elements) + observer_k * (k - len(elements))
                yield _observed("total", made, integer(count), same, f"total {f}")
            else:
                yield _observed("items", made, listing(show)(elements), same)

    return Draft(
        name=name,
        statement=paragraphs(
            f"Write a module `{name}` with an abstract type `'a t` of containers that have a front and an end and "
            "hold at most as many elements as their capacity, which never changes. Nothing is changed in place: each "
            "function returns a new container.",
            bullets(lines),
            "In the tests the module is open, `filled k l` puts the elements of the list `l`, in order, into an empty "
            "container with the capacity `k`, and `emptied n t` takes up to `n` elements and gives the list of them, "
            "the first one taken first, and the list of the items left.",
        ),
        signature=signature,
        reference=module(features[0].helpers, code),
        prelude=prelude,
        cases=cases(),
        hidden=16 if level < 4 else 20,
        groups=("items", "take", *observers),
    )


def _observed(observer: str, made: str, answer: str, same: bool = False, function: str = "") -> Case:
    """What an observer tells of a container; ``same`` where what was done to it changed nothing."""
    return Case(f"{function or observer} ({made})", answer, answer, same, observer)


def _contents(chance: Chance) -> tuple[Show, list[Any]]:
    if chance.happens(0.5):
        return integer, chance.ints(chance.between(1, 8), 0, chance.pick((3, 9)))
    words = [some_word(chance) for _ in range(4)]
    return text, [chance.pick(words) for _ in range(chance.between(1, 6))]


def _f_arrange(chance: Chance, count: int) -> _Feature:
    steps = [any_step(chance) for _ in range(count)]
    if len({step.ocaml for step in steps}) < count:
        raise Unfit
    tried = [chance.ints(6, 0, 4) for _ in range(6)]
    if not every_step_matters(steps, tried):
        raise Unfit

    def run(elements: list[Any], k: int, _: Any) -> list[Any]:
        for step in steps:
            elements = [*step.run(elements)]
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
        lambda v, k, _: ([*v[1:], v[0]] if away else [v[-1], *v[:-1]]) if v else v,
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

    def run(v: list[Any], k: int, x: Any) -> list[Any]:
        if every:
            return [y for y in v if y != x]
        place = v.index(x) if x in v else len(v)
        return [*v[:place], *v[place + 1 :]]

    return _Feature("remove", "'a -> 'a t -> 'a t", f"`remove x t` takes out {words}.", code, "x", run)


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
    )


def _f_double(chance: Chance) -> _Feature:
    front = chance.happens(0.5)
    cut = "front" if front else "end"
    code = "List.filteri (fun i _ -> i < k) (List.concat_map (fun x -> [ x; x ]) l)"
    if not front:
        code = "(let d = List.concat_map (fun x -> [ x; x ]) l in List.filteri (fun i _ -> i >= List.length d - k) d)"

    def run(v: list[Any], k: int, _: Any) -> list[Any]:
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
    )


def _f_unique(chance: Chance) -> _Feature:
    first = chance.happens(0.5)
    words = "first" if first else "last"
    code = "List.rev (List.fold_left (fun kept x -> if List.mem x kept then kept else x :: kept) [] l)"
    if not first:
        code = "List.fold_right (fun x kept -> if List.mem x kept then kept else x :: kept) l []"

    def run(v: list[Any], k: int, _: Any) -> list[Any]:
        return [*dict.fromkeys(v)] if first else [*dict.fromkeys(v[::-1])][::-1]

    return _Feature(
        "distinct",
        "'a t -> 'a t",
        f"`distinct t` has of equal elements only the {words} one, counted from the front.",
        code,
        "",
        run,
    )


_FEATURES = (_f_rotate, _f_remove, _f_keep, _f_raise, _f_double, _f_unique)


FAMILY = Family(
    name="modules.container",
    topics=("modules-functors", "polymorphism"),
    description="a module with an abstract container of a capacity, and rules for when it is full",
    make=_container,
)
