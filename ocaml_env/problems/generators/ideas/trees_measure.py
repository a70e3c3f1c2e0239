"""A number computed of a tree of some type from the values of its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, joined_test
from ocaml_env.problems.generators.values import Show, integer, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

Tree = tuple[Any, ...]


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
    taken: list[bool] = []

    def run(tree: Tree, depth: int) -> int:
        if tree[0] == leaf_name:
            return int(leaf_op.run(tree[1])) if leaf_op else leaf_value
        values = {"d": depth}
        for part, child in zip(node, tree[1:], strict=True):
            values[part] = child if part == "x" else run(child, depth + 1)
        fits = bool(test.run(values[test_name]))
        taken.append(fits)
        rule = second if second and not fits else first
        made = rule.run(values)
        return int(extra.run(made)) if extra else made

    def draw() -> Tree:
        return kind.draw(chance, chance.pick((2, 3, 3)))

    for _ in range(5):
        run(draw(), 0)
    if second and not 0.15 * len(taken) <= sum(taken) <= 0.85 * len(taken):
        raise Unfit
    pattern = f"{node_name} ({', '.join(node)})"
    called = {
        "x": "`x` is the number in the node",
        "d": "`d` is the depth of the node: 0 at the root, 1 more for its parts",
    }
    parts = f"{series([f'`{part}`' for part in subtrees])} stand for the values of these parts"
    lead = f"if {test.say(test_name)}, it is " if second else "it is "
    rules = f"{lead}{first.words}" + (f"; otherwise it is {second.words}" if second else "")
    if extra:
        rules += f". Then, with `v` for that number, the value is {extra.say('v')}"
    spoken = [part for part in known if part in called and f"`{part}`" in rules]
    said = "; ".join([parts, *(called[part] for part in spoken)])
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


FAMILY = Family(
    name="trees.measure",
    topics=("trees", "recursion", "pattern-matching"),
    description="a number computed of a tree of some type from the values of its parts",
    make=_measure,
)
