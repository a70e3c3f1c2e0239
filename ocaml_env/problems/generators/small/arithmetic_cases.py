"""Small tasks on integers: a choice between two or three rules, such as prices, fares and points."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, boolean, integers
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]


def _small_or_not(chance: Chance) -> str:
    return str(chance.number(0, 9 if chance.happens(0.4) else 40))


_DIE = integers(1, 6)
_FEW = Input(_small_or_not, ("0", "1", "40"))
_GOALS = integers(0, 6, far=14)
_SIGNED = integers(-6, 8, far=40)

_GAPS: dict[str, Gap] = {
    "k": number(8, 25),
    "d": number(3, 9),
    "fee": number(2, 5),
    "big": number(9, 15),
    "size": number(6, 12),
    "limit": number(40, 50),
    "place": (("zoo", "", "zoo"), ("pool", "", "pool"), ("museum", "", "museum"), ("castle", "", "castle")),
    "group": (
        ("younger than $limit", "age < $limit"),
        ("who are at most $limit years old", "age <= $limit"),
        ("older than $limit", "age > $limit"),
        ("who are $limit or older", "age >= $limit"),
        ("who are younger than $d or older than $limit", "age < $d || age > $limit"),
    ),
    "deal": (
        ("orders below $limit euros cost $fee euros more", "if total < $limit then total + $fee else total"),
        ("orders of $limit euros or more are half price, rounded down", "if total >= $limit then total / 2 else total"),
        ("orders above $limit euros cost $fee euros less", "if total > $limit then total - $fee else total"),
        (
            "orders above $limit euros cost $fee euros more, and all others $big euros more",
            "if total > $limit then total + $fee else total + $big",
        ),
    ),
    "pair": (
        ("`a` and `b` are both positive", "a > 0 && b > 0"),
        ("`a` or `b` is negative, or both are", "a < 0 || b < 0"),
        ("`a` and `b` are equal", "a = b"),
        ("`a` is less than `b`", "a < b"),
        ("`a` is at least twice `b`", "a >= 2 * b"),
        ("`a` and `b` are neither both even nor both odd", "(a + b) mod 2 <> 0"),
    ),
    "joined": (("their sum", "a + b"), ("their product", "a * b"), ("the square of `b`", "b * b")),
    "test": (
        ("even", "n mod 2 = 0"),
        ("odd", "n mod 2 <> 0"),
        ("negative", "n < 0"),
        ("greater than $k", "n > $k"),
        ("less than $k", "n < $k"),
    ),
    "then": (("the square of `n`", "n * n"), ("`n` plus $d", "n + $d"), ("twice `n`", "2 * n")),
    "other": (("0", "0"), ("the number before `n`", "n - 1"), ("three times `n`", "3 * n"), ("`-n`", "-n")),
    "story": (
        ("A player with `x` points loses `y` of them, but never has fewer than 0. How many are left?", "max 0 (x - y)"),
        (
            "A lift at floor `x` goes up `y` floors, but at most to floor $limit. Where does it stop?",
            "min $limit (x + y)",
        ),
        (
            "A shop has `x` loaves, bakes `y`, and sells $k, or all if there are fewer. How many are left?",
            "max 0 (x + y - $k)",
        ),
        (
            "From `x` sweets each of `y` children takes $fee, until none is left. How many are left?",
            "max 0 (x - ($fee * y))",
        ),
    ),
    "thing": (("eggs", "", "eggs"), ("bottles", "", "bottles"), ("cakes", "", "cakes"), ("candles", "", "candles")),
    "boxed": (
        ("how many boxes it takes to pack them all", "if n mod $size = 0 then n / $size else (n / $size) + 1"),
        ("how many more would fill the last box", "if n mod $size = 0 then 0 else $size - (n mod $size)"),
        ("the price: $fee euros for a full box, 1 euro for each left over", "($fee * (n / $size)) + (n mod $size)"),
    ),
    "roll": (
        ("at least two show the same number", "a = b || b = c || a = c"),
        ("none shows a six", "a <> 6 && b <> 6 && c <> 6"),
        ("at least one shows a one", "a = 1 || b = 1 || c = 1"),
        ("their sum is at least $size", "a + b + c >= $size"),
        ("no number is less than the one before it", "a <= b && b <= c"),
        ("the first shows more than each of the others", "a > b && a > c"),
    ),
    "free": (("Parking",), ("Renting a bicycle",), ("Renting a boat",), ("Using a locker",)),
    "long": (("$big euros for any longer time", "$big"), ("1 euro per minute for any longer time", "minutes")),
    "metered": (
        (
            "Work is paid $fee euros an hour for the first $k hours, and $big euros for each further hour",
            "if n <= $k then $fee * n\n  else ($fee * $k) + ($big * (n - $k))",
        ),
        (
            "Water costs $big cents a litre for the first $k litres, and $fee cents for each further litre",
            "if n <= $k then $big * n\n  else ($big * $k) + ($fee * (n - $k))",
        ),
        (
            "A card costs $big euros for up to $k swims, and $fee euros more for each further swim",
            "if n <= $k then $big\n  else $big + ($fee * (n - $k))",
        ),
    ),
    "night": (
        ("$k euros are added", "fare + $k"),
        ("it costs twice as much", "2 * fare"),
        ("it costs at least $limit euros", "max $limit fare"),
    ),
    "else": (("the sum of the three", "a + b + c"), ("nothing", "0")),
    "move": (
        (
            "A lift at floor `n` is wanted at floor $k. It moves one floor towards it, or stays if it is there",
            "if n < $k then n + 1\n  else if n > $k then n - 1\n  else n",
        ),
        (
            "A room at `n` degrees is heated by $fee degrees if it is below $k, and cooled by $d if it is above $limit",
            "if n < $k then n + $fee\n  else if n > $limit then n - $d\n  else n",
        ),
        (
            "A player's `n` points are doubled if there are more than $limit, and grow by $fee if there are more than "
            "$k but at most $limit",
            "if n > $limit then 2 * n\n  else if n > $k then n + $fee\n  else n",
        ),
    ),
    "refused": (
        ("is not positive or exceeds the balance", "amount <= 0 || amount > balance"),
        ("is no multiple of $d or exceeds the balance", "amount mod $d <> 0 || amount > balance"),
        ("exceeds $k or the balance", "amount > $k || amount > balance"),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "At the $place a ticket costs $fee euros for visitors $group, and $big for all others. `$f age` is the price.",
            "Visitors $group pay $fee euros at the $place, and all others $big. Write `$f age` to tell what one pays.",
        ),
        names=("ticket", "${place}_ticket", "entrance_fee"),
        signature="int -> int",
        code="let $f age = if $group then $fee else $big",
        gaps=_GAPS,
        inputs=(integers(0, 80, far=2000),),
    ),
    Task(
        level=1,
        says=(
            "In a shop $deal. `$f total` is the final price of goods of `total` euros.",
            "What has to be paid for goods of `total` euros, if $deal? Write `$f total`.",
        ),
        names=("to_pay", "final_price", "checkout"),
        signature="int -> int",
        code="let $f total = $deal",
        gaps=_GAPS,
        inputs=(integers(1, 90, far=999),),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` is $joined if $pair, and $d otherwise.",
            "Write a function `$f a b` of two integers that returns $joined if $pair, and $d if not.",
            "If $pair, then `$f a b` gives $joined; in every other case it gives $d.",
        ),
        names=("combine", "both", "join_numbers"),
        signature="int -> int -> int",
        code="let $f a b = if $pair then $joined else $d",
        gaps=_GAPS,
        inputs=(_SIGNED, _SIGNED),
        edges=(("4", "-4"), ("6", "3"), ("-6", "-3"), ("0", "-5"), ("-5", "0")),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is $then if `n` is $test, and $other otherwise.",
            "Write `$f n`: it returns $then for a number `n` that is $test, and $other for any other number.",
            "For a number `n` that is $test, `$f n` is $then. For all other numbers it is $other.",
        ),
        names=("change", "step", "adjust"),
        signature="int -> int",
        code="let $f n = if $test then $then else $other",
        gaps=_GAPS,
        inputs=(integers(-20, 40, far=1000),),
    ),
    Task(
        level=1,
        says=("$story `$f x y` tells.", "$story Write `$f x y` to tell; `x` and `y` are not negative."),
        names=("result", "after", "outcome"),
        signature="int -> int -> int",
        code="let $f x y = $story",
        gaps=_GAPS,
        inputs=(_FEW, _FEW),
    ),
    Task(
        level=1,
        says=(
            "A box holds $size $thing. For `n` $thing, at least 0, `$f n` is $boxed.",
            "`n` $thing, not a negative number, are put in boxes of $size. Write `$f n` to tell $boxed.",
        ),
        names=("pack", "${thing}_in_boxes", "boxes"),
        signature="int -> int",
        code="let $f n = $boxed",
        gaps=_GAPS,
        inputs=(integers(0, 80, far=2000),),
    ),
    Task(
        level=1,
        says=(
            "Three dice show `a`, `b` and `c`. `$f a b c` tells if $roll.",
            "Somebody who throws three dice wins if $roll. Do `a`, `b` and `c` win? Write `$f a b c`.",
        ),
        names=("wins", "good_roll", "is_win"),
        signature="int -> int -> int -> bool",
        code="let $f a b c = $roll",
        gaps=_GAPS,
        inputs=(_DIE, _DIE, _DIE),
        edges=(("4", "4", "4"), ("2", "2", "5"), ("5", "2", "2"), ("2", "5", "2")),
    ),
    Task(
        level=2,
        says=(
            "$free is free for up to $k minutes, costs $fee euros for up to $limit minutes, and $long. "
            "`$f minutes` is the price in euros.",
            "What does it cost? $free is free for at most $k minutes, costs $fee euros for at most $limit minutes, and "
            "$long. Write `$f minutes`.",
        ),
        names=("price", "fare", "cost"),
        signature="int -> int",
        code="let $f minutes =\n  if minutes <= $k then 0\n  else if minutes <= $limit then $fee\n  else $long",
        gaps=_GAPS,
        inputs=(integers(0, 70, far=900),),
    ),
    Task(
        level=2,
        says=(
            "$metered. What do `n` of them come to? Write `$f n`; `n` is not negative.",
            "$metered. `$f n` is the total for `n` of them, a number that is at least 0.",
        ),
        names=("total", "amount", "bill"),
        signature="int -> int",
        code="let $f n =\n  $metered",
        gaps=_GAPS,
        inputs=(integers(0, 60, far=999),),
    ),
    Task(
        level=2,
        says=(
            "A taxi ride costs $big euros plus $fee euros per kilometre, and at night $night. `$f km night` is the price, "
            "where `night` tells if it is night.",
            "Write `$f km night` for the price of a taxi ride of `km` kilometres: $big euros plus $fee euros per "
            "kilometre; if `night` is true, $night.",
        ),
        names=("taxi", "ride", "taxi_fare"),
        signature="int -> bool -> int",
        code="let $f km night =\n  let fare = $big + ($fee * km) in\n  if night then $night else fare",
        gaps=_GAPS,
        inputs=(integers(0, 25, far=300), boolean()),
    ),
    Task(
        level=2,
        says=(
            "Three dice show `a`, `b` and `c`. If all three are equal that gives $limit points, if two are equal $k "
            "points, and otherwise $else. `$f a b c` is the score.",
            "A throw of three dice scores $limit if all show the same, $k if just two do, and else $else. "
            "Write `$f a b c`.",
        ),
        names=("score", "points", "throw"),
        signature="int -> int -> int -> int",
        code="let $f a b c =\n  if a = b && b = c then $limit\n  else if a = b || b = c || a = c then $k\n  else $else",
        gaps=_GAPS,
        inputs=(_DIE, _DIE, _DIE),
        edges=(("4", "4", "4"), ("2", "2", "5"), ("5", "2", "2"), ("2", "5", "2")),
    ),
    Task(
        level=2,
        says=("$move. `$f n` is the new value of `n`.", "$move. What does `n` become? Write `$f n`."),
        names=("next", "move", "after"),
        signature="int -> int",
        code="let $f n =\n  $move",
        gaps=_GAPS,
        inputs=(integers(0, 70, far=900),),
    ),
    Task(
        level=2,
        says=(
            "An account holds `balance` euros. `$f balance amount` is `Some` of what is left when `amount` is taken "
            "out, or `None` if the amount $refused.",
            "Write `$f balance amount`: it takes `amount` from an account and returns `Some` of the rest, or `None` if "
            "the amount $refused.",
        ),
        names=("withdraw", "take_out", "pay_from"),
        signature="int -> int -> int option",
        code="let $f balance amount =\n  if $refused then None\n  else Some (balance - amount)",
        gaps=_GAPS | {"d": number(2, 3)},
        inputs=(integers(0, 60), integers(-6, 60)),
        edges=(("6", "6"), ("12", "12"), ("7", "8"), ("9", "12"), ("30", "-6"), ("30", "0"), ("0", "0")),
    ),
    Task(
        level=2,
        says=(
            "Each win gives $fee points, a draw gives both teams 1, and a defeat gives 0. "
            "`$f home away` is the pair of the two teams' points, from the goals of each.",
            "Two teams score `home` and `away` goals. The winner gets $fee points and the loser 0; in a draw each gets 1. "
            "Write `$f home away`, which returns both teams' points as a pair.",
        ),
        names=("points", "match_points", "rate_match"),
        signature="int -> int -> int * int",
        code="let $f home away =\n  if home > away then ($fee, 0)\n  else if home = away then (1, 1)\n  else (0, $fee)",
        gaps=_GAPS,
        inputs=(_GOALS, _GOALS),
    ),
    Task(
        level=2,
        says=(
            "One $unit costs $big euros, but only $d euros each from $k pieces on, and $fee from $limit on. `$f n` is the price of `n`.",
            "What do `n` pieces cost if the price of one is $big euros, or $d if at least $k are bought, or $fee if at least $limit are? Write `$f n`.",
        ),
        names=("bulk_price", "order_price", "total_price"),
        signature="int -> int",
        code="let $f n =\n  let each = if n >= $limit then $fee else if n >= $k then $d else $big in\n  n * each",
        gaps=_GAPS | {"d": number(6, 8), "unit": (("chair",), ("lamp",), ("brick",), ("plant",))},
        inputs=(integers(0, 70, far=900),),
    ),
)
