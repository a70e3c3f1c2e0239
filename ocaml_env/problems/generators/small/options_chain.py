"""Small tasks on steps that may fail: look something up, read a number, check it, and go on with the result."""

from __future__ import annotations

from collections.abc import Sequence

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, options, texts
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import atom, text

__all__ = ["TASKS"]


def _numeral(chance: Chance) -> str:
    """A decimal number, or a word that is no number."""
    if chance.happens(0.3):
        return text(chance.pick(("", "two", "x", "4a", "1.5", "7 8", "-", "--5", "5-", "1e3", "b3", "?", "6/2")))
    if chance.happens(0.1):
        return text(
            chance.pick(("007", "040", "-03", str(chance.between(100, 5_000)), str(-chance.between(100, 5_000))))
        )
    return text(str(chance.number(-25, 60)))


def _upwards(chance: Chance) -> str:
    """A table from each number to a greater one: every walk along it ends."""
    starts = chance.sample(range(1, 13), chance.pick((1, 3, 5, 6, 7, 8, 12)))
    widest = chance.pick((1, 3, 3, 6))
    return "[" + "; ".join(f"({n}, {n + chance.between(1, widest)})" for n in starts) + "]"


def _result(chance: Chance) -> str:
    if chance.happens(0.3):
        return f"Error {text(chance.pick(WORDS))}"
    return f"Ok {atom(str(chance.number(-9, 40)))}"


_MORE = ('"eva"', '"finn"', '"gil"', '"kiel"', '"lima"', '"nice"', '"pisa"', '"turin"')  # keys that nobody asks for


def _table(keys: Sequence[str], of: Input) -> Input:
    """Lists of pairs, with each key once."""

    def draw(chance: Chance) -> str:
        chosen = chance.sample(keys, chance.between(1, len(keys)))
        if chance.happens(0.1):
            chosen = chance.shuffled([*chosen, *_MORE])
        pairs = [f"({key}, {of.draw(chance)})" for key in chosen]
        return "[" + "; ".join(pairs) + "]"

    return Input(draw, ("[]",))


_NUMERAL = Input(_numeral, ('""', '"0"', '"x"'))
_KEYS = ('"ann"', '"ben"', '"cleo"', '"dan"')
_TOWNS = ('"bonn"', '"lyon"', '"oslo"', '"rome"')
_KEY = one_of(*_KEYS)
_AGES = _table(_KEYS, integers(0, 60))
_LINKS = _table(_KEYS, _KEY)
_HOMES = _table(_KEYS, one_of(*_TOWNS))
_CODES = _table(_TOWNS, integers(10, 60))
_NUMBERS = Input(
    lambda chance: lists(integers(-9, 30, far=900), size := chance.pick((0, 1, 2, 3, 4, 9)), size).draw(chance), ("[]",)
)

