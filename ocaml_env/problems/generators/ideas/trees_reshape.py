"""Steps from binary tree to binary tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test
from ocaml_env.problems.generators.small.trees_reshape import TASKS
from ocaml_env.problems.generators.values import Show, integer, listing, variant
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Tree = tuple[Any, ...]

_TRIED = 30  # trees to try; some must show each part of a step
_TELLING = 2  # trees at least that must show it


_BINARY = "type tree = Leaf | Node of tree * int * tree"


def _binary_show() -> Show:
    shows: dict[str, list[Show]] = {"Leaf": []}
    show = variant(shows)
    shows["Node"] = [show, integer, show]
    return show


show_binary = _binary_show()


def binary_tree(chance: Chance, depth: int, low: int = -12, high: int = 20) -> Tree:
    """A binary tree of at most this depth, seldom a mere leaf."""
    if depth == 0 or chance.happens(0.15):
        return ("Leaf",)
    return (
        "Node",
        binary_tree(chance, depth - 1, low, high),
        chance.number(low, high),
        binary_tree(chance, depth - 1, low, high),
    )


def _edges(chance: Chance) -> list[Tree]:
    leaf: Tree = ("Leaf",)
    x, y = chance.ints(2, -5, 15)
    return [
        leaf,
        ("Node", leaf, x, leaf),
        ("Node", ("Node", leaf, y, leaf), x, leaf),
        ("Node", leaf, y, ("Node", leaf, x, leaf)),
    ]


def _reshape(chance: Chance, level: int) -> Draft:
    name = chance.pick(("prune", "reshape", "tend", "graft", "trim"))
    steps, ending = _plan(chance, level)
    ops = (*steps, ending) if ending else steps
    show = listing(integer) if ending else show_binary
    code = f"let {name} tree =\n  tree\n" + "\n".join(f"  |> {op.ocaml}" for op in ops)

    def cases() -> Iterator[Case]:
        for tree in inputs(lambda: _any_tree(chance), _edges(chance)):
            yield case(name, [show_binary(tree)], show(_through(ops, tree)))

    result = f"The result is {ending.words}." if ending else "The result is the tree after the last step."
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} tree` takes a binary tree through these steps, in this order; each works on the result of the "
            "one before it. The tree may be a `Leaf`, and a `Leaf` stays a `Leaf` in every step.",
            numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
            result,
        ),
        signature=f"{_BINARY}\n\nval {name} : tree -> {'int list' if ending else 'tree'}",
        reference=module(_BINARY, [helper for op in ops for helper in op.helpers], code),
        cases=cases(),
    )


def _plan(chance: Chance, level: int) -> tuple[tuple[Op, ...], Op | None]:
    """Steps, and perhaps an operation after them. Each part of them matters for some tree."""
    steps = tuple(kind(chance) for kind in chance.sample(_STEPS, {1: 2, 3: 3, 5: 4}[level]))
    ending = chance.pick(_ENDINGS)(chance) if level <= 1 or chance.happens(0.6) else None
    if len({step.ocaml for step in steps}) < len(steps):
        raise Unfit
    ops = (*steps, ending) if ending else steps
    tried = [_tree(chance) for _ in range(_TRIED)]
    whole = [_through(ops, tree) for tree in tried]
    for place, op in enumerate(ops):
        wrong = [(*ops[:place], op._replace(run=fault), *ops[place + 1 :]) for fault in op.faults]
        if op is not ending:
            wrong.append((*ops[:place], *ops[place + 1 :]))
        for each in wrong:
            differing = (tree for tree, answer in zip(tried, whole, strict=True) if _through(each, tree) != answer)
            if len([*islice(differing, _TELLING)]) < _TELLING:
                raise Unfit
    return steps, ending


def _tree(chance: Chance) -> Tree:
    return binary_tree(chance, chance.pick((2, 3, 3)))


def _any_tree(chance: Chance) -> Tree:
    """Mostly a typical tree; also thin and deep ones, and those with large numbers."""
    if chance.happens(0.75):
        return _tree(chance)
    if chance.happens(0.3):
        return binary_tree(chance, 2, -300, 500)
    tree, ways = binary_tree(chance, 1), chance.pick(((0,), (1,), (0, 1)))
    for _ in range(chance.between(3, 5)):
        below, first = (tree, binary_tree(chance, chance.between(0, 1))), chance.pick(ways)
        tree = ("Node", below[first], chance.number(-12, 20), below[1 - first])
    return tree


def _through(ops: Sequence[Op], tree: Tree) -> object:
    made: Any = tree
    for op in ops:
        made = op.run(made)
    return made


_MAP = """\
let rec map f = function
  | Leaf -> Leaf
  | Node (l, x, r) -> Node (map f l, f x, map f r)"""


_REBUILD = """\
(* From the inside out. *)
let rec rebuild f = function
  | Leaf -> Leaf
  | Node (l, x, r) -> f (rebuild f l) x (rebuild f r)"""


def _map(f: Callable[[int], int], tree: Tree) -> Tree:
    return tree if tree[0] == "Leaf" else ("Node", _map(f, tree[1]), f(tree[2]), _map(f, tree[3]))


def _rebuild(f: Callable[[Tree, int, Tree], Tree], tree: Tree) -> Tree:
    return tree if tree[0] == "Leaf" else f(_rebuild(f, tree[1]), tree[2], _rebuild(f, tree[3]))


def _t_map(chance: Chance) -> Op:
    op = int_map(chance)
    return Op(
        f"replace every number `x` by {op.say()}",
        f"map (fun x -> {op.code()})",
        lambda tree: _map(op.run, tree),
        (*op.helpers, _MAP),
        tuple(lambda tree, fault=fault: _map(fault, tree) for fault in op.faults),
    )


def _t_mirror(chance: Chance) -> Op:
    return Op(
        "exchange the left and the right subtree of every node",
        "rebuild (fun l x r -> Node (r, x, l))",
        lambda tree: _rebuild(lambda v, x, r: ("Node", r, x, v), tree),
        (_REBUILD,),
    )


def _t_exchange(chance: Chance) -> Op:
    test = int_test(chance)

    def run(tree: Tree, fits: Callable[[int], bool] = test.run) -> Tree:
        return _rebuild(lambda v, x, r: ("Node", r, x, v) if fits(x) else ("Node", v, x, r), tree)

    return Op(
        f"exchange the left and the right subtree of every node with a number `x` such that {test.say()}",
        f"rebuild (fun l x r -> if {test.code()} then Node (r, x, l) else Node (l, x, r))",
        run,
        (*test.helpers, _REBUILD),
        tuple(lambda tree, fault=fault: run(tree, fault) for fault in (lambda x: True, *test.faults)),
    )


def _t_cut(chance: Chance) -> Op:
    test = int_test(chance)
    helper = """\
