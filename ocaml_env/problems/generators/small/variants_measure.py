"""Small tasks on variants: a number, a text or an answer for every constructor, and values put together from them."""

from __future__ import annotations

from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, texts
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import atom

__all__ = ["TASKS"]


class _Type(NamedTuple):
    """A type with its values."""

    declared: str
    values: Input


def _carrying(constructor: str, *of: Input) -> Input:
    """A constructor with arguments."""

    def draw(chance: Chance) -> str:
        parts = [argument.draw(chance) for argument in of]
        return f"{constructor} ({', '.join(parts)})" if len(parts) > 1 else f"{constructor} {atom(parts[0])}"

    return Input(draw)


def _either(*choices: Input, alone: tuple[str, ...] = ()) -> Input:
    """A value of one of these kinds. Literals that stand ``alone`` are edges: as examples they would be no tests."""
    return Input(lambda chance: chance.pick(choices).draw(chance), alone)


_LENGTH = integers(1, 12, far=200)
_SHAPE = _Type(
    "type shape = Square of int | Rectangle of int * int | Line of int",
    _either(
        _carrying("Square", _LENGTH),
        _carrying("Rectangle", _LENGTH, _LENGTH),
        _carrying("Rectangle", integers(1, 2), integers(1, 2)),
        _carrying("Line", _LENGTH),
    ),
)
_TICKET = _Type(
    "type ticket = Child | Adult | Group of int",
    _either(_carrying("Group", integers(1, 30, far=300)), alone=("Child", "Adult", "Group 1")),
)
_TIME = _Type(
    "type time = Minutes of int | Hours of int | Clock of int * int",
    _either(
        _carrying("Minutes", integers(0, 130, far=2_000)),
        _carrying("Hours", integers(0, 9, far=100)),
        _carrying("Clock", integers(0, 9, far=100), integers(0, 59)),
    ),
)
_DRINK = _Type(
    "type drink = Water | Tea of int | Juice of string",
    _either(
        _carrying("Tea", integers(0, 30, far=500)),
        _carrying("Juice", texts(0, 7)),
        alone=("Water", "Tea 0", 'Juice ""'),
    ),
)
_CARD = _Type(
    "type card = Number of int | Jack | Queen | King",
    _either(_carrying("Number", integers(2, 10)), one_of("Jack", "Queen", "King")),
)
_VALUE = _Type(
    "type value = Int of int | Bool of bool | Text of string",
    _either(
        _carrying("Int", integers(-20, 60, far=12_345)),
        _carrying("Text", texts(0, 7)),
        alone=("Bool true", "Bool false", "Int 0", 'Text ""'),
    ),
)
_COIN = _Type("type coin = Cent | Five | Ten | Euro", one_of("Cent", "Five", "Ten", "Euro"))
_LIGHT = _Type("type light = Red | Yellow | Green", one_of("Red", "Yellow", "Green"))
_SIDE = _Type("type side = Left of int | Middle | Right of int", integers())
_OUTCOME_TYPE = _Type("type outcome = Win of int | Draw | Loss of int", integers())
_PET = _Type(
    "type pet = Cat | Dog | Fish of int", _either(_carrying("Fish", integers(0, 9, far=200)), one_of("Cat", "Dog"))
)

