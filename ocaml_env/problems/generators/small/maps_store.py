"""Small tasks on stores with a value for each key: association lists, and ``Map.Make`` at level 2."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, tuples
from ocaml_env.problems.generators.task import Task, number

__all__ = ["TASKS"]

_THINGS = ("bread", "cheese", "fig", "milk", "rice", "tea")
_OTHERS = ("apple", "jam", "leek", "oil", "salt", "yeast")


def _store(chance: Chance) -> str:
    """Different articles with numbers."""
    things = chance.sample(_THINGS, chance.pick((1, 2, 3, 4, 5, 6)))
    things += chance.sample(_OTHERS, chance.pick((0, 0, 0, 0, 0, 0, 0, 1, 2, 6)))
    high = chance.pick((20, 20, 20, 5, 900))
    return "[" + "; ".join(f'("{thing}", {chance.number(0, high)})' for thing in things) + "]"


_STORE = Input(_store, ("[]", '[("fig", 0)]', '[("tea", 3); ("bread", 3)]'))
_THING = Input(lambda chance: f'"{chance.pick(_THINGS)}"', ('"fig"', '"tea"'))
_ENTRIES = lists(tuples(one_of('"tea"', '"fig"', '"rice"'), integers(-4, 9)), 0, 6, far=12)
_SOME_THINGS = lists(_THING, 0, 5, far=10)
_PAIRS = "(string * int) list"
_TESTS = (
    ("more than $k", "n > $k", "many"),
    ("fewer than $k", "n < $k", "few"),
    ("at least $k", "n >= $k", "enough"),
    ("exactly $k", "n = $k", "exact"),
)
_WORDS = "module Words = Map.Make (String)\n\n"

TASKS = (
    Task(
        level=1,
        says=(
            "`prices` has pairs of an article and its price. `$f prices article` is $what, and 0 for an unknown article.",
            "Look up an article in `prices`, a list of articles with prices. `$f prices article` is $what, or 0 if it is "
            "not there.",
        ),
        names=("look_up", "price_of", "cost"),
        signature=f"{_PAIRS} -> string -> int",
        code="let $f prices article = $what",
        gaps={
            "what": (
                ("its price", "$price"),
                ("the price of $k pieces of it", "$k * $price"),
                ("its price, but at most $k", "min $k ($price)"),
                ("half its price, rounded down", "$price / 2"),
            ),
            "price": (("", "Option.value (List.assoc_opt article prices) ~default:0"),),
            "k": number(2, 12),
        },
        inputs=(_STORE, _THING),
    ),
    Task(
        level=1,
        says=(
            "`$f stock article` is $what, where `stock` has pairs of an article and a number of pieces.",
            "In `stock` each article has a number of pieces. Return $what: `$f stock article`.",
        ),
        names=("find_article", "in_stock", "search"),
        signature=f"{_PAIRS} -> string -> int option",
        code="let $f stock article = $what",
        gaps={
            "what": (
                ("the number for `article` as an option, `None` if it is not there", "List.assoc_opt article stock"),
                (
                    "the number for `article` increased by $k, as an option (`None` if it is not there)",
                    "Option.map (fun n -> n + $k) (List.assoc_opt article stock)",
                ),
                (
                    "$k times the number for `article`, as an option (`None` if it is not there)",
                    "Option.map (fun n -> $k * n) (List.assoc_opt article stock)",
                ),
                (
                    "the number of different articles if `article` is one of them, and otherwise `None`",
                    "if List.mem_assoc article stock then Some (List.length stock) else None",
                ),
            ),
            "k": number(2, 9),
        },
        inputs=(_STORE, _THING),
    ),
    Task(
        level=1,
        says=(
            "`$f stock article n` is the list `stock`, pairs of different articles and numbers, $change.",
            "Each article in the list `stock` stands once, with a number. Return it $change: `$f stock article n`.",
        ),
        names=("update", "change_stock", "restock"),
        signature=f"{_PAIRS} -> string -> int -> {_PAIRS}",
        code="let $f stock article n = $change",
        gaps={
            "change": (
                (
                    "without any pair of `article`, and with the pair of `article` and `n` in front",
                    "(article, n) :: List.remove_assoc article stock",
                ),
                (
                    "without any pair of `article`, and with the pair of `article` and `n` at the end",
                    "List.remove_assoc article stock @ [ (article, n) ]",
                ),
                (
                    "with the pair of `article` and `n` in front, unless `article` is in it",
                    "if List.mem_assoc article stock then stock else (article, n) :: stock",
                ),
                (
                    "with `n` added to the number of `article`, or as it is without this article",
                    "List.map (fun (a, m) -> if a = article then (a, m + n) else (a, m)) stock",
                ),
                (
                    "with `n` as the number of `article`, or as it is without this article",
                    "List.map (fun (a, m) -> if a = article then (a, n) else (a, m)) stock",
                ),
            ),
        },
        inputs=(_STORE, _THING, integers(0, 30, far=900)),
    ),
    Task(
        level=1,
        says=(
            "`$f stock` is $what. A stock is a list of pairs, an article and the number of its pieces.",
            "The list `stock` has a pair of each article and the number of its pieces. What is $what? `$f stock` tells.",
        ),
        names=("$what",),
        signature=f"{_PAIRS} -> int",
        code="let $f stock = $what",
        gaps={
            "what": (
                ("the number of articles in `stock`", "List.length stock", "size"),
                (
                    "the number of all pieces in `stock`",
                    "List.fold_left (fun sum (_, n) -> sum + n) 0 stock",
                    "all_pieces",
                ),
                (
                    "the greatest number of pieces in `stock`, or 0 for no articles",
                    "List.fold_left (fun m (_, n) -> max m n) 0 stock",
                    "most",
                ),
                (
                    "the number of articles with $test pieces in `stock`",
                    "List.length (List.filter (fun (_, n) -> $test) stock)",
                    "count_$test",
                ),
                (
                    "the number of pieces in `stock` of all articles but tea",
                    'List.fold_left (fun sum (a, n) -> if a = "tea" then sum else sum + n) 0 stock',
                    "without_tea",
                ),
            ),
            "test": _TESTS,
            "k": number(2, 12),
        },
        inputs=(_STORE,),
    ),
    Task(
        level=1,
        says=(
            "`stock` has pairs of an article and a number of pieces. `$f stock` is the list of the articles with $test pieces.",
            "Which articles in `stock`, pairs of an article and a number of pieces, have $test pieces? `$f stock` lists "
            "them in their order.",
        ),
        names=("articles_$test", "list_$test"),
        signature=f"{_PAIRS} -> string list",
        code="let $f stock = List.map fst (List.filter (fun (_, n) -> $test) stock)",
        gaps={"test": _TESTS, "k": number(3, 15)},
        inputs=(_STORE,),
    ),
    Task(
        level=1,
        says=(
            "`$f prices` is the list `prices`, pairs of an article and a price, with every price $done.",
            "`prices` has pairs of an article and a price. Return the list with every price $done: `$f prices`.",
        ),
        names=("new_prices", "reprice", "price_list"),
        signature=f"{_PAIRS} -> {_PAIRS}",
        code="let $f prices = List.map (fun (article, p) -> (article, $done)) prices",
        gaps={
            "done": (
                ("increased by $k", "p + $k"),
                ("doubled", "2 * p"),
                ("lowered to $k if it is higher", "min p $k"),
                ("raised to $k if it is lower", "max p $k"),
                ("reduced by $k, but to no less than 0", "max 0 (p - $k)"),
                ("reduced to its half, rounded down", "p / 2"),
            ),
            "k": number(2, 15),
        },
        inputs=(_STORE,),
    ),
    Task(
        level=1,
        says=(
            "`wanted` is a list of articles, and `prices` has pairs of an article and a price. `$f wanted prices` is "
            "$what.",
            "Compare a shopping list with a price list of pairs, an article and a price. Write `$f wanted prices`, which "
            "is $what.",
        ),
        names=("shopping", "to_buy", "compare_lists"),
        signature=f"string list -> {_PAIRS} -> string list",
        code="let $f wanted prices = $what",
        gaps={
            "what": (
                (
                    "the list of the wanted articles that have a price",
                    "List.filter (fun a -> List.mem_assoc a prices) wanted",
                ),
                (
                    "the list of the wanted articles without a price",
                    "List.filter (fun a -> not (List.mem_assoc a prices)) wanted",
                ),
                (
                    "the list of the articles with a price that are not wanted",
                    "List.filter (fun a -> not (List.mem a wanted)) (List.map fst prices)",
                ),
                (
                    "the list of the wanted articles whose price is known and at most $k",
                    "List.filter (fun a -> List.mem_assoc a prices && List.assoc a prices <= $k) wanted",
                ),
            ),
            "k": number(5, 15),
        },
        inputs=(_SOME_THINGS, _STORE),
    ),
    Task(
        level=1,
        says=(
            "`stock` has pairs of an article and a number of pieces. `$f stock` tells whether $claim.",
            "Is it true of a stock, a list of pairs of an article and a number of pieces, that $claim? Write `$f stock`.",
        ),
        names=("check_stock", "stock_is_fine", "inspect"),
        signature=f"{_PAIRS} -> bool",
        code="let $f stock = $claim",
        gaps={
            "claim": (
                ("there are $test pieces of some article", "List.exists (fun (_, n) -> $test) stock"),
                ("there are $test pieces of every article", "List.for_all (fun (_, n) -> $test) stock"),
                ('the article `"tea"` is in it', 'List.mem_assoc "tea" stock'),
                (
                    'the article `"milk"` is in it with $test pieces',
                    'List.exists (fun (a, n) -> a = "milk" && $test) stock',
                ),
            ),
            "test": _TESTS[:3],
            "k": number(4, 12),
        },
        inputs=(
            Input(
                lambda chance: lists(tuples(_THING, integers(0, 20)), 0, 3, far=7).draw(chance),
                ("[]", '[("tea", 2)]', '[("milk", 9)]'),
            ),
        ),
    ),
    Task(
        level=2,
        says=(
            "`stock` has pairs of an article and a number, each article once. `$f stock article n` is this list with "
            "$new as the number of `article`. If it is not there, $absent.",
            "Write a recursive function on a list of pairs of different articles and numbers. In `$f stock article n` the "
            "number of `article` has become $new. If the article is not in `stock`, $absent.",
        ),
        names=("change", "put", "book"),
        signature=f"{_PAIRS} -> string -> int -> {_PAIRS}",
        code="let rec $f stock article n =\n  match stock with\n  | [] -> $absent\n"
        "  | (a, m) :: rest -> if a = article then (a, $new) :: rest else (a, m) :: $f rest article n",
        gaps={
            "new": (
                ("the sum of the old number and `n`", "m + n"),
                ("`n`", "n"),
                ("the larger of the old number and `n`", "max m n"),
                ("the old number minus `n` (but at least 0)", "max 0 (m - n)"),
            ),
            "absent": (
                ("the pair of `article` and `n` comes at the end", "[ (article, n) ]"),
                ("the list stays the same", "[]"),
            ),
        },
        inputs=(_STORE, _THING, integers(0, 35, far=900)),
    ),
    Task(
        level=2,
        says=(
            "`$f prices n` is `Some` of the first article in `prices` that costs $test, or `None` if there is none. "
            "`prices` has pairs of an article and a price. Use recursion.",
            "Search the list `prices`, pairs of an article and a price, from its beginning for an article that costs "
            "$test. `$f prices n` gives it as an option, `None` if nothing is found.",
        ),
        names=("find_article", "first_article", "affordable"),
        signature=f"{_PAIRS} -> int -> string option",
        code="let rec $f prices n =\n  match prices with\n  | [] -> None\n"
        "  | (article, p) :: rest -> if $test then Some article else $f rest n",
        gaps={
            "test": (
                ("exactly `n`", "p = n"),
                ("at most `n`", "p <= n"),
                ("more than `n`", "p > n"),
                ("something other than `n`", "p <> n"),
                ("at most half of `n`", "2 * p <= n"),
            ),
        },
        inputs=(_STORE, integers(0, 25, far=2_000)),
    ),
    Task(
        level=2,
        says=(
            "`$f prices wanted` is the sum of $price of the articles in `wanted`, where an article that is not in "
            "`prices` costs $default. `prices` has pairs of an article and a price.",
            "What does a shopping list cost? Sum up $price of the articles in `wanted`, which are looked up in the pairs of "
            "`prices`; an unknown article costs $default: `$f prices wanted`.",
        ),
        names=("total", "bill", "checkout"),
        signature=f"{_PAIRS} -> string list -> int",
        code="let $f prices wanted =\n  let price article =\n    match List.assoc_opt article prices with\n"
        "    | Some p -> $price\n    | None -> $default\n  in\n"
        "  List.fold_left (fun sum article -> sum + price article) 0 wanted",
        gaps={
            "default": (("nothing", "0"), ("$k", "$k"), ("1", "1")),
            "price": (
                ("the prices", "p"),
                ("the halved prices (each rounded down)", "p / 2"),
                ("the prices, none of which counts for more than $m,", "min p $m"),
            ),
            "m": number(5, 15),
            "k": number(2, 15),
        },
        inputs=(_STORE, _SOME_THINGS),
    ),
    Task(
        level=2,
        says=(
            "The list `entries` has pairs of a key and a number; keys may occur several times. `$f entries` has each key "
            "once, in alphabetical order, with $which of its numbers. Use a map.",
            "Turn the pairs of `entries` into a map from strings to numbers. If a key occurs several times, it gets $which "
            "of its numbers. `$f entries` is the list of the bindings, sorted by keys.",
        ),
        names=("bindings", "settle", "merge_entries"),
        signature=f"{_PAIRS} -> {_PAIRS}",
        code=f"{_WORDS}let $f entries =\n  let add map (key, n) =\n"
        "    Words.update key (function None -> Some n | Some m -> Some ($which)) map\n  in\n"
        "  Words.bindings (List.fold_left add Words.empty entries)",
        gaps={
            "which": (
                ("the last", "n"),
                ("the first", "m"),
                ("the sum", "m + n"),
                ("the greatest", "max m n"),
                ("the smallest", "min m n"),
                ("the product", "m * n"),
            ),
        },
        inputs=(_ENTRIES,),
    ),
    Task(
        level=2,
        says=(
            "`entries` has pairs of a key and a number, where a later pair replaces earlier ones with the same key. "
            "`$f entries` has the pairs that remain, in alphabetical order of the keys, $after. Use a map.",
            "Make a map of the pairs in `entries`, in which the last number given for a key counts. Return its bindings, "
            "$after, as a list in the order of the keys: `$f entries`.",
        ),
        names=("clean_up", "last_words", "from_map"),
        signature=f"{_PAIRS} -> {_PAIRS}",
        code=f"{_WORDS}let $f entries =\n  let map = Words.of_seq (List.to_seq entries) in\n"
        "  Words.bindings ($after map)",
        gaps={
            "after": (
                ("without those whose number is less than $k", "Words.filter (fun _ n -> n >= $k)"),
                ("without those whose number is $k or more", "Words.filter (fun _ n -> n < $k)"),
                ("with all numbers doubled", "Words.map (fun n -> 2 * n)"),
                ("with all numbers increased by $k", "Words.map (fun n -> n + $k)"),
                ('without the key `"tea"`', 'Words.remove "tea"'),
                ('with the number $k for `"tea"` in any case', 'Words.add "tea" $k'),
            ),
            "k": number(3, 7),
        },
        inputs=(_ENTRIES,),
    ),
    Task(
        level=2,
        says=(
            "A counter begins at $start and obeys a list of commands: `Add n` adds `n`, `Take n` takes `n` away$but, and "
            "`Reset` sets it to $start again. `$f commands` is where it ends.",
            "Carry out commands on a number that is $start at first. `Add n` increases it by `n`, `Take n` decreases it by "
            "`n`$but, and `Reset` makes it $start. `$f commands` is the last number.",
        ),
        names=("run", "final_count", "obey"),
        signature="type command = Add of int | Take of int | Reset\n\nval $f : command list -> int",
        code="type command = Add of int | Take of int | Reset\n\nlet $f commands =\n  let step count = function\n"
        "    | Add n -> count + n\n    | Take n -> $but\n    | Reset -> $start\n  in\n"
        "  List.fold_left step $start commands",
        gaps={
            "start": number(0, 20),
            "but": (("", "count - n"), (" (but never to less than 0)", "max 0 (count - n)")),
        },
        inputs=(
            lists(
                Input(
                    lambda chance: chance.pick(
                        (f"Add {chance.between(1, 20)}", f"Take {chance.between(1, 20)}", "Reset")
                    ),
                    ("Reset", "Add 5", "Take 30"),
                ),
                0,
                5,
                far=11,
            ),
        ),
    ),
    Task(
        level=2,
        says=(
            "An item has a `name`, a `price` and a number of `pieces`. `$f items` is $what.",
            "Items are records of a name, a price and a number of pieces. Compute $what: `$f items`.",
        ),
        names=("value", "audit", "stocktaking"),
        signature="type item = { name : string; price : int; pieces : int }\n\nval $f : item list -> int",
        code="type item = { name : string; price : int; pieces : int }\n\nlet $f items =\n"
        "  List.fold_left (fun sum item -> $what) 0 items",
        gaps={
            "what": (
                ("the value of all pieces of all items, by their prices", "sum + (item.price * item.pieces)"),
                (
                    "the number of all pieces of the items with a price above $k",
                    "if item.price > $k then sum + item.pieces else sum",
                ),
                ("the number of items of which there are no pieces", "if item.pieces = 0 then sum + 1 else sum"),
                (
                    "the highest price of an item of which there are pieces, or 0",
                    "if item.pieces > 0 then max sum item.price else sum",
                ),
                (
                    "the sum of the prices of the items with fewer than $k pieces",
                    "if item.pieces < $k then sum + item.price else sum",
                ),
            ),
            "k": number(3, 8),
        },
        inputs=(
            lists(
                Input(
                    lambda chance: (
                        f"{{ name = {_THING.draw(chance)}; price = {chance.number(1, chance.pick((12, 12, 700)))}; "
                        f"pieces = {chance.pick((0, 1, chance.number(0, 12)))} }}"
                    ),
                    ('{ name = "tea"; price = 5; pieces = 0 }', '{ name = "fig"; price = 2; pieces = 3 }'),
                ),
                0,
                4,
                far=9,
            ),
        ),
    ),
)
