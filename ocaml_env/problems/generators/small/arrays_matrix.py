"""Small tasks on matrices as arrays of rows: cells, rows, columns, new matrices and sums."""

from __future__ import annotations

from collections.abc import Sequence

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]


def _matrix(
    rows: tuple[int, int],
    columns: tuple[int, int],
    *,
    square: bool = False,
    low: int = -9,
    edges: tuple[str, ...] = (),
) -> Input:
    """Matrices with as many rows and columns; a square one has as many columns as rows.

    Some have no positive numbers, or the same numbers in two rows or in all of them.
    """

    def draw(chance: Chance) -> str:
        height = chance.between(*rows)
        width = height if square else chance.between(*columns)
        high = chance.pick((30, 30, 30, 30, 2, max(low, -1)))
        made = [chance.numbers(width, low, high) for _ in range(height)]
        if height > 1 and chance.happens(0.2):
            made[chance.below(height)] = chance.shuffled(chance.pick(made))
        return _rows(made)

    ones = ("[|[|0|]|]", "[|[|7|]|]", "[|[|-4|]|]") if rows[0] == columns[0] == 1 else ()
    return Input(draw, (*edges, *ones))


def _rows(made: Sequence[Sequence[int]]) -> str:
    lines = ["; ".join(map(str, row)) for row in made]
    return "[|" + "; ".join(f"[|{line}|]" for line in lines) + "|]"


def _uniform(chance: Chance) -> str:
    """Rows of numbers of one kind, such as even, negative or large ones; sometimes one number is of another kind."""

    def row(kind: int) -> list[int]:
        numbers = chance.ints(width, 0, 9)
        low, step = ((0, 2), (1, 2), (-19, 1), (21, 1), (-6, 1))[kind]
        return [low + step * n for n in numbers]

    height, width, kind = chance.between(1, 4), chance.between(1, 4), chance.below(5)
    made = [row(kind if chance.happens(0.7) else chance.below(5)) for _ in range(height)]
    if chance.happens(0.4):
        made[chance.below(height)][chance.below(width)] = chance.number(-25, 30)
    return _rows(made)


_SOME = _matrix((1, 4), (1, 4), edges=("[||]",))
_SQUARE = _matrix((1, 4), (1, 4), square=True)
_TESTS: Gap = (
    ("even", "x mod 2 = 0", "even"),
    ("odd", "x mod 2 <> 0", "odd"),
    ("negative", "x < 0", "negative"),
    ("greater than $k", "x > $k", "large"),
    ("at most $k", "x <= $k", "small"),
)
_GAPS: dict[str, Gap] = {"test": _TESTS, "k": number(3, 20)}
_NEW = (
    ("`x`", "x"),
    ("the sum of itself and `x`", "{} + x"),
    ("the product of itself and `x`", "{} * x"),
    ("the larger of itself and `x`", "max {} x"),
    ("the sum of itself and $n times `x`", "{} + ($n * x)"),
    ("itself minus $n times `x`", "{} - ($n * x)"),
)
_CHANGES = tuple(
    (f"{line} `k` becomes {words}", f"{length} - 1 do\n    {cell} <- {code.format(cell)}")
    for line, length, cell in (("row", "Array.length m.(0)", "m.(k).(i)"), ("column", "Array.length m", "m.(i).(k)"))
    for words, code in _NEW
)