_OP: Gap = (
    ("the double of that number", "2 * n", "double"),
    ("the square of that number", "n * n", "square"),
    ("that number plus $k", "n + $k", "add"),
    ("$k times that number", "$k * n", "multiply"),
    ("that number with the opposite sign", "-n", "negate"),
    ("the last digit of that number (without its sign)", "abs n mod 10", "last_digit"),
    ("how far that number is from $k", "abs (n - $k)", "distance"),
    ("$m minus that number", "$m - n", "complement"),
)
_TEST: Gap = (
    ("even", "n mod 2 = 0", "even"),
    ("odd", "n mod 2 <> 0", "odd"),
    ("negative", "n < 0", "negative"),
    ("positive", "n > 0", "positive"),
    ("greater than $k", "n > $k", "large"),
    ("at most $m", "n <= $m", "small"),
    ("divisible by 3", "n mod 3 = 0", "divisible"),
)
_STEP: Gap = (
    ("half of it, if it is even", "n mod 2 = 0 then Some (n / 2)", "halve"),
    ("a third of it, if it is divisible by 3", "n mod 3 = 0 then Some (n / 3)", "third"),
    ("$m divided by it, unless it is 0", "n <> 0 then Some ($m / n)", "divide"),
    ("the number before it, if it is positive", "n > 0 then Some (n - 1)", "count_down"),
    ("the number after it, if it is less than $m", "n < $m then Some (n + 1)", "count_up"),
    ("what remains if $k is taken off, if that is not negative", "n >= $k then Some (n - $k)", "spend"),
    ("its double, unless that is over $m", "2 * n <= $m then Some (2 * n)", "limited_double"),
    ("its last digit, if it is greater than 9", "n > 9 then Some (n mod 10)", "last_digit"),
)
_AGE: Gap = (
    ("the age of `name`", "Fun.id", "age"),
    ("how old `name` will be in $k years", "(fun age -> age + $k)", "age_later"),
    ("how old `name` was $k years ago, perhaps negative", "(fun age -> age - $k)", "age_before"),
    ("how many years `name` is away from being $m", "(fun age -> abs ($m - age))", "years_from"),
    ("the double of the age of `name`", "(fun age -> 2 * age)", "double_age"),
    ("the age of `name` in months (12 a year)", "(fun age -> 12 * age)", "months"),
)
_ALLOWED: Gap = (
    ("is at least $m years old", "age >= $m", "adult"),
    ("is younger than $m", "age < $m", "young"),
    ("has an even age", "age mod 2 = 0", "even_age"),
    ("is not older than $m", "age <= $m", "not_old"),
    ("is from $m to 50 years old", "age >= $m && age <= 50", "right_age"),
    ("has an age that ends in 0", "age mod 10 = 0", "round_age"),
)
_FIRST: Gap = (
    ("`Some` of the double of the first number in `l` that is $test", "(fun n -> 2 * n)", "double"),
    ("`Some` of the square of the first number in `l` that is $test", "(fun n -> n * n)", "square"),
    ("`Some` of $k times the first number in `l` that is $test", "(fun n -> $k * n)", "multiple"),
    ("`Some` of the number after the first number in `l` that is $test", "(fun n -> n + 1)", "after"),
    (
        "`Some` of the last digit (without a sign) of the first number in `l` that is $test",
        "(fun n -> abs n mod 10)",
        "digit",
    ),
)
_CUT: Gap = (
    ("the part of `s` before the first `c`", "String.sub s 0 i", "before"),
    ("the part of `s` after the first `c`", "String.sub s (i + 1) (String.length s - i - 1)", "after"),
    ("`s` from the first `c` on", "String.sub s i (String.length s - i)", "from"),
    ("the part of `s` before the first `c`, in capitals", "String.uppercase_ascii (String.sub s 0 i)", "loud_before"),
    ("the part of `s` before the first `c`, followed by a full stop", 'String.sub s 0 i ^ "."', "sentence"),
)
_PLACE: Gap = (
    ("second", "1", "second"),
    ("third", "2", "third"),
)
_WHY: Gap = tuple((why,) for why in ("not found", "missing", "no entry", "unknown name", "who is that?"))
_BAD: Gap = tuple((why,) for why in ("not allowed", "refused", "wrong number", "no good", "out of range"))
_NONE: Gap = tuple((why,) for why in ("no number", "not a number", "digits, please", "unreadable"))

