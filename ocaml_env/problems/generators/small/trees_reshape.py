"""Small tasks on making trees from trees: at the root alone, or everywhere by recursion."""

from __future__ import annotations

from ocaml_env.problems.generators.inputs import integers, lists
from ocaml_env.problems.generators.small.trees_measure import BINARY, LEAVES, ROSE, Binary, leaf_trees, rose_trees
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_GAPS: dict[str, Gap] = {
    "k": number(2, 12),
    "w": number(2, 4),
    "z": number(0, 3),
    "image": (
        ("every number raised by $k", "x + $k", "raise"),
        ("every number lowered by $k", "x - $k", "lower"),
        ("every number multiplied by $w", "$w * x", "multiply"),
        ("every number replaced by its square", "x * x", "square"),
        ("the sign of every number changed", "-x", "negate"),
        ("every negative number replaced by 0", "max x 0", "clip"),
        ("every number above $k replaced by $k", "min x $k", "limit"),
        ("every number replaced by its distance from 0", "abs x", "absolute"),
        ("every even number halved", "(if x mod 2 = 0 then x / 2 else x)", "halve"),
    ),
    "test": (
        ("negative", "x < 0"),
        ("even", "x mod 2 = 0"),
        ("odd", "x mod 2 <> 0"),
        ("greater than $k", "x > $k"),
        ("less than $k", "x < $k"),
    ),
    "rose": (
        ("the children of the root in reverse order", "(Node (x, l)) = Node (x, List.rev l)", "turn"),
        (
            "a new first child of the root, with the number $k and no children",
            "(Node (x, l)) = Node (x, Node ($k, []) :: l)",
            "add",
        ),
        (
            "a new last child of the root, with the number $k and no children",
            "(Node (x, l)) = Node (x, l @ [ Node ($k, []) ])",
            "append",
        ),
        ("all children of the root removed", "(Node (x, _)) = Node (x, [])", "bare"),
        ("the number $k at the root", "(Node (_, l)) = Node ($k, l)", "renumber"),
        ("a new root above the old one, with the number $k and no other child", "t = Node ($k, [ t ])", "lift"),
        (
            "the number of the children added to that at the root",
            "(Node (x, l)) = Node (x + List.length l, l)",
            "count",
        ),
        ("all children of the root twice, one after the other", "(Node (x, l)) = Node (x, l @ l)", "repeat"),
        (
            "the children of the root without children of their own",
            "(Node (x, l)) = Node (x, List.map (fun (Node (y, _)) -> Node (y, [])) l)",
            "flatten",
        ),
    ),
    "joined": (
        ("the number at the root of `t`, and as children those of `t` followed by those of `u`", "Node (x, l @ m)"),
        ("the number at the root of `u`, and as children those of `t` followed by those of `u`", "Node (y, l @ m)"),
        ("the sum of both root numbers, and as children those of `t` followed by those of `u`", "Node (x + y, l @ m)"),
        (
            "the number at the root of `t`, and as children those of `t` followed by `u` itself",
            "Node (x, l @ [ Node (y, m) ])",
        ),
        ("the number $k, and as children `t` and `u`", "Node ($k, [ Node (x, l); Node (y, m) ])"),
    ),
    "leafed": (
        ("every number raised by $k", "Leaf (n + $k)\n  | Node (l, r) -> Node ($f l, $f r)"),
        ("every number multiplied by $w", "Leaf ($w * n)\n  | Node (l, r) -> Node ($f l, $f r)"),
        ("left and right exchanged at every node", "Leaf n\n  | Node (l, r) -> Node ($f r, $f l)"),
        (
            "left and right exchanged at every node, and every number raised by $k",
            "Leaf (n + $k)\n  | Node (l, r) -> Node ($f r, $f l)",
        ),
        (
            "every leaf replaced by a node of two such leaves",
            "Node (Leaf n, Leaf n)\n  | Node (l, r) -> Node ($f l, $f r)",
        ),
        ("every negative number replaced by 0", "Leaf (max n 0)\n  | Node (l, r) -> Node ($f l, $f r)"),
        (
            "every leaf replaced by a node of it and a leaf with $k",
            "Node (Leaf n, Leaf $k)\n  | Node (l, r) -> Node ($f l, $f r)",
        ),
    ),
    "grown": (
        ("every number raised by $k", "Node (x + $k, List.map $f l)"),
        ("every number multiplied by $w", "Node ($w * x, List.map $f l)"),
        ("the children of every node in reverse order", "Node (x, List.rev (List.map $f l))"),
        ("a new first child with the number $k in every node", "Node (x, Node ($k, []) :: List.map $f l)"),
        ("a new last child in every node, with the number of that node", "Node (x, List.map $f l @ [ Node (x, []) ])"),
        ("the number of its children added to every number", "Node (x + List.length l, List.map $f l)"),
        ("the children of every node twice, one after the other", "Node (x, List.map $f (l @ l))"),
    ),
    "kept": (
        ("greater than $k", "x > $k"),
        ("negative", "x < 0"),
        ("even", "x mod 2 = 0"),
        ("odd", "x mod 2 <> 0"),
    ),
}
_SORTED: Gap = (
    ("less", "<"),
    ("greater", ">"),
)
_WALK: Gap = (
    ("the left subtree, the node, the right subtree", "$f l @ [ x ] @ $f r"),
    ("the node, the left subtree, the right subtree", "(x :: $f l) @ $f r"),
    ("the left subtree, the right subtree, the node", "$f l @ $f r @ [ x ]"),
    ("the right subtree, the node, the left subtree", "$f r @ [ x ] @ $f l"),
)


