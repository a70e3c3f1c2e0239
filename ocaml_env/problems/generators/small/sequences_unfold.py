"""Small tasks on sequences unfolded from a state: the next elements, and the end."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, texts
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_ELEMENTS: Gap = (
    ("`i`", "i"),
    ("`i * i`", "i * i"),
    ("`2 * i`", "2 * i"),
    ("`-i`", "-i"),
    ("`i + 1`", "i + 1"),
)


def _sequence(chance: Chance) -> str:
    if chance.happens(0.4):
        return f"(List.to_seq {lists(integers(-9, 20)).draw(chance)})"
    return f"(Seq.unfold (fun n -> Some (n, n + {chance.between(1, 5)})) {chance.between(0, 9)})"


def _ascending(chance: Chance) -> str:
    step, start, last = chance.between(1, 6), chance.between(-6, 9), chance.between(10, 30)
    end = f"if n > {last} then None else " if chance.happens(0.5) else ""
    return f"(Seq.unfold (fun n -> {end}Some (n, n + {step})) ({start}))"


TASKS = (
    Task(
        level=1,
        says=(
            "`$f n` is the list of $element for all `i` from $a on, in steps of $s, that are at most `n`. Use `Seq.unfold`.",
            "Unfold a list with `Seq.unfold`: `$f n` has $element for the numbers `i` from $a on, in steps of $s, while `i` is not "
            "greater than `n`.",
        ),
        names=("range", "steps_up", "count_up"),
        signature="int -> int list",
        code="let $f n =\n  List.of_seq (Seq.unfold (fun i -> if i > n then None else Some ($element, i + $s)) $a)",
        gaps={"element": _ELEMENTS, "a": number(1, 5), "s": number(2, 7)},
        inputs=(integers(-3, 40, far=80),),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is the list of $element for all `i` from `n` down to $a at least, in steps of $s. Use `Seq.unfold`.",
            "Count down with `Seq.unfold`: `$f n` is the list of $element for the numbers `i` from `n` on, each $s less than the one "
            "before, while `i` is at least $a.",
        ),
        names=("countdown", "steps_down", "downwards"),
        signature="int -> int list",
        code="let $f n =\n  List.of_seq (Seq.unfold (fun i -> if i < $a then None else Some ($element, i - $s)) n)",
        gaps={"element": _ELEMENTS, "a": number(0, 5), "s": number(2, 6)},
        inputs=(integers(-3, 30, far=80),),
    ),
    Task(
        level=1,
        says=(
            "Begin with $a; $rule. `$f n` is the list of all these numbers up to `n`. Use `Seq.unfold`.",
            "A sequence begins with $a, and $rule. Write `$f n`: the list of its elements that are not greater than `n`.",
        ),
        names=("growth", "powers", "up_to"),
        signature="int -> int list",
        code="let $f n = List.of_seq (Seq.unfold (fun x -> if x > n then None else Some (x, $rule)) $a)",
        gaps={
            "rule": (
                ("each further number is twice the one before", "2 * x"),
                ("each further number is three times the one before", "3 * x"),
                ("each further number is $k more than the one before", "x + $k"),
                ("each further number is 1 more than twice the one before", "(2 * x) + 1"),
                ("each further number is the square of the one before", "x * x"),
                ("each further number is half as large again as the one before, rounded down", "x + (x / 2)"),
            ),
            "a": number(2, 6),
            "k": number(2, 9),
        },
        inputs=(integers(-3, 80, far=300),),
    ),
    Task(
        level=1,
        says=(
            "`$f n` is the list of $what. `n` is not negative, and the list for 0 is empty. Use `Seq.unfold`.",
            "Unfold `n`, which is not negative, into $what: `$f n` is the list of these, which is empty for 0.",
        ),
        names=("digits", "by_digits", "last_digits"),
        signature="int -> int list",
        code="let $f n =\n  Seq.unfold (fun x -> if x = 0 then None else Some ($what, x / $b)) n |> List.of_seq",
        gaps={
            "what": (
                ("the digits of `n` in base $b, the last one first", "x mod $b"),
                ("the digits of `n` in base $b, each increased by 1, the last one first", "(x mod $b) + 1"),
                ("the digits of `n` in base $b, each doubled, the last one first", "2 * (x mod $b)"),
                ("the numbers `n`, `n / $b` and so on, before 0 is reached", "x"),
            ),
            "b": (("10",), ("10",), ("2",), ("3",), ("4",), ("5",), ("8",), ("16",)),
        },
        inputs=(integers(0, 9999, far=10_000_000),),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the string of every $step character of `s`, beginning with the $start one. Use `Seq.unfold` and "
            "`String.of_seq`.",
            "Unfold the characters of a string: `$f s` has the $start character of `s` and every $step one after it.",
        ),
        names=("every_other", "thin_out", "some_characters"),
        signature="string -> string",
        code="let $f s =\n  String.of_seq (Seq.unfold (fun i -> if i >= String.length s then None else Some (s.[i], i + $step)) $start)",
        gaps={
            "step": (("second", "2"), ("third", "3"), ("fourth", "4")),
            "start": (("first", "0"), ("second", "1"), ("third", "2")),
        },
        inputs=(texts(0, 12, far=25),),
    ),
    Task(
        level=1,
        says=(
            "`$f x n` is the list of the `n` numbers $what. `n` is not negative. Use `Seq.unfold`.",
            "Write `$f x n`, a list with `n` elements: $what. `n` is not negative.",
        ),
        names=("series", "table", "first_numbers"),
        signature="int -> int -> int list",
        code="let $f x n = List.of_seq (Seq.unfold (fun k -> if k = n then None else Some ($what, k + 1)) 0)",
        gaps={
            "what": (
                ("`x`, `x + 1`, `x + 2` and so on", "x + k"),
                ("`x`, `x - 1`, `x - 2` and so on", "x - k"),
                ("0, `x`, `2 * x` and so on", "k * x"),
                ("`x`, `x + $d`, `x + 2 * $d` and so on", "x + ($d * k)"),
                ("`x`, `x - $d`, `x - 2 * $d` and so on", "x - ($d * k)"),
                ("`x`, `x + 1`, `x + 4`, `x + 9` and so on", "x + (k * k)"),
            ),
            "d": number(2, 9),
        },
        inputs=(integers(-9, 20, far=1_000), integers(0, 6, far=20)),
    ),
    Task(
        level=1,
        says=(
            "Write a step for `Seq.unfold`: `$f x` is `None` if `x` is $end, else `Some` of the pair of $made and the next state, "
            "$next.",
            "`$f` is to be given to `Seq.unfold`. For a state `x` that is $end it returns `None`, else the element ($made) and "
            "the next state ($next).",
        ),
        names=("step", "next", "unfold_step"),
        signature="int -> (int * int) option",
        code="let $f x = if $end then None else Some ($made, $next)",
        gaps={
            "end": (
                ("greater than $k", "x > $k"),
                ("less than $j", "x < $j"),
                ("0", "x = 0"),
                ("divisible by $m", "x mod $m = 0"),
            ),
            "made": (("`x`", "x"), ("`2 * x`", "2 * x"), ("`x * x`", "x * x"), ("`-x`", "-x")),
            "next": (("`x + $d`", "x + $d"), ("`x - $d`", "x - $d"), ("`x / 2`", "x / 2"), ("`3 * x`", "3 * x")),
            "k": number(40, 55),
            "j": number(-15, -5),
            "m": number(5, 9),
            "d": number(1, 9),
        },
    ),
    Task(
        level=2,
        says=(
            "A sequence of integers begins with $a and $b; each further element is $rule. `$f n` is the list of its elements "
            "before the first one that is greater than `n`.",
            "Two numbers, $a and $b, begin a sequence, and every further one is $rule. Write `$f n`: the list of the elements up "
            "to, but without, the first that is greater than `n`.",
        ),
        names=("sums", "from_two", "pair_sequence"),
        signature="int -> int list",
        code="let $f n =\n  let next (a, b) = if a > n then None else Some (a, (b, $rule)) in\n"
        "  List.of_seq (Seq.unfold next ($a, $b))",
        gaps={
            "rule": (
                ("the sum of the two before it", "a + b"),
                ("the sum of the two before it and 1", "a + b + 1"),
                ("the one before it plus twice the one before that", "(2 * a) + b"),
                ("twice the one before it plus the one before that", "a + (2 * b)"),
                ("the sum of the two before it, minus $k", "a + b - $k"),
            ),
            "a": number(4, 9),
            "b": number(10, 15),
            "k": number(1, 2),
        },
        inputs=(integers(-3, 90, far=2_000),),
    ),
    Task(
        level=2,
        says=(
            "From a positive number `x` one comes to `x / 2` if it is even, else to $odd, and so on until 1 is reached. `$f x` is "
            "$what.",
            "Even numbers are halved, odd ones become $odd, and 1 is the end. Write `$f x` for a positive `x`: $what.",
        ),
        names=("descent", "halve_or_change", "until_one"),
        signature="int -> int list",
        code="let $f x =\n  let next x = if x = 1 then None else let y = if x mod 2 = 0 then x / 2 else $odd in Some ($what, y) in\n"
        "  List.of_seq (Seq.unfold next x)",
        gaps={
            "odd": (("`x - 1`", "x - 1"), ("`x + 1`", "x + 1"), ("`3 * x + 1`", "(3 * x) + 1")),
            "what": (
                ("the list of all numbers from `x` on, without the 1", "x"),
                ("the list of all numbers after `x`, up to 1", "y"),
            ),
        },
        inputs=(integers(1, 40, far=500),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the list of $what.",
            "Unfold the list `l`, which is the state, into $what: `$f l` is the list of these.",
        ),
        names=("pairwise", "unfold_list", "steps_of"),
        signature="int list -> int list",
        code="let $f l =\n  let next = function $what | _ -> None in\n  List.of_seq (Seq.unfold next l)",
        gaps={
            "what": (
                (
                    "the differences of neighbours in `l`, each time the second minus the first",
                    "a :: (b :: _ as rest) -> Some (b - a, rest)",
                ),
                ("the sums of neighbours in `l`", "a :: (b :: _ as rest) -> Some (a + b, rest)"),
                ("the greater ones of any two neighbours in `l`", "a :: (b :: _ as rest) -> Some (max a b, rest)"),
                (
                    "the sums of the first and second, third and fourth element of `l` and so on (one left over is ignored)",
                    "a :: b :: rest -> Some (a + b, rest)",
                ),
                (
                    "the first, third, fifth element of `l` and so on, as long as another one follows",
                    "a :: _ :: rest -> Some (a, rest)",
                ),
                (
                    "the elements of `l` before the first one that is $stop",
                    "x :: rest when not ($stop) -> Some (x, rest)",
                ),
            ),
            "stop": (("negative", "x < 0"), ("greater than $k", "x > $k"), ("less than $j", "x < $j")),
            "k": number(5, 20),
            "j": number(-5, -1),
        },
        inputs=(lists(integers(-9, 30)),),
    ),
    Task(
        level=2,
        says=(
            "`$f n s` is the list of $what the sequence `s`, which may have no end. If `s` is too short, take what there is. `n` is "
            "not negative.",
            "Take from `s`, a sequence that may be endless: `$f n s` is the list of $what it, or of all there are. `n` is not "
            "negative.",
        ),
        names=("take", "first_of", "prefix"),
        signature="int -> int Seq.t -> int list",
        code="let rec $f n s =\n  if n = 0 then []\n  else match s () with Seq.Nil -> [] | Seq.Cons (x, rest) -> $what :: $f (n - 1) rest",
        gaps={
            "what": (
                ("the first `n` elements of", "x"),
                ("the doubles of the first `n` elements of", "(2 * x)"),
                ("the squares of the first `n` elements of", "(x * x)"),
                ("the opposites of the first `n` elements of", "-x"),
                ("the successors of the first `n` elements of", "(x + 1)"),
            )
        },
        inputs=(integers(0, 5, far=14), Input(_sequence, ("(List.to_seq [])",))),
    ),
    Task(
        level=2,
        says=(
            "`$f s k` is $what. The sequence `s` ascends and may be without end.",
            "The elements of the sequence `s` ascend, perhaps without end. Write `$f s k`: $what.",
        ),
        names=("search", "beyond", "look_for"),
        signature="int Seq.t -> int -> int",
        code="let rec $f s k =\n  match s () with\n  | Seq.Nil -> 0\n  | Seq.Cons (x, rest) -> $what",
        gaps={
            "what": (
                (
                    "the first element of `s` that is greater than `k`, or 0 if there is none",
                    "if x > k then x else $f rest k",
                ),
                ("the number of elements of `s` that are less than `k`", "if x < k then 1 + $f rest k else 0"),
                ("the sum of the elements of `s` that are less than `k`", "if x < k then x + $f rest k else 0"),
                ("the number of elements of `s` that are at most `k`", "if x <= k then 1 + $f rest k else 0"),
            )
        },
        inputs=(Input(_ascending, ("(List.to_seq [])",)), integers(-9, 45)),
    ),
    Task(
        level=2,
        says=(
            "`$f next x` unfolds the state `x`: `next x` is `None` at the end, else `Some (y, z)` with an element `y` and the "
            "next state `z`. The result is $what.",
            "As `Seq.unfold` does, call `next` on the state, from `x` on: `Some (y, z)` gives an element `y` and a state `z`, "
            "`None` ends. Write `$f next x`: $what.",
        ),
        names=("unfold", "collect", "run_steps"),
        signature="(int -> (int * int) option) -> int -> int",
        code="let rec $f next x =\n  match next x with\n  $what",
        gaps={
            "what": (
                ("the sum of the elements", "| None -> 0\n  | Some (y, z) -> y + $f next z"),
                ("the number of elements", "| None -> 0\n  | Some (_, z) -> 1 + $f next z"),
                ("the product of the elements", "| None -> 1\n  | Some (y, z) -> y * $f next z"),
                ("the last state", "| None -> x\n  | Some (_, z) -> $f next z"),
            )
        },
        inputs=(
            one_of(
                "(fun x -> if x > 9 then None else Some (x, x + 2))",
                "(fun x -> if x <= 0 then None else Some (x mod 10, x / 10))",
                "(fun x -> if x < 3 then None else Some (1, x - 3))",
                "(fun x -> if x > 20 then None else Some (x + 1, (2 * x) + 5))",
            ),
            integers(0, 19, far=150),
        ),
    ),
)
