"""Small tasks on lists of records: selecting, counting, adding, sorting, and the first one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, lists, one_of
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]


def _often(low: int, high: int, far: int = 0) -> Input:
    """Numbers; often two are equal, also in short lists. A few are as large as ``far``."""
    common = (low, (low + high) // 2, (low + high) // 2 + 1)

    def draw(chance: Chance) -> str:
        if far and chance.happens(0.05):
            return str(chance.between(high, far))
        return str(chance.pick(common) if chance.happens(0.4) else chance.number(low, high))

    return Input(draw, (str(low), str(far or high)))


class _Kind(NamedTuple):
    """A kind of record in a list.

    Attributes:
        key: the first field, a name.
        tests: conditions, as words after the plural and as code.
        numbers: numbers of a record.
    """

    one: str
    many: str
    key: str
    fields: tuple[tuple[str, str, Input], ...]
    tests: Gap
    numbers: Gap

    @property
    def name(self) -> Input:
        """Values of the first field."""
        return self.fields[0][2]

    @property
    def record(self) -> Input:
        def draw(chance: Chance) -> str:
            return "{ " + "; ".join(f"{name} = {of.draw(chance)}" for name, _, of in self.fields) + " }"

        edges = [
            "{ " + "; ".join(f"{name} = {of.edges[place]}" for name, _, of in self.fields) + " }" for place in range(2)
        ]
        return Input(draw, tuple(edges))


class _Plan(NamedTuple):
    """A task for records of any kind.

    Attributes:
        types: of the function; the type of the record is declared above it, as above the code.
        inputs: of the function, for a kind of records.
    """

    level: int
    says: tuple[str, ...]
    names: tuple[str, ...]
    types: str
    code: str
    inputs: Callable[[_Kind], tuple[Input, ...]]


_NAME = one_of('"Ann"', '"Ben"', '"Cleo"', '"Dan"', '"Eva"')
_THING = one_of('"lamp"', '"desk"', '"chair"', '"shelf"', '"rug"')
_TITLE = one_of('"Dawn"', '"Rain"', '"Home"', '"Stay"', '"Blue"')
_KINDS = (
    _Kind(
        "person",
        "people",
        "name",
        (
            ("name", "string", _NAME),
            ("age", "int", _often(10, 60)),
            ("town", "string", one_of('"Bonn"', '"Lyon"', '"Oslo"', '"Rome"')),
        ),
        (
            ("from $town", 'x.town = "$town"', "from_$town"),
            ("who are not from $town", 'x.town <> "$town"', "not_from_$town"),
            ("over the age of $k", "x.age > $k", "older"),
            ("under the age of $k", "x.age < $k", "younger"),
            ("over the age of $k from $town", 'x.age > $k && x.town = "$town"', "older_from_$town"),
        ),
        (("age", "x.age", "age"), ("number of years before the age of 70", "(70 - x.age)", "years_before_seventy")),
    ),
    _Kind(
        "product",
        "products",
        "name",
        (("name", "string", _THING), ("price", "int", _often(0, 60, 5_000)), ("stock", "int", _often(0, 9, 200))),
        (
            ("with a stock of at least $few", "x.stock >= $few", "in_stock"),
            ("with a price over $k", "x.price > $k", "expensive"),
            ("with a price of at most $k", "x.price <= $k", "cheap"),
            ("with a price under $k and a stock of at least $few", "x.price < $k && x.stock >= $few", "affordable"),
            ("with a value (price times stock) of over $m", "x.price * x.stock > $m", "valuable"),
            ("with a stock of less than $few", "x.stock < $few", "scarce"),
        ),
        (
            ("price", "x.price", "price"),
            ("stock", "x.stock", "stock"),
            ("value (price times stock)", "(x.price * x.stock)", "value"),
        ),
    ),
    _Kind(
        "song",
        "songs",
        "title",
        (
            ("title", "string", _TITLE),
            ("seconds", "int", _often(30, 300, 20_000)),
            ("likes", "int", _often(0, 20, 12_000)),
        ),
        (
            ("of more than $long seconds", "x.seconds > $long", "long"),
            ("of less than $long seconds", "x.seconds < $long", "short"),
            ("with more than $few likes", "x.likes > $few", "popular"),
            ("with fewer than $few likes", "x.likes < $few", "unknown"),
            ("with at least $few likes and less than $long seconds", "x.likes >= $few && x.seconds < $long", "pop"),
        ),
        (
            ("length in seconds", "x.seconds", "length"),
            ("number of likes", "x.likes", "likes"),
            ("length in full minutes", "(x.seconds / 60)", "minutes"),
            ("number of seconds beyond full minutes", "(x.seconds mod 60)", "rest"),
        ),
    ),
    _Kind(
        "student",
        "students",
        "name",
        (("name", "string", _NAME), ("written", "int", _often(0, 30, 2_000)), ("oral", "int", _often(0, 30, 2_000))),
        (
            ("with at least $k points in the written test", "x.written >= $k", "passed_written"),
            ("with fewer than $k points in the oral test", "x.oral < $k", "failed_oral"),
            ("with more points in the oral test than in the written one", "x.oral > x.written", "better_oral"),
            ("with more than $m points in the two tests together", "x.written + x.oral > $m", "good"),
            ("with at least $few points in each test", "x.written >= $few && x.oral >= $few", "passed"),
        ),
        (
            ("number of points in the written test", "x.written", "written"),
            ("number of points in the oral test", "x.oral", "oral"),
            ("number of points in both tests together", "(x.written + x.oral)", "total"),
            ("number of points in the better one of the two tests", "(max x.written x.oral)", "better"),
        ),
    ),
)
_COMMON: dict[str, Gap] = {
    "k": number(12, 30),
    "m": number(30, 50),
    "few": number(2, 7),
    "long": number(100, 250),
    "town": tuple((town, town, town.lower()) for town in ("Bonn", "Lyon", "Oslo", "Rome")),
    "other": (("exactly", "=", "named"), ("not", "<>", "not_named")),
    "sign": ((": ",), (" - ",), (", ",), ("/",), (" = ",)),
    "order": (
        ("from the smallest to the largest", "compare (number a) (number b)", "by"),
        ("from the largest to the smallest", "compare (number b) (number a)", "by_falling"),
    ),
    "best": (("largest", ">", "largest"), ("smallest", "<", "smallest")),
    "nobody": (("nobody",), ("nothing",), ("none",), ("-",)),
}


def _several(kind: _Kind) -> tuple[Input, ...]:
    return (lists(kind.record, 0, 4, far=9),)


def _few(kind: _Kind) -> tuple[Input, ...]:
    """Lists of up to 3 records, often of one alone; the empty one is an edge."""
    record = kind.record

    def draw(chance: Chance) -> str:
        size = chance.pick((1, 1, 1, 2, 2, 3))
        return lists(record, size, size).draw(chance)

    return (Input(draw, ("[]",)),)


_PLANS = (
    _Plan(
        1,
        (
            "`$f l` is the list of the $many in `l` $test.",
            "From the list `l`, take the $many $test, in their order. Write `$f l`.",
        ),
        ("$test", "${many}_$test"),
        "$one list -> $one list",
        "let $f l = List.filter (fun x -> $test) l",
        _several,
    ),
    _Plan(
        1,
        (
            "How many $many $test are there in the list `l`? `$f l` answers that.",
            "`$f l` counts the $many $test in the list `l`.",
        ),
        ("count_$test", "how_many_$test"),
        "$one list -> int",
        "let $f l = List.length (List.filter (fun x -> $test) l)",
        lambda kind: (lists(kind.record, 0, 6, far=11),),
    ),
    _Plan(
        1,
        (
            "`$f l` is the list of the ${key}s of the $many $test in the list `l`.",
            "List the ${key}s of all $many $test that occur in `l`, in order: this is `$f l`.",
        ),
        ("${key}s_$test", "${key}s_of_$test"),
        "$one list -> string list",
        "let $f l = List.map (fun x -> x.$key) (List.filter (fun x -> $test) l)",
        _several,
    ),
    _Plan(
        1,
        (
            "`$f l` tells if there are only $many $test in `l`. For the empty list it is `true`.",
            "Does the list `l` consist of $many $test, without any others? `$f l` answers that; `$f []` is `true`.",
        ),
        ("only_$test", "all_$test"),
        "$one list -> bool",
        "let $f l = List.for_all (fun x -> $test) l",
        _few,
    ),
    _Plan(
        1,
        (
            "`$f l` adds up, for all $many in `l`, the $number.",
            "The list `l` holds $many. Take of each one the $number; `$f l` is the sum.",
        ),
        ("total_$number", "sum_of_$number"),
        "$one list -> int",
        "let $f l = List.fold_left (fun sum x -> sum + $number) 0 l",
        _several,
    ),
    _Plan(
        1,
        (
            "`$f l` is a list that has, for each $one in `l`, the $number.",
            "Make a list of numbers from a list of $many: for each of them, the $number. Call it `$f l`.",
        ),
        ("each_$number", "list_$number"),
        "$one list -> int list",
        "let $f l = List.map (fun x -> $number) l",
        _several,
    ),
    _Plan(
        1,
        (
            "`$f x` is a string: the $key of the $one `x`, then `$sign`, and then the $number.",
            "Show a $one as text: `$f x` is the $key, followed by `$sign` and the $number.",
        ),
        ("show_$one", "line", "describe"),
        "$one -> string",
        'let $f x = x.$key ^ "$sign" ^ string_of_int $number',
        lambda kind: (kind.record,),
    ),
    _Plan(
        1,
        (
            "`$f $key l` is the list of those $many in `l` whose $key is $other `$key`.",
            "Go through the $many in `l` and keep those whose $key is $other `$key`: `$f $key l` is their list.",
        ),
        ("$other", "${other}_$key"),
        "string -> $one list -> $one list",
        "let $f $key l = List.filter (fun x -> x.$key $other $key) l",
        lambda kind: (kind.name, lists(kind.record, 0, 5, far=9)),
    ),
    _Plan(
        2,
        (
            "`$f l` is the list `l` of $many, sorted by the $number, $order. Equal ones keep their order.",
            "Sort the $many in `l` by the $number, $order; those with equal numbers keep their order. This is `$f l`.",
        ),
        ("${order}_$number", "sort_${order}_$number"),
        "$one list -> $one list",
        "let $f l =\n  let number x = $number in\n  List.stable_sort (fun a b -> $order) l",
        lambda kind: (lists(kind.record, 0, 5, far=9),),
    ),
    _Plan(
        2,
        (
            'Which $one in `l` has the $best $number? `$f l` is the $key of the first one, or `"$nobody"` if `l` '
            "is empty.",
            "`$f l` is the $key of the $one in `l` with the $best $number, the first one if there are several. For "
            'the empty list it is `"$nobody"`.',
        ),
        ("${best}_$number", "with_${best}_$number"),
        "$one list -> string",
        "let $f l =\n  let number x = $number in\n  let better a b = if number b $best number a then b else a in\n"
        '  match l with\n  | [] -> "$nobody"\n  | x :: rest -> (List.fold_left better x rest).$key',
        _several,
    ),
    _Plan(
        2,
        (
            "`$f $key l` looks for the first $one in `l` with this $key. It is `Some` of the $number, or `None` if "
            "there is no such $one.",
            "Write a recursive function `$f $key l` that finds the first $one with this $key in the list `l`. It "
            "returns the $number, in `Some`, or `None` if there is none.",
        ),
        ("find_$number", "${number}_of"),
        "string -> $one list -> int option",
        "let rec $f $key l =\n  match l with\n  | [] -> None\n"
        "  | x :: rest -> if x.$key = $key then Some $number else $f $key rest",
        lambda kind: (kind.name, lists(kind.record, 0, 5, far=9)),
    ),
    _Plan(
        2,
        (
            "`$f l` adds up the $number of all $many $test in the list `l`. The others do not count.",
            "Only $many $test count: for these, `$f l` is the sum of the $number, over the list `l`. It is 0 if "
            "there are none.",
        ),
        ("total_${number}_$test", "sum_$test"),
        "$one list -> int",
        "let rec $f l =\n  match l with\n  | [] -> 0\n  | x :: rest -> if $test then $number + $f rest else $f rest",
        lambda kind: (lists(kind.record, 0, 5, far=9),),
    ),
    _Plan(
        2,
        (
            'Look for $many $test. `$f l` is the $key of the first one in the list `l`, or `"$nobody"` if there is '
            "none.",
            "Search the list `l` for $many $test. `$f l` is the $key of the first one you find, and "
            '`"$nobody"` if you find none.',
        ),
        ("first_$test", "find_$test"),
        "$one list -> string",
        'let rec $f l =\n  match l with\n  | [] -> "$nobody"\n  | x :: rest -> if $test then x.$key else $f rest',
        _several,
    ),
    _Plan(
        2,
        (
            "`$f l` is a pair of lists of ${key}s: those of the $many $test in `l`, and those of all others.",
            "Split the list `l`: on one side the $many $test, on the other side the rest. `$f l` is the pair of "
            "the lists of their ${key}s.",
        ),
        ("split_$test", "divide_$test"),
        "$one list -> string list * string list",
        "let $f l =\n  let yes, no = List.partition (fun x -> $test) l in\n"
        "  let ${key}s = List.map (fun x -> x.$key) in\n  (${key}s yes, ${key}s no)",
        _several,
    ),
    _Plan(
        2,
        (
            "For each $one in the list `l`, take the $number. `$f l` is `Some` of the average, rounded down, or "
            "`None` if `l` is empty.",
            "What is the average, over all $many in `l`, of the $number? `$f l` is `Some` of it, rounded down, or "
            "`None` if there are none.",
        ),
        ("average_$number", "mean_$number"),
        "$one list -> int option",
        "let $f l =\n  match l with\n  | [] -> None\n"
        "  | _ -> Some (List.fold_left (fun sum x -> sum + $number) 0 l / List.length l)",
        _several,
    ),
)


def _tasks(kind: _Kind) -> tuple[Task, ...]:
    """Tasks on lists of records of this kind."""
    fields = "; ".join(f"{name} : {written}" for name, written, _ in kind.fields)
    declared = f"type {kind.one} = {{ {fields} }}"
    gaps: dict[str, Gap] = {
        **_COMMON,
        "test": kind.tests,
        "number": kind.numbers,
        "one": ((kind.one, kind.one, kind.one),),
        "many": ((kind.many, kind.many, kind.many),),
        "key": ((kind.key, kind.key, kind.key),),
    }
    return tuple(
        Task(
            level=plan.level,
            says=plan.says,
            names=plan.names,
            signature=f"{declared}\n\nval $f : {plan.types}",
            code=f"{declared}\n\n{plan.code}",
            gaps=gaps,
            inputs=plan.inputs(kind),
        )
        for plan in _PLANS
    )


TASKS = tuple(task for kind in _KINDS for task in _tasks(kind))
