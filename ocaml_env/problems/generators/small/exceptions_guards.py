"""Small tasks on raising exceptions for missing results: bounds, empty lists, zero divisors, and own checks."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, array, characters, integers, lists, options, texts, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_NUMBERS = lists(integers(-9, 30), 0, 5, far=10)
_ARRAY = array(integers(-9, 30), 0, 5, far=10)
_CHECKED_NUMBER = integers(-6, 30)


def _sized(of: Input, *sizes: int, edges: tuple[str, ...] = ()) -> Input:
    """Lists of these lengths; some have few different elements, so that all may be fine."""

    def draw(chance: Chance) -> str:
        size = chance.pick(sizes)
        if chance.happens(0.25):
            few = [of.draw(chance) for _ in range(2)]
            return f"[{'; '.join(chance.pick(few) for _ in range(size))}]"
        return lists(of, size, size, far=size).draw(chance)

    return Input(draw, ("[]", *edges))


_LONG = "[4; -7; 2; 9; 0; -1; 5; 3; 8]"
_SIZES = _sized(integers(-9, 12), 1, 1, 2, 2, 3, 3, 4, 5, 9)
_SIDE_BY_SIDE = _sized(integers(-9, 12), 1, 2, 2, 3, 3, 3, 6, edges=("[3]", _LONG))
_CLOSE = _sized(integers(-1, 3), 1, 2, 3, 3, 3, 6, edges=("[3]", _LONG))
_NEAR = integers(-3, 6, far=11)

_DIVIDED: Gap = (
    ("`a` divided by `b`", "a / b", "divide"),
    ("the remainder of `a` divided by `b` (that of `mod`)", "a mod b", "remainder"),
    ("`a` divided by the square of `b`", "a / (b * b)", "divide_by_square"),
    ("`a` plus $k, divided by `b`", "(a + $k) / b", "share_more"),
    ("`a` divided by `b`, plus $k", "(a / b) + $k", "divide_and_add"),
    ("the last digit of `a / b`, a number from 0 to 9", "abs (a / b) mod 10", "last_digit"),
    ("`a` divided by the difference `b - $k`", "a / (b - $k)", "divide_by_rest"),
    ("100 times `a`, divided by `b`", "100 * a / b", "percent"),
)
_TAKEN: Gap = (
    ("the first element of `l`", "List.hd l", "first"),
    ("the second element of `l`", "List.nth l 1", "second"),
    ("the third element of `l`", "List.nth l 2", "third"),
    ("the double of the first element of `l`", "2 * List.hd l", "double_first"),
    ("the square of the second element of `l`", "(let x = List.nth l 1 in x * x)", "square_second"),
    ("the sum of the first two elements of `l`", "List.hd l + List.nth l 1", "first_two"),
    ("the first element of `l` minus the third", "List.hd l - List.nth l 2", "first_minus_third"),
    ("the last element of `l`", "List.hd (List.rev l)", "last"),
)
_LEFT: Gap = (
    ("without its first element", "List.tl l", "drop_first"),
    ("without its first two elements", "List.tl (List.tl l)", "drop_two"),
    ("with its first element twice", "List.hd l :: l", "repeat_first"),
    ("with a copy of its second element in front", "List.nth l 1 :: l", "second_in_front"),
    ("with its first element moved to the end", "List.tl l @ [ List.hd l ]", "rotate"),
    ("with a copy of its first element at the end", "l @ [ List.hd l ]", "close"),
)
_PLACE: Gap = (
    ("the element of `a` at index `i`", "a.(i)", "get"),
    ("the element of `a` after the one at index `i`", "a.(i + 1)", "after"),
    ("the element of `a` before the one at index `i`", "a.(i - 1)", "before"),
    ("the element of `a` at index `i` from the end (0 for the last one)", "a.(Array.length a - 1 - i)", "from_end"),
    ("the double of the element of `a` at index `i`", "2 * a.(i)", "double_at"),
    ("the sum of the elements of `a` at the indices `i` and `i + 1`", "a.(i) + a.(i + 1)", "two_at"),
    ("the element of `a` at index `i` plus $k", "a.(i) + $k", "get_and_add"),
)
_LETTER: Gap = (
    ("the character of `s` at index `i`", "s.[i]", "get"),
    ("the character of `s` after the one at index `i`", "s.[i + 1]", "after"),
    ("the character of `s` before the one at index `i`", "s.[i - 1]", "before"),
    ("the character of `s` at index `i`, as a capital if it is a letter", "Char.uppercase_ascii s.[i]", "capital_at"),
    ("the character of `s` at index `i` from the end (0 for the last one)", "s.[String.length s - 1 - i]", "from_end"),
)
_CUT: Gap = (
    ("the first `n` characters of `s`", "String.sub s 0 n", "prefix"),
    ("the last `n` characters of `s`", "String.sub s (String.length s - n) n", "suffix"),
    ("`s` without its first `n` characters", "String.sub s n (String.length s - n)", "drop"),
    ("`s` without its last `n` characters", "String.sub s 0 (String.length s - n)", "drop_end"),
    ("the two characters of `s` from index `n` on", "String.sub s n 2", "two_at"),
    ("the first `n` characters of `s`, in capitals", "String.uppercase_ascii (String.sub s 0 n)", "loud_prefix"),
    ("a copy of `s`, followed by its first `n` characters", "s ^ String.sub s 0 n", "extend"),
)
_SIDE: Gap = (
    ("the list of the sums of the elements in the same place", "List.map2 ( + ) a b", "sums"),
    ("the list of the products of the elements in the same place", "List.map2 ( * ) a b", "products"),
    (
        "the list of the differences, `a` minus `b`, of the elements in the same place",
        "List.map2 ( - ) a b",
        "differences",
    ),
    ("the list of the larger ones of the elements in the same place", "List.map2 max a b", "larger_ones"),
    ("the list of the smaller ones of the elements in the same place", "List.map2 min a b", "smaller_ones"),
    (
        "the list of the distances between the elements in the same place",
        "List.map2 (fun x y -> abs (x - y)) a b",
        "distances",
    ),
)
_SIDES: Gap = (
    (
        "the sum of the products of the elements in the same place",
        "List.fold_left2 (fun s x y -> s + (x * y)) 0 a b",
        "dot",
    ),
    (
        "the sum of the distances of the elements in the same place",
        "List.fold_left2 (fun s x y -> s + abs (x - y)) 0 a b",
        "far",
    ),
    (
        "the number of places with equal elements",
        "List.fold_left2 (fun n x y -> if x = y then n + 1 else n) 0 a b",
        "matches",
    ),
    (
        "the number of places with different elements",
        "List.fold_left2 (fun n x y -> if x <> y then n + 1 else n) 0 a b",
        "mismatches",
    ),
    (
        "the number of places where `a` has the greater element",
        "List.fold_left2 (fun n x y -> if x > y then n + 1 else n) 0 a b",
        "wins",
    ),
)
_HELD: Gap = (
    ("the sum of `x` and the number in `o`", "x + Option.get o", "add"),
    ("the product of `x` and the number in `o`", "x * Option.get o", "multiply"),
    ("`x` minus the number in `o`", "x - Option.get o", "subtract"),
    ("the distance between `x` and the number in `o`", "abs (x - Option.get o)", "distance"),
    ("the larger one of `x` and the number in `o`, plus $k", "max x (Option.get o) + $k", "larger_plus"),
)
_BAD: tuple[tuple[str, ...], ...] = (
    ("negative", "x < 0", "negative"),
    ("over $m", "x > $m", "large"),
    ("odd", "x mod 2 <> 0", "odd"),
    ("zero", "x = 0", "zero"),
    ("equal to $k", "x = $k", "forbidden"),
    ("a multiple of $k", "x mod $k = 0", "multiple"),
)
_RESULT: Gap = (
    ("the list of their doubles", "2 * x", "doubles"),
    ("the list of their squares", "x * x", "squares"),
    ("the list of these numbers, each raised by $k", "x + $k", "raised"),
    ("the list of $m minus each of them", "$m - x", "complements"),
    ("the list of their last digits", "abs x mod 10", "last_digits"),
)
_RANGE: Gap = (
    ("the number of a month, from 1 to 12", 'n < 1 then failwith "$low" else if n > 12', "month"),
    ("the minutes of a time, from 0 to 59", 'n < 0 then failwith "$low" else if n > 59', "minutes"),
    ("the hours of a time, from 0 to 23", 'n < 0 then failwith "$low" else if n > 23', "hours"),
    ("the points in a test, from 0 to $top", 'n < 0 then failwith "$low" else if n > $top', "points"),
    ("a number of guests, from 1 to $top", 'n < 1 then failwith "$low" else if n > $top', "guests"),
    ("the age of a child, from $k to 17", 'n < $k then failwith "$low" else if n > 17', "child_age"),
    ("a price, from $k to $top", 'n < $k then failwith "$low" else if n > $top', "price"),
)
_CHECKED: Gap = (
    ("negative", "n < 0", "negative"),
    ("over $m", "n > $m", "large"),
    ("odd", "n mod 2 <> 0", "odd"),
    ("less than $k", "n < $k", "small"),
    ("zero or negative", "n <= 0", "not_positive"),
)
_PAIRED: Gap = (
    ("the sum of `a` and `b`", "check a + check b", "sum"),
    ("the product of `a` and `b`", "check a * check b", "product"),
    ("twice the larger one of `a` and `b`", "2 * max (check a) (check b)", "double_larger"),
    ("the difference `a - b`", "check a - check b", "difference"),
    ("the distance between `a` and `b`", "abs (check a - check b)", "distance"),
)
_AROUND: Gap = (
    ("the sum of the two numbers at the indices `i` and `i + 1`", "at i + at (i + 1)", "two_sum"),
    ("the sum of the two neighbours of the number at index `i`", "at (i - 1) + at (i + 1)", "neighbour_sum"),
    ("the sum of the number at index `i` and its two neighbours", "at (i - 1) + at i + at (i + 1)", "three_sum"),
    ("how much greater the number at index `i` is than the one before it", "at i - at (i - 1)", "step"),
    ("the product of the two numbers at the indices `i` and `i + 1`", "at i * at (i + 1)", "two_product"),
    (
        "the larger one of the neighbours of the number at index `i`",
        "max (at (i - 1)) (at (i + 1))",
        "larger_neighbour",
    ),
)
_LAST: Gap = (
    ("the last element of `l`", "[ x ] -> x\n    | _ :: rest -> go rest", "last"),
    ("the last element of `l` but one", "[ x; _ ] -> x\n    | _ :: rest -> go rest", "last_but_one"),
    ("the sum of the last two elements of `l`", "[ x; y ] -> x + y\n    | _ :: rest -> go rest", "last_two"),
    ("the largest element of `l`", "[ x ] -> x\n    | x :: rest -> max x (go rest)", "largest"),
    ("the smallest element of `l`", "[ x ] -> x\n    | x :: rest -> min x (go rest)", "smallest"),
    ("the first negative element of `l`", "x :: rest -> if x < 0 then x else go rest", "first_negative"),
    ("the first element of `l` that is over $k", "x :: rest -> if x > $k then x else go rest", "first_large"),
    (
        "the first element of `l` that is greater than the next one",
        "x :: y :: rest -> if x > y then x else go (y :: rest)\n    | [ _ ] -> raise Not_found",
        "first_fall",
    ),
)
_GROWN: Gap = (
    ("the sum of the numbers in `l`", "(fun s x -> if s + x > limit then raise Exit else s + x) 0 l", "sum"),
    ("the product of the numbers in `l`", "(fun p x -> if p * x > limit then raise Exit else p * x) 1 l", "product"),
    (
        "the sum of the squares of the numbers in `l`",
        "(fun s x -> if s + (x * x) > limit then raise Exit else s + (x * x)) 0 l",
        "square_sum",
    ),
)
_SET: Gap = (
    ("sets the element of `a` at index `i` to `x`", "a.(i) <- x", "put"),
    ("adds `x` to the element of `a` at index `i`", "a.(i) <- a.(i) + x", "add"),
    ("multiplies the element of `a` at index `i` by `x`", "a.(i) <- a.(i) * x", "multiply"),
    ("sets the element of `a` after the one at index `i` to `x`", "a.(i + 1) <- x", "put_after"),
    (
        "sets the element of `a` at index `i` from the end (0 for the last one) to `x`",
        "a.(Array.length a - 1 - i) <- x",
        "put_from_end",
    ),
    ("takes `x` off the element of `a` at index `i`", "a.(i) <- a.(i) - x", "take_off"),
    ("copies the element of `a` at index `i` to index `x`", "a.(x) <- a.(i)", "copy"),
)
_GAPS: dict[str, Gap] = {
    "k": number(2, 6),
    "m": number(8, 20),
    "top": number(30, 60),
    "none": number(-1, 9),
    "sign": tuple((c,) for c in "?-*#_"),
    "low": (("too small",), ("too low",), ("too little",)),
    "high": (("too large",), ("too high",), ("too much",)),
    "divided": _DIVIDED,
    "taken": _TAKEN,
    "left": _LEFT,
    "place": _PLACE,
    "letter": _LETTER,
    "cut": _CUT,
    "side": _SIDE,
    "sides": _SIDES,
    "held": _HELD,
    "bad": _BAD,
    "some": _BAD[:3] + _BAD[5:],
    "result": _RESULT,
    "range": _RANGE,
    "checked": _CHECKED,
    "paired": _PAIRED,
    "around": _AROUND,
    "last": _LAST,
    "grown": _GROWN,
    "set": _SET,
}


def _task(level: int, says: tuple[str, ...], names: tuple[str, ...], signature: str, code: str, *inputs: Input) -> Task:
    return Task(level=level, says=says, names=names, signature=signature, code=code, gaps=_GAPS, inputs=inputs)


TASKS = (
    _task(
        1,
        (
            "`$f a b` is $divided. If that is a division by zero, it is $none.",
            "Division by zero raises `Division_by_zero`. Write `$f a b`, which catches that and returns $none. "
            "Otherwise it is $divided.",
        ),
        ("safe_$divided", "$divided"),
        "int -> int -> int",
        "let $f a b = try $divided with Division_by_zero -> $none",
        integers(-20, 60, far=900),
        integers(-3, 6),
    ),
    _task(
        1,
        (
            "`$f a l` divides `a` by each number in `l` in turn, with `/`. If one of them is 0, the result is $none.",
            "Begin with `a`, and divide by the first number of `l`, then by the second, and so on. That is `$f a l`, "
            "or $none if you divide by zero.",
        ),
        ("divide_all", "share_again"),
        "int -> int list -> int",
        "let $f a l = try List.fold_left ( / ) a l with Division_by_zero -> $none",
        integers(-60, 200),
        lists(integers(-2, 4), 0, 4, far=8),
    ),
    _task(
        1,
        (
            "`$f l` is $taken, or $none if the list is too short for that.",
            "`List.hd` and `List.nth` raise `Failure` if a list is too short. Use them for `$f l`, which is $taken, "
            "or $none for such a list.",
        ),
        ("${taken}_or_default", "safe_$taken"),
        "int list -> int",
        "let $f l = try $taken with Failure _ -> $none",
        _SIZES,
    ),
    _task(
        1,
        (
            "`$f l` is the list `l` $left. If the list is too short for that, it is empty.",
            "Return the list `l` $left. Where that fails because the list is too short, return `[]`. Call this `$f l`.",
        ),
        ("safe_$left", "$left"),
        "string list -> string list",
        "let $f l = try $left with Failure _ -> []",
        _sized(words(), 1, 1, 2, 2, 3, 4, 7),
    ),
    _task(
        1,
        (
            "`$f a i` is $place, or $none if there is no such index.",
            "An index outside of an array raises `Invalid_argument`. `$f a i` is $place, and it is $none in that case.",
        ),
        ("safe_$place", "${place}_or_default"),
        "int array -> int -> int",
        "let $f a i = try $place with Invalid_argument _ -> $none",
        _ARRAY,
        _NEAR,
    ),
    _task(
        1,
        (
            "`$f s i` is $letter, or `'$sign'` if there is no such index.",
            "Outside of a string `s.[i]` raises `Invalid_argument`. Write `$f s i`: $letter, and `'$sign'` in that "
            "case.",
        ),
        ("safe_$letter", "${letter}_or_sign"),
        "string -> int -> char",
        "let $f s i = try $letter with Invalid_argument _ -> '$sign'",
        texts(0, 6, far=14),
        _NEAR,
    ),
    _task(
        1,
        (
            '`$f s n` is $cut, or `"$sign"` if that is not possible.',
            "`String.sub` raises `Invalid_argument` where there are no such characters. `$f s n` is $cut, and "
            '`"$sign"` in that case.',
        ),
        ("safe_$cut", "$cut"),
        "string -> int -> string",
        'let $f s n = try $cut with Invalid_argument _ -> "$sign"',
        texts(0, 6, far=14),
        _NEAR,
    ),
    _task(
        1,
        (
            "`$f a b` is $side of the two lists, or `[]` if one list is longer than the other.",
            "For two lists of the same length, `$f a b` is $side. Other lists, for which `List.map2` raises "
            "`Invalid_argument`, give `[]`.",
        ),
        ("safe_$side", "$side"),
        "int list -> int list -> int list",
        "let $f a b = try $side with Invalid_argument _ -> []",
        _SIDE_BY_SIDE,
        _SIDE_BY_SIDE,
    ),
    _task(
        1,
        (
            "`$f a b` is $sides, or $none if one list is longer than the other.",
            "Compare two lists: $sides is `$f a b`. If their lengths differ, `List.fold_left2` raises "
            "`Invalid_argument`; return $none then.",
        ),
        ("safe_$sides", "$sides"),
        "int list -> int list -> int",
        "let $f a b = try $sides with Invalid_argument _ -> $none",
        _CLOSE,
        _CLOSE,
    ),
    _task(
        1,
        (
            "`$f x o` is $held, or $none if `o` is `None`.",
            "`Option.get` raises `Invalid_argument` for `None`. Use it for `$f x o`: it is $held, and $none for "
            "`None`.",
        ),
        ("safe_$held", "$held"),
        "int -> int option -> int",
        "let $f x o = try $held with Invalid_argument _ -> $none",
        integers(-9, 30),
        options(integers(-9, 30)),
    ),
    _task(
        1,
        (
            '`$f n c` is a string of `n` characters `c`. If `n` is negative, it is `"$sign"`.',
            "`String.make n c` raises `Invalid_argument` if `n` is negative. Write `$f n c` that returns the same "
            'string, but `"$sign"` in that case.',
        ),
        ("row", "line"),
        "int -> char -> string",
        'let $f n c = try String.make n c with Invalid_argument _ -> "$sign"',
        integers(-4, 8),
        characters("*+-=abcx"),
    ),
    _task(
        2,
        (
            "If a number in `l` is $bad, `$f l` is the empty list. Otherwise it is $result.",
            "`$f l` takes a list of numbers and returns $result, but `[]` if one of them is $bad. (An exception can "
            "end `List.map` early.)",
        ),
        ("${result}_unless_$bad", "$result"),
        "int list -> int list",
        "let $f l =\n  let change x = if $bad then raise Exit else $result in\n  try List.map change l with Exit -> []",
        _sized(integers(-3, 30), 1, 2, 3, 3, 5, 8),
    ),
    _task(
        2,
        (
            '`n` is meant to be $range. `$f n` is `Ok n` if so, `Error "$low"` if it is less, and `Error '
            '"$high"` if it is more.',
            'Check the number `n`, which has to be $range: `$f n` is `Ok n` if it is fine, and `Error` of `"$low"` or '
            '`"$high"` if not. Raise `Failure` and catch it.',
        ),
        ("check_$range", "checked_$range"),
        "int -> (int, string) result",
        'let $f n =\n  let check n = if $range then failwith "$high" else n in\n'
        "  match check n with\n  | n -> Ok n\n  | exception Failure why -> Error why",
        integers(-15, 75, far=900),
    ),
    _task(
        2,
        (
            "`$f a b` is $paired. But if one of them is $checked, it is $none.",
            "Neither `a` nor `b` may be $checked. `$f a b` is $paired if they are fine, and $none if not. Write a "
            "check that raises `Exit`.",
        ),
        ("${paired}_checked", "$paired"),
        "int -> int -> int",
        "let $f a b =\n  let check n = if $checked then raise Exit else n in\n  try $paired with Exit -> $none",
        _CHECKED_NUMBER,
        _CHECKED_NUMBER,
    ),
    _task(
        2,
        (
            "`$f l` is the first number in `l` that is $some, or $none if there is none.",
            "Go through `l` with `List.iter`, and end it by an exception as soon as you see a number that is $some. "
            "`$f l` is this number, or $none if there is none.",
        ),
        ("first_$some", "find_$some"),
        "int list -> int",
        "exception Found of int\n\nlet $f l =\n  let look x = if $some then raise (Found x) in\n"
        "  try List.iter look l; $none with Found x -> x",
        _NUMBERS,
    ),
    _task(
        2,
        (
            "`$f a` is the index of the first number in the array `a` that is $bad, or -1 if there is none.",
            "At which index of the array `a` is the first number that is $bad? `$f a` answers that, with -1 if there "
            "is none.",
        ),
        ("index_of_$bad", "where_$bad"),
        "int array -> int",
        "exception Found of int\n\nlet $f a =\n  let look i x = if $bad then raise (Found i) in\n"
        "  try Array.iteri look a; -1 with Found i -> i",
        array(integers(-3, 24), 0, 6, far=11),
    ),
    _task(
        2,
        (
            "`$f l i` is $around in the list `l`. Where there is no number at an index, take $none.",
            "In a list `l` of numbers, let every index outside of it stand for $none. `$f l i` is $around.",
        ),
        ("$around",),
        "int list -> int -> int",
        "let $f l i =\n  let at i = try List.nth l i with Failure _ | Invalid_argument _ -> $none in\n  $around",
        _NUMBERS,
        _NEAR,
    ),
    _task(
        2,
        (
            "`$f l` is $last, or $none if there is no such element.",
            "Write `$f l` with a recursive helper that raises `Not_found` at the end of the list. The result is "
            "$last, or $none if there is none.",
        ),
        ("${last}_or_default", "find_$last"),
        "int list -> int",
        "let $f l =\n  let rec go = function\n    | [] -> raise Not_found\n    | $last\n  in\n"
        "  try go l with Not_found -> $none",
        _SIZES,
    ),
    _task(
        2,
        (
            "`$f limit l` is $grown, which are positive. If it is greater than `limit`, the result is $none.",
            "Compute $grown, all positive, but stop with an exception as soon as it exceeds `limit`: then `$f limit "
            "l` is $none.",
        ),
        ("limited_$grown", "${grown}_within"),
        "int -> int list -> int",
        "let $f limit l =\n  try List.fold_left $grown\n  with Exit -> $none",
        integers(10, 40),
        lists(integers(1, 6), 0, 5, far=9),
    ),
    _task(
        2,
        (
            "`$f a i x` $set, and returns the elements of `a` as a list. If there is no such index, nothing changes.",
            "Write `$f a i x`, which $set. A wrong index raises `Invalid_argument`; then leave `a` as it is. The "
            "result is the list of the elements of `a`.",
        ),
        ("safe_$set", "$set"),
        "int array -> int -> int -> int list",
        "let $f a i x =\n  (try $set with Invalid_argument _ -> ());\n  Array.to_list a",
        array(integers(2, 30), 0, 5),
        integers(-2, 5),
        integers(-2, 9),
    ),
    _task(
        2,
        (
            'An element of a list `l` is asked for by its index. `$f l i` is that number as a string; `"$high"` if '
            'the list is too short; and `"$low"` if `i` is negative.',
            "`List.nth l i` raises `Failure` if `l` is too short, and `Invalid_argument` if `i` is negative. Write "
            '`$f l i`: the element as a string, and `"$high"` or `"$low"` in these two cases.',
        ),
        ("show_nth", "describe", "report"),
        "int list -> int -> string",
        'let $f l i =\n  match List.nth l i with\n  | x -> string_of_int x\n  | exception Failure _ -> "$high"\n'
        '  | exception Invalid_argument _ -> "$low"',
        _NUMBERS,
        _NEAR,
    ),
)
