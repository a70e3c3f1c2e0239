"""Small tasks on the digits of a number: taking one, counting, adding or changing them, writing and reading a number."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, texts
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]


def _number(most: int, least: int = 0) -> Input:
    """Numbers with one digit to ``most``, often with zeros, equal digits, or a digit of the problem."""

    def draw(chance: Chance) -> str:
        if chance.happens(0.15):
            return str(max(least, chance.number(0, 99)))
        size = chance.between(1, most)
        among = chance.pick(("0123456789", "0123456789", "09", "13579", "2468", f"{chance.below(10)}0", "56789"))
        return str(max(least, int("".join(chance.pick(among) for _ in range(size)))))

    edges = ("0", "5", "9", "10", "99", "100", "707", "1000", "2468", "90210")
    return Input(draw, edges[1:] if least else edges)


_LARGE = _number(7)
_SHORT = _number(4)
_DIGIT = integers(0, 9)
_FROM_1 = integers(1, 9)

_GAPS: dict[str, Gap] = {
    "k": number(10, 99),
    "size": number(3, 30),
    "d": number(1, 9),
    "e": number(2, 8),
    "b": number(2, 9),
    "part": (
        ("the last digit of `n`", "n mod 10", "last_digit"),
        ("the tens digit of `n` (0 if it has only one digit)", "n / 10 mod 10", "tens"),
        ("the hundreds digit of `n` (0 if it has fewer digits)", "n / 100 mod 10", "hundreds"),
        ("the last digit of `n` in base $b", "n mod $b", "last_digit"),
        ("`n` without its last digit (0 if it has only one)", "n / 10", "cut"),
        ("`n` with the digit $d written after it", "(10 * n) + $d", "append"),
        ("`n` with the digits of $k written after it", "(100 * n) + $k", "extend"),
        ("`n` with its last two digits replaced by $k ($k if it has fewer)", "(n / 100 * 100) + $k", "ending"),
        ("`n` with its last digit replaced by 0", "n - (n mod 10)", "rounded"),
        ("`n` with its last digit replaced by $d", "(n / 10 * 10) + $d", "changed"),
        ("the multiple of 10 that is nearest to `n` (the larger one if there are two)", "(n + 5) / 10 * 10", "rounded"),
        ("the sum of the last two digits of `n`", "(n mod 10) + (n / 10 mod 10)", "last_two"),
        ("the number of digits of `n`", "String.length (string_of_int n)", "digits"),
        ("the number that you get by writing `n` twice", "int_of_string (string_of_int n ^ string_of_int n)", "twice"),
    ),
    "claim": (
        ("the last digit of `n` is $d", "n mod 10 = $d"),
        ("the last two digits of `n` are equal", "n mod 10 = n / 10 mod 10"),
        ("the first and the last digit of `n` are equal", "n / 100 = n mod 10"),
        ("the last digit of `n` is $low or $high", "n mod 10 = $low || n mod 10 = $high"),
        ("the last digit of `n` is at least $e", "n mod 10 >= $e"),
        ("`n` contains the digit $d", "String.contains (string_of_int n) '$d'"),
        ("the last digit of `n` is greater than the one before it", "n mod 10 > n / 10 mod 10"),
    ),
    "two": (
        ("the number with the same two digits in reverse", "(n mod 10 * 10) + (n / 10)", "swap"),
        ("the sum of its digits", "(n / 10) + (n mod 10)", "digit_sum"),
        ("the product of its digits", "n / 10 * (n mod 10)", "digit_product"),
        ("its larger digit", "max (n / 10) (n mod 10)", "larger_digit"),
        ("the difference of its digits (never negative)", "abs ((n / 10) - (n mod 10))", "digit_gap"),
        ("the number with the digits of $k in front of it", "${k}00 + n", "prefix"),
        ("the number with a $d between its digits", "(n / 10 * 100) + ${d}0 + (n mod 10)", "insert"),
    ),
    "built": (
        ("the two-digit number with the digits `a` and `b`, in this order", "(10 * a) + b"),
        ("the two-digit number with the digits `b` and `a`, in this order", "(10 * b) + a"),
        ("the three-digit number with the digits `a`, `b` and `a` again", "(101 * a) + (10 * b)"),
        ("the three-digit number with the digits `a`, `b` and $d", "(100 * a) + (10 * b) + $d"),
        ("the three-digit number with the digits `a`, $d and `b`", "(100 * a) + ${d}0 + b"),
        ("the four-digit number with the digits `a` and `b` and those of $k", "(1000 * a) + (100 * b) + $k"),
        ("the number that is written with the digits `a` and `b`, in this order, in base 1$b", "(1$b * a) + b"),
    ),
    "listed": (
        ("the number that has these digits, the first one in front", "List.fold_left (fun n d -> (10 * n) + d) 0 l"),
        ("the number that has these digits, the first one at the end", "List.fold_right (fun d n -> (10 * n) + d) l 0"),
        ("their sum", "List.fold_left ( + ) 0 l"),
        ("the largest of them", "List.fold_left max 0 l"),
        ("how many of them are not 0", "List.length (List.filter (fun d -> d <> 0) l)"),
    ),
    "shown": (
        ("`a` in front of `b`", "string_of_int a ^ string_of_int b"),
        ("`b` in front of `a`", "string_of_int b ^ string_of_int a"),
        ("`a` in front of `b`, with $k between them", 'string_of_int a ^ "$k" ^ string_of_int b'),
    ),
    "unit": (
        ("cents: how many euros and how many cents are they?", "100", "euros"),
        ("minutes: how many hours and minutes are they?", "60", "hours"),
        ("days: how many weeks and days are they?", "7", "weeks"),
        ("centimetres: how many metres and centimetres are they?", "100", "metres"),
        ("eggs: how many boxes of $size do they fill, and how many are left?", "$size", "boxes"),
        ("chairs: how many rows of $size are they, and how many are left?", "$size", "rows"),
        ("players: how many teams of $size are they, and how many are left?", "$size", "teams"),
        ("hours: how many days and hours are they?", "24", "days"),
    ),
    "base": (("", "10"), (", written in base $b,", "$b")),
    "agg": (
        ("the number of digits", "1"),
        ("the sum of the digits", "d"),
        ("the sum of the squares of the digits", "(d * d)"),
    ),
    "test": (
        ("even", "d mod 2 = 0"),
        ("odd", "d mod 2 <> 0"),
        ("greater than $low", "d > $low"),
        ("different from $low", "d <> $low"),
        ("divisible by 3", "d mod 3 = 0"),
    ),
    "low": number(1, 4),
    "mid": number(3, 6),
    "high": number(5, 9),
    "ended": (
        ("the largest digit of `n`", "max (n mod $base) ($f (n / $base))"),
        ("the smallest digit of `n`", "min (n mod $base) ($f (n / $base))"),
        ("the product of the digits of `n`", "n mod $base * $f (n / $base)"),
        ("the first digit of `n`", "$f (n / $base)"),
        ("the sum of the digits of `n`", "(n mod $base) + $f (n / $base)"),
    ),
    "order": (
        ("first", "$f (n / $base) @ [ n mod $base ]", "digits"),
        ("last", "(n mod $base) :: $f (n / $base)", "reversed_digits"),
    ),
    "every": (
        ("every digit `d` replaced by 9 minus `d`", "(10 * $f (n / 10)) + (9 - (n mod 10))"),
        ("every digit raised by 1, where 9 becomes 0", "(10 * $f (n / 10)) + ((n + 1) mod 10)"),
        ("every digit written twice", "(100 * $f (n / 10)) + (11 * (n mod 10))"),
        ("a $d written in front of every digit", "(100 * $f (n / 10)) + ${d}0 + (n mod 10)"),
        ("a $d written after every digit", "(100 * $f (n / 10)) + (10 * (n mod 10)) + $d"),
        ("every digit greater than $mid replaced by $mid", "(10 * $f (n / 10)) + min $mid (n mod 10)"),
        ("every digit less than $mid replaced by $mid", "(10 * $f (n / 10)) + max $mid (n mod 10)"),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`$f n` is $part; `n` is not negative.",
            "Write `$f n` for numbers `n` from 0 on. It returns $part.",
            "What is $part? Let `$f n` tell; `n` is at least 0.",
        ),
        names=("$part", "get_$part"),
        signature="int -> int",
        code="let $f n = $part",
        gaps=_GAPS,
        inputs=(_LARGE,),
    ),
    Task(
        level=1,
        says=(
            "`n` has three digits. `$f n` tells if $claim.",
            "Write a function `$f n` that tells, of a number `n` from 100 to 999, if $claim.",
            "For a three-digit number `n`, `$f n` is true if $claim, and false otherwise.",
        ),
        names=("check", "is_special", "test_digits"),
        signature="int -> bool",
        code="let $f n = $claim",
        gaps=_GAPS,
        inputs=(integers(100, 999),),
        edges=tuple((n,) for n in ("110", "101", "111", "121", "989", "500", "505", "550")),
    ),
    Task(
        level=1,
        says=(
            "For a number `n` with two digits (10 to 99), `$f n` is $two.",
            "The number `n` has two digits. Write `$f n`, which is $two.",
        ),
        names=("$two", "get_$two"),
        signature="int -> int",
        code="let $f n = $two",
        gaps=_GAPS,
        inputs=(integers(10, 99),),
    ),
    Task(
        level=1,
        says=(
            "From two digits `a` and `b`, each from 1 to 9, `$f a b` makes $built.",
            "`a` and `b` are digits, not 0. Write `$f a b`: it is $built.",
        ),
        names=("build", "make_number", "from_digits"),
        signature="int -> int -> int",
        code="let $f a b = $built",
        gaps=_GAPS,
        inputs=(_FROM_1, _FROM_1),
    ),
    Task(
        level=1,
        says=(
            "`l` is a list of digits, numbers from 0 to 9. `$f l` is $listed; for the empty list it is 0.",
            "Write `$f l`: from a list of digits (0 to 9) it computes $listed. The empty list gives 0.",
        ),
        names=("of_digits", "digits", "read_list"),
        signature="int list -> int",
        code="let $f l = $listed",
        gaps=_GAPS,
        inputs=(lists(_DIGIT, 0, 5, far=12),),
        edges=(("[0; 0]",), ("[0; 4]",), ("[4; 0]",), ("[1; 2; 3]",)),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` is the number that you get by writing $shown. Neither `a` nor `b` is negative.",
            "Write $shown: which number is that? `$f a b` tells, for `a` and `b` from 0 on.",
        ),
        names=("join", "glue", "concat_numbers"),
        signature="int -> int -> int",
        code="let $f a b = int_of_string ($shown)",
        gaps=_GAPS,
        inputs=(_SHORT, _SHORT),
        edges=(("0", "7"), ("7", "0"), ("100", "5"), ("5", "100"), ("0", "0")),
    ),
    Task(
        level=1,
        says=(
            "Somebody has `n` $unit `$f n` is the pair of these numbers; `n` is not negative.",
            "There are `n` $unit Write `$f n`, which answers with a pair, for `n` from 0 on.",
        ),
        names=("in_$unit", "to_$unit", "split_$unit"),
        signature="int -> int * int",
        code="let $f n = (n / $unit, n mod $unit)",
        gaps=_GAPS,
        inputs=(integers(0, 999, far=99_999),),
        edges=tuple((n,) for n in ("7", "24", "59", "60", "61", "100", "120", "700", "1440", "6")),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is $agg of `n`$base that are $test. `n` is not negative, and 0 has no digits.",
            "Of the digits of `n`$base take those that are $test: `$f n` is $agg of this kind. `n` is at least 0; the number 0 "
            "is taken to have no digits.",
        ),
        names=("count_up", "sum_up", "some_digits"),
        signature="int -> int",
        code="let rec $f n =\n  if n = 0 then 0\n  else\n    let d = n mod $base in\n"
        "    $f (n / $base) + if $test then $agg else 0",
        gaps=_GAPS | {"base": (("", "10"), (" in base $b", "$b")), "b": number(6, 12)},
        inputs=(_LARGE,),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is $ended$base where `n` is not negative. A number with one digit gives that digit.",
            "Write a function `$f n` for numbers from 0 on: the result is $ended$base and `n` itself if it has only one "
            "digit.",
        ),
        names=("digit", "from_digits", "reduce"),
        signature="int -> int",
        code="let rec $f n =\n  if n < $base then n\n  else $ended",
        gaps=_GAPS | {"base": ((",", "10"), (" in base $b,", "$b")), "b": number(4, 16)},
        inputs=(_LARGE,),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is the list of the digits of `n`$base the $order digit being the head. `n` is at least 0; the list "
            "for 0 is `[0]`.",
            "Write `$f n`, which gives all digits of a number `n` from 0 on$base as a list that starts with the $order "
            "digit. A number with one digit gives a list of one.",
        ),
        names=("$order", "list_of_$order"),
        signature="int -> int list",
        code="let rec $f n =\n  if n < $base then [ n ]\n  else $order",
        gaps=_GAPS | {"base": ((",", "10"), (" in base $b,", "$b")), "b": number(4, 16)},
        inputs=(_LARGE,),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is `n` with $every. `n` is not negative, and 0 stays 0.",
            "Write a function that changes a number, 0 or more, digit by digit: `$f n` is `n` with $every. For 0 it is 0.",
        ),
        names=("change_digits", "encode", "rewrite"),
        signature="int -> int",
        code="let rec $f n =\n  if n = 0 then 0\n  else $every",
        gaps=_GAPS,
        inputs=(_LARGE,),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is the number `n`, not negative, without its digits that are $test. If no digit is left, it is 0.",
            "Remove all digits of `n` that are $test; the others stay in their order. `$f n` is what is left of `n`, or 0 "
            "if nothing is. `n` is at least 0.",
        ),
        names=("remove_digits", "strip", "shorten"),
        signature="int -> int",
        code="let rec $f n =\n  if n = 0 then 0\n  else\n    let d = n mod 10 in\n"
        "    if $test then $f (n / 10) else (10 * $f (n / 10)) + d",
        gaps=_GAPS
        | {
            "test": (
                ("even", "d mod 2 = 0"),
                ("odd", "d mod 2 = 1"),
                ("greater than $d", "d > $d"),
                ("less than $d", "d < $d"),
            ),
            "d": number(4, 6),
        },
        inputs=(_LARGE,),
    ),
    Task(
        level=2,
        says=(
            "`$f n` tells if $which; `n` is not negative.",
            "Is it true that $which? Write `$f n` to answer that, for `n` from 0 on.",
        ),
        names=("check_digits", "digits_ok", "holds"),
        signature="int -> bool",
        code="let rec $f n =\n  let d = n mod 10 in\n  $which",
        gaps=_GAPS
        | {
            "which": (
                ("every digit of `n` is $all", "($all) && (n < 10 || $f (n / 10))"),
                ("at least one digit of `n` is $any", "$any || (n >= 10 && $f (n / 10))"),
            ),
            "all": (
                ("different from $d", "d <> $d"),
                ("at least $e", "d >= $e"),
                ("odd", "d mod 2 = 1"),
            ),
            "any": (("equal to $d", "d = $d"), ("greater than $e", "d > $e"), ("even", "d mod 2 = 0")),
            "e": number(2, 4),
        },
        inputs=(_number(5),),
    ),
    Task(
        level=2,
        says=(
            "The digits of a positive number `n` are reversed, so that 120 becomes 21. `$f n` is $then.",
            "Write `$f n` for positive numbers `n`. It returns $then, where reversing the digits of 120 gives 21.",
        ),
        names=("mirror", "reverse_digits", "turn"),
        signature="int -> int",
        code="let $f n =\n  let rec reversed m made = if m = 0 then made else reversed (m / 10) ((10 * made) + (m mod 10)) in\n  $then",
        gaps={
            "then": (
                ("the reversed number", "reversed n 0"),
                ("the sum of `n` and the reversed number", "n + reversed n 0"),
                ("the difference of `n` and the reversed number, which is never negative", "abs (n - reversed n 0)"),
                ("`n` minus the reversed number, which may be negative", "n - reversed n 0"),
            )
        },
        inputs=(_number(7, least=1),),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is a string: the number `n` written in base $b. `n` is at least 0, and $zero.",
            "Write a number `n`, not negative, in base $b: `$f n` is the string of its digits, and $zero.",
        ),
        names=("to_base", "in_base_$b", "show"),
        signature="int -> string",
        code="let rec $f n =\n  $zero",
        gaps=_GAPS
        | {
            "zero": (
                ('0 gives `"0"`', "if n < $b then string_of_int n\n  else $f (n / $b) ^ string_of_int (n mod $b)"),
                ("0 gives the empty string", 'if n = 0 then ""\n  else $f (n / $b) ^ string_of_int (n mod $b)'),
            )
        },
        inputs=(integers(0, 700, far=99_999),),
    ),
    Task(
        level=2,
        says=(
            "The string `s` holds only zeros and ones. `$f s` is the number that it writes in base $b, or 0 if it is empty.",
            "Read the digits 0 and 1 of a string as a number in base $b. `$f s` is that number; the empty string gives 0.",
        ),
        names=("of_base", "read_base_$b", "parse"),
        signature="string -> int",
        code="let $f s =\n  String.fold_left\n    (fun n c -> ($b * n) + if c = '1' then 1 else 0)\n    0 s",
        gaps=_GAPS | {"b": number(2, 36)},
        inputs=(texts(0, 7, "01", far=11),),
        edges=(('""',), ('"0"',), ('"1"',), ('"0011"',), ('"100"',)),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is $sum. `n` is at least 0 and written in decimal.",
            "Add up the decimal digits of a number `n` that is not negative. `$f n` is $sum.",
        ),
        names=("checksum", "control", "with_digit_sum"),
        signature="int -> int",
        code="let $f n =\n  let rec sum m = if m = 0 then 0 else (m mod 10) + sum (m / 10) in\n  $sum",
        gaps={
            "k": number(5, 25),
            "sum": (
                ("the remainder of its digit sum divided by $k", "sum n mod $k"),
                ("`n` plus $k times its digit sum", "n + ($k * sum n)"),
                ("`n` with the last digit of its digit sum written after it", "(10 * n) + (sum n mod 10)"),
                ("the digit sum of its digit sum", "sum (sum n)"),
            ),
        },
        inputs=(_LARGE,),
    ),
)
