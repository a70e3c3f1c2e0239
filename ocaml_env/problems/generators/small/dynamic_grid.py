"""Small tasks on grids: cells and rows, and the first steps towards cheapest paths."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, array, integers, lists, texts
from ocaml_env.problems.generators.task import Task, number

__all__ = ["TASKS"]

_COST = integers(0, 20, far=300)
_STEPS = integers(0, 8)
_ROW = lists(_COST, 4, 4)
_SQUARE = array(array(_COST, 3, 3), 3, 3)
_PLACE = integers(0, 2)


def _rectangle(chance: Chance) -> str:
    width = chance.between(1, 4)
    most = chance.pick((20, 20, 2, 400))
    rows = [chance.numbers(width, 0, most) for _ in range(chance.between(1, 4))]
    return str(rows).replace(",", ";")


TASKS = (
    Task(
        level=1,
        says=(
            "Each step in a grid goes down or to the right, by one cell. `$f r c` is $what.",
            "In a grid one steps down or to the right. Write `$f r c`: $what (pairs of row and column).",
        ),
        names=("steps", "moves", "way_length"),
        signature="int -> int -> int",
        code="let $f r c = $what",
        gaps={
            "what": (
                ("the number of steps from `(0, 0)` to row `r` and column `c`", "r + c"),
                ("the number of cells on a way from `(0, 0)` to `(r, c)`", "r + c + 1"),
                ("the cost from `(0, 0)` to `(r, c)` if each step costs $k", "$k * (r + c)"),
                ("the cost from `(0, 0)` to `(r, c)`, $k for each step down and 1 for others", "($k * r) + c"),
                ("the number of steps from `(r, c)` to `($m, $n)`", "$m - r + $n - c"),
                ("the number of cells between the corners `(0, 0)` and `(r, c)`, all included", "(r + 1) * (c + 1)"),
            ),
            "k": number(2, 9),
            "m": number(8, 15),
            "n": number(8, 15),
        },
        inputs=(_STEPS, _STEPS),
    ),
    Task(
        level=1,
        says=(
            "The cells of a grid with $w columns are numbered row by row from 0. `$f i` is $what, for cell `i`.",
            "A grid has $w columns; its cells have the numbers 0, 1, 2, ... row by row. Write `$f i`: $what, for cell `i`.",
        ),
        names=("cell", "locate", "place"),
        signature="int -> int * int",
        code="let $f i = $what",
        gaps={
            "what": (
                ("the pair of row and column, both from 0 on", "(i / $w, i mod $w)"),
                ("the pair of column and row, both from 0 on", "(i mod $w, i / $w)"),
                ("the pair of row and column, both from 1 on", "((i / $w) + 1, (i mod $w) + 1)"),
                ("the pair of row and distance from the last column", "(i / $w, $w - 1 - (i mod $w))"),
                (
                    "the pair of the cell numbers above (negative if there is no such cell) and below it",
                    "(i - $w, i + $w)",
                ),
            ),
            "w": number(3, 12),
        },
        inputs=(integers(0, 99, far=2000),),
    ),
    Task(
        level=1,
        says=(
            "A cell costs `c`, and one comes to it from above, for `up`, or from the left, for `left`. `$f up left c` is $what.",
            "The way to a cell costs `up` from above, `left` from the left, and the cell `c`. Write "
            "`$f up left c`: $what.",
        ),
        names=("best", "cell_cost", "cheapest"),
        signature="int -> int -> int -> int",
        code="let $f up left c = $what",
        gaps={
            "what": (
                ("the least cost of getting there", "c + min up left"),
                ("the greatest cost of getting there", "c + max up left"),
                ("the least cost if the upper way is $k dearer", "c + min (up + $k) left"),
                ("the least cost if the left way is $k dearer", "c + min up (left + $k)"),
                ("twice the least cost of getting there", "2 * (c + min up left)"),
                ("the cost of both ways together, the cell counted twice", "(2 * c) + up + left"),
            ),
            "k": number(2, 12),
        },
        inputs=(_COST, _COST, _COST),
    ),
    Task(
        level=1,
        says=(
            "`$f grid` is the list of $what, for a grid that is a list of rows of three numbers each.",
            "A grid is a list of rows, each a list of three numbers. Write `$f grid`: the list of $what.",
        ),
        names=("rows", "per_row", "summary"),
        signature="int list list -> int list",
        code="let $f grid = $what grid",
        gaps={
            "what": (
                ("the sums of its rows", "List.map (List.fold_left ( + ) 0)"),
                ("the greatest numbers of its rows (which are not negative)", "List.map (List.fold_left max 0)"),
                ("the numbers in its first column", "List.map List.hd"),
                ("the numbers in its second column", "List.map (fun row -> List.nth row 1)"),
                ("the numbers in its last column", "List.map (fun row -> List.nth row 2)"),
                (
                    "the counts of zeros in its rows",
                    "List.map (fun row -> List.length (List.filter (fun x -> x = 0) row))",
                ),
                ("all its numbers, row by row", "List.concat"),
                ("the doubled sums of its rows", "List.map (fun row -> 2 * List.fold_left ( + ) 0 row)"),
            )
        },
        inputs=(lists(lists(integers(0, 9), 3, 3), 0, 4, far=8),),
        edges=(("[]",), ("[[0; 0; 0]]",), ("[[1; 2; 3]; [0; 5; 0]]",)),
    ),
    Task(
        level=1,
        says=(
            "`above` and `row` are two rows of a grid, each a list of four numbers. `$f above row` is the list of $what.",
            "Two rows of a grid, `above` and the next one, `row`, have four numbers each. Write `$f above row`: $what, as a list.",
        ),
        names=("two_rows", "join_rows", "merge"),
        signature="int list -> int list -> int list",
        code="let $f above row = List.map2 $what above row",
        gaps={
            "what": (
                ("the sums of the numbers in each column", "( + )"),
                ("the numbers of `row` minus the numbers above them", "(fun a b -> b - a)"),
                ("the distances between each number and the one above it", "(fun a b -> abs (a - b))"),
                ("the sums of each number in `row` and twice the number above it", "(fun a b -> (2 * a) + b)"),
                ("the sums of the numbers in each column, but at most $k", "(fun a b -> min $k (a + b))"),
                ("the products of the numbers in each column", "( * )"),
            ),
            "k": number(15, 30),
        },
        inputs=(_ROW, _ROW),
    ),
    Task(
        level=1,
        says=(
            "The array `grid` has three rows of three numbers; `grid.(r).(c)` is in row `r` and column `c`. `$f grid i` is $what.",
            "In a grid of three rows and three columns, `grid.(r).(c)` is in row `r` and column `c`. Write `$f grid i`: $what.",
        ),
        names=("look", "from_grid", "pick"),
        signature="int array array -> int -> int",
        code="let $f grid i = $what",
        gaps={
            "what": (
                ("the sum of row `i`", "Array.fold_left ( + ) 0 grid.(i)"),
                ("the sum of column `i`", "Array.fold_left (fun s row -> s + row.(i)) 0 grid"),
                ("the first number of row `i` plus the last one", "grid.(i).(0) + grid.(i).(2)"),
                ("the first number of column `i` plus the last one", "grid.(0).(i) + grid.(2).(i)"),
                ("the greater one of the first and last number of row `i`", "max grid.(i).(0) grid.(i).(2)"),
                ("the number in row `i` and column `i`, increased by $k", "grid.(i).(i) + $k"),
                ("the number in row `i` and column `2 - i`, increased by $k", "grid.(i).(2 - i) + $k"),
            ),
            "k": number(1, 20),
        },
        inputs=(_SQUARE, _PLACE),
    ),
    Task(
        level=1,
        says=(
            "A row of a grid is a string in which `#` is a wall. `$f row` is $what.",
            "In the string `row`, a row of a grid, every `#` is a wall. Write `$f row`: $what.",
        ),
        names=("walls", "row_of_cells", "inspect"),
        signature="string -> int",
        code="let $f row = $what",
        gaps={
            "what": (
                ("the number of walls", "String.fold_left (fun n c -> if c = '#' then n + 1 else n) 0 row"),
                (
                    "the number of cells without a wall",
                    "String.fold_left (fun n c -> if c <> '#' then n + 1 else n) 0 row",
                ),
                (
                    "the number of steps from the first to the last cell, or 0 if it is empty",
                    "max 0 (String.length row - 1)",
                ),
                (
                    "the position of the first wall, or -1 if there is none",
                    "match String.index_opt row '#' with Some i -> i | None -> -1",
                ),
                (
                    "the position of the last wall, or -1 if there is none",
                    "match String.rindex_opt row '#' with Some i -> i | None -> -1",
                ),
            )
        },
        inputs=(texts(0, 9, "###....a ", far=20),),
        edges=(('""',), ('"."',), ('"#"',), ('"..."',), ('".#.#."',), ('"##"',)),
    ),
    Task(
        level=2,
        says=(
            "Rows and columns are counted from 0. `$f r c` is the number of ways from row `r` and column `c` to the corner "
            "`(0, 0)`, $moves. Neither `r` nor `c` is negative.",
            "In how many ways can one go from the cell in row `r` and column `c` to cell `(0, 0)`, $moves? Write `$f r c`, for "
            "numbers that are not negative.",
        ),
        names=("ways", "count_paths", "routes"),
        signature="int -> int -> int",
        code="let rec $f r c =\n  if $moves",
        gaps={
            "moves": (
                (
                    "if every step goes one cell up or one to the left",
                    "r = 0 || c = 0 then 1\n  else $f (r - 1) c + $f r (c - 1)",
                ),
                (
                    "if every step goes one cell up, one to the left, or diagonally in both directions at once",
                    "r = 0 || c = 0 then 1\n  else $f (r - 1) c + $f r (c - 1) + $f (r - 1) (c - 1)",
                ),
                (
                    "if every step goes one cell up or to the left, and cell `($m, $n)` must not be entered",
                    "r = $m && c = $n then 0\n  else if r = 0 || c = 0 then 1\n  else $f (r - 1) c + $f r (c - 1)",
                ),
            ),
            "m": number(1, 4),
            "n": number(1, 3),
        },
        inputs=(integers(0, 5), integers(0, 4)),
    ),
    Task(
        level=2,
        says=(
            "A way to a row of cells costs `t`, and then one walks along the row, whose cells cost what the list `row` says. "
            "`$f t row` is the list of the costs $what.",
            "Walk along a row after a way that cost `t`; the list `row` has the costs of its cells. Write `$f t row`: the list of "
            "all costs so far $what.",
        ),
        names=("running_costs", "walk_row", "along"),
        signature="int -> int list -> int list",
        code="let rec $f t row =\n  match row with\n  | [] -> []\n  | c :: rest -> $what",
        gaps={
            "what": (
                ("after each cell", "(t + c) :: $f (t + c) rest"),
                ("before each cell", "t :: $f (t + c) rest"),
                ("after each cell, if every step costs $k besides", "(t + c + $k) :: $f (t + c + $k) rest"),
                ("after each cell, if cells dearer than $k cost only $k", "(t + min c $k) :: $f (t + min c $k) rest"),
            ),
            "k": number(2, 30),
        },
        inputs=(_COST, lists(_COST, 0, 6, far=12)),
    ),
    Task(
        level=2,
        says=(
            "Stones lie across a river; each costs what the list `l` says. Begin on the first and go from each to the next or to "
            "the one after, until you are across. `$f l` is the $least.",
            "The list `l` has the cost of each stone in a row. One starts on the first and moves by one stone or by two until the "
            "row ends. Write `$f l`: the $least.",
        ),
        names=("stones", "hop", "cross"),
        signature="int list -> int",
        code="let rec $f l =\n  match l with\n  | [] -> $least",
        gaps={
            "least": (
                (
                    "least cost of a way, 0 without stones",
                    "0\n  | [ a ] -> a\n  | a :: (_ :: rest as next) -> a + min ($f next) ($f rest)",
                ),
                (
                    "least cost of a way, 0 without stones, if a move by two costs $k more",
                    "0\n  | [ a ] -> a\n  | a :: (_ :: rest as next) -> a + min ($f next) ($k + $f rest)",
                ),
                (
                    "number of ways, 1 without stones",
                    "1\n  | [ _ ] -> 1\n  | _ :: (_ :: rest as next) -> $f next + $f rest",
                ),
            ),
            "k": number(2, 9),
        },
        inputs=(lists(integers(1, 15, far=400), 0, 7, far=9),),
        edges=(("[5; 1; 9; 2; 7; 3; 8; 4; 6]",), ("[3; 8]",), ("[8; 3]",), ("[4; 1; 1; 9]",)),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is $what. The numbers of the list `l` are not negative.",
            "From a row of numbers, the list `l` (none is negative), some are chosen. Write `$f l`: $what.",
        ),
        names=("choose_apart", "selection", "best_choice"),
        signature="int list -> int",
        code="let rec $f l =\n  match l with\n  $what",
        gaps={
            "what": (
                (
                    "the greatest sum of elements of `l` among which no two are neighbours",
                    "| [] -> 0\n  | [ a ] -> a\n  | a :: (_ :: rest as next) -> max (a + $f rest) ($f next)",
                ),
                (
                    "the least sum of elements of `l` such that of any two neighbours at least one is taken",
                    "| a :: (b :: rest as next) -> min (a + $f next) (b + $f rest)\n  | _ -> 0",
                ),
                (
                    "the number of ways to choose elements of `l`, or none at all, so that no two are neighbours",
                    "| [] -> 1\n  | [ _ ] -> 2\n  | _ :: (_ :: rest as next) -> $f rest + $f next",
                ),
            )
        },
        inputs=(lists(integers(0, 20, far=400), 0, 8, far=9),),
        edges=(("[5; 1; 9; 2; 7; 3; 8; 4; 6]",), ("[3; 8]",), ("[8; 3]",), ("[4; 9; 4]",), ("[9; 1; 1; 9]",)),
    ),
    Task(
        level=2,
        says=(
            "`$f grid` is the list of the columns of the grid, $what. The grid is a list of rows of equal length; there is at "
            "least one row, and no row is empty.",
            "A grid is a list of rows that are equally long; there is at least one, and none is empty. Write `$f grid`: the list "
            "of its columns, $what.",
        ),
        names=("columns", "by_column", "turned"),
        signature="int list list -> int list list",
        code="let rec $f grid =\n  match grid with\n  | [] :: _ -> []\n  | _ -> $what",
        gaps={
            "what": (
                ("from left to right", "List.map List.hd grid :: $f (List.map List.tl grid)"),
                (
                    "from left to right, each read upwards",
                    "List.rev_map List.hd grid :: $f (List.map List.tl grid)",
                ),
                (
                    "from right to left",
                    "$f (List.map List.tl grid) @ [ List.map List.hd grid ]",
                ),
            )
        },
        inputs=(Input(_rectangle, ("[[7]]", "[[1; 2; 3]]", "[[1]; [2]; [3]]", "[[0; 0]; [0; 4]]")),),
    ),
    Task(
        level=2,
        says=(
            "`$f grid` is a list with the $what of every column, from left to right. The grid is a list of rows of equal length; "
            "there is at least one row, and no row is empty.",
            "Write `$f grid`: for every column, from left to right, the $what. The grid is a list of at least one row; all rows "
            "are equally long and not empty.",
        ),
        names=("column_values", "per_column", "down"),
        signature="int list list -> int list",
        code="let rec $f grid =\n  match grid with\n  | [] :: _ -> []\n  | _ -> $what (List.map List.hd grid) :: $f (List.map List.tl grid)",
        gaps={
            "what": (
                ("sum", "List.fold_left ( + ) 0"),
                ("greatest number (none is negative)", "List.fold_left max 0"),
                ("product", "List.fold_left ( * ) 1"),
                ("last number", "List.fold_left (fun _ x -> x) 0"),
                ("number of zeros", "List.fold_left (fun n x -> if x = 0 then n + 1 else n) 0"),
            )
        },
        inputs=(Input(_rectangle, ("[[7]]", "[[1; 2; 3]]", "[[1]; [2]; [3]]", "[[0; 0]; [0; 4]]")),),
    ),
    Task(
        level=2,
        says=(
            "Number `i` of `row` stands above the numbers `i` and `i + 1` of the row `below`, which is one longer. "
            "`$f row below` is the list of $what.",
            "In a triangle of numbers, each number of the list `row` stands above two neighbours of the next row, `below`, which "
            "is one longer. Write `$f row below`: the list of $what.",
        ),
        names=("triangle_row", "lift", "fold_row"),
        signature="int list -> int list -> int list",
        code="let rec $f row below =\n  match row, below with\n  | x :: rest, a :: (b :: _ as next) -> ($what) :: $f rest next\n"
        "  | _ -> []",
        gaps={
            "what": (
                ("the numbers of `row`, each with the greater one of the two below it added", "x + max a b"),
                ("the numbers of `row`, each with the smaller one of the two below it added", "x + min a b"),
                ("the numbers of `row`, each with both numbers below it added", "x + a + b"),
                (
                    "the distances (never negative) between each number of `row` and the sum of the two below it",
                    "abs (x - (a + b))",
                ),
            )
        },
        inputs=(lists(_COST, 3, 3), lists(_COST, 4, 4)),
        edges=(
            ("[]", "[5]"),
            ("[4]", "[1; 9]"),
            ("[4]", "[9; 1]"),
            ("[20]", "[7; 3]"),
            ("[1; 6]", "[2; 8; 4]"),
            ("[1; 2; 3; 4; 5; 6; 7; 8; 9]", "[3; 1; 4; 1; 5; 9; 2; 6; 5; 3]"),
        ),
    ),
    Task(
        level=2,
        says=(
            "The array `grid` has three rows of three numbers. `$f grid` is the list of the places `(r, c)` (row and column, from "
            "0 on) where the number $test, row by row.",
            "Find the places of the array `grid`, which has three rows of three numbers, where the number $test. Write `$f grid`: "
            "the pairs of row and column, from `(0, 0)` on and row by row.",
        ),
        names=("places", "find_cells", "where_in_grid"),
        signature="int array array -> (int * int) list",
        code="let $f grid =\n  let places = List.concat_map (fun r -> List.init 3 (fun c -> (r, c))) [ 0; 1; 2 ] in\n"
        "  List.filter (fun (r, c) -> $test) places",
        gaps={
            "test": (
                ("is greater than $k", "grid.(r).(c) > $k"),
                ("is less than $k", "grid.(r).(c) < $k"),
                ("is even", "grid.(r).(c) mod 2 = 0"),
                ("is greater than the first number of its row", "grid.(r).(c) > grid.(r).(0)"),
                ("is at least the first number of its column", "grid.(r).(c) >= grid.(0).(c)"),
                ("is at most $k and not in the last column", "grid.(r).(c) <= $k && c < 2"),
                ("is at least $k and not in the first column", "grid.(r).(c) >= $k && c > 0"),
                ("differs from $k by at most 3", "abs (grid.(r).(c) - $k) <= 3"),
            ),
            "k": number(3, 17),
        },
        inputs=(_SQUARE,),
    ),
)
