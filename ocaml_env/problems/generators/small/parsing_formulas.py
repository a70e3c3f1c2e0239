"""Small tasks on formulas: sums and equations in strings, operators as signs, and expressions as values of a type."""

from __future__ import annotations

from collections.abc import Callable

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, characters, integers, lists
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import atom, text

__all__ = ["TASKS"]


def _text(draw: Callable[[Chance], str], *edges: str) -> Input:
    return Input(lambda chance: text(draw(chance)), tuple(map(text, edges)))


def _terms(sign: str) -> Callable[[Chance], str]:
    return lambda chance: sign.join(
        str(chance.number(0, 20)) for _ in range(chance.between(1, 5) if chance.happens(0.94) else 11)
    )


def _formula(chance: Chance, name: str = "") -> str:
    """Numbers and operators, perhaps with brackets around a part, and a name."""
    made = str(chance.between(0, 30))
    for _ in range(chance.between(0, 3)):
        part = name if name and chance.happens(0.25) else str(chance.between(0, 30))
        made += chance.pick("+-*") + (
            f"({part}{chance.pick('+-')}{chance.between(0, 9)})" if chance.happens(0.2) else part
        )
    return f"-{made}" if chance.happens(0.2) else made


def _spaced(chance: Chance) -> str:
    return "".join(f" {c} " if c in "+-*" and chance.happens(0.7) else c for c in _formula(chance))


def _equation(chance: Chance) -> str:
    a, b = chance.number(0, 20), chance.number(0, 20)
    return f"{a}+{b}={a + b + (0 if chance.happens(0.5) else chance.between(-6, 6))}".replace("=-", "=")


def _operation(chance: Chance) -> str:
    return f"{chance.number(0, 20)}{chance.pick('+-*/?')}{chance.number(0, 20)}"


def _short(chance: Chance) -> str:
    """Numbers of one digit, and signs between."""
    more = chance.between(0, 5) if chance.happens(0.9) else 11
    return str(chance.between(0, 9)) + "".join(f"{chance.pick('+-')}{chance.between(0, 9)}" for _ in range(more))


def _sums(outer: str, inner: str) -> Callable[[Chance], str]:
    def one(chance: Chance) -> str:
        return inner.join(str(chance.between(0, 12)) for _ in range(chance.pick((1, 1, 2, 2, 3, 3, 5))))

    return lambda chance: outer.join(one(chance) for _ in range(chance.pick((1, 1, 2, 2, 3, 3, 5))))


def _expr(chance: Chance, depth: int) -> str:
    """An expression of numbers, sums, products and negatives."""
    kind = chance.pick(("Num", "Add", "Mul", "Neg", "Add", "Mul")) if depth else "Num"
    if kind == "Num" and depth < 3:
        n = chance.number(-9 if chance.happens(0.25) else 0, 12)
        return f"Num {atom(str(n))}"
    if kind == "Neg":
        return f"Neg ({_expr(chance, depth - 1)})"
    name = "Add" if kind == "Num" else kind
    return f"{name} ({_expr(chance, depth - 1)}, {_expr(chance, depth - 1)})"


def _linear(chance: Chance, depth: int) -> str:
    """A formula of numbers, a variable, sums and products."""
    kind = chance.pick(("X", "Num", "Plus", "Times")) if depth else chance.pick(("X", "Num"))
    if kind == "X":
        return "X"
    if kind == "Num":
        return f"Num {atom(str(chance.number(-5 if chance.happens(0.25) else 0, 9)))}"
    return f"{kind} ({_linear(chance, depth - 1)}, {_linear(chance, depth - 1)})"


def _token(chance: Chance) -> str:
    if chance.happens(0.6):
        return f"Push {chance.number(0, 12)}"
    return chance.pick(("First", "Second"))


_SUM = _text(_terms("+"), "7", "0", "5+5", "10+9+8", "0+0", "9+10+100")
_FORMULA, _SPACED = _text(lambda chance: _formula(chance, chance.pick("xy"))), _text(_spaced)
_SMALL, _NUMBER = integers(0, 20), integers(-9, 20)
_ATOM = Input(lambda chance: text(chance.pick(("x", "y", "size", "z", str(chance.between(-9, 60))))))
_VALUES = lists(Input(lambda chance: f'("{chance.pick(("x", "y", "size"))}", {chance.between(-9, 30)})'), 0, 4, far=9)
_STEPS = lists(Input(lambda chance: f"('{chance.pick('+-*?')}', {chance.number(-2, 9)})"), 0, 5, far=11)
_EXPR = Input(
    lambda chance: _expr(chance, chance.pick((2, 3, 3, 3, 3, 3, 3, 3, 3, 5))),
    (
        "Num 7",
        "Num 0",
        "Num (-4)",
        "Neg (Num 3)",
        "Neg (Neg (Num 3))",
        "Mul (Num (-5), Neg (Num 2))",
        "Add (Num 4, Num 4)",
    ),
)
_LINEAR = Input(
    lambda chance: _linear(chance, chance.pick((2, 2, 2, 3, 4))), ("X", "Num 4", "Times (X, X)", "Plus (Num (-3), X)")
)
_NUMBERS = "List.map int_of_string (String.split_on_char '+' s)"
_EXPR_TYPE = "type expr = Num of int | Add of expr * expr | Mul of expr * expr | Neg of expr"
_FORMULA_TYPE = "type formula = X | Num of int | Plus of formula * formula | Times of formula * formula"
_TOKEN_TYPE = "type token = Push of int | First | Second"

