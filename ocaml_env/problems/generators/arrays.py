"""Families about arrays: edits in place, one after another, and matrices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, some_ints
from ocaml_env.problems.generators.values import array, integer
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILIES"]

Matrix = list[list[int]]

_INTS = array(integer)
_ROWS = array(array(integer))

# --- edits in place ---------------------------------------------------------------------------------------------------

_SWAP = """\
let swap a i j =
  let x = a.(i) in
  a.(i) <- a.(j);
  a.(j) <- x"""
_REVERSE = """\
let reverse a low high =
  for i = 0 to ((high - low) / 2) - 1 do
    swap a (low + i) (high - 1 - i)
  done"""


def _edits(chance: Chance, level: int) -> Draft:
    name = chance.pick(("edit", "update", "work_on", "rework", "touch"))
    kinds = [chance.pick(_RICH_EDITS), *chance.sample(_EDITS, (1, 2, 2, 3, 4)[level - 1])]
    steps = [kind(chance) for kind in chance.shuffled(kinds)]
    counted = level >= 3
    answer = _count(chance) if counted else None

    def applied(used: Sequence[Op], values: Sequence[int]) -> list[int]:
        made = list(values)
        for step in used:
            step.run(made)
            if any(abs(x) > 1 << 40 for x in made):
                raise Unfit
        return made

    def draw() -> list[int]:
        return some_ints(chance, 8)

    tried = [draw() for _ in range(8)]
    whole = [applied(steps, values) for values in tried]
    for i in range(len(steps)):
        if all(applied([*steps[:i], *steps[i + 1 :]], v) == w for v, w in zip(tried, whole, strict=True)):
            raise Unfit
    lines = [f"let {name} a =", "  let n = Array.length a in"]
    bodies = [f"  {step.ocaml}" for step in steps]
    if answer:
        bodies.append(f"  {answer.ocaml}")
    prelude = "let after f a =\n  let result = f a in\n  (result, a)" if answer else "let after f a = f a; a"

    def cases() -> Iterator[Case]:
        edges = [[], [chance.between(-5, 9)], [3, 1], [2, 2, 2], chance.numbers(11, -9, 20)]
        for values in inputs(draw, edges):
            made = applied(steps, values)
            shown = f"({integer(answer.run(made))}, {_INTS(made)})" if answer else _INTS(made)
            yield case("after", [name, _INTS(values)], shown)

    result = f"It returns {answer.words}, as it is after the last step." if answer else "It returns `()`."
    ops = [*steps, *([answer] if answer else [])]
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} a` changes the array `a` of integers in place, in these steps, in this order; positions are "
            "counted from "
            "0, and `n` is the number of elements, which may be 0:",
            numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
            f"{result} In the tests `after {name} a` calls `{name} a` and gives "
            + ("the pair of what it returns and of the array afterwards." if answer else "the array afterwards."),
        ),
        signature=f"val {name} : int array -> {'int' if answer else 'unit'}",
        reference=module([h for op in ops for h in op.helpers], "\n".join(lines) + "\n" + ";\n".join(bodies)),
        prelude=prelude,
        cases=cases(),
    )


def _forward(chance: Chance) -> Op:
    op = int_join(chance)

    def run(a: list[int]) -> None:
        for i in range(1, len(a)):
            a[i] = op.run(a[i], a[i - 1])

    return Op(
        "for every position from 1 to `n - 1`, in ascending order, replace the element `x` there by something made of "
        "it and "
        f"of the element `y` before it, which has been replaced already: {op.say()}",
        f"for i = 1 to n - 1 do let x = a.(i) and y = a.(i - 1) in a.(i) <- {op.code()} done",
        run,
        op.helpers,
    )


def _backward(chance: Chance) -> Op:
    op = int_join(chance)

    def run(a: list[int]) -> None:
        for i in range(len(a) - 2, -1, -1):
            a[i] = op.run(a[i], a[i + 1])

    return Op(
        "for every position from `n - 2` down to 0, in descending order, replace the element `x` there by something "
        "made of it "
        f"and of the element `y` behind it, which has been replaced already: {op.say()}",
        f"for i = n - 2 downto 0 do let x = a.(i) and y = a.(i + 1) in a.(i) <- {op.code()} done",
        run,
        op.helpers,
    )


def _flip(chance: Chance) -> Op:
    words, low, high, bounds = chance.pick(
        (
            ("reverse the whole array", "0", "n", lambda n: (0, n)),
            ("reverse the first half of the array (the first `n / 2` elements)", "0", "(n / 2)", lambda n: (0, n // 2)),
            (
                "reverse the second half of the array (all from position `n / 2` on)",
                "(n / 2)",
                "n",
                lambda n: (n // 2, n),
            ),
            ("reverse all but the first element (if there are any)", "(min 1 n)", "n", lambda n: (min(1, n), n)),
            (
                "reverse all but the last element (if there are any)",
                "0",
                "(max 0 (n - 1))",
                lambda n: (0, max(0, n - 1)),
            ),
        )
    )
    find: Callable[[int], tuple[int, int]] = bounds

    def run(a: list[int]) -> None:
        start, end = find(len(a))
        a[start:end] = a[start:end][::-1]

    return Op(words, f"reverse a {low} {high}", run, (_SWAP, _REVERSE))


def _rotate(chance: Chance) -> Op:
    k = chance.between(1, 3)

    def run(a: list[int]) -> None:
        if a:
            a[:] = a[k % len(a) :] + a[: k % len(a)]

    return Op(
        f"move every element {k} position{'s' if k > 1 else ''} towards the front; those that leave it come in at the "
        "end, in "
        "their order (an element may go around several times)",
        f"(let b = Array.copy a in Array.iteri (fun i _ -> a.(i) <- b.((i + {k}) mod n)) b)",
        run,
    )


def _pass(chance: Chance) -> Op:
    sign, word = chance.pick(((">", "greater"), ("<", "less")))

    def run(a: list[int]) -> None:
        for i in range(len(a) - 1):
            if (a[i] > a[i + 1]) if sign == ">" else (a[i] < a[i + 1]):
                a[i], a[i + 1] = a[i + 1], a[i]

    return Op(
        "for every position `i` from 0 to `n - 2`, in ascending order, swap the elements at `i` and `i + 1` if the "
        "first of "
        f"them, as it is by then, is {word} than the second",
        f"for i = 0 to n - 2 do if a.(i) {sign} a.(i + 1) then swap a i (i + 1) done",
        run,
        (_SWAP,),
    )


def _where(chance: Chance) -> Op:
    test, op = int_test(chance), int_map(chance)

    def run(a: list[int]) -> None:
        a[:] = [op.run(x) if test.run(x) else x for x in a]

    return Op(
        f"replace every element `x` for which {test.say()} by {op.say()}",
        f"Array.iteri (fun i x -> if {test.code()} then a.(i) <- {op.code()}) a",
        run,
        test.helpers + op.helpers,
    )


def _at(chance: Chance) -> Op:
    k = chance.between(2, 3)
    r, op = chance.below(k), int_map(chance)

    def run(a: list[int]) -> None:
        a[r::k] = map(op.run, a[r::k])

    return Op(
        f"replace every element `x` at the positions {r}, {r + k}, {r + 2 * k} and so on by {op.say()}",
        f"Array.iteri (fun i x -> if i mod {k} = {r} then a.(i) <- {op.code()}) a",
        run,
        op.helpers,
    )


def _ends(chance: Chance) -> Op:
    op = int_join(chance)

    def run(a: list[int]) -> None:
        if a:
            x, y = a[0], a[-1]
            a[:] = [op.run(value, x) for value in a]
            a[-1] = y

    return Op(
        "replace every element `x` but the last by something made of it and of the element `y` that was at position 0 "
        "before "
        f"this step: {op.say()}",
        f"(if n > 0 then let y = a.(0) in for i = 0 to n - 2 do let x = a.(i) in a.(i) <- {op.code()} done)",
        run,
        op.helpers,
    )


def _front(chance: Chance) -> Op:
    test = int_test(chance)

    def run(a: list[int]) -> None:
        free = 0
        for i in range(len(a)):
            if test.run(a[i]):
                a[i], a[free] = a[free], a[i]
                free += 1

    return Op(
        "with a number `j` that begins at 0, go through the positions `i` in ascending order; where the element `x` "
        "at `i` is "
        f"such that {test.say()}, swap the elements at `i` and `j`, and then increase `j` by 1",
        f"(let j = ref 0 in for i = 0 to n - 1 do let x = a.(i) in if {test.code()} then (swap a i !j; incr j) done)",
        run,
        (*test.helpers, _SWAP),
    )


_RICH_EDITS = (_forward, _backward, _where, _at, _ends)
_EDITS = (_forward, _backward, _flip, _rotate, _pass, _where, _at, _ends, _front)


def _count(chance: Chance) -> Op:
    test, k = int_test(chance), chance.between(2, 9)
    return chance.pick(
        (
            Op(
                f"the number of elements `x` for which {test.say()}",
                f"Array.fold_left (fun k x -> if {test.code()} then k + 1 else k) 0 a",
                lambda a: sum(1 for x in a if test.run(x)),
                test.helpers,
            ),
            Op(f"the sum of the elements plus {k}", f"Array.fold_left ( + ) {k} a", lambda a: sum(a) + k),
            Op(
                f"the first position of a greatest element, or {-k} if the array is empty",
                f"(let best = ref ({-k}) in Array.iteri (fun i x -> if !best < 0 || x > a.(!best) then best := i) a; "
                "!best)",
                lambda a: a.index(max(a)) if a else -k,
            ),
        )
    )


# --- matrices ---------------------------------------------------------------------------------------------------------


def _matrix(chance: Chance, level: int) -> Draft:
    name = chance.pick(("remap", "shape", "process", "refit", "transform"))
    kinds = [chance.pick(_RICH_GRIDS), *chance.sample(_GRIDS, (1, 2, 2, 3, 4)[level - 1])]
    steps = [kind(chance) for kind in chance.shuffled(kinds)]
    ending = chance.pick((_by_row, _by_cell))(chance) if chance.happens(0.5) else None

    def applied(used: Sequence[Op], grid: Matrix) -> object:
        for step in used:
            grid = step.run(grid)
        return ending.run(grid) if ending else grid

    def draw() -> Matrix:
        width = chance.between(1, 4)
        return [chance.numbers(width, -9, 20) for _ in range(chance.between(1, 4))]

    tried = [draw() for _ in range(8)]
    whole = [applied(steps, grid) for grid in tried]
    for i in range(len(steps)):
        if all(applied([*steps[:i], *steps[i + 1 :]], v) == w for v, w in zip(tried, whole, strict=True)):
            raise Unfit
    lines = [f"let {name} m =", "  m", *(f"  |> {step.ocaml}" for step in steps)]
    lines += [f"  |> {ending.ocaml}"] if ending else []
    ops = [*steps, *([ending] if ending else [])]

    def cases() -> Iterator[Case]:
        edges: list[Matrix] = [
            [],
            [[chance.between(1, 9)]],
            [chance.numbers(4, -2, 20)],
            [[x] for x in chance.numbers(4, -2, 20)],
        ]
        for grid in inputs(draw, edges):
            made = applied(steps, grid)
            yield case(name, [_ROWS(grid)], _INTS(made) if ending else _ROWS(made))

    return Draft(
        name=name,
        statement=paragraphs(
            f"A matrix is an array of rows, which all have the same number of elements, at least 1. `{name} m` makes "
            f"{'an array of numbers' if ending else 'another matrix'} of the matrix `m` in these steps, in this "
            "order; `m` "
            "itself is not changed. Rows and columns are counted from 0. A matrix may have no rows; then it has no "
            "columns "
            "either, and it stays as it is in every step.",
            numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
            f"The result is {ending.words if ending else 'the matrix after the last step'}.",
        ),
        signature=f"val {name} : int array array -> {'int array' if ending else 'int array array'}",
        reference=module([h for op in ops for h in op.helpers], "\n".join(lines)),
        cases=cases(),
    )


_TRANSPOSE = """\
let transpose m =
  if m = [||] then m else Array.init (Array.length m.(0)) (fun c -> Array.map (fun row -> row.(c)) m)"""
_REVERSED = """\
let reversed a =
  let n = Array.length a in
  Array.init n (fun i -> a.(n - 1 - i))"""


def _transpose(chance: Chance) -> Op:
    return Op(
        "exchange rows and columns: what is in row `r` and column `c` goes to row `c` and column `r`",
        "transpose",
        lambda m: [list(row) for row in zip(*m, strict=True)],
        (_TRANSPOSE,),
    )


def _turn(chance: Chance) -> Op:
    if chance.happens(0.5):
        return Op(
            "turn the matrix clockwise by a quarter: the first row becomes the last column, from top to bottom",
            "(fun m -> transpose (reversed m))",
            lambda m: [list(row) for row in zip(*m[::-1], strict=True)],
            (_TRANSPOSE, _REVERSED),
        )
    return Op(
        "turn the matrix counterclockwise by a quarter: the first row becomes the first column, from bottom to top",
        "(fun m -> reversed (transpose m))",
        lambda m: [list(row) for row in zip(*m, strict=True)][::-1],
        (_TRANSPOSE, _REVERSED),
    )


def _mirror(chance: Chance) -> Op:
    if chance.happens(0.5):
        return Op("reverse the order of the rows", "reversed", lambda m: m[::-1], (_REVERSED,))
    return Op("reverse every row", "Array.map reversed", lambda m: [row[::-1] for row in m], (_REVERSED,))


def _cells(chance: Chance) -> Op:
    test, op = int_test(chance), int_map(chance)
    return Op(
        f"replace every element `x` for which {test.say()} by {op.say()}",
        f"Array.map (Array.map (fun x -> if {test.code()} then {op.code()} else x))",
        lambda m: [[op.run(x) if test.run(x) else x for x in row] for row in m],
        test.helpers + op.helpers,
    )


def _places(chance: Chance) -> Op:
    a, b = chance.between(1, 3), chance.between(1, 3)
    k = chance.between(2, 3)
    return chance.pick(
        (
            Op(
                f"add {a} times its row number, and {b} times its column number, to every element",
                f"Array.mapi (fun r row -> Array.mapi (fun c x -> x + ({a} * r) + ({b} * c)) row)",
                lambda m: [[x + a * r + b * c for c, x in enumerate(row)] for r, row in enumerate(m)],
            ),
            Op(
                f"change the sign of every element whose row number plus column number is divisible by {k}",
                f"Array.mapi (fun r row -> Array.mapi (fun c x -> if (r + c) mod {k} = 0 then -x else x) row)",
                lambda m: [[-x if (r + c) % k == 0 else x for c, x in enumerate(row)] for r, row in enumerate(m)],
            ),
        )
    )


def _sort_rows(chance: Chance) -> Op:
    helper = "let sorted row = Array.of_list (List.sort compare (Array.to_list row))"
    if chance.happens(0.5):
        return Op(
            "sort every row in ascending order", "Array.map sorted", lambda m: [sorted(row) for row in m], (helper,)
        )
    return Op(
        "put the rows in ascending order of their sums; rows with the same sum keep their order",
        "(fun m -> Array.of_list (List.stable_sort (fun a b -> compare (sum a) (sum b)) (Array.to_list m)))",
        lambda m: sorted(m, key=sum),
        ("let sum row = Array.fold_left ( + ) 0 row",),
    )


def _along_rows(chance: Chance) -> Op:
    op = int_join(chance)
    helper = """\
