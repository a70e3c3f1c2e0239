"""Small tasks on catching exceptions: a search finds nothing, a text is no number, a function fails."""

from __future__ import annotations

from collections.abc import Sequence

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, texts, tuples, words
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import text

__all__ = ["TASKS"]


_NO_NUMERALS = (
    *("", "two", "x", "4a", "1.5", "7 8", "-", "none", "1 2", "ten", "b3", "?", "6/2"),
    *(" 5", "5 ", "--5", "5-", "- 5", "12a", "3,5", "1e3", "a", " "),
)


def _numeral(chance: Chance) -> str:
    """A decimal number, or a word that is no number."""
    if chance.happens(0.35):
        return text(chance.pick(_NO_NUMERALS))
    if chance.happens(0.15):
        return text(str(chance.between(-9999, 9999)))
    return text(str(chance.number(-9, 60)))


def _table(keys: Sequence[str], of: Input) -> Input:
    """Lists of pairs, with each key once."""

    def draw(chance: Chance) -> str:
        pairs = [f"({key}, {of.draw(chance)})" for key in chance.sample(keys, chance.between(1, len(keys)))]
        return "[" + "; ".join(pairs) + "]"

    return Input(draw, ("[]",))


def _exception(chance: Chance) -> str:
    why = text(chance.pick(("", "Not_found", "exit")) if chance.happens(0.1) else chance.pick(WORDS))
    return chance.pick((f"Failure {why}", f"Invalid_argument {why}"))


_NUMERAL = Input(_numeral, ('""', '"0"', '"x"', '"-7"', '"12a"', '" 5"', '"1.5"', '"-"', '"4321"'))
_KEYS = ('"ann"', '"ben"', '"cleo"', '"dan"', '"eva"')
_KEY = one_of(*_KEYS)
_TABLE = _table(_KEYS, integers(1, 30))
_FAILING = one_of(
    "(fun n -> 60 / n)",
    "(fun n -> if n < 0 then raise Not_found else 2 * n)",
    '(fun n -> if n > 3 then failwith "too large" else n + 10)',
    "(fun n -> List.nth [ 7; 3; 8 ] n)",
    "(fun n -> if n mod 2 = 0 then n / 2 else raise Exit)",
    "(fun n -> n * n)",
)
_WORDY = one_of(
    '(fun n -> if n < 0 then failwith "negative" else n * n)',
    '(fun n -> if n > 5 then failwith "too large" else n + 20)',
    '(fun n -> if n mod 2 = 1 then failwith "odd" else n / 2)',
    '(fun n -> if n = 0 then failwith "zero" else 100 / n)',
    "(fun n -> 3 * n)",
)
_ARGUMENT = integers(-4, 9, far=50)

