"""Small programs that read names and numbers and print a report: lines in a given form, sums, and tables."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Adam", "ben", "Rosalinde", "Bartholomew", "Al")
_FORMS: Gap = (
    ("the name, a colon, a space and $value", "%s: %d"),
    ("the name, a space and $value in parentheses, as in `Ada (7)`", "%s (%d)"),
    ("the name, ` has `, $value and ` points`", "%s has %d points"),
    ("the name, ` = ` and $value", "%s = %d"),
    ("the name, padded with spaces on the right to $w characters, `|`, and $value", "%-${w}s|%d"),
    ("the name, padded with spaces on the left to $w characters, `|`, and $value", "%${w}s|%d"),
    ("the name, `|`, and $value, padded with spaces on the left to $w characters", "%s|%${w}d"),
)
_VALUES: Gap = (
    ("the number", "n"),
    ("twice the number", "(2 * n)"),
    ("the number plus $k", "(n + $k)"),
    ("the square of the number", "(n * n)"),
    ("the smaller one of $m and the number", "(min $m n)"),
    ("the number divided by $d (with `/`)", "(n / $d)"),
)
_ROW: dict[str, Gap] = {
    "form": _FORMS,
    "value": _VALUES,
    "w": number(6, 12),
    "k": number(2, 20),
    "m": number(15, 30),
    "d": number(2, 5),
}


def _row(chance: Chance) -> str:
    return f"{chance.pick(_NAMES)} {chance.number(0, 40)}\n"


def _rows(chance: Chance) -> str:
    """Rows; at times two have the same number, or the same name."""
    rows = [_row(chance).split() for _ in range(chance.between(1, 6) if chance.happens(0.92) else 12)]
    if len(rows) > 1 and chance.happens(0.4):
        rows[chance.below(len(rows))][1] = chance.pick(rows)[1]
    if len(rows) > 1 and chance.happens(0.3):
        rows[-1][0] = rows[0][0]
    more = 12_000 if chance.happens(0.06) else 0
    return "".join(f"{name} {int(n) + more}\n" for name, n in rows)


def _any_row(chance: Chance) -> str:
    """A row with a number that may be negative, or large."""
    n = chance.number(-30, 40) if chance.happens(0.85) else chance.between(99, 20_000)
    return f"{chance.pick(_NAMES)} {n}\n"


def _any_rows(chance: Chance) -> str:
    return "".join(_any_row(chance) for _ in range(chance.between(1, 6)))


def _counted(chance: Chance) -> str:
    size = chance.between(1, 6) if chance.happens(0.92) else 12
    numbers = [chance.number(-9, 40) for _ in range(size)]
    if chance.happens(0.3):
        numbers[chance.below(size)] = chance.pick(numbers)
    return f"{size}\n" + "".join(f"{n}\n" for n in numbers)


def _three(chance: Chance) -> str:
    numbers = [chance.number(-9, 40) if chance.happens(0.94) else chance.between(-3_000, 3_000) for _ in range(3)]
    if chance.happens(0.2):
        numbers[chance.below(3)] = numbers[chance.below(3)]
    return " ".join(map(str, numbers)) + "\n"


def _amount(chance: Chance) -> str:
    return f"{chance.number(0, chance.pick((20, 150, 3_000, 3_000, 3_000, 90_000)))}\n"


def _size(chance: Chance) -> str:
    return f"{chance.between(1, 16)}\n"


TASKS = (
    Task(
        level=1,
        says=(
            "The input is a line with a name and a number. Print one line: $form.",
            "Read a name and a number, separated by a space. Print $form.",
        ),
        code='let () = Scanf.scanf "%s %d" (fun name n -> Printf.printf "$form\\n" name $value)',
        gaps=_ROW,
        stdin=_any_row,
    ),
    Task(
        level=1,
        says=(
            "The input is a line with three numbers. Print $what.",
            "Read three numbers, separated by spaces, from one line, and print $what.",
        ),
        code='let () =\n  Scanf.scanf "%d %d %d" (fun a b c -> Printf.printf $what)',
        gaps={
            "what": (
                ("`$sum`, a space, and their sum", '"$sum %d" (a + b + c)'),
                ("`$max`, a space, and the greatest of them", '"$max %d" (max a (max b c))'),
                ("`$min`, a space, and the smallest of them", '"$min %d" (min a (min b c))'),
                ("them in reverse order, with `$sep` between them", '"%d$sep%d$sep%d" c b a'),
                (
                    "the smallest and the greatest of them, with `$sep` between",
                    '"%d$sep%d" (min a (min b c)) (max a (max b c))',
                ),
                (
                    "the sum of the first two and the sum of the last two, with `$sep` between",
                    '"%d$sep%d" (a + b) (b + c)',
                ),
                (
                    "each of them, padded with spaces on the left to $w characters, and `|` after each",
                    '"%${w}d|%${w}d|%${w}d|" a b c',
                ),
                ("their doubles, with `$sep` between them", '"%d$sep%d$sep%d" (2 * a) (2 * b) (2 * c)'),
            ),
            "sum": (("sum",), ("total",), ("together",)),
            "max": (("max",), ("best",), ("top",)),
            "min": (("min",), ("least",), ("low",)),
            "sep": (("-",), (", ",), ("/",), (" : ",), (" < ",)),
            "w": number(4, 8),
        },
        stdin=_three,
    ),
    Task(
        level=1,
        says=(
            "The input is $what. It is not negative.",
            "Read $what. The number that is read is at least 0.",
        ),
        code="let () =\n  let n = read_int () in Printf.printf $what",
        gaps={
            "what": (
                (
                    "an amount in cents. Print it in euros, with `$sep` and two digits for the cents, as in `3${sep}05`",
                    '"%d${sep}%02d" (n / 100) (n mod 100)',
                ),
                (
                    "a duration in minutes. Print it as hours, `$sep`, and minutes with two digits, as in `3${sep}05`",
                    '"%d${sep}%02d" (n / 60) (n mod 60)',
                ),
                (
                    "a duration in minutes. Print the hours, ` h `, the minutes that remain, and ` min`",
                    '"%d h %d min" (n / 60) (n mod 60)',
                ),
                (
                    "a duration in seconds. Print the minutes, ` min `, the seconds that remain, and ` s`",
                    '"%d min %d s" (n / 60) (n mod 60)',
                ),
                (
                    "a duration in days. Print the weeks, ` weeks and `, the days that remain, and ` days`",
                    '"%d weeks and %d days" (n / 7) (n mod 7)',
                ),
                (
                    "a weight in grams. Print it in kilograms, with `$sep` and three digits, as in `3${sep}005`",
                    '"%d${sep}%03d" (n / 1000) (n mod 1000)',
                ),
                (
                    "a length in millimeters. Print the centimeters, ` cm `, the millimeters that remain, and ` mm`",
                    '"%d cm %d mm" (n / 10) (n mod 10)',
                ),
                (
                    "a number of eggs. Print how many boxes of $k they fill, ` full, `, how many are left, and ` left`",
                    '"%d full, %d left" (n / $k) (n mod $k)',
                ),
            ),
            "sep": ((".",), (",",), (":",), ("-",)),
            "k": number(4, 12),
        },
        stdin=_amount,
    ),
    Task(
        level=1,
        says=(
            "The input is a line with a name and a number from 0 to 40. Print $what.",
            "Read a name and a number (0 to 40) from one line, and print $what.",
        ),
        code='let () =\n  Scanf.scanf "%s %d" (fun name n -> Printf.printf $what)',
        gaps={
            "what": (
                ("the name, a space and a bar of that many `$c`", "\"%s %s\" name (String.make n '$c')"),
                ("a bar of that many `$c`, a space and the name", "\"%s %s\" (String.make n '$c') name"),
                (
                    "the name, a space, a bar of that many `$c`, and the number in parentheses",
                    "\"%s %s(%d)\" name (String.make n '$c') n",
                ),
                (
                    "the name, `: `, one `$c` for each full $d of the number, a space, and the number",
                    "\"%s: %s %d\" name (String.make (n / $d) '$c') n",
                ),
                (
                    "the name, a space, and `passed` if the number is at least $k, else `failed`",
                    '"%s %s" name (if n >= $k then "passed" else "failed")',
                ),
                (
                    "the name, a space, and `even` or `odd`, as the number is",
                    '"%s %s" name (if n mod 2 = 0 then "even" else "odd")',
                ),
                (
                    "the name, `: `, the number, and ` (!)` if it is more than $k",
                    '"%s: %d%s" name n (if n > $k then " (!)" else "")',
                ),
            ),
            "c": (("*",), ("#",), ("=",), ("+",), ("o",)),
            "d": number(3, 10),
            "k": number(10, 30),
        },
        stdin=_row,
    ),
    Task(
        level=1,
        says=(
            "The input has two lines, a name and a number. Print $what.",
            "Read a name from the first line and a number from the second one, and print $what.",
        ),
        code="let () =\n  let name = read_line () in let n = read_int () in Printf.printf $what",
        gaps={
            "what": (
                ("the number, `$sep`, and the name", '"%d$sep%s" n name'),
                ("the name, `$sep`, and the number with $k added", '"%s$sep%d" name (n + $k)'),
                ("the name in capital letters, `$sep`, and the number", '"%s$sep%d" (String.uppercase_ascii name) n'),
                (
                    "the name, `$sep`, and the number with $w digits, with zeros in front if needed",
                    '"%s$sep%0${w}d" name n',
                ),
                (
                    "the first letter of the name, a dot, `$sep`, and $k times the number",
                    '"%c.$sep%d" name.[0] ($k * n)',
                ),
            ),
            "sep": ((": ",), (" - ",), ("/",), (" = ",), (" has ",), (", ",)),
            "k": number(2, 30),
            "w": number(3, 6),
        },
        stdin=lambda chance: _row(chance).replace(" ", "\n"),
    ),
    Task(
        level=1,
        says=(
            "The input is a positive number `n`. Print, for each `i` from 1 to `n`, a line with $what.",
            "Read a positive number `n`. For every `i` from 1 to `n` print a line with $what.",
        ),
        code="let () = for i = 1 to read_int () do Printf.printf $what done",
        gaps={
            "what": (
                ("`i` and its square, with a space between them", '"%d %d\\n" i (i * i)'),
                ("`i`, ` x $k = `, and the product", '"%d x $k = %d\\n" i ($k * i)'),
                ("`$k`, ` + `, `i`, ` = `, and the sum", '"$k + %d = %d\\n" i ($k + i)'),
                ("`i` times the sign `$c`", "\"%s\\n\" (String.make i '$c')"),
                ("`$word`, a space and `i`", '"$word %d\\n" i'),
                (
                    "`i`, a dot, and `$k * i`, padded with spaces on the left to 6 characters",
                    '"%d.%6d\\n" i ($k * i)',
                ),
                ("`i` with two digits (`07`), a colon, a space and `i * i * i`", '"%02d: %d\\n" i (i * i * i)'),
            ),
            "k": number(2, 19),
            "c": (("*",), ("#",), ("=",), ("+",)),
            "word": (("line",), ("row",), ("page",), ("day",), ("room",)),
        },
        stdin=_size,
    ),
    Task(
        level=2,
        says=(
            "Each line of the input has a name and a number, with a space between them. Print for each a line: $form.",
            "Read lines with a name and a number to the end of the input. For every line print $form.",
        ),
        code="let rec report () =\n  match read_line () with\n"
        '  | line -> Scanf.sscanf line "%s %d" (fun name n -> Printf.printf "$form\\n" name $value); report ()\n'
        "  | exception End_of_file -> ()\n\nlet () = report ()",
        gaps=_ROW,
        stdin=_any_rows,
    ),
    Task(
        level=2,
        says=(
            "Each line of the input has a name and a number of 0 or more. When it ends, print `$word`, a space, and $what.",
            "The lines of the input are names with numbers of 0 or more, such as `Ada 12`. Read them all and print `$word`, a space, and $what.",
        ),
        code='let rec total x =\n  match read_line () with\n  | line -> total (Scanf.sscanf line "%s %d" (fun name n -> $what))\n'
        '  | exception End_of_file -> Printf.printf "$word %d\\n" x\n\nlet () = total 0',
        gaps={
            "what": (
                ("the sum of the numbers", "x + n"),
                ("the greatest number", "max x n"),
                ("the sum of the numbers of `$name`", 'if name = "$name" then x + n else x'),
                ("the sum of the numbers of all but `$name`", 'if name = "$name" then x else x + n'),
                (
                    "the greatest number of `$name`, or 0 if that name does not occur",
                    'if name = "$name" then max x n else x',
                ),
                ("how many of the numbers are at least $k", "if n >= $k then x + 1 else x"),
                ("how many of the numbers are less than $k", "if n < $k then x + 1 else x"),
                ("the last number of `$name`, or 0 if that name does not occur", 'if name = "$name" then n else x'),
                ("the sum of all numbers, none of them counted as more than $k", "x + min $k n"),
            ),
            "word": (("sum",), ("total",), ("result",), ("=",), ("all:",)),
            "name": tuple((name,) for name in _NAMES[:4]),
            "k": number(8, 30),
        },
        stdin=_rows,
    ),
    Task(
        level=2,
        says=(
            "Each line of the input has a name and a number. Print, each on a line, $which.",
            "Read lines with a name and a number to the end of the input, and print, each on a line of its own, $which.",
        ),
        code="let rec report () =\n  match read_line () with\n"
        '  | line -> Scanf.sscanf line "%s %d" (fun name n -> $which); report ()\n'
        "  | exception End_of_file -> ()\n\nlet () = report ()",
        gaps={
            "which": (
                ("the names whose number is at least $k", "if n >= $k then print_endline name"),
                ("the names whose number is less than $k", "if n < $k then print_endline name"),
                ("the numbers of `$name`", 'if name = "$name" then Printf.printf "%d\\n" n'),
                (
                    "the names and numbers of all but `$name`, with a colon between",
                    'if name <> "$name" then Printf.printf "%s:%d\\n" name n',
                ),
                (
                    "all names, with ` $mark` after those whose number is more than $k",
                    'print_endline (if n > $k then name ^ " $mark" else name)',
                ),
                (
                    "the names whose number is even, in capital letters",
                    "if n mod 2 = 0 then print_endline (String.uppercase_ascii name)",
                ),
            ),
            "name": tuple((name,) for name in _NAMES[:4]),
            "mark": (("*",), ("!",), ("(high)",), ("+",)),
            "k": number(8, 30),
        },
        stdin=_rows,
    ),
    Task(
        level=2,
        says=(
            "Each line of the input has a name and a number, and there is at least one. Print the name with the $most number, $how; of equal numbers the "
            "first counts.",
            "Who has the $most number in the input, a list of lines with a name and a number, of which there is at least one? Print the name, $how; if "
            "several are equal take the first.",
        ),
        code='let rec best name n =\n  match Scanf.scanf " %s %d" (fun a m -> (a, m)) with\n  | a, m -> if m $most n then best a m else best name n\n'
        '  | exception End_of_file -> Printf.printf "$how\\n" name n\n\nlet () = Scanf.scanf "%s %d" best',
        gaps={
            "most": (("greatest", ">"), ("smallest", "<")),
            "how": (
                ("a colon, a space and the number", "%s: %d"),
                ("a space and the number in parentheses", "%s (%d)"),
                ("` with ` and the number", "%s with %d"),
                ("` = ` and the number", "%s = %d"),
            ),
        },
        stdin=_rows,
    ),
    Task(
        level=2,
        says=(
            "The input is a number `n`, which is positive, and then `n` numbers, each on a line. Print $what.",
            "Read a positive number `n`, then `n` further numbers, each on a line of its own. Print $what.",
        ),
        code="let () =\n  let n = read_int () in\n  let l = List.init n (fun _ -> read_int ()) in\n  $what",
        gaps={
            "what": (
                ("`$word`, a space, and their sum", 'Printf.printf "$word %d" (List.fold_left ( + ) 0 l)'),
                (
                    "their average, rounded towards zero with `/`, and the word `$word` after a space",
                    'Printf.printf "%d $word" (List.fold_left ( + ) 0 l / n)',
                ),
                (
                    "those that are greater than the first one, each on a line, and then `$word`",
                    'List.iter (fun x -> if x > List.hd l then Printf.printf "%d\\n" x) l;\n  print_endline "$word"',
                ),
                (
                    "them in ascending order, each on a line, and then `$word`",
                    'List.iter (fun x -> Printf.printf "%d\\n" x) (List.sort compare l);\n  print_endline "$word"',
                ),
                (
                    "them in reverse order on one line, with spaces between them",
                    'print_endline (String.concat " " (List.rev_map string_of_int l))',
                ),
                (
                    "each of them on a line, minus the first one",
                    'List.iter (fun x -> Printf.printf "%d\\n" (x - List.hd l)) l',
                ),
                (
                    "how many of them are negative, a space, and how many are greater than $k",
                    'let count test = List.length (List.filter test l) in\n  Printf.printf "%d %d" (count (fun x -> x < 0)) (count (fun x -> x > $k))',
                ),
            ),
            "word": (("sum",), ("total",), ("end",), ("done",), ("all",)),
            "k": number(5, 25),
        },
        stdin=_counted,
    ),
    Task(
        level=2,
        says=(
            "Each line of the input has a name and a number, such as `Ada 12`. Print for each line $what. The sum begins with $k.",
            "Keep a sum, which is $k at first. For each line of the input, a name and a number, print $what.",
        ),
        code="let rec report sum =\n  match read_line () with\n"
        '  | line -> Scanf.sscanf line "%s %d" (fun name n -> Printf.printf $what report (sum + n))\n'
        "  | exception End_of_file -> ()\n\nlet () = report $k",
        gaps={
            "what": (
                ("the name, a space, and the sum so far, this line included", '"%s %d\\n" name (sum + n);'),
                ("the sum so far, this line included, a space, and the name", '"%d %s\\n" (sum + n) name;'),
                ("the name, a space, and the sum before its number is added", '"%s %d\\n" name sum;'),
                (
                    "the name, the number, and the sum so far, this line included, with spaces between them",
                    '"%s %d %d\\n" name n (sum + n);',
                ),
                (
                    "the name, a colon, and the sum so far, this line included, padded with spaces on the left to $w characters",
                    '"%s:%${w}d\\n" name (sum + n);',
                ),
            ),
            "k": number(0, 20),
            "w": number(4, 8),
        },
        stdin=_rows,
    ),
)
