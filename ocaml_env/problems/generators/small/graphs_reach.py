"""Small tasks on ways through a graph: nodes reachable by some edges, and their distances."""

from __future__ import annotations

from itertools import pairwise

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, array, integers, lists, one_of, options, tuples
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_NEXT = array(integers(0, 5), 6, 6)
_CITIES = one_of('"Bonn"', '"Oslo"', '"Rome"', '"Wien"', '"York"')
_FLIGHTS = lists(tuples(_CITIES, _CITIES))
_LEGS = lists(integers(1, 60, far=3_000), 0, 6, far=13)
_DISTANCES = lists(tuples(_CITIES, integers(0, 40, far=3_000)), 0, 6, far=13)


def _upward(chance: Chance) -> str:
    """Edges to greater nodes; in a third of all cases they include a long way."""
    if chance.happens(0.35):
        nodes = [node for node in range(7) if chance.happens(0.8)]
        pairs = chance.shuffled([*pairwise(nodes)])
        pairs += [(a := chance.between(0, 4), chance.between(a + 1, 6)) for _ in range(chance.between(0, 4))]
    else:
        pairs = [
            (a := chance.between(0, 4), chance.between(a + 1, 6))
            for _ in range(chance.pick((1, 2, 3, 4, 5, 6, 7, 8, 8, 10)))
        ]
    return "[" + "; ".join(f"({a}, {b})" for a, b in pairs) + "]"


def _multiples(chance: Chance) -> str:
    """Lengths, often near a multiple of a number of the problem."""
    if chance.happens(0.4):
        return str(max(0, chance.number(20, 60) * chance.between(1, 5) + chance.between(-1, 1)))
    return str(chance.between(0, 3_000) if chance.happens(0.1) else chance.number(0, 150))


def _parents(chance: Chance) -> str:
    least = chance.pick((0, 0, 1, 2))  # small steps down to the next node make a deep tree
    return "[|" + "; ".join(str(chance.between(max(0, i - 2) if least else 0, max(0, i - 1))) for i in range(7)) + "|]"


_WAY = options(integers(0, 40, far=3_000))
_SOME: Gap = (
    ("any of the edges", "x = a"),
    ("edges that do not lead to node $n", "x = a && y <> $n"),
    ("edges that lead to even nodes", "x = a && y mod 2 = 0"),
    ("edges whose two nodes differ by more than $k", "x = a && y - x > $k"),
)

