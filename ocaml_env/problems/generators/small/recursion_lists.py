"""Small tasks on lists by recursion: an empty list, a first element, and the function once more for the rest."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, floats, integers, lists, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["FAMILY", "TASKS"]

_NUMBERS = lists(integers(-9, 30, far=5_000))
_SMALL = integers(0, 6)
_FEW = lists(_SMALL)
_NAMES = lists(words(), 0, 5, far=12)


def _sorted(chance: Chance) -> str:
    """A list of numbers, in ascending order."""
    numbers = sorted(chance.numbers(chance.between(1, 6) if chance.happens(0.92) else 12, -4, 20))
    if chance.happens(0.2):
        numbers = sorted([*numbers, chance.pick(numbers)])
    return f"[{'; '.join(map(str, numbers))}]"


def _wave(chance: Chance) -> str:
    """A list of numbers, each often a little greater than the one before it."""
    numbers = [chance.between(-5, 9)]
    step = chance.pick(((0, 3), (0, 2), (1, 4), (-4, 0), (-1, 1), (-6, 6)))
    for _ in range(chance.between(1, 5) if chance.happens(0.92) else 12):
        numbers.append(numbers[-1] + chance.between(*step))
    if chance.happens(0.15):
        numbers[-1] = numbers[-2] + chance.between(-3, 3)
    return f"[{'; '.join(map(str, numbers))}]"


_SORTED = Input(_sorted, ("[]", "[0]", "[20]", "[3; 3]", "[1; 9]"))
_WAVES = Input(_wave, ("[]", "[4]", "[4; 4]", "[4; 5]", "[5; 4]"))

_GAPS: dict[str, Gap] = {
    "k": number(2, 9),
    "low": number(3, 12),
    "d": number(3, 5),
    "e": number(1, 3),
    "total": (
        ("the sum of the numbers in `l`", "0 | x :: rest -> x + $f rest", "sum"),
        ("the sum of the squares of the numbers in `l`", "0 | x :: rest -> (x * x) + $f rest", "squares"),
        ("the sum of the numbers in `l`, each multiplied by $k", "0 | x :: rest -> ($k * x) + $f rest", "scaled_sum"),
        ("the sum of the numbers in `l`, each without its sign", "0 | x :: rest -> abs x + $f rest", "sizes"),
        ("$k for each element of `l`, all added up", "0 | _ :: rest -> $k + $f rest", "price"),
        ("$k plus the sum of the numbers in `l`", "$k | x :: rest -> x + $f rest", "sum_from"),
        ("$k minus all the numbers in `l`", "$k | x :: rest -> $f rest - x", "remainder"),
        (
            "the first number minus the second plus the third minus the fourth, and so on",
            "0 | x :: rest -> x - $f rest",
            "alternating",
        ),
        ("the sum of the positive numbers in `l`", "0 | x :: rest -> max x 0 + $f rest", "gains"),
    ),
    "test": (
        ("even", "x mod 2 = 0", "even"),
        ("odd", "x mod 2 <> 0", "odd"),
        ("negative", "x < 0", "negative"),
        ("greater than $low", "x > $low", "large"),
        ("less than $low", "x < $low", "small"),
        ("divisible by $d", "x mod $d = 0", "divisible"),
        ("at least $d", "x >= $d", "large"),
    ),
    "worth": (
        ("how many elements of `l` are $test", "1 + $f rest"),
        ("the sum of the elements of `l` that are $test", "x + $f rest"),
    ),
    "image": (
        ("every number raised by $k", "(x + $k)", "raised"),
        ("every number multiplied by $k", "($k * x)", "scaled"),
        ("every number replaced by its square", "(x * x)", "squares"),
        ("every number subtracted from $k", "($k - x)", "complements"),
        ("every negative number replaced by 0", "max x 0", "clipped"),
        ("every number above $low replaced by $low", "min x $low", "limited"),
        ("the sign of every number changed", "(-x)", "negated"),
        ("every number followed by its double", "x :: (2 * x)", "doubles"),
        ("a 0 after every number", "x :: 0", "spaced"),
        ("a $k before every number", "$k :: x", "marked"),
    ),
    "copied": (
        ("each twice in a row", "x :: x :: $f rest"),
        ("each three times in a row", "x :: x :: x :: $f rest"),
        ("from the last to the first", "$f rest @ [ x ]"),
        ("from the first to the last and then back again, the last one twice", "(x :: $f rest) @ [ x ]"),
        ("from the last to the first, each twice in a row", "$f rest @ [ x; x ]"),
    ),
    "asked": (
        ("`x` occurs in `l`", "false | y :: rest -> y = x || $f x rest", "occurs"),
        ("`x` does not occur in `l`", "true | y :: rest -> y <> x && $f x rest", "missing"),
        ("some element of `l` is greater than `x`", "false | y :: rest -> y > x || $f x rest", "exceeded"),
        ("all elements of `l` are greater than `x`", "true | y :: rest -> y > x && $f x rest", "all_above"),
    ),
    "extreme": (
        ("the greatest of `d` and all numbers in `l`", "d | x :: rest -> max x ($f d rest)", "greatest"),
        ("the smallest of `d` and all numbers in `l`", "d | x :: rest -> min x ($f d rest)", "smallest"),
        ("the last number in `l`, or `d` if there is none", "d | x :: rest -> $f x rest", "last"),
        ("`d` plus all numbers in `l`", "d | x :: rest -> $f (d + x) rest", "balance"),
        ("`d` minus all numbers in `l`", "d | x :: rest -> $f (d - x) rest", "left_over"),
    ),
    "sign": (("-",), (", ",), ("/",), (" and ",), ("+",), (" ",)),
    "text": (
        ("all strings of `l`, one after the other", "x ^ $f rest"),
        ("all strings of `l`, from the last to the first", "$f rest ^ x"),
        ('all strings of `l`, with `"$sign"` after each', 'x ^ "$sign" ^ $f rest'),
        ('all strings of `l`, with `"$sign"` before each', '"$sign" ^ x ^ $f rest'),
        ("all strings of `l`, each twice", "x ^ x ^ $f rest"),
        ("all strings of `l` in capitals", "String.uppercase_ascii x ^ $f rest"),
    ),
    "appended": (
        ("the elements of `l`, then those of `m`", "x :: $f rest m"),
        ("the elements of `l` from the last to the first, then those of `m`", "$f rest (x :: m)"),
        ("the elements of `l`, each twice in a row, then those of `m`", "x :: x :: $f rest m"),
        ("one of `l`, one of `m`, and so on in turn; when one ends, the rest of the other", "x :: $f m rest"),
        (
            "the elements of `l`, then those of `m`, then those of `l` from the last to the first",
            "(x :: $f rest m) @ [ x ]",
        ),
    ),
    "floats": (
        ("the sum of all prices in `l`", "x +. $f rest"),
        ("half of the sum of all prices in `l`", "(x /. 2.) +. $f rest"),
        ("the sum of all prices in `l`, with a fee of 0.5 for each of them", "x +. 0.5 +. $f rest"),
        ("twice the sum of all prices in `l`", "(2. *. x) +. $f rest"),
    ),
    "first": (
        ("without the first `x` (all later ones stay)", "rest", "remove_first"),
        ("with the first `x` twice in a row (all later ones stay as they are)", "y :: l", "double_first"),
        ("with a 0 in place of the first `x`", "0 :: rest", "clear_first"),
        ("with a $k before the first `x`", "$k :: l", "mark_first"),
        ("with a $k after the first `x`", "y :: $k :: rest", "follow_first"),
        ("up to the first `x`, which is the last element then", "[ y ]", "up_to"),
        ("up to the first `x`, which is not in the result", "[]", "before"),
    ),
    "count": (
        ("without its first `n` elements", "_ :: rest when n > 0 -> $f (n - 1) rest\n  | _ -> l", "drop"),
        ("cut off after its first `n` elements", "x :: rest when n > 0 -> x :: $f (n - 1) rest\n  | _ -> []", "take"),
        (
            "with each of its first `n` elements twice in a row",
            "x :: rest when n > 0 -> x :: x :: $f (n - 1) rest\n  | _ -> l",
            "repeat",
        ),
        (
            "with a 0 in place of each of its first `n` elements",
            "_ :: rest when n > 0 -> 0 :: $f (n - 1) rest\n  | _ -> l",
            "clear",
        ),
        (
            "with its first `n` elements raised by $k",
            "x :: rest when n > 0 -> (x + $k) :: $f (n - 1) rest\n  | _ -> l",
            "raise",
        ),
    ),
    "step": (
        ("the differences of neighbours: each number minus the one before it", "(b - a)"),
        ("the sums of neighbours: each number plus the one before it", "(a + b)"),
        ("the greater one of each two neighbours", "max a b"),
        ("the distances of neighbours, which are never negative", "abs (a - b)"),
        ("the products of neighbours", "(a * b)"),
    ),
    "side": (
        ("the sum of the products of the numbers at the same places", "(x * y) + $f xs ys", "product_sum"),
        ("the number of places where both have equal numbers", "(if x = y then 1 else 0) + $f xs ys", "matches"),
        ("the number of places where the number in `l` is greater", "(if x > y then 1 else 0) + $f xs ys", "wins"),
        ("the sum of the distances of the numbers at the same places", "abs (x - y) + $f xs ys", "distance"),
        ("the sum of the greater numbers, place by place", "max x y + $f xs ys", "best_sum"),
        ("how many numbers at the beginning of both are equal", "if x = y then 1 + $f xs ys else 0", "common"),
    ),
    "running": (
        (
            "the sums of `start` and the first number, of `start` and the first two, and so on",
            "(start + x) :: $f (start + x) rest",
        ),
        (
            "the products of `start` and the first number, of `start` and the first two, and so on",
            "(start * x) :: $f (start * x) rest",
        ),
        ("for each place the greatest of `start` and all numbers up to there", "max start x :: $f (max start x) rest"),
        ("for each place the smallest of `start` and all numbers up to there", "min start x :: $f (min start x) rest"),
        (
            "what is left of `start` when the first number is taken away, when the first two are, and so on",
            "(start - x) :: $f (start - x) rest",
        ),
    ),
    "place": (
        ("the sum of all numbers in `l`, each multiplied by its place", "(n * x) + $f (n + 1) rest"),
        ("the sum of all numbers in `l`, each with its place added to it", "x + n + $f (n + 1) rest"),
        ("the sum of the numbers in `l` that are equal to their places", "(if x = n then x else 0) + $f (n + 1) rest"),
        ("how many numbers in `l` are greater than their places", "(if x > n then 1 else 0) + $f (n + 1) rest"),
    ),
    "found": (
        ("the place of the first number in `l` that is equal to `x`", "if y = x then Some n else $f (n + 1) x rest"),
        (
            "the place of the first number in `l` that is greater than `x`",
            "if y > x then Some n else $f (n + 1) x rest",
        ),
        ("the place of the first number in `l` that is less than `x`", "if y < x then Some n else $f (n + 1) x rest"),
    ),
    "put": (
        ("`x` put in at its place", "x :: l"),
        ("`x` put in twice at its place", "x :: x :: l"),
        ("`x` put in at its place unless it is there already", "if List.mem x l then l else x :: l"),
        ("all numbers that are at least `x` replaced by a single `x`", "[ x ]"),
    ),
    "sorted": (
        ("each number is at least as great as the one before it", "a <= b"),
        ("each number is greater than the one before it", "a < b"),
        ("each number is at most as great as the one before it", "a >= b"),
        ("no two neighbours are equal", "a <> b"),
        ("neighbours differ by at most $e", "abs (a - b) <= $e"),
    ),
    "into": (
        ("one of the numbers that are $test and one of the others", "if $test then (x :: xs, ys) else (xs, x :: ys)"),
        (
            "one of the numbers that are not $test and one of the others",
            "if $test then (xs, x :: ys) else (x :: xs, ys)",
        ),
    ),
    "joined": (
        ('with `"$sign"` between each two of them', 'x ^ "$sign" ^ $f rest', "joined"),
        (
            'each in capitals but the last, with `"$sign"` between each two',
            'String.uppercase_ascii x ^ "$sign" ^ $f rest',
            "joined",
        ),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`$f l` is $total; the list may be empty.",
            "Write a recursive function `$f l` that returns $total.",
            "Go through the list `l` by recursion: `$f l` is $total.",
        ),
        names=("$total", "list_$total", "total"),
        signature="int list -> int",
        code="let rec $f l =\n  match l with [] -> $total",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is $worth; for the empty list it is 0.",
            "Write a recursive function `$f l` that returns $worth, without the functions of the module `List`.",
        ),
        names=("count_$test", "${test}_ones", "tally"),
        signature="int list -> int",
        code="let rec $f l =\n  match l with [] -> 0 | x :: rest -> if $test then $worth else $f rest",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the list `l` with $image.",
            "Write a recursive function `$f l`: it returns the list `l` with $image.",
        ),
        names=("$image", "make_$image", "change"),
        signature="int list -> int list",
        code="let rec $f l =\n  match l with [] -> [] | x :: rest -> $image :: $f rest",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` holds the elements of `l` that are $test, $times, in the order of `l`.",
            "Leave out of the list `l` all numbers that are not $test; of the others `$f l` holds each $times.",
        ),
        names=("keep_$test", "only_$test", "select"),
        signature="int list -> int list",
        code="let rec $f l =\n  match l with [] -> [] | x :: rest -> if $test then $times$f rest else $f rest",
        gaps={**_GAPS, "times": (("once", "x :: "), ("twice in a row", "x :: x :: "))},
        inputs=(lists(integers(-9, 20)),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is a list of the elements of `l`: $copied.",
            "Let `$f l` be a list with the elements of `l`, $copied. Use recursion.",
        ),
        names=("copies", "repeat", "again"),
        signature="'a list -> 'a list",
        code="let rec $f l =\n  match l with [] -> [] | x :: rest -> $copied",
        gaps=_GAPS,
        inputs=(_NAMES,),
    ),
    Task(
        level=1,
        says=(
            "`$f x l` tells if $asked.",
            "Is it true that $asked? Write a recursive function `$f x l` to tell.",
            "Write `$f x l`, which is `true` if $asked, and `false` if not; the list may be empty.",
        ),
        names=("$asked", "check", "${asked}_in"),
        signature="'a -> 'a list -> bool",
        code="let rec $f x l =\n  match l with [] -> $asked",
        gaps=_GAPS,
        inputs=(integers(-1, 3), lists(integers(-1, 4), 0, 4, far=9)),
    ),
    Task(
        level=1,
        says=(
            "`$f d l` is $extreme.",
            "Given a number `d` and a list `l`, the recursive function `$f d l` returns $extreme.",
        ),
        names=("$extreme", "${extreme}_of", "result"),
        signature="int -> int list -> int",
        code="let rec $f d l =\n  match l with [] -> $extreme",
        gaps=_GAPS,
        inputs=(integers(-5, 20), _NUMBERS),
    ),
    Task(
        level=1,
        says=(
            "`$f l` puts together $text. Of the empty list it makes the empty string.",
            "Make one string of a list: `$f l` is made of $text. For `[]` it is the empty string.",
        ),
        names=("glue", "in_one", "chain"),
        signature="string list -> string",
        code='let rec $f l =\n  match l with [] -> "" | x :: rest -> $text',
        gaps=_GAPS,
        inputs=(_NAMES,),
    ),
    Task(
        level=1,
        says=(
            "`$f l m` makes one list of two: $appended.",
            "Join the lists `l` and `m` by recursion. In `$f l m` there are $appended.",
        ),
        names=("join", "append", "both"),
        signature="'a list -> 'a list -> 'a list",
        code="let rec $f l m =\n  match l with [] -> m | x :: rest -> $appended",
        gaps=_GAPS,
        inputs=(_NAMES, _NAMES),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is $floats, and 0 for the empty list.",
            "The list `l` holds prices. Write `$f l`, which returns $floats (0 if there is none).",
        ),
        names=("to_pay", "cost", "bill"),
        signature="float list -> float",
        code="let rec $f l =\n  match l with [] -> 0. | x :: rest -> $floats",
        gaps=_GAPS,
        inputs=(lists(floats(0, 30)),),
    ),
    Task(
        level=2,
        says=(
            "The list `l` is in ascending order. `$f x l` is `l` with $put, so that the order remains.",
            "The numbers in `l` go up, or stay the same. Write `$f x l`, which is `l` with $put; it is in order again.",
        ),
        names=("insert", "put_in", "insert_sorted"),
        signature="int -> int list -> int list",
        code="let rec $f x l =\n  match l with\n  | y :: rest when y < x -> y :: $f x rest\n  | _ -> $put",
        gaps=_GAPS,
        inputs=(integers(-4, 20), _SORTED),
    ),
    Task(
        level=2,
        says=(
            "`$f x l` is the list `l` $first. If `x` does not occur, it is `l` itself.",
            "Look for `x` in the list `l`: `$f x l` is `l` $first. Without any `x` the list stays as it is.",
        ),
        names=("$first", "${first}_in", "edit"),
        signature="int -> int list -> int list",
        code="let rec $f x l =\n  match l with\n  | [] -> []\n  | y :: rest -> if y = x then $first else y :: $f x rest",
        gaps=_GAPS,
        inputs=(integers(0, 2), lists(integers(-1, 3), 2, 7, far=12)._replace(edges=("[]", "[0]", "[1; 1]"))),
    ),
    Task(
        level=2,
        says=(
            "`$f n l` is the list `l` $count. If there are fewer, all are meant; if `n` is 0 or negative, none is.",
            "Write a recursive function `$f n l` that returns `l` $count (all of them if `l` is shorter, none if `n` is not "
            "positive).",
        ),
        names=("$count", "${count}_first", "${count}_n"),
        signature="int -> int list -> int list",
        code="let rec $f n l =\n  match l with\n  | $count",
        gaps=_GAPS,
        inputs=(integers(-3, 5, far=12), lists(integers(-5, 20), 0, 8, far=12)),
        edges=(("3", "[4; 5; 6]"), ("3", "[4; 5]"), ("1", "[]"), ("0", "[7]"), ("-1", "[7; 8]"), ("9", "[7; 7; 8]")),
    ),
    Task(
        level=2,
        says=(
            "`$f l` lists $step, from left to right. A list of fewer than two numbers gives `[]`.",
            "Compare each number of `l` with the one after it: `$f l` lists $step. It is one element shorter than `l`, and "
            "empty if `l` is.",
        ),
        names=("steps", "neighbours", "between"),
        signature="int list -> int list",
        code="let rec $f l =\n  match l with\n  | a :: (b :: _ as rest) -> $step :: $f rest\n  | _ -> []",
        gaps=_GAPS,
        inputs=(lists(integers(-9, 20)),),
    ),
    Task(
        level=2,
        says=(
            "Go through `l` and `m` side by side, until one of them ends. `$f l m` is $side.",
            "`$f l m` is $side, for two lists of numbers. Where one list is longer, its further numbers do not count.",
        ),
        names=("$side", "${side}_of", "side_by_side"),
        signature="int list -> int list -> int",
        code="let rec $f l m =\n  match (l, m) with\n  | x :: xs, y :: ys -> $side\n  | _ -> 0",
        gaps=_GAPS,
        inputs=(_FEW, _FEW),
    ),
    Task(
        level=2,
        says=(
            "`$f start l` is a list as long as `l`: $running.",
            "Write `$f start l`, which makes of the numbers in `l` a list of as many numbers: $running.",
        ),
        names=("running", "so_far", "history"),
        signature="int -> int list -> int list",
        code="let rec $f start l =\n  match l with\n  | [] -> []\n  | x :: rest -> $running",
        gaps=_GAPS,
        inputs=(integers(-5, 9), lists(integers(-5, 12), 0, 6, far=12)),
    ),
    Task(
        level=2,
        says=(
            "The first number of `l` has the place `n`, the second `n + 1`, and so on. `$f n l` is $place.",
            "Number the elements of `l` from `n` on: these are their places. Write `$f n l`, which is $place.",
        ),
        names=("by_place", "weigh", "with_places"),
        signature="int -> int list -> int",
        code="let rec $f n l =\n  match l with\n  | [] -> 0\n  | x :: rest -> $place",
        gaps=_GAPS,
        inputs=(integers(-2, 5), lists(integers(-3, 9))),
    ),
    Task(
        level=2,
        says=(
            "The first number of `l` has the place `n`, the next one `n + 1`, and so on. `$f n x l` is $found, in `Some`, "
            "or `None` if there is none.",
            "Let the places in `l` be numbered from `n` on. `$f n x l` is `Some` of $found; without such a number "
            "it is `None`.",
        ),
        names=("place_of", "find_place", "index_from"),
        signature="int -> int -> int list -> int option",
        code="let rec $f n x l =\n  match l with\n  | [] -> None\n  | y :: rest -> $found",
        gaps=_GAPS,
        inputs=(integers(0, 9), integers(1, 5), _FEW),
    ),
    Task(
        level=2,
        says=(
            "`$f l` puts the strings of `l` together, $joined. It is empty for the empty list.",
            "Make one string of the list `l`: its strings one after the other, $joined. `$f l` is the empty string for `[]`.",
        ),
        names=("join", "in_one", "listed"),
        signature="string list -> string",
        code='let rec $f l =\n  match l with\n  | [] -> ""\n  | [ x ] -> x\n  | x :: rest -> $joined',
        gaps=_GAPS,
        inputs=(_NAMES,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` tells if in the list `l` $sorted. For a list of fewer than two numbers it is `true`.",
            "Is it true that in `l` $sorted? Write `$f l`; where there are no two numbers, it is `true`.",
        ),
        names=("in_order", "check", "steady"),
        signature="int list -> bool",
        code="let rec $f l =\n  match l with\n  | a :: (b :: _ as rest) -> $sorted && $f rest\n  | _ -> true",
        gaps=_GAPS,
        inputs=(_WAVES,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` splits the list `l` into a pair of lists, $into. The order of `l` remains in both.",
            "Sort the numbers of `l` into two lists, $into. `$f l` is the pair of them; both keep the order of `l`.",
        ),
        names=("split", "separate", "by_$test"),
        signature="int list -> int list * int list",
        code="let rec $f l =\n  match l with\n  | [] -> ([], [])\n  | x :: rest ->\n    let xs, ys = $f rest in\n    $into",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
)

FAMILY = Family(
    name="recursion.lists",
    topics=("recursion", "lists"),
    description="small recursive functions over lists",
    tasks=TASKS,
)
