"""Small tasks on geometry: perimeters, areas, distances along a grid, triangles, points in shapes, angles."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, floats, integers, lists, one_of, tuples
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["FAMILY", "TASKS"]


def _triangle(chance: Chance) -> str:
    a, b = sorted((chance.between(1, 15), chance.between(1, 15)))
    c = chance.between(b, a + b + 1)
    k = chance.between(1, 9)
    right = chance.pick(((3, 4, 5), (4, 3, 5), (5, 12, 13), (8, 15, 17)))
    kinds = (
        (a, a, a),
        (a, a, a + 1),
        (a, b, b),
        (b, a, b),
        tuple(k * side for side in right),
        (a, b, a + b),
        (a, b, c),
        (a, b, a + b + k),
    )
    return "({}, {}, {})".format(*chance.pick(kinds))


def _shape(chance: Chance) -> str:
    a, b, k = chance.between(1, 12), chance.between(1, 12), chance.between(1, 9)
    return chance.pick((f"Square {a}", f"Rectangle ({a}, {b})", f"Stairs ({a}, {k})", f"Rectangle ({b}, {b})"))


def _point(chance: Chance) -> str:
    """A point, often on an axis, on a diagonal, or as far from the origin as the limit of the problem."""
    x, y = chance.number(-10, 10), chance.number(-10, 10)
    kind = chance.below(20)
    if kind < 4:
        x, y = chance.pick(((x, 0), (0, y), (x, x), (x, -x)))
    elif kind < 7:
        x, y = chance.pick(((0, 1), (0, -1), (1, 0), (-1, 0)))
        far = chance.number(4, 9)
        x, y = far * x, far * y
    elif kind < 9:
        far, step = chance.number(4, 9), chance.between(1, 3)
        x, y = chance.pick((1, -1)) * (far - step), chance.pick((1, -1)) * step
    elif kind == 9:
        x, y = 20 * x, 20 * y
    return f"({x}, {y})"


def _rect(chance: Chance) -> str:
    x, y, w, h = chance.between(-2, 6), chance.between(-2, 6), chance.between(1, 8), chance.between(1, 8)
    return f"{{ x = {x}; y = {y}; w = {w}; h = {h} }}"


_POINT = Input(_point, ("(0, 0)", "(3, -4)", "(-4, -3)", "(5, 0)", "(0, -7)", "(-6, 6)"))
_LENGTH = integers(1, 40, far=900)
_EDGE = integers(1, 15, far=200)
_TRIANGLE = Input(_triangle, ("(1, 1, 1)", "(3, 4, 5)", "(1, 2, 3)", "(2, 5, 5)", "(5, 2, 5)", "(1, 1, 9)"))
_PLOT: Gap = (
    ("garden", "", "garden"),
    ("room", "", "room"),
    ("field", "", "field"),
    ("pond", "", "pond"),
    ("picture", "", "picture"),
)
_TOWN: Gap = (
    ("places", "", "places"),
    ("shops", "", "shops"),
    ("houses", "", "houses"),
    ("crossings", "", "crossings"),
)
_IN: Gap = (
    ("in the rectangle from `(0, 0)` to `($w, $h)`, its border included", "x >= 0 && x <= $w && y >= 0 && y <= $h"),
    ("at a distance of at most $w from `(0, 0)`", "(x * x) + (y * y) <= $w * $w"),
    ("above the diagonal line where `x = y`", "y > x"),
    ("on one of the two axes, where a coordinate is 0", "x = 0 || y = 0"),
    ("nearer than $w to the line where `x` is 0", "abs x < $w"),
    ("at most $w steps along the grid from `(0, 0)`", "abs x + abs y <= $w"),
    ("to the right of the line where `x` is $w, or above that where `y` is $h", "x > $w || y > $h"),
)
_SHAPE = "type shape = Square of int | Rectangle of int * int | Stairs of int * int\n\n"
_RECTANGLE = Input(_rect)
_RECT = "type rect = { x : int; y : int; w : int; h : int }\n\n"

TASKS = (
    Task(
        level=1,
        says=(
            "A rectangular $plot is `a` metres long and `b` metres wide. `$f a b` is $what.",
            "For a rectangular $plot of `a` times `b` metres, `$f a b` is $what.",
        ),
        names=("${plot}_measure", "about_$plot"),
        signature="int -> int -> int",
        code="let $f a b = $what",
        gaps={
            "plot": _PLOT,
            "k": number(2, 6),
            "what": (
                ("the length of its border in metres", "2 * (a + b)"),
                (
                    "the area, in square metres, of a path of $k metres all around it, with square corners",
                    "((a + (2 * $k)) * (b + (2 * $k))) - (a * b)",
                ),
                ("the price of a fence around it at $k euros a metre", "$k * 2 * (a + b)"),
                ("the price of a cover for its area at $k euros a square metre", "$k * a * b"),
                ("the square of the length of its diagonal", "(a * a) + (b * b)"),
                (
                    "how much greater its area is than that of a square with sides of $k metres, maybe less than 0",
                    "(a * b) - ($k * $k)",
                ),
                ("the length in metres of a fence along three of its sides, of which two are `b` long", "a + (2 * b)"),
            ),
        },
        inputs=(_LENGTH, _LENGTH),
    ),
    Task(
        level=1,
        says=(
            "A box is `a` long, `b` wide and `c` high. `$f a b c` is $what.",
            "For a box with edges of the lengths `a`, `b` and `c` (its height), `$f a b c` is $what.",
        ),
        names=("box", "measure_box", "about_box"),
        signature="int -> int -> int -> int",
        code="let $f a b c = $what",
        gaps={
            "k": number(2, 9),
            "what": (
                ("its volume", "a * b * c"),
                ("the area of all six faces together", "2 * ((a * b) + (b * c) + (a * c))"),
                ("the length of all twelve edges together", "4 * (a + b + c)"),
                ("the area of its four upright faces", "2 * c * (a + b)"),
                ("the area of its five faces without the top", "(a * b) + (2 * c * (a + b))"),
                ("the length of a string once around it over its top, along `a`", "2 * (a + c)"),
                ("the volume of $k such boxes", "$k * a * b * c"),
                (
                    "the length of a string around it both ways over its top, plus $k for the knot",
                    "(2 * a) + (2 * b) + (4 * c) + $k",
                ),
            ),
        },
        inputs=(_EDGE, _EDGE, _EDGE),
    ),
    Task(
        level=1,
        says=(
            "Two $town of a town lie on a grid at `(x, y)` and `(u, v)`. `$f (x, y) (u, v)` is $what.",
            "With `(x, y)` and `(u, v)` for two $town on a grid of streets, `$f (x, y) (u, v)` is $what.",
        ),
        names=("between_$town", "grid_way", "${town}_apart"),
        signature="int * int -> int * int -> int",
        code="let $f (x, y) (u, v) = $what",
        gaps={
            "town": _TOWN,
            "k": number(2, 9),
            "what": (
                ("the number of steps along the grid from one to the other", "abs (x - u) + abs (y - v)"),
                (
                    "the number of steps if a diagonal step is allowed and counts as one",
                    "max (abs (x - u)) (abs (y - v))",
                ),
                ("the square of their distance in a straight line", "((x - u) * (x - u)) + ((y - v) * (y - v))"),
                ("the area of the rectangle with these two as opposite corners", "abs (x - u) * abs (y - v)"),
                (
                    "the number of minutes on foot along the grid, where each step takes $k",
                    "$k * (abs (x - u) + abs (y - v))",
                ),
                (
                    "by how much they differ more in the first coordinate than in the second",
                    "abs (x - u) - abs (y - v)",
                ),
            ),
        },
        inputs=(_POINT, _POINT),
    ),
    Task(
        level=1,
        says=(
            "Of three positive lengths, `c` is the greatest or one of these. `$f (a, b, c)` tells if $what.",
            "`$f (a, b, c)` tells if $what. The lengths are positive, and none is greater than `c`.",
        ),
        names=("triangle", "check_triangle"),
        signature="int * int * int -> bool",
        code="let $f (a, b, c) = $what",
        gaps={
            "what": (
                ("they are the sides of a right triangle", "(a * a) + (b * b) = c * c"),
                ("they can be the sides of a triangle, that is, `a + b > c`", "a + b > c"),
                ("all three are equal", "a = b && b = c"),
                ("two of them or more are equal", "a = b || b = c || a = c"),
                (
                    "the angle opposite to `c` is obtuse: `a * a + b * b < c * c`",
                    "(a * a) + (b * b) < c * c",
                ),
            )
        },
        inputs=(_TRIANGLE,),
    ),
    Task(
        level=1,
        says=(
            "`$f (x, y)` tells if the point `(x, y)` is $where.",
            "Is the point `(x, y)` $where? `$f (x, y)` answers that.",
        ),
        names=("inside", "lies_there", "check_point"),
        signature="int * int -> bool",
        code="let $f (x, y) = $where",
        gaps={"where": _IN, "w": number(5, 9), "h": number(4, 9)},
        inputs=(_POINT,),
    ),
    Task(
        level=1,
        says=("`$f a b` is $what, as a float.", "Write `$f a b`, a float: $what."),
        names=("area", "size", "measure"),
        signature="float -> float -> float",
        code="let $f a b = $what",
        gaps={
            "k": number(2, 9),
            "what": (
                ("the area of a triangle with a base of `a` and a height of `b`", "a *. b /. 2."),
                ("the border of a rectangle with sides of `a` and `b`", "2. *. (a +. b)"),
                ("the area of a square of side `a` without a square of side `b` cut out of it", "(a *. a) -. (b *. b)"),
                (
                    "the area of a trapezoid with parallel sides of `a` and `b` and a height of $k",
                    "(a +. b) *. $k. /. 2.",
                ),
                ("the volume of a box with a square base of side `a` and a height of `b`", "a *. a *. b"),
                ("the middle between the numbers `a` and `b` on a line", "(a +. b) /. 2."),
                (
                    "the area of a ring between circles of the radii `a` and `b` (`a` is greater), with 3.14 for pi",
                    "3.14 *. ((a *. a) -. (b *. b))",
                ),
            ),
        },
        inputs=(floats(8, 20), floats(1, 7)),
    ),
    Task(
        level=1,
        says=("Angles are in degrees. `$f a` is $what.", "`$f a`, in degrees, is $what."),
        names=("angle", "degrees"),
        signature="int -> int",
        code="let $f a = $what",
        gaps={
            "what": (
                ("the angle that is missing in a right triangle with an angle of `a`", "90 - a"),
                ("the top angle of a triangle with two angles of `a` at its base", "180 - (2 * a)"),
                ("the angle that two angles of `a` leave of a full turn", "360 - (2 * a)"),
                ("the number of full degrees in half of the angle `a`", "a / 2"),
            ),
        },
        inputs=(integers(1, 89),),
    ),
    Task(
        level=1,
        says=(
            "Directions are angles from 0 to 359 degrees. `$f a` is $what, where `a` is one, too.",
            "`$f a` is $what. `a` and the result are angles in degrees, from 0 to 359.",
        ),
        names=("direction", "turn", "compass"),
        signature="int -> int",
        code="let $f a = $what",
        gaps={
            "what": (
                ("the direction after turning from `a` by $k degrees to the left", "(a + $k) mod 360"),
                ("the direction after turning from `a` by $k degrees to the right", "(a + 360 - $k) mod 360"),
                ("the direction opposite to `a` on a compass", "(a + 180) mod 360"),
            ),
            "k": (("45",), ("90",), ("60",), ("120",)),
        },
        inputs=(integers(0, 359),),
        edges=tuple((str(a),) for a in (180, 179, 270, 300, 90, 45, 44, 60, 120)),
    ),
    Task(
        level=2,
        says=(
            "`Stairs (n, k)` has `n` square steps of side `k`, piled up so that it is `n * k` wide and high. For a shape `s`, `$f s` is $what.",
            "A shape is a square, a rectangle, or stairs of `n` steps, each `k` wide and `k` higher than the one before. `$f s` is $what.",
        ),
        names=("shape_size", "measure"),
        signature=f"{_SHAPE}val $f : shape -> int",
        code=f"{_SHAPE}let $f s =\n  match s with\n  | Square a -> $what",
        gaps={
            "what": (
                ("its area", "a * a\n  | Rectangle (a, b) -> a * b\n  | Stairs (n, k) -> n * (n + 1) / 2 * k * k"),
                (
                    "the length of its border",
                    "4 * a\n  | Rectangle (a, b) -> 2 * (a + b)\n  | Stairs (n, k) -> 4 * n * k",
                ),
                (
                    "its height (for a rectangle the second number)",
                    "a\n  | Rectangle (_, b) -> b\n  | Stairs (n, k) -> n * k",
                ),
            )
        },
        inputs=(Input(_shape),),
    ),
    Task(
        level=2,
        says=(
            "Of three positive lengths, `c` is the greatest or one of these. `$f (a, b, c)` is $what.",
            "For positive lengths with `c` at least as long as `a` and `b`, `$f (a, b, c)` is $what.",
        ),
        names=("kind_of_triangle", "classify"),
        signature="int * int * int -> string",
        code="let $f (a, b, c) =\n  $what",
        gaps={
            "none": (("none",), ("no",), ("impossible",)),
            "right": (("right",), ("square",), ("ninety",)),
            "other": (("other",), ("slanted",), ("plain",)),
            "what": (
                (
                    "`equal` if all three are equal, `two` if exactly two of them are, and else `$other`",
                    'if a = b && b = c then "equal"\n  else if a = b || b = c || a = c then "two"\n  else "$other"',
                ),
                (
                    "`$right` if the squares of `a` and `b` make that of `c`, `wide` if they make less, and else `sharp`",
                    'let rest = (a * a) + (b * b) - (c * c) in\n  if rest = 0 then "$right" else if rest < 0 then "wide" else "sharp"',
                ),
                (
                    "`$none` if `a` and `b` together are not longer than `c`, `$right` if it has a right angle, and else `$other`",
                    'if a + b <= c then "$none"\n  else if (a * a) + (b * b) = c * c then "$right"\n  else "$other"',
                ),
            ),
        },
        inputs=(_TRIANGLE,),
    ),
    Task(
        level=2,
        says=(
            "`l` lists points on a way, and between two of them one goes along the grid. `$f l` is $what; with less than two points it is 0.",
            "A $walk visits the points of `l` in order, along the lines of a grid. `$f l` is $what, 0 if there are less than two points.",
        ),
        names=("way", "${walk}_length", "tour"),
        signature="(int * int) list -> int",
        code="let rec $f l =\n  match l with\n  | (x, y) :: ((u, v) :: _ as rest) -> $what\n  | _ -> 0",
        gaps={
            "walk": (("walk", "", "walk"), ("tour", "", "tour"), ("bus", "", "bus"), ("ship", "", "ship")),
            "k": number(4, 9),
            "what": (
                ("the number of steps of the whole way", "abs (x - u) + abs (y - v) + $f rest"),
                ("the number of steps to the right, where the first coordinate grows", "max 0 (u - x) + $f rest"),
                (
                    "the greatest number of steps between two points that follow each other",
                    "max (abs (x - u) + abs (y - v)) ($f rest)",
                ),
                (
                    "how often the next point has the same first or second coordinate",
                    "(if x = u || y = v then 1 else 0) + $f rest",
                ),
                (
                    "how often the next point is more than $k steps away",
                    "(if abs (x - u) + abs (y - v) > $k then 1 else 0) + $f rest",
                ),
            ),
        },
        inputs=(lists(tuples(integers(-3, 6), integers(-3, 6)), 0, 5, far=9),),
        edges=(("[(2, 2); (2, 2)]",), ("[(0, 0); (3, 0); (3, 4)]",), ("[(5, 1); (-2, 1); (1, 3)]",)),
    ),
    Task(
        level=2,
        says=(
            "All points of `l`, of which there is at least one, lie in a rectangle along the axes that is as small as possible. `$f l` is $what.",
            "Draw the smallest rectangle along the axes around the points of `l` (at least one). `$f l` is $what.",
        ),
        names=("frame", "around_points"),
        signature="(int * int) list -> int",
        code="let $f l =\n  let size l = List.fold_left max (List.hd l) l - List.fold_left min (List.hd l) l in\n  $what",
        gaps={
            "what": (
                ("its width, along the first axis", "size (List.map fst l)"),
                ("its height, along the second axis", "size (List.map snd l)"),
                ("its area", "size (List.map fst l) * size (List.map snd l)"),
                ("the length of its border", "2 * (size (List.map fst l) + size (List.map snd l))"),
                ("its longer side", "max (size (List.map fst l)) (size (List.map snd l))"),
            ),
        },
        inputs=(lists(_POINT, 1, 5, far=9),),
    ),
    Task(
        level=2,
        says=(
            "A rectangle has its lower left corner at `(x, y)`, the width `w` and the height `h`. `$f a b` is $what.",
            "`x` and `y` are the lower left corner of a rectangle, `w` and `h` its width and height. For two of them, `$f a b` is $what.",
        ),
        names=("of_two", "common"),
        signature=f"{_RECT}val $f : rect -> rect -> int",
        code=f"{_RECT}let $f a b =\n  let across = min (a.x + a.w) (b.x + b.w) - max a.x b.x in\n  $what",
        gaps={
            "up": (("", "min (a.y + a.h) (b.y + b.h) - max a.y b.y"),),
            "what": (
                (
                    "the width of the part that they have in common along the first axis, 0 if there is none",
                    "max 0 across",
                ),
                ("the area that both cover, 0 if there is none", "let up = $up in\n  max 0 across * max 0 up"),
                (
                    "the area that is covered by one of them or by both",
                    "let up = $up in\n  (a.w * a.h) + (b.w * b.h) - (max 0 across * max 0 up)",
                ),
                ("the gap between them along the first axis, 0 if there is none", "max 0 (-across)"),
            ),
        },
        inputs=(_RECTANGLE, _RECTANGLE),
    ),
    Task(
        level=2,
        says=(
            "A $robot starts at `(0, 0)`. `Up` and `Down` change the second coordinate by 1, `Left` and `Right` the first one. `$f l` is $what after the moves `l`.",
            "From `(0, 0)` a $robot makes the moves `l`: `Right` and `Left` along the first axis, `Up` and `Down` along the second, by 1 each. `$f l` is then $what.",
        ),
        names=("after_moves", "$robot", "walk"),
        signature="type move = Up | Down | Left | Right\n\nval $f : move list -> int",
        code="type move = Up | Down | Left | Right\n\nlet $f l =\n  let go (x, y) = function\n    | Up -> (x, y + 1) | Down -> (x, y - 1)\n    | Left -> (x - 1, y) | Right -> (x + 1, y)\n  in\n  let x, y = List.fold_left go (0, 0) l in\n  $what",
        gaps={
            "robot": (("robot", "", "robot"), ("beetle", "", "beetle"), ("drone", "", "drone"), ("boat", "", "boat")),
            "k": number(2, 9),
            "what": (
                ("its distance from the start along the grid", "abs x + abs y"),
                ("the square of its distance from the start", "(x * x) + (y * y)"),
                ("the sum of its two coordinates", "x + y"),
                ("the greater one of its two coordinates", "max x y"),
            ),
        },
        inputs=(lists(one_of("Up", "Down", "Left", "Right")),),
    ),
    Task(
        level=2,
        says=(
            "From a sheet of $paper of `a` by `b` cm, `a` at least `b`, one cuts off squares that are as large as possible, until nothing is left. `$f a b` is $what. Both are positive.",
            "The greatest possible square is cut off from a sheet of $paper of `a` by `b` cm (positive, `a` not smaller), again and again, until all is used. `$f a b` is $what.",
        ),
        names=("cut_squares", "squares"),
        signature="int -> int -> int",
        code="let rec $f a b =\n  if b = 0 then 0\n  else $what",
        gaps={
            "paper": (("paper",), ("cloth",), ("glass",), ("wood",)),
            "k": number(2, 9),
            "what": (
                ("the price of all squares at $k cents each", "($k * (a / b)) + $f b (a mod b)"),
                ("the number of squares", "(a / b) + $f b (a mod b)"),
                ("the number of different sizes of squares", "1 + $f b (a mod b)"),
                ("the length of the sides of one square of each size, summed up", "b + $f b (a mod b)"),
                ("the length of all borders of all squares, summed up", "(a / b * 4 * b) + $f b (a mod b)"),
            ),
        },
        inputs=(integers(20, 60), integers(1, 20)),
        edges=(("1", "1"), ("7", "7"), ("12", "4"), ("13", "8"), ("5", "3"), ("300", "21"), ("12", "9")),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the number of points in `l` that are $where.",
            "Count the points in `l` that are $where: that is `$f l`.",
        ),
        names=("count_points", "points_there"),
        signature="(int * int) list -> int",
        code="let $f l =\n  let fits (x, y) = $where in\n  List.length (List.filter fits l)",
        gaps={"where": _IN, "w": number(5, 9), "h": number(4, 9)},
        inputs=(lists(_POINT, 0, 6, far=12),),
    ),
)

FAMILY = Family(
    name="arithmetic.geometry",
    topics=("arithmetic", "variants-records"),
    description="lengths, areas, distances, angles and positions in the plane",
    tasks=TASKS,
    split="eval",
)
