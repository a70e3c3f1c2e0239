"""Small tasks on modules: modules of the library, local opens, small modules, and ``Set.Make`` with an order."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, characters, floats, integers, lists, options, texts
from ocaml_env.problems.generators.task import Task, number

__all__ = ["TASKS"]


def _one_of(*texts: str) -> Input:
    """One of these strings."""
    return Input(lambda chance: f'"{chance.pick(texts)}"', (f'"{texts[0]}"', f'"{texts[1]}"'))


def _record(*fields: tuple[str, int, int]) -> Input:
    """Records of numbers, from the name and bounds of each field."""

    def draw(chance: Chance) -> str:
        return "{ " + "; ".join(f"{name} = {chance.between(low, high)}" for name, low, high in fields) + " }"

    lowest, highest = ("{ " + "; ".join(f"{field[0]} = {field[place]}" for field in fields) + " }" for place in (1, 2))
    return Input(draw, (lowest, highest))


def _spaced(chance: Chance) -> str:
    """A word or two with small and capital letters, and perhaps with spaces at their ends."""
    words = [chance.pick(("oak", "Ivy", "FERN", "lake", "Amber", "red", "B")) for _ in range(chance.between(1, 2))]
    return f'"{chance.pick(("", " ", "  "))}{" ".join(words)}{chance.pick(("", " "))}"'


_WORD = _one_of("bee", "Bee", "oak", "Oak", "ivy", "IVY", "fern", "lake", "amber", "Amber", "stone", "STONE")
_BITS = Input(
    lambda chance: f"[{'; '.join(map(str, chance.ints(chance.pick((0, 1, 2, 3, 3, 9)), 0, 1)))}]",
    ("[]", "[0; 1]", "[1; 0]"),
)
_CASES = _one_of("bee", "Bee", "bat", "Bat", "birch", "Birch", "ash", "Ash", "oaks", "Oaks")
_SPACED = Input(_spaced, ('""', '" "', '" Oak  tree"'))

TASKS = (
    Task(
        level=1,
        says=(
            "`$f l` is $what. The list `l` is not empty; functions of the module `List` are enough.",
            "Given a list `l` that is not empty, return $what: `$f l`.",
        ),
        names=("of_list", "list_value", "result"),
        signature="int list -> int",
        code="let $f l = List.($what)",
        gaps={
            "what": (
                ("the greatest element of `l`", "fold_left max (hd l) (tl l)"),
                ("the smallest element of `l`", "fold_left min (hd l) (tl l)"),
                ("the last element of `l`", "hd (rev l)"),
                ("the sum of the first and the last element of `l`", "hd l + hd (rev l)"),
                ("the number of different elements of `l`", "length (sort_uniq Int.compare l)"),
                ("the number of elements of `l` that are greater than $k", "length (filter (fun x -> x > $k) l)"),
                ("the number of elements after the first of `l`", "length (tl l)"),
                ("the element of `l` in the middle (position half the length, rounded down)", "nth l (length l / 2)"),
            ),
            "k": number(5, 30),
        },
        inputs=(lists(integers(), 1),),
    ),
    Task(
        level=1,
        says=(
            "`$f s` is the string `s` $how.",
            "Use functions of the module `String`: `$f s` is `s` $how.",
        ),
        names=("tidy", "restyle", "convert"),
        signature="string -> string",
        code="let $f s = String.($how)",
        gaps={
            "how": (
                ("without spaces at its ends and in capital letters", "uppercase_ascii (trim s)"),
                ("without spaces at its ends and in small letters", "lowercase_ascii (trim s)"),
                ("in small letters but for a capital first letter", "capitalize_ascii (lowercase_ascii s)"),
                ("in capital letters but for a small first letter", "uncapitalize_ascii (uppercase_ascii s)"),
                ("without spaces at its ends, in parentheses", 'concat "" [ "("; trim s; ")" ]'),
                ("with every space replaced by `$c`", "map (fun c -> if c = ' ' then '$c' else c) s"),
                ("twice, with `$c` between", 'concat "$c" [ s; s ]'),
                ("followed by $n characters `$c`", "s ^ make $n '$c'"),
            ),
            "c": (("-",), ("_",), ("+",), ("*",)),
            "n": number(2, 5),
        },
        inputs=(_SPACED,),
    ),
    Task(
        level=1,
        says=(
            "`$f c` is $what, where `c` is a letter from `a` to `m`.",
            "The character `c` is one of the letters from `a` to `m`. Return $what: `$f c`.",
        ),
        names=("letter", "convert_char", "of_letter"),
        signature="char -> char",
        code="let $f c = Char.($what)",
        gaps={
            "what": (
                ("the letter $n places after `c` in the alphabet", "chr (code c + $n)"),
                ("the capital letter of `c`", "uppercase_ascii c"),
                ("the capital letter $n places after `c` in the alphabet", "uppercase_ascii (chr (code c + $n))"),
                ("the letter as far before `z` as `c` is after `a`", "chr (code 'a' + code 'z' - code c)"),
                ("the letter as far after `$m` as `c` is after `a`", "chr (code '$m' + code c - code 'a')"),
            ),
            "n": number(1, 9),
            "m": (("c",), ("g",), ("k",), ("n",)),
        },
        inputs=(characters("abcdefghijklm"),),
    ),
    Task(
        level=1,
        says=(
            "`$f v w` tells whether the strings `v` and `w` $same.",
            "Is it true that two strings `v` and `w` $same? `$f v w` answers that.",
        ),
        names=("alike", "same", "equal_strings"),
        signature="string -> string -> bool",
        code="let $f v w = $same",
        gaps={
            "same": (
                (
                    "are equal if capital letters count as small ones",
                    "String.equal (String.lowercase_ascii v) (String.lowercase_ascii w)",
                ),
                ("have the same length", "Int.equal (String.length v) (String.length w)"),
                ("begin with the same character (none is empty)", "Char.equal v.[0] w.[0]"),
                (
                    "are different if capital letters count as small ones",
                    "String.lowercase_ascii v <> String.lowercase_ascii w",
                ),
                ("are in the order of `String.compare`, `v` before `w`", "String.compare v w < 0"),
                (
                    "begin with the same letter, small or capital (none is empty)",
                    "Char.equal (Char.lowercase_ascii v.[0]) (Char.lowercase_ascii w.[0])",
                ),
            ),
        },
        inputs=(_CASES, _CASES),
    ),
    Task(
        level=1,
        says=(
            "`$f x`, an `int`, is $what.",
            "Use functions of the module `Float` to make an `int` of the number `x`: `$f x` is $what.",
        ),
        names=("to_whole", "rounded", "whole_number"),
        signature="float -> int",
        code="let $f x = Float.($what)",
        gaps={
            "what": (
                ("`x` rounded down", "to_int (floor x)"),
                ("`x` rounded up", "to_int (ceil x)"),
                ("`x` without its fraction, that is rounded towards 0", "to_int x"),
                ("the whole number nearest to `x` (halves away from 0)", "to_int (round x)"),
                ("the absolute value of `x`, rounded down", "to_int (floor (abs x))"),
                ("the number of cents in `x` euros (a multiple of a quarter)", "to_int (x *. 100.)"),
                ("half of `x`, rounded down", "to_int (floor (x /. 2.))"),
                ("$n times `x`, rounded down", "to_int (floor ($n.0 *. x))"),
            ),
            "n": number(3, 9),
        },
        inputs=(floats(-12, 24),),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` tells whether $claim.",
            "Compare two lists `a` and `b` of numbers: is it so that $claim? `$f a b` answers that.",
        ),
        names=("compare_lists", "check_lists", "holds"),
        signature="int list -> int list -> bool",
        code="let $f a b = List.($claim)",
        gaps={
            "claim": (
                ("the list `a` is longer than `b`", "compare_lengths a b > 0"),
                ("the lists `a` and `b` have the same length", "compare_lengths a b = 0"),
                ("the list `a` has at least $n more than `b`", "length a >= length b + $n"),
                ("the list `a` is shorter than `b`", "compare_lengths a b < 0"),
                ("the list `a` or the list `b` has more than two elements", "length a > 2 || length b > 2"),
                ("the lists `a` and `b` together have more than $m elements", "length a + length b > $m"),
                ("the list `b` has at most $n more than `a`", "length b <= length a + $n"),
            ),
            "n": (("one element", "1"), ("two elements", "2")),
            "m": number(2, 3),
        },
        inputs=(_BITS, _BITS),
    ),
    Task(
        level=1,
        says=(
            "`$f words` is a list of numbers, one for each word: $what. No word is empty.",
            "For each word of a list, none of them empty, find $what. `$f words` is the list of these numbers.",
        ),
        names=("numbers", "measures", "per_word"),
        signature="string list -> int list",
        code="let $f words = List.map $what words",
        gaps={
            "what": (
                ("its length", "String.length"),
                ("the code of its first letter", "(fun w -> Char.code w.[0])"),
                ("its length times $n", "(fun w -> Int.mul $n (String.length w))"),
                ("its length plus $n", "(fun w -> Int.add (String.length w) $n)"),
                ("1 if it contains the letter `e`, and 0 if not", "(fun w -> Bool.to_int (String.contains w 'e'))"),
                (
                    "how many places after `A` its first letter comes in the character set",
                    "(fun w -> Char.code w.[0] - Char.code 'A')",
                ),
            ),
            "n": number(2, 9),
        },
        inputs=(lists(_WORD, 0, 5, far=10),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is $what. Use a function of a module where you would write an operator.",
            "Fold the list `l` with a function of the module `Float`: `$f l` is $what.",
        ),
        names=("fold_floats", "total", "over_floats"),
        signature="float list -> float",
        code="let $f l = List.fold_left $what l",
        gaps={
            "what": (
                ("the sum of the numbers in `l`", "Float.add Float.zero"),
                ("the product of the numbers in `l`, 1 if there are none", "Float.mul Float.one"),
                ("the greatest of $n and the numbers in `l`", "Float.max $n.0"),
                ("the smallest of $n and the numbers in `l`", "Float.min $n.0"),
                ("$n minus all the numbers in `l`", "Float.sub $n.0"),
                (
                    "the sum of the absolute values of the numbers in `l`",
                    "(fun s x -> Float.add s (Float.abs x)) Float.zero",
                ),
            ),
            "n": number(2, 12),
        },
        inputs=(lists(floats(-8, 20), 0, 6, far=11),),
    ),
    Task(
        level=1,
        says=(
            "`$f o` is $what, and `None` for `None`.",
            "Use a function of the module `Option`. If `o` is `None`, so is `$f o`; otherwise it is $what.",
        ),
        names=("in_option", "mapped", "lift"),
        signature="int option -> int option",
        code="let $f o = Option.$what",
        gaps={
            "what": (
                ("`Some` of twice the number in `o`", "map (Int.mul 2) o"),
                ("`Some` of the next greater number than that in `o`", "map Int.succ o"),
                ("`Some` of the absolute value of the number in `o`", "map Int.abs o"),
                ("`Some` of the number in `o` with its sign changed", "map Int.neg o"),
                ("`Some` of the number in `o` plus $n", "map (Int.add $n) o"),
                ("`Some` of $n minus the number in `o`", "map (Int.sub $n) o"),
            ),
            "n": number(3, 20),
        },
        inputs=(options(integers(-40, 15)),),
    ),
    Task(
        level=2,
        says=(
            "`$f words` has the words of `words` $order. Of words that tie in this order, only the first is kept. "
            "Apply `Set.Make` to a module with this order.",
            "Make a module of sets of strings with an order of your own. `$f words` has words of `words` $order; of those "
            "that tie only the first remains.",
        ),
        names=("one_of_each", "representatives", "ordered_set"),
        signature="string list -> string list",
        code="module Words = Set.Make (struct\n  type t = string\n\n  let compare v w = $order\nend)\n\n"
        "let $f words = Words.elements (List.fold_left (fun s w -> Words.add w s) Words.empty words)",
        gaps={
            "order": (
                ("in the order of their lengths, shortest first", "Int.compare (String.length v) (String.length w)"),
                ("in the order of their lengths, longest first", "Int.compare (String.length w) (String.length v)"),
                ("in the order of their first letters (none is empty)", "Char.compare v.[0] w.[0]"),
                ("in the reverse order of their first letters (none is empty)", "Char.compare w.[0] v.[0]"),
                ("in the reverse order of `String.compare`", "String.compare w v"),
                (
                    "in alphabetical order, where capital letters count as small ones",
                    "String.compare (String.lowercase_ascii v) (String.lowercase_ascii w)",
                ),
            ),
        },
        inputs=(lists(_WORD, 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` has the numbers of `l`, none of them negative, $order. Of numbers that tie in this order, only the first "
            "in `l` is kept. Use `Set.Make` with an order of your own.",
            "Sort the numbers of `l`, none of them negative, $order, and of those that tie keep only the first in `l`: that "
            "is `$f l`. Apply `Set.Make` to a module with such an order.",
        ),
        names=("one_each", "in_own_order", "by_order"),
        signature="int list -> int list",
        code="module Numbers = Set.Make (struct\n  type t = int\n\n  let compare x y = $order\nend)\n\n"
        "let $f l = Numbers.elements (List.fold_left (fun s x -> Numbers.add x s) Numbers.empty l)",
        gaps={
            "order": (
                ("in descending order", "Int.compare y x"),
                ("in ascending order of the last digit", "Int.compare (x mod 10) (y mod 10)"),
                ("in descending order of the last digit", "Int.compare (y mod 10) (x mod 10)"),
                ("in ascending order of the quotient of the division by 10", "Int.compare (x / 10) (y / 10)"),
                ("in ascending order of the distance from $k", "Int.compare (abs (x - $k)) (abs (y - $k))"),
                ("in descending order of the distance from $k", "Int.compare (abs (y - $k)) (abs (x - $k))"),
            ),
            "k": number(10, 30),
        },
        inputs=(lists(integers(0, 40, far=700)),),
    ),
    Task(
        level=2,
        says=(
            "`$f s` has pairs of a character and $what, for each different character of `s` in ascending order. Use "
            "`Map.Make`.",
            "Make a map from characters to numbers with `Map.Make (Char)`: each character of `s` gets $what. `$f s` is the "
            "list of the bindings.",
        ),
        names=("letter_table", "char_map", "count_letters"),
        signature="string -> (char * int) list",
        code="module Chars = Map.Make (Char)\n\nlet $f s =\n"
        "  let add map i = Chars.update s.[i] (function None -> Some $what) map in\n"
        "  Chars.bindings (List.fold_left add Chars.empty (List.init (String.length s) Fun.id))",
        gaps={
            "what": (
                ("the number of times that it occurs", "1 | Some n -> Some (n + 1)"),
                ("the first position at which it stands", "i | Some n -> Some n"),
                ("the last position at which it stands", "i | Some _ -> Some i"),
                ("the sum of the positions at which it stands", "i | Some n -> Some (n + i)"),
                ("$n points for each of its occurrences", "$n | Some n -> Some (n + $n)"),
            ),
            "n": number(2, 9),
        },
        inputs=(texts(0, 7, "abcdB ", far=18),),
    ),
    Task(
        level=2,
        says=(
            "A point has coordinates `x` and `y`. In a module `Point`, `$f p q` is $result.",
            "Write a module `Point` with one function, for points with coordinates `x` and `y`: `$f p q` is $result.",
        ),
        names=("Point.combine",),
        signature="type point = { x : int; y : int }\n\nmodule Point : sig\n  val combine : point -> point -> point\nend",
        code="type point = { x : int; y : int }\n\nmodule Point = struct\n  let combine p q = $result\nend",
        gaps={
            "result": (
                (
                    "the point whose coordinates are the sums of those of `p` and `q`",
                    "{ x = p.x + q.x; y = p.y + q.y }",
                ),
                ("the point whose coordinates are those of `p` minus those of `q`", "{ x = p.x - q.x; y = p.y - q.y }"),
                ("the point with the `x` of `p` and the `y` of `q`", "{ x = p.x; y = q.y }"),
                (
                    "the point whose coordinates are those of `p` plus $k times those of `q`",
                    "{ x = p.x + ($k * q.x); y = p.y + ($k * q.y) }",
                ),
                (
                    "the point whose coordinates are those of `p` minus $k times those of `q`",
                    "{ x = p.x - ($k * q.x); y = p.y - ($k * q.y) }",
                ),
                ("the point with the `x` of `q` and the `y` of `p`", "{ x = q.x; y = p.y }"),
                (
                    "the point whose coordinates are half the sums of those of `p` and `q`, rounded towards 0",
                    "{ x = (p.x + q.x) / 2; y = (p.y + q.y) / 2 }",
                ),
                ("the point that `p` becomes if it is mirrored at `q`", "{ x = (2 * q.x) - p.x; y = (2 * q.y) - p.y }"),
            ),
            "k": number(2, 12),
        },
        inputs=(_record(("x", -9, 9), ("y", -9, 9)), _record(("x", -8, 8), ("y", -8, 8))),
    ),
    Task(
        level=2,
        says=(
            "A time of day has `hours` from 0 to 23 and `minutes` from 0 to 59. In a module `Clock`, `$f t n` is $result.",
            "Write a module `Clock` with one function. For a time `t` of `hours` (0 to 23) and `minutes` (0 to 59), "
            "`$f t n` is $result.",
        ),
        names=("Clock.change",),
        signature="type time = { hours : int; minutes : int }\n\nmodule Clock : sig\n  val change : time -> int -> time\nend",
        code="type time = { hours : int; minutes : int }\n\nmodule Clock = struct\n  let change t n =\n    $result\nend",
        gaps={
            "result": (
                (
                    "the time `n` minutes later, where midnight is 0 hours and 0 minutes; `n` is not negative",
                    "let m = (60 * t.hours) + t.minutes + n in\n    { hours = m / 60 mod 24; minutes = m mod 60 }",
                ),
                (
                    "the end of `n` lessons of $k minutes that begin at `t`, one after another (0 hours follow 23); `n` is not negative",
                    "let m = (60 * t.hours) + t.minutes + ($k * n) in\n    { hours = m / 60 mod 24; minutes = m mod 60 }",
                ),
                (
                    "the time `n` hours later, where 0 follows 23; `n` is not negative",
                    "{ t with hours = (t.hours + n) mod 24 }",
                ),
                (
                    "the time with `n mod 60` as its minutes, for an `n` that is not negative",
                    "{ t with minutes = n mod 60 }",
                ),
                (
                    "the time with `n` added to its minutes, but never more than 59; `n` is not negative",
                    "{ t with minutes = min 59 (t.minutes + n) }",
                ),
            ),
            "k": number(25, 90),
        },
        inputs=(_record(("hours", 0, 23), ("minutes", 0, 59)), integers(0, 90, far=6_000)),
        edges=(
            ("{ hours = 23; minutes = 59 }", "1"),
            ("{ hours = 23; minutes = 10 }", "50"),
            ("{ hours = 23; minutes = 30 }", "29"),
            ("{ hours = 22; minutes = 0 }", "1560"),
            ("{ hours = 0; minutes = 0 }", "24"),
            ("{ hours = 21; minutes = 15 }", "5000"),
        ),
    ),
    Task(
        level=2,
        says=(
            "An amount of money has `euros` and `cents`, which are less than 100. In a module `Money`, `$f a b` is $result. "
            "Nothing is negative.",
            "Write a module `Money` with one function: for two amounts of `euros` and `cents` (0 to 99), `$f a b` is "
            "$result.",
        ),
        names=("Money.join",),
        signature="type money = { euros : int; cents : int }\n\nmodule Money : sig\n  val join : money -> money -> money\nend",
        code="type money = { euros : int; cents : int }\n\nmodule Money = struct\n"
        "  let in_cents m = (100 * m.euros) + m.cents\n  let join a b = $result\nend",
        gaps={
            "result": (
                (
                    "the sum of both",
                    "let c = in_cents a + in_cents b in\n    { euros = c / 100; cents = c mod 100 }",
                ),
                (
                    "the price of $k times `a` and once `b`",
                    "let c = ($k * in_cents a) + in_cents b in\n    { euros = c / 100; cents = c mod 100 }",
                ),
                (
                    "the difference of both, whichever is larger",
                    "let c = abs (in_cents a - in_cents b) in\n    { euros = c / 100; cents = c mod 100 }",
                ),
                (
                    "the sum of both in whole euros, with the cents left out at the end",
                    "{ euros = (in_cents a + in_cents b) / 100; cents = 0 }",
                ),
                (
                    "the sum of both, rounded up to whole euros",
                    "{ euros = (in_cents a + in_cents b + 99) / 100; cents = 0 }",
                ),
            ),
            "k": number(2, 12),
        },
        inputs=(_record(("euros", 0, 5), ("cents", 0, 99)), _record(("euros", 0, 5), ("cents", 0, 98))),
        edges=tuple(
            (f"{{ euros = {a}; cents = {b} }}", f"{{ euros = {c}; cents = {d} }}")
            for a, b, c, d in (
                (1, 40, 2, 60),
                (3, 0, 0, 0),
                (4, 99, 0, 1),
                (2, 5, 2, 5),
                (0, 50, 700, 50),
                (1, 0, 3, 9),
            )
        ),
    ),
    Task(
        level=2,
        says=(
            "`$f words` is $total of the words $which. Write it as a chain of functions of the module `List`.",
            "Take the words of the list $which, and return $total of these: `$f words`. Open the module `List` in the "
            "function if you like.",
        ),
        names=("chain", "pipeline", "letters_of"),
        signature="string list -> int",
        code="let $f words =\n  let open List in\n  let kept = filter (fun w -> $which) words in\n  $total",
        gaps={
            "which": (
                ("with more than $n letters", "String.length w > $n"),
                ("with exactly $n letters", "String.length w = $n"),
                ("that contain the letter `e`", "String.contains w 'e'"),
                ("that begin with a small letter", "w.[0] >= 'a'"),
                ("that are written in small letters only", "String.lowercase_ascii w = w"),
            ),
            "total": (
                ("the number", "length kept"),
                ("the number of all letters", "fold_left (fun sum w -> sum + String.length w) 0 kept"),
                ("the number of different lengths", "length (sort_uniq Int.compare (map String.length kept))"),
            ),
            "n": number(3, 4),
        },
        inputs=(lists(_WORD, 0, 6, far=12),),
    ),
)
