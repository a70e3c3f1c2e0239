"""Compiles the tests of problems before a run begins. A faulty one would otherwise end the run in training."""

from __future__ import annotations

from collections.abc import Sequence

from ocaml_env import AnyVerifier, ConfigError, Problem, ProblemError
from ocaml_env.display.progress import Bar
from ocaml_env.verifiers.batch import Batch

__all__ = ["check_tests"]

_TOLD = 5  # errors in the message
_NAMED = 100  # ids in the message


def check_tests(problems: Sequence[Problem], verifier: AnyVerifier) -> None:
    """Compiles the tests of all problems, with a progress bar.

    Raises:
        ConfigError: if tests do not compile; the message names the problems and the reasons.
        OCamlEnvError: an infrastructure error.
    """
    distinct = list({problem.digest: problem for problem in problems}.values())

    def why_not(problem: Problem) -> str:
        try:
            verifier.check(problem)
        except ProblemError as error:
            return str(error)
        return ""

    bar = Bar("checking problems", len(distinct), "problems", passing=True)
    reasons = Batch(distinct, why_not, threads=min(verifier.workers, len(distinct))).run(bar=bar)
    refused = [(problem.id, reason) for problem, reason in zip(distinct, reasons, strict=True) if reason]
    if refused:
        names = ", ".join(name for name, _ in refused[:_NAMED])
        more = f" and {len(refused) - _NAMED} more" if len(refused) > _NAMED else ""
        told = "\n  ".join(reason for _, reason in refused[:_TOLD])
        raise ConfigError(
            f"{len(refused)} of {len(distinct)} problems cannot be evaluated: {names}{more}\n  {told}\n"
            "Repair them or leave them out; `ocaml-env audit FILE --write GOOD` writes the good ones of a file"
        )
