"""Small tasks on choosing: larger and smaller numbers, limits and ranges, signs, and groups by size."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, integers, one_of
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["FAMILY", "TASKS"]


def _two(chance: Chance) -> str:
    """Two numbers, often equally far from a number, or apart by a number of the problem."""
    a, b = chance.number(-20, 40), chance.number(-20, 40)
    kind = chance.below(10)
    if kind < 3:
        middle, distance = 0 if chance.happens(0.4) else chance.number(0, 30), chance.between(-15, 15)
        a, b = middle + distance, middle - distance
    elif kind == 3:
        a = b
    elif kind < 6:
        a = b + chance.number(0, 12)
    elif kind == 6:
        a, b = a * 25, b * 25
    return f"({a}, {b})"


def _three(chance: Chance) -> str:
    """Three numbers, often with equal ones, or without a positive one."""
    low, high = chance.pick(((-20, 40), (-20, 40), (-30, -1), (-900, 900)))
    numbers = chance.numbers(3, low, high)
    if chance.happens(0.35):
        i, j = chance.sample(range(3), 2)
        numbers[i] = numbers[j]
    elif chance.happens(0.1):
        numbers = numbers[:1] * 3
    return f"({', '.join(map(str, numbers))})"


_TWO = Input(_two, ("(0, 0)", "(5, -5)", "(-5, 5)", "(-7, -3)"))
_THREE = Input(_three, ("(0, 0, 0)", "(-4, -2, -9)", "(3, 1, 3)", "(1, 2, 3)", "(3, 2, 1)", "(2, 3, 1)"))
_SCORE = integers(0, 16, far=40)
_SMALL = integers(-9, 9, far=60)
_PAIRED = integers(-15, 20, far=200)
_MIXED = integers(-12, 20, far=200)
_SIDE = integers(1, 6, far=30)
_NOT_ZERO = Input(lambda chance: str(chance.between(1, 30) * chance.pick((1, -1))), ("1", "-1"))


def _groups(thing: str, first: str, second: str, third: str) -> tuple[str, str]:
    """Three words for ranges of a number."""
    return (
        f'{thing}: `"{first}"` $edge $low, else `"{second}"` $edge $high, and otherwise `"{third}"`',
        f'if x $edge $low then "{first}"\n  else if x $edge $high then "{second}"\n  else "{third}"',
    )


_GAPS: dict[str, Gap] = {
    "c": number(2, 9),
    "k": number(3, 25),
    "reach": number(8, 15),
    "low": number(4, 14),
    "high": number(24, 35),
    "of_two": (
        ("the larger one of `a` and `b`", "max a b", "larger"),
        ("the smaller one of `a` and `b`", "min a b", "smaller"),
        ("the larger one of `a` and `b`, or $k if both are less than $k", "max $k (max a b)", "best"),
        ("the smaller one of `a` and `b`, or $k if both are greater than $k", "min $k (min a b)", "least"),
        ("the larger one of `a` and `b` minus the smaller one", "abs (a - b)", "gap"),
        (
            "the one of `a` and `b` that is nearer to 0 (`a` if both are equally near)",
            "if abs a <= abs b then a else b",
            "nearer",
        ),
        (
            "the one of `a` and `b` that is farther from 0 (`a` if both are equally far)",
            "if abs a >= abs b then a else b",
            "farther",
        ),
        (
            "the one of `a` and `b` that is nearer to $k (`a` if both are equally near)",
            "if abs (a - $k) <= abs (b - $k) then a else b",
            "nearer",
        ),
        ("`a` if it is positive, and otherwise `b`", "if a > 0 then a else b", "first_or_second"),
        ("`a` if it is at least $c greater than `b`, and otherwise `b`", "if a >= b + $c then a else b", "leader"),
    ),
    "of_three": (
        ("the largest", "max a (max b c)", "largest"),
        ("the smallest", "min a (min b c)", "smallest"),
        ("the largest minus the smallest", "max a (max b c) - min a (min b c)", "spread"),
        ("the sum without the smallest", "a + b + c - min a (min b c)", "best_two"),
        ("the sum of the largest and the smallest", "max a (max b c) + min a (min b c)", "ends"),
        ("the larger one of the first two, plus the third", "max a b + c", "choose_and_add"),
        ("the largest of the three and $k", "max (max a b) (max c $k)", "top"),
    ),
    "limited": (
        ("`x`, but at least $reach", "max $reach x", "at_least"),
        ("`x`, but at most $low", "min $low x", "at_most"),
        ("the number from $low to $high that is nearest to `x`", "max $low (min $high x)", "clamp"),
        ("the number from -$c to $low that is nearest to `x`", "max (-$c) (min $low x)", "clamp"),
        ("how much `x` is greater than $low, or 0 if it is not greater", "max 0 (x - $low)", "excess"),
        ("how much `x` is below $high, or 0 if it is not below", "max 0 ($high - x)", "missing"),
        ("the distance of `x` from $low, but at most $high", "min $high (abs (x - $low))", "distance"),
        ("1 if `x` is greater than $low, 0 if it is equal, and -1 if it is less", "compare x $low", "compare_to_$low"),
    ),
    "between": (
        ("`x` is from $low to $high, both included", "$low <= x && x <= $high"),
        ("`x` lies between $low and $high, neither included", "$low < x && x < $high"),
        ("`x` is less than $low or greater than $high", "x < $low || x > $high"),
        ("`x` is not negative, and at most $high", "x >= 0 && x <= $high"),
        ("`x` differs from $low by at most $reach", "abs (x - $low) <= $reach"),
        ("`x` differs from $high by more than $reach", "abs (x - $high) > $reach"),
        ("the distance of `x` from 0 is less than $high", "abs x < $high"),
        ("`x` is at least $high or negative", "x >= $high || x < 0"),
    ),
    "signs": (
        ("`a` and `b` have different signs, one positive and one negative", "a * b < 0"),
        ("exactly one of `a` and `b` is negative", "a < 0 <> (b < 0)"),
        ("neither `a` nor `b` is negative", "a >= 0 && b >= 0"),
        ("`a` or `b` is positive, or both are", "a > 0 || b > 0"),
        ("`a` is nearer to 0 than `b`", "abs a < abs b"),
        ("`a` and `b` are at most $c apart", "abs (a - b) <= $c"),
        ("`a` and `b` are more than $c apart", "abs (a - b) > $c"),
        ("`a` is greater than `b` by at least $c", "a >= b + $c"),
        ("the larger one of `a` and `b` is at least $c", "max a b >= $c"),
    ),
    "placed": (
        ("`x` is from `a` to `b`, both included (never if `a` is greater than `b`)", "a <= x && x <= b"),
        ("`x` lies between `a` and `b`, both included, whichever is larger", "min a b <= x && x <= max a b"),
        ("`x` is greater than both `a` and `b`", "x > max a b"),
        ("`x` is less than at least one of `a` and `b`", "x < max a b"),
        ("`x` is nearer to `a` than to `b`", "abs (x - a) < abs (x - b)"),
        ("`x` differs from both `a` and `b` by at least $c", "abs (x - a) >= $c && abs (x - b) >= $c"),
        ("`x` is at least the sum of `a` and `b`", "x >= a + b"),
    ),
    "ordered": (
        ("the smaller one and the larger one", "(min a b, max a b)"),
        ("the larger one and the smaller one", "(max a b, min a b)"),
        ("the larger one and how far they are apart", "(max a b, abs (a - b))"),
        ("the sum of both and the smaller one", "(a + b, min a b)"),
        (
            "both, first the one that is nearer to 0 (`a` if both are equally near)",
            "if abs a <= abs b then (a, b) else (b, a)",
        ),
        ("both, each but at most $c", "(min a $c, min b $c)"),
    ),
    "half": number(35, 75),
    "label": tuple(
        (
            f'`"{yes}"` if `x`, {what}, is {words} $half, and otherwise `"{no}"`',
            f'if x {sign} $half then "{yes}" else "{no}"',
            name,
        )
        for name, what, words, sign, yes, no in (
            ("water", "the temperature of water", "at least", ">=", "hot", "cold"),
            ("bag", "the weight of a bag", "greater than", ">", "heavy", "light"),
            ("train", "the delay of a train", "greater than", ">", "late", "on time"),
            ("result", "the result of a test", "at least", ">=", "passed", "failed"),
            ("bus", "the number of passengers of a bus", "at least", ">=", "full", "free"),
            ("way", "the length of a way", "less than", "<", "near", "far"),
            ("price", "a price in euros", "at most", "<=", "cheap", "dear"),
            ("film", "the length of a film", "less than", "<", "short", "long"),
        )
    ),
    "edge": (("below", "<"), ("up to", "<=")),
    "group": (
        _groups("a temperature of `x` degrees", "cold", "mild", "hot"),
        _groups("a person of `x` years", "young", "grown", "old"),
        _groups("a parcel of `x` kilograms", "small", "medium", "large"),
        _groups("a speed of `x` kilometres an hour", "slow", "normal", "fast"),
        _groups("a result of `x` points", "weak", "good", "excellent"),
        _groups("a wind of `x` knots", "calm", "breeze", "storm"),
        _groups("a price of `x` euros", "cheap", "fair", "dear"),
        _groups("a crowd of `x` people", "few", "some", "many"),
        _groups("a walk of `x` kilometres", "short", "long", "endless"),
        _groups("a noise of `x` decibels", "quiet", "audible", "loud"),
    ),
    "fail": (("`'F'`", "'F'"), ("`'D'`", "'D'"), ("`'-'`", "'-'")),
    "mid": number(60, 75),
    "top": number(80, 95),
    "pass": number(40, 55),
    "thing": (
        ("the water in a tank",),
        ("a battery",),
        ("the noise in a room",),
        ("the stock in a shop",),
        ("a temperature",),
    ),
    "rival": (
        ("The higher number wins", 'if a > b then "Ann"\n  else if b > a then "Bob"\n  else "draw"'),
        ("The lower number wins", 'if a < b then "Ann"\n  else if b < a then "Bob"\n  else "draw"'),
        (
            "To win one has to be ahead by at least $c points",
            'if a >= b + $c then "Ann"\n  else if b >= a + $c then "Bob"\n  else "draw"',
        ),
        (
            "The number nearer to $low wins",
            'if abs (a - $low) < abs (b - $low) then "Ann"\n  else if abs (a - $low) > abs (b - $low) then "Bob"\n  else "draw"',
        ),
        (
            "The higher number wins, but only if it is at least $low",
            'if a > b && a >= $low then "Ann"\n  else if b > a && b >= $low then "Bob"\n  else "draw"',
        ),
    ),
    "rest": (
        (
            "the middle one of the three, which is neither the largest nor the smallest (equal numbers are counted separately)",
            "a + b + c - largest - smallest",
        ),
        ("how much is between the largest and the smallest of the three", "largest - smallest"),
        ("$c times the largest plus the smallest of the three", "($c * largest) + smallest"),
        ("the largest minus $c times the smallest of the three", "largest - ($c * smallest)"),
        ("the sum of the three, with the largest and the smallest counted twice", "a + b + c + largest + smallest"),
    ),
    "test": (
        ("negative", "x < 0"),
        ("greater than $c", "x > $c"),
        ("at most $c away from 0", "abs x <= $c"),
        ("from 1 to 1$c", "x >= 1 && x <= 1$c"),
        ("even", "x mod 2 = 0"),
    ),
    "sticks": (
        (
            '`"equal"` if all are equal, `"two"` if just two of them are equal, and otherwise `"different"`',
            'if a = b && b = c then "equal"\n  else if a = b || b = c || a = c then "two"\n  else "different"',
        ),
        (
            '`"impossible"` if one stick is longer than the others together, `"flat"` if one is just as long, and otherwise `"ok"`',
            "let longest = max a (max b c) in\n  let others = a + b + c - longest in\n"
            '  if longest > others then "impossible" else if longest = others then "flat" else "ok"',
        ),
        (
            '`"isosceles"` if exactly two lengths are equal, and otherwise `"other"`',
            "let pairs = List.filter (fun (x, y) -> x = y) [ (a, b); (b, c); (a, c) ] in\n"
            '  if List.length pairs = 1 then "isosceles" else "other"',
        ),
    ),
    "where": (
        (
            'one of `"north-east"`, `"south-east"`, `"north-west"` and `"south-west"`',
            'match (x > 0, y > 0) with\n  | true, true -> "north-east"\n  | true, false -> "south-east"\n'
            '  | false, true -> "north-west"\n  | false, false -> "south-west"',
        ),
        (
            '`"east"` or `"west"`, or `"north"` or `"south"` if it is farther in that direction',
            'if abs y > abs x then if y > 0 then "north" else "south"\n  else if x > 0 then "east"\n  else "west"',
        ),
    ),
    "outside": (
        (
            "how far `x` lies outside of the range from $low to $high, which is 0 in the range",
            "if x < $low then $low - x\n  else if x > $high then x - $high\n  else 0",
        ),
        (
            "the fine for driving at speed `x`: 0 up to $low, $c for each unit above it, but only half of that (rounded down) up to $high",
            "if x <= $low then 0\n  else if x <= $high then (x - $low) * $c / 2\n  else (x - $low) * $c",
        ),
        (
            "-1 below $low, 0 from $low to $high, and 1 above $high",
            "if x < $low then -1\n  else if x > $high then 1\n  else 0",
        ),
        (
            "the distance from `x` to the nearer one of $low and $high",
            "let down = abs (x - $low) in\n  let up = abs (x - $high) in\n  min down up",
        ),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`$f (a, b)` takes a pair of integers and gives $of_two.",
            "Write `$f (a, b)`: it returns $of_two.",
            "Which number is $of_two? `$f (a, b)` tells.",
        ),
        names=("$of_two", "${of_two}_of"),
        signature="int * int -> int",
        code="let $f (a, b) = $of_two",
        gaps=_GAPS,
        inputs=(_TWO,),
    ),
    Task(
        level=1,
        says=(
            "Of three integers `$f (a, b, c)` is $of_three.",
            "Write a function of three integers: `$f (a, b, c)` returns $of_three.",
        ),
        names=("$of_three", "${of_three}_of_three"),
        signature="int * int * int -> int",
        code="let $f (a, b, c) = $of_three",
        gaps=_GAPS,
        inputs=(_THREE,),
    ),
    Task(
        level=1,
        says=(
            "`$f x` is $limited.",
            "Write `$f x`, which returns $limited.",
            "For an integer `x`, `$f x` gives $limited.",
        ),
        names=("$limited", "get_$limited"),
        signature="int -> int",
        code="let $f x = $limited",
        gaps=_GAPS,
        inputs=(integers(-25, 60, far=500),),
    ),
    Task(
        level=1,
        says=(
            "`$f x` tells if $between.",
            "Is it true that $between? Write `$f x`.",
            "Write `$f x`: it is `true` if $between, and `false` if not.",
        ),
        names=("in_range", "is_allowed", "accepts"),
        signature="int -> bool",
        code="let $f x = $between",
        gaps=_GAPS,
        inputs=(integers(-40, 50),),
        edges=(("500",), ("-500",)),
    ),
    Task(
        level=1,
        says=("`$f a b` tells if $signs.", "Write a function of two integers: `$f a b` is true if $signs."),
        names=("compare_signs", "related", "check"),
        signature="int -> int -> bool",
        code="let $f a b = $signs",
        gaps=_GAPS,
        inputs=(_SMALL, _SMALL),
    ),
    Task(
        level=1,
        says=("`$f x a b` tells if $placed.", "Is it true that $placed? `$f x a b` answers that for three integers."),
        names=("is_placed", "fits", "position"),
        signature="int -> int -> int -> bool",
        code="let $f x a b = $placed",
        gaps=_GAPS,
        inputs=(_SMALL, _SMALL, _SMALL),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` is a pair of two numbers: $ordered.",
            "Write `$f a b`. Of two integers it makes the pair of $ordered.",
        ),
        names=("in_order", "pair_up", "arrange"),
        signature="int -> int -> int * int",
        code="let $f a b = $ordered",
        gaps=_GAPS,
        inputs=(_PAIRED, _PAIRED),
        edges=(("5", "-5"), ("-5", "5"), ("-4", "-9"), ("-9", "-4"), ("0", "3"), ("18", "19")),
    ),
    Task(
        level=1,
        says=("`$f x` is $label.", "Write a function `$f x`. It answers $label."),
        names=("$label", "${label}_word"),
        signature="int -> string",
        code="let $f x = $label",
        gaps=_GAPS,
        inputs=(integers(0, 119, far=900),),
        edges=(("-45",),),
    ),
    Task(
        level=2,
        says=("`$f x` names $group.", "Write `$f x`, a word for $group."),
        names=("group", "category", "describe"),
        signature="int -> string",
        code="let $f x =\n  $group",
        gaps=_GAPS,
        inputs=(integers(0, 55, far=900),),
    ),
    Task(
        level=2,
        says=(
            "A test with `x` points, from 0 to 100, gets the grade `'A'` from $top points on, `'B'` from $mid, `'C'` from $pass, and "
            "otherwise $fail. `$f x` is the grade.",
            "Write `$f x` for the grade of a test with `x` of 100 points: at least $top points are an `'A'`, at least $mid a "
            "`'B'`, at least $pass a `'C'`, and fewer give $fail.",
        ),
        names=("grade", "mark", "letter"),
        signature="int -> char",
        code="let $f x =\n  if x >= $top then 'A'\n  else if x >= $mid then 'B'\n  else if x >= $pass then 'C'\n  else $fail",
        gaps=_GAPS,
        inputs=(integers(0, 100),),
    ),
    Task(
        level=2,
        says=(
            "Say how high $thing is: `$f x` is `Low` for a value `x` $edge $low, else `Middle` $edge $high, and otherwise `High`.",
            "`$f x` sorts $thing into three classes by its value: `Low` $edge $low, then `Middle` $edge $high, then `High`.",
        ),
        names=("level", "classify", "rate"),
        signature="type level = Low | Middle | High\n\nval $f : int -> level",
        code="type level = Low | Middle | High\n\nlet $f x =\n  if x $edge $low then Low\n  else if x $edge $high then Middle\n  else High",
        gaps=_GAPS,
        inputs=(integers(0, 55, far=900),),
    ),
    Task(
        level=2,
        says=(
            "A small $unit costs $c euros, a medium one 1$c, and a large one ${k}0. `$f size n` is the price of `n` of them, where `n` is at least 0.",
            "What do `n` pieces of one size cost, if a small $unit is $c euros, a medium one 1$c and a large one ${k}0? Write `$f size n`; `n` is not negative.",
        ),
        names=("price", "cost", "total"),
        signature="type size = Small | Medium | Large\n\nval $f : size -> int -> int",
        code="type size = Small | Medium | Large\n\nlet $f size n =\n  let each = match size with Small -> $c | Medium -> 1$c | Large -> ${k}0 in\n  n * each",
        gaps=_GAPS | {"unit": (("cup",), ("box",), ("pizza",), ("poster",), ("plant",)), "k": number(2, 9)},
        inputs=(one_of("Small", "Medium", "Large"), integers(0, 12, far=150)),
    ),
    Task(
        level=2,
        says=(
            'Ann has the number `a`, and Bob has `b`. $rival; otherwise it is a draw. `$f a b` is `"Ann"`, `"Bob"` or `"draw"`.',
            "Who wins a game, Ann with `a` points or Bob with `b`? $rival; else nobody does. Write `$f a b`, which answers "
            '`"Ann"`, `"Bob"` or `"draw"`.',
        ),
        names=("winner", "decide", "who_wins"),
        signature="int -> int -> string",
        code="let $f a b =\n  $rival",
        gaps=_GAPS,
        inputs=(_SCORE, _SCORE),
    ),
    Task(
        level=2,
        says=(
            "Of three integers, `$f (a, b, c)` is $rest.",
            "Take three integers `a`, `b` and `c`. Write `$f (a, b, c)` for $rest.",
        ),
        names=("of_three", "middle", "spread"),
        signature="int * int * int -> int",
        code="let $f (a, b, c) =\n  let largest = max a (max b c) in\n  let smallest = min a (min b c) in\n  $rest",
        gaps=_GAPS,
        inputs=(_THREE,),
    ),
    Task(
        level=2,
        says=(
            "`$f a b c` is the number of those of `a`, `b` and `c` that are $test.",
            "How many of three integers are $test? Write `$f a b c`, a number from 0 to 3.",
        ),
        names=("how_many", "count", "count_of_three"),
        signature="int -> int -> int -> int",
        code="let $f a b c =\n  let one x = if $test then 1 else 0 in\n  one a + one b + one c",
        gaps=_GAPS,
        inputs=(_MIXED, _MIXED, _MIXED),
    ),
    Task(
        level=2,
        says=(
            "Three sticks have the lengths `a`, `b` and `c`, all positive. `$f a b c` is $sticks.",
            "Lay a triangle of sticks with the positive lengths `a`, `b` and `c`. Write `$f a b c`, which is $sticks.",
        ),
        names=("triangle", "sticks", "kind_of_triangle"),
        signature="int -> int -> int -> string",
        code="let $f a b c =\n  $sticks",
        gaps=_GAPS,
        inputs=(_SIDE, _SIDE, _SIDE),
        edges=(
            ("4", "4", "4"),
            ("3", "3", "5"),
            ("5", "3", "3"),
            ("3", "5", "3"),
            ("2", "3", "5"),
            ("9", "2", "3"),
            ("2", "9", "3"),
        ),
    ),
    Task(
        level=2,
        says=(
            "A place lies `x` steps to the east and `y` to the north, negative numbers being west and south; neither is 0. `$f x y` is $where.",
            "Neither `x`, the steps to the east, nor `y`, the steps to the north, is 0; a negative number means west or south. Write `$f x y`: it is $where.",
        ),
        names=("direction", "where", "sector"),
        signature="int -> int -> string",
        code="let $f x y =\n  $where",
        gaps=_GAPS,
        inputs=(_NOT_ZERO, _NOT_ZERO),
        edges=(("5", "5"), ("-5", "5"), ("5", "-5"), ("-5", "-5"), ("3", "-4"), ("-4", "3")),
    ),
    Task(
        level=2,
        says=("`$f x` is $outside.", "Write a function of an integer: `$f x` is $outside."),
        names=("outside", "off_limits", "off_range"),
        signature="int -> int",
        code="let $f x =\n  $outside",
        gaps=_GAPS,
        inputs=(integers(-20, 70, far=700),),
    ),
)

FAMILY = Family(
    name="arithmetic.choices",
    topics=("arithmetic",),
    description="larger and smaller numbers, limits, signs and groups",
    tasks=TASKS,
)
