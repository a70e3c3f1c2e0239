"""Small tasks on ways through trees: from the root to its children, along given steps, and down to the ends."""

from __future__ import annotations

from ocaml_env.problems.generators.inputs import integers, lists, one_of
from ocaml_env.problems.generators.small.trees_measure import BINARY, LEAVES, ROSE, Binary, leaf_trees, rose_trees
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_STEP = "type step = Left | Right\n\n"
_STEPS = one_of("Left", "Right")
_TREES = rose_trees(depth=3)

_GAPS: dict[str, Gap] = {
    "k": number(2, 12),
    "z": number(0, 6),
    "each": (
        ("the number of the child", "(Node (_, l)) = List.map (fun (Node (y, _)) -> y) l"),
        ("the sum of the numbers in the root and the child", "(Node (x, l)) = List.map (fun (Node (y, _)) -> x + y) l"),
        ("the number of the child minus that of the root", "(Node (x, l)) = List.map (fun (Node (y, _)) -> y - x) l"),
        (
            "the product of the numbers in the root and the child",
            "(Node (x, l)) = List.map (fun (Node (y, _)) -> x * y) l",
        ),
        (
            "the greater one of the numbers in the root and the child",
            "(Node (x, l)) = List.map (fun (Node (y, _)) -> max x y) l",
        ),
        ("how many children it has itself", "(Node (_, l)) = List.map (fun (Node (_, below)) -> List.length below) l"),
    ),
    "way": (
        ("of the number of the root and that of the child", "[ x; y ]"),
        ("of the number of the child and that of the root", "[ y; x ]"),
        ("of the numbers of the root, the child, and the root again", "[ x; y; x ]"),
    ),
    "chosen": (
        (
            "greater than the number of the root",
            "(Node (x, l)) =\n  List.concat_map (fun (Node (y, _)) -> if y > x then [ y ] else []) l",
        ),
        (
            "less than the number of the root",
            "(Node (x, l)) =\n  List.concat_map (fun (Node (y, _)) -> if y < x then [ y ] else []) l",
        ),
        ("greater than $k", "(Node (_, l)) =\n  List.concat_map (fun (Node (y, _)) -> if y > $k then [ y ] else []) l"),
        ("even", "(Node (_, l)) =\n  List.concat_map (fun (Node (y, _)) -> if y mod 2 = 0 then [ y ] else []) l"),
        ("negative", "(Node (_, l)) =\n  List.concat_map (fun (Node (y, _)) -> if y < 0 then [ y ] else []) l"),
    ),
    "relative": (
        ("the first child of the root", "Node (_, Node (y, _) :: _)", "first_child"),
        ("the second child of the root", "Node (_, _ :: Node (y, _) :: _)", "second_child"),
        ("the root, if it has at least two children", "Node (y, _ :: _ :: _)", "busy_root"),
        ("the first child of the root, if it is not the only one", "Node (_, Node (y, _) :: _ :: _)", "first_of_many"),
    ),
    "path": (
        ("how many steps it has from node to node", "List.length p - 1"),
        ("the sum of its numbers", "List.fold_left ( + ) 0 p"),
        ("the greatest of its numbers", "List.fold_left max (List.hd p) p"),
        ("the number at its end", "List.hd (List.rev p)"),
        ("the number at its end minus the number at its beginning", "List.hd (List.rev p) - List.hd p"),
        ("how many of its nodes have a number greater than $k", "List.length (List.filter (fun x -> x > $k) p)"),
        ("$k times the number of its nodes", "$k * List.length p"),
    ),
    "steps": (
        ("with every `Left` and `Right` exchanged", "List.map (function Left -> Right | Right -> Left) p"),
        ("in reverse order", "List.rev p"),
        ("without its `Right` steps", "List.filter (fun s -> s = Left) p"),
        ("with every step taken twice in a row", "List.concat_map (fun s -> [ s; s ]) p"),
        ("with a `Left` after each step", "List.concat_map (fun s -> [ s; Left ]) p"),
        ("followed by `Left` and `Right`", "p @ [ Left; Right ]"),
        ("with a `Right` in front", "Right :: p"),
    ),
    "weight": (
        ("the number of its `Left` steps", "List.length (List.filter (fun s -> s = Left) p)"),
        ("the number of its `Right` steps", "List.length (List.filter (fun s -> s = Right) p)"),
        (
            "its length, where each `Left` counts 1 and each `Right` counts $k",
            "List.fold_left (fun n s -> n + if s = Left then 1 else $k) 0 p",
        ),
        (
            "its number of `Right` steps minus its number of `Left` steps",
            "List.fold_left (fun n s -> if s = Left then n - 1 else n + 1) 0 p",
        ),
    ),
    "ends": (
        (
            "the sum of its numbers",
            "Node (x, []) -> [ x ]\n  | Node (x, l) -> List.map (fun n -> x + n) (List.concat_map $f l)",
        ),
        (
            "the number of its nodes",
            "Node (_, []) -> [ 1 ]\n  | Node (_, l) -> List.map (fun n -> n + 1) (List.concat_map $f l)",
        ),
        (
            "the greatest of its numbers",
            "Node (x, []) -> [ x ]\n  | Node (x, l) -> List.map (fun n -> max x n) (List.concat_map $f l)",
        ),
        ("the number at its end", "Node (x, []) -> [ x ]\n  | Node (_, l) -> List.concat_map $f l"),
        (
            "the product of its numbers",
            "Node (x, []) -> [ x ]\n  | Node (x, l) -> List.map (fun n -> x * n) (List.concat_map $f l)",
        ),
    ),
    "listed": (
        ("as lists of numbers from the root to the end", "List.map (fun p -> x :: p)"),
        ("as lists of numbers from the end to the root", "List.map (fun p -> p @ [ x ])"),
    ),
    "stops": (
        (
            "to each node without children",
            "Node (x, []) -> [ [ x ] ]\n  | Node (x, l) -> $listed (List.concat_map $f l)",
        ),
        (
            "to each node, where a way comes before those that go on from it",
            "Node (x, l) -> [ x ] :: $listed (List.concat_map $f l)",
        ),
    ),
    "twist": (("", "[ x ]"), (", each twice in a row", "[ x; x ]"), (", with 1 added to each", "[ x + 1 ]")),
    "deep": (
        ("the sum of the numbers", "x", "sum"),
        ("the number of nodes", "1", "count"),
        ("the sum of the squares of the numbers", "x * x", "squares"),
    ),
    "best": (
        (
            "the greatest sum of numbers on a way that begins at the root and may end at any node",
            "Node (x, l) -> x + List.fold_left (fun m c -> max m ($f c)) 0 l",
        ),
        (
            "the number of nodes on the longest way from the root down",
            "Node (_, l) -> 1 + List.fold_left (fun m c -> max m ($f c)) 0 l",
        ),
        (
            "the number of ways from the root to a node without children",
            "Node (_, []) -> 1\n  | Node (_, l) -> List.fold_left (fun n c -> n + $f c) 0 l",
        ),
        (
            "the greatest number of children that any node has",
            "Node (_, l) -> List.fold_left (fun m c -> max m ($f c)) (List.length l) l",
        ),
        (
            "the sum of the numbers on the way that always goes on to the first child",
            "Node (x, []) -> x\n  | Node (x, first :: _) -> x + $f first",
        ),
        (
            "the number at the end of the way that always goes on to the first child",
            "Node (x, []) -> x\n  | Node (_, first :: _) -> $f first",
        ),
    ),
    "reached": (
        (
            "the numbers on some way from the root to a node without children add up to `n`",
            "if l = [] then n = x else List.exists ($f (n - x)) l",
        ),
        (
            "there is a way from the root to a node without children on which all numbers are at most `n`",
            "x <= n && (l = [] || List.exists ($f n) l)",
        ),
        (
            "every way from the root to a node without children has a number greater than `n`",
            "x > n || (l <> [] && List.for_all ($f n) l)",
        ),
        ("some node has the number `n`", "x = n || List.exists ($f n) l"),
    ),
    "depths": (
        ("the depths of its leaves", "Leaf _ -> [ d ]"),
        ("the number of each leaf plus its depth", "Leaf n -> [ n + d ]"),
        ("the number of each leaf times its depth", "Leaf n -> [ n * d ]"),
    ),
}


