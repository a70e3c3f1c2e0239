"""Small tasks on the words of a sentence: splitting at spaces, counting, finding, changing and joining words."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, sentences
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import text

__all__ = ["FAMILY", "TASKS"]

_FEW_WORDS = ("bee", "fig", "ivy", "oak")
_VARIED_WORDS = (
    *_FEW_WORDS,
    "noon",
    "fern",
    "opal",
    "eagle",
    "igloo",
    "ember",
    "otter",
    "oasis",
    "iris",
    "violet",
    "spruce",
    "willow",
    "quartz",
    "ebb",
)


def _count(chance: Chance) -> int:
    """A number of words, sometimes so large that their numbers have two digits."""
    return chance.between(10, 13) if chance.happens(0.08) else chance.between(1, 5)


def _sentence(chance: Chance) -> str:
    """Words, some of them repeated."""
    words = chance.sample(WORDS, 3) if chance.happens(0.3) else WORDS
    return text(" ".join(chance.pick(words) for _ in range(_count(chance))))


def _few(chance: Chance) -> str:
    return text(" ".join(chance.pick(_FEW_WORDS) for _ in range(_count(chance))))


def _varied(chance: Chance) -> str:
    return text(" ".join(chance.pick(_VARIED_WORDS) for _ in range(_count(chance))))


def _spaced(chance: Chance) -> str:
    """Words with one space or more between them, and perhaps around them."""
    made = "".join(" " * chance.between(1, 3) + chance.pick(WORDS) for _ in range(chance.between(0, 4)))
    return text(made[chance.between(0, 1) :] + " " * chance.between(0, 2))


def _titled(chance: Chance) -> str:
    """Words, some with a capital."""
    drawn = (chance.pick(WORDS) for _ in range(_count(chance)))
    return text(" ".join(word.capitalize() if chance.happens(0.4) else word for word in drawn))


def _pair(chance: Chance) -> str:
    """Two words most of the time."""
    size = 2 if chance.happens(0.75) else chance.between(1, 4)
    change = chance.pick((str.capitalize, str.capitalize, str.capitalize, str.upper, str.lower))
    return text(" ".join(change(chance.pick(WORDS)) for _ in range(size)))


def _chained(chance: Chance) -> str:
    drawn = (chance.pick(("oak", "kelp", "otter", "raven", "fig")) for _ in range(_count(chance)))
    return text(" ".join(drawn))


_SENTENCE = Input(_sentence, ('"a"', '"a b"', '"b a b"'))
_FEW = Input(_few)
_WORD = one_of(*map(text, _FEW_WORDS))
_VARIED = Input(_varied)
_CHAIN = Input(_chained)
_SPACED = Input(_spaced, ('""', '" "'))
_SPLIT = "String.split_on_char ' ' s"
_TESTS = (
    ("with more than $k letters", "String.length w > $k", "long"),
    ("with at most $k letters", "String.length w <= $k", "short"),
    ("that contain the letter `$x`", "String.contains w '$x'", "with_letter"),
    ("that begin with a letter from a to $y", "w.[0] <= '$y'", "early"),
    ("with an odd number of letters", "String.length w mod 2 = 1", "odd"),
    ("without the letter `$x`", "not (String.contains w '$x')", "without_letter"),
    ("that end in `$end`", "w.[String.length w - 1] = '$end'", "ending"),
)
_GAPS: dict[str, Gap] = {
    "k": number(3, 4),
    "x": tuple((c,) for c in "aeiolrn"),
    "y": tuple((c,) for c in "efghijklm"),
    "end": tuple((c,) for c in "elnr"),
    "words": (("`s`", f"({_SPLIT})"),),
    "test": _TESTS,
    "fair": _TESTS[1:-1],
}
_NUMBERS: Gap = (
    ("the number of words", "List.length $words", "count_words"),
    ("the number of spaces, one fewer than the words", "List.length $words - 1", "count_gaps"),
    ("the length of the first word", "String.length (List.hd $words)", "first_length"),
    ("the length of the last word", "String.length (List.hd (List.rev $words))", "last_length"),
    ("the number of letters in all words, without the spaces", 'String.length (String.concat "" $words)', "letters"),
    (
        "the length of the longest word",
        "List.fold_left (fun n w -> max n (String.length w)) 0 $words",
        "longest",
    ),
    (
        "the number of words $test",
        "List.length (List.filter (fun w -> $test) $words)",
        "count_$test",
    ),
    (
        "the number of different words",
        "List.length (List.sort_uniq compare $words)",
        "different",
    ),
)
_STRINGS: Gap = (
    ("the first word of `s`", "List.hd $words", "first_word"),
    ("the last word of `s`", "List.hd (List.rev $words)", "last_word"),
    (
        "the words of `s` in reverse order, with single spaces between",
        'String.concat " " (List.rev $words)',
        "reversed",
    ),
    (
        "the words of `s` in alphabetical order, with single spaces between",
        'String.concat " " (List.sort compare $words)',
        "sorted",
    ),
    ("the words of `s` without any spaces between them", 'String.concat "" $words', "glued"),
    ("`s` with a `$sep` in place of each space", 'String.concat "$sep" $words', "without_spaces"),
    ("`s` without its first word, and empty if there is no other", 'String.concat " " (List.tl $words)', "rest"),
    ("the word of `s` that comes first in the alphabet", "List.hd (List.sort compare $words)", "earliest"),
    ("the word of `s` that comes last in the alphabet", 'List.fold_left max "" $words', "latest"),
    (
        "a string of the first letters of all words",
        'String.concat "" (List.map (fun w -> String.make 1 w.[0]) $words)',
        "initials",
    ),
    (
        "the words of `s` $test, joined by single spaces",
        'String.concat " " (List.filter (fun w -> $test) $words)',
        "keep_$test",
    ),
    ("`s` with $each", 'String.concat " " (List.map (fun w -> $each) $words)', "$each"),
)
_EACH: Gap = (
    ("each word capitalised", "String.capitalize_ascii w", "capitalised"),
    ("each word in round brackets", '"(" ^ w ^ ")"', "bracketed"),
    ("a `$mark` behind each word", 'w ^ "$mark"', "marked"),
    ("each word shortened to its first two letters", "String.sub w 0 (min 2 (String.length w))", "shortened"),
    ("each word written twice, without a space between", "w ^ w", "doubled"),
    ("each word replaced by its length", "string_of_int (String.length w)", "lengths"),
    ("each word replaced by as many `$mark` as it has letters", "String.make (String.length w) '$mark'", "hidden"),
    (
        "its last letter moved to the front of each word",
        "String.(sub w (length w - 1) 1 ^ sub w 0 (length w - 1))",
        "turned",
    ),
)
_LISTS: Gap = (
    ("all of them, the last one first", "List.rev $words", "words_back"),
    ("all of them in alphabetical order", "List.sort compare $words", "sorted_words"),
    ("the different ones among them, in alphabetical order", "List.sort_uniq compare $words", "vocabulary"),
    ("all of them in capital letters", "List.map String.uppercase_ascii $words", "loud_words"),
    ("those $test", "List.filter (fun w -> $test) $words", "words_$test"),
    ("all of them but the first one", "List.tl $words", "other_words"),
    (
        "all of them, numbered as in `1 oak`",
        'List.mapi (fun i w -> string_of_int (i + 1) ^ " " ^ w) $words',
        "numbered",
    ),
    ("all of them, each with a `$mark` before it", 'List.map (fun w -> "$mark" ^ w) $words', "items"),
)
_QUESTIONS: Gap = (
    ("`w` is one of the words", "List.mem w $words", "has_word"),
    ("`w` is the first word", "w = List.hd $words", "begins_with"),
    ("`w` is the last word", "w = List.hd (List.rev $words)", "ends_with"),
    ("`w` is not among the words", "not (List.mem w $words)", "lacks"),
    ("`w` is among the words behind the first one", "List.mem w (List.tl $words)", "mentions_later"),
)
_BEST: Gap = (
    (
        "the longest word of the sentence `s`, the first one if several are",
        "String.length w > String.length best",
        "longest",
    ),
    (
        "the longest word of the sentence `s`, the last one if several are",
        "String.length w >= String.length best",
        "longest",
    ),
    (
        "the shortest word of the sentence `s`, the first one if several are",
        "String.length w < String.length best",
        "shortest",
    ),
    (
        "the shortest word of the sentence `s`, the last one if several are",
        "String.length w <= String.length best",
        "shortest",
    ),
    (
        "the first word of the sentence `s` whose last letter is the latest one in the alphabet",
        "w.[String.length w - 1] > best.[String.length best - 1]",
        "latest_end",
    ),
)
_TWO: Gap = (
    ('is `Some "Jones, Ada"`', 'Some (last ^ ", " ^ first)', "listed"),
    ('is `Some "A. Jones"`', 'Some (String.make 1 first.[0] ^ ". " ^ last)', "short_name"),
    ('is `Some "Ada J."`', 'Some (first ^ " " ^ String.make 1 last.[0] ^ ".")', "informal"),
    ('is `Some "AJ"`', "Some (String.make 1 first.[0] ^ String.make 1 last.[0])", "monogram"),
    ('is `Some "ADA jones"`', 'Some (String.uppercase_ascii first ^ " " ^ String.lowercase_ascii last)', "mixed"),
    ('is `Some "ada.jones"`', 'Some (String.lowercase_ascii (first ^ "." ^ last))', "account"),
)
_TIDY: Gap = (
    ("the words of `s` with a single space between neighbours", 'String.concat " " words', "tidy"),
    ("the words of `s` with a `$sep` between neighbours", 'String.concat "$sep" words', "joined"),
    (
        "the words of `s`, the last one first, with single spaces between",
        'String.concat " " (List.rev words)',
        "tidy_back",
    ),
    (
        "the words of `s`, each capitalised, with single spaces between",
        'String.concat " " (List.map String.capitalize_ascii words)',
        "capitals",
    ),
    (
        "the words of `s`, each with a full stop behind it, without spaces",
        'String.concat "" (List.map (fun w -> w ^ ".") words)',
        "dotted",
    ),
)
_CHANGED: Gap = (
    ("spelled backwards", "String.init (String.length w) (fun i -> w.[String.length w - 1 - i])", "backwards"),
    ("followed by its length, as in `oak3`", "w ^ string_of_int (String.length w)", "measured"),
    (
        "in capitals if it has more than $k letters",
        "if String.length w > $k then String.uppercase_ascii w else w",
        "stressed",
    ),
    ("replaced by `$mark` if it has fewer than $k letters", 'if String.length w < $k then "$mark" else w', "censored"),
    (
        "cut off after $k letters, with a full stop behind it, if it is longer than that",
        'if String.length w > $k then String.sub w 0 $k ^ "." else w',
        "abbreviated",
    ),
    (
        "capitalised if it contains the letter `$x`",
        "if String.contains w '$x' then String.capitalize_ascii w else w",
        "capitals",
    ),
    ("in round brackets if it begins with `$x`", 'if w.[0] = \'$x\' then "(" ^ w ^ ")" else w', "bracketed"),
    (
        "capitalised, unless it is `fig` or `bee`",
        'if List.mem w [ "fig"; "bee" ] then w else String.capitalize_ascii w',
        "title",
    ),
)
_WALK: Gap = (
    (
        "the part of `words` before the first `w`, which is all of it without a `w`",
        "| x :: rest when x <> w -> x :: $f w rest\n  | _ -> []",
        "before",
    ),
    (
        "the part of `words` from the first `w` on, which is empty without a `w`",
        "| x :: rest when x <> w -> $f w rest\n  | _ -> words",
        "from",
    ),
    (
        "`words` without its first `w`, if it has any",
        "| [] -> []\n  | x :: rest -> if x = w then rest else x :: $f w rest",
        "without_first",
    ),
    (
        "`words` with the word `w` before each of its words",
        "| [] -> []\n  | x :: rest -> w :: x :: $f w rest",
        "intersperse",
    ),
    (
        "`words` with the first letter of each `w` as a capital",
        "| [] -> []\n  | x :: rest -> (if x = w then String.capitalize_ascii x else x) :: $f w rest",
        "stress",
    ),
    (
        "`words` without the words that come before `w` in the alphabet",
        "| [] -> []\n  | x :: rest -> if x < w then $f w rest else x :: $f w rest",
        "later",
    ),
)
_PAIRS: Gap = (
    ("the number of words and the number of their letters", "(a + 1, b + String.length w)"),
    ("the number of words $test and the number of the other words", "if $test then (a + 1, b) else (a, b + 1)"),
    (
        "the number of words $test and the number of their letters",
        "if $test then (a + 1, b + String.length w) else (a, b)",
    ),
    ("the number of words and the length of the longest one", "(a + 1, max b (String.length w))"),
)
_NEXT: Gap = (
    ("a word is followed by the same word", "a = b", "repeats"),
    ("a word is followed by one that is later in the alphabet", "a < b", "rises"),
    ("a word is followed by a longer one", "String.length a < String.length b", "growths"),
    ("a word is followed by one that begins with the same letter", "a.[0] = b.[0]", "alliterations"),
    ("a word is followed by one that begins with its last letter", "a.[String.length a - 1] = b.[0]", "links"),
)
TASKS = (
    Task(
        level=1,
        says=(
            "`$f s` is $what in the sentence `s`, where single spaces separate the words.",
            "A sentence has at least one word, and single spaces between words. Write `$f s`, which returns $what.",
            "Write a function `$f s` that finds $what in a sentence `s`. The words have single spaces between them.",
        ),
        names=("$what", "${what}_of"),
        signature="string -> int",
        code="let $f s = $what",
        gaps={**_GAPS, "what": _NUMBERS},
        inputs=(_SENTENCE,),
    ),
    Task(
        level=1,
        says=(
            "A sentence `s` has one word or more in small letters, with single spaces between. `$f s` is $what.",
            "Write `$f s`, which returns $what. Single spaces separate the words of `s`, which are in small letters.",
        ),
        names=("$what",),
        signature="string -> string",
        code="let $f s = $what",
        gaps={
            **_GAPS,
            "what": _STRINGS,
            "each": _EACH,
            "sep": (("-",), ("_",), ("/",), ("+",)),
            "mark": (("!",), ("*",), ("?",), ("#",)),
        },
        inputs=(_SENTENCE,),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is a list of words of the sentence `s`: $what. Single spaces separate the words.",
            "Split the sentence `s` at its single spaces, and list its words: `$f s` has $what.",
        ),
        names=("$what",),
        signature="string -> string list",
        code="let $f s = $what",
        gaps={**_GAPS, "what": _LISTS, "mark": (("-",), ("*",), ("#",))},
        inputs=(_SENTENCE,),
    ),
    Task(
        level=1,
        says=(
            "`$f w s` tells if $what of the sentence `s`, in which single spaces separate the words.",
            "Find out if $what of the sentence `s`; words have single spaces between them. `$f w s` is `true` or `false`.",
        ),
        names=("$what",),
        signature="string -> string -> bool",
        code="let $f w s = $what",
        gaps={**_GAPS, "what": _QUESTIONS},
        inputs=(_WORD, _FEW),
    ),
    Task(
        level=1,
        says=(
            "`$f s` tells if the sentence `s` has $some $fair. Single spaces separate the words.",
            "Does the sentence `s` have $some $fair? `$f s` is `true` if so. There are single spaces between the words.",
        ),
        names=("${some}_$fair",),
        signature="string -> bool",
        code="let $f s = $some",
        gaps={
            **_GAPS,
            "some": (
                ("any words", "List.exists (fun w -> $fair) $words", "any"),
                ("only words", "List.for_all (fun w -> $fair) $words", "only"),
                ("no words", "not (List.exists (fun w -> $fair) $words)", "no"),
            ),
        },
        inputs=(sentences(3),),
    ),
    Task(
        level=1,
        says=(
            "Of the words $test in the sentence `s`, `$f s` is `Some` of the first one, or `None` if there are none.",
            "Find the first one of the words $test in the sentence `s`. `$f s` is `Some` of it, or `None` without any.",
        ),
        names=("first_$test", "find_$test"),
        signature="string -> string option",
        code="let $f s = List.find_opt (fun w -> $test) $words",
        gaps=_GAPS,
        inputs=(_SENTENCE,),
    ),
    Task(
        level=1,
        says=(
            "The words of the sentence `s` are numbered from $from. `$f n s` is `Some` of the word with the number `n`, or "
            "`None`.",
            "`$f n s` is `Some` of the word number `n` of the sentence `s`, counted from $from, or `None` if there is none.",
        ),
        names=("nth_word", "word_number"),
        signature="int -> string -> string option",
        code="let $f n s = if $from",
        gaps={
            **_GAPS,
            "from": (
                ("0", "n < 0 then None else List.nth_opt $words n"),
                ("1", "n < 1 then None else List.nth_opt $words (n - 1)"),
                ("0 at the last word", "n < 0 then None else List.nth_opt (List.rev $words) n"),
                ("1 at the last word", "n < 1 then None else List.nth_opt (List.rev $words) (n - 1)"),
            ),
        },
        inputs=(integers(-1, 5, far=20), _SENTENCE),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is $best. Single spaces separate the words, and there is at least one.",
            "Write a function `$f s` that finds $best. There is at least one word, and single spaces stand between words.",
        ),
        names=("$best", "${best}_word"),
        signature="string -> string",
        code=f"let $f s =\n  let words = {_SPLIT} in\n  let better best w = if $best then w else best in\n"
        "  List.fold_left better (List.hd words) words",
        gaps={"best": _BEST},
        inputs=(_SENTENCE,),
    ),
    Task(
        level=2,
        says=(
            '`$f "Ada Jones"` $two, and likewise for all strings of two words with one space between. For strings with '
            "fewer or more words it is `None`.",
            "If `s` is two words with one space between, `$f s` is `Some` text made of them, and else `None`: "
            '`$f "Ada Jones"` $two.',
        ),
        names=("$two", "${two}_opt"),
        signature="string -> string option",
        code=f"let $f s =\n  match {_SPLIT} with\n  | [ first; last ] -> $two\n  | _ -> None",
        gaps={"two": _TWO},
        inputs=(Input(_pair, ('""', '"Ada"', '"Ada  Jones"', '"Ada B Jones"')),),
    ),
    Task(
        level=2,
        says=(
            "In the string `s` there may be several spaces between words, and before and behind them. `$f s` is $tidy. "
            "It is empty if there are no words.",
            "A string has been typed with too many spaces: between the words, and perhaps around them. `$f s` is $tidy, "
            "and empty if there are only spaces.",
        ),
        names=("$tidy", "${tidy}_words"),
        signature="string -> string",
        code=f'let $f s =\n  let words = List.filter (fun w -> w <> "") ({_SPLIT}) in\n  $tidy',
        gaps={"tidy": _TIDY, "sep": (("-",), ("_",), ("/",), (", ",))},
        inputs=(_SPACED,),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the sentence `s` with each of its words $changed. Single spaces separate the words.",
            "Single spaces separate the words of `s`. Write `$f s`, which returns the sentence with each word $changed.",
        ),
        names=("$changed", "${changed}_words"),
        signature="string -> string",
        code=f'let $f s =\n  let change w = $changed in\n  {_SPLIT}\n  |> List.map change\n  |> String.concat " "',
        gaps={
            "changed": _CHANGED,
            "k": number(4, 5),
            "mark": (("...",), ("x",), ("#",), ("-",)),
            "x": (("e",), ("i",), ("o",)),
        },
        inputs=(_VARIED,),
    ),
    Task(
        level=2,
        says=(
            "`$f w words` is $walk.",
            "For a word `w` and a list `words`, write a recursive function `$f w words` that returns $walk.",
        ),
        names=("$walk", "${walk}_word"),
        signature="string -> string list -> string list",
        code="let rec $f w words =\n  match words with\n  $walk",
        gaps={"walk": _WALK},
        inputs=(_WORD, lists(_WORD, 0, 6, far=12)),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the pair of $pair in the sentence `s`. Single spaces separate its words, of which there is at least one.",
            "Count twice: $pair in a sentence `s` of one word or more, with single spaces between words. `$f s` is the pair of both.",
        ),
        names=("count_both", "statistics", "summary", "measure"),
        signature="string -> int * int",
        code=f"let $f s =\n  List.fold_left\n    (fun (a, b) w -> $pair)\n    (0, 0)\n    ({_SPLIT})",
        gaps={**_GAPS, "pair": _PAIRS},
        inputs=(_SENTENCE,),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is how often in the sentence `s` $next. Single spaces separate the words.",
            "How often in the sentence `s`, with single spaces between words, is it true that $next? Write `$f s`.",
        ),
        names=("$next", "count_$next"),
        signature="string -> int",
        code="let $f s =\n  let rec count = function\n    | a :: (b :: _ as rest) -> (if $next then 1 else 0) + count rest\n"
        f"    | _ -> 0\n  in\n  count ({_SPLIT})",
        gaps={"next": _NEXT},
        inputs=(_CHAIN,),
    ),
    Task(
        level=2,
        says=(
            "Names are the words of `s` that begin with a capital letter. `$f s` is $names. Single spaces separate words.",
            "In the sentence `s`, single spaces separate the words, and a capital letter at the beginning marks a name. "
            "Write `$f s`, which returns $names.",
        ),
        names=("$names", "${names}_of"),
        signature="string -> string",
        code=f"let $f s =\n  let is_name w = w = String.capitalize_ascii w in\n  {_SPLIT}\n  |> $names",
        gaps={
            "names": (
                ("the names, with single spaces between", 'List.filter is_name\n  |> String.concat " "', "names"),
                ("the names, with ` and ` between them", 'List.filter is_name\n  |> String.concat " and "', "people"),
                (
                    "`s` without its names, with single spaces between the other words",
                    'List.filter (fun w -> not (is_name w))\n  |> String.concat " "',
                    "nameless",
                ),
                (
                    "`s` with `$who` in place of each name",
                    'List.map (fun w -> if is_name w then "$who" else w)\n  |> String.concat " "',
                    "discreet",
                ),
                (
                    "`s` with a `*` behind each name",
                    'List.map (fun w -> if is_name w then w ^ "*" else w)\n  |> String.concat " "',
                    "marked_names",
                ),
            ),
            "who": (("X",), ("someone",), ("N",), ("she",), ("they",)),
        },
        inputs=(Input(_titled),),
    ),
)

FAMILY = Family(
    name="strings.words",
    topics=("strings", "lists"),
    description="the words of a sentence: counted, found, changed and joined",
    tasks=TASKS,
)
