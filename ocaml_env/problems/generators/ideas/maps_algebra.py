"""Sets made from sets by union, difference, selection and images."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_map, int_test, telling
from ocaml_env.problems.generators.values import Show, integer, listing, pair
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

_SET = "module Ints = Set.Make (Int)"
_SAMPLES = 12

Set = frozenset[int]
Sets = dict[str, Set]


class _Defined(NamedTuple):
    """A set made from others.

    Attributes:
        words: its elements.
        uses: the names of the sets that it is made from.
        faults: its meanings with a part forgotten.
    """

    words: str
    ocaml: str
    run: Callable[[Sets], Set]
    uses: tuple[str, ...]
    helpers: tuple[str, ...] = ()
    faults: tuple[Callable[[Sets], Set], ...] = ()


class _Algebra(NamedTuple):
    """The drawn problem: the names of the given sets, the further ones, and the question about the last one."""

    name: str
    given: Sequence[str]
    steps: Sequence[tuple[str, _Defined]]
    ending: Op

    @property
    def last(self) -> str:
        return self.steps[-1][0]

    def run(self, sets: Sequence[Sequence[int]], place: int = -1, fault: Callable[[Sets], Set] | None = None) -> Any:
        """The answer; with a fault at a place if one is given."""
        known = dict(zip(self.given, map(frozenset, sets), strict=True))
        for i, (new, step) in enumerate(self.steps):
            known[new] = fault(known) if fault and i == place else step.run(known)
        return self.ending.run(known[self.last])


def _algebra(chance: Chance, level: int) -> Draft:
    name = chance.pick(("common", "select", "blend", "survivors", "mixture"))
    given = ["a", "b", "c"][: 2 if level == 1 else 3]

    def draw() -> list[list[int]]:
        high = 200 if chance.happens(0.05) else 14
        return [chance.numbers(chance.pick((0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 10)), -6, high) for _ in given]

    samples = [draw() for _ in range(_SAMPLES)]
    steps = _steps(chance, given, ("s", "t", "u", "v", "w")[: 3 if level == 1 else 4 if level <= 3 else 5], samples)
    algebra = _Algebra(name, given, steps, chance.pick(_SET_ENDINGS))
    whole = [algebra.run(sets) for sets in samples]
    for place, (_, step) in enumerate(steps):
        for fault in step.faults:
            made = [algebra.run(sets, place, fault) for sets in samples]
            if sum(a != b for a, b in zip(made, whole, strict=True)) < 2:
                raise Unfit
    return _draft(chance, algebra, draw)


def _steps(
    chance: Chance, given: Sequence[str], names: Sequence[str], samples: Sequence[Sequence[Sequence[int]]]
) -> list[tuple[str, _Defined]]:
    """Definitions that use each other and all given sets. Each part makes a difference in these samples."""
    known: list[Sets] = [dict(zip(given, map(frozenset, sets), strict=True)) for sets in samples]
    waiting = chance.shuffled(given)
    newest = waiting.pop()
    old: list[str] = []
    steps: list[tuple[str, _Defined]] = []
    for i, new in enumerate(names):
        other = waiting[-1] if waiting else chance.pick(old)
        kinds = _KINDS if len(names) - i > len(waiting) else _OF_TWO
        step = _step(chance, kinds, newest, other, known)
        steps.append((new, step))
        for sets in known:
            sets[new] = step.run(sets)
        old.append(newest)
        if other in waiting and other in step.uses:
            old.append(waiting.pop())
        newest = new
    return steps


def _step(chance: Chance, kinds: Sequence[_Kind], newest: str, other: str, known: Sequence[Sets]) -> _Defined:
    elements = sorted({x for sets in known for x in sets[newest]})
    for _ in range(30):
        step = chance.pick(kinds)(chance, newest, other, elements)
        made = [step.run(sets) for sets in known]
        faulty = [[fault(sets) for sets in known] for fault in step.faults]
        often = len(known) // 4
        if made.count(frozenset()) <= often and all(
            sum(a != b for a, b in zip(made, wrong, strict=True)) >= often for wrong in faulty
        ):
            return step
    raise Unfit


def _draft(chance: Chance, algebra: _Algebra, draw: Callable[[], list[list[int]]]) -> Draft:
    name, given, steps, ending = algebra.name, algebra.given, algebra.steps, algebra.ending
    code = [f"let {name} {' '.join(given)} ="]
    code += [f"  let {operand} = Ints.of_list {operand} in" for operand in given]
    code += [f"  let {new} = {step.ocaml} in" for new, step in steps]
    code += [f"  {ending.code(algebra.last)}"]
    listed = ending.words.startswith("the list")
    show: Show = listing(integer) if listed else pair(integer, integer)

    def cases() -> Iterator[Case]:
        some = draw()[0]
        edges: list[list[list[int]]] = [
            [[] for _ in given],
            [some for _ in given],
            [some, *([] for _ in given[1:])],
            [[1, 1, 2] for _ in given],
        ]
        for lists in inputs(draw, edges):
            yield case(name, [listing(integer)(v) for v in lists], show(algebra.run(lists)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} {' '.join(given)}` takes {series([f'`{operand}`' for operand in given])} as sets of integers: in the "
            "lists an element may occur several times and in any order, which makes no difference. Further sets are "
            "made of them:",
            bullets(
                f"`{new}` has {step.words}{';' if i < len(steps) - 1 else '.'}" for i, (new, step) in enumerate(steps)
            ),
            f"The result is {ending.words.replace('{x}', f'`{algebra.last}`')}.",
        ),
        signature=f"val {name} : {'int list -> ' * len(given)}{'int list' if listed else 'int * int'}",
        reference=module([h for _, step in steps for h in step.helpers], _SET, "\n".join(code)),
        cases=cases(),
    )


# --- sets made from the newest one and another ------------------------------------------------------------------------

_Kind = Callable[[Chance, str, str, Sequence[int]], _Defined]


def _union(chance: Chance, newest: str, other: str, elements: Sequence[int]) -> _Defined:
    x, y = chance.shuffled((newest, other))
    return _Defined(
        f"all that is in `{x}` or in `{y}`, or in both",
        f"Ints.union {x} {y}",
        lambda s: s[x] | s[y],
        (x, y),
        (),
        (lambda s: s[x], lambda s: s[y]),
    )


def _both(chance: Chance, newest: str, other: str, elements: Sequence[int]) -> _Defined:
    x, y = chance.shuffled((newest, other))
    return _Defined(
        f"all that is both in `{x}` and in `{y}`",
        f"Ints.inter {x} {y}",
        lambda s: s[x] & s[y],
        (x, y),
        (),
        (lambda s: s[x], lambda s: s[y]),
    )


def _difference(chance: Chance, newest: str, other: str, elements: Sequence[int]) -> _Defined:
    x, y = chance.shuffled((newest, other))
    return _Defined(
        f"all that is in `{x}` and not in `{y}`",
        f"Ints.diff {x} {y}",
        lambda s: s[x] - s[y],
        (x, y),
        (),
        (lambda s: s[x], lambda s: s[x] ^ s[y]),
    )


def _exactly_one(chance: Chance, newest: str, other: str, elements: Sequence[int]) -> _Defined:
    x, y = chance.shuffled((newest, other))
    return _Defined(
        f"all that is in exactly one of `{x}` and `{y}`",
        f"Ints.union (Ints.diff {x} {y}) (Ints.diff {y} {x})",
        lambda s: s[x] ^ s[y],
        (x, y),
        (),
        (lambda s: s[x] - s[y], lambda s: s[y] - s[x], lambda s: s[x] | s[y]),
    )


def _some_and_all(chance: Chance, newest: str, other: str, elements: Sequence[int]) -> _Defined:
    test = telling(chance, int_test, [(x,) for x in elements])

    def run(s: Sets, test: Callable[[int], bool]) -> Set:
        return frozenset(x for x in s[newest] if test(x)) | s[other]

    return _Defined(
        f"all `x` of `{newest}` such that {test.say()}, and all of `{other}`",
        f"Ints.union (Ints.filter (fun x -> {test.code()}) {newest}) {other}",
        lambda s: run(s, test.run),
        (newest, other),
        test.helpers,
        (
            lambda s: s[newest] | s[other],
            lambda s: frozenset(filter(test.run, s[newest])),
            lambda s: s[other],
            *(lambda s, fault=fault: run(s, fault) for fault in test.faults),
        ),
    )


def _some_or_known(chance: Chance, newest: str, other: str, elements: Sequence[int]) -> _Defined:
    test = telling(chance, int_test, [(x,) for x in elements])

    def run(s: Sets, test: Callable[[int], bool]) -> Set:
        return frozenset(x for x in s[newest] if test(x) or x in s[other])

    return _Defined(
        f"all `x` of `{newest}` such that {test.say()} or `x` is in `{other}`",
        f"Ints.filter (fun x -> ({test.code()}) || Ints.mem x {other}) {newest}",
        lambda s: run(s, test.run),
        (newest, other),
        test.helpers,
        (
            lambda s: s[newest],
            lambda s: s[newest] & s[other],
            lambda s: frozenset(filter(test.run, s[newest])),
            *(lambda s, fault=fault: run(s, fault) for fault in test.faults),
        ),
    )


def _images(chance: Chance, newest: str, other: str, elements: Sequence[int]) -> _Defined:
    op = telling(chance, int_map, [(x,) for x in elements])
    return _Defined(
        f"for each `x` of `{newest}`: {op.say()}",
        f"Ints.map (fun x -> {op.code()}) {newest}",
        lambda s: frozenset(map(op.run, s[newest])),
        (newest,),
        op.helpers,
        (lambda s: s[newest], *(lambda s, fault=fault: frozenset(map(fault, s[newest])) for fault in op.faults)),
    )


def _by_image(chance: Chance, newest: str, other: str, elements: Sequence[int]) -> _Defined:
    op = telling(chance, int_map, [(x,) for x in elements])

    def run(s: Sets, op: Callable[[int], int]) -> Set:
        return frozenset(x for x in s[newest] if op(x) not in s[other])

    return _Defined(
        f"all `x` of `{newest}` for which the result of the following is not in `{other}`: {op.say()}",
        f"Ints.filter (fun x -> not (Ints.mem ({op.code()}) {other})) {newest}",
        lambda s: run(s, op.run),
        (newest, other),
        op.helpers,
        (
            lambda s: s[newest],
            lambda s: s[newest] - s[other],
            *(lambda s, fault=fault: run(s, fault) for fault in op.faults),
        ),
    )


_OF_TWO: tuple[_Kind, ...] = (_union, _both, _difference, _exactly_one, _some_and_all, _some_or_known, _by_image)
_KINDS: tuple[_Kind, ...] = (*_OF_TWO, _images)

_SET_ENDINGS = (
    Op("the list of the elements of {x} in ascending order", "Ints.elements {x}", sorted),
    Op(
        "the list of the elements of {x} in descending order",
        "List.rev (Ints.elements {x})",
        lambda s: sorted(s, reverse=True),
    ),
    Op(
        "the pair of the number of elements of {x} and of their sum",
        "(Ints.cardinal {x}, Ints.fold ( + ) {x} 0)",
        lambda s: (len(s), sum(s)),
    ),
)


FAMILY = Family(
    name="maps.algebra",
    topics=("maps-sets-hashtables",),
    description="sets made of sets by union, difference, selection and images",
    make=_algebra,
)