TASKS = (
    Task(
        level=1,
        says=(
            "`$f m` is $what of the matrix `m`, which has at least two rows and two columns.",
            "A matrix `m` has at least two rows and two columns; rows and columns are counted from 0. Return $what of "
            "it: `$f m`.",
        ),
        names=("corner", "from_matrix", "pick"),
        signature="int array array -> int",
        code="let $f m = $what",
        gaps={
            "what": (
                ("the $one element", "$one"),
                ("the sum of the $one and the $two element", "$one + $two"),
                ("the product of the $one and the $two element", "$one * $two"),
                ("the larger of the $one and the $two element", "max $one $two"),
                ("the smaller of the $one and the $two element", "min $one $two"),
            ),
            "one": (("top left", "m.(0).(0)"), ("top right", "m.(0).(Array.length m.(0) - 1)")),
            "two": (
                ("bottom left", "m.(Array.length m - 1).(0)"),
                ("bottom right", "m.(Array.length m - 1).(Array.length m.(0) - 1)"),
            ),
        },
        inputs=(_matrix((2, 4), (2, 4)),),
    ),
    Task(
        level=1,
        says=(
            "`$f m i j` is $what. Rows and columns are counted from 0, and all the cells needed exist.",
            "Write `$f m i j`: it is $what. Both indices begin at 0, and none is out of bounds.",
        ),
        names=("cell", "look", "value_at"),
        signature="int array array -> int -> int -> int",
        code="let $f m i j = $what",
        gaps={
            "what": (
                ("the element of `m` in row `i` and column `j`", "m.(i).(j)"),
                ("the element of `m` in column `i` and row `j`", "m.(j).(i)"),
                ("the element to the $side the one in row `i` and column `j` of `m`", "m.$side"),
                ("the element of `m` in row `i` and column `j`, multiplied by $k", "$k * m.(i).(j)"),
                (
                    "the sum of the left and the right neighbour of row `i`, column `j` in `m`",
                    "m.(i).(j - 1) + m.(i).(j + 1)",
                ),
            ),
            "side": (
                ("left of", "(i).(j - 1)"),
                ("right of", "(i).(j + 1)"),
            ),
            "k": number(2, 12),
        },
        inputs=(_matrix((4, 6), (4, 6)), integers(0, 3), integers(1, 2)),
    ),
    Task(
        level=1,
        says=(
            "`$f m` is $size the matrix `m`, which has at least one row and one column.",
            "The matrix `m` has at least one row and one column. Return $size this matrix: `$f m`.",
        ),
        names=("size", "extent", "measure"),
        signature="int array array -> int",
        code="let $f m = $size",
        gaps={
            "size": (
                ("the number of rows of", "Array.length m"),
                ("the number of columns of", "Array.length m.(0)"),
                ("the number of cells of", "Array.length m * Array.length m.(0)"),
                ("the number of rows plus the number of columns of", "Array.length m + Array.length m.(0)"),
                ("the larger of the numbers of rows and columns of", "max (Array.length m) (Array.length m.(0))"),
                ("the smaller of the numbers of rows and columns of", "min (Array.length m) (Array.length m.(0))"),
            ),
        },
        inputs=(_matrix((1, 6), (1, 5), low=0),),
    ),
    Task(
        level=1,
        says=(
            "`$f m i` is $line of the matrix `m` as an array. Rows and columns are counted from 0; `i` is a valid index.",
            "Return $line of a matrix `m` as an array, where `i` is valid and counts from 0: `$f m i`.",
        ),
        names=("line", "get_line", "extract"),
        signature="int array array -> int -> int array",
        code="let $f m i = $line",
        gaps={
            "line": (
                ("row `i`", "m.(i)"),
                ("column `i`", "Array.map (fun row -> row.(i)) m"),
                ("column `i`, multiplied by $k,", "Array.map (fun row -> $k * row.(i)) m"),
                ("row `i`, multiplied by $k,", "Array.map (fun x -> $k * x) m.(i)"),
                ("the first `i + 1` elements of the top row", "Array.sub m.(0) 0 (i + 1)"),
                ("row `i`, with every element increased by $k,", "Array.map (fun x -> x + $k) m.(i)"),
            ),
            "k": number(2, 9),
        },
        inputs=(_matrix((3, 4), (3, 4)), integers(0, 2)),
    ),
    Task(
        level=1,
        says=(
            "`$f m` is a new matrix in which every element of `m` is $done.",
            "Make a new matrix from `m`, with each element $done. That is `$f m`.",
        ),
        names=("changed", "map_matrix", "all_cells"),
        signature="int array array -> int array array",
        code="let $f m = Array.map (Array.map $done) m",
        gaps={
            "done": (
                ("doubled", "(fun x -> 2 * x)"),
                ("squared", "(fun x -> x * x)"),
                ("increased by $k", "(( + ) $k)"),
                ("reduced by $k", "(fun x -> x - $k)"),
                ("subtracted from $k", "(( - ) $k)"),
                ("replaced by $k if it is less than $k", "(max $k)"),
                ("replaced by $k if it is greater than $k", "(min $k)"),
            ),
            "k": number(2, 20),
        },
        inputs=(_SOME,),
    ),
    Task(
        level=1,
        says=(
            "`$f m` is an array with $what of each row of the matrix `m`. No row is empty.",
            "Find $what of each row of the matrix `m`, from top to bottom. `$f m` is the array of these numbers; rows are "
            "not empty.",
        ),
        names=("of_rows", "row_summary", "each_row"),
        signature="int array array -> int array",
        code="let $f m = Array.map (fun row -> $what) m",
        gaps={
            "what": (
                ("the sum", "Array.fold_left ( + ) 0 row"),
                ("the product", "Array.fold_left ( * ) 1 row"),
                ("the greatest element", "Array.fold_left max row.(0) row"),
                ("the smallest element", "Array.fold_left min row.(0) row"),
                ("the first element", "row.(0)"),
                ("the last element", "row.(Array.length row - 1)"),
            ),
        },
        inputs=(_SOME,),
    ),
    Task(
        level=1,
        says=(
            "`$f r c` is a matrix of `r` rows and `c` columns, where $filled. Both numbers are positive.",
            "Make a matrix with `r` rows and `c` columns (both at least 1), where $filled: that is `$f r c`.",
        ),
        names=("make", "build", "new_matrix"),
        signature="int -> int -> int array array",
        code="let $f r c = $filled",
        gaps={
            "filled": (
                ("every element is $k", "Array.make_matrix r c $k"),
                ("each element is the number of its row, from 0", "Array.init r (fun i -> Array.make c i)"),
                (
                    "each element is the number of its column, from 0",
                    "Array.init r (fun _ -> Array.init c (fun j -> j))",
                ),
                (
                    "each element is the sum of its row and its column, from 0",
                    "Array.init r (fun i -> Array.init c (fun j -> i + j))",
                ),
                (
                    "each element is the product of its row and its column, from 0",
                    "Array.init r (fun i -> Array.init c (fun j -> i * j))",
                ),
            ),
            "k": number(2, 30),
        },
        inputs=(integers(1, 5, far=9), integers(1, 5)),
    ),
    Task(
        level=1,
        says=(
            "`$f m` tells whether $some row of the matrix `m` has $any $test. No row is empty.",
            "Does $some row of `m` have $any $test? `$f m` answers that. Rows are not empty.",
        ),
        names=("check_rows", "rows_with_$test"),
        signature="int array array -> bool",
        code="let $f m = $some ($any (fun x -> $test)) m",
        gaps={
            **_GAPS,
            "some": (("at least one", "Array.exists"), ("every", "Array.for_all")),
            "any": (("an element that is", "Array.exists"), ("only elements that are", "Array.for_all")),
        },
        inputs=(Input(_uniform, ("[||]", "[|[|0|]|]", "[|[|2; 4|]; [|1; 3|]|]", "[|[|2; 4|]; [|6; 8|]|]")),),
    ),
    Task(
        level=2,
        says=(
            "For a matrix `m`, `$f m` is $total.",
            "Go through all the rows of a matrix and all the elements of each row: `$f m` is $total.",
            "Compute $total with two nested loops or folds. The matrix is the parameter: `$f m`.",
        ),
        names=("total", "over_all", "whole"),
        signature="int array array -> int",
        code="let $f m =\n  let add_row total row = Array.fold_left $total row in\n  Array.fold_left add_row 0 m",
        gaps={
            **_GAPS,
            "total": (
                ("the sum of all elements of `m`", "( + ) total"),
                ("the sum of the squares of all elements of `m`", "(fun t x -> t + (x * x)) total"),
                ("the sum of the absolute values of all elements of `m`", "(fun t x -> t + abs x) total"),
                ("the number of elements of `m` that are $test", "(fun t x -> if $test then t + 1 else t) total"),
                (
                    "the sum of those elements of `m` that are $test",
                    "(fun t x -> if $test then t + x else t) total",
                ),
            ),
        },
        inputs=(_SOME,),
    ),
    Task(
        level=2,
        says=(
            "`$f m` is $total on the $diagonal of the square matrix `m`, which has at least one row.",
            "The matrix `m` has as many rows as columns, at least one. Walk along its $diagonal: `$f m` is $total there.",
        ),
        names=("diagonal_$total", "${total}_across"),
        signature="int array array -> int",
        code="let $f m =\n  let n = Array.length m in\n  let diagonal = Array.init n (fun i -> $diagonal) in\n"
        "  Array.fold_left $total diagonal",
        gaps={
            "diagonal": (
                ("diagonal from the top left to the bottom right", "m.(i).(i)"),
                ("diagonal from the top right to the bottom left", "m.(i).(n - 1 - i)"),
            ),
            "total": (
                ("the sum of the elements", "( + ) 0", "sum"),
                ("the product of the elements", "( * ) 1", "product"),
                ("the greatest element", "max min_int", "greatest"),
                ("the smallest element", "min max_int", "smallest"),
                ("the number of elements above $k", "(fun n x -> if x > $k then n + 1 else n) 0", "count"),
                ("the sum of the elements above $k", "(fun s x -> if x > $k then s + x else s) 0", "large_sum"),
            ),
            "k": number(0, 15),
        },
        inputs=(_SQUARE,),
    ),
    Task(
        level=2,
        says=(
            "`$f m` is a new matrix: $turned$times. The matrix `m` has at least one row and one column and does not change.",
            "Given a matrix `m` of at least one row and one column, `$f m` is a new one: $turned$times.",
        ),
        names=("turned", "moved", "rearranged"),
        signature="int array array -> int array array",
        code="let $f m =\n  let rows = Array.length m and columns = Array.length m.(0) in\n  Array.init $turned",
        gaps={
            "turned": (
                (
                    "its rows are the columns of `m`, from left to right",
                    "columns (fun j -> Array.init rows (fun i -> ${times}m.(i).(j)))",
                ),
                (
                    "the same as `m`, but with the order of the columns reversed",
                    "rows (fun i -> Array.init columns (fun j -> ${times}m.(i).(columns - 1 - j)))",
                ),
                (
                    "the same as `m`, but with the order of the rows reversed",
                    "rows (fun i -> Array.init columns (fun j -> ${times}m.(rows - 1 - i).(j)))",
                ),
                (
                    "the matrix `m` turned by a half circle, so that its last element comes first",
                    "rows (fun i -> Array.init columns (fun j -> ${times}m.(rows - 1 - i).(columns - 1 - j)))",
                ),
                (
                    "the matrix `m` turned clockwise, so that its left column becomes the top row, bottom element first",
                    "columns (fun j -> Array.init rows (fun i -> ${times}m.(rows - 1 - i).(j)))",
                ),
            ),
            "times": (
                ("", ""),
                (", with each element multiplied by $k", "$k * "),
                (", with $k added to each element", "$k + "),
            ),
            "k": number(2, 12),
        },
        inputs=(_matrix((1, 4), (1, 4)),),
    ),
    Task(
        level=2,
        says=(
            "`$f m` is an array that holds, for every column of the matrix `m` from left to right, $total. The matrix has at "
            "least one row and one column.",
            "For each column of `m` compute $total. `$f m` is the array of the results, from left to right; `m` has at least "
            "one row and one column.",
        ),
        names=("column_$total", "${total}_of_columns"),
        signature="int array array -> int array",
        code="let $f m =\n  let of_column j = Array.fold_left $total m in\n  Array.init (Array.length m.(0)) of_column",
        gaps={
            "total": (
                ("the sum of its elements", "(fun t row -> t + row.(j)) 0", "sum"),
                ("the product of its elements", "(fun t row -> t * row.(j)) 1", "product"),
                ("its greatest element", "(fun t row -> max t row.(j)) min_int", "maximum"),
                ("its smallest element", "(fun t row -> min t row.(j)) max_int", "minimum"),
                ("the number of its zeros", "(fun t row -> if row.(j) = 0 then t + 1 else t) 0", "zeros"),
                ("the number of its elements above $k", "(fun t row -> if row.(j) > $k then t + 1 else t) 0", "count"),
                ("$k plus the sum of its elements", "(fun t row -> t + row.(j)) $k", "sums"),
            ),
            "k": number(2, 15),
        },
        inputs=(_matrix((1, 4), (1, 4)),),
    ),
    Task(
        level=2,
        says=(
            "`$f m` is the index, from 0, of the row of `m` with the $most $measure. Of several such rows the first counts. "
            "There is at least one row, and none is empty.",
            "Each row of `m` holds the points of a player. Which row has the $most $measure? `$f m` is its index, counted "
            "from 0; if there are several, the first. There is at least one row, and none is empty.",
        ),
        names=("row_of_$most", "${most}_row"),
        signature="int array array -> int",
        code="let $f m =\n  let value row = Array.fold_left $measure row in\n  let best = ref 0 in\n"
        "  Array.iteri (fun i row -> if value row $most value m.(!best) then best := i) m;\n  !best",
        gaps={
            "most": (("greatest", ">", "greatest"), ("smallest", "<", "smallest")),
            "measure": (
                ("sum", "( + ) 0"),
                ("product", "( * ) 1"),
                ("number of elements above $k", "(fun n x -> if x > $k then n + 1 else n) 0"),
                ("sum of elements, where none counts for more than $k", "(fun s x -> s + min x $k) 0"),
            ),
            "k": number(4, 20),
        },
        inputs=(_matrix((1, 5), (1, 3)),),
    ),
    Task(
        level=2,
        says=(
            "`$f n x` is a square matrix of `n` rows and columns, where an element is `x` if $where, and $other otherwise. "
            "Both numbers are at least 1.",
            "Draw a pattern: `$f n x`, for positive numbers `n` and `x`, has `n` rows and `n` columns. An element is `x` "
            "if $where, and $other if not.",
        ),
        names=("pattern", "draw_square", "board"),
        signature="int -> int -> int array array",
        code="let $f n x =\n  let cell i j = if $where then x else $other in\n"
        "  Array.init n (fun i -> Array.init n (fun j -> cell i j))",
        gaps={
            "other": number(0, 12),
            "where": (
                ("its row and its column are equal", "i = j"),
                ("its row is less than its column", "i < j"),
                ("its row is at least its column", "i >= j"),
                ("the sum of its row and column, counted from 0, is even", "(i + j) mod 2 = 0"),
                ("it is in the first row or in the first column", "i = 0 || j = 0"),
                ("it is on the diagonal from the top right to the bottom left", "i + j = n - 1"),
            ),
        },
        inputs=(integers(1, 5, far=8), integers(1, 20)),
    ),
    Task(
        level=2,
        says=(
            "`$f m k x` changes `m` in place: every element of $change. It returns `m`, and `k`, counted "
            "from 0, is valid.",
            "Go along one line of the matrix `m` and change it in place: each element of $change. `$f m k x` returns "
            "`m`. The index `k` is valid; the first is 0.",
        ),
        names=("on_line", "change_line", "edit_line"),
        signature="int array array -> int -> int -> int array array",
        code="let $f m k x =\n  for i = 0 to $change\n  done;\n  m",
        gaps={"change": _CHANGES, "n": number(2, 12)},
        looks=True,
        inputs=(_matrix((3, 4), (3, 4)), integers(0, 2), integers()),
    ),
)
