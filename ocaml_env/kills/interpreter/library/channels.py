"""A program's input and output: standard channels, ``Printf`` and ``Scanf``.

Long, because all of them work on the channels of one program.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ocaml_env.kills.interpreter.data import (
    NONE,
    SOME,
    UNIT,
    Abstract,
    Tag,
    Value,
    apply,
    curried,
    failure,
    spend,
    unary,
)
from ocaml_env.kills.interpreter.errors import Ended, Raised, Unsupported
from ocaml_env.kills.interpreter.library.names import CONSTRUCTORS, END_OF_FILE
from ocaml_env.kills.interpreter.library.numbers import int_of_string, show_char, show_float
from ocaml_env.kills.interpreter.library.strings import Buffer, quoted

__all__ = ["VALUES", "world"]


class World:
    """The remaining input, and the output so far."""

    __slots__ = ("out", "place", "text")

    def __init__(self) -> None:
        self.start(b"")

    def start(self, stdin: bytes) -> None:
        """Sets the input, and clears the output."""
        self.text = stdin
        self.place = 0
        self.out = bytearray()

    def write(self, text: bytes) -> None:
        spend(1 + (len(text) >> 4))
        self.out += text

    def line(self) -> bytes:
        if self.place >= len(self.text):
            raise Raised(END_OF_FILE)
        end = self.text.find(b"\n", self.place)
        end = len(self.text) if end < 0 else end
        line = self.text[self.place : end]
        self.place = end + 1
        spend(1 + (len(line) >> 4))
        return line


world = World()


class Channel(Abstract):
    """Standard input, output or error."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


STDIN, STDOUT, STDERR = Channel("stdin"), Channel("stdout"), Channel("stderr")


def _print(text: bytes) -> Value:
    world.write(text)
    return UNIT


def _output(channel: Channel, text: bytes) -> Value:
    if channel is STDOUT:
        world.write(text)
    return UNIT


def _read_int(unit: Value) -> int:
    number = int_of_string(world.line().strip())
    if number is None:
        raise failure(b"int_of_string")
    return number


def _read_line_opt(*_: Value) -> Value:
    return NONE if world.place >= len(world.text) else (SOME, world.line())


def _input_char(channel: Channel) -> str:
    if world.place >= len(world.text):
        raise Raised(END_OF_FILE)
    world.place += 1
    return chr(world.text[world.place - 1])


def _input_all(channel: Channel) -> bytes:
    rest, world.place = world.text[world.place :], len(world.text)
    spend(1 + (len(rest) >> 4))
    return rest


def _exit(code: int) -> Value:
    raise Ended


# Printf.

_DIRECTIVE = re.compile(rb"%([-0+ #]*)(\d+|\*)?(?:\.(\d+|\*))?[lnL]?([a-zA-Z%!,@])")
_TWO_WORDS = frozenset(b"a")


def _pieces(text: bytes) -> list[Any]:
    """Literal texts, and directives as (flags, width, precision, letter)."""
    pieces: list[Any] = []
    place = 0
    for found in _DIRECTIVE.finditer(text):
        pieces.append(
            text[place : found.start()].replace(b"@@", b"@") if b"@@" in text else text[place : found.start()]
        )
        place = found.end()
        flags, width, precision, letter = found.groups()
        if letter == b"%":
            pieces.append(b"%")
        elif letter == b"@":
            pieces.append(b"@")
        elif letter not in b"!,":
            pieces.append((flags.decode(), width, precision, letter.decode()))
    pieces.append(text[place:])
    return pieces


