"""Small tasks on registers: the effect of one instruction on them, and the next place in a program."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, array, integers, lists, one_of, tuples
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import atom

__all__ = ["TASKS"]

_TESTS: Gap = (
    ("zero", "x = 0", "zero"),
    ("not zero", "x <> 0", "nonzero"),
    ("negative", "x < 0", "negative"),
    ("positive", "x > 0", "positive"),
    ("even", "x mod 2 = 0", "even"),
    ("odd", "x mod 2 <> 0", "odd"),
    ("greater than $k", "x > $k", "large"),
)
_STAR: Gap = (
    ("doubles it", "2 * x"),
    ("squares it", "x * x"),
    ("changes its sign", "-x"),
    ("sets it to 0", "0"),
    ("makes it 0 if it is negative", "max 0 x"),
    ("multiplies it by $m", "$m * x"),
)
_KEYS = one_of("Plus", "Minus", "Star")
_NAMES = one_of('"a"', '"b"', '"c"')


def _instruction(chance: Chance) -> str:
    return f"{chance.pick(('Add', 'Set', 'Sub'))} {atom(str(chance.between(-9, 20)))}"


TASKS = (
    Task(
        level=1,
        says=(
            "A machine has two registers. `$f (a, b)` is the pair of their contents after an instruction that $what.",
            "An instruction of a machine with two registers $what. Write `$f (a, b)`, the contents of both afterwards.",
        ),
        names=("execute", "instruction", "change_pair"),
        signature="int * int -> int * int",
        code="let $f $what",
        gaps={
            "what": (
                ("exchanges them", "(a, b) = (b, a)"),
                ("copies the first into the second", "(a, _) = (a, a)"),
                ("copies the second into the first", "(_, b) = (b, b)"),
                ("adds the second to the first", "(a, b) = (a + b, b)"),
                ("subtracts the first from the second", "(a, b) = (a, b - a)"),
                ("multiplies the first by the second", "(a, b) = (a * b, b)"),
                ("sets the first to $k", "(_, b) = ($k, b)"),
                ("adds $k to the second", "(a, b) = (a, b + $k)"),
                ("moves the first into the second and then sets the first to 0", "(a, _) = (0, a)"),
                (
                    "puts the smaller number into the first and the larger one into the second",
                    "(a, b) = (min a b, max a b)",
                ),
            ),
            "k": number(2, 20),
        },
    ),
    Task(
        level=1,
        says=(
            "A register holds numbers from 0 to $top; after $top it starts again at 0. "
            "`$f x y` is its content if $op. Neither `x` nor `y` is negative.",
            "Which number does a register hold if $op? `$f x y` tells it. After $top it starts again at 0; "
            "`x` and `y` are not negative.",
        ),
        names=("wrap", "register", "overflow"),
        signature="int -> int -> int",
        code="let $f x y = ($op) mod $top",
        gaps={
            "top": tuple((str(n - 1), str(n)) for n in (10, 16, 20, 32, 50, 64, 100)),
            "op": (
                ("`y` is added to `x`", "x + y"),
                ("`x` is multiplied by `y`", "x * y"),
                ("twice `y` is added to `x`", "x + (2 * y)"),
            ),
        },
        inputs=(integers(0, 120), integers(0, 120)),
    ),
    Task(
        level=1,
        says=(
            "`$f pc x` is the address of the next instruction after a conditional jump at `pc`: `pc $d` if `x` is "
            "$test, otherwise `pc + 1`.",
            "A jump at the address `pc` goes to `pc $d` if the register `x` is $test, else to the next address, "
            "`pc + 1`. Where does it go? Write `$f pc x`.",
        ),
        names=("jump_if_$test", "next_address", "branch"),
        signature="int -> int -> int",
        code="let $f pc x = if $test then pc $d else pc + 1",
        gaps={"test": _TESTS, "d": (("+ $j",), ("- $j",)), "j": number(2, 9), "k": number(3, 20)},
        inputs=(integers(0, 50, far=900), integers(-9, 25, far=900)),
    ),
    Task(
        level=1,
        says=(
            "The array `regs` holds four registers, numbered from 0. `$f regs i j` is $what registers `i` and `j`.",
            "Of a machine with four registers in the array `regs`, numbered from 0, give $what registers `i` and `j`: "
            "`$f regs i j`.",
        ),
        names=("combine", "both", "of_two"),
        signature="int array -> int -> int -> int",
        code="let $f regs i j = $what",
        gaps={
            "what": (
                ("the sum of the", "regs.(i) + regs.(j)"),
                ("the product of the", "regs.(i) * regs.(j)"),
                ("the larger content of the", "max regs.(i) regs.(j)"),
                ("the smaller content of the", "min regs.(i) regs.(j)"),
                ("the distance (the absolute difference) between the contents of the", "abs (regs.(i) - regs.(j))"),
            )
        },
        inputs=(array(integers(far=900), 4, 4), integers(0, 3), integers(0, 3)),
    ),
    Task(
        level=1,
        says=(
            "`regs` is a list of registers. `$f regs` is how many of them are $test.",
            "How many of the registers in the list `regs` are $test? `$f regs` is that number.",
        ),
        names=("count_$test", "${test}_registers"),
        signature="int list -> int",
        code="let $f regs = List.length (List.filter (fun x -> $test) regs)",
        gaps={"test": _TESTS, "k": number(3, 20)},
        inputs=(lists(integers(-9, 25, far=900), 0, 8, far=14),),
    ),
    Task(
        level=1,
        says=(
            "One instruction $what every register. `$f regs` is the list of contents afterwards, for the list `regs` "
            "of contents before it.",
            "Write `$f regs`: the list of registers after an instruction that $what each of the registers in `regs`.",
        ),
        names=("all_registers", "for_each", "broadcast"),
        signature="int list -> int list",
        code="let $f regs = List.map (fun x -> $what) regs",
        gaps={
            "what": (
                ("adds $k to", "x + $k"),
                ("subtracts $k from", "x - $k"),
                ("doubles", "2 * x"),
                ("squares", "x * x"),
                ("changes the sign of", "-x"),
                ("takes the absolute value of", "abs x"),
                ("halves (with `/`)", "x / 2"),
            ),
            "k": number(2, 30),
        },
    ),
    Task(
        level=1,
        says=(
            "Registers have names: `regs` is a list of pairs of a name and a content. `$f regs r` is the content of "
            "the first register called `r`, or $k if there is none.",
            "Look up `r` in `regs`, a list of register names with their contents: `$f regs r` is the first content "
            "found, and $k if no register is called `r`.",
        ),
        names=("read", "lookup", "content"),
        signature="(string * int) list -> string -> int",
        code="let $f regs r = Option.value (List.assoc_opt r regs) ~default:$k",
        gaps={"k": number(-1, 99)},
        inputs=(lists(tuples(_NAMES, integers()), 0, 4, far=9), _NAMES),
    ),
    Task(
        level=2,
        says=(
            "A calculator has three keys: `Plus` adds $a to the number `x`, `Minus` subtracts $b from it, and `Star` "
            "$star. `$f key x` is the number after the key is pressed.",
            "What does pressing a key make of the number `x`? `Plus` adds $a, `Minus` subtracts $b, `Star` $star. "
            "Write `$f key x`.",
        ),
        names=("press", "apply_key", "after_key"),
        signature="type key = Plus | Minus | Star\n\nval $f : key -> int -> int",
        code="type key = Plus | Minus | Star\n\nlet $f key x =\n  match key with\n  | Plus -> x + $a\n"
        "  | Minus -> x - $b\n  | Star -> $star",
        gaps={"star": _STAR, "a": number(1, 10), "b": number(1, 10), "m": number(3, 9)},
        inputs=(_KEYS, integers()),
    ),
    Task(
        level=2,
        says=(
            "A register starts at $a. Pressing `Plus` adds 1 to it, `Minus` subtracts 1, and `Star` $star. "
            "`$f keys` is its content after all keys of the list were pressed, first to last.",
            "Press the keys of a list, from first to last, beginning with the number $a: `Plus` adds 1, `Minus` "
            "subtracts 1, `Star` $star. `$f keys` is the number in the end.",
        ),
        names=("press_all", "run", "type_keys"),
        signature="type key = Plus | Minus | Star\n\nval $f : key list -> int",
        code="type key = Plus | Minus | Star\n\nlet $f keys =\n  let press x key = match key with Plus -> x + 1 "
        "| Minus -> x - 1 | Star -> $star in\n  List.fold_left press $a keys",
        gaps={"star": _STAR, "a": number(1, 12), "m": number(3, 9)},
        inputs=(lists(_KEYS),),
    ),
    Task(
        level=2,
        says=(
            "An accumulator starts at $a; `Add n` adds `n` to it, `Sub n` subtracts `n`, and `Set n` makes it `n`. "
            "`$f program` is its content after all instructions of the list, from the first to the last.",
            "Run a program, a list of instructions, on an accumulator that begins with $a: `Add n` and `Sub n` add and "
            "subtract `n`, `Set n` replaces the content by `n`. What is the content in the end? Write `$f program`.",
        ),
        names=("run", "accumulate", "final_content"),
        signature="type instruction = Add of int | Sub of int | Set of int\n\nval $f : instruction list -> int",
        code="type instruction = Add of int | Sub of int | Set of int\n\nlet $f program =\n  let step x i = match i with "
        "Add n -> x + n | Sub n -> x - n | Set n -> n in\n  List.fold_left step $a program",
        gaps={"a": number(0, 40)},
        inputs=(lists(Input(_instruction, ("Add 7", "Sub 50", "Set 3")), 0, 6, far=13),),
    ),
    Task(
        level=2,
        says=(
            "A loop $body as long as `x` is at least $k; each round costs one unit of fuel. `$f x fuel` is `x` "
            "when the loop ends, because `x` is small enough or no fuel is left. `fuel` is not negative.",
            "While `x` is at least $k and `fuel`, which is not negative, is above 0, a machine $body and burns one "
            "unit of fuel. `$f x fuel` is the last `x`.",
        ),
        names=("loop", "burn", "run_with_fuel"),
        signature="int -> int -> int",
        code="let rec $f x fuel =\n  if x < $k || fuel = 0 then x\n  else $f ($body) (fuel - 1)",
        gaps={
            "body": (
                ("halves `x` (with `/`)", "x / 2"),
                ("subtracts $d from `x`", "x - $d"),
                ("divides `x` by 3 (with `/`)", "x / 3"),
            ),
            "k": number(3, 10),
            "d": number(2, 9),
        },
        inputs=(integers(-5, 90, far=3_000), integers(0, 6, far=30)),
    ),
    Task(
        level=2,
        says=(
            "`$f i v regs` is the list `regs` with register `i`, counted from 0, $changed. If there is no such register, "
            "it is `regs`; `i` is not negative.",
            "Give the registers of the list `regs` back with the one at position `i` (the first is 0) $changed: "
            "`$f i v regs`. Nothing changes if the list is too short; `i` is not negative.",
        ),
        names=("write", "update", "change_register"),
        signature="int -> int -> int list -> int list",
        code="let rec $f i v regs =\n  match regs with\n  | [] -> []\n"
        "  | x :: rest -> if i = 0 then $changed :: rest else x :: $f (i - 1) v rest",
        gaps={
            "changed": (
                ("replaced by `v`", "v"),
                ("increased by `v`", "(x + v)"),
                ("multiplied by `v`", "(x * v)"),
                ("decreased by `v`", "(x - v)"),
            )
        },
        inputs=(integers(0, 5, far=15), integers(-9, 60), lists(integers(far=900), 0, 6, far=12)),
    ),
    Task(
        level=2,
        says=(
            "At each position of the array `jumps` stands how far to jump ahead from there, at least 1. `$f jumps pc` "
            "is $what, if one starts at `pc` (not negative) and jumps until the array is left.",
            "A program at position `pc` jumps ahead by `jumps.(pc)`, which is positive, until it leaves the array. "
            "`$f jumps pc` is $what. The start `pc` is not negative, but may be outside already.",
        ),
        names=("follow", "jump_along", "jumps_from"),
        signature="int array -> int -> int",
        code="let rec $f jumps pc =\n  if pc >= Array.length jumps then $what",
        gaps={
            "what": (
                ("the number of jumps", "0\n  else 1 + $f jumps (pc + jumps.(pc))"),
                ("the position behind the array that is reached in the end", "pc\n  else $f jumps (pc + jumps.(pc))"),
                ("the sum of all positions in the array that are visited", "0\n  else pc + $f jumps (pc + jumps.(pc))"),
                (
                    "the length of the longest jump, or 0 if there is none",
                    "0\n  else max jumps.(pc) ($f jumps (pc + jumps.(pc)))",
                ),
            )
        },
        inputs=(array(integers(1, 4, far=30), 0, 9, far=20), integers(0, 5, far=25)),
    ),
    Task(
        level=2,
        says=(
            "A program is a list of numbers; the first one that is $stop ends it, and the rest is ignored. "
            "`$f program` is $what before that one, or of the whole list if no number is $stop.",
            "Numbers are read from the list `program` until one is $stop (or to the end if none is). Write "
            "`$f program`: $what before it.",
        ),
        names=("run_until", "until_stop", "before_halt"),
        signature="int list -> int",
        code="let rec $f program =\n  match program with\n  | x :: rest when not ($stop) -> $what",
        gaps={
            "stop": (("zero", "x = 0"), ("negative", "x < 0"), ("greater than $k", "x > $k")),
            "what": (
                ("the sum of the numbers", "x + $f rest\n  | _ -> 0"),
                ("the number of numbers", "1 + $f rest\n  | _ -> 0"),
                ("the product of the numbers, which is 1 if there are none,", "x * $f rest\n  | _ -> 1"),
            ),
            "k": number(4, 9),
        },
        inputs=(lists(integers(-6, 12, far=300), 0, 8, far=13),),
    ),
    Task(
        level=2,
        says=(
            "A register contains `x`. `$f x l` is the list of its contents, `x` first, while each number of `l` in turn "
            "$what.",
            "Starting with `x`, each number of the list `l` $what. `$f x l` is the list of all contents of that "
            "register: `x` itself, then one for each number.",
        ),
        names=("trace", "history", "contents"),
        signature="int -> int list -> int list",
        code="let rec $f x l =\n  match l with\n  | [] -> [ x ]\n  | n :: rest -> x :: $f ($what) rest",
        gaps={
            "what": (
                ("is added to it", "x + n"),
                ("is subtracted from it", "x - n"),
                ("multiplies it", "x * n"),
                ("replaces it if it is larger", "max x n"),
                ("is added to its double", "(2 * x) + n"),
            )
        },
        inputs=(integers(-9, 20), lists(integers(-9, 20, far=300), 0, 5, far=11)),
    ),
)
