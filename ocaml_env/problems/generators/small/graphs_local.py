"""Small tasks on the edges of a graph: finding them, and the edges at a node."""

from __future__ import annotations

from ocaml_env.problems.generators.inputs import array, integers, lists, one_of, tuples
from ocaml_env.problems.generators.task import Task, number

__all__ = ["TASKS"]

_NODE = integers(0, 4, far=30)
_FIVE = integers(0, 4)
_EDGES = lists(tuples(_NODE, _NODE))
_FEW = lists(tuples(integers(0, 2), integers(0, 2)), 0, 3, far=10)
_PEOPLE = one_of('"Ada"', '"Ben"', '"Cleo"', '"Dan"', '"Eva"')
_FRIENDS = lists(tuples(_PEOPLE, _PEOPLE), 0, 6, far=14)
_WEIGHTED = lists(tuples(_NODE, _NODE, integers(1, 30, far=5_000)), 0, 6, far=14)

TASKS = (
    Task(
        level=1,
        says=(
            "A graph is a list of edges `(a, b)`, which lead from `a` to `b`. `$f edges n` is the number of edges $that.",
            "How many pairs `(a, b)` of the list `edges` are edges $that? Write `$f edges n`; an edge leads from `a` to `b`.",
        ),
        names=("count_edges", "degree", "edges_at"),
        signature="(int * int) list -> int -> int",
        code="let $f edges n = List.length (List.filter (fun $that) edges)",
        gaps={
            "that": (
                ("that begin at the node `n`", "(a, _) -> a = n"),
                ("that end at the node `n`", "(_, b) -> b = n"),
                ("that begin or end at the node `n`", "(a, b) -> a = n || b = n"),
                ("that do not touch the node `n`", "(a, b) -> a <> n && b <> n"),
                ("that lead from the node `n` to another node", "(a, b) -> a = n && b <> n"),
                ("between nodes that are both less than `n`", "(a, b) -> a < n && b < n"),
                ("that lead from the node `n` to a node greater than $k", "(a, b) -> a = n && b > $k"),
                ("that lead to the node `n` from a node less than $k", "(a, b) -> a < $k && b = n"),
                ("between nodes that are both at most `n`", "(a, b) -> a <= n && b <= n"),
            ),
            "k": number(1, 3),
        },
        inputs=(_EDGES, _NODE),
    ),
    Task(
        level=1,
        says=(
            "`$f edges n` is the list of the nodes $where, in the order of `edges`, whose pairs `(a, b)` are edges from `a` to "
            "`b`.",
            "An edge from `a` to `b` is the pair `(a, b)`. Write `$f edges n`: the nodes $where, in the order of the list "
            "`edges`.",
        ),
        names=("neighbours", "nodes_near", "ends"),
        signature="(int * int) list -> int -> int list",
        code="let $f edges n = List.filter_map (fun (a, b) -> if $where else None) edges",
        gaps={
            "where": (
                ("to which an edge leads from `n`", "a = n then Some b"),
                ("from which an edge leads to `n`", "b = n then Some a"),
                ("greater than `n` to which an edge leads from `n`", "a = n && b > n then Some b"),
                ("other than `n` to which an edge leads from `n`", "a = n && b <> n then Some b"),
                ("other than `n` from which an edge leads to `n`", "b = n && a <> n then Some a"),
                ("at which the edges begin that do not end at `n`", "b <> n then Some a"),
            )
        },
        inputs=(lists(tuples(_NODE, _NODE), 0, 9, far=15), _NODE),
    ),
    Task(
        level=1,
        says=(
            "A graph is a list of pairs of nodes. `$f edges` is the list `edges` $how.",
            "Write `$f edges`: the list of edges, which are pairs of nodes, $how.",
        ),
        names=("change_graph", "transform", "edit_edges"),
        signature="(int * int) list -> (int * int) list",
        code="let $f edges = $how",
        gaps={
            "how": (
                ("with every edge turned round", "List.map (fun (a, b) -> (b, a)) edges"),
                ("without loops, which are edges from a node to itself", "List.filter (fun (a, b) -> a <> b) edges"),
                ("with every node number raised by $k", "List.map (fun (a, b) -> (a + $k, b + $k)) edges"),
                ("without the edges that touch node $n", "List.filter (fun (a, b) -> a <> $n && b <> $n) edges"),
                ("without the edges that begin at node $n", "List.filter (fun (a, _) -> a <> $n) edges"),
                ("in ascending order, every edge once", "List.sort_uniq compare edges"),
                ("followed by all edges turned round", "edges @ List.map (fun (a, b) -> (b, a)) edges"),
                ("with the smaller node of each edge first", "List.map (fun (a, b) -> (min a b, max a b)) edges"),
            ),
            "k": number(2, 20),
            "n": number(0, 4),
        },
        inputs=(_EDGES,),
    ),
    Task(
        level=1,
        says=(
            "Some people are friends: `friends` is a list of pairs of names. `$f friends name` is $what.",
            "`friends` is a list of pairs of people who are friends. Write `$f friends name`: $what.",
        ),
        names=("friendships", "popularity", "friends_of"),
        signature="(string * string) list -> string -> int",
        code="let $f friends name = $what",
        gaps={
            "what": (
                (
                    "the number of pairs in which `name` occurs",
                    "List.length (List.filter (fun (a, b) -> a = name || b = name) friends)",
                ),
                (
                    "the number of pairs in which `name` comes first",
                    "List.length (List.filter (fun (a, _) -> a = name) friends)",
                ),
                (
                    "the number of pairs in which `name` comes second",
                    "List.length (List.filter (fun (_, b) -> b = name) friends)",
                ),
                (
                    "the number of pairs in which `name` does not occur",
                    "List.length (List.filter (fun (a, b) -> a <> name && b <> name) friends)",
                ),
            )
        },
        inputs=(_FRIENDS, _PEOPLE),
    ),
    Task(
        level=1,
        says=(
            "`edges` is a list of pairs `(a, b)`, each an edge from `a` to `b`. `$f edges a b` tells whether $there.",
            "Is it true that $there? `$f edges a b` answers for the list `edges`, whose pairs are edges `(from, target)`.",
        ),
        names=("connected", "has_edge", "linked"),
        signature="(int * int) list -> int -> int -> bool",
        code="let $f edges a b = $there",
        gaps={
            "there": (
                ("there is an edge from `b` to `a`", "List.mem (b, a) edges"),
                ("there are edges from `a` to `b` and back", "List.mem (a, b) edges && List.mem (b, a) edges"),
                ("an edge leads from `a` to `b` or from `b` to `a`", "List.mem (a, b) edges || List.mem (b, a) edges"),
                (
                    "an edge leads from `a` to `b`, but none back",
                    "List.mem (a, b) edges && not (List.mem (b, a) edges)",
                ),
                ("both `a` and `b` have an edge to themselves", "List.mem (a, a) edges && List.mem (b, b) edges"),
            )
        },
        inputs=(lists(tuples(integers(0, 2), integers(0, 2))), integers(0, 2), integers(0, 2)),
    ),
    Task(
        level=1,
        says=(
            "`$f edges` tells whether $what. The list `edges` has a pair `(a, b)` for each edge from `a` to `b`.",
            "Each pair of the list `edges` is an edge from its first node to its second one. Write `$f edges`, which tells "
            "whether $what.",
        ),
        names=("property", "check_graph", "holds"),
        signature="(int * int) list -> bool",
        code="let $f edges = List.$what edges",
        gaps={
            "what": (
                ("some edge leads from a node to itself", "exists (fun (a, b) -> a = b)"),
                ("no edge leads to a smaller node", "for_all (fun (a, b) -> a <= b)"),
                ("some edge leads to a smaller node", "exists (fun (a, b) -> a > b)"),
                ("no edge leads from a node to itself", "for_all (fun (a, b) -> a <> b)"),
                ("some edge touches node $n", "exists (fun (a, b) -> a = $n || b = $n)"),
                ("every edge touches node $n", "for_all (fun (a, b) -> a = $n || b = $n)"),
            ),
            "n": number(0, 2),
        },
        inputs=(_FEW,),
    ),
    Task(
        level=1,
        says=(
            "An edge with a positive weight is a triple `(a, b, w)`. `$f edges` is $what.",
            "The list `edges` has triples of two nodes and a weight, which is positive. Write `$f edges`: $what.",
        ),
        names=("weight", "weights", "of_weights"),
        signature="(int * int * int) list -> int",
        code="let $f edges = List.fold_left (fun s $what edges",
        gaps={
            "what": (
                ("the sum of all weights", "(_, _, w) -> s + w) 0"),
                ("the greatest weight, or 0 if there is no edge", "(_, _, w) -> max s w) 0"),
                (
                    "the sum of the weights of all edges at node $n",
                    "(a, b, w) -> if a = $n || b = $n then s + w else s) 0",
                ),
                (
                    "the sum of the weights of the edges that begin at node $n",
                    "(a, _, w) -> if a = $n then s + w else s) 0",
                ),
                (
                    "the number of edges at node $n that are heavier than $k",
                    "(a, b, w) -> if (a = $n || b = $n) && w > $k then s + 1 else s) 0",
                ),
                (
                    "the sum of the weights of the edges from node $n that weigh at most $k",
                    "(a, _, w) -> if a = $n && w <= $k then s + w else s) 0",
                ),
                ("the number of edges that are heavier than $k", "(_, _, w) -> if w > $k then s + 1 else s) 0"),
                ("the greatest number of a node, or -1 if there is no edge", "(a, b, _) -> max s (max a b)) (-1)"),
            ),
            "k": number(5, 25),
            "n": number(0, 4),
        },
        inputs=(_WEIGHTED,),
    ),
    Task(
        level=1,
        says=(
            "Edges with weights are triples `(a, b, w)`. `$f edges` is the list of $what, in the same order.",
            "From `edges`, triples `(a, b, w)` of two nodes and a weight, make the list of $what, in the same order: `$f edges`.",
        ),
        names=("light_edges", "chosen_edges", "by_weight"),
        signature="(int * int * int) list -> (int * int) list",
        code="let $f edges = List.filter_map (fun $what else None) edges",
        gaps={
            "what": (
                ("the pairs `(a, b)` of the edges that weigh at most $k", "(a, b, w) -> if w <= $k then Some (a, b)"),
                ("the pairs `(a, b)` of the edges that weigh more than $k", "(a, b, w) -> if w > $k then Some (a, b)"),
                ("the pairs `(b, a)` of the edges that weigh less than $k", "(a, b, w) -> if w < $k then Some (b, a)"),
                ("the pairs `(a, w)` of the edges to node $n", "(a, b, w) -> if b = $n then Some (a, w)"),
                ("the pairs `(b, w)` of the edges from node $n", "(a, b, w) -> if a = $n then Some (b, w)"),
                (
                    "the pairs `(b, w)` of the edges from node $n that weigh at least $k",
                    "(a, b, w) -> if a = $n && w >= $k then Some (b, w)",
                ),
            ),
            "k": number(5, 25),
            "n": number(0, 4),
        },
        inputs=(lists(tuples(_NODE, _NODE, integers(1, 30))),),
    ),
    Task(
        level=2,
        says=(
            "An edge is a pair of nodes. `$f edges n` is the list of the nodes $where, in ascending order and each only once.",
            "Each pair of the list `edges` is an edge from the first node to the second. Find the nodes $where: `$f edges n` is "
            "the list of them, which ascends and has no node twice.",
        ),
        names=("neighbours", "around", "adjacent"),
        signature="(int * int) list -> int -> int list",
        code="let $f edges n =\n  let other (a, b) = $where in\n  List.sort_uniq compare (List.filter_map other edges)",
        gaps={
            "where": (
                (
                    "that share an edge with `n`, in either direction",
                    "if a = n then Some b else if b = n then Some a else None",
                ),
                ("other than `n` to which an edge leads from `n`", "if a = n && b <> n then Some b else None"),
                ("other than `n` from which an edge leads to `n`", "if b = n && a <> n then Some a else None"),
                ("from $k on to which an edge leads from `n`", "if a = n && b >= $k then Some b else None"),
                ("up to $k from which an edge leads to `n`", "if b = n && a <= $k then Some a else None"),
                ("to which edges lead from nodes other than `n`", "if a <> n then Some b else None"),
            ),
            "k": number(1, 3),
        },
        inputs=(lists(tuples(_NODE, _NODE), 0, 9, far=15), _NODE),
    ),
    Task(
        level=2,
        says=(
            "The nodes are 0 to `n - 1`, and each pair `(a, b)` in `edges` is an edge from `a` to `b`. `$f n edges` is the list "
            "of $what, from node 0 on.",
            "Write `$f n edges`: the list of $what, in the order of the nodes. The graph has the nodes 0 to `n - 1`; the pairs "
            "of `edges` lead from the first node to the second.",
        ),
        names=("survey", "per_node", "all_nodes"),
        signature="int -> (int * int) list -> int list",
        code="let $f n edges =\n  let $what",
        gaps={
            "what": (
                (
                    "the numbers of edges from each node",
                    "count v = List.length (List.filter (fun (a, _) -> a = v) edges) in\n  List.init n count",
                ),
                (
                    "the numbers of edges to each node",
                    "count v = List.length (List.filter (fun (_, b) -> b = v) edges) in\n  List.init n count",
                ),
                (
                    "all nodes to which no edge leads",
                    "free v = not (List.exists (fun (_, b) -> b = v) edges) in\n  List.filter free (List.init n Fun.id)",
                ),
                (
                    "all nodes from which no edge leads",
                    "free v = not (List.exists (fun (a, _) -> a = v) edges) in\n  List.filter free (List.init n Fun.id)",
                ),
                (
                    "all nodes that have no edge at all",
                    "free v = List.for_all (fun (a, b) -> a <> v && b <> v) edges in\n  List.filter free (List.init n Fun.id)",
                ),
                (
                    "all nodes with an edge to themselves",
                    "loop v = List.mem (v, v) edges in\n  List.filter loop (List.init n Fun.id)",
                ),
            )
        },
        inputs=(integers(4, 6, far=15), lists(tuples(integers(0, 3), integers(0, 3)), 0, 6, far=14)),
        edges=(
            ("0", "[]"),
            ("1", "[]"),
            ("1", "[(0, 0)]"),
            ("2", "[(1, 0); (1, 0)]"),
            ("3", "[(2, 2); (0, 2); (2, 2)]"),
        ),
    ),
    Task(
        level=2,
        says=(
            "`$f edges path` tells whether the list `path` of nodes is a path: for each node `a` and the next one `b` the list "
            "`edges` has $edge. Lists with fewer than two nodes are paths.",
            "Does the list `edges` have $edge for every node `a` of the list `path` and the next node `b` there? Write "
            "`$f edges path` to tell; it is true if `path` has fewer than two nodes.",
        ),
        names=("is_path", "possible", "walkable"),
        signature="(int * int) list -> int list -> bool",
        code="let rec $f edges path =\n  match path with\n  | a :: (b :: _ as rest) -> $edge && $f edges rest\n  | _ -> true",
        gaps={
            "edge": (
                ("the pair `(a, b)`", "List.mem (a, b) edges"),
                ("the pair `(b, a)`", "List.mem (b, a) edges"),
                ("one of the pairs `(a, b)` and `(b, a)`", "(List.mem (a, b) edges || List.mem (b, a) edges)"),
            )
        },
        inputs=(lists(tuples(integers(0, 2), integers(0, 2)), 0, 8, far=14), lists(integers(0, 2), 0, 4)),
        edges=(
            ("[]", "[3]"),
            ("[(0, 1); (1, 2); (2, 0)]", "[0; 1; 2; 0; 1]"),
            ("[(0, 1); (1, 2); (2, 0)]", "[1; 0; 2; 1; 0]"),
            ("[(0, 1); (1, 2); (2, 3)]", "[0; 1; 2; 3; 0]"),
            ("[(1, 0); (2, 1); (3, 2)]", "[0; 1; 2; 3; 3]"),
            ("[(0, 1); (1, 2)]", "[2; 0; 1; 2]"),
            ("[(0, 1); (2, 1)]", "[0; 1; 2]"),
            ("[(0, 1); (2, 1)]", "[0; 1; 0]"),
            ("[(5, 5)]", "[5; 5; 5]"),
            ("[(5, 7); (7, 5); (5, 5)]", "[5; 7; 5; 5; 7; 5; 5; 5; 7; 7]"),
            ("[(1, 2); (2, 1); (4, 4)]", "[1; 2; 1; 2; 1; 2; 1; 2; 1; 2]"),
            ("[(2, 1); (3, 2); (4, 3); (5, 4)]", "[1; 2; 3; 4; 5]"),
        ),
    ),
    Task(
        level=2,
        says=(
            "In `next.(a)` are the nodes to which edges lead from the node `a`; the nodes are the positions of the array. "
            "`$f next` is $what.",
            "The array `next` describes a graph: there is an edge from `a` to every node of the list `next.(a)`. Write "
            "`$f next`: $what.",
        ),
        names=("edges_of", "adjacency", "unfold_graph"),
        signature="int list array -> (int * int) list",
        code="let $f next =\n  let from a nodes = $what in\n  List.concat (List.mapi from (Array.to_list next))",
        gaps={
            "what": (
                ("the list of its edges, as pairs, by nodes from 0 on", "List.map (fun b -> (a, b)) nodes"),
                (
                    "the list of its edges turned round, as pairs `(b, a)`, by `a` from 0 on",
                    "List.map (fun b -> (b, a)) nodes",
                ),
                (
                    "the list of its edges, as pairs, with all numbers raised by $k, by `a` from 0 on",
                    "List.map (fun b -> (a + $k, b + $k)) nodes",
                ),
                (
                    "the list of those edges `(a, b)` in which `b` is not `a`, by `a` from 0 on",
                    "List.filter_map (fun b -> if a = b then None else Some (a, b)) nodes",
                ),
                (
                    "the list of those edges `(a, b)` in which `b` is greater than `a`, by `a` from 0 on",
                    "List.filter_map (fun b -> if a < b then Some (a, b) else None) nodes",
                ),
            ),
            "k": number(1, 30),
        },
        inputs=(array(lists(integers(0, 4), 0, 4), 0, 5, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`color.(v)` is the color of node `v`, and `edges` has a pair for each edge. `$f color edges` is $what.",
            "The nodes of a graph are colored: node `v` has the color `color.(v)`. Each edge is a pair of nodes. Write "
            "`$f color edges`, $what.",
        ),
        names=("coloring", "color_edges", "judge_colors"),
        signature="int array -> (int * int) list -> (int * int) list",
        code="let $f color edges =\n  let chosen (a, b) = $what in\n  List.filter chosen edges",
        gaps={
            "what": (
                ("the list of edges between nodes of the same color", "color.(a) = color.(b)"),
                ("the list of edges between nodes of different colors", "color.(a) <> color.(b)"),
                ("the list of edges from a lower to a higher color", "color.(a) < color.(b)"),
                ("the list of edges that have color $c at one end at least", "color.(a) = $c || color.(b) = $c"),
                ("the list of edges between two nodes of color $c", "color.(a) = $c && color.(b) = $c"),
            ),
            "c": number(1, 3),
        },
        inputs=(array(integers(1, 3), 5, 5), lists(tuples(_FIVE, _FIVE), 0, 8, far=14)),
    ),
    Task(
        level=2,
        says=(
            "Edges with weights are triples `(a, b, w)`. `$f edges n` is $which that begin at the node `n` and weigh $weight, or "
            "`None` if there are none.",
            "In the list `edges` of triples `(a, b, w)`, each an edge from `a` to `b` with the weight `w`, find $which that "
            "lead from `n` and weigh $weight. Write `$f edges n`; it is `None` if there is no such edge.",
        ),
        names=("best_edge", "pick_edge", "from_node"),
        signature="(int * int * int) list -> int -> int option",
        code="let $f edges n =\n  let from = List.filter (fun (a, _, w) -> a = n && $weight) edges in\n  match $which",
        gaps={
            "which": (
                (
                    "the least weight of the edges",
                    "List.map (fun (_, _, w) -> w) from with [] -> None | x :: l -> Some (List.fold_left min x l)",
                ),
                (
                    "the greatest weight of the edges",
                    "List.map (fun (_, _, w) -> w) from with [] -> None | x :: l -> Some (List.fold_left max x l)",
                ),
                (
                    "the sum of the weights of the edges",
                    "List.map (fun (_, _, w) -> w) from with [] -> None | x :: l -> Some (List.fold_left ( + ) x l)",
                ),
                (
                    "the greatest node at the end of the edges",
                    "List.map (fun (_, b, _) -> b) from with [] -> None | x :: l -> Some (List.fold_left max x l)",
                ),
                (
                    "the smallest node at the end of the edges",
                    "List.map (fun (_, b, _) -> b) from with [] -> None | x :: l -> Some (List.fold_left min x l)",
                ),
            ),
            "weight": (("at most $k", "w <= $k"), ("at least $k", "w >= $k"), ("more than $k", "w > $k")),
            "k": number(3, 12),
        },
        inputs=(
            lists(tuples(integers(0, 1), integers(0, 5, far=3_000), integers(1, 15, far=3_000)), 0, 8, far=14),
            integers(0, 2),
        ),
    ),
    Task(
        level=2,
        says=(
            "`prices` has pairs `((a, b), p)`: the edge from `a` to `b` costs `p`. `$f prices path` is $what the edges from each node of the list "
            "`path` to the next. Edges that are not in `prices` cost $k; of several prices of an edge the first counts.",
            "The list `prices` tells what edges cost, as pairs `((a, b), p)`, the first of which counts if there are several for an edge; all others cost $k. "
            "Write `$f prices path`: $what the edges that lead from each node of the list `path` to the next one.",
        ),
        names=("path_cost", "way_price", "along"),
        signature="((int * int) * int) list -> int list -> int",
        code="let rec $f prices path =\n  match path with\n  | a :: (b :: _ as rest) ->\n"
        "    let p = Option.value (List.assoc_opt (a, b) prices) ~default:$k in\n    $what\n  | _ -> 0",
        gaps={
            "what": (
                ("the sum of the costs of", "p + $f prices rest"),
                ("the greatest cost (0 if there is none) of", "max p ($f prices rest)"),
                ("twice the sum of the costs of", "(2 * p) + $f prices rest"),
            ),
            "k": number(10, 60),
        },
        inputs=(
            lists(tuples(tuples(integers(0, 2), integers(0, 2)), integers(0, 20, far=2_000))),
            lists(integers(0, 2), 0, 5, far=11),
        ),
    ),
)
