"""Small tasks on decision tables: a match on an enumeration, a character, options, or two things at once."""

from __future__ import annotations

from typing import NamedTuple

from ocaml_env.problems.generators.inputs import boolean, characters, integers, lists, one_of, texts, tuples, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]


class _Kind(NamedTuple):
    """An enumeration: its name, its constructors, the number of each, and the name of that number."""

    name: str
    constructors: tuple[str, str, str]
    values: tuple[str, str, str]
    rule: str
    worth: str

    @property
    def declared(self) -> str:
        return f"type {self.name} = {' | '.join(self.constructors)}\n\n"

    @property
    def cases(self) -> str:
        return " | ".join(f"{c} -> {x}" for c, x in zip(self.constructors, self.values, strict=True))


_KINDS = (
    _Kind(
        "size",
        ("Small", "Medium", "Large"),
        ("$a", "$b", "$c"),
        "A `Small` coffee costs $a euros, a `Medium` one $b, and a `Large` one $c.",
        "the price of",
    ),
    _Kind(
        "vehicle",
        ("Bicycle", "Car", "Bus"),
        ("$a", "$b", "$c"),
        "A `Bicycle` pays a toll of $a euros, a `Car` $b, and a `Bus` $c.",
        "the toll for",
    ),
    _Kind(
        "medal",
        ("Gold", "Silver", "Bronze"),
        ("$c", "$b", "$a"),
        "A `Gold` medal counts $c points, a `Silver` one $b, and a `Bronze` one $a.",
        "the score for",
    ),
    _Kind(
        "fruit",
        ("Apple", "Lemon", "Plum"),
        ("$b", "$c", "$a"),
        "An `Apple` costs $b cents, a `Lemon` $c, and a `Plum` $a.",
        "the price of",
    ),
    _Kind(
        "animal",
        ("Hen", "Sheep", "Cow"),
        ("$a", "$b", "$c"),
        "A `Hen` gets $a kilos of food, a `Sheep` $b, and a `Cow` $c.",
        "the food for",
    ),
)

