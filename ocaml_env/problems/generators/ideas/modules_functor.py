"""A functor that makes functions from a type with an operation and an order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import Show, atom, integer, listing, option, pair, text
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]


class _Algebra(NamedTuple):
    """A module passed by tests to the functor: a type with a neutral value, an operation and an order."""

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
        "type t = int\nlet zero = 3\nlet join a b = a + b\nlet less a b = a < b",
        integer,
        lambda chance: chance.between(-9, 20),
        3,  # not neutral: no rule promises that it is
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
        'type t = string\nlet zero = "."\nlet join a b = "(" ^ a ^ b ^ ")"\n'
        "let less a b = String.length a < String.length b",
        text,
        lambda chance: chance.pick(("a", "b", "c", "de", "fg", "hi", "jkl", "mno")),
        ".",
        lambda a, b: f"({a}{b})",
        lambda a, b: len(a) < len(b),
    ),
    _Algebra(
        "Pair",
        "type t = int * int\n"
        "let zero = (0, 1)\n"
        "let join (a, b) (c, d) = (a + (b * c), b + d)\n"
        "let less (a, _) (b, _) = a < b",
        pair(integer, integer),
        lambda chance: (chance.between(-2, 3), chance.between(0, 4)),
        (0, 1),
        lambda x, y: (x[0] + x[1] * y[0], x[1] + y[1]),
        lambda x, y: x[0] < y[0],
    ),
)


class _Asked(NamedTuple):
    """A value of the functor's result: its arguments and its meaning."""

    name: str
    kind: str
    words: str
    ocaml: str
    run: Callable[[_Algebra, Any], Any]
    given: str  # "list", "two", "pair" or "count": the kind of its arguments
    result: str  # "t", "list", "option", "int" or "pair"


_SUM, _MIX, _WORD, _PAIR = _ALGEBRAS


def _functor(chance: Chance, level: int) -> Draft:
    name = chance.pick(("Make", "Extend", "Toolkit", "Derive"))
    asked = [_combine(chance), *(make(chance) for make in chance.sample(_ASKED, (1, 2, 2, 3, 4)[level - 1]))]
    given = [_arguments(chance, value) for value in asked]
    if not _both_tell(chance, asked[0], given[0]):
        raise Unfit
    algebras = [algebra for algebra in _ALGEBRAS if any(algebra in each for each in given)]
    prelude = "\n\n".join(
        f"module {algebra.name} = {name} (struct\n"
        + "\n".join(f"  {line}" for line in algebra.ocaml.split("\n"))
        + "\nend)"
        for algebra in algebras
    )
    ordered = any("less" in value.ocaml for value in asked)
    element = "  type t\n  val zero : t\n  val join : t -> t -> t" + (
        "\n  val less : t -> t -> bool" if ordered else ""
    )
    values = "\n".join(f"  val {value.name} : {value.kind}" for value in asked)
    body = "\n\n".join("\n".join(f"  {line}" for line in value.ocaml.split("\n")) for value in asked)
    declared = f"module type ALGEBRA = sig\n{element}\nend"
    return Draft(
        name=name,
        statement=_statement(name, asked, algebras, ordered),
        signature=f"{declared}\n\nmodule {name} (A : ALGEBRA) : sig\n{values}\nend",
        reference=module(declared, f"module {name} (A : ALGEBRA) = struct\n{body}\nend"),
        prelude=prelude,
        cases=_cases(chance, asked, given),
        hidden=16 if len(asked) < 5 else 20,
        groups=tuple(value.name for value in asked),
    )


def _statement(name: str, asked: Sequence[_Asked], algebras: Sequence[_Algebra], ordered: bool) -> str:
    operations = [
        "`zero`, any value of the type, which need not be neutral for `join`",
        "`join`, which need be neither commutative nor associative",
    ]
    if ordered:
        operations.append("`less`, a strict order, in which different values may be equal in rank")
    made = f"{series([f'`{algebra.name}`' for algebra in algebras])} "
    made += "are modules that the functor made of different arguments."
    if len(algebras) == 1:
        made = f"`{algebras[0].name}` is a module that the functor made."
    return paragraphs(
        f"Write a functor `{name}` that makes functions from a type `t` with a few operations. Its argument has",
        bullets(f"{operation};" for operation in operations).removesuffix(";") + ".",
        "The result has these functions:",
        bullets(value.words for value in asked),
        f"In the tests {made}",
    )


