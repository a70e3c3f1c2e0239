"""A machine with registers, jumps and fuel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import MODULO, int_join, int_map, int_test
from ocaml_env.problems.generators.values import integer, listing, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

_INTS = listing(integer)


Instruction = tuple[Any, ...]


class _Code(NamedTuple):
    """An instruction of a register machine: ``r`` and ``s`` are registers, ``k`` a number.

    ``ocaml`` computes the new value of ``r``; a jump or an output is described by ``kind``.
    """

    name: str
    payload: tuple[str, ...]
    words: str
    kind: str  # "write", "jump", "out" or "stop"
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


def _registers(chance: Chance, level: int) -> Draft:
    size = (2, 2, 3, 3, 4)[level - 1]
    registers = "ABCD"[:size]
    modulus = chance.pick((50, 64, 100, 128, 256, 1000))
    relative = chance.happens(0.5)
    codes = [_c_set(chance), *(make(chance) for make in chance.sample(_WRITES, (1, 2, 2, 3, 4)[level - 1]))]
    codes.append(_c_jump_if(chance, relative))
    codes += [_c_out(chance)] if level >= 2 else []
    codes += [_c_skip(chance)] if level >= 3 else []
    codes += [_c_stop()] if level >= 4 else []
    by_name = {each.name: each for each in codes}

    def execute(fuel: int, program: Sequence[Instruction], skipped: str = "") -> tuple[list[int], list[int], int]:
        values = dict.fromkeys(registers, 0)
        out: list[int] = []
        at = steps = 0
        while 0 <= at < len(program) and steps < fuel:
            name, *payload = program[at]
            each = by_name[name]
            steps += 1
            if name == skipped:
                at += 1
            elif each.kind == "stop":
                at = len(program)
            elif each.kind == "out":
                out.append(each.run(values[payload[0]]))
                at += 1
            elif each.kind == "write":
                given = [values[one] if isinstance(one, str) else one for one in payload]
                values[payload[0]] = each.run(*given) % modulus
                at += 1
            else:
                target = each.run(values[payload[0]], *payload[1:])
                at = at + 1 if target is None else at + target if relative or name == "Skip" else target
        return [*values.values()], out, steps

    def draw() -> tuple[int, list[Instruction]]:
        length = chance.between(3, 8)
        program: list[Instruction] = []
        for i in range(length):
            each = codes[0] if i < 2 else chance.pick(codes)
            payload: list[Any] = []
            for kind in each.payload:
                if kind == "register":
                    payload.append(chance.pick(registers))
                elif each.name == "Jump_if":
                    payload.append(chance.between(-3, 3) if relative else chance.between(0, length))
                else:
                    payload.append(chance.number(-5, 25))
            program.append((each.name, *payload))
        return chance.between(5, 40), program

    tried = [draw() for _ in range(14)]
    whole = [execute(fuel, program) for fuel, program in tried]
    for each in codes:
        if all(execute(f, p, each.name) == answer for (f, p), answer in zip(tried, whole, strict=True)):
            raise Unfit
    outputs = level >= 2
    show_one = variant({each.name: [str if kind == "register" else integer for kind in each.payload] for each in codes})
    declared = f"type register = {' | '.join(registers)}\n\ntype instruction =\n" + "\n".join(
        f"  | {each.name}" + (f" of {' * '.join(each.payload)}" if each.payload else "") for each in codes
    )
    parts = [f"the list of the values of {series([f'`{one}`' for one in registers])}"]
    parts += ["the list of all outputs, the first one first"] if outputs else []
    parts.append("the number of instructions that were executed")

    def show(answer: tuple[list[int], list[int], int]) -> str:
        values, out, steps = answer
        return f"({_INTS(values)}, {_INTS(out)}, {steps})" if outputs else f"({_INTS(values)}, {steps})"

    def cases() -> Iterator[Case]:
        edges: list[tuple[int, list[Instruction]]] = [
            (10, []),
            (0, [("Set", "A", 5)]),
            (1, [("Set", "A", 5), ("Set", "A", 6)]),
        ]
        for fuel, program in inputs(draw, edges):
            yield case("run", [integer(fuel), listing(show_one)(program)], show(execute(fuel, program)))

    where = (
        "The jump is relative: a jump by 1 goes to the next instruction, by 0 to the same one again, by -1 to the one "
        "before."
        if relative
        else "The instructions are counted from 0."
    )
    return Draft(
        name="run",
        statement=paragraphs(
            f"A machine has the registers {series([f'`{one}`' for one in registers])}, which all hold 0 at the "
            "beginning. It executes the instructions of a program one after the other, beginning with the first:",
            bullets(f"`{each.pattern}` {each.words}." for each in codes),
            f"{where} A new value of a register is always taken as its remainder divided by {modulus}, from 0 to "
            f"{modulus - 1} even where it is negative.",
            "`run fuel program` executes the program until there is no instruction where the machine has come to "
            "(before the first one, or behind the last one), or until `fuel` instructions have been executed (`fuel` "
            f"is at least 0). It is a {'triple' if outputs else 'pair'}: {'; '.join(parts)}.",
        ),
        signature=f"{declared}\n\n"
        f"val run : int -> instruction list -> int list * {'int list * ' if outputs else ''}int",
        reference=module(
            declared,
            MODULO,
            [h for each in codes for h in each.helpers],
            _register_code(codes, registers, modulus, relative, outputs),
        ),
        cases=cases(),
    )


def _register_code(codes: Sequence[_Code], registers: str, modulus: int, relative: bool, outputs: bool) -> str:
    arms = []
    for each in codes:
        if each.kind == "write":
            arms.append(f"      | {each.pattern} -> set r ({each.ocaml}); go (at + 1) (steps + 1)")
        elif each.kind == "out":
            arms.append(f"      | {each.pattern} -> out := ({each.ocaml}) :: !out; go (at + 1) (steps + 1)")
        elif each.kind == "stop":
            arms.append(f"      | {each.pattern} -> steps + 1")
        elif each.name == "Skip":
            arms.append(f"      | {each.pattern} -> go (if {each.ocaml} then at + 2 else at + 1) (steps + 1)")
        else:
            target = "at + k" if relative else "k"
            arms.append(f"      | {each.pattern} -> go (if {each.ocaml} then {target} else at + 1) (steps + 1)")
    numbers = " | ".join(f"{one} -> {i}" for i, one in enumerate(registers))
    result = "(Array.to_list values, List.rev !out, steps)" if outputs else "(Array.to_list values, steps)"
    lines = "\n".join(arms)
    return f"""\