_JOIN: Gap = (
    ("the sum of the two numbers", "Some x, Some y -> Some (x + y)", "add"),
    ("the product of the two numbers", "Some x, Some y -> Some (x * y)", "multiply"),
    ("the difference of the two numbers, first minus second", "Some x, Some y -> Some (x - y)", "subtract"),
    ("the larger one of the two numbers", "Some x, Some y -> Some (max x y)", "larger"),
    (
        "the first number divided by the second, unless this is 0",
        "Some x, Some y when y <> 0 -> Some (x / y)",
        "divide",
    ),
    (
        "the difference, first minus second, unless it is negative",
        "Some x, Some y when x >= y -> Some (x - y)",
        "subtract_natural",
    ),
    ("the sum, if both numbers are positive", "Some x, Some y when x > 0 && y > 0 -> Some (x + y)", "add_positive"),
    (
        "the product, unless the two numbers are equal",
        "Some x, Some y when x <> y -> Some (x * y)",
        "multiply_different",
    ),
)
_LINK: Gap = (
    (
        "`friends` tells who is whose best friend. `$f n name friends` is the person you reach from `name` after `n` "
        "steps, from a person to the best friend",
        "",
        "friend",
    ),
    (
        "Each pair in `bosses` is a person and the boss of that person. `$f n name bosses` is who you reach from "
        "`name` after `n` steps, each to the boss",
        "",
        "boss",
    ),
    (
        "A ball is thrown: each pair in `throws` is a person and the one to whom that person throws it. `$f n name "
        "throws` has the ball `n` throws after `name`",
        "",
        "ball",
    ),
)
_WALK: Gap = (
    ("the last number of the walk", "None -> n\n  | Some next -> $f next l", "last"),
    ("how many steps the walk has", "None -> 0\n  | Some next -> 1 + $f next l", "steps"),
    ("the sum of all numbers of the walk, with `n`", "None -> n\n  | Some next -> n + $f next l", "sum"),
    ("the sum of all numbers of the walk but the last one", "None -> 0\n  | Some next -> n + $f next l", "sum_before"),
    ("the product of all numbers of the walk, with `n`", "None -> n\n  | Some next -> n * $f next l", "product"),
    (
        "the widest of its steps, or 0 if there is none",
        "None -> 0\n  | Some next -> max (next - n) ($f next l)",
        "widest",
    ),
)
_DONE: Gap = (
    ("the number itself", "n", "check"),
    ("its double", "2 * n", "double"),
    ("its square", "n * n", "square"),
    ("the number after it", "n + 1", "next"),
    ("$m minus the number", "$m - n", "rest"),
)
_TURNS: Gap = (
    (
        "divides `n` by each number in `l` in turn. If one of them is 0 or leaves a remainder, the result is `None`",
        "d <> 0 && n mod d = 0 then $f (n / d) rest",
        "divide_all",
    ),
    (
        "takes each number in `l` off `n` in turn. If that would make it negative, the result is `None`",
        "n >= d then $f (n - d) rest",
        "spend_all",
    ),
    (
        "adds the numbers in `l` to `n` in turn. If it would become greater than $m, the result is `None`",
        "n + d <= $m then $f (n + d) rest",
        "fill_up",
    ),
    (
        "multiplies `n` by each number in `l` in turn. If one of them is 0, the result is `None`",
        "d <> 0 then $f (n * d) rest",
        "multiply_all",
    ),
    (
        "climbs from `n` to each number in `l` in turn. If one is less than the number before it, the result is `None`",
        "d >= n then $f d rest",
        "climb",
    ),
    (
        "climbs from `n` to each number in `l` in turn. If a step is wider than $k, up or down, the result is `None`",
        "abs (d - n) <= $k then $f d rest",
        "walk",
    ),
)
_ALL: Gap = (
    (
        "the sum of the ages of all these people",
        "[] -> Some 0\n  | name :: rest -> (\n    match (List.assoc_opt name ages, $f rest ages) with\n"
        "    | Some age, Some sum -> Some (age + sum)",
        "total",
    ),
    (
        "the age of the oldest of these people, or 0 if there is nobody",
        "[] -> Some 0\n  | name :: rest -> (\n    match (List.assoc_opt name ages, $f rest ages) with\n"
        "    | Some age, Some oldest -> Some (max age oldest)",
        "oldest",
    ),
    (
        "the product of the ages of all these people, or 1 if there is nobody",
        "[] -> Some 1\n  | name :: rest -> (\n    match (List.assoc_opt name ages, $f rest ages) with\n"
        "    | Some age, Some product -> Some (age * product)",
        "product",
    ),
    (
        "the sum of the years by which these people are older or younger than $m",
        "[] -> Some 0\n  | name :: rest -> (\n    match (List.assoc_opt name ages, $f rest ages) with\n"
        "    | Some age, Some sum -> Some (abs (age - $m) + sum)",
        "distances",
    ),
)
_RESULTS: Gap = (
    ("their sum", "x + y", "add"),
    ("their product", "x * y", "multiply"),
    ("the first one minus the second", "x - y", "subtract"),
    ("the distance between them", "abs (x - y)", "distance"),
    ("the first one times 10, plus the second", "(10 * x) + y", "compose"),
)
_GAPS: dict[str, Gap] = {
    "k": number(2, 9),
    "m": number(15, 40),
    "none": number(-1, 9),
    "op": _OP,
    "test": _TEST,
    "step": _STEP,
    "age": _AGE,
    "allowed": _ALLOWED,
    "first": _FIRST,
    "cut": _CUT,
    "place": _PLACE,
    "why": _WHY,
    "bad": _BAD,
    "town": tuple((why,) for why in ("no such town", "strange town", "town unknown")),
    "no": _NONE,
    "join": _JOIN,
    "link": _LINK,
    "both": tuple((why,) for why in ("both failed", "two errors", "nothing worked")),
    "walk": _WALK,
    "done": _DONE,
    "turns": _TURNS,
    "all": _ALL,
    "results": _RESULTS,
    "extra": (
        ("", "n * price"),
        (", plus $k for the parcel", "(n * price) + $k"),
        (", of which one is free", "(n - 1) * price"),
        (" if each is wrapped for $k more", "n * (price + $k)"),
    ),
}


