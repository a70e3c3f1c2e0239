"""Steps on the bits of a word of a fixed width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op
from ocaml_env.problems.generators.small.bits_words import TASKS
from ocaml_env.problems.generators.values import integer
from ocaml_env.problems.generators.wording import module, numbered, paragraphs

__all__ = ["FAMILY"]

_POPCOUNT = "let rec ones w = if w = 0 then 0 else (w land 1) + ones (w lsr 1)"


_SEEN = 12  # different results at least, for twice as many words
_DRAWS = 60  # attempts to find steps that all matter


@dataclass(frozen=True, slots=True)
class _Mixing:
    width: int
    steps: tuple[Op, ...]
    ending: Op | None

    @property
    def top(self) -> int:
        """The greatest word."""
        return (1 << self.width) - 1

    @property
    def all_steps(self) -> tuple[Op, ...]:
        return (*self.steps, self.ending) if self.ending else self.steps

    def run(self, word: int) -> int:
        for step in self.all_steps:
            word = step.run(word)
        return word


def _words(chance: Chance, level: int) -> Draft:
    name = chance.pick(("mix", "encode", "stir", "mangle", "permute_bits"))
    mixing = _mixing(chance, level)
    return Draft(
        name=name,
        statement=_statement(name, mixing),
        signature=f"val {name} : int -> int",
        reference=_reference(name, mixing),
        cases=_cases(chance, name, mixing),
        together=2,
    )


def _mixing(chance: Chance, level: int) -> _Mixing:
    width = chance.pick((8, 8, 10, 12, 16))
    words = [chance.below(1 << width) for _ in range(2 * _SEEN)]
    for _ in range(_DRAWS):
        steps = [kind(chance, width) for kind in chance.sample(_WORD_STEPS, {1: 2, 3: 4, 5: 6}[level])]
        mixing = _Mixing(width, tuple(steps), _word_ending(chance) if chance.happens(0.3) else None)
        if len({*map(mixing.run, words)}) >= _SEEN and _every_part_matters(mixing, words):
            return mixing
    raise Unfit


def _every_part_matters(mixing: _Mixing, words: Sequence[int]) -> bool:
    steps = mixing.all_steps
    whole = [*map(mixing.run, words)]
    for place, step in enumerate(steps):
        for faulty in ((), *((step._replace(run=fault),) for fault in step.faults)):
            other = _Mixing(mixing.width, (*steps[:place], *faulty, *steps[place + 1 :]), None)
            if sum(other.run(word) != right for word, right in zip(words, whole, strict=True)) < 2:
                return False
    return True


def _cases(chance: Chance, name: str, mixing: _Mixing) -> Iterator[Case]:
    top, width = mixing.top, mixing.width
    edges = [0, top, 1, 1 << (width - 1), top >> (width // 2), 5]
    for word in inputs(lambda: _word(chance, width), edges):
        yield case(name, [integer(word)], integer(mixing.run(word)))


def _word(chance: Chance, width: int) -> int:
    """Any word, or one with few ones, few zeros, or a run of ones."""
    top = (1 << width) - 1
    kind = chance.below(10)
    few = sum(1 << place for place in chance.sample(range(width), chance.between(1, 2)))
    if kind == 0:
        return few
    if kind == 1:
        return top ^ few
    if kind == 2:
        return (top >> chance.between(1, width - 1)) << chance.below(width) & top
    return chance.between(0, top)


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, mixing: _Mixing) -> str:
    width, ending = mixing.width, mixing.ending
    return paragraphs(
        f"A word has {width} bits: it is an integer from 0 to {mixing.top}. Bit 0 is the least significant one, bit "
        f"{width - 1} the most significant one. `{name} w` takes the word `w` through these steps, in this order:",
        numbered(f"{step.words[0].upper()}{step.words[1:]}." for step in mixing.steps),
        f"The result is {ending.words if ending else 'the word after the last step'}.",
    )


def _reference(name: str, mixing: _Mixing) -> str:
    lines = "\n".join(f"  |> {step.ocaml}" for step in mixing.all_steps)
    top = f"let top = {hex(mixing.top)} (* all {mixing.width} bits *)" if "top" in lines else ""
    return module(
        top, [helper for step in mixing.all_steps for helper in step.helpers], f"let {name} w =\n  w\n{lines}"
    )


# --- the steps --------------------------------------------------------------------------------------------------------


def _w_mask(chance: Chance, width: int) -> Op:
    few = sum(1 << place for place in chance.sample(range(width), chance.between(2, width // 3)))
    most = (1 << width) - 1 - few
    word, ocaml = chance.pick((("exclusive or", "lxor"), ("or", "lor"), ("and", "land")))
    mask = {"lor": few, "land": most}.get(ocaml) or chance.pick((few, most))
    runs = {"lxor": lambda w: w ^ mask, "lor": lambda w: w | mask, "land": lambda w: w & mask}
    return Op(
        f"combine the word with {hex(mask)} (hexadecimal), bit by bit, by {word}",
        f"(fun w -> w {ocaml} {hex(mask)})",
        runs[ocaml],
    )


def _w_rotate(chance: Chance, width: int) -> Op:
    k = chance.between(1, width - 1)
    top = (1 << width) - 1
    return Op(
        f"rotate the word by {k} to the left: bit `i` goes to bit `(i + {k}) mod {width}`",
        f"(fun w -> ((w lsl {k}) lor (w lsr {width - k})) land top)",
        lambda w: ((w << k) | (w >> (width - k))) & top,
        (),
        (lambda w: (w << k) | (w >> (width - k)), lambda w: (w << k) & top, lambda w: w >> (width - k)),
    )


def _w_shift(chance: Chance, width: int) -> Op:
    k = chance.between(1, width // 2)
    top = (1 << width) - 1
    if chance.happens(0.5):
        return Op(
            f"shift the word by {k} to the left: bits that leave it are lost, and zeros come in",
            f"(fun w -> (w lsl {k}) land top)",
            lambda w: (w << k) & top,
            (),
            (lambda w: w << k,),
        )
    return Op(
        f"shift the word by {k} to the right: bits that leave it are lost, and zeros come in",
        f"(fun w -> w lsr {k})",
        lambda w: w >> k,
    )


def _w_reverse(chance: Chance, width: int) -> Op:
    top = (1 << width) - 1
    helper = f"""\