_SIZE: Gap = (
    ("its area, which is 0 for a line", "Square a -> a * a | Rectangle (a, b) -> a * b | Line _ -> 0", "area"),
    (
        "the length of its border, twice the length for a line",
        "Square a -> 4 * a | Rectangle (a, b) -> 2 * (a + b) | Line a -> 2 * a",
        "border",
    ),
    ("the length of its longest side", "Square a | Line a -> a | Rectangle (a, b) -> max a b", "longest"),
    ("the length of its shortest side", "Square a | Line a -> a | Rectangle (a, b) -> min a b", "shortest"),
    (
        "how wide it is (the first number of a rectangle, and the length of a line)",
        "Square a | Line a -> a | Rectangle (a, _) -> a",
        "width",
    ),
    (
        "how high it is (the second number of a rectangle, and 0 for a line)",
        "Square a -> a | Rectangle (_, b) -> b | Line _ -> 0",
        "height",
    ),
    (
        "the difference between its two sides, which is 0 for a line",
        "Square _ | Line _ -> 0 | Rectangle (a, b) -> abs (a - b)",
        "difference",
    ),
)
_PRICE: Gap = (
    ("$few for each person in it", "Group n -> $few * n", "simple"),
    ("$much, plus $few for each person in it", "Group n -> $much + ($few * n)", "base"),
    ("$few for each person in it but one, who is free", "Group n -> $few * (n - 1)", "one_free"),
    ("$few for each person in it, but at most $max", "Group n -> min $max ($few * n)", "limited"),
    ("$few for each person in it, but at least $much", "Group n -> max $much ($few * n)", "at_least"),
)
_LASTING: Gap = (
    ("how many minutes it has", "Minutes m -> m | Hours h -> 60 * h | Clock (h, m) -> (60 * h) + m", "minutes"),
    (
        "how many seconds it has",
        "Minutes m -> 60 * m | Hours h -> 3600 * h | Clock (h, m) -> (3600 * h) + (60 * m)",
        "seconds",
    ),
    ("how many full hours it has", "Minutes m -> m / 60 | Hours h -> h | Clock (h, _) -> h", "full_hours"),
    ("how many minutes it has beyond full hours", "Minutes m -> m mod 60 | Hours _ -> 0 | Clock (_, m) -> m", "rest"),
    (
        "how many quarters of an hour it has, rounded down",
        "Minutes m -> m / 15 | Hours h -> 4 * h | Clock (h, m) -> (4 * h) + (m / 15)",
        "quarters",
    ),
)
_ORDERED: Gap = (
    (
        "`$water`, `$tea n`, with the number in its place, or the fruit followed by ` juice`",
        'Water -> "$water" | Tea n -> "$tea " ^ string_of_int n | Juice fruit -> fruit ^ " juice"',
        "name",
    ),
    (
        "`$water`, `n x $tea`, with the number in its place, or `juice: ` followed by the fruit",
        'Water -> "$water" | Tea n -> string_of_int n ^ " x $tea" | Juice fruit -> "juice: " ^ fruit',
        "bill",
    ),
    (
        "`$water`, `$tea (n)`, with the number in its place, or just the fruit",
        'Water -> "$water" | Tea n -> "$tea (" ^ string_of_int n ^ ")" | Juice fruit -> fruit',
        "short",
    ),
)
_SHOWN: Gap = (
    (
        "a number in digits, a boolean as $truth, and a text as it is",
        "Int n -> string_of_int n | Bool b -> $truth | Text s -> s",
        "show",
    ),
    (
        "a number in digits, a boolean as $truth, and a text between two signs `$sign`",
        'Int n -> string_of_int n | Bool b -> $truth | Text s -> "$sign" ^ s ^ "$sign"',
        "quote",
    ),
    (
        "a number in digits after a sign `$sign`, a boolean as $truth, and a text as it is",
        'Int n -> "$sign" ^ string_of_int n | Bool b -> $truth | Text s -> s',
        "label",
    ),
    (
        "a number in digits, a boolean as $truth, and a text in capitals",
        "Int n -> string_of_int n | Bool b -> $truth | Text s -> String.uppercase_ascii s",
        "shout",
    ),
)
_WEIGHT: Gap = (
    (
        "the number itself for `Int`, the number of characters for `Text`",
        "Int n -> n | Text s -> String.length s",
        "size",
    ),
    (
        "the double of the number for `Int`, the number of characters for `Text`",
        "Int n -> 2 * n | Text s -> String.length s",
        "weight",
    ),
    (
        "the number itself for `Int`, $few for each character for `Text`",
        "Int n -> n | Text s -> $few * String.length s",
        "cost",
    ),
    (
        "$few more than the number for `Int`, the number of characters for `Text`",
        "Int n -> n + $few | Text s -> String.length s",
        "rank",
    ),
    (
        "the number of its decimal digits for `Int` (a sign is none), the number of characters for `Text`",
        "Int n -> String.length (string_of_int (abs n)) | Text s -> String.length s",
        "width",
    ),
)
_CHANGED: Gap = (
    (
        "with all lengths multiplied by $few",
        "Square a -> Square ($few * a) | Rectangle (a, b) -> Rectangle ($few * a, $few * b) | Line a -> Line ($few * "
        "a)",
        "enlarge",
    ),
    (
        "with all lengths raised by $few",
        "Square a -> Square (a + $few) | Rectangle (a, b) -> Rectangle (a + $few, b + $few) | Line a -> Line (a + "
        "$few)",
        "widen",
    ),
    (
        "with all lengths halved, rounded down",
        "Square a -> Square (a / 2) | Rectangle (a, b) -> Rectangle (a / 2, b / 2) | Line a -> Line (a / 2)",
        "halve",
    ),
    (
        "as a `Rectangle`: a square with two equal sides, a line `a` with the sides `a` and 0",
        "Square a -> Rectangle (a, a) | Rectangle (a, b) -> Rectangle (a, b) | Line a -> Rectangle (a, 0)",
        "as_rectangle",
    ),
)
_PLACED: Gap = (
    (
        "`Left` or `Right` of how far `n` is below or above `a`, and `Middle` if both are equal",
        "n < a then Left (a - n) else if n > a then Right (n - a) else Middle",
    ),
    (
        "`Left n` if `n` is less than `a`, `Right n` if it is greater, and `Middle` if both are equal",
        "n < a then Left n else if n > a then Right n else Middle",
    ),
    (
        "`Middle` if `n` is from 0 to `a`, `Left n` if it is less, and `Right n` if it is greater",
        "n < 0 then Left n else if n > a then Right n else Middle",
    ),
    (
        "`Middle` if `n` is at most $few away from `a`, and else `Left n` if it is less, `Right n` if it is greater",
        "n < a - $few then Left n else if n > a + $few then Right n else Middle",
    ),
    (
        "`Left` of the sum of `a` and `n` if it is even, `Right` of it if it is odd, and `Middle` if both are equal",
        "a = n then Middle else if (a + n) mod 2 = 0 then Left (a + n) else Right (a + n)",
    ),
)
_POINTS: Gap = (
    ("a number card counts its number, and each picture 10", "Number n -> n | Jack | Queen | King -> 10"),
    (
        "a number card counts its number, a jack 11, a queen 12 and a king 13",
        "Number n -> n | Jack -> 11 | Queen -> 12 | King -> 13",
    ),
    (
        "a number card counts nothing, a jack 2, a queen 3 and a king 4",
        "Number _ -> 0 | Jack -> 2 | Queen -> 3 | King -> 4",
    ),
    (
        "a number card counts its number, a king 20, and the other pictures 10",
        "Number n -> n | King -> 20 | Jack | Queen -> 10",
    ),
    (
        "a number card over $few counts 1, a picture $few, and all others nothing",
        "Number n -> if n > $few then 1 else 0 | Jack | Queen | King -> $few",
    ),
    (
        "a number card counts its number, a jack or a queen $much, and a king takes $few off",
        "Number n -> n | Jack | Queen -> $much | King -> -$few",
    ),
    (
        "a number card counts twice its number, and a picture takes $few off",
        "Number n -> 2 * n | Jack | Queen | King -> -$few",
    ),
)
_MONEY: Gap = (
    ("its value in cents: 1, 5, 10 or 100", "Cent -> 1 | Five -> 5 | Ten -> 10 | Euro -> 100", "value"),
    (
        "its value in cents, 1, 5, 10 or 100, but a cent is not accepted and counts 0",
        "Cent -> 0 | Five -> 5 | Ten -> 10 | Euro -> 100",
        "accepted",
    ),
    (
        "its weight in grams: 2 for a cent, 4 for a five, $few for a ten and $much for a euro",
        "Cent -> 2 | Five -> 4 | Ten -> $few | Euro -> $much",
        "weight",
    ),
    (
        "its value in cents, 1, 5, 10 or 100, less a fee of 1",
        "Cent -> 0 | Five -> 4 | Ten -> 9 | Euro -> 99",
        "after_fee",
    ),
)
_LIGHTS: Gap = (
    (
        "how many seconds the lights in it last, $long for red, $short for yellow and $mid for green",
        "Red -> $long | Yellow -> $short | Green -> $mid",
        "seconds",
    ),
    (
        "the points for the lights in it: $few for each red one, 1 for each green one, none for yellow",
        "Red -> $few | Yellow -> 0 | Green -> 1",
        "points",
    ),
    (
        "how many more green lights than red ones there are in it, perhaps negative",
        "Red -> -1 | Yellow -> 0 | Green -> 1",
        "balance",
    ),
)
_FEED: Gap = (
    (
        "$few grams for a cat, $much for a dog, and 1 gram for each of `n` fishes in `Fish n`",
        "Cat -> $few | Dog -> $much | Fish n -> n",
        "food",
    ),
    ("4 for a cat and for a dog, and none for fishes", "Cat | Dog -> 4 | Fish _ -> 0", "legs"),
    ("1 for a cat or a dog, and `n` for `Fish n`", "Cat | Dog -> 1 | Fish n -> n", "heads"),
    (
        "$few euros for a cat, $much for a dog, and 2 for each of `n` fishes in `Fish n`",
        "Cat -> $few | Dog -> $much | Fish n -> 2 * n",
        "tax",
    ),
    ("2 for a cat, a dog and each of `n` fishes in `Fish n`", "Cat | Dog -> 2 | Fish n -> 2 * n", "eyes"),
)
_COUNTED: Gap = (
    ("how many squares", "function Square _ -> true | _ -> false", "squares"),
    ("how many lines", "function Line _ -> true | _ -> false", "lines"),
    ("how many rectangles with two equal sides", "function Rectangle (a, b) -> a = b | _ -> false", "equal_rectangles"),
    (
        "how many shapes without a side over $some (the side of a line is its length)",
        "function Square a | Line a -> a <= $some | Rectangle (a, b) -> a <= $some && b <= $some",
        "small_ones",
    ),
    ("how many shapes that are no squares", "function Square _ -> false | _ -> true", "others"),
    (
        "how many squares and lines with a length over $few",
        "function Square a | Line a -> a > $few | Rectangle _ -> false",
        "long_ones",
    ),
)
_DISCOUNT: Gap = (
    (
        "A group of at least $size pays $few for each person, a smaller one $much",
        "Group n when n >= $size -> $few * n\n  | Group n -> $much * n",
        "price",
    ),
    (
        "Each person in a group pays $much, but a group of more than $size gets 10 euros off",
        "Group n when n > $size -> ($much * n) - 10\n  | Group n -> $much * n",
        "reduced_price",
    ),
    (
        "Each person in a group pays $much, but in a group of more than $size one of them is free",
        "Group n when n > $size -> $much * (n - 1)\n  | Group n -> $much * n",
        "one_free_price",
    ),
    (
        "Each person in a group pays $much, but in an even group each second one is free",
        "Group n when n mod 2 = 0 -> $much * (n / 2)\n  | Group n -> $much * n",
        "even_price",
    ),
)
_COMPARED: Gap = (
    ("the sum of both, in minutes", "minutes a + minutes b", "sum"),
    ("the difference between them, in minutes, which is not negative", "abs (minutes a - minutes b)", "difference"),
    ("the length of the longer one, in minutes", "max (minutes a) (minutes b)", "longer"),
    ("the length of the shorter one, in minutes", "min (minutes a) (minutes b)", "shorter"),
    ("how many minutes longer `a` is than `b`, perhaps negative", "minutes a - minutes b", "longer_by"),
    ("the sum of both and of a break of $few minutes, in minutes", "minutes a + minutes b + $few", "with_break"),
)
_OUTCOME: Gap = (
    (
        "`Win` of how many more points `a` has than `b`, `Loss` of how many fewer, or `Draw`",
        "a > b then Win (a - b)\n  else if a < b then Loss (b - a)\n  else Draw",
        "result",
    ),
    (
        "`Win` of the points `a` if they are more than `b`, `Loss` of `a` if they are fewer, or `Draw`",
        "a > b then Win a\n  else if a < b then Loss a\n  else Draw",
        "own_result",
    ),
    (
        "`Win` of how many more points `a` has than `b` if these are at least $few, `Loss` of how many fewer if these "
        "are at least $few, and `Draw` in between",
        "a - b >= $few then Win (a - b)\n  else if b - a >= $few then Loss (b - a)\n  else Draw",
        "clear_result",
    ),
)
_TOTAL: Gap = (
    ("the points of all cards in `l` together", "List.fold_left (fun sum card -> sum + points card) 0 l", "total"),
    (
        "the points of the best card in `l`, or 0 if no card counts more",
        "List.fold_left (fun best card -> max best (points card)) 0 l",
        "best",
    ),
)
_GAPS: dict[str, Gap] = {
    "few": number(2, 6),
    "some": number(2, 4),
    "much": number(7, 14),
    "max": number(40, 70),
    "size": number(8, 16),
    "child": number(2, 5),
    "long": number(30, 60),
    "mid": number(15, 29),
    "short": number(2, 5),
    "water": (("water",), ("tap water",), ("still water",), ("a glass of water",)),
    "tea": (("tea",), ("cup of tea",), ("pot of tea",), ("green tea",)),
    "truth": tuple(
        (f"`{yes}` or `{no}`", f'if b then "{yes}" else "{no}"')
        for yes, no in (("yes", "no"), ("true", "false"), ("on", "off"), ("right", "wrong"))
    ),
    "sign": (("*",), ("#",), ("|",), ("~",)),
    "colour": (("red", "Red", "red"), ("yellow", "Yellow", "yellow"), ("green", "Green", "green")),
    "neg": (("", "="), ("not ", "<>")),
    "adult": number(6, 9),
    "plus": (
        ("", "n"),
        (", each raised by $few", "(n + $few)"),
        (", each doubled", "(2 * n)"),
        (", with their signs changed", "(-n)"),
    ),
    "yesno": (
        ("1 if it is true and 0 if not", "if b then 1 else 0"),
        ("$much if it is true and 0 if not", "if b then $much else 0"),
        ("0 if it is true and $few if not", "if b then 0 else $few"),
        ("$much if it is true and -1 if not", "if b then $much else -1"),
    ),
    "measure": _SIZE,
    "price": _PRICE,
    "lasting": _LASTING,
    "ordered": _ORDERED,
    "shown": _SHOWN,
    "weight": _WEIGHT,
    "changed": _CHANGED,
    "placed": _PLACED,
    "points": _POINTS,
    "money": _MONEY,
    "lights": _LIGHTS,
    "feed": _FEED,
    "counted": _COUNTED,
    "discount": _DISCOUNT,
    "compared": _COMPARED,
    "outcome": _OUTCOME,
    "total": _TOTAL,
}


