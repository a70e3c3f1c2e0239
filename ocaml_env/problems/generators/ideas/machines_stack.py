"""A stack machine with an instruction set of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test
from ocaml_env.problems.generators.values import Show, integer, listing, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

_INTS = listing(integer)


Instruction = tuple[Any, ...]


class _Operation(NamedTuple):
    """An instruction of a stack machine.

    Attributes:
        payload: the kind of its argument, which is ``n`` for an int: "", "int", "block" or "blocks".
        taken: the number of elements that it takes; they are called a (the top), b and c.
        ocaml: the elements put back, the new top first, to be consed.
        run: the same, from the elements taken and n.
    """

    name: str
    payload: str
    taken: int
    words: str
    ocaml: tuple[str, ...]
    run: Callable[..., Sequence[int]]
    helpers: tuple[str, ...] = ()


class _Machine(NamedTuple):
    """The drawn machine.

    Attributes:
        test: of `If`, if there is one.
        policy: the effect of an instruction that finds too few elements: ``none``, ``index`` or ``skip``.
    """

    operations: tuple[_Operation, ...]
    test: Op | None
    policy: str

    def run(self, program: Sequence[Instruction], stack: list[int], fuel: list[int]) -> list[int] | int:
        """The stack after the program, or the position of the failed instruction."""
        operations = {each.name: each for each in self.operations}
        for place, (name, *payload) in enumerate(program):
            fuel[0] -= 1
            if fuel[0] < 0 or len(stack) > 30 or any(abs(x) > 1 << 40 for x in stack):
                raise Unfit
            needed = 1 if name == "If" else operations[name].taken
            if len(stack) < needed:
                if self.policy == "skip":
                    continue
                return place
            if name == "If" and self.test:
                after = self.run(payload[0] if self.test.run(stack[0]) else payload[1], stack[1:], fuel)
                if isinstance(after, int):
                    return place
                stack = after
            else:
                stack = [*operations[name].run(*stack[:needed], *payload), *stack[needed:]]
        return stack

    def show(self, answer: list[int] | int) -> str:
        if isinstance(answer, int):
            return "None" if self.policy == "none" else f"Error {answer}"
        return {"none": "Some ", "index": "Ok ", "skip": ""}[self.policy] + _INTS(answer)

    def show_program(self, program: Sequence[Instruction]) -> str:
        shows: dict[str, list[Show]] = {each.name: [integer] * bool(each.payload) for each in self.operations}
        show_one = variant(shows)
        if self.test:
            shows["If"] = [listing(show_one), listing(show_one)]
        return listing(show_one)(program)


def _stack(chance: Chance, level: int) -> Draft:
    machine = _draw(chance, level)
    operations, test, policy = machine
    declared = _type(machine)

    def cases() -> Iterator[Case]:
        first = operations[1]
        edges: list[list[Instruction]] = [[], [("Push", 7)], [(first.name, *[3] * bool(first.payload))]]
        for program in inputs(lambda: _program(chance, machine), edges):
            stack = _start(chance) if chance.happens(0.8) else []
            answer = machine.run(program, stack, [60])
            yield case("run", [machine.show_program(program), _INTS(stack)], machine.show(answer))

    kind = {"none": "int list option", "index": "(int list, int) result", "skip": "int list"}[policy]
    return Draft(
        name="run",
        statement=_statement(machine),
        signature=f"{declared}\n\nval run : instruction list -> int list -> {kind}",
        reference=module(
            declared,
            [h for each in operations for h in each.helpers],
            test.helpers if test else (),
            _stack_code(operations, test.code("a") if test else "", policy),
        ),
        cases=cases(),
        together=2,
    )


def _draw(chance: Chance, level: int) -> _Machine:
    plain = [make(chance) for make in chance.sample(_OPERATIONS, {1: 3, 3: 5, 5: 7}[level])]
    test = int_test(chance) if level == 5 else None
    policy = chance.pick(("none", "skip") if test else ("none", "index", "skip"))
    machine = _Machine((_push(), *plain), test, policy)
    tried = [machine.run(_program(chance, machine), _start(chance), [60]) for _ in range(10)]
    if sum(isinstance(answer, int) for answer in tried) > 6:
        raise Unfit
    return machine


def _program(chance: Chance, machine: _Machine, depth: int = 2, least: int = 2, most: int = 7) -> list[Instruction]:
    program: list[Instruction] = []
    size = chance.between(least, most) if most < 7 or chance.happens(0.93) else 10
    for _ in range(size):
        if machine.test and depth and chance.happens(0.2):
            program.append(("If", *(_program(chance, machine, depth - 1, 0, 3) for _ in range(2))))
        else:
            operation = machine.operations[0] if chance.happens(0.35) else chance.pick(machine.operations)
            payload = [chance.number(-5, 20)] if operation.payload else []
            program.append((operation.name, *payload))
    return program


def _start(chance: Chance) -> list[int]:
    if chance.happens(0.06):
        return [*chance.numbers(chance.between(0, 8), -5, 20), chance.between(100, 300)]
    return chance.numbers(chance.between(1, 4), -5, 20)


def _statement(machine: _Machine) -> str:
    lines = [f"`{each.name}{' n' if each.payload else ''}` {each.words}." for each in machine.operations]
    if machine.test:
        lines.append(
            f"`If (p, q)` takes `a`; if {machine.test.say('a')}, the program `p` is executed on what is left of the "
            "stack, otherwise `q`; then the machine goes on behind it."
        )
    inside = "also inside of an `If`, " if machine.test else ""
    short = {
        "none": f"If an instruction finds fewer elements than it takes, {inside}the result of the whole is `None`; "
        "otherwise it is `Some` of the stack after the last instruction.",
        "index": "If an instruction finds fewer elements than it takes, the result is `Error i`, where `i` is the "
        "position of that instruction in the program, counted from 0; otherwise it is `Ok` of the stack after the "
        "last instruction.",
        "skip": "An instruction that finds fewer elements than it takes does nothing, and the machine goes on with "
        "the next one. The result is the stack after the last instruction.",
    }[machine.policy]
    return paragraphs(
        "A stack machine works on a list of integers, whose first element is the top of the stack. An instruction "
        "takes elements from the top: in what follows the first one taken is called `a`, the next ones `b` and `c`. "
        "To push is to put on top.",
        bullets(lines),
        "`run program stack` executes the instructions of the list `program` in order, beginning with `stack`. "
        f"{short}",
    )


def _type(machine: _Machine) -> str:
    lines = [f"  | {each.name}{' of int' if each.payload else ''}" for each in machine.operations]
    lines += ["  | If of instruction list * instruction list"] if machine.test else []
    return "\n".join(["type instruction =", *lines])


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


FAMILY = Family(
    name="machines.stack",
    topics=("parsing-interpreters", "pattern-matching", "variants-records"),
    description="a stack machine with an instruction set of its own",
    make=_stack,
)
