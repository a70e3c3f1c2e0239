"""A record packed into the bits of one number, and read from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.small.bits_fields import TASKS
from ocaml_env.problems.generators.values import Show, atom, integer, option, record
from ocaml_env.problems.generators.wording import a, bullets, module, paragraphs

__all__ = ["FAMILY"]

_SETS = (
    ("packet", ("version", "channel", "size", "flags", "hops")),
    ("pixel", ("red", "green", "blue", "alpha", "layer")),
    ("stamp", ("year", "month", "day", "hour", "zone")),
    ("item", ("kind", "grade", "count", "shelf", "owner")),
    ("order", ("opcode", "source", "target", "mode", "tag")),
)
_BITS = "let bits word offset width = (word lsr offset) land ((1 lsl width) - 1)"


@dataclass(frozen=True, slots=True)
class _Field:
    """``width`` bits from bit ``offset`` up. They store the value minus ``low``."""

    name: str
    width: int
    offset: int
    low: int

    @property
    def high(self) -> int:
        return self.low + self.mask

    @property
    def mask(self) -> int:
        return (1 << self.width) - 1


class _Check(NamedTuple):
    """The content of the bits above the fields."""

    words: str
    ocaml: str  # a definition of ``check``
    width: int
    run: Callable[[int], int]


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout of a record in a word; ``size`` is the number of bits below the check."""

    kind: str
    fields: tuple[_Field, ...]
    size: int
    check: _Check | None

    @property
    def whole(self) -> int:
        return self.size + (self.check.width if self.check else 0)

    @property
    def unused(self) -> int:
        """A mask of the bits outside all fields."""
        return (1 << self.size) - 1 - sum(field.mask << field.offset for field in self.fields)

    @property
    def free(self) -> list[int]:
        """The places of these bits."""
        return [place for place in range(self.size) if self.unused >> place & 1]

    @property
    def show(self) -> Show:
        return record([(field.name, integer) for field in self.fields])

    def pack(self, value: Sequence[int]) -> int | None:
        word = 0
        for field, part in zip(self.fields, value, strict=True):
            if not field.low <= part <= field.high:
                return None
            word |= (part - field.low) << field.offset
        return self.checked(word)

    def checked(self, word: int) -> int:
        """The word with the right check for the bits below it."""
        below = word & ((1 << self.size) - 1)
        return below | (self.check.run(below) << self.size) if self.check else below

    def unpack(self, word: int) -> tuple[int, ...] | None:
        value = tuple([((word >> field.offset) & field.mask) + field.low for field in self.fields])
        return value if self.pack(value) == word else None


