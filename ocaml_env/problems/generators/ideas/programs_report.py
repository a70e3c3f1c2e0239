"""Lines of names and numbers, grouped and printed as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs, printed
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test
from ocaml_env.problems.generators.lines import EACH, NO_NUMBERS, NUMBER, WORDS, read_number
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_NAMES = ("ash", "bee", "cod", "dune", "elm", "fig", "hen", "oak", "Elm", "a1", "x")
_NUMBERS = range(-9, 31)


class _Column(NamedTuple):
    """A number of a group, from its numbers; ``ends`` is the operation if it uses only the first and the last one."""

    title: str
    words: str
    ocaml: str
    run: Callable[[Sequence[int]], int]
    helpers: tuple[str, ...] = ()
    ends: Op | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    """The drawn report.

    Attributes:
        dropped: a question for numbers to leave out.
        image: an operation on the others.
        order: of the groups: ``first``, ``name`` or ``value``.
        gap: the text between two entries of a row.
        fill: the character that fills up the entries of a column; empty if they are not filled.
        empty: the line to print if there are no groups.
        header: True if there is a line of titles.
    """

    dropped: Op
    image: Op
    columns: tuple[_Column, ...]
    order: str
    gap: str
    fill: str
    empty: str
    header: bool

    @property
    def titles(self) -> list[str]:
        return ["name", *(column.title for column in self.columns)]

    def run(self, lines: Sequence[str]) -> str:
        """The output."""
        groups: dict[str, list[int]] = {}
        bad = 0
        for line in lines:
            parts = line.split()
            value = read_number(parts[1]) if len(parts) == 2 else None
            if value is None:
                bad += bool(parts)
            elif not self.dropped.run(value):
                groups.setdefault(parts[0], []).append(self.image.run(value))
        rows = [(name, [column.run(values) for column in self.columns]) for name, values in groups.items()]
        if self.order == "name":
            rows = sorted(rows)
        elif self.order == "value":
            rows = sorted(sorted(rows), key=lambda row: -row[1][0])
        table = [self.titles] if self.header else []
        table += [[name, *map(str, values)] for name, values in rows]
        made = self._laid_out(table) if rows else [self.empty]
        return "\n".join([*made, f"groups {len(rows)}, bad lines {bad}"]) + "\n"

    def _laid_out(self, table: Sequence[Sequence[str]]) -> list[str]:
        if not self.fill:
            return [self.gap.join(row) for row in table]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        return [
            self.gap.join(
                entry.rjust(width, self.fill) if i else entry.ljust(width, self.fill)
                for i, (entry, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in table
        ]


def _report(chance: Chance, level: int) -> Draft:
    dropped, image = int_test(chance), int_map(chance)
    left = [x for x in _NUMBERS if not dropped.run(x)]
    if len(left) < 10 or not image.is_shown_by(left) or not dropped.is_shown_by(_NUMBERS):
        raise Unfit
    telling = chance.pick((_c_sum, _c_ends))  # it shows every effect of the image
    others = [make for make in _COLUMNS if make is not telling]
    makers = chance.shuffled([telling, *chance.sample(others, (level - 1) // 2)])
    report = _Report(
        dropped=dropped,
        image=image,
        columns=tuple(make(chance) for make in makers),
        order=chance.pick(("first", "name", "value")),
        gap=chance.pick((" ", " | ", ": ", " / ")),
        fill=chance.pick((".", "_", "*", "=")) if level >= 3 and chance.happens(0.6) else "",
        empty=chance.pick(("nothing", "no data", "empty", "-")),
        header=level >= 3,
    )
    images = sorted({image.run(x) for x in left})
    pairs = [(x, y) for x in images[:6] + images[-6:] for y in images]
    if any(
        sum(fault(x, y) != column.ends.run(x, y) for x, y in pairs) * 8 < len(pairs)
        for column in report.columns
        if column.ends
        for fault in column.ends.faults
    ):
        raise Unfit
    return Draft(
        name="", kind="program", statement=_statement(report), reference=_code(report), cases=_cases(chance, report)
    )


def _cases(chance: Chance, report: _Report) -> Iterator[Case]:
    def draw() -> list[str]:
        names = chance.sample(_NAMES, 3)
        lines = [f"{chance.pick(names)} {chance.number(-9, 30)}" for _ in range(chance.between(2, 6))]
        if chance.happens(0.4):
            wrong = chance.pick(("", "  ", "oak", "1 2 3", "elm 4 5", f"oak {chance.pick(NO_NUMBERS)}"))
            lines.insert(chance.below(len(lines)), wrong)
        if chance.happens(0.2):
            lines[0] = f"  {lines[0].replace(' ', '   ')} "
        return lines

    kept = [x for x in (*range(1, 31), *range(-1, -10, -1)) if not report.dropped.run(x)][:3]
    edges = [[f"oak {kept[0]}"], ["", " ", f"oak {kept[1]}", ""], ["oak"], [f"{kept[2]} {kept[2]}"]]
    edges += [[f"{name} {kept[0]}" for name in ("oak", "Elm", "elm", "dune")], [f"hen {kept[0]:06}", "hen 0007"]]
    edges += [[f"{name} {x}" for x in kept for name in ("fig", "bee")]]
    edges += [[f"oak {kept[0]}", f"a1 {a}", f"a1 {b}"] for a, b in zip(NO_NUMBERS[::2], NO_NUMBERS[1::2], strict=True)]
    for lines in inputs(draw, edges):
        yield printed("\n".join(lines) + "\n", report.run(lines))


def _statement(report: _Report) -> str:
    parts = [
        "Skip lines that hold nothing but spaces. A good line holds two words, with one or more spaces between them "
        "and perhaps around them: a name, which is any word, and an integer, which is an optional `-` and one to six "
        "decimal digits. All other lines are bad: only count them.",
        f"Leave out the good lines with an integer `x` such that {report.dropped.say()}, and replace the integer `x` "
        f"of each of the others by {report.image.say()}. All lines with the same name make a group, which has these "
        "integers in their order.",
        f"For each group compute: {'; '.join(column.words for column in report.columns)}.",
        {
            "first": "The groups are in the order in which their names first occur in the lines that are left.",
            "name": "The groups are in ascending order of their names (that of `compare`).",
            "value": f"The groups are in descending order of {report.columns[0].words}; where that is equal, in "
            "ascending order of their names (that of `compare`).",
        }[report.order],
    ]
    numbers = "number" if len(report.columns) == 1 else "numbers"
    layout = f"Print a line for each group: its name and its {numbers}, with `{report.gap}` between each two."
    if report.header:
        layout += f" Before them print the line `{report.gap.join(report.titles)}`, as a row like the others."
    if report.fill:
        layout += (
            f" Fill up the entries of a column with `{report.fill}` to the length of the longest one of all rows"
            f"{', that of the titles included' if report.header else ''}: the first column on the right of the entry, "
            "the others on the left."
        )
    layout += f" If there are no groups, print the line `{report.empty}` instead of all that."
    layout += (
        " At the end print the line `groups N, bad lines M`, with the number of groups and of bad lines; print it in "
        "any case."
    )
    return paragraphs(
        "Write a program that reads lines with a name and an integer, and prints a report of them.",
        numbered(parts),
        layout,
    )


# --- columns ----------------------------------------------------------------------------------------------------------


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
        f"what its first integer as `x` and its last one as `y` make (the same one if it has one alone), {op.say()}",
        f"let x = List.hd ns and y = List.hd (List.rev ns) in {op.code()}",
        lambda v: op.run(v[0], v[-1]),
        op.helpers,
        op,
    )


def _c_such(chance: Chance) -> _Column:
    k = chance.between(0, 9)
    chance.mark(k - 1, k, k + 1)
    return _Column(
        "such",
        f"how many of its integers are greater than {k}",
        f"List.length (List.filter (fun x -> x > {k}) ns)",
        lambda v: sum(1 for x in v if x > k),
    )


_COLUMNS = (_c_sum, _c_count, _c_range, _c_ends, _c_such)


# --- the program ------------------------------------------------------------------------------------------------------


def _code(report: _Report) -> str:
    helpers = [h for column in report.columns for h in column.helpers]
    values = "; ".join(f"({column.ocaml})" for column in report.columns)
    grown = "xs @ [ x ]" if any(column.ends for column in report.columns) else "x :: xs"
    add = f"""\
