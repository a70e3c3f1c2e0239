"""Small tasks on the bits of a number: setting and testing one, masks and shifts, counting, binary digits."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, boolean, integers, lists
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]


def _byte(chance: Chance) -> str:
    """A byte, often with one bit or a run of bits that are 1."""
    if chance.happens(0.3):
        return str(chance.pick((1, 2, 4, 8, 16, 32, 64, 128, 3, 7, 15, 31, 63, 127)))
    return str(chance.between(1, 255))


def _bits_of(chance: Chance) -> str:
    """A number of any size, sometimes with few ones or few zeros."""
    size = chance.between(1, 10) if chance.happens(0.8) else chance.between(11, 20)
    return str(chance.pick((chance.below(1 << size), 1 << size, (1 << size) - 1, 5 << size, chance.below(999))))


def _places(chance: Chance) -> str:
    return "[" + "; ".join(map(str, chance.sample(range(8), chance.between(1, 5)))) + "]"


_BYTE = Input(_byte, ("0", "255"))
_POSITIVE = Input(_byte, ("1", "255"))
_PLACES = Input(_places, ("[]", "[0]", "[7; 0]"))
_PLACE = integers(0, 7)
_SWITCH = Input(
    lambda chance: f"{chance.pick(('On', 'Off', 'Flip'))} {chance.below(8)}", ("On 0", "Off 7", "Flip 7", "Off 0")
)
_ONES = "let rec ones w = if w = 0 then 0 else (w land 1) + ones (w lsr 1) in"

_GAPS: dict[str, Gap] = {
    "i": number(0, 7),
    "k": number(1, 6),
    "m": number(20, 250),
    "mask": (("5",), ("9",), ("12",), ("17",), ("34",), ("72",), ("136",)),  # two bits each
    "turn": (
        ("1", "(w lsl 1) lor (w lsr 7)"),
        ("2", "(w lsl 2) lor (w lsr 6)"),
        ("3", "(w lsl 3) lor (w lsr 5)"),
        ("5", "(w lsl 5) lor (w lsr 3)"),
    ),
    "p": number(4, 16),
    "low": (("two", "3"), ("three", "7"), ("four", "15"), ("five", "31"), ("six", "63")),
    "few": (("two", "3"), ("three", "7")),
    "byte": (
        ("`w` with bit $i set to 1", "w lor (1 lsl $i)", "set_bit"),
        ("`w` with bit $i set to 0", "w land lnot (1 lsl $i)", "clear_bit"),
        ("`w` with bit $i flipped", "w lxor (1 lsl $i)", "flip_bit"),
        ("bit $k of `w`, as 0 or 1", "(w lsr $k) land 1", "get_bit"),
        ("the number that the lowest $low bits of `w` make", "w land $low", "low_bits"),
        ("`w` with its lowest $low bits set to 0", "w land lnot $low", "clear_low"),
        ("`w` with its lowest $low bits flipped", "w lxor $low", "flip_low"),
        ("`w` with its lowest $low bits set to 1", "w lor $low", "fill_low"),
        ("`w` shifted left by $k, where bits that leave the byte are lost", "(w lsl $k) land 255", "shift_left"),
        ("`w` shifted right by $k, where bits that leave the byte are lost", "w lsr $k", "shift_right"),
        ("`w` rotated left by $turn: bits that leave come in at the right", "($turn) land 255", "rotate"),
        ("`w` with all eight bits flipped", "w lxor 255", "flip"),
        ("the bitwise exclusive or of `w` and $m", "w lxor $m", "scramble"),
        ("the bitwise and of `w` and $m", "w land $m", "mask"),
        ("the bitwise or of `w` and $m", "w lor $m", "fill"),
        ("`w` with those bits set to 0 that are 1 in the number $m", "w land lnot $m", "erase"),
        ("`w` with its lowest 1 set to 0 (0 if it has none)", "w land (w - 1)", "drop_lowest"),
        ("`w` with only its lowest 1 kept (0 if it has none)", "w land -w", "lowest"),
    ),
    "asked": (
        ("bit $k of `w` is 1", "(w lsr $k) land 1 = 1"),
        ("bit $k of `w` is 0", "(w lsr $k) land 1 = 0"),
        ("bit 0 and bit $k of `w` are both 1", "w land 1 = 1 && (w lsr $k) land 1 = 1"),
        ("bit 0 and bit $k of `w` are equal", "w land 1 = (w lsr $k) land 1"),
        ("the lowest $few bits of `w` are all 0", "w land $few = 0"),
        ("the lowest $few bits of `w` are all 1", "w land $few = $few"),
        ("`w` has a 1 in at least one place where $mask has a 1", "w land $mask <> 0"),
        ("`w` has a 1 in every place where $mask has a 1", "w land $mask = $mask"),
    ),
    "both": (
        ("both numbers have a 1", "a land b"),
        ("at least one of the numbers has a 1", "a lor b"),
        ("exactly one of the numbers has a 1", "a lxor b"),
        ("`a` has a 1 and `b` has a 0", "a land lnot b"),
        ("`a` has a 0 and `b` has a 1", "b land lnot a"),
        ("both numbers have a 0", "(a lor b) lxor 255"),
        ("`a` and `b` agree", "(a lxor b) lxor 255"),
    ),
    "at": (
        ("`w` with bit `i` set to 1", "w lor (1 lsl i)", "set"),
        ("`w` with bit `i` set to 0", "w land lnot (1 lsl i)", "clear"),
        ("`w` with bit `i` flipped", "w lxor (1 lsl i)", "flip"),
        (
            "`w` with bits `i` and $i flipped (the same bit is flipped twice)",
            "w lxor (1 lsl i) lxor (1 lsl $i)",
            "flip_two",
        ),
        ("the number that the lowest `i` bits of `w` make", "w land ((1 lsl i) - 1)", "low"),
        ("`w` with its lowest `i` bits set to 0", "(w lsr i) lsl i", "clear_low"),
        ("`w` with its lowest `i` bits set to 1", "w lor ((1 lsl i) - 1)", "fill_low"),
    ),
    "packed": (
        ("the bits of `a` from bit 4 on, and those of `b` below", "(a lsl 4) lor b"),
        ("the bits of `b` from bit $p on, and those of `a` from bit 0 on", "(b lsl $p) lor a"),
        ("the bits of `a` from bit $p on, those of `b` from bit 0 on", "(a lsl $p) lor b"),
        ("the bits of `a` from bit 5 on, those of `b` below, and bit 4 set to 1", "(a lsl 5) lor b lor 16"),
    ),
    "power": (
        ("2 to the power of `n`", "1 lsl n"),
        ("the number whose lowest `n` bits are 1, and all others 0", "(1 lsl n) - 1"),
        ("the number in which only bit 0 and bit `n + $k` are 1", "1 lor (1 lsl (n + $k))"),
        ("the number of subsets of a set of `n + $k` elements, 2 to the power of `n + $k`", "1 lsl (n + $k)"),
        ("$m, doubled `n` times", "$m lsl n"),
        ("$m thousand, halved `n` times, each time rounded down", "${m}000 lsr n"),
    ),
    "counted": (
        ("the number of bits of `w` that are 1", "(w land 1) + $f (w lsr 1)"),
        ("the number of binary digits of `w`, none for 0", "1 + $f (w lsr 1)"),
        ("how many of the binary digits of `w`, without leading zeros, are 0", "1 - (w land 1) + $f (w lsr 1)"),
        ("how many of the bits 0, 2, 4 and so on of `w` are 1", "(w land 1) + $f (w lsr 2)"),
        ("how many bits of `w` are 1 and have a 1 to their left", "(w land (w lsr 1) land 1) + $f (w lsr 1)"),
        ("the number that you get by reading the binary digits of `w` in base $b", "(w land 1) + ($b * $f (w lsr 1))"),
    ),
    "b": number(3, 30),
    "walked": (
        ("the position of the lowest bit of `w` that is 1", "if w land 1 = 1 then 0\n  else 1 + $f (w lsr 1)"),
        ("the position of the highest bit of `w` that is 1", "if w = 1 then 0\n  else 1 + $f (w lsr 1)"),
        ("the highest power of two that is at most `w`", "if w = 1 then 1\n  else 2 * $f (w lsr 1)"),
        (
            "what is left of `w` when all zeros at its right end are cut off",
            "if w land 1 = 1 then w\n  else $f (w lsr 1)",
        ),
        (
            "how many bits at the right end of `w` are 1, up to the first 0",
            "if w land 1 = 0 then 0\n  else 1 + $f (w lsr 1)",
        ),
        (
            "what is left of `w` when all ones at its right end are cut off",
            "if w land 1 = 0 then w\n  else $f (w lsr 1)",
        ),
    ),
    "one": (("`'1'`", "'1'"), ("`'#'`", "'#'"), ("`'x'`", "'x'"), ("`'+'`", "'+'")),
    "zero": (("`'0'`", "'0'"), ("`'.'`", "'.'"), ("`'-'`", "'-'"), ("`'_'`", "'_'")),
    "which": (("1", "= 1", "ones"), ("0", "= 0", "zeros")),
    "sorted": (
        ("in ascending order", "List.init 8 (fun i -> i)"),
        ("in descending order", "List.init 8 (fun i -> 7 - i)"),
    ),
    "changed": (
        ("set to 1", "w lor (1 lsl i)", "set"),
        ("set to 0", "w land lnot (1 lsl i)", "clear"),
        ("flipped", "w lxor (1 lsl i)", "flip"),
    ),
    "compared": (
        ("in how many places `a` and `b` have different bits", "ones (a lxor b)", "distance"),
        ("in how many places both `a` and `b` have a 1", "ones (a land b)", "common"),
        ("in how many places `a` or `b`, or both, have a 1", "ones (a lor b)", "joined"),
        ("in how many places `a` has a 1 and `b` has a 0", "ones (a land lnot b)", "only_first"),
        ("how many bits of `a` and `b` together are 1", "ones a + ones b", "total"),
        ("how many more bits are 1 in `a` than in `b`, negative if there are fewer", "ones a - ones b", "more"),
    ),
    "weighed": (
        ("the number of places where `w` and $m have different bits", "ones (w lxor $m)"),
        ("the number of places where `w` and $m both have a 1", "ones (w land $m)"),
        ("the number of ones in `w` from bit $k on", "ones (w lsr $k)"),
        ("$m minus $b for each bit of `w` that is 1", "$m - ($b * ones w)"),
        ("`w` plus $b for each of its bits that is 1", "w + ($b * ones w)"),
    ),
    "tested": (
        ("the number of its bits that are 1 is divisible by 3", "ones w mod 3 = 0"),
        ("at least $few3 of its bits from bit 1 on are 1", "ones (w lsr 1) >= $few3"),
        ("at least $few3 of its bits are 1", "ones w >= $few3"),
        ("exactly $few3 of its bits are 1", "ones w = $few3"),
        ("more of bits 0 to 3 are 1 than of bits 4 to 7", "ones (w land 15) > ones (w lsr 4)"),
        ("bits 0 to 3 and bits 4 to 7 have equally many ones", "ones (w land 15) = ones (w lsr 4)"),
    ),
    "few3": number(3, 5),
    "read": (
        ("the first one being the highest bit", "List.fold_left (fun w bit -> (2 * w) + value bit) 0 bits"),
        ("the first one being bit 0", "List.fold_right (fun bit w -> (2 * w) + value bit) bits 0"),
    ),
    "true": (("1, and `false` for 0", "1 else 0"), ("0, and `false` for 1", "0 else 1")),
    "n": number(8, 16),
}

TASKS = (
    Task(
        level=1,
        says=(
            "`w` is a byte, a number from 0 to 255; bit 0 is its lowest bit. `$f w` is $byte.",
            "Write a function of a byte `w` (0 to 255, with bit 0 as the lowest bit): `$f w` returns $byte.",
            "What is $byte? `$f w` tells, for a number `w` from 0 to 255, whose lowest bit is bit 0.",
        ),
        names=("$byte", "byte_$byte"),
        signature="int -> int",
        code="let $f w = $byte",
        gaps=_GAPS,
        inputs=(_BYTE,),
    ),
    Task(
        level=1,
        says=(
            "`$f w` tells if $asked. `w` is a number from 0 to 255, and bit 0 is the lowest bit.",
            "Is it true that $asked? Write `$f w` for numbers from 0 to 255; bit 0 is the lowest bit.",
        ),
        names=("test", "has_bit", "check_bits"),
        signature="int -> bool",
        code="let $f w = $asked",
        gaps=_GAPS,
        inputs=(_BYTE,),
    ),
    Task(
        level=1,
        says=(
            "`$f a b` is a number of 8 bits, with a 1 in exactly those places where $both; `a` and `b` have 8 bits, too.",
            "`a` and `b` have 8 bits. Write `$f a b`, a number with 8 bits: each is 1 where $both, and 0 elsewhere.",
        ),
        names=("combine", "merge", "bitwise"),
        signature="int -> int -> int",
        code="let $f a b = $both",
        gaps=_GAPS,
        inputs=(_BYTE, _BYTE),
    ),
    Task(
        level=1,
        says=(
            "`$f w i` is $at; `w` is from 0 to 255, and `i` from 0 to 7. Bit 0 is the lowest one.",
            "Write `$f w i`: it returns $at. `w` has bits 0 (the lowest) to 7, and `i` is from 0 to 7.",
        ),
        names=("${at}_bits", "$at"),
        signature="int -> int -> int",
        code="let $f w i = $at",
        gaps=_GAPS,
        inputs=(_BYTE, _PLACE),
    ),
    Task(
        level=1,
        says=(
            "`a` and `b` are numbers from 0 to 15. `$f a b` packs them into one number, with $packed.",
            "Put two numbers of four bits each into one. `$f a b` has $packed; all its other bits are 0.",
        ),
        names=("pack", "pack_two", "join_bits"),
        signature="int -> int -> int",
        code="let $f a b = $packed",
        gaps=_GAPS,
        inputs=(integers(0, 15), integers(0, 15)),
    ),
    Task(
        level=1,
        says=(
            "Use a shift: `$f n` is $power. `n` is from 0 to 20.",
            "Write a function that shifts bits. `$f n` returns $power, for `n` from 0 to 20.",
        ),
        names=("shifted", "power", "by_shift"),
        signature="int -> int",
        code="let $f n = $power",
        gaps=_GAPS,
        inputs=(integers(0, 20),),
    ),
    Task(
        level=2,
        says=(
            "`$f w` is $counted. `w` is not negative.",
            "Look at the bits of a number `w`, which is at least 0, one by one: `$f w` is $counted.",
        ),
        names=("measure", "count_bits", "scan"),
        signature="int -> int",
        code="let rec $f w =\n  if w = 0 then 0\n  else $counted",
        gaps=_GAPS,
        inputs=(Input(_bits_of, ("0", "1", "2", "3", "255", "256", "1023", "1024")),),
    ),
    Task(
        level=2,
        says=(
            "`$f w` is $walked. `w` is positive, and bit 0 is the one at the right end.",
            "Write a recursive function of a positive number: `$f w` is $walked. The rightmost bit is bit 0.",
        ),
        names=("walk", "from_right", "trim"),
        signature="int -> int",
        code="let rec $f w =\n  $walked",
        gaps=_GAPS,
        inputs=(_POSITIVE,),
    ),
    Task(
        level=2,
        says=(
            "`$f w` is a string of $n characters that shows the bits of `w`, the highest one first: $one for 1 and $zero "
            "for 0. `w` is from 0 to 255.",
            "Write `$f w`: it shows a number `w` from 0 to 255 as a string of $n bits, with $one for a 1 and $zero for a 0. "
            "The last character stands for bit 0.",
        ),
        names=("show", "binary", "picture"),
        signature="int -> string",
        code="let $f w =\n  let bit i = (w lsr ($n - 1 - i)) land 1 in\n"
        "  String.init $n (fun i -> if bit i = 1 then $one else $zero)",
        gaps=_GAPS,
        inputs=(_BYTE,),
    ),
    Task(
        level=2,
        says=(
            "`$f w` is the list of the positions, from 0 to 7, of all bits of `w` that are $which, $sorted. `w` is from 0 "
            "to 255.",
            "Which of the bits 0 to 7 of `w` are $which? `$f w` lists their positions $sorted, for `w` from 0 to 255.",
        ),
        names=("$which", "places_of_$which"),
        signature="int -> int list",
        code="let $f w =\n  let bit i = (w lsr i) land 1 in\n  List.filter (fun i -> bit i $which) ($sorted)",
        gaps=_GAPS,
        inputs=(_BYTE,),
    ),
    Task(
        level=2,
        says=(
            "`$f w l` is `w` with all bits $changed whose positions are in `l`. `w` is from 0 to 255, and `l` holds "
            "different numbers from 0 to 7.",
            "The list `l` names bits of `w`: different positions from 0 to 7. `$f w l` is `w` with all these bits $changed; "
            "`w` has 8 bits.",
        ),
        names=("${changed}_all", "${changed}_bits"),
        signature="int -> int list -> int",
        code="let rec $f w l =\n  match l with\n  | [] -> w\n  | i :: rest -> $f ($changed) rest",
        gaps=_GAPS,
        inputs=(_BYTE, _PLACES),
    ),
    Task(
        level=2,
        says=(
            "`$f a b` tells $compared. Both are numbers from 0 to 255.",
            "Compare two numbers from 0 to 255 bit by bit: `$f a b` tells $compared.",
        ),
        names=("$compared", "bits_$compared"),
        signature="int -> int -> int",
        code=f"let $f a b =\n  {_ONES}\n  $compared",
        gaps=_GAPS,
        inputs=(_BYTE, _BYTE),
    ),
    Task(
        level=2,
        says=(
            "`w` is a number from 0 to 255. `$f w` is $weighed.",
            "Write a function of a number `w` from 0 to 255: `$f w` returns $weighed.",
        ),
        names=("weigh", "ones_of", "score"),
        signature="int -> int",
        code=f"let $f w =\n  {_ONES}\n  $weighed",
        gaps=_GAPS,
        inputs=(_BYTE,),
    ),
    Task(
        level=2,
        says=(
            "`$f w` tells, of a number `w` from 0 to 255, if $tested.",
            "Write a test of a number with 8 bits: `$f w` is true if $tested.",
        ),
        names=("accepts", "is_fine", "check"),
        signature="int -> bool",
        code=f"let $f w =\n  {_ONES}\n  $tested",
        gaps=_GAPS,
        inputs=(_BYTE,),
    ),
    Task(
        level=2,
        says=(
            "`bits` is a list of bits, $read; `true` stands for $true. `$f bits` is the number with these bits, and 0 for "
            "the empty list.",
            "Read a list of bits as a number: `$f bits` takes `true` for $true, $read. The empty list gives 0.",
        ),
        names=("number", "of_bits", "read_bits"),
        signature="bool list -> int",
        code="let $f bits =\n  let value bit = if bit then $true in\n  $read",
        gaps=_GAPS,
        inputs=(lists(boolean()),),
    ),
    Task(
        level=2,
        says=(
            "A switch changes one of the bits 0 to 7: `On i` sets it to 1, `Off i` sets it to 0, and `Flip i` flips it. "
            "`$f w switch` is the number `w`, from 0 to 255, after the switch.",
            "Write `$f w switch`, the number `w` with one bit changed: bit `i` becomes 1 for `On i`, 0 for `Off i`, and "
            "the opposite for `Flip i`. `w` has 8 bits, and `i` is from 0 to 7.",
        ),
        names=("apply", "press", "switch"),
        signature="type switch = On of int | Off of int | Flip of int\n\nval $f : int -> switch -> int",
        code="type switch = On of int | Off of int | Flip of int\n\nlet $f w switch =\n  match switch with\n"
        "  | On i -> w lor (1 lsl i)\n  | Off i -> w land lnot (1 lsl i)\n  | Flip i -> w lxor (1 lsl i)",
        inputs=(_BYTE, _SWITCH),
    ),
)
