"""Small tasks with given functions: combine them, choose by a predicate, and use them on lists, pairs and options."""

from __future__ import annotations

from ocaml_env.problems.generators.inputs import integers, lists, one_of, tuples
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_MAPS = one_of("(fun n -> n + 3)", "(fun n -> 2 * n)", "(fun n -> 10 - n)", "(fun n -> n - 7)", "succ", "abs")
_TESTS = one_of("(fun n -> n > 5)", "(fun n -> n mod 2 = 0)", "(fun n -> n < 0)", "(fun n -> n mod 3 <> 0)")
_CHANGING = one_of("(fun n -> n + 3)", "(fun n -> 2 * n)", "(fun n -> 10 - n)", "(fun n -> n - 7)", "succ")
_OFTEN = one_of("(fun n -> n > 5)", "(fun n -> n mod 2 = 0)", "(fun n -> n mod 3 <> 0)", "(fun n -> n < 12)")
_JOINS = one_of("( + )", "( - )", "( * )", "max", "(fun a b -> (2 * a) + b)", "(fun a b -> a - (3 * b))")
_PARTIAL = one_of(
    "(fun n -> if n > 0 then Some (n - 1) else None)",
    "(fun n -> if n mod 2 = 0 then Some (n / 2) else None)",
    "(fun n -> if n < 9 then Some (n + 4) else None)",
    "(fun n -> Some (10 - n))",
)
_ANY = integers(-9, 20)
_LIST = lists(_ANY, 0, 5, far=12)

