"""Families about bits: words of a fixed width, and fields packed into one number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op
from ocaml_env.problems.generators.steps import every_step_matters
from ocaml_env.problems.generators.values import integer, option, record
from ocaml_env.problems.generators.wording import a, bullets, module, numbered, paragraphs

__all__ = ["FAMILIES"]

_POPCOUNT = "let rec ones w = if w = 0 then 0 else (w land 1) + ones (w lsr 1)"


# --- words ------------------------------------------------------------------------------------------------------------


def _words(chance: Chance, level: int) -> Draft:
    name = chance.pick(("mix", "encode", "stir", "mangle", "permute_bits"))
    width = chance.pick((6, 8, 8, 10, 12, 16))
    steps = [kind(chance, width) for kind in chance.sample(_WORD_STEPS, (2, 3, 4, 5, 6)[level - 1])]
    ending = _word_ending(chance, width) if chance.happens(0.3) else None
    top = (1 << width) - 1
    # A step works on one word; here it is given a list of one, as the check wants it.
    single = [Op("", "", lambda v, run=step.run: [run(v[0])]) for step in steps]
    last = Op("", "", lambda v: ending.run(v[0])) if ending else None
    if not every_step_matters(single, [[chance.between(0, top)] for _ in range(8)], last):
        raise Unfit

    def run(word: int) -> int:
        for step in steps:
            word = step.run(word)
        return int(ending.run(word)) if ending else word

    statement = paragraphs(
        f"A word has {width} bits: it is an integer from 0 to {top}. Bit 0 is the least significant one, "
        f"bit {width - 1} the most significant one. `{name} w` takes the word `w` through these steps, in this order:",
        numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in steps),
        f"The result is {ending.words if ending else 'the word after the last step'}.",
    )
    lines = [f"let {name} w =", "  w"] + [f"  |> {step.ocaml}" for step in (*steps, *([ending] if ending else []))]
    helpers = [helper for step in (*steps, *([ending] if ending else [])) for helper in step.helpers]

    def cases() -> Iterator[Case]:
        edges = [0, top, 1, 1 << (width - 1), top >> (width // 2), 5]
        for word in inputs(lambda: chance.between(0, top), edges):
            yield case(name, [integer(word)], integer(run(word)))

    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : int -> int",
        reference=module(f"let top = {hex(top)} (* all {width} bits *)", helpers, "\n".join(lines)),
        cases=cases(),
        together=2,
    )


def _w_mask(chance: Chance, width: int) -> Op:
    mask = chance.between(1, (1 << width) - 2)
    word, ocaml, run = chance.pick(
        (
            ("exclusive or", "lxor", lambda w: w ^ mask),
            ("or", "lor", lambda w: w | mask),
            ("and", "land", lambda w: w & mask),
        )
    )
    return Op(
        f"combine the word with {hex(mask)} (hexadecimal), bit by bit, by {word}",
        f"(fun w -> w {ocaml} {hex(mask)})",
        run,
    )


def _w_rotate(chance: Chance, width: int) -> Op:
    k = chance.between(1, width - 1)
    top = (1 << width) - 1
    return Op(
        f"rotate the word by {k} to the left: bit `i` goes to bit `(i + {k}) mod {width}`",
        f"(fun w -> ((w lsl {k}) lor (w lsr {width - k})) land top)",
        lambda w: ((w << k) | (w >> (width - k))) & top,
    )


def _w_shift(chance: Chance, width: int) -> Op:
    k = chance.between(1, width // 2)
    top = (1 << width) - 1
    if chance.happens(0.5):
        return Op(
            f"shift the word by {k} to the left: bits that leave it are lost, and zeros come in",
            f"(fun w -> (w lsl {k}) land top)",
            lambda w: (w << k) & top,
        )
    return Op(
        f"shift the word by {k} to the right: bits that leave it are lost, and zeros come in",
        f"(fun w -> w lsr {k})",
        lambda w: w >> k,
    )


def _w_reverse(chance: Chance, width: int) -> Op:
    helper = f"""\
