"""Small programs that obey commands: one command, or several, each on a line."""

from __future__ import annotations

from collections.abc import Callable

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal", "Ida", "Jo", "Kim", "Lea")
_OPERATIONS: Gap = (
    ("`a + b`", "a + b"),
    ("`a - b`", "a - b"),
    ("`b - a`", "b - a"),
    ("`a * b`", "a * b"),
    ("`a * a + b`", "(a * a) + b"),
    ("the greater one of them", "max a b"),
    ("the smaller one of them", "min a b"),
    ("their distance (the absolute difference)", "abs (a - b)"),
    ("`a + 2 * b`", "a + (2 * b)"),
)


def _number(chance: Chance) -> int:
    """A number; a few are large, or 0."""
    if chance.happens(0.1):
        return chance.pick((0, chance.between(99, 2_000)))
    return chance.number(1, 40)


def _one(*commands: str) -> Callable[[Chance], str]:
    """One of the commands, with a number or name for each ``#`` or ``@``."""

    def draw(chance: Chance) -> str:
        text = chance.pick(commands)
        numbers = [_number(chance)]
        while "#" in text:
            numbers.append(numbers[-1] if len(numbers) > 1 and chance.happens(0.12) else _number(chance))
            text = text.replace("#", str(numbers[-1]), 1)
        return text.replace("@", chance.pick(_NAMES)) + "\n"

    return draw


def _several(*commands: str, end: str = "", most: int = 7) -> Callable[[Chance], str]:
    """Several such lines, at times none or many, and perhaps a last one with something behind it."""
    one = _one(*commands)

    def draw(chance: Chance) -> str:
        count = chance.pick((0, 14)) if chance.happens(0.08) else chance.between(1, most)
        lines = "".join(one(chance) for _ in range(count))
        return lines + (f"{end}\n{one(chance) if chance.happens(0.5) else ''}" if end else "")

    return draw


def _numbers_to_zero(chance: Chance) -> str:
    numbers = [
        chance.number(1, 40) * chance.pick((1, 1, -1))
        for _ in range(chance.between(0, 6) if chance.happens(0.92) else 12)
    ]
    after = [chance.between(1, 9) for _ in range(chance.between(0, 2))]
    return "".join(f"{n}\n" for n in [*numbers, 0, *after])


def _payments(chance: Chance) -> str:
    count = chance.pick((0, 12)) if chance.happens(0.08) else chance.between(1, 6)
    payments = [chance.number(0, 40) if chance.happens(0.6) else chance.number(1, 95) for _ in range(count)]
    return f"{len(payments)}\n" + "".join(f"{p}\n" for p in payments)


