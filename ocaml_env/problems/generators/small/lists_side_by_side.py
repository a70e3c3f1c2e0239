"""Small tasks on two lists walked at once, on lists of pairs, and on elements with their positions."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, tuples
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_FOUR = lists(integers(-20, 30, far=700), 4, 4)  # two of these have the same length
_SAME = (
    ("[]", "[]"),
    ("[7]", "[3]"),
    ("[-6]", "[-8]"),
    ("[2; 5]", "[5; 2]"),
    ("[-3; 0; 3]", "[1; -1; -3]"),
    ("[4; 4; 9; 1; 6]", "[4; 8; 3; 1; 7]"),
    ("[8; 0; 2; -5; 2; 1; 30]", "[0; 0; 2; 5; 1; 2; 40]"),
    ("[1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12]", "[12; 11; 10; 9; 8; 7; 6; 5; 4; 3; 2; 1]"),
)
_PAIRS = lists(tuples(integers(-20, 30, far=700), integers(-20, 30, far=700)))
_FRUIT = one_of('"fig"', '"pear"', '"plum"', '"kiwi"')
_TWO = lists(integers(0, 3), 0, 2, far=9)


def _prices(chance: Chance) -> str:
    """Prices of different things."""
    names = chance.sample(("fig", "pear", "plum", "kiwi"), chance.pick((0, 1, 1, 2, 2, 3, 4)))
    return "[" + "; ".join(f'("{name}", {chance.number(0, 40)})' for name in names) + "]"


_ORDERS: tuple[tuple[str, str], ...] = (
    ("equal to", "a = b"),
    ("different from", "a <> b"),
    ("greater than", "a > b"),
    ("at most as great as", "a <= b"),
)

_GAPS: dict[str, Gap] = {
    "k": number(2, 20),
    "d": number(2, 5),
    "made": (
        ("the sum of the two elements", "a + b"),
        ("the element of `xs` minus the one of `ys`", "a - b"),
        ("the product of the two elements", "a * b"),
        ("the greater of the two elements", "max a b"),
        ("the distance between the two elements", "abs (a - b)"),
        ("the sum of the two elements and $k", "a + b + $k"),
        ("$d times the element of `xs` plus the one of `ys`", "($d * a) + b"),
        ("the smallest of the two elements and $k", "min $k (min a b)"),
    ),
    "total": (
        ("the sum of the products of two elements at the same place", "(fun sum a b -> sum + (a * b)) 0"),
        ("the sum of the distances of two elements at the same place", "(fun sum a b -> sum + abs (a - b)) 0"),
        ("the sum of the greater of the two elements at each place", "(fun sum a b -> sum + max a b) 0"),
        (
            "the greatest sum of two elements at the same place, but at least $k",
            "(fun best a b -> max best (a + b)) $k",
        ),
        ("the number of places where both have the same element", "(fun n a b -> if a = b then n + 1 else n) 0"),
        ("the number of places where `xs` has the greater element", "(fun n a b -> if a > b then n + 1 else n) 0"),
    ),
    "pair": (
        ("the sum of its parts", "a + b"),
        ("its first part minus its second", "a - b"),
        ("the product of its parts", "a * b"),
        ("the greater of its parts", "max a b"),
        ("its first part plus $d times its second", "a + ($d * b)"),
        ("the sum of its parts, but at most $k", "min $k (a + b)"),
        ("its first part times $k plus its second", "(a * $k) + b"),
    ),
    "which": (
        ("whose parts are equal", "a = b"),
        ("with the greater part first", "a > b"),
        ("whose sum is greater than $k", "a + b > $k"),
        ("whose sum is exactly $k", "a + b = $k"),
        ("whose first part is at most $d times the second", "a <= $d * b"),
        ("whose sum is divisible by $d", "(a + b) mod $d = 0"),
        ("whose parts differ by at most $d", "abs (a - b) <= $d"),
        ("whose second part is at least $d greater than the first", "b >= a + $d"),
    ),
    "common": (
        ("the elements of `xs` that are in `ys` too", "List.filter (fun x -> List.mem x ys) xs"),
        ("the elements of `xs` that are not in `ys`", "List.filter (fun x -> not (List.mem x ys)) xs"),
        ("all elements of both lists in ascending order", "List.sort compare (xs @ ys)"),
        ("all elements of both lists in descending order", "List.sort (fun a b -> compare b a) (xs @ ys)"),
        ("all elements of both lists, each once, in ascending order", "List.sort_uniq compare (xs @ ys)"),
        ("those elements of both lists, first `xs`, that are at least $d", "List.filter (fun x -> x >= $d) (xs @ ys)"),
        ("the elements of `xs`, then those of `ys` with $k added to each", "xs @ List.map (fun y -> y + $k) ys"),
    ),
    "place": (
        ("the sum of the element and its position", "i + x"),
        ("the product of the element and its position", "i * x"),
        ("the element minus its position", "x - i"),
        ("the element plus $k times its position", "x + ($k * i)"),
        ("the greater of the element and its position", "max i x"),
        ("the element if its position is at least $d, and otherwise 0", "if i >= $d then x else 0"),
        ("the element if its position is a multiple of $d, and otherwise $k", "if i mod $d = 0 then x else $k"),
    ),
    "end": (("is left out", "| _ -> []"), ("follows unchanged at the end", "| rest, [] | [], rest -> rest")),
    "put": (
        ("first the element of `xs`, then the one of `ys`", "a :: b"),
        ("first the element of `ys`, then the one of `xs`", "b :: a"),
        ("the smaller of the two elements, then the greater one", "min a b :: max a b"),
        ("the two elements and then their sum", "a :: b :: (a + b)"),
        ("the two elements with $k between them", "a :: $k :: b"),
    ),
    "than": (*_ORDERS, ("at least $d greater than", "a >= b + $d"), ("at least $d less than", "a <= b - $d")),
    "until": (
        ("Places that only one of the lists has do not count.", "| _ -> true"),
        ("If the lists have different lengths, it is `false`.", "| [], [] -> true\n  | _ -> false"),
        ("If `ys` is shorter, it is `false`; it may be longer.", "| [], _ -> true\n  | _ -> false"),
    ),
    "found": (
        ("the element of `xs`", "a"),
        ("the element of `ys`", "b"),
        ("the sum of the two elements", "(a + b)"),
        ("the number of elements that follow in `xs`", "(List.length xs)"),
    ),
    "sum": (
        (
            "what all `names` cost together, where one without a price costs $k",
            "Some p -> n + p | None -> n + $k",
        ),
        ("how many of `names` have a price above $k", "Some p when p > $k -> n + 1 | _ -> n"),
        ("how many of `names` have no price", "Some _ -> n | None -> n + 1"),
        ("the highest price of one of `names`, or 0 if none has one", "Some p -> max n p | None -> n"),
    ),
    "flags": (
        ("only the numbers with `true`", "x :: $f l flags else $f l flags"),
        ("only the numbers with `false`", "$f l flags else x :: $f l flags"),
        ("the numbers with `true`, and $k in place of each other one", "x :: $f l flags else $k :: $f l flags"),
        ("all numbers, but those with `true` multiplied by $d", "($d * x) :: $f l flags else x :: $f l flags"),
        ("all numbers, but those with `false` reduced by $k", "x :: $f l flags else (x - $k) :: $f l flags"),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "The lists `xs` and `ys` have the same length. `$f xs ys` lists, for each place, $made.",
            "Given two lists `xs` and `ys` of the same length, return the list that has $made at each place: `$f xs ys`.",
        ),
        names=("combine", "by_place", "pairwise"),
        signature="int list -> int list -> int list",
        code="let $f xs ys = List.map2 (fun a b -> $made) xs ys",
        gaps=_GAPS,
        inputs=(_FOUR, _FOUR),
        edges=_SAME,
    ),
    Task(
        level=1,
        says=(
            "The lists `xs` and `ys` have the same length. `$f xs ys` is $total.",
            "Compare two lists `xs` and `ys` of the same length: return $total, which is `$f xs ys`.",
        ),
        names=("compare_lists", "total", "together"),
        signature="int list -> int list -> int",
        code="let $f xs ys = List.fold_left2 $total xs ys",
        gaps=_GAPS,
        inputs=(lists(integers(-3, 13, far=300), 4, 4), lists(integers(-3, 13, far=300), 4, 4)),
        edges=_SAME,
    ),
    Task(
        level=1,
        says=(
            "`$f l` replaces each pair in `l` by $pair.",
            "For each pair of numbers in the list `l`, list $pair: `$f l`.",
        ),
        names=("of_pairs", "flatten_pairs", "each_pair"),
        signature="(int * int) list -> int list",
        code="let $f l = List.map (fun (a, b) -> $pair) l",
        gaps=_GAPS,
        inputs=(_PAIRS,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` keeps only those pairs of the list `l` $which.",
            "List the pairs in `l` $which, in order: `$f l`.",
        ),
        names=("select_pairs", "keep", "choose"),
        signature="(int * int) list -> (int * int) list",
        code="let $f l = List.filter (fun (a, b) -> $which) l",
        gaps={**_GAPS, "k": number(4, 12)},
        inputs=(lists(tuples(integers(-5, 10), integers(-5, 10)), 0, 6, far=12),),
    ),
    Task(
        level=1,
        says=("`$f xs ys` returns $common.", "Given two lists `xs` and `ys` of integers, return $common: `$f xs ys`."),
        names=("both", "from_lists", "of_two"),
        signature="int list -> int list -> int list",
        code="let $f xs ys = $common",
        gaps=_GAPS,
        inputs=(lists(integers(-3, 9, far=300), 0, 6, far=12), lists(integers(-3, 9, far=300), 0, 6, far=12)),
    ),
    Task(
        level=1,
        says=(
            "`$f l` lists, for each element of `l`, $place. Positions begin with $first.",
            "Replace each element in `l` by this: $place, where the first one has position $first. Call the function `$f l`.",
        ),
        names=("with_position", "by_position", "numbered"),
        signature="int list -> int list",
        code="let $f l = List.mapi (fun i x -> $place) l",
        gaps={**_GAPS, "first": (("0",),)},
    ),
    Task(
        level=2,
        says=(
            "`$f xs ys` lists, for each place that both lists have, $made. What is left of the longer list $end.",
            "Walk through `xs` and `ys` side by side and list, for each place, $made: `$f xs ys`. If one list is longer, the "
            "rest of it $end.",
        ),
        names=("combine", "side_by_side", "zip_numbers"),
        signature="int list -> int list -> int list",
        code="let rec $f xs ys =\n  match (xs, ys) with\n  | a :: xs, b :: ys -> ($made) :: $f xs ys\n  $end",
        gaps=_GAPS,
        inputs=(lists(integers(-20, 30, far=700), 0, 5, far=11), lists(integers(-20, 30, far=700), 0, 5, far=11)),
    ),
    Task(
        level=2,
        says=(
            "`$f xs ys` goes through both lists at once, and takes at each place $put. The rest of the longer list $end.",
            "Make one list of `xs` and `ys`: for each place that both have, $put. What is left of the longer one $end. Call "
            "the function `$f xs ys`.",
        ),
        names=("weave", "interleave", "shuffle"),
        signature="int list -> int list -> int list",
        code="let rec $f xs ys =\n  match (xs, ys) with\n  | a :: xs, b :: ys -> $put :: $f xs ys\n  $end",
        gaps=_GAPS,
        inputs=(lists(integers(-9, 30, far=700), 0, 4, far=9), lists(integers(-9, 30, far=700), 0, 4, far=9)),
    ),
    Task(
        level=2,
        says=(
            "`$f xs ys` tells whether each element of `xs` is $than the element of `ys` at the same place. $until",
            "Is every element of `xs` $than its partner at the same place in `ys`? `$f xs ys` is the answer. $until",
        ),
        names=("all_places", "compare_lists", "check"),
        signature="int list -> int list -> bool",
        code="let rec $f xs ys =\n  match (xs, ys) with\n  | a :: xs, b :: ys -> $than && $f xs ys\n  $until",
        gaps={**_GAPS, "than": _ORDERS},
        inputs=(_TWO, _TWO),
        edges=(
            ("[]", "[]"),
            ("[2]", "[2]"),
            ("[1; 2]", "[1; 2]"),
            ("[3; 1; 4]", "[3; 1; 4]"),
            ("[1; 2]", "[1; 2; 3]"),
            ("[4; 5; 1]", "[4; 5]"),
            ("[5; 5]", "[0; 0; 0]"),
            ("[9; 8; 8]", "[0; 0]"),
            ("[9; 8]", "[1; 2]"),
            ("[0; 1]", "[6; 7]"),
            ("[0]", "[8; 8]"),
            ("[1; 2; 3; 4; 5]", "[1; 2; 3; 4; 9]"),
            ("[1; 2; 3; 4; 9]", "[0; 1; 2; 3; 9]"),
            ("[5; 5; 5; 5; 5; 5]", "[6; 6; 6; 6; 6; 1]"),
            ("[9; 9; 9; 9; 9]", "[8; 8; 8; 8; 8; 9]"),
            ("[-1; -5]", "[-2; -7]"),
            ("[1; 2; 3; 4; 5; 6; 7; 8; 9; 300]", "[1; 2; 3; 4; 5; 6; 7; 8; 9; 300]"),
            ("[9; 9; 9; 9; 9; 9; 9; 9; 9; 9]", "[1; 1; 1; 1; 1; 1; 1; 1; 1; 1]"),
            ("[1; 1; 1; 1; 1; 1; 1; 1; 1; 1]", "[9; 9; 9; 9; 9; 9; 9; 9; 9; 9; 9]"),
        ),
    ),
    Task(
        level=2,
        says=(
            "Find the first place where the element of `xs` is $than the one of `ys`. `$f xs ys` is `Some` of $found, or "
            "`None` if there is no such place in both lists.",
            "`$f xs ys` is `Some` of $found at the first place where the one of `xs` is $than the one of `ys`. It is `None` "
            "if one of the lists ends before.",
        ),
        names=("first_place", "search", "find_match"),
        signature="int list -> int list -> int option",
        code="let rec $f xs ys =\n  match (xs, ys) with\n"
        "  | a :: xs, b :: ys -> if $than then Some $found else $f xs ys\n  | _ -> None",
        gaps=_GAPS,
        inputs=(lists(integers(-3, 9, far=300), 0, 4, far=10), lists(integers(-3, 9, far=300), 0, 4, far=10)),
    ),
    Task(
        level=2,
        says=(
            "`flags` has a boolean for each number in `l`, at the same place. `$f l flags` lists $flags. What one of the lists "
            "has beyond the end of the other is ignored.",
            "Each number in `l` comes with the boolean at its place in `flags`; what has no partner is left out. `$f l flags` "
            "is the list of $flags.",
        ),
        names=("select", "by_flags", "marked"),
        signature="int list -> bool list -> int list",
        code="let rec $f l flags =\n  match (l, flags) with\n  | x :: l, flag :: flags ->\n    if flag then $flags\n"
        "  | _ -> []",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`prices` has pairs of a name and a price. `$f prices names` is $sum.",
            "The price of a thing stands in `prices`, a list of pairs of name and price. Write `$f prices names`, which finds "
            "$sum.",
        ),
        names=("bill", "survey_prices", "look_up"),
        signature="(string * int) list -> string list -> int",
        code="let $f prices names =\n  let add n name =\n    match List.assoc_opt name prices with $sum\n  in\n"
        "  List.fold_left add 0 names",
        gaps=_GAPS,
        inputs=(Input(_prices, ("[]", '[("fig", 0)]')), lists(_FRUIT, 0, 5, far=10)),
        edges=(('[("fig", 9); ("plum", 4); ("pear", 20)]', '["fig"; "pear"; "kiwi"; "plum"]'),),
    ),
)
