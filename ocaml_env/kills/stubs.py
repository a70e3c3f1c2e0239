"""Runs stubs: answers that fit the signature and ignore the question. Finds the tests that they pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Stage, Verdict
from ocaml_env.verifiers.base import AuthoringVerifier, Stub

__all__ = ["passed_by", "stubs_of", "verify_stub", "verify_stubs"]

# Stubs compute next to nothing: a slow test has a loop of its own.
_STUB_LIMITS = Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.5)

_SHOWN = 40  # characters of an output

_ECHO = "let () = try while true do print_endline (read_line ()) done with End_of_file -> ()"


def stubs_of(problem: Problem, verifier: AuthoringVerifier) -> tuple[Stub, ...]:
    """The stubs of a problem of any kind; the first one raises."""
    return verifier.stubs(problem) if problem.kind == "function" else tuple(_program_stubs(problem))


def verify_stubs(problem: Problem, verifier: AuthoringVerifier) -> dict[str, Verdict]:
    """The verdict of each stub, by its name."""
    return {stub.name: verify_stub(problem, stub, verifier) for stub in stubs_of(problem, verifier)}


def verify_stub(problem: Problem, stub: Stub, verifier: AuthoringVerifier) -> Verdict:
    """The verdict of a stub, within small limits."""
    return verifier.verify(replace(problem, limits=_STUB_LIMITS), stub.code)


def passed_by(verdict: Verdict) -> set[str] | None:
    """The tests passed by a stub, also if only some were run; None if it did not reach the tests."""
    if verdict.stage is not Stage.TEST and not verdict.partial:
        return None
    return {test.name for test in verdict.tests if test.passed}


def _program_stubs(problem: Problem) -> Iterator[Stub]:
    yield Stub(name="raising", code='let () = failwith "stub"')
    yield Stub(name="printing nothing", code="let () = ()")
    yield Stub(name="echo", what="the input printed", code=_ECHO)
    outputs = Counter(test.stdout or "" for test in problem.tests)
    for number, (output, _) in enumerate(outputs.most_common(2), start=1):
        shown = repr(output if len(output) <= _SHOWN else f"{output[:_SHOWN]}...")
        code = f"let () = print_string {_ocaml_string(output)}"
        yield Stub(name=f"common answer {number}", what=f"always {shown}", code=code)


def _ocaml_string(text: str) -> str:
    return '"' + "".join(f"\\{byte:03d}" for byte in text.encode("utf-8", "surrogatepass")) + '"'