def _fields(chance: Chance, level: int) -> Draft:
    layout = _layout(chance, level)
    kind, declared = layout.kind, _declared(layout)
    return Draft(
        name="pack",
        statement=_statement(layout),
        signature=f"{declared}\n\nval pack : {kind} -> int option\nval unpack : int -> {kind} option",
        reference=_reference(layout),
        cases=_cases(chance, layout),
        together=2,
        hidden=16,
        groups=("pack", "unpack"),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _layout(chance: Chance, level: int) -> _Layout:
    kind, all_names = chance.pick(_SETS)
    names = chance.sample(all_names, {1: 3, 3: 4, 5: 5}[level])
    gap = chance.below(len(names)) if level >= 3 else None  # the field below which a bit is unused, and perhaps others
    fields: list[_Field] = []
    size = 0
    for place, name in enumerate(names):
        if place == gap or (level >= 3 and chance.happens(0.2)):
            size += 1
        low = -chance.between(1, 9) if level >= 3 and chance.happens(0.35) else 0
        fields.append(_Field(name, chance.between(2, 7), size, low))
        size += fields[-1].width
    check = chance.pick((_check_parity, _check_sum, _check_count))(chance, size) if level >= 5 else None
    return _Layout(kind, tuple(chance.shuffled(fields)), size, check)


def _check_parity(chance: Chance, size: int) -> _Check:
    odd = chance.below(2)
    words = (
        f"Bit {size} is a check: it is chosen so that the number of set bits, itself included, is "
        f"{'odd' if odd else 'even'}."
    )
    parity = "let rec parity word = if word = 0 then 0 else (word land 1) lxor parity (word lsr 1)"
    ocaml = f"let check word = {'1 - ' if odd else ''}parity word"
    return _Check(words, module(parity, ocaml), 1, lambda word: (word.bit_count() + odd) % 2)


def _check_sum(chance: Chance, size: int) -> _Check:
    m = chance.pick((5, 6, 7, 11, 13, 15))
    width = (m - 1).bit_length()
    words = (
        f"The {width} bits from bit {size} up are a check: the remainder, divided by {m}, of the number that the "
        "bits below them make."
    )
    return _Check(words, f"let check word = word mod {m}", width, lambda word: word % m)


def _check_count(chance: Chance, size: int) -> _Check:
    k = chance.between(1, 9)
    width = (size + k).bit_length()
    words = f"The {width} bits from bit {size} up are a check: {k} more than the number of set bits below them."
    ones = "let rec ones word = if word = 0 then 0 else (word land 1) + ones (word lsr 1)"
    return _Check(words, module(ones, f"let check word = ones word + {k}"), width, lambda word: word.bit_count() + k)


def _cases(chance: Chance, layout: _Layout) -> Iterator[Case]:
    show, edges = layout.show, [*_edges(chance, layout.fields)]
    for value in inputs(lambda: _asked(chance, layout.fields), edges):
        packed = layout.pack(value)
        yield case("pack", [show(value)], option(integer)(packed))
        word = _word(chance, layout, packed)
        yield case("unpack", [integer(word)], option(show)(layout.unpack(word)))


def _value(chance: Chance, fields: Sequence[_Field]) -> list[int]:
    return [chance.between(field.low, field.high) for field in fields]


def _asked(chance: Chance, fields: Sequence[_Field]) -> list[int]:
    """Values of the fields; some only the least or greatest, some with one or two far outside."""
    value = _value(chance, fields)
    kind = chance.below(20)
    if kind < 3:
        return [chance.pick((field.low, field.high)) for field in fields]
    if kind < 6:
        for place in chance.sample(range(len(fields)), chance.between(1, 2)):
            field = fields[place]
            value[place] += chance.pick((-1, 1)) * (field.mask + 1) * chance.pick((1, 2, 3))
    return value


def _edges(chance: Chance, fields: Sequence[_Field]) -> Iterator[list[int]]:
    """The least and the greatest values, and those just outside."""
    for outside in (0, 1):
        for place, field in enumerate(fields):
            for end in (field.low - outside, field.high + outside):
                value = _value(chance, fields)
                value[place] = end
                yield value


def _word(chance: Chance, layout: _Layout, packed: int | None) -> int:
    """A packed word, often with a changed bit, or with bits above it: some of them, or all, as in negative numbers."""
    whole = layout.whole
    if packed is None:
        return chance.between(-3, (2 << whole) - 1)
    changed = packed ^ (1 << chance.below(whole))
    stray = packed | (1 << chance.pick(layout.free)) if layout.free else changed
    words = (changed, stray, layout.checked(stray), packed + (1 << whole), packed - (1 << whole), -packed)
    return chance.pick(words) if chance.happens(0.5) else packed


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(layout: _Layout) -> str:
    kind = layout.kind
    empty = " Bits that no field uses are 0." if layout.unused else ""
    lines = [
        f"`{f.name}`: {f.width} bits from bit {f.offset} up, for the values from {f.low} to {f.high}"
        + (f"; what is stored is the value plus {-f.low}" if f.low else "")
        for f in layout.fields
    ]
    return paragraphs(
        f"{a(kind).capitalize()} is stored in one integer. Bit 0 is the least significant bit, and the fields lie "
        "here:",
        bullets([*(f"{line};" for line in lines[:-1]), f"{lines[-1]}."]),
        layout.check.words if layout.check else "",
        "Write two functions:",
        bullets(
            (
                f"`pack {kind}` is `Some` of that integer, or `None` if a value is outside of its range.{empty}",
                f"`unpack word` goes back: it is `Some` of the {kind}, or `None` if `pack` gives this integer for no "
                f"{kind}. Any integer may be given, also a negative one.",
            )
        ),
    )


def _declared(layout: _Layout) -> str:
    return f"type {layout.kind} = {{ {'; '.join(f'{field.name} : int' for field in layout.fields)} }}"


def _reference(layout: _Layout) -> str:
    fields, size, check, unused = layout.fields, layout.size, layout.check, layout.unused
    names = "; ".join(field.name for field in fields)
    fits = " && ".join(f"within {atom(integer(f.low))} {atom(integer(f.high))} {f.name}" for f in fields)
    stored = " lor ".join(_shifted(f"({f.name} + {-f.low})" if f.low else f.name, f.offset) for f in fields)
    read = "".join(
        f"        {f.name} = bits word {f.offset} {f.width}{f' - {-f.low}' if f.low else ''};\n" for f in fields
    )
    conditions = [f"word land {unused} = 0"] if unused else []
    if check:
        conditions.append(f"word lsr {size} = check (bits word 0 {size})")
        packed = f"let word = {stored} in\n    Some (word lor (check word lsl {size}))"
    else:
        conditions.insert(0, f"word >= 0 && word < {1 << size}")
        packed = f"Some ({stored})"
    return module(
        _declared(layout),
        "let within low high value = low <= value && value <= high",
        _BITS,
        check.ocaml if check else "",
        f"let pack {{ {names} }} =\n  if {fits} then\n    {packed}\n  else None",
        f"let unpack word =\n  if {' && '.join(conditions)} then\n    Some\n      {{\n{read}      }}\n  else None",
    )


def _shifted(code: str, offset: int) -> str:
    return f"({code} lsl {offset})" if offset else code


FAMILY = Family(
    name="bits.fields",
    topics=("arithmetic", "variants-records", "options-results"),
    description="a record packed into the bits of one number, and read from it",
    tasks=TASKS,
    make=_fields,
    split="eval",
)
