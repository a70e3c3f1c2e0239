"""Small tasks on nested groups: brackets in strings, lists of lists, and items that are numbers or groups."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, tuples, words
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import text

__all__ = ["TASKS"]


def _balanced(chance: Chance, depth: int = 3) -> str:
    """Letters and matching brackets."""
    made = ""
    for _ in range(chance.between(0, 3)):
        made += f"({_balanced(chance, depth - 1)})" if depth and chance.happens(0.5) else chance.pick("abcxyAZ")
    return made


def _broken(chance: Chance) -> str:
    """Matching brackets, but one may be missing, or stand in a wrong place."""
    made = f"({_balanced(chance, 2)})" if chance.happens(0.7) else _balanced(chance)
    if chance.happens(0.5):
        return made
    at = chance.below(len(made) + 1)
    return made[:at] + chance.pick("()") + made[at:]


def _tokens(chance: Chance) -> str:
    """Tokens of strings with brackets, some of them in a wrong place."""
    names = {"(": "Open", ")": "Close"}
    made = _broken(chance)[:: chance.pick((1, 1, 1, -1))]
    return "[" + "; ".join(names.get(c, f'Word "{c}"') for c in made[:9]) + "]"


_SIZES = (0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 6)  # of groups


def _item(chance: Chance, depth: int = 4, whole: bool = True) -> str:
    if not whole and (depth == 0 or chance.happens(0.65)):
        n = chance.number(-9, 30)
        return f"Number ({n})" if n < 0 else f"Number {n}"
    return "Group [" + "; ".join(_item(chance, depth - 1, whole=False) for _ in range(chance.pick(_SIZES))) + "]"


def _groups(chance: Chance) -> str:
    sizes = [chance.pick((0, 0, 1, 2, 3, 4, 6)) for _ in range(chance.between(1, 5) if chance.happens(0.92) else 10)]
    return "[" + "; ".join(f"[{'; '.join(str(chance.number(-9, 20)) for _ in range(size))}]" for size in sizes) + "]"


def _format(form: str) -> Input:
    """Strings of this form with a number for each ``#``."""

    def draw(chance: Chance) -> str:
        low = -9 if chance.happens(0.25) else 0
        return text("".join(str(chance.number(low, 20)) if c == "#" else c for c in form))

    edges = ((4, 4, 4), (0, 5, 7), (7, 5, 0), (-3, 4, -5), (120, 7, 7))
    return Input(draw, tuple(text(form.replace("#", "{}").format(*edge)) for edge in edges))


_BALANCED = Input(
    lambda chance: text(_balanced(chance)),
    ('""', '"()"', '"a"', '"((((a))))"', f'"{"(" * 11}a{")" * 11}"', '"()()"', '"a(b(c)d)e"'),
)
_GROUP_TEXT = Input(
    lambda chance: text(f"{chance.pick(('', 'a', 'xy', 'Abcde'))}({_balanced(chance, 3)})"),
    ('"()"', '"(a)b"', '"ab()()c"', '"((a))"'),
)
_BROKEN = Input(lambda chance: text(_broken(chance)), ('""', '")("', '")"', '"(("', '"a"'))
_ITEM = Input(
    _item,
    (
        *("Group []", "Number 7", "Number 0", "Number (-7)", "Group [Group []]", "Group [Group [Number 3]]"),
        "Group [Number 1; Number 2; Number 3; Number 4; Number 5]",
        "Group [Group [Group [Group [Number 4]; Number (-3)]]; Number 5]",
        "Group [Number (-5); Group [Number (-2)]]",
    ),
)
_GROUPS = Input(_groups, ("[]", "[[]]", "[[1]; []]", "[[]; []; [3]]", "[[-5; -2]; [-9]]", "[[4; 4]; [4]]"))
_SOME_GROUPS = Input(_groups, ("[[]]", "[[1]; []]", "[[]; []; [3]]", "[[-5; -2]; [-9]]", "[[4; 4]; [4]]"))
_NUMBER = integers(-9, 30)
_TYPE = "type item = Number of int | Group of item list"
_WORDS = "The type `item` has numbers and groups of items."

