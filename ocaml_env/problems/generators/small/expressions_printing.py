"""Small tasks on writing formulas and values as text: signs, brackets, separators, small trees."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, options, texts, words
from ocaml_env.problems.generators.task import Gap, Task

__all__ = ["TASKS"]


def _expr(chance: Chance, depth: int = 0) -> str:
    depth = depth or chance.pick((2, 3, 3, 4, 5))
    if depth == 1 or chance.happens(0.15):
        return f"Num {chance.between(0, 12)}"
    return f"{chance.pick(('Plus', 'Times'))} ({_expr(chance, depth - 1)}, {_expr(chance, depth - 1)})"


def _claim(chance: Chance, depth: int = 3) -> str:
    if depth == 0 or chance.happens(0.15):
        return f'Name "{chance.pick(("p", "q", "r", "s", "rain"))}"'
    if chance.happens(0.4):
        return f"Not ({_claim(chance, depth - 1)})"
    return f"Both ({_claim(chance, depth - 1)}, {_claim(chance, depth - 1)})"


_PLAIN = integers(0, 50, far=9999)
_SIGN: Gap = (("+",), ("-",), ("*",), ("<",), ("=",), ("->",))
_JOINED: Gap = (
    ("`, `", '", "'),
    ("`; `", '"; "'),
    ("` + `", '" + "'),
    ("` * `", '" * "'),
    ("` or `", '" or "'),
    ("` < `", '" < "'),
    ("`/`", '"/"'),
)
_EXPR = "type expr = Num of int | Plus of expr * expr | Times of expr * expr\n\n"
_CLAIM = "type claim = Name of string | Not of claim | Both of claim * claim\n\n"
_EXPRS = Input(
    _expr,
    (
        "Num 7",
        "Plus (Num 1, Num 2)",
        "Times (Num 3, Num 0)",
        "Times (Plus (Num 1, Num 2), Num 3)",
        "Plus (Num 1, Plus (Num 2, Num 3))",
        "Num 120",
    ),
)

TASKS = (
    Task(
        level=1,
        says=(
            "`$f a b` writes the numbers `a` and `b` the way that $form is written for 3 and 4. They are not negative.",
            "Make a text of two numbers that are not negative: `$f 3 4` is $form, and so on.",
            "For `$f a b`, write the two numbers (not negative) as text, like $form for `a = 3` and `b = 4`.",
        ),
        names=("show", "write", "text_of"),
        signature="int -> int -> string",
        code="let $f a b = $form",
        gaps={
            "sign": _SIGN,
            "form": (
                ("`3 $sign 4`", 'string_of_int a ^ " $sign " ^ string_of_int b'),
                ("`(3 $sign 4)`", '"(" ^ string_of_int a ^ " $sign " ^ string_of_int b ^ ")"'),
                ("`4 $sign 3`", 'string_of_int b ^ " $sign " ^ string_of_int a'),
                ("`3 4 $sign`", 'string_of_int a ^ " " ^ string_of_int b ^ " $sign"'),
                ("`[3..4]`", '"[" ^ string_of_int a ^ ".." ^ string_of_int b ^ "]"'),
                ("`pair(3, 4)`", '"pair(" ^ string_of_int a ^ ", " ^ string_of_int b ^ ")"'),
                ("`3 + 4 = 7`", 'Printf.sprintf "%d + %d = %d" a b (a + b)'),
                ("`3 * 4 = 12`", 'Printf.sprintf "%d * %d = %d" a b (a * b)'),
                ("`4 - 3 = 1`", 'Printf.sprintf "%d - %d = %d" b a (b - a)'),
            ),
        },
        inputs=(_PLAIN, _PLAIN),
    ),
    Task(
        level=1,
        says=(
            "The text `s` is a formula, such as `x`. `$f s` is the longer formula $form.",
            "From a formula `s`, make another one: from `x` the function `$f` makes $form.",
            '`$f s` puts the formula `s` into a greater one, so that `$f "x"` is $form.',
        ),
        names=("wrap", "enclose", "around"),
        signature="string -> string",
        code="let $f s = $form",
        gaps={
            "sign": _SIGN,
            "form": (
                ("`(x)`", '"(" ^ s ^ ")"'),
                ("`-(x)`", '"-(" ^ s ^ ")"'),
                ("`|x|`", '"|" ^ s ^ "|"'),
                ("`sqrt(x)`", '"sqrt(" ^ s ^ ")"'),
                ("`(x)^2`", '"(" ^ s ^ ")^2"'),
                ("`{x}`", '"{" ^ s ^ "}"'),
                ("`x $sign x`", 's ^ " $sign " ^ s'),
                ("`(x $sign x)`", '"(" ^ s ^ " $sign " ^ s ^ ")"'),
                ("`f(x, x)`", '"f(" ^ s ^ ", " ^ s ^ ")"'),
            ),
        },
        inputs=(texts(1, 5, among="abxyAX12+ ()", far=12),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is one string: the numbers in `l`, in order, $how.",
            "Write the numbers of the list `l` as one string, $how: `$f l`.",
        ),
        names=("join", "show_list", "join_numbers"),
        signature="int list -> string",
        code="let $f l = $how",
        gaps={
            "joined": _JOINED,
            "all": (("", "String.concat $joined (List.map string_of_int l)"),),
            "how": (
                ("with $joined between each two", "$all"),
                ("with $joined between each two, and all in square brackets", '"[" ^ $all ^ "]"'),
                ("with $joined between each two, and all in braces", '"{" ^ $all ^ "}"'),
                ("with $joined between each two, and `= 0` (after a space) at the end", '$all ^ " = 0"'),
            ),
        },
    ),
    Task(
        level=1,
        says=(
            "`$f l` is a string of the names in the list `l` with $joined between each two$end.",
            "Join the names in `l` to one string, with $joined between each two$end: `$f l`.",
        ),
        names=("join_names", "line_of"),
        signature="string list -> string",
        code="let $f l = $end",
        gaps={
            "joined": _JOINED,
            "end": (
                ("", "String.concat $joined l"),
                (", the last name first", "String.concat $joined (List.rev l)"),
                (", each in double quotes", 'String.concat $joined (List.map (fun s -> "\\"" ^ s ^ "\\"") l)'),
                (", each in round brackets", 'String.concat $joined (List.map (fun s -> "(" ^ s ^ ")") l)'),
                (", in alphabetical order", "String.concat $joined (List.sort compare l)"),
            ),
        },
        inputs=(lists(words(), 0, 4, far=9),),
    ),
    Task(
        level=1,
        says=(
            "`$f n` writes the number `n` in decimal digits, but $how.",
            "Write `n` as a string of decimal digits, where $how: that is `$f n`.",
        ),
        names=("show_number", "signed", "digits"),
        signature="int -> string",
        code="let $f n = $how",
        gaps={
            "how": (
                (
                    "a negative one stands in round brackets, as in `(-5)`",
                    'if n < 0 then "(" ^ string_of_int n ^ ")" else string_of_int n',
                ),
                (
                    "a positive one has a `+` in front, as in `+5`",
                    'if n > 0 then "+" ^ string_of_int n else string_of_int n',
                ),
                (
                    "a negative one stands in round brackets instead of its sign, as in `(5)` for -5",
                    'if n < 0 then "(" ^ string_of_int (-n) ^ ")" else string_of_int n',
                ),
                (
                    "a negative one has `minus`, a space and then its digits, as in `minus 5`",
                    'if n < 0 then "minus " ^ string_of_int (-n) else string_of_int n',
                ),
                (
                    "a negative one has its sign at the end, as in `5-`",
                    'if n < 0 then string_of_int (-n) ^ "-" else string_of_int n',
                ),
                ("0 becomes an empty string", 'if n = 0 then "" else string_of_int n'),
            )
        },
        inputs=(integers(-30, 30, far=9999),),
    ),
    Task(
        level=1,
        says=(
            '`$f x n` writes the name `x` and the number `n`, which is not negative, like $form for `"v"` and 5.',
            'Make a text of a name and of a number that is not negative, so that `$f "v" 5` is $form.',
        ),
        names=("item", "named", "write_item"),
        signature="string -> int -> string",
        code="let $f x n = $form",
        gaps={
            "form": (
                ("`v = 5`", 'x ^ " = " ^ string_of_int n'),
                ("`5v`", "string_of_int n ^ x"),
                ("`v^5`", 'x ^ "^" ^ string_of_int n'),
                ("`v[5]`", 'x ^ "[" ^ string_of_int n ^ "]"'),
                ("`v(5)`", 'x ^ "(" ^ string_of_int n ^ ")"'),
                ("`let v = 5`", '"let " ^ x ^ " = " ^ string_of_int n'),
                ("`5 * v`", 'string_of_int n ^ " * " ^ x'),
                ("`v + 5 = 0`", 'x ^ " + " ^ string_of_int n ^ " = 0"'),
                ("`-5v`", '"-" ^ string_of_int n ^ x'),
            )
        },
        inputs=(words(), integers(0, 40, far=9999)),
    ),
    Task(
        level=1,
        says=(
            "Parts of the formula `s` are separated by `$c`, as in `a${c}b`. `$f s` is $what.",
            "Take a formula `s` whose parts are separated by `$c`: `$f s` is $what.",
        ),
        names=("part_of", "read_formula"),
        signature="string -> string",
        code="let $f s = $what",
        gaps={
            "c": (("+",), ("*",), ("=",), (";",)),
            "what": (
                ("its first part", "List.hd (String.split_on_char '$c' s)"),
                ("its last part", "List.hd (List.rev (String.split_on_char '$c' s))"),
                (
                    "the same formula with ` $c ` in place of each `$c`",
                    "String.concat \" $c \" (String.split_on_char '$c' s)",
                ),
                (
                    "the same formula with its parts the other way round",
                    "String.concat \"$c\" (List.rev (String.split_on_char '$c' s))",
                ),
                ("the text of all its parts without the `$c`", "String.concat \"\" (String.split_on_char '$c' s)"),
            ),
        },
        inputs=(texts(0, 7, among="abA+*=; ", far=14),),
        edges=(('"a"',), ('"+a*b=ab;"',), ('"a+b+ab"',), ('"a*b*ab"',), ('"a=b=ab"',), ('"a;b;ab"',), ('"+*=;;=*+"',)),
    ),
    Task(
        level=2,
        says=(
            "`$f e` writes a formula as text$style. No number in it is negative.",
            "Write formulas as text$style: `$f e`. Numbers are never negative.",
        ),
        names=("show", "print_expr", "text_of_expr"),
        signature=f"{_EXPR}val $f : expr -> string",
        code=f"{_EXPR}let rec $f e =\n  match e with\n  | Num n -> string_of_int n\n$style",
        gaps={
            "style": (
                (
                    ", each sum and each product in round brackets, such as `(1 + (2 * 3))`",
                    '  | Plus (a, b) -> "(" ^ $f a ^ " + " ^ $f b ^ ")"\n  | Times (a, b) -> "(" ^ $f a ^ " * " ^ $f b ^ ")"',
                ),
                (
                    ", each sum in round brackets and products without any, such as `(1 + 2 * 3)`",
                    '  | Plus (a, b) -> "(" ^ $f a ^ " + " ^ $f b ^ ")"\n  | Times (a, b) -> $f a ^ " * " ^ $f b',
                ),
                (
                    ", each sign before its two parts, such as `+ 1 * 2 3` for 1 plus the product of 2 and 3",
                    '  | Plus (a, b) -> "+ " ^ $f a ^ " " ^ $f b\n  | Times (a, b) -> "* " ^ $f a ^ " " ^ $f b',
                ),
                (
                    ", each sign behind its two parts, such as `1 2 3 * +` for 1 plus the product of 2 and 3",
                    '  | Plus (a, b) -> $f a ^ " " ^ $f b ^ " +"\n  | Times (a, b) -> $f a ^ " " ^ $f b ^ " *"',
                ),
                (
                    " like calls of functions, such as `add(1, mul(2, 3))`",
                    '  | Plus (a, b) -> "add(" ^ $f a ^ ", " ^ $f b ^ ")"\n  | Times (a, b) -> "mul(" ^ $f a ^ ", " ^ $f b ^ ")"',
                ),
                (
                    " in words without brackets, such as `1 plus 2 times 3`",
                    '  | Plus (a, b) -> $f a ^ " plus " ^ $f b\n  | Times (a, b) -> $f a ^ " times " ^ $f b',
                ),
            )
        },
        inputs=(_EXPRS,),
    ),
    Task(
        level=2,
        says=(
            "`$f c` writes a claim as text: `Not` as $no and `Both` as $both, for the names `p` and `q`. A name is written as it is.",
            "Claims are written as text, names as they are, the opposite of `p` as $no, and `p` together with `q` as $both. Write `$f c`.",
        ),
        names=("show_claim", "text_of_claim"),
        signature=f"{_CLAIM}val $f : claim -> string",
        code=f"{_CLAIM}let rec $f c =\n  match c with\n  | Name s -> s\n  | Not a -> $no\n  | Both (a, b) -> $both",
        gaps={
            "no": (
                ("`!p`", '"!" ^ $f a'),
                ("`not p`", '"not " ^ $f a'),
                ("`(not p)`", '"(not " ^ $f a ^ ")"'),
                ("`p'`", '$f a ^ "\'"'),
            ),
            "both": (
                ("`(p & q)`", '"(" ^ $f a ^ " & " ^ $f b ^ ")"'),
                ("`[p and q]`", '"[" ^ $f a ^ " and " ^ $f b ^ "]"'),
                ("`both(p, q)`", '"both(" ^ $f a ^ ", " ^ $f b ^ ")"'),
            ),
        },
        inputs=(
            Input(
                _claim,
                (
                    'Name "p"',
                    'Not (Name "q")',
                    'Both (Name "p", Name "q")',
                    'Not (Not (Name "p"))',
                    'Not (Both (Name "q", Not (Name "s")))',
                    'Both (Both (Name "p", Name "q"), Name "r")',
                ),
            ),
        ),
    ),
    Task(
        level=2,
        says=(
            "`$f e` is $what.",
            "Write a recursive function `$f e` for $what.",
        ),
        names=("measure", "count", "size_of"),
        signature=f"{_EXPR}val $f : expr -> int",
        code=f"{_EXPR}let rec $f e =\n  match e with\n  | Num _ -> $what",
        gaps={
            "what": (
                (
                    "the number of pairs of brackets in the formula `e` if each sum and each product is written in brackets",
                    "0\n  | Plus (a, b) | Times (a, b) -> 1 + $f a + $f b",
                ),
                (
                    "the number of plus signs that are needed to write `e`",
                    "0\n  | Plus (a, b) -> 1 + $f a + $f b\n  | Times (a, b) -> $f a + $f b",
                ),
                (
                    "the number of times that a number is written in the formula `e`",
                    "1\n  | Plus (a, b) | Times (a, b) -> $f a + $f b",
                ),
                (
                    "the greatest number of brackets inside each other in the formula `e`, where each sum and each product has a pair of brackets",
                    "0\n  | Plus (a, b) | Times (a, b) -> 1 + max ($f a) ($f b)",
                ),
                (
                    "the number of pairs of brackets in the formula `e` if each sum is written in brackets, and no product",
                    "0\n  | Times (a, b) -> $f a + $f b\n  | Plus (a, b) -> 1 + $f a + $f b",
                ),
            )
        },
        inputs=(_EXPRS,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` writes the numbers in `l` as a sum, such as $form for `[3; -4; 5]`. For the empty list it is `$none`.",
            "Write a list of numbers as a sum, in which a negative number is taken away: `$f [3; -4; 5]` is $form, and `$f []` is `$none`.",
        ),
        names=("show_sum", "as_sum"),
        signature="int list -> string",
        code='let $f l =\n  let term n = $form (abs n) in\n  match l with\n  | [] -> "$none"\n  | x :: rest -> string_of_int x ^ String.concat "" (List.map term rest)',
        gaps={
            "none": (("0",), ("none",), ("nothing",), ("empty",)),
            "form": (
                ("`3 - 4 + 5`", '(if n < 0 then " - " else " + ") ^ string_of_int'),
                ("`3-4+5`", '(if n < 0 then "-" else "+") ^ string_of_int'),
                ("`3 minus 4 plus 5`", '(if n < 0 then " minus " else " plus ") ^ string_of_int'),
            ),
        },
        inputs=(lists(integers(-20, 20, far=500), 0, 5, far=11),),
        edges=(("[]",), ("[0]",), ("[-3]",), ("[0; 0]",), ("[5; -5]",), ("[-1; -2; 3]",)),
    ),
    Task(
        level=2,
        says=(
            "`$f n x` writes $what. `n` may be negative.",
            "Write $what: `$f n x`, where `n` may be negative.",
        ),
        names=("term", "show_term"),
        signature="int -> string -> string",
        code="let $f n x =\n  match n with\n$what",
        gaps={
            "what": (
                (
                    "`n` times the unknown `x`, as in `3y` for 3 and `y`; but 0 is only `0`, 1 only `y`, and -1 only `-y`",
                    '  | 0 -> "0"\n  | 1 -> x\n  | -1 -> "-" ^ x\n  | _ -> string_of_int n ^ x',
                ),
                (
                    "a power, such as `y^3` for 3 and `y`; but for 0 only `1`, and for 1 only `y`",
                    '  | 0 -> "1"\n  | 1 -> x\n  | _ -> x ^ "^" ^ string_of_int n',
                ),
                (
                    "a number of things, as in `3 trees` for 3 and `tree`; but for 0 it is `no trees`, and for 1 `a tree`",
                    '  | 0 -> "no " ^ x ^ "s"\n  | 1 -> "a " ^ x\n  | _ -> string_of_int n ^ " " ^ x ^ "s"',
                ),
                (
                    "what is added to the unknown `x`, such as `y + 3`, `y - 3` for -3, and only `y` for 0",
                    '  | 0 -> x\n  | _ when n < 0 -> x ^ " - " ^ string_of_int (-n)\n  | _ -> x ^ " + " ^ string_of_int n',
                ),
            ),
        },
        inputs=(integers(-5, 9, far=99), words()),
    ),
    Task(
        level=2,
        says=(
            "`$f a op b` writes an operation on two numbers, like $form for 3, `Add` and 4. The signs are `$plus` for `Add`, `$less` for `Sub` and `$mul` for `Mul`. Numbers are not negative.",
            "Write an operation as text, $form for 3, `Add` and 4, with the signs `$plus`, `$less` and `$mul` for `Add`, `Sub` and `Mul`: `$f a op b`. No number is negative.",
        ),
        names=("show_operation", "write_op"),
        signature="type op = Add | Sub | Mul\n\nval $f : int -> op -> int -> string",
        code='type op = Add | Sub | Mul\n\nlet $f a op b =\n  let sign = match op with Add -> "$plus" | Sub -> "$less" | Mul -> "$mul" in\n  $form',
        gaps={
            "plus": (("+",), ("plus",), ("&",)),
            "less": (("-",), ("minus",)),
            "mul": (("*",), ("times",), (".",)),
            "form": (
                ("`3 $plus 4`", 'string_of_int a ^ " " ^ sign ^ " " ^ string_of_int b'),
                ("`(3 $plus 4)`", '"(" ^ string_of_int a ^ " " ^ sign ^ " " ^ string_of_int b ^ ")"'),
                ("`$plus(3, 4)`", 'sign ^ "(" ^ string_of_int a ^ ", " ^ string_of_int b ^ ")"'),
                ("`3 4 $plus`", 'string_of_int a ^ " " ^ string_of_int b ^ " " ^ sign'),
            ),
        },
        inputs=(_PLAIN, one_of("Add", "Sub", "Mul"), _PLAIN),
    ),
    Task(
        level=2,
        says=(
            "`$f l` writes the numbers in `l` with $joined between each two, and `$none` for each `None`. Numbers are written in decimal digits.",
            "Some numbers in `l` are unknown. `$f l` is a string with all of them, $joined between each two, and `$none` where there is `None`.",
        ),
        names=("show_row", "with_gaps"),
        signature="int option list -> string",
        code='let $f l =\n  let show = function None -> "$none" | Some n -> string_of_int n in\n  String.concat $joined (List.map show l)',
        gaps={"joined": _JOINED, "none": (("?",), ("-",), ("none",), ("x",), ("_",))},
        inputs=(lists(options(integers(0, 30, far=999)), 0, 5, far=11),),
    ),
    Task(
        level=2,
        says=(
            "`l` is a list of rows of numbers. `$f l` writes it like $form for `[[1; 2]; [3]]`; an empty row has nothing between its brackets.",
            "Write a list of lists of numbers as one string, so that `$f [[1; 2]; [3]]` is $form. Empty lists are written in the same way.",
        ),
        names=("show_rows", "show_table"),
        signature="int list list -> string",
        code="let $f l =\n  let row r = $form (List.map row l)",
        gaps={
            "form": (
                ("`[1, 2] [3]`", '"[" ^ String.concat ", " (List.map string_of_int r) ^ "]" in\n  String.concat " "'),
                ("`(1 2); (3)`", '"(" ^ String.concat " " (List.map string_of_int r) ^ ")" in\n  String.concat "; "'),
                ("`{1,2}{3}`", '"{" ^ String.concat "," (List.map string_of_int r) ^ "}" in\n  String.concat ""'),
                ("`<1 2> + <3>`", '"<" ^ String.concat " " (List.map string_of_int r) ^ ">" in\n  String.concat " + "'),
            )
        },
        inputs=(lists(lists(integers(0, 20), 0, 3), 0, 3, far=7),),
    ),
)
