"""The baseline of each group of tests: how many of its hidden tests a degenerate answer passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ocaml_env.kills.degenerate import Degenerate, degenerate_functions, degenerate_programs, most_passed
from ocaml_env.kills.interpreter.calls import Call, recorded
from ocaml_env.kills.interpreter.errors import Diverged, Raised, Unsupported
from ocaml_env.kills.interpreter.evaluate import Compiler
from ocaml_env.kills.interpreter.syntax import read_expressions, read_items
from ocaml_env.problem import Group, Problem
from ocaml_env.problem.signature import items_of

__all__ = ["Baseline", "measure_baselines"]

_STEPS = 20_000  # for a reference and one test; with more steps, the answers that were run decide


@dataclass(frozen=True, slots=True)
class Baseline:
    """The best degenerate answer for one group of tests.

    Attributes:
        group: its ``baseline`` is the number of hidden tests passed by this answer.
        what: the answer, in plain words.
    """

    group: Group
    what: str

    @property
    def share(self) -> float:
        """The passed part of the group's hidden tests, 0 to 1."""
        return self.group.baseline / len(self.group.tests)


def measure_baselines(problem: Problem, passed_by: Mapping[str, set[str]]) -> tuple[Baseline, ...]:
    """Measures the baseline of each group, in the order of ``Problem.groups``.

    Args:
        problem: its reference must pass its tests.
        passed_by: degenerate answers that were run: for each name, the tests that passed. They alone count for tests
            that the interpreter cannot run.
    """
    problem = replace(problem, baseline=())
    names = [test.name for test in problem.tests]
    answers, asked = _degenerate(problem)
    found = []
    for group in problem.groups:
        tests = [names.index(name) for name in group.tests if asked[names.index(name)]]
        calls = sorted({name for test in tests for name in asked[test]})
        right, what = most_passed({name: answers[name] for name in calls}, tests)
        most = len(right)
        for name, passed in passed_by.items():
            if len(passed.intersection(group.tests)) > most:
                most, what = len(passed.intersection(group.tests)), name
        found.append(Baseline(replace(group, baseline=most), what if most else ""))
    return tuple(found)


def _degenerate(problem: Problem) -> tuple[dict[str, list[Degenerate]], list[frozenset[str]]]:
    """The degenerate answers of each function, and the functions called by each test, as far as they are known."""
    # A table of complete examples is no degenerate answer.
    public = [place for place, test in enumerate(problem.tests) if test.public and not problem.complete_examples]
    if problem.kind == "program":
        runs = [(test.stdin or "", test.stdout or "") for test in problem.tests]
        return {"": degenerate_programs(runs, public)}, [frozenset(("",))] * len(runs)
    calls = _calls(problem)
    codes = [test.code for test in problem.tests]
    return degenerate_functions(calls, public, codes), [frozenset(call.function for call in made) for made in calls]


def _calls(problem: Problem) -> list[list[Call]]:
    """The calls of each test; none if the interpreter cannot run the test."""
    try:
        program = Compiler().program(read_items(problem.reference), read_items(problem.prelude))
        expressions = read_expressions([test.code for test in problem.tests])
    except Unsupported:
        return [[] for _ in problem.tests]
    scope = program.scope
    names = [name for name in items_of(problem.signature) if name in scope.values or name in scope.modules]
    found: list[list[Call]] = []
    for expression in expressions:
        try:
            value, calls = recorded(program, names, program.expression(expression), steps=_STEPS)
        except (Unsupported, Raised, Diverged):
            found.append([])
        else:
            found.append(calls if value is True else [])
    return found
