"""Small tasks on tuples, lists and options of anything: parts exchanged, put together, taken apart or left out."""

from __future__ import annotations

import re

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import (
    Input,
    array,
    boolean,
    characters,
    integers,
    lists,
    options,
    tuples,
    words,
)
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_WORDS, _INTS = words(), integers(0, 30)
_PARTS = {"a": _INTS, "b": _WORDS, "c": characters("abcdefgh"), "d": boolean()}


def _shaped(shape: str) -> Input:
    """Values such as ``(3, ("oak", 'c'))``, for a shape such as ``(a, (b, c))``."""

    def draw(chance: Chance) -> str:
        return re.sub(r"\b[a-d]\b", lambda found: _PARTS[found[0]].draw(chance), shape)

    return Input(draw)


def _type(shape: str) -> str:
    return re.sub(r"\b[a-d]\b", r"'\g<0>", shape).replace(",", " *")


def _pattern(source: str, target: str) -> str:
    """The source with a mere ``_`` for unused parts."""
    return re.sub(r"\b[a-d]\b", lambda found: found[0] if found[0] in target else "_", source)


_ARROWS = (
    ("(a, b)", "(b, a)"),
    ("(a, b)", "(a, b, a)"),
    ("(a, b)", "((b, a), (a, b))"),
    ("(a, b)", "(b, (a, b))"),
    ("(a, b, c)", "(c, b, a)"),
    ("(a, b, c)", "(b, c, a)"),
    ("(a, b, c)", "((a, b), c)"),
    ("(a, b, c)", "(a, (c, b))"),
    ("(a, b, c)", "(c, a)"),
    ("(a, b, c)", "((a, b), (b, c))"),
    ("(a, (b, c))", "((a, b), c)"),
    ("(a, (b, c))", "((c, b), a)"),
    ("(a, (b, c))", "(b, a, c)"),
    ("((a, b), c)", "(a, (b, c))"),
    ("((a, b), c)", "(c, (b, a))"),
    ("((a, b), c)", "(b, c)"),
    ("((a, b), (c, d))", "((a, c), (b, d))"),
    ("((a, b), (c, d))", "(a, b, c, d)"),
    ("((a, b), (c, d))", "(c, b)"),
    ("((a, b), (c, d))", "((d, c), (b, a))"),
)

