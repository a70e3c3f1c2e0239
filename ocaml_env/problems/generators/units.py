"""Families about units: amounts in mixed units, calendars that nobody uses, and prices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, listing, pair, text, truth
from ocaml_env.problems.generators.wording import bullets, count, module, numbered, paragraphs, series

__all__ = ["FAMILIES"]

# --- mixed units ------------------------------------------------------------------------------------------------------

_SCALES = (
    ("crown", "florin", "penny", "mite"),
    ("league", "furlong", "rod", "span"),
    ("barrel", "bucket", "jug", "cup"),
    ("epoch", "age", "round", "beat"),
    ("stack", "crate", "box", "piece"),
)


def _mixed(chance: Chance, level: int) -> Draft:
    names = chance.pick(_SCALES)[: 3 if level <= 3 else 4]
    ratios = [chance.between(3, 24) for _ in names[1:]]
    sizes = [1]
    for ratio in ratios[::-1]:
        sizes.insert(0, sizes[0] * ratio)
    letters = [name[0] for name in names]
    if len({*letters}) < len(letters):
        raise Unfit
    gap, between = chance.pick(("", " ")), chance.pick((" ", ", ", "+"))
    zeros = chance.happens(0.4)  # show units of which there are none, too
    sign = chance.pick(("-", "minus ", "~"))
    full = chance.happens(0.5)
    step = chance.between(2, sizes[0] // 2)
    rounding = chance.pick(("down", "up", "nearest"))
    asked = ["show", *chance.sample(("total", "rounded", "share", "greater"), (0, 1, 1, 2, 3)[level - 1])]

    def split(amount: int) -> list[int]:
        parts = []
        for size in sizes:
            part, amount = divmod(amount, size)
            parts.append(part)
        return parts

    def show(amount: int) -> str:
        parts = split(abs(amount))
        named = names if full else letters
        shown = [f"{part}{gap}{name}" for part, name in zip(parts, named, strict=True) if part or zeros]
        if not shown:
            shown = [f"0{gap}{named[-1]}"]
        return (sign if amount < 0 else "") + between.join(shown)

    def rounded(amount: int) -> int:
        low = amount // step * step
        if rounding == "down":
            return low
        if rounding == "up":
            return -(-amount // step) * step
        return low if amount - low < low + step - amount else low + step

    def total(parts: Sequence[int]) -> int:
        return sum(part * size for part, size in zip(parts, sizes, strict=True))

    def draw() -> int:
        top = sizes[0] * chance.pick((1, 4, 40))
        return chance.between(-top if chance.happens(0.25) else 0, top)

    worth = [f"1 {a} is {ratio} {b}" for a, ratio, b in zip(names, ratios, names[1:], strict=False)]
    amount = sizes[0] + 1
    smallest = names[-1]
    tuple_type = " * ".join(["int"] * len(names))
    described = {
        "show": f"`show n` writes an amount of `n` {smallest} as a string: split into as many of the greatest unit as "
        "possible, "
        "then of what is left as many of the next one, and so on; each unit as its number, "
        f"{'a space, ' if gap else ''}and "
        f"{'its name' if full else 'the first letter of its name'}; `{between}` between each two; "
        + (
            "all units are written, also those of which there are 0"
            if zeros
            else "units of which there are 0 are left out, but "
            f"if all are, it is `0{gap}{(names if full else letters)[-1]}`"
        )
        + f". So `show {amount}` is `{show(amount)}`. For a negative `n` it is `{sign}` directly followed by what is "
        "written for "
        "`-n`.",
        "total": f"`total ({', '.join('abcd'[: len(names)])})` is the amount, in {smallest}, of `a` {names[0]}, `b` "
        f"{names[1]} and so "
        "on. The numbers may be negative or large.",
        "rounded": f"`rounded n` is the amount `n`, in {smallest}, rounded "
        + {
            "down": f"down to the greatest multiple of {step} that is not greater",
            "up": f"up to the smallest multiple of {step} that is not less",
            "nearest": f"to the nearest multiple of {step}; if two are equally near, to the greater of them",
        }[rounding]
        + ". It may be negative.",
        "share": f"`share k n` divides an amount of `n` {smallest} (at least 0) among `k` people (at least 1), so "
        "that nobody has "
        f"more than 1 {smallest} more than anybody else: the list of the `k` amounts, the greater ones first.",
        "greater": f"`greater a b` is the text of the greater one of two amounts in {smallest}, as `show` writes it, "
        "and `equal` if "
        "they are equal.",
    }
    signatures = {
        "show": "val show : int -> string",
        "total": f"val total : {tuple_type} -> int",
        "rounded": "val rounded : int -> int",
        "share": "val share : int -> int -> int list",
        "greater": "val greater : int -> int -> string",
    }
    codes = {
        "show": _show_code(names if full else letters, sizes, gap, between, sign, zeros=zeros),
        "total": f"let total ({', '.join('abcd'[: len(names)])}) = "
        + " + ".join(f"({letter} * {size})" for letter, size in zip("abcd", sizes, strict=False)),
        "rounded": _rounded_code(step, rounding),
        "share": "let share k n = List.init k (fun i -> (n / k) + if i < n mod k then 1 else 0)",
        "greater": 'let greater a b = if a = b then "equal" else show (max a b)',
    }

    def cases() -> Iterator[Case]:
        edges = iter([0, 1, sizes[0], sizes[0] - 1, -1, -sizes[0], sizes[-2], step, step - 1])
        while True:
            for function in asked:
                n = next(edges, None) if function == asked[0] or chance.happens(0.3) else None
                n = draw() if n is None else n
                if function == "show":
                    yield case("show", [integer(n)], text(show(n)))
                elif function == "total":
                    parts = chance.ints(len(names), -5 if chance.happens(0.2) else 0, 30)
                    yield case("total", [pair(*[integer] * len(names))(parts)], integer(total(parts)))
                elif function == "rounded":
                    yield case("rounded", [integer(n)], integer(rounded(n)))
                elif function == "share":
                    k = chance.between(1, 5)
                    each, rest = divmod(abs(n), k)
                    yield case(
                        "share", [integer(k), integer(abs(n))], listing(integer)([each + (i < rest) for i in range(k)])
                    )
                else:
                    other = n if chance.happens(0.15) else draw()
                    answer = "equal" if n == other else show(max(n, other))
                    yield case("greater", [integer(n), integer(other)], text(answer))

    return Draft(
        name="show",
        statement=paragraphs(
            f"Amounts are counted in {series([f'`{name}`' for name in names])}: {series(worth)}. (Names have no "
            "plural here.)",
            bullets(described[one] for one in asked),
        ),
        signature="\n".join(signatures[one] for one in asked),
        reference=module(*(codes[one] for one in asked)),
        cases=cases(),
        hidden=12 if len(asked) == 1 else 16,
        groups=tuple(asked) if len(asked) > 1 else (),
    )


def _show_code(names: Sequence[str], sizes: Sequence[int], gap: str, between: str, sign: str, *, zeros: bool) -> str:
    units = "; ".join(f'("{name}", {size})' for name, size in zip(names, sizes, strict=True))
    keep = "parts" if zeros else "List.filter (fun (_, part) -> part > 0) parts"
    return f"""\
