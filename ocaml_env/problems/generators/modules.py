"""Families about modules: functors over a small algebra, and abstract containers with rules of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.letters import some_word
from ocaml_env.problems.generators.steps import any_step, applied, every_step_matters
from ocaml_env.problems.generators.values import Show, atom, integer, listing, option, pair, text
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILIES"]

# --- functors ---------------------------------------------------------------------------------------------------------


class _Algebra(NamedTuple):
    """A module that tests give to the functor: a type with a neutral value, an operation and an order."""

    name: str
    ocaml: str
    show: Show
    draw: Callable[[Chance], Any]
    zero: Any
    join: Callable[[Any, Any], Any]
    less: Callable[[Any, Any], bool]


_ALGEBRAS = (
    _Algebra(
        "Sum",
        "type t = int\nlet zero = 0\nlet join a b = a + b\nlet less a b = a < b",
        integer,
        lambda chance: chance.between(-9, 20),
        0,
        lambda a, b: a + b,
        lambda a, b: a < b,
    ),
    _Algebra(
        "Mix",
        "type t = int\nlet zero = 1\nlet join a b = (2 * a) + b\nlet less a b = a > b",
        integer,
        lambda chance: chance.between(-9, 20),
        1,
        lambda a, b: 2 * a + b,
        lambda a, b: a > b,
    ),
    _Algebra(
        "Word",
        'type t = string\nlet zero = "."\nlet join a b = a ^ b\nlet less a b = String.length a < String.length b',
        text,
        some_word,
        ".",
        lambda a, b: a + b,
        lambda a, b: len(a) < len(b),
    ),
    _Algebra(
        "Pair",
        "type t = int * int\nlet zero = (0, 1)\nlet join (a, b) (c, d) = (a + (b * c), b + d)\nlet less (a, _) (b, _) "
        "= a < b",
        pair(integer, integer),
        lambda chance: (chance.between(-5, 9), chance.between(0, 4)),
        (0, 1),
        lambda x, y: (x[0] + x[1] * y[0], x[1] + y[1]),
        lambda x, y: x[0] < y[0],
    ),
)


class _Asked(NamedTuple):
    """A value of the functor's result: what it takes and what it means."""

    name: str
    kind: str
    words: str
    ocaml: str
    run: Callable[[_Algebra, Any], Any]
    given: str  # "list", "two", "pair" or "count": what it is applied to
    result: str  # "t", "list", "option", "int" or "pair"


def _functor(chance: Chance, level: int) -> Draft:
    name = chance.pick(("Make", "Extend", "Toolkit", "Derive"))
    asked = [_combine(chance), *(make(chance) for make in chance.sample(_ASKED, (1, 2, 2, 3, 4)[level - 1]))]
    algebras = chance.sample(_ALGEBRAS, 3)
    input_words = [
        "`zero`, any value of the type",
        "`join`, which need be neither commutative nor associative, and `zero` need not be neutral for it",
    ]
    ordered = any("less" in one.ocaml for one in asked)
    input_lines = ["type t", "val zero : t", "val join : t -> t -> t"] + (
        ["val less : t -> t -> bool"] if ordered else []
    )
    if ordered:
        input_words.append("`less`, a strict order, in which different values may be equal in rank")
    prelude = "\n\n".join(
        f"module {one.name} = {name} (struct\n" + "\n".join(f"  {line}" for line in one.ocaml.split("\n")) + "\nend)"
        for one in algebras
    )

    def cases() -> Iterator[Case]:
        while True:
            for one in asked:
                algebra = chance.pick(algebras)
                values = [algebra.draw(chance) for _ in range(chance.pick((0, 1, 2, 3, 3, 4, 5)))]
                arguments, value = _given(chance, one.given, algebra, values)
                answer = _shown(one.result, algebra.show)(one.run(algebra, value))
                code = f"{algebra.name}.{one.name} {' '.join(map(atom, arguments))}"
                yield Case(code, answer, answer, answer in arguments, one.name)

    element = "\n".join(f"  {line}" for line in input_lines)
    signature = f"module type ALGEBRA = sig\n{element}\nend\n\nmodule {name} (A : ALGEBRA) : sig\n"
    signature += "\n".join(f"  val {one.name} : {one.kind}" for one in asked) + "\nend"
    body = "\n\n".join("\n".join(f"  {line}" for line in one.ocaml.split("\n")) for one in asked)
    used = [one.name for one in algebras]
    return Draft(
        name=name,
        statement=paragraphs(
            f"Write a functor `{name}` that makes functions from a type with a few operations. Its argument has "
            f"{series(input_words)}.",
            "The result has these functions:",
            bullets(one.words for one in asked),
            f"In the tests {series([f'`{one}`' for one in used])} are modules that the functor made of different "
            "arguments.",
        ),
        signature=signature,
        reference=module(
            f"module type ALGEBRA = sig\n{element}\nend", f"module {name} (A : ALGEBRA) = struct\n{body}\nend"
        ),
        prelude=prelude,
        cases=cases(),
        hidden=16 if len(asked) < 5 else 20,
        groups=tuple(one.name for one in asked),
    )