def _gaps(kind: Binary) -> dict[str, Gap]:
    """Gaps for binary trees."""
    node = kind.node
    left, right = node("l", "_", "_"), node("_", "_", "r")
    return {
        **_GAPS,
        "side": (("left", node("next", "x", "_"), "left"), ("right", node("_", "x", "next"), "right")),
        "along": (
            ("lists the numbers on it from the root on", "x :: $f next"),
            ("lists the numbers on it from its end back to the root", "$f next @ [ x ]"),
            ("lists the doubles of the numbers on it, from the root on", "(2 * x) :: $f next"),
            (
                "lists the numbers on it that are not negative, from the root on",
                "if x < 0 then $f next else x :: $f next",
            ),
        ),
        "added": (
            ("the sum of the numbers on it", "x + $f next"),
            ("the number of nodes on it", "1 + $f next"),
            ("the greatest of 0 and the numbers on it", "max x ($f next)"),
            ("the number of nodes on it with a number greater than $k", "(if x > $k then 1 else 0) + $f next"),
        ),
        "taken": (
            (
                "the left subtree of `t` if `s` is `Left`, and the right one if it is `Right`",
                f"Left, {left} -> l | Right, {right} -> r",
            ),
            (
                "the right subtree of `t` if `s` is `Left`, and the left one if it is `Right`",
                f"Right, {left} -> l | Left, {right} -> r",
            ),
        ),
        "looked": (
            (
                "the left subtree of `t` if `s` is `Left`, and of the right one if not",
                f"Left, {node(node('_', 'x', '_'), '_', '_')} | Right, {node('_', '_', node('_', 'x', '_'))}",
            ),
            (
                "the right subtree of `t` if `s` is `Left`, and of the left one if not",
                f"Right, {node(node('_', 'x', '_'), '_', '_')} | Left, {node('_', '_', node('_', 'x', '_'))}",
            ),
        ),
    }