def _shown(piece: tuple[str, Any, Any, str], numbers: list[int], value: Value) -> bytes:
    flags, width, precision, letter = piece
    width = str(numbers.pop(0)) if width == b"*" else (width or b"").decode()
    if width.startswith("-"):
        flags, width = flags + "-", width[1:]
    precision = str(numbers.pop(0)) if precision == b"*" else None if precision is None else precision.decode()
    dotted = "" if precision is None else f".{precision}"
    match letter:
        case "d" | "i":
            return str(f"%{flags}{width}{dotted}d" % value).encode()
        case "u" | "x" | "X" | "o":
            number = value & 0x7FFFFFFFFFFFFFFF if value < 0 else value
            text: str = f"%{flags.replace('#', '')}{width}{dotted}{letter.replace('u', 'd')}" % number
            if "#" in flags and letter in "xX" and number:
                text = f"0{letter}" + text
            return text.encode()
        case "e" | "E" | "f" | "g" | "G":
            if value != value or value in (float("inf"), float("-inf")):
                shown = "nan" if value != value else "inf" if value > 0 else "-inf"
                return str(f"%{flags.replace('0', '')}{width}s" % shown).encode()
            return str(f"%{flags}{width}{dotted}{letter}" % value).encode()
        case "F":
            body = show_float(value)
        case "s":
            body = value
        case "S":
            body = b'"' + quoted(value) + b'"'
        case "c":
            return bytes((ord(value),))
        case "C":
            return b"'" + show_char(value) + b"'"
        case "b" | "B":
            body = b"true" if value else b"false"
        case _:
            raise Unsupported(f"%{letter} in a format")
    room = int(width or 0)
    return bytes(body.ljust(room) if "-" in flags else body.rjust(room))


def _formatted(
    text: bytes, finish: Callable[[bytes], Value], called: Callable[[Value, tuple[Value, ...]], bytes]
) -> Value:
    """The result of a format without directives, or a function of the arguments for its directives."""
    pieces = _pieces(text)
    counts = [0 if isinstance(p, bytes) else 1 + (p[1] == b"*") + (p[2] == b"*") + (p[3] == "a") for p in pieces]

    def run(arguments: tuple[Value, ...]) -> Value:
        made = []
        place = 0
        for piece, count in zip(pieces, counts, strict=True):
            given = arguments[place : place + count]
            place += count
            if isinstance(piece, bytes):
                made.append(piece)
            elif piece[3] in "at":
                made.append(called(given[0], given[1:]))
            else:
                made.append(_shown(piece, list(given[:-1]), given[-1]))
        return finish(b"".join(made))

    total = sum(counts)
    return curried(total, run) if total else run(())


def _printed(function: Value, arguments: tuple[Value, ...]) -> bytes:
    """The text printed by a function that takes a channel, for ``%a`` of ``printf``."""
    before = len(world.out)
    apply(function, (STDOUT, *arguments))
    made = bytes(world.out[before:])
    del world.out[before:]
    return made


def _told(function: Value, arguments: tuple[Value, ...]) -> bytes:
    return bytes(apply(function, ((), *arguments)))


def _nothing(*_: Value) -> Value:
    return UNIT


def _sprintf(text: bytes) -> Value:
    return _formatted(text, lambda made: made, _told)


def _printf(text: bytes) -> Value:
    return _formatted(text, _print, _printed)


def _fprintf(channel: Channel, text: bytes) -> Value:
    return _formatted(text, lambda made: _output(channel, made), _printed)


def _bprintf(buffer: Buffer, text: bytes) -> Value:
    def finish(made: bytes) -> Value:
        buffer.text += made
        return UNIT

    return _formatted(text, finish, _told)


def _ksprintf(finish: Value, text: bytes) -> Value:
    return _formatted(text, unary(finish), _told)


# Scanf.

_SCANNED = re.compile(rb"%(\d+)?(?:(\[\^?\]?[^]]*\])|([a-zA-Z%!,]))")
_BLANK = b" \t\n\r"
_SCAN_FAILURE = Tag("Scan_failure", 0, 1)
CONSTRUCTORS["Scanf.Scan_failure"] = _SCAN_FAILURE
_TOKENS = {
    "d": rb"[-+]?[0-9][0-9_]*",
    "i": rb"[-+]?(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|[0-9][0-9_]*)",
    "u": rb"[0-9][0-9_]*",
    "f": rb"[-+]?[0-9]*\.?[0-9]*(?:[eE][-+]?[0-9]+)?",
    "s": rb"[^ \t\n\r]*",
}


