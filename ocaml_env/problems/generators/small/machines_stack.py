"""Small tasks on a stack, a list with the top first: the effects of single instructions."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import atom, text

__all__ = ["TASKS"]

_STACK = lists(integers(-9, 30, far=900), 0, 6, far=13)
_JOINS: Gap = (
    ("sum", "(a + b)", "add"),
    ("product", "(a * b)", "multiply"),
    ("difference (the top minus the other)", "(a - b)", "subtract"),
    ("maximum", "max a b", "maximum"),
    ("minimum", "min a b", "minimum"),
    ("sum, plus $k", "(a + b + $k)", "add_more"),
    ("product, minus $k", "((a * b) - $k)", "multiply_less"),
)
_TESTS: Gap = (
    ("even", "x mod 2 = 0"),
    ("odd", "x mod 2 <> 0"),
    ("negative", "x < 0"),
    ("positive", "x > 0"),
    ("greater than $k", "x > $k"),
    ("less than $k", "x < $k"),
    ("different from 0", "x <> 0"),
)


def _instruction(chance: Chance) -> str:
    return chance.pick(("Drop", "Change", f"Push {atom(str(chance.between(-9, 20)))}"))


def _signs(chance: Chance) -> str:
    """Signs, mostly of the problem."""
    size = chance.pick((0, 2, 5, 8, 12, 25))
    drawn = [chance.character() if chance.happens(0.9) else chance.pick("()[]+-ud") for _ in range(2 * size)]
    return text("".join([sign for sign in drawn if sign in "()[]+-ud" or chance.happens(0.1)][:size]))


TASKS = (
    Task(
        level=1,
        says=(
            "A stack is a list whose first element is its top. `$f x s` is the stack `s` after $what.",
            "Which stack do we get from the stack `s` by $what? Write `$f x s`; the head of the list is the top.",
        ),
        names=("push", "pushed", "put"),
        signature="int -> int list -> int list",
        code="let $f x s = $what",
        gaps={
            "what": (
                ("pushing `x`", "x :: s"),
                ("pushing `x` twice", "x :: x :: s"),
                ("pushing `x`, then the square of `x`", "(x * x) :: x :: s"),
                ("pushing `x`, then `-x`", "-x :: x :: s"),
                ("pushing $k, then `x`", "x :: $k :: s"),
                ("pushing `x`, then $k", "$k :: x :: s"),
                ("putting `x` at the bottom", "s @ [ x ]"),
            ),
            "k": number(0, 60),
        },
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the top of the stack `s` (the first element of the list), $more, or $k if the stack is empty.",
            "The top of a stack is the head of the list. Write `$f s`: the top of `s`, $more, and $k for an empty stack.",
        ),
        names=("top", "peek", "top_or"),
        signature="int list -> int",
        code="let $f s = match s with [] -> $k | x :: _ -> $more",
        gaps={
            "more": (
                ("doubled", "2 * x"),
                ("squared", "x * x"),
                ("increased by $d", "x + $d"),
                ("decreased by $d", "x - $d"),
                ("with its sign changed", "-x"),
            ),
            "k": number(-1, 9),
            "d": number(1, 9),
        },
    ),
    Task(
        level=1,
        says=(
            "`$f s` replaces the two topmost elements of the stack `s`, a list with its top first, by their $join. "
            "A smaller stack stays as it is.",
            "Take two elements off the stack `s`, whose top is its head, and push their $join: that is `$f s`. "
            "A smaller stack stays as it is.",
        ),
        names=("$join", "${join}_top", "reduce"),
        signature="int list -> int list",
        code="let $f s = match s with a :: b :: rest -> $join :: rest | _ -> s",
        gaps={"join": _JOINS, "k": number(1, 20)},
        inputs=(lists(integers(-9, 30, far=900), 0, 5, far=11),),
    ),
    Task(
        level=1,
        says=(
            "An instruction $what. `$f s` is the stack `s`, a list with its top first, after it. A stack with fewer than two "
            "elements stays as it is.",
            "`$f s` $what of the stack `s`, whose top is the head of the list. If there are not two elements, "
            "`s` does not change.",
        ),
        names=("shuffle", "rearrange", "instruction"),
        signature="int list -> int list",
        code="let $f s = match s with a :: b :: rest -> $what | _ -> s",
        gaps={
            "what": (
                ("exchanges the two topmost elements", "b :: a :: rest"),
                ("pushes a copy of the second element", "b :: a :: b :: rest"),
                ("removes the second element", "a :: rest"),
                ("removes the two topmost elements", "rest"),
                ("pushes a copy of the top", "a :: a :: b :: rest"),
                ("moves the top to the bottom", "(b :: rest) @ [ a ]"),
                ("pushes the sum of the two topmost elements", "(a + b) :: a :: b :: rest"),
            )
        },
        inputs=(lists(integers(-9, 30, far=900), 0, 5, far=11),),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is `Some` of $what in the stack `s`, a list with the top first, or `None` if there is no such element.",
            "The stack `s` is a list that begins with its top. `$f s` finds $what, and is `None` if `s` has no such element.",
        ),
        names=("look", "inspect_stack", "find"),
        signature="int list -> int option",
        code="let $f s = $what",
        gaps={
            "what": (
                ("the second element from the top", "List.nth_opt s 1"),
                ("the third element from the top", "List.nth_opt s 2"),
                ("the element below the top, doubled,", "Option.map (fun x -> 2 * x) (List.nth_opt s 1)"),
                ("the last element, at the bottom,", "List.nth_opt (List.rev s) 0"),
                ("the element just above the bottom", "List.nth_opt (List.rev s) 1"),
            )
        },
    ),
    Task(
        level=1,
        says=(
            "The stack `s` is a list. `$f s` is how many of its elements are $test.",
            "Count the elements of the stack `s` that are $test: `$f s`.",
        ),
        names=("count", "how_many", "tally"),
        signature="int list -> int",
        code="let $f s = List.length (List.filter (fun x -> $test) s)",
        gaps={"test": _TESTS, "k": number(3, 20)},
        inputs=(_STACK,),
    ),
    Task(
        level=1,
        says=(
            "`$f s` tells how much room is left on the stack `s`, a list, which can hold $k elements; 0 if it is full "
            "or overfull.",
            "At most $k elements fit on a stack. How many more fit on the list `s`? Write `$f s`, never negative.",
        ),
        names=("room", "free_places", "space_left"),
        signature="int list -> int",
        code="let $f s = max 0 ($k - List.length s)",
        gaps={"k": number(5, 12)},
        inputs=(lists(integers(-9, 9, far=200), 0, 13, far=25),),
    ),
    Task(
        level=2,
        says=(
            "Pop `n` elements from the stack `s`, or all if there are fewer. `$f n s` is $what. The top is the head of the "
            "list, and `n` is not negative.",
            "The head of the list `s` is the top of a stack, from which `n` elements are popped (`n` is not negative), or "
            "all if there are not so many. Write `$f n s`, $what.",
        ),
        names=("pop", "pop_many", "take_off"),
        signature="int -> int list -> int list",
        code="let rec $f n s =\n  match s with\n  $what",
        gaps={
            "what": (
                ("the stack that remains", "| _ :: rest when n > 0 -> $f (n - 1) rest\n  | _ -> s"),
                (
                    "the list of the popped elements, first popped first",
                    "| x :: rest when n > 0 -> x :: $f (n - 1) rest\n  | _ -> []",
                ),
                (
                    "the stack when all popped elements are back in their places, with $k added to each",
                    "| x :: rest when n > 0 -> (x + $k) :: $f (n - 1) rest\n  | _ -> s",
                ),
            ),
            "k": number(1, 30),
        },
        inputs=(integers(0, 8, far=30), lists(integers(far=900))),
    ),
    Task(
        level=2,
        says=(
            "`$f t s` is the stack `s` after the instruction `t`: `Push n` pushes `n`, `Drop` removes the top, and `Change` "
            "replaces the top `x` by $change. On an empty stack the last two do nothing.",
            "Execute one instruction on a stack whose top is the head of the list: `Push n`, or `Drop` to remove the top, "
            "or `Change` to replace the top `x` by $change. An empty stack stays empty under the last two. Write `$f t s`.",
        ),
        names=("execute", "obey", "perform"),
        signature="type instruction = Push of int | Drop | Change\n\nval $f : instruction -> int list -> int list",
        code="type instruction = Push of int | Drop | Change\n\nlet $f t s =\n  match t, s with\n  | Push n, _ -> n :: s\n"
        "  | Drop, _ :: rest -> rest\n  | Change, x :: rest -> $change :: rest\n  | _, [] -> []",
        gaps={
            "change": (
                ("`2 * x`", "(2 * x)"),
                ("its square", "(x * x)"),
                ("`-x`", "-x"),
                ("`x + $k`", "(x + $k)"),
                ("`x - $k`", "(x - $k)"),
                ("its absolute value", "abs x"),
            ),
            "k": number(1, 30),
        },
        inputs=(Input(_instruction), lists(integers(-9, 30, far=900), 0, 5, far=11)),
        edges=(("Drop", "[]"), ("Change", "[]")),
    ),
    Task(
        level=2,
        says=(
            "Take the elements of `l` in order, with an empty stack: `Some n` pushes `n`, and `None` replaces the two "
            "topmost elements by their $join, or does nothing if there are fewer. `$f l` is the stack in the end, top first.",
            "In the program `l`, `Some n` means: push `n`; `None` means: replace the two topmost elements by their $join "
            "(skip it if there are not two). Write `$f l`: the final stack, as a list with its top first.",
        ),
        names=("run", "calculate", "evaluate_stack"),
        signature="int option list -> int list",
        code="let $f l =\n  let step s i =\n    match i, s with Some n, _ -> n :: s | None, a :: b :: rest -> $join :: rest | None, _ -> s\n"
        "  in\n  List.fold_left step [] l",
        gaps={"join": _JOINS, "k": number(1, 20)},
        inputs=(
            lists(one_of("None", "None", "Some 2", "Some 3", "Some 5", "Some 8", "Some 13", "Some (-4)"), 0, 8, far=15),
        ),
    ),
    Task(
        level=2,
        says=(
            "The height of a stack is $h. In the string `s` each $rules; other characters do nothing. `$f s` is the "
            "height after the last character.",
            "A string controls a stack of height $h: each $rules, and other characters are ignored. What is the height "
            "after the whole string `s`? Write `$f s`.",
        ),
        names=("height", "depth", "level_after"),
        signature="string -> int",
        code="let $f s =\n  let step h c = match c with $rules | _ -> h in\n  String.fold_left step $h s",
        gaps={
            "rules": tuple(
                (
                    f"`{up}` pushes one thing on it and `{down}` pops one, unless it is empty",
                    f"'{up}' -> h + 1 | '{down}' -> max 0 (h - 1)",
                )
                for up, down in ("()", "[]", "+-", "ud")
            ),
            "h": number(0, 5),
        },
        inputs=(Input(_signs, ('""', '")("', '"))(("', '"]["', '"-+-"', '"du"')),),
    ),
    Task(
        level=2,
        says=(
            "The numbers of `l` come to an empty stack one after another. A number `x` is pushed, unless $when: then "
            "the top is removed instead. `$f l` is the stack in the end, top first.",
            "Build a stack from the list `l`: usually the next number `x` is pushed, but if $when, the top is popped "
            "and `x` is dropped. Write `$f l`, the final stack with its top first.",
        ),
        names=("cancel", "push_or_pop", "build"),
        signature="int list -> int list",
        code="let $f l =\n  let step s x = match s with y :: rest when $when -> rest | _ -> x :: s in\n"
        "  List.fold_left step [] l",
        gaps={
            "when": (
                ("the top is equal to `x`", "y = x"),
                ("the top is `-x`", "y = -x"),
                ("the top is greater than `x`", "y > x"),
                ("the top is less than `x`", "y < x"),
                ("the top is `x + 1`", "y = x + 1"),
                ("the top and `x` add up to $k", "x + y = $k"),
            ),
            "k": number(1, 5),
        },
        inputs=(lists(integers(-3, 4), 0, 9, far=16),),
    ),
    Task(
        level=2,
        says=(
            "`$f s` removes elements from the top of the stack `s`, the head of the list, as long as the top is $test.",
            "Pop elements as long as the top of the stack is $test. `$f s` is what remains of the stack `s`, which is a "
            "list with its top first.",
        ),
        names=("pop_while", "clear_top", "unload"),
        signature="int list -> int list",
        code="let rec $f s =\n  match s with\n  | x :: rest when $test -> $f rest\n  | _ -> s",
        gaps={"test": _TESTS, "k": number(8, 18)},
        inputs=(lists(integers(-9, 30, far=900), 0, 8, far=14),),
        edges=(("[2; 6; 4]",), ("[-3; -5; 8; -1]",), ("[25; 31; 29; 19; 4; 27]",), ("[7; 5; 1; 3; 2; 1]",)),
    ),
    Task(
        level=2,
        says=(
            "Words are written on a list: `Some w` writes the word `w`, and `None` undoes the last writing that is "
            "not undone yet, if any. `$f l` is $what.",
            "`l` tells what somebody does: `Some w` writes the word `w`; `None` takes back the last word that is still "
            "there, or does nothing. Write `$f l`: $what.",
        ),
        names=("written", "after_undo", "edit"),
        signature="string option list -> string",
        code="let $f l =\n  let step s a = match a, s with Some w, _ -> w :: s | None, _ :: rest -> rest | None, [] -> [] in\n"
        '  String.concat "$sep" ($what)',
        gaps={
            "what": (
                ("what remains, in the order of writing, joined by `$sep`", "List.rev (List.fold_left step [] l)"),
                ("what remains, the last word first, joined by `$sep`", "List.fold_left step [] l"),
                (
                    "what remains, in alphabetical order, joined by `$sep`",
                    "List.sort compare (List.fold_left step [] l)",
                ),
            ),
            "sep": (("-",), ("+",), ("/",), ("|",)),
        },
        inputs=(lists(one_of("None", "None", *(f'Some "{w}"' for w in ("ant", "bee", "cat", "dog")))),),
    ),
)