let rec add name x = function
  | [] -> [ (name, [ x ]) ]
  | (other, xs) :: rest -> if other = name then (name, {grown}) :: rest else (other, xs) :: add name x rest"""
    main = f"""\
let () =
{_reading(report)}
  let row (name, ns) = (name, [ {values} ]) in
{_printing(report)}"""
    return module(EACH, WORDS, NUMBER, add, report.dropped.helpers, report.image.helpers, helpers, main)


def _reading(report: _Report) -> str:
    """OCaml that reads all lines into a list of names with their numbers."""
    return f"""\
  let groups = ref [] and bad = ref 0 in
  let read line =
    match words line with
    | [] -> ()
    | [ name; word ] -> (
      match number word with
      | None -> incr bad
      | Some x -> if not ({report.dropped.code()}) then groups := add name ({report.image.code()}) !groups)
    | _ -> incr bad
  in
  each_line read;"""


def _printing(report: _Report) -> str:
    """OCaml that prints the rows in order, and the lines before and after them."""
    rows = "List.map row !groups"
    if report.order == "name":
        rows = f"List.sort compare ({rows})"
    elif report.order == "value":
        rows = f"List.sort (fun (m, a) (n, b) -> compare (List.hd b, m) (List.hd a, n)) ({rows})"
    titles = "; ".join(f'"{title}"' for title in report.titles)
    heads = f"\n      let table = [ {titles} ] :: table in" if report.header else ""
    layout, widths = "row", ""
    if report.fill:
        layout = "(List.mapi pad row)"
        widths = f"""
      let longest = List.map2 (fun width entry -> max width (String.length entry)) in
      let widths = List.fold_left longest (List.map String.length (List.hd table)) table in
      let pad i entry =
        let missing = String.make (List.nth widths i - String.length entry) '{report.fill}' in
        if i = 0 then entry ^ missing else missing ^ entry
      in"""
    return f"""\
  let rows = {rows} in
  (match rows with
   | [] -> print_endline "{report.empty}"
   | _ ->
      let table = List.map (fun (name, values) -> name :: List.map string_of_int values) rows in{heads}{widths}
      List.iter (fun row -> print_endline (String.concat "{report.gap}" {layout})) table);
  Printf.printf "groups %d, bad lines %d\\n" (List.length rows) !bad"""


FAMILY = Family(
    name="programs.report",
    topics=("programs", "maps-sets-hashtables", "strings"),
    description="lines of names and numbers, grouped and printed as a table",
    make=_report,
)
