"""Small tasks on a list of numbers: one step of ``map``, ``filter``, a fold or a question."""

from __future__ import annotations

from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import floats, integers, lists
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["FAMILY", "TASKS"]

_CHANGES: tuple[tuple[str, ...], ...] = (
    ("multiplied by $d", "$d * x", "multiplied"),
    ("squared", "x * x", "squared"),
    ("increased by $k", "x + $k", "increased"),
    ("reduced by $k", "x - $k", "reduced"),
    ("replaced by its opposite (3 becomes -3, and -3 becomes 3)", "-x", "opposite"),
    ("replaced by $k if it is greater than $k", "min x $k", "capped"),
    ("replaced by $k if it is less than $k", "max x $k", "raised"),
)
_GAPS: dict[str, Gap] = {
    "k": number(8, 30),
    "d": number(3, 5),
    "test": (
        ("even", "x mod 2 = 0", "even"),
        ("odd", "x mod 2 <> 0", "odd"),
        ("negative", "x < 0", "negative"),
        ("positive", "x > 0", "positive"),
        ("greater than $k", "x > $k", "large"),
        ("at most $k", "x <= $k", "small"),
        ("divisible by $d", "x mod $d = 0", "divisible"),
    ),
    "change": _CHANGES,
    "kept": (
        ("with only the numbers that are $test", "$test"),
        ("without the numbers that are $test", "not ($test)"),
        ("with only the numbers from $d to $k", "x >= $d && x <= $k"),
        ("without the numbers from $d to $k", "x < $d || x > $k"),
    ),
    "asked": (
        ("all numbers in `l` are $test (`true` for the empty list)", "List.for_all (fun x -> $test) l"),
        ("at least one number in `l` is $test", "List.exists (fun x -> $test) l"),
        ("no number in `l` is greater than $k", "not (List.exists (fun x -> x > $k) l)"),
        ("at least two numbers in `l` are $test", "List.length (List.filter (fun x -> $test) l) >= 2"),
        ("the numbers in `l` add up to more than $k", "List.fold_left ( + ) 0 l > $k"),
    ),
    "total": (
        ("the sum of the numbers in `l`", "List.fold_left ( + ) 0 l"),
        ("the product of the numbers in `l`", "List.fold_left ( * ) 1 l"),
        ("what is left of $k when all numbers in `l` are subtracted from it", "List.fold_left ( - ) $k l"),
        ("the greatest number in `l`, but at least $k", "List.fold_left max $k l"),
        ("the smallest number in `l`", "List.fold_left min (List.hd l) l"),
        ("the number of elements of `l` that are greater than $k", "List.length (List.filter (fun x -> x > $k) l)"),
        (
            "the average, rounded down, of the numbers in `l`, none of which is negative",
            "List.fold_left ( + ) 0 l / List.length l",
        ),
    ),
    "deal": (
        ("halved", "price /. 2."),
        ("raised by $k.0", "price +. $k."),
        ("reduced by a quarter", "price *. 0.75"),
        ("raised to at least $k.0", "max price $k."),
    ),
    "sum": (("the sum of", "x"), ("the sum of the squares of", "(x * x)"), ("twice the sum of", "(2 * x)")),
    "base": (("0",), ("1",)),
    "best": (
        ("the greatest", "List.fold_left max x rest"),
        ("the smallest", "List.fold_left min x rest"),
        ("the last", "List.fold_left (fun _ y -> y) x rest"),
    ),
    "than": (
        ("greater than", "b > a"),
        ("less than", "b < a"),
        ("greater than or equal to", "b >= a"),
        ("different from", "b <> a"),
    ),
    "which": (
        ("the integers", "a :: $f (a + 1) b"),
        ("the integers, the greatest first,", "b :: $f a (b - 1)"),
        ("the squares of the integers", "(a * a) :: $f (a + 1) b"),
        ("the multiples of $d", "if a mod $d = 0 then a :: $f (a + 1) b else $f (a + 1) b"),
    ),
    "running": (("the sum of", "(a + b)"), ("the greatest of", "max a b"), ("the smallest of", "min a b")),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`$f l` is $total. The list is not empty.",
            "Given a nonempty list `l` of integers, `$f l` returns $total.",
        ),
        names=("compute", "value", "result"),
        signature="int list -> int",
        code="let $f l = $total",
        gaps=_GAPS,
        inputs=(lists(integers(0, 30, far=3_000), 1),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the list `l` $kept; the order stays the same.",
            "Given a list `l` of integers, `$f l` returns it $kept, in the same order.",
        ),
        names=("select", "sift", "filter_numbers"),
        signature="int list -> int list",
        code="let $f l = List.filter (fun x -> $kept) l",
        gaps=_GAPS,
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the list `l` with each number $change.",
            "Write `$f l`, which returns the list of the elements of `l`, each of them $change.",
            "Each number of the list `l` is to be $change. Write a function `$f l` for that.",
        ),
        names=("all_$change", "each_$change"),
        signature="int list -> int list",
        code="let $f l = List.map (fun x -> $change) l",
        gaps=_GAPS,
    ),
    Task(
        level=1,
        says=("`$f l` tells whether $asked.", "Write a function `$f l` that checks whether $asked."),
        names=("check", "holds", "test"),
        signature="int list -> bool",
        code="let $f l = $asked",
        gaps={**_GAPS, "k": number(1, 9)},
        inputs=(lists(integers(-12, 12, far=200), 0, 5, far=11),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the pair of the numbers in `l` that are $test and of all the others, both in the old order.",
            "Split the list `l` into a pair of lists: first the numbers that are $test, then the rest. Call it `$f l`.",
        ),
        names=("split_$test", "divide", "separate"),
        signature="int list -> int list * int list",
        code="let $f l = List.partition (fun x -> $test) l",
        gaps=_GAPS,
    ),
    Task(
        level=1,
        says=(
            "All prices in the list `prices` are $deal. `$f prices` is the list of the new prices.",
            "Write `$f prices`: the list `prices`, but with each price $deal.",
        ),
        names=("new_prices", "reprice"),
        signature="float list -> float list",
        code="let $f prices = List.map (fun price -> $deal) prices",
        gaps={**_GAPS, "k": number(4, 9)},
        inputs=(lists(floats(0, 24)),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is $sum those numbers in the list `l` that are $test. If there are none, it is 0.",
            "Write a recursive function `$f l` for $sum all elements of `l` that are $test (0 if no element is).",
        ),
        names=("total_$test", "sum_$test"),
        signature="int list -> int",
        code="let rec $f = function\n  | [] -> 0\n  | x :: rest -> if $test then $sum + $f rest else $f rest",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f l` is `Some` of the position of the first number in `l` that is $test, or `None` if there is none. The "
            "first element has position $base.",
            "Where in `l` is the first element that is $test? `$f l` is `Some` of its position, counted from $base, or "
            "`None` if no element is.",
        ),
        names=("place_of_$test", "find_$test"),
        signature="int list -> int option",
        code="let $f l =\n  let rec search i = function\n    | [] -> None\n"
        "    | x :: rest -> if $test then Some i else search (i + 1) rest\n  in\n  search $base l",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the list `l` with each number that is $test $change; all others stay as they are.",
            "In the list `l`, every number that is $test is to be $change, but no other. `$f l` is the new list.",
        ),
        names=("change_$test", "update_$test"),
        signature="int list -> int list",
        code="let rec $f = function\n  | [] -> []\n  | x :: rest -> (if $test then $change else x) :: $f rest",
        gaps={**_GAPS, "change": (*_CHANGES[:4], ("replaced by $k", "$k"))},
    ),
    Task(
        level=2,
        says=(
            "`$f l` is `Some` of $best of those numbers in the list `l` that are $test, or `None` if none is.",
            "Among the numbers in `l` that are $test, find $best. `$f l` is `Some` of it, or `None` if none is $test.",
        ),
        names=("best", "extreme", "pick"),
        signature="int list -> int option",
        code="let $f l =\n  match List.filter (fun x -> $test) l with\n  | [] -> None\n  | x :: rest -> Some ($best)",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f l` tells whether each number in `l` is $than the one before it. A list of fewer than two numbers gives "
            "`true`.",
            "Is every element of `l`, from the second on, $than its predecessor? `$f l` answers that, with `true` for "
            "lists of fewer than two elements.",
        ),
        names=("in_order", "check_order", "is_ordered"),
        signature="int list -> bool",
        code="let rec $f = function\n  | a :: (b :: _ as rest) -> $than && $f rest\n  | _ -> true",
        gaps=_GAPS,
        inputs=(lists(integers(-1, 6), 0, 3, far=9),),
        edges=(
            ("[1; 2; 3]",),
            ("[1; 3; 5; 7]",),
            ("[6; 5; 1]",),
            ("[2; 2; 4]",),
            ("[1; 4; 4; 7]",),
            ("[1; 2; 6; 5]",),
            ("[3; 2; 2; 1]",),
            ("[900; 400; 2; -400]",),
            ("[-1; -3; -4]",),
            ("[2; 5; 2; 2]",),
            ("[1; 2; 3; 4; 5; 6; 7; 8; 8]",),
        ),
    ),
    Task(
        level=2,
        says=(
            "`$f a b` is the list of $which from `a` to `b`, both included. It is empty if `a` is greater than `b`.",
            "List $which from `a` up to `b`, including both ends: `$f a b`. If `a > b`, the list is empty.",
        ),
        names=("range", "between", "from_to"),
        signature="int -> int -> int list",
        code="let rec $f a b =\n  if a > b then []\n  else $which",
        gaps=_GAPS,
        inputs=(integers(-9, 8), integers(-5, 14)),
    ),
    Task(
        level=2,
        says=(
            "`$f l` replaces every number in the list `l` by $running the numbers from the first one up to it.",
            "Write `$f l`, which lists, for each element of `l`, $running the elements up to and including it.",
        ),
        names=("running", "progress", "so_far"),
        signature="int list -> int list",
        code="let rec $f = function\n  | a :: b :: rest -> a :: $f ($running :: rest)\n  | l -> l",
        gaps=_GAPS,
    ),
)

FAMILY = Family(name="lists.numbers", topics=("lists",), description="one step over a list of numbers", tasks=TASKS)
