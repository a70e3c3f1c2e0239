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
    "plus",
    "quotient",
    "remainder",
    "some_ints",
    "telling",
]

DIGIT_SUM = "let rec digit_sum n = if n = 0 then 0 else (n mod 10) + digit_sum (n / 10)"
MODULO = "let modulo x k = ((x mod k) + k) mod k"
_IS_SQUARE = """\
let is_square n =
  let rec from root = if root * root < n then from (root + 1) else root * root = n in
  from 0"""
_IS_PRIME = """\
let is_prime n =
  let rec no_divisor d = d * d > n || (n mod d <> 0 && no_divisor (d + 1)) in
  n >= 2 && no_divisor 2"""

_LARGEST = 1 << 45  # of a product: the operations after it stay far below 62 bits
_SMALL = 1 << 20  # of numbers to try for divisors
_SMALL_INTS = range(-9, 21)
_TELLING = 4  # values at least that must show the effect of each part of a question


class Op(NamedTuple):
    """One operation.

    Attributes:
        words: English, with ``{x}`` for its operand, and ``{y}`` for a second one.
        ocaml: an OCaml expression, likewise.
        run: its meaning in Python.
        helpers: OCaml definitions that it uses.
        faults: its meanings with a part forgotten: some input should show the difference.
    """

    words: str
    ocaml: str
    run: Callable[..., Any]
    helpers: tuple[str, ...] = ()
    faults: tuple[Callable[..., Any], ...] = ()

    def say(self, x: str = "x", y: str = "y") -> str:
        return self.words.replace("{x}", f"`{x}`").replace("{y}", f"`{y}`")

    def code(self, x: str = "x", y: str = "y") -> str:
        code = self.ocaml.replace("{x}", x).replace("{y}", y)
        return f"({code})" if code.startswith(("if ", "let ", "match ")) else code

    def is_shown_by(self, values: Sequence[Any]) -> bool:
        """True if at least two of the values show each of its faults."""
        return all(sum(fault(value) != self.run(value) for value in values) >= 2 for fault in self.faults)


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
    return chance.pick(_TESTS)(chance)


def int_join(chance: Chance) -> Op:
    """An operation that makes one integer of two."""
    return chance.pick(_JOINS)(chance)


def telling(chance: Chance, draw: Callable[[Chance], Op], operands: Sequence[tuple[Any, ...]]) -> Op:
    """An operation or a question. Each of its parts makes a difference for several of these operands."""
    for _ in range(60):
        op = draw(chance)
        if _tells(op, operands):
            return op
    raise Unfit


def _tells(op: Op, operands: Sequence[tuple[Any, ...]]) -> bool:
    made = [op.run(*each) for each in operands]
    if max(map(made.count, {*made})) > len(made) - 2:
        return False
    wrong = [[fault(*each) for each in operands] for fault in op.faults]
    if not isinstance(made[0], bool):
        wrong += map(list, zip(*operands, strict=True))
    return all(sum(a != b for a, b in zip(made, other, strict=True)) >= 2 for other in wrong)


def int_key(chance: Chance) -> Op:
    """An operation from integers to integers, for sorting. Each of its parts influences the order."""
    return chance.pick((_distance, _bound, _rest, _round_down, _by_parity, _by_sign))(chance)


def join_key(chance: Chance) -> Op:
    """An operation on two integers, for sorting. Each of its parts influences the order."""
    return chance.pick((_weighted, _weighted, _ordered, _product_rest, _sum_or_difference))(chance)


def joined_test(chance: Chance, level: int) -> Op:
    """A question, from level 3 on sometimes of two parts. Each part makes a difference for several small numbers."""
    first = int_test(chance)
    if level < 3 or chance.happens(0.5):
        return first
    both = chance.happens(0.5)
    while True:
        second = int_test(chance)
        if _both_tell(first, second, both):
            joined = _joined(first, second, both)
            if joined.is_shown_by(_SMALL_INTS):
                return joined
        first = int_test(chance)