_GAPS: dict[str, Gap] = {
    "k": number(2, 9),
    "few": number(2, 4),
    "two": (
        ("the first part and then the second", "[ a; b ]"),
        ("the second part and then the first", "[ b; a ]"),
        ("the first part, the second, and the first again", "[ a; b; a ]"),
        ("the first part once and the second twice", "[ a; b; b ]"),
        ("the greater part and then the smaller", "[ max a b; min a b ]"),
    ),
    "three": (
        ("its three parts in their order", "[ a; b; c ]"),
        ("its three parts from the last to the first", "[ c; b; a ]"),
        ("the second and the third part", "[ b; c ]"),
        ("the last part, then the first", "[ c; a ]"),
        ("its three parts, and then the first one again", "[ a; b; c; a ]"),
    ),
    "with": (
        ("`(x, y)`", "(x, y)"),
        ("`(y, x)`", "(y, x)"),
        ("the pair of the smaller and the greater of `x` and `y`", "(min x y, max x y)"),
    ),
    "index": (("from 0", "i"), ("from 1", "i + 1"), ("from $k", "i + $k"), ("0, $k, twice $k and so on", "$k * i")),
    "spread": (
        ("put together to one list", "List.concat l"),
        ("put together to one list, which is then reversed", "List.rev (List.concat l)"),
        ("put together to one list, beginning with the last of them", "List.concat (List.rev l)"),
        ("each reversed, and then put together to one list", "List.concat_map List.rev l"),
        ("put together to one list in which each comes twice in a row", "List.concat_map (fun x -> x @ x) l"),
    ),
    "many": (
        ("`a` and then `b`", "[ a; b ]"),
        ("`b` and then `a`", "[ b; a ]"),
        ("`a` twice", "[ a; a ]"),
        ("the greater of `a` and `b`", "[ max a b ]"),
        ("`a`, `b` and `a` again", "[ a; b; a ]"),
    ),
    "padded": (
        ("followed by `x`", "[ y; x ]"),
        ("preceded by `x`", "[ x; y ]"),
        ("between two `x`", "[ x; y; x ]"),
        ("twice, with `x` after both", "[ y; y; x ]"),
    ),
    "mirror": (
        ("followed by its elements in reverse order", "l @ List.rev l"),
        ("preceded by its elements in reverse order", "List.rev l @ l"),
        ("followed by itself", "l @ l"),
        ("with its first element once more at the end", "l @ List.filteri (fun i _ -> i = 0) l"),
        ("without its first element", "List.filteri (fun i _ -> i > 0) l"),
        ("without its first $few elements", "List.filteri (fun i _ -> i >= $few) l"),
    ),
    "ends": (
        ("the first element with the last, the second with the last but one, and so on", "List.combine l (List.rev l)"),
        ("the last element with the first, the last but one with the second, and so on", "List.combine (List.rev l) l"),
        ("every element with itself", "List.map (fun x -> (x, x)) l"),
        ("every element with itself, beginning with the last one", "List.rev_map (fun x -> (x, x)) l"),
    ),
    "unpacked": (
        ("two lists, one of all first parts and one of all second parts", "(a :: xs, b :: ys)"),
        ("two lists, one of all second parts and one of all first parts", "(b :: xs, a :: ys)"),
        ("two lists, one of the greater part of each pair and one of the smaller", "(max a b :: xs, min a b :: ys)"),
    ),
    "flat": (
        ("the first and then the second part of each pair", "a :: b :: $f rest"),
        ("the second and then the first part of each pair", "b :: a :: $f rest"),
        (
            "the first part of each pair, and the second unless it is the same",
            "if a = b then a :: $f rest else a :: b :: $f rest",
        ),
        ("all first parts, and then the second parts from the last to the first", "(a :: $f rest) @ [ b ]"),
    ),
    "pairing": (
        ("each two elements, without a last one that is left over", "a :: b :: rest -> (a, b) :: $f rest"),
        ("each element with the one after it", "a :: b :: rest -> (a, b) :: $f (b :: rest)"),
        ("each element with the one before it", "a :: b :: rest -> (b, a) :: $f (b :: rest)"),
        ("each element with the next but one", "a :: b :: c :: rest -> (a, c) :: $f (b :: c :: rest)"),
        ("each two equal neighbours", "a :: b :: rest -> if a = b then (a, b) :: $f (b :: rest) else $f (b :: rest)"),
    ),
    "zipped": (
        ("pairs of an element of `l` and one of `m`", "(x, y) :: $f xs ys"),
        ("pairs of an element of `m` and one of `l`", "(y, x) :: $f xs ys"),
        ("pairs of the smaller and the greater element at each place", "(min x y, max x y) :: $f xs ys"),
    ),
    "dealt": (
        (
            "the first, third, fifth ... and of the second, fourth, sixth ... element",
            "(a :: xs, b :: ys)\n  | _ -> (l, [])",
        ),
        (
            "the second, fourth, sixth ... and of the first, third, fifth ... element",
            "(b :: xs, a :: ys)\n  | _ -> ([], l)",
        ),
    ),
    "known": (
        ("`(a, b)` for each `(a, Some b)`", "(a, b) :: $f rest"),
        ("`(b, a)` for each `(a, Some b)`", "(b, a) :: $f rest"),
        ("`(a, b)` and then `(b, a)` for each `(a, Some b)`", "(a, b) :: (b, a) :: $f rest"),
    ),
    "filled": (("`x`", "x"), ("the greater of `x` and `d`", "max x d"), ("the smaller of `x` and `d`", "min x d")),
    "kept": (("`x`", "[ x ]"), ("`x` twice", "[ x; x ]"), ("`x` three times", "[ x; x; x ]")),
    "alone": (
        ("In all other cases it is `None`.", "_ -> None"),
        (
            "If only one of them is there, it is paired with itself.",
            "Some x, None | None, Some x -> Some (x, x)\n  | None, None -> None",
        ),
        (
            "If `p` is `None`, the `x` is paired with itself; if `o` is `None`, so is the result.",
            "Some x, None -> Some (x, x)\n  | None, _ -> None",
        ),
    ),
    "order": (("", "x :: xs"), (", in reverse order", "xs @ [ x ]"), (", each twice in a row", "x :: x :: xs")),
    "spreading": (("`(x, y)`", "(x, y)"), ("`(y, x)`", "(y, x)")),
    "holes": (
        ("the number of `None` in `l`", "Some x -> (x :: xs, n) | None -> (xs, n + 1)"),
        ("the number of all options in `l`", "Some x -> (x :: xs, n + 1) | None -> (xs, n + 1)"),
        ("$k times the number of `None` in `l`", "Some x -> (x :: xs, n) | None -> (xs, n + $k)"),
    ),
    "sorted": (
        ("what is in each `Ok`, and what is in each `Error`", "Ok x -> (x :: xs, es) | Error e -> (xs, e :: es)"),
        ("what is in each `Error`, and what is in each `Ok`", "Error e -> (e :: xs, es) | Ok x -> (xs, x :: es)"),
    ),
    "both": (("(x, y)",), ("(y, x)",)),
}


