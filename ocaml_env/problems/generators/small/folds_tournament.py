"""Small tasks on duels: the winner of two or four, the survivors of a round, and the last one in the end."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, tuples, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_POINTS = integers(0, 30)
_NAME = words()


def _close(chance: Chance) -> str:
    """Points, often few, so that two players have equally many."""
    return str(chance.between(0, 3) if chance.happens(0.6) else chance.number(0, 30))


def _tied(chance: Chance) -> str:
    a, b = chance.number(0, 30), chance.number(0, 30)
    return f"({a}, {a if chance.happens(0.2) else b})"


_PLAYED = tuples(_NAME, Input(_close, ("0", "30")))
_GAME = Input(_tied, ("(0, 0)", "(0, 9)", "(9, 0)", "(5, 5)"))
_PLAYER = Input(lambda chance: f"{{ name = {_NAME.draw(chance)}; points = {chance.between(0, 6)} }}")
_HAND = one_of("Rock", "Paper", "Scissors")

_GAPS: dict[str, Gap] = {
    "k": number(2, 20),
    "d": number(2, 4),
    "none": number(-1, 0),
    "duel": (
        ("the greater of the two", "max a b"),
        ("the smaller of the two", "min a b"),
        ("their sum", "a + b"),
        ("the first minus the second", "a - b"),
        ("the distance between the two", "abs (a - b)"),
        ("their sum minus $k", "a + b - $k"),
        ("the greater of the two plus $k", "max a b + $k"),
        ("$d times the first plus the second", "($d * a) + b"),
    ),
    "result": (
        (
            "$d if the first has more, 1 if both have as many, and otherwise 0",
            "if a > b then $d else if a = b then 1 else 0",
        ),
        ("the number of points by which the winner is ahead (0 for a draw)", "abs (a - b)"),
        ("1 if the first player has more points, and otherwise 2", "if a > b then 1 else 2"),
        ("twice the points of the loser, who has fewer", "2 * min a b"),
        ("1 if the first is at least $k points ahead, and otherwise 0", "if a >= b + $k then 1 else 0"),
        ("the sum of the points of both minus $k", "a + b - $k"),
        ("the points of the winner, who has more, plus a prize of $k", "max a b + $k"),
    ),
    "name": (
        ("the one with more points (the first, if they have equally many)", "a >= b"),
        ("the one with more points (the second, if they have equally many)", "a > b"),
        ("the one with fewer points (the first, if they have equally many)", "a <= b"),
        ("the first if it is at least $k points ahead, otherwise the second", "a >= b + $k"),
        ("the first if both together have more than $k points, otherwise the second", "a + b > $k"),
        ("the first if it has at least $d times as many points, otherwise the second", "a >= $d * b"),
    ),
    "final": (
        ("the sum of the two that play the final", "max a b + max c d"),
        ("the sum of the two that lose a semi-final", "min a b + min c d"),
        ("the distance between the two that play the final", "abs (max a b - max c d)"),
        ("the number that wins in the end, plus a prize of $k", "max (max a b) (max c d) + $k"),
        ("the number that loses the final, plus a prize of $k", "min (max a b) (max c d) + $k"),
        ("$d times the smallest number of all", "$d * min (min a b) (min c d)"),
    ),
    "many": (
        ("the number of players left after one round, if one without an opponent goes on", "(n + 1) / 2"),
        ("the number of players left after one round, if one without an opponent is out", "n / 2"),
        ("the number of games until one player is left", "n - 1"),
        ("the number of games if, instead, each player meets each other once", "n * (n - 1) / 2"),
        ("the minutes that all games take until one player is left, at $k minutes each", "$k * (n - 1)"),
        ("the number of players left over when teams of $k are made instead", "n mod $k"),
        ("the number of full teams of $k that can be made instead", "n / $k"),
    ),
    "champion": (
        ("the greater one stays", "max (List.hd l) l"),
        ("the smaller one stays", "min (List.hd l) l"),
        ("their sum takes their place", "( + ) (List.hd l) (List.tl l)"),
        ("the first minus the second takes their place", "( - ) (List.hd l) (List.tl l)"),
        ("their product takes their place", "( * ) (List.hd l) (List.tl l)"),
        (
            "the first stays, unless the second is at least $k greater",
            "(fun a b -> if b >= a + $k then b else a) (List.hd l) l",
        ),
        ("the distance between them takes their place", "(fun a b -> abs (a - b)) (List.hd l) (List.tl l)"),
    ),
    "row": (
        ("the greater number", "max a b"),
        ("the smaller number", "min a b"),
        ("the distance between the two numbers", "abs (a - b)"),
        ("1 if the first number is at least as great as the second, and otherwise 2", "if a >= b then 1 else 2"),
        ("the sum of both numbers plus $k", "a + b + $k"),
        ("the first number if it is greater than $k, and otherwise the second", "if a > $k then a else b"),
    ),
    "lone": (
        ("goes on as it is", "l -> l"),
        ("is out", "_ -> []"),
        ("goes on with $k added to it", "[ a ] -> [ a + $k ]\n  | [] -> []"),
        ("is replaced by $k", "[ _ ] -> [ $k ]\n  | [] -> []"),
    ),
    "where": (("at the front", "(($duel) :: rest)"), ("at the end", "(rest @ [ $duel ])")),
    "again": (
        (
            "rounds there are until one is left, if they play two by two and one without an opponent goes on",
            "1 + $f ((n + 1) / 2)",
        ),
        (
            "rounds there are until one is left, if one of every three, or of a smaller last group, goes on",
            "1 + $f ((n + 2) / 3)",
        ),
        (
            "times someone has no opponent, if they play two by two and such a one goes on, until one is left",
            "(n mod 2) + $f ((n + 1) / 2)",
        ),
        ("rounds there are until at most one is left, if $d players leave in each of them", "1 + $f (n - $d)"),
        (
            "games there are until one is left, if a lone one goes on, and each pair plays $d times",
            "($d * (n / 2)) + $f ((n + 1) / 2)",
        ),
    ),
    "king": (
        ("the winner stays as strong as it was", "max king x"),
        ("the winner loses $d points of strength", "max king x - $d"),
        ("the winner gains $k points of strength", "max king x + $k"),
        ("the winner loses the strength of the loser", "abs (king - x)"),
        ("the winner gains the strength of the loser", "king + x"),
    ),
    "best": (
        ("the most points (the first, if there are several)", "p.points > best.points"),
        ("the most points (the last, if there are several)", "p.points >= best.points"),
        ("the fewest points (the first, if there are several)", "p.points < best.points"),
        ("the fewest points (the last, if there are several)", "p.points <= best.points"),
    ),
    "win": number(2, 9),
    "draw": number(0, 1),
    "lose": number(-3, -1),
}

TASKS = (
    Task(
        level=1,
        says=(
            "Two players have `a` and `b` points. `$f a b` is $result.",
            "Write `$f a b` for the points of two players, first `a` and then `b`: it returns $result.",
        ),
        names=("game", "outcome", "judge"),
        signature="int -> int -> int",
        code="let $f a b = $result",
        gaps=_GAPS,
        inputs=(_POINTS, _POINTS),
    ),
    Task(
        level=1,
        says=(
            "Two players are pairs of a name and points. `$f one two` is one of the names: $name.",
            "A player is a pair of a name and points. Of two players, `$f one two` names $name.",
        ),
        names=("winner", "chosen", "who_wins"),
        signature="string * int -> string * int -> string",
        code="let $f (one, a) (two, b) = if $name then one else two",
        gaps=_GAPS,
        inputs=(_PLAYED, _PLAYED),
    ),
    Task(
        level=1,
        says=(
            "In the semi-finals `a` meets `b`, and `c` meets `d`. The greater number always wins. `$f a b c d` is $final.",
            "Of two numbers the greater wins. `a` meets `b`, `c` meets `d`, then a final follows. Return $final: `$f a b c d`.",
        ),
        names=("cup", "semi_finals", "four"),
        signature="int -> int -> int -> int -> int",
        code="let $f a b c d = $final",
        gaps=_GAPS,
        inputs=(_POINTS, _POINTS, _POINTS, _POINTS),
    ),
    Task(
        level=1,
        says=(
            "`n` players (`n > 0`) play a cup, where the loser of a game is out. `$f n` is $many.",
            "For a cup of `n` players (at least one), where losers are out, return $many: `$f n`.",
        ),
        names=("plan", "how_many", "tournament"),
        signature="int -> int",
        code="let $f n = $many",
        gaps=_GAPS,
        inputs=(integers(1, 70, far=2000),),
    ),
    Task(
        level=1,
        says=(
            "In the nonempty list `l` the first two numbers meet, and $champion; this goes on until one is left, `$f l`.",
            "The first two numbers of the list `l`, which is not empty, meet: $champion. This repeats until one is left: `$f l`.",
        ),
        names=("champion", "last_one", "play_off"),
        signature="int list -> int",
        code="let $f l = List.fold_left $champion",
        gaps=_GAPS,
        inputs=(lists(integers(-9, 30), 1, 6, far=11),),
    ),
    Task(
        level=1,
        says=(
            "Each pair in `games` has the points of two players. `$f games` lists, for each of them, $row.",
            "Given a list `games` of pairs of numbers, return a list that has, for each pair, $row: `$f games`.",
        ),
        names=("results", "round", "outcomes"),
        signature="(int * int) list -> int list",
        code="let $f games = List.map (fun (a, b) -> $row) games",
        gaps=_GAPS,
        inputs=(lists(_GAME, 0, 5, far=10),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` plays one round: the first two numbers of `l` become $duel, so do the next two, and so on. A single one "
            "at the end $lone.",
            "In a round, neighbours in `l` meet two by two, and each pair becomes $duel. If a number is left over, it $lone. "
            "Write `$f l`.",
        ),
        names=("round", "next_round", "play_round"),
        signature="int list -> int list",
        code="let rec $f = function\n  | a :: b :: rest -> ($duel) :: $f rest\n  | $lone",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "As long as the list `l` has two numbers or more, its first two are taken out, and $duel is put $where. `$f l` is "
            "the number that is left, or $none for the empty list.",
            "Take the first two numbers out of `l` and put $duel $where, again and again, until one number is left. That is "
            "`$f l`; for the empty list it is $none.",
        ),
        names=("collapse", "last_number", "reduce"),
        signature="int list -> int",
        code="let rec $f = function\n  | a :: b :: rest -> $f $where\n  | [ a ] -> a\n  | [] -> $none",
        gaps=_GAPS,
        inputs=(lists(integers(-9, 20), 0, 6, far=10),),
    ),
    Task(
        level=2,
        says=(
            "`n` players begin a tournament. `$f n` is how many $again. For `n` of at most 1, it is 0.",
            "Write a recursive function `$f n` that tells, for a tournament of `n` players, how many $again (0 if `n <= 1`).",
        ),
        names=("count", "rounds", "schedule"),
        signature="int -> int",
        code="let rec $f n =\n  if n <= 1 then 0\n  else $again",
        gaps=_GAPS,
        inputs=(integers(0, 70, far=900),),
    ),
    Task(
        level=2,
        says=(
            "A king of strength `king` meets those in the list `l` in turn. The stronger one is king from then on, and in each "
            "meeting, $king. `$f king l` is the strength of the last king.",
            "`$f king l` is the strength of the king after meeting all numbers in `l`, in order: the greater one always wins "
            "and is the new king, and $king.",
        ),
        names=("reign", "last_king", "throne"),
        signature="int -> int list -> int",
        code="let rec $f king l =\n  match l with\n  | [] -> king\n  | x :: rest -> $f ($king) rest",
        gaps=_GAPS,
        inputs=(_POINTS, lists(_POINTS, 0, 5, far=10)),
    ),
    Task(
        level=2,
        says=(
            "`$f players` is `Some` name of the player with $best. Without players it is `None`.",
            "Who has $best? `$f players` is `Some` of the name, or `None` if the list is empty.",
        ),
        names=("winner", "best_player", "find_winner"),
        signature="type player = { name : string; points : int }\n\nval $f : player list -> string option",
        code="type player = { name : string; points : int }\n\nlet $f = function\n  | [] -> None\n  | first :: rest ->\n"
        "    let better best p = if $best then p else best in\n    Some (List.fold_left better first rest).name",
        gaps=_GAPS,
        inputs=(lists(_PLAYER, 0, 5, far=9),),
    ),
    Task(
        level=2,
        says=(
            "Rock beats scissors, scissors beat paper, and paper beats rock. `$f games` lists for each pair of hands $win if "
            "the first beats the second, $draw if they are the same, and $lose otherwise.",
            "How many points does the first hand of each pair in `games` win? It is $win for a win, $draw for two equal hands "
            "and $lose for a loss. Rock beats scissors, scissors beat paper, paper beats rock. Write `$f games`.",
        ),
        names=("points", "results", "hands"),
        signature="type hand = Rock | Paper | Scissors\n\nval $f : (hand * hand) list -> int list",
        code="type hand = Rock | Paper | Scissors\n\nlet $f games =\n  let points = function\n"
        "    | Rock, Scissors | Scissors, Paper | Paper, Rock -> $win\n    | a, b -> if a = b then $draw else $lose\n  in\n"
        "  List.map points games",
        gaps=_GAPS,
        inputs=(lists(tuples(_HAND, _HAND), 0, 4, far=9),),
    ),
)
