"""Small tasks on expressions: the value of formulas, and small trees of operations."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, options, tuples
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_SMALL = integers(-9, 12, far=100)
_NAMES = one_of('"x"', '"y"', '"z"', '"xy"')
_ENV = lists(tuples(_NAMES, _SMALL), 0, 4, far=8)
_COMPARED = integers(-3, 4)
_EXPR = "type expr = Num of int | Add of expr * expr | Mul of expr * expr"
_TERM = "type term = Num of int | Var of string | Add of term * term"
_LOGIC = "type logic = Const of bool | Not of logic | Join of logic * logic"


def _tree(chance: Chance, leaves: tuple[str, ...], forms: tuple[str, ...], depth: int, low: int = -3) -> str:
    """An expression: a leaf, or one of the forms with smaller expressions in it."""
    if depth == 0 or chance.happens(0.15):
        number = chance.between(low, low + 12)
        return chance.pick(leaves).replace("#", f"({number})" if number < 0 else str(number))
    parts = chance.pick(forms).split("_")
    return parts[0] + "".join(_tree(chance, leaves, forms, depth - 1, low) + part for part in parts[1:])


def _truths(chance: Chance) -> str:
    share = chance.pick((0.05, 0.5, 0.95))
    numbers = [
        chance.between(1, 9) if chance.happens(share) else -chance.between(0, 9)
        for _ in range(chance.between(1, 5) if chance.happens(0.85) else chance.between(6, 10))
    ]
    return str(numbers).replace(",", ";")


def _trees(leaves: tuple[str, ...], *forms: str) -> Input:
    """Expressions. Some have no positive numbers; some are deep."""

    def draw(chance: Chance) -> str:
        depth, low = chance.pick((1, 2, 2, 3, 3, 4)), chance.pick((-3, -3, -3, -3, -13, 20))
        return _tree(chance, leaves, forms, depth, low)

    return Input(draw)


_EXPRS = _trees(("Num #",), "Add (_, _)", "Mul (_, _)")
_TERMS = _trees(("Num #", 'Var "x"', 'Var "y"', 'Var "z"', 'Var "X"', 'Var "xy"'), "Add (_, _)")
_LOGICS = _trees(("Const true", "Const false"), "Not (_)", "Join (_, _)", "Join (_, _)")
_DIVISIONS = _trees(("Num #", "Num 0", "Num 40"), "Div (_, _)")

_JOINS: Gap = (
    ("the sum of the two", "x + y"),
    ("the product of the two", "x * y"),
    ("the first minus the second", "x - y"),
    ("the greater one of the two", "max x y"),
    ("the first plus twice the second", "x + (2 * y)"),
    ("the smaller one of the two", "min x y"),
)

TASKS = (
    Task(
        level=1,
        says=(
            "`$f (a, b) x` is the value of $formula.",
            "The pair `(a, b)` stands for the formula $formula. What is its value for a given `x`? Write `$f (a, b) x`.",
        ),
        names=("value", "formula", "insert"),
        signature="int * int -> int -> int",
        code="let $f (a, b) x = $formula",
        gaps={
            "formula": (
                ("`a * x + b`", "(a * x) + b"),
                ("`a * x - b`", "(a * x) - b"),
                ("`a - b * x`", "a - (b * x)"),
                ("`a * (x + b)`", "a * (x + b)"),
                ("`(x - a) * (x - b)`", "(x - a) * (x - b)"),
                ("`x * x + a * x + b`", "(x * x) + (a * x) + b"),
                ("`(a + b) * x + $k`", "((a + b) * x) + $k"),
            ),
            "k": number(1, 20),
        },
        inputs=(tuples(_SMALL, _SMALL), _SMALL),
    ),
    Task(
        level=1,
        says=(
            "The character `op` is `+`, `-` or `*`. `$f op a b` is the value of $what.",
            "A calculator knows the operations `+`, `-` and `*`, given as a character `op`. Write `$f op a b`: the value of $what.",
        ),
        names=("apply", "calculate", "operate"),
        signature="char -> int -> int -> int",
        code="let $f op a b = $what",
        gaps={
            "what": (
                ("`a op b`", "match op with '+' -> a + b | '-' -> a - b | _ -> a * b"),
                ("`b op a`", "match op with '+' -> b + a | '-' -> b - a | _ -> b * a"),
                ("`(a op b) + $k`", "(match op with '+' -> a + b | '-' -> a - b | _ -> a * b) + $k"),
                ("`-(a op b)`", "-(match op with '+' -> a + b | '-' -> a - b | _ -> a * b)"),
                ("`a op (b + $k)`", "match op with '+' -> a + (b + $k) | '-' -> a - (b + $k) | _ -> a * (b + $k)"),
            ),
            "k": number(2, 20),
        },
        inputs=(one_of("'+'", "'-'", "'*'"), _SMALL, _SMALL),
    ),
    Task(
        level=1,
        says=(
            "`env` is a list of variables with their values. `$f env name` is $what, or $k if `name` is not in `env`. The first "
            "pair of a name counts.",
            "Find the first pair of `name` in `env`, a list of variables with their values: `$f env name` is $what, and $k if there "
            "is none.",
        ),
        names=("lookup", "variable", "value_of"),
        signature="(string * int) list -> string -> int",
        code="let $f env name = match List.assoc_opt name env with None -> $k | Some v -> $what",
        gaps={
            "what": (
                ("the value of `name`", "v"),
                ("twice the value of `name`", "2 * v"),
                ("the square of the value of `name`", "v * v"),
                ("the value of `-name`", "-v"),
                ("the value of `name + $d`", "v + $d"),
                ("the absolute value of `name`", "abs v"),
            ),
            "k": number(0, 60),
            "d": number(1, 9),
        },
        inputs=(_ENV, _NAMES),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` is `Some` of $what, or `None` if $never.",
            "Write `$f a b`, which is `None` if $never, and otherwise `Some` of $what.",
        ),
        names=("safe", "checked", "try_it"),
        signature="int -> int -> int option",
        code="let $f a b = if $never then None else Some ($what)",
        gaps={
            "what": (
                ("the quotient of `a` and `b` by `/`", "a / b"),
                ("the remainder of `a` and `b` by `mod`", "a mod b"),
                ("the quotient of `a + $k` and `b` by `/`", "(a + $k) / b"),
                ("the sum of `a` and the remainder `a mod b`", "a + (a mod b)"),
                ("the product of `a` and the quotient `a / b`", "a * (a / b)"),
            ),
            "never": (
                ("`b` is 0", "b = 0"),
                ("`b` is not positive", "b <= 0"),
                ("`a` is negative or `b` is 0", "a < 0 || b = 0"),
            ),
            "k": number(1, 9),
        },
        inputs=(integers(-20, 60), integers(-3, 9)),
    ),
    Task(
        level=1,
        says=(
            "`a` and `b` are values that may be missing. `$f a b` is $join, or `None` if one of them is missing.",
            "Two parts of an expression have the values `a` and `b`, or `None` if they failed. Write `$f a b`: $join if both have a "
            "value, else `None`.",
        ),
        names=("combine", "both", "lift"),
        signature="int option -> int option -> int option",
        code="let $f a b = match a, b with Some x, Some y -> Some ($join) | _ -> None",
        gaps={"join": _JOINS},
        inputs=(options(_SMALL), options(_SMALL)),
    ),
    Task(
        level=1,
        says=(
            '`$f op a b` is the truth of $what, where the string `op` is `"<"`, `"="` or `">"`.',
            'Compare two numbers: `$f op a b` tells whether $what is true. The string `op` is `"<"`, `"="` or `">"`.',
        ),
        names=("compare_by", "holds", "is_true"),
        signature="string -> int -> int -> bool",
        code="let $f op a b = match op with $what",
        gaps={
            "what": (
                ("`a op b`", '"<" -> a < b | "=" -> a = b | _ -> a > b'),
                ("`b op a`", '"<" -> b < a | "=" -> b = a | _ -> b > a'),
                ("`a op 2 * b`", '"<" -> a < 2 * b | "=" -> a = 2 * b | _ -> a > 2 * b'),
                (
                    "`a op $k`, or of `b op $k`,",
                    '"<" -> a < $k || b < $k | "=" -> a = $k || b = $k | _ -> a > $k || b > $k',
                ),
            ),
            "k": number(1, 3),
        },
        inputs=(one_of('"<"', '"="', '">"'), _COMPARED, _COMPARED),
    ),
    Task(
        level=1,
        says=(
            "A number counts as true if it is positive, else as false. `$f l` tells whether $what, for the list `l`.",
            "In the list `l` positive numbers stand for true, all others for false. Is it so that $what? Write `$f l`.",
        ),
        names=("truth", "conditions", "verdict"),
        signature="int list -> bool",
        code="let $f l = $what",
        gaps={
            "what": (
                ("all are true", "List.for_all (fun x -> x > 0) l"),
                ("at least one is true", "List.exists (fun x -> x > 0) l"),
                ("none is true", "not (List.exists (fun x -> x > 0) l)"),
                ("at least one is false", "not (List.for_all (fun x -> x > 0) l)"),
                ("exactly one is true", "List.length (List.filter (fun x -> x > 0) l) = 1"),
                ("at least $k are true", "List.length (List.filter (fun x -> x > 0) l) >= $k"),
                ("an odd number of them is true", "List.length (List.filter (fun x -> x > 0) l) mod 2 = 1"),
            ),
            "k": number(2, 3),
        },
        inputs=(Input(_truths, ("[]", "[0]", "[1]")),),
    ),
    Task(
        level=1,
        says=(
            "`$f x l` is the value of $what, where the list `l` is not empty.",
            "Given `x` and a list `l` that is not empty, write `$f x l`: the value of $what.",
        ),
        names=("fold_terms", "compute", "series"),
        signature="int -> int list -> int",
        code="let $f x l = List.fold_left (fun v c -> $what l",
        gaps={
            "what": (
                ("`x` plus all elements of `l`", "v + c) x"),
                ("`x` minus all elements of `l`", "v - c) x"),
                ("`x` times all elements of `l`", "v * c) x"),
                ("the sum of `x * c` for all elements `c` of `l`", "v + (x * c)) 0"),
                ("the product of `x + c` for all elements `c` of `l`", "v * (x + c)) 1"),
                ("the sum of `(x - c) * (x - c)` for all elements `c` of `l`", "v + ((x - c) * (x - c))) 0"),
                (
                    "the polynomial in `x` with the coefficients `l`, the one of the highest power first",
                    "(v * x) + c) 0",
                ),
            )
        },
        inputs=(integers(-4, 6), lists(integers(-5, 9), 1, 4, far=7)),
    ),
    Task(
        level=2,
        says=(
            "`$f e` is the value of the expression `e`: `Num n` has the value `n`, `Add (a, b)` has the sum of the values of `a` and `b`, "
            "and `Join (a, b)` has $join.",
            "Evaluate an expression: `Num n` is `n`, `Add (a, b)` is the sum of the values of its parts, and `Join (a, b)` is $join. Write "
            "`$f e`.",
        ),
        names=("eval", "evaluate", "value"),
        signature="type expr = Num of int | Add of expr * expr | Join of expr * expr\n\nval $f : expr -> int",
        code="type expr = Num of int | Add of expr * expr | Join of expr * expr\n\nlet rec $f e =\n  match e with\n  | Num n -> n\n"
        "  | Add (a, b) -> $f a + $f b\n  | Join (a, b) -> $join",
        gaps={
            "join": (
                ("the product of the two", "$f a * $f b"),
                ("the first minus the second", "$f a - $f b"),
                ("the greater one of the two", "max ($f a) ($f b)"),
                ("the smaller one of the two", "min ($f a) ($f b)"),
                ("the first plus $k times the second", "$f a + ($k * $f b)"),
                ("the sum of the two, minus $k", "$f a + $f b - $k"),
                ("the distance (absolute difference) of the two", "abs ($f a - $f b)"),
            ),
            "k": number(2, 20),
        },
        inputs=(_trees(("Num #",), "Add (_, _)", "Join (_, _)", "Join (_, _)"),),
        edges=(
            ("Num 0",),
            ("Num (-5)",),
            ("Join (Num 3, Num 3)",),
            ("Join (Num (-7), Num (-2))",),
            ("Join (Num 2, Num 9)",),
        ),
    ),
    Task(
        level=2,
        says=(
            "An expression is a number `Num n`, a sum `Add (a, b)`, or a product `Mul (a, b)`. `$f e` is $what.",
            "Numbers `Num n`, sums `Add (a, b)` and products `Mul (a, b)` make expressions. Write `$f e`: $what.",
        ),
        names=("measure", "inspect", "analyse"),
        signature=_EXPR + "\n\nval $f : expr -> int",
        code=_EXPR + "\n\nlet rec $f e =\n  match e with\n  $what",
        gaps={
            "what": (
                ("how many numbers stand in `e`", "| Num _ -> 1\n  | Add (a, b) | Mul (a, b) -> $f a + $f b"),
                ("how many operations `e` has", "| Num _ -> 0\n  | Add (a, b) | Mul (a, b) -> 1 + $f a + $f b"),
                (
                    "how many products `e` has",
                    "| Num _ -> 0\n  | Add (a, b) -> $f a + $f b\n  | Mul (a, b) -> 1 + $f a + $f b",
                ),
                (
                    "how many sums `e` has",
                    "| Num _ -> 0\n  | Add (a, b) -> 1 + $f a + $f b\n  | Mul (a, b) -> $f a + $f b",
                ),
                ("the greatest number in `e`", "| Num n -> n\n  | Add (a, b) | Mul (a, b) -> max ($f a) ($f b)"),
                (
                    "the depth of `e`: 0 for a number, else 1 more than the deeper part",
                    "| Num _ -> 0\n  | Add (a, b) | Mul (a, b) -> 1 + max ($f a) ($f b)",
                ),
                ("the last number in `e`, from left to right", "| Num n -> n\n  | Add (_, b) | Mul (_, b) -> $f b"),
                (
                    "how many numbers in `e` are greater than $k",
                    "| Num n -> if n > $k then 1 else 0\n  | Add (a, b) | Mul (a, b) -> $f a + $f b",
                ),
            ),
            "k": number(0, 7),
        },
        inputs=(_EXPRS,),
        edges=(
            ("Num 0",),
            ("Num (-7)",),
            ("Add (Num (-4), Num (-9))",),
            ("Add (Num 1, Mul (Num 8, Add (Num 2, Num 3)))",),
            ("Mul (Add (Add (Num 1, Num 9), Num 3), Num 4)",),
        ),
    ),
    Task(
        level=2,
        says=(
            "`$f e` is the expression `e`, made of `Num`, `Add` and `Mul`, $how.",
            "Write `$f e`: the expression `e`, which consists of numbers `Num`, sums `Add` and products `Mul`, $how.",
        ),
        names=("rewrite", "transform", "rebuild"),
        signature=_EXPR + "\n\nval $f : expr -> expr",
        code=_EXPR + "\n\nlet rec $f e =\n  match e with\n  | Num n -> $how",
        gaps={
            "how": (
                (
                    "with every number increased by $k",
                    "Num (n + $k)\n  | Add (a, b) -> Add ($f a, $f b)\n  | Mul (a, b) -> Mul ($f a, $f b)",
                ),
                (
                    "with every number doubled",
                    "Num (2 * n)\n  | Add (a, b) -> Add ($f a, $f b)\n  | Mul (a, b) -> Mul ($f a, $f b)",
                ),
                (
                    "with the parts of every operation exchanged",
                    "Num n\n  | Add (a, b) -> Add ($f b, $f a)\n  | Mul (a, b) -> Mul ($f b, $f a)",
                ),
                (
                    "with sums and products exchanged everywhere",
                    "Num n\n  | Add (a, b) -> Mul ($f a, $f b)\n  | Mul (a, b) -> Add ($f a, $f b)",
                ),
                ("with every product turned into a sum", "Num n\n  | Add (a, b) | Mul (a, b) -> Add ($f a, $f b)"),
                (
                    "with every negative number replaced by 0",
                    "Num (max 0 n)\n  | Add (a, b) -> Add ($f a, $f b)\n  | Mul (a, b) -> Mul ($f a, $f b)",
                ),
            ),
            "k": number(1, 40),
        },
        inputs=(_EXPRS,),
        edges=(
            ("Num 0",),
            ("Num (-2)",),
            ("Add (Num (-1), Mul (Num 2, Num (-3)))",),
            ("Mul (Mul (Add (Num 1, Num 2), Num 3), Num 4)",),
        ),
    ),
    Task(
        level=2,
        says=(
            "A term is a number, a variable, or a sum of two terms. `$f k t` is $what.",
            "Terms consist of numbers `Num n`, variables `Var v` and sums `Add (a, b)`. Write `$f k t`: $what.",
        ),
        names=("eval", "term_value", "with_value"),
        signature=_TERM + "\n\nval $f : int -> term -> int",
        code=_TERM
        + "\n\nlet rec $f k t =\n  match t with\n  | Num n -> n\n  | Var v -> $what\n  | Add (a, b) -> $f k a + $f k b",
        gaps={
            "what": (
                (
                    "the value of `t` if `$x` has the value `k` and all other variables are 0",
                    'if v = "$x" then k else 0',
                ),
                (
                    "the value of `t` if `$x` has the value 0 and all other variables are `k`",
                    'if v = "$x" then 0 else k',
                ),
                (
                    "the value of `t` if `$x` has the value `k` and all other variables are $d",
                    'if v = "$x" then k else $d',
                ),
                (
                    "its value if `$x` has the value `k` and all other variables are `2 * k`",
                    'if v = "$x" then k else 2 * k',
                ),
            ),
            "x": (("x",), ("y",), ("z",)),
            "d": number(1, 60),
        },
        inputs=(integers(-9, 20), _TERMS),
    ),
    Task(
        level=2,
        says=(
            "Terms are numbers, variables, and sums of terms. `$f t` is the list of $what in the term `t`, from left to right.",
            "In the term `t`, made of numbers `Num n`, variables `Var v` and sums `Add (a, b)`, find $what. `$f t` lists them from left "
            "to right.",
        ),
        names=("variables", "names_in", "collect"),
        signature=_TERM + "\n\nval $f : term -> string list",
        code=_TERM + "\n\nlet rec $f t =\n  match t with\n  $what\n  | Add (a, b) -> $f a @ $f b",
        gaps={
            "what": (
                ("all variables, as often as they occur,", "| Num _ -> []\n  | Var v -> [ v ]"),
                (
                    "all variables other than `$x`, as often as they occur,",
                    '| Num _ -> []\n  | Var v -> if v = "$x" then [] else [ v ]',
                ),
                ("all numbers, as strings,", "| Num n -> [ string_of_int n ]\n  | Var _ -> []"),
                ("all numbers and variables, as strings,", "| Num n -> [ string_of_int n ]\n  | Var v -> [ v ]"),
            ),
            "x": (("x",), ("y",), ("z",)),
        },
        inputs=(_TERMS,),
        edges=(("Num 3",), ('Var "x"',)),
    ),
    Task(
        level=2,
        says=(
            "`$f e` is the expression `e` as a string: a number as `string_of_int` writes it, $how. There are no spaces.",
            "Write an expression of numbers, sums and products without spaces: `$f e` is a string in which numbers are as `string_of_int` "
            "writes them, $how.",
        ),
        names=("show", "to_string", "print_expr"),
        signature=_EXPR + "\n\nval $f : expr -> string",
        code=_EXPR + "\n\nlet rec $f e =\n  match e with\n  | Num n -> string_of_int n\n  | Add (a, b) -> $how",
        gaps={
            "how": tuple(
                (
                    f"sums and products like `{words.format('+')}` and `{words.format('*')}`",
                    f"{code.format('+')}\n  | Mul (a, b) -> {code.format('*')}",
                )
                for words, code in (
                    ("(a{}b)", '"(" ^ $f a ^ "{}" ^ $f b ^ ")"'),
                    ("[a{}b]", '"[" ^ $f a ^ "{}" ^ $f b ^ "]"'),
                    ("{}(a,b)", '"{}(" ^ $f a ^ "," ^ $f b ^ ")"'),
                    ("(a,b){}", '"(" ^ $f a ^ "," ^ $f b ^ "){}"'),
                    ("(b{}a)", '"(" ^ $f b ^ "{}" ^ $f a ^ ")"'),
                )
            )
        },
        inputs=(_EXPRS,),
        edges=(("Num (-2)",), ("Num 30",), ("Add (Num (-2), Num (-3))",), ("Mul (Num 1, Mul (Num 2, Num 3))",)),
    ),
    Task(
        level=2,
        says=(
            "An expression is a number or a quotient. `$f e` is `Some` of its value, where `Div (a, b)` is $what; it is `None` if anywhere in "
            "`e` one divides by 0.",
            "Evaluate quotients: `Num n` is `n`, and `Div (a, b)` is $what. Write `$f e`, which is `Some` of the value, or `None` if there is "
            "a division by 0 in `e`.",
        ),
        names=("safe_eval", "divide", "quotient"),
        signature="type expr = Num of int | Div of expr * expr\n\nval $f : expr -> int option",
        code="type expr = Num of int | Div of expr * expr\n\nlet rec $f e =\n  match e with\n  | Num n -> Some n\n  | Div (a, b) ->\n"
        "    (match $f a, $f b with Some x, Some y when y <> 0 -> Some ($what) | _ -> None)",
        gaps={
            "what": (
                ("`a / b`", "x / y"),
                ("`a mod b`", "x mod y"),
                ("the part of `a` that `b` divides, `a / b * b`", "x / y * y"),
                ("`a / b` plus `a mod b`", "(x / y) + (x mod y)"),
            )
        },
        inputs=(_DIVISIONS,),
        edges=(
            ("Num 0",),
            ("Div (Num 7, Num 2)",),
            ("Div (Num (-7), Num 2)",),
            ("Div (Num 7, Num (-2))",),
            ("Div (Num 0, Num 0)",),
            ("Div (Num 6, Div (Num 0, Num 5))",),
            ("Div (Num 9, Div (Num 2, Num 5))",),
            ("Div (Div (Num 4, Num 0), Num 2)",),
            ("Div (Num 0, Div (Num 1, Num 0))",),
            ("Div (Div (Num 90, Num 4), Div (Num 9, Num 2))",),
        ),
    ),
    Task(
        level=2,
        says=(
            "A calculation is a list of steps, each an operation with a number. Starting from `x`, `$f x steps` does them in order: `Plus` "
            "adds the number, `Minus` subtracts it, `Star` $star.",
            "Take the steps of a list one after another, beginning with `x`: `(Plus, n)` adds `n`, `(Minus, n)` subtracts it, and "
            "`(Star, n)` $star. Write `$f x steps`, the last value.",
        ),
        names=("calculate", "run_steps", "chain"),
        signature="type op = Plus | Minus | Star\n\nval $f : int -> (op * int) list -> int",
        code="type op = Plus | Minus | Star\n\nlet $f x steps =\n"
        "  let step v (op, n) = match op with Plus -> v + n | Minus -> v - n | Star -> $star in\n  List.fold_left step x steps",
        gaps={
            "star": (
                ("multiplies by it", "v * n"),
                ("replaces the value by it", "n"),
                ("subtracts the value from it", "n - v"),
                ("takes the greater one of it and the value", "max v n"),
                ("takes the smaller one of it and the value", "min v n"),
                ("multiplies by it and adds $k", "(v * n) + $k"),
                ("adds it $k times", "v + ($k * n)"),
            ),
            "k": number(2, 20),
        },
        inputs=(integers(-9, 20), lists(tuples(one_of("Plus", "Minus", "Star"), integers(-5, 9)), 0, 5, far=8)),
    ),
    Task(
        level=2,
        says=(
            "`$f e` is the truth value of a formula: `Const b` is `b`, `Not a` is the opposite of `a`, and `Join (a, b)` is true if $what.",
            "Evaluate a formula of logic. `Const b` has the value `b`, `Not` turns a value round, and `Join (a, b)` is true if $what. "
            "Write `$f e`.",
        ),
        names=("truth", "decide", "holds"),
        signature=_LOGIC + "\n\nval $f : logic -> bool",
        code=_LOGIC
        + "\n\nlet rec $f e =\n  match e with\n  | Const b -> b\n  | Not a -> not ($f a)\n  | Join (a, b) -> $what",
        gaps={
            "what": (
                ("both parts are true", "$f a && $f b"),
                ("at least one part is true", "$f a || $f b"),
                ("its parts have the same value", "$f a = $f b"),
                ("its parts have different values", "$f a <> $f b"),
                ("`a` is false or `b` is true", "(not ($f a)) || $f b"),
            )
        },
        inputs=(_LOGICS,),
        edges=(
            ("Const true",),
            ("Const false",),
            ("Not (Not (Const true))",),
            ("Join (Const true, Const true)",),
            ("Join (Const false, Const false)",),
            ("Join (Const true, Const false)",),
            ("Join (Const false, Const true)",),
        ),
    ),
)