def _given(chance: Chance, kind: str, algebra: _Algebra, values: list[Any]) -> tuple[list[str], Any]:
    """Arguments of this kind, as text and as the value that ``run`` takes."""
    if kind == "list":
        return [listing(algebra.show)(values)], values
    first, second, k = algebra.draw(chance), algebra.draw(chance), chance.between(0, 5)
    if kind == "pair":
        return [algebra.show(first), algebra.show(second)], (first, second)
    if kind == "two":
        return [algebra.show(first), listing(algebra.show)(values)], (first, values)
    return [integer(k), algebra.show(first)], (k, first)


def _shown(result: str, show: Show) -> Show:
    return {
        "t": show,
        "list": listing(show),
        "option": option(show),
        "int": integer,
        "pair": pair(listing(show), listing(show)),
    }[result]


Term = tuple[str, Callable[[_Algebra, Any, Any], Any]]


def _term(chance: Chance, depth: int) -> Term:
    """A value made of x and y, as OCaml without the module's name."""
    if depth == 0 or chance.happens(0.2):
        leaves: tuple[Term, ...] = (
            ("x", lambda a, x, y: x),
            ("y", lambda a, x, y: y),
            ("x", lambda a, x, y: x),
            ("y", lambda a, x, y: y),
            ("zero", lambda a, x, y: a.zero),
        )
        return chance.pick(leaves)
    left, run_left = _term(chance, depth - 1)
    right, run_right = _term(chance, depth - 1)
    return (
        f"join {_enclosed(left)} {_enclosed(right)}",
        lambda a, x, y: a.join(run_left(a, x, y), run_right(a, x, y)),
    )


def _enclosed(code: str) -> str:
    return f"({code})" if " " in code else code


def _combine(chance: Chance) -> _Asked:
    first, run_first = _term(chance, 1)
    second, run_second = _term(chance, 1)
    yes, run_yes = _term(chance, 2)
    no, run_no = _term(chance, 2)
    if yes == no or first == second:
        raise Unfit
    test = f"less {_enclosed(first)} {_enclosed(second)}"
    words = f"`combine x y` is `{yes}` if `{test}`, and `{no}` otherwise."
    code = f"let combine x y = if {test} then {yes} else {no}"
    for name in ("join", "less", "zero"):
        code = code.replace(name, f"A.{name}")

    def run(a: _Algebra, given: tuple[Any, Any]) -> Any:
        x, y = given
        return (run_yes if a.less(run_first(a, x, y), run_second(a, x, y)) else run_no)(a, x, y)

    return _Asked("combine", "A.t -> A.t -> A.t", words, code, run, "pair", "t")


