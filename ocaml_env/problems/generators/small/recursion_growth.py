"""Small tasks on growth step by step: plants, savings, strings and patterns."""

from __future__ import annotations

from ocaml_env.problems.generators.inputs import floats, integers, lists, texts, tuples
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_STEP: Gap = (
    ("doubled", "s ^ s"),
    ("written twice with `$c` in between", 's ^ "$c" ^ s'),
    ("put between two `$c`", '"$c" ^ s ^ "$c"'),
    ("put in brackets, `[` and `]`", '"[" ^ s ^ "]"'),
    ("lengthened by one `$c` at its end", 's ^ "$c"'),
    ("lengthened by one `$c` in front", '"$c" ^ s'),
    ("lengthened by as many `$c` as it has characters", "s ^ String.make (String.length s) '$c'"),
    ("lengthened by its first character, if it has any", "s ^ String.sub s 0 (min 1 (String.length s))"),
)
_SIGN: Gap = (("a",), ("x",), ("o",), ("*",), ("-",), ("+",), (".",))
_GROWN: Gap = (
    ("A pond of `x` lilies has twice as many a day later, but $k are picked", "(2 * x) - $k", "lilies"),
    ("A plant of `x` cm becomes $k cm higher each day", "x + $k", "plant"),
    ("A herd of `x` sheep grows by half each year (rounded down)", "x + (x / 2)", "sheep"),
    ("A debt of `x` coins grows by a tenth each year (rounded down) and by a fee of $k", "x + (x / 10) + $k", "debt"),
    (
        "A lake with `x` fish loses a quarter of them each year (rounded down), and $k new ones come",
        "x - (x / 4) + $k",
        "fish",
    ),
    ("A club of `x` people triples each year", "3 * x", "club"),
    ("A rumour that `x` people know reaches $k more people through each of them every day", "x * ($k + 1)", "rumour"),
)
_RULE: Gap = (
    ("each `$a` becomes `$a$b`", "if c = '$a' then \"$a$b\" else String.make 1 c"),
    ("each `$a` becomes `$b$b`", "if c = '$a' then \"$b$b\" else String.make 1 c"),
    ("each `$a` is dropped and everything else is doubled", "if c = '$a' then \"\" else String.make 2 c"),
    (
        "each `$a` becomes `$b`, and after everything else one `$a` is written",
        'if c = \'$a\' then "$b" else String.make 1 c ^ "$a"',
    ),
    ("each `$a` is written three times", "if c = '$a' then \"$a$a$a\" else String.make 1 c"),
    ("one `$b` is written in front of each `$a`", "if c = '$a' then \"$b$a\" else String.make 1 c"),
)
_ROW: Gap = (
    ("`n` times `$c`", "String.make n '$c'"),
    ("`n` times `$c` between two `|`", '"|" ^ String.make n \'$c\' ^ "|"'),
    ("`2 * n + 1` times `$c`", "String.make ((2 * n) + 1) '$c'"),
    ("`n` points and one `$c`", "String.make n '.' ^ \"$c\""),
    ("one `$c` with `n` times `=` on each side", "String.make n '=' ^ \"$c\" ^ String.make n '='"),
)

