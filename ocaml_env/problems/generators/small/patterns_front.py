"""Small tasks on the front of a list: a pattern on it, and recursion behind it."""

from __future__ import annotations

from ocaml_env.problems.generators.inputs import Input, integers, lists, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]


def _short(of: Input, most: int = 4) -> Input:
    """Lists, about as many of one element as longer ones; a few are long, and the empty one is an edge."""
    sizes = [lists(of, size, size) for size in (*range(1, most + 1), *range(1, most + 1), 9)]
    return Input(lambda chance: chance.pick(sizes).draw(chance), lists(of).edges)


_DIGITS = _short(integers(-3, 5))
_LONG = lists(integers(-2, 4), 3, 8, far=14)._replace(edges=lists(integers(0, 4)).edges)
_NUMBERS = _short(integers(-9, 30, far=1_000), 5)

_GAPS: dict[str, Gap] = {
    "k": number(2, 4),
    "m": number(3, 6),
    "d": number(1, 2),
    "least": number(8, 20),
    "p": number(15, 50),
    "none": number(-1, 12),
    "place": (
        ("first", "x :: _", "first"),
        ("second", "_ :: x :: _", "second"),
        ("third", "_ :: _ :: x :: _", "third"),
    ),
    "two": (
        ("the first two numbers", "a :: b :: _"),
        ("the first and the third number", "a :: _ :: b :: _"),
        ("the second and the third number", "_ :: a :: b :: _"),
    ),
    "join": (
        ("the sum of", "a + b", "sum"),
        ("the product of", "a * b", "product"),
        ("the larger of", "max a b", "larger"),
        ("the smaller of", "min a b", "smaller"),
        ("the distance between", "abs (a - b)", "distance"),
    ),
    "each": (
        ("the sum of", "(a + b)"),
        ("the product of", "(a * b)"),
        ("the larger of", "max a b"),
        ("the smaller of", "min a b"),
        ("the distance between", "abs (a - b)"),
    ),
    "front": (
        ("with $k", "x :: _ -> x = $k"),
        ("with a number greater than $k", "x :: _ -> x > $k"),
        ("with an even number", "x :: _ -> x mod 2 = 0"),
        ("with an odd number", "x :: _ -> x mod 2 <> 0"),
        ("with two equal numbers", "a :: b :: _ -> a = b"),
        ("with a number and then a greater one", "a :: b :: _ -> a < b"),
        ("with a number and then a smaller one", "a :: b :: _ -> a > b"),
        ("with two numbers whose sum is $m", "a :: b :: _ -> a + b = $m"),
        ("with 0 and then any other element", "0 :: _ :: _ -> true"),
        ("with three numbers the third of which is $k", "_ :: _ :: x :: _ -> x = $k"),
    ),
    "size": (
        ("exactly one name", "[ _ ]"),
        ("exactly two names", "[ _; _ ]"),
        ("exactly three names", "[ _; _; _ ]"),
        ("at least two names", "_ :: _ :: _"),
        ("at least three names", "_ :: _ :: _ :: _"),
        ("one or two names", "[ _ ] | [ _; _ ]"),
        ("at most one name", "[] | [ _ ]"),
    ),
    "edit": (
        ("without its first element", "_ :: rest -> rest", "drop_first"),
        ("without its first two elements", "_ :: _ :: rest -> rest", "drop_two"),
        ("without its second element", "a :: _ :: rest -> a :: rest", "drop_second"),
        ("with its first two elements exchanged", "a :: b :: rest -> b :: a :: rest", "swap"),
        ("with its first element twice", "a :: rest -> a :: a :: rest", "repeat"),
        ("with its first two elements twice", "a :: b :: rest -> a :: b :: a :: b :: rest", "repeat_two"),
        ("with its first three elements in reverse order", "a :: b :: c :: rest -> c :: b :: a :: rest", "turn"),
        ("with its third element moved to the front", "a :: b :: c :: rest -> c :: a :: b :: rest", "third_first"),
    ),
    "change": (
        ("raised by $k", "(x + $k) :: rest", "raise"),
        ("lowered by $k", "(x - $k) :: rest", "lower"),
        ("multiplied by $k", "(x * $k) :: rest", "multiply"),
        ("negated", "(-x) :: rest", "negate"),
        ("replaced by its square", "(x * x) :: rest", "square"),
        ("followed by its double", "x :: (2 * x) :: rest", "double"),
        ("set to $least where it is less", "max x $least :: rest", "at_least"),
    ),
    "top": (
        ("their sum", "(a + b) :: rest", "add"),
        ("their product", "(a * b) :: rest", "multiply"),
        ("the larger of them", "max a b :: rest", "larger"),
        ("the lower one minus the upper one", "(b - a) :: rest", "subtract"),
    ),
    "pair": (
        ("the first two elements", "a :: b :: _ -> Some (a, b)"),
        ("the second and the third element", "_ :: a :: b :: _ -> Some (a, b)"),
        ("the second and then the first element", "a :: b :: _ -> Some (b, a)"),
        ("the first and the third element", "a :: _ :: b :: _ -> Some (a, b)"),
    ),
    "next": (
        ("equal to the next one", "a = b"),
        ("greater than the next one", "a > b"),
        ("less than the next one", "a < b"),
        ("exactly $d less than the next one", "a + $d = b"),
        ("more than $d away from the next one", "abs (a - b) > $d"),
    ),
    "test": (
        ("even", "x mod 2 = 0", "even"),
        ("odd", "x mod 2 <> 0", "odd"),
        ("less than $k", "x < $k", "small"),
        ("at most $m", "x <= $m", "small"),
        ("different from $k", "x <> $k", "other"),
        ("different from 0 and from $m", "x <> 0 && x <> $m", "other"),
        ("not divisible by 3", "x mod 3 <> 0", "other"),
    ),
    "group": (
        ("the first, the third, the fifth and so on", "a :: _ :: rest -> a :: $f rest\n  | _ -> l"),
        ("the second, the fourth, the sixth and so on", "_ :: b :: rest -> b :: $f rest\n  | _ -> []"),
        ("the third, the sixth, the ninth and so on", "_ :: _ :: c :: rest -> c :: $f rest\n  | _ -> []"),
        ("all but the third, the sixth and so on", "a :: b :: _ :: rest -> a :: b :: $f rest\n  | _ -> l"),
    ),
    "reorder": (
        ("exchanges the elements of each two", "a :: b :: rest -> b :: a :: $f rest"),
        ("puts the last of each three elements first", "a :: b :: c :: rest -> c :: a :: b :: $f rest"),
        ("reverses each three elements", "a :: b :: c :: rest -> c :: b :: a :: $f rest"),
        ("keeps of each two elements the second one, twice", "_ :: b :: rest -> b :: b :: $f rest"),
    ),
    "meeting": (
        ("two equal neighbours become one number, their sum", "a :: b :: rest when a = b -> (a + b) :: $f rest"),
        ("two equal neighbours disappear", "a :: b :: rest when a = b -> $f rest"),
        ("two neighbours whose sum is greater than $m disappear", "a :: b :: rest when a + b > $m -> $f rest"),
        (
            "two neighbours the first of which is greater change places",
            "a :: b :: rest when a > b -> b :: a :: $f rest",
        ),
        ("a 0 disappears together with the number after it", "0 :: _ :: rest -> $f rest"),
        ("a $k with a number after it is replaced by that number twice", "$k :: b :: rest -> b :: b :: $f rest"),
    ),
    "marker": (
        ("directly after a $k", "$k :: x :: rest -> x :: $f (x :: rest)", "after"),
        ("directly before a $k", "x :: $k :: rest -> x :: $f ($k :: rest)", "before"),
        ("two places after a $k", "$k :: y :: x :: rest -> x :: $f (y :: x :: rest)", "after_next"),
    ),
    "lucky": (
        ("the first two dice are equal", "a = b"),
        ("the first die shows more than the second", "a > b"),
        ("the first two dice add up to $m", "a + b = $m"),
    ),
    "points": (
        ("$p points", "$p"),
        ("$k times its first die", "$k * a"),
        ("the product of its first two dice", "a * b"),
    ),
    "else": (
        ("the sum of its first two dice", "a + b"),
        ("the larger of its first two dice", "max a b"),
        ("what its second die shows", "b"),
    ),
    "nobody": (("nobody",), ("no one",), ("not a soul",), ("just me",)),
    "many": (("and others",), ("and friends",), ("and more",), ("and the rest",)),
    "greet": (("Hello, ",), ("Welcome, ",), ("Next: ",), ("Please come in, ",), ("It is your turn, ",)),
    "left": (("stays as it is", "l"), ("is left out", "[]")),
    "empty": (("the empty list", "[]"), ("the list of $none alone", "[ $none ]")),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`$f l` is the $place number of the list `l`, or $none if the list is too short.",
            "What is the $place number of `l`? `$f l` answers that, with $none where there is no such number.",
            "Write a function `$f l` that returns the $place element of a list of numbers, and $none if there is none.",
        ),
        names=("${place}_or", "get_$place", "front"),
        signature="int list -> int",
        code="let $f l = match l with $place -> x | _ -> $none",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=1,
        says=(
            'The list `l` holds the names of people in a queue. `$f l` is `"$greet"` followed by the $place name, '
            'or `"$nobody"` if there is no such name.',
            'Write `$f l` for a list of names: it puts `"$greet"` before the $place name, and returns `"$nobody"` '
            "if the list is too short.",
        ),
        names=("call_up", "greet", "announce"),
        signature="string list -> string",
        code='let $f l = match l with $place -> "$greet" ^ x | _ -> "$nobody"',
        gaps=_GAPS,
        inputs=(_short(words()),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is $join $two of `l`, and $none if the list is too short for that.",
            "Write a function `$f l` that returns $join $two of a list, or $none for a list that is too short.",
            "Look at $two of the list `l`: `$f l` is $join them. For a list that is too short it is $none.",
        ),
        names=("$join", "front_$join", "combine_front"),
        signature="int list -> int",
        code="let $f l = match l with $two -> $join | _ -> $none",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` tells if the list `l` begins $front. For a list that is too short it is `false`.",
            "Does `l` begin $front? `$f l` is `true` if so, and `false` if not or if there are too few elements.",
        ),
        names=("begins", "good_start", "starts_well"),
        signature="int list -> bool",
        code="let $f l = match l with $front | _ -> false",
        gaps=_GAPS,
        inputs=(_DIGITS,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` tells if the list `l` holds $size.",
            "Does the list `l` hold $size? Write `$f l` to tell, by a pattern and without counting.",
            "A guest list `l` is fine if it has $size on it. `$f l` tells if it is.",
        ),
        names=("fine", "right_size", "enough"),
        signature="string list -> bool",
        code="let $f l = match l with $size -> true | _ -> false",
        gaps=_GAPS,
        inputs=(_short(words()),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the list `l` $edit. A list that is too short for that stays as it is.",
            "Return the list `l` $edit: that is what `$f l` does. It leaves a list that is too short alone.",
        ),
        names=("$edit", "edit_front", "change_front"),
        signature="'a list -> 'a list",
        code="let $f l = match l with $edit | _ -> l",
        gaps=_GAPS,
        inputs=(_short(words(), 5),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the list `l` with its first number $change; for the empty list it is $empty.",
            "Write `$f l`: it returns the list `l`, but with the first number $change. Of the empty list it makes $empty.",
        ),
        names=("${change}_first", "change_first"),
        signature="int list -> int list",
        code="let $f l = match l with x :: rest -> $change | [] -> $empty",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=1,
        says=(
            "The first element of a stack of numbers is on top. `$f stack` replaces the two topmost numbers by $top; a stack with fewer stays as it is.",
            "The list `stack` begins with the topmost number. Write `$f stack` that takes two numbers off and puts "
            "$top there; it leaves a shorter stack alone.",
        ),
        names=("$top", "${top}_top", "press"),
        signature="int list -> int list",
        code="let $f stack = match stack with a :: b :: rest -> $top | _ -> stack",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is `Some` pair of $pair of `l`, or `None` if the list is too short.",
            "Write `$f l` that returns $pair of `l` as a pair in `Some`, and `None` if there are too few elements.",
        ),
        names=("front_pair", "take_pair", "two_of"),
        signature="'a list -> ('a * 'a) option",
        code="let $f l = match l with $pair | _ -> None",
        gaps=_GAPS,
        inputs=(_short(words()),),
    ),
    Task(
        level=2,
        says=(
            "Take the numbers of `l` two by two, from the front. `$f l` lists $each each two; a last number without a "
            "partner $left.",
            "`$f l` replaces the first and the second number of `l`, the third and the fourth, and so on, each time "
            "by $each the two. If one number remains at the end, it $left.",
        ),
        names=("by_twos", "pair_up", "two_by_two"),
        signature="int list -> int list",
        code="let rec $f l =\n  match l with\n  | a :: b :: rest -> $each :: $f rest\n  | _ -> $left",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the list of some elements of `l`: $group, in their order.",
            "Write a recursive function `$f l` that keeps some of the elements of a list: $group.",
        ),
        names=("some_of", "sieve", "thin_out"),
        signature="'a list -> 'a list",
        code="let rec $f l =\n  match l with\n  | $group",
        gaps=_GAPS,
        inputs=(lists(words(), 0, 8, far=14),),
    ),
    Task(
        level=2,
        says=(
            "From the front of the list `l` to its end, `$f l` $reorder. Too few elements at the end stay as they are.",
            "`$f l` goes through a list and $reorder; if too few elements are left, they come unchanged.",
        ),
        names=("shuffle", "dance", "reorder"),
        signature="'a list -> 'a list",
        code="let rec $f l =\n  match l with\n  | $reorder\n  | _ -> l",
        gaps=_GAPS,
        inputs=(lists(words(), 0, 8, far=14),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the list `l` without the numbers at its beginning that are $test: all before the first one "
            "that is not.",
            "As long as the first number of `l` is $test, remove it. `$f l` is the list that is left.",
        ),
        names=("skip_$test", "strip_$test"),
        signature="int list -> int list",
        code="let rec $f l =\n  match l with\n  | x :: rest when $test -> $f rest\n  | _ -> l",
        gaps=_GAPS,
        inputs=(lists(integers(-4, 9)),),
    ),
    Task(
        level=2,
        says=(
            "Look at the numbers at the beginning of `l` that are $test, up to the first one that is not. `$f l` is "
            "$total; if there are none, it is 0.",
            "`$f l` goes through `l` only as long as the numbers are $test, and returns $total (0 if the first one "
            "already is not, or if `l` is empty).",
        ),
        names=("leading_$test", "front_$test"),
        signature="int list -> int",
        code="let rec $f l =\n  match l with\n  | x :: rest when $test -> $total + $f rest\n  | _ -> 0",
        gaps={
            **_GAPS,
            "total": (("how many they are", "1"), ("their sum", "x"), ("the sum of their squares", "(x * x)")),
        },
        inputs=(lists(integers(-4, 9)),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` leaves out every number of `l` that is $next. The last number always stays.",
            "Compare each number of `l` with its right neighbour in `l`, and leave it out if it is $next. `$f l` is the "
            "list of the others.",
        ),
        names=("thin_out", "leave_out", "clean"),
        signature="int list -> int list",
        code="let rec $f l =\n  match l with\n  | a :: b :: rest when $next -> $f (b :: rest)\n"
        "  | a :: rest -> a :: $f rest\n  | [] -> []",
        gaps=_GAPS,
        inputs=(_LONG,),
    ),
    Task(
        level=2,
        says=(
            "How many numbers of `l` are $next? `$f l` counts them; the last number has no next one and does not count.",
            "Write `$f l` to count the numbers of `l` that are $next. A list of fewer than two numbers gives 0.",
        ),
        names=("count_steps", "count_pairs", "how_often"),
        signature="int list -> int",
        code="let rec $f l =\n  match l with\n  | a :: (b :: _ as rest) -> (if $next then 1 else 0) + $f rest\n"
        "  | _ -> 0",
        gaps=_GAPS,
        inputs=(_LONG,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is `Some` of the first number of `l` that is $next, or `None` if there is no such number.",
            "Find the first number that is $next, going from left to right. `$f l` is that number in `Some`, or `None`.",
        ),
        names=("first_step", "find_first", "search"),
        signature="int list -> int option",
        code="let rec $f l =\n  match l with\n  | a :: b :: rest -> if $next then Some a else $f (b :: rest)\n"
        "  | _ -> None",
        gaps=_GAPS,
        inputs=(_LONG,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` goes through `l` from the front: $meeting. What it puts there is not looked at again, and all "
            "other numbers stay.",
            "In the list `l`, $meeting. `$f l` does this from the front to the end, without looking again at what it "
            "has put there.",
        ),
        names=("settle", "meet", "collapse"),
        signature="int list -> int list",
        code="let rec $f l =\n  match l with\n  | $meeting\n  | a :: rest -> a :: $f rest\n  | [] -> []",
        gaps=_GAPS,
        inputs=(_LONG,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the list of the numbers that stand $marker in `l`, in their order.",
            "Which numbers of `l` stand $marker? `$f l` lists them from left to right.",
        ),
        names=("${marker}_marker", "neighbours"),
        signature="int list -> int list",
        code="let rec $f l =\n  match l with\n  | $marker\n  | _ :: rest -> $f rest\n  | [] -> []",
        gaps=_GAPS,
        inputs=(_LONG,),
    ),
    Task(
        level=2,
        says=(
            'For a list `l` of names, `$f l` is `"$nobody"` if it is empty, the name if there is only one, and '
            'otherwise the first name followed by `" $many"`.',
            'Who comes? `$f l` says it briefly: `"$nobody"` for the empty list, a single name as it is, and for a '
            'longer list the first name with `" $many"` after it.',
        ),
        names=("who", "guests", "summary"),
        signature="string list -> string",
        code='let $f l =\n  match l with\n  | [] -> "$nobody"\n  | [ x ] -> x\n  | x :: _ -> x ^ " $many"',
        gaps=_GAPS,
        inputs=(_short(words()),),
    ),
    Task(
        level=2,
        says=(
            "The list `l` holds the dice of a throw. `$f l` is $points if $lucky, and otherwise $else. With fewer than "
            "two dice it is 0.",
            "In a game with dice, a throw `l` counts $points if $lucky. In all other cases it counts $else, but with "
            "fewer than two dice 0. Write `$f l`.",
        ),
        names=("score", "throw", "dice"),
        signature="int list -> int",
        code="let $f l =\n  match l with\n  | a :: b :: _ when $lucky -> $points\n  | a :: b :: _ -> $else\n  | _ -> 0",
        gaps=_GAPS,
        inputs=(_short(integers(1, 6)),),
    ),
)
