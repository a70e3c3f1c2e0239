"""Small tasks on tables given as association lists: look up, default, two lookups, chains, changes."""

from __future__ import annotations

from collections.abc import Callable

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import text

__all__ = ["FAMILY", "TASKS"]

_GOODS = ("tea", "milk", "rice", "salt", "plum")
_MORE = ("Jo", "fig", "Kim", "egg", "Lou", "jam")  # keys that nobody asks for
_PEOPLE = ("Ann", "Ben", "Cem", "Dora", "Eva")


def _table(keys: tuple[str, ...], value: Callable[[Chance], str]) -> Input:
    """A few of the keys, or all of them, each with a value."""

    def draw(chance: Chance) -> str:
        chosen = chance.sample(keys, chance.pick((1, 2, 3, 3, 4, 5)))
        if chance.happens(0.1):
            chosen = chance.shuffled([*chosen, *_MORE])
        return "[" + "; ".join(f"({text(key)}, {value(chance)})" for key in chosen) + "]"

    return Input(draw, ("[]",))


_TABLE = _table(_GOODS, lambda chance: str(chance.number(0, chance.pick((40, 40, 40, 40, 2, 3_000)))))
_LOW = _table(_GOODS, lambda chance: str(chance.number(0, 8)))
_STOCK = _table(_GOODS, lambda chance: str(chance.between(0, 9)))
_CHIEFS = _table(_PEOPLE, lambda chance: text(chance.pick(_PEOPLE)))
_ROOMS = _table(_PEOPLE, lambda chance: str(chance.between(100, 140)))
_GOOD, _PERSON = one_of(*map(text, _GOODS)), one_of(*map(text, _PEOPLE))
_MEANT: Gap = (
    ("prices in cents", "", "price"),
    ("weights in grams", "", "weight"),
    ("numbers in stock", "", "stock"),
    ("days until delivery", "", "delivery"),
    ("calories", "", "calories"),
)
_PAIRED: Gap = (
    ("the sum of both", "x + y"),
    ("the first minus the second", "x - y"),
    ("how far both are apart", "abs (x - y)"),
    ("the first times $k plus the second", "($k * x) + y"),
    ("the mean of both, rounded down", "(x + y) / 2"),
)