def _joined(first: Op, second: Op, both: bool) -> Op:
    helpers = tuple(dict.fromkeys(first.helpers + second.helpers))
    if both:
        return Op(
            f"{first.words} and {second.words}",
            f"({first.ocaml}) && ({second.ocaml})",
            lambda x: first.run(x) and second.run(x),
            helpers,
            (
                *(lambda x, part=part: part(x) and second.run(x) for part in first.faults),
                *(lambda x, part=part: first.run(x) and part(x) for part in second.faults),
                first.run,
                second.run,
            ),
        )
    return Op(
        f"{first.words} or {second.words} (or both)",
        f"({first.ocaml}) || ({second.ocaml})",
        lambda x: first.run(x) or second.run(x),
        helpers,
        (
            *(lambda x, part=part: part(x) or second.run(x) for part in first.faults),
            *(lambda x, part=part: first.run(x) or part(x) for part in second.faults),
            first.run,
            second.run,
        ),
    )


def _both_tell(first: Op, second: Op, both: bool) -> bool:
    """True if the questions joined by "and" (``both``) or "or" often differ from each of them, and from a constant."""
    seen = [(bool(first.run(x)), bool(second.run(x))) for x in _SMALL_INTS]
    return min(seen.count(answers) for answers in ((True, False), (False, True), (both, both))) >= _TELLING


def ordered_tests(draw: Callable[[], Op], count: int, values: Sequence[Any], shares: tuple[float, float]) -> list[Op]:
    """Questions to be asked in order. Each is the first with the answer yes for such a share of the values, and as many
    values remain in the end.
    """
    low, high = (int(share * len(values)) for share in shares)
    tests: list[Op] = []
    left = list(values)
    for _ in range(10 * count):
        if len(tests) == count:
            break
        test = draw()
        rest = [value for value in left if not test.run(value)]
        if low <= len(left) - len(rest) <= high and test.is_shown_by(left):
            tests.append(test)
            left = rest
    if len(tests) < count or len(left) < low:
        raise Unfit
    return tests


def some_ints(chance: Chance, longest: int = 9) -> list[int]:
    """A typical list: small numbers, some of them negative, some of them equal."""
    return chance.numbers(chance.between(2, longest), -9 if chance.happens(0.4) else 0, chance.pick((6, 12, 30)))


def edge_ints(chance: Chance) -> list[list[int]]:
    """Edge cases: the empty list, short ones, equal elements, a long one."""
    one = chance.between(1, 9)
    return [[], [one], [chance.between(-9, 0)], [one] * 4, chance.numbers(chance.between(12, 16), -20, 40)]


# --- from integer to integer ------------------------------------------------------------------------------------------


def plus(chance: Chance, most: int = 20) -> Op:
    """Plus or minus a number from 1 to ``most``."""
    k = chance.between(1, most)
    if chance.happens(0.5):
        return Op(f"{{x}} plus {k}", f"{{x}} + {k}", lambda x: x + k)
    return Op(f"{{x}} minus {k}", f"{{x}} - {k}", lambda x: x - k)


def _times(chance: Chance) -> Op:
    k = chance.between(2, 9)
    return Op(f"{k} times {{x}}", f"{k} * {{x}}", lambda x: _product(k, x))


def _times_plus(chance: Chance) -> Op:
    k, c = chance.between(2, 5), chance.between(1, 9)
    return Op(
        f"{k} times {{x}}, plus {c}",
        f"({k} * {{x}}) + {c}",
        lambda x: _product(k, x) + c,
        (),
        (lambda x: _product(k, x),),
    )


def _from(chance: Chance) -> Op:
    k = chance.between(0, 30)
    return Op(f"{k} minus {{x}}", f"{k} - {{x}}", lambda x: k - x)


def _square(chance: Chance) -> Op:
    k = chance.between(0, 9)
    if k == 0:
        return Op("the square of {x}", "{x} * {x}", lambda x: _product(x, x))
    return Op(
        f"the square of {{x}}, minus {k}", f"({{x}} * {{x}}) - {k}", lambda x: _product(x, x) - k, (), (_square_of,)
    )


def _square_of(x: int) -> int:
    return _product(x, x)


def _distance(chance: Chance) -> Op:
    k = chance.between(1, 15)
    chance.mark(k, k - 1, k + 1)
    words = f"the distance between {{x}} and {k} (never negative)"
    return Op(words, f"abs ({{x}} - {k})", lambda x: abs(x - k), (), (lambda x: x - k,))


