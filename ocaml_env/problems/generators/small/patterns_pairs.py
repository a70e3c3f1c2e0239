"""Small tasks on tuples: taking pairs apart and making them, points and times, and lists of pairs."""

from __future__ import annotations

from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, tuples, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["FAMILY", "TASKS"]

_INT = integers(-9, 20, far=1_000)
_DIGIT = integers(-2, 5)
_AGE = Input(
    lambda chance: str(chance.number(1, 60)) if chance.happens(0.4) else chance.pick(("7", "18", "30")), ("1", "60")
)
_PAIR = tuples(_INT, _INT)
_CLOSE = tuples(_DIGIT, _DIGIT)
_PEOPLE = lists(tuples(words(), _AGE))
_SOLD = lists(tuples(integers(1, 9), integers(1, 20)))
_FRUIT = one_of('"apple"', '"fig"', '"kiwi"', '"pear"')
_COUNTS = lists(tuples(_FRUIT, integers(0, 12)), 0, 6, far=12)
_NUMBERED = lists(tuples(_FRUIT, integers(-4, 12)), 0, 6, far=12)
_CLOCKED = tuples(integers(1, 4), integers(1, 9))
_TIME = Input(
    lambda chance: (
        f"({chance.pick((0, 22, 23)) if chance.happens(0.35) else chance.below(24)}, {chance.number(0, 59)})"
    ),
    ("(0, 0)", "(23, 59)", "(23, 0)", "(0, 30)", "(12, 0)"),
)

