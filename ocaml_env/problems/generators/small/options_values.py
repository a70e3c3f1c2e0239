"""Small tasks on options: default values, operations on a value that may be missing, and lists of options."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, options, tuples, words
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import atom, text

__all__ = ["FAMILY", "TASKS"]


def _alone(of: Input, *edges: str) -> Input:
    """Options with ``None`` only as an edge: as an example it would be no test."""
    return Input(lambda chance: f"Some {atom(of.draw(chance))}", (*options(of).edges, *edges))


def _written(chance: Chance) -> str:
    """A word, mostly in lower-case letters."""
    word = chance.pick(WORDS)
    form = chance.below(6)
    return text(
        word.capitalize()
        if form == 0
        else word.upper()
        if form == 1
        else word[:3] + "M" + word[3:]
        if form == 2
        else word
    )


_NUMBER = options(integers(-9, 30, far=1_000))
_ANY = _alone(integers(-30, 60, far=1_000))
_SMALL = options(integers(-3, 9))
_WORD = _alone(Input(_written, ('"a"', '"Ann"', '"McKay"')))
_SIDE = integers(-6, 40, far=1_000)
_GOALS = options(integers(0, 7))
_MOSTLY = Input(
    lambda chance: "None" if chance.happens(0.08) else f"Some {atom(integers(-3, 9).draw(chance))}",
    options(integers(-3, 9)).edges,
)
_NUMBERS = lists(_NUMBER)
_NAME = one_of('"Ann"', '"Ben"', '"Cleo"', '"Dan"')
_FEW = lists(Input(lambda chance: chance.pick(("None", _SMALL.draw(chance))), _SMALL.edges), 0, 3, far=9)
_SHORT = Input(
    lambda chance: lists(integers(-5, 9), size := chance.pick((0, 1, 1, 2, 2, 3, 3, 6)), size).draw(chance),
    ("[]", "[4; 4]"),
)
_PAIR_INPUT = _alone(tuples(integers(-9, 20), integers(-9, 20)), "Some (3, 3)", "Some (-4, 9)", "Some (9, -4)")

_OP: Gap = (
    ("its double", "2 * x", "double"),
    ("its square", "x * x", "square"),
    ("the next whole number", "x + 1", "next"),
    ("the whole number before it", "x - 1", "previous"),
    ("that number with the opposite sign", "-x", "negate"),
    ("that number plus $k", "x + $k", "add"),
    ("$k minus that number", "$k - x", "complement"),
    ("that number times $k", "$k * x", "multiply"),
    ("its last decimal digit", "abs x mod 10", "last_digit"),
    ("its distance from $k", "abs (x - $k)", "distance"),
)
_TEXT: Gap = (
    ("that word in capitals", "String.uppercase_ascii s", "shout"),
    ("that word with a capital first letter", "String.capitalize_ascii s", "capitalize"),
    ("that word followed by `!`", 's ^ "!"', "exclaim"),
    ("that word written twice, without a space", "s ^ s", "twice"),
    ("that word in parentheses", '"(" ^ s ^ ")"', "enclose"),
    ("`Dear`, a space and the word", '"Dear " ^ s', "salute"),
)
_TEST: Gap = (
    ("even", "x mod 2 = 0", "even"),
    ("odd", "x mod 2 <> 0", "odd"),
    ("negative", "x < 0", "negative"),
    ("positive", "x > 0", "positive"),
    ("greater than $k", "x > $k", "large"),
    ("at most $k", "x <= $k", "small"),
    ("a multiple of $d", "x mod $d = 0", "multiple"),
)
_MISSING: Gap = (
    ("price", "o", "price"),
    ("age", "o", "age"),
    ("score", "o", "score"),
    ("temperature", "o", "temperature"),
    ("number of guests", "o", "guests"),
    ("room number", "o", "room"),
)
_JOIN: Gap = (
    ("sum", "x + y", "sum"),
    ("product", "x * y", "product"),
    ("first number minus the second", "x - y", "difference"),
    ("distance between the numbers", "abs (x - y)", "distance"),
    ("larger number", "max x y", "larger"),
    ("smaller number", "min x y", "smaller"),
)
_PRESENT: Gap = (
    ("both numbers are there", "Option.is_some a && Option.is_some b", "both"),
    ("at least one of the numbers is there", "Option.is_some a || Option.is_some b", "any"),
    ("at least one of the numbers is missing", "Option.is_none a || Option.is_none b", "incomplete"),
    ("exactly one of the numbers is there", "Option.is_some a <> Option.is_some b", "just_one"),
    ("`a` is there, but `b` is not", "Option.is_some a && Option.is_none b", "only_first"),
    ("both numbers are there and equal", "Option.is_some a && a = b", "same"),
)
_PART: Gap = (
    ("the first part of the pair", "Option.map fst o", "first"),
    ("the second part of the pair", "Option.map snd o", "second"),
    ("the sum of the pair", "Option.map (fun (x, y) -> x + y) o", "sum"),
    ("the product of the pair", "Option.map (fun (x, y) -> x * y) o", "product"),
    ("the first part of the pair minus the second", "Option.map (fun (x, y) -> x - y) o", "difference"),
    ("the larger part of the pair", "Option.map (fun (x, y) -> max x y) o", "larger"),
)
_COUNT: Gap = (
    ("how many of them are missing", "List.length (List.filter Option.is_none l)", "count_missing"),
    ("how many of them are there", "List.length (List.filter Option.is_some l)", "count_known"),
    ("the sum of those that are there", "List.fold_left ( + ) 0 (List.filter_map Fun.id l)", "total"),
    ("the product of those that are there", "List.fold_left ( * ) 1 (List.filter_map Fun.id l)", "product"),
)
_EACH: Gap = (
    ("every number raised by $k", "x + $k", "raise"),
    ("every number doubled", "2 * x", "double"),
    ("every number multiplied by $k", "$k * x", "multiply"),
    ("every number squared", "x * x", "square"),
    ("every number taken from $k", "$k - x", "take_from"),
    ("the opposite sign before every number", "-x", "negate"),
)
_ITEMS: Gap = (
    ("with that number in front", "x :: l", "push"),
    ("with that number at its end", "l @ [ x ]", "append"),
    ("without all elements that equal that number", "List.filter (fun y -> y <> x) l", "remove"),
    ("with that number added to each element", "List.map (fun y -> y + x) l", "raise"),
    ("with each element multiplied by that number", "List.map (fun y -> y * x) l", "scale"),
    ("without the elements that are less than that number", "List.filter (fun y -> y >= x) l", "cut"),
)
_MADE: Gap = (
    ("the quotient `a / b`, unless `b` is 0", "b <> 0 then Some (a / b)", "divide"),
    ("the remainder `a mod b`, unless `b` is 0", "b <> 0 then Some (a mod b)", "remainder"),
    ("`a / b`, if `b` is not 0 and divides `a`", "b <> 0 && a mod b = 0 then Some (a / b)", "exact"),
    ("the difference `a - b`, unless it is negative", "a >= b then Some (a - b)", "subtract"),
    ("the sum of `a` and `b`, if both are positive", "a > 0 && b > 0 then Some (a + b)", "add_positive"),
    ("the product of `a` and `b`, unless they are equal", "a <> b then Some (a * b)", "product"),
    ("the sum of `a` and `b`, unless it is over $m", "a + b <= $m then Some (a + b)", "limited_sum"),
    ("the square of `a`, if it is less than `b`", "a * a < b then Some (a * a)", "square_below"),
)
_GREETED: Gap = tuple(
    (word,) for word in ("Hello", "Welcome", "Goodbye", "Thank you", "Good morning", "Happy birthday", "Well done")
)
_UNKNOWN: Gap = tuple((word,) for word in ("unknown", "nobody", "none", "missing", "n/a", "not known", "no data"))
_UNIT: Gap = tuple(
    (word, word, word) for word in ("points", "euros", "kilometres", "minutes", "guests", "pages", "grams")
)

_MEET: Gap = (
    ("their sum", "x + y", "sum"),
    ("their product", "x * y", "product"),
    ("the distance between them", "abs (x - y)", "distance"),
    ("$k times their sum", "$k * (x + y)", "weighted_sum"),
    ("the first one minus the second", "x - y", "difference"),
)
_EXTREME: Gap = (("largest", "max", "largest"), ("smallest", "min", "smallest"))
_UNTIL: Gap = (
    ("the sum of the numbers before the first `None`", "Some x :: rest -> x + $f rest\n  | _ -> 0", "sum_before"),
    ("how many numbers come before the first `None`", "Some _ :: rest -> 1 + $f rest\n  | _ -> 0", "count_before"),
    (
        "the product of the numbers before the first `None`",
        "Some x :: rest -> x * $f rest\n  | _ -> 1",
        "product_before",
    ),
)
_POINTS: Gap = (
    ("a number counts as it is, and a `None` counts $n", "Some x -> x + $f rest\n    | None -> $n + $f rest"),
    ("a number counts as it is, and a `None` takes $k off", "Some x -> x + $f rest\n    | None -> $f rest - $k"),
    ("a number counts double, and a `None` counts 1", "Some x -> (2 * x) + $f rest\n    | None -> 1 + $f rest"),
    ("any number counts $k, and a `None` takes 1 off", "Some _ -> $k + $f rest\n    | None -> $f rest - 1"),
    ("any number counts 1, and a `None` counts $k", "Some _ -> 1 + $f rest\n    | None -> $k + $f rest"),
)
_WHOLE: Gap = (
    (
        "their sum (0 for the empty list)",
        "[] -> Some 0\n  | Some x :: rest -> Option.map (fun y -> x + y) ($f rest)",
        "sum",
    ),
    (
        "their product (1 for the empty list)",
        "[] -> Some 1\n  | Some x :: rest -> Option.map (fun y -> x * y) ($f rest)",
        "product",
    ),
)
_ALONE: Gap = (
    ("the only element of `l`, if `l` has exactly one", "[ x ] -> Some x", "only_element"),
    ("the second element of `l`", "_ :: x :: _ -> Some x", "second"),
    ("the sum of the first two elements of `l`", "x :: y :: _ -> Some (x + y)", "first_two"),
    ("the first element of `l`, if it is positive", "x :: _ when x > 0 -> Some x", "positive_first"),
    ("the first element of `l`, if at least one more follows", "x :: _ :: _ -> Some x", "first_of_many"),
    ("the second element of `l`, if the first one is less", "x :: y :: _ when x < y -> Some y", "second_if_greater"),
)
_ORDER: Gap = (
    ("less than", "x < y\n  | None, Some _ -> true\n  | _, None -> false", "less"),
    ("greater than", "x > y\n  | Some _, None -> true\n  | None, _ -> false", "greater"),
    ("at most as large as", "x <= y\n  | None, _ -> true\n  | Some _, None -> false", "at_most"),
    ("at least as large as", "x >= y\n  | _, None -> true\n  | None, Some _ -> false", "at_least"),
)
_BETTER: Gap = (
    ("the points of the better player", "max x y", "better"),
    ("the points of both players together", "x + y", "together"),
    ("the number of points between the players", "abs (x - y)", "lead"),
    ("the points of the worse player", "min x y", "worse"),
)
_LEVELS: Gap = (
    ("the home team has more goals", "x > y"),
    ("the home team has at least as many goals as the guests", "x >= y"),
    ("the home team leads by at least $lead goals", "x >= y + $lead"),
    ("the home team has shot at least $lead goals", "x >= $lead"),
    ("there were more than $lead goals in all", "x + y > $lead"),
    ("both teams have the same number of goals", "x = y"),
    ("the guests have not shot more than $lead goals", "y <= $lead"),
)
_SEVERAL: Gap = (
    ("every element of `l` is there", "List.for_all Option.is_some l", "complete"),
    ("some element of `l` is missing", "List.exists Option.is_none l", "incomplete"),
    ("`$k` occurs in `l`, as `Some $k`", "List.mem (Some $k) l", "occurs"),
    ("`$k` does not occur in `l`", "not (List.mem (Some $k) l)", "absent"),
)
_SELECTED: Gap = (
    ("whose price is not known", "if price = None then Some name else None", "unpriced"),
    ("whose price is known", "if price <> None then Some name else None", "priced"),
    ("whose price is exactly $k", "if price = Some $k then Some name else None", "exact"),
)
_COUNTER: Gap = (
    ("one more", "None -> Some 1 | Some n -> Some (n + 1)", "count_up"),
    ("$k more", "None -> Some $k | Some n -> Some (n + $k)", "add"),
)
_TAKEN: Gap = (
    ("`k` things", "Some n when n > k -> Some (n - k)", "take"),
    ("`k` boxes with $lead things each", "Some n when n > $lead * k -> Some (n - ($lead * k))", "take_boxes"),
    ("`k` things for a customer and one for yourself", "Some n when n > k + 1 -> Some (n - k - 1)", "take_one_more"),
)
_FILLED: Gap = (
    ("the number before it", "x :: $f x rest", "repeat"),
    ("the number before it plus 1", "(x + 1) :: $f (x + 1) rest", "count_on"),
    ("twice the number before it", "(2 * x) :: $f (2 * x) rest", "double"),
    ("the number before it minus $k", "(x - $k) :: $f (x - $k) rest", "fall"),
    ("the number before it with the opposite sign", "(-x) :: $f (-x) rest", "alternate"),
)
_BOTH: Gap = (
    ("how many numbers and how many `None`s", "Some _ -> (n + 1, gaps)", "count"),
    ("the sum of the numbers, and how many `None`s", "Some x -> (n + x, gaps)", "sum"),
    ("the largest number (0 if none is greater), and how many `None`s", "Some x -> (max n x, gaps)", "largest"),
)
_SEATED: Gap = (
    ("taken the first free seat; if none is free, nothing changes", "[] -> []\n  | None :: rest -> Some name :: rest"),
    (
        "taken the first free seat, or, if none is free, a new one at the end",
        "[] -> [ Some name ]\n  | None :: rest -> Some name :: rest",
    ),
    (
        "given back all seats taken in this name",
        "[] -> []\n  | Some other :: rest when other = name -> None :: $f name rest",
    ),
    (
        "given back the first seat taken in this name, if there is one",
        "[] -> []\n  | Some other :: rest when other = name -> None :: rest",
    ),
)
_TITLE: Gap = (
    ("with the word ` and ` between them", 'x ^ " and " ^ y'),
    ("with a comma and a space between them", 'x ^ ", " ^ y'),
    ("with a space between them", 'x ^ " " ^ y'),
    ("the second one first, with a comma and a space between them", 'y ^ ", " ^ x'),
    ("without anything between them", "x ^ y"),
)
_DEAL: Gap = (
    ("A discount `o` may be taken off the price `p`, but nothing costs less than 0", "max 0 (p - x)", "p"),
    ("A tip `o` may be added to the price `p`", "p + x", "p"),
    ("The price `p` may be multiplied by the number `o` of days", "p * x", "p"),
    ("The price `p` may be shared by `o` people, rounded down", "p / x", "p"),
    ("There may be an upper limit `o` for the price `p`", "min p x", "p"),
    ("There may be a lowest price `o`, to which `p` is raised if it is less", "max p x", "p"),
)
_GAPS: dict[str, Gap] = {
    "k": number(2, 9),
    "d": number(3, 5),
    "m": number(12, 40),
    "n": number(2, 12),
    "none": number(-1, 20),
    "op": _OP,
    "text": _TEXT,
    "test": _TEST,
    "missing": _MISSING,
    "join": _JOIN,
    "present": _PRESENT,
    "part": _PART,
    "count": _COUNT,
    "each": _EACH,
    "item": _ITEMS,
    "made": _MADE,
    "greet": _GREETED,
    "unknown": _UNKNOWN,
    "unit": _UNIT,
    "meet": _MEET,
    "extreme": _EXTREME,
    "until": _UNTIL,
    "points": _POINTS,
    "whole": _WHOLE,
    "alone": _ALONE,
    "order": _ORDER,
    "better": _BETTER,
    "level": _LEVELS,
    "several": _SEVERAL,
    "selected": _SELECTED,
    "more": _COUNTER,
    "taken": _TAKEN,
    "filled": _FILLED,
    "both": _BOTH,
    "seated": _SEATED,
    "title": _TITLE,
    "deal": _DEAL,
    "lead": number(2, 4),
    "low": (("hurrah",), ("yes",), ("great",), ("good",)),
    "high": (("oh dear",), ("no",), ("well",), ("not this time",)),
    "truth": (("true",), ("false",)),
    "kind": (("numbers", "int"), ("words", "string"), ("characters", "char")),
}

TASKS = (
    Task(
        level=1,
        says=(
            "The $missing `o` may not be known. `$f o` is that number if it is, and $none if `o` is `None`.",
            "`$f o` returns the number in the option `o`, or $none if there is none.",
            "What is the $missing? Write `$f o` that takes an option, and gives $none where the number is missing.",
        ),
        names=("${missing}_or_default", "known_$missing"),
        signature="int option -> int",
        code="let $f o = Option.value o ~default:$none",
        gaps=_GAPS,
        inputs=(_ANY,),
    ),
    Task(
        level=1,
        says=(
            "If the option `o` holds a number, `$f o` is $op. For `None` it is $none.",
            "Write a function `$f o`: for `Some` number it returns $op, for `None` it returns $none.",
        ),
        names=("${op}_or_default", "read_$op"),
        signature="int option -> int",
        code="let $f o = match o with Some x -> $op | None -> $none",
        gaps=_GAPS,
        inputs=(_ANY,),
    ),
    Task(
        level=1,
        says=(
            "If `o` holds a number, `$f o` is `Some` of $op. For `None` it is `None`.",
            "`$f o` changes the number in the option `o`, if there is one, to $op.",
            "Write `$f o`, which makes of `Some` number `Some` of $op, and keeps `None`. (`Option.map` helps.)",
        ),
        names=("map_$op", "$op"),
        signature="int option -> int option",
        code="let $f o = Option.map (fun x -> $op) o",
        gaps=_GAPS,
        inputs=(_ANY,),
    ),
    Task(
        level=1,
        says=(
            'If `o` holds a word, `$f o` is $text. For `None` it is `"$unknown"`.',
            'The word in `o` may be missing. Write `$f o`, which is $text, or `"$unknown"` for `None`.',
        ),
        names=("${text}_name", "label"),
        signature="string option -> string",
        code='let $f o = match o with Some s -> $text | None -> "$unknown"',
        gaps=_GAPS,
        inputs=(_WORD,),
    ),
    Task(
        level=1,
        says=(
            'Greet a guest: `$f o` is `"$greet, "` followed by the name in `o` and `!`, or `"$greet!"` if `o` is '
            "`None`.",
            'The name of a guest may be missing. `$f (Some "Ann")` is `"$greet, Ann!"`, and `$f None` is `"$greet!"`.',
        ),
        names=("greet", "greeting", "speak_to"),
        signature="string option -> string",
        code='let $f o = match o with Some name -> "$greet, " ^ name ^ "!" | None -> "$greet!"',
        gaps=_GAPS,
        inputs=(_WORD,),
    ),
    Task(
        level=1,
        says=(
            'Show a number that may be missing: `$f (Some 7)` is `"7 $unit"`, and so for every number; `$f None` is '
            '`"$unknown"`.',
            'Write `$f o`: the number in `o` as text, followed by `" $unit"`, or `"$unknown"` if there is none.',
        ),
        names=("show_$unit", "display", "print_out"),
        signature="int option -> string",
        code='let $f o = match o with Some x -> string_of_int x ^ " $unit" | None -> "$unknown"',
        gaps=_GAPS,
        inputs=(_ANY,),
    ),
    Task(
        level=1,
        says=(
            "`$f o` tells if the option `o` holds a number that is $test. For `None` it is `$truth`.",
            "Is the number in `o` $test? `$f o` answers that, with `$truth` if there is no number.",
        ),
        names=("holds_$test", "is_$test"),
        signature="int option -> bool",
        code="let $f o = match o with Some x -> $test | None -> $truth",
        gaps=_GAPS,
        inputs=(_ANY,),
    ),
    Task(
        level=1,
        says=(
            "`$f o` is the number in the option `o` if it is $test. In all other cases, also for `None`, it is $none.",
            "Write `$f o`: it returns the number in `o` if there is one that is $test, and $none otherwise.",
        ),
        names=("only_$test", "keep_$test"),
        signature="int option -> int",
        code="let $f o = match o with Some x when $test -> x | _ -> $none",
        gaps=_GAPS,
        inputs=(_ANY,),
    ),
    Task(
        level=1,
        says=(
            "If the number `x` is $test, `$f x` is `Some` of $op. If not, it is `None`.",
            "For a number `x` that is $test, `$f x` returns $op, in `Some`. For other numbers it returns `None`.",
        ),
        names=("${op}_if_$test", "if_$test"),
        signature="int -> int option",
        code="let $f x = if $test then Some ($op) else None",
        gaps=_GAPS,
    ),
    Task(
        level=1,
        says=(
            "`$f a b` is `Some` of $made; otherwise it is `None`.",
            "Write a function `$f a b`. Its result is `Some` of $made; where that is not so, it is `None`.",
        ),
        names=("$made", "try_to_$made", "safe_$made"),
        signature="int -> int -> int option",
        code="let $f a b = if $made else None",
        gaps=_GAPS,
        inputs=(_SIDE, _SIDE),
        edges=(
            ("7", "0"),
            ("0", "0"),
            ("-7", "2"),
            ("7", "-2"),
            ("6", "3"),
            ("3", "3"),
            ("3", "9"),
            ("-3", "10"),
            ("2", "5"),
        ),
    ),
    Task(
        level=1,
        says=(
            "If `a` and `b` both hold a number, `$f a b` is the $join. If one is `None`, it is $none.",
            "`$f a b` takes two options and returns the $join. It returns $none if a number is missing.",
        ),
        names=("${join}_or_default", "join"),
        signature="int option -> int option -> int",
        code="let $f a b = match (a, b) with Some x, Some y -> $join | _ -> $none",
        gaps=_GAPS,
        inputs=(_NUMBER, _ANY),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` is the number in `a`, or else the number in `b`, or else $none if both are `None`.",
            "Take the first number that is there: the one in `a`, if not that the one in `b`, if not that $none. That "
            "is `$f a b`.",
            "Someone has a mobile number `a` and a home number `b`, if any. `$f a b` is the one to call: the mobile "
            "number, else the home number, else $none.",
        ),
        names=("first_of", "either", "choose"),
        signature="int option -> int option -> int",
        code="let $f a b = match a with Some x -> x | None -> Option.value b ~default:$none",
        gaps=_GAPS,
        inputs=(_NUMBER, _ANY),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` tells if $present. An option that is not there is `None`.",
            "Given two options `a` and `b`, is it so that $present? `$f a b` answers that.",
        ),
        names=("$present",),
        signature="int option -> int option -> bool",
        code="let $f a b = $present",
        gaps=_GAPS,
        inputs=(_SMALL, _SMALL),
    ),
    Task(
        level=1,
        says=(
            "If `o` holds a pair, `$f o` is `Some` of $part; otherwise it is `None`.",
            "The option `o` may hold a pair of numbers. `$f o` is $part, in `Some`, or `None` if there is no pair.",
        ),
        names=("${part}_of_pair", "pair_$part"),
        signature="(int * int) option -> int option",
        code="let $f o = $part",
        gaps=_GAPS,
        inputs=(_PAIR_INPUT,),
    ),
    Task(
        level=1,
        says=(
            "In the list `l` of measurements, `None` stands for a missing one. `$f l` is $count.",
            "Some of the numbers in `l` are missing: there is `None` in their place. Write `$f l`, which returns "
            "$count.",
        ),
        names=("$count",),
        signature="int option list -> int",
        code="let $f l = $count",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the list of the $kind that are there in `l`, without `Some` and without the `None`s.",
            "Write `$f l`, which takes the $kind out of a list of options and skips each `None`.",
        ),
        names=("known", "present", "without_gaps"),
        signature="$kind option list -> $kind list",
        code="let $f l = List.filter_map Fun.id l",
        gaps=_GAPS,
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the list `l` with $each; each `None` stays.",
            "Return the list of options `l` with $each, and with `None` where it has `None`. Call it `$f l`.",
        ),
        names=("${each}_known", "${each}_all"),
        signature="int option list -> int option list",
        code="let $f l = List.map (Option.map (fun x -> $each)) l",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the list of the numbers in `l`, with $none in the place of each `None`.",
            "In `l` some numbers are missing. `$f l` lists all of them, and writes $none for a missing one.",
        ),
        names=("fill", "complete", "fill_gaps"),
        signature="int option list -> int list",
        code="let $f l = List.map (fun o -> Option.value o ~default:$none) l",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=1,
        says=(
            "`$f l` tells if $several. What is missing is `None`.",
            "The list `l` has options in it. Is it so that $several? Write `$f l` to tell.",
        ),
        names=("$several",),
        signature="int option list -> bool",
        code="let $f l = $several",
        gaps=_GAPS,
        inputs=(_FEW,),
    ),
    Task(
        level=1,
        says=(
            "A price list `l` has pairs of a name and an option, the price. `$f l` lists the names $selected, in "
            "order.",
            "In each pair of `l`, the first part is the name of a thing and the second its price, which may be `None`. "
            "`$f l` lists the things $selected.",
        ),
        names=("$selected", "${selected}_names"),
        signature="(string * int option) list -> string list",
        code="let $f l = List.filter_map (fun (name, price) -> $selected) l",
        gaps=_GAPS,
        inputs=(lists(tuples(words(), options(integers(0, 12)))),),
    ),
    Task(
        level=1,
        says=(
            "If `o` holds a number, `$f o l` is the list `l` $item. If `o` is `None`, it is `l` itself.",
            "If the option `o` holds a number, return the list `l` $item; for `None`, leave `l` as it is. Call this "
            "`$f o l`.",
        ),
        names=("${item}_option", "perhaps_$item"),
        signature="int option -> int list -> int list",
        code="let $f o l = match o with Some x -> $item | None -> l",
        gaps=_GAPS,
        inputs=(_SMALL, lists(integers(-3, 9))),
    ),
    Task(
        level=1,
        says=(
            "A shelf holds `Some n` things, or `None` if it is empty. `$f o` is the shelf `o` after $more came.",
            "How many things are on the shelf `o` after $more? `$f o` answers in an option, in which `None` means "
            "none.",
        ),
        names=("$more", "${more}_things"),
        signature="int option -> int option",
        code="let $f o = match o with $more",
        gaps=_GAPS,
        inputs=(_alone(integers(1, 40, far=1_000)),),
    ),
    Task(
        level=1,
        says=(
            "$deal. `$f p o` is the resulting price, which is `p` if `o` is `None`.",
            "$deal. Write `$f p o` that gives the price to pay: `p` itself for `None`.",
        ),
        names=("final_price", "to_pay", "price"),
        signature="int -> int option -> int",
        code="let $f p o = match o with Some x -> $deal | None -> p",
        gaps=_GAPS,
        inputs=(integers(0, 60, far=1_000), options(integers(1, 60))),
        edges=(("20", "Some 20"), ("20", "Some 21"), ("7", "Some 50"), ("0", "Some 5"), ("1000", "None")),
    ),
    Task(
        level=2,
        says=(
            "If `a` and `b` both hold a number, `$f a b` is `Some` of $meet. If only one of them does, it is that one, "
            "and if none does, `None`.",
            "`$f a b` combines two options. Of two numbers it makes $meet (in `Some`); a number alone stays as it is; "
            "and if both are missing the result is `None`.",
        ),
        names=("merge", "combine", "both_or_one"),
        signature="int option -> int option -> int option",
        code="let $f a b =\n  match (a, b) with\n  | Some x, Some y -> Some ($meet)\n"
        "  | Some x, None | None, Some x -> Some x\n  | None, None -> None",
        gaps=_GAPS,
        inputs=(_NUMBER, _ANY),
    ),
    Task(
        level=2,
        says=(
            "Two players have points `a` and `b`, or `None` if they did not play. `$f a b` is $better; if only one has "
            "played, it is the points of that one, and if nobody has, 0.",
            "`$f a b` is $better, where `None` stands for a player who was absent. If one was absent, take the points "
            "of the other; if both were, 0.",
        ),
        names=("${better}_score", "points", "result"),
        signature="int option -> int option -> int",
        code="let $f a b =\n  match (a, b) with\n  | Some x, Some y -> $better\n  | Some x, None | None, Some x -> x\n"
        "  | None, None -> 0",
        gaps=_GAPS,
        inputs=(options(integers(-5, 30)), _alone(integers(-5, 30))),
        edges=(
            *(("None", "Some (-4)"), ("Some (-4)", "None"), ("Some (-3)", "Some (-8)"), ("None", "Some 7")),
            *(("Some 9", "None"), ("Some 5", "Some 5"), ("Some 0", "Some (-2)")),
        ),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is $until of `l`. If there is no `None`, all numbers of the list count.",
            "Go through `l` from the front, but only up to the first `None`, if there is one: `$f l` is $until.",
        ),
        names=("$until", "until_gap"),
        signature="int option list -> int",
        code="let rec $f l =\n  match l with\n  | $until",
        gaps=_GAPS,
        inputs=(lists(options(integers(-5, 9))),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` adds up points over the list `l`: $points. The empty list gives 0.",
            "In a list of results, $points. Write a recursive `$f l` for the total, which is 0 for the empty list.",
        ),
        names=("total", "points", "count_points"),
        signature="int option list -> int",
        code="let rec $f l =\n  match l with\n  | [] -> 0\n  | o :: rest -> (\n    match o with\n    | $points)",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is `Some` of the $extreme number in the list `l`, where each `None` is left out. If there is no "
            "number at all, it is `None`.",
            "Which number of `l` is the $extreme? Leave out each `None`. `$f l` is `Some` of that number, or `None` "
            "if there is none.",
        ),
        names=("$extreme", "${extreme}_known"),
        signature="int option list -> int option",
        code="let $f l =\n  match List.filter_map Fun.id l with\n  | [] -> None\n"
        "  | x :: rest -> Some (List.fold_left $extreme x rest)",
        gaps=_GAPS,
        inputs=(lists(options(integers(-30, 30, far=5_000)), 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is the first number in the list of options `l` that is $test, or $none if there is none.",
            "Find the first `Some x` in `l` whose `x` is $test. `$f l` is that `x`, and $none if there is no such "
            "element.",
        ),
        names=("first_$test", "find_$test"),
        signature="int option list -> int",
        code="let rec $f l =\n  match l with\n  | [] -> $none\n  | Some x :: _ when $test -> x\n"
        "  | _ :: rest -> $f rest",
        gaps=_GAPS,
        inputs=(lists(_NUMBER, 0, 5, far=12),),
    ),
    Task(
        level=2,
        says=(
            "If all elements of `l` are numbers, `$f l` is `Some` of $whole. If one of them is `None`, it is `None`.",
            "`$f l` takes a list of options. Is one of them `None`, so is the result. Otherwise take the numbers: the "
            "result is `Some` of $whole.",
        ),
        names=("${whole}_or_nothing", "all_or_nothing"),
        signature="int option list -> int option",
        code="let rec $f l =\n  match l with\n  | $whole\n  | None :: _ -> None",
        gaps=_GAPS,
        inputs=(lists(_MOSTLY, 0, 5, far=12),),
    ),
    Task(
        level=2,
        says=(
            "If no element of `l` is `None`, `$f l` is `Some` of the list of its $kind. Otherwise it is `None`.",
            "`$f l` turns a list of options into an option: `Some` of all $kind, or `None` if one is missing. Of `[]` "
            "it makes `Some []`.",
        ),
        names=("all_or_none", "sequence", "complete"),
        signature="$kind option list -> $kind list option",
        code="let rec $f l =\n  match l with\n  | [] -> Some []\n  | None :: _ -> None\n"
        "  | Some x :: rest -> Option.map (fun tail -> x :: tail) ($f rest)",
        gaps=_GAPS,
    ),
    Task(
        level=2,
        says=(
            "`$f l` is `Some` of $alone. In all other cases it is `None`.",
            "Write a function `$f l` by patterns. It returns, in `Some`, $alone; or else `None`.",
        ),
        names=("$alone", "${alone}_opt"),
        signature="int list -> int option",
        code="let $f l =\n  match l with\n  | $alone\n  | _ -> None",
        gaps=_GAPS,
        inputs=(_SHORT,),
    ),
    Task(
        level=2,
        says=(
            "`$f a b` tells if `a` is $order `b`, where `None` counts as less than every number, and as equal to "
            "itself.",
            "Compare two options: numbers as usual, while `None` is less than any number and equal to `None`. `$f a "
            "b` tells if `a` is $order `b`.",
        ),
        names=("$order", "is_$order"),
        signature="int option -> int option -> bool",
        code="let $f a b =\n  match (a, b) with\n  | Some x, Some y -> $order",
        gaps=_GAPS,
        inputs=(_SMALL, _SMALL),
    ),
    Task(
        level=2,
        says=(
            "In a match, the home team has `a` goals and the guests `b`; without a match both or one are `None`. `$f "
            'a b` is `"$unknown"` then, and otherwise `"$low"` if $level, and `"$high"` if not.',
            "The numbers of goals `a` and `b` of the home team and the guests may be missing. `$f a b` is "
            '`"$unknown"` if one is, and else `"$low"` or `"$high"`: the first if $level.',
        ),
        names=("label", "report", "comment"),
        signature="int option -> int option -> string",
        code='let $f a b =\n  match (a, b) with\n  | Some x, Some y -> if $level then "$low" else "$high"\n'
        '  | _ -> "$unknown"',
        gaps=_GAPS,
        inputs=(_GOALS, _GOALS),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is `Some` of the average of the numbers in `l`, rounded down, where each `None` is left out. If "
            "no number is there it is `None`. The numbers are not negative.",
            "The list `l` holds ages, and `None` where one is not known. `$f l` is `Some` of the average of those "
            "known, rounded down, or `None` if none is known.",
        ),
        names=("average", "mean", "average_known"),
        signature="int option list -> int option",
        code="let $f l =\n  match List.filter_map Fun.id l with\n  | [] -> None\n"
        "  | known -> Some (List.fold_left ( + ) 0 known / List.length known)",
        gaps=_GAPS,
        inputs=(lists(options(integers(0, 60, far=2_000)), 0, 5, far=12),),
    ),
    Task(
        level=2,
        says=(
            "Fill the gaps in `l` from left to right: in `$f x l`, each `None` has become $filled, which may be one "
            "that was filled in. Before the front of `l` there is the number `x`.",
            "`$f x l` is the list of the numbers in `l`, and for each `None` it has $filled in the result. At the "
            "very front, `x` is the number before.",
        ),
        names=("fill", "fill_gaps", "${filled}_last"),
        signature="int -> int option list -> int list",
        code="let rec $f x l =\n  match l with\n  | [] -> []\n  | Some y :: rest -> y :: $f y rest\n"
        "  | None :: rest -> $filled",
        gaps=_GAPS,
        inputs=(integers(-3, 9), lists(_NUMBER, 0, 6, far=12)),
        edges=(("5", "[None; None; None]"), ("-2", "[None; Some 4; None; None]"), ("4", "[]")),
    ),
    Task(
        level=2,
        says=(
            "A shelf holds `Some n` things, where `n` is positive, or `None` if it is empty. `$f k o` is the shelf "
            "`o` after somebody has taken $taken: `None` if nothing is left, or if there was not enough.",
            "Take $taken from the shelf `o`, which holds `Some n` things, or `None` if it is empty. `$f k o` is what "
            "remains: `None` if all are gone, or if there were too few. `k` is positive.",
        ),
        names=("$taken",),
        signature="int -> int option -> int option",
        code="let $f k o =\n  match o with\n  | $taken\n  | _ -> None",
        gaps=_GAPS,
        inputs=(integers(1, 9), options(integers(1, 40))),
    ),
    Task(
        level=2,
        says=(
            "`$f l` is a pair: $both are in the list `l`. For the empty list it is `(0, 0)`.",
            "Go once through the list `l` of options. `$f l` is the pair of two numbers: $both there are in `l`.",
        ),
        names=("count_both", "tally", "overview"),
        signature="int option list -> int * int",
        code="let $f l =\n  let add (n, gaps) o = match o with $both | None -> (n, gaps + 1) in\n"
        "  List.fold_left add (0, 0) l",
        gaps=_GAPS,
        inputs=(_NUMBERS,),
    ),
    Task(
        level=2,
        says=(
            "In a row of seats, `Some` name is a seat that is taken, and `None` a free one. `$f name l` is the row "
            "`l` after the person called `name` has $seated.",
            "The list `l` tells who sits where in a row; `None` is a free seat. Now `name` has $seated. `$f name l` "
            "is the row after that.",
        ),
        names=("seat", "update_seats", "move_guest"),
        signature="string -> string option list -> string option list",
        code="let rec $f name l =\n  match l with\n  | $seated\n  | other :: rest -> other :: $f name rest",
        gaps=_GAPS,
        inputs=(_NAME, lists(options(_NAME), 0, 6, far=12)),
    ),
    Task(
        level=2,
        says=(
            "If both options hold a word, `$f a b` is these words, $title. If only one does, it is that word, and if "
            'none does, `"$unknown"`.',
            "Someone has a first name `a` and a last name `b`, but one or both may be missing. `$f a b` is the two "
            'names, $title; or the one that is there; or `"$unknown"`.',
        ),
        names=("full_name", "title", "join_names"),
        signature="string option -> string option -> string",
        code="let $f a b =\n  match (a, b) with\n  | Some x, Some y -> $title\n  | Some x, None | None, Some x -> x\n"
        '  | None, None -> "$unknown"',
        gaps=_GAPS,
        inputs=(options(words()), _WORD),
    ),
)

FAMILY = Family(
    name="options.values",
    topics=("options-results",),
    description="default values, what happens to a value that may be missing, and lists of options",
    tasks=TASKS,
)
