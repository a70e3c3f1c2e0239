"""A stack machine with an instruction set of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, int_test
from ocaml_env.problems.generators.values import Show, integer, listing, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

_INTS = listing(integer)


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
            "otherwise `q`; then the machine goes on behind it."
        )
    short = {
        "none": "If an instruction finds fewer elements than it takes, "
        + ("also inside of an `If`, " if nested else "")
        + "the result of the whole is `None`; otherwise it is `Some` of the stack after the last instruction.",
        "index": "If an instruction finds fewer elements than it takes, the result is `Error i`, where `i` is the "
        "position of that instruction in the program, counted from 0; otherwise it is `Ok` of the stack after the "
        "last instruction.",
        "skip": "An instruction that finds fewer elements than it takes does nothing, and the machine goes on with "
        "the next one. The result is the stack after the last instruction.",
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
            "takes elements from the top: in what follows the first one taken is called `a`, the next ones `b` and "
            "`c`. To push is to put on top.",
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


FAMILY = Family(
    name="machines.stack",
    topics=("parsing-interpreters", "pattern-matching", "variants-records"),
    description="a stack machine with an instruction set of its own",
    make=_stack,
)
