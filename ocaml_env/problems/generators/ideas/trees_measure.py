"""A number computed from a tree of some type by the values of its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, joined_test
from ocaml_env.problems.generators.small.trees_measure import TASKS
from ocaml_env.problems.generators.values import Show, integer, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

Tree = tuple[Any, ...]

_TRIED = 30  # trees to try; some must show each part of a measure
_TELLING = 2  # trees at least that must show it

_DEPTHS = (
    Op("{x} is even", "{x} mod 2 = 0", lambda d: d % 2 == 0),
    Op("{x} is odd", "{x} mod 2 = 1", lambda d: d % 2 == 1),
    Op("{x} is less than 2", "{x} < 2", lambda d: d < 2),
    Op("{x} is greater than 0", "{x} > 0", lambda d: d > 0),
)


class _Kind(NamedTuple):
    """A type of trees: its declaration, its constructors with the names of their parts, and a way to draw one."""

    declaration: str
    parts: dict[str, tuple[str, ...]]
    show: Show
    draw: Callable[[Chance, int], Tree]

    @property
    def leaf(self) -> tuple[str, ...]:
        return next(iter(self.parts.values()))

    @property
    def node(self) -> tuple[str, ...]:
        return [*self.parts.values()][1]

    @property
    def subtrees(self) -> list[str]:
        return [part for part in self.node if part != "x"]

    @property
    def patterns(self) -> tuple[str, str]:
        leaf, node = self.parts
        return f"{leaf} n" if self.leaf else leaf, f"{node} ({', '.join(self.node)})"


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
    """Combines two parts of a node into one number, and perhaps that number with a third part."""

    a: str
    b: str
    inner: Op
    c: str = ""
    outer: Op | None = None

    def run(self, v: Mapping[str, int]) -> int:
        s = int(self.inner.run(v[self.a], v[self.b]))
        return int(self.outer.run(s, v[self.c])) if self.outer else s

    @property
    def words(self) -> str:
        inner = self.inner.say(self.a, self.b)
        return f"{self.outer.say('s', self.c)}, where `s` is {inner}" if self.outer else inner

    @property
    def code(self) -> str:
        inner = self.inner.code(self.a, self.b)
        return f"(let s = {inner} in {self.outer.code('s', self.c)})" if self.outer else inner

    @property
    def helpers(self) -> tuple[str, ...]:
        return self.inner.helpers + (self.outer.helpers if self.outer else ())

    def faulty(self) -> Iterator[_Rule]:
        for fault in self.inner.faults:
            yield self._replace(inner=self.inner._replace(run=fault))
        for fault in self.outer.faults if self.outer else ():
            yield self._replace(outer=self.outer and self.outer._replace(run=fault))


@dataclass(frozen=True, slots=True)
class _Measure:
    """The number to compute for a tree.

    Attributes:
        leaf: an operation on the number in a leaf, if it has one; else its value is ``leaf_value``.
        test: selects one of two rules for a node, by the part ``tested``.
        extra: an operation on the final number.
        deepest: the depth beyond which everything counts as this deep; a fault, if it is small.
    """

    kind: _Kind
    leaf: Op | None
    leaf_value: int
    first: _Rule
    tested: str = ""
    test: Op | None = None
    second: _Rule | None = None
    extra: Op | None = None
    deepest: int = 99

    @property
    def rules(self) -> tuple[_Rule, ...]:
        return (self.first, self.second) if self.second else (self.first,)

    @property
    def ops(self) -> dict[str, Op]:
        """The operations in use, without those of rules."""
        found = {"leaf": self.leaf, "test": self.test, "extra": self.extra}
        return {name: op for name, op in found.items() if op}

    @property
    def asks_depth(self) -> bool:
        return "d" in (self.tested, *(rule.c for rule in self.rules))

    def run(self, tree: Tree, depth: int = 0) -> int:
        parts = self.kind.parts[tree[0]]
        if len(parts) < 2:
            return int(self.leaf.run(tree[1])) if self.leaf else self.leaf_value
        values = {"d": min(depth, self.deepest)}
        for part, child in zip(parts, tree[1:], strict=True):
            values[part] = child if part == "x" else self.run(child, depth + 1)
        fits = self.test is None or self.test.run(values[self.tested])
        made = self.first.run(values) if fits or not self.second else self.second.run(values)
        return int(self.extra.run(made)) if self.extra else made

    def faulty(self) -> Iterator[_Measure]:
        """Variants with a part left out."""
        for name, op in self.ops.items():
            for fault in op.faults:
                changed: dict[str, Any] = {name: op._replace(run=fault)}
                yield replace(self, **changed)
        for depth in (0, 1) if self.asks_depth else ():
            yield replace(self, deepest=depth)
        for rule in self.first.faulty():
            yield replace(self, first=rule)
        if self.second:
            yield replace(self, second=self.first)
            yield replace(self, first=self.second)
            for rule in self.second.faulty():
                yield replace(self, second=rule)


def _make(chance: Chance, level: int) -> Draft:
    name = chance.pick(("measure", "weight", "rating", "score", "value"))
    measure = _measure(chance, level)
    leaf, node = measure.kind.patterns
    leaf_words = measure.leaf.say("n") if measure.leaf else str(measure.leaf_value)
    helpers = [part.helpers for part in measure.rules] + [op.helpers for op in measure.ops.values()]
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} tree` is a number that is computed of a tree from its parts:",
            bullets((f"The value of `{leaf}` is {leaf_words}.", f"The value of `{node}`: {_words(measure)}")),
        ),
        signature=f"{measure.kind.declaration}\n\nval {name} : tree -> int",
        reference=module(measure.kind.declaration, *helpers, _code(name, measure)),
        cases=_cases(chance, name, measure),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _measure(chance: Chance, level: int) -> _Measure:
    """A measure. Each of its parts matters for some tree."""
    kind = chance.pick(_KINDS if level >= 3 else _KINDS[:4])
    subtrees, known = kind.subtrees, list(kind.node)
    if level >= 3:
        known.append("d")
    has_leaf = len(kind.leaf) == 1
    made = _Measure(
        kind,
        _mild_map(chance) if has_leaf else None,
        chance.between(-3, 9),
        _rule(chance, subtrees, known),
    )
    if level >= 3:
        tested = chance.pick(("x", "x", "d", subtrees[0]) if "x" in kind.node else ("d", *subtrees))
        test = chance.pick(_DEPTHS) if tested == "d" else joined_test(chance, level)
        made = replace(made, tested=tested, test=test, second=_rule(chance, subtrees, known))
    if level >= 5:
        made = replace(made, extra=_mild_map(chance))
    tried = [_tree(chance, kind) for _ in range(_TRIED)]
    whole = [made.run(tree) for tree in tried]
    for wrong in made.faulty():
        differing = (tree for tree, answer in zip(tried, whole, strict=True) if wrong.run(tree) != answer)
        if len([*islice(differing, _TELLING)]) < _TELLING:
            raise Unfit
    return made


def _rule(chance: Chance, subtrees: Sequence[str], known: Sequence[str]) -> _Rule:
    a, b = chance.sample(subtrees, 2)
    others = [name for name in known if name not in (a, b)]
    inner = int_join(chance)
    return _Rule(a, b, inner, chance.pick(others), int_join(chance)) if others else _Rule(a, b, inner)


def _mild_map(chance: Chance) -> Op:
    """An operation other than a square, since it is applied at every node."""
    op = int_map(chance)
    while "{x} * {x}" in op.ocaml:
        op = int_map(chance)
    return op


def _tree(chance: Chance, kind: _Kind) -> Tree:
    return kind.draw(chance, chance.pick((1, 2, 2, 3) if len(kind.subtrees) > 2 else (2, 2, 3)))


def _cases(chance: Chance, name: str, measure: _Measure) -> Iterator[Case]:
    kind = measure.kind
    edges = [kind.draw(chance, depth) for depth in (0, 1, 1, 3)]
    for tree in inputs(lambda: _any_tree(chance, kind), edges):
        try:
            yield case(name, [kind.show(tree)], integer(measure.run(tree)))
        except Unfit:  # too large a number, from a deep tree or large numbers
            continue


def _any_tree(chance: Chance, kind: _Kind) -> Tree:
    """Mostly a typical tree; also thin and deep ones, and those with large numbers."""
    if chance.happens(0.75):
        return _tree(chance, kind)
    if chance.happens(0.3):
        return _enlarged(_tree(chance, kind), chance.pick((-40, 40)))
    _, (node, parts) = kind.parts.items()
    tree, ways = kind.draw(chance, 0), chance.pick((kind.subtrees, *([part] for part in kind.subtrees)))
    for _ in range(chance.between(4, 6)):
        way = chance.pick(ways)
        made = (
            tree if part == way else kind.draw(chance, 0) if part != "x" else chance.number(-6, 20) for part in parts
        )
        tree = (node, *made)
    return tree


def _enlarged(tree: Tree, by: int) -> Tree:
    return tuple(
        by * part if isinstance(part, int) else _enlarged(part, by) if isinstance(part, tuple) else part
        for part in tree
    )


# --- texts ------------------------------------------------------------------------------------------------------------

_CALLED = {
    "x": "`x` is the number in the node",
    "d": "`d` is the depth of the node: 0 at the root, 1 more for its parts",
}


def _words(measure: _Measure) -> str:
    """The sentences about the value of a node."""
    said = f"it is {measure.first.words}"
    if measure.test and measure.second:
        said = f"if {measure.test.say(measure.tested)}, {said}; otherwise it is {measure.second.words}"
    if measure.extra:
        said += f". Then, with `v` for that number, the value is {measure.extra.say('v')}"
    parts = f"{series([f'`{part}`' for part in measure.kind.subtrees])} stand for the values of these parts"
    called = [words for part, words in _CALLED.items() if f"`{part}`" in said]
    return f"{said}. Here {'; '.join([parts, *called])}."


def _code(name: str, measure: _Measure) -> str:
    body = measure.first.code
    if measure.test and measure.second:
        body = f"if {measure.test.code(measure.tested)} then {body} else {measure.second.code}"
    if measure.extra:
        body = f"let v = {body} in {measure.extra.code('v')}"
    leaf, node = measure.kind.patterns
    d, inner, zero = ("d ", "(d + 1) ", "0 ") if measure.asks_depth else ("", "", "")
    binds = "".join(f"\n    let {part} = go {inner}{part} in" for part in measure.kind.subtrees)
    return f"""\
let {name} tree =
  let rec go {d}= function
  | {leaf} -> {measure.leaf.code("n") if measure.leaf else measure.leaf_value}
  | {node} ->{binds}
    {body}
  in
  go {zero}tree"""


FAMILY = Family(
    name="trees.measure",
    topics=("trees", "recursion", "pattern-matching"),
    description="a number computed of a tree of some type from the values of its parts",
    tasks=TASKS,
    make=_make,
)