def _fold(chance: Chance) -> _Asked:
    kind = chance.pick(("left", "right", "halves"))
    words = {
        "left": "`fold l` begins with `zero` and joins the elements to it from left to right: `join (join zero x1) "
        "x2`, and so on. "
        "It is `zero` for the empty list.",
        "right": "`fold l` joins the elements from the right, the last one with `zero`: `join x1 (join x2 zero)` for "
        "two of them. It "
        "is `zero` for the empty list.",
        "halves": "`fold l` is `zero` for the empty list and `x` for the list `[x]`; a longer list is split into its "
        "first `n / 2` "
        "elements, where `n` is their number, and the others, and it is the `join` of the folds of these two, the "
        "first one first.",
    }[kind]
    code = {
        "left": "let fold l = List.fold_left A.join A.zero l",
        "right": "let fold l = List.fold_right A.join l A.zero",
        "halves": "let rec fold = function\n  | [] -> A.zero\n  | [ x ] -> x\n  | l ->\n    let half = List.length l "
        "/ 2 in\n"
        "    A.join (fold (List.filteri (fun i _ -> i < half) l)) (fold (List.filteri (fun i _ -> i >= half) l))",
    }[kind]

    def run(a: _Algebra, values: Sequence[Any]) -> Any:
        if kind == "halves":
            if len(values) <= 1:
                return values[0] if values else a.zero
            half = len(values) // 2
            return a.join(run(a, values[:half]), run(a, values[half:]))
        made = a.zero
        for value in values if kind == "left" else values[::-1]:
            made = a.join(made, value) if kind == "left" else a.join(value, made)
        return made

    return _Asked("fold", "A.t list -> A.t", words, code, run, "list", "t")


def _scan(chance: Chance) -> _Asked:
    first = chance.happens(0.5)
    start = "begins with `zero`, and then has" if first else "has"
    code = "let scan l =\n  let add (x, made) y =\n    let x = A.join x y in\n    (x, x :: made)\n  in\n"
    code += f"  List.rev (snd (List.fold_left add (A.zero, [{' A.zero ' if first else ''}]) l))"

    def run(a: _Algebra, values: Sequence[Any]) -> Any:
        made = [a.zero]
        for value in values:
            made.append(a.join(made[-1], value))
        return made if first else made[1:]

    words = (
        f"`scan l` {start}, for each element, in order, the `join` of the value before it in this result (`zero` for "
        "the first "
        "element) and of the element."
    )
    return _Asked("scan", "A.t list -> A.t list", words, code, run, "list", "list")


def _power(chance: Chance) -> _Asked:
    left = chance.happens(0.5)
    words = (
        f"`power k x` begins with `zero` and replaces it `k` times by its `join` with `x`, where `x` is the "
        f"{'second' if left else 'first'} argument of `join`. `k` is at least 0."
    )
    call = "A.join (power (k - 1) x) x" if left else "A.join x (power (k - 1) x)"

    def run(a: _Algebra, given: tuple[int, Any]) -> Any:
        made = a.zero
        for _ in range(given[0]):
            made = a.join(made, given[1]) if left else a.join(given[1], made)
        return made

    code = f"let rec power k x = if k = 0 then A.zero else {call}"
    return _Asked("power", "int -> A.t -> A.t", words, code, run, "count", "t")


def _best(chance: Chance) -> _Asked:
    least, last = chance.happens(0.5), chance.happens(0.5)
    words = (
        f"`best l` is `Some` of the {'least' if least else 'greatest'} element by `less`, of several that are equal "
        "in rank the "
        f"{'last' if last else 'first'} one; it is `None` for the empty list."
    )
    # x is better than y, which comes before it.
    better = {
        (True, False): "A.less x y",
        (True, True): "not (A.less y x)",
        (False, False): "A.less y x",
        (False, True): "not (A.less x y)",
    }[least, last]
    code = "let best = function\n  | [] -> None\n  | first :: rest -> Some (List.fold_left (fun y x -> if "
    code += f"{better} then x else y) first rest)"

    def run(a: _Algebra, values: Sequence[Any]) -> Any:
        if not values:
            return None
        made = values[0]
        for x in values[1:]:
            wins, loses = (a.less(x, made), a.less(made, x)) if least else (a.less(made, x), a.less(x, made))
            if wins or (last and not loses):
                made = x
        return made

    return _Asked("best", "A.t list -> A.t option", words, code, run, "list", "option")