_COUNTS: Gap = (
    (
        "the number of opening brackets in `s`",
        "String.fold_left (fun n c -> if c = '(' then n + 1 else n) 0 s",
        "openings",
    ),
    (
        "the number of brackets in `s`, `(` and `)` together",
        "String.fold_left (fun n c -> if c = '(' || c = ')' then n + 1 else n) 0 s",
        "brackets",
    ),
    (
        "the number of characters of `s` that are no brackets",
        "String.fold_left (fun n c -> if c = '(' || c = ')' then n else n + 1) 0 s",
        "letters",
    ),
    ("the index of the first `)` in `s`", "String.index s ')'", "first_closing"),
    ("the index of the last `(` in `s`", "String.rindex s '('", "last_opening"),
    ("how many characters stand before the first `(` in `s`", "String.index s '('", "before_brackets"),
    (
        "how many characters stand behind the first `)` in `s`",
        "String.length s - String.index s ')' - 1",
        "behind_closing",
    ),
    ("how many characters of `s` stand before its last `)`", "String.rindex s ')'", "last_closing"),
)
_BALANCE: Gap = (
    (
        "the number of opening brackets minus the number of closing ones",
        "if c = '(' then n + 1 else if c = ')' then n - 1 else n",
        "surplus",
    ),
    (
        "the number of closing brackets minus the number of opening ones",
        "if c = ')' then n + 1 else if c = '(' then n - 1 else n",
        "missing",
    ),
    (
        "$k for each opening bracket plus 1 for each closing one",
        "if c = '(' then n + $k else if c = ')' then n + 1 else n",
        "cost",
    ),
    ("the number of letters minus the number of brackets", "if c = '(' || c = ')' then n - 1 else n + 1", "lead"),
)
_WRAPPED: Gap = (
    ("the word `s` in `n` pairs of round brackets", "String.make n '(' ^ s ^ String.make n ')'", "wrap"),
    ("the word `s` in `n` pairs of square brackets", "String.make n '[' ^ s ^ String.make n ']'", "box"),
    ("the word `s`, then `n` pairs `()`", 's ^ String.concat "" (List.init n (fun _ -> "()"))', "calls"),
    (
        "`n` copies of the word `s`, each in round brackets",
        'String.concat "" (List.init n (fun _ -> "(" ^ s ^ ")"))',
        "groups",
    ),
    ("`n` opening brackets `(`, the word `s`, and one closing bracket `)`", "String.make n '(' ^ s ^ \")\"", "start"),
    (
        "a list in round brackets of `n` copies of `s`, with spaces between",
        'Printf.sprintf "(%s)" (String.concat " " (List.init n (fun _ -> s)))',
        "group",
    ),
    (
        "the word `s`, with `n` stars before and behind it, all in round brackets",
        "\"(\" ^ String.make n '*' ^ s ^ String.make n '*' ^ \")\"",
        "stars",
    ),
)
_OF_GROUPS: Gap = (
    ("the number of numbers in all groups together", "List.length (List.concat l)", "size"),
    ("the sum of the numbers in all groups", "List.fold_left ( + ) 0 (List.concat l)", "total"),
    ("the number of empty groups", "List.length (List.filter (fun g -> g = []) l)", "empty_groups"),
    (
        "the length of the longest group, or 0 without groups",
        "List.fold_left (fun n g -> max n (List.length g)) 0 l",
        "longest",
    ),
    (
        "how many groups have at least $k numbers",
        "List.length (List.filter (fun g -> List.length g >= $k) l)",
        "large_groups",
    ),
    ("how many groups contain the number $n", "List.length (List.filter (List.mem $n) l)", "groups_with"),
    (
        "the number of groups plus the number of all their numbers",
        "List.length l + List.length (List.concat l)",
        "parts",
    ),
)
_GROUP_LISTS: Gap = (
    ("the list of the numbers in all groups, in order", "List.concat l", "flat"),
    ("the list of the numbers in all groups, the last one first", "List.rev (List.concat l)", "flat_back"),
    ("the list of the lengths of the groups", "List.map List.length l", "lengths"),
    ("the list of the sums of the groups", "List.map (List.fold_left ( + ) 0) l", "sums"),
    (
        "the list of the numbers in all groups that are greater than $n",
        "List.filter (fun x -> x > $n) (List.concat l)",
        "large",
    ),
    (
        "the list of the first numbers of all groups that are not empty",
        "List.filter_map (fun g -> List.nth_opt g 0) l",
        "heads",
    ),
    (
        "the list of the numbers in all groups but the first group, `l` not being empty",
        "List.concat (List.tl l)",
        "rest",
    ),
)
_SHOWN: Gap = (
    ('`"(1 2 3)"`, and for the empty list `"()"`', '"(" ^ String.concat " " (List.map string_of_int l) ^ ")"'),
    ('`"[1, 2, 3]"`, and for the empty list `"[]"`', '"[" ^ String.concat ", " (List.map string_of_int l) ^ "]"'),
    ('`"{1;2;3}"`, and for the empty list `"{}"`', '"{" ^ String.concat ";" (List.map string_of_int l) ^ "}"'),
    ('`"<1|2|3>"`, and for the empty list `"<>"`', '"<" ^ String.concat "|" (List.map string_of_int l) ^ ">"'),
    (
        '`"(1)(2)(3)"`, and for the empty list `""`',
        'String.concat "" (List.map (fun n -> "(" ^ string_of_int n ^ ")") l)',
    ),
    (
        '`"3(1 2 3)"`, with the length in front, and for the empty list `"0()"`',
        'string_of_int (List.length l) ^ "(" ^ String.concat " " (List.map string_of_int l) ^ ")"',
    ),
    ('`"(3 2 1)"`, and for the empty list `"()"`', '"(" ^ String.concat " " (List.rev_map string_of_int l) ^ ")"'),
)
_NESTED_PAIR: Gap = (
    ("the sum of the three numbers", "a + b + c", "sum"),
    ("the product of the inner pair, plus the last number", "(a * b) + c", "product_plus"),
    ("the larger number of the inner pair, minus the last number", "max a b - c", "lead"),
    ("the inner sum times the last number", "(a + b) * c", "scaled_sum"),
    ("the middle one of the three as they are written", "b", "middle"),
    ("the number outside of the inner pair", "c", "outer"),
    ("the largest of the three numbers", "max (max a b) c", "largest"),
    ("the distance of the two inner numbers, plus the last one", "abs (a - b) + c", "distance_plus"),
)
_READ: Gap = (
    ("the sum of the three numbers", "a + b + c", "sum"),
    ("the product of the three numbers", "a * b * c", "product"),
    ("the first number minus the sum of the other two", "a - (b + c)", "rest"),
    ("the first number times the difference of the second and the third", "a * (b - c)", "scaled_gap"),
    ("the smallest of the three numbers", "min a (min b c)", "smallest"),
    ("the sum of the first and the last number", "a + c", "ends"),
    ("the larger one of the last two numbers", "max b c", "larger_inner"),
)
_OF_ITEM: Gap = (
    (
        "the sum of all its numbers",
        "| Number n -> n\n  | Group items -> List.fold_left (fun sum i -> sum + $f i) 0 items",
        "total",
    ),
    (
        "how many numbers are in it",
        "| Number _ -> 1\n  | Group items -> List.fold_left (fun n i -> n + $f i) 0 items",
        "count_numbers",
    ),
    (
        "how many groups there are, itself and those in it",
        "| Number _ -> 0\n  | Group items -> List.fold_left (fun n i -> n + $f i) 1 items",
        "count_groups",
    ),
    (
        "its depth: 0 for a number, and 1 more than the deepest of its items for a group",
        "| Number _ -> 0\n  | Group items -> 1 + List.fold_left (fun n i -> max n ($f i)) 0 items",
        "depth",
    ),
    (
        "its largest number, or 0 if all are below that or there are none",
        "| Number n -> max 0 n\n  | Group items -> List.fold_left (fun n i -> max n ($f i)) 0 items",
        "largest",
    ),
    (
        "the number of brackets and numbers that it takes to write it: 1 for a number, and 2 for a group besides its items",
        "| Number _ -> 1\n  | Group items -> List.fold_left (fun n i -> n + $f i) 2 items",
        "size",
    ),
    (
        "how many of its numbers are greater than $k",
        "| Number n -> if n > $k then 1 else 0\n  | Group items -> List.fold_left (fun n i -> n + $f i) 0 items",
        "count_large",
    ),
    (
        "how many empty groups there are in it, itself included",
        "| Number _ -> 0\n  | Group [] -> 1\n  | Group items -> List.fold_left (fun n i -> n + $f i) 0 items",
        "count_empty",
    ),
    (
        "its value: a number has the value that it is, and a group the sum of its items' values plus $k",
        "| Number n -> n\n  | Group items -> List.fold_left (fun sum i -> sum + $f i) $k items",
        "value",
    ),
    (
        "its price: a number costs $k, and a group twice as much as its items together",
        "| Number _ -> $k\n  | Group items -> 2 * List.fold_left (fun sum i -> sum + $f i) 0 items",
        "price",
    ),
    (
        "its value: a number has the value that it is, and a group the negative sum of its items' values",
        "| Number n -> n\n  | Group items -> -List.fold_left (fun sum i -> sum + $f i) 0 items",
        "signed_value",
    ),
)
_NEW_ITEM: Gap = (
    (
        "with $k added to each number",
        "| Number n -> Number (n + $k)\n  | Group items -> Group (List.map $f items)",
        "increase",
    ),
    (
        "with each number $k times as large",
        "| Number n -> Number ($k * n)\n  | Group items -> Group (List.map $f items)",
        "scale",
    ),
    (
        "with the items of all groups in reverse order",
        "| Number n -> Number n\n  | Group items -> Group (List.rev_map $f items)",
        "reverse",
    ),
    (
        "with each number replaced by a group that has only this number",
        "| Number n -> Group [ Number n ]\n  | Group items -> Group (List.map $f items)",
        "wrap",
    ),
    (
        "without the minus signs of its numbers",
        "| Number n -> Number (abs n)\n  | Group items -> Group (List.map $f items)",
        "unsign",
    ),
    (
        "with each group that has just one item replaced by this item",
        "| Group [ item ] -> $f item\n  | Group items -> Group (List.map $f items)\n  | number -> number",
        "unwrap",
    ),
    (
        "with the number $k put in front of the items of each group",
        "| Number n -> Number n\n  | Group items -> Group (Number $k :: List.map $f items)",
        "mark",
    ),
)
_ITEM_TEXT: Gap = (
    ('`"(1 (2 3))"`', '"(" ^ String.concat " " (List.map $f items) ^ ")"'),
    ('`"[1, [2, 3]]"`', '"[" ^ String.concat ", " (List.map $f items) ^ "]"'),
    ('`"{1;{2;3;};}"`', '"{" ^ String.concat "" (List.map (fun i -> $f i ^ ";") items) ^ "}"'),
    ('`"<1|<2|3>>"`', '"<" ^ String.concat "|" (List.map $f items) ^ ">"'),
    ('`"begin 1 begin 2 3 end end"`', 'String.concat " " (("begin" :: List.map $f items) @ [ "end" ])'),
    (
        '`"((3 2) 1)"`, with the items of each group from the last to the first',
        '"(" ^ String.concat " " (List.rev_map $f items) ^ ")"',
    ),
    (
        '`"2(1 2(2 3))"`, with its number of items before each group',
        'string_of_int (List.length items) ^ "(" ^ String.concat " " (List.map $f items) ^ ")"',
    ),
)
_NUMBERS: Gap = (
    ("all its numbers, in order", "| Number n -> [ n ]\n  | Group items -> List.concat_map $f items", "numbers"),
    (
        "all its numbers, the last one first",
        "| Number n -> [ n ]\n  | Group items -> List.concat_map $f (List.rev items)",
        "numbers_back",
    ),
    (
        "its numbers that are greater than $k, in order",
        "| Number n -> if n > $k then [ n ] else []\n  | Group items -> List.concat_map $f items",
        "large_numbers",
    ),
    (
        "all its numbers, in order, with a 0 behind those of each group",
        "| Number n -> [ n ]\n  | Group items -> List.concat_map $f items @ [ 0 ]",
        "ended_numbers",
    ),
    (
        "all its numbers, in order, with the number of items before those of each group",
        "| Number n -> [ n ]\n  | Group items -> List.length items :: List.concat_map $f items",
        "sized_numbers",
    ),
)
_LEVELS: Gap = (
    (
        "the number of letters outside of all brackets",
        "| '(' -> (depth + 1, n)\n    | ')' -> (depth - 1, n)\n    | _ -> (depth, if depth = 0 then n + 1 else n)",
        "outer_letters",
    ),
    (
        "the number of letters that stand in two pairs of brackets or more",
        "| '(' -> (depth + 1, n)\n    | ')' -> (depth - 1, n)\n    | _ -> (depth, if depth >= 2 then n + 1 else n)",
        "deep_letters",
    ),
    (
        "how many pairs of brackets are in no other pair",
        "| '(' -> (depth + 1, if depth = 0 then n + 1 else n)\n    | ')' -> (depth - 1, n)\n    | _ -> (depth, n)",
        "outer_pairs",
    ),
    (
        "the sum, over all letters, of the number of pairs that they stand in",
        "| '(' -> (depth + 1, n)\n    | ')' -> (depth - 1, n)\n    | _ -> (depth, n + depth)",
        "depth_sum",
    ),
    (
        "how deep the deepest brackets are: 0 without any, 1 for `(a)`, 2 for `((a))`",
        "| '(' -> (depth + 1, max n (depth + 1))\n    | ')' -> (depth - 1, n)\n    | _ -> (depth, n)",
        "deepest",
    ),
    (
        "how many pairs of brackets stand in exactly one other pair",
        "| '(' -> (depth + 1, if depth = 1 then n + 1 else n)\n    | ')' -> (depth - 1, n)\n    | _ -> (depth, n)",
        "second_pairs",
    ),
)
_STRIPPED: Gap = (
    (
        "the letters of `s` outside of all brackets",
        "| '(' -> (depth + 1, t)\n    | ')' -> (depth - 1, t)\n    | c -> (depth, if depth = 0 then t ^ String.make 1 c else t)",
        "outside",
    ),
    (
        "the letters of `s` that stand in brackets",
        "| '(' -> (depth + 1, t)\n    | ')' -> (depth - 1, t)\n    | c -> (depth, if depth > 0 then t ^ String.make 1 c else t)",
        "inside",
    ),
    (
        "the string of the depths at all letters of `s`, `0` outside of brackets",
        "| '(' -> (depth + 1, t)\n    | ')' -> (depth - 1, t)\n    | _ -> (depth, t ^ string_of_int depth)",
        "depths",
    ),
    (
        "`s` with `[` and `]` for those brackets that are in no other pair",
        '| \'(\' -> (depth + 1, t ^ if depth = 0 then "[" else "(")\n    | \')\' -> (depth - 1, t ^ if depth = 1 then "]" else ")")\n    | c -> (depth, t ^ String.make 1 c)',
        "squared",
    ),
    (
        "the letters of `s` without brackets, as capitals where they stand in brackets",
        "| '(' -> (depth + 1, t)\n    | ')' -> (depth - 1, t)\n    | c -> (depth, t ^ String.make 1 (if depth > 0 then Char.uppercase_ascii c else c))",
        "stressed",
    ),
)
_CHECKS: Gap = (
    (
        "the brackets of the list fit: every `Close` closes an `Open` before it, and no `Open` is left at the end",
        "| [] -> depth = 0\n    | Open :: rest -> check (depth + 1) rest\n"
        "    | Close :: rest -> depth > 0 && check (depth - 1) rest\n    | Word _ :: rest -> check depth rest",
        "balanced",
    ),
    (
        "no `Close` stands where all that was opened has been closed; an `Open` may be left at the end",
        "| [] -> true\n    | Open :: rest -> check (depth + 1) rest\n"
        "    | Close :: rest -> depth > 0 && check (depth - 1) rest\n    | Word _ :: rest -> check depth rest",
        "never_closes_too_much",
    ),
    (
        "each `Word` stands in brackets, that is, behind more `Open` than `Close`",
        "| [] -> true\n    | Open :: rest -> check (depth + 1) rest\n"
        "    | Close :: rest -> check (depth - 1) rest\n    | Word _ :: rest -> depth > 0 && check depth rest",
        "words_inside",
    ),
    (
        "there are never more than $k brackets open at the same time; each `Close` closes one",
        "| [] -> true\n    | Open :: rest -> depth < $k && check (depth + 1) rest\n"
        "    | Close :: rest -> check (depth - 1) rest\n    | Word _ :: rest -> check depth rest",
        "flat",
    ),
)
_TOKEN = "type token = Open | Close | Word of string"

