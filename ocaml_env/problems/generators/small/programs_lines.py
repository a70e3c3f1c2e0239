"""Small programs that read lines of text, change them and print the results."""

from __future__ import annotations

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.task import Gap, Task, number

__all__ = ["TASKS"]

_LINE_MAPS: Gap = (
    ("in capital letters", "String.uppercase_ascii line"),
    ("in small letters", "String.lowercase_ascii line"),
    (
        "in small letters, except for the first character, which is made a capital,",
        "String.capitalize_ascii (String.lowercase_ascii line)",
    ),
    ("between stars, without spaces at its beginning and end", '"*" ^ String.trim line ^ "*"'),
    ("in $brackets", '"$brackets'),
    ("with `$mark` after it", 'line ^ "$mark"'),
    ("with `$mark` and a space before it", '"$mark " ^ line'),
    ("twice, with a space between", 'line ^ " " ^ line'),
    ("with every space replaced by `$mark`", "String.map (fun c -> if c = ' ' then '$mark' else c) line"),
)
_GAPS: dict[str, Gap] = {
    "map": _LINE_MAPS,
    "brackets": tuple(
        (f"brackets: `{a}` before and `{b}` after it", f'{a}" ^ line ^ "{b}"') for a, b in ("()", "[]", "<>", "{}")
    ),
    "mark": tuple((sign,) for sign in "!?-*#+=~@&"),
}
_KEPT: Gap = (
    ("are longer than $k characters", "String.length line > $k"),
    ("are shorter than $k characters", "String.length line < $k"),
    ("are not empty", 'line <> ""'),
    ("do not contain `$c`", "not (String.contains line '$c')"),
    ("contain `$c`", "String.contains line '$c'"),
)


def _phrase(chance: Chance, most: int = 4) -> str:
    """Some words, not all in small letters."""
    words = [chance.pick(WORDS) for _ in range(chance.between(1, most))]
    made = [chance.pick((word, word, word.capitalize(), word.upper())) for word in words]
    if chance.happens(0.15):
        made[chance.below(len(made))] = chance.pick(("42", "a1", "x-y", "No!", "(e)", "o'l", "I"))
    return " ".join(made)


def _line(chance: Chance) -> str:
    if chance.happens(0.06):
        return chance.pick(("", " ", "a", "E")) + "\n"
    line = chance.pick(("{}", "{}", "  {}", "{}  ", " {}  ")).format(_phrase(chance, 6))
    return (line.replace(" ", "  ", 1) if chance.happens(0.15) else line) + "\n"


def _two_lines(chance: Chance) -> str:
    lines = [chance.pick(("", " ")) if chance.happens(0.07) else _phrase(chance, 2) for _ in range(2)]
    if chance.happens(0.1):
        lines[1] = lines[0]
    return "".join(f"{line}\n" for line in lines)


def _words(chance: Chance) -> str:
    words = [chance.pick(WORDS) for _ in range(chance.between(2, 6) if chance.happens(0.92) else 12)]
    words = [word.capitalize() if chance.happens(0.12) else word for word in words]
    if chance.happens(0.4):
        words[chance.below(len(words))] = chance.pick(words)
    return " ".join(words) + "\n"


def _word_and_number(chance: Chance) -> str:
    return f"{chance.pick(WORDS)} {chance.between(1, 6) if chance.happens(0.9) else chance.between(9, 15)}\n"


def _lines(chance: Chance) -> str:
    return "" if chance.happens(0.03) else _some_lines(chance)


def _some_lines(chance: Chance) -> str:
    """At least one line; some may be empty, equal, or equally long."""
    count = chance.between(1, 6) if chance.happens(0.92) else 12
    made = [chance.pick(("{}", "{}", "{}", " {}", "{} ", "")).format(_phrase(chance, 3)) for _ in range(count)]
    if len(made) > 2 and chance.happens(0.4):
        made[chance.between(1, len(made) - 1)] = made[0]
    elif len(made) > 1 and chance.happens(0.4):
        size = chance.between(3, 6)
        made = [chance.pick([word for word in WORDS if size <= len(word) <= size + 1]) for _ in made]
    return "".join(f"{line}\n" for line in made)


def _counted(chance: Chance) -> str:
    size = chance.between(1, 5) if chance.happens(0.94) else 0
    return f"{size}\n" + "".join(
        f"{chance.pick(('', '', ' '))}{_phrase(chance, 2)}\n" for _ in range(size + chance.between(0, 2))
    )


