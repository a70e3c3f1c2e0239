"""Small tasks on texts in steps: one or two changes of characters, parts or words, one after another."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, lists, one_of
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import text

__all__ = ["TASKS"]

_FEW_WORDS = ("bee", "oak", "fig", "noon", "kelp", "otter", "igloo", "level", "ember", "violet", "spruce")


def _blank(chance: Chance) -> str:
    """Words, some with a capital, with spaces between and around them."""
    drawn = [chance.pick(WORDS) for _ in range(chance.between(1, 3))]
    made = ("  " if chance.happens(0.15) else " ").join(
        word.capitalize() if chance.happens(0.4) else word for word in drawn
    )
    return " " * chance.between(0, 2) + made + " " * chance.between(0, 2)


def _count(chance: Chance) -> int:
    """A number of words, sometimes so large that their numbers have two digits."""
    return chance.between(10, 13) if chance.happens(0.1) else chance.between(1, 5)


def _dashed(chance: Chance) -> str:
    words = chance.sample(_FEW_WORDS, 3) if chance.happens(0.3) else _FEW_WORDS  # few words, so some are repeated
    return text("-".join(chance.pick(words) for _ in range(_count(chance))))


def _code(chance: Chance) -> str:
    """Letters, digits and a few signs."""
    return text(
        "".join(
            chance.pick("abcdeABCDE0123- .\t") if chance.happens(0.6) else chance.character()
            for _ in range(chance.pick((1, 2, 3, 4, 5, 6, 7, 8, 16)))
        )
    )


def _shouted(chance: Chance) -> str:
    drawn = [chance.pick(_FEW_WORDS) for _ in range(_count(chance))]
    return text("-".join(word.upper() if chance.happens(0.5) else word for word in drawn))


def _repeated(chance: Chance) -> str:
    return text("-".join(chance.pick(("bee", "oak", "fig")) for _ in range(chance.pick((1, 2, 3, 4, 5, 6, 9)))))


def _any_step(chance: Chance) -> str:
    return chance.pick(("Change", "Double", f"Add {text(chance.pick(_FEW_WORDS[:4]))}"))


_BLANK = Input(lambda chance: text(_blank(chance)), ('""', '" "', '"  a "'))
_DASHED = Input(_dashed, ('"oak"', '"noon-noon"'))
_CODE = Input(_code, ('""',))
_LINE = Input(
    lambda chance: text(_blank(chance) if chance.happens(0.7) else " " * chance.between(0, 2)), ('""', '" a "')
)
_LINES = lists(_LINE, 0, 5, far=9)
_VARIANTS = one_of(*map(text, ("oak", " oak", "Oak ", "OAK", "o-ak", "oak-", "o ak", "fig", "f-ig", " FIG", "oak-fig")))
_PARTS = "String.split_on_char '-'"

_FIRST: Gap = (
    ("remove the spaces around it", "String.trim", "trimmed"),
    ("put it in capital letters", "String.uppercase_ascii", "loud"),
    ("put it in small letters", "String.lowercase_ascii", "small"),
    ("replace every space by a `$sign`", "String.map (fun c -> if c = ' ' then '$sign' else c)", "filled"),
)
_THEN: Gap = (
    ("put a `$mark` behind it", '(fun t -> t ^ "$mark")', "marked"),
    ("put round brackets around it", '(fun t -> "(" ^ t ^ ")")', "bracketed"),
    ("write it twice, with a `$mark` between", '(fun t -> t ^ "$mark" ^ t)', "twice"),
    ("write its length and a colon before it", '(fun t -> string_of_int (String.length t) ^ ":" ^ t)', "measured"),
    (
        "keep its first $k characters, or all if there are fewer",
        "(fun t -> String.sub t 0 (min $k (String.length t)))",
        "cut",
    ),
    (
        "turn it round, so that its last character comes first",
        "(fun t -> String.(init (length t) (fun i -> t.[length t - 1 - i])))",
        "back",
    ),
)
_STEP_TABLE = (
    ("in reverse order", "List.rev", "back"),
    ("in alphabetical order", "List.sort compare", "sorted"),
    ("each only once, in alphabetical order", "List.sort_uniq compare", "distinct"),
    ("each with a capital first letter", "List.map String.capitalize_ascii", "capitalised"),
    ("each in capital letters", "List.map String.uppercase_ascii", "loud"),
    ("but only those with more than $k letters", "List.filter (fun w -> String.length w > $k)", "long"),
    ("but only those that contain the letter `$v`", "List.filter (fun w -> String.contains w '$v')", "chosen"),
    ("each with a `$mark` behind it", 'List.map (fun w -> w ^ "$mark")', "marked"),
    ("each cut down to its first letter", "List.map (fun w -> String.sub w 0 1)", "initials"),
    (
        "each with its number before it, beginning with 1",
        "List.mapi (fun i w -> string_of_int (i + 1) ^ w)",
        "numbered",
    ),
)
_STEP: Gap = _STEP_TABLE
_MEASURE: Gap = (
    ("the number of its parts", f"s |> {_PARTS} |> List.length", "parts"),
    (
        "the number of its parts with more than $k letters",
        f"s |> {_PARTS} |> List.filter (fun w -> String.length w > $k) |> List.length",
        "long_parts",
    ),
    ("the number of its different parts", f"s |> {_PARTS} |> List.sort_uniq compare |> List.length", "different"),
    (
        "the number of letters in its parts together",
        f"s |> {_PARTS} |> List.map String.length |> List.fold_left ( + ) 0",
        "letters",
    ),
    ("the length of its longest part", f"s |> {_PARTS} |> List.map String.length |> List.fold_left max 0", "longest"),
    (
        "the product of the lengths of its parts",
        f"s |> {_PARTS} |> List.map String.length |> List.fold_left ( * ) 1",
        "product",
    ),
    ("the length of its last part", f"s |> {_PARTS} |> List.rev |> List.hd |> String.length", "last_length"),
)
_KEEP: Gap = (
    ("small letters", "'a' <= c && c <= 'z'", "small"),
    ("digits", "'0' <= c && c <= '9'", "digits"),
    ("capital letters", "'A' <= c && c <= 'Z'", "capitals"),
    ("characters other than spaces", "c <> ' '", "dense"),
    ("characters other than `$sign`", "c <> '$sign'", "plain"),
    ("letters a and e", "c = 'a' || c = 'e'", "vowels"),
)
_KEPT: Gap = (
    ("put round brackets around them", '(fun t -> "(" ^ t ^ ")")', "bracketed"),
    ("put a `$mark` behind them", '(fun t -> t ^ "$mark")', "marked"),
    ("write their number and a colon before them", '(fun t -> string_of_int (String.length t) ^ ":" ^ t)', "counted"),
    ("write all of them twice, as in `xyxy`", "(fun t -> t ^ t)", "twice"),
)
_LINE_STEP: Gap = (
    ("drop the empty ones", 'List.filter (fun t -> t <> "")', "filled"),
    ("reverse their order", "List.rev", "reversed"),
    ("sort them", "List.sort compare", "sorted"),
    ("put them in capital letters", "List.map String.uppercase_ascii", "loud"),
    ("put a `$mark` before each of them", 'List.map (fun t -> "$mark" ^ t)', "marked"),
    ("replace each of them by its length", "List.map (fun t -> string_of_int (String.length t))", "measured"),
)
_PLACE: Gap = (
    ("the characters at the indices 0, 2, 4 and so on", "i mod 2 = 0", "even"),
    ("the characters at the indices 1, 3, 5 and so on", "i mod 2 = 1", "odd"),
    ("the first $k characters", "i < $k", "front"),
    ("all characters but the first $k", "i >= $k", "tail"),
    ("the last $k characters", "i >= String.length s - $k", "end"),
)
_CHARACTER: Gap = (
    ("as capitals", "Char.uppercase_ascii c", "loud"),
    ("replaced by `$mark`", "'$mark'", "hidden"),
    ("replaced by the first one", "s.[0]", "repeated"),
)
_WHEN: Gap = (
    ("with more than $k letters", "String.length w > $k", "long"),
    ("with at most $k letters", "String.length w <= $k", "short"),
    ("that contains the letter `$v`", "String.contains w '$v'", "with_letter"),
    ("that comes before `$word` in the alphabet", 'w < "$word"', "early"),
    ("with an odd number of letters", "String.length w mod 2 = 1", "odd"),
)
_REPLACED: Gap = (
    ("in capital letters", "String.uppercase_ascii w", "loud"),
    ("written twice", "w ^ w", "doubled"),
    ("replaced by `$mark`", '"$mark"', "hidden"),
    ("with a `$mark` before it", '"$mark" ^ w', "marked"),
    ("spelled backwards", "String.(init (length w) (fun i -> w.[length w - 1 - i]))", "back"),
    ("cut down to its first two letters", "String.sub w 0 2", "cut"),
    ("replaced by its length", "string_of_int (String.length w)", "measured"),
)
_LAST_STEP: Gap = (
    ("put round brackets around the result", '(fun t -> "(" ^ t ^ ")")'),
    ("put a `$mark` behind the result", '(fun t -> t ^ "$mark")'),
    ("write the length of the result before it", "(fun t -> string_of_int (String.length t) ^ t)"),
)
_WALK: Gap = (
    (
        "without each part that is equal to the part right behind it",
        "| a :: (b :: _ as rest) when a = b -> go rest\n    | a :: rest -> a :: go rest\n    | [] -> []",
        "no_repeats",
    ),
    (
        "with the first two parts swapped, the next two as well, and so on; a single one at the end stays",
        "| a :: b :: rest -> b :: a :: go rest\n    | rest -> rest",
        "swapped",
    ),
    (
        "with the first two parts joined by a `$glue`, the next two as well, and so on; a single one at the end stays",
        '| a :: b :: rest -> (a ^ "$glue" ^ b) :: go rest\n    | rest -> rest',
        "paired",
    ),
    (
        "without the second part, the fourth, and so on",
        "| a :: _ :: rest -> a :: go rest\n    | rest -> rest",
        "thinned",
    ),
    (
        "up to the first part `$stop`, which is left out with all that follows",
        '| a :: rest when a <> "$stop" -> a :: go rest\n    | _ -> []',
        "stopped",
    ),
)
_CLEAN: Gap = (
    ("the spaces around them are removed", "String.trim t", "trimmed"),
    ("they are put in small letters", "String.lowercase_ascii t", "caseless"),
    (
        "the spaces around them are removed and they are put in capitals",
        "String.uppercase_ascii (String.trim t)",
        "loose",
    ),
    ("their dashes are removed", "String.concat \"\" (String.split_on_char '-' t)", "dashless"),
    ("every dash in them is replaced by a space", "String.map (fun c -> if c = '-' then ' ' else c) t", "dashed"),
    ("only what stands before the first dash is kept", "List.hd (String.split_on_char '-' t)", "by_head"),
)
_STRING_OF: Gap = (
    ("the first part", "List.hd parts", "first"),
    ("the last part", "List.hd (List.rev parts)", "last"),
    ("the part that is first in the alphabet", "List.hd (List.sort compare parts)", "earliest"),
    ("all parts joined without dashes", 'String.concat "" parts', "joined"),
    ("the parts in reverse order, with a `$glue` between", 'String.concat "$glue" (List.rev parts)', "reversed"),
)
_NUMBER_OF: Gap = (
    ("the number of parts", "List.length parts"),
    ("the number of different parts", "List.length (List.sort_uniq compare parts)"),
    (
        "the number of parts with more than $k letters",
        "List.length (List.filter (fun w -> String.length w > $k) parts)",
    ),
    ("the length of the longest part", "List.fold_left (fun n w -> max n (String.length w)) 0 parts"),
)
_SPOT: Gap = (
    ("the first character and each one right behind a dash", "i = 0 || s.[i - 1] = '-'", "starts"),
    ("the last character and each one right before a dash", "i = String.length s - 1 || s.[i + 1] = '-'", "ends"),
    ("each character that is equal to the one before it", "i > 0 && s.[i - 1] = c", "repeats"),
    ("each letter `$v` behind the first character", "i > 0 && c = '$v'", "inner"),
    ("each letter after m at an even index", "i mod 2 = 0 && c > 'm'", "late"),
)
_CHANGE_STEP: Gap = (
    ("puts it in capital letters", "String.uppercase_ascii s"),
    ("makes its first letter a capital", "String.capitalize_ascii s"),
    ("turns it round", "String.init (String.length s) (fun i -> s.[String.length s - 1 - i])"),
    ("replaces each `e` by `i`", "String.map (fun c -> if c = 'e' then 'i' else c) s"),
    ("puts round brackets around it", '"(" ^ s ^ ")"'),
)
_DOUBLE_STEP: Gap = (
    ("writes it twice", "s ^ s"),
    ("writes it twice with a dash between", 's ^ "-" ^ s'),
    ("writes it twice with `&` between", 's ^ "&" ^ s'),
)
_ADD_STEP: Gap = (
    ("behind it", "s ^ t"),
    ("before it", "t ^ s"),
    ("behind it, with a space between", 's ^ " " ^ t'),
    ("both before and behind it", "t ^ s ^ t"),
)
_STEP_TYPE = "type step = Change | Double | Add of string"

TASKS = (
    Task(
        level=1,
        says=(
            "Take the string `s`, $first, and then $then: the result is `$f s`.",
            "`$f s` does two things with the string `s`: first $first, then $then.",
            "Write a function `$f s` in two steps. With the string `s`, first $first; second, $then.",
        ),
        names=("${first}_and_$then", "$then"),
        signature="string -> string",
        code="let $f s = s |> $first |> $then",
        gaps={
            "first": _FIRST,
            "then": _THEN,
            "sign": (("_",), (".",), ("+",)),
            "mark": (("!",), ("-",), ("#",), ("~",)),
            "k": number(3, 5),
        },
        inputs=(_BLANK,),
    ),
    Task(
        level=1,
        says=(
            "The parts of `s` have dashes between them. `$f s` joins them with `$glue` between, $step.",
            "Split `s` at its dashes and join the parts again with `$glue` between, $step: that is `$f s`.",
        ),
        names=("${step}_parts", "parts_$step"),
        signature="string -> string",
        code=f'let $f s = s |> {_PARTS} |> $step |> String.concat "$glue"',
        gaps={
            "step": _STEP,
            "glue": (("+",), ("/",), (", ",), (" and ",)),
            "k": number(3, 4),
            "v": (("e",), ("i",), ("o",), ("l",)),
            "mark": (("!",), ("*",), (";",)),
        },
        inputs=(_DASHED,),
    ),
    Task(
        level=1,
        says=(
            "The string `s` is made of parts with dashes between them, and `$f s` is $what.",
            "Take the parts of `s`, which dashes separate. Write `$f s`, which computes $what.",
        ),
        names=("$what", "${what}_of"),
        signature="string -> int",
        code="let $f s = $what",
        gaps={"what": _MEASURE, "k": number(3, 4)},
        inputs=(_DASHED,),
    ),
    Task(
        level=1,
        says=(
            "Of the string `s`, keep only the $keep, and then $kept: the result is `$f s`.",
            "`$f s` is made in two steps: keep only the $keep of the string `s`, then $kept.",
        ),
        names=("${keep}_$kept", "only_$keep"),
        signature="string -> string",
        code="let $f s =\n  String.to_seq s |> Seq.filter (fun c -> $keep) |> String.of_seq |> $kept",
        gaps={
            "keep": _KEEP,
            "kept": _KEPT,
            "sign": (("-",), (".",), ("0",), ("a",)),
            "mark": (("!",), ("*",), (";",)),
        },
        inputs=(_CODE,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` removes the spaces around each string of the list `l`, and then changes the list: $then.",
            "First remove the spaces around all strings of `l`, then $then. The list that you get is `$f l`.",
        ),
        names=("tidy_$then", "clean_and_$then"),
        signature="string list -> string list",
        code="let $f l = l |> List.map String.trim |> $then",
        gaps={"then": _LINE_STEP, "mark": (("- ",), ("* ",), ("#",), ("> ",))},
        inputs=(_LINES,),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the word `s` with $place $character. The word is not empty; all other characters stay.",
            "Write `$f s`, which returns the word `s`, which is not empty, with $place $character.",
        ),
        names=("${character}_$place",),
        signature="string -> string",
        code="let $f s = String.mapi (fun i c -> if $place then $character else c) s",
        gaps={"place": _PLACE, "character": _CHARACTER, "k": number(2, 3), "mark": (("*",), ("-",), ("_",), ("?",))},
        inputs=(one_of(*map(text, ("a", "go", "Bee", *WORDS, "watermelons"))),),
    ),
    Task(
        level=2,
        says=(
            "Dashes separate the parts of `s`. `$f s` is `s` with each part $when $replaced, and all others as they are.",
            "The parts of `s` have dashes between them. Write `$f s`, which returns `s` with each part $when $replaced.",
        ),
        names=("${replaced}_if_$when", "change_$when"),
        signature="string -> string",
        code="let $f s =\n  let change w = if $when then $replaced else w in\n"
        f'  s\n  |> {_PARTS}\n  |> List.map change\n  |> String.concat "-"',
        gaps={
            "when": _WHEN,
            "replaced": _REPLACED,
            "k": number(3, 4),
            "v": (("e",), ("i",), ("o",), ("l",)),
            "word": (("kelp",), ("noon",), ("otter",), ("ivy",)),
            "mark": (("*",), ("?",), ("#",), ("x",)),
        },
        inputs=(_DASHED,),
    ),
    Task(
        level=2,
        says=(
            "Put the string `s` in small letters, split it at its dashes, join the parts with `$glue` between, $step, and "
            "$last. The result is `$f s`.",
            "`$f s` takes the string `s` in small letters, joins its parts, which dashes separate, with `$glue` between, "
            "$step; at last, $last.",
        ),
        names=("tidy", "rewrite", "parts_$step", "arrange"),
        signature="string -> string",
        code=f"let $f s =\n  String.lowercase_ascii s\n  |> {_PARTS}\n  |> $step\n"
        '  |> String.concat "$glue"\n  |> $last',
        gaps={
            "step": tuple(step for step in _STEP_TABLE if step[2] != "loud"),
            "glue": (("+",), ("/",), (", ",)),
            "last": _LAST_STEP,
            "k": number(3, 4),
            "v": (("e",), ("i",), ("o",), ("l",)),
            "mark": (("!",), ("*",), (";",)),
        },
        inputs=(Input(_shouted),),
    ),
    Task(
        level=2,
        says=(
            "A step changes a string: `Change` $change, `Double` $double, and `Add t` puts `t` $where. `$f steps s` "
            "is the string `s` after all steps of the list, from the first to the last.",
            "Write `$f steps s`, which carries out a list of steps on the string `s`, in their order. `Change` $change, "
            "`Double` $double, `Add t` puts `t` $where.",
        ),
        names=("run", "apply_all", "carry_out"),
        signature=f"{_STEP_TYPE}\n\nval $f : step list -> string -> string",
        code=f"{_STEP_TYPE}\n\nlet $f steps s =\n  let apply s = function\n    | Change -> $change\n"
        "    | Double -> $double\n    | Add t -> $where\n  in\n  List.fold_left apply s steps",
        gaps={"change": _CHANGE_STEP, "double": _DOUBLE_STEP, "where": _ADD_STEP},
        inputs=(
            lists(Input(_any_step, ("Change", "Double", 'Add "oak"')), 0, 5),
            one_of(*map(text, ("", *_FEW_WORDS))),
        ),
    ),
    Task(
        level=2,
        says=(
            "Dashes separate the parts of `s`. `$f s` is `s`, again with dashes, but $walk.",
            "Split the string `s` at its dashes. `$f s` is the string of the same parts with dashes between, but $walk.",
        ),
        names=("$walk", "${walk}_parts"),
        signature="string -> string",
        code=f'let $f s =\n  let rec go = function\n    $walk\n  in\n  s |> {_PARTS} |> go |> String.concat "-"',
        gaps={"walk": _WALK, "glue": (("+",), ("/",), ("&",)), "stop": (("oak",), ("bee",))},
        inputs=(Input(_repeated),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the number of different strings in the list `l` once $clean.",
            "How many different strings are in the list `l` after this: $clean? `$f l` is that number.",
        ),
        names=("different_$clean", "count_$clean"),
        signature="string list -> int",
        code="let $f l =\n  let clean t = $clean in\n  List.map clean l\n  |> List.sort_uniq compare\n  |> List.length",
        gaps={"clean": _CLEAN},
        inputs=(lists(_VARIANTS),),
    ),
    Task(
        level=2,
        says=(
            "The parts of `s` have dashes between them. `$f s` is a pair: $string, and $number.",
            "Split `s` at its dashes. `$f s` is the pair of two things: $string, and $number.",
        ),
        names=("${string}_and_number", "summary", "${string}_and_size"),
        signature="string -> string * int",
        code="let $f s =\n  let parts = String.split_on_char '-' s in\n  ($string, $number)",
        gaps={"string": _STRING_OF, "number": _NUMBER_OF, "k": number(3, 4), "glue": (("+",), ("/",), (" ",))},
        inputs=(_DASHED,),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the string `s` with $spot $character. All other characters stay, and `s` is not empty.",
            "Write `$f s`, which returns the string `s`, which is not empty, with $spot $character and the rest unchanged.",
        ),
        names=("${character}_$spot",),
        signature="string -> string",
        code="let $f s =\n  let change i c = if $spot then $character else c in\n  String.mapi change s",
        gaps={
            "spot": _SPOT,
            "character": (
                ("as a capital", "Char.uppercase_ascii c", "loud"),
                ("replaced by `$mark`", "'$mark'", "hidden"),
                ("replaced by the next one of the alphabet", "Char.chr (Char.code c + 1)", "next"),
            ),
            "v": (("e",), ("i",), ("o",), ("l",)),
            "mark": (("*",), ("_",), ("?",), ("#",)),
        },
        inputs=(_DASHED,),
    ),
)