let rec show n =
  if n < 0 then "{sign}" ^ show (-n)
  else
    let split (parts, left) (name, size) = ((name, left / size) :: parts, left mod size) in
    let parts, _ = List.fold_left split ([], n) [ {units} ] in
    let parts = List.rev parts in
    let parts = if n = 0 && not {"true" if zeros else "false"} then [ ("{names[-1]}", 0) ] else {keep} in
    String.concat "{between}" (List.map (fun (name, part) -> string_of_int part ^ "{gap}" ^ name) parts)"""


def _rounded_code(step: int, rounding: str) -> str:
    body = {
        "down": "low",
        "up": "if low = n then n else low + step",
        "nearest": "if n - low < low + step - n then low else low + step",
    }
    return f"""\
let rounded n =
  let step = {step} in
  let low = n - (((n mod step) + step) mod step) in
  {body[rounding]}"""


# --- calendars --------------------------------------------------------------------------------------------------------

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
        "this order and then "
        f"again from the beginning: {days}. The first day of year 1 is a {calendar.days[calendar.first]}.",
        "show": f"`show (y, m, d)` writes a date as `{form}`, where the numbers are in decimal digits without zeros "
        "in front, and "
        f"the month is {explained}.",
        "later": "`later k (y, m, d)` is the date `k` days later; `k` may be negative, and is never so small that the "
        "date would "
        "be before year 1.",
        "valid": "`valid (y, m, d)` tells whether there is such a date: `y` is at least 1, there is such a month, and "
        "the month has "
        "such a day in that year.",
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
    needed = ["number", "date", *asked]
    return Draft(
        name="number",
        statement=paragraphs(
            f"In a calendar a year has {count(months, 'month')}, in this order, here with their numbers of days: "
            f"{listed}. {leap} "
            "Years, months and days are counted from 1. A date is a triple of the year, the number of the month, and "
            "the day. "
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
    constant = truth(answers[0]) if len({*answers}) == 1 else ""
    return Case(f"[{shown}]", listing(truth)(answers), constant, group="valid")


def _calendar_codes(calendar: _Calendar, style: str) -> dict[str, str]:
    lengths = "; ".join(map(str, calendar.lengths))
    is_leap = f"y mod {calendar.cycle} = {calendar.rest}" if calendar.cycle else "false"
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
    return {
        "length": f"""\
