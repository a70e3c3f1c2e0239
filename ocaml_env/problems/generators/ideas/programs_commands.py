"""A calculator that obeys commands, one a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs, printed
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import MODULO, int_join, int_map, int_test
from ocaml_env.problems.generators.lines import NO_NUMBERS, NUMBER, READ, WORDS, read_number
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]


class _Command(NamedTuple):
    """A command of a calculator: ``x`` is its argument, ``a`` the value, ``m`` the memory.

    ``ocaml`` is the pair of the new value and memory; a command that prints has its own code.
    """

    name: str
    takes: bool
    words: str
    ocaml: str
    run: Callable[[int, int, int, list[str]], tuple[int, int]]
    helpers: tuple[str, ...] = ()


def _commands(chance: Chance, level: int) -> Draft:
    commands = [make(chance) for make in chance.sample(_COMMANDS, (3, 4, 5, 6, 7)[level - 1])]
    commands.append(_print_command(chance))
    start, memory = chance.between(0, 9), chance.between(0, 9)
    limit = chance.pick((100, 128, 256, 500, 1000))
    numbered_errors = level >= 3
    comments = chance.pick("#;%") if level >= 2 else ""
    final = chance.pick(("end", "done", "result", "bye"))
    by_name = {command.name: command for command in commands}

    def run(lines: Sequence[str]) -> str:
        a, m = start, memory
        out: list[str] = []
        for number, line in enumerate(lines, start=1):
            words = line.split()
            if not words or (comments and words[0].startswith(comments)):
                continue
            command = by_name.get(words[0])
            x = read_number(words[1]) if len(words) == 2 else 0
            if command is None or len(words) != 1 + command.takes or x is None:
                out.append(f"error in line {number}" if numbered_errors else "error")
                continue
            a, m = command.run(a, m, x, out)
            a, m = a % limit, m % limit
        return "\n".join([*out, f"{final} {a}"]) + "\n"

    def draw() -> list[str]:
        lines = []
        for _ in range(chance.between(3, 9)):
            command = chance.pick(commands)
            lines.append(f"{command.name} {chance.number(-5, 25)}" if command.takes else command.name)
        if chance.happens(0.4):
            first = chance.pick([command for command in commands if command.takes] or commands).name
            wrong = (f"{first} 1 2", "what", commands[-1].name + " 3", f"{first} {chance.pick(NO_NUMBERS)}", "")
            lines.insert(chance.below(len(lines) + 1), chance.pick(wrong))
        if comments and chance.happens(0.4):
            lines.insert(chance.below(len(lines)), f"{comments} {commands[0].name} 4")
        return lines

    tried = [draw() for _ in range(12)]
    for command in commands:
        without = [[line for line in lines if line.split()[:1] != [command.name]] for lines in tried]
        if all(run(a) == run(b) for a, b in zip(tried, without, strict=True)):
            raise Unfit
    lines = [f"`{command.name}{' X' if command.takes else ''}` {command.words}." for command in commands]
    skipped = "Lines that hold nothing but spaces are skipped" + (
        f", and so are lines whose first character that is not a space is `{comments}`." if comments else "."
    )
    error = (
        "error in line N` with the number of the line, counted from 1, skipped lines included"
        if numbered_errors
        else "error`"
    )
    arms = []
    for command in commands:
        pattern = f'[ "{command.name}"; _ ]' if command.takes else f'[ "{command.name}" ]'
        arms.append(f"    | {pattern} -> Some ({command.ocaml})")
    arms_code = "\n".join(arms)
    comment_code = f"\n    | word :: _ when word.[0] = '{comments}' -> ()" if comments else ""
    complaint = 'Printf.printf "error in line %d\\n" (i + 1)' if numbered_errors else 'print_endline "error"'
    main = f"""\