def _outermost(kind: Binary) -> tuple[Task, ...]:
    """Tasks on the way that always goes to the same side."""
    leaf, declared, gaps = kind.leaf, kind.declared, _gaps(kind)
    return (
        Task(
            level=2,
            says=(
                "Begin at the root of `t` and go to the $side as long as there is a node. This way may be empty. `$f t` $along.",
                f"The outermost way on the $side goes from the root to the $side until `{leaf}` comes. `$f t` $along.",
            ),
            names=("${side}most", "go_$side", "${side}_way"),
            signature=f"{declared}val $f : tree -> int list",
            code=f"{declared}let rec $f t =\n  match t with\n  | {leaf} -> []\n  | $side -> $along",
            gaps=gaps,
            inputs=(kind.trees(depth=4),),
        ),
        Task(
            level=2,
            says=(
                "Go from the root of `t` always to the $side, until there is no node. `$f t` is $added; for the empty way "
                "it is 0.",
                f"On the way from the root always to the $side, down to `{leaf}`, look at all nodes. `$f t` is $added, and 0 "
                "if there are no nodes.",
            ),
            names=("${side}most", "along_$side", "${side}_way"),
            signature=f"{declared}val $f : tree -> int",
            code=f"{declared}let rec $f t =\n  match t with\n  | {leaf} -> 0\n  | $side -> $added",
            gaps=gaps,
            inputs=(kind.trees(depth=4),),
        ),
    )


