"""Small tasks on checks: records or numbers that may break rules, and results that tell the error."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, texts
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import atom, text

__all__ = ["TASKS"]


_Parts: TypeAlias = tuple[tuple[str, ...], ...]


class _Kind(NamedTuple):
    """A kind of record to check.

    Attributes:
        first: a rule on one field.
        second: a rule on another field, or on two.
        values: numbers from a record without errors.
        wrong: the message if the first or the second rule is broken.
    """

    one: str
    fields: tuple[tuple[str, str, Input], ...]
    first: _Parts
    second: _Parts
    values: _Parts
    wrong: tuple[_Parts, _Parts]


class _Plan(NamedTuple):
    """A task for records of any kind.

    Attributes:
        types: of the function; the type of the record is declared above it, as above the code.
        argument: of the function, made from a record.
    """

    level: int
    says: tuple[str, ...]
    names: tuple[str, ...]
    types: str
    code: str
    argument: Callable[[Input], Input]


_NAMES = one_of('""', '"Al"', '"Ann"', '"Ben"', '"Cleo"', '"Daniel"', '"Ed"', '"Florence"', '"Z"')
_KINDS = (
    _Kind(
        "order",
        (
            ("item", "string", one_of('"pen"', '"lamp"', '"desk"', '"mug"')),
            ("count", "int", integers(-2, 14)),
            ("price", "int", integers(-5, 40)),
        ),
        (
            ("the count is at least 1", "x.count >= 1"),
            ("the count is at most $top", "x.count <= $top"),
            ("the count is an even number", "x.count mod 2 = 0"),
            ("the count is from 1 to $top", "x.count >= 1 && x.count <= $top"),
            ("the count is less than $top", "x.count < $top"),
        ),
        (
            ("the price is positive", "x.price > 0"),
            ("the price is under $high", "x.price < $high"),
            ("the price is at least $few", "x.price >= $few"),
            ("the price is from $few to $high", "x.price >= $few && x.price <= $high"),
        ),
        (
            ("its count", "x.count"),
            ("its price", "x.price"),
            ("count times price", "x.count * x.price"),
            ("count times price, plus $few", "(x.count * x.price) + $few"),
        ),
        ((("bad count",), ("wrong count",), ("count?",)), (("bad price",), ("wrong price",), ("price?",))),
    ),
    _Kind(
        "user",
        (("name", "string", _NAMES), ("age", "int", integers(5, 70)), ("points", "int", integers(0, 50))),
        (
            ("the name is not empty", 'x.name <> ""'),
            ("the name has at least 3 letters", "String.length x.name >= 3"),
            ("the name has at most 4 letters", "String.length x.name <= 4"),
            ("the name has 2 letters or more", "String.length x.name >= 2"),
        ),
        (
            ("the age is at least $high", "x.age >= $high"),
            ("the age is under $high", "x.age < $high"),
            ("the age is from $high to 60", "x.age >= $high && x.age <= 60"),
            ("the age is greater than the number of points", "x.age > x.points"),
        ),
        (
            ("the age", "x.age"),
            ("the number of points", "x.points"),
            ("the number of points plus $few", "x.points + $few"),
            ("age plus points", "x.age + x.points"),
        ),
        ((("bad name",), ("no name",), ("name?",)), (("bad age",), ("wrong age",), ("age?",))),
    ),
    _Kind(
        "booking",
        (("nights", "int", integers(-1, 14)), ("guests", "int", integers(0, 8)), ("beds", "int", integers(0, 8))),
        (
            ("there is at least 1 night", "x.nights >= 1"),
            ("there are at most $top nights", "x.nights <= $top"),
            ("there are at least $few nights", "x.nights >= $few"),
            ("there are more than $few nights", "x.nights > $few"),
        ),
        (
            ("there are enough beds for the guests", "x.beds >= x.guests"),
            ("there are more beds than guests", "x.beds > x.guests"),
            ("there is a guest, and a bed for each one", "x.guests >= 1 && x.beds >= x.guests"),
            ("there are at most $few guests", "x.guests <= $few"),
        ),
        (
            ("the number of nights", "x.nights"),
            ("nights times guests", "x.nights * x.guests"),
            ("$high for each night", "$high * x.nights"),
            ("nights plus beds", "x.nights + x.beds"),
        ),
        ((("bad time",), ("wrong nights",), ("nights?",)), (("no room",), ("too many guests",), ("beds?",))),
    ),
    _Kind(
        "trip",
        (("first", "int", integers(-3, 14)), ("last", "int", integers(0, 30))),
        (
            ("the first day is at least 1", "x.first >= 1"),
            ("the first day is at most $top", "x.first <= $top"),
            ("the first day is not 0", "x.first <> 0"),
            ("the first day is after day $few", "x.first > $few"),
        ),
        (
            ("the last day is not before the first", "x.last >= x.first"),
            ("the last day is after the first", "x.last > x.first"),
            ("the last day is at least $few days after the first", "x.last - x.first >= $few"),
            ("the last day is at most $high", "x.last <= $high"),
        ),
        (
            ("the last day minus the first, plus 1", "x.last - x.first + 1"),
            ("the last day minus the first", "x.last - x.first"),
            ("the sum of both days", "x.first + x.last"),
        ),
        ((("bad start",), ("wrong start",), ("start?",)), (("bad end",), ("wrong end",), ("end?",))),
    ),
)
_WORDS = ("late", "broken", "lost", "empty", "locked", "full", "closed")


def _result(chance: Chance) -> str:
    if chance.happens(0.35):
        return f"Error {text(chance.pick(_WORDS))}"
    return f"Ok {atom(str(chance.number(-9, 40)))}"


def _either(*choices: Input) -> Input:
    return Input(lambda chance: chance.pick(choices).draw(chance))


def _fault(chance: Chance) -> str:
    return chance.pick((f"Too_long {chance.number(6, 40)}", f"Unknown {text(chance.pick(WORDS))}"))


_RESULT = Input(_result)
_PASSWORD = Input(
    _either(texts(0, 8, far=15), texts(0, 7, "0123456789"), texts(1, 7, "aBc3 ")).draw,
    ('""', '"7"', '"Z"', '" "', '"abc90"', '"AZ09az"', '"1234567890123"'),
)
_OP: _Parts = (
    ("the double of that number", "2 * n", "double"),
    ("the square of that number", "n * n", "square"),
    ("that number plus $few", "n + $few", "add"),
    ("$few times that number", "$few * n", "multiply"),
    ("that number with the opposite sign", "-n", "negate"),
    ("$top minus that number", "$top - n", "complement"),
    ("the distance of that number from $top", "abs (n - $top)", "distance"),
)
_TEST: _Parts = (
    ("even", "n mod 2 = 0", "even"),
    ("positive", "n > 0", "positive"),
    ("at least $top", "n >= $top", "large"),
    ("less than $top", "n < $top", "small"),
    ("odd", "n mod 2 <> 0", "odd"),
    ("from $few to $high", "n >= $few && n <= $high", "in_range"),
)
_SECRET: _Parts = (
    ("has at least $few characters", "String.length s >= $few", "long"),
    ("has at most $few characters", "String.length s <= $few", "short"),
    ("has a digit in it", "String.exists (fun c -> c >= '0' && c <= '9') s", "with_digit"),
    ("has a capital letter in it", "String.exists (fun c -> c >= 'A' && c <= 'Z') s", "with_capital"),
    ("has no space in it", "not (String.contains s ' ')", "without_space"),
    ("has no other characters than digits in it", "String.for_all (fun c -> c >= '0' && c <= '9') s", "digits"),
)
_MADE: _Parts = (
    ("its length", "String.length s", "length"),
    ("its length plus 1", "String.length s + 1", "length_plus"),
    ("$high minus its length", "$high - String.length s", "rest"),
    ("twice its length", "2 * String.length s", "double_length"),
)
_CARRIED: _Parts = (
    (
        "`Too_small` or `Too_large`, with the number `n`",
        "n < $few then Error (Too_small n)\n  else if n > $high then Error (Too_large n)",
    ),
    (
        "`Too_small` or `Too_large`, with the limit that was broken",
        "n < $few then Error (Too_small $few)\n  else if n > $high then Error (Too_large $high)",
    ),
    (
        "`Too_small` or `Too_large`, with how far `n` is from the range",
        "n < $few then Error (Too_small ($few - n))\n  else if n > $high then Error (Too_large (n - $high))",
    ),
)
_FOUND: _Parts = (
    ("the sum of the numbers", "[] -> Ok 0\n  | Ok n :: rest -> Result.map (fun sum -> sum + n) ($f rest)", "sum"),
    (
        "the product of the numbers",
        "[] -> Ok 1\n  | Ok n :: rest -> Result.map (fun product -> product * n) ($f rest)",
        "product",
    ),
    ("how many there are", "[] -> Ok 0\n  | Ok _ :: rest -> Result.map (fun count -> count + 1) ($f rest)", "count"),
    (
        "the largest of the numbers and of 0",
        "[] -> Ok 0\n  | Ok n :: rest -> Result.map (fun largest -> max largest n) ($f rest)",
        "largest",
    ),
)
_COUNTED: _Parts = (
    ("how many of the results in `l` are errors", "List.length (List.filter Result.is_error l)", "count_errors"),
    ("how many of the results in `l` are no errors", "List.length (List.filter Result.is_ok l)", "count_fine"),
    (
        "the sum of the numbers in `l`, without the errors",
        "List.fold_left ( + ) 0 (List.filter_map Result.to_option l)",
        "total",
    ),
    (
        "the sum of the numbers in `l`, where an error counts -$few",
        "List.fold_left (fun sum r -> sum + Result.value r ~default:(-$few)) 0 l",
        "total_with_penalty",
    ),
    (
        "the sum of the numbers in `l`, where an error counts $few",
        "List.fold_left (fun sum r -> sum + Result.value r ~default:$few) 0 l",
        "total_with_default",
    ),
)
_COMMON: dict[str, Gap] = {
    "top": number(5, 12),
    "few": number(2, 5),
    "high": number(15, 30),
    "none": number(-1, 9),
    "no": tuple((why,) for why in ("not allowed", "refused", "not valid", "wrong", "rejected", "no")),
    "label": tuple((label,) for label in ("error", "failed", "problem", "sorry", "mistake")),
    "fine": tuple((label,) for label in ("result", "number", "value", "answer", "fine")),
    "op": _OP,
    "test": _TEST,
    "secret": _SECRET,
    "made": _MADE,
    "weak": (
        ("has no digit in it", "not (String.exists (fun c -> c >= '0' && c <= '9') s)"),
        ("has no capital letter in it", "not (String.exists (fun c -> c >= 'A' && c <= 'Z') s)"),
        ("has a space in it", "String.contains s ' '"),
        ("has only digits in it", "String.for_all (fun c -> c >= '0' && c <= '9') s"),
    ),
    "error": (("", "type error = Too_small of int | Too_large of int\n\nval $f : int -> (int, error) result"),),
    "fault": (("", "type fault = Empty | Too_long of int | Unknown of string\n\nval $f : fault -> string"),),
    "carried": _CARRIED,
    "found": _FOUND,
    "counted": _COUNTED,
}


def _record(kind: _Kind) -> Input:
    def draw(chance: Chance) -> str:
        return "{ " + "; ".join(f"{name} = {of.draw(chance)}" for name, _, of in kind.fields) + " }"

    return Input(draw)


def _single(record: Input) -> Input:
    return record


def _not_empty(record: Input) -> Input:
    """Lists of all lengths up to 6, or of 12; the empty one is an edge."""

    def draw(chance: Chance) -> str:
        size = chance.pick((1, 2, 3, 4, 5, 6, 12))
        return lists(record, size, size).draw(chance)

    return Input(draw, ("[]",))


_PLANS = (
    _Plan(
        1,
        (
            'For the $one `x`, `$f x` is `Ok` of $value if $rule, and `Error "$no"` if not.',
            '$An is fine if $rule. Then `$f x` is `Ok` of $value, and otherwise `Error "$no"`.',
        ),
        ("check_$one", "checked", "check"),
        "$one -> (int, string) result",
        'let $f x = if $rule then Ok ($value) else Error "$no"',
        _single,
    ),
    _Plan(
        1,
        (
            "$An is valid if $first and $second. `$f x` tells if the $one `x` is valid.",
            "`$f x` tells if the $one `x` is fine: that means that $first and that $second.",
        ),
        ("valid", "is_valid", "valid_$one"),
        "$one -> bool",
        "let $f x = $first && $second",
        _single,
    ),
    _Plan(
        1,
        (
            "$An is valid if $first and $second. `$f l` is the list of the valid ones in `l`.",
            "Keep what is right in the list `l`: each $one for which $first and $second. Call it `$f l`.",
        ),
        ("only_valid", "keep_valid", "valid_ones"),
        "$one list -> $one list",
        "let $f l = List.filter (fun x -> $first && $second) l",
        lambda record: lists(record, 0, 3, far=8),
    ),
    _Plan(
        1,
        (
            "Each $one has to follow a rule: $rule. `$f l` counts those in the list `l` that break it.",
            "How often is this rule broken in the list `l`: $rule? `$f l` is the number of times.",
        ),
        ("count_wrong", "how_many_wrong", "violations"),
        "$one list -> int",
        "let $f l = List.length (List.filter (fun x -> not ($rule)) l)",
        lists,
    ),
    _Plan(
        2,
        (
            'Check two rules, in this order: $first (if not, `Error "$why"`), and $second (if not, `Error '
            '"$because"`). `$f x` is the first error of the $one `x`, or `Ok` of $value.',
            "Two rules are checked: $first, and $second. If the $one `x` breaks the first, `$f x` is `Error "
            '"$why"`; else, if it breaks the second, `Error "$because"`; else `Ok` of $value.',
        ),
        ("check_$one", "checked", "validate"),
        "$one -> (int, string) result",
        'let $f x =\n  if not ($first) then Error "$why"\n  else if not ($second) then Error "$because"\n'
        "  else Ok ($value)",
        _single,
    ),
    _Plan(
        2,
        (
            'For all that is wrong with the $one `x`, `$f x` has a message in a list: `"$why"` unless $first, and '
            'then `"$because"` unless $second. If all is fine it is empty.',
            "Two rules: $first, and $second. `$f x` is the list of messages for those that the $one `x` breaks, "
            'in this order: `"$why"` and `"$because"`.',
        ),
        ("errors", "messages", "what_is_wrong"),
        "$one -> string list",
        'let $f x =\n  let a = if $first then [] else [ "$why" ] in\n'
        '  let b = if $second then [] else [ "$because" ] in\n  a @ b',
        _single,
    ),
    _Plan(
        2,
        (
            "$An counts if $first and $second. `$f l` adds up $value over all those in the list `l` that count, "
            "and leaves out the others.",
            "Leave out each $one in `l` that breaks one of two rules: $first, and $second. For the others, `$f l` "
            "is the sum of $value. It is 0 if there are none.",
        ),
        ("total_of_valid", "total", "sum_valid"),
        "$one list -> int",
        "let rec $f l =\n  match l with\n  | [] -> 0\n"
        "  | x :: rest -> if $first && $second then $value + $f rest else $f rest",
        lambda record: lists(record, 0, 6, far=12),
    ),
    _Plan(
        2,
        (
            "Each $one has to follow a rule: $rule. `$f l` is the place in the list `l` of the first one that "
            "breaks it, counted from 1, or 0 if there is none.",
            "Go through the list `l` until this rule is broken: $rule. `$f l` tells at which place that is, 1 "
            "being the first, and is 0 if it never happens.",
        ),
        ("first_wrong", "where_wrong", "place_of_error"),
        "$one list -> int",
        "let $f l =\n  let rec from place l =\n    match l with\n    | [] -> 0\n"
        "    | x :: rest -> if $rule then from (place + 1) rest else place\n  in\n  from 1 l",
        _not_empty,
    ),
)


def _of(kind: _Kind) -> tuple[Task, ...]:
    """Tasks on records of this kind."""
    fields = "; ".join(f"{name} : {written}" for name, written, _ in kind.fields)
    declared = f"type {kind.one} = {{ {fields} }}"
    gaps: dict[str, Gap] = {
        **_COMMON,
        "one": ((kind.one, kind.one, kind.one),),
        "An": (("An order" if kind.one == "order" else f"A {kind.one}",),),
        "rule": kind.first + kind.second,
        "first": kind.first,
        "second": kind.second,
        "value": kind.values,
        "why": kind.wrong[0],
        "because": kind.wrong[1],
    }
    record = _record(kind)
    return tuple(
        Task(
            level=plan.level,
            says=plan.says,
            names=plan.names,
            signature=f"{declared}\n\nval $f : {plan.types}",
            code=f"{declared}\n\n{plan.code}",
            gaps=gaps,
            inputs=(plan.argument(record),),
        )
        for plan in _PLANS
    )


def _task(level: int, says: tuple[str, ...], names: tuple[str, ...], signature: str, code: str, *inputs: Input) -> Task:
    return Task(level=level, says=says, names=names, signature=signature, code=code, gaps=_COMMON, inputs=inputs)


_ON_RESULTS = (
    _task(
        1,
        (
            "If the result `r` is `Ok` of a number, `$f r` is $op. If it is an `Error`, `$f r` is $none.",
            "`$f r` takes a result. For `Ok` with a number it returns $op, and for any `Error` it returns $none.",
        ),
        ("${op}_or_default", "read_$op"),
        "(int, string) result -> int",
        "let $f r = match r with Ok n -> $op | Error _ -> $none",
        _RESULT,
    ),
    _task(
        1,
        (
            '`$f r` shows a result as text: `"$fine: "` and the number if it is `Ok`, and `"$label: "` and the '
            "message if it is an `Error`.",
            'Write `$f r` for the user: after `Ok` it is the number as a string, with `"$fine: "` before it, and '
            'after `Error` the message, with `"$label: "`.',
        ),
        ("show", "report", "to_text"),
        "(int, string) result -> string",
        'let $f r = match r with Ok n -> "$fine: " ^ string_of_int n | Error why -> "$label: " ^ why',
        _RESULT,
    ),
    _task(
        1,
        (
            'A number `n` that is $test is accepted: `$f n` is `Ok` of $op. For all others it is `Error "$no"`.',
            'Check a number `n`: if it is $test, `$f n` is `Ok` of $op. If not, it is `Error "$no"`.',
        ),
        ("check_$test", "${op}_if_$test"),
        "int -> (int, string) result",
        'let $f n = if $test then Ok ($op) else Error "$no"',
        integers(-20, 50),
    ),
    _task(
        1,
        (
            'A password `s` is good if it $secret. Then `$f s` is `Ok` of $made, and if not, `Error "$no"`.',
            'If the string `s` $secret, `$f s` is `Ok` of $made. Otherwise it is `Error "$no"`.',
        ),
        ("check_$secret", "password_$secret"),
        "string -> (int, string) result",
        'let $f s = if $secret then Ok ($made) else Error "$no"',
        _PASSWORD,
    ),
    _task(
        1,
        (
            "`$f l` is $counted.",
            "The list `l` has results, which are `Ok` of a number or an `Error`. Write `$f l`, which is $counted.",
        ),
        ("$counted",),
        "(int, string) result list -> int",
        "let $f l = $counted",
        lists(_RESULT),
    ),
    _task(
        2,
        (
            "The number `n` should be from $few to $high. `$f n` is `Ok` of $op if it is, and otherwise `Error` of "
            "$carried.",
            "Check if `n` is from $few to $high. `$f n` is then `Ok` of $op; if `n` is less or greater, it is `Error` "
            "of $carried.",
        ),
        ("check_range", "checked", "within"),
        "$error",
        "type error = Too_small of int | Too_large of int\n\nlet $f n =\n  if $carried\n  else Ok ($op)",
        integers(-15, 50, far=900),
    ),
    _task(
        2,
        (
            "If all results in the list `l` are `Ok`, `$f l` is `Ok` of $found. If there are errors, it is the first "
            "`Error` in `l`.",
            "Combine a list `l` of results into one: if there is an `Error`, `$f l` is the first one, and if not, it "
            "is `Ok` of $found.",
        ),
        ("${found}_or_error", "combine_all"),
        "(int, string) result list -> (int, string) result",
        "let rec $f l =\n  match l with\n  | $found\n  | Error why :: _ -> Error why",
        Input(
            lists(_RESULT, 0, 3, far=6).draw,
            (
                "[]",
                "[Ok 5]",
                "[Ok (-5)]",
                "[Ok 3; Ok (-7); Ok 2; Ok 11; Ok 2]",
                '[Ok 3; Ok 0; Ok 2; Ok 11; Error "late"]',
                '[Ok 1; Error "lost"; Error "full"; Ok 2]',
                '[Error "full"; Error "lost"]',
            ),
        ),
    ),
    _task(
        2,
        (
            "`$f l` is the pair of two lists: $op for each `Ok` in `l`, in order, and the messages of the errors in "
            "`l`, in order.",
            "Divide a list `l` of results: `$f l` is a pair. Its first part has, for each `Ok`, $op; its second part "
            "has the message of each `Error`.",
        ),
        ("divide_results", "split", "partition"),
        "(int, string) result list -> int list * string list",
        "let rec $f l =\n  match l with\n  | [] -> ([], [])\n  | r :: rest -> (\n    let fine, errors = $f rest in\n"
        "    match r with Ok n -> (($op) :: fine, errors) | Error why -> (fine, why :: errors))",
        lists(_RESULT, 0, 5, far=11),
    ),
    _task(
        2,
        (
            'What was wrong with a name? `$f e` says it: `"$label: empty"` for `Empty`, `"$label: "` and the number '
            'for `Too_long`, and `"$label: "` and the name for `Unknown`.',
            'A name can be refused for three reasons. `$f e` is `"$label: empty"` for `Empty`; for the others it is '
            '`"$label: "`, followed by the number or the name that they carry.',
        ),
        ("explain", "message", "to_text"),
        "$fault",
        'type fault = Empty | Too_long of int | Unknown of string\n\nlet $f e =\n  "$label: "\n  ^ match e with\n'
        '    | Empty -> "empty"\n    | Too_long n -> string_of_int n\n    | Unknown name -> name',
        Input(_fault, ("Empty",)),
    ),
    _task(
        2,
        (
            'A password `s` with fewer than $few characters is `Error "$no"`. If it is long enough but $weak, it is '
            '`Error "$label"`. Otherwise `$f s` is `Ok` of $made.',
            'Check a password: `$f s` is `Error "$no"` if `s` has fewer than $few characters; `Error "$label"` if it '
            "is long enough, but $weak; and else `Ok` of $made.",
        ),
        ("check_password", "password", "safe"),
        "string -> (int, string) result",
        'let $f s =\n  if String.length s < $few then Error "$no"\n  else if $weak then Error "$label"\n'
        "  else Ok ($made)",
        _PASSWORD,
    ),
)

TASKS = (*(task for kind in _KINDS for task in _of(kind)), *_ON_RESULTS)
