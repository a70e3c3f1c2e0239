"""Operations on one integer or two, each with its English, its OCaml and its meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit

__all__ = [
    "DIGIT_SUM",
    "MODULO",
    "Op",
    "digit_sum",
    "edge_ints",
    "int_join",
    "int_key",
    "int_map",
    "int_test",
    "join_key",
    "joined_test",
    "ordered_tests",
    "quotient",
    "remainder",
    "some_ints",
    "told",
]

DIGIT_SUM = "let rec digit_sum n = if n = 0 then 0 else (n mod 10) + digit_sum (n / 10)"
MODULO = "let modulo x k = ((x mod k) + k) mod k"
_IS_SQUARE = """\
let is_square n =
  let root = int_of_float (sqrt (float_of_int (abs n))) in
  root * root = n"""
_IS_PRIME = """\
let is_prime n =
  let rec no_divisor d = d * d > n || (n mod d <> 0 && no_divisor (d + 1)) in
  n >= 2 && no_divisor 2"""

_LARGEST = 1 << 45  # of a product: nothing that follows comes near to 62 bits
_SMALL = 1 << 20  # of what is tried for divisors


class Op(NamedTuple):
    """One operation.

    Attributes:
        words: English, with ``{x}`` where its operand stands, and ``{y}`` for a second one.
        ocaml: an OCaml expression, likewise.
        run: what it does.
        helpers: OCaml definitions that it uses.
    """

    words: str
    ocaml: str
    run: Callable[..., Any]
    helpers: tuple[str, ...] = ()

    def say(self, x: str = "x", y: str = "y") -> str:
        return self.words.replace("{x}", f"`{x}`").replace("{y}", f"`{y}`")

    def code(self, x: str = "x", y: str = "y") -> str:
        code = self.ocaml.replace("{x}", x).replace("{y}", y)
        return f"({code})" if code.startswith(("if ", "let ", "match ")) else code


def quotient(a: int, b: int) -> int:
    """OCaml's ``a / b``, rounded towards zero."""
    return a // b if (a < 0) == (b < 0) else -(-a // b)


def remainder(a: int, b: int) -> int:
    """OCaml's ``a mod b``, with the sign of ``a``."""
    return a - b * quotient(a, b)


def int_map(chance: Chance) -> Op:
    """An operation from integers to integers."""
    return chance.pick(_MAPS)(chance)


def int_test(chance: Chance) -> Op:
    """A question about an integer."""
    return told(chance, chance.pick(_TESTS)(chance))


def told(chance: Chance, op: Op) -> Op:
    """The same question; its answers are noted."""
    note, run = chance.question(), op.run
    return op._replace(run=lambda x: note(run(x)))


def int_join(chance: Chance) -> Op:
    """An operation that makes one integer of two."""
    return chance.pick(_JOINS)(chance)


def int_key(chance: Chance) -> Op:
    """An operation from integers to integers of which every part has a say in their order."""
    return chance.pick((_distance, _bound, _rest, _round_down, _by_parity, _by_sign))(chance)


def join_key(chance: Chance) -> Op:
    """Likewise, of two integers."""
    return chance.pick((_weighted, _weighted, _ordered, _product_rest, _sum_or_difference))(chance)


def joined_test(chance: Chance, level: int) -> Op:
    """A question, from level 3 on sometimes of two parts."""
    first = int_test(chance)
    if level < 3 or chance.happens(0.5):
        return first
    second = int_test(chance)
    if second.ocaml == first.ocaml:
        raise Unfit
    helpers = tuple(dict.fromkeys(first.helpers + second.helpers))
    if chance.happens(0.5):
        return Op(
            f"{first.words} and {second.words}",
            f"({first.ocaml}) && ({second.ocaml})",
            lambda x: first.run(x) and second.run(x),
            helpers,
        )
    return Op(
        f"{first.words} or {second.words} (or both)",
        f"({first.ocaml}) || ({second.ocaml})",
        lambda x: first.run(x) or second.run(x),
        helpers,
    )


def ordered_tests(draw: Callable[[], Op], count: int, values: Sequence[Any], shares: tuple[float, float]) -> list[Op]:
    """Questions, each of which is the first with the answer yes for such a share of the values; as many are left."""
    low, high = (int(share * len(values)) for share in shares)
    tests: list[Op] = []
    left = list(values)
    for _ in range(10 * count):
        if len(tests) == count:
            break
        test = draw()
        rest = [value for value in left if not test.run(value)]
        if low <= len(left) - len(rest) <= high:
            tests.append(test)
            left = rest
    if len(tests) < count or len(left) < low:
        raise Unfit
    return tests


