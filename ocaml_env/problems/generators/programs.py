"""Families of programs that read standard input and write standard output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs, printed
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import MODULO, Op, int_join, int_map, int_test
from ocaml_env.problems.generators.letters import some_text, string_map, string_test
from ocaml_env.problems.generators.lines import NUMBER, READ, WORDS, read_number
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs

__all__ = ["FAMILIES"]

_FEW = ("ash", "bee", "cod", "dune", "elm", "fig", "gnu", "hen", "ivy", "oak")

# --- reports ----------------------------------------------------------------------------------------------------------


class _Column(NamedTuple):
    """A number of a group, from its numbers."""

    title: str
    words: str
    ocaml: str
    run: Callable[[Sequence[int]], int]
    helpers: tuple[str, ...] = ()


def _report(chance: Chance, level: int) -> Draft:
    image = int_map(chance)
    dropped = int_test(chance)
    columns = [make(chance) for make in chance.sample(_COLUMNS, (1, 1, 2, 2, 3)[level - 1])]
    order = chance.pick(("first", "name", "value"))
    aligned = level >= 2 and chance.happens(0.6)
    header = level >= 3
    footer = level >= 4
    gap = chance.pick((" ", "  ", " | ", ": "))
    fill = chance.pick((" ", ".")) if aligned else " "
    empty = chance.pick(("nothing", "no data", "empty", "-"))

    def run(lines: Sequence[str]) -> str:
        groups: dict[str, list[int]] = {}
        bad = 0
        for line in lines:
            parts = line.split()
            if not parts:
                continue
            value = read_number(parts[1]) if len(parts) == 2 else None
            if value is None:
                bad += 1
            elif not dropped.run(value):
                groups.setdefault(parts[0], []).append(image.run(value))
        rows = [(name, [column.run(values) for column in columns]) for name, values in groups.items()]
        if order == "name":
            rows = sorted(rows)
        elif order == "value":
            rows = sorted(sorted(rows), key=lambda row: -row[1][0])
        table = [[name, *map(str, values)] for name, values in rows]
        if header:
            table.insert(0, ["name", *(column.title for column in columns)])
        made = [empty] if not rows else _laid_out(table, gap, fill, aligned=aligned)
        if footer:
            made.append(f"groups {len(rows)}, bad lines {bad}")
        return "\n".join(made) + "\n"

    def draw() -> list[str]:
        names = chance.sample(_FEW, 4)
        lines = [f"{chance.pick(names)} {chance.number(-9, 40)}" for _ in range(chance.between(3, 8))]
        if chance.happens(0.5):
            lines.insert(
                chance.below(len(lines)), chance.pick(("", "  ", "oak", "oak x", "1 2 3", "elm 4 5", "fig 1.5"))
            )
        if chance.happens(0.3):
            lines[0] = f"  {lines[0].replace(' ', '   ')} "
        return lines

    if sum(empty not in run(draw()) for _ in range(8)) < 6:
        raise Unfit
    parts = [
        "Lines that hold nothing but spaces are skipped. A good line holds two words, with one or more spaces between "
        "them and "
        "perhaps around them: a name, and an integer (an optional `-` and one to six decimal digits). All other lines "
        "are bad; " + ("they are only counted." if footer else "they are skipped."),
        f"Leave out the good lines with an integer `x` such that {dropped.say()}, and replace the integer `x` of each "
        "of the others "
        f"by {image.say()}. All lines with the same name make a group, which has these integers in their order.",
        "For each group compute: " + "; ".join(column.words for column in columns) + ".",
        {
            "first": "The groups are in the order in which their names first occur in the lines that are left.",
            "name": "The groups are in ascending order of their names (that of `compare`).",
            "value": "The groups are in descending order of the first of these numbers; where that is equal, in "
            "ascending order of "
            "their names.",
        }[order],
    ]
    row = f"its name and its {'number' if len(columns) == 1 else 'numbers'}, with `{gap}` between each two"
    layout = f"Print a line for each group: {row}."
    if header:
        titles = gap.join(["name", *(column.title for column in columns)])
        layout += f" Before them print the line `{titles}`, as a row like the others."
    if aligned:
        filler = "spaces" if fill == " " else f"`{fill}`"
        layout += (
            f" The entries of a column are filled up with {filler} to the length of the longest one of all rows: the "
            "first column on "
            "the right of the entry, the others on the left."
        )
    ending = f"If there are no groups, print the line `{empty}` instead of all that."
    if footer:
        ending += (
            " At the end print the line `groups N, bad lines M`, with the number of groups and of bad lines; "
            "print it in any case."
        )
    code = _report_code(dropped, image, columns, order, gap, fill, empty, aligned=aligned, header=header, footer=footer)

    def cases() -> Iterator[Case]:
        edges = [
            ["oak 3"],
            ["oak 3"] * 4,
            ["", " "],
            ["oak"],
            ["bee 10", "ash 10", "bee -4"],
            ["hen 000012", "hen -", "hen 1234567"],
        ]
        for lines in inputs(draw, edges):
            yield printed("\n".join(lines) + "\n", run(lines))

    return Draft(
        name="",
        kind="program",
        statement=paragraphs(
            "Write a program that reads lines with a name and an integer, and prints a report of them.",
            numbered(parts),
            f"{layout} {ending}",
        ),
        reference=code,
        cases=cases(),
    )


def _laid_out(table: Sequence[Sequence[str]], gap: str, fill: str, *, aligned: bool) -> list[str]:
    if not aligned:
        return [gap.join(row) for row in table]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        gap.join(
            entry.ljust(width, fill) if i == 0 else entry.rjust(width, fill)
            for i, (entry, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    ]


def _c_sum(chance: Chance) -> _Column:
    k = chance.between(0, 9)
    extra = f" plus {k}" if k else ""
    return _Column("sum", f"the sum of its integers{extra}", f"List.fold_left ( + ) {k} ns", lambda v: sum(v) + k)


def _c_count(chance: Chance) -> _Column:
    k = chance.between(2, 5)
    return _Column("count", f"{k} times the number of its integers", f"{k} * List.length ns", lambda v: k * len(v))


def _c_range(chance: Chance) -> _Column:
    return _Column(
        "range",
        "its greatest integer minus its smallest one",
        "List.fold_left max (List.hd ns) ns - List.fold_left min (List.hd ns) ns",
        lambda v: max(v) - min(v),
    )


def _c_ends(chance: Chance) -> _Column:
    op = int_join(chance)
    return _Column(
        "ends",
        f"what its first integer as `x` and its last one as `y` make, {op.say()}",
        f"let x = List.hd ns and y = List.hd (List.rev ns) in {op.code()}",
        lambda v: op.run(v[0], v[-1]),
        op.helpers,
    )


def _c_such(chance: Chance) -> _Column:
    test = int_test(chance)
    return _Column(
        "such",
        f"how many of its integers `x` are such that {test.say()}",
        f"List.length (List.filter (fun x -> {test.code()}) ns)",
        lambda v: sum(1 for x in v if test.run(x)),
        test.helpers,
    )


_COLUMNS = (_c_sum, _c_count, _c_range, _c_ends, _c_such)


def _report_code(
    dropped: Op,
    image: Op,
    columns: Sequence[_Column],
    order: str,
    gap: str,
    fill: str,
    empty: str,
    *,
    aligned: bool,
    header: bool,
    footer: bool,
) -> str:
    values = "; ".join(f"({column.ocaml})" for column in columns)
    sort = {
        "first": "",
        "name": "  let rows = List.sort compare rows in\n",
        "value": "  let rows = List.sort (fun (m, a) (n, b) -> compare (List.hd b, m) (List.hd a, n)) rows in\n",
    }[order]
    titles = "; ".join(f'"{column.title}"' for column in columns)
    heads = f'[ "name"; {titles} ] :: table' if header else "table"
    layout = "String.concat gap row"
    widths = ""
    if aligned:
        widths = """
      let width i = List.fold_left (fun best row -> max best (String.length (List.nth row i))) 0 table in
      let pad i entry =
        let missing = String.make (width i - String.length entry) fill in
        if i = 0 then entry ^ missing else missing ^ entry
      in"""
        layout = "String.concat gap (List.mapi pad row)"
    fill_code = f"let fill = '{fill}'" if aligned else ""
    closing = '\n  Printf.printf "groups %d, bad lines %d\\n" (List.length rows) !bad' if footer else ""
    main = f"""\
