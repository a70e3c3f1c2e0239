"""Small tasks on trees: the root and its children, and numbers computed by recursion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import atom

__all__ = ["BINARY", "BUSH", "LEAVES", "ROSE", "ROSE_TREES", "TASKS", "TREE", "leaf_trees", "rose_trees"]


_DEEP, _FAR = 0.12, 0.08  # shares of trees that are deep, or have large numbers


def _number(chance: Chance, low: int, high: int, far: bool = False) -> str:
    return str(chance.between(50 * min(0, low), 50 * high) if far else chance.number(low, high))


class Binary(NamedTuple):
    """A type of binary trees: the name of the empty tree, that of a node, and True if a node begins with its number."""

    leaf: str
    constructor: str
    number_first: bool

    @property
    def declared(self) -> str:
        return f"type tree = {self.leaf} | {self.constructor} of {self._row('tree', 'int', 'tree', ' * ')}\n\n"

    def node(self, left: str, number: str, right: str) -> str:
        return f"{self.constructor} ({self._row(left, number, right, ', ')})"

    def _row(self, left: str, number: str, right: str, sign: str) -> str:
        return sign.join((number, left, right) if self.number_first else (left, number, right))

    def trees(self, low: int = -6, high: int = 20, depth: int = 3) -> Input:
        """Trees of at most this depth, seldom a mere leaf; a few are deep and thin, a few have large numbers."""

        def grown(chance: Chance, far: bool, left: int) -> str:
            if left == 0 or (left < depth and chance.happens(0.35)):
                return self.leaf
            number = _number(chance, low, high, far)
            return self.node(grown(chance, far, left - 1), number, grown(chance, far, left - 1))

        def thin(chance: Chance) -> str:
            tree, ways = self.leaf, chance.pick(((0,), (1,), (0, 1)))
            for _ in range(depth + chance.between(1, 3)):
                other = self.node(self.leaf, _number(chance, low, high), self.leaf)
                below = [tree, other if chance.happens(0.2) else self.leaf]
                first = chance.pick(ways)
                tree = self.node(below[first], _number(chance, low, high), below[1 - first])
            return tree

        def draw(chance: Chance) -> str:
            return thin(chance) if chance.happens(_DEEP) else grown(chance, chance.happens(_FAR), depth)

        one = self.node(self.leaf, str(low + 1), self.leaf)
        return Input(draw, (self.leaf, one, self.node(one, str(high), self.leaf), self.node(self.leaf, str(high), one)))


TREE = Binary("Leaf", "Node", False)
BUSH = Binary("Empty", "Branch", True)
BINARY = (TREE, BUSH)

ROSE = "type tree = Node of int * tree list\n\n"
LEAVES = "type tree = Leaf of int | Node of tree * tree\n\n"


def rose_trees(low: int = -6, high: int = 20, depth: int = 2) -> Input:
    """Trees with up to three children at each node; a few are deep, or have many children, or large numbers."""

    def node(chance: Chance, children: Sequence[str], far: bool = False) -> str:
        return f"Node ({_number(chance, low, high, far)}, [{'; '.join(children)}])"

    def grown(chance: Chance, far: bool, left: int) -> str:
        count = 0 if left == 0 else chance.pick((1, 2, 2, 3)) if left == depth else chance.pick((0, 0, 1, 2))
        return node(chance, [grown(chance, far, left - 1) for _ in range(count)], far)

    def draw(chance: Chance) -> str:
        if chance.happens(_DEEP):
            tree = node(chance, ())
            for _ in range(depth + chance.between(1, 3)):
                beside = [node(chance, ())] if chance.happens(0.3) else []
                tree = node(chance, chance.shuffled([tree, *beside]))
            return tree
        if chance.happens(_DEEP / 2):
            return node(chance, [grown(chance, False, chance.pick((0, 0, 1))) for _ in range(chance.between(4, 7))])
        return grown(chance, chance.happens(_FAR), depth)

    return Input(draw, (f"Node ({low + 1}, [])", f"Node ({high}, [Node ({low}, [])])"))


def leaf_trees(low: int = -6, high: int = 20, depth: int = 3) -> Input:
    """Trees with numbers in their leaves; a few are deep, a few have large numbers."""

    def leaf(chance: Chance, far: bool = False) -> str:
        return f"Leaf {atom(_number(chance, low, high, far))}"

    def grown(chance: Chance, far: bool, left: int) -> str:
        if left == 0 or (left < depth and chance.happens(0.4)):
            return leaf(chance, far)
        return f"Node ({grown(chance, far, left - 1)}, {grown(chance, far, left - 1)})"

    def draw(chance: Chance) -> str:
        if not chance.happens(_DEEP):
            return grown(chance, chance.happens(_FAR), depth)
        tree, ways = leaf(chance), chance.pick(((0,), (1,), (0, 1)))
        for _ in range(depth + chance.between(1, 3)):
            below, first = [tree, leaf(chance)], chance.pick(ways)
            tree = f"Node ({below[first]}, {below[1 - first]})"
        return tree

    return Input(draw, ("Leaf 0", f"Leaf {high}", f"Node (Leaf 1, Leaf {high})"))


ROSE_TREES = rose_trees()
_TESTS: Gap = (
    ("even", "x mod 2 = 0", "even"),
    ("odd", "x mod 2 <> 0", "odd"),
    ("negative", "x < 0", "negative"),
    ("greater than $k", "x > $k", "large"),
    ("at most $k", "x <= $k", "small"),
    ("divisible by $d", "x mod $d = 0", "divisible"),
    ("different from $k", "x <> $k", "other"),
)
_GAPS: dict[str, Gap] = {
    "k": number(2, 12),
    "d": number(3, 5),
    "w": number(2, 4),
    "c": number(2, 3),
    "test": _TESTS,
    "join": (
        ("the sum of", "a + b"),
        ("the product of", "a * b"),
        ("the greater of", "max a b"),
        ("the smaller of", "min a b"),
        ("the distance between", "abs (a - b)"),
    ),
    "order": (("equal", "x = y"), ("different", "x <> y")),
    "below": (
        ("how many children the root has", "(Node (_, children)) = List.length children"),
        ("the number at the root plus the number of its children", "(Node (x, children)) = x + List.length children"),
        ("the number at the root times the number of its children", "(Node (x, children)) = x * List.length children"),
        ("$w for each child of the root, and $k more", "(Node (_, children)) = ($w * List.length children) + $k"),
        (
            "the sum of the numbers in the children of the root",
            "(Node (_, children)) = List.fold_left (fun n (Node (y, _)) -> n + y) 0 children",
        ),
        (
            "the sum of the numbers in the root and its children",
            "(Node (x, children)) = List.fold_left (fun n (Node (y, _)) -> n + y) x children",
        ),
        (
            "the greatest number in the root and its children",
            "(Node (x, children)) = List.fold_left (fun n (Node (y, _)) -> max n y) x children",
        ),
        (
            "how many children of the root have a greater number than the root",
            "(Node (x, children)) = List.length (List.filter (fun (Node (y, _)) -> y > x) children)",
        ),
        (
            "how many children of the root have children themselves",
            "(Node (_, children)) = List.length (List.filter (fun (Node (_, below)) -> below <> []) children)",
        ),
    ),
    "kids": (
        (
            "every child of the root has a greater number than the root",
            "(Node (x, children)) = List.for_all (fun (Node (y, _)) -> y > x) children",
        ),
        (
            "some child of the root has a smaller number than the root",
            "(Node (x, children)) = List.exists (fun (Node (y, _)) -> y < x) children",
        ),
        ("the root has at least $c children", "(Node (_, children)) = List.length children >= $c"),
        (
            "no child of the root has children",
            "(Node (_, children)) = List.for_all (fun (Node (_, below)) -> below = []) children",
        ),
        (
            "some child of the root has the number $k",
            "(Node (_, children)) = List.exists (fun (Node (y, _)) -> y = $k) children",
        ),
    ),
    "total": (
        ("the sum of all numbers", "Leaf n -> n\n  | Node (l, r) -> $f l + $f r", "sum"),
        ("the number of leaves", "Leaf _ -> 1\n  | Node (l, r) -> $f l + $f r", "leaves"),
        ("the number of nodes that are not leaves", "Leaf _ -> 0\n  | Node (l, r) -> 1 + $f l + $f r", "nodes"),
        ("the greatest number", "Leaf n -> n\n  | Node (l, r) -> max ($f l) ($f r)", "greatest"),
        ("the smallest number", "Leaf n -> n\n  | Node (l, r) -> min ($f l) ($f r)", "smallest"),
        (
            "the number of leaves with a 0 or a negative number",
            "Leaf n -> if n <= 0 then 1 else 0\n  | Node (l, r) -> $f l + $f r",
            "low",
        ),
        (
            "how many steps the longest way from the root to a leaf has",
            "Leaf _ -> 0\n  | Node (l, r) -> 1 + max ($f l) ($f r)",
            "longest",
        ),
        (
            "how many steps the shortest way from the root to a leaf has",
            "Leaf _ -> 0\n  | Node (l, r) -> 1 + min ($f l) ($f r)",
            "shortest",
        ),
        (
            "the number of a leaf; for a node, the result for its left part minus that for its right part",
            "Leaf n -> n\n  | Node (l, r) -> $f l - $f r",
            "balance",
        ),
    ),
    "whole": (
        ("the number of its nodes", "Node (_, l) -> List.fold_left (fun n c -> n + $f c) 1 l", "size"),
        ("the sum of its numbers", "Node (x, l) -> List.fold_left (fun n c -> n + $f c) x l", "sum"),
        ("the greatest of its numbers", "Node (x, l) -> List.fold_left (fun n c -> max n ($f c)) x l", "greatest"),
        ("the smallest of its numbers", "Node (x, l) -> List.fold_left (fun n c -> min n ($f c)) x l", "smallest"),
        (
            "its height: how many nodes the longest way from the root down has",
            "Node (_, l) -> 1 + List.fold_left (fun n c -> max n ($f c)) 0 l",
            "height",
        ),
        (
            "the number of its nodes without children",
            "Node (_, []) -> 1\n  | Node (_, l) -> List.fold_left (fun n c -> n + $f c) 0 l",
            "ends",
        ),
        (
            "the sum of the numbers in its nodes without children",
            "Node (x, []) -> x\n  | Node (_, l) -> List.fold_left (fun n c -> n + $f c) 0 l",
            "end_sum",
        ),
        (
            "how many of its numbers are $test",
            "Node (x, l) -> List.fold_left (fun n c -> n + $f c) (if $test then 1 else 0) l",
            "count",
        ),
    ),
    "disk": (
        (
            "the sum of the sizes of all files in it",
            "File n -> n\n  | Folder l -> List.fold_left (fun sum e -> sum + $f e) 0 l",
            "total",
        ),
        (
            "the number of files in it",
            "File _ -> 1\n  | Folder l -> List.fold_left (fun sum e -> sum + $f e) 0 l",
            "files",
        ),
        (
            "the number of folders, itself included if it is one",
            "File _ -> 0\n  | Folder l -> List.fold_left (fun sum e -> sum + $f e) 1 l",
            "folders",
        ),
        (
            "the size of its greatest file (0 if there is none)",
            "File n -> n\n  | Folder l -> List.fold_left (fun most e -> max most ($f e)) 0 l",
            "greatest",
        ),
        (
            "the sum of the sizes of all files, and $w more for each folder",
            "File n -> n\n  | Folder l -> List.fold_left (fun sum e -> sum + $f e) $w l",
            "total",
        ),
        (
            "the number of files larger than $k in it",
            "File n -> if n > $k then 1 else 0\n  | Folder l -> List.fold_left (fun sum e -> sum + $f e) 0 l",
            "large",
        ),
    ),
}
_COUNTED: Gap = (
    ("how many numbers in `t` are $test", "(if $test then 1 else 0)"),
    ("the sum of the numbers in `t` that are $test", "(if $test then x else 0)"),
)


def _root_gaps(kind: Binary) -> dict[str, Gap]:
    """Gaps for facts near the root of a binary tree."""
    leaf, node = kind.leaf, kind.node
    left, right = node(node("_", "x", "_"), "_", "_"), node("_", "_", node("_", "x", "_"))
    return {
        "place": (
            ("at the root of `t`", node("_", "x", "_"), "root"),
            ("at the root of the left subtree of `t`", left, "left"),
            ("at the root of the right subtree of `t`", right, "right"),
        ),
        "child": (("left", left, "left"), ("right", right, "right")),
        "two": (
            ("the root and the root of the left subtree", node(node("_", "a", "_"), "b", "_")),
            ("the root and the root of the right subtree", node("_", "b", node("_", "a", "_"))),
            ("the roots of both subtrees", node(node("_", "a", "_"), "_", node("_", "b", "_"))),
        ),
        "form": (
            ("just one node", node(leaf, "_", leaf)),
            ("a root without a left subtree", node(leaf, "_", "_")),
            ("a root without a right subtree", node("_", "_", leaf)),
            ("a root with two subtrees that are not empty", node(node("_", "_", "_"), "_", node("_", "_", "_"))),
            ("a left subtree of just one node", node(node(leaf, "_", leaf), "_", "_")),
        ),
    }


def _size_gaps(kind: Binary) -> dict[str, Gap]:
    """A gap for numbers of a whole binary tree."""
    leaf, node = kind.leaf, kind.node
    return {
        "size": (
            ("the number of nodes of `t`", f"0\n  | {node('l', '_', 'r')} -> 1 + $f l + $f r", "size"),
            ("the sum of all numbers in `t`", f"0\n  | {node('l', 'x', 'r')} -> x + $f l + $f r", "sum"),
            (
                "the height of `t`: how many nodes the longest way from the root down has",
                f"0\n  | {node('l', '_', 'r')} -> 1 + max ($f l) ($f r)",
                "height",
            ),
            (f"how often `{leaf}` occurs in `t`", f"1\n  | {node('l', '_', 'r')} -> $f l + $f r", "empty_ends"),
            (
                "the sum of the squares of all numbers in `t`",
                f"0\n  | {node('l', 'x', 'r')} -> (x * x) + $f l + $f r",
                "squares",
            ),
            (
                "the greatest sum of numbers along a way from the root down, where a way may end anywhere or be empty",
                f"0\n  | {node('l', 'x', 'r')} -> max 0 (x + max ($f l) ($f r))",
                "best",
            ),
            (
                "the greatest number in `t`, or 0 if none is greater than 0",
                f"0\n  | {node('l', 'x', 'r')} -> max x (max ($f l) ($f r))",
                "greatest",
            ),
            (
                "the product of all numbers in `t`, which is 1 if there is none",
                f"1\n  | {node('l', 'x', 'r')} -> x * $f l * $f r",
                "product",
            ),
        ),
    }


def _node_gaps(kind: Binary) -> dict[str, Gap]:
    """Gaps for conditions on all numbers or some, and for nodes to count."""
    leaf, node = kind.leaf, kind.node
    return {
        "few": number(3, 5),
        "some": (
            (
                "no number in `t` is negative",
                f"true\n  | {node('l', 'x', 'r')} -> x >= 0 && $f l && $f r",
                "none_negative",
            ),
            ("no number in `t` is 0", f"true\n  | {node('l', 'x', 'r')} -> x <> 0 && $f l && $f r", "no_zero"),
            (
                "all numbers in `t` are less than $few",
                f"true\n  | {node('l', 'x', 'r')} -> x < $few && $f l && $f r",
                "all_small",
            ),
            (
                "at least one number in `t` is negative",
                f"false\n  | {node('l', 'x', 'r')} -> x < 0 || $f l || $f r",
                "any_negative",
            ),
            ("the number $z occurs in `t`", f"false\n  | {node('l', 'x', 'r')} -> x = $z || $f l || $f r", "occurs"),
            (
                "at least one number in `t` is greater than $few",
                f"false\n  | {node('l', 'x', 'r')} -> x > $few || $f l || $f r",
                "any_large",
            ),
        ),
        "counted": _COUNTED,
        "special": (
            (
                "nodes with nothing below them",
                f"{node(leaf, '_', leaf)} -> 1\n  | {node('l', '_', 'r')} -> $f l + $f r",
            ),
            (
                "nodes with nothing on the left",
                f"{node(leaf, '_', 'r')} -> 1 + $f r\n  | {node('l', '_', 'r')} -> $f l + $f r",
            ),
            (
                "nodes with the number $z",
                f"{node('l', '$z', 'r')} -> 1 + $f l + $f r\n  | {node('l', '_', 'r')} -> $f l + $f r",
            ),
        ),
    }


def _binary_gaps(kind: Binary) -> dict[str, Gap]:
    """All gaps for binary trees."""
    return {**_GAPS, **_root_gaps(kind), "z": number(0, 2), **_size_gaps(kind), **_node_gaps(kind)}


def _at_root(kind: Binary) -> tuple[Task, ...]:
    """Tasks of level 1: the root of a binary tree and its neighbours."""
    leaf, node, declared, gaps = kind.leaf, kind.node, kind.declared, _binary_gaps(kind)
    return (
        Task(
            level=1,
            says=(
                "`$f d t` is the number $place, or `d` if there is no such node.",
                "What is the number $place? `$f d t` returns it, and `d` where there is none.",
            ),
            names=("${place}_or", "number_at", "${place}_number"),
            signature=f"{declared}val $f : int -> tree -> int",
            code=f"{declared}let $f d t = match t with $place -> x | _ -> d",
            gaps=gaps,
            inputs=(integers(0, 9), kind.trees(depth=2)),
        ),
        Task(
            level=1,
            says=(
                "`$f t` tells if `t` has a $child subtree whose root holds a number that is $test.",
                "Is there a number at the root of the $child subtree of `t` that is $test? Write `$f t`.",
            ),
            names=("check_$child", "${test}_$child", "look_$child"),
            signature=f"{declared}val $f : tree -> bool",
            code=f"{declared}let $f t = match t with $child -> $test | _ -> false",
            gaps=gaps,
            inputs=(kind.trees(depth=2),),
        ),
        Task(
            level=1,
            says=(
                "`$f t` is $join the numbers at $two, or $k if there are no such nodes.",
                "Take the numbers at $two of `t`: `$f t` is $join them. If one of these nodes is missing, it is $k.",
            ),
            names=("near_root", "combine", "top_two"),
            signature=f"{declared}val $f : tree -> int",
            code=f"{declared}let $f t = match t with $two -> $join | _ -> $k",
            gaps=gaps,
            inputs=(kind.trees(depth=2),),
        ),
        Task(
            level=1,
            says=(
                "`$f t` tells if the tree `t` has $form.",
                f"Does the tree `t` have $form? Write `$f t`; an empty subtree is `{leaf}`.",
            ),
            names=("has_form", "check_form", "looks_right"),
            signature=f"{declared}val $f : tree -> bool",
            code=f"{declared}let $f t = match t with $form -> true | _ -> false",
            gaps=gaps,
            inputs=(kind.trees(depth=2),),
        ),
        Task(
            level=1,
            says=(
                "`$f t u` tells if both trees have a root, and the numbers at the two roots are $order.",
                f"Compare two trees: `$f t u` is `true` if neither is `{leaf}` and the numbers at their roots are $order.",
            ),
            names=("compare_roots", "both_roots", "roots"),
            signature=f"{declared}val $f : tree -> tree -> bool",
            code=f"{declared}let $f t u = match (t, u) with {node('_', 'x', '_')}, {node('_', 'y', '_')} -> $order | _ -> false",
            gaps=gaps,
            inputs=(kind.trees(0, 2, 2), kind.trees(0, 2, 2)),
        ),
    )


def _throughout(kind: Binary) -> tuple[Task, ...]:
    """Tasks of level 2: recursion through a binary tree."""
    leaf, node, declared, gaps = kind.leaf, kind.node, kind.declared, _binary_gaps(kind)
    return (
        Task(
            level=2,
            says=(
                f"`$f t` is $size. `{leaf}` is the empty tree.",
                "Write a recursive function `$f t` on binary trees. Its result is $size.",
                f"Go through the tree `t`, in which `{leaf}` stands for nothing. `$f t` is $size.",
            ),
            names=("$size", "tree_$size", "measure"),
            signature=f"{declared}val $f : tree -> int",
            code=f"{declared}let rec $f t =\n  match t with\n  | {leaf} -> $size",
            gaps=gaps,
            inputs=(kind.trees(-4, 9),),
        ),
        Task(
            level=2,
            says=(
                f"`$f t` tells if $some; in `{leaf}` there are no numbers at all.",
                "Is it true that $some? Write `$f t`. The empty tree has no numbers.",
            ),
            names=("check", "$some", "${some}_in_tree"),
            signature=f"{declared}val $f : tree -> bool",
            code=f"{declared}let rec $f t =\n  match t with\n  | {leaf} -> $some",
            gaps=gaps,
            inputs=(kind.trees(-2, 6, 2),),
        ),
        Task(
            level=2,
            says=(
                "`$f t` is $counted; for the empty tree it is 0.",
                "Write a function `$f t` that tells $counted, and 0 if there are none.",
            ),
            names=("count_$test", "${test}_numbers", "tally"),
            signature=f"{declared}val $f : tree -> int",
            code=f"{declared}let rec $f t =\n  match t with\n  | {leaf} -> 0\n  | {node('l', 'x', 'r')} -> $counted + $f l + $f r",
            gaps=gaps,
            inputs=(kind.trees(),),
        ),
        Task(
            level=2,
            says=(
                "`$f t` is the number of $special in the tree `t`.",
                f"How many $special are there in the tree `t`? `$f t` counts them; `{leaf}` has no nodes.",
            ),
            names=("count_nodes", "special_nodes", "how_many"),
            signature=f"{declared}val $f : tree -> int",
            code=f"{declared}let rec $f t =\n  match t with\n  | {leaf} -> 0\n  | $special",
            gaps=gaps,
            inputs=(kind.trees(0, 5),),
        ),
    )


def _on_binary(kind: Binary) -> tuple[Task, ...]:
    """Tasks on binary trees."""
    return (*_at_root(kind), *_throughout(kind))


_FOLDER = "type entry = File of int | Folder of entry list\n\n"


def _entry(chance: Chance, depth: int = 3) -> str:
    if depth == 0 or (depth < 3 and chance.happens(0.5)):
        return f"File {chance.number(0, 30) if chance.happens(0.9) else chance.between(100, 5_000)}"
    if depth == 3 and chance.happens(_DEEP):
        return f"Folder [File {chance.number(0, 30)}; Folder [Folder [{_entry(chance, 2)}]]; {_entry(chance, 2)}]"
    return f"Folder [{'; '.join(_entry(chance, depth - 1) for _ in range(chance.pick((0, 1, 2, 2, 3))))}]"


TASKS = (
    *(task for kind in BINARY for task in _on_binary(kind)),
    Task(
        level=1,
        says=(
            "`$f t` is $below. The children of a node are in its list.",
            "A tree is a node: a number and a list of children. Write `$f t`, which is $below.",
        ),
        names=("near_root", "top", "root_measure"),
        signature=f"{ROSE}val $f : tree -> int",
        code=f"{ROSE}let $f $below",
        gaps=_GAPS,
        inputs=(rose_trees(),),
    ),
    Task(
        level=1,
        says=(
            "`$f t` tells if $kids. A node has a number and a list of children.",
            "Is it true of the tree `t` that $kids? `$f t` gives the answer.",
        ),
        names=("check", "check_root", "root_test"),
        signature=f"{ROSE}val $f : tree -> bool",
        code=f"{ROSE}let $f $kids",
        gaps=_GAPS,
        inputs=(rose_trees(),),
    ),
    Task(
        level=1,
        says=(
            "All numbers of a tree are in its leaves. `$f t` is $join them if `t` is a node of two leaves, and $k otherwise.",
            "If the tree `t` is a node of two leaves `a` and `b`, then `$f t` is $join these numbers. Otherwise it is $k.",
        ),
        names=("two_leaves", "fork", "combine"),
        signature=f"{LEAVES}val $f : tree -> int",
        code=f"{LEAVES}let $f t = match t with Node (Leaf a, Leaf b) -> $join | _ -> $k",
        gaps=_GAPS,
        inputs=(leaf_trees(depth=2),),
    ),
    Task(
        level=2,
        says=(
            "A tree has numbers in its leaves only. `$f t` is $total.",
            "Write `$f t` for a tree `t` with numbers in its leaves: it returns $total.",
        ),
        names=("measure", "$total", "of_leaves"),
        signature=f"{LEAVES}val $f : tree -> int",
        code=f"{LEAVES}let rec $f t =\n  match t with\n  | $total",
        gaps=_GAPS,
        inputs=(leaf_trees(),),
    ),
    Task(
        level=2,
        says=(
            "Each node of a tree has a number and a list of children. `$f t` is $whole.",
            "Write a recursive function `$f t` on trees with any number of children. Its result is $whole.",
        ),
        names=("measure", "$whole", "whole_tree"),
        signature=f"{ROSE}val $f : tree -> int",
        code=f"{ROSE}let rec $f t =\n  match t with\n  | $whole",
        gaps=_GAPS,
        inputs=(rose_trees(depth=3),),
    ),
    Task(
        level=2,
        says=(
            "A folder holds files, each with its size, and other folders. `$f e` is $disk. Folders may be empty.",
            "An entry `e` of a disk is a file of some size or a folder with a list of entries. Write `$f e`: $disk.",
        ),
        names=("disk_use", "$disk", "of_entry"),
        signature=f"{_FOLDER}val $f : entry -> int",
        code=f"{_FOLDER}let rec $f e =\n  match e with\n  | $disk",
        gaps=_GAPS,
        inputs=(Input(_entry, ("Folder []", "File 1", "Folder [File 2]", "Folder [Folder []]")),),
    ),
)