def _task(level: int, says: tuple[str, ...], names: tuple[str, ...], signature: str, code: str, *inputs: Input) -> Task:
    return Task(level=level, says=says, names=names, signature=signature, code=code, gaps=_GAPS, inputs=inputs)


TASKS = (
    _task(
        1,
        (
            "If the string `s` is a decimal number, `$f s` is `Some` of $op. Otherwise it is `None`.",
            "Read a decimal number from the string `s`, which may hold something else. `$f s` is $op, in `Some`, or "
            "`None` if there is no number.",
        ),
        ("read_$op", "${op}_of_string"),
        "string -> int option",
        "let $f s = Option.map (fun n -> $op) (int_of_string_opt s)",
        _NUMERAL,
    ),
    _task(
        1,
        (
            "If the string `s` is a decimal number that is $test, `$f s` is `Some` of it. In all other cases it is "
            "`None`.",
            "`$f s` reads a decimal number from `s`. The result is `Some` of it, but `None` if `s` is no number, or "
            "if the number is not $test.",
        ),
        ("read_$test", "${test}_of_string"),
        "string -> int option",
        "let $f s = Option.bind (int_of_string_opt s) (fun n -> if $test then Some n else None)",
        _NUMERAL,
    ),
    _task(
        1,
        (
            "If `o` holds a number, `$f o` is `Some` of $step. In all other cases it is `None`.",
            "Go on with the number in `o`: `$f o` is `Some` of $step. If there is no number, or that fails, it is "
            "`None`.",
        ),
        ("try_to_$step", "${step}_option"),
        "int option -> int option",
        "let $f o = Option.bind o (fun n -> if $step else None)",
        Input(lambda chance: f"Some {atom(integers(-9, 60).draw(chance))}", options(integers(-9, 60)).edges),
    ),
    _task(
        1,
        (
            "The list `l` has pairs of a name and an age. `$f name l` is `Some` of $age, or `None` if the name is not "
            "in `l`.",
            "Look up a name in the list `l` of names and ages. `$f name l` is $age, in `Some`, and `None` for a "
            "missing name.",
        ),
        ("find_$age", "look_up_$age"),
        "string -> (string * int) list -> int option",
        "let $f name l = Option.map $age (List.assoc_opt name l)",
        _KEY,
        _AGES,
    ),
    _task(
        1,
        (
            "`$f name l` is `Some` of the age of `name` in the list `l` of names and ages, if this person is there "
            "and $allowed, and else `None`.",
            "In `l`, names and ages are pairs. If `name` is among them and $allowed, `$f name l` is `Some` of that "
            "age, and in all other cases `None`.",
        ),
        ("${allowed}_age", "age_if_$allowed"),
        "string -> (string * int) list -> int option",
        "let $f name l = Option.bind (List.assoc_opt name l) (fun age -> if $allowed then Some age else None)",
        _KEY,
        _AGES,
    ),
    _task(
        1,
        (
            "The list `towns` says who lives in which town, and `codes` which number each town has. `$f name towns "
            "codes` is `Some` of the number of the town of `name`, or `None`.",
            "From a name, go to a town by the pairs in `towns`, and then to a number by those in `codes`. `$f name "
            "towns codes` is an option: `None` if a pair is missing.",
        ),
        ("town_code", "look_up_twice", "code_of"),
        "string -> (string * string) list -> (string * int) list -> int option",
        "let $f name towns codes = Option.bind (List.assoc_opt name towns) (fun town -> List.assoc_opt town codes)",
        _KEY,
        _HOMES,
        _CODES,
    ),
    _task(
        1,
        (
            "The list `friends` has pairs of a name and that of the best friend. `$f name friends` is `Some` of the "
            "best friend of the best friend of `name`, or `None`.",
            "Who is the best friend of the best friend of `name`? `$f name friends` looks that up in a list of pairs "
            "of names, and is `None` if there is no answer.",
        ),
        ("friend_of_friend", "second_step", "two_steps"),
        "string -> (string * string) list -> string option",
        "let $f name friends = Option.bind (List.assoc_opt name friends) (fun friend -> List.assoc_opt friend friends)",
        _KEY,
        _LINKS,
    ),
    _task(
        1,
        (
            "`$f l` is $first, or `None` if there is no such number.",
            "Search the list `l`: `$f l` is $first. If there is none, it is `None`.",
        ),
        ("${first}_of_first", "search_and_$first"),
        "int list -> int option",
        "let $f l = Option.map $first (List.find_opt (fun n -> $test) l)",
        _NUMBERS,
    ),
    _task(
        1,
        (
            "Look at the $place number of `l`. `$f l` is `Some` of $op, or `None` if the list is too short.",
            "If `l` has a $place number, `$f l` is `Some` of $op. Otherwise it is `None`.",
        ),
        ("${op}_$place", "${place}_$op"),
        "int list -> int option",
        "let $f l = Option.map (fun n -> $op) (List.nth_opt l $place)",
        _NUMBERS,
    ),
    _task(
        1,
        (
            "If the character `c` occurs in the string `s`, `$f c s` is `Some` of $cut. Otherwise it is `None`.",
            "`$f c s` is `Some` of $cut, or `None` if `c` does not occur in `s`.",
        ),
        ("${cut}_opt", "cut_$cut"),
        "char -> string -> string option",
        "let $f c s = Option.map (fun i -> $cut) (String.index_opt s c)",
        one_of("'a'", "'b'", "'c'", "'d'", "'e'"),
        texts(0, 9, "aabbcdeAB ", far=20),
    ),
    _task(
        1,
        (
            'Look up the age of `name` in the list `l` of pairs: `$f name l` is `Ok` of it, or `Error "$why"` if the '
            "name is not in `l`.",
            "The list `l` has pairs of a name and an age. `$f name l` is `Ok` of the age of `name`, and `Error "
            '"$why"` for a name without an age.',
        ),
        ("age_or_error", "find_age", "look_up"),
        "string -> (string * int) list -> (int, string) result",
        'let $f name l = Option.to_result ~none:"$why" (List.assoc_opt name l)',
        _KEY,
        _AGES,
    ),
    _task(
        1,
        (
            'If `r` is `Ok` of a number that is $test, `$f r` is `Ok` of $op. Other numbers give `Error "$bad"`, and '
            "an `Error` stays.",
            'Go on with `r`: a number that is $test becomes $op, all others `Error "$bad"`, and an `Error` stays. '
            "Call it `$f r`.",
        ),
        ("go_on", "next_step", "continue"),
        "(int, string) result -> (int, string) result",
        'let $f r = Result.bind r (fun n -> if $test then Ok ($op) else Error "$bad")',
        Input(_result),
    ),
    _task(
        2,
        (
            "`a` and `b` are strings. If both are decimal numbers, `$f a b` is `Some` of $join. In all other cases it "
            "is `None`.",
            "Read a decimal number from each of the strings `a` and `b`. `$f a b` is $join, in `Some`, or `None` if "
            "there is no such result.",
        ),
        ("read_and_$join", "${join}_strings"),
        "string -> string -> int option",
        "let $f a b =\n  match (int_of_string_opt a, int_of_string_opt b) with\n  | $join\n  | _ -> None",
        _NUMERAL,
        _NUMERAL,
    ),
    _task(
        2,
        ("$link. It is `None` if a pair is missing on the way. (`n` is at least 0.)",),
        ("follow_$link", "${link}_after"),
        "int -> string -> (string * string) list -> string option",
        "let rec $f n name l =\n  if n = 0 then Some name\n  else\n    match List.assoc_opt name l with\n"
        "    | None -> None\n    | Some next -> $f (n - 1) next l",
        integers(0, 4, far=11),
        _KEY,
        _LINKS,
    ),
    _task(
        2,
        (
            "From the number `n`, walk along the pairs in `l`: from the first part of a pair, which is in `l` only "
            "once, to the second, which is greater. It ends where no pair begins. `$f n l` is $walk.",
            "Each pair in `l` leads from a number to a greater one, and no two from the same. Walk from `n` until no "
            "pair leads further. `$f n l` is $walk.",
        ),
        ("${walk}_of_walk", "walk_$walk"),
        "int -> (int * int) list -> int",
        "let rec $f n l =\n  match List.assoc_opt n l with\n  | $walk",
        integers(0, 12),
        Input(_upwards, ("[]", "[(1, 2); (3, 4); (2, 3)]")),
    ),
    _task(
        2,
        (
            'If the string `s` is no decimal number, `$f s` is `Error "$no"`. If it is a number that is $test, `Error '
            '"$bad"`. For all others it is `Ok` of $done.',
            'Check what somebody has typed: `$f s` is `Error "$no"` if `s` is no decimal number, `Error "$bad"` if '
            "that number is $test, and otherwise `Ok` of $done.",
        ),
        ("parse_and_$done", "${done}_typed"),
        "string -> (int, string) result",
        'let $f s =\n  match int_of_string_opt s with\n  | None -> Error "$no"\n'
        '  | Some n -> if $test then Error "$bad" else Ok ($done)',
        _NUMERAL,
    ),
    _task(
        2,
        (
            "`$f n l` $turns. If all goes well, the result is `Some` of the last number.",
            "Write a recursive function `$f n l`, which $turns. Otherwise it is `Some` of the number at the end.",
        ),
        ("$turns",),
        "int -> int list -> int option",
        "let rec $f n l =\n  match l with\n  | [] -> Some n\n  | d :: rest -> if $turns else None",
        integers(-5, 30, far=300),
        Input(
            lists(integers(-3, 9, far=300), 0, 3, far=10).draw,
            (
                "[]",
                "[0]",
                "[1]",
                "[2; 3]",
                "[3; 2; 1]",
                "[1; 1; 1; 1; 1]",
                "[5; 2]",
                "[9; 30; 31; 30]",
                "[2; 0; 2]",
                "[4; 4; 5]",
                "[30; 31; 32; 33; 34; 35; 36; 37; 38; 39]",
            ),
        ),
    ),
    _task(
        2,
        (
            "`names` is a list of names, and `ages` has pairs of a name and an age. `$f names ages` is `Some` of "
            "$all, or `None` if the age of one is missing.",
            "Write `$f names ages`: it looks up each of the `names` in the list `ages` of names and ages. The result "
            "is `Some` of $all, but `None` if someone is not found.",
        ),
        ("${all}_ages", "${all}_or_none"),
        "string list -> (string * int) list -> int option",
        "let rec $f names ages =\n  match names with\n  | $all\n    | _ -> None)",
        lists(_KEY, 0, 3, far=9),
        _AGES,
    ),
    _task(
        2,
        (
            "Of two results that are `Ok`, `$f a b` is `Ok` of $results. If only `a` or only `b` failed, it is "
            '`Error` of the message, with `first: ` or `second: ` before it; if both failed, `Error "$both"`.',
            "Combine two results, numbers or error messages. Two numbers give `Ok` of $results, and two errors `Error "
            '"$both"`. If there is only one error, `$f a b` has its message after `first: ` or `second: `.',
        ),
        ("${results}_results", "combine"),
        "(int, string) result -> (int, string) result -> (int, string) result",
        "let $f a b =\n  match (a, b) with\n  | Ok x, Ok y -> Ok ($results)\n"
        '  | Error why, Ok _ -> Error ("first: " ^ why)\n  | Ok _, Error why -> Error ("second: " ^ why)\n'
        '  | Error _, Error _ -> Error "$both"',
        Input(_result),
        Input(_result),
    ),
    _task(
        2,
        (
            "The lists `home` and `office` have pairs of a name and a number. `$f name home office` is the number in "
            "the first list, if it is there, else the one in the second plus $k, and else $none.",
            "Where can one call? `$f name home office` looks up `name` in the list `home`, then in `office`, where $k "
            "is added to the number. If both fail it is $none.",
        ),
        ("call", "phone", "number_of"),
        "string -> (string * int) list -> (string * int) list -> int",
        "let $f name home office =\n  match (List.assoc_opt name home, List.assoc_opt name office) with\n"
        "  | Some n, _ -> n\n  | None, Some n -> n + $k\n  | None, None -> $none",
        _KEY,
        _AGES,
        _AGES,
    ),
    _task(
        2,
        (
            "A shop has `prices`, pairs of a name and the price of one thing. `$f name n prices` is `Some` of the "
            "price of `n` such things$extra. It is `None` if there is no price, or if `n` is not positive.",
            "What do `n` things called `name` cost$extra? `$f name n prices` looks up the price of one in the pairs. "
            "It is an option: `None` if `n` is 0 or less, or if the name is missing.",
        ),
        ("cost", "order_price", "to_pay"),
        "string -> int -> (string * int) list -> int option",
        "let $f name n prices =\n  match List.assoc_opt name prices with\n  | Some price when n > 0 -> Some ($extra)\n"
        "  | _ -> None",
        _KEY,
        integers(-2, 9, far=300),
        _AGES,
    ),
    _task(
        2,
        (
            "Look up `name` in `towns`, pairs of a name and a town, and the town in `codes`, pairs of a town and its "
            'number. `$f name towns codes` is `Ok` of the number, `Error "$why"` if the name is missing, and `Error '
            '"$town"` if the town is.',
            "Which number has the town of `name`? `$f name towns codes` looks up the town by the name and then the "
            'number by the town. It is `Ok` of the number, or `Error`: `"$why"` for an unknown name, `"$town"` for an '
            "unknown town.",
        ),
        ("town_code", "code_of", "number_of_town"),
        "string -> (string * string) list -> (string * int) list -> (int, string) result",
        'let $f name towns codes =\n  match List.assoc_opt name towns with\n  | None -> Error "$why"\n'
        '  | Some town -> Option.to_result ~none:"$town" (List.assoc_opt town codes)',
        _KEY,
        _HOMES,
        _CODES,
    ),
)
