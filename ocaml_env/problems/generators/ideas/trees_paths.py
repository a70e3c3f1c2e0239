"""The paths of a tree with any number of children, filtered and summarised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test
from ocaml_env.problems.generators.values import Show, integer, listing, variant
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Tree = tuple[Any, ...]


_ROSE = "type tree = Node of int * tree list"


def _rose_show() -> Show:
    shows: dict[str, list[Show]] = {}
    show = variant(shows)
    shows["Node"] = [integer, listing(show)]
    return show


_show_rose = _rose_show()


def _rose(chance: Chance, depth: int) -> Tree:
    count = 0 if depth == 0 else chance.pick((0, 1, 2, 2, 3))
    return ("Node", chance.number(-6, 20), [_rose(chance, depth - 1) for _ in range(count)])


def _paths(chance: Chance, level: int) -> Draft:
    name = chance.pick(("paths", "routes", "branches", "trails", "descents"))
    keep = _keep_path(chance)
    summary = _path_summary(chance)
    inner = level >= 2 and chance.happens(0.5)  # paths may end anywhere
    node_test = int_test(chance) if level >= 3 else None
    node_map = int_map(chance) if level <= 2 else None
    closing = _path_closing(chance) if level >= 4 else None
    second = _keep_path(chance) if level >= 5 else None
    if second and second.ocaml == keep.ocaml:
        raise Unfit

    def all_paths(tree: Tree) -> list[list[int]]:
        below = [[tree[1], *path] for child in tree[2] for path in all_paths(child)]
        return [[tree[1]], *below] if inner or not tree[2] else below

    def changed(found: list[list[int]]) -> list[list[int]]:
        if node_test:
            return [[x for x in path if node_test.run(x)] for path in found]
        return [[node_map.run(x) for x in path] for path in found] if node_map else found

    def run(tree: Tree) -> list[int]:
        found = [path for path in changed(all_paths(tree)) if keep.run(path) and (not second or second.run(path))]
        made = [summary.run(path) for path in found]
        return closing.run(made) if closing else made

    kept = [
        keep.run(path) and (not second or second.run(path))
        for _ in range(6)
        for path in changed(all_paths(_rose(chance, 3)))
    ]
    if not 0.15 * len(kept) <= sum(kept) <= 0.9 * len(kept):
        raise Unfit
    ends = (
        "A path begins at the root, goes from a node to one of its children any number of times, and may end at any "
        "node"
        if inner
        else "A path begins at the root, goes from a node to one of its children as long as there are any, and so "
        "ends at a node without children"
    )
    order = (
        "A path comes before all longer ones that begin with it, and where paths part, those through an earlier child "
        "come first."
        if inner
        else "Where paths part, those through an earlier child come first."
    )
    parts = [f"Take all paths as lists of numbers. {order}"]
    if node_test:
        parts.append(f"In each path keep only the numbers `x` for which {node_test.say()}.")
    if node_map:
        parts.append(f"In each path replace every number `x` by {node_map.say()}.")
    parts.append(f"Keep only the paths {keep.words}{f' and {second.words}' if second else ''}.")
    parts.append(f"Replace each path by {summary.words}.")
    if closing:
        parts.append(f"{closing.words}.")
    made = "[ x ] :: below" if inner else "if children = [] then [ [ x ] ] else below"
    helper = f"""\
let rec all_paths (Node (x, children)) =
  let below = List.concat_map (fun child -> List.map (fun path -> x :: path) (all_paths child)) children in
  {made}"""
    lines = [f"let {name} tree =", "  all_paths tree"]
    lines += [f"  |> List.map (List.filter (fun x -> {node_test.code()}))"] if node_test else []
    lines += [f"  |> List.map (List.map (fun x -> {node_map.code()}))"] if node_map else []
    lines += [f"  |> List.filter (fun p -> {keep.code('p')})"]
    lines += [f"  |> List.filter (fun p -> {second.code('p')})"] if second else []
    lines += [f"  |> List.map (fun p -> {summary.code('p')})"]
    lines += [f"  |> {closing.ocaml}"] if closing else []
    ops = [op for op in (node_test, node_map, keep, second, summary) if op]

    def cases() -> Iterator[Case]:
        edges: list[Tree] = [("Node", 4, []), ("Node", 0, [("Node", 9, [])]), _rose(chance, 1), _rose(chance, 4)]
        for tree in inputs(lambda: _rose(chance, 3), edges):
            if len(show := _show_rose(tree)) < 600:
                yield case(name, [show], listing(integer)(run(tree)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"A node of a tree has a number and any number of children. {ends}. `{name} tree` tells about its paths:",
            numbered(parts),
            "The result is what is there after the last step.",
        ),
        signature=f"{_ROSE}\n\nval {name} : tree -> int list",
        reference=module(_ROSE, [h for op in ops for h in op.helpers], helper, "\n".join(lines)),
        cases=cases(),
        together=2,
    )


def _keep_path(chance: Chance) -> Op:
    k, total = chance.between(2, 3), chance.between(5, 25)
    test = int_test(chance)
    return chance.pick(
        (
            Op(f"of at least {k} numbers", f"List.length {{x}} >= {k}", lambda p: len(p) >= k),
            Op(f"of at most {k} numbers", f"List.length {{x}} <= {k}", lambda p: len(p) <= k),
            Op(f"whose sum is at least {total}", f"List.fold_left ( + ) 0 {{x}} >= {total}", lambda p: sum(p) >= total),
            Op(f"whose sum is less than {total}", f"List.fold_left ( + ) 0 {{x}} < {total}", lambda p: sum(p) < total),
            Op(
                f"with at least one number `x` such that {test.say()}",
                f"List.exists (fun x -> {test.code()}) {{x}}",
                lambda p: any(test.run(x) for x in p),
                test.helpers,
            ),
        )
    )


def _path_summary(chance: Chance) -> Op:
    k, base = chance.between(2, 9), chance.between(0, 9)
    op = int_join(chance)
    return chance.pick(
        (
            Op(f"its sum plus {k}", f"List.fold_left ( + ) {k} {{x}}", lambda p: sum(p) + k),
            Op(
                f"{k} times its number of numbers, plus its last number ({base} if it is empty)",
                f"(({k} * List.length {{x}}) + match List.rev {{x}} with last :: _ -> last | [] -> {base})",
                lambda p: k * len(p) + (p[-1] if p else base),
            ),
            Op(
                f"its greatest number, or {-k} if it is empty or that is greater",
                f"List.fold_left max ({-k}) {{x}}",
                lambda p: max([-k, *p]),
            ),
            Op(
                f"what is left when its numbers are taken from left to right: begin with `x` = {base}, and for each "
                f"number `y` let the new `x` be {op.say()}",
                f"List.fold_left (fun x y -> {op.code('x', 'y')}) {base} {{x}}".replace("{x}", "{p}").replace(
                    "{p}", "{x}"
                ),
                lambda p: _along(op, base, p),
                op.helpers,
            ),
        )
    )


def _along(op: Op, start: int, path: Sequence[int]) -> int:
    for y in path:
        start = op.run(start, y)
    return start


def _path_closing(chance: Chance) -> Op:
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
    make=_paths,
)
