"""Small tasks on numbers of ways and on least costs: choices, coins, stairs, routes."""

from __future__ import annotations

from ocaml_env.problems.generators.inputs import integers, lists, one_of, tuples
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_KINDS: Gap = (
    ("A menu has `a` soups, `b` main courses and `c` desserts", "", "meals"),
    ("A shop sells `a` caps, `b` shirts and `c` scarves", "", "outfits"),
    ("A garden centre has `a` roses, `b` tulips and `c` lilies", "", "bouquets"),
    ("A library offers `a` novels, `b` comics and `c` maps", "", "loans"),
    ("A box holds `a` red, `b` green and `c` blue cards", "", "hands"),
)
_PACKED: Gap = (
    ("eggs", "", "eggs"),
    ("bottles", "", "bottles"),
    ("books", "", "books"),
    ("chairs", "", "chairs"),
    ("apples", "", "apples"),
)
_TILED: Gap = (
    ("Somebody climbs `n` stairs and takes $steps at a time.", "", "climbs"),
    ("A path of `n` metres is laid with slabs whose length in metres is $steps.", "", "paths"),
    ("A song of `n` beats is made of notes that last $steps beats.", "", "rhythms"),
)

_KIND = integers(0, 12)
_FARE = integers(0, 20)
_COIN = integers(1, 6)
_FEW = lists(integers(1, 7), 0, 4, far=8)

