"""Small tasks on the ends of a list: its first and last elements, positions, lengths, appending and reversing."""

from __future__ import annotations

from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import integers, lists, words
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["FAMILY", "TASKS"]

_LONG = lists(integers(-9, 40, far=900), 4, 8, far=15)

_GAPS: dict[str, Gap] = {
    "k": number(2, 4),
    "n": number(2, 60),
    "value": (
        ("the third element", "List.nth l 2", "third"),
        ("the last element", "List.hd (List.rev l)", "last"),
        ("the last element but one", "List.nth (List.rev l) 1", "last_but_one"),
        ("the sum of the first two elements", "List.hd l + List.nth l 1", "first_sum"),
        ("the first element minus the last one", "List.hd l - List.hd (List.rev l)", "difference"),
        ("the greater of the first and the last element", "max (List.hd l) (List.hd (List.rev l))", "greater_end"),
        ("the number of elements after the first $k", "List.length l - $k", "remaining"),
    ),
    "part": (
        ("without its first element", "List.tl l"),
        ("without its last element", "List.rev (List.tl (List.rev l))"),
        ("without its first $k elements", "List.filteri (fun i _ -> i >= $k) l"),
        ("cut down to its first $k elements", "List.filteri (fun i _ -> i < $k) l"),
        ("cut down to its last $k elements", "List.filteri (fun i _ -> i >= List.length l - $k) l"),
        ("without the element at position $k, counted from 1", "List.filteri (fun i _ -> i + 1 <> $k) l"),
        ("reduced to its first, third, fifth element and so on", "List.filteri (fun i _ -> i mod 2 = 0) l"),
        ("reduced to its second, fourth, sixth element and so on", "List.filteri (fun i _ -> i mod 2 = 1) l"),
    ),
    "joined": (
        ("the elements of `a`, then those of `b`", "a @ b"),
        ("the elements of `b`, then those of `a`", "b @ a"),
        ("the elements of `a`, then those of `b` in reverse order", "a @ List.rev b"),
        ("the elements of `a` in reverse order, then those of `b`", "List.rev a @ b"),
        ("the elements of `a`, then those of `b`, all of this reversed", "List.rev (a @ b)"),
        ("the elements of `a`, then those of `b`, then those of `a` again", "a @ b @ a"),
        ("the elements of `a`, then $n, then the elements of `b`", "a @ ($n :: b)"),
        ("the elements of `a` that are in `b` too, in the order of `a`", "List.filter (fun x -> List.mem x b) a"),
    ),
    "put": (
        ("with `x` added at its front", "x :: l"),
        ("with `x` added at its end", "l @ [ x ]"),
        ("with `x` added at both ends", "(x :: l) @ [ x ]"),
        ("with `x` and then $n added at its end", "l @ [ x; $n ]"),
        ("with $n added at its front and `x` at its end", "($n :: l) @ [ x ]"),
        ("in reverse order, with `x` added at its front", "x :: List.rev l"),
        ("with each element that is equal to `x` removed", "List.filter (fun y -> y <> x) l"),
        ("with each element replaced by `x`", "List.map (fun _ -> x) l"),
    ),
    "asked": (
        ("the list `l` has exactly $k elements", "List.length l = $k"),
        ("the list `l` has more than $k elements", "List.length l > $k"),
        ("the number of elements of `l` is even", "List.length l mod 2 = 0"),
        ("$n is an element of `l`", "List.mem $n l"),
        ("$n is missing from `l`", "not (List.mem $n l)"),
        ("the list `l` stays the same when it is reversed", "List.rev l = l"),
        ("the nonempty list `l` begins with $n", "List.hd l = $n"),
        ("the first and the last element of the nonempty list `l` are equal", "List.hd l = List.hd (List.rev l)"),
    ),
    "place": (
        ("from the front", "queue"),
        ("from the back", "(List.rev queue)"),
        ("in alphabetical order", "(List.sort compare queue)"),
        ("in reverse alphabetical order", "(List.rev (List.sort compare queue))"),
    ),
    "front": (
        ("its first two elements swapped", "a :: b :: rest -> b :: a :: rest"),
        ("its second element removed", "a :: _ :: rest -> a :: rest"),
        ("its first element moved to the end", "a :: b :: rest -> (b :: rest) @ [ a ]"),
        ("its first two elements moved to the end, in their old order", "a :: b :: rest -> rest @ [ a; b ]"),
        ("its first two elements replaced by their sum", "a :: b :: rest -> (a + b) :: rest"),
        ("the smaller one of its first two elements removed", "a :: b :: rest -> max a b :: rest"),
        ("$n put between its first two elements", "a :: b :: rest -> a :: $n :: b :: rest"),
        ("its second element replaced by $n", "a :: _ :: rest -> a :: $n :: rest"),
    ),
    "two": (
        ("only the first is kept", "a :: _ :: rest -> a :: $f rest"),
        ("the two are swapped", "a :: b :: rest -> b :: a :: $f rest"),
        ("their sum takes their place", "a :: b :: rest -> (a + b) :: $f rest"),
        ("the greater one takes their place", "a :: b :: rest -> max a b :: $f rest"),
        ("$n is put between them", "a :: b :: rest -> a :: $n :: b :: $f rest"),
    ),
    "some": (
        ("the first `n` elements of `l`", "x :: rest when n > 0 -> x :: $f (n - 1) rest\n  | _ -> []", "take"),
        ("all but the first `n` elements of `l`", "_ :: rest when n > 0 -> $f (n - 1) rest\n  | _ -> l", "drop"),
    ),
    "end": (
        ("the last element", "[ x ] -> Some x\n  | _ :: rest -> $f rest\n  | [] -> None", "last"),
        ("the last element but one", "[ x; _ ] -> Some x\n  | _ :: rest -> $f rest\n  | [] -> None", "last_but_one"),
        (
            "the first of the last three elements",
            "[ x; _; _ ] -> Some x\n  | _ :: rest -> $f rest\n  | [] -> None",
            "third_last",
        ),
    ),
    "every": (
        ("two copies of it", "x :: x :: $f rest"),
        ("itself and then $n", "x :: $n :: $f rest"),
        ("$n and then itself", "$n :: x :: $f rest"),
        ("itself and then its double", "x :: (2 * x) :: $f rest"),
    ),
    "found": (
        ("without the first $n in it", "rest"),
        ("up to, but without, the first $n in it", "[]"),
        ("with every $n in it replaced by $k", "$k :: $f rest"),
        ("with a 0 put in front of every $n in it", "0 :: x :: $f rest"),
        ("without any $n in it", "$f rest"),
        ("with the first $n in it moved to its end", "rest @ [ x ]"),
    ),
}

