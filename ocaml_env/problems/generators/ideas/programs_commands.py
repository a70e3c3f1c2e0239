"""A calculator that obeys commands, one a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, inputs, printed
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, remainder
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Calculator:
    """The drawn calculator.

    Attributes:
        bound: an operation on the value and on the memory after each command.
        comment: the character that begins a comment; empty if there are none.
        numbered: True if a complaint tells the number of the line.
        final: the word before the last number.
    """

    commands: tuple[_Command, ...]
    start: int
    memory: int
    bound: Op
    comment: str
    numbered: bool
    final: str

    def run(self, lines: Sequence[str]) -> str:
        """The output."""
        by_name = {command.name: command for command in self.commands}
        a, m = self.start, self.memory
        out: list[str] = []
        for number, line in enumerate(lines, start=1):
            words = line.split()
            if not words or (self.comment and words[0].startswith(self.comment)):
                continue
            command = by_name.get(words[0])
            x = read_number(words[1]) if len(words) == 2 else 0
            if command is None or len(words) != 1 + command.takes or x is None:
                out.append(f"error in line {number}" if self.numbered else "error")
                continue
            a, m = map(self.bound.run, command.run(a, m, x, out))
        return "\n".join([*out, f"{self.final} {a}"]) + "\n"


def _commands(chance: Chance, level: int) -> Draft:
    changing = chance.sample(_REMEMBERING, 1)
    others = [make for make in _COMMANDS if make not in changing]
    makers = [_k_set, *changing, *chance.sample(others, {1: 1, 3: 2, 5: 4}[level]), _k_print]
    calculator = _Calculator(
        commands=tuple(make(chance) for make in makers),
        start=chance.between(0, 9),
        memory=chance.between(0, 9),
        bound=_bound(chance),
        comment=chance.pick("#;%") if level >= 3 else "",
        numbered=level >= 3,
        final=chance.pick(("end", "done", "result", "bye")),
    )
    return Draft(
        name="",
        kind="program",
        statement=_statement(calculator),
        reference=_code(calculator),
        cases=_cases(chance, calculator),
    )


def _statement(calculator: _Calculator) -> str:
    lines = [f"`{command.name}{' X' if command.takes else ''}` {command.words}." for command in calculator.commands]
    skipped = "Skip lines that hold nothing but spaces"
    if calculator.comment:
        skipped += f", and lines whose first character that is not a space is `{calculator.comment}`"
    error = "error`"
    if calculator.numbered:
        error = "error in line N` with the number of the line, counted from 1, skipped lines included"
    return paragraphs(
        f"Write a program that obeys commands, one a line. It keeps a value `a`, at first {calculator.start}, and a "
        f"memory `m`, at first {calculator.memory}. A command is a word; behind some there is an integer `X`: an "
        "optional `-` and one to six decimal digits. There are one or more spaces between the words, and there may be "
        "spaces around them:",
        bullets(lines),
        f"After each command change `a` and `m`, too: {calculator.bound.words}.",
        f"{skipped}. For every other line that is no such command, print `{error}, and change nothing: if the first "
        "word is unknown, if a word is missing or there is one more, or if something else than an integer stands for "
        "`X`.",
        f"At the end print `{calculator.final}`, a space, and `a`. Everything that is printed stands on a line of its "
        "own.",
    )


def _code(calculator: _Calculator) -> str:
    arms = "\n".join(
        f'    | [ "{command.name}"; w ] -> Option.map (fun x -> ({command.ocaml})) (number w)'
        if command.takes
        else f'    | [ "{command.name}" ] -> Some ({command.ocaml})'
        for command in calculator.commands
    )
    comment = f"\n    | word :: _ when word.[0] = '{calculator.comment}' -> ()" if calculator.comment else ""
    complaint = 'Printf.printf "error in line %d\\n" (i + 1)' if calculator.numbered else 'print_endline "error"'
    main = f"""\
