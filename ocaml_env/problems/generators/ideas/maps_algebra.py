"""Sets made of sets by union, difference, selection and images."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_map, int_test
from ocaml_env.problems.generators.values import Show, integer, listing, pair
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

_SET = "module Ints = Set.Make (Int)"


class _Defined(NamedTuple):
    words: str
    ocaml: str
    run: Callable[[dict[str, frozenset[int]]], frozenset[int]]
    uses: tuple[str, ...]
    helpers: tuple[str, ...] = ()


def _algebra(chance: Chance, level: int) -> Draft:
    name = chance.pick(("common", "select", "blend", "survivors", "mixture"))
    given = ["a", "b", "c"][: 2 if level == 1 else 3]
    names = [*given]
    steps: list[tuple[str, _Defined]] = []
    for new in ("s", "t", "u", "v", "w")[: (3, 3, 4, 4, 5)[level - 1]]:
        steps.append((new, _defined(chance, names)))
        names.append(new)
    last = names[-1]
    used = {one for _, step in steps for one in step.uses} | {last}
    if not used.issuperset(names):
        raise Unfit
    ending = chance.pick(_SET_ENDINGS)

    def run(sets: Sequence[frozenset[int]]) -> Any:
        known = dict(zip(given, sets, strict=True))
        for new, step in steps:
            known[new] = step.run(known)
        return ending.run(known[last])

    def draw() -> list[list[int]]:
        return [chance.numbers(chance.between(2, 7), 0, 14) for _ in given]

    outcomes = [run([frozenset(v) for v in draw()]) for _ in range(6)]
    if sum(outcome != ending.run(frozenset()) for outcome in outcomes) < 5:
        raise Unfit
    code = [f"let {name} {' '.join(given)} ="]
    code += [f"  let {one} = Ints.of_list {one} in" for one in given]
    code += [f"  let {new} = {step.ocaml} in" for new, step in steps]
    code += [f"  {ending.code(last)}"]
    listed = ending.words.startswith("the list")
    show: Show = listing(integer) if listed else pair(integer, integer)
    kind = "int list" if listed else "int * int"

    def cases() -> Iterator[Case]:
        some = draw()[0]
        edges: list[list[list[int]]] = [
            [[] for _ in given],
            [some for _ in given],
            [some, *([] for _ in given[1:])],
            [[1, 1, 2] for _ in given],
        ]
        for lists in inputs(draw, edges):
            answer = run([frozenset(v) for v in lists])
            yield case(name, [listing(integer)(v) for v in lists], show(answer))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} {' '.join(given)}` takes {series([f'`{one}`' for one in given])} as sets of integers: in the "
            "lists an element may occur several times and in any order, which makes no difference. Further sets are "
            "made of them:",
            bullets(
                f"`{new}` has {step.words}{';' if i < len(steps) - 1 else '.'}" for i, (new, step) in enumerate(steps)
            ),
            f"The result is {ending.words.replace('{x}', f'`{last}`')}.",
        ),
        signature=f"val {name} : {'int list -> ' * len(given)}{kind}",
        reference=module([h for _, step in steps for h in step.helpers], _SET, "\n".join(code)),
        cases=cases(),
    )


def _defined(chance: Chance, names: Sequence[str]) -> _Defined:
    """A set that is made of the newest one, and of others."""
    newest, other = names[-1], chance.pick(names[:-1])
    x, y = chance.shuffled((newest, other))
    test, op = int_test(chance), int_map(chance)
    return chance.pick(
        (
            _Defined(
                f"all that is in `{x}` or in `{y}`, or in both", f"Ints.union {x} {y}", lambda s: s[x] | s[y], (x, y)
            ),
            _Defined(f"all that is both in `{x}` and in `{y}`", f"Ints.inter {x} {y}", lambda s: s[x] & s[y], (x, y)),
            _Defined(f"all that is in `{x}` and not in `{y}`", f"Ints.diff {x} {y}", lambda s: s[x] - s[y], (x, y)),
            _Defined(
                f"all that is in exactly one of `{x}` and `{y}`",
                f"Ints.union (Ints.diff {x} {y}) (Ints.diff {y} {x})",
                lambda s: s[x] ^ s[y],
                (x, y),
            ),
            _Defined(
                f"all `x` of `{newest}` such that {test.say()}, and all of `{other}`",
                f"Ints.union (Ints.filter (fun x -> {test.code()}) {newest}) {other}",
                lambda s: frozenset(x for x in s[newest] if test.run(x)) | s[other],
                (newest, other),
                test.helpers,
            ),
            _Defined(
                f"all `x` of `{newest}` such that {test.say()} or `x` is in `{other}`",
                f"Ints.filter (fun x -> ({test.code()}) || Ints.mem x {other}) {newest}",
                lambda s: frozenset(x for x in s[newest] if test.run(x) or x in s[other]),
                (newest, other),
                test.helpers,
            ),
            _Defined(
                f"for each `x` of `{newest}`: {op.say()}",
                f"Ints.map (fun x -> {op.code()}) {newest}",
                lambda s: frozenset(map(op.run, s[newest])),
                (newest,),
                op.helpers,
            ),
            _Defined(
                f"all `x` of `{newest}` for which the result of the following is not in `{other}`: {op.say()}",
                f"Ints.filter (fun x -> not (Ints.mem ({op.code()}) {other})) {newest}",
                lambda s: frozenset(x for x in s[newest] if op.run(x) not in s[other]),
                (newest, other),
                op.helpers,
            ),
        )
    )


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