_MEANING: Gap = (
    ("the sum of both numbers", "a + b", "sum"),
    ("the larger one of both numbers", "max a b", "larger"),
    ("the smaller one of both numbers", "min a b", "smaller"),
    ("the left number minus the right one", "a - b", "difference"),
    ("the distance between both numbers", "abs (a - b)", "distance"),
    ("the product of both numbers, plus $k", "(a * b) + $k", "product"),
    ("the left number times 10, plus the right one", "(10 * a) + b", "tens"),
    ("twice the left number plus the right one", "(2 * a) + b", "double_sum"),
    ("the square of the left number, plus the right one", "(a * a) + b", "square_sum"),
)
_OF_SUM: Gap = (
    ("its value", f"List.fold_left ( + ) 0 ({_NUMBERS})", "value"),
    ("the number of its terms", "List.length (String.split_on_char '+' s)", "terms"),
    ("the number of plus signs in it", "List.length (String.split_on_char '+' s) - 1", "plus_signs"),
    ("its largest term", f"List.fold_left max 0 ({_NUMBERS})", "largest"),
    ("its first term", f"List.hd ({_NUMBERS})", "first"),
    ("its last term", f"List.hd (List.rev ({_NUMBERS}))", "last"),
    ("the product of its terms", f"List.fold_left ( * ) 1 ({_NUMBERS})", "product"),
    (
        "the number of its terms that are greater than $k",
        f"List.length (List.filter (fun n -> n > $k) ({_NUMBERS}))",
        "large_terms",
    ),
    ("the number of its terms that are 0", f"List.length (List.filter (fun n -> n = 0) ({_NUMBERS}))", "zeros"),
    ("$k times its value", f"$k * List.fold_left ( + ) 0 ({_NUMBERS})", "multiple"),
)
_NEW_SUM: Gap = (
    (
        "the same sum with its terms in reverse order",
        "String.concat \"+\" (List.rev (String.split_on_char '+' s))",
        "reversed",
    ),
    ("the same sum with spaces around each plus sign", "String.concat \" + \" (String.split_on_char '+' s)", "spaced"),
    (
        "the product of the same numbers, with `*` for each `+`",
        "String.map (fun c -> if c = '+' then '*' else c) s",
        "product",
    ),
    ("the same sum in round brackets", '"(" ^ s ^ ")"', "bracketed"),
    ("the sum with `+$k` behind it", 's ^ "+$k"', "longer"),
    (
        "the sum with an equals sign and its value behind it",
        f's ^ "=" ^ string_of_int (List.fold_left ( + ) 0 ({_NUMBERS}))',
        "solved",
    ),
    (
        "the sum in which each term is doubled",
        f'String.concat "+" (List.map (fun n -> string_of_int (2 * n)) ({_NUMBERS}))',
        "doubled",
    ),
    (
        "the sum with its terms from small to large",
        f'String.concat "+" (List.map string_of_int (List.sort compare ({_NUMBERS})))',
        "sorted",
    ),
)
_WRITTEN: Gap = (
    ("1+2+3", 'String.concat "+" (List.map string_of_int l)', "sum"),
    ("1*2*3", 'String.concat "*" (List.map string_of_int l)', "product"),
    ("1 + 2 + 3", 'String.concat " + " (List.map string_of_int l)', "wide_sum"),
    ("(1)(2)(3)", 'String.concat "" (List.map (fun n -> "(" ^ string_of_int n ^ ")") l)', "brackets"),
    ("1x+2x+3x", 'String.concat "+" (List.map (fun n -> string_of_int n ^ "x") l)', "terms"),
    ("0+1+2+3", 'List.fold_left (fun s n -> s ^ "+" ^ string_of_int n) "0" l', "from_zero"),
    ("sum(1,2,3)", '"sum(" ^ String.concat "," (List.map string_of_int l) ^ ")"', "call"),
    ("3+2+1", 'String.concat "+" (List.rev_map string_of_int l)', "sum_back"),
)
_EQUATION: Gap = (
    ("it is right", "a + b = c", "right"),
    ("its right side is too large", "c > a + b", "too_large"),
    ("its right side is too small", "c < a + b", "too_small"),
    ("its sides differ by at most $near", "abs (a + b - c) <= $near", "close"),
    ("it is wrong", "a + b <> c", "wrong"),
)
_LINE: Gap = (
    ("the value of the formula for `x`", "(a * x) + b", "at"),
    ("the value of the formula for `-x`", "b - (a * x)", "at_minus"),
    ("twice the value of the formula for `x`", "2 * ((a * x) + b)", "twice_at"),
    ("the value of the formula for `x + 1`", "(a * (x + 1)) + b", "behind"),
    ("the value of the formula for `x * x`", "(a * x * x) + b", "at_square"),
    ("what is left of `${k}00` after taking the value of the formula for `x` away", "${k}00 - (a * x) - b", "left"),
)
_SIGNS: Gap = (
    ("the number of operators `+`, `-` and `*` in it", 'if String.contains "+-*" c then n + 1 else n', "operators"),
    ("the number of digits in it", "if '0' <= c && c <= '9' then n + 1 else n", "digits"),
    (
        "the number of round brackets in it, opening and closing ones",
        "if c = '(' || c = ')' then n + 1 else n",
        "brackets",
    ),
    ("the number of its characters that are no digits", "if '0' <= c && c <= '9' then n else n + 1", "signs"),
    ("how often `-` stands in it", "if c = '-' then n + 1 else n", "minus_signs"),
    (
        "the sum of its digits, each taken by itself",
        "if '0' <= c && c <= '9' then n + Char.code c - Char.code '0' else n",
        "digit_sum",
    ),
)
_REWRITTEN: Gap = (
    ("the formula without spaces", "String.concat \"\" (String.split_on_char ' ' s)", "dense"),
    ("the formula with `x` in place of each `*`", "String.map (fun c -> if c = '*' then 'x' else c) s", "printed"),
    ("the formula in round brackets, with a minus sign before them", '"-(" ^ s ^ ")"', "negative"),
    ("the formula with ` = ?` behind it", 's ^ " = ?"', "question"),
    (
        "the formula with square brackets in place of the round ones",
        "String.map (fun c -> if c = '(' then '[' else if c = ')' then ']' else c) s",
        "square",
    ),
    ("the formula with `$k*` before it, and round brackets around it", '"$k*(" ^ s ^ ")"', "multiplied"),
)
_OPERATORS: Gap = (
    (
        "`+` adds, `-` subtracts `b` from `a`, `*` multiplies, and for any other sign it is 0",
        "| '+' -> a + b\n  | '-' -> a - b\n  | '*' -> a * b\n  | _ -> 0",
        "compute",
    ),
    (
        "`<` gives the smaller number, `>` the larger one, and any other sign their sum",
        "| '<' -> min a b\n  | '>' -> max a b\n  | _ -> a + b",
        "choose",
    ),
    (
        "`l` gives the left number `a`, `r` the right one, and any other sign 0",
        "| 'l' -> a\n  | 'r' -> b\n  | _ -> 0",
        "pick",
    ),
    (
        "`+` adds, `~` gives the distance of the numbers, and any other sign `$k`",
        "| '+' -> a + b\n  | '~' -> abs (a - b)\n  | _ -> $k",
        "combine",
    ),
    (
        "`*` multiplies, `^` takes the larger number, and any other sign the left number `a`",
        "| '*' -> a * b\n  | '^' -> max a b\n  | _ -> a",
        "apply",
    ),
)
_OPTIONAL: Gap = (
    (
        "`Some` of the sum for `+` and of the product for `*`, and `None` for any other operator",
        "| '+' -> Some (a + b)\n    | '*' -> Some (a * b)\n    | _ -> None",
        "value",
    ),
    (
        "`Some` of the sum for `+`, of the left number minus the right one for `-`, and `None` for any other operator",
        "| '+' -> Some (a + b)\n    | '-' -> Some (a - b)\n    | _ -> None",
        "value",
    ),
    (
        "`Some` of the quotient, without its rest, for `/` with a right number that is not 0, and else `None`",
        "| '/' when b <> 0 -> Some (a / b)\n    | _ -> None",
        "quotient",
    ),
    (
        "`Some` of the left number minus the right one for `-` if that is not negative, and else `None`",
        "| '-' when a >= b -> Some (a - b)\n    | _ -> None",
        "rest",
    ),
    (
        "`Some` of the product for `*`, and of the rest for `/` with a right number that is not 0; else it is `None`",
        "| '*' -> Some (a * b)\n    | '/' when b <> 0 -> Some (a mod b)\n    | _ -> None",
        "outcome",
    ),
)
_RUN: Gap = (
    (
        "`+` adds the number, `-` subtracts it, `*` multiplies by it, and other signs do nothing",
        "| '+' -> value + n\n    | '-' -> value - n\n    | '*' -> value * n\n    | _ -> value",
        "run",
    ),
    (
        "`+` adds the number, `-` subtracts it, but not below 0, and other signs do nothing",
        "| '+' -> value + n\n    | '-' -> max 0 (value - n)\n    | _ -> value",
        "count",
    ),
    (
        "`+` adds the number, `*` multiplies by it, and any other sign sets the value to the number",
        "| '+' -> value + n\n    | '*' -> value * n\n    | _ -> n",
        "calculator",
    ),
    (
        "`+` adds the number, `-` subtracts the value from it, and other signs do nothing",
        "| '+' -> value + n\n    | '-' -> n - value\n    | _ -> value",
        "swing",
    ),
)
_EVALUATED: Gap = (
    (
        "its value, where `Neg` is for the negative",
        "| Num n -> n\n  | Add (a, b) -> $f a + $f b\n  | Mul (a, b) -> $f a * $f b\n  | Neg a -> -$f a",
        "value",
    ),
    (
        "how many numbers (`Num`) are in it",
        "| Num _ -> 1\n  | Add (a, b) | Mul (a, b) -> $f a + $f b\n  | Neg a -> $f a",
        "count_numbers",
    ),
    (
        "how many operators (`Add`, `Mul` and `Neg`) are in it",
        "| Num _ -> 0\n  | Add (a, b) | Mul (a, b) -> 1 + $f a + $f b\n  | Neg a -> 1 + $f a",
        "count_operators",
    ),
    (
        "its depth: 0 for a number, and else 1 more than the deepest part",
        "| Num _ -> 0\n  | Add (a, b) | Mul (a, b) -> 1 + max ($f a) ($f b)\n  | Neg a -> 1 + $f a",
        "depth",
    ),
    (
        "the largest of its numbers (`Num`), taken without `Neg`",
        "| Num n -> n\n  | Add (a, b) | Mul (a, b) -> max ($f a) ($f b)\n  | Neg a -> $f a",
        "largest",
    ),
    (
        "the number of multiplications in it",
        "| Num _ -> 0\n  | Add (a, b) -> $f a + $f b\n  | Mul (a, b) -> 1 + $f a + $f b\n  | Neg a -> $f a",
        "count_products",
    ),
    (
        "its price: nothing for a number, 1 for `Neg`, 2 for `Add` and $k for `Mul`, besides the price of the parts",
        "| Num _ -> 0\n  | Add (a, b) -> 2 + $f a + $f b\n  | Mul (a, b) -> $k + $f a + $f b\n  | Neg a -> 1 + $f a",
        "price",
    ),
    (
        "its first number, on the far left",
        "| Num n -> n\n  | Add (a, _) | Mul (a, _) -> $f a\n  | Neg a -> $f a",
        "leftmost",
    ),
    (
        "its value if `Mul` took the larger one of two numbers; `Neg` is for the negative",
        "| Num n -> n\n  | Add (a, b) -> $f a + $f b\n  | Mul (a, b) -> max ($f a) ($f b)\n  | Neg a -> -$f a",
        "other_value",
    ),
)
_CHANGED: Gap = (
    (
        "with both sides of each `Add` and each `Mul` exchanged",
        "| Add (a, b) -> Add ($f b, $f a)\n  | Mul (a, b) -> Mul ($f b, $f a)\n  | Neg a -> Neg ($f a)\n  | e -> e",
        "mirror",
    ),
    (
        "with $k added to each number (`Num`)",
        "| Num n -> Num (n + $k)\n  | Add (a, b) -> Add ($f a, $f b)\n  | Mul (a, b) -> Mul ($f a, $f b)\n"
        "  | Neg a -> Neg ($f a)",
        "raise_numbers",
    ),
    (
        "with `Mul` in place of each `Add`, and `Add` in place of each `Mul`",
        "| Add (a, b) -> Mul ($f a, $f b)\n  | Mul (a, b) -> Add ($f a, $f b)\n  | Neg a -> Neg ($f a)\n  | e -> e",
        "exchange",
    ),
    (
        "without any `Neg`: only the part of each stays",
        "| Add (a, b) -> Add ($f a, $f b)\n  | Mul (a, b) -> Mul ($f a, $f b)\n  | Neg a -> $f a\n  | e -> e",
        "positive",
    ),
    (
        "with `Neg` around each number (`Num`)",
        "| Num n -> Neg (Num n)\n  | Add (a, b) -> Add ($f a, $f b)\n  | Mul (a, b) -> Mul ($f a, $f b)\n"
        "  | Neg a -> Neg ($f a)",
        "negate_numbers",
    ),
    (
        "with `Num 0` in place of each `Neg` and its part",
        "| Add (a, b) -> Add ($f a, $f b)\n  | Mul (a, b) -> Mul ($f a, $f b)\n  | Neg _ -> Num 0\n  | e -> e",
        "drop_negatives",
    ),
)
_WAYS: Gap = (
    (
        '`"3 4 + -"`, operators behind their parts',
        '| Add (a, b) -> $f a ^ " " ^ $f b ^ " +"\n  | Mul (a, b) -> $f a ^ " " ^ $f b ^ " *"\n  | Neg a -> $f a ^ " -"',
    ),
    (
        '`"neg(add(3,4))"`, and with `mul` for `Mul`',
        '| Add (a, b) -> "add(" ^ $f a ^ "," ^ $f b ^ ")"\n  | Mul (a, b) -> "mul(" ^ $f a ^ "," ^ $f b ^ ")"\n'
        '  | Neg a -> "neg(" ^ $f a ^ ")"',
    ),
    (
        '`"- + 3 4"`, operators before their parts',
        '| Add (a, b) -> "+ " ^ $f a ^ " " ^ $f b\n  | Mul (a, b) -> "* " ^ $f a ^ " " ^ $f b\n  | Neg a -> "- " ^ $f a',
    ),
    (
        '`"minus [3 plus 4]"`, and with `times` for `Mul`',
        '| Add (a, b) -> "[" ^ $f a ^ " plus " ^ $f b ^ "]"\n  | Mul (a, b) -> "[" ^ $f a ^ " times " ^ $f b ^ "]"\n'
        '  | Neg a -> "minus " ^ $f a',
    ),
)
_LEAVES: Gap = (
    ("the list of its numbers (`Num`), from left to right", "$f a @ $f b\n  | Neg a -> $f a", "numbers"),
    ("the list of its numbers (`Num`), from right to left", "$f b @ $f a\n  | Neg a -> $f a", "numbers_back"),
    (
        "the list of its numbers (`Num`), from left to right, with those in a `Neg` left out",
        "$f a @ $f b\n  | Neg _ -> []",
        "plain_numbers",
    ),
    (
        "the list of its numbers (`Num`), from left to right, with a 0 before those of each `Neg`",
        "$f a @ $f b\n  | Neg a -> 0 :: $f a",
        "marked_numbers",
    ),
)
_FIRST: Gap = (
    ("replaces the upper two numbers by their sum", "(a + b) :: rest"),
    ("replaces the upper two numbers by the larger one", "max a b :: rest"),
    ("exchanges the upper two numbers", "b :: a :: rest"),
    ("puts the sum of the upper two numbers on top of them", "(a + b) :: a :: b :: rest"),
)
_SECOND: Gap = (
    ("replaces them by their product", "(a * b) :: rest"),
    ("replaces them by the lower one minus the top", "(b - a) :: rest"),
    ("removes them both", "rest"),
    ("removes the one below the top", "a :: rest"),
)
_SHORT: Gap = (
    (
        "the value of the formula",
        "| '+' -> (value, 1)\n    | '-' -> (value, -1)\n    | c -> (value + (sign * digit c), sign)",
        "value",
    ),
    (
        "the sum of the digits that stand behind a `-`",
        "| '+' -> (value, 0)\n    | '-' -> (value, 1)\n    | c -> (value + (sign * digit c), sign)",
        "subtracted",
    ),
    (
        "the value that the formula has if a `-` counts for all numbers behind it, also after a `+`",
        "| '+' -> (value, sign)\n    | '-' -> (value, -1)\n    | c -> (value + (sign * digit c), sign)",
        "long_minus",
    ),
    (
        "the value that the formula has if a number behind `+` counts $k times",
        "| '+' -> (value, $k)\n    | '-' -> (value, -1)\n    | c -> (value + (sign * digit c), sign)",
        "stressed",
    ),
)
_OUTER: Gap = (
    ("the sum of the numbers for all parts", "List.fold_left (fun sum p -> sum + part p) 0", "sum"),
    (
        "the largest of the numbers for the parts",
        "List.fold_left (fun n p -> max n (part p)) 0",
        "largest",
    ),
    ("the product of the numbers for all parts", "List.fold_left (fun product p -> product * part p) 1", "product"),
)
_INNER: Gap = (
    ("the product of its numbers", "List.fold_left ( * ) 1 (List.map int_of_string (String.split_on_char '*' p))"),
    ("how many numbers it has", "List.length (String.split_on_char '*' p)"),
    ("the sum of its numbers", "List.fold_left ( + ) 0 (List.map int_of_string (String.split_on_char '*' p))"),
    ("the largest of its numbers", "List.fold_left max 0 (List.map int_of_string (String.split_on_char '*' p))"),
)
_OF_NAME: Gap = (
    ("its value in `values`, or `None` if it is not there", "List.assoc_opt s values"),
    (
        "twice its value in `values`, or `None` if it is not there",
        "Option.map (fun n -> 2 * n) (List.assoc_opt s values)",
    ),
    (
        "its value in `values`, or `Some $k` if it is not there",
        "Some (Option.value (List.assoc_opt s values) ~default:$k)",
    ),
    (
        "the negative of its value in `values`, or `None` if it is not there",
        "Option.map (fun n -> -n) (List.assoc_opt s values)",
    ),
)
_OF_FORMULA: Gap = (
    (
        "its value for a number `x`, which `X` stands for",
        "| X -> x\n  | Num n -> n\n  | Plus (a, b) -> $f a x + $f b x\n  | Times (a, b) -> $f a x * $f b x",
        "value_at",
    ),
    (
        "its value if `X` stands for the number `x`, and `Times` takes the larger one of two numbers",
        "| X -> x\n  | Num n -> n\n  | Plus (a, b) -> $f a x + $f b x\n  | Times (a, b) -> max ($f a x) ($f b x)",
        "larger_at",
    ),
    (
        "how often the number `x` stands in it as a `Num`",
        "| X -> 0\n  | Num n -> if n = x then 1 else 0\n  | Plus (a, b) | Times (a, b) -> $f a x + $f b x",
        "count_number",
    ),
    (
        "the sum of all its `Num`, and of the number `x` for each `X`",
        "| X -> x\n  | Num n -> n\n  | Plus (a, b) | Times (a, b) -> $f a x + $f b x",
        "leaf_sum",
    ),
    (
        "how many of its `Num` are greater than the number `x`",
        "| X -> 0\n  | Num n -> if n > x then 1 else 0\n  | Plus (a, b) | Times (a, b) -> $f a x + $f b x",
        "count_greater",
    ),
)
_K: dict[str, Gap] = {"k": number(2, 9)}