let along f row =
  let made = Array.copy row in
  for i = 1 to Array.length row - 1 do
    made.(i) <- f made.(i - 1) row.(i)
  done;
  made"""

    def along(row: Sequence[int]) -> list[int]:
        made = [row[0]]
        for y in row[1:]:
            made.append(op.run(made[-1], y))
        return made

    return Op(
        "in every row, from left to right, replace each element `y` but the first by something made of it and of the "
        "element "
        f"`x` before it, which has been replaced already: {op.say()}",
        f"Array.map (along (fun x y -> {op.code()}))",
        lambda m: [along(row) for row in m],
        (*op.helpers, helper),
    )


def _shift(chance: Chance) -> Op:
    k = chance.between(1, 2)
    helper = f"""\
let shifted r row =
  let n = Array.length row in
  Array.init n (fun c -> row.((c + ({k} * r)) mod n))"""
    times = "`r` times" if k == 1 else f"{k} times `r` times"
    return Op(
        f"in row `r`, move the first element to the end, and do so {times}; in every row",
        "Array.mapi shifted",
        lambda m: [row[k * r % len(row) :] + row[: k * r % len(row)] for r, row in enumerate(m)],
        (helper,),
    )


def _neighbours(chance: Chance) -> Op:
    k = chance.between(1, 3)
    helper = f"""\