let lengths = [| {lengths} |]

let length y m = lengths.(m - 1) + if m = {calendar.leap} && ({is_leap}) then 1 else 0

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


# --- prices -----------------------------------------------------------------------------------------------------------


class _Step(NamedTuple):
    """What happens to the amount ``t`` in cents; ``n`` is the number of pieces, ``l`` of lines."""

    words: str
    ocaml: str
    run: Callable[[int, int, int], int]


def _percent(amount: int, percent: int, rounding: str) -> int:
    """So many percent of an amount that is not negative."""
    return {"down": amount * percent // 100, "up": -(-amount * percent // 100), "half": (amount * percent + 50) // 100}[
        rounding
    ]


_PERCENT_CODE = {"down": "{a} * {p} / 100", "up": "(({a} * {p}) + 99) / 100", "half": "(({a} * {p}) + 50) / 100"}
_ROUNDED = {
    "down": "rounded down to whole cents",
    "up": "rounded up to whole cents",
    "half": "rounded to the nearest whole number of cents, half a cent up",
}


def _prices(chance: Chance, level: int) -> Draft:
    name = chance.pick(("invoice", "bill", "checkout_total", "charge", "receipt"))
    rounding = chance.pick(("down", "up", "half"))
    line_rule = chance.pick((_bulk, _every_free, _tiers))(chance, rounding)
    steps = [make(chance, rounding) for make in chance.sample(_PRICE_STEPS, (1, 2, 3, 3, 4)[level - 1])]
    as_text = level >= 3 and chance.happens(0.6)
    checked = level >= 4  # bad lines give None
    mark = chance.pick((".", ",")) if as_text else ""
    sign = chance.pick(("", " cr", " EUR", "$")) if as_text else ""

    def run(lines: Sequence[tuple[int, int]]) -> int | None:
        if checked and any(amount < 1 or price < 0 for amount, price in lines):
            return None
        total = sum(line_rule.run(price, amount, 0) for amount, price in lines)
        pieces = sum(amount for amount, _ in lines)
        for step in steps:
            total = step.run(total, pieces, len(lines))
        return total

    def written(total: int) -> str:
        return f"{total // 100}{mark}{total % 100:02}{sign}"

    def show(total: int | None) -> str:
        if total is None:
            return "None"
        shown = text(written(total)) if as_text else integer(total)
        return f"Some {shown}" if checked else shown

    def draw() -> list[tuple[int, int]]:
        lines = [(chance.between(1, 12), chance.between(5, 2500)) for _ in range(chance.between(1, 4))]
        if checked and chance.happens(0.12):
            lines[-1] = chance.pick(((0, 100), (-2, 50), (3, -1)))
        return lines

    tried = [draw() for _ in range(10)]
    for step in steps:
        if all(step.run(total := run(lines) or 0, sum(n for n, _ in lines), len(lines)) == total for lines in tried):
            raise Unfit
    numbers = "the pair of a number of pieces and a price for one piece, in cents"
    parts = [f"The amount of a line with `n` pieces at the price `p` is {line_rule.words}."]
    parts.append("The amounts of all lines are added up; this is the total.")
    parts += [f"{step.words}." for step in steps]
    result = (
        f"the total as a string: the whole units of 100 cents, `{mark}`, the cents with two digits"
        + (f", and `{sign}`" if sign else "")
        + f" (`{written(1205)}` for 1205)"
        if as_text
        else "the total in cents"
    )
    if checked:
        result = f"`Some` of {result}, or `None` if a line has fewer than 1 piece or a negative price"
    else:
        result += ". Every line has at least 1 piece, and no price is negative"
    code = [
        f"let line (n, p) =\n  {line_rule.ocaml}",
        f"let {name} lines =",
    ]
    spoken = " ".join(step.ocaml for step in steps)
    body = []
    if re.search(r"\bn\b", spoken):
        body.append("  let n = List.fold_left (fun sum (n, _) -> sum + n) 0 lines in")
    if re.search(r"\bl\b", spoken):
        body.append("  let l = List.length lines in")
    body.append("  let t = List.fold_left (fun sum one -> sum + line one) 0 lines in")
    body += [f"  let t = {step.ocaml} in" for step in steps]
    final = f'Printf.sprintf "%d{mark}%02d{sign}" (t / 100) (t mod 100)' if as_text else "t"
    if checked:
        body.insert(0, "  if List.exists (fun (n, p) -> n < 1 || p < 0) lines then None\n  else")
        final = f"Some ({final})"
    body.append(f"  {final}")
    kind = "string" if as_text else "int"

    def cases() -> Iterator[Case]:
        edges: list[list[tuple[int, int]]] = [[], [(1, 0)], [(1, 99)], [(10, 100)], [(40, 1999), (3, 5)], [(1, 1)]]
        edges += [[(0, 5)]] if checked else []
        for lines in inputs(draw, edges):
            yield case(name, [listing(pair(integer, integer))(lines)], show(run(lines)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"An order is a list of lines, which may be empty; a line is {numbers}. `{name} lines` computes what is "
            "to be paid:",
            numbered(parts),
            f"The result is {result}.",
        ),
        signature=f"val {name} : (int * int) list -> {kind}{' option' if checked else ''}",
        reference=module(code[0], "\n".join([code[1], *body])),
        cases=cases(),
    )