let rec cut p = function
  | Node (l, x, r) when not (p x) -> Node (cut p l, x, cut p r)
  | _ -> Leaf"""

    def run(tree: Tree, fits: Callable[[int], bool] = test.run) -> Tree:
        if tree[0] == "Leaf" or fits(tree[2]):
            return ("Leaf",)
        return ("Node", run(tree[1], fits), tree[2], run(tree[3], fits))

    return Op(
        f"replace every subtree whose root holds a number `x` such that {test.say()} by a `Leaf`, whatever is below",
        f"cut (fun x -> {test.code()})",
        run,
        (*test.helpers, helper),
        tuple(lambda tree, fault=fault: run(tree, fault) for fault in (lambda x: True, *test.faults)),
    )


def _t_lift(chance: Chance) -> Op:
    test = int_test(chance)

    def run(tree: Tree, fits: Callable[[int], bool] = test.run) -> Tree:
        return _rebuild(lambda v, x, r: r if v[0] == "Leaf" and fits(x) else ("Node", v, x, r), tree)

    return Op(
        "from the inside out (first the subtrees of a node, then the node), replace every node with a `Leaf` on the "
        f"left and a number `x` such that {test.say()} by its right subtree",
        f"rebuild (fun l x r -> if l = Leaf && ({test.code()}) then r else Node (l, x, r))",
        run,
        (*test.helpers, _REBUILD),
        (
            lambda tree: _rebuild(lambda v, x, r: r if test.run(x) else ("Node", v, x, r), tree),
            *(lambda tree, fault=fault: run(tree, fault) for fault in (lambda x: True, *test.faults)),
        ),
    )


def _t_depth(chance: Chance) -> Op:
    k = chance.between(2, 4)
    helper = """\
let rec with_depth k d = function
  | Leaf -> Leaf
  | Node (l, x, r) -> Node (with_depth k (d + 1) l, x + (k * d), with_depth k (d + 1) r)"""

    def run(tree: Tree, d: int = 0) -> Tree:
        if tree[0] == "Leaf":
            return tree
        return ("Node", run(tree[1], d + 1), tree[2] + k * d, run(tree[3], d + 1))

    return Op(
        f"add {k} times its depth to the number of every node; the root has depth 0, its subtrees' roots depth 1, and so on",
        f"with_depth {k} 0",
        run,
        (helper,),
    )


def _t_sums(chance: Chance) -> Op:
    helper = """\
let rec sum = function
  | Leaf -> 0
  | Node (l, x, r) -> sum l + x + sum r"""

    def total(tree: Tree) -> int:
        return 0 if tree[0] == "Leaf" else total(tree[1]) + int(tree[2]) + total(tree[3])

    def run(tree: Tree) -> Tree:
        return tree if tree[0] == "Leaf" else ("Node", run(tree[1]), total(tree), run(tree[3]))

    code = "let rec sums = function\n  | Leaf -> Leaf\n  | Node (l, _, r) as t -> Node (sums l, sum t, sums r)"
    return Op(
        "replace the number of every node by the sum of all numbers that were in the subtree which begins there, its "
        "own included",
        "sums",
        run,
        (helper, code),
    )


def _t_children(chance: Chance) -> Op:
    k = chance.between(0, 9)
    op = int_join(chance)
    helper = f"let top = function Leaf -> {k} | Node (_, x, _) -> x"

    def top(tree: Tree) -> int:
        return k if tree[0] == "Leaf" else int(tree[2])

    def run(tree: Tree, join: Callable[[int, int], int] = op.run) -> Tree:
        if tree[0] == "Leaf":
            return tree
        return ("Node", run(tree[1], join), tree[2] + join(top(tree[1]), top(tree[3])), run(tree[3], join))

    code = f"""\
