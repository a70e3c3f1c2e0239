"""Steps from an integer list to an integer list, to be composed.

The ``ocaml`` of a step is a function, for use after ``|>``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.ints import Op, int_map, int_test, joined_test

__all__ = [
    "any_step",
    "applied",
    "every_part_matters",
    "every_step_matters",
    "list_step",
    "list_steps",
    "pipe",
    "telling_steps",
]

Ints = Sequence[int]

_SQUEEZE = """\
let rec squeeze = function
  | a :: (b :: _ as rest) when a = b -> squeeze rest
  | a :: rest -> a :: squeeze rest
  | [] -> []"""
_UNIQUE = """\
let unique l =
  List.rev (List.fold_left (fun kept x -> if List.mem x kept then kept else x :: kept) [] l)"""
_TOTALS = """\
let totals l =
  let add (sum, made) x = (sum + x, (sum + x) :: made) in
  List.rev (snd (List.fold_left add (0, []) l))"""
_RECORDS = """\
let maxima = function
  | [] -> []
  | first :: rest ->
    let add (best, made) x = (max best x, max best x :: made) in
    List.rev (snd (List.fold_left add (first, [ first ]) rest))"""
_DIFFERENCES = """\
let rec differences = function
  | a :: (b :: _ as rest) -> (b - a) :: differences rest
  | _ -> []"""
_ROTATE = """\
let rec rotate k = function
  | x :: rest when k > 0 -> rotate (k - 1) (rest @ [ x ])
  | l -> l"""
_SWAP = """\
let rec swap_pairs = function
  | a :: b :: rest -> b :: a :: swap_pairs rest
  | l -> l"""
_TAKE_WHILE = """\
let rec take_while p = function
  | x :: rest when p x -> x :: take_while p rest
  | _ -> []"""
_DROP_WHILE = """\
let rec drop_while p = function
  | x :: rest when p x -> drop_while p rest
  | l -> l"""
_BLOCK_SUMS = """\
let block_sums k l =
  let add (made, sum, n) x = if n = k then (sum :: made, x, 1) else (made, sum + x, n + 1) in
  let made, sum, n = List.fold_left add ([], 0, 0) l in
  List.rev (if n = 0 then made else sum :: made)"""
_INTERSPERSE = """\
let rec intersperse k = function
  | a :: (_ :: _ as rest) -> a :: k :: intersperse k rest
  | l -> l"""


def list_step(chance: Chance, level: int = 1) -> Op:
    """One step."""
    return chance.pick(_STEPS)(chance, level)


def any_step(chance: Chance) -> Op:
    """A step for lists of any elements."""
    return chance.pick(_OF_ANYTHING)(chance, 1)


def list_steps(chance: Chance, count: int, level: int = 1) -> list[Op]:
    """Several steps of different kinds, except that elements may be mapped and filtered twice."""
    return [kind(chance, level) for kind in chance.sample(_STEPS, count)]


def applied(steps: Iterable[Op], value: Ints) -> Ints:
    for step in steps:
        value = step.run(value)
    return value


def every_step_matters(steps: Sequence[Op], values: Iterable[Ints], ending: Op | None = None) -> bool:
    """True if leaving out any step makes a difference for some value, after the ending if there is one."""

    def run(steps: Sequence[Op], value: Ints) -> object:
        return _ended(applied(steps, value), ending)

    left = set(range(len(steps)))
    for value in values:
        whole = run(steps, value)
        left -= {i for i in left if run([*steps[:i], *steps[i + 1 :]], value) != whole}
        if not left:
            return True
    return False


def every_part_matters(steps: Sequence[Op], values: Sequence[Ints], ending: Op | None = None) -> bool:
    """True if, besides, each fault of a step or of the ending makes a difference for some value."""

    def run(steps: Sequence[Op], ending: Op | None) -> list[object]:
        return [_ended(applied(steps, value), ending) for value in values]

    if not every_step_matters(steps, values, ending):
        return False
    whole = run(steps, ending)
    for i, step in enumerate(steps):
        for fault in step.faults:
            if run([*steps[:i], step._replace(run=fault), *steps[i + 1 :]], ending) == whole:
                return False
    return all(run(steps, ending._replace(run=fault)) != whole for fault in ending.faults) if ending else True


def _ended(value: Ints, ending: Op | None) -> object:
    return ending.run(value) if ending else value


def telling_steps(
    chance: Chance, count: int, level: int, values: Sequence[Sequence[Any]], *, of_anything: bool = False
) -> list[Op]:
    """Steps of different kinds. Leaving out any part of them makes a difference for some value."""
    steps: list[Op] = []
    for kind in chance.shuffled(_OF_ANYTHING if of_anything else _STEPS):
        if len(steps) == count:
            break
        step = kind(chance, level)
        if every_part_matters([*steps, step], values):
            steps.append(step)
    if len(steps) < count:
        raise Unfit
    return steps


def pipe(name: str, steps: Iterable[Op]) -> str:
    """``name |> step |> step``, one a line."""
    return "\n".join([f"  {name}", *(f"  |> {step.ocaml}" for step in steps)])


# --- the steps --------------------------------------------------------------------------------------------------------


def _each(faults: Iterable[Callable[..., Any]], run: Callable[..., Ints]) -> tuple[Callable[[Ints], Ints], ...]:
    """Faulty steps: ``run`` with each faulty operation."""
    return tuple(lambda v, fault=fault: run(v, fault) for fault in faults)


def _map(chance: Chance, level: int) -> Op:
    op = int_map(chance)
    return Op(
        f"replace every element `x` by {op.say()}",
        f"List.map (fun x -> {op.code()})",
        lambda v: [op.run(x) for x in v],
        op.helpers,
        _each(op.faults, lambda v, fault: [fault(x) for x in v]),
    )


def _map_some(chance: Chance, level: int) -> Op:
    op, test = int_map(chance), int_test(chance)
    return Op(
        f"replace every element `x` for which {test.say()} by {op.say()}, and leave the others as they are",
        f"List.map (fun x -> if {test.code()} then {op.code()} else x)",
        lambda v: [op.run(x) if test.run(x) else x for x in v],
        op.helpers + test.helpers,
        (
            *_each(op.faults, lambda v, fault: [fault(x) if test.run(x) else x for x in v]),
            *_each(test.faults, lambda v, fault: [op.run(x) if fault(x) else x for x in v]),
            lambda v: [op.run(x) for x in v],
        ),
    )


def _filter(chance: Chance, level: int) -> Op:
    test = joined_test(chance, level)
    if chance.happens(0.7):
        return Op(
            f"keep only the elements `x` for which {test.say()}",
            f"List.filter (fun x -> {test.code()})",
            lambda v: [x for x in v if test.run(x)],
            test.helpers,
            _each(test.faults, lambda v, fault: [x for x in v if fault(x)]),
        )
    return Op(
        f"remove the elements `x` for which {test.say()}",
        f"List.filter (fun x -> not ({test.code()}))",
        lambda v: [x for x in v if not test.run(x)],
        test.helpers,
        _each(test.faults, lambda v, fault: [x for x in v if not fault(x)]),
    )


def _partition(chance: Chance, level: int) -> Op:
    test = joined_test(chance, level)
    return Op(
        f"move the elements `x` for which {test.say()} to the front; these and the others keep their order",
        f"(fun l -> let front, back = List.partition (fun x -> {test.code()}) l in front @ back)",
        lambda v: [x for x in v if test.run(x)] + [x for x in v if not test.run(x)],
        test.helpers,
        (
            *_each(test.faults, lambda v, fault: [x for x in v if fault(x)] + [x for x in v if not fault(x)]),
            lambda v: [x for x in v if test.run(x)],
            lambda v: [x for x in v if not test.run(x)],
        ),
    )


def _while(chance: Chance, level: int) -> Op:
    test = int_test(chance)
    if chance.happens(0.5):
        return Op(
            f"cut the list off before the first element `x` for which it is not true that {test.say()} (without such "
            "an element it stays as it is)",
            f"take_while (fun x -> {test.code()})",
            lambda v: v[: _prefix(test.run, v)],
            (*test.helpers, _TAKE_WHILE),
            _each(test.faults, lambda v, fault: v[: _prefix(fault, v)]),
        )
    return Op(
        f"drop elements `x` from the front as long as {test.say()}",
        f"drop_while (fun x -> {test.code()})",
        lambda v: v[_prefix(test.run, v) :],
        (*test.helpers, _DROP_WHILE),
        _each(test.faults, lambda v, fault: v[_prefix(fault, v) :]),
    )


def _prefix(test: Callable[[int], bool], v: Ints) -> int:
    return next((i for i, x in enumerate(v) if not test(x)), len(v))


def _reverse(chance: Chance, level: int) -> Op:
    return Op("reverse the list", "List.rev", lambda v: v[::-1])


def _take(chance: Chance, level: int) -> Op:
    k = chance.between(3, 6)
    return Op(
        f"keep only the first {k} elements (all of them if there are fewer)",
        f"List.filteri (fun i _ -> i < {k})",
        lambda v: v[:k],
    )


def _drop(chance: Chance, level: int) -> Op:
    k = chance.between(1, 3)
    noun = "element" if k == 1 else f"{k} elements"
    return Op(
        f"drop the first {noun} (whatever is there if there are fewer)",
        f"List.filteri (fun i _ -> i >= {k})",
        lambda v: v[k:],
    )


def _drop_last(chance: Chance, level: int) -> Op:
    k = chance.between(1, 3)
    noun = "element" if k == 1 else f"{k} elements"
    return Op(
        f"drop the last {noun} (whatever is there if there are fewer)",
        f"(fun l -> List.filteri (fun i _ -> i < List.length l - {k}) l)",
        lambda v: v[:-k],
    )


def _squeeze(chance: Chance, level: int) -> Op:
    return Op(
        "of equal elements that stand next to each other, keep only one",
        "squeeze",
        lambda v: [x for i, x in enumerate(v) if i == 0 or v[i - 1] != x],
        (_SQUEEZE,),
    )


def _unique(chance: Chance, level: int) -> Op:
    return Op(
        "of equal elements, wherever they stand, keep only the first",
        "unique",
        lambda v: [*dict.fromkeys(v)],
        (_UNIQUE,),
        (lambda v: [*dict.fromkeys(v)][::-1],),
    )


def _sort(chance: Chance, level: int) -> Op:
    if chance.happens(0.5):
        return Op("sort the list in ascending order", "List.sort compare", sorted)
    return Op(
        "sort the list in descending order",
        "List.sort (fun a b -> compare b a)",
        lambda v: sorted(v, reverse=True),
    )


def _sort_by(chance: Chance, level: int) -> Op:
    k = chance.between(3, 9)
    words = (
        f"sort the list in ascending order of the distance of each element from {k}; elements at the same distance "
        "keep their order"
    )
    return Op(
        words,
        f"List.stable_sort (fun a b -> compare (abs (a - {k})) (abs (b - {k})))",
        lambda v: sorted(v, key=lambda x: abs(x - k)),
    )


def _totals(chance: Chance, level: int) -> Op:
    return Op(
        "replace every element by the sum of all elements up to it, itself included",
        "totals",
        lambda v: [*accumulate(v)],
        (_TOTALS,),
        (lambda v: [*accumulate(v)][::-1],),
    )


def _maxima(chance: Chance, level: int) -> Op:
    return Op(
        "replace every element by the greatest of all elements up to it, itself included",
        "maxima",
        lambda v: [*accumulate(v, max)],
        (_RECORDS,),
        (lambda v: [*accumulate(v, max)][::-1],),
    )


def _differences(chance: Chance, level: int) -> Op:
    return Op(
        "replace the list by the differences of neighbours: each element but the first, minus the one before it "
        "(nothing is left of a list with fewer than two elements)",
        "differences",
        lambda v: [b - a for a, b in pairwise(v)],
        (_DIFFERENCES,),
    )


def _rotate(chance: Chance, level: int) -> Op:
    k = chance.between(1, 4)
    times = "once" if k == 1 else f"{k} times"
    return Op(
        f"move the first element to the end, {times} (an empty list stays empty)",
        f"rotate {k}",
        lambda v: [*v[k % len(v) :], *v[: k % len(v)]] if v else v,
        (_ROTATE,),
    )


def _every(chance: Chance, level: int) -> Op:
    k = chance.between(2, 3)
    r = chance.between(0, k - 1)
    return Op(
        f"keep only the elements at positions {r}, {r + k}, {r + 2 * k} and so on, counted from 0",
        f"List.filteri (fun i _ -> i mod {k} = {r})",
        lambda v: v[r::k],
    )


def _swap(chance: Chance, level: int) -> Op:
    return Op(
        "swap the first element with the second, the third with the fourth and so on (the last one stays where it is "
        "if there is an odd number of them)",
        "swap_pairs",
        _swapped,
        (_SWAP,),
    )


def _swapped(v: Ints) -> Ints:
    made = list(v)
    for i in range(0, len(v) - 1, 2):
        made[i], made[i + 1] = v[i + 1], v[i]
    return made


def _mirror(chance: Chance, level: int) -> Op:
    if chance.happens(0.5):
        return Op(
            "append the reverse of the list to the list",
            "(fun l -> l @ List.rev l)",
            lambda v: [*v, *v[::-1]],
            (),
            (lambda v: [*v, *v], lambda v: v[::-1]),
        )
    return Op(
        "add to every element the one that is as far from the end as it is from the front (the middle one of an odd "
        "number is added to itself)",
        "(fun l -> List.map2 ( + ) l (List.rev l))",
        lambda v: [a + b for a, b in zip(v, v[::-1], strict=True)],
    )


def _positions(chance: Chance, level: int) -> Op:
    first = chance.between(0, 3)
    if chance.happens(0.5):
        return Op(
            f"add to every element its position, where the first one has position {first}",
            f"List.mapi (fun i x -> x + i + {first})" if first else "List.mapi (fun i x -> x + i)",
            lambda v: [x + i for i, x in enumerate(v, start=first)],
            (),
            ((lambda v: [x + i for i, x in enumerate(v)]), (lambda v: [x + first for x in v])) if first else (),
        )
    return Op(
        f"multiply every element by its position, where the first one has position {first}",
        f"List.mapi (fun i x -> x * (i + {first}))" if first else "List.mapi (fun i x -> x * i)",
        lambda v: [x * i for i, x in enumerate(v, start=first)],
        (),
        ((lambda v: [x * i for i, x in enumerate(v)]), (lambda v: [x * first for x in v])) if first else (),
    )


def _blocks(chance: Chance, level: int) -> Op:
    k = chance.between(2, 3)
    return Op(
        f"cut the list from the front into blocks of {k} elements (the last block may be smaller), and replace every "
        "block by its sum",
        f"block_sums {k}",
        lambda v: [sum(v[i : i + k]) for i in range(0, len(v), k)],
        (_BLOCK_SUMS,),
        (
            lambda v: [sum(v[i : i + k]) for i in range(0, len(v), k)][::-1],
            lambda v: [sum(v[i : i + k]) for i in range(0, len(v), k)] or [0],
        ),
    )


def _without_extreme(chance: Chance, level: int) -> Op:
    word, function, extreme = chance.pick((("greatest", "max", max), ("smallest", "min", min)))
    choose: Callable[[Ints], int] = extreme
    return Op(
        f"remove every element that is equal to the {word} one (an empty list stays empty)",
        f"(fun l -> List.filter (fun x -> x <> List.fold_left {function} (List.hd l) l) l)",
        lambda v: [x for x in v if x != choose(v)],
    )


def _repeat(chance: Chance, level: int) -> Op:
    test = int_test(chance)
    return Op(
        f"put a second copy behind every element `x` for which {test.say()}",
        f"List.concat_map (fun x -> if {test.code()} then [ x; x ] else [ x ])",
        lambda v: [y for x in v for y in ([x, x] if test.run(x) else [x])],
        test.helpers,
        (
            *_each(test.faults, lambda v, fault: [y for x in v for y in ([x, x] if fault(x) else [x])]),
            lambda v: [y for x in v for y in (x, x)],
        ),
    )


def _intersperse(chance: Chance, level: int) -> Op:
    k = chance.between(0, 9)
    return Op(
        f"put {k} between every two neighbours (a list with fewer than two elements stays as it is)",
        f"intersperse {k}",
        lambda v: [y for i, x in enumerate(v) for y in ([k, x] if i else [x])],
        (_INTERSPERSE,),
    )


_STEPS = (
    _map,
    _map,
    _map_some,
    _filter,
    _filter,
    _partition,
    _while,
    _reverse,
    _take,
    _drop,
    _drop_last,
    _squeeze,
    _unique,
    _sort,
    _sort_by,
    _totals,
    _maxima,
    _differences,
    _rotate,
    _every,
    _swap,
    _mirror,
    _positions,
    _blocks,
    _without_extreme,
    _repeat,
    _intersperse,
)

# For elements of any type.
_OF_ANYTHING = (_reverse, _take, _drop, _drop_last, _squeeze, _unique, _rotate, _every, _swap)