def _insert(chance: Chance) -> _Asked:
    after = chance.happens(0.5)
    words = (
        "`insert x l` puts `x` into a list: in front of the first element `y` "
        + ("such that `less x y`" if after else "such that `less y x` is false")
        + ", or at the end if there is none. The list need not be in order."
    )
    test = "A.less x y" if after else "not (A.less y x)"
    code = f"let rec insert x = function\n  | y :: rest when not ({test}) -> y :: insert x rest\n  | l -> x :: l"

    def run(a: _Algebra, given: tuple[Any, Sequence[Any]]) -> Any:
        x, values = given
        place = next((i for i, y in enumerate(values) if (a.less(x, y) if after else not a.less(y, x))), len(values))
        return [*values[:place], x, *values[place:]]

    return _Asked("insert", "A.t -> A.t list -> A.t list", words, code, run, "two", "list")


def _neighbours(chance: Chance) -> _Asked:
    turned = chance.happens(0.5)
    words = (
        "`neighbours l` has, for every two neighbours `x` and, directly behind it, `y`, in order, `"
        + ("join y x" if turned else "join x y")
        + "`. It is empty for fewer than two elements."
    )
    call = "A.join y x" if turned else "A.join x y"
    code = f"let rec neighbours = function\n  | x :: (y :: _ as rest) -> {call} :: neighbours rest\n  | _ -> []"

    def run(a: _Algebra, values: Sequence[Any]) -> Any:
        return [a.join(y, x) if turned else a.join(x, y) for x, y in pairwise(values)]

    return _Asked("neighbours", "A.t list -> A.t list", words, code, run, "list", "list")


def _rises(chance: Chance) -> _Asked:
    k = chance.between(0, 3)
    words = (
        "`rises l` is the number of neighbours `x` and, directly behind it, `y` such that `less x y`"
        + (f", plus {k}" if k else "")
        + "."
    )
    code = "let rec rises = function\n  | x :: (y :: _ as rest) -> (if A.less x y then 1 else 0) + rises rest\n"
    code += f"  | _ -> {k}"

    def run(a: _Algebra, values: Sequence[Any]) -> Any:
        return k + sum(a.less(x, y) for x, y in pairwise(values))

    return _Asked("rises", "A.t list -> int", words, code, run, "list", "int")


def _split(chance: Chance) -> _Asked:
    kept = chance.happens(0.5)
    words = (
        "`split x l` is a pair of two lists: of the elements `y` of `l` such that "
        + ("`less y x`" if kept else "`less x y`")
        + ", and of all others; both keep their order."
    )
    test = "A.less y x" if kept else "A.less x y"

    def run(a: _Algebra, given: tuple[Any, Sequence[Any]]) -> Any:
        x, values = given
        chosen = [bool(a.less(y, x) if kept else a.less(x, y)) for y in values]
        yes = [y for y, one in zip(values, chosen, strict=True) if one]
        return yes, [y for y, one in zip(values, chosen, strict=True) if not one]

    code = f"let split x l = List.partition (fun y -> {test}) l"
    return _Asked("split", "A.t -> A.t list -> A.t list * A.t list", words, code, run, "two", "pair")


def _spread(chance: Chance) -> _Asked:
    every = chance.between(1, 3)
    words = (
        f"`spread x l` joins `x` to every element of `l` at the positions 0, {every}, {2 * every} and so on, counted "
        "from 0, as "
        "`join x y` for the element `y`, and leaves the others as they are."
    )
    code = f"let spread x l = List.mapi (fun i y -> if i mod {every} = 0 then A.join x y else y) l"

    def run(a: _Algebra, given: tuple[Any, Sequence[Any]]) -> Any:
        x, values = given
        return [a.join(x, y) if i % every == 0 else y for i, y in enumerate(values)]

    return _Asked("spread", "A.t -> A.t list -> A.t list", words, code, run, "two", "list")


