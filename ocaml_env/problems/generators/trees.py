"""Families about trees: one number of a tree, trees changed in steps, and paths from the root."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, joined_test
from ocaml_env.problems.generators.values import Show, integer, listing, variant
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs, series

__all__ = ["FAMILIES", "binary_tree", "show_binary"]

Tree = tuple[Any, ...]

_BINARY = "type tree = Leaf | Node of tree * int * tree"


def _binary_show() -> Show:
    shows: dict[str, list[Show]] = {"Leaf": []}
    show = variant(shows)
    shows["Node"] = [show, integer, show]
    return show


show_binary = _binary_show()


def binary_tree(chance: Chance, depth: int, low: int = -6, high: int = 20) -> Tree:
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


# --- one number -------------------------------------------------------------------------------------------------------


class _Kind(NamedTuple):
    """A type of trees: its declaration, its constructors with the names of their parts, and how one is drawn."""

    declaration: str
    parts: dict[str, tuple[str, ...]]
    show: Show
    draw: Callable[[Chance, int], Tree]


def _kind(leaf: tuple[str, ...], node: tuple[str, ...], leaf_name: str, node_name: str) -> _Kind:
    shows: dict[str, list[Show]] = {leaf_name: [integer] * len(leaf)}
    show = variant(shows)
    shows[node_name] = [integer if part == "x" else show for part in node]
    types = " * ".join("int" if part == "x" else "tree" for part in node)

    def draw(chance: Chance, depth: int) -> Tree:
        if depth == 0 or chance.happens(0.2):
            return (leaf_name, *(chance.number(-6, 20) for _ in leaf))
        return (node_name, *(chance.number(-6, 20) if part == "x" else draw(chance, depth - 1) for part in node))

    declared = f"type tree = {leaf_name}{' of int' if leaf else ''} | {node_name} of {types}"
    return _Kind(declared, {leaf_name: leaf, node_name: node}, show, draw)


_KINDS = (
    _kind((), ("l", "x", "r"), "Leaf", "Node"),
    _kind((), ("x", "l", "r"), "Empty", "Branch"),
    _kind(("n",), ("l", "r"), "Leaf", "Node"),
    _kind(("n",), ("l", "x", "r"), "Tip", "Fork"),
    _kind((), ("l", "m", "r", "x"), "Nil", "Join"),
)


class _Rule(NamedTuple):
    """What is computed of a node: formulas over the values of its parts, its number and its depth."""

    words: str
    ocaml: str
    run: Callable[[dict[str, int]], int]
    helpers: tuple[str, ...]


def _measure(chance: Chance, level: int) -> Draft:
    name = chance.pick(("measure", "weight", "rating", "score", "value"))
    kind = chance.pick(_KINDS if level >= 2 else _KINDS[:4])
    (leaf_name, leaf), (node_name, node) = kind.parts.items()
    subtrees = [part for part in node if part != "x"]
    known = [*subtrees, *(["x"] if "x" in node else [])]
    deep = level >= 3
    if deep:
        known.append("d")
    leaf_op = int_map(chance) if leaf else None
    leaf_value = chance.between(-3, 9)
    first = _rule(chance, subtrees, known, level)
    test_name = chance.pick([part for part in known if part not in subtrees] or known)
    test = joined_test(chance, level)
    second = _rule(chance, subtrees, known, level) if level >= 2 else None
    extra = int_map(chance) if level >= 4 else None

    def run(tree: Tree, depth: int) -> int:
        if tree[0] == leaf_name:
            return int(leaf_op.run(tree[1])) if leaf_op else leaf_value
        values = {"d": depth}
        for part, child in zip(node, tree[1:], strict=True):
            values[part] = child if part == "x" else run(child, depth + 1)
        rule = second if second and not test.run(values[test_name]) else first
        made = rule.run(values)
        return int(extra.run(made)) if extra else made

    def draw() -> Tree:
        return kind.draw(chance, chance.pick((2, 3, 3)))

    pattern = f"{node_name} ({', '.join(node)})"
    called = {
        "x": "`x` is the number in the node",
        "d": "`d` is the depth of the node: 0 at the root, 1 more for its parts",
    }
    parts = f"{series([f'`{part}`' for part in subtrees])} stand for the values of these parts"
    said = "; ".join([parts, *(called[part] for part in known if part in called)])
    lead = f"if {test.say(test_name)}, it is " if second else "it is "
    rules = f"{lead}{first.words}" + (f"; otherwise it is {second.words}" if second else "")
    if extra:
        rules += f". Then, with `v` for that number, the value is {extra.say('v')}"
    leaf_pattern = f"{leaf_name} n" if leaf else leaf_name
    leaf_words = leaf_op.say("n") if leaf_op else str(leaf_value)
    body = first.ocaml
    if second:
        body = f"if {test.code(test_name)} then {first.ocaml} else {second.ocaml}"
    if extra:
        body = f"let v = {body} in {extra.code('v')}"
    leaf_code = leaf_op.code("n") if leaf_op else str(leaf_value)
    binds = "".join(f"\n    let {part} = go {'(d + 1) ' if deep else ''}{part} in" for part in subtrees)
    code = f"""\
