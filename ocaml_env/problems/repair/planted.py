"""Faults in problems: the possible places, and the check that the code then fails as intended."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ocaml_env.extract import extract
from ocaml_env.kills.interpreter.errors import Unsupported
from ocaml_env.kills.interpreter.syntax import read_items
from ocaml_env.problem import Problem
from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.repair.code import Code, shared
from ocaml_env.problems.repair.kinds import Kind
from ocaml_env.problems.repair.request import MAX_ATTEMPT
from ocaml_env.reward import progress
from ocaml_env.verdict import Outcome, Verdict
from ocaml_env.verifiers.base import Mutant

__all__ = ["TRIES", "Planted", "places", "repair_id", "repair_problem", "why_not"]

TRIES = 6
"""Places to try for a fault in a problem."""

_MOST_PROGRESS = 0.7  # of an answer with a fault of value; the design sets this limit
_RAN = (Outcome.TEST_FAILURE, Outcome.RUNTIME_ERROR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """The result of planting a fault in a problem.

    Attributes:
        attempt: the code with the fault; "" if none was planted.
        verdict: on the attempt.
        kept: the tests that pass if the fault is only cut out; see ``cuts``.
        reason: the failure at the last tried place if none was planted; "" if there is no place.
    """

    attempt: str = ""
    verdict: Verdict | None = None
    kept: tuple[str, ...] = ()
    reason: str = ""


def places(problem: Problem, kind: Kind, *, seed: int, code: Code, mutants: Sequence[Mutant]) -> tuple[str, ...]:
    """Code with the fault at some of its possible places, in the order of trying; none if there is no place."""
    found: Iterator[str]
    if kind.plant is not None:
        found = kind.plant(code, problem.signature)
    else:
        found = (mutant.code for mutant in mutants if mutant.operator == kind.operator)
    attempts = dict.fromkeys(text.strip() for text in found)
    usable = [text for text in attempts if text != problem.reference.strip() and _is_read(problem, text)]
    chance = Chance(f"{kind.name}/{seed}/{problem.id}")
    chosen = chance.sample(usable, min(TRIES, len(usable)))
    return tuple(_tidied(text, problem.reference.strip()) for text in chosen) if kind.operator else tuple(chosen)


def _tidied(mutant: str, reference: str) -> str:
    """The mutant without its additional redundant parentheses: they would show the place of the fault."""
    try:
        meaning = repr(read_items(mutant))
    except Unsupported:
        return mutant
    first = shared(mutant, reference)
    rest = shared(mutant[first:][::-1], reference[first:][::-1])
    code = Code(mutant)
    for opening in code.find("("):
        closing = code.partner.get(opening)
        if closing is None or code.tokens[opening].end <= first or code.tokens[closing].start >= len(mutant) - rest:
            continue
        without = code.put_all((opening, opening + 1, ""), (closing, closing + 1, ""))
        with contextlib.suppress(Unsupported):
            if repr(read_items(without)) == meaning:
                return _tidied(without, reference)
    return mutant


def _is_read(problem: Problem, attempt: str) -> bool:
    """True if extraction returns the attempt unchanged from an answer: it mends some texts."""
    answer = f"```ocaml\n{attempt}\n```"
    return len(attempt) <= MAX_ATTEMPT and extract(answer, wanted=problem.wanted, kind=problem.kind).code == attempt


def why_not(problem: Problem, kind: Kind, verdict: Verdict) -> str:
    """The reason for which a verdict does not fit the kind of fault; "" if it fits."""
    outcome = verdict.outcome
    if kind.fault == "syntax":
        return "" if outcome is Outcome.SYNTAX_ERROR else f"{outcome} in place of a syntax error"
    if kind.fault == "type":
        fails = outcome is Outcome.TYPE_ERROR and not verdict.compiler_raised
        return "" if fails else f"{outcome} in place of a type error"
    if outcome not in _RAN:
        return f"{outcome} in place of a wrong value"
    if all(test.passed for test in verdict.tests if test.public):
        return "no example fails"
    return "" if progress(problem, verdict) <= _MOST_PROGRESS else f"progress above {_MOST_PROGRESS}"


def repair_id(problem: Problem, kind: Kind, *, seed: int, edition: int) -> str:
    """The id of a repair problem: all that determines it."""
    return f"repair/{edition}/{kind.name}/{seed}/{problem.id}"


def repair_problem(problem: Problem, new_id: str, planted: Planted) -> Problem:
    """The repair problem of a planted fault."""
    return replace(
        problem,
        id=new_id,
        attempt=planted.attempt,
        attempt_verdict=planted.verdict,
        attempt_kept=planted.kept,
        solve_rate=None,
    )