def _bound(chance: Chance) -> Op:
    k = chance.between(-6, 12)
    chance.mark(k - 1, k + 1)
    shown = f"({k})" if k < 0 else str(k)
    if chance.happens(0.5):
        return Op(f"the greater of {{x}} and {k}", f"max {{x}} {shown}", lambda x: max(x, k))
    return Op(f"the smaller of {{x}} and {k}", f"min {{x}} {shown}", lambda x: min(x, k))


def _rest(chance: Chance) -> Op:
    k = chance.between(3, 13)
    words = f"the remainder of {{x}} divided by {k}, from 0 to {k - 1} even where {{x}} is negative"
    chance.mark(k, 0, -1, -k)
    return Op(words, f"modulo {{x}} {k}", lambda x: x % k, (MODULO,), (lambda x: remainder(x, k),))


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
        (lambda x: x - remainder(x, k),),
    )


def _digits(chance: Chance) -> Op:
    k = chance.between(1, 9)
    chance.mark(9, 10, 19, 25, -12, -3, 101)
    times, product = (f"{k} times ", f"{k} * ") if k > 1 else ("", "")
    words = f"{times}the sum of the decimal digits of {{x}} (without its sign)"
    faults = (lambda x: -k * digit_sum(-x) if x < 0 else k * digit_sum(x), lambda x: k * (abs(x) % 10))
    return Op(words, f"{product}digit_sum (abs {{x}})", lambda x: k * digit_sum(abs(x)), (DIGIT_SUM,), faults)


def _by_parity(chance: Chance) -> Op:
    k, c = chance.between(2, 5), chance.between(1, 9)
    chance.mark(-1, -2, 1, 2)
    return Op(
        f"half of {{x}} if {{x}} is even, and {k} times {{x}} plus {c} if it is odd",
        f"if {{x}} mod 2 = 0 then {{x}} / 2 else ({k} * {{x}}) + {c}",
        lambda x: x // 2 if x % 2 == 0 else _product(k, x) + c,
        (),
        (lambda x: quotient(x, 2), lambda x: _product(k, x) + c),
    )


def _by_sign(chance: Chance) -> Op:
    k, c = chance.between(1, 9), chance.between(2, 4)
    chance.mark(-1, 0, 1)
    return Op(
        f"{{x}} plus {k} if {{x}} is negative, and {c} times {{x}} otherwise",
        f"if {{x}} < 0 then {{x}} + {k} else {c} * {{x}}",
        lambda x: x + k if x < 0 else _product(c, x),
        (),
        (lambda x: x + k, lambda x: _product(c, x)),
    )


