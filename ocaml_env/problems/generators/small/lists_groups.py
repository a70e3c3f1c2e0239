"""Small tasks on groups: lists of lists, a list split by a question, neighbours, and elements two by two."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_NUMBER = integers(-12, 30, far=2_000)
_ROWS = lists(lists(_NUMBER, 1, 4, far=9), 0, 4, far=9)
_TEAM = Input(lambda chance: lists(_NUMBER, 0, chance.pick((0, 1, 2, 3, 4, 3, 4, 9))).draw(chance), ("[]", "[0]"))
_TEAMS = lists(_TEAM, 0, 5, far=9)


def _things(chance: Chance) -> str:
    """Numbers of things, often near a multiple of a number of the problem."""
    if chance.happens(0.4):
        return str(max(0, chance.number(5, 24) * chance.between(1, 5) + chance.between(-1, 1)))
    return str(chance.between(100, 3_000) if chance.happens(0.1) else chance.number(0, 99))


_GAPS: dict[str, Gap] = {
    "k": number(6, 20),
    "d": number(2, 4),
    "size": number(5, 24),
    "each": (
        ("the number of its elements", "List.length"),
        ("the sum of its elements", "(List.fold_left ( + ) 0)"),
        ("its first element", "List.hd"),
        ("its last element", "(fun row -> List.hd (List.rev row))"),
        ("its greatest element", "(fun row -> List.fold_left max (List.hd row) row)"),
        ("its smallest element", "(fun row -> List.fold_left min (List.hd row) row)"),
    ),
    "keep": (
        ("with at least $d elements", "List.length team >= $d"),
        ("with fewer than $d elements", "List.length team < $d"),
        ("that are not empty", "team <> []"),
        ("whose sum is greater than $k", "List.fold_left ( + ) 0 team > $k"),
        ("with an element greater than $k", "List.exists (fun x -> x > $k) team"),
        ("without any element below $k", "List.for_all (fun x -> x >= $k) team"),
    ),
    "teams": (
        ("only those teams $keep", "List.filter (fun team -> $keep) teams"),
        ("all teams, each reversed", "List.map List.rev teams"),
        ("all teams, each sorted in ascending order", "List.map (List.sort compare) teams"),
        ("all teams, each without its elements below $k", "List.map (List.filter (fun x -> x >= $k)) teams"),
        ("all teams, each with $k added at its front", "List.map (fun team -> $k :: team) teams"),
    ),
    "joined": (
        ("in their order", "List.concat teams"),
        ("the last team first, but each team in its own order", "List.concat (List.rev teams)"),
        ("each team reversed, but the first team still first", "List.concat_map List.rev teams"),
        ("with $k put in after each team", "List.concat_map (fun team -> team @ [ $k ]) teams"),
        ("sorted in ascending order", "List.sort compare (List.concat teams)"),
    ),
    "count": (
        ("the number of the teams $keep", "List.length (List.filter (fun team -> $keep) teams)"),
        ("the size of the largest team, but at least $d", "List.fold_left max $d (List.map List.length teams)"),
        ("the number of elements in all teams together", "List.length (List.concat teams)"),
        ("the sum of all elements of all teams", "List.fold_left ( + ) 0 (List.concat teams)"),
    ),
    "things": (("eggs",), ("cakes",), ("books",), ("bottles",), ("toys",)),
    "boxes": (
        ("How many boxes are full when `n` $things are packed, $size in a box?", "n / $size"),
        (
            "How many $things are left when as many boxes of $size as possible are filled from `n` $things?",
            "n mod $size",
        ),
        ("How many boxes do `n` $things need, if a box holds at most $size of them?", "(n + $size - 1) / $size"),
        ("How many more $things fit into `n` boxes of $size, if there are $d in each of them?", "n * ($size - $d)"),
    ),
    "of": (("ages", "ages", "ages"), ("prices", "prices", "prices"), ("scores", "scores", "scores")),
    "part": (
        ("below $k", "n < $k"),
        ("above $k", "n > $k"),
        ("in the range from $d to $k", "n >= $d && n <= $k"),
        ("equal to $k", "n = $k"),
        ("divisible by $d", "n mod $d = 0"),
    ),
    "pair": (
        ("in the same order", "(a, b)"),
        ("with the second one first", "(b, a)"),
        ("with the smaller one first", "(min a b, max a b)"),
        ("with the greater one first", "(max a b, min a b)"),
    ),
    "between": (
        ("the sum of the two", "a + b"),
        ("the sum of the two and $k", "a + b + $k"),
        ("$d times the first plus the second", "($d * a) + b"),
        ("the product of the two", "a * b"),
        ("the second minus the first", "b - a"),
        ("the absolute value of their difference", "abs (a - b)"),
        ("the greater of the two", "max a b"),
    ),
    "than": (
        ("equal to", "a = b"),
        ("greater than", "a > b"),
        ("less than", "a < b"),
        ("at least $d greater than", "a >= b + $d"),
        ("at least $d less than", "a <= b - $d"),
    ),
    "test": (
        ("even", "x mod 2 = 0"),
        ("odd", "x mod 2 <> 0"),
        ("positive", "x > 0"),
        ("less than $k", "x < $k"),
        ("greater than $d", "x > $d"),
        ("divisible by $d", "x mod $d = 0"),
    ),
    "lead": (
        ("this group as a list", "x :: rest when $test -> x :: $f rest\n  | _ -> []"),
        ("what is left of `l` without this group", "x :: rest when $test -> $f rest\n  | l -> l"),
        ("this group, each of its numbers doubled", "x :: rest when $test -> (2 * x) :: $f rest\n  | _ -> []"),
    ),
    "two": (
        ("the sum", "(a + x, b) else (a, b + x)"),
        ("the size", "(a + 1, b) else (a, b + 1)"),
        ("the sum of the squares", "(a + (x * x), b) else (a, b + (x * x))"),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`rows` is a list of rows, none of which is empty. `$f rows` lists, for each row, $each.",
            "Write `$f rows`, which replaces each row in the list `rows` by $each. There are no empty rows.",
        ),
        names=("row_values", "of_each_row", "summary"),
        signature="int list list -> int list",
        code="let $f rows = List.map $each rows",
        gaps=_GAPS,
        inputs=(_ROWS,),
    ),
    Task(
        level=1,
        says=(
            "`teams` is a list of lists. `$f teams` returns $teams.",
            "Of a list `teams` of lists, return $teams: `$f teams`.",
        ),
        names=("choose", "tidy", "new_teams"),
        signature="int list list -> int list list",
        code="let $f teams = $teams",
        gaps=_GAPS,
        inputs=(_TEAMS,),
    ),
    Task(
        level=1,
        says=(
            "`$f teams` is one list of all elements of all lists in `teams`, $joined.",
            "Each team in `teams` is a list of numbers. Make one list of all these numbers, $joined: `$f teams`.",
        ),
        names=("join", "merge", "all_together"),
        signature="int list list -> int list",
        code="let $f teams = $joined",
        gaps=_GAPS,
        inputs=(_TEAMS,),
    ),
    Task(
        level=1,
        says=(
            "`teams` is a list of lists. `$f teams` is $count.",
            "Given a list `teams` of lists, find $count: `$f teams`.",
        ),
        names=("count", "measure", "total"),
        signature="int list list -> int",
        code="let $f teams = $count",
        gaps=_GAPS,
        inputs=(_TEAMS,),
    ),
    Task(
        level=1,
        says=("$boxes `$f n` is the answer; `n` is not negative.", "Write a function `$f n` for `n >= 0`. $boxes"),
        names=("boxes", "pack", "packing"),
        signature="int -> int",
        code="let $f n = $boxes",
        gaps=_GAPS,
        inputs=(Input(_things, ("0", "1", "1000")),),
    ),
    Task(
        level=1,
        says=(
            "`$f $of` splits the list `$of` into a pair of lists: the numbers that are $part, and all others.",
            "Return two lists as a pair: the numbers in `$of` that are $part, then those that are not. It is `$f $of`.",
        ),
        names=("split_$of", "divide_$of"),
        signature="int list -> int list * int list",
        code="let $f $of = List.partition (fun n -> $part) $of",
        gaps=_GAPS,
        inputs=(lists(integers(-20, 30, far=900)),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` makes pairs of the elements of `l`, two by two, each pair $pair. A single element at the end is left "
            "out.",
            "The first two elements of `l` make a pair, so do the next two, and so on; a last element without a partner is "
            "ignored. `$f l` lists the pairs, each $pair.",
        ),
        names=("pairs", "couples", "pair_up"),
        signature="int list -> (int * int) list",
        code="let rec $f = function\n  | a :: b :: rest -> $pair :: $f rest\n  | _ -> []",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f l` lists, for every two neighbours in `l`, $between. With fewer than two elements there are none.",
            "Go through `l` and list, for each element and the one that follows it, $between: `$f l`. A list of fewer than "
            "two elements gives the empty list.",
        ),
        names=("neighbours", "between", "gaps"),
        signature="int list -> int list",
        code="let rec $f = function\n  | a :: (b :: _ as rest) -> ($between) :: $f rest\n  | _ -> []",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the list `l` without those elements that are $than their right neighbour in `l`.",
            "Remove from `l` each element that is $than the next element of `l`. The last one always stays. Call it `$f l`.",
        ),
        names=("thin_out", "drop_some", "condense"),
        signature="int list -> int list",
        code="let rec $f = function\n  | a :: (b :: _ as rest) -> if $than then $f rest else a :: $f rest\n  | l -> l",
        gaps=_GAPS,
        inputs=(lists(integers(-3, 9, far=200)),),
        edges=(("[2; 2; 3; 3; 3; 1]",), ("[5; 5; 5]",), ("[1; 2; 3]",), ("[9; 6; 4; 1]",)),
    ),
    Task(
        level=2,
        says=(
            "The numbers at the front of `l`, up to the first that is not $test, are a group. `$f l` is $lead.",
            "Take as a group all elements of `l` before the first one that is not $test (all of `l` if there is no such "
            "element). `$f l` is $lead.",
        ),
        names=("first_group", "front_group", "leading"),
        signature="int list -> int list",
        code="let rec $f = function\n  | $lead",
        gaps=_GAPS,
        inputs=(lists(integers(-9, 24), 0, 6, far=12),),
        edges=(("[2; 4; 7; 6]",), ("[5; 3; 8; 1]",), ("[6; 4; 2]",), ("[9; -11; -7; 0; 3]",)),
    ),
    Task(
        level=2,
        says=(
            "The numbers in `l` make two groups: those that are $test, and the others. `$f l` is the pair of $two of the "
            "first group and $two of the second, where an empty group has 0.",
            "Let one group be the elements of `l` that are $test, and the other one the rest. `$f l` is the pair of $two of "
            "the one and $two of the other. For an empty group that is 0.",
        ),
        names=("two_groups", "compare_groups", "both_groups"),
        signature="int list -> int * int",
        code="let $f l =\n  let step (a, b) x = if $test then $two in\n  List.fold_left step (0, 0) l",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`teams` is a list of lists. `$f teams` takes only the teams $keep, and lists the $total of each.",
            "From a list `teams` of lists, keep only those $keep. Replace each of these by its $total: `$f teams`.",
        ),
        names=("survey", "keep_and_sum", "digest"),
        signature="int list list -> int list",
        code="let $f teams =\n  teams\n  |> List.filter (fun team -> $keep)\n  |> List.map $total",
        gaps={
            **_GAPS,
            "total": (
                ("sum", "(List.fold_left ( + ) 0)"),
                ("length", "List.length"),
                ("sum of the squares", "(List.fold_left (fun sum x -> sum + (x * x)) 0)"),
            ),
        },
        inputs=(_TEAMS,),
    ),
)
