"""Small tasks on numbers by recursion: counting down or up, repeated steps, digits, and sums on the way."""

from __future__ import annotations

from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, integers, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["FAMILY", "TASKS"]

_COUNT = integers(0, 20, far=40)
_SIZES = (integers(0, 9), integers(0, 99), integers(0, 999), integers(0, 9999), integers(0, 99999))
_WIDE = Input(lambda chance: chance.pick(_SIZES).draw(chance), ("0", "1", "2", "3", "4", "9", "10", "100"))
_LONG = Input(
    lambda chance: str(chance.between(10**5, 10**9)) if chance.happens(0.08) else chance.pick(_SIZES).draw(chance),
    ("0", "1", "9", "10", "11", "99", "100", "101", "909", "1000", "54321", "1000000", "777"),
)

_DIVIDED = (("6", "6"), ("1", "1"), ("7", "6"), ("6", "12"), ("1", "60"), ("2", "49"), ("1", "36"), ("1", "13"))
_POSITIVE = Input(
    lambda chance: str(max(1, int(_LONG.draw(chance)))),
    ("1", "9", "10", "20", "100", "909", "1000", "54321", "2468", "1000000", "777"),
)

_GAPS: dict[str, Gap] = {
    "k": number(2, 9),
    "w": number(2, 4),
    "z": number(3, 9),
    "start": number(1, 9),
    "more": number(10, 60),
    "sum": (
        ("the sum of the numbers from 1 to `n`", "0 else n + $f (n - 1)", "sum_to"),
        ("the sum of the squares of the numbers from 1 to `n`", "0 else (n * n) + $f (n - 1)", "squares_to"),
        (
            "the sum of the first `n` multiples of $k: $k, twice $k, and so on",
            "0 else ($k * n) + $f (n - 1)",
            "multiples",
        ),
        ("the sum of the first `n` odd numbers: 1, 3, 5, and so on", "0 else (2 * n) - 1 + $f (n - 1)", "odd_sum"),
        ("`n - (n - 1) + (n - 2) - ...`, down to 0", "0 else n - $f (n - 1)", "alternating"),
        ("$start plus the sum of the numbers from 1 to `n`", "$start else n + $f (n - 1)", "sum_from"),
        ("$start, raised by $k `n` times", "$start else $k + $f (n - 1)", "raised"),
        ("$start, doubled `n` times", "$start else 2 * $f (n - 1)", "doubled"),
        ("$start, doubled and then raised by 1, all this `n` times", "$start else (2 * $f (n - 1)) + 1", "grown"),
        ("$start, raised by $k and then doubled, all this `n` times", "$start else 2 * ($k + $f (n - 1))", "grown"),
    ),
    "listed": (
        ("the numbers from `n` down to 1", "n :: $f (n - 1)", "countdown"),
        ("the numbers from 1 up to `n`", "$f (n - 1) @ [ n ]", "count_up"),
        ("the squares of the numbers from `n` down to 1", "(n * n) :: $f (n - 1)", "squares"),
        ("the first `n` multiples of $k, the greatest first, down to $k", "($k * n) :: $f (n - 1)", "multiples"),
        ("the numbers from `n` down to 1, each twice in a row", "n :: n :: $f (n - 1)", "pairs"),
        ("the number $k, `n` times", "$k :: $f (n - 1)", "copies"),
        ("the numbers from `n` down to 1 and then up again from 1 to `n`", "(n :: $f (n - 1)) @ [ n ]", "down_and_up"),
        ("the numbers from `n` down to 1, with a 0 after each", "n :: 0 :: $f (n - 1)", "spaced"),
    ),
    "sign": (("*",), ("-",), ("+",), ("=",), ("ab",), ("ha",), ("o",)),
    "drawn": (
        ('`n` times `"$sign"`', '"" else "$sign" ^ $f (n - 1)'),
        ('`n` times `"$sign"`, and then `"$end"`', '"$end" else "$sign" ^ $f (n - 1)'),
        ('`n` times `"("`, and then `n` times `")"`', '"" else "(" ^ $f (n - 1) ^ ")"'),
        ('`n` times `"("`, then `"$sign"`, and then `n` times `")"`', '"$sign" else "(" ^ $f (n - 1) ^ ")"'),
        (
            'the numbers from `n` down to 1, each followed by `"$sign"`',
            '"" else string_of_int n ^ "$sign" ^ $f (n - 1)',
        ),
        ('the numbers from 1 to `n`, each followed by `"$sign"`', '"" else $f (n - 1) ^ string_of_int n ^ "$sign"'),
    ),
    "end": (("!",), ("|",), (".",), (">",)),
    "by_adding": (
        ("the product of `x` and `n`, by adding `x` again and again", "0 else x + $f x (n - 1)", "times"),
        ("`x` to the power `n`, by multiplying by `x` again and again", "1 else x * $f x (n - 1)", "power"),
        ("$start plus `n` times `x`", "$start else x + $f x (n - 1)", "after"),
        ("$start multiplied by `x` `n` times", "$start else x * $f x (n - 1)", "grown"),
        ("$start after `x` has been taken away `n` times", "$start else $f x (n - 1) - x", "left"),
        ("the sum of the `n` numbers `x`, `x + 1`, `x + 2` and so on", "0 else x + $f (x + 1) (n - 1)", "run"),
        (
            "the sum of the `n` numbers `x`, `2 * x`, `4 * x` and so on, each twice the one before",
            "0 else x + $f (2 * x) (n - 1)",
            "doubling",
        ),
    ),
    "between": (
        ("the sum of the numbers from `a` to `b` (0 if `a` is greater)", "0 else a + $f (a + 1) b", "sum_between"),
        (
            "the sum of the squares of the numbers from `a` to `b` (0 if `a` is greater)",
            "0 else (a * a) + $f (a + 1) b",
            "squares_between",
        ),
        (
            "the product of the numbers from `a` to `b` (1 if `a` is greater)",
            "1 else a * $f (a + 1) b",
            "product_between",
        ),
        (
            "the sum of `a`, `a + $w`, `a + 2 * $w` and so on, up to `b`",
            "0 else a + $f (a + $w) b",
            "sum_by_steps",
        ),
        (
            "how many of the numbers `a`, `a + $w`, `a + 2 * $w` and so on are at most `b`",
            "0 else 1 + $f (a + $w) b",
            "steps",
        ),
        ("how often `a` has to be doubled until it is greater than `b`", "0 else 1 + $f (2 * a) b", "doublings"),
        (
            "the first of the numbers `a`, `2 * a`, `4 * a` and so on that is greater than `b`",
            "a else $f (2 * a) b",
            "doubled_beyond",
        ),
    ),
    "ranged": (
        ("the numbers from `a` to `b`", "a :: $f (a + 1) b", "range"),
        ("every second number from `a` on, up to `b`", "a :: $f (a + 2) b", "every_second"),
        ("`a`, `a + $k` and so on, as long as they are at most `b`", "a :: $f (a + $k) b", "by_steps"),
        ("the numbers from `b` down to `a`", "$f (a + 1) b @ [ a ]", "backwards"),
        ("the squares of the numbers from `a` to `b`", "(a * a) :: $f (a + 1) b", "squares"),
        ("the numbers from `a` to `b`, each twice in a row", "a :: a :: $f (a + 1) b", "doubles"),
    ),
    "digits": (
        ("how many digits `n` has", "1 else 1 + $f (n / 10)", "digits"),
        ("the sum of the digits of `n`", "n else (n mod 10) + $f (n / 10)", "digit_sum"),
        ("the greatest digit of `n`", "n else max (n mod 10) ($f (n / 10))", "greatest_digit"),
        ("the smallest digit of `n`", "n else min (n mod 10) ($f (n / 10))", "smallest_digit"),
        ("the first digit of `n`", "n else $f (n / 10)", "first_digit"),
        ("the product of the digits of `n`", "n else n mod 10 * $f (n / 10)", "digit_product"),
        (
            "the sum of the squares of the digits of `n`",
            "n * n else (n mod 10 * (n mod 10)) + $f (n / 10)",
            "digit_squares",
        ),
    ),
    "euclid": (
        ("the greatest number that divides both `a` and `b`", "b = 0 then a else $f b (a mod b)", "common_divisor"),
        (
            "how often `b` can be taken from `a` until less than `b` is left",
            "a < b then 0 else 1 + $f (a - b) b",
            "times_in",
        ),
        (
            "what is left of `a` when `b` is taken away as often as possible",
            "a < b then a else $f (a - b) b",
            "left_over",
        ),
        (
            "how often `a` has to be halved, rounding down, until it is less than `b`",
            "a < b then 0 else 1 + $f (a / 2) b",
            "halvings",
        ),
        (
            "the first of `a`, `a / 2`, `a / 4` and so on, rounded down, that is less than `b`",
            "a < b then a else $f (a / 2) b",
            "halved_below",
        ),
        (
            "the sum of `a`, `a - b`, `a - b - b` and so on, while positive",
            "a <= 0 then 0 else a + $f (a - b) b",
            "falling_sum",
        ),
    ),
    "growth": (
        ("doubles", "2 * s"),
        ("grows by $k", "s + $k"),
        ("trebles", "3 * s"),
        ("grows by half of itself, rounded down,", "s + (s / 2)"),
        ("doubles and then loses 1", "(2 * s) - 1"),
    ),
    "smaller": (
        ("halved, rounding down, until it is 0", "n = 0 then 0 else 1 + $f (n / 2)", "halvings"),
        ("divided by $w, rounding down, until it is 0", "n = 0 then 0 else 1 + $f (n / $w)", "divisions"),
        ("lowered by $k, until it is at most 0", "n <= 0 then 0 else 1 + $f (n - $k)", "steps"),
        ("halved, rounding down, until it is less than $more", "n < $more then 0 else 1 + $f (n / 2)", "halvings"),
        (
            "lowered by a third of itself, rounded down, until it is less than $more",
            "n < $more then 0 else 1 + $f (n - (n / 3))",
            "cuts",
        ),
    ),
    "written": (
        ("the digits of `n` in their order", "10 then [ n ] else $f (n / 10) @ [ n mod 10 ]"),
        ("the digits of `n` from the last to the first", "10 then [ n ] else (n mod 10) :: $f (n / 10)"),
        (
            "`n`, then `n` without its last digit, and so on, until there is one digit",
            "10 then [ n ] else n :: $f (n / 10)",
        ),
        (
            "`n`, half of `n`, half of that and so on, rounded down, until it is 1 or 0",
            "2 then [ n ] else n :: $f (n / 2)",
        ),
        ("the digits of `n` written in base $w, the first one first", "$w then [ n ] else $f (n / $w) @ [ n mod $w ]"),
        ("the digits of `n` written in base $w, the last one first", "$w then [ n ] else (n mod $w) :: $f (n / $w)"),
    ),
    "test": (
        ("even", "n mod 2 = 0", "even"),
        ("odd", "n mod 2 <> 0", "odd"),
        ("divisible by $z", "n mod $z = 0", "divisible"),
        ("not divisible by $z", "n mod $z <> 0", "other"),
        ("divisible by 2 or by $odd (or both)", "n mod 2 = 0 || n mod $odd = 0", "divisible"),
    ),
    "odd": (("3",), ("5",), ("7",)),
    "taken": (
        ("the sum of the numbers from 1 to `n` that are $test", "n + $f (n - 1)"),
        ("how many of the numbers from 1 to `n` are $test", "1 + $f (n - 1)"),
        ("the sum of the squares of the numbers from 1 to `n` that are $test", "(n * n) + $f (n - 1)"),
    ),
    "digit": (
        ("equal to $z", "n mod 10 = $z"),
        ("even", "n mod 2 = 0"),
        ("odd", "n mod 2 = 1"),
        ("greater than $z", "n mod 10 > $z"),
    ),
    "of_digits": (
        ("how many digits of `n` are $digit", "(if $digit then 1 else 0)"),
        ("the sum of the digits of `n` that are $digit", "(if $digit then n mod 10 else 0)"),
    ),
    "divisors": (
        ("the number of divisors of `n`", "1 + $f (d + 1) n", "count"),
        ("the sum of all divisors of `n`", "d + $f (d + 1) n", "sum"),
    ),
    "next": (
        ("the sum of the two before it", "a + b"),
        ("the sum of the two before it, and 1 more", "a + b + 1"),
        ("the number before it plus twice the one before that", "b + (2 * a)"),
        ("twice the number before it plus the one before that", "(2 * b) + a"),
        ("twice the number before it minus the one before that", "(2 * b) - a"),
        ("the greater of the two before it plus $k", "max a b + $k"),
    ),
    "rule": (
        ("an even number is halved, from an odd one 1 is taken", "n mod 2 = 0 then $told $f (n / 2)"),
        ("a number divisible by 3 is divided by 3, from any other 1 is taken", "n mod 3 = 0 then $told $f (n / 3)"),
        ("a number above $more is halved, rounding down, from any other 1 is taken", "n > $more then $told $f (n / 2)"),
        ("from a number of at least $z this $z is taken, from any other 1", "n >= $z then $told $f (n - $z)"),
    ),
    "told": (
        ("how many steps it takes to come to 0", "1 +"),
        ("the sum of all numbers on the way, `n` included", "n +"),
    ),
    "crowd": (
        (
            "if it is less than $more, it grows by $k; otherwise it is halved, rounding down",
            "s < $more then $f (s + $k) (n - 1)\n  else $f (s / 2) (n - 1)",
        ),
        (
            "if it is less than $more, it doubles; otherwise it shrinks by $k",
            "s < $more then $f (2 * s) (n - 1)\n  else $f (s - $k) (n - 1)",
        ),
        (
            "if it is even, it is halved; otherwise it grows by $odd",
            "s mod 2 = 0 then $f (s / 2) (n - 1)\n  else $f (s + $odd) (n - 1)",
        ),
        (
            "if it is even, it is halved; otherwise it is trebled and raised by 1",
            "s mod 2 = 0 then $f (s / 2) (n - 1)\n  else $f ((3 * s) + 1) (n - 1)",
        ),
        (
            "if it is above $more, it loses $more; otherwise it is trebled",
            "s > $more then $f (s - $more) (n - 1)\n  else $f (3 * s) (n - 1)",
        ),
    ),
    "how": (
        ("", "d :: $f (d + 1) n"),
        (", the greatest first", "$f (d + 1) n @ [ d ]"),
        (", each followed by the number that gives `n` when multiplied by it", "d :: (n / d) :: $f (d + 1) n"),
    ),
    "parts": (
        ('`n` times `x`, with `"$sign"` between each two', 'n = 1 then x\n  else x ^ "$sign" ^ $f x (n - 1)'),
        (
            '`n` parts, in turn `"$sign"` and `x`, the last one `"$sign"`',
            'n mod 2 = 1 then "$sign" ^ $f x (n - 1)\n  else x ^ $f x (n - 1)',
        ),
        (
            '`n` parts, in turn `x` and `"$sign"`, the last one `x`',
            'n mod 2 = 0 then "$sign" ^ $f x (n - 1)\n  else x ^ $f x (n - 1)',
        ),
    ),
    "base": (
        (
            "in base $w",
            "if n < $w then string_of_int n\n  else $f (n / $w) ^ string_of_int (n mod $w)",
        ),
        (
            'with `"$sign"` between each two digits',
            'if n < 10 then string_of_int n\n  else $f (n / 10) ^ "$sign" ^ string_of_int (n mod 10)',
        ),
        (
            "with its digits in reverse order",
            "if n < 10 then string_of_int n\n  else string_of_int (n mod 10) ^ $f (n / 10)",
        ),
        (
            "with every digit twice in a row",
            "let last = string_of_int (n mod 10) in\n  if n < 10 then last ^ last\n  else $f (n / 10) ^ last ^ last",
        ),
        (
            'with `"$sign"` in place of every 0',
            'let last = if n mod 10 = 0 then "$sign" else string_of_int (n mod 10) in\n  if n < 10 then last\n  else $f (n / 10) ^ last',
        ),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`$f n` is $sum. The number `n` is not negative.",
            "Write a recursive function `$f n` that returns $sum, for `n` at least 0.",
        ),
        names=("$sum", "${sum}_rec", "total"),
        signature="int -> int",
        code="let rec $f n = if n = 0 then $sum",
        gaps=_GAPS,
        inputs=(_COUNT,),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is a list: $listed. For `n` = 0 it is empty; `n` is never negative.",
            "List $listed. Write `$f n` by recursion, for `n` at least 0; `$f 0` is `[]`.",
        ),
        names=("$listed", "make_$listed", "numbers"),
        signature="int -> int list",
        code="let rec $f n = if n = 0 then [] else $listed",
        gaps=_GAPS,
        inputs=(_COUNT,),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is a string: $drawn. The number `n` is at least 0.",
            "Write a recursive function `$f n` for numbers that are not negative. It returns a string: $drawn.",
        ),
        names=("draw", "line", "pattern"),
        signature="int -> string",
        code="let rec $f n = if n = 0 then $drawn",
        gaps=_GAPS,
        inputs=(integers(0, 16, far=40),),
    ),
    Task(
        level=1,
        says=(
            "`$f x n` is $by_adding. It works by recursion on `n`, which is not negative.",
            "Write `$f x n`, where `n` is at least 0: it returns $by_adding.",
        ),
        names=("$by_adding", "${by_adding}_rec", "again"),
        signature="int -> int -> int",
        code="let rec $f x n = if n = 0 then $by_adding",
        gaps=_GAPS,
        inputs=(integers(-3, 9), integers(0, 7, far=12)),
    ),
    Task(
        level=1,
        says=(
            "For positive numbers `a` and `b`, `$f a b` is $between.",
            "Write a recursive function `$f a b` of two positive numbers that returns $between.",
            "Both `a` and `b` are positive. By recursion, `$f a b` is $between.",
        ),
        names=("$between", "from_a_to_b", "upwards"),
        signature="int -> int -> int",
        code="let rec $f a b = if a > b then $between",
        gaps=_GAPS,
        inputs=(integers(1, 9), integers(1, 12)),
        edges=(("5", "5"), ("9", "8"), ("12", "3"), ("1", "12"), ("7", "14"), ("3", "15"), ("1", "2"), ("2", "16")),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` lists $ranged. If `a` is greater than `b`, it is empty.",
            "Write `$f a b` to list $ranged; the list is empty if `a` is greater than `b`.",
        ),
        names=("$ranged", "${ranged}_list", "from_to"),
        signature="int -> int -> int list",
        code="let rec $f a b = if a > b then [] else $ranged",
        gaps=_GAPS,
        inputs=(integers(-4, 9), integers(-2, 14)),
        edges=(("5", "5"), ("6", "5"), ("-3", "3"), ("0", "0"), ("4", "25"), ("5", "6"), ("-5", "-2"), ("9", "1")),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is $digits. The number `n` is not negative.",
            "Write a recursive function `$f n` that tells $digits; `n` is at least 0.",
            "Take off one digit after the other, by `mod` and `/`: `$f n` is $digits, for `n` at least 0.",
        ),
        names=("$digits", "${digits}_of", "by_digits"),
        signature="int -> int",
        code="let rec $f n = if n < 10 then $digits",
        gaps=_GAPS,
        inputs=(_LONG,),
    ),
    Task(
        level=1,
        says=(
            "For positive numbers `a` and `b`, `$f a b` is $euclid.",
            "Both `a` and `b` are positive. Write a recursive function `$f a b` that returns $euclid.",
        ),
        names=("$euclid", "${euclid}_of", "reduce"),
        signature="int -> int -> int",
        code="let rec $f a b = if $euclid",
        gaps=_GAPS,
        inputs=(integers(1, 60), integers(1, 12, far=48)),
        edges=(
            *(("7", "7"), ("3", "12"), ("12", "8"), ("8", "12"), ("1", "5"), ("60", "1"), ("17", "5"), ("48", "36")),
            *(("1", "1"), ("12", "4"), ("13", "4"), ("11", "4"), ("35", "21")),
        ),
    ),
    Task(
        level=1,
        says=(
            "A sum `s` of at least 2 euros $growth every year. `$f goal s` is the number of years until it is at least `goal`.",
            "How many years does it take until `s` is at least `goal`, if each year it $growth? Write `$f goal s` for `s` "
            "of 2 or more.",
        ),
        names=("years", "years_until", "waiting"),
        signature="int -> int -> int",
        code="let rec $f goal s = if s >= goal then 0 else 1 + $f goal ($growth)",
        gaps=_GAPS,
        inputs=(integers(1, 300, far=5_000), integers(2, 20)),
        edges=(("2", "2"), ("20", "20"), ("1", "20"), ("21", "20"), ("4", "2"), ("5", "2"), ("8", "2"), ("100", "10")),
    ),
    Task(
        level=1,
        says=(
            "The number `n` is not negative. `$f n` is how often it has to be $smaller.",
            "A number `n`, at least 0, is $smaller. How many times is that done? Write `$f n`.",
        ),
        names=("$smaller", "count_$smaller", "times"),
        signature="int -> int",
        code="let rec $f n = if $smaller",
        gaps=_GAPS,
        inputs=(_WIDE,),
    ),
    Task(
        level=1,
        says=(
            "`$f n` lists $written. The number `n` is not negative.",
            "Write a recursive function `$f n` for `n` at least 0. It returns a list: $written.",
        ),
        names=("digits", "taken_apart", "written"),
        signature="int -> int list",
        code="let rec $f n = if n < $written",
        gaps=_GAPS,
        inputs=(_LONG,),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is $taken. The number `n` is not negative, and for 0 the result is 0.",
            "Write a recursive function `$f n`, for `n` at least 0, that returns $taken.",
        ),
        names=("${test}_up_to", "count_$test", "total"),
        signature="int -> int",
        code="let rec $f n =\n  if n = 0 then 0\n  else if $test then $taken\n  else $f (n - 1)",
        gaps=_GAPS,
        inputs=(integers(0, 50),),
    ),
    Task(
        level=2,
        says=(
            "`$f n` lists the numbers from `n` down to 1 that are $test, for `n` at least 0.",
            "Count down from `n` to 1, but list only what is $test. `$f n` is that list, `[]` for 0; `n` is not negative.",
        ),
        names=("${test}_down", "countdown", "down_to_one"),
        signature="int -> int list",
        code="let rec $f n =\n  if n = 0 then []\n  else if $test then n :: $f (n - 1)\n  else $f (n - 1)",
        gaps=_GAPS,
        inputs=(integers(0, 60),),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is $of_digits, for a positive number `n`.",
            "Write `$f n` to tell $of_digits. The number `n` is positive.",
        ),
        names=("count_digits", "some_digits", "digit_check"),
        signature="int -> int",
        code="let rec $f n =\n  if n = 0 then 0\n  else $of_digits + $f (n / 10)",
        gaps=_GAPS,
        inputs=(_POSITIVE,),
    ),
    Task(
        level=2,
        says=(
            "Look for numbers that divide the positive number `n` without remainder. `$f d n` is $divisors that are at least "
            "`d`, where `d` is positive.",
            "`$f d n` is $divisors from `d` on, up to `n` itself. Both numbers are positive; if `d` is greater than `n`, the "
            "result is 0.",
        ),
        names=("divisors_from", "${divisors}_divisors", "from_divisor"),
        signature="int -> int -> int",
        code="let rec $f d n =\n  if d > n then 0\n  else if n mod d = 0 then $divisors\n  else $f (d + 1) n",
        gaps=_GAPS,
        inputs=(integers(1, 8), integers(1, 60)),
        edges=_DIVIDED,
    ),
    Task(
        level=2,
        says=(
            "`$f d n` lists the numbers from `d` to `n` that divide `n` without remainder$how. Both are positive, and the "
            "list is empty if `d` is greater than `n`.",
            "Which numbers from `d` on divide `n`? `$f d n` lists them$how, up to `n` itself. Both `d` and `n` are positive; "
            "where `d` is greater, the result is `[]`.",
        ),
        names=("divisors", "divisors_from", "dividing"),
        signature="int -> int -> int list",
        code="let rec $f d n =\n  if d > n then []\n  else if n mod d = 0 then $how\n  else $f (d + 1) n",
        gaps=_GAPS,
        inputs=(integers(1, 6), integers(1, 60)),
        edges=_DIVIDED,
    ),
    Task(
        level=2,
        says=(
            "A sequence begins with `a` and `b`; every further number is $next. `$f a b n` is the number at place `n`, where "
            "`a` has place 0 and `n` is not negative.",
            "Of a sequence the first two numbers are `a` and `b`, and each later one is $next. Write `$f a b n`: the number "
            "after `n` steps from `a`, for `n` at least 0.",
        ),
        names=("sequence", "member", "nth"),
        signature="int -> int -> int -> int",
        code="let rec $f a b n =\n  if n = 0 then a\n  else $f b ($next) (n - 1)",
        gaps=_GAPS,
        inputs=(integers(-3, 5), integers(-3, 5), integers(0, 9, far=15)),
    ),
    Task(
        level=2,
        says=(
            "Take steps down from `n`, at least 0, until 0 is reached: $rule. `$f n` is $told.",
            "`$f n` is $told, if `n` (which is not negative) is changed step by step until it is 0: $rule.",
        ),
        names=("way_down", "steps", "to_zero"),
        signature="int -> int",
        code="let rec $f n =\n  if n = 0 then 0\n  else if $rule\n  else $told $f (n - 1)",
        gaps=_GAPS,
        inputs=(integers(0, 150),),
    ),
    Task(
        level=2,
        says=(
            "A number `s` changes every day: $crowd. `$f s n` is the number after `n` days; `s` and `n` are not negative.",
            "Start with `s`, and change it `n` times: $crowd. Write `$f s n`, which returns the last number, for `s` and `n` "
            "at least 0.",
        ),
        names=("after_days", "develop", "after"),
        signature="int -> int -> int",
        code="let rec $f s n =\n  if n = 0 then s\n  else if $crowd",
        gaps=_GAPS,
        inputs=(integers(0, 80), integers(0, 7, far=15)),
    ),
    Task(
        level=2,
        says=(
            "`$f x n` is a string: $parts. For 0 it is empty; `n` is not negative.",
            "Write `$f x n`, for `n` at least 0, to make a string: $parts. `$f x 0` is the empty string.",
        ),
        names=("repeat", "parts", "in_turn"),
        signature="string -> int -> string",
        code='let rec $f x n =\n  if n = 0 then ""\n  else if $parts',
        gaps=_GAPS,
        inputs=(words(), integers(0, 6, far=14)),
    ),
    Task(
        level=2,
        says=(
            "`$f n` writes the number `n`, which is not negative, $base.",
            "Make a string of a number `n` that is at least 0: `$f n` is `n` $base.",
        ),
        names=("to_string", "write", "spell"),
        signature="int -> string",
        code="let rec $f n =\n  $base",
        gaps=_GAPS,
        inputs=(_LONG,),
    ),
)

FAMILY = Family(
    name="recursion.counting",
    topics=("recursion", "arithmetic"),
    description="small recursive functions on numbers",
    tasks=TASKS,
)
