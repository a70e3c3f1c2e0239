"""Amounts in mixed units: written, rounded, shared and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, listing, pair, text
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

_SCALES = (
    ("crown", "florin", "penny", "mite"),
    ("league", "furlong", "rod", "span"),
    ("barrel", "jug", "cup", "spoon"),
    ("epoch", "age", "round", "beat"),
    ("stack", "crate", "box", "piece"),
)


@dataclass(frozen=True)
class _Scale:
    """The drawn units, and the way to write amounts in them.

    Attributes:
        units: the greatest first.
        names: as they are written.
        sizes: in the smallest unit.
        zeros: True to write units with the amount 0, too.
        step: amounts are rounded to multiples of it.
    """

    units: tuple[str, ...]
    names: tuple[str, ...]
    ratios: tuple[int, ...]
    sizes: tuple[int, ...]
    gap: str
    between: str
    zeros: bool
    sign: str
    step: int
    rounding: str

    @property
    def smallest(self) -> str:
        return self.units[-1]

    def split(self, amount: int) -> list[int]:
        parts = []
        for size in self.sizes:
            part, amount = divmod(amount, size)
            parts.append(part)
        return parts

    def show(self, amount: int) -> str:
        parts = zip(self.split(abs(amount)), self.names, strict=True)
        shown = [f"{part}{self.gap}{name}" for part, name in parts if part or self.zeros]
        shown = shown or [f"0{self.gap}{self.names[-1]}"]
        return (self.sign if amount < 0 else "") + self.between.join(shown)

    def rounded(self, amount: int) -> int:
        low = amount // self.step * self.step
        up = {"down": False, "up": low < amount, "nearest": 2 * (amount - low) >= self.step}[self.rounding]
        return low + self.step if up else low

    def total(self, parts: Sequence[int]) -> int:
        return sum(part * size for part, size in zip(parts, self.sizes, strict=True))


def _mixed(chance: Chance, level: int) -> Draft:
    scale = _scale(chance, level)
    asked = ("show", *chance.sample(("total", "rounded", "share", "greater"), {1: 0, 3: 1, 5: 3}[level]))
    worth = [f"1 {a} is {n} {b}" for a, n, b in zip(scale.units, scale.ratios, scale.units[1:], strict=False)]
    described, signatures, codes = _described(scale), _signatures(scale), _codes(scale)
    return Draft(
        name="show",
        statement=paragraphs(
            f"Amounts are counted in {series([f'`{name}`' for name in scale.units])}: {series(worth)}. (Names have no "
            "plural here.)",
            bullets(described[function] for function in asked),
        ),
        signature="\n".join(signatures[function] for function in asked),
        reference=module(*(codes[function] for function in asked)),
        cases=_cases(chance, scale, asked),
        hidden=12 if len(asked) == 1 else 16,
        groups=asked if len(asked) > 1 else (),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _scale(chance: Chance, level: int) -> _Scale:
    units = chance.pick(_SCALES)[: 4 if level == 5 else 3]
    ratios = tuple(chance.between(3, 24) for _ in units[1:])
    sizes = [1]
    for ratio in ratios[::-1]:
        sizes.insert(0, sizes[0] * ratio)
    full = chance.happens(0.5) or len({unit[0] for unit in units}) < len(units)
    return _Scale(
        units=units,
        names=units if full else tuple(unit[0] for unit in units),
        ratios=ratios,
        sizes=tuple(sizes),
        gap=chance.pick(("", " ")),
        between=chance.pick((" ", ", ", "+")),
        zeros=chance.happens(0.4),
        sign=chance.pick(("-", "minus ", "~")),
        step=chance.between(2, sizes[0] // 2),
        rounding=chance.pick(("down", "up", "nearest")),
    )


def _cases(chance: Chance, scale: _Scale, asked: Sequence[str]) -> Iterator[Case]:
    """A case for each function in turn."""
    sizes, step = scale.sizes, scale.step
    edges = [0, 1, sizes[0], sizes[0] - 1, -1, -sizes[0], sizes[-2], step, step - 1, -step, 2 * step, step // 2]
    left = {function: iter(edges) for function in asked}
    while True:
        for function in asked:
            n = next(left[function], None) if chance.happens(0.5) else None
            yield _case(chance, scale, function, _amount(chance, scale) if n is None else n)


def _amount(chance: Chance, scale: _Scale) -> int:
    top = scale.sizes[0] * chance.pick((1, 4, 40))
    amount = chance.between(-top if chance.happens(0.25) else 0, top)
    return scale.rounded(amount) if chance.happens(0.1) else amount


def _case(chance: Chance, scale: _Scale, function: str, n: int) -> Case:
    """A case for this amount."""
    if function == "show":
        return case("show", [integer(n)], text(scale.show(n)))
    if function == "total":
        parts = chance.ints(len(scale.units), -5 if chance.happens(0.2) else 0, 30 if chance.happens(0.85) else 2_000)
        return case("total", [pair(*[integer] * len(parts))(parts)], integer(scale.total(parts)))
    if function == "rounded":
        return case("rounded", [integer(n)], integer(scale.rounded(n)))
    if function == "share":
        k = chance.between(1, 5)
        if chance.happens(0.25):  # perhaps more people than units to share
            k, n = chance.between(3, 12), chance.between(0, 12)
        each, rest = divmod(abs(n), k)
        amounts = [each + (place < rest) for place in range(k)]
        return case("share", [integer(k), integer(abs(n))], listing(integer)(amounts))
    other = n if chance.happens(0.15) else _amount(chance, scale)
    return case("greater", [integer(n), integer(other)], text("equal" if n == other else scale.show(max(n, other))))


# --- words ------------------------------------------------------------------------------------------------------------


def _described(scale: _Scale) -> dict[str, str]:
    smallest, step = scale.smallest, scale.step
    full = scale.names == scale.units
    none = (
        "all units are written, also those of which there are 0"
        if scale.zeros
        else f"units of which there are 0 are left out, but if all are, it is `0{scale.gap}{scale.names[-1]}`"
    )
    rounded = {
        "down": f"down to the greatest multiple of {step} that is not greater",
        "up": f"up to the smallest multiple of {step} that is not less",
        "nearest": f"to the nearest multiple of {step}; if two are equally near, to the greater of them",
    }[scale.rounding]
    amount = scale.sizes[0] + 1
    return {
        "show": f"`show n` writes an amount of `n` {smallest} as a string: split into as many of the greatest unit as "
        "possible, then of what is left as many of the next one, and so on; each unit as its number, "
        f"{'a space, ' if scale.gap else ''}and {'its name' if full else 'the first letter of its name'}; "
        f"`{scale.between}` between each two; {none}. So `show {amount}` is `{scale.show(amount)}`. For a negative `n` "
        f"it is `{scale.sign}` directly followed by what is written for `-n`.",
        "total": f"`total ({', '.join('abcd'[: len(scale.units)])})` is the amount, in {smallest}, of `a` "
        f"{scale.units[0]}, `b` {scale.units[1]} and so on. The numbers may be negative or large.",
        "rounded": f"`rounded n` is the amount `n`, in {smallest}, rounded {rounded}. It may be negative.",
        "share": f"`share k n` divides an amount of `n` {smallest} (at least 0) among `k` people (at least 1), so that "
        f"nobody has more than 1 {smallest} more than anybody else: the list of the `k` amounts, the greater ones "
        "first.",
        "greater": f"`greater a b` is the text of the greater one of two amounts in {smallest}, as `show` writes it, "
        "and `equal` if they are equal.",
    }


def _signatures(scale: _Scale) -> dict[str, str]:
    return {
        "show": "val show : int -> string",
        "total": f"val total : {' * '.join(['int'] * len(scale.units))} -> int",
        "rounded": "val rounded : int -> int",
        "share": "val share : int -> int -> int list",
        "greater": "val greater : int -> int -> string",
    }


# --- OCaml ------------------------------------------------------------------------------------------------------------


def _codes(scale: _Scale) -> dict[str, str]:
    letters = "abcd"[: len(scale.units)]
    terms = [f"({letter} * {size})" for letter, size in zip(letters[:-1], scale.sizes, strict=False)]
    return {
        "show": _show_code(scale),
        "total": f"let total ({', '.join(letters)}) = {' + '.join([*terms, letters[-1]])}",
        "rounded": _rounded_code(scale),
        "share": "let share k n = List.init k (fun i -> (n / k) + if i < n mod k then 1 else 0)",
        "greater": 'let greater a b = if a = b then "equal" else show (max a b)',
    }


def _show_code(scale: _Scale) -> str:
    units = "; ".join(f'("{name}", {size})' for name, size in zip(scale.names, scale.sizes, strict=True))
    zero = f'[ ("{scale.names[-1]}", 0) ]'
    kept = f"\n    let parts = if n = 0 then {zero} else List.filter (fun (_, part) -> part > 0) parts in"
    gap = f'"{scale.gap}" ^ ' if scale.gap else ""
    return f"""\
let rec show n =
  if n < 0 then "{scale.sign}" ^ show (-n)
  else
    let split (parts, left) (name, size) = ((name, left / size) :: parts, left mod size) in
    let parts, _ = List.fold_left split ([], n) [ {units} ] in
    let parts = List.rev parts in{"" if scale.zeros else kept}
    String.concat "{scale.between}" (List.map (fun (name, part) -> string_of_int part ^ {gap}name) parts)"""


def _rounded_code(scale: _Scale) -> str:
    body = {
        "down": "low",
        "up": "if low = n then n else low + step",
        "nearest": "if n - low < low + step - n then low else low + step",
    }
    return f"""\
let rounded n =
  let step = {scale.step} in
  let low = n - (((n mod step) + step) mod step) in
  {body[scale.rounding]}"""


FAMILY = Family(
    name="units.mixed",
    topics=("arithmetic", "strings"),
    description="amounts in mixed units: written, rounded, shared and compared",
    make=_mixed,
    split="eval",
)
