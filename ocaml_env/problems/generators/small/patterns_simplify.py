"""Small tasks on patterns: pairs, beginnings of lists, options, and single rules for small formulas."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, options, tuples
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]


def _expr(chance: Chance, depth: int = 2) -> str:
    if depth == 0 or chance.happens(0.1):
        return (
            f'Var "{chance.pick("xyz")}"'
            if chance.happens(0.4)
            else f"Num {chance.between(0, 9)}"
            if chance.happens(0.8)
            else f"Num (-{chance.between(1, 9)})"
        )
    a, b = _expr(chance, depth - 1), _expr(chance, depth - 1)
    if chance.happens(0.3):
        return f"Neg ({a})"
    return f"{chance.pick(('Add', 'Mul'))} ({a}, {a if chance.happens(0.3) else b})"


def _instance(chance: Chance) -> str:
    a, b, m, n = (
        _expr(chance, 1),
        _expr(chance, 1),
        chance.pick((0, 1, 2, 5, 7, 9, "(-1)", "(-4)")),
        chance.between(0, 9),
    )
    sums = (
        f"{a}, Num 0",
        f"Num 0, {a}",
        f"Num {m}, Num {n}",
        f"{a}, {a}",
        f"Neg ({a}), Neg ({b})",
        f"Num 1, {a}",
        f"Neg ({a}), {b}",
    )
    products = (f"{a}, Num 1", f"Num 1, {a}", f"Num 0, {a}", f"Num {m}, Num {n}", f"{a}, Num 0", f"{a}, {b}")
    made = chance.pick(
        (f"Add ({chance.pick(sums)})", f"Mul ({chance.pick(products)})", f"Neg (Neg ({a}))", f"Neg (Num {m})")
    )
    return f"Neg ({made})" if chance.happens(0.1) else made


def _op(chance: Chance) -> str:
    return f"({chance.number(-3, 9)}, '{chance.pick('++*-')}', {chance.pick((0, 0, 1, 1, 2, 7, -1))})"


def _fraction(chance: Chance) -> str:
    return f"({chance.pick((0, chance.between(-30, 30)))}, {chance.pick((1, 2, -2, -3, 4, 5))})"


def _moves(chance: Chance) -> str:
    some = ("Left; Right", "Up; Up", "Left; Up", "Right", "Up", "Left")
    return "[" + "; ".join(chance.pick(some) for _ in range(chance.between(0, 4) if chance.happens(0.9) else 8)) + "]"


_TYPE = "type expr = Num of int | Var of string | Neg of expr | Add of expr * expr | Mul of expr * expr\n\n"
_EXPR = Input(
    lambda chance: _expr(chance, chance.pick((2, 2, 2, 3, 4))),
    (
        "Num 0",
        "Num 3",
        'Var "x"',
        "Neg (Neg (Num 1))",
        "Add (Num 0, Num 0)",
        "Mul (Num 1, Num 1)",
        "Neg (Neg (Neg (Num (-2))))",
    ),
)
_INSTANCE = Input(
    _instance,
    (
        *('Add (Var "x", Num 0)', 'Add (Num 0, Var "x")', 'Mul (Num 1, Var "x")', 'Mul (Var "x", Num 1)'),
        'Mul (Num 0, Var "x")',
        *("Num 0", 'Var "x"', 'Mul (Var "x", Num 0)', "Add (Num 0, Num 0)", "Mul (Num 0, Num 1)", "Neg (Num (-3))"),
        *('Neg (Add (Var "x", Num 0))', "Add (Neg (Num 1), Num 2)", "Add (Num 3, Num (-3))", "Mul (Num 1, Num 1)"),
        *("Neg (Neg (Neg (Num 1)))", 'Add (Var "x", Var "y")', "Mul (Num 2, Num 2)", 'Neg (Var "x")'),
    ),
)
_MOVE = "type move = Left | Right | Up\n\n"
_FIRST: Gap = (
    ("`Add (a, Num 0)` by `a`", "Add (a, Num 0) -> Some a"),
    ("`Add (Num 0, a)` by `a`", "Add (Num 0, a) -> Some a"),
    ("`Add (Num m, Num n)` by the number that is their sum", "Add (Num m, Num n) -> Some (Num (m + n))"),
    (
        "a sum of two equal parts by `Mul (Num 2, a)`, where `a` is the part",
        "Add (a, b) when a = b -> Some (Mul (Num 2, a))",
    ),
    ("`Add (Neg a, Neg b)` by `Neg (Add (a, b))`", "Add (Neg a, Neg b) -> Some (Neg (Add (a, b)))"),
)
_SECOND: Gap = (
    ("`Mul (a, Num 1)` by `a`", "Mul (a, Num 1) -> Some a"),
    ("`Mul (Num 1, a)` by `a`", "Mul (Num 1, a) -> Some a"),
    ("`Mul (Num 0, a)` by `Num 0`", "Mul (Num 0, _) -> Some (Num 0)"),
    ("`Mul (Num m, Num n)` by the number that is their product", "Mul (Num m, Num n) -> Some (Num (m * n))"),
    ("`Neg (Neg a)` by `a`", "Neg (Neg a) -> Some a"),
    ("`Neg (Num n)` by the number `-n`", "Neg (Num n) -> Some (Num (-n))"),
)

TASKS = (
    Task(
        level=1,
        says=(
            "A fraction is a pair of its numerator and its denominator. `$f (n, d)` is $what.",
            "With fractions as pairs (numerator first), `$f (n, d)` is $what.",
        ),
        names=("fraction", "change_fraction"),
        signature="int * int -> int * int",
        code="let $f (n, d) = $what",
        gaps={
            "k": number(2, 9),
            "what": (
                ("the fraction with the two numbers exchanged", "(d, n)"),
                ("the negative fraction: its numerator has the other sign", "(-n, d)"),
                ("$k times the fraction, with the same denominator", "($k * n, d)"),
                ("the fraction divided by $k, with the same numerator", "(n, $k * d)"),
                ("the fraction plus $k, with the same denominator", "(n + ($k * d), d)"),
                ("$k minus the fraction, with the same denominator", "(($k * d) - n, d)"),
                ("the square of the fraction", "(n * n, d * d)"),
                ("the same fraction with both numbers multiplied by $k", "($k * n, $k * d)"),
            ),
        },
        inputs=(tuples(integers(-9, 20), integers(1, 15)),),
    ),
    Task(
        level=1,
        says=(
            "`$f (x, y)` is the point that is reached from `(x, y)` by $what.",
            "Move a point of the plane, a pair of its two coordinates: `$f (x, y)` is where it is after $what.",
        ),
        names=("move", "moved", "place_of"),
        signature="int * int -> int * int",
        code="let $f (x, y) = $what",
        gaps={
            "k": number(2, 12),
            "what": (
                ("exchanging its coordinates", "(y, x)"),
                ("a mirror that changes the sign of `x`", "(-x, y)"),
                ("a mirror that changes the sign of `y`", "(x, -y)"),
                ("half a turn about `(0, 0)`", "(-x, -y)"),
                ("a quarter turn to the left about `(0, 0)`", "(-y, x)"),
                ("a step of $k to the right, where `x` grows", "(x + $k, y)"),
                ("a step of $k down, where `y` shrinks", "(x, y - $k)"),
                ("multiplying both coordinates by $k", "($k * x, $k * y)"),
                ("falling to the line where `y` is 0", "(x, 0)"),
            ),
        },
        inputs=(tuples(integers(-20, 20), integers(-20, 20)),),
    ),
    Task(
        level=1,
        says=(
            "If the list `l` begins with $front, `$f l` is `Some` of $result; otherwise it is `None`.",
            "Does `l` begin with $front? Then `$f l` is `Some` of $result, and else `None`.",
        ),
        names=("strip_front", "at_front", "after_front"),
        signature="int list -> int list option",
        code="let $f l = match l with $front -> Some $result | _ -> None",
        gaps={
            "k": number(0, 2),
            "m": number(1, 2),
            "front": (
                ("$k", "$k :: rest"),
                ("$k and then 1", "$k :: 1 :: rest"),
                ("a number below $m", "x :: rest when x < $m"),
                ("two equal numbers", "x :: y :: rest when x = y"),
                ("two numbers of which the first is greater", "x :: y :: rest when x > y"),
            ),
            "result": (
                ("what is behind that", "rest"),
                ("what is behind that, with 9 in front instead", "(9 :: rest)"),
                ("what is behind that, in the opposite order", "(List.rev rest)"),
            ),
        },
        inputs=(lists(integers(-1, 2), 0, 4, far=9),),
    ),
    Task(
        level=1,
        says=(
            "If `l` has two elements or more, `$f l` is `l` with $what; otherwise it is `l` itself.",
            "`$f l` is the list `l` with $what. Lists with less than two elements stay as they are.",
        ),
        names=("change_two", "first_two", "join_two"),
        signature="int list -> int list",
        code="let $f l = match l with x :: y :: rest -> $what | _ -> l",
        gaps={
            "what": (
                ("its first two elements exchanged", "y :: x :: rest"),
                ("its first two elements replaced by their sum", "(x + y) :: rest"),
                ("its first two elements replaced by the greater of them", "max x y :: rest"),
                ("its first two elements replaced by the first minus the second", "(x - y) :: rest"),
                ("its second element taken away", "x :: rest"),
                ("its first element moved to the end", "y :: (rest @ [ x ])"),
                ("its first two elements replaced by their sum and then their product", "(x + y) :: (x * y) :: rest"),
                ("its second element written twice", "x :: y :: y :: rest"),
            )
        },
        inputs=(lists(integers(-9, 20), 0, 5, far=12),),
    ),
    Task(
        level=1,
        says=(
            "`o` is a number that may be unknown. `$f o k` is $what.",
            "`None` stands for a number that is not known. Write `$f o k`, which is $what.",
        ),
        names=("known", "value_of", "checked"),
        signature="int option -> int -> int",
        code="let $f o k = match o with $what",
        gaps={
            "what": (
                ("that number, or `k` if it is unknown", "Some n -> n | None -> k"),
                ("that number plus `k`, or 0 if it is unknown", "Some n -> n + k | None -> 0"),
                ("that number minus `k`, or `-k` if it is unknown", "Some n -> n - k | None -> -k"),
                ("that number times `k`, or `k` if it is unknown", "Some n -> n * k | None -> k"),
                ("that number if it is at least `k`, and 0 in all other cases", "Some n when n >= k -> n | _ -> 0"),
                (
                    "that number if it is below `k`, and `2 * k` in all other cases",
                    "Some n when n < k -> n | _ -> 2 * k",
                ),
            ),
        },
        inputs=(options(integers(-9, 40, far=1_000)), integers(-5, 30)),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` is `Some` of $what if both numbers are known, and `None` if one is missing.",
            "Two numbers may be missing (`None`). `$f a b` is `Some` of $what, or `None` if there are not both.",
        ),
        names=("both_known", "combine"),
        signature="int option -> int option -> int option",
        code="let $f a b = match (a, b) with Some x, Some y -> Some ($what) | _ -> None",
        gaps={
            "what": (
                ("their sum", "x + y"),
                ("their product", "x * y"),
                ("the first minus the second", "x - y"),
                ("how far they are apart", "abs (x - y)"),
                ("twice the greater one", "2 * max x y"),
            )
        },
    ),
    Task(
        level=1,
        says=(
            "Three people take turns to $work. `$f n` is who does it on day `n`: $ann on day 0, $ben on day 1, $cem on day 2, then again $ann, and so on.",
            "`$f n` tells whose turn it is to $work on day `n`, from 0 up: $ann, $ben, $cem, $ann, $ben, and so on.",
        ),
        names=("turn", "whose_turn"),
        signature="int -> string",
        code='let $f n = match n mod 3 with 0 -> "$ann" | 1 -> "$ben" | _ -> "$cem"',
        gaps={
            "work": (("cook",), ("wash up",), ("feed the cat",), ("water the plants",), ("sweep",)),
            "ann": (("Ann",), ("Alma",), ("Ada",)),
            "ben": (("Ben",), ("Bo",), ("Bela",)),
            "cem": (("Cem",), ("Cleo",), ("Carl",)),
        },
        inputs=(integers(0, 99, far=1_000),),
    ),
    Task(
        level=1,
        says=(
            "`$f (a, b, c)` is the triple with $what.",
            "From a triple make another one: `$f (a, b, c)` has $what.",
        ),
        names=("rearrange", "triple", "turned"),
        signature="int * int * int -> int * int * int",
        code="let $f (a, b, c) = $what",
        gaps={
            "what": (
                ("the first number moved to the end", "(b, c, a)"),
                ("the last number moved to the front", "(c, a, b)"),
                ("its numbers the other way round", "(c, b, a)"),
                ("the first two numbers exchanged", "(b, a, c)"),
                ("the first number in all three places", "(a, a, a)"),
                ("the sum of the other two in each place", "(b + c, a + c, a + b)"),
                ("the sum of all numbers up to each place", "(a, a + b, a + b + c)"),
            )
        },
    ),
    Task(
        level=2,
        says=(
            "Two rules make a formula simpler: replace $first, and $second. `$f e` is `Some` of the new formula if a rule fits the whole of `e`, and `None` otherwise.",
            "`$f e` replaces $first, and $second. It looks at the whole of `e` only, not at its parts: it is `Some` of what it makes, or `None` if neither rule fits.",
        ),
        names=("simplify", "simplify_root", "step"),
        signature=f"{_TYPE}val $f : expr -> expr option",
        code=f"{_TYPE}let $f e =\n  match e with\n  | $first\n  | $second\n  | _ -> None",
        gaps={"first": _FIRST, "second": _SECOND},
        inputs=(_INSTANCE,),
    ),
    Task(
        level=2,
        says=(
            "`$f e` is the formula `e` with $what. All the rest stays as it is.",
            "Write a recursive function `$f e` that gives back `e` with $what.",
        ),
        names=("everywhere", "rewrite", "change_all"),
        signature=f"{_TYPE}val $f : expr -> expr",
        code=f"{_TYPE}let rec $f e =\n  match e with\n$what",
        gaps={
            "k": number(3, 20),
            "both": (("", "  | Add (a, b) -> Add ($f a, $f b)\n  | Mul (a, b) -> Mul ($f a, $f b)"),),
            "what": (
                (
                    "each variable replaced by `Num $k`",
                    "  | Var _ -> Num $k\n  | Num _ -> e\n  | Neg a -> Neg ($f a)\n$both",
                ),
                (
                    "each number, wherever it stands, greater by $k",
                    "  | Num n -> Num (n + $k)\n  | Var _ -> e\n  | Neg a -> Neg ($f a)\n$both",
                ),
                (
                    "each `Neg` left out, so that only its part remains",
                    "  | Num _ | Var _ -> e\n  | Neg a -> $f a\n$both",
                ),
                (
                    "the two parts of each `Add` exchanged, and those of each `Mul` as well",
                    "  | Num _ | Var _ -> e\n  | Neg a -> Neg ($f a)\n  | Add (a, b) -> Add ($f b, $f a)\n  | Mul (a, b) -> Mul ($f b, $f a)",
                ),
                (
                    "each `Add` turned into a `Mul`, and each `Mul` into an `Add`",
                    "  | Num _ | Var _ -> e\n  | Neg a -> Neg ($f a)\n  | Add (a, b) -> Mul ($f a, $f b)\n  | Mul (a, b) -> Add ($f a, $f b)",
                ),
            ),
        },
        inputs=(_EXPR,),
    ),
    Task(
        level=2,
        says=(
            "A calculation is a triple of a number, a sign and a number, such as `(3, '+', 0)`. `$f c` is `Some` of its result if $which; otherwise it is `None`.",
            "`$f (a, sign, b)` gives the results of easy calculations only: `Some` of it if $which, else `None`.",
        ),
        names=("easy", "quick_result", "at_sight"),
        signature="int * char * int -> int option",
        code="let $f c =\n  match c with\n  | $which\n  | _ -> None",
        gaps={
            "which": (
                ("0 is added, or 1 is the second factor", "(a, '+', 0) | (a, '*', 1) -> Some a"),
                ("0 is taken away or added", "(a, ('+' | '-'), 0) -> Some a"),
                (
                    "the second number is 0 and the sign is `*` or `+`",
                    "(_, '*', 0) -> Some 0\n  | (a, '+', 0) -> Some a",
                ),
                ("1 is added or taken away", "(a, '+', 1) -> Some (a + 1)\n  | (a, '-', 1) -> Some (a - 1)"),
                (
                    "the sign is `-` and both numbers are the same, or the sign is `*` and the second number is 1",
                    "(a, '-', b) when a = b -> Some 0\n  | (a, '*', 1) -> Some a",
                ),
                (
                    "the sign is `*` and the second number is 0 or 1",
                    "(_, '*', 0) -> Some 0\n  | (a, '*', 1) -> Some a",
                ),
            )
        },
        inputs=(Input(_op, ("(1, '-', 1)", "(2, '-', 2)", "(7, '-', 7)", "(0, '-', 0)", "(5, '*', 1)")),),
    ),
    Task(
        level=2,
        says=(
            "A fraction is a pair with a denominator that is not 0. `$f q` is `Some` of a simpler one: $rules. For all others it is `None`.",
            "`$f (n, d)`, where `d` is never 0, is `Some` of a simpler fraction, or else `None`: $rules.",
        ),
        names=("tidy_fraction", "normal"),
        signature="int * int -> (int * int) option",
        code="let $f q =\n  match q with\n$rules\n  | _ -> None",
        gaps={
            "rules": (
                (
                    "0 over anything becomes 0 over 1, and else a negative denominator is avoided by changing both signs",
                    "  | 0, _ -> Some (0, 1)\n  | n, d when d < 0 -> Some (-n, -d)",
                ),
                (
                    "if both numbers are even, both are halved once",
                    "  | n, d when n mod 2 = 0 && d mod 2 = 0 -> Some (n / 2, d / 2)",
                ),
                (
                    "if the denominator divides the numerator, the result is a whole number over 1",
                    "  | n, d when n mod d = 0 -> Some (n / d, 1)",
                ),
            )
        },
        inputs=(Input(_fraction, ("(4, 2)", "(-6, -3)", "(0, -4)", "(5, 1)")),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` goes through the list of moves once, from its front, and $what. `[]` stays `[]`.",
            "Shorten a list of moves: `$f l` goes from the front to the end and $what. The empty list stays empty.",
        ),
        names=("shorten", "fewer_moves", "clean"),
        signature=f"{_MOVE}val $f : move list -> move list",
        code=f"{_MOVE}let rec $f l =\n  match l with\n  | [] -> []\n$what\n  | m :: rest -> m :: $f rest",
        gaps={
            "what": (
                (
                    "leaves out each `Left` that is directly followed by `Right`, together with that",
                    "  | Left :: Right :: rest -> $f rest",
                ),
                ("leaves out every `Up`", "  | Up :: rest -> $f rest"),
                (
                    "replaces a `Left` directly followed by `Up` by these two in the other order, then goes on behind them",
                    "  | Left :: Up :: rest -> Up :: Left :: $f rest",
                ),
                (
                    "replaces each `Up` directly followed by another `Up` by a single one, going on behind both",
                    "  | Up :: Up :: rest -> Up :: $f rest",
                ),
                ("writes `Left` in place of each `Right`", "  | Right :: rest -> Left :: $f rest"),
            )
        },
        inputs=(
            Input(
                _moves,
                (
                    "[]",
                    "[Up; Up; Up]",
                    "[Left; Left; Right; Right]",
                    "[Left; Left; Up; Up]",
                    "[Right; Left]",
                    "[Up; Up; Up; Up]",
                    "[Left; Right; Left; Right; Up]",
                ),
            ),
        ),
    ),
    Task(
        level=2,
        says=(
            "`$f l` goes through the numbers in `l` from the front; $what.",
            "Write `$f l`, which goes through `l` from its front and makes a new list: $what.",
        ),
        names=("by_twos", "reduce_pairs", "squeeze"),
        signature="int list -> int list",
        code="let rec $f l =\n  match l with\n  | x :: y :: rest$what",
        gaps={
            "what": (
                (
                    "it takes two at a time and replaces them by their sum. A last one alone stays",
                    " -> (x + y) :: $f rest\n  | _ -> l",
                ),
                (
                    "it takes two at a time and keeps only the greater. A last one alone is kept",
                    " -> max x y :: $f rest\n  | _ -> l",
                ),
                (
                    "it takes two at a time and exchanges them. A last one alone stays",
                    " -> y :: x :: $f rest\n  | _ -> l",
                ),
                (
                    "it takes two at a time and drops both if they are equal. A last one alone stays",
                    " ->\n    if x = y then $f rest else x :: y :: $f rest\n  | _ -> l",
                ),
                (
                    "wherever a number is followed by a smaller one, the smaller one is dropped, and it goes on with the number behind",
                    " when y < x -> x :: $f rest\n  | x :: rest -> x :: $f rest\n  | [] -> []",
                ),
            )
        },
        inputs=(lists(integers(-1, 2)),),
    ),
    Task(
        level=2,
        says=(
            "Two friends are `a` and `b` minutes late (negative: early). `$f a b` is `$both` if both are late, `$none` if neither is, `$first` if only the first is, and else `$second`. 0 is not late.",
            "`$f a b` describes two delays in minutes: `$both` if both are above 0, `$none` if none is, `$first` if only `a` is, `$second` if only `b` is.",
        ),
        names=("delays", "who_is_late"),
        signature="int -> int -> string",
        code='let $f a b =\n  match (a > 0, b > 0) with\n  | true, true -> "$both"\n  | false, false -> "$none"\n  | true, false -> "$first"\n  | false, true -> "$second"',
        gaps={
            "both": (("both",), ("all",), ("late",)),
            "none": (("none",), ("nobody",), ("fine",)),
            "first": (("first",), ("a",), ("one",)),
            "second": (("second",), ("b",), ("other",)),
        },
        inputs=(integers(-15, 20), integers(-15, 20)),
    ),
)
