"""Small tasks on two functions that call each other: every other element, turns, two states, trees with lists."""

from __future__ import annotations

import re

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import atom

__all__ = ["TASKS"]


def _tree(chance: Chance, deep: int) -> str:
    children = [_tree(chance, deep - 1) for _ in range(chance.below(4) if chance.happens(0.95) else 5)] if deep else []
    return f"Node ({chance.between(1, 20)}, [{'; '.join(children)}])"


def _game(chance: Chance, deep: int, whole: bool = True) -> str:
    if deep == 0 or (not whole and chance.happens(0.3)):
        return f"End {atom(str(chance.between(-20 if chance.happens(0.2) else 1, 30)))}"
    left, right = (_game(chance, deep - 1, whole=False) for _ in range(2))
    return f"Turn ({left}, {right})"


def _walk(chance: Chance) -> str:
    ride = "Home" if chance.happens(0.4) else f"Bus ({chance.between(1, 30)}, {_walk(chance)})"
    return f"Walk ({chance.between(1, 9)}, {ride})"


def _zigzag(chance: Chance) -> str:
    """Alternating low and high numbers, with an exception here and there."""
    first = chance.below(2)
    row = [
        chance.between(0, 9) + 10 * ((i + first) % 2)
        for i in range(chance.between(1, 6) if chance.happens(0.92) else 11)
    ]
    row = [chance.between(0, 19) if chance.happens(0.12) else x for x in row]
    if len(row) > 1 and chance.happens(0.2):  # two equal neighbours, at times the last ones
        at = chance.between(1, len(row) - 1) if chance.happens(0.5) else len(row) - 1
        row[at] = row[at - 1]
    return "[" + "; ".join(map(str, row)) + "]"


def _turns(first: str, second: str, empty: str, join: str) -> tuple[str, str]:
    """Two strings that take turns ``n`` times."""
    begin = f"if n = 0 then {empty} else"
    return (
        f'`"{first}"` and `"{second}"`',
        f'{begin} "{first}" {join} other (n - 1)\nand other n = {begin} "{second}" {join} $f (n - 1)',
    )


def _steps(words: str, empty: str, first: str, second: str, last: str = "") -> tuple[str, str]:
    """Operations on the elements of a list in turn."""
    x, y = ("x" if re.search(r"\bx\b", body) else "_" for body in (first, second))
    other = f"function [] -> {last or empty} | {y} :: rest -> {second}"
    return words, f"function [] -> {empty} | {x} :: rest -> {first}\nand other = {other}"


def _forest(words: str, node: str, empty: str, join: str) -> tuple[str, str]:
    """The results for a node, and for the list of its children."""
    x = "x" if re.search(r"\bx\b", node) else "_"
    cases = f"  | [] -> {empty}\n  | tree :: rest -> {join}"
    return words, f"(Node ({x}, children)) = {node}\n\nand forest trees =\n  match trees with\n{cases}"


def _waves(words: str, first: str, second: str) -> tuple[str, str]:
    """Conditions on two neighbours in a list, in turn."""
    cases = "function\n  | a :: (b :: _ as rest) -> {} && {} rest\n  | _ -> true"
    return words, cases.format(first, "other") + "\n\nand other = " + cases.format(second, "$f")


def _players(words: str, first: str, second: str, ways: str = "a, b") -> tuple[str, str]:
    """The actions of two players in turn."""
    return words, f"{first}\n\nand other game =\n  match game with End n -> n | Turn ({ways}) -> {second}"


def _way(words: str, walk: str, bus: str) -> tuple[str, str]:
    """The points for a walk and a bus ride of ``n`` kilometres."""
    n, m = ("n" if re.search(r"\bn\b", body) else "_" for body in (walk, bus))
    ride = f"and ride = function\n  | Home -> 0\n  | Bus ({m}, rest) -> {bus}"
    return words, f"(Walk ({n}, rest)) = {walk}\n\n{ride}"


_LIST = lists(integers(-9, 20), 0, 6, far=13)
_TREE = Input(
    lambda chance: _tree(chance, chance.pick((1, 2, 2, 2, 2, 2, 3, 3))),
    (
        "Node (1, [])",
        "Node (2, [Node (1, [])])",
        "Node (1, [Node (2, []); Node (3, [])])",
        "Node (3, [Node (2, [Node (5, [Node (4, [Node (9, [])])])])])",
    ),
)
_GAME = Input(
    lambda chance: _game(chance, chance.pick((2, 3, 3, 3, 3, 4))),
    (
        "End 1",
        "Turn (End 1, End 2)",
        "Turn (End 2, End 1)",
        "Turn (End (-3), End (-5))",
        "Turn (Turn (End 1, End 2), End 3)",
    ),
)
_WALK = Input(_walk, ("Walk (1, Home)", "Walk (1, Bus (2, Walk (3, Home)))"))
_ZIGZAG = Input(_zigzag, ("[]", "[1]", "[1; 1]", "[1; 2]", "[2; 1]"))