_MAPS = (
    plus,
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
    k = chance.between(1, 9)
    return Op(
        f"the distance between {{x}} and {{y}} (never negative), plus {k}",
        f"abs ({{x}} - {{y}}) + {k}",
        lambda x, y: abs(x - y) + k,
        (),
        (lambda x, y: x - y + k,),
    )


def _extreme(chance: Chance) -> Op:
    k = chance.between(1, 9)
    if chance.happens(0.5):
        words, code = f"the greater of {{x}} and {{y}}, minus {k}", f"max {{x}} {{y}} - {k}"
        return Op(words, code, lambda x, y: max(x, y) - k)
    words, code = f"the smaller of {{x}} and {{y}}, plus {k}", f"min {{x}} {{y}} + {k}"
    return Op(words, code, lambda x, y: min(x, y) + k)


def _ordered(chance: Chance) -> Op:
    k = chance.between(1, 9)
    return Op(
        f"{{x}} minus {{y}} if {{x}} is greater than {{y}}, and {{y}} plus {k} otherwise",
        f"if {{x}} > {{y}} then {{x}} - {{y}} else {{y}} + {k}",
        lambda x, y: x - y if x > y else y + k,
        (),
        (lambda x, y: x - y, lambda x, y: y + k),
    )


def _product_rest(chance: Chance) -> Op:
    m = chance.between(7, 40)
    return Op(
        f"the remainder of the product of {{x}} and {{y}} divided by {m}, from 0 to {m - 1} even where the product is "
        "negative",
        f"modulo ({{x}} * {{y}}) {m}",
        lambda x, y: _product(x, y) % m,
        (MODULO,),
        (lambda x, y: remainder(_product(x, y), m),),
    )


def _sum_or_difference(chance: Chance) -> Op:
    test = int_test(chance)
    return Op(
        f"the sum of {{x}} and {{y}} if {test.words}, and {{x}} minus {{y}} otherwise",
        f"if {test.ocaml} then {{x}} + {{y}} else {{x}} - {{y}}",
        lambda x, y: x + y if test.run(x) else x - y,
        test.helpers,
        (
            lambda x, y: x + y,
            lambda x, y: x - y,
            *(lambda x, y, fault=fault: x + y if fault(x) else x - y for fault in test.faults),
        ),
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
    k = chance.between(-3, 9)
    chance.mark(k - 1, k, k + 1)
    shown = f"({k})" if k < 0 else str(k)
    return chance.pick(
        (
            Op(f"{{x}} is greater than {k}", f"{{x}} > {shown}", lambda x: x > k),
            Op(f"{{x}} is at least {k}", f"{{x}} >= {shown}", lambda x: x >= k),
            Op(f"{{x}} is less than {k}", f"{{x}} < {shown}", lambda x: x < k),
            Op(f"{{x}} is at most {k}", f"{{x}} <= {shown}", lambda x: x <= k),
        )
    )


def _within(chance: Chance) -> Op:
    low = chance.between(-9, 4)
    high = low + chance.between(5, 14)
    chance.mark(low - 1, low, high, high + 1)

    def run(x: int) -> bool:
        return low <= x <= high

    shown = f"({low})" if low < 0 else str(low)
    tail = f"between {low} and {high} (both included)"
    if chance.happens(0.5):
        return Op(
            f"{{x}} is {tail}",
            f"{shown} <= {{x}} && {{x}} <= {high}",
            run,
            (),
            (lambda x: x <= high, lambda x: low <= x),
        )
    outside = (lambda x: x > high, lambda x: x < low)
    return Op(f"{{x}} is not {tail}", f"{{x}} < {shown} || {{x}} > {high}", lambda x: not run(x), (), outside)


def _leaves(chance: Chance) -> Op:
    k = chance.between(3, 5)
    r = chance.between(1, k - 1)
    chance.mark(r, r + k, r - k, k)
    return Op(
        f"{{x}} is {r} more than a multiple of {k}",
        f"modulo {{x}} {k} = {r}",
        lambda x: x % k == r,
        (MODULO,),
        (lambda x: remainder(x, k) == r,),
    )


def _last_digit(chance: Chance) -> Op:
    d = chance.between(3, 6)
    chance.mark(d, d - 1, 10 + d, 9 + d, -d, -9)
    words = f"the last decimal digit of {{x}} is less than {d}"
    return Op(words, f"abs {{x}} mod 10 < {d}", lambda x: abs(x) % 10 < d, (), (lambda x: remainder(x, 10) < d,))


def _digits_even(chance: Chance) -> Op:
    k = chance.between(4, 5)  # not 3: the sum is divisible by 3 exactly if the number is
    chance.mark(10, k, 9 + k, 19, 28, -11, -9 - k)
    return Op(
        f"the sum of the decimal digits of {{x}} (without its sign) is divisible by {k}",
        f"digit_sum {{x}} mod {k} = 0",
        lambda x: digit_sum(abs(x)) % k == 0,
        (DIGIT_SUM,),
        (lambda x: abs(x) % 10 % k == 0,),
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
        faults = (lambda x: x < 2 or _is_prime(x), lambda x: x == 2 or (x > 2 and x % 2 == 1))
        return Op("{x} is a prime number", "is_prime {x}", _is_prime, (_IS_PRIME,), faults)
    composite = (lambda x: x >= 2 and not _is_prime(x), lambda x: x < 2 or (x > 2 and x % 2 == 0))
    return Op("{x} is not a prime number", "not (is_prime {x})", lambda x: not _is_prime(x), (_IS_PRIME,), composite)


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


# --- meanings ---------------------------------------------------------------------------------------------------------


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