_OP: Gap = (
    ("that number", "n", "number"),
    ("the double of that number", "2 * n", "double"),
    ("the square of that number", "n * n", "square"),
    ("that number plus $k", "n + $k", "add"),
    ("$k times that number", "$k * n", "multiply"),
    ("that number with the opposite sign", "-n", "negate"),
    ("the last digit of that number (without its sign)", "abs n mod 10", "last_digit"),
    ("how far that number is from $k", "abs (n - $k)", "distance"),
)
_TOLD: Gap = (
    ("the age of `name`", "List.assoc name l", "age"),
    ("how old `name` will be in $k years", "List.assoc name l + $k", "age_later"),
    ("how old `name` was $k years ago, perhaps negative", "List.assoc name l - $k", "age_before"),
    ("the double of the age of `name`", "2 * List.assoc name l", "double_age"),
    ("the number of years until `name` is $old, perhaps negative", "$old - List.assoc name l", "years_left"),
    ("the age of `name` in months, 12 for each year", "12 * List.assoc name l", "months"),
)
_FOUND: Gap = (
    ("negative", "x < 0", "negative"),
    ("even", "x mod 2 = 0", "even"),
    ("odd", "x mod 2 <> 0", "odd"),
    ("greater than $k", "x > $k", "large"),
    ("less than $k", "x < $k", "small"),
    ("divisible by $k", "x mod $k = 0", "divisible"),
    ("a number with two digits or more", "abs x > 9", "long"),
)
_INDEX: Gap = (
    ("the index of the first `c` in `s`", "String.index s c", "first"),
    ("the index of the last `c` in `s`", "String.rindex s c", "last"),
    ("how many characters come before the first `c` in `s`", "String.index s c", "before"),
    ("how many characters come after the first `c` in `s`", "String.length s - 1 - String.index s c", "after"),
    ("how many characters come after the last `c` in `s`", "String.length s - 1 - String.rindex s c", "after_last"),
    ("the index of the second `c` in `s`", "String.index_from s (String.index s c + 1) c", "second"),
    ("the distance between the first and the last `c` in `s`", "String.rindex s c - String.index s c", "spread"),
)
_RESCUED: Gap = (
    ("the result of `g x`", "g x", "call"),
    ("the double of `g x`", "2 * g x", "double_call"),
    ("`g x` plus `x`", "g x + x", "add_call"),
    ("the sum of `g x` and `g (x + 1)`", "g x + g (x + 1)", "two_calls"),
    ("the product of `g x` and `g (-x)`", "g x * g (-x)", "both_signs"),
    ("the result of `g (g x)`", "g (g x)", "twice"),
    ("the difference `g x - x`", "g x - x", "gain"),
)
_WRAPPED: Gap = (
    ("`Some` of the number that `s` is written as", "int_of_string s", "number"),
    ("`Some` of the double of the number that `s` is written as", "2 * int_of_string s", "double"),
    ("`Some` of the number after the one that `s` is written as", "int_of_string s + 1", "next"),
    ("`Some` of $k minus the number that `s` is written as", "$k - int_of_string s", "rest"),
    ("`Some` of the absolute value of the number that `s` is written as", "abs (int_of_string s)", "size"),
)
_BOTH: Gap = (
    ("the sum of the two numbers", "int_of_string a + int_of_string b", "add"),
    ("the product of the two numbers", "int_of_string a * int_of_string b", "multiply"),
    ("the first number minus the second", "int_of_string a - int_of_string b", "subtract"),
    ("the larger one of the two numbers", "max (int_of_string a) (int_of_string b)", "larger"),
    ("the distance between the two numbers", "abs (int_of_string a - int_of_string b)", "distance"),
)
_CUT: Gap = (
    ("the part of `s` before the first `c`", "String.sub s 0 i", "before"),
    ("the part of `s` after the first `c`", "String.sub s (i + 1) (String.length s - i - 1)", "after"),
    ("`s` up to the first `c`, which still belongs to it", "String.sub s 0 (i + 1)", "up_to"),
    ("`s` from the first `c` on, which still belongs to it", "String.sub s i (String.length s - i)", "from"),
    ("the part of `s` before the first `c`, in capitals", "String.uppercase_ascii (String.sub s 0 i)", "loud_before"),
    ("the part of `s` before the first `c`, and a full stop", 'String.sub s 0 i ^ "."', "sentence"),
)
_SUMMED: Gap = (
    (
        "adds up the numbers in `l`, and skips the strings that are none",
        "with n -> n + $f rest | exception Failure _ -> $f rest",
        "sum",
    ),
    (
        "adds up the numbers in `l`, and counts $k for a string that is none",
        "with n -> n + $f rest | exception Failure _ -> $k + $f rest",
        "sum_with_default",
    ),
    (
        "counts the strings in `l` that are numbers",
        "with _ -> 1 + $f rest | exception Failure _ -> $f rest",
        "count_numbers",
    ),
    (
        "counts the strings in `l` that are no numbers",
        "with _ -> $f rest | exception Failure _ -> 1 + $f rest",
        "count_others",
    ),
    (
        "adds up the squares of the numbers in `l`, and skips other strings",
        "with n -> (n * n) + $f rest | exception Failure _ -> $f rest",
        "sum_squares",
    ),
    (
        "adds up the numbers in `l` up to the first string that is none",
        "with n -> n + $f rest | exception Failure _ -> 0",
        "sum_before",
    ),
    (
        "counts the numbers in `l` up to the first string that is none",
        "with _ -> 1 + $f rest | exception Failure _ -> 0",
        "count_before",
    ),
)
_READ: Gap = (
    (
        "the list of the numbers in `l`; other strings are left out",
        "with n -> n :: $f rest | exception Failure _ -> $f rest",
        "numbers",
    ),
    (
        "the list of the numbers in `l`, with $k in the place of each other string",
        "with n -> n :: $f rest | exception Failure _ -> $k :: $f rest",
        "numbers_or",
    ),
    (
        "the list of the doubled numbers in `l`; other strings are left out",
        "with n -> (2 * n) :: $f rest | exception Failure _ -> $f rest",
        "doubles",
    ),
    (
        "the list of the numbers in `l` up to the first string that is none",
        "with n -> n :: $f rest | exception Failure _ -> []",
        "numbers_before",
    ),
    (
        "the list of the numbers in `l`, each raised by $k; other strings are left out",
        "with n -> (n + $k) :: $f rest | exception Failure _ -> $f rest",
        "raised",
    ),
)
_PATH: Gap = (
    ("the age of the best friend of `name`", "List.assoc (List.assoc name friends) ages", "friend_age"),
    (
        "how old `name` and the best friend of `name` are together",
        "List.assoc name ages + List.assoc (List.assoc name friends) ages",
        "both_ages",
    ),
    (
        "how much older the best friend of `name` is than `name`, perhaps negative",
        "List.assoc (List.assoc name friends) ages - List.assoc name ages",
        "older_by",
    ),
    (
        "the age of the best friend of the best friend of `name`",
        "List.assoc (List.assoc (List.assoc name friends) friends) ages",
        "friend_of_friend_age",
    ),
    (
        "the distance between the ages of `name` and the best friend of `name`",
        "abs (List.assoc (List.assoc name friends) ages - List.assoc name ages)",
        "age_gap",
    ),
)
_STORED: Gap = (
    ("the old number plus `n`", "old + n", "add"),
    ("the old number minus `n`", "old - n", "take_off"),
    ("`n` times the old number", "old * n", "multiply"),
    ("the larger one of `n` and the old number", "max old n", "record"),
    ("the distance between `n` and the old number", "abs (old - n)", "gap"),
)
_BILL: Gap = (
    (
        "what all things in `order` cost together",
        "List.fold_left (fun sum k -> sum + List.assoc k prices) 0 order",
        "total",
    ),
    (
        "the highest price of a thing in `order` (0 if it is empty)",
        "List.fold_left (fun m k -> max m (List.assoc k prices)) 0 order",
        "highest",
    ),
    (
        "what all things in `order` cost together, and $k for the delivery",
        "List.fold_left (fun sum k -> sum + List.assoc k prices) $k order",
        "delivered",
    ),
    (
        "what all things in `order` cost together if each is $k cheaper",
        "List.fold_left (fun sum k -> sum + List.assoc k prices - $k) 0 order",
        "reduced",
    ),
    (
        "what is left of $budget after all things in `order` are bought, perhaps negative",
        "List.fold_left (fun sum k -> sum - List.assoc k prices) $budget order",
        "rest",
    ),
)
_AGAIN: Gap = (
    ("`g 0`", "g 0", "zero"),
    ("`g (-x)`", "g (-x)", "opposite"),
    ("`g (x + 1)`", "g (x + 1)", "next"),
    ("`g (x - 1)`", "g (x - 1)", "previous"),
    ("`g (x / 2)`", "g (x / 2)", "half"),
    ("`g $k`", "g $k", "fixed"),
)
_TRIED: Gap = (
    (
        "adds up `g x` for all `x` in `l`, and skips those for which it raises `Failure`",
        "with y -> y + $f g rest | exception Failure _ -> $f g rest",
        "sum_results",
    ),
    (
        "counts the `x` in `l` for which `g x` raises `Failure`",
        "with _ -> $f g rest | exception Failure _ -> 1 + $f g rest",
        "count_failures",
    ),
    (
        "counts the `x` in `l` for which `g x` gives a result and does not raise `Failure`",
        "with _ -> 1 + $f g rest | exception Failure _ -> $f g rest",
        "count_results",
    ),
    (
        "adds up the `x` in `l` for which `g x` raises `Failure`",
        "with _ -> $f g rest | exception Failure _ -> x + $f g rest",
        "sum_failing",
    ),
    (
        "adds up `g x` for all `x` in `l`, but `x` itself where `g x` raises `Failure`",
        "with y -> y + $f g rest | exception Failure _ -> x + $f g rest",
        "sum_or_keep",
    ),
    (
        "adds up `g x` for all `x` in `l` up to the first one for which it raises `Failure`",
        "with y -> y + $f g rest | exception Failure _ -> 0",
        "sum_until_failure",
    ),
)
_SHOWN: Gap = (
    ("the result as a string", "string_of_int y", "show"),
    ('`"= "` and the result as a string', '"= " ^ string_of_int y', "equals"),
    ('`"fine: "` and the result as a string', '"fine: " ^ string_of_int y', "report"),
    ('the result as a string, followed by `" points"`', 'string_of_int y ^ " points"', "points"),
)
_KINDS: Gap = (
    ('`"nothing"` for `Not_found`', 'Not_found -> "nothing"'),
    ('`"exit"` for `Exit`', 'Exit -> "exit"'),
    ('`"zero"` for `Division_by_zero`', 'Division_by_zero -> "zero"'),
    ('`"end"` for `End_of_file`', 'End_of_file -> "end"'),
)
_GAPS: dict[str, Gap] = {
    "k": number(2, 9),
    "none": number(-1, 12),
    "old": number(18, 90),
    "budget": number(40, 90),
    "op": _OP,
    "told": _TOLD,
    "test": _FOUND,
    "index": _INDEX,
    "rescued": _RESCUED,
    "wrapped": _WRAPPED,
    "both": _BOTH,
    "cut": _CUT,
    "summed": _SUMMED,
    "read": _READ,
    "path": _PATH,
    "stored": _STORED,
    "bill": _BILL,
    "again": _AGAIN,
    "tried": _TRIED,
    "shown": _SHOWN,
    "kind": _KINDS,
    "unknown": tuple((word,) for word in ("unknown", "nobody", "no entry", "missing", "not here")),
    "bad": tuple((word,) for word in ("failed", "error", "no result", "impossible", "sorry")),
    "other": tuple((word,) for word in ("other", "something else", "unexpected", "strange")),
}


