"""An answer that gives back the emptiest value of each type: which tests does it pass?

It is what is left to somebody who has given up on a module, or on sequences, whose values are no constants of a test.
"""

from __future__ import annotations

import re

from ocaml_env.kills.interpreter.errors import Diverged, Raised, Unsupported
from ocaml_env.kills.interpreter.evaluate import Compiler
from ocaml_env.kills.interpreter.syntax import read_expressions, read_items
from ocaml_env.kills.types import Type, parameters, read_type, result
from ocaml_env.problem import Problem

__all__ = ["empty_answer", "passed_by_empty_values"]

_STEPS = 20_000  # for one test
_EMPTY = {
    "unit": "()",
    "int": "0",
    "bool": "false",
    "string": '""',
    "float": "0.",
    "list": "[]",
    "array": "[||]",
    "option": "None",
    "Seq.t": "Seq.empty",
}
_ITEM = re.compile(
    r"^[ \t]*(?:(?P<module>module[ \t]+\w+)[ \t]*:[ \t]*sig\b|(?P<end>end)\b"
    r"|type[ \t]+(?P<type>[^=\n]*?)(?P<full>=[^\n]*(?:\n[ \t]*\|[^\n]*)*)?$|(?P<exception>exception[^\n]*)"
    r"|val[ \t]+(?P<value>[a-z_][\w']*)[ \t]*:(?P<of>[^\n]*(?:\n[ \t]*->[^\n]*)*))",
    re.MULTILINE,
)


def empty_answer(signature: str) -> str | None:
    """The code of that answer; None if a type is not known here."""
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
            lines.append(f"type {item['type']} {item['full'] or '= Empty'}")
        else:
            try:
                kind = read_type(item["of"].strip())
            except ValueError:
                return None
            value = _empty(result(kind), own)
            if value is None:
                return None
            heads = "".join("fun _ -> " for _ in parameters(kind))
            lines.append(f"let {item['value']} = {heads}{value}")
    return "\n".join(lines)


def _empty(kind: Type, own: set[str]) -> str | None:
    if kind.name == "*":
        parts = [_empty(part, own) for part in kind.parts]
        return None if None in parts else f"({', '.join(map(str, parts))})"
    return "Empty" if kind.name in own else _EMPTY.get(kind.name)


def passed_by_empty_values(problem: Problem) -> set[str]:
    """The names of the tests that it passes, as far as the interpreter knows."""
    answer = empty_answer(problem.signature)
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
