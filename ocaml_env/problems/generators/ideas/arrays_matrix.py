"""Steps from matrix to matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, telling
from ocaml_env.problems.generators.values import array, integer
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

Matrix = list[list[int]]


_INTS = array(integer)


_ROWS = array(array(integer))


_PRELUDE = "let apart f m =\n  let made = f m in\n  (made, m)"
_SAMPLES = 10


Matrices = Sequence[Matrix]


def _matrix(chance: Chance, level: int) -> Draft:
    def draw() -> Matrix:
        width = chance.between(1, 4)
        return [chance.numbers(width, -9, 20) for _ in range(chance.between(1, 4))]

    samples = [draw() for _ in range(_SAMPLES)]
    kinds = [chance.pick(_RICH_GRIDS), *chance.sample(_GRIDS, (level + 1) // 2 + (level >= 5))]
    steps: list[Op] = []
    made = samples
    for kind in chance.shuffled(kinds):
        steps.append(kind(chance, made))
        made = [steps[-1].run(grid) for grid in made]
    ending = chance.pick((_by_row, _by_cell))(chance, made) if chance.happens(0.5) else None
    whole = [_applied(steps, grid, ending) for grid in samples]
    for i, step in enumerate(steps):
        for wrong in ([], *([step._replace(run=fault)] for fault in step.faults)):
            other = [*steps[:i], *wrong, *steps[i + 1 :]]
            if sum(_applied(other, v, ending) != w for v, w in zip(samples, whole, strict=True)) < 2:
                raise Unfit
    return _draft(chance, steps, ending, draw)


def _asked(chance: Chance, draw: Callable[[], Matrix]) -> Matrix:
    """Typical matrices, and some that are large, with equal elements in a row, or without positive ones."""
    kind = chance.below(20)
    if kind < 2:
        width = chance.between(1, 5)
        return [chance.ints(width, -5, 12) for _ in range(chance.between(4, 5))]
    grid = draw()
    if kind < 5:
        grid.insert(chance.between(0, len(grid)), chance.shuffled(chance.pick(grid)))
    elif kind == 5:
        grid = [[-abs(x) - 1 for x in row] for row in grid]
    elif kind == 6:
        grid = [[grid[0][0]] * len(row) for row in grid]
    return grid


def _applied(steps: Sequence[Op], grid: Matrix, ending: Op | None) -> Matrix | list[int]:
    for step in steps:
        grid = step.run(grid)
    made: Matrix | list[int] = ending.run(grid) if ending else grid
    return made


def _draft(chance: Chance, steps: Sequence[Op], ending: Op | None, draw: Callable[[], Matrix]) -> Draft:
    name = chance.pick(("remap", "shape", "process", "refit", "transform"))
    lines = [f"let {name} m =", "  m", *(f"  |> {step.ocaml}" for step in steps)]
    lines += [f"  |> {ending.ocaml}"] if ending else []
    ops = [*steps, *([ending] if ending else [])]

    def cases() -> Iterator[Case]:
        edges: list[Matrix] = [
            [],
            [[chance.between(1, 9)]],
            [chance.numbers(4, -2, 20)],
            [[x] for x in chance.numbers(4, -2, 20)],
            [chance.numbers(3, -9, 20) for _ in range(2)],
            [chance.numbers(2, -9, 20) for _ in range(3)],
            [[-chance.between(1, 9)]],
        ]
        for grid in inputs(lambda: _asked(chance, draw), edges):
            made = _applied(steps, grid, ending)
            answer = f"({_INTS(made) if ending else _ROWS(made)}, {_ROWS(grid)})"
            yield case("apart", [name, _ROWS(grid)], answer)

    return Draft(
        name=name,
        statement=paragraphs(
            f"A matrix is an array of rows, which all have the same number of elements, at least 1. `{name} m` makes "
            f"{'an array of numbers' if ending else 'another matrix'} of the matrix `m` in these steps, in this "
            "order; `m` itself is not changed. Rows and columns are counted from 0. A matrix may have no rows; then "
            "it has no columns either, and it stays as it is in every step.",
            numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
            f"The result is {ending.words if ending else 'the matrix after the last step'}. In the tests `apart "
            f"{name} m` calls `{name} m` and gives the pair of the result and of `m` afterwards.",
        ),
        signature=f"val {name} : int array array -> {'int array' if ending else 'int array array'}",
        reference=module([h for op in ops for h in op.helpers], "\n".join(lines)),
        prelude=_PRELUDE,
        cases=cases(),
    )


# --- parts of steps: each makes a difference for these matrices -------------------------------------------------------


def _elements(made: Matrices) -> list[tuple[int]]:
    return [(x,) for x in sorted({x for grid in made for row in grid for x in row})]


def _int_test(chance: Chance, made: Matrices) -> Op:
    return telling(chance, int_test, _elements(made))


def _int_map(chance: Chance, made: Matrices, test: Op) -> Op:
    """An operation on those elements for which the answer is yes."""
    return telling(chance, int_map, [(x,) for (x,) in _elements(made) if test.run(x)])


def _int_join(chance: Chance, made: Matrices) -> Op:
    return telling(chance, int_join, [pair for grid in made for row in grid for pair in pairwise(row)])


# --- the steps --------------------------------------------------------------------------------------------------------


_TRANSPOSE = """\
let transpose m =
  if m = [||] then m else Array.init (Array.length m.(0)) (fun c -> Array.map (fun row -> row.(c)) m)"""


_REVERSED = """\
let reversed a =
  let n = Array.length a in
  Array.init n (fun i -> a.(n - 1 - i))"""


def _transpose(chance: Chance, made: Matrices) -> Op:
    return Op(
        "exchange rows and columns: what is in row `r` and column `c` goes to row `c` and column `r`",
        "transpose",
        lambda m: [list(row) for row in zip(*m, strict=True)],
        (_TRANSPOSE,),
    )


def _turn(chance: Chance, made: Matrices) -> Op:
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


def _mirror(chance: Chance, made: Matrices) -> Op:
    if chance.happens(0.5):
        return Op("reverse the order of the rows", "reversed", lambda m: m[::-1], (_REVERSED,))
    return Op("reverse every row", "Array.map reversed", lambda m: [row[::-1] for row in m], (_REVERSED,))


def _moved(chance: Chance, made: Matrices) -> Op:
    """A kind of its own for all these steps: two of them might undo each other."""
    return chance.pick((_transpose, _turn, _mirror))(chance, made)


def _cells(chance: Chance, made: Matrices) -> Op:
    test = _int_test(chance, made)
    op = _int_map(chance, made, test)
    return Op(
        f"replace every element `x` for which {test.say()} by {op.say()}",
        f"Array.map (Array.map (fun x -> if {test.code()} then {op.code()} else x))",
        lambda m: [[op.run(x) if test.run(x) else x for x in row] for row in m],
        test.helpers + op.helpers,
    )


def _places(chance: Chance, made: Matrices) -> Op:
    a, b = chance.between(2, 4), chance.between(2, 4)
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


def _sort_rows(chance: Chance, made: Matrices) -> Op:
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


def _along_rows(chance: Chance, made: Matrices) -> Op:
    op = _int_join(chance, made)
    helper = """\