class _Input:
    __slots__ = ("place", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.place = 0


def _scan(source: Any, text: bytes) -> Value:
    """``sscanf`` and ``scanf`` after their source; next comes the function of the scanned values."""
    read: list[Value] = []

    def fail(what: bytes) -> Raised:
        return Raised((_SCAN_FAILURE, what))

    def literal(part: bytes) -> None:
        for byte in part:
            if byte in _BLANK:
                while source.place < len(source.text) and source.text[source.place] in _BLANK:
                    source.place += 1
            elif source.place >= len(source.text):
                raise Raised(END_OF_FILE)
            elif source.text[source.place] != byte:
                raise fail(b"scanf: bad input")
            else:
                source.place += 1

    def token(pattern: bytes, width: bytes | None) -> bytes:
        end = len(source.text) if width is None else min(len(source.text), source.place + int(width))
        found = re.compile(pattern).match(source.text, source.place, end)
        if found is None:
            raise Raised(END_OF_FILE) if source.place >= len(source.text) else fail(b"scanf: bad input")
        source.place = found.end()
        return found[0]

    def values() -> list[Value]:
        place = 0
        for directive in _SCANNED.finditer(text):
            literal(text[place : directive.start()])
            place = directive.end()
            width, letters, letter = directive[1], directive[2], (directive[3] or b"").decode()
            if letters is not None:
                body = letters[1:-1]
                negated = body.startswith(b"^")
                body = body.removeprefix(b"^").replace(b"\\", b"\\\\").replace(b"]", b"\\]")
                read.append(token(b"[" + (b"^" if negated else b"") + body + b"]*", width))
            elif letter == "c":
                read.append(token(rb"(?s:.)", None).decode("latin-1"))
            elif letter in ("d", "i", "u"):
                number = int_of_string(token(_TOKENS[letter], width))
                if number is None:
                    raise fail(b"scanf: bad input")
                read.append(number)
            elif letter == "f":
                read.append(float(token(_TOKENS["f"], width) or b"x"))
            elif letter == "s":
                read.append(token(_TOKENS["s"], width))
            elif letter == "!":
                if source.place < len(source.text):
                    raise fail(b"scanf: end of input not found")
            elif letter == "%":
                literal(b"%")
            elif letter != ",":
                raise Unsupported(f"%{letter} in a format of Scanf")
        literal(text[place:])
        return read

    def run(function: Value) -> Value:
        found = values()
        return apply(function, tuple(found)) if found else function

    return run


VALUES: dict[str, Any] = {
    "stdin": STDIN,
    "stdout": STDOUT,
    "stderr": STDERR,
    "print_string": _print,
    "print_bytes": _print,
    "print_char": lambda letter: _print(letter.encode("latin-1")),
    "print_int": lambda number: _print(b"%d" % number),
    "print_float": lambda number: _print(show_float(number)),
    "print_endline": lambda text: _print(text + b"\n"),
    "print_newline": lambda unit: _print(b"\n"),
    "prerr_string": _nothing,
    "prerr_endline": _nothing,
    "prerr_newline": _nothing,
    "output_string": _output,
    "output_char": lambda channel, letter: _output(channel, letter.encode("latin-1")),
    "flush": lambda channel: UNIT,
    "flush_all": lambda unit: UNIT,
    "read_line": lambda unit: world.line(),
    "read_int": _read_int,
    "read_int_opt": lambda unit: _int_option(world.line()),
    "input_line": lambda channel: world.line(),
    "input_char": _input_char,
    "In_channel.input_line": _read_line_opt,
    "In_channel.input_all": _input_all,
    "In_channel.stdin": STDIN,
    "exit": _exit,
    "Printf.sprintf": _sprintf,
    "Printf.printf": _printf,
    "Printf.eprintf": lambda text: _formatted(text, _nothing, _told),
    "Printf.fprintf": _fprintf,
    "Printf.bprintf": _bprintf,
    "Printf.ksprintf": _ksprintf,
    "Printf.kprintf": _ksprintf,
    "Scanf.sscanf": lambda text, form: _scan(_Input(text), form),
    "Scanf.scanf": lambda form: _scan(world, form),
    "Scanf.Scanning.stdin": STDIN,
}


def _int_option(line: bytes) -> Value:
    number = int_of_string(line.strip())
    return NONE if number is None else (SOME, number)
