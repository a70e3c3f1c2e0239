"""Small tasks on floats: units, prices and areas, averages, rounding, points, lists of measurements."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, floats, integers, lists, tuples
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["FAMILY", "TASKS"]


def _quarters(chance: Chance, most: int) -> str:
    return repr(chance.between(1, 4 * most) / 4).removesuffix("0")


def _amount(chance: Chance) -> str:
    """A positive number, often small, and sometimes larger than most limits."""
    return floats(*chance.pick(((1, 8), (1, 60), (1, 60), (40, 400)))).draw(chance)


def _shape(chance: Chance) -> str:
    a, b = _quarters(chance, 6), _quarters(chance, 6)
    return chance.pick((f"Square {a}", f"Rectangle ({a}, {b})", f"Triangle ({a}, {b})"))


def _item(chance: Chance) -> str:
    return f"{{ price = {_quarters(chance, 8)}; count = {chance.between(0, 6)} }}"


_POSITIVE = floats(0, 24)
_SMALL = floats(0, 6)
_ANY = floats(-6, 8)
_POINT = tuples(_ANY, _ANY)
_LIST = lists(_ANY, 0, 5, far=10)
_SHAPE = Input(
    _shape, ("Square 1.", "Rectangle (1., 2.)", "Triangle (3., 2.)", "Rectangle (5., 5.)", "Triangle (0.5, 8.)")
)
_ITEM = Input(_item, ("{ price = 1.; count = 0 }", "{ price = 0.5; count = 1 }"))

_SHAPES = "type shape = Square of float | Rectangle of float * float | Triangle of float * float\n\n"
_ITEMS = "type item = { price : float; count : int }\n\n"

_GAPS: dict[str, Gap] = {
    "c": number(1, 5),
    "k": number(2, 9),
    "low": number(1, 3),
    "m": number(2, 30),
    "part": (("25", "25"), ("5", "5"), ("75", "75")),
    "of_one": (
        ("how many minutes `x` hours are", "x *. 60.", "minutes"),
        ("how many centimetres `x` metres are", "x *. 100.", "centimetres"),
        ("how many inches `x` feet are, 12 for each foot", "x *. 12.", "inches"),
        ("how many hours `x` weeks are", "x *. 7. *. 24.", "hours"),
        ("the price of `x` kilograms at $m.$part euros a kilogram", "x *. $m.$part", "price"),
        (
            "the price of `x` metres of cloth at $k.$part euros a metre, plus $c.5 euros for cutting",
            "(x *. $k.$part) +. $c.5",
            "cloth",
        ),
        ("half of `x`", "x /. 2.", "half"),
        ("the price `x` lowered by a quarter", "x *. 0.75", "sale"),
        ("`x` plus half of `x`", "x *. 1.5", "one_and_a_half"),
        ("the perimeter of a square with the side `x`", "4. *. x", "perimeter"),
        ("the area of a square with the side `x`", "x *. x", "area"),
        ("the volume of a cube with the side `x`", "x *. x *. x", "volume"),
        ("the average of `x` and $m.$part", "(x +. $m.$part) /. 2.", "average"),
        ("the length of the rest if `x` metres are cut from ${k}0 metres", "${k}0. -. x", "rest"),
    ),
    "of_two": (
        ("the average of `a` and `b`", "(a +. b) /. 2.", "average"),
        ("the area of a rectangle with the sides `a` and `b`", "a *. b", "area"),
        ("the perimeter of a rectangle with the sides `a` and `b`", "2. *. (a +. b)", "perimeter"),
        ("the area of a triangle with the base `a` and the height `b`", "a *. b /. 2.", "triangle"),
        ("how far `a` and `b` are apart", "abs_float (a -. b)", "distance"),
        ("the average of four numbers: three times `a`, and `b`", "((3. *. a) +. b) /. 4.", "weighted"),
        (
            "the price of `a` kilograms of apples at $k.$part euros each, and `b` kilograms of pears at $c.5",
            "($k.$part *. a) +. ($c.5 *. b)",
            "basket",
        ),
        (
            "the cost of a trip of `a` kilometres at $c.$part euros each, and of a meal for `b` euros",
            "($c.$part *. a) +. b",
            "trip",
        ),
        ("$k times the larger one of `a` and `b`", "$k. *. Float.max a b", "scaled"),
        ("the volume of a box with the sides `a`, `b` and $k.5", "a *. b *. $k.5", "box"),
        ("`a` minus a quarter of `b`", "a -. (b /. 4.)", "reduced"),
    ),
    "rounded": (
        ("the largest integer that is at most `x`", "int_of_float (floor x)", "round_down"),
        ("the smallest integer that is at least `x`", "int_of_float (ceil x)", "round_up"),
        ("the integer part of `x`, rounded towards 0", "int_of_float x", "integer_part"),
        (
            "the integer nearest to `x`, the greater one if two are equally near",
            "int_of_float (floor (x +. 0.5))",
            "nearest",
        ),
        (
            "how many bottles of $two litres hold `x` litres, the last one maybe partly filled",
            "int_of_float (ceil (x /. $two.))",
            "bottles",
        ),
        (
            "how many full boxes of $two kilograms can be packed with `x` kilograms",
            "int_of_float (floor (x /. $two.))",
            "full_boxes",
        ),
        ("how many cents `x` euros are", "int_of_float (x *. 100.)", "cents"),
        (
            "the price of `x` hours at $m euros for each hour, where a part of an hour counts as a whole one",
            "$m * int_of_float (ceil x)",
            "parking",
        ),
        (
            "the number of whole kilometres in `x` rounds of $k.$part kilometres",
            "int_of_float (x *. $k.$part)",
            "kilometres",
        ),
    ),
    "two": (("2",), ("4",), ("8",)),
    "from_int": (
        ("how many hours `n` quarters of an hour are", "float_of_int n /. 4.", "hours"),
        ("half of `n`", "float_of_int n /. 2.", "half"),
        ("the price of `n` tickets at $m.$part euros each", "float_of_int n *. $m.$part", "tickets"),
        (
            "the price of `n` cups at $k.5 euros each, and $c.$part euros for the parcel",
            "(float_of_int n *. $k.5) +. $c.$part",
            "cups",
        ),
        (
            "what is left of ${k}00 euros after `n` days at $m.$part euros a day, maybe a negative number",
            "${k}00. -. (float_of_int n *. $m.$part)",
            "left",
        ),
        ("the average of `n` and $m", "float_of_int (n + $m) /. 2.", "average"),
        ("the square of `n`, as a float", "float_of_int (n * n)", "square"),
    ),
    "asked": (
        ("`a` is greater than `b` by more than $low.$part", "a > b +. $low.$part"),
        ("`a` and `b` differ by at most $c.5", "abs_float (a -. b) <= $c.5"),
        ("the sum of `a` and `b` is at least $k.5", "a +. b >= $k.5"),
        ("the average of `a` and `b` is greater than $low.$part", "(a +. b) /. 2. > $low.$part"),
        ("both `a` and `b` are at least $c", "a >= $c. && b >= $c."),
        ("a rectangle with the sides `a` and `b` has an area of more than $k", "a *. b > $k."),
        ("`a` is less than `b` after both are rounded down", "floor a < floor b"),
        ("`a` and `b` are the same when they are rounded up", "ceil a = ceil b"),
        ("`a` or `b` is a whole number", "floor a = a || floor b = b"),
        ("the part of `a` behind the point is at least that of `b`", "a -. floor a >= b -. floor b"),
    ),
    "moved": (
        ("moved by $c.5 to the right and by $k up", "(x +. $c.5, y +. $k.)"),
        ("moved by $k.$part to the left", "(x -. $k.$part, y)"),
        ("mirrored at the `x` axis, so that `y` changes its sign", "(x, -.y)"),
        ("mirrored at the origin, so that both numbers change their signs", "(-.x, -.y)"),
        ("$c.5 times as far from the origin in the same direction", "($c.5 *. x, $c.5 *. y)"),
        ("with its two numbers exchanged", "(y, x)"),
        ("halfway between `(x, y)` and the origin", "(x /. 2., y /. 2.)"),
        ("with both numbers rounded down", "(floor x, floor y)"),
        ("halfway between `(x, y)` and the point `($k, $c)`", "((x +. $k.) /. 2., (y +. $c.) /. 2.)"),
    ),
    "mapped": (
        ("with every number halved", "List.map (fun x -> x /. 2.) l"),
        ("with every number times $k.$part", "List.map (fun x -> x *. $k.$part) l"),
        ("with $c.$part added to every number", "List.map (fun x -> x +. $c.$part) l"),
        ("with the square of every number in its place", "List.map (fun x -> x *. x) l"),
        ("without the negative numbers", "List.filter (fun x -> x >= 0.) l"),
        ("without the numbers greater than $low.$part", "List.filter (fun x -> x <= $low.$part) l"),
        ("without the numbers that are not whole", "List.filter (fun x -> floor x = x) l"),
        ("with $low.5 in place of every greater number", "List.map (fun x -> Float.min x $low.5) l"),
        ("with every number rounded up", "List.map ceil l"),
    ),
    "tariff": (
        (
            "an order of `x` euros: one below $k euros costs $c.5 more, and any other a quarter less",
            "if x < $k. then x +. $c.5\n  else x *. 0.75",
        ),
        (
            "a parcel of `x` kilograms: $c.5 euros up to 1 kilogram, 1$c.$part up to 4, and 2$k.5 beyond that",
            "if x <= 1. then $c.5\n  else if x <= 4. then 1$c.$part\n  else 2$k.5",
        ),
        (
            "a ride of `x` kilometres: $k.$part euros for the first two, and $c.5 for each further one",
            "if x <= 2. then $k.$part\n  else $k.$part +. ($c.5 *. (x -. 2.))",
        ),
        (
            "`x` hours of parking: nothing up to half an hour, and otherwise $c.$part euros for each hour, but never more than 1$k",
            "if x <= 0.5 then 0.\n  else Float.min 1$k. ($c.$part *. x)",
        ),
        (
            "`x` litres of water: $c.5 euros a litre up to 4 litres, and $c.25 a litre for all of it if it is more",
            "let rate = if x <= 4. then $c.5 else $c.25 in\n  x *. rate",
        ),
    ),
    "picked": (
        ("positive", "x > 0."),
        ("at least $c.$part", "x >= $c.$part"),
        ("whole", "floor x = x"),
        ("less than $c.5", "x < $c.5"),
        ("at most $c away from 0", "abs_float x <= $c."),
    ),
    "agg": (("the sum", "x"), ("the sum of the squares", "(x *. x)"), ("half of the sum", "(x /. 2.)")),
    "best": (
        ("the largest element of `l`", "List.fold_left Float.max x rest"),
        ("the smallest element of `l`", "List.fold_left Float.min x rest"),
        ("the largest element of `l` minus the first one", "List.fold_left Float.max x rest -. x"),
        ("the sum of `l`, with the first element counted $k times", "List.fold_left ( +. ) ($k. *. x) rest"),
        ("the product of the elements of `l`", "List.fold_left ( *. ) x rest"),
    ),
    "measured": (
        (
            "the area of the shape (half of base times height for a triangle)",
            "Square a -> a *. a\n  | Rectangle (a, b) -> a *. b\n  | Triangle (a, b) -> a *. b /. 2.",
        ),
        (
            "the largest of the numbers of the shape",
            "Square a -> a\n  | Rectangle (a, b) | Triangle (a, b) -> Float.max a b",
        ),
        (
            "the price of the shape at $m.5 euros for each unit of its area (half of base times height for a triangle)",
            "Square a -> $m.5 *. a *. a\n  | Rectangle (a, b) -> $m.5 *. a *. b\n  | Triangle (a, b) -> $m.5 *. a *. b /. 2.",
        ),
        (
            "the volume of a body with the shape as its ground and a height of $c.5 (a triangle has half of base times height)",
            "Square a -> $c.5 *. a *. a\n  | Rectangle (a, b) -> $c.5 *. a *. b\n  | Triangle (a, b) -> $c.5 *. a *. b /. 2.",
        ),
        (
            "the area of the smallest rectangle around the shape",
            "Square a -> a *. a\n  | Rectangle (a, b) | Triangle (a, b) -> a *. b",
        ),
    ),
    "priced": (
        ("the price of all items together", "float_of_int item.count *. item.price"),
        ("the sum of the prices for one piece of each item", "item.price"),
        (
            "the price of all items together, with $c.$part euros for packing each piece",
            "float_of_int item.count *. (item.price +. $c.$part)",
        ),
        (
            "the price of all items together, where more than $c pieces of one item cost only half",
            "(float_of_int item.count *. item.price) *. if item.count > $c then 0.5 else 1.",
        ),
        (
            "the price of all items together, where only $c pieces can be had of each",
            "float_of_int (min $c item.count) *. item.price",
        ),
    ),
    "repeated": (
        (
            "how often `x` has to be halved until it is less than $c.$part",
            "if x < $c.$part then 0\n  else 1 + $f (x /. 2.)",
        ),
        (
            "how often $c.5 can be taken from `x` before less than that is left",
            "if x < $c.5 then 0\n  else 1 + $f (x -. $c.5)",
        ),
        (
            "how often `x` has to be doubled until it is at least ${m}0",
            "if x >= ${m}0. then 0\n  else 1 + $f (2. *. x)",
        ),
        (
            "how many years it takes until `x` is at least ${m}0, if it grows by half each year",
            "if x >= ${m}0. then 0\n  else 1 + $f (x *. 1.5)",
        ),
        (
            "how often `x` has to be halved and lowered by $c until it is at most 0",
            "if x <= 0. then 0\n  else 1 + $f ((x /. 2.) -. $c.)",
        ),
    ),
    "growth": (
        (
            "Every day half of `x` litres is used, and $c.$part are added. How much is there after `n` days?",
            "(x /. 2.) +. $c.$part",
        ),
        ("A plant of `x` metres grows by a quarter every year. How high is it after `n` years?", "x *. 1.25"),
        (
            "A fund of `x` euros grows by half every year, and then loses $c.5. What is it after `n` years?",
            "(x *. 1.5) -. $c.5",
        ),
        (
            "A car worth `x` euros loses a quarter of its value every year. What is it worth after `n` years?",
            "x *. 0.75",
        ),
        (
            "A tank of `x` litres loses $c.$part litres a day, until it is empty. What is left after `n` days?",
            "Float.max 0. (x -. $c.$part)",
        ),
    ),
    "span": (
        ("the square of their distance", "(dx *. dx) +. (dy *. dy)"),
        ("the length of a way between them that only goes along the axes", "abs_float dx +. abs_float dy"),
        ("the area of the rectangle with these corners and sides along the axes", "abs_float (dx *. dy)"),
        (
            "the perimeter of the rectangle with these corners and sides along the axes",
            "2. *. (abs_float dx +. abs_float dy)",
        ),
        ("the larger one of their distances in `x` and in `y`", "Float.max (abs_float dx) (abs_float dy)"),
    ),
    "side": (
        ("averages", "(a +. b) /. 2."),
        ("differences `b -. a`", "b -. a"),
        ("sums", "a +. b"),
        ("larger ones", "Float.max a b"),
        ("numbers `$c.5 *. a *. b`", "$c.5 *. a *. b"),
        ("distances (never negative)", "abs_float (a -. b)"),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`$f x` is $of_one.",
            "Write a function `$f x` of a float that returns $of_one.",
            "Given a float `x`, `$f x` tells $of_one.",
        ),
        names=("$of_one", "${of_one}_of"),
        signature="float -> float",
        code="let $f x = $of_one",
        gaps=_GAPS,
        inputs=(_POSITIVE,),
    ),
    Task(
        level=1,
        says=("`$f a b` is $of_two.", "Write a function of two floats: `$f a b` returns $of_two."),
        names=("$of_two", "get_$of_two"),
        signature="float -> float -> float",
        code="let $f a b = $of_two",
        gaps=_GAPS,
        inputs=(_POSITIVE, _POSITIVE),
    ),
    Task(
        level=1,
        says=(
            "`$f x` is $rounded, as an `int`. `x` is not negative.",
            "Write `$f x` for a float `x` from 0 on. It returns an integer: $rounded.",
        ),
        names=("$rounded", "to_$rounded"),
        signature="float -> int",
        code="let $f x = $rounded",
        gaps=_GAPS,
        inputs=(floats(0, 24),),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is a float: $from_int. `n` is at least 0.",
            "For an integer `n` that is not negative, `$f n` is the float that tells $from_int.",
        ),
        names=("$from_int", "float_$from_int"),
        signature="int -> float",
        code="let $f n = $from_int",
        gaps=_GAPS,
        inputs=(integers(0, 40, far=1000),),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` tells if $asked; neither of them is negative.",
            "Is it true that $asked? Write `$f a b` for floats from 0 on.",
        ),
        names=("compare_floats", "check", "is_so"),
        signature="float -> float -> bool",
        code="let $f a b = $asked",
        gaps=_GAPS,
        inputs=(_SMALL, _SMALL),
    ),
    Task(
        level=1,
        says=(
            "`$f (x, y)` is the point `(x, y)` $moved.",
            "A point is a pair of floats. Write `$f (x, y)`, the point $moved.",
        ),
        names=("move", "new_point", "transform"),
        signature="float * float -> float * float",
        code="let $f (x, y) = $moved",
        gaps=_GAPS,
        inputs=(_POINT,),
    ),
    Task(
        level=1,
        says=("`$f l` is the list `l` $mapped.", "Write `$f l`. It returns the list of floats `l` $mapped."),
        names=("change_all", "prepare", "revise"),
        signature="float list -> float list",
        code="let $f l = $mapped",
        gaps=_GAPS,
        inputs=(_LIST,),
    ),
    Task(
        level=2,
        says=("`$f x` is the price of $tariff.", "Write `$f x`. It tells the price of $tariff."),
        names=("price", "cost", "charge"),
        signature="float -> float",
        code="let $f x =\n  $tariff",
        gaps=_GAPS,
        inputs=(floats(0, 30),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is $agg of those elements of `l` that are $picked, and 0 if there are none.",
            "Some elements of the list `l` are $picked. Write `$f l` for $agg of these; it is 0 if there are none.",
        ),
        names=("sum_of_some", "total", "add_up"),
        signature="float list -> float",
        code="let rec $f l =\n  match l with\n  | [] -> 0.\n  | x :: rest -> if $picked then $agg +. $f rest else $f rest",
        gaps=_GAPS,
        inputs=(_LIST,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is `Some` of $best, or `None` if `l` is empty.",
            "Write `$f l` for a list of floats: `None` for the empty list, and otherwise `Some` of $best.",
        ),
        names=("best", "summary", "extreme"),
        signature="float list -> float option",
        code="let $f l =\n  match l with\n  | [] -> None\n  | x :: rest -> Some ($best)",
        gaps=_GAPS,
        inputs=(_LIST,),
    ),
    Task(
        level=2,
        says=(
            "A square has one side, a rectangle two, and a triangle a base and a height. `$f shape` is $measured.",
            "Write `$f shape`. It gives $measured; the numbers are the sides, or the base and the height of a triangle.",
        ),
        names=("measure", "shape_size", "extent"),
        signature=_SHAPES + "val $f : shape -> float",
        code=_SHAPES + "let $f shape =\n  match shape with\n  | $measured",
        gaps=_GAPS,
        inputs=(_SHAPE,),
    ),
    Task(
        level=2,
        says=(
            "An item has the price of one piece, and a number of pieces. `$f items` is $priced; it is 0 for the empty list.",
            "Write `$f items` for a list of items, each with the price of one piece and how many there are. It returns $priced, and 0 for no items.",
        ),
        names=("total", "bill", "sum_prices"),
        signature=_ITEMS + "val $f : item list -> float",
        code=_ITEMS + "let rec $f items =\n  match items with\n  | [] -> 0.\n  | item :: rest -> ($priced) +. $f rest",
        gaps=_GAPS,
        inputs=(lists(_ITEM, 0, 4, far=9),),
    ),
    Task(
        level=2,
        says=(
            "`$f x` tells $repeated. `x` is positive.",
            "Write a recursive function of a positive float: `$f x` tells $repeated.",
        ),
        names=("how_often", "steps", "times"),
        signature="float -> int",
        code="let rec $f x =\n  $repeated",
        gaps=_GAPS,
        inputs=(Input(_amount, ("0.25", "1.", "400.")),),
    ),
    Task(
        level=2,
        says=("$growth `$f x n` tells; `n` is not negative.", "$growth Write `$f x n`, where `n` is at least 0."),
        names=("after", "later", "forecast"),
        signature="float -> int -> float",
        code="let rec $f x n =\n  if n = 0 then x\n  else $f ($growth) (n - 1)",
        gaps=_GAPS,
        inputs=(floats(1, 20), integers(0, 6)),
    ),
    Task(
        level=2,
        says=(
            "Each of two points has an `x` and a `y`. `$f (x1, y1) (x2, y2)` is $span.",
            "For two points `(x1, y1)` and `(x2, y2)`, `$f` tells $span.",
        ),
        names=("between", "span", "apart"),
        signature="float * float -> float * float -> float",
        code="let $f (x1, y1) (x2, y2) =\n  let dx = x2 -. x1 in\n  let dy = y2 -. y1 in\n  $span",
        gaps=_GAPS,
        inputs=(_POINT, _POINT),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the list of the $side of all neighbouring elements `a` and `b` of `l`, in their order. It is empty if `l` has fewer than two elements.",
            "Take each two neighbours `a` and `b` in a list of floats, from left to right: `$f l` lists the $side. With fewer than two elements the result is empty.",
        ),
        names=("smooth", "neighbours", "pairwise"),
        signature="float list -> float list",
        code="let rec $f l =\n  match l with\n  | a :: (b :: _ as rest) -> ($side) :: $f rest\n  | _ -> []",
        gaps=_GAPS,
        inputs=(_LIST,),
    ),
)

FAMILY = Family(
    name="arithmetic.floats",
    topics=("arithmetic",),
    description="floats: units, prices, averages, rounding and comparisons",
    tasks=TASKS,
)
