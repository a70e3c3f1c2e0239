"""A failing verifier, to test the handling of infrastructure errors."""

from __future__ import annotations

from ocaml_env import EngineError, Problem, Verdict, Verifier

__all__ = ["Broken"]


class Broken(Verifier):
    """A real verifier that raises an infrastructure error if an answer contains "fault"."""

    def verify(self, problem: Problem, code: str) -> Verdict:
        if "fault" in code:
            raise EngineError("the worker went away")
        return super().verify(problem, code)