def _root_gaps(kind: Binary) -> dict[str, Gap]:
    """Gaps for changes at the root of a binary tree, its parts, and joined trees."""
    leaf, node = kind.leaf, kind.node
    whole = node("l", "x", "r")
    return {
        "root": (
            ("its two subtrees exchanged", f"{whole} -> {node('r', 'x', 'l')}", "exchange"),
            ("its left subtree removed", f"{node('_', 'x', 'r')} -> {node(leaf, 'x', 'r')}", "cut_left"),
            ("its right subtree removed", f"{node('l', 'x', '_')} -> {node('l', 'x', leaf)}", "cut_right"),
            ("both subtrees removed", f"{node('_', 'x', '_')} -> {node(leaf, 'x', leaf)}", "cut"),
            ("its number raised by $k", f"{whole} -> {node('l', 'x + $k', 'r')}", "raise_root"),
            ("its number doubled", f"{whole} -> {node('l', '2 * x', 'r')}", "double_root"),
            ("its number replaced by $k", f"{node('l', '_', 'r')} -> {node('l', '$k', 'r')}", "set_root"),
            ("its left subtree on both sides", f"{node('l', 'x', '_')} -> {node('l', 'x', 'l')}", "copy_left"),
            ("its right subtree on both sides", f"{node('_', 'x', 'r')} -> {node('r', 'x', 'r')}", "copy_right"),
        ),
        "above": (
            ("`t` as its only subtree, on the left", node("t", "x", leaf)),
            ("`t` as its only subtree, on the right", node(leaf, "x", "t")),
            ("`t` on both sides", node("t", "x", "t")),
            ("`t` on the left and a single node with $k on the right", node("t", "x", node(leaf, "$k", leaf))),
            ("`t` on the right and a single node with $k on the left", node(node(leaf, "$k", leaf), "x", "t")),
        ),
        "part": (
            ("the left subtree of `t`", f"{node('l', '_', '_')} -> l"),
            ("the right subtree of `t`", f"{node('_', '_', 'r')} -> r"),
            ("the left subtree of the left subtree of `t`", f"{node(node('l', '_', '_'), '_', '_')} -> l"),
            ("the right subtree of the left subtree of `t`", f"{node(node('_', '_', 'r'), '_', '_')} -> r"),
            ("the left subtree of the right subtree of `t`", f"{node('_', '_', node('l', '_', '_'))} -> l"),
        ),
        "both": (
            ("`t` on the left, `u` on the right, and $k", node("t", "$k", "u")),
            ("`u` on the left, `t` on the right, and $k", node("u", "$k", "t")),
        ),
        "built": (
            ("`x` at the root, and `y` in a node on its left", node(node(leaf, "y", leaf), "x", leaf)),
            ("`x` at the root, and `y` in a node on its right", node(leaf, "x", node(leaf, "y", leaf))),
            (
                "`x` at the root, and `y` in a node on each side",
                node(node(leaf, "y", leaf), "x", node(leaf, "y", leaf)),
            ),
            (
                "the greater number at the root, and the smaller one in a node on its left",
                node(node(leaf, "min x y", leaf), "max x y", leaf),
            ),
            (
                "their sum at the root, `x` in a node on its left, `y` in one on its right",
                node(node(leaf, "x", leaf), "x + y", node(leaf, "y", leaf)),
            ),
        ),
    }


