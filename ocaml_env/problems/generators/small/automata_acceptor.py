"""Small tasks on machines that accept or reject words: characters allowed, states, moves, conditions on neighbours."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, characters, integers, texts
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import letter, text

__all__ = ["TASKS"]


def _code(chance: Chance) -> str:
    """Characters, mostly of one kind; some words have one of another kind, perhaps just beside it, or are long."""
    if chance.happens(0.15):  # long ones in which at most the last character differs
        return text(chance.pick("aab0zc") * chance.between(9, 13) + chance.pick("aabc01zA-"))
    among = chance.pick(("ab", "ac", "0123456789", "abcxyz", "ABC", "aB0-{b1c", "aB0-{b1c"))
    word = [chance.pick(among) for _ in range(chance.between(0, 4) if chance.happens(0.8) else chance.between(5, 16))]
    if word and chance.happens(0.25):
        word[chance.below(len(word)) if chance.happens(0.6) else -1] = chance.pick("aAzZ09/:@[`{ -bBcC")
    return text("".join(word))


def _word(chance: Chance) -> str:
    """A word of a few letters; some are long."""
    size = chance.between(0, 8) if chance.happens(0.8) else chance.between(10, 18)
    among = chance.pick(("aaabbbcccA ", "aaabbbcccA ", "ab", "aab", "abb", "acc", "bbc"))
    return text("".join(chance.pick(among) for _ in range(size)))


def _row(chance: Chance) -> str:
    """A row, mostly of small steps in one direction, or of repetitions; often one number is an exception."""
    steps = chance.pick(((0, 2), (1, 3), (-3, -1), (-2, 2), (0, 0), (-6, 4), (2, 9)))
    numbers = [chance.number(-3, 12)]
    for _ in range(chance.between(0, 5) if chance.happens(0.8) else chance.between(6, 12)):
        numbers.append(numbers[-1] + chance.between(*steps))
    if chance.happens(0.3):
        numbers[chance.below(len(numbers)) if chance.happens(0.6) else -1] = chance.number(-3, 15)
    return str(numbers).replace(",", ";")


def _levels(chance: Chance) -> str:
    """Events, mostly in one direction."""
    among = chance.pick(
        (
            ("Up", "Up", "Up", "Down"),
            ("Up", "Down"),
            ("Up", "Up", "Up", "Down", "Down", "Reset"),
            ("Up", "Down", "Reset"),
        )
    )
    size = chance.between(0, 7) if chance.happens(0.85) else chance.between(8, 13)
    return f"[{'; '.join(chance.pick(among) for _ in range(size))}]"


def _happened(chance: Chance) -> str:
    """One to three different events, repeated."""
    among = chance.sample(('"paid"', '"sent"', '"lost"', '"late"', '"packed"'), chance.between(1, 3))
    size = chance.between(1, 4) if chance.happens(0.85) else chance.between(5, 9)
    return f"[{'; '.join(chance.pick(among) for _ in range(size))}]"


def _words(chance: Chance) -> str:
    parts = chance.pick((("bb", "cc", "aa", "dd"), ("ac", "ad", "bc", "bd", "c", "d"), ("a", "b", "c", "d")))
    word = "".join(
        chance.pick(parts) for _ in range(chance.between(0, 4) if chance.happens(0.85) else chance.between(5, 8))
    )
    return "[" + "; ".join(map(letter, word + chance.pick(("", "a", "b")))) + "]"


def _stops(chance: Chance) -> str:
    changes = chance.ints(chance.between(1, 4) if chance.happens(0.8) else chance.between(5, 10), -3, 5)
    return "[" + "; ".join(map(str, [*changes, -sum(changes)] if chance.happens(0.5) else changes)) + "]"


def _moves(chance: Chance) -> str:
    keys = chance.sample([(q, c) for q in range(3) for c in "ab"], chance.between(2, 4))
    return "[" + "; ".join(f"(({q}, '{c}'), {chance.between(3, 9)})" for q, c in keys) + "]"


_ALLOWED: Gap = (
    ("each of its characters is `a` or `$y`", "String.for_all (fun c -> c = 'a' || c = '$y') s"),
    ("each of its characters is a digit", "String.for_all (fun c -> c >= '0' && c <= '9') s"),
    ("each of its characters is a small letter", "String.for_all (fun c -> c >= 'a' && c <= 'z') s"),
    ("none of its characters is `$z`", "String.for_all (fun c -> c <> '$z') s"),
    ("none of its characters is `a` or `$z`", "String.for_all (fun c -> c <> 'a' && c <> '$z') s"),
    ("it contains `$y`", "String.contains s '$y'"),
    ("it contains `a` and `$y`", "String.contains s 'a' && String.contains s '$y'"),
    ("it contains `a` but not `$z`", "String.contains s 'a' && not (String.contains s '$z')"),
    ("it contains a digit", "String.exists (fun c -> c >= '0' && c <= '9') s"),
    ("it contains a capital letter", "String.exists (fun c -> c >= 'A' && c <= 'Z') s"),
)
_ENDS: Gap = (
    ("begins with `$x`", "s.[0] = '$x'"),
    ("ends with `$x`", "$last = '$x'"),
    ("begins and ends with the same character", "s.[0] = $last"),
    ("begins and ends with different characters", "s.[0] <> $last"),
    ("begins with `$x` or ends with `$y`", "s.[0] = '$x' || $last = '$y'"),
    ("does not begin with `$x` and has more than $k characters", "s.[0] <> '$x' && String.length s > $k"),
    ("begins with `$x` and has at least $k characters", "s.[0] = '$x' && String.length s >= $k"),
    ("has a length that $d divides", "String.length s mod $d = 0"),
    ("has at most $k characters or ends with `$x`", "String.length s <= $k || $last = '$x'"),
)
_LETTERS: dict[str, Gap] = {"x": (("a",), ("b",), ("c",)), "y": (("b",), ("c",)), "z": (("0",), ("1",), ("b",))}
_BOTH: Gap = (
    ("goes up or stays, from each number to the next", "a <= b"),
    ("goes down at every step", "a > b"),
    ("never has the same number twice in a row", "a <> b"),
    ("never changes by more than $k from one number to the next", "abs (a - b) <= $k"),
    ("never goes up by more than $k from one number to the next", "b - a <= $k"),
    ("never has two neighbours with a sum above 1$k", "a + b <= 1$k"),
    ("has no two odd numbers side by side", "a mod 2 = 0 || b mod 2 = 0"),
)

TASKS = (
    Task(
        level=1,
        says=(
            "A lock accepts the code `s`, a string, if $allowed. `$f s` tells if it does.",
            "The word `s` is valid if $allowed. `$f s` is true for valid words and false for all others.",
        ),
        names=("accepts", "valid_code", "opens"),
        signature="string -> bool",
        code="let $f s = $allowed",
        gaps={"allowed": _ALLOWED, **_LETTERS},
        inputs=(Input(_code, ('""', '"a"', '"A"', '"7"', '"z"', '"Z"', '"ab"', '"cba"')),),
    ),
    Task(
        level=1,
        says=(
            "A machine accepts a word `s`, which is not empty, if it $ends. `$f s` tells if it accepts `s`.",
            "Is `s`, which is never empty, a word that $ends? `$f s` answers that.",
        ),
        names=("accepts", "recognises", "fits"),
        signature="string -> bool",
        code="let $f s = $ends",
        gaps={
            "ends": _ENDS,
            "last": (("", "s.[String.length s - 1]"),),
            "k": number(2, 4),
            "d": number(2, 3),
            **_LETTERS,
        },
        inputs=(texts(1, 6, among="abcabcabcA ", far=24),),
        edges=tuple((text(word),) for word in ("a", "b", "c", "A", "ba", "ab", "cc", "aba", "abcb")),
    ),
    Task(
        level=1,
        says=(
            "A machine in the state `q` (0 or more) reads the character `c`: $move. `$f q c` is the state after that.",
            "`$f q c` is the next state of a machine that reads `c` in the state `q` (0 or more): $move.",
        ),
        names=("next_state", "move", "step"),
        signature="int -> char -> int",
        code="let $f q c = $move",
        gaps={
            "k": number(2, 9),
            "x": (("a",), ("b",)),
            "move": (
                ("`$x` leads to the next higher state, and all others lead to 0", "if c = '$x' then q + 1 else 0"),
                ("`$x` leads to state 0, and all others to the next higher state", "if c = '$x' then 0 else q + 1"),
                (
                    "`a` leads one state up, all others one down, but not below 0",
                    "if c = 'a' then q + 1 else max 0 (q - 1)",
                ),
                ("`$x` leads $k states up, and all others lead to state $k", "if c = '$x' then q + $k else $k"),
                (
                    "`a` doubles the state, all others halve it (rounded down)",
                    "if c = 'a' then 2 * q else q / 2",
                ),
            ),
        },
        inputs=(integers(0, 30, far=500), characters("aaabbbcAB1 ")),
    ),
    Task(
        level=1,
        says=(
            "`moves` has pairs: a state with a character, and the state that follows. `$f moves q c` is the state after reading `c` in `q`, or $other if there is no such move. No state and character come twice.",
            "A machine is a list `moves` of pairs `((q, c), next)`, no `(q, c)` twice. `$f moves q c` is the next state; without a move it is $other.",
        ),
        names=("next_state", "follow", "lookup_move"),
        signature="((int * char) * int) list -> int -> char -> int",
        code="let $f moves q c = Option.value (List.assoc_opt (q, c) moves) ~default:$other",
        gaps={"other": (("0",), ("-1", "(-1)"), ("99",), ("`q + 1`", "(q + 1)"), ("`2 * q`", "(2 * q)"))},
        inputs=(Input(_moves, ("[]",)), integers(0, 2), characters("aaabbbAc")),
    ),
    Task(
        level=1,
        says=(
            "`moves` has pairs: a state with a character, and the state that follows. `$f moves q c` tells if $what.",
            "A machine is a list `moves` of pairs `((q, c), next)`. `$f moves q c` is true if $what.",
        ),
        names=("has_move", "can_read"),
        signature="((int * char) * int) list -> int -> char -> bool",
        code="let $f moves q c = $what",
        gaps={
            "what": (
                ("there is a move for the state `q` and the character `c`", "List.mem_assoc (q, c) moves"),
                ("there is no move for the state `q` and the character `c`", "not (List.mem_assoc (q, c) moves)"),
                (
                    "the state `q` has a move, but not with `c`",
                    "List.exists (fun ((p, _), _) -> p = q) moves && not (List.mem_assoc (q, c) moves)",
                ),
            )
        },
        inputs=(Input(_moves, ("[]",)), integers(0, 2), characters("aaabbbAc")),
    ),
    Task(
        level=1,
        says=(
            "`l` lists what happened to $order, in order; it is not empty. `$f l` tells if $what.",
            "Look at the events `l` of $order, at least one. Is it true that $what? `$f l` tells.",
        ),
        names=("is_good", "check_events", "accepted"),
        signature="string list -> bool",
        code="let $f l = $what",
        gaps={
            "order": (("an order",), ("a parcel",), ("a booking",), ("a repair",)),
            "x": (("paid",), ("sent",)),
            "y": (("lost",), ("late",)),
            "what": (
                ("`$x` is among the events", 'List.mem "$x" l'),
                ("`$x` is among the events and `$y` is not", 'List.mem "$x" l && not (List.mem "$y" l)'),
                ("`paid` and `sent` are both among the events", 'List.mem "paid" l && List.mem "sent" l'),
                ("neither `$x` nor `$y` is among the events", 'not (List.mem "$x" l || List.mem "$y" l)'),
                ("the first event is `$x`", 'List.hd l = "$x"'),
                ("the last event is `$x`", 'List.hd (List.rev l) = "$x"'),
                ("all events are `$x` or `$y`", 'List.for_all (fun e -> e = "$x" || e = "$y") l'),
            ),
        },
        inputs=(
            Input(_happened, ('["paid"]', '["sent"]', '["late"]', '["sent"; "paid"]', '["paid"; "late"; "sent"]')),
        ),
    ),
    Task(
        level=2,
        says=(
            "`$f s` tells if the string `s` $what. The empty string is read as well.",
            "A machine reads the string `s` and accepts it if it $what. `$f s` tells if it does; `s` may be empty.",
        ),
        names=("accepts", "reads", "recognises"),
        signature="string -> bool",
        code="let $f s =\n  let step q c = $what",
        gaps={
            "x": (("a",), ("b",), ("c",)),
            "d": number(2, 4),
            "k": number(2, 4),
            "run": (("", "String.fold_left step 0 s"),),
            "what": (
                (
                    "has a number of `$x` that $d divides (0 is such a number)",
                    "if c = '$x' then (q + 1) mod $d else q in\n  $run = 0",
                ),
                (
                    "has a number of `$x` that $d does not divide",
                    "if c = '$x' then (q + 1) mod $d else q in\n  $run <> 0",
                ),
                ("has more `a` than `b`", "if c = 'a' then q + 1 else if c = 'b' then q - 1 else q in\n  $run > 0"),
                ("has as many `a` as `b`", "if c = 'a' then q + 1 else if c = 'b' then q - 1 else q in\n  $run = 0"),
                ("ends with 2 or more `$x`", "if c = '$x' then q + 1 else 0 in\n  $run >= 2"),
                ("has at least $k characters other than `$x`", "if c = '$x' then q else q + 1 in\n  $run >= $k"),
            ),
        },
        inputs=(Input(_word),),
        edges=tuple((text(word),) for word in ("", "a", "b", "aa", "ab", "ba", "aab", "cc", "bb", "aca")),
    ),
    Task(
        level=2,
        says=(
            "`$f l` tells if the list of characters `l` $what.",
            "A word is a list of characters. For the word `l`, `$f l` tells if it $what.",
        ),
        names=("accepts", "matches", "is_word"),
        signature="char list -> bool",
        code="let rec $f l =\n  match l with\n$what",
        gaps={
            "x": (("a",), ("b",)),
            "y": (("c",), ("d",)),
            "what": (
                (
                    "consists of pairs of equal characters, as in `aabb`; the empty list does, too",
                    "  | [] -> true\n  | c :: d :: rest -> c = d && $f rest\n  | _ -> false",
                ),
                (
                    "has one `$y` directly behind each `$x`; without any `$x` it is true",
                    "  | [] -> true\n  | '$x' :: '$y' :: rest -> $f rest\n  | c :: rest -> c <> '$x' && $f rest",
                ),
                (
                    "has one `$x` that is directly followed by one `$y` somewhere",
                    "  | '$x' :: '$y' :: _ -> true\n  | _ :: rest -> $f rest\n  | [] -> false",
                ),
                (
                    "ends with `$x` and has no other `$x`",
                    "  | [ '$x' ] -> true\n  | c :: rest -> c <> '$x' && $f rest\n  | [] -> false",
                ),
                (
                    "has no `$y` anywhere behind one `$x`",
                    "  | [] -> true\n  | '$x' :: rest -> not (List.mem '$y' rest)\n  | _ :: rest -> $f rest",
                ),
                (
                    "has two equal characters side by side somewhere",
                    "  | c :: (d :: _ as rest) -> c = d || $f rest\n  | _ -> false",
                ),
            ),
        },
        inputs=(Input(_words, ("['a']", "[]", "['b'; 'a']", "['c'; 'c']")),),
    ),
    Task(
        level=2,
        says=(
            "`$f l` tells if the list of numbers `l` $both. Lists of less than two numbers fit.",
            "Is `l` a row of numbers that $both? `$f l` tells; rows of 0 or 1 numbers count as such.",
        ),
        names=("fits", "accepts_row", "is_regular"),
        signature="int list -> bool",
        code="let rec $f l =\n  match l with\n  | a :: (b :: _ as rest) -> ($both) && $f rest\n  | _ -> true",
        gaps={"both": _BOTH, "k": number(1, 5)},
        inputs=(Input(_row, ("[]", "[3]", "[4; 4]", "[1; 2]", "[2; 1]", "[1; 3; 2; 4]")),),
    ),
    Task(
        level=2,
        says=(
            "A $bus is empty at first, and each number in `l` tells how many people get in at a stop, or out if it is negative. `$f l` tells if $what.",
            "At each stop of a $bus, empty at first, the number of people in it changes by the next number in `l`. Is it true that $what? `$f l` tells.",
        ),
        names=("possible", "accepts_stops", "check_stops"),
        signature="int list -> bool",
        code="let $f l =\n  let rec ok n = function\n    | [] -> $what\n  in\n  ok 0 l",
        gaps={
            "bus": (("bus",), ("tram",), ("lift",), ("ferry",)),
            "k": number(5, 9),
            "what": (
                ("there are never less than 0 people in it", "true\n    | x :: rest -> n + x >= 0 && ok (n + x) rest"),
                (
                    "there are never more than $k people in it",
                    "true\n    | x :: rest -> n + x <= $k && ok (n + x) rest",
                ),
                (
                    "there are never less than 0 and never more than $k people in it",
                    "true\n    | x :: rest -> n + x >= 0 && n + x <= $k && ok (n + x) rest",
                ),
                (
                    "there are exactly $k people in it after one of the stops",
                    "false\n    | x :: rest -> n + x = $k || ok (n + x) rest",
                ),
            ),
        },
        inputs=(Input(_stops, ("[]",)),),
    ),
    Task(
        level=2,
        says=(
            "A $lamp has the levels 0 to $top and is at 0 first. `Up` and `Down` change it by 1 where that is possible, and `Reset` sets it to $set. `$f l` tells if it is $end after the events `l`.",
            "The level of a $lamp goes from 0 to $top, and begins at 0. `Up` and `Down` move it by 1 but never out of these, and `Reset` sets it to $set. Is it $end after the events `l`? `$f l` tells.",
        ),
        names=("ends_well", "after_events", "check_level"),
        signature="type event = Up | Down | Reset\n\nval $f : event list -> bool",
        code="type event = Up | Down | Reset\n\nlet $f l =\n  let step q = function Up -> min $top (q + 1) | Down -> max 0 (q - 1) | Reset -> $set in\n  List.fold_left step 0 l $end",
        gaps={
            "lamp": (("lamp",), ("heater",), ("fan",), ("radio",)),
            "top": number(3, 4),
            "set": (("1",), ("2",)),
            "end": (
                ("at 0", "= 0"),
                ("above 0", "> 0"),
                ("at an even level", "mod 2 = 0"),
                ("not at 1", "<> 1"),
            ),
        },
        inputs=(Input(_levels, ("[]", "[Down]", "[Up]", "[Reset]", "[Down; Up]", "[Up; Up; Up; Up; Up; Down]")),),
    ),
    Task(
        level=2,
        says=(
            "A machine reads the bits of a number, the string `s`, the highest one first. `$f s` tells if $d $divides that number. The empty string stands for 0.",
            "`s` is a number in base 2, from its highest digit to its lowest, or empty for 0. `$f s` tells if $d $divides it.",
        ),
        names=("check_divisor", "accepts_number"),
        signature="string -> bool",
        code="let $f s =\n  let step q c = ((2 * q) + if c = '1' then 1 else 0) mod $d in\n  String.fold_left step 0 s $divides 0",
        gaps={"d": (("3",), ("5",), ("6",), ("7",)), "divides": (("divides", "="), ("does not divide", "<>"))},
        inputs=(texts(0, 7, among="01", far=20),),
        edges=tuple((text(word),) for word in ("", "0", "1", "000", "0011", "110", "101", "111", "1010")),
    ),
)