TASKS = (
    Task(
        level=1,
        says=(
            "$kinds. `$f a b c` is the number of ways to take $what.",
            "$kinds. In how many ways can one take $what? `$f a b c` tells.",
        ),
        names=("count_$kinds", "$kinds", "choices"),
        signature="int -> int -> int -> int",
        code="let $f a b c = $what",
        gaps={
            "kinds": _KINDS,
            "k": number(2, 9),
            "what": (
                ("one of each kind", "a * b * c"),
                ("a single one, of any kind", "a + b + c"),
                ("two of different kinds", "(a * b) + (a * c) + (b * c)"),
                ("one of the first kind and one of either other kind", "a * (b + c)"),
                ("one of the last kind and one of either other kind", "(a + b) * c"),
                ("one of each kind, and one of $k bags for them", "$k * a * b * c"),
                ("a single one, of any kind, and one of $k bags for it", "$k * (a + b + c)"),
                ("one of each kind, where the first may be left out", "(a + 1) * b * c"),
                ("one of each kind, where the last may be left out", "a * b * (c + 1)"),
            ),
        },
        inputs=(_KIND, _KIND, _KIND),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is the number of $what. `n` is at least 3.",
            "How many $what are there? `$f n` answers that for any `n` from 3 up.",
        ),
        names=("ways", "possibilities", "how_many"),
        signature="int -> int",
        code="let $f n = $what",
        gaps={
            "k": number(2, 9),
            "what": (
                ("ways to choose a captain and another player as deputy in a team of `n`", "n * (n - 1)"),
                ("handshakes among `n` people of whom each two shake hands once", "n * (n - 1) / 2"),
                ("ordered results of two throws of a die with `n` sides", "n * n"),
                ("ways to give gold, silver and bronze to three of `n` runners", "n * (n - 1) * (n - 2)"),
                ("domino pieces with two halves of 1 to `n` spots each", "n * (n + 1) / 2"),
                ("ways to answer `n` questions with yes or no", "1 lsl n"),
                ("ways to choose at least one of `n` toppings", "(1 lsl n) - 1"),
                ("flags with three stripes of `n` colours whose neighbours differ", "n * (n - 1) * (n - 1)"),
                ("games of `n` teams, if each two of them play $k times", "$k * n * (n - 1) / 2"),
                ("ways to choose one of `n` cakes and one of $k drinks", "$k * n"),
                ("ways to answer `n` questions with yes or no and to choose one of $k prizes", "$k * (1 lsl n)"),
                ("diagonals of a polygon with `n` corners", "n * (n - 3) / 2"),
            ),
        },
        inputs=(integers(3, 40),),
    ),
    Task(
        level=1,
        says=(
            "There are `n` $things, and a box holds $k of them. `$f n` is the number of $what.",
            "$k $things fit into a box. For `n` $things, `$f n` is the number of $what.",
        ),
        names=("pack_$things", "${things}_and_boxes"),
        signature="int -> int",
        code="let $f n = $what",
        gaps={
            "things": _PACKED,
            "k": number(4, 12),
            "what": (
                ("boxes that are filled completely", "n / $k"),
                ("$things that are left over when as many boxes as possible are full", "n mod $k"),
                ("boxes that are needed for all of them", "(n + $k - 1) / $k"),
                ("full boxes plus the number of $things left over", "(n / $k) + (n mod $k)"),
                ("places that stay empty if all are packed into as few boxes as possible", "($k - (n mod $k)) mod $k"),
            ),
        },
        inputs=(integers(0, 99, far=2000),),
    ),
    Task(
        level=1,
        says=(
            "From the $from to the $to the direct way costs `c`, another one `a` and then `b`. `$f a b c` is $what.",
            "One can go from the $from to the $to for `c`, or in two parts for `a` and `b`. `$f a b c` is $what.",
        ),
        names=("from_$from", "to_$to"),
        signature="int -> int -> int -> int",
        code="let $f a b c = $what",
        gaps={
            "k": number(2, 9),
            "from": (
                ("village", "", "village"),
                ("station", "", "station"),
                ("harbour", "", "harbour"),
                ("farm", "", "farm"),
            ),
            "to": (("town", "", "town"), ("airport", "", "airport"), ("museum", "", "museum"), ("beach", "", "beach")),
            "what": (
                ("the lower price", "min (a + b) c"),
                ("the higher price", "max (a + b) c"),
                ("the lower price for $k people", "$k * min (a + b) c"),
                ("the lower price if the way in two parts costs $k more", "min (a + b + $k) c"),
                ("the lower price if the direct way is $k cheaper", "min (a + b) (c - $k)"),
                ("how much the two prices differ", "abs (a + b - c)"),
                ("the lower price for going there and back", "2 * min (a + b) c"),
                ("what the direct way saves, at least 0", "max 0 (a + b - c)"),
            ),
        },
        inputs=(integers(0, 30, far=400), integers(0, 30), integers(0, 60, far=400)),
        edges=(("0", "0", "0"), ("10", "20", "30"), ("7", "0", "12"), ("12", "5", "9")),
    ),
    Task(
        level=1,
        says=(
            "Somebody has one coin worth `a` and one worth `b`. `$f a b n` tells if they can pay $what.",
            "With one coin worth `a` and one worth `b`, is it possible to pay $what? `$f a b n` tells.",
        ),
        names=("can_pay", "payable"),
        signature="int -> int -> int -> bool",
        code="let $f a b n = $what",
        gaps={
            "what": (
                ("exactly `n` with a single one of the two", "a = n || b = n"),
                ("at least `n` with a single one of the two", "max a b >= n"),
                ("exactly `n` with both", "a + b = n"),
                ("at least `n` with both", "a + b >= n"),
                ("exactly `n` with one or both of them", "a = n || b = n || a + b = n"),
            )
        },
        inputs=(_COIN, _COIN, integers(1, 10)),
    ),
    Task(
        level=1,
        says=(
            "`l` has the number of $things for each day of a trip. `$f l` is the number of ways to choose $what.",
            "`l` counts the $things on each day of a trip. In how many ways can one choose $what? `$f l` tells.",
        ),
        names=("plans", "choices", "ways_of_trip"),
        signature="int list -> int",
        code="let $f l = $what",
        gaps={
            "k": number(2, 5),
            "things": (("hotels",), ("tours",), ("museums",), ("menus",), ("concerts",)),
            "what": (
                ("one for each day (1 way for `[]`)", "List.fold_left ( * ) 1 l"),
                ("a single one, on any day", "List.fold_left ( + ) 0 l"),
                ("one for each day, and one of $k guides for the whole trip", "List.fold_left ( * ) $k l"),
                (
                    "one for each day and, each day, one of $k guides",
                    "List.fold_left (fun ways n -> $k * ways * n) 1 l",
                ),
                ("one or none for each day (1 way for `[]`)", "List.fold_left (fun ways n -> ways * (n + 1)) 1 l"),
                (
                    "one for the morning and one for the evening of a day",
                    "List.fold_left (fun ways n -> ways + (n * n)) 0 l",
                ),
                (
                    "two different ones, in order, for a single day",
                    "List.fold_left (fun ways n -> ways + (n * (n - 1))) 0 l",
                ),
            ),
        },
        inputs=(lists(integers(0, 9), 0, 5, far=10),),
    ),
    Task(
        level=1,
        says=(
            "`n` $things are shared by two children, and $rule. `$f n` is the number of ways to do that. `n` is at least 2.",
            "Two children share `n` equal $things, with `n` at least 2, and $rule. In how many ways? `$f n` tells.",
        ),
        names=("share_$things", "sharings"),
        signature="int -> int",
        code="let $f n = $rule",
        gaps={
            "k": number(2, 9),
            "things": (
                ("sweets", "", "sweets"),
                ("nuts", "", "nuts"),
                ("marbles", "", "marbles"),
                ("stickers", "", "stickers"),
            ),
            "rule": (
                ("one of them may get none", "n + 1"),
                ("each gets at least $k", "max 0 (n + 1 - (2 * $k))"),
                ("each gets at least one", "n - 1"),
                ("the older one gets at least as many as the younger", "(n / 2) + 1"),
                ("the older one gets more than the younger", "(n + 1) / 2"),
            ),
        },
        inputs=(integers(2, 60, far=900),),
    ),
    Task(
        level=2,
        says=(
            "$tiled `$f k n` is the number of ways to do that; the order counts. `n` is at least 0 (one way for 0), and `k` at least 2.",
            "$tiled In how many different orders can that be done? `$f k n` tells; for `n = 0` it is 1. `k` is at least 2, `n` at least 0.",
        ),
        names=("ways", "count_$tiled", "$tiled"),
        signature="int -> int -> int",
        code="let rec $f k n =\n  if n < 0 then 0\n  else if n = 0 then 1\n  else $steps",
        gaps={
            "tiled": _TILED,
            "steps": (
                ("1 or `k`", "$f k (n - 1) + $f k (n - k)"),
                ("1, `k` or `k + 1`", "$f k (n - 1) + $f k (n - k) + $f k (n - k - 1)"),
                ("`k` or `k + 1`", "$f k (n - k) + $f k (n - k - 1)"),
            ),
        },
        inputs=(integers(2, 6), integers(0, 10)),
    ),
    Task(
        level=2,
        says=(
            "`$f k n` is the number of $what. `k` is at least 1 and `n` at least $least.",
            "With `k` at least 1 and `n` at least $least, how many $what are there? `$f k n` tells.",
        ),
        names=("codes", "count_rows", "rows"),
        signature="int -> int -> int",
        code="let rec $f k n =\n  $what",
        gaps={
            "m": number(2, 9),
            "least": (("1",),),
            "what": (
                ("codes of `n` signs out of an alphabet of `k`", "if n = 1 then k\n  else k * $f k (n - 1)"),
                (
                    "rows of `n` beads of `k` colours in which neighbours differ",
                    "if n = 1 then k\n  else (k - 1) * $f k (n - 1)",
                ),
                (
                    "codes of `n` different signs out of an alphabet of `k` (none if `n > k`)",
                    "if n = 1 then k\n  else k * $f (k - 1) (n - 1)",
                ),
                (
                    "codes of `n` signs out of an alphabet of `k`, whose last sign is one of $m special ones",
                    "if n = 1 then $m\n  else k * $f k (n - 1)",
                ),
                ("codes of 1 to `n` signs out of an alphabet of `k`", "if n = 1 then k\n  else k * (1 + $f k (n - 1))"),
            ),
        },
        inputs=(integers(1, 7), integers(1, 6)),
    ),
    Task(
        level=2,
        says=(
            "A $row of length `n` is made of $bits of length 1, in $c colours, and of length `k`, in $d colours. `$f k n` is the number of different ones, 1 for `n = 0`. `k` is at least 2.",
            "There are $bits of length 1 in $c colours and of length `k` (at least 2) in $d. `$f k n` is the number of different rows of length `n` in all, 1 for `n = 0`.",
        ),
        names=("coloured_rows", "rows_of_$bits", "patterns"),
        signature="int -> int -> int",
        code="let rec $f k n =\n  if n < 0 then 0\n  else if n = 0 then 1\n  else ($c * $f k (n - 1)) + ($d * $f k (n - k))",
        gaps={
            "row": (("chain",), ("border",), ("fence",)),
            "bits": (("beads", "", "beads"), ("tiles", "", "tiles"), ("bricks", "", "bricks")),
            "c": number(2, 5),
            "d": number(2, 5),
        },
        inputs=(integers(2, 5), integers(0, 8)),
    ),
    Task(
        level=2,
        says=(
            "A $piece goes from one corner of a grid to the opposite one, `r` rows down and `c` columns to the right, by steps $steps. `$f r c` is the number of ways, 1 if `r` or `c` is 0. Neither is negative.",
            "How many ways lead `r` rows down and `c` columns to the right, by steps $steps? Write `$f r c`; both numbers are at least 0, and if one of them is 0 there is one way.",
        ),
        names=("grid_ways", "paths", "routes"),
        signature="int -> int -> int",
        code="let rec $f r c =\n  if r = 0 || c = 0 then 1\n  else $steps",
        gaps={
            "piece": (("beetle",), ("robot",), ("taxi",), ("snail",)),
            "steps": (
                ("of one row down or one column to the right", "$f (r - 1) c + $f r (c - 1)"),
                (
                    "of one row down, one column to the right, or both at once",
                    "$f (r - 1) c + $f r (c - 1) + $f (r - 1) (c - 1)",
                ),
            ),
        },
        inputs=(integers(0, 4), integers(0, 4)),
    ),
    Task(
        level=2,
        says=(
            "Each pair in `l` tells for one $leg how much it costs by bus and by train. `$f l` is $what; for `[]` it is 0.",
            "A trip has several parts, and `l` has a pair of two prices, bus and train, for each $leg. `$f l` is $what, 0 for the empty list.",
        ),
        names=("trip_cost", "fare", "total_fare"),
        signature="(int * int) list -> int",
        code="let rec $f l =\n  match l with\n  | [] -> 0\n  | (a, b) :: rest -> $what",
        gaps={
            "leg": (("part",), ("day",), ("leg",)),
            "what": (
                ("the least total cost", "min a b + $f rest"),
                ("the greatest total cost", "max a b + $f rest"),
                ("the greatest amount that can be saved by a good choice", "abs (a - b) + $f rest"),
                ("the least total cost if each ticket for the bus costs $k more", "min (a + $k) b + $f rest"),
                (
                    "the least total cost if the train is $k cheaper, but never below 0",
                    "min a (max 0 (b - $k)) + $f rest",
                ),
                ("the total by bus minus the total by train", "a - b + $f rest"),
                ("the price of the dearest single ticket in it", "max (max a b) ($f rest)"),
                (
                    "the least total cost if a voucher pays up to $k of each ticket",
                    "max 0 (min a b - $k) + $f rest",
                ),
            ),
            "k": number(2, 6),
        },
        inputs=(lists(tuples(_FARE, _FARE), 0, 5, far=10),),
        edges=(("[(4, 4)]",), ("[(0, 9)]",), ("[(9, 0)]",), ("[(3, 8); (8, 3)]",), ("[(500, 700)]",)),
    ),
    Task(
        level=2,
        says=(
            "The values of coins are in `l`, all positive and the greatest first. To pay `n`, one takes as many as possible of the first, then of the next, and so on. `$f l n` is $what. `n` is at least 0.",
            "An amount `n`, not negative, is paid greedily: as many of the first coin in `l` as fit, then of the second, and so on; all values are positive. `$f l n` is $what.",
        ),
        names=("greedy", "pay", "change"),
        signature="int list -> int -> $what",
        code="let rec $f l n =\n  match l with\n$arms",
        gaps={
            "what": (("$arms", "$kind"),),
            "kind": (("", "int"),),
            "arms": (
                ("the number of coins that are paid", "  | [] -> 0\n  | c :: rest -> (n / c) + $f rest (n mod c)"),
                ("the amount that cannot be paid in the end", "  | [] -> n\n  | c :: rest -> $f rest (n mod c)"),
                ("the amount that is paid", "  | [] -> 0\n  | c :: rest -> n - (n mod c) + $f rest (n mod c)"),
                (
                    "the number of different coins in use",
                    "  | [] -> 0\n  | c :: rest -> (if n >= c then 1 else 0) + $f rest (n mod c)",
                ),
            ),
        },
        inputs=(
            one_of(
                "[]",
                "[10; 4]",
                "[5; 2]",
                "[20; 10; 5]",
                "[25; 10; 1]",
                "[50; 20; 3]",
                "[7]",
                "[9; 6; 4]",
                "[50; 20; 10; 5; 2; 1]",
            ),
            integers(0, 99, far=700),
        ),
    ),
    Task(
        level=2,
        says=(
            "The prices in `l` are all positive. Somebody with `n` goes through them in order and buys each thing that the money left is enough for. `$f l n` is $what.",
            "With `n` in the purse, somebody walks along things with the positive prices `l` and buys each one that can still be paid. `$f l n` is $what.",
        ),
        names=("shopping", "spree", "buy_in_order"),
        signature="int list -> int -> int",
        code="let rec $f l n =\n  match l with\n  | [] -> $what",
        gaps={
            "k": number(1, 5),
            "what": (
                (
                    "the number of things bought",
                    "0\n  | x :: rest -> if x <= n then 1 + $f rest (n - x) else $f rest n",
                ),
                ("the money that is left", "n\n  | x :: rest -> if x <= n then $f rest (n - x) else $f rest n"),
                (
                    "the money that is left if each thing costs $k more than its price",
                    "n\n  | x :: rest -> if x + $k <= n then $f rest (n - x - $k) else $f rest n",
                ),
                ("the money spent", "0\n  | x :: rest -> if x <= n then x + $f rest (n - x) else $f rest n"),
                (
                    "the number of things that are not bought",
                    "0\n  | x :: rest -> if x <= n then $f rest (n - x) else 1 + $f rest n",
                ),
            ),
        },
        inputs=(lists(integers(1, 20), 0, 6, far=12), integers(0, 50)),
        edges=(
            ("[7]", "7"),
            ("[5; 5]", "10"),
            ("[9; 4; 3; 1]", "5"),
            ("[4; 9; 2]", "6"),
            ("[3; 3; 3]", "7"),
            ("[20; 1]", "19"),
        ),
    ),
    Task(
        level=2,
        says=(
            "In a game, a heap of `n` $things, if it can be divided by $k, is divided by $k, and otherwise loses one. `$f n` is $what in the whole game, which ends at 0. `n` is not negative.",
            "A heap has `n` $things, at least 0. A move divides their number by $k where that leaves no rest, and takes one away otherwise. `$f n` is $what in the whole game, until the heap is gone.",
        ),
        names=("moves", "game"),
        signature="int -> int",
        code="let rec $f n =\n  if n = 0 then 0\n  else if n mod $k = 0 then $what",
        gaps={
            "things": (("stones",), ("coins",), ("matches",), ("beans",)),
            "k": number(2, 9),
            "what": (
                ("the number of moves", "1 + $f (n / $k)\n  else 1 + $f (n - 1)"),
                ("the number of moves that take one away", "$f (n / $k)\n  else 1 + $f (n - 1)"),
                ("the number of divisions", "1 + $f (n / $k)\n  else $f (n - 1)"),
            ),
        },
        inputs=(integers(0, 200),),
    ),
    Task(
        level=2,
        says=(
            "`l` has the prices of $one, `m` those of $other. `$f n l m` is the number of ways to take one of each so that they cost $sum together.",
            "One of the $one (prices `l`) and one of the $other (prices `m`) are bought. In how many ways do they cost $sum together? `$f n l m` tells.",
        ),
        names=("combos", "pairs_for", "count_pairs"),
        signature="int -> int list -> int list -> int",
        code="let $f n l m =\n  let fitting a = List.length (List.filter (fun b -> $sum) m) in\n  List.fold_left (fun ways a -> ways + fitting a) 0 l",
        gaps={
            "k": number(1, 4),
            "one": (("drinks",), ("books",), ("pens",), ("plants",)),
            "other": (("snacks",), ("records",), ("pads",), ("pots",)),
            "sum": (
                ("exactly `n`", "a + b = n"),
                ("at most `n`", "a + b <= n"),
                ("at most `n` (after a discount of $k)", "a + b - $k <= n"),
                ("less than `n`", "a + b < n"),
                ("`n` or more", "a + b >= n"),
            ),
        },
        inputs=(integers(3, 12), _FEW, _FEW),
    ),
)
