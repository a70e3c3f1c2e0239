"""Small tasks on letters: questions about single characters, their codes, and the characters of a string."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, characters, integers, lists, texts
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import text

__all__ = ["FAMILY", "TASKS"]

_GROUPS = ("aeiou", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", " .,-", "+-*/")


def _mixed(chance: Chance) -> str:
    """Characters of one kind, and perhaps others."""
    group, share = chance.pick(_GROUPS), chance.pick((0.1, 0.1, 0.3, 1.0))
    size = chance.between(12, 25) if chance.happens(0.08) else chance.between(1, 9)
    return text("".join(chance.pick(group) if chance.happens(share) else chance.character() for _ in range(size)))


def _one_of(characters: str) -> Gap:
    return tuple((c,) for c in characters)


_FILLED = Input(_mixed)
_MIXED = Input(_mixed, ('""',))
_LETTER = characters("abcdefghijklmnopqrstuvwxyz")
_INNER = characters("fghijklmnopqrstu")
_DIGIT = characters("0123456789")
_CLOSE = texts(0, 8, "aabbccdde", far=20)

_KINDS = (  # singular, plural, a test of c, a name
    ("a digit", "digits", "'0' <= c && c <= '9'", "digit"),
    ("a small letter", "small letters", "'a' <= c && c <= 'z'", "small"),
    ("a capital letter", "capital letters", "'A' <= c && c <= 'Z'", "capital"),
    ("a letter from `$low` to `$high`", "letters from `$low` to `$high`", "'$low' <= c && c <= '$high'", "in_range"),
    ("a space", "spaces", "c = ' '", "space"),
    ("the letter `$x`", "letters `$x`", "c = '$x'", "letter"),
    ("a comma or a full stop", "commas and full stops", "c = ',' || c = '.'", "comma_or_stop"),
    ("one of the vowels a, e, i, o, u", "vowels (a, e, i, o, u)", 'String.contains "aeiou" c', "vowel"),
    ("one of the signs `+`, `-` and `*`", "signs `+`, `-` and `*`", 'String.contains "+-*" c', "operator"),
)
_GAPS: dict[str, Gap] = {
    "one": tuple((noun, test, name) for noun, _, test, name in _KINDS),
    "many": tuple((plural, test, name) for _, plural, test, name in _KINDS),
    "low": _one_of("bdefg"),
    "high": _one_of("lmnopqrtu"),
    "x": _one_of("abdefghilmnoprtuvw"),
    "sign": _one_of("*#_?"),
    "k": number(2, 5),
}
_PLACES: Gap = (("first", "s.[0]", "first"), ("last", "s.[String.length s - 1]", "last"))
_SOME: Gap = (
    ("a character", "String.exists (fun c -> $one) s", "has"),
    ("no character", "not (String.exists (fun c -> $one) s)", "no"),
)
_PICKED: Gap = (
    ("the last character of `s`", "s.[String.length s - 1]", "last"),
    ("the last character of `s` but one", "s.[String.length s - 2]", "last_but_one"),
    ("the character of `s` at index 2", "s.[2]", "third"),
    ("the character at index `n / 2` of `s`, where `n` is its length", "s.[String.length s / 2]", "middle"),
    ("the first character of `s`, as a capital if it is a letter", "Char.uppercase_ascii s.[0]", "capital"),
    ("the smaller one of the first two characters of `s`", "min s.[0] s.[1]", "smaller"),
    ("the larger one of the first and the last character of `s`", "max s.[0] s.[String.length s - 1]", "larger_end"),
    ("the smallest of all characters of `s`", "String.fold_left min s.[0] s", "smallest"),
    ("the largest of all characters of `s`", "String.fold_left max s.[0] s", "largest"),
)
_NUMBERED: Gap = (
    ("the place of `c` in the alphabet, counted from 0", "Char.code c - Char.code 'a'", "index"),
    ("the number of letters behind `c` in the alphabet", "Char.code 'z' - Char.code c", "letters_behind"),
    ("the code of the same letter as a capital", "Char.code (Char.uppercase_ascii c)", "capital_code"),
    ("how far `c` is from `m` in the alphabet, before or behind it", "abs (Char.code c - Char.code 'm')", "distance"),
    ("2 for `a`, 4 for `b`, 6 for `c`, and so on", "2 * (Char.code c - Char.code 'a' + 1)", "double_place"),
)
_BESIDE: Gap = (
    ("the letter after `c` in the alphabet", "Char.chr (Char.code c + 1)", "next"),
    ("the letter before `c` in the alphabet", "Char.chr (Char.code c - 1)", "previous"),
    ("the letter $k places behind `c` in the alphabet", "Char.chr (Char.code c + $k)", "letter_behind"),
    ("the letter $k places before `c` in the alphabet", "Char.chr (Char.code c - $k)", "letter_before"),
    (
        "the letter after `c` in the alphabet, as a capital",
        "Char.uppercase_ascii (Char.chr (Char.code c + 1))",
        "capital_after",
    ),
    ("its mirror image in the alphabet: `z` for `a`, `y` for `b`", "Char.chr (97 + 122 - Char.code c)", "mirrored"),
)
_OF_DIGITS: Gap = (
    ("the sum of the two digits", "value a + value b", "sum"),
    ("the product of the two digits", "value a * value b", "product"),
    ("the number that is written as `a` followed by `b`", "(10 * value a) + value b", "number"),
    ("the digit `a` minus the digit `b`, perhaps negative", "value a - value b", "difference"),
    ("the larger one of the two digits, as a number", "max (value a) (value b)", "larger"),
)
_INDEX: Gap = (("first", "String.index_opt", "first"), ("last", "String.rindex_opt", "last"))
_SEARCH: Gap = (
    ("first", "i = String.length s then None else if ok s.[i] then Some i else from (i + 1)\n  in\n  from 0", "first"),
    (
        "last",
        "i < 0 then None else if ok s.[i] then Some i else from (i - 1)\n  in\n  from (String.length s - 1)",
        "last",
    ),
)
_REST: Gap = (
    ("`l` without the `c`s at its front", "| x :: rest when x = c -> $f c rest\n  | _ -> l", "skip"),
    (
        "the part of `l` before its first `c`, which is all of `l` if there is no `c`",
        "| x :: rest when x <> c -> x :: $f c rest\n  | _ -> []",
        "before",
    ),
    (
        "the part of `l` behind its first `c`, which is empty if there is no `c`",
        "| [] -> []\n  | x :: rest -> if x = c then rest else $f c rest",
        "behind",
    ),
    (
        "`l` without its first `c`, which is `l` itself if there is no `c`",
        "| [] -> []\n  | x :: rest -> if x = c then rest else x :: $f c rest",
        "remove_first",
    ),
    (
        "`l` with each `c` in it written twice",
        "| [] -> []\n  | x :: rest -> if x = c then c :: c :: $f c rest else x :: $f c rest",
        "double",
    ),
    (
        "`l` with a `c` behind each of its characters",
        "| [] -> []\n  | x :: rest -> x :: c :: $f c rest",
        "mingle",
    ),
)
_CHANGE: Gap = (
    (
        "every small letter replaced by the one before it in the alphabet, and `a` by `z`",
        "| 'a' -> 'z'\n    | 'b' .. 'z' as c -> Char.chr (Char.code c - 1)",
        "previous_letters",
    ),
    (
        "every capital letter replaced by the next one in the alphabet, and `Z` by `A`",
        "| 'Z' -> 'A'\n    | 'A' .. 'Y' as c -> Char.chr (Char.code c + 1)",
        "next_capitals",
    ),
    (
        "every digit replaced by the next one, and `9` by `0`",
        "| '9' -> '0'\n    | '0' .. '8' as c -> Char.chr (Char.code c + 1)",
        "next_digits",
    ),
    (
        "`e` for `a`, `i` for `e`, `o` for `i`, `u` for `o`, and `a` for `u`",
        "| 'a' -> 'e'\n    | 'e' -> 'i'\n    | 'i' -> 'o'\n    | 'o' -> 'u'\n    | 'u' -> 'a'",
        "next_vowels",
    ),
    (
        "capitals for the small letters from a to m, and a `.` for each of those from n to z",
        "| 'a' .. 'm' as c -> Char.uppercase_ascii c\n    | 'n' .. 'z' -> '.'",
        "half_capitals",
    ),
    (
        "an `A` for every capital letter, an `a` for every small letter, and a `0` for every digit",
        "| 'A' .. 'Z' -> 'A'\n    | 'a' .. 'z' -> 'a'\n    | '0' .. '9' -> '0'",
        "pattern",
    ),
)
_NEXT_TO: Gap = (
    ("how often two equal characters stand next to each other in `s`; `aaa` has 2", "s.[i] = s.[i + 1]", "doubles"),
    ("how many characters of `s` are smaller than the one right behind them", "s.[i] < s.[i + 1]", "rises"),
    ("how often `$x` is directly followed by `$y` in `s`", "s.[i] = '$x' && s.[i + 1] = '$y'", "pairs"),
    (
        "how often in `s`, which has small letters only, one is directly followed by the next one of the alphabet, as in `de`",
        "Char.code s.[i + 1] = Char.code s.[i] + 1",
        "neighbours",
    ),
)
_RANGE: Gap = (
    ("all letters from `first` to `last`", "first :: $f (Char.chr (Char.code first + 1)) last", "letters"),
    ("the letters from `last` back to `first`", "last :: $f first (Char.chr (Char.code last - 1))", "backwards"),
    (
        "`first` and every second letter after it, up to `last` at most",
        "first :: $f (Char.chr (Char.code first + 2)) last",
        "every_second",
    ),
    (
        "the letters from `first` to `last`, as capitals",
        "Char.uppercase_ascii first :: $f (Char.chr (Char.code first + 1)) last",
        "capitals",
    ),
)
_KIND = "type kind = Letter | Digit | Sign"

TASKS = (
    Task(
        level=1,
        says=(
            "`$f s` tells if the $end character of the string `s`, which is not empty, is $one.",
            "Is the $end character of `s` $one? `$f s` answers that; `s` has at least one character.",
            "Write a function `$f s` that is `true` if `s`, a string that is not empty, has $one as its $end character.",
        ),
        names=("is_${one}_$end", "${end}_is_$one"),
        signature="string -> bool",
        code="let $f s = let c = $end in $one",
        gaps={**_GAPS, "end": _PLACES},
        inputs=(_FILLED,),
    ),
    Task(
        level=1,
        says=(
            "`$f s` tells if the string `s` has $some that is $one.",
            "Does `s` have $some that is $one? `$f s` is `true` if so.",
        ),
        names=("${some}_$one",),
        signature="string -> bool",
        code="let $f s = $some",
        gaps={**_GAPS, "some": _SOME},
        inputs=(_MIXED,),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the number of $many in the string `s`.",
            "How many $many are there in `s`? Write `$f s` to count them.",
            "Write a function `$f s` that counts the $many of a string.",
        ),
        names=("count_$many", "${many}_count"),
        signature="string -> int",
        code="let $f s =\n  String.fold_left (fun n c -> if $many then n + 1 else n) 0 s",
        gaps=_GAPS,
        inputs=(_MIXED,),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is $what. The string `s` has at least three characters.",
            "The string `s` has three characters or more. Write `$f s`, which returns $what.",
            "Write a function `$f s` that finds $what. All strings given to it have at least three characters.",
        ),
        names=("$what", "pick_$what"),
        signature="string -> char",
        code="let $f s = $what",
        gaps={"what": _PICKED},
        inputs=(texts(3, 9, far=20),),
    ),
    Task(
        level=1,
        says=(
            "For a small letter `c`, `$f c` is $what.",
            "Write `$f c`, which returns $what; `c` is a small letter.",
        ),
        names=("$what", "${what}_of"),
        signature="char -> int",
        code="let $f c = $what",
        gaps={"what": _NUMBERED},
        inputs=(_LETTER,),
    ),
    Task(
        level=1,
        says=(
            "`$f c` is $what, for a letter `c` from f to u.",
            "Let `c` be a letter from f to u. Then `$f c` is $what.",
            "Write a function `$f c` that takes a letter `c` from f to u and returns $what.",
        ),
        names=("$what", "${what}_of"),
        signature="char -> char",
        code="let $f c = $what",
        gaps={"what": _BESIDE, "k": number(2, 5)},
        inputs=(_INNER,),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` is $what; `a` and `b` are characters from `'0'` to `'9'`.",
            "The characters `a` and `b` are digits. Write `$f a b`, which returns $what.",
        ),
        names=("$what", "${what}_of_digits"),
        signature="char -> char -> int",
        code="let $f a b =\n  let value c = Char.code c - Char.code '0' in $what",
        gaps={"what": _OF_DIGITS},
        inputs=(_DIGIT, _DIGIT),
    ),
    Task(
        level=1,
        says=(
            "`$f c s` is `Some` of the index of the $which `c` in the string `s`, or `None` if there is no `c` in it.",
            "Where in `s` is the $which `c`? `$f c s` is `Some` of its index, or `None` if `s` does not have `c`.",
        ),
        names=("${which}_index", "find_$which"),
        signature="char -> string -> int option",
        code="let $f c s = $which s c",
        gaps={"which": _INDEX},
        inputs=(characters("abcde"), _CLOSE),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the string `s` with a `$sign` in place of each character that is $one.",
            "Write `$f s`: every character of `s` that is $one becomes a `$sign`, and the others stay.",
        ),
        names=("hide_$one", "replace_$one"),
        signature="string -> string",
        code="let $f s = String.map (fun c -> if $one then '$sign' else c) s",
        gaps=_GAPS,
        inputs=(_MIXED,),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is `Some` of the index of the $which character in `s` that is $one, or `None` if there is none.",
            "Where is the $which character of `s` that is $one? `$f s` is `Some` of its index, or `None` without one.",
        ),
        names=("find_$one", "${which}_$one"),
        signature="string -> int option",
        code="let $f s =\n  let ok c = $one in\n  let rec from i =\n    if $which",
        gaps={**_GAPS, "which": _SEARCH},
        inputs=(_MIXED,),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is a pair: the number of $many in `s`, and the number of all its other characters.",
            "Count the $many of the string `s`, and its other characters. `$f s` is the pair of both numbers.",
        ),
        names=("count_$many", "${many}_and_others"),
        signature="string -> int * int",
        code="let $f s =\n  String.fold_left\n    (fun (n, others) c -> if $many then (n + 1, others) else (n, others + 1))\n"
        "    (0, 0) s",
        gaps=_GAPS,
        inputs=(_MIXED,),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the string `s` without its $many. The other characters stay, in their order.",
            "Remove all $many from the string `s`: that is what `$f s` returns, perhaps the empty string.",
        ),
        names=("without_$many", "remove_$many"),
        signature="string -> string",
        code="let $f s =\n  String.to_seq s\n  |> Seq.filter (fun c -> not ($many))\n  |> String.of_seq",
        gaps=_GAPS,
        inputs=(_MIXED,),
    ),
    Task(
        level=2,
        says=(
            "`$f c l` is $what. Use recursion on the list `l` of characters.",
            "Given a character `c` and a list `l` of characters, write a recursive function `$f c l` that returns $what.",
        ),
        names=("$what",),
        signature="char -> char list -> char list",
        code="let rec $f c l =\n  match l with\n  $what",
        gaps={"what": _REST},
        inputs=(characters("ab"), lists(characters("aabbc"), 0, 6, far=14)),
        edges=(("'a'", "[]"), ("'a'", "['a']"), ("'a'", "['a'; 'a'; 'b'; 'a']"), ("'a'", "['b'; 'b']")),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the string `s` with $change. All other characters stay as they are.",
            "Write a function `$f s` that returns `s` with $change, and leaves other characters alone.",
        ),
        names=("$change", "with_$change"),
        signature="string -> string",
        code="let $f =\n  String.map (function\n    $change\n    | c -> c)",
        gaps={"change": _CHANGE},
        inputs=(_MIXED,),
    ),
    Task(
        level=2,
        says=(
            "The small letters stand in a circle: `z` is followed by `a`. `$f c n` is the letter `n` places $way the "
            "small letter `c`, where `n` is from 0 to 25.",
            "Go `n` places (0 to 25) from the small letter `c` to the letter $way it; `a` comes after `z`. "
            "`$f c n` is the letter where you end.",
        ),
        names=("turn_$way", "letter_$way"),
        signature="char -> int -> char",
        code="let $f c n =\n  let place = Char.code c - Char.code 'a' in\n  Char.chr (Char.code 'a' + ($way mod 26))",
        gaps={"way": (("behind", "(place + n)", "behind"), ("before", "(place + 26 - n)", "before"))},
        inputs=(_LETTER, integers(0, 25)),
    ),
    Task(
        level=2,
        says=("`$f s` is $what.", "Write a function `$f s` on strings. It returns $what."),
        names=("$what", "count_$what"),
        signature="string -> int",
        code="let $f s =\n  let rec from i =\n    if i + 1 >= String.length s then 0\n"
        "    else (if $what then 1 else 0) + from (i + 1)\n  in\n  from 0",
        gaps={"what": _NEXT_TO, "x": _one_of("abc"), "y": _one_of("de")},
        inputs=(_CLOSE,),
    ),
    Task(
        level=2,
        says=(
            "`$f first last` is the list of $what. It is empty if `first` comes behind `last` in the alphabet.",
            "Let `first` and `last` be small letters. `$f first last` lists $what; if `first` is behind `last`, there "
            "are none.",
        ),
        names=("$what", "list_$what"),
        signature="char -> char -> char list",
        code="let rec $f first last =\n  if first > last then []\n  else $what",
        gaps={"what": _RANGE},
        inputs=(characters("abcdefghij"), characters("acdefghijkl")),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the kind of the first character of `s`, which is not empty: `Letter`, small or capital, `Digit`, "
            "or `Sign` for all others.",
            "Does `s` begin with a letter (small or capital), a digit, or another sign? `$f s` answers with a value of "
            "type `kind`. The string is not empty.",
        ),
        names=("first_kind", "kind_of_first"),
        signature=f"{_KIND}\n\nval $f : string -> kind",
        code=f"{_KIND}\n\nlet $f s =\n  match s.[0] with\n  | 'a' .. 'z' | 'A' .. 'Z' -> Letter\n"
        "  | '0' .. '9' -> Digit\n  | _ -> Sign",
        inputs=(_FILLED,),
    ),
)

FAMILY = Family(
    name="strings.letters",
    topics=("strings",),
    description="single characters, their codes, and the characters of a string",
    tasks=TASKS,
)
