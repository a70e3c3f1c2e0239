"""Values and functions that tests use for a type variable, with their OCaml and their meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.letters import some_word
from ocaml_env.problems.generators.values import Show, integer, letter, text, truth

__all__ = ["INTS", "STRINGS", "Given", "World", "elements", "pool", "small"]


class Given(NamedTuple):
    """A function given by a test: its OCaml and its meaning."""

    ocaml: str
    run: Callable[..., Any]


class World(NamedTuple):
    """A type for ``'a`` in tests: values, and functions of each kind."""

    show: Show
    draw: Callable[[Chance], Any]
    maps: tuple[Given, ...]
    tests: tuple[Given, ...]
    joins: tuple[Given, ...]


_LONGEST = 120


INTS = World(
    integer,
    lambda chance: chance.between(-9, 20),
    (
        Given("(fun n -> n + 3)", lambda n: n + 3),
        Given("(fun n -> n * 2)", lambda n: n * 2),
        Given("(fun n -> 10 - n)", lambda n: 10 - n),
        Given("abs", abs),
        Given("(fun n -> n - 7)", lambda n: n - 7),
        Given("succ", lambda n: n + 1),
        Given("(fun n -> n * n mod 50)", lambda n: n * n % 50),
    ),
    (
        Given("(fun n -> n > 5)", lambda n: n > 5),
        Given("(fun n -> n mod 2 = 0)", lambda n: n % 2 == 0),
        Given("(fun n -> n < 0)", lambda n: n < 0),
        Given("(fun n -> n mod 3 <> 0)", lambda n: n % 3 != 0),
        Given("(fun n -> n <= 12)", lambda n: n <= 12),
    ),
    (
        Given("( + )", lambda a, b: a + b),
        Given("( - )", lambda a, b: a - b),
        Given("max", max),
        Given("(fun a b -> (2 * a) + b)", lambda a, b: 2 * a + b),
        Given("(fun a b -> a - (3 * b))", lambda a, b: a - 3 * b),
    ),
)


STRINGS = World(
    text,
    some_word,
    (
        Given('(fun s -> s ^ "!")', lambda s: s + "!"),
        Given('(fun s -> "<" ^ s)', lambda s: "<" + s),
        Given("String.uppercase_ascii", str.upper),
        Given("String.capitalize_ascii", lambda s: s[:1].upper() + s[1:]),
        Given("(fun s -> String.sub s 0 (min 4 (String.length s)))", lambda s: s[:4]),
    ),
    (
        Given("(fun s -> String.length s > 4)", lambda s: len(s) > 4),
        Given("(fun s -> String.contains s 'e')", lambda s: "e" in s),
        Given('(fun s -> s < "m")', lambda s: s < "m"),
        Given("(fun s -> String.length s mod 2 = 0)", lambda s: len(s) % 2 == 0),
    ),
    (
        Given("( ^ )", lambda a, b: a + b),
        Given('(fun a b -> a ^ "-" ^ b)', lambda a, b: f"{a}-{b}"),
        Given("max", max),
        Given("(fun a b -> b ^ a)", lambda a, b: b + a),
    ),
)


def small(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _LONGEST:
        raise Unfit
    return value


def pool(world: World, function: str) -> tuple[Given, ...]:
    return world.joins if function == "h" else world.tests if function in "pq" else world.maps


def elements(chance: Chance) -> tuple[tuple[Show, Callable[[], Any]], ...]:
    """Types of elements, each with a function to show and a function to draw one."""
    return (
        (integer, lambda: chance.between(-9, 20)),
        (text, lambda: some_word(chance)),
        (letter, lambda: chance.pick("abcdwxyz")),
        (truth, lambda: chance.happens(0.5)),
    )