let reverse_bits w =
  let rec go i made = if i = {width} then made else go (i + 1) ((made lsl 1) lor ((w lsr i) land 1)) in
  go 0 0"""
    return Op(
        f"reverse the order of the bits: bit `i` goes to bit `{width - 1} - i`",
        "reverse_bits",
        lambda w: int(f"{w:0{width}b}"[::-1], 2),
        (helper,),
    )


def _w_complement(chance: Chance, width: int) -> Op:
    return Op("complement every bit", "(fun w -> w lxor top)", lambda w: w ^ ((1 << width) - 1))


def _w_halves(chance: Chance, width: int) -> Op:
    half = width // 2
    low = (1 << half) - 1
    return Op(
        f"swap the lower {half} bits with the upper {half} bits",
        f"(fun w -> ((w lsl {half}) lor (w lsr {half})) land top)",
        lambda w: ((w & low) << half) | (w >> half),
    )


def _w_fold(chance: Chance, width: int) -> Op:
    k = chance.between(1, 3)
    return Op(
        f"combine the word with itself shifted by {k} to the right (zeros come in), bit by bit, by exclusive or",
        f"(fun w -> w lxor (w lsr {k}))",
        lambda w: w ^ (w >> k),
    )


def _w_bit(chance: Chance, width: int) -> Op:
    k = chance.below(width)
    word, ocaml, run = chance.pick(
        (
            ("set bit", f"w lor {1 << k}", lambda w: w | (1 << k)),
            ("clear bit", f"w land lnot {1 << k}", lambda w: w & ~(1 << k)),
            ("complement bit", f"w lxor {1 << k}", lambda w: w ^ (1 << k)),
        )
    )
    return Op(f"{word} {k}", f"(fun w -> {ocaml})", run)


def _w_if(chance: Chance, width: int) -> Op:
    k = chance.below(width)
    inner = chance.pick((_w_mask, _w_rotate, _w_reverse, _w_complement, _w_fold))(chance, width)
    return Op(
        f"if bit {k} is set, {inner.words}; if it is not, leave the word as it is",
        f"(fun w -> if (w lsr {k}) land 1 = 1 then {inner.ocaml} w else w)",
        lambda w: inner.run(w) if (w >> k) & 1 else w,
        inner.helpers,
    )


def _w_add(chance: Chance, width: int) -> Op:
    k, top = chance.between(1, (1 << width) - 2), (1 << width) - 1
    return Op(
        f"add {k}, and keep the lower {width} bits of the sum",
        f"(fun w -> (w + {k}) land top)",
        lambda w: (w + k) & top,
    )


def _w_lowest(chance: Chance, width: int) -> Op:
    return Op(
        "clear the least significant bit that is set (a word of zeros stays as it is)",
        "(fun w -> w land (w - 1))",
        lambda w: w & (w - 1) if w else w,
    )


def _w_swap_neighbours(chance: Chance, width: int) -> Op:
    even = sum(1 << i for i in range(0, width, 2))
    return Op(
        "swap bit 0 with bit 1, bit 2 with bit 3, and so on",
        f"(fun w -> ((w land {hex(even)}) lsl 1) lor ((w lsr 1) land {hex(even)}))",
        lambda w: ((w & even) << 1) | ((w >> 1) & even),
    )


def _w_count(chance: Chance, width: int) -> Op:
    top = (1 << width) - 1
    return Op(
        f"rotate the word to the left by as many places as it has bits that are set (bit `{width - 1}` goes to bit 0)",
        f"(fun w -> let k = ones w mod {width} in ((w lsl k) lor (w lsr ({width} - k))) land top)",
        lambda w: ((w << w.bit_count() % width) | (w >> (width - w.bit_count() % width))) & top,
        (_POPCOUNT,),
    )


_WORD_STEPS = (
    _w_mask,
    _w_mask,
    _w_rotate,
    _w_shift,
    _w_reverse,
    _w_complement,
    _w_halves,
    _w_fold,
    _w_bit,
    _w_if,
    _w_if,
    _w_add,
    _w_lowest,
    _w_swap_neighbours,
    _w_count,
)


def _word_ending(chance: Chance, width: int) -> Op:
    k, m = chance.between(3, 99), chance.between(7, 40)
    return chance.pick(
        (
            Op(
                f"{k} times the number of set bits of the word after the last step, plus the word itself",
                f"(fun w -> ({k} * ones w) + w)",
                lambda w: k * w.bit_count() + w,
                (_POPCOUNT,),
            ),
            Op(
                f"the remainder of the word after the last step divided by {m}",
                f"(fun w -> w mod {m})",
                lambda w: w % m,
            ),
        )
    )


# --- fields -----------------------------------------------------------------------------------------------------------

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


FAMILIES = (
    Family(
        name="bits.words",
        topics=("arithmetic",),
        description="steps on the bits of a word of a fixed width",
        make=_words,
    ),
    Family(
        name="bits.fields",
        topics=("arithmetic", "variants-records", "options-results"),
        description="a record packed into the bits of one number, and read from it",
        make=_fields,
    ),
)