let {name} tree =
  let rec go {"d " if deep else ""}= function
  | {leaf_pattern} -> {leaf_code}
  | {pattern} ->{binds}
    {body}
  in
  go {"0 " if deep else ""}tree"""
    helpers = [
        *first.helpers,
        *test.helpers,
        *(second.helpers if second else ()),
        *(leaf_op.helpers if leaf_op else ()),
        *(extra.helpers if extra else ()),
    ]

    def cases() -> Iterator[Case]:
        edges = [kind.draw(chance, 0), kind.draw(chance, 1), kind.draw(chance, 1), kind.draw(chance, 4)]
        for tree in inputs(draw, edges):
            yield case(name, [kind.show(tree)], integer(run(tree, 0)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} tree` is a number that is computed of a tree from its parts:",
            bullets(
                (
                    f"The value of `{leaf_pattern}` is {leaf_words}.",
                    f"The value of `{pattern}`: {rules}. Here {said}.",
                )
            ),
        ),
        signature=f"{kind.declaration}\n\nval {name} : tree -> int",
        reference=module(kind.declaration, helpers, code),
        cases=cases(),
        together=2,
    )


def _rule(chance: Chance, subtrees: Sequence[str], known: Sequence[str], level: int) -> _Rule:
    """Two parts made one number, and that one number with a third."""
    a, b = chance.sample(subtrees, 2)
    others = [name for name in known if name not in (a, b)]
    inner = int_join(chance)
    if not others:
        return _Rule(inner.say(a, b), inner.code(a, b), lambda v: int(inner.run(v[a], v[b])), inner.helpers)
    c = chance.pick(others)
    outer = int_join(chance)
    words = f"{outer.say('s', c)}, where `s` is {inner.say(a, b)}"
    code = f"(let s = {inner.code(a, b)} in {outer.code('s', c)})"
    return _Rule(words, code, lambda v: int(outer.run(inner.run(v[a], v[b]), v[c])), (*inner.helpers, *outer.helpers))


# --- trees in steps ---------------------------------------------------------------------------------------------------


def _reshape(chance: Chance, level: int) -> Draft:
    name = chance.pick(("prune", "reshape", "tend", "graft", "trim"))
    steps = [kind(chance) for kind in chance.sample(_STEPS, (2, 2, 3, 3, 4)[level - 1])]
    ending = chance.pick(_ENDINGS)(chance) if level <= 1 or chance.happens(0.6) else None

    def applied(used: Sequence[Op], tree: Tree) -> object:
        for step in used:
            tree = step.run(tree)
        return ending.run(tree) if ending else tree

    tried = [binary_tree(chance, 3) for _ in range(8)]
    whole = [applied(steps, tree) for tree in tried]
    for i in range(len(steps)):
        shorter = [*steps[:i], *steps[i + 1 :]]
        if all(applied(shorter, tree) == answer for tree, answer in zip(tried, whole, strict=True)):
            raise Unfit
    show = listing(integer) if ending else show_binary
    code = f"let {name} tree =\n  tree\n" + "\n".join(
        f"  |> {step.ocaml}" for step in (*steps, *([ending] if ending else []))
    )
    helpers = [h for step in (*steps, *([ending] if ending else [])) for h in step.helpers]

    def cases() -> Iterator[Case]:
        for tree in inputs(lambda: binary_tree(chance, chance.pick((2, 3))), _edges(chance)):
            yield case(name, [show_binary(tree)], show(applied(steps, tree)))

    result = f"The result is {ending.words}." if ending else "The result is the tree after the last step."
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} tree` takes a binary tree through these steps, in this order; each works on the result of the "
            "one "
            "before it. The tree may be a `Leaf`, and a `Leaf` stays a `Leaf` in every step.",
            numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
            result,
        ),
        signature=f"{_BINARY}\n\nval {name} : tree -> {'int list' if ending else 'tree'}",
        reference=module(_BINARY, helpers, code),
        cases=cases(),
        together=2,
    )


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
    return Op(
        f"exchange the left and the right subtree of every node with a number `x` such that {test.say()}",
        f"rebuild (fun l x r -> if {test.code()} then Node (r, x, l) else Node (l, x, r))",
        lambda tree: _rebuild(lambda v, x, r: ("Node", r, x, v) if test.run(x) else ("Node", v, x, r), tree),
        (*test.helpers, _REBUILD),
    )


def _t_cut(chance: Chance) -> Op:
    test = int_test(chance)
    helper = """\
