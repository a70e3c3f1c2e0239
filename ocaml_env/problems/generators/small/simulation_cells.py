"""Small tasks on rows of cells: neighbours, rings, single steps, simple rules of change."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, boolean, integers, lists, one_of, texts
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]


def _row(chance: Chance) -> str:
    return '"' + "".join(chance.pick(".#o") for _ in range(chance.between(6, 9))) + '"'


def _runs(chance: Chance) -> str:
    """Rows with runs of the same cell, sometimes of one cell, sometimes long."""
    size = chance.pick((1, 2, 3, 4, 5, 6, 7, 8, 9, 18))
    made = ""
    while len(made) < size:
        made += chance.pick(".#o") * chance.between(1, 3)
    return f'"{made[:size]}"'


_NEAR: Gap = (
    ("both its neighbours are `$c`", "row.[i - 1] = '$c' && row.[i + 1] = '$c'"),
    ("at least one of its two neighbours is `$c`", "row.[i - 1] = '$c' || row.[i + 1] = '$c'"),
    ("its two neighbours are the same", "row.[i - 1] = row.[i + 1]"),
    ("its two neighbours are different", "row.[i - 1] <> row.[i + 1]"),
    ("it differs from its left neighbour", "row.[i] <> row.[i - 1]"),
    ("it is the same as its right neighbour", "row.[i] = row.[i + 1]"),
    ("it is `$c` and its right neighbour is not", "row.[i] = '$c' && row.[i + 1] <> '$c'"),
    ("it is not `$c` but its left neighbour is", "row.[i] <> '$c' && row.[i - 1] = '$c'"),
)
_CELL: Gap = (
    ("each `#` becomes `$d` and everything else `#`", "if c = '#' then '$d' else '#'"),
    ("each `o` becomes `$d`, and the rest stays", "if c = 'o' then '$d' else c"),
    ("each `#` becomes `$d`, and the rest stays", "if c = '#' then '$d' else c"),
    ("only `#` stays, and everything else becomes `$d`", "if c = '#' then c else '$d'"),
    (
        "`.` becomes `o`, `o` becomes `#`, and all others become `$d`",
        "match c with '.' -> 'o' | 'o' -> '#' | _ -> '$d'",
    ),
    ("`.` becomes `o`, `o` becomes `.`, and the rest stays", "match c with '.' -> 'o' | 'o' -> '.' | _ -> c"),
)
_TICK: Gap = (
    ("goes down by 1, but not below 0", "max 0 (x - 1)"),
    ("goes up by 1, but not above $k", "min $k (x + 1)"),
    ("goes up by 1, and from $k it falls to 0", "if x = $k then 0 else x + 1"),
    ("goes down by 1, and from 0 it jumps to $k", "if x = 0 then $k else x - 1"),
    ("falls to 0 if it is above $k, and otherwise doubles", "if x > $k then 0 else 2 * x"),
    ("loses half of itself, where the half is rounded down", "x - (x / 2)"),
)
_TWO: Gap = (
    ("alive if exactly one of the two old ones is", "a <> b"),
    ("alive if both old ones are", "a && b"),
    ("alive if at least one of the two old ones is", "a || b"),
    ("alive if the two old ones are the same", "a = b"),
    ("alive if the right one of the two old ones is and the left one is not", "b && not a"),
)
_BOTH: Gap = (
    ("the greater one", "max a b"),
    ("the smaller one", "min a b"),
    ("their sum", "a + b"),
    ("$k times the left one plus the right one", "($k * a) + b"),
    ("their sum, but at most 1$k", "min 1$k (a + b)"),
    ("what their sum is above $k, but at least 0", "max 0 (a + b - $k)"),
    ("the left one minus the right one", "a - b"),
    ("the distance between them", "abs (a - b)"),
    ("half of their sum, as `/ 2` gives it", "(a + b) / 2"),
)
_CELLS = lists(boolean(), 0, 6, far=12)

TASKS = (
    Task(
        level=1,
        says=(
            "`row` is a string of the cells `.`, `#` and `o`, and cell `i` is neither its first nor its last. `$f row i` tells if $near.",
            "In a string `row` of `.`, `#` and `o`, take cell `i`, which is not at an end: `$f row i` tells if $near.",
        ),
        names=("alive", "changes", "test_cell"),
        signature="string -> int -> bool",
        code="let $f row i = $near",
        gaps={"near": _NEAR, "c": ((".",), ("#",), ("o",))},
        inputs=(Input(_row), integers(1, 4)),
        edges=(('".#."', "1"), ('"##o"', "1"), ('"o.#.oo##.o"', "8"), ('"oo.##o.#o.#o"', "10")),
    ),
    Task(
        level=1,
        says=(
            "In one step of a row of cells, $cell. `$f row` is the new row, as a string like `row`.",
            "`$f row` is the string of cells that follows `row`: $cell. All cells change at once.",
        ),
        names=("next_row", "step", "tick"),
        signature="string -> string",
        code="let $f row = String.map (fun c -> $cell) row",
        gaps={"cell": _CELL, "d": (("-",), ("*",), ("x",), ("+",))},
        inputs=(texts(0, 8, among=".#o.#o-A", far=20),),
        edges=(('""',),),
    ),
    Task(
        level=1,
        says=(
            "A row of cells, a string that is not empty, moves: `$f row` is the row after $moved.",
            "`$f row` is the string `row` after $moved. It is not empty.",
        ),
        names=("shift", "moved", "next_row"),
        signature="string -> string",
        code="let $f row = $moved",
        gaps={
            "left": (("", "String.sub row 1 (String.length row - 1)"),),
            "right": (("", "String.sub row 0 (String.length row - 1)"),),
            "c": ((".",), ("#",), ("o",), ("-",)),
            "moved": (
                (
                    "all cells moved one place to the left; the first one comes in at the end",
                    "$left ^ String.sub row 0 1",
                ),
                ("all cells moved one place to the left; one `$c` comes in at the end", '$left ^ "$c"'),
                ("all cells moved one place to the right; one `$c` comes in at the front", '"$c" ^ $right'),
                ("all cells moved one place to the right; the first one is doubled", "String.sub row 0 1 ^ $right"),
                ("its first cell died and became `$c`", '"$c" ^ $left'),
                ("its last cell died and became `$c`", '$right ^ "$c"'),
            ),
        },
        inputs=(texts(1, 8, among=".#o", far=20),),
        edges=(('"#"',), ('"o."',)),
    ),
    Task(
        level=1,
        says=(
            "`n` cells, at least 10, are numbered from 0 and form a ring. `$f n i` is the number of the cell that is $where cell `i`, which is one of them.",
            "In a ring of `n` cells (0 to `n - 1`, then 0 again; `n` is at least 10), which one is $where cell `i`? `$f n i` tells.",
        ),
        names=("on_ring", "neighbour", "cell_number"),
        signature="int -> int -> int",
        code="let $f n i = $where",
        gaps={
            "k": number(2, 9),
            "where": (
                ("directly behind", "(i + 1) mod n"),
                ("directly before", "(i + n - 1) mod n"),
                ("$k places behind", "(i + $k) mod n"),
                ("$k places before", "(i + n - $k) mod n"),
                ("half of `n` (rounded down) places behind", "(i + (n / 2)) mod n"),
            ),
        },
        inputs=(integers(10, 20, far=100), integers(0, 9)),
        edges=tuple((str(n), str(i)) for n, i in ((10, 9), (12, 11), (20, 19), (15, 14), (18, 12), (30, 27), (11, 8))),
    ),
    Task(
        level=1,
        says=(
            "A $beetle sits in cell `i` of `n` cells in a row, numbered from 0. `$f n i` is its cell after $what.",
            "A $beetle is in cell `i` of the cells 0 to `n - 1`. Where is it after $what? `$f n i` tells.",
        ),
        names=("hop", "walk", "goes_to"),
        signature="int -> int -> int",
        code="let $f n i = $what",
        gaps={
            "beetle": (("beetle",), ("frog",), ("robot",), ("mouse",)),
            "k": number(1, 7),
            "what": (
                ("a jump of $k cells forward, at most to the last cell", "min (n - 1) (i + $k)"),
                ("a jump of $k cells back, at most to cell 0", "max 0 (i - $k)"),
                ("a jump to the cell as far from the other end", "n - 1 - i"),
                ("a step back if `i` is odd, and else none", "i - (i mod 2)"),
                ("a jump to the cell with half of its number, rounded down", "i / 2"),
            ),
        },
        inputs=(integers(10, 20, far=100), integers(0, 9)),
        edges=tuple((str(n), str(i)) for n, i in ((10, 9), (12, 11), (20, 19), (15, 14), (18, 12), (30, 27), (11, 8))),
    ),
    Task(
        level=1,
        says=(
            "Each cell of `l` has a $number, which is not negative. In a step it $tick. `$f l` is the list after that step.",
            "`$f l` is the row of cells `l` one step later: the $number of each cell, 0 or more, $tick.",
        ),
        names=("tick", "next_cells", "step_all"),
        signature="int list -> int list",
        code="let $f l = List.map (fun x -> $tick) l",
        gaps={"tick": _TICK, "number": (("timer",), ("level",), ("age",), ("count",)), "k": number(3, 9)},
        inputs=(lists(integers(0, 12, far=100), 0, 6, far=12),),
    ),
    Task(
        level=1,
        says=(
            "`l` and `m` are rows of equally many cells, true for alive. `$f l m` is the row whose cells are alive where $which.",
            "Two rows of cells, `l` and `m`, are of the same length. `$f l m` is true at each place where $which.",
        ),
        names=("both_rows", "combine", "overlay"),
        signature="bool list -> bool list -> bool list",
        code="let $f l m = List.map2 (fun a b -> $which) l m",
        gaps={
            "which": (
                ("both are", "a && b"),
                ("at least one of them is", "a || b"),
                ("exactly one of them is", "a <> b"),
                ("the first is and the second is not", "a && not b"),
                ("both are in the same state", "a = b"),
            )
        },
        inputs=(lists(boolean(), 5, 5), lists(boolean(), 5, 5)),
        edges=(
            ("[]", "[]"),
            ("[true]", "[false]"),
            ("[false]", "[true]"),
            ("[true; false; true]", "[true; true; false]"),
            (
                "[true; false; false; true; true; false; true; true]",
                "[true; true; false; false; true; true; false; true]",
            ),
        ),
    ),
    Task(
        level=2,
        says=(
            "A row of cells becomes shorter by one: of each two neighbours comes a new cell, $two. `$f l` is the new row, `[]` if `l` has less than two cells.",
            "`l` tells for each cell if it is alive. Between each two neighbours there grows a cell that is $two. `$f l` lists these; it is empty if there are no two cells.",
        ),
        names=("between", "next_row", "new_cells"),
        signature="bool list -> bool list",
        code="let rec $f l =\n  match l with\n  | a :: (b :: _ as rest) -> ($two) :: $f rest\n  | _ -> []",
        gaps={"two": _TWO},
        inputs=(_CELLS,),
    ),
    Task(
        level=2,
        says=(
            "For each two neighbours in the row `l`, in order, the list `$f l` has $both. It is empty if `l` has less than two numbers.",
            "In a step each two neighbours of a row of numbers give one new number, $both. `$f l` is the new row, `[]` if `l` has less than two.",
        ),
        names=("of_neighbours", "next_line", "merge_neighbours"),
        signature="int list -> int list",
        code="let rec $f l =\n  match l with\n  | a :: (b :: _ as rest) -> ($both) :: $f rest\n  | _ -> []",
        gaps={"both": _BOTH, "k": number(2, 9)},
        inputs=(lists(integers(-9, 20, far=100), 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`l` has the states of a cell's neighbours, true for alive. $rule `$f alive l` tells if the cell, alive now or not, is alive in the next step.",
            "A cell is alive or not, and so are its neighbours `l`. $rule Write `$f alive l`, which tells if the cell is alive after one step.",
        ),
        names=("survives", "next_state", "lives"),
        signature="bool -> bool list -> bool",
        code="let $f alive l =\n  let n = List.length (List.filter (fun x -> x) l) in\n  $rule",
        gaps={
            "k": number(1, 2),
            "m": number(1, 3),
            "rule": (
                (
                    "A living cell needs 2 or 3 living neighbours to stay alive, a dead one exactly 3 to come alive.",
                    "n = 3 || (alive && n = 2)",
                ),
                (
                    "A living cell stays alive if at least $k of its neighbours are alive, a dead one comes alive if exactly $k are.",
                    "n = $k || (alive && n > $k)",
                ),
                (
                    "A living cell stays alive with up to $k living neighbours, a dead one comes alive with exactly $m.",
                    "if alive then n <= $k else n = $m",
                ),
                (
                    "A cell follows the greater part of its neighbours; if as many are alive as dead, it stays as it is.",
                    "if 2 * n = List.length l then alive else 2 * n > List.length l",
                ),
                (
                    "A cell with exactly 2 living neighbours changes its state; others keep it.",
                    "if n = 2 then not alive else alive",
                ),
                (
                    "A cell is alive afterwards if it has an odd number of living neighbours, itself counted as well.",
                    "(if alive then n + 1 else n) mod 2 = 1",
                ),
            ),
        },
        inputs=(boolean(), lists(boolean(), 0, 8)),
    ),
    Task(
        level=2,
        says=(
            "In the row `row`, a string, $spread. All cells change at once, and the rest stays. `$f row` is the next row. `row` is not empty.",
            "`$f row` is the string of cells that follows `row`. All change at once: $spread. Others stay as they are. `row` is not empty.",
        ),
        names=("spread", "next_row", "one_step"),
        signature="string -> string",
        code="let $f row =\n  let next i c =\n    if $spread else c\n  in\n  String.mapi next row",
        gaps={
            "last": (("", "String.length row - 1"),),
            "c": ((".",), ("#",), ("o",)),
            "d": (("-",), ("*",), ("x",), ("+",)),
            "spread": (
                ("a cell becomes `$d` if its left neighbour is `$c`", "i > 0 && row.[i - 1] = '$c' then '$d'"),
                ("a cell becomes `$d` if its right neighbour is `$c`", "i < $last && row.[i + 1] = '$c' then '$d'"),
                ("a `#` with a `.` on its right becomes `.`", "c = '#' && i < $last && row.[i + 1] = '.' then '.'"),
                ("a `.` with an `o` on its left becomes `o`", "c = '.' && i > 0 && row.[i - 1] = 'o' then 'o'"),
                ("the first and the last cell become `$d`", "i = 0 || i = $last then '$d'"),
                (
                    "a cell becomes `$d` if its left neighbour is the same as itself",
                    "i > 0 && row.[i - 1] = c then '$d'",
                ),
            ),
        },
        inputs=(Input(_runs, ('"#"', '"."', '"o"', '"##"', '"o."')),),
    ),
    Task(
        level=2,
        says=(
            "In one step each cell of the list $tick. `$f n l` is the list `l` after `n` steps. No number is negative.",
            "The cells of a row have numbers, at least 0, and in each step each one $tick. Write `$f n l`, the row after `n` steps, where `n` is at least 0.",
        ),
        names=("steps", "after_steps", "run"),
        signature="int -> int list -> int list",
        code="let rec $f n l =\n  if n = 0 then l\n  else $f (n - 1) (List.map (fun x -> $tick) l)",
        gaps={"tick": _TICK, "k": number(3, 9)},
        inputs=(integers(0, 6, far=12), lists(integers(0, 12), 0, 5, far=8)),
    ),
    Task(
        level=2,
        says=(
            "A token moves on cells 0 to `n - 1`, first in cell 0. Each number in `l` is a move, negative for backwards; $rule. `$f n l` is the cell where it ends. `n` is at least 1.",
            "Starting in cell 0 of `n` cells (`n` at least 1), a token makes the moves of `l` in order, where a negative number goes back; $rule. `$f n l` is its last cell.",
        ),
        names=("token", "last_cell", "follow"),
        signature="int -> int list -> int",
        code="let $f n l =\n  let move place x = $rule in\n  List.fold_left move 0 l",
        gaps={
            "rule": (
                (
                    "the cells form a ring, where a long move may go round more than once",
                    "(((place + x) mod n) + n) mod n",
                ),
                ("at an end it stops, and the rest of that move is lost", "max 0 (min (n - 1) (place + x))"),
                (
                    "a move that would leave the cells is left out",
                    "if place + x < 0 || place + x >= n then place else place + x",
                ),
                (
                    "a move that would leave the cells leads to cell 0",
                    "if place + x < 0 || place + x >= n then 0 else place + x",
                ),
            )
        },
        inputs=(integers(1, 10), lists(integers(-5, 5, far=30))),
    ),
    Task(
        level=2,
        says=(
            "A bed has plots of three kinds. In a season $rule. `$f l` is the bed `l` one season later.",
            "Each plot is empty, has a seed or a plant, and in a season $rule. `$f l` is the list of the plots `l` after one season.",
        ),
        names=("season", "grow_bed", "next_bed"),
        signature="type plot = Empty | Seed | Plant\n\nval $f : plot list -> plot list",
        code="type plot = Empty | Seed | Plant\n\nlet $f l =\n  let next = function\n$rule\n  in\n  List.map next l",
        gaps={
            "rule": (
                (
                    "each seed becomes a plant, each plant a seed, and empty plots stay empty",
                    "    | Seed -> Plant\n    | Plant -> Seed\n    | Empty -> Empty",
                ),
                (
                    "each empty plot gets a seed, each seed becomes a plant, and plants are picked, so that nothing is left",
                    "    | Empty -> Seed\n    | Seed -> Plant\n    | Plant -> Empty",
                ),
                (
                    "each seed becomes a plant, each plant dies and leaves nothing, and empty plots stay empty",
                    "    | Seed -> Plant\n    | Plant | Empty -> Empty",
                ),
                (
                    "birds eat all seeds, so that nothing is left, each plant leaves a seed, and empty plots stay empty",
                    "    | Plant -> Seed\n    | Seed | Empty -> Empty",
                ),
            )
        },
        inputs=(lists(one_of("Empty", "Seed", "Plant"), 0, 5, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` counts the places in the row `l` where $what. Less than two cells have none.",
            "How often in the row of numbers `l` is there a place where $what? `$f l` counts; rows of less than two cells have none.",
        ),
        names=("borders", "count_places"),
        signature="int list -> int",
        code="let rec $f l =\n  match l with\n  | a :: (b :: _ as rest) -> (if $what then 1 else 0) + $f rest\n  | _ -> 0",
        gaps={
            "k": number(2, 5),
            "what": (
                ("two neighbours differ", "a <> b"),
                ("two neighbours are equal", "a = b"),
                ("a cell is followed by a greater one", "a < b"),
                ("a cell is followed by one that is smaller or equal", "a >= b"),
                ("two neighbours differ by more than $k", "abs (a - b) > $k"),
                ("two neighbours have a sum of at least $k", "a + b >= $k"),
            ),
        },
        inputs=(lists(integers(-3, 8)),),
    ),
)