let () =
  let table = Hashtbl.create 16 and names = ref [] and bad = ref 0 in
  let add name x =
    if not (Hashtbl.mem table name) then names := name :: !names;
    Hashtbl.replace table name (x :: Option.value (Hashtbl.find_opt table name) ~default:[])
  in
  let read line =
    match words line with
    | [] -> ()
    | [ name; word ] -> (
      match number word with
      | None -> incr bad
      | Some x -> if not ({dropped.code()}) then add name ({image.code()}))
    | _ -> incr bad
  in
  List.iter read (read_lines []);
  let row name =
    let ns = List.rev (Hashtbl.find table name) in
    (name, [ {values} ])
  in
  let rows = List.rev_map row !names in
{sort}  (match rows with
   | [] -> print_endline "{empty}"
   | _ ->
      let table = List.map (fun (name, values) -> name :: List.map string_of_int values) rows in
      let table = {heads} in{widths}
      List.iter (fun row -> print_endline ({layout})) table){";" if footer else ""}{closing}"""
    helpers = [h for column in columns for h in column.helpers]
    return module(READ, WORDS, NUMBER, dropped.helpers, image.helpers, helpers, f'let gap = "{gap}"', fill_code, main)


# --- commands ---------------------------------------------------------------------------------------------------------


class _Command(NamedTuple):
    """A command of a calculator: ``x`` is its argument, ``a`` the value, ``m`` the memory.

    ``ocaml`` is the pair of the new value and memory; a command that prints has its own code.
    """

    name: str
    takes: bool
    words: str
    ocaml: str
    run: Callable[[int, int, int, list[str]], tuple[int, int]]
    helpers: tuple[str, ...] = ()


def _commands(chance: Chance, level: int) -> Draft:
    commands = [make(chance) for make in chance.sample(_COMMANDS, (3, 4, 5, 6, 7)[level - 1])]
    commands.append(_print_command(chance))
    start, memory = chance.between(0, 9), chance.between(0, 9)
    limit = chance.pick((100, 128, 256, 500, 1000))
    numbered_errors = level >= 3
    comments = chance.pick("#;%") if level >= 2 else ""
    final = chance.pick(("end", "done", "result", "bye"))
    by_name = {command.name: command for command in commands}

    def run(lines: Sequence[str]) -> str:
        a, m = start, memory
        out: list[str] = []
        for number, line in enumerate(lines, start=1):
            words = line.split()
            if not words or (comments and words[0].startswith(comments)):
                continue
            command = by_name.get(words[0])
            x = read_number(words[1]) if len(words) == 2 else 0
            if command is None or len(words) != 1 + command.takes or x is None:
                out.append(f"error in line {number}" if numbered_errors else "error")
                continue
            a, m = command.run(a, m, x, out)
            a, m = a % limit, m % limit
        return "\n".join([*out, f"{final} {a}"]) + "\n"

    def draw() -> list[str]:
        lines = []
        for _ in range(chance.between(3, 9)):
            command = chance.pick(commands)
            lines.append(f"{command.name} {chance.number(-5, 25)}" if command.takes else command.name)
        if chance.happens(0.4):
            wrong = (f"{commands[0].name} 1 2", "what", commands[-1].name + " 3", f"{commands[0].name} x", "")
            lines.insert(chance.below(len(lines) + 1), chance.pick(wrong))
        if comments and chance.happens(0.4):
            lines.insert(chance.below(len(lines)), f"{comments} {commands[0].name} 4")
        return lines

    tried = [draw() for _ in range(12)]
    for command in commands:
        without = [[line for line in lines if line.split()[:1] != [command.name]] for lines in tried]
        if all(run(a) == run(b) for a, b in zip(tried, without, strict=True)):
            raise Unfit
    lines = [f"`{command.name}{' X' if command.takes else ''}` {command.words}." for command in commands]
    skipped = "Lines that hold nothing but spaces are skipped" + (
        f", and so are lines whose first character that is not a space is `{comments}`." if comments else "."
    )
    error = (
        "error in line N` with the number of the line, counted from 1, skipped lines included"
        if numbered_errors
        else "error`"
    )
    arms = []
    for command in commands:
        pattern = f'[ "{command.name}"; _ ]' if command.takes else f'[ "{command.name}" ]'
        arms.append(f"    | {pattern} -> Some ({command.ocaml})")
    arms_code = "\n".join(arms)
    comment_code = f"\n    | word :: _ when word.[0] = '{comments}' -> ()" if comments else ""
    complaint = 'Printf.printf "error in line %d\\n" (i + 1)' if numbered_errors else 'print_endline "error"'
    main = f"""\
