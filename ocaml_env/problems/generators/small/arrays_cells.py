"""Small tasks on the cells of an array: reading and counting them, and new arrays from old ones."""

from __future__ import annotations

from collections.abc import Sequence

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, array, integers, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["FAMILY", "TASKS"]

_TESTS: Gap = (
    ("even", "x mod 2 = 0", "even"),
    ("odd", "x mod 2 <> 0", "odd"),
    ("negative", "x < 0", "negative"),
    ("greater than $k", "x > $k", "large"),
    ("at most $k", "x <= $k", "small"),
    ("divisible by $d", "x mod $d = 0", "divisible"),
)
_GAPS: dict[str, Gap] = {"test": _TESTS, "k": number(2, 30), "d": number(3, 7)}


def _listed(numbers: Sequence[int]) -> str:
    return f"[|{'; '.join(map(str, numbers))}|]"


def _uniform(chance: Chance) -> str:
    """Elements of one kind, such as even, negative or large ones, but often with one exception."""
    size, step = chance.between(0, 8) if chance.happens(0.85) else chance.between(9, 13), chance.between(2, 7)
    numbers = chance.pick(
        (
            [step * n for n in chance.ints(size, -4, 6)],
            [2 * n + 1 for n in chance.ints(size, -9, 17)],
            chance.ints(size, -30, -1),
            chance.ints(size, 31, 99),
            chance.ints(size, -9, 2),
            chance.numbers(size, -30, 35),
        )
    )
    if size and chance.happens(0.5):
        numbers[chance.below(size) if chance.happens(0.6) else -1] = chance.number(-30, 35)
    return _listed(numbers)


def _steps(chance: Chance) -> str:
    """Elements, often with equal neighbours, sorted, or without positive numbers."""
    low, high = chance.pick(((0, 19), (0, 19), (0, 3), (-20, -1), (-9, 9)))
    numbers = chance.numbers(chance.between(1, 8 if chance.happens(0.85) else 14), low, high)
    if chance.happens(0.2):
        numbers.sort(reverse=chance.happens(0.5))
    return _listed(numbers)


def _filled(shortest: int, longest: int) -> Input:
    """Non-empty arrays, some without positive or without different numbers."""
    drawn = array(integers(far=300), shortest, longest, far=longest)

    def draw(chance: Chance) -> str:
        if chance.happens(0.2):
            return _listed(chance.ints(chance.between(shortest, longest), -30, -1))
        return drawn.draw(chance)

    return Input(draw)


def _loop(start: str, step: str) -> str:
    return f"let result = ref {start} in\n  for k = i to j do\n    {step}\n  done;\n  !result"


def _running(start: str, step: str) -> str:
    return f"let result = ref {start} in\n  Array.map\n    (fun x ->\n      result := {step};\n      !result)\n    a"