_GAPS: dict[str, Gap] = {
    "a": number(2, 4),
    "b": number(5, 7),
    "c": number(8, 12),
    "k": number(5, 9),
    "d": number(0, 9),
    "extra": (("added to", "+"), ("taken off", "-")),
    "thing": (("message",), ("apple",), ("guest",), ("letter",), ("ticket",), ("coin",), ("parcel",), ("sheet",)),
    "verb": (("has",), ("sees",), ("wants",), ("brings",)),
    "cold": (("chilly",), ("cold",), ("fresh",)),
    "mild": (("mild",), ("pleasant",), ("fine",)),
    "hot": (("warm",), ("hot",), ("summer",)),
    "mark": (("*",), ("#",), ("?",)),
    "dash": (("-",), ("_",), ("+",)),
    "range": (
        ("every capital letter", "'A' .. 'Z'"),
        ("every small letter from `a` to `m`", "'a' .. 'm'"),
        ("every small letter from `n` to `z`", "'n' .. 'z'"),
        ("every small letter", "'a' .. 'z'"),
        ("every letter", "'a' .. 'z' | 'A' .. 'Z'"),
    ),
    "other": (
        ("every digit", "'0' .. '9'"),
        ("every digit below 5", "'0' .. '4'"),
        ("every space", "' '"),
        ("every comma and full stop", "',' | '.'"),
        ("every full stop, question mark and exclamation mark", "'.' | '?' | '!'"),
    ),
    "both": (
        ("their sum", "x + y"),
        ("their product", "x * y"),
        ("the greater of the two", "max x y"),
        ("the smaller of the two", "min x y"),
        ("the first minus the second", "x - y"),
    ),
    "only": (
        ("that number", "x"),
        ("twice that number", "2 * x"),
        ("that number plus $k", "x + $k"),
        ("that number with the other sign", "-x"),
    ),
    "change": (
        ("`n` plus $k", "n + $k"),
        ("$k times `n`", "$k * n"),
        ("the square of `n`", "n * n"),
        ("`n` minus $k", "n - $k"),
        ("`n` without its sign", "abs n"),
    ),
    "neutral": (
        ("0 and the other is `n`", "0, n | n, 0"),
        ("1 and the other is `n`", "1, n | n, 1"),
        ("$a and the other is `n`", "$a, n | n, $a"),
    ),
    "upright": (
        ("`North` adds `n` to `y`, `South` takes it off", "North -> (x, y + n)\n  | South -> (x, y - n)"),
        ("`South` adds `n` to `y`, `North` takes it off", "South -> (x, y + n)\n  | North -> (x, y - n)"),
        ("`North` and `South` both set `y` to `n`", "North | South -> (x, n)"),
    ),
    "across": (
        ("`East` adds `n` to `x`, `West` takes it off", "East -> (x + n, y)\n  | West -> (x - n, y)"),
        ("`West` adds `n` to `x`, `East` takes it off", "West -> (x + n, y)\n  | East -> (x - n, y)"),
        ("`East` and `West` exchange `x` and `y`", "East | West -> (y, x)"),
    ),
    "to": (("North",), ("East",)),
    "fro": (("South",), ("West",)),
    "player": (
        ("first player", "((Rock, Scissors) | (Scissors, Paper) | (Paper, Rock))"),
        ("second player", "((Scissors, Rock) | (Paper, Scissors) | (Rock, Paper))"),
    ),
    "third": (
        ("`*` multiplies them", "'*' -> x * y"),
        ("`m` takes the greater one", "'m' -> max x y"),
        ("`d` gives their distance", "'d' -> abs (x - y)"),
        ("`s` gives the square of their sum", "'s' -> (x + y) * (x + y)"),
        ("`<` gives the first one", "'<' -> x"),
    ),
    "low": number(8, 14),
    "high": number(20, 26),
    "place": (("zoo", "", "zoo"), ("pool", "", "pool"), ("museum", "", "museum"), ("cinema", "", "cinema")),
    "young": number(10, 18),
    "feb": number(28, 29),
}


_COFFEE, _TOLL, _MEDAL, _FRUIT, _FOOD = _KINDS


def _many(kind: _Kind) -> Task:
    """The price of several things of one kind."""
    return Task(
        level=1,
        says=(
            f"{kind.rule} `$f v n` is {kind.worth} `n` of the kind `v`.",
            f"{kind.rule} What is {kind.worth} `n` of them, all of the kind `v`? Write `$f v n`.",
        ),
        names=("total", f"{kind.name}_total", "for_many"),
        signature=f"{kind.declared}val $f : {kind.name} -> int -> int",
        code=f"{kind.declared}let $f v n = n * match v with {kind.cases}",
        gaps=_GAPS,
        inputs=(one_of(*kind.constructors), integers(0, 20, far=1_000)),
    )


def _each(kind: _Kind) -> Task:
    """The prices of a list of things."""
    return Task(
        level=1,
        says=(
            f"{kind.rule} `$f l` lists {kind.worth} each element of `l`, in the same order.",
            f"{kind.rule} Replace each element of the list `l` by its number: that is what `$f l` does.",
        ),
        names=("each", f"{kind.name}_list", "listed"),
        signature=f"{kind.declared}val $f : {kind.name} list -> int list",
        code=f"{kind.declared}let $f l = List.map (function {kind.cases}) l",
        gaps=_GAPS,
        inputs=(lists(one_of(*kind.constructors)),),
    )