let () =
  let state = ref ({start}, {memory}) in
  let wrap n = modulo n {limit} in
  let obey (a, m) x = function
{arms_code}
    | _ -> None
  in
  let read {"i" if numbered_errors else "_"} line =
    match words line with
    | [] -> (){comment_code}
    | all -> (
      let x = match all with [ _; word ] -> number word | _ -> Some 0 in
      match Option.bind x (fun x -> obey !state x all) with
      | Some (a, m) -> state := (wrap a, wrap m)
      | None -> {complaint})
  in
  List.iteri read (read_lines []);
  Printf.printf "{final} %d\\n" (fst !state)"""

    def cases() -> Iterator[Case]:
        edges = [[""], [commands[-1].name], ["  " + commands[-1].name + " "], ["nonsense"], [commands[-1].name] * 3]
        for given in inputs(draw, edges):
            yield printed("\n".join(given) + "\n", run(given))

    return Draft(
        name="",
        kind="program",
        statement=paragraphs(
            f"Write a program that obeys commands, one a line. It keeps a value `a`, at first {start}, and a memory "
            f"`m`, at first {memory}. A command is a word, some with an integer `X` behind it (an optional `-` and "
            "one to six decimal digits); between the words there are one or more spaces, and there may be spaces "
            "around them:",
            bullets(lines),
            f"After each command `a` and `m` are replaced by their remainders divided by {limit}, from 0 to "
            f"{limit - 1} even where they are negative. {skipped} For a line that is no such command, be it an "
            f"unknown word, a missing or a further word, or something else than an integer, print `{error}, and "
            "change nothing.",
            f"At the end print `{final}`, a space, and `a`. Everything that is printed stands on a line of its own.",
        ),
        reference=module(READ, WORDS, MODULO, NUMBER, [h for command in commands for h in command.helpers], main),
        cases=cases(),
    )


def _k_add(chance: Chance) -> _Command:
    name, op = chance.pick(("add", "mix", "put")), int_join(chance)
    return _Command(
        name, True, f"makes `a` {op.say('a', 'X')}", f"{op.code('a', 'x')}, m", lambda a, m, x, out: (op.run(a, x), m),
        op.helpers,
    )  # fmt: skip


def _k_change(chance: Chance) -> _Command:
    name, op = chance.pick(("turn", "step", "bend")), int_map(chance)
    return _Command(
        name, False, f"makes `a` {op.say('a')}", f"{op.code('a')}, m", lambda a, m, x, out: (op.run(a), m), op.helpers
    )


def _k_store(chance: Chance) -> _Command:
    op = int_map(chance)
    return _Command(
        "store",
        False,
        f"makes `m` {op.say('a')}",
        f"a, {op.code('a')}",
        lambda a, m, x, out: (a, op.run(a)),
        op.helpers,
    )


def _k_recall(chance: Chance) -> _Command:
    op = int_join(chance)
    return _Command(
        "recall", False, f"makes `a` {op.say('a', 'm')}", f"{op.code('a', 'm')}, m",
        lambda a, m, x, out: (op.run(a, m), m), op.helpers,
    )  # fmt: skip


def _k_swap(chance: Chance) -> _Command:
    return _Command("swap", False, "exchanges `a` and `m`", "m, a", lambda a, m, x, out: (m, a))


def _k_set(chance: Chance) -> _Command:
    op = int_map(chance)
    return _Command(
        "set", True, f"makes `a` {op.say('X')}", f"{op.code('x')}, m", lambda a, m, x, out: (op.run(x), m), op.helpers
    )


def _k_if(chance: Chance) -> _Command:
    test, op = int_test(chance), int_join(chance)
    return _Command(
        "when", True, f"makes `a` {op.say('a', 'X')} if {test.say('a')}, and changes nothing otherwise",
        f"(if {test.code('a')} then {op.code('a', 'x')} else a), m",
        lambda a, m, x, out: (op.run(a, x) if test.run(a) else a, m), test.helpers + op.helpers,
    )  # fmt: skip


def _k_sum(chance: Chance) -> _Command:
    op = int_join(chance)
    return _Command(
        "collect", True, f"makes `m` {op.say('m', 'X')}, and then `a` the sum of `a` and the new `m`",
        f"let m = {op.code('m', 'x')} in (a + m, m)", lambda a, m, x, out: (a + op.run(m, x), op.run(m, x)), op.helpers,
    )  # fmt: skip


_COMMANDS = (_k_add, _k_change, _k_store, _k_recall, _k_swap, _k_set, _k_if, _k_sum)


def _print_command(chance: Chance) -> _Command:
    op = int_map(chance)

    def run(a: int, m: int, x: int, out: list[str]) -> tuple[int, int]:
        out.append(f"{op.run(a)} {m}")
        return a, m

    return _Command(
        "print", False, f"prints two numbers with a space between them: {op.say('a')}; and `m`",
        f'Printf.printf "%d %d\\n" ({op.code("a")}) m; (a, m)', run, op.helpers,
    )  # fmt: skip


FAMILY = Family(
    name="programs.commands",
    topics=("programs", "parsing-interpreters", "simulation"),
    description="a calculator that obeys commands, one a line",
    make=_commands,
)