_ASKED = (_fold, _scan, _power, _best, _insert, _neighbours, _rises, _split, _spread)


# --- abstract containers ----------------------------------------------------------------------------------------------


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
        "without it, or "
        "`None` if it is empty.",
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
            k = chance.pick((0, 1, 2, 3, 3, 4, 5))
            elements: list[Any] = []
            for x in values:
                elements = put(elements, k, x)
            shown = listing(show)(values)
            made = f"filled {k} {shown}"
            if chance.happens(0.2):
                yield Case(f"items ({made})", listing(show)(elements), listing(show)(elements))
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
            kind = chance.pick(("items", "items", "take", *observers))
            if kind == "take":
                n = chance.between(1, 3)
                out: list[Any] = []
                left = elements
                while len(out) < n and (found := take(left)):
                    out.append(found[0])
                    left = found[1]
                answer = pair(listing(show), listing(show))((out, left))
                yield Case(f"emptied {n} ({made})", answer, answer)
            elif kind == "size":
                yield Case(f"size ({made})", str(len(elements)), str(len(elements)))
            elif kind == "peek":
                answer = option(show)(elements[position] if position < len(elements) else None)
                yield Case(f"peek ({made})", answer, answer)
            elif kind == "total":
                size = show is integer
                f = "(fun x -> x + 1)" if size else "String.length"
                count = sum(x + 1 if size else len(x) for x in elements) + observer_k * (k - len(elements))
                yield Case(f"total {f} ({made})", integer(count), integer(count))
            else:
                answer = listing(show)(elements)
                yield Case(f"items ({made})", answer, answer)

    return Draft(
        name=name,
        statement=paragraphs(
            f"Write a module `{name}` with an abstract type `'a t` of containers that have a front and an end and "
            "hold at most as "
            "many elements as their capacity, which never changes. Nothing is changed in place: each function returns "
            "a new "
            "container.",
            bullets(lines),
            "In the tests the module is open, `filled k l` puts the elements of the list `l`, in order, into an empty "
            "container with "
            "the capacity `k`, and `emptied n t` takes up to `n` elements and gives the list of them, the first one "
            "taken first, and "
            "the list of the items left.",
        ),
        signature=signature,
        reference=module(features[0].helpers, code),
        prelude=prelude,
        cases=cases(),
        hidden=16,
    )


def _contents(chance: Chance) -> tuple[Show, list[Any]]:
    if chance.happens(0.5):
        return integer, chance.ints(chance.between(1, 6), 0, 9)
    return text, [some_word(chance) for _ in range(chance.between(1, 5))]


def _f_arrange(chance: Chance, count: int) -> _Feature:
    steps = [any_step(chance) for _ in range(count)]
    if len({step.ocaml for step in steps}) < count:
        raise Unfit
    tried = [chance.ints(6, 0, 4) for _ in range(6)]
    if not every_step_matters(steps, tried):
        raise Unfit
    said = "; ".join(step.words for step in steps)
    code = " |> ".join(["l", *(step.ocaml for step in steps)])
    return _Feature(
        "arrange",
        "'a t -> 'a t",
        f"`arrange t` takes the list of its elements, from front to end, through these steps, in this order: {said}. "
        "What is left "
        "are the new elements.",
        f"({code})",
        "",
        lambda v, k, _: [*applied(steps, v)],
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
        f"`distinct t` has of equal elements only the {words} one, from the front.",
        code,
        "",
        run,
    )


_FEATURES = (_f_rotate, _f_remove, _f_keep, _f_raise, _f_double, _f_unique)


FAMILIES = (
    Family(
        name="modules.functor",
        topics=("modules-functors", "lists"),
        description="a functor that makes functions of a type with an operation and an order",
        make=_functor,
    ),
    Family(
        name="modules.container",
        topics=("modules-functors", "polymorphism"),
        description="a module with an abstract container of a capacity, and rules for when it is full",
        make=_container,
    ),
)