def _deep_gaps(kind: Binary) -> dict[str, Gap]:
    """Gaps for changes everywhere in a binary tree, for new nodes, lists and turns."""
    leaf, node = kind.leaf, kind.node
    return {
        "everywhere": (
            ("the left and the right subtree of every node exchanged", node("$f r", "x", "$f l"), "mirror"),
            ("every right subtree removed", node("$f l", "x", leaf), "left_only"),
            ("every left subtree removed", node(leaf, "x", "$f r"), "right_only"),
            (
                "both subtrees of every node exchanged, and every number doubled",
                node("$f r", "2 * x", "$f l"),
                "mirror_double",
            ),
            ("each left subtree on both sides of its node", node("$f l", "x", "$f l"), "left_twice"),
        ),
        "cut": (
            ("is cut off with all that is below it", f"{leaf}"),
            ("loses its subtrees", node(leaf, "x", leaf)),
            ("loses its left subtree", node(leaf, "x", "$f r")),
            ("has its subtrees exchanged", node("$f r", "x", "$f l")),
            ("gets the number 0", node("$f l", "0", "$f r")),
        ),
        "sprout": (
            ("a single node with $k", f"{node(leaf, '$k', leaf)}"),
            ("a node with $k and, on its left, one with $w", node(node(leaf, "$w", leaf), "$k", leaf)),
        ),
        "put": (
            ("as far on the left as possible", f"{node('l', 'x', 'r')} -> {node('$f y l', 'x', 'r')}", "leftmost"),
            ("as far on the right as possible", f"{node('l', 'x', 'r')} -> {node('l', 'x', '$f y r')}", "rightmost"),
        ),
        "sorted": _SORTED,
        "walk": _WALK,
        "row": (
            ("on the left of the one before it", node("$f rest", "x", leaf)),
            ("on the right of the one before it", node(leaf, "x", "$f rest")),
            ("on both sides of the one before it", node("$f rest", "x", "$f rest")),
        ),
        "limit": (("", leaf), (" In place of what is cut off there is a node with $k.", node(leaf, "$k", leaf))),
        "turned": (
            (
                "the left child becomes the root, and the old root its right child, which takes over its right subtree",
                f"{node(node('a', 'x', 'b'), 'y', 'c')} -> {node('a', 'x', node('b', 'y', 'c'))}",
            ),
            (
                "the right child becomes the root, and the old root its left child, which takes over its left subtree",
                f"{node('a', 'x', node('b', 'y', 'c'))} -> {node(node('a', 'x', 'b'), 'y', 'c')}",
            ),
            (
                "the root and its left child exchange their numbers",
                f"{node(node('a', 'x', 'b'), 'y', 'c')} -> {node(node('a', 'y', 'b'), 'x', 'c')}",
            ),
            (
                "the root and its right child exchange their numbers",
                f"{node('a', 'x', node('b', 'y', 'c'))} -> {node('a', 'y', node('b', 'x', 'c'))}",
            ),
        ),
    }


def _gaps(kind: Binary) -> dict[str, Gap]:
    """All gaps for binary trees."""
    return {**_GAPS, **_root_gaps(kind), **_deep_gaps(kind)}