TASKS = (
    Task(
        level=1,
        says=(
            "Read one line from standard input and print it $map.",
            "The input is a line of text. Write a program that prints this line $map.",
            "Write a program that reads a line and prints it $map.",
        ),
        code="let () =\n  let line = read_line () in print_endline ($map)",
        gaps=_GAPS,
        stdin=_line,
    ),
    Task(
        level=1,
        says=(
            "The input is a line with a name. Print, on one line, `$hello`, $then `$end`.",
            "Write a program that reads a name (a whole line) and prints one line: `$hello`, $then `$end`.",
        ),
        code='let () = Printf.printf "$hello%s$end\\n" ($then)',
        gaps={
            "hello": (("Hello, ",), ("Good morning, ",), ("Welcome, ",), ("Dear ",), ("Name: ",), ("This is ",)),
            "then": (
                ("the name, and", "read_line ()"),
                ("the name in capital letters, and", "String.uppercase_ascii (read_line ())"),
                ("the name in small letters, and", "String.lowercase_ascii (read_line ())"),
                ("the first character of the name, and", "String.sub (read_line ()) 0 1"),
            ),
            "end": (("!",), (".",), (", how are you?",), (" (1)",)),
        },
        stdin=_line,
    ),
    Task(
        level=1,
        says=(
            "The input has two lines. Print $what.",
            "Read two lines of text and print $what.",
        ),
        code="let () =\n  let a = read_line () in let b = read_line () in $what",
        gaps={
            "what": (
                ("them on one line, with `$sep` between them", 'print_endline (a ^ "$sep" ^ b)'),
                ("them on one line, the second one first, with `$sep` between them", 'print_endline (b ^ "$sep" ^ a)'),
                ("them in reverse order, each on a line", "print_endline b; print_endline a"),
                (
                    "the first one, then the second one, then the first one again, each on a line",
                    "List.iter print_endline [ a; b; a ]",
                ),
                ("the number of characters of both together", "print_int (String.length a + String.length b)"),
                ("the length of the longer one", "print_int (max (String.length a) (String.length b))"),
                (
                    "the one that comes first in the order of `compare`, followed by `$sep`",
                    'print_endline (min a b ^ "$sep")',
                ),
            ),
            "sep": (("-",), (", ",), (" and ",), ("/",), (" + ",), (": ",)),
        },
        stdin=_two_lines,
    ),
    Task(
        level=1,
        says=(
            "The input is a line of text. Print $what.",
            "Write a program that reads one line and prints $what.",
        ),
        code="let () = print_int ($what)",
        gaps={
            "what": (
                ("the number of its characters", "String.length (read_line ())"),
                (
                    "how many spaces it contains",
                    "String.fold_left (fun n c -> if c = ' ' then n + 1 else n) 0 (read_line ())",
                ),
                (
                    "how often `$c` occurs in it",
                    "String.fold_left (fun n c -> if c = '$c' then n + 1 else n) 0 (read_line ())",
                ),
                (
                    "the number of its capital letters",
                    "String.fold_left (fun n c -> if c >= 'A' && c <= 'Z' then n + 1 else n) 0 (read_line ())",
                ),
                (
                    "the number of its characters without the spaces at its beginning and end",
                    "String.length (String.trim (read_line ()))",
                ),
            ),
            "c": (("a",), ("e",), ("i",), ("l",), ("o",)),
        },
        stdin=_line,
    ),
    Task(
        level=1,
        says=(
            "The input is a line of words with single spaces between them. Print $what.",
            "Read a line of at least two words, each separated from the next by one space, and print $what.",
        ),
        code="let () =\n  let words = String.split_on_char ' ' (read_line ()) in $what",
        gaps={
            "what": (
                (
                    "each word on a line of its own, after `$mark` and a space",
                    'List.iter (fun w -> print_endline ("$mark " ^ w)) words',
                ),
                ("the words in reverse order, each on a line", "List.iter print_endline (List.rev words)"),
                (
                    "the words in alphabetical order, each on a line",
                    "List.iter print_endline (List.sort compare words)",
                ),
                ("the words on one line, with `$sep` between them", 'print_endline (String.concat "$sep" words)'),
                (
                    "the words in reverse order on one line, with `$sep` between them",
                    'print_endline (String.concat "$sep" (List.rev words))',
                ),
                (
                    "the number of words and the number of different words, with a space between the two",
                    'Printf.printf "%d %d" (List.length words) (List.length (List.sort_uniq compare words))',
                ),
                (
                    "the first word and the second word, with `$sep` between them",
                    'print_endline (List.hd words ^ "$sep" ^ List.nth words 1)',
                ),
                (
                    "the length of each word on a line of its own",
                    'List.iter (fun w -> Printf.printf "%d\\n" (String.length w)) words',
                ),
            ),
            "mark": (("-",), ("*",), ("+",), (">",), ("#",)),
            "sep": (("-",), (", ",), ("/",), (" + ",), ("_",), (" < ",)),
        },
        stdin=_words,
    ),
    Task(
        level=1,
        says=(
            "The input is a line with a word, a space, and a positive number. Print $what.",
            "Read a word and a positive number, which are on one line with a space between them, and print $what.",
        ),
        code='let () =\n  Scanf.scanf "%s %d" (fun word n -> $what)',
        gaps={
            "what": (
                ("the word that many times, each on a line", "for _ = 1 to n do print_endline word done"),
                (
                    "the word that many times on one line, each followed by `$mark`",
                    'for _ = 1 to n do print_string (word ^ "$mark") done',
                ),
                ("the number, then the word, with a space between them", 'Printf.printf "%d %s" n word'),
                (
                    "the word between two rows of that many `$mark`, without spaces",
                    "let row = String.make n '$mark' in print_endline (row ^ word ^ row)",
                ),
                ("the word followed by that many `$mark`", "print_endline (word ^ String.make n '$mark')"),
                (
                    "the numbers from 1 to that number, each on a line after the word and a space",
                    'for i = 1 to n do Printf.printf "%s %d\\n" word i done',
                ),
            ),
            "mark": (("!",), ("?",), ("-",), ("*",), ("#",), ("+",)),
        },
        stdin=_word_and_number,
    ),
    Task(
        level=2,
        says=(
            "Read all lines of the input and print each of them $map.",
            "Write a program that copies its input, line by line, to the output: every line is printed $map.",
        ),
        code="let rec copy () =\n  match read_line () with\n  | line -> print_endline ($map); copy ()\n  | exception End_of_file -> ()\n\n"
        "let () = copy ()",
        gaps=_GAPS,
        stdin=_lines,
    ),
    Task(
        level=2,
        says=(
            "Read all lines of the input and print those that $kept, in the same order. Then print `$word`, a space, and how many they are.",
            "Write a program that reads lines to the end of the input. It prints the lines that $kept, and at last a line with `$word`, "
            "a space and the number of these lines.",
        ),
        code="let rec copy n =\n  match read_line () with\n  | line when $kept -> print_endline line; copy (n + 1)\n  | _ -> copy n\n"
        '  | exception End_of_file -> Printf.printf "$word %d\\n" n\n\nlet () = copy 0',
        gaps={
            "kept": _KEPT,
            "word": (("total",), ("lines",), ("printed",), ("end",), ("count",)),
            "k": number(6, 12),
            "c": (("a",), ("e",), ("r",), ("l",)),
        },
        stdin=_lines,
    ),
    Task(
        level=2,
        says=(
            "Print all lines of the input with their numbers: $how, then the line. The first line has the number $first.",
            "Number the lines of the input, beginning with $first. Each line is printed after $how.",
        ),
        code='let rec number n =\n  match read_line () with\n  | line -> Printf.printf "$how%s\\n" n line; number (n + 1)\n'
        "  | exception End_of_file -> ()\n\nlet () = number $first",
        gaps={
            "how": (
                ("the number, a colon and a space", "%d: "),
                ("the number, a dot and a space", "%d. "),
                ("the number in parentheses and a space", "(%d) "),
                ("the number, filled up with spaces on the left to 3 characters, and a space", "%3d "),
                ("the number with two digits at least (`07`) and a space", "%02d "),
            ),
            "first": (("1",), ("0",), ("10",), ("100",)),
        },
        stdin=_lines,
    ),
    Task(
        level=2,
        says=(
            "Read all lines of the input and print $what.",
            "Write a program that reads lines up to the end of the input. It prints $what.",
        ),
        code="let rec read lines =\n  match read_line () with\n  | line -> read (line :: lines)\n  | exception End_of_file -> lines\n\n"
        "let () = $what",
        gaps={
            "what": (
                ("them in reverse order", "List.iter print_endline (read [])"),
                (
                    "them in ascending order, as `compare` has it",
                    "List.iter print_endline (List.sort compare (read []))",
                ),
                (
                    "the different ones among them, in ascending order (of `compare`)",
                    "List.iter print_endline (List.sort_uniq compare (read []))",
                ),
                (
                    "their number, a space, and the number of all their characters, line breaks not counted",
                    'let lines = read [] in\n  Printf.printf "%d %d" (List.length lines) (String.length (String.concat "" lines))',
                ),
                (
                    "them on one line, the last one first, with `$sep` between them",
                    'print_endline (String.concat "$sep" (read []))',
                ),
                (
                    "the lengths of the lines, the last line first, each on a line",
                    'List.iter (fun l -> Printf.printf "%d\\n" (String.length l)) (read [])',
                ),
            ),
            "sep": (("-",), (", ",), ("/",), (" + ",), ("_",)),
        },
        stdin=_lines,
    ),
    Task(
        level=2,
        says=(
            "The first line of the input is a number `n`, and at least `n` lines of text follow. Print the first `n` of these $map.",
            "Read a number `n` and then `n` lines (there may be further ones, which do not matter). Print each of the `n` lines $map.",
        ),
        code="let () =\n  let n = read_int () in\n  for _ = 1 to n do\n    let line = read_line () in\n    print_endline ($map)\n  done",
        gaps=_GAPS,
        stdin=_counted,
    ),
    Task(
        level=2,
        says=(
            "Read all lines of the input and print the $longest one, followed by `$mark`; of equally long ones take the $first. The input is not "
            "empty.",
            "Which line of the input is the $longest? Print it with `$mark` after it. If several are equally long, the $first of them counts. There is "
            "at least one line.",
        ),
        code="let rec best line =\n  match read_line () with\n  | next -> best (if String.length next $longest String.length line then next else line)\n"
        '  | exception End_of_file -> line\n\nlet () = print_endline (best (read_line ()) ^ "$mark")',
        gaps={
            "longest": (("longest", ">"), ("shortest", "<")),
            "first": (("first",),),
            "mark": (("!",), ("?",), (" *",), (" #",), (" (found)",)),
        },
        stdin=_some_lines,
    ),
)