let () =
  let state = ref ({start}, {memory}) in
  let wrap n = modulo n {limit} in
  let obey (a, m) x = function
{arms_code}
    | _ -> None
  in
  let read {"i" if numbered_errors else "_"} line =
    match words line with
    | [] -> (){comment_code}
    | all -> (
      let x = match all with [ _; word ] -> number word | _ -> Some 0 in
      match Option.bind x (fun x -> obey !state x all) with
      | Some (a, m) -> state := (wrap a, wrap m)
      | None -> {complaint})
  in
  List.iteri read (read_lines []);
  Printf.printf "{final} %d\\n" (fst !state)"""

    def cases() -> Iterator[Case]:
        edges = [[""], [commands[-1].name], ["  " + commands[-1].name + " "], ["nonsense"], [commands[-1].name] * 3]
        for given in inputs(draw, edges):
            yield printed("\n".join(given) + "\n", run(given))

    return Draft(
        name="",
        kind="program",
        statement=paragraphs(
            f"Write a program that obeys commands, one a line. It keeps a value `a`, at first {start}, and a memory "
            "`m`, at first "
            f"{memory}. A command is a word, some with an integer `X` behind it (an optional `-` and one to six "
            "decimal digits); "
            "between the words there are one or more spaces, and there may be spaces around them:",
            bullets(lines),
            f"After each command `a` and `m` are replaced by their remainders divided by {limit}, from 0 to "
            f"{limit - 1} even where "
            f"they are negative. {skipped} For a line that is no such command, be it an unknown word, a missing or a "
            "further word, "
            f"or something else than an integer, print `{error}, and change nothing.",
            f"At the end print `{final}`, a space, and `a`. Everything that is printed stands on a line of its own.",
        ),
        reference=module(READ, WORDS, MODULO, NUMBER, [h for command in commands for h in command.helpers], main),
        cases=cases(),
    )


def _k_add(chance: Chance) -> _Command:
    name, op = chance.pick(("add", "mix", "put")), int_join(chance)
    return _Command(
        name, True, f"makes `a` {op.say('a', 'X')}", f"{op.code('a', 'x')}, m", lambda a, m, x, out: (op.run(a, x), m),
        op.helpers,
    )  # fmt: skip


def _k_change(chance: Chance) -> _Command:
    name, op = chance.pick(("turn", "step", "bend")), int_map(chance)
    return _Command(
        name, False, f"makes `a` {op.say('a')}", f"{op.code('a')}, m", lambda a, m, x, out: (op.run(a), m), op.helpers
    )


def _k_store(chance: Chance) -> _Command:
    op = int_map(chance)
    return _Command(
        "store",
        False,
        f"makes `m` {op.say('a')}",
        f"a, {op.code('a')}",
        lambda a, m, x, out: (a, op.run(a)),
        op.helpers,
    )


def _k_recall(chance: Chance) -> _Command:
    op = int_join(chance)
    return _Command(
        "recall", False, f"makes `a` {op.say('a', 'm')}", f"{op.code('a', 'm')}, m",
        lambda a, m, x, out: (op.run(a, m), m), op.helpers,
    )  # fmt: skip


def _k_swap(chance: Chance) -> _Command:
    return _Command("swap", False, "exchanges `a` and `m`", "m, a", lambda a, m, x, out: (m, a))


def _k_set(chance: Chance) -> _Command:
    op = int_map(chance)
    return _Command(
        "set", True, f"makes `a` {op.say('X')}", f"{op.code('x')}, m", lambda a, m, x, out: (op.run(x), m), op.helpers
    )


def _k_if(chance: Chance) -> _Command:
    test, op = int_test(chance), int_join(chance)
    return _Command(
        "when", True, f"makes `a` {op.say('a', 'X')} if {test.say('a')}, and changes nothing otherwise",
        f"(if {test.code('a')} then {op.code('a', 'x')} else a), m",
        lambda a, m, x, out: (op.run(a, x) if test.run(a) else a, m), test.helpers + op.helpers,
    )  # fmt: skip


def _k_sum(chance: Chance) -> _Command:
    op = int_join(chance)
    return _Command(
        "collect", True, f"makes `m` {op.say('m', 'X')}, and then `a` the sum of `a` and the new `m`",
        f"let m = {op.code('m', 'x')} in (a + m, m)", lambda a, m, x, out: (a + op.run(m, x), op.run(m, x)), op.helpers,
    )  # fmt: skip


_COMMANDS = (_k_add, _k_change, _k_store, _k_recall, _k_swap, _k_set, _k_if, _k_sum)


def _print_command(chance: Chance) -> _Command:
    op = int_map(chance)

    def run(a: int, m: int, x: int, out: list[str]) -> tuple[int, int]:
        out.append(f"{op.run(a)} {m}")
        return a, m

    return _Command(
        "print", False, f"prints two numbers with a space between them: {op.say('a')}; and `m`",
        f'Printf.printf "%d %d\\n" ({op.code("a")}) m; (a, m)', run, op.helpers,
    )  # fmt: skip


# --- lines of text ----------------------------------------------------------------------------------------------------


def _lines(chance: Chance, level: int) -> Draft:
    steps = [make(chance) for make in chance.sample(_LINE_STEPS, (2, 2, 3, 4, 5)[level - 1])]
    number = _numbering(chance) if level >= 2 else None
    closing = _closing(chance)

    def applied(used: Sequence[Op], lines: Sequence[str]) -> list[str]:
        made = list(lines)
        for step in used:
            made = step.run(made)
        return made

    def run(lines: Sequence[str]) -> str:
        made = applied(steps, lines)
        shown = [number.run(i, line) for i, line in enumerate(made, start=1)] if number else made
        return "\n".join([*shown, closing.run(made)]) + "\n"

    def draw() -> list[str]:
        lines = [some_text(chance, 4) for _ in range(chance.between(2, 6))]
        if chance.happens(0.4):
            lines.insert(chance.below(len(lines) + 1), chance.pick(("", lines[0], "  ")))
        return lines

    tried = [draw() for _ in range(8)]
    for i in range(len(steps)):
        if all(applied([*steps[:i], *steps[i + 1 :]], v) == applied(steps, v) for v in tried):
            raise Unfit
    parts = [f"{step.words[0].upper()}{step.words[1:]}." for step in steps]
    show = f"Print the lines that are left{number.words if number else ''}."
    ops = [*steps, *([number] if number else []), closing]
    code = ["let () =", "  let lines = read_lines [] in"]
    code += [f"  let lines = lines |> {step.ocaml} in" for step in steps]
    code.append(f"  List.iteri (fun i line -> {number.ocaml}) lines;" if number else "  List.iter print_endline lines;")
    code += [f"  {closing.ocaml}"]

    def cases() -> Iterator[Case]:
        edges = [[""], ["one"], ["b", "a", "b", "a"], ["  two  words "], ["x"] * 3, ["MiXeD 12", "", "mixed 12"]]
        for lines in inputs(draw, edges):
            yield printed("\n".join(lines) + "\n", run(lines))

    return Draft(
        name="",
        kind="program",
        statement=paragraphs(
            "Write a program that reads all lines of its input and takes the list of them through these steps, in "
            "this order; each "
            "works on the result of the one before it:",
            numbered(parts),
            f"{show} {closing.words} Words are the longest runs of characters other than the space. The input holds "
            "printable ASCII "
            "characters, and its last line ends with a line break.",
        ),
        reference=module(READ, WORDS, [h for op in ops for h in op.helpers], "\n".join(code)),
        cases=cases(),
    )


def _l_map(chance: Chance) -> Op:
    test, op = string_test(chance), string_map(chance)
    return Op(
        f"replace every line `s` for which {test.say('s')} by {op.say('s')}",
        f"List.map (fun s -> if {test.code('s')} then {op.code('s')} else s)",
        lambda v: [op.run(s) if test.run(s) else s for s in v],
        test.helpers + op.helpers,
    )


def _l_words(chance: Chance) -> Op:
    op = string_map(chance)
    return Op(
        f"in every line replace each word `w` by {op.say('w')}, and put one space between each two words and none "
        "around them",
        f'List.map (fun s -> String.concat " " (List.map (fun w -> {op.code("w")}) (words s)))',
        lambda v: [" ".join(map(op.run, s.split())) for s in v],
        op.helpers,
    )


def _l_filter(chance: Chance) -> Op:
    test = string_test(chance)
    return Op(
        f"keep only the lines `s` for which {test.say('s')}",
        f"List.filter (fun s -> {test.code('s')})",
        lambda v: [s for s in v if test.run(s)],
        test.helpers,
    )


def _l_word_filter(chance: Chance) -> Op:
    test = string_test(chance)
    return Op(
        f"in every line keep only the words `w` for which {test.say('w')}, with one space between each two and none "
        "around them",
        f'List.map (fun s -> String.concat " " (List.filter (fun w -> {test.code("w")}) (words s)))',
        lambda v: [" ".join(w for w in s.split() if test.run(w)) for s in v],
        test.helpers,
    )


def _l_order(chance: Chance) -> Op:
    return chance.pick(
        (
            Op("reverse the order of the lines", "List.rev", lambda v: v[::-1]),
            Op("sort the lines in ascending order (that of `compare`)", "List.sort compare", sorted),
            Op(
                "sort the lines by their number of words, those with the most first; lines with the same number keep "
                "their order",
                "List.stable_sort (fun s t -> compare (List.length (words t)) (List.length (words s)))",
                lambda v: sorted(v, key=lambda s: -len(s.split())),
            ),
            Op(
                "sort the lines by their length, the shortest first; lines of the same length keep their order",
                "List.stable_sort (fun s t -> compare (String.length s) (String.length t))",
                lambda v: sorted(v, key=len),
            ),
        )
    )


def _l_unique(chance: Chance) -> Op:
    helper = """\
