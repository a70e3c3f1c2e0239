"""Small tasks on a robot: its place, its direction, and its commands."""

from __future__ import annotations

from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, texts, tuples
from ocaml_env.problems.generators.task import Task, number

__all__ = ["TASKS"]

_PLACE = tuples(integers(-9, 12, far=100), integers(-9, 12, far=100))
_DIRECTIONS = one_of("North", "East", "South", "West")
_ROBOT = Input(lambda chance: f"{{ place = {chance.between(-9, 20)}; fuel = {chance.between(0, 30)} }}")
_TYPE = "type direction = North | East | South | West"

TASKS = (
    Task(
        level=1,
        says=(
            "A robot stands on the field `(x, y)`. `$f (x, y)` is where it stands after $move.",
            "Where is a robot after $move, if it was on the field `(x, y)` before? Write `$f (x, y)`.",
        ),
        names=("move", "after_step", "new_place"),
        signature="int * int -> int * int",
        code="let $f $move",
        gaps={
            "move": (
                ("$n steps to the right, where `x` grows", "(x, y) = (x + $n, y)"),
                ("$n steps to the left, where `x` gets smaller", "(x, y) = (x - $n, y)"),
                ("$n steps up, where `y` grows", "(x, y) = (x, y + $n)"),
                ("$n steps down, where `y` gets smaller", "(x, y) = (x, y - $n)"),
                ("a diagonal step, which adds 1 to both numbers", "(x, y) = (x + 1, y + 1)"),
                ("a jump to the column `x = $n` of its row", "(_, y) = ($n, y)"),
                ("a jump to the row `y = $n` of its column", "(x, _) = (x, $n)"),
                ("a jump to `(-x, -y)`, the point on the other side of the origin", "(x, y) = (-x, -y)"),
                ("a jump that exchanges `x` and `y`", "(x, y) = (y, x)"),
            ),
            "n": number(2, 30),
        },
    ),
    Task(
        level=1,
        says=(
            "`$f n (x, y)` is the place of a robot that went `n` steps from `(x, y)` $where.",
            "A robot goes `n` steps from `(x, y)` $where. Write `$f n (x, y)`, its new place.",
        ),
        names=("go", "walk", "drive"),
        signature="int -> int * int -> int * int",
        code="let $f n (x, y) = $where",
        gaps={
            "where": (
                ("to the east (`x` grows by 1 with each step)", "(x + n, y)"),
                ("to the west (`x` loses 1 with each step)", "(x - n, y)"),
                ("to the north (`y` grows by 1 with each step)", "(x, y + n)"),
                ("to the south (`y` loses 1 with each step)", "(x, y - n)"),
                ("to the north-east (each step adds 1 to `x` and to `y`)", "(x + n, y + n)"),
                ("to the south-east (each step adds 1 to `x` and takes 1 from `y`)", "(x + n, y - n)"),
            )
        },
        inputs=(integers(0, 20, far=1_000), _PLACE),
    ),
    Task(
        level=1,
        says=(
            "`$f (x, y)` is $what, for a robot on the field `(x, y)`.",
            "A robot stands on the field `(x, y)`. Write `$f (x, y)`: $what.",
        ),
        names=("distance", "measure", "from_home"),
        signature="int * int -> int",
        code="let $f $what",
        gaps={
            "what": (
                ("the number of steps to `(0, 0)`, each of them up, down, left or right", "(x, y) = abs x + abs y"),
                ("the number of steps to `(0, 0)` if diagonal ones are allowed too", "(x, y) = max (abs x) (abs y)"),
                ("the square of the straight distance to `(0, 0)`", "(x, y) = (x * x) + (y * y)"),
                ("the distance to the column `x = $n`", "(x, _) = abs (x - $n)"),
                ("the distance to the row `y = $n`", "(_, y) = abs (y - $n)"),
                (
                    "the number of steps to `(0, $n)`, each of them up, down, left or right",
                    "(x, y) = abs x + abs (y - $n)",
                ),
            ),
            "n": number(2, 12),
        },
        inputs=(_PLACE,),
    ),
    Task(
        level=1,
        says=(
            "`$f (x, y)` tells whether a robot on the field `(x, y)` $where.",
            "A robot is on the field `(x, y)`. Is it true that it $where? `$f (x, y)` answers.",
        ),
        names=("check", "is_there", "stands"),
        signature="int * int -> bool",
        code="let $f $where",
        gaps={
            "where": (
                ("stands where `x` and `y` are both from 0 to $n", "(x, y) = x >= 0 && x <= $n && y >= 0 && y <= $n"),
                ("stands on a line through `(0, 0)` with `x = y` or `x = -y`", "(x, y) = x = y || x = -y"),
                ("stands on a white field, where `x + y` is even", "(x, y) = (x + y) mod 2 = 0"),
                ("stands on a black field, where `x + y` is odd", "(x, y) = (x + y) mod 2 <> 0"),
                ("can reach `(0, 0)` by at most $n steps up, down, left or right", "(x, y) = abs x + abs y <= $n"),
                ("is to the right of the column `x = $n`", "(x, _) = x > $n"),
                ("is above the row `y = $n`, where `y` is greater", "(_, y) = y > $n"),
            ),
            "n": number(2, 8),
        },
        inputs=(_PLACE,),
    ),
    Task(
        level=1,
        says=(
            "A robot's heading is an angle from 0 to 359 degrees. `$f a` is its heading if it turns from `a` $turn.",
            "Which heading, from 0 to 359 degrees, does a robot have after it turned from `a` $turn? Write `$f a`.",
        ),
        names=("turn", "heading", "turned"),
        signature="int -> int",
        code="let $f a = (a + $turn) mod 360",
        gaps={
            "turn": (
                ("to the right by $d degrees (the angle grows)", "$d"),
                ("to the left by $d degrees (the angle gets smaller)", "360 - $d"),
                ("back, by 180 degrees", "180"),
            ),
            "d": tuple((str(d),) for d in (10, 15, 30, 45, 60, 90, 120, 135)),
        },
        inputs=(integers(0, 359),),
        edges=tuple((str(a),) for a in (350, 345, 330, 315, 300, 270, 240, 225, 180, 10, 15, 30, 45, 60, 90, 120, 135)),
    ),
    Task(
        level=1,
        says=(
            "A robot on a rail, with places 0 to $w, moves from `x` by `d` (perhaps negative). `$f x d` is its new place; $border.",
            "From the place `x` of a rail (0 to $w) a robot moves by `d`, perhaps negative; $border. Write `$f x d`, its new "
            "place.",
        ),
        names=("slide", "on_rail", "shift"),
        signature="int -> int -> int",
        code="let $f x d = $border",
        gaps={
            "border": (
                ("it stops at both ends", "max 0 (min $w (x + d))"),
                ("it stays at `x` if the way is too long", "if x + d < 0 || x + d > $w then x else x + d"),
            ),
            "w": number(9, 20),
        },
        inputs=(integers(0, 9), integers(-9, 14, far=100)),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is $what in the string `s` of commands.",
            "The string `s` holds a robot's commands, one character each. What is $what? Write `$f s`.",
        ),
        names=("count_commands", "steps", "tally"),
        signature="string -> int",
        code="let $f s = String.fold_left (fun n c -> $what) 0 s",
        gaps={
            "what": (
                ("the number of commands `$c`", "if c = '$c' then n + 1 else n"),
                ("the number of commands other than `$c`", "if c <> '$c' then n + 1 else n"),
                ("the number of commands `$c` minus the number of all others", "if c = '$c' then n + 1 else n - 1"),
                ("the number of digits", "if c >= '0' && c <= '9' then n + 1 else n"),
            ),
            "c": (("F",), ("B",), ("L",), ("R",)),
        },
        inputs=(texts(0, 10, "FBLRFBLR0123456789-f", far=25),),
        edges=(('""',),),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the string of commands `s` with $what.",
            "Write `$f s`: the commands of the string `s`, with $what.",
        ),
        names=("rewrite", "mirror", "translate"),
        signature="string -> string",
        code="let $f s = String.map (fun c -> $what) s",
        gaps={
            "what": (
                ("`L` and `R` exchanged", "match c with 'L' -> 'R' | 'R' -> 'L' | _ -> c"),
                ("`F` and `B` exchanged", "match c with 'F' -> 'B' | 'B' -> 'F' | _ -> c"),
                ("every `$c` replaced by `X`", "if c = '$c' then 'X' else c"),
                ("every command but `$c` replaced by a dot", "if c = '$c' then c else '.'"),
            ),
            "c": (("F",), ("B",), ("L",), ("R",)),
        },
        inputs=(texts(0, 10, "FFBBLLRRXl", far=25),),
        edges=(('""',),),
    ),
    Task(
        level=2,
        says=(
            "`$f d (x, y)` is the field $n steps from `(x, y)` in the direction `d`. `x` grows to the east, `y` to the "
            "$up.",
            "A robot on the field `(x, y)` goes $n steps in the direction `d`. Write `$f d (x, y)`, its new field; `x` "
            "grows to the east and `y` to the $up.",
        ),
        names=("step", "move_to", "advance"),
        signature=f"{_TYPE}\n\nval $f : direction -> int * int -> int * int",
        code=_TYPE + "\n\nlet $f d (x, y) =\n  match d with\n  | East -> (x + $n, y)\n  | West -> (x - $n, y)\n  $up",
        gaps={
            "up": (
                ("north", "| North -> (x, y + $n)\n  | South -> (x, y - $n)"),
                ("south", "| North -> (x, y - $n)\n  | South -> (x, y + $n)"),
            ),
            "n": number(2, 20),
        },
        inputs=(_DIRECTIONS, _PLACE),
    ),
    Task(
        level=2,
        says=(
            "`$f l` are the directions of the list `l` after $turn.",
            "Several robots look in the directions of the list `l`. Where do they look after $turn? Write `$f l`.",
        ),
        names=("turn_all", "turned", "new_directions"),
        signature=f"{_TYPE}\n\nval $f : direction list -> direction list",
        code=_TYPE + "\n\nlet $f l =\n  let turn d = match d with $turn in\n  List.map turn l",
        gaps={
            "turn": (
                ("each robot turned to the right", "North -> East | East -> South | South -> West | West -> North"),
                ("each robot turned to the left", "North -> West | West -> South | South -> East | East -> North"),
                ("each robot turned round", "North -> South | South -> North | East -> West | West -> East"),
                (
                    "each robot that looked north or south was turned round",
                    "North -> South | South -> North | East -> East | West -> West",
                ),
            ),
        },
        inputs=(lists(_DIRECTIONS, 0, 6, far=14),),
    ),
    Task(
        level=2,
        says=(
            "Commands move a robot on a rail that is at `x`: `R` adds $a to `x`, `L` subtracts $b, $border; other characters do nothing. "
            "`$f x s` is its place after the commands of the string `s`.",
            "In the string `s`, an `R` moves a robot by $a places to the right (`x` grows), an `L` by $b to the left, $border. Others are "
            "ignored. Where does it end, from `x` on? Write `$f x s`.",
        ),
        names=("run", "drive", "follow"),
        signature="int -> string -> int",
        code="let $f x s =\n  let step x c = match c with $border | _ -> x in\n  String.fold_left step x s",
        gaps={
            "border": (
                ("but never below 0", "'R' -> x + $a | 'L' -> max 0 (x - $b)"),
                ("but never above $w", "'R' -> min $w (x + $a) | 'L' -> x - $b"),
                ("and `H` brings it to place $w", "'R' -> x + $a | 'L' -> x - $b | 'H' -> $w"),
                ("and `D` doubles `x`", "'R' -> x + $a | 'L' -> x - $b | 'D' -> 2 * x"),
            ),
            "a": number(2, 5),
            "b": number(2, 5),
            "w": number(9, 14),
        },
        inputs=(integers(0, 9), texts(0, 9, "RRLLLRHDX", far=20)),
    ),
    Task(
        level=2,
        says=(
            "In the string `s`, `N` moves a robot one step up (`y + 1`), `S` down, `E` to the right (`x + 1`) and `W` to the "
            "left. It starts at `($p, $q)`, and `s` has no other characters. `$f s` is $what.",
            "A robot at `($p, $q)` obeys the string `s`, which consists of `N` (adds 1 to `y`), `S` (subtracts 1), `E` (adds 1 "
            "to `x`) and `W` (subtracts 1). Write `$f s`: $what.",
        ),
        names=("travel", "journey", "run"),
        signature="string -> int",
        code="let $f s =\n  let step (x, y) c =\n    match c with 'N' -> (x, y + 1) | 'S' -> (x, y - 1) | 'E' -> (x + 1, y) "
        "| _ -> (x - 1, y)\n  in\n  let x, y = String.fold_left step ($p, $q) s in\n  $what",
        gaps={
            "what": (
                ("the number of steps from its last place to `(0, 0)`", "abs x + abs y"),
                ("the square of its last distance from `(0, 0)`, in a straight line", "(x * x) + (y * y)"),
                (
                    "the number of steps from its last place to `(0, 0)` if diagonal ones are allowed",
                    "max (abs x) (abs y)",
                ),
                ("the greater one of its two coordinates in the end", "max x y"),
            ),
            "p": number(1, 5),
            "q": number(1, 5),
        },
        inputs=(texts(0, 9, "NSEW", far=30),),
        edges=(('""',), ('"SSSSSSSS"',), ('"WWWWWWWW"',)),
    ),
    Task(
        level=2,
        says=(
            "In the list `l` of moves on a line, a number `d` moves a robot by `d`. It starts at $k; `$f l` is $what, the "
            "start included.",
            "A robot at $k makes the moves of the list `l`: each adds its number to the place. Write `$f l`, $what, "
            "with the start.",
        ),
        names=("farthest", "reach", "extreme"),
        signature="int list -> int",
        code="let $f l =\n  let step (x, best) d = (x + d, $what) in\n  snd (List.fold_left step ($k, $k) l)",
        gaps={
            "what": (
                ("the greatest place where it ever is", "max best (x + d)"),
                ("the smallest place where it ever is", "min best (x + d)"),
                ("the greatest distance from 0 that it ever has", "max best (abs (x + d))"),
            ),
            "k": number(0, 9),
        },
        inputs=(lists(integers(-9, 9, far=100)),),
    ),
    Task(
        level=2,
        says=(
            "A robot with `b` units of energy walks the ways of the list `l` in order. Each costs its length and $k more, until the energy is "
            "too little for the next one. `$f b l` is $what.",
            "A robot with the energy `b` walks the ways of the list `l`; each costs as much energy as it is long, and $k besides. It stops "
            "before the first way for which that is not enough. Write `$f b l`: $what.",
        ),
        names=("battery", "walk", "drive_while"),
        signature="int -> int list -> int",
        code="let rec $f b l =\n  match l with\n  | d :: rest when d + $k <= b -> $what",
        gaps={
            "what": (
                ("the number of ways that it walks", "1 + $f (b - d - $k) rest\n  | _ -> 0"),
                ("the length of all the ways that it walks", "d + $f (b - d - $k) rest\n  | _ -> 0"),
                ("the energy that is left in the end", "$f (b - d - $k) rest\n  | _ -> b"),
                ("the number of ways that it does not walk", "$f (b - d - $k) rest\n  | _ -> List.length l"),
            ),
            "k": number(1, 6),
        },
        inputs=(integers(0, 50, far=200), lists(integers(0, 15))),
    ),
    Task(
        level=2,
        says=(
            "A robot made the steps of the list `l`. `$f l` are the steps that lead it back: the opposite directions, "
            "from the last to the first.",
            "Which steps undo the steps of `l`? `$f l` is the list of their opposites in reverse order.",
        ),
        names=("way_back", "undo", "return_path"),
        signature=f"{_TYPE}\n\nval $f : direction list -> direction list",
        code=_TYPE
        + "\n\nlet $f l =\n  let back d = match d with North -> South | South -> North | East -> West | West -> East in\n"
        "  List.rev_map back l",
        inputs=(lists(_DIRECTIONS, 0, 6, far=14),),
    ),
    Task(
        level=2,
        says=(
            "A robot has a place and some fuel. `$f n r` is `r` after going `n` places $where, which costs $c units of fuel "
            "for each place; if there is too little fuel, `r` does not change. `n` is at least 1.",
            "Write `$f n r`: the robot `r` after it went `n` places $where, `n` being at least 1. Each place costs $c "
            "units of fuel; a robot that has not enough for all of them stays as it is.",
        ),
        names=("go", "drive", "advance"),
        signature="type robot = { place : int; fuel : int }\n\nval $f : int -> robot -> robot",
        code="type robot = { place : int; fuel : int }\n\nlet $f n r =\n  if r.fuel < $c * n then r\n"
        "  else { place = r.place $where n; fuel = r.fuel - ($c * n) }",
        gaps={
            "where": (("forward (the number grows)", "+"), ("back (the number gets smaller)", "-")),
            "c": number(2, 5),
        },
        inputs=(integers(1, 6, far=30), _ROBOT),
    ),
)