let () =
  let state = ref ({calculator.start}, {calculator.memory}) in
  let bound n = {calculator.bound.code("n")} in
  let obey (a, m) = function
{arms}
    | _ -> None
  in
  let read {"i" if calculator.numbered else "_"} line =
    match words line with
    | [] -> (){comment}
    | command -> (
      match obey !state command with
      | Some (a, m) -> state := (bound a, bound m)
      | None -> {complaint})
  in
  List.iteri read (read_lines []);
  Printf.printf "{calculator.final} %d\\n" (fst !state)"""
    return module(READ, WORDS, NUMBER, [h for command in calculator.commands for h in command.helpers], main)


def _cases(chance: Chance, calculator: _Calculator) -> Iterator[Case]:
    for lines in inputs(lambda: _drawn(chance, calculator), _edges(chance, calculator)):
        yield printed("\n".join(lines) + "\n", calculator.run(lines))


def _drawn(chance: Chance, calculator: _Calculator) -> list[str]:
    """A few commands. Some come after the value or the memory has reached a critical number."""
    lines: list[str] = []
    remember = calculator.commands[1]
    if not remember.takes and chance.happens(0.4):
        lines += [f"set {chance.number(-30, 40)}", remember.name]
    for _ in range(chance.between(1, 3) if chance.happens(0.92) else 6):
        x = chance.number(-9, 25)
        if chance.happens(0.6):
            lines.append(f"set {x}")
            x = chance.pick((x, x - 1, x + 1, chance.number(-9, 25)))
        command = chance.pick(calculator.commands[1:])
        lines.append(f"{command.name} {x}" if command.takes else command.name)
    if chance.happens(0.3):
        lines.insert(chance.below(len(lines) + 1), _wrong(chance, calculator))
    return [*lines, "print"]


def _wrong(chance: Chance, calculator: _Calculator) -> str:
    """A line that is no command, or is skipped."""
    name = chance.pick([command.name for command in calculator.commands if command.takes])
    lines = [f"{name} {chance.pick(NO_NUMBERS)}", name, f"{name} 1 2", "print 3", "what", "", "   "]
    lines += [f"{calculator.comment} set 4", f" {calculator.comment}set 4"] if calculator.comment else []
    return chance.pick(lines)


def _edges(chance: Chance, calculator: _Calculator) -> list[list[str]]:
    bare = [command.name for command in calculator.commands if not command.takes]
    edges = [
        ["", "what"],
        ["set", "set 1 2", "print 3", "print"],
        ["  set   7 ", " print"],
        ["set -12", "print", "Print"],
        ["set 000012", "print", "set 0012345"],
        ["set 999999", *bare],
        ["set -999999", *bare],
    ]
    edges += [
        [f"set {first}", f"set {second}"] for first, second in zip(NO_NUMBERS[::2], NO_NUMBERS[1::2], strict=True)
    ]
    if calculator.comment:
        edges.append([f"{calculator.comment}set 8", f"  {calculator.comment} what", f"set 8 {calculator.comment}"])
    return edges


# --- commands ---------------------------------------------------------------------------------------------------------


def _k_set(chance: Chance) -> _Command:
    return _Command("set", True, "makes `a` the integer `X`", "x, m", lambda a, m, x, out: (x, m))


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
        "store", False, f"makes `m` {op.say('a')}", f"a, {op.code('a')}", lambda a, m, x, out: (a, op.run(a)),
        op.helpers,
    )  # fmt: skip


def _k_recall(chance: Chance) -> _Command:
    op = int_join(chance)
    return _Command(
        "recall", False, f"makes `a` {op.say('a', 'm')}", f"{op.code('a', 'm')}, m",
        lambda a, m, x, out: (op.run(a, m), m), op.helpers,
    )  # fmt: skip


def _k_swap(chance: Chance) -> _Command:
    return _Command("swap", False, "exchanges `a` and `m`", "m, a", lambda a, m, x, out: (m, a))


def _k_when(chance: Chance) -> _Command:
    test, op = int_test(chance), int_join(chance)
    return _Command(
        "when", True, f"makes `a` {op.say('a', 'X')} if {test.say('a')}, and changes nothing otherwise",
        f"(if {test.code('a')} then {op.code('a', 'x')} else a), m",
        lambda a, m, x, out: (op.run(a, x) if test.run(a) else a, m), test.helpers + op.helpers,
    )  # fmt: skip


def _k_collect(chance: Chance) -> _Command:
    op = int_join(chance)
    return _Command(
        "collect", True, f"makes `m` {op.say('m', 'X')}, and then `a` the sum of `a` and the new `m`",
        f"let m = {op.code('m', 'x')} in (a + m, m)", lambda a, m, x, out: (a + op.run(m, x), op.run(m, x)), op.helpers,
    )  # fmt: skip


def _k_print(chance: Chance) -> _Command:
    op = int_map(chance)

    def run(a: int, m: int, x: int, out: list[str]) -> tuple[int, int]:
        out.append(f"{op.run(a)} {m}")
        return a, m

    return _Command(
        "print", False, f"prints two numbers with a space between them: {op.say('a')}; and `m`",
        f'Printf.printf "%d %d\\n" ({op.code("a")}) m; (a, m)', run, op.helpers,
    )  # fmt: skip


_REMEMBERING = (_k_store, _k_swap, _k_collect)  # they change the memory
_COMMANDS = (_k_add, _k_change, _k_recall, _k_when, *_REMEMBERING)


def _bound(chance: Chance) -> Op:
    k = chance.pick((100, 128, 200, 256, 500))
    if chance.happens(0.5):
        return Op(
            f"each becomes its remainder divided by {k}, as OCaml's `mod` computes it (from {1 - k} to {k - 1}, never "
            "positive for a negative number)",
            f"{{x}} mod {k}",
            lambda n: remainder(n, k),
        )
    return Op(
        f"what is greater than {k} becomes {k}, and what is less than {-k} becomes {-k}",
        f"max (-{k}) (min {k} {{x}})",
        lambda n: max(-k, min(k, n)),
    )


FAMILY = Family(
    name="programs.commands",
    topics=("programs", "parsing-interpreters", "simulation"),
    description="a calculator that obeys commands, one a line",
    make=_commands,
)