TASKS = (
    Task(
        level=1,
        says=(
            "`table` has goods with their $meant. `$f table name` is `Some` of $what, or `None` if `name` is not in the table.",
            "Look up `name` in `table`, a list of goods with their $meant: `$f table name` is `Some` of $what, `None` without an entry.",
        ),
        names=("find_$meant", "${meant}_of", "look_up"),
        signature="(string * int) list -> string -> int option",
        code="let $f table name = $what",
        gaps={
            "meant": _MEANT,
            "k": number(2, 9),
            "found": (("", "(List.assoc_opt name table)"),),
            "what": (
                ("its number", "List.assoc_opt name table"),
                ("$k times its number", "Option.map (fun x -> $k * x) $found"),
                ("its number plus $k", "Option.map (fun x -> x + $k) $found"),
                ("its number, but at most 2$k", "Option.map (fun x -> min 2$k x) $found"),
                ("half of its number, rounded down", "Option.map (fun x -> x / 2) $found"),
                ("its number less $k, but at least 0", "Option.map (fun x -> max 0 (x - $k)) $found"),
            ),
        },
        inputs=(_TABLE, _GOOD),
    ),
    Task(
        level=1,
        says=(
            "`table` has goods with their $meant. `$f table name` is $what, or $other if `name` is not in the table.",
            "`$f table name` looks up `name` in a list of goods with their $meant: it is $what, and $other without an entry.",
        ),
        names=("${meant}_or_default", "find_or", "look_up"),
        signature="(string * int) list -> string -> int",
        code="let $f table name = $what",
        gaps={
            "meant": _MEANT,
            "k": number(2, 9),
            "m": number(10, 60),
            "other": (("0", "0"), ("$m", "$m"), ("-1", "(-1)")),
            "what": (
                ("its number", "Option.value (List.assoc_opt name table) ~default:$other"),
                ("$k times its number", "Option.fold ~none:$other ~some:(fun x -> $k * x) (List.assoc_opt name table)"),
                ("its number plus $k", "match List.assoc_opt name table with Some x -> x + $k | None -> $other"),
            ),
        },
        inputs=(_TABLE, _GOOD),
    ),
    Task(
        level=1,
        says=(
            "`table` has goods with their $meant. `$f table a b` tells if $what.",
            "For a list `table` of goods with their $meant and two names `a` and `b`, `$f table a b` tells if $what.",
        ),
        names=("known", "check_both", "in_table"),
        signature="(string * int) list -> string -> string -> bool",
        code="let $f table a b = $what",
        gaps={
            "meant": _MEANT,
            "k": number(15, 25),
            "has": (("", "List.mem_assoc"),),
            "what": (
                ("both are in the table", "$has a table && $has b table"),
                ("at least one of them is in the table", "$has a table || $has b table"),
                ("exactly one of them is in the table", "$has a table <> $has b table"),
                ("none of them is in the table", "not ($has a table || $has b table)"),
                ("the first is in the table and the second is not", "$has a table && not ($has b table)"),
                ("both have the same entry, or are both missing", "List.assoc_opt a table = List.assoc_opt b table"),
            ),
        },
        inputs=(_TABLE, _GOOD, _GOOD),
    ),
    Task(
        level=1,
        says=(
            "`chiefs` has people with the names of their chiefs. `$f chiefs name` is $what.",
            "Each pair of `chiefs` is a person and that person's chief. `$f chiefs name` is $what.",
        ),
        names=("chief_of", "who_is_above"),
        signature="(string * string) list -> string -> string",
        code="let $f chiefs name = $what",
        gaps={
            "none": (("nobody",), ("none",), ("-",), ("?",)),
            "chief": (("", "Option.value (List.assoc_opt name chiefs)"),),
            "what": (
                ("the chief of `name`, or `$none` if there is no entry", '$chief ~default:"$none"'),
                (
                    "the chief of `name`, or, without an entry, `name` and ` (chief)`",
                    '$chief ~default:(name ^ " (chief)")',
                ),
                (
                    "the chief of `name` in capitals, or `$none` if there is no entry",
                    'String.uppercase_ascii ($chief ~default:"$none")',
                ),
                ("`name`, a `<`, and the chief (`$none` if there is no entry)", 'name ^ "<" ^ $chief ~default:"$none"'),
                (
                    "the first letter of the chief of `name`, or that of `name` if there is no entry",
                    "String.sub ($chief ~default:name) 0 1",
                ),
            ),
        },
        inputs=(_CHIEFS, _PERSON),
    ),
    Task(
        level=1,
        says=(
            "`table` has goods with their $meant. `$f table name n` is $what.",
            "From a list `table` of goods with their $meant, `$f table name n` makes $what.",
        ),
        names=("update", "change_$meant", "new_table"),
        signature="(string * int) list -> string -> int -> (string * int) list",
        code="let $f table name n = $what",
        gaps={
            "meant": _MEANT,
            "what": (
                (
                    "the table with the entry of `name` and `n` in front, in place of an older one",
                    "(name, n) :: List.remove_assoc name table",
                ),
                (
                    "the table with `name` and `n` at the end, in place of an older entry",
                    "List.remove_assoc name table @ [ (name, n) ]",
                ),
                (
                    "the same table, but with `n` for `name` if there is such an entry",
                    "List.map (fun (x, m) -> if x = name then (x, n) else (x, m)) table",
                ),
                (
                    "the same table, but with `n` added to the number of `name` if there is such an entry",
                    "List.map (fun (x, m) -> if x = name then (x, m + n) else (x, m)) table",
                ),
                (
                    "the table without `name` and without all entries below `n`",
                    "List.filter (fun (x, m) -> x <> name && m >= n) table",
                ),
                (
                    "the table with `n` added to all entries but that of `name`",
                    "List.map (fun (x, m) -> if x = name then (x, m) else (x, m + n)) table",
                ),
            ),
        },
        inputs=(_TABLE, _GOOD, integers(-5, 30, far=900)),
    ),
    Task(
        level=1,
        says=(
            "`table` has goods with their $meant. `$f table` is the list of $what, in the order of the table.",
            "List $what, in their order, where `table` has goods with their $meant: `$f table`.",
        ),
        names=("names_in_table", "select_names", "goods_with"),
        signature="(string * int) list -> string list",
        code="let $f table = $what",
        gaps={
            "meant": _MEANT,
            "k": number(10, 25),
            "what": (
                ("the names whose entry is above $k", "List.map fst (List.filter (fun (_, x) -> x > $k) table)"),
                ("the names whose entry is $k or less", "List.map fst (List.filter (fun (_, x) -> x <= $k) table)"),
                ("the names that are not `tea`", 'List.filter (fun name -> name <> "tea") (List.map fst table)'),
                (
                    "texts such as `tea: 5` for its entries",
                    'List.map (fun (name, x) -> name ^ ": " ^ string_of_int x) table',
                ),
                (
                    "the names, each followed by `*` if its entry is above $k",
                    'List.map (fun (name, x) -> if x > $k then name ^ "*" else name) table',
                ),
                (
                    "the names whose entry is the same as that of `rice`, none if `rice` is missing",
                    'List.map fst (List.filter (fun (_, x) -> List.assoc_opt "rice" table = Some x) table)',
                ),
            ),
        },
        inputs=(_TABLE,),
    ),
    Task(
        level=1,
        says=(
            "`chiefs` has the chiefs of people, `rooms` the numbers of their rooms. `$f chiefs rooms name` is $what.",
            "With `chiefs` for each person's chief and `rooms` for each person's room, `$f chiefs rooms name` is $what.",
        ),
        names=("room_of_chief", "find_room"),
        signature="(string * string) list -> (string * int) list -> string -> int option",
        code="let $f chiefs rooms name = $what",
        gaps={
            "what": (
                (
                    "`Some` of the room of the chief of `name`, `None` if one of the two is missing",
                    "Option.bind (List.assoc_opt name chiefs) (fun chief -> List.assoc_opt chief rooms)",
                ),
                (
                    "`Some` of the room of the chief of `name` (of `name` without a chief), `None` if it is missing",
                    "List.assoc_opt (Option.value (List.assoc_opt name chiefs) ~default:name) rooms",
                ),
                (
                    "`Some` of the room of `name`, but `None` without a room or without a chief",
                    "if List.mem_assoc name chiefs then List.assoc_opt name rooms else None",
                ),
            )
        },
        inputs=(_CHIEFS, _ROOMS, _PERSON),
    ),
    Task(
        level=2,
        says=(
            "`table` has goods with their $meant. `$f table a b` looks up both names: it is `Some` of $paired, or `None` if one of them is missing.",
            "Find the $meant of `a` and `b` in `table`. `$f table a b` is `Some` of $paired; if a name is not in the table, it is `None`.",
        ),
        names=("look_up_both", "both_of", "combine"),
        signature="(string * int) list -> string -> string -> int option",
        code="let $f table a b =\n  match (List.assoc_opt a table, List.assoc_opt b table) with\n  | Some x, Some y -> Some ($paired)\n  | _ -> None",
        gaps={"meant": _MEANT, "paired": _PAIRED, "k": number(2, 9)},
        inputs=(_TABLE, _GOOD, _GOOD),
    ),
    Task(
        level=2,
        says=(
            "`chiefs` has people with their chiefs. `$f chiefs name` is $what.",
            "In `chiefs`, each person has at most one chief. Write `$f chiefs name`, which is $what.",
        ),
        names=("higher_up", "second_chief"),
        signature="(string * string) list -> string -> string",
        code="let $f chiefs name =\n  match List.assoc_opt name chiefs with\n$what",
        gaps={
            "none": (("nobody",), ("none",), ("-",)),
            "what": (
                (
                    "the chief of the chief of `name`; without one, it is `$none`",
                    '  | None -> "$none"\n  | Some chief -> Option.value (List.assoc_opt chief chiefs) ~default:"$none"',
                ),
                (
                    "the chief of the chief of `name`; if that one has none, the chief, and `$none` without a chief",
                    '  | None -> "$none"\n  | Some chief -> Option.value (List.assoc_opt chief chiefs) ~default:chief',
                ),
                (
                    "`own chief` if `name` has that very name as chief, `$none` without a chief, and else the chief",
                    '  | None -> "$none"\n  | Some chief when chief = name -> "own chief"\n  | Some chief -> chief',
                ),
                (
                    "`name`, ` under ` and the chief, as in `Ann under Ben`, or `name` and ` is free` without a chief",
                    '  | None -> name ^ " is free"\n  | Some chief -> name ^ " under " ^ chief',
                ),
            ),
        },
        inputs=(_CHIEFS, _PERSON),
    ),
    Task(
        level=2,
        says=(
            "`prices` has goods with their prices, and `l` is a shopping list of names. `$f prices l` is $what.",
            "A customer wants the goods in `l`, whose prices are in `prices`. `$f prices l` is $what.",
        ),
        names=("shopping", "basket", "bill"),
        signature="(string * int) list -> string list -> int",
        code="let rec $f prices l =\n  match l with\n  | [] -> 0\n  | name :: rest -> $what",
        gaps={
            "m": number(10, 60),
            "value": (("", "Option.value (List.assoc_opt name prices)"),),
            "what": (
                (
                    "the sum of the prices, where goods without a price cost nothing",
                    "$value ~default:0 + $f prices rest",
                ),
                (
                    "the sum of the prices, where each one without a price costs $m",
                    "$value ~default:$m + $f prices rest",
                ),
                (
                    "the number of goods in the list that have no price",
                    "(if List.mem_assoc name prices then 0 else 1) + $f prices rest",
                ),
                (
                    "the greatest of the prices, where goods without a price do not count (0 without any)",
                    "max ($value ~default:0) ($f prices rest)",
                ),
                (
                    "the number of goods in the list that have a price of at most $m",
                    "(if $value ~default:100 <= $m then 1 else 0) + $f prices rest",
                ),
            ),
        },
        inputs=(_TABLE, lists(_GOOD, 0, 4, far=9)),
    ),
    Task(
        level=2,
        says=(
            "`own` and `other` are tables of goods with their numbers in two shops. `$f own other name` is $what.",
            "Two shops have the goods in `own` and in `other`, each with a number. `$f own other name` is $what.",
        ),
        names=("in_two_shops", "either_shop"),
        signature="(string * int) list -> (string * int) list -> string -> int option",
        code="let $f own other name =\n  match (List.assoc_opt name own, List.assoc_opt name other) with\n$what",
        gaps={
            "what": (
                (
                    "`Some` of the number of `name` in both together, `None` if both have no entry",
                    "  | Some x, Some y -> Some (x + y)\n  | found, None | None, found -> found",
                ),
                (
                    "`Some` of the greater number of `name`, the only one if one shop has no entry, and `None` if both have none",
                    "  | Some x, Some y -> Some (max x y)\n  | found, None | None, found -> found",
                ),
                (
                    "`Some` of the number of `name` in the first shop, or, without an entry there, of that in the second plus $k; `None` without any",
                    "  | Some x, _ -> Some x\n  | None, Some y -> Some (y + $k)\n  | None, None -> None",
                ),
                (
                    "`Some` of how many more of `name` the first one has, if both have an entry, and else `None`",
                    "  | Some x, Some y -> Some (x - y)\n  | _ -> None",
                ),
                (
                    "`Some` of the number of `name` if exactly one of them has an entry, and else `None`",
                    "  | Some x, None | None, Some x -> Some x\n  | _ -> None",
                ),
            ),
            "k": number(2, 9),
        },
        inputs=(_STOCK, _STOCK, _GOOD),
    ),
    Task(
        level=2,
        says=(
            "`stock` has goods with their numbers. `$f stock name n` is `Some` of the table after $what",
            "A shop keeps goods with their numbers in `stock`. `$f stock name n` is `Some` of the table after $what",
        ),
        names=("sell", "change_stock", "take"),
        signature="(string * int) list -> string -> int -> (string * int) list option",
        code="let $f stock name n =\n  match List.assoc_opt name stock with\n$what\n  | _ -> None",
        gaps={
            "what": (
                (
                    "`n` of `name` are sold, where its entry comes to the front, or `None` if there are not so many.",
                    "  | Some x when x >= n -> Some ((name, x - n) :: List.remove_assoc name stock)",
                ),
                (
                    "`n` more of `name` have come, where its entry goes to the front, or `None` if there is no such entry.",
                    "  | Some x -> Some ((name, x + n) :: List.remove_assoc name stock)",
                ),
                (
                    "`name` is removed, or `None` if it has more than `n` or no entry.",
                    "  | Some x when x <= n -> Some (List.remove_assoc name stock)",
                ),
                (
                    "all entries but that of `name` got `n` more, or `None` if it has no entry.",
                    "  | Some _ -> Some (List.map (fun (x, m) -> if x = name then (x, m) else (x, m + n)) stock)",
                ),
            )
        },
        inputs=(_STOCK, _GOOD, integers(0, 9, far=100)),
    ),
    Task(
        level=2,
        says=(
            "`table` has goods with their $meant, and `names` some names. `$f table names` is $what.",
            "Take each name in `names`, in order, and look it up in `table`, goods with their $meant. `$f table names` is $what.",
        ),
        names=("look_up_all", "entries"),
        signature="(string * int) list -> string list -> string list",
        code="let $f table names =\n  let show name =\n    match List.assoc_opt name table with\n$what",
        gaps={
            "meant": _MEANT,
            "no": (("?",), ("-",), ("none",)),
            "what": (
                (
                    "the list of texts such as `tea 5` for each one, or `tea $no` if it is missing",
                    '    | Some x -> name ^ " " ^ string_of_int x\n    | None -> name ^ " $no"\n  in\n  List.map show names',
                ),
                (
                    "the list of texts such as `5 tea` for each one, where the missing ones are left out",
                    '    | Some x -> Some (string_of_int x ^ " " ^ name)\n    | None -> None\n  in\n  List.filter_map show names',
                ),
                (
                    "the list of their numbers as texts, or `$no` for each missing one",
                    '    | Some x -> string_of_int x\n    | None -> "$no"\n  in\n  List.map show names',
                ),
                (
                    "the list of the missing names, each followed by `$no`",
                    '    | Some _ -> None\n    | None -> Some (name ^ "$no")\n  in\n  List.filter_map show names',
                ),
            ),
        },
        inputs=(_TABLE, lists(_GOOD, 0, 4, far=9)),
    ),
    Task(
        level=2,
        says=(
            "`table` has goods with their $meant. `$f table k` is `Some` of $what, or `None` if there is none.",
            "In a list of goods with their $meant, `$f table k` finds $what: it is `Some` of that, `None` without any.",
        ),
        names=("first_name", "search", "find_name"),
        signature="(string * int) list -> int -> string option",
        code="let $f table k =\n  match List.find_opt (fun $what) table with\n  | Some (name, _) -> Some name\n  | None -> None",
        gaps={
            "meant": _MEANT,
            "n": number(3, 4),
            "what": (
                ("the first name whose entry is `k` or less", "(_, x) -> x <= k"),
                ("the first name whose entry is above `k`", "(_, x) -> x > k"),
                ("the first name other than `tea` whose entry is above `k`", '(name, x) -> name <> "tea" && x > k'),
                (
                    "the first name of $n letters whose entry is above `k`",
                    "(name, x) -> String.length name = $n && x > k",
                ),
                (
                    "the first name that is `milk` or has an entry of at least `k`",
                    '(name, x) -> name = "milk" || x >= k',
                ),
            ),
        },
        inputs=(_LOW, integers(0, 9, far=100)),
    ),
)

FAMILY = Family(
    name="options.lookups",
    topics=("options-results", "lists"),
    description="tables as association lists: one lookup, two, a chain, a default, a change",
    tasks=TASKS,
    split="eval",
)
