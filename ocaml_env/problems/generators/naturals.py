"""Operations on natural numbers; each has different results for several of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.ints import DIGIT_SUM, Op, digit_sum, int_map, int_test, telling

__all__ = ["natural_map", "natural_test"]

_OWN = 0.4  # the share of operations that are defined below

Kind = Callable[[Chance], Op]


def natural_map(chance: Chance, values: Sequence[int]) -> Op:
    """An operation from integers to integers. Each of its parts makes a difference for several of these values."""
    return _one_of(chance, int_map, _MAPS, values)


def natural_test(chance: Chance, values: Sequence[int]) -> Op:
    """A question about an integer. Each of its parts makes a difference for several of these values."""
    return _one_of(chance, int_test, _TESTS, values)


def _one_of(chance: Chance, general: Kind, own: Sequence[Kind], values: Sequence[int]) -> Op:
    def draw(chance: Chance) -> Op:
        return chance.pick(own)(chance) if chance.happens(_OWN) else general(chance)

    return telling(chance, draw, [(value,) for value in values])


# --- from integer to integer ------------------------------------------------------------------------------------------


def _rest(chance: Chance) -> Op:
    k = chance.between(3, 13)
    return Op(f"the remainder of {{x}} divided by {k}", f"{{x}} mod {k}", lambda x: x % k)


def _divided(chance: Chance) -> Op:
    k, c = chance.between(2, 4), chance.between(1, 9)
    words = f"{{x}} divided by {k}, rounded down, plus {c}"
    return Op(words, f"({{x}} / {k}) + {c}", lambda x: x // k + c, (), (lambda x: x // k,))


def _round_down(chance: Chance) -> Op:
    k = chance.between(3, 9)
    words = f"the greatest multiple of {k} that is at most {{x}}"
    return Op(words, f"{{x}} - ({{x}} mod {k})", lambda x: x - x % k, (), (lambda x: x % k,))


def _digits(chance: Chance) -> Op:
    k = chance.between(2, 9)
    return Op(
        f"{k} times the sum of the decimal digits of {{x}}",
        f"{k} * digit_sum {{x}}",
        lambda x: k * digit_sum(x),
        (DIGIT_SUM,),
        (lambda x: digit_sum(x), lambda x: k * (x % 10)),
    )


_MAPS = (_rest, _divided, _round_down, _digits)


# --- questions --------------------------------------------------------------------------------------------------------


def _leaves(chance: Chance) -> Op:
    k = chance.between(3, 5)
    r = chance.between(1, k - 1)
    return Op(f"{{x}} is {r} more than a multiple of {k}", f"{{x}} mod {k} = {r}", lambda x: x % k == r)


def _divisible(chance: Chance) -> Op:
    k = chance.between(3, 7)
    return Op(f"{{x}} is divisible by {k}", f"{{x}} mod {k} = 0", lambda x: x % k == 0)


def _last_digit(chance: Chance) -> Op:
    d = chance.between(3, 7)
    fault = (lambda x: x < d,)
    return Op(
        f"the last decimal digit of {{x}} is less than {d}", f"{{x}} mod 10 < {d}", lambda x: x % 10 < d, (), fault
    )


def _neither(chance: Chance) -> Op:
    a, b = chance.pick(((2, 3), (2, 5), (3, 4), (3, 5)))
    return Op(
        f"{{x}} is divisible neither by {a} nor by {b}",
        f"{{x}} mod {a} <> 0 && {{x}} mod {b} <> 0",
        lambda x: x % a != 0 and x % b != 0,
        (),
        (lambda x: x % a != 0, lambda x: x % b != 0),
    )


_TESTS = (_leaves, _divisible, _last_digit, _neither)