TASKS = (
    Task(
        level=1,
        says=(
            "The input has two lines, with a number `a` and a number `b`. Print $op.",
            "Read two numbers `a` and `b`, each from a line of its own, and print $op.",
        ),
        code="let () =\n  let a = read_int () in let b = read_int () in print_int ($op)",
        gaps={"op": _OPERATIONS},
        stdin=_one("#\n#", "#\n-#", "-#\n#"),
    ),
    Task(
        level=1,
        says=(
            "On the only line of the input are two numbers `a` and `b`, with a space between them. Print `$word`, a space, and $op.",
            "Read two numbers `a` and `b` from one line. Print a line with `$word`, a space, and $op.",
        ),
        code='let () = Scanf.scanf "%d %d" (fun a b -> Printf.printf "$word %d\\n" ($op))',
        gaps={"op": _OPERATIONS, "word": (("result",), ("answer:",), ("=",), ("value",), ("->",))},
        stdin=_one("# #", "# -#", "-# #"),
    ),
    Task(
        level=1,
        says=(
            "The input is `plus a b` or `minus a b`, with two numbers for `a` and `b`. Print $what.",
            "A command `plus` or `minus` is followed by two numbers `a` and `b`, on the same line. Read it, and print $what.",
        ),
        code='let () =\n  Scanf.scanf "%s %d %d" (fun c a b -> $what)',
        gaps={
            "what": (
                ("their sum or difference", 'print_int (if c = "plus" then a + b else a - b)'),
                ("`a + b` or `b - a`", 'print_int (if c = "plus" then a + b else b - a)'),
                ("twice their sum or difference", 'print_int (2 * if c = "plus" then a + b else a - b)'),
                ("`a + b + $k` or `a - b - $k`", 'print_int (if c = "plus" then a + b + $k else a - b - $k)'),
                (
                    "`=`, a space, and their sum or difference",
                    'Printf.printf "= %d" (if c = "plus" then a + b else a - b)',
                ),
            ),
            "k": number(1, 9),
        },
        stdin=_one("plus # #", "minus # #", "plus # -#", "minus -# #", "minus # -#"),
    ),
    Task(
        level=1,
        says=(
            "A lift is on floor $k. The input is `up n` or `down n`, with a number for `n`. Print the floor on which it is then$more.",
            "Read a command, `up n` or `down n`, for a lift that is on floor $k, and print the floor to which it goes$more.",
        ),
        code='let () =\n  Scanf.scanf "%s %d" (fun c n -> print_int ($more))',
        gaps={
            "more": (
                ("", 'if c = "up" then $k + n else $k - n'),
                (", but never one above $top", 'if c = "up" then min $top ($k + n) else $k - n'),
                (", but never one below 0", 'if c = "up" then $k + n else max 0 ($k - n)'),
                ("; it moves `2 * n` floors", 'if c = "up" then $k + (2 * n) else $k - (2 * n)'),
            ),
            "k": number(10, 25),
            "top": number(30, 50),
        },
        stdin=_one("up #", "down #"),
    ),
    Task(
        level=1,
        says=(
            "The input is a duration, `n h` or `n min`, such as `3 h`. Print it $how.",
            "Read a duration in hours or in minutes, such as `2 h` or `40 min`, and print it $how.",
        ),
        code='let () =\n  Scanf.scanf "%d %s" (fun n unit -> let m = if unit = "h" then 60 * n else n in $how)',
        gaps={
            "how": (
                ("in minutes, as a number", "print_int m"),
                ("in seconds, as a number", "print_int (60 * m)"),
                ("in minutes, followed by ` minutes`", 'Printf.printf "%d minutes" m'),
                ("as hours, a colon, and minutes with two digits", 'Printf.printf "%d:%02d" (m / 60) (m mod 60)'),
                ("in minutes, $k more than it says", "print_int (m + $k)"),
                ("in quarters of an hour, rounded down", "print_int (m / 15)"),
            ),
            "k": number(2, 30),
        },
        stdin=_one("# h", "# min", "# min"),
    ),
    Task(
        level=1,
        says=(
            "The input is `hello` or `bye` and a name, such as `hello Ada`. Print `$hi` or `$bye`, and then $name.",
            "Read `hello` or `bye`, and a name, from one line. For `hello` print `$hi` and for `bye` print `$bye`, followed by $name.",
        ),
        code='let () =\n  Scanf.scanf "%s %s" (fun c name -> print_string ((if c = "hello" then "$hi" else "$bye") ^ $name))',
        gaps={
            "hi": (("Hi, ",), ("Welcome, ",), ("Good day, ",), ("Nice to see you, ",)),
            "bye": (("So long, ",), ("Take care, ",), ("See you, ",), ("Good night, ",)),
            "name": (
                ("the name", "name"),
                ("the name and `!`", 'name ^ "!"'),
                ("the name in capital letters", "String.uppercase_ascii name"),
                ("the first letter of the name and a dot", 'String.sub name 0 1 ^ "."'),
            ),
        },
        stdin=_one("hello @", "bye @"),
    ),
    Task(
        level=1,
        says=(
            "The input is a command, `double n`, `square n` or `negate n`, with a number for `n`. Print the result$more.",
            "Read one of the commands `double n`, `square n` and `negate n`, where `n` is a number, and print its result$more.",
        ),
        code='let () =\n  Scanf.scanf "%s %d" (fun c n -> print_int ($more))',
        gaps={
            "more": (
                ("", 'match c with "double" -> 2 * n | "square" -> n * n | _ -> -n'),
                (" plus $k", '$k + match c with "double" -> 2 * n | "square" -> n * n | _ -> -n'),
                (", but at most $m", 'min $m (match c with "double" -> 2 * n | "square" -> n * n | _ -> -n)'),
                (
                    " after the command was done twice",
                    'match c with "double" -> 4 * n | "square" -> n * n * n * n | _ -> n',
                ),
            ),
            "k": number(2, 30),
            "m": number(40, 70),
        },
        stdin=_one("double #", "square #", "negate #", "double -#", "square -#", "negate -#"),
    ),
    Task(
        level=2,
        says=(
            "Each line of the input is `add n` or `sub n`, with a number for `n`. Begin with $k, add or subtract the numbers, and print $what.",
            "An account holds $k. The lines of the input are `add n` and `sub n`; they add the number `n` to it or subtract it. Print $what.",
        ),
        code="let rec run x =\n  match read_line () with\n  | line -> $what\n\nlet () = run $k",
        gaps={
            "what": (
                (
                    "the value at the end",
                    'run (Scanf.sscanf line "%s %d" (fun c n -> if c = "add" then x + n else x - n))\n'
                    '  | exception End_of_file -> Printf.printf "%d\\n" x',
                ),
                (
                    "the value after each line, on a line of its own",
                    'let x = Scanf.sscanf line "%s %d" (fun c n -> if c = "add" then x + n else x - n) in\n    Printf.printf "%d\\n" x; run x\n'
                    "  | exception End_of_file -> ()",
                ),
                (
                    "the value at the end; whenever it would fall below 0, it becomes 0",
                    'run (Scanf.sscanf line "%s %d" (fun c n -> if c = "add" then x + n else max 0 (x - n)))\n'
                    '  | exception End_of_file -> Printf.printf "%d\\n" x',
                ),
                (
                    "the value before each line, and at last the value at the end, each on a line",
                    'Printf.printf "%d\\n" x;\n    run (Scanf.sscanf line "%s %d" (fun c n -> if c = "add" then x + n else x - n))\n'
                    '  | exception End_of_file -> Printf.printf "%d\\n" x',
                ),
            ),
            "k": number(0, 30),
        },
        stdin=_several("add #", "add #", "sub #"),
    ),
    Task(
        level=2,
        says=(
            "A counter begins at $k. Lines of the input are `inc`, which adds $a, `dec`, which subtracts $b, and `show`, which prints the counter on "
            "a line. $end",
            "Obey the lines of the input: `inc` adds $a to a counter, `dec` subtracts $b, `show` prints it on a line. It is $k at first. $end",
        ),
        code='let rec run x =\n  match read_line () with\n  | "inc" -> run (x + $a)\n  | "dec" -> run (x - $b)\n'
        '  | _ -> Printf.printf "%d\\n" x; run x\n  | exception End_of_file -> $end\n\nlet () = run $k',
        gaps={
            "end": (
                ("Nothing else is printed.", "()"),
                ("At the end of the input print `end`.", 'print_endline "end"'),
                ("At the end of the input print `end`, a space and the counter.", 'Printf.printf "end %d\\n" x'),
                ("At the end of the input print the counter once more.", 'Printf.printf "%d\\n" x'),
            ),
            "k": number(0, 20),
            "a": number(1, 5),
            "b": number(1, 5),
        },
        stdin=_several("inc", "dec", "show", "inc", end=""),
    ),
    Task(
        level=2,
        says=(
            "Each line of the input is `in` or `out` and a name: somebody joins a list at its front, or everybody with this name leaves it. The list "
            "is empty at first. At the end print $what.",
            "Keep a list of names, empty at first. A line `in x` puts the name `x` at its front, a line `out x` removes every `x` from it. When the "
            "input ends, print $what.",
        ),
        code="let rec run l =\n  match read_line () with\n"
        '  | line -> run (Scanf.sscanf line "%s %s" (fun c n -> if c = "in" then n :: l else List.filter (fun m -> m <> n) l))\n'
        "  | exception End_of_file -> $what\n\nlet () = run []",
        gaps={
            "what": (
                ("the names in the list, each on a line", "List.iter print_endline l"),
                ("the names in the list, the last one first, each on a line", "List.iter print_endline (List.rev l)"),
                (
                    "the names in the list on one line, with `$sep` between them",
                    'print_endline (String.concat "$sep" l)',
                ),
                (
                    "the names in the list in alphabetical order, each on a line",
                    "List.iter print_endline (List.sort compare l)",
                ),
                (
                    "the number of names in the list, then the names, each on a line",
                    'Printf.printf "%d\\n" (List.length l); List.iter print_endline l',
                ),
            ),
            "sep": ((", ",), (" ",), ("+",), ("/",), (" - ",)),
        },
        stdin=_several("in Ada", "in Ben", "in Cleo", "in Dan", "out Ada", "out Ben", "out Adam", "in Ada", "in Eva"),
    ),
    Task(
        level=2,
        says=(
            "The input has a number on each line, and 0 marks the end; lines after it do not matter. Print $what.",
            "Read numbers, one on each line, until a 0 comes, and print $what. Whatever follows is ignored.",
        ),
        code="let rec run x =\n  match read_int () with\n  | 0 -> $what\n\nlet () = run 0",
        gaps={
            "what": (
                ("the sum of the numbers before it", 'Printf.printf "%d\\n" x\n  | n -> run (x + n)'),
                ("how many numbers came before it", 'Printf.printf "%d\\n" x\n  | _ -> run (x + 1)'),
                (
                    "the greatest number before it, or 0 if none is positive",
                    'Printf.printf "%d\\n" x\n  | n -> run (max x n)',
                ),
                (
                    "the sum of the positive numbers before it",
                    'Printf.printf "%d\\n" x\n  | n -> run (if n > 0 then x + n else x)',
                ),
                (
                    "the number that came last before it, or 0 if there is none",
                    'Printf.printf "%d\\n" x\n  | n -> run n',
                ),
                (
                    "the sum of the squares of the numbers before it",
                    'Printf.printf "%d\\n" x\n  | n -> run (x + (n * n))',
                ),
                (
                    "after each number before it the sum so far, each on a line",
                    '()\n  | n -> Printf.printf "%d\\n" (x + n); run (x + n)',
                ),
                ("each number before it plus $k, each on a line", '()\n  | n -> Printf.printf "%d\\n" (n + $k); run x'),
            ),
            "k": number(1, 20),
        },
        stdin=_numbers_to_zero,
    ),
    Task(
        level=2,
        says=(
            "The lines of the input are `push n`, which puts a number on a stack, and `pop`, which takes the top off and prints it $how on a line. On "
            "an empty stack `pop` prints `$none`.",
            "Run a stack. A line `push n` pushes the number `n`; a line `pop` removes the top and prints it $how on a line, or prints `$none` if the "
            "stack is empty.",
        ),
        code="let rec run s =\n  match String.split_on_char ' ' (read_line ()), s with\n  | [ _; n ], _ -> run (int_of_string n :: s)\n"
        '  | _, [] -> print_endline "$none"; run s\n  | _, top :: rest -> Printf.printf "$how\\n" top; run rest\n'
        "  | exception End_of_file -> ()\n\nlet () = run []",
        gaps={
            "how": (
                ("alone", "%d"),
                ("after `top `", "top %d"),
                ("in parentheses", "(%d)"),
                ("with `.` after it", "%d."),
                ("after `> `", "> %d"),
            ),
            "none": (("empty",), ("nothing",), ("-",), ("no top",), ("error",)),
        },
        stdin=_several("push #", "push #", "push -#", "pop", "pop", "pop", most=8),
    ),
    Task(
        level=2,
        says=(
            "A purse holds $k coins. The first line of the input is a number `n`; the next `n` lines are payments. A payment that is greater than what "
            "is left is refused, others are taken off. Print $what.",
            "The input is a number `n` and then `n` payments, each on a line. They are made from $k coins, but one that is greater than what is left is "
            "refused. Print $what.",
        ),
        code="let () =\n  let left = ref $k in\n  for _ = 1 to read_int () do\n    let p = read_int () in\n    $what\n  done",
        gaps={
            "what": (
                (
                    "after each payment a line with the coins that are left",
                    'if p <= !left then left := !left - p;\n    Printf.printf "%d\\n" !left',
                ),
                (
                    "for each payment a line with `$yes` or, if it is refused, `$no`",
                    'if p <= !left then (left := !left - p; print_endline "$yes") else print_endline "$no"',
                ),
                (
                    "each payment that is made, on a line of its own",
                    'if p <= !left then (left := !left - p; Printf.printf "%d\\n" p)',
                ),
                (
                    "for each payment that is refused a line with the coins that are missing",
                    'if p <= !left then left := !left - p else Printf.printf "%d\\n" (p - !left)',
                ),
            ),
            "yes": (("yes",), ("paid",), ("ok",), ("done",)),
            "no": (("no",), ("refused",), ("sorry",), ("too much",)),
            "k": number(30, 90),
        },
        stdin=_payments,
    ),
)
