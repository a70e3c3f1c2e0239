"""Lines of names and numbers, grouped and printed as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs, printed
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test
from ocaml_env.problems.generators.lines import NUMBER, READ, WORDS, read_number
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_FEW = ("ash", "bee", "cod", "dune", "elm", "fig", "gnu", "hen", "ivy", "oak")


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
        "them and perhaps around them: a name, and an integer (an optional `-` and one to six decimal digits). All "
        "other lines "
        "are bad; " + ("they are only counted." if footer else "they are skipped."),
        f"Leave out the good lines with an integer `x` such that {dropped.say()}, and replace the integer `x` of each "
        f"of the others by {image.say()}. All lines with the same name make a group, which has these integers in "
        "their order.",
        "For each group compute: " + "; ".join(column.words for column in columns) + ".",
        {
            "first": "The groups are in the order in which their names first occur in the lines that are left.",
            "name": "The groups are in ascending order of their names (that of `compare`).",
            "value": "The groups are in descending order of the first of these numbers; where that is equal, in "
            "ascending order of their names.",
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
            "first column on the right of the entry, the others on the left."
        )
    ending = f"If there are no groups, print the line `{empty}` instead of all that."
    if footer:
        ending += (
            " At the end print the line `groups N, bad lines M`, with the number of groups and of bad lines; print it "
            "in any case."
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


FAMILY = Family(
    name="programs.report",
    topics=("programs", "maps-sets-hashtables", "strings"),
    description="lines of names and numbers, grouped and printed as a table",
    make=_report,
)