_TURN: Gap = (
    ("the pair with its two parts exchanged", "(y, x)", "swap"),
    ("the pair of the sum and the product of its parts", "(x + y, x * y)", "sum_and_product"),
    (
        "the pair of the sum and the difference of its parts, the first minus the second",
        "(x + y, x - y)",
        "sum_and_difference",
    ),
    ("the pair of its first part, taken twice", "(x, x)", "double_first"),
    ("the pair of its second part, taken twice", "(y, y)", "double_second"),
    ("the pair with both signs changed", "(-x, -y)", "negate"),
    ("the pair with $k added to its first part", "(x + $k, y)", "raise_first"),
    ("the pair with $k added to its second part", "(x, y + $k)", "raise_second"),
    ("the pair with both parts multiplied by $k", "($k * x, $k * y)", "scale"),
    ("the pair of the larger and the smaller part", "(max x y, min x y)", "larger_first"),
    ("the pair of its first part and the sum of both", "(x, x + y)", "running"),
)
_ONE: Gap = (
    ("the sum of its parts", "x + y", "sum"),
    ("the product of its parts", "x * y", "product"),
    ("its first part minus its second", "x - y", "difference"),
    ("the distance between its parts", "abs (x - y)", "distance"),
    ("the larger one of its parts", "max x y", "larger"),
    ("the smaller one of its parts", "min x y", "smaller"),
    ("the sum of the squares of its parts", "(x * x) + (y * y)", "squares"),
    ("$k times its first part plus the second", "($k * x) + y", "weighted"),
)
_COMPARED: Gap = (
    ("its first part is greater than its second", "x > y", "falling"),
    ("its first part is less than its second", "x < y", "rising"),
    ("its first part is the double of its second", "x = 2 * y", "double"),
    ("the sum of its parts is greater than $k", "x + y > $k", "large_sum"),
    ("both parts are positive", "x > 0 && y > 0", "both_positive"),
    ("at least one of its parts is negative", "x < 0 || y < 0", "any_negative"),
    ("the parts have the sum $k", "x + y = $k", "exact_sum"),
    ("its parts are at most $k apart", "abs (x - y) <= $k", "close"),
    ("its first part is divisible by $k", "x mod $k = 0", "divisible"),
)
_MOVED: Gap = (
    ("moved by $k to the right", "(x + $k, y)", "right"),
    ("moved by $k to the left", "(x - $k, y)", "left"),
    ("moved up by $k", "(x, y + $k)", "up"),
    ("moved down by $k", "(x, y - $k)", "down"),
    ("mirrored at the x axis", "(x, -y)", "mirror"),
    ("mirrored at the y axis", "(-x, y)", "flip"),
    ("mirrored at the origin `(0, 0)`", "(-x, -y)", "opposite"),
    ("moved by $k to the right and by $m up", "(x + $k, y + $m)", "shift"),
    ("twice as far from the origin `(0, 0)`, in the same direction", "(2 * x, 2 * y)", "stretch"),
    ("turned by 90 degrees to the left, around `(0, 0)`", "(-y, x)", "turn_left"),
    ("turned by 90 degrees to the right, around `(0, 0)`", "(y, -x)", "turn_right"),
)
_PLACED: Gap = (
    ("lies on the x axis", "y = 0", "on_x_axis"),
    ("lies on one of the two axes", "x = 0 || y = 0", "on_axis"),
    ("lies to the right of the y axis", "x > 0", "right"),
    ("lies above the x axis and to the right of the y axis", "x > 0 && y > 0", "first_quadrant"),
    ("lies below the line where x and y are equal", "y < x", "below_diagonal"),
    ("lies above the line where y is $k", "y > $k", "above"),
    (
        "lies in the square with corners `(0, 0)` and `($m, $m)`, edges included",
        "x >= 0 && x <= $m && y >= 0 && y <= $m",
        "in_square",
    ),
    ("has a distance of at most $k from `(0, 0)`", "(x * x) + (y * y) <= $k * $k", "in_circle"),
)
_SIDES: Gap = (
    ("the area of the rectangle", "a * b", "area"),
    ("the perimeter of the rectangle", "2 * (a + b)", "perimeter"),
    ("the length of the longer side", "max a b", "longer"),
    ("the length of the shorter side", "min a b", "shorter"),
    ("the number of tiles with side 1 along its border", "(2 * (a + b)) - 4", "border"),
    ("the area of the rectangle with both sides longer by $k", "(a + $k) * (b + $k)", "larger_area"),
    ("how much longer one side is than the other", "abs (a - b)", "difference"),
)
_MADE: Gap = (
    ("the quotient `n / $k` and the remainder `n mod $k`", "(n / $k, n mod $k)", "divide"),
    ("the number before `n` and the number after it", "(n - 1, n + 1)", "neighbours"),
    ("`n` and its square", "(n, n * n)", "with_square"),
    ("the double and the square of `n`", "(2 * n, n * n)", "double_and_square"),
    (
        "the number that `n` is without its last digit (0 if it has only one), and that digit",
        "(n / 10, n mod 10)",
        "digits",
    ),
    ("the full hours in `n` minutes, and the minutes that are left", "(n / 60, n mod 60)", "hours"),
    ("the full euros in `n` cents, and the cents that are left", "(n / 100, n mod 100)", "euros"),
    ("the full weeks in `n` days, and the days that are left", "(n / 7, n mod 7)", "weeks"),
    ("two numbers with the sum `n`: half of it, rounded down, and the rest", "(n / 2, n - (n / 2))", "share"),
)
_TRIPLE: Gap = (
    ("its middle part", "y", "middle"),
    ("the sum of its three parts", "x + y + z", "sum"),
    ("the product of its three parts", "x * y * z", "product"),
    ("the largest of its parts", "max x (max y z)", "largest"),
    ("the smallest of its parts", "min x (min y z)", "smallest"),
    ("its first part minus its last", "x - z", "difference"),
    ("the sum of its first and its last part", "x + z", "outer_sum"),
    ("the difference between its largest and its smallest part", "max x (max y z) - min x (min y z)", "spread"),
)
_REARRANGED: Gap = (
    ("with its parts in reverse order", "(z, y, x)", "reverse"),
    ("with its first part moved to the end", "(y, z, x)", "rotate"),
    ("with its last part moved to the front", "(z, x, y)", "rotate_back"),
    ("with its first two parts exchanged", "(y, x, z)", "swap_front"),
    ("with its last two parts exchanged", "(x, z, y)", "swap_end"),
)
_LEFT: Gap = (
    ("`(x, (y, z))`", "(x, (y, z))", "regroup"),
    ("`(z, (x, y))`", "(z, (x, y))", "swap_outer"),
    ("`(y, (x, z))`", "(y, (x, z))", "pull_out"),
    ("`(z, (y, x))`", "(z, (y, x))", "turn_round"),
)
_SUMMED: Gap = (
    ("the sum of the three numbers", "x + y + z", "sum"),
    ("the product of the inner pair, plus the outer number", "(x * y) + z", "product_plus"),
    ("the sum of the inner pair, multiplied by the outer number", "(x + y) * z", "sum_times"),
    ("the larger part of the inner pair minus the outer number", "max x y - z", "larger_minus"),
    ("the largest of the three numbers", "max z (max x y)", "largest"),
    ("the distance between the outer number and the sum of the inner pair", "abs (z - (x + y))", "distance"),
)
_TWO: Gap = (
    ("the pair of the sums: first part with first part, second with second", "(a + c, b + d)", "add"),
    ("the pair of the differences: each part of the first pair minus that of the second", "(a - c, b - d)", "subtract"),
    ("the pair of the two first parts", "(a, c)", "firsts"),
    ("the pair of the two second parts", "(b, d)", "seconds"),
    ("the pair of the first part of the one and the second part of the other", "(a, d)", "outer"),
    ("the pair of the products: first part times first part, second times second", "(a * c, b * d)", "multiply"),
    ("the pair of the larger first part and the larger second part", "(max a c, max b d)", "larger_parts"),
    ("the pair of the smaller first part and the larger second part", "(min a c, max b d)", "hull"),
)
_MEASURED: Gap = (
    (
        "the number of steps from one to the other, if each step changes one of the numbers by 1",
        "abs (a - c) + abs (b - d)",
        "steps",
    ),
    ("the square of the distance between them", "((a - c) * (a - c)) + ((b - d) * (b - d))", "squared_distance"),
    ("the larger one of the distances along the two axes", "max (abs (a - c)) (abs (b - d))", "king_moves"),
    ("the area of the rectangle with sides along the axes that has both as corners", "abs ((a - c) * (b - d))", "area"),
)
_RELATED: Gap = (
    ("have the same first part", "a = c", "same_first"),
    ("have a part in the same place that is equal", "a = c || b = d", "share_part"),
    ("have the same sum", "a + b = c + d", "same_sum"),
    ("have the same parts, perhaps in the other order", "(a = c && b = d) || (a = d && b = c)", "same_parts"),
    ("fit together like dominoes: the first ends with what the second begins with", "b = c", "fit"),
    ("are such that each part of the first is less than that of the second", "a < c && b < d", "both_less"),
    (
        "are such that the first part of each times the second of the other gives the same number",
        "a * d = b * c",
        "equal_fractions",
    ),
)
_COLUMN: Gap = (
    ("the first parts of the pairs in `l`", "List.map fst l", "firsts"),
    ("the second parts of the pairs in `l`", "List.map snd l", "seconds"),
    ("the sums of the pairs in `l`", "List.map (fun (x, y) -> x + y) l", "sums"),
    ("the products of the pairs in `l`", "List.map (fun (x, y) -> x * y) l", "products"),
    ("the larger parts of the pairs in `l`", "List.map (fun (x, y) -> max x y) l", "larger_parts"),
    ("the differences of the pairs in `l`, first part minus second", "List.map (fun (x, y) -> x - y) l", "differences"),
    (
        "the first parts of those pairs in `l` whose second part is positive",
        "List.map fst (List.filter (fun (_, y) -> y > 0) l)",
        "positive_firsts",
    ),
)
_SWAPPED: Gap = (
    ("with the two parts of each pair exchanged", "List.map (fun (x, y) -> (y, x)) l", "swap_all"),
    ("with $k added to the second part of each pair", "List.map (fun (x, y) -> (x, y + $k)) l", "raise_all"),
    ("with the first part of each pair doubled", "List.map (fun (x, y) -> (2 * x, y)) l", "double_firsts"),
    ("without the pairs whose two parts are equal", "List.filter (fun (x, y) -> x <> y) l", "without_doubles"),
    (
        "without the pairs whose first part is greater than the second",
        "List.filter (fun (x, y) -> x <= y) l",
        "only_rising",
    ),
    ("without the pairs that have a 0 in them", "List.filter (fun (x, y) -> x <> 0 && y <> 0) l", "without_zeros"),
    (
        "sorted by the second parts, where pairs with equal ones keep their order",
        "List.stable_sort (fun (_, x) (_, y) -> compare x y) l",
        "sort_by_second",
    ),
    ("with the smaller part of each pair first", "List.map (fun (x, y) -> (min x y, max x y)) l", "order_all"),
)
_SALE: Gap = (
    ("the total price", "List.fold_left (fun sum (n, p) -> sum + (n * p)) 0 l", "total"),
    ("how many things there are in all", "List.fold_left (fun sum (n, _) -> sum + n) 0 l", "how_many"),
    ("how many lines have a price above $m", "List.length (List.filter (fun (_, p) -> p > $m) l)", "expensive"),
    ("how many lines have more than $k things", "List.length (List.filter (fun (n, _) -> n > $k) l)", "bulky"),
    ("the largest price of a single thing (0 for no lines)", "List.fold_left (fun m (_, p) -> max m p) 0 l", "highest"),
    (
        "the largest of the prices of the lines (0 for no lines)",
        "List.fold_left (fun m (n, p) -> max m (n * p)) 0 l",
        "top_line",
    ),
)
_WHO: Gap = (
    ("the names in `l`, in order", "List.map fst l", "names"),
    (
        "the names of those in `l` who are at least $age years old",
        "List.map fst (List.filter (fun (_, age) -> age >= $age) l)",
        "adults",
    ),
    (
        "the names of those in `l` who are younger than $age",
        "List.map fst (List.filter (fun (_, age) -> age < $age) l)",
        "young",
    ),
    (
        "the names in `l` from the youngest to the oldest (equal ages in their order)",
        "List.map fst (List.stable_sort (fun (_, a) (_, b) -> compare a b) l)",
        "by_age",
    ),
    (
        "the names in `l` from the oldest to the youngest (equal ages in their order)",
        "List.map fst (List.stable_sort (fun (_, a) (_, b) -> compare b a) l)",
        "oldest_first",
    ),
    (
        "the names in `l`, with capital first letters",
        "List.map (fun (name, _) -> String.capitalize_ascii name) l",
        "capitalized",
    ),
)
_LINE: Gap = (
    ("followed by `: ` and", 'name ^ ": " ^ string_of_int n', "entry"),
    ("followed by ` is ` and", 'name ^ " is " ^ string_of_int n', "phrase"),
    ("followed by ` x ` and", 'name ^ " x " ^ string_of_int n', "order_line"),
    ("followed by `=` and", 'name ^ "=" ^ string_of_int n', "binding"),
    ("followed by ` no. ` and", 'name ^ " no. " ^ string_of_int n', "numbered"),
)

