"""Small tasks on machines that read and write: signs, running values, outputs of moves."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, boolean, characters, integers, lists, one_of, texts
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import letter

__all__ = ["TASKS"]


def _with_zeros(chance: Chance) -> str:
    return str(chance.number(-4, 12) if chance.happens(0.7) else 0)


def _marked(chance: Chance) -> str:
    parts = ("*", "ab", "c", "a", "b*", "**", "*a*", "A1", " ")
    word = "".join(chance.pick(parts) for _ in range(chance.between(1, 5 if chance.happens(0.85) else 9)))
    return "[" + "; ".join(map(letter, word)) + "]"


_CHANGED: Gap = (
    ("writes `$y` for `a` and `a` for `$y`, and copies all others", "match c with 'a' -> '$y' | '$y' -> 'a' | _ -> c"),
    (
        "writes `b` for `a`, `c` for `b`, `a` for `c`, and `$z` for all others",
        "match c with 'a' -> 'b' | 'b' -> 'c' | 'c' -> 'a' | _ -> '$z'",
    ),
    ("writes `1` for `a` and `0` for everything else", "if c = 'a' then '1' else '0'"),
    ("writes `$z` for `a` and `b`, and copies all others", "match c with 'a' | 'b' -> '$z' | _ -> c"),
    (
        "writes `$z` for `$y`, capital letters for other small ones, and copies the rest",
        "if c = '$y' then '$z' else Char.uppercase_ascii c",
    ),
    ("copies `$y` and writes `$z` for all others", "if c = '$y' then c else '$z'"),
)
_WATCHED: Gap = (
    ("temperatures", "", "temperatures"),
    ("water levels", "", "levels"),
    ("speeds", "", "speeds"),
    ("numbers of waiting people", "", "queue"),
    ("weights", "", "weights"),
)
_REPORT: Gap = (
    ("`$hot` for each one above $k and `$ok` for all others", 'if x > $k then "$hot" else "$ok"'),
    ("`$ok` for each one from $k to 2$k and `$hot` for all others", 'if x >= $k && x <= 2$k then "$ok" else "$hot"'),
    (
        "`$hot` for each one that is $k or more, and the number itself for all others",
        'if x >= $k then "$hot" else string_of_int x',
    ),
    (
        "the number itself followed by `$bang` for each one above $k, and without it for all others",
        'if x > $k then string_of_int x ^ "$bang" else string_of_int x',
    ),
    ("as many `$bang` as each one is above $k, none if it is lower", "String.make (max 0 (x - $k)) '$bang'"),
)
_STUFFED: Gap = (
    ("each 0 is written twice", "if x = 0 then [ x; x ] else [ x ]"),
    ("each 0 is left out", "if x = 0 then [] else [ x ]"),
    ("a 0 is written behind each number above $k", "if x > $k then [ x; 0 ] else [ x ]"),
    ("each number above $k is written as $k and what is above", "if x > $k then [ $k; x - $k ] else [ x ]"),
    ("a $k is written in front of each 0", "if x = 0 then [ $k; x ] else [ x ]"),
    ("each even number is written as its two halves", "if x mod 2 = 0 then [ x / 2; x / 2 ] else [ x ]"),
)
_MACHINE: Gap = (
    ("ticket machine", "", "machine"),
    ("coffee machine", "", "coffee"),
    ("parking meter", "", "meter"),
    ("locker", "", "locker"),
)
TASKS = (
    Task(
        level=1,
        says=(
            "A machine reads the string `s` and, for each character, $changed. `$f s` is what it writes.",
            "`$f s` is what a machine makes of `s`: for each character it $changed.",
        ),
        names=("transcribe", "encode", "output"),
        signature="string -> string",
        code="let $f s = String.map (fun c -> $changed) s",
        gaps={"changed": _CHANGED, "y": (("b",), ("x",)), "z": (("-",), ("?",), ("#",), ("0",))},
        inputs=(texts(0, 8, among="aabbccxxyzABX0-?  ", far=16),),
        edges=(('""',), ('"a"',), ('"ab"',), ('"bcax"',), ('"XAzb?"',)),
    ),
    Task(
        level=1,
        says=(
            "`l` has $watched. `$f l` is the list of what a display shows, in order: $report.",
            "A display shows, for the $watched in `l`, $report. `$f l` lists what it shows.",
        ),
        names=("display", "show_$watched", "report_$watched"),
        signature="int list -> string list",
        code="let $f l = List.map (fun x -> $report) l",
        gaps={
            "watched": _WATCHED,
            "report": _REPORT,
            "k": number(4, 9),
            "hot": (("high",), ("stop",), ("alarm",)),
            "ok": (("ok",), ("fine",), ("go",)),
            "bang": (("!",), ("+",), ("*",)),
        },
        inputs=(lists(integers(-6, 40), 0, 5, far=11),),
    ),
    Task(
        level=1,
        says=(
            "`$f l` is the list that a machine writes when it reads `l`, where $stuffed. All else is copied.",
            "A machine copies the list `l`, but $stuffed. `$f l` is the copy.",
        ),
        names=("copy", "stuffed", "written"),
        signature="int list -> int list",
        code="let $f l = List.concat_map (fun x -> $stuffed) l",
        gaps={"stuffed": _STUFFED, "k": number(4, 8)},
        inputs=(lists(Input(_with_zeros, ("0", "4", "7", "-3"))),),
    ),
    Task(
        level=1,
        says=(
            "A $machine that costs $price cents has got `paid` and now gets `coin`. `$f paid coin` is $what.",
            "A $machine costs $price cents; `paid` are in and `coin` more come. `$f paid coin` is $what.",
        ),
        names=("insert_coin", "next_$machine"),
        signature="int -> int -> int * string",
        code="let $f paid coin = $what",
        gaps={
            "machine": _MACHINE,
            "price": number(40, 90),
            "what": (
                (
                    '`(0, "go")` if that is enough, and else the sum with `wait`',
                    'if paid + coin >= $price then (0, "go") else (paid + coin, "wait")',
                ),
                (
                    "what is too much with `go` if that is enough, and else the sum with `wait`",
                    'if paid + coin >= $price then (paid + coin - $price, "go") else (paid + coin, "wait")',
                ),
                (
                    '`(0, "go")` if that is enough, and else what is missing with `wait`',
                    'if paid + coin >= $price then (0, "go") else ($price - paid - coin, "wait")',
                ),
                (
                    "the sum with `go` if it is exactly right, and else the sum with `no`",
                    'if paid + coin = $price then (paid + coin, "go") else (paid + coin, "no")',
                ),
            ),
        },
        inputs=(
            integers(0, 89),
            Input(lambda chance: str(1 if chance.happens(0.3) else chance.between(1, 50)), ("1", "50")),
        ),
    ),
    Task(
        level=1,
        says=(
            "`l` has the states of switches, `true` for on, numbered from $first. `$f l` is the list of one text for each, such as $form.",
            "Switches, numbered from $first, are on (`true`) or off. For the states in `l`, `$f l` lists texts such as $form.",
        ),
        names=("switches", "describe"),
        signature="bool list -> string list",
        code="let $f l = List.mapi (fun i b -> $form) l",
        gaps={
            "first": (("0", "i"), ("1", "(i + 1)"), ("10", "(i + 10)")),
            "form": (
                ("`$first is on` or `$first is off`", 'string_of_int $first ^ if b then " is on" else " is off"'),
                ("`on $first` or `off $first`", '(if b then "on " else "off ") ^ string_of_int $first'),
                ("`$first+` (on) or `$first-` (off)", 'string_of_int $first ^ if b then "+" else "-"'),
                ("`s$first:1` (on) or `s$first:0` (off)", '"s" ^ string_of_int $first ^ if b then ":1" else ":0"'),
            ),
        },
        inputs=(lists(boolean(), 0, 5, far=12),),
    ),
    Task(
        level=1,
        says=(
            "`sent` and `got` are words of the same length. `$f sent got` is the list that has, for each place, $what.",
            "A message `sent` came as `got`, which is as long. For each place, `$f sent got` lists $what.",
        ),
        names=("check_message", "compare_signs"),
        signature="char list -> char list -> char list",
        code="let $f sent got = List.map2 (fun a b -> $what) sent got",
        gaps={
            "y": (("=",), ("+",), ("o",)),
            "z": (("x",), ("-",), ("!",), ("?",)),
            "what": (
                ("`$y` if both characters are equal and `$z` if not", "if a = b then '$y' else '$z'"),
                ("the character if both are equal and `$z` if not", "if a = b then a else '$z'"),
                ("the character of `sent` if that of `got` is `?`, and else that of `got`", "if b = '?' then a else b"),
                ("the one that is earlier in the alphabet", "min a b"),
                ("`$z` if the characters are equal and that of `got` if not", "if a = b then '$z' else b"),
            ),
        },
        inputs=(lists(characters("abc"), 4, 4), lists(characters("abc?"), 4, 4)),
        edges=(
            ("[]", "[]"),
            ("['a']", "['a']"),
            ("['b']", "['?']"),
            ("['c']", "['a']"),
            ("['a'; 'b']", "['b'; 'a']"),
            ("['c'; 'a'; 'b']", "['?'; 'a'; 'a']"),
            ("['a'; 'b'; 'c'; 'a'; 'b'; 'c'; 'c']", "['a'; '?'; 'c'; 'b'; '?'; 'c'; 'A']"),
            ("['?'; 'a']", "['?'; '?']"),
        ),
    ),
    Task(
        level=2,
        says=(
            "A machine remembers one number, $start at first, and writes another one for each number in `l`: $running. `$f l` lists these.",
            "For each number in `l`, in order, `$f l` has $running, where $start counts as the one before all.",
        ),
        names=("running", "trace", "outputs"),
        signature="int list -> int list",
        code="let $f l =\n  let rec go kept = function\n    | [] -> []\n    | x :: rest -> $running\n  in\n  go $start l",
        gaps={
            "start": number(0, 9),
            "running": (
                ("the sum of all numbers so far", "(kept + x) :: go (kept + x) rest"),
                ("the greatest number so far", "max kept x :: go (max kept x) rest"),
                ("the smallest number so far", "min kept x :: go (min kept x) rest"),
                ("the number minus the one before it", "(x - kept) :: go x rest"),
                ("the sum of the number and the one before it", "(x + kept) :: go x rest"),
                ("the one before it", "kept :: go x rest"),
            ),
        },
        inputs=(lists(integers(-12, 20), 0, 5, far=10),),
    ),
    Task(
        level=2,
        says=(
            "`$f last l` has a string for each number in `l`, in order: $how, compared with the number before; `last` is the number before the first.",
            "Compare each number in `l` with the one before it (the first one with `last`): `$f last l` lists $how.",
        ),
        names=("changes", "compare_all", "trend"),
        signature="int -> int list -> string list",
        code="let rec $f last l =\n  match l with\n  | [] -> []\n  | x :: rest -> ($how) :: $f x rest",
        gaps={
            "up": (("up",), ("more",), ("+",)),
            "down": (("down",), ("less",), ("-",)),
            "same": (("same",), ("=",), ("still",)),
            "k": number(2, 6),
            "how": (
                ("`$up` if it is greater and `$down` if not", 'if x > last then "$up" else "$down"'),
                ("`$same` if it is the same and `$up` if not", 'if x = last then "$same" else "$up"'),
                (
                    "`$up` if it is greater, `$down` if it is smaller, and `$same` if it is the same",
                    'if x > last then "$up" else if x < last then "$down" else "$same"',
                ),
                ("`$up` if it is more than $k greater and `$same` if not", 'if x - last > $k then "$up" else "$same"'),
            ),
        },
        inputs=(integers(-4, 9), lists(integers(-4, 9), 0, 5, far=10)),
    ),
    Task(
        level=2,
        says=(
            "A machine reads characters and is off at first. A `*` turns it on, or off again if it is on, and is not written. While it is $on. `$f l` lists what it writes.",
            "`$f l` copies a list of characters without `*`. Each `*` switches a machine on or off, which is off at first; while it is $on.",
        ),
        names=("switching", "copy_marked", "marked"),
        signature="char list -> char list",
        code="let $f l =\n  let rec go on = function\n    | [] -> []\n    | '*' :: rest -> go (not on) rest\n    | c :: rest -> $on\n  in\n  go false l",
        gaps={
            "z": (("-",), ("?",), ("x",)),
            "on": (
                (
                    "on, letters become capital, and else they are copied",
                    "(if on then Char.uppercase_ascii c else c) :: go on rest",
                ),
                ("on, each character is replaced by `$z`, and else copied", "(if on then '$z' else c) :: go on rest"),
                ("off, each character is replaced by `$z`, and else copied", "(if on then c else '$z') :: go on rest"),
                ("on, characters are left out, and else copied", "if on then go on rest else c :: go on rest"),
                ("on, characters are copied, and else left out", "if on then c :: go on rest else go on rest"),
                (
                    "on, each character is written twice, and else once",
                    "if on then c :: c :: go on rest else c :: go on rest",
                ),
            ),
        },
        inputs=(Input(_marked, ("[]", "['*'; 'a'; '*'; 'b']")),),
    ),
    Task(
        level=2,
        says=(
            "A $machine costs $price cents. For each coin in `l` it writes `wait` until it has got enough; then it writes $go. `$f l` lists all that it writes.",
            "Coins, in cents, are put into a $machine that costs $price. For each one it writes `wait` while the sum is too low; once it is enough, it writes $go. `$f l` lists this for the coins `l`.",
        ),
        names=("run_$machine", "coins"),
        signature="int list -> string list",
        code='let $f l =\n  let rec go paid = function\n    | [] -> []\n    | x :: rest ->\n      if paid + x >= $price then $go else "wait" :: go (paid + x) rest\n  in\n  go 0 l',
        gaps={
            "machine": _MACHINE,
            "price": number(30, 60),
            "word": (("go",), ("thanks",), ("done",)),
            "go": (
                ("`$word` and begins again at 0", '"$word" :: go 0 rest'),
                ("`$word` and keeps what was too much", '"$word" :: go (paid + x - $price) rest'),
                ("`$word` and stops", '[ "$word" ]'),
                (
                    "what was too much, as a number, and begins again at 0",
                    "string_of_int (paid + x - $price) :: go 0 rest",
                ),
            ),
        },
        inputs=(lists(one_of("5", "10", "20", "50", "1", "2")),),
    ),
    Task(
        level=2,
        says=(
            "A machine reads the letters of `l` and writes `$one` for `a` and `$two` for `b`; $other. `$f l` is the string of all that it writes.",
            "`$f l` joins what a machine writes for the characters of `l`, in order: `$one` for `a`, `$two` for `b`; $other.",
        ),
        names=("morse", "write_all", "signals"),
        signature="char list -> string",
        code='let rec $f l =\n  match l with\n  | [] -> ""\n  | \'a\' :: rest -> "$one" ^ $f rest\n  | \'b\' :: rest -> "$two" ^ $f rest\n  | $other',
        gaps={
            "one": ((".-",), ("10",), ("la",)),
            "two": (("-..",), ("0",), ("do",)),
            "other": (
                ("all others are left out", "_ :: rest -> $f rest"),
                ("all others are copied", "c :: rest -> String.make 1 c ^ $f rest"),
                ("at any other it writes `?` and stops", '_ -> "?"'),
                ("any other makes a `/`", '_ :: rest -> "/" ^ $f rest'),
            ),
        },
        inputs=(lists(characters("aaabbbcdAB"), 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "A robot reads signals: `Go n` makes it write `n` times `$step`, `Turn` makes it write `$turn`, and `Wait` $wait. `$f l` is all that it writes for `l`.",
            "`$f l` is the string that is written for the signals in `l`: `n` times `$step` for `Go n`, one `$turn` for `Turn`, and `Wait` $wait. No `n` is negative.",
        ),
        names=("robot_path", "signals_text"),
        signature="type signal = Go of int | Turn | Wait\n\nval $f : signal list -> string",
        code='type signal = Go of int | Turn | Wait\n\nlet $f l =\n  let output = function\n    | Go n -> String.make n \'$step\'\n    | Turn -> "$turn"\n    | Wait -> "$wait"\n  in\n  String.concat "" (List.map output l)',
        gaps={
            "step": (("-",), ("=",), ("#",), (".",)),
            "turn": (("+",), ("<",), ("T",), ("*",)),
            "wait": (
                ("makes it write nothing", ""),
                ("makes it write one `w`", "w"),
                ("makes it write `...`", "..."),
                ("makes it write a space", " "),
            ),
        },
        inputs=(lists(one_of("Turn", "Wait", "Go 1", "Go 2", "Go 3", "Go 0", "Go 14"), 0, 5, far=9),),
    ),
)
