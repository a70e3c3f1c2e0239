"""Amounts in mixed units: written, rounded, shared and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, listing, pair, text
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

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
        "possible, then of what is left as many of the next one, and so on; each unit as its number, "
        f"{'a space, ' if gap else ''}and {'its name' if full else 'the first letter of its name'}; `{between}` "
        "between each two; "
        + (
            "all units are written, also those of which there are 0"
            if zeros
            else "units of which there are 0 are left out, but "
            f"if all are, it is `0{gap}{(names if full else letters)[-1]}`"
        )
        + f". So `show {amount}` is `{show(amount)}`. For a negative `n` it is `{sign}` directly followed by what is "
        "written for `-n`.",
        "total": f"`total ({', '.join('abcd'[: len(names)])})` is the amount, in {smallest}, of `a` {names[0]}, `b` "
        f"{names[1]} and so on. The numbers may be negative or large.",
        "rounded": f"`rounded n` is the amount `n`, in {smallest}, rounded "
        + {
            "down": f"down to the greatest multiple of {step} that is not greater",
            "up": f"up to the smallest multiple of {step} that is not less",
            "nearest": f"to the nearest multiple of {step}; if two are equally near, to the greater of them",
        }[rounding]
        + ". It may be negative.",
        "share": f"`share k n` divides an amount of `n` {smallest} (at least 0) among `k` people (at least 1), so "
        f"that nobody has more than 1 {smallest} more than anybody else: the list of the `k` amounts, the greater "
        "ones first.",
        "greater": f"`greater a b` is the text of the greater one of two amounts in {smallest}, as `show` writes it, "
        "and `equal` if they are equal.",
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


FAMILY = Family(
    name="units.mixed",
    topics=("arithmetic", "strings"),
    description="amounts in mixed units: written, rounded, shared and compared",
    make=_mixed,
)