_FOUND: Gap = (
    (
        "the number that belongs to `key` in `l`, the first one if there are several, and 0 if there is none",
        "if k = key then n else $f key rest",
        "lookup",
    ),
    (
        "the sum of all numbers that belong to `key` in `l`",
        "if k = key then n + $f key rest else $f key rest",
        "total_of",
    ),
    (
        "how many pairs of `l` have `key` as their first part",
        "if k = key then 1 + $f key rest else $f key rest",
        "count_of",
    ),
    (
        "the largest number that belongs to `key` in `l`, or 0 if none is greater",
        "if k = key then max n ($f key rest) else $f key rest",
        "best_of",
    ),
    (
        "the sum of the numbers in `l` that do not belong to `key`",
        "if k = key then $f key rest else n + $f key rest",
        "total_of_others",
    ),
)
_EDITED: Gap = (
    ("without all pairs that begin with `key`", "if k = key then $f key rest else (k, n) :: $f key rest", "remove_all"),
    ("without the first pair that begins with `key`", "if k = key then rest else (k, n) :: $f key rest", "remove_one"),
    (
        "with the number raised by $k in each pair that begins with `key`",
        "if k = key then (k, n + $k) :: $f key rest else (k, n) :: $f key rest",
        "raise",
    ),
    (
        "with the number raised by $k in the first pair that begins with `key`",
        "if k = key then (k, n + $k) :: rest else (k, n) :: $f key rest",
        "raise_first",
    ),
    (
        "with the number doubled in each pair that begins with `key`",
        "if k = key then (k, 2 * n) :: $f key rest else (k, n) :: $f key rest",
        "double",
    ),
    (
        "with the number set to $k in each pair that does not begin with `key`",
        "if k = key then (k, n) :: $f key rest else (k, $k) :: $f key rest",
        "reset_others",
    ),
    (
        "only as far as the first pair that begins with `key`, which is left out",
        "if k = key then [] else (k, n) :: $f key rest",
        "before",
    ),
)
_STORED: Gap = (
    ("`n` is added to the number of its first pair", "(k, m + n)", "add"),
    ("`n` takes the place of the number in its first pair", "(k, n)", "put"),
    ("its first pair gets the larger one of its number and `n`", "(k, max m n)", "record_best"),
)
_ZIPPED: Gap = (
    ("an element of `a` and the one of `b` in the same place", "(x, y)", "pair_up"),
    ("an element of `b` and the one of `a` in the same place", "(y, x)", "pair_up_turned"),
    ("the larger and the smaller one of the elements of `a` and `b` in the same place", "(max x y, min x y)", "order"),
    ("the sum and the product of the elements of `a` and `b` in the same place", "(x + y, x * y)", "sums_and_products"),
    ("an element of `a` and how much greater the one of `b` in the same place is", "(x, y - x)", "with_differences"),
)
_UNZIPPED: Gap = (
    ("all first parts, and the list of all second parts", "(x :: a, y :: b)", "unzip"),
    ("all second parts, and the list of all first parts", "(y :: a, x :: b)", "unzip_turned"),
    ("the larger part of each pair, and the list of the smaller ones", "(max x y :: a, min x y :: b)", "unzip_ordered"),
    ("the sums of the pairs, and the list of their products", "((x + y) :: a, (x * y) :: b)", "sums_and_products"),
)
_TESTS: Gap = (
    ("are even", "x mod 2 = 0", "even"),
    ("are negative", "x < 0", "negative"),
    ("are less than $m", "x < $m", "small"),
    ("are greater than $k", "x > $k", "large"),
    ("are divisible by 3", "x mod 3 = 0", "by_three"),
    ("have a single digit", "abs x < 10", "one_digit"),
)
_WINNER: Gap = (
    ("the largest number, the first one if there are several", "n > m", "winner"),
    ("the largest number, the last one if there are several", "n >= m", "last_winner"),
)
_STEP: Gap = (
    ("`(b, a + b)`", "(b, a + b)"),
    ("`(a + b, a - b)`", "(a + b, a - b)"),
    ("`(a + 1, a + b)`", "(a + 1, a + b)"),
    ("`(b, $k * a)`", "(b, $k * a)"),
    ("`(a + $k, b - a)`", "(a + $k, b - a)"),
    ("`(2 * b, a)`", "(2 * b, a)"),
)
_SCORED: Gap = (
    ("3 points for a win and 1 for a draw", "(if x > y then 3 else if x = y then 1 else 0)", "points"),
    ("2 points for a win and 1 for a draw", "(if x > y then 2 else if x = y then 1 else 0)", "old_points"),
    ("1 point for a win, and takes 1 off for a defeat", "(if x > y then 1 else if x < y then -1 else 0)", "balance"),
    ("$k points for a win, and 1 point for each goal shot without a win", "(if x > y then $k else x)", "bonus_points"),
)
_AXIS: Gap = (
    ('`"$here"` on the x axis, `"$flat"` for the others on the y axis', '_, 0 -> "$here"\n  | 0, _ -> "$flat"'),
    ('`"$here"` on the y axis, `"$flat"` for the others on the x axis', '0, _ -> "$here"\n  | _, 0 -> "$flat"'),
    (
        '`"$here"` where both numbers are equal, `"$flat"` for the others with a 0',
        'a, b when a = b -> "$here"\n  | 0, _ | _, 0 -> "$flat"',
    ),
    (
        '`"$here"` where y is greater than x, `"$flat"` where both are equal',
        'x, y when y > x -> "$here"\n  | x, y when x = y -> "$flat"',
    ),
    (
        '`"$here"` where both numbers are positive, `"$flat"` where only x is',
        'x, y when x > 0 && y > 0 -> "$here"\n  | x, _ when x > 0 -> "$flat"',
    ),
    (
        '`"$here"` where x and y are from -2 to 2, `"$flat"` for the others with x over 0',
        'x, y when abs x <= 2 && abs y <= 2 -> "$here"\n  | x, _ when x > 0 -> "$flat"',
    ),
)
_CLOCK: Gap = (
    ("`n` minutes later", "(60 * h) + m + n", "later"),
    ("`n` minutes earlier", "(60 * h) + m - n + 1440", "earlier"),
    ("`n` quarters of an hour later", "(60 * h) + m + (15 * n)", "quarters_later"),
    ("after `n` lessons of 45 minutes", "(60 * h) + m + (45 * n)", "after_lessons"),
    ("after a film of `n` minutes and a break of $m", "(60 * h) + m + n + $m", "after_film"),
)
_GATHERED: Gap = (
    ("how many elements are negative, and how many are not", "if x < 0 then (a + 1, b) else (a, b + 1)", "count_signs"),
    (
        "how many elements are even, and how many are odd",
        "if x mod 2 = 0 then (a + 1, b) else (a, b + 1)",
        "count_parity",
    ),
    ("the sum of the elements, and how many there are", "(a + x, b + 1)", "sum_and_count"),
    (
        "the sum of the negative elements, and the sum of the others",
        "if x < 0 then (a + x, b) else (a, b + x)",
        "split_sum",
    ),
    ("the sum of the elements, and the sum of their squares", "(a + x, b + (x * x))", "sum_and_squares"),
    ("the last two elements: the last one but one, and the last (0 where there is none)", "(b, x)", "last_two"),
    ("the largest and the smallest element, but at least and at most 0", "(max a x, min b x)", "extremes"),
)
_NEIGHBOURS: Gap = (
    ("each number of `l` but the last, with the one after it", "(x, y)", "neighbours"),
    ("each number of `l` but the last, with how much greater the next one is", "(x, y - x)", "with_steps"),
    ("each two neighbours in `l`, the greater one first", "(max x y, min x y)", "ordered_neighbours"),
    ("each number of `l` but the first, with the one before it", "(y, x)", "with_previous"),
    ("each two neighbours in `l`: their sum and their product", "(x + y, x * y)", "sums_and_products"),
    ("each number of `l` but the last, with its distance from the next", "(x, abs (x - y))", "with_distances"),
)
_EARLIER: Gap = (
    (
        "A time of the day is a pair of hours and minutes. `$f p q` tells if the time `p` is earlier than `q`",
        "a < c || (a = c && b < d)",
        "earlier",
    ),
    (
        "A time of the day is a pair of hours and minutes. `$f p q` tells if the time `p` is later than `q`",
        "a > c || (a = c && b > d)",
        "later",
    ),
    (
        "A date is a pair: the day, and the month as a number. `$f p q` tells if `p` comes before `q` in the same year",
        "b < d || (b = d && a < c)",
        "before",
    ),
    (
        "A date is a pair: the day, and the month as a number. `$f p q` tells if `p` comes after `q` in the same year",
        "b > d || (b = d && a > c)",
        "after",
    ),
    (
        "A version is a pair of numbers, the main one first. `$f p q` tells if the version `p` is newer than `q`",
        "a > c || (a = c && b > d)",
        "newer",
    ),
    (
        "A price is a pair of euros and cents (0 to 99). `$f p q` tells if the price `p` is less than `q`",
        "a < c || (a = c && b < d)",
        "cheaper",
    ),
    (
        "A result is a pair of a number of gold medals and one of silver medals. `$f p q` tells if `p` is better than "
        "`q`, where gold counts first",
        "a > c || (a = c && b > d)",
        "better",
    ),
    (
        "A result is a pair of points and faults. `$f p q` tells if `p` is better than `q`: more points, or as many "
        "with fewer faults",
        "a > c || (a = c && b < d)",
        "better_result",
    ),
)
_WALK: Gap = (
    ("moves by that much to the right and up", "(a + x, b + y)", "walk"),
    ("moves by that much to the left and up", "(a - x, b + y)", "walk_mirrored"),
    ("moves by that much to the right and down", "(a + x, b - y)", "walk_down"),
    ("moves by that much in the opposite directions", "(a - x, b - y)", "walk_back"),
    ("moves $k times that much to the right and up", "(a + ($k * x), b + ($k * y))", "run"),
)
_GAPS: dict[str, Gap] = {
    "k": number(2, 6),
    "m": number(5, 14),
    "age": number(16, 30),
    "turn": _TURN,
    "one": _ONE,
    "compared": _COMPARED,
    "moved": _MOVED,
    "placed": _PLACED,
    "side": _SIDES,
    "made": _MADE,
    "triple": _TRIPLE,
    "rearranged": _REARRANGED,
    "left": _LEFT,
    "summed": _SUMMED,
    "two": _TWO,
    "measured": _MEASURED,
    "related": _RELATED,
    "column": _COLUMN,
    "swapped": _SWAPPED,
    "sale": _SALE,
    "who": _WHO,
    "line": _LINE,
    "found": _FOUND,
    "edited": _EDITED,
    "stored": _STORED,
    "zipped": _ZIPPED,
    "unzipped": _UNZIPPED,
    "test": _TESTS,
    "best": _WINNER,
    "step": _STEP,
    "scored": _SCORED,
    "axis": _AXIS,
    "clock": _CLOCK,
    "gathered": _GATHERED,
    "neighbours": _NEIGHBOURS,
    "earlier": _EARLIER,
    "walk": _WALK,
    "nobody": (("nobody",), ("no one",), ("none",), ("-",)),
    "kind": (("int",), ("string",), ("char",)),
    "here": (("centre",), ("home",), ("here",), ("start",)),
    "flat": (("line",), ("street",), ("near",), ("axis",)),
    "away": (("away",), ("elsewhere",), ("outside",), ("nowhere",)),
}