let rec cut p = function
  | Node (l, x, r) when not (p x) -> Node (cut p l, x, cut p r)
  | _ -> Leaf"""

    def run(tree: Tree) -> Tree:
        if tree[0] == "Leaf" or test.run(tree[2]):
            return ("Leaf",)
        return ("Node", run(tree[1]), tree[2], run(tree[3]))

    return Op(
        f"replace every subtree whose root holds a number `x` such that {test.say()} by a `Leaf`, whatever is below",
        f"cut (fun x -> {test.code()})",
        run,
        (*test.helpers, helper),
    )


def _t_lift(chance: Chance) -> Op:
    test = int_test(chance)
    return Op(
        "from the inside out (first the subtrees of a node, then the node), replace every node with a `Leaf` on the "
        f"left and a number `x` such that {test.say()} by its right subtree",
        f"rebuild (fun l x r -> if l = Leaf && ({test.code()}) then r else Node (l, x, r))",
        lambda tree: _rebuild(lambda v, x, r: r if v[0] == "Leaf" and test.run(x) else ("Node", v, x, r), tree),
        (*test.helpers, _REBUILD),
    )


def _t_depth(chance: Chance) -> Op:
    k = chance.between(1, 4)
    helper = """\
let rec with_depth k d = function
  | Leaf -> Leaf
  | Node (l, x, r) -> Node (with_depth k (d + 1) l, x + (k * d), with_depth k (d + 1) r)"""

    def run(tree: Tree, d: int = 0) -> Tree:
        if tree[0] == "Leaf":
            return tree
        return ("Node", run(tree[1], d + 1), tree[2] + k * d, run(tree[3], d + 1))

    factor = "its depth" if k == 1 else f"{k} times its depth"
    return Op(
        f"add {factor} to the number of every node; the root has depth 0, its subtrees' roots depth 1, and so on",
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
        "own "
        "included",
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

    def run(tree: Tree) -> Tree:
        if tree[0] == "Leaf":
            return tree
        return ("Node", run(tree[1]), tree[2] + op.run(top(tree[1]), top(tree[3])), run(tree[3]))

    code = f"""\