let with_neighbours m =
  let get r c = if r < 0 || r >= Array.length m || c < 0 || c >= Array.length m.(r) then 0 else m.(r).(c) in
  let around r c = get (r - 1) c + get (r + 1) c + get r (c - 1) + get r (c + 1) in
  Array.mapi (fun r row -> Array.mapi (fun c x -> ({k} * x) + around r c) row) m"""

    def run(m: Matrix) -> Matrix:
        def get(r: int, c: int) -> int:
            return m[r][c] if 0 <= r < len(m) and 0 <= c < len(m[r]) else 0

        return [
            [k * x + get(r - 1, c) + get(r + 1, c) + get(r, c - 1) + get(r, c + 1) for c, x in enumerate(row)]
            for r, row in enumerate(m)
        ]

    own = "itself" if k == 1 else f"{k} times itself"
    return Op(
        f"replace every element by {own} plus the elements directly above, below, to the left and to the right of it, "
        "as they "
        "are before this step (0 where there is none)",
        "with_neighbours",
        run,
        (helper,),
    )


_RICH_GRIDS = (_cells, _along_rows)
_GRIDS = (
    _transpose,
    _turn,
    _mirror,
    _cells,
    _places,
    _sort_rows,
    _along_rows,
    _shift,
    _neighbours,
)


def _by_row(chance: Chance) -> Op:
    k, test = chance.between(2, 9), int_test(chance)
    return chance.pick(
        (
            Op(
                f"an array with, for every row, in order, its sum plus {k} times its number of columns",
                f"Array.map (fun row -> Array.fold_left ( + ) ({k} * Array.length row) row)",
                lambda m: [sum(row) + k * len(row) for row in m],
            ),
            Op(
                "an array with, for every row, in order, its greatest element minus its smallest",
                "Array.map (fun row -> Array.fold_left max row.(0) row - Array.fold_left min row.(0) row)",
                lambda m: [max(row) - min(row) for row in m],
            ),
            Op(
                f"an array with, for every row, in order, the sum of its elements `x` for which {test.say()}, plus "
                "its first "
                "element",
                f"Array.map (fun row -> Array.fold_left (fun sum x -> if {test.code()} then sum + x else sum) row.(0) "
                "row)",
                lambda m: [row[0] + sum(x for x in row if test.run(x)) for row in m],
                test.helpers,
            ),
        )
    )


def _by_cell(chance: Chance) -> Op:
    test = int_test(chance)
    return chance.pick(
        (
            Op(
                f"an array of all elements `x` for which {test.say()}, row by row from top to bottom, each row from "
                "left to "
                "right",
                f"Array.to_list |> Array.concat |> Array.to_list |> List.filter (fun x -> {test.code()}) |> "
                "Array.of_list",
                lambda m: [x for row in m for x in row if test.run(x)],
                test.helpers,
            ),
            Op(
                "an array of the elements on the border, clockwise, beginning in row 0 and column 0, each once (all "
                "elements "
                "of a matrix with one row or one column, from left to right or from top to bottom)",
                "border",
                _border,
                (_REVERSED, _BORDER),
            ),
        )
    )


_BORDER = """\
let border m =
  let height = Array.length m in
  if height = 0 then [||]
  else if height = 1 then m.(0)
  else
    let width = Array.length m.(0) in
    if width = 1 then Array.map (fun row -> row.(0)) m
    else
      let middle = Array.sub m 1 (height - 2) in
      let right = Array.map (fun row -> row.(width - 1)) middle and left = Array.map (fun row -> row.(0)) middle in
      Array.concat [ m.(0); right; reversed m.(height - 1); reversed left ]"""


def _border(m: Matrix) -> list[int]:
    if len(m) <= 1:
        return list(m[0]) if m else []
    if len(m[0]) == 1:
        return [row[0] for row in m]
    middle = m[1:-1]
    return [*m[0], *(row[-1] for row in middle), *m[-1][::-1], *(row[0] for row in middle[::-1])]


FAMILIES = (
    Family(
        name="arrays.edits",
        topics=("mutable-arrays",),
        description="edits of an array in place, where later ones see what earlier ones did",
        make=_edits,
    ),
    Family(
        name="arrays.matrix",
        topics=("mutable-arrays", "higher-order"),
        description="steps from matrix to matrix",
        make=_matrix,
    ),
)
