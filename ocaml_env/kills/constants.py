"""Answers made of constants: a simple value of each type, or an argument of that type. Finds the tests that they pass.

They cover modules and sequences. ``degenerate`` takes its constants from the tests, and values of these types do not
occur there.
"""

from __future__ import annotations

import re

from ocaml_env.kills.interpreter.errors import Diverged, Raised, Unsupported
from ocaml_env.kills.interpreter.evaluate import Compiler
from ocaml_env.kills.interpreter.syntax import read_expressions, read_items
from ocaml_env.kills.types import Type, parameters, read_type, result
from ocaml_env.problem import Problem

__all__ = ["CONSTANTS", "constant_answer", "passed_by_constants"]

CONSTANTS = 4
"""Answers of constants for one signature. The first has the emptiest values."""

_STEPS = 20_000  # for one test
_SIMPLE = {
    "unit": ("()",),
    "int": ("0", "1", "(-1)", "2"),
    "bool": ("false", "true"),
    "string": ('""', '"a"'),
    "float": ("0.", "1.", "(-1.)", "2."),
}
_CONTAINERS = {
    "list": ("[]", "[{}]"),
    "array": ("[||]", "[|{}|]"),
    "option": ("None", "(Some {})"),
    "Seq.t": ("Seq.empty", "(Seq.return {})"),
}
_ITEM = re.compile(
    r"^[ \t]*(?:(?P<module>module[ \t]+\w+)[ \t]*:[ \t]*sig\b|(?P<end>end)\b"
    r"|type[ \t]+(?P<type>[^=\n]*?)(?P<full>=[^\n]*(?:\n[ \t]*\|[^\n]*)*)?$|(?P<exception>exception[^\n]*)"
    r"|val[ \t]+(?P<value>[a-z_][\w']*)[ \t]*:(?P<of>[^\n]*(?:\n[ \t]*->[^\n]*)*))",
    re.MULTILINE,
)


def constant_answer(signature: str, number: int, *, gives_back: bool = False) -> str | None:
    """Writes the code of an answer of constants; None if a type is unknown here.

    Args:
        signature: the problem's signature.
        number: selects among the simple values of each type, from 0 to ``CONSTANTS - 1``.
        gives_back: a function returns its first argument of its result type, if it has one.
    """
    lines = []
    own: set[str] = set()
    for item in _ITEM.finditer(signature):
        if item["module"]:
            lines.append(f"{item['module']} = struct")
        elif item["end"]:
            lines.append("end")
        elif item["exception"]:
            lines.append(item["exception"])
        elif item["type"]:
            own |= set() if item["full"] else {item["type"].split()[-1]}
            lines.append(f"type {item['type']} {item['full'] or '= Only'}")
        else:
            try:
                kind = read_type(item["of"].strip())
            except ValueError:
                return None
            value = _function(kind, own, number, gives_back)
            if value is None:
                return None
            lines.append(f"let {item['value']} = {value}")
    return "\n".join(lines)


def _function(kind: Type, own: set[str], number: int, gives_back: bool) -> str | None:
    wanted, given = result(kind), parameters(kind)
    if gives_back and wanted in given:
        place = given.index(wanted)
        return "fun _ -> " * place + "fun a -> " + "fun _ -> " * (len(given) - place - 1) + "a"
    value = _constant(wanted, own, number)
    return value and "fun _ -> " * len(given) + value


def _constant(kind: Type, own: set[str], number: int) -> str | None:
    if kind.name == "*":
        parts = [_constant(part, own, number) for part in kind.parts]
        return None if None in parts else f"({', '.join(map(str, parts))})"
    if kind.name in own:
        return "Only"
    if kind.name in _CONTAINERS:
        # Alternate between an empty container and one item: an answer must not be empty throughout.
        item = _constant(kind.parts[0], own, number) if number % 2 else ""
        return None if item is None else _CONTAINERS[kind.name][number % 2].format(item)
    values = _SIMPLE.get(kind.name)
    return values[number % len(values)] if values else None


def passed_by_constants(problem: Problem) -> dict[str, set[str]]:
    """The names of the tests passed by each answer of constants, as far as the interpreter can run them."""
    answers = {f"constant {k + 1} of each type": constant_answer(problem.signature, k) for k in range(CONSTANTS)}
    answers["an argument given back"] = constant_answer(problem.signature, 0, gives_back=True)
    return {name: _passed(problem, answer) for name, answer in answers.items()}


def _passed(problem: Problem, answer: str | None) -> set[str]:
    if answer is None:
        return set()
    try:
        program = Compiler().program(read_items(answer), read_items(problem.prelude))
        expressions = read_expressions([test.code for test in problem.tests])
    except Unsupported:
        return set()
    passed = set()
    for test, expression in zip(problem.tests, expressions, strict=True):
        try:
            if program.value(program.expression(expression), steps=_STEPS) is True:
                passed.add(test.name)
        except (Unsupported, Raised, Diverged):
            continue
    return passed
