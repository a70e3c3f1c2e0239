"""Small tasks on rewriting text by a rule: replacing characters and words, endings, short forms, masks."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, characters, integers, lists, one_of, texts, tuples
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import text

__all__ = ["TASKS"]


def _marked(chance: Chance) -> str:
    return text(chance.pick(("#", "-", "", "##")) + chance.pick(WORDS) + chance.pick(("!", ".", "", "..")))


def _padded(chance: Chance) -> str:
    front, end = chance.pick("0."), chance.pick("0.")
    inner = chance.pick(WORDS) if chance.happens(0.6) else chance.pick(("a0b", "a.b", "0", ".", "a0.", "x..0y"))
    return text(front * chance.between(0, 3) + inner + end * chance.between(0, 3))


def _sentence(chance: Chance) -> str:
    """Words with single spaces between, some of them repeated; now and then many."""
    words = chance.sample(WORDS, 3) if chance.happens(0.3) else WORDS
    size = 10 if chance.happens(0.08) else chance.between(1, 5)
    return text(" ".join(chance.pick(words) for _ in range(size)))


_SENTENCE = Input(_sentence, ('"a"', '"a b"', '"b a b"'))
_CHARACTER: Gap = (
    ("each space becomes `$to`", "if c = ' ' then '$to' else c"),
    ("each comma becomes `$to`", "if c = ',' then '$to' else c"),
    ("each `$from` becomes `$to`", "if c = '$from' then '$to' else c"),
    ("each digit becomes `$to`", "match c with '0' .. '9' -> '$to' | _ -> c"),
    ("each capital letter becomes `$to`", "match c with 'A' .. 'Z' -> '$to' | _ -> c"),
    ("`$from` and `$other` change places", "if c = '$from' then '$other' else if c = '$other' then '$from' else c"),
    ("everything but small letters becomes `$to`", "match c with 'a' .. 'z' -> c | _ -> '$to'"),
)
_TO: Gap = (("-",), ("_",), ("*",), ("#",), ("?",))
_FROM: Gap = (("e",), ("a",), ("o",))
_WORD: Gap = (
    ("`&` and `+` become `and`", 'match w with "&" | "+" -> "and" | _ -> w'),
    (
        "`colour` becomes `color` and `grey` becomes `gray`",
        'match w with "colour" -> "color" | "grey" -> "gray" | _ -> w',
    ),
    ("`Mister` becomes `Mr` and `Doctor` becomes `Dr`", 'match w with "Mister" -> "Mr" | "Doctor" -> "Dr" | _ -> w'),
    ("`one` becomes `1` and `two` becomes `2`", 'match w with "one" -> "1" | "two" -> "2" | _ -> w'),
    (
        "`left` becomes `right`, and `right` becomes `left`",
        'match w with "left" -> "right" | "right" -> "left" | _ -> w',
    ),
    ("`big` and `huge` become `large`", 'match w with "big" | "huge" -> "large" | _ -> w'),
    ("`yes` becomes `no`, and `no` becomes `yes`", 'match w with "yes" -> "no" | "no" -> "yes" | _ -> w'),
)
_TEST: Gap = (
    ("has more than $k letters", "String.length w > $k"),
    ("has less than $m letters", "String.length w < $m"),
    ("contains the letter `$letter`", "String.contains w '$letter'"),
)
_WORDS = (
    "&",
    "+",
    "colour",
    "grey",
    "Mister",
    "Doctor",
    "one",
    "two",
    "left",
    "right",
    "big",
    "huge",
    "yes",
    "no",
    "One",
    "grey-ish",
    "and",
)

TASKS = (
    Task(
        level=1,
        says=(
            "`$f s` is the string `s` rewritten so that $rule. The rest stays.",
            "In a text `s`, $rule, and the rest stays: `$f s` is the new text.",
        ),
        names=("rewrite", "replaced", "clean"),
        signature="string -> string",
        code="let $f s = String.map (fun c -> $rule) s",
        gaps={"rule": _CHARACTER, "from": _FROM, "other": (("t",), ("n",)), "to": _TO},
        inputs=(texts(0, 9, among="eaotnz ,AZB12905", far=20),),
        edges=(('""',), ('"AZaz09"',), ('"te"',)),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the string `s` with `$to` in place of each `$from`.",
            "Replace each `$from` of the string `s` by `$to`: that is `$f s`.",
        ),
        names=("replace", "expand", "spelled_out"),
        signature="string -> string",
        code="let $f s = String.concat \"$to\" (String.split_on_char '$from' s)",
        gaps={
            "from": (("&",), ("+",), ("a",), ("%",), ("/",), ("-",)),
            "to": ((" and ",), ("ae",), (", ",), (" or ",), ("--",), (" per ",), ("<br>",)),
        },
        inputs=(texts(0, 9, among="abc&+%/-", far=20),),
        edges=(('""',), ('"aa&&++%%//--"',)),
    ),
    Task(
        level=1,
        says=(
            "For a string `s` that is not empty, `$f s` is `s`, but $rule.",
            "Write `$f s`, which gives back the string `s`, never empty, but $rule.",
        ),
        names=("with_affix", "mended", "adjust"),
        signature="string -> string",
        code="let $f s = if $rule",
        gaps={
            "mark": (("#",), ("-",)),
            "point": (("!",), (".",)),
            "last": (("", "s.[String.length s - 1]"),),
            "rule": (
                ("with `$mark` in front if it does not begin so", "s.[0] = '$mark' then s else \"$mark\" ^ s"),
                ("with `$point` at the end if it does not end so", "$last = '$point' then s else s ^ \"$point\""),
                ("with `!!!` at the end if it begins with `$mark`", "s.[0] = '$mark' then s ^ \"!!!\" else s"),
                ("in square brackets if it ends with `$point`", '$last = \'$point\' then "[" ^ s ^ "]" else s'),
                ("in capitals if it ends with `$point`", "$last = '$point' then String.uppercase_ascii s else s"),
                ("written twice if it begins with `$mark`", "s.[0] = '$mark' then s ^ s else s"),
                (
                    "without its first character if that is `$mark`",
                    "s.[0] = '$mark' then String.sub s 1 (String.length s - 1) else s",
                ),
            ),
        },
        inputs=(Input(_marked, ('"#"', '"-"', '"!"', '"."', '"a"', '"a#"', '"!a"')),),
    ),
    Task(
        level=1,
        says=(
            "For a word `s` of at least two letters, `$f s` is $made.",
            "From a word `s` of two letters or more make $made: `$f s`.",
        ),
        names=("disguise", "play", "short_form"),
        signature="string -> string",
        code="let $f s = $made",
        gaps={
            "end": (("ay",), ("o",), ("-x",), ("us",)),
            "first": (("", "String.sub s 0 1"),),
            "rest": (("", "String.sub s 1 (String.length s - 1)"),),
            "made": (
                ("the word with its first letter moved to the end", "$rest ^ $first"),
                ("the word with its first letter moved to the end, and then `$end`", '$rest ^ $first ^ "$end"'),
                ("its first letter and a point", '$first ^ "."'),
                ("the word without its first letter", "$rest"),
                ("the word with its first letter doubled", "$first ^ s"),
                ("its first letter, a `-` and the whole word, as in `b-bee`", '$first ^ "-" ^ s'),
                ("the word without its last letter, and then `$end`", 'String.sub s 0 (String.length s - 1) ^ "$end"'),
                ("its first two letters and then `$end`", 'String.sub s 0 2 ^ "$end"'),
            ),
        },
        inputs=(Input(lambda chance: text(chance.pick(WORDS)), ('"ox"', '"oo"', '"watermelons"')),),
    ),
    Task(
        level=1,
        says=(
            "In a list of words, $word. `$f l` is the list `l` rewritten in this way; all other words stay.",
            "`$f l` is the list `l`, in which $word and no other word changes.",
        ),
        names=("rewrite_words", "translated"),
        signature="string list -> string list",
        code="let $f l = List.map (fun w -> $word) l",
        gaps={"word": _WORD},
        inputs=(lists(one_of(*map(text, _WORDS)), 0, 8, far=14),),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the text `s`, in which words are separated by single spaces, with $what.",
            "The words of the text `s` have single spaces between them. `$f s` is `s` with $what.",
        ),
        names=("words_of", "reword"),
        signature="string -> string",
        code="let $f s = String.concat \"$sep\" ($what (String.split_on_char ' ' s))",
        gaps={
            "sep": ((" ",),),
            "what": (
                ("the words in the opposite order", "List.rev"),
                ("a capital letter at the beginning of each word", "List.map String.capitalize_ascii"),
                ("the words in alphabetical order", "List.sort compare"),
                ("a comma behind each word", 'List.map (fun w -> w ^ ",")'),
                ("each word written twice, as in `tea tea`", "List.concat_map (fun w -> [ w; w ])"),
                ("only the words that have more than $k letters", "List.filter (fun w -> String.length w > $k)"),
                (
                    "only the words in which there is no `$letter`",
                    "List.filter (fun w -> not (String.contains w '$letter'))",
                ),
            ),
            "k": number(4, 5),
            "letter": (("a",), ("e",), ("l",), ("o",)),
        },
        inputs=(_SENTENCE,),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the string `s` in which $first and $second. All other characters stay.",
            "Rewrite `s` character by character: $first and $second, and the others stay as they are. The result is `$f s`.",
        ),
        names=("rewrite", "expand", "transcribe"),
        signature="string -> string",
        code='let $f s =\n  let image = function $first | $second | c -> String.make 1 c in\n  String.fold_left (fun made c -> made ^ image c) "" s',
        gaps={
            "x": (("a",), ("e",)),
            "y": (("o",), ("i",)),
            "first": (
                ("each `$x` becomes `$long`", "'$x' -> \"$long\""),
                ("each `$x` is left out", "'$x' -> \"\""),
                ("each `$x` is doubled", "'$x' -> \"$x$x\""),
            ),
            "second": (
                ("each `$y` is left out", "'$y' -> \"\""),
                ("each `$y` becomes `($y)`", "'$y' -> \"($y)\""),
                ("each space becomes ` - `", "' ' -> \" - \""),
                ("each digit becomes `no`", "'0' .. '9' -> \"no\""),
            ),
            "long": (("ah",), ("xx",), ("*-*",)),
        },
        inputs=(texts(0, 7, among="aeioaeiobc 1709A", far=15),),
        edges=(('""',), ('"09"',)),
    ),
    Task(
        level=2,
        says=(
            "A text is a list of characters. `$f l` goes through it from the front, and $rule, going on behind that. Everything else stays.",
            "`$f l` rewrites a list of characters from front to end: $rule, and it goes on behind that. Other characters are kept.",
        ),
        names=("rewrite", "reduce", "pass"),
        signature="char list -> char list",
        code="let rec $f l =\n  match l with\n  | $rule\n  | c :: rest -> c :: $f rest\n  | [] -> []",
        gaps={
            "x": (("a",), ("b",)),
            "z": (("x",), ("y",), ("z",), ("d",)),
            "rule": (
                ("each `a` directly followed by `b` becomes one `$z`", "'a' :: 'b' :: rest -> '$z' :: $f rest"),
                ("each `b` directly followed by `a` is dropped together with it", "'b' :: 'a' :: rest -> $f rest"),
                (
                    "each `b` directly followed by `a` changes places with it",
                    "'b' :: 'a' :: rest -> 'a' :: 'b' :: $f rest",
                ),
                (
                    "each two equal characters side by side become one `$z`",
                    "c :: d :: rest when c = d -> '$z' :: $f rest",
                ),
                (
                    "between `$x` and a second `$x` directly behind it there comes one `$z`",
                    "'$x' :: '$x' :: rest -> '$x' :: '$z' :: '$x' :: $f rest",
                ),
            ),
        },
        inputs=(lists(characters("aabbc"), 0, 8, far=16),),
        edges=(("[]",), ("['a']",), ("['a'; 'a'; 'a']",), ("['b'; 'b'; 'b'; 'b']",), ("['b'; 'a'; 'b'; 'a']",)),
    ),
    Task(
        level=2,
        says=(
            "As long as the string `s` $test, a character is taken away there. `$f s` is what remains; it may be empty.",
            "While the string `s` $test, that character is dropped, even if nothing remains. `$f s` is what is left of it.",
        ),
        names=("strip", "trim_marks", "shortened"),
        signature="string -> string",
        code="let rec $f s =\n  let n = String.length s in\n  if n > 0 && $test else s",
        gaps={
            "mark": (("0",), (".",)),
            "test": (
                ("begins with `$mark`", "s.[0] = '$mark' then $f (String.sub s 1 (n - 1))"),
                ("ends with `$mark`", "s.[n - 1] = '$mark' then $f (String.sub s 0 (n - 1))"),
                ("does not begin with `$mark`", "s.[0] <> '$mark' then $f (String.sub s 1 (n - 1))"),
                ("does not end with `$mark`", "s.[n - 1] <> '$mark' then $f (String.sub s 0 (n - 1))"),
            ),
        },
        inputs=(Input(_padded, ('""', '"0"', '"."', '"00"', '"..."')),),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the string `s` with $which replaced by $new. Positions are counted from 0.",
            "In the string `s`, whose positions are counted from 0, replace $which by $new: that is `$f s`.",
        ),
        names=("mask", "by_position", "hide"),
        signature="string -> string",
        code="let $f s =\n  let image i c = if $which then $new else c in\n  String.mapi image s",
        gaps={
            "k": number(2, 4),
            "which": (
                ("all but the last $k characters", "i < String.length s - $k"),
                ("all but the first $k characters", "i >= $k"),
                ("the characters at even positions", "i mod 2 = 0"),
                ("the characters at odd positions", "i mod 2 = 1"),
                ("all but the first and the last character", "i > 0 && i < String.length s - 1"),
                ("the characters at the positions that $k divides", "i mod $k = 0"),
            ),
            "new": (
                ("`*`", "'*'"),
                ("`#`", "'#'"),
                ("`-`", "'-'"),
                ("their capital letters", "Char.uppercase_ascii c"),
            ),
        },
        inputs=(texts(0, 9, far=20),),
    ),
    Task(
        level=2,
        says=(
            "The words of `s` are separated by single spaces. `$f s` is `s` with each word that $test replaced by $new.",
            "In the text `s`, which has single spaces between its words, replace each word that $test by $new. The result is `$f s`.",
        ),
        names=("censor", "shorten_words", "rewrite_words"),
        signature="string -> string",
        code="let $f s =\n  let image w = if $test then $new else w in\n  String.concat \" \" (List.map image (String.split_on_char ' ' s))",
        gaps={
            "test": _TEST,
            "k": (("4",),),
            "m": number(5, 6),
            "letter": (("e",), ("o",), ("a",)),
            "new": (
                ("as many `*` as it has letters", "String.make (String.length w) '*'"),
                ("its first letter and a point", 'String.sub w 0 1 ^ "."'),
                ("the same word in capitals", "String.uppercase_ascii w"),
                ("`...`", '"..."'),
                ("itself in brackets, `(` and `)`", '"(" ^ w ^ ")"'),
            ),
        },
        inputs=(_SENTENCE,),
    ),
    Task(
        level=2,
        says=(
            "The pairs in `l` are characters with numbers, none of which is negative. `$f l` is the string in which $how.",
            "Unpack a list of characters with numbers that are at least 0: `$f l` is a string in which $how.",
        ),
        names=("unpack", "written_out", "decode"),
        signature="(char * int) list -> string",
        code='let rec $f l =\n  match l with\n  | [] -> ""\n  | (c, n) :: rest -> $how',
        gaps={
            "m": number(2, 4),
            "how": (
                ("each character comes as often as its number says, in order", "String.make n c ^ $f rest"),
                ("each character comes as often as its number says, the last one first", "$f rest ^ String.make n c"),
                ("each character comes once, and then its number", "String.make 1 c ^ string_of_int n ^ $f rest"),
                (
                    "each character comes if its number is $m or more, once and in order",
                    '(if n >= $m then String.make 1 c else "") ^ $f rest',
                ),
                (
                    "each character comes once with as many `-` behind it as its number says",
                    "String.make 1 c ^ String.make n '-' ^ $f rest",
                ),
            ),
        },
        inputs=(lists(tuples(characters("abcxyz"), integers(0, 4, far=12)), 0, 5, far=9),),
    ),
)
