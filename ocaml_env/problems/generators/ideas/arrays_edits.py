"""Edits of an array in place; later edits see the effects of earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, some_ints, telling
from ocaml_env.problems.generators.values import array, integer
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_INTS = array(integer)
_SAMPLES = 10


_SWAP = """\
let swap a i j =
  let x = a.(i) in
  a.(i) <- a.(j);
  a.(j) <- x"""


_REVERSE = """\
let rec reverse a low high =
  if low < high then begin
    swap a low high;
    reverse a (low + 1) (high - 1)
  end"""


Arrays = Sequence[list[int]]


def _edits(chance: Chance, level: int) -> Draft:
    def draw() -> list[int]:
        return some_ints(chance, 8)

    samples = [draw() for _ in range(_SAMPLES)]
    kinds = [chance.pick(_RICH_EDITS), *chance.sample(_EDITS, (level + 1) // 2 + (level >= 5))]
    steps: list[Op] = []
    arrays: Arrays = samples
    for kind in chance.shuffled(kinds):
        steps.append(kind(chance, arrays))
        arrays = [_applied(steps[-1:], values) for values in arrays]
    for i in range(len(steps)):
        without = [_applied([*steps[:i], *steps[i + 1 :]], values) for values in samples]
        if sum(a != b for a, b in zip(without, arrays, strict=True)) < 2:
            raise Unfit
    name = chance.pick(("edit", "update", "work_on", "rework", "touch"))
    return _draft(chance, name, steps, _count(chance, arrays) if level >= 3 else None, draw)


def _asked(chance: Chance, draw: Callable[[], list[int]]) -> list[int]:
    """Typical arrays, and some that are short or long, sorted, or without different or positive elements."""
    kind = chance.below(20)
    if kind == 0:
        return [chance.between(-9, 9)] * chance.between(2, 6)
    if kind < 3:
        return sorted(draw(), reverse=chance.happens(0.5))
    if kind < 5:
        return chance.numbers(chance.between(1, 3), -9, 20)
    if kind < 7:
        return chance.ints(chance.between(9, 13), -5, 9)
    if kind == 7:
        return chance.ints(chance.between(2, 6), -20, -1)
    return draw()


def _applied(steps: Sequence[Op], values: Sequence[int]) -> list[int]:
    made = list(values)
    for step in steps:
        step.run(made)
        if any(abs(x) > 1 << 40 for x in made):
            raise Unfit
    return made


def _draft(chance: Chance, name: str, steps: Sequence[Op], answer: Op | None, draw: Callable[[], list[int]]) -> Draft:
    bodies = [f"  {step.ocaml}" for step in steps] + ([f"  {answer.ocaml}"] if answer else [])
    code = f"let {name} a =\n  let n = Array.length a in\n" + ";\n".join(bodies)
    prelude = "let after f a =\n  let result = f a in\n  (result, a)" if answer else "let after f a = f a; a"

    def cases() -> Iterator[Case]:
        edges = [[], [chance.between(-5, 9)], [3, 1], [2, 2, 2], chance.numbers(11, -9, 20)]
        for values in inputs(lambda: _asked(chance, draw), edges):
            try:
                made = _applied(steps, values)
            except Unfit:  # a long array of large numbers
                continue
            shown = f"({integer(answer.run(made))}, {_INTS(made)})" if answer else _INTS(made)
            yield case("after", [name, _INTS(values)], shown)

    result = f"It returns {answer.words}, as it is after the last step." if answer else "It returns `()`."
    ops = [*steps, *([answer] if answer else [])]
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} a` changes the array `a` of integers in place, in these steps, in this order; positions are "
            "counted from 0, and `n` is the number of elements, which may be 0:",
            numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
            f"{result} In the tests `after {name} a` calls `{name} a` and gives "
            + ("the pair of what it returns and of the array afterwards." if answer else "the array afterwards."),
        ),
        signature=f"val {name} : int array -> {'int' if answer else 'unit'}",
        reference=module([h for op in ops for h in op.helpers], code),
        prelude=prelude,
        cases=cases(),
    )


# --- parts of steps: each makes a difference for these arrays ---------------------------------------------------------


def _int_test(chance: Chance, arrays: Arrays) -> Op:
    return telling(chance, int_test, [(x,) for x in sorted({x for values in arrays for x in values})])


def _int_map(chance: Chance, arrays: Arrays) -> Op:
    return telling(chance, int_map, [(x,) for x in sorted({x for values in arrays for x in values})])


def _int_join(chance: Chance, arrays: Arrays) -> Op:
    return telling(chance, int_join, [pair for values in arrays for pair in pairwise(values)])


# --- the steps --------------------------------------------------------------------------------------------------------


def _forward(chance: Chance, arrays: Arrays) -> Op:
    op = _int_join(chance, arrays)

    def run(a: list[int]) -> None:
        for i in range(1, len(a)):
            a[i] = op.run(a[i], a[i - 1])

    return Op(
        "for every position from 1 to `n - 1`, in ascending order, replace the element `x` there by something made of "
        f"it and of the element `y` before it, which has been replaced already: {op.say()}",
        f"for i = 1 to n - 1 do let x = a.(i) and y = a.(i - 1) in a.(i) <- {op.code()} done",
        run,
        op.helpers,
    )


def _backward(chance: Chance, arrays: Arrays) -> Op:
    op = _int_join(chance, arrays)

    def run(a: list[int]) -> None:
        for i in range(len(a) - 2, -1, -1):
            a[i] = op.run(a[i], a[i + 1])

    return Op(
        "for every position from `n - 2` down to 0, in descending order, replace the element `x` there by something "
        f"made of it and of the element `y` behind it, which has been replaced already: {op.say()}",
        f"for i = n - 2 downto 0 do let x = a.(i) and y = a.(i + 1) in a.(i) <- {op.code()} done",
        run,
        op.helpers,
    )


def _flip(chance: Chance, arrays: Arrays) -> Op:
    words, code, bounds = chance.pick(_FLIPS)
    find: Callable[[int], tuple[int, int]] = bounds

    def run(a: list[int]) -> None:
        start, end = find(len(a))
        a[start:end] = a[start:end][::-1]

    return Op(words, code, run, (_SWAP, _REVERSE))


_FLIPS = (
    ("reverse the whole array", "reverse a 0 (n - 1)", lambda n: (0, n)),
    (
        "reverse the first half of the array (the first `n / 2` elements)",
        "reverse a 0 ((n / 2) - 1)",
        lambda n: (0, n // 2),
    ),
    (
        "reverse the second half of the array (all from position `n / 2` on)",
        "reverse a (n / 2) (n - 1)",
        lambda n: (n // 2, n),
    ),
    ("reverse all but the first element (if there are any)", "reverse a 1 (n - 1)", lambda n: (1, n)),
    ("reverse all but the last element (if there are any)", "reverse a 0 (n - 2)", lambda n: (0, max(0, n - 1))),
)


def _rotate(chance: Chance, arrays: Arrays) -> Op:
    k = chance.between(1, 3)

    def run(a: list[int]) -> None:
        if a:
            a[:] = a[k % len(a) :] + a[: k % len(a)]

    return Op(
        f"move every element {k} position{'s' if k > 1 else ''} towards the front; those that leave it come in at the "
        "end, in their order (an element may go around several times)",
        f"(let b = Array.copy a in Array.iteri (fun i _ -> a.(i) <- b.((i + {k}) mod n)) b)",
        run,
    )


def _pass(chance: Chance, arrays: Arrays) -> Op:
    sign, word = chance.pick(((">", "greater"), ("<", "less")))

    def run(a: list[int]) -> None:
        for i in range(len(a) - 1):
            if (a[i] > a[i + 1]) if sign == ">" else (a[i] < a[i + 1]):
                a[i], a[i + 1] = a[i + 1], a[i]

    return Op(
        "for every position `i` from 0 to `n - 2`, in ascending order, swap the elements at `i` and `i + 1` if the "
        f"first of them, as it is by then, is {word} than the second",
        f"for i = 0 to n - 2 do if a.(i) {sign} a.(i + 1) then swap a i (i + 1) done",
        run,
        (_SWAP,),
    )


def _where(chance: Chance, arrays: Arrays) -> Op:
    test, op = _int_test(chance, arrays), _int_map(chance, arrays)

    def run(a: list[int]) -> None:
        a[:] = [op.run(x) if test.run(x) else x for x in a]

    return Op(
        f"replace every element `x` for which {test.say()} by {op.say()}",
        f"Array.iteri (fun i x -> if {test.code()} then a.(i) <- {op.code()}) a",
        run,
        test.helpers + op.helpers,
    )


def _at(chance: Chance, arrays: Arrays) -> Op:
    k = chance.between(2, 3)
    r, op = chance.below(k), _int_map(chance, arrays)

    def run(a: list[int]) -> None:
        a[r::k] = map(op.run, a[r::k])

    return Op(
        f"replace every element `x` at the positions {r}, {r + k}, {r + 2 * k} and so on by {op.say()}",
        f"Array.iteri (fun i x -> if i mod {k} = {r} then a.(i) <- {op.code()}) a",
        run,
        op.helpers,
    )


def _ends(chance: Chance, arrays: Arrays) -> Op:
    op = _int_join(chance, arrays)

    def run(a: list[int]) -> None:
        if a:
            x, y = a[0], a[-1]
            a[:] = [op.run(value, x) for value in a]
            a[-1] = y

    return Op(
        "replace every element `x` but the last by something made of it and of the element `y` that was at position 0 "
        f"before this step: {op.say()}",
        f"(if n > 0 then let y = a.(0) in for i = 0 to n - 2 do let x = a.(i) in a.(i) <- {op.code()} done)",
        run,
        op.helpers,
    )


def _front(chance: Chance, arrays: Arrays) -> Op:
    test = _int_test(chance, arrays)

    def run(a: list[int]) -> None:
        free = 0
        for i in range(len(a)):
            if test.run(a[i]):
                a[i], a[free] = a[free], a[i]
                free += 1

    return Op(
        "with a number `j` that begins at 0, go through the positions `i` in ascending order; where the element `x` "
        f"at `i` is such that {test.say()}, swap the elements at `i` and `j`, and then increase `j` by 1",
        f"(let j = ref 0 in for i = 0 to n - 1 do let x = a.(i) in if {test.code()} then (swap a i !j; incr j) done)",
        run,
        (*test.helpers, _SWAP),
    )


_RICH_EDITS = (_forward, _backward, _where, _at, _ends)


_EDITS = (_forward, _backward, _flip, _rotate, _pass, _where, _at, _ends, _front)


def _count(chance: Chance, arrays: Arrays) -> Op:
    test, k = _int_test(chance, arrays), chance.between(2, 9)
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


FAMILY = Family(
    name="arrays.edits",
    topics=("mutable-arrays",),
    description="edits of an array in place, where later ones see what earlier ones did",
    make=_edits,
)