_KINDS = (("", "", ""), ("list", "List", "l"), ("option", "Option", "o"), ("array", "Array", "a"))


def _arrow(place: int, source: str, target: str) -> Task:
    """A tuple made from another, alone or in a list, an array or an option."""
    before, after, pattern = _type(source), _type(target), _pattern(source, target)
    kind, module, x = _KINDS[place % 4]
    says: tuple[str, ...]
    if not kind:
        says = (
            f"`$f` makes `{target}` of `{source}`.",
            f"Given `{source}`, the function `$f` returns `{target}`.",
            f"Write `$f`, which takes `{source}` apart and puts its parts together as `{target}`.",
        )
    elif kind != "option":
        says = (
            f"`$f {x}` is the {kind} `{x}` with `{target}` in place of every element `{source}`, in the same order.",
            f"Every element `{source}` of the {kind} `{x}` becomes `{target}`; `$f {x}` is the {kind} of the new ones.",
            f"Write `$f {x}` that replaces each `{source}` in the {kind} `{x}` by `{target}`.",
        )
    else:
        says = (
            f"If `o` is `Some {source}`, then `$f o` is `Some {target}`. If it is `None`, so is the result.",
            f"Write `$f o` that turns `Some {source}` into `Some {target}`, and leaves `None` as it is.",
        )
    one = _shaped(source)
    return Task(
        level=1,
        says=says,
        names=("rearrange", "regroup", "turn", "reorder", "repack"),
        signature=f"{before} {kind} -> {after} {kind}" if kind else f"{before[1:-1]} -> {after[1:-1]}",
        code=f"let $f {x} = {module}.map (fun {pattern} -> {target}) {x}" if kind else f"let $f {pattern} = {target}",
        inputs=(
            {"": one, "list": lists(one, 0, 4, far=9), "option": options(one), "array": array(one, 0, 4, far=9)}[kind],
        ),
    )


_PAIRS = _shaped("(b, b)")
_NUMBERS = integers(0, 4)
_INNER = Input(lambda chance: lists(_WORDS, size := chance.below(4), size).draw(chance), ("[]", '["a"]', '["a"; "b"]'))
_MAYBE = options(_WORDS)
_MOSTLY = Input(lambda chance: "None" if chance.happens(0.1) else f"Some {_WORDS.draw(chance)}", ("None",))
_RESULTS = Input(lambda chance: f"{chance.pick(('Ok', 'Error'))} {_WORDS.draw(chance)}", ('Ok "a"', 'Error "a"'))