_GAPS: dict[str, Gap] = {
    "k": number(2, 20),
    "d": number(2, 5),
    "two": (
        ("`f` applied to the result of `g x`", "f (g x)"),
        ("`g` applied to the result of `f x`", "g (f x)"),
        ("the sum of `f x` and `g x`", "f x + g x"),
        ("`f x` minus `g x`", "f x - g x"),
        ("the product of `f x` and `g x`", "f x * g x"),
        ("the greater of `f x` and `g x`", "max (f x) (g x)"),
        ("`f` applied to the sum of `g x` and $k", "f (g x + $k)"),
        ("the sum of `f x` and $d times `g x`", "f x + ($d * g x)"),
        ("`f` of `x`, minus `g` of `x + $k`", "f x - g (x + $k)"),
    ),
    "choice": (
        ("`f x` if `p x` is true, and otherwise `x`", "if p x then f x else x"),
        ("`x` if `p x` is true, and otherwise `f x`", "if p x then x else f x"),
        ("`f x` if `p` is true of that, and otherwise `x`", "if p (f x) then f x else x"),
        ("`f x` if `p x` is true, and otherwise $k", "if p x then f x else $k"),
        ("$d times `f x` if `p x` is true, and otherwise `f x`", "if p x then $d * f x else f x"),
        ("`f x` if `p x` is true, and otherwise `f $k`", "if p x then f x else f $k"),
        ("`f x` if `p x` is true, and otherwise `x + $k`", "if p x then f x else x + $k"),
        ("`f x` if `p (x + $k)` is true, and otherwise `x`", "if p (x + $k) then f x else x"),
    ),
    "joined": (
        ("`h` applied to `y` and `x`, in this order", "h y x"),
        ("`h` applied to `x` and the result of `h x y`", "h x (h x y)"),
        ("`h` applied to the result of `h x y` and `y`", "h (h x y) y"),
        ("`h x y` minus `h y x`", "h x y - h y x"),
        ("`h` applied to `x + $k` and `y`", "h (x + $k) y"),
        ("`h` applied to `y` and $k times `x`", "h y ($k * x)"),
        ("the greater of `h x y` and `h y x`", "max (h x y) (h y x)"),
    ),
    "logic": (
        ("both `p x` and `q x` are true", "p x && q x"),
        ("at least one of `p x` and `q x` is true", "p x || q x"),
        ("exactly one of `p x` and `q x` is true", "p x <> q x"),
        ("`p x` and `q x` have the same value", "p x = q x"),
        ("`p x` is true and `q x` is false", "p x && not (q x)"),
        ("neither `p x` nor `q x` is true", "not (p x || q x)"),
        ("`p x` is true and `q (x + $k)` too", "p x && q (x + $k)"),
        ("`p x` or `q ($d * x)` is true, or both", "p x || q ($d * x)"),
    ),
    "of_list": (
        ("the list of `f x` for all elements `x` of `l` with `p x` true", "List.map f (List.filter p l)"),
        ("the list of `f x` for all elements `x` of `l` with `p (f x)` true", "List.filter p (List.map f l)"),
        (
            "the list of `f x` for all elements `x` of `l` with `p x` false",
            "List.map f (List.filter (fun x -> not (p x)) l)",
        ),
        ("the list of all elements `x` of `l` with `p (f x)` true", "List.filter (fun x -> p (f x)) l"),
        ("the list of all elements `x` of `l` with `p (f x + $k)` true", "List.filter (fun x -> p (f x + $k)) l"),
        (
            "the list `l` with each `x` replaced by `f x` if `p x` is true",
            "List.map (fun x -> if p x then f x else x) l",
        ),
        (
            "the list `l` with each `x` replaced by `f x` if `p x` is true, else by $k",
            "List.map (fun x -> if p x then f x else $k) l",
        ),
    ),
    "of_pair": (
        ("`f x` and `g y`", "(f x, g y)"),
        ("`g y` and `f x`", "(g y, f x)"),
        ("`f y` and `g x`", "(f y, g x)"),
        ("`f x` and `g (f y)`", "(f x, g (f y))"),
        ("`f (x + y)` and `g (x - y)`", "(f (x + y), g (x - y))"),
        ("`f (x + $k)` and `g y`", "(f (x + $k), g y)"),
        ("`f x + g y` and $k", "(f x + g y, $k)"),
    ),
    "a": (("f x", "f x"), ("f (g x)", "f (g x)"), ("f (x + $k)", "f (x + $k)"), ("f x - $d", "f x - $d")),
    "b": (
        ("g a", "g a"),
        ("g (f a)", "g (f a)"),
        ("g (a + x)", "g (a + x)"),
        ("g x", "g x"),
        ("g ($d * a)", "g ($d * a)"),
    ),
    "last": (
        ("h a b", "h a b"),
        ("h b a", "h b a"),
        ("h (h a b) x", "h (h a b) x"),
        ("h b (h x a)", "h b (h x a)"),
        ("h a (b + $k)", "h a (b + $k)"),
    ),
    "each": (
        ("`f x` for each element `x` of `l` with `p x` true", "if p x then f x :: $f p f rest else $f p f rest"),
        (
            "`f x` for each element `x` of `l` with `p x` true, and $k for the others",
            "(if p x then f x else $k) :: $f p f rest",
        ),
        (
            "each element `x` of `l`, followed by `f x` if `p x` is true",
            "if p x then x :: f x :: $f p f rest else x :: $f p f rest",
        ),
        (
            "`f x` for each element `x` of `l` before the first with `p x` true",
            "if p x then [] else f x :: $f p f rest",
        ),
        (
            "the elements of `l`, but `f x` for the first `x` with `p x` true",
            "if p x then f x :: rest else x :: $f p f rest",
        ),
    ),
    "sum": (
        ("the number of elements `x` of `l` with `p (f x)` true", "if p (f x) then 1 else 0"),
        ("the sum of `f x` over all elements `x` of `l` with `p x` true", "if p x then f x else 0"),
        ("the sum of `f x` over all elements `x` of `l` with `p (f x)` true", "if p (f x) then f x else 0"),
        ("the sum of all elements `x` of `l`, where `f x` counts instead if `p x` is true", "if p x then f x else x"),
        (
            "the sum of `f x` over all elements `x` of `l` with `p x` true, and of $k for each other one",
            "if p x then f x else $k",
        ),
    ),
    "none": (("`None`", "None"), ("`Some $k`", "Some $k"), ("`g x`", "g x")),
    "some": (
        ("`g y`", "g y"),
        ("`g (y + x)`", "g (y + x)"),
        ("`g ($d * y)`", "g ($d * y)"),
        ("`g (y - $k)`", "g (y - $k)"),
    ),
    "else": (
        ("`x`", "x"),
        ("$k", "$k"),
        ("the sum of both", "a + b"),
        ("the greater of both", "max a b"),
        ("`x` minus $d", "x - $d"),
    ),
    "order": (
        ("`f x`, `g x`", "f x in\n  let b = g x"),
        ("`g x`, `f x`", "g x in\n  let b = f x"),
        ("`f x`, `g (f x)`", "f x in\n  let b = g a"),
    ),
    "fold": (
        ("from left to right, and at each element `x`, `v` becomes `h v x`", "$f h (h v x) rest"),
        ("from left to right, and at each element `x`, `v` becomes `h x v`", "$f h (h x v) rest"),
        ("from right to left, and at each element `x`, `v` becomes `h x v`", "h x ($f h v rest)"),
        ("from right to left, and at each element `x`, `v` becomes `h v x`", "h ($f h v rest) x"),
        ("from left to right, and at each element `x`, `v` becomes `h v (x + $k)`", "$f h (h v (x + $k)) rest"),
    ),
}