_TREE_TYPE = "type tree = Node of int * tree list\n\n"
_GAME_TYPE = "type game = End of int | Turn of game * game\n\n"
_WALK_TYPE = "type walk = Walk of int * ride\n\nand ride = Home | Bus of int * walk\n\n"

_SUM, _MAX, _JOIN, _SAME = (
    "$f tree + forest rest",
    "max ($f tree) (forest rest)",
    "$f tree @ forest rest",
    "$f tree :: forest rest",
)
_OPPOSITES = (
    *(("tick", "tock"), ("left", "right"), ("red", "blue"), ("day", "night"), ("in", "out"), ("white", "black")),
    *(("up", "down"), ("on", "off"), ("sun", "rain"), ("yes", "no"), ("hot", "cold"), ("ping", "pong")),
)
_PIECES = (
    *(("+", "-"), ("x", "o"), ("ab", "c"), ("/", "*"), (".", "#"), ("na", "no"), ("<", ">"), ("=", "--")),
    *(("ha", "hi"), ("0", "1"), ("la", "le"), ("tic ", "tac "), ("|", "_"), ("zig", "zag"), ("o", "oo"), ("M", "m")),
)
_GAPS: dict[str, Gap] = {
    "a": number(2, 6),
    "b": number(3, 9),
    "c": number(1, 9),
    "k": number(2, 18),
    "s": number(1, 3),
    "odd": (("1st, 3rd, 5th element and so on",),),
    "even": (("2nd, 4th, 6th element and so on",),),
    "strings": tuple(_turns(*pair, "[]", "::") for pair in _OPPOSITES),
    "pieces": tuple(_turns(*pair, '""', "^") for pair in _PIECES),
    "listed": (
        _steps("the list of the $odd of `l`", "[]", "x :: other rest", "$f rest"),
        _steps("the list of the $even of `l`", "[]", "other rest", "x :: $f rest"),
        _steps("`l` with its $even negated", "[]", "x :: other rest", "-x :: $f rest"),
        _steps("`l` with its $odd times $a", "[]", "($a * x) :: other rest", "x :: $f rest"),
        _steps("`l` with its $even replaced by $k", "[]", "x :: other rest", "$k :: $f rest"),
        _steps("`l` with its $even written twice", "[]", "x :: other rest", "x :: x :: $f rest"),
        _steps("`l` with $k added to its $odd", "[]", "(x + $k) :: other rest", "x :: $f rest"),
    ),
    "added": (
        _steps("the 1st element of `l` minus the 2nd plus the 3rd and so on", "0", "x + other rest", "$f rest - x"),
        _steps("the sum of the $odd of `l`", "0", "x + other rest", "$f rest"),
        _steps("the sum of the $even of `l`", "0", "other rest", "x + $f rest"),
        _steps("the sum of `l` where the $even count $b times", "0", "x + other rest", "($b * x) + $f rest"),
        _steps("the sum of `l` where the $odd count $b times", "0", "($b * x) + other rest", "x + $f rest"),
        _steps("the sum of `l`, plus $k for each of its $even", "0", "x + other rest", "x + $k + $f rest"),
    ),
    "asked": (
        _steps("`l` has an even number of elements", "true", "other rest", "$f rest", "false"),
        _steps("`l` has an odd number of elements", "false", "other rest", "$f rest", "true"),
        _steps("the $odd of `l` are all positive", "true", "x > 0 && other rest", "$f rest"),
        _steps("the $even of `l` are all less than $k", "true", "other rest", "x < $k && $f rest"),
        _steps("at least one of the $even of `l` is at least $k", "false", "other rest", "x >= $k || $f rest"),
        _steps("at least one of the $odd of `l` is negative", "false", "x < 0 || other rest", "$f rest"),
    ),
    "taken": (
        (
            "the number of turns",
            "if n <= 0 then 0 else 1 + other (n - $a)\nand other n = if n <= 0 then 0 else 1 + $f (n - $b)",
        ),
        ("how many stones Ann gets", "if n <= 0 then 0 else min n $a + other (n - $a)\nand other n = $f (n - $b)"),
        ("how many stones Bob gets", "other (n - $a)\nand other n = if n <= 0 then 0 else min n $b + $f (n - $b)"),
        (
            "how many stones are taken last (0 if there are none)",
            "if n <= $a then n else other (n - $a)\nand other n = if n <= $b then n else $f (n - $b)",
        ),
    ),
    "climb": (
        ("A snail climbs $k metres every day, and slips back $s every night. On which day does it reach `n` metres?",),
        ("A child saves $k euros every morning, and spends $s every evening. On which day does it have `n` euros?",),
        ("A tank gets $k litres every day, and loses $s every night. On which day does it first hold `n` litres?",),
    ),
    "first": (("halved (rounded down)", "n / 2"), ("lowered by 1$c", "n - 1$c")),
    "second": (("lowered by $a", "n - $a"), ("divided by $a (rounded down)", "n / $a")),
    "f_step": (("2 * other (n - 1)",), ("other (n - 1) + n",), ("3 * other (n - 1) - n",), ("other (n - 1) + $c",)),
    "g_step": (("$f (n - 1) + $k",), ("$f (n - 1) - n",), ("$b * $f (n - 1)",), ("n + $f (n - 1)",)),
    "measured": (
        _forest("the number of nodes in the tree", "1 + forest children", "0", _SUM),
        _forest("the sum of all numbers in the tree", "x + forest children", "0", _SUM),
        _forest(
            "the sum of all numbers in the tree, where none counts more than $k",
            "min x $k + forest children",
            "0",
            _SUM,
        ),
        _forest("the number of nodes without children", "if children = [] then 1 else forest children", "0", _SUM),
        _forest(
            "the number of nodes whose number is above $k", "(if x > $k then 1 else 0) + forest children", "0", _SUM
        ),
        _forest(
            "the height of the tree, the number of nodes on its longest way down", "1 + forest children", "0", _MAX
        ),
        _forest("the largest number in the tree", "max x (forest children)", "0", _MAX),
        _forest("the largest sum of numbers on a way from the root down", "x + forest children", "0", _MAX),
    ),
    "flat": (
        _forest("all numbers, each node before its children", "x :: forest children", "[]", _JOIN),
        _forest("all numbers, each node after its children", "forest children @ [ x ]", "[]", _JOIN),
        _forest(
            "the numbers of all nodes without children", "if children = [] then [ x ] else forest children", "[]", _JOIN
        ),
        _forest(
            "all numbers but those of nodes without children, each node before its children",
            "if children = [] then [] else x :: forest children",
            "[]",
            _JOIN,
        ),
        _forest(
            "all numbers, each node before its children, with $k for each larger number",
            "min x $k :: forest children",
            "[]",
            _JOIN,
        ),
    ),
    "changed": (
        _forest("with $k added to every number", "Node (x + $k, forest children)", "[]", _SAME),
        _forest("with every number times $a", "Node ($a * x, forest children)", "[]", _SAME),
        _forest("with $k in place of every larger number", "Node (min x $k, forest children)", "[]", _SAME),
        _forest(
            "mirrored, with the children of every node in reverse",
            "Node (x, forest children)",
            "[]",
            "forest rest @ [ $f tree ]",
        ),
    ),
    "played": (
        _players(
            "The first wants the last number to be large, the second small",
            "max (other a) (other b)",
            "min ($f a) ($f b)",
        ),
        _players(
            "The first wants the last number to be small, the second large",
            "min (other a) (other b)",
            "max ($f a) ($f b)",
        ),
        _players(
            "The first wants the last number to be large; the second always goes left",
            "max (other a) (other b)",
            "$f a",
            "a, _",
        ),
        _players(
            "The first wants the last number to be small; the second always goes right",
            "min (other a) (other b)",
            "$f b",
            "_, b",
        ),
        _players(
            "Both want the result to be large, and each turn of the second adds $k to it",
            "max (other a) (other b)",
            "max ($f a) ($f b) + $k",
        ),
        _players(
            "Both want the result to be small, but each turn of the first adds $k to it",
            "min (other a) (other b) + $k",
            "min ($f a) ($f b)",
        ),
    ),
    "trip": (
        _way("the length of the whole way", "n + ride rest", "n + $f rest"),
        _way("how many kilometres are walked", "n + ride rest", "$f rest"),
        _way("how many kilometres go by bus", "ride rest", "n + $f rest"),
        _way("how often a bus is taken", "ride rest", "1 + $f rest"),
        _way(
            "what the bus rides cost, each $c euros plus $a for each kilometre", "ride rest", "$c + ($a * n) + $f rest"
        ),
        _way(
            "how many minutes it takes, 1$b for a kilometre on foot and $a by bus",
            "(1$b * n) + ride rest",
            "($a * n) + $f rest",
        ),
    ),
    "off": (("skipped", "off rest"), ("subtracted", "off rest - x"), ("counted $a times", "($a * x) + off rest")),
    "zigzag": (
        _waves("go up and down in turn, up at the first step", "a < b", "a > b"),
        _waves("go down and up in turn, down at the first step", "a > b", "a < b"),
        _waves("rise and fall in turn by at least $a, rising at the first step", "b >= a + $a", "b <= a - $a"),
        _waves("fall and rise in turn by at least $b, falling at the first step", "b <= a - $b", "b >= a + $b"),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`$f n` is a list of `n` strings, in turn $strings. It begins with the former; `n` is not negative.",
            "Write $strings in turn, the former first, until there are `n` strings: that list is `$f n`, for `n` from 0 on.",
        ),
        names=("in_turn", "alternate", "rhythm"),
        signature="int -> string list",
        code="let rec $f n = $strings",
        gaps=_GAPS,
        inputs=(integers(0, 14, far=25),),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is a string made of `n` pieces, in turn $pieces, beginning with the former. `n` is not negative.",
            "Write $pieces in turn, `n` pieces in all, the former first: this makes the string `$f n`, for `n` from 0 on.",
        ),
        names=("pattern", "border", "song"),
        signature="int -> string",
        code="let rec $f n = $pieces",
        gaps=_GAPS,
        inputs=(integers(0, 14, far=25),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is $listed.",
            "Let two functions call each other along the list `l`. `$f l` returns $listed.",
        ),
        names=("every_other", "by_turns", "weave"),
        signature="int list -> int list",
        code="let rec $f = $listed",
        gaps=_GAPS,
        inputs=(_LIST,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is $added; it is 0 for the empty list.",
            "Let two functions call each other along `l`: `$f l` is $added, and 0 for the empty list.",
        ),
        names=("total", "sum_in_turn", "alternating"),
        signature="int list -> int",
        code="let rec $f = $added",
        gaps=_GAPS,
        inputs=(_LIST,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` tells if $asked.",
            "Write two functions that call each other, so that `$f l` tells if $asked.",
        ),
        names=("check", "test", "holds"),
        signature="int list -> bool",
        code="let rec $f = $asked",
        gaps=_GAPS | {"k": number(4, 14)},
        inputs=(lists(integers(-8, 20), 0, 5, far=11),),
    ),
    Task(
        level=1,
        says=(
            "Of `n` stones, at least 0, Ann takes $a, Bob $b, and so on in turn, at last what is left. `$f n` tells $taken.",
            "Ann and Bob take $a and $b stones in turn, Ann first; the last one takes what is left. `$f n` tells $taken, for `n` stones, at least 0.",
        ),
        names=("stones", "game", "heap"),
        signature="int -> int",
        code="let rec $f n = $taken",
        gaps=_GAPS | {"b": number(7, 9)},
        inputs=(integers(0, 50, far=200),),
    ),
    Task(
        level=1,
        says=("$climb `$f n` tells, for positive `n`.", "$climb Write `$f n` for positive `n`; days count from 1."),
        names=("day", "which_day", "days"),
        signature="int -> int",
        code="let rec $f n = if n <= $k then 1 else night (n - $k)\nand night n = 1 + $f (n + $s)",
        gaps=_GAPS | {"k": number(4, 12)},
        inputs=(integers(1, 60, far=200),),
    ),
    Task(
        level=1,
        says=(
            "A positive number `n` is $first, then $second, and so on in turn, until it is not positive any more. `$f n` is the number of steps.",
            "As long as a number is positive, it is in turn $first and $second. `$f n` is the number of steps, for positive `n`.",
        ),
        names=("shrink", "go_down", "steps"),
        signature="int -> int",
        code="let rec $f n = if n <= 0 then 0 else 1 + other ($first)\n"
        "and other n = if n <= 0 then 0 else 1 + $f ($second)",
        gaps=_GAPS,
        inputs=(integers(1, 300, far=2_000),),
    ),
    Task(
        level=1,
        says=(
            "`$f 0` is $a and `other 0` is $b. For `n > 0`, `$f n` is `$f_step`, and `other n` is `$g_step`. Write `$f`.",
            "Write `$f` for `n` from 0 on: `$f n = $f_step` and `other n = $g_step`, but `$f 0 = $a` and `other 0 = $b`.",
        ),
        names=("ping", "sun", "front"),
        signature="int -> int",
        code="let rec $f n = if n = 0 then $a else $f_step\nand other n = if n = 0 then $b else $g_step",
        gaps=_GAPS,
        inputs=(integers(0, 16),),
    ),
    Task(
        level=2,
        says=(
            "A node has a positive number and a list of children. `$f tree` is $measured.",
            "Write `$f tree` with a second function for lists of trees. It returns $measured; all numbers are positive.",
        ),
        names=("measure", "inspect", "visit"),
        signature=_TREE_TYPE + "val $f : tree -> int",
        code=_TREE_TYPE + "let rec $f $measured",
        gaps=_GAPS,
        inputs=(_TREE,),
    ),
    Task(
        level=2,
        says=(
            "Each node has a number and a list of children. `$f tree` lists $flat; children go from left to right.",
            "Write `$f tree` and a second function for lists of trees. The result is a list of $flat; children go from left "
            "to right.",
        ),
        names=("flatten", "numbers", "to_list"),
        signature=_TREE_TYPE + "val $f : tree -> int list",
        code=_TREE_TYPE + "let rec $f $flat",
        gaps=_GAPS,
        inputs=(_TREE,),
    ),
    Task(
        level=2,
        says=(
            "A tree has numbers in its nodes, and each node has a list of children. `$f tree` is the tree $changed.",
            "Use one function for a tree and one for a list of trees: `$f tree` gives back the tree $changed.",
        ),
        names=("change", "rebuild", "map_tree"),
        signature=_TREE_TYPE + "val $f : tree -> tree",
        code=_TREE_TYPE + "let rec $f $changed",
        gaps=_GAPS,
        inputs=(_TREE,),
    ),
    Task(
        level=2,
        says=(
            "Two players choose in turn one of two ways, left or right, until the game ends with a number. $played. "
            "`$f game` is the result.",
            "In each turn of a game a player goes left or right; the first player begins, and then they alternate. "
            "$played. Which result do they reach? Write `$f game`.",
        ),
        names=("play", "best", "outcome"),
        signature=_GAME_TYPE + "val $f : game -> int",
        code=_GAME_TYPE + "let rec $f game =\n  match game with End n -> n | Turn (a, b) -> $played",
        gaps=_GAPS,
        inputs=(_GAME,),
    ),
    Task(
        level=2,
        says=(
            "Somebody walks, takes a bus, walks again and so on, until home; each part has a length in kilometres. "
            "`$f walk` is $trip.",
            "A way home is made of walks and bus rides in turn, each with its kilometres. Write `$f walk`, which tells $trip.",
        ),
        names=("trip", "way_home", "travel"),
        signature=_WALK_TYPE + "val $f : walk -> int",
        code=_WALK_TYPE + "let rec $f $trip",
        gaps=_GAPS,
        inputs=(_WALK,),
    ),
    Task(
        level=2,
        says=(
            "A machine adds up the numbers of a list. Each number $c switches it off or on again, and is not added itself; "
            "numbers that come while it is off are $off. It begins switched on. `$f l` is the sum.",
            "Add up the numbers of `l` until the number $c comes: numbers after it are $off until the next $c, and so on in "
            "turn. The number $c itself never counts. `$f l` is the sum.",
        ),
        names=("switched", "machine", "sum_on"),
        signature="int list -> int",
        code="let rec $f = function\n  | [] -> 0\n  | x :: rest -> if x = $c then off rest else x + $f rest\n\n"
        "and off = function\n  | [] -> 0\n  | x :: rest -> if x = $c then $f rest else $off",
        gaps=_GAPS,
        inputs=(lists(integers(-2, 9), 0, 8, far=14),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` tells if the numbers of `l` $zigzag. Lists of fewer than two elements do.",
            "Is it true that the numbers of `l` $zigzag? `$f l` answers that; it is `true` for lists of fewer than two "
            "elements.",
        ),
        names=("zigzag", "in_waves", "up_and_down"),
        signature="int list -> bool",
        code="let rec $f = $zigzag",
        gaps=_GAPS,
        inputs=(_ZIGZAG,),
    ),
)
