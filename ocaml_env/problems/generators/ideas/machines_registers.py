"""A machine with registers, jumps and fuel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import MODULO, int_join, int_map, int_test, telling
from ocaml_env.problems.generators.values import integer, listing, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

_INTS = listing(integer)
_NUMBERS = range(-5, 26)  # in instructions

Instruction = tuple[Any, ...]
Answer = tuple[list[int], list[int], int]
"""The values of the registers, the outputs, and the number of steps."""


class _Code(NamedTuple):
    """An instruction: ``r`` and ``s`` are registers, ``k`` a number.

    ``ocaml`` computes the new value of ``r``; ``kind`` describes a jump or an output.
    """

    name: str
    payload: tuple[str, ...]
    words: str
    kind: str  # "write", "jump", "skip", "out" or "stop"
    ocaml: str
    run: Callable[..., Any]
    helpers: tuple[str, ...] = ()

    @property
    def pattern(self) -> str:
        letters = iter("rs")
        names = [next(letters) if kind == "register" else "k" for kind in self.payload]
        if not names:
            return self.name
        return f"{self.name} {names[0]}" if len(names) == 1 else f"{self.name} ({', '.join(names)})"


class _Machine(NamedTuple):
    """The drawn machine.

    Attributes:
        relative: jumps are relative to the current instruction.
        outputs: there is an instruction for outputs.
    """

    registers: str
    modulus: int
    codes: tuple[_Code, ...]
    relative: bool
    outputs: bool

    def run(self, fuel: int, program: Sequence[Instruction]) -> Answer:
        codes = {code.name: code for code in self.codes}
        values = dict.fromkeys(self.registers, 0)
        out: list[int] = []
        at = steps = 0
        while 0 <= at < len(program) and steps < fuel:
            name, *payload = program[at]
            code = codes[name]
            steps += 1
            if code.kind == "stop":
                break
            given = [values[part] if isinstance(part, str) else part for part in payload]
            made = code.run(*given)
            if code.kind == "write":
                values[payload[0]] = made % self.modulus
            elif code.kind == "out":
                out.append(made)
            if code.kind == "jump" and made:
                at = at + given[1] if self.relative else given[1]
            else:
                at += 2 if code.kind == "skip" and made else 1
        return [*values.values()], out, steps

    def show(self, answer: Answer) -> str:
        values, out, steps = answer
        return f"({_INTS(values)}, {_INTS(out)}, {steps})" if self.outputs else f"({_INTS(values)}, {steps})"


def _registers(chance: Chance, level: int) -> Draft:
    machine = _draw(chance, level)
    declared = _types(machine)
    show_one = variant(
        {code.name: [str if kind == "register" else integer for kind in code.payload] for code in machine.codes}
    )

    def cases() -> Iterator[Case]:
        for fuel, program in inputs(lambda: _program(chance, machine), _edges(machine)):
            yield case("run", [integer(fuel), listing(show_one)(program)], machine.show(machine.run(fuel, program)))

    return Draft(
        name="run",
        statement=_statement(machine),
        signature=f"{declared}\n\n"
        f"val run : int -> instruction list -> int list * {'int list * ' if machine.outputs else ''}int",
        reference=module(declared, MODULO, [h for code in machine.codes for h in code.helpers], _code(machine)),
        cases=cases(),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _draw(chance: Chance, level: int) -> _Machine:
    modulus = chance.pick((50, 64, 100, 128, 256, 1000))
    values = [*range(max(_NUMBERS) + 1), *range(modulus + min(_NUMBERS), modulus)]  # of registers
    relative = chance.happens(0.5)
    writes = chance.sample((_c_change, _c_join, _c_with, _c_copy), {1: 1, 3: 2, 5: 3}[level])
    codes = [_c_set(), *(make(chance, values) for make in writes), _c_jump_if(chance, values, relative)]
    if level >= 3:
        codes += [_c_out(chance, values), _c_skip(chance, values)]
    if level == 5:
        codes.append(_c_stop())
    return _Machine("ABCD"[: {1: 2, 3: 3, 5: 4}[level]], modulus, tuple(codes), relative, level >= 3)


def _c_set() -> _Code:
    return _Code("Set", ("register", "int"), "writes `k` to `r`", "write", "k", lambda r, k: k)


def _c_change(chance: Chance, values: Sequence[int]) -> _Code:
    op = telling(chance, int_map, [(x,) for x in values])
    return _Code(
        "Change", ("register",), f"writes to `r` what becomes of its value `x`: {op.say()}", "write",
        f"let x = get r in {op.code()}", op.run, op.helpers,
    )  # fmt: skip


def _c_join(chance: Chance, values: Sequence[int]) -> _Code:
    op = telling(chance, int_join, [(x, y) for x in values[::3] for y in values[::3]])
    return _Code(
        "Join", ("register", "register"),
        f"writes to `r` what its value `x` and the value `y` of `s` make: {op.say()}", "write",
        f"let x = get r and y = get s in {op.code()}", op.run, op.helpers,
    )  # fmt: skip


def _c_with(chance: Chance, values: Sequence[int]) -> _Code:
    op = telling(chance, int_join, [(x, k) for x in values[::3] for k in _NUMBERS[::3]])
    return _Code(
        "With", ("register", "int"), f"writes to `r` what its value `x` and `k` make: {op.say('x', 'k')}", "write",
        f"let x = get r in {op.code('x', 'k')}", op.run, op.helpers,
    )  # fmt: skip


def _c_copy(chance: Chance, values: Sequence[int]) -> _Code:
    op = telling(chance, int_map, [(x,) for x in values])
    return _Code(
        "Copy", ("register", "register"), f"writes to `r` what is made of the value `y` of `s`: {op.say('y')}", "write",
        f"let y = get s in {op.code('y')}", lambda r, s: op.run(s), op.helpers,
    )  # fmt: skip


def _c_jump_if(chance: Chance, values: Sequence[int], relative: bool) -> _Code:
    test = telling(chance, int_test, [(x,) for x in values])
    where = "by `k` instructions" if relative else "to the instruction with the number `k`"
    return _Code(
        "Jump_if", ("register", "int"), f"jumps {where} if the value `x` of `r` is such that {test.say()}", "jump",
        f"let x = get r in {test.code()}", lambda r, k: test.run(r), test.helpers,
    )  # fmt: skip


def _c_skip(chance: Chance, values: Sequence[int]) -> _Code:
    test = telling(chance, int_test, [(x,) for x in values])
    return _Code(
        "Skip", ("register",), f"leaves out the next instruction if the value `x` of `r` is such that {test.say()}",
        "skip", f"let x = get r in {test.code()}", test.run, test.helpers,
    )  # fmt: skip


def _c_out(chance: Chance, values: Sequence[int]) -> _Code:
    op = telling(chance, int_map, [(x,) for x in values])
    return _Code(
        "Out", ("register",), f"outputs what is made of the value `x` of `r`: {op.say()}", "out",
        f"let x = get r in {op.code()}", op.run, op.helpers,
    )  # fmt: skip


def _c_stop() -> _Code:
    return _Code("Stop", (), "ends the program; it counts as executed", "stop", "", lambda: None)


def _program(chance: Chance, machine: _Machine) -> tuple[int, list[Instruction]]:
    """Fuel, and a program that begins by setting a register or two."""
    length = chance.between(3, 6) if chance.happens(0.85) else chance.between(7, 9)
    start = chance.between(1, 2)
    rare = ("Set", "Stop")
    often = [code for code in machine.codes if code.name not in rare]
    program: list[Instruction] = []
    for place in range(length):
        code = machine.codes[0] if place < start else chance.pick(often if chance.happens(0.8) else machine.codes)
        payload: list[Any] = []
        for kind in code.payload:
            if kind == "register":
                payload.append(chance.pick(machine.registers))
            elif code.kind == "jump":
                payload.append(chance.between(-3, 3) if machine.relative else chance.between(-1, length))
            else:
                payload.append(chance.number(_NUMBERS[0], _NUMBERS[-1]))
        program.append((code.name, *payload))
    return chance.between(0, 6) if chance.happens(0.2) else chance.between(7, 16), program


def _edges(machine: _Machine) -> list[tuple[int, list[Instruction]]]:
    """Little fuel, and jumps before the first instruction and behind the last."""
    jump = next(code for code in machine.codes if code.kind == "jump")
    yes = next(x for x in range(machine.modulus) if jump.run(x, 0))
    start: Instruction = ("Set", "A", yes)
    edges: list[tuple[int, list[Instruction]]] = [
        (10, []),
        (0, [("Set", "A", 5)]),
        (1, [("Set", "A", 5), ("Set", "A", 6)]),
    ]
    return edges + [(9, [start, ("Jump_if", "A", k), ("Set", "B", 7), ("Set", "A", 9)]) for k in (-2, -1, 0, 1, 2, 9)]


# --- words and OCaml --------------------------------------------------------------------------------------------------


def _statement(machine: _Machine) -> str:
    where = (
        "The jump is relative: a jump by 1 goes to the next instruction, by 0 to the same one again, by -1 to the one "
        "before."
        if machine.relative
        else "The instructions are counted from 0."
    )
    registers = series([f"`{register}`" for register in machine.registers])
    parts = [f"the list of the values of {registers}"]
    parts += ["the list of all outputs, the first one first"] if machine.outputs else []
    parts.append("the number of instructions that were executed")
    return paragraphs(
        f"A machine has the registers {registers}, which all hold 0 at the beginning. It executes the instructions of "
        "a program one after the other, beginning with the first:",
        bullets(f"`{code.pattern}` {code.words}." for code in machine.codes),
        f"{where} A new value of a register is always taken as its remainder divided by {machine.modulus}, from 0 to "
        f"{machine.modulus - 1} even where it is negative.",
        "`run fuel program` executes the program until there is no instruction where the machine has come to (before "
        "the first one, or behind the last one), or until `fuel` instructions have been executed (`fuel` is at least "
        f"0). It is a {'triple' if machine.outputs else 'pair'}: {'; '.join(parts)}.",
    )


def _types(machine: _Machine) -> str:
    codes = [f"  | {code.name}{' of ' * bool(code.payload)}{' * '.join(code.payload)}" for code in machine.codes]
    return "\n".join([f"type register = {' | '.join(machine.registers)}", "", "type instruction =", *codes])


def _arm(code: _Code, relative: bool) -> str:
    """The match arm of an instruction."""
    if code.kind == "write":
        return f"set r ({code.ocaml}); go (at + 1) (steps + 1)"
    if code.kind == "out":
        return f"out := ({code.ocaml}) :: !out; go (at + 1) (steps + 1)"
    if code.kind == "stop":
        return "steps + 1"
    target = "at + 2" if code.kind == "skip" else "at + k" if relative else "k"
    return f"go (if {code.ocaml} then {target} else at + 1) (steps + 1)"


def _code(machine: _Machine) -> str:
    numbers = " | ".join(f"{register} -> {i}" for i, register in enumerate(machine.registers))
    arms = "\n".join(f"      | {code.pattern} -> {_arm(code, machine.relative)}" for code in machine.codes)
    out = "\n  let out = ref [] in" if machine.outputs else ""
    result = "(Array.to_list values, List.rev !out, steps)" if machine.outputs else "(Array.to_list values, steps)"
    return f"""\
let number = function {numbers}

let run fuel program =
  let program = Array.of_list program in
  let values = Array.make {len(machine.registers)} 0 in
  let get r = values.(number r) in
  let set r n = values.(number r) <- modulo n {machine.modulus} in{out}
  let rec go at steps =
    if at < 0 || at >= Array.length program || steps >= fuel then steps
    else
      match program.(at) with
{arms}
  in
  let steps = go 0 0 in
  {result}"""


FAMILY = Family(
    name="machines.registers",
    topics=("parsing-interpreters", "simulation", "mutable-arrays"),
    description="a machine with registers, jumps and fuel",
    make=_registers,
)
