"""A made-up calendar with leap years and weeks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, listing, pair, text, truth
from ocaml_env.problems.generators.wording import bullets, count, module, paragraphs, series

__all__ = ["FAMILY"]

_MONTHS = ("Ash", "Birch", "Cedar", "Dew", "Elm", "Fir", "Gorse", "Holly")
_DAYS = ("Sol", "Luna", "Terra", "Ventus", "Ignis", "Aqua", "Nox")
_STYLES = ("{day} {month} {year}", "{year}/{number}/{day}", "{month} {day}, {year}", "{day}.{number}.{year}")
_QUESTIONS = ("weekday", "date", "show", "later", "valid", "left", "age", "last", "next_leap")
_COUNTS = {1: 1, 3: 2, 5: 4}

_CHEAP = ("show", "valid", "age")  # their cost does not grow with the year

Date = tuple[int, int, int]

_date = pair(integer, integer, integer)


class _Leap(NamedTuple):
    """The rule for leap years, and their difference.

    Attributes:
        ocaml: a condition on ``y``.
        month: the one with more days, or fewer.
        days: the number of additional days.
    """

    words: str
    ocaml: str
    run: Callable[[int], bool]
    month: int
    days: int


class _Calendar(NamedTuple):
    """The drawn calendar.

    Attributes:
        first: the weekday of the first day.
        style: of written dates.
    """

    lengths: tuple[int, ...]
    names: tuple[str, ...]
    days: tuple[str, ...]
    leap: _Leap | None
    first: int
    style: str

    def is_leap(self, year: int) -> bool:
        return self.leap is not None and self.leap.run(year)

    def length(self, year: int, month: int) -> int:
        """The days of a month, counted from 1."""
        more = self.leap.days if self.leap and self.is_leap(year) and self.leap.month == month else 0
        return self.lengths[month - 1] + more

    def year_length(self, year: int) -> int:
        return sum(self.length(year, month) for month in range(1, len(self.lengths) + 1))

    def number(self, date: Date) -> int:
        """The number of a day; the first day of year 1 has number 0."""
        year, month, day = date
        before = sum(map(self.year_length, range(1, year))) + sum(self.length(year, m) for m in range(1, month))
        return before + day - 1

    def date(self, number: int) -> Date:
        year = month = 1
        while number >= self.year_length(year):
            number -= self.year_length(year)
            year += 1
        while number >= self.length(year, month):
            number -= self.length(year, month)
            month += 1
        return year, month, number + 1

    def weekday(self, date: Date) -> int:
        return (self.number(date) + self.first) % len(self.days)

    def show(self, date: Date) -> str:
        year, month, day = date
        return self.style.format(year=year, month=self.names[month - 1], day=day, number=month)

    def is_valid(self, date: Date) -> bool:
        year, month, day = date
        return year >= 1 and 1 <= month <= len(self.lengths) and 1 <= day <= self.length(year, month)


def _calendar(chance: Chance, level: int) -> Draft:
    calendar = _draw(chance, level)
    questions = _QUESTIONS if calendar.leap else _QUESTIONS[:-1]
    asked = ("number", *chance.sample(questions, _COUNTS[level]))
    described, codes = _described(calendar), _codes(calendar)
    needed = ("number", *(["date"] if "later" in asked else []), *(["weekday"] if "last" in asked else []), *asked)
    return Draft(
        name="number",
        statement=_statement(calendar, [described[function] for function in asked]),
        signature="\n".join(f"val {function} : {_TYPES[function]}" for function in asked),
        reference=module(codes["length"], *(codes[function] for function in dict.fromkeys(needed))),
        cases=_cases(chance, calendar, asked),
        hidden=16 if level < 5 else 20,
        groups=asked,
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _draw(chance: Chance, level: int) -> _Calendar:
    months = chance.between(3, 4) if level == 1 else chance.between(4, 8)
    week = chance.between(6, 7)
    names = tuple(chance.sample(_MONTHS, months))
    return _Calendar(
        lengths=tuple(chance.ints(months, 8, 40)),
        names=names,
        days=tuple(chance.sample(_DAYS, week)),
        leap=_leap(chance, names) if level > 1 else None,
        first=chance.between(1, week - 1),
        style=chance.pick(_STYLES),
    )


def _leap(chance: Chance, names: tuple[str, ...]) -> _Leap:
    """Every few years, with some exceptions, or with additional years."""
    k, rest = chance.between(2, 4), chance.between(1, 4)
    many = k * (3 if k == 2 else 2)
    month, days = chance.between(1, len(names) - 1), chance.pick((1, 1, 2, -1))
    kind = chance.below(3)
    if kind == 0:
        rest %= k
        words = f"leaves the remainder {rest} when it is divided by {k}" if rest else f"is divisible by {k}"
        code, run = f"y mod {k} = {rest}", lambda y: y % k == rest
    elif kind == 1:
        words = f"is divisible by {k}, but not by {many}"
        code, run = f"y mod {k} = 0 && y mod {many} <> 0", lambda y: y % k == 0 and y % many != 0
    else:
        other = k + chance.pick((1, 2)) if k % 2 else k + 1
        words = f"is divisible by {k} or by {other}"
        code, run = f"y mod {k} = 0 || y mod {other} = 0", lambda y: y % k == 0 or y % other == 0
    return _Leap(words, code, run, month, days)


def _cases(chance: Chance, calendar: _Calendar, asked: tuple[str, ...]) -> Iterator[Case]:
    months = len(calendar.lengths)
    leap_year = next((y for y in range(1, 13) if calendar.is_leap(y)), 1)
    month = calendar.leap.month if calendar.leap else 1
    edges = [(1, 1, 1), (2, 1, 1)]
    edges += [
        (leap_year, month, calendar.length(leap_year, month)),
        (leap_year, months, calendar.length(leap_year, months)),
    ]
    for date in inputs(lambda: _some_date(chance, calendar), edges):
        for function in asked:
            yield _case(chance, calendar, function, date)
            if date in edges and function != "number":
                break


def _some_date(chance: Chance, calendar: _Calendar) -> Date:
    """Often the first or the last day of a month, especially of the month that changes in leap years."""
    year, month = chance.between(1, 9), chance.between(1, len(calendar.lengths))
    if calendar.leap and chance.happens(0.25):
        month = calendar.leap.month
        year = chance.pick([y for y in range(1, 10) if calendar.is_leap(y)] or [year])
    size = calendar.length(year, month)
    return year, month, chance.pick((size, size, 1)) if chance.happens(0.35) else chance.between(1, size)


def _case(chance: Chance, calendar: _Calendar, function: str, date: Date) -> Case:
    year, month, day = date
    if function in _CHEAP and chance.happens(0.2):
        year = chance.between(10, 90)
        day = min(day, calendar.length(year, month))
        date = (year, month, day)
    number, shown = calendar.number(date), _date(date)
    if function == "date":
        return case("date", [integer(number)], shown)
    if function == "valid":
        return _validity(chance, calendar, date)
    if function == "later":
        k = chance.between(-min(number, 60), 200) if chance.happens(0.8) else chance.between(-min(number, 1), 1)
        return case("later", [integer(k), shown], _date(calendar.date(number + k)))
    if function == "age":
        birthday = calendar.number((year + chance.between(0, 8), month, day))
        later = calendar.date(max(number, birthday + chance.pick((-40, -1, 0, 0, 1, 40))))
        years = later[0] - year - (later[1:] < (month, day))
        return case("age", [shown, _date(later)], integer(years))
    if function == "last":
        wanted = chance.below(len(calendar.days))
        days = range(calendar.length(year, month), 0, -1)
        found = next(d for d in days if calendar.weekday((year, month, d)) == wanted)
        return case("last", [text(calendar.days[wanted]), integer(year), integer(month)], integer(found))
    if function == "next_leap":
        year = chance.between(1, 60)
        return case("next_leap", [integer(year)], integer(next(y for y in range(year + 1, 99) if calendar.is_leap(y))))
    answers = {
        "number": lambda: integer(number),
        "weekday": lambda: text(calendar.days[calendar.weekday(date)]),
        "show": lambda: text(calendar.show(date)),
        "left": lambda: integer(calendar.number((year + 1, 1, 1)) - number - 1),
    }
    return case(function, [shown], answers[function]())


def _validity(chance: Chance, calendar: _Calendar, date: Date) -> Case:
    """Several dates in one test, some of them invalid."""
    year, month, day = date
    size = calendar.length(year, month)
    dates = [
        (year, month, size + 1),
        (year, len(calendar.lengths) + 1, 1),
        (0, month, day),
        (year, month, 0),
        (year, 0, 2),
        (-year, month, day),
        (year, month, -1),
    ]
    chosen = chance.shuffled([date, (year + 1, month, size), *chance.sample(dates, 2)])
    answers = [calendar.is_valid(other) for other in chosen]
    shown = "; ".join(f"valid {_date(other)}" for other in chosen)
    answer = listing(truth)(answers)
    return Case(f"[{shown}]", answer, truth(answers[0]) if len({*answers}) == 1 else answer, group="valid")


# --- words ------------------------------------------------------------------------------------------------------------


def _statement(calendar: _Calendar, described: list[str]) -> str:
    months = zip(calendar.names, calendar.lengths, strict=True)
    listed = series([f"{name} ({length})" for name, length in months])
    texts = [
        f"In a calendar a year has {count(len(calendar.names), 'month')}, in this order, here with their numbers of "
        f"days: {listed}."
    ]
    if leap := calendar.leap:
        change = f"{count(abs(leap.days), 'day')} {'more' if leap.days > 0 else 'fewer'}"
        texts.append(f"In a leap year, one whose number {leap.words}, {calendar.names[leap.month - 1]} has {change}.")
    texts.append(
        "Years, months and days are counted from 1. A date is a triple of the year, the number of the month, and the "
        "day. All dates that are given are valid, unless something else is said, and years are less than 100."
    )
    return paragraphs(" ".join(texts), bullets(described))


def _described(calendar: _Calendar) -> dict[str, str]:
    week = f"A week has {count(len(calendar.days), 'day')}, in this order and then again from the beginning: "
    week += f"{series(calendar.days)}. The first day of year 1 is a {calendar.days[calendar.first]}."
    form = calendar.style.format(year="YEAR", month="MONTH", day="DAY", number="NUMBER")
    explained = "the name of the month" if "{month}" in calendar.style else "the number of the month"
    return {
        "number": "`number (y, m, d)` is the number of days from the first day of year 1 to that date (0 for that "
        "first day).",
        "date": "`date n` goes back: the date whose number is `n`, which is at least 0.",
        "weekday": f"`weekday (y, m, d)` is the name of the weekday of a date. {week}",
        "show": f"`show (y, m, d)` writes a date as `{form}`, where the numbers are in decimal digits without zeros "
        f"in front, and the month is {explained}.",
        "later": "`later k (y, m, d)` is the date `k` days later; `k` may be negative, and is never so small that the "
        "date would be before year 1.",
        "valid": "`valid (y, m, d)` tells if there is such a date: `y` is at least 1, there is such a month, and the "
        "month has such a day in that year.",
        "left": "`left (y, m, d)` is the number of days of year `y` that come after that date.",
        "age": "`age a b` is the number of full years from the date `a` to the date `b`, which is not earlier: it is 1 "
        "more on each date with the same month and day as `a`, or, if there is no such date in a year, on the next "
        "date that there is.",
        "last": "`last name y m` is the day of month `m` of year `y` that is the last one there with this name of a "
        f"weekday. {week}",
        "next_leap": "`next_leap y` is the first leap year after the year `y`.",
    }


_TYPES = {
    "number": "int * int * int -> int",
    "date": "int -> int * int * int",
    "weekday": "int * int * int -> string",
    "show": "int * int * int -> string",
    "later": "int -> int * int * int -> int * int * int",
    "valid": "int * int * int -> bool",
    "left": "int * int * int -> int",
    "age": "int * int * int -> int * int * int -> int",
    "last": "string -> int -> int -> int",
    "next_leap": "int -> int",
}


# --- OCaml ------------------------------------------------------------------------------------------------------------


def _codes(calendar: _Calendar) -> dict[str, str]:
    days = "; ".join(f'"{day}"' for day in calendar.days)
    size = len(calendar.days)
    return {
        "length": _length_code(calendar),
        "number": """\