let reverse_bits w =
  let rec go i made = if i = {width} then made else go (i + 1) ((made lsl 1) lor ((w lsr i) land 1)) in
  go 0 0"""
    return Op(
        f"reverse the order of the bits: bit `i` goes to bit `{width - 1} - i`",
        "reverse_bits",
        lambda w: int(f"{w & top:0{width}b}"[::-1], 2),
        (helper,),
    )


def _w_complement(chance: Chance, width: int) -> Op:
    return Op("complement every bit", "(fun w -> w lxor top)", lambda w: w ^ ((1 << width) - 1))


def _w_halves(chance: Chance, width: int) -> Op:
    half = width // 2
    top = (1 << width) - 1
    return Op(
        f"swap the lower {half} bits with the upper {half} bits",
        f"(fun w -> ((w lsl {half}) lor (w lsr {half})) land top)",
        lambda w: ((w << half) | (w >> half)) & top,
        (),
        (lambda w: (w << half) | (w >> half), lambda w: (w << half) & top, lambda w: w >> half),
    )


def _w_fold(chance: Chance, width: int) -> Op:
    k = chance.between(1, 3)
    return Op(
        f"combine the word with itself shifted by {k} to the right (zeros come in), bit by bit, by exclusive or",
        f"(fun w -> w lxor (w lsr {k}))",
        lambda w: w ^ (w >> k),
        (),
        (lambda w: w >> k,),
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
        (
            inner.run,
            lambda w: inner.run(w) if w >> k == 1 else w,
            *(lambda w, fault=fault: fault(w) if (w >> k) & 1 else w for fault in inner.faults),
        ),
    )


def _w_add(chance: Chance, width: int) -> Op:
    k, top = chance.between(1, (1 << width) - 2), (1 << width) - 1
    return Op(
        f"add {k}, and keep the lower {width} bits of the sum",
        f"(fun w -> (w + {k}) land top)",
        lambda w: (w + k) & top,
        (),
        (lambda w: w + k,),
    )


def _w_lowest(chance: Chance, width: int) -> Op:
    return Op(
        "clear the least significant bit that is set (a word of zeros stays as it is)",
        "(fun w -> w land (w - 1))",
        lambda w: w & (w - 1) if w else w,
        (),
        (lambda w: w - 1,),
    )


def _w_swap_neighbours(chance: Chance, width: int) -> Op:
    even = sum(1 << i for i in range(0, width, 2))
    return Op(
        "swap bit 0 with bit 1, bit 2 with bit 3, and so on",
        f"(fun w -> ((w land {hex(even)}) lsl 1) lor ((w lsr 1) land {hex(even)}))",
        lambda w: ((w & even) << 1) | ((w >> 1) & even),
        (),
        (
            lambda w: (w << 1) | ((w >> 1) & even),
            lambda w: ((w & even) << 1) | (w >> 1),
            lambda w: (w & even) << 1,
            lambda w: (w >> 1) & even,
        ),
    )


def _w_count(chance: Chance, width: int) -> Op:
    top = (1 << width) - 1

    def turned(w: int) -> int:
        k = w.bit_count() % width
        return (w << k) | (w >> (width - k))

    return Op(
        f"rotate the word to the left by as many places as it has bits that are set (bit `{width - 1}` goes to bit 0)",
        f"(fun w -> let k = ones w in ((w lsl k) lor (w lsr ({width} - k))) land top)",
        lambda w: turned(w) & top,
        (_POPCOUNT,),
        (turned,),
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


def _word_ending(chance: Chance) -> Op:
    k, m = chance.between(3, 99), chance.between(23, 60)
    if chance.happens(0.5):
        return Op(
            f"{k} times the number of set bits of the word after the last step, plus the word itself",
            f"(fun w -> ({k} * ones w) + w)",
            lambda w: k * w.bit_count() + w,
            (_POPCOUNT,),
        )
    return Op(f"the remainder of the word after the last step divided by {m}", f"(fun w -> w mod {m})", lambda w: w % m)


FAMILY = Family(
    name="bits.words",
    topics=("arithmetic",),
    description="steps on the bits of a word of a fixed width",
    tasks=TASKS,
    make=_words,
)
