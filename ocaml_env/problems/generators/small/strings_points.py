"""Small tasks on points for characters, words and strings, and their sums."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, lists, one_of, sentences, words
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import text

__all__ = ["TASKS"]


def _mixed(chance: Chance) -> str:
    """Letters, digits and signs, with a preference for those that count."""
    among = chance.pick(("abcdeABCDE01289 .!", "aeiouxyzqAZ ", "0123456789-"))
    size = chance.between(12, 24) if chance.happens(0.08) else chance.between(1, 8)
    return text("".join(chance.pick(among) if chance.happens(0.6) else chance.character() for _ in range(size)))


def _drawn(among: str, longest: int) -> Input:
    """Strings of these characters."""

    def draw(chance: Chance) -> str:
        size = 2 * longest if chance.happens(0.08) else chance.between(1, longest)
        return text("".join(chance.pick(among) for _ in range(size)))

    return Input(draw, ('""',))


_MIXED = Input(_mixed, ('""',))
_WORDS = words()


def _word(chance: Chance) -> str:
    """A word, random letters, or one letter very often, so that points are many."""
    if chance.happens(0.1):
        return text(chance.pick("aelnorz") * chance.between(9, 30))
    return (_LETTERS if chance.happens(0.25) else _WORDS).draw(chance)


_WORD = Input(_word, (*_WORDS.edges, text("z" * 10), text("a" * 15)))
_RESULTS = _drawn("wdl", 8)
_MOVES = _drawn("+-", 9)
_DIGITS = _drawn("0123456789", 6)
_LETTERS = Input(
    lambda chance: text("".join(chance.pick("aabeelmnopruz") for _ in range(chance.pick((1, 2, 3, 4, 5, 6, 7, 14))))),
    ('"a"', '"z"', '"aa"'),
)

_KINDS = (
    ("digit", "c >= '0' && c <= '9'", "digits"),
    ("small letter", "c >= 'a' && c <= 'z'", "small"),
    ("capital letter", "c >= 'A' && c <= 'Z'", "capitals"),
    ("space", "c = ' '", "spaces"),
    ("exclamation mark", "c = '!'", "marks"),
    ("letter `$x`", "c = '$x'", "letters"),
    ("letter from a to $y", "c >= 'a' && c <= '$y'", "early"),
    ("small vowel (a, e, i, o, u)", 'String.contains "aeiou" c', "vowels"),
    ("letter `$x`, small or capital,", "Char.lowercase_ascii c = '$x'", "letters"),
    ("character other than a space", "c <> ' '", "signs"),
)
_GAPS: dict[str, Gap] = {
    "kind": _KINDS,
    "p": number(2, 9),
    "q": number(10, 20),
    "m": number(4, 6),
    "limit": number(40, 80),
    "x": tuple((c,) for c in "aeixyz"),
    "y": tuple((c,) for c in "cdefg"),
    "letter": tuple((c,) for c in "aelnor"),
}
_FREQUENT: Gap = tuple(kind for kind in _KINDS if kind[2] in ("digits", "small", "vowels", "early", "signs"))
_PRICE: Gap = (
    (
        "A sign costs $p euros a character. `$f s` is the price of the sign with the text `s`",
        "$p * String.length s",
        "price",
    ),
    (
        "A telegram costs $q cents, and $p cents more for each character of its text `s`. `$f s` is its price",
        "$q + ($p * String.length s)",
        "telegram",
    ),
    (
        "Each character of `s` is worth 5 points, but no text gets more than $limit. `$f s` is the number of points",
        "min $limit (5 * String.length s)",
        "points",
    ),
    (
        "The first character of a label `s` is free, and each other one costs $p cents. `$f s` is the price of the label",
        "$p * (String.length s - 1)",
        "label_price",
    ),
    (
        "A password `s` gets a point for each character beyond the first $m, if there are any. `$f s` is its points",
        "max 0 (String.length s - $m)",
        "strength",
    ),
    (
        "Engraving costs $p euros for every two characters; a single one left over is free. `$f s` is the price for `s`",
        "$p * (String.length s / 2)",
        "engraving",
    ),
    (
        "A text is worth as many points as it has characters, and $p more if it contains an `$letter`. `$f s` is what `s` "
        "is worth",
        "String.length s + if String.contains s '$letter' then $p else 0",
        "worth",
    ),
    (
        "A text has $q points at first, less 1 for each of its characters. `$f s` is what is left for `s`, perhaps below 0",
        "$q - String.length s",
        "shortness",
    ),
    (
        "Each word of `s` is worth $p points, where single spaces separate the words. `$f s` is the number of points",
        "$p * List.length (String.split_on_char ' ' s)",
        "word_points",
    ),
)
_RULE: Gap = (
    ("is worth $p points, and all other characters nothing", "if $kind then sum + $p else sum", "points"),
    ("is worth $p points, and each other character 1", "sum + if $kind then $p else 1", "score"),
    ("is worth $p points, and each other character takes 1 away", "if $kind then sum + $p else sum - 1", "balance"),
    ("costs nothing, and each other character costs $p cents", "if $kind then sum else sum + $p", "cost"),
)
_LETTER_VALUE: Gap = (
    ("`a` is worth 1, `b` 2, and so on, up to 26 for `z`", "Char.code c - Char.code 'a' + 1", "value"),
    ("`a` is worth 0, `b` 1, and so on, up to 25 for `z`", "Char.code c - Char.code 'a'", "places"),
    ("`z` is worth 1, `y` 2, and so on, up to 26 for `a`", "Char.code 'z' - Char.code c + 1", "rarity"),
    ("each letter from a to m is worth 1 point, and each later one $p", "if c <= 'm' then 1 else $p", "halves"),
    ("each letter `$letter` is worth $p points, and each other one 1", "if c = '$letter' then $p else 1", "lucky"),
)
_TOTAL: Gap = (
    ("the sum for all letters of `s`", "String.fold_left (fun sum c -> sum + ($value)) 0 s", "sum"),
    (
        "60 minus the sum for all letters of `s`, perhaps below 0",
        "String.fold_left (fun left c -> left - ($value)) 60 s",
        "left",
    ),
)
_DIGIT_VALUE: Gap = (
    ("the sum of the digits of `s`", "sum + digit c", "digit_sum"),
    ("the largest digit of `s`, or 0 without digits", "max sum (digit c)", "largest"),
    ("the sum of the digits of `s`, each taken $p times", "sum + ($p * digit c)", "scaled_sum"),
    ("the sum of the squares of the digits of `s`", "sum + (digit c * digit c)", "squares"),
    ("the sum of the digits of `s` above $m", "if digit c > $m then sum + digit c else sum", "high_sum"),
    ("the number that `s` is, or 0 without digits", "(10 * sum) + digit c", "number"),
)
_MEASURES = (
    (
        "one point per letter, and $p more if it contains an `$letter`",
        "String.length s + if String.contains s '$letter' then $p else 0",
        "bonus",
    ),
    (
        "one point per vowel (a, e, i, o, u)",
        'String.fold_left (fun n c -> if String.contains "aeiou" c then n + 1 else n) 0 s',
        "vowels",
    ),
    (
        "one point per letter, doubled if it begins with a letter after m",
        "if s.[0] > 'm' then 2 * String.length s else String.length s",
        "late",
    ),
    (
        "one point per letter, less 1 if it ends in `e`",
        "if s.[String.length s - 1] = 'e' then String.length s - 1 else String.length s",
        "silent",
    ),
)
_POINTS: Gap = (*_MEASURES, ("$p points per letter", "$p * String.length s", "price"))
_BOTH: Gap = (
    ("the points of the words `a` and `b` together", "points a + points b", "sum"),
    ("the points of the better one of the words `a` and `b`", "max (points a) (points b)", "better"),
    ("the points of the word `a` minus those of the word `b`", "points a - points b", "lead"),
    ("how far apart the points of the words `a` and `b` are", "abs (points a - points b)", "gap"),
)
_ALL: Gap = (
    ("the points of all words of `l` together", "sum + points s", "total"),
    ("the points of the best word of `l`, or 0 without words", "max sum (points s)", "best"),
    ("the points of all words of `l`, and 1 more for each word", "sum + points s + 1", "entry_sum"),
)
_TABLE: Gap = (
    (
        "`a`, `e`, `i`, `o` and `u` are worth 1 point each, `x`, `y` and `z` $p points, and all others 2",
        "| 'a' | 'e' | 'i' | 'o' | 'u' -> 1\n    | 'x' | 'y' | 'z' -> $p\n    | _ -> 2",
        "letters",
    ),
    (
        "digits are worth $p points each, capital letters 2, and all others 1",
        "| '0' .. '9' -> $p\n    | 'A' .. 'Z' -> 2\n    | _ -> 1",
        "signs",
    ),
    (
        "small letters up to `m` are worth 1 point each, those from `n` on $p points, and all others 0",
        "| 'a' .. 'm' -> 1\n    | 'n' .. 'z' -> $p\n    | _ -> 0",
        "halves",
    ),
    (
        "spaces cost nothing, full stops and exclamation marks 1 cent each, and all others $p cents",
        "| ' ' -> 0\n    | '.' | '!' -> 1\n    | _ -> $p",
        "telegram",
    ),
    (
        "an `a` is worth 1 point, a `b` 2, a `c` $p, and all others nothing",
        "| 'a' -> 1\n    | 'b' -> 2\n    | 'c' -> $p\n    | _ -> 0",
        "grades",
    ),
    (
        "digits count as numbers, small letters are worth $p points each, and all others 0",
        "| '0' .. '9' -> Char.code c - Char.code '0'\n    | 'a' .. 'z' -> $p\n    | _ -> 0",
        "cards",
    ),
)
_MADE: Gap = (
    ("the sum of the points for `s`", "String.fold_left (fun sum c -> sum + points c) 0 s", "sum"),
    (
        "what the most valuable character of `s` is worth, or 0 if `s` is empty",
        "String.fold_left (fun best c -> max best (points c)) 0 s",
        "best",
    ),
    (
        "what is left of 100 when the points of all characters of `s` are taken away",
        "String.fold_left (fun left c -> left - points c) 100 s",
        "left",
    ),
)
_GAMES: Gap = (
    (
        "a win is worth $p points, a draw 1, and a loss nothing",
        "'w' -> sum + $p\n    | 'd' -> sum + 1\n    | _ -> sum",
        "points",
    ),
    (
        "a win adds 1 point, a draw leaves them, and a loss takes 1 away",
        "'w' -> sum + 1\n    | 'd' -> sum\n    | _ -> sum - 1",
        "balance",
    ),
    (
        "a win adds $p points, a draw adds 1, and after a loss all points are gone",
        "'w' -> sum + $p\n    | 'd' -> sum + 1\n    | _ -> 0",
        "series",
    ),
    (
        "a win doubles the points, a draw adds $p, and a loss takes 1 away",
        "'w' -> 2 * sum\n    | 'd' -> sum + $p\n    | _ -> sum - 1",
        "gamble",
    ),
)
_COUNTER: Gap = (
    ("`+` adds 1 and `-` takes 1 away, but never below 0", "if c = '+' then n + 1 else max 0 (n - 1)", "counter"),
    ("`+` adds 1, but not beyond $m, and `-` takes 1 away", "if c = '+' then min $m (n + 1) else n - 1", "bounded"),
    ("`+` adds $p, and `-` takes half of it away, rounded up", "if c = '+' then n + $p else n / 2", "halving"),
    ("`+` adds 1, and `-` sets it back to 0", "if c = '+' then n + 1 else 0", "streak"),
    (
        "`+` doubles it and adds 1, and `-` takes 1 away, but not if it is 0",
        "if c = '+' then (2 * n) + 1 else if n > 0 then n - 1 else 0",
        "growth",
    ),
)
_WHEN: Gap = (
    ("it has more than $m letters", "String.length s > $m"),
    ("it contains the letter `$letter`", "String.contains s '$letter'"),
    ("its first letter comes after `m` in the alphabet", "s.[0] > 'm'"),
    ("it begins and ends with the same letter", "s.[0] = s.[String.length s - 1]"),
)
_ADJUST: Gap = (
    ("the points are doubled", "2 * points"),
    ("$q points are added", "points + $q"),
    ("1 point is taken away", "points - 1"),
    ("it gets $q points instead", "$q"),
)
_BASE: Gap = (
    ("one point per letter", "String.length s"),
    ("$p points per letter", "$p * String.length s"),
    ("the place of its first letter in the alphabet (1 for a) as points", "Char.code s.[0] - Char.code 'a' + 1"),
)
_BY_PLACE: Gap = (
    (
        "each `$letter` is worth its position, counted from 1, and other letters nothing",
        "if s.[i] = '$letter' then i + 1 else 0",
    ),
    (
        "each letter that is equal to the one before it is worth $p points, and each other letter 1",
        "if i > 0 && s.[i] = s.[i - 1] then $p else 1",
    ),
    (
        "each letter is worth its place in the alphabet (0 for a) times its position, counted from 0",
        "i * (Char.code s.[i] - Char.code 'a')",
    ),
    (
        "each letter after `m` at the positions 0, 2, 4 and so on is worth $p points, each other letter 1",
        "if i mod 2 = 0 && s.[i] > 'm' then $p else 1",
    ),
    (
        "each letter up to `m` is worth $p points, and each later one as many as its position, counted from 0",
        "if s.[i] <= 'm' then $p else i",
    ),
)
_WINNER: Gap = (
    (
        '`"first"` if `a` has more points, `"second"` if `b` has more, and else `"draw"`',
        'if x > y then "first" else if x < y then "second" else "draw"',
        "winner",
    ),
    (
        "`a` and `b` with `>` between if `a` has more points, `<` if it has fewer, and `=` if both have the same",
        'a ^ (if x > y then ">" else if x < y then "<" else "=") ^ b',
        "compared",
    ),
    (
        '`"a"` if `a` has more points, `"b"` if `b` has more, and else the points that both have',
        'if x > y then "a" else if x < y then "b" else string_of_int x',
        "result",
    ),
)
_GRADE: Gap = (
    (
        '`"$high"` for $q points or more, `"$low"` for $m or more, and else `"none"`',
        'if n >= $q then "$high" else if n >= $m then "$low" else "none"',
        "medal",
    ),
    (
        '`"$low"` below $m points, `"$high"` above $q, and else the points themselves, as a string',
        'if n < $m then "$low" else if n > $q then "$high" else string_of_int n',
        "label",
    ),
)
_CHOICE: Gap = (
    ("the word of the list `l` with the most points, the first one if several have", "points s > points best", "best"),
    ("the word of the list `l` with the most points, the last one if several have", "points s >= points best", "best"),
    (
        "the word of the list `l` with the fewest points, the first one if several have",
        "points s < points best",
        "worst",
    ),
)
_RESULT = "type result = Win | Draw | Loss"

TASKS = (
    Task(
        level=1,
        says=("$price.", "$price. Write this function; `s` is not empty."),
        names=("$price", "${price}_of"),
        signature="string -> int",
        code="let $f s = $price",
        gaps={**_GAPS, "price": _PRICE},
        inputs=(sentences(4),),
    ),
    Task(
        level=1,
        says=(
            "Each $kind in the string `s` $rule. `$f s` is the total.",
            "Find the total of a string `s`: each $kind in it $rule. Write `$f s`.",
        ),
        names=("${kind}_$rule", "$rule"),
        signature="string -> int",
        code="let $f s =\n  String.fold_left (fun sum c -> $rule) 0 s",
        gaps={**_GAPS, "rule": _RULE},
        inputs=(_MIXED,),
    ),
    Task(
        level=1,
        says=(
            "In a word `s` of small letters, $value. `$f s` is $total.",
            "Words have small letters only, and $value. Write `$f s`, which returns $total.",
        ),
        names=("${value}_$total",),
        signature="string -> int",
        code="let $f s =\n  $total",
        gaps={**_GAPS, "value": _LETTER_VALUE, "total": _TOTAL},
        inputs=(_WORD,),
    ),
    Task(
        level=1,
        says=(
            "The string `s` has only digits. `$f s` is $digits.",
            "Write `$f s`, which returns $digits. No string has other characters than digits.",
        ),
        names=("$digits",),
        signature="string -> int",
        code="let $f s =\n  let digit c = Char.code c - Char.code '0' in String.fold_left (fun sum c -> $digits) 0 s",
        gaps={**_GAPS, "digits": _DIGIT_VALUE},
        inputs=(_DIGITS,),
    ),
    Task(
        level=1,
        says=(
            "A word gets $points. `$f a b` is $both.",
            "Suppose that a word gets $points. Write `$f a b`, which returns $both.",
        ),
        names=("${points}_$both",),
        signature="string -> string -> int",
        code="let $f a b =\n  let points s = $points in $both",
        gaps={**_GAPS, "points": _POINTS, "both": _BOTH},
        inputs=(_WORD, _WORD),
    ),
    Task(
        level=1,
        says=(
            "A word gets $points. `$f l` is $all.",
            "Each word is given $points. Write `$f l`, which returns $all.",
        ),
        names=("${all}_$points",),
        signature="string list -> int",
        code="let $f l =\n  let points s = $points in List.fold_left (fun sum s -> $all) 0 l",
        gaps={**_GAPS, "points": _POINTS, "all": _ALL},
        inputs=(lists(_WORD, 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "The characters of a string get points: $table. `$f s` is $made.",
            "By these rules a string `s` is valued: $table. `$f s` is $made.",
        ),
        names=("${table}_$made",),
        signature="string -> int",
        code="let $f s =\n  let points c =\n    match c with\n    $table\n  in\n  $made",
        gaps={**_GAPS, "p": number(3, 9), "table": _TABLE, "made": _MADE},
        inputs=(_MIXED,),
    ),
    Task(
        level=2,
        says=(
            "The games of a team are a string of `w` for a win, `d` for a draw and `l` for a loss, in order. It begins "
            "without points: $games. `$f s` is the number of points after the games `s`.",
            "Points of a team, 0 at first, change from game to game: $games. In the string `s`, `w` is a win, `d` a draw and "
            "`l` a loss. Write `$f s` for the points at the end.",
        ),
        names=("$games", "team_$games"),
        signature="string -> int",
        code="let $f s =\n  let play sum = function\n    | $games\n  in\n  String.fold_left play 0 s",
        gaps={"games": _GAMES, "p": number(2, 5)},
        inputs=(_RESULTS,),
    ),
    Task(
        level=2,
        says=(
            "A counter is 0 at first, and a string of signs changes it: $counter. `$f s` is the counter after all signs of "
            "`s`, from left to right.",
            "Write `$f s`, the final value of a counter that starts at 0. For each sign of `s`, in order: $counter.",
        ),
        names=("$counter", "run_$counter"),
        signature="string -> int",
        code="let $f s =\n  let step n c =\n    $counter\n  in\n  String.fold_left step 0 s",
        gaps={"counter": _COUNTER, "p": number(3, 8), "m": number(2, 3)},
        inputs=(_MOVES,),
    ),
    Task(
        level=2,
        says=(
            "A word gets $base. If $when, $adjust. `$f s` is the number of points of the word `s`.",
            "Write `$f s`, the number of points of a word `s` of small letters. It gets $base; if $when, $adjust.",
        ),
        names=("points", "word_points", "score", "worth"),
        signature="string -> int",
        code="let $f s =\n  let points = $base in\n  if $when then $adjust else points",
        gaps={**_GAPS, "base": _BASE, "when": _WHEN, "adjust": _ADJUST},
        inputs=(_LETTERS,),
    ),
    Task(
        level=2,
        says=(
            "In a word `s` of small letters, $place. `$f s` is the sum for all its letters.",
            "Add up the points of a word `s` of small letters, where $place. Write `$f s`.",
        ),
        names=("place_points", "sum_by_place", "total", "word_sum"),
        signature="string -> int",
        code="let $f s =\n  let rec from i =\n    if i = String.length s then 0\n"
        "    else ($place) + from (i + 1)\n  in\n  from 0",
        gaps={**_GAPS, "place": _BY_PLACE},
        inputs=(_LETTERS,),
    ),
    Task(
        level=2,
        says=(
            "A word gets $points. `$f a b` compares two words: it is $winner.",
            "Two players have the words `a` and `b`, and each gets $points. Write `$f a b`, which is $winner.",
        ),
        names=("$winner", "${winner}_by_$points"),
        signature="string -> string -> string",
        code="let $f a b =\n  let points s = $points in\n  let x = points a and y = points b in\n  $winner",
        gaps={**_GAPS, "points": _MEASURES, "winner": _WINNER},
        inputs=(_WORD, _WORD),
    ),
    Task(
        level=2,
        says=(
            "A word gets $points. `$f l` is $choice, and the empty string for an empty list.",
            'Suppose that a word gets $points. Write `$f l`, which returns $choice. For the empty list it is `""`.',
        ),
        names=("$choice", "${choice}_by_$points"),
        signature="string list -> string",
        code="let $f l =\n  let points s = $points in\n  let better best s = if $choice then s else best in\n"
        '  match l with\n  | [] -> ""\n  | first :: rest -> List.fold_left better first rest',
        gaps={**_GAPS, "points": _MEASURES, "choice": _CHOICE},
        inputs=(lists(_WORD, 0, 5, far=12),),
    ),
    Task(
        level=2,
        says=(
            "A team has a list of results, and starts with 0 points. A win adds $p, a draw adds 1, and a loss $loss. "
            "`$f l` is the number of points after all results.",
            "Write a recursive function `$f l` for a list of results: $p for each win, 1 for each draw, and a loss $loss. "
            "It returns the total, which is 0 without results.",
        ),
        names=("total", "team_points", "season"),
        signature=f"{_RESULT}\n\nval $f : result list -> int",
        code=f"{_RESULT}\n\nlet rec $f l =\n  match l with\n  | [] -> 0\n  | Win :: rest -> $p + $f rest\n"
        "  | Draw :: rest -> 1 + $f rest\n  | Loss :: rest -> $loss",
        gaps={
            "p": number(2, 6),
            "loss": (
                ("adds nothing", "$f rest"),
                ("takes 1 away", "$f rest - 1"),
                ("takes $p away", "$f rest - $p"),
            ),
        },
        inputs=(lists(one_of("Win", "Draw", "Loss"), 0, 8, far=16),),
    ),
    Task(
        level=2,
        says=(
            "A text gets $p points for each $kind in it. `$f s` is the grade of the text `s`: $grade.",
            "Count $p points for each $kind in a string `s`. Its grade, `$f s`, is $grade.",
        ),
        names=("$grade", "${kind}_$grade"),
        signature="string -> string",
        code="let $f s =\n  let n = String.fold_left (fun n c -> if $kind then n + $p else n) 0 s in\n  $grade",
        gaps={
            **_GAPS,
            "kind": _FREQUENT,
            "p": number(3, 4),
            "m": number(4, 6),
            "q": number(9, 13),
            "grade": _GRADE,
            "high": (("gold",), ("great",), ("high",)),
            "low": (("silver",), ("fair",), ("low",)),
        },
        inputs=(_MIXED,),
    ),
)