TASKS = (
    *(_arrow(place, source, target) for place, (source, target) in enumerate(_ARROWS)),
    Task(
        level=1,
        says=(
            "`$f p` makes a list of a pair: $two.",
            "Turn the pair `p` into a list. Write `$f p`, which lists $two.",
        ),
        names=("to_list", "list_of_pair", "listed"),
        signature="'a * 'a -> 'a list",
        code="let $f (a, b) = $two",
        gaps=_GAPS,
        inputs=(_PAIRS,),
    ),
    Task(
        level=1,
        says=(
            "`$f t` makes a list of a triple: $three.",
            "Of three things `t` make a list. Write `$f t`, which lists $three.",
        ),
        names=("to_list", "list_of_triple", "listed"),
        signature="'a * 'a * 'a -> 'a list",
        code="let $f (a, b, c) = $three",
        gaps=_GAPS,
        inputs=(_shaped("(b, b, b)"),),
    ),
    Task(
        level=1,
        says=(
            "`$f x l` replaces every element `y` of the list `l` by $with.",
            "Combine `x` with each element of a list: in `$f x l` stands $with for every element `y` of `l`.",
        ),
        names=("with_each", "pair_all", "attach"),
        signature="'a -> 'a list -> ('a * 'a) list",
        code="let $f x l = List.map (fun y -> $with) l",
        gaps=_GAPS,
        inputs=(_WORDS, lists(_WORDS, 0, 4, far=11)),
    ),
    Task(
        level=1,
        says=(
            "`$f l` numbers the elements of `l`, $index: each becomes a pair of its number and itself.",
            "Replace every element of `l` by a pair: its number, then the element. They are numbered $index. Write `$f l`.",
        ),
        names=("numbered", "number", "with_numbers"),
        signature="'a list -> (int * 'a) list",
        code="let $f l = List.mapi (fun i x -> ($index, x)) l",
        gaps=_GAPS,
        inputs=(lists(_WORDS, 0, 5, far=12),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the lists in `l`, $spread.",
            "The elements of `l` are lists. `$f l` is what they give when they are $spread.",
        ),
        names=("spread", "join", "flat"),
        signature="'a list list -> 'a list",
        code="let $f l = $spread",
        gaps=_GAPS,
        inputs=(lists(_INNER, 0, 4, far=8),),
    ),
    Task(
        level=1,
        says=(
            "From a list of pairs `(a, b)` make a list with $many for each pair, in order. Call it `$f l`.",
            "`$f l` is a list that holds $many for every pair `(a, b)` of `l`, one after the other.",
        ),
        names=("unpack", "spread", "from_pairs"),
        signature="('a * 'a) list -> 'a list",
        code="let $f l = List.concat_map (fun (a, b) -> $many) l",
        gaps=_GAPS,
        inputs=(lists(_PAIRS, 0, 4, far=9),),
    ),
    Task(
        level=1,
        says=(
            "`$f x l` is the list of all elements of `l`, each $padded.",
            "Put `x` into the list `l`: in `$f x l` every element of `l` stands $padded.",
        ),
        names=("pad", "insert", "space_out"),
        signature="'a -> 'a list -> 'a list",
        code="let $f x l = List.concat_map (fun y -> $padded) l",
        gaps=_GAPS,
        inputs=(_WORDS, lists(_WORDS, 0, 4, far=11)),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the list `l` $mirror.",
            "Return the list `l` $mirror. Write `$f l`, which works for lists of any length, the empty one as well.",
        ),
        names=("extend", "change", "mirror"),
        signature="'a list -> 'a list",
        code="let $f l = $mirror",
        gaps=_GAPS,
        inputs=(lists(_WORDS, 0, 6, far=12),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is a list of pairs, as many as `l` has elements: $ends.",
            "Pair the elements of `l`: $ends. Write `$f l`.",
        ),
        names=("pairs", "couples", "pair_up"),
        signature="'a list -> ('a * 'a) list",
        code="let $f l = $ends",
        gaps=_GAPS,
        inputs=(lists(_WORDS, 0, 5, far=12),),
    ),
    Task(
        level=1,
        says=(
            "`$f d l` is the list `l` with $filled for every `Some x`, and `d` for every `None`.",
            "Fill the holes: in `$f d l` stands $filled instead of `Some x`, and `d` instead of `None`, in the order of `l`.",
        ),
        names=("fill", "complete", "without_holes"),
        signature="'a -> 'a option list -> 'a list",
        code="let $f d l = List.map (function Some x -> $filled | None -> d) l",
        gaps=_GAPS,
        inputs=(_WORDS, lists(_MAYBE, 0, 5, far=11)),
    ),
    Task(
        level=1,
        says=(
            "`$f l` lists what the options of `l` hold, and leaves out every `None`. Of each `Some x` comes $kept.",
            "Drop each `None` of the list `l`, and take $kept from each `Some x`. Write `$f l`.",
        ),
        names=("present", "keep_some", "known"),
        signature="'a option list -> 'a list",
        code="let $f l = List.concat_map (function Some x -> $kept | None -> []) l",
        gaps=_GAPS,
        inputs=(lists(_MAYBE, 0, 6, far=11),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` makes of the list of pairs `l` a pair of $unpacked, in the order of `l`.",
            "Take the pairs of `l` apart. `$f l` is a pair of $unpacked. For `[]` both are empty.",
        ),
        names=("unpack", "split", "unzip"),
        signature="('a * 'a) list -> 'a list * 'a list",
        code="let rec $f l =\n  match l with\n  | [] -> ([], [])\n  | (a, b) :: rest ->\n    let xs, ys = $f rest in\n    $unpacked",
        gaps=_GAPS,
        inputs=(lists(_PAIRS, 0, 4, far=9),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` makes one list of a list of pairs. It holds $flat.",
            "Write `$f l`: from a list of pairs it makes a single list with $flat.",
        ),
        names=("flatten", "to_list", "in_line"),
        signature="('a * 'a) list -> 'a list",
        code="let rec $f l =\n  match l with\n  | [] -> []\n  | (a, b) :: rest -> $flat",
        gaps=_GAPS,
        inputs=(lists(tuples(_NUMBERS, _NUMBERS), 0, 4, far=9),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is a list of pairs, from left to right: $pairing. If there are too few elements, it is empty.",
            "Make pairs of the elements of `l`: $pairing. Write `$f l`; where there is no pair, the result is `[]`.",
        ),
        names=("pairs", "pair_up", "couples"),
        signature="'a list -> ('a * 'a) list",
        code="let rec $f l =\n  match l with\n  | $pairing\n  | _ -> []",
        gaps=_GAPS,
        inputs=(lists(_NUMBERS),),
    ),
    Task(
        level=2,
        says=(
            "`$f l m` is the list of $zipped, place by place; what the longer list has more is left out.",
            "Go through `l` and `m` side by side: `$f l m` lists $zipped, until one of them ends.",
        ),
        names=("zip", "side_by_side", "pair_up"),
        signature="'a list -> 'a list -> ('a * 'a) list",
        code="let rec $f l m =\n  match (l, m) with\n  | x :: xs, y :: ys -> $zipped\n  | _ -> []",
        gaps=_GAPS,
        inputs=(lists(_NUMBERS, 0, 5, far=11), lists(_NUMBERS, 0, 5, far=11)),
    ),
    Task(
        level=2,
        says=(
            "`$f l` deals out the elements of `l` by turns. It is a pair of two lists: of $dealt.",
            "Split `l` into two lists, of $dealt, and return the pair of both: that is `$f l`.",
        ),
        names=("deal", "by_turns", "halves"),
        signature="'a list -> 'a list * 'a list",
        code="let rec $f l =\n  match l with\n  | a :: b :: rest ->\n    let xs, ys = $f rest in\n    $dealt",
        gaps=_GAPS,
        inputs=(lists(_WORDS),),
    ),
    Task(
        level=2,
        says=(
            "The second part of each pair in `l` may be missing. `$f l` lists $known, and nothing for `(a, None)`.",
            "From the list `l` make a list without options: it has $known. Pairs `(a, None)` are left out. Write `$f l`.",
        ),
        names=("known", "complete_ones", "keep"),
        signature="('a * 'a option) list -> ('a * 'a) list",
        code="let rec $f l =\n  match l with\n  | [] -> []\n  | (a, Some b) :: rest -> $known\n  | _ :: rest -> $f rest",
        gaps=_GAPS,
        inputs=(lists(tuples(_WORDS, _MAYBE), 0, 5, far=11),),
    ),
    Task(
        level=2,
        says=(
            "`$f o p` is `Some $both` if `o` is `Some x` and `p` is `Some y`. $alone",
            "Put two options together: `Some x` and `Some y` give `Some $both`. $alone Write `$f o p`.",
        ),
        names=("both", "join", "together"),
        signature="'a option -> 'a option -> ('a * 'a) option",
        code="let $f o p =\n  match (o, p) with\n  | Some x, Some y -> Some $both\n  | $alone",
        gaps=_GAPS,
        inputs=(_MAYBE, _MAYBE),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is a pair: the list of what the options in `l` hold, in order, and $holes.",
            "Split a list of options: `$f l` is the pair of what is in each `Some`, as a list, and of $holes.",
        ),
        names=("split", "sort_out", "known_and_missing"),
        signature="'a option list -> 'a list * int",
        code="let rec $f l =\n  match l with\n  | [] -> ([], 0)\n  | o :: rest -> (\n    let xs, n = $f rest in\n    match o with $holes)",
        gaps=_GAPS,
        inputs=(lists(_MAYBE, 0, 5, far=11),),
    ),
    Task(
        level=2,
        says=(
            "If every element of `l` is `Some` of something, `$f l` is `Some` of the list of these$order. If any is "
            "`None`, the result is `None`.",
            "All or nothing: `$f l` is `Some` of the list of what the options in `l` hold$order, but `None` if one of "
            "them is `None`.",
        ),
        names=("all_known", "all_or_none", "complete"),
        signature="'a option list -> 'a list option",
        code="let rec $f l =\n  match l with\n  | [] -> Some []\n  | None :: _ -> None\n"
        "  | Some x :: rest -> Option.map (fun xs -> $order) ($f rest)",
        gaps=_GAPS,
        inputs=(lists(_MOSTLY, 0, 4, far=9),),
    ),
    Task(
        level=2,
        says=(
            "Each pair `(x, ys)` of `l` has a list as its second part. `$f l` has a pair $spreading for each `y` in each "
            "`ys`, in order.",
            "Write `$f l`: for every pair `(x, ys)` in `l` and every element `y` of `ys`, the result has a pair $spreading, "
            "all in the order of `l`.",
        ),
        names=("spread", "unfold", "all_pairs"),
        signature="('a * 'a list) list -> ('a * 'a) list",
        code="let rec $f l =\n  match l with\n  | [] -> []\n  | (x, ys) :: rest -> List.map (fun y -> $spreading) ys @ $f rest",
        gaps=_GAPS,
        inputs=(lists(tuples(_WORDS, _INNER), 0, 3, far=7),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` splits a list of results into a pair of lists: $sorted, both in the order of `l`.",
            "Separate the good from the bad in `l`: `$f l` is a pair of two lists, $sorted. The order stays.",
        ),
        names=("split_results", "separate", "good_and_bad"),
        signature="('a, 'a) result list -> 'a list * 'a list",
        code="let rec $f l =\n  match l with\n  | [] -> ([], [])\n  | r :: rest -> (\n    let xs, es = $f rest in\n    match r with $sorted)",
        gaps=_GAPS,
        inputs=(lists(_RESULTS, 0, 5, far=11),),
    ),
)