def some_ints(chance: Chance, longest: int = 9) -> list[int]:
    """A typical list: small numbers, some of them negative, some of them equal."""
    return chance.numbers(chance.between(2, longest), -9 if chance.happens(0.4) else 0, chance.pick((6, 12, 30)))


def edge_ints(chance: Chance) -> list[list[int]]:
    """Lists that are worth a test: the empty one, short ones, equal elements, a long one."""
    one = chance.between(1, 9)
    return [[], [one], [chance.between(-9, 0)], [one] * 4, chance.numbers(chance.between(12, 16), -20, 40)]


# --- from integer to integer ------------------------------------------------------------------------------------------


def _plus(chance: Chance) -> Op:
    k = chance.between(1, 20)
    if chance.happens(0.5):
        return Op(f"{{x}} plus {k}", f"{{x}} + {k}", lambda x: x + k)
    return Op(f"{{x}} minus {k}", f"{{x}} - {k}", lambda x: x - k)


def _times(chance: Chance) -> Op:
    k = chance.between(2, 9)
    return Op(f"{k} times {{x}}", f"{k} * {{x}}", lambda x: _product(k, x))


def _times_plus(chance: Chance) -> Op:
    k, c = chance.between(2, 5), chance.between(1, 9)
    return Op(f"{k} times {{x}}, plus {c}", f"({k} * {{x}}) + {c}", lambda x: _product(k, x) + c)


def _from(chance: Chance) -> Op:
    k = chance.between(0, 30)
    return Op(f"{k} minus {{x}}", f"{k} - {{x}}", lambda x: k - x)


def _square(chance: Chance) -> Op:
    k = chance.between(0, 9)
    if k == 0:
        return Op("the square of {x}", "{x} * {x}", lambda x: _product(x, x))
    return Op(f"the square of {{x}}, minus {k}", f"({{x}} * {{x}}) - {k}", lambda x: _product(x, x) - k)


def _distance(chance: Chance) -> Op:
    k, note = chance.between(1, 15), chance.question()
    chance.mark(k, k - 1, k + 1)
    words = f"the distance between {{x}} and {k} (never negative)"
    return Op(words, f"abs ({{x}} - {k})", lambda x: k - x if note(x < k) else x - k)


def _bound(chance: Chance) -> Op:
    k, note = chance.between(-6, 12), chance.question()
    chance.mark(k - 1, k + 1)
    shown = f"({k})" if k < 0 else str(k)
    if chance.happens(0.5):
        return Op(f"the greater of {{x}} and {k}", f"max {{x}} {shown}", lambda x: k if note(x < k) else x)
    return Op(f"the smaller of {{x}} and {k}", f"min {{x}} {shown}", lambda x: x if note(x < k) else k)


def _rest(chance: Chance) -> Op:
    k = chance.between(3, 13)
    words = f"the remainder of {{x}} divided by {k}, from 0 to {k - 1} even where {{x}} is negative"
    chance.mark(k, 0, -1, -k)
    return Op(words, f"modulo {{x}} {k}", lambda x: x % k, (MODULO,))


def _divided(chance: Chance) -> Op:
    k = chance.between(2, 6)
    chance.mark(k, k - 1, -1, -k)
    return Op(f"{{x}} divided by {k}, rounded towards zero", f"{{x}} / {k}", lambda x: quotient(x, k))


def _round_down(chance: Chance) -> Op:
    k = chance.between(3, 12)
    chance.mark(k, k - 1, -1)
    return Op(
        f"the greatest multiple of {k} that is at most {{x}}",
        f"{{x}} - modulo {{x}} {k}",
        lambda x: x - x % k,
        (MODULO,),
    )


def _digits(chance: Chance) -> Op:
    k = chance.between(1, 9)
    chance.mark(9, 10, 19, 25, -12, -3, 101)
    note = chance.question()
    words = f"{k} times the sum of the decimal digits of {{x}} (without its sign)"
    if k == 1:
        words = words.removeprefix("1 times ")
    return Op(words, f"{k} * digit_sum (abs {{x}})", lambda x: k * digit_sum(-x if note(x < 0) else x), (DIGIT_SUM,))


