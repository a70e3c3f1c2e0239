"""Steps on the bits of a word of a fixed width."""

from __future__ import annotations

from collections.abc import Iterator

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op
from ocaml_env.problems.generators.steps import every_step_matters
from ocaml_env.problems.generators.values import integer
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_POPCOUNT = "let rec ones w = if w = 0 then 0 else (w land 1) + ones (w lsr 1)"


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
        f"A word has {width} bits: it is an integer from 0 to {top}. Bit 0 is the least significant one, bit "
        f"{width - 1} the most significant one. `{name} w` takes the word `w` through these steps, in this order:",
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


FAMILY = Family(
    name="bits.words",
    topics=("arithmetic",),
    description="steps on the bits of a word of a fixed width",
    make=_words,
)
