"""Small tasks on scores and measurements in lists: best, spread, improvements, limits, averages."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, floats, integers, lists, tuples
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["FAMILY", "TASKS"]


def _named(chance: Chance) -> str:
    names = chance.sample(
        ("Ann", "Ben", "Cem", "Dora", "Eva", "Fritz", "Gil", "Hanna", "Ida", "Jo"),
        chance.pick((1, 2, 3, 3, 4, 5, 5, 9)),
    )
    high = chance.pick((20, 20, 20, 3, 2_000))
    return "[" + "; ".join(f'("{name}", {chance.number(0, high)})' for name in names) + "]"


_POINTS: Gap = (
    ("points of a player", "", "points"),
    ("marks of a pupil", "", "marks"),
    ("scores of a team", "", "scores"),
    ("jumps of an athlete in cm", "", "jumps"),
    ("daily steps of a walker", "", "steps"),
    ("heights of a tide in cm", "", "tides"),
)
_BEST, _WORST, _SUM = "List.fold_left max min_int l", "List.fold_left min max_int l", "List.fold_left ( + ) 0 l"
_SCORE = integers(0, 60, far=3_000)
_SOME, _ANY = lists(_SCORE, 1, 6, far=13), lists(_SCORE, 0, 6, far=13)
_SAME_LENGTH = (lists(integers(0, 9), 4, 4), lists(integers(0, 9), 4, 4))
_ROUNDS = (
    ("[]", "[]"),
    ("[5]", "[5]"),
    ("[1]", "[40]"),
    ("[0; 3; 3]", "[1; 3; 2]"),
    ("[9; 0; 2; 2; 7; 4; 4; 1]", "[8; 1; 2; 3; 6; 4; 5; 300]"),
    ("[1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11]", "[1; 2; 2; 4; 5; 6; 8; 8; 9; 0; 10]"),
)
_PLAYERS = Input(_named, ("[]",))

TASKS = (
    Task(
        level=1,
        says=(
            "`l` has the $points; it is not empty. `$f l` is $what.",
            "From the $points in `l`, at least one, `$f l` finds $what.",
        ),
        names=("$points", "of_$points"),
        signature="int list -> int",
        code="let $f l = $what",
        gaps={
            "points": _POINTS,
            "k": number(2, 9),
            "what": (
                ("the difference between the greatest and the smallest number", f"{_BEST} - {_WORST}"),
                ("the average of all, rounded down", f"{_SUM} / List.length l"),
                ("the sum of all without the smallest one", f"{_SUM} - {_WORST}"),
                ("the sum of all, the greatest one counted twice", f"{_SUM} + {_BEST}"),
                ("the middle between the greatest and the smallest number, rounded down", f"({_BEST} + {_WORST}) / 2"),
                (
                    "how much the last number is above the first, maybe below 0",
                    "List.nth l (List.length l - 1) - List.hd l",
                ),
                ("how much the greatest number is above the first", f"{_BEST} - List.hd l"),
                ("how much is missing to ${k}00 in all, at least 0", f"max 0 (${{k}}00 - ({_SUM}))"),
                (
                    "how many numbers are equal to the greatest one",
                    f"List.length (List.filter (fun x -> x = {_BEST}) l)",
                ),
                (
                    "how many numbers are better than the first one",
                    "List.length (List.filter (fun x -> x > List.hd l) l)",
                ),
            ),
        },
        inputs=(_SOME,),
    ),
    Task(
        level=1,
        says=(
            "`l` has the $points. `$f l` is the list of $what, in the same order.",
            "Write `$f l`, the list of $what, where `l` has the $points; their order stays.",
        ),
        names=("change_$points", "new_$points", "select"),
        signature="int list -> int list",
        code="let $f l = $what",
        gaps={
            "points": _POINTS,
            "k": number(20, 40),
            "d": number(2, 9),
            "what": (
                ("those that are above $k", "List.filter (fun x -> x > $k) l"),
                ("those from $d to $k", "List.filter (fun x -> x >= $d && x <= $k) l"),
                ("all, but those above $k lowered to $k", "List.map (fun x -> min $k x) l"),
                ("all with a bonus of $d", "List.map (fun x -> x + $d) l"),
                ("all less a penalty of $d, but never below 0", "List.map (fun x -> max 0 (x - $d)) l"),
                ("what each is above $k, negative if it is below", "List.map (fun x -> x - $k) l"),
                ("all, where those below $k are replaced by 0", "List.map (fun x -> if x < $k then 0 else x) l"),
                ("what those above $k are above it", "List.map (fun x -> x - $k) (List.filter (fun x -> x > $k) l)"),
                (
                    "those that do not equal the first one",
                    "List.filter (fun x -> x <> List.hd l) l",
                ),
            ),
        },
        inputs=(_ANY,),
        edges=(("[5; 3; 5; 5]",), ("[40; 2; 40]",), ("[7; 7; 7; 8]",)),
    ),
    Task(
        level=1,
        says=(
            "`l` has the $points; it is not empty. `$f l` tells if $what.",
            "For the $points in `l`, at least one, is it true that $what? `$f l` answers that.",
        ),
        names=("check_$points", "passes", "fits"),
        signature="int list -> bool",
        code="let $f l = $what",
        gaps={
            "points": _POINTS,
            "k": number(15, 40),
            "what": (
                ("the average is at least $k", f"{_SUM} >= $k * List.length l"),
                ("the first number is the greatest, maybe with others", f"List.hd l = {_BEST}"),
                ("the last number is greater than the first", "List.nth l (List.length l - 1) > List.hd l"),
                ("the greatest number is more than twice the smallest", f"{_BEST} > 2 * {_WORST}"),
                ("no two of them are more than $k apart", f"{_BEST} - {_WORST} <= $k"),
            ),
        },
        inputs=(lists(integers(0, 60), 1, 4, far=9),),
        edges=(("[10; 20]",), ("[20; 10; 15]",), ("[21; 10]",), ("[30; 12; 30]",), ("[30; 31; 12; 30]",), ("[0; 0]",)),
    ),
    Task(
        level=1,
        says=(
            "Each pair in `l` is a name with a score. `$f l` is the list of $what.",
            "`l` is a table of names and scores. List $what: that is `$f l`.",
        ),
        names=("names", "pick_names", "who"),
        signature="(string * int) list -> string list",
        code="let $f l = $what",
        gaps={
            "k": number(5, 15),
            "mark": (("!",), ("*",), (" (ok)",)),
            "what": (
                (
                    "the names with a score of $k or more, in order",
                    "List.map fst (List.filter (fun (_, x) -> x >= $k) l)",
                ),
                ("the names with a score below $k, in order", "List.map fst (List.filter (fun (_, x) -> x < $k) l)"),
                (
                    "all names, from the lowest score to the highest (equal ones in the order of `l`)",
                    "List.map fst (List.stable_sort (fun (_, a) (_, b) -> compare a b) l)",
                ),
                (
                    "all names, from the highest score to the lowest (equal ones in the order of `l`)",
                    "List.map fst (List.stable_sort (fun (_, a) (_, b) -> compare b a) l)",
                ),
                (
                    "all names, those with a score above $k followed by `$mark`",
                    'List.map (fun (name, x) -> if x > $k then name ^ "$mark" else name) l',
                ),
                (
                    "texts such as `Ann: 5` for all of them, in order",
                    'List.map (fun (name, x) -> name ^ ": " ^ string_of_int x) l',
                ),
                (
                    "texts such as `Ann $k` for all of them, where a score above $k counts as $k",
                    'List.map (fun (name, x) -> name ^ " " ^ string_of_int (min $k x)) l',
                ),
            ),
        },
        inputs=(_PLAYERS,),
    ),
    Task(
        level=1,
        says=(
            "Two teams, `l` and `m`, have played equally many rounds. `$f l m` is $what.",
            "`l` and `m`, equally long, are the scores of two players, round by round. `$f l m` is $what.",
        ),
        names=("compare_teams", "rounds", "duel"),
        signature="int list -> int list -> int",
        code="let $f l m = $what",
        gaps={
            "w": number(2, 4),
            "what": (
                (
                    "the number of rounds that the first one won",
                    "List.length (List.filter (fun (a, b) -> a > b) (List.combine l m))",
                ),
                (
                    "the number of rounds in which both scored the same",
                    "List.length (List.filter (fun (a, b) -> a = b) (List.combine l m))",
                ),
                (
                    "how much more the first one scored in all, maybe below 0",
                    "List.fold_left2 (fun sum a b -> sum + a - b) 0 l m",
                ),
                ("the sum of the better score of each round", "List.fold_left2 (fun sum a b -> sum + max a b) 0 l m"),
                (
                    "the greatest difference of the two in one round",
                    "List.fold_left2 (fun most a b -> max most (abs (a - b))) 0 l m",
                ),
                (
                    "the points of the first one, $w for each round that it won",
                    "List.fold_left2 (fun sum a b -> if a > b then sum + $w else sum) 0 l m",
                ),
            ),
        },
        inputs=_SAME_LENGTH,
        edges=_ROUNDS,
    ),
    Task(
        level=1,
        says=(
            "`l` has measured $lengths, none of them negative. `$f l` is $what, as a float.",
            "For the $lengths in `l`, which are not negative, the float `$f l` is $what.",
        ),
        names=("measured", "of_$lengths"),
        signature="float list -> float",
        code="let $f l = $what",
        gaps={
            "lengths": (
                ("lengths", "", "lengths"),
                ("weights", "", "weights"),
                ("times", "", "times"),
                ("rainfalls", "", "rain"),
            ),
            "k": number(3, 12),
            "what": (
                ("the greatest one, 0 if there are none", "List.fold_left Float.max 0. l"),
                ("the sum of all", "List.fold_left ( +. ) 0. l"),
                ("a quarter of the sum of all", "List.fold_left ( +. ) 0. l /. 4."),
                (
                    "the sum of what each is above $k, where those below do not count",
                    "List.fold_left (fun sum x -> sum +. Float.max 0. (x -. $k.)) 0. l",
                ),
                (
                    "the sum of those that are less than $k",
                    "List.fold_left (fun sum x -> if x < $k. then sum +. x else sum) 0. l",
                ),
                (
                    "how far the greatest one is from $k, below 0 if it is smaller (0 counts if there are none)",
                    "List.fold_left Float.max 0. l -. $k.",
                ),
            ),
        },
        inputs=(lists(floats(0, 20), 0, 5, far=11),),
    ),
    Task(
        level=1,
        says=(
            "`l` has three or more scores. `$f l` is $what.",
            "For scores in `l`, at least three, `$f l` is $what.",
        ),
        names=("ranked", "by_rank"),
        signature="int list -> int",
        code="let $f l = $what",
        gaps={
            "down": (("", "List.sort (fun a b -> compare b a) l"),),
            "up": (("", "List.sort compare l"),),
            "what": (
                ("the second best of them (a best one that comes twice is second, too)", "List.nth ($down) 1"),
                ("the third best of them, where equal ones count one by one", "List.nth ($down) 2"),
                ("the second lowest of them, where equal ones count one by one", "List.nth ($up) 1"),
                (
                    "the one in the middle of the sorted list, and the higher of two in the middle",
                    "List.nth ($up) (List.length l / 2)",
                ),
                (
                    "how much the best is ahead of the second best (0 if they are equal)",
                    "List.nth ($down) 0 - List.nth ($down) 1",
                ),
                ("the number of different ones among them", "List.length (List.sort_uniq compare l)"),
            ),
        },
        inputs=(lists(integers(0, 12, far=3_000), 3, 6, far=12),),
        edges=(("[7; 7; 7]",), ("[9; 9; 2]",), ("[1; 9; 9]",), ("[4; 4; 9; 1]",), ("[0; 5; 5; 0]",)),
    ),
    Task(
        level=2,
        says=(
            "`l` has the $points, in the order of time. `$f l` is $what; it is 0 for less than two of them.",
            "Compare each number in `l`, the $points, with the one before it: `$f l` is $what. With less than two numbers it is 0.",
        ),
        names=("progress", "improvements", "${points}_progress"),
        signature="int list -> int",
        code="let rec $f l =\n  match l with\n  | a :: (b :: _ as rest) -> $what\n  | _ -> 0",
        gaps={
            "points": _POINTS,
            "k": number(5, 20),
            "what": (
                ("how often one is better than the one before", "(if b > a then 1 else 0) + $f rest"),
                ("how often one is at least $k better than the one before", "(if b - a >= $k then 1 else 0) + $f rest"),
                ("the greatest gain from one to the next, 0 if there is none", "max (b - a) ($f rest)"),
                ("the sum of all gains from one to the next, where losses do not count", "max 0 (b - a) + $f rest"),
                (
                    "the sum of all losses from one to the next, as a number that is not negative",
                    "max 0 (a - b) + $f rest",
                ),
                ("the greatest change from one to the next, up or down", "max (abs (b - a)) ($f rest)"),
            ),
        },
        inputs=(_ANY,),
    ),
    Task(
        level=2,
        says=(
            "$start starts as the record. Going through `l`, each number above the record is a new one. `$f l` is $what.",
            "The record is $start at first, and a greater number in `l` becomes the new one, in order. `$f l` is $what.",
        ),
        names=("records", "new_records"),
        signature="int list -> int list",
        code="let $f l =\n  let rec go best = function\n    | [] -> $what\n  in\n  go $start l",
        gaps={
            "start": number(10, 30),
            "what": (
                (
                    "the list of the new records",
                    "[]\n    | x :: rest -> if x > best then x :: go x rest else go best rest",
                ),
                (
                    "the list that has the record after each number",
                    "[]\n    | x :: rest -> max best x :: go (max best x) rest",
                ),
                (
                    "the list of how much each new record is above the one before",
                    "[]\n    | x :: rest -> if x > best then (x - best) :: go x rest else go best rest",
                ),
                (
                    "the list of the numbers that are no new record",
                    "[]\n    | x :: rest -> if x > best then go x rest else x :: go best rest",
                ),
                (
                    "the list of the numbers that equal the record at their time",
                    "[]\n    | x :: rest -> if x = best then x :: go best rest else go (max best x) rest",
                ),
            ),
        },
        inputs=(lists(integers(8, 40, far=900), 0, 6, far=13),),
    ),
    Task(
        level=2,
        says=(
            "Each pair in `l` is a name with a score. `$f l` is `Some` of $what, or `None` if `l` is empty.",
            "`l` is a table of names and scores. If it is empty, `$f l` is `None`, and else `Some` of $what.",
        ),
        names=("winner", "find_best"),
        signature="(string * int) list -> string option",
        code="let $f l =\n  match l with\n  | [] -> None\n  | first :: rest ->\n    let better a b = if $what then b else a in\n    Some (fst (List.fold_left better first rest))",
        gaps={
            "what": (
                ("the name with the highest score, the first of several", "snd b > snd a"),
                ("the name with the highest score, the last of several", "snd b >= snd a"),
                ("the name with the lowest score, the first of several", "snd b < snd a"),
                ("the name with the lowest score, the last of several", "snd b <= snd a"),
                (
                    "the name with the score that is nearest to $k, the first of several",
                    "abs (snd b - $k) < abs (snd a - $k)",
                ),
                ("the longest name, the first of several", "String.length (fst b) > String.length (fst a)"),
            ),
            "k": number(5, 15),
        },
        inputs=(_PLAYERS,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is `Some` of the $stat of the scores in `l` that are $which, or `None` if there are none.",
            "Take only the scores in `l` that are $which: `$f l` is `Some` of their $stat, `None` without any.",
        ),
        names=("selected", "of_these"),
        signature="int list -> int option",
        code="let $f l =\n  match List.filter (fun x -> $which) l with\n  | [] -> None\n  | kept -> Some ($stat)",
        gaps={
            "k": number(15, 40),
            "which": (("above $k", "x > $k"), ("at most $k", "x <= $k"), ("not 0", "x <> 0"), ("even", "x mod 2 = 0")),
            "stat": (
                ("average (rounded down)", "List.fold_left ( + ) 0 kept / List.length kept"),
                ("greatest one", "List.fold_left max 0 kept"),
                ("smallest one", "List.fold_left min max_int kept"),
                ("sum", "List.fold_left ( + ) 0 kept"),
            ),
        },
        inputs=(lists(_SCORE, 0, 5, far=11),),
    ),
    Task(
        level=2,
        says=(
            "Scores are called $grade. `$f l` is $what.",
            "`$f l` is $what, where a score is called $grade.",
        ),
        names=("grades", "levels"),
        signature="int list -> string list",
        code="let $f l =\n  let name x = $grade in\n  $what",
        gaps={
            "a": number(40, 50),
            "b": number(15, 30),
            "grade": (
                (
                    "`gold` from $a up, `silver` from $b up, and else `bronze`",
                    'if x >= $a then "gold" else if x >= $b then "silver" else "bronze"',
                ),
                (
                    "`good` above $a, `fair` above $b, and else `weak`",
                    'if x > $a then "good" else if x > $b then "fair" else "weak"',
                ),
                (
                    "`low` below $b, `high` from $a up, and else `medium`",
                    'if x < $b then "low" else if x >= $a then "high" else "medium"',
                ),
                ("`passed` from $b up and else `failed`", 'if x >= $b then "passed" else "failed"'),
                ("`normal` from $b to $a and else `odd`", 'if x >= $b && x <= $a then "normal" else "odd"'),
            ),
            "what": (
                ("the list of the names of the scores in `l`", "List.map name l"),
                ("the list of the names of the scores in `l`, the last one first", "List.rev (List.map name l)"),
                (
                    "the list of the different names that scores in `l` have, in alphabetical order",
                    "List.sort_uniq compare (List.map name l)",
                ),
                (
                    "the list of texts for the scores in `l`: each score, a space and its name",
                    'List.map (fun x -> string_of_int x ^ " " ^ name x) l',
                ),
            ),
        },
        inputs=(_ANY,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` looks at the beginning of `l`, up to the first score $below $k: it is $what.",
            "Before the first score $below $k in `l` (before the end, if there is none) stand some others. `$f l` is $what.",
        ),
        names=("at_first", "before_failure", "good_start"),
        signature="int list -> int",
        code="let rec $f l =\n  match l with\n  | x :: rest when x $below $k -> $what\n  | _ -> 0",
        gaps={
            "k": number(15, 30),
            "below": (("below", ">="), ("above", "<=")),
            "what": (
                ("how many scores come before that", "1 + $f rest"),
                ("the sum of the scores before that", "x + $f rest"),
                ("the greatest of the scores before that, 0 if there is none", "max x ($f rest)"),
            ),
        },
        inputs=(lists(integers(0, 45), 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "Each pair in `l` is a game: goals of our team and of the others. `$f l` is $what, 0 for no games.",
            "`l` lists games as pairs, our goals first. `$f l` is $what; without any game it is 0.",
        ),
        names=("season", "league_points", "games"),
        signature="(int * int) list -> int",
        code="let rec $f l =\n  match l with\n  | [] -> 0\n  | (a, b) :: rest -> $what",
        gaps={
            "w": number(2, 4),
            "what": (
                (
                    "the points of our team, $w for each game won and 1 for each draw",
                    "(if a > b then $w else if a = b then 1 else 0) + $f rest",
                ),
                ("the number of games won less the number of games lost", "compare a b + $f rest"),
                ("the difference of all goals, ours less theirs", "a - b + $f rest"),
                ("the number of games with $w goals or more in all", "(if a + b >= $w then 1 else 0) + $f rest"),
                (
                    "the number of games that our team won without a goal of the others",
                    "(if a > 0 && b = 0 then 1 else 0) + $f rest",
                ),
                ("the greatest number of goals in one game, both teams together", "max (a + b) ($f rest)"),
            ),
        },
        inputs=(lists(tuples(integers(0, 4, far=15), integers(0, 4, far=15)), 0, 5, far=11),),
    ),
)

FAMILY = Family(
    name="lists.scores",
    topics=("lists", "folds"),
    description="scores and measurements in lists: the best, gains, records, averages, limits",
    tasks=TASKS,
    split="eval",
)
