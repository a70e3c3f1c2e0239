"""Formulas rewritten from the inside out by ordered rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.small.patterns_simplify import TASKS
from ocaml_env.problems.generators.values import Show, atom, integer, text, variant
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Tree = tuple[Any, ...]

_TRIED = 20  # formulas to try; each rule has to be used for some of them
_MOST = 20  # applications of rules at one place


class _Law(NamedTuple):
    """A rewriting of one node with simplified parts.

    Patterns and images are trees with names in them: ``a`` and ``b`` for trees, ``m`` and ``n`` for integers, ``_`` for
    anything; an image may hold a formula of integers. If ``twins`` is true, ``a`` and ``b`` have to be equal.
    """

    pattern: Tree
    image: Any
    twins: bool = False

    @property
    def left(self) -> str:
        return _text(self.pattern)

    @property
    def right(self) -> str:
        return _text(self.image)

    @property
    def guard(self) -> str:
        return " when a = b" if self.twins else ""

    def run(self, tree: Tree) -> Any:
        bound: dict[str, Any] = {}
        if not _match(self.pattern, tree, bound) or (self.twins and bound["a"] != bound["b"]):
            return None
        return _build(self.image, bound)

    def instance(self, draw: Callable[[], Tree], number: int) -> Tree:
        """A tree that matches its pattern."""
        a = draw()
        bound = {"a": a, "b": a if self.twins else draw(), "_": draw(), "m": number, "n": number + 3}
        made: Tree = _build(self.pattern, bound)
        return made


_ARITIES = {"Num": 0, "Var": 0, "Neg": 1, "Half": 1, "Add": 2, "Sub": 2, "Mul": 2, "Max": 2}


@dataclass(frozen=True, slots=True)
class _Rewriting:
    """The formulas and the rules to rewrite them.

    Attributes:
        again: the rules are tried again on their results.
        variables: names in formulas.
    """

    binary: tuple[str, ...]
    unary: tuple[str, ...]
    laws: tuple[_Law, ...]
    again: bool
    variables: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        return [name for name in _ARITIES if name in ("Num", "Var", *self.binary, *self.unary)]

    @property
    def declaration(self) -> str:
        kinds = {"Num": "int", "Var": "string"}
        lines = [f"  | {name} of {kinds.get(name) or ' * '.join(['expr'] * _ARITIES[name])}" for name in self.names]
        return "\n".join(["type expr =", *lines])

    def show(self) -> Show:
        shows: dict[str, list[Show]] = {name: [] for name in self.names}
        show = variant(shows)
        for name in self.names:
            shows[name] += [integer] if name == "Num" else [text] if name == "Var" else [show] * _ARITIES[name]
        return show

    def run(self, tree: Tree, fired: set[_Law]) -> Tree:
        """Simplifies a formula, and adds the used rules to ``fired``."""
        if tree[0] not in ("Num", "Var"):
            tree = (tree[0], *(self.run(part, fired) for part in tree[1:]))
        for _ in range(_MOST):
            fitting = ((law, image) for law in self.laws if (image := law.run(tree)) is not None)
            law, image = next(fitting, (None, tree))
            if law is None:
                return tree
            fired.add(law)
            tree = image
            if not self.again:
                return tree
        raise Unfit  # the rules run in a circle


def _make(chance: Chance, level: int) -> Draft:
    rewriting = _rewriting(chance, level)
    lines = [
        f"`{law.left}` becomes `{law.right}`{' if `a` and `b` are equal' if law.twins else ''}"
        for law in rewriting.laws
    ]
    how = (
        "Then the rules are tried on the node in this order, and the first that fits is applied; this is repeated with "
        "the new node at this place, until no rule fits. The parts of the node are not looked at again."
        if rewriting.again
        else "Then the rules are tried on the node in this order, and the first that fits is applied, once. What it "
        "makes is not looked at again, neither as a whole nor its parts. If none fits, the node stays as it is."
    )
    return Draft(
        name="simplify",
        statement=paragraphs(
            "`simplify e` rewrites a formula by these rules, in which `a` and `b` stand for any formula, `m` and `n` "
            "for any integer, and the right sides are computed where they hold `+`, `-`, `*` or `max` of integers:",
            numbered(f"{line}{'.' if i == len(lines) - 1 else ';'}" for i, line in enumerate(lines)),
            f"It works from the inside out: first all parts of a node are simplified. {how} `Num` and `Var` have no "
            "parts.",
        ),
        signature=f"{rewriting.declaration}\n\nval simplify : expr -> expr",
        reference=_code(rewriting),
        cases=_cases(chance, rewriting),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _rewriting(chance: Chance, level: int) -> _Rewriting:
    """Draws rules; each is used for some formula."""
    binaries, unaries, count = {1: (2, 0, 4), 3: (3, 1, 6), 5: (4, 2, 8)}[level]
    binary = chance.sample(("Add", "Sub", "Mul", "Max"), binaries)
    unary = chance.sample(("Neg", "Half"), unaries)
    known = {"Num", "Var", *binary, *unary}
    laws = [law for law in _laws(chance.between(2, 9)) if known >= _names(law.pattern) | _names(law.image)]
    if len(laws) < count:
        raise Unfit
    made = _Rewriting(
        tuple(binary),
        tuple(unary),
        tuple(chance.sample(laws, count)),
        again=level >= 3 and chance.happens(0.5),
        variables=tuple(chance.sample("nmxyz", 2)),
    )
    fired: set[_Law] = set()
    for _ in range(_TRIED):
        made.run(_tree(chance, made, _depth(chance, made)), fired)
    if len(fired) < count:
        raise Unfit
    return made


def _depth(chance: Chance, rewriting: _Rewriting) -> int:
    return chance.pick((2, 2, 3) if rewriting.unary else (1, 2, 2, 3))


def _tree(chance: Chance, rewriting: _Rewriting, depth: int) -> Tree:
    """A formula to which rules often apply."""
    if depth and chance.happens(0.45):
        law = chance.pick(rewriting.laws)
        below = max(0, depth - 2)
        return law.instance(lambda: _tree(chance, rewriting, below), chance.between(-4, 9))
    if depth == 0 or chance.happens(0.15):
        if chance.happens(0.4):
            return ("Var", chance.pick(rewriting.variables))
        return ("Num", chance.pick((0, 0, 1, 1, 2, chance.between(-4, 9))))
    name = chance.pick((*rewriting.binary, *rewriting.binary, *rewriting.unary))
    parts = [_tree(chance, rewriting, depth - 1) for _ in range(_ARITIES[name])]
    if len(parts) == 2 and chance.happens(0.15):
        parts[1] = parts[0]
    return (name, *parts)


def _cases(chance: Chance, rewriting: _Rewriting) -> Iterator[Case]:
    show = rewriting.show()
    edges = [("Num", 0), ("Num", -3), ("Var", rewriting.variables[0]), *(_tree(chance, rewriting, 4) for _ in range(3))]
    for law in rewriting.laws:  # right at the root, and in the parts of other nodes
        fitting = law.instance(lambda: _tree(chance, rewriting, 1), chance.between(-4, 9))
        edges += [fitting, (rewriting.binary[0], fitting, ("Num", 1)), (rewriting.binary[1], ("Num", 0), fitting)]
    for tree in inputs(lambda: _tree(chance, rewriting, _depth(chance, rewriting)), edges):
        yield case("simplify", [show(tree)], show(rewriting.run(tree, set())))


def _code(rewriting: _Rewriting) -> str:
    again = rewriting.again
    arms = [f"  | {law.left}{law.guard} -> {f'root ({law.right})' if again else law.right}" for law in rewriting.laws]
    walk = ["let rec simplify = function", "  | (Num _ | Var _) as e -> root e"]
    for name in (*rewriting.binary, *rewriting.unary):
        parts = "ab"[: _ARITIES[name]]
        inner = ", ".join(f"simplify {part}" for part in parts)
        walk.append(f"  | {name} {'(a, b)' if len(parts) == 2 else 'a'} -> root ({name} ({inner}))")
    root = [f"let {'rec ' if again else ''}root = function", *arms, "  | e -> e"]
    return module(rewriting.declaration, "\n".join(root), "\n".join(walk))


# --- rules ------------------------------------------------------------------------------------------------------------


_FORMULAS: dict[str, Callable[[int, int], int]] = {
    "m + n": lambda m, n: m + n,
    "m - n": lambda m, n: m - n,
    "m * n": lambda m, n: m * n,
    "max m n": max,
    "-n": lambda m, n: -n,
}


def _match(pattern: Any, tree: Any, bound: dict[str, Any]) -> bool:
    if isinstance(pattern, str):
        bound[pattern] = tree
        return True
    if isinstance(pattern, int):
        return bool(pattern == tree)
    if pattern[0] != tree[0]:
        return False
    if pattern[0] == "Var":
        return bool(pattern == tree)
    return all(_match(part, child, bound) for part, child in zip(pattern[1:], tree[1:], strict=True))


def _build(image: Any, bound: dict[str, Any]) -> Any:
    if isinstance(image, str):
        return _FORMULAS[image](bound.get("m", 0), bound["n"]) if image in _FORMULAS else bound[image]
    if isinstance(image, int) or image[0] == "Var":
        return image
    return (image[0], *(_build(part, bound) for part in image[1:]))


def _text(pattern: Any) -> str:
    if not isinstance(pattern, tuple):
        return str(pattern)
    if pattern[0] == "Var":
        return f'Var "{pattern[1]}"'
    parts = [_text(part) for part in pattern[1:]]
    return f"{pattern[0]} {atom(parts[0])}" if len(parts) == 1 else f"{pattern[0]} ({', '.join(parts)})"


def _names(pattern: Any) -> set[str]:
    """The constructors in a pattern."""
    if not isinstance(pattern, tuple):
        return set()
    parts = [_names(part) for part in pattern[1:]]
    return {str(pattern[0])}.union(*parts)


def _laws(k: int) -> list[_Law]:
    zero, one, two, some = ("Num", 0), ("Num", 1), ("Num", 2), ("Num", k)
    m, n = ("Num", "m"), ("Num", "n")
    return [
        _Law(("Add", zero, "a"), "a"),
        _Law(("Add", "a", zero), "a"),
        _Law(("Add", m, n), ("Num", "m + n")),
        _Law(("Add", "a", "b"), ("Mul", two, "a"), twins=True),
        _Law(("Add", "a", ("Neg", "b")), ("Sub", "a", "b")),
        _Law(("Add", ("Neg", "a"), "b"), ("Sub", "b", "a")),
        _Law(("Add", some, "a"), ("Add", "a", some)),
        _Law(("Add", ("Sub", "a", "_"), "b"), ("Add", "a", "b")),
        _Law(("Sub", "a", zero), "a"),
        _Law(("Sub", zero, "a"), ("Neg", "a")),
        _Law(("Sub", m, n), ("Num", "m - n")),
        _Law(("Sub", "a", "b"), zero, twins=True),
        _Law(("Sub", "a", ("Neg", "b")), ("Add", "a", "b")),
        _Law(("Sub", "a", some), ("Add", "a", ("Num", -k))),
        _Law(("Sub", ("Add", "a", "_"), "b"), ("Sub", "a", "b")),
        _Law(("Mul", zero, "_"), zero),
        _Law(("Mul", "_", zero), zero),
        _Law(("Mul", one, "a"), "a"),
        _Law(("Mul", "a", one), "a"),
        _Law(("Mul", m, n), ("Num", "m * n")),
        _Law(("Mul", two, "a"), ("Add", "a", "a")),
        _Law(("Mul", ("Neg", "a"), "b"), ("Neg", ("Mul", "a", "b"))),
        _Law(("Mul", "a", some), ("Mul", some, "a")),
        _Law(("Max", m, n), ("Num", "max m n")),
        _Law(("Max", "a", "b"), "a", twins=True),
        _Law(("Max", "a", some), ("Max", some, "a")),
        _Law(("Max", zero, "a"), ("Max", "a", zero)),
        _Law(("Max", ("Neg", "a"), ("Neg", "b")), ("Neg", ("Max", "b", "a"))),
        _Law(("Max", ("Max", "a", "_"), "b"), ("Max", "a", "b")),
        _Law(("Neg", ("Neg", "a")), "a"),
        _Law(("Neg", n), ("Num", "-n")),
        _Law(("Neg", ("Sub", "a", "b")), ("Sub", "b", "a")),
        _Law(("Half", ("Add", "a", "_")), "a"),
        _Law(("Half", ("Mul", two, "a")), "a"),
        _Law(("Half", zero), zero),
        _Law(("Half", ("Neg", "a")), ("Neg", ("Half", "a"))),
        _Law(("Var", "x"), some),
    ]


FAMILY = Family(
    name="patterns.simplify",
    topics=("pattern-matching", "trees", "parsing-interpreters"),
    description="formulas rewritten from the inside out by ordered rules",
    tasks=TASKS,
    make=_make,
    split="eval",
)