def _followed(kind: Binary) -> tuple[Task, ...]:
    """Tasks on ways given by a list of steps."""
    leaf, node, declared = kind.leaf, kind.node, kind.declared
    left, right = node("l", "_", "_"), node("_", "_", "r")
    return (
        Task(
            level=2,
            says=(
                "`$f p t` goes the steps of `p` from the root of `t`. The result is `Some` of the number where they end, or `None` "
                "if there is no such node.",
                "Which number is at the end of the steps `p`, taken from the root of `t`? `$f p t` is `Some` of it, or "
                f"`None` if the steps lead to `{leaf}`.",
            ),
            names=("follow", "at", "number_at"),
            signature=f"{_STEP}{declared}val $f : step list -> tree -> int option",
            code=f"{_STEP}{declared}let rec $f p t =\n  match (p, t) with\n  | _, {leaf} -> None\n"
            f"  | [], {node('_', 'x', '_')} -> Some x\n  | Left :: rest, {left} -> $f rest l\n"
            f"  | Right :: rest, {right} -> $f rest r",
            inputs=(lists(_STEPS, 0, 4, far=7), kind.trees(depth=4)),
        ),
        Task(
            level=2,
            says=(
                "`$f p t` goes the steps of `p` from the root of `t`, as long as there are nodes. It lists the numbers of all "
                "nodes that it comes to, that of the root first.",
                f"List the numbers on the way that `p` leads from the root of `t` down, the root's first. The way stops early "
                f"where `{leaf}` is reached. Write `$f p t`.",
            ),
            names=("walk", "visited", "numbers_on"),
            signature=f"{_STEP}{declared}val $f : step list -> tree -> int list",
            code=f"{_STEP}{declared}let rec $f p t =\n  match (p, t) with\n  | _, {leaf} -> []\n"
            f"  | [], {node('_', 'x', '_')} -> [ x ]\n  | Left :: rest, {node('l', 'x', '_')} -> x :: $f rest l\n"
            f"  | Right :: rest, {node('_', 'x', 'r')} -> x :: $f rest r",
            inputs=(lists(_STEPS, 0, 4, far=7), kind.trees(depth=4)),
        ),
    )


def _one_step(kind: Binary) -> tuple[Task, ...]:
    """Tasks on a single step down."""
    leaf, declared, gaps = kind.leaf, kind.declared, _gaps(kind)
    return (
        Task(
            level=1,
            says=(
                f"`$f s t` is $taken. If `t` is `{leaf}`, so is the result.",
                f"Take one step down, from `t` to $taken. Write `$f s t`; `{leaf}` stays `{leaf}`.",
            ),
            names=("step_down", "go", "below"),
            signature=f"{_STEP}{declared}val $f : step -> tree -> tree",
            code=f"{_STEP}{declared}let $f s t = match (s, t) with $taken | _ -> {leaf}",
            gaps=gaps,
            inputs=(_STEPS, kind.trees()),
        ),
        Task(
            level=1,
            says=(
                "`$f d s t` is the number at the root of $looked. Without such a number, it is `d`.",
                "Look at the root of $looked. `$f d s t` is the number there, or else `d`.",
            ),
            names=("look", "number_below", "peek"),
            signature=f"{_STEP}{declared}val $f : int -> step -> tree -> int",
            code=f"{_STEP}{declared}let $f d s t =\n  match (s, t) with $looked -> x | _ -> d",
            gaps=gaps,
            inputs=(integers(0, 9), _STEPS, kind.trees(depth=2)),
        ),
    )


def _on_binary(kind: Binary) -> tuple[Task, ...]:
    """Tasks on ways through binary trees."""
    return (*_outermost(kind), *_followed(kind), *_one_step(kind))


_PATHS = lists(integers(-20, 20, far=500), 1, 6, far=12)
_WAYS = lists(_STEPS, 0, 6, far=14)

