"""Reads and writes verdicts, candidates and errors as JSON, for both sides of the service.

The standard library's encoder escapes lone surrogates, which models may write and other encoders refuse. (A high
surrogate followed by a low one is read back as the one character that they spell.)
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ocaml_env import errors
from ocaml_env.errors import EngineError, OCamlEnvError, ProblemError, ProtocolError
from ocaml_env.problem import Problem
from ocaml_env.verdict import Diagnostic, Outcome, Stage, TestOutcome, Verdict
from ocaml_env.verifiers.remote.answers import Error

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
]

MAX_BATCH = 1024
"""The most candidates in one request."""

MAX_CODE_LENGTH = 262_144
"""The most characters of a candidate's code that are sent. The engine refuses code over 200,000 bytes unread anyway."""

_OUTCOMES = {outcome.value: outcome for outcome in Outcome}


def encode(value: object) -> bytes:
    """Encodes plain values and dataclasses as JSON, in ASCII; ``asdict`` copies and takes longer than the network."""
    return json.dumps(value, separators=(",", ":"), default=_fields).encode("ascii")


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


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


def verdict_from_json(value: Any) -> Verdict:
    """Decodes a verdict, equal to the one encoded.

    Raises:
        ProtocolError: if the value is not a verdict.
    """
    try:
        plain = {name: value[name] for name in Verdict.__dataclass_fields__}
        tests = [TestOutcome(**{**test, "outcome": _OUTCOMES[test["outcome"]]}) for test in plain["tests"]]
        return Verdict(
            **{
                **plain,
                "outcome": _OUTCOMES[plain["outcome"]],
                "stage": Stage[plain["stage"]],
                "diagnostics": tuple(Diagnostic(**diagnostic) for diagnostic in plain["diagnostics"]),
                "tests": tuple(tests),
                **{name: tuple(plain[name]) for name in ("partial", "given", "sandbox")},
            }
        )
    except (KeyError, TypeError) as error:
        raise ProtocolError(f"the service sent something that is not a verdict: {error!r:.200}") from None


def fault_to_json(fault: OCamlEnvError, *, problems: Sequence[str] | None = None) -> dict[str, Any]:
    """Encodes an error by its nearest class in ``ocaml_env.errors``, with the problems in question."""
    name = next(cls.__name__ for cls in type(fault).__mro__ if cls.__name__ in errors.__all__)
    error = Error(type=name, message=str(fault), problems=problems)
    if isinstance(fault, ProblemError):
        error = replace(error, problem_id=fault.problem_id, test=fault.test)
    return {"error": {name: value for name, value in _fields(error).items() if value is not None}}


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
