"""The total of an order, with discounts, taxes and rounding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, listing, pair, text
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]


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
        f"`p` for each of the first {first} pieces, and for every further one `p` less {percent} percent of `p` (what "
        f"is taken off for one piece is {_ROUNDED[rounding]})",
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
        "added for shipping",
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


FAMILY = Family(
    name="units.prices",
    topics=("arithmetic", "lists", "strings"),
    description="the total of an order, with discounts, taxes and rounding",
    make=_prices,
)