def _at_root(kind: Binary) -> tuple[Task, ...]:
    """Tasks of level 1: the root of a binary tree, its parts, and new trees."""
    leaf, declared, gaps = kind.leaf, kind.declared, _gaps(kind)
    return (
        Task(
            level=1,
            says=(
                f"`$f t` is the tree `t` with a change at its root: $root. `{leaf}` stays as it is.",
                f"Change nothing but the root of the tree `t`, and return `t` with $root. Write `$f t`, which is `{leaf}` for `{leaf}`.",
            ),
            names=("$root", "change_root", "at_root"),
            signature=f"{declared}val $f : tree -> tree",
            code=f"{declared}let $f t = match t with {leaf} -> {leaf} | $root",
            gaps=gaps,
            inputs=(kind.trees(),),
        ),
        Task(
            level=1,
            says=(
                "`$f x t` is a tree with `x` at its root and $above.",
                "Put a new root with the number `x` above a tree: `$f x t` has $above.",
            ),
            names=("grow", "new_root", "put_above"),
            signature=f"{declared}val $f : int -> tree -> tree",
            code=f"{declared}let $f x t = $above",
            gaps=gaps,
            inputs=(integers(-9, 30), kind.trees(depth=2)),
        ),
        Task(
            level=1,
            says=(
                f"`$f t` is $part, or `{leaf}` if there is none.",
                f"Take $part: that is `$f t`. Where there is no such subtree, the result is `{leaf}`.",
            ),
            names=("part", "subtree", "take"),
            signature=f"{declared}val $f : tree -> tree",
            code=f"{declared}let $f t = match t with $part | _ -> {leaf}",
            gaps=gaps,
            inputs=(kind.trees(depth=4),),
        ),
        Task(
            level=1,
            says=(
                "`$f t u` joins two trees: it has $both at the root.",
                "Make one tree of `t` and `u`. In `$f t u` there are $both at the new root.",
            ),
            names=("join", "fork", "together"),
            signature=f"{declared}val $f : tree -> tree -> tree",
            code=f"{declared}let $f t u = $both",
            gaps=gaps,
            inputs=(kind.trees(depth=2), kind.trees(depth=2)),
        ),
        Task(
            level=1,
            says=(
                "`$f x y` builds a tree of two numbers: $built. All else is empty.",
                f"Build a tree of `x` and `y`: $built. Write `$f x y`, with `{leaf}` where nothing is.",
            ),
            names=("build", "small_tree", "plant"),
            signature=f"{declared}val $f : int -> int -> tree",
            code=f"{declared}let $f x y = $built",
            gaps=gaps,
            inputs=(integers(-9, 30, far=500), integers(-9, 30, far=500)),
        ),
    )


def _everywhere(kind: Binary) -> tuple[Task, ...]:
    """Tasks of level 2 that change all nodes, or all of some kind."""
    leaf, node, declared, gaps = kind.leaf, kind.node, kind.declared, _gaps(kind)
    whole = node("l", "x", "r")
    return (
        Task(
            level=2,
            says=(
                "`$f t` is a tree of the same form as `t`, with $image.",
                f"Write a recursive function `$f t`: it returns the tree `t` with $image. `{leaf}` stays `{leaf}`.",
            ),
            names=("${image}_all", "map_tree", "change_numbers"),
            signature=f"{declared}val $f : tree -> tree",
            code=f"{declared}let rec $f t =\n  match t with\n  | {leaf} -> {leaf}\n  | {whole} ->\n    "
            + node("$f l", "$image", "$f r"),
            gaps=gaps,
            inputs=(kind.trees(),),
        ),
        Task(
            level=2,
            says=(
                "`$f t` is the tree `t` with $everywhere.",
                f"Go through the whole tree `t`, and return it with $everywhere: that is `$f t`. `{leaf}` stays `{leaf}`.",
            ),
            names=("$everywhere", "reshape", "all_nodes"),
            signature=f"{declared}val $f : tree -> tree",
            code=f"{declared}let rec $f t =\n  match t with\n  | {leaf} -> {leaf}\n  | {whole} -> $everywhere",
            gaps=gaps,
            inputs=(kind.trees(),),
        ),
        Task(
            level=2,
            says=(
                "`$f t` is the tree `t` changed from the root down: a node whose number is $test $cut. Other nodes stay.",
                "Prune the tree `t`: in `$f t` every node with a number that is $test $cut. All other nodes stay as they are.",
            ),
            names=("prune", "trim", "tend"),
            signature=f"{declared}val $f : tree -> tree",
            code=f"{declared}let rec $f t =\n  match t with\n  | {leaf} -> {leaf}\n"
            f"  | {whole} -> if $test then $cut else {node('$f l', 'x', '$f r')}",
            gaps=gaps,
            inputs=(kind.trees(-9, 14),),
        ),
        Task(
            level=2,
            says=(
                f"`$f t` is the tree `t` in which every `{leaf}` is replaced by $sprout.",
                f"Let the tree `t` grow: in `$f t` stands $sprout, wherever `t` has `{leaf}`.",
            ),
            names=("grow", "sprout", "extend"),
            signature=f"{declared}val $f : tree -> tree",
            code=f"{declared}let rec $f t =\n  match t with\n  | {leaf} -> $sprout\n  | {whole} -> {node('$f l', 'x', '$f r')}",
            gaps=gaps,
            inputs=(kind.trees(depth=2),),
        ),
    )


