"""The paths of a tree with any number of children, filtered and summarised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test
from ocaml_env.problems.generators.small.trees_paths import TASKS
from ocaml_env.problems.generators.values import Show, integer, listing, variant
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Tree = tuple[Any, ...]
Path = list[int]

_TRIED = 30  # trees to try; some must show each part of a tale
_TELLING = 2  # trees at least that must show it


_ROSE = "type tree = Node of int * tree list"


def _rose_show() -> Show:
    shows: dict[str, list[Show]] = {}
    show = variant(shows)
    shows["Node"] = [integer, listing(show)]
    return show


_show_rose = _rose_show()


@dataclass(frozen=True, slots=True)
class _Tale:
    """The question about the paths of a tree.

    Attributes:
        inner: paths may end anywhere.
        keeps: a question for numbers of a path to keep.
        maps: an operation on each number of a path.
        wanted: questions for paths to keep.
        summary: the result for a path.
        closing: an operation on the results.
    """

    inner: bool
    keeps: Op | None
    maps: Op | None
    wanted: tuple[Op, ...]
    summary: Op
    closing: Op | None

    @property
    def ops(self) -> list[Op]:
        return [op for op in (self.keeps, self.maps, *self.wanted, self.summary) if op]

    def all_paths(self, tree: Tree) -> list[Path]:
        below = [[tree[1], *path] for child in tree[2] for path in self.all_paths(child)]
        return [[tree[1]], *below] if self.inner or not tree[2] else below

    def paths(self, tree: Tree) -> list[Path]:
        """The paths, each with the numbers that count."""
        found = self.all_paths(tree)
        if self.keeps:
            found = [[x for x in path if self.keeps.run(x)] for path in found]
        return [[self.maps.run(x) for x in path] for path in found] if self.maps else found

    def run(self, tree: Tree) -> list[int]:
        made = [self.summary.run(path) for path in self.paths(tree) if all(op.run(path) for op in self.wanted)]
        return list(self.closing.run(made)) if self.closing else made

    def faulty(self) -> Iterator[_Tale]:
        """Variants with a part left out."""
        for fault in self.keeps.faults if self.keeps else ():
            yield replace(self, keeps=self.keeps and self.keeps._replace(run=fault))
        for fault in self.maps.faults if self.maps else ():
            yield replace(self, maps=self.maps and self.maps._replace(run=fault))
        for place, op in enumerate(self.wanted):
            before, after = self.wanted[:place], self.wanted[place + 1 :]
            yield replace(self, wanted=before + after)
            for fault in op.faults:
                yield replace(self, wanted=(*before, op._replace(run=fault), *after))
        for fault in self.summary.faults:
            yield replace(self, summary=self.summary._replace(run=fault))
        yield replace(self, closing=None)


def _make(chance: Chance, level: int) -> Draft:
    name = chance.pick(("paths", "routes", "branches", "trails", "descents"))
    tale = _tale(chance, level)
    ends = (
        "A path begins at the root, goes from a node to one of its children any number of times, and may end at any "
        "node"
        if tale.inner
        else "A path begins at the root, goes from a node to one of its children as long as there are any, and so "
        "ends at a node without children"
    )
    return Draft(
        name=name,
        statement=paragraphs(
            f"A node of a tree has a number and any number of children. {ends}. `{name} tree` tells about its paths:",
            numbered(_steps(tale)),
            "The result is what is there after the last step.",
        ),
        signature=f"{_ROSE}\n\nval {name} : tree -> int list",
        reference=module(_ROSE, [h for op in tale.ops for h in op.helpers], _code(name, tale)),
        cases=_cases(chance, name, tale),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _tale(chance: Chance, level: int) -> _Tale:
    """A tale. Each of its parts matters for some tree."""
    keeps = int_test(chance) if level >= 3 else None
    wanted = tuple(_wanted(chance) for _ in range(2 if level >= 5 else 1))
    made = _Tale(
        inner=level >= 3 and chance.happens(0.5),
        keeps=keeps,
        maps=None if keeps else int_map(chance),
        wanted=wanted,
        summary=_summary(chance, empty=keeps is not None and all(op.run([]) for op in wanted)),
        closing=_closing(chance) if level >= 5 else None,
    )
    tried = [_typical(chance) for _ in range(_TRIED)]
    answers = [made.run(tree) for tree in tried]
    if sum(map(bool, answers)) < 0.4 * _TRIED:
        raise Unfit
    for wrong in made.faulty():
        differing = (tree for tree, answer in zip(tried, answers, strict=True) if wrong.run(tree) != answer)
        if wrong != made and len([*islice(differing, _TELLING)]) < _TELLING:
            raise Unfit
    return made


def _typical(chance: Chance) -> Tree:
    return _rose(chance, chance.pick((2, 3, 3)))


def _rose(chance: Chance, depth: int) -> Tree:
    count = 0 if depth == 0 else chance.pick((0, 1, 1, 2, 2) if depth < 3 else (1, 2, 2))
    return ("Node", chance.number(-9, 20), [_rose(chance, depth - 1) for _ in range(count)])


def _cases(chance: Chance, name: str, tale: _Tale) -> Iterator[Case]:
    edges: list[Tree] = [("Node", 4, []), ("Node", 0, [("Node", 9, [])]), _rose(chance, 1), _rose(chance, 4)]
    for tree in inputs(lambda: _any_tree(chance), edges):
        try:
            yield case(name, [_show_rose(tree)], listing(integer)(tale.run(tree)))
        except Unfit:  # too large a number, from a deep tree or large numbers
            continue


def _any_tree(chance: Chance) -> Tree:
    """Mostly a typical tree; also deep ones, those with many children at the root, and large numbers."""
    if chance.happens(0.75):
        return _typical(chance)
    if chance.happens(0.3):
        return (
            "Node",
            chance.number(-9, 20),
            [_rose(chance, chance.between(0, 1)) for _ in range(chance.between(3, 6))],
        )
    high = chance.pick((20, 20, 300))
    tree: Tree = ("Node", chance.number(-9, high), [])
    for _ in range(chance.between(3, 6)):
        beside = [_rose(chance, 0)] if chance.happens(0.3) else []
        tree = ("Node", chance.number(-high // 2, high), chance.shuffled([tree, *beside]))
    return tree


# --- texts ------------------------------------------------------------------------------------------------------------


def _steps(tale: _Tale) -> Iterator[str]:
    order = (
        "A path comes before all longer ones that begin with it, and where paths part, those through an earlier child "
        "come first."
        if tale.inner
        else "Where paths part, those through an earlier child come first."
    )
    yield f"Take all paths as lists of numbers. {order}"
    if tale.keeps:
        yield f"In each path keep only the numbers `x` for which {tale.keeps.say()}."
    if tale.maps:
        yield f"In each path replace every number `x` by {tale.maps.say()}."
    yield f"Keep only the paths {' and '.join(op.words for op in tale.wanted)}."
    yield f"Replace each path by {tale.summary.words}."
    if tale.closing:
        yield f"{tale.closing.words}."


def _code(name: str, tale: _Tale) -> str:
    made = "[ x ] :: below" if tale.inner else "if children = [] then [ [ x ] ] else below"
    lines = [
        "let rec all_paths (Node (x, children)) =",
        "  let below = List.concat_map (fun child -> List.map (fun path -> x :: path) (all_paths child)) children in",
        f"  {made}",
        "",
        f"let {name} tree =",
        "  all_paths tree",
    ]
    lines += [f"  |> List.map (List.filter (fun x -> {tale.keeps.code()}))"] if tale.keeps else []
    lines += [f"  |> List.map (List.map (fun x -> {tale.maps.code()}))"] if tale.maps else []
    lines += [f"  |> List.filter (fun p -> {op.code('p')})" for op in tale.wanted]
    lines += [f"  |> List.map (fun p -> {tale.summary.code('p')})"]
    lines += [f"  |> {tale.closing.ocaml}"] if tale.closing else []
    return "\n".join(lines)


# --- parts ------------------------------------------------------------------------------------------------------------


def _wanted(chance: Chance) -> Op:
    k, total = chance.between(2, 3), chance.between(5, 25)
    test = int_test(chance)
    return chance.pick(
        (
            Op(f"of at least {k} numbers", f"List.length {{x}} >= {k}", lambda p: len(p) >= k),
            Op(f"of at most {k} numbers", f"List.length {{x}} <= {k}", lambda p: len(p) <= k),
            Op(
                f"whose sum is at least {total}",
                f"List.fold_left ( + ) 0 {{x}} >= {total}",
                lambda p: sum(p) >= total,
                faults=(lambda p: sum(p) > total,),
            ),
            Op(
                f"whose sum is less than {total}",
                f"List.fold_left ( + ) 0 {{x}} < {total}",
                lambda p: sum(p) < total,
                faults=(lambda p: sum(p) <= total,),
            ),
            Op(
                f"with at least one number `x` such that {test.say()}",
                f"List.exists (fun x -> {test.code()}) {{x}}",
                lambda p: any(test.run(x) for x in p),
                test.helpers,
                tuple(lambda p, fault=fault: any(fault(x) for x in p) for fault in test.faults),
            ),
        )
    )


def _summary(chance: Chance, *, empty: bool) -> Op:
    """A result for a path; the path may have no numbers if ``empty`` is true."""
    k, base = chance.between(2, 9), chance.between(0, 9)
    op = int_join(chance)
    last = "List.hd (List.rev {x})"
    return chance.pick(
        (
            Op(f"its sum plus {k}", f"List.fold_left ( + ) {k} {{x}}", lambda p: sum(p) + k),
            Op(
                f"{k} times its number of numbers, plus its last number{f' ({base} if it is empty)' if empty else ''}",
                f"({k} * List.length {{x}}) + "
                + (f"(match List.rev {{x}} with last :: _ -> last | [] -> {base})" if empty else last),
                lambda p: k * len(p) + (p[-1] if p else base),
            ),
            Op(
                f"its greatest number, or {-k} if {'it is empty or ' if empty else ''}that is greater",
                f"List.fold_left max ({-k}) {{x}}",
                lambda p: max([-k, *p]),
            ),
            Op(
                f"what is left when its numbers are taken from left to right: begin with `x` = {base}, and for each "
                f"number `y` let the new `x` be {op.say()}",
                f"List.fold_left (fun x y -> {op.code('x', 'y')}) {base} {{x}}",
                lambda p: reduce(op.run, p, base),
                op.helpers,
                tuple(lambda p, fault=fault: reduce(fault, p, base) for fault in op.faults),
            ),
        )
    )


def _closing(chance: Chance) -> Op:
    k = chance.between(2, 4)
    return chance.pick(
        (
            Op("Sort the results in ascending order", "List.sort compare", sorted),
            Op(
                "Sort the results in descending order, and of equal ones keep only one",
                "List.sort_uniq compare |> List.rev",
                lambda v: sorted(set(v), reverse=True),
            ),
            Op(
                f"Keep only the first {k} results (all if there are fewer), and reverse their order",
                f"List.filteri (fun i _ -> i < {k}) |> List.rev",
                lambda v: v[:k][::-1],
            ),
        )
    )


FAMILY = Family(
    name="trees.paths",
    topics=("trees", "lists", "recursion"),
    description="the paths of a tree with any number of children, filtered and summarised",
    tasks=TASKS,
    make=_make,
)
