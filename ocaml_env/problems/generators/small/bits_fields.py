"""Small tasks on numbers packed into one number: settings, lamps, packed times and dates."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, boolean, integers, lists
from ocaml_env.problems.generators.task import Gap, Part, Task, number

__all__ = ["TASKS"]


def _bits(chance: Chance) -> Part:
    start, width = chance.pick((0, 0, 3, 4, 5)), chance.between(3, 4)
    mask = (1 << width) - 1
    if start == 0:
        return Part(f"the lowest {width} bits", f"w land {mask}")
    return Part(f"bits {start} to {start + width - 1} (bit 0 is the lowest)", f"(w lsr {start}) land {mask}")


def _date(chance: Chance) -> str:
    return f"{chance.pick((2023, 2024, 1923))}{chance.pick(('05', '11'))}{chance.pick(('08', '21'))}"


def _clock(chance: Chance) -> str:
    hour = chance.between(0, 26) if chance.happens(0.9) else chance.between(27, 240)
    return str(100 * hour + chance.pick((0, 15, 30, 45, 60, 75, chance.below(100))))


_THING: Gap = [Part(thing, name=thing) for thing in ("volume", "channel", "brightness", "speed", "battery", "zone")]
_PLACE: Gap = (
    ("the last two decimal digits", "w mod 100"),
    ("the decimal digits before the last two", "w / 100"),
    ("the tens digit", "(w / 10) mod 10"),
    ("$bits", "$bits"),
    ("$bits", "$bits"),
)
_SWITCHED: Gap = (
    ("switched on (it may be on already)", "w lor (1 lsl $i)", "on"),
    ("switched off (it may be off already)", "w land lnot (1 lsl $i)", "off"),
    ("toggled, from on to off or from off to on", "w lxor (1 lsl $i)", "toggled"),
)
_STATE: Gap = (("on", "<> 0", "on"), ("off", "= 0", "off"))
_COUPLE: Gap = [
    Part(f"the {first} `a` and the {second} `b`", name=first)
    for first, second in (("hour", "minute"), ("floor", "door"), ("chapter", "page"), ("row", "seat"), ("shelf", "box"))
]
_LAMPS = integers(0, 255)
_SKILLS = integers(0, 255, far=100_000)


def _grouped(chance: Chance) -> str:
    """A number with zeros between other digits, or other bits."""
    if chance.happens(0.5):
        return str(chance.between(0, 9999))
    groups = [chance.pick((0, chance.below(20), chance.below(1000))) for _ in range(chance.between(2, 4))]
    base, made = chance.pick((100, 1000, 16, 256)), 0
    for group in groups:
        made = made * base + group % base
    return str(made)


TASKS = (
    Task(
        level=1,
        says=(
            "The $thing of a device is stored in $place of the number `w`. Write `$f w` to read it.",
            "`$f w` is the $thing, which a device stores in $place of the number `w`.",
        ),
        names=("read_$thing", "${thing}_of", "get_$thing"),
        signature="int -> int",
        code="let $f w = $place",
        gaps={"thing": _THING, "place": _PLACE, "bits": _bits},
        inputs=(integers(0, 5000, far=999_999),),
    ),
    Task(
        level=1,
        says=(
            "`$f w` tells whether the $thing, which is stored in $bits of the number `w`, is $test.",
            "The $thing is stored in $bits of the number `w`. Is it $test? `$f w` answers that.",
        ),
        names=("check_$thing", "${thing}_is_$test"),
        signature="int -> bool",
        code="let $f w = $bits $test",
        gaps={
            "thing": _THING,
            "bits": _bits,
            "k": number(2, 5),
            "test": (
                ("0", "= 0", "zero"),
                ("not 0", "<> 0", "set"),
                ("$k or more", ">= $k", "high"),
                ("below $k", "< $k", "low"),
            ),
        },
        inputs=(integers(0, 1023, far=99_999),),
    ),
    Task(
        level=1,
        says=(
            "Bit i of `w` is 1 if lamp i is on. `$f w i` is the number after lamp `i` was $done.",
            "The bits of `w` are lamps, 1 for on: `$f w i` is the new number when lamp `i` was $done.",
        ),
        names=("lamp_$done", "${done}_lamp"),
        signature="int -> int -> int",
        code="let $f w i = $done",
        gaps={"done": _SWITCHED, "i": (("i",),)},
        inputs=(_LAMPS, integers(0, 7)),
    ),
    Task(
        level=1,
        says=(
            "Bit $i of `w` (bit 0 is the lowest) is 1 if the $what is on. `$f w` is the number after it was $done.",
            "`w` keeps the $what in bit $i, where bit 0 is the lowest. `$f w` is `w` after the $what was $done.",
        ),
        names=("${what}_$done", "switch_$what"),
        signature="int -> int",
        code="let $f w = $done",
        gaps={
            "done": _SWITCHED,
            "i": number(0, 7),
            "what": [Part(thing, name=thing) for thing in ("heating", "alarm", "radio", "pump", "oven")],
        },
        inputs=(_LAMPS,),
    ),
    Task(
        level=1,
        says=(
            "`$f w i` tells if lamp `i` is $state, where the bits of `w` are lamps and 1 means on.",
            "Bit i of `w` is 1 if lamp i is on. Is lamp `i` $state? `$f w i` answers that.",
        ),
        names=("is_$state", "lamp_is_$state"),
        signature="int -> int -> bool",
        code="let $f w i = w land (1 lsl i) $state",
        gaps={"state": _STATE},
        inputs=(_LAMPS, integers(0, 7)),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` packs $pair into one number, where $how.",
            "Write `$f a b`, which stores $pair in one number: $how.",
        ),
        names=("pack", "pack_$pair", "${pair}_code"),
        signature="int -> int -> int",
        code="let $f a b = $how",
        gaps={
            "pair": _COUPLE,
            "base": (("100",), ("1000",)),
            "n": number(5, 8),
            "how": (
                ("`b` takes the last digits and `a` is multiplied by $base", "(a * $base) + b"),
                ("`b` takes the lowest $n bits and `a` the bits above them", "(a lsl $n) lor b"),
            ),
        },
        inputs=(integers(0, 23, far=999), integers(0, 31)),
    ),
    Task(
        level=1,
        says=(
            "The number `n` stands for $pair: it is $packed. `$f n` is the pair `(a, b)`.",
            "Unpack $pair: `$f n` is `(a, b)`, where `n` is $packed.",
        ),
        names=("unpack", "unpack_$pair", "split_$pair"),
        signature="int -> int * int",
        code="let $f n = $packed",
        gaps={
            "pair": _COUPLE,
            "packed": (
                ("$base times `a` plus `b`, with `b` below $base", "(n / $base, n mod $base)"),
                ("`b` in the lowest $bits", "(n lsr $bits)"),
            ),
            "base": (("100",), ("1000",), ("60",), ("64",)),
            "bits": (
                ("5 bits, below `a`", "5, n land 31"),
                ("6 bits, below `a`", "6, n land 63"),
                ("8 bits, below `a`", "8, n land 255"),
            ),
        },
        inputs=(integers(0, 5000, far=999_999),),
    ),
    Task(
        level=1,
        says=(
            "A ticket number is $base times a row plus a seat below $base. `$f n` is the place that the number `n` stands for.",
            "`$f n` is the record of a row and a seat, where `n` is $base times the row plus the seat, which is below $base.",
        ),
        names=("place_of_ticket", "place"),
        signature="type place = { row : int; seat : int }\n\nval $f : int -> place",
        code="type place = { row : int; seat : int }\n\nlet $f n = { row = n / $base; seat = n mod $base }",
        gaps={"base": (("20",), ("50",), ("64",), ("100",))},
        inputs=(integers(0, 3000, far=99_999),),
    ),
    Task(
        level=1,
        says=(
            "Dates are numbers such as 20240131, the last of January 2024. `$f a b` tells if two dates have the same $part.",
            "31 January 2024 is written as the number 20240131. Do the dates `a` and `b` have the same $part? `$f a b` tells.",
        ),
        names=("same_$part",),
        signature="int -> int -> bool",
        code="let $f a b = a $part = b $part",
        gaps={
            "part": (
                ("year", "/ 10000", "year"),
                ("year and month", "/ 100", "month_of_year"),
                ("day of the month", "mod 100", "day"),
                ("month and day", "mod 10000", "anniversary"),
            )
        },
        inputs=(Input(_date), Input(_date)),
    ),
    Task(
        level=1,
        says=(
            "Each bit of a number is a skill, 1 for present. `$f a b` has the skills that $who of the workers `a` and `b` has.",
            "The skills of the workers `a` and `b` are the 1 bits of these numbers. `$f a b` holds those that $who of the two has.",
        ),
        names=("$who", "skills_$who"),
        signature="int -> int -> int",
        code="let $f a b = $who",
        gaps={
            "who": (
                ("each", "a land b", "shared"),
                ("at least one", "a lor b", "together"),
                ("exactly one", "a lxor b", "different"),
                ("only the first", "a land lnot b", "only_first"),
                ("only the second", "b land lnot a", "only_second"),
            )
        },
        inputs=(_SKILLS, _SKILLS),
    ),
    Task(
        level=2,
        says=(
            "`$f w` is $what. `w` is not negative.",
            "Write a recursive function `$f w` that finds $what; `w` is at least 0.",
            "What is $what? `$f w` answers that for a number `w` that is not negative.",
        ),
        names=("measure", "bits_of", "count_in"),
        signature="int -> int",
        code="let rec $f w =\n  if w = 0 then 0\n  else $what",
        gaps={
            "what": (
                ("the number of bits of `w` that are 1", "(w land 1) + $f (w lsr 1)"),
                ("the number of bits that are needed to write `w` (none for 0)", "1 + $f (w lsr 1)"),
                ("the number of 0 bits of `w` below its highest 1 bit", "1 - (w land 1) + $f (w lsr 1)"),
                ("the sum of all the groups of $n bits that make up `w`", "(w mod (1 lsl $n)) + $f (w lsr $n)"),
                (
                    "the greatest of all the groups of $n bits that make up `w`",
                    "max (w mod (1 lsl $n)) ($f (w lsr $n))",
                ),
            ),
            "n": number(2, 5),
        },
        inputs=(integers(0, 4000, far=999_999),),
    ),
    Task(
        level=2,
        says=(
            "Eight lamps are the bits 0 to 7 of a number, 1 for on. $start, and then, one after the other, the lamps whose numbers are in `l`, from 1 to 7, are $press. `$f l` is the number in the end.",
            "A number keeps eight lamps: bit i is 1 while lamp i is on. $start. Then, in turn, the lamps whose numbers are in `l`, from 1 to 7, are $press. What is the number in the end? `$f l` returns it.",
        ),
        names=("lamps_after", "final_lamps"),
        signature="int list -> int",
        code="let $f l =\n  let press w i = $press in\n  List.fold_left press $start l",
        gaps={
            "start": (
                ("First all are off", "0"),
                ("First all are on", "255"),
                ("First only lamp $i is on", "(1 lsl $i)"),
            ),
            "i": number(1, 6),
            "press": (
                ("toggled", "w lxor (1 lsl i)"),
                ("toggled, and each time lamp 0 as well", "w lxor ((1 lsl i) lor 1)"),
            ),
        },
        inputs=(lists(integers(1, 7), 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "Bit i of `w` is 1 if lamp i is on. `$f w` lists the numbers, from 0 to 7, of the lamps that are $state, $order.",
            "`w` keeps lamps in its bits 0 to 7, 1 for on. Which lamps are $state? `$f w` is the list of their numbers, $order.",
        ),
        names=("which_$state", "lamps_$state"),
        signature="int -> int list",
        code="let $f w =\n  let fits i = w land (1 lsl i) $state in\n  List.filter fits $order",
        gaps={
            "state": _STATE,
            "order": (
                ("the lowest first", "[ 0; 1; 2; 3; 4; 5; 6; 7 ]"),
                ("the highest first", "[ 7; 6; 5; 4; 3; 2; 1; 0 ]"),
            ),
        },
        inputs=(_LAMPS,),
    ),
    Task(
        level=2,
        says=(
            "The list `l` tells of each window whether it is $state. `$f l` packs it into a number, with 1 for `true`, where the first window is the $first bit. The empty list gives 0.",
            "`$f l` is the number that has a 1 bit for each `true` of `l` and a 0 bit for each `false`; the first element is the $first bit. For `[]` it is 0.",
        ),
        names=("pack_windows", "number_of_bits"),
        signature="bool list -> int",
        code="let$first",
        gaps={
            "state": (("open",), ("lit",), ("clean",), ("broken",)),
            "first": (
                (
                    "lowest",
                    " rec $f l =\n  match l with\n  | [] -> 0\n  | on :: rest -> (if on then 1 else 0) + (2 * $f rest)",
                ),
                ("highest", " $f l =\n  let add w on = (2 * w) + if on then 1 else 0 in\n  List.fold_left add 0 l"),
            ),
        },
        inputs=(lists(boolean(), 0, 6, far=12),),
    ),
    Task(
        level=2,
        says=(
            "`$f n` is the list of the $parts that make up `n`, the lowest first; for 0 it is empty. `n` is not negative.",
            "Take the number `n`, at least 0, apart into $parts: `$f n` lists them from the lowest to the highest. 0 has none.",
        ),
        names=("parts", "take_apart", "unpack_all"),
        signature="int -> int list",
        code="let rec $f n =\n  if n = 0 then []\n  else $parts",
        gaps={
            "parts": (
                ("groups of two decimal digits", "(n mod 100) :: $f (n / 100)"),
                ("groups of three decimal digits", "(n mod 1000) :: $f (n / 1000)"),
                ("groups of 4 bits", "(n land 15) :: $f (n lsr 4)"),
                ("groups of 8 bits", "(n land 255) :: $f (n lsr 8)"),
            )
        },
        inputs=(Input(_grouped, ("0", "1", "100", "1000", "16", "256", "65536", "10000003")),),
    ),
    Task(
        level=2,
        says=(
            "`$f a b` packs $pair: it is `Some` of $base times `a` plus `b` if `a` is from $low to $high and `b` from 0 to $top, and `None` otherwise.",
            "Pack $pair as $base times `a` plus `b`: `$f a b` is `Some` of that, or `None` unless `a` is from $low to $high and `b` from 0 to $top.",
        ),
        names=("pack_checked", "safe_pack", "pack_$pair"),
        signature="int -> int -> int option",
        code="let $f a b =\n  if a >= $low && a <= $high && b >= 0 && b <= $top then\n    Some ((a * $base) + b)\n  else None",
        gaps={
            "pair": _COUPLE,
            "base": (("100",), ("1000",)),
            "low": number(0, 2),
            "high": number(12, 24),
            "top": number(30, 60),
        },
        inputs=(integers(-3, 28), integers(-4, 66)),
    ),
    Task(
        level=2,
        says=(
            "The number `n` packs a time, the hour times 100 plus the minute. `$f n` is `Some (hour, minute)`, or `None` if the $bad. `n` is not negative.",
            "A clock shows `n`, such as 1430 for 14:30. `$f n` is `Some (14, 30)` then; it is `None` if the $bad. `n` is at least 0.",
        ),
        names=("time_of_number", "unpack_time"),
        signature="int -> (int * int) option",
        code="let $f n =\n  let hour = n / 100 and minute = n mod 100 in\n  if $bad then None else Some (hour, minute)",
        gaps={
            "bad": (
                ("hour is above $top or the minute above 59", "hour > $top || minute > 59"),
                ("minute is above 59", "minute > 59"),
                ("minute is not a multiple of $step, or is above 59", "minute mod $step <> 0 || minute > 59"),
            ),
            "top": (("23",), ("12",), ("11",)),
            "step": (("5",), ("15",), ("30",)),
        },
        inputs=(Input(_clock),),
    ),
    Task(
        level=2,
        says=(
            "Three bits of `n` tell if somebody may read (4), write (2) and run (1) a file. `$f n` is a string of three characters, `$a`, `$b` and `$c`, but with `$none` in place of each whose bit is 0.",
            "`$f n` has three characters: `$a` if `n` has the bit 4, then `$b` if it has the bit 2, then `$c` if it has the bit 1. For a bit that is 0 there is `$none` instead.",
        ),
        names=("show_rights", "rights"),
        signature="int -> string",
        code='let $f n =\n  let mark bit text = if n land bit <> 0 then text else "$none" in\n  mark 4 "$a" ^ mark 2 "$b" ^ mark 1 "$c"',
        gaps={"a": (("r",), ("R",)), "b": (("w",), ("W",)), "c": (("x",), ("X",)), "none": (("-",), (".",), ("_",))},
        inputs=(integers(0, 63, far=9999),),
    ),
    Task(
        level=2,
        says=(
            "The lowest $bits bits of `w` are a counter from 0 to $top. `$f w` is `w` after $change. The bits above stay as they are.",
            "A counter from 0 to $top is kept in the lowest $bits bits of `w`; other bits must not change. `$f w` is the new `w` after $change.",
        ),
        names=("step_counter", "next_word"),
        signature="int -> int",
        code="let $f w =\n  let count = w land $top in\n  $change",
        gaps={
            "bits": (("3",),),
            "top": (("7",),),
            "change": (
                ("one more visit; a counter at $top stays there", "if count = $top then w else w + 1"),
                (
                    "one more visit; after $top the counter begins again at 0",
                    "if count = $top then w - $top else w + 1",
                ),
                ("a step back; a counter at 0 stays there", "if count = 0 then w else w - 1"),
                ("a step back; from 0 the counter goes to $top", "if count = 0 then w + $top else w - 1"),
            ),
        },
        inputs=(integers(0, 63, far=9999),),
    ),
)
