"""Small tasks on sets: lists without repetitions at level 1, ``Set.Make`` at level 2."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, texts
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_TREES = tuple(
    f'"{name}"' for name in ("oak", "elm", "fir", "pine", "palm", "larch", "maple", "cedar", "willow", "spruce")
)
_NAMES = tuple(f'"{name}"' for name in ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gwen", "Hugo", "Ian", "Jo"))


def _set_of_numbers(most: int = 6, high: int = 12, low: int = 0) -> Input:
    """Lists of different numbers, in any order."""

    def draw(chance: Chance) -> str:
        size = 2 * most if chance.happens(0.1) else chance.between(1, most)
        numbers = dict.fromkeys(chance.numbers(size, low, high if high < 8 or chance.happens(0.9) else 300))
        return "[" + "; ".join(map(str, numbers)) + "]"

    return Input(draw, ("[]", "[0]", "[2; 1]"))


def _set_of_names() -> Input:
    return Input(
        lambda chance: "[" + "; ".join(chance.sample(_NAMES, chance.pick((1, 2, 3, 4, 5, 8)))) + "]",
        ("[]", '["Ada"]', '["Ben"; "Ada"]'),
    )


_WORDS = Input(lambda chance: chance.pick(_TREES))
_LETTERS = texts(0, 6, "abcdef", far=14)
_TESTS: Gap = (
    ("even", "x mod 2 = 0"),
    ("odd", "x mod 2 <> 0"),
    ("greater than $k", "x > $k"),
    ("less than $k", "x < $k"),
    ("divisible by 3", "x mod 3 = 0"),
)
_INTS = "module Ints = Set.Make (Int)\n\n"
_NUMBERS = lists(integers(-4, 15, far=300))

TASKS = (
    Task(
        level=1,
        says=(
            "`$f a b` has those numbers of the list `a` that are $also `b`, in the order of `a`.",
            "Which numbers of `a` are $also the list `b`? `$f a b` is the list of them, in their order.",
        ),
        names=("select", "common", "pick_out"),
        signature="int list -> int list -> int list",
        code="let $f a b = List.filter (fun x -> $also) a",
        gaps={
            "also": (
                ("also in", "List.mem x b"),
                ("not in", "not (List.mem x b)"),
                ("greater than $k and also in", "x > $k && List.mem x b"),
                ("even and also in", "x mod 2 = 0 && List.mem x b"),
                ("less than $k or also in", "x < $k || List.mem x b"),
                ("greater than $k but not in", "x > $k && not (List.mem x b)"),
            ),
            "k": number(3, 9),
        },
        inputs=(_set_of_numbers(low=-4), _set_of_numbers(low=-4)),
    ),
    Task(
        level=1,
        says=(
            "The list `invited` has the names of guests, and `came` of those who came. `$f invited came` is $who.",
            "Who was invited, and who came? Two lists of names tell. Write `$f invited came`, which is $who.",
        ),
        names=("guests", "party", "who"),
        signature="string list -> string list -> string list",
        code="let $f invited came = $who",
        gaps={
            "who": (
                (
                    "the list of the invited guests who stayed away, in the order of `invited`",
                    "List.filter (fun g -> not (List.mem g came)) invited",
                ),
                (
                    "the list of those who came without invitation, in the order of `came`",
                    "List.filter (fun g -> not (List.mem g invited)) came",
                ),
                (
                    "the list of the invited guests who came, in the order of `invited`",
                    "List.filter (fun g -> List.mem g came) invited",
                ),
                (
                    "the list of all names in any of the two lists, each once, in alphabetical order",
                    "List.sort_uniq compare (invited @ came)",
                ),
                (
                    "the list `invited` followed by those who came without invitation, in their order",
                    "invited @ List.filter (fun g -> not (List.mem g invited)) came",
                ),
            ),
        },
        inputs=(_set_of_names(), _set_of_names()),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the number of different $what.",
            "How many different $what are there? `$f l` counts them.",
        ),
        names=("count_different", "variety", "how_many"),
        signature="int list -> int",
        code="let $f l = List.length (List.sort_uniq compare $what)",
        gaps={
            "what": (
                ("numbers in the list `l`", "l"),
                ("absolute values of the numbers in `l`", "(List.map abs l)"),
                ("even numbers in `l`", "(List.filter (fun x -> x mod 2 = 0) l)"),
                ("positive numbers in `l`", "(List.filter (fun x -> x > 0) l)"),
                ("numbers in `l` that are greater than $k", "(List.filter (fun x -> x > $k) l)"),
                ("numbers in `l` besides $k", "(List.filter (fun x -> x <> $k) l)"),
                ("squares of the numbers in `l`", "(List.map (fun x -> x * x) l)"),
            ),
            "k": number(2, 5),
        },
        inputs=(lists(integers(-6, 8, far=300), 0, 8, far=15),),
    ),
    Task(
        level=1,
        says=(
            "The lists `a` and `b` stand for sets. `$f a b` tells whether $claim.",
            "Is it true of two sets, given as lists `a` and `b`, that $claim? `$f a b` answers that.",
        ),
        names=("check_sets", "related", "test_sets"),
        signature="int list -> int list -> bool",
        code="let $f a b = $claim",
        gaps={
            "claim": (
                ("every element of `a` is in `b`", "List.for_all (fun x -> List.mem x b) a"),
                ("every element of `b` is in `a`", "List.for_all (fun x -> List.mem x a) b"),
                ("they have an element in common", "List.exists (fun x -> List.mem x b) a"),
                ("they have no element in common", "not (List.exists (fun x -> List.mem x b) a)"),
                ("some element of `a` is not in `b`", "List.exists (fun x -> not (List.mem x b)) a"),
                ("a number greater than $k is in both", "List.exists (fun x -> x > $k && List.mem x b) a"),
                ("all elements of `a` greater than $k are in `b`", "List.for_all (fun x -> x <= $k || List.mem x b) a"),
                ("both have the same elements, in any order", "List.sort_uniq compare a = List.sort_uniq compare b"),
            ),
            "k": number(0, 1),
        },
        inputs=(_set_of_numbers(3, 2), _set_of_numbers(3, 2)),
    ),
    Task(
        level=1,
        says=(
            "The list `s` has no repetitions. `$f x s` is $result.",
            "A set is given as a list `s` in which no number occurs twice. Write `$f x s`: it is $result.",
        ),
        names=("change_set", "with_x", "updated"),
        signature="int -> int list -> int list",
        code="let $f x s = $result",
        gaps={
            "result": (
                ("`s` with `x` in front, or just `s` if `x` is in it already", "if List.mem x s then s else x :: s"),
                (
                    "`s` with `x` at the end, or just `s` if `x` is in it already",
                    "if List.mem x s then s else s @ [ x ]",
                ),
                (
                    "`s` without `x` if `x` is in it, and otherwise with `x` in front",
                    "if List.mem x s then List.filter (fun y -> y <> x) s else x :: s",
                ),
                ("`s` with `x` in front, and without `x` elsewhere", "x :: List.filter (fun y -> y <> x) s"),
                ("the list of the elements of `s` that are greater than `x`", "List.filter (fun y -> y > x) s"),
                (
                    "the list of the elements of `s` that differ from `x` by more than $k",
                    "List.filter (fun y -> abs (y - x) > $k) s",
                ),
                (
                    "the list of the elements of `s` that differ from `x` by at most $k",
                    "List.filter (fun y -> abs (y - x) <= $k) s",
                ),
                (
                    "the ascending list of the elements of `s` other than `x`",
                    "List.sort compare (List.filter (fun y -> y <> x) s)",
                ),
            ),
            "k": number(1, 5),
        },
        inputs=(integers(-2, 8), _set_of_numbers(6, 8, -4)),
    ),
    Task(
        level=1,
        says=(
            "`$f l` has $images, each once and in ascending order.",
            "Collect $images, without repetitions and in ascending order: `$f l`.",
        ),
        names=("images", "collect", "the_set"),
        signature="int list -> int list",
        code="let $f l = List.sort_uniq compare ($images)",
        gaps={
            "images": (
                ("the squares of the numbers in `l`", "List.map (fun x -> x * x) l"),
                ("the last digits of the numbers (none is negative) in `l`", "List.map (fun x -> x mod 10) l"),
                (
                    "the remainders of the numbers in `l` (none is negative) divided by $d",
                    "List.map (fun x -> x mod $d) l",
                ),
                ("the distances of the numbers in `l` from $k", "List.map (fun x -> abs (x - $k)) l"),
                ("the $test numbers in `l`", "List.filter (fun x -> $test) l"),
                ("$k and all numbers in `l`", "$k :: l"),
            ),
            "test": (("even", "x mod 2 = 0"), ("odd", "x mod 2 = 1")),
            "d": number(3, 7),
            "k": number(5, 25),
        },
        inputs=(lists(integers(0, 40, far=3_000)),),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` is the number of $what.",
            "Count the $what: `$f a b`. Neither list has repetitions.",
        ),
        names=("count_common", "tally", "size_of"),
        signature="string list -> string list -> int",
        code="let $f a b = $what",
        gaps={
            "what": (
                ("names in `a` that are also in `b`", "List.length (List.filter (fun x -> List.mem x b) a)"),
                ("names in `a` that are not in `b`", "List.length (List.filter (fun x -> not (List.mem x b)) a)"),
                ("different names in the lists `a` and `b` together", "List.length (List.sort_uniq compare (a @ b))"),
                (
                    "names in `a` with more than three letters that are also in `b`",
                    "List.length (List.filter (fun x -> String.length x > 3 && List.mem x b) a)",
                ),
            ),
        },
        inputs=(_set_of_names(), _set_of_names()),
    ),
    Task(
        level=2,
        says=(
            "`$f a b` has $which, each once and in ascending order. Use sets of the standard library.",
            "Make sets of the lists `a` and `b` with `Set.Make (Int)`. `$f a b` is the ascending list of $which, each "
            "once.",
        ),
        names=("combine", "from_two", "set_of_two"),
        signature="int list -> int list -> int list",
        code=f"{_INTS}let $f a b =\n  let a = Ints.of_list a and b = Ints.of_list b in\n  Ints.elements ($which)",
        gaps={
            "which": (
                ("the numbers that are in `a`, in `b` or in both", "Ints.union a b"),
                ("the numbers that are in both `a` and `b`", "Ints.inter a b"),
                ("the numbers of `a` that are not in `b`", "Ints.diff a b"),
                (
                    "the numbers that are in exactly one of `a` and `b`",
                    "Ints.union (Ints.diff a b) (Ints.diff b a)",
                ),
                ("the numbers of `a`, apart from $k, that are not in `b`", "Ints.remove $k (Ints.diff a b)"),
                ("$k and the numbers that are in both `a` and `b`", "Ints.add $k (Ints.inter a b)"),
                (
                    "the numbers greater than $k that are in both `a` and `b`",
                    "Ints.filter (fun x -> x > $k) (Ints.inter a b)",
                ),
            ),
            "k": number(3, 10),
        },
        inputs=(_NUMBERS, _NUMBERS),
    ),
    Task(
        level=2,
        says=(
            "`$f a b` is $what, as an option: it is `None` if there is no such number.",
            "Use sets to find $what. `$f a b` is `Some` of it, or `None` if there is none.",
        ),
        names=("extreme", "find_one", "outermost"),
        signature="int list -> int list -> int option",
        code=f"{_INTS}let $f a b =\n  let a = Ints.of_list a and b = Ints.of_list b in\n  Ints.$end ($what)",
        gaps={
            "what": (
                ("the $end number that is in both lists `a` and `b`", "Ints.inter a b"),
                ("the $end number of the list `a` that is not in `b`", "Ints.diff a b"),
                ("the $end number of the list `b` that is not in `a`", "Ints.diff b a"),
                ("the $end number, other than $k, that is in `a` or in `b`", "Ints.remove $k (Ints.union a b)"),
                ("the $end number above $k that is in `a` or in `b`", "Ints.filter (fun x -> x > $k) (Ints.union a b)"),
                ("the $end number below $k that is in `a` or in `b`", "Ints.filter (fun x -> x < $k) (Ints.union a b)"),
            ),
            "end": (("smallest", "min_elt_opt"), ("greatest", "max_elt_opt")),
            "k": number(2, 13),
        },
        inputs=(_NUMBERS, _NUMBERS),
    ),
    Task(
        level=2,
        says=(
            "`$f words` is the alphabetical list of the different words in `words` $that. Use a set of strings.",
            "Put the words of a list into a set of strings, and return those $that, in alphabetical order: `$f words`.",
        ),
        names=("vocabulary", "different_words", "word_set"),
        signature="string list -> string list",
        code="module Words = Set.Make (String)\n\nlet $f words =\n  let all = Words.of_list words in\n"
        "  Words.elements (Words.filter (fun w -> $that) all)",
        gaps={
            "that": (
                ("with more than $n letters", "String.length w > $n"),
                ("with at most $n letters", "String.length w <= $n"),
                ("that contain the letter `$c`", "String.contains w '$c'"),
                ("that do not contain the letter `$c`", "not (String.contains w '$c')"),
                ("that come before `m` in the alphabet", 'w < "m"'),
            ),
            "n": number(3, 5),
            "c": (("a",), ("e",), ("i",), ("l",), ("r",)),
        },
        inputs=(
            Input(
                lambda chance: lists(_WORDS, 0, 6, far=13).draw(chance),
                ("[]", '["oak"]', '["cedar"]', '["willow"]', '["oak"; "oak"]'),
            ),
        ),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the number of different $kind in the string `s`. Use a set of characters.",
            "How many different $kind does the string `s` contain? `$f s` counts them with a set of characters.",
        ),
        names=("count_kinds", "alphabet_size", "different"),
        signature="string -> int",
        code="module Chars = Set.Make (Char)\n\nlet $f s =\n  let all = Chars.of_seq (String.to_seq s) in\n"
        "  Chars.cardinal $kind",
        gaps={
            "kind": (
                ("characters", "all"),
                ("lower-case letters from `a` to `z`", "(Chars.filter (fun c -> c >= 'a' && c <= 'z') all)"),
                ("capital letters from `A` to `Z`", "(Chars.filter (fun c -> c >= 'A' && c <= 'Z') all)"),
                ("digits", "(Chars.filter (fun c -> c >= '0' && c <= '9') all)"),
                ("characters other than the space", "(Chars.remove ' ' all)"),
                ("vowels (`a`, `e`, `i`, `o` and `u`)", '(Chars.filter (String.contains "aeiou") all)'),
            ),
        },
        inputs=(texts(0, 12, "abcdeefgiouyzAAEZ0129 _/:@[`{", far=25),),
        edges=(('""',), ('"azAZ09"',), ('"  AaA EeE"',), ('"xyzxyz"',)),
    ),
    Task(
        level=2,
        says=(
            "`$f v w` is a string of $which, in alphabetical order, each letter once.",
            "Compare the letters of two words. `$f v w` is a string of $which, each once, in alphabetical order.",
        ),
        names=("letters", "letter_string", "compare_letters"),
        signature="string -> string -> string",
        code="module Chars = Set.Make (Char)\n\nlet $f v w =\n  let set s = Chars.of_seq (String.to_seq s) in\n"
        "  String.of_seq (Chars.to_seq (Chars.$which))",
        gaps={
            "which": (
                ("the letters that are in both `v` and `w`", "inter (set v) (set w)"),
                ("the letters of `v` that are not in `w`", "diff (set v) (set w)"),
                ("the letters of `w` that are not in `v`", "diff (set w) (set v)"),
                ("the letters that are in at least one of `v` and `w`", "union (set v) (set w)"),
                (
                    "the letters, apart from `$c`, that are in `v` or in `w`",
                    "remove '$c' (Chars.union (set v) (set w))",
                ),
                (
                    "the letters after `$c` in the alphabet that are in `v` or in `w`",
                    "filter (fun c -> c > '$c') (Chars.union (set v) (set w))",
                ),
            ),
            "c": (("a",), ("b",), ("c",), ("d",), ("e",)),
        },
        inputs=(_LETTERS, _LETTERS),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the first element of `l` that $seen, or `None` if there is none.",
            "Go along the list `l` and remember the elements so far. Which is the first one that $seen? `$f l` is `Some` "
            "of it, or `None`.",
        ),
        names=("first_repeated", "find_again", "spot"),
        signature="int list -> int option",
        code=f"{_INTS}let $f l =\n  let rec look seen l =\n    match l with\n    | [] -> None\n"
        "    | x :: rest -> if $seen then Some x else look (Ints.add x seen) rest\n  in\n  look Ints.empty l",
        gaps={
            "seen": (
                ("has occurred before", "Ints.mem x seen"),
                ("follows, at any distance, an element that is one less", "Ints.mem (x - 1) seen"),
                ("follows, at any distance, an element that is half as large", "Ints.exists (fun y -> 2 * y = x) seen"),
                (
                    "is greater than all the elements before it, and is not the first",
                    "not (Ints.is_empty seen) && Ints.for_all (fun y -> y < x) seen",
                ),
                ("makes $k together with an element before it", "Ints.mem ($k - x) seen"),
            ),
            "k": number(6, 15),
        },
        inputs=(lists(integers(-4, 12, far=300)),),
    ),
    Task(
        level=2,
        says=(
            "`$f lists` has the numbers$kept that are in $any of the lists, each once and in ascending order. There is at least "
            "one list.",
            "Which numbers$kept are in $any of the lists in `lists`? `$f lists` is the ascending list of them, without "
            "repetitions. At least one list is given.",
        ),
        names=("of_lists", "all_together", "fold_sets"),
        signature="int list list -> int list",
        code=f"{_INTS}let $f lists =\n  let sets = List.map Ints.of_list lists in\n"
        "  List.fold_left $any (List.hd sets) sets $kept|> Ints.elements",
        gaps={
            "any": (("all", "Ints.inter"), ("at least one", "Ints.union")),
            "kept": (
                ("", ""),
                (" greater than $k", "|> Ints.filter (fun x -> x > $k) "),
                (" less than $k", "|> Ints.filter (fun x -> x < $k) "),
                (" other than $k", "|> Ints.remove $k "),
            ),
            "k": number(1, 5),
        },
        inputs=(lists(lists(integers(0, 6), 0, 6, far=11), 1, 3, far=6),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` has the elements of `l` without repetitions: of equal elements only the $one remains, and the order "
            "stays as it is.$less Use recursion.",
            "Remove repetitions from the list `l`, with recursion. In `$f l` each element occurs once, at the place of "
            "the $one of its kind in `l`.$less",
        ),
        names=("distinct", "unique", "no_repeats"),
        signature="int list -> int list",
        code="let rec $f l =\n  match l with\n  | [] -> []\n$less  | x :: rest -> $one",
        gaps={
            "one": (
                ("first", "x :: $f (List.filter (fun y -> y <> x) rest)"),
                ("last", "if List.mem x rest then $f rest else x :: $f rest"),
            ),
            "less": (("", ""), (" Numbers below $k are left out.", "  | x :: rest when x < $k -> $f rest\n")),
            "k": number(1, 4),
        },
        inputs=(lists(integers(-1, 5, far=300)),),
    ),
)
