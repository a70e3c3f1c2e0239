"""Reads and writes verdicts, candidates and errors as JSON, for both sides of the service.

The dicts are written out by hand: ``dataclasses.asdict`` copies deeply and takes longer than the network. The standard
library's encoder escapes lone surrogates, which models may write and other encoders refuse. (A high surrogate followed
by a low one is read back as the one character that they spell.)
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
"""The most candidates in one request."""

MAX_CODE_LENGTH = 262_144
"""The most characters of a candidate's code that are sent. The engine refuses code over 200,000 bytes unread anyway."""

_OUTCOMES = {outcome.value: outcome for outcome in Outcome}


def encode(value: object) -> bytes:
    """Encodes a value as JSON, in ASCII."""
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def decode(body: bytes) -> Any:
    """Decodes JSON.

    Raises:
        ValueError: if it is not JSON, or is nested too deeply.
    """
    try:
        return json.loads(body)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def problem_to_json(problem: Problem) -> dict[str, Any]:
    """A problem as name, limits and digest, so that a service can tell if it has another version."""
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
    """A candidate, with the name of its problem."""
    return {**problem_to_json(problem), "code": code[:MAX_CODE_LENGTH]}


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain values. Derived values (``passed``, the counts) are included for other languages."""
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
                "kind": diagnostic.kind,
                "message": diagnostic.message,
                "line": diagnostic.line,
                "column": diagnostic.column,
                "name": diagnostic.name,
                "cascade": diagnostic.cascade,
            }
            for diagnostic in verdict.diagnostics
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
    """Decodes a verdict, equal to the one encoded.

    Raises:
        ProtocolError: if the value is not a verdict.
    """
    try:
        return Verdict(
            outcome=_OUTCOMES[value["outcome"]],
            stage=Stage[value["stage"]],
            diagnostics=tuple(Diagnostic(**diagnostic) for diagnostic in value["diagnostics"]),
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
    """Encodes an error by its nearest class in ``ocaml_env.errors``, with further fields."""
    name = next(cls.__name__ for cls in type(fault).__mro__ if cls.__name__ in errors.__all__)
    said: dict[str, Any] = {"type": name, "message": str(fault), **more}
    if isinstance(fault, ProblemError):
        said |= {"problem_id": fault.problem_id, "test": fault.test}
    return {"error": said}


def fault_from_json(value: Any) -> OCamlEnvError | None:
    """Decodes the exception that the service raised; None if the value holds none."""
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
