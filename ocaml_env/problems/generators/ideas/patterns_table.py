"""A decision table over enumerations, numbers, options and booleans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_test
from ocaml_env.problems.generators.small.patterns_table import TASKS
from ocaml_env.problems.generators.values import Show, integer, option, truth
from ocaml_env.problems.generators.wording import module, numbered, paragraphs, series

__all__ = ["FAMILY"]

Values = tuple[Any, ...]
Fits = Callable[[Any], bool]

_ENUMS = (
    ("colour", ("Red", "Green", "Blue", "Grey")),
    ("size", ("Small", "Medium", "Large", "Huge")),
    ("weather", ("Sun", "Rain", "Snow", "Fog")),
    ("day", ("Weekday", "Saturday", "Sunday", "Holiday")),
    ("rank", ("Guest", "Member", "Officer", "Chief")),
    ("shape", ("Disc", "Bar", "Star", "Ring")),
)

_VERDICTS = ("Accept", "Refuse", "Wait", "Ask", "Warn", "Skip", "Repeat")

_SIZES = {1: (3, 3), 3: (5, 4), 5: (7, 5)}  # rows and verdicts by level
_TRIED = 120  # arguments to try; some must show each rule
_TELLING = 2  # arguments at least that must show it


class _Column(NamedTuple):
    """An argument of a table: its type, and functions to draw and show one."""

    kind: str
    name: str
    show: Show
    draw: Callable[[], Any]
    values: tuple[str, ...] = ()


class _Cell(NamedTuple):
    """A condition on one argument: a pattern, and perhaps a guard; ``faults`` are its meanings without a part."""

    words: str
    pattern: str
    guard: str
    run: Fits
    helpers: tuple[str, ...] = ()
    faults: tuple[Fits, ...] = ()


_ANY = _Cell("", "_", "", lambda _: True)

Row = Sequence[_Cell]


@dataclass(frozen=True, slots=True)
class _Table:
    """Rows, the verdict of each, and a last verdict for the case that no row fits."""

    name: str
    verdicts: tuple[str, ...]
    columns: tuple[_Column, ...]
    rows: tuple[Row, ...]
    answers: tuple[str, ...]

    def run(self, values: Values) -> str:
        places = (place for place, row in enumerate(self.rows) if _fits(row, values))
        return self.answers[next(places, -1)]


def _make(chance: Chance, level: int) -> Draft:
    table = _table(chance, level)
    types = {column.kind: column.values for column in table.columns if column.values} | {"verdict": table.verdicts}
    declared = "\n\n".join(f"type {kind} = {' | '.join(names)}" for kind, names in types.items())
    arguments = " ".join(column.name for column in table.columns)
    return Draft(
        name=table.name,
        statement=paragraphs(
            f"`{table.name} {arguments}` is the verdict of the first of these rules that fits:", numbered(_lines(table))
        ),
        signature=f"{declared}\n\nval {table.name} : {' -> '.join(column.kind for column in table.columns)} -> verdict",
        reference=module(declared, [h for row in table.rows for cell in row for h in cell.helpers], _code(table)),
        cases=_cases(table),
        together=4,
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _table(chance: Chance, level: int) -> _Table:
    count, kinds = _SIZES[level]
    columns = [_enum_column(chance, kind, names) for kind, names in chance.sample(_ENUMS, 1 if level == 1 else 2)]
    columns.append(_int_column(chance) if level <= 3 else _option_column(chance))
    if level >= 3:
        columns.append(_bool_column(chance))
    columns = chance.shuffled(columns)
    verdicts = tuple(chance.sample(_VERDICTS, kinds))
    rows = _rows(chance, columns, count)
    drawn = [tuple(column.draw() for column in columns) for _ in range(_TRIED)]
    name = chance.pick(("decide", "judge", "classify", "route", "advise"))
    return _Table(name, verdicts, tuple(columns), tuple(rows), _answers(chance, rows, verdicts, drawn))


def _rows(chance: Chance, columns: Sequence[_Column], count: int) -> list[Row]:
    """Rows. Each is the first to fit for some arguments, and leaves some to the others."""
    rows: list[Row] = []
    for _ in range(6 * count):
        row = _row(chance, columns)
        drawn = [tuple(column.draw() for column in columns) for _ in range(_TRIED)]
        left = [values for values in drawn if not any(_fits(above, values) for above in rows)]
        fitting = len(_differing(row, None, left))
        if 6 <= fitting <= min(50, len(left) - 6) and all(_differing(row, wrong, left) for wrong in _wrong(row)):
            rows.append(row)
        if len(rows) == count:
            return rows
    raise Unfit


def _answers(chance: Chance, rows: Sequence[Row], verdicts: Sequence[str], drawn: Sequence[Values]) -> tuple[str, ...]:
    """Verdicts, drawn from the last to the first. With them, every row and every part of it matters."""
    answers = [chance.pick(verdicts)]
    for place in reversed(range(len(rows))):
        row, below = rows[place], rows[place + 1 :]
        left = [values for values in drawn if not any(_fits(above, values) for above in rows[:place])]
        otherwise = {values: next((i for i, lower in enumerate(below) if _fits(lower, values)), -1) for values in left}
        shown = [[answers[otherwise[values]] for values in _differing(row, wrong, left)] for wrong in _wrong(row)]
        fitting = [
            verdict
            for verdict in verdicts
            if verdict != answers[0] and all(len(seen) - seen.count(verdict) >= _TELLING for seen in shown)
        ]
        if not fitting:
            raise Unfit
        answers.insert(0, chance.pick(fitting))
    return tuple(answers)


def _fits(row: Row, values: Values) -> bool:
    return all(cell.run(value) for cell, value in zip(row, values, strict=True))


def _differing(row: Row, wrong: Row | None, drawn: Sequence[Values]) -> list[Values]:
    return [values for values in drawn if _fits(row, values) != (wrong is not None and _fits(wrong, values))]


def _wrong(row: Row) -> Iterator[Row | None]:
    """None for the row left out, and the row with a fault in a cell."""
    yield None
    for place, cell in enumerate(row):
        for fault in cell.faults:
            yield [*row[:place], cell._replace(run=fault), *row[place + 1 :]]


def _row(chance: Chance, columns: Sequence[_Column]) -> Row:
    kept = chance.sample(range(len(columns)), chance.pick((1, 2, 2)) if len(columns) > 2 else chance.between(1, 2))
    return [_cell(chance, column) if i in kept else _ANY for i, column in enumerate(columns)]


def _enum_column(chance: Chance, kind: str, names: tuple[str, ...]) -> _Column:
    return _Column(kind, kind, str, lambda: chance.pick(names), names)


def _int_column(chance: Chance) -> _Column:
    return _Column("int", "n", integer, lambda: chance.number(-12, 30))


def _option_column(chance: Chance) -> _Column:
    return _Column(
        "int option", "limit", option(integer), lambda: None if chance.happens(0.25) else chance.number(-12, 30)
    )


def _bool_column(chance: Chance) -> _Column:
    return _Column("bool", chance.pick(("urgent", "paid", "old", "first")), truth, lambda: chance.happens(0.5))


def _cell(chance: Chance, column: _Column) -> _Cell:
    if column.kind == "bool":
        wanted = chance.happens(0.5)
        return _Cell(f"{{x}} is {truth(wanted)}", truth(wanted), "", lambda value: value is wanted)
    if column.kind == "int":
        test = int_test(chance)
        faults = (lambda _: True, *test.faults)
        return _Cell(test.words, column.name, test.code(column.name), test.run, test.helpers, faults)
    if column.kind == "int option":
        return _option_cell(chance)
    wanted_ones = chance.sample(column.values, chance.pick((1, 2, 2)))
    return _Cell(
        f"{{x}} is {series([f'`{name}`' for name in wanted_ones], 'or')}",
        f"({' | '.join(wanted_ones)})" if len(wanted_ones) > 1 else wanted_ones[0],
        "",
        lambda value: value in wanted_ones,
    )


def _option_cell(chance: Chance) -> _Cell:
    if chance.happens(0.3):
        return _Cell("{x} is `None`", "None", "", lambda value: value is None)
    test = int_test(chance)
    parts: list[Fits] = [test.run, lambda _: True, *test.faults]
    right, *faults = [lambda value, part=part: value is not None and part(value) for part in parts]
    words = f"{{x}} is `Some k` and {test.say('k')}"
    return _Cell(words, "Some k", test.code("k"), right, test.helpers, tuple(faults))


# --- texts ------------------------------------------------------------------------------------------------------------


def _lines(table: _Table) -> Iterator[str]:
    for row, answer in zip(table.rows, table.answers, strict=False):
        cells = zip(row, table.columns, strict=True)
        said = [cell.words.replace("{x}", f"`{column.name}`") for cell, column in cells if cell.words]
        yield f"if {' and '.join(said)}: `{answer}`;"
    yield f"otherwise: `{table.answers[-1]}`."


def _code(table: _Table) -> str:
    names = [column.name for column in table.columns]
    body = [f"let {table.name} {' '.join(names)} =", f"  match ({', '.join(names)}) with"]
    for row, answer in zip(table.rows, table.answers, strict=False):
        guards = " && ".join(f"({cell.guard})" for cell in row if cell.guard)
        patterns = ", ".join(cell.pattern for cell in row)
        body.append(f"  | {patterns}{f' when {guards}' if guards else ''} -> {answer}")
    body.append(f"  | _ -> {table.answers[-1]}")
    return "\n".join(body)


def _cases(table: _Table) -> Iterator[Case]:
    while True:
        values = tuple(column.draw() for column in table.columns)
        shown = [column.show(value) for column, value in zip(table.columns, values, strict=True)]
        yield case(table.name, shown, table.run(values))


FAMILY = Family(
    name="patterns.table",
    topics=("pattern-matching", "variants-records"),
    description="a decision table over enumerations, numbers, options and booleans",
    tasks=TASKS,
    make=_make,
)
