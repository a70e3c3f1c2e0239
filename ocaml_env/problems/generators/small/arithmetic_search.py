"""Small tasks on the numbers of a range: finding divisors, multiples or squares, counting them, and the first one."""

from __future__ import annotations

from ocaml_env.problems.generators.inputs import integers, lists
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_POSITIVE = integers(1, 60)
_LIST = lists(integers(1, 45), 0, 6, far=12)

_GAPS: dict[str, Gap] = {
    "a": number(2, 5),
    "b": number(6, 12),
    "c": number(1, 9),
    "d": number(3, 6),
    "k": number(3, 12),
    "two": (("2",), ("4",), ("8",)),
    "odd": (("3",), ("5",), ("7",), ("9",)),  # no common divisors with $two
    "limit": number(20, 60),
    "claim": (
        ("divisible by $d", "n mod $d = 0"),
        ("divisible by 2 but not by $odd", "n mod 2 = 0 && n mod $odd <> 0"),
        ("divisible by $two or by $odd", "n mod $two = 0 || n mod $odd = 0"),
        ("neither divisible by $two nor by $odd", "n mod $two <> 0 && n mod $odd <> 0"),
        ("one more than a multiple of $d", "n mod $d = 1"),
        ("even and at least $limit", "n mod 2 = 0 && n >= $limit"),
        ("odd and less than $limit", "n mod 2 = 1 && n < $limit"),
    ),
    "terms": (
        ("multiples of $k, from $k on", "(i + 1) * $k", "multiples"),
        ("multiples of $k, from 0 on", "i * $k", "multiples"),
        ("odd numbers, from 1 on", "(2 * i) + 1", "odd_numbers"),
        ("square numbers, from 1 on", "(i + 1) * (i + 1)", "squares"),
        ("integers, from $limit on", "$limit + i", "integers"),
        ("integers, from $limit downwards", "$limit - i", "integers"),
        ("numbers that are $c more than a multiple of 1$a, from $c on", "(1$a * i) + $c", "numbers"),
    ),
    "one": (
        ("how many multiples of $k there are from 1 to `n`", "n / $k"),
        ("the first multiple of $k that is greater than `n`", "((n / $k) + 1) * $k"),
        ("the last multiple of $k that is not greater than `n`", "n / $k * $k"),
        ("the sum of all integers from 1 to `n`", "n * (n + 1) / 2"),
        ("the sum of all integers from `n` to twice `n`", "3 * n * (n + 1) / 2"),
        ("how many odd numbers there are from 1 to `n`", "(n + 1) / 2"),
        ("how many integers from 1 to `n` are not divisible by $k", "n - (n / $k)"),
        ("how far it is from `n` to the next greater multiple of $k", "$k - (n mod $k)"),
    ),
    "kept": (
        ("that divide `n`", "n mod i = 0", "divisors"),
        ("that do not divide `n`", "n mod i <> 0", "others"),
        ("whose square is at most `n`", "i * i <= n", "roots"),
        ("that divide $k times `n`", "$k * n mod i = 0", "divisors"),
        ("that are divisible by $a", "i mod $a = 0", "multiples"),
        ("that are not divisible by $k", "i mod $k <> 0", "others"),
        ("that have the last digit $c", "i mod 10 = $c", "ending"),
    ),
    "from_list": (
        ("the first element of `l` that is a multiple of `n`", "List.find_opt (fun x -> x mod n = 0) l"),
        ("the first element of `l` that divides `n`", "List.find_opt (fun x -> n mod x = 0) l"),
        ("the first element of `l` that is greater than `n`", "List.find_opt (fun x -> x > n) l"),
        ("the first element of `l` that is at least $a times `n`", "List.find_opt (fun x -> x >= $a * n) l"),
        (
            "the first element of `l` that ends with the same digit as `n`",
            "List.find_opt (fun x -> x mod 10 = n mod 10) l",
        ),
        (
            "the first element of `l` that differs from `n` by less than $k",
            "List.find_opt (fun x -> abs (x - n) < $k) l",
        ),
    ),
    "reached": (("smallest number that is at least", "+"), ("largest number that is at most", "-")),
    "which": (
        ("divisible by $k", "n mod $k = 0"),
        ("divisible by both $two and $odd", "n mod $two = 0 && n mod $odd = 0"),
        ("divisible by 8 or by 1$odd", "n mod 8 = 0 || n mod 1$odd = 0"),
        ("1 more than a multiple of $k", "n mod $k = 1"),
        ("odd and divisible by $odd", "n mod 2 = 1 && n mod $odd = 0"),
    ),
    "prop": (
        ("divisible by $k", "a mod $k = 0"),
        ("not divisible by $a", "a mod $a <> 0"),
        ("divisible by $two or by $odd", "a mod $two = 0 || a mod $odd = 0"),
        ("odd and not divisible by $odd", "a mod 2 = 1 && a mod $odd <> 0"),
        ("1 less than a multiple of $k", "(a + 1) mod $k = 0"),
    ),
    "agg": (("number", "1"), ("sum", "a"), ("sum of the squares", "(a * a)")),
    "image": (
        ("the numbers", "a"),
        ("the squares of the numbers", "(a * a)"),
        ("the doubles of the numbers", "(2 * a)"),
        ("the halves, rounded down, of the numbers", "(a / 2)"),
    ),
    "divided": (
        ("the number of divisors of `n`", "if n mod d = 0 then 1 else 0"),
        ("the number of even divisors of `n`", "if n mod d = 0 && d mod 2 = 0 then 1 else 0"),
        ("the number of divisors of `n` that are greater than $k", "if n mod d = 0 && d > $k then 1 else 0"),
        ("the sum of the divisors of `n`", "if n mod d = 0 then d else 0"),
        ("the sum of the odd divisors of `n`", "if n mod d = 0 && d mod 2 = 1 then d else 0"),
        ("the sum of those divisors of `n` that are less than 1$c", "if n mod d = 0 && d < 1$c then d else 0"),
    ),
    "end": (("`n` itself counts", ">"), ("`n` itself does not count", ">=")),
    "sought": (
        (
            "the smallest divisor of `n` that is greater than 1",
            "let rec go d = if n mod d = 0 then d else go (d + 1) in\n  go 2",
        ),
        (
            "the largest divisor of `n` that is less than `n`",
            "let rec go d = if n mod d = 0 then d else go (d - 1) in\n  go (n - 1)",
        ),
        (
            "the largest number whose square is at most `n`",
            "let rec go r = if (r + 1) * (r + 1) > n then r else go (r + 1) in\n  go 1",
        ),
        (
            "the first of the powers 1, $a, $a times $a and so on that is at least `n`",
            "let rec go p = if p >= n then p else go ($a * p) in\n  go 1",
        ),
        (
            "how many of the numbers 1, 2, 3 and so on have to be added up until the sum is at least `n`",
            "let rec go sum i = if sum >= n then i else go (sum + i + 1) (i + 1) in\n  go 0 0",
        ),
        (
            "how often `n` can be divided by 2 without a remainder",
            "let rec go m = if m mod 2 = 0 then 1 + go (m / 2) else 0 in\n  go n",
        ),
        (
            "the smallest multiple of `n` that is greater than $limit$b",
            "let rec go m = if m > $limit$b then m else go (m + n) in\n  go n",
        ),
        (
            "the smallest positive number `r` with `$k * r * r >= n`",
            "let rec go r = if $k * r * r >= n then r else go (r + 1) in\n  go 1",
        ),
    ),
    "common": (
        (
            "the greatest common divisor of `a` and `b`",
            "let rec go a b = if b = 0 then a else go b (a mod b) in\n  go a b",
        ),
        (
            "the least common multiple of `a` and `b`",
            "let rec go m = if m mod b = 0 then m else go (m + a) in\n  go a",
        ),
        (
            "the number of common divisors of `a` and `b`",
            "let rec go d = if d > a then 0 else (if a mod d = 0 && b mod d = 0 then 1 else 0) + go (d + 1) in\n  go 1",
        ),
        (
            "the smallest number, from $k on, that divides neither `a` nor `b`",
            "let rec go d = if a mod d <> 0 && b mod d <> 0 then d else go (d + 1) in\n  go $k",
        ),
        (
            "the first multiple of `a` that is greater than $limit times `b`",
            "let rec go m = if m > $limit * b then m else go (m + a) in\n  go a",
        ),
    ),
    "pairs": (
        ("`a * b = n`", "|> List.filter (fun a -> n mod a = 0)\n  |> List.map (fun a -> (a, n / a))"),
        (
            "`a * b = n` and `a < b`",
            "|> List.filter (fun a -> n mod a = 0 && a * a < n)\n  |> List.map (fun a -> (a, n / a))",
        ),
        ("`a + b = n` and `a < b`", "|> List.filter (fun a -> 2 * a < n)\n  |> List.map (fun a -> (a, n - a))"),
        (
            "`a + b = n` where `a` is divisible by $a",
            "|> List.filter (fun a -> a mod $a = 0 && a < n)\n  |> List.map (fun a -> (a, n - a))",
        ),
        (
            "`a + $k * b = n`",
            "|> List.filter (fun a -> a < n && (n - a) mod $k = 0)\n  |> List.map (fun a -> (a, (n - a) / $k))",
        ),
    ),
    "pair": (
        ("`a` is a multiple of `b`", "a mod b = 0"),
        ("`a` or `b` divides the other number", "a mod b = 0 || b mod a = 0"),
        ("`a` and `b` leave the same remainder when divided by $d", "a mod $d = b mod $d"),
        ("the sum of `a` and `b` is a multiple of $d", "(a + b) mod $d = 0"),
        ("$limit is a multiple of `a` or of `b`", "$limit mod a = 0 || $limit mod b = 0"),
        ("the product of `a` and `b` ends with the digit 0", "a * b mod 10 = 0"),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`$f n` tells if the positive number `n` is $claim.",
            "Is `n` $claim? Write `$f n`, where `n` is at least 1.",
            "Write a function that tests a positive number: `$f n` is true if `n` is $claim.",
        ),
        names=("fits", "is_wanted", "check"),
        signature="int -> bool",
        code="let $f n = $claim",
        gaps=_GAPS,
        inputs=(integers(1, 90, far=900),),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is the list of the first `n` $terms; `n` is not negative.",
            "Write `$f n`, which lists the first `n` $terms. For `n = 0` the list is empty; `n` is never negative.",
        ),
        names=("first_$terms", "list_$terms"),
        signature="int -> int list",
        code="let $f n = List.init n (fun i -> $terms)",
        gaps=_GAPS,
        inputs=(integers(0, 12, far=30),),
    ),
    Task(
        level=1,
        says=(
            "For a positive number `n`, `$f n` is $one.",
            "Write a function `$f n` that computes $one. `n` is at least 1.",
        ),
        names=("compute", "find", "answer"),
        signature="int -> int",
        code="let $f n = $one",
        gaps=_GAPS,
        inputs=(integers(1, 99, far=2000),),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is the list of those numbers from 1 to `n` $kept, in ascending order. `n` is positive.",
            "Which numbers from 1 to `n` are there $kept? `$f n` lists them in ascending order, for `n` from 1 on.",
        ),
        names=("$kept", "list_$kept"),
        signature="int -> int list",
        code="let $f n = List.filter (fun i -> $kept) (List.init n (fun i -> i + 1))",
        gaps=_GAPS,
        inputs=(integers(1, 36),),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is the number of integers from 1 to `n` $kept. `n` is positive.",
            "How many integers from 1 to `n` are there $kept? Write `$f n` for positive `n`.",
        ),
        names=("count_$kept", "how_many_$kept"),
        signature="int -> int",
        code="let $f n = List.length (List.filter (fun i -> $kept) (List.init n (fun i -> i + 1)))",
        gaps=_GAPS,
        inputs=(integers(1, 50),),
    ),
    Task(
        level=1,
        says=(
            "`$f n l` is `Some` of $from_list, or `None` if there is none. All numbers are positive.",
            "Look for $from_list: `$f n l` is `Some` of it, or `None` if no element is. All numbers are positive.",
        ),
        names=("find", "search", "pick"),
        signature="int -> int list -> int option",
        code="let $f n l = $from_list",
        gaps=_GAPS,
        inputs=(integers(1, 30), _LIST),
    ),
    Task(
        level=1,
        says=(
            "For positive numbers `a` and `b`, `$f a b` tells if $pair.",
            "Is it true that $pair? `$f a b` answers that for positive numbers.",
        ),
        names=("related", "check", "agree"),
        signature="int -> int -> bool",
        code="let $f a b = $pair",
        gaps=_GAPS,
        inputs=(integers(1, 20), integers(1, 20)),
        edges=(("6", "6"), ("3", "12"), ("12", "3"), ("1", "7"), ("10", "10")),
    ),
    Task(
        level=2,
        says=(
            "For a positive number `n`, `$f n` is the $reached `n` and $which.",
            "Write `$f n`. Its argument is positive, and its result is the $reached `n` and $which.",
            "What is the $reached `n` and $which? `$f n` tells, for positive `n`.",
        ),
        names=("nearest", "search_from", "reach"),
        signature="int -> int",
        code="let rec $f n =\n  if $which then n\n  else $f (n $reached 1)",
        gaps=_GAPS,
        inputs=(integers(1, 60, far=400),),
    ),
    Task(
        level=2,
        says=(
            "`$f a b` is the $agg of those integers from `a` to `b`, both included, that are $prop. It is 0 if there are none, as for `a > b`. Both are positive.",
            "Write `$f a b` for positive numbers. It returns the $agg of all integers that are $prop, from `a` up to and including `b`; that is 0 if there are none.",
        ),
        names=("range_total", "in_range", "add_up"),
        signature="int -> int -> int",
        code="let rec $f a b =\n  if a > b then 0\n  else if $prop then $agg + $f (a + 1) b\n  else $f (a + 1) b",
        gaps=_GAPS,
        inputs=(integers(1, 30), integers(1, 50)),
        edges=(("7", "7"), ("12", "12"), ("1", "1"), ("8", "7"), ("16", "17"), ("15", "15")),
    ),
    Task(
        level=2,
        says=(
            "`$f a b` is `Some` of the first number from `a` to `b`, both included, that is $prop, or `None` if there is none. Both are positive; if `a > b`, there is no number.",
            "Search the numbers from `a` up to `b` (both included, both positive) for one that is $prop. `$f a b` is `Some` of the first one, or else `None`.",
        ),
        names=("first_in_range", "find_between", "search"),
        signature="int -> int -> int option",
        code="let rec $f a b =\n  if a > b then None\n  else if $prop then Some a\n  else $f (a + 1) b",
        gaps=_GAPS,
        inputs=(integers(1, 30), integers(1, 40)),
        edges=(("7", "7"), ("12", "12"), ("1", "1"), ("8", "7"), ("16", "17"), ("15", "15")),
    ),
    Task(
        level=2,
        says=(
            "`$f a b` is the list of $image from `a` to `b`, both included, that are $prop, in ascending order. It is empty if `a > b`. Both are positive.",
            "List $image from `a` up to and including `b` that are $prop, in this order: that is `$f a b`, for positive `a` and `b`. If `a > b`, there is no number.",
        ),
        names=("list_range", "collect", "select"),
        signature="int -> int -> int list",
        code="let rec $f a b =\n  if a > b then []\n  else if $prop then $image :: $f (a + 1) b\n  else $f (a + 1) b",
        gaps=_GAPS,
        inputs=(integers(1, 30), integers(1, 40)),
        edges=(("7", "7"), ("12", "12"), ("1", "1"), ("8", "7"), ("16", "17"), ("15", "15")),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is $divided, where $end. `n` is positive.",
            "Write a function of a positive number `n`: `$f n` returns $divided, where $end.",
        ),
        names=("divisor_total", "measure", "from_divisors"),
        signature="int -> int",
        code="let $f n =\n  let rec go d = if d $end n then 0 else ($divided) + go (d + 1) in\n  go 1",
        gaps=_GAPS,
        inputs=(integers(1, 60),),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is $sought. `n` is at least 2.",
            "Write `$f n` for integers from 2 on; it finds $sought.",
        ),
        names=("seek", "find", "discover"),
        signature="int -> int",
        code="let $f n =\n  $sought",
        gaps=_GAPS,
        inputs=(integers(2, 250),),
        edges=tuple((str(n),) for n in (3, 4, 9, 16, 25, 64, 49, 10, 15, 97)),
    ),
    Task(
        level=2,
        says=(
            "`$f a b` is $common. Both are positive.",
            "Write a function of two positive numbers: `$f a b` is $common.",
        ),
        names=("common", "meet", "combine"),
        signature="int -> int -> int",
        code="let $f a b =\n  $common",
        gaps=_GAPS,
        inputs=(integers(1, 40), integers(1, 24)),
        edges=(("12", "12"), ("7", "7"), ("4", "12"), ("12", "4"), ("9", "8"), ("6", "20"), ("1", "6")),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is the list of all pairs `(a, b)` of positive integers with $pairs, sorted by `a`. `n` is positive.",
            "Find all pairs `(a, b)` of positive integers for which $pairs. `$f n` lists them, the smallest `a` first, for positive `n`.",
        ),
        names=("pairs", "all_pairs", "solutions"),
        signature="int -> (int * int) list",
        code="let $f n =\n  List.init n (fun i -> i + 1)\n  $pairs",
        gaps=_GAPS,
        inputs=(integers(1, 40),),
    ),
)