TASKS = (
    *(task for kind in BINARY for task in _on_binary(kind)),
    Task(
        level=1,
        says=(
            "`$f t` lists, for every child of the root of `t` in order, $each.",
            "Look at the root of `t` and its children. For each child, from left to right, `$f t` lists $each.",
        ),
        names=("below_root", "first_steps", "children"),
        signature=f"{ROSE}val $f : tree -> int list",
        code=f"{ROSE}let $f $each",
        gaps=_GAPS,
        inputs=(rose_trees(),),
    ),
    Task(
        level=1,
        says=(
            "`$f t` lists the numbers in the children of the root of `t` that are $chosen, in order.",
            "Some numbers in the children of the root may be $chosen. `$f t` lists these, from left to right.",
        ),
        names=("some_children", "chosen", "children_where"),
        signature=f"{ROSE}val $f : tree -> int list",
        code=f"{ROSE}let $f $chosen",
        gaps=_GAPS,
        inputs=(rose_trees(),),
    ),
    Task(
        level=1,
        says=(
            "For each child of the root of `t`, in order, `$f t` has a list $way.",
            "For each step from the root of `t` to a child, `$f t` has, from left to right, a list $way.",
        ),
        names=("short_ways", "one_step", "edges"),
        signature=f"{ROSE}val $f : tree -> int list list",
        code=f"{ROSE}let $f (Node (x, l)) = List.map (fun (Node (y, _)) -> $way) l",
        gaps=_GAPS,
        inputs=(rose_trees(),),
    ),
    Task(
        level=1,
        says=(
            "`$f d t` is the number of $relative, or `d` if there is none.",
            "Look for $relative, in the tree `t`. `$f d t` is its number, and `d` where there is no such node.",
        ),
        names=("$relative", "${relative}_or", "relative"),
        signature=f"{ROSE}val $f : int -> tree -> int",
        code=f"{ROSE}let $f d t = match t with $relative -> y | _ -> d",
        gaps=_GAPS,
        inputs=(integers(0, 9), rose_trees()),
    ),
    Task(
        level=1,
        says=(
            "A way down a tree is a list `p` of the numbers of its nodes, at least one. `$f p` is $path.",
            "The list `p` has the numbers that somebody meets on a way down a tree, at least one. Write `$f p`, which is $path.",
        ),
        names=("measure_path", "of_way", "path_value"),
        signature="int list -> int",
        code="let $f p = $path",
        gaps=_GAPS,
        inputs=(_PATHS,),
    ),
    Task(
        level=1,
        says=(
            "A way down a binary tree is a list of steps. `$f p` is the way `p` $steps.",
            "Given the steps `p` of a way down a binary tree, `$f p` is this way $steps.",
        ),
        names=("other_way", "change_steps", "new_way"),
        signature=f"{_STEP}val $f : step list -> step list",
        code=f"{_STEP}let $f p = $steps",
        gaps=_GAPS,
        inputs=(_WAYS,),
    ),
    Task(
        level=1,
        says=(
            "For a way `p` of steps to the left and to the right, `$f p` is $weight.",
            "A list `p` of steps leads down a binary tree. Write `$f p`: it returns $weight.",
        ),
        names=("weigh", "count_steps", "cost"),
        signature=f"{_STEP}val $f : step list -> int",
        code=f"{_STEP}let $f p = $weight",
        gaps=_GAPS,
        inputs=(_WAYS,),
    ),
    Task(
        level=2,
        says=(
            "A full way goes from the root down to a node without children. For each full way of `t`, from left to right, "
            "`$f t` lists $ends.",
            "Go down from the root of `t` in all possible ways, each time until there are no children. `$f t` lists for each "
            "way, from left to right, $ends.",
        ),
        names=("ways", "of_all_ways", "way_values"),
        signature=f"{ROSE}val $f : tree -> int list",
        code=f"{ROSE}let rec $f t =\n  match t with\n  | $ends",
        gaps=_GAPS,
        inputs=(_TREES,),
    ),
    Task(
        level=2,
        says=(
            "`$f t` lists, from left to right, the ways from the root $stops. They are written $listed.",
            "List the ways from the root of `t` $stops. In `$f t` they come from left to right, $listed.",
        ),
        names=("all_ways", "paths", "routes"),
        signature=f"{ROSE}val $f : tree -> int list list",
        code=f"{ROSE}let rec $f t =\n  match t with\n  | $stops",
        gaps=_GAPS,
        inputs=(rose_trees(),),
    ),
    Task(
        level=2,
        says=(
            "The root has depth 0, its children depth 1, and so on. `$f d t` lists the numbers at depth `d` from left to "
            "right$twist; `d` is not negative.",
            "Which numbers are `d` steps below the root of `t`? `$f d t` lists them from left to right$twist. It is the root "
            "alone for 0; `d` is never negative.",
        ),
        names=("at_depth", "level", "layer"),
        signature=f"{ROSE}val $f : int -> tree -> int list",
        code=f"{ROSE}let rec $f d (Node (x, l)) =\n  if d = 0 then $twist\n  else List.concat_map ($f (d - 1)) l",
        gaps=_GAPS,
        inputs=(integers(0, 4, far=7), _TREES),
    ),
    Task(
        level=2,
        says=(
            "`$f d t` is $deep `d` steps below the root of `t`: for 0 that is the root alone. `d` is not negative.",
            "Look at the nodes that are `d` steps below the root, where `d` is not negative. Write `$f d t`, which is $deep "
            "there, and 0 if there are no such nodes.",
        ),
        names=("at_depth", "level_$deep", "layer_$deep"),
        signature=f"{ROSE}val $f : int -> tree -> int",
        code=f"{ROSE}let rec $f d (Node (x, l)) =\n  if d = 0 then $deep\n  else List.fold_left (fun n c -> n + $f (d - 1) c) 0 l",
        gaps=_GAPS,
        inputs=(integers(0, 4, far=7), _TREES),
    ),
    Task(
        level=2,
        says=(
            "`$f t` is $best, for a tree `t` whose nodes have any number of children.",
            "The nodes of `t` have lists of children. Write a recursive function `$f t`, which is $best.",
        ),
        names=("best_way", "search", "of_ways"),
        signature=f"{ROSE}val $f : tree -> int",
        code=f"{ROSE}let rec $f t =\n  match t with\n  | $best",
        gaps=_GAPS,
        inputs=(_TREES,),
    ),
    Task(
        level=2,
        says=(
            "`$f n t` tells of a number `n` and a tree `t` if $reached.",
            "Write a function `$f n t` that is `true` if in the tree `t` $reached, and `false` otherwise.",
        ),
        names=("reach", "possible", "check_ways"),
        signature=f"{ROSE}val $f : int -> tree -> bool",
        code=f"{ROSE}let rec $f n (Node (x, l)) =\n  $reached",
        gaps=_GAPS,
        inputs=(integers(-2, 12, far=40), rose_trees(-4, 8)),
    ),
    Task(
        level=2,
        says=(
            "`$f n t` is `Some` of the numbers from the root of `t` to a node with the number `n`, the first one found from "
            "left to right; `None` if there is none. Nothing below such a node counts.",
            "Find a node with the number `n`, from the root down and from left to right. `$f n t` is `Some` list of the numbers "
            "on the way from the root to the first one, or `None`.",
        ),
        names=("way_to", "find_way", "path_to"),
        signature=f"{ROSE}val $f : int -> tree -> int list option",
        code=f"{ROSE}let rec $f n (Node (x, l)) =\n  if x = n then Some [ x ]\n"
        "  else Option.map (fun p -> x :: p) (List.find_map ($f n) l)",
        gaps=_GAPS,
        inputs=(integers(-1, 5), rose_trees(-1, 5)),
    ),
    Task(
        level=2,
        says=(
            "Let the root of `t` have depth `d`, and every other node 1 more than the one above it. `$f d t` lists $depths "
            "from left to right.",
            "Going down from the root, which has depth `d`, the depth grows by 1 with each step. `$f d t` lists $depths, from "
            "left to right.",
        ),
        names=("leaf_depths", "leaves", "leaf_values"),
        signature=f"{LEAVES}val $f : int -> tree -> int list",
        code=f"{LEAVES}let rec $f d t =\n  match t with\n  | $depths\n  | Node (l, r) -> $f (d + 1) l @ $f (d + 1) r",
        gaps=_GAPS,
        inputs=(integers(0, 3, far=30), leaf_trees()),
    ),
)