TASKS = (
    Task(
        level=1,
        says=(
            'Let `a#b` mean $meaning. `$f s` is the value of such a formula `s` with two numbers, such as `"7#4"`.',
            'In formulas such as `"7#4"`, the sign `#` stands for $meaning. Write `$f s`, which computes one.',
        ),
        names=("$meaning", "${meaning}_of"),
        signature="string -> int",
        code='let $f s = Scanf.sscanf s "%d#%d" (fun a b -> $meaning)',
        gaps={**_K, "meaning": _MEANING},
        inputs=(
            _text(
                lambda chance: f"{chance.number(0, 20)}#{chance.number(0, 20)}",
                "7#7",
                "0#5",
                "5#0",
                "4#7",
                "12#100",
                "0#0",
            ),
        ),
    ),
    Task(
        level=1,
        says=(
            'For a sum `s` such as `"3+12+5"`, or a single number, `$f s` is $what. No number is negative.',
            'The string `s` is a sum such as `"3+12+5"`, of one number or more, 0 or above. Write `$f s`: $what.',
        ),
        names=("$what", "sum_$what"),
        signature="string -> int",
        code="let $f s = $what",
        gaps={**_K, "what": _OF_SUM},
        inputs=(_SUM,),
    ),
    Task(
        level=1,
        says=(
            'For a sum `s` such as `"3+12+5"`, or a single number, `$f s` is $new, as a string.',
            'The string `s` is a sum such as `"3+12+5"`, of one number or more. Write `$f s`, which returns $new.',
        ),
        names=("$new", "${new}_sum"),
        signature="string -> string",
        code="let $f s = $new",
        gaps={**_K, "new": _NEW_SUM},
        inputs=(_SUM,),
    ),
    Task(
        level=1,
        says=(
            'For `[1; 2; 3]`, `$f l` is `"$written"`, and for other numbers accordingly. The list is never empty.',
            'Write a formula for a list of numbers of 0 or more, which is not empty: `$f [1; 2; 3]` is `"$written"`.',
        ),
        names=("$written", "write_$written"),
        signature="int list -> string",
        code="let $f l = $written",
        gaps={"written": _WRITTEN},
        inputs=(lists(_SMALL, 1, 5, far=12),),
    ),
    Task(
        level=1,
        says=(
            'An equation `s` looks like `"3+4=7"`, but may be wrong. `$f s` tells if $equation.',
            'Look at an equation `s` such as `"3+4=7"` or `"3+4=9"`. `$f s` is `true` if $equation.',
        ),
        names=("$equation", "is_$equation"),
        signature="string -> bool",
        code='let $f s = Scanf.sscanf s "%d+%d=%d" (fun a b c -> $equation)',
        gaps={"equation": _EQUATION, "near": number(1, 3)},
        inputs=(_text(_equation),),
    ),
    Task(
        level=1,
        says=(
            'A formula `s` such as `"3x+4"` has two numbers, not negative. `$f s x` is $line.',
            'The string `s` is a formula such as `"3x+4"`, with other numbers of 0 or more. Write `$f s x` for $line.',
        ),
        names=("$line", "value_$line"),
        signature="string -> int -> int",
        code='let $f s x = Scanf.sscanf s "%dx+%d" (fun a b -> $line)',
        gaps={"k": number(1, 9), "line": _LINE},
        inputs=(_text(lambda chance: f"{chance.number(0, 9)}x+{chance.number(0, 20)}"), integers(-9, 20)),
    ),
    Task(
        level=1,
        says=(
            'For a formula `s` such as `"-3*(14-x)"`, `$f s` is $signs.',
            'The string `s` is a formula without spaces, such as `"-3*(14-x)"`. Write `$f s`, which returns $signs.',
        ),
        names=("$signs", "count_$signs"),
        signature="string -> int",
        code="let $f s =\n  String.fold_left (fun n c -> $signs) 0 s",
        gaps={"signs": _SIGNS},
        inputs=(_FORMULA,),
    ),
    Task(
        level=1,
        says=(
            'For a formula `s` such as `"3 * (14-2)"`, `$f s` is $rewritten.',
            'The string `s` is a formula such as `"3 * (14-2)"`. Write `$f s`, which returns $rewritten.',
        ),
        names=("$rewritten", "${rewritten}_formula"),
        signature="string -> string",
        code="let $f s = $rewritten",
        gaps={**_K, "rewritten": _REWRITTEN},
        inputs=(_SPACED,),
    ),
    Task(
        level=2,
        says=(
            "`$f op a b` is the result of the operator `op` for the numbers `a` and `b`: $op.",
            "Write `$f op a b`, which applies the operator `op` to two numbers: $op.",
        ),
        names=("$op", "${op}_numbers"),
        signature="char -> int -> int -> int",
        code="let $f op a b =\n  match op with\n  $op",
        gaps={**_K, "op": _OPERATORS},
        inputs=(characters("+-*<>lr~^?"), _NUMBER, _NUMBER),
    ),
    Task(
        level=2,
        says=(
            'A formula such as `"12+5"` has two numbers, not negative, and one sign between. `$f s` is $value.',
            'The string `s` is two numbers of 0 or more with an operator between, as in `"12+5"`. Write `$f s`: it is $value.',
        ),
        names=("$value", "${value}_of"),
        signature="string -> int option",
        code='let $f s =\n  let compute a op b =\n    match op with\n    $value\n  in\n  Scanf.sscanf s "%d%c%d" compute',
        gaps={"value": _OPTIONAL},
        inputs=(
            _text(_operation, "7/0", "0/7", "7/7", "3-5", "5-5", "7/2", "7*3", "12+4", "12?4", "0/0", "0*5", "5-3"),
        ),
    ),
    Task(
        level=2,
        says=(
            "The steps of a calculation are pairs of a sign and a number. From the value `start` on, in order: $run. "
            "`$f start steps` is the value at the end.",
            "Write `$f start steps`, which begins with the value `start` and carries out a list of steps, pairs of a sign and "
            "a number: $run. It returns the last value.",
        ),
        names=("$run", "${run}_steps"),
        signature="int -> (char * int) list -> int",
        code="let $f start steps =\n  let step value (op, n) =\n    match op with\n    $run\n  in\n"
        "  List.fold_left step start steps",
        gaps={"run": _RUN},
        inputs=(_NUMBER, _STEPS),
    ),
    Task(
        level=2,
        says=(
            "For an expression `e` of type `expr`, `$f e` is $what.",
            "Expressions are numbers, sums, products and negatives. Write the recursive function `$f e`, which returns $what.",
        ),
        names=("$what", "${what}_of"),
        signature=f"{_EXPR_TYPE}\n\nval $f : expr -> int",
        code=f"{_EXPR_TYPE}\n\nlet rec $f = function\n  $what",
        gaps={**_K, "what": _EVALUATED},
        inputs=(_EXPR,),
    ),
    Task(
        level=2,
        says=(
            "For an expression `e`, `$f e` is the same expression $changed, at every depth.",
            "Expressions are numbers, sums, products and negatives. `$f e` is the expression `e` $changed, however deep.",
        ),
        names=("$changed", "${changed}_expr"),
        signature=f"{_EXPR_TYPE}\n\nval $f : expr -> expr",
        code=f"{_EXPR_TYPE}\n\nlet rec $f = function\n  $changed",
        gaps={**_K, "changed": _CHANGED},
        inputs=(_EXPR,),
    ),
    Task(
        level=2,
        says=(
            "`$f e` writes an expression: a number by itself, and `Neg (Add (Num 3, Num 4))` as $way.",
            "Write `$f e`, which makes a string of an expression. Numbers are written by themselves, and "
            "`Neg (Add (Num 3, Num 4))` becomes $way.",
        ),
        names=("show", "to_string", "write_expr", "expr_string"),
        signature=f"{_EXPR_TYPE}\n\nval $f : expr -> string",
        code=f"{_EXPR_TYPE}\n\nlet rec $f = function\n  | Num n -> string_of_int n\n  $way",
        gaps={"way": _WAYS},
        inputs=(_EXPR,),
    ),
    Task(
        level=2,
        says=(
            "For an expression `e` of type `expr`, `$f e` is $leaves.",
            "Expressions are numbers, sums, products and negatives. Write the recursive function `$f e`, which returns $leaves.",
        ),
        names=("$leaves", "${leaves}_of"),
        signature=f"{_EXPR_TYPE}\n\nval $f : expr -> int list",
        code=f"{_EXPR_TYPE}\n\nlet rec $f = function\n  | Num n -> [ n ]\n  | Add (a, b) | Mul (a, b) -> $leaves",
        gaps={"leaves": _LEAVES},
        inputs=(_EXPR,),
    ),
    Task(
        level=2,
        says=(
            "A formula may have `X`, numbers, sums and products in it. For a formula `e`, `$f e x` is $what.",
            "Write the recursive function `$f e x`. For a formula `e` it returns $what.",
        ),
        names=("$what", "${what}_x"),
        signature=f"{_FORMULA_TYPE}\n\nval $f : formula -> int -> int",
        code=f"{_FORMULA_TYPE}\n\nlet rec $f e x =\n  match e with\n  $what",
        gaps={"what": _OF_FORMULA},
        inputs=(_LINEAR, integers(-5, 9)),
    ),
    Task(
        level=2,
        says=(
            "A stack is a list of numbers, the top one first. `Push n` puts `n` on top, `First` $first, and `Second` "
            "$second. With fewer than two numbers, these two change nothing. `$f token stack` is the new stack.",
            "Write `$f token stack` for a stack, a list with its top first. `Push n` puts `n` on top; with at least two "
            "numbers, `First` $first, and `Second` $second; otherwise the stack stays.",
        ),
        names=("step", "push_or_apply", "next_stack"),
        signature=f"{_TOKEN_TYPE}\n\nval $f : token -> int list -> int list",
        code=f"{_TOKEN_TYPE}\n\nlet $f token stack =\n  match (token, stack) with\n  | Push n, _ -> n :: stack\n"
        "  | First, a :: b :: rest -> $first\n  | Second, a :: b :: rest -> $second\n  | _ -> stack",
        gaps={"first": _FIRST, "second": _SECOND},
        inputs=(Input(_token), lists(_NUMBER, 0, 5, far=9)),
        edges=(
            *((token, stack) for stack in ("[]", "[5]", "[3; 7]", "[7; 3; 7]") for token in ("First", "Second")),
            ("Push 0", "[]"),
            ("First", "[4; 4]"),
        ),
    ),
    Task(
        level=2,
        says=(
            'A formula `s` such as `"3+4-5"` has numbers of one digit, with `+` or `-` between. `$f s` is $short.',
            'The string `s` is a formula such as `"3+4-5"`: digits, with one sign between neighbours. Write `$f s`, which '
            "returns $short.",
        ),
        names=("$short", "${short}_of"),
        signature="string -> int",
        code="let $f s =\n  let digit c = Char.code c - Char.code '0' in\n  let step (value, sign) = function\n    $short\n"
        "  in\n  fst (String.fold_left step (0, 1) s)",
        gaps={**_K, "short": _SHORT},
        inputs=(_text(_short, "7", "0", "0-5", "5-5", "9-9+9", "3-4-5", "3-4+5", "8+1-1"),),
    ),
    Task(
        level=2,
        says=(
            'In a formula such as `"2*3+4*5*1"`, `+` separates the parts. Each part gives a number: $inner. `$f s` is $outer. '
            "No number is negative.",
            'The parts of a formula `s` such as `"2*3+4*5*1"` have `+` between them. Take for each part $inner. Then `$f s` is '
            "$outer. No number is negative.",
        ),
        names=("parts_$outer", "formula_$outer", "${outer}_of_parts"),
        signature="string -> int",
        code="let $f s =\n  let part p = $inner in\n  $outer (String.split_on_char '+' s)",
        gaps={"inner": _INNER, "outer": _OUTER},
        inputs=(_text(_sums("+", "*"), "7", "0", "2*3", "2+3", "0*5+1", "10*12+3", "2*2*2*2", "1+1+1+1"),),
    ),
    Task(
        level=2,
        says=(
            "If `s` is a number for `int_of_string_opt`, `$f s values` is `Some` of it. Else `s` is a name, and the result is "
            "$value. The list `values` has pairs of a name and its value; if a name comes twice, the first one counts.",
            "The string `s` is a number (`int_of_string_opt` tells) or a name, and `values` is a list of names with their "
            "values, of which the first one counts if a name comes twice. `$f s values` is `Some` of the number, and for a name it is $value.",
        ),
        names=("lookup", "operand", "value_of_atom"),
        signature="string -> (string * int) list -> int option",
        code="let $f s values =\n  match int_of_string_opt s with\n  | Some n -> Some n\n  | None -> $value",
        gaps={**_K, "value": _OF_NAME},
        inputs=(_ATOM, _VALUES),
    ),
)