def _arguments(chance: Chance, asked: _Asked) -> Sequence[_Algebra]:
    """The functor's arguments in tests of a function. Several tests may be joined in a list, so answers have one type.

    For functions that use the order, different values may be equal in rank.
    """
    if asked.result == "int":
        return (_WORD, _PAIR)
    if "less" in asked.ocaml:
        return chance.pick(((_WORD,), (_PAIR,)))
    return chance.pick(((_SUM, _MIX), (_WORD,), (_PAIR,)))


def _both_tell(chance: Chance, combine: _Asked, algebras: Sequence[_Algebra]) -> bool:
    """True if a fixed answer of its test, true or false, changes ``combine`` for some values each."""
    shown = [0, 0]
    for _ in range(20):
        algebra = chance.pick(algebras)
        x, y = algebra.draw(chance), algebra.draw(chance)
        made = combine.run(algebra, (x, y))
        shown[0] += made != combine.run(algebra._replace(less=lambda a, b: True), (x, y))
        shown[1] += made != combine.run(algebra._replace(less=lambda a, b: False), (x, y))
    return min(shown) >= 4


def _cases(chance: Chance, asked: Sequence[_Asked], given: Sequence[Sequence[_Algebra]]) -> Iterator[Case]:
    while True:
        for value, algebras in zip(asked, given, strict=True):
            yield _case(chance, value, chance.pick(algebras))
            if value.result == "int":  # few different answers
                yield _case(chance, value, chance.pick(algebras))


def _case(chance: Chance, asked: _Asked, algebra: _Algebra) -> Case:
    length = chance.between(1, 14) if asked.result == "int" else chance.pick((0, 1, 2, 3, 3, 4, 5, 8))
    arguments, value = _given(chance, asked.given, algebra, [algebra.draw(chance) for _ in range(length)])
    answer = _shown(asked.result, algebra.show)(asked.run(algebra, value))
    code = f"{algebra.name}.{asked.name} {' '.join(map(atom, arguments))}"
    return Case(code, answer, answer, answer in arguments, asked.name)


def _given(chance: Chance, kind: str, algebra: _Algebra, values: list[Any]) -> tuple[list[str], Any]:
    """Arguments of this kind, as text and as the value for ``run``."""
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
    """A value made from x and y, as OCaml without the module's name."""
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
    if yes == no or first == second or " " not in yes or " " not in no:  # a mere argument as result shows little
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
        "x2`, and so on. It is `zero` for the empty list.",
        "right": "`fold l` joins the elements from the right, the last one with `zero`: `join x1 (join x2 zero)` for "
        "two of them. It is `zero` for the empty list.",
        "halves": "`fold l` is `zero` for the empty list and `x` for the list `[x]`; a longer list is split into its "
        "first `n / 2` elements, where `n` is their number, and the others, and it is the `join` of the folds of "
        "these two, the first one first.",
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
        "the first element) and of the element."
    )
    return _Asked("scan", "A.t list -> A.t list", words, code, run, "list", "list")


def _power(chance: Chance) -> _Asked:
    left = chance.happens(0.5)
    words = (
        "`power k x` begins with `zero` and replaces it `k` times by its `join` with `x`, where `x` is the "
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
        f"`best l` is `Some` of the {'least' if least else 'greatest'} element by `less`, of several that are equal in "
        f"rank the {'last' if last else 'first'} one; it is `None` for the empty list."
    )
    # The condition for x to be better than y, which comes before it.
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
        yes = [y for y, is_chosen in zip(values, chosen, strict=True) if is_chosen]
        return yes, [y for y, is_chosen in zip(values, chosen, strict=True) if not is_chosen]

    code = f"let split x l = List.partition (fun y -> {test}) l"
    return _Asked("split", "A.t -> A.t list -> A.t list * A.t list", words, code, run, "two", "pair")


def _spread(chance: Chance) -> _Asked:
    every = chance.between(2, 3)
    words = (
        f"`spread x l` joins `x` to every element of `l` at the positions 0, {every}, {2 * every} and so on, counted "
        "from 0, as `join x y` for the element `y`, and leaves the others as they are."
    )
    code = f"let spread x l = List.mapi (fun i y -> if i mod {every} = 0 then A.join x y else y) l"

    def run(a: _Algebra, given: tuple[Any, Sequence[Any]]) -> Any:
        x, values = given
        return [a.join(x, y) if i % every == 0 else y for i, y in enumerate(values)]

    return _Asked("spread", "A.t -> A.t list -> A.t list", words, code, run, "two", "list")


_ASKED = (_fold, _scan, _power, _best, _insert, _neighbours, _rises, _split, _spread)


FAMILY = Family(
    name="modules.functor",
    topics=("modules-functors", "lists"),
    description="a functor that makes functions of a type with an operation and an order",
    make=_functor,
)
