"""Small tasks on groups: pairs by their keys, elements with something in common, and summaries of groups."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, characters, integers, lists, tuples
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]


def _one_of(*texts: str) -> Input:
    """One of these strings."""
    return Input(lambda chance: f'"{chance.pick(texts)}"', (f'"{texts[0]}"', f'"{texts[1]}"'))


_FRUIT = _one_of("apple", "banana", "cherry", "apricot")
_WORD = _one_of("bee", "bird", "ant", "cat", "crab", "cow", "adder", "bat", "camel", "dog")
_SALES = lists(tuples(_FRUIT, integers(1, 9, far=500)), 0, 6, far=12)
_PAIRS = "(string * int) list"


def _groups(chance: Chance) -> str:
    """Pairs of a class and its marks; the classes differ."""
    classes = chance.sample(
        ("1a", "1b", "2a", "2b", "3a", "3b", "4a", "4b", "4c", "5a"), chance.pick((1, 2, 3, 4, 5, 9))
    )
    marks = ["; ".join(map(str, chance.numbers(chance.pick((1, 2, 3, 3, 4, 8)), 0, 20))) for _ in classes]
    return _with_names(classes, marks)


def _any_groups(chance: Chance) -> str:
    """Pairs of a key and a short list of numbers, perhaps empty or with repetitions; the keys differ."""
    keys = chance.sample(("1a", "1b", "2a", "2b", "3a"), chance.pick((1, 2, 3, 4, 5)))
    return _with_names(
        keys,
        ["; ".join(map(str, chance.numbers(chance.pick((0, 1, 2, 3, 4)), 0, chance.pick((9, 9, 40))))) for _ in keys],
    )


def _with_names(classes: list[str], marks: list[str]) -> str:
    return "[" + "; ".join(f'("{name}", [{line}])' for name, line in zip(classes, marks, strict=True)) + "]"


_CLASSES = Input(_groups, ("[]", '[("1a", [5])]', '[("2b", [0; 0])]'))
_GROUPS = Input(_any_groups, ("[]", '[("1a", [])]', '[("2b", [0; 0])]', '[("3a", [1]); ("1a", []); ("2b", [1; 4; 1])]'))
_SUMMARIES: Gap = (
    ("the number of its marks", "List.length marks", "counts"),
    ("the sum of its marks", "List.fold_left ( + ) 0 marks", "sums"),
    ("its best (greatest) mark", "List.fold_left max 0 marks", "best"),
    ("its first mark", "List.hd marks", "first"),
    ("the number of its marks from $k on", "List.length (List.filter (fun m -> m >= $k) marks)", "good"),
    ("its average mark, rounded down", "List.fold_left ( + ) 0 marks / List.length marks", "averages"),
)
_KEYS: Gap = (
    ("last digit", "x mod 10", "digit"),
    ("remainder of the division by $d", "x mod $d", "remainder"),
    ("quotient of the division by 10", "x / 10", "tens"),
)
_WORD_KEYS: Gap = (
    ("first letter", "w.[0]", "first_letter"),
    ("last letter", "w.[String.length w - 1]", "last_letter"),
)

TASKS = (
    Task(
        level=1,
        says=(
            "`sales` has a pair of a fruit and a number of pieces for every sale. `$f sales fruit` is $what.",
            "The list `sales` has a fruit and a number of pieces for each sale. Return $what: `$f sales fruit`.",
        ),
        names=("$what",),
        signature=f"{_PAIRS} -> string -> int",
        code="let $f sales fruit = $what",
        gaps={
            "what": (
                (
                    "the number of sales of this fruit",
                    "List.length (List.filter (fun (f, _) -> f = fruit) sales)",
                    "count_sales",
                ),
                (
                    "the number of all pieces of this fruit",
                    "List.fold_left (fun sum (f, n) -> if f = fruit then sum + n else sum) 0 sales",
                    "pieces",
                ),
                (
                    "the number of all pieces of other fruits",
                    "List.fold_left (fun sum (f, n) -> if f = fruit then sum else sum + n) 0 sales",
                    "other_pieces",
                ),
                (
                    "the number of sales of this fruit with more than $k pieces",
                    "List.length (List.filter (fun (f, n) -> f = fruit && n > $k) sales)",
                    "large_sales",
                ),
                (
                    "the greatest number of pieces in a sale of this fruit (0 if there is none)",
                    "List.fold_left (fun most (f, n) -> if f = fruit then max most n else most) 0 sales",
                    "largest_sale",
                ),
            ),
            "k": number(2, 6),
        },
        inputs=(_SALES, _FRUIT),
    ),
    Task(
        level=1,
        says=(
            "`$f key pairs` is the list of the numbers that stand with $which in `pairs`, in their order.",
            "Collect the numbers of all those pairs that have $which: `$f key pairs` is the list of them, in order.",
        ),
        names=("numbers_of", "group_of", "collect"),
        signature=f"string -> {_PAIRS} -> int list",
        code="let $f key pairs = List.map snd (List.filter (fun $which) pairs)",
        gaps={
            "which": (
                ("the string `key`", "(k, _) -> k = key"),
                ("the string `key` and a number above $m", "(k, n) -> k = key && n > $m"),
                ("the string `key` and a number other than $m", "(k, n) -> k = key && n <> $m"),
                ("a string other than `key`", "(k, _) -> k <> key"),
                ("a string as long as `key`", "(k, _) -> String.length k = String.length key"),
                ("a string that begins like `key` (the first letter)", "(k, _) -> k.[0] = key.[0]"),
            ),
            "m": number(2, 7),
        },
        inputs=(_FRUIT, _SALES),
    ),
    Task(
        level=1,
        says=(
            "`$f sales` has $what, each once and in alphabetical order. A sale is a fruit with a number of pieces.",
            "A sale is a fruit with a number of pieces. List $what, each once and in alphabetical order: `$f sales`.",
        ),
        names=("fruits", "kinds", "different_fruits"),
        signature=f"{_PAIRS} -> string list",
        code="let $f sales = List.sort_uniq compare (List.map fst $what)",
        gaps={
            "what": (
                ("all fruits in `sales`", "sales"),
                ("the fruits of all sales with more than $k pieces", "(List.filter (fun (_, n) -> n > $k) sales)"),
                ("the fruits of all sales with exactly $k pieces", "(List.filter (fun (_, n) -> n = $k) sales)"),
                (
                    "the fruits of all sales with an odd number of pieces",
                    "(List.filter (fun (_, n) -> n mod 2 = 1) sales)",
                ),
            ),
            "k": number(2, 6),
        },
        inputs=(_SALES,),
    ),
    Task(
        level=1,
        says=(
            "`$f words` is the pair of two lists: the words $which, and all the others, both in their order.",
            "Split a list of words, none of them empty, into two: those $which and the rest. `$f words` is the pair of "
            "the two lists.",
        ),
        names=("split_words", "two_groups", "separate"),
        signature="string list -> string list * string list",
        code="let $f words = List.partition (fun w -> $which) words",
        gaps={
            "which": (
                ("with more than $n letters", "String.length w > $n"),
                ("with exactly $n letters", "String.length w = $n"),
                ("that begin with `$c`", "w.[0] = '$c'"),
                ("that do not begin with `$c`", "w.[0] <> '$c'"),
                ("that come before `c` in the alphabet", 'w < "c"'),
            ),
            "n": number(3, 4),
            "c": (("a",), ("b",), ("c",)),
        },
        inputs=(lists(_WORD, 0, 6, far=12),),
    ),
    Task(
        level=1,
        says=(
            "`$f c words` is $what that begin with `c`. No word is empty.",
            "Write `$f c words`, which is $what whose first letter is `c`; no word is empty.",
        ),
        names=("under_letter", "index_entry", "page"),
        signature="char -> string list -> string list",
        code="let $f c words = $what",
        gaps={
            "what": (
                ("the list of the words of `words`", "List.filter (fun w -> w.[0] = c) words"),
                (
                    "the alphabetical list of the words of `words`",
                    "List.sort compare (List.filter (fun w -> w.[0] = c) words)",
                ),
                (
                    "the alphabetical list, without repetitions, of the words of `words`",
                    "List.sort_uniq compare (List.filter (fun w -> w.[0] = c) words)",
                ),
                (
                    "the list, in capital letters, of the words of `words`",
                    "List.map String.uppercase_ascii (List.filter (fun w -> w.[0] = c) words)",
                ),
            ),
        },
        inputs=(characters("abcd"), lists(_WORD, 0, 6, far=12)),
    ),
    Task(
        level=1,
        says=(
            "`$f l` pairs each number of `l`, none negative, with its $key: it is a list of pairs with the $key first.",
            "Put its $key in front of each number of `l`, in a pair. No number is negative. `$f l` is the list of these pairs.",
        ),
        names=("with_$key", "tag_by_$key"),
        signature="int list -> (int * int) list",
        code="let $f l = List.map (fun x -> ($key, x)) l",
        gaps={"key": _KEYS, "d": number(3, 7)},
        inputs=(lists(integers(0, 60, far=3_000), 0, 6, far=12),),
    ),
    Task(
        level=1,
        says=(
            "`classes` has pairs of a class and its marks, of which there is at least one. `$f classes` has pairs of each "
            "class and $what.",
            "For each class, a name with a non-empty list of marks, find $what. `$f classes` is a list of pairs, each a "
            "class and this number.",
        ),
        names=("$what", "class_$what"),
        signature="(string * int list) list -> (string * int) list",
        code="let $f classes = List.map (fun (name, marks) -> (name, $what)) classes",
        gaps={"what": _SUMMARIES, "k": number(5, 15)},
        inputs=(_CLASSES,),
    ),
    Task(
        level=1,
        says=(
            "`$f classes` has the names of the classes that have $what. A class is a pair of a name and its marks, at least "
            "one.",
            "Which classes have $what? A class is a name with a non-empty list of marks. `$f classes` is the list of the "
            "names.",
        ),
        names=("which_classes", "class_names", "selected"),
        signature="(string * int list) list -> string list",
        code="let $f classes = List.map fst (List.filter (fun (_, marks) -> $what) classes)",
        gaps={
            "what": (
                ("more than two marks", "List.length marks > 2"),
                ("a mark above $k", "List.exists (fun m -> m > $k) marks"),
                ("no mark below $k", "List.for_all (fun m -> m >= $k) marks"),
                ("$k as their first mark", "List.hd marks = $k"),
                ("a sum of marks that is above $k", "List.fold_left ( + ) 0 marks > $k"),
                ("the mark $k", "List.mem $k marks"),
            ),
            "k": number(4, 14),
        },
        inputs=(_CLASSES,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` has, for every different element of `l` in ascending order, the pair of this element and $what.",
            "Make a table of the elements of `l`: each different one, in ascending order, is paired with $what. This list "
            "of pairs is `$f l`.",
        ),
        names=("table", "frequencies", "overview"),
        signature="int list -> (int * int) list",
        code="let $f l =\n  let summary x = $what in\n  List.map (fun x -> (x, summary x)) (List.sort_uniq compare l)",
        gaps={
            "what": (
                ("the number of times that it occurs", "List.length (List.filter (fun y -> y = x) l)"),
                ("the number of greater elements in `l`", "List.length (List.filter (fun y -> y > x) l)"),
                ("the number of smaller elements in `l`", "List.length (List.filter (fun y -> y < x) l)"),
                ("the number of other elements in `l`", "List.length (List.filter (fun y -> y <> x) l)"),
                (
                    "the number of elements that differ from it by at most $k",
                    "List.length (List.filter (fun y -> abs (y - x) <= $k) l)",
                ),
                ("$k times the number of its occurrences", "$k * List.length (List.filter (fun y -> y = x) l)"),
                (
                    "the sum of all elements that are at most as great",
                    "List.fold_left (fun s y -> if y <= x then s + y else s) 0 l",
                ),
            ),
            "k": number(1, 5),
        },
        inputs=(lists(integers(-2, 6, far=300)),),
    ),
    Task(
        level=2,
        says=(
            "`sales` has pairs of a fruit and a number of pieces. `$f sales` has for each fruit, in alphabetical order, the "
            "pair of the fruit and $what.",
            "Sum up a list of sales, pairs of a fruit and a number of pieces: each fruit, in alphabetical order, is paired "
            "with $what. That is `$f sales`.",
        ),
        names=("per_fruit", "statistics", "sum_up"),
        signature=f"{_PAIRS} -> {_PAIRS}",
        code="let $f sales =\n  let fruits = List.sort_uniq compare (List.map fst sales) in\n"
        "  let of_fruit fruit = List.map snd (List.filter (fun (f, _) -> f = fruit) sales) in\n"
        "  List.map (fun fruit -> (fruit, $what)) fruits",
        gaps={
            "what": (
                ("the number of all its pieces", "List.fold_left ( + ) 0 (of_fruit fruit)"),
                ("the number of its sales", "List.length (of_fruit fruit)"),
                ("the largest number of pieces in one of its sales", "List.fold_left max 0 (of_fruit fruit)"),
                ("the number of pieces in its first sale", "List.hd (of_fruit fruit)"),
                ("the price of all its pieces at $p each", "$p * List.fold_left ( + ) 0 (of_fruit fruit)"),
                (
                    "the number of its sales with more than $k pieces",
                    "List.length (List.filter (fun n -> n > $k) (of_fruit fruit))",
                ),
            ),
            "k": number(2, 5),
            "p": number(2, 20),
        },
        inputs=(_SALES,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` groups the numbers of `l`, none of them negative, by their $key: it has pairs of a $key and the list of "
            "the numbers with it, in order. The pairs are sorted by the $key, $first first.",
            "Numbers with the same $key belong together. `$f l` has for every $key that occurs, the $first first, the pair "
            "of it and the list of its numbers, in their order. No number is negative.",
        ),
        names=("group_by_$key", "by_$key"),
        signature="int list -> (int * int list) list",
        code="let $f l =\n  let key x = $key in\n  let keys = List.sort_uniq $first (List.map key l) in\n"
        "  List.map (fun k -> (k, List.filter (fun x -> key x = k) l)) keys",
        gaps={
            "key": _KEYS,
            "d": number(3, 5),
            "first": (("smallest", "compare"), ("greatest", "(fun x y -> compare y x)")),
        },
        inputs=(lists(integers(0, 40, far=700), 0, 6, far=11),),
    ),
    Task(
        level=2,
        says=(
            "`$f words` groups words by their $key: it has pairs of a $key and $what with it, sorted by the $key. No word is "
            "empty.",
            "Which of the words, none empty, have the same $key? `$f words` is a list of pairs, a $key and $what with it, in "
            "ascending order of the $key.",
        ),
        names=("count_by_$key", "words_by_$key"),
        signature="string list -> (char * int) list",
        code="let $f words =\n  let key w = $key in\n  let group k = List.filter (fun w -> key w = k) words in\n"
        "  List.map (fun k -> (k, $what)) (List.sort_uniq compare (List.map key words))",
        gaps={
            "key": _WORD_KEYS,
            "what": (
                ("the number of words", "List.length (group k)"),
                ("$k points for each word", "$k * List.length (group k)"),
                ("the number of different words", "List.length (List.sort_uniq compare (group k))"),
                ("the number of letters of all words", "List.fold_left (fun n w -> n + String.length w) 0 (group k)"),
                ("the length of the longest word", "List.fold_left (fun n w -> max n (String.length w)) 0 (group k)"),
            ),
            "k": number(2, 20),
        },
        inputs=(lists(_WORD, 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`groups` has pairs of a key and a list. `$f k x groups` is the same, with `x` put into the list of `k`, $where. If "
            "`k` is not there, the pair of `k` and `[x]` comes at the end.",
            "Put `x` into the group of the key `k`, $where. `$f k x groups` is the changed list of pairs of a key and a "
            "list; a new key comes last, with only `x` in its list.",
        ),
        names=("add_to_group", "put_in_group", "file_under"),
        signature="string -> int -> (string * int list) list -> (string * int list) list",
        code="let rec $f k x groups =\n  match groups with\n  | [] -> [ (k, [ x ]) ]\n"
        "  | (key, l) :: rest -> if key = k then (key, $where) :: rest else (key, l) :: $f k x rest",
        gaps={
            "where": (
                ("in front", "x :: l"),
                ("at the end", "l @ [ x ]"),
                ("in front, unless it is in it already", "if List.mem x l then l else x :: l"),
                ("in front, unless there are more than $n numbers in it", "if List.length l > $n then l else x :: l"),
            ),
            "n": number(1, 3),
        },
        inputs=(_one_of("1a", "1b", "2a", "2b", "3a"), integers(0, 9), _GROUPS),
    ),
    Task(
        level=2,
        says=(
            "`$f groups` is the list of all pairs of a key and $what, in the order of the groups. `groups` has pairs of a key "
            "and a list.",
            "Take groups apart: `groups` has pairs of a key and a list, and `$f groups` has a pair of a key and $what for "
            "each of these, in their order.",
        ),
        names=("ungroup", "flatten", "take_apart"),
        signature="(string * int list) list -> (string * int) list",
        code="let $f groups =\n  let pairs (key, l) = List.map (fun x -> (key, x)) $what in\n"
        "  List.concat_map pairs groups",
        gaps={
            "what": (
                ("one element of its list", "l"),
                ("one element above $k of its list", "(List.filter (fun x -> x > $k) l)"),
                ("one element other than $k of its list", "(List.filter (fun x -> x <> $k) l)"),
                ("one even element of its list", "(List.filter (fun x -> x mod 2 = 0) l)"),
            ),
            "k": number(3, 12),
        },
        inputs=(_GROUPS,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is `Some` of the element that occurs most often in $among, or `None` if there is none. Of several such "
            "elements it is the one that is $one.",
            "Which element of $among is the most frequent? `$f l` is an option, `None` if there is no element. If several are "
            "equally frequent, take the one that is $one.",
        ),
        names=("most_frequent", "mode", "favourite"),
        signature="int list -> int option",
        code="let $f l =\n  let count x = List.length (List.filter (fun y -> y = x) l) in\n"
        "  let more x y = compare (count y) (count x) in\n"
        "  match List.stable_sort more ($one) with\n  | [] -> None\n  | x :: _ -> Some x",
        gaps={
            "one": (
                ("smallest", "List.sort compare $among"),
                ("greatest", "List.sort (fun x y -> compare y x) $among"),
            ),
            "among": (
                ("the list `l`", "l"),
                ("the list `l`, the number $k not counted,", "(List.filter (fun x -> x <> $k) l)"),
            ),
            "k": number(0, 5),
        },
        inputs=(lists(integers(-2, 5, far=300)),),
    ),
    Task(
        level=2,
        says=(
            "`$f words` has pairs of a word and $what, sorted by the words. Use a map of the standard library.",
            "Go through the list `words` with a map from words to numbers: at the end each word has $what. `$f words` is "
            "the list of its bindings.",
        ),
        names=("tally", "word_map", "register"),
        signature=f"string list -> {_PAIRS}",
        code="module Words = Map.Make (String)\n\nlet $f words =\n"
        "  let add map w = Words.update w (function None -> Some $what) map in\n"
        "  Words.bindings (List.fold_left add Words.empty words)",
        gaps={
            "what": (
                ("the number of times that it occurs", "1 | Some n -> Some (n + 1)"),
                (
                    "the number of its letters in all its occurrences",
                    "(String.length w) | Some n -> Some (n + String.length w)",
                ),
                ("its points: $k for the first occurrence and 1 for each further one", "$k | Some n -> Some (n + 1)"),
                ("its points: $k, doubled with each further occurrence", "$k | Some n -> Some (2 * n)"),
            ),
            "k": number(2, 20),
        },
        inputs=(lists(_one_of("bee", "ant", "adder", "cat")),),
    ),
)