let rec add_below = function
  | Leaf -> Leaf
  | Node (l, x, r) ->
    let a = top l and b = top r in
    Node (add_below l, x + ({op.code("a", "b")}), add_below r)"""
    return Op(
        "add something to the number of every node: with `a` for the number at the root of its left subtree and `b` "
        f"for that of its right one ({k} for a `Leaf`), both as they are before this step, add {op.say('a', 'b')}",
        "add_below",
        run,
        (*op.helpers, helper, code),
        tuple(lambda tree, fault=fault: run(tree, fault) for fault in op.faults),
    )


def _t_order(chance: Chance) -> Op:
    helper = """\
let rec count = function
  | Leaf -> 0
  | Node (l, _, r) -> count l + 1 + count r"""

    def count(tree: Tree, parts: Sequence[int] = (1, 3)) -> int:
        return 0 if tree[0] == "Leaf" else 1 + sum(count(tree[part], parts) for part in parts)

    def run(tree: Tree, parts: Sequence[int] = (1, 3)) -> Tree:
        return _rebuild(
            lambda v, x, r: ("Node", r, x, v) if count(v, parts) < count(r, parts) else ("Node", v, x, r), tree
        )

    return Op(
        "wherever the left subtree of a node has fewer nodes than the right one, exchange the two",
        "rebuild (fun l x r -> if count l < count r then Node (r, x, l) else Node (l, x, r))",
        run,
        (helper, _REBUILD),
        (lambda tree: run(tree, (1,)), lambda tree: run(tree, (3,))),
    )


_STEPS = (
    _t_map,
    _t_map,
    _t_mirror,
    _t_exchange,
    _t_exchange,
    _t_cut,
    _t_lift,
    _t_depth,
    _t_sums,
    _t_children,
    _t_order,
)


_LISTED = {  # words, OCaml, and the order of the parts of a node
    "inorder": (
        "first those of the left subtree, then its own, then those of the right subtree",
        "numbers l @ [ x ] @ numbers r",
        (1, 2, 3),
    ),
    "preorder": (
        "first its own, then those of the left subtree, then those of the right subtree",
        "(x :: numbers l) @ numbers r",
        (2, 1, 3),
    ),
    "postorder": (
        "first those of the left subtree, then those of the right subtree, then its own",
        "numbers l @ numbers r @ [ x ]",
        (1, 3, 2),
    ),
    "backward": (
        "first those of the right subtree, then its own, then those of the left subtree",
        "numbers r @ [ x ] @ numbers l",
        (3, 2, 1),
    ),
}


def _numbers(tree: Tree, order: Sequence[int]) -> list[int]:
    if tree[0] == "Leaf":
        return []
    return [x for part in order for x in ([tree[2]] if part == 2 else _numbers(tree[part], order))]


def _listed(order: str) -> Callable[[Chance], Op]:
    words, code, places = _LISTED[order]
    others = [other for _, _, other in _LISTED.values() if other != places]

    def make(chance: Chance) -> Op:
        op, test = int_map(chance), int_test(chance)
        helper = f"let rec numbers = function\n  | Leaf -> []\n  | Node (l, x, r) -> {code}"
        made = f"the list of the numbers of the tree after the last step; of every node {words}"

        def kept(fits: Callable[[int], bool], places: Sequence[int] = places) -> Callable[[Tree], list[int]]:
            return lambda tree: [x for x in _numbers(tree, places) if fits(x)]

        def mapped(f: Callable[[int], int], places: Sequence[int] = places) -> Callable[[Tree], list[int]]:
            return lambda tree: [f(x) for x in _numbers(tree, places)]

        def whole(places: Sequence[int] = places) -> Callable[[Tree], list[int]]:
            return lambda tree: _numbers(tree, places)

        return chance.pick(
            (
                Op(made, "numbers", whole(), (helper,), tuple(map(whole, others))),
                Op(
                    f"{made}; where only the numbers `x` are in the list for which {test.say()}",
                    f"numbers |> List.filter (fun x -> {test.code()})",
                    kept(test.run),
                    (helper, *test.helpers),
                    (whole(), *map(kept, test.faults), *(kept(test.run, other) for other in others)),
                ),
                Op(
                    f"{made}; where every number `x` is replaced by {op.say()}",
                    f"numbers |> List.map (fun x -> {op.code()})",
                    mapped(op.run),
                    (helper, *op.helpers),
                    (*map(mapped, op.faults), *(mapped(op.run, other) for other in others)),
                ),
            )
        )

    return make


_ENDINGS = tuple(map(_listed, _LISTED))


FAMILY = Family(
    name="trees.reshape",
    topics=("trees", "pattern-matching"),
    description="steps from binary tree to binary tree",
    tasks=TASKS,
    make=_reshape,
)
