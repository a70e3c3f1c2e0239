"""A made-up calendar with leap years and weeks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, listing, pair, text, truth
from ocaml_env.problems.generators.wording import bullets, count, module, paragraphs, series

__all__ = ["FAMILY"]

_MONTHS = ("Ash", "Birch", "Cedar", "Dew", "Elm", "Fir", "Gorse", "Holly")


_DAYS = ("Sol", "Luna", "Terra", "Ventus", "Ignis", "Aqua", "Nox")


class _Calendar(NamedTuple):
    lengths: tuple[int, ...]
    names: tuple[str, ...]
    days: tuple[str, ...]
    cycle: int  # a leap year where the year leaves this remainder
    rest: int
    leap: int  # the month that is longer then
    first: int  # the weekday of the first day

    def length(self, year: int, month: int) -> int:
        """Of a month, counted from 1."""
        return self.lengths[month - 1] + (month == self.leap and self.is_leap(year))

    def is_leap(self, year: int) -> bool:
        return bool(self.cycle) and year % self.cycle == self.rest

    def number(self, year: int, month: int, day: int) -> int:
        """Of a day, where the first day of year 1 has number 0."""
        leaps = sum(self.is_leap(y) for y in range(1, year)) if self.cycle else 0
        before = sum(self.length(year, m) for m in range(1, month))
        return (year - 1) * sum(self.lengths) + leaps + before + day - 1

    def date(self, number: int) -> tuple[int, int, int]:
        year = 1
        while number >= (size := sum(self.lengths) + self.is_leap(year)):
            number -= size
            year += 1
        month = 1
        while number >= (size := self.length(year, month)):
            number -= size
            month += 1
        return year, month, number + 1


def _calendar(chance: Chance, level: int) -> Draft:
    months = chance.between(3, 4) if level == 1 else chance.between(4, 8)
    week = chance.between(4, 7)
    cycle = chance.between(2, 5) if level >= 2 else 0
    calendar = _Calendar(
        tuple(chance.ints(months, 8, 40)),
        tuple(chance.sample(_MONTHS, months)),
        tuple(chance.sample(_DAYS, week)),
        cycle,
        chance.below(cycle) if cycle else 0,
        chance.between(1, months) if cycle else 0,
        chance.below(week),
    )
    asked = ["number", *chance.sample(("weekday", "date", "show", "later", "valid"), (1, 2, 2, 3, 4)[level - 1])]
    style = chance.pick(
        ("{day} {month} {year}", "{year}/{number}/{day}", "{month} {day}, {year}", "{day}.{number}.{year}")
    )

    def shown(date: tuple[int, int, int]) -> str:
        year, month, day = date
        return style.format(year=year, month=calendar.names[month - 1], day=day, number=month)

    def weekday(number: int) -> str:
        return calendar.days[(number + calendar.first) % len(calendar.days)]

    def draw() -> tuple[int, int, int]:
        year, month = chance.between(1, 12), chance.between(1, months)
        size = calendar.length(year, month)
        return year, month, size if chance.happens(0.2) else chance.between(1, size)

    listed = series([f"{name} ({length})" for name, length in zip(calendar.names, calendar.lengths, strict=True)])
    leap = ""
    if cycle:
        leaving = (
            f"leaves the remainder {calendar.rest} when it is divided by {cycle}"
            if calendar.rest
            else f"is divisible by {cycle}"
        )
        leap = f"In a leap year, one whose number {leaving}, {calendar.names[calendar.leap - 1]} has 1 day more."
    days = series([f"{day}" for day in calendar.days])
    form = style.format(year="YEAR", month="MONTH", day="DAY", number="NUMBER")
    explained = "the name of the month" if "{month}" in style else "the number of the month"
    described = {
        "number": "`number (y, m, d)` is the number of days from the first day of year 1 to that date (0 for that "
        "first day).",
        "date": "`date n` goes back: the date whose number is `n`, which is at least 0.",
        "weekday": f"`weekday (y, m, d)` is the name of the weekday of a date. A week has {count(week, 'day')}, in "
        f"this order and then again from the beginning: {days}. The first day of year 1 is a "
        f"{calendar.days[calendar.first]}.",
        "show": f"`show (y, m, d)` writes a date as `{form}`, where the numbers are in decimal digits without zeros "
        f"in front, and the month is {explained}.",
        "later": "`later k (y, m, d)` is the date `k` days later; `k` may be negative, and is never so small that the "
        "date would be before year 1.",
        "valid": "`valid (y, m, d)` tells whether there is such a date: `y` is at least 1, there is such a month, and "
        "the month has such a day in that year.",
    }
    signatures = {
        "number": "val number : int * int * int -> int",
        "date": "val date : int -> int * int * int",
        "weekday": "val weekday : int * int * int -> string",
        "show": "val show : int * int * int -> string",
        "later": "val later : int -> int * int * int -> int * int * int",
        "valid": "val valid : int * int * int -> bool",
    }
    triple = pair(integer, integer, integer)

    def one(function: str, date: tuple[int, int, int]) -> Case:
        number = calendar.number(*date)
        if function == "number":
            return case("number", [triple(date)], integer(number))
        if function == "date":
            return case("date", [integer(number)], triple(date))
        if function == "weekday":
            return case("weekday", [triple(date)], text(weekday(number)))
        if function == "show":
            return case("show", [triple(date)], text(shown(date)))
        if function == "later":
            k = chance.between(-min(number, 60), 200)
            return case("later", [integer(k), triple(date)], triple(calendar.date(number + k)))
        return _validity(chance, calendar, date)

    def cases() -> Iterator[Case]:
        leap_year = next((y for y in range(1, 8) if calendar.is_leap(y)), 1)
        last = (calendar.leap or 1, calendar.length(leap_year, calendar.leap or 1))
        edges = [(1, 1, 1), (leap_year, *last), (2, 1, 1), (leap_year, months, calendar.length(leap_year, months))]
        for date in inputs(draw, edges):
            for function in asked:
                yield one(function, date)
                if date in edges and function != "number":
                    break

    codes = _calendar_codes(calendar, style)
    needed = ["number", *(["date"] if "later" in asked else []), *asked]
    return Draft(
        name="number",
        statement=paragraphs(
            f"In a calendar a year has {count(months, 'month')}, in this order, here with their numbers of days: "
            f"{listed}. {leap} Years, months and days are counted from 1. A date is a triple of the year, the number "
            "of the month, and the day. "
            "All dates that are given are valid, unless something else is said, and years are less than 100.".replace(
                "  ", " "
            ),
            bullets(described[function] for function in asked),
        ),
        signature="\n".join(signatures[function] for function in asked),
        reference=module(codes["length"], *(codes[function] for function in dict.fromkeys(needed))),
        cases=cases(),
        hidden=16 if len(asked) < 5 else 20,
        groups=tuple(asked),
    )


def _validity(chance: Chance, calendar: _Calendar, date: tuple[int, int, int]) -> Case:
    """Several dates in one test, some of which there are not."""
    year, month, day = date
    size = calendar.length(year, month)
    dates = [
        (year, month, size + 1),
        (year, len(calendar.lengths) + 1, 1),
        (0, month, day),
        (year, month, 0),
        (year, 0, 2),
    ]
    chosen = chance.shuffled([date, (year + 1, month, size), *chance.sample(dates, 2)])

    def fine(y: int, m: int, d: int) -> bool:
        return y >= 1 and 1 <= m <= len(calendar.lengths) and 1 <= d <= calendar.length(y, m)

    answers = [fine(*one) for one in chosen]
    shown = "; ".join(f"valid ({', '.join(map(str, one))})" for one in chosen)
    answer = listing(truth)(answers)
    return Case(f"[{shown}]", answer, truth(answers[0]) if len({*answers}) == 1 else answer, group="valid")


def _calendar_codes(calendar: _Calendar, style: str) -> dict[str, str]:
    lengths = "; ".join(map(str, calendar.lengths))
    is_leap = f"y mod {calendar.cycle} = {calendar.rest}"
    names = "; ".join(f'"{name}"' for name in calendar.names)
    days = "; ".join(f'"{day}"' for day in calendar.days)
    table = f"let names = [| {names} |]\n\n" if "{month}" in style else ""
    values = {"{year}": "y", "{month}": "names.(m - 1)", "{day}": "d", "{number}": "m"}
    places = sorted(values, key=style.find)
    form = style.replace("{month}", "%s")
    for place in ("{year}", "{day}", "{number}"):
        form = form.replace(place, "%d")
    arguments = " ".join(
        f"({values[place]})" if "." in values[place] else values[place] for place in places if place in style
    )
    length = f"let length y m = lengths.(m - 1) + if m = {calendar.leap} && {is_leap} then 1 else 0"
    return {
        "length": f"""\
let lengths = [| {lengths} |]

{length if calendar.cycle else "let length _ m = lengths.(m - 1)"}

let year_length y = Array.fold_left ( + ) 0 (Array.mapi (fun i _ -> length y (i + 1)) lengths)""",
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
        "weekday": f"let days = [| {days} |]\n\nlet weekday date = days.((number date + {calendar.first}) mod "
        f"{len(calendar.days)})",
        "show": f'{table}let show (y, m, d) = Printf.sprintf "{form}" {arguments}',
        "later": "let later k day = date (number day + k)",
        "valid": "let valid (y, m, d) = y >= 1 && m >= 1 && m <= Array.length lengths && d >= 1 && d <= length y m",
    }


FAMILY = Family(
    name="units.calendar",
    topics=("arithmetic", "simulation"),
    description="a made-up calendar with leap years and weeks",
    make=_calendar,
)