TASKS = (
    Task(
        level=1,
        says=("`$f f g x` is $two.", "Given two functions `f` and `g` and a number `x`, return $two: `$f f g x`."),
        names=("combine", "both", "compute"),
        signature="(int -> int) -> (int -> int) -> int -> int",
        code="let $f f g x = $two",
        gaps=_GAPS,
        inputs=(_MAPS, _MAPS, _ANY),
    ),
    Task(
        level=1,
        says=(
            "`$f p f x` is $choice.",
            "Let `p` be a predicate and `f` a function. Write `$f p f x`, which is $choice.",
        ),
        names=("choose", "apply_if", "decide"),
        signature="(int -> bool) -> (int -> int) -> int -> int",
        code="let $f p f x = $choice",
        gaps=_GAPS,
        inputs=(_OFTEN, _CHANGING, _ANY),
    ),
    Task(
        level=1,
        says=("`$f h x y` is $joined.", "For a function `h` of two numbers, `$f h x y` returns $joined."),
        names=("join", "use", "with_two"),
        signature="(int -> int -> int) -> int -> int -> int",
        code="let $f h x y = $joined",
        gaps=_GAPS,
        inputs=(_JOINS, _ANY, _ANY),
    ),
    Task(
        level=1,
        says=(
            "`$f p q x` tells whether $logic.",
            "Given two predicates `p` and `q`, write `$f p q x`: is it true that $logic?",
        ),
        names=("check", "question", "tests"),
        signature="(int -> bool) -> (int -> bool) -> int -> bool",
        code="let $f p q x = $logic",
        gaps=_GAPS,
        inputs=(_TESTS, _TESTS, _ANY),
    ),
    Task(
        level=1,
        says=(
            "`$f p f l` is $of_list. The order stays the same.",
            "For a predicate `p` and a function `f`, return $of_list: `$f p f l`.",
        ),
        names=("select", "transform", "process"),
        signature="(int -> bool) -> (int -> int) -> int list -> int list",
        code="let $f p f l = $of_list",
        gaps=_GAPS,
        inputs=(_TESTS, _MAPS, _LIST),
    ),
    Task(
        level=1,
        says=(
            "`$f f g (x, y)` is the pair of $of_pair.",
            "Take a pair `(x, y)` and return the pair of $of_pair: `$f f g (x, y)`.",
        ),
        names=("on_pair", "apply_pair", "map_pair"),
        signature="(int -> int) -> (int -> int) -> int * int -> int * int",
        code="let $f f g (x, y) = $of_pair",
        gaps=_GAPS,
        inputs=(_MAPS, _MAPS, tuples(_ANY, _ANY)),
    ),
    Task(
        level=2,
        says=(
            "Let `a` be `$a` and `b` be `$b`. Then `$f f g h x` is `$last`.",
            "Compute `$f f g h x` in steps: `a` is `$a`, `b` is `$b`, and the result is `$last`.",
        ),
        names=("compute", "assemble", "derive"),
        signature="(int -> int) -> (int -> int) -> (int -> int -> int) -> int -> int",
        code="let $f f g h x =\n  let a = $a in\n  let b = $b in\n  $last",
        gaps=_GAPS,
        inputs=(_MAPS, _MAPS, _JOINS, _ANY),
    ),
    Task(
        level=2,
        says=(
            "`$f p f l` is the list of $each, in the old order.",
            "Write a recursive function `$f p f l` that lists $each. The order stays the same.",
        ),
        names=("transform", "go_through", "rework"),
        signature="(int -> bool) -> (int -> int) -> int list -> int list",
        code="let rec $f p f l =\n  match l with\n  | [] -> []\n  | x :: rest -> $each",
        gaps=_GAPS,
        inputs=(_TESTS, _MAPS, _LIST),
    ),
    Task(
        level=2,
        says=(
            "`$f p f l` is $sum. For the empty list it is 0.",
            "Write a recursive function `$f p f l` that returns $sum (0 for the empty list).",
        ),
        names=("total", "measure", "count_up"),
        signature="(int -> bool) -> (int -> int) -> int list -> int",
        code="let rec $f p f l =\n  match l with\n  | [] -> 0\n  | x :: rest -> ($sum) + $f p f rest",
        gaps=_GAPS,
        inputs=(_TESTS, _MAPS, _LIST),
    ),
    Task(
        level=2,
        says=(
            "The functions `f` and `g` return options. `$f f g x` is $none if `f x` is `None`, and $some if it is `Some y`.",
            "Both `f` and `g` return an option. If `f x` is `Some y`, `$f f g x` is $some; if it is `None`, it is $none.",
        ),
        names=("then_try", "chain", "follow_up"),
        signature="(int -> int option) -> (int -> int option) -> int -> int option",
        code="let $f f g x =\n  match f x with\n  | None -> $none\n  | Some y -> $some",
        gaps=_GAPS,
        inputs=(_PARTIAL, _PARTIAL, _ANY),
    ),
    Task(
        level=2,
        says=(
            "`$f p f g x` is the first of the two values $order of which `p` is true. If there is none, it is $else.",
            "Try two values, one after the other: $order. The first of which `p` is true is `$f p f g x`; if it is true of "
            "neither, the result is $else.",
        ),
        names=("prefer", "first_good", "try_both"),
        signature="(int -> bool) -> (int -> int) -> (int -> int) -> int -> int",
        code="let $f p f g x =\n  let a = $order in\n  if p a then a else if p b then b else $else",
        gaps=_GAPS,
        inputs=(_TESTS, _MAPS, _MAPS, _ANY),
    ),
    Task(
        level=2,
        says=(
            "`$f h v l` goes through `l` $fold. The last `v` is the result.",
            "Begin with the value `v` and go through the list `l` $fold. Write a recursive function `$f h v l` for the last `v`.",
        ),
        names=("combine_all", "my_fold", "gather"),
        signature="(int -> int -> int) -> int -> int list -> int",
        code="let rec $f h v l =\n  match l with\n  | [] -> v\n  | x :: rest -> $fold",
        gaps=_GAPS,
        inputs=(_JOINS, _ANY, lists(_ANY, 0, 4, far=9)),
    ),
)