def _task(level: int, says: tuple[str, ...], names: tuple[str, ...], signature: str, code: str, *inputs: Input) -> Task:
    return Task(level=level, says=says, names=names, signature=signature, code=code, gaps=_GAPS, inputs=inputs)


TASKS = (
    _task(
        1,
        (
            "If the string `s` is a decimal number, `$f s` is $op. For other strings it is $none.",
            "`int_of_string` raises `Failure` for a string that is no number. `$f s` catches that, and returns $none; "
            "otherwise it returns $op.",
            "Somebody has typed `s`. If that is a decimal number, `$f s` is $op, and if not $none.",
        ),
        ("read_$op", "${op}_of_string"),
        "string -> int",
        "let $f s = match int_of_string s with n -> $op | exception Failure _ -> $none",
        _NUMERAL,
    ),
    _task(
        1,
        (
            "`$f s` is $wrapped, or `None` if it is no decimal number.",
            "Write `$f s` with `int_of_string`, which raises `Failure` for a string that is no number. The result is "
            "then `None`, and otherwise $wrapped.",
        ),
        ("${wrapped}_opt", "try_$wrapped"),
        "string -> int option",
        "let $f s = try Some ($wrapped) with Failure _ -> None",
        _NUMERAL,
    ),
    _task(
        1,
        (
            "`a` and `b` are strings. If both are decimal numbers, `$f a b` is $both; if not, it is $none.",
            "Read two decimal numbers from the strings `a` and `b`, and return $both. Return $none if one of them is "
            "no number. Call it `$f a b`.",
        ),
        ("${both}_strings", "read_and_$both"),
        "string -> string -> int",
        "let $f a b = try $both with Failure _ -> $none",
        _NUMERAL,
        _NUMERAL,
    ),
    _task(
        1,
        (
            "The list `l` has pairs of a name and an age. `$f name l` is $told, or $none if the name is not in `l`.",
            "Look up an age: `$f name l` is $told, according to the names and ages in `l`. If `List.assoc` raises "
            "`Not_found`, it is $none.",
        ),
        ("${told}_or_default", "find_$told"),
        "string -> (string * int) list -> int",
        "let $f name l = try $told with Not_found -> $none",
        _KEY,
        _TABLE,
    ),
    _task(
        1,
        (
            "`l` is a list of names with telephone numbers. `$f n l` is the name of the first one whose number is "
            '`n`, or `"$unknown"`.',
            "Who has the number `n`? In `l`, names and numbers are pairs. `$f n l` is the first name with this "
            'number, and `"$unknown"` if there is none.',
        ),
        ("who", "caller", "name_of"),
        "int -> (string * int) list -> string",
        'let $f n l = try fst (List.find (fun (_, m) -> m = n) l) with Not_found -> "$unknown"',
        integers(1, 6),
        lists(tuples(words(), integers(1, 6)), 0, 5, far=10),
    ),
    _task(
        1,
        (
            "`$f l` is the first number in `l` that is $test, or $none if there is none.",
            "Which is the first number in `l` that is $test? Write `$f l` with `List.find`, and catch `Not_found`: "
            "then the result is $none.",
            "`List.find` raises `Not_found` if no element fits. Use it for `$f l`, the first number in `l` that is "
            "$test, or else $none.",
        ),
        ("first_$test", "find_$test"),
        "int list -> int",
        "let $f l = try List.find (fun x -> $test) l with Not_found -> $none",
        lists(integers(-12, 30), 0, 4, far=11),
    ),
    _task(
        1,
        (
            "`$f s c` is $index. If there is none, it is -1.",
            "Look for the character `c` in the string `s`: `$f s c` is $index, or -1 if it is not there. (Catch "
            "`Not_found`.)",
        ),
        ("${index}_index", "find_$index"),
        "string -> char -> int",
        "let $f s c = try $index with Not_found -> -1",
        texts(0, 9, "aabbcdeA", far=20),
        one_of("'a'", "'b'", "'c'", "'d'", "'e'"),
    ),
    _task(
        1,
        (
            "The function `g` may raise exceptions. `$f g x` is $rescued, or $none if an exception is raised on the "
            "way.",
            "Call a function that may fail: `$f g x` is $rescued. If that raises an exception, whatever it is, the "
            "result is $none.",
        ),
        ("safe_$rescued", "${rescued}_or_default"),
        "(int -> int) -> int -> int",
        "let $f g x = try $rescued with _ -> $none",
        _FAILING,
        _ARGUMENT,
    ),
    _task(
        1,
        (
            "The function `g` may raise `Failure`. `$f g x` is `Ok` of $rescued, or `Error` of the text in the "
            "`Failure`.",
            "If $rescued can be computed, `$f g x` is `Ok` of it. If that raises `Failure why`, it is `Error why`.",
        ),
        ("${rescued}_result", "as_result"),
        "(int -> int) -> int -> (int, string) result",
        "let $f g x = match $rescued with y -> Ok y | exception Failure why -> Error why",
        _WORDY,
        _ARGUMENT,
    ),
    _task(
        1,
        (
            '`$f c s` is $cut. If there is no `c` in `s`, it is `"$bad"`.',
            "`String.index` raises `Not_found` if a character does not occur. Write `$f c s`, which is $cut, or "
            '`"$bad"` if there is none.',
        ),
        ("${cut}_character", "cut_$cut"),
        "char -> string -> string",
        'let $f c s = match String.index s c with i -> $cut | exception Not_found -> "$bad"',
        one_of("'a'", "'b'", "'c'", "'d'", "'e'"),
        texts(0, 9, "aabbcdeA", far=20),
    ),
    _task(
        2,
        (
            "`$f l` goes through a list of strings. It $summed. The strings that are numbers are decimal.",
            "Some strings in `l` are decimal numbers. Write a recursive `$f l` that $summed. (`int_of_string` raises "
            "`Failure` for the others.)",
        ),
        ("$summed", "${summed}_in"),
        "string list -> int",
        "let rec $f l =\n  match l with\n  | [] -> 0\n  | s :: rest -> (\n    match int_of_string s $summed)",
        lists(_NUMERAL, 0, 6, far=11),
    ),
    _task(
        2,
        (
            "Some strings in `l` are decimal numbers. `$f l` is $read.",
            "Write a recursive function `$f l` for a list of strings, some of which are decimal numbers. It returns "
            "$read.",
        ),
        ("$read", "read_$read"),
        "string list -> int list",
        "let rec $f l =\n  match l with\n  | [] -> []\n  | s :: rest -> (\n    match int_of_string s $read)",
        lists(_NUMERAL, 0, 6, far=11),
    ),
    _task(
        2,
        (
            "`friends` tells who is whose best friend, and `ages` how old people are. `$f name friends ages` is "
            "$path. If a name is missing in a list, it is $none.",
            "Two lists of pairs: in `friends`, a name and that of the best friend; in `ages`, a name and an age. "
            "Write `$f name friends ages` that returns $path, or $none if an entry is missing.",
        ),
        ("$path", "find_$path"),
        "string -> (string * string) list -> (string * int) list -> int",
        "let $f name friends ages =\n  try $path\n  with Not_found -> $none",
        _KEY,
        _table(_KEYS, _KEY),
        _TABLE,
    ),
    _task(
        2,
        (
            "`l` has pairs of a name and a number. `$f key n l` is `l` without the pair for `key`, if it has one, and "
            "with a new pair at the front: `key`, and $stored. A missing number counts as 0.",
            "Store a new number for `key`: $stored. The old number is 0 if `key` is missing in `l`. `$f key n l` has "
            "the new pair at the front, and an old pair for `key` is removed.",
        ),
        ("$stored", "${stored}_number"),
        "string -> int -> (string * int) list -> (string * int) list",
        "let $f key n l =\n  let old = try List.assoc key l with Not_found -> 0 in\n"
        "  (key, $stored) :: List.remove_assoc key l",
        _KEY,
        integers(-9, 20, far=400),
        _TABLE,
    ),
    _task(
        2,
        (
            "`order` is a list of names, and `prices` a list of pairs of a name and a price. `$f prices order` is "
            "`Some` of $bill, or `None` if a price is missing.",
            "Write `$f prices order`: the prices are pairs of a name and a number, and the order is a list of names. "
            "Return $bill, in `Some`, and `None` if there is a name without a price.",
        ),
        ("$bill", "${bill}_of_order"),
        "(string * int) list -> string list -> int option",
        "let $f prices order =\n  try\n    Some ($bill)\n  with Not_found -> None",
        _table(_KEYS, integers(10, 30)),
        lists(_KEY, 0, 3, far=7),
    ),
    _task(
        2,
        (
            "`$f g x` is `g x`. If that raises an exception, it is $again, and if this raises one too, $none.",
            "The function `g` may raise exceptions. Write `$f g x`: try `g x` first, then $again, and if both fail "
            "return $none.",
        ),
        ("try_twice", "retry_$again", "second_chance"),
        "(int -> int) -> int -> int",
        "let $f g x =\n  try g x with _ -> (\n    try $again with _ -> $none)",
        _FAILING,
        _ARGUMENT,
    ),
    _task(
        2,
        (
            "`$f g h x` is `g x`. If that raises an exception, it is `h x`, and if this raises one too, $none.",
            "There are two functions for a task, but both may raise exceptions. `$f g h x` is `g x` if it works, else "
            "`h x`, and else $none.",
        ),
        ("first_that_works", "try_both", "either"),
        "(int -> int) -> (int -> int) -> int -> int",
        "let $f g h x =\n  try g x with _ -> (\n    try h x with _ -> $none)",
        _FAILING,
        _FAILING,
        _ARGUMENT,
    ),
    _task(
        2,
        (
            "The function `g` may raise `Failure`. `$f g l` $tried.",
            "Write a recursive function `$f g l`, where `g` may raise `Failure`. It $tried. For the empty list it is "
            "0.",
        ),
        ("$tried",),
        "(int -> int) -> int list -> int",
        "let rec $f g l =\n  match l with\n  | [] -> 0\n  | x :: rest -> (\n    match g x $tried)",
        _WORDY,
        lists(integers(-4, 9), 0, 5, far=9),
    ),
    _task(
        2,
        (
            'Call `g x`, and say what happened. `$f g x` is $shown. If `Not_found` is raised it is `"$unknown"`, and '
            'for all other exceptions `"$bad"`.',
            '`$f g x` is a string: if `g x` has a result, $shown; if it raises `Not_found`, `"$unknown"`; and if it '
            'raises any other exception, `"$bad"`.',
        ),
        ("$shown", "${shown}_call"),
        "(int -> int) -> int -> string",
        'let $f g x =\n  match g x with\n  | y -> $shown\n  | exception Not_found -> "$unknown"\n'
        '  | exception _ -> "$bad"',
        one_of(
            "(fun n -> List.assoc n [ (1, 10); (2, 30); (5, 80) ])",
            "(fun n -> if n < 0 then raise Not_found else 60 / n)",
            "(fun n -> List.find (fun m -> m > n) [ 3; 1; 7 ])",
            '(fun n -> if n > 4 then failwith "too large" else if n = 2 then raise Not_found else n + 10)',
        ),
        _ARGUMENT,
    ),
    _task(
        2,
        (
            "Exceptions are values too. `$f e` is the text in `e` if it is `Failure` or `Invalid_argument`, $kind, "
            'and `"$other"` for all others.',
            "Describe the exception `e`: `$f e` is $kind, the text of a `Failure` or an `Invalid_argument`, and "
            '`"$other"` for everything else.',
        ),
        ("describe", "explain", "message"),
        "exn -> string",
        'let $f e =\n  match e with\n  | $kind\n  | Failure why | Invalid_argument why -> why\n  | _ -> "$other"',
        Input(_exception, ("Not_found", "Exit", "Division_by_zero", "End_of_file")),
    ),
)
