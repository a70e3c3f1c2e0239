"""Formulas rewritten from the inside out by ordered rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import Show, atom, integer, text, variant
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Tree = tuple[Any, ...]


class _Law(NamedTuple):
    """A rewriting of one node whose parts are simple already.

    Patterns and images are trees with names in them: ``a`` and ``b`` for trees, ``m`` and ``n`` for integers, ``_`` for
    anything; an image may hold a formula of integers. Where ``twins`` is true, ``a`` and ``b`` have to be equal.
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
        """A tree that it fits."""
        a = draw()
        bound = {"a": a, "b": a if self.twins else draw(), "_": draw(), "m": number, "n": number + 3}
        made: Tree = _build(self.pattern, bound)
        return made


_ARITIES = {"Num": 0, "Var": 0, "Neg": 1, "Half": 1, "Add": 2, "Sub": 2, "Mul": 2, "Max": 2}


def _simplify(chance: Chance, level: int) -> Draft:
    binary = chance.sample(("Add", "Sub", "Mul", "Max"), (2, 2, 3, 3, 4)[level - 1])
    unary = chance.sample(("Neg", "Half"), (0, 1, 1, 1, 2)[level - 1])
    known = {"Num", "Var", *binary, *unary}
    k = chance.between(2, 9)
    laws = [law for law in _laws(k) if known >= _names(law.pattern) | _names(law.image)]
    wanted = (4, 5, 6, 7, 8)[level - 1]
    if len(laws) < wanted:
        raise Unfit
    laws = chance.sample(laws, wanted)
    again = level >= 3 and chance.happens(0.5)
    letters = chance.sample("nmxyz", 2)

    fired: set[int] = set()

    def at_root(tree: Tree) -> Tree:
        for _ in range(20):
            for i, law in enumerate(laws):
                image = law.run(tree)
                if image is not None:
                    fired.add(i)
                    break
            else:
                return tree
            if not again:
                return tuple(image)
            tree = image
        raise Unfit  # rules that turn in a circle

    def run(tree: Tree) -> Tree:
        if tree[0] in ("Num", "Var"):
            return at_root(tree)
        return at_root((tree[0], *map(run, tree[1:])))

    def draw(depth: int) -> Tree:
        if depth and chance.happens(0.45):
            law = chance.pick(laws)
            return law.instance(lambda: draw(depth - 2 if depth > 1 else 0), chance.between(-4, 9))
        if depth == 0 or chance.happens(0.15):
            if chance.happens(0.4):
                return ("Var", chance.pick(letters))
            return ("Num", chance.pick((0, 0, 1, 1, 2, k, chance.between(-4, 9))))
        name = chance.pick((*binary, *binary, *unary))
        parts = [draw(depth - 1) for _ in range(_ARITIES[name])]
        if len(parts) == 2 and chance.happens(0.15):
            parts[1] = parts[0]
        return (name, *parts)

    def size() -> int:
        return chance.pick((1, 2, 2, 3)) if level <= 2 else chance.pick((2, 2, 3))

    for _ in range(20):
        run(draw(size()))
    if len(fired) < len(laws):
        raise Unfit
    names = [name for name in _ARITIES if name in known]
    kinds = {"Num": "int", "Var": "string"}
    declared = "type expr =\n" + "\n".join(
        f"  | {name} of {kinds.get(name) or ' * '.join(['expr'] * _ARITIES[name])}" for name in names
    )
    lines = [f"`{law.left}` becomes `{law.right}`{' if `a` and `b` are equal' if law.twins else ''}" for law in laws]
    shows: dict[str, list[Show]] = {name: [] for name in names}
    show = variant(shows)
    for name in names:
        shows[name] += [integer] if name == "Num" else [text] if name == "Var" else [show] * _ARITIES[name]
    arms = [f"  | {law.left}{law.guard} -> {f'root ({law.right})' if again else law.right}" for law in laws]
    walk = ["let rec simplify = function", "  | (Num _ | Var _) as e -> root e"]
    for name in (*binary, *unary):
        inner = ", ".join(f"simplify {part}" for part in "ab"[: _ARITIES[name]])
        pattern = "(a, b)" if _ARITIES[name] == 2 else "a"
        walk.append(f"  | {name} {pattern} -> root ({name} ({inner}))")
    how = (
        "Then the rules are tried on the node in this order, and the first that fits is applied; this is repeated with "
        "the new node at this place, until no rule fits. The parts of the node are not looked at again."
        if again
        else "Then the rules are tried on the node in this order, and the first that fits is applied, once. What it "
        "makes is not looked at again, neither as a whole nor its parts. If none fits, the node stays as it is."
    )

    def cases() -> Iterator[Case]:
        edges = [("Num", 0), ("Var", letters[0]), draw(4)]
        for tree in inputs(lambda: draw(size()), edges):
            yield case("simplify", [show(tree)], show(run(tree)))

    return Draft(
        name="simplify",
        statement=paragraphs(
            "`simplify e` rewrites a formula by these rules, in which `a` and `b` stand for any formula, `m` and `n` "
            "for any integer, and the right sides are computed where they hold `+`, `-`, `*` or `max` of integers:",
            numbered(f"{line}{'.' if i == len(lines) - 1 else ';'}" for i, line in enumerate(lines)),
            f"It works from the inside out: first all parts of a node are simplified. {how} `Num` and `Var` have no "
            "parts.",
        ),
        signature=f"{declared}\n\nval simplify : expr -> expr",
        reference=module(
            declared,
            f"let {'rec ' if again else ''}root = function\n" + "\n".join(arms) + "\n  | e -> e",
            "\n".join(walk),
        ),
        cases=cases(),
        together=2,
    )


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
    """The constructors that it speaks of."""
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
    make=_simplify,
)
