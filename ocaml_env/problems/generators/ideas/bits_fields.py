"""A record packed into the bits of one number, and read from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, option, record
from ocaml_env.problems.generators.wording import a, bullets, module, paragraphs

__all__ = ["FAMILY"]

_POPCOUNT = "let rec ones w = if w = 0 then 0 else (w land 1) + ones (w lsr 1)"


_SETS = (
    ("packet", ("version", "channel", "size", "flags", "hops")),
    ("pixel", ("red", "green", "blue", "alpha", "layer")),
    ("stamp", ("year", "month", "day", "hour", "zone")),
    ("item", ("kind", "grade", "count", "shelf", "owner")),
    ("order", ("opcode", "source", "target", "mode", "tag")),
)


class _Field(NamedTuple):
    name: str
    width: int
    offset: int
    low: int  # what is stored is the value minus this

    @property
    def high(self) -> int:
        return self.low + (1 << self.width) - 1


def _fields(chance: Chance, level: int) -> Draft:
    kind, all_names = chance.pick(_SETS)
    names = chance.sample(all_names, (3, 3, 4, 4, 5)[level - 1])
    offset = 0
    layout: list[_Field] = []
    for name in names:
        if level >= 3 and chance.happens(0.3):
            offset += 1  # a bit that is not used
        width = chance.between(2, 7)
        low = -chance.between(1, 9) if level >= 2 and chance.happens(0.35) else 0
        layout.append(_Field(name, width, offset, low))
        offset += width
    fields = chance.shuffled(layout)
    check = chance.pick((_check_parity, _check_sum))(chance, offset) if level >= 4 else None
    unused = ((1 << offset) - 1) & ~sum(((1 << f.width) - 1) << f.offset for f in layout)

    def pack(value: Sequence[int]) -> int | None:
        word = 0
        for field, part in zip(fields, value, strict=True):
            if not field.low <= part <= field.high:
                return None
            word |= (part - field.low) << field.offset
        return word | (check.run(word) << offset) if check else word

    whole = offset + (check.width if check else 0)

    def unpack(word: int) -> tuple[int, ...] | None:
        if not 0 <= word < 1 << whole or word & unused:
            return None
        data = word & ((1 << offset) - 1)
        if check and word >> offset != check.run(data):
            return None
        return tuple(((word >> f.offset) & ((1 << f.width) - 1)) + f.low for f in fields)

    lines = [
        f"`{f.name}`: {f.width} bits from bit {f.offset} up, for the values from {f.low} to {f.high}"
        + (f"; what is stored is the value plus {-f.low}" if f.low else "")
        for f in fields
    ]
    empty = " Bits that no field uses are 0." if unused else ""
    statement = paragraphs(
        f"{a(kind).capitalize()} is stored in one integer. Bit 0 is the least significant bit, and the fields lie "
        "here:",
        bullets(f"{line}{'.' if i == len(lines) - 1 else ';'}" for i, line in enumerate(lines)),
        check.words if check else "",
        "Write two functions:",
        bullets(
            (
                f"`pack {kind}` is `Some` of that integer, or `None` if a value is outside of its range.{empty}",
                f"`unpack word` goes back: it is `Some` of the {kind}, or `None` if `pack` gives this integer for no "
                f"{kind}. Any integer may be given, also a negative one.",
            )
        ),
    )
    declared = "; ".join(f"{f.name} : int" for f in fields)
    show = record([(f.name, integer) for f in fields])

    def cases() -> Iterator[Case]:
        for value in inputs(lambda: _value(chance, fields), _field_edges(chance, fields)):
            word = pack(value)
            yield case("pack", [show(value)], option(integer)(word))
            if word is None:
                word = chance.between(-3, (2 << whole) - 1)
            elif chance.happens(0.35):
                word ^= 1 << chance.below(whole + 2)
            yield case("unpack", [integer(word)], option(show)(unpack(word)))

    return Draft(
        name="pack",
        statement=statement,
        signature=f"type {kind} = {{ {declared} }}\n\n"
        f"val pack : {kind} -> int option\nval unpack : int -> {kind} option",
        reference=_field_reference(kind, declared, fields, check, offset, whole, unused),
        cases=cases(),
        together=2,
        hidden=16,
        groups=("pack", "unpack"),
    )


class _Check(NamedTuple):
    words: str
    ocaml: str  # a definition of check
    width: int
    run: Callable[[int], int]


def _check_parity(chance: Chance, offset: int) -> _Check:
    odd = chance.below(2)
    words = (
        f"Bit {offset} is a check: it is chosen so that the number of set bits, itself included, is "
        f"{'odd' if odd else 'even'}."
    )
    ocaml = f"let check word = (ones word + {odd}) mod 2" if odd else "let check word = ones word mod 2"
    return _Check(words, module(_POPCOUNT, ocaml), 1, lambda word: (word.bit_count() + odd) % 2)


def _check_sum(chance: Chance, offset: int) -> _Check:
    m = chance.pick((5, 6, 7, 11, 13, 15))
    width = (m - 1).bit_length()
    words = (
        f"The {width} bits from bit {offset} up are a check: the remainder, divided by {m}, of the number that the "
        "bits below them make."
    )
    return _Check(words, f"let check word = word mod {m}", width, lambda word: word % m)


def _value(chance: Chance, fields: Sequence[_Field]) -> list[int]:
    value = [chance.between(field.low, field.high) for field in fields]
    if chance.happens(0.2):
        place = chance.below(len(fields))
        value[place] = chance.pick((fields[place].low - 1, fields[place].high + 1))
    return value


def _field_edges(chance: Chance, fields: Sequence[_Field]) -> list[list[int]]:
    return [
        [field.low for field in fields],
        [field.high for field in fields],
        [field.high + (i == 0) for i, field in enumerate(fields)],
        [field.low - (i == len(fields) - 1) for i, field in enumerate(fields)],
    ]


def _field_reference(
    kind: str, declared: str, fields: Sequence[_Field], check: _Check | None, offset: int, whole: int, unused: int
) -> str:
    names = "; ".join(field.name for field in fields)
    fits = " && ".join(f"within {atomic(f.low)} {atomic(f.high)} {f.name}" for f in fields)
    stored = " lor ".join(_shifted(f"({f.name}{_signed(-f.low)})" if f.low else f.name, f.offset) for f in fields)
    read = "; ".join(f"{f.name} = {_read(f)}{_signed(f.low)}" for f in fields)
    conditions = [f"word >= 0 && word < {1 << whole}"]
    conditions += [f"word land {unused} = 0"] if unused else []
    conditions += [f"word lsr {offset} = check (word land {(1 << offset) - 1})"] if check else []
    packed = f"let word = {stored} in\n    Some (word lor (check word lsl {offset}))" if check else f"Some ({stored})"
    return module(
        f"type {kind} = {{ {declared} }}",
        "let within low high value = low <= value && value <= high",
        check.ocaml if check else "",
        f"let pack {{ {names} }} =\n  if {fits} then\n    {packed}\n  else None",
        f"let unpack word =\n  if {' && '.join(conditions)} then\n    Some {{ {read} }}\n  else None",
    )


def _shifted(code: str, offset: int) -> str:
    return f"({code} lsl {offset})" if offset else code


def _read(field: _Field) -> str:
    return f"((word lsr {field.offset}) land {(1 << field.width) - 1})"


def atomic(number: int) -> str:
    return f"({number})" if number < 0 else str(number)


def _signed(number: int) -> str:
    """What adds the number to an expression before it; nothing for 0."""
    return "" if number == 0 else f" + {number}" if number > 0 else f" - {-number}"


FAMILY = Family(
    name="bits.fields",
    topics=("arithmetic", "variants-records", "options-results"),
    description="a record packed into the bits of one number, and read from it",
    make=_fields,
)