TASKS = (
    Task(
        level=1,
        says=(
            "A string grows: `$f s` is the string `s` $step.",
            "`$f s` is what becomes of the string `s` when it is $step.",
            "Write `$f s`, one step of growth: the string `s` is $step.",
        ),
        names=("grow", "one_step", "longer"),
        signature="string -> string",
        code="let $f s = $step",
        gaps={"step": _STEP, "c": _SIGN},
        inputs=(texts(0, 6, far=20),),
    ),
    Task(
        level=1,
        says=(
            "$grown. `$f x` is the number after one of these steps.",
            "$grown: what is the number one step later? `$f x` tells.",
        ),
        names=("next_$grown", "grow_$grown"),
        signature="int -> int",
        code="let $f x = $grown",
        gaps={"grown": _GROWN, "k": number(2, 9)},
        inputs=(integers(5, 200, far=5_000),),
    ),
    Task(
        level=1,
        says=(
            "`$f start n` is, after `n` days, the $what.",
            "After `n` days (at least 0), what is the $what? `$f start n` answers that.",
        ),
        names=("after_days", "later"),
        signature="int -> int -> int",
        code="let $f start n = $what",
        gaps={
            "k": number(2, 9),
            "what": (
                ("height of a plant of `start` cm that grows $k cm a day", "start + ($k * n)"),
                (
                    "length of a candle of `start` mm that loses $k mm a day until it is gone",
                    "max 0 (start - ($k * n))",
                ),
                (
                    "number of cells if `start` cells all split in two every day",
                    "start * (1 lsl n)",
                ),
                (
                    "number of eggs left of `start` hens that lay one each day, if $k are eaten in all",
                    "(start * n) - $k",
                ),
                (
                    "length of a wall of `start` m that becomes $k m longer every second day, first on day 2",
                    "start + ($k * (n / 2))",
                ),
                (
                    "water in a barrel that has `start` l at first, gets $k l a day and overflows at ${k}0 l",
                    "min ${k}0 (start + ($k * n))",
                ),
            ),
        },
        inputs=(integers(3, 40, far=500), integers(0, 14, far=30)),
    ),
    Task(
        level=1,
        says=(
            "A list grows: `$f l` is $what.",
            "In each step of a game a list of numbers grows. `$f l` is the next list: $what.",
        ),
        names=("next_list", "grow_list"),
        signature="int list -> int list",
        code="let $f l = $what",
        gaps={
            "k": number(0, 9),
            "what": (
                ("`l`, and then `l` once more", "l @ l"),
                ("`l`, and then its elements in the opposite order", "l @ List.rev l"),
                ("`l`, and then each of its elements plus 1", "l @ List.map (fun x -> x + 1) l"),
                ("$k, then all of `l`", "$k :: l"),
                ("`l` with $k at the end", "l @ [ $k ]"),
                ("`l` with one $k at each end", "($k :: l) @ [ $k ]"),
                ("all of `l` with each element written twice", "List.concat_map (fun x -> [ x; x ]) l"),
                ("`l` with $k in front of each element", "List.concat_map (fun x -> [ $k; x ]) l"),
                ("the length of `l`, and then `l`", "List.length l :: l"),
            ),
        },
        inputs=(lists(integers(-3, 9), 0, 5, far=12),),
    ),
    Task(
        level=1,
        says=("$grown. `$f x` is the new amount, as a float.", "$grown: what is it then? The float `$f x` tells."),
        names=("grown", "new_amount"),
        signature="float -> float",
        code="let $f x = $grown",
        gaps={
            "k": number(1, 9),
            "grown": (
                ("A tree of `x` metres becomes half as high again", "x *. 1.5"),
                ("Savings of `x` euros grow by a quarter, and then by $k euros", "(x *. 1.25) +. $k."),
                ("A snowman of `x` kg loses an eighth of its weight", "x *. 0.875"),
                ("A shadow of `x` metres becomes twice as long and then 0.5 metres longer", "(2. *. x) +. 0.5"),
                ("Half of a snow cover of `x` cm melts, and $k.5 cm are added", "(x /. 2.) +. $k.5"),
                (
                    "A balloon of `x` litres gets $k litres more and then loses a quarter of all its air",
                    "(x +. $k.) *. 0.75",
                ),
            ),
        },
        inputs=(floats(0, 30),),
    ),
    Task(
        level=1,
        says=(
            "Row `n` of a pattern consists of $row. `$f n` is that row, for `n` from 0 up.",
            "`$f n` is a string of $row; `n` is at least 0.",
        ),
        names=("row", "pattern_row"),
        signature="int -> string",
        code="let $f n = $row",
        gaps={"row": _ROW, "c": (("*",), ("#",), ("o",), ("x",), ("+",))},
        inputs=(integers(0, 18),),
    ),
    Task(
        level=2,
        says=(
            "In each step a string is $step. `$f n s` is what becomes of `s` after `n` steps; `n` is at least 0.",
            "`$f n s` is the string `s` after `n` steps (none for 0, never negative), in each of which it is $step.",
            "`n` times in a row, the string `s` is $step. Write `$f n s`, which returns the last string; for `n = 0` that is `s`.",
        ),
        names=("grow", "expand", "steps"),
        signature="int -> string -> string",
        code="let rec $f n s =\n  if n = 0 then s\n  else $f (n - 1) ($step)",
        gaps={"step": _STEP, "c": _SIGN},
        inputs=(integers(0, 4, far=6), texts(0, 4, far=7)),
    ),
    Task(
        level=2,
        says=(
            "$grown. `$f n x` is the number after `n` of these steps. `n` is at least 0.",
            "$grown: what is the number after `n` such steps? `$f n x` tells; `n` is never negative.",
        ),
        names=("after_steps", "grow_$grown"),
        signature="int -> int -> int",
        code="let rec $f n x =\n  if n = 0 then x\n  else $f (n - 1) ($grown)",
        gaps={"grown": _GROWN, "k": number(2, 9)},
        inputs=(integers(0, 5, far=12), integers(5, 200)),
    ),
    Task(
        level=2,
        says=(
            "$grown. `$f n x` lists the number at first and after each of the next `n` steps, so `n + 1` numbers in all. `n` is at least 0.",
            "$grown. Write the history of `n` such steps: `$f n x` is the list of `x` and of the `n` numbers that follow. `n` is not negative.",
        ),
        names=("history", "record_of_$grown"),
        signature="int -> int -> int list",
        code="let rec $f n x =\n  if n = 0 then [ x ]\n  else x :: $f (n - 1) ($grown)",
        gaps={"grown": _GROWN, "k": number(2, 9)},
        inputs=(integers(0, 4, far=9), integers(5, 200)),
    ),
    Task(
        level=2,
        says=(
            "$what `$f limit x` is the number of ${unit}s until there are `limit` or more, 0 if there are already. `x` is at least 1.",
            "$what After how many ${unit}s are there at least `limit`? `$f limit x` tells: 0 if it is so from the start. `x` is at least 1.",
        ),
        names=("time_until", "how_long"),
        signature="int -> int -> int",
        code="let rec $f limit x =\n  if x >= limit then 0\n  else 1 + $f limit ($what)",
        gaps={
            "k": number(2, 9),
            "unit": (("day",), ("week",), ("year",)),
            "what": (
                ("Each of `x` cells splits in two every $unit, and so do the new ones.", "2 * x"),
                ("To `x` coins, $k more are added every $unit.", "x + $k"),
                ("A swarm of `x` bees doubles every $unit, and then $k more join it.", "(2 * x) + $k"),
                (
                    "A flock of `x` geese grows by half (rounded down) and then by 1 more every $unit.",
                    "x + (x / 2) + 1",
                ),
                ("A crowd of `x` people becomes three times as large every $unit.", "3 * x"),
            ),
        },
        inputs=(integers(1, 200, far=3_000), integers(1, 30)),
        edges=(("5", "5"), ("5", "6"), ("1", "1"), ("200", "1"), ("30", "20"), ("6", "5"), ("2", "1"), ("12", "6")),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the string `s` after one step of growth in which $rule. All other characters stay as they are.",
            "All characters of `s` grow at once: $rule. `$f s` is the new string. What is not named here stays.",
        ),
        names=("grow_all", "step", "rewrite"),
        signature="string -> string",
        code='let $f s =\n  let image c = $rule in\n  String.fold_left (fun made c -> made ^ image c) "" s',
        gaps={"rule": _RULE, "a": (("a",), ("b",)), "b": (("c",), ("d",), ("e",))},
        inputs=(texts(0, 6, among="aabbcxyA", far=15),),
    ),
    Task(
        level=2,
        says=(
            "`$f n` lists the rows of a pattern, $order. A row with the number `n` consists of $row. For 0 the list is empty; `n` is not negative.",
            "Each row of a pattern has a number `n`, from 1 up, and consists of $row. `$f n` lists the first `n` rows, $order; `$f 0` is empty.",
        ),
        names=("pattern", "rows", "pyramid"),
        signature="int -> string list",
        code="let rec $f n =\n  if n = 0 then []\n  else $order",
        gaps={
            "order": (
                ("from row `n` down to row 1", "($row) :: $f (n - 1)"),
                ("from row 1 up to row `n`", "$f (n - 1) @ [ $row ]"),
            ),
            "row": _ROW,
            "c": (("*",), ("#",), ("o",), ("x",), ("+",)),
        },
        inputs=(integers(0, 13),),
    ),
    Task(
        level=2,
        says=(
            "A walker covers `k` km on the first day, and on each further day $more. `$f k n` is the way of the first `n` days together. `n` is at least 0.",
            "Somebody learns `k` words on the first day and on each further day $more. How many are these in `n` days? `$f k n` tells; `n` is not negative.",
        ),
        names=("total", "in_all", "sum_of_days"),
        signature="int -> int -> int",
        code="let rec $f k n =\n  if n = 0 then 0\n  else k + $f ($more) (n - 1)",
        gaps={
            "m": number(2, 5),
            "more": (
                ("$m more than on the day before", "k + $m"),
                ("twice as many as on the day before", "2 * k"),
                ("one fewer than on the day before, but never fewer than 0", "max 0 (k - 1)"),
                ("half as many as on the day before, rounded down", "k / 2"),
            ),
        },
        inputs=(integers(0, 40), integers(0, 6, far=15)),
        edges=(("3", "6"), ("1", "5"), ("2", "2"), ("7", "1"), ("5", "0"), ("3", "3"), ("3", "4")),
    ),
    Task(
        level=2,
        says=(
            "There are `y` young and `o` old $animals. Each year $what. `$f n (y, o)` is the pair of young and old ones after `n` years, with `n` at least 0.",
            "A pair `(y, o)` counts young and old $animals. Each year $what. Write `$f n (y, o)`, the pair after `n` years; `n` is not negative.",
        ),
        names=("generations", "young_and_old"),
        signature="int -> int * int -> int * int",
        code="let rec $f n (y, o) =\n  if n = 0 then (y, o)\n  else $f (n - 1) ($what)",
        gaps={
            "animals": (("rabbits",), ("geese",), ("goats",), ("foxes",)),
            "k": number(2, 4),
            "what": (
                ("the young ones become old, and each old one has one young", "o, y + o"),
                ("the young ones become old, and each old one has $k young and dies", "$k * o, y"),
                (
                    "each old one has one young, half of the young ones (rounded down) become old, and the others leave",
                    "o, o + (y / 2)",
                ),
                ("the young ones become old, the old ones die, and $k young ones come from elsewhere", "$k, y"),
            ),
        },
        inputs=(integers(0, 4, far=8), tuples(integers(0, 12), integers(0, 12))),
    ),
)
