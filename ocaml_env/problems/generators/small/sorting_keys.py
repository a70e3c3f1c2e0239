"""Small tasks on sorting by a key: lists of numbers, words and pairs, and uses of a sorted list."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, tuples
from ocaml_env.problems.generators.task import Task, number

__all__ = ["TASKS"]


def _one_of(*texts: str) -> Input:
    """One of these strings."""
    return Input(lambda chance: f'"{chance.pick(texts)}"', (f'"{texts[0]}"', f'"{texts[1]}"'))


_NAME = _one_of("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gwen", "Hugo")
_WORD = _one_of(
    "bee",
    "oak",
    "ivy",
    "fern",
    "iris",
    "lake",
    "amber",
    "cedar",
    "stone",
    "willow",
    "quartz",
    "spruce",
    "ox",
    "ash",
    "oats",
    "ice",
    "a",
)
_MIXED = _one_of("bee", "Bill", "ada", "Amber", "carl", "Cedar", "dune", "Delta", "eva", "Fern", "ebb", "Bee")
_PEOPLE = lists(tuples(_NAME, integers(18, 22, far=99)), 0, 5, far=12)


def _sorted_list(direction: int, highest: int = 30, *, again: bool = False) -> Input:
    """Lists in ascending order, or in descending order for -1; perhaps with some numbers ``again``."""

    def draw(chance: Chance) -> str:
        drawn = chance.numbers(chance.pick((1, 2, 3, 4, 5, 6, 12)), -5, highest)
        if not again or chance.happens(0.5):
            drawn = [*{*drawn}]
        elif chance.happens(0.5):
            drawn += chance.sample(drawn, 1)
        return "[" + "; ".join(map(str, sorted(drawn)[::direction])) + "]"

    return Input(draw, ("[]", "[0]", "[4]"))


def _often_sorted(chance: Chance) -> str:
    numbers = chance.numbers(chance.between(1, 7), -9, chance.pick((9, 60)))
    if chance.happens(0.4):
        numbers = [*{*numbers}]
    if chance.happens(0.8):
        numbers = sorted(numbers)[:: chance.pick((1, -1))]
    if chance.happens(0.3):  # one of them is out of order
        numbers[chance.below(len(numbers))] = chance.pick(numbers)
    return "[" + "; ".join(map(str, numbers)) + "]"


def _often_in_order(chance: Chance) -> str:
    """Words of different lengths, most often in some order."""
    drawn = [_WORD.draw(chance) for _ in range(chance.between(1, 5))]
    by_length = chance.happens(0.5)

    def key(word: str) -> str:
        return f"{len(word):2}" if by_length else word

    if chance.happens(0.8):
        if chance.happens(0.7):  # no two of them are equal
            drawn = [*{key(word): word for word in drawn}.values()]
        drawn = sorted(drawn, key=key, reverse=chance.happens(0.5))
    if chance.happens(0.2):
        drawn[chance.below(len(drawn))] = chance.pick(drawn)
    return "[" + "; ".join(drawn) + "]"


_OFTEN_SORTED = Input(_often_sorted, ("[]", "[3]", "[3; 3]", "[1; 2; 3; 5; 4]", "[5; 4; 3; 1; 2]"))
_OFTEN_IN_ORDER = Input(_often_in_order, ("[]", '["oak"]', '["oak"; "oak"]', '["bee"; "ivy"]', '["ivy"; "bee"]'))


def _by(words: str, key: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Ascending and descending by a key of ``x``."""
    x, y = key.replace("_", "x"), key.replace("_", "y")
    return (f"smallest {words} first", f"compare {x} {y}"), (f"largest {words} first", f"compare {y} {x}")