def _one_more(kind: Binary) -> tuple[Task, ...]:
    """Tasks of level 2 that add a node."""
    leaf, node, declared, gaps = kind.leaf, kind.node, kind.declared, _gaps(kind)
    whole = node("l", "x", "r")
    return (
        Task(
            level=2,
            says=(
                "`$f y t` is the tree `t` with a new node, whose number is `y`, $put. It has nothing below it.",
                f"Add a node with the number `y` to the tree `t`, $put, in place of a `{leaf}`. Write `$f y t`.",
            ),
            names=("add_$put", "insert_$put", "plant_$put"),
            signature=f"{declared}val $f : int -> tree -> tree",
            code=f"{declared}let rec $f y t =\n  match t with\n  | {leaf} -> {node(leaf, 'y', leaf)}\n  | $put",
            gaps=gaps,
            inputs=(integers(-9, 30), kind.trees()),
        ),
        Task(
            level=2,
            says=(
                f"`$f y t` adds `y` to the tree `t` in a new node. From the root it goes to the left where `y` is $sorted "
                f"than the number there, otherwise to the right, until it comes to `{leaf}`.",
                f"Look for the place of `y` in the tree `t`: at each node, left if `y` is $sorted than its number, else "
                f"right. There a new node with `y` replaces `{leaf}`. Write `$f y t`.",
            ),
            names=("insert", "add", "put_in_place"),
            signature=f"{declared}val $f : int -> tree -> tree",
            code=f"{declared}let rec $f y t =\n  match t with\n  | {leaf} -> {node(leaf, 'y', leaf)}\n"
            f"  | {whole} -> if y $sorted x then {node('$f y l', 'x', 'r')} else {node('l', 'x', '$f y r')}",
            gaps=gaps,
            inputs=(integers(-1, 12), kind.trees(0, 12)),
        ),
    )


def _lists_and_levels(kind: Binary) -> tuple[Task, ...]:
    """Tasks of level 2: lists of trees, trees of lists, first levels, and turns."""
    leaf, node, declared, gaps = kind.leaf, kind.node, kind.declared, _gaps(kind)
    whole = node("l", "x", "r")
    return (
        Task(
            level=2,
            says=(
                "`$f t` is the list of the numbers in `t`. At every node the order is: $walk.",
                f"List all numbers of the tree `t`. Of each node come, in this order: $walk. `$f t` is `[]` for `{leaf}`.",
            ),
            names=("to_list", "numbers", "listed"),
            signature=f"{declared}val $f : tree -> int list",
            code=f"{declared}let rec $f t =\n  match t with\n  | {leaf} -> []\n  | {whole} -> $walk",
            gaps=gaps,
            inputs=(kind.trees(),),
        ),
        Task(
            level=2,
            says=(
                f"`$f l` makes a tree of a list: its first element is at the root, and each next one $row. `[]` gives `{leaf}`.",
                f"Build a tree from the list `l`. The root holds the first element, and every further one stands $row. "
                f"`$f l` is `{leaf}` for `[]`.",
            ),
            names=("of_list", "tree_of_list", "build"),
            signature=f"{declared}val $f : int list -> tree",
            code=f"{declared}let rec $f l =\n  match l with\n  | [] -> {leaf}\n  | x :: rest -> $row",
            gaps=gaps,
            inputs=(lists(integers(-9, 20), 0, 4, far=6),),
        ),
        Task(
            level=2,
            says=(
                "`$f d t` keeps of the tree `t` the first `d` levels only: the root for 1, its children too for 2, and so on. "
                "For 0 everything is cut off; `d` is not negative.$limit",
                "Cut the tree `t` off below its first `d` levels, of which the root is the first. Write `$f d t`; `d` is at "
                "least 0.$limit",
            ),
            names=("first_levels", "cut_below", "shorten"),
            signature=f"{declared}val $f : int -> tree -> tree",
            code=f"{declared}let rec $f d t =\n  match t with\n  | {leaf} -> {leaf}\n  | {whole} ->\n"
            f"    if d = 0 then $limit else {node('$f (d - 1) l', 'x', '$f (d - 1) r')}",
            gaps=gaps,
            inputs=(integers(0, 4, far=8), kind.trees(depth=4)),
        ),
        Task(
            level=2,
            says=(
                "`$f t` changes the tree `t` at its root: $turned. If there is no such child, nothing changes.",
                "Turn the tree `t` at its root: $turned. Write `$f t`; a tree without that child stays as it is.",
            ),
            names=("turn", "rotate", "change_top"),
            signature=f"{declared}val $f : tree -> tree",
            code=f"{declared}let $f t =\n  match t with\n  | $turned\n  | _ -> t",
            gaps=gaps,
            inputs=(kind.trees(),),
        ),
    )


