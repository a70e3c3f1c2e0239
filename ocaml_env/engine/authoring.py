"""Asks the compiler about code that is no candidate's answer: references, signatures and tests of other data sets.

``ocaml/checker/authoring.mli`` is the other side of these messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from ocaml_env.engine import protocol
from ocaml_env.engine.mutant import Mutant
from ocaml_env.engine.worker import Worker
from ocaml_env.problem import Kind, Problem

__all__ = [
    "Answer",
    "CodeMetrics",
    "Header",
    "SplitTests",
    "Stub",
    "answers",
    "header",
    "measure",
    "mutants",
    "split_tests",
    "stubs",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stub:
    """Code that fits a signature and solves nothing. ``stub.mli`` lists the names of stubs.

    Attributes:
        name: tells its kind.
        what: what it does, such as ``always 0``; the name if empty.
    """

    name: str
    what: str = ""
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitTests:
    """A text of assertions, split into tests.

    Attributes:
        prelude: definitions between the assertions.
        expressions: the asserted expressions, one for each assertion.
        ignored: statements that assert nothing.
        repaired: the number of ``~1`` that were read as ``-1``.
    """

    prelude: str
    expressions: tuple[str, ...]
    ignored: tuple[str, ...]
    repaired: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The parts of a header ``let f (x : t) : u =``.

    Attributes:
        signature: of the function, and of the types in the text.
        name: the function's name.
        annotated: False if its result has no type, so that only the body would tell it.
    """

    signature: str
    name: str
    annotated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A test of the form ``f x y = z`` or ``f x y``, as OCaml texts; arguments and answer are in parentheses,
    after an argument's label.
    """

    function: str
    arguments: tuple[str, ...]
    expected: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeMetrics:
    """The size and the language constructs of a program.

    Attributes:
        lines: non-blank lines.
        nodes: expressions and patterns.
        constructs: language constructs in use, such as ``recursion`` or ``functors``, sorted.
        modules: standard-library modules in use, sorted.
        stateless: True if no call's result can depend on earlier calls, so that the order of tests makes no difference;
            False if one might. Always True for a program, since each test is a run of its own.
    """

    lines: int
    nodes: int
    constructs: tuple[str, ...]
    modules: tuple[str, ...]
    stateless: bool


def mutants(worker: Worker, kind: Kind, code: str) -> tuple[Mutant, ...]:
    """All mutants of a program, in a fixed order. Raises the errors of ``Worker.ask``, like all functions here."""
    rows = cast(Sequence[Sequence[protocol.Value]], worker.ask(kind, {"op": "mutants", "code": code})["mutants"])
    return tuple(_mutant(row) for row in rows)


def stubs(worker: Worker, signature: str, *, examples: Sequence[str], tests: Sequence[str]) -> tuple[Stub, ...]:
    """The stub that raises first; then stubs that always give the same answer, or look answers up in the examples."""
    message: protocol.Message = {"op": "stubs", "signature": signature, "examples": examples, "tests": tests}
    rows = cast(Sequence[Sequence[protocol.Value]], worker.ask("function", message)["stubs"])
    return tuple(Stub(name=_text(name), what=_text(what), code=_text(code)) for name, what, code in rows)


def answers(worker: Worker, tests: Sequence[str]) -> tuple[Answer | None, ...]:
    """The call, arguments and result of each test; None if it has another form."""
    message: protocol.Message = {"op": "split", "what": "answers", "tests": tests}
    rows = cast(Sequence[Sequence[protocol.Value]], worker.ask("function", message)["known"])
    return tuple(_answer(row) if row else None for row in rows)


def measure(worker: Worker, problem: Problem) -> CodeMetrics:
    """Measures a problem's reference, and finds out if its tests can depend on their order."""
    code, is_program = problem.reference, problem.kind == "program"
    tests = () if is_program else tuple(test.code for test in problem.tests)
    message: protocol.Message = {"op": "measure", "code": code, "prelude": problem.prelude, "tests": tests}
    found = worker.ask(problem.kind, message)
    return CodeMetrics(
        lines=sum(1 for line in code.splitlines() if line.strip()),
        nodes=cast(int, found["nodes"]),
        constructs=_texts(found["constructs"]),
        modules=_texts(found["modules"]),
        stateless=is_program or found["stateless"] == 1,
    )


def split_tests(worker: Worker, text: str) -> SplitTests:
    """Splits a text such as ``let () = assert (f 1 = 2); assert (f 2 = 3)`` into single tests."""
    answer = worker.ask("function", {"op": "split", "what": "tests", "code": text})
    return SplitTests(
        prelude=_text(answer["prelude"]),
        expressions=_texts(answer["expressions"]),
        ignored=_texts(answer["ignored"]),
        repaired=cast(int, answer["repaired"]),
    )


def header(worker: Worker, text: str) -> Header:
    """Reads the header of the function at the end of a text: ``let f (x : t) : u =``, or a whole function."""
    answer = worker.ask("function", {"op": "split", "what": "header", "code": text})
    return Header(signature=_text(answer["signature"]), name=_text(answer["name"]), annotated=answer["annotated"] == 1)


def _mutant(row: Sequence[protocol.Value]) -> Mutant:
    operator, line, column, before, after, code = row
    return Mutant(
        operator=_text(operator),
        line=cast(int, line),
        column=cast(int, column),
        before=_text(before),
        after=_text(after),
        code=_text(code),
    )


def _answer(row: Sequence[protocol.Value]) -> Answer:
    function, arguments, expected = row
    return Answer(function=_text(function), arguments=_texts(arguments), expected=_text(expected))


def _texts(value: protocol.Value) -> tuple[str, ...]:
    return tuple(_text(item) for item in cast(Sequence[protocol.Value], value))


def _text(value: protocol.Value) -> str:
    return cast(bytes, value).decode("utf-8", "replace")