let rec add_below = function
  | Leaf -> Leaf
  | Node (l, x, r) ->
    let a = top l and b = top r in
    Node (add_below l, x + ({op.code("a", "b")}), add_below r)"""
    return Op(
        "add something to the number of every node: with `a` for the number at the root of its left subtree and `b` "
        "for "
        f"that of its right one ({k} for a `Leaf`), both as they are before this step, add {op.say('a', 'b')}",
        "add_below",
        run,
        (*op.helpers, helper, code),
    )


def _t_order(chance: Chance) -> Op:
    helper = """\
let rec count = function
  | Leaf -> 0
  | Node (l, _, r) -> count l + 1 + count r"""

    def count(tree: Tree) -> int:
        return 0 if tree[0] == "Leaf" else count(tree[1]) + 1 + count(tree[3])

    return Op(
        "wherever the left subtree of a node has fewer nodes than the right one, exchange the two",
        "rebuild (fun l x r -> if count l < count r then Node (r, x, l) else Node (l, x, r))",
        lambda tree: _rebuild(lambda v, x, r: ("Node", r, x, v) if count(v) < count(r) else ("Node", v, x, r), tree),
        (helper, _REBUILD),
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


def _listed(order: str) -> Callable[[Chance], Op]:
    words = {
        "inorder": "first those of the left subtree, then its own, then those of the right subtree",
        "preorder": "first its own, then those of the left subtree, then those of the right subtree",
        "postorder": "first those of the left subtree, then those of the right subtree, then its own",
        "backward": "first those of the right subtree, then its own, then those of the left subtree",
    }[order]
    code = {
        "inorder": "numbers l @ [ x ] @ numbers r",
        "preorder": "(x :: numbers l) @ numbers r",
        "postorder": "numbers l @ numbers r @ [ x ]",
        "backward": "numbers r @ [ x ] @ numbers l",
    }[order]

    def run(tree: Tree) -> list[int]:
        if tree[0] == "Leaf":
            return []
        v, x, r = run(tree[1]), [tree[2]], run(tree[3])
        parts = {"inorder": (v, x, r), "preorder": (x, v, r), "postorder": (v, r, x), "backward": (r, x, v)}[order]
        return [*parts[0], *parts[1], *parts[2]]

    def make(chance: Chance) -> Op:
        op, test = int_map(chance), int_test(chance)
        helper = f"let rec numbers = function\n  | Leaf -> []\n  | Node (l, x, r) -> {code}"
        made = f"the list of the numbers of the tree after the last step; of every node {words}"
        return chance.pick(
            (
                Op(made, "numbers", run, (helper,)),
                Op(
                    f"{made}; where only the numbers `x` are in the list for which {test.say()}",
                    f"numbers |> List.filter (fun x -> {test.code()})",
                    lambda tree: [x for x in run(tree) if test.run(x)],
                    (helper, *test.helpers),
                ),
                Op(
                    f"{made}; where every number `x` is replaced by {op.say()}",
                    f"numbers |> List.map (fun x -> {op.code()})",
                    lambda tree: [op.run(x) for x in run(tree)],
                    (helper, *op.helpers),
                ),
            )
        )

    return make


_ENDINGS = tuple(_listed(order) for order in ("inorder", "preorder", "postorder", "backward"))


# --- paths ------------------------------------------------------------------------------------------------------------

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
        "ends at "
        "a node without children"
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
                "number "
                f"`y` let the new `x` be {op.say()}",
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


FAMILIES = (
    Family(
        name="trees.measure",
        topics=("trees", "recursion", "pattern-matching"),
        description="a number computed of a tree of some type from the values of its parts",
        make=_measure,
    ),
    Family(
        name="trees.reshape",
        topics=("trees", "pattern-matching"),
        description="steps from binary tree to binary tree",
        make=_reshape,
    ),
    Family(
        name="trees.paths",
        topics=("trees", "lists", "recursion"),
        description="the paths of a tree with any number of children, filtered and summarised",
        make=_paths,
    ),
)
