"""Small tasks on changing an array in place: one cell, some cells, or all of them."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, array, integers, lists, tuples
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import text

__all__ = ["TASKS"]

_CELLS: Gap = (("the first cell", "0"), ("the last cell", "Array.length a - 1"), ("the cell at position $p", "$p"))
_VALUES: Gap = (("`x`", "x"), ("$k times `x`", "$k * x"), ("`x` plus $k", "x + $k"), ("`x` minus $k", "x - $k"))
_NEW: Gap = (
    ("0", "0"),
    ("twice its value", "2 * x"),
    ("its square", "x * x"),
    ("its value plus $k", "x + $k"),
    ("its value minus $k", "x - $k"),
    ("its value with the sign changed", "-x"),
)
_GAPS: dict[str, Gap] = {"new": _NEW, "k": number(2, 20), "p": number(1, 3)}
_JOINS = (
    ("the sum of itself and", "a.(i) + {}"),
    ("the product of itself and", "a.(i) * {}"),
    ("the larger of itself and", "max a.(i) {}"),
    ("the smaller of itself and", "min a.(i) {}"),
)
_FORWARD = tuple(
    (
        f"from the second element of `a` to the last and replaces each by {words} the element before it",
        f"1 to Array.length a - 1 do\n    a.(i) <- {code.format('a.(i - 1)')}",
    )
    for words, code in _JOINS
)
_BACKWARD = tuple(
    (
        f"from the last element but one of `a` back to the first and replaces each by {words} the element behind it",
        f"Array.length a - 2 downto 0 do\n    a.(i) <- {code.format('a.(i + 1)')}",
    )
    for words, code in _JOINS
)


def _similar(chance: Chance) -> str:
    """Words; several have the same first letter or the same length."""
    some = chance.sample(WORDS, 24)
    first, size = some[0][0], len(some[1])
    if chance.happens(0.4):
        some = [word for word in WORDS if word[0] == first or len(word) == size]
    made = [text(chance.pick(some)) for _ in range(chance.between(0, 7 if chance.happens(0.85) else 13))]
    return f"[|{'; '.join(made)}|]"


_POSITION = integers(0, 4)

TASKS = (
    Task(
        level=1,
        says=(
            "`$f a x` puts $value into $cell of the array `a` and returns `a`, which has at least four cells.",
            "Overwrite $cell of `a` with $value, in place, and return the array: `$f a x`. It has at least four cells.",
        ),
        names=("set_cell", "put", "overwrite"),
        signature="int array -> int -> int array",
        code="let $f a x =\n  a.($cell) <- $value;\n  a",
        gaps={"cell": _CELLS, "p": number(1, 3), "value": _VALUES, "k": number(2, 12)},
        looks=True,
        inputs=(array(integers(), 4), integers()),
    ),
    Task(
        level=1,
        says=(
            "`stock.(i)` is the number of pieces of article `i`. `$f stock i n` $event, in place, and returns `stock`.",
            "A shop keeps the number of pieces of article `i` in `stock.(i)`. Write `$f stock i n`, which $event and "
            "returns the changed array.",
        ),
        names=("$event",),
        signature="int array -> int -> int -> int array",
        code="let $f stock i n =\n  stock.(i) <- $event;\n  stock",
        gaps={
            "event": (
                ("adds `n` pieces of article `i`", "stock.(i) + n", "deliver"),
                ("takes away `n` pieces of article `i` (fewer than 0 may remain)", "stock.(i) - n", "sell"),
                ("sets the number for article `i` to `n`", "n", "set_count"),
                ("raises the number for article `i` to `n` if it is less", "max stock.(i) n", "at_least"),
                ("lowers the number for article `i` to `n` if it is more", "min stock.(i) n", "at_most"),
                ("multiplies the number for article `i` by `n`", "stock.(i) * n", "multiply"),
                ("adds `n` boxes of $k pieces of article `i`", "stock.(i) + ($k * n)", "deliver"),
            ),
            "k": number(3, 24),
        },
        looks=True,
        inputs=(array(integers(0, 40), 6, 8), integers(0, 5), integers(0, 50)),
    ),
    Task(
        level=1,
        says=(
            "`$f a` writes $value into the cell of `a` at position $p, and returns `a`. There are at least five cells.",
            "Change one cell of `a`, an array of at least five numbers: the one at position $p (counted from 0) becomes "
            "$value. Return `a`: `$f a`.",
        ),
        names=("copy_cell", "write", "one_cell"),
        signature="int array -> int array",
        code="let $f a =\n  a.($p) <- $value;\n  a",
        gaps={
            "value": (
                ("the first element", "a.(0)"),
                ("the last element", "a.(Array.length a - 1)"),
                ("the sum of the first two elements", "a.(0) + a.(1)"),
                ("the larger of the first two elements", "max a.(0) a.(1)"),
                ("the length of the array", "Array.length a"),
                ("twice the first element", "2 * a.(0)"),
                ("the first element minus the last one", "a.(0) - a.(Array.length a - 1)"),
            ),
            "p": number(2, 3),
        },
        inputs=(array(integers(), 5),),
    ),
    Task(
        level=1,
        says=(
            "`$f a x` puts `x` into $where of `a`, in place, and returns `a`, which has at least four cells.",
            "Fill $where of the array `a` with `x`; there are at least four cells. `$f a x` returns the array `a`.",
        ),
        names=("fill", "cover", "reset"),
        signature="int array -> int -> int array",
        code="let $f a x =\n  Array.fill a $where x;\n  a",
        gaps={
            "where": (
                ("all cells", "0 (Array.length a)"),
                ("the first $p cells", "0 $p"),
                ("the last $p cells", "(Array.length a - $p) $p"),
                ("all but the first $p cells", "$p (Array.length a - $p)"),
                ("all cells except the first and the last", "1 (Array.length a - 2)"),
            ),
            "p": number(2, 3),
        },
        looks=True,
        inputs=(array(integers(), 4), integers()),
    ),
    Task(
        level=1,
        says=(
            "`$f a` replaces every element of `a` by $new, in place, and returns `a`.",
            "Go through the array `a` and set each cell to $new. The function `$f` changes `a` itself and returns it.",
        ),
        names=("replace_all", "update", "all_cells"),
        signature="int array -> int array",
        code="let $f a =\n  Array.iteri (fun i x -> a.(i) <- $new) a;\n  a",
        gaps={
            **_GAPS,
            "new": (
                ("twice its value", "2 * x"),
                ("its square", "x * x"),
                ("its value plus $k", "x + $k"),
                ("its value with the sign changed", "-x"),
                ("the larger of its value and $k", "max x $k"),
                ("the sum of its value and its position", "x + i"),
            ),
        },
        looks=True,
    ),
    Task(
        level=1,
        says=(
            "`$f words` sorts the array `words` in place, $order, and returns it.",
            "Sort an array of words in place, $order. `$f words` returns the same array.",
        ),
        names=("sort_words", "in_order", "arranged"),
        signature="string array -> string array",
        code="let $f words =\n  Array.stable_sort $order words;\n  words",
        gaps={
            "order": (
                ("in alphabetical order", "compare"),
                ("in reverse alphabetical order", "(fun v w -> compare w v)"),
                (
                    "shortest first (words of equal length stay in their old order)",
                    "(fun v w -> compare (String.length v) (String.length w))",
                ),
                (
                    "longest first (words of equal length stay in their old order)",
                    "(fun v w -> compare (String.length w) (String.length v))",
                ),
                (
                    "by their first letters (words with the same one keep their order)",
                    "(fun v w -> compare v.[0] w.[0])",
                ),
            ),
        },
        looks=True,
        inputs=(Input(_similar, ("[||]", '[|"a"|]', '[|"bb"; "ba"; "aa"; "b"|]')),),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` copies the $part of `b` over the cells of `a` from position $to on, and returns `a`. Both arrays "
            "have at least five cells.",
            "Write the $part of `b` into `a`, beginning at position $to, and return `a`: `$f a b`. There are at least "
            "five cells in each array.",
        ),
        names=("copy_part", "paste", "transfer"),
        signature="int array -> int array -> int array",
        code="let $f a b =\n  Array.blit b $part a $to $n;\n  a",
        gaps={
            "part": (("first $n elements", "0"), ("last $n elements", "(Array.length b - $n)")),
            "n": number(2, 3),
            "to": number(0, 2),
        },
        inputs=(array(integers(), 5), array(integers(), 5)),
    ),
    Task(
        level=2,
        says=(
            "`$f a` swaps $one and $two of `a`, which has at least five elements, in place, and returns `a`.",
            "Let $one and $two of the array `a` change places. `$f a` does that in place and returns `a`, an array of at "
            "least five elements; positions are counted from 0.",
        ),
        names=("swap", "change_places", "trade"),
        signature="int array -> int array",
        code="let $f a =\n  let x = $one in\n  $one <- $two;\n  $two <- x;\n  a",
        gaps={
            "one": (("the first element", "a.(0)"), ("the element at position $p", "a.($p)")),
            "two": (
                ("the last element", "a.(Array.length a - 1)"),
                ("the last but one element", "a.(Array.length a - 2)"),
            ),
            "p": number(1, 2),
        },
        looks=True,
        inputs=(array(integers(), 5),),
    ),
    Task(
        level=2,
        says=(
            "`$f a` replaces every element of `a` $which by $new. It changes the array in place and returns it.",
            "Change the array `a` in place: each element $which becomes $new, and the others stay. `$f a` returns `a`.",
        ),
        names=("replace_some", "revise", "change_some"),
        signature="int array -> int array",
        code="let $f a =\n  Array.iteri (fun i x -> if $which then a.(i) <- $new) a;\n  a",
        gaps={
            **_GAPS,
            "which": (
                ("that is even", "x mod 2 = 0"),
                ("that is odd", "x mod 2 <> 0"),
                ("that is greater than $n", "x > $n"),
                ("that is less than $n", "x < $n"),
                ("at an even position (counted from 0)", "i mod 2 = 0"),
                ("at an odd position (counted from 0)", "i mod 2 = 1"),
                ("that is less than its position (counted from 0)", "x < i"),
            ),
            "n": number(5, 20),
        },
        looks=True,
        inputs=(array(integers(-9, 30)),),
    ),
    Task(
        level=2,
        says=(
            "`$f a x` moves every element of `a` one place $direction. It works in place and returns `a`, which is not "
            "empty.",
            "The array `a`, which is not empty, is to move on by one place. `$f a x` moves each element one place "
            "$direction. It returns the changed array `a`.",
        ),
        names=("shift", "push", "move_on"),
        signature="int array -> int -> int array",
        code="let $f a x =\n  let n = Array.length a in\n  $direction;\n  a",
        gaps={
            "direction": (
                (
                    "to the front, where the first one drops out, and puts $value into the last cell",
                    "for i = 0 to n - 2 do\n    a.(i) <- a.(i + 1)\n  done;\n  a.(n - 1) <- $value",
                ),
                (
                    "to the back, where the last one drops out, and puts $value into the first cell",
                    "for i = n - 1 downto 1 do\n    a.(i) <- a.(i - 1)\n  done;\n  a.(0) <- $value",
                ),
            ),
            "value": _VALUES,
            "k": number(2, 12),
        },
        looks=True,
        inputs=(array(integers(), 1), integers()),
    ),
    Task(
        level=2,
        says=(
            "`$f a` goes $way, as that is by then. It changes `a` in place and returns it.",
            "Write a loop that goes $way, which may have changed by then. `$f a` returns `a` afterwards.",
        ),
        names=("roll", "accumulate", "along"),
        signature="int array -> int array",
        code="let $f a =\n  for i = $way\n  done;\n  a",
        gaps={"way": (*_FORWARD, *_BACKWARD)},
        looks=True,
        inputs=(array(integers(-5, 12), 0, 6, far=10),),
    ),
    Task(
        level=2,
        says=(
            "Child `i` has `money.(i)` coins. `$f money i j n` moves `n` coins from child `i` to child `j` (perhaps the same one), or $unless. "
            "It changes `money` in place and returns it.",
            "Child `i` gives `n` coins to child `j`, who may be the same, or $unless: that is `$f money i j n`, where `money` has the coins "
            "of each child. Change the array and return it.",
        ),
        names=("give", "pay", "hand_over"),
        signature="int array -> int -> int -> int -> int array",
        code="let $f money i j n =\n  let n = $unless in\n  money.(i) <- money.(i) - n;\n  money.(j) <- money.(j) + n;\n  money",
        gaps={
            "unless": (
                ("as many as child `i` has if these are fewer", "min n money.(i)"),
                ("none at all if child `i` has fewer", "if money.(i) < n then 0 else n"),
                ("at most $k if `n` is more", "min n $k"),
            ),
            "k": number(5, 15),
        },
        looks=True,
        inputs=(array(integers(0, 20), 5), _POSITION, _POSITION, integers(0, 24)),
    ),
    Task(
        level=2,
        says=(
            "`changes` is a list of pairs of a valid position and a number. For each pair `(i, x)`, in their order, "
            "`$f a changes` replaces the element of `a` at position `i` by $new. It returns `a`.",
            "Carry out a list of changes on the array `a` and return it: for every pair `(i, x)` of `changes`, from the "
            "first to the last, the element at position `i` becomes $new. That is `$f a changes`.",
        ),
        names=("apply_changes", "carry_out", "edit_all"),
        signature="int array -> (int * int) list -> int array",
        code="let $f a changes =\n  List.iter (fun (i, x) -> a.(i) <- $new) changes;\n  a",
        gaps={
            "new": (
                ("`x`", "x"),
                ("the sum of itself and `x`", "a.(i) + x"),
                ("itself minus `x`", "a.(i) - x"),
                ("the product of itself and `x`", "a.(i) * x"),
                ("the larger of itself and `x`", "max a.(i) x"),
                ("the element at position `x`", "a.(x)"),
            ),
        },
        inputs=(array(integers(), 5, 6), lists(tuples(_POSITION, _POSITION), 0, 4, far=9)),
    ),
    Task(
        level=2,
        says=(
            "`$f a i j` changes the elements of `a` at the positions from `i` to `j`, both included: each becomes $new. "
            "The positions exist, `i` is at most `j`, and the array itself is changed and returned.",
            "Between the valid positions `i` and `j` of `a`, both included and with `i` not above `j`, each element "
            "becomes $new. `$f a i j` does that in place with a loop and returns `a`.",
        ),
        names=("change_range", "between", "part_changed"),
        signature="int array -> int -> int -> int array",
        code="let $f a i j =\n  for k = i to j do\n    a.(k) <- $new\n  done;\n  a",
        gaps={
            "new": (
                ("0", "0"),
                ("its position", "k"),
                ("twice its value", "2 * a.(k)"),
                ("its value plus $k", "a.(k) + $k"),
                ("its value with the sign changed", "-a.(k)"),
                ("the sum of its value and its position", "a.(k) + k"),
            ),
            "k": number(2, 20),
        },
        looks=True,
        inputs=(array(integers(), 7, 9), integers(0, 3), integers(3, 6)),
    ),
)
