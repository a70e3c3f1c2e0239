"""Small tasks on lazy sequences: one or two steps of `Seq`, and a result from the elements."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, texts
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_TESTS: tuple[tuple[str, ...], ...] = (
    ("even", "x mod 2 = 0"),
    ("odd", "x mod 2 <> 0"),
    ("positive", "x > 0"),
    ("negative", "x < 0"),
    ("greater than $k", "x > $k"),
    ("less than $k", "x < $k"),
    ("not 0", "x <> 0"),
)
_IMAGES: Gap = (
    ("doubled", "2 * x"),
    ("squared", "x * x"),
    ("increased by $d", "x + $d"),
    ("decreased by $d", "x - $d"),
    ("with its sign changed", "-x"),
    ("multiplied by $d", "$d * x"),
)
_GAPS: dict[str, Gap] = {"test": _TESTS, "image": _IMAGES, "k": number(4, 20), "d": number(3, 9)}
_CHARACTERS: Gap = (
    ("digits", "c >= '0' && c <= '9'"),
    ("lower-case letters", "c >= 'a' && c <= 'z'"),
    ("upper-case letters", "c >= 'A' && c <= 'Z'"),
    ("characters other than lower-case letters", "not (c >= 'a' && c <= 'z')"),
    ("characters from `$a` to `z`", "c >= '$a' && c <= 'z'"),
    ("vowels (one of `aeiou`)", 'String.contains "aeiou" c'),
)


def _sequence(of: Input) -> Input:
    return Input(lambda chance: f"(List.to_seq {of.draw(chance)})", tuple(f"(List.to_seq {edge})" for edge in of.edges))


def _endless(chance: Chance) -> str:
    return f"(Seq.unfold (fun n -> Some (n, n + {chance.between(1, 5)})) {chance.between(0, 9)})"


_INTS = _sequence(lists(integers(-9, 30)))
_SHORT = _sequence(lists(integers(-9, 30), 0, 4, far=9))
_WORDS = _sequence(lists(one_of('"ant"', '"owl"', '"crab"', '"mouse"', '"horse"', '"ox"'), 0, 5, far=11))
_ANY = Input(lambda chance: _endless(chance) if chance.happens(0.4) else _INTS.draw(chance), _INTS.edges)

TASKS = (
    Task(
        level=1,
        says=(
            "`$f s` is the list of all elements of the sequence `s`, each $image.",
            "Take every element of the sequence `s` $image, and return the list of the results: `$f s`.",
            "Map a sequence of integers to a list: in `$f s` stands every element of `s` $image.",
        ),
        names=("map_all", "changed", "images"),
        signature="int Seq.t -> int list",
        code="let $f s = List.of_seq (Seq.map (fun x -> $image) s)",
        gaps=_GAPS,
        inputs=(_INTS,),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the list of the elements of the sequence `s` that are $test.",
            "Which elements of the sequence `s` are $test? `$f s` is the list of these, in the same order.",
            "Keep only what is $test in the sequence `s`, and return a list: `$f s`.",
        ),
        names=("keep", "select", "chosen"),
        signature="int Seq.t -> int list",
        code="let $f s = List.of_seq (Seq.filter (fun x -> $test) s)",
        gaps=_GAPS,
        inputs=(_INTS,),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is $what, for a sequence `s` of integers.",
            "Fold the sequence `s` of integers into $what: `$f s`.",
        ),
        names=("fold", "total", "summary"),
        signature="int Seq.t -> int",
        code="let $f s = Seq.fold_left (fun a x -> $what s",
        gaps={
            "what": (
                ("the sum of all elements", "a + x) 0"),
                ("the product of all elements", "a * x) 1"),
                ("the number of elements", "a + 1) 0"),
                ("the sum of the squares of all elements", "a + (x * x)) 0"),
                ("the sum of the absolute values of all elements", "a + abs x) 0"),
                ("the greatest element, or 0 if no element is positive", "max a x) 0"),
                ("the least element, or 0 if no element is negative", "min a x) 0"),
                ("the number of elements that are $test", "if $test then a + 1 else a) 0"),
                ("the sum of the elements that are $test", "if $test then a + x else a) 0"),
            ),
            "test": _TESTS[:-1],
            "k": number(4, 20),
        },
        inputs=(_INTS,),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the string of the $char of the string `s`, in the same order. Use `String.to_seq` and `String.of_seq`.",
            "Keep the $char of the string `s` and drop all others: `$f s` is what is left.",
        ),
        names=("keep_characters", "only", "strip"),
        signature="string -> string",
        code="let $f s = String.to_seq s |> Seq.filter (fun c -> $char) |> String.of_seq",
        gaps={"char": _CHARACTERS, "a": (("c",), ("f",), ("h",), ("k",), ("m",), ("p",), ("r",))},
        inputs=(texts(0, 12, far=30),),
    ),
    Task(
        level=1,
        says=(
            "`$f s t` is the list of the elements of $what.",
            "The sequences `s` and `t` hold integers. Write `$f s t`, the list of the elements of $what.",
        ),
        names=("join", "together", "both"),
        signature="int Seq.t -> int Seq.t -> int list",
        code="let $f s t = List.of_seq ($what)",
        gaps={
            "what": (
                ("the sequence `s` and then those of the sequence `t`", "Seq.append s t"),
                ("the sequence `t` and then those of the sequence `s`", "Seq.append t s"),
                ("the sequence `s`, then `$k`, then those of the sequence `t`", "Seq.append s (Seq.cons $k t)"),
                ("the sequence `s`, preceded by $k, and of the sequence `t`", "Seq.cons $k (Seq.append s t)"),
                ("the sequences `s`, `t` and `s` again, in this order", "Seq.append s (Seq.append t s)"),
                (
                    "the sequence `s` and then the doubles of those of the sequence `t`",
                    "Seq.append s (Seq.map (fun x -> 2 * x) t)",
                ),
            ),
            "k": number(0, 99),
        },
        inputs=(_SHORT, _SHORT),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is `Some` of the first element of the sequence `s`, $image, or `None` if `s` is empty.",
            "What is the first element of the sequence `s`, $image? Write `$f s`; it is `None` for the empty sequence.",
        ),
        names=("first", "head", "start_of"),
        signature="int Seq.t -> int option",
        code="let $f s = match s () with Seq.Nil -> None | Seq.Cons (x, _) -> Some ($image)",
        gaps=_GAPS,
        inputs=(_ANY,),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the list of $what, where `s` is a sequence of words.",
            "The sequence `s` holds words. Write `$f s`: the list of $what.",
        ),
        names=("words", "from_words", "word_list"),
        signature="string Seq.t -> string list",
        code="let $f s = List.of_seq (Seq.$what s)",
        gaps={
            "what": (
                ("the words of `s` in upper case", "map String.uppercase_ascii"),
                ("the words of `s`, each with a capital letter", "map String.capitalize_ascii"),
                ("the words of `s`, each followed by `$sign`", 'map (fun w -> w ^ "$sign")'),
                ("the words of `s`, each written twice in a row", "map (fun w -> w ^ w)"),
                ("the words of `s` with more than $n letters", "filter (fun w -> String.length w > $n)"),
                ("the words of `s` with exactly $n letters", "filter (fun w -> String.length w = $n)"),
                ("the words of `s` that begin with a letter after `$c`", "filter (fun w -> w.[0] > '$c')"),
                (
                    "the lengths of the words of `s`, written as strings",
                    "map (fun w -> string_of_int (String.length w))",
                ),
            ),
            "sign": (("!",), ("?",), ("s",), ("-",), (".",)),
            "n": number(3, 4),
            "c": (("b",), ("g",), ("h",), ("m",)),
        },
        inputs=(_WORDS,),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the list of the elements of `s` that are $test, each $image.",
            "Pick the elements that are $test from the sequence `s`, and then take each of them $image. `$f s` is the list of the "
            "results.",
        ),
        names=("filter_then_map", "pipeline", "process"),
        signature="int Seq.t -> int list",
        code="let $f s =\n  s\n  |> Seq.filter (fun x -> $test)\n  |> Seq.map (fun x -> $image)\n  |> List.of_seq",
        gaps=_GAPS,
        inputs=(_INTS,),
    ),
    Task(
        level=2,
        says=(
            "Leave out the first `n` elements of the sequence `s`, or all if there are fewer: `$f n s` is the list of $what. `n` is "
            "not negative.",
            "`$f n s` skips the first `n` elements of the sequence `s` and is the list of $what. `n` is not negative; if `s` is too "
            "short, the list is empty.",
        ),
        names=("drop", "after", "skip"),
        signature="int -> int Seq.t -> int list",
        code="let rec $f n s =\n  match s () with\n  | Seq.Cons (_, rest) when n > 0 -> $f (n - 1) rest\n  | _ -> List.of_seq $what",
        gaps={
            "what": (
                ("the others", "s"),
                ("the doubles of the others", "(Seq.map (fun x -> 2 * x) s)"),
                ("the opposites of the others", "(Seq.map (fun x -> -x) s)"),
                ("those of the others that are $test", "(Seq.filter (fun x -> $test) s)"),
            ),
            "test": _TESTS,
            "k": number(4, 20),
        },
        inputs=(integers(0, 4, far=16), _INTS),
        edges=(
            ("9", "(List.to_seq [1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 30; -8])"),
            *(("3", "(List.to_seq [4; 5; 6])"), ("3", "(List.to_seq [40; 50])"), ("1", "(List.to_seq [])")),
            *(("0", "(List.to_seq [7; -8])"), ("2", "(List.to_seq [0; 1; 22; -3])"), ("1", "(List.to_seq [5; 5; 50])")),
        ),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the list of the elements at the beginning of the sequence `s` that are $test: it stops before the first one "
            "that is not.",
            "Take elements from the beginning of the sequence `s` as long as they are $test. Write `$f s`, the list of them.",
        ),
        names=("take_while", "beginning", "prefix"),
        signature="int Seq.t -> int list",
        code="let rec $f s =\n  match s () with\n  | Seq.Cons (x, rest) when $test -> x :: $f rest\n  | _ -> []",
        gaps=_GAPS,
        inputs=(_INTS,),
    ),
    Task(
        level=2,
        says=(
            "`$f s t` is the list of the $what elements at the same place in the sequences `s` and `t`. It is as long as the shorter "
            "one; `t` may have no end.",
            "Go through two sequences side by side, until one of them ends: `$f s t` is the list of the $what elements of `s` and `t`. "
            "The sequence `t` may be endless.",
        ),
        names=("zip", "side_by_side", "combine"),
        signature="int Seq.t -> int Seq.t -> int list",
        code="let rec $f s t =\n  match s (), t () with\n  | Seq.Cons (x, s), Seq.Cons (y, t) -> $what :: $f s t\n  | _ -> []",
        gaps={
            "what": (
                ("sums of the", "(x + y)"),
                ("products of the", "(x * y)"),
                ("differences (the first minus the second) of the", "(x - y)"),
                ("greater ones of the", "max x y"),
                ("smaller ones of the", "min x y"),
                ("distances (absolute differences) of the", "abs (x - y)"),
            )
        },
        inputs=(_SHORT, _ANY),
    ),
    Task(
        level=2,
        says=(
            "`$f s t` is the list of elements taken $how from the sequences `s` and `t`, the first one from `s`; when one is at its end, "
            "the rest of the other follows.",
            "Write `$f s t`: the list that takes elements $how from `s` and from `t`, beginning with `s`. When one of the sequences "
            "ends, it goes on with the rest of the other.",
        ),
        names=("interleave", "alternate", "mix"),
        signature="int Seq.t -> int Seq.t -> int list",
        code="let rec $f s t =\n  match s () with\n  | Seq.Nil -> List.of_seq t\n  | Seq.Cons (x, rest) -> $how",
        gaps={
            "how": (
                ("in turn", "x :: $f t rest"),
                ("in turn, and each element of them twice,", "x :: x :: $f t rest"),
            )
        },
        inputs=(_SHORT, _SHORT),
    ),
    Task(
        level=2,
        says=(
            "`$f s` is the list in which every element `x` of the sequence `s` is replaced by $what.",
            "Replace each element `x` of the sequence `s` by $what, and return the list of all these: `$f s`.",
        ),
        names=("expand", "replace_each", "flat"),
        signature="int Seq.t -> int list",
        code="let $f s =\n  let expand x = List.to_seq ($what) in\n  List.of_seq (Seq.flat_map expand s)",
        gaps={
            "what": (
                ("`x` and `-x`", "[ x; -x ]"),
                ("two copies of `x`", "[ x; x ]"),
                ("`x` and its square", "[ x; x * x ]"),
                ("the numbers from 1 to `x`, which are none if `x` is not positive", "List.init (max 0 x) succ"),
                ("`x` and, if it is $test, also by `2 * x`", "if $test then [ x; 2 * x ] else [ x ]"),
                ("nothing if it is $test, else by two copies of `x`", "if $test then [] else [ x; x ]"),
            ),
            "test": _TESTS,
            "k": number(3, 6),
        },
        inputs=(_sequence(lists(integers(-5, 9), 0, 5, far=11)),),
    ),
    Task(
        level=2,
        says=(
            "Some words of the sequence `s` are numbers, that is, `int_of_string_opt` reads them. `$f s` is $what.",
            "The sequence `s` holds strings, some of which `int_of_string_opt` can read. Write `$f s`: $what.",
        ),
        names=("numbers", "read_numbers", "of_strings"),
        signature="string Seq.t -> int",
        code="let $f s =\n  s\n  |> Seq.filter_map int_of_string_opt\n  |> Seq.fold_left (fun a x -> $what",
        gaps={
            "what": (
                ("the sum of these numbers", "a + x) 0"),
                ("the count of these numbers", "a + 1) 0"),
                ("the product of these numbers", "a * x) 1"),
                ("the sum of the squares of these numbers", "a + (x * x)) 0"),
                ("the greatest one of these numbers, or 0 if none is positive", "max a x) 0"),
                ("the last one of these numbers, or 0 if there is none", "x) 0"),
            )
        },
        inputs=(
            _sequence(
                lists(
                    one_of(
                        '"7"',
                        '"12"',
                        '"-4"',
                        '"x"',
                        '"3a"',
                        '"35"',
                        '"one"',
                        '"2"',
                        '"-30"',
                        '""',
                        '"1_0"',
                        '"007"',
                        '" 3"',
                        '"-"',
                        '"0x1F"',
                    ),
                    0,
                    6,
                    far=12,
                )
            ),
        ),
    ),
)