def _orders(kind: _Kind) -> Task:
    """The price of a list of things, each several times."""
    arms = [f"  | ({c}, n) :: rest -> ({x} * n) + $f rest" for c, x in zip(kind.constructors, kind.values, strict=True)]
    return Task(
        level=2,
        says=(
            f"{kind.rule} A pair `(v, n)` means `n` of the kind `v`. `$f l` is {kind.worth} a list of pairs, 0 if it is "
            "empty.",
            f"{kind.rule} Each pair `(v, n)` of the list `l` stands for `n` of the kind `v`. `$f l` is {kind.worth} all of "
            "them together, or 0 for the empty list.",
        ),
        names=("total", f"{kind.name}_total", "sum_up"),
        signature=f"{kind.declared}val $f : ({kind.name} * int) list -> int",
        code="\n".join([f"{kind.declared}let rec $f l =\n  match l with\n  | [] -> 0", *arms]),
        gaps=_GAPS,
        inputs=(lists(tuples(one_of(*kind.constructors), integers(0, 9, far=100)), 0, 4, far=11),),
    )


def _special(kind: _Kind) -> Task:
    """As ``_many``, but with an exception to the rule."""
    one, two, three = kind.constructors
    x, y, z = kind.values
    return Task(
        level=2,
        says=(
            f"{kind.rule} `$f v n` is {kind.worth} `n` of the kind `v`; but if there are $k or more of the kind `{two}`, $a "
            "is $extra the total.",
            f"{kind.rule} If `v` is `{two}` and `n` is at least $k, then $a is $extra the total. Write `$f v n`: "
            f"{kind.worth} `n` of the kind `v`.",
        ),
        names=("total", f"{kind.name}_total", "many"),
        signature=f"{kind.declared}val $f : {kind.name} -> int -> int",
        code=f"{kind.declared}let $f v n =\n  match v with\n  | {one} -> {x} * n\n"
        f"  | {two} when n >= $k -> ({y} * n) $extra $a\n  | {two} -> {y} * n\n  | {three} -> {z} * n",
        gaps=_GAPS,
        inputs=(one_of(*kind.constructors), integers(0, 12, far=100)),
    )


def _count(kind: _Kind) -> Task:
    """How often two of the three kinds occur."""
    one, two, three = kind.constructors
    return Task(
        level=2,
        says=(
            f"Add up the list `l`: each `{one}` and each `{three}` counts 1, each `{two}` counts $counts. `$f l` is the "
            "sum, and 0 for the empty list.",
            f"Go through the list `l`: `{one}` and `{three}` count 1 each, and `{two}` counts $counts. `$f l` is the sum, "
            "0 for the empty list.",
        ),
        names=(f"count_{kind.name}s", "count", "tally"),
        signature=f"{kind.declared}val $f : {kind.name} list -> int",
        code=f"{kind.declared}let rec $f l =\n  match l with\n  | [] -> 0\n  | ({one} | {three}) :: rest -> 1 + $f rest\n"
        f"  | {two} :: rest -> $counts$f rest",
        gaps={**_GAPS, "counts": (("nothing", ""), ("double", "2 + "), ("$b", "$b + "), ("as -1", "-1 + "))},
        inputs=(lists(one_of(*kind.constructors)),),
    )


_NUMBER = integers(-5, 12, far=100)
_HAND = "type hand = Rock | Paper | Scissors\n\n"
_DIRECTION = "type direction = North | East | South | West\n\n"
_DAY = "type day = Weekday | Saturday | Sunday\n\n"
_ANY_HAND = one_of("Rock", "Paper", "Scissors")
_COMPASS = one_of("North", "East", "South", "West")

