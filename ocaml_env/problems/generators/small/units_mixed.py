"""Small tasks on amounts in two or more units: lengths, weights, money, times of races."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, floats, integers, lists, tuples
from ocaml_env.problems.generators.task import Gap, Part, Task, number

__all__ = ["TASKS"]

_SCALES = (
    ("foot", "feet", "inches", 12),
    ("minute", "minutes", "seconds", 60),
    ("pound", "pounds", "ounces", 16),
    ("metre", "metres", "centimetres", 100),
    ("kilogram", "kilograms", "grams", 1000),
    ("crown", "crowns", "pennies", 60),
    ("box", "boxes", "eggs", 10),
    ("gallon", "gallons", "pints", 8),
)


def _phrases(*forms: tuple[str, str]) -> Gap:
    """Each form for each scale: ``{size}`` small units (``{few}``) make one large unit (``{one}``, ``{many}``)."""

    def filled(text: str, scale: tuple[str, str, str, int]) -> str:
        one, many, few, size = scale
        rate = f"{size} {few} to the {one}"
        return text.format(one=one, many=many, few=few, size=size, rate=rate)

    return [Part(filled(words, scale), filled(code, scale)) for scale in _SCALES for words, code in forms]


def _sized(chance: Chance) -> str:
    return (
        f"{chance.pick(('Mm', 'Cm', 'M'))} {chance.number(0, 40) if chance.happens(0.9) else chance.between(40, 2_000)}"
    )


def _clock(chance: Chance) -> str:
    minutes, seconds = chance.between(0, 70), chance.between(0, 59)
    return f'"{minutes}:{seconds:02}"' if chance.happens(0.7) else f'"{minutes + seconds}"'


def _rounded(chance: Chance) -> str:
    """An amount, often near a full number of some greater unit."""
    if chance.happens(0.6):
        return str(chance.number(0, 3_000) if chance.happens(0.9) else chance.between(3_000, 1_000_000))
    unit = chance.pick((5, 10, 12, 16, 30, 50, 60, 60, 100, 240, 1_000))
    return str(max(0, unit * chance.between(0, 9) + chance.pick((-1, 0, 0, 0, 1))))


_SMALL = _phrases(
    ("how many {few} `a` {many} and `b` {few} are together, with {rate}", "({size} * a) + b"),
    ("how many {few} remain of `a` {many} when `b` {few} are taken away, with {rate}", "({size} * a) - b"),
    ("how many {few} are in twice `a` {many} and `b` {few}, with {rate}", "2 * (({size} * a) + b)"),
    ("how many {few} more `a` {many} are than `b` {many}, with {rate}; it may be negative", "{size} * (a - b)"),
)
_LARGE = _phrases(
    ("`n` {few} as a pair of full {many} and remaining {few}, with {rate}", "(n / {size}, n mod {size})"),
    ("`n` {few} as a pair of remaining {few} and full {many}, with {rate}", "(n mod {size}, n / {size})"),
    (
        "half of `n` {few}, rounded down, as a pair of full {many} and remaining {few}, with {rate}",
        "(n / 2 / {size}, n / 2 mod {size})",
    ),
)
_TEXT = _phrases(
    (
        "`n` {few} in {many} and {few}, such as `3 {many} 5 {few}`, with {rate}",
        'Printf.sprintf "%d {many} %d {few}" (n / {size}) (n mod {size})',
    ),
    (
        "`n` {few} in {many} and {few}, such as `3 {many} + 5 {few}`, with {rate}",
        'Printf.sprintf "%d {many} + %d {few}" (n / {size}) (n mod {size})',
    ),
    (
        "`n` {few} in {many} and {few}, such as `{many}: 3, {few}: 5`, with {rate}",
        'Printf.sprintf "{many}: %d, {few}: %d" (n / {size}) (n mod {size})',
    ),
)
_CARRY = _phrases(
    (
        "the sum of two amounts in {many} and {few}, as a pair with fewer than {size} {few}. There are {rate}",
        "let n = b + d in\n  (a + c + (n / {size}), n mod {size})",
    ),
    (
        "how far two amounts in {many} and {few} are apart, as a pair with fewer than {size} {few}. There are {rate}",
        "let n = abs (({size} * (a - c)) + b - d) in\n  (n / {size}, n mod {size})",
    ),
    (
        "the mean of two amounts in {many} and {few}, as a pair with fewer than {size} {few}, rounded down. There are {rate}",
        "let n = (({size} * (a + c)) + b + d) / 2 in\n  (n / {size}, n mod {size})",
    ),
)
_TIMES = _phrases(
    (
        "`k` times as much as `a` {many} and `b` {few}, as a pair with fewer than {size} {few}. There are {rate}",
        "let n = k * (({size} * a) + b) in\n  (n / {size}, n mod {size})",
    ),
    (
        "what each gets if `k` people share `a` {many} and `b` {few}, as a pair with fewer than {size} {few}, rounded down. There are {rate}",
        "let n = (({size} * a) + b) / k in\n  (n / {size}, n mod {size})",
    ),
    (
        "`k` {few} more than `a` {many} and `b` {few}, as a pair with fewer than {size} {few}. There are {rate}",
        "let n = b + k in\n  (a + (n / {size}), n mod {size})",
    ),
)
_SHORT = _phrases(
    (
        "`n` {few} like `3 {many} 5 {few}`, but only `5 {few}` without any {many}, and `3 {many}` without any {few}. There are {rate}",
        '(n / {size}, n mod {size}) with\n  | 0, few -> string_of_int few ^ " {few}"\n  | many, 0 -> string_of_int many ^ " {many}"\n  | many, few -> Printf.sprintf "%d {many} %d {few}" many few',
    ),
    (
        "`n` {few} like `3 {many} 5 {few}`, but only `5 {few}` without any {many}. There are {rate}",
        '(n / {size}, n mod {size}) with\n  | 0, few -> string_of_int few ^ " {few}"\n  | many, few -> Printf.sprintf "%d {many} %d {few}" many few',
    ),
    (
        "`n` {few} like `3 {many} and 5 {few}`, but like `exactly 3 {many}` without any {few}. There are {rate}",
        '(n / {size}, n mod {size}) with\n  | many, 0 -> Printf.sprintf "exactly %d {many}" many\n  | many, few -> Printf.sprintf "%d {many} and %d {few}" many few',
    ),
)
_AMOUNTS = Input(_rounded, ("0", "1", "60", "240", "1000", "3000", "100000"))
_PAIR = tuples(integers(0, 9), Input(lambda chance: str(chance.below(chance.pick((8, 100, 1200))))))
_SECONDS = Input(
    lambda chance: str(
        60 * chance.between(1, 10) + chance.pick((-1, 0, 1)) if chance.happens(0.5) else chance.number(0, 600)
    ),
    ("0", "59", "60", "120"),
)
_FROM_1 = Input(lambda chance: str(max(1, int(_SECONDS.draw(chance)))), ("1", "59", "60", "61", "6000"))
_LENGTH = tuples(integers(0, 2), Input(lambda chance: str(chance.pick((0, 1, 2, 5, 12, 13, 14)))))
_SIZE = "type length = Mm of int | Cm of int | M of int\n\n"

TASKS = (
    Task(
        level=1,
        says=("`$f a b` is $small.", "Write `$f a b` to tell $small."),
        names=("in_small_units", "total", "measure"),
        signature="int -> int -> int",
        code="let $f a b = $small",
        gaps={"small": _SMALL},
        inputs=(integers(0, 40, far=1_000), integers(0, 20, far=1_000)),
    ),
    Task(
        level=1,
        says=("`$f n` is $large. `n` is not negative.", "For `n` from 0 up, `$f n` is $large."),
        names=("split", "in_large_units"),
        signature="int -> int * int",
        code="let $f n = $large",
        gaps={"large": _LARGE},
        inputs=(_AMOUNTS,),
    ),
    Task(
        level=1,
        says=(
            "`$f n` writes $text. `n` is not negative.",
            "Write $text: `$f n`. `n` is at least 0.",
        ),
        names=("show", "as_text"),
        signature="int -> string",
        code="let $f n = $text",
        gaps={"text": _TEXT},
        inputs=(_AMOUNTS,),
    ),
    Task(
        level=1,
        says=("`$f x` is $what, as a float.", "Convert a float: `$f x` is $what."),
        names=("convert", "converted"),
        signature="float -> float",
        code="let $f x = $what",
        gaps={
            "what": (
                ("a length of `x` inches in centimetres, of which 2.54 make an inch", "x *. 2.54"),
                ("the temperature of `x` degrees Celsius in Fahrenheit: 1.8 times `x`, plus 32", "(x *. 1.8) +. 32."),
                ("how many hours `x` quarters of an hour are", "x /. 4."),
                ("a speed of `x` metres a second in kilometres an hour, 3.6 times as much", "x *. 3.6"),
                ("the price of `x` euros together with a tax of a quarter", "x *. 1.25"),
                ("the price in euros of `x` kilograms at $k.5 euros each and a fee of 2 euros", "(x *. $k.5) +. 2."),
                ("the price in euros of `x` litres at $k.25 euros each, less 1 euro", "(x *. $k.25) -. 1."),
                ("what each of 8 people pays for a meal of `x` euros and a tip of $k euros", "(x +. $k.) /. 8."),
                (
                    "the length in metres around a square garden with sides of `x` metres, without a gate of $k metres",
                    "(4. *. x) -. $k.",
                ),
            ),
            "k": number(1, 9),
        },
        inputs=(floats(0, 40),),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is the price of `n` cents $rounded. `n` is not negative.",
            "A price of `n` cents, 0 or more, is $rounded: that is `$f n`.",
        ),
        names=("rounded", "to_pay"),
        signature="int -> int",
        code="let $f n = $rounded",
        gaps={
            "step": (("10",), ("20",), ("50",), ("60",), ("100",)),
            "rounded": (
                ("rounded down to a multiple of $step", "n / $step * $step"),
                ("rounded up to a multiple of $step", "(n + $step - 1) / $step * $step"),
                (
                    "rounded to the nearest multiple of $step, and up from the middle",
                    "(n + ($step / 2)) / $step * $step",
                ),
                ("rounded down to a multiple of $step, but at least $step", "max $step (n / $step * $step)"),
            ),
        },
        inputs=(_AMOUNTS,),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` is true if $what, where both lengths are pairs of feet and inches, with 12 inches to a foot.",
            "A length is a pair of feet and inches, 12 to a foot. `$f a b` tells if $what.",
        ),
        names=("compare_lengths", "check_lengths"),
        signature="int * int -> int * int -> bool",
        code="let $f (f, i) (g, j) = $what",
        gaps={
            "a": (("", "(12 * f) + i"),),
            "b": (("", "(12 * g) + j"),),
            "k": number(2, 4),
            "what": (
                ("the first one is longer", "$a > $b"),
                ("both are equally long", "$a = $b"),
                ("the first one is at most as long as the second", "$a <= $b"),
                ("they differ by at most $k inches", "abs ($a - ($b)) <= $k"),
                ("both together are longer than $k feet", "$a + $b > 12 * $k"),
            ),
        },
        inputs=(_LENGTH, _LENGTH),
    ),
    Task(
        level=1,
        says=(
            "`l` lists the lengths of $songs in seconds. `$f l` is $what.",
            "For $songs whose lengths in seconds are in `l`, `$f l` is $what.",
        ),
        names=("playing_time", "length_of_all"),
        signature="int list -> int",
        code="let $f l = $what",
        gaps={
            "songs": (("songs",), ("films",), ("calls",), ("races",)),
            "sum": (("", "List.fold_left ( + ) 0 l"),),
            "k": number(2, 9),
            "what": (
                ("the number of full minutes of all together", "$sum / 60"),
                ("the number of seconds left of all together without the full minutes", "$sum mod 60"),
                ("the length of all together with a pause of $k seconds after each", "$sum + ($k * List.length l)"),
                ("how many of them last $k minutes or more", "List.length (List.filter (fun s -> s >= 60 * $k) l)"),
                ("the sum of the full minutes of each one", "List.fold_left (fun sum s -> sum + (s / 60)) 0 l"),
            ),
        },
        inputs=(lists(_SECONDS, 0, 5, far=10),),
    ),
    Task(
        level=2,
        says=(
            "`$f (a, b) (c, d)` is $carry. The pairs that are given may have more.",
            "Write `$f (a, b) (c, d)` for $carry. The numbers that are given may be greater.",
        ),
        names=("combine", "of_both"),
        signature="int * int -> int * int -> int * int",
        code="let $f (a, b) (c, d) =\n  $carry",
        gaps={"carry": _CARRY},
        inputs=(_PAIR, _PAIR),
    ),
    Task(
        level=2,
        says=(
            "`$f k (a, b)` is $times. `k` is at least 1.",
            "With `k` at least 1, `$f k (a, b)` is $times. `b` may be greater.",
        ),
        names=("scale", "changed_amount"),
        signature="int -> int * int -> int * int",
        code="let $f k (a, b) =\n  $times",
        gaps={"times": _TIMES},
        inputs=(integers(1, 30, far=300), _PAIR),
    ),
    Task(
        level=2,
        says=(
            "`$f n` writes $short. `n` is not negative.",
            "Write `$f n`, where `n` is at least 0, which writes $short.",
        ),
        names=("show_amount", "short_text"),
        signature="int -> string",
        code="let $f n =\n  match $short",
        gaps={"short": _SHORT},
        inputs=(_AMOUNTS,),
    ),
    Task(
        level=2,
        says=(
            "`Mm`, `Cm` and `M` are millimetres, centimetres (10 mm) and metres (1000 mm). `$f l` is $what.",
            "Lengths are given in millimetres, centimetres of 10 mm, and metres of 1000 mm. Write `$f l`, which is $what.",
        ),
        names=("millimetres", "measure_all"),
        signature=f"{_SIZE}val $f : length list -> int",
        code=f"{_SIZE}let $f l =\n  let mm = function Mm n -> n | Cm n -> 10 * n | M n -> 1000 * n in\n  $what",
        gaps={
            "k": number(2, 15),
            "what": (
                ("the sum of the lengths in `l` in millimetres", "List.fold_left (fun sum one -> sum + mm one) 0 l"),
                (
                    "the greatest of the lengths in `l` in millimetres, 0 if there are none",
                    "List.fold_left (fun best one -> max best (mm one)) 0 l",
                ),
                (
                    "how many of the lengths in `l` are more than $k cm",
                    "List.length (List.filter (fun one -> mm one > 10 * $k) l)",
                ),
                (
                    "the sum of the lengths in `l` in full centimetres",
                    "List.fold_left (fun sum one -> sum + mm one) 0 l / 10",
                ),
                (
                    "the sum in millimetres of the lengths in `l` that are at least $k cm",
                    "List.fold_left (fun sum one -> if mm one >= 10 * $k then sum + mm one else sum) 0 l",
                ),
            ),
        },
        inputs=(lists(Input(_sized, ("Mm 0", "Cm 1", "M 1", "Mm 9")), 0, 5, far=10),),
    ),
    Task(
        level=2,
        says=(
            "Each pair in `l` is a number of $coins and what one of them is worth in cents. `$f l` is $what, 0 if `l` is empty.",
            "`l` tells how many $coins there are of each kind and how many cents one is worth. `$f l` is $what; it is 0 for `[]`.",
        ),
        names=("value_of", "purse"),
        signature="(int * int) list -> int",
        code="let rec $f l =\n  match l with\n  | [] -> 0\n  | (n, cents) :: rest -> $what",
        gaps={
            "coins": (("coins",), ("stamps",), ("vouchers",), ("notes",)),
            "k": number(10, 40),
            "what": (
                ("the value of all of them in cents", "(n * cents) + $f rest"),
                ("the number of them that are worth $k cents or more", "(if cents >= $k then n else 0) + $f rest"),
                ("the value in cents of one of each kind that there is", "(if n > 0 then cents else 0) + $f rest"),
                ("the value in cents of the kind that is worth most in all", "max (n * cents) ($f rest)"),
            ),
        },
        inputs=(lists(tuples(integers(0, 6), integers(1, 50, far=500)), 0, 5, far=10),),
    ),
    Task(
        level=2,
        says=(
            "A time of a race is a string of minutes and seconds such as `3:07`, or of seconds alone such as `55`. `$f s` is the time $what.",
            "`$f s` reads a time such as `3:07` (minutes and seconds) or `55` (seconds only) and is the time $what.",
        ),
        names=("seconds_of", "read_time"),
        signature="string -> int",
        code="let $f s =\n  match String.index_opt s ':' with\n  | None -> int_of_string s$what",
        gaps={
            "k": number(2, 30),
            "minutes": (("", "int_of_string (String.sub s 0 i)"),),
            "seconds": (("", "int_of_string (String.sub s (i + 1) 2)"),),
            "what": (
                ("in seconds", "\n  | Some i -> (60 * $minutes) + $seconds"),
                ("in seconds, and $k seconds more for a fault", " + $k\n  | Some i -> (60 * $minutes) + $seconds + $k"),
                ("in full minutes", " / 60\n  | Some i -> $minutes"),
                ("in seconds left when all full minutes are taken away", " mod 60\n  | Some i -> $seconds"),
            ),
        },
        inputs=(Input(_clock, ('"0:00"', '"0"', '"0:08"', '"60"', '"59"', '"100:01"', '"9"')),),
    ),
    Task(
        level=2,
        says=(
            "$fee `$f n` is the fee for `n` minutes, with `n` at least 1.",
            "$fee Write `$f n`, the fee for parking `n` minutes; `n` is at least 1.",
        ),
        names=("parking_fee", "fee"),
        signature="int -> int",
        code="let $f n =\n  let hours = (n + 59) / 60 in\n  $fee",
        gaps={
            "a": number(2, 5),
            "b": number(6, 9),
            "k": number(2, 4),
            "fee": (
                (
                    "Parking costs $b coins for the first hour and $a for each further one, where an hour that has begun counts.",
                    "$b + ($a * (hours - 1))",
                ),
                (
                    "Parking is free up to $k hours; each further hour that has begun costs $a coins.",
                    "if hours <= $k then 0 else $a * (hours - $k)",
                ),
                (
                    "Each hour of parking that has begun costs $a coins, but never more than 1$b coins are asked.",
                    "min 1$b ($a * hours)",
                ),
                (
                    "Each hour of parking that has begun costs $a coins, and if there are more than $k of these, each one costs only 1.",
                    "if hours > $k then hours else $a * hours",
                ),
                (
                    "Parking costs $b coins for up to $k hours; each further hour that has begun costs $a more.",
                    "$b + ($a * max 0 (hours - $k))",
                ),
            ),
        },
        inputs=(_FROM_1,),
    ),
)