let along f row =
  let made = Array.make (Array.length row) row.(0) in
  for i = 1 to Array.length row - 1 do
    made.(i) <- f made.(i - 1) row.(i)
  done;
  made"""

    def along(row: Sequence[int]) -> list[int]:
        found = [row[0]]
        for y in row[1:]:
            found.append(op.run(found[-1], y))
        return found

    return Op(
        "in every row, from left to right, replace each element `y` but the first by something made of it and of the "
        f"element `x` before it, which has been replaced already: {op.say()}",
        f"Array.map (along (fun x y -> {op.code()}))",
        lambda m: [along(row) for row in m],
        (*op.helpers, helper),
    )


def _shift(chance: Chance, made: Matrices) -> Op:
    k = chance.between(1, 2)
    helper = f"""\
let shifted r row =
  let n = Array.length row in
  Array.init n (fun c -> row.((c + {"r" if k == 1 else f"({k} * r)"}) mod n))"""
    times = "`r` times" if k == 1 else f"{k} times `r` times"
    return Op(
        f"in row `r`, move the first element to the end, and do so {times}; in every row",
        "Array.mapi shifted",
        lambda m: [row[k * r % len(row) :] + row[: k * r % len(row)] for r, row in enumerate(m)],
        (helper,),
    )


def _neighbours(chance: Chance, made: Matrices) -> Op:
    k = chance.between(1, 3)
    helper = f"""\
let with_neighbours m =
  let get r c = if r < 0 || r >= Array.length m || c < 0 || c >= Array.length m.(r) then 0 else m.(r).(c) in
  let around r c = get (r - 1) c + get (r + 1) c + get r (c - 1) + get r (c + 1) in
  Array.mapi (fun r row -> Array.mapi (fun c x -> {"x" if k == 1 else f"({k} * x)"} + around r c) row) m"""

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
        "as they are before this step (0 where there is none)",
        "with_neighbours",
        run,
        (helper,),
    )


_RICH_GRIDS = (_cells, _along_rows)


_GRIDS = (
    _moved,
    _cells,
    _places,
    _sort_rows,
    _along_rows,
    _shift,
    _neighbours,
)


def _by_row(chance: Chance, made: Matrices) -> Op:
    k, test = chance.between(2, 9), _int_test(chance, made)
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
                "its first element",
                f"Array.map (fun row -> Array.fold_left (fun sum x -> if {test.code()} then sum + x else sum) row.(0) "
                "row)",
                lambda m: [row[0] + sum(x for x in row if test.run(x)) for row in m],
                test.helpers,
            ),
        )
    )


def _by_cell(chance: Chance, made: Matrices) -> Op:
    test = _int_test(chance, made)
    return chance.pick(
        (
            Op(
                f"an array of all elements `x` for which {test.say()}, row by row from top to bottom, each row from "
                "left to right",
                f"Array.to_list |> Array.concat |> Array.to_list |> List.filter (fun x -> {test.code()}) |> "
                "Array.of_list",
                lambda m: [x for row in m for x in row if test.run(x)],
                test.helpers,
            ),
            Op(
                "an array of the elements on the border, clockwise, beginning in row 0 and column 0, each once (all "
                "elements of a matrix with one row or one column, from left to right or from top to bottom)",
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


FAMILY = Family(
    name="arrays.matrix",
    topics=("mutable-arrays", "higher-order"),
    description="steps from matrix to matrix",
    make=_matrix,
)
