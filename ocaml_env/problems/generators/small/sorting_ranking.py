"""Small tasks on ranking: points, places, winners and ties."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, tuples
from ocaml_env.problems.generators.task import Gap, Part, Task, number

__all__ = ["TASKS"]

_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gwen", "Hugo")


def _players(fewest: int = 0, most: int = 5) -> Input:
    """Different names with points, some of them equal."""

    def draw(chance: Chance) -> str:
        size = chance.between(most, len(_NAMES)) if chance.happens(0.15) else chance.between(max(1, fewest), most)
        low, high = chance.pick(((0, 12), (0, 12), (-6, 12), (0, 3), (0, 300)))
        points = chance.numbers(size, low, high)
        if chance.happens(0.3):
            points[chance.below(size)] = chance.pick(points)
        elif chance.happens(0.1):
            points = [-1 - chance.below(9) for _ in points]
        names = chance.sample(_NAMES, size)
        return "[" + "; ".join(f'("{name}", {n})' for name, n in zip(names, points, strict=True)) + "]"

    edges = ("[]",) if fewest == 0 else ()
    return Input(draw, (*edges, '[("Ada", 0)]', '[("Eva", 4); ("Ben", 4)]'))


_PLAYER = tuples(Input(lambda chance: f'"{chance.pick(_NAMES)}"', ('"Ada"', '"Ben"')), integers(-3, 5, far=50))
_NAME = Input(lambda chance: f'"{chance.pick(_NAMES)}"', ('"Ada"', '"Zoe"'))
_RECORD = Input(
    lambda chance: f"{{ points = {chance.between(0, 3)}; goals = {chance.between(0, 5)} }}",
    ("{ points = 0; goals = 0 }", "{ points = 2; goals = 1 }"),
)
_PAIRS = "(string * int) list"
_MANY_SCORES = lists(integers(0, 12, far=200))
_FEW_SCORES = lists(integers(0, 3), 1)
_SCORES = Input(
    lambda chance: (_FEW_SCORES if chance.happens(0.4) else _MANY_SCORES).draw(chance),
    (*_MANY_SCORES.edges, "[5; 3; 5; 1]", "[2; 2; 2; 2]"),
)
_BETTER: Gap = (("more", ">", "more"), ("fewer", "<", "fewer"))


def _first(chance: Chance) -> Part:
    n = chance.between(1, 30)
    return Part(f"{n}, the next one {n + 1}", str(n))


_MOST = "let best = List.fold_left (fun b (_, p) -> max b p) min_int players in\n  List.filter "
_FEWEST = "let best = List.fold_left (fun b (_, p) -> min b p) max_int players in\n  List.filter "
_GROUPS: Gap = (
    ("that have the most", f"{_MOST}(fun (_, p) -> p = best)"),
    ("that have the fewest", f"{_FEWEST}(fun (_, p) -> p = best)"),
    ("that are at most $k behind the most", f"{_MOST}(fun (_, p) -> p >= best - $k)"),
    ("that are more than $k behind the most", f"{_MOST}(fun (_, p) -> p < best - $k)"),
    ("that are at most $k above the fewest", f"{_FEWEST}(fun (_, p) -> p <= best + $k)"),
    ("that are more than $k above the fewest", f"{_FEWEST}(fun (_, p) -> p > best + $k)"),
)

TASKS = (
    Task(
        level=1,
        says=(
            "`players` is a list of names with points. `$f players` is the number of players with $limit points.",
            "How many of the players, pairs of a name and points, have $limit points? `$f players` is their number.",
        ),
        names=("count_players", "how_many", "qualified"),
        signature=f"{_PAIRS} -> int",
        code="let $f players = List.length (List.filter (fun (_, p) -> $limit) players)",
        gaps={
            "limit": (
                ("more than $k", "p > $k"),
                ("fewer than $k", "p < $k"),
                ("at least $k", "p >= $k"),
                ("exactly $k", "p = $k"),
                ("an even number of", "p mod 2 = 0"),
            ),
            "k": number(2, 9),
        },
        inputs=(_players(),),
    ),
    Task(
        level=1,
        says=(
            "`$f players` has the names of those players that have $limit points, in their order. A player is a name "
            "with points.",
            "Each player is a pair of a name and points. List the names of all players with $limit points: `$f players`.",
        ),
        names=("names", "chosen", "through"),
        signature=f"{_PAIRS} -> string list",
        code="let $f players = List.map fst (List.filter (fun (_, p) -> $limit) players)",
        gaps={
            "limit": (
                ("more than $k", "p > $k"),
                ("at most $k", "p <= $k"),
                ("at least $k", "p >= $k"),
                ("fewer than $k", "p < $k"),
            ),
            "k": number(2, 9),
        },
        inputs=(_players(),),
    ),
    Task(
        level=1,
        says=(
            "`$f scores` is $what in the list `scores`. No score is negative, and the list is not empty.",
            "`scores` is a non-empty list of scores, all at least 0. What is $what? `$f scores` tells.",
        ),
        names=("$what",),
        signature="int list -> int",
        code="let $f scores = $what",
        gaps={
            "what": (
                ("the highest score", "List.fold_left max 0 scores", "best"),
                ("the lowest score", "List.fold_left min max_int scores", "lowest"),
                ("the sum of all scores", "List.fold_left ( + ) 0 scores", "all_points"),
                (
                    "the average score, rounded down",
                    "List.fold_left ( + ) 0 scores / List.length scores",
                    "average",
                ),
                (
                    "the difference between the highest and the lowest score",
                    "List.fold_left max 0 scores - List.fold_left min max_int scores",
                    "spread",
                ),
                ("the number of different scores", "List.length (List.sort_uniq compare scores)", "steps"),
                (
                    "the number of times that the best possible score of $k occurs",
                    "List.length (List.filter (fun s -> s = $k) scores)",
                    "perfect",
                ),
            ),
            "k": number(6, 12),
        },
        inputs=(
            Input(
                lambda chance: lists(integers(0, 12, far=500), 1).draw(chance),
                ("[0]", "[5]", "[3; 3]", "[2500]", "[1200; 1700; 1300]"),
            ),
        ),
    ),
    Task(
        level=1,
        says=(
            "`$f scores x` is the place of a player with score `x`: $rule.",
            "On which place is a player whose score is `x`, if the others have `scores`? `$f scores x` is $rule.",
        ),
        names=("place", "rank", "position"),
        signature="int list -> int -> int",
        code="let $f scores x = 1 + List.length ($rule)",
        gaps={
            "rule": (
                ("one more than the number of $higher scores in `scores`", "List.filter (fun s -> s $higher x) scores"),
                (
                    "one more than the number of different scores in `scores` that are $higher",
                    "List.sort_uniq compare (List.filter (fun s -> s $higher x) scores)",
                ),
                (
                    "one more than the number of scores in `scores` that are $higher or equal",
                    "List.filter (fun s -> s $higher= x) scores",
                ),
            ),
            "higher": (("higher", ">"), ("lower", "<")),
        },
        inputs=(_SCORES, integers(0, 12)),
    ),
    Task(
        level=1,
        says=(
            "`$f players` is the list `players`, pairs of a name and points, $order. Ties stay in their old order.",
            "Make a table of results: `$f players` has the pairs of a name and points $order. Players that tie keep "
            "their order.",
        ),
        names=("table", "standings", "results"),
        signature=f"{_PAIRS} -> {_PAIRS}",
        code="let $f players = List.stable_sort (fun (a, p) (b, q) -> compare $order) players",
        gaps={
            "order": (
                ("with the most points first", "q p"),
                ("with the fewest points first", "p q"),
                ("in alphabetical order of the names", "a b"),
                ("in reverse alphabetical order of the names", "b a"),
                ("with those closest to $k points first", "(abs (p - $k)) (abs (q - $k))"),
            ),
            "k": number(4, 8),
        },
        inputs=(_players(),),
    ),
    Task(
        level=1,
        says=(
            "Two players, each a name with points, have played. `$f a b` is the name of the one with $more points, or "
            "$tie if they have equally many.",
            "Who has $more points? `$f a b` gives the name, where `a` and `b` are a name and points each; it is $tie if "
            "the points are equal.",
        ),
        names=("winner", "compare_players", "who"),
        signature="string * int -> string * int -> string",
        code="let $f (a, p) (b, q) = if p $tie",
        gaps={
            "more": _BETTER,
            "tie": (
                ("that of `a`", "$more= q then a else b"),
                ("that of `b`", "$more q then a else b"),
                ('`"nobody"`', '= q then "nobody" else if p $more q then a else b'),
            ),
        },
        inputs=(_PLAYER, _PLAYER),
    ),
    Task(
        level=1,
        says=(
            "A team gets $k points for every game that it wins, and $other. `$f wins others` is its number of points, "
            "where neither number is negative.",
            "`$f wins others` counts the points of a team: $k for each of its `wins`, and $other. Both parameters are at "
            "least 0.",
        ),
        names=("points", "team_points", "total_points"),
        signature="int -> int -> int",
        code="let $f wins others = $other",
        gaps={
            "other": (
                ("1 for each of the `others`", "($k * wins) + others"),
                ("minus 1 for each of the `others`", "($k * wins) - others"),
                ("1 for every game, won or not", "($k * wins) + wins + others"),
                ("1 for every two of the `others`, rounded down", "($k * wins) + (others / 2)"),
            ),
            "k": number(2, 9),
        },
        inputs=(integers(0, 20, far=500), integers(0, 20, far=500)),
    ),
    Task(
        level=2,
        says=(
            "`players` is a list of different names with points. `$f players name` is `Some` of the place of this player, "
            "which is one more than the number of players with $more, or `None` if the name is not there.",
            "On which place is the player `name`? It is 1 plus the number of players with $more. `$f players name` "
            "is an option, which is `None` for an unknown name. `players` has pairs of a name and points.",
        ),
        names=("place_of", "rank_of", "find_place"),
        signature=f"{_PAIRS} -> string -> int option",
        code="let $f players name =\n  match List.assoc_opt name players with\n  | None -> None\n"
        "  | Some p -> Some (1 + List.length (List.filter (fun (_, q) -> $more) players))",
        gaps={
            "more": (
                ("more points", "q > p"),
                ("fewer points", "q < p"),
                ("at least $k more points", "q >= p + $k"),
                ("at least $k fewer points", "q <= p - $k"),
            ),
            "k": number(2, 5),
        },
        inputs=(_players(), _NAME),
    ),
    Task(
        level=2,
        says=(
            "`$f players` has the names of all players $which points, in their order. `players` is a list of pairs, a name and "
            "its points; if it is empty, so is the result.",
            "Which are the players $which points that anybody has? `$f players` is the list of their names, in the order of "
            "`players`, which has pairs of a name and points and may be empty.",
        ),
        names=("winners", "front_group", "sharers"),
        signature=f"{_PAIRS} -> string list",
        code="let $f players =\n  $which players |> List.map fst",
        gaps={"which": _GROUPS, "k": number(1, 8)},
        inputs=(_players(),),
    ),
    Task(
        level=2,
        says=(
            "`$f scores` is the list of the places of these scores, in the same order. The place of a score is 1 plus the "
            "number of $others.",
            "Replace every score in the list `scores` by its place, which is one more than the number of $others: "
            "`$f scores`.",
        ),
        names=("places", "ranks", "placings"),
        signature="int list -> int list",
        code="let $f scores =\n  let place s = 1 + List.length ($others) in\n  List.map place scores",
        gaps={
            "others": (
                ("higher scores in the list", "List.filter (fun t -> t > s) scores"),
                ("scores in the list that are at least $k higher", "List.filter (fun t -> t >= s + $k) scores"),
                ("scores in the list that are at least $k lower", "List.filter (fun t -> t <= s - $k) scores"),
                ("lower scores in the list", "List.filter (fun t -> t < s) scores"),
                (
                    "different scores in the list that are higher",
                    "List.sort_uniq compare (List.filter (fun t -> t > s) scores)",
                ),
                (
                    "different scores in the list that are lower",
                    "List.sort_uniq compare (List.filter (fun t -> t < s) scores)",
                ),
            ),
            "k": number(2, 6),
        },
        inputs=(_SCORES,),
    ),
    Task(
        level=2,
        says=(
            "`results` has a pair for each game of a team: its own goals and those of the other team. `$f results` is the "
            "sum of its points: $win for a win, $draw for a draw, and $lose for a defeat.",
            "A win is worth $win, a draw $draw and a defeat $lose. How many points has a team whose games ended as the "
            "pairs in `results` say, with its own goals first? `$f results` tells.",
        ),
        names=("season", "points_of", "league_points"),
        signature="(int * int) list -> int",
        code="let $f results =\n  let points (own, other) =\n"
        "    if own > other then $win else if own = other then $draw else $lose\n  in\n"
        "  List.fold_left (fun sum result -> sum + points result) 0 results",
        gaps={"win": number(3, 12), "draw": number(1, 2), "lose": (("0", "0"), ("-1", "-1"))},
        inputs=(lists(tuples(integers(0, 3), integers(0, 3)), 0, 5, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`$f players` is a list of pairs of a place and a name. The player with the $most points has place $first, and "
            "so on. Players with equal points stay in their order; `players` has names with points.",
            "Number the players by their points: `$f players` has pairs of a place and a name, where the player with the "
            "$most points has place $first, and so on. Ties keep the order of `players`, a list of names with points.",
        ),
        names=("numbered", "list_places", "final_table"),
        signature=f"{_PAIRS} -> (int * string) list",
        code="let $f players =\n  List.stable_sort (fun (_, p) (_, q) -> compare $most) players\n"
        "  |> List.mapi (fun i (name, _) -> (i + $first, name))",
        gaps={"most": (("most", "q p"), ("fewest", "p q")), "first": _first},
        inputs=(_players(),),
    ),
    Task(
        level=2,
        says=(
            "`$f scores` is the $nth $highest score, where equal scores count once. It is `None` if there are too few "
            "different scores.",
            "Which is the $nth $highest of the different scores in `scores`? `$f scores` is `Some` of it, or `None` if "
            "there is no such score.",
        ),
        names=("runner_up", "score_after", "not_first"),
        signature="int list -> int option",
        code="let $f scores =\n  match List.sort_uniq $highest scores with\n  | $nth -> Some s\n  | _ -> None",
        gaps={
            "nth": (("second", "_ :: s :: _"), ("third", "_ :: _ :: s :: _"), ("fourth", "_ :: _ :: _ :: s :: _")),
            "highest": (("highest", "(fun x y -> compare y x)"), ("lowest", "compare")),
        },
        inputs=(_SCORES,),
    ),
    Task(
        level=2,
        says=(
            "A player has `points` and `goals`. `$f a b` tells whether `a` is better than `b`: $points points are better, "
            "and if these are equal, $goals goals.",
            "Is the player `a` ahead of `b`? With $points points it is; if both have equally many, the one with $goals "
            "goals is ahead. `$f a b` answers that, and is `false` if everything is equal.",
        ),
        names=("is_better", "is_ahead", "beats"),
        signature="type player = { points : int; goals : int }\n\nval $f : player -> player -> bool",
        code="type player = { points : int; goals : int }\n\nlet $f a b =\n"
        "  if a.points = b.points then a.goals $goals b.goals else a.points $points b.points",
        gaps={"points": _BETTER, "goals": _BETTER},
        inputs=(_RECORD, _RECORD),
    ),
    Task(
        level=2,
        says=(
            "`$f players` is `Some` of the name with the $most points, or `None` if there are no players. Of several such "
            "players the $one counts. A player is a pair of a name and points.",
            "Who leads? Go through the list `players` of names with points: `$f players` is the name with the $most "
            "points as an option, `None` for no players. If several have as many, it is the $one of them.",
        ),
        names=("leader", "top_player", "champion"),
        signature=f"{_PAIRS} -> string option",
        code="let $f players =\n  let better (a, p) (b, q) = if q $most$one p then (b, q) else (a, p) in\n"
        "  match players with\n  | [] -> None\n  | first :: rest -> Some (fst (List.fold_left better first rest))",
        gaps={"most": (("most", ">"), ("fewest", "<")), "one": (("first", ""), ("last", "="))},
        inputs=(_players(),),
    ),
    Task(
        level=2,
        says=(
            "`$f points` is the medal for a result: `Some Gold` from $gold points on, `Some Silver` from $silver on, "
            "`Some Bronze` from $bronze on, and `None` below.",
            "Whoever has at least $gold points gets gold, at least $silver silver, at least $bronze bronze, and all others "
            "no medal. `$f points` gives the medal as an option.",
        ),
        names=("medal", "award", "prize"),
        signature="type medal = Gold | Silver | Bronze\n\nval $f : int -> medal option",
        code="type medal = Gold | Silver | Bronze\n\nlet $f points =\n  if points >= $gold then Some Gold\n"
        "  else if points >= $silver then Some Silver\n  else if points >= $bronze then Some Bronze\n  else None",
        gaps={"gold": number(40, 50), "silver": number(28, 36), "bronze": number(15, 24)},
        inputs=(integers(-5, 60, far=500),),
    ),
)
