"""Inputs of small problems: for each type, a way to draw values, and edge cases, as OCaml literals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ocaml_env.kills.types import Type
from ocaml_env.problems.generators import values
from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.letters import WORDS

__all__ = [
    "Input",
    "array",
    "boolean",
    "by_type",
    "characters",
    "floats",
    "integers",
    "lists",
    "one_of",
    "options",
    "sentences",
    "texts",
    "tuples",
    "words",
]


_RARE = 0.08  # the share of values that are far larger, or longer, than the others
_FEW = 0.2  # the share of lists and strings of one or two different elements; such lists are short


class Input(NamedTuple):
    """An argument of a function.

    Attributes:
        draw: draws an OCaml literal.
        edges: literals that deserve a test each.
    """

    draw: Callable[[Chance], str]
    edges: tuple[str, ...] = ()


def integers(low: int = -20, high: int = 60, far: int = 0) -> Input:
    """Numbers from ``low`` to ``high``, with a preference for numbers of the problem and their neighbours.

    Args:
        low: the least.
        high: the greatest.
        far: a few numbers are as large as this; if ``low`` is negative, a few are as far below 0.
    """
    edges = [n for n in (0, 1, -1, low, high) if low <= n <= high]
    edges += [far, *([-far] if low < 0 else [])] if far else []

    def draw(chance: Chance) -> str:
        if far and chance.happens(_RARE):
            return str(chance.between(-far if low < 0 else high, far))
        return str(chance.number(low, high))

    return Input(draw, tuple(map(str, dict.fromkeys(edges))))


def floats(low: int = -8, high: int = 24) -> Input:
    """Multiples of a quarter: their sums and products are exact."""

    def draw(chance: Chance) -> str:
        return _float(chance.number(4 * low, 4 * high) / 4)

    return Input(draw, tuple(_float(float(n)) for n in (0, 1, -1) if low <= n <= high))


def _float(number: float) -> str:
    return repr(number).removesuffix("0") if number == int(number) else repr(number)


def boolean() -> Input:
    return Input(lambda chance: values.truth(chance.happens(0.5)), ("true", "false"))


def characters(among: str = "") -> Input:
    """Letters, digits and signs, with a preference for characters of the problem; or characters of ``among``."""

    def draw(chance: Chance) -> str:
        if among:
            return values.letter(chance.pick(among))
        return values.letter(chance.character())

    return Input(draw, () if among else ("'a'", "'Z'", "'0'", "' '"))


def words() -> Input:
    """Words in lower-case letters."""
    return Input(lambda chance: values.text(chance.pick(WORDS)), ('"a"',))


def texts(shortest: int = 0, longest: int = 9, among: str = "", far: int = 0) -> Input:
    """Words, names, numbers and signs; or strings of characters of ``among``.

    Args:
        shortest: length.
        longest: length of most strings.
        among: characters.
        far: a few strings are up to as long as this.
    """

    def character(chance: Chance) -> str:
        return chance.pick(among) if among else chance.character()

    def draw(chance: Chance) -> str:
        if not among and chance.happens(0.5):
            word = chance.pick(WORDS)
            word = word.capitalize() if chance.happens(0.3) else word
            if shortest <= len(word) <= longest:
                return values.text(word)
        size = chance.between(longest, far) if far and chance.happens(_RARE) else chance.between(shortest, longest)
        two = [character(chance), character(chance)] if chance.happens(_FEW) else []
        return values.text("".join(chance.pick(two) if two else character(chance) for _ in range(size)))

    edges = [text for text in ("", "a", "aa", "Aa") if shortest <= len(text) <= longest and not among]
    return Input(draw, tuple(map(values.text, edges)))


def sentences(most: int = 5) -> Input:
    """Words with single spaces between them, at least one."""

    def draw(chance: Chance) -> str:
        return values.text(" ".join(chance.pick(WORDS) for _ in range(chance.between(1, most))))

    return Input(draw, ('"a"', '"a b"'))


def one_of(*literals: str) -> Input:
    """One of these literals; each deserves a test."""
    return Input(lambda chance: chance.pick(literals), literals)


def lists(of: Input, shortest: int = 0, longest: int | None = None, far: int = 0) -> Input:
    """Lists with repeated elements. Edges are the empty list, and short lists of edges.

    Args:
        of: the elements.
        shortest: length.
        longest: length. By default most lists have up to 7 elements, and a few have 14.
        far: a few lists are as long as this.
    """
    if longest is None:
        longest, far = 7, far or 14

    def draw(chance: Chance) -> str:
        if chance.happens(_FEW):
            two = [of.draw(chance), of.draw(chance)]
            return _listed([chance.pick(two) for _ in range(chance.between(shortest, max(shortest, min(3, longest))))])
        rare = far > longest and chance.happens(_RARE)
        size = far if rare else chance.between(max(shortest, min(2, longest)), longest)
        made = [of.draw(chance) for _ in range(size)]
        if size > 1 and chance.happens(0.3):
            made[chance.below(size)] = chance.pick(made)
        elif chance.happens(_RARE):
            made = made[:1] * size
        return _listed(made)

    edges: list[list[str]] = [[]] if shortest == 0 else []
    if shortest <= 1:
        edges += [[edge] for edge in of.edges]
    if shortest <= 2 <= longest:
        edges += [[edge, edge] for edge in of.edges[:2]]
        edges += [list(pair) for pair in zip(of.edges, of.edges[1:], strict=False)]
    return Input(draw, tuple(map(_listed, edges)))


def _listed(items: Sequence[str]) -> str:
    return "[" + "; ".join(items) + "]"


def array(of: Input, shortest: int = 0, longest: int | None = None, far: int = 0) -> Input:
    """As ``lists``."""
    inner = lists(of, shortest, longest, far)
    return Input(lambda chance: _as_array(inner.draw(chance)), tuple(map(_as_array, inner.edges)))


def _as_array(literal: str) -> str:
    return f"[|{literal[1:-1]}|]"


def options(of: Input) -> Input:
    """``None`` in a quarter of all cases."""

    def draw(chance: Chance) -> str:
        return "None" if chance.happens(0.25) else f"Some {values.atom(of.draw(chance))}"

    return Input(draw, ("None", *(f"Some {values.atom(edge)}" for edge in of.edges)))


def tuples(*of: Input) -> Input:
    def draw(chance: Chance) -> str:
        return "(" + ", ".join(part.draw(chance) for part in of) + ")"

    longest = max(len(part.edges) for part in of)
    edges = [[part.edges[i % len(part.edges)] for part in of] for i in range(longest) if all(part.edges for part in of)]
    return Input(draw, tuple("(" + ", ".join(edge) + ")" for edge in edges))


def by_type(kind: Type, declared: Mapping[str, Input] | None = None) -> Input:
    """Values of a type built of numbers, characters, strings, lists and the like.

    Args:
        kind: a type; a variable stands for ``int``.
        declared: inputs of types that the problem declares.
    """
    of = [by_type(part, declared) for part in kind.parts]
    if declared and kind.name in declared:
        return declared[kind.name]
    if kind.name == "*":
        return tuples(*of)
    if kind.name in _MADE:
        return _MADE[kind.name](*of)
    return _PLAIN["int" if kind.name.startswith("'") else kind.name]


_MADE: dict[str, Callable[[Input], Input]] = {"list": lists, "option": options, "array": array}
_PLAIN = {
    "int": integers(far=1_000),
    "float": floats(),
    "bool": boolean(),
    "char": characters(),
    "string": texts(far=20),
    "unit": Input(lambda chance: "()", ("()",)),
}
