"""Families about machines: a stack machine and a register machine, each with an instruction set of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import MODULO, int_join, int_map, int_test
from ocaml_env.problems.generators.values import Show, integer, listing, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILIES"]

_INTS = listing(integer)

# --- a stack ----------------------------------------------------------------------------------------------------------

Instruction = tuple[Any, ...]


class _Operation(NamedTuple):
    """An instruction of a stack machine.

    Attributes:
        payload: what it carries, called ``n`` where it is an int: "", "int", "block" or "blocks".
        taken: how many elements it takes; they are called a (the top), b and c.
        ocaml: what is put back, the new top first, as elements to be consed.
        run: the same, from the elements taken and n.
    """

    name: str
    payload: str
    taken: int
    words: str
    ocaml: tuple[str, ...]
    run: Callable[..., Sequence[int]]
    helpers: tuple[str, ...] = ()


def _stack(chance: Chance, level: int) -> Draft:
    plain = [make(chance) for make in chance.sample(_OPERATIONS, (3, 4, 5, 6, 7)[level - 1])]
    test = int_test(chance)
    nested = level >= 4
    policy = chance.pick(("none", "skip") if nested else ("none", "index", "skip"))
    operations = [_push(), *plain]
    by_name = {each.name: each for each in operations}

    def execute(program: Sequence[Instruction], stack: list[int], fuel: list[int]) -> list[int] | int:
        """The stack after the program, or the position of the instruction that failed."""
        for place, (name, *payload) in enumerate(program):
            fuel[0] -= 1
            if fuel[0] < 0 or len(stack) > 30 or any(abs(x) > 1 << 40 for x in stack):
                raise Unfit
            needed = 1 if name == "If" else by_name[name].taken
            if len(stack) < needed:
                if policy == "skip":
                    continue
                return place
            if name == "If":
                after = execute(payload[0] if test.run(stack[0]) else payload[1], stack[1:], fuel)
                if isinstance(after, int):
                    return place
                stack = after
            else:
                stack = [*by_name[name].run(*stack[:needed], *payload), *stack[needed:]]
        return stack

    def draw(depth: int = 1, least: int = 2, most: int = 7) -> list[Instruction]:
        program: list[Instruction] = []
        for _ in range(chance.between(least, most)):
            if nested and depth and chance.happens(0.2):
                program.append(("If", draw(depth - 1, 0, 3), draw(depth - 1, 0, 3)))
            else:
                operation = operations[0] if chance.happens(0.35) else chance.pick(operations)
                payload = [chance.number(-5, 20)] if operation.payload else []
                program.append((operation.name, *payload))
        return program

    def start() -> list[int]:
        return chance.numbers(chance.between(1, 4), -5, 20)

    failures = 0
    for _ in range(10):
        failures += isinstance(execute(draw(), start(), [60]), int)
    if failures > 6:
        raise Unfit
    shows: dict[str, list[Show]] = {each.name: [integer] * bool(each.payload) for each in operations}
    show_one = variant(shows)
    if nested:
        shows["If"] = [listing(show_one), listing(show_one)]
    declared = "type instruction =\n" + "\n".join(
        f"  | {each.name}{' of int' if each.payload else ''}" for each in operations
    )
    declared += "\n  | If of instruction list * instruction list" if nested else ""
    lines = [f"`{each.name}{' n' if each.payload else ''}` {each.words}." for each in operations]
    if nested:
        lines.append(
            f"`If (p, q)` takes `a`; if {test.say('a')}, the program `p` is executed on what is left of the stack, "
            "otherwise "
            "`q`; then the machine goes on behind it."
        )
    short = {
        "none": "If an instruction finds fewer elements than it takes, "
        + ("also inside of an `If`, " if nested else "")
        + "the result of the whole is `None`; otherwise it is `Some` of the stack after the last instruction.",
        "index": "If an instruction finds fewer elements than it takes, the result is `Error i`, where `i` is the "
        "position of "
        "that instruction in the program, counted from 0; otherwise it is `Ok` of the stack after the last "
        "instruction.",
        "skip": "An instruction that finds fewer elements than it takes does nothing, and the machine goes on with "
        "the next "
        "one. The result is the stack after the last instruction.",
    }[policy]
    kind = {"none": "int list option", "index": "(int list, int) result", "skip": "int list"}[policy]

    def show(answer: list[int] | int) -> str:
        if isinstance(answer, int):
            return "None" if policy == "none" else f"Error {answer}"
        return {"none": "Some ", "index": "Ok ", "skip": ""}[policy] + _INTS(answer)

    def cases() -> Iterator[Case]:
        edges: list[list[Instruction]] = [[], [("Push", 7)], [(plain[0].name, *[3] * bool(plain[0].payload))]]
        for program in inputs(draw, edges):
            stack = start() if chance.happens(0.8) else []
            answer = execute(program, stack, [60])
            yield case("run", [listing(show_one)(program), _INTS(stack)], show(answer))

    return Draft(
        name="run",
        statement=paragraphs(
            "A stack machine works on a list of integers, whose first element is the top of the stack. An instruction "
            "takes "
            "elements from the top: in what follows the first one taken is called `a`, the next ones `b` and `c`. To "
            "push is "
            "to put on top.",
            bullets(lines),
            "`run program stack` executes the instructions of the list `program` in order, beginning with `stack`. "
            f"{short}",
        ),
        signature=f"{declared}\n\nval run : instruction list -> int list -> {kind}",
        reference=module(
            declared,
            [h for each in plain for h in each.helpers],
            test.helpers if nested else (),
            _stack_code(operations, test.code("a") if nested else "", policy),
        ),
        cases=cases(),
        together=2,
    )


def _stack_code(operations: Sequence[_Operation], test: str, policy: str) -> str:
    arms = []
    for each in operations:
        pattern = " :: ".join([*"abc"[: each.taken], "rest"])
        made = " :: ".join([*(f"({part})" if " " in part else part for part in each.ocaml), "rest"])
        arms.append(f"  | {each.name}{' n' if each.payload else ''}, {pattern} -> Some ({made})")
    step = "let {rec}step instruction stack =\n  match (instruction, stack) with\n" + "\n".join(arms)
    if test:
        step += f"\n  | If (p, q), a :: rest -> program (if {test} then p else q) rest"
    if {each.taken for each in operations} != {0}:
        step += "\n  | _ -> None"
    step = step.replace("{rec}", "rec " if test else "")
    if policy == "index":
        loop = """\
