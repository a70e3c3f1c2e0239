"""The total of an order, with discounts, taxes and rounding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, listing, pair, text
from ocaml_env.problems.generators.wording import module, numbered, ordinal, paragraphs

__all__ = ["FAMILY"]

_NAMES = ("invoice", "bill", "checkout_total", "charge", "receipt")
_STEPS = {1: 1, 3: 3, 5: 4}

Lines = Sequence[tuple[int, int]]
"""Numbers of pieces and prices."""


class _Step(NamedTuple):
    """A change of the amount ``t`` in cents; ``n`` is the number of pieces, ``l`` of lines."""

    words: str
    ocaml: str
    run: Callable[[int, int, int], int]


class _Rounding(NamedTuple):
    """The rounding of parts of a cent."""

    words: str
    extra: int  # is added before a division by 100

    def percent(self, amount: int, percent: int) -> int:
        """So many percent of a non-negative amount."""
        return (amount * percent + self.extra) // 100

    def code(self, amount: str, percent: int) -> str:
        return f"(({amount} * {percent}) + {self.extra}) / 100" if self.extra else f"{amount} * {percent} / 100"


_ROUNDINGS = (
    _Rounding("rounded down to whole cents", 0),
    _Rounding("rounded up to whole cents", 99),
    _Rounding("rounded to the nearest whole number of cents, half a cent up", 50),
)


class _Order(NamedTuple):
    """The drawn order.

    Attributes:
        line: the amount of a line, from the price and the number of pieces.
        checked: there may be bad lines, which give ``None``.
        mark: between units and cents of a written total; empty if the total is a number.
        sign: behind such a total.
    """

    name: str
    line: _Step
    steps: tuple[_Step, ...]
    checked: bool
    mark: str
    sign: str

    @property
    def code(self) -> tuple[str, ...]:
        return (self.line.ocaml, *(step.ocaml for step in self.steps))

    def run(self, lines: Lines) -> int | None:
        totals = self.totals(lines)
        return totals[-1] if totals else None

    def totals(self, lines: Lines) -> list[int]:
        """The total at first, and after each step; nothing if a line is bad."""
        if self.checked and any(amount < 1 or price < 0 for amount, price in lines):
            return []
        pieces = sum(amount for amount, _ in lines)
        totals = [sum(self.line.run(price, amount, 0) for amount, price in lines)]
        for step in self.steps:
            totals.append(step.run(totals[-1], pieces, len(lines)))
        return totals

    def written(self, total: int) -> str:
        return f"{total // 100}{self.mark}{total % 100:02}{self.sign}"

    def show(self, total: int | None) -> str:
        if total is None:
            return "None"
        shown = text(self.written(total)) if self.mark else integer(total)
        return f"Some {shown}" if self.checked else shown


def _prices(chance: Chance, level: int) -> Draft:
    order = _draw(chance, level)
    kind = "string" if order.mark else "int"

    def cases() -> Iterator[Case]:
        edges: list[Lines] = [[], [(1, 0)], [(1, 99)], [(10, 100)], [(40, 1999), (3, 5)], [(1, 1)], [(1, 50)]]
        edges += [[(0, 5)], [(2, 5), (1, -1)]] if order.checked else []
        edges += _limits(order)
        for lines in inputs(lambda: _any_lines(chance, order), edges):
            yield case(order.name, [listing(pair(integer, integer))(lines)], order.show(order.run(lines)))

    return Draft(
        name=order.name,
        statement=_statement(order),
        signature=f"val {order.name} : (int * int) list -> {kind}{' option' if order.checked else ''}",
        reference=module(f"let line (n, p) =\n  {order.line.ocaml}", _code(order)),
        cases=cases(),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _draw(chance: Chance, level: int) -> _Order:
    """An order. Each of its steps matters, and so does the rounding, if there is any."""
    seed = str(chance.below(1 << 30))
    orders = [_order(Chance(seed), level, rounding) for rounding in _ROUNDINGS]
    order = chance.pick(orders)
    tried = [_lines(chance, order) for _ in range(30)]
    found = [totals for lines in tried if (totals := order.totals(lines))]
    for place in range(1, len(order.steps) + 1):
        changed = sum(totals[place - 1] != totals[place] for totals in found)
        if changed < 4 or len({totals[place] for totals in found}) < 12:
            raise Unfit
    for other in orders:
        if other.code != order.code and sum(other.run(lines) != order.run(lines) for lines in tried) < 9:
            raise Unfit
    return order


def _order(chance: Chance, level: int, rounding: _Rounding) -> _Order:
    line = chance.pick((_bulk, _every_free, _tiers, _packs, _small_order, _capped))(chance, rounding)
    steps = [make(chance, rounding) for make in chance.sample(_PRICE_STEPS, _STEPS[level])]
    if chance.happens(0.3):  # the last one, since a part of a cent is rare afterwards
        steps[-1] = _round(chance, rounding)
    written = level >= 3 and chance.happens(0.6)
    return _Order(
        name=chance.pick(_NAMES),
        line=line,
        steps=tuple(steps),
        checked=level == 5,
        mark=chance.pick((".", ",")) if written else "",
        sign=chance.pick(("", " cr", " EUR", "$")) if written else "",
    )


def _lines(chance: Chance, order: _Order) -> list[tuple[int, int]]:
    """A small order or a large one; a bad line now and then if there may be such."""
    dearest = chance.pick((60, 600, 2500))
    lines = [(chance.between(1, 12), chance.between(1, dearest)) for _ in range(chance.between(1, 4))]
    if order.checked and chance.happens(0.12):
        lines[chance.below(len(lines))] = chance.pick(((0, 100), (-2, 50), (3, -1)))
    return lines


def _any_lines(chance: Chance, order: _Order) -> list[tuple[int, int]]:
    """Such lines, or many, or one of many pieces, or the same line twice."""
    lines = _lines(chance, order)
    if chance.happens(0.8):
        return lines
    return chance.pick(
        (lines + _lines(chance, order), [(chance.between(13, 99), chance.between(1, 300))], lines[:1] * 2)
    )


def _limits(order: _Order) -> list[Lines]:
    """Orders with a total at the limit of a step, and a cent more or less."""
    found: list[Lines] = []
    for place, step in enumerate(order.steps):
        for limit in map(int, re.findall(r"\bt (?:>=|>|<) (\d+)", step.ocaml)):
            price = limit
            for _ in range(8):
                price = max(0, price + limit - order.totals([(1, price)])[place])
            if order.totals([(1, price)])[place] == limit:
                found += [[(1, price + more)] for more in (0, -1, 1)]
    return found


# --- amounts of lines -------------------------------------------------------------------------------------------------


def _bulk(chance: Chance, rounding: _Rounding) -> _Step:
    least, percent = chance.between(3, 8), chance.between(3, 40)
    return _Step(
        f"`n` times `p`; from {least} pieces on, {percent} percent of that are taken off, {rounding.words}",
        f"if n >= {least} then (n * p) - ({rounding.code('(n * p)', percent)}) else n * p",
        lambda p, n, _: n * p - rounding.percent(n * p, percent) if n >= least else n * p,
    )


def _every_free(chance: Chance, rounding: _Rounding) -> _Step:
    k, extra = chance.between(3, 6), chance.pick((0, 5, 12, 20, 33, 40))
    return _Step(
        f"`p` for every piece but every {ordinal(k)} one, which is free"
        + (f"; {extra} cents are added for every free one" if extra else ""),
        f"((n - (n / {k})) * p) + ({extra} * (n / {k}))" if extra else f"(n - (n / {k})) * p",
        lambda p, n, _: (n - n // k) * p + extra * (n // k),
    )


def _tiers(chance: Chance, rounding: _Rounding) -> _Step:
    first, percent = chance.between(2, 6), chance.between(10, 60)
    return _Step(
        f"`p` for each of the first {first} pieces, and for every further one `p` less {percent} percent of `p` (what "
        f"is taken off for one piece is {rounding.words})",
        f"(min n {first} * p) + (max 0 (n - {first}) * (p - ({rounding.code('p', percent)})))",
        lambda p, n, _: min(n, first) * p + max(0, n - first) * (p - rounding.percent(p, percent)),
    )


def _packs(chance: Chance, rounding: _Rounding) -> _Step:
    k, percent = chance.between(3, 6), chance.between(55, 90)
    return _Step(
        f"the price of its full packs of {k} pieces and of the pieces that are left over: a piece that is left over "
        f"costs `p`, and a full pack {percent} percent of {k} times `p`, {rounding.words}",
        f"(n / {k} * ({rounding.code(f'({k} * p)', percent)})) + (n mod {k} * p)",
        lambda p, n, _: n // k * rounding.percent(k * p, percent) + n % k * p,
    )


def _small_order(chance: Chance, rounding: _Rounding) -> _Step:
    least, extra = chance.between(3, 8), chance.between(10, 90)
    return _Step(
        f"`n` times `p`; for fewer than {least} pieces, {extra} cents are added for every piece that is missing to "
        f"{least}",
        f"(n * p) + ({extra} * max 0 ({least} - n))",
        lambda p, n, _: n * p + extra * max(0, least - n),
    )


def _capped(chance: Chance, rounding: _Rounding) -> _Step:
    most, percent = chance.between(3, 9) * 100, chance.between(20, 60)
    return _Step(
        f"`n` times `p`; {percent} percent of that are taken off, {rounding.words}, but never more than {most} cents",
        f"(n * p) - min {most} ({rounding.code('(n * p)', percent)})",
        lambda p, n, _: n * p - min(most, rounding.percent(n * p, percent)),
    )


# --- changes of the total ---------------------------------------------------------------------------------------------


def _discount(chance: Chance, rounding: _Rounding) -> _Step:
    least, percent = chance.between(10, 60) * 100, chance.between(2, 25)
    return _Step(
        f"If the total is at least {least}, {percent} percent of it are taken off, {rounding.words}",
        f"if t >= {least} then t - ({rounding.code('t', percent)}) else t",
        lambda t, n, lines: t - rounding.percent(t, percent) if t >= least else t,
    )


def _tax(chance: Chance, rounding: _Rounding) -> _Step:
    percent = chance.between(3, 25)
    return _Step(
        f"A tax of {percent} percent of the total is added, {rounding.words}",
        f"t + ({rounding.code('t', percent)})",
        lambda t, n, lines: t + rounding.percent(t, percent),
    )


def _luxury(chance: Chance, rounding: _Rounding) -> _Step:
    above, percent = chance.between(5, 40) * 100, chance.between(3, 30)
    return _Step(
        f"If the total is more than {above}, a tax of {percent} percent of what it is more than {above} is added, "
        f"{rounding.words}",
        f"if t > {above} then t + ({rounding.code(f'(t - {above})', percent)}) else t",
        lambda t, n, lines: t + rounding.percent(t - above, percent) if t > above else t,
    )


def _shipping(chance: Chance, rounding: _Rounding) -> _Step:
    base, each, free = chance.between(50, 900), chance.between(1, 60), chance.between(20, 90) * 100
    return _Step(
        f"If there are lines, and the total is less than {free}, {base} cents and {each} cents for every piece are "
        "added for shipping",
        f"if l > 0 && t < {free} then t + {base} + ({each} * n) else t",
        lambda t, n, lines: t + base + each * n if lines > 0 and t < free else t,
    )


def _parcels(chance: Chance, rounding: _Rounding) -> _Step:
    size, cost = chance.between(3, 8), chance.between(60, 400)
    return _Step(
        f"The pieces of all lines are packed together into parcels, {size} pieces in each but perhaps the last, and "
        f"{cost} cents are added for every parcel",
        f"t + ({cost} * ((n + {size - 1}) / {size}))",
        lambda t, n, lines: t + cost * -(-n // size),
    )


def _minimum(chance: Chance, rounding: _Rounding) -> _Step:
    least = chance.between(3, 15) * 100
    return _Step(
        f"If there are lines, the total is at least {least}: if it is less, it becomes {least}",
        f"if l > 0 then max t {least} else t",
        lambda t, n, lines: max(t, least) if lines > 0 else t,
    )


def _coupon(chance: Chance, rounding: _Rounding) -> _Step:
    off, pieces = chance.between(1, 15) * 50, chance.between(3, 12)
    return _Step(
        f"If there are at least {pieces} pieces in all, {off} cents are taken off, but the total never becomes "
        "negative",
        f"if n >= {pieces} then max 0 (t - {off}) else t",
        lambda t, n, lines: max(0, t - off) if n >= pieces else t,
    )


def _refund(chance: Chance, rounding: _Rounding) -> _Step:
    every, back = chance.between(5, 25) * 100, chance.between(20, 200)
    return _Step(
        f"For every full {every} cents of the total, {back} cents are taken off",
        f"t - ({back} * (t / {every}))",
        lambda t, n, lines: t - back * (t // every),
    )


def _variety(chance: Chance, rounding: _Rounding) -> _Step:
    free, cost = chance.between(1, 2), chance.between(30, 300)
    return _Step(
        f"For every line but the first{f' {free}' if free > 1 else ''}, {cost} cents are added",
        f"t + ({cost} * max 0 (l - {free}))",
        lambda t, n, lines: t + cost * max(0, lines - free),
    )


def _round(chance: Chance, rounding: _Rounding) -> _Step:
    k, up = chance.pick((5, 10, 25, 50)), chance.happens(0.5)
    return _Step(
        f"The total is rounded {'up' if up else 'down'} to a multiple of {k} cents",
        f"(t + {k - 1}) / {k} * {k}" if up else f"t / {k} * {k}",
        lambda t, n, lines: (t + k - 1 if up else t) // k * k,
    )


_PRICE_STEPS = (_discount, _tax, _luxury, _shipping, _parcels, _minimum, _coupon, _refund, _variety)


# --- words and OCaml --------------------------------------------------------------------------------------------------


def _statement(order: _Order) -> str:
    result = "the total in cents"
    if order.mark:
        sign = f", and `{order.sign}`" if order.sign else ""
        result = (
            f"the total as a string: the whole units of 100 cents, `{order.mark}`, the cents with two digits{sign} "
            f"(`{order.written(1205)}` for 1205)"
        )
    if order.checked:
        result = f"`Some` of {result}, or `None` if a line has fewer than 1 piece or a negative price"
    else:
        result += ". Every line has at least 1 piece, and no price is negative"
    return paragraphs(
        "An order is a list of lines, which may be empty; a line is the pair of a number of pieces and a price for one "
        f"piece, in cents. `{order.name} lines` computes what is to be paid:",
        numbered(
            [
                f"The amount of a line with `n` pieces at the price `p` is {order.line.words}.",
                "The amounts of all lines are added up; this is the total.",
                *(f"{step.words}." for step in order.steps),
            ]
        ),
        f"The result is {result}.",
    )


def _code(order: _Order) -> str:
    spoken = " ".join(order.code[1:])
    body = [f"let {order.name} lines ="]
    if order.checked:
        body.append("  if List.exists (fun (n, p) -> n < 1 || p < 0) lines then None\n  else")
    if re.search(r"\bn\b", spoken):
        body.append("  let n = List.fold_left (fun sum (n, _) -> sum + n) 0 lines in")
    if re.search(r"\bl\b", spoken):
        body.append("  let l = List.length lines in")
    body.append("  let t = List.fold_left (fun sum one -> sum + line one) 0 lines in")
    body += [f"  let t = {step.ocaml} in" for step in order.steps]
    final = f'Printf.sprintf "%d{order.mark}%02d{order.sign}" (t / 100) (t mod 100)' if order.mark else "t"
    body.append(f"  Some ({final})" if order.checked else f"  {final}")
    return "\n".join(body)


FAMILY = Family(
    name="units.prices",
    topics=("arithmetic", "lists", "strings"),
    description="the total of an order, with discounts, taxes and rounding",
    make=_prices,
)
