"""Small tasks on lists in two or three steps: filter, map or sort, then perhaps one value from the result."""

from __future__ import annotations

from ocaml_env.problems.generators.inputs import Input, floats, integers, lists, tuples, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_NAME, _PRICE = words(), integers(1, 40)
_PAIRS = lists(tuples(_NAME, _PRICE))
_ITEM = Input(lambda chance: f"{{ name = {_NAME.draw(chance)}; price = {_PRICE.draw(chance)} }}")
_ENTRIES = lists(
    Input(
        lambda chance: (
            f'"{chance.number(-40, 60)}"'
            if chance.happens(0.6)
            else chance.pick(('"pear"', '"three"', '"x9"', '"9x"', '"2.5"', '"-"', '""', '"4 5"', '"007"', '"0"'))
        ),
        ('"12"', '"-5"', '""', '"pear"', '"1200"'),
    )
)

_GAPS: dict[str, Gap] = {
    "k": number(4, 30),
    "d": number(2, 5),
    "size": number(3, 5),
    "kept": (
        ("even", "x mod 2 = 0"),
        ("odd", "x mod 2 <> 0"),
        ("negative", "x < 0"),
        ("greater than $k", "x > $k"),
        ("at most $k", "x <= $k"),
    ),
    "change": (
        ("multiply each number by $d", "$d * x"),
        ("square each number", "x * x"),
        ("add $d to each number", "x + $d"),
        ("subtract $k from each number", "x - $k"),
    ),
    "steps": (
        ("keep only the numbers that are $kept, then $change", "List.map (fun x -> $change) $those"),
        ("add $d to each number, then keep only even numbers", "List.filter (fun x -> x mod 2 = 0) $sums"),
        ("add $d to each number, then keep only those over $k", "List.filter (fun x -> x > $k) $sums"),
        ("keep only the numbers that are $kept, then reverse the list", "List.rev $those"),
        ("keep only the numbers that are $kept, then sort the list in ascending order", "List.sort compare $those"),
        ("sort the list in ascending order, then reverse it", "List.rev (List.sort compare l)"),
    ),
    "those": (("", "(List.filter (fun x -> $kept) l)"),),
    "sums": (("", "(List.map (fun x -> x + $d) l)"),),
    "value": (
        ("the sum of the numbers in `l` that are $kept", "List.fold_left ( + ) 0 $those"),
        ("the product of the numbers in `l` that are $kept", "List.fold_left ( * ) 1 $those"),
        ("the number of different numbers in `l`", "List.length (List.sort_uniq compare l)"),
        ("the number at position $d (counted from 0) after sorting `l`", "List.nth (List.sort compare l) $d"),
        ("the sum of the absolute values of the numbers in `l`", "List.fold_left ( + ) 0 (List.map abs l)"),
    ),
    "sep": (("commas", ","), ("hyphens", "-"), ("single spaces", " "), ("slashes", "/"), ("plus signs", "+")),
    "shown": (
        ("in capital letters", "List.map String.uppercase_ascii names"),
        ("each with a capital first letter", "List.map String.capitalize_ascii names"),
        ("sorted alphabetically", "List.sort compare names"),
        ("sorted alphabetically and each one only once", "List.sort_uniq compare names"),
        ("in reverse order", "List.rev names"),
        ("each cut down to its first letter", "List.map (fun name -> String.sub name 0 1) names"),
        ("without those of fewer than $size letters", "List.filter (fun name -> String.length name >= $size) names"),
    ),
    "letters": (
        ("words of more than $size letters", "List.filter (fun w -> String.length w > $size) words"),
        ("words with the letter $c", "List.filter (fun w -> String.contains w '$c') words"),
        ("words without the letter $c", "List.filter (fun w -> not (String.contains w '$c')) words"),
        ("different words", "List.sort_uniq compare words"),
        ("different first letters", "List.sort_uniq compare (List.map (fun w -> w.[0]) words)"),
    ),
    "c": (("a",), ("e",), ("i",), ("l",), ("r",)),
    "who": (
        ("a product and its price",),
        ("a child and its age",),
        ("a player and a score",),
        ("a town and a distance",),
    ),
    "than": (("more than $k", "> $k"), ("less than $k", "< $k"), ("at most $k", "<= $k"), ("at least $k", ">= $k")),
    "paid": (
        ("only those above $k.0 count", "List.filter (fun price -> price > $k.) prices"),
        ("only those up to $k.0 count", "List.filter (fun price -> price <= $k.) prices"),
        ("each price is halved", "List.map (fun price -> price /. 2.) prices"),
        ("each price is raised by $k.0", "List.map (fun price -> price +. $k.) prices"),
    ),
    "last": (
        ("sort the list in ascending order", "List.sort compare"),
        ("sort the list in descending order", "List.sort (fun a b -> compare b a)"),
        ("reverse the list", "List.rev"),
        ("sort the list in ascending order, keeping equal numbers only once", "List.sort_uniq compare"),
    ),
    "of_kept": (
        ("the average, rounded towards zero,", "List.fold_left ( + ) 0 kept / List.length kept"),
        ("the smallest", "List.hd (List.sort compare kept)"),
        ("the last", "List.hd (List.rev kept)"),
        ("the sum of the first and the last", "List.hd kept + List.hd (List.rev kept)"),
    ),
    "order": (("greatest", "(fun a b -> compare b a)"), ("smallest", "compare")),
    "cut": (
        ("keep the first $d numbers (all if there are fewer)", "i < $d"),
        ("remove the first $d numbers (all if there are fewer)", "i >= $d"),
        ("keep the first, third, fifth number and so on", "i mod 2 = 0"),
    ),
    "names": (
        ("in the order of `items`", "List.map (fun item -> item.name)"),
        ("in reverse order", "List.rev_map (fun item -> item.name)"),
        ("in alphabetical order", "List.map (fun item -> item.name)\n  |> List.sort compare"),
    ),
    "sum": (
        ("the sum", "List.fold_left ( + ) 0"),
        ("the number", "List.length"),
        ("the sum of the squares", "List.fold_left (fun sum x -> sum + (x * x)) 0"),
    ),
    "written": (
        ("put in capital letters", "String.uppercase_ascii"),
        ("given a capital first letter", "String.capitalize_ascii"),
        ("followed by an exclamation mark", '(fun w -> w ^ "!")'),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`$f l` takes the list `l` through two steps: $steps.",
            "With the list `l`, $steps: `$f l` is the result.",
        ),
        names=("process", "refine", "two_steps"),
        signature="int list -> int list",
        code="let $f l = $steps",
        gaps=_GAPS,
    ),
    Task(
        level=1,
        says=(
            "`$f l` is $value; `l` has at least six elements.",
            "Given a list `l` of six or more numbers, return $value: `$f l`.",
        ),
        names=("compute", "result", "evaluate"),
        signature="int list -> int",
        code="let $f l = $value",
        gaps=_GAPS,
        inputs=(lists(integers(-9, 20), 6, 9, far=13),),
    ),
    Task(
        level=1,
        says=(
            "`$f names` is a string of all the names, $shown, with $sep between them.",
            "Join the names in the list `names`, $shown, to one string, with $sep between: `$f names`.",
        ),
        names=("join_names", "line", "announce"),
        signature="string list -> string",
        code='let $f names = String.concat "$sep" ($shown)',
        gaps=_GAPS,
        inputs=(lists(_NAME),),
    ),
    Task(
        level=1,
        says=(
            "`$f words` is the number of $letters in `words`.",
            "How many $letters are there in `words`? `$f words`.",
        ),
        names=("measure", "survey", "word_statistics"),
        signature="string list -> int",
        code="let $f words = List.length ($letters)",
        gaps=_GAPS,
        inputs=(lists(_NAME),),
    ),
    Task(
        level=1,
        says=(
            "The list `l` holds pairs of $who. `$f l` is the list of the names that come with a number of $than.",
            "Each pair in `l` consists of $who. Write `$f l`: the names, in order, where the number is $than.",
        ),
        names=("names", "select_names", "who_has"),
        signature="(string * int) list -> string list",
        code="let $f l = List.map fst (List.filter (fun (_, n) -> n $than) l)",
        gaps=_GAPS,
        inputs=(_PAIRS,),
    ),
    Task(
        level=1,
        says=(
            "`$f prices` is the sum of the prices, where $paid.",
            "What do all `prices` add up to, if $paid? `$f prices`.",
        ),
        names=("total", "to_pay", "bill"),
        signature="float list -> float",
        code="let $f prices = List.fold_left ( +. ) 0. ($paid)",
        gaps={**_GAPS, "k": number(2, 12)},
        inputs=(lists(floats(0, 24)),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` takes the list `l` through three steps: keep only the numbers that are $kept, $change, $last.",
            "First keep only the numbers in the list `l` that are $kept. Then $change. In the end, $last. The result is "
            "`$f l`.",
        ),
        names=("process", "three_steps", "pipeline"),
        signature="int list -> int list",
        code="let $f l =\n  l\n  |> List.filter (fun x -> $kept)\n  |> List.map (fun x -> $change)\n  |> $last",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f l` is $of_kept of those numbers in the list `l` that are $kept, or $none if there are none.",
            "Consider only the numbers in `l` that are $kept. `$f l` is $of_kept of them. If no number is left, it is $none.",
        ),
        names=("summarise", "digest", "conclude"),
        signature="int list -> int",
        code="let $f l =\n  match List.filter (fun x -> $kept) l with\n  | [] -> $none\n  | kept -> $of_kept",
        gaps={**_GAPS, "none": number(-1, 0)},
    ),
    Task(
        level=2,
        says=(
            "`$f l` is made of `l` in two steps: sort it so that the $order number comes first, then $cut.",
            "Sort the list `l`, the $order number first, and $cut. That is `$f l`.",
        ),
        names=("ranking", "top", "best_of"),
        signature="int list -> int list",
        code="let $f l =\n  l\n  |> List.sort $order\n  |> List.filteri (fun i _ -> $cut)",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f items` is the list of the names, $names, of the items with a price of $than.",
            "Which items have a price of $than? `$f items` lists their names, $names.",
        ),
        names=("choose_items", "item_names", "catalogue"),
        signature="type item = { name : string; price : int }\n\nval $f : item list -> string list",
        code="type item = { name : string; price : int }\n\nlet $f items =\n  items\n"
        "  |> List.filter (fun item -> item.price $than)\n  |> $names",
        gaps=_GAPS,
        inputs=(lists(_ITEM),),
    ),
    Task(
        level=2,
        says=(
            "Some strings in the list `entries` are integers. `$f entries` is $sum of those that are $kept; of no numbers at "
            "all, it is 0.",
            "Read the strings in `entries` as integers, and ignore those that are none. `$f entries` is $sum of the numbers "
            "that are $kept, or 0 if there are none.",
        ),
        names=("read_entries", "evaluate", "count_up"),
        signature="string list -> int",
        code="let $f entries =\n  entries\n  |> List.filter_map int_of_string_opt\n  |> List.filter (fun x -> $kept)\n  |> $sum",
        gaps=_GAPS,
        inputs=(_ENTRIES,),
    ),
    Task(
        level=2,
        says=(
            "`$f words` is a string of the words of more than $size letters, each $written, with $sep between them.",
            "Leave out the words of at most $size letters, have each of the others $written, and join them with $sep "
            "between them: `$f words`.",
        ),
        names=("headline", "join_long", "banner"),
        signature="string list -> string",
        code="let $f words =\n  words\n  |> List.filter (fun w -> String.length w > $size)\n  |> List.map $written\n"
        '  |> String.concat "$sep"',
        gaps=_GAPS,
        inputs=(lists(_NAME),),
    ),
)