def _task(
    level: int, of: _Type, says: tuple[str, ...], names: tuple[str, ...], signature: str, code: str, *inputs: Input
) -> Task:
    signature, code = f"{of.declared}\n\nval $f : {signature}", f"{of.declared}\n\n{code}"
    return Task(level=level, says=says, names=names, signature=signature, code=code, gaps=_GAPS, inputs=inputs)


TASKS = (
    _task(
        1,
        _SHAPE,
        (
            "A shape is a square, a rectangle or a line, with the lengths of its sides. `$f s` is $measure.",
            "For a shape `s`, `$f s` is $measure.",
        ),
        ("$measure", "${measure}_of"),
        "shape -> int",
        "let $f s = match s with $measure",
        _SHAPE.values,
    ),
    _task(
        1,
        _TICKET,
        (
            "What does a ticket cost? `$f t` is $child for a child, $much for an adult, and for a group $price.",
            "`$f t` is the price of the ticket `t`: a child pays $child, an adult $much, and a group $price.",
        ),
        ("ticket_price", "${price}_price", "cost"),
        "ticket -> int",
        "let $f t = match t with Child -> $child | Adult -> $much | $price",
        _TICKET.values,
    ),
    _task(
        1,
        _TIME,
        (
            "A time is given in minutes, in hours, or as a pair of both. `$f t` is $lasting.",
            "`$f t` looks at a time, in minutes, in hours, or as hours and minutes, and returns $lasting.",
        ),
        ("$lasting", "in_$lasting"),
        "time -> int",
        "let $f t = match t with $lasting",
        _TIME.values,
    ),
    _task(
        1,
        _DRINK,
        (
            "`$f d` shows a drink as text: $ordered.",
            "Write `$f d`, which returns a string for each drink `d`: $ordered.",
        ),
        ("${ordered}_of_drink", "show_drink", "order"),
        "drink -> string",
        "let $f d = match d with $ordered",
        _DRINK.values,
    ),
    _task(
        1,
        _VALUE,
        (
            "`$f v` turns a value into a string: $shown.",
            "Show a value `v` as text: $shown. Call the function `$f v`.",
        ),
        ("$shown", "${shown}_value"),
        "value -> string",
        "let $f v = match v with $shown",
        _VALUE.values,
    ),
    _task(
        1,
        _VALUE,
        (
            "`$f v` is a number: $weight, and for a `Bool` it is $yesno.",
            "Give a number to each value `v`: $weight, and for a `Bool` $yesno. Write `$f v`.",
        ),
        ("$weight", "${weight}_of_value"),
        "value -> int",
        "let $f v = match v with $weight | Bool b -> $yesno",
        _VALUE.values,
    ),
    _task(
        1,
        _SHAPE,
        (
            "`$f s` is the shape `s` $changed.",
            "Return the shape `s` $changed: this is `$f s`.",
        ),
        ("$changed", "${changed}_shape"),
        "shape -> shape",
        "let $f s = match s with $changed",
        _SHAPE.values,
    ),
    _task(
        1,
        _SHAPE,
        (
            "Count some of the shapes in the list `l`: `$f l` is $counted there are.",
            "`$f l` tells $counted there are in the list `l`.",
        ),
        ("count_$counted", "$counted"),
        "shape list -> int",
        "let $f l = List.length (List.filter ($counted) l)",
        lists(
            _either(
                _carrying("Square", integers(1, 7, far=100)),
                _carrying("Rectangle", integers(1, 5), integers(1, 5)),
                _carrying("Line", integers(1, 7, far=100)),
            ),
        ),
    ),
    _task(
        1,
        _LIGHT,
        (
            "`$f l` is the number of lights in the list `l` that are $neg$colour.",
            "How many lights in `l` are $neg$colour? `$f l` answers that.",
        ),
        ("count_$colour", "${colour}_lights"),
        "light list -> int",
        "let $f l = List.length (List.filter (fun light -> light $neg $colour) l)",
        lists(_LIGHT.values, 0, 9, far=18),
    ),
    _task(
        1,
        _SIDE,
        ("`$f a n` is $placed.", "Where is `n`, seen from `a`? `$f a n` is $placed."),
        ("where", "side_of", "place"),
        "int -> int -> side",
        "let $f a n = if $placed",
        integers(0, 9, far=100),
        integers(-5, 14, far=200),
    ),
    _task(
        2,
        _CARD,
        (
            "In a card game, $points. `$f l` is $total.",
            "A hand `l` is a list of cards, for which this holds: $points. Write `$f l`, which is $total.",
        ),
        ("${total}_points", "${total}_of_hand"),
        "card list -> int",
        "let $f l =\n  let points card =\n    match card with\n    | $points\n  in\n  $total",
        lists(_CARD.values, 0, 6, far=14),
    ),
    _task(
        2,
        _COIN,
        (
            "A purse is a list of coins: 1, 5, 10 and 100 cents. For each coin in `l`, `$f l` adds up $money.",
            "Add up, over a list `l` of coins, what each of them brings: $money. The result is `$f l`, 0 for no coins.",
        ),
        ("${money}_of_coins", "total_$money"),
        "coin list -> int",
        "let rec $f l =\n  match l with\n  | [] -> 0\n  | coin :: rest ->\n    (match coin with $money) + $f rest",
        lists(_COIN.values, 0, 6, far=14),
    ),
    _task(
        2,
        _LIGHT,
        (
            "On a way there are the traffic lights in the list `l`. `$f l` is $lights.",
            "Go through a list `l` of traffic lights with a recursive function: `$f l` is $lights. For `[]` it is 0.",
        ),
        ("${lights}_of_lights", "total_$lights"),
        "light list -> int",
        "let rec $f l =\n  match l with\n  | [] -> 0\n  | light :: rest ->\n    (match light with $lights) + $f rest",
        lists(_LIGHT.values, 0, 6, far=14),
    ),
    _task(
        2,
        _PET,
        (
            "For each pet in the list `l`, `$f l` adds this to a sum, which begins with 0: $feed.",
            "What do the pets in `l` have in all? `$f l` is the sum, over the list, of these numbers: $feed.",
        ),
        ("${feed}_of_pets", "total_$feed"),
        "pet list -> int",
        "let $f l =\n  let number pet =\n    match pet with $feed\n  in\n"
        "  List.fold_left (fun sum pet -> sum + number pet) 0 l",
        lists(_PET.values, 0, 6, far=14),
    ),
    _task(
        2,
        _SHAPE,
        (
            "`$f l` adds up, for all shapes in the list `l`, this number: $measure.",
            "Measure each shape in `l`: $measure. `$f l` is the sum of these numbers, and 0 for the empty list.",
        ),
        ("total_$measure", "sum_of_$measure"),
        "shape list -> int",
        "let $f l =\n  let size s =\n    match s with $measure\n  in\n  List.fold_left (fun sum s -> sum + size s) 0 l",
        lists(_SHAPE.values, 0, 4, far=12),
    ),
    _task(
        2,
        _TICKET,
        (
            "A ticket for a child costs $child, one for an adult $adult. $discount. `$f t` is the price of the ticket "
            "`t`.",
            "$discount. A single child pays $child, and a single adult $adult. What does the ticket `t` cost? `$f t` "
            "answers that.",
        ),
        ("$discount", "ticket_$discount"),
        "ticket -> int",
        "let $f t =\n  match t with\n  | Child -> $child\n  | Adult -> $adult\n  | $discount",
        _TICKET.values,
    ),
    _task(
        2,
        _TIME,
        (
            "Two times are each given in minutes, in hours, or as a pair of hours and minutes. `$f a b` is $compared.",
            "How long are the times `a` and `b`? They are minutes, hours, or both. `$f a b` is $compared.",
        ),
        ("${compared}_of_times", "${compared}_minutes"),
        "time -> time -> int",
        "let $f a b =\n"
        "  let minutes t = match t with Minutes m -> m | Hours h -> 60 * h | Clock (h, m) -> (60 * h) + m in\n"
        "  $compared",
        _TIME.values,
        _TIME.values,
    ),
    _task(
        2,
        _OUTCOME_TYPE,
        (
            "One team has `a` points, the other `b`. `$f a b` is $outcome.",
            "Compare the points of two teams: `$f a b` is $outcome.",
        ),
        ("$outcome", "compare_teams"),
        "int -> int -> outcome",
        "let $f a b =\n  if $outcome",
        integers(0, 20, far=300),
        integers(0, 20, far=300),
    ),
    _task(
        2,
        _VALUE,
        (
            "`$f l` is a pair of lists made of the list `l` of values: the numbers in it$plus, and the texts, both in "
            "order. Booleans are left out.",
            "Sort the list `l` of values by their kind: `$f l` is the pair of the list of numbers$plus, and the list "
            "of texts, without the booleans.",
        ),
        ("split_values", "numbers_and_texts", "by_kind"),
        "value list -> int list * string list",
        "let rec $f l =\n  match l with\n  | [] -> ([], [])\n  | Bool _ :: rest -> $f rest\n"
        "  | Int n :: rest -> let numbers, texts = $f rest in ($plus :: numbers, texts)\n"
        "  | Text s :: rest -> let numbers, texts = $f rest in (numbers, s :: texts)",
        lists(
            _either(
                _carrying("Int", integers(-20, 60, far=2_000)),
                _carrying("Text", texts(0, 7)),
                one_of("Bool true", "Bool false"),
                alone=("Int 0", 'Text ""', "Bool true"),
            ),
            0,
            5,
            12,
        ),
    ),
)
