"""Messages to a checker about a problem and a candidate, and the meaning of its answers (see ``checker.mli``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, cast

from ocaml_env.engine import protocol
from ocaml_env.errors import ProtocolError
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Diagnostic

__all__ = [
    "Arrangement",
    "Evaluated",
    "ProbeSpec",
    "RunStatus",
    "RunTest",
    "Status",
    "checker_limit",
    "evaluate_message",
    "evaluated",
    "inside",
    "install_message",
    "is_checker_limit",
    "run_order",
    "text",
]

Arrangement = Literal["in order", "reversed", "alone"]


class Status(StrEnum):
    """How far a candidate came; a worker's answer spells it so."""

    SYNTAX = "syntax"
    NO_BINDING = "no-binding"
    FORBIDDEN = "forbidden"
    TYPE = "type"
    COMPILE = "compile"
    TESTED = "tested"


class RunStatus(StrEnum):
    """How one test ended. RAN: a program ended by itself, and its output is not yet compared."""

    PASSED = "passed"
    WRONG = "wrong"
    RAISED = "raised"
    CRASHED = "crashed"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    RAN = "ran"
    NOT_RUN = "not-run"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTest:
    """The result of one test in the engine."""

    status: RunStatus
    detail: str
    stdout: bytes


_PASSED = RunTest(status=RunStatus.PASSED, detail="", stdout=b"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """The checker's answer for one candidate, decoded.

    Attributes:
        inside: the value of ``inside`` for the problem.
        status: how far the candidate came.
        errors: type errors to count, for TYPE.
        tests: for TESTED, one entry for each test of the problem; also for TYPE if a part was evaluated.
        kept: for TYPE, the values of the signature that were evaluated in spite of the errors.
        given: definitions of the interface that were missing in the code and put in front of it.
        cpu_seconds: CPU time of the jailed processes.
        slowest_seconds: CPU time of the slowest test; only known for a ``ProbeSpec``.
        image: digest of the bytecode; likewise.
    """

    status: Status
    inside: Mapping[str, str] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    errors: int = 0
    tests: tuple[RunTest, ...] = ()
    kept: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    cpu_seconds: float = 0.0
    slowest_seconds: float = 0.0
    image: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeSpec:
    """Settings of an evaluation that only finds out if a candidate passes.

    Attributes:
        first: the number of a function's tests in the first process; each further process runs twice as many.
        exact: for a program, stop at an output that differs in any byte from the expected one; it may still be right.
        arrangement: the order of a function's tests; ``alone`` gives each a process of its own.
    """

    first: int
    exact: bool
    arrangement: Arrangement = "in order"


def install_message(problem: Problem) -> protocol.Message:
    """Makes a request to compile a problem's tests and keep them."""
    order = run_order(problem)
    message: protocol.Message = {
        "op": "install",
        "key": problem.tests_digest,
        "kind": problem.kind,
        "public": len(problem.public_tests),
    }
    if problem.kind == "program":
        message["inputs"] = [cast(str, problem.tests[index].stdin) for index in order]
    else:
        message["signature"] = problem.signature
        message["prelude"] = problem.prelude
        message["tests"] = [problem.tests[index].code for index in order]
    return message


def inside(answer: protocol.Message, problem: Problem) -> dict[str, str]:
    """Reads from an answer to ``install_message`` which tests give their result in the candidate's process, by name.

    Returns:
        For each, the clause that prevents the result's computation from data.
    """
    order = run_order(problem)
    rows = cast(Sequence[tuple[int, protocol.Value]], answer.get("inside", ()))
    return {problem.tests[order[index]].name: text(clause) for index, clause in rows}


def evaluate_message(
    problem: Problem, code: str, limits: Limits, probe: ProbeSpec | None, *, second: bool = False, whole: bool = False
) -> protocol.Message:
    """Makes a request to take a candidate through all stages, for an installed problem.

    Set ``second`` if the compiler has raised on this candidate before: if it raises again, that is a type error. Set
    ``whole`` if the checker has met a limit on it: then nothing is tested if there are type errors.
    """
    message: protocol.Message = {
        "op": "evaluate",
        "key": problem.tests_digest,
        "code": code,
        "test_cpu_us": round(limits.test_cpu_seconds * 1e6),
        "total_cpu_us": round(limits.total_cpu_seconds * 1e6),
        "memory_bytes": limits.memory_mb << 20,
        "output_bytes": limits.output_kb << 10,
    }
    if second:
        message["second"] = 1
    if whole:
        message["whole"] = 1
    if probe is not None:
        message["first_failure"] = probe.first
        message["arrangement"] = probe.arrangement
        exact = problem.kind == "program" and probe.exact
        message["outputs"] = [cast(str, problem.tests[index].stdout) for index in run_order(problem)] if exact else []
    return message


def run_order(problem: Problem) -> list[int]:
    """Indices of the tests in run order: the public ones first.

    They share a process. The shown result of a failed public test, such as an exception's text, must not carry the
    arguments of a hidden test.
    """
    return sorted(range(len(problem.tests)), key=lambda index: not problem.tests[index].public)


def evaluated(answer: protocol.Message, problem: Problem, inside: Mapping[str, str]) -> Evaluated:
    """Decodes the answer to ``evaluate_message``. ``inside`` is that function's result for the problem.

    Raises:
        ProtocolError: if it is no such answer.
    """
    order = run_order(problem)
    try:
        rows = cast(Sequence[protocol.Value], answer.get("tests", ()))
        ran = dict(zip(order, rows, strict=True)) if rows else {}
        return Evaluated(
            status=Status(text(answer["status"])),
            inside=inside,
            diagnostics=tuple(
                _diagnostic(entry) for entry in cast(Sequence[Sequence[protocol.Value]], answer.get("diagnostics", ()))
            ),
            errors=cast(int, answer.get("errors", 0)),
            tests=tuple(_run_test(ran[index]) for index in range(len(ran))),
            kept=_texts(answer, "kept"),
            given=_texts(answer, "given"),
            cpu_seconds=cast(int, answer.get("cpu_us", 0)) / 1e6,
            slowest_seconds=cast(int, answer.get("slowest_us", 0)) / 1e6,
            image=text(answer.get("image", b"")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ProtocolError(f"a worker's answer is not of the protocol: {error!r}") from error


def _texts(answer: protocol.Message, name: str) -> tuple[str, ...]:
    return tuple(map(text, cast(Sequence[protocol.Value], answer.get(name, ()))))


def _run_test(row: protocol.Value) -> RunTest:
    if row == b"passed":
        return _PASSED
    status, detail, stdout = cast(Sequence[protocol.Value], row)
    return RunTest(status=RunStatus(text(status)), detail=text(detail), stdout=cast(bytes, stdout))


def _diagnostic(entry: Sequence[protocol.Value]) -> Diagnostic:
    kind, name, message, line, column, cascade = entry
    return Diagnostic(
        kind=text(kind),
        name=text(name),
        message=text(message),
        line=cast(int, line),
        column=cast(int, column),
        cascade=bool(cascade),
    )


_CHECKER_LIMIT = "checker-limit"


def is_checker_limit(found: Evaluated) -> bool:
    """True if the checker met a limit of its own on the candidate."""
    return any(diagnostic.kind == _CHECKER_LIMIT for diagnostic in found.diagnostics)


def checker_limit(message: str) -> Evaluated:
    """The result for a candidate that ended the checker itself."""
    diagnostic = Diagnostic(kind=_CHECKER_LIMIT, message=message)
    return Evaluated(status=Status.TYPE, diagnostics=(diagnostic,), errors=5)


def text(value: protocol.Value) -> str:
    """Decodes a text of a message; invalid UTF-8 becomes U+FFFD."""
    return cast(bytes, value).decode("utf-8", "replace")