def _by_parity(chance: Chance) -> Op:
    k, c, note = chance.between(2, 5), chance.between(1, 9), chance.question()
    chance.mark(-1, -2, 1, 2)
    return Op(
        f"half of {{x}} if {{x}} is even, and {k} times {{x}} plus {c} if it is odd",
        f"if {{x}} mod 2 = 0 then {{x}} / 2 else ({k} * {{x}}) + {c}",
        lambda x: x // 2 if note(x % 2 == 0) else _product(k, x) + c,
    )


def _by_sign(chance: Chance) -> Op:
    k, c, note = chance.between(1, 9), chance.between(2, 4), chance.question()
    chance.mark(-1, 0, 1)
    return Op(
        f"{{x}} plus {k} if {{x}} is negative, and {c} times {{x}} otherwise",
        f"if {{x}} < 0 then {{x}} + {k} else {c} * {{x}}",
        lambda x: x + k if note(x < 0) else _product(c, x),
    )


_MAPS = (
    _plus,
    _times,
    _times_plus,
    _from,
    _square,
    _distance,
    _bound,
    _rest,
    _divided,
    _round_down,
    _digits,
    _by_parity,
    _by_sign,
)


# --- from two integers to one -----------------------------------------------------------------------------------------


def _weighted(chance: Chance) -> Op:
    k = chance.between(2, 6)
    if chance.happens(0.5):
        return Op(f"{{x}} plus {k} times {{y}}", f"{{x}} + ({k} * {{y}})", lambda x, y: x + _product(k, y))
    return Op(f"{k} times {{x}}, minus {{y}}", f"({k} * {{x}}) - {{y}}", lambda x, y: _product(k, x) - y)


def _apart(chance: Chance) -> Op:
    k, note = chance.between(1, 9), chance.question()
    return Op(
        f"the distance between {{x}} and {{y}} (never negative), plus {k}",
        f"abs ({{x}} - {{y}}) + {k}",
        lambda x, y: (y - x if note(x < y) else x - y) + k,
    )


def _extreme(chance: Chance) -> Op:
    k, note = chance.between(1, 9), chance.question()
    if chance.happens(0.5):
        words, code = f"the greater of {{x}} and {{y}}, minus {k}", f"max {{x}} {{y}} - {k}"
        return Op(words, code, lambda x, y: (y if note(x < y) else x) - k)
    words, code = f"the smaller of {{x}} and {{y}}, plus {k}", f"min {{x}} {{y}} + {k}"
    return Op(words, code, lambda x, y: (x if note(x < y) else y) + k)


def _ordered(chance: Chance) -> Op:
    k, note, same = chance.between(1, 9), chance.question(), chance.question()
    return Op(
        f"{{x}} minus {{y}} if {{x}} is greater than {{y}}, and {{y}} plus {k} otherwise",
        f"if {{x}} > {{y}} then {{x}} - {{y}} else {{y}} + {k}",
        lambda x, y: x - y if note(x > y) and not same(x == y) else y + k,
    )


def _product_rest(chance: Chance) -> Op:
    m = chance.between(7, 40)
    return Op(
        f"the remainder of the product of {{x}} and {{y}} divided by {m}, from 0 to {m - 1} even where the product is "
        "negative",
        f"modulo ({{x}} * {{y}}) {m}",
        lambda x, y: _product(x, y) % m,
        (MODULO,),
    )


def _sum_or_difference(chance: Chance) -> Op:
    test = int_test(chance)
    return Op(
        f"the sum of {{x}} and {{y}} if {test.words}, and {{x}} minus {{y}} otherwise",
        f"if {test.ocaml} then {{x}} + {{y}} else {{x}} - {{y}}",
        lambda x, y: x + y if test.run(x) else x - y,
        test.helpers,
    )


_JOINS = (_weighted, _weighted, _apart, _extreme, _ordered, _product_rest, _sum_or_difference)


# --- questions --------------------------------------------------------------------------------------------------------


def _parity(chance: Chance) -> Op:
    chance.mark(-1, 0, 1, 2)
    if chance.happens(0.5):
        return Op("{x} is even", "{x} mod 2 = 0", lambda x: x % 2 == 0)
    return Op("{x} is odd", "{x} mod 2 <> 0", lambda x: x % 2 == 1)


def _divisible(chance: Chance) -> Op:
    k = chance.between(3, 5)
    chance.mark(k, 2 * k, k + 1, 0)
    if chance.happens(0.6):
        return Op(f"{{x}} is divisible by {k}", f"{{x}} mod {k} = 0", lambda x: x % k == 0)
    return Op(f"{{x}} is not divisible by {k}", f"{{x}} mod {k} <> 0", lambda x: x % k != 0)


