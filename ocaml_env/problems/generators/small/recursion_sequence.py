"""Small tasks on sequences: the next term from the one before, growth and savings, steps to a goal, running sums."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_LIST = lists(integers(-5, 20), 0, 6, far=13)


def _chain(chance: Chance) -> str:
    """Positive numbers; each is mostly related to the one before it."""
    made = [chance.between(1, 6)]
    for _ in range(chance.between(0, 3) if chance.happens(0.92) else 7):
        x = made[-1]
        made.append(chance.pick((x, x + 1, x + chance.between(1, 9), 2 * x, 2 * x, 3 * x, chance.between(1, 12))))
    return "[" + "; ".join(map(str, made)) + "]"


_GAPS: dict[str, Gap] = {
    "a": number(2, 9),
    "b": number(3, 9),
    "c": number(1, 9),
    "d": number(2, 12),
    "m": number(2, 5),
    "limit": number(30, 99),
    "term": (
        ("$d more than the one before", "$f (n - 1) + $d"),
        ("$d less than the one before", "$f (n - 1) - $d"),
        ("$m times the one before", "$m * $f (n - 1)"),
        ("twice the one before plus $c", "(2 * $f (n - 1)) + $c"),
        ("three times the one before minus $c", "(3 * $f (n - 1)) - $c"),
        ("the one before plus its own index", "$f (n - 1) + n"),
        ("the one before minus its own index", "$f (n - 1) - n"),
        ("the one before times its own index", "n * $f (n - 1)"),
        ("the one before plus the square of its own index", "$f (n - 1) + (n * n)"),
        ("$d minus twice the one before", "$d - (2 * $f (n - 1))"),
    ),
    "growth": (
        ("Of `x` bacteria each becomes $m every hour. How many are there after `n` hours?", "$m * x"),
        (
            "A tank with `x` litres loses $d litres every day, as long as it is not empty. How much is left after `n` days?",
            "max 0 (x - $d)",
        ),
        (
            "There are `x` fish. Every year their number doubles, and then $c are caught. How many are there after `n` years?",
            "(2 * x) - $c",
        ),
        (
            "A herd of `x` sheep grows by a tenth (rounded down) and by $c more every year. How large is it after `n` years?",
            "x + (x / 10) + $c",
        ),
        ("A child has `x` euros, and gets $d more every week. How much does it have after `n` weeks?", "x + $d"),
        (
            "A price of `x` euros rises by $d euros a year, but never above $limit2. What is it after `n` years?",
            "min $limit2 (x + $d)",
        ),
    ),
    "limit2": number(60, 120),
    "follow": (
        ("$d more than the one before", "x + $d"),
        ("$d less than the one before", "x - $d"),
        ("$m times the one before", "$m * x"),
        ("twice the one before plus $c", "(2 * x) + $c"),
        ("the one before with the opposite sign", "-x"),
        ("half of the one before, rounded towards 0", "x / 2"),
        ("$d minus the one before", "$d - x"),
    ),
    "summand": (
        ("the sum of all integers from 1 to `n`", "n"),
        ("the sum of the squares of all integers from 1 to `n`", "(n * n)"),
        ("the sum of the first `n` odd numbers (1, 3, 5 and so on)", "(2 * n) - 1"),
        ("the sum of the first `n` positive multiples of $d", "($d * n)"),
        ("the sum of the cubes of all integers from 1 to `n`", "(n * n * n)"),
        ("the sum of `i * (i + $c)` for all `i` from 1 to `n`", "(n * (n + $c))"),
        ("the sum of the last digits of all integers from 1 to `n`", "(n mod 10)"),
    ),
    "shrunk": (
        ("divided by $m, rounded down", "n / $m"),
        ("lowered by $d", "n - $d"),
        ("halved if it is even, and otherwise lowered by 1", "if n mod 2 = 0 then n / 2 else n - 1"),
        ("lowered by its last digit and by 1 more", "n - (n mod 10) - 1"),
    ),
    "two": (
        ("the sum of the two before it", "a + b"),
        ("the sum of the two before it, plus $c", "a + b + $c"),
        ("twice the last one minus the one before that, plus $c", "(2 * b) - a + $c"),
        ("the last one plus twice the one before that", "b + (2 * a)"),
        ("the last digit of the sum of the two before it", "(a + b) mod 10"),
        ("the larger of the two before it, plus $c", "max a b + $c"),
    ),
    "even": (("$f (n / 2) + $c",), ("2 * $f (n / 2)",), ("$f (n - 1) - $c",), ("$f (n - 1) + n",), ("n - $f (n / 2)",)),
    "odd": (("$f (n - 1) + $d",), ("2 * $f (n - 1)",), ("$f (n / 2) - $d",), ("n + $f (n / 2)",)),
    "next": (
        ("$d more than the one before", "x + $d"),
        ("twice the one before", "2 * x"),
        ("twice the one before plus $c", "(2 * x) + $c"),
        ("three times the one before minus 1", "(3 * x) - 1"),
        ("the one before plus half of it (rounded down) plus $c", "x + (x / 2) + $c"),
    ),
    "asked": (
        ("the sum of the first `n` terms", "x + go ($next) (n - 1)"),
        ("the sum of the squares of the first `n` terms", "(x * x) + go ($next) (n - 1)"),
        ("the sum of the last digits of the first `n` terms", "(x mod 10) + go ($next) (n - 1)"),
        ("the first minus the second plus the third of the first `n` terms, and so on", "x - go ($next) (n - 1)"),
    ),
    "reached": (
        ("the first term that is at least `limit`", "if x >= limit then x else go ($next)"),
        (
            "the number of terms before the first one that is at least `limit`",
            "if x >= limit then 0 else 1 + go ($next)",
        ),
        (
            "the sum of all terms before the first one that is at least `limit`",
            "if x >= limit then 0 else x + go ($next)",
        ),
    ),
    "moved": (("increased by 1", "n + 1"), ("lowered by 1", "n - 1"), ("tripled and increased by 1", "(3 * n) + 1")),
    "noted": (
        ("the number of steps", "if n = 1 then 0 else 1 + $f (next n)"),
        ("the sum of all numbers on the way, with `n` and 1", "if n = 1 then 1 else n + $f (next n)"),
    ),
    "neighbours": (
        ("differences `b - a`", "b - a"),
        ("sums `a + b`", "a + b"),
        ("products `a * b`", "a * b"),
        ("larger ones", "max a b"),
        ("distances (never negative)", "abs (a - b)"),
        ("numbers `$m * a - b`", "($m * a) - b"),
        ("sums `a + b + $d`", "a + b + $d"),
    ),
    "running": (
        (
            "An account has $b euros. The elements of `l` are added one after another; a negative one is taken out",
            "so_far + x",
        ),
        ("The temperature is $b degrees. It falls by the elements of `l`, one after another", "so_far - x"),
        (
            "The record is $b points. Players get the points in `l` one after another, and a larger number is the new record",
            "max so_far x",
        ),
        (
            "A player has $b points. The elements of `l` are added one after another, but nobody has fewer than 0 points",
            "max 0 (so_far + x)",
        ),
        ("A number is $b at first. It is multiplied by the elements of `l` one after another", "so_far * x"),
    ),
    "regular": (
        ("greater than the one before by at most $b", "a < b && b <= a + $b"),
        ("a multiple of the one before", "b mod a = 0"),
        ("at least twice the one before", "b >= 2 * a"),
        ("different from the one before by at least $m", "abs (a - b) >= $m"),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "A sequence begins with $a, and each further term is $term. `$f n` is its term at index `n`, from 0 on.",
            "`$f n` is the term at index `n`, at least 0, of this sequence: the first term is $a, and every other is $term.",
        ),
        names=("term", "nth", "sequence"),
        signature="int -> int",
        code="let rec $f n = if n = 0 then $a else $term",
        gaps=_GAPS,
        inputs=(integers(0, 14, far=18),),
    ),
    Task(
        level=1,
        says=(
            "$growth `$f x n` tells; `n` is at least 0.",
            "$growth Write `$f x n`, for `n` from 0 on.",
        ),
        names=("grow", "after", "forecast"),
        signature="int -> int -> int",
        code="let rec $f x n = if n = 0 then x else $f ($growth) (n - 1)",
        gaps=_GAPS,
        inputs=(integers(10, 60, far=500), integers(0, 6, far=14)),
    ),
    Task(
        level=1,
        says=(
            "`$f x n` lists `n` numbers. The first is `x`, and each further one is $follow; `n` is not negative.",
            "Write `$f x n`, the first `n` terms of a sequence, for `n` from 0 on: `x` comes first, and each other term is $follow.",
        ),
        names=("terms", "first_terms", "unroll"),
        signature="int -> int -> int list",
        code="let rec $f x n = if n = 0 then [] else x :: $f ($follow) (n - 1)",
        gaps=_GAPS,
        inputs=(integers(-5, 30), integers(0, 6, far=12)),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is $summand, or 0 if `n` is 0. `n` is not negative.",
            "Write a recursive function `$f n` for $summand. `$f 0` is 0, and `n` is never negative.",
        ),
        names=("total", "sum_to", "add_up"),
        signature="int -> int",
        code="let rec $f n = if n = 0 then 0 else $summand + $f (n - 1)",
        gaps=_GAPS,
        inputs=(integers(0, 40, far=60),),
    ),
    Task(
        level=1,
        says=(
            "A number `n` is again and again $shrunk, until it is at most $c. `$f n` is the number of steps, maybe 0.",
            "How many steps does it take from `n` to a number that is at most $c, if in each step it is $shrunk? `$f n` tells.",
        ),
        names=("steps", "how_often", "count_steps"),
        signature="int -> int",
        code="let rec $f n = if n <= $c then 0 else 1 + $f ($shrunk)",
        gaps=_GAPS,
        inputs=(integers(-5, 120, far=900),),
    ),
    Task(
        level=1,
        says=(
            "A sequence begins with `a` and `b`, and each further term is $two. `$f a b n` is term `n`; `a` is term 0.",
            "`$f a b n` is term `n`, from 0 on, of the sequence `a`, `b` and so on, where each term after `b` is $two.",
        ),
        names=("term", "nth", "from_two"),
        signature="int -> int -> int -> int",
        code="let rec $f a b n = if n = 0 then a else $f b ($two) (n - 1)",
        gaps=_GAPS,
        inputs=(integers(0, 9, far=99), integers(0, 9, far=99), integers(0, 9, far=15)),
    ),
    Task(
        level=2,
        says=(
            "`$f 0` is $a. For a positive `n`, `$f n` is `$even` if `n` is even, and `$odd` if `n` is odd. Write `$f`; `/` "
            "rounds down.",
            "Write the recursive function `$f` of numbers from 0 on: `$f 0 = $a`, `$f n = $even` for even `n > 0`, and "
            "`$f n = $odd` for odd `n`.",
        ),
        names=("term", "value", "seq"),
        signature="int -> int",
        code="let rec $f n =\n  if n = 0 then $a\n  else if n mod 2 = 0 then $even\n  else $odd",
        gaps=_GAPS,
        inputs=(integers(0, 40),),
    ),
    Task(
        level=2,
        says=(
            "A sequence begins with $a, and each further term is $next. `$f n` is $asked, and 0 for `n = 0`; `n` is never "
            "negative.",
            "Take the sequence that begins with $a and in which each further term is $next. Write `$f n`: it returns $asked. "
            "`n` is at least 0.",
        ),
        names=("first_terms", "of_first", "partial"),
        signature="int -> int",
        code="let $f n =\n  let rec go x n = if n = 0 then 0 else $asked in\n  go $a n",
        gaps=_GAPS,
        inputs=(integers(0, 15),),
    ),
    Task(
        level=2,
        says=(
            "A sequence begins with $a, and each further term is $next. `$f limit` is $reached.",
            "The first term of a sequence is $a, and each other term is $next. Find $reached: write `$f limit`.",
        ),
        names=("reach", "up_to", "search"),
        signature="int -> int",
        code="let $f limit =\n  let rec go x = $reached in\n  go $a",
        gaps=_GAPS,
        inputs=(integers(-3, 150, far=4_000),),
    ),
    Task(
        level=2,
        says=(
            "A sequence begins with $a, and each further term is $next. `$f limit` is the list of all terms that are $upto "
            "`limit`, in their order.",
            "Write `$f limit`: the list of those terms that are $upto `limit` in the sequence that begins with $a, and in which "
            "each further term is $next. The list may be empty.",
        ),
        names=("below", "terms_up_to", "list_terms"),
        signature="int -> int list",
        code="let $f limit =\n  let rec go x = if x $upto limit then x :: go ($next) else [] in\n  go $a",
        gaps=_GAPS | {"upto": (("less than", "<"), ("at most", "<="))},
        inputs=(integers(-3, 120),),
    ),
    Task(
        level=2,
        says=(
            "A positive number `n` is halved if it is even, and $moved if it is odd, again and again, until it is 1. `$f n` is "
            "$noted.",
            "From `n`, at least 1, go on until you reach 1: an even number is halved, and an odd one is $moved. `$f n` is "
            "$noted.",
        ),
        names=("path", "down_to_one", "journey"),
        signature="int -> int",
        code="let rec $f n =\n  let next n = if n mod 2 = 0 then n / 2 else $moved in\n  $noted",
        gaps=_GAPS,
        inputs=(integers(1, 60),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the list of the $neighbours of all neighbours `a` and `b` in `l`, in their order. It is empty if `l` has "
            "fewer than two elements.",
            "Look at each two elements `a` and `b` of a list that stand side by side, in this order: `$f l` lists the "
            "$neighbours. If there are fewer than two elements, that is nothing.",
        ),
        names=("neighbours", "pairwise", "differences"),
        signature="int list -> int list",
        code="let rec $f l =\n  match l with\n  | a :: (b :: _ as rest) -> ($neighbours) :: $f rest\n  | _ -> []",
        gaps=_GAPS,
        inputs=(_LIST,),
    ),
    Task(
        level=2,
        says=(
            "$running. `$f l` is the list of the numbers after each step, as long as `l`.",
            "$running. Write `$f l`, which lists what there is after each element; it is empty if `l` is.",
        ),
        names=("history", "course", "running"),
        signature="int list -> int list",
        code="let $f l =\n  let rec go so_far = function\n    | [] -> []\n"
        "    | x :: rest -> let now = $running in now :: go now rest\n  in\n  go $b l",
        gaps=_GAPS,
        inputs=(_LIST,),
    ),
    Task(
        level=2,
        says=(
            "`l` holds positive numbers. `$f l` tells if each element but the first is $regular.",
            "Is each element of a list of positive numbers, from the second one on, $regular? `$f l` tells.",
        ),
        names=("regular", "is_chain", "fits"),
        signature="int list -> bool",
        code="let rec $f l =\n  match l with\n  | a :: (b :: _ as rest) -> $regular && $f rest\n  | _ -> true",
        gaps=_GAPS,
        inputs=(Input(_chain, ("[]", "[1]", "[7]", "[3; 3]", "[3; 6]", "[6; 3]", "[1; 2; 4]", "[2; 4; 3]")),),
    ),
)
