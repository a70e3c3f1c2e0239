"""A decision table over enumerations, numbers, options and booleans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, bundle
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_test
from ocaml_env.problems.generators.values import Show, integer, option, truth
from ocaml_env.problems.generators.wording import module, numbered, paragraphs, series

__all__ = ["FAMILY"]

_ENUMS = (
    ("colour", ("Red", "Green", "Blue", "Grey")),
    ("size", ("Small", "Medium", "Large", "Huge")),
    ("weather", ("Sun", "Rain", "Snow", "Fog")),
    ("day", ("Weekday", "Saturday", "Sunday", "Holiday")),
    ("rank", ("Guest", "Member", "Officer", "Chief")),
    ("shape", ("Disc", "Bar", "Star", "Ring")),
)


_VERDICTS = ("Accept", "Refuse", "Wait", "Ask", "Warn", "Skip", "Repeat")


class _Input(NamedTuple):
    """An argument of a table: its type, and how one is drawn and shown."""

    kind: str
    name: str
    show: Show
    draw: Callable[[], Any]
    values: tuple[str, ...]


class _Cell(NamedTuple):
    """A condition on one argument: a pattern, and perhaps a guard."""

    words: str
    pattern: str
    guard: str
    run: Callable[[Any], bool]
    helpers: tuple[str, ...] = ()


def _table(chance: Chance, level: int) -> Draft:
    name = chance.pick(("decide", "judge", "classify", "route", "advise"))
    enums = chance.sample(_ENUMS, (1, 2, 2, 2, 2)[level - 1])
    columns = [_enum_input(chance, kind, names) for kind, names in enums]
    columns.append(_int_input(chance) if level <= 3 else _option_input(chance))
    if level >= 3:
        columns.append(_bool_input(chance))
    columns = chance.shuffled(columns)
    verdicts = chance.sample(_VERDICTS, (3, 3, 4, 4, 5)[level - 1])
    drawn = [tuple(column.draw() for column in columns) for _ in range(40)]
    rows, left = _rows(chance, columns, (3, 4, 5, 6, 7)[level - 1], drawn)
    answers: list[str] = []
    for _ in range(len(rows) + 1):  # neighbours differ, so that their order matters
        answers.append(chance.pick([one for one in verdicts if one != (answers or [""])[-1]]))
    if len(left) < 2:
        raise Unfit

    def place(values: Sequence[Any]) -> int:
        return next((i for i, row in enumerate(rows) if _fits(row, values)), len(rows))

    def draw() -> tuple[Any, ...]:
        return tuple(column.draw() for column in columns)

    lines = []
    for row, answer in zip(rows, answers, strict=False):
        said = [cell.words.replace("{x}", f"`{column.name}`") for cell, column in zip(row, columns, strict=True)]
        lines.append(f"if {' and '.join(filter(None, said))}: `{answer}`;")
    lines.append(f"otherwise: `{answers[-1]}`.")
    arguments = " ".join(column.name for column in columns)
    types = "\n\n".join(f"type {kind} = {' | '.join(names)}" for kind, names in enums)
    declared = f"{types}\n\ntype verdict = {' | '.join(verdicts)}"
    body = [f"let {name} {arguments} =", f"  match ({', '.join(column.name for column in columns)}) with"]
    for row, answer in zip(rows, answers, strict=False):
        guards = " && ".join(f"({cell.guard})" for cell in row if cell.guard)
        patterns = ", ".join(cell.pattern for cell in row)
        body.append(f"  | {patterns}{f' when {guards}' if guards else ''} -> {answer}")
    body.append(f"  | _ -> {answers[-1]}")

    def cases() -> Iterator[Case]:
        while True:
            calls = [draw() for _ in range(4)]
            yield bundle(
                name,
                [
                    (
                        [column.show(value) for column, value in zip(columns, values, strict=True)],
                        answers[place(values)],
                    )
                    for values in calls
                ],
            )

    kinds = " -> ".join(column.kind for column in columns)
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} {arguments}` is the verdict of the first of these rules that fits:", numbered(lines)
        ),
        signature=f"{declared}\n\nval {name} : {kinds} -> verdict",
        reference=module(declared, [h for row in rows for cell in row for h in cell.helpers], "\n".join(body)),
        cases=cases(),
    )


def _enum_input(chance: Chance, kind: str, names: tuple[str, ...]) -> _Input:
    return _Input(kind, kind, str, lambda: chance.pick(names), names)


def _int_input(chance: Chance) -> _Input:
    return _Input("int", "n", integer, lambda: chance.number(-6, 24), ())


def _option_input(chance: Chance) -> _Input:
    return _Input(
        "int option",
        "limit",
        option(integer),
        lambda: None if chance.happens(0.3) else chance.number(-6, 24),
        (),
    )


def _bool_input(chance: Chance) -> _Input:
    return _Input("bool", chance.pick(("urgent", "paid", "old", "first")), truth, lambda: chance.happens(0.5), ())


def _rows(
    chance: Chance, columns: Sequence[_Input], count: int, drawn: Sequence[tuple[Any, ...]]
) -> tuple[list[list[_Cell]], Sequence[tuple[Any, ...]]]:
    """Rows each of which is the first that fits for some of what was drawn, and that for which none fits."""
    rows: list[list[_Cell]] = []
    for _ in range(4 * count):
        row = _row(chance, columns)
        left = [values for values in drawn if not _fits(row, values)]
        if 2 <= len(drawn) - len(left) <= 20:
            drawn = left
            rows.append(row)
        if len(rows) == count:
            return rows, drawn
    raise Unfit


def _fits(row: Sequence[_Cell], values: Sequence[Any]) -> bool:
    return all(cell.run(value) for cell, value in zip(row, values, strict=True))


def _row(chance: Chance, columns: Sequence[_Input]) -> list[_Cell]:
    kept = chance.sample(range(len(columns)), chance.pick((1, 2, 2)) if len(columns) > 2 else chance.between(1, 2))
    return [
        _cell(chance, column) if i in kept else _Cell("", "_", "", lambda _: True) for i, column in enumerate(columns)
    ]


def _cell(chance: Chance, column: _Input) -> _Cell:
    if column.kind == "bool":
        wanted = chance.happens(0.5)
        return _Cell(f"{{x}} is {truth(wanted)}", truth(wanted), "", lambda value: value is wanted)
    if column.kind == "int":
        test = int_test(chance)
        return _Cell(test.words, column.name, test.code(column.name), test.run, test.helpers)
    if column.kind == "int option":
        if chance.happens(0.3):
            return _Cell("{x} is `None`", "None", "", lambda value: value is None)
        test = int_test(chance)
        return _Cell(
            f"{{x}} is `Some k` and {test.say('k')}",
            "Some k",
            test.code("k"),
            lambda value: value is not None and test.run(value),
            test.helpers,
        )
    wanted_ones = chance.sample(column.values, chance.pick((1, 2, 2)))
    return _Cell(
        f"{{x}} is {series([f'`{one}`' for one in wanted_ones], 'or')}",
        f"({' | '.join(wanted_ones)})" if len(wanted_ones) > 1 else wanted_ones[0],
        "",
        lambda value: value in wanted_ones,
    )


FAMILY = Family(
    name="patterns.table",
    topics=("pattern-matching", "variants-records"),
    description="a decision table over enumerations, numbers, options and booleans",
    make=_table,
)