def _above(chance: Chance) -> Op:
    k, limit = chance.between(-3, 9), chance.question()
    chance.mark(k - 1, k, k + 1)
    shown = f"({k})" if k < 0 else str(k)
    return chance.pick(
        (
            Op(f"{{x}} is greater than {k}", f"{{x}} > {shown}", lambda x: not limit(x == k) and x > k),
            Op(f"{{x}} is at least {k}", f"{{x}} >= {shown}", lambda x: limit(x == k) or x > k),
            Op(f"{{x}} is less than {k}", f"{{x}} < {shown}", lambda x: not limit(x == k) and x < k),
            Op(f"{{x}} is at most {k}", f"{{x}} <= {shown}", lambda x: limit(x == k) or x < k),
        )
    )


def _within(chance: Chance) -> Op:
    low = chance.between(-9, 4)
    high = low + chance.between(5, 14)
    chance.mark(low - 1, low, high, high + 1)
    first, last = chance.question(), chance.question()

    def run(x: int) -> bool:
        first(x == low)
        last(x == high)
        return low <= x <= high

    shown = f"({low})" if low < 0 else str(low)
    tail = f"between {low} and {high} (both included)"
    if chance.happens(0.5):
        return Op(f"{{x}} is {tail}", f"{shown} <= {{x}} && {{x}} <= {high}", run)
    return Op(f"{{x}} is not {tail}", f"{{x}} < {shown} || {{x}} > {high}", lambda x: not run(x))


def _leaves(chance: Chance) -> Op:
    k = chance.between(3, 5)
    r = chance.between(1, k - 1)
    chance.mark(r, r + k, r - k, k)
    return Op(
        f"{{x}} is {r} more than a multiple of {k}",
        f"modulo {{x}} {k} = {r}",
        lambda x: x % k == r,
        (MODULO,),
    )


def _last_digit(chance: Chance) -> Op:
    d = chance.between(3, 6)
    chance.mark(d, d - 1, 10 + d, 9 + d, -d, -9)
    words, limit = f"the last decimal digit of {{x}} is less than {d}", chance.question()
    return Op(words, f"abs {{x}} mod 10 < {d}", lambda x: not limit(abs(x) % 10 == d) and abs(x) % 10 < d)


def _digits_even(chance: Chance) -> Op:
    k = chance.pick((2, 4, 5))  # divisible by 3 are the numbers themselves, too
    note = chance.question()
    chance.mark(10, k, 9 + k, 19, 28, -11, -9 - k)
    return Op(
        f"the sum of the decimal digits of {{x}} (without its sign) is divisible by {k}",
        f"digit_sum (abs {{x}}) mod {k} = 0",
        lambda x: digit_sum(-x if note(x < 0) else x) % k == 0,
        (DIGIT_SUM,),
    )


def _squareness(chance: Chance) -> Op:
    chance.mark(0, 1, 4, 9, 16, 25, -1, 3)
    if chance.happens(0.5):
        return Op("{x} is a perfect square (0, 1, 4, 9, ...)", "is_square {x}", _is_square, (_IS_SQUARE,))
    return Op(
        "{x} is not a perfect square (0, 1, 4, 9, ...)",
        "not (is_square {x})",
        lambda x: not _is_square(x),
        (_IS_SQUARE,),
    )


def _primality(chance: Chance) -> Op:
    chance.mark(1, 2, 3, 4, 9, 7, 25, 11)
    if chance.happens(0.5):
        return Op("{x} is a prime number", "is_prime {x}", _is_prime, (_IS_PRIME,))
    return Op("{x} is not a prime number", "not (is_prime {x})", lambda x: not _is_prime(x), (_IS_PRIME,))


_TESTS = (
    _parity,
    _divisible,
    _above,
    _above,
    _within,
    _leaves,
    _last_digit,
    _digits_even,
    _squareness,
    _primality,
)


# --- what they mean ---------------------------------------------------------------------------------------------------


def digit_sum(n: int) -> int:
    total = 0
    while n:
        n, digit = divmod(n, 10)
        total += digit
    return total


def _product(a: int, b: int) -> int:
    product = a * b
    if not -_LARGEST < product < _LARGEST:
        raise Unfit
    return product


def _is_square(n: int) -> bool:
    return n >= 0 and isqrt(n) ** 2 == n


def _is_prime(n: int) -> bool:
    if n > _SMALL:
        raise Unfit
    return n >= 2 and all(n % d for d in range(2, isqrt(n) + 1))