def _by_text(words: str, key: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """In alphabetical order of a key of ``x``, and in the reverse of it."""
    x, y = key.replace("_", "x"), key.replace("_", "y")
    return (
        (f"in alphabetical order of {words}", f"compare {x} {y}"),
        (f"in reverse alphabetical order of {words}", f"compare {y} {x}"),
    )


_NUMBER_KEYS = (
    *_by("number", "_"),
    *_by("distance from $k", "(abs (_ - $k))"),
    *_by("remainder of the division by $d", "(_ mod $d)"),
    ("the even numbers before the odd ones", "compare (x mod 2) (y mod 2)"),
    ("the odd numbers before the even ones", "compare (y mod 2) (x mod 2)"),
)
_WORD_KEYS = (
    ("shortest first", "compare (String.length x) (String.length y)"),
    ("longest first", "compare (String.length y) (String.length x)"),
    *_by_text("the words", "_"),
    *_by_text("the first letters", "_.[0]"),
    *_by_text("the last letters", "_.[String.length _ - 1]"),
)
_PERSON_KEYS = (
    ("youngest first", "compare (snd x) (snd y)"),
    ("oldest first", "compare (snd y) (snd x)"),
    *_by_text("the names", "(fst _)"),
    ("shortest name first", "compare (String.length (fst x)) (String.length (fst y))"),
)

_WALKS = (
    (
        "all elements of both, where one that is in both comes twice",
        "| [], l | l, [] -> l\n  | x :: s, y :: t -> if x <= y then x :: $f s b else y :: $f a t",
    ),
    (
        "the elements that are in `a`, in `b` or in both, each once",
        "| [], l | l, [] -> l\n  | x :: s, y :: t ->\n    if x = y then x :: $f s t else if x < y then x :: $f s b else y :: $f a t",
    ),
    (
        "the elements that are in both",
        "| [], _ | _, [] -> []\n  | x :: s, y :: t ->\n    if x = y then x :: $f s t else if x < y then $f s b else $f a t",
    ),
    (
        "the elements that are in exactly one of them",
        "| [], l | l, [] -> l\n  | x :: s, y :: t ->\n    if x = y then $f s t else if x < y then x :: $f s b else y :: $f a t",
    ),
    (
        "the elements that are in `a` but not in `b`",
        "| [], _ -> []\n  | l, [] -> l\n"
        "  | x :: s, y :: t -> if x = y then $f s t else if x < y then x :: $f s b else $f a t",
    ),
)

TASKS = (
    Task(
        level=1,
        says=(
            "`$f l` is the list `l` sorted, $order. Elements that count the same stay in their old order; none is negative.",
            "Sort a list of numbers that are not negative, $order; those that count the same keep their order: `$f l`.",
            "Line up the numbers of `l`, none of them negative, $order. Those that count the same stay as they stand: "
            "`$f l`.",
        ),
        names=("sort_numbers", "in_order", "arrange"),
        signature="int list -> int list",
        code="let $f l = List.stable_sort (fun x y -> $order) l",
        gaps={"order": _NUMBER_KEYS, "k": number(5, 25), "d": number(3, 10)},
        inputs=(lists(integers(0, 40, far=1_000), 0, 6, far=14),),
    ),
    Task(
        level=1,
        says=(
            "`$f words` is the list `words` sorted, $order. Words that count the same keep their order; none is empty.",
            "Sort a list of words, none of which is empty, $order; words that count the same stay as they stood. "
            "`$f words` returns the sorted list.",
        ),
        names=("sort_words", "words_in_order", "line_up"),
        signature="string list -> string list",
        code="let $f words = List.stable_sort (fun x y -> $order) words",
        gaps={"order": _WORD_KEYS},
        inputs=(lists(_WORD, 0, 6, far=14),),
    ),
    Task(
        level=1,
        says=(
            "`people` is a list of names with ages. `$f people` is this list $order; ties stay in their old order.",
            "Sort a list of pairs, a name and an age each, $order. `$f people` is the sorted list, where ties keep their "
            "order.",
        ),
        names=("sort_people", "queue_up", "sorted_people"),
        signature="(string * int) list -> (string * int) list",
        code="let $f people = List.stable_sort (fun x y -> $order) people",
        gaps={"order": _PERSON_KEYS},
        inputs=(_PEOPLE,),
    ),
    Task(
        level=1,
        says=(
            "`$f people` has the names of the pairs in `people`, a name and an age each, $order. Ties stay as they are.",
            "Each pair of `people` is a name and an age. Return the names alone, $order, where ties keep their order: "
            "`$f people`.",
        ),
        names=("sorted_names", "names_in_order", "roll_call"),
        signature="(string * int) list -> string list",
        code="let $f people = List.map fst (List.stable_sort (fun x y -> $order) people)",
        gaps={"order": _PERSON_KEYS},
        inputs=(_PEOPLE,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the $nth $extreme element of the list `l`, which has at least four elements; equal ones count "
            "separately.",
            "Sort the list `l` and look up its $nth $extreme element: that is `$f l`. There are at least four, and equal "
            "ones all count.",
        ),
        names=("nth_$extreme", "find_$extreme"),
        signature="int list -> int",
        code="let $f l = List.nth (List.sort $extreme l) $nth",
        gaps={
            "nth": (("second", "1"), ("third", "2"), ("fourth", "3")),
            "extreme": (
                ("smallest", "compare", "smallest"),
                ("greatest", "(fun x y -> compare y x)", "greatest"),
            ),
        },
        inputs=(lists(integers(far=1_000), 4),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` tells whether the list `l` is $order.",
            "Are the elements of `l` $order? `$f l` answers that. An empty list and one of a single element are.",
        ),
        names=("is_sorted", "check_order"),
        signature="int list -> bool",
        code="let $f l = l = $order l",
        gaps={
            "order": (
                ("in ascending order, where equal elements may follow each other", "List.sort compare"),
                (
                    "in descending order, where equal elements may follow each other",
                    "List.sort (fun x y -> compare y x)",
                ),
                ("in ascending order without repetitions", "List.sort_uniq compare"),
                ("in descending order without repetitions", "List.sort_uniq (fun x y -> compare y x)"),
            ),
        },
        inputs=(_OFTEN_SORTED,),
    ),
    Task(
        level=1,
        says=(
            "`$f x y` compares two $what: it is -1 if `x` comes first, 1 if `y` does, and 0 otherwise.",
            "Write a comparison for sorting $what: `$f x y` is -1 if `x` comes before `y`, 1 if after it, and 0 if they "
            "tie.",
        ),
        names=("order", "compare_two", "by_key"),
        signature="string -> string -> int",
        code="let $f x y = $what",
        gaps={
            "what": (
                ("words, the shorter one first", "compare (String.length x) (String.length y)"),
                ("words, the longer one first", "compare (String.length y) (String.length x)"),
                ("words in reverse alphabetical order", "compare y x"),
                (
                    "names in alphabetical order, capital letters counting as small ones",
                    "compare (String.lowercase_ascii x) (String.lowercase_ascii y)",
                ),
                ("non-empty words by their first letters", "compare x.[0] y.[0]"),
            ),
        },
        inputs=(_MIXED, _MIXED),
    ),
    Task(
        level=2,
        says=(
            "`people` is a list of pairs of a name and an age. `$f people` is this list sorted with $first first. People who tie "
            "come in alphabetical order, and those of the same name stay as they stand.",
            "Sort pairs of a name and an age by two keys: $first first, and where these tie the alphabetical order. "
            "`$f people` is the sorted list; what still ties keeps its order.",
        ),
        names=("by_two_keys", "two_keys", "order_people"),
        signature="(string * int) list -> (string * int) list",
        code="let $f people =\n  let key (name, age) = ($first, name) in\n"
        "  List.stable_sort (fun p q -> compare (key p) (key q)) people",
        gaps={
            "first": (
                ("the youngest", "age"),
                ("the oldest", "-age"),
                ("those whose age is closest to $k", "abs (age - $k)"),
                ("those whose age is farthest from $k", "-abs (age - $k)"),
                ("those who are younger than $k", "age >= $k"),
                ("those who are older than $k", "age <= $k"),
                ("those with the shortest names", "String.length name"),
                ("those with the longest names", "-String.length name"),
            ),
            "k": number(15, 25),
        },
        inputs=(lists(tuples(_NAME, integers(14, 26, far=99)), 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`$f words` is the list `words` sorted with the $long first; words of the same length come in $order.",
            "Sort the list `words`: the $long first, and words of equal length in $order. That is `$f words`.",
        ),
        names=("by_length", "length_then_letters", "sort_by_two"),
        signature="string list -> string list",
        code="let $f words =\n  let order v w =\n    match compare $long with\n    | 0 -> compare $order\n    | c -> c\n  in\n"
        "  List.sort order words",
        gaps={
            "long": (
                ("shortest", "(String.length v) (String.length w)"),
                ("longest", "(String.length w) (String.length v)"),
            ),
            "order": (("alphabetical order", "v w"), ("reverse alphabetical order", "w v")),
        },
        inputs=(lists(_WORD, 0, 6, far=14),),
    ),
    Task(
        level=2,
        says=(
            "A book has a `title` and a number of `pages`. `$f books` has the titles of the books, $order. Books that "
            "count the same stay in their old order.",
            "Given a list of books, return their titles, $order: `$f books`. Books that tie keep the order in which they "
            "are given.",
        ),
        names=("titles", "shelf", "reading_list"),
        signature="type book = { title : string; pages : int }\n\nval $f : book list -> string list",
        code="type book = { title : string; pages : int }\n\nlet $f books =\n"
        "  let sorted = List.stable_sort (fun x y -> $order) books in\n  List.map (fun book -> book.title) sorted",
        gaps={
            "order": (
                ("beginning with the thinnest book", "compare x.pages y.pages"),
                ("beginning with the thickest book", "compare y.pages x.pages"),
                ("in reverse alphabetical order", "compare y.title x.title"),
                ("those with the shortest titles first", "compare (String.length x.title) (String.length y.title)"),
                ("those closest to $k pages first", "compare (abs (x.pages - $k)) (abs (y.pages - $k))"),
            ),
            "k": number(40, 90),
        },
        inputs=(
            lists(
                Input(
                    lambda chance: f"{{ title = {_WORD.draw(chance)}; pages = {10 * chance.between(2, 12)} }}",
                    ('{ title = "oak"; pages = 50 }',),
                ),
                0,
                4,
                10,
            ),
        ),
    ),
    *(
        Task(
            level=2,
            says=(
                f"The list `l` is in {words} order. `$f l` is this list with $k put in at a place where it fits, so that it "
                "is still in order$once.",
                f"Insert the number $k into the list `l`, which is in {words} order, such that the list `$f l` is in this "
                "order, too$once. Use recursion.",
            ),
            names=("insert_$k", "with_$k"),
            signature="int list -> int list",
            code=f"let rec $f l =\n  match l with\n  | [] -> [ $k ]\n  | x :: rest -> if $k {sign}$once",
            gaps={
                "once": (
                    ("", "= x then $k :: l else x :: $f rest"),
                    (
                        "; if $k is in it already, the list stays the same",
                        " x then $k :: l else if x = $k then l else x :: $f rest",
                    ),
                ),
                "k": number(0, 25),
            },
            inputs=(_sorted_list(direction, again=True),),
        )
        for words, sign, direction in (("ascending", "<", 1), ("descending", ">", -1))
    ),
    Task(
        level=2,
        says=(
            "The lists `a` and `b` are in ascending order, and neither has an element twice. `$f a b` is the ascending list of "
            "$result.",
            "Walk along two ascending lists, in each of which no element occurs twice: `$f a b` is the ascending list of "
            "$result. Compare the first elements and use recursion.",
        ),
        names=("walk_both", "two_sorted", "merge_lists"),
        signature="int list -> int list -> int list",
        code="let rec $f a b =\n  match (a, b) with\n  $result",
        gaps={"result": _WALKS},
        inputs=(_sorted_list(1, 12), _sorted_list(1, 12)),
    ),
    Task(
        level=2,
        says=(
            "`$f l` tells whether in the list `l` each element $than the next one. It is `true` for lists of fewer than "
            "two elements.",
            "Go through the list `l` with recursion: is it so that every element $than the one after it? `$f l` answers "
            "that; a list of one element or none passes.",
        ),
        names=("in_order", "goes_well", "is_chain"),
        signature="string list -> bool",
        code="let rec $f l =\n  match l with\n  | x :: (y :: _ as rest) -> $than && $f rest\n  | _ -> true",
        gaps={
            "than": (
                ("is shorter than", "String.length x < String.length y"),
                ("is longer than", "String.length x > String.length y"),
                ("comes earlier in alphabetical order than", "x < y"),
                ("comes later in alphabetical order than", "x > y"),
            ),
        },
        inputs=(_OFTEN_IN_ORDER,),
    ),
    Task(
        level=2,
        says=(
            "`$f n l` has the `n` $extreme $among, the $extreme first, or all elements if there are "
            "fewer. `n` is not negative, and equal elements all count.",
            "Which are the `n` $extreme $among? Return them sorted, with the $extreme first: `$f n l`. If there are fewer than "
            "`n`, return all of them; `n` is at least 0.",
        ),
        names=("$extreme", "top_$extreme"),
        signature="int -> int list -> int list",
        code="let $f n l =\n  let sorted = List.sort $extreme $among in\n  List.filteri (fun i _ -> i < n) sorted",
        gaps={
            "extreme": (
                ("smallest", "compare", "smallest"),
                ("greatest", "(fun x y -> compare y x)", "greatest"),
            ),
            "among": (
                ("elements of the list `l`", "l"),
                ("elements of the list `l` above $k", "(List.filter (fun x -> x > $k) l)"),
                ("elements of the list `l` below $k", "(List.filter (fun x -> x < $k) l)"),
            ),
            "k": number(5, 25),
        },
        inputs=(integers(0, 5, far=20), lists(integers(far=1_000))),
    ),
    Task(
        level=2,
        says=(
            "For a list `words`, `$f words` is `Some` of the $best, or `None` if the list is empty. If there are several "
            "such words, the first of them counts.",
            "Find the $best of `words` in one pass. `$f words` is an option: `None` if there are no words. Of "
            "several such words take the first.",
        ),
        names=("best_word", "find_word", "winner"),
        signature="string list -> string option",
        code="let $f words =\n  match words with\n  | [] -> None\n"
        "  | w :: rest -> Some (List.fold_left (fun best x -> if $best then x else best) w rest)",
        gaps={
            "best": (
                ("longest word", "String.length x > String.length best"),
                ("shortest word", "String.length x < String.length best"),
                ("alphabetically last word", "x > best"),
                ("alphabetically first word", "x < best"),
                ("word whose length is closest to $n", "abs (String.length x - $n) < abs (String.length best - $n)"),
            ),
            "n": number(4, 6),
        },
        inputs=(lists(_WORD, 0, 5, far=12),),
    ),
    Task(
        level=2,
        says=(
            "Parcels have a number and are `Small`, `Medium` or `Large`. `$f parcels` is the list `parcels` $order. "
            "Parcels of the same size stay in their old order.",
            "A list `parcels` has pairs of a number and a size. Return it $order; parcels of the same size keep their "
            "order: `$f parcels`.",
        ),
        names=("by_size", "load", "pack"),
        signature="type size = Small | Medium | Large\n\nval $f : (int * size) list -> (int * size) list",
        code="type size = Small | Medium | Large\n\nlet $f parcels = $order",
        gaps={
            "order": (
                ("sorted with the smallest first", "List.stable_sort (fun (_, s) (_, t) -> compare s t) parcels"),
                ("sorted with the largest first", "List.stable_sort (fun (_, s) (_, t) -> compare t s) parcels"),
                (
                    "without the small ones, and sorted with the medium ones first",
                    "\n  List.filter (fun (_, s) -> s <> Small) parcels\n"
                    "  |> List.stable_sort (fun (_, s) (_, t) -> compare s t)",
                ),
                (
                    "without the large ones, and sorted with the medium ones first",
                    "\n  List.filter (fun (_, s) -> s <> Large) parcels\n"
                    "  |> List.stable_sort (fun (_, s) (_, t) -> compare t s)",
                ),
            ),
        },
        inputs=(lists(tuples(integers(1, 20), one_of("Small", "Medium", "Large")), 0, 6, far=12),),
    ),
)