TASKS = (
    *map(_many, (_COFFEE, _TOLL, _FRUIT)),
    *map(_each, (_MEDAL, _FOOD)),
    *map(_orders, (_MEDAL, _FRUIT, _FOOD)),
    *map(_special, (_COFFEE, _TOLL)),
    *map(_count, (_MEDAL, _FOOD)),
    Task(
        level=1,
        says=(
            'With `"emma"` for `name`, `$f name n` is `"emma $verb no ${thing}s"` if `n` is 0, `"emma $verb one $thing"` '
            'if it is 1, and otherwise, say for 5, `"emma $verb 5 ${thing}s"`.',
            'Write `$f name n` for sentences: the name, then `" $verb no ${thing}s"` if `n` is 0, `" $verb one '
            '$thing"` if it is 1, and otherwise, as for 5, `" $verb 5 ${thing}s"`.',
        ),
        names=("sentence", "say", "in_words"),
        signature="string -> int -> string",
        code="let $f name n =\n"
        '  name ^ " $verb " ^ match n with 0 -> "no ${thing}s" | 1 -> "one $thing" | _ -> string_of_int n ^ " ${thing}s"',
        gaps=_GAPS,
        inputs=(words(), integers(0, 9, far=200)),
        edges=(('"emma"', "2"), ('"oak"', "10"), ('"iris"', "11"), ('"ivy"', "21"), ('"a"', "101")),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the string `s` with `$mark` in place of $range, and `$dash` in place of $other. All other characters "
            "stay.",
            "Disguise a string: in `$f s`, `$mark` stands for $range of `s`, and `$dash` for $other. What is neither "
            "stays.",
        ),
        names=("disguise", "mask", "hide"),
        signature="string -> string",
        code="let $f s =\n  String.map (function $range -> '$mark' | $other -> '$dash' | c -> c) s",
        gaps=_GAPS,
        inputs=(texts(0, 12, far=30),),
    ),
    Task(
        level=1,
        says=(
            "The marks of a pupil are letters: `A` counts $c points, `B` counts $b, and any other letter $a. `$f l` "
            "turns the marks `l` into points.",
            "Replace each character of the list `l` by a number: `A` by $c, `B` by $b, and all others by $a. Write "
            "`$f l`.",
        ),
        names=("points", "marks", "grade"),
        signature="char list -> int list",
        code="let $f l = List.map (function 'A' -> $c | 'B' -> $b | _ -> $a) l",
        gaps=_GAPS,
        inputs=(lists(characters("ABCDEFab"), 0, 6)._replace(edges=("[]", "['A']", "['B']", "['C']")),),
    ),
    Task(
        level=1,
        says=(
            "`$f d o` is `d` if $special. For all other options `Some n` it is $change.",
            "Take a number from the option `o`: if $special, `$f d o` is `d`; otherwise `o` is `Some n`, and the result is "
            "$change.",
        ),
        names=("value", "from_option", "convert"),
        signature="int -> int option -> int",
        code="let $f d o = match o with $special -> d | Some n -> $change",
        gaps={
            **_GAPS,
            "special": (
                ("`o` is `None`", "None"),
                ("`o` is `None` or `Some 0`", "None | Some 0"),
                ("`o` is `None` or `Some $k`", "None | Some $k"),
            ),
        },
    ),
    Task(
        level=1,
        says=(
            "`$f a b` joins two options. If both hold numbers, it is $both; in all other cases it is $d.",
            "If `a` is `Some x` and `b` is `Some y`, then `$f a b` is $both. Otherwise it is $d.",
        ),
        names=("join", "both", "combine"),
        signature="int option -> int option -> int",
        code="let $f a b = match (a, b) with Some x, Some y -> $both | _ -> $d",
        gaps=_GAPS,
    ),
    Task(
        level=1,
        says=(
            "`$f a b`: if one of the two numbers is $neutral, the result is $change. Otherwise it is the sum of `a` and `b`.",
            "If `a` or `b` is $neutral, then `$f a b` is $change; in all other cases it is `a + b`.",
        ),
        names=("join", "special_sum", "combine"),
        signature="int -> int -> int",
        code="let $f a b = match (a, b) with $neutral -> $change | _ -> a + b",
        gaps=_GAPS,
        inputs=(_NUMBER, _NUMBER),
    ),
    Task(
        level=1,
        says=(
            "A ticket costs $c euros, with a card only $b; children travel for $a euros, with or without a card. "
            "`$f child card n` is the price of `n` tickets.",
            "Children pay $a euros for a ticket, with or without a `card`. All others pay $b with a `card` and $c without. "
            "What do `n` tickets cost? Write `$f child card n`.",
        ),
        names=("fare", "tickets", "price"),
        signature="bool -> bool -> int -> int",
        code="let $f child card n =\n  n * match (child, card) with true, _ -> $a | false, true -> $b | false, false -> $c",
        gaps=_GAPS,
        inputs=(boolean(), boolean(), integers(0, 20, far=100)),
    ),
    Task(
        level=2,
        says=(
            "`$f d a b` joins two options: $both if both hold numbers; if only one does, $only; and `d` if neither does.",
            "Two numbers may be missing. `$f d a b` is $both if both are there, and `d` if none is. If there is just one, "
            "the result is $only.",
        ),
        names=("join", "merge", "together"),
        signature="int -> int option -> int option -> int",
        code="let $f d a b =\n  match (a, b) with\n  | Some x, Some y -> $both\n  | Some x, None | None, Some x -> $only\n"
        "  | None, None -> d",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "A robot stands at `(x, y)`. `$f d n (x, y)` is where it stands after `n` steps in direction `d`: $upright; "
            "$across.",
            "A command `d` with a number `n` moves a robot from `(x, y)` to another place, `$f d n (x, y)`. It means: "
            "$upright; $across.",
        ),
        names=("move", "walk", "go"),
        signature=f"{_DIRECTION}val $f : direction -> int -> int * int -> int * int",
        code=f"{_DIRECTION}let $f d n (x, y) =\n  match d with\n  | $upright\n  | $across",
        gaps=_GAPS,
        inputs=(_COMPASS, integers(0, 9), tuples(integers(-5, 9), integers(-5, 9))),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is how long a walk `l` takes: $b minutes for each step `$to`, $a for each step `$fro`, and 8 for "
            "any other.",
            "On a slope a step `$to` takes $b seconds, a step `$fro` $a, and any other step 8. `$f l` is the time "
            "for all steps of the list `l`.",
        ),
        names=("time", "duration", "effort"),
        signature=f"{_DIRECTION}val $f : direction list -> int",
        code=f"{_DIRECTION}let rec $f l =\n  match l with\n  | [] -> 0\n  | $to :: rest -> $b + $f rest\n"
        "  | $fro :: rest -> $a + $f rest\n  | _ :: rest -> 8 + $f rest",
        gaps=_GAPS,
        inputs=(lists(_COMPASS),),
    ),
    Task(
        level=2,
        says=(
            "In each pair of `l` the first hand plays against the second: `Rock` beats `Scissors`, `Scissors` beats "
            "`Paper`, `Paper` beats `Rock`. A win counts $b, a draw $a, a defeat 0. `$f l` is the sum for the $player.",
            "`$f l` adds up the points of the $player in a list of games, each of two hands: $b for winning, $a for a draw. "
            "`Rock` beats `Scissors`, `Scissors` beats `Paper`, and `Paper` beats `Rock`.",
        ),
        names=("score", "points", "match_points"),
        signature=f"{_HAND}val $f : (hand * hand) list -> int",
        code=f"{_HAND}let rec $f l =\n  match l with\n  | [] -> 0\n  | (a, b) :: rest when a = b -> $a + $f rest\n"
        "  | $player :: rest -> $b + $f rest\n  | _ :: rest -> $f rest",
        gaps=_GAPS,
        inputs=(lists(tuples(_ANY_HAND, _ANY_HAND), 0, 5, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`$f c x y` applies an operation to two numbers: `+` adds them, `-` takes the second from the "
            "first, $third, and for any other character `c` the result is $d.",
            "Build a small calculator: with `+` for `c`, `$f c x y` adds `x` and `y`, and with `-` it subtracts `y` from "
            "`x`; $third; for every other `c` it returns $d.",
        ),
        names=("apply", "calculate", "operate"),
        signature="char -> int -> int -> int",
        code="let $f c x y =\n  match c with\n  | '+' -> x + y\n  | '-' -> x - y\n  | $third\n  | _ -> $d",
        gaps=_GAPS,
        inputs=(characters("+-*mds<?"), _NUMBER, _NUMBER),
    ),
    Task(
        level=2,
        says=(
            'A thermometer shows `t` degrees. `$f t` is `"frost"` below 0, then `"$cold"` below $low, `"$mild"` below '
            '$high, and `"$hot"` from there on.',
            'Put a temperature into words: below 0 it is `"frost"`, from 0 to less than $low `"$cold"`, from there to '
            'less than $high `"$mild"`, and otherwise `"$hot"`. Write `$f t`.',
        ),
        names=("weather", "in_words", "feeling"),
        signature="int -> string",
        code='let $f t =\n  match t with\n  | t when t < 0 -> "frost"\n  | t when t < $low -> "$cold"\n'
        '  | t when t < $high -> "$mild"\n  | _ -> "$hot"',
        gaps=_GAPS,
        inputs=(integers(-15, 40),),
    ),
    Task(
        level=2,
        says=(
            "A ticket for the $place costs $a euros for children under $young; everybody else pays $c on `Sunday`, and $b "
            "on all other days. `$f day age n` is the price of `n` tickets for people of that age.",
            "Who is younger than $young pays $a euros at the $place on any day. Older people pay $c on a `Sunday`, otherwise "
            "$b. What do `n` people of the same age pay? Write `$f day age n`.",
        ),
        names=("tickets", "entrance", "${place}_price"),
        signature=f"{_DAY}val $f : day -> int -> int -> int",
        code=f"{_DAY}let $f day age n =\n  match (day, age) with\n  | _, age when age < $young -> $a * n\n"
        "  | Sunday, _ -> $c * n\n  | _ -> $b * n",
        gaps=_GAPS,
        inputs=(one_of("Weekday", "Saturday", "Sunday"), integers(0, 30, far=90), integers(0, 6)),
    ),
    Task(
        level=2,
        says=(
            "The months are numbered from 1 to 12. How many days does month `m` have after its day `d`? `$f m d` tells, for "
            "a year whose February has $feb days. `d` is a day of the month.",
            "On day `d` of month `m`, from 1 to 12, how many more days are there in that month? Write `$f m d`; months 4, 6, "
            "9 and 11 have 30 days, month 2 has $feb, and the others have 31.",
        ),
        names=("days_left", "rest_of_month", "remaining"),
        signature="int -> int -> int",
        code="let $f m d =\n  match m with\n  | 2 -> $feb - d\n  | 4 | 6 | 9 | 11 -> 30 - d\n  | _ -> 31 - d",
        gaps=_GAPS,
        inputs=(integers(1, 12), integers(1, 28)),
        edges=(
            ("1", "31"),
            ("4", "29"),
            ("7", "30"),
            ("12", "29"),
            ("11", "30"),
            ("8", "31"),
            ("2", "28"),
            ("6", "30"),
        ),
    ),
    Task(
        level=2,
        says=(
            "A parcel of `n` kilos costs $a euros a kilo; by `express` it is $b a kilo, and `abroad` $c a kilo. If it goes "
            "by `express` and `abroad`, $k euros are added to the price for abroad. Write `$f express abroad n`.",
            "What does a parcel of `n` kilos cost? Each kilo costs $a euros, but $b by `express`, and $c if it goes `abroad`. "
            "By `express` and `abroad`, it is $c a kilo and $k once. `$f express abroad n` tells.",
        ),
        names=("postage", "shipping", "parcel"),
        signature="bool -> bool -> int -> int",
        code="let $f express abroad n =\n  match (express, abroad) with\n  | false, false -> $a * n\n"
        "  | true, false -> $b * n\n  | false, true -> $c * n\n  | true, true -> ($c * n) + $k",
        gaps=_GAPS,
        inputs=(boolean(), boolean(), integers(0, 20, far=100)),
    ),
)
