"""Verdicts, candidates and faults as JSON: the one place where both sides of the service read and write them.

Plain dicts, written out by hand: ``dataclasses.asdict`` copies deeply, and takes longer than the network does. The
encoding is the standard library's: it escapes lone surrogates, which a model may write and other encoders refuse. (A
high surrogate that a low one follows is read back as the one character that the two spell.)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ocaml_env import errors
from ocaml_env.errors import EngineError, OCamlEnvError, ProblemError, ProtocolError
from ocaml_env.problem import Problem
from ocaml_env.verdict import Diagnostic, Outcome, Stage, TestOutcome, Verdict

__all__ = [
    "MAX_BATCH",
    "MAX_CODE_LENGTH",
    "candidate_to_json",
    "decode",
    "encode",
    "fault_from_json",
    "fault_to_json",
    "problem_to_json",
    "verdict_from_json",
    "verdict_to_json",
]

MAX_BATCH = 1024
"""Candidates in one request."""

MAX_CODE_LENGTH = 262_144
"""Characters of a candidate's code. The engine refuses more than 200,000 bytes unread: longer code may be cut here."""

_OUTCOMES = {outcome.value: outcome for outcome in Outcome}


def encode(value: object) -> bytes:
    """JSON, in ASCII."""
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def decode(body: bytes) -> Any:
    """What the JSON says.

    Raises:
        ValueError: if it is not JSON, or is nested without end.
    """
    try:
        return json.loads(body)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def problem_to_json(problem: Problem) -> dict[str, Any]:
    """A problem by name, limits and digest, so that a service that has another one can tell."""
    limits = problem.limits
    return {
        "problem": problem.id,
        "digest": problem.digest,
        "limits": {
            "test_cpu_seconds": limits.test_cpu_seconds,
            "total_cpu_seconds": limits.total_cpu_seconds,
            "memory_mb": limits.memory_mb,
            "output_kb": limits.output_kb,
        },
    }


def candidate_to_json(problem: Problem, code: str) -> dict[str, Any]:
    """A candidate and its problem."""
    return {**problem_to_json(problem), "code": code[:MAX_CODE_LENGTH]}


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain values. What follows from others (``passed``, the counts) is there for other languages."""
    return {
        "outcome": verdict.outcome.value,
        "stage": verdict.stage.name,
        "passed": verdict.passed,
        "tests_passed": verdict.tests_passed,
        "tests_passed_inside": verdict.tests_passed_inside,
        "tests_total": verdict.tests_total,
        "errors": verdict.errors,
        "diagnostics": [
            {
                "kind": one.kind,
                "message": one.message,
                "line": one.line,
                "column": one.column,
                "name": one.name,
                "cascade": one.cascade,
            }
            for one in verdict.diagnostics
        ],
        "tests": [
            {
                "name": test.name,
                "public": test.public,
                "outcome": test.outcome.value,
                "returned": test.returned,
                "detail": test.detail,
                "inside": test.inside,
            }
            for test in verdict.tests
        ],
        "partial": verdict.partial,
        "given": verdict.given,
        "ocaml_version": verdict.ocaml_version,
        "sandbox": verdict.sandbox,
        "cpu_seconds": verdict.cpu_seconds,
    }


def verdict_from_json(value: Any) -> Verdict:
    """The verdict that was sent, equal to the one that the service had.

    Raises:
        ProtocolError: if the value is not a verdict.
    """
    try:
        return Verdict(
            outcome=_OUTCOMES[value["outcome"]],
            stage=Stage[value["stage"]],
            diagnostics=tuple(Diagnostic(**one) for one in value["diagnostics"]),
            errors=value["errors"],
            tests=tuple(
                TestOutcome(
                    name=test["name"],
                    public=test["public"],
                    outcome=_OUTCOMES[test["outcome"]],
                    returned=test["returned"],
                    detail=test["detail"],
                    inside=test["inside"],
                )
                for test in value["tests"]
            ),
            partial=tuple(value["partial"]),
            given=tuple(value["given"]),
            ocaml_version=value["ocaml_version"],
            sandbox=tuple(value["sandbox"]),
            cpu_seconds=value["cpu_seconds"],
        )
    except (KeyError, TypeError) as error:
        raise ProtocolError(f"the service sent something that is not a verdict: {error!r:.200}") from None


def fault_to_json(fault: OCamlEnvError, **more: object) -> dict[str, Any]:
    """A fault by the nearest class that ``ocaml_env.errors`` has, with what else there is to say of it."""
    name = next(cls.__name__ for cls in type(fault).__mro__ if cls.__name__ in errors.__all__)
    said: dict[str, Any] = {"type": name, "message": str(fault), **more}
    if isinstance(fault, ProblemError):
        said |= {"problem_id": fault.problem_id, "test": fault.test}
    return {"error": said}


def fault_from_json(value: Any) -> OCamlEnvError | None:
    """The exception that the service raised, or None where the value tells of none."""
    said = value.get("error") if isinstance(value, Mapping) else None
    if not isinstance(said, Mapping):
        return None
    message = str(said.get("message", ""))
    name = said.get("type")
    if name == "ProblemError":
        return ProblemError(message, problem_id=said.get("problem_id"), test=said.get("test"))
    known = getattr(errors, name, None) if name in errors.__all__ else EngineError
    assert isinstance(known, type)
    fault = known(message)
    assert isinstance(fault, OCamlEnvError)
    return fault