def _on_binary(kind: Binary) -> tuple[Task, ...]:
    """Tasks on binary trees."""
    return (*_at_root(kind), *_everywhere(kind), *_one_more(kind), *_lists_and_levels(kind))


TASKS = (
    *(task for kind in BINARY for task in _on_binary(kind)),
    Task(
        level=1,
        says=(
            "`$f t` is the tree `t` with $rose. A node has a number and a list of children.",
            "Return the tree `t` with $rose; the rest is as before. Write `$f t`.",
        ),
        names=("$rose", "${rose}_root", "at_root"),
        signature=f"{ROSE}val $f : tree -> tree",
        code=f"{ROSE}let $f $rose",
        gaps=_GAPS,
        inputs=(rose_trees(),),
    ),
    Task(
        level=1,
        says=(
            "`$f t u` makes one tree of two. Its root has $joined.",
            "Join two trees whose nodes have lists of children. The root of `$f t u` has $joined.",
        ),
        names=("join", "merge", "graft"),
        signature=f"{ROSE}val $f : tree -> tree -> tree",
        code=f"{ROSE}let $f (Node (x, l)) (Node (y, m)) = $joined",
        gaps=_GAPS,
        inputs=(rose_trees(depth=1), rose_trees(depth=1)),
    ),
    Task(
        level=2,
        says=(
            "All numbers of a tree are in its leaves. `$f t` is the tree `t` with $leafed.",
            "Return the tree `t`, which has its numbers in its leaves, with $leafed: that is `$f t`.",
        ),
        names=("change", "reshape", "leaf_work"),
        signature=f"{LEAVES}val $f : tree -> tree",
        code=f"{LEAVES}let rec $f t =\n  match t with\n  | Leaf n -> $leafed",
        gaps=_GAPS,
        inputs=(leaf_trees(),),
    ),
    Task(
        level=2,
        says=(
            "The nodes of `t` have lists of children. `$f t` is the tree `t` with $grown.",
            "Write `$f t` for trees with any number of children: the result is `t` with $grown.",
        ),
        names=("change", "reshape", "all_nodes"),
        signature=f"{ROSE}val $f : tree -> tree",
        code=f"{ROSE}let rec $f t =\n  match t with\n  | Node (x, l) -> $grown",
        gaps=_GAPS,
        inputs=(rose_trees(),),
    ),
    Task(
        level=2,
        says=(
            "`$f t` is the tree `t` without the nodes whose number is $kept, and without all that is below them. The root "
            "always stays.",
            "Cut off, everywhere below the root, the nodes with a number that is $kept, together with their children. "
            "`$f t` is what remains of `t`.",
        ),
        names=("prune", "thin_out", "remove_nodes"),
        signature=f"{ROSE}val $f : tree -> tree",
        code=f"{ROSE}let rec $f (Node (y, l)) =\n  let kept = List.filter (fun (Node (x, _)) -> not ($kept)) l in\n"
        "  Node (y, List.map $f kept)",
        gaps=_GAPS,
        inputs=(rose_trees(depth=3),),
    ),
)