let number = function {numbers}

let run fuel program =
  let program = Array.of_list program in
  let values = Array.make {len(registers)} 0 in
  let get r = values.(number r) in
  let set r n = values.(number r) <- modulo n {modulus} in
{"  let out = ref [] in" if outputs else ""}
  let rec go at steps =
    if at < 0 || at >= Array.length program || steps >= fuel then steps
    else
      match program.(at) with
{lines}
  in
  let steps = go 0 0 in
  {result}""".replace("\n\n  let rec go", "\n  let rec go")


def _c_set(chance: Chance) -> _Code:
    return _Code("Set", ("register", "int"), "writes `k` to `r`", "write", "k", lambda r, k: k)


def _c_change(chance: Chance) -> _Code:
    op = int_map(chance)
    return _Code(
        "Change", ("register",), f"writes to `r` what becomes of its value `x`: {op.say()}", "write",
        f"let x = get r in {op.code()}", op.run, op.helpers,
    )  # fmt: skip


def _c_join(chance: Chance) -> _Code:
    op = int_join(chance)
    return _Code(
        "Join", ("register", "register"),
        f"writes to `r` what its value `x` and the value `y` of `s` make: {op.say()}", "write",
        f"let x = get r and y = get s in {op.code()}", op.run, op.helpers,
    )  # fmt: skip


def _c_with(chance: Chance) -> _Code:
    op = int_join(chance)
    return _Code(
        "With", ("register", "int"), f"writes to `r` what its value `x` and `k` make: {op.say('x', 'k')}", "write",
        f"let x = get r in {op.code('x', 'k')}", op.run, op.helpers,
    )  # fmt: skip


def _c_copy(chance: Chance) -> _Code:
    op = int_map(chance)
    return _Code(
        "Copy", ("register", "register"), f"writes to `r` what is made of the value `y` of `s`: {op.say('y')}", "write",
        f"let y = get s in {op.code('y')}", lambda r, s: op.run(s), op.helpers,
    )  # fmt: skip


_WRITES = (_c_change, _c_join, _c_with, _c_copy)


def _c_jump_if(chance: Chance, relative: bool) -> _Code:
    test = int_test(chance)
    where = "by `k` instructions" if relative else "to the instruction with the number `k`"
    return _Code(
        "Jump_if", ("register", "int"), f"jumps {where} if the value `x` of `r` is such that {test.say()}", "jump",
        f"let x = get r in {test.code()}", lambda r, k: k if test.run(r) else None, test.helpers,
    )  # fmt: skip


def _c_skip(chance: Chance) -> _Code:
    test = int_test(chance)
    return _Code(
        "Skip", ("register",), f"leaves out the next instruction if the value `x` of `r` is such that {test.say()}",
        "jump", f"let x = get r in {test.code()}", lambda r: 2 if test.run(r) else None, test.helpers,
    )  # fmt: skip


def _c_out(chance: Chance) -> _Code:
    op = int_map(chance)
    return _Code(
        "Out", ("register",), f"outputs what is made of the value `x` of `r`: {op.say()}", "out",
        f"let x = get r in {op.code()}", op.run, op.helpers,
    )  # fmt: skip


def _c_stop() -> _Code:
    return _Code("Stop", (), "ends the program; it counts as executed", "stop", "", lambda: None)


FAMILY = Family(
    name="machines.registers",
    topics=("parsing-interpreters", "simulation", "mutable-arrays"),
    description="a machine with registers, jumps and fuel",
    make=_registers,
)
