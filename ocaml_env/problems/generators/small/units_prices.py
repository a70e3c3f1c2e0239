"""Small tasks on prices: amounts, discounts, taxes and change, mostly in whole cents."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, floats, integers, lists, one_of, tuples
from ocaml_env.problems.generators.task import Task, number

__all__ = ["TASKS"]

_CENTS = integers(0, 3000, far=200_000)
_GOODS = one_of('"tea"', '"bread"', '"milk"', '"rice"', '"salt"')
_PRICED = lists(tuples(_GOODS, integers(0, 600)), 0, 5, far=9)


def _some_prices(chance: Chance) -> str:
    """At least one price; some may be equal."""
    return lists(integers(1, chance.pick((6, 99, 99)), far=900), 1, 6, far=12).draw(chance)


def _coupon(chance: Chance) -> str:
    return f"{chance.pick(('Percent', 'Minus'))} {chance.number(0, 100)}"


TASKS = (
    Task(
        level=1,
        says=(
            "`$f n p` is the price in cents of `n` $things at `p` cents each, $extra.",
            "What do `n` $things cost, at `p` cents each, $extra? Write `$f n p`, in cents.",
        ),
        names=("price", "total", "cost"),
        signature="int -> int -> int",
        code="let $f n p = $extra",
        gaps={
            "things": (("pens",), ("tickets",), ("books",), ("apples",), ("bottles",), ("stamps",)),
            "extra": (
                ("with $k cents for the parcel", "(n * p) + $k"),
                ("with a deposit of $k cents for each of them", "n * (p + $k)"),
                ("with a voucher of $k cents taken off (never below 0)", "max 0 ((n * p) - $k)"),
                ("but at least $k cents", "max $k (n * p)"),
                ("but at most $k cents", "min $k (n * p)"),
                ("if one of them is free", "max 0 (n - 1) * p"),
                ("if every third one is free", "(n - (n / 3)) * p"),
                ("if only half of them, rounded up, must be paid", "(n + 1) / 2 * p"),
            ),
            "k": number(50, 400),
        },
        inputs=(integers(0, 12, far=100), integers(5, 90, far=500)),
    ),
    Task(
        level=1,
        says=(
            "`$f c` is $what, for an amount of `c` cents, which is not negative.",
            "Given `c` cents (not negative), write `$f c`: $what.",
        ),
        names=("split_amount", "cents", "convert"),
        signature="int -> int * int",
        code="let $f c = $what",
        gaps={
            "what": (
                ("the pair of whole euros (100 cents each) and remaining cents", "(c / 100, c mod 100)"),
                ("the pair of remaining cents and whole dollars (100 cents each)", "(c mod 100, c / 100)"),
                (
                    "the pair of the number of $k-cent coins that fit in it and the cents left over",
                    "(c / $k, c mod $k)",
                ),
                ("the pair of half of it, rounded down, and what remains for the other half", "(c / 2, c - (c / 2))"),
                ("the pair of the tax in it, a fifth rounded down, and the rest", "(c / 5, c - (c / 5))"),
            ),
            "k": (("5",), ("20",), ("25",), ("50",), ("200",)),
        },
        inputs=(_CENTS,),
    ),
    Task(
        level=1,
        says=(
            "`$f c` is the price `c`, in cents and not negative, $how.",
            "Write `$f c`: the price of `c` cents (never negative) $how.",
        ),
        names=("adjust", "new_price", "changed_price"),
        signature="int -> int",
        code="let $f c = $how",
        gaps={
            "how": (
                ("reduced by $p percent, the new price rounded down", "c * (100 - $p) / 100"),
                ("reduced by $p percent, where the reduction is rounded down", "c - (c * $p / 100)"),
                ("with $p percent of tax added, the tax rounded down", "c + (c * $p / 100)"),
                ("with $p percent of tax added, the tax rounded up", "c + (((c * $p) + 99) / 100)"),
                ("rounded down to a multiple of $r", "c / $r * $r"),
                ("rounded up to a multiple of $r", "(c + $r - 1) / $r * $r"),
                ("rounded down to whole euros, with 99 cents added", "(c / 100 * 100) + 99"),
            ),
            "p": number(3, 40),
            "r": (("5",), ("10",), ("20",), ("25",), ("50",), ("100",)),
        },
        inputs=(_CENTS,),
    ),
    Task(
        level=1,
        says=(
            "Delivery costs $s cents, but nothing for orders of $what. `$f t` is the price of an order of `t` cents with its "
            "delivery.",
            "An order costs `t` cents. Delivery adds $s cents, unless the order is $what. Write `$f t`, the whole price.",
        ),
        names=("with_delivery", "order_price", "delivered"),
        signature="int -> int",
        code="let $f t = if t $what then t else t + $s",
        gaps={
            "what": (("$k cents or more", ">= $k"), ("more than $k cents", "> $k")),
            "s": number(100, 600),
            "k": tuple((str(k),) for k in (800, 900, 1000, 1200, 1500)),
        },
        inputs=(integers(0, 1800, far=20_000),),
    ),
    Task(
        level=1,
        says=(
            "`$f c` is the amount of `c` cents as text: $how. `c` is not negative.",
            "Write the price of `c` cents (not negative) as a string, `$f c`: $how.",
        ),
        names=("show_price", "price_tag", "as_text"),
        signature="int -> string",
        code='let $f c = Printf.sprintf "$how" (c / 100) (c mod 100)',
        gaps={
            "how": (
                ("euros, `$point`, and the cents with two digits, as in `7${point}05`", "%d${point}%02d"),
                (
                    "`EUR`, a space, euros, `$point`, and the cents with two digits, as in `EUR 7${point}05`",
                    "EUR %d${point}%02d",
                ),
                (
                    "euros, `$point`, the cents with two digits, and ` EUR`, as in `7${point}05 EUR`",
                    "%d${point}%02d EUR",
                ),
                (
                    "euros with two digits at least, `$point`, and cents with two digits, as in `07${point}05`",
                    "%02d${point}%02d",
                ),
            ),
            "point": ((".",), (",",), (":",), ("-",)),
        },
        inputs=(_CENTS,),
    ),
    Task(
        level=1,
        says=(
            "`$f p` is the price `p`, a float, $how.",
            "A price is a float `p`. Write `$f p`, the price $how.",
        ),
        names=("scale_price", "new_price", "changed"),
        signature="float -> float",
        code="let $f p = $how",
        gaps={
            "how": (
                ("with a discount of $d", "p *. $d"),
                ("raised by $t", "p *. $t"),
                ("after `$k.` was taken off, but not below `0.`", "Float.max 0. (p -. $k.)"),
                ("with a fee of `$k.` added", "p +. $k."),
                ("for a pack of $k pieces, if `p` is the price of one", "p *. $k."),
                ("of one piece if `p` is the price of four", "p /. 4."),
            ),
            "d": (("25 percent", "0.75"), ("50 percent", "0.5"), ("75 percent", "0.25")),
            "t": (("25 percent", "1.25"), ("50 percent", "1.5"), ("75 percent", "1.75")),
            "k": number(2, 12),
        },
        inputs=(floats(0, 40),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is $what; `l` is a list of prices in cents.",
            "The list `l` holds prices in cents. Write `$f l`: $what.",
        ),
        names=("prices", "from_prices", "price_list"),
        signature="int list -> int list",
        code="let $f l = $what",
        gaps={
            "what": (
                ("the list of the prices below $k cents", "List.filter (fun p -> p < $k) l"),
                ("the list of the prices above $k cents", "List.filter (fun p -> p > $k) l"),
                ("the list of the prices, each raised by $s cents", "List.map (fun p -> p + $s) l"),
                ("the list of the prices, each halved and rounded down", "List.map (fun p -> p / 2) l"),
                ("the list of the prices, none of them above $k", "List.map (fun p -> min $k p) l"),
                ("the list of the prices from the lowest to the highest", "List.sort compare l"),
                ("the list of the prices from the highest to the lowest", "List.sort (fun a b -> compare b a) l"),
            ),
            "k": number(200, 700),
            "s": number(5, 95),
        },
        inputs=(lists(integers(1, 900, far=9_000)),),
    ),
    Task(
        level=1,
        says=(
            "The order `l` has pairs of a number of pieces and the price of one piece. `$f l` is $what.",
            "In the order `l`, a pair `(n, p)` stands for `n` pieces at `p` cents each. Write `$f l`: $what.",
        ),
        names=("order", "evaluate_order", "bill"),
        signature="(int * int) list -> int",
        code="let $f l = List.fold_left (fun s (n, p) -> $what) 0 l",
        gaps={
            "what": (
                ("the price of the whole order", "s + (n * p)"),
                ("the price of the whole order, with $k cents added for each pair", "s + (n * p) + $k"),
                ("the highest amount `n * p` of a pair (0 for an empty order)", "max s (n * p)"),
                ("the price of the order if of each pair one piece is free", "s + ((n - 1) * p)"),
                ("the number of pieces that cost more than $k cents each", "if p > $k then s + n else s"),
            ),
            "k": number(10, 80),
        },
        inputs=(lists(tuples(integers(1, 9, far=99), integers(1, 99, far=999)), 0, 5, far=12),),
    ),
    Task(
        level=2,
        says=(
            "One piece costs $a cents, but $b cents if at least $n pieces are bought, and $c cents from $m pieces on. "
            "`$f n` is the price of `n` pieces; `n` is not negative.",
            "A shop sells single pieces for $a cents each. From $n pieces on every piece costs $b cents, from $m pieces on "
            "$c cents. Write `$f n`, the price of `n` pieces, `n` not being negative.",
        ),
        names=("bulk_price", "price_of", "quantity_price"),
        signature="int -> int",
        code="let $f n =\n  let each = if n >= $m then $c else if n >= $n then $b else $a in\n  n * each",
        gaps={"a": number(70, 99), "b": number(50, 69), "c": number(20, 49), "n": number(5, 12), "m": number(20, 30)},
        inputs=(integers(0, 40, far=500),),
    ),
    Task(
        level=2,
        says=(
            "Parking costs $a cents for each of the first $n hours and $b cents for each further hour, but $what. "
            "`$f h` is the price of `h` hours, which are not negative.",
            "In a car park the first $n hours cost $a cents each, later ones $b cents each, but $what. Write `$f h`, the "
            "price of `h` hours (not negative).",
        ),
        names=("parking", "parking_fee", "car_park"),
        signature="int -> int",
        code="let $f h =\n  let first = min h $n in\n  let later = h - first in\n  $what",
        gaps={
            "what": (
                ("never more than $m cents in total", "min $m (($a * first) + ($b * later))"),
                ("never less than $c cents in total", "max $c (($a * first) + ($b * later))"),
                (
                    "who stays longer than $n hours pays $c cents more",
                    "($a * first) + ($b * later) + if later > 0 then $c else 0",
                ),
            ),
            "a": number(100, 200),
            "b": number(40, 90),
            "c": number(250, 400),
            "m": number(900, 1200),
            "n": number(2, 4),
        },
        inputs=(integers(0, 24, far=100),),
    ),
    Task(
        level=2,
        says=(
            "A coupon takes a percentage off a price (`Percent p`, the reduction is rounded down) or a fixed number of cents "
            "(`Minus m`, $floor). `$f coupon price` is the new price; `price` is not negative.",
            "Write `$f coupon price`, the reduced price in cents: `Percent p` takes off `p` percent, rounded down, and "
            "`Minus m` takes off `m` cents, $floor. The price is not negative.",
        ),
        names=("redeem", "apply_coupon", "use_coupon"),
        signature="type coupon = Percent of int | Minus of int\n\nval $f : coupon -> int -> int",
        code="type coupon = Percent of int | Minus of int\n\nlet $f coupon price =\n  match coupon with\n"
        "  | Percent p -> price - (price * p / 100)\n  | Minus m -> $floor",
        gaps={
            "floor": (
                ("but the new price is at least 0", "max 0 (price - m)"),
                ("but the new price is at least $k", "max $k (price - m)"),
                ("but nothing if the price is below $k", "if price < $k then price else price - m"),
            ),
            "k": number(2, 9),
        },
        inputs=(Input(_coupon, ("Percent 0", "Percent 100", "Minus 0", "Minus 300")), integers(0, 300, far=9_000)),
    ),
    Task(
        level=2,
        says=(
            "Somebody with `m` cents buys the things of the list `l` of prices in order, until the next one is too dear. "
            "`$f m l` is $what.",
            "With `m` cents in the purse, one buys what is on the list `l` (prices in cents), from the first on, and stops "
            "at the first thing that is too dear. Write `$f m l`: $what.",
        ),
        names=("shopping", "buy", "spend"),
        signature="int -> int list -> int",
        code="let rec $f m l =\n  match l with\n  | p :: rest when p <= m -> $what",
        gaps={
            "what": (
                ("the number of things bought", "1 + $f (m - p) rest\n  | _ -> 0"),
                ("the money that is spent", "p + $f (m - p) rest\n  | _ -> 0"),
                ("the money that is left", "$f (m - p) rest\n  | _ -> m"),
                ("the number of things not bought", "$f (m - p) rest\n  | _ -> List.length l"),
                ("the price of the dearest thing bought, or 0 if there is none", "max p ($f (m - p) rest)\n  | _ -> 0"),
            )
        },
        inputs=(integers(0, 60, far=300), lists(integers(1, 25))),
    ),
    Task(
        level=2,
        says=(
            "`prices` is a list of goods with their prices, and `basket` a list of goods. `$f prices basket` is the total; "
            "of several prices of the same thing the first one counts, and what has no price costs $none.",
            "Add up the prices of all goods in `basket`. The list `prices` has pairs of a name and a price; the first pair "
            "counts, and goods without a pair cost $none. Write `$f prices basket`.",
        ),
        names=("basket_total", "checkout", "add_up"),
        signature="(string * int) list -> string list -> int",
        code="let $f prices basket =\n  let price name = Option.value (List.assoc_opt name prices) ~default:$none in\n"
        "  List.fold_left (fun total name -> total + price name) 0 basket",
        gaps={"none": (("nothing", "0"), ("$k cents", "$k"), ("1 cent", "1")), "k": number(2, 99)},
        inputs=(_PRICED, lists(_GOODS, 0, 6, far=12)),
    ),
    Task(
        level=2,
        says=(
            '`$f l` is the name of the $which thing in a list of names with prices, or `"$none"` if the list is empty. Of '
            "equal prices the $end counts.",
            "The pairs of the list `l` are names with prices. Which thing is the $which? Write `$f l`, its name; of equal "
            'prices take the $end, and give `"$none"` for the empty list.',
        ),
        names=("best_offer", "extreme_price", "choose"),
        signature="(string * int) list -> string",
        code='let $f l =\n  match l with\n  | [] -> "$none"\n  | first :: rest ->\n'
        "    fst (List.fold_left (fun (a, p) (b, q) -> if q $which p then (b, q) else (a, p)) first rest)",
        gaps={
            "which": (("cheapest", "<"), ("dearest", ">")),
            "end": (("first",),),
            "none": (("nothing",), ("none",), ("-",), ("?",)),
        },
        inputs=(lists(tuples(_GOODS, integers(0, 12, far=5_000)), 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`$f c coins` is the list of how many coins of each kind are taken to pay `c` cents: as many as fit of the first "
            "kind in `coins`, then of the next for the rest, and so on. `c` is not negative.",
            "Pay `c` cents (not negative) with coins of the values in the list `coins`, taking of each in turn as many as "
            "fit into what is left. Write `$f c coins`, the list of these numbers of coins.",
        ),
        names=("change", "coins_needed", "pay"),
        signature="int -> int list -> int list",
        code="let rec $f c coins =\n  match coins with\n  | [] -> []\n  | v :: rest -> (c / v) :: $f (c mod v) rest",
        inputs=(integers(0, 300, far=9_000), lists(integers(1, 50), 0, 5, far=9)),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the list of prices `l` after a sale: $what. `l` is not empty.",
            "In a sale $what. Write `$f l`, the new list of prices for the list `l`, which is not empty.",
        ),
        names=("sale", "reduced", "after_sale"),
        signature="int list -> int list",
        code="let $f l =\n  $what",
        gaps={
            "what": (
                (
                    "the lowest price becomes 0, wherever it occurs",
                    "let low = List.fold_left min (List.hd l) l in\n  List.map (fun p -> if p = low then 0 else p) l",
                ),
                (
                    "the highest price, wherever it occurs, is lowered by $k",
                    "let high = List.fold_left max (List.hd l) l in\n"
                    "  List.map (fun p -> if p = high then p - $k else p) l",
                ),
                (
                    "every price above twice the first one becomes that",
                    "let most = 2 * List.hd l in\n  List.map (fun p -> min most p) l",
                ),
                (
                    "all prices above the last one are removed",
                    "let last = List.hd (List.rev l) in\n  List.filter (fun p -> p <= last) l",
                ),
                (
                    "all prices above the average (rounded down) are removed",
                    "let average = List.fold_left ( + ) 0 l / List.length l in\n"
                    "  List.filter (fun p -> p <= average) l",
                ),
            ),
            "k": number(5, 50),
        },
        inputs=(Input(_some_prices, ("[5]", "[7; 7]", "[3; 8; 3]", "[8; 3; 8]")),),
    ),
)
