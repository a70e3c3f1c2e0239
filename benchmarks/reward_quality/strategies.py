"""Strategies of giving up: each answers every problem of a set in the same way, whatever the problem asks.

The code comes from the engine's stubs. They fit the signature, and know the examples and the expected values of tests.
A policy in training finds those values too, because it meets each problem many times.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from benchmarks.reward_quality.ladder import Answer, evaluated_many, stuffed
from ocaml_env import Stage
from ocaml_env.problem import Problem
from ocaml_env.verifiers.local import Verifier

__all__ = ["FUNCTION", "STRATEGIES", "play"]

STRATEGIES = (
    "raises",
    *(f"constant {place}" for place in range(1, 6)),
    "commonest answer",
    "second commonest answer",
    "first argument",
    "last argument",
    *(f"examples, else {other}" for other in ("raises", "constant 1", "commonest answer", "first argument")),
)
"""A constant has the result's type: 0, 1, -1, 2, 42 for ``int``. Types with fewer constants repeat them: the third of
``bool`` is its first. The commonest answer is the value expected by most tests. An argument is returned if its type is
the result's. A program prints its constant; its argument is its input.
"""

FUNCTION = re.compile(
    r"^let (?P<name>.+?) = fun (?P<parameters>[^>]*)-> (?P<body>.*?)"
    r"(?=^(?:let|type|exception|module|include|end)\b|\Z)",
    re.MULTILINE | re.DOTALL,
)
"""Matches a function of a stub."""

_RAISES = 'failwith "stub"'
_PRINTED = ("", "0", "1", "-1", "2")
_READ = (
    "let input =\n  let text = Buffer.create 1000 in\n"
    "  (try while true do Buffer.add_channel text stdin 1 done with End_of_file -> ());\n  Buffer.contents text"
)


def play(problem: Problem, verifier: Verifier) -> dict[str, Answer]:
    """Evaluates each strategy on a problem, in the order of ``STRATEGIES``.

    A strategy without a well-typed answer raises instead, and a table of the examples falls back on the plain strategy.
    Ill-typed answers occur because tests of a polymorphic function expect values of one type. All answers have the form
    that the seed's rules pay best; other presets ignore it.
    """
    codes = _programs(problem) if problem.kind == "program" else _functions(problem, verifier)
    plan = [(name, stuffed(codes[name]), None) for name in STRATEGIES]
    raising, *others = evaluated_many(problem, plan, verifier)
    played = {raising.kind: raising}
    for answer in others:
        other = played.get(answer.kind.removeprefix("examples, else "), raising)
        played[answer.kind] = answer if answer.verdict.stage is Stage.TEST else replace(other, kind=answer.kind)
    return played


def _functions(problem: Problem, verifier: Verifier) -> dict[str, str]:
    stubs = {stub.name: stub.code for stub in verifier.stubs(problem)}
    raising = stubs["raising"]
    constants = [code for name, code in stubs.items() if name.startswith("constant")] or [raising]
    common, first = (stubs.get(name, raising) for name in ("common answer 1", "identity first"))
    table = stubs.get("table of the examples", raising)
    return {
        "raises": raising,
        **{f"constant {place + 1}": constants[place % len(constants)] for place in range(5)},
        "commonest answer": common,
        "second commonest answer": stubs.get("common answer 2", common),
        "first argument": first,
        "last argument": stubs.get("identity last", first),
        "examples, else raises": table,
        "examples, else constant 1": _otherwise(table, constants[0]),
        "examples, else commonest answer": _otherwise(table, common),
        "examples, else first argument": _otherwise(table, first),
    }


def _otherwise(table: str, other: str) -> str:
    """Makes a table of the examples fall back on another stub instead of raising."""
    bodies = {found["name"]: found["body"].strip() for found in FUNCTION.finditer(other)}
    return FUNCTION.sub(lambda found: found[0].replace(_RAISES, f"({bodies.get(found['name'], _RAISES)})"), table)


def _programs(problem: Problem) -> dict[str, str]:
    outputs = [output for output, _ in Counter(test.stdout or "" for test in problem.tests).most_common(2)]
    common, constant = _printed(outputs[0]), _printed(_PRINTED[0])
    examples = {test.stdin or "": test.stdout or "" for test in problem.public_tests}
    return {
        "raises": _program({}, _RAISES),
        **{f"constant {place}": _program({}, _printed(text)) for place, text in enumerate(_PRINTED, 1)},
        "commonest answer": _program({}, common),
        "second commonest answer": _program({}, _printed(outputs[-1])),
        "first argument": _program({}, "print_string input"),
        "last argument": _program({}, "print_string input"),
        "examples, else raises": _program(examples, _RAISES),
        "examples, else constant 1": _program(examples, constant),
        "examples, else commonest answer": _program(examples, common),
        "examples, else first argument": _program(examples, "print_string input"),
    }


def _program(known: Mapping[str, str], other: str) -> str:
    rows = "".join(f"  | {_string(stdin)} -> {_printed(stdout)}\n" for stdin, stdout in known.items())
    return f"{_READ}\n\nlet () =\n  match input with\n{rows}  | _ -> {other}"


def _printed(text: str) -> str:
    return f"print_string {_string(text)}"


def _string(text: str) -> str:
    return '"' + "".join(f"\\{byte:03d}" for byte in text.encode()) + '"'