let run program stack =
  let rec go i stack = function
    | [] -> Ok stack
    | one :: others -> (
      match step one stack with
      | Some stack -> go (i + 1) stack others
      | None -> Error i)
  in
  go 0 stack program"""
        return f"{step}\n\n{loop}"
    failed = "None" if policy == "none" else "program others stack"
    head = "and program instructions stack =" if test else "let rec program instructions stack ="
    loop = f"""\
{head}
  match instructions with
  | [] -> Some stack
  | one :: others -> (
    match step one stack with
    | Some stack -> program others stack
    | None -> {failed})"""
    run = (
        "let run = program"
        if policy == "none"
        else "let run instructions stack = Option.get (program instructions stack)"
    )
    return f"{step}\n\n{loop}\n\n{run}"


def _push() -> _Operation:
    return _Operation("Push", "int", 0, "pushes `n`", ("n",), lambda n: [n])


def _o_join(chance: Chance) -> _Operation:
    op = int_join(chance)
    return _Operation(
        "Join", "", 2, f"takes `a` and `b`, and pushes {op.say('a', 'b')}", (op.code("a", "b"),),
        lambda a, b: [op.run(a, b)], op.helpers,
    )  # fmt: skip


def _o_blend(chance: Chance) -> _Operation:
    op = int_join(chance)
    return _Operation(
        "Blend", "", 2, f"takes `a` and `b`, and pushes `a`, then {op.say('b', 'a')}", (op.code("b", "a"), "a"),
        lambda a, b: [op.run(b, a), a], op.helpers,
    )  # fmt: skip


def _o_change(chance: Chance) -> _Operation:
    op = int_map(chance)
    return _Operation(
        "Change", "", 1, f"takes `a`, and pushes {op.say('a')}", (op.code("a"),), lambda a: [op.run(a)], op.helpers
    )


def _o_with(chance: Chance) -> _Operation:
    op = int_join(chance)
    return _Operation(
        "With", "int", 1, f"takes `a`, and pushes {op.say('a', 'n')}", (op.code("a", "n"),),
        lambda a, n: [op.run(a, n)], op.helpers,
    )  # fmt: skip


def _o_test(chance: Chance) -> _Operation:
    test = int_test(chance)
    yes, no = chance.pick(((1, 0), (0, 1), (1, -1)))
    return _Operation(
        "Test", "", 1, f"takes `a`, and pushes {yes} if {test.say('a')}, and {no} otherwise",
        (f"if {test.code('a')} then {yes} else {no}",), lambda a: [yes if test.run(a) else no], test.helpers,
    )  # fmt: skip


def _o_keep(chance: Chance) -> _Operation:
    test = int_test(chance)
    return _Operation(
        "Select", "", 3, f"takes `a`, `b` and `c`, and pushes `b` if {test.say('a')}, and `c` otherwise",
        (f"if {test.code('a')} then b else c",), lambda a, b, c: [b if test.run(a) else c], test.helpers,
    )  # fmt: skip


def _o_dup(chance: Chance) -> _Operation:
    return _Operation("Dup", "", 1, "takes `a`, and pushes it twice", ("a", "a"), lambda a: [a, a])


def _o_swap(chance: Chance) -> _Operation:
    return _Operation("Swap", "", 2, "takes `a` and `b`, and pushes `a`, then `b`", ("b", "a"), lambda a, b: [b, a])


def _o_over(chance: Chance) -> _Operation:
    return _Operation(
        "Over", "", 2, "takes `a` and `b`, and pushes `b`, then `a`, then `b`", ("b", "a", "b"), lambda a, b: [b, a, b]
    )


def _o_rot(chance: Chance) -> _Operation:
    if chance.happens(0.5):
        return _Operation(
            "Rot", "", 3, "takes `a`, `b` and `c`, and pushes `b`, then `a`, then `c`", ("c", "a", "b"),
            lambda a, b, c: [c, a, b],
        )  # fmt: skip
    return _Operation(
        "Rot", "", 3, "takes `a`, `b` and `c`, and pushes `a`, then `c`, then `b`", ("b", "c", "a"),
        lambda a, b, c: [b, c, a],
    )  # fmt: skip


def _o_drop(chance: Chance) -> _Operation:
    if chance.happens(0.5):
        return _Operation("Drop", "", 1, "takes `a`, and pushes nothing", (), lambda a: [])
    return _Operation("Drop", "", 2, "takes `a` and `b`, and pushes `a`", ("a",), lambda a, b: [a])


_OPERATIONS = (
    _o_join,
    _o_blend,
    _o_change,
    _o_with,
    _o_test,
    _o_keep,
    _o_dup,
    _o_swap,
    _o_over,
    _o_rot,
    _o_drop,
)


# --- registers --------------------------------------------------------------------------------------------------------


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
            "beginning. It "
            "executes the instructions of a program one after the other, beginning with the first:",
            bullets(f"`{each.pattern}` {each.words}." for each in codes),
            f"{where} A new value of a register is always taken as its remainder divided by {modulus}, from 0 to "
            f"{modulus - 1} even where it is negative.",
            "`run fuel program` executes the program until there is no instruction where the machine has come to "
            "(before the "
            "first one, or behind the last one), or until `fuel` instructions have been executed (`fuel` is at least "
            "0). "
            f"It is a {'triple' if outputs else 'pair'}: {'; '.join(parts)}.",
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


FAMILIES = (
    Family(
        name="machines.stack",
        topics=("parsing-interpreters", "pattern-matching", "variants-records"),
        description="a stack machine with an instruction set of its own",
        make=_stack,
    ),
    Family(
        name="machines.registers",
        topics=("parsing-interpreters", "simulation", "mutable-arrays"),
        description="a machine with registers, jumps and fuel",
        make=_registers,
    ),
)
