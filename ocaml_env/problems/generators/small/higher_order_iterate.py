"""Small tasks on repeated application of functions: a few times, ``n`` times, or until something is true."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_MAPS = one_of("(fun n -> n + 3)", "(fun n -> 2 * n)", "(fun n -> 10 - n)", "(fun n -> n - 7)", "succ", "abs")
_GROWING = one_of("(fun n -> n + 1)", "(fun n -> n + 4)", "(fun n -> (2 * n) + 1)", "(fun n -> n + 7)")
_LARGE = one_of("(fun n -> n > 20)", "(fun n -> n >= 9)", "(fun n -> n mod 5 = 0 || n > 60)", "(fun n -> n > 40)")
_CALMING = one_of(
    "(fun n -> n / 2)", "(fun n -> min 12 (n + 5))", "(fun n -> max 0 (n - 4))", "(fun n -> n - (n mod 5))"
)
_ANY = integers(-9, 20)
_FUNCTIONS = lists(_MAPS, 0, 4, far=9)


def _herd(chance: Chance) -> str:
    """Numbers from 10 on; some are near the goal, or beyond it."""
    return str(chance.number(100, 301) if chance.happens(0.2) else chance.number(10, 130))


_GAPS: dict[str, Gap] = {
    "k": number(2, 20),
    "d": number(2, 5),
    "goal": number(100, 300),
    "again": (
        ("`f` twice, the second time to the result of the first", "f (f x)"),
        ("`f` three times, each time to the last result", "f (f (f x))"),
        ("`f`, then adds $k to the result, then applies `f` to that", "f (f x + $k)"),
        ("`f`, then multiplies the result by $d, then applies `f` to that", "f ($d * f x)"),
        ("`f` twice, each time to the last result, and then subtracts $k", "f (f x) - $k"),
        ("`f` twice, each time to the last result, and then subtracts `x`", "f (f x) - x"),
        ("`f` once and twice, and returns the sum of both results", "f x + f (f x)"),
    ),
    "mixed": (
        ("applies `f`, then `g`, then `f` again", "f (g (f x))"),
        ("applies `g`, then `f`, then `g` again", "g (f (g x))"),
        ("applies `f` twice, and then `g`", "g (f (f x))"),
        ("applies `g`, and then `f` twice", "f (f (g x))"),
        ("applies `f`, then adds $k, then applies `g`", "g (f x + $k)"),
        ("subtracts $k, then applies `g`, then `f`", "f (g (x - $k))"),
        ("applies `g`, then multiplies by $d, then applies `f`", "f ($d * g x)"),
        ("multiplies by $d, then applies `f`, then `g`", "g (f ($d * x))"),
    ),
    "listed": (
        ("`x`, `f x` and `f (f x)`", "[ x; f x; f (f x) ]"),
        ("`f (f x)`, `f x` and `x`", "[ f (f x); f x; x ]"),
        ("what `f` makes of `x` and of `x + $k`", "[ f x; f (x + $k) ]"),
        ("what `f` makes of `x`, of $k and of `f x`", "[ f x; f $k; f (f x) ]"),
        ("`x`, `f x`, and then `x` with $k added", "[ x; f x; x + $k ]"),
    ),
    "values": (
        ("0, 1, 2 and so on", "f i"),
        ("1, 2, 3 and so on", "f (i + 1)"),
        ("$k and the numbers after it", "f ($k + i)"),
        ("the multiples of $d, from 0 on", "f ($d * i)"),
        ("the squares of 0, 1, 2 and so on", "f (i * i)"),
        ("`n`, `n - 1` and so on, down to 1", "f (n - i)"),
    ),
    "all": (
        (
            "applies the first function in `fs` to `x`, the next one to the result, and so on",
            "List.fold_left (fun y f -> f y) x fs",
        ),
        (
            "applies the last function in `fs` to `x`, the one before to the result, and so on",
            "List.fold_right (fun f y -> f y) fs x",
        ),
        ("adds up what all functions in `fs` make of `x`", "List.fold_left (fun sum f -> sum + f x) 0 fs"),
        (
            "finds the greatest of `x` and what the functions in `fs` make of it",
            "List.fold_left (fun best f -> max best (f x)) x fs",
        ),
        (
            "counts the functions in `fs` that make more than $k of `x`",
            "List.length (List.filter (fun f -> f x > $k) fs)",
        ),
        ("counts the functions in `fs` that do not change `x`", "List.length (List.filter (fun f -> f x = x) fs)"),
    ),
    "asked": (
        ("`f` leaves `x` as it is", "f x = x"),
        ("applying `f` twice leads back to `x`", "f (f x) = x"),
        ("applying `f` twice gives more than applying it once", "f (f x) > f x"),
        ("`f` makes more of `x + $k` than of `x`", "f (x + $k) > f x"),
        ("applying `f` twice to `x` gives at least $k", "f (f x) >= $k"),
        ("`f x` and `f (f x)` are both greater than $k", "f x > $k && f (f x) > $k"),
    ),
    "times": (
        ("`f` is applied `n` times, first to `x`, then each time to the last result", "f x"),
        ("`f` is applied to `x`, and then $k is added, all of this `n` times", "f x + $k"),
        ("$k is added to `x`, and then `f` is applied, all of this `n` times", "f (x + $k)"),
        ("`f` is applied to `x`, and the result is multiplied by $d, all of this `n` times", "$d * f x"),
        ("`x` is replaced, `n` times, by the greater of `x` and `f x`", "max x (f x)"),
    ),
    "trace": (
        ("`n` values: `x`, `f x`, `f (f x)` and so on", "[]\n  else x :: $f f (n - 1) (f x)"),
        ("`n + 1` values: `x`, `f x`, `f (f x)` and so on", "[ x ]\n  else x :: $f f (n - 1) (f x)"),
        ("`n` values: `f x`, `f (f x)` and so on", "[]\n  else f x :: $f f (n - 1) (f x)"),
        ("`n` values: `x`, `f (f x)`, `f (f (f (f x)))` and so on", "[]\n  else x :: $f f (n - 1) (f (f x))"),
        (
            "`n` values, each the double of one of `x`, `f x`, `f (f x)` and so on",
            "[]\n  else (2 * x) :: $f f (n - 1) (f x)",
        ),
    ),
    "until": (
        ("the first of these values of which `p` is true", "x\n  else $f p f (f x)"),
        ("the number of values before the first of which `p` is true", "0\n  else 1 + $f p f (f x)"),
        ("the sum of all values before the first of which `p` is true", "0\n  else x + $f p f (f x)"),
        ("the sum of all values up to the first of which `p` is true, and with it", "x\n  else x + $f p f (f x)"),
    ),
    "fixed": (
        ("the first value that `f` does not change", "x else $f f y"),
        ("how often `f` was applied before the first value that it does not change", "0 else 1 + $f f y"),
        ("the sum of all values before the first that `f` does not change", "0 else x + $f f y"),
    ),
    "growth": (
        ("doubles", "2 * x"),
        ("grows by $k", "x + $k"),
        ("grows by half of itself (rounded down)", "x + (x / 2)"),
        ("is multiplied by $d", "$d * x"),
        ("doubles and then loses $k", "(2 * x) - $k"),
    ),
    "reached": (
        ("how many years it takes until there are at least $goal (0 if there are at once)", "0\n  else 1 +"),
        ("how many there are when there are at least $goal for the first time, perhaps at once", "x\n  else"),
    ),
    "herd": (("fish",), ("sheep",), ("rabbits",), ("coins",), ("trees",)),
    "step": (
        ("replaced by what it makes of `x`", "f x"),
        ("replaced by what it makes of `x`, if that is greater", "max x (f x)"),
        ("replaced by what it makes of `x`, if that is less than $k", "if f x < $k then f x else x"),
        ("replaced by the sum of `x` and what it makes of `x`", "x + f x"),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`$f f x` applies to `x` the function $again.",
            "Write `$f f x`, which, beginning with `x`, applies $again.",
        ),
        names=("again", "apply_more", "repeated"),
        signature="(int -> int) -> int -> int",
        code="let $f f x = $again",
        gaps=_GAPS,
        inputs=(_MAPS, _ANY),
    ),
    Task(
        level=1,
        says=(
            "`$f f g x` begins with `x` and does these steps, each with the last result: it $mixed.",
            "Write a function `$f f g x` that begins with `x` and, each time with the last result, $mixed.",
        ),
        names=("in_turn", "mixed", "apply_both"),
        signature="(int -> int) -> (int -> int) -> int -> int",
        code="let $f f g x = $mixed",
        gaps=_GAPS,
        inputs=(_MAPS, _MAPS, _ANY),
    ),
    Task(
        level=1,
        says=(
            "`$f f x` is the list of $listed.",
            "Given a function `f` and a value `x`, return a list of $listed: `$f f x`.",
        ),
        names=("steps", "orbit", "values"),
        signature="(int -> int) -> int -> int list",
        code="let $f f x = $listed",
        gaps=_GAPS,
        inputs=(_MAPS, _ANY),
    ),
    Task(
        level=1,
        says=(
            "`$f f n` lists the results of `f` for `n` numbers: $values (`n` is not negative).",
            "Apply `f` to each of `n` numbers, with `n >= 0`: $values. `$f f n` is the list of the results.",
        ),
        names=("tabulate", "table", "series"),
        signature="(int -> int) -> int -> int list",
        code="let $f f n = List.init n (fun i -> $values)",
        gaps=_GAPS,
        inputs=(_MAPS, integers(0, 7, far=15)),
    ),
    Task(
        level=1,
        says=(
            "`fs` is a list of functions. `$f fs x` $all.",
            "Write a function `$f fs x` that $all; `fs` is a list of functions.",
        ),
        names=("apply_all", "through", "with_each"),
        signature="(int -> int) list -> int -> int",
        code="let $f fs x = $all",
        gaps=_GAPS,
        inputs=(_FUNCTIONS, _ANY),
    ),
    Task(
        level=1,
        says=("`$f f x` tells whether $asked.", "Is it true that $asked? `$f f x` is the answer."),
        names=("check", "question", "test"),
        signature="(int -> int) -> int -> bool",
        code="let $f f x = $asked",
        gaps=_GAPS,
        inputs=(_MAPS, _ANY),
    ),
    Task(
        level=2,
        says=(
            "In `$f f n x`, $times. If `n` is 0, the result is `x`; `n` is not negative.",
            "`$f f n x` is what comes out if $times (`n` is at least 0).",
        ),
        names=("repeat", "n_times", "iterate"),
        signature="(int -> int) -> int -> int -> int",
        code="let rec $f f n x =\n  if n = 0 then x\n  else $f f (n - 1) ($times)",
        gaps=_GAPS,
        inputs=(_MAPS, integers(0, 6, far=13), _ANY),
    ),
    Task(
        level=2,
        says=(
            "`$f f n x` is a list of $trace. `n` is not negative.",
            "Write a recursive function `$f f n x` (with `n >= 0`) that returns a list of $trace.",
        ),
        names=("trace", "orbit", "history"),
        signature="(int -> int) -> int -> int -> int list",
        code="let rec $f f n x =\n  if n = 0 then $trace",
        gaps=_GAPS,
        inputs=(_MAPS, integers(0, 5, far=12), _ANY),
    ),
    Task(
        level=2,
        says=(
            "The values `x`, `f x`, `f (f x)` and so on go on until `p` is true of one. `$f p f x` is $until.",
            "Apply `f` to `x`, then to the result, and so on, until there is a value of which `p` is true (it may be `x`). "
            "`$f p f x` is $until.",
        ),
        names=("until", "search", "run_until"),
        signature="(int -> bool) -> (int -> int) -> int -> int",
        code="let rec $f p f x =\n  if p x then $until",
        gaps=_GAPS,
        inputs=(_LARGE, _GROWING, integers(0, 30, far=99)),
    ),
    Task(
        level=2,
        says=(
            "Apply `f` to `x`, then to the result, and so on, until it changes nothing more. `$f f x` is $fixed.",
            "In the sequence `x`, `f x`, `f (f x)` and so on, all values are the same from some place on. `$f f x` is $fixed.",
        ),
        names=("settle", "stable", "fixed_point"),
        signature="(int -> int) -> int -> int",
        code="let rec $f f x =\n  let y = f x in\n  if y = x then $fixed",
        gaps=_GAPS,
        inputs=(_CALMING, integers(-20, 60, far=150)),
    ),
    Task(
        level=2,
        says=(
            "The number of $herd is `x` now (at least 10), and each year it $growth. `$f x` is $reached.",
            "There are `x` $herd, with `x >= 10`; in a year, their number $growth. Write `$f x`, which tells $reached.",
        ),
        names=("growth", "wait", "years"),
        signature="int -> int",
        code="let rec $f x =\n  if x >= $goal then $reached $f ($growth)",
        gaps=_GAPS,
        inputs=(Input(_herd, ("10", "301", "299")),),
    ),
    Task(
        level=2,
        says=(
            "`$f fs x` takes the functions in the list `fs` one by one; for each, `x` is $step. The last `x` is the result.",
            "Go through a list `fs` of functions. For each of them, `x` is $step. What is `x` in the end? `$f fs x`.",
        ),
        names=("through_all", "chain", "follow"),
        signature="(int -> int) list -> int -> int",
        code="let rec $f fs x =\n  match fs with\n  | [] -> x\n  | f :: rest -> $f rest ($step)",
        gaps=_GAPS,
        inputs=(_FUNCTIONS, _ANY),
    ),
)