TASKS = (
    Task(
        level=1,
        says=(
            "From each node `i` an arrow leads to `next.(i)`; the nodes are 0 to 5. `$f next i` is $what.",
            "For each of the nodes 0 to 5, `next` holds the node to which its arrow leads. Write `$f next i`: $what.",
        ),
        names=("arrow", "follow", "hop"),
        signature="int array -> int -> int",
        code="let $f next i = $what",
        gaps={
            "what": (
                ("the node that is reached from `i` by two arrows", "next.(next.(i))"),
                ("the node that is reached from `i` by three arrows", "next.(next.(next.(i)))"),
                ("the distance of the numbers `i` and `next.(i)`", "abs (next.(i) - i)"),
                (
                    "the greater one of the nodes that one and two arrows reach from `i`",
                    "max next.(i) next.(next.(i))",
                ),
                (
                    "the sum of the nodes that one and two arrows reach from `i`",
                    "next.(i) + next.(next.(i))",
                ),
            )
        },
        inputs=(_NEXT, integers(0, 5)),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is $what, for the list `l` of the lengths of its parts in kilometers.",
            "The list `l` has the lengths, in kilometers, of the parts of a journey. Write `$f l`: $what.",
        ),
        names=("journey", "trip", "tour"),
        signature="int list -> int",
        code="let $f l = $what",
        gaps={
            "what": (
                ("the length of the whole journey", "List.fold_left ( + ) 0 l"),
                ("the length of the longest part of the journey, 0 if it has none", "List.fold_left max 0 l"),
                (
                    "the number of parts of the journey that are longer than $k",
                    "List.length (List.filter (fun d -> d > $k) l)",
                ),
                ("the number of towns on the journey, both ends included", "List.length l + 1"),
                ("the price of the journey, $c for each kilometer", "$c * List.fold_left ( + ) 0 l"),
                (
                    "the length of the journey without the parts that are shorter than $k",
                    "List.fold_left (fun s d -> if d < $k then s else s + d) 0 l",
                ),
                ("the length of the journey there and back", "2 * List.fold_left ( + ) 0 l"),
            ),
            "k": number(10, 40),
            "c": number(2, 9),
        },
        inputs=(_LEGS,),
    ),
    Task(
        level=1,
        says=(
            "Flights are pairs `(a, b)` of cities, from `a` to `b`. `$f flights city` is the list of $what, in the same order.",
            "The list `flights` has pairs of cities, from the first to the second. Write `$f flights city`: the list of $what, in "
            "the same order.",
        ),
        names=("destinations", "cities", "flights_at"),
        signature="(string * string) list -> string -> string list",
        code="let $f flights city = List.filter_map (fun (a, b) -> if $what else None) flights",
        gaps={
            "what": (
                ("the cities that one flight reaches from `city`", "a = city then Some b"),
                ("the cities from which a flight leads to `city`", "b = city then Some a"),
                (
                    "the goals of all flights that do not begin in `city`",
                    "a <> city then Some b",
                ),
                (
                    "the other cities that one flight reaches from `city`",
                    "a = city && b <> city then Some b",
                ),
            )
        },
        inputs=(_FLIGHTS, _CITIES),
    ),
    Task(
        level=1,
        says=(
            "A car gets $r kilometers far with a full tank. `$f d`, `d` not being negative, is $what.",
            "With a full tank a car drives $r kilometers. Write `$f d`, $what; `d` is not negative.",
        ),
        names=("tank", "refuel", "long_drive"),
        signature="int -> int",
        code="let $f d = $what",
        gaps={
            "what": (
                ("how many full tanks are needed for `d` kilometers", "(d + $r - 1) / $r"),
                ("how many of `d` kilometers one full tank leaves to walk", "max 0 (d - $r)"),
                (
                    "how far it can still go after `d` kilometers (0 if it is empty by then)",
                    "max 0 ($r - d)",
                ),
                ("how many tanks are used up completely on `d` kilometers", "d / $r"),
                (
                    "how far it went since it was last filled, which is done when it is empty",
                    "d mod $r",
                ),
            ),
            "r": number(20, 60),
        },
        inputs=(Input(_multiples, ("0", "1")),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the list of $what; `l` has pairs of a town and its distance.",
            "The list `l` holds towns with their distances. Write `$f l`: the list of $what.",
        ),
        names=("near", "towns", "within"),
        signature="(string * int) list -> string list",
        code="let $f l = List.filter_map (fun (town, d) -> if $what then Some town else None) l",
        gaps={
            "what": (
                ("the towns that are at most $k away", "d <= $k"),
                ("the towns that are less than $k away", "d < $k"),
                ("the towns that are more than $k away", "d > $k"),
                ("the towns that are neither nearer than $j nor farther than $k", "d >= $j && d <= $k"),
                ("the towns that one reaches within $h hours, at $j per hour", "d <= $h * $j"),
            ),
            "j": number(3, 9),
            "k": number(12, 30),
            "h": number(2, 4),
        },
        inputs=(_DISTANCES,),
    ),
    Task(
        level=1,
        says=(
            "A way is `Some` of its length, or `None` if it is closed. `$f a b` is the way made of $what; it is "
            "closed if one of them is.",
            "Ways are given by `Some` of their length, or by `None` if they are closed. Join $what: `$f a b` is closed if `a` or "
            "`b` is.",
        ),
        names=("combine", "join_ways", "distance"),
        signature="int option -> int option -> int option",
        code="let $f a b = match a, b with Some x, Some y -> Some ($what) | _ -> None",
        gaps={
            "what": (
                ("`a` and `b` together", "x + y"),
                ("`a`, there and back, and then `b`", "(2 * x) + y"),
                ("`a` and then `b`, there and back", "x + (2 * y)"),
                ("`a`, `b` and $k between them", "x + y + $k"),
            ),
            "k": number(2, 20),
        },
        inputs=(_WAY, _WAY),
    ),
    Task(
        level=1,
        says=(
            "From every number `n` edges lead to `n + $a` and to `$b * n`, in this order. `$f n` is the list of $what.",
            "Two edges begin at each number `n`, the first to `n + $a`, the second to `$b * n`. Write `$f n`: the list of $what.",
        ),
        names=("reached", "successors", "targets"),
        signature="int -> int list",
        code="let $f n = $what",
        gaps={
            "what": (
                ("the two numbers that one edge reaches from `n`", "[ n + $a; $b * n ]"),
                (
                    "the numbers below $k that one edge reaches from `n`",
                    "List.filter (fun m -> m < $k) [ n + $a; $b * n ]",
                ),
                (
                    "the numbers reached by one edge twice",
                    "[ n + $a + $a; $b * $b * n ]",
                ),
                ("`n` itself and the numbers one edge away", "[ n; n + $a; $b * n ]"),
            ),
            "a": number(1, 9),
            "b": number(2, 5),
            "k": number(20, 50),
        },
    ),
    Task(
        level=2,
        says=(
            "The arrow of each node `i` leads to `next.(i)`; the nodes are 0 to 5. `$f next i k` is $what when one follows `k` "
            "arrows from `i`. `k` is not negative.",
            "In a graph with the nodes 0 to 5 one arrow leads from each node `i`, to `next.(i)`. Follow `k` of them, "
            "not a negative number, from `i`. `$f next i k` is $what.",
        ),
        names=("follow", "walk", "after"),
        signature="int array -> int -> int -> int",
        code="let rec $f next i k =\n  if k = 0 then $what",
        gaps={
            "what": (
                ("the last node", "i\n  else $f next next.(i) (k - 1)"),
                (
                    "the sum of all nodes on the way (both ends included)",
                    "i\n  else i + $f next next.(i) (k - 1)",
                ),
                (
                    "the greatest node on the way (both ends included)",
                    "i\n  else max i ($f next next.(i) (k - 1))",
                ),
                (
                    "the sum of all nodes on the way (both ends included) and of $c for each arrow",
                    "i\n  else i + $c + $f next next.(i) (k - 1)",
                ),
                (
                    "the number of arrows that lead to a greater node",
                    "0\n  else (if next.(i) > i then 1 else 0) + $f next next.(i) (k - 1)",
                ),
            ),
            "c": number(2, 40),
        },
        inputs=(_NEXT, integers(0, 5), integers(0, 6, far=25)),
    ),
    Task(
        level=2,
        says=(
            "In a tree, `parent.(i)` is the parent of node `i` and smaller than `i`; only the root, 0, is its own parent. "
            "`$f parent i` is $what.",
            "The array `parent` gives for each node of a tree its parent, which is smaller; the root is 0, and `parent.(0)` is 0. "
            "Write `$f parent i`: $what.",
        ),
        names=("climb", "to_root", "ancestors"),
        signature="int array -> int -> int list",
        code="let rec $f parent i =\n  if i $what",
        gaps={
            "what": (
                ("the list of the nodes from `i` up to the root", "= 0 then [ 0 ]\n  else i :: $f parent parent.(i)"),
                (
                    "the list of the nodes on the way from `i` to the root, without the root",
                    "= 0 then []\n  else i :: $f parent parent.(i)",
                ),
                (
                    "the list of the nodes on the way from `i` to the root, without `i`",
                    "= 0 then []\n  else parent.(i) :: $f parent parent.(i)",
                ),
                (
                    "the list of the nodes from `i` upwards to the first one that is less than $m",
                    "< $m then [ i ]\n  else i :: $f parent parent.(i)",
                ),
                (
                    "the list of the nodes from the root down to `i`",
                    "= 0 then [ 0 ]\n  else $f parent parent.(i) @ [ i ]",
                ),
            ),
            "m": number(2, 4),
        },
        inputs=(Input(_parents, ("[|0; 0; 1; 2; 3; 4; 5|]", "[|0; 0; 0; 0; 0; 0; 0|]")), integers(0, 6)),
        edges=(("[|0|]", "0"), ("[|0; 0; 1; 2; 3; 4; 5|]", "6"), ("[|0; 0; 1; 1; 3; 3; 5; 5; 7; 7; 9|]", "10")),
    ),
    Task(
        level=2,
        says=(
            "A pair `(a, b)` in `edges` is an edge from `a` to a greater node `b`. Go from `n` along the first edge in the list "
            "that begins at your node, as long as there is one: `$f edges n` is $what.",
            "Each pair of `edges` leads from a node to a greater one. From `n` on, always take the first pair in the list that "
            "begins where you are, until there is none. Write `$f edges n`: $what.",
        ),
        names=("follow", "run_along", "trail"),
        signature="(int * int) list -> int -> int",
        code="let rec $f edges n =\n  match List.assoc_opt n edges with\n  | None -> $what",
        gaps={
            "what": (
                ("the node where you end", "n\n  | Some b -> $f edges b"),
                ("the number of edges that you use", "0\n  | Some b -> 1 + $f edges b"),
                ("the cost of your way if every edge costs $k", "0\n  | Some b -> $k + $f edges b"),
                (
                    "the cost of your way if an edge costs $k and the difference of its nodes",
                    "0\n  | Some b -> b - n + $k + $f edges b",
                ),
                (
                    "the length of your longest edge (the difference of its nodes), or 0 if there is none",
                    "0\n  | Some b -> max (b - n) ($f edges b)",
                ),
            ),
            "k": number(2, 40),
        },
        inputs=(Input(_upward, ("[]",)), integers(0, 6)),
    ),
    Task(
        level=2,
        says=(
            "Each pair `(x, y)` of `edges` is an edge from `x` to a greater node `y`. `$f edges a b` tells whether one gets from "
            "`a` to `b` by $some. No edge is needed if they are equal.",
            "Does a way lead from `a` to `b`, by $some? Write `$f edges a b`, which is true if they are equal. The pairs "
            "`(x, y)` of `edges` lead from a node `x` to a greater one `y`.",
        ),
        names=("reaches", "connected", "leads_to"),
        signature="(int * int) list -> int -> int -> bool",
        code="let rec $f edges a b =\n  a = b || List.exists (fun (x, y) -> $some && $f edges y b) edges",
        gaps={"some": _SOME, "n": number(1, 5), "k": number(1, 3)},
        inputs=(Input(_upward, ("[]",)), integers(0, 3), integers(0, 6)),
    ),
    Task(
        level=2,
        says=(
            "`$f edges a b` is the number of ways from `a` to `b`, by $some. Each pair `(x, y)` of `edges` is an edge from `x` to "
            "a greater node `y`; if `a` and `b` are equal there is one way.",
            "In how many ways does one get from `a` to `b`, by $some? Write `$f edges a b`, which is 1 if they are equal; the "
            "pairs `(x, y)` of `edges` lead from `x` to a greater node `y`.",
        ),
        names=("ways", "count_ways", "paths"),
        signature="(int * int) list -> int -> int -> int",
        code="let rec $f edges a b =\n  let add n (x, y) = if $some then n + $f edges y b else n in\n"
        "  if a = b then 1 else List.fold_left add 0 edges",
        gaps={"some": _SOME, "n": number(1, 5), "k": number(1, 3)},
        inputs=(Input(_upward, ("[]",)), integers(0, 3), integers(0, 6)),
    ),
    Task(
        level=2,
        says=(
            "Each pair `(a, b)` of `edges` is an edge from `a` to `b`. `$f edges nodes` is the list of the nodes in `nodes` and of "
            "those that one reaches from them $dir, in ascending order and each once.",
            "Write `$f edges nodes`: add to the list `nodes` all nodes that one reaches from one of them $dir, sort the list, and "
            "keep every node once. The pairs `(a, b)` of `edges` lead from `a` to `b`.",
        ),
        names=("expand", "grow", "one_more_step"),
        signature="(int * int) list -> int list -> int list",
        code="let $f edges nodes =\n  let reached (a, b) = $dir in\n"
        "  List.sort_uniq compare (nodes @ List.filter_map reached edges)",
        gaps={
            "dir": (
                ("by one edge", "if List.mem a nodes then Some b else None"),
                ("by one edge backwards", "if List.mem b nodes then Some a else None"),
                ("by one edge to a greater node", "if List.mem a nodes && a < b then Some b else None"),
                ("by one edge to a node less than $k", "if List.mem a nodes && b < $k then Some b else None"),
                ("by one edge from a node greater than $k", "if List.mem a nodes && a > $k then Some b else None"),
                ("by one edge to a smaller node", "if List.mem a nodes && b < a then Some b else None"),
            ),
            "k": number(1, 5),
        },
        inputs=(lists(tuples(integers(0, 6), integers(0, 6)), 0, 8), lists(integers(0, 6, far=30), 0, 3, far=10)),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is $what; the list `l` has the places of the towns on a straight road, in the order of the journey.",
            "A journey leads to towns on a straight road, whose places are in the list `l`, in this order. Write `$f l`: $what.",
        ),
        names=("journey", "driven", "road_trip"),
        signature="int list -> int",
        code="let rec $f l =\n  match l with\n  | a :: (b :: _ as rest) -> $what",
        gaps={
            "what": (
                ("the length of the journey", "abs (a - b) + $f rest\n  | _ -> 0"),
                (
                    "the price of the journey if each part of it costs its length and $k besides",
                    "abs (a - b) + $k + $f rest\n  | _ -> 0",
                ),
                (
                    "the price of the journey if each unit of length costs $k",
                    "($k * abs (a - b)) + $f rest\n  | _ -> 0",
                ),
                (
                    "the length of the longest part of the journey, or 0 if it has none",
                    "max (abs (a - b)) ($f rest)\n  | _ -> 0",
                ),
                (
                    "the number of parts of the journey that are longer than $k",
                    "(if abs (a - b) > $k then 1 else 0) + $f rest\n  | _ -> 0",
                ),
                (
                    "the length of all parts of the journey that lead to a greater place",
                    "max 0 (b - a) + $f rest\n  | _ -> 0",
                ),
            ),
            "k": number(5, 20),
        },
        inputs=(lists(integers(-20, 50, far=2_000), 0, 6, far=13),),
    ),
    Task(
        level=2,
        says=(
            "`l` has pairs of a town and its distance. `$f l` is the name of the $which town, the first one if several are "
            'equally far, or `"$none"` if `l` is empty.',
            "Which town in the list `l` of towns with distances is the $which? Write `$f l`: of equally far ones the first, and "
            '`"$none"` if there are no towns.',
        ),
        names=("choose_town", "extreme_town", "goal"),
        signature="(string * int) list -> string",
        code="let $f l =\n  let better (a, d) (b, e) = if e $which d then (b, e) else (a, d) in\n"
        '  match l with [] -> "$none" | first :: rest -> fst (List.fold_left better first rest)',
        gaps={
            "which": (("nearest", "<"), ("farthest", ">")),
            "none": (("none",), ("nowhere",), ("-",), ("?",)),
        },
        inputs=(lists(tuples(_CITIES, integers(0, 9, far=9_000)), 0, 6, far=13),),
    ),
)