TASKS = (
    Task(
        level=1,
        says=(
            "`$f a` is $what. The array `a` has at least four elements, and positions are counted from 0.",
            "Given an array `a` of at least four numbers, `$f a` is $what. Positions begin at 0.",
        ),
        names=("$what",),
        signature="int array -> int",
        code="let $f a = $what",
        gaps={
            "what": (
                ("$x", "$x", "cell"),
                ("$y", "$y", "cell"),
                ("the sum of $x and $y", "$x + $y", "sum_of_two"),
                ("the product of $x and $y", "$x * $y", "product_of_two"),
                ("the larger of $x and $y", "max $x $y", "larger"),
                ("the smaller of $x and $y", "min $x $y", "smaller"),
                ("$x minus $y", "$x - $y", "difference"),
            ),
            "x": (("the first element", "a.(0)"), ("the element at position $p", "a.($p)")),
            "y": (
                ("the last element", "a.(Array.length a - 1)"),
                ("the last but one element", "a.(Array.length a - 2)"),
                ("the element at position `Array.length a / 2`", "a.(Array.length a / 2)"),
            ),
            "p": number(1, 3),
        },
        inputs=(array(integers(), 4, 8, far=14),),
    ),
    Task(
        level=1,
        says=(
            "Does the array `a` have $size? `$f a` tells.",
            "Write a function `$f` of an array that returns `true` if the array has $size, and `false` if not.",
        ),
        names=("fits", "right_size"),
        signature="int array -> bool",
        code="let $f a = Array.length a $size",
        gaps={
            "size": (
                ("more than $n elements", "> $n"),
                ("fewer than $n elements", "< $n"),
                ("exactly $n elements", "= $n"),
                ("an even number of elements", "mod 2 = 0"),
                ("an odd number of elements", "mod 2 = 1"),
            ),
            "n": number(3, 5),
        },
        inputs=(array(integers(0, 9), 0, 8),),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is a new array of the first `n` $series; `n` is not negative.",
            "Make an array of length `n` that holds the first `n` $series. That is `$f n`, for `n` at least 0.",
        ),
        names=("first_$series", "make_$series"),
        signature="int -> int array",
        code="let $f n = Array.init n (fun i -> $series)",
        gaps={
            "series": (
                ("even numbers, beginning with 0", "2 * i", "even"),
                ("odd numbers, beginning with 1", "(2 * i) + 1", "odd"),
                ("square numbers, beginning with 0", "i * i", "squares"),
                ("multiples of $k, beginning with 0", "$k * i", "multiples"),
                ("multiples of $k, beginning with $k", "$k * (i + 1)", "multiples"),
                ("whole numbers from $k on, in ascending order", "$k + i", "numbers"),
                ("whole numbers from $k on downwards", "$k - i", "numbers"),
            ),
            "k": number(3, 30),
        },
        inputs=(integers(0, 16),),
    ),
    Task(
        level=1,
        says=(
            "`$f a` is a new array with every element of `a` $done.",
            "Return an array as long as `a`, in which every element of `a` is $done: that is `$f a`.",
        ),
        names=("change", "all_changed", "remade"),
        signature="int array -> int array",
        code="let $f a = $done a",
        gaps={
            "done": (
                ("doubled", "Array.map (fun x -> 2 * x)"),
                ("squared", "Array.map (fun x -> x * x)"),
                ("increased by $k", "Array.map (fun x -> x + $k)"),
                ("reduced by $k", "Array.map (fun x -> x - $k)"),
                ("replaced by its last digit, a number from 0 to 9", "Array.map (fun x -> abs x mod 10)"),
                ("multiplied by its position, counted from 0", "Array.mapi (fun i x -> i * x)"),
                ("increased by its position, counted from 0", "Array.mapi (fun i x -> x + i)"),
            ),
            "k": number(2, 30),
        },
    ),
    Task(
        level=1,
        says=(
            "`$f a` is $total.",
            "What is $total? Write `$f a` to compute it.",
        ),
        names=("$total",),
        signature="int array -> int",
        code="let $f a = Array.fold_left $total a",
        gaps={
            "total": (
                ("the sum of all elements of `a` (0 if it is empty)", "( + ) 0", "total"),
                ("the product of all elements of `a` (1 if it is empty)", "( * ) 1", "product"),
                ("$k plus the sum of all elements of `a`", "( + ) $k", "sum_from"),
                ("the sum of the squares of all elements of `a`", "(fun s x -> s + (x * x)) 0", "squares"),
                ("$k minus all the elements of `a`", "( - ) $k", "remainder"),
                ("the greatest of $k and the elements of `a`", "max $k", "greatest"),
                ("the smallest of $k and the elements of `a`", "min $k", "smallest"),
            ),
            "k": number(5, 30),
        },
    ),
    Task(
        level=1,
        says=(
            "`$f a` tells whether $claim.",
            "Is it true that $claim? `$f a` answers that with a boolean.",
        ),
        names=("check_$claim", "is_$claim"),
        signature="int array -> bool",
        code="let $f a = $claim a",
        gaps={
            **_GAPS,
            "claim": (
                ("at least one element of `a` is $test", "Array.exists (fun x -> $test)", "any_$test"),
                ("every element of `a` is $test (true if it is empty)", "Array.for_all (fun x -> $test)", "all_$test"),
                ("no element of `a` is $test", "not @@ Array.exists (fun x -> $test)", "no_$test"),
                ("$k is an element of `a`", "Array.mem $k", "with_$k"),
            ),
        },
        inputs=(Input(_uniform, ("[||]", "[|0|]", "[|-1|]", "[|2; 4; 6; 8|]")),),
    ),
    Task(
        level=1,
        says=(
            "`$f a i` is $what. Positions are counted from 0, and you may assume that all those needed exist.",
            "Write `$f a i`: it returns $what (the first position is 0; `a` is long enough).",
        ),
        names=("look_up", "at", "read_cell"),
        signature="int array -> int -> int",
        code="let $f a i = $what",
        gaps={
            "what": (
                ("the element of `a` at position `i`", "a.(i)"),
                ("the element of `a` just after position `i`", "a.(i + 1)"),
                ("the sum of the elements at the positions `i` and `i + 1` of `a`", "a.(i) + a.(i + 1)"),
                ("how much the element after position `i` of `a` exceeds the one at `i`", "a.(i + 1) - a.(i)"),
                ("the `i`th element of `a` from the end, where 0 means the last", "a.(Array.length a - 1 - i)"),
                ("$k times the element of `a` at position `i`", "$k * a.(i)"),
                ("the larger of $k and the element of `a` at position `i`", "max $k a.(i)"),
            ),
            "k": number(2, 9),
        },
        inputs=(array(integers(), 7, 9), integers(0, 5)),
    ),
    Task(
        level=1,
        says=(
            "`$f a` is a new array with $part of `a`, which has at least four elements.",
            "Take $part of the array `a`, in the same order, as a new array: `$f a`. There are at least four elements.",
        ),
        names=("part", "piece", "slice"),
        signature="string array -> string array",
        code="let $f a = $part",
        gaps={
            "part": (
                ("the first $n elements", "Array.sub a 0 $n"),
                ("the last $n elements", "Array.sub a (Array.length a - $n) $n"),
                ("all but the first $n elements", "Array.sub a $n (Array.length a - $n)"),
                ("all but the last $n elements", "Array.sub a 0 (Array.length a - $n)"),
                ("all elements except the first and the last", "Array.sub a 1 (Array.length a - 2)"),
            ),
            "n": number(2, 3),
        },
        inputs=(array(words(), 4, 7, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`$f a i j` is a new array like `a`, except that the elements at the positions `i` and `j` have changed "
            "places$and. The array `a` itself stays as it is; both positions exist, and `i` is less than `j`.",
            "Swap two cells without changing the given array: `$f a i j` is a copy of `a` in which the elements at the "
            "valid positions `i` and `j`, where `i` is less than `j`, are exchanged$and.",
        ),
        names=("swapped", "with_swap", "exchange"),
        signature="int array -> int -> int -> int array",
        code="let $f a i j =\n  let b = Array.copy a in\n  $and;\n  b",
        gaps={
            "and": (
                ("", "b.(i) <- a.(j);\n  b.(j) <- a.(i)"),
                (", and the one that is now at `i` is increased by $k", "b.(i) <- a.(j) + $k;\n  b.(j) <- a.(i)"),
                (", and the one that is now at `j` is reduced by $k", "b.(i) <- a.(j);\n  b.(j) <- a.(i) - $k"),
                (", and each of the two is multiplied by $k", "b.(i) <- $k * a.(j);\n  b.(j) <- $k * a.(i)"),
            ),
            "k": number(2, 12),
        },
        looks=True,
        inputs=(array(integers(), 7, 9), integers(0, 3), integers(4, 6)),
    ),
    Task(
        level=2,
        says=(
            "`$f a i j` is $result at the positions from `i` to `j` of the array `a`, both included. Both positions "
            "exist, and `i` is at most `j`.",
            "Use a `for` loop and a reference. `$f a i j` is $result of `a` whose positions are `i` to `j`, both "
            "included; these are valid positions with `i` not greater than `j`.",
        ),
        names=("$result",),
        signature="int array -> int -> int -> int",
        code="let $f a i j =\n  $result",
        gaps={
            "result": (
                ("the sum of the elements", _loop("0", "result := !result + a.(k)"), "range_sum"),
                ("the product of the elements", _loop("1", "result := !result * a.(k)"), "range_product"),
                ("the greatest of the elements", _loop("a.(i)", "result := max !result a.(k)"), "range_max"),
                ("the smallest of the elements", _loop("a.(i)", "result := min !result a.(k)"), "range_min"),
                ("the number of even elements", _loop("0", "if a.(k) mod 2 = 0 then incr result"), "range_even"),
                ("the number of elements above $n", _loop("0", "if a.(k) > $n then incr result"), "range_above"),
            ),
            "n": number(5, 40),
        },
        inputs=(_filled(7, 9), integers(0, 3), integers(3, 6)),
    ),
    Task(
        level=2,
        says=(
            "`$f a` is the number of positions of `a` whose element is $than the one just before it.",
            "How often is an element of the array `a` $than the one just before it? `$f a` tells; the first element does not "
            "count.",
            "The array `a` has one measurement a day. On how many days was it $than on the day before? That is `$f a`.",
        ),
        names=("count_steps", "days", "changes"),
        signature="int array -> int",
        code="let $f a =\n  let count = ref 0 in\n  for i = 1 to Array.length a - 1 do\n"
        "    if a.(i) $than then incr count\n  done;\n  !count",
        gaps={
            "than": (
                ("higher than", "> a.(i - 1)"),
                ("lower than", "< a.(i - 1)"),
                ("the same as", "= a.(i - 1)"),
                ("at least as high as", ">= a.(i - 1)"),
                ("more than $k higher than", "> a.(i - 1) + $k"),
                ("more than $k lower than", "< a.(i - 1) - $k"),
            ),
            "k": number(1, 8),
        },
        inputs=(Input(_steps, ("[||]", "[|4|]", "[|3; 3; 3|]", "[|1; 5; 9|]", "[|9; 5; 1|]")),),
    ),
    Task(
        level=2,
        says=(
            "`$f a` is the position of the first element of the array `a` that is $test, or `None` if there is none. "
            "Positions are counted from 0.",
            "Where in `a` is the first element that is $test? `$f a` is `Some` of its position, counted from 0, or "
            "`None` if no element is.",
        ),
        names=("first_$test", "position_of_$test"),
        signature="int array -> int option",
        code="let $f a =\n  let rec look i =\n    if i = Array.length a then None\n"
        "    else let x = a.(i) in if $test then Some i else look (i + 1)\n  in\n  look 0",
        gaps=_GAPS,
        inputs=(array(integers(-9, 35)),),
    ),
    Task(
        level=2,
        says=(
            "`$f a` is the position of $most of `a`, which is not empty; if there are several, the $one.",
            "Find $most of a non-empty array `a`: `$f a` is its position, counted from 0. Among equally good ones the $one "
            "counts.",
        ),
        names=("$most", "index_of_$most"),
        signature="int array -> int",
        code="let $f a =\n  let best = ref 0 in\n  Array.iteri (fun i x -> if $most then best := i) a;\n  !best",
        gaps={
            "most": (
                ("the greatest element", "x >$one a.(!best)", "greatest"),
                ("the smallest element", "x <$one a.(!best)", "smallest"),
                ("the element closest to $k", "abs (x - $k) <$one abs (a.(!best) - $k)", "closest"),
                ("the element farthest from $k", "abs (x - $k) >$one abs (a.(!best) - $k)", "farthest"),
            ),
            "k": number(3, 12),
            "one": (("first", ""), ("last", "=")),
        },
        inputs=(Input(_steps, ("[|0|]", "[|-4; -2; -9|]", "[|3; 9; 3; 9|]", "[|5; 5; 5|]")),),
    ),
    Task(
        level=2,
        says=(
            "`$f a b` is a new array, as long as the shorter of `a` and `b`. At each position stands $join at the same "
            "position.",
            "Walk along two arrays at once: each element of the new array `$f a b` is $join at its position. There are "
            "as many elements as in the shorter array.",
        ),
        names=("side_by_side", "combine", "pairwise"),
        signature="int array -> int array -> int array",
        code="let $f a b =\n  let n = min (Array.length a) (Array.length b) in\n  Array.init n (fun i -> $join)",
        gaps={
            "join": (
                ("the sum of the elements of `a` and `b`", "a.(i) + b.(i)"),
                ("the product of the elements of `a` and `b`", "a.(i) * b.(i)"),
                ("the larger of the elements of `a` and `b`", "max a.(i) b.(i)"),
                ("the smaller of the elements of `a` and `b`", "min a.(i) b.(i)"),
                ("the element of `a` minus that of `b`", "a.(i) - b.(i)"),
                ("the sum of the element of `a` and $k times that of `b`", "a.(i) + ($k * b.(i))"),
                ("the larger of the element of `a` and $k times that of `b`", "max a.(i) ($k * b.(i))"),
                ("$k plus the product of the elements of `a` and `b`", "$k + (a.(i) * b.(i))"),
            ),
            "k": number(2, 12),
        },
        edges=(
            ("[||]", "[||]"),
            ("[|1; 2; 3; 4; 5; 6; 7; 8; 9; 10|]", "[|5; -3; 8; 2; 9; -1; 4; 6; 3; 7; 1|]"),
            ("[|-2; -5; 4|]", "[|-3; -5; -6|]"),
        ),
    ),
    Task(
        level=2,
        says=(
            "`$f a` is a new array with the elements of `a` $moved$each.",
            "Return a new array with the elements of `a` $moved$each: that is `$f a`. An empty array gives an empty one.",
        ),
        names=("moved", "turned", "rearranged"),
        signature="int array -> int array",
        code="let $f a =\n  let n = Array.length a in\n  Array.init n (fun i -> $each$moved)",
        gaps={
            "moved": (
                ("in reverse order", "a.(n - 1 - i)"),
                ("moved one place to the front, and the first one at the end", "a.((i + 1) mod n)"),
                ("moved one place to the back, and the last one in front", "a.((i + n - 1) mod n)"),
            ),
            "each": (("", ""), (", each multiplied by $k", "$k * "), (", each increased by $k", "$k + ")),
            "k": number(2, 12),
        },
    ),
    Task(
        level=2,
        says=(
            "`$f a` is a new array in which the element at position `i` is $so_far of the first `i + 1` elements of "
            "`a`. The array `a` itself does not change.",
            "`$f a` is as long as `a`, and each of its elements is $so_far of the element of `a` at this position and "
            "of all those before it. Do not change `a`.",
        ),
        names=("running", "so_far", "up_to_here"),
        signature="int array -> int array",
        code="let $f a =\n  $so_far",
        gaps={
            "so_far": (
                ("the sum", _running("0", "!result + x")),
                ("the product", _running("1", "!result * x")),
                ("the sum of the squares", _running("0", "!result + (x * x)")),
                ("the greatest", _running("min_int", "max !result x")),
                ("$k plus the sum", _running("$k", "!result + x")),
                ("$k minus the sum", _running("$k", "!result - x")),
                (
                    "$k times the sum",
                    "let result = ref 0 in\n  Array.map\n    (fun x ->\n      result := !result + x;\n      $k * !result)\n    a",
                ),
            ),
            "k": number(2, 20),
        },
        inputs=(array(integers(-9, 20)),),
    ),
)

FAMILY = Family(
    name="arrays.cells",
    topics=("mutable-arrays", "folds"),
    description="the cells of an array: read, counted, added, and taken over into new arrays",
    tasks=TASKS,
)
