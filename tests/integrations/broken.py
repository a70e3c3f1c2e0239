"""A verifier that fails, for tests of where infrastructure errors go."""

from __future__ import annotations

from ocaml_env import EngineError, Problem, Verdict, Verifier

__all__ = ["Broken"]


class Broken(Verifier):
    """A real verifier that fails at answers that say so: by an infrastructure error."""

    def verify(self, problem: Problem, code: str) -> Verdict:
        if "fault" in code:
            raise EngineError("the worker went away")
        return super().verify(problem, code)