TASKS = (
    Task(
        level=1,
        says=(
            "The string `s` has letters and at least one pair of round brackets. `$f s` is $count.",
            "Write `$f s`, which returns $count. There is at least one pair of brackets, and all else are letters.",
        ),
        names=("$count", "${count}_in"),
        signature="string -> int",
        code="let $f s =\n  $count",
        gaps={"count": _COUNTS},
        inputs=(_GROUP_TEXT,),
    ),
    Task(
        level=1,
        says=(
            "The string `s` has letters and round brackets in any order. `$f s` is $balance.",
            "Count in a string `s` of letters, `(` and `)`: `$f s` is $balance.",
        ),
        names=("$balance", "bracket_$balance"),
        signature="string -> int",
        code="let $f s =\n  String.fold_left (fun n c -> $balance) 0 s",
        gaps={"balance": _BALANCE, "k": number(2, 9)},
        inputs=(_BROKEN,),
    ),
    Task(
        level=1,
        says=(
            "`$f n s` is $wrapped. The number `n` is not negative.",
            "Write `$f n s` for a number `n` of 0 or more, which returns $wrapped.",
        ),
        names=("$wrapped", "${wrapped}_word"),
        signature="int -> string -> string",
        code="let $f n s = $wrapped",
        gaps={"wrapped": _WRAPPED},
        inputs=(integers(0, 6, far=15), words()),
    ),
    Task(
        level=1,
        says=(
            "A list `l` of groups of numbers is given, each group a list. `$f l` is $what.",
            "The list `l` has groups, which are lists of numbers. Write `$f l`, which returns $what.",
        ),
        names=("$what", "${what}_of"),
        signature="int list list -> int",
        code="let $f l = $what",
        gaps={"what": _OF_GROUPS, "k": number(2, 3), "n": number(0, 9)},
        inputs=(_GROUPS,),
    ),
    Task(
        level=1,
        says=(
            "The groups of the list `l` are lists of numbers. `$f l` is $what.",
            "Take a list `l` of groups, each a list of numbers, and return $what: `$f l`.",
        ),
        names=("$what", "${what}_of"),
        signature="int list list -> int list",
        code="let $f l = $what",
        gaps={"what": _GROUP_LISTS, "n": number(0, 9)},
        inputs=(_SOME_GROUPS,),
    ),
    Task(
        level=1,
        says=(
            "For the list `[1; 2; 3]`, `$f l` is $shown. Other lists of numbers are written in the same way.",
            "Write `$f l`, which makes a string of a list of numbers: of `[1; 2; 3]` it makes $shown.",
        ),
        names=("show", "group_text", "list_text", "write_group"),
        signature="int list -> string",
        code="let $f l = $shown",
        gaps={"shown": _SHOWN},
        inputs=(lists(integers(-20, 60), 0, 5, far=11),),
    ),
    Task(
        level=1,
        says=(
            "A pair has another pair of numbers in it, and then a number, as in `((2, 5), 3)`. `$f p` is $what.",
            "The argument `p` of `$f p` is a pair such as `((2, 5), 3)`, whose first part is a pair. The result is $what.",
        ),
        names=("$what", "${what}_of"),
        signature="(int * int) * int -> int",
        code="let $f ((a, b), c) = $what",
        gaps={"what": _NESTED_PAIR},
        inputs=(tuples(tuples(_NUMBER, _NUMBER), _NUMBER),),
    ),
    Task(
        level=1,
        says=(
            'A string such as `"(3,(4,5))"` has three numbers in nested brackets. `$f s` is $what.',
            'Read the numbers of a string `s` such as `"(3,(4,5))"`; only the numbers change. `$f s` is $what.',
        ),
        names=("$what", "read_$what"),
        signature="string -> int",
        code='let $f s = Scanf.sscanf s "(%d,(%d,%d))" (fun a b c -> $what)',
        gaps={"what": _READ},
        inputs=(_format("(#,(#,#))"),),
    ),
    Task(
        level=2,
        says=(
            f"{_WORDS} `$f i` is, for an item `i`, $what.",
            "An item is a number, or a group of items. For an item `i`, write the recursive function `$f i`; it returns $what.",
        ),
        names=("$what", "${what}_of"),
        signature=f"{_TYPE}\n\nval $f : item -> int",
        code=f"{_TYPE}\n\nlet rec $f = function\n  $what",
        gaps={"what": _OF_ITEM, "k": number(2, 9)},
        inputs=(_ITEM,),
    ),
    Task(
        level=2,
        says=(
            f"{_WORDS} `$f i` is the item `i` $change, however deep it is.",
            "An item is a number, or a group of items. Write the recursive function `$f i`, which returns the item `i` $change, "
            "at every depth.",
        ),
        names=("$change", "${change}_item"),
        signature=f"{_TYPE}\n\nval $f : item -> item",
        code=f"{_TYPE}\n\nlet rec $f = function\n  $change",
        gaps={"change": _NEW_ITEM, "k": number(2, 9)},
        inputs=(_ITEM,),
    ),
    Task(
        level=2,
        says=(
            f"{_WORDS} `$f i` writes an item `i`, a number by itself, and `Group [Number 1; Group [Number 2; Number 3]]` as "
            "$shown.",
            "Write `$f i`, which makes a string of an item. A number is written by itself, and "
            "`Group [Number 1; Group [Number 2; Number 3]]` as $shown.",
        ),
        names=("show", "item_text", "to_string", "print_item"),
        signature=f"{_TYPE}\n\nval $f : item -> string",
        code=f"{_TYPE}\n\nlet rec $f = function\n  | Number n -> string_of_int n\n  | Group items -> $shown",
        gaps={"shown": _ITEM_TEXT},
        inputs=(_ITEM,),
    ),
    Task(
        level=2,
        says=(
            f"{_WORDS} `$f i` is, for an item `i`, the list of $numbers, at any depth.",
            "An item is a number, or a group of items. Write a recursive function `$f i`, which lists, at any depth, $numbers.",
        ),
        names=("$numbers", "${numbers}_of"),
        signature=f"{_TYPE}\n\nval $f : item -> int list",
        code=f"{_TYPE}\n\nlet rec $f = function\n  $numbers",
        gaps={"numbers": _NUMBERS, "k": number(2, 9)},
        inputs=(_ITEM,),
    ),
    Task(
        level=2,
        says=(
            "In the string `s` of letters and round brackets, every bracket has its partner. `$f s` is $level.",
            "Go through a string `s` of letters and round brackets, which belong together in pairs. `$f s` is $level.",
        ),
        names=("$level", "count_$level"),
        signature="string -> int",
        code="let $f s =\n  let step (depth, n) = function\n    $level\n  in\n  snd (String.fold_left step (0, 0) s)",
        gaps={"level": _LEVELS},
        inputs=(_BALANCED,),
    ),
    Task(
        level=2,
        says=(
            "In the string `s` of letters and round brackets, every bracket has its partner. `$f s` is $stripped.",
            "The string `s` has letters and round brackets, which belong together in pairs. Write `$f s`, which returns "
            "$stripped.",
        ),
        names=("$stripped", "${stripped}_text"),
        signature="string -> string",
        code='let $f s =\n  let step (depth, t) = function\n    $stripped\n  in\n  snd (String.fold_left step (0, "") s)',
        gaps={"stripped": _STRIPPED},
        inputs=(_BALANCED,),
    ),
    Task(
        level=2,
        says=(
            "`Open` and `Close` are brackets among words. `$f l` tells if, in the list `l`, $check.",
            "A list `l` has words and brackets, `Open` and `Close`. Write `$f l`, which is `true` if $check.",
        ),
        names=("$check", "is_$check"),
        signature=f"{_TOKEN}\n\nval $f : token list -> bool",
        code=f"{_TOKEN}\n\nlet $f l =\n  let rec check depth = function\n    $check\n  in\n  check 0 l",
        gaps={"check": _CHECKS, "k": number(1, 2)},
        inputs=(
            Input(
                _tokens,
                (
                    *("[]", "[Close; Open]", "[Open]", "[Close]", "[Open; Close; Close; Open]", '[Word "a"]'),
                    *('[Open; Close; Word "b"]', "[Open; Open; Close]", "[Open; Open; Open; Close; Close; Close]"),
                ),
            ),
        ),
    ),
)