def _bulk(chance: Chance, rounding: str) -> _Step:
    least, percent = chance.between(3, 8), chance.between(3, 40)
    taken = _PERCENT_CODE[rounding].format(a="(n * p)", p=percent)
    return _Step(
        f"`n` times `p`; from {least} pieces on, {percent} percent of that are taken off, {_ROUNDED[rounding]}",
        f"if n >= {least} then (n * p) - ({taken}) else n * p",
        lambda p, n, _: n * p - _percent(n * p, percent, rounding) if n >= least else n * p,
    )


def _every_free(chance: Chance, rounding: str) -> _Step:
    k, extra = chance.between(3, 6), chance.between(0, 40)
    return _Step(
        f"`p` for every piece but every {_nth(k)} one, which is free"
        + (f"; {extra} cents are added for every free one" if extra else ""),
        f"((n - (n / {k})) * p) + ({extra} * (n / {k}))",
        lambda p, n, _: (n - n // k) * p + extra * (n // k),
    )


def _nth(k: int) -> str:
    return {3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}[k]


def _tiers(chance: Chance, rounding: str) -> _Step:
    first, percent = chance.between(2, 6), chance.between(10, 60)
    taken = _PERCENT_CODE[rounding].format(a="p", p=percent)
    return _Step(
        f"`p` for each of the first {first} pieces, and for every further one `p` less {percent} percent of `p`, the "
        "part that is "
        f"taken off {_ROUNDED[rounding]} for one piece",
        f"(min n {first} * p) + (max 0 (n - {first}) * (p - ({taken})))",
        lambda p, n, _: min(n, first) * p + max(0, n - first) * (p - _percent(p, percent, rounding)),
    )


def _p_discount(chance: Chance, rounding: str) -> _Step:
    least, percent = chance.between(10, 60) * 100, chance.between(2, 25)
    taken = _PERCENT_CODE[rounding].format(a="t", p=percent)
    return _Step(
        f"If the total is at least {least}, {percent} percent of it are taken off, {_ROUNDED[rounding]}",
        f"if t >= {least} then t - ({taken}) else t",
        lambda t, n, lines: t - _percent(t, percent, rounding) if t >= least else t,
    )


def _p_tax(chance: Chance, rounding: str) -> _Step:
    percent = chance.between(3, 25)
    added = _PERCENT_CODE[rounding].format(a="t", p=percent)
    return _Step(
        f"A tax of {percent} percent of the total is added, {_ROUNDED[rounding]}",
        f"t + ({added})",
        lambda t, n, lines: t + _percent(t, percent, rounding),
    )


def _p_shipping(chance: Chance, rounding: str) -> _Step:
    base, each, free = chance.between(50, 900), chance.between(0, 60), chance.between(20, 90) * 100
    return _Step(
        f"If there are lines, and the total is less than {free}, {base} cents and {each} cents for every piece are "
        "added for "
        "shipping",
        f"if l > 0 && t < {free} then t + {base} + ({each} * n) else t",
        lambda t, n, lines: t + base + each * n if lines > 0 and t < free else t,
    )


def _p_minimum(chance: Chance, rounding: str) -> _Step:
    least = chance.between(3, 40) * 100
    return _Step(
        f"If there are lines, the total is at least {least}: if it is less, it becomes {least}",
        f"if l > 0 then max t {least} else t",
        lambda t, n, lines: max(t, least) if lines > 0 else t,
    )


def _p_round(chance: Chance, rounding: str) -> _Step:
    k = chance.pick((5, 10, 25, 50))
    if rounding == "up":
        return _Step(
            f"The total is rounded up to a multiple of {k} cents",
            f"(t + {k - 1}) / {k} * {k}",
            lambda t, n, lines: -(-t // k) * k,
        )
    return _Step(
        f"The total is rounded down to a multiple of {k} cents", f"t / {k} * {k}", lambda t, n, lines: t // k * k
    )


def _p_coupon(chance: Chance, rounding: str) -> _Step:
    off, pieces = chance.between(1, 15) * 50, chance.between(3, 12)
    return _Step(
        f"If there are at least {pieces} pieces in all, {off} cents are taken off, but the total never becomes "
        "negative",
        f"if n >= {pieces} then max 0 (t - {off}) else t",
        lambda t, n, lines: max(0, t - off) if n >= pieces else t,
    )


_PRICE_STEPS = (_p_discount, _p_tax, _p_shipping, _p_minimum, _p_round, _p_coupon)


FAMILIES = (
    Family(
        name="units.mixed",
        topics=("arithmetic", "strings"),
        description="amounts in mixed units: written, rounded, shared and compared",
        make=_mixed,
    ),
    Family(
        name="units.calendar",
        topics=("arithmetic", "simulation"),
        description="a made-up calendar with leap years and weeks",
        make=_calendar,
    ),
    Family(
        name="units.prices",
        topics=("arithmetic", "lists", "strings"),
        description="the total of an order, with discounts, taxes and rounding",
        make=_prices,
    ),
)