def _task(
    level: int,
    says: tuple[str, ...],
    names: tuple[str, ...],
    signature: str,
    code: str,
    *inputs: Input,
    edges: tuple[tuple[str, ...], ...] = (),
) -> Task:
    return Task(
        level=level, says=says, names=names, signature=signature, code=code, gaps=_GAPS, inputs=inputs, edges=edges
    )


TASKS = (
    _task(
        1,
        (
            "`$f (x, y)` is $turn.",
            "Write a function `$f` that turns a pair `(x, y)` of numbers into $turn.",
        ),
        ("$turn", "${turn}_pair"),
        "int * int -> int * int",
        "let $f (x, y) = $turn",
        _PAIR,
    ),
    _task(
        1,
        (
            "`$f p` takes a pair of numbers and returns $one.",
            "Given a pair `(x, y)`, return $one. Call it `$f (x, y)`.",
        ),
        ("$one", "${one}_of_pair"),
        "int * int -> int",
        "let $f (x, y) = $one",
        _PAIR,
    ),
    _task(
        1,
        (
            "`$f p` takes a pair `p` of numbers and tells if $compared.",
            "Is it true of the pair `p` that $compared? `$f p` answers that.",
        ),
        ("$compared", "is_$compared"),
        "int * int -> bool",
        "let $f (x, y) = $compared",
        tuples(integers(-2, 7), integers(-2, 7)),
    ),
    _task(
        1,
        (
            "A point is a pair `(x, y)`. `$f (x, y)` is this point, $moved.",
            "Where is the point `p` when it has been $moved? `$f p` is that point, again as a pair of x and y.",
        ),
        ("$moved", "${moved}_point"),
        "int * int -> int * int",
        "let $f (x, y) = $moved",
        _PAIR,
    ),
    _task(
        1,
        (
            "`$f (x, y)` tells if the point `(x, y)` $placed.",
            "A point is a pair of numbers, x and y. `$f p` tells if the point `p` $placed.",
        ),
        ("$placed", "is_$placed"),
        "int * int -> bool",
        "let $f (x, y) = $placed",
        tuples(integers(-4, 8), integers(-4, 8)),
    ),
    _task(
        1,
        (
            "A pair holds the two sides of a rectangle, which are at least 2. `$f (a, b)` is $side.",
            "A rectangle has the sides `a` and `b`, both at least 2. Write `$f (a, b)` that returns $side.",
        ),
        ("$side", "rectangle_$side"),
        "int * int -> int",
        "let $f (a, b) = $side",
        tuples(integers(2, 20), integers(2, 20)),
    ),
    _task(
        1,
        (
            "`$f n` is a pair: $made. The number `n` is not negative.",
            "Write `$f n` that returns two numbers as a pair: $made. (`n` is not negative.)",
        ),
        ("$made", "${made}_pair"),
        "int -> int * int",
        "let $f n = $made",
        integers(0, 300, far=5_000),
    ),
    _task(
        1,
        (
            "`$f t` takes a triple of numbers and returns $triple.",
            "A triple `(x, y, z)` holds three numbers. `$f (x, y, z)` is $triple.",
        ),
        ("$triple", "${triple}_of_three"),
        "int * int * int -> int",
        "let $f (x, y, z) = $triple",
        tuples(_INT, _INT, _INT),
    ),
    _task(
        1,
        ("`$f t` is the triple `t` $rearranged.", "Take a triple, and return it $rearranged: that is `$f t`."),
        ("$rearranged", "${rearranged}_triple"),
        "'a * 'a * 'a -> 'a * 'a * 'a",
        "let $f (x, y, z) = $rearranged",
        tuples(words(), words(), words()),
    ),
    _task(
        1,
        (
            "`$f` turns the nested pair `((x, y), z)` into $left.",
            "Regroup a nested pair: `$f ((x, y), z)` is $left.",
        ),
        ("$left", "${left}_pairs"),
        "($kind * $kind) * $kind -> $kind * ($kind * $kind)",
        "let $f ((x, y), z) = $left",
    ),
    _task(
        1,
        (
            "A pair consists of a pair of numbers and a number: `$f ((x, y), z)` is $summed.",
            "Write a function `$f` that takes a nested pair `((x, y), z)` of numbers. It returns $summed.",
        ),
        ("$summed", "${summed}_nested"),
        "(int * int) * int -> int",
        "let $f ((x, y), z) = $summed",
    ),
    _task(
        1,
        (
            "`$f (a, b) (c, d)` takes two pairs of numbers and returns $two.",
            "Combine two pairs `p` and `q` of numbers: `$f p q` is $two.",
        ),
        ("$two", "${two}_pairs"),
        "int * int -> int * int -> int * int",
        "let $f (a, b) (c, d) = $two",
        _PAIR,
        _PAIR,
    ),
    _task(
        1,
        (
            "Two points are given as pairs of x and y. `$f p q` is $measured.",
            "For the points `p` and `q`, each a pair of numbers, `$f p q` is $measured.",
        ),
        ("$measured",),
        "int * int -> int * int -> int",
        "let $f (a, b) (c, d) = $measured",
        _PAIR,
        _PAIR,
    ),
    _task(
        1,
        (
            "`$f p q` tells if the pairs `p` and `q` $related.",
            "Is it so that two pairs `p` and `q` $related? `$f p q` answers that.",
        ),
        ("$related",),
        "int * int -> int * int -> bool",
        "let $f (a, b) (c, d) = $related",
        _CLOSE,
        _CLOSE,
        edges=(
            *(("(2, 3)", other) for other in ("(3, 2)", "(2, 3)", "(2, 2)", "(3, 3)", "(1, 4)", "(4, 6)", "(3, 4)")),
            ("(2, 2)", "(2, 3)"),
            ("(1, 2)", "(2, 1)"),
        ),
    ),
    _task(
        1,
        (
            "`$f l` is the list of $column, in order.",
            "From a list `l` of pairs of numbers, make the list of $column. Call it `$f l`.",
        ),
        ("$column",),
        "(int * int) list -> int list",
        "let $f l = $column",
        lists(_PAIR),
    ),
    _task(
        1,
        (
            "`$f l` is the list `l` of pairs, but $swapped.",
            "Take a list `l` of pairs of numbers and return it $swapped: this is `$f l`.",
        ),
        ("$swapped",),
        "(int * int) list -> (int * int) list",
        "let $f l = $swapped",
        lists(tuples(integers(-2, 4), integers(-2, 4))),
    ),
    _task(
        1,
        (
            "Each pair of a bill `l` says how many of a thing were bought, and the price of one. `$f l` is $sale.",
            "A bill is a list of pairs `(n, p)`: `n` things that cost `p` each. `$f l` is $sale.",
        ),
        ("$sale",),
        "(int * int) list -> int",
        "let $f l = $sale",
        _SOLD,
    ),
    _task(
        1,
        (
            "The pairs in `l` are names and ages. `$f l` is the list of $who.",
            "In the list `l` each person is a pair of a name and an age. Write `$f l` that returns $who.",
        ),
        ("$who",),
        "(string * int) list -> string list",
        "let $f l = $who",
        _PEOPLE,
    ),
    _task(
        1,
        (
            "`$f p` takes a pair of a name and a number. It is the name $line the number, as a string.",
            "Write a pair of a name and a number as text: `$f (name, n)` is the name, $line the number.",
        ),
        ("$line", "show_$line"),
        "string * int -> string",
        "let $f (name, n) = $line",
        tuples(words(), integers(-20, 60, far=1_000)),
    ),
    _task(
        2,
        (
            "The list `l` has pairs of a name and a number. `$f key l` is $found.",
            "In `l`, numbers belong to names: it is a list of pairs. Write a recursive function `$f key l` that "
            "returns $found.",
        ),
        ("$found",),
        "string -> (string * int) list -> int",
        "let rec $f key l =\n  match l with\n  | [] -> 0\n  | (k, n) :: rest -> $found",
        _FRUIT,
        _NUMBERED,
    ),
    _task(
        2,
        (
            "The list `l` has pairs of a name and a number. `$f key l` is this list $edited.",
            "A stock `l` is a list of pairs: a thing, and how many there are. `$f key l` is the list `l` $edited.",
        ),
        ("$edited", "${edited}_key"),
        "string -> (string * int) list -> (string * int) list",
        "let rec $f key l =\n  match l with\n  | [] -> []\n  | (k, n) :: rest ->\n    $edited",
        _FRUIT,
        _COUNTS,
    ),
    _task(
        2,
        (
            "A stock `l` is a list of pairs: a name and a number. In `$f key n l`, $stored, if `key` occurs; if not, "
            "the pair `(key, n)` is added at the end.",
            "Change a list `l` of names and numbers for the name `key`: $stored. If there is no such pair, put `(key, "
            "n)` at the end. `$f key n l` is the new list.",
        ),
        ("$stored", "${stored}_number"),
        "string -> int -> (string * int) list -> (string * int) list",
        "let rec $f key n l =\n  match l with\n  | [] -> [ (key, n) ]\n"
        "  | (k, m) :: rest -> if k = key then $stored :: rest else (k, m) :: $f key n rest",
        _FRUIT,
        integers(0, 12),
        _COUNTS,
    ),
    _task(
        2,
        (
            "`$f a b` is a list of pairs: $zipped. It ends where the shorter list ends.",
            "Go through two lists side by side, as far as the shorter one goes. `$f a b` is the list of these pairs: "
            "$zipped.",
        ),
        ("$zipped", "${zipped}_lists"),
        "int list -> int list -> (int * int) list",
        "let rec $f a b =\n  match (a, b) with\n  | x :: r, y :: s -> $zipped :: $f r s\n  | _ -> []",
        lists(_INT, 0, 5, far=12),
        lists(_INT, 0, 5, far=12),
    ),
    _task(
        2,
        (
            "`$f l` is a pair of lists, made from a list of pairs: the list of $unzipped.",
            "Write a recursive function `$f l` that returns two lists as a pair, made from the pairs in `l`: the list "
            "of $unzipped.",
        ),
        ("$unzipped",),
        "(int * int) list -> int list * int list",
        "let rec $f l =\n  match l with\n  | [] -> ([], [])\n"
        "  | (x, y) :: rest ->\n    let a, b = $f rest in\n    $unzipped",
        lists(_PAIR, 0, 5, far=11),
    ),
    _task(
        2,
        (
            "`$f l` is a pair of two lists: the numbers of `l` that $test, and the others, both in their order.",
            "Split a list `l` of numbers in two. The first list has the numbers that $test, the second one the "
            "others. `$f l` is the pair of both.",
        ),
        ("split_$test", "divide_$test"),
        "int list -> int list * int list",
        "let rec $f l =\n  match l with\n  | [] -> ([], [])\n"
        "  | x :: rest ->\n    let a, b = $f rest in\n    if $test then (x :: a, b) else (a, x :: b)",
        lists(integers(-12, 24), 0, 6, far=12),
    ),
    _task(
        2,
        (
            'In a list `l` of names with points, which are positive, `$f l` is the name with $best. It is `"$nobody"` '
            "for the empty list.",
            "Who has won? `l` has pairs of a name and a positive number of points. `$f l` is the name with $best, or "
            '`"$nobody"` if `l` is empty.',
        ),
        ("$best", "find_$best"),
        "(string * int) list -> string",
        "let $f l =\n  let better (name, m) (other, n) = if $best then (other, n) else (name, m) in\n"
        '  fst (List.fold_left better ("$nobody", 0) l)',
        lists(tuples(words(), integers(1, 5)), 0, 5, far=12),
    ),
    _task(
        2,
        (
            "A step makes of the pair `(a, b)` the pair $step. `$f n p` is the pair after `n` steps from the pair "
            "`p`; `n` is not negative.",
            "Start with a pair of numbers and replace `(a, b)` by $step, `n` times in all. `$f n (a, b)` is the last "
            "pair. The number `n` is at least 0.",
        ),
        ("repeat", "steps", "after_steps"),
        "int -> int * int -> int * int",
        "let rec $f n (a, b) =\n  if n = 0 then (a, b)\n  else $f (n - 1) $step",
        integers(0, 6, far=12),
        tuples(integers(-3, 9), integers(-3, 9)),
    ),
    _task(
        2,
        (
            "Each pair of `l` is the result of a match: our goals, then theirs. `$f l` adds up $scored.",
            "A team has played some matches; each pair in `l` has its own goals first and then those of the other "
            "team. `$f l` counts $scored, and returns the total.",
        ),
        ("$scored", "total_$scored"),
        "(int * int) list -> int",
        "let rec $f l =\n  match l with\n  | [] -> 0\n  | (x, y) :: rest ->\n    $scored + $f rest",
        lists(tuples(integers(0, 4), integers(0, 4)), 0, 6, far=12),
    ),
    _task(
        2,
        (
            'A point is a pair of numbers. `$f p` is $axis, and `"$away"` for all other points.',
            'Where is a point `(x, y)`? Write `$f (x, y)` with patterns: it is $axis, and `"$away"` otherwise.',
        ),
        ("where", "place", "locate"),
        "int * int -> string",
        'let $f p =\n  match p with\n  | $axis\n  | _ -> "$away"',
        tuples(integers(-5, 5), integers(-5, 5)),
    ),
    _task(
        2,
        (
            "A time of the day is a pair of hours (0 to 23) and minutes (0 to 59). `$f (h, m) n` is the time $clock, "
            "where 0:00 follows on 23:59. `n` is from 0 to 100.",
            "What time is it $clock? `$f (h, m) n` answers that for the time `(h, m)`, as a pair of hours (0 to 23) "
            "and minutes. After 23:59 comes 0:00; `n` is from 0 to 100.",
        ),
        ("$clock", "time_$clock"),
        "int * int -> int -> int * int",
        "let $f (h, m) n =\n  let t = $clock in\n  (t / 60 mod 24, t mod 60)",
        _TIME,
        integers(0, 100),
        edges=(
            ("(23, 59)", "1"),
            ("(0, 0)", "1"),
            ("(22, 50)", "70"),
            ("(0, 30)", "45"),
            ("(9, 15)", "0"),
            ("(12, 0)", "60"),
        ),
    ),
    _task(
        2,
        (
            "`$f l` is a pair of two numbers: $gathered. For the empty list it is `(0, 0)`.",
            "Go through the list `l` of numbers once, and return a pair: $gathered. Call it `$f l`; `$f []` is `(0, "
            "0)`.",
        ),
        ("$gathered",),
        "int list -> int * int",
        "let $f l =\n  let next (a, b) x = $gathered in\n  List.fold_left next (0, 0) l",
        lists(_INT, 0, 6, far=12),
    ),
    _task(
        2,
        (
            "`$f l` is a list of pairs: $neighbours. It is empty if `l` has fewer than two numbers.",
            "Make pairs of the numbers that stand side by side in `l`: $neighbours. `$f l` is the list of these "
            "pairs; for fewer than two numbers it is empty.",
        ),
        ("$neighbours",),
        "int list -> (int * int) list",
        "let rec $f l =\n  match l with\n  | x :: (y :: _ as rest) -> $neighbours :: $f rest\n  | _ -> []",
        lists(_INT, 0, 6, far=12),
    ),
    _task(
        2,
        (
            "`$f n l` numbers the elements of `l`: it is the list of the pairs of a number and an element, where the "
            "numbers begin with `n` and grow by $k each time.",
            "Give numbers to the words in `l`, beginning with `n` and growing by $k from one word to the next. `$f n "
            "l` is the list of the pairs of number and word.",
        ),
        ("number_from", "with_numbers", "enumerate"),
        "int -> string list -> (int * string) list",
        "let rec $f n l =\n  match l with\n  | [] -> []\n  | x :: rest -> (n, x) :: $f (n + $k) rest",
        integers(-5, 20),
        lists(words(), 0, 5, far=12),
    ),
    _task(
        2,
        ("$earlier.",),
        ("$earlier", "is_$earlier"),
        "int * int -> int * int -> bool",
        "let $f (a, b) (c, d) =\n  $earlier",
        _CLOCKED,
        _CLOCKED,
        edges=(
            *(("(3, 5)", other) for other in ("(3, 5)", "(3, 6)", "(3, 4)", "(2, 6)", "(4, 4)", "(4, 5)", "(5, 3)")),
            ("(9, 10)", "(10, 9)"),
        ),
    ),
    _task(
        2,
        (
            "A point `p` goes through a list `l` of pairs `(x, y)`, and each time $walk. `$f p l` is the pair where "
            "it ends.",
            "For each pair `(x, y)` in `l`, in turn, the point `p` $walk. Where does it arrive? `$f p l` is that "
            "point.",
        ),
        ("$walk",),
        "int * int -> (int * int) list -> int * int",
        "let rec $f (a, b) l =\n  match l with\n  | [] -> (a, b)\n  | (x, y) :: rest -> $f $walk rest",
        _PAIR,
        lists(_PAIR, 0, 4, far=11),
    ),
)

FAMILY = Family(
    name="patterns.pairs",
    topics=("pattern-matching", "lists"),
    description="tuples taken apart and made: pairs of numbers, points and times, and lists of pairs",
    tasks=TASKS,
)