let unique lines =
  List.rev (List.fold_left (fun kept line -> if List.mem line kept then kept else line :: kept) [] lines)"""
    return Op("of equal lines keep only the first", "unique", lambda v: [*dict.fromkeys(v)], (helper,))


def _l_split(chance: Chance) -> Op:
    k = chance.between(1, 3)
    helper = """\
let rec blocks k l =
  if List.length l <= k then [ l ]
  else List.filteri (fun i _ -> i < k) l :: blocks k (List.filteri (fun i _ -> i >= k) l)"""

    def run(lines: Sequence[str]) -> list[str]:
        made = []
        for line in lines:
            words = line.split()
            made += [" ".join(words[i : i + k]) for i in range(0, len(words), k)] or [""]
        return made

    words = "a line for each of its words" if k == 1 else f"lines of {k} words (the last one may have fewer)"
    return Op(
        f"make of every line {words}, with one space between each two words; a line without words becomes an empty "
        "line",
        f'List.concat_map (fun s -> List.map (String.concat " ") (blocks {k} (words s)))',
        run,
        (helper,),
    )


_LINE_STEPS = (_l_map, _l_words, _l_filter, _l_word_filter, _l_order, _l_unique, _l_split)


def _numbering(chance: Chance) -> Op:
    sign, step = chance.pick((": ", ". ", ") ", " ")), chance.pick((1, 1, 2, 10))
    counted = "1, 2, 3" if step == 1 else f"{step}, {2 * step}, {3 * step}"
    return Op(
        f", each with its number ({counted} and so on) and `{sign}` in front",
        f'Printf.printf "%d{sign}%s\\n" ({step} * (i + 1)) line',
        lambda i, line: f"{step * i}{sign}{line}",
    )


def _closing(chance: Chance) -> Op:
    word, k = chance.pick(("total", "sum", "all", "--")), chance.between(1, 5)
    test = string_test(chance)
    return chance.pick(
        (
            Op(
                f"At the end print a line with `{word}`, a space, and the number of these lines plus {k}.",
                f'Printf.printf "{word} %d\\n" (List.length lines + {k})',
                lambda v: f"{word} {len(v) + k}",
            ),
            Op(
                f"At the end print a line with `{word}`, a space, and {k} times the number of words in these lines, "
                "numbers in "
                "front not counted.",
                f'Printf.printf "{word} %d\\n" ({k} * List.length (List.concat_map words lines))',
                lambda v: f"{word} {k * sum(len(s.split()) for s in v)}",
            ),
            Op(
                f"At the end print a line with `{word}`, a space, and how many of these lines `s`, without numbers in "
                "front, are such "
                f"that {test.say('s')}.",
                f'Printf.printf "{word} %d\\n" (List.length (List.filter (fun s -> {test.code("s")}) lines))',
                lambda v: f"{word} {sum(1 for s in v if test.run(s))}",
                test.helpers,
            ),
        )
    )


FAMILIES = (
    Family(
        name="programs.report",
        topics=("programs", "maps-sets-hashtables", "strings"),
        description="lines of names and numbers, grouped and printed as a table",
        make=_report,
    ),
    Family(
        name="programs.commands",
        topics=("programs", "parsing-interpreters", "simulation"),
        description="a calculator that obeys commands, one a line",
        make=_commands,
    ),
    Family(
        name="programs.lines",
        topics=("programs", "strings", "lists"),
        description="lines of text taken through steps and printed",
        make=_lines,
    ),
)