let number (y, m, d) =
  let rec years k = if k >= y then 0 else year_length k + years (k + 1) in
  let rec months k = if k >= m then 0 else length y k + months (k + 1) in
  years 1 + months 1 + d - 1""",
        "date": """\
let date n =
  let rec month y m n = if n < length y m then (y, m, n + 1) else month y (m + 1) (n - length y m) in
  let rec year y n = if n < year_length y then month y 1 n else year (y + 1) (n - year_length y) in
  year 1 n""",
        "weekday": f"let days = [| {days} |]\n\nlet weekday date = days.((number date + {calendar.first}) mod {size})",
        "show": _show_code(calendar),
        "later": "let later k day = date (number day + k)",
        "valid": "let valid (y, m, d) = y >= 1 && m >= 1 && m <= Array.length lengths && d >= 1 && d <= length y m",
        "left": "let left (y, m, d) = number (y + 1, 1, 1) - number (y, m, d) - 1",
        "age": "let age (y, m, d) (y', m', d') = if (m', d') < (m, d) then y' - y - 1 else y' - y",
        "last": """\
let last name y m =
  let rec from d = if weekday (y, m, d) = name then d else from (d - 1) in
  from (length y m)""",
        "next_leap": "let rec next_leap y = if is_leap (y + 1) then y + 1 else next_leap (y + 1)",
    }


def _length_code(calendar: _Calendar) -> str:
    lengths, leap = "; ".join(map(str, calendar.lengths)), calendar.leap
    code = "let length _ m = lengths.(m - 1)"
    year = "let year_length _ = year_days"
    if leap:
        sign = "+" if leap.days > 0 else "-"
        year = f"let year_length y = year_days {sign} if is_leap y then {abs(leap.days)} else 0"
        code = f"""\
let is_leap y = {leap.ocaml}

let length y m = lengths.(m - 1) {sign} if m = {leap.month} && is_leap y then {abs(leap.days)} else 0"""
    return f"""\
let lengths = [| {lengths} |]

{code}

let year_days = Array.fold_left ( + ) 0 lengths

{year}"""


def _show_code(calendar: _Calendar) -> str:
    values = {"year": "y", "month": "names.(m - 1)", "day": "d", "number": "m"}
    places = sorted((place for place in values if f"{{{place}}}" in calendar.style), key=calendar.style.find)
    form = calendar.style.format(year="%d", month="%s", day="%d", number="%d")
    arguments = " ".join(f"({values[place]})" if "." in values[place] else values[place] for place in places)
    names = "; ".join(f'"{name}"' for name in calendar.names)
    table = f"let names = [| {names} |]\n\n" if "{month}" in calendar.style else ""
    return f'{table}let show (y, m, d) = Printf.sprintf "{form}" {arguments}'


FAMILY = Family(
    name="units.calendar",
    topics=("arithmetic", "simulation"),
    description="a made-up calendar with leap years and weeks",
    make=_calendar,
    split="eval",
)