TASKS = (
    Task(
        level=1,
        says=(
            "The list `l` has at least four elements. `$f l` is $value.",
            "Given a list `l` of four or more numbers, return $value: `$f l`.",
        ),
        names=("$value", "get_$value"),
        signature="int list -> int",
        code="let $f l = $value",
        gaps=_GAPS,
        inputs=(_LONG,),
    ),
    Task(
        level=1,
        says=(
            "The list `l` has at least four elements. `$f l` is the list `l` $part.",
            "Write a function `$f l` that returns the list `l`, of four or more elements, $part.",
        ),
        names=("cut", "part", "shorten"),
        signature="'a list -> 'a list",
        code="let $f l = $part",
        gaps=_GAPS,
        inputs=(_LONG,),
    ),
    Task(
        level=1,
        says=("`$f a b` is the list of $joined.", "Make one list of the lists `a` and `b`: $joined. Call it `$f a b`."),
        names=("join", "connect", "put_together"),
        signature="int list -> int list -> int list",
        code="let $f a b = $joined",
        gaps=_GAPS,
        inputs=(lists(integers(-3, 9, far=300), 0, 5, far=12), lists(integers(-3, 9, far=300), 0, 5, far=12)),
    ),
    Task(
        level=1,
        says=("`$f x l` is the list `l`, $put.", "Write `$f x l`, which returns the list `l` $put."),
        names=("put", "edit", "with_element"),
        signature="int -> int list -> int list",
        code="let $f x l = $put",
        gaps=_GAPS,
        inputs=(integers(-2, 5, far=300), lists(integers(-2, 5))),
    ),
    Task(
        level=1,
        says=("`$f l` tells whether $asked.", "Write a function `$f l` that checks whether $asked."),
        names=("check", "test", "question"),
        signature="int list -> bool",
        code="let $f l = $asked",
        gaps=_GAPS,
        inputs=(lists(integers(0, 60), 0, 6, far=13),),
        edges=(
            ("[]",),
            ("[5; 5]",),
            ("[3; 7; 3]",),
            ("[2; 4; 4; 2]",),
            ("[8; 1; 8]",),
            ("[6; 9; 0; 6]",),
            ("[5; 1; 7; 2; 5]",),
            ("[5; 1; 2; 7; 1; 5]",),
        ),
    ),
    Task(
        level=1,
        says=(
            "Counted $place, with 0 for the first, who has number `n` in the list `queue` of names? `$f queue n` is "
            "`Some` name, or `None` if there is none (`n >= 0`).",
            "`$f queue n` is `Some` of the name that has number `n` $place, where the first one has number 0, or `None` if "
            "there are too few names (`n` is never negative).",
        ),
        names=("who", "name_at", "find_place"),
        signature="string list -> int -> string option",
        code="let $f queue n = List.nth_opt $place n",
        gaps=_GAPS,
        inputs=(lists(words()), integers(0, 6, far=20)),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the list `l` with $front. If there are fewer than two elements, it is `l` itself.",
            "Return the list `l` with $front: `$f l`. A list of fewer than two elements stays as it is.",
        ),
        names=("change_front", "begin_anew", "rearrange"),
        signature="int list -> int list",
        code="let $f l =\n  match l with\n  | $front\n  | _ -> l",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f l` takes the elements of `l` two by two: $two. A last element without a partner stays as it is.",
            "In the list `l`, the first two elements make a pair, so do the next two, and so on. In `$f l`, for each "
            "pair, $two; a single one at the end stays.",
        ),
        names=("by_twos", "pairwise", "two_by_two"),
        signature="int list -> int list",
        code="let rec $f = function\n  | $two\n  | l -> l",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f n l` is the list of $some. There may be fewer than `n` elements; an `n` below 0 counts as 0.",
            "Write a recursive function `$f n l` that returns the list of $some. A negative `n` counts as 0, and an `n` that "
            "is greater than the length of `l` counts as that length.",
        ),
        names=("$some", "my_$some", "${some}_first"),
        signature="int -> 'a list -> 'a list",
        code="let rec $f n l =\n  match l with\n  | $some",
        gaps=_GAPS,
        inputs=(integers(-2, 8, far=30), lists(integers(-9, 40))),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is `Some` of $end of the list `l`, or `None` if `l` is too short to have one.",
            "Write a recursive function `$f l` that returns $end of the list `l` as an option, and `None` if there is none.",
        ),
        names=("$end", "${end}_opt"),
        signature="'a list -> 'a option",
        code="let rec $f = function\n  | $end",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the list `l` with each element replaced by $every.",
            "Make a new list, in which there is, for each element of `l`, $every: `$f l`. The empty list gives the empty "
            "list.",
        ),
        names=("extend", "spread", "lengthen"),
        signature="int list -> int list",
        code="let rec $f = function\n  | [] -> []\n  | x :: rest -> $every",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the list `l` $found. If there is no $n, it is `l`.",
            "Given a list `l` of integers, return it $found: `$f l`. Without any $n the list stays as it is.",
        ),
        names=("adjust", "tidy", "treat"),
        signature="int list -> int list",
        code="let rec $f = function\n  | [] -> []\n  | x :: rest -> if x = $n then $found else x :: $f rest",
        gaps={**_GAPS, "n": number(3, 8)},
        inputs=(lists(integers(-2, 10, far=300)),),
    ),
)

FAMILY = Family(
    name="lists.ends", topics=("lists",), description="the ends of a list, positions, lengths and joins", tasks=TASKS
)
